"""Triangulates the points of a file with CDT (A. Amirkhanov), through its Python module, and writes the triangles.

    python3 cdt_delaunay.py POINTS TRIANGLES

POINTS: a point a line, `x y`. TRIANGLES: three indices a line, from 0. Needs the module `pythoncdt`. CDT refuses points
that are given twice, so this takes the first of equal points.
"""

import sys


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: cdt_delaunay.py POINTS TRIANGLES")
    try:
        import pythoncdt
    except ImportError as error:
        sys.exit(f"the module pythoncdt cannot be used: {error}")
    try:
        with open(sys.argv[1], encoding="ascii") as file:
            points = [tuple(map(float, line.split())) for line in file if line.strip()]
        first = {}
        for i, point in enumerate(points):
            first.setdefault(point, i)
        triangulation = pythoncdt.Triangulation(
            pythoncdt.VertexInsertionOrder.AUTO, pythoncdt.IntersectingConstraintEdges.NOT_ALLOWED, 0.0
        )
        triangulation.insert_vertices([pythoncdt.V2d(*point) for point in first])
        triangulation.erase_super_triangle()
        indices = list(first.values())
        triangles = [[indices[corner] for corner in triangle.vertices] for triangle in triangulation.triangles]
    except Exception as error:  # whatever it is, it is the library's
        sys.exit("CDT: " + str(error).strip().split("\n")[0])
    with open(sys.argv[2], "w", encoding="ascii") as out:
        for triangle in triangles:
            print(*triangle, file=out)


main()
