"""Tests flipscope.spatial against brute force, kept values of spatstat, and SciPy, freud, shapely and pandas where installed."""

import unittest
import warnings
from pathlib import Path

import numpy as np

import flipscope
from flipscope import spatial

VALUES = Path(__file__).resolve().parents[2] / "tests" / "statistics" / "spatstat.txt"
OUTER = np.array([(0, 0), (4, 0), (4, 3), (0, 3)], float)
HOLE = np.array([(1, 1), (2, 1), (2, 2), (1, 2)], float)


def random_points(count, width=1.0, height=1.0, seed=1):
    return np.random.default_rng(seed).random((count, 2)) * (width, height)


def clusters(seed=5):
    rng = np.random.default_rng(seed)
    points = (rng.random((25, 1, 2)) * 10 + rng.normal(0, 0.15, (25, 12, 2))).reshape(-1, 2)
    return points[((points > 0) & (points < 10)).all(axis=1)]


def patterns():
    """Patterns of spatstat.R: name, area, points, marks by kind, and values by word, each with its radii."""
    made = []
    for line in VALUES.read_text().splitlines():
        words = line.split()
        head = [word for word in words if word[0].isalpha() and word not in ("NA", "NaN", "Inf")]
        numbers = np.array([float("nan" if word == "NA" else word) for word in words[len(head) :]])
        name = " ".join(head)
        if name.startswith("pattern"):
            made.append({"name": head[1], "rings": [], "values": {}})
        elif name == "rectangle":
            made[-1]["area"] = tuple(numbers)
        elif name == "ring":
            made[-1]["rings"].append(numbers.reshape(-1, 2))
            made[-1]["area"] = made[-1]["rings"]
        elif name == "points":
            table = numbers.reshape(-1, 4)
            made[-1]["points"] = np.ascontiguousarray(table[:, :2])
            made[-1]["kinds"], made[-1]["sizes"] = np.array(["oak", "elm"])[table[:, 2].astype(int)], table[:, 3]
        elif name == "radii":
            radii = numbers
        else:
            made[-1]["values"][name] = (radii, numbers)
    return made


class SpatstatTest(unittest.TestCase):
    def test_every_curve_has_the_values_of_spatstat(self):
        compared = 0
        for pattern in patterns():
            is_polygon = len(pattern["rings"]) > 0
            for word, (radii, expected) in pattern["values"].items():
                function, _, correction = word.partition(" ")
                if not correction or function == "intensity":
                    continue
                marks = pattern["sizes"] if function == "mark-correlation" else pattern["kinds"]
                options = dict(radii=radii, correction=correction, marks=marks, pair=("oak", "elm"))
                got = spatial.curve(pattern["points"], pattern["area"], function, **options)
                tolerance = 2e-7
                if function == "g" or function.startswith("mark"):
                    tolerance = 0.02  # spatstat: of 512 bins
                elif is_polygon and correction == "translation":
                    tolerance = 1e-5
                elif is_polygon and (correction == "hanisch" or function in "FJ"):
                    tolerance = 0.03  # spatstat: of pixels
                known = np.isfinite(expected)
                known[0] = False
                known[-1] &= not function.startswith("mark")
                if is_polygon and function == "J":
                    known &= radii <= 0.45
                with self.subTest(pattern=pattern["name"], word=word):
                    off = np.abs(got.values[known] - expected[known]).max()
                    self.assertLessEqual(off, tolerance * np.abs(expected[1:][np.isfinite(expected[1:])]).max())
                    self.assertEqual((got.function, got.correction, got.count), (function, correction, len(pattern["points"])))
                compared += 1
        self.assertGreater(compared, 40)

    def test_tests_and_bandwidths_have_the_values_of_spatstat(self):
        for pattern in patterns():
            with self.subTest(pattern["name"]):
                points, area, values = pattern["points"], pattern["area"], {k: v[1] for k, v in pattern["values"].items()}
                nearest = spatial.clark_evans(points, area)
                np.testing.assert_allclose((nearest.ratio, nearest.p_value), values["clark-evans"][[0, 2]], 1e-6)
                np.testing.assert_allclose(nearest.donnelly, values["clark-evans"][3], 1e-6)
                np.testing.assert_allclose(nearest.cdf, values["clark-evans"][1], 0.01)
                quadrats = spatial.quadrat_test(points, area, (4, 3))
                np.testing.assert_allclose((quadrats.statistic, quadrats.freedom, quadrats.p_value), values["quadrats"], 1e-5)
                for rule, expected, tolerance in zip(("scott", "diggle", "likelihood"), values["bandwidths"], (1e-7, 0.05, 0.1)):
                    np.testing.assert_allclose(spatial.intensity(points, area, rule).bandwidth, expected, tolerance)
                pixels = np.arange(11, 120, 12)
                for correction in ("uniform", "diggle"):
                    made = spatial.intensity(points, area, 0.6, correction=correction)
                    ours, theirs = made.values[np.ix_(pixels, pixels)].ravel(), values[f"intensity {correction}"]
                    known = np.isfinite(ours) & np.isfinite(theirs)
                    self.assertGreater(known.sum(), 50)
                    np.testing.assert_allclose(ours[known], theirs[known], 5e-3)
                for process in ("thomas", "matern"):
                    fitted = spatial.ripley(points, area, simulations=1, process=process).fitted
                    np.testing.assert_allclose(fitted[:2], values[process], 0.01)


