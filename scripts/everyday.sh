#!/usr/bin/env bash
# Asks about every program of corpus/everyday, and says how many answers are right.
#
#   scripts/everyday.sh [TEXT]
#
# The folder of a program is the truth. A line for each program that is unknown or wrong, with the reason; then a table. Exit
# code 1 if an answer is wrong.
#
#   OURO=path            the ouro to test; target/release/ouro if not given
#   LIMIT=30 JOBS=2      seconds for each program, and how many at a time
#   TEXT                 only programs whose name contains it
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=scripts/environment.sh
source "$root/scripts/environment.sh"
OURO=$(realpath -m "${OURO:-$root/target/release/ouro}")
[[ -x $OURO ]] || { echo "$OURO is not there: cargo build --release" >&2; exit 2; }
export OURO LIMIT=${LIMIT:-30}

# Prints `TRUTH VERDICT NAME REASON` for a program.
one() {
    local answer verdict reason
    answer=$("$OURO" check "$1" --format json --timeout "${LIMIT}s" 2>/dev/null </dev/null) || true
    verdict=$(grep -o '"verdict":"[a-z]*"' <<<"$answer" | cut -d '"' -f 4) || true
    reason=$(grep -o '"reason":"[^"]*"' <<<"$answer" | head -n 1 | cut -d '"' -f 4) || true
    echo "$(basename "$(dirname "$1")") ${verdict:-none} $(basename "$1") $reason"
}
export -f one

find "$root/corpus/everyday" -name "*${1:-}*.c" | sort |
    xargs -P "${JOBS:-2}" -I '{}' bash -c 'one "{}"' | sort | awk '
    { total[$1]++ }
    $1 == $2 { right[$1]++; next }
    $2 == "unknown" || $2 == "none" { print; next }
    { wrong++; print "WRONG: " $0 }
    END {
        for (truth in total)
            printf "%s: %d of %d (%.0f %%)\n", truth, right[truth], total[truth], 100 * right[truth] / total[truth]
        printf "wrong: %d\n", wrong
        exit wrong > 0
    }'
