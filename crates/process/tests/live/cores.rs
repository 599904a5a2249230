//! Core files: as gdb writes them, as the kernel does, and byte by byte.

use std::fs;
use std::io::BufRead as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use ouro_process::{SnapshotError, SnapshotOptions, from_core, take_snapshot};

use crate::{Running, SPIN, compile, start};

#[test]
fn a_core_shows_what_the_process_showed() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = compile(folder.path(), "spin", SPIN);
    let (spin, line) = start(&program);
    let live = take_snapshot(spin.pid(), SnapshotOptions::default()).expect("a snapshot");
    let stem = folder.path().join("core");
    let made = Command::new("gcore")
        .arg("-o")
        .arg(&stem)
        .arg(spin.pid().to_string())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    let made = made.expect("gcore is missing: ./scripts/setup.sh installs gdb");
    assert!(made.success());
    let path = PathBuf::from(format!("{}.{}", stem.display(), spin.pid()));
    let core = from_core(&path, None).expect("a core");
    let (_, here) = core.running_threads().next().expect("a thread");
    let (_, there) = live.running_threads().next().expect("a thread");
    assert_eq!(here.general.gpr[12], 0xabcdef);
    assert_eq!(here.general.fs_base, there.general.fs_base);
    let here = here.vector.as_ref().expect("vectors");
    let there = there.vector.as_ref().expect("vectors");
    for (i, (here, there)) in here.zmm.chunks(64).zip(there.zmm.chunks(64)).take(16).enumerate() {
        assert_eq!(here[..32], there[..32], "ymm{i}");
    }
    // gdb before version 14 does not know where CPUs of other makers than Intel have the rest.
    assert!(here.lacks_avx512 || (&here.zmm, here.k) == (&there.zmm, there.k));
    let marker = u64::from_str_radix(&line, 16).expect("an address");
    assert_eq!(core.memory.word(marker), Ok(0x1122_3344_5566_7788));
    // Text is not in the core, and yet the same.
    for mapping in live.mappings.iter().filter(|m| m.execute && m.file().is_some()) {
        let mut both = [vec![0; 4096], vec![0; 4096]];
        live.memory.read(mapping.start, &mut both[0]).expect("text");
        core.memory.read(mapping.start, &mut both[1]).expect("text");
        assert!(both[0] == both[1], "{mapping:?}");
    }
    // Cut off, without its program, with another program.
    let bytes = fs::read(&path).expect("the core");
    let cut = folder.path().join("cut");
    fs::write(&cut, &bytes[..bytes.len() * 9 / 10]).expect("written");
    assert!(matches!(from_core(&cut, None), Err(SnapshotError::Truncated { .. })));
    fs::rename(&program, folder.path().join("moved")).expect("moved");
    assert!(matches!(from_core(&path, None), Err(SnapshotError::MissingBinary { .. })));
    assert!(from_core(&path, Some(&folder.path().join("moved"))).is_ok());
    compile(folder.path(), "spin", &SPIN.replace("0xabcdef", "0x123"));
    let other = from_core(&path, None);
    assert!(matches!(other, Err(SnapshotError::OtherBinary { .. })), "{:?}", other.map(|_| ()));
}

/// Keeps a number in each half of a register, and has a core written when it is told to quit.
const HALVES: &str = r#"
#include <stdio.h>
#include <sys/resource.h>
int main(void) {
    struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY};
    if (setrlimit(RLIMIT_CORE, &all) != 0) { getrlimit(RLIMIT_CORE, &all); all.rlim_cur = all.rlim_max; setrlimit(RLIMIT_CORE, &all); }
    printf("ready\n"); fflush(stdout);
    static const unsigned long halves[4] = {1, 2, 0x1122334455667788, 0x99aabbccddeeff00};
    __asm__ volatile("vmovdqu %0, %%ymm7\n1: jmp 1b" : : "m"(halves));
}
"#;

