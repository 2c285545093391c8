#!/usr/bin/env bash
# What the benchmarks of flips, lattices and particles write into files, and how they refuse. Not how fast it is.
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
refuses 'at most 1' --flips --precisions
refuses 'excludes' --judging --plot judging.svg
refuses 'at most 1' --flips --meshes
refuses 'only c9: expected c0' --particles --only c9

refuses 'requires --regress' --turns 4
refuses 'nothing lies between' --regress "$bench" --meshes --max 1000

# Builds that report the same time for everything, ms.
for ms in 0.0001 5000; do
    cat >"$scratch/$ms" <<END
#!/usr/bin/env bash
"$(realpath "$bench")" "\$@" && sed -Ei 's/("median_ms": )[^,]*/\1$ms/' "\${@: -1}"
END
    chmod +x "$scratch/$ms"
done
compares() { # compares TIMES STATUS RESULT
    local status=0
    "$bench" --device cpu --constructions --only strips,build,uniform --max 1e4 --runs 3 --turns 3 --regress "$scratch/$1" \
        --json "$scratch/r.json" >"$scratch/out" || status=$?
    if ((status != $2)) || (($(grep -c "uniform 1000.*$3" "$scratch/out") != 4)) || ! grep -q "\"$3\"" "$scratch/r.json"; then
        echo "beside times of $1: expected status $2 and 4 times $3, found status $status and:"
        cat "$scratch/out"
        failures=$((failures + 1))
    fi
}
compares 5000 0 faster
compares 0.0001 1 slower

"$bench" --device cpu --flips --max 2000 --runs 2 --seed 7 --json "$scratch/f.json" --plot "$scratch/f.svg" >/dev/null
"$bench" --device cpu --lattice --only density,growth --sites 96x64 --min 10 --max 3500 --runs 2 \
    --json "$scratch/l.json" >/dev/null
"$bench" --device cpu --meshes --max 25000 --runs 1 --json "$scratch/m.json" --plot "$scratch/m.svg" >/dev/null
for threads in 1 2; do
    "$bench" --device cpu --threads "$threads" --particles --only long-range,c3,short-range,c4,packed-starts --min 256 --max 1024 \
        --runs 6 --json "$scratch/p$threads.json" --plot "$scratch/p.svg" >/dev/null
done
"$bench" --device cpu --particles --only short-range,c1 --min 100 --max 400 --seconds 0 --json "$scratch/s.json" \
    >"$scratch/out"
grep -q 'c1 ends below N = 200' "$scratch/out" || {
    echo "no word of particles that were left out"
    failures=$((failures + 1))
}
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
lattice = json.load(open(f"{folder}/l.json"))
assert [row["centres"] for row in lattice["growth"]] == [10, 100, 1000], "tens up to --max"
sizes = [(row["width"], row["sites_per_centre"], row["centres"]) for row in lattice["density"]]
assert sizes == [(256, 20, 3276), (256, 64, 1024), (256, 1000, 65), (512, 1000, 262), (1024, 1000, 1048)], \
    "densities whose centres are no more than --max"
for row in lattice["growth"] + lattice["density"]:
    sites = row.get("width", 96) * row.get("height", 64)
    assert abs(row["ns_per_site"] * sites * 1e-6 / row["times"]["exact"]["median_ms"] - 1) < 1e-6, row
particles, again, short = (json.load(open(f"{folder}/{name}.json")) for name in ("p1", "p2", "s"))
for name, law in ("short-range", "short"), ("long-range", "long"), ("packed-starts", "short"):
    section = particles[name]
    rows = [(row["particles"], row["configuration"]) for row in section["rows"]]
    assert rows == [(n, config) for n in (256, 512, 1024) for config in ("c3", "c4")], rows
    for row, other in zip(section["rows"], again[name]["rows"]):
        assert row["force"] == law and row["steps"] == 6 and row["warm_up"] == 3, row
        assert row["check"] and row["missed_by_edges"] == 0 and row["overlapping_left"] == 0, row
        assert row["ms_per_step"] > 0 and row["median_ms"] > 0, row
        for count in ("state_hash", "pushes", "flip_passes", "flips"):
            assert row[count] == other[count], (count, row, other)
    dense, dilute = (sum(row["pushes"] for row in section["rows"] if row["configuration"] == c) for c in ("c3", "c4"))
    assert dense > dilute, "c3 needs more pushes than c4"
    for fit in section["fits"]:
        assert fit["sizes_of_times"] == fit["sizes_of_counts"] == 3 and abs(fit["time_exponent"]) < 10, fit
assert [(row["particles"], row["steps"]) for row in short["short-range"]["rows"]] == [(100, 3)], \
    "steps without time, and larger sizes left out"
text = xml.dom.minidom.parse(f"{folder}/p.svg").toxml()
assert all(f"(figure {k})" in text for k in (9, 10, 11)) and "c3, long" in text, "figures of particles"
for name in "fm":
    text = xml.dom.minidom.parse(f"{folder}/{name}.svg").toxml()
    assert "60 frames a second" in text and "lawson" in text, name
END

((failures == 0)) && echo "all as expected"
