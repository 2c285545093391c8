"""Spatial statistics of point patterns: functions of distance, tests of randomness, intensity, structure, and the measures of
points, edges and triangles. Formulas and their sources are in docs/spatial.md and docs/statistics.md.

A study area, ``area``, is a box (x0, y0, x1, y1), rings, GeoJSON or shapely polygons as for ``Voronoi.cells``, or a
``StudyArea`` made of them once; None: the points' bounding box. ``box=(width, height)`` instead is a periodic box."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _core
from ._arrays import Device, Float64Array, as_array, as_periods, as_points, checked_device, checked_threads
from ._arrays import real_number, warn, whole_number
from ._cells import as_area
from ._core import Error, StudyArea
from ._delaunay import Delaunay
from ._events import as_ids
from ._run import Run

Function = Literal["K", "L", "L-r", "g", "G", "F", "J", "cross-K", "cross-g", "mark-connection", "mark-correlation"]
Correction = Literal["none", "border", "translation", "isotropic", "kaplan-meier", "hanisch"]
Process = Literal["csr", "thomas", "matern", "hardcore"]


def study_area(area: Any = None, points: Any = (), *, box: Any = None) -> StudyArea:
    """Checks a study area once for many calls; its ``area`` and ``bounds``. Throws Error for rings that cross."""
    if area is not None and box is not None:
        raise Error("area and box: give one of them; a periodic box is the study area")
    return as_area(area, as_points(points)) if box is None else StudyArea((0.0, 0.0, *as_periods(box)), [], True)


def _pattern(points: Any, area: Any, box: Any) -> tuple[StudyArea, Float64Array]:
    """The study area, and the points, moved into it if it is periodic."""
    host = as_points(points)
    within = study_area(area, host, box=box)
    return within, as_points(host % np.array(within.bounds[2:])) if within.is_periodic else host


def _where(device: Device = "auto", threads: int | None = None) -> tuple[str, int]:
    return checked_device(device), checked_threads(threads)


def _length(value: Any) -> float:
    return real_number(value, "bandwidth", 1e-300, 1e300, "a length above 0")


def _count(value: Any, name: str, low: int, high: int) -> int:
    return int(real_number(whole_number(value, name), name, low, high, f"a whole number from {low} to {high}"))


def _place_of(value: Any, known: tuple[str, ...], name: str) -> int:
    if value not in known:
        raise Error(f"{name}={value!r} is not known; there are {', '.join(known)}")
    return known.index(value)


def _of_points(values: Any, count: int, what: str) -> npt.NDArray[Any]:
    given = as_array(values, what)
    if given.shape != (count,):
        raise Error(f"{what} of shape {given.shape}: the shape must be ({count},), one for each point")
    return given


def _of_frames(values: Any, frames: list[Float64Array], what: str) -> list[npt.NDArray[Any]]:
    """One array for each frame; ``values`` has them, or is one for all."""
    each = len(frames) * [values] if not len(values) or np.ndim(values[0]) == 0 else list(values)
    if len(each) != len(frames):
        raise Error(f"{what} of {len(each)} frames: there are {len(frames)} frames of points")
    return [_of_points(one, len(frame), what) for one, frame in zip(each, frames)]


@dataclass(frozen=True, repr=False)
class SpatialCurve:
    """A function of distance; its arrays are of shape (r,)."""

    function: str
    correction: str  #: of the border
    count: int  #: points in the study area, of all frames
    bandwidth: float  #: half the width of the kernel of g and of functions of marks
    radii: Float64Array
    values: Float64Array  #: NaN: not defined
    expected: Float64Array  #: for random points or marks; with simulations of a process, or of cross functions, their mean
    low: Float64Array  #: the least of all simulations at each radius; NaN without simulations
    high: Float64Array  #: the greatest
    half_width: float = np.nan  #: ``expected`` ± ``half_width`` holds every simulation
    p_value: float = np.nan  #: of the greatest deviation from ``expected``, among the simulations (Diggle 1979)
    fitted: tuple[float, float, float] = (0.0, 0.0, 0.0)  #: of the process: parents per area, scale, points per parent
    errors: Float64Array | None = None  #: of several frames: the standard error of their mean, if they are independent

    def __repr__(self) -> str:
        tested = "" if np.isnan(self.p_value) else f", p = {self.p_value:.3g}"
        return f"<{self.function}, {self.correction}, of {self.count} points at {len(self.radii)} radii{tested}>"

    def plot(self, axes: Any = None) -> None:
        """Draws the curve, its expectation and its envelope on axes of matplotlib; None: pyplot's current axes."""
        if axes is None:
            from matplotlib import pyplot

            axes = pyplot.gca()
        axes.fill_between(self.radii, self.low, self.high, color="0.85")
        axes.plot(self.radii, self.expected, "--", color="0.4")
        axes.plot(self.radii, self.values)
        axes.set(xlabel="r", ylabel=f"{self.function}(r)".replace("-r(r)", "(r) - r"))


