"""What is true of a set of points, and whether triangles are their Delaunay triangulation: in whole numbers, exactly.

Coordinates are doubles, which are fractions with a power of two below the line; times the largest of these they are
whole numbers of Python, and no sign is ever rounded. Shares nothing with the program, so that each can be held against
the other. Meant for some hundred points: the hull is found by sorting, cocircular quadruples by trying all.
"""

from fractions import Fraction
from itertools import combinations


def read_points(path):
    """Of a file with `x y` a line, and # before a comment."""
    points = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            words = line.split("#")[0].replace(",", " ").split()
            if words:
                points.append((float(words[0]), float(words[1])))
    return points


def whole(points):
    """The same points in whole numbers: times one power of two."""
    exact = [(Fraction(x), Fraction(y)) for x, y in points]
    scale = max((value.denominator for point in exact for value in point), default=1)
    return [(int(x * scale), int(y * scale)) for x, y in exact]


def orientation(a, b, c):
    """Above 0: a, b, c turn counter-clockwise; 0: they lie on one line."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def in_circle(a, b, c, d):
    """For counter-clockwise a, b, c. Above 0: d lies inside their circle; 0: on it."""
    rows = [(p[0] - d[0], p[1] - d[1]) for p in (a, b, c)]
    (ax, ay), (bx, by), (cx, cy) = rows
    return (
        (ax * ax + ay * ay) * (bx * cy - cx * by)
        - (bx * bx + by * by) * (ax * cy - cx * ay)
        + (cx * cx + cy * cy) * (ax * by - bx * ay)
    )


def hull(points):
    """Counter-clockwise, with the points that lie on its edges; of distinct whole points. Collinear: there and back."""
    ordered = sorted(points)

    def chain(run):
        made = []
        for point in run:
            while len(made) > 1 and orientation(made[-2], made[-1], point) < 0:
                made.pop()
            made.append(point)
        return made

    lower, upper = chain(ordered), chain(reversed(ordered))
    return lower[:-1] + upper[:-1]


def facts(points):
    """Numbers that every Delaunay triangulation of these points shares."""
    exact = sorted(set(whole(points)))
    found = {"points": len(points), "duplicates": len(points) - len(exact)}
    around = hull(exact)
    flat = all(orientation(around[0], around[1], p) == 0 for p in around) if len(around) > 1 else True
    found["triangles"] = 0 if flat else 2 * len(exact) - 2 - len(around)
    found["hull_edges"] = max(len(exact) - 1, 0) if flat else len(around)
    found["cocircular"] = 0 if flat else cocircular(exact)
    return found


def cocircular(exact):
    """Sets of four points on one circle. No three points of a circle lie on a line, so flat triples can be passed by."""
    count = 0
    for i, j, k in combinations(range(len(exact)), 3):
        a, b, c = exact[i], exact[j], exact[k]
        if orientation(a, b, c) != 0:
            count += sum(in_circle(a, b, c, exact[m]) == 0 for m in range(k + 1, len(exact)))
    return count


def complaints(points, triangles):
    """What is wrong with triangles, given by indices of the points, as a Delaunay triangulation; [] for nothing. Which
    way they turn does not matter, nor which of equal points they name, nor how cocircular points are joined."""
    exact = whole(points)
    distinct = set(exact)
    wrong, opposite = [], {}
    area = 0
    for index, triangle in enumerate(triangles):
        if not all(0 <= corner < len(points) for corner in triangle):
            wrong.append(f"triangle {index} {tuple(triangle)}: there are {len(points)} points")
            continue
        a, b, c = (exact[corner] for corner in triangle)
        turn = orientation(a, b, c)
        if turn == 0:
            wrong.append(f"triangle {index} {tuple(triangle)} is flat")
            continue
        if turn < 0:
            b, c = c, b
        area += abs(turn)
        for edge, third in (((a, b), c), ((b, c), a), ((c, a), b)):
            if edge in opposite:
                wrong.append(f"triangle {index} {tuple(triangle)} lies on another one")
            opposite[edge] = third
    used = {point for edge in opposite for point in edge}
    around = hull(sorted(distinct))
    flat = len(around) < 3 or all(orientation(around[0], around[1], p) == 0 for p in around)
    if flat:
        return wrong + (["there are triangles of points on one line"] if triangles else [])
    for point in sorted(distinct - used):
        wrong.append(f"point {exact.index(point)} is in no triangle")
    edges = {(around[i - 1], around[i]) for i in range(len(around))}
    outer = {edge for edge in opposite if (edge[1], edge[0]) not in opposite}
    if edges - outer:
        wrong.append(f"{len(edges - outer)} of {len(edges)} hull edges are missing")
    if outer - edges:
        wrong.append(f"{len(outer - edges)} outer edges are not on the hull")
    whole_area = sum(
        around[i - 1][0] * around[i][1] - around[i - 1][1] * around[i][0] for i in range(len(around))
    )
    if area != whole_area:
        wrong.append("the areas of the triangles do not add up to that of the hull")
    illegal = 0
    for (a, b), c in opposite.items():
        d = opposite.get((b, a))
        if d is not None and a < b and in_circle(a, b, c, d) > 0:
            illegal += 1
    if illegal:
        wrong.append(f"{illegal} edges are not Delaunay")
    return wrong
