#!/usr/bin/env bash
# Runs the whole test suite; further arguments go to `cargo test`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. scripts/environment.sh
./scripts/setup.sh --tests
exec cargo test --release --workspace "$@"
