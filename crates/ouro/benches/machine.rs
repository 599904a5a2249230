//! How much slower than gcc `-O0` the machine is: `cargo bench -p ouro`.
//!
//! Each program runs natively and in the machine; the shortest of several runs counts, in time of the
//! processor. Compiling is not measured, nor is the start of a process: what an empty program takes
//! is subtracted.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use ouro_machine::concrete::{self, ConcreteEnvironment, ConcreteInputs};
use ouro_machine::{Machine, OverflowSemantics, RunEnd};
use ouro_term::TermStore;

const PROGRAMS: [&str; 4] = ["sieve", "lists", "calls", "matrix"];
const RUNS: usize = 5;

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/programs");
    let scratch = tempfile::tempdir().expect("a temporary folder");
    let empty = scratch.path().join("empty.c");
    std::fs::write(&empty, "int main(void) { return 0; }").expect("a file in it");
    let nothing = native(&empty, scratch.path()).0;
    println!("{:8} {:>10} {:>10} {:>7} {:>9}", "program", "gcc -O0", "machine", "ratio", "ns/step");
    for name in PROGRAMS {
        let file = folder.join(name).with_extension("c");
        let (gross, expected) = native(&file, scratch.path());
        let gcc = gross.saturating_sub(nothing);
        let (machine, steps, output) = interpreted(&file);
        assert_eq!(output, expected, "{name} prints something else");
        println!(
            "{name:8} {:>7.2} ms {:>7.1} ms {:>7.1} {:>9.2}",
            gcc.as_secs_f64() * 1e3,
            machine.as_secs_f64() * 1e3,
            machine.as_secs_f64() / gcc.as_secs_f64(),
            machine.as_secs_f64() * 1e9 / steps as f64,
        );
    }
}

/// The time that the processor has spent on this thread, or on the children that have ended.
fn used(by: UsageWho) -> Duration {
    let usage = getrusage(by).expect("a system that counts");
    let microseconds = (usage.user_time() + usage.system_time()).num_microseconds();
    Duration::from_micros(microseconds.try_into().expect("time goes forward"))
}

/// The time of gcc's binary, with the start of the process, and what it prints.
fn native(file: &Path, scratch: &Path) -> (Duration, Vec<u8>) {
    let binary = scratch.join("native");
    let compiled = Command::new("gcc").arg("-O0").arg(file).arg("-o").arg(&binary).status();
    assert!(compiled.expect("gcc is installed").success(), "gcc refuses {}", file.display());
    let mut output = Vec::new();
    let shortest = (0..=RUNS * 2)
        .map(|_| {
            let start = used(UsageWho::RUSAGE_CHILDREN);
            output = Command::new(&binary).output().expect("a binary that runs").stdout;
            used(UsageWho::RUSAGE_CHILDREN) - start
        })
        .min();
    (shortest.expect("some runs"), output)
}

/// The time in the machine, the number of steps, and what is printed.
fn interpreted(file: &Path) -> (Duration, u64, Vec<u8>) {
    let files: [PathBuf; 1] = [file.to_owned()];
    let program = ouro_c::compile_program(&files, &ouro_c::CompileOptions::default())
        .unwrap_or_else(|error| panic!("{}: {error}", file.display()))
        .program;
    let (mut shortest, mut steps, mut output) = (Duration::MAX, 0, Vec::new());
    for _ in 0..RUNS {
        output.clear();
        let mut terms = TermStore::new();
        let machine = Machine::new(&program, &mut terms, OverflowSemantics::Undefined, false)
            .expect("a program that fits");
        let mut state = machine.start_state();
        let mut print = |_, bytes: &[u8]| output.extend_from_slice(bytes);
        // Zero: no allocation fails.
        let inputs = ConcreteInputs::new(vec![0; 1 << 20]);
        let mut environment = ConcreteEnvironment::new(inputs, &mut print);
        let start = used(UsageWho::RUSAGE_THREAD);
        let end =
            concrete::run_concretely(&machine, &mut terms, &mut environment, &mut state, u64::MAX);
        shortest = shortest.min(used(UsageWho::RUSAGE_THREAD) - start);
        steps = state.steps;
        assert!(matches!(end, Some((RunEnd::Exit(Some(0)), _))), "{}: {end:?}", file.display());
    }
    (shortest, steps, output)
}
