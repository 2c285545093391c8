"""Runs SciPy's own tests of scipy.spatial.Delaunay and Voronoi against flipscope, where points are of the plane. Needs pytest and
the tests of SciPy's wheel."""

import importlib.util
import re
import unittest
from pathlib import Path

import flipscope

SUITE = "scipy.spatial.tests.test_qhull"
CLASSES = ("TestUtilities", "TestVertexNeighborVertices", "TestDelaunay", "TestVoronoi")
MANUAL = Path(__file__).resolve().parents[2] / "docs" / "python.md"


def has_suite():
    try:
        return all(importlib.util.find_spec(name) is not None for name in ("pytest", SUITE))
    except ImportError:
        return False


class Substitution:
    """A plugin of pytest: flipscope's classes in place of SciPy's for points of the plane. Other points are SciPy's own."""

    def __init__(self):
        from scipy.spatial import _qhull

        self.used = False
        self.passed, self.failed = set(), {}
        for name in ("Delaunay", "Voronoi"):
            setattr(_qhull, name, self.of(getattr(flipscope, name), getattr(_qhull, name)))

    def of(self, ours, theirs):
        def make(points, *arguments, **keywords):
            shape = getattr(points, "shape", None) or (len(points), len(points[0]))
            if len(shape) != 2 or shape[1] != 2:
                return theirs(points, *arguments, **keywords)
            self.used = True
            return ours(points, *arguments, **keywords)

        return make

    def pytest_runtest_setup(self, item):
        self.used = False

    def pytest_runtest_logreport(self, report):
        if report.when != "call" or not self.used:
            return
        name = report.nodeid.split("::", 1)[1]
        if report.passed:
            self.passed.add(name)
        else:
            self.failed[name] = str(report.longrepr).strip().splitlines()[-1]


@unittest.skipUnless(has_suite(), "pytest or SciPy's tests are not installed")
class SciPySuiteTest(unittest.TestCase):
    def test_scipys_own_tests_pass_but_for_those_that_the_manual_lists(self):
        import pytest

        found = Substitution()
        arguments = ["-q", "--no-header", "--tb=short", "-p", "no:cacheprovider", "-W", "ignore", "--show-capture=no", "-rN", "--pyargs"]
        pytest.main([*arguments, *(f"{SUITE}::{name}" for name in CLASSES)], plugins=[found])
        self.assertGreater(len(found.passed), 20)
        listed = set(re.findall(r"^\| `(Test\w+::\w+[^`]*)` \|", MANUAL.read_text(encoding="utf-8"), re.M))
        self.assertEqual(set(found.failed), listed, found.failed)


if __name__ == "__main__":
    unittest.main()
