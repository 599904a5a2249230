//! Each bad input has its own error, and the target is untouched.

use std::fs;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;

use ouro_process::{Error, Options, State, attach, from_core, load, state_of};

use crate::{Running, SPIN, compile, start};

#[test]
fn processes_that_cannot_be_looked_at() {
    let options = Options::default();
    assert_eq!(attach(i32::MAX, options).unwrap_err(), Error::NoSuchProcess(i32::MAX));
    let own = i32::try_from(std::process::id()).expect("small");
    assert_eq!(attach(own, options).unwrap_err(), Error::Itself(own));
    let child = Command::new("true").spawn().expect("true");
    let ended = Running(child);
    while state_of(ended.pid()) != Some(State::Dead) {
        std::thread::yield_now();
    }
    assert_eq!(attach(ended.pid(), options).unwrap_err(), Error::Zombie(ended.pid()));
}

#[test]
fn another_users_process() {
    // Only root can try: the looker becomes nobody, and runs this test program again.
    if let Ok(pid) = std::env::var("OURO_TEST_LOOK_AT") {
        let error = attach(pid.parse().expect("a number"), Options::default()).unwrap_err();
        assert!(matches!(error, Error::NoPermission { .. }), "{error}");
        assert!(error.to_string().contains("CAP_SYS_PTRACE"), "{error}");
        return;
    }
    let uid = fs::metadata("/proc/self").map(|m| std::os::unix::fs::MetadataExt::uid(&m));
    if uid.ok() != Some(0) {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let (spin, _) = start(&compile(folder.path(), "spin", SPIN));
    let copy = std::path::PathBuf::from(format!("/tmp/ouro-process-test-{}", std::process::id()));
    fs::copy(std::env::current_exe().expect("this program"), &copy).expect("a copy");
    let status = Command::new(&copy)
        .args(["--exact", "bad_input::another_users_process"])
        .env("OURO_TEST_LOOK_AT", spin.pid().to_string())
        .current_dir("/")
        .uid(65534)
        .gid(65534)
        .output();
    let _ = fs::remove_file(&copy);
    let output = status.expect("runs");
    assert!(output.status.success(), "{output:?}");
    assert_eq!(state_of(spin.pid()), Some(State::Runs));
}

#[test]
fn files_that_are_no_cores() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("core");
    let not = |bytes: &[u8]| {
        fs::write(&path, bytes).expect("written");
        from_core(&path, None).unwrap_err()
    };
    assert!(matches!(not(b"hello"), Error::NotA { .. }));
    assert!(matches!(not(b"\x7fELF\x02\x01\x01"), Error::Truncated { .. }));
    let program = fs::read("/proc/self/exe").expect("this program");
    assert!(matches!(not(&program), Error::NotA { .. }));
    let mut foreign = program[..64].to_vec();
    foreign[18] = 183;
    assert!(matches!(not(&foreign), Error::Foreign { .. }));
    assert!(matches!(from_core(Path::new("/nowhere"), None), Err(Error::Io { .. })));
    assert!(matches!(load(&path), Err(Error::NotA { .. })));
}
