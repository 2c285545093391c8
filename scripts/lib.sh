# shellcheck shell=bash
# Shared by scripts/demo, scripts/test and .ci/run: packages, configuring, building, and detecting a display. To be sourced.
# Uses FLIPSCOPE_BUILD_DIR (build) and FLIPSCOPE_CMAKE_ARGS (more -D options).

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=${FLIPSCOPE_BUILD_DIR:-$root/build}
[[ $build == /* ]] || build=$PWD/$build

# Names of packages in Debian and Ubuntu.
# shellcheck disable=SC2034  # used by the scripts
packages_to_build=(
    build-essential cmake ninja-build pkg-config           # the tools
    libtbb-dev librandom123-dev libfast-float-dev          # core: CPU threads, random numbers, reading numbers
    libboost-dev                                           # core: rational numbers (headers only)
    libglfw3-dev libimgui-dev python3-glad libegl-dev libopengl-dev  # the window and OpenGL
    libglm-dev libpng-dev libjpeg-dev libtiff-dev libstb-dev libcairo2-dev libcli11-dev nlohmann-json3-dev zlib1g-dev
    libgl1-mesa-dri libegl-mesa0 fonts-inter fonts-jetbrains-mono  # to run: software rendering, text
)
# shellcheck disable=SC2034
packages_to_test=(
    doctest-dev
    libcgal-dev                             # the benchmark's yardstick
    poppler-utils                           # the words of a PDF
    xvfb xauth xdotool libx11-dev  # real windows without a screen, and screens with a scale of their own
    python3-dev python3-numpy python3-pip  # the Python module
)

say() { printf 'flipscope: %s\n' "$*" >&2; }

missing_packages() {
    local name
    declare -A installed=()
    while read -r name; do installed[$name]=1; done < <(
        dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null | sed -n 's/^installed //p'
    )
    for name in "$@"; do [[ -n ${installed[$name]-} ]] || echo "$name"; done
}

# install_missing WHY PACKAGE… Returns 0 if something was installed. A package that cannot be installed is not an error here:
# it may have been built from source, and CMake will report it.
install_missing() {
    local why=$1 list as_root=()
    shift
    if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
        [[ -e $build/build.ninja ]] ||
            say "this is not a Debian or Ubuntu; install what these packages are there, if CMake misses it: $*"
        return 1
    fi
    local missing
    mapfile -t missing < <(missing_packages "$@")
    ((${#missing[@]})) || return 1
    list=${missing[*]}
    say "installing ${#missing[@]} packages $why: $list"
    if ((EUID != 0)); then
        if ! command -v sudo >/dev/null; then
            say "not root and no sudo: as root, run  apt-get install $list"
            return 1
        fi
        as_root=(sudo)
        [[ -t 0 ]] || as_root+=(-n) # no terminal for a password
    fi
    as_root+=(env DEBIAN_FRONTEND=noninteractive)
    mkdir -p "$build"
    local log=$build/packages.log
    if "${as_root[@]}" apt-get update -qq </dev/null >"$log" 2>&1 &&
        "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" </dev/null >>"$log" 2>&1; then
        return 0
    fi
    grep '^E:' "$log" >&2 || tail -n 3 "$log" >&2
    say "apt-get failed (no network, or no rights? see $log); going on with what is here. Missing: $list"
    return 1
}

# One compiler per core, limited by memory (1.5 GB each).
job_count() {
    local jobs memory_kb
    jobs=$(nproc 2>/dev/null || echo 2)
    memory_kb=$(awk '/^MemAvailable:/ {print $2}' /proc/meminfo 2>/dev/null || true)
    if [[ -n $memory_kb ]] && ((memory_kb / 1500000 < jobs)); then jobs=$((memory_kb / 1500000)); fi
    echo $((jobs > 0 ? jobs : 1))
}

# In CMake's search order.
find_nvcc() {
    local place
    for place in "${CUDA_PATH-}/bin/nvcc" "$(command -v nvcc || true)" /usr/local/cuda/bin/nvcc; do
        if [[ -x $place ]]; then
            echo "$place"
            return
        fi
    done
}

# The same if it compiles C++20, as nvcc 12 was the first to do, with this machine's C++ compiler: see cmake/Cuda.cmake.
usable_nvcc() {
    local nvcc trial
    nvcc=$(find_nvcc)
    [[ -n $nvcc ]] || return 0
    trial=$(mktemp -d)
    printf '#include <string>\n__global__ void kernel() {}\n' >"$trial/trial.cu"
    if "$nvcc" -std=c++20 -c "$trial/trial.cu" -o "$trial/trial.o" >/dev/null 2>&1; then echo "$nvcc"; fi
    rm -rf "$trial"
}

# Signs of a GPU. CMake decides; here a change makes it decide again.
gpu_signs() {
    local sign
    for sign in "$(command -v nvidia-smi || true)" /dev/nvidia[0-9]* /proc/driver/nvidia/gpus/*; do
        if [[ -e $sign ]]; then printf '%s ' "$sign"; fi
    done
}

# configure demo|test: does nothing if the folder is configured and nothing relevant has changed. A configuration for tests
# also serves the demo. The demo compiles CUDA only if there is a GPU, since that takes most of the time; tests compile it
# wherever possible, and for all GPUs.
configure() {
    local kind=$1 stamp=$build/configured-by-scripts version options extra=() seen
    version=$(cmake --version 2>/dev/null | sed -n '1s/[^0-9]*//p')
    if [[ $(printf '%s\n' 3.25 "$version" | sort -V | head -n 1) != 3.25 ]]; then
        say "CMake 3.25 or newer is needed, found: ${version:-none}. Debian 12 and Ubuntu 24.04 have it"
        return 1
    fi
    read -r -a extra <<<"${FLIPSCOPE_CMAKE_ARGS-}"
    options="source $root, nvcc $(find_nvcc), GPU $(gpu_signs), ${extra[*]-}"
    seen=$(cat "$stamp" 2>/dev/null || true)
    if [[ $kind == demo && $seen == test:* ]]; then kind="test"; fi
    if [[ $seen == "$kind: $options" && -e $build/build.ninja && ${packages_changed-} != yes ]]; then return; fi
    local arguments=(-S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DFLIPSCOPE_PRECOMPILE=ON
        -DFLIPSCOPE_UNITY=ON)
    if [[ $kind == demo ]]; then
        arguments+=(-DFLIPSCOPE_TESTS=OFF -DFLIPSCOPE_BENCH=OFF -DFLIPSCOPE_PYTHON=OFF)
    else
        local nanobind=$build/pip/nanobind python=ON # Debian 12 has no package of nanobind
        [[ -d $nanobind ]] || /usr/bin/python3 -m pip install --quiet --root-user-action=ignore --target "$build/pip" 'nanobind>=2.4' >&2 || true
        if [[ ! -d $nanobind || -n $(missing_packages python3-dev) ]]; then
            python=OFF
            say "leaving out the Python module: python3-dev, or nanobind from pip, could not be installed"
        fi
        arguments+=(-DFLIPSCOPE_TESTS=ON -DFLIPSCOPE_BENCH=ON "-DFLIPSCOPE_PYTHON=$python"
            "-Dnanobind_ROOT=$nanobind/cmake")
    fi
    if [[ $kind == test && -n $(usable_nvcc) ]]; then
        # The older architecture as PTX, which drivers translate; this saves nvcc a fifth of its time. Omitting it saves a
        # fifth of the rest; .ci/run compiles for it only code that distinguishes architectures.
        local architectures="75-virtual;90"
        [[ ${CI-} != true ]] || architectures=90-real
        arguments+=(-DFLIPSCOPE_CUDA=ON "-DFLIPSCOPE_CUDA_ARCHITECTURES=$architectures")
    else
        arguments+=(-DFLIPSCOPE_CUDA=AUTO -DFLIPSCOPE_CUDA_ARCHITECTURES=AUTO) # overrides an earlier cache
    fi
    if [[ -e $build/CMakeCache.txt ]] &&
        ! { grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$build/CMakeCache.txt" &&
            grep -qxF "CMAKE_GENERATOR:INTERNAL=Ninja" "$build/CMakeCache.txt"; }; then
        arguments+=(--fresh) # CMake refuses a cache of another place or generator
    fi
    say "configuring in $build"
    rm -f "$stamp"
    cmake "${arguments[@]}" "${extra[@]}" >&2
    echo "$kind: $options" >"$stamp"
}

# build_target TARGET
build_target() { cmake --build "$build" -j "$(job_count)" --target "$1" >&2; }

# Can a window be opened? An X display with a socket, or a Wayland one.
display_usable() {
    if [[ -n ${WAYLAND_DISPLAY-} ]]; then
        local wayland=$WAYLAND_DISPLAY
        [[ $wayland == /* ]] || wayland=${XDG_RUNTIME_DIR-}/$wayland
        if [[ -S $wayland ]]; then return 0; fi
    fi
    local display=${DISPLAY-}
    [[ -n $display ]] || return 1
    display=${display#unix}
    if [[ $display == :* ]]; then
        local number=${display#:}
        number=${number%%.*}
        [[ -S /tmp/.X11-unix/X$number ]] || grep -qs "@/tmp/.X11-unix/X$number\$" /proc/net/unix
    fi # else a display on another machine: assume it works
}
