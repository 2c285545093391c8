"""The checks of the gallery, on cases whose answers are known."""

import unittest

import exact_delaunay as exact

SQUARE = [(0, 0), (1, 0), (1, 1), (0, 1)]
HALVES = [(0, 1, 2), (0, 2, 3)]


class Facts(unittest.TestCase):
    def test_square_has_one_tie(self):
        self.assertEqual(
            exact.facts(SQUARE), {"points": 4, "duplicates": 0, "triangles": 2, "hull_edges": 4, "cocircular": 1}
        )

    def test_points_on_hull_edges_count(self):
        grid = [(x, y) for x in range(4) for y in range(3)]
        facts = exact.facts(grid)
        self.assertEqual((facts["triangles"], facts["hull_edges"]), (12, 10))

    def test_line_has_no_triangle(self):
        facts = exact.facts([(i, 2 * i) for i in (3, 0, 1, 2)])
        self.assertEqual((facts["triangles"], facts["hull_edges"], facts["cocircular"]), (0, 3, 0))

    def test_a_bit_above_a_line_is_no_line(self):
        facts = exact.facts([(0, 0), (1, 2.0**-1000), (2, 0)])
        self.assertEqual((facts["triangles"], facts["hull_edges"]), (1, 3))

    def test_copies(self):
        facts = exact.facts(SQUARE + SQUARE[:2])
        self.assertEqual((facts["points"], facts["duplicates"], facts["triangles"]), (6, 2, 2))

    def test_few_points(self):
        for points in ([], [(1, 1)], [(1, 1), (2, 3)]):
            self.assertEqual(exact.facts(points)["triangles"], 0)


class Complaints(unittest.TestCase):
    def finds(self, points, triangles, part):
        self.assertIn(part, "; ".join(exact.complaints(points, triangles)))

    def test_right_ones(self):
        self.assertEqual(exact.complaints(SQUARE, HALVES), [])
        self.assertEqual(exact.complaints(SQUARE, [(1, 0, 2), (0, 2, 3)]), [])  # whichever way round
        self.assertEqual(exact.complaints(SQUARE, [(0, 1, 3), (1, 2, 3)]), [])  # the other diagonal
        self.assertEqual(exact.complaints([(0, 0), (1, 1)], []), [])

    def test_missing(self):
        self.finds(SQUARE, HALVES[:1], "point 3 is in no triangle")
        self.finds(SQUARE, HALVES[:1], "2 of 4 hull edges are missing")

    def test_overlap(self):
        self.finds(SQUARE, HALVES + [(0, 1, 3)], "lies on another one")

    def test_flat(self):
        self.finds([(0, 0), (1, 0), (2, 0), (1, 1)], [(0, 1, 2), (0, 2, 3)], "triangle 0 (0, 1, 2) is flat")

    def test_illegal(self):
        points = [(0, 0), (4, 0), (5, 1), (1, 1)]
        self.assertEqual(exact.complaints(points, [(0, 1, 3), (1, 2, 3)]), [])
        self.finds(points, [(0, 1, 2), (0, 2, 3)], "1 edges are not Delaunay")

    def test_foreign_corner(self):
        self.finds(SQUARE, HALVES + [(0, 1, 4)], "there are 4 points")

    def test_hole(self):
        ring = [(0, 0), (6, 0), (3, 6), (2, 1), (4, 1), (3, 3)]
        self.finds(ring, [(0, 1, 3), (1, 4, 3), (1, 2, 4), (2, 5, 4), (2, 0, 5), (0, 3, 5)], "areas")


if __name__ == "__main__":
    unittest.main()
