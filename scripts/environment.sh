# Sourced by the scripts beside it.
# A rustup installation that this shell has not been told about yet.
if ! command -v cargo >/dev/null && [ -r "$HOME/.cargo/env" ]; then
    . "$HOME/.cargo/env"
fi
# Built programs know where libz3.so is (see .cargo/config.toml), unless RUSTFLAGS or a target folder
# outside the clone hides it from them.
_deps=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/.deps/z3/lib
export LD_LIBRARY_PATH="$_deps${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
unset _deps