/// The kernel says where the parts of its register areas lie. Where cores go elsewhere than into the current folder,
/// the test of a core that is made byte by byte has to do.
#[test]
fn a_core_that_the_kernel_wrote() {
    let pattern = fs::read_to_string("/proc/sys/kernel/core_pattern").unwrap_or_default();
    if pattern.starts_with('|') || pattern.contains('/') || !is_x86_feature_detected!("avx") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let program = compile(folder.path(), "halves", HALVES);
    let mut command = Command::new(&program);
    let child = command.current_dir(folder.path()).stdout(Stdio::piped()).spawn();
    let mut halves = Running(child.expect("starts"));
    let mut line = String::new();
    let output = halves.0.stdout.as_mut().expect("piped");
    std::io::BufReader::new(output).read_line(&mut line).expect("a line");
    crate::runs_on(&halves);
    std::thread::sleep(std::time::Duration::from_millis(100));
    let live = take_snapshot(halves.pid(), SnapshotOptions::default()).expect("a snapshot");
    // SAFETY: a signal to a child of ours.
    assert_eq!(unsafe { nix::libc::kill(halves.pid(), nix::libc::SIGABRT) }, 0);
    halves.0.wait().expect("an end");
    let files = fs::read_dir(folder.path()).expect("a folder").flatten();
    let core = files.map(|file| file.path()).find(|path| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("core"))
    });
    let Some(core) = core else {
        eprintln!("no core was written: a limit forbids it");
        return;
    };
    let core = from_core(&core, None).expect("a core");
    let of = |snapshot: &ouro_process::ProcessSnapshot| {
        let (_, registers) = snapshot.running_threads().next().expect("a thread");
        assert_eq!(
            registers.general.rip,
            live.running_threads().next().expect("a thread").1.general.rip
        );
        registers.vector.clone().expect("vectors").zmm
    };
    let expected: Vec<u8> = [1u64, 2, 0x1122_3344_5566_7788, 0x99aa_bbcc_ddee_ff00]
        .into_iter()
        .flat_map(u64::to_le_bytes)
        .collect();
    assert_eq!(of(&core)[64 * 7..64 * 7 + 32], expected);
    assert_eq!(of(&core), of(&live));
}

/// A core of one thread with this register area, and this note about it.
fn made(area: &[u8], layout: Option<&[u32]>) -> Vec<u8> {
    let mut notes = Vec::new();
    let mut note = |kind: u32, body: &[u8]| {
        let length = u32::try_from(body.len()).expect("short");
        for number in [6, length, kind] {
            notes.extend(u32::to_le_bytes(number));
        }
        notes.extend(b"LINUX\0\0\0");
        notes.extend(body);
        notes.resize(notes.len().next_multiple_of(4), 0);
    };
    let mut status = vec![0; 112 + 27 * 8 + 8];
    status[32] = 77;
    status[112 + 8 * 16 + 1] = 0x10;
    note(1, &status);
    note(0x202, area);
    if let Some(layout) = layout {
        let body: Vec<u8> = layout.iter().flat_map(|number| number.to_le_bytes()).collect();
        note(0x205, &body);
    }
    let header: u64 = 64 + 2 * 56;
    let mut core = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0".to_vec();
    core.extend([4, 0, 62, 0, 1, 0, 0, 0]);
    for word in [0u64, 64, 0] {
        core.extend(word.to_le_bytes());
    }
    core.extend([0, 0, 0, 0, 64, 0, 56, 0, 2, 0, 0, 0, 0, 0, 0, 0]);
    let memory = vec![0x90; 4096];
    let mut segment = |kind: u32, flags: u32, offset: u64, start: u64, length: u64| {
        core.extend(kind.to_le_bytes());
        core.extend(flags.to_le_bytes());
        for word in [offset, start, 0, length, length, 1] {
            core.extend(word.to_le_bytes());
        }
    };
    segment(4, 0, header, 0, notes.len() as u64);
    segment(1, 5, header + notes.len() as u64, 0x1000, 4096);
    core.extend(notes);
    core.extend(memory);
    core
}

#[test]
fn cores_made_byte_by_byte() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("core");
    let seen = |area: &[u8], layout: Option<&[u32]>| {
        fs::write(&path, made(area, layout)).expect("written");
        let core = from_core(&path, None).expect("a core");
        let (thread, registers) = core.running_threads().next().expect("a thread");
        assert_eq!((thread.id, registers.general.rip), (77, 0x1000));
        registers.vector.clone()
    };
    // Each part is filled with its number; the length is that of another maker's area.
    let mut area = vec![0; 2816];
    area[512] = 0b1110_0110;
    for (part, at, length) in [(2, 576, 256), (5, 832, 64), (6, 896, 512), (7, 1408, 1024)] {
        area[at..at + length].fill(part);
    }
    let noted = [[2, 256, 576, 0], [5, 64, 832, 0], [6, 512, 896, 0], [7, 1024, 1408, 0]].concat();
    let vector = seen(&area, Some(&noted)).expect("vectors");
    assert_eq!(vector.zmm[16..32], [2; 16]);
    assert_eq!(vector.zmm[32..64], [6; 32]);
    assert_eq!(vector.zmm[1024..], [7; 1024]);
    assert_eq!(vector.k, [0x0505_0505_0505_0505; 8]);
    // AVX lies where it always does, also where the note is in another form or there is none.
    area[512] = 0b110;
    let five = [2, 0, 256, 576, 0];
    for layout in [None, Some(&five[..]), Some(&noted[..7]), Some(&[])] {
        let vector = seen(&area, layout).expect("vectors");
        assert_eq!(vector.zmm[16..32], [2; 16], "{layout:?}");
    }
    // A part in use that the note does not have: nothing is known, rather than something wrong.
    area[512] = 0b1110_0110;
    assert_eq!(seen(&area, Some(&noted[..4])), None);
}
