//! Core files, as gdb writes them.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use ouro_process::{Error, Options, attach, from_core};

use crate::{SPIN, compile, start};

#[test]
fn a_core_shows_what_the_process_showed() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = compile(folder.path(), "spin", SPIN);
    let (spin, line) = start(&program);
    let live = attach(spin.pid(), Options::default()).expect("a snapshot");
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
    let (_, here) = core.running().next().expect("a thread");
    let (_, there) = live.running().next().expect("a thread");
    assert_eq!(here.general.gpr[12], 0xabcdef);
    assert_eq!(here.general.fs_base, there.general.fs_base);
    let (here, there) = (here.vector.as_ref(), there.vector.as_ref());
    assert_eq!(here.expect("vectors").zmm, there.expect("vectors").zmm);
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
    assert!(matches!(from_core(&cut, None), Err(Error::Truncated { .. })));
    fs::rename(&program, folder.path().join("moved")).expect("moved");
    assert!(matches!(from_core(&path, None), Err(Error::MissingBinary { .. })));
    assert!(from_core(&path, Some(&folder.path().join("moved"))).is_ok());
    compile(folder.path(), "spin", &SPIN.replace("0xabcdef", "0x123"));
    let other = from_core(&path, None);
    assert!(matches!(other, Err(Error::OtherBinary { .. })), "{:?}", other.map(|_| ()));
}
