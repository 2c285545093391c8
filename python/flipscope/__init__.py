"""Exact Delaunay triangulations and Voronoi diagrams of points in the plane, on CPU threads or CUDA.

``Delaunay`` and ``Voronoi`` have the attributes of those of ``scipy.spatial``. Also: ``interpolate`` (values between
scattered points), ``gabriel`` and other graphs of neighbours, ``alpha_shape``, ``lloyd`` (Lloyd's iteration), ``flip`` (makes
any triangulation Delaunay by edge flips), ``events`` (changes of neighbours while points move), ``check`` (finds the defects of
any triangulation), ``spatial`` (statistics of point patterns), ``Run`` (any lab, step by step), ``Particles``, ``show`` (the
window) and ``widget`` (a lab's steps in a notebook). Orientation and in-circle tests are exact; the same points in the same
order give the same arrays on every device and for any number of threads.
"""

from . import spatial
from ._core import Error, StudyArea, __version__
from ._cells import Cells
from ._delaunay import Delaunay, Interpolator, interpolate
from ._events import Comparison, EventList, PlasticEvent, events
from ._functions import Failure, FlipResult, Judgement, check, flip
from ._graphs import AlphaShape, alpha_shape, beta_skeleton, gabriel, minimum_spanning_tree, nearest_neighbours, relative_neighbourhood
from ._notebook import widget
from ._run import Particles, Run, labs
from ._show import show
from ._voronoi import LloydResult, Voronoi, lloyd
from ._arrays import Device, DeviceInfo, devices
from .spatial import orientational_order, pair_correlation, ripley, statistics, structure_factor

__all__ = [
    "AlphaShape",
    "Cells",
    "Comparison",
    "Delaunay",
    "Device",
    "DeviceInfo",
    "Error",
    "EventList",
    "Failure",
    "FlipResult",
    "Interpolator",
    "Judgement",
    "LloydResult",
    "Particles",
    "PlasticEvent",
    "Run",
    "StudyArea",
    "Voronoi",
    "__version__",
    "alpha_shape",
    "beta_skeleton",
    "check",
    "devices",
    "events",
    "flip",
    "gabriel",
    "interpolate",
    "labs",
    "lloyd",
    "minimum_spanning_tree",
    "nearest_neighbours",
    "orientational_order",
    "pair_correlation",
    "relative_neighbourhood",
    "ripley",
    "show",
    "spatial",
    "statistics",
    "structure_factor",
    "widget",
]
