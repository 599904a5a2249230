//! Programs that never come out of their loop.

use std::process::Command;

use ouro_attach::Answer;

use crate::{Running, compile, find, judge};

fn prove(name: &str, command: Command) {
    let running = Running::start(command);
    let snapshot = running.snapshot().unwrap_or_else(|| panic!("{name} runs"));
    let analysis = judge(&snapshot, 60);
    eprintln!("{name}: {} in {:.1} s", analysis.answer.word(), analysis.elapsed.as_secs_f64());
    let Answer::LoopsForever(proof) = &analysis.answer else {
        panic!("{name}: {}", ouro_attach::text(&analysis));
    };
    assert!(!proof.lines.is_empty());
    assert!(ouro_attach::text(&analysis).starts_with("loops forever: "));
}

/// The cases that are proved, at both levels: 0 and 1 a growing counter beside a bounded non-linear
/// update, 2 a circular list, 4 an empty match, 5 a reader at its end, 6 an interpreter of a circular
/// list, 7 and 8 nested loops, 10 strings, 11 a flag, 13 an unsigned counter, 14 floats, 15 parity.
const CASES: [u32; 15] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15];

fn cases(option: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let program = compile(folder.path(), "cases", &[option]);
    for case in CASES {
        let mut command = Command::new(&program);
        command.arg(case.to_string());
        prove(&format!("case {case} {option}"), command);
    }
}

#[test]
fn loopers_cases_plain() {
    cases("-O0");
}

#[test]
fn loopers_cases_optimised() {
    cases("-O2");
}

fn script(program: &str, arguments: &[&str]) {
    let mut command = Command::new(find(program));
    command.args(arguments);
    prove(&format!("{program} {}", arguments.join(" ")), command);
}

#[test]
fn python_without_counter() {
    script("python3", &["-c", "while True: pass"]);
}

#[test]
fn python_around_a_circular_list() {
    let list = "class N: pass\na = N(); b = N(); c = N()\na.next = b; b.next = c; c.next = a\n\
                p = a\nwhile p is not None: p = p.next";
    script("python3", &["-c", list]);
}

#[test]
fn perl_without_counter() {
    script("perl", &["-e", "while (1) {}"]);
}

#[test]
fn perl_around_a_circular_list() {
    script(
        "perl",
        &["-e", "$a = {}; $b = {n => $a}; $a->{n} = $b; $p = $a; while ($p) { $p = $p->{n} }"],
    );
}

#[test]
fn lua_with_and_without_counter() {
    script("lua5.4", &["-e", "while true do end"]);
    script("lua5.4", &["-e", "local i = 0 while true do i = i + 1 end"]);
}

#[test]
fn lua_around_a_circular_list() {
    script(
        "lua5.4",
        &["-e", "local a, b = {}, {} a.n = b b.n = a local p = a while p do p = p.n end"],
    );
}

#[test]
fn awk_without_counter() {
    script("gawk", &["BEGIN { while (1) {} }"]);
}
