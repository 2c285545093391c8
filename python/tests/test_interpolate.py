"""Tests of interpolation in Python: arrays and their shapes, and agreement with SciPy where it is installed."""

from __future__ import annotations

import unittest

import numpy as np

import flipscope

try:
    import scipy.interpolate
    import scipy.spatial
except ImportError:
    scipy = None

METHODS = ("nearest", "linear", "natural", "laplace", "cubic")


def _points(n: int, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).random((n, 2))


def _values(points: np.ndarray) -> np.ndarray:
    return np.sin(6 * points[:, 0]) * np.cos(5 * points[:, 1])


class Arrays(unittest.TestCase):
    def test_shapes(self) -> None:
        points = _points(50)
        at = _points(12, 2).reshape(3, 4, 2)
        many = np.stack([_values(points), points[:, 0], points[:, 1], points.sum(axis=1)], axis=1).reshape(50, 2, 2)
        for method in METHODS:
            made = flipscope.interpolate(points, many, at, method)
            self.assertEqual(made.shape, (3, 4, 2, 2))
            self.assertEqual(made.dtype, np.float64)
            one = flipscope.interpolate(points, many[:, 1, 0], at, method)
            np.testing.assert_array_equal(one, made[..., 1, 0])
            self.assertEqual(flipscope.interpolate(points, _values(points), at[0, 0], method).shape, ())
        self.assertEqual(flipscope.interpolate(points, np.arange(50), np.empty((0, 2))).shape, (0,))

    def test_values_at_points_and_outside(self) -> None:
        points = _points(200)
        values = _values(points)
        far = np.array([[-0.5, 0.5], [1e60, 0], [np.nan, 0.5], [0.5, 1e-70]])
        for method in METHODS:
            function = flipscope.Delaunay(points).interpolator(values, method)
            np.testing.assert_array_equal(function(points), values)
            outside = np.isnan(function(far))
            self.assertTrue(outside[2])
            self.assertEqual(outside[0], method != "nearest")

    def test_threads_give_the_same_bits(self) -> None:
        points, at = _points(3000), _points(20000, 2)
        for method in METHODS:
            made = [flipscope.interpolate(points, _values(points), at, method, device="cpu", threads=n) for n in (1, 2)]
            self.assertEqual(made[0].tobytes(), made[1].tobytes())

    def test_copies_and_lines(self) -> None:
        self.assertEqual(flipscope.interpolate([[0, 0], [1, 0], [0, 1], [1, 0]], [1, 2, 3, 9], [[1, 0]])[0], 2)
        line = flipscope.interpolate([[0, 0], [2, 2], [1, 1]], [0, 4, 1], [[0.5, 0.5], [1.5, 1.5], [0, 1]], "natural")
        np.testing.assert_array_equal(line, [0.5, 2.5, np.nan])

    def test_values_are_copied(self) -> None:
        points = _points(20)
        values = _values(points)
        function = flipscope.Delaunay(points).interpolator(values, "natural")
        before = function(_points(5, 3))
        values[:] = 0
        np.testing.assert_array_equal(function(_points(5, 3)), before)

    def test_errors(self) -> None:
        points = _points(5)
        for arguments, part in (
            ((points, np.arange(4), points), "the first dimension must be 5"),
            ((points, 1.0, points), "the first dimension must be 5"),
            ((points, np.arange(5) * 1j, points), "real numbers"),
            ((points, np.arange(5), points, "spline"), '"natural"'),
            ((points, np.arange(5), np.zeros((2, 3))), "the last dimension must be 2"),
        ):
            with self.assertRaisesRegex(flipscope.Error, part):
                flipscope.interpolate(*arguments)
        function = flipscope.Delaunay(points).interpolator(np.arange(5))
        points += 1
        with self.assertRaisesRegex(flipscope.Error, "has changed"):
            function(points)


@unittest.skipIf(scipy is None, "SciPy is not installed")
class AgainstSciPy(unittest.TestCase):
    def test_linear_and_nearest(self) -> None:
        points, at = _points(500), _points(4000, 2) * 1.2 - 0.1
        values = np.column_stack([_values(points), points[:, 0] ** 2])
        linear = scipy.interpolate.LinearNDInterpolator(points, values)(at)
        np.testing.assert_allclose(flipscope.interpolate(points, values, at), linear, rtol=0, atol=1e-13)
        nearest = scipy.interpolate.NearestNDInterpolator(points, values)(at)
        np.testing.assert_array_equal(flipscope.interpolate(points, values, at, "nearest"), nearest)

    def test_cubic(self) -> None:
        for points in (_points(300), np.vstack([_points(200, 4) * 1e-3, _points(200, 5) * [1, 5]])):
            at = points.min(axis=0) + _points(3000, 2) * np.ptp(points, axis=0)
            values = _values(points)
            expected = scipy.interpolate.CloughTocher2DInterpolator(points, values, tol=1e-13, maxiter=10000)(at)
            made = flipscope.interpolate(points, values, at, "cubic")
            np.testing.assert_array_equal(np.isnan(made), np.isnan(expected))
            np.testing.assert_allclose(made, expected, rtol=0, atol=1e-9 * np.nanmax(np.abs(expected)))

    def test_natural_by_areas_of_voronoi_cells(self) -> None:
        frame = np.array([[-9.0, -9], [9, -9], [9, 9], [-9, 9], [0, -12], [12, 0], [0, 12], [-12, 0]])
        points = np.vstack([_points(40), frame])

        def areas(sites: np.ndarray) -> np.ndarray:
            diagram = scipy.spatial.Voronoi(sites)
            regions = [diagram.regions[region] for region in diagram.point_region]
            return np.array([
                np.nan if -1 in region else scipy.spatial.ConvexHull(diagram.vertices[region]).volume for region in regions
            ])

        before = areas(points)[:40]
        for at in 0.3 + 0.4 * _points(20, 7):
            stolen = before - areas(np.vstack([points, at]))[:40]
            stolen[stolen < 1e-12] = 0
            weights = flipscope.interpolate(points, np.eye(len(points)), at, "natural")[:40]
            np.testing.assert_allclose(weights, stolen / stolen.sum(), atol=1e-9)


if __name__ == "__main__":
    unittest.main()
