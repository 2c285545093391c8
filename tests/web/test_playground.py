#!/usr/bin/env python3
"""The playground: under Node its states and structures equal those of the native program; in Chromium its page works.

test_playground.py PROGRAM FOLDER [--screenshots FOLDER], FOLDER as scripts/web has made it. Exits with 77, skipped, where
Node is missing; the page is tested where Chromium is installed.
"""

import argparse
import csv
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "app/page"))
import browser as browsers  # noqa: E402
from checks import check, end, output_of  # noqa: E402

LABS = ("serial", "build", "flip", "strips")
INPUTS = ([f"uniform:{n}@seed={seed}" for n in (0, 1, 2, 3, 4, 10, 57, 300) for seed in (1, 2)] +
          ["grid:49", "ring:40", "line:12", "duplicates:30", "near-grid:80", "near-ring:50", "blue-noise:60", "uniform:7000",
           "uniform:100@x=10000,y=10000"])
STRUCTURES = ("hull", "nearest", "mst", "rng", "gabriel", "beta-skeleton", "alpha-shape", "voronoi")
BETA, ALPHA = 1.3, 0.07
MOST_MS = 150
MOST_STEP_MS = 4000  # of 100,000 points with its picture, on any machine that runs tests


def native(program, lab, points, folder, structures):
    """The state hash and the lines of a file for each structure."""
    files = [folder / f"{one}.csv" for one in structures]
    exports = [word for file in files for word in ("--export", file)]
    run = output_of(program, "run", lab, "--points", points, "--device", "cpu", "--threads", "1", "--json", "-",
                    "--beta", BETA, "--alpha", ALPHA, *exports)
    return json.loads(run)["state_hash"], {file.stem: list(csv.DictReader(file.open())) for file in files}


