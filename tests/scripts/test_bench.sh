#!/usr/bin/env bash
# What the benchmarks of flips and lattices write into files, and how it refuses. Not how fast it is.
set -euo pipefail
bench=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0

refuses() { # refuses WORDS ARGUMENTS…
    local words=$1 status=0
    shift
    "$bench" --device cpu "$@" >"$scratch/out" 2>&1 || status=$?
    if ((status != 2)) || ! grep -q -e "$words" "$scratch/out"; then
        printf '%s: expected status 2 and "%s", found status %d and:\n' "$*" "$words" "$status"
        cat "$scratch/out"
        failures=$((failures + 1))
    fi
}
refuses 'did you mean quad' --flips --only quadd
refuses 'expected flat or surface' --meshes --only sphere
refuses 'has no parameter "predicate"' --flips --set predicate=float
refuses 'nothing lies between' --meshes --max 1000
refuses 'leave out --flips' --flips --precisions
refuses 'excludes' --flips --meshes

"$bench" --device cpu --flips --max 2000 --runs 2 --seed 7 --json "$scratch/f.json" --plot "$scratch/f.svg" >/dev/null
"$bench" --device cpu --lattice --only density,growth --sites 96x64 --min 10 --max 3500 --runs 2 \
    --json "$scratch/l.json" >/dev/null
"$bench" --device cpu --meshes --max 25000 --runs 1 --json "$scratch/m.json" --plot "$scratch/m.svg" >/dev/null
python3 - "$scratch" <<'END' || failures=$((failures + 1))
import json, sys, xml.dom.minidom
folder = sys.argv[1]
growth, meshes = (json.load(open(f"{folder}/{name}.json")) for name in "fm")
assert [case["start"] for case in growth["cases"]] == \
    ["quad", "quad", "scrambled", "one-percent", "moved", "insertion", "sweep"], "the starts"
assert growth["seed"] == 7
for case in growth["cases"] + meshes["cases"]:
    assert case["complaints"] == [], case
    assert case["iterations"] == len(case["flips_per_iteration"]) > 0
    assert case["flips"] == sum(case["flips_per_iteration"]) > 0
    assert case["edges_tested"] >= case["edges"] > case["triangles"] > 0
    assert 0 < case["illegal_share"] < 1 and case["flips_per_iteration"][0] <= case["illegal_share"] * case["edges"]
    assert case["times"]["ours"]["median_ms"] > 0 and case["lawson_flips"] > 0
    assert {"flip.claim", "flip.flip"} <= {kernel["label"] for kernel in case["kernels"]}
    assert abs(sum(kernel["share"] for kernel in case["kernels"]) - 1) < 1e-6
assert [(case["start"], case["edges"], case["paper"]["mesh"]) for case in meshes["cases"]] == \
    [("flat", 30008, "Moai"), ("sphere", 30000, "Moai")], "the meshes"
assert any("one percent" in target["what"] for target in growth["targets"])
lattice = json.load(open(f"{folder}/l.json"))
assert [row["centres"] for row in lattice["growth"]] == [10, 100, 1000], "tens up to --max"
sizes = [(row["width"], row["sites_per_centre"], row["centres"]) for row in lattice["density"]]
assert sizes == [(256, 20, 3276), (256, 64, 1024), (256, 1000, 65), (512, 1000, 262), (1024, 1000, 1048)], \
    "densities whose centres are no more than --max"
for row in lattice["growth"] + lattice["density"]:
    sites = row.get("width", 96) * row.get("height", 64)
    assert abs(row["ns_per_site"] * sites * 1e-6 / row["times"]["exact"]["median_ms"] - 1) < 1e-6, row
for name in "fm":
    text = xml.dom.minidom.parse(f"{folder}/{name}.svg").toxml()
    assert "60 frames a second" in text and "lawson" in text, name
END

((failures == 0)) && echo "all as expected"
