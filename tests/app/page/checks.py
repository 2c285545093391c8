"""Checks of a test: failures are printed and counted."""

import subprocess
import sys

failures = []


def check(holds, sentence):
    if not holds:
        failures.append(sentence)
        print("FAILED:", sentence, flush=True)


def output_of(*command):
    """The standard output of a program that must succeed."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))}: {done.stderr}")
    return done.stdout


def end(summary):
    print(f"{summary}, {len(failures)} failures")
    sys.exit(1 if failures else 0)
