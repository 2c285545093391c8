"""The triangulation of a periodic box, with the methods of the plane's that Delaunay uses for both."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from . import _core
from ._arrays import Float64Array, Int32Array


class Torus:
    def __init__(self, made: _core.Torus) -> None:
        self._made = made
        self.triangles, self.images = made.triangles, made.images
        self.points: Float64Array = made.points()  # read-only, so nothing can change them
        self.box = made.box
        self.device, self.hash = made.device, made.hash

    def neighbours(self) -> Int32Array:
        return self._made.across() // 3

    def places(self, queries: Float64Array) -> tuple[Float64Array, Int32Array, npt.NDArray[np.int8]]:
        """Where the queries are in the box, the triangle of each, and how many sides it must be moved to hold it."""
        return self._made.locate(queries)

    def hull(self) -> Int32Array:
        return np.empty(0, np.int32)

    path = duplicate_of = hull

    def have_points_changed(self) -> bool:
        return False

    def triangle_of(self) -> Int32Array:
        corners = self.triangles().ravel()
        found = np.full(len(self.points), len(corners), np.int32)
        np.minimum.at(found, corners, np.arange(len(corners), dtype=np.int32) // 3)
        return found

    def _rows(self) -> tuple[Int32Array, Int32Array]:
        """The corners around each vertex, counter-clockwise from its lowest triangle on, and where each vertex begins."""
        across, corners = self._made.across().ravel(), self.triangles().ravel()
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
