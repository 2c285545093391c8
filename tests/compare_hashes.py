#!/usr/bin/env python3
"""Compares two builds of flipscope, run by run: do both come to the same state and triangulation hashes?

    tests/compare_hashes.py OLD NEW [--device cpu|cuda] [--against-device cpu|cuda] [--only TEXT] [--json FILE]

OLD and NEW are two programs (or one program twice, with --device and --against-device to compare its devices). Every
run is made with both; the differing ones are listed with both hashes. Ends with 1 when any differ, 2 when a run could
not be made. Python 3 alone is needed.
"""
import argparse, concurrent.futures, json, os, subprocess, sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ASSETS = os.path.join(ROOT, "assets")


def runs():
    """All runs: arguments after `flipscope run`."""
    point_sets = ["uniform:1", "uniform:2", "uniform:3", "uniform:1000", "uniform:20000", "disk:3000", "disk-centre:3000",
                  "disk-rim:3000", "normal:3000", "clusters:3000", "grid:900", "jittered-grid:900",
                  "ring:500", "rings:600", "near-ring:500",
                  "near-grid:900", "line:50", "duplicates:600", "poisson:2000", "uniform:2000@x=1e9,y=-1e9",
                  "uniform:500@scale=1e-30", "spiral:700", "halton:900", "sobol:1024", "r2:900", "jittered:900",
                  "thomas:2000@mean=30,sigma=0.01", "matern-cluster:2000", "matern2:2000", "ginibre:200",
                  "hexagonal:900@noise=0.05,vacancies=0.05", "penrose:2000", "blue-noise:900"]
    for points in point_sets:
        yield ["build", "--points", points]
        yield ["serial", "--points", points]
        yield ["strips", "--points", points]
        yield ["subdivide", "--points", points]
        yield ["race-builds", "--points", points]
    for seed in "23456":
        yield ["build", "--points", "uniform:5000", "--seed", seed]
    for setting in ["predicate=double", "predicate=float", "predicate=double-circumcentre",
                    "predicate=float-circumcentre", "flips=off", "flip_limit=2", "conflict=lowest", "conflict=hashed",
                    "vote=lowest", "enclosure=supertriangle"]:
        for points in ["uniform:2000", "grid:400", "clusters:2000"]:
            yield ["build", "--points", points, "--set", setting]
    for start in ["insertion", "sweep", "fan", "scrambled", "moved"]:
        for points in ["uniform:2000", "clusters:2000", "ring:300"]:
            if start == "fan" and not points.startswith("ring"):
                continue
            yield ["flip", "--points", points, "--set", "start=" + start]
    for mesh in ["quad:5000", "worst:400", "sphere:2000", "torus-knot:2000", "terrain:2000", "infinity:1000", "band:800"]:
        yield ["flip", "--mesh", mesh]
        yield ["flip", "--mesh", mesh, "--steps", "4"]
        yield ["race", "--mesh", mesh]
    for setting in ["criterion=angles", "criterion=angles-float", "conflict=hashed", "conflict=lowest", "dihedral=0.2"]:
        yield ["flip", "--mesh", "quad:3000", "--set", setting]
        yield ["flip", "--mesh", "torus-knot:1000", "--set", setting]
    for name in ["vase.obj", "slivers.off", "survey.node", "airfoil.xy"]:
        yield ["flip", "--input", os.path.join(ASSETS, name)]
        yield ["build", "--input", os.path.join(ASSETS, name)]
    lattice = ["--set", "width=200", "--set", "height=140"]
    for points in ["uniform:300", "uniform:5", "clusters:300", "grid:144", "spiral:150", "ring:40", "line:20", "normal:200",
                   "duplicates:100", "near-grid:100", "uniform:2000"]:
        for more in [[], ["--set", "borders=periodic"], ["--set", "method=jump-flooding"],
                     ["--set", "method=every-site"], ["--set", "exact_cells=none"], ["--set", "exact_cells=all"],
                     ["--set", "lloyd=4"]]:
            yield ["voronoi", "--points", points] + lattice + more
    yield ["voronoi", "--points", "clusters:3000", "--set", "data=points", "--set", "count=9", "--set", "lloyd=10"]
    yield ["voronoi", "--field", os.path.join(ASSETS, "logo.png"), "--set", "density=image", "--set", "count=300",
           "--set", "lloyd=5"]
    yield ["voronoi", "--points", "uniform:200"] + lattice + ["--set", "obstacles=posts"]
    for source in ["bubbles", "shear", "channel", "rolls", "emulsion"]:
        for more in [[], ["--set", "graph=delaunay"], ["--set", "exact_cells=near"], ["--set", "matching=names"]]:
            yield ["events", "--set", "source=" + source, "--set", "width=160", "--set", "height=96", "--set",
                   "count=60", "--set", "comparisons=5", "--set", "interval=10"] + more
    yield ["events", "--field", os.path.join(ASSETS, "foam.npy")]
    yield ["events", "--tracks", os.path.join(ASSETS, "tracks.csv")]
    yield ["events", "--tracks", os.path.join(ASSETS, "tracks.csv"), "--set", "graph=delaunay"]
    for points in ["uniform:1", "uniform:2", "uniform:3000", "grid:400", "line:50", "clusters:3000", "ring:500"]:
        for box in ["2", "2x1.5", "2x0", "0x1.5"]:
            yield ["build", "--points", points, "--set", "domain=torus", "--set", "box=" + box]
    for config in ["c0", "c2", "c3", "abp-dense"]:
        for box in [[], ["box=30x20"], ["box=30x20", "walls=y"], ["box=30x20", "walls=x"]]:
            yield ["particles", "--set", "config=" + config, "--set", "count=150", "--set", "steps=60"] + [
                word for setting in box for word in ("--set", setting)]
    for borders in ["periodic_x", "periodic_y"]:
        for points in ["uniform:300", "grid:144", "duplicates:100", "uniform:5"]:
            for more in [[], ["--set", "method=jump-flooding"], ["--set", "method=every-site"],
                         ["--set", "exact_cells=all"], ["--set", "lloyd=4"]]:
                yield ["voronoi", "--points", points] + lattice + ["--set", "borders=" + borders] + more
        for source in ["bubbles", "rolls", "particles"]:
            yield ["events", "--set", "source=" + source, "--set", "width=160", "--set", "height=96", "--set",
                   "count=60", "--set", "comparisons=5", "--set", "interval=10", "--set",
                   "borders=" + borders]


