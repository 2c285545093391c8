#!/usr/bin/env python3
"""Runs every scenario of assets/gallery without a window and holds the table of docs/gallery.md against what comes out.

    tests/gallery/check_gallery.py --flipscope build/app/flipscope            complains of what differs
    tests/gallery/check_gallery.py --flipscope build/app/flipscope --write    updates the table

A scenario is run twice: exactly, and as it says. The exact run must pass its check, its triangles must be Delaunay by
the whole numbers of exact_delaunay.py, and its numbers must be those that exact_delaunay.py finds without any
triangulation. Every scenario needs its points, a section in docs/gallery.md and a row in the table, and the other way
round.

Exit status: 0; 1 for complaints, one a line; 2 for wrong use.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import exact_delaunay

BEGIN, END = "<!-- measured by tests/gallery/check_gallery.py -->", "<!-- end -->"
HEAD = [
    "| Point set | Points | Duplicates | Triangles | Hull edges | Cocircular | Opens with | The check then finds |",
    "|---|---|---|---|---|---|---|---|",
]
EXACT = ["--set", "predicate=exact", "--set", "enclosure=infinity"]
WAYS = {
    "predicate=double": "doubles",
    "predicate=float": "single precision",
    "predicate=double-circumcentre": "circumcentres in doubles",
    "predicate=float-circumcentre": "circumcentres in single precision",
    "enclosure=supertriangle": "large triangle",
}


class Complaint(Exception):
    pass


def run(program, scenario, more):
    command = [program, "run", str(scenario), "--device", "cpu", "--check", "--json", "-", *more]
    made = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    if made.returncode not in (0, 1) or not made.stdout:
        raise Complaint(f"{scenario.name}: status {made.returncode}: {made.stderr.strip()}")
    report = json.loads(made.stdout)
    if (made.returncode == 0) != report["check"]["passed"]:
        raise Complaint(f"{scenario.name}: status {made.returncode}, and the check says {report['check']['passed']}")
    return report


def triangles_of(path):
    """Of an .ele file that counts from 0."""
    rows = [line.split("#")[0].split() for line in path.read_text(encoding="ascii").split("\n")]
    return [tuple(map(int, row[1:4])) for row in [row for row in rows if row][1:]]


def found_by(report):
    """What the check lists, by kind: "15 triangles: 5 illegal edges"."""
    count = report["triangles"]
    begin = f"{count} triangle{'' if count == 1 else 's'}"
    if report["check"]["passed"]:
        return f"{begin}: Delaunay"
    kinds = Counter(failure["code"] for failure in report["failures"])
    if sum(kinds.values()) != report["check"]["counts"]["failures"]:
        raise Complaint(f"{report['input']}: not all failures are listed")
    listed = [f"{n} {code.replace('-', ' ')}{'' if n == 1 else 's'}" for code, n in sorted(kinds.items())]
    return f"{begin}: {', '.join(listed)}"


def row_of(program, scenario):
    """The row of a scenario, measured; throws Complaint where program and whole numbers differ."""
    name = scenario.stem
    asked = json.loads(scenario.read_text(encoding="utf-8"))
    points_file = scenario.parent / asked["input"]
    if not points_file.is_file():
        raise Complaint(f"{scenario.name}: there is no {asked['input']}")
    for key in ("title", "note", "at"):
        if key not in asked:
            raise Complaint(f"{scenario.name}: there is no \"{key}\"")
    points = exact_delaunay.read_points(points_file)
    with tempfile.TemporaryDirectory() as folder:
        exported = Path(folder) / "exact.ele"
        exact = run(program, scenario, [*EXACT, "--export", str(exported)])
        triangles = triangles_of(exported) if exported.exists() else []
    wrong = exact_delaunay.complaints(points, triangles)
    if wrong or not exact["check"]["passed"]:
        raise Complaint(f"{name}: the exact triangulation is wrong: {'; '.join(wrong) or exact['check']['sentence']}")
    facts = exact_delaunay.facts(points)
    for key in ("points", "duplicates", "triangles", "hull_edges"):
        if exact[key] != facts[key]:
            raise Complaint(f"{name}: {key}: the program says {exact[key]}, whole numbers {facts[key]}")
    settings = [f"{key}={value}" for key, value in asked.get("parameters", {}).items()]
    ways = ", ".join(WAYS.get(setting, f"`{setting}`") for setting in settings) or "exact predicates"
    numbers = [str(facts[key]) for key in ("points", "duplicates", "triangles", "hull_edges", "cocircular")]
    return "| " + " | ".join([f"[{name}](#{name})", *numbers, ways, found_by(run(program, scenario, []))]) + " |"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--flipscope", required=True)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    root = Path(__file__).resolve().parents[2]
    page = root / "docs" / "gallery.md"
    scenarios = sorted((root / "assets" / "gallery").glob("*.json"))
    text = page.read_text(encoding="utf-8")
    complaints, rows = [], []
    assert scenarios
    for scenario in scenarios:
        try:
            rows.append(row_of(options.flipscope, scenario))
        except Complaint as complaint:
            complaints.append(str(complaint))
    if text.count(BEGIN) != 1 or END not in text.split(BEGIN)[1]:
        sys.exit(f"docs/gallery.md: no table between {BEGIN} and {END}")
    before, rest = text.split(BEGIN)
    table, after = rest.split(END, 1)
    if options.write and not complaints:
        page.write_text(f"{before}{BEGIN}\n" + "\n".join(HEAD + rows) + f"\n{END}{after}", encoding="utf-8")
    elif not options.write:
        shown = table.strip().split("\n")
        complaints += [f"docs/gallery.md: no row is\n  {row}" for row in HEAD + rows if row not in shown]
        complaints += [f"docs/gallery.md: measured is no\n  {row}" for row in shown if row not in HEAD + rows]
    names = [scenario.stem for scenario in scenarios]
    sections = re.findall(r"^### (\S+)$", after, re.MULTILINE)
    complaints += [f"docs/gallery.md: no section ### {name}" for name in names if name not in sections]
    complaints += [f"docs/gallery.md: ### {name}: there is no such scenario" for name in sections if name not in names]
    inputs = {path.stem for path in (root / "assets" / "gallery").glob("*.xy")}
    complaints += [f"assets/gallery/{name}.xy: no scenario opens it" for name in sorted(inputs - set(names))]
    for complaint in complaints:
        print(complaint)
    if not complaints:
        print(f"{len(scenarios)} scenarios, {len(rows)} rows")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
