"""Notebooks: the pictures of objects; the widget's front end in Chromium with a stub of anywidget's model; and the
widget in a real JupyterLab. Tests without their Chromium, anywidget or JupyterLab are skipped.

test_notebook.py [--screenshots FOLDER]"""

import contextlib
import importlib.util
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock
import urllib.request
from pathlib import Path
from xml.etree import ElementTree

import numpy as np

import flipscope
from flipscope._notebook import page_data, widget_script

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "app" / "page"))
import browser as browsers  # noqa: E402

SHOTS = None  # a folder
CTRL, SHIFT = 2, 8
POINTS = np.concatenate([np.random.default_rng(5).random((40, 2)), [[0.5, 0.5], [0.5, 0.5]]])
POINTS[41] = POINTS[3]  # a copy, so that vertices are not simply points

has_anywidget = importlib.util.find_spec("anywidget") is not None
has_lab = importlib.util.find_spec("jupyterlab") is not None
try:
    program = flipscope._show.find_program()
except flipscope.Error:
    program = None


def picture_of(made):
    html = made._repr_html_()
    root = ElementTree.fromstring(html)
    return html, root, root.find("{http://www.w3.org/2000/svg}svg")


class PictureTest(unittest.TestCase):
    def test_a_triangulation_shows_its_facts_and_its_triangles(self):
        points = np.concatenate([POINTS[:41], POINTS[:3]])
        made = flipscope.Delaunay(points)
        html, _, svg = picture_of(made)
        for fact in ("44 points", f"{made.nsimplex} triangles", f"{len(made.hull)} on the hull", "3 duplicates", f"{made.hash:016x}"):
            self.assertIn(fact, html)
        lines, dots = (path.get("d") for path in svg)
        self.assertEqual(lines.count("M"), made.nsimplex)
        self.assertEqual(dots.count("M"), 41)
        numbers = np.array(re.findall(r"[\d.]+", lines), float).reshape(-1, 2)
        self.assertTrue((numbers >= 0).all() and (numbers <= (float(svg.get("width")), float(svg.get("height")))).all())
        self.assertEqual(svg[0].get("stroke"), "currentColor")  # dark where the text is light

    def test_a_diagram_shows_a_cell_for_each_point(self):
        _, _, svg = picture_of(flipscope.Voronoi(POINTS))
        self.assertEqual(svg[0].get("d").count("M"), 41)

    def test_many_points_are_shown_by_their_density(self):
        rng = np.random.default_rng(1)
        for count, least in ((4000, 10), (200_000, 5)):
            points = np.concatenate([rng.random((count, 2)), np.full((count, 2), 0.252) + 1e-6 * rng.random((count, 2))])
            for made in (flipscope.Delaunay(points), flipscope.Voronoi(points)):
                html, _, svg = picture_of(made)
                side, most = re.search(r"drawn: points per square of (\d+) × \d+ pixels, up to ([\d,]+)", html).groups()
                self.assertGreaterEqual(int(side), least)
                self.assertLess(abs(int(most.replace(",", "")) / count - 1), 0.02)
                *_, darkest, outline, _ = svg
                width, height = float(svg.get("width")), float(svg.get("height"))
                (x, y), = re.findall(r"M([\d.]+) ([\d.]+)", darkest.get("d"))
                self.assertLess(abs(float(x) / width - 0.252) + abs(1 - float(y) / height - 0.252), 0.1, "y up")
                self.assertEqual((darkest.get("opacity"), outline.get("d").count("M")), ("1.0", 1))
                squares = sum(path.get("d").count("M") for path in svg) - 1
                self.assertGreater(squares, 0.9 * (360 / int(side)) ** 2, "no square between others is empty")
                self.assertLess(len(html), 150_000)

    def test_every_input_has_a_picture_or_a_sentence(self):
        line = np.stack([np.arange(6.0), 2 * np.arange(6.0)], axis=1)
        for points in (np.empty((0, 2)), [(1, 2)], [(1, 2), (3, 5)], [(1, 2)] * 4, line, np.repeat(line, 1000, axis=0) + 1e9,
                       np.linspace(0, 1, 5000)[:, None] * (1, 0), POINTS * 2.0**199, POINTS * 2.0**-190):
            for made in (flipscope.Delaunay(points), flipscope.Voronoi(points)):
                html, _, svg = picture_of(made)
                self.assertFalse(re.search(r"[ML]?\b(nan|inf)", re.sub("base64,[^\"]*", "", html)), html[:200])
                self.assertTrue(svg is not None)
        points = POINTS.copy()
        made = flipscope.Delaunay(points)
        points[0] = 9
        self.assertIn("No picture: the array of the points has changed", made._repr_html_())

    @unittest.skipIf(has_anywidget, "anywidget is installed")
    def test_without_anywidget_a_sentence_says_what_to_install(self):
        with self.assertRaisesRegex(ImportError, "pip install 'flipscope.notebook.'"):
            flipscope.widget(POINTS)


