#!/usr/bin/env python3
"""A crystal in a periodic box melts: ψ₆, five- and sevenfold points, the pair correlation and the structure factor."""

import numpy as np

import flipscope

rows, columns = 40, 40
box = (float(columns), rows * 0.75**0.5)
lattice = np.array([(x + 0.5 * (y % 2), y * 0.75**0.5) for y in range(rows) for x in range(columns)])
random = np.random.default_rng(5)
print("noise   |Ψ₆|  mean |ψ₆|  defects  highest g        highest S(k)")
for noise in (0.02, 0.08, 0.15, 0.3, 1.0):
    points = np.delete(lattice + random.normal(0, noise, lattice.shape), slice(0, 5), axis=0)  # five vacancies
    psi = flipscope.orientational_order(points, 6, box=box)
    degrees = flipscope.statistics(points, box=box).points["degree"]
    g = flipscope.pair_correlation(points, box=box, radii=np.linspace(0.5, 4, 71), bins=True)
    s = flipscope.structure_factor(points, box=box)
    peak = int(np.argmax(g.values))
    print(
        f"{noise:5.2f}  {abs(psi.mean()):5.3f}      {np.abs(psi).mean():5.3f}    {np.mean(degrees != 6):5.1%}"
        f"    {g.values[peak]:5.2f} at {g.radii[peak]:4.2f}  {s.values.max():7.1f} at k = {s.k[np.argmax(s.values)]:.2f}"
    )
