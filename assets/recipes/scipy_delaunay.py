"""Triangulates the points of a file with SciPy (Qhull) and writes the triangles.

    python3 scipy_delaunay.py POINTS TRIANGLES [QHULL_OPTIONS]

POINTS: a point a line, `x y`. TRIANGLES: three indices a line, from 0. Needs NumPy and SciPy. Options of Qhull, such as
"Qbb Qc Qz Q12" or "QJ", take the place of SciPy's. What Qhull refuses ends with its first sentence and status 1.
"""

import sys


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit("usage: scipy_delaunay.py POINTS TRIANGLES [QHULL_OPTIONS]")
    try:
        import numpy
        import scipy.spatial
    except ImportError as error:
        sys.exit(f"SciPy cannot be used: {error}")
    try:
        points = numpy.loadtxt(sys.argv[1], ndmin=2).reshape(-1, 2)
        options = sys.argv[3] if len(sys.argv) == 4 else None
        triangles = scipy.spatial.Delaunay(points, qhull_options=options).simplices
    except (OSError, ValueError) as error:
        sys.exit(f"SciPy: {error}")
    except scipy.spatial.QhullError as error:
        sys.exit("Qhull: " + str(error).strip().split("\n")[0])
    numpy.savetxt(sys.argv[2], triangles, fmt="%d")


main()
