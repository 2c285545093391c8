"""Barycentric coordinates to the last digit or two in triangles of any shape: in double-double arithmetic, and in fractions
where that is not enough."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from ._arrays import Float64Array

Pair = tuple[Any, Any]  # a number as the unevaluated sum of two doubles, the larger first


def _sum(a: Any, b: Any) -> Pair:
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


def _product(a: Any, b: Any) -> Pair:
    # T. J. Dekker, A floating-point technique for extending the available precision (1971).
    a_high, b_high = (134217729.0 * v - (134217729.0 * v - v) for v in (a, b))
    a_low, b_low = a - a_high, b - b_high
    made = a * b
    return made, ((a_high * b_high - made) + a_high * b_low + a_low * b_high) + a_low * b_low


def _times(a: Pair, b: Pair) -> Pair:
    high, low = _product(a[0], b[0])
    return _sum(high, low + a[0] * b[1] + a[1] * b[0])


def _minus(a: Pair, b: Pair) -> Pair:
    high, low = _sum(a[0], -b[0])
    return _sum(high, low + a[1] - b[1])


def _turn(p: Float64Array, q: Float64Array, r: Float64Array) -> tuple[Pair, Float64Array]:
    """Twice the signed area of each triangle, and the size of the two products whose difference it is."""
    a, b = (_sum(q[:, k], -p[:, k]) for k in (0, 1))
    c, d = (_sum(r[:, k], -p[:, k]) for k in (0, 1))
    left, right = _times(a, d), _times(b, c)
    return _minus(left, right), np.abs(left[0]) + np.abs(right[0])


def _exactly(corners: Float64Array, place: Float64Array) -> list[float]:
    (ax, ay), (bx, by), (cx, cy) = [[Fraction(v) for v in corner] for corner in corners.tolist()]
    x, y = (Fraction(v) for v in place.tolist())

    def turn(px: Fraction, py: Fraction, qx: Fraction, qy: Fraction, rx: Fraction, ry: Fraction) -> Fraction:
        return (qx - px) * (ry - py) - (qy - py) * (rx - px)

    area = turn(ax, ay, bx, by, cx, cy)
    return [
        float(turn(x, y, bx, by, cx, cy) / area),
        float(turn(ax, ay, x, y, cx, cy) / area),
        float(turn(ax, ay, bx, by, x, y) / area),
    ]


def weights_in(corners: Float64Array, places: Float64Array) -> Float64Array:
    """(n, 3) the weights for which each place (n, 2) is the weighted mean of the corners (n, 3, 2)."""
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    made = np.empty((len(places), 3))
    with np.errstate(all="ignore"):
        area, size = _turn(a, b, c)
        sure = size * 2.0**-96 <= np.abs(area[0]) * 2.0**-53
        for k, (p, q, r) in enumerate(((places, b, c), (a, places, c), (a, b, places))):
            part, size = _turn(p, q, r)
            sure &= size * 2.0**-96 <= np.abs(area[0]) * 2.0**-53
            first = part[0] / area[0]
            rest = _minus(part, _times(area, (first, 0.0 * first)))
            made[:, k] = first + rest[0] / area[0]
        sure &= np.isfinite(made).all(axis=1) & (np.abs(corners).max(axis=(1, 2), initial=0) < 2.0**190)
        sizes = np.where(corners == 0, 1, np.abs(corners))
        sure &= sizes.min(axis=(1, 2), initial=1) > 2.0**-100  # products may lose digits below 2**-1074
    for i in np.flatnonzero(~sure):
        made[i] = _exactly(corners[i], places[i])
    return made
