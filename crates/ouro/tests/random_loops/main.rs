//! Random programs with loops (`generate`): what Ouro says about them, against what gcc's code does.
//!
//! *Terminates* is contradicted by a run that does not end, *loops* by a reproducer with which the
//! program ends. Runs are counted in turns of loops and calls, up to ten million; undefined behaviour
//! traps, and ends a run as it does in Ouro. With large inputs a run may well end later than that:
//! those are counted as long, and say nothing. With small ones it is run until every value of an
//! `unsigned` could have been there; a recursion deeper than the stack is
//! named, to be looked at. Under `--ints c`, where small inputs lead to a trap, the program
//! is run again with wider integers: a loop that does not end then waits for an overflow, and must
//! not be called one that ends.
//!
//! Some seeds are in the suite. As many as you like, with a table at the end:
//!
//! ```text
//! OURO_RANDOM_SEEDS=1-2000 OURO_RANDOM_TIMEOUT=3s OURO_RANDOM_KEEP=FOLDER \
//!     cargo test --release -p ouro --test random_loops -- --ignored --nocapture
//! ```
//!
//! Seeds from 1000000 on have structures, strings, floats and the C library (`features`).
//!
//! Several ranges are separated by commas. First of all clang reads all of the programs, so a mistake of the generator
//! is said at once, and not after the hours of a run.
//!
//! A line is printed for each program on which the two disagree, and `OURO_RANDOM_KEEP` says where
//! those programs go, and what came of all of them.

mod exhaustive;
mod features;
mod generate;
mod native;

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::thread;

use native::Native;

/// What an integer is in the program of a seed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum IntegerSemantics {
    C,
    Wrap,
    Unbounded,
}

impl IntegerSemantics {
    fn of(seed: u64) -> IntegerSemantics {
        match seed % 8 {
            0..=4 => IntegerSemantics::C,
            5 | 6 => IntegerSemantics::Wrap,
            // Bits and bytes of mathematical integers are not covered.
            _ if seed >= features::FIRST_SEED => IntegerSemantics::C,
            _ => IntegerSemantics::Unbounded,
        }
    }

    fn word(self) -> &'static str {
        match self {
            IntegerSemantics::C => "c",
            IntegerSemantics::Wrap => "wrap",
            IntegerSemantics::Unbounded => "unbounded",
        }
    }
}

/// What came of one program.
#[derive(Clone, Debug)]
struct Result {
    seed: u64,
    ints: IntegerSemantics,
    verdict: &'static str,
    /// `agrees`, or how it does not.
    outcome: &'static str,
    note: String,
}

impl Result {
    fn line(&self) -> String {
        let Result { seed, ints, verdict, outcome, note } = self;
        format!("{seed} {} {verdict} [{outcome}] {}", ints.word(), note.trim_end())
    }
}

/// Outcomes that show a bug in Ouro.
const WRONG: [&str; 4] = ["WRONG", "waits for overflow", "rejected", "failed"];

/// The program of a seed.
fn program_of(seed: u64) -> String {
    if seed >= features::FIRST_SEED { features::program(seed) } else { generate::program(seed) }
}

/// Looks that clang takes the program of each seed for C.
fn assert_compilable(seeds: &[u64]) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for &seed in seeds {
        let path = folder.path().join(format!("{seed}.c"));
        fs::write(path, program_of(seed)).expect("a file");
    }
    for some in seeds.chunks(100) {
        let output = Command::new("clang-19")
            .args(["-fsyntax-only", "-w"])
            .args(some.iter().map(|seed| format!("{seed}.c")))
            .current_dir(folder.path())
            .output()
            .expect("clang is installed");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "the generator's programs are not C:\n{said}");
    }
}

/// Seeds from text like `1-2000,1002001-1002400`.
fn seeds_from(text: &str) -> Vec<u64> {
    let number = |text: &str| text.parse::<u64>().expect("OURO_RANDOM_SEEDS is like 1-2000");
    let range = |text: &str| {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        number(first)..=number(last)
    };
    text.split(',').flat_map(range).collect()
}