def outcome(program, arguments, device):
    command = [program, "run"] + arguments + ["--device", device, "--json", "-"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
    if done.returncode not in (0, 1):
        return {"refused": done.stderr.strip().splitlines()[-1:] or ["status %d" % done.returncode]}
    told = json.loads(done.stdout)
    return {key: told.get(key) for key in ("state_hash", "triangulation_hash")}


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("old")
    options.add_argument("new")
    options.add_argument("--device", default="cpu", help="of NEW, and of OLD unless --against-device says another")
    options.add_argument("--against-device", help="of OLD")
    options.add_argument("--only", default="", help="only runs whose command line contains this")
    options.add_argument("--jobs", type=int, default=os.cpu_count())
    options.add_argument("--json", help="write every run with both outcomes here")
    given = options.parse_args()
    chosen = [run for run in runs() if given.only in " ".join(run)]

    def both(run):
        return run, outcome(given.old, run, given.against_device or given.device), outcome(given.new, run, given.device)

    equal, refused, differing, rows = 0, 0, [], []
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        for run, old, new in pool.map(both, chosen):
            rows.append({"run": run, "old": old, "new": new})
            if "refused" in old or "refused" in new:
                if ("refused" in old) == ("refused" in new):
                    refused += 1
                    print("refused by both: %s: %s" % (" ".join(run), new["refused"][0]))
                else:
                    differing.append((run, old, new))
            elif old == new:
                equal += 1
            else:
                differing.append((run, old, new))
    for run, old, new in differing:
        print("differs: %s\n  old %s\n  new %s" % (" ".join(run), old, new))
    if given.json:
        with open(given.json, "w") as file:
            json.dump(rows, file, indent=1)
    print("%d runs: %d equal, %d differ, %d refused by both" % (len(chosen), equal, len(differing), refused))
    return 1 if differing else 2 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
