//! `ouro attach`: answers, bad input, and proofs that travel.

use std::fs;
use std::io::Write as _;
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
    let text = "unsigned long n; int main(void) { volatile int stop = 0;\n\
                while (!stop)\n n++;\n return 0; }\n";
    spin_with(folder, text)
}

fn spin_with(folder: &Path, text: &str) -> (Running, String) {
    let source = folder.join("spin.c");
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

/// A handler may end it: another answer, another exit code, and the same from the proof.
#[test]
fn a_loop_that_a_signal_ends() {
    let folder = tempfile::tempdir().expect("a folder");
    let text_of = "#include <signal.h>\nstatic volatile sig_atomic_t stop;\n\
                   static void on_signal(int number) { stop = 1; }\n\
                   int main(void) { signal(SIGTERM, on_signal); signal(SIGUSR1, on_signal);\n\
                   while (!stop) { }\n return 0; }\n";
    let (mut running, pid) = spin_with(folder.path(), text_of);
    let saved = folder.path().join("saved").display().to_string();
    let proof = folder.path().join("proof").display().to_string();
    let output = ouro(&[&pid, "--save", &saved, "--certificate", &proof]);
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(5), "{said}{}", text(&output.stderr));
    assert!(said.starts_with("loops until SIGUSR1 or SIGTERM arrives: process "), "{said}");
    assert!(
        said.contains("on_signal") && said.contains("writes stop, which the loop uses"),
        "{said}"
    );
    let again = ouro(&["--snapshot", &saved, "--format", "json"]);
    assert_eq!(again.status.code(), Some(5));
    let json: serde_json::Value = serde_json::from_slice(&again.stdout).expect("JSON");
    assert_eq!(json["verdict"], "loops_until_signal");
    assert_eq!(json["signals"], serde_json::json!(["SIGUSR1", "SIGTERM"]));
    let checked = verify(&[&proof, "--snapshot", &saved]);
    assert_eq!(text(&checked.stdout), "accepted: loops until SIGUSR1 or SIGTERM arrives\n");
    assert_eq!(checked.status.code(), Some(0));
    // And it is true.
    assert!(Command::new("kill").arg(&pid).status().expect("kill").success());
    assert_eq!(running.0.wait().expect("an end").code(), Some(0));
}

fn verify(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ouro"));
    command.arg("verify").args(arguments).stdin(Stdio::null()).output().expect("ouro runs")
}

/// A proof travels with its snapshot, and holds of nothing else.
#[test]
fn proofs_are_verified() {
    let folder = tempfile::tempdir().expect("a folder");
    let (_running, pid) = spin(folder.path());
    let file = |name: &str| folder.path().join(name).display().to_string();
    let (saved, proof) = (file("saved"), file("proof"));
    let output = ouro(&[&pid, "--save", &saved, "--certificate", &proof]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let accepted = verify(&[&proof, "--snapshot", &saved]);
    assert_eq!(text(&accepted.stdout), "accepted: loops forever\n", "{}", text(&accepted.stderr));
    assert_eq!(accepted.status.code(), Some(0));
    let refused = |arguments: &[&str], what: &str| {
        let output = verify(arguments);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}{}", text(&output.stdout));
        assert!(said.contains(what), "{arguments:?}: {said}");
        let debugging =
            said.contains("Named {") || said.contains("Halt(") || said.contains("Some(");
        assert!(!debugging, "{arguments:?}: {said}");
    };
    refused(&[&proof], &format!("in the life of process {pid}"));
    refused(&[&proof], "--snapshot FILE");
    refused(&[&proof, "--snapshot", &proof], "it does not start with `ouro snapshot 1`");
    refused(&[&proof, "--snapshot", &file("nowhere")], "nowhere");
    refused(&[&proof, "--core", &saved], "not a core file");
    let tampered = |name: &str, change: &dyn Fn(&mut serde_json::Value)| {
        let written = fs::read_to_string(&proof).expect("a proof");
        let mut json: serde_json::Value = serde_json::from_str(&written).expect("JSON");
        change(&mut json);
        let path = file(name);
        fs::write(&path, json.to_string()).expect("written");
        refused(&[&path, "--snapshot", &saved], "");
    };
    // One instruction further it is not at the head: the loop has more than one.
    tampered("stem", &|json| json["stem"] = (json["stem"].as_u64().expect("a number") + 1).into());
    tampered("head", &|json| json["head"] = 4096.into());
    tampered("rip", &|json| json["rip"] = 4096.into());
    tampered("version", &|json| json["version"] = 2.into());
    tampered("thread", &|json| json["thread"] = 1.into());
    tampered("iterations", &|json| json["iterations"] = serde_json::json!([]));
    tampered("length", &|json| json["iterations"][0]["length"] = 1.into());
    tampered("cells", &|json| {
        json["cells"] = serde_json::json!([]);
        json["iterations"][0]["start"] = serde_json::json!([]);
    });
    tampered("invariant", &|json| json["invariants"] = serde_json::json!(["false"]));
    tampered("field", &|json| {
        json.as_object_mut().expect("an object").remove("head");
    });
    // A certificate of a program has no snapshot.
    let source = folder.path().join("ends.c");
    fs::write(&source, "int main(void) { return 0; }\n").expect("written");
    let about_program = file("program.json");
    let checked = Command::new(env!("CARGO_BIN_EXE_ouro"))
        .args(["check", "--certificate", &about_program])
        .arg(&source)
        .output()
        .expect("ouro runs");
    assert_eq!(checked.status.code(), Some(0), "{}", text(&checked.stderr));
    refused(&[&about_program, "--snapshot", &saved], "is not about a process");
}