def curve(
    points: Any, area: Any = None, function: Function = "L", *, box: Any = None, radii: Any = None,
    correction: Correction | None = None, marks: Any = None, pair: tuple[Any, Any] | None = None, ids: Any = None,
    bandwidth: float | None = None, divisor: Literal["r", "d"] = "r", bins: bool = False,
    simulations: int = 0, process: Process = "csr", seed: int = 1, device: Device = "auto", threads: int | None = None,
) -> SpatialCurve:  # fmt: skip
    """A function of distance of a point pattern, corrected for the border of its study area.

    Parameters
    ----------
    points : array of shape (n, 2)
        Points outside of the area are left out, with a warning. A list of such arrays, or an array (t, n, 2), holds frames
        over time: ``values`` are the mean over the frames that define them, with ``errors``.
    function : str
        "K", "L" and "L-r" (Ripley), "g" (pair correlation), "G" (distances to the nearest point), "F" (empty space), "J"; of
        categories "cross-K", "cross-g" and "mark-connection"; of numbers "mark-correlation".
    radii : array of shape (r,), optional
        Ascending, from 0 on. By default 513, by the rule of spatstat.
    correction : str, optional
        By default the best of the function in the area. A periodic box has "none" alone.
    marks : array of shape (n,), optional
        Categories, or numbers; NaN: none. For frames: one array for all of them, or one for each. ``pair``: the categories of
        cross functions, by default the first two in order.
    bandwidth, divisor, bins
        Of g: half the width of the Epanechnikov kernel, by default 0.15 / √intensity; "d" divides by the distance of each pair;
        ``bins`` counts the pairs between two radii instead, for values at their middles.
    simulations, process, seed
        Of envelopes: patterns of random points, or of a process that is fitted to the points, a new one for each frame. For
        functions of marks, the marks are shuffled, by one permutation of the ids in all frames. A seed has one result for any
        number of threads.
    ids : sequence of arrays of shape (n,), optional
        Whole numbers of the points, each once in a frame; points keep their marks. By default the rows, if all frames have as many.
    """
    many = getattr(points, "ndim", 0) == 3
    many |= isinstance(points, (list, tuple)) and len(points) > 0 and (np.ndim(points[0]) == 2 or not np.size(points[0]))
    frames = [as_points(frame) for frame in points] if many else [as_points(points)]
    if not frames:
        raise Error("there are no frames of points")
    within = study_area(area, np.concatenate(frames), box=box)
    if within.is_periodic:
        frames = [as_points(frame % np.array(within.bounds[2:])) for frame in frames]
    numbers: list[npt.NDArray[Any]] = []
    ends = (0.0, 1.0)
    if marks is not None and function in ("cross-K", "cross-g", "mark-connection", "mark-correlation"):
        numbers = _of_frames(marks, frames, "marks")
        if ids is None and simulations and len({len(frame) for frame in frames}) > 1:
            raise Error("the frames have different numbers of points: give ids, so that each keeps its mark in a simulation")
        if function == "mark-correlation" and any(values.dtype.kind not in "biuf" for values in numbers):
            raise Error("mark-correlation needs marks that are numbers")
        if function != "mark-correlation":
            joined = np.concatenate(numbers)
            has_mark = joined == joined  # not NaN
            kinds = np.unique(joined[has_mark])
            indices = np.where(has_mark, np.searchsorted(kinds, joined), np.nan)
            chosen: list[Any] = kinds[:2].tolist() if pair is None else list(pair)
            if len(chosen) != 2 or not np.isin(chosen, kinds).all():
                raise Error(f"{function} needs a pair of categories from {kinds.tolist()}, found {chosen}")
            ends = (float(np.searchsorted(kinds, chosen[0])), float(np.searchsorted(kinds, chosen[1])))
            numbers = np.split(indices, np.cumsum([len(frame) for frame in frames])[:-1])
    found = _core.spatial_curve(
        within, frames, function, np.array(() if radii is None else radii, np.float64).ravel(), correction or "",
        (0.0 if bandwidth is None else _length(bandwidth), _place_of(divisor, ("r", "d"), "divisor") == 1, bool(bins)),
        [np.ascontiguousarray(values, np.float64) for values in numbers],
        [] if ids is None else [as_ids(values, "ids") for values in _of_frames(ids, frames, "ids")], ends,
        (_count(simulations, "simulations", 0, 10**6), process, _count(seed, "seed", 0, 2**53)), *_where(device, threads),
    )  # fmt: skip
    given = sum(map(len, frames))
    if found["count"] < given:
        warn(f"{given - found['count']} of {given} points lie outside of the study area")
    for name in ("low", "high"):
        found.setdefault(name, np.full(len(found["radii"]), np.nan))
    return SpatialCurve(**found)


