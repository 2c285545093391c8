"""Plastic events: changes of neighbours while points move."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Iterable, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _core
from ._arrays import Device, Float64Array, as_array, as_numbers, as_points, checked_device, checked_threads, real_number, whole_number
from ._core import Error


@dataclass(frozen=True)
class PlasticEvent:
    """Contacts lost and created together between two consecutive frames."""

    frame: int  #: the later of the two frames: 1, 2, …
    kind: str  #: "T1", "boundary", "mixed", "unmatched" or "unclear"; "flicker" or "undecided" if its changes do not count
    place: tuple[float, float]  #: the mean of its links' ends in the later frame, in the units of the frames
    lost: list[tuple[int, int]]  #: pairs of ids, the lower first
    created: list[tuple[int, int]]
    sites: list[int]  #: ids of all ends


class Comparison(NamedTuple):
    """Statistics of one frame compared with the next."""

    past: int  #: points before
    now: int  #: points after
    matched: int
    vanished: int
    appeared: int
    active: int  #: points whose neighbours have changed
    lost: int  #: links
    created: int


class EventList(list[PlasticEvent]):
    """The result of :func:`events`: a list of events with statistics."""

    comparisons: list[Comparison]  #: [i]: frame i with frame i + 1
    ids: list[npt.NDArray[np.int64]]  #: [i]: the ids of frame i's points, then of those that ``memory`` holds


def _lattice_of(frames: list[Float64Array]) -> tuple[int, int, Float64Array, float]:
    """Width, height, origin and pixels per unit of a lattice around all frames, with about ten pixels between neighbours.
    Pixels per unit are a power of two, so that positions keep their digits."""
    filled = [frame for frame in frames if len(frame)]
    if not filled:
        return 2, 2, np.zeros(2), 1.0
    low = np.min([frame.min(axis=0) for frame in filled], axis=0)
    high = np.max([frame.max(axis=0) for frame in filled], axis=0)
    extent = high - low
    most = max(len(frame) for frame in filled)
    side = float(extent.max())
    if side == 0 or not math.isfinite(side):
        return 2, 2, low, 1.0
    spacing = math.sqrt(max(float(extent[0]), side / most) * max(float(extent[1]), side / most) / most)
    wanted = min(max(10 * side / spacing, 64.0), 8192.0) / side
    scale = 2.0 ** math.floor(math.log2(wanted))
    pixels = [int(e * scale) + 2 for e in extent.tolist()]
    return pixels[0], pixels[1], low, scale


def as_ids(ids: Any, what: str) -> npt.NDArray[np.int64]:
    """(n,) int64 from integers of any type."""
    given = as_array(ids, what).ravel()
    if given.dtype == object:
        given = as_numbers(given.reshape(-1, 1), what).ravel()
    if given.dtype.kind not in "biuf":
        raise Error(f"{what} of type {given.dtype}: they must be whole numbers")
    with np.errstate(invalid="ignore"):
        made = given.astype(np.int64)
    for i in np.flatnonzero(made != given):
        raise Error(f"{what}: number {i} is {given[i]}, not a whole number of 64 bits")
    return made


def _as_radii(radii: Any, what: str, scale: float) -> Float64Array:
    """(n,) float64 in lattice units."""
    given = as_array(radii, what)
    if given.ndim != 1 and given.shape[1:] != (1,):
        raise Error(f"{what} of shape {given.shape}: the shape must be (n,)")
    made = as_points(given.reshape(-1, 1), what, 1).ravel()
    low, high = 2.0**-200 / scale, 2.0**200 / scale
    for i in np.flatnonzero(~((made == 0) | ((low <= made) & (made <= high)))):
        raise Error(f"{what}: number {i} is {made[i]}; expected 0, or a number from {low:.3g} to {high:.3g}")
    return made * scale


def events(
    frames: Iterable[Any],
    ids: Iterable[Any] | None = None,
    *,
    links: Literal["delaunay", "lattice", "radical"] = "delaunay",
    radii: Iterable[Any] | None = None,
    size: tuple[int, int] | None = None,
    periodic: bool | Literal["x", "y"] = False,
    cap: float = 0.5,
    matching: Literal["nearest", "assignment"] = "nearest",
    memory: int = 0,
    persistence: int = 1,
    lost_beyond: float | None = None,
    created_within: float | None = None,
    device: Device = "auto",
    threads: int | None = None,
) -> EventList:
    """Finds topological rearrangements in a trajectory: which neighbours are lost and gained, and where.

    Parameters
    ----------
    frames : sequence of arrays of shape (n, 2), or one of shape (t, n, 2)
        Points over time; n may differ from frame to frame.
    ids : sequence of arrays of shape (n,), optional
        Integer ids of the points, unique within a frame. Without them, points of consecutive frames are matched if each is the
        nearest to the other, at most ``cap`` mean distances apart.
    links : "delaunay", "lattice" or "radical"
        The criterion for neighbours: an edge of the Delaunay triangulation; touching cells on a lattice of ``size`` pixels, as
        in the paper; or touching radical (power) cells of points with ``radii``.
    radii : sequence of arrays of shape (n,), optional
        In the units of the frames; for "radical" alone.
    size : (width, height), optional
        Positions are in pixels of a lattice of this size. By default the plane around all frames is used, and ``links`` must
        not be "lattice".
    periodic : bool, "x" or "y"
        The lattice is a torus, or a cylinder that is periodic along one axis. Needs ``size``.
    cap : float
        See ``ids``.
    matching : "nearest" or "assignment"
        Without ids: "assignment" pairs all points at once, with the least sum of squared distances (Crocker and Grier 1996).
    memory : int
        Of "assignment": a point that is not found is held, with its links, for up to this many comparisons.
    persistence : int
        A change of a contact counts if it lasts this many comparisons. A change undone earlier is a "flicker"; one too near to
        the first or last frame is "undecided".
    lost_beyond, created_within : float, optional
        Lost contacts count once their ends are farther apart, and created ones once they are nearer; in mean distances.

    Returns
    -------
    EventList
        Events in the order of frames; an interior T1 loses one contact and creates one. Without ``ids``, a point keeps its id
        while it is matched; ``EventList.ids`` lists them by frame.

    Notes
    -----
    M. Bernaschi, M. Lulli, M. Sbragaglia, GPU based detection of topological changes in Voronoi diagrams (2016).
    """
    given = [as_points(frame, f"frame {i}") for i, frame in enumerate(frames)]
    farthest = real_number(cap, "cap", 0, math.inf, "a number of mean distances from 0 on")
    if links not in ("delaunay", "lattice", "radical"):
        raise Error(f'links={links!r} is not known; there are "delaunay", "lattice" and "radical"')
    if matching not in ("nearest", "assignment"):
        raise Error(f'matching={matching!r} is not known; there are "nearest" and "assignment"')
    counts = [max(-(2**31), min(whole_number(n, name), 2**31 - 1)) for n, name in ((memory, "memory"), (persistence, "persistence"))]
    beyond, within = (
        math.nan if length is None else real_number(length, name, 0, math.inf, "a number of mean distances from 0 on, or None")
        for length, name in ((lost_beyond, "lost_beyond"), (created_within, "created_within"))
    )
    if periodic not in (True, False, "x", "y"):
        raise Error(f'periodic={periodic!r} is not known; there are True, False, "x" and "y"')
    axes = (periodic is not False and periodic != "y", periodic is not False and periodic != "x")
    if size is None and (any(axes) or links == "lattice"):
        raise Error("a periodic box and links by a lattice need its size in pixels: size=(width, height)")
    if size is None:
        for i, frame in enumerate(given):
            if not np.isfinite(frame).all():
                raise Error(f"frame {i} has a coordinate that is not finite")
        width, height, origin, scale = _lattice_of(given)
        given = [as_points((frame - origin) * scale) for frame in given]
    else:
        width, height = whole_number(size[0], "size"), whole_number(size[1], "size")
        origin, scale = np.zeros(2), 1.0
        if not (0 < width < 2**32 and 0 < height < 2**32):
            raise Error(f"size={size}: width and height in pixels, from 1 to {2**32 - 1}")
    names = [as_ids(of_frame, f"ids of frame {i}") for i, of_frame in enumerate(() if ids is None else ids)]
    sizes = [_as_radii(r, f"radii of frame {i}", scale) for i, r in enumerate(() if radii is None else radii)]
    for what, values, count in (("ids", ids, len(names)), ("radii", radii, len(sizes))):
        if values is not None and count != len(given):
            raise Error(f"{what} for {count} frames, but there are {len(given)} frames")
    found = _core.detect_events(
        width, height, axes, given, names, sizes, links, farthest,
        (matching == "assignment", counts[0], counts[1], beyond, within), checked_device(device), checked_threads(threads),
    )
    made = EventList()
    for frame, kind, place, lost, created, sites in found["events"]:
        where = (place[0] / scale + float(origin[0]), place[1] / scale + float(origin[1]))
        made.append(PlasticEvent(frame, kind, where, lost, created, sites))
    made.comparisons = [Comparison(*counts) for counts in found["comparisons"]]
    made.ids = found["ids"]
    return made
