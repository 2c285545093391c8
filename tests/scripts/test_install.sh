#!/usr/bin/env bash
# What the scripts do about packages, with a pretended dpkg-query, apt-get and sudo that write down how they were called.
# shellcheck disable=SC2016  # the pretenders' scripts expand when they run
set -euo pipefail
# shellcheck source=tests/scripts/pretend.sh
source "$(dirname "${BASH_SOURCE[0]}")/pretend.sh"
scripts=$root/scripts
mkdir "$scratch/bare"
# attempt PACKAGE…: install_missing in a shell of its own; sets status and said.
attempt() {
    : >"$CALLS"
    status=0
    said=$(PATH=$path /bin/bash -c 'set -euo pipefail
        source "$0/lib.sh"
        install_missing "to try" "$@"' "$scripts" "$@" 2>&1 >/dev/null </dev/null) || status=$?
}

for tool in sed dirname env mkdir grep tail; do ln -s "$(command -v $tool)" "$scratch/bare/$tool"; done
path=$scratch/bin:$scratch/bare
pretend dpkg-query 'for name in "$@"; do
    case $name in have-*) echo "installed $name" ;; removed-*) echo "config-files $name" ;; esac
done
[[ "$*" != *lack-* ]]' # dpkg-query fails when it does not know one of them
pretend apt-get 'echo "apt-get $*" >>"$CALLS"
if [[ "$*" == *"${APT_FAILS-nothing at all}"* ]]; then
    echo "E: The network is down" >&2
    exit 100
fi'

attempt have-a have-b
expect "nothing is missing: apt-get is not called" "$(calls)" ""
expect "nothing is missing: nothing was installed" "$status" 1
expect "nothing is missing: nothing is said" "$said" ""

# Root calls apt-get itself, anyone else through sudo.
pretend sudo 'echo "sudo $*" >>"$CALLS"; [[ $1 != -n ]] || shift; "$@"'
attempt have-a lack-b removed-c
expect "missing ones are installed: apt-get" "$(calls)" \
    "*apt-get update -qq;*apt-get install -y -qq --no-install-recommends lack-b removed-c;"
expect "missing ones are installed: it worked" "$status" 0
expect "missing ones are installed: it says what and why, in one line" "$said" \
    "flipscope: installing 2 packages to try: lack-b removed-c"
if ((EUID == 0)); then
    expect "root needs no sudo" "$(calls)" "apt-get update*"
else
    expect "sudo without a terminal asks for no password" "$(calls)" "sudo -n env *"
fi

export APT_FAILS=update
attempt lack-b
expect "no network: not an error by itself" "$status" 1
expect "no network: apt-get's own reason, then a sentence that names what is missing" "$said" \
    "*E: The network is down*apt-get failed*Missing: lack-b"
unset APT_FAILS

rm "$scratch/bin/sudo"
if ((EUID != 0)); then
    attempt lack-b
    expect "no sudo: a sentence" "$said" "*as root, run  apt-get install lack-b"
    expect "no sudo: apt-get is not called" "$(calls)" ""
fi

rm "$scratch/bin/apt-get" "$scratch/bin/dpkg-query"
attempt lack-b lack-c
expect "no apt: a sentence lists the packages" "$said" "*not a Debian or Ubuntu*lack-b lack-c"
expect "no apt: nothing was installed" "$status" 1

((failures == 0)) && echo "all as expected"
