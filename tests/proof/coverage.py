#!/usr/bin/python3
"""Coverage of parts of the core by its tests: coverage.py BUILD [--jobs 2] [--report]

Builds the core and its tests with the instrumentation of clang-19, runs the tests and prints the table of docs/proof.md: lines,
branches and conditions (MC/DC: each was shown to decide alone), for each part. A template or an inline function counts
once, with what all its instances cover together. Then the branches of predicates and flip that no test takes;
unreachable.json explains why none can.
"""

import argparse
import collections
import glob
import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = ["geometry", "mesh", "delaunay", "judge", "statistics", "io", "lab", "instruments", "labs"]
SCALE = "0.3"  # FLIPSCOPE_TEST_SCALE
PARTS = {
    "predicates": r"include/flipscope/(predicates|detail/exact)\.h|core/geometry/(incircle_lanes|accurate_determinants|filtered)",
    "flip": r"core/delaunay/flip/",
    "strips": r"core/delaunay/constructions/(strips|zip)",
    "insertion": r"core/delaunay/constructions/(insertion|split|locat|rounds|sample_start|seed|serial)",
    "judge": r"core/judge/",
    "readers": r"core/io/(?!.*writer|output_file|state_file)",
}
LISTED = ["predicates", "flip"]  # every branch of these is covered or explained
CONSTANT = r"!?(\w+::k[A-Z]\w*|std::is_\w+_v<.*>)"  # where they are compiled: no branch


def build(made, jobs):
    flags = "-fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc -O1 -w"
    subprocess.run(["cmake", "-S", ROOT, "-B", made, "-G", "Ninja", "-DCMAKE_CXX_COMPILER=clang++-19",
                    "-DCMAKE_BUILD_TYPE=None", f"-DCMAKE_CXX_FLAGS={flags}", "-DFLIPSCOPE_CUDA=OFF", "-DFLIPSCOPE_APP=OFF",
                    "-DFLIPSCOPE_UNITY=ON", "-DFLIPSCOPE_PRECOMPILE=ON", "-DFLIPSCOPE_CORE_TESTS=" + ";".join(TESTS)],
                   check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["ninja", "-C", made, f"-j{jobs}", "flipscope_core_tests"], check=True, stdout=sys.stderr)


def measure(made):
    program, raw = os.path.join(made, "tests/flipscope_core_tests"), os.path.join(made, "profile")
    os.makedirs(raw, exist_ok=True)
    for old in glob.glob(raw + "/*"):
        os.remove(old)
    with open(os.path.join(made, "tests.log"), "w") as log:
        done = subprocess.run([program, "--threads", "1,2"], stdout=log, env=os.environ | {
            "FLIPSCOPE_TEST_SCALE": SCALE, "LLVM_PROFILE_FILE": raw + "/%p.profraw"})
    if done.returncode not in (0, 77):
        raise SystemExit("the tests fail: see " + log.name)
    merged = os.path.join(made, "merged.profdata")
    subprocess.run(["llvm-profdata-19", "merge", "-sparse", "-o", merged, *glob.glob(raw + "/*.profraw")], check=True)
    with open(os.path.join(made, "coverage.json"), "w") as out:
        subprocess.run(["llvm-cov-19", "export", program, "-instr-profile=" + merged,
                        os.path.join(ROOT, "core"), os.path.join(ROOT, "include")], check=True, stdout=out)


def report(made):
    data = json.load(open(os.path.join(made, "coverage.json")))["data"][0]
    explained = {(e["file"], e["condition"], e["never"]): e["why"]
                 for e in json.load(open(os.path.join(HERE, "unreachable.json")))}
    branches, conditions = collections.Counter(), {}
    for file in data["files"]:  # with a row for each instance of a template
        name = os.path.relpath(file["filename"], ROOT)
        text = open(file["filename"]).read().split("\n")
        for row in file["branches"]:
            if re.fullmatch(CONSTANT, text[row[0] - 1][row[1] - 1:row[3] - 1]):
                continue
            branches[(name, *row[:4], True)] += row[4]
            branches[(name, *row[:4], False)] += row[5]
        for row in file["mcdc_records"]:
            seen = conditions.setdefault((name, *row[:4]), [False] * len(row[6]))
            for i, shown in enumerate(row[6]):
                seen[i] = seen[i] or shown
    lines = collections.Counter()
    for file in data["files"]:
        name = os.path.relpath(file["filename"], ROOT)
        for part, pattern in PARTS.items():
            if re.match(pattern, name):
                lines[part, "all"] += file["summary"]["lines"]["count"]
                lines[part, "covered"] += file["summary"]["lines"]["covered"]
    share = lambda covered, of: f"{covered} of {of} ({100 * covered / of:.1f} %)" if of else "none"
    print("| Part | Lines | Branches | MC/DC conditions |")
    print("|---|---|---|---|")
    missing, open_ = [], 0
    for part, pattern in PARTS.items():
        here = {k: n for k, n in branches.items() if re.match(pattern, k[0])}
        shown = [s for place, seen in conditions.items() if re.match(pattern, place[0]) for s in seen]
        print(f"| {part} | {share(lines[part, 'covered'], lines[part, 'all'])} | "
              f"{share(sum(n > 0 for n in here.values()), len(here))} | {share(sum(shown), len(shown))} |")
        if part in LISTED:
            missing += sorted(k for k, n in here.items() if n == 0)
    print("\nBranches of " + " and ".join(LISTED) + " that no test takes:")
    for file, line, column, _, to, taken in missing:
        condition = open(os.path.join(ROOT, file)).read().split("\n")[line - 1][column - 1:to - 1]
        why = explained.get((file, condition, taken), "")
        open_ += not why
        print(f"{file}:{line}: {condition} is never {str(taken).lower()}: {why or 'NOT EXPLAINED'}")
    return open_


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--report", action="store_true", help="print the last run's results")
    options = parser.parse_args()
    made = os.path.abspath(options.build)
    if not options.report:
        build(made, options.jobs)
        measure(made)
    return 1 if report(made) else 0


if __name__ == "__main__":
    sys.exit(main())
