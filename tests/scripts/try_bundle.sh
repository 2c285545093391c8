#!/usr/bin/env bash
# try_bundle.sh FOLDER PROGRAM: runs an unpacked bundle in a root folder that holds nothing else but the C library: no
# OpenGL, no X, no /sys, of /proc a link. It compares it with PROGRAM outside. try_bundle.sh --install BUILD PROGRAM: installs it from a build first.
# Ends with 77 where this machine does not let a root folder be changed.
set -euo pipefail
export LC_ALL=C PATH=$PATH:/usr/sbin:/sbin
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
root=$scratch/root
mkdir -p "$root/opt" "$root/tmp" "$root/dev" "$root/lib64" "$root/proc/self"
ln -s lib64 "$root/lib"
: >"$root/dev/null"
# The only entry of /proc in use: the dynamic linker finds $ORIGIN by it, and the program its lessons. Mounting takes more rights.
ln -s /opt/flipscope/lib/flipscope/flipscope "$root/proc/self/exe"
export HOME=/tmp XDG_CONFIG_HOME=/tmp XDG_STATE_HOME=/tmp

if ((EUID == 0)) && chroot / true 2>/dev/null; then
    enter=(chroot)
elif unshare --user --map-root-user chroot / true 2>/dev/null; then
    enter=(unshare --user --map-root-user chroot)
else
    echo "skipped: neither chroot nor unshare --user is permitted here"
    exit 77
fi
if [[ $1 == --install ]]; then
    for component in bundle data; do
        cmake --install "$2" --component "$component" --prefix "$root/opt/flipscope" >"$scratch/log" 2>&1 || {
            cat "$scratch/log"
            exit 1
        }
    done
else
    cp -a "$1" "$root/opt/flipscope"
fi
program=${!#}
loader=$(readelf -p .interp "$program" | sed -n 's/.*\(\/lib[^ ]*\).*/\1/p')
for library in libc.so.6 libm.so.6 libdl.so.2 libpthread.so.0 librt.so.1; do
    place=$(ldconfig -p | sed -n "s/^\t$library (libc6,x86-64.*=> //p" | head -n 1)
    cp -L "$place" "$root/lib64/"
done
cp -L "$loader" "$root$loader"

failures=0
expect() { # expect WHAT STATUS PATTERN ARGUMENT…: of the program within
    local what=$1 status=$2 pattern=$3 found=0 said
    shift 3
    said=$(env -u DISPLAY -u WAYLAND_DISPLAY -u LD_LIBRARY_PATH timeout 60 "${enter[@]}" "$root" /opt/flipscope/bin/flipscope "$@" 2>&1 </dev/null) || found=$?
    # shellcheck disable=SC2053  # a pattern is meant
    if [[ $found != "$status" || $said != $pattern ]]; then
        printf '%s: status %s, expected %s and %s\n%s\n' "$what" "$found" "$status" "$pattern" "$said"
        failures=$((failures + 1))
    fi
}
run=(run build --points uniform:20000 --seed 3 --check)
expect "its version" 0 "*$("$program" --version)*" --version
expect "a triangulation" 0 "*" "${run[@]}" --quiet --json /tmp/inside.json
"$program" "${run[@]}" --device cpu --quiet --json "$scratch/outside.json"
hash_of() { grep -o '"[a-z_]*hash": *"[^"]*"' "$1" || true; }
inside=$(hash_of "$root/tmp/inside.json")
if [[ -z $inside || $inside != "$(hash_of "$scratch/outside.json")" ]]; then
    printf 'the hashes differ\n  inside:  %s\n  outside: %s\n' "$inside" "$(hash_of "$scratch/outside.json")"
    failures=$((failures + 1))
fi
expect "a lesson" 0 "*" run "/opt/flipscope/share/flipscope/lessons/2-flips-on-a-parallel-machine.json"
expect "curves" 0 "*" run build --points uniform:100 --quiet --curve flipped --plot /tmp/curves.svg
grep -q '<svg' "$root/tmp/curves.svg" || failures=$((failures + 1))
expect "a file judged" 0 "*" check /opt/flipscope/share/flipscope/airfoil.xy
expect "a picture" 2 "*libEGL.so.1*Install a graphics driver*" run build --points uniform:100 --quiet --picture /tmp/picture.png
expect "a figure of shapes" 0 "*" run build --points uniform:100 --quiet --figure /tmp/figure.svg --figure /tmp/figure.pdf
grep -q '<svg' "$root/tmp/figure.svg" && grep -q '%PDF' "$root/tmp/figure.pdf" || failures=$((failures + 1))
expect "a figure with an image in it" 2 "*has an image in it*libEGL.so.1*" run build --points uniform:20000 --quiet --figure /tmp/large.svg
expect "a window" 2 "*no window can be opened*--picture*" --light
[[ ! -e $root/tmp/picture.png ]] || failures=$((failures + 1))

# Which C++ library: a driver may need the system's, so that is taken where it is no older.
bundled=$(echo "$root"/opt/flipscope/lib/flipscope/fallback/libstdc++.so.6/libstdc++.so.6.0.*)
cp "$root"/opt/flipscope/lib/flipscope/fallback/{libgcc_s.so.1/libgcc_s.so.1,libz.so.1/libz.so.1} "$root/lib64/"
for release in 20 99; do
    cp "$bundled" "$root/lib64/libstdc++.so.6.0.$release"
    ln -sf libstdc++.so.6.0.$release "$root/lib64/libstdc++.so.6"
    used=$(LD_DEBUG=libs "${enter[@]}" "$root" /opt/flipscope/bin/flipscope --version 2>&1 | sed -n 's/.*calling init: \(.*libstdc++.so.6\)$/\1/p' | tail -n 1)
    wanted=fallback
    ((release == 20)) || wanted=/lib
    if [[ $used != *$wanted* || ($release == 99 && $used == *fallback*) ]]; then
        echo "beside a libstdc++.so.6.0.$release of the system it uses ${used:-none}"
        failures=$((failures + 1))
    fi
done

# The oldest C library that suffices.
newest=$(find "$root/opt/flipscope/bin" "$root/opt/flipscope/lib" -type f -exec objdump -T {} + 2>/dev/null |
    grep -o 'GLIBC_2\.[0-9.]*' | sort -uV | tail -n 1)
echo "the bundle has $(du -sh "$root/opt/flipscope" | cut -f 1) and needs ${newest:-an unknown C library}; $failures failures"
((failures == 0))