def ripley(points: Any, area: Any = None, function: Literal["K", "L"] = "K", **options: Any) -> SpatialCurve:
    """Ripley's K, the mean number of points within a distance over the intensity, or L = √(K / π): :func:`curve`."""
    return curve(points, area, function, **options)


def pair_correlation(points: Any, area: Any = None, **options: Any) -> SpatialCurve:
    """The pair correlation (radial distribution) function g, 1 for random points: :func:`curve`."""
    return curve(points, area, "g", **options)


class Directions(NamedTuple):
    pairs: Float64Array  #: (bins) the translation weights of the pairs by the direction of their line, from 0° to 180°
    nearest: Float64Array  #: (bins) points by the direction to their nearest neighbour, without those nearer to the border


def directions(
    points: Any, area: Any = None, between: tuple[float, float] = (0.0, 1.0), bins: int = 36, *, box: Any = None, **where: Any
) -> Directions:
    """The roses of pairs at distances ``between`` and of nearest neighbours, even for isotropic patterns (Stoyan 1994)."""
    least, most = (float(distance) for distance in between)
    return Directions(*_core.directions(*_pattern(points, area, box), least, most, _count(bins, "bins", 1, 3600), *_where(**where)))


class QuadratTest(NamedTuple):
    statistic: float  #: χ²
    p_value: float  #: two-sided
    freedom: int  #: quadrats with area, less 1


def quadrat_test(points: Any, area: Any = None, shape: tuple[int, int] = (5, 5), *, box: Any = None) -> QuadratTest:
    """Tests for random points by their counts in columns × rows quadrats, clipped to the area (Pearson 1900)."""
    return QuadratTest(*_core.quadrat_test(*_pattern(points, area, box), *(_count(n, "shape", 1, 10**4) for n in shape)))


class ClarkEvans(NamedTuple):
    ratio: float  #: without correction; exact in a periodic box
    donnelly: float  #: corrected for the border of a rectangle (Donnelly 1978); NaN elsewhere
    cdf: float  #: from the Kaplan–Meier estimate of G
    z: float  #: of ``ratio``
    p_value: float  #: two-sided


def clark_evans(points: Any, area: Any = None, *, box: Any = None, **where: Any) -> ClarkEvans:
    """The mean distance to the nearest point over that of random points: below 1 for clusters (Clark and Evans 1954)."""
    return ClarkEvans(*_core.clark_evans(*_pattern(points, area, box), *_where(**where)))


class MoransI(NamedTuple):
    i: float
    expected: float  #: over all permutations of the values (Cliff and Ord 1981)
    variance: float
    z: float
    p_value: float  #: two-sided
    edges: int


def morans_i(points: Any, values: Any, **where: Any) -> MoransI:
    """Moran's I of ``values`` (n,) on the Delaunay graph: above 0 where neighbours are alike. NaN: the point is left out."""
    host = as_points(points)
    numbers = np.ascontiguousarray(_of_points(values, len(host), "values"), np.float64)
    return MoransI(*_core.morans_i(host, numbers, *_where(**where)))


