//! The audit of the C library: of each public function a line in its source says whether a call can
//! fail, be short, be interrupted, store or call back. `docs/limits.md` has the table, made from these
//! lines: `OURO_BLESS=1` writes it anew.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

const QUESTIONS: [&str; 5] = ["fails", "short", "interrupted", "stores", "calls back"];
const BEGIN: &str = "<!-- audit: made by crates/c/tests/audit.rs -->\n";
const END: &str = "<!-- audit: end -->";

fn library() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("library")
}

/// The files of the library, by name.
fn sources() -> BTreeMap<String, PathBuf> {
    std::fs::read_dir(library())
        .expect("the library is here")
        .map(|entry| entry.expect("the library can be listed").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .map(|path| (path.file_name().unwrap_or_default().to_string_lossy().into_owned(), path))
        .collect()
}

/// The names and the answers of each audit line of a file.
fn audited(path: &Path) -> Vec<(Vec<String>, Vec<String>)> {
    let text = std::fs::read_to_string(path).expect("the library can be read");
    let lines = text.lines().filter_map(|line| line.strip_prefix("// audit: "));
    lines
        .map(|line| {
            let (names, answers) = line.split_once(": ").expect("names, a colon, answers");
            let answers: Vec<&str> = answers.split("; ").collect();
            assert_eq!(answers.len(), QUESTIONS.len(), "{line}");
            let answers = QUESTIONS.iter().zip(answers).map(|(question, answer)| {
                let answer = answer.strip_prefix(question).and_then(|rest| rest.strip_prefix(' '));
                let answer = answer.unwrap_or_else(|| panic!("'{question}' is missing: {line}"));
                let fine = *question == "stores" || ["yes", "no"].contains(&answer);
                assert!(fine, "'{question}' is yes or no: {line}");
                answer.to_owned()
            });
            (names.split(", ").map(str::to_owned).collect(), answers.collect())
        })
        .collect()
}

/// The functions that a file of the library defines for programs.
fn public(path: &Path) -> BTreeSet<String> {
    let output = Command::new("clang-19")
        .args(["-O0", "-ffreestanding", "-fno-builtin", "-fno-math-errno", "-w"])
        .args(["-S", "-emit-llvm", "-o", "-"])
        .arg(path)
        .output()
        .expect("clang-19 runs");
    let text = String::from_utf8(output.stdout).expect("LLVM's text is UTF-8");
    text.lines()
        .filter(|line| line.starts_with("define ") && !line.contains(" internal "))
        .filter_map(|line| line.split_once('@')?.1.split_once('(').map(|(name, _)| name.to_owned()))
        .filter(|name| !name.starts_with("ouro_"))
        .collect()
}

#[test]
fn every_public_function_is_audited_once() {
    for (name, path) in sources() {
        let mut named: Vec<String> =
            audited(&path).into_iter().flat_map(|(names, _)| names).collect();
        named.sort();
        let expected: Vec<String> = public(&path).into_iter().collect();
        let missing: Vec<&String> = expected.iter().filter(|name| !named.contains(name)).collect();
        assert!(missing.is_empty(), "{name}: no audit line for {missing:?}");
        assert_eq!(named, expected, "{name}: audit lines for other functions, or two for one");
    }
}

#[test]
fn table_of_the_audit_is_in_step() {
    let mut table =
        String::from("| functions | can fail | short | interrupted | stores | calls back |\n");
    table += "| --- | --- | --- | --- | --- | --- |\n";
    for (_, path) in sources() {
        let mut rows: BTreeMap<Vec<String>, BTreeSet<String>> = BTreeMap::new();
        for (names, answers) in audited(&path) {
            rows.entry(answers).or_default().extend(names);
        }
        for (answers, names) in rows {
            let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
            table += &format!("| {} | {} |\n", names.join(", "), answers.join(" | "));
        }
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/limits.md");
    let text = std::fs::read_to_string(&path).expect("docs/limits.md is here");
    let (before, rest) = text.split_once(BEGIN).expect("the table begins somewhere");
    let (found, after) = rest.split_once(END).expect("the table ends somewhere");
    if found == table {
        return;
    }
    assert!(
        std::env::var_os("OURO_BLESS").is_some(),
        "docs/limits.md has another table than the library's audit lines; OURO_BLESS=1 writes it"
    );
    std::fs::write(&path, format!("{before}{BEGIN}{table}{END}{after}"))
        .expect("it can be written");
}
