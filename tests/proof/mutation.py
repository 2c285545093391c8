#!/usr/bin/python3
"""Mutation testing: which of a thousand small faults in the geometry do the fast tests notice?

mutation.py BUILD [--count 1200] [--seed 1] [--take N] [--jobs 2] [--again] [--report]
Chosen faults are compiled together into BUILD/source, a copy of the sources, each behind a switch; see mutant.h. One run
of the tests records which cases reach which mutant. Each mutant then runs the cases that reach it, the quick ones first,
until one fails. Prints the table of docs/proof.md. BUILD/results.jsonl has every mutant; an interrupted run resumes from it.
survivors.json explains why others are harmless. See mutators.py for what is not mutated at all.
"""

import argparse
import collections
import concurrent.futures
import glob
import hashlib
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import mutators

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HERE = os.path.dirname(os.path.abspath(__file__))
TARGETS = ["include/flipscope/predicates.h", "include/flipscope/detail/*.h", "core/geometry/*", "core/mesh/*",
           "core/delaunay/flip/*", "core/delaunay/constructions/*", "core/judge/*"]
TESTS = ["geometry", "mesh", "delaunay", "judge", "voronoi", "statistics", "io", "lab", "instruments", "labs", "proof"]
LEFT_OUT = "--test-case-exclude=floors:*"  # reads folders that are not copied
MOST_SECONDS = 2  # of a fast case
MOST_SECONDS_OF_FILE = 300  # of all cases of a file

CHECKS = "-D_GLIBCXX_ASSERTIONS -fsanitize=bounds -fsanitize-trap=bounds"  # an index out of range kills a mutant
KILLED = ("killed", "timeout")
SCALE = "0.05"  # FLIPSCOPE_TEST_SCALE
MEMORY = 6 << 30  # bytes; a mutant that allocates more is killed


def say(*words):
    print("flipscope:", *words, file=sys.stderr, flush=True)


def targets():
    return sorted(os.path.relpath(f, ROOT) for pattern in TARGETS for f in glob.glob(os.path.join(ROOT, pattern)))


def digest():
    return hashlib.sha256(b"".join(open(os.path.join(ROOT, f), "rb").read() for f in targets())).hexdigest()


def chosen_before(folder):
    """The mutants of an interrupted or earlier run, if the sources are the same."""
    path = os.path.join(folder, "mutants.json")
    last = json.load(open(path)) if os.path.exists(path) else {"sources": ""}
    return [m for m in last["mutants"] if mutators.can_matter(m)] if last["sources"] == digest() else None


def choose(count, seed):
    files = targets()
    sources = [f for f in files if f.endswith((".cpp", ".cu"))]
    found = {}
    for m in mutators.find(ROOT, sources, files):
        found.setdefault(m["file"], []).append(m)
    say(f"{sum(map(len, found.values()))} candidates in {len(found)} files")
    lines = {f: sum(1 for _ in open(os.path.join(ROOT, f))) for f in found}
    chosen = []
    for file in sorted(found):
        some = min(len(found[file]), max(1, round(count * lines[file] / sum(lines.values()))))
        order = sorted(found[file], key=lambda m: (m["start"], m["end"], m["text"]))
        chosen += random.Random(f"{seed} {file}").sample(order, some)
    for number, m in enumerate(chosen):
        text = open(os.path.join(ROOT, m["file"]), "rb").read()
        m |= {"id": number + 1, "lines": text[m["start"]:m["end"]].count(b"\n")}
    return [m for m in chosen if mutators.can_matter(m)]


def write(tree, mutants):
    """Makes `tree` a mutated copy of the sources; files that are as they should be keep their time."""
    of_file, kept = collections.defaultdict(list), set()
    for m in mutants:
        of_file[m["file"]].append(m)
    for part in ["CMakeLists.txt", "cmake/**", "core/**", "include/**", "tests/**"]:
        for path in filter(os.path.isfile, glob.glob(os.path.join(ROOT, part), recursive=True)):
            name = os.path.relpath(path, ROOT)
            text = mutators.mutated(open(path, "rb").read(), of_file[name])
            copy = os.path.join(tree, name)
            kept.add(copy)
            if not os.path.exists(copy) or open(copy, "rb").read() != text:
                os.makedirs(os.path.dirname(copy), exist_ok=True)
                open(copy, "wb").write(text)
    for path in filter(os.path.isfile, glob.glob(os.path.join(tree, "**"), recursive=True)):
        if path not in kept:
            os.remove(path)


