"""Runs of the labs: any of them step by step, with its arrays, tables and reports."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _core
from ._arrays import Device, Float64Array, Int32Array, as_array, as_points, as_triangles, checked_device, checked_threads, whole_number
from ._cells import as_area
from ._core import Error
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


class Run:
    """A run of a lab on an input: a machine of named passes. The state after every pass is the same on every device and for any
    number of threads.

    Parameters
    ----------
    lab : str
        Its id, as in :func:`labs`.
    points : array of shape (n, 2) or (n, 3), or str
        The input, or a generator such as ``"uniform:1000@seed=2"`` (``flipscope list generators``). Without points the lab
        starts from its own example, or makes its own.
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
        corners = as_triangles(np.empty((0, 3), np.uint32) if triangles is None else triangles, len(host))
        places = [as_points(frame, f"frame {f}") for f, frame in enumerate(frames)]
        names = [np.arange(len(frame)) for frame in places] if ids is None else list(ids)
        columns = [np.ascontiguousarray(name, dtype=np.int64) for name in names]
        if [column.shape for column in columns] != [frame.shape[:1] for frame in places]:
            raise Error("ids: there must be as many as points in each frame")
        values = [(name, _text(value)) for name, value in parameters.items()]
        self.lab = lab
        self._run = _core.run(
            lab, generator, host, corners, places, columns, values, checked_device(device), checked_threads(threads)
        )

    def step(self, count: int = 1) -> dict[str, Any] | None:
        """Makes ``count`` passes, or fewer up to the end.

        Returns
        -------
        dict or None
            The last pass: ``pass``, its name; ``round`` and ``iteration``; ``counters``, with measures; ``message``. None at the
            end.
        """
        return self._run.step(max(0, whole_number(count, "count")))

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Makes the passes up to the end, one for each item."""
        while (made := self.step()) is not None:
            yield made

    def finish(self) -> list[dict[str, Any]]:
        """Runs to the end with as few launches as possible, to the same state as step by step.

        Returns
        -------
        list of dict
            As of :meth:`step`, one for each round with the sums of its passes.

        Raises
        ------
        flipscope.Error
            If the parameters set no end.
        """
        return self._run.finish()

    @property
    def done(self) -> bool:
        return self._run.done

    @property
    def hash(self) -> int:
        """64 bits of the state: equal for equal runs on every device and for any number of threads."""
        return self._run.hash

    @property
    def device(self) -> str:
        return self._run.device

    @property
    def parameters(self) -> dict[str, str]:
        """All parameters of the lab, with their values as text."""
        return self._run.parameters()

    @property
    def triangles(self) -> Int32Array:
        """(t, 3) int32: indices of the input's points, counter-clockwise; empty for labs that make none."""
        return self._run.triangles()

    def result(self) -> dict[str, Any]:
        """Counts and numbers of the present state."""
        return self._run.result()

    def check(self) -> tuple[bool, str] | None:
        """Whether the state passes the lab's check, and the verdict in a sentence; None: the lab has no check."""
        return self._run.check()

    def report(self, curves: bool = False) -> dict[str, dict[str, Any]]:
        """Statistics of the state by title: properties by name; of a distribution ``low``, ``high``, ``unit`` and the counts
        ``now`` and ``before``; of a curve ``x``, ``y`` and ``errors``. ``curves``: also slow ones, such as g(r)."""
        return self._run.statistics(bool(curves))

    @property
    def array_names(self) -> list[str]:
        """The arrays that the lab has: see :meth:`array`."""
        return self._run.arrays()

    def array(self, name: str) -> npt.NDArray[Any]:
        """An array of the lab (``flipscope list arrays``), such as the positions of particles. It is the caller's, and later
        steps do not change it."""
        return self._run.array(name)

    @property
    def table_names(self) -> list[str]:
        """The lab's own tables, and those of points, edges, triangles, cells and structures."""
        return self._run.tables()

    def table(self, name: str, area: Any = None) -> dict[str, Any]:
        """A table of the state: a column for each name, as an array, or as a list where its values are texts or lists. For
        pandas: ``DataFrame(run.table("edges"))``. Measures are of a box ``area`` (x0, y0, x1, y1), or of all points."""
        return self._run.table(name, None if area is None else as_area(area, np.empty((0, 2))))

    def events(self, first: int = 0) -> dict[str, Any]:
        """What the lab has detected so far, from index ``first`` on: ``time`` and ``round`` (e), ``place`` (e, 2), and lists
        ``kind``, ``lost`` and ``created`` (pairs of sites), ``sites``. Empty for labs that detect nothing."""
        return self._run.detections(max(0, whole_number(first, "first")))

    def __repr__(self) -> str:
        return f"<flipscope.Run: {self._run.title}, {'done' if self.done else 'under way'}, on {self.device}>"

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
