//! `ouro attach`: answers, bad input, and proofs that travel.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn ouro(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ouro"));
    command.arg("attach").args(arguments).stdin(Stdio::null()).output().expect("ouro runs")
}

fn spin(folder: &Path) -> (Running, String) {
    let source = folder.join("spin.c");
    let text = "unsigned long n; int main(void) { volatile int stop = 0;\n\
                while (!stop)\n n++;\n return 0; }\n";
    fs::write(&source, text).expect("written");
    let program: PathBuf = folder.join("spin");
    let gcc = Command::new("gcc").args(["-g", "-o"]).args([&program, &source]).status();
    assert!(gcc.expect("gcc").success());
    let child = Command::new(&program).spawn().expect("starts");
    std::thread::sleep(Duration::from_millis(200));
    let pid = child.id().to_string();
    (Running(child), pid)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_loop_with_a_counter() {
    let folder = tempfile::tempdir().expect("a folder");
    let (_running, pid) = spin(folder.path());
    let saved = folder.path().join("saved").display().to_string();
    let proof = folder.path().join("proof").display().to_string();
    let output = ouro(&[&pid, "--save", &saved, "--certificate", &proof]);
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{said}{}", text(&output.stderr));
    assert!(said.starts_with("loops forever: process "), "{said}");
    assert!(said.contains("spin.c:2") && said.contains("main"), "{said}");
    assert!(said.contains("no other thread interferes: holds"), "{said}");
    // What changes has its name from the source.
    assert!(said.lines().any(|line| line.trim_start().starts_with("n = ")), "{said}");
    // The same elsewhere, and the proof checked by another process.
    let again = ouro(&["--snapshot", &saved, "--format", "json"]);
    assert_eq!(again.status.code(), Some(1));
    let json: serde_json::Value = serde_json::from_slice(&again.stdout).expect("JSON");
    assert_eq!(json["verdict"], "loops");
    assert_eq!(json["certificate"], "checked");
    assert_eq!(json["location"]["function"], "main");
    assert!(json["location"]["file"].as_str().is_some_and(|file| file.ends_with("spin.c")));
    let checked = ouro(&["--snapshot", &saved, "--check", &proof]);
    assert_eq!(text(&checked.stdout), "accepted: loops forever\n", "{}", text(&checked.stderr));
    assert_eq!(checked.status.code(), Some(0));
    let broken = fs::read_to_string(&proof).expect("a proof").replace("\"stem\": ", "\"stem\": 1");
    fs::write(&proof, broken).expect("written");
    assert_eq!(ouro(&["--snapshot", &saved, "--check", &proof]).status.code(), Some(2));
}

#[test]
fn bad_input() {
    let refused = |arguments: &[&str], what: &str| {
        let output = ouro(arguments);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(what), "{arguments:?}: {said}");
        assert!(output.stdout.is_empty());
    };
    refused(&["2147483647"], "there is no process 2147483647");
    refused(&["0"], "0");
    refused(&["x"], "x");
    refused(&[], "required");
    refused(&["--core", "/nowhere"], "/nowhere");
    refused(&["--core", "/bin/ls"], "it is not a core file");
    refused(&["--snapshot", "/bin/ls"], "it is not a snapshot");
    refused(&["1", "--core", "x"], "cannot be used with");
    refused(&["--watch", "1s"], "required");
    let ended = Running(Command::new("true").spawn().expect("true"));
    std::thread::sleep(Duration::from_millis(300));
    refused(&[&ended.0.id().to_string()], "has ended already (a zombie)");
    // Nothing was asked of a terminal, and nothing is chosen without one.
    let folder = tempfile::tempdir().expect("a folder");
    let (_running, pid) = spin(folder.path());
    let output = ouro(&["--all"]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains(&pid) && said.contains("name one of these processes"), "{said}");
}

/// The process is not looked at before it has been busy for so long.
#[test]
fn watching() {
    let folder = tempfile::tempdir().expect("a folder");
    let (_running, pid) = spin(folder.path());
    let start = std::time::Instant::now();
    let output = ouro(&["--watch", "1s", &pid]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert!(start.elapsed() >= Duration::from_secs(1));
}

#[test]
fn a_sleeper() {
    let child = Command::new("sleep").arg("1000").spawn().expect("sleep");
    let pid = child.id().to_string();
    let _running = Running(child);
    std::thread::sleep(Duration::from_millis(200));
    let output = ouro(&[&pid]);
    assert_eq!(output.status.code(), Some(3));
    assert!(text(&output.stdout).contains("It is blocked in clock_nanosleep."));
}
