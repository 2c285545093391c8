#!/usr/bin/env python3
"""flipscope.Delaunay beside scipy.spatial.Delaunay, in one process, in turns, on the same arrays; both judged exactly.

    against_scipy.py [--points 1000000] [--runs 5] [--threads N] [--device cpu|cuda|auto] [--only NAME,…] [--rest]

Times are medians, with the least and the most, and include everything up to `simplices` and `neighbors` as NumPy arrays. The
verdict is that of flipscope.check, in whole numbers where it matters. Needs SciPy. `--points 1000 --runs 1` shows in a second
on which inputs SciPy omits points, leaves a hole or fails."""

import argparse
import os
import statistics
import time
from collections import Counter

import numpy as np
import scipy
from scipy.spatial import Delaunay, QhullError, Voronoi

import flipscope


def grid(n, rng):
    side = int(n**0.5)
    return np.array(np.meshgrid(np.arange(side), np.arange(side)), float).reshape(2, -1).T.copy()


def ring(n, rng):
    angles = rng.random(n) * 2 * np.pi
    return np.column_stack((np.cos(angles), np.sin(angles)))


def whole_rings(n, rng):
    """About n integer points, as close to the circle of radius 5525 as possible: of each radius up to 360 on one circle."""
    span = np.arange(-5600, 5601)
    x, y = np.meshgrid(span, span)
    near = np.abs(x * x + y * y - 5525**2) <= n / (2 * np.pi)
    return np.column_stack((x[near], y[near])).astype(float)


INPUTS = {
    "uniform": lambda n, rng: rng.random((n, 2)),
    "normal": lambda n, rng: rng.normal(size=(n, 2)),
    "clusters": lambda n, rng: rng.random((20, 2))[rng.integers(0, 20, n)] + rng.normal(size=(n, 2)) * 1e-3,
    "grid": grid,
    "cocircular": whole_rings,
    "ring": ring,
    "far": lambda n, rng: rng.random((n, 2)) + 2.0**30,
    "small": lambda n, rng: 1 + rng.random((n, 2)) * 2.0**-20,
    "framed": lambda n, rng: np.concatenate((rng.random((n, 2)) * 1e-9, [(-1, -1), (1, -1), (1, 1), (-1, 1)])),
    "duplicates": lambda n, rng: rng.integers(0, int(n**0.5 / 2) + 1, (n, 2)).astype(float),
    "beside a line": lambda n, rng: np.column_stack((np.arange(n), np.arange(n) * 3 + rng.random(n) * 1e-13)),
    "line": lambda n, rng: np.column_stack((np.arange(n), np.arange(n))).astype(float),
}
# Qhull needs minutes or much memory for a million of these points.
MOST = {"ring": 5_000, "framed": 1_000, "beside a line": 1_000}


def verdict(points, simplices):
    judged = flipscope.check(points, simplices)
    if judged.passed:
        return "right"
    counts = Counter(failure.code for failure in judged if failure.spoils)
    cut = judged.failure_count > len(judged)  # a code is listed at most 20,000 times
    words = [f"{count:,}{' or more' if cut and count >= 20_000 else ''} {code}" for code, count in counts.most_common()]
    return ", ".join(words)


def arrays(made):
    return made.simplices, made.neighbors


def compare(runs, ours, theirs, judge=lambda made: ""):
    """Runs the same task in both libraries in turns, and prints the times and the judgements of the first results."""
    times, words = {"flipscope": [], "SciPy": []}, {}
    for run in range(runs):
        for label, make in (("flipscope", ours), ("SciPy", theirs)):
            begin = time.perf_counter()
            try:
                made = make()
            except QhullError as problem:
                words[label] = str(problem).splitlines()[0]
                continue
            times[label].append(time.perf_counter() - begin)
            if run == 0:
                words[label] = judge(made)
    for label, taken in times.items():
        text = "no result"
        if taken:
            text = f"{statistics.median(taken) * 1e3:,.0f} ms ({min(taken) * 1e3:,.0f} … {max(taken) * 1e3:,.0f})"
        print(f"  {label:9} {text:36} {words[label]}".rstrip())
    if all(times.values()):
        ratios = [theirs / mine for mine, theirs in zip(times["flipscope"], times["SciPy"])]
        print(f"  SciPy / flipscope: {statistics.median(ratios):.1f} ({min(ratios):.1f} … {max(ratios):.1f})")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--points", type=lambda text: int(float(text)), default=1_000_000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--threads", type=int)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--only", default=",".join(INPUTS))
    parser.add_argument("--rest", action="store_true", help="find_simplex, neighbours and Voronoi, too")
    options = parser.parse_args()
    where = {"device": options.device, "threads": options.threads}

    device = flipscope.Delaunay(np.eye(2), **where).device
    print(f"flipscope {flipscope.__version__} on {device}; SciPy {scipy.__version__}, NumPy {np.__version__}")
    print(f"load of the machine at the start: {os.getloadavg()[0]:.2f}; medians of {options.runs} runs in turns (least … most)")
    for name in filter(None, options.only.split(",")):
        points = INPUTS[name](min(options.points, MOST.get(name, options.points)), np.random.default_rng(1))
        print(f"\n{name}: {len(points):,} points")
        compare(options.runs, lambda: arrays(flipscope.Delaunay(points, **where)), lambda: arrays(Delaunay(points)),
                lambda made: verdict(points, made[0]))  # fmt: skip
    if options.rest:
        rng = np.random.default_rng(1)
        points, queries = rng.random((options.points, 2)), rng.random((100_000, 2))
        a, b = flipscope.Delaunay(points, **where), Delaunay(points)
        for what, ours, theirs in (
            ("find_simplex, 100,000 random places", lambda: a.find_simplex(queries), lambda: b.find_simplex(queries)),
            ("vertex_neighbor_vertices", lambda: a.vertex_neighbor_vertices, lambda: b.vertex_neighbor_vertices),
            ("Voronoi", lambda: flipscope.Voronoi(points, **where), lambda: Voronoi(points)),
            ("regions as lists", lambda: flipscope.Voronoi(points, **where).regions, lambda: Voronoi(points).regions),
        ):
            print(f"\n{what}: {len(points):,} uniform points, the first call")
            compare(1, ours, theirs)
    print(f"\nload of the machine at the end: {os.getloadavg()[0]:.2f}")


if __name__ == "__main__":
    main()
