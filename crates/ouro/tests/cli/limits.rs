//! Limits hold, whatever the worker does.

use std::process::Stdio;
use std::time::{Duration, Instant};

use super::{FORKS, Folder};

/// Expands to a billion statements.
const DEAR_TO_COMPILE: &str = "\
#define A(x) x x x x x x x x x x
#define B(x) A(A(A(x)))
#define C(x) B(B(B(x)))
int main(void) { int i = 0; C(i++;) return i; }
";

#[test]
fn time() {
    let folder = Folder::with(&[("forks.c", FORKS)]);
    for limit in ["300ms", "2s"] {
        // Its paths are too many to follow, and nothing else is asked.
        let asked =
            ["check", "forks.c", "--timeout", limit, "--format", "json", "--engine", "explore"];
        let outcome = folder.ouro(&asked);
        assert_eq!(outcome.code, Some(3), "{}", outcome.stderr);
        assert_eq!(outcome.json()["verdict"], "unknown");
        assert!(outcome.json()["reason"].as_str().is_some_and(|why| why.contains("time limit")));
    }
}

#[test]
fn a_source_that_is_dear_to_compile() {
    let folder = Folder::with(&[("dear.c", DEAR_TO_COMPILE)]);
    let before = folder.contents();
    let outcome = folder.ouro(&["check", "dear.c", "--timeout", "1s", "--certificate", "out.json"]);
    assert_eq!(outcome.code, Some(3), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("clang did not finish"), "{}", outcome.stderr);
    assert!(outcome.stdout.starts_with("unknown: the time limit of 1 s was reached"));
    assert_eq!(folder.contents(), before);
}

#[test]
fn memory() {
    let folder = Folder::with(&[("forks.c", FORKS)]);
    let mut arguments = vec!["check", "forks.c", "--engine", "explore", "--format", "json"];
    arguments.extend(["--memory", "64", "--timeout", "60s"]);
    let outcome = folder.ouro(&arguments);
    assert_eq!(outcome.code, Some(3), "{}", outcome.stderr);
    assert!(outcome.json()["reason"].as_str().is_some_and(|why| why.contains("memory limit")));
}

/// Starts a long question and waits until its worker is there.
fn start(folder: &Folder) -> (std::process::Child, u32) {
    let ouro = folder
        .command(&["check", "forks.c", "--timeout", "60s", "--engine", "explore"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("running ouro");
    let worker = worker_of(ouro.id());
    std::thread::sleep(Duration::from_millis(300));
    (ouro, worker)
}

/// The process id of a supervisor's worker, as soon as it has one.
fn worker_of(supervisor: u32) -> u32 {
    let children = format!("/proc/{supervisor}/task/{supervisor}/children");
    loop {
        let text = std::fs::read_to_string(&children).expect("its children");
        if let Some(worker) = text.split_whitespace().next() {
            return worker.parse().expect("a number");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn signal(process: u32, name: &str) {
    let status = std::process::Command::new("kill").args([name, &process.to_string()]).status();
    assert!(status.expect("running kill").success());
}

/// Whether a process is there and not just waiting to be buried.
fn is_alive(process: u32) -> bool {
    std::fs::read_to_string(format!("/proc/{process}/stat"))
        .is_ok_and(|stat| !stat.rsplit(')').next().unwrap_or("").starts_with(" Z"))
}

#[test]
fn a_crash_is_no_verdict() {
    let folder = Folder::with(&[("forks.c", FORKS)]);
    let (ouro, worker) = start(&folder);
    signal(worker, "-ABRT");
    let output = ouro.wait_with_output().expect("its output");
    assert_eq!(output.status.code(), Some(70));
    assert!(output.stdout.is_empty());
    assert!(String::from_utf8_lossy(&output.stderr).contains("SIGABRT"));
}

#[test]
fn the_worker_ends_with_its_supervisor() {
    let folder = Folder::with(&[("forks.c", FORKS)]);
    for name in ["-INT", "-TERM", "-KILL"] {
        let (mut ouro, worker) = start(&folder);
        signal(ouro.id(), name);
        let status = ouro.wait().expect("its end");
        assert_eq!(status.code(), None, "{name}: it ends by the signal");
        let start = Instant::now();
        while is_alive(worker) {
            assert!(start.elapsed() < Duration::from_secs(60), "{name}: the worker lives on");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}