def check_structures(name, found, lines):
    """Edges by the places of their ends; of Voronoi edges only finite ends, whose places are rounded."""
    def numbers(place):
        return tuple(round((at - low) / found["unit"]) for at, low in zip(place, found["low"]))
    for one, wanted in lines.items():
        shown = found["structures"].get(one, [])
        if one == "voronoi":
            ends = {tuple(edge[k:k + 2]) for edge in shown for k in (0, 2)}
            near = {(x + dx, y + dy) for x, y in ends for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
            places = {numbers((float(line[x]), float(line[y]))) for line in wanted for x, y in (("x1", "y1"), ("x2", "y2"))
                      if line[x]}
            beyond = 20 << 20  # of the view's side: there the drawn edges end
            is_same = len(shown) <= len(wanted) and near.issuperset(
                place for place in places if all(-beyond < at < beyond for at in place))
        else:
            rows = [sorted(numbers(found["points"][int(line[end])]) for end in ("from", "to")) for line in wanted]
            is_same = sorted(rows) == sorted(sorted((tuple(edge[:2]), tuple(edge[2:]))) for edge in shown)
        check(is_same, f"{name}, {one}: {len(shown)} edges, natively {len(wanted)}, or others")


def check_states(program, folder):
    cases = [[lab, points] for lab in LABS for points in INPUTS]
    request = {"cases": cases, "display": dict.fromkeys(STRUCTURES, True), "beta": BETA, "alpha": ALPHA}
    done = subprocess.run(["node", HERE / "hashes.js", folder / "playground.js"], input=json.dumps(request), text=True,
                          capture_output=True)
    if done.returncode != 0:
        raise SystemExit(done.stderr)
    compared = 0
    with tempfile.TemporaryDirectory() as scratch:
        for (lab, points), found in zip(cases, json.loads(done.stdout)):
            has_graphs = lab == "strips" and len(found["points"]) > 2
            wanted, lines = native(program, lab, points, pathlib.Path(scratch), STRUCTURES if has_graphs else ())
            check(found["hash"] == wanted, f"{lab} {points}: {found['hash']}, natively {wanted}")
            check_structures(f"{lab} {points}", found, lines)
            compared += len(lines)
    check(compared > 0, "no structures are compared")
    print(f"{len(cases)} hashes and {compared} structures under Node")


def check_page(folder, shots):
    with browsers.Browser() as browser:
        browser.open(folder / "playground.html")
        words = "document.getElementById('words').innerText"
        check("The start" in browser.evaluate(words), "the page shows a start")
        browser.press("ArrowRight")
        check("Pass 1" in browser.evaluate(words), f"a key steps: {browser.evaluate(words)}")
        browser.evaluate("app.choose({kind: 0, id: 0, part: 0})")
        check("vertex 0" in browser.evaluate("document.getElementById('explanation').innerText"), "a vertex is explained")
        browser.evaluate("app.finish()")
        at_end = browser.evaluate("app.step.hash")
        browser.press("ArrowLeft")
        browser.press("ArrowRight")
        check(browser.evaluate("app.step.hash") == at_end, "back and forward lead to the same state")
        middle = browser.evaluate("(() => { const b = document.getElementById('canvas').getBoundingClientRect();"
                                  " return [b.left + b.width / 2, b.top + b.height / 2]; })()")
        browser.evaluate("app.take('add')")
        count = "app.step.views[0].layers.find((layer) => layer.id === 'points').count"
        before = browser.evaluate(count)
        browser.click(*middle)
        check(browser.evaluate(count) == before + 1, f"a click adds a point: {browser.evaluate(count)} after {before}")
        browser.evaluate("app.take('remove')")
        browser.click(*middle)
        check(browser.evaluate(count) == before, f"a click removes it: {browser.evaluate(count)}")
        browser.evaluate("app.open('serial', 'uniform:4'); app.take('add')")
        browser.click(*middle)
        check(browser.evaluate(count) == 5, f"a point is shown before the first pass: {browser.evaluate(count)} of 5")
        browser.evaluate("app.open('strips', 'uniform:4'); app.play(Infinity)")
        browser.wait_for("!app.playing && app.source.state.done", 30)
        check(browser.pdf().count(b"/Type /Page\n") == 1, "the present step is printed")
        browser.evaluate("app.open('build', 'uniform:30'); app.finish(); app.take('move')")
        place = ("(() => { const layer = app.step.views[0].layers.find((one) => one.id === 'points');"
                 " const at = app.source.array(layer.places), b = document.getElementById('canvas').getBoundingClientRect();"
                 " return [b.left + app.projected[0].x(at[6]), b.top + app.projected[0].y(at[7])]; })()")
        x, y = browser.evaluate(place)
        browser.drag(x, y, 12, 9)
        moved = browser.evaluate(place)
        check(abs(moved[0] - x - 12) < 2 and abs(moved[1] - y - 9) < 2, f"a drag moves a point from {x}, {y} to {moved}")
        if shots:
            browser.screenshot(shots / "playground.png")
        took = []
        for _ in range(3):
            for lab in LABS:
                browser.evaluate(f"app.open('{lab}', 'uniform:100000'); app.finish()")
                took.append((browser.evaluate("app.source.state.ms"), lab))
        print("100,000 uniform points:", ", ".join(f"{lab} {ms:.0f} ms" for ms, lab in took))
        check(min(took)[0] <= MOST_MS, f"100,000 points take {min(took)[0]:.0f} ms")
        check_large(browser)
        if shots:
            browser.screenshot(shots / "playground-large.png")
            browser.size(390, 844, phone=True)
            browser.evaluate("app.open('build', 'uniform:40'); app.finish()")
            browser.screenshot(shots / "playground-phone.png")
        check(not browser.asked(), f"the page requests {browser.asked()}")
        check(not browser.errors, f"errors in the page: {browser.errors}")


def check_large(browser):
    """Steps, structures and edits of 100,000 points, each with its picture."""
    def took(act):
        return browser.evaluate("(() => { const begin = performance.now(); " + act + "; app.painter.context.getImageData(0, 0, 1, 1);"
                                " return performance.now() - begin; })()")
    browser.evaluate("app.open('build', 'uniform:100000'); app.finish()")
    last, at_end = browser.evaluate("app.index"), browser.evaluate("app.step.hash")
    times = {"back": took("app.back()"), "forward": took("app.forward()"), "gabriel": took("app.show('gabriel', true)"),
             "edge": took("app.choose({kind: 1, id: 7, part: 0})"), "add": took("app.edit({kind: 'add', x: 0.5, y: 0.5})"),
             "move": took("app.edit({kind: 'move', id: 5, x: 0.6, y: 0.6})"), "remove": took("app.edit({kind: 'remove', id: 6})")}
    print("with the picture:", ", ".join(f"{name} {ms:.0f} ms" for name, ms in times.items()))
    check(browser.evaluate("app.index") == last + 3, "three edits are three steps")
    browser.evaluate(f"app.go({last})")
    check(browser.evaluate("app.step.hash") == at_end, "the way back leads to the same state")
    check(max(times.values()) < MOST_STEP_MS, f"a step takes {max(times.values()):.0f} ms")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--screenshots", type=pathlib.Path)
    options = parser.parse_args()
    if not shutil.which("node") or not (options.folder / "playground.js").exists():
        print("skipped: Node is missing (Debian: apt install nodejs), or scripts/web has made nothing")
        sys.exit(77)
    check_states(options.program, options.folder.resolve())
    if browsers.installed():
        check_page(options.folder, options.screenshots)
    end(f"{len(LABS)} labs")


if __name__ == "__main__":
    main()
