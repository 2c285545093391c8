"""Triangulates the points of a file with Dylaunator, Delaunator in Python, and writes the triangles.

    python3 dylaunator_delaunay.py POINTS TRIANGLES

POINTS: a point a line, `x y`. TRIANGLES: three indices a line, from 0. Needs the module `dylaunator`, a port of the
JavaScript library Delaunator 5. Where it finds no triangle, that is the answer: an empty file.
"""

import sys


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: dylaunator_delaunay.py POINTS TRIANGLES")
    try:
        from dylaunator import Delaunator
    except ImportError as error:
        sys.exit(f"the module dylaunator cannot be used: {error}")
    try:
        with open(sys.argv[1], encoding="ascii") as file:
            points = [tuple(map(float, line.split())) for line in file if line.strip()]
        made = Delaunator([value for point in points for value in point]).triangles
    except Exception as error:  # whatever it is, it is the library's
        sys.exit(f"Dylaunator: {type(error).__name__}: {error}")
    with open(sys.argv[2], "w", encoding="ascii") as out:
        for i in range(0, len(made), 3):
            print(*(int(corner) for corner in made[i : i + 3]), file=out)


main()
