#!/usr/bin/env python3
"""A fan of triangles from one corner of a polygon, made Delaunay by flips, and judged before and after."""

import numpy as np

import flipscope

angles = np.linspace(0, 2 * np.pi, 24, endpoint=False)
polygon = np.column_stack((3 * np.cos(angles), np.sin(angles)))
fan = np.array([(0, k, k + 1) for k in range(1, len(polygon) - 1)])
before = flipscope.check(polygon, fan)
print(f"the fan: {before.sentence}")
print(f"first: {before[0].sentence}")
made = flipscope.flip(polygon, fan)
after = flipscope.check(polygon, made.simplices)
print(f"after {made.flips} flips in {made.iterations} parallel passes: {after.sentence}")
assert after.passed and not before.passed
