#!/usr/bin/env bash
# Runs a script of this folder with Python 3.9 or newer; without it the test is skipped. with_python.sh SCRIPT ARGUMENTS…
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
script=$1
shift
if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null; then
    echo "skipped: there is no Python 3.9 or newer (Debian: apt install python3)"
    exit 77
fi
exec python3 -B "$here/$script" "$@"