@unittest.skipUnless(has_anywidget, "anywidget is not installed (pip install anywidget)")
@unittest.skipUnless(program, "the program flipscope is not built")
class WidgetTest(unittest.TestCase):
    def test_steps_and_hashes_are_those_of_the_program(self):
        shown = flipscope.widget(POINTS)
        self.assertEqual((shown.step, shown.point_count), (0, 42))
        with tempfile.TemporaryDirectory() as folder:
            given = Path(folder, "points.npy")
            np.save(given, POINTS)
            for step in (0, 3, shown.step_count - 1):
                done = subprocess.run([program, "run", "build", "--input", given, "--steps", str(step), "--json", "-"],
                                      capture_output=True, text=True, check=True)
                shown.step = step
                self.assertEqual(f"{shown.hash:016x}", json.loads(done.stdout)["state_hash"])
        last = flipscope.widget(flipscope.Voronoi(POINTS))
        self.assertEqual((last.step, last.hash), (shown.step_count - 1, shown.hash))
        few = flipscope.widget(POINTS, "flip", steps=2, start="sweep")
        self.assertEqual(few.step_count, 3)

    def test_a_selection_is_an_array_of_indices(self):
        shown, heard = flipscope.widget(POINTS), []
        shown.observe(lambda change: heard.append(change.new.tolist()), "selection")
        self.assertEqual((shown.selection.shape, shown.selected_edges.shape), ((0,), (0, 2)))
        shown.selection = [3, 5]
        shown.selection = POINTS[:, 0] > 0.9
        self.assertEqual(heard, [[3, 5], np.flatnonzero(POINTS[:, 0] > 0.9).tolist()])
        shown.selected_triangles = np.array([[0, 1, 2]])
        for name, value, words in (("selection", [42], "names point 42, but there are 42"), ("selection", [0.5], "whole numbers"),
                                   ("selected_edges", [1, 2], r"the shape must be \(k, 2\)"), ("step", 10**6, "steps, from 0 to")):
            with self.assertRaisesRegex(flipscope.Error, words):
                setattr(shown, name, value)
        with self.assertRaises(ValueError):
            shown.selection[0] = 1

    def test_the_code_of_the_manual_runs(self):
        manual = Path(__file__).resolve().parents[2] / "docs" / "notebooks.md"
        blocks = re.findall(r"^```python\n(.*?)^```", manual.read_text("utf-8"), re.M | re.S)
        self.assertGreater(len(blocks), 3)
        with contextlib.redirect_stdout(io.StringIO()) as said:
            exec(compile("".join(blocks), str(manual), "exec"), {"__name__": "manual"})
        self.assertRegex(said.getvalue(), "[0-9a-f]{16}")

    def test_wrong_arguments_are_sentences(self):
        for arguments, words in (((np.zeros((3001, 2)),), "3001 points: a widget shows at most 3000"),
                                 ((POINTS, "bulid"), 'unknown lab "bulid"; did you mean "build"')):
            with self.assertRaisesRegex(flipscope.Error, words):
                flipscope.widget(*arguments)
        with self.assertRaisesRegex(flipscope.Error, "colour"):
            flipscope.widget(POINTS, colour="red")
        with unittest.mock.patch("flipscope._notebook._MOST_BYTES", 1000), self.assertRaisesRegex(flipscope.Error, "give steps="):
            flipscope.widget(POINTS)

    def test_a_result_that_fails_its_check_is_shown_with_a_warning(self):
        with self.assertWarnsRegex(UserWarning, "the lab judge: nothing was checked"):
            self.assertGreater(flipscope.widget(POINTS, "judge").step_count, 0)


