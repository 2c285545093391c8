"""Tests the Python module against independent oracles: brute force in integers and fractions, and SciPy if installed."""

import copy
import os
import pickle
import re
import signal
import stat
import sys
import tempfile
import threading
import unittest
import warnings
from fractions import Fraction
from pathlib import Path

import numpy as np

import flipscope

try:
    import scipy.spatial
except ImportError:
    scipy = None


def orient(a, b, c):
    """Twice the area of a triangle, exactly, for integers or fractions."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def in_circle(a, b, c, d):
    rows = [(p[0] - d[0], p[1] - d[1]) for p in (a, b, c)]
    lifts = [x * x + y * y for x, y in rows]
    (ax, ay), (bx, by), (cx, cy) = rows
    return lifts[0] * (bx * cy - by * cx) - lifts[1] * (ax * cy - ay * cx) + lifts[2] * (ax * by - ay * bx)


def exactly(points):
    return [(Fraction(float(x)), Fraction(float(y))) for x, y in points]


def grid(n):
    return np.array([(i, j) for i in range(n) for j in range(n)], float)


def ring():
    """24 integer points on one circle, and its centre."""
    around = [(x, y) for x in range(-65, 66) for y in range(-65, 66) if x * x + y * y == 65 * 65]
    return np.array(around + [(0, 0)], float)


def inputs():
    rng = np.random.default_rng(7)
    yield "uniform", rng.random((40, 2))
    yield "grid", grid(6)
    yield "ring", ring()
    yield "far from the origin", rng.random((30, 2)) * 1e-3 + 1e9
    yield "copies", rng.integers(0, 4, (40, 2)).astype(float)
    yield "clusters", np.concatenate([rng.random((12, 2)) * 10.0**-k for k in (0, 6, 12)])
    yield "nearly on a line", np.column_stack((np.linspace(0, 1, 30), np.linspace(0, 1, 30) * 3 + rng.random(30) * 2e-16))
    yield "three", np.array([(0, 0), (1, 0), (0, 1.0)])


class DelaunayTest(unittest.TestCase):
    def test_every_input_is_delaunay_by_exact_brute_force(self):
        for name, points in inputs():
            with self.subTest(name):
                made = flipscope.Delaunay(points)
                exact = exactly(points)
                distinct = len(set(exact))
                area = 0
                for a, b, c in made.simplices.tolist():
                    self.assertGreater(orient(exact[a], exact[b], exact[c]), 0)
                    area += orient(exact[a], exact[b], exact[c])
                    for d in exact:
                        self.assertLessEqual(in_circle(exact[a], exact[b], exact[c], d), 0)
                ring = made.hull.tolist()
                self.assertEqual(made.nsimplex, 2 * distinct - 2 - len(ring))
                self.assertEqual(area, sum(orient((0, 0), exact[a], exact[b]) for a, b in made.convex_hull.tolist()))
                for a, b in made.convex_hull.tolist():
                    self.assertTrue(all(orient(exact[a], exact[b], p) >= 0 for p in exact))
                self.assertTrue(flipscope.check(points, made.simplices).passed)

    def test_neighbors_lie_opposite_to_corners(self):
        for name, points in inputs():
            with self.subTest(name):
                made = flipscope.Delaunay(points)
                hull = {tuple(edge) for edge in made.convex_hull.tolist()}
                for t, (corners, around) in enumerate(zip(made.simplices.tolist(), made.neighbors.tolist())):
                    for k in range(3):
                        edge = (corners[(k + 1) % 3], corners[(k + 2) % 3])
                        if around[k] < 0:
                            self.assertIn(edge, hull)
                            hull.remove(edge)
                        else:
                            self.assertIn(t, made.neighbors[around[k]])
                            self.assertLessEqual(set(edge), set(made.simplices[around[k]].tolist()))
                self.assertEqual(hull, set())

    def test_points_are_found_by_exact_brute_force(self):
        rng = np.random.default_rng(3)
        for name, points in inputs():
            with self.subTest(name):
                made = flipscope.Delaunay(points)
                low, high = points.min(axis=0), points.max(axis=0)
                queries = low + (rng.random((60, 2)) * 1.4 - 0.2) * (high - low)
                corners = points[made.simplices]
                queries = np.concatenate((queries, points[:10], (corners[:10, 0] + corners[:10, 1]) / 2))
                exact, triangles = exactly(points), made.simplices.tolist()
                expected = []
                for q in exactly(queries):
                    holding = [
                        t
                        for t, (a, b, c) in enumerate(triangles)
                        if all(orient(exact[u], exact[v], q) >= 0 for u, v in ((a, b), (b, c), (c, a)))
                    ]
                    expected.append(holding[0] if holding else -1)
                self.assertEqual(made.find_simplex(queries).tolist(), expected)
                # Enough queries to be sorted first.
                self.assertEqual(made.find_simplex(np.tile(queries, (100, 1))).tolist(), expected * 100)

    def test_queries_of_any_shape_and_without_a_place(self):
        made = flipscope.Delaunay(grid(3))
        self.assertEqual(made.find_simplex(np.full((2, 3, 2), 0.3)).shape, (2, 3))
        self.assertEqual(made.find_simplex((0.3, 0.4)).shape, ())
        self.assertEqual(made.find_simplex([(np.nan, 0), (np.inf, 0), (1e300, -1e300), (-1e-9, 1)]).tolist(), [-1] * 4)
        with self.assertRaisesRegex(flipscope.Error, "that no double is equal to"):
            made.find_simplex([(2**53 + 1, 0)])
        self.assertGreaterEqual(made.find_simplex([(1, 1), (1e-80, 1)]).min(), 0)
        self.assertEqual(flipscope.Delaunay([(0, 0), (1, 0), (0, 1)]).find_simplex([(1e-80, 0), (-1e-80, 0)]).tolist(), [0, -1])

    def test_vertices_know_what_lies_around_them(self):
        for name, points in inputs():
            with self.subTest(name):
                made = flipscope.Delaunay(points)
                starts, flat = made.vertex_neighbor_vertices
                edges = {(a, b) for t in made.simplices.tolist() for a in t for b in t if a != b}
                hull = made.hull.tolist()
                exact = exactly(points)
                for v in range(len(points)):
                    row = flat[starts[v] : starts[v + 1]].tolist()
                    self.assertEqual(sorted(row), sorted(b for a, b in edges if a == v))
                    open_row = v in hull
                    for i in range(len(row) - open_row):  # counter-clockwise, each pair with v a triangle
                        self.assertGreater(orient(exact[v], exact[row[i]], exact[row[(i + 1) % len(row)]]), 0)
                    if open_row:
                        at = hull.index(v)
                        self.assertEqual((row[0], row[-1]), (hull[(at + 1) % len(hull)], hull[at - 1]))
                    first = made.duplicate_of[v]
                    self.assertEqual(made.vertex_to_simplex[v], np.flatnonzero((made.simplices == first).any(axis=1))[0])

    def test_copies_are_coplanar(self):
        points = np.array([(0, 0), (1, 0), (0, 1), (1, 0), (0.0, -0.0), (1, 1)])
        made = flipscope.Delaunay(points)
        self.assertEqual(made.coplanar[:, [0, 2]].tolist(), [[3, 1], [4, 0]])
        for _, triangle, vertex in made.coplanar.tolist():
            self.assertIn(vertex, made.simplices[triangle])
        self.assertEqual(made.duplicate_of.tolist(), [0, 1, 2, 1, 0, 5])

    def test_no_triangle_is_no_error(self):
        for points, path in (
            ([], []),
            ([(1, 2)], [0]),
            ([(1, 2), (1, 2)], [0]),
            ([(0, 0), (2, 2), (1, 1), (2, 2)], [0, 2, 1]),
        ):
            with self.subTest(points=points):
                made = flipscope.Delaunay(points)
                self.assertEqual((made.simplices.shape, made.neighbors.shape, made.convex_hull.shape), ((0, 3), (0, 3), (0, 2)))
                self.assertIn(made.path.tolist(), (path, path[::-1]))
                self.assertEqual(made.find_simplex([(0, 0), (1, 1)]).tolist(), [-1, -1])
                self.assertEqual(made.hash, 0)
                self.assertEqual(len(made.coplanar), len(points) - len(path))
                starts, flat = made.vertex_neighbor_vertices
                self.assertEqual(len(flat), max(0, 2 * len(path) - 2))
                self.assertEqual(len(starts), len(points) + 1)

    def test_threads_change_nothing(self):
        points = np.random.default_rng(1).random((20000, 2)).round(3)
        one, many = flipscope.Delaunay(points, threads=1), flipscope.Delaunay(points, threads=3)
        np.testing.assert_array_equal(one.simplices, many.simplices)
        np.testing.assert_array_equal(one.neighbors, many.neighbors)
        self.assertEqual(one.hash, many.hash)
        queries = np.random.default_rng(2).random((9000, 2)).round(3)
        np.testing.assert_array_equal(one.find_simplex(queries), many.find_simplex(queries))
        a, b = flipscope.lloyd(points, 2, threads=1), flipscope.lloyd(points, 2, threads=3)
        np.testing.assert_array_equal(a.points, b.points)
        np.testing.assert_array_equal(a.energies, b.energies)


class TorusTest(unittest.TestCase):
    box = (3.0, 2.0)

    def corners(self, made):
        return made.points[made.simplices] + np.array(made.box) * made.shifts

    def test_triangles_fill_the_box_and_their_circles_are_empty(self):
        for n in (1, 2, 3, 50):
            points = np.random.default_rng(n).random((n, 2)) * 6 - 2
            made = flipscope.Delaunay(points, box=self.box)
            self.assertEqual(made.nsimplex, 2 * n)
            np.testing.assert_allclose(made.points, points % self.box, atol=1e-12)
            a, b, c = np.moveaxis(self.corners(made), 1, 0)
            areas = ((b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0]) / 2
            self.assertTrue((areas > 0).all())
            self.assertAlmostEqual(areas.sum(), 6)
            centres, radii = made.circumcircles()
            steps = np.arange(-4, 5)
            images = np.stack(np.meshgrid(steps, steps), -1).reshape(-1, 2) * self.box
            copies = (made.points[:, None] + images).reshape(-1, 2)
            self.assertTrue((np.linalg.norm(copies[None] - centres[:, None], axis=2).min(axis=1) > radii - 1e-9).all())

    def test_neighbours_places_and_weights_cross_the_border(self):
        made = flipscope.Delaunay(np.random.default_rng(4).random((60, 2)) * self.box, box=self.box)
        for t, row in enumerate(made.neighbors.tolist()):
            for k, other in enumerate(row):
                self.assertIn(t, made.neighbors[other].tolist())
                shared = {*made.simplices[t].tolist()} - {int(made.simplices[t, k])}
                self.assertLessEqual(shared, {*made.simplices[other].tolist()})
        starts, flat = made.vertex_neighbor_vertices
        self.assertEqual(len(flat), 6 * made.npoints)
        for v in range(made.npoints):
            row = flat[starts[v] : starts[v + 1]].tolist()
            mine = made.simplices[(made.simplices == v).any(axis=1)]
            self.assertEqual(set(row), set(mine.ravel().tolist()) - {v})
            for a, b in zip(row, row[1:] + row[:1]):  # counter-clockwise: each pair is a triangle's with v
                self.assertTrue(any([v, a, b] in (t, t[1:] + t[:1], t[2:] + t[:2]) for t in mine.tolist()))
        queries = np.random.default_rng(5).random((200, 2)) * 9 - 4
        found, weights = made.find_simplex(queries), made.barycentric(queries)
        self.assertTrue((found >= 0).all() and (weights >= 0).all())
        places = (weights[:, :, None] * self.corners(made)[found]).sum(axis=1)
        off = (places - queries) / self.box
        np.testing.assert_allclose(off, np.round(off), atol=1e-9)
        self.assertEqual(made.find_simplex([(np.nan, 0), (1e9, 0)]).tolist(), [-1, -1])
        again = pickle.loads(pickle.dumps(made))
        self.assertEqual((again.hash, again.box), (made.hash, made.box))
        np.testing.assert_array_equal(again.shifts, made.shifts)

    def test_what_belongs_to_the_plane_is_refused(self):
        made = flipscope.Delaunay(grid(3), box=(4, 4))
        self.assertEqual((len(made.hull), len(made.convex_hull), len(made.coplanar)), (0, 0, 0))
        for what in (made.gabriel, made.to_scipy, lambda: made.equations, lambda: made.device_simplices):
            with self.assertRaisesRegex(flipscope.Error, "belongs to the plane"):
                what()
        for box, words in (((4,), "two numbers"), ((4, 0), "side of the periodic box"), ((1, 1), "lies where point")):
            with self.assertRaisesRegex(flipscope.Error, words):
                flipscope.Delaunay(grid(3), box=box)
        self.assertFalse(flipscope.Delaunay(grid(3)).shifts.any())


class StructuresTest(unittest.TestCase):
    """Proximity graphs against brute force in fractions."""

    def test_circumcircles(self):
        points = np.random.default_rng(3).random((500, 2))
        made = flipscope.Delaunay(points, threads=2)
        centres, radii = made.circumcircles()
        for corner in made.simplices.T:
            np.testing.assert_allclose(np.hypot(*(points[corner] - centres).T), radii, rtol=1e-6)
        self.assertEqual(flipscope.Delaunay([[0, 0], [1, 1], [2, 2]]).circumcircles()[0].shape, (0, 2))

    @staticmethod
    def pairs(graph):
        return {(int(a), int(b)) for a, b in graph}

    def test_graphs(self):
        for name, points in inputs():
            with self.subTest(name):
                places = exactly(points)
                first = {}
                for i, place in enumerate(places):
                    first.setdefault(place, i)
                own = sorted(first.values())

                def squared(i, j):
                    return (places[i][0] - places[j][0]) ** 2 + (places[i][1] - places[j][1]) ** 2

                def empty(i, j, excludes):
                    return not any(excludes(squared(i, k), squared(j, k), squared(i, j)) for k in own if k not in (i, j))

                def dot(of, to, length):  # (r - p)·(q - p) by the law of cosines
                    return (of + length - to) / 2

                def lune(beta):
                    return lambda a, b, c: a < beta * dot(a, b, c) and b < beta * dot(b, a, c)

                every = [(i, j) for i in own for j in own if i < j]
                made = flipscope.Delaunay(points, threads=2)
                relative = {(i, j) for i, j in every if empty(i, j, lambda a, b, c: max(a, b) < c)}
                self.assertEqual(self.pairs(made.relative_neighbourhood()), relative)
                self.assertEqual(self.pairs(made.beta_skeleton(2)), relative)
                for beta in (Fraction(3, 2), Fraction(5, 2)):
                    expected = {(i, j) for i, j in every if empty(i, j, lune(beta))}
                    self.assertEqual(self.pairs(made.beta_skeleton(float(beta))), expected)
                edges = self.pairs(np.sort(made.edge_beta()[0], axis=1))
                gabriel = {(i, j) for i, j in edges if empty(i, j, lambda a, b, c: a + b < c)}
                self.assertEqual(self.pairs(made.gabriel()), gabriel)
                self.assertEqual(self.pairs(made.beta_skeleton(1)), gabriel)
                nearest = np.full(len(points), -1)
                for i in own:
                    nearest[i] = min((squared(i, j), j) for j in own if j != i)[1]
                np.testing.assert_array_equal(made.nearest_neighbour_graph(), nearest)
                tree, part = set(), {i: i for i in own}
                for _, i, j in sorted((squared(i, j), i, j) for i, j in every):
                    if part[i] != part[j]:
                        tree.add((i, j))
                        part = {k: part[j] if part[k] == part[i] else part[k] for k in own}
                self.assertEqual(self.pairs(made.minimum_spanning_tree()), tree)

    def test_alpha_filtration(self):
        edges, alpha, triangles, radii = flipscope.Delaunay([(0, 0), (4, 0), (2, 1)]).alpha_filtration()
        np.testing.assert_array_equal(edges, [(0, 1), (0, 2), (1, 2)])
        np.testing.assert_allclose(alpha, [2.5, 5**0.5 / 2, 5**0.5 / 2])
        np.testing.assert_array_equal(np.sort(triangles), [(0, 1, 2)])
        np.testing.assert_allclose(radii, [2.5])

    def test_points_on_a_line(self):
        made = flipscope.Delaunay([(3, 3), (0, 0), (1, 1), (2, 2), (1, 1)])
        np.testing.assert_array_equal(made.gabriel(), [(0, 3), (1, 2), (2, 3)])
        np.testing.assert_array_equal(made.minimum_spanning_tree(), made.gabriel())
        np.testing.assert_array_equal(made.nearest_neighbour_graph(), [3, 2, 1, 0, -1])
        np.testing.assert_array_equal(flipscope.Delaunay([(1, 2)]).nearest_neighbour_graph(), [-1])

    def test_wrong_beta(self):
        for beta in (0, -1, 2000, float("nan"), "x"):
            with self.assertRaisesRegex(flipscope.Error, "a number from 1/1024 to 1024"):
                flipscope.Delaunay(grid(3)).beta_skeleton(beta)


class GraphTest(unittest.TestCase):
    def test_functions_are_the_methods(self):
        points = np.random.default_rng(3).random((80, 2))
        made = flipscope.Delaunay(points)
        for name, *arguments in (("gabriel",), ("relative_neighbourhood",), ("minimum_spanning_tree",), ("beta_skeleton", 1.5)):
            found = getattr(flipscope, name)(points, *arguments)
            np.testing.assert_array_equal(found, getattr(made, name)(*arguments))
            self.assertIn("Delaunay", getattr(flipscope, name).__doc__)
        np.testing.assert_array_equal(flipscope.nearest_neighbours(points), made.nearest_neighbour_graph())

    def test_alpha_shape(self):
        points = np.concatenate((grid(4), grid(3) + 10))
        shape = flipscope.alpha_shape(points, 0.71)
        a, b, c = np.moveaxis(points[shape.triangles], 1, 0)
        u, v = b - a, c - a
        self.assertAlmostEqual((u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]).sum() / 2, 9 + 4)
        self.assertEqual(len(shape.boundary), 12 + 8)
        ends = points[shape.boundary]
        self.assertAlmostEqual((ends[:, 0, 0] * ends[:, 1, 1] - ends[:, 0, 1] * ends[:, 1, 0]).sum() / 2, 13)  # to its left
        whole = flipscope.alpha_shape(points, np.inf)
        self.assertEqual({frozenset(e) for e in whole.boundary.tolist()},
                         {frozenset(e) for e in flipscope.Delaunay(points).convex_hull.tolist()})
        self.assertEqual([len(part) for part in flipscope.alpha_shape(points, 0.4)], [0, 0, 0])
        with self.assertRaisesRegex(flipscope.Error, "a radius of 0 or more"):
            flipscope.alpha_shape(points, -1)


class RunTest(unittest.TestCase):
    def test_steps_rounds_and_threads_come_to_the_same_state(self):
        points = np.random.default_rng(4).random((300, 2))
        stepped, finished = (flipscope.Run("build", points, threads=threads) for threads in (1, 2))
        first = stepped.step(3)
        self.assertEqual((stepped.done, first["round"]), (False, 1))
        passes = [made["pass"] for made in stepped]
        self.assertIn("claim", passes)
        rounds = finished.finish()
        self.assertTrue(stepped.done and finished.done and rounds)
        self.assertEqual(stepped.hash, finished.hash)
        self.assertIsNone(stepped.step())
        self.assertEqual({frozenset(t) for t in stepped.triangles.tolist()},
                         {frozenset(t) for t in flipscope.Delaunay(points).simplices.tolist()})
        self.assertEqual(stepped.result()["triangulation hash"], flipscope.Delaunay(points).hash)
        self.assertTrue(stepped.check()[0])

    def test_tables_and_reports(self):
        points = np.random.default_rng(5).random((100, 2))
        run = flipscope.Run("strips", points)
        run.finish()
        table = run.table("points")
        np.testing.assert_array_equal(np.column_stack((table["x"], table["y"])), points)
        made = flipscope.Delaunay(points)
        np.testing.assert_array_equal(table["degree"], np.diff(made.vertex_neighbor_vertices[0]))
        tree = run.table("mst")
        self.assertEqual({frozenset(e) for e in zip(tree["from"].tolist(), tree["to"].tolist())},
                         {frozenset(e) for e in made.minimum_spanning_tree().tolist()})
        report = run.report(curves=True)
        self.assertEqual(report["degrees"]["now"].sum(), (table["hull"] == 0).sum())
        self.assertIn("pair correlation", report)
        self.assertEqual(run.events()["kind"], [])

    def test_particles_and_their_arrays(self):
        run = flipscope.Particles(count=50, steps=10, walls="none", box=(12, 10))
        self.assertEqual((run.parameters["count"], run.parameters["box"], run.parameters["steps"]), ("50", "12x10", "10"))
        before = run.positions
        run.finish()
        after = run.positions
        self.assertEqual((before.shape, after.dtype, run.array("species").shape), ((50, 2), np.float64, (50,)))
        self.assertFalse(np.array_equal(before, after))
        endless = flipscope.Particles(count=20, steps="none")
        with self.assertRaisesRegex(flipscope.Error, "has no end with steps=none"):
            endless.finish()
        self.assertEqual(endless.step(10)["round"] > 0, True)

    def test_arrays_of_the_state_without_a_copy(self):
        run = flipscope.Particles(count=50, steps=10, walls="none", box=(12, 10), device="cpu")
        run.step(20)
        for name in ("positions", "forces", "pushes", "degrees", "tracks"):
            view = run.array(name, copy=False)
            np.testing.assert_array_equal(view, run.array(name))
            self.assertEqual(view.flags.writeable, name in ("degrees", "tracks"))  # these are not part of the state
        del view
        view = run.array("positions", copy=False)
        same = run.array("positions", copy=False)
        self.assertEqual(view.ctypes.data, same.ctypes.data)
        part, kept = same[:3], view.copy()
        del same
        for move in (run.step, run.finish):
            with self.assertRaisesRegex(flipscope.Error, "taken with copy=False, is in use"):
                move()
        del view
        with self.assertRaisesRegex(flipscope.Error, "in use"):  # by its part
            run.step()
        del part
        run.finish()
        self.assertFalse(np.array_equal(run.positions, kept))
        last, expected = run.array("positions", copy=False), run.positions
        del run
        np.testing.assert_array_equal(last, expected)
        cells = flipscope.Run("voronoi", grid(3), device="cpu")
        cells.finish()
        np.testing.assert_array_equal(cells.array("colours", copy=False), cells.array("colours"))

    def test_events_of_points_over_time(self):
        frames = [np.array([(-1, 0), (1, 0), (0, h), (0, -h), (3, 3), (-3, 3), (-3, -3), (3, -3.5)]) for h in (0.8, 1.3)]
        run = flipscope.Run("events", frames=frames)
        run.finish()
        found, functions = run.events(), flipscope.events(frames, ids=[range(8)] * 2)
        self.assertEqual(found["kind"], ["T1"])
        self.assertEqual(["T1"], [event.kind for event in functions])
        self.assertEqual(([[2, 3]], [[0, 1]]), ([sorted(found["lost"][0][0])], [sorted(found["created"][0][0])]))
        mixed = [np.random.default_rng(f).permutation(8) for f in range(2)]
        again = flipscope.Run("events", frames=[frame[order] for frame, order in zip(frames, mixed)], ids=mixed)
        again.finish()
        self.assertEqual((again.hash, again.events()["lost"]), (run.hash, found["lost"]))

    def test_what_is_wrong_gets_a_sentence(self):
        for arguments, keywords, words in (
            (("bild",), {}, "build"),
            (("build", "uniform:10"), {"predikate": "exact"}, "predicate"),
            (("build", "uniform:10"), {"predicate": "rough"}, "exact"),
            (("build", "unifrom:10"), {}, "uniform"),
            (("build", np.zeros((2, 4))), {}, "shape"),
            (("build",), {"frames": [grid(2)]}, "points over time"),
            (("events",), {"frames": [grid(2)], "ids": [[1, 2]]}, "as many as points"),
            (("build", np.zeros((3, 3))), {}, "surfaces"),
            (("build", []), {}, 'there are no points; give some, or a generator such as "uniform:1000", or None'),
            (("particles", np.empty((0, 2))), {}, "there are no points"),
        ):
            with self.subTest(words), self.assertRaisesRegex(flipscope.Error, words):
                flipscope.Run(*arguments, **keywords)
        run = flipscope.Run("build", "uniform:10")
        with self.assertRaisesRegex(flipscope.Error, 'no table "edge"; there are points, edges'):
            run.table("edge")
        with self.assertRaisesRegex(flipscope.Error, 'no array "positions"; it has none'):
            run.array("positions")
        self.assertIn("particles", flipscope.labs())


class Named(flipscope.Delaunay):
    """A subclass at module level, so that it can be pickled."""


class InputTest(unittest.TestCase):
    def test_points_are_read_where_they_lie_and_arrays_are_the_callers(self):
        points = np.random.default_rng(1).random((100, 2))
        queries = np.random.default_rng(2).random((200, 2))
        fresh, made = flipscope.Delaunay(points), flipscope.Delaunay(points)
        self.assertIs(made.points, points)
        for array in (made.simplices, made.neighbors, made.hull, made.coplanar, made.duplicate_of, made.vertex_to_simplex,
                      made.convex_hull, made.path, *made.vertex_neighbor_vertices):  # fmt: skip
            array[...] = -7
        self.assertIs(made.simplices, made.simplices)
        self.assertEqual(made.nsimplex, fresh.nsimplex)
        np.testing.assert_array_equal(made.find_simplex(queries), fresh.find_simplex(queries))
        np.testing.assert_array_equal(made.transform, fresh.transform)
        self.assertEqual(made.hash, fresh.hash)
        kept = fresh.simplices
        expected = kept.copy()
        del fresh
        np.testing.assert_array_equal(kept, expected)

    def test_simplices_can_be_assigned_and_nothing_else_changes(self):
        points = np.random.default_rng(1).random((100, 2))
        queries = np.random.default_rng(2).random((200, 2))
        fresh, made = flipscope.Delaunay(points), flipscope.Delaunay(points)
        chosen = made.simplices[points[made.simplices, 0].max(axis=1) < 0.5]
        expected = chosen.copy()
        self.assertLess(len(chosen), made.nsimplex)
        made.simplices = chosen
        chosen[...] = 0  # a copy was stored
        for kept in (made, copy.copy(made), copy.deepcopy(made), pickle.loads(pickle.dumps(made))):
            np.testing.assert_array_equal(kept.simplices, expected)
            self.assertEqual(kept.simplices.dtype, np.int32)
            self.assertEqual((kept.nsimplex, kept.hash), (fresh.nsimplex, fresh.hash))
            np.testing.assert_array_equal(kept.neighbors, fresh.neighbors)
            np.testing.assert_array_equal(kept.find_simplex(queries), fresh.find_simplex(queries))
            np.testing.assert_array_equal(kept.barycentric(queries), fresh.barycentric(queries))
            np.testing.assert_array_equal(kept.transform, fresh.transform)
        again = copy.copy(made)
        again.simplices = [(0.0, 1.0, 99.0)]
        self.assertEqual(again.simplices.tolist(), [[0, 1, 99]])
        np.testing.assert_array_equal(made.simplices, expected)
        made.simplices = expected[:0]
        self.assertEqual(made.simplices.shape, (0, 3))
        made.simplices = fresh.simplices
        for wrong, words in (
            ([(0, 1, 100)], "triangle 0 names point 100, but there are 100 points"),
            ([(0, 1, -1)], "triangle 0 names point -1"),
            ([(0, 1)], r"simplices of shape \(1, 2\): the shape must be \(n, 3\)"),
            ([(0, 1, 2.5)], "simplices of type float64: they must be whole numbers"),
            ([(0, 1, None)], r"simplices: row 0 has a missing value"),
        ):
            with self.subTest(words), self.assertRaisesRegex(flipscope.Error, words):
                made.simplices = wrong
        np.testing.assert_array_equal(made.simplices, fresh.simplices)

    def test_copies_and_pickles_answer_alike(self):
        points = np.random.default_rng(1).random((50, 2))
        points[7] = points[3]
        for copied in (copy.copy, copy.deepcopy, lambda made: pickle.loads(pickle.dumps(made))):
            made = Named(points, device="cpu", threads=1)
            made.note = "mine"
            again = copied(made)
            self.assertIn("1 thread", again.device)
            self.assertIs(type(again), Named)
            self.assertEqual(again.note, "mine")
            np.testing.assert_array_equal(again.simplices, flipscope.Delaunay(points).simplices)
            np.testing.assert_array_equal(again.find_simplex(points), made.find_simplex(points))
            made.simplices.sort(axis=1)
            np.testing.assert_array_equal(copied(made).simplices, made.simplices)
            cells = flipscope.Voronoi(points)
            other = copied(cells)
            np.testing.assert_array_equal(other.vertices, cells.vertices)
            self.assertEqual(other.regions, cells.regions)
            np.testing.assert_array_equal(other.areas((0, 0, 1, 1)), cells.areas((0, 0, 1, 1)))
            found = copied(flipscope.check(points, [(0, 1, 2)]))
            self.assertFalse(found.passed)
            self.assertEqual(found.failure_count, len(found))
            relaxed = flipscope.lloyd(points, 2, (0, 0, 1, 1))
            np.testing.assert_array_equal(copied(relaxed).points, relaxed.points)

    def test_masked_rows_are_refused_and_arrays_without_are_taken(self):
        points = np.random.default_rng(1).random((20, 2))
        masked = np.ma.array(points, mask=False)
        np.testing.assert_array_equal(flipscope.Delaunay(masked).simplices, flipscope.Delaunay(points).simplices)
        masked[5] = np.ma.masked
        masked[9, 1] = np.ma.masked
        one = np.ma.array([0.5, 0.5], mask=[0, 1])
        corners = np.ma.array([(0, 1, 2), (1, 2, 3)], mask=[(0, 0, 0), (0, 1, 0)])
        frames = np.ma.array(np.stack([points, points]), mask=False)
        frames[1, 4, 0] = np.ma.masked
        for call, words in (
            (lambda: flipscope.Delaunay(masked), "points: rows 5, 9 are masked"),
            (lambda: flipscope.Voronoi(masked), "points: rows 5, 9 are masked"),
            (lambda: flipscope.lloyd(masked), "rows 5, 9 are masked"),
            (lambda: flipscope.flip(masked, [(0, 1, 2)]), "rows 5, 9 are masked"),
            (lambda: flipscope.check(masked, [(0, 1, 2)]), "rows 5, 9 are masked"),
            (lambda: flipscope.show(masked), "rows 5, 9 are masked"),
            (lambda: flipscope.check(points, corners), "triangles: row 1 is masked"),
            (lambda: flipscope.Delaunay([(0, 0), (1, 0), one]), "points: row 2 is masked"),
            (lambda: flipscope.Delaunay(points).find_simplex(masked), "points to be found: rows 5, 9 are masked"),
            (lambda: flipscope.events(frames), "frame 1: row 4 is masked"),
            (lambda: flipscope.events([points], [np.ma.array(range(20), mask=[1] + 19 * [0])]), "ids of frame 0: row 0 is masked"),
        ):
            with self.subTest(words), self.assertRaisesRegex(flipscope.Error, words):
                call()

    def test_nullable_columns_are_taken_and_missing_values_are_refused(self):
        class NAType:  # as in pandas, which may be missing
            def __float__(self):
                raise TypeError("NA is no number")

        class Frame:
            def __init__(self, rows, columns=("x", "y")):
                self.rows, self.columns = rows, columns

            def __array__(self, dtype=None, copy=None):
                return np.array(self.rows, object)

        rows = [[0, 0.5], [np.int64(3), np.float32(0.25)], [1, True]]
        for made in (flipscope.Delaunay(Frame(rows)), flipscope.Delaunay(rows)):
            self.assertEqual(made.points.dtype, np.float64)
            np.testing.assert_array_equal(made.points, [(0, 0.5), (3, 0.25), (1, 1)])
        self.assertTrue(flipscope.check(Frame(rows), np.array([(0, 1, 2)], object)).passed)
        for missing in (NAType(), None):
            with self.assertRaisesRegex(flipscope.Error, r"points: rows 1, 3 have a missing value \(NA\)"):
                flipscope.Voronoi(Frame([[0, 0], [missing, 1], [1, 0], [2, missing]]))
        for wrong, words in (
            ([[0, "1"], [1, 2]], "they must be real numbers"),
            ([[0, 1j], [1, 2]], "they must be real numbers"),
            ([[2**53 + 1, 1], [1, 0.5]], "row 0 has a number of type object that no double is equal to"),
        ):
            with self.subTest(words), self.assertRaisesRegex(flipscope.Error, words):
                flipscope.Delaunay(Frame(wrong))
        with self.assertWarnsRegex(UserWarning, "the columns are called y and x"):
            flipscope.Delaunay(Frame(rows, ("Y", "X")))
        with self.assertWarnsRegex(UserWarning, "the columns are called position_y and position_x"):
            flipscope.Delaunay(Frame(rows, ("POSITION_Y", "POSITION_X")))

    def test_options_of_qhull_that_change_nothing_are_taken_with_a_warning(self):
        points = grid(3)
        expected = flipscope.Delaunay(points).simplices
        for options in ("QJ", "Qbb Qc Qz Q12", "Qt Qx Pp", b"Qbb", "QJ1e-6", "QR-3", "Q0 Q14"):
            for made in (flipscope.Delaunay, flipscope.Voronoi):
                with self.subTest(options), self.assertWarnsRegex(UserWarning, "has no effect here") as caught:
                    result = made(points, qhull_options=options)
                self.assertEqual(caught.filename, __file__)
                np.testing.assert_array_equal(getattr(result, "delaunay", result).simplices, expected)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            flipscope.Delaunay(points, qhull_options="")
            flipscope.Delaunay(points, qhull_options=None)
        for options, words in (("Qbb Qu", "'Qu' is not supported"), ("QbB", "'QbB'"), ("Qb0:0", "'Qb0:0'"), ("TV5", "'TV5'"), (3, "of type int")):
            for made in (flipscope.Delaunay, flipscope.Voronoi):
                with self.subTest(options), self.assertRaisesRegex(flipscope.Error, words):
                    made(points, qhull_options=options)

    def test_any_layout_and_type_gives_the_same(self):
        points = np.random.default_rng(1).integers(0, 50, (200, 2))
        expected = flipscope.Delaunay(points.astype(float)).simplices
        shifted = np.empty(401)[1:].reshape(200, 2)
        shifted[...] = points
        wide = np.zeros((200, 4))
        wide[:, 1:3] = points
        for given in (points, points.tolist(), points.astype(np.float32), np.asfortranarray(points, float), shifted, wide[:, 1:3]):
            np.testing.assert_array_equal(flipscope.Delaunay(given).simplices, expected)

    def test_wrong_input_gets_a_sentence(self):
        points = grid(3)
        for given, words in (
            (np.zeros((3, 3)), r"points of shape \(3, 3\): the shape must be \(n, 2\)"),
            (np.zeros(4), r"points of shape \(4,\)"),
            (points.T, "transpose it if its rows are x and y"),
            (np.c_[points, points], "choose 2 columns, as a"),
            (points[:, 0] + 1j * points[:, 1], "numpy.column_stack"),
            (np.zeros(4, [("x", float), ("y", float)]), "of records"),
            ("points.csv", "found str, give a list or an array"),
            ([(0, 1j)], "complex128: they must be real numbers"),
            ([("a", "b")], "they must be real numbers"),
            ([(0, 0), (1, np.nan)], r"point 1: \(1, nan\) cannot be decided exactly"),
            ([(2**53 + 1, 0), (0, 1)], "row 0 has a number of type int64 that no double is equal to"),
        ):
            with self.subTest(words), self.assertRaisesRegex(flipscope.Error, words):
                flipscope.Delaunay(given)
        for triangles, words in (
            ([(1, 3, 2), (2, 3, 4)], "names point 4, but there are 4 points, from 0 on; they seem to count from 1"),
            ([(0, 2, 4)], "names point 4, but there are 4 points, from 0 on$"),
            ([(0, 1, 0.5)], "they must be whole numbers"),
            ([(0, 1, np.inf)], "they must be whole numbers"),
        ):
            with self.subTest(words), self.assertRaisesRegex(flipscope.Error, words):
                flipscope.check(grid(2), triangles)
        self.assertTrue(flipscope.check(grid(2), [(0.0, 2.0, 1.0), (1.0, 2.0, 3.0)]).passed)
        with self.assertRaisesRegex(flipscope.Error, "ids of frame 0: number 1 is 1.5, not a whole number"):
            flipscope.events([points[:2]], [(0, 1.5)])
        self.assertTrue(issubclass(flipscope.Error, ValueError))
        for keywords, words in (
            ({"furthest_site": True}, "furthest_site=True is not supported"),
            ({"device": "gpu"}, "device 'gpu' is not known"),
            ({"threads": 0}, "threads=0"),
        ):
            with self.subTest(words), self.assertRaisesRegex(flipscope.Error, words):
                flipscope.Delaunay(grid(3), **keywords)

    def test_cuda_arrays_are_told_from_others(self):
        class OnDevice:
            def __init__(self, **changes):
                self.__cuda_array_interface__ = {
                    "shape": (5, 2), "typestr": "<f8", "data": (1 << 20, False), "strides": None, "version": 3, **changes,
                }  # fmt: skip

        for changes, words in (
            ({"typestr": "<f4"}, "type <f4: they must be float64"),
            ({"shape": (10,)}, "points in a CUDA array of shape"),
            ({"strides": (32, 8)}, "not row-major and compact"),
            ({"data": (8, False)}, "multiple of 16 bytes"),
        ):
            with self.subTest(words), self.assertRaisesRegex(flipscope.Error, words):
                flipscope.Delaunay(OnDevice(**changes))
        class OverDlpack:
            """A host array that claims to lie on a device: only its description may be read."""

            def __init__(self, array):
                self.array = array

            def __dlpack_device__(self):
                return (2, 0)

            def __dlpack__(self, stream):
                return self.array.__dlpack__()

        for array, words in (
            (np.zeros((5, 2), np.float32), r"type DLPack type \(2, 32, 1\): they must be float64"),
            (np.zeros((5, 4))[:, ::2], "not row-major and compact"),
            (np.zeros((5, 3)), r"points in a CUDA array of shape \(5, 3\)"),
            (np.zeros((5, 2)), "CUDA"),
        ):
            held = sys.getrefcount(array)
            with self.subTest(words), self.assertRaisesRegex(flipscope.Error, words):
                flipscope.Delaunay(OverDlpack(array))
            self.assertEqual(sys.getrefcount(array), held, "the tensor is given back")

        class Unordered(OverDlpack):
            """By version 2 of the interface, which does not say what to wait for; DLPack does."""

            __cuda_array_interface__ = {"shape": (5, 2), "typestr": "<f8", "data": (1 << 20, False), "version": 2}

        with self.assertRaisesRegex(flipscope.Error, r"shape \(5, 3\)"):
            flipscope.Delaunay(Unordered(np.zeros((5, 3))))
        with self.assertRaisesRegex(flipscope.Error, "copy them to the host first"):
            flipscope.Delaunay(OnDevice(), device="cpu")
        with self.assertRaisesRegex(flipscope.Error, "points lie in a CUDA device's memory; here"):
            flipscope.Voronoi(OnDevice())
        usable = any(device.usable for device in flipscope.devices() if device.device == "cuda")
        if not usable:
            with self.assertRaisesRegex(flipscope.Error, "CUDA"):
                flipscope.Delaunay(OnDevice())
            with self.assertRaisesRegex(RuntimeError, "no CUDA device can be used"):
                flipscope.Delaunay(grid(3), device="cuda")

    def test_ctrl_c_ends_a_call(self):
        class Stop(Exception):
            pass

        def stop(*_):
            raise Stop

        before = signal.signal(signal.SIGALRM, stop)
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.05)
            with self.assertRaises(Stop):
                flipscope.lloyd(np.random.default_rng(1).random((20000, 2)), 10**6)
        finally:
            signal.signal(signal.SIGALRM, before)
        self.assertEqual(flipscope.Delaunay(grid(3)).nsimplex, 8)

    def test_threads_of_python_work_at_the_same_time(self):
        points = np.random.default_rng(1).random((20000, 2))
        shared = flipscope.Delaunay(points)
        expected = shared.find_simplex(points[::-1]).tolist()
        results = []

        def work():
            own = flipscope.Delaunay(points)
            results.append((own.hash, shared.find_simplex(points[::-1]).tolist() == expected))

        workers = [threading.Thread(target=work) for _ in range(4)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        self.assertEqual(results, [(shared.hash, True)] * 4)


class AsSciPyTest(unittest.TestCase):
    def test_added_points_give_what_all_points_at_once_give(self):
        points = np.random.default_rng(6).random((300, 2))
        made = flipscope.Delaunay(points[:100], incremental=True)
        diagram = flipscope.Voronoi(points[:100], incremental=True)
        before = made.simplices
        for growing in (made, diagram):
            growing.add_points(points[100:250])
            growing.add_points(points[250:], restart=True)
            growing.close()
            with self.assertRaisesRegex(RuntimeError, "already closed"):
                growing.add_points(points)
        self.assertLess(len(before), made.nsimplex)
        np.testing.assert_array_equal(made.simplices, flipscope.Delaunay(points).simplices)
        np.testing.assert_array_equal(diagram.vertices, flipscope.Voronoi(points).vertices)
        with self.assertRaisesRegex(RuntimeError, "not enabled"):
            flipscope.Delaunay(points).add_points(points)

    def test_planes_of_lifted_triangles(self):
        points = np.random.default_rng(7).random((50, 2)) + 3
        made = flipscope.Delaunay(points)
        distances = made.plane_distance(points)
        self.assertEqual((distances.shape, made.equations.shape), ((50, made.nsimplex), (made.nsimplex, 4)))
        np.testing.assert_allclose(distances[made.simplices.T, np.arange(made.nsimplex)], 0, atol=1e-12)
        self.assertTrue((distances < 1e-12).all())  # no lifted point lies below: normals point downward
        np.testing.assert_allclose(np.linalg.norm(made.equations[:, :3], axis=1), 1)
        self.assertTrue(made.good.all() and len(made.good) == made.nsimplex)

    def test_transform_is_nan_where_doubles_would_give_wrong_weights(self):
        turned = np.array([[np.cos(0.3), -np.sin(0.3)], [np.sin(0.3), np.cos(0.3)]])
        points = grid(70) @ turned.T
        made = flipscope.Delaunay(points)
        found = made.find_simplex(points)
        thin = np.isnan(made.transform).any(axis=(1, 2))
        self.assertTrue(thin.any())
        self.assertLess(thin.mean(), 0.05)
        values = points @ (1, 2)
        places = ~thin[found]
        offsets = points[places] - made.transform[found[places], 2]
        weights = np.einsum("ijk,ik->ij", made.transform[found[places], :2], offsets)
        weights = np.column_stack((weights, 1 - weights.sum(axis=1)))
        interpolated = (weights * values[made.simplices[found[places]]]).sum(axis=1)
        self.assertLess(np.abs(interpolated - values[places]).max(), 1e-3)
        self.assertTrue(np.isnan(flipscope.Delaunay([(0, 0), (1, 1e-15), (2, 0)]).transform).all())

    def test_barycentric_coordinates_are_right_in_triangles_of_any_shape(self):
        turned = np.array([[np.cos(0.3), -np.sin(0.3)], [np.sin(0.3), np.cos(0.3)]])
        rng = np.random.default_rng(5)
        for points in (grid(20) @ turned.T, rng.random((300, 2)), grid(6) * 2.0**-150, grid(6) * 2.0**195,
                       np.array([(0, 0), (1, 1e-40), (2, 0), (1, -3)])):  # fmt: skip
            made = flipscope.Delaunay(points)
            queries = np.concatenate((points, points[made.simplices].mean(axis=1), (points[1:] + points[:-1]) / 2))
            weights, found = made.barycentric(queries), made.find_simplex(queries)
            np.testing.assert_array_equal(np.isnan(weights).any(axis=1), found < 0)
            for query, weight, simplex in zip(queries[found >= 0], weights[found >= 0], found[found >= 0]):
                (ax, ay), (bx, by), (cx, cy) = [[Fraction(v) for v in points[k].tolist()] for k in made.simplices[simplex]]
                x, y = (Fraction(v) for v in query.tolist())
                area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
                first = ((bx - x) * (cy - y) - (by - y) * (cx - x)) / area
                second = ((cx - x) * (ay - y) - (cy - y) * (ax - x)) / area
                for exact, given in zip((first, second, 1 - first - second), weight.tolist()):
                    self.assertLessEqual(abs(exact - Fraction(given)), Fraction(2) ** -52)
        self.assertEqual(made.barycentric(np.zeros((2, 3, 2))).shape, (2, 3, 3))
        self.assertEqual(made.barycentric((0, 0)).tolist().count(1.0), 1)

    def test_ridges_are_lists_and_lines_are_none(self):
        made = flipscope.Voronoi(grid(3))
        self.assertIsInstance(made.ridge_vertices, list)
        self.assertTrue(all(isinstance(v, int) for ridge in made.ridge_vertices for v in ridge))
        self.assertNotIn([999, made.ridge_vertices[0][1]], made.ridge_vertices)
        self.assertEqual((made.min_bound.tolist(), made.max_bound.tolist()), ([0, 0], [2, 2]))
        on_line = flipscope.Voronoi([(0, 0), (1, 1), (2, 2), (5, 5)])
        self.assertEqual(on_line.ridge_vertices, [])
        self.assertEqual(sorted(map(sorted, on_line.line_points.tolist())), [[0, 1], [1, 2], [2, 3]])
        for points, ends in zip(made.ridge_points, made.ridge_vertices):  # as in scipy.spatial.voronoi_plot_2d()
            ends = np.asarray(ends)
            made.vertices[ends[ends >= 0][0]]
        with self.assertRaisesRegex(flipscope.Error, "2\\*\\*200"):
            made.areas((-1e100, -1e100, 1e100, 1e100))

    def test_numbers_out_of_range_or_of_another_type_get_a_sentence(self):
        points, corners = grid(2), [(0, 2, 1), (1, 2, 3)]
        surface = np.column_stack((points, np.zeros(4)))
        for name in ("epsilon", "dihedral"):
            for value in (np.nan, -5, -1e-12, 4, np.inf, "x", "0.1", None, 1j, [0.1, 0.2], 10**400):
                for given in (points, surface):
                    words = f"^{name}={re.escape(repr(value))}: an angle in radians from 0 to π is expected$"
                    with self.subTest(words), self.assertRaisesRegex(flipscope.Error, words):
                        flipscope.flip(given, corners, **{name: value})
            for value in (0, np.pi, np.float32(0.5), Fraction(1, 2)):
                self.assertEqual(len(flipscope.flip(surface, corners, **{name: value}).simplices), 2)
        for value in ("x", None, -3, np.nan):
            words = f"^cap={re.escape(repr(value))}: a number of mean distances from 0 on is expected$"
            with self.subTest(words), self.assertRaisesRegex(flipscope.Error, words):
                flipscope.events([points, points], cap=value)
        self.assertEqual(len(flipscope.events([points, points], cap=np.inf)), 0)
        for call in (lambda: flipscope.lloyd(points, 2.9), lambda: flipscope.Delaunay(points, threads=1.9)):
            self.assertRaisesRegex(flipscope.Error, "a whole number is expected", call)
        self.assertEqual(len(flipscope.lloyd(points, np.int64(2)).energies), 2)
        for value in (10**30, 2**32, -1):
            with self.subTest(value), self.assertRaisesRegex(flipscope.Error, f"^iterations={value}: a number from 0 to 4294967295$"):
                flipscope.lloyd(points, value)
        with self.assertRaisesRegex(flipscope.Error, "width and height in pixels, from 1 to 4294967295"):
            flipscope.events([points, points], size=(10**30, 5))


class VoronoiTest(unittest.TestCase):
    def test_a_grid_has_one_vertex_a_square(self):
        made = flipscope.Voronoi(grid(4))
        self.assertEqual(sorted(map(tuple, made.vertices.tolist())), [(x + 0.5, y + 0.5) for x in range(3) for y in range(3)])
        self.assertEqual(len(made.ridge_points), 24)
        self.assertEqual((made.ridge_ends[:, 0] < 0).sum(), 12)
        inner = 5
        self.assertEqual(sorted(made.vertices[made.regions[inner]].tolist()), [[0.5, 0.5], [0.5, 1.5], [1.5, 0.5], [1.5, 1.5]])
        np.testing.assert_allclose(made.areas((-0.5, -0.5, 3.5, 3.5)), 1)

    def test_vertices_ridges_and_regions_fit_together(self):
        for name, points in inputs():
            with self.subTest(name):
                made = flipscope.Voronoi(points)
                near = np.linalg.norm(points - points.mean(axis=0), axis=1).max()
                rounding = 1e-6 * near + 4 * np.spacing(np.abs(points).max())
                for (a, b), (right, left) in zip(made.ridge_points.tolist(), made.ridge_vertices):
                    for v in {right, left} - {-1}:
                        for p in (a, b):
                            self.assertIn(v, made.regions[p])
                        if np.abs(made.vertices[v] - points[a]).max() < 10 * near:
                            da, db = (np.linalg.norm(made.vertices[v] - points[p]) for p in (a, b))
                            self.assertLess(abs(da - db), rounding)
                    if right == -1:
                        self.assertTrue(made.regions[a][0] == made.regions[b][0] == -1)
                for p, region in enumerate(made.regions):
                    self.assertEqual(len(region) == 0, made.point_region[p] != p)
                    self.assertEqual(len(set(region)), len(region))

    def test_cells_fill_the_box_and_hold_what_is_nearest(self):
        rng = np.random.default_rng(2)
        for name, points in (*inputs(), ("on a line", np.array([(0, 0), (1, 1), (2, 2.0)])), ("one", np.array([(0.2, 0.1)]))):
            with self.subTest(name):
                low, high = points.min(axis=0), points.max(axis=0)
                size = max((high - low).max(), 1e-3)
                box = (low[0] - 0.1 * size, low[1] - 0.2 * size, high[0] - 0.05 * size, high[1] + 0.3 * size)
                made = flipscope.Voronoi(points)
                whole = (box[2] - box[0]) * (box[3] - box[1])
                rounding = 1e-6 + 4 * np.spacing(np.abs(points).max()) / size
                areas, cells = made.areas(box), made.cells(box)
                self.assertAlmostEqual(areas.sum() / whole, 1, delta=1e-6)
                for p, cell in enumerate(cells):
                    if areas[p] < 1e-9 * whole:
                        continue
                    ((corners,),) = cell
                    x, y = (corners - points[p]).T
                    self.assertAlmostEqual(
                        (x * np.roll(y, -1) - y * np.roll(x, -1)).sum() / 2 / whole, areas[p] / whole, delta=rounding
                    )
                    inside = corners.mean(axis=0) * 0.5 + corners[rng.integers(len(corners))] * 0.5
                    distances = np.linalg.norm(points - inside, axis=1)
                    self.assertLessEqual(distances[p], distances.min() + rounding * size)

    def test_cells_in_polygons_with_holes(self):
        outer = np.array([(0, 0), (10, 0), (10, 10), (0, 10)], float)
        hole = np.array([(4, 4), (6, 4), (6, 6), (4, 6)], float)
        points = np.random.default_rng(3).random((60, 2)) * 10
        points[0] = 5, 5  # in the hole, so that its cell has one too, or comes apart
        diagram = flipscope.Voronoi(points)
        cells = diagram.cells([outer, hole])
        self.assertAlmostEqual(cells.areas.sum(), 96)
        self.assertEqual(len(cells), 60)
        ring = {"type": "Polygon", "coordinates": [outer.tolist(), hole.tolist()]}
        for window in (
            ring, {"type": "Feature", "geometry": ring},
            {"type": "FeatureCollection", "features": [{"type": "Feature", "geometry": ring}]},
            {"type": "MultiPolygon", "coordinates": [ring["coordinates"]]},
        ):
            np.testing.assert_array_equal(diagram.cells(window).corners, cells.corners)
        collection = cells.geojson()
        self.assertEqual(len(collection["features"]), 60)
        for i, feature in enumerate(collection["features"]):
            self.assertEqual(feature["properties"]["point"], i)
            if feature["geometry"] is None:
                self.assertEqual((cells[i], cells.areas[i]), ([], 0))
                continue
            parts = feature["geometry"]["coordinates"]
            parts = [parts] if feature["geometry"]["type"] == "Polygon" else parts
            self.assertEqual([len(part) for part in parts], [len(polygon) for polygon in cells[i]])
            self.assertEqual(parts[0][0][0], parts[0][0][-1])
        np.testing.assert_allclose(diagram.areas(outer).sum(), 100)
        self.assertEqual(sum(map(len, cells.rings())), len(cells.corners))
        far = flipscope.Voronoi([(0, 0), (1, 0), (0, 1), (50, 50)]).cells((0, 0, 1, 1))
        self.assertEqual((far[3], far.areas[3], far.geojson()["features"][3]["geometry"]), ([], 0, None))
        try:
            import shapely
        except ImportError:
            return
        polygon = shapely.Polygon(outer, [hole])
        np.testing.assert_array_equal(diagram.cells(polygon).corners, cells.corners)
        shapes = cells.shapely()
        np.testing.assert_allclose([shape.area for shape in shapes], cells.areas)
        self.assertAlmostEqual(shapely.union_all(shapes).symmetric_difference(polygon).area, 0)
        self.assertTrue(far.shapely()[3].is_empty)
        for window, words in (
            ({"type": "Point", "coordinates": [0, 0]}, "geometry of type Point"),
            ({"type": "FeatureCollection", "features": []}, "no polygon"),
            ([(0, 0), (1, 1), (1, 0), (0, 1)], "cross"),
        ):
            with self.assertRaisesRegex(flipscope.Error, words):
                diagram.cells(window)

    def test_a_hub_of_many_neighbours(self):
        angles = np.linspace(0, 2 * np.pi, 5000, endpoint=False)
        points = np.concatenate((np.column_stack((np.cos(angles), np.sin(angles))), [(0, 0)]))
        areas = flipscope.Voronoi(points).areas((-1, -1, 1, 1))
        self.assertAlmostEqual(areas[-1], np.pi / 4, delta=1e-6)
        self.assertAlmostEqual(areas.sum(), 4, delta=1e-9)

    def test_lloyd_comes_to_rest(self):
        points = np.random.default_rng(4).random((100, 2))
        made = flipscope.lloyd(points, 40, (0, 0, 1, 1))
        self.assertTrue((np.diff(made.energies) <= 1e-15).all())
        self.assertLess(made.energies[-1], 0.75 * made.energies[0])
        self.assertLess(made.largest_moves[-1], made.largest_moves[0] / 10)
        one = flipscope.lloyd([(0.1, 0.9)], 1, (0, 0, 2, 1))
        np.testing.assert_allclose(one.points, [(1, 0.5)])
        self.assertAlmostEqual(one.energies[0], (1.9**3 + 0.1**3) / 3 + 2 * (0.9**3 + 0.1**3) / 3)
        copies = flipscope.lloyd([(0.1, 0.9), (0.1, 0.9), (0.8, 0.5)], 1, (0, 0, 1, 1)).points
        np.testing.assert_array_equal(copies[0], copies[1])
        with self.assertRaisesRegex(flipscope.Error, "the box is empty"):
            flipscope.lloyd(points, 1, (0, 0, 0, 1))


class FunctionTest(unittest.TestCase):
    def test_flips_make_a_fan_delaunay(self):
        angles = np.sort(np.random.default_rng(3).random(40)) * 2 * np.pi
        points = np.column_stack((np.cos(angles) * 3, np.sin(angles)))
        fan = np.array([(0, k, k + 1) for k in range(1, 39)])
        made = flipscope.flip(points, fan)
        expected = flipscope.Delaunay(points).simplices
        self.assertEqual(cycles(made.simplices), cycles(expected))
        self.assertGreater(made.flips, 0)
        self.assertEqual(len(made.neighbors), 38)
        bent = flipscope.flip(np.column_stack((points, np.zeros(40))), fan)
        self.assertEqual(len(bent.simplices), 38)
        with self.assertRaisesRegex(flipscope.Error, "triangle 1 names point 40"):
            flipscope.flip(points, [(0, 1, 2), (1, 2, 40)])
        with self.assertRaises(flipscope.Error):
            flipscope.flip(points, [(0, 1, 2), (0, 1, 3)])

    def test_every_defect_is_named(self):
        points = np.array([(0, 0), (4, 0), (4, 3), (0, 3), (2, 1), (2, 1.0)])
        right = flipscope.Delaunay(points).simplices
        judged = flipscope.check(points, right)
        self.assertTrue(judged and judged.passed)
        self.assertIn("passed", repr(judged))
        self.assertEqual([(f.code, f.spoils) for f in judged], [("duplicate-point", False)])
        holed = flipscope.check(points, right[1:])
        self.assertFalse(holed or holed.passed or holed.complete)
        self.assertIn("failed", repr(holed))
        codes = {failure.code for failure in holed}
        self.assertIn("missing-area", codes)
        area = next(f for f in holed if f.code == "missing-area").value
        self.assertAlmostEqual(area, orient(*points[right[0]]) / 2)
        kite = np.array([(0, 0), (4, -1), (8, 0), (4, 1.0)])
        wrong = flipscope.check(kite, [(0, 1, 2), (0, 2, 3)])
        self.assertTrue(wrong.triangulation and wrong.complete)
        self.assertFalse(wrong.delaunay)
        self.assertEqual([f.code for f in wrong], ["illegal-edge"])
        self.assertEqual(sorted(wrong[0].vertices[:2]), [0, 2])
        self.assertEqual((wrong.missed, wrong.spurious), ([(1, 3)], [(0, 2)]))
        self.assertIn("illegal", wrong[0].sentence)

    def test_a_t1_is_found(self):
        def at(wide, tall):
            ring = [(32 + 24 * np.cos(0.6283 * i), 32 + 24 * np.sin(0.6283 * i)) for i in range(10)]
            return np.array([(32 - wide, 32), (32 + wide, 32), (32, 32 - tall), (32, 32 + tall)] + ring)

        frames = [at(6, 6.4), at(6.1, 6.3), at(6.4, 6)]
        for keywords in ({"size": (64, 64)}, {}, {"ids": [range(100, 114)] * 3}):
            with self.subTest(keywords):
                moved = frames if "size" in keywords else [frame * 1e-3 - 5 for frame in frames]
                found = flipscope.events(moved, **keywords)
                first = 100 if "ids" in keywords else 0
                self.assertEqual([(e.frame, e.kind) for e in found], [(2, "T1")])
                self.assertEqual(found[0].lost, [(first, first + 1)])
                self.assertEqual(found[0].created, [(first + 2, first + 3)])
                middle = moved[0][:4].mean(axis=0)
                np.testing.assert_allclose(found[0].place, middle, rtol=1e-6)
                self.assertEqual([c.matched for c in found.comparisons], [14, 14])
                self.assertEqual(found.ids[2].tolist(), list(range(first, first + 14)))
        on_torus = flipscope.events(frames, size=(64, 64), links="lattice", periodic=True)
        self.assertEqual([c.now for c in on_torus.comparisons], [14, 14])
        self.assertIn([(0, 1)], [e.lost for e in on_torus])
        with self.assertRaisesRegex(flipscope.Error, "need its size"):
            flipscope.events(frames, periodic=True)
        for axis, along in (("x", 0), ("y", 1)):
            with self.subTest(periodic=axis):
                turned = [frame.copy() for frame in frames]
                for frame in turned:
                    frame[:, along] = (frame[:, along] + 58) % 64  # the event lies across the border
                found = flipscope.events(turned, size=(64, 64), periodic=axis)
                self.assertIn([(0, 1)], [e.lost for e in found])
                self.assertIn([(2, 3)], [e.created for e in found])
        with self.assertRaisesRegex(flipscope.Error, "periodic='z' is not known"):
            flipscope.events(frames, size=(64, 64), periodic="z")

    def test_events_that_last_points_that_are_missed_and_radical_cells(self):
        def at(wide, tall):
            ring = [(32 + 24 * np.cos(0.6283 * i), 32 + 24 * np.sin(0.6283 * i)) for i in range(10)]
            return np.array([(32 - wide, 32), (32 + wide, 32), (32, 32 - tall), (32, 32 + tall)] + ring)

        before, after = at(6, 6.4), at(6.4, 6)
        flips, flickers = [before] * 3 + [after] * 5, [before] * 3 + [after] + [before] * 4
        for keywords in ({}, {"ids": [range(14)] * 8}, {"matching": "assignment"}):
            with self.subTest(keywords):
                self.assertEqual([e.kind for e in flipscope.events(flickers, **keywords)], ["T1", "T1"])
                found = flipscope.events(flips, persistence=3, **keywords)
                self.assertEqual([(e.frame, e.kind, e.lost) for e in found], [(3, "T1", [(0, 1)])])
                self.assertEqual({e.kind for e in flipscope.events(flickers, persistence=3, **keywords)}, {"flicker"})
                self.assertEqual([e.kind for e in flipscope.events([before] * 7 + [after], persistence=3, **keywords)], ["undecided"])
        # The ends of the lost contact are 12.8 apart, about one mean distance.
        self.assertEqual([e.kind for e in flipscope.events(flips, lost_beyond=0.1)], ["T1"])
        self.assertIn(("undecided", [(0, 1)], []), [(e.kind, e.lost, e.created) for e in flipscope.events(flips, lost_beyond=5)])

        missed = [before, np.delete(before, 0, axis=0), before, before]
        self.assertNotEqual(flipscope.events(missed, matching="assignment"), [])
        held = flipscope.events(missed, matching="assignment", memory=1)
        self.assertEqual(list(held), [])
        self.assertEqual([sorted(names.tolist()) for names in held.ids], [list(range(14))] * 4)
        self.assertEqual(held.ids[1][-1], 0)  # held: after the points that were found

        # The large disc keeps its neighbour although a Delaunay edge would flip.
        large = np.array([5.0, 5.0] + [1.0] * 12)
        self.assertEqual(len(flipscope.events([before, after], links="radical", radii=[large, large])), 0)
        equal = flipscope.events([frame * 1e-3 for frame in (before, after)], links="radical", radii=[np.full(14, 1e-3)] * 2)
        self.assertEqual([(e.frame, e.kind, e.lost) for e in equal], [(1, "T1", [(0, 1)])])

        for wrong, sentence in (
            ({"persistence": 0}, "persistence is 0; expected 1 or more"),
            ({"persistence": 1.5}, "persistence=1.5"),
            ({"memory": 1}, "memory needs matching by assignment"),
            ({"memory": -5}, "memory is -5; expected 0 or more"),
            ({"matching": "best"}, "matching='best' is not known"),
            ({"matching": "assignment", "ids": [range(14)] * 2}, "leave out the ids"),
            ({"lost_beyond": -1}, "lost_beyond=-1"),
            ({"created_within": np.nan}, "created_within=nan"),
            ({"links": "radical"}, "frame 0: 0 radii for 14 sites"),
            ({"radii": [large, large]}, "other links none"),
            ({"links": "radical", "radii": [large]}, "radii for 1 frames"),
            ({"links": "radical", "radii": [large, -2e-4 * large]}, "radii of frame 1: number 0 is -0.001; expected 0, or"),
            ({"links": "radical", "radii": [large, 2.0**199 * large]}, "frame 1: number 0 is 4.01"),
            ({"links": "radical", "radii": [large, large.astype(str)]}, "frame 1 of type <U.*real numbers"),
            ({"links": "radical", "radii": [large, large * 1j]}, "frame 1 of type complex128"),
            ({"links": "radical", "radii": [large, large.reshape(7, 2)]}, r"frame 1 of shape \(7, 2\)"),
            ({"links": "radical", "radii": [large, large[1:]]}, "frame 1: 13 radii for 14 sites"),
        ):
            with self.subTest(wrong), self.assertRaisesRegex(flipscope.Error, sentence):
                flipscope.events([before * 1e-3, after * 1e-3], **wrong)

    def test_the_window_is_started_or_a_sentence_says_why_not(self):
        with tempfile.TemporaryDirectory() as folder:
            program, kept = Path(folder, "flipscope"), Path(folder, "kept.npy")
            program.write_text(f'#!/bin/sh\ncp "$2" {kept}\n[ "$3" = --light ] || {{ echo "no luck" >&2; exit 2; }}\n')
            program.chmod(program.stat().st_mode | stat.S_IXUSR)
            before = dict(os.environ)
            try:
                os.environ.update(FLIPSCOPE_PROGRAM=str(program), DISPLAY=":99")
                self.assertIsNone(flipscope.show(grid(3), arguments=["--light"]))
                np.testing.assert_array_equal(np.load(kept), grid(3))
                with self.assertRaisesRegex(flipscope.Error, "the window ended with an error: no luck"):
                    flipscope.show(grid(3))
                os.environ.pop("DISPLAY")
                os.environ.pop("WAYLAND_DISPLAY", None)
                if sys.platform.startswith("linux"):
                    with self.assertRaisesRegex(flipscope.Error, "there is no display"):
                        flipscope.show(grid(3))
                os.environ.update(FLIPSCOPE_PROGRAM="/nowhere/flipscope")
                with self.assertRaisesRegex(flipscope.Error, "/nowhere/flipscope, which is no program"):
                    flipscope.show(grid(3))
            finally:
                os.environ.clear()
                os.environ.update(before)


def cycles(triangles):
    """The triangles as a set, independent of the first corner."""
    return {min((t[k:] + t[:k] for k in range(3))) if t else () for t in map(tuple, triangles.tolist())}


class Changed(unittest.TestCase):
    def test_a_single_changed_point_is_noticed_by_all_that_reads_every_point(self):
        points = np.random.default_rng(4).random((20000, 2))
        box = (0, 0, 1, 1)
        cells, fresh, used = flipscope.Voronoi(points), flipscope.Delaunay(points), flipscope.Delaunay(points)
        expected = cells.areas(box)
        regions, simplices = cells.regions, fresh.simplices.tolist()
        used.find_simplex([[0.5, 0.5]])
        many = np.random.default_rng(5).random((1250, 2))
        readers = (
            lambda: cells.areas(box), lambda: cells.centroids(box), lambda: cells.cells(box), lambda: cells.areas(),
            lambda: cells.min_bound, lambda: fresh.max_bound, lambda: fresh.transform, lambda: pickle.dumps(fresh),
            lambda: pickle.dumps(cells), lambda: fresh.find_simplex([[0.5, 0.5]]), lambda: fresh.barycentric([[0.5, 0.5]]),
            lambda: used.find_simplex(many), lambda: used.barycentric(many),
        )  # fmt: skip
        first = points[1001].copy()
        for changed in (first[::-1], first + (0, 2.0**-52), -first, points[1003]):
            points[1001] = changed
            for use in readers:
                with self.assertRaisesRegex(flipscope.Error, "has changed since it was triangulated"):
                    use()
            self.assertEqual(cells.regions, regions)
            self.assertEqual(fresh.simplices.tolist(), simplices)
            used.find_simplex(many[:1249])  # compares a sample without this point
        points[1001] = first
        points[[1001, 1003]] = points[[1003, 1001]]
        with self.assertRaisesRegex(flipscope.Error, "has changed"):
            cells.areas(box)
        points[[1001, 1003]] = points[[1003, 1001]]
        np.testing.assert_array_equal(cells.areas(box), expected)

    def test_copies_notice_changes_of_the_array_that_they_read(self):
        for points in (np.random.default_rng(4).random((50, 2)), np.random.default_rng(4).random((5000, 2))):
            cells, made = flipscope.Voronoi(points), flipscope.Delaunay(points)
            others = [copied(given) for copied in (copy.copy, copy.deepcopy) for given in (cells, made)]
            pickled = pickle.loads(pickle.dumps(made))
            place = made.find_simplex([[0.5, 0.5]]).tolist()
            points[1] = 0.5
            for other in others:
                with self.assertRaisesRegex(flipscope.Error, "has changed"):
                    other.areas((0, 0, 1, 1)) if isinstance(other, flipscope.Voronoi) else other.find_simplex([[0.5, 0.5]])
                self.assertIs(other.points, points)
            self.assertEqual(pickled.find_simplex([[0.5, 0.5]]).tolist(), place)


@unittest.skipIf(scipy is None, "SciPy is not installed")
class ScipyTest(unittest.TestCase):
    """On inputs in general position, which Qhull triangulates correctly."""

    def setUp(self):
        self.points = np.random.default_rng(11).random((3000, 2))

    def test_interpolators_take_what_to_scipy_makes(self):
        import scipy.interpolate

        random = np.random.default_rng(8)
        square = np.stack(np.meshgrid(np.arange(12.0), np.arange(12.0)), -1).reshape(-1, 2)
        for points in (random.random((300, 2)), random.random((200, 2)) * 1e3 + 1e6, square):
            made = flipscope.Delaunay(points)
            theirs = made.to_scipy()
            self.assertIsInstance(theirs, scipy.spatial.Delaunay)
            np.testing.assert_array_equal(theirs.simplices, made.simplices)
            ends = points[random.integers(0, len(points), (200, 2))]
            inside, values = ends.mean(axis=1), 3 * points[:, 0] - 2 * points[:, 1] + 1
            expected = 3 * inside[:, 0] - 2 * inside[:, 1] + 1
            for interpolator in (scipy.interpolate.LinearNDInterpolator, scipy.interpolate.CloughTocher2DInterpolator):
                np.testing.assert_allclose(interpolator(theirs, values)(inside), expected, rtol=1e-6)
        with self.assertRaisesRegex(flipscope.Error, "no triangle"):
            flipscope.Delaunay([[0, 0], [1, 1], [2, 2]]).to_scipy()

    def test_matplotlib_draws_what_scipys_functions_pass_on(self):
        try:
            import matplotlib
        except ImportError:
            self.skipTest("matplotlib is not installed")
        matplotlib.use("Agg")
        import matplotlib.pyplot as plt

        made = flipscope.Delaunay(self.points[:50])
        figure = scipy.spatial.delaunay_plot_2d(made)
        self.assertEqual(len(figure.axes[0].lines), 3)  # points, edges and gaps between them
        self.assertTrue(scipy.spatial.voronoi_plot_2d(flipscope.Voronoi(self.points[:50])).axes[0].collections)
        self.assertEqual(len(matplotlib.tri.Triangulation(*self.points[:50].T, made.simplices).edges), 50 + made.nsimplex - 1)
        plt.close("all")

    def test_the_same_triangulation(self):
        ours, theirs = flipscope.Delaunay(self.points), scipy.spatial.Delaunay(self.points)
        self.assertEqual({frozenset(t) for t in ours.simplices.tolist()}, {frozenset(t) for t in theirs.simplices.tolist()})
        self.assertEqual({frozenset(e) for e in ours.convex_hull.tolist()}, {frozenset(e) for e in theirs.convex_hull.tolist()})
        queries = np.random.default_rng(12).random((500, 2)) * 1.1
        found, expected = ours.find_simplex(queries), theirs.find_simplex(queries)
        np.testing.assert_array_equal(found < 0, expected < 0)
        np.testing.assert_array_equal(
            np.sort(ours.simplices[found[found >= 0]]), np.sort(theirs.simplices[expected[expected >= 0]])
        )
        self.assertEqual(ours.find_simplex(queries[:3] + 5).tolist(), [-1] * 3)
        starts, flat = theirs.vertex_neighbor_vertices
        for v in range(0, 3000, 7):
            row = ours.vertex_neighbor_vertices[1][slice(*ours.vertex_neighbor_vertices[0][v : v + 2])]
            self.assertEqual(set(row.tolist()), set(flat[starts[v] : starts[v + 1]].tolist()))

    def test_the_same_diagram(self):
        ours, theirs = flipscope.Voronoi(self.points), scipy.spatial.Voronoi(self.points)
        self.assertEqual(len(ours.vertices), len(theirs.vertices))
        self.assertEqual(
            {frozenset(r) for r in ours.ridge_points.tolist()}, {frozenset(r) for r in theirs.ridge_points.tolist()}
        )
        for p in range(3000):
            mine, other = ours.regions[ours.point_region[p]], theirs.regions[theirs.point_region[p]]
            self.assertEqual(len(mine), len(other))
            if -1 not in mine:
                np.testing.assert_allclose(
                    sorted(ours.vertices[mine].tolist()), sorted(theirs.vertices[other].tolist()), rtol=1e-6, atol=1e-9
                )


if __name__ == "__main__":
    unittest.main()
