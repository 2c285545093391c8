"""Runs of the labs: any of them step by step, with its arrays, tables and reports."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from . import _core
from ._arrays import Device, Float64Array, as_array, as_points, as_triangles, checked_device, checked_threads
from ._cells import as_area
from ._core import Error
from ._events import as_ids
from ._picture import run_html


def labs() -> dict[str, str]:
    """The ids of all labs, each with a sentence about it."""
    return _core.labs()


def _text(value: Any) -> str:
    if isinstance(value, (bool, np.bool_)):
        return "on" if value else "off"
    if isinstance(value, (tuple, list, np.ndarray)):
        return "x".join(_text(part) for part in value)
    return repr(float(value)) if isinstance(value, (float, np.floating)) else str(value)


class Run(_core.LabRun):
    """A run of a lab on an input: a machine of named passes. The state after every pass is the same on every device and for any
    number of threads.

    Parameters
    ----------
    lab : str
        Its id, as in :func:`labs`.
    points : array of shape (n, 2) or (n, 3), or str
        The input, or a generator such as ``"uniform:1000@seed=2"`` (``flipscope list generators``). None: the lab starts
        from its own example, or makes its own; an empty array is an error.
    triangles : array of shape (t, 3), optional
        Over the points: for the labs ``flip``, ``race`` and ``judge``.
    frames, ids : sequences of arrays (n, 2) and (n), optional
        Points over time and their names, for the lab ``events``; without names the rows of all frames are the same points.
    device, threads
        As for :class:`Delaunay`.
    **parameters
        Those of the lab (``flipscope list parameters``): numbers, texts, True and False, (width, height).

    Raises
    ------
    flipscope.Error
        For an unknown lab, parameter or value, with those that are known; for an input that the lab does not accept.
    """

    def __init__(
        self,
        lab: str,
        points: Any = None,
        *,
        triangles: Any = None,
        frames: Sequence[Any] = (),
        ids: Sequence[Any] | None = None,
        device: Device = "auto",
        threads: int | None = None,
        **parameters: Any,
    ) -> None:
        generator = points if isinstance(points, str) else ""
        given = np.empty((0, 2)) if points is None or generator else as_array(points, "points")
        host = as_points(given, columns=3 if given.ndim == 2 and given.shape[1] == 3 else 2)
        if points is not None and not generator and len(host) == 0:
            raise Error('there are no points; give some, or a generator such as "uniform:1000", or None to start from the example')
        corners = as_triangles(np.empty((0, 3), np.uint32) if triangles is None else triangles, len(host))
        places = [as_points(frame, f"frame {f}") for f, frame in enumerate(frames)]
        names = [np.arange(len(frame)) for frame in places] if ids is None else ids
        columns = [as_ids(name, f"ids of frame {f}") for f, name in enumerate(names)]
        if [column.shape for column in columns] != [frame.shape[:1] for frame in places]:
            raise Error("ids: there must be as many as points in each frame")
        for f, order in enumerate(map(np.argsort, columns)):
            places[f], columns[f] = places[f][order], columns[f][order]
        values = [(name, _text(value)) for name, value in parameters.items()]
        self.lab = lab
        super().__init__(
            lab, generator, host, corners, places, columns, values, checked_device(device), checked_threads(threads)
        )

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Makes the passes up to the end, one for each item."""
        while (made := self.step()) is not None:
            yield made

    def events(self, first: int = 0) -> dict[str, Any]:
        """What the lab has detected so far, from index ``first`` on: ``time`` and ``round`` (e), ``place`` (e, 2), and lists
        ``kind``, ``lost`` and ``created`` (pairs of sites), ``sites``. Empty for labs that detect nothing."""
        names = ("time", "round", "place", "kind", "lost", "created", "sites")
        found = self._events(first)
        made: dict[str, Any] = {name: [event[k] for event in found] for k, name in enumerate(names)}
        made["time"], made["round"] = np.array(made["time"], np.float64), np.array(made["round"], np.int64)
        made["place"] = np.array(made["place"], np.float64).reshape(-1, 2)
        return made

    def table(self, name: str, area: Any = None) -> dict[str, Any]:
        """A table of the state: a column for each name, as an array, or as a list where its values are texts or lists. For
        pandas: ``DataFrame(run.table("edges"))``. Measures are of a box ``area`` (x0, y0, x1, y1), or of all points."""
        return super().table(name, None if area is None else as_area(area, np.empty((0, 2))))

    def __repr__(self) -> str:
        return f"<flipscope.Run: {self._title}, {'done' if self.done else 'unfinished'}, on {self.device}>"

    def _repr_html_(self) -> str:
        return run_html(self)


class Particles(Run):
    """A run of the Particles lab: Brownian and active particles in a periodic box or a channel. After F. Carter, N. Hitschfeld,
    C. Navarro and R. Soto, GPU parallel simulation algorithm of Brownian particles with excluded volume using Delaunay
    triangulations (2018).

    Parameters
    ----------
    points : array of shape (n, 2), or str, optional
        Initial places; without them the lab makes ``count`` particles.
    **parameters
        Of :class:`Run` and of the lab, such as ``count``, ``density``, ``dt`` and ``steps``.
    """

    def __init__(self, points: Any = None, **parameters: Any) -> None:
        super().__init__("particles", points, **parameters)

    @property
    def positions(self) -> Float64Array:
        """(n, 2) the places of the particles; world units."""
        places: Float64Array = self.array("positions")
        return places
