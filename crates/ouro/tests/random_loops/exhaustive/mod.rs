//! An exhaustive oracle: random programs on so few bits (`make`) that all of their states can be looked at
//! (`search`), so that the truth is known for both verdicts. What Ouro says is compared with it; *unknown*
//! is counted. Nothing here uses a part of Ouro but its command line.
//!
//! Some seeds are in the suite. As many as you like, with a table at the end, and each program that
//! disagrees kept:
//!
//! ```text
//! OURO_RANDOM_SEEDS=1-5000 OURO_RANDOM_TIMEOUT=3s OURO_RANDOM_JOBS=2 OURO_RANDOM_KEEP=FOLDER \
//!     cargo test --release -p ouro --test random_loops exhaustive -- --ignored --nocapture
//! ```
//!
//! `OURO_RANDOM_OPTIONS="--engine explore"` adds options to each check.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::thread;

use crate::IntegerSemantics;
use crate::generate::Random;
use search::Truth;

mod make;
mod search;
mod syntax;

/// The program of a seed, its integers, and what is true of it.
fn program(seed: u64) -> (String, IntegerSemantics, Truth) {
    let mut random = Random::of(seed);
    let ints = match seed % 8 {
        0..=4 => IntegerSemantics::C,
        5 | 6 => IntegerSemantics::Wrap,
        _ => IntegerSemantics::Unbounded,
    };
    loop {
        let program = make::program(&mut random, ints == IntegerSemantics::Unbounded);
        let truth = search::truth(&program);
        if truth != Truth::TooLarge {
            return (program.text(), ints, truth);
        }
    }
}

/// What came of one program.
#[derive(Clone, Debug)]
struct Comparison {
    seed: u64,
    ints: IntegerSemantics,
    truth: Truth,
    verdict: &'static str,
    note: String,
}

impl Comparison {
    /// Whether a mistake of Ouro has been found.
    fn is_wrong(&self) -> bool {
        match self.verdict {
            "terminates" => self.truth != Truth::Terminates,
            "loops" => self.truth != Truth::Loops,
            "unknown" => false,
            _ => true,
        }
    }

    fn line(&self) -> String {
        let Comparison { seed, ints, truth, verdict, note } = self;
        let mark = if self.is_wrong() { "WRONG " } else { "" };
        format!("{mark}{seed} {} {truth:?} {verdict} {note}", ints.word())
    }
}

fn compare(seed: u64, timeout: &str, options: &[String], folder: &Path) -> Comparison {
    let (text, ints, truth) = program(seed);
    let path = folder.join(format!("{seed}.c"));
    fs::write(&path, text).expect("a file");
    let output = Command::new(env!("CARGO_BIN_EXE_ouro"))
        .args(["check", "--ints", ints.word(), "--timeout", timeout])
        .args(options)
        .arg(&path)
        .args(["--", "-w"])
        .env_remove("OURO_LOG")
        .output()
        .expect("running ouro");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let first = said.lines().next().unwrap_or_default().to_owned();
    let (verdict, note) = match output.status.code() {
        Some(0) => ("terminates", String::new()),
        Some(1) => ("loops", String::new()),
        Some(3) if !said.contains("bug in Ouro") => ("unknown", first),
        code => {
            let complaint = String::from_utf8_lossy(&output.stderr);
            ("failed", format!("{code:?} {first} {complaint}"))
        }
    };
    Comparison { seed, ints, truth, verdict, note }
}

fn compare_all(
    seeds: Vec<u64>,
    timeout: &str,
    options: &[String],
    jobs: usize,
    keep: Option<&Path>,
) -> Vec<Comparison> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let waiting = Mutex::new(seeds.into_iter().rev().collect::<Vec<u64>>());
    let comparisons = Mutex::new(Vec::new());
    let next = || waiting.lock().expect("nobody panics with it").pop();
    thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                while let Some(seed) = next() {
                    let comparison = compare(seed, timeout, options, folder.path());
                    let here = folder.path().join(format!("{seed}.c"));
                    if comparison.is_wrong() {
                        eprintln!("{}", comparison.line());
                        if let Some(keep) = keep {
                            let _ = fs::copy(&here, keep.join(format!("{seed}.c")));
                        }
                    }
                    let _ = fs::remove_file(here);
                    if let Some(keep) = keep {
                        let mut file = (fs::File::options().create(true).append(true))
                            .open(keep.join("results"))
                            .expect("a file");
                        writeln!(file, "{}", comparison.line()).expect("a line");
                    }
                    comparisons.lock().expect("nobody panics with it").push(comparison);
                }
            });
        }
    });
    let mut comparisons = comparisons.into_inner().expect("all are done");
    comparisons.sort_by_key(|comparison| comparison.seed);
    comparisons
}

