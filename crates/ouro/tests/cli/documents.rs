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

/// The names in backticks.
fn quoted_names(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// The rooms: the folders in `crates`.
fn room_names() -> Vec<String> {
    let folders = fs::read_dir(repository_root().join("crates")).expect("the rooms").flatten();
    let mut names: Vec<String> =
        folders.map(|folder| folder.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// The modules at the top of a room, without its tests.
fn top_modules(source: &Path) -> Vec<String> {
    let files = fs::read_dir(source).expect("sources").flatten().map(|entry| entry.path());
    let stems = files.filter_map(|path| Some(path.file_stem()?.to_string_lossy().into_owned()));
    let mut names: Vec<String> = stems
        .filter(|name| !["lib", "main", "tests", "samples", "strategies"].contains(&name.as_str()))
        .collect();
    names.sort();
    names.dedup();
    names
}

#[test]
fn the_table_of_each_room_has_all_of_its_files() {
    for room in room_names() {
        let source = repository_root().join("crates").join(&room).join("src");
        let map = fs::read_to_string(source.join("lib.rs")).expect("the map of a room");
        let rows = map.lines().filter_map(|line| line.strip_prefix("//! | `"));
        let rows: Vec<String> = rows.map(|row| format!("`{row}")).collect();
        let first_cells = rows.iter().filter_map(|row| row.split('|').next());
        let named: Vec<&str> = first_cells.flat_map(quoted_names).collect();
        let modules = top_modules(&source);
        for module in &modules {
            assert!(named.contains(&module.as_str()), "the table in {room}/lib.rs lacks {module}");
        }
        for name in named.iter().filter(|name| !name.starts_with('.')) {
            let is_module = modules.iter().any(|module| module == name);
            assert!(is_module, "{room}/lib.rs has {name} in its table, and there is no such file");
        }
    }
}

/// The rooms in one section of a manifest.
fn dependencies(manifest: &str, section: &str) -> Vec<String> {
    let lines = manifest.lines().skip_while(|line| *line != section).skip(1);
    let lines = lines.take_while(|line| !line.starts_with('['));
    let mut names: Vec<String> = lines
        .filter_map(|line| line.strip_prefix("ouro-")?.split(['.', ' ', '=']).next())
        .map(str::to_owned)
        .collect();
    names.sort();
    names
}

#[test]
fn the_arrows_of_the_map_are_those_of_cargo() {
    let root = repository_root();
    let map = fs::read_to_string(root.join("ARCHITECTURE.md")).expect("the map");
    let rooms = map.split("\n## Rooms").nth(1).and_then(|rest| rest.split("\n## ").next());
    let rows = rooms.expect("the rooms").lines().filter(|line| line.starts_with("| `"));
    let mut seen = Vec::new();
    for row in rows {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [room, _, may_use] = cells[..] else { panic!("three columns: {row}") };
        let room = room.trim_matches('`');
        seen.push(room.to_owned());
        if may_use == "all" {
            continue;
        }
        let manifest = root.join("crates").join(room).join("Cargo.toml");
        let manifest = fs::read_to_string(manifest).expect("a manifest");
        let (code, tests) = may_use.split_once("(its tests:").unwrap_or((may_use, ""));
        for (text, section) in [(code, "[dependencies]"), (tests, "[dev-dependencies]")] {
            let mut said: Vec<&str> = quoted_names(text);
            said.sort_unstable();
            assert_eq!(said, dependencies(&manifest, section), "{section} of {room}");
        }
    }
    seen.sort();
    assert_eq!(seen, room_names(), "every room is on the map");
}

/// All Rust files in a folder.
fn rust_files(folder: &Path, all: &mut Vec<PathBuf>) {
    for path in fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            rust_files(&path, all);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            all.push(path);
        }
    }
}

#[test]
fn every_file_opens_with_a_sentence() {
    let mut all = Vec::new();
    rust_files(&repository_root().join("crates"), &mut all);
    for path in all {
        let text = fs::read_to_string(&path).expect("a file");
        let first = text.lines().next().unwrap_or_default();
        assert!(first.starts_with("//! "), "{} opens with {first:?}", path.display());
    }
}

#[test]
fn the_walk_passes_functions_that_are_there_and_none_twice() {
    let root = repository_root();
    let walk = fs::read_to_string(root.join("docs/walk.md")).expect("the walk");
    for section in walk.split("\n## ").skip(1) {
        let mut passed: Vec<(&str, &str)> = Vec::new();
        for row in section.lines().filter(|line| line.starts_with("| `")) {
            let [file, function, ..] = quoted_names(row)[..] else { panic!("two names: {row}") };
            let text = fs::read_to_string(root.join(file)).expect(file);
            let is_defined =
                ["(", "<"].iter().any(|end| text.contains(&format!("fn {function}{end}")));
            assert!(is_defined, "{file} has no function {function}");
            assert!(!passed.contains(&(file, function)), "{function} is passed twice");
            passed.push((file, function));
        }
        assert!(passed.len() >= 10, "{} functions in {section}", passed.len());
    }
}

#[test]
fn every_limit_is_documented() {
    let mut count = 0;
    for room in room_names() {
        let path = repository_root().join("crates").join(&room).join("src/limits.rs");
        let Ok(text) = fs::read_to_string(&path) else { continue };
        let lines: Vec<&str> = text.lines().collect();
        for pair in lines.windows(2).filter(|pair| pair[1].starts_with("    pub")) {
            if pair[1].trim_end().ends_with(',') {
                let documented = pair[0].trim_start().starts_with("/// ");
                assert!(documented, "a limit of {room} without a sentence: {}", pair[1].trim());
                count += 1;
            }
        }
    }
    assert!(count >= 50, "{count} limits");
}
