"""Triangulates the points of a file with Shapely (GEOS) and writes the triangles.

    python3 shapely_delaunay.py POINTS TRIANGLES [TOLERANCE]

POINTS: a point a line, `x y`. TRIANGLES: three indices a line, from 0. Needs NumPy and Shapely. GEOS gives polygons;
their corners are coordinates of the input, of which the first point that has them is named. TOLERANCE (0) is GEOS's
snapping distance. Where GEOS finds no triangle, that is the answer: an empty file.
"""

import sys


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit("usage: shapely_delaunay.py POINTS TRIANGLES [TOLERANCE]")
    try:
        import numpy
        from shapely.geometry import MultiPoint
        from shapely.ops import triangulate
    except ImportError as error:
        sys.exit(f"Shapely cannot be used: {error}")
    tolerance = float(sys.argv[3]) if len(sys.argv) == 4 else 0.0
    try:
        points = numpy.loadtxt(sys.argv[1], ndmin=2).reshape(-1, 2)
        polygons = triangulate(MultiPoint(points.tolist()), tolerance)
    except Exception as error:  # GEOS's have names that differ between versions
        sys.exit(f"Shapely: {error}")
    index = {}
    for i, (x, y) in enumerate(points.tolist()):
        index.setdefault((x, y), i)
    with open(sys.argv[2], "w", encoding="ascii") as out:
        for polygon in polygons:
            corners = list(polygon.exterior.coords)[:3]
            try:
                print(*[index[corner] for corner in corners], file=out)
            except KeyError as missing:
                sys.exit(f"GEOS made a corner {missing} that is no point of the input")


main()
