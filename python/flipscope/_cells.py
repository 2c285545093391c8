"""Voronoi cells within a window: a box, or polygons with holes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ._arrays import Float64Array, Int32Array, as_box, as_points
from ._core import Error, StudyArea

Polygon = list[Float64Array]  #: rings (k, 2), open: the outline, counter-clockwise, then the holes, clockwise


def _rings_of(geometry: Any) -> Iterator[Float64Array]:
    """The rings of a GeoJSON object; of collections all of them."""
    kind = geometry.get("type") if isinstance(geometry, Mapping) else None
    if kind in ("Polygon", "MultiPolygon"):
        polygons = geometry["coordinates"] if kind == "MultiPolygon" else [geometry["coordinates"]]
        yield from (as_points(np.asarray(ring)[:, :2], "a ring of the window") for polygon in polygons for ring in polygon)
    elif kind == "Feature":
        yield from _rings_of(geometry["geometry"])
    elif kind in ("FeatureCollection", "GeometryCollection"):
        for part in geometry["features" if kind == "FeatureCollection" else "geometries"]:
            yield from _rings_of(part)
    else:
        raise Error(f"the window has a geometry of type {kind}; it must be made of polygons")


def as_area(window: Any, points: Float64Array) -> StudyArea:
    """A box, or polygons by the even-odd rule. None: the points' bounding box."""
    if isinstance(window, StudyArea):
        return window
    geometry = getattr(window, "__geo_interface__", window)
    if isinstance(geometry, str):
        raise Error(f"the area is a text, {geometry[:40]!r}; give a box, rings, GeoJSON (json.load) or a shapely polygon")
    if isinstance(geometry, Mapping):
        rings = list(_rings_of(geometry))
    elif window is None or np.size(np.asarray(window, dtype=object)) == 4 and np.ndim(window) == 1 and np.ndim(window[0]) == 0:
        return StudyArea(as_box(window, points), [], False)
    else:
        rings = [as_points(ring, "a ring of the window") for ring in ([window] if np.ndim(window[0]) == 1 else window)]
    if not rings:
        raise Error("the window has no polygon")
    return StudyArea((0.0, 0.0, 0.0, 0.0), rings, False)


class Cells(Sequence[list[Polygon]]):
    """The cells of a :class:`Voronoi` diagram within a window, in the order of the points. Cell i is a list of polygons, its
    parts; a polygon is a list of rings. The arrays below hold the same; units are those of the points."""

    part_starts: Int32Array  #: (n + 1) the parts of cell i are part_starts[i] to part_starts[i + 1] - 1; none: outside
    ring_starts: Int32Array  #: (parts + 1) the same of the rings of each part, the outline first
    corner_starts: Int32Array  #: (rings + 1) the same of the rows of ``corners``
    corners: Float64Array  #: (c, 2)
    is_cut: npt.NDArray[np.bool_]  #: (n) whether the border of the window cuts the cell
    areas: Float64Array  #: (n) they add up to the area of the window; 0 outside of it and for copies
    centroids: Float64Array  #: (n, 2) of all parts; the point itself for cells outside

    def __init__(self, made: Mapping[str, Any]) -> None:
        self.__dict__.update(made)
        self.is_cut = self.is_cut.astype(bool)

    def __len__(self) -> int:
        return len(self.part_starts) - 1

    def __getitem__(self, i: Any) -> Any:
        if isinstance(i, slice):
            return [self[k] for k in range(*i.indices(len(self)))]
        i = range(len(self))[i]
        return [
            [self._ring(r) for r in range(self.ring_starts[part], self.ring_starts[part + 1])]
            for part in range(self.part_starts[i], self.part_starts[i + 1])
        ]

    def _ring(self, r: int) -> Float64Array:
        return self.corners[self.corner_starts[r] : self.corner_starts[r + 1]]

    def rings(self) -> list[Float64Array]:
        """All rings, as matplotlib's PolyCollection and LineCollection draw them."""
        return np.split(self.corners, self.corner_starts[1:-1]) if len(self.corner_starts) > 1 else []

    def geojson(self) -> dict[str, Any]:
        """A FeatureCollection with a feature for each cell: its geometry, null outside of the window, and as properties
        ``point``, its index, ``area``, and ``is_cut``."""
        features = [
            {
                "type": "Feature",
                "geometry": _geometry(cell),
                "properties": {"point": i, "area": float(self.areas[i]), "is_cut": bool(self.is_cut[i])},
            }
            for i, cell in enumerate(self)
        ]
        return {"type": "FeatureCollection", "features": features}

    def shapely(self) -> list[Any]:
        """A Polygon or MultiPolygon of shapely for each cell; empty ones outside of the window."""
        import shapely

        return [shapely.geometry.shape(_geometry(cell)) if cell else shapely.Polygon() for cell in self]


def _geometry(cell: list[Polygon]) -> dict[str, Any] | None:
    parts = [[[*ring.tolist(), ring[0].tolist()] for ring in polygon] for polygon in cell]
    if not parts:
        return None
    if len(parts) == 1:
        return {"type": "Polygon", "coordinates": parts[0]}
    return {"type": "MultiPolygon", "coordinates": parts}
