//! Programs that never come out of their loop.

use std::process::Command;

use ouro_attach::{ProcessAnalysis, ProcessAnswer};
use ouro_process::ProcessSnapshot;

use crate::{Running, compile, find, judge};

/// Whether a core is taken of every process, and not only of some: `OURO_CORES=all`.
fn every_core() -> bool {
    std::env::var("OURO_CORES").as_deref() == Ok("all")
}

/// Starts a program and has it proved that it loops forever, live and, if wanted, from a core.
fn prove(name: &str, command: Command, core: bool) -> ProcessAnalysis {
    let running = Running::start(command);
    let snapshot = running.snapshot().unwrap_or_else(|| panic!("{name} runs"));
    let core = (core || every_core()).then(|| running.core());
    // Some need more memory each time.
    drop(running);
    let analysis = proved(name, &snapshot);
    if let Some(core) = core {
        proved(&format!("{name}, from a core"), &core);
    }
    analysis
}

fn proved(name: &str, snapshot: &ProcessSnapshot) -> ProcessAnalysis {
    // Ten times what it takes on a quiet machine: how long it takes is for the benchmark to say.
    let analysis = judge(snapshot, 300);
    eprintln!("{name}: {} in {:.1} s", analysis.answer.word(), analysis.elapsed.as_secs_f64());
    let Some(proof) = analysis.answer.proof() else {
        panic!("{name}: {}", ouro_report::process_text(&analysis));
    };
    assert!(!proof.lines.is_empty());
    // Interpreters handle SIGINT, and end their script when it arrives.
    let expected = match snapshot.circumstances.caught >> 1 & 1 {
        1 => "loops until SIGINT arrives: ",
        _ => "loops forever: ",
    };
    assert!(
        ouro_report::process_text(&analysis).starts_with(expected),
        "{}",
        ouro_report::process_text(&analysis)
    );
    analysis
}

/// The cases that are proved: 0 and 1 a growing counter beside a bounded non-linear update, 2 a circular
/// list, 3 an empty match that allocates each time, 4 one that does not, 5 a reader at its end, 6 an
/// interpreter of a circular list, 7 and 8 nested loops, 9 recursion, 10 strings, 11 a flag, 12 a step over
/// the end (only without optimisation: it is undefined), 13 an unsigned counter, 14 floats, 15 parity.
fn cases(option: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let program = compile(folder.path(), "cases", &[option]);
    for case in 0..16 {
        if case == 12 && option != "-O0" {
            continue;
        }
        let mut command = Command::new(&program);
        command.arg(case.to_string());
        let analysis = prove(&format!("case {case} {option}"), command, [2, 3, 9].contains(&case));
        let said = ouro_report::process_text(&analysis);
        assert_eq!(said.contains("the heap is unlimited"), case == 3, "{said}");
        assert_eq!(said.contains("the stack is unlimited"), case == 9, "{said}");
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

pub(crate) fn script(program: &str, arguments: &[&str]) -> ProcessAnalysis {
    let mut command = Command::new(find(program));
    command.args(arguments);
    prove(&format!("{program} {}", arguments.join(" ")), command, false)
}

#[test]
fn python_without_counter() {
    script("python3", &["-c", "while True: pass"]);
}

const PYTHON_LIST: &str = "class N: pass
a = N(); b = N(); c = N()
a.next = b; b.next = c; c.next = a

def search(p):
    while p is not None:
        p = p.next

search(a)
";

#[test]
fn python_around_a_circular_list() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("ring.py").display().to_string();
    std::fs::write(&path, PYTHON_LIST).expect("written");
    let analysis = script("python3", &[&path]);
    let lines: Vec<(&str, u32)> =
        analysis.script.iter().map(|place| (place.function.as_str(), place.line)).collect();
    assert!(matches!(lines[..], [("search", 6 | 7), ("<module>", 9)]), "{lines:?}");
    assert!(analysis.script.iter().all(|place| place.file == path));
    assert!(ouro_report::process_text(&analysis).contains("ring.py:9 in <module> (Python)"));
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
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("ring.lua").display().to_string();
    let text = "local a, b = {}, {}\na.n = b b.n = a\nlocal function search(p)\n  while p do\n    \
                p = p.n\n  end\nend\nsearch(a)\n";
    std::fs::write(&path, text).expect("written");
    let analysis = script("lua5.4", &[&path]);
    let lines: Vec<u32> = analysis.script.iter().map(|place| place.line).collect();
    assert!(matches!(lines[..], [4..=6, 8]), "{:?}", analysis.script);
    assert!(analysis.script.iter().all(|place| place.file == path));
}

#[test]
fn awk_with_and_without_counter() {
    script("gawk", &["BEGIN { while (1) {} }"]);
    script("gawk", &["BEGIN { while (1) i++ }"]);
}

#[test]
fn awk_around_a_circular_list() {
    let list = r#"BEGIN { n["a"] = "b"; n["b"] = "a"; p = "a"; while (p != "") p = n[p] }"#;
    script("gawk", &[list]);
}

/// Counters that grow into another representation some day (Python's get longer, perl's become floats):
/// they never end either, and nobody proves it. Nothing else may be said, and why it is not proved: what
/// grows, where the moment at which the process was seen shows that.
#[test]
fn counters_that_change_their_kind() {
    for (program, arguments) in [
        ("python3", ["-c", "i = 0\nwhile True: i += 1"]),
        ("perl", ["-e", "$i = 0; while (1) { $i++ }"]),
    ] {
        let mut command = Command::new(find(program));
        command.args(arguments);
        let running = Running::start(command);
        // All the time that is given is used.
        let analysis = judge(&running.snapshot().expect("it runs"), 20);
        let ProcessAnswer::Unknown { reason } = &analysis.answer else {
            panic!("{program}: {}", ouro_report::process_text(&analysis));
        };
        eprintln!("{program}: {reason}");
        assert!(!reason.is_empty());
    }
}
