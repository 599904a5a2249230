//! Each bad input has its own error, and the target is untouched.

use std::fs;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;

use ouro_process::{
    SnapshotError, SnapshotOptions, ThreadState, from_core, load_snapshot, state_of, take_snapshot,
};

use crate::{Running, SPIN, compile, runs_on, start};

#[test]
fn processes_that_cannot_be_looked_at() {
    let options = SnapshotOptions::default();
    assert_eq!(
        take_snapshot(i32::MAX, options).unwrap_err(),
        SnapshotError::NoSuchProcess(i32::MAX)
    );
    let own = i32::try_from(std::process::id()).expect("small");
    assert_eq!(take_snapshot(own, options).unwrap_err(), SnapshotError::Itself(own));
    let child = Command::new("true").spawn().expect("true");
    let ended = Running(child);
    while state_of(ended.pid()) != Some(ThreadState::Dead) {
        std::thread::yield_now();
    }
    assert_eq!(
        take_snapshot(ended.pid(), options).unwrap_err(),
        SnapshotError::Zombie(ended.pid())
    );
}

/// 32-bit code, told by its file or, where that is gone, by what it executes.
#[test]
fn a_32_bit_process() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("narrow.c");
    fs::write(&source, "int main(void) { for (volatile int i = 0;; i++) { } }").expect("written");
    let program = folder.path().join("narrow");
    let gcc = Command::new("gcc").args(["-m32", "-o"]).args([&program, &source]).status();
    let gcc = gcc.expect("gcc");
    assert!(gcc.success(), "32-bit libraries are missing: ./scripts/setup.sh installs them");
    let narrow = Running(Command::new(&program).spawn().expect("starts"));
    let error = take_snapshot(narrow.pid(), SnapshotOptions::default()).unwrap_err();
    assert!(matches!(error, SnapshotError::Foreign { .. }), "{error}");
    assert!(error.to_string().contains("32-bit x86 code"), "{error}");
    runs_on(&narrow);
}

/// One that ends at some moment while it is looked at: a snapshot or a clear word, never anything else.
#[test]
fn a_process_that_ends_meanwhile() {
    for round in 0..30 {
        let mut child = Command::new("sh");
        child.args(["-c", "i=0; while [ $i -lt 300 ]; do i=$((i+1)); done"]);
        let short = Running(child.spawn().expect("starts"));
        std::thread::sleep(std::time::Duration::from_micros(round * 150));
        while let Ok(_seen) = take_snapshot(short.pid(), SnapshotOptions::default()) {}
        let error = take_snapshot(short.pid(), SnapshotOptions::default()).unwrap_err();
        // The looker is its parent here, so it may have waited for it as well.
        let ended = [SnapshotError::Gone, SnapshotError::Zombie, SnapshotError::NoSuchProcess]
            .map(|kind| kind(short.pid()));
        assert!(ended.contains(&error), "{error}");
    }
}

#[test]
fn another_users_process() {
    // Only root can try: the looker becomes nobody, and runs this test program again.
    if let Ok(pid) = std::env::var("OURO_TEST_LOOK_AT") {
        let error =
            take_snapshot(pid.parse().expect("a number"), SnapshotOptions::default()).unwrap_err();
        assert!(matches!(error, SnapshotError::NoPermission { .. }), "{error}");
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
    let look = || {
        Command::new(&copy)
            .args(["--exact", "bad_input::another_users_process"])
            .env("OURO_TEST_LOOK_AT", spin.pid().to_string())
            .current_dir("/")
            .uid(65534)
            .gid(65534)
            .output()
    };
    // A child that another test starts just now may hold the copy open for writing.
    let mut status = look();
    while status.as_ref().is_err_and(|e| e.kind() == std::io::ErrorKind::ExecutableFileBusy) {
        std::thread::sleep(std::time::Duration::from_millis(10));
        status = look();
    }
    let _ = fs::remove_file(&copy);
    let output = status.expect("runs");
    assert!(output.status.success(), "{output:?}");
    runs_on(&spin);
}

#[test]
fn files_that_are_no_cores() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("core");
    let not = |bytes: &[u8]| {
        fs::write(&path, bytes).expect("written");
        from_core(&path, None).unwrap_err()
    };
    assert!(matches!(not(b"hello"), SnapshotError::NotA { .. }));
    assert!(matches!(not(b"\x7fELF\x02\x01\x01"), SnapshotError::Truncated { .. }));
    let program = fs::read("/proc/self/exe").expect("this program");
    assert!(matches!(not(&program), SnapshotError::NotA { .. }));
    let mut foreign = program[..64].to_vec();
    foreign[18] = 183;
    assert!(matches!(not(&foreign), SnapshotError::Foreign { .. }));
    assert!(matches!(from_core(Path::new("/nowhere"), None), Err(SnapshotError::Io { .. })));
    assert!(matches!(load_snapshot(&path), Err(SnapshotError::NotA { .. })));
}
