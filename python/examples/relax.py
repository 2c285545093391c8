#!/usr/bin/env python3
"""Voronoi cells in a square before and after Lloyd's iteration. Draws them with matplotlib:
relax.py [PICTURE.png]"""

import sys

import numpy as np

import flipscope

square = (0, 0, 1, 1)
points = np.random.default_rng(2).random((150, 2))
relaxed = flipscope.lloyd(points, 50, square)
for name, sites in (("before", points), ("after", relaxed.points)):
    areas = flipscope.Voronoi(sites).areas(square)
    print(f"{name}: areas from {areas.min():.5f} to {areas.max():.5f}, in all {areas.sum():.12f}")
print(f"energy {relaxed.energies[0]:.6f}, after 49 moves {relaxed.energies[-1]:.6f}")

if len(sys.argv) > 1:
    import matplotlib.pyplot as plt
    from matplotlib.collections import PolyCollection

    figure, axes = plt.subplots(1, 2, figsize=(12, 6), subplot_kw={"aspect": "equal"})
    for panel, sites in zip(axes, (points, relaxed.points)):
        panel.add_collection(PolyCollection(flipscope.Voronoi(sites).cells(square).rings(), facecolors="none", edgecolors="C0"))
        panel.plot(sites[:, 0], sites[:, 1], ".", color="C1")
    plt.savefig(sys.argv[1])