STUB = """<!DOCTYPE html><meta charset="utf-8"><style>button { display: none } #picture { height: 1px }</style>
<div id="cell" style="width: 900px"></div><script type="module">
const model = {values: VALUES, heard: {}, get(name) { return this.values[name]; },
  set(name, value) { this.values[name] = value; (this.heard["change:" + name] || []).forEach((act) => act()); },
  save_changes() {}, on(name, act) { (this.heard[name] ||= []).push(act); }, off() {}};
const front = await import(URL.createObjectURL(new Blob([SCRIPT], {type: "text/javascript"})));
await front.default.render({model, el: document.getElementById("cell")});
window.model = model;
window.app = document.querySelector("#cell > div").app;
</script>"""

# Places of the window: of a vertex by its point of the input, of a button, and of the canvas.
PLACES = """(app) => {
  const box = (id) => app.byId(id).getBoundingClientRect(), view = app.step.views[0], layer = app.layerOf(view, 0), places = {};
  const at = app.source.array(layer.places), input = app.inputsOf(view), canvas = box("canvas"), p = app.projected[0];
  for (let i = 0; i < layer.count; ++i) places[input(i)] = [canvas.left + p.x(at[2 * i]), canvas.top + p.y(at[2 * i + 1])];
  const button = box("forward");
  return {places, forward: [button.left + 5, button.top + 5], canvas: [canvas.left, canvas.top, canvas.right, canvas.bottom]};
}"""


def screenshot(browser, name):
    if SHOTS:
        Path(SHOTS).mkdir(parents=True, exist_ok=True)
        browser.screenshot(Path(SHOTS, name + ".png"))


def places_of(browser, app):
    found = browser.evaluate(f"({PLACES})({app})")
    return {int(k): v for k, v in found["places"].items()}, found["forward"], found["canvas"]


def colour_at(browser, x, y):
    return browser.evaluate(f"""(() => {{ const canvas = app.byId("canvas"), box = canvas.getBoundingClientRect();
      return [...canvas.getContext("2d").getImageData({x} - box.left, {y} - box.top, 1, 1).data].slice(0, 3); }})()""")


def check_selecting(test, browser, app, get, set_selection):
    """Clicks, a box and a lasso, on the last step; `get(name)` reads the kernel's or the stub's value; messages to a
    kernel arrive later."""
    def expect(name, wanted):
        end = time.monotonic() + 20
        while get(name) != wanted and time.monotonic() < end:
            time.sleep(0.1)
        test.assertEqual(get(name), wanted)

    places, _, (left, top, right, bottom) = places_of(browser, app)
    test.assertEqual(sorted(places), list(range(41)))
    x, y = np.array([places[i] for i in range(41)]).T
    for shown, given in ((x, POINTS[:41, 0]), (y, POINTS[:41, 1])):
        test.assertLess(np.polyfit(given, shown, 1, full=True)[1][0], 0.1, "each point is where it is in the input")
    browser.click(*places[7])
    expect("selection", [7])
    test.assertIn("vertex", browser.evaluate(f"{app}.byId('explanation').innerText"))
    browser.click(*places[30], modifiers=CTRL)
    expect("selection", [7, 30])
    browser.click(*places[7], modifiers=CTRL)
    expect("selection", [30])
    corners = flipscope.Delaunay(POINTS).simplices
    sides = np.linalg.norm(POINTS[corners] - POINTS[np.roll(corners, 1, axis=1)], axis=2)
    half = sides.sum(axis=1) / 2
    triangle = corners[np.argmax((half[:, None] - sides).prod(axis=1) / half)]  # the largest inscribed circle
    browser.click(*np.mean([places[corner] for corner in triangle], axis=0))
    expect("selection", [])
    test.assertEqual([sorted(corners) for corners in get("selected_triangles")], [sorted(triangle.tolist())])
    middle = [(left + right) / 2, (top + bottom) / 2]
    inside = [i for i, (x, y) in places.items() if x < middle[0] and y < middle[1]]
    browser.path([(left + 2, top + 2), middle], CTRL)
    expect("selection", sorted(inside))
    lasso = [(left + 2, top + 2), (right - 2, top + 2), (left + 2, bottom - 2)]
    below = (x - left - 2) / (right - left - 4) + (y - top - 2) / (bottom - top - 4) < 1
    browser.path(lasso, CTRL | SHIFT)
    expect("selection", np.flatnonzero(below).tolist())
    set_selection([2, 4])
    browser.wait_for(f"String({app}.model.get('selection')) === '2,4'")


