#!/usr/bin/env bash
# Compares `ouro run` with gcc on random programs of csmith: what they print and how they exit.
#
#   scripts/csmith.sh FIRST LAST [csmith option ...]
#
# For each seed, csmith writes a program, gcc -O0 compiles it, and both run it. Many of these programs
# never end. One whose binary runs longer than the limit and that `ouro check` proves to loop forever
# is endless: both agree. Any other that takes too long is cut, which means that it prints its
# checksums and exits when its loops have gone round 100000 times. That may be in the middle of an
# expression whose operands gcc and clang evaluate in another order, so clang compiles those. A line
# for each seed that is neither equal nor endless nor cut, then a table. Exit code 1 if any differs.
#
#   JOBS=2               how many seeds at a time
#   OURO=path            the ouro to test; target/release/ouro if not given
#   DATA_MODEL=lp64      or ilp32
#   KEEP=folder          where to keep the programs that are not equal
#   NATIVE=5 LIMIT=60    seconds for gcc's binary, and for `ouro run` and `ouro check`
set -euo pipefail

usage() {
    sed -n '2,20s/^# \{0,1\}//p' "$0" >&2
    exit 2
}

# The program of standard input, cut: `tick` is called wherever the program can go round.
cut_short() {
    awk '
        /^#include "csmith.h"/ { print; print "extern void exit(int);\nstatic void tick(void);"; next }
        /^int main/ { in_main = 1 }
        in_main && /return 0;/ { in_end = 0 }
        in_end { end = end "\n" $0 }
        in_main && /func_1\(\);/ { in_end = 1 }
        !in_main && /^ *for \([^;]*;[^;]*;[^;]*\)$/ { sub(/; /, "; tick(), ") }
        !in_main && /^ *lbl_[0-9]+:/ { sub(/:/, ": tick();") }
        { print }
        END {
            print "static void tick(void) {"
            print "    static int ticks;"
            print "    int i, j, k, l, print_hash_value = 0;"
            print "    if (++ticks < 100000) return;" end
            print "    exit(0);\n}"
        }'
}

# Runs a program both ways: prints `RESULT SECONDS NOTE`.
compare() {
    local compiler=$1 program=$2 folder=$3 expected=0 got=0 seconds
    if ! "$compiler" "$BITS" -O0 -w -I"$HEADERS" "$program" -o "$folder/native" 2>"$folder/errors"; then
        echo "other 0 $compiler: $(grep -m 1 error "$folder/errors")"
        return
    fi
    timeout "$NATIVE" "$folder/native" >"$folder/expected" 2>/dev/null || expected=$?
    if [[ $expected == 124 ]]; then
        echo "limit $NATIVE the binary runs longer"
        return
    fi
    local start=$EPOCHREALTIME
    timeout "$LIMIT" "$OURO" run --data-model "$DATA_MODEL" "$program" -- -I"$HEADERS" -w \
        >"$folder/got" 2>"$folder/errors" </dev/null || got=$?
    seconds=$(awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.1f", b - a }')
    if [[ $got == 124 ]]; then
        echo "limit $seconds ouro runs longer"
    elif [[ $got == "$expected" ]] && cmp -s "$folder/expected" "$folder/got"; then
        echo "equal $seconds"
    elif [[ -s $folder/errors ]]; then
        echo "other $seconds $(tail -n 1 "$folder/errors" | cut -c 1-150)"
    else
        echo "different $seconds exit $got, not $expected"
    fi
}

# Whether a program is proved to loop forever.
endless() {
    local code=0
    "$OURO" check --data-model "$DATA_MODEL" --timeout "${LIMIT}s" "$1" -- -I"$HEADERS" -w \
        >/dev/null 2>&1 </dev/null || code=$?
    [[ $code == 1 ]]
}

# One seed: prints `SEED RESULT SECONDS NOTE`.
one() {
    local seed=$1 folder result
    shift
    folder=$(mktemp -d)
    # shellcheck disable=SC2064 # the folder of now
    trap "rm -rf '$folder'" EXIT
    # csmith leaves a file where it runs.
    (cd "$folder" && csmith --seed "$seed" "$@" >"$seed.c")
    result=$(compare gcc "$folder/$seed.c" "$folder")
    if [[ $result == "limit $NATIVE the binary"* ]] && endless "$folder/$seed.c"; then
        result="endless $NATIVE"
    elif [[ $result == limit* ]]; then
        mkdir "$folder/cut"
        cut_short <"$folder/$seed.c" >"$folder/cut/$seed.c"
        result=$(compare clang-19 "$folder/cut/$seed.c" "$folder")
        mv "$folder/cut/$seed.c" "$folder/$seed.c"
        result=${result/#equal/cut}
    fi
    if [[ $result != equal* && $result != endless* && $result != cut* && -n $KEEP ]]; then
        mkdir -p "$KEEP"
        cp "$folder/$seed.c" "$KEEP/$seed.c"
    fi
    echo "$seed $result"
}

if [[ ${1:-} == --one ]]; then
    shift
    one "$@"
    exit
fi

[[ $# -ge 2 && $1 =~ ^[0-9]+$ && $2 =~ ^[0-9]+$ ]] || usage
first=$1 last=$2
shift 2
# shellcheck source=scripts/environment.sh
source "$(dirname "$0")/environment.sh"
OURO=$(realpath -m "${OURO:-$(dirname "$0")/../target/release/ouro}")
[[ -x $OURO ]] || { echo "$OURO is not there: cargo build --release" >&2; exit 2; }
HEADERS=$(dirname "$(find /usr/include /usr/local/include -name csmith.h -print -quit)")
DATA_MODEL=${DATA_MODEL:-lp64} NATIVE=${NATIVE:-5} LIMIT=${LIMIT:-60} KEEP=${KEEP:-}
BITS=-m64
[[ $DATA_MODEL == ilp32 ]] && BITS=-m32
export OURO HEADERS DATA_MODEL NATIVE LIMIT KEEP BITS

seq "$first" "$last" | xargs -P "${JOBS:-2}" -I '{}' "$0" --one '{}' "$@" | awk '
    { count[$2]++; total++; seconds[$2] += $3 }
    $2 != "equal" && $2 != "endless" && $2 != "cut" { print; fflush() }
    END {
        printf "\n%-10s %6s %8s %9s\n", "result", "seeds", "share", "seconds"
        split("equal endless cut different limit other", names, " ")
        for (i = 1; i <= 6; i++) {
            n = names[i]
            printf "%-10s %6d %7.1f%% %9.1f\n", n, count[n], 100 * count[n] / total, seconds[n]
        }
        exit count["different"] + count["other"] > 0
    }'
