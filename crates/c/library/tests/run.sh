#!/bin/sh
# Compiles the library for this machine under other names, and compares it with the system's.
# The first argument is a folder for what is built; CC and CFLAGS may be set (CFLAGS=-m32).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$1
: "${CC:=gcc}" "${CFLAGS:=}"
options="-O1 -g -ffreestanding -fno-builtin -fno-strict-aliasing -w $CFLAGS"

# Which names the library defines, only the compiled library knows.
mkdir -p "$build"
for file in "$here"/../*.c; do
  $CC $options -c "$file" -o "$build/plain_$(basename "$file" .c).o"
done
nm -g --defined-only "$build"/plain_*.o |
  awk 'NF == 3 && $3 !~ /^ouro_/ { print "#define " $3 " ouro_test_" $3 }' >"$build/rename.h"

for file in "$here"/../*.c; do
  $CC $options -include "$build/rename.h" -c "$file" -o "$build/ours_$(basename "$file" .c).o"
done
$CC -O1 -g -fno-builtin -Wall -Wextra -Wno-nonnull -Wno-deprecated-declarations -Wno-clobbered -Wno-unknown-warning-option \
  -Wno-format-truncation -Wno-alloc-size-larger-than $CFLAGS "$here"/*.c "$build"/ours_*.o -lm -o "$build/compare"
"$build/compare"
