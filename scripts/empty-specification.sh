#!/usr/bin/env bash
# Compares `ouro check` with `ouro check --spec` of the empty specification: termination is the smallest
# specification, so the verdicts have to be the same.
#
#   scripts/empty-specification.sh LIST
#
# Each line of LIST is a program and options of `ouro check` for it, e.g. `loop.c --data-model ilp32`. A line
# for each program of which the verdicts differ, then a table. Exit code 1 if two verdicts contradict each
# other. One that is unknown (or none: there was no time to compile) beside one that is not has mostly to do with
# time: those are listed, and counted as `slower`.
#
#   OURO=path            the ouro to test; target/release/ouro if not given
#   LIMIT=20             seconds for each question
set -euo pipefail

[[ $# == 1 && -r $1 ]] || { sed -n '2,14s/^# \{0,1\}//p' "$0" >&2; exit 2; }
# shellcheck source=scripts/environment.sh
source "$(dirname "$0")/environment.sh"
OURO=$(realpath -m "${OURO:-$(dirname "$0")/../target/release/ouro}")
[[ -x $OURO ]] || { echo "$OURO is not there: cargo build --release" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
echo 'state {}' >"$folder/empty.slic"

# The verdict of a question, in the words of termination.
verdict() {
    local found
    found=$("$OURO" check --format json --timeout "${LIMIT:-20}s" "$@" 2>/dev/null </dev/null |
        grep -o '"verdict":"[a-z]*"' | cut -d '"' -f 4) || true
    case $found in
        holds) echo terminates ;;
        violated) echo loops ;;
        '') echo none ;;
        *) echo "$found" ;;
    esac
}

while read -r program options; do
    # shellcheck disable=SC2086 # options are several words
    echo "$(verdict "$program" $options) $(verdict "$program" --spec "$folder/empty.slic" $options) $program"
done <"$1" | awk '
    { total++ }
    $1 == $2 { same[$1]++; next }
    $1 ~ /^(unknown|none)$/ || $2 ~ /^(unknown|none)$/ { slower++; print "slower: " $0; fflush(); next }
    { wrong++; print "DIFFERENT: " $0; fflush() }
    END {
        printf "%d programs: the same for %d", total, same["terminates"] + same["loops"] + same["unknown"] + same["none"]
        printf " (terminates %d, loops %d, unknown %d, none %d)", same["terminates"], same["loops"], same["unknown"], same["none"]
        printf ", slower %d, different %d\n", slower, wrong
        exit wrong > 0
    }'
