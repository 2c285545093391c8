"""The Delaunay triangulation, under the names of scipy.spatial.Delaunay."""

from __future__ import annotations

import copy
import math
from typing import Any, Callable, Literal, TypeVar

import numpy as np
import numpy.typing as npt

from . import _core
from ._arrays import (
    Device,
    Float64Array,
    Int32Array,
    as_periods,
    as_points,
    as_array,
    as_triangles,
    check_qhull_options,
    checked_device,
    checked_threads,
    cuda_points,
    is_cuda,
    real_number,
)
from ._core import Error
from ._picture import delaunay_html
from ._torus import Torus

Method = Literal["nearest", "linear", "natural", "laplace", "cubic"]

_Array = TypeVar("_Array", bound=npt.NDArray[Any])


class Delaunay:
    """*The* Delaunay triangulation of points in the plane, or in a periodic box.

    Parameters
    ----------
    points : array of shape (n, 2)
        Real numbers in any form that NumPy accepts, also pandas' nullable columns, without masked or missing rows; at most
        2**29 - 8 points; each coordinate 0 or between 2**-200 and 2**200 in size. A row-major float64 array is read in place;
        so is a float64 array in the memory of CUDA device 0 with ``__cuda_array_interface__`` or DLPack (CuPy, PyTorch, JAX,
        Numba). Do not change the array during the triangulation, nor later if you use ``find_simplex``, ``barycentric``,
        ``transform`` or ``to_scipy``: it is not copied, and these raise an error when they detect changes. Methods that read
        all points detect every change, and so does the first ``find_simplex`` or ``barycentric`` and one of at least n / 16
        points; with fewer points these compare only 512 to 1023 of the n. Points on a CUDA device are not compared.
    incremental : bool
        Whether ``add_points`` is allowed.
    qhull_options : str, optional
        Options that have no effect here (``"QJ"``, ``"Qbb Qc Qz"``, ``"Pp"``, …) give a warning; others are errors.
    box : (width, height), optional
        Triangulates the torus: the rectangle [0, width) × [0, height) with opposite sides identified. ``points`` and ``box`` are
        then as they were triangulated: moved into the box and rounded to a grid of at most 2e-14 of its longer side, for which
        the result is exact; ``shifts`` has the image of each corner. n points have 2n triangles, and no two may be equal. What
        belongs to the plane (the hull, graphs, ``to_scipy``, ``equations``) raises an error.
    device : "auto", "cpu" or "cuda"
        The device to use. "auto": CUDA if there is a device and the module supports it, otherwise CPU threads. Points on a
        CUDA device are triangulated there.
    threads : int, optional
        CPU threads; by default one per processor. The result does not depend on it.

    Raises
    ------
    flipscope.Error (a ValueError)
        For a wrong shape or type, a coordinate out of range or not a number.
    RuntimeError
        If CUDA is requested but unavailable.

    Notes
    -----
    Orientation and in-circle signs are exact, and coordinates are never moved. Ties of four or more cocircular
    points are broken by their indices, so the result is unique. Equal points are one vertex with the lowest index; the others
    are in ``coplanar``. Fewer than three distinct points, or collinear ones, are no error: there are no simplices, and
    ``path`` has the points in order (SciPy raises QhullError).

    The caller may change arrays in place and assign ``simplices``, as in SciPy; nothing else changes.
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
        box: Any = None,
        device: Device = "auto",
        threads: int | None = None,
    ) -> None:
        if furthest_site:
            raise Error("furthest_site=True is not supported: this is the triangulation whose circles are empty")
        check_qhull_options(qhull_options)
        self._device = checked_device(device)
        self._threads = checked_threads(threads)
        self._is_open = bool(incremental)  # for add_points()
        self._box = None if box is None else as_periods(box)
        self._start(points)

    def _start(self, points: Any) -> None:
        """Triangulates the points, and forgets all about earlier ones."""
        if is_cuda(points):
            if self._box is not None:
                raise Error("the points lie in a CUDA device's memory; of a periodic box they must be on the host")
            if self._device == "cpu":
                raise Error('the points lie in a CUDA device\'s memory; with device="cpu" copy them to the host first')
            on_device, self._owner = cuda_points(points)
            self._points, self._count = points, on_device[1]
            self._made: _core.Triangulated | Torus = _core.triangulate_cuda(*on_device)
        else:
            self._points = as_points(points)
            self._count = len(self._points)
            self._triangulate()
            self._sampled = self._sample().copy()
        self._has_located = False  # the first find_simplex() sorts the points
        self._arrays: dict[str, Any] = {}  # made on first use; the caller may change them
        self._found: tuple[float, tuple[Any, ...]] | None = None  # by _structures(), of this β

    def _triangulate(self) -> None:
        if self._box is None:
            self._made = _core.triangulate(self._points, self._device, self._threads)
        else:
            torus = Torus(self._points, self._box, self._device, self._threads)
            self._made, self._points, self._box = torus, torus.points, torus.box

    def _plane(self, what: str) -> _core.Triangulated:
        if isinstance(self._made, Torus):
            raise Error(f"{what} belongs to the plane; a periodic box has none")
        return self._made

    def add_points(self, points: Any, restart: bool = False) -> None:
        """Triangulates these points as well; their indices follow those of the points so far. All arrays are new, and ``points``
        is no longer the given array. ``restart`` is accepted for SciPy's sake: the result is that of all points at once, and
        is computed so.

        Raises
        ------
        RuntimeError
            Without ``incremental=True``, or after ``close()``.
        """
        if not self._is_open:
            raise RuntimeError("incremental mode not enabled or already closed")
        self._start(np.concatenate((self._host_points(), as_points(points))))

    def close(self) -> None:
        """Ends ``add_points``."""
        self._is_open = False

    @property
    def box(self) -> tuple[float, float] | None:
        """Width and height of the periodic box, rounded to its grid; None in the plane."""
        return self._box

    @property
    def shifts(self) -> npt.NDArray[np.int8]:
        """(t, 3, 2) int8: the image of its point that each corner is, in widths and heights of the periodic box: corner k of
        triangle i is at ``points[simplices[i, k]] + box * shifts[i, k]``. That of the first corner is 0; in the plane all are."""
        if isinstance(self._made, Torus):
            return self._own("shifts", self._made.images)
        return np.zeros((self.nsimplex, 3, 2), np.int8)

    def _corners(self, chosen: Any = slice(None), every: bool = True) -> Float64Array:
        """(t, 3, 2) the places of the corners of the original triangles."""
        places: Float64Array = self._host_points(every)[self._made.triangles()[chosen]]
        if isinstance(self._made, Torus):
            places = places + np.array(self._box) * self._made.images()[chosen]
        return places

    @property
    def points(self) -> Any:
        """(n, 2) the points: the given array if it could be used directly, else a float64 copy."""
        return self._points

    def _own(self, name: str, view: Callable[[], _Array]) -> _Array:
        """A copy of an array in the core's memory, which algorithms use: the caller may change the copy."""
        if name not in self._arrays:
            self._arrays[name] = np.array(view())
        made: _Array = self._arrays[name]
        return made

    def _sample(self) -> Float64Array:
        sample: Float64Array = self._points[:: max(1, self._count // 512)]
        return sample

    def _check_points(self, every: bool = True) -> None:
        """Raises Error if points on the host have changed. ``every``: compares a hash of all points, one pass over memory;
        otherwise only a sample, which detects that an array has moved as a whole."""
        if not isinstance(self._points, np.ndarray):
            return
        changed = self._made.have_points_changed() if every else not np.array_equal(self._sample(), self._sampled)
        if changed:
            raise Error("the array of the points has changed since it was triangulated; triangulate it again, or give a copy")

    def _host_points(self, every: bool = True) -> Float64Array:
        self._check_points(every)
        if isinstance(self._points, np.ndarray):
            return self._points
        raise Error("the points lie in a CUDA device's memory; triangulate a copy on the host for this")

    @property
    def npoints(self) -> int:
        return self._count

    @property
    def nsimplex(self) -> int:
        return len(self._made.triangles())

    @property
    def simplices(self) -> Int32Array:
        """(t, 3) int32: the corners of each triangle as indices of points, counter-clockwise. A copy of any triangles of these
        points can be assigned, as in ``made.simplices = made.simplices[mask]``; ``nsimplex``, ``neighbors``, ``find_simplex``
        and all else keep the original triangles, as in SciPy."""
        return self._own("simplices", self._made.triangles)

    @simplices.setter
    def simplices(self, chosen: Any) -> None:
        self._arrays["simplices"] = np.array(as_triangles(chosen, self._count, "simplices"), dtype=np.int32)

    @property
    def neighbors(self) -> Int32Array:
        """(t, 3) int32: the triangle opposite to each corner; -1 beyond the convex hull."""
        return self._own("neighbors", self._made.neighbours)

    @property
    def hull(self) -> Int32Array:
        """(h,) int32: the points on the boundary of the convex hull, including those inside its edges; counter-clockwise, once
        around, from the lowest index on. Empty without a triangle."""
        return self._own("hull", self._made.hull)

    @property
    def convex_hull(self) -> Int32Array:
        """(h, 2) int32: the edges of the convex hull, each with the triangulation to its left, counter-clockwise."""
        ring = self._made.hull()
        return np.column_stack((ring, np.roll(ring, -1)))

    @property
    def path(self) -> Int32Array:
        """(d,) int32: for points on one line or at one place, the distinct ones in order along it; otherwise empty."""
        return self._own("path", self._made.path)

    @property
    def coplanar(self) -> Int32Array:
        """(c, 3) int32: the points that no triangle uses, each with a triangle at its place and the vertex there. They are
        exactly the copies of earlier points. -1 without triangles."""
        return self._own("coplanar", self._make_coplanar)

    def _make_coplanar(self) -> Int32Array:
        first = self._made.duplicate_of()
        copies = np.flatnonzero(first != np.arange(len(first), dtype=np.int32)).astype(np.int32)
        twins = first[copies]
        return np.column_stack((copies, self._made.triangle_of()[twins], twins)).astype(np.int32)

    @property
    def duplicate_of(self) -> Int32Array:
        """(n,) int32: for each point the first one equal to it, which may be itself."""
        first = self._made.duplicate_of()
        return np.array(first) if len(first) else np.arange(self._count, dtype=np.int32)

    @property
    def vertex_to_simplex(self) -> Int32Array:
        """(n,) int32: the lowest triangle at each point, for a copy at its original; -1 without triangles."""
        found = self._made.triangle_of()
        first = self._made.duplicate_of()
        return found[first] if len(first) else np.array(found)

    @property
    def vertex_neighbor_vertices(self) -> tuple[Int32Array, Int32Array]:
        """(n + 1,) and (e,) int32, ``indptr`` and ``indices``: the neighbours of point k are ``indices[indptr[k]:indptr[k +
        1]]``, counter-clockwise; for a hull point from the next one along the hull to the previous one. Copies have none. For
        collinear points, the previous and the next one."""
        return self._own("indptr", self._made.row_starts), self._own("indices", self._made.row_neighbours)

    @property
    def transform(self) -> Float64Array:
        """(t, 3, 2) float64: with ``T = transform[i, :2]`` and ``r = transform[i, 2]``, the first two barycentric coordinates
        of a point x in triangle i are ``T @ (x - r)``. NaN, as in SciPy, if the triangle is too thin for doubles: if the
        reciprocal condition number of T's inverse, in the 1-norm, is below 1000 · 2**-52."""
        return self._own("transform", self._make_transform)

    def _make_transform(self) -> Float64Array:
        corners = self._corners()
        made = np.empty((len(corners), 3, 2))
        a, b = corners[:, 0] - corners[:, 2], corners[:, 1] - corners[:, 2]
        with np.errstate(divide="ignore", invalid="ignore"):
            area = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
            made[:, 0, 0], made[:, 0, 1] = b[:, 1] / area, -b[:, 0] / area
            made[:, 1, 0], made[:, 1, 1] = -a[:, 1] / area, a[:, 0] / area
            columns = np.maximum(np.abs(a).sum(axis=1), np.abs(b).sum(axis=1))
            thin = 1 / (columns * np.abs(made[:, :2]).sum(axis=1).max(axis=1)) < 1000 * np.finfo(np.float64).eps
        made[:, 2] = corners[:, 2]
        made[thin | ~np.isfinite(made).all(axis=(1, 2))] = np.nan
        return made

    @property
    def paraboloid_scale(self) -> float:
        """The factor of \\|p\\|² in ``lift_points``; with ``paraboloid_shift``, which is 0, as SciPy's."""
        self._plane("the paraboloid")
        return 1 / max(float(np.abs(self._host_points()).max(initial=0)), float(np.finfo(np.float64).tiny))

    paraboloid_shift = 0.0

    def lift_points(self, x: Any) -> Float64Array:
        """(…, 3) float64: the points (…, 2), and the height of each on the paraboloid."""
        places = np.asarray(x, dtype=np.float64)
        return np.concatenate((places, (places**2).sum(axis=-1, keepdims=True) * self.paraboloid_scale), axis=-1)

    @property
    def equations(self) -> Float64Array:
        """(t, 4) float64: normal, downward and of length 1, and offset of the plane through the lifted corners of each
        triangle, rounded."""
        return self._own("equations", self._make_equations)

    def _make_equations(self) -> Float64Array:
        scale = self.paraboloid_scale
        a = self._corners()[:, 0]
        with np.errstate(all="ignore"):
            slope = 2 * scale * self.circumcircles()[0]
            offset = scale * (a**2).sum(axis=1) - (slope * a).sum(axis=1)
            made = np.stack([slope[:, 0], slope[:, 1], -np.ones(len(a)), offset], axis=1)
            made /= np.sqrt((made[:, :3] ** 2).sum(axis=1))[:, None]
        return np.ascontiguousarray(np.nan_to_num(made))

    def plane_distance(self, xi: Any) -> Float64Array:
        """(…, t) float64: the distance of each lifted point of ``xi`` (…, 2) from the plane of each triangle along its normal:
        below 0 above the plane, outside of the triangle's circle."""
        distances: Float64Array = self.lift_points(xi) @ self.equations[:, :3].T + self.equations[:, 3]
        return distances

    @property
    def good(self) -> Int32Array:
        """(t,) int32: 1; SciPy marks what Qhull's option QG selects."""
        return np.ones(self.nsimplex, dtype=np.int32)

    @property
    def min_bound(self) -> Float64Array:
        """(2,) the lower left corner of the points' bounding box."""
        low: Float64Array = self._host_points().min(axis=0)
        return low

    @property
    def max_bound(self) -> Float64Array:
        """(2,) the upper right corner of that box."""
        high: Float64Array = self._host_points().max(axis=0)
        return high

    @property
    def hash(self) -> int:
        """64 bits of the set of triangles: equal for equal points on every device and for any number of threads; the program's
        triangulation hash. 0 without a triangle."""
        return self._made.hash

    @property
    def device(self) -> str:
        """The device used, such as "CPU, 2 threads"."""
        return self._made.device

    @property
    def device_simplices(self) -> Any:
        """``simplices`` where they were made: on CUDA an object with ``__cuda_array_interface__`` and ``__dlpack__`` for CuPy,
        PyTorch or JAX, without a copy; on CPU threads the NumPy array."""
        return self._plane("device_simplices").device_triangles()

    @property
    def device_neighbors(self) -> Any:
        """``neighbors``, likewise."""
        return self._plane("device_neighbors").device_neighbours()

    def find_simplex(self, xi: Any, bruteforce: bool = False, tol: float | None = None) -> Int32Array:
        """The triangle that contains each point, exactly.

        Parameters
        ----------
        xi : array of shape (..., 2)
            Points to look for; on CUDA they are copied there.
        bruteforce, tol
            Accepted for SciPy's sake, without effect: the result is exact.

        Returns
        -------
        int32 array of shape (...)
            -1 for points outside of the convex hull and NaN. On an edge or at a vertex, the lowest of the triangles that meet
            there. Coordinates below 2**-200 in size that are not 0 count as 2**-200 with their
            sign.

        Notes
        -----
        A walk from the vertex next to the point along a Morton curve, by exact orientation tests, on all threads or on CUDA.
        The first call sorts the points.
        """
        flat, shape = self._queries(xi)
        return self._find(flat).reshape(shape)

    def barycentric(self, xi: Any) -> Float64Array:
        """The weights of the corners of the triangle that contains each point, correct to the last digit or two in triangles
        of any shape.

        Parameters
        ----------
        xi : array of shape (..., 2)
            Points to look for.

        Returns
        -------
        float64 array of shape (..., 3)
            In the order of the original ``simplices[find_simplex(xi)]``; they add up to 1. NaN for points outside of all
            triangles.
        """
        flat, shape = self._queries(xi)
        if isinstance(self._made, Torus):
            flat, found, images = self._made.locate(flat)
        else:
            found, images = self._find(flat), np.zeros((len(flat), 2), np.int8)
        held = found >= 0
        made = np.full((len(flat), 3), np.nan)
        corners = self._corners(found[held], every=False)
        if self._box is not None:
            corners += (np.array(self._box) * images[held])[:, None]
        made[held] = _core.weights_in(corners, self._decidable(flat[held]))
        return made.reshape(*shape, 3)

    def interpolator(self, values: Any, method: Method = "linear") -> Interpolator:
        """Interpolates values at the points; see :class:`Interpolator`. For many calls on one triangulation."""
        return Interpolator(self, values, method)

    def circumcircles(self) -> tuple[Float64Array, Float64Array]:
        """(t, 2) centres and (t,) radii of the circles through the corners of each simplex, in the units of the points. They
        are rounded; of nearly straight triangles they are large and inexact.
        """
        a, b, c = np.moveaxis(self._corners(), 1, 0)
        u, v = b - a, c - a
        squares = (u * u).sum(axis=1), (v * v).sum(axis=1)
        twice = 2 * (u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0])
        to = np.column_stack((v[:, 1] * squares[0] - u[:, 1] * squares[1], u[:, 0] * squares[1] - v[:, 0] * squares[0]))
        to /= twice[:, None]
        return a + to, np.hypot(to[:, 0], to[:, 1])

    def gabriel(self) -> Int32Array:
        """The edges of the Gabriel graph (Gabriel and Sokal 1969): no point lies inside the circle that has the edge as its
        diameter. A point on the circle does not exclude the edge; of the two diagonals of a rectangle it is the one of this
        triangulation.

        Returns
        -------
        (e, 2) int32
            Indices of points, the lower one first, in ascending order; so are those of the graphs below. All points on one line
            are connected along it. Decided exactly, the same on every device.
        """
        return self._graph(32)

    def relative_neighbourhood(self) -> Int32Array:
        """(e, 2) int32: the edges of the relative neighbourhood graph (Toussaint 1980): no point is nearer to both ends than
        they are to each other. All pairs of points that fulfil this."""
        return self._graph(16)

    def minimum_spanning_tree(self) -> Int32Array:
        """(e, 2) int32: the edges of the Euclidean minimum spanning tree, minimal by (length, lower index, higher index)."""
        return self._graph(8)

    def nearest_neighbour_graph(self) -> Int32Array:
        """(n,) int32: for each point the nearest other one, of equally near ones that of the lowest index; -1 for copies of
        earlier points, and for a single point."""
        edges, words = self._structures(1.0)[:2]
        found = np.full(self._count, -1, dtype=np.int32)
        for bit, of, to in ((2, 0, 1), (4, 1, 0)):
            chosen = edges[(words & bit) != 0]
            found[chosen[:, of]] = chosen[:, to]
        return found

    def beta_skeleton(self, beta: float) -> Int32Array:
        """The edges of the β-skeleton (Kirkpatrick and Radke 1985): lune-based for β >= 1, so 1 is the Gabriel graph and 2 the
        relative neighbourhood graph; for β <= 1 no point sees the edge under an obtuse angle whose sine is below β.

        Parameters
        ----------
        beta : float
            From 1/1024 to 1024.

        Returns
        -------
        (e, 2) int32
            All such pairs of points for β > 1; for β <= 1 those that are edges of this triangulation.

        Raises
        ------
        flipscope.Error
            For a β out of range.
        """
        return self._graph(64, beta)

    def alpha_filtration(self) -> tuple[Int32Array, Float64Array, Int32Array, Float64Array]:
        """The α-complex (Edelsbrunner and Mücke 1994) at all α.

        Returns
        -------
        edges : (e, 2) int32
            Indices of points, as of ``gabriel``.
        edge_alpha : (e,) float64
            The radius α, in units of the coordinates, at which each enters: half its length for a Gabriel edge, else the
            smaller one of its triangles' values. CGAL and GUDHI have the squares.
        triangles : (t, 3) int32
            Indices of points, counter-clockwise.
        triangle_alpha : (t,) float64
            Circumradii. Values are rounded, and never smaller than those of the triangle's edges.
        """
        edges, _, alpha, _, triangles, triangle_alpha = self._structures(1.0)
        return edges.copy(), alpha.copy(), triangles.copy(), triangle_alpha.copy()

    def edge_beta(self) -> tuple[Int32Array, Float64Array]:
        """(e, 2) int32 and (e,) float64: every edge, and the greatest β of a skeleton that has it, rounded; at most 1024."""
        found = self._structures(1.0)
        return found[0].copy(), found[3].copy()

    def _graph(self, bit: int, beta: float = 1.0) -> Int32Array:
        edges, words = self._structures(beta)[:2]
        chosen: Int32Array = edges[(words & bit) != 0]
        return chosen

    def _structures(self, beta: float) -> tuple[Any, ...]:
        """Edges, the bits of flipscope/structures.h, α, β, triangles and their α. The last result is kept."""
        self._plane("a graph of neighbours")
        beta = real_number(beta, "beta", 1 / 1024, 1024, "a number from 1/1024 to 1024")
        if self._found is None or self._found[0] != beta:
            self._check_points()
            edges, words, alpha, betas, triangles, triangle_alpha = _core.structures(
                self._host_points(), beta, self._device, self._threads
            )
            turned = edges[:, 0] > edges[:, 1]
            edges[turned] = edges[turned][:, ::-1]
            words[turned] = (words[turned] & ~6) | ((words[turned] & 2) << 1) | ((words[turned] & 4) >> 1)
            order = np.lexsort((edges[:, 1], edges[:, 0]))
            self._found = beta, (edges[order], words[order], alpha[order], betas[order], triangles, triangle_alpha)
        found: tuple[Any, ...] = self._found[1]
        return found

    def to_scipy(self) -> Any:
        """The same triangles as a ``scipy.spatial.Delaunay``, for code that requires one: ``LinearNDInterpolator``,
        ``CloughTocher2DInterpolator``. Qhull does not run.

        Returns
        -------
        scipy.spatial.Delaunay
            With copies of all arrays. It finds simplices as SciPy does, in doubles; ``find_simplex`` here is exact.
            ``transform`` of slivers is NaN, and SciPy's interpolators return NaN at some points in and near them, as with
            SciPy's own triangulation; ``barycentric`` returns the weights in any triangle.

        Raises
        ------
        flipscope.Error
            Without a triangle: SciPy has no such object.
        ImportError
            Without SciPy.
        """
        points, triangles = np.array(self._host_points(), dtype=np.float64), self._plane("SciPy's object").triangles().copy()
        if len(triangles) == 0:
            raise Error("there is no triangle: SciPy has no triangulation of points on one line")
        import scipy.spatial

        made = object.__new__(scipy.spatial.Delaunay)
        made.__dict__.update(
            _qhull=None, _points=points, ndim=2, npoints=len(points), furthest_site=False,
            min_bound=points.min(axis=0), max_bound=points.max(axis=0), paraboloid_scale=self.paraboloid_scale, paraboloid_shift=self.paraboloid_shift,
            simplices=triangles, neighbors=self._made.neighbours().copy(), nsimplex=len(triangles),
            equations=self.equations.copy(), good=self.good,
            coplanar=self._make_coplanar().copy(), _transform=self._make_transform(),
            _vertex_to_simplex=None, _vertex_neighbor_vertices=None,
        )
        return made

    @staticmethod
    def _queries(xi: Any) -> tuple[Float64Array, tuple[int, ...]]:
        if is_cuda(xi):
            raise Error("points to be found lie in a CUDA device's memory; copy them to the host")
        given = as_array(xi, "points to be found")
        if given.shape[-1:] != (2,):
            raise Error(f"points to be found of shape {given.shape}: the last dimension must be 2")
        return as_points(given.reshape(-1, 2), "points to be found"), given.shape[:-1]

    @staticmethod
    def _decidable(flat: Float64Array) -> Float64Array:
        size = np.abs(flat)
        with np.errstate(invalid="ignore"):
            tiny, huge = (size > 0) & (size < 2.0**-200), size > 2.0**200
        if tiny.any() or huge.any():  # outside the predicates' range; no point is so far out
            flat = np.where(tiny, np.copysign(2.0**-200, flat), np.where(huge, np.nan, flat))
        return flat

    def _find(self, flat: Float64Array) -> Int32Array:
        self._check_points(every=not self._has_located or 16 * len(flat) >= self._count)
        if isinstance(self._made, Torus):
            return self._made.locate(flat)[1]
        found: Int32Array = self._made.locate(self._decidable(flat))
        self._has_located = True
        return found

    def __getstate__(self) -> dict[str, Any]:
        # The result depends only on the points, so pickle and copy these, and the caller's changes.
        state = {name: value for name, value in self.__dict__.items() if name not in ("_made", "_owner", "_found")}
        state["_points"] = self._host_points()
        made = {"simplices": self._made.triangles, "neighbors": self._made.neighbours}
        state["_arrays"] = {
            name: array
            for name, array in self._arrays.items()
            if name in made and not np.array_equal(array, made[name]())
        }
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._points = as_points(state["_points"])
        self._triangulate()
        self._has_located = False
        self._found = None

    def _copied(self, copied: Callable[[Any], Any]) -> Delaunay:
        # The triangulation is unchanged; share it and the points, which it reads in place.
        made = type(self).__new__(type(self))
        for name, value in self.__dict__.items():
            made.__dict__[name] = value if name in ("_made", "_owner", "_points") else copied(value)
        return made

    def __copy__(self) -> Delaunay:
        return self._copied(copy.copy)

    def __deepcopy__(self, memo: dict[int, Any]) -> Delaunay:
        return self._copied(lambda value: copy.deepcopy(value, memo))

    def __repr__(self) -> str:
        return f"<flipscope.Delaunay: {self.npoints} points, {self.nsimplex} triangles, on {self.device}>"

    def _repr_html_(self) -> str:
        return delaunay_html(self)


def made_by(triangulation: Delaunay) -> _core.Triangulated:
    """The triangulation of the extension module, which reads the points in place. Raises Error if any of them has changed."""
    triangulation._check_points()
    return triangulation._plane("a Voronoi diagram")


class Interpolator:
    """A function of the plane that has given values at the points of a triangulation. Call it with an array of places.

    Parameters
    ----------
    triangulation : Delaunay
        Its points are the sites.
    values : array of shape (n,) or (n, ...)
        Real numbers, copied; NaN is allowed. Of equal points the first one's value counts.
    method : "nearest", "linear", "natural", "laplace" or "cubic"
        "nearest": the value of the nearest site, of equally near ones that of the lowest index. "linear": linear in each
        triangle. "natural" and "laplace": means of the natural neighbours with the weights of Sibson (1980) or of Christ,
        Friedberg and Lee (1982). "cubic": as SciPy's ``CloughTocher2DInterpolator``.

    Notes
    -----
    Called with places of shape (..., 2), the result has shape (...) and the further dimensions of ``values``. It is NaN outside
    of the convex hull, but not with "nearest", and where a value that is used is NaN; at a site it is that site's value. If all
    points are on one line, every method but "nearest" is linear along it. The same bits on every device.
    """

    def __init__(self, triangulation: Delaunay, values: Any, method: Method = "linear") -> None:
        if method not in _core.interpolation_names:
            known = ", ".join(f'"{name}"' for name in _core.interpolation_names)
            raise Error(f"method {method!r} is not known; there are {known}")
        given = as_array(values, "values")
        if given.ndim == 0 or given.shape[0] != triangulation.npoints:
            raise Error(f"values of shape {given.shape}: the first dimension must be {triangulation.npoints}, as of the points")
        if given.dtype.kind not in "biuf":
            raise Error(f"values of type {given.dtype}: they must be real numbers")
        self.triangulation, self.method, self.values = triangulation, method, np.array(given, dtype=np.float64)
        rows = np.ascontiguousarray(self.values.reshape(len(given), math.prod(given.shape[1:])))
        self._made = _core.Interpolated(made_by(triangulation), rows, _core.interpolation_names.index(method))

    def __call__(self, at: Any) -> Float64Array:
        flat, shape = self.triangulation._queries(at)
        self.triangulation._check_points(every=16 * len(flat) >= self.triangulation.npoints)
        return self._made.interpolate(self.triangulation._decidable(flat)).reshape(shape + self.values.shape[1:])


def interpolate(
    points: Any, values: Any, at: Any, method: Method = "linear", *, device: Device = "auto", threads: int | None = None
) -> Float64Array:
    """The values at places ``at`` between ``points`` with ``values``, as ``Delaunay(points).interpolator(values, method)(at)``;
    see :class:`Interpolator` for the methods and :class:`Delaunay` for the points, ``device`` and ``threads``.

    Returns
    -------
    float64 array
        For ``at`` of shape (..., 2): of shape (...), and the further dimensions of ``values``.
    """
    return Delaunay(points, device=device, threads=threads).interpolator(values, method)(at)