/// On a terminal the list is shown and a number is asked for; `script` is the terminal.
#[test]
fn choosing_on_a_terminal() {
    let folder = tempfile::tempdir().expect("a folder");
    let (_running, pid) = spin(folder.path());
    let choose = |answer: &str| {
        let command = format!("{} attach --all", env!("CARGO_BIN_EXE_ouro"));
        let mut script = Command::new("script")
            .args(["-qec", &command, "/dev/null"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("script");
        let mut input = script.stdin.take().expect("piped");
        input.write_all(format!("{answer}\n").as_bytes()).expect("written");
        // The terminal stays open until the answer is there.
        let output = script.wait_with_output().expect("an end");
        drop(input);
        (text(&output.stdout), output.status.code())
    };
    let (said, code) = choose(&pid);
    assert!(said.contains("which process? "), "{said}");
    assert!(said.contains(&format!("loops forever: process {pid}")), "{said}");
    assert_eq!(code, Some(1), "{said}");
    let (said, code) = choose("none of these");
    assert!(said.contains("none of these is not one of the listed processes"), "{said}");
    assert_eq!(code, Some(2), "{said}");
}

/// What a core needs: its end, and its program.
#[test]
fn cores_that_cannot_be_looked_at() {
    let folder = tempfile::tempdir().expect("a folder");
    let (running, pid) = spin(folder.path());
    let stem = folder.path().join("core");
    let made = Command::new("gcore").arg("-o").arg(&stem).arg(&pid).output();
    let made = made.expect("gcore is missing: ./scripts/setup.sh installs gdb");
    assert!(made.status.success(), "{}", text(&made.stderr));
    drop(running);
    let core = format!("{}.{pid}", stem.display());
    let answered = ouro(&["--core", &core]);
    assert_eq!(answered.status.code(), Some(1), "{}", text(&answered.stderr));
    let refused = |arguments: &[&str], what: &str| {
        let output = ouro(arguments);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(what), "{arguments:?}: {said}");
    };
    let bytes = fs::read(&core).expect("a core");
    let cut = folder.path().join("cut").display().to_string();
    fs::write(&cut, &bytes[..bytes.len() / 2]).expect("written");
    refused(&["--core", &cut], "truncated");
    let (program, moved) = (folder.path().join("spin"), folder.path().join("moved"));
    fs::rename(&program, &moved).expect("moved");
    refused(&["--core", &core], "--exe");
    let found = ouro(&["--core", &core, "--exe", &moved.display().to_string()]);
    assert_eq!(found.status.code(), Some(1), "{}", text(&found.stderr));
    refused(&["--core", &core, "--exe", "/bin/true"], "build-id");
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
    refused(&["2147483647"], "there is no process with PID 2147483647");
    refused(&["0"], "0");
    refused(&["x"], "x");
    refused(&[], "required");
    refused(&["--core", "/nowhere"], "/nowhere");
    refused(&["--core", "/bin/ls"], "not a core file");
    refused(&["--snapshot", "/bin/ls"], "not a snapshot");
    refused(&["1", "--core", "x"], "cannot be used with");
    refused(&["--watch", "1s"], "required");
    // The process that asks is one it cannot look at: a shell that becomes Ouro keeps its number.
    let itself = format!("exec {} attach $$", env!("CARGO_BIN_EXE_ouro"));
    let output = Command::new("sh").args(["-c", &itself]).output().expect("sh");
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stdout));
    assert!(text(&output.stderr).contains("itself"), "{}", text(&output.stderr));
    let ended = Running(Command::new("true").spawn().expect("true"));
    let status = format!("/proc/{}/stat", ended.0.id());
    while !fs::read_to_string(&status).expect("nobody waited for it").contains(") Z ") {
        std::thread::yield_now();
    }
    refused(&[&ended.0.id().to_string()], "has already exited (it is a zombie");
    // Nothing was asked of a terminal, and nothing is chosen without one.
    let folder = tempfile::tempdir().expect("a folder");
    let (_running, pid) = spin(folder.path());
    loop {
        let output = ouro(&["--all"]);
        let said = text(&output.stderr);
        // On a machine with more to do it may not have been busy enough to be listed.
        if said.contains(&pid) {
            assert_eq!(output.status.code(), Some(2), "{said}");
            assert!(said.contains("choose one of these processes"), "{said}");
            break;
        }
    }
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
    assert!(text(&output.stdout).contains("It is blocked in clock_nanosleep(1000 s)."));
}
