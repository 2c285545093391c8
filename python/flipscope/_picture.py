"""HTML for notebooks: a line of facts and a small picture, in the colours of the text around it, light or dark."""

from __future__ import annotations

from html import escape
from typing import Any, Callable, Iterable

import numpy as np
import numpy.typing as npt

from ._arrays import Float64Array
from ._core import Error

_MOST_TRIANGLES = 6000  # more are shown by the density of their points
_SIDE = 360  # pixels of the longer side
_MARGIN = 6
_ACCENT = "rgb(51, 146, 204)"  # legible on white and on black
_SHADES = 8  # of densities


def delaunay_html(made: Any) -> str:
    """Of a ``Delaunay``: its triangles, or the density of its points within the hull."""
    facts = [*_facts("Delaunay", made), made.device]
    return _mesh_html(facts, made, lambda _: made._corners() if made.nsimplex else [made.points[made.path]])


def voronoi_html(made: Any) -> str:
    """Of a ``Voronoi``: its cells within the points' bounding box and a margin, or the density of its points."""
    facts = [*_facts("Voronoi", made.delaunay), f"{len(made.vertices):,} vertices", f"{len(made.ridge_points):,} ridges"]
    return _mesh_html(facts, made.delaunay, lambda frame: made.cells(frame.box()).rings() if made.npoints else [])


def _mesh_html(facts: list[str], made: Any, lines: Callable[[_Frame], Iterable[Float64Array]]) -> str:
    def draw() -> str:
        points = made._host_points()
        if max(made.nsimplex, len(made.path)) > _MOST_TRIANGLES:
            return _density_svg(facts, points, made._made.hull())
        frame = _Frame(points)
        return _svg(frame, lines(frame), points[_originals(made)])

    return _html(facts, draw)


def run_html(run: Any) -> str:
    """Of a ``Run``: the triangles, or else the points, of its present state."""
    facts = [run._title, "done" if run.done else "unfinished", f"hash {run.hash:016x}", run.device]

    def draw() -> str:
        table, triangles = run.table("points"), run.triangles
        places = np.stack([table["x"], table["y"]], axis=1)
        known = np.isfinite(places).all(axis=1)  # copies have no place
        rows, places = table["row"][known], places[known]
        facts[1:1] = [_count(len(places), "point"), _count(len(triangles), "triangle")]
        if max(len(triangles), len(places)) > _MOST_TRIANGLES:
            return _density_svg(facts, places, [])
        points = np.zeros((int(rows.max(initial=-1)) + 1, 2))
        points[rows] = places
        return _svg(_Frame(places), points[triangles], places)

    return _html(facts, draw)


def _html(facts: list[str], draw: Callable[[], str]) -> str:
    """The facts, and the SVG that ``draw`` makes, or the sentence of its Error. ``draw`` may add facts."""
    try:
        shown = draw()
    except Error as problem:
        shown = f"No picture: {escape(str(problem))}."
    return f'<div><div style="margin:0 0 4px">{escape(" · ".join(facts))}</div>{shown}</div>'


def _originals(made: Any) -> npt.NDArray[np.bool_]:
    """(n,) whether a point is no copy of an earlier one."""
    return np.asarray(made.duplicate_of == np.arange(made.npoints))


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


def _svg(frame: _Frame, lines: Iterable[Float64Array], dots: Float64Array, ground: str = "") -> str:
    """Closed ``lines`` in the text's colour, ``dots`` in the accent, over the elements of ``ground``."""
    width, height = frame.size + 2 * _MARGIN
    gap = np.sqrt(max(width * height, 1) / max(len(dots), 1))
    thick, dot = min(max(gap / 22, 0.4), 1.2), min(max(gap / 6, 1.0), 5.0)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'fill="none" stroke-linejoin="round" stroke-linecap="round" role="img" style="max-width:100%">{ground}'
        f'<path d="{frame.path(lines, "Z")}" stroke="currentColor" stroke-width="{thick:.2f}" opacity="0.7"/>'
        f'<path d="{frame.path(dots[:, None], "h0")}" stroke="{_ACCENT}" stroke-width="{dot:.1f}"/></svg>'
    )


def _density_svg(facts: list[str], points: Float64Array, hull: Any) -> str:
    """Points per square as opacity, within the hull: about eight on average, in squares of at least 5 pixels."""
    frame = _Frame(points)
    side = max(5, int(np.sqrt(8 * frame.size.prod() / len(points))))
    squares = frame.size // side + 1
    frame.size = side * squares
    column, row = ((points - frame.low) / (side * frame.unit)).astype(np.int64).T
    counts = np.bincount(row * squares[0] + column)
    shades = np.ceil(_SHADES * np.sqrt(counts / counts.max()))
    ground = ""
    for shade in range(1, _SHADES + 1):
        row, column = np.divmod(np.flatnonzero(shades == shade), squares[0])
        corners = zip(_MARGIN + side * column, _MARGIN + side * (squares[1] - 1 - row))
        path = "".join(f"M{x} {y}h{side}v{side}h-{side}z" for x, y in corners)
        ground += f'<path d="{path}" fill="{_ACCENT}" opacity="{shade / _SHADES}"/>'
    facts.append(f"drawn: points per square of {side} × {side} pixels, up to {counts.max():,}")
    return _svg(frame, [points[hull]] if len(hull) else [], points[:0], ground)
