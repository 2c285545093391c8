"""Labs in a notebook: the steps that the widget shows, and the parts of the page that shows them."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ._arrays import Float64Array, as_points, warn, whole_number
from ._core import Error
from ._delaunay import Delaunay
from ._run import _text
from ._show import find_program
from ._voronoi import Voronoi

if TYPE_CHECKING:
    from ._widget import Widget

_MOST_POINTS = 3000  # whose elements a page shows one by one
_MOST_BYTES = 16 << 20  # of a page


def widget(source: Any, lab: str = "build", *, steps: int | None = None, **parameters: Any) -> Widget:
    """A lab's steps in a notebook: shows, steps, explains, and shares a selection of points with Python. It needs anywidget
    (``pip install 'flipscope[notebook]'``) and the program ``flipscope``, which computes the steps at this call.

    Parameters
    ----------
    source : array of shape (n, 2), Delaunay or Voronoi
        At most 3000 points. Of a triangulation its points, and the widget opens at the last step.
    lab : str
        As ``flipscope list labs`` names it: "build", "flip", "serial", "strips", "voronoi", …
    steps : int, optional
        How many passes to make, at most 500; by default up to the lab's end.
    **parameters
        Those of the lab, as of :class:`Run`.

    Returns
    -------
    Widget
        ``step`` is the shown one of ``step_count``, and ``hash`` its state hash. ``selection`` (k,), ``selected_edges`` (k, 2)
        and ``selected_triangles`` (k, 3) are indices of points. Set ``step`` or a selection and the picture follows; a mask
        of all points can be set as well. ``observe(function, "selection")`` calls back after a click.

    Raises
    ------
    ImportError
        Without anywidget.
    flipscope.Error
        For too many points, without the program (see ``show``), or with the program's message.
    """
    from ._widget import Widget

    made = source.delaunay if isinstance(source, Voronoi) else source
    points = made._host_points() if isinstance(made, Delaunay) else as_points(source)
    if isinstance(made, Delaunay) and made.box and lab == "build":
        parameters = {"domain": "torus", "box": made.box, **parameters}
    if len(points) > _MOST_POINTS:
        raise Error(f"{len(points)} points: a widget shows at most {_MOST_POINTS}; show() opens the window on more")
    shown = Widget(page_data(points, lab, steps, parameters), len(points))
    if isinstance(made, Delaunay):
        shown.step = -1
    return shown


def page_data(points: Float64Array, lab: str, steps: int | None, parameters: dict[str, Any]) -> str:
    """The steps of a lab on points, by the program: base64 of a zlib stream of the JSON that page.js reads."""
    program = os.path.abspath(find_program())
    with tempfile.TemporaryDirectory(prefix="flipscope-") as folder:
        page = Path(folder, "steps.html")
        np.save(Path(folder, "points.npy"), points)
        command = [program, "run", lab, "--input", "points.npy", "--device", "cpu", "--quiet", "--export", page.name]
        if steps is not None:
            command += ["--steps", str(whole_number(steps, "steps"))]
        for name, value in parameters.items():
            command += ["--set", f"{name}={_text(value)}"]
        try:
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        except OSError as problem:
            raise Error(f"{program} could not be started: {problem}") from None
        html = page.read_text("utf-8") if page.exists() else ""
    said = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
    sentence = said[-1].removeprefix("flipscope: ")
    if not html:
        raise Error(f"the lab {lab} made no steps: {sentence}")
    if len(html) > _MOST_BYTES:
        size, most = len(html) >> 20, _MOST_BYTES >> 20
        raise Error(f"the lab {lab} made {size} MB of steps, and a widget holds {most}; give steps=, or fewer points")
    if done.returncode != 0:
        warn(f"the lab {lab}: {sentence}")
    return html.split('<script id="data" type="text/plain">')[1].split("</script>")[0].strip()


def widget_script() -> str:
    """The module of the widget's front end: the page's scripts, its elements and colours, and widget.js."""
    here = Path(__file__).resolve().parent
    installed, of_source_tree = here / "page", here.parents[1] / "assets" / "page"

    def part(name: str, folder: Path = installed if installed.is_dir() else of_source_tree) -> str:
        return (folder / name).read_text("utf-8")

    body = part("page.html").split("<body>")[1].split('<div id="slides"')[0]
    style = part("page.css") + part("widget.css", here)
    constants = f"const BODY = {json.dumps(body)}, STYLE = {json.dumps(style)};\n"
    return part("painter.js") + part("page.js") + constants + part("widget.js", here)