class CurveTest(unittest.TestCase):
    def test_curves_of_a_periodic_box_count_pairs_by_the_shorter_way_round(self):
        sides, radii = np.array((2.0, 1.5)), np.linspace(0, 0.7, 15)
        points = random_points(200, *sides)
        apart = np.abs(points[:, None] - points)
        apart = np.minimum(apart, sides - apart)
        distances = np.hypot(apart[..., 0], apart[..., 1])[~np.eye(200, dtype=bool)]
        counts = np.array([(distances <= r).sum() for r in radii])
        k = spatial.ripley(points, box=sides, radii=radii)
        np.testing.assert_allclose(k.values, counts * 3.0 / (200 * 199))
        np.testing.assert_allclose(k.expected, np.pi * radii**2)
        self.assertTrue(np.isnan(k.low).all() and np.isnan(k.p_value))
        moved = spatial.ripley(points - (100 * sides[0], 0), box=sides, radii=radii)  # as boxes around 0 have them
        np.testing.assert_allclose(moved.values, k.values, atol=1e-3)
        g = spatial.pair_correlation(points, box=sides, radii=radii, bins=True)
        rings = np.pi * np.diff(radii**2)
        np.testing.assert_allclose(g.values, np.diff(counts) * 3.0 / (200 * 199) / rings)
        np.testing.assert_allclose(g.radii, (radii[1:] + radii[:-1]) / 2)
        nearest = spatial.curve(points, function="G", box=sides, radii=radii).values
        least = np.sort(distances.reshape(200, 199), axis=1)[:, 0]
        np.testing.assert_allclose(nearest, [(least <= r).mean() for r in radii])

    def test_g_of_a_periodic_box_is_that_of_freud(self):
        try:
            import freud
        except ImportError:
            self.skipTest("freud is not installed (pip install freud-analysis)")
        points = random_points(500, 10, 10)
        rdf = freud.density.RDF(bins=40, r_max=4, normalization_mode="finite_size")
        rdf.compute((freud.box.Box.square(10), np.column_stack((points - 5, np.zeros(500)))))
        ours = spatial.pair_correlation(points, box=(10, 10), radii=np.linspace(0, 4, 41), bins=True)
        np.testing.assert_allclose(ours.values, rdf.rdf, atol=0.02)

    def test_k_without_correction_is_that_of_pointpats(self):
        try:
            from pointpats import k
        except ImportError:
            self.skipTest("pointpats is not installed (pip install pointpats)")
        points, radii = random_points(150, 4, 3), np.linspace(0, 1, 11)
        ours = spatial.ripley(points, radii=radii, correction="none").values  # in the bounding box, as there
        np.testing.assert_allclose(ours * 149 / 150, k(points, support=radii)[1], rtol=1e-9)  # n² there, not n (n - 1)

    def test_envelopes_separate_clusters_from_random_points_and_repeat(self):
        area = (0, 0, 10, 10)
        options = dict(function="L", radii=np.linspace(0, 1, 21), simulations=39)
        made = [spatial.ripley(clusters(), area, threads=threads, **options) for threads in (1, 2)]
        for name in ("values", "low", "high", "expected"):
            np.testing.assert_array_equal(getattr(made[0], name), getattr(made[1], name))
        self.assertEqual(made[0].p_value, 1 / 40)
        self.assertGreater(made[0].values[5], made[0].high[5])
        self.assertTrue((made[0].high <= made[0].expected + made[0].half_width + 1e-12).all())
        other = spatial.ripley(clusters(), area, seed=2, **options)
        self.assertTrue((other.low != made[0].low).any())
        fitted = spatial.ripley(clusters(), area, process="thomas", **options)
        self.assertGreater(fitted.p_value, 0.05)
        self.assertAlmostEqual(fitted.fitted[1], 0.15, delta=0.05)
        self.assertGreater(spatial.ripley(random_points(300, 10, 10), area, **options).p_value, 0.05)

    def test_categories_are_shuffled_for_envelopes(self):
        points = random_points(300, 10, 10)
        kinds = np.where(points[:, 0] < 5, "oak", "elm")  # on either side: apart
        made = spatial.curve(points, (0, 0, 10, 10), "cross-K", marks=kinds, radii=np.linspace(0, 2, 11), simulations=19)
        self.assertEqual(made.p_value, 1 / 20)
        self.assertLess(made.values[-1], made.low[-1])
        swapped = spatial.curve(points, (0, 0, 10, 10), "cross-K", marks=kinds, pair=("oak", "elm"), radii=np.linspace(0, 2, 11))
        np.testing.assert_allclose(swapped.values, made.values, rtol=0.2)

    def test_study_areas_come_in_many_forms(self):
        points = random_points(150, 4, 3)
        ring = {"type": "Polygon", "coordinates": [OUTER.tolist(), [*HOLE.tolist(), HOLE[0].tolist()]]}
        forms = [[OUTER, HOLE], [OUTER, HOLE[::-1]], ring, {"type": "Feature", "geometry": ring}, spatial.study_area(ring)]
        try:
            import shapely

            forms.append(shapely.Polygon(OUTER, [HOLE]))
        except ImportError:
            pass
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            curves = [spatial.ripley(points, form, radii=(0, 0.1, 0.4)) for form in forms]
        inside = ~((points > 1) & (points < 2)).all(axis=1)
        self.assertEqual(len(caught), len(forms))
        self.assertIn(f"{(~inside).sum()} of 150 points lie outside", str(caught[0].message))
        self.assertEqual({warning.filename for warning in caught}, {__file__})
        for one in curves:
            self.assertEqual(one.count, inside.sum())
            np.testing.assert_array_equal(one.values, curves[0].values)
        self.assertEqual(spatial.study_area(ring).area, 11)
        self.assertEqual(spatial.study_area(None, OUTER).bounds, (0, 0, 4, 3))
        cells = flipscope.Voronoi(points).cells(spatial.study_area(ring))
        self.assertAlmostEqual(cells.areas.sum(), 11)
        box = spatial.ripley(points, (0, 0, 4, 3), radii=(0, 0.1, 0.4))
        np.testing.assert_allclose(spatial.ripley(points, OUTER, radii=(0, 0.1, 0.4)).values, box.values, 1e-9)

    def test_wrong_arguments_are_refused_with_a_sentence(self):
        points = random_points(20)
        for call, words in (
            (lambda: spatial.curve(points, function="Q"), "Q.*K, L"),
            (lambda: spatial.ripley(points, correction="hanisch"), "no correction .*border"),
            (lambda: spatial.ripley(points, box=(1, 1), correction="border"), "there are none"),
            (lambda: spatial.ripley(points, box=(1, 1), radii=(0, 0.6)), "half a periodic side"),
            (lambda: spatial.ripley(points, radii=(0, 0.2, 0.1)), "ascending"),
            (lambda: spatial.ripley(points, (0, 0, 1, 1), box=(1, 1)), "one of them"),
            (lambda: spatial.ripley(points, [(0, 0), (1, 1), (1, 0), (0, 1)]), "cross"),
            (lambda: spatial.ripley(points, process="walk"), "hardcore"),
            (lambda: spatial.ripley(points, "forest.geojson"), "a text, 'forest.geojson'.*json.load"),
            (lambda: spatial.curve(points, function="cross-K"), "one mark for each"),
            (lambda: spatial.curve(points, function="cross-K", marks=[1, 2]), r"\(20,\)"),
            (lambda: spatial.curve(points, function="cross-K", marks=["a"] * 20), "pair of categories"),
            (lambda: spatial.curve(points, function="cross-K", marks=["a", "b"] * 10, pair=("a", "c")), r"\['a', 'b'\]"),
            (lambda: spatial.pair_correlation(points, bandwidth=0), "above 0"),
            (lambda: spatial.pair_correlation(points, divisor="s"), "there are r, d"),
            (lambda: spatial.intensity(points, bandwidth="silverman"), "scott"),
            (lambda: spatial.intensity(points, correction="none"), "uniform"),
            (lambda: spatial.statistics([]), "no points"),
            (lambda: spatial.morans_i(points, [1, 2]), r"\(20,\)"),
            (lambda: spatial.quadrat_test(points, shape=(0, 2)), "shape=0"),
            (lambda: spatial.ripley(points, simulations=-1), "simulations=-1"),
            (lambda: spatial.ripley(points, seed=0.5), "seed=0.5"),
        ):
            with self.assertRaisesRegex(flipscope.Error, words):
                call()
        few = spatial.ripley([(0.5, 0.5)], (0, 0, 1, 1))
        self.assertTrue(np.isnan(few.values).all())


