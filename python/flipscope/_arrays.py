"""Converts arguments to the arrays that the extension module reads, without a copy if possible."""

from __future__ import annotations

import math
import operator
import re
import sys
import warnings
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _core
from ._core import Error

Device = Literal["auto", "cpu", "cuda"]

Float64Array = npt.NDArray[np.float64]
Int32Array = npt.NDArray[np.int32]

_DLPACK_CUDA = 2
_MOST_POINTS = 2**29 - 8


class DeviceInfo(NamedTuple):
    """A device as this build of flipscope reports it."""

    device: str  #: "cpu" or "cuda"
    name: str
    usable: bool
    explanation: str  #: why it cannot be used, or its driver and memory


def devices() -> list[DeviceInfo]:
    """All devices, the CPU first."""
    return [DeviceInfo(*device) for device in _core.devices()]


def checked_device(device: str) -> str:
    if device not in ("auto", "cpu", "cuda"):
        raise Error(f'device {device!r} is not known; there are "auto", "cpu" and "cuda"')
    return device


def checked_threads(threads: int | None) -> int:
    """The number of threads; 0 if None: one per processor."""
    if threads is None:
        return 0
    count = whole_number(threads, "threads")
    if count < 1 or count > 1024:
        raise Error(f"threads={threads}: a number from 1 to 1024, or None for as many as the machine has")
    return count


def whole_number(value: Any, name: str) -> int:
    """An integer; rejects values that would have to be rounded."""
    try:
        return operator.index(value)
    except TypeError:
        raise Error(f"{name}={value!r}: a whole number is expected") from None


def real_number(value: Any, name: str, low: float, high: float, expected: str) -> float:
    """A number from ``low`` to ``high``, inclusive."""
    try:
        made = math.nan if isinstance(value, (str, bytes)) else float(value)
    except (TypeError, ValueError, OverflowError):
        made = math.nan
    if not low <= made <= high:
        raise Error(f"{name}={value!r}: {expected} is expected")
    return made


def warn(text: str) -> None:
    """Warns at the line outside of this package that called it."""
    frame, level = sys._getframe(), 1
    while frame.f_back is not None and frame.f_globals.get("__package__") == __package__:
        frame, level = frame.f_back, level + 1
    warnings.warn(text, stacklevel=level)


def is_cuda(values: Any) -> bool:
    """Whether the values are in the memory of a CUDA device."""
    if isinstance(values, np.ndarray):
        return False
    if hasattr(values, "__cuda_array_interface__"):
        return True
    device = getattr(values, "__dlpack_device__", None)
    return device is not None and device()[0] == _DLPACK_CUDA


# Qhull's options that choose how it computes, not what: exact results are unique.
_QHULL_WITHOUT_EFFECT = re.compile(r"[dv]|Qbb|Q[acfirstvwxz]|QJ[0-9.e+-]*|QR-?[0-9]*|Q(?:[0-9]|1[0-5])|Pp|T[sv]")


def check_qhull_options(options: Any) -> None:
    """Warns about options that have no effect here, and rejects others."""
    if options is None:
        return
    text = options.decode("latin-1") if isinstance(options, bytes) else options
    if not isinstance(text, str):
        raise Error(f"qhull_options of type {type(options).__name__}: it is a text, as \"Qbb Qc Qz\"")
    unknown = [word for word in text.split() if not _QHULL_WITHOUT_EFFECT.fullmatch(word)]
    if unknown:
        raise Error(
            f'qhull_options: {unknown[0]!r} is not supported, since it could change the result; what has no effect is '
            'taken, as "Qbb", "Qc", "Qz", "Qx", "Qt", "QJ", "Q12" and "Pp"'
        )
    if text.split():
        warn(
            f"qhull_options={text!r} has no effect here: all decisions are exact, coordinates are never moved, and copies "
            "of points are in coplanar"
        )


def _require_rows(shape: tuple[int, ...], columns: int, what: str, given: Any = None) -> None:
    if len(shape) == 2 and shape[1] == columns:
        return
    dtype = getattr(given, "dtype", None)
    advice = ""
    if given is not None and not shape:
        advice = f"; found {type(given.item()).__name__}, give a list or an array"
    elif len(shape) == 1 and dtype is not None and dtype.kind == "c":
        advice = "; numpy.column_stack([z.real, z.imag]) makes it of complex numbers"
    elif len(shape) == 1 and dtype is not None and dtype.names:
        advice = '; numpy.column_stack([a["x"], a["y"]]) makes it of records'
    elif len(shape) == 2 and shape[0] == columns:
        advice = "; transpose it if its rows are x and y"
    elif len(shape) == 2 and shape[1] > columns:
        advice = f'; choose {columns} columns, as a[:, :{columns}] of an array or frame[["x", "y"]] of pandas'
    raise Error(f"{what} of shape {shape}: the shape must be (n, {columns}){advice}")


