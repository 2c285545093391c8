"""HTML for notebooks: a line of facts and a small picture, in the colours of the text around it, light or dark."""

from __future__ import annotations

import base64
import struct
import zlib
from html import escape
from typing import Any, Iterable

import numpy as np
import numpy.typing as npt

from ._arrays import Float64Array
from ._core import Error

_MOST_TRIANGLES = 2000  # more are shown by the density of their points
_SIDE = 360  # pixels of the longer side
_MARGIN = 6
_ACCENT = (51, 146, 204)  # legible on white and on black


def delaunay_html(made: Any) -> str:
    """Of a ``Delaunay``: its triangles, or the density of its points within the hull."""
    facts = [*_facts("Delaunay", made), made.device]
    try:
        points, triangles = made._host_points(), made._made.triangles()
    except Error as problem:
        return _html(facts, str(problem))
    path, hull = made._made.path(), made._made.hull()
    if len(triangles) > _MOST_TRIANGLES or len(path) > _MOST_TRIANGLES:
        return _density_html(facts, points, hull)
    lines = [points[path]] if len(triangles) == 0 else points[triangles] + made.shifts * np.array(made.box or (0, 0))
    return _html(facts, _svg(_Frame(points), lines, points[_originals(made)]))


def voronoi_html(made: Any) -> str:
    """Of a ``Voronoi``: its cells within the points' bounding box and a margin, or the density of its points."""
    delaunay = made.delaunay
    facts = [*_facts("Voronoi", delaunay), f"{len(made.vertices):,} vertices", f"{len(made.ridge_points):,} ridges"]
    try:
        points = delaunay._host_points()
        if delaunay.nsimplex > _MOST_TRIANGLES or len(delaunay.path) > _MOST_TRIANGLES:
            return _density_html(facts, points, delaunay.hull)
        frame = _Frame(points)
        cells = made.cells(frame.box()).rings() if len(points) else []
    except Error as problem:
        return _html(facts, str(problem))
    return _html(facts, _svg(frame, cells, points[_originals(delaunay)]))


def _originals(made: Any) -> npt.NDArray[np.bool_]:
    """(n,) whether a point is no copy of an earlier one."""
    return np.asarray(made.duplicate_of == np.arange(made.npoints)) if made.box is None else np.ones(made.npoints, bool)


def _facts(kind: str, made: Any) -> list[str]:
    copies = made.npoints - int(_originals(made).sum())
    return [
        kind,
        _count(made.npoints, "point"),
        _count(made.nsimplex, "triangle"),
        f"{len(made.hull):,} on the hull" if made.box is None else f"in a periodic box of {made.box[0]:g} × {made.box[1]:g}",
        *([_count(copies, "duplicate")] if copies else []),
        f"hash {made.hash:016x}",
    ]


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


class _Frame:
    """The points' bounding box on the picture, y up."""

    def __init__(self, points: Float64Array) -> None:
        self.low: Float64Array = points.min(axis=0) if len(points) else np.zeros(2)
        high: Float64Array = points.max(axis=0) if len(points) else self.low
        side = float((high - self.low).max())
        # World units of a pixel.
        self.unit = (side if side > 0 else max(float(np.abs(self.low).max()), 1.0)) / _SIDE
        self.size = np.ceil((high - self.low) / self.unit).astype(int)  # pixels, without margins

    def box(self) -> tuple[float, ...]:
        """The world's part that the picture shows, with margins: x0, y0, x1, y1."""
        return (*(self.low - _MARGIN * self.unit), *(self.low + (self.size + _MARGIN) * self.unit))

    def pixels(self, places: Float64Array) -> Float64Array:
        at: Float64Array = (places - self.low) / self.unit
        return np.stack([_MARGIN + at[:, 0], _MARGIN + self.size[1] - at[:, 1]], axis=1)

    def path(self, lines: Iterable[Float64Array], ends: str) -> str:
        return "".join(f"M{'L'.join(f'{x:.1f} {y:.1f}' for x, y in self.pixels(line))}{ends}" for line in lines)


def _svg(frame: _Frame, lines: Iterable[Float64Array], dots: Float64Array, image: str = "") -> str:
    """Closed ``lines`` in the text's colour, ``dots`` in the accent."""
    width, height = frame.size + 2 * _MARGIN
    gap = np.sqrt(max(width * height, 1) / max(len(dots), 1))
    thick, dot = min(max(gap / 22, 0.4), 1.2), min(max(gap / 6, 1.0), 5.0)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'fill="none" stroke-linejoin="round" stroke-linecap="round" role="img" style="max-width:100%">{image}'
        f'<path d="{frame.path(lines, "Z")}" stroke="currentColor" stroke-width="{thick:.2f}" opacity="0.7"/>'
        f'<path d="{frame.path(dots[:, None], "h0")}" stroke="rgb{_ACCENT}" stroke-width="{dot:.1f}"/></svg>'
    )


def _density_html(facts: list[str], points: Float64Array, hull: npt.NDArray[np.int32]) -> str:
    """Points per pixel as opacity, within the hull."""
    frame = _Frame(points)
    width, height = frame.size + 1
    column, row = np.minimum((points - frame.low) / frame.unit, frame.size).astype(np.int64).T
    counts = np.bincount((height - 1 - row) * width + column, minlength=width * height).reshape(height, width)
    most = int(counts.max())
    opacity = np.where(counts > 0, 40 + 215 * np.sqrt(counts / most), 0).astype(np.uint8)
    image = (
        f'<image x="{_MARGIN}" y="{_MARGIN - 1}" width="{width}" height="{height}" href="data:image/png;base64,'
        f'{base64.b64encode(_png(opacity)).decode()}"/>'
    )
    svg = _svg(frame, [points[hull]] if len(hull) else [], points[:0], image)
    return _html([*facts, f"drawn: points per pixel, up to {most:,}"], svg)


def _png(opacity: npt.NDArray[np.uint8]) -> bytes:
    """A PNG of the accent colour, from (height, width) opacities."""
    height, width = opacity.shape
    rows = np.zeros((height, 4 * width + 1), np.uint8)  # each begins with its filter, 0
    pixels = rows[:, 1:].reshape(height, width, 4)
    pixels[..., :3], pixels[..., 3] = _ACCENT, opacity

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    data = zlib.compress(rows.tobytes())
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def _html(facts: list[str], picture: str) -> str:
    """``picture``: SVG, or a sentence that says why it is missing."""
    shown = picture if picture.startswith("<svg") else f"No picture: {escape(picture)}."
    return f'<div><div style="margin:0 0 4px">{escape(" · ".join(facts))}</div>{shown}</div>'


def run_html(run: Any) -> str:
    """Of a ``Run``: the triangles, or else the points, of its present state."""
    facts = [run._title, "done" if run.done else "unfinished", f"hash {run.hash:016x}", run.device]
    try:
        table, triangles = run.table("points"), run.triangles
    except Error as problem:
        return _html(facts, str(problem))
    places = np.stack([table["x"], table["y"]], axis=1)
    known = np.isfinite(places).all(axis=1)  # copies have no place
    rows, places = table["row"][known], places[known]
    facts[1:1] = [_count(len(places), "point"), _count(len(triangles), "triangle")]
    if max(len(triangles), len(places)) > _MOST_TRIANGLES:
        return _density_html(facts, places, np.empty(0, np.int32))
    points = np.zeros((int(rows.max(initial=-1)) + 1, 2))
    points[rows] = places
    return _html(facts, _svg(_Frame(places), points[triangles], places))
