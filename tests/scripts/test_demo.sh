#!/usr/bin/env bash
# What scripts/demo calls, with a pretended program, cmake and xvfb-run that write down how they were called.
# shellcheck disable=SC2016  # the pretenders' scripts expand when they run
set -euo pipefail
# shellcheck source=tests/scripts/pretend.sh
source "$(dirname "${BASH_SOURCE[0]}")/pretend.sh"
scripts=$root/scripts
mkdir "$scratch/build/app"
export PATH=$scratch/bin:$PATH
unset DISPLAY WAYLAND_DISPLAY

program() { pretend ../build/app/flipscope "$1"; }
demo() { # sets status, said, calls
    : >"$CALLS"
    status=0
    said=$("$scripts/demo" "$@" 2>&1 </dev/null) || status=$?
    calls=$(calls)
}

pretend dpkg-query 'for name in "$@"; do echo "installed $name"; done'
pretend cmake 'if [[ $1 == --version ]]; then echo "cmake version 3.25.1"; else echo "cmake $1" >>"$CALLS"; fi
[[ $1 != -S ]] || printf "%s " "$@" >"$CALLS.configured"
[[ $1 != -S ]] || touch "$4/build.ninja"'
pretend nvcc 'echo "nvcc $*" >>"$CALLS"; echo "release 12.4, V12.4.131"'
pretend xvfb-run 'echo "xvfb-run" >>"$CALLS"; shift 3; DISPLAY=:1 "$@"'
draws='echo "flipscope $*" >>"$CALLS"; echo summary
while (($#)); do [[ $1 != --picture ]] || touch "$2"; shift; done'

program "$draws"
demo
expect "no display: configures, builds, draws a sheet of all labs" "$calls" \
    "cmake -S;cmake --build;flipscope sheet --check --picture $scratch/build/demo.png;"
expect "no display: says so, prints the summary and where the picture is" "$said" \
    "*no display*summary*the picture is $scratch/build/demo.png"
expect "no display: it worked" "$status" 0

expect "an nvcc on PATH is not even tried: CMake decides, and asks for a GPU first" "${calls//[^;]/} ${calls/*nvcc*/called}" ";;; $calls"
expect "whatever an earlier cache says of CUDA" "$(cat "$CALLS.configured")" \
    "*-DFLIPSCOPE_TESTS=OFF *-DFLIPSCOPE_CUDA=AUTO -DFLIPSCOPE_CUDA_ARCHITECTURES=AUTO *"

demo
expect "the second run does not configure" "$calls" "cmake --build;flipscope sheet *"
FLIPSCOPE_CMAKE_ARGS=-DFLIPSCOPE_CUDA=ON demo
expect "CUDA is asked for: configures again, with the last word" "$calls $(cat "$CALLS.configured")" \
    "cmake -S;*-DFLIPSCOPE_CUDA=AUTO *-DFLIPSCOPE_CUDA=ON "
FLIPSCOPE_CMAKE_ARGS=-DX=1 demo
expect "other arguments for CMake: configures again" "$calls" "cmake -S;cmake --build;*"

demo --light --threads 1 --size 1280x800
expect "how the sheet is to look is passed on" "$calls" \
    "*flipscope sheet --check --picture $scratch/build/demo.png --light --threads 1 --size 1280x800;"
demo --points=ring:50 --threads 1
expect "points are named: one run on them, in place of the demo's own" "$calls" \
    "*flipscope run build --check --picture $scratch/build/demo.png --seed 1 --size 1920x1080 --points=ring:50 --threads 1;"

program "$draws; exit 1"
demo
expect "a failed check is the script's status, too" "$status" 1
expect "a failed check is not tried again: one build, one run" "${calls//[^;]/}" ";;"

program 'if [[ -z ${DISPLAY-} ]]; then echo "flipscope without" >>"$CALLS"; exit 2; fi
'"$draws"
demo
expect "EGL fails: the same under Xvfb" "$calls" "*flipscope without;xvfb-run;flipscope sheet *"
expect "EGL fails: it worked in the end" "$status" 0

demo --pionts ring:50
expect "wrong use without a display: its status" "$status" 2
expect "wrong use without a display: nothing is tried again" "$calls" "*flipscope without;"

program 'if [[ $1 != sheet ]]; then echo "flipscope $*" >>"$CALLS"; exit "${WINDOW_STATUS-0}"; fi
'"$draws"
export DISPLAY=elsewhere:0
demo --light
expect "a display: the window, and nothing more" "$calls" "*flipscope */assets/demo.json --light;"
WINDOW_STATUS=2 demo
expect "a display that cannot be opened: a picture instead" "$calls" "*flipscope */assets/demo.json;flipscope sheet *"
WINDOW_STATUS=2 demo --nonsense
expect "wrong use: its status" "$status" 2
expect "wrong use: no picture" "$calls" "*flipscope */assets/demo.json --nonsense;"

((failures == 0)) && echo "all as expected"
