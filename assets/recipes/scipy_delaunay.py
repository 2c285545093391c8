"""Triangulates points with SciPy (Qhull).

    python3 scipy_delaunay.py POINTS TRIANGLES [QHULL_OPTIONS]
    python3 scipy_delaunay.py

POINTS: one point per line, `x y`. TRIANGLES: three indices per line, from 0. Without file names the program reads sets
from standard input until the input ends: the number of points, then one point per line. For each set it writes the
number of triangles, then three indices per line. Needs NumPy and SciPy. Options of Qhull, such as "Qbb Qc Qz Q12" or
"QJ", replace SciPy's. If Qhull refuses the points, the program prints the first line of its error and ends with
status 1.
"""

import sys


def main():
    if len(sys.argv) not in (1, 3, 4):
        sys.exit("usage: scipy_delaunay.py [POINTS TRIANGLES [QHULL_OPTIONS]]")
    try:
        import numpy
        import scipy.spatial
    except ImportError as error:
        sys.exit(f"SciPy cannot be used: {error}")

    def triangles_of(points, options=None):
        return scipy.spatial.Delaunay(points, qhull_options=options).simplices

    try:
        if len(sys.argv) > 1:
            points = numpy.loadtxt(sys.argv[1], ndmin=2).reshape(-1, 2)
            options = sys.argv[3] if len(sys.argv) == 4 else None
            numpy.savetxt(sys.argv[2], triangles_of(points, options), fmt="%d")
            return
        for count in sys.stdin:
            points = numpy.array([sys.stdin.readline().split() for _ in range(int(count))], dtype=float).reshape(-1, 2)
            triangles = triangles_of(points)
            print(len(triangles))
            numpy.savetxt(sys.stdout, triangles, fmt="%d")
            sys.stdout.flush()
    except (OSError, ValueError) as error:
        sys.exit(f"SciPy: {error}")
    except scipy.spatial.QhullError as error:
        sys.exit("Qhull: " + str(error).strip().split("\n")[0])


main()