class Intensity(NamedTuple):
    values: Float64Array  #: (side, side) points per area at the middles of pixels over the bounds, rows upward; NaN outside
    bandwidth: float  #: the standard deviation of the kernel
    bounds: tuple[float, float, float, float]  #: (x0, y0, x1, y1)


def intensity(
    points: Any, area: Any = None, bandwidth: float | Literal["scott", "diggle", "likelihood"] = "scott", *, box: Any = None,
    correction: Literal["uniform", "diggle"] = "uniform", side: int = 128, **where: Any,
) -> Intensity:  # fmt: skip
    """The intensity of a pattern by a Gaussian kernel. ``bandwidth``: a length, Scott's rule, or a cross-validation (Berman and
    Diggle 1989, or of the likelihood); ``correction`` for the border: at the place, or at each point (Diggle 1985)."""
    is_rule, rules = isinstance(bandwidth, str), ("scott", "diggle", "likelihood")
    width, rule = (0.0, _place_of(bandwidth, rules, "bandwidth")) if is_rule else (_length(bandwidth), 0)
    at_points = _place_of(correction, ("uniform", "diggle"), "correction") == 1
    pixels = _count(side, "side", 2, 4096)
    within, host = _pattern(points, area, box)
    return Intensity(*_core.intensity(within, host, width, rule, at_points, pixels, *_where(**where)), within.bounds)


class StructureFactor(NamedTuple):
    k: Float64Array  #: wave numbers, radians per unit of length, ascending
    values: Float64Array  #: the mean over directions
    picture: Float64Array  #: (255, 255) over k_y and k_x, from -127 to 127 steps
    step: tuple[float, float]  #: of k_x and k_y in the picture


def structure_factor(points: Any, area: Any = None, *, box: Any = None, **where: Any) -> StructureFactor:
    """S(k), 1 for random points, at the waves that fit into the bounds of the area. In polygons the exact transform of the mean
    density is subtracted (Wuttke 2021)."""
    return StructureFactor(*_core.structure_factor(*_pattern(points, area, box), *_where(**where)))


def orientational_order(points: Any, k: int = 6, *, box: Any = None, **where: Any) -> npt.NDArray[np.complex128]:
    """(n,) ψ_k: the mean of exp(ikθ) over the directions θ to the Delaunay neighbours of each point (Halperin and Nelson
    1978). NaN for copies of points."""
    made = Delaunay(points, box=box, **where)
    corners = made.points[made.simplices] + made.shifts * np.array(made.box or (0, 0))
    starts, steps = made.simplices.ravel(), (np.roll(corners, -1, axis=1) - corners).reshape(-1, 2)
    if box is None:  # an edge of the hull has one triangle
        starts = np.append(starts, made.convex_hull[:, 1])
        steps = np.append(steps, np.subtract(*made.points[made.convex_hull.T]), axis=0)
    turns = np.exp(1j * whole_number(k, "k") * np.arctan2(steps[:, 1], steps[:, 0]))
    order = np.bincount(starts, turns.real, made.npoints) + 1j * np.bincount(starts, turns.imag, made.npoints)
    with np.errstate(invalid="ignore"):
        order /= np.bincount(starts, minlength=made.npoints)
    return order


class Statistics(NamedTuple):
    """Columns by the names of docs/outputs.md, as pandas.DataFrame() accepts them. NaN: not defined."""

    points: dict[str, Any]  #: row, degree, nearest, cell-area (NaN if cell-cut), psi6, …; a copy of a point has no row
    edges: dict[str, Any]  #: from, to (rows of points), edge-length, alpha, …
    triangles: dict[str, Any]  #: a, b, c, min-angle, triangle-area, circumradius, …


def statistics(points: Any, area: Any = None, *, box: Any = None, **where: Any) -> Statistics:
    """Measures the points, edges and triangles of the Delaunay triangulation within a study area."""
    host = as_points(points)
    if not len(host):
        raise Error("there are no points to measure")
    within = None if area is None and box is None else study_area(area, host, box=box)
    torus: dict[str, Any] = {"domain": "torus", "box": within.bounds[2:]} if within is not None and within.is_periodic else {}
    run = Run("build", host, **torus, **where)
    run.finish()
    tables = (run.table(name, None if torus else within) for name in ("points", "edges", "triangles"))
    return Statistics(*tables)
