#!/usr/bin/env bash
# Installs what Ouro needs and the machine lacks. Safe to run as often as you like: when nothing is
# missing it says nothing, uses no network and takes a fraction of a second.
#
#   1. Debian packages: clang and LLVM 19 (to read C), gcc and g++, 32-bit C libraries (for
#      `--data-model ilp32`), csmith (random programs for the tests), and programs that the tests
#      look at while they run (interpreters, gzip) or take cores with (gdb). With `sudo` when not root.
#      With --tests also cvc5, which hears the checker's queries as well (`ouro verify --solver cvc5`),
#      Chromium, in which the tests open the pages of `--report` (100 MB to fetch), and BenchExec in
#      `.deps/benchexec/`, which tries the module in `contrib/`.
#   2. Z3: `libz3.so` and its headers from the Python package `z3-solver`, pinned by version and
#      checksum, unpacked into `.deps/z3/` of this clone. Nothing is installed into Python.
#
# Wanted: Debian 12 (or a relative that has LLVM 19) on x86-64, and Rust.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# The version lives in .cargo/config.toml, where the build reads it; its checksum lives here.
z3_version=$(sed -n 's/^Z3_SYS_Z3_VERSION = "\(.*\)"$/\1/p' .cargo/config.toml)
z3_sha256=f17df07300228a383470d4b4e1ad9daf429dc94885996712a1844a8242803935

say() { printf 'setup: %s\n' "$*" >&2; }
die() {
    printf 'setup: error: %s\n' "$1" >&2
    shift
    for line in "$@"; do printf 'setup:   %s\n' "$line" >&2; done
    exit 1
}

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        die "installing packages needs root, and there is no sudo" "run as root: $*"
    fi
}

# Prints those of the given Debian packages that are not installed.
missing() {
    local installed
    installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null || true)
    local package
    for package in "$@"; do
        grep -qx "installed $package" <<<"$installed" || printf '%s\n' "$package"
    done
}

for_tests=no
case ${1:-} in
    "") ;;
    --tests) for_tests=yes ;;
    *) die "there is no option $1" "usage: scripts/setup.sh [--tests]" ;;
esac

lists_are_fresh=no
# Installs those of the given Debian packages that are missing.
packages() {
    local wanted
    mapfile -t wanted < <(missing "$@")
    [ ${#wanted[@]} -gt 0 ] || return 0
    say "installing Debian packages: ${wanted[*]}"
    if [ $lists_are_fresh = no ]; then
        as_root apt-get update -qq >&2 || say "apt-get update failed; trying with the lists at hand"
        lists_are_fresh=yes
    fi
    as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "${wanted[@]}" >&2 ||
        die "these packages could not be installed: ${wanted[*]}" \
            "install them by hand and run this script again." \
            "LLVM 19 is in Debian 12 (bookworm) and later."
}

# Prints a Python that has pip, if there is one.
python_with_pip() {
    local python
    for python in python3 /usr/bin/python3; do
        if "$python" -m pip --version >/dev/null 2>&1; then
            printf '%s\n' "$python"
            return 0
        fi
    done
    return 1
}

z3_is_there() {
    [ "$(cat .deps/z3/version 2>/dev/null)" = "$z3_version" ] && [ -e .deps/z3/lib/libz3.so ]
}

bring_z3() {
    local python work wheel library
    if ! python=$(python_with_pip); then
        packages python3 python3-pip
        python=$(python_with_pip) || die "python3 has no pip" "install Debian's python3-pip."
    fi

    mkdir -p .deps
    exec 9>.deps/lock
    flock 9 # another setup may be at work in this clone
    if z3_is_there; then return 0; fi

    # A folder of an earlier, interrupted attempt is of no use.
    work=.deps/z3.new
    rm -rf "$work"
    mkdir -p "$work"

    # A wheel that was put into .deps by hand is used as it is (on a machine without network).
    wheel=$(compgen -G ".deps/z3_solver-$z3_version.0-*x86_64.whl" | head -n 1 || true)
    if [ -z "$wheel" ]; then
        say "fetching Z3 $z3_version (the Python package z3-solver, 37 MB)"
        "$python" -m pip download --quiet --disable-pip-version-check --no-deps \
            --only-binary :all: --dest "$work" "z3-solver==$z3_version.0" >&2 ||
            die "z3-solver $z3_version.0 could not be fetched" \
                "is the network (or pip's index) within reach?" \
                "otherwise put z3_solver-$z3_version.0-…-x86_64.whl into .deps/ and run this again."
        wheel=$(compgen -G "$work/z3_solver-*.whl" | head -n 1)
    fi
    echo "$z3_sha256  $wheel" | sha256sum --check --status ||
        die "$wheel does not have the expected checksum" \
            "expected sha256 $z3_sha256" \
            "delete it and run this again; if that does not help, do not use it."

    "$python" -m zipfile -e "$wheel" "$work/wheel"
    mv "$work/wheel/z3/include" "$work/include"
    # The wheel has the same library twice; programs look for it under its full name.
    library=$(basename "$(compgen -G "$work/wheel/z3/lib/libz3.so.*" | head -n 1)")
    mkdir "$work/lib"
    mv "$work/wheel/z3/lib/$library" "$work/lib/$library"
    ln -s "$library" "$work/lib/libz3.so"
    rm -rf "$work/wheel" "$work"/*.whl
    echo "$z3_version" >"$work/version"

    rm -rf .deps/z3
    mv "$work" .deps/z3
    say "Z3 $z3_version is in .deps/z3"
}

# BenchExec for one test; without it the test says that it is skipped.
benchexec_version=3.35
bring_benchexec() {
    local python
    [ "$(cat .deps/benchexec/version 2>/dev/null)" != $benchexec_version ] || return 0
    python=$(python_with_pip) || return 0
    say "fetching BenchExec $benchexec_version"
    rm -rf .deps/benchexec
    if "$python" -m pip install --quiet --disable-pip-version-check --target .deps/benchexec \
        "benchexec==$benchexec_version" >&2; then
        echo $benchexec_version >.deps/benchexec/version
    else
        say "BenchExec could not be fetched; its test will be skipped"
    fi
}

[ "$(uname -s)-$(uname -m)" = Linux-x86_64 ] ||
    die "Ouro is built on x86-64 Linux; this is $(uname -s) on $(uname -m)"

if command -v apt-get >/dev/null && command -v dpkg-query >/dev/null; then
    packages clang-19 llvm-19-dev gcc g++ libc6-dev libc6-dev-i386 csmith libcsmith-dev
    packages python3 lua5.4 gawk perl gzip gdb
    if [ $for_tests = yes ]; then
        (packages cvc5) || say "without cvc5 its test will be skipped"
        (packages chromium) || say "without Chromium its test will be skipped"
    fi
    # The 32-bit half of gcc; gcc-multilib would do too, but it drives out cross compilers.
    packages "lib32gcc-$(gcc -dumpversion | cut -d. -f1)-dev"
else
    for tool in clang-19 llvm-config-19 gcc; do
        command -v "$tool" >/dev/null ||
            die "$tool is missing and this is no Debian machine" \
                "install clang 19, the LLVM 19 development files and gcc, then run this again."
    done
fi

z3_is_there || bring_z3
if [ $for_tests = yes ]; then bring_benchexec; fi

command -v cargo >/dev/null ||
    die "cargo is not on the PATH" \
        "install Rust with rustup or, if it is installed: . \"\$HOME/.cargo/env\""
