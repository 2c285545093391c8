"""Triangulates the points of a file with Triangle (J. R. Shewchuk), through its Python module, and writes the triangles.

    python3 triangle_delaunay.py POINTS TRIANGLES [SWITCHES]

POINTS: a point a line, `x y`. TRIANGLES: three indices a line, from 0. Needs NumPy and the module `triangle`. SWITCHES
are Triangle's: none for divide and conquer, "i" for incremental insertion, "F" for the sweep line.
"""

import sys


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit("usage: triangle_delaunay.py POINTS TRIANGLES [SWITCHES]")
    try:
        import numpy
        import triangle
    except ImportError as error:
        sys.exit(f"the module triangle cannot be used: {error}")
    try:
        points = numpy.loadtxt(sys.argv[1], ndmin=2).reshape(-1, 2)
        if len(points) < 3:
            sys.exit(f"Triangle takes three points or more, and there are {len(points)}")  # its own exit is less polite
        made = triangle.triangulate({"vertices": points}, sys.argv[3] if len(sys.argv) == 4 else "")
    except (OSError, ValueError, RuntimeError) as error:
        sys.exit(f"Triangle: {error}")
    if "triangles" not in made:
        sys.exit("Triangle made no triangles")
    numpy.savetxt(sys.argv[2], made["triangles"], fmt="%d")


main()