def cuda_points(points: Any) -> tuple[tuple[int, int, int], Any]:
    """Address, number and stream (as in ``__cuda_array_interface__``) of points by that interface or DLPack, and their owner.
    Where a copy would be needed, the error tells the caller to make it on the device."""
    interface = getattr(points, "__cuda_array_interface__", {})
    if "stream" not in interface and hasattr(points, "__dlpack__"):
        # Of version 2, as JAX's: it does not say what to wait for, and points may still be on their way.
        interface = _core.import_dlpack(points.__dlpack__(stream=1))
    shape, strides, kind = tuple(interface["shape"]), interface.get("strides"), interface["typestr"]
    pointer = interface["data"][0] or 0
    _require_rows(shape, 2, "points in a CUDA array")
    if kind != "<f8":
        raise Error(f"points in a CUDA array of type {kind}: they must be float64; convert them on the device first")
    if strides is not None and tuple(strides) != (16, 8) and shape[0] > 1:
        raise Error("points in a CUDA array that is not row-major and compact; make it so on the device first")
    if pointer % 16:
        raise Error("points in a CUDA array that does not begin at a multiple of 16 bytes; copy it on the device first")
    return (pointer, shape[0], interface.get("stream") or 1), interface.get("owner", points)


def _rows_text(rows: npt.NDArray[np.intp], one: str, several: str) -> str:
    """ "row 3 is", "rows 3, 7 and 12 more are"."""
    named = ", ".join(str(row) for row in rows[:5].tolist())
    more = f" and {len(rows) - 5} more" if len(rows) > 5 else ""
    return f"row {named} {one}" if len(rows) == 1 else f"rows {named}{more} {several}"


def _refuse_masked(values: Any, what: str) -> None:
    """Rejects masked values: NumPy would use the numbers behind the mask."""
    if not isinstance(values, np.ma.MaskedArray):
        parts = isinstance(values, (list, tuple)) and any(isinstance(part, np.ma.MaskedArray) for part in values)
        if not parts:
            return
        try:
            values = np.ma.array(values)
        except ValueError:
            return  # rows of several lengths are rejected elsewhere
    mask = np.ma.getmaskarray(values)
    if mask.any():
        rows = np.flatnonzero(mask.reshape(len(mask), -1).any(axis=1)) if mask.ndim else np.zeros(1, np.intp)
        said = _rows_text(rows, "is", "are")
        raise Error(f"{what}: {said} masked, and no numbers; leave them out first, as numpy.ma.compress_rows() does")