@unittest.skipUnless(browsers.installed(), "Chromium is not installed (Debian: apt install chromium)")
@unittest.skipUnless(program, "the program flipscope is not built")
class FrontEndTest(unittest.TestCase):
    def test_it_steps_and_selects(self):
        values = {"_data": page_data(POINTS, "build", None, {}), "point_count": len(POINTS), "step": 2, "selection": [],
                  "selected_edges": [], "selected_triangles": []}
        html = STUB.replace("VALUES", json.dumps(values)).replace("SCRIPT", json.dumps(widget_script()).replace("</", "<\\/"))
        with tempfile.TemporaryDirectory() as folder, browsers.Browser() as browser:
            Path(folder, "stub.html").write_text(html)
            browser.open(Path(folder, "stub.html"))
            self.assertEqual(browser.evaluate("app.index"), 2)
            self.assertEqual(browser.evaluate("getComputedStyle(app.byId('forward')).display"), "block")  # no CSS leaks in
            self.assertEqual(browser.evaluate("getComputedStyle(document.body).margin"), "8px")  # or out
            browser.click(*places_of(browser, "app")[1])
            self.assertEqual(browser.evaluate("model.values.step"), 3)
            browser.press("ArrowLeft")
            self.assertEqual(browser.evaluate("model.values.step"), 2)
            browser.evaluate("model.set('step', app.source.length - 1)")
            self.assertTrue(browser.evaluate("app.step.done"))
            check_selecting(self, browser, "app", lambda name: browser.evaluate(f"model.values.{name}"),
                            lambda ids: browser.evaluate(f"model.set('selection', {ids})"))
            places = places_of(browser, "app")[0]
            middle = np.mean([places[2], places[4]], axis=0)
            self.assertNotEqual(colour_at(browser, *middle), [0, 114, 178])
            browser.evaluate("model.set('selected_edges', [[2, 4]])")
            self.assertEqual(colour_at(browser, *middle), [0, 114, 178], "a selected edge is drawn")
            for dark in (False, True):
                browser.dark(dark)
                browser.wait_for(f"app.dark === {str(dark).lower()}")
                screenshot(browser, f"stub-{'dark' if dark else 'light'}")
            browser.evaluate("document.getElementById('cell').style.width = '420px'")
            browser.wait_for("app.byId('picture').getBoundingClientRect().width > 400")
            screenshot(browser, "stub-narrow")
            self.assertEqual(browser.errors, [])


KERNEL = {"name": "python3", "display_name": "Python 3"}
CELLS = (f"import numpy as np, flipscope\npoints = np.array({POINTS.tolist()})\nmade = flipscope.Delaunay(points)\nmade",
         "shown = flipscope.widget(made)\nshown")


