#!/usr/bin/env bash
# When CUDA is compiled, and for which GPUs: CMake's own decision with a fake nvidia-smi and nvcc, and the options that
# the scripts pass.
# shellcheck disable=SC2016  # the pretenders' scripts expand when they run
set -euo pipefail
# shellcheck source=tests/scripts/pretend.sh
source "$(dirname "${BASH_SOURCE[0]}")/pretend.sh"
real_cmake=$(command -v cmake)
mkdir "$scratch/trial"
export PATH=$scratch/bin:$PATH

# An nvcc that must not be run where it is not wanted; what it compiles is empty.
pretend nvcc 'echo "nvcc $*" >>"$CALLS"
[[ $1 != --version ]] || echo "Cuda compilation tools, release ${RELEASE-12.4}, V12.4.131"
[[ $1 != --list-gpu-arch ]] || printf "compute_%s\n" 75 80 90
while (($#)); do [[ $1 != -o ]] || touch "$2"; shift; done
exit "${NVCC_STATUS-0}"'

# ---- what CMake decides ----------------------------------------------------------------------------------------------

cat >"$scratch/trial/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(trial LANGUAGES NONE)
list(APPEND CMAKE_MODULE_PATH ${FOLDER})
include(Cuda)
END
decide() { # decide [more -D…]: sets said and calls
    : >"$CALLS"
    rm -rf "$scratch/build"
    said=$("$real_cmake" -S "$scratch/trial" -B "$scratch/build" -DFOLDER="$root/cmake" -DFLIPSCOPE_CUDA=AUTO \
        -DFLIPSCOPE_CUDA_ARCHITECTURES=AUTO -DFLIPSCOPE_GPU_SIGNS="$scratch/sign" "$@" 2>&1) || true
    calls=$(calls)
}

pretend nvidia-smi 'echo "NVIDIA-SMI has failed because it could not communicate with the driver 535.54"; exit 9'
decide
expect "nvcc without a GPU: CPU threads, in one line with what to do" "$said" \
    "*CUDA: no NVIDIA GPU found; building for CPU threads only (-DFLIPSCOPE_CUDA=ON *"
expect "nvcc without a GPU: nvcc is not run" "$calls" ""
pretend nvidia-smi 'echo "No devices were found"'
decide
expect "a driver without a GPU is none" "$said" "*no NVIDIA GPU found*"

touch "$scratch/sign"
RELEASE=11.8 NVCC_STATUS=1 decide
expect "a GPU by its device file, an nvcc that is too old: CPU threads, with what to do" "$said" \
    "*there is a GPU, but no nvcc 12 or newer *; found: 11.8*install the CUDA Toolkit*"
rm "$scratch/sign"
pretend nvidia-smi 'echo 9.0; echo 9.0'
NVCC_STATUS=1 decide
expect "a GPU by nvidia-smi: nvcc is tried" "$calls" "nvcc --version;nvcc -std=c++20 *"
RELEASE=11.8 NVCC_STATUS=1 decide -DFLIPSCOPE_CUDA=ON
expect "requested and unavailable: an error" "$said" "*FLIPSCOPE_CUDA=ON needs nvcc 12 or newer *; found: 11.8*"
decide -DFLIPSCOPE_CUDA=OFF
expect "turned off: nothing is looked for" "$calls" ""

# ---- which architectures ---------------------------------------------------------------------------------------------

architectures() { # architectures LINE…, as nvidia-smi prints them
    pretend nvidia-smi "printf '%s\n' $*"
    decide
    sed -n 's/.*architectures \(.*\); building.*/\1/p' <<<"$said"
}
expect "one GPU: its architecture alone" "$(architectures 9.0)" "90"
expect "eight of a kind: that one" "$(architectures 9.0 9.0 9.0 9.0 9.0 9.0 9.0 9.0)" "90"
expect "two kinds: both" "$(architectures 7.5 8.0)" "75;80"
expect "newer than the compiler: what the driver can translate" "$(architectures 12.0)" "75-real;90"
expect "older than the program: as for any" "$(architectures 6.1)" "75-real;90"
touch "$scratch/sign"
expect "a GPU that nvidia-smi does not report: as for any" "$(architectures '""')" "75-real;90"
rm "$scratch/sign"

# ---- the options for CMake -------------------------------------------------------------------------------------------

pretend cmake 'if [[ $1 == --version ]]; then echo "cmake version 3.25.1"; exit; fi
printf "%s " "$@" >"$CALLS"
mkdir -p "$4" && touch "$4/build.ninja"'
configured() { # configured demo|test: the arguments that CMake gets
    rm -rf "$scratch/build"
    mkdir "$scratch/build"
    bash -c 'set -euo pipefail
        source "$0/scripts/lib.sh"
        configure "$1"' "$root" "$1" 2>/dev/null
    cat "$CALLS"
}
expect "the demo: where there is a GPU, and for that one" "$(configured demo)" \
    "*-DFLIPSCOPE_CUDA=AUTO -DFLIPSCOPE_CUDA_ARCHITECTURES=AUTO *"
expect "tests: wherever it can be compiled, for all" "$(CI='' configured test)" \
    "*-DFLIPSCOPE_CUDA=ON -DFLIPSCOPE_CUDA_ARCHITECTURES=75-virtual;90 *"
expect "tests of every change: for one" "$(CI=true configured test)" \
    "*-DFLIPSCOPE_CUDA=ON -DFLIPSCOPE_CUDA_ARCHITECTURES=90-real *"
expect "tests, turned off by the user, who has the last word" \
    "$(FLIPSCOPE_CMAKE_ARGS=-DFLIPSCOPE_CUDA=OFF configured test)" "*-DFLIPSCOPE_CUDA=ON *-DFLIPSCOPE_CUDA=OFF "
expect "tests with an nvcc that is too old" "$(RELEASE=11.8 NVCC_STATUS=1 configured test)" "*-DFLIPSCOPE_CUDA=AUTO *"

((failures == 0)) && echo "all as expected"
