"""The checks of the gallery, on triangles whose faults are known. check_gallery.py compares facts() with the program's."""

import unittest

import exact_delaunay as exact

SQUARE = [(0, 0), (1, 0), (1, 1), (0, 1)]
HALVES = [(0, 1, 2), (0, 2, 3)]
KITE = [(0, 0), (4, 0), (5, 1), (1, 1)]
RING = [(0, 0), (6, 0), (3, 6), (2, 1), (4, 1), (3, 3)]


class Complaints(unittest.TestCase):
    def test_right_ones(self):
        self.assertEqual(exact.complaints(SQUARE, HALVES), [])
        self.assertEqual(exact.complaints(SQUARE, [(1, 0, 2), (0, 2, 3)]), [])  # whichever way round
        self.assertEqual(exact.complaints(SQUARE, [(0, 1, 3), (1, 2, 3)]), [])  # the other diagonal
        self.assertEqual(exact.complaints(KITE, [(0, 1, 3), (1, 2, 3)]), [])
        self.assertEqual(exact.complaints([(0, 0), (1, 1)], []), [])

    def test_wrong_ones(self):
        for points, triangles, part in (
            (SQUARE, HALVES[:1], "point 3 is in no triangle"),
            (SQUARE, HALVES[:1], "2 of 4 hull edges are missing"),
            (SQUARE, HALVES + [(0, 1, 3)], "lies on another one"),
            ([(0, 0), (1, 0), (2, 0), (1, 1)], [(0, 1, 2), (0, 2, 3)], "triangle 0 (0, 1, 2) is flat"),
            (KITE, [(0, 1, 2), (0, 2, 3)], "1 edges are not Delaunay"),
            (SQUARE, HALVES + [(0, 1, 4)], "there are 4 points"),
            (RING, [(0, 1, 3), (1, 4, 3), (1, 2, 4), (2, 5, 4), (2, 0, 5), (0, 3, 5)], "areas"),
        ):
            with self.subTest(part):
                self.assertIn(part, "; ".join(exact.complaints(points, triangles)))


if __name__ == "__main__":
    unittest.main()
