#!/usr/bin/env python3
"""Compares the statistics of `flipscope run` with those of SciPy and freud, on every generator of points.

compare_with_peers.py FLIPSCOPE [--points N]

In the plane, SciPy: nearest neighbours by a k-d tree; areas and perimeters of Voronoi cells within the window by
qhull, where the points mirrored at the window's sides close the cells; degrees, |psi4|, |psi6|, lengths, angles and
areas by its Delaunay triangulation. Cells have no ties; of the rest only inputs in general position are compared,
since of cocircular points any triangulation is Delaunay. On the torus, freud: areas, g(r) and K(r); SciPy, of nine copies: degrees and |psi6|.
Exit status 77 where neither is installed, 1 where something differs.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

GENERAL = """uniform disk disk-centre disk-rim normal clusters jittered-grid spiral poisson jittered thomas
matern-cluster matern2 ginibre hexagonal@noise=0.1 blue-noise halton@random=1 r2@random=1""".split()
TIED = "grid ring rings duplicates near-grid near-ring halton sobol sobol@random=1 r2 hexagonal penrose".split()


def run(program, folder, points, names, *more):
    exports = [word for name in names for word in ("--export", str(folder / f"{name}.npy"))]
    command = [program, "run", "build", "--points", points, "--device", "cpu", "--quiet", "--statistics", "--json",
               str(folder / "run.json"), *exports, *more]
    subprocess.run(command, check=True)
    arrays = {name: np.load(folder / f"{name}.npy") for name in names}
    return arrays, json.loads((folder / "run.json").read_text())


class Comparison:
    def __init__(self):
        self.count = 0
        self.worst = 0.0
        self.wrong = []

    def close(self, what, ours, theirs, tolerance):
        """Both sorted: vertices of the two have other numbers."""
        ours, theirs = np.sort(np.asarray(ours, float)), np.sort(np.asarray(theirs, float))
        self.count += 1
        if ours.shape != theirs.shape:
            self.wrong.append(f"{what}: {ours.size} numbers, expected {theirs.size}")
            return
        scale = max(1e-300, float(np.abs(theirs).max(initial=0)))
        off = float(np.abs(ours - theirs).max(initial=0)) / scale
        self.worst = max(self.worst, off / tolerance)
        if off > tolerance:
            self.wrong.append(f"{what}: {off:.3g} of the greatest off, more than {tolerance:g}")


def mirrored_cells(points, low, high):
    """Area and perimeter of every cell within the box."""
    sides = [points]
    for axis in (0, 1):
        for end in (low[axis], high[axis]):
            other = points.copy()
            other[:, axis] = 2 * end - other[:, axis]
            sides.append(other)
    diagram = Voronoi(np.concatenate(sides))
    areas, perimeters = np.empty(len(points)), np.empty(len(points))
    for i in range(len(points)):
        corners = diagram.vertices[diagram.regions[diagram.point_region[i]]]
        x, y = corners[:, 0] - points[i, 0], corners[:, 1] - points[i, 1]
        order = np.argsort(np.arctan2(y, x))
        x, y = x[order], y[order]
        areas[i] = 0.5 * abs(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))
        perimeters[i] = np.hypot(np.roll(x, -1) - x, np.roll(y, -1) - y).sum()
    return areas, perimeters


def compare_plane(check, program, folder, name, count, tied):
    generator, _, options = name.partition("@")
    text = f"{generator}:{count}" + (f"@{options}" if options else "")
    names = ["degree", "nearest", "cell-area", "cell-perimeter", "psi4", "psi6", "edge-length", "min-angle",
             "triangle-area"]
    points = np.unique(run(program, folder, text, ["positions"])[0]["positions"], axis=0)
    # Wider than the points: one on a side would be its own mirror image.
    room = 0.05 * (points.max(axis=0) - points.min(axis=0))
    low, high = points.min(axis=0) - room, points.max(axis=0) + room
    within = ",".join(repr(float(number)) for number in (*low, *high))
    ours, found = run(program, folder, text, names, f"--within={within}")
    finite = {key: values[np.isfinite(values)] for key, values in ours.items()}
    check.close(f"{text}: nearest", finite["nearest"], cKDTree(points).query(points, 2)[0][:, 1], 1e-12)
    if generator not in ("near-grid", "near-ring", "ring", "rings"):  # corners within rounding of each other
        areas, perimeters = mirrored_cells(points, low, high)
        check.close(f"{text}: cell areas", finite["cell-area"], areas, 1e-7)
        check.close(f"{text}: cell perimeters", finite["cell-perimeter"], perimeters, 1e-7)
    if tied:
        return
    mesh = Delaunay(points)
    if mesh.coplanar.size or len(mesh.simplices) != found["triangles"]:
        check.wrong.append(f"{text}: SciPy has {len(mesh.simplices)} triangles, {len(mesh.coplanar)} points left out; "
                           f"here are {found['triangles']}")
        return
    edges = np.unique(np.sort(mesh.simplices[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1), axis=0)
    vectors = points[edges[:, 1]] - points[edges[:, 0]]
    check.close(f"{text}: edges", finite["edge-length"], np.hypot(*vectors.T), 1e-12)
    degree = np.bincount(edges.ravel(), minlength=len(points))
    check.close(f"{text}: degrees", finite["degree"], degree, 0.5 / degree.max())
    angles = np.arctan2(vectors[:, 1], vectors[:, 0])
    for k, key in ((4, "psi4"), (6, "psi6")):
        total = np.zeros(len(points), complex)  # both ends: k is even
        np.add.at(total, edges[:, 0], np.exp(1j * k * angles))
        np.add.at(total, edges[:, 1], np.exp(1j * k * angles))
        check.close(f"{text}: {key}", finite[key], np.abs(total) / degree, 1e-10)
    corners = points[mesh.simplices]
    a, b = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    check.close(f"{text}: triangles", finite["triangle-area"], 0.5 * np.abs(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]), 1e-10)
    smallest = np.full(len(corners), 180.0)
    for k in range(3):
        u, v = corners[:, (k + 1) % 3] - corners[:, k], corners[:, (k + 2) % 3] - corners[:, k]
        turn = np.arctan2(np.abs(u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]), (u * v).sum(axis=1))
        smallest = np.minimum(smallest, np.degrees(turn))
    check.close(f"{text}: angles", finite["min-angle"], smallest, 1e-9)


def compare_torus(check, program, folder, name, count):
    generator, _, options = name.partition("@")
    text = f"{generator}:{count}" + (f"@{options}" if options else "")
    ours, found = run(program, folder, text, ["positions", "degree", "cell-area", "psi6"],
                     "--set", "domain=torus", "--spatial", "K", "--radii", "0:0.2:0.01")
    points = ours["positions"][:, :2]
    box = freud.box.Box.square(1)
    places = np.column_stack([np.mod(points, 1) - 0.5, np.zeros(len(points))]).astype(np.float32)
    cells = freud.locality.Voronoi()
    cells.compute((box, places))
    # freud computes in single precision.
    check.close(f"{text} on a torus: cell areas", ours["cell-area"], cells.volumes, 2e-4)
    # SciPy, of nine copies side by side: freud's neighbours are those of rounded places.
    copies = np.concatenate([points + (i, j) for i in (0, -1, 1) for j in (0, -1, 1)])
    edges = Delaunay(copies).simplices[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2)
    edges = np.unique(np.sort(edges, axis=1), axis=0)
    angles = np.arctan2(*(copies[edges[:, 1]] - copies[edges[:, 0]]).T[::-1])
    total, degree = np.zeros(len(copies), complex), np.bincount(edges.ravel(), minlength=len(copies))
    for end in (0, 1):
        np.add.at(total, edges[:, end], np.exp(6j * angles))
    check.close(f"{text} on a torus: degrees", ours["degree"], degree[: len(points)], 0.5 / degree.max())
    check.close(f"{text} on a torus: psi6", ours["psi6"], np.abs(total / degree)[: len(points)], 1e-10)
    curve = next(one for one in found["curves"] if one["name"] == "pair correlation" and len(one["x"]) > 2)
    width = curve["x"][1] - curve["x"][0]
    rdf = freud.density.RDF(bins=len(curve["x"]), r_max=width * len(curve["x"]), normalization_mode="finite_size")
    rdf.compute((box, places), reset=True)
    off = np.abs(np.asarray(curve["y"]) - rdf.rdf)
    check.count += 1
    if off.max() > 0.02 * max(1, rdf.rdf.max()):
        check.wrong.append(f"{text} on a torus: g(r): {off.max():.3g} off")
    k = next(one for one in found["curves"] if one["name"] == "K" and one["label"] == "periodic")
    rdf = freud.density.RDF(bins=20, r_max=0.2)
    rdf.compute((box, places), reset=True)
    check.close(f"{text} on a torus: K(r)", k["y"][1:], rdf.n_r / (len(points) - 1), 2e-3)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("flipscope")
    parser.add_argument("--points", type=int, default=400)
    options = parser.parse_args()
    check = Comparison()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for each in GENERAL + TIED:
            compare_plane(check, options.flipscope, folder, each, options.points, each in TIED)
        if freud:
            for each in ("uniform", "poisson", "blue-noise", "jittered", "halton@random=1", "thomas"):
                compare_torus(check, options.flipscope, folder, each, options.points)
    print(f"{check.count} comparisons{'' if freud else ', none with freud, which is not installed'}; "
          f"the worst at {check.worst:.2g} of its tolerance")
    for sentence in check.wrong:
        print(sentence)
    return 1 if check.wrong else 0


try:
    import numpy as np
    from scipy.spatial import Delaunay, Voronoi, cKDTree
except ImportError as error:
    print(f"skipped: {error} (Debian: apt install python3-scipy)")
    sys.exit(77)
try:
    import freud
except ImportError:
    freud = None

if __name__ == "__main__":
    sys.exit(main())
