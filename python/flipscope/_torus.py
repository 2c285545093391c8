"""The triangulation of a periodic box, with the methods of the plane's that Delaunay uses for both."""

from __future__ import annotations

import numpy as np

from . import _core
from ._arrays import Int32Array


class Torus(_core.Torus):
    def neighbours(self) -> Int32Array:
        return self.across() // 3

    def hull(self) -> Int32Array:
        return np.empty(0, np.int32)

    path = duplicate_of = hull

    def have_points_changed(self) -> bool:
        return False  # they are read-only

    def triangle_of(self) -> Int32Array:
        rows, starts = self._rows()
        return rows[starts[:-1]] // 3

    def _rows(self) -> tuple[Int32Array, Int32Array]:
        """The corners around each vertex, counter-clockwise from its lowest triangle on, and where each vertex begins."""
        across, corners = self.across().ravel(), self.triangles().ravel()
        starts = np.concatenate(([0], np.cumsum(np.bincount(corners, minlength=len(self.points))))).astype(np.int32)
        order = np.argsort(corners, kind="stable").astype(np.int32)
        rows, at = order.copy(), order[starts[:-1]]
        degrees = np.diff(starts)
        for k in range(int(degrees.max(initial=0))):
            alive = degrees > k
            rows[starts[:-1][alive] + k] = at[alive]
            # Across the edge from the vertex to the corner before it, opposite to the corner after it.
            at = across[at - at % 3 + (at + 1) % 3]
        return rows, starts

    def row_starts(self) -> Int32Array:
        return self._rows()[1]

    def row_neighbours(self) -> Int32Array:
        rows = self._rows()[0]
        following: Int32Array = self.triangles().ravel()[rows - rows % 3 + (rows + 1) % 3]
        return following
