//! What a snapshot shows is true.

use std::process::Command;

use ouro_process::{
    SnapshotOptions, ThreadActivity, ThreadState, load_snapshot, save_snapshot, state_of,
    take_snapshot,
};

use crate::{Running, SPIN, compile, runs_on, start};

#[test]
fn registers_mappings_and_memory_of_a_running_process() {
    let folder = tempfile::tempdir().expect("a folder");
    let (spin, line) = start(&compile(folder.path(), "spin", SPIN));
    let snapshot = take_snapshot(spin.pid(), SnapshotOptions::default()).expect("a snapshot");
    let (_, registers) = snapshot.running_threads().next().expect("it runs");
    assert_eq!(registers.general.gpr[12], 0xabcdef);
    let code = snapshot.mapping_at(registers.general.rip).expect("code is mapped");
    assert!(code.execute && code.name.ends_with("/spin"), "{code:?}");
    let marker = u64::from_str_radix(&line, 16).expect("an address");
    assert_eq!(snapshot.memory.word(marker), Ok(0x1122_3344_5566_7788));
    let vector = registers.vector.as_ref().expect("vector registers");
    let half = 1.5f64.to_le_bytes();
    assert!(vector.zmm.chunks(64).any(|register| register[..8] == half), "1.5 is in a register");
    assert_eq!(vector.fx[24..26], 0x1f80u16.to_le_bytes(), "MXCSR");
    assert!(snapshot.circumstances.known);
    assert!(snapshot.stopped.as_millis() < 5_000);
    runs_on(&spin);
}

#[test]
fn a_sleeper_is_left_asleep() {
    let child = Command::new("sleep").arg("1000").spawn().expect("sleep");
    let sleeper = Running(child);
    while state_of(sleeper.pid()) != Some(ThreadState::Sleeps)
        || take_snapshot(sleeper.pid(), SnapshotOptions::default())
            .is_ok_and(|s| matches!(s.threads[0].activity, ThreadActivity::Running(_)))
    {
        std::thread::yield_now();
    }
    let snapshot = take_snapshot(sleeper.pid(), SnapshotOptions::default()).expect("a snapshot");
    let ThreadActivity::Blocked(blocked) = &snapshot.threads[0].activity else {
        panic!("it sleeps")
    };
    assert_eq!(blocked.call, 230, "clock_nanosleep");
    assert_eq!(snapshot.stopped.as_nanos(), 0);
}

#[test]
fn a_saved_snapshot_is_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let (spin, _) = start(&compile(folder.path(), "spin", SPIN));
    let snapshot = take_snapshot(spin.pid(), SnapshotOptions::default()).expect("a snapshot");
    let mut bytes = Vec::new();
    save_snapshot(&snapshot, &mut bytes).expect("written");
    let path = folder.path().join("saved");
    std::fs::write(&path, &bytes).expect("written");
    assert_eq!(load_snapshot(&path).expect("read"), snapshot);
    for cut in [0, 10, 20, 100, bytes.len() / 2, bytes.len() - 1] {
        std::fs::write(&path, &bytes[..cut]).expect("written");
        assert!(load_snapshot(&path).is_err(), "cut at {cut}");
    }
}
