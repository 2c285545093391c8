"""Voronoi diagrams of the plane, under the names of scipy.spatial.Voronoi, and Lloyd's iteration."""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._arrays import Device, Float64Array, Int32Array, as_box, as_points, check_qhull_options, checked_device, checked_threads, whole_number
from ._cells import Cells, as_area
from ._core import Error
from ._delaunay import Delaunay, made_by
from ._picture import voronoi_html


class Voronoi:
    """The Voronoi diagram of points in the plane, from their exact Delaunay triangulation.

    Parameters
    ----------
    points : array of shape (n, 2)
        As for :class:`Delaunay`, in host memory.
    qhull_options
        As for :class:`Delaunay`.
    device, threads
        As for :class:`Delaunay`; the triangulation is made there, the diagram on CPU threads.

    Notes
    -----
    Contacts of cells and coincident circumcircles are exact: cocircular points have one vertex. Coordinates of vertices are
    rounded; those of nearly flat triangles on the hull are far away and have few correct digits.
    """

    ndim = 2
    furthest_site = False

    def __init__(
        self,
        points: Any,
        furthest_site: bool = False,
        incremental: bool = False,
        qhull_options: str | None = None,
        *,
        device: Device = "auto",
        threads: int | None = None,
    ) -> None:
        host = as_points(points)
        check_qhull_options(qhull_options)
        self.delaunay = Delaunay(host, furthest_site, incremental, device=device, threads=threads)
        self._start()

    def _start(self) -> None:
        made = made_by(self.delaunay).voronoi()
        self.vertices: Float64Array = made["vertices"]  #: (v, 2) the centres of the empty circles
        has_end = (made["ridge_vertices"] >= 0).any(axis=1)
        self.ridge_points: Int32Array = made["ridge_points"][has_end]  #: (r, 2) the points on both sides of each ridge
        #: (r, 2) :attr:`ridge_vertices` as an array
        self.ridge_ends: Int32Array = made["ridge_vertices"][has_end]
        #: (l, 2) for collinear points: the points on both sides of the lines between cells, which have no ends and so are no
        #: ridges
        self.line_points: Int32Array = made["ridge_points"][~has_end]
        #: (t,) the vertex at the centre of each triangle's circle
        self.vertex_of_simplex: Int32Array = made["vertex_of"]
        #: (n + 1,) and :attr:`region_indices`: ``regions`` as two arrays
        self.region_indptr: Int32Array = made["region_starts"]
        self.region_indices: Int32Array = made["region_vertices"]
        for name in ("regions", "ridge_vertices"):
            self.__dict__.pop(name, None)

    def add_points(self, points: Any, restart: bool = False) -> None:
        """As :meth:`Delaunay.add_points`."""
        self.delaunay.add_points(points, restart)
        self._start()

    def close(self) -> None:
        """Ends ``add_points``."""
        self.delaunay.close()

    @property
    def points(self) -> Float64Array:
        """(n, 2) the points, as in :attr:`Delaunay.points`."""
        points: Float64Array = self.delaunay.points
        return points

    @property
    def npoints(self) -> int:
        return len(self.points)

    @cached_property
    def regions(self) -> list[list[int]]:
        """The vertices of each region, counter-clockwise; a leading -1: the region is unbounded. One region per point, empty
        for a copy. Made from two arrays on first use."""
        starts, flat = self.region_indptr.tolist(), self.region_indices.tolist()
        return [flat[starts[i] : starts[i + 1]] for i in range(len(starts) - 1)]

    @cached_property
    def ridge_vertices(self) -> list[list[int]]:
        """The two ends of each ridge: to the right of the direction from its first point to its second, then to the left. A
        leading -1: the ridge is infinite. Made from :attr:`ridge_ends` on first use."""
        made: list[list[int]] = self.ridge_ends.tolist()
        return made

    @property
    def min_bound(self) -> Float64Array:
        """(2,) the lower left corner of the points' bounding box."""
        return self.delaunay.min_bound

    @property
    def max_bound(self) -> Float64Array:
        """(2,) the upper right corner of that box."""
        return self.delaunay.max_bound

    @property
    def point_region(self) -> Int32Array:
        """(n,) int32: the region of each point; for a copy, that of its original."""
        return self.delaunay.duplicate_of

    @property
    def ridge_dict(self) -> dict[tuple[int, int], list[int]]:
        """The vertices of the ridge between two points, indexed by the pair as in ``ridge_points``."""
        return {(a, b): v for (a, b), v in zip(self.ridge_points.tolist(), self.ridge_vertices)}

    def cells(self, window: Any = None) -> Cells:
        """The cells within a window.

        Parameters
        ----------
        window : (x0, y0, x1, y1), ring, list of rings, GeoJSON mapping, object with ``__geo_interface__``, or StudyArea
            A box, or polygons with holes by the even-odd rule: rings of shape (k, 2), a Polygon or MultiPolygon of shapely, or
            GeoJSON. By default the points' bounding box.

        Raises
        ------
        flipscope.Error
            For rings that cross, or have no area.

        Notes
        -----
        Which parts a cell has is decided exactly; coordinates of corners are rounded.
        """
        return Cells(made_by(self.delaunay).cells(as_area(window, self.points)))

    def areas(self, window: Any = None) -> Float64Array:
        """(n,) the area of each cell within the window of :meth:`cells`. 0 for copies."""
        return self.cells(window).areas

    def centroids(self, window: Any = None) -> Float64Array:
        """(n, 2) the centroid of each cell within the window; the point itself if its cell is outside."""
        return self.cells(window).centroids

    def __repr__(self) -> str:
        return f"<flipscope.Voronoi: {self.npoints} points, {len(self.vertices)} vertices, {len(self.ridge_points)} ridges>"

    def _repr_html_(self) -> str:
        return voronoi_html(self)


class LloydResult(NamedTuple):
    """The result of :func:`lloyd`."""

    points: Float64Array  #: (n, 2) the moved points
    energies: Float64Array  #: (iterations,) before each move: the squared distance to the nearest point, integrated over the box
    largest_moves: Float64Array  #: (iterations,) the largest distance that a point moved


def lloyd(
    points: Any,
    iterations: int = 1,
    box: Any = None,
    *,
    device: Device = "auto",
    threads: int | None = None,
) -> LloydResult:
    """Lloyd's iteration: every point moves to the centroid of its Voronoi cell within a box, repeatedly.

    Parameters
    ----------
    points : array of shape (n, 2)
        In host memory; not modified. Copies of a point move with it; a point whose cell is outside of the box stays.
    iterations : int
    box : (x0, y0, x1, y1), optional
        By default the points' bounding box.
    device, threads
        Where the triangulations are made; cells are cut on CPU threads. The result does not depend on either.

    Returns
    -------
    LloydResult
        ``energies`` never increase, apart from rounding.

    Notes
    -----
    S. P. Lloyd, Least squares quantization in PCM (1982). Cells are cut from the box by the bisectors to the Delaunay
    neighbours, in doubles.
    """
    host = as_points(points)
    count = whole_number(iterations, "iterations")
    if not 0 <= count < 2**32:
        raise Error(f"iterations={iterations}: a number from 0 to {2**32 - 1}")
    limits = as_box(box, host)
    return LloydResult(*_core.lloyd(host, limits, count, checked_device(device), checked_threads(threads)))
