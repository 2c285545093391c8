"""The widget: a lab's steps in a notebook, with a selection that the kernel shares."""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any

import numpy as np
import numpy.typing as npt

try:
    import anywidget
    import traitlets
except ImportError as missing:
    raise ImportError("flipscope.widget needs anywidget: pip install 'flipscope[notebook]'") from missing

from ._arrays import as_array
from ._core import Error
from ._notebook import widget_script


class Indices(traitlets.TraitType[Any, Any]):
    """Indices of points, (k,) or (k, corners) int64, read-only; a mask of all points is accepted for (k,)."""

    def __init__(self, corners: int) -> None:
        self._none = np.empty(0 if corners == 1 else (0, corners), np.int64)
        super().__init__(self._none)
        self.tag(sync=True, to_json=lambda indices, _: indices.tolist())

    def set(self, obj: Any, value: Any) -> None:  # TraitType.set compares by ==
        made: Any = self._validate(obj, value)
        before: Any = self.get(obj)
        if not np.array_equal(made, before):
            obj._trait_values[self.name] = made
            obj._notify_trait(self.name, before, made)

    def validate(self, obj: Any, value: Any) -> npt.NDArray[np.int64]:
        given, name, corners = as_array(value, self.name or ""), self.name, self._none.shape[1:]
        if given.dtype == bool and given.shape == (obj.point_count,) and not corners:
            given = np.flatnonzero(given)
        if given.size == 0:
            return self._none
        if given.ndim != self._none.ndim or given.shape[1:] != corners:
            wanted = f"(k, {corners[0]})" if corners else "(k,)"
            raise Error(f"{name} of shape {given.shape}: the shape must be {wanted}, indices of points")
        if given.dtype.kind not in "iu":
            raise Error(f"{name} of type {given.dtype}: they must be whole numbers, the indices of points")
        wrong = (given < 0) | (given >= obj.point_count)
        if wrong.any():
            raise Error(f"{name} names point {given[wrong][0]}, but there are {obj.point_count} points, from 0 on")
        made = given.astype(np.int64)
        made.flags.writeable = False  # a change in place would not reach the picture
        return made


class Widget(anywidget.AnyWidget):
    """Steps of a lab, made by :func:`flipscope.widget`. ``step`` and the selections can be set and observed."""

    _esm = widget_script()
    _data = traitlets.Unicode().tag(sync=True)  # page_data()
    point_count = traitlets.Int(read_only=True).tag(sync=True)
    step = traitlets.Int(0).tag(sync=True)  #: the shown step, from 0; -1 can be set for the last one
    selection = Indices(1)  #: (k,) selected points, as indices of the input; can be set to a boolean mask
    selected_edges = Indices(2)  #: (k, 2) points at the ends of selected edges
    selected_triangles = Indices(3)  #: (k, 3) points at the corners of selected triangles

    def __init__(self, data: str, point_count: int) -> None:
        self._hashes = [one.get("hash", "0") for one in json.loads(zlib.decompress(base64.b64decode(data)))["steps"]]
        self.set_trait("point_count", point_count)
        super().__init__(_data=data)

    @property
    def step_count(self) -> int:
        return len(self._hashes)

    @property
    def hash(self) -> int:
        """64 bits of the lab's state at the shown step: the state hash that ``flipscope run --json`` writes."""
        return int(self._hashes[self.step], 16)

    @traitlets.validate("step")
    def _existing_step(self, proposal: Any) -> int:
        step, count = int(proposal["value"]), self.step_count
        if not -count <= step < count:
            raise Error(f"step={step}: there are {count} steps, from 0 to {count - 1}")
        return step % count