/// Asks Ouro about the program of a seed, and the program itself.
fn judge(seed: u64, timeout: &str, folder: &Path, native: &Native) -> Result {
    let ints = IntegerSemantics::of(seed);
    let path = |name: &str| folder.join(format!("{seed}{name}"));
    let (program, reproducer, certificate) = (path(".c"), path(".repro.c"), path(".json"));
    let features = seed >= features::FIRST_SEED;
    fs::write(&program, program_of(seed)).expect("a file");
    let _ = fs::remove_file(&reproducer);
    let output = Command::new(env!("CARGO_BIN_EXE_ouro"))
        .args(["check", "--ints", ints.word(), "--timeout", timeout])
        .arg(&program)
        .arg("--reproducer")
        .arg(&reproducer)
        .arg("--certificate")
        .arg(&certificate)
        .args(["--", "-w"])
        .env_remove("OURO_LOG")
        .output()
        .expect("running ouro");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let (verdict, (outcome, note)) = match output.status.code() {
        Some(0) => ("terminates", native.ends(&program, ints, !features)),
        Some(1) if reproducer.exists() => {
            ("loops", native.hangs(&program, &reproducer, ints, said.contains("recursion")))
        }
        // The inputs depend on the state: the certificate says how, and the checker follows it.
        Some(1) => ("loops", verified(&certificate)),
        Some(3) if !said.contains("bug in Ouro") => {
            let reason = said.lines().next().unwrap_or_default().to_owned();
            ("unknown", ("", reason))
        }
        _ => ("failed", ("failed", String::from_utf8_lossy(&output.stderr).into_owned())),
    };
    Result { seed, ints, verdict, outcome, note }
}

/// Whether the certificate is accepted by a process of its own.
fn verified(certificate: &Path) -> (&'static str, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_ouro"))
        .arg("verify")
        .arg(certificate)
        .output()
        .expect("running ouro");
    match output.status.code() {
        Some(0) => ("verified only", String::new()),
        _ => ("rejected", String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

/// The results of some seeds, as many at a time as there are processors.
fn judge_all(seeds: Vec<u64>, timeout: &str, keep: Option<&Path>) -> Vec<Result> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let native = Native::new(folder.path());
    let waiting = Mutex::new(seeds.into_iter().rev().collect::<Vec<u64>>());
    let results = Mutex::new(Vec::new());
    let next = || waiting.lock().expect("nobody panics with it").pop();
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(seed) = next() {
                    let result = judge(seed, timeout, folder.path(), &native);
                    if WRONG.contains(&result.outcome) || result.outcome == native::DEEP {
                        eprintln!(
                            "{seed}: {} but {} {}",
                            result.verdict, result.outcome, result.note
                        );
                    }
                    let here = |name: &str| folder.path().join(format!("{seed}{name}"));
                    for name in [".c", ".repro.c", ".json"] {
                        if let Some(keep) = keep.filter(|_| WRONG.contains(&result.outcome)) {
                            let _ = fs::copy(here(name), keep.join(format!("{seed}{name}")));
                        }
                        let _ = fs::remove_file(here(name));
                    }
                    let mut results = results.lock().expect("nobody panics with it");
                    if let Some(keep) = keep {
                        // At once: whoever is tired of waiting has what there is.
                        let path = keep.join("results");
                        let mut options = fs::File::options();
                        let file = options.create(true).append(true).open(path);
                        let mut file = file.expect("a file");
                        writeln!(file, "{}", result.line()).expect("a line");
                    }
                    results.push(result);
                }
            });
        }
    });
    let mut results = results.into_inner().expect("all are done");
    results.sort_by_key(|result| result.seed);
    results
}

/// How many programs there are of each kind, verdict and outcome.
fn table(results: &[Result]) -> String {
    let mut counts: BTreeMap<(&str, &str), BTreeMap<IntegerSemantics, usize>> = BTreeMap::new();
    for result in results {
        *(counts.entry((result.verdict, result.outcome)).or_default())
            .entry(result.ints)
            .or_default() += 1;
    }
    let mut text = format!(
        "{:10}  {:20} {:>6} {:>6} {:>9} {:>6}\n",
        "verdict", "native code", "c", "wrap", "unbounded", "all"
    );
    for ((verdict, outcome), by) in &counts {
        let of = |ints| by.get(&ints).copied().unwrap_or(0);
        let (c, wrap, unbounded) =
            (of(IntegerSemantics::C), of(IntegerSemantics::Wrap), of(IntegerSemantics::Unbounded));
        let all = c + wrap + unbounded;
        text += &format!("{verdict:10}  {outcome:20} {c:6} {wrap:6} {unbounded:9} {all:6}\n");
    }
    text
}

