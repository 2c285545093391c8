#!/usr/bin/env python3
"""Pages in a real browser: every step of every lesson, compared with the native run; stepping, clicking, printing.

test_pages.py PROGRAM [--screenshots FOLDER]. Exits with 77, skipped, where no Chromium is installed.
"""

import argparse
import json
import pathlib
import sys
import tempfile

import browser as browsers
from checks import check, end, output_of

ROOT = pathlib.Path(__file__).resolve().parents[3]
MOST_BYTES = 3_000_000


STATE = """(() => {
  const step = app.step, counts = {};
  for (const row of document.querySelectorAll('.layer')) {
    const [, title, count] = row.children;
    counts[title.textContent] = Number(count.textContent.replaceAll(',', ''));
  }
  const views = (step.views || []).slice(step.first);
  return {hash: step.hash, position: step.position, words: document.getElementById('words').innerText, counts,
          layers: views.map((view) => view.layers.map((layer) => [layer.id, layer.count])),
          place: document.getElementById('place').textContent, images: (step.images || []).length};
})()"""


def check_lesson(browser, program, lesson, folder, shots):
    page = folder / (lesson.stem + ".html")
    native = json.loads(output_of(program, "run", lesson, "--device", "cpu", "--export", page, "--json", "-"))
    check(page.stat().st_size <= MOST_BYTES, f"{page.name}: {page.stat().st_size} bytes")
    browser.open(page)
    for index, step in enumerate(native["steps"]):
        if index > 0:
            browser.evaluate("app.go(app.next(1))")
        shown, name = browser.evaluate(STATE), f"{lesson.stem}, step {index + 1}"
        check(shown["hash"] == step["state_hash"], f"{name}: hash {shown['hash']}, natively {step['state_hash']}")
        check(shown["position"] == step["passes"], f"{name}: pass {shown['position']}, natively {step['passes']}")
        check(step["caption"] in shown["words"], f"{name}: the caption is missing in {shown['words']!r}")
        check(shown["place"] == f"{index + 1} / {len(native['steps'])}", f"{name}: place {shown['place']}")
        check(shown["images"] > 0 or shown["layers"] == step["layers"],
              f"{name}: layers {shown['layers']}, natively {step['layers']}")
        if shots:
            browser.screenshot(shots / f"{lesson.stem}-{index + 1:02}.png")
    return page


def check_hands(browser, page, steps):
    """Keys, a click on the answer, a swipe, printing, of lesson 1."""
    browser.open(page)
    last = str(len(steps))
    where = "document.getElementById('place').textContent.split(' ')[0]"
    for key, place in ((" ", "2"), ("ArrowRight", "3"), ("ArrowLeft", "2"), ("End", last), ("Home", "1")):
        browser.press(key)
        check(browser.evaluate(where) == place, f"key {key!r} leads to {browser.evaluate(where)}, not {place}")
    asks = next(i for i, step in enumerate(steps) if step.get("question", {}).get("element") == "edge:0")
    browser.evaluate(f"app.go({asks})")
    middle = """((id) => {
      const layer = app.layerOf(app.step.views[0], 1), ends = app.source.array(layer.ends), at = app.source.array(layer.places);
      const box = document.getElementById('canvas').getBoundingClientRect(), p = app.projected[0];
      const half = (k) => (at[2 * ends[2 * id] + k] + at[2 * ends[2 * id + 1] + k]) / 2;
      return [box.left + p.x(half(0)), box.top + p.y(half(1))];
    })"""
    browser.click(*browser.evaluate(middle + "(2)"))
    check("Not edge 2" in browser.evaluate("document.getElementById('words').innerText"), "a wrong answer is judged")
    browser.click(*browser.evaluate(middle + "(0)"))
    words = browser.evaluate("document.getElementById('words').innerText")
    check("This one: the new point" in words, f"the right answer is judged: {words}")
    explained = browser.evaluate("document.getElementById('explanation').innerText")
    check("edge 0" in explained and "illegal" in explained, f"edge 0 is explained: {explained}")
    browser.evaluate("document.querySelector('#layers input').click()")
    check(browser.evaluate("Object.keys(app.display).length") == 1, "a layer can be hidden")
    browser.size(390, 844, phone=True)
    browser.evaluate("app.go(1)")
    browser.swipe(300, 250, -150)
    check(browser.evaluate(where) == "3", "a swipe goes forward")
    browser.size(1280, 800)
    check(browser.pdf().count(b"/Type /Page\n") == len(steps), f"not {last} slides are printed")


def check_graph(browser, program, page):
    """A run that shows a graph in place of the edges, which has no triangulation at first."""
    output_of(program, "run", "strips", "--points", "uniform:20", "--device", "cpu", "--show", "gabriel,circumcentres",
              "--hide", "edges", "--export", page)
    browser.open(page)
    browser.press("End")
    edge = browser.evaluate("""(() => {
      const view = app.step.views[0], one = view.layers.find((layer) => layer.id === 'gabriel'), p = app.projected[0];
      const ends = app.source.array(one.ends), at = app.source.array(one.places);
      const half = (k) => (at[2 * ends[0] + k] + at[2 * ends[1] + k]) / 2;
      const found = app.pick(p.x(half(0)), p.y(half(1)), 1), edges = app.layerOf(view, 1);
      return {found, wanted: [ends[0], ends[1]], ends: found && app.source.array(edges.ends).slice(2 * found.id, 2 * found.id + 2)};
    })()""")
    check(edge["found"]["kind"] == 1 and edge["ends"] == edge["wanted"], f"an edge of the graph is found: {edge}")
    check(browser.evaluate("app.layerOf(app.step.views[0], 0).id") == "points", "circumcentres are no vertices")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--screenshots", type=pathlib.Path)
    options = parser.parse_args()
    if not browsers.installed():
        print("skipped: no Chromium is installed (Debian: apt install chromium)")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as scratch, browsers.Browser() as browser:
        folder = pathlib.Path(scratch)
        if options.screenshots:
            options.screenshots.mkdir(parents=True, exist_ok=True)
        lessons = sorted((ROOT / "assets/lessons").glob("*.json"))
        pages = [check_lesson(browser, options.program, lesson, folder, options.screenshots) for lesson in lessons]
        check_hands(browser, pages[0], json.loads(lessons[0].read_text())["steps"])
        check_graph(browser, options.program, folder / "graph.html")
        check(not browser.errors, f"errors in the page: {browser.errors}")
        check(not browser.asked(), f"the page requests {browser.asked()}")
    end(f"{len(pages)} lessons")


if __name__ == "__main__":
    main()
