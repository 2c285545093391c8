#!/usr/bin/env python3
"""Districts of 40 places within a country with a lake: Voronoi cells cut to a polygon with a hole, as GeoJSON:
districts.py [DISTRICTS.geojson]"""

import json
import sys

import numpy as np

import flipscope

angles = np.linspace(0, 2 * np.pi, 60, endpoint=False)
border = np.column_stack((np.cos(angles), np.sin(angles))) * (9 + np.cos(5 * angles))[:, None]
lake = border[::3] * 0.2 + (2, 1)
random = np.random.default_rng(9)
places = random.normal(0, 4, (40, 2))

cells = flipscope.Voronoi(places).cells([border, lake])
print(f"{len(cells)} districts of {cells.areas.sum():.3f} in all; {cells.is_cut.sum()} end at the border or the lake")
largest = int(cells.areas.argmax())
print(f"the largest is that of place {largest}, {cells.areas[largest]:.3f}")
print(f"{sum(len(cell) > 1 for cell in cells)} come apart, {sum(not cell for cell in cells)} lie outside")
if len(sys.argv) > 1:
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        json.dump(cells.geojson(), file)
