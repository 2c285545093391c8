#!/usr/bin/env python3
"""Runs the recipes of assets/recipes on points and checks the triangles in whole numbers.

    tests/gallery/check_recipes.py RECIPE              on 20 points that any library should manage; 77: it is not there
    tests/gallery/check_recipes.py --table FOLDER      what each library makes of every .xy file of a folder

RECIPE: scipy_delaunay.py … or mine.cpp, a file of assets/recipes; those in C++ are compiled first.
Exit status: 0; 1 for complaints, one a line; 77 where the library or the compiler is missing, with the reason.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import exact_delaunay

RECIPES = Path(__file__).resolve().parents[2] / "assets" / "recipes"
LIMIT_S = 60
COMPILE = re.compile(r"^// +(g\+\+ .+)$", re.MULTILINE)

# Twenty points: four around sixteen. The hull is as plump as a square, for large triangles lose flat ones.
PLAIN = [(-30.25, -29), (61, -31.5), (59.75, 62), (-32, 58.125)]
PLAIN += [(7 * i % 20 + i / 64, (i * i * 13 + i) % 29 + i / 32) for i in range(16)]
# Points without a triangulation.
REFUSED = {"no points": [], "one point": [(1, 2)], "two points": [(1, 2), (3, 5)]}


class Missing(Exception):
    pass


def command_of(recipe, folder):
    """How it is started. Compiles it where it is C++, by the command in its first lines."""
    if recipe.suffix == ".py":
        return [sys.executable, "-B", str(recipe)]
    if not shutil.which("g++"):
        raise Missing("there is no g++")
    line = COMPILE.search(recipe.read_text(encoding="utf-8")).group(1).split()
    line = [str(recipe) if word == recipe.name else word for word in line]
    line = [str(folder / recipe.stem) if word == recipe.stem else word for word in line]
    made = subprocess.run(line, capture_output=True, text=True, check=False)
    if made.returncode != 0:
        wanted = re.search(r"fatal error: (\S+): No such file|cannot find -l(\w+)", made.stderr)
        if wanted:
            raise Missing(f"there is no {wanted.group(1) or wanted.group(2)}")
        sys.exit(f"{recipe.name} does not compile:\n{made.stderr}")
    return [str(folder / recipe.stem)]


def triangulated(command, points, folder, more=()):
    """(status, triangles, what it said)"""
    given, made = folder / "points.txt", folder / "triangles.txt"
    given.write_text("".join(f"{x:.17g} {y:.17g}\n" for x, y in points), encoding="ascii")
    made.unlink(missing_ok=True)
    try:
        ended = subprocess.run([*command, str(given), str(made), *more], capture_output=True, text=True,
                               timeout=LIMIT_S, check=False)
    except subprocess.TimeoutExpired:
        return "hangs", [], ""
    triangles = []
    if made.exists():
        triangles = [tuple(map(int, line.split())) for line in made.read_text().split("\n") if line.strip()]
    return ended.returncode, triangles, ended.stderr.strip()


def check(recipe):
    complaints = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        command = command_of(recipe, folder)
        status, triangles, said = triangulated(command, PLAIN, folder)
        if status == 1 and "cannot be used" in said:
            raise Missing(said)
        if status != 0:
            complaints.append(f"status {status}: {said}")
        complaints += exact_delaunay.complaints(PLAIN, triangles)
        for what, points in REFUSED.items():
            status, triangles, said = triangulated(command, points, folder)
            if triangles:
                complaints.append(f"{what}: {len(triangles)} triangles")
            if status not in (0, 1) or (status == 1 and not said):
                complaints.append(f"{what}: status {status}, and it says \"{said}\"")
            if "Traceback" in said:
                complaints.append(f"{what}: a traceback and no sentence")
        if subprocess.run(command, capture_output=True, check=False).returncode == 0:
            complaints.append("without files: status 0")
    return complaints


def verdict(status, triangles, points):
    if status == "hangs":
        return "hangs"
    if status != 0:
        return "refuses" if status == 1 else "crashes"
    wrong = exact_delaunay.complaints(points, triangles)
    if not wrong:
        return "right"
    kinds = [("lies on another", "overlaps"), ("is flat", "flat triangles"), ("is in no triangle", "points left out"),
             ("hull edges are missing", "hull incomplete"), ("not Delaunay", "not Delaunay")]
    return next((kind for part, kind in kinds if any(part in line for line in wrong)), "wrong")


def table(folder):
    columns = []
    with tempfile.TemporaryDirectory() as name:
        for recipe in sorted(RECIPES.glob("*.py")) + sorted(RECIPES.glob("*.cpp")):
            try:
                columns.append((recipe.stem, command_of(recipe, Path(name))))
            except Missing as missing:
                print(f"{recipe.name}: {missing}", file=sys.stderr)
        print("| Point set | " + " | ".join(stem for stem, _ in columns) + " |")
        print("|---" * (len(columns) + 1) + "|")
        for path in sorted(Path(folder).glob("*.xy")):
            points = exact_delaunay.read_points(path)
            row = []
            for _, command in columns:
                status, triangles, said = triangulated(command, points, Path(name))
                row.append("–" if "cannot be used" in said else verdict(status, triangles, points))
            print(f"| {path.stem} | " + " | ".join(row) + " |", flush=True)


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "--table":
        return table(sys.argv[2])
    if len(sys.argv) != 2 or not (RECIPES / sys.argv[1]).is_file():
        sys.exit(__doc__)
    try:
        complaints = check(RECIPES / sys.argv[1])
    except Missing as missing:
        print(f"skipped: {missing}")
        return 77
    for complaint in complaints:
        print(complaint)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
