#!/usr/bin/env python3
"""Points are added where the largest empty circle is, as in mesh refinement: the triangulation grows, and its triangles become
even."""

import numpy as np

import flipscope

corners = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], dtype=float)
made = flipscope.Delaunay(np.concatenate((corners, np.random.default_rng(7).random((10, 2)))), incremental=True)
for step in range(151):
    centres, radii = made.circumcircles()
    inside = ((centres > 0) & (centres < 1)).all(axis=1)
    if step % 50 == 0:
        print(f"{made.npoints} points: the largest empty circle has radius {radii[inside].max():.4f}")
    made.add_points(centres[inside][radii[inside].argmax()][None])
made.close()
print(f"the triangulation is right: {flipscope.check(made.points, made.simplices).passed}")
