#!/usr/bin/env python3
"""A notebook in cells: a triangulation, the steps that build it, and a selection that Python sets and reads."""

# %% A triangulation shows itself: facts and a picture.
import sys

import numpy as np

import flipscope

points = np.random.default_rng(1).random((200, 2))
made = flipscope.Delaunay(points)
made

# %% Its steps in a widget. Click a point, or drag with Ctrl.
try:
    shown = flipscope.widget(points)
except (ImportError, flipscope.Error) as missing:  # anywidget, or the program
    print(f"{made}\n{len(made.hull)} points on the hull\nThe widget is not shown: {missing}")
    sys.exit()
shown

# %% Python selects the points of the largest triangle, and goes to the step at which the triangulation is finished.
corners = points[made.simplices]
(ax, ay), (bx, by) = (corners[:, 1] - corners[:, 0]).T, (corners[:, 2] - corners[:, 0]).T
shown.selected_triangles = made.simplices[[np.argmax(ax * by - ay * bx)]]
shown.selection = np.unique(shown.selected_triangles)
shown.step = -1
print(f"{shown.step_count} steps; the state at the end is {shown.hash:016x}")

# %% Run this cell after a selection in the widget.
print("selected:", shown.selection.tolist())
print(points[shown.selection])
