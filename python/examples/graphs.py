#!/usr/bin/env python3
"""From the minimum spanning tree to the Delaunay triangulation: each graph of neighbours holds the one before."""

import numpy as np

import flipscope

points = np.random.default_rng(5).random((120, 2))
graphs = {
    "minimum spanning tree": flipscope.minimum_spanning_tree(points),
    "relative neighbourhood": flipscope.relative_neighbourhood(points),
    "Gabriel": flipscope.gabriel(points),
}
previous: set[tuple[int, int]] = set()
for name, edges in graphs.items():
    present = {(int(a), int(b)) for a, b in edges}
    assert previous <= present
    lengths = np.linalg.norm(points[edges[:, 0]] - points[edges[:, 1]], axis=1)
    print(f"{name}: {len(edges)} edges, {lengths.sum():.3f} long in all, the longest {lengths.max():.3f}")
    previous = present
shape = flipscope.alpha_shape(points, 0.08)
print(f"alpha shape of radius 0.08: {len(shape.triangles)} triangles, {len(shape.boundary)} edges on its boundary")
