#!/usr/bin/env bash
# The hook of .pre-commit-hooks.yaml: checks each file of a commit by itself, from `main`.
#
#   scripts/pre-commit.sh [option of `ouro check` ...] FILE.c ...
#
# A file without `main` has nothing to check from, and is left out. Fails if a program can loop forever; what is
# unknown is said and lets the commit pass (give --every-loop to refuse it).
set -uo pipefail

if ! command -v ouro >/dev/null; then
    echo "error: ouro is not on the PATH; build it (scripts/try.sh) and add target/release to the PATH" >&2
    exit 2
fi
options=() files=()
for argument in "$@"; do
    case $argument in
        -*) options+=("$argument") ;;
        *) files+=("$argument") ;;
    esac
done
limit=(--timeout 20s)
[[ " ${options[*]+${options[*]}}" == *" --timeout"* ]] && limit=()
worst=0
for file in "${files[@]}"; do
    grep -Eq '\bmain[[:space:]]*\(' "$file" || continue
    code=0
    said=$(ouro check "${limit[@]+"${limit[@]}"}" "${options[@]+"${options[@]}"}" "$file" 2>&1) || code=$?
    case $code in
        0) ;;
        3) printf '%s: %s\n' "$file" "$(head -n 1 <<<"$said")" ;;
        *)
            printf '%s\n' "$said"
            worst=1
            ;;
    esac
done
exit $worst