def as_numbers(given: npt.NDArray[Any], what: str) -> npt.NDArray[Any]:
    """Converts objects that are all numbers, such as pandas' nullable columns; leaves others unchanged."""
    flat = given.ravel()
    missing = np.fromiter((value is None or _is_missing(value) for value in flat), bool, len(flat)).reshape(given.shape)
    if missing.any():
        rows = np.flatnonzero(missing.any(axis=1))
        said = _rows_text(rows, "has", "have")
        raise Error(f"{what}: {said} a missing value (NA); leave them out first, as dropna() does")
    values = [value.item() if isinstance(value, np.generic) else value for value in flat]  # Python compares them exactly
    if any(isinstance(value, (str, bytes)) for value in values):
        return given
    try:
        rounded = [float(value) for value in values]
        unequal = [made != value and made == made for made, value in zip(rounded, values)]
    except (TypeError, ValueError, OverflowError):
        return given
    if any(unequal):
        _refuse_rounding(unequal.index(True) // given.shape[1], "object", what)
    return np.array(rounded).reshape(given.shape)


def _warn_of_order(points: Any, what: str) -> None:
    """Warns if a table's second column is called x: columns are used in their order, as in SciPy."""
    names = [str(name).lower() for name in getattr(points, "columns", ())]
    words = {"y": "x", "lat": "lon", "latitude": "longitude", "northing": "easting"}
    swapped = ["".join(words.get(word, word) for word in re.split("([^a-z]+)", name)) for name in names]
    if len(names) == 2 and swapped[0] == names[1] != names[0]:
        warn(
            f'{what}: the columns are called {names[0]} and {names[1]}, and the first is taken as x; give them as '
            f'frame[["{names[1]}", "{names[0]}"]] where that is not meant'
        )


def _is_missing(value: Any) -> bool:
    """pandas' NA and NaT, without importing pandas."""
    return type(value).__name__ in ("NAType", "NaTType")


def _refuse_rounding(row: int, kind: Any, what: str) -> None:
    raise Error(f"{what}: row {row} has a number of type {kind} that no double is equal to")


def as_array(values: Any, what: str) -> npt.NDArray[Any]:
    """A NumPy array; rejects masked values."""
    _refuse_masked(values, what)
    try:
        return np.asarray(values)
    except ValueError as problem:
        raise Error(f"{what}: {problem}") from None


def as_points(points: Any, what: str = "points", columns: int = 2) -> Float64Array:
    """(n, columns) float64, row-major and aligned to 16 bytes; the same array if it already is. Rejects numbers that are not
    exact doubles, since nothing is rounded."""
    if is_cuda(points):
        raise Error(f"{what} lie in a CUDA device's memory; here they must be on the host: copy them, as cupy.asnumpy() does")
    given = as_array(points, what)
    if given.size == 0 and given.ndim < 2:
        given = given.reshape(0, columns).astype(np.float64)
    _require_rows(given.shape, columns, what, given)
    if given.dtype == object:
        given = as_numbers(given, what)
    _warn_of_order(points, what)
    if given.dtype.kind not in "biuf":
        raise Error(f"{what} of type {given.dtype}: they must be real numbers")
    made: Float64Array = np.ascontiguousarray(given, dtype=np.float64)
    if given.dtype.kind in "iuf" and given.dtype.itemsize > (4 if given.dtype.kind in "iu" else 8):
        with np.errstate(invalid="ignore", over="ignore"):
            exact = made.astype(given.dtype) == given
        if not exact.all() and not (given.dtype.kind == "f" and np.isnan(given).any()):
            _refuse_rounding(int(np.argmin(exact.all(axis=1))), given.dtype, what)
    if made.__array_interface__["data"][0] % 16:
        made = _aligned(made)
    if made.shape[0] > _MOST_POINTS:
        raise Error(f"{made.shape[0]} {what}: at most {_MOST_POINTS} can be taken")
    return made


def _aligned(values: Float64Array) -> Float64Array:
    room = np.empty(values.size + 1)
    first = 1 if room.__array_interface__["data"][0] % 16 else 0
    made = room[first : first + values.size].reshape(values.shape)
    made[...] = values
    return made


def as_triangles(triangles: Any, point_count: int, what: str = "triangles") -> npt.NDArray[np.uint32]:
    """(t, 3) uint32; indices of existing points."""
    given = as_array(triangles, what)
    if given.size == 0 and given.ndim < 2:
        given = np.empty((0, 3), np.uint32)
    _require_rows(given.shape, 3, what)
    if given.dtype == object:
        given = as_numbers(given, what)
    if given.dtype.kind == "f" and np.isfinite(given).all() and (given == np.floor(given)).all():
        given = given.astype(np.int64)  # 4.0 is 4
    if given.dtype.kind not in "iu":
        raise Error(f"{what} of type {given.dtype}: they must be whole numbers, the indices of points")
    wrong = (given < 0) | (given >= point_count)
    if wrong.any():
        row = int(np.argmax(wrong.any(axis=1)))
        corner = int(given[row][np.argmax(wrong[row])])
        from_one = int(given.min()) >= 1 and int(given.max()) == point_count
        raise Error(
            f"triangle {row} names point {corner}, but there are {point_count} points, from 0 on"
            + (f"; they seem to count from 1: none is 0, so give {what} - 1" if from_one else "")
        )
    return np.ascontiguousarray(given, dtype=np.uint32)


def as_box(box: Any, points: Float64Array) -> tuple[float, float, float, float]:
    """(x_low, y_low, x_high, y_high); None: the points' bounding box."""
    if box is None:
        if len(points) == 0:
            raise Error("there are no points whose bounding box could be taken; give one as box=(x0, y0, x1, y1)")
        low, high = points.min(axis=0), points.max(axis=0)
        made = (float(low[0]), float(low[1]), float(high[0]), float(high[1]))
        if made[0] == made[2] or made[1] == made[3]:
            raise Error("the points' bounding box is flat; give one as box=(x0, y0, x1, y1)")
        return made
    values = np.asarray(box, dtype=np.float64).ravel()
    if values.size != 4:
        raise Error("a box is four numbers: box=(x0, y0, x1, y1), its lower left and upper right corner")
    if not (np.abs(values) <= 2.0**200).all():
        raise Error(f"box={tuple(values.tolist())}: coordinates of a box are at most 2**200 in size (1.6e60)")
    return (float(values[0]), float(values[1]), float(values[2]), float(values[3]))


def as_periods(box: Any) -> tuple[float, float]:
    """Width and height of a periodic box; the core checks their range."""
    values = np.asarray(box, dtype=np.float64).ravel()
    if values.size != 2:
        raise Error("a periodic box is two numbers: box=(width, height)")
    return (float(values[0]), float(values[1]))


if sys.byteorder != "little":  # pragma: no cover
    raise ImportError("flipscope needs a little-endian machine")