def build(folder, mutants, jobs):
    """Builds the mutated tests. Returns the mutants that compile, and the test program."""
    tree, made = os.path.join(folder, "source"), os.path.join(folder, "build")
    while True:
        write(tree, mutants)
        subprocess.run(
            ["cmake", "-S", tree, "-B", made, "-G", "Ninja", "-DCMAKE_CXX_COMPILER=clang++-19", "-DCMAKE_BUILD_TYPE=None",
             f"-DCMAKE_CXX_FLAGS=-O1 -DNDEBUG {CHECKS} -w -ferror-limit=0 -include {HERE}/mutant.h", "-DFLIPSCOPE_CUDA=OFF",
             "-DFLIPSCOPE_APP=OFF", "-DFLIPSCOPE_UNITY=ON", "-DFLIPSCOPE_PRECOMPILE=ON",
             "-DFLIPSCOPE_CORE_TESTS=" + ";".join(TESTS)], check=True, stdout=subprocess.DEVNULL)
        done = subprocess.run(["ninja", "-C", made, f"-j{jobs}", "-k0", "flipscope_core_tests"], text=True,
                              capture_output=True)
        if done.returncode == 0:
            return mutants, os.path.join(made, "tests/flipscope_core_tests")
        broken = set()
        for kind in ["error", "note"]:  # a template's error is noted where our code uses it
            for file, line in re.findall(rf"^{re.escape(tree)}/(\S+?):(\d+):\d+: (?:fatal )?{kind}", done.stdout, re.M):
                broken |= {m["id"] for m in mutants
                           if m["file"] == file and m["line"] <= int(line) <= m["line"] + m["lines"]}
            if broken:
                break
        if not broken:
            raise SystemExit("\n".join(re.findall(r".*(?:error|FAILED|undefined).*", done.stdout))[-6000:])
        say(f"{len(broken)} mutants do not compile")
        mutants = [m for m in mutants if m["id"] not in broken]


def limits():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(program, mutant, chosen, limit, record=None):
    """killed, survived or timeout; `chosen`: doctest's option for the cases"""
    variables = os.environ | {"FLIPSCOPE_MUTANT": str(mutant), "FLIPSCOPE_TEST_SCALE": SCALE}
    if record:
        variables["FLIPSCOPE_MUTANT_RECORD"] = record
    with tempfile.TemporaryDirectory(prefix="flipscope-mutant-") as scratch:
        process = subprocess.Popen([program, "--abort-after=1", "--threads", "1,2", chosen, LEFT_OUT], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, cwd=scratch, env=variables | {"TMPDIR": scratch},
                                   start_new_session=True, preexec_fn=limits)
        try:
            return "survived" if process.wait(limit) in (0, 77) else "killed"
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return "timeout"


def record(program, folder):
    """(seconds, name) of the cases that reach each mutant."""
    path = os.path.join(folder, "reached.txt")
    recorded = os.path.exists(path) and os.path.getmtime(path) > os.path.getmtime(program)
    if not recorded and run(program, -1, "--test-case=*", 1800, path) != "survived":
        raise SystemExit("the tests fail without a mutant")
    reached = collections.defaultdict(list)
    for row in open(path):
        seconds, ids, name = row.rstrip("\n").split("\t")
        for number in ids.split() if float(seconds) < MOST_SECONDS else []:
            reached[int(number)].append((float(seconds), name))
    return reached


