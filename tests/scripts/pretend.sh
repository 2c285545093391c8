# shellcheck shell=bash
# Shared by the tests of the scripts: programs that write down in $CALLS how they were called. To be sourced.
# shellcheck disable=SC2034  # used by the tests
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin" "$scratch/build"
export FLIPSCOPE_BUILD_DIR=$scratch/build CALLS=$scratch/calls
unset CUDA_PATH FLIPSCOPE_CMAKE_ARGS
failures=0

pretend() { # pretend NAME SCRIPT
    printf '#!/bin/bash\n%s\n' "$2" >"$scratch/bin/$1"
    chmod +x "$scratch/bin/$1"
}
calls() { tr '\n' ';' <"$CALLS"; }
expect() { # expect WHAT FOUND EXPECTED (a pattern)
    # shellcheck disable=SC2053  # a pattern is meant
    if [[ $2 != $3 ]]; then
        printf '%s\n  expected: %s\n  found:    %s\n' "$1" "$3" "$2"
        failures=$((failures + 1))
    fi
}
