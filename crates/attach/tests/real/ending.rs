//! Programs that end, some day: never *loops forever*.

use std::process::Command;

use crate::{Running, compile, find, judge};

fn never_proved(name: &str, command: Command) {
    let running = Running::start(command);
    // One that ended already has shown it.
    let Some(snapshot) = running.snapshot() else { return };
    // Longer does not help the ones that would be mistaken: proofs are found soon or not at all.
    let analysis = judge(&snapshot, seconds());
    eprintln!("{name}: {}", analysis.answer.word());
    assert!(analysis.answer.proof().is_none(), "{name}: {}", ouro_attach::process_text(&analysis));
}

fn seconds() -> u64 {
    std::env::var("OURO_SECONDS").ok().and_then(|n| n.parse().ok()).unwrap_or(3)
}

/// Twelve kinds of loops with a bound, at both levels: `OURO_RUNS=200` asks for so many runs instead of
/// twelve.
#[test]
fn long_running_programs() {
    let runs = std::env::var("OURO_RUNS").ok().and_then(|n| n.parse().ok()).unwrap_or(12);
    let folder = tempfile::tempdir().expect("a folder");
    let programs = ["-O0", "-O2"].map(|option| compile(folder.path(), "ends", &[option]));
    let mut seed: u64 = 88_172_645_463_325_252;
    for run in 0..runs {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        // With twelve runs, each kind is tried once, at one level or the other.
        let level = (run + run / 12) % 2;
        let mut command = Command::new(&programs[level]);
        command.args([(run % 12).to_string(), (seed % 1_000_000).to_string()]);
        let name = format!("run {run}: case {} seed {} level {level}", run % 12, seed % 1_000_000);
        never_proved(&name, command);
    }
}

#[test]
fn tools_at_work() {
    let folder = tempfile::tempdir().expect("a folder");
    let lines = folder.path().join("lines");
    let mut text = String::new();
    let mut number: u64 = 1;
    for _ in 0..400_000 {
        number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        text.push_str(&format!("{number:x}\n"));
    }
    std::fs::write(&lines, &text).expect("written");
    let large = folder.path().join("large");
    std::fs::write(&large, text.repeat(60)).expect("written");
    let path = |path: &std::path::Path| path.display().to_string();
    for (program, arguments) in [
        ("sha256sum", vec![path(&large)]),
        ("gzip", vec!["-9".to_owned(), "-c".to_owned(), path(&large)]),
        ("sort", vec![path(&lines), path(&large)]),
        ("python3", vec!["-c".to_owned(), "for i in range(10**12): x = i % 7".to_owned()]),
        ("perl", vec!["-e".to_owned(), "for (my $i = 0; $i < 1e12; $i++) {}".to_owned()]),
        ("lua5.4", vec!["-e".to_owned(), "for i = 1, 1e12 do local x = i % 7 end".to_owned()]),
        ("gawk", vec!["BEGIN { for (i = 0; i < 1e12; i++) x = i % 7 }".to_owned()]),
    ] {
        let mut command = Command::new(find(program));
        command.args(arguments);
        never_proved(program, command);
    }
}
