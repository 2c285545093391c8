#!/usr/bin/env python3
"""Cells of a tissue in a picture as a table: area by the number of neighbours (Lewis's law), without those that the picture cuts.
Writes it as CSV: tissue.py [CELLS.csv]"""

import sys

import numpy as np

import flipscope

picture = (0.0, 0.0, 200.0, 150.0)  # micrometres
random = np.random.default_rng(6)
nuclei = flipscope.lloyd(random.random((700, 2)) * (200, 150), 2, picture).points
cells = flipscope.statistics(nuclei, picture).points
whole = cells["cell-cut"] == 0
print(f"{len(nuclei)} cells, {whole.sum()} of them whole; mean area {cells['cell-area'][whole].mean():.1f} µm²")
for degree in np.unique(cells["degree"][whole]):
    chosen = whole & (cells["degree"] == degree)
    areas, perimeters = cells["cell-area"][chosen], cells["cell-perimeter"][chosen]
    roundness = (4 * np.pi * areas / perimeters**2).mean()
    print(f"{degree:.0f} neighbours: {chosen.sum():3} cells, {areas.mean():6.1f} µm², roundness {roundness:.3f}")
if len(sys.argv) > 1:
    np.savetxt(sys.argv[1], np.column_stack(list(cells.values())), delimiter=",", header=",".join(cells), comments="")
