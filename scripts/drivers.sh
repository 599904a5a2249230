#!/usr/bin/env bash
# Asks about Linux drivers whether they give back what they take: as they are, and with a seeded bug.
#
#   scripts/drivers.sh FOLDER
#
# FOLDER is SV-COMP's ldv-linux-3.4-simple. The drivers and the specifications to use are in the list below.
# The bug is one call removed: of a driver's calls of the function that gives back, the one with the given
# number, in the order of the text. Prints the rows of the table in docs/drivers.md: driver, lines of the
# preprocessed file, obligation, then verdict, seconds and memory (of the largest process) as it is and with
# the bug. Exit code 1 if an answer is unknown, or if a bug is not found.
#
#   OURO=path            the ouro to test; target/release/ouro if not given
#   LIMIT=300 MEMORY=4096   seconds and MiB for each question
#   ONLY=text            only drivers whose name contains it
set -euo pipefail

[[ $# == 1 && -d $1 ]] || { sed -n '2,17s/^# \{0,1\}//p' "$0" >&2; exit 2; }
folder=$1
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=scripts/environment.sh
source "$root/scripts/environment.sh"
OURO=$(realpath -m "${OURO:-$root/target/release/ouro}")
[[ -x $OURO ]] || { echo "$OURO is not there: cargo build --release" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The rule of the file's name, the driver, the specification, the obligation, what gives back, and which call.
drivers() {
    cat <<'LIST'
43_1a auxdisplay--cfag12864b  linux/mutex    every mutex that is taken is given back|mutex_unlock|1
32_1  leds--leds-regulator    svcomp/ldv_mutex    every mutex that is taken is given back|mutex_unlock|1
LIST
}

# Prints `VERDICT SECONDS MIB` for a program.
ask() {
    local out=$work/out code=0
    /usr/bin/time -q -o "$work/time" -f '%e %M' "$OURO" check "$1" --spec "$root/specs/$2.slic" \
        --obligation "$3" --data-model lp64 --format json --timeout "${LIMIT:-300}s" \
        --memory "${MEMORY:-4096}" >"$out" 2>"$work/errors" </dev/null || code=$?
    local verdict
    verdict=$(grep -o '"verdict":"[a-z]*"' "$out" | cut -d '"' -f 4) || verdict="error ($code)"
    awk -v verdict="$verdict" '{ printf "%s | %.1f s | %.0f MiB", verdict, $1, $2 / 1024 }' "$work/time"
}

failed=0
while read -r rule driver specification rest; do
    [[ $driver == *"${ONLY:-}"* ]] || continue
    IFS='|' read -r obligation gives number <<<"$rest"
    program=$(find "$folder" -name "${rule}_*drivers--$driver.ko-*.i" | sort | head -n 1)
    [[ -n $program ]] || { echo "$driver: no such driver in $folder" >&2; failed=1; continue; }
    as_it_is=$(ask "$program" "$specification" "$obligation")
    seeded=$work/${driver//-/_}.i
    awk -v call="^[ \t]+${gives}[ ]*\\\\(" -v number="$number" \
        '$0 ~ call && ++seen == number { print "  ;"; next } { print }' "$program" >"$seeded"
    cmp -s "$program" "$seeded" && { echo "$driver: no call of $gives to remove" >&2; failed=1; continue; }
    with_bug=$(ask "$seeded" "$specification" "$obligation")
    echo "| ${driver//--/\/} | $(wc -l <"$program") | $obligation | $as_it_is | $with_bug |"
    [[ $as_it_is == holds* || $as_it_is == violated* ]] || failed=1
    [[ $with_bug == violated* ]] || failed=1
done < <(drivers)
exit $failed
