#!/usr/bin/env python3
"""A triangulation of a periodic box: every point has six neighbours on average, and no triangle ends at a border."""

import numpy as np

import flipscope

box = (4.0, 3.0)
points = np.random.default_rng(6).random((500, 2)) * box
made = flipscope.Delaunay(points, box=box)
assert made.box is not None
starts, _ = made.vertex_neighbor_vertices
degrees = np.diff(starts)
print(f"{made.npoints} points have {made.nsimplex} triangles, and {degrees.mean()} neighbours on average")
print("points by the number of their neighbours:", np.bincount(degrees)[3:].tolist(), "from 3 on")

corners = made.points[made.simplices] + np.array(made.box) * made.shifts
a, b = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
print(f"the triangles cover {(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum() / 2:.12f} of {box[0] * box[1]}")
crossing = made.shifts.any(axis=(1, 2)).sum()
print(f"{crossing} triangles cross the border; (-0.5, 7) lies in triangle {made.find_simplex((-0.5, 7))}")
