#!/usr/bin/env python3
"""Trees of a forest with a lake: at which distances are they clustered? L(r) between the envelopes of random forests, and of
forests of seedlings around parents. Draws them with matplotlib: forest.py [PICTURE.png]"""

import sys

import numpy as np

from flipscope import spatial

angles = np.linspace(0, 2 * np.pi, 48, endpoint=False)
shore = np.column_stack((np.cos(angles), np.sin(angles)))
forest = spatial.study_area([shore * (50, 40), shore[::2] * 12 + (10, 5)])  # metres; even-odd: the second ring is a lake
random = np.random.default_rng(8)
parents = random.uniform(-55, 55, (90, 1, 2))
trees = (parents + random.normal(0, 3, (90, 8, 2))).reshape(-1, 2)
inside = (np.hypot(*(trees / (50, 40)).T) < 0.99) & (np.hypot(*(trees - (10, 5)).T) > 12)
trees = trees[inside]
print(f"{len(trees)} trees on {forest.area:.0f} m²")
nearest = spatial.clark_evans(trees, forest)
print(f"Clark and Evans: the nearest tree at {nearest.cdf:.2f} of the distance in a random forest (p = {nearest.p_value:.2g})")
density = spatial.intensity(trees, forest, "diggle")
print(f"bandwidth {density.bandwidth:.2f} m, {np.nanmax(density.values) * 1e4:.0f} trees per hectare where they are densest")
radii = np.linspace(0, 12, 61)
curves = {
    "random": spatial.ripley(trees, forest, "L", radii=radii, simulations=39),
    "seedlings": spatial.ripley(trees, forest, "L", radii=radii, simulations=39, process="thomas"),
}
for name, curve in curves.items():
    outside = radii[(curve.values > curve.high) | (curve.values < curve.low)]
    where = f"{outside.min():.1f} to {outside.max():.1f} m" if len(outside) else "nowhere"
    print(f"L against {name} forests ({curve.correction} correction): p = {curve.p_value:.3g}, beyond the envelope {where}")
parents_per_area, scale, seedlings = curves["seedlings"].fitted
print(f"fitted: {parents_per_area * forest.area:.0f} parents, {seedlings:.1f} trees each, spread {scale:.1f} m")

if len(sys.argv) > 1:
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 3, figsize=(15, 5))
    x0, y0, x1, y1 = density.bounds
    axes[0].imshow(density.values, origin="lower", extent=(x0, x1, y0, y1), cmap="Greens")
    axes[0].plot(trees[:, 0], trees[:, 1], "k.", markersize=2)
    for panel, (name, curve) in zip(axes[1:], curves.items()):
        curve.plot(panel)
        panel.set_title(f"{name}: p = {curve.p_value:.3g}")
    plt.savefig(sys.argv[1])