fn check(results: &[Result]) {
    let wrong: Vec<&Result> =
        results.iter().filter(|result| WRONG.contains(&result.outcome)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Seeds of programs that Ouro has an answer to: the others take time and compare nothing.
const SEEDS: [u64; 40] = [
    16, 34, 433, 840, 845, 865, 905, 929, 943, 1004, 1052, 1068, 1119, 1124, 1133, 1143, 1170,
    1171, 1187, 1190, 1241, 1253, 1257, 1318, 1344, 1351, 1366, 1422, 1454, 1471, 1487, 1615, 1659,
    1678, 1735, 1743, 1751, 1787, 1937, 1981,
];

#[test]
fn a_sample_of_random_programs_does_what_is_said_of_it() {
    let results = judge_all(SEEDS.to_vec(), "10s", None);
    println!("{}", table(&results));
    check(&results);
    // Among these, none recurses that deep: one that now does has no end.
    assert!(results.iter().all(|result| result.outcome != native::DEEP));
    // Should that change, there are others.
    for verdict in ["terminates", "loops"] {
        let count = results.iter().filter(|result| result.verdict == verdict).count();
        assert!(count >= 5, "only {count} of {} are '{verdict}'", results.len());
    }
}

/// Two patterns of one kind in a program, which once declared their names twice, and some others.
#[test]
fn random_programs_are_c() {
    let twice = [1_002_023, 1_002_243, 1_002_308];
    assert_compilable(&[&twice[..], &SEEDS[..5]].concat());
    assert_eq!(seeds_from("1-3,1000001,7-8"), [1, 2, 3, 1_000_001, 7, 8]);
}

/// Programs about which Ouro would be wrong, so that a comparison which never complains is noticed.
#[test]
fn wrong_answers_are_noticed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut native = Native::new(folder.path());
    native.many_turns = "20000000".to_owned();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).expect("a file");
        path
    };
    let with = |body: &str| format!("{}{body}", generate::PRELUDE);
    let recurs = "int f(int n) { TURN; return f(n) + 1; }\nint main(void) { return f(1); }\n";
    let program = file("recurs.c", &with(recurs));
    assert_eq!(native.ends(&program, IntegerSemantics::C, true).0, native::DEEP);
    let turns = "int main(void) { for (unsigned i = 1; i; i += 2) TURN; }\n";
    let program = file("turns.c", &with(turns));
    assert_eq!(native.ends(&program, IntegerSemantics::C, true).0, "WRONG");
    let waits = "int main(void) { for (int i = 1; i > 0; i += 100000) TURN; }\n";
    let program = file("waits.c", &with(waits));
    assert_eq!(native.ends(&program, IntegerSemantics::C, true).0, "waits for overflow");
    assert_eq!(native.ends(&program, IntegerSemantics::Wrap, true).0, "agrees");
    let ends = "int main(void) { for (int i = __VERIFIER_nondet_int(); i > 0; i--) TURN; }\n";
    let program = file("ends.c", &with(ends));
    assert_eq!(native.ends(&program, IntegerSemantics::C, true).0, "agrees, some long");
    let five = "int __VERIFIER_nondet_int(void) { return 5; }\n";
    let reproducer = file("five.repro.c", five);
    assert_eq!(native.hangs(&program, &reproducer, IntegerSemantics::C, false).0, "WRONG");
    let hangs = with("int main(void) { while (__VERIFIER_nondet_int()) TURN; }\n");
    let program = file("hangs.c", &hangs);
    assert_eq!(native.hangs(&program, &reproducer, IntegerSemantics::C, false).0, "agrees");
}

#[test]
#[ignore = "takes as long as one likes; the head of this file says how to ask"]
fn random_programs_do_what_is_said_of_them() {
    let seeds = env::var("OURO_RANDOM_SEEDS").unwrap_or_else(|_| "1-2000".to_owned());
    let timeout = env::var("OURO_RANDOM_TIMEOUT").unwrap_or_else(|_| "3s".to_owned());
    let keep = env::var_os("OURO_RANDOM_KEEP").map(PathBuf::from);
    let seeds = seeds_from(&seeds);
    assert_compilable(&seeds);
    let results = judge_all(seeds, &timeout, keep.as_deref());
    println!("{}", table(&results));
    check(&results);
}
