"""Triangulates the points of a file with matplotlib.tri (Qhull of its own) and writes the triangles.

    python3 matplotlib_tri.py POINTS TRIANGLES

POINTS: a point a line, `x y`. TRIANGLES: three indices a line, from 0. Needs NumPy and matplotlib.
"""

import sys


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: matplotlib_tri.py POINTS TRIANGLES")
    try:
        import numpy
        from matplotlib.tri import Triangulation
    except ImportError as error:
        sys.exit(f"matplotlib cannot be used: {error}")
    try:
        points = numpy.loadtxt(sys.argv[1], ndmin=2).reshape(-1, 2)
        triangles = Triangulation(points[:, 0], points[:, 1]).triangles
    except (OSError, ValueError, RuntimeError) as error:
        sys.exit(f"matplotlib: {error}")
    numpy.savetxt(sys.argv[2], triangles, fmt="%d")


main()