/// How many programs there are of each truth, verdict and kind of integers.
fn table(comparisons: &[Comparison]) -> String {
    let mut counts: BTreeMap<(String, &str), BTreeMap<IntegerSemantics, usize>> = BTreeMap::new();
    for comparison in comparisons {
        let row = (format!("{:?}", comparison.truth), comparison.verdict);
        *counts.entry(row).or_default().entry(comparison.ints).or_default() += 1;
    }
    let mut text = format!(
        "{:10}  {:10} {:>6} {:>6} {:>9} {:>6}\n",
        "truth", "verdict", "c", "wrap", "unbounded", "all"
    );
    for ((truth, verdict), by) in &counts {
        let of = |ints| by.get(&ints).copied().unwrap_or(0);
        let (c, wrap, unbounded) =
            (of(IntegerSemantics::C), of(IntegerSemantics::Wrap), of(IntegerSemantics::Unbounded));
        let all = c + wrap + unbounded;
        text += &format!("{truth:10}  {verdict:10} {c:6} {wrap:6} {unbounded:9} {all:6}\n");
    }
    text
}

fn assert_right(comparisons: &[Comparison]) {
    let wrong: Vec<String> = (comparisons.iter())
        .filter(|comparison| comparison.is_wrong())
        .map(Comparison::line)
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The truth of programs that a reader can see through.
#[test]
fn the_search_finds_the_truth() {
    use syntax::{
        Condition, Expression, Function, Operator, Place, Program, Relation, Representation, Slot,
        Statement, Variable,
    };
    let with = |representation, body: Vec<Statement>, helper: Vec<Statement>| {
        let local = |name: &str| Variable { name: name.to_owned(), representation };
        search::truth(&Program {
            width: 4,
            globals: Vec::new(),
            cells: Vec::new(),
            cell_representation: Representation::Masked,
            pointer: None,
            functions: vec![
                Function { locals: vec![local("a"), local("b")], body: helper },
                Function { locals: vec![local("x")], body },
            ],
        })
    };
    let place = || Place::Variable(Slot::Local(0));
    let read = || Expression::Read(place());
    let plus = |number| {
        let number = Box::new(Expression::Number(number));
        Expression::Binary(Operator::Add, Box::new(read()), number)
    };
    let until = |number| {
        let condition = Condition::Compare(Relation::NotEqual, read(), Expression::Number(number));
        let step = Statement::Assign(place(), plus(3));
        vec![Statement::Input(place(), 7), Statement::While(condition, vec![step])]
    };
    // Three and sixteen have no common divisor, so every number is met; but sixteen is none of four bits.
    assert_eq!(with(Representation::Masked, until(5), Vec::new()), Truth::Terminates);
    assert_eq!(with(Representation::BitInt, until(16), Vec::new()), Truth::Loops);
    assert_eq!(with(Representation::Offset, until(-8), Vec::new()), Truth::Terminates);
    assert_eq!(with(Representation::Offset, until(8), Vec::new()), Truth::Loops);
    // f(a) calls f(a + step) unless a is 5.
    let recursion = |step| {
        let zero = || Expression::Number(0);
        let stop = Condition::Compare(Relation::Equal, read(), Expression::Number(5));
        let call = |argument| Statement::Call(place(), 0, vec![argument, zero()]);
        with(
            Representation::Masked,
            vec![call(zero())],
            vec![
                Statement::If(stop, vec![Statement::Return(zero())], Vec::new()),
                call(plus(step)),
                Statement::Return(zero()),
            ],
        )
    };
    assert_eq!(recursion(1), Truth::Terminates);
    assert_eq!(recursion(2), Truth::Loops);
    // A choice that can always be made again.
    let endless = vec![Statement::While(Condition::Choice, Vec::new())];
    assert_eq!(with(Representation::Char, endless, Vec::new()), Truth::Loops);
}

/// Seeds of programs that are judged quickly, of all kinds.
const SEEDS: std::ops::RangeInclusive<u64> = 1..=40;

#[test]
fn a_sample_of_small_programs_is_judged_as_the_search_does() {
    let comparisons = compare_all(SEEDS.collect(), "10s", &[], 2, None);
    println!("{}", table(&comparisons));
    assert_right(&comparisons);
    // Should that change, there are others.
    for verdict in ["terminates", "loops"] {
        let count = comparisons.iter().filter(|one| one.verdict == verdict).count();
        assert!(count >= 5, "only {count} of {} are '{verdict}'", comparisons.len());
    }
}

#[test]
#[ignore = "takes as long as one likes; the head of this file says how to ask"]
fn small_programs_are_judged_as_the_search_does() {
    let variable =
        |name: &str, otherwise: &str| env::var(name).unwrap_or_else(|_| otherwise.to_owned());
    let seeds = variable("OURO_RANDOM_SEEDS", "1-5000");
    let timeout = variable("OURO_RANDOM_TIMEOUT", "3s");
    let jobs = variable("OURO_RANDOM_JOBS", "2").parse().expect("OURO_RANDOM_JOBS is a number");
    let options: Vec<String> =
        variable("OURO_RANDOM_OPTIONS", "").split_whitespace().map(str::to_owned).collect();
    let keep = env::var_os("OURO_RANDOM_KEEP").map(PathBuf::from);
    let (first, last) = seeds.split_once('-').expect("OURO_RANDOM_SEEDS is like 1-5000");
    let number = |text: &str| text.parse::<u64>().expect("OURO_RANDOM_SEEDS is like 1-5000");
    let seeds = (number(first)..=number(last)).collect();
    let comparisons = compare_all(seeds, &timeout, &options, jobs, keep.as_deref());
    println!("{}", table(&comparisons));
    assert_right(&comparisons);
}
