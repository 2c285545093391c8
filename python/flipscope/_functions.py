"""Makes existing triangulations Delaunay, and judges them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._arrays import Device, Int32Array, as_array, as_points, as_triangles, checked_device, checked_threads, real_number


class FlipResult(NamedTuple):
    """The result of :func:`flip`."""

    simplices: Int32Array  #: (t, 3) as many as given; in the plane counter-clockwise
    neighbors: Int32Array  #: (t, 3) the triangle opposite to each corner; -1 beyond the outline
    flips: int
    iterations: int  #: parallel passes over the edges that may flip, the last of which found none
    creases: int  #: of a surface: illegal edges that stay since they are sharper than ``dihedral``
    blocked: int  #: of a surface: illegal edges that stay since flipping them would spoil it
    settled: bool  #: False: rounding made the flips of a surface repeat themselves, and they were stopped


def flip(
    points: Any,
    triangles: Any,
    *,
    epsilon: float = 1e-9,
    dihedral: float = 0.5,
    device: Device = "auto",
    threads: int | None = None,
) -> FlipResult:
    """Makes a triangulation Delaunay by parallel edge flips.

    Parameters
    ----------
    points : array of shape (n, 2) or (n, 3)
        In the plane, with exact tests; or a surface in space, where an edge flips if its opposite angles add up to more than
        π + ``epsilon``.
    triangles : array of shape (t, 3)
        Indices of points, all counter-clockwise or all clockwise. In the plane the outline may have bays and holes; it stays.
    epsilon, dihedral : float
        Radians from 0 to π, only for surfaces: see above; and the angle from which on a crease is kept.

    Raises
    ------
    flipscope.Error
        If an angle is out of range, or if the triangles are not a triangulation; the message names up to five that overlap,
        cross, are flat or inverted.

    Notes
    -----
    C. Navarro, N. Hitschfeld, E. Scheihing, A parallel GPU-based algorithm for Delaunay edge-flips (2011).
    """
    given = as_array(points, "points")
    host = as_points(points, columns=3 if given.ndim == 2 and given.shape[1] == 3 else 2)
    corners = as_triangles(triangles, len(host))
    slack, limit = (
        real_number(angle, name, 0, math.pi, "an angle in radians from 0 to π")
        for angle, name in ((epsilon, "epsilon"), (dihedral, "dihedral"))
    )
    return FlipResult(*_core.make_delaunay(host, corners, checked_device(device), checked_threads(threads), slack, limit))


@dataclass(frozen=True)
class Failure:
    """One defect of a triangulation."""

    code: str  #: "illegal-edge", "missing-area", …: see :func:`check`
    sentence: str  #: the defect, with numbers
    spoils: bool  #: False: worth knowing, but the triangulation is correct (duplicate-point)
    elements: list[tuple[str, int]]  #: what is at fault: ("point", index), ("triangle", index) or ("edge", number)
    vertices: list[int]  #: indices of the points concerned
    places: list[tuple[float, float]]  #: where, world units
    value: float  #: what was measured, as a hole's area; NaN: nothing


class Judgement(list[Failure]):
    """The result of :func:`check`: a list of failures, with the verdict."""

    passed: bool  #: a triangulation, of all points, of the whole hull, and Delaunay
    triangulation: bool  #: any two triangles share nothing, a vertex or a whole edge
    complete: bool  #: every place of the points is a vertex, and the convex hull is covered
    delaunay: bool  #: no point lies strictly inside of the circle of any triangle
    sentence: str  #: the verdict
    failure_count: int  #: with those that are too many to be listed
    missed: list[tuple[int, int]]  #: edges of the exact triangulation alone
    spurious: list[tuple[int, int]]  #: edges of the given one alone
    ties: list[tuple[int, int]]  #: those of either list that are legal both ways, since points are cocircular

    def __bool__(self) -> bool:
        """Whether the triangulation passed; ``len()`` is the number of listed failures."""
        return self.passed

    def __repr__(self) -> str:
        return f"<flipscope.Judgement: {'passed' if self.passed else 'failed'}: {self.sentence}>"


def check(points: Any, triangles: Any, *, threads: int | None = None) -> Judgement:
    """Judges a triangulation made by any program, exactly.

    Parameters
    ----------
    points : array of shape (n, 2)
    triangles : array of shape (t, 3)
        Indices of points. They may overlap, leave holes, or be anything; all may be clockwise.

    Returns
    -------
    Judgement
        The failures, by code: ``inverted-triangle``, ``flat-triangle``, ``duplicate-triangle``, ``shared-place``, overlaps and
        crossings; ``unused-point``, ``missing-area``, ``missing-hull-edge``; ``illegal-edge``, ``circle-not-empty``; and
        ``duplicate-point``, which is not a failure. ``flipscope list defects`` explains each. Ties between cocircular points
        are not failures. For a correct triangulation the list is empty and ``passed`` is True.
    """
    host = as_points(points)
    corners = as_triangles(triangles, len(host))
    found = _core.judge(host, corners, checked_threads(threads))
    made = Judgement(Failure(*failure) for failure in found.pop("failures"))
    made.__dict__.update(found)
    return made