class ElementsTest(unittest.TestCase):
    def test_morans_i_is_its_formula_on_delaunay_edges(self):
        points = random_points(80)
        values = points[:, 0] + np.random.default_rng(2).normal(0, 0.2, 80)
        starts, flat = flipscope.Delaunay(points).vertex_neighbor_vertices
        a = np.repeat(np.arange(80), np.diff(starts))
        off = values - values.mean()
        found = spatial.morans_i(points, values)
        self.assertAlmostEqual(found.i, 80 / len(flat) * (off[a] * off[flat]).sum() / (off**2).sum())
        self.assertEqual(found.edges, len(flat) // 2)
        self.assertAlmostEqual(found.expected, -1 / 79)
        self.assertLess(found.p_value, 1e-6)

    def test_orientational_order_is_its_formula(self):
        points = random_points(60)
        starts, flat = flipscope.Delaunay(points).vertex_neighbor_vertices
        for k in (4, 5, 6):
            for i, psi in enumerate(spatial.orientational_order(points, k)):
                x, y = (points[flat[starts[i] : starts[i + 1]]] - points[i]).T
                self.assertAlmostEqual(psi, np.exp(1j * k * np.arctan2(y, x)).mean())
        rows = np.array([(x + 0.5 * (y % 2), y * 0.75**0.5) for y in range(8) for x in range(8)])
        crystal = spatial.orientational_order(rows, box=(8, 8 * 0.75**0.5))
        np.testing.assert_allclose(crystal, 1, atol=1e-9)
        copies = spatial.orientational_order(np.concatenate((points, points[:3])))
        self.assertTrue(np.isnan(copies[60:]).all() and np.isfinite(copies[:60]).all())

    def test_statistics_measure_points_edges_and_triangles(self):
        points = np.concatenate((random_points(100, 4, 3), [(0.5, 0.5), (0.5, 0.5)]))
        made = spatial.statistics(points, (0, 0, 4, 3))
        diagram = flipscope.Voronoi(points)
        cells = diagram.cells((0, 0, 4, 3))
        whole = np.flatnonzero(~cells.is_cut[:101])
        np.testing.assert_allclose(made.points["cell-area"][whole], cells.areas[whole])
        lengths = [np.linalg.norm(np.roll(cells[i][0][0], -1, 0) - cells[i][0][0], axis=1).sum() for i in whole]
        np.testing.assert_allclose(made.points["cell-perimeter"][whole], lengths)
        np.testing.assert_array_equal(made.points["cell-cut"][:101], cells.is_cut[:101])
        np.testing.assert_array_equal(made.points["row"], np.arange(101))  # the copy has none
        np.testing.assert_array_equal(made.points["degree"][:101], np.diff(diagram.delaunay.vertex_neighbor_vertices[0])[:101])
        psi = spatial.orientational_order(points)
        np.testing.assert_allclose(made.points["psi6"][:101], np.abs(psi[:101]), atol=1e-9)
        a, b = made.edges["from"], made.edges["to"]
        np.testing.assert_allclose(made.edges["edge-length"], np.linalg.norm(points[a] - points[b], axis=1))
        self.assertEqual(len(a), made.points["degree"][:101].sum() / 2)
        x, y, z = (points[made.triangles[corner]] for corner in "abc")
        u, v = y - x, z - x
        np.testing.assert_allclose(made.triangles["triangle-area"], (u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]) / 2, rtol=1e-9)
        inner = spatial.statistics(points, (1, 1, 3, 2))
        inside = ((points >= 1) & (points <= (3, 2))).all(axis=1)[:101]
        np.testing.assert_array_equal(np.isnan(inner.points["degree"][:101]), ~inside)
        np.testing.assert_array_equal(spatial.statistics(points).points["degree"], made.points["degree"])
        within = spatial.statistics(points, [OUTER, HOLE])
        cut = diagram.cells([OUTER, HOLE])
        self.assertTrue((within.points["outside"][:101] == 0).any())
        whole = np.flatnonzero((within.points["outside"][:101] == 0) & ~cut.is_cut[:101])
        np.testing.assert_allclose(within.points["cell-area"][whole], diagram.areas([OUTER, HOLE])[whole])
        try:
            import pandas
        except ImportError:
            return
        self.assertEqual(len(pandas.DataFrame(made.edges)), len(a))

    def test_points_on_a_line_have_no_triangles(self):
        made = spatial.statistics([(0, 0), (1, 1), (2, 2), (1, 1)], (0, 0, 3, 3))
        self.assertEqual((len(made.points["row"]), len(made.edges["from"]), len(made.triangles["a"])), (3, 0, 0))

    def test_statistics_of_a_periodic_box(self):
        points = random_points(50, 2, 1)
        made = spatial.statistics(points + (6, -3), box=(2, 1))
        self.assertAlmostEqual(made.points["cell-area"].sum(), 2)
        self.assertEqual((len(made.edges["from"]), len(made.triangles["a"]), made.points["degree"].mean()), (150, 100, 6))
        self.assertAlmostEqual(made.triangles["triangle-area"].sum(), 2)
        psi = spatial.orientational_order(points, box=(2, 1))
        np.testing.assert_allclose(made.points["psi6"], np.abs(psi), atol=1e-6)

    def test_the_structure_factor_is_its_sum(self):
        points = random_points(300, 2, 1)
        made = spatial.structure_factor(points, (0, 0, 2, 1))
        np.testing.assert_allclose(made.step, (np.pi, 2 * np.pi))
        for row, column in ((127, 128), (130, 120), (140, 127), (200, 60)):
            wave = np.array(((column - 127) * made.step[0], (row - 127) * made.step[1]))
            expected = np.abs(np.exp(-1j * points @ wave).sum()) ** 2 / 300
            self.assertAlmostEqual(made.picture[row, column], expected, delta=1e-3 * max(1, expected))
        self.assertTrue((np.diff(made.k) > 0).all())
        self.assertAlmostEqual(made.values[5:].mean(), 1, delta=0.1)

    def test_the_structure_factor_of_a_polygon_subtracts_the_mean_density(self):
        ring = [(0, 0), (2, 0.25), (1.5, 1), (0.25, 0.75)]
        points = random_points(4000, 2, 1)
        within = spatial.study_area(ring)
        with self.assertWarns(UserWarning):
            count = spatial.curve(points, within, radii=(0, 0.1)).count
        made = spatial.structure_factor(points, within)
        middle = made.picture[127, 127]
        self.assertAlmostEqual(middle, 0, delta=1e-3 * count)
        self.assertAlmostEqual(made.values.mean(), 1, delta=0.1)
        self.assertLess(made.picture[126:129, 126:129].max(), 10)  # the area alone has values of hundreds

    def test_directions_are_those_of_pairs(self):
        points = random_points(100, 1, 1)
        made = spatial.directions(points, box=(10, 10), between=(0.1, 0.3), bins=6)
        first, second = np.triu_indices(100, 1)
        steps = points[second] - points[first]
        near = (np.hypot(*steps.T) > 0.1) & (np.hypot(*steps.T) <= 0.3)
        angles = np.arctan2(steps[near, 1], steps[near, 0]) % np.pi
        np.testing.assert_allclose(made.pairs, np.histogram(angles, 6, (0, np.pi))[0], atol=1e-6)
        self.assertEqual(made.nearest.sum(), 100)
        with self.assertRaisesRegex(flipscope.Error, "ascending distances"):
            spatial.directions(points, between=(1, 0.5))

    def test_frames_have_the_mean_of_their_curves(self):
        frames = [random_points(n, 4, 3, seed) for n, seed in ((150, 1), (200, 2), (250, 3))]
        radii = np.linspace(0, 0.7, 15)
        made = spatial.curve(frames, (0, 0, 4, 3), "K", radii=radii)
        each = np.array([spatial.curve(frame, (0, 0, 4, 3), "K", radii=radii).values for frame in frames])
        np.testing.assert_allclose(made.values, each.mean(axis=0))
        np.testing.assert_allclose(made.errors, each.std(axis=0, ddof=1) / np.sqrt(3))
        self.assertEqual(made.count, 600)

    def test_frames_have_the_mean_of_functions_of_marks(self):
        frames = np.array([random_points(150, 4, 3, seed) for seed in range(3)])
        kinds = np.where(np.arange(150) % 3, "oak", "elm")
        for marks in (kinds, np.tile(kinds, (3, 1)), [kinds, kinds, kinds]):
            made = spatial.curve(frames, (0, 0, 4, 3), "cross-K", marks=marks, radii=(0.2, 0.5), simulations=19)
            each = [spatial.curve(frame, (0, 0, 4, 3), "cross-K", marks=kinds, radii=(0.2, 0.5)).values for frame in frames]
            np.testing.assert_allclose(made.values, np.mean(each, axis=0))
            self.assertTrue((made.low < made.high).all())
        still = spatial.curve([frames[0]] * 2, (0, 0, 4, 3), "cross-K", marks=kinds, radii=(0.2, 0.5), simulations=19)
        one = spatial.curve(frames[0], (0, 0, 4, 3), "cross-K", marks=kinds, radii=(0.2, 0.5), simulations=19)
        np.testing.assert_allclose(still.low, one.low)  # the same rows have the same shuffled marks
        blank = np.where(np.arange(150) % 3, 1, np.where(np.arange(150) % 2, 0, np.nan))
        some, only = (
            spatial.curve(frames[0][rows], (0, 0, 4, 3), "mark-connection", marks=blank[rows], bandwidth=0.1, radii=(0.2, 0.5))
            for rows in (slice(None), ~np.isnan(blank))
        )
        np.testing.assert_allclose(some.values, only.values)  # points without a mark do not count
        # Points that some frames lack keep their marks by their ids, in whatever rows they are.
        fewer = [np.flatnonzero(np.arange(150) % 7 != 0), np.random.default_rng(3).permutation(150)]
        given = dict(area=(0, 0, 4, 3), function="cross-K", radii=(0.2, 0.5), simulations=19)
        moved = spatial.curve([frames[0], frames[0][fewer[1]]], marks=[kinds, kinds[fewer[1]]], ids=[range(150), fewer[1]], **given)
        np.testing.assert_allclose(moved.low, one.low)
        with self.assertRaisesRegex(flipscope.Error, "ids: number 0 is 1.5"):
            spatial.curve(frames[:1], marks=kinds, ids=np.arange(1.5, 151), **given)
        with self.assertRaisesRegex(flipscope.Error, "give ids"):
            spatial.curve([frames[0], frames[0][fewer[0]]], marks=[kinds, kinds[fewer[0]]], **given)
        self.assertRegex(repr(moved), "^<cross-K, translation, of 300 points at 2 radii, p = [0-9.]+>$")
        with self.assertRaisesRegex(flipscope.Error, "needs marks that are numbers"):
            spatial.curve(frames[0], function="mark-correlation", marks=kinds)
        with self.assertRaisesRegex(flipscope.Error, "marks of 2 frames: there are 3"):
            spatial.curve(frames, function="cross-K", marks=[kinds, kinds])
        with self.assertRaisesRegex(flipscope.Error, "one for each point"):
            spatial.curve(frames, function="cross-K", marks=kinds[:9])

    def test_frames_without_points_are_left_out(self):
        points = random_points(150, 4, 3)
        one, some = (spatial.curve(of, (0, 0, 4, 3), radii=(0.2, 0.5)) for of in (points, [[], points, points[:1]]))
        np.testing.assert_allclose(some.values, one.values)
        with self.assertRaisesRegex(flipscope.Error, "no frames"):
            spatial.curve(np.empty((0, 5, 2)))

    def test_envelopes_of_frames_are_narrower(self):
        frames = [random_points(150, 4, 3, seed) for seed in range(9)]
        made, one = (spatial.curve(of, (0, 0, 4, 3), "K", radii=(0.2, 0.5), simulations=39) for of in (frames, frames[0]))
        ratio = (made.high - made.low) / (one.high - one.low)
        self.assertTrue(((0.15 < ratio) & (ratio < 0.7)).all())  # about 1 / √9

    def test_the_intensity_of_points_integrates_to_their_number(self):
        points = random_points(200, 4, 3)
        made = spatial.intensity(points, (0, 0, 4, 3), 0.3, correction="diggle", side=64)
        self.assertEqual((made.values.shape, made.bounds, made.bandwidth), ((64, 64), (0, 0, 4, 3), 0.3))
        self.assertAlmostEqual(made.values.mean() * 12, 200, delta=0.5)
        right = spatial.intensity(points * (0.5, 1) + (2, 0), (0, 0, 4, 3), 0.3)
        self.assertGreater(right.values[:, 32:].mean(), 5 * right.values[:, :32].mean())


if __name__ == "__main__":
    unittest.main()
