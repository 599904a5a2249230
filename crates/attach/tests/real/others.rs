//! Processes that wait, talk, or share: neither proved nor mistaken. And proofs elsewhere: from a core,
//! from a saved snapshot.

use std::process::{Command, Stdio};

use ouro_attach::{Answer, check};

use crate::{Running, compile, judge};

#[test]
fn sleepers_wait() {
    let mut sleep = Command::new("sleep");
    sleep.arg("1000");
    let analysis = judge(&Running::start(sleep).snapshot().expect("it runs"), 10);
    let Answer::Waits { call } = &analysis.answer else { panic!("{:?}", analysis.answer) };
    assert_eq!(call, "clock_nanosleep");
    // A pipe that nobody writes.
    let child = Command::new("cat").stdin(Stdio::piped()).stdout(Stdio::null()).spawn();
    let cat = Running(child.expect("cat"));
    std::thread::sleep(std::time::Duration::from_millis(200));
    let analysis = judge(&cat.snapshot().expect("it runs"), 10);
    let Answer::Waits { call } = &analysis.answer else { panic!("{:?}", analysis.answer) };
    assert!(call.starts_with("read(file 0 = pipe:"), "{call}");
}

#[test]
fn yes_talks() {
    let analysis = judge(&Running::start(Command::new("yes")).snapshot().expect("it runs"), 10);
    let Answer::TalksToTheOutside { call, .. } = &analysis.answer else {
        panic!("{}", ouro_attach::text(&analysis));
    };
    assert!(call.starts_with("write(file 1 = /dev/null"), "{call}");
}

#[test]
fn a_saved_snapshot_and_a_core_give_the_same_verdict() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = compile(folder.path(), "cases", &["-O0"]);
    let mut command = Command::new(&program);
    command.arg("2");
    let running = Running::start(command);
    let live = running.snapshot().expect("it runs");
    let path = folder.path().join("saved");
    ouro_process::save(&live, &mut std::fs::File::create(&path).expect("a file")).expect("written");
    let saved = ouro_process::load(&path).expect("read");
    let analysis = judge(&saved, 60);
    let Answer::LoopsForever(proof) = &analysis.answer else { panic!("{:?}", analysis.answer) };
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(60);
    check(&live, &proof.certificate, deadline).expect("the same state");
    let stem = folder.path().join("core");
    let made = Command::new("gcore")
        .arg("-o")
        .arg(&stem)
        .arg(running.pid().to_string())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    let made = made.expect("gcore is missing: ./scripts/setup.sh installs gdb");
    assert!(made.success());
    let core = format!("{}.{}", stem.display(), running.pid());
    let core = ouro_process::from_core(core.as_ref(), None).expect("a core");
    let analysis = judge(&core, 60);
    assert!(matches!(analysis.answer, Answer::LoopsForever(_)), "{}", ouro_attach::text(&analysis));
}
