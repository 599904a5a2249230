//! The corpus: programs and transition systems with known truth. The folder says the verdict; endings
//! of the name say what differs from the defaults (`x.ilp32.c`, `x.wrap.c`, `x.unbounded.c`), or that a
//! program loops only once a signed integer has overflowed (`x.overflow.c`). Every certificate is verified
//! again by a process of its own.
//!
//! However many tests run at once, `ouro` runs [`CORES`] times at a time: so a time limit is what an answer may cost, and
//! no core waits at the end of a folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Condvar, Mutex};

/// As many as run side by side.
const CORES: usize = 2;

/// How many may start.
static FREE_CORES: (Mutex<usize>, Condvar) = (Mutex::new(CORES), Condvar::new());

/// The right to keep one core busy.
struct BusyCore;

impl BusyCore {
    fn wait_for_one() -> BusyCore {
        let (free, freed) = &FREE_CORES;
        let free = free.lock().expect("no panic");
        *freed.wait_while(free, |free| *free == 0).expect("no panic") -= 1;
        BusyCore
    }
}

impl Drop for BusyCore {
    fn drop(&mut self) {
        let (free, freed) = &FREE_CORES;
        *free.lock().expect("no panic") += 1;
        freed.notify_one();
    }
}

fn ouro(arguments: &[&str]) -> Output {
    let _core = BusyCore::wait_for_one();
    Command::new(env!("CARGO_BIN_EXE_ouro"))
        .args(arguments)
        .env_remove("OURO_LOG")
        .output()
        .expect("running ouro")
}

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus")
}

fn programs(folder: &str) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> = fs::read_dir(corpus().join(folder))
        .expect("the corpus")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| {
            let ending = path.extension().and_then(|ending| ending.to_str());
            matches!(ending, Some("c" | "cpp" | "smt2" | "koat" | "t2"))
        })
        .collect();
    all.sort();
    assert!(!all.is_empty(), "no programs in {folder}");
    all
}

/// The answer to a program, with the options that its name asks for.
fn answer(name: &str, path: &str, more: &[&str]) -> Result<(Output, serde_json::Value), String> {
    let mut arguments = vec!["check", path, "--format", "json"];
    arguments.extend(more);
    for (part, options) in [
        (".ilp32.", ["--data-model", "ilp32"]),
        (".wrap.", ["--ints", "wrap"]),
        (".unbounded.", ["--ints", "unbounded"]),
        (".called.", ["--function", "called"]),
        (".transition.", ["--engine", "transition"]),
    ] {
        if name.contains(part) {
            arguments.extend(options);
        }
    }
    let output = ouro(&arguments);
    match serde_json::from_slice(&output.stdout) {
        Ok(report) => refused(&report).map_or(Ok((output, report)), |why| {
            Err(format!("{name}: the checker refused a certificate: {why}"))
        }),
        Err(_) => Err(format!("{name}: {}", String::from_utf8_lossy(&output.stderr))),
    }
}

/// A certificate that the checker refused on the way, whatever the answer was. That it had no time for one is no mistake.
fn refused(report: &serde_json::Value) -> Option<String> {
    let attempts = report["attempts"].as_array().expect("a list of attempts");
    let refused = attempts.iter().find(|attempt| attempt["outcome"] == "refused")?;
    Some(format!("{} for '{}': {}", refused["engine"], refused["claim"], refused["reason"]))
}

/// What is wrong with what the methods for the other verdict say of a program that loops.
fn judge_others(path: &Path) -> Option<String> {
    let name = path.file_name().expect("a name").to_string_lossy().into_owned();
    let path = path.to_str().expect("UTF-8");
    let mut options = vec!["--timeout", "1s", "--engine", "ranking", "--engine", "parts"];
    if name.contains(".overflow.") {
        // By C's rules an overflow ends it.
        options.extend(["--ints", "wrap"]);
    }
    match answer(&name, path, &options) {
        Ok((_, report)) if report["verdict"] == "unknown" => None,
        Ok((_, report)) => Some(format!("{name}: {}", report["verdict"])),
        Err(why) => Some(why),
    }
}

