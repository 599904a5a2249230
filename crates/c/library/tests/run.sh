#!/bin/sh
# Compiles the library for this machine under other names, and compares it with the system's.
# The first argument is a folder for what is built; CC and CFLAGS may be set (CFLAGS=-m32).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
build=$(cd "$1" && pwd)
: "${CC:=gcc}" "${CFLAGS:=}"
options="-O1 -g -ffreestanding -fno-builtin -fno-strict-aliasing -w $CFLAGS"

# Which names the library defines, only the compiled library knows.
mkdir -p "$build/plain" "$build/ours"
(cd "$build/plain" && $CC $options -c "$here"/../*.c)
nm -g --defined-only "$build"/plain/*.o |
  awk 'NF == 3 && $3 !~ /^ouro_/ { print "#define " $3 " ouro_test_" $3 }' >"$build/rename.h"
(cd "$build/ours" && $CC $options -include "$build/rename.h" -c "$here"/../*.c)

$CC -O1 -g -fno-builtin -Wall -Wextra -Wno-nonnull -Wno-deprecated-declarations \
  -Wno-clobbered -Wno-unknown-warning-option -Wno-format-truncation -Wno-alloc-size-larger-than \
  $CFLAGS "$here"/*.c "$build"/ours/*.o -lm -o "$build/compare"
"$build/compare"
