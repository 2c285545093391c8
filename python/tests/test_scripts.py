"""Runs the scripts that the program writes of a picture (Copy as Python), and compares their numbers with the program's."""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from importlib.util import find_spec
from pathlib import Path

from flipscope import Error
from flipscope._show import find_program

ROOT = Path(__file__).resolve().parents[2]
TREES = str(ROOT / "assets" / "trees.csv")


def program():
    try:
        return find_program()
    except Error:
        return None


@unittest.skipUnless(find_spec("matplotlib"), "matplotlib is not installed")
@unittest.skipUnless(program(), "the program flipscope is not built")
class ScriptsTest(unittest.TestCase):
    def run_both(self, arguments):
        """The program's results, and the output of its script, which draws a picture."""
        with tempfile.TemporaryDirectory() as folder:
            script, picture = Path(folder, "explore.py"), Path(folder, "picture.png")
            words = [program(), "run", "build", "--device", "cpu", "--quiet", "--statistics", "--json", "-", *arguments]
            made = subprocess.run([*words, "--export", str(script)], capture_output=True, text=True)
            self.assertEqual(made.returncode, 0, made.stderr)
            done = subprocess.run([sys.executable, str(script), str(picture)], capture_output=True, text=True, env=os.environ)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertGreater(picture.stat().st_size, 10_000)
            return json.loads(made.stdout), done.stdout

    def check_numbers(self, results, output, quantity, label):
        found = re.search(rf"^{re.escape(label)}: n = (\d+), mean (\S+), median (\S+), standard deviation (\S+)$", output, re.M)
        self.assertTrue(found, output)
        row = next(one for one in results["summaries"] if one["quantity"] == quantity and not one.get("category"))
        self.assertEqual(int(found[1]), row["count"])
        for text, key in ((found[2], "mean"), (found[3], "median"), (found[4], "standard_deviation")):
            self.assertAlmostEqual(float(text), row[key], delta=2e-5 * abs(row[key]) + 1e-9)

    def test_a_column_of_a_table_with_discs_and_a_selection(self):
        results, output = self.run_both(
            ["--input", TREES, "--colour-by", "dbh_cm", "--size-by", "dbh_cm", "--select", "species=Picea abies", "--hide", "mesh"]
        )
        self.check_numbers(results, output, "dbh_cm", "dbh_cm")
        row = next(one for one in results["summaries"] if one["quantity"] == "dbh_cm" and not one.get("category"))
        self.assertIn(f"of these: mean {row['selected_mean']:.6g}, median {row['selected_median']:.6g}", output)

    def test_every_measured_quantity_is_that_of_the_program(self):
        for quantity in ("nearest", "edge-length", "min-angle", "triangle-area", "circumradius", "alpha", "cell-area", "psi6"):
            with self.subTest(quantity):
                arguments = ["--points", "uniform:300", "--colour-by", quantity, "--colour-map", "viridis", "--colour-steps", "5"]
                results, output = self.run_both(arguments)
                label = output.split(":")[0]
                if quantity == "psi6":  # the program leaves out the outline
                    self.assertIn("n = 300", output)
                elif quantity == "alpha":
                    self.assertRegex(output, r"n = \d+, mean 0\.\d+")
                else:
                    self.check_numbers(results, output, label, label)

    def test_categories_and_cells(self):
        for more in (["--colour-by", "species"], ["--colour-by", "cell-area", "--colour-scale", "log"], ["--select", "point:3..9"]):
            with self.subTest(more):
                self.run_both(["--input", TREES, *more])


if __name__ == "__main__":
    unittest.main()
