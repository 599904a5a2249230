#!/usr/bin/env bash
# Builds Ouro and asks it about a program: ./scripts/try.sh FILE… [options of `ouro check`]
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$root/scripts/environment.sh"
if [ $# = 0 ]; then
    echo "usage: $0 FILE… [options of \`ouro check\`]" >&2
    exit 2
fi
# A failed build is no verdict, so its exit code must not read like one.
(cd "$root" && ./scripts/setup.sh && cargo build --quiet --release --package ouro) || exit 70
exec "${CARGO_TARGET_DIR:-$root/target}/release/ouro" check "$@"
