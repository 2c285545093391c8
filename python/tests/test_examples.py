"""Runs the examples and the manual's code without a display."""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class ExamplesTest(unittest.TestCase):
    def test_every_example_runs(self):
        examples = sorted((ROOT / "python" / "examples").glob("*.py"))
        self.assertGreater(len(examples), 3)
        with tempfile.TemporaryDirectory() as folder:
            for example in examples:
                with self.subTest(example.name):
                    picture = Path(folder, example.stem + ".png")
                    done = subprocess.run(
                        [sys.executable, str(example), str(picture)], capture_output=True, text=True, cwd=folder, env=os.environ
                    )
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertGreater(len(done.stdout.splitlines()), 2)

    def test_the_code_of_the_manual_runs(self):
        blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / "docs" / "python.md").read_text(encoding="utf-8"), re.M | re.S)
        self.assertGreater(len(blocks), 0)
        for block in blocks:
            exec(compile(block, "docs/python.md", "exec"), {"__name__": "manual"})


if __name__ == "__main__":
    unittest.main()
