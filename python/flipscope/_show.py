"""Points and triangles in Flipscope's window."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import threading
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Sequence

import numpy as np

from ._arrays import as_points, as_triangles
from ._core import Error


def find_program() -> str:
    """FLIPSCOPE_PROGRAM, a program beside the module, in the module's build folder or environment, or one on the PATH."""
    named = os.environ.get("FLIPSCOPE_PROGRAM")
    if named:
        if not (os.path.isfile(named) and os.access(named, os.X_OK)):
            raise Error(f"FLIPSCOPE_PROGRAM names {named}, which is no program that can be started")
        return named
    here = Path(__file__).resolve().parent
    folders = (here / "bin", here.parent.parent / "app", Path(sys.prefix) / "bin", os.environ.get("PATH", os.defpath))
    found = shutil.which("flipscope", path=os.pathsep.join(map(str, folders)))
    if found:
        return found
    raise Error(
        "the program flipscope, which opens the window and runs labs, was not found beside the module or on the PATH; install it with "
        "pip install ./python/program, or build it with scripts/demo and name it in FLIPSCOPE_PROGRAM"
    )


def show(
    points: Any,
    triangles: Any = None,
    *,
    arguments: Sequence[str] = (),
    wait: bool = True,
) -> subprocess.Popen[str] | None:
    """Opens Flipscope's window on points, and builds their Delaunay triangulation pass by pass.

    Parameters
    ----------
    points : array of shape (n, 2)
    triangles : array of shape (t, 3), optional
        From any program: the Judge lab opens and shows them beside the exact ones, with all defects marked.
    arguments : sequence of str
        More arguments for the program, such as ``["--light", "--threads", "2"]``.
    wait : bool
        Return when the window closes; otherwise return the process at once.

    Raises
    ------
    flipscope.Error
        If the program is not found (see FLIPSCOPE_PROGRAM in the manual), if there is no display, or with the program's
        message if it fails.
    """
    host = as_points(points)
    corners = None if triangles is None else as_triangles(triangles, len(host))
    program = find_program()
    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        raise Error("there is no display to open a window on (DISPLAY and WAYLAND_DISPLAY are not set)")
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="flipscope-"))
        command = [program, "--input", os.path.join(folder, "points.npy"), *arguments]
        np.save(command[2], host)
        if corners is not None:
            command += ["--triangles", os.path.join(folder, "triangles.npy")]
            np.save(command[-1], corners.astype(np.int32))
        try:
            process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        except OSError as problem:
            raise Error(f"{program} could not be started: {problem}") from None
        kept = stack.pop_all()  # until the window closes
    said: list[str] = []

    def attend() -> None:
        with kept:
            said.extend(process.communicate()[1].splitlines())

    watcher = threading.Thread(target=attend, daemon=True)
    watcher.start()
    if not wait:
        return process
    try:
        watcher.join()
    except BaseException:
        process.terminate()
        watcher.join()
        raise
    if process.returncode != 0:
        words = said[-1] if said else f"exit status {process.returncode}"
        raise Error(f"the window ended with an error: {words}")
    return None
