//! Programs that end, some day: never *loops forever*.

use std::process::Command;

use ouro_attach::Answer;

use crate::{Running, compile, find, judge};

fn never_proved(name: &str, command: Command) {
    let running = Running::start(command);
    // One that ended already has shown it.
    let Some(snapshot) = running.snapshot() else { return };
    let analysis = judge(&snapshot, 12);
    eprintln!("{name}: {}", analysis.answer.word());
    assert!(
        !matches!(analysis.answer, Answer::LoopsForever(_)),
        "{name}: {}",
        ouro_attach::text(&analysis)
    );
}

/// `OURO_RUNS=200` asks for so many runs instead of sixteen.
#[test]
fn long_running_programs() {
    let runs = std::env::var("OURO_RUNS").ok().and_then(|n| n.parse().ok()).unwrap_or(16);
    let folder = tempfile::tempdir().expect("a folder");
    let programs = ["-O0", "-O2"].map(|option| compile(folder.path(), "ends", &[option]));
    let mut seed: u64 = 88_172_645_463_325_252;
    for run in 0..runs {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        let mut command = Command::new(&programs[run / 8 % 2]);
        command.args([(run % 8).to_string(), (seed % 1_000_000).to_string()]);
        never_proved(&format!("run {run}: case {} seed {}", run % 8, seed % 1_000_000), command);
    }
}

#[test]
fn tools_at_work() {
    for (program, arguments) in [
        ("sha256sum", &["/dev/zero"][..]),
        ("gzip", &["-9", "-c", "/dev/zero"]),
        ("sort", &["/dev/zero"]),
        ("python3", &["-c", "for i in range(10**12): x = i % 7"]),
        ("perl", &["-e", "for (my $i = 0; $i < 1e12; $i++) {}"]),
    ] {
        let mut command = Command::new(find(program));
        command.args(arguments);
        never_proved(program, command);
    }
}
