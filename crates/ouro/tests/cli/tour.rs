//! Every transcript that the documents show, run again.
//!
//! A block that is marked `console` has commands behind `$ `, each followed by what it prints. Times differ from run
//! to run and are not compared; a line with nothing but `…` stands for any lines.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::Folder;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A command and what it prints.
struct Step {
    line: usize,
    command: String,
    printed: Vec<String>,
}

fn blocks(text: &str) -> Vec<Vec<Step>> {
    let mut all: Vec<Vec<Step>> = Vec::new();
    let mut open = false;
    for (index, line) in text.lines().enumerate() {
        match (open, line) {
            (false, "```console") => {
                open = true;
                all.push(Vec::new());
            }
            (true, "```") => open = false,
            (true, _) => {
                let block = all.last_mut().expect("a block is open");
                match (line.strip_prefix("$ "), block.last_mut()) {
                    (Some(command), _) => block.push(Step {
                        line: index + 1,
                        command: command.to_owned(),
                        printed: Vec::new(),
                    }),
                    (None, Some(step)) => step.printed.push(line.to_owned()),
                    (None, None) => panic!("line {}: no command yet: {line}", index + 1),
                }
            }
            (false, _) => {}
        }
    }
    all
}

/// A line without its times: every number before ` s`.
fn masked(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(at) = rest.find(" s") {
        let ends = rest[at + 2..].chars().next().is_none_or(|c| !c.is_alphanumeric());
        let number = rest[..at].trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        if ends && number.len() < at {
            out += number;
            out += "_";
        } else {
            out += &rest[..at];
        }
        out += " s";
        rest = &rest[at + 2..];
    }
    out + rest
}

/// A line without how many paths were run: two that meet count once or twice, as slices of time have it.
fn uncounted(line: &str) -> String {
    match line.contains("paths were run to the end") {
        true => line.replace(|digit: char| digit.is_ascii_digit(), ""),
        false => line.to_owned(),
    }
}

/// Whether lines are as they were said to be.
fn agree(said: &[String], got: &[String]) -> bool {
    match said.split_first() {
        None => got.is_empty(),
        Some((first, rest)) if first.trim() == "…" => {
            (0..=got.len()).any(|skipped| agree(rest, &got[skipped..]))
        }
        Some((first, rest)) => {
            let is_same = |line: &String| masked(&uncounted(line)) == masked(&uncounted(first));
            got.first().is_some_and(is_same) && agree(rest, &got[1..])
        }
    }
}

/// Runs the blocks of a document, in a folder that has what it speaks of.
fn run_again(document: &str) -> usize {
    let text = fs::read_to_string(root().join(document)).expect(document);
    let steps: Vec<Step> = blocks(&text).into_iter().flatten().collect();
    if steps.is_empty() {
        return 0;
    }
    let folder = Folder::with(&[]);
    for name in ["examples", "corpus", "specs"] {
        let copied =
            Command::new("cp").arg("-r").arg(root().join(name)).arg(folder.path(name)).status();
        assert!(copied.is_ok_and(|status| status.success()), "{name} cannot be copied");
    }
    let program = Path::new(env!("CARGO_BIN_EXE_ouro")).parent().expect("a folder");
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
    let mut count = 0;
    for step in steps {
        let mut said = step.printed.clone();
        // An empty line before the next command is for the eye.
        while said.last().is_some_and(String::is_empty) {
            said.pop();
        }
        // On a machine that is very busy another engine may be the first to find the answer.
        let mut got = Vec::new();
        for _ in 0..3 {
            got = printed(&step.command, &folder, &path);
            if agree(&said, &got) {
                break;
            }
        }
        assert!(
            agree(&said, &got),
            "{document}:{}: {}\nprints\n{}\n",
            step.line,
            step.command,
            got.join("\n")
        );
        count += 1;
    }
    count
}

/// What a command prints, on both channels.
fn printed(command: &str, folder: &Folder, path: &str) -> Vec<String> {
    let output = Command::new("sh")
        .arg("-c")
        .arg(format!("{{ {command}\n}} 2>&1"))
        .current_dir(folder.path("."))
        .env("PATH", path)
        .output()
        .expect("a shell");
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}

#[test]
fn the_tour_is_true() {
    assert!(run_again("docs/tour.md") >= 12);
}

#[test]
fn the_readme_is_true() {
    assert!(run_again("README.md") >= 2);
}

#[test]
fn the_other_documents_are_true() {
    let folder = fs::read_dir(root().join("docs")).expect("docs");
    let names = folder.map(|entry| entry.expect("an entry").file_name());
    for name in names.filter_map(|name| name.into_string().ok()) {
        if name.ends_with(".md") && name != "tour.md" {
            run_again(&format!("docs/{name}"));
        }
    }
}

#[test]
fn a_wrong_transcript_is_seen() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<String>>();
    assert!(agree(&lines("a\n…\nd"), &lines("a\nb\nc\nd")));
    assert!(agree(&lines("(found, 0.27 s)"), &lines("(found, 12.03 s)")));
    assert!(!agree(&lines("a"), &lines("b")));
    assert!(!agree(&lines("a"), &lines("a\nb")));
    assert!(!agree(&lines("9 steps"), &lines("8 steps")));
    assert_eq!(blocks("```console\n$ x\ny\n\n$ z\n```\n$ no\n")[0].len(), 2);
}

/// The pages that people read.
fn pages() -> Vec<PathBuf> {
    let mut all = vec![root().join("README.md"), root().join("ARCHITECTURE.md")];
    for folder in ["docs", "examples", "examples/history"] {
        let entries = fs::read_dir(root().join(folder)).expect(folder);
        all.extend(entries.map(|entry| entry.expect("an entry").path()));
    }
    all.retain(|path| path.extension().is_some_and(|ending| ending == "md"));
    all
}

#[test]
fn every_link_leads_to_a_file() {
    let mut count = 0;
    for page in pages() {
        let text = fs::read_to_string(&page).expect("a page");
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if link.starts_with("http") || link.starts_with('#') {
                continue;
            }
            let file = link.split('#').next().unwrap_or(link);
            let target = page.parent().expect("a folder").join(file);
            assert!(target.exists(), "{}: {link}", page.display());
            count += 1;
        }
    }
    assert!(count > 30);
}

#[test]
fn the_book_has_every_page() {
    let summary = fs::read_to_string(root().join("docs/SUMMARY.md")).expect("the summary");
    for entry in fs::read_dir(root().join("docs")).expect("docs") {
        let name = entry.expect("an entry").file_name().into_string().expect("a name");
        if name.ends_with(".md") && name != "SUMMARY.md" {
            assert!(summary.contains(&format!("({name})")), "{name} is not in the summary");
        }
    }
}
