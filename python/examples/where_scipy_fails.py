#!/usr/bin/env python3
"""Point sets on which scipy.spatial.Delaunay, with its rounding arithmetic, omits points, leaves a hole or fails; judged
exactly by flipscope.check, beside flipscope's own result. Without SciPy only the latter is shown."""

import numpy as np
import numpy.typing as npt

import flipscope

try:
    from scipy.spatial import Delaunay as Theirs
    from scipy.spatial import QhullError
except ImportError:
    Theirs = None  # type: ignore[assignment,misc]
    QhullError = RuntimeError  # type: ignore[assignment,misc]
    print("SciPy is not installed, so only flipscope is judged")

rng = np.random.default_rng(1)
angles = rng.random(300) * 2 * np.pi
inputs = {
    "uniform in the unit square": rng.random((1000, 2)),
    "the same, moved by 10^9": rng.random((1000, 2)) + 1e9,
    "in a square of 2^-20 around (1, 1)": 1 + rng.random((1000, 2)) * 2.0**-20,
    "on a circle, as doubles have it": np.column_stack((np.cos(angles), np.sin(angles))),
    "a cluster of 10^-9 and a frame": np.concatenate((rng.random((200, 2)) * 1e-9, [(-1, -1), (1, -1), (1, 1), (-1, 1)])),
    "beside a line": np.column_stack((np.arange(100.0), np.arange(100.0) * 3 + rng.random(100) * 1e-13)),
    "all on a line": np.column_stack((np.arange(100.0), np.arange(100.0))),
}


def verdict(points: npt.NDArray[np.float64], triangles: npt.NDArray[np.int32]) -> str:
    judged = flipscope.check(points, triangles)
    if judged.passed:
        return "right"
    counts: dict[str, int] = {}
    for failure in judged:
        counts[failure.code] = counts.get(failure.code, 0) + 1
    return ", ".join(f"{count} {code}" for code, count in counts.items())


for name, points in inputs.items():
    ours = flipscope.Delaunay(points)
    print(f"{name} ({len(points)} points)")
    words = verdict(points, ours.simplices) if ours.nsimplex else f"no triangles; {len(ours.path)} points in order along a line"
    print(f"    flipscope: {words}")
    if Theirs is None:
        continue
    try:
        print(f"    SciPy:     {verdict(points, Theirs(points).simplices)}")
    except QhullError as problem:
        print(f"    SciPy:     {str(problem).splitlines()[0]}")
