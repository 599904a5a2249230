//! Real programs to step through.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::compare;
use crate::target::Target;

/// How many instructions of each workload.
fn wanted() -> u64 {
    std::env::var("OURO_LOCKSTEP").ok().and_then(|n| n.parse().ok()).unwrap_or(4_000)
}

/// A program of the system: not one in the path, which may be a wrapper that starts another.
fn find(program: &str) -> PathBuf {
    let found = Path::new("/usr/bin").join(program);
    assert!(found.is_file(), "{} is missing: ./scripts/setup.sh installs it", found.display());
    found
}

fn step_through(name: &str, command: Command) {
    let mut target = Target::start(command, Duration::from_millis(400));
    let done = compare(&mut target, wanted());
    eprintln!("{name}: {} instructions; left to the process: {:?}", done.instructions, done.left);
    assert!(done.instructions >= wanted(), "{name} ended after {}", done.instructions);
}

/// Compiles a C program.
pub(crate) fn build(folder: &Path, name: &str, options: &[&str], source: &str) -> PathBuf {
    let file = folder.join(format!("{name}.c"));
    fs::write(&file, source).expect("written");
    let program = folder.join(name);
    let mut gcc = Command::new("gcc");
    gcc.args(options).arg("-o").args([&program, &file]).arg("-lm");
    assert!(gcc.status().expect("gcc").success());
    program
}

fn compiled(name: &str, options: &[&str], source: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    step_through(name, Command::new(build(folder.path(), "program", options, source)));
}

fn script(program: &str, arguments: &[&str]) {
    let mut command = Command::new(find(program));
    command.args(arguments);
    step_through(program, command);
}

pub(crate) const INTEGERS: &str = r"
#include <stdint.h>
volatile uint64_t sink;
int main(void) {
    uint64_t a = 1, b = 0x123456789abcdef; uint32_t c = 7; uint16_t d = 9; uint8_t e = 1; int64_t s = -5;
    for (;;) {
        a = a * 6364136223846793005u + 1442695040888963407u; b ^= a >> 13; b = b << 7 | b >> 57;
        c += (uint32_t)b / ((uint32_t)a | 1); d *= (uint16_t)c; e = e + d - (b > a); s = s / 3 - (int64_t)a % 17;
        c ^= __builtin_popcountll(a) + __builtin_clzll(a | 1) + __builtin_ctzll(b | 1);
        if (s < 0 && (int32_t)c > 5) s = -s; sink = a + b + c + d + e + s + (__int128)a * b;
        sink += (uint64_t)(((unsigned __int128)a * b) >> 64); __atomic_fetch_add(&sink, c, __ATOMIC_SEQ_CST);
        __atomic_exchange_n((uint32_t *)&sink, c, __ATOMIC_SEQ_CST);
    }
}";

pub(crate) const FLOATS: &str = r"
#include <math.h>
volatile double sink; volatile float fsink; volatile long double lsink = 1;
int main(void) {
    double x = 0.5; float f = 1.5f;
    for (int i = 0;; i++) {
        x = sin(x) + sqrt(fabs(x)) * 1.25 - i / (x + 3); f = f * 0.99f + (float)x; sink = x; fsink = f;
        lsink = lsink * 1.0000001L + (long double)x; sink = pow(1.0001, i & 1023) + (x < f) + (int)x + (unsigned long)(i * 0.5);
    }
}";

pub(crate) const STRINGS: &str = r#"
#include <string.h>
#include <stdlib.h>
#include <stdio.h>
char a[3000], b[3000]; volatile size_t sink;
int main(void) {
    for (unsigned i = 0;; i++) {
        memset(a, 'a' + i % 20, 1000 + i % 1000); a[1000 + i % 1000] = 0; memcpy(b, a, 2500); b[i % 900] ^= 1;
        sink = strlen(a) + (strcmp(a, b) > 0) + (size_t)strchr(a, 'q') + (size_t)memchr(b, 'z', 2000) + (size_t)strstr(a, "bb");
        memmove(a + 3, a, 500); sink += strtol("12345", 0, 10); snprintf(b, 100, "%d %s %g", i, "abc", i * 0.1); strcat(b, a); sink += strnlen(b, 50);
    }
}"#;

#[test]
fn integers_plain() {
    compiled("integers -O0", &["-O0"], INTEGERS);
}

#[test]
fn integers_optimised() {
    compiled("integers -O2", &["-O2"], INTEGERS);
}

#[test]
fn integers_with_every_instruction_of_this_cpu() {
    compiled("integers -O3 -march=native", &["-O3", "-march=native"], INTEGERS);
}

#[test]
fn floats_plain() {
    compiled("floats -O0", &["-O0"], FLOATS);
}

#[test]
fn floats_optimised() {
    compiled("floats -O2", &["-O2"], FLOATS);
}

#[test]
fn strings() {
    compiled("strings", &["-O1", "-fno-builtin"], STRINGS);
}

#[test]
fn python() {
    script(
        "python3",
        &["-c", "i = 0\nd = {}\nwhile True: i += 1; d[i % 100] = str(i) * 2; x = i / 3.0"],
    );
}

#[test]
fn perl() {
    script(
        "perl",
        &[
            "-e",
            "my %h; my $i = 0; while (1) { $i++; $h{$i % 10} .= \"x\"; $h{$i % 10} = '' if $i % 100 == 0 }",
        ],
    );
}

#[test]
fn awk() {
    script(
        "gawk",
        &["BEGIN { while (1) { i++; a[i % 10] = i \"x\"; s = s + length(a[i % 7]) * 1.5 } }"],
    );
}

#[test]
fn lua() {
    script(
        "lua5.4",
        &["-e", "local i, t = 0, {} while true do i = i + 1 t[i % 10] = tostring(i) .. 'x' end"],
    );
}

#[test]
fn sha256() {
    script("sha256sum", &["/dev/zero"]);
}

#[test]
fn shell() {
    script("bash", &["-c", "i=0; while :; do i=$((i + 1)); s=\"x$i\"; done"]);
}
