//! The corpus: programs and transition systems with known truth. The folder says the verdict; endings
//! of the name say what differs from the defaults (`x.ilp32.c`, `x.wrap.c`, `x.unbounded.c`). Every
//! certificate is verified again by a process of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;

fn ouro(arguments: &[&str]) -> Output {
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
            matches!(ending, Some("c" | "smt2" | "koat" | "t2"))
        })
        .collect();
    all.sort();
    assert!(!all.is_empty(), "no programs in {folder}");
    all
}

/// What is wrong with the answer to one program, if anything.
fn judge(path: &Path, expected: &str, certificate: &Path) -> Option<String> {
    let name = path.file_name().expect("a name").to_string_lossy().into_owned();
    let path = path.to_str().expect("UTF-8");
    let certificate = certificate.to_str().expect("UTF-8");
    // Some of what the model does not cover is searched for until the time is over.
    let timeout = if expected == "unknown" { "8s" } else { "60s" };
    let mut arguments =
        vec!["check", path, "--format", "json", "--timeout", timeout, "--certificate", certificate];
    if name.contains(".ilp32.") {
        arguments.extend(["--data-model", "ilp32"]);
    }
    if name.contains(".wrap.") {
        arguments.extend(["--ints", "wrap"]);
    }
    if name.contains(".unbounded.") {
        arguments.extend(["--ints", "unbounded"]);
    }
    let output = ouro(&arguments);
    let report: serde_json::Value = match serde_json::from_slice(&output.stdout) {
        Ok(report) => report,
        Err(_) => return Some(format!("{name}: {}", String::from_utf8_lossy(&output.stderr))),
    };
    let verdict = report["verdict"].as_str().unwrap_or_default();
    if verdict != expected {
        return Some(format!("{name}: {verdict}, not {expected} ({})", report["reason"]));
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
            return Some(format!("{name}: the certificate is not accepted again: {why}"));
        }
    }
    None
}

/// Two at a time: that is how many cores there are.
fn check_all(folder: &str) {
    let scratch = tempfile::tempdir().expect("a folder");
    let waiting = Mutex::new(programs(folder));
    let wrong = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for worker in 0..2 {
            let (waiting, wrong) = (&waiting, &wrong);
            let certificate = scratch.path().join(format!("{worker}.json"));
            scope.spawn(move || {
                loop {
                    let next = waiting.lock().expect("no panic").pop();
                    let Some(path) = next else { break };
                    wrong.lock().expect("no panic").extend(judge(&path, folder, &certificate));
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

#[test]
fn programs_that_terminate() {
    check_all("terminates");
}

#[test]
fn programs_beyond_the_model() {
    check_all("unknown");
}
