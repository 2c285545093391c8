"""The package and the examples, checked by mypy and pyright in their strict modes."""

import importlib.util
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class TypingTest(unittest.TestCase):
    def run_checker(self, name, *arguments):
        if importlib.util.find_spec(name) is None:
            self.skipTest(f"{name} is not installed")
        done = subprocess.run([sys.executable, "-m", name, *arguments], capture_output=True, text=True, cwd=ROOT)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_mypy_accepts_package_and_examples(self):
        self.run_checker("mypy", "--cache-dir", "/dev/null")

    def test_pyright_accepts_the_examples(self):
        self.run_checker("pyright", "--pythonpath", sys.executable)


if __name__ == "__main__":
    unittest.main()