@unittest.skipUnless(browsers.installed(), "Chromium is not installed (Debian: apt install chromium)")
@unittest.skipUnless(has_lab and has_anywidget, "JupyterLab or anywidget is not installed (pip install jupyterlab anywidget)")
@unittest.skipUnless(program, "the program flipscope is not built")
class LabTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        folder, self.port = Path(scratch.name), 8900 + os.getpid() % 1000
        cell = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
        cells = [{**cell, "id": f"cell{i}", "source": source} for i, source in enumerate(CELLS)]
        notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": KERNEL}, "cells": cells}
        folder.joinpath("it.ipynb").write_text(json.dumps(notebook))
        variables = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")
        homes = {name: str(folder / ".home") for name in variables}
        self.server = subprocess.Popen(
            [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", f"--port={self.port}", "--port-retries=0",
             "--IdentityProvider.token=", "--expose-app-in-browser", "--LabApp.news_url=None", f"--notebook-dir={folder}"],
            env={**os.environ, **homes}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(self.stop)
        end = time.monotonic() + 60
        while True:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/api").close()
                return
            except OSError:
                self.assertLess(time.monotonic(), end, "JupyterLab did not start")
                time.sleep(0.2)

    def stop(self):
        self.server.terminate()
        try:
            self.server.wait(20)
        except subprocess.TimeoutExpired:
            self.server.kill()
            self.server.wait()

    def test_it_steps_and_selects_in_jupyterlab(self):
        with browsers.Browser(1280, 1300) as browser:
            browser.call("Page.navigate", url=f"http://127.0.0.1:{self.port}/lab/tree/it.ipynb")
            browser.wait_for("""Boolean(window.notebook = window.jupyterapp &&
              [...jupyterapp.shell.widgets('main')].find((one) => one.sessionContext))""")
            browser.wait_for("notebook.sessionContext.session?.kernel?.status === 'idle'")
            browser.evaluate("jupyterapp.shell.activateById(notebook.id)")
            browser.evaluate("jupyterapp.commands.execute('notebook:run-all-cells')")
            browser.wait_for("Boolean(window.app = document.querySelector('[data-lm-suppress-shortcuts]')?.app)")

            def kernel(expression):
                return json.loads(browser.evaluate("""(async () => {
                  const kernel = notebook.sessionContext.session.kernel, said = [];
                  const future = kernel.requestExecute({code: CODE});
                  future.onIOPub = ({content}) => said.push(content.text || (content.traceback || []).join(''));
                  await future.done;
                  return said.join('');
                })()""".replace("CODE", json.dumps(f"import json; print(json.dumps({expression}))"))))

            def set_selection(ids):
                kernel(f"setattr(shown, 'selection', {ids})")

            last = kernel("shown.step")
            self.assertEqual(last, kernel("shown.step_count") - 1)
            check_selecting(self, browser, "app", lambda name: kernel(f"shown.{name}.tolist()"), set_selection)
            self.assertEqual(kernel("str(shown.selection.dtype)"), "int64")
            end = time.monotonic() + 20
            browser.press("Home")
            browser.click(*places_of(browser, "app")[1])
            while (step := kernel("shown.step")) in (last, 0) and time.monotonic() < end:
                time.sleep(0.1)
            self.assertEqual(step, 1)
            self.assertEqual(f"{kernel('shown.hash'):016x}", browser.evaluate("app.step.hash"))
            kernel("setattr(shown, 'step', -1)")
            browser.wait_for(f"app.index === {last}")
            for theme, dark in (("JupyterLab Light", "false"), ("JupyterLab Dark", "true")):
                browser.evaluate(f"jupyterapp.commands.execute('apputils:change-theme', {{theme: '{theme}'}})")
                browser.wait_for(f"app.dark === {dark}")
                time.sleep(1)
                x, y = places_of(browser, "app")[0][9]  # the colour of a point that is not selected
                colour = colour_at(browser, x, y)
                self.assertEqual(sum(colour) > 500, dark == "true", colour)
                screenshot(browser, f"lab-{'dark' if dark == 'true' else 'light'}")
            cells = "notebook.content.widgets.length"
            before = browser.evaluate(cells)
            for element in ("canvas", "element"):
                browser.evaluate(f"app.byId('{element}').focus()")
                for kind in ("keyDown", "keyUp"):  # JupyterLab's key to cut a cell
                    browser.call("Input.dispatchKeyEvent", type=kind, key="x", code="KeyX", text="x", windowsVirtualKeyCode=88)
            self.assertEqual((browser.evaluate(cells), browser.evaluate("app.byId('element').value")), (before, "x"))
            self.assertEqual(browser.errors, [])


if __name__ == "__main__":
    if "--screenshots" in sys.argv:
        at = sys.argv.index("--screenshots")
        SHOTS = sys.argv[at + 1]
        del sys.argv[at : at + 2]
    unittest.main()
