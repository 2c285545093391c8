#!/usr/bin/env python3
"""Runs the tests of spatial statistics against fresh values of spatstat: compare_with_spatstat.py CORE_TESTS.

Exit status 77 where R or spatstat is missing.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

script = pathlib.Path(__file__).with_name("spatstat.R")
if not shutil.which("Rscript"):
    print("skipped: R is missing (Debian: apt install r-cran-spatstat.model)")
    sys.exit(77)
with tempfile.TemporaryDirectory() as folder:
    values = pathlib.Path(folder) / "spatstat.txt"
    made = subprocess.run(["Rscript", str(script), str(values)])
    if made.returncode:
        sys.exit(made.returncode)
    tests = [sys.argv[1], "--source-file=*statistics/test_spatial*", "--test-case=*spatstat*"]
    sys.exit(subprocess.run(tests, env={**os.environ, "FLIPSCOPE_SPATSTAT": str(values)}).returncode)
