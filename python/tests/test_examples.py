"""Runs the examples and the manual's code without a display."""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class ExamplesTest(unittest.TestCase):
    def test_every_example_runs(self):
        examples = sorted((ROOT / "python" / "examples").glob("*.py"))
        self.assertGreater(len(examples), 3)
        with tempfile.TemporaryDirectory() as folder:
            for example in examples:
                with self.subTest(example.name):
                    command = [sys.executable, str(example), str(Path(folder, example.stem + ".png"))]
                    if "matplotlib" in example.read_text(encoding="utf-8") and not find_spec("matplotlib"):
                        del command[-1]
                    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, env=os.environ)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertGreater(len(done.stdout.splitlines()), 2)

    @unittest.skipUnless(find_spec("scipy"), "SciPy is not installed")
    def test_both_libraries_are_judged_on_inputs_that_round(self):
        benchmark = ROOT / "python" / "benchmarks" / "against_scipy.py"
        done = subprocess.run([sys.executable, str(benchmark), "--points", "300", "--runs", "1", "--rest"], capture_output=True,
                              text=True, env=os.environ)
        self.assertEqual(done.returncode, 0, done.stderr)
        ours = re.findall(r"^  flipscope  ?[\d,]+ ms \(.*\) +(\S.*)$", done.stdout, re.M)
        self.assertEqual(set(ours), {"right"}, done.stdout)
        self.assertIn("unused-point", done.stdout)  # SciPy leaves them out far from the origin

    def test_the_code_of_the_manual_runs(self):
        blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / "docs" / "python.md").read_text(encoding="utf-8"), re.M | re.S)
        self.assertGreater(len(blocks), 0)
        for block in blocks:
            exec(compile(block, "docs/python.md", "exec"), {"__name__": "manual"})


if __name__ == "__main__":
    unittest.main()
