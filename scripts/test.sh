#!/usr/bin/env bash
# Runs the whole test suite; further arguments go to `cargo test`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. scripts/environment.sh
./scripts/setup.sh --tests
# Whoever names a room wants that one: together with `--workspace`, Cargo would take all of them.
rooms=(--workspace)
for argument in "$@"; do
    case $argument in
        --) break ;;
        -p | -p?* | --package | --package=*) rooms=() ;;
    esac
done
exec cargo test --release ${rooms[@]+"${rooms[@]}"} "$@"
