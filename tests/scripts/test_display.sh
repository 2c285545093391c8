#!/usr/bin/env bash
# When scripts/demo takes it that a window can be opened.
set -euo pipefail
scripts=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../scripts" && pwd)
# shellcheck source=scripts/lib.sh
source "$scripts/lib.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
python3 -c 'import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])' "$scratch/wayland-9"
failures=0

expect() { # expect yes|no WHAT, under the environment as it is
    local found=no
    if display_usable; then found=yes; fi
    if [[ $found != "$1" ]]; then
        printf '%s: expected %s, found %s\n' "$2" "$1" "$found"
        failures=$((failures + 1))
    fi
}

unset DISPLAY WAYLAND_DISPLAY XDG_RUNTIME_DIR
expect no "neither variable is set"
DISPLAY='' expect no "DISPLAY is empty"
DISPLAY=:4711 expect no "no X server has that number"
DISPLAY=:4711.0 expect no "nor with a screen"
DISPLAY=elsewhere:0 expect yes "a display on another machine"
WAYLAND_DISPLAY=wayland-9 expect no "no runtime folder"
XDG_RUNTIME_DIR=$scratch WAYLAND_DISPLAY=wayland-8 expect no "no such Wayland socket"
XDG_RUNTIME_DIR=$scratch WAYLAND_DISPLAY=wayland-9 expect yes "a Wayland socket"
WAYLAND_DISPLAY=$scratch/wayland-9 expect yes "a Wayland socket by its path"

if command -v Xvfb >/dev/null; then
    mkfifo "$scratch/number"
    exec 3<>"$scratch/number"
    Xvfb -displayfd 3 -screen 0 64x64x24 2>/dev/null &
    server=$!
    read -r number <"$scratch/number" # a pipe: waits until the server has said it
    DISPLAY=:$number expect yes "a running X server"
    kill "$server"
    wait "$server" 2>/dev/null || true
else
    skipped=77
fi

((failures == 0)) || exit 1
if [[ -n ${skipped-} ]]; then
    echo "skipped: no Xvfb here; all else as expected"
    exit "$skipped"
fi
echo "all as expected"
