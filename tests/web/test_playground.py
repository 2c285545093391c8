#!/usr/bin/env python3
"""The playground: under Node its state hashes equal those of the native program; in Chromium its page works.

test_playground.py PROGRAM FOLDER [--screenshots FOLDER], FOLDER as scripts/web has made it. Exits with 77, skipped, where
Node is missing; the page is tested where Chromium is installed.
"""

import argparse
import json
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "app/page"))
import browser as browsers  # noqa: E402
from checks import check, end, output_of  # noqa: E402

LABS = ("serial", "build", "flip", "strips")
INPUTS = ([f"uniform:{n}@seed={seed}" for n in (0, 1, 2, 3, 4, 10, 57, 300) for seed in (1, 2)] +
          ["grid:49", "ring:40", "line:12", "duplicates:30", "near-grid:80", "near-ring:50", "blue-noise:60", "uniform:7000",
           "uniform:100@x=10000,y=10000"])
MOST_MS = 150


def native(program, lab, points):
    run = output_of(program, "run", lab, "--points", points, "--device", "cpu", "--threads", "1", "--json", "-")
    return json.loads(run)["state_hash"]


def check_hashes(program, folder):
    cases = [[lab, points, {}] for lab in LABS for points in INPUTS]
    done = subprocess.run(["node", HERE / "hashes.js", folder / "playground.js"], input=json.dumps(cases), text=True,
                          capture_output=True)
    if done.returncode != 0:
        raise SystemExit(done.stderr)
    for (lab, points, _), found in zip(cases, json.loads(done.stdout)):
        wanted = native(program, lab, points)
        check(found["hash"] == wanted, f"{lab} {points}: {found['hash']}, natively {wanted}")
    print(f"{len(cases)} hashes under Node")


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
            for lab in LABS[1:]:
                browser.evaluate(f"app.open('{lab}', 'uniform:100000')")
                took.append((browser.evaluate("app.source.state.ms"), lab))
        print("100,000 uniform points:", ", ".join(f"{lab} {ms:.0f} ms" for ms, lab in took))
        check(min(took)[0] <= MOST_MS, f"100,000 points take {min(took)[0]:.0f} ms")
        if shots:
            browser.screenshot(shots / "playground-large.png")
            browser.size(390, 844, phone=True)
            browser.evaluate("app.open('build', 'uniform:40'); app.finish()")
            browser.screenshot(shots / "playground-phone.png")
        check(not browser.errors, f"errors in the page: {browser.errors}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--screenshots", type=pathlib.Path)
    options = parser.parse_args()
    if not shutil.which("node") or not (options.folder / "playground.js").exists():
        print("skipped: Node is missing (Debian: apt install nodejs), or scripts/web has made nothing")
        sys.exit(77)
    check_hashes(options.program, options.folder.resolve())
    if browsers.installed():
        check_page(options.folder, options.screenshots)
    end(f"{len(LABS)} labs")


if __name__ == "__main__":
    main()
