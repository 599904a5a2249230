//! Endless loops that were in well-known programs once: each is found, and none is seen where it was mended.

use std::fs;
use std::path::{Path, PathBuf};

use super::Folder;

fn folder_of_examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/history")
}

#[test]
fn each_is_found_and_gone_once_mended() {
    let mut count = 0;
    for entry in fs::read_dir(folder_of_examples()).expect("the examples") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().and_then(|name| name.to_str()).expect("a name").to_owned();
        if path.extension().is_none_or(|ending| ending != "c") || name.ends_with("_fixed") {
            continue;
        }
        count += 1;
        let mended = path.with_file_name(format!("{name}_fixed.c"));
        let texts = [path, mended].map(|path| fs::read_to_string(&path).expect("an example"));
        let folder = Folder::with(&[("bad.c", &texts[0]), ("mended.c", &texts[1])]);
        let bad = folder.ouro(&["check", "bad.c", "--timeout", "120s", "--certificate", "c.json"]);
        assert_eq!(bad.code, Some(1), "{name}: {}{}", bad.stdout, bad.stderr);
        let again = folder.ouro(&["verify", "c.json", "--timeout", "120s"]);
        assert!(again.stdout.starts_with("accepted: loops forever\n"), "{name}: {}", again.stderr);
        // Some of them need arguments about what is in an array, which is too much to ask in a test.
        let mended = folder.ouro(&["check", "mended.c", "--timeout", "4s"]);
        assert!(matches!(mended.code, Some(0 | 3)), "{name}: {}{}", mended.stdout, mended.stderr);
    }
    assert_eq!(count, 5);
}