def try_mutant(program, mutant, cases):
    cases, start, result = sorted(cases), time.time(), "survived"
    batches, total = collections.defaultdict(list), 0  # in one process each: the quick cases, slower ones, the others
    for seconds, name in cases:
        total += seconds
        batches[sum(total > limit for limit in (0.2, 1, 5, 20))].append((seconds, name))
    for batch in batches.values():
        names = ",".join(n.replace(",", "?").replace("\\", "?") for _, n in batch)  # doctest separates them with commas
        result = run(program, mutant["id"], "--test-case=" + names, 10 + 6 * sum(s for s, _ in batch))
        if result != "survived":
            break
    if result == "survived":  # a table that is made once is reached by its first case alone
        stem = os.path.splitext(os.path.basename(mutant["file"]))[0]
        result = run(program, mutant["id"], f"--source-file=*/test_{stem}.c*", MOST_SECONDS_OF_FILE)
    if result == "survived" and not cases:
        result = "unreached"
    return mutant | {"result": result, "seconds": round(time.time() - start, 2)}


def place_of(mutant, text):
    """What finds a mutant again in a changed file: the text of its line and the change."""
    return {"file": mutant["file"], "source": text[mutant["line"] - 1].strip(), "from": mutant["from"],
            "to": mutant["text"] or "(dropped)"}


def report(results):
    explained = {json.dumps([e["file"], e["source"], e["from"], e["to"]]): e["why"]
                 for e in json.load(open(os.path.join(HERE, "survivors.json")))}
    rows, survivors = collections.OrderedDict(), []
    for m in sorted(results, key=lambda m: (m["file"], m["line"])):
        row = rows.setdefault(os.path.dirname(m["file"]), collections.Counter())
        row["mutants"] += 1
        row[m["result"]] += 1
        if m["result"] in ("survived", "unreached"):
            place = place_of(m, open(os.path.join(ROOT, m["file"])).read().split("\n"))
            why = explained.get(json.dumps(list(place.values())), "")
            row["explained" if why else "open"] += 1
            survivors.append(place | {"line": m["line"], "result": m["result"], "why": why})
    whole = sum(rows.values(), collections.Counter())
    print("| Folder | Mutants | Killed | of them by the time limit | Survived, explained | Not explained | Killed, % |")
    print("|---|---|---|---|---|---|---|")
    for name, row in [*rows.items(), ("all", whole)]:
        killed = row["killed"] + row["timeout"]
        print(f"| {name} | {row['mutants']} | {killed} | {row['timeout']} | {row['explained']} | {row['open']} | "
              f"{100 * killed / row['mutants']:.1f} |")
    print("\nSurvivors that are not explained:")
    for s in survivors:
        if not s["why"]:
            print(f"{s['file']}:{s['line']}: {s['from']} => {s['to']} ({s['result']}) in: {s['source']}")
    return whole["open"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--count", type=int, default=1200)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--take", type=int, help="run only so many, at random")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--again", action="store_true", help="run survivors again, after tests have changed")
    parser.add_argument("--report", action="store_true", help="print the last run's results")
    options = parser.parse_args()
    folder = os.path.abspath(options.build)
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "results.jsonl")  # a line for each try; the last one counts
    mutants, results = chosen_before(folder), {}
    ids = {m["id"] for m in mutants or []}
    if os.path.exists(path) and mutants:
        results = {m["id"]: m for m in map(json.loads, open(path)) if m["id"] in ids}
    if not options.report:
        start = time.time()
        if not mutants:
            mutants = choose(options.count, options.seed)
        mutants, program = build(folder, mutants, options.jobs)
        json.dump({"sources": digest(), "mutants": mutants}, open(os.path.join(folder, "mutants.json"), "w"), indent=0)
        reached = record(program, folder)
        say(f"{len(mutants)} mutants, {len(reached)} reached, built and recorded in {time.time() - start:.0f} s")
        finished = {i for i, m in results.items() if not options.again or m["result"] in KILLED}
        todo = [m for m in mutants if m["id"] not in finished]
        todo = random.Random(1).sample(todo, min(len(todo), options.take or len(todo)))
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool, open(path, "a" if results else "w") as out:
            tries = [pool.submit(try_mutant, program, m, reached[m["id"]]) for m in todo]
            for number, done in enumerate(concurrent.futures.as_completed(tries), 1):
                results[done.result()["id"]] = done.result()
                print(json.dumps(done.result()), file=out, flush=True)
                if number % 50 == 0:
                    say(f"{number} of {len(todo)} after {time.time() - start:.0f} s")
    return 1 if report(results.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
