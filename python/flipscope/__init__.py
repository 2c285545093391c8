"""Exact Delaunay triangulations and Voronoi diagrams of points of the plane, on CPU threads or CUDA.

``Delaunay`` and ``Voronoi`` have the attributes of those of ``scipy.spatial``. Beside them: ``lloyd`` (Lloyd's iteration),
``flip`` (any triangulation made Delaunay by edge flips), ``events`` (where neighbours change while points move), ``check``
(what is wrong with a triangulation of any origin) and ``show`` (the window). Orientation and in-circle tests are exact
everywhere; the same points in the same order give the same arrays on every device and for any number of threads.
"""

from ._core import Error, __version__
from ._delaunay import Delaunay
from ._events import Comparison, EventList, PlasticEvent, events
from ._functions import Failure, FlipResult, Judgement, check, flip
from ._show import show
from ._voronoi import LloydResult, Voronoi, lloyd
from ._arrays import Device, DeviceInfo, devices

__all__ = [
    "Comparison",
    "Delaunay",
    "Device",
    "DeviceInfo",
    "Error",
    "EventList",
    "Failure",
    "FlipResult",
    "Judgement",
    "LloydResult",
    "PlasticEvent",
    "Voronoi",
    "__version__",
    "check",
    "devices",
    "events",
    "flip",
    "lloyd",
    "show",
]
