#!/usr/bin/env python3
"""Where are the points dense? A kernel estimate with its bandwidth by three rules, corrected for the border of a field:
intensity.py [MAP.npy]"""

import sys

import numpy as np

from flipscope import spatial

field = np.array([(0, 0), (12, 0), (12, 4), (5, 4), (5, 10), (0, 10)], float)
random = np.random.default_rng(2)
points = np.concatenate((random.normal((3, 8), 0.8, (150, 2)), random.random((150, 2)) * (12, 4)))
points = points[(points > 0).all(axis=1) & ((points < (12, 4)).all(axis=1) | (points < (5, 10)).all(axis=1))]
area = spatial.study_area(field)
print(f"{len(points)} points on {area.area:g} units of area, {len(points) / area.area:.2f} per unit")
for rule in ("scott", "diggle", "likelihood"):
    made = spatial.intensity(points, area, rule)
    pixel = (made.bounds[2] - made.bounds[0]) * (made.bounds[3] - made.bounds[1]) / made.values.size
    row, column = np.unravel_index(np.nanargmax(made.values), made.values.shape)
    print(
        f"{rule}: bandwidth {made.bandwidth:.3f}, densest {np.nanmax(made.values):.1f} in row {row}, column {column}; "
        f"{np.nansum(made.values) * pixel:.1f} points in all"
    )
    if len(sys.argv) > 1:
        with open(sys.argv[1], "wb") as file:
            np.save(file, made.values)
