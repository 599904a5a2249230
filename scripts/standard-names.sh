#!/bin/sh
# Writes the list of functions that C, POSIX, glibc and the compilers' runtime provide, as this machine has them:
#
#   scripts/standard-names.sh > crates/c/standard/functions.txt
#
# A line is a name, where it comes from (c: libc, m: libm, g: libgcc), and the kinds of its result and of its
# parameters if a header declares it: v nothing, i integer, p pointer, f floating, s anything else, `.` more of any
# kind. Names come from the libraries' own tables, kinds from what clang makes of the headers for x86-64.
set -eu
export LC_ALL=C
clang=${CLANG:-clang-19}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

exported() { # the functions in the dynamic table of a library
  nm -D --defined-only "$($clang -print-file-name="$1")" | awk '$2 ~ /[TWi]/ { print $3 }' | sed 's/@.*//' | sort -u
}
exported libc.so.6 >"$work/c"
exported libm.so.6 >"$work/m"
nm --defined-only "$($clang -print-libgcc-file-name)" | awk '$2 == "T" { print $3 }' | sort -u >"$work/g"
# What newer releases of glibc, other Unixes and C23 have besides.
cat >>"$work/c" <<'END'
arc4random
arc4random_buf
arc4random_uniform
at_quick_exit
atexit
fstat
fstat64
fstatat
gets
lstat
lstat64
memset_explicit
mknod
stat
stat64
strlcat
strlcpy
strnstr
strtonum
timespec_getres
wcslcat
wcslcpy
END
sort -u -o "$work/c" "$work/c"

headers='aio argz arpa/inet assert complex ctype dirent dlfcn envz err errno error execinfo fcntl fenv fmtmsg fnmatch
  fts ftw getopt glob grp gshadow iconv ifaddrs inttypes langinfo libgen libintl limits locale malloc math mcheck mntent
  monetary mqueue net/if netdb netinet/in nl_types obstack poll printf pthread pty pwd regex resolv sched search
  semaphore setjmp shadow signal spawn stdio stdio_ext stdlib string strings sys/epoll sys/eventfd sys/file sys/inotify
  sys/ioctl sys/ipc sys/mman sys/mount sys/msg sys/prctl sys/ptrace sys/random sys/reboot sys/resource sys/select
  sys/sem sys/sendfile sys/shm sys/signalfd sys/socket sys/stat sys/statvfs sys/syscall sys/sysinfo sys/time
  sys/timerfd sys/times sys/timex sys/types sys/uio sys/un sys/utsname sys/wait sys/xattr syslog termios threads time
  uchar ucontext ulimit unistd utime utmp utmpx wait wchar wctype wordexp'
{
  echo '#define _GNU_SOURCE'
  for header in $headers; do echo "#if __has_include(<$header.h>)
#include <$header.h>
#endif"; done
} >"$work/headers.h"
# A name that no header declares is an error in its own line, and is then left out.
sort -u "$work/c" "$work/m" | grep -v '[.]' | awk '{ printf "#undef %s\nvoid *ouro_%s = (void *)&%s;\n", $1, $1, $1 }' >"$work/names"
cat "$work/headers.h" "$work/names" >"$work/all.c"
$clang -w -ferror-limit=0 -fno-builtin -fsyntax-only "$work/all.c" 2>&1 |
  sed -n 's/^[^:]*all\.c:\([0-9]*\):[0-9]*: error:.*/\1d/p' | sort -u >"$work/wrong"
sed -f "$work/wrong" "$work/all.c" >"$work/some.c"
$clang -w -fno-builtin -S -emit-llvm -o "$work/some.ll" "$work/some.c"

kinds() { # from LLVM's declarations to a name and its kinds
  sed -n 's/^declare //p' "$work/some.ll" | awk '
    function kind(text) {
      gsub(/noundef|signext|zeroext|noalias|nonnull|align [0-9]+|dso_local/, "", text)
      gsub(/^ +| +$/, "", text)
      if (text ~ /sret|byval/) return "s"
      if (text == "...") return "."
      if (text ~ /^ptr/) return "p"
      if (text ~ /^i[0-9]+$/) return "i"
      if (text ~ /^(float|double|x86_fp80|fp128)$/) return "f"
      if (text == "void") return "v"
      return "s"
    }
    {
      at = index($0, "@"); rest = substr($0, at + 1)
      open = index(rest, "("); name = substr(rest, 1, open - 1)
      list = substr(rest, open + 1); sub(/\)( #[0-9]+)?$/, "", list)
      signature = kind(substr($0, 1, at - 1))
      # Commas inside braces or angles belong to one type.
      gsub(/\{[^}]*\}/, "struct", list); gsub(/<[^>]*>/, "vector", list)
      count = split(list, parts, ",")
      for (i = 1; i <= count; i++) if (parts[i] != "") signature = signature kind(parts[i])
      print name, signature
    }'
}
kinds | sort >"$work/kinds"
for origin in m c g; do sed "s/\$/ $origin/" "$work/$origin"; done | grep -v '[.]' |
  sort -k1,1 -u | join -a 1 - "$work/kinds"