/// What is wrong with the answer to one program, if anything.
fn judge(path: &Path, expected: &str, certificate: &Path) -> Option<String> {
    let name = path.file_name().expect("a name").to_string_lossy().into_owned();
    let path = path.to_str().expect("UTF-8");
    let certificate = certificate.to_str().expect("UTF-8");
    // Some of what the model does not cover is searched for until the time is over.
    let timeout = if expected == "unknown" { "2s" } else { "60s" };
    let options = ["--timeout", timeout, "--certificate", certificate];
    let (output, report) = match answer(&name, path, &options) {
        Ok(answer) => answer,
        Err(why) => return Some(why),
    };
    let verdict = report["verdict"].as_str().unwrap_or_default();
    if verdict != expected {
        return Some(format!("{name}: {verdict}, not {expected} ({})", report["reason"]));
    }
    if report["after_overflow"].is_null() == name.contains(".overflow.") {
        return Some(format!("{name}: after_overflow is {}", report["after_overflow"]));
    }
    let code = match expected {
        "terminates" => 0,
        "loops" => 1,
        _ => 3,
    };
    if output.status.code() != Some(code) {
        return Some(format!("{name}: exit code {:?}, not {code}", output.status.code()));
    }
    if expected != "unknown" {
        let verified = ouro(&["verify", certificate]);
        if verified.status.code() != Some(0) {
            let why = String::from_utf8_lossy(&verified.stderr).into_owned();
            return Some(format!("{name}: the certificate is rejected again: {why}"));
        }
    }
    None
}

fn check_all(folder: &str) {
    let scratch = tempfile::tempdir().expect("a folder");
    each(folder, &|worker, path| {
        judge(path, folder, &scratch.path().join(format!("{worker}.json")))
    });
}

fn each(folder: &str, judge: &(dyn Fn(usize, &Path) -> Option<String> + Sync)) {
    each_of(programs(folder), judge);
}

/// With a thread for each core; other tests wait for cores as well.
fn each_of(programs: Vec<PathBuf>, judge: &(dyn Fn(usize, &Path) -> Option<String> + Sync)) {
    let waiting = Mutex::new(programs);
    let wrong = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for worker in 0..CORES {
            let (waiting, wrong) = (&waiting, &wrong);
            scope.spawn(move || {
                loop {
                    let next = waiting.lock().expect("no panic").pop();
                    let Some(path) = next else { break };
                    wrong.lock().expect("no panic").extend(judge(worker, &path));
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("no panic");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn programs_that_loop() {
    check_all("loops");
}

/// Nobody else may find a reason why they end. Every third is asked, since each takes all of its time.
#[test]
fn programs_that_loop_have_no_ranking() {
    let sample: Vec<PathBuf> = programs("loops").into_iter().step_by(3).collect();
    each_of(sample, &|_, path| judge_others(path));
}

/// What a program of a paper says is true of it, for each meaning of integers.
fn stated_truth(path: &Path) -> Vec<(String, String)> {
    let text = fs::read_to_string(path).expect("a program");
    let (_, rest) = text.split_once("truth: ").expect("a line that says what is true");
    let (line, _) = rest.split_once("*/").expect("the end of the comment");
    let part = |part: &str| {
        let mut words = part.split_whitespace().map(str::to_owned);
        (words.next().expect("integers"), words.next().expect("an answer"))
    };
    line.split(',').map(part).collect()
}

/// What contradicts the truth in the answers to a program of a paper, with each meaning of integers.
fn judge_paper(path: &Path) -> Option<String> {
    let name = path.file_name().expect("a name").to_string_lossy().into_owned();
    let path_text = path.to_str().expect("UTF-8");
    for (ints, truth) in stated_truth(path) {
        let options = ["--timeout", "1s", "--ints", &ints];
        let report = match answer(&name, path_text, &options) {
            Ok((_, report)) => report,
            Err(why) => return Some(why),
        };
        let verdict = report["verdict"].as_str().unwrap_or_default();
        if verdict != "unknown" && verdict != truth {
            return Some(format!("{name}, {ints}: {verdict}, not {truth}"));
        }
    }
    None
}

#[test]
fn programs_of_the_papers_are_not_contradicted() {
    each("papers", &|_, path| judge_paper(path));
}

/// What contradicts the truth in the answer to an everyday program; the folder says it.
fn judge_everyday(path: &Path, truth: &str) -> Option<String> {
    let name = path.file_name().expect("a name").to_string_lossy().into_owned();
    let report = match answer(&name, path.to_str().expect("UTF-8"), &["--timeout", "1s"]) {
        Ok((_, report)) => report,
        Err(why) => return Some(why),
    };
    let verdict = report["verdict"].as_str().unwrap_or_default();
    (verdict != "unknown" && verdict != truth).then(|| format!("{name}: {verdict}, not {truth}"))
}

/// Some of the programs that people write, asked for a second each: an answer may be missing, and is never wrong. All of
/// them, with the time they need, are asked by `scripts/everyday.sh`.
#[test]
fn everyday_programs_are_not_contradicted() {
    for truth in ["terminates", "loops"] {
        let all = programs(&format!("everyday/{truth}"));
        let sample: Vec<PathBuf> = all.into_iter().step_by(8).collect();
        each_of(sample, &|_, path| judge_everyday(path, truth));
    }
}

#[test]
fn programs_that_terminate() {
    check_all("terminates");
}

#[test]
fn programs_beyond_the_model() {
    check_all("unknown");
}
