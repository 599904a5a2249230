//! What the documentation says of the tree, where the tree can be asked.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The text of all Rust files in a folder.
fn rust_text(folder: &Path) -> String {
    let mut text = String::new();
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            text += &rust_text(&path);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            text += &fs::read_to_string(&path).expect("a file");
        }
    }
    text
}

fn repository_root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn types_of_the_glossary_are_where_it_says() {
    let root = repository_root();
    let map = fs::read_to_string(root.join("ARCHITECTURE.md")).expect("the map");
    let glossary = map.split("## Glossary").nth(1).expect("a glossary");
    let glossary = glossary.split("\n## ").next().expect("a section");
    let mut count = 0;
    for row in glossary.lines().filter(|line| line.starts_with("| ") && line.contains('`')) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [_, _, types, room] = cells[..] else { panic!("four columns: {row}") };
        let text = rust_text(&root.join("crates").join(room.trim_matches('`')).join("src"));
        for name in types.split(", ").map(|name| name.trim_matches('`')) {
            let is_defined = ["struct", "enum", "trait"].iter().any(|kind| {
                let defined = format!("{kind} {name}");
                text.match_indices(&defined).any(|(at, _)| {
                    let next = text[at + defined.len()..].chars().next();
                    !next.is_some_and(|letter| letter.is_alphanumeric() || letter == '_')
                })
            });
            assert!(is_defined, "{name} is not in {room}");
            count += 1;
        }
    }
    assert!(count >= 10, "the glossary has {count} types");
}

#[test]
fn trusted_lines_are_counted() {
    let output = Command::new("./scripts/trusted-lines.sh")
        .arg("--check")
        .current_dir(repository_root())
        .output();
    let output = output.expect("running the script");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
