#!/usr/bin/env bash
# Counts the lines of each room that a verdict rests on: without tests, empty lines and comments.
#
#   scripts/trusted-lines.sh           prints the table of docs/limits.md, rounded to hundreds
#   scripts/trusted-lines.sh --check   fails if the table there is off by more than a fifth and 300 lines
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Lines of code in the given folders and files.
lines() {
    find "$@" -type f \( -name '*.rs' -o -name '*.c' -o -name '*.h' \) \
        ! -path '*/tests/*' ! -name 'tests.rs' -print0 |
        xargs -0 cat | awk '
            /^#\[cfg\(test\)\]/ { next }
            /^[[:space:]]*$/ { next }
            /^[[:space:]]*(\/\/|\/\*|\*\/|\* )/ { next }
            { count++ }
            END { print count + 0 }'
}

rounded() { echo $((($1 + 50) / 100 * 100)); }

# What is trusted, where it lies, and for which answers.
rows() {
    cat <<'ROWS'
check|crates/check/src|every verdict: accepts evidence or does not
machine|crates/machine/src|every verdict about a program: what a run does
model|crates/model/src|every verdict: what a program or a system is
term|crates/term/src|every verdict: what a formula means
solver|crates/solver/src|every verdict but those by replay alone
evidence|crates/evidence/src|`ouro verify`: which claim a certificate makes, about what
c|crates/c/src|every verdict about C: from LLVM to a program
c: library|crates/c/library|programs that call the C library
formats|crates/formats/src|transition systems: from a file to a system
property|crates/property/src|`--spec`, `--ltl`, `--prop`: from a specification to a monitor
isolate|crates/isolate/src|`ouro scan` and proofs by parts: from a loop to a program of its own
attach: check|crates/attach/src/check.rs crates/attach/src/iteration.rs crates/attach/src/ideal.rs crates/attach/src/cell.rs crates/attach/src/state.rs crates/attach/src/premises.rs crates/attach/src/calls.rs crates/attach/src/calls|`ouro attach`: that the loop is closed, and what could interfere
pcode, process|crates/pcode/src crates/process/src|`ouro attach`: what an instruction does, what the process is
ROWS
}

table() {
    echo '| what | lines | trusted for |'
    echo '| --- | --- | --- |'
    while IFS='|' read -r name places use; do
        # shellcheck disable=SC2086 # several places are several words
        echo "| $name | $(rounded "$(lines $places)") | $use |"
    done < <(rows)
}

case ${1:-} in
    "") table ;;
    --check)
        wrong=0
        while IFS='|' read -r name places _; do
            # shellcheck disable=SC2086
            now=$(lines $places)
            said=$(awk -F ' *[|] *' -v name="$name" '$2 == name { print $3; exit }' docs/limits.md)
            if [ -z "$said" ]; then
                echo "docs/limits.md does not name '$name'" >&2
                wrong=1
                continue
            fi
            off=$((now > said ? now - said : said - now))
            if [ $off -gt $((now / 5 + 300)) ]; then
                echo "docs/limits.md: '$name' has $now lines, not $said; run scripts/trusted-lines.sh" >&2
                wrong=1
            fi
        done < <(rows)
        exit $wrong
        ;;
    *)
        echo "usage: scripts/trusted-lines.sh [--check]" >&2
        exit 2
        ;;
esac
