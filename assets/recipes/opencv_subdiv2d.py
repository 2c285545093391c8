"""Triangulates the points of a file with OpenCV's Subdiv2D and writes the triangles.

    python3 opencv_subdiv2d.py POINTS TRIANGLES

POINTS: a point a line, `x y`. TRIANGLES: three indices a line, from 0. Needs NumPy and OpenCV. Subdiv2D works in single
precision within a rectangle of whole numbers, so the rectangle is the box of the points with a margin as wide as it and
more than the points are rounded by, and points that are equal as floats are one. A triangle whose corner is no point of the input is one with a corner of Subdiv2D's own
outer triangle, and is left out.
"""

import math
import sys


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: opencv_subdiv2d.py POINTS TRIANGLES")
    try:
        import cv2
        import numpy
    except ImportError as error:
        sys.exit(f"OpenCV cannot be used: {error}")
    try:
        points = numpy.loadtxt(sys.argv[1], ndmin=2).reshape(-1, 2)
        if len(points) == 0:
            sys.exit("OpenCV: there are no points")
        low, high = points.min(axis=0), points.max(axis=0)
        rounding = float(numpy.spacing(numpy.float32(abs(points).max())))
        margin = math.ceil(max(1.0, float((high - low).max()), 64 * rounding))
        left, bottom = (math.floor(v) - margin for v in low)
        width, height = (math.ceil(v) + margin + 1 - first for v, first in zip(high, (left, bottom)))
        if abs(points).max() > numpy.finfo(numpy.float32).max:
            sys.exit("OpenCV: a coordinate is too large for single precision")
        division = cv2.Subdiv2D((left, bottom, width, height))
        index = {}
        for i, (x, y) in enumerate(numpy.float32(points).tolist()):
            division.insert((x, y))
            index.setdefault((x, y), i)
        made = division.getTriangleList()
    except (OSError, ValueError, OverflowError, cv2.error) as error:
        sys.exit("OpenCV: " + str(error).strip().split("\n")[0])
    with open(sys.argv[2], "w", encoding="ascii") as out:
        for x0, y0, x1, y1, x2, y2 in numpy.asarray(made).reshape(-1, 6).tolist():
            corners = [index.get(corner) for corner in ((x0, y0), (x1, y1), (x2, y2))]
            if None not in corners:
                print(*corners, file=out)


main()
