"""Graphs of neighbours as functions of points; Delaunay has them as methods, for several of the same points."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ._arrays import Int32Array, real_number
from ._delaunay import Delaunay

_EDGES = "(e, 2) int32: indices of points, the lower first, ascending. See :meth:`Delaunay.{}`."


def gabriel(points: Any) -> Int32Array:
    return Delaunay(points).gabriel()


def relative_neighbourhood(points: Any) -> Int32Array:
    return Delaunay(points).relative_neighbourhood()


def minimum_spanning_tree(points: Any) -> Int32Array:
    return Delaunay(points).minimum_spanning_tree()


def beta_skeleton(points: Any, beta: float) -> Int32Array:
    return Delaunay(points).beta_skeleton(beta)


for _function in (gabriel, relative_neighbourhood, minimum_spanning_tree, beta_skeleton):
    _function.__doc__ = _EDGES.format(_function.__name__)


def nearest_neighbours(points: Any) -> Int32Array:
    """(n,) int32: for each point the nearest other one. See :meth:`Delaunay.nearest_neighbour_graph`."""
    return Delaunay(points).nearest_neighbour_graph()


class AlphaShape(NamedTuple):
    """The result of :func:`alpha_shape`."""

    triangles: Int32Array  #: (t, 3) of circumradius α or less, counter-clockwise
    edges: Int32Array  #: (e, 2) all edges of the α-complex, the lower index first
    boundary: Int32Array  #: (b, 2) edges of exactly one of the triangles, with it to their left


def alpha_shape(points: Any, alpha: float) -> AlphaShape:
    """The α-shape of points (Edelsbrunner, Kirkpatrick and Seidel 1983) as the α-complex of the Delaunay triangulation.

    Parameters
    ----------
    points : array of shape (n, 2)
    alpha : float
        A radius in units of the coordinates, 0 or more; infinity gives the convex hull. Radii are rounded.
    """
    radius = real_number(alpha, "alpha", 0, float("inf"), "a radius of 0 or more")
    edges, edge_alpha, triangles, triangle_alpha = Delaunay(points).alpha_filtration()
    chosen = triangles[triangle_alpha <= radius]
    sides = np.concatenate((chosen[:, [0, 1]], chosen[:, [1, 2]], chosen[:, [2, 0]]))
    _, first, counts = np.unique(np.sort(sides, axis=1), axis=0, return_index=True, return_counts=True)
    return AlphaShape(chosen, edges[edge_alpha <= radius], sides[np.sort(first[counts == 1])])
