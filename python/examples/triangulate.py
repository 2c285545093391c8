#!/usr/bin/env python3
"""Points, their Delaunay triangulation, the triangle at a place, and the neighbours of a point. Draws them with
matplotlib: triangulate.py [PICTURE.png]"""

import sys

import numpy as np

import flipscope

points = np.random.default_rng(1).random((200, 2))
made = flipscope.Delaunay(points)
print(f"{made.npoints} points, {made.nsimplex} triangles, {len(made.convex_hull)} edges on the hull, on {made.device}")

place = (0.5, 0.5)
triangle = made.find_simplex(place)
print(f"{place} lies in triangle {triangle}, of the points {made.simplices[triangle].tolist()}")

starts, flat = made.vertex_neighbor_vertices
print(f"around point 0, counter-clockwise: {flat[starts[0] : starts[1]].tolist()}")

if len(sys.argv) > 1:
    import matplotlib.pyplot as plt

    axes = plt.figure(figsize=(7, 7)).add_subplot(aspect="equal")
    axes.triplot(points[:, 0], points[:, 1], made.simplices, linewidth=0.7)
    axes.fill(*points[made.simplices[triangle]].T, alpha=0.3)
    axes.plot(*place, "o")
    plt.savefig(sys.argv[1])
