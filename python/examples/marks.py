#!/usr/bin/env python3
"""Two species of trees with their heights: do oaks avoid elms, and are neighbours alike?"""

import numpy as np

from flipscope import spatial

random = np.random.default_rng(4)
plot = (0.0, 0.0, 100.0, 60.0)  # metres
places = random.random((600, 2)) * (100, 60)
wet = np.sin(places[:, 0] / 8) + np.cos(places[:, 1] / 9) + random.normal(0, 0.5, 600)
species = np.where(wet > 0, "elm", "oak")
height = 15 + 3 * wet + random.normal(0, 2, 600)
radii = np.linspace(0, 12, 25)
print(f"{(species == 'elm').sum()} elms, {(species == 'oak').sum()} oaks")
for pair in (("oak", "elm"), ("oak", "oak")):
    curve = spatial.curve(places, plot, "cross-K", marks=species, pair=pair, radii=radii, simulations=39)
    share = curve.values[8] / curve.expected[8]
    words = f"around an {pair[0]}, within {radii[8]:.0f} m: {share:.2f} of the {pair[1]}s of shuffled species"
    print(f"{words} (p = {curve.p_value:.3g})")
alike = spatial.curve(places, plot, "mark-correlation", marks=height, radii=radii, simulations=39)
words = f"heights of trees {radii[2]:.0f} m apart: their mean product is {alike.values[2]:.3f} of that of any two"
print(f"{words} (p = {alike.p_value:.3g})")
moran = spatial.morans_i(places, height)
print(f"Moran's I of heights on {moran.edges} Delaunay edges: {moran.i:.3f}, expected {moran.expected:.4f} (z = {moran.z:.1f})")
