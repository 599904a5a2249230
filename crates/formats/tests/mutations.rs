//! Files that are almost right: each gives a system that keeps the model's rules, or a refusal
//! with a place inside the file. Nothing panics.

use std::fs;
use std::path::{Path, PathBuf};

mod random;

use ouro_model::transition::check;
use random::Random;

/// Pieces that mean something in one of the formats.
const PIECES: [&str; 40] = [
    "(",
    ")",
    "((",
    "))",
    "[",
    "]",
    "{",
    "}",
    ",",
    ";",
    ":",
    ":=",
    ":|:",
    "->",
    "&&",
    "||",
    "!",
    "=",
    "<=",
    "-",
    "*",
    "^",
    "**",
    "/",
    "%",
    "|",
    "\"",
    "#",
    "0",
    "99999999999999999999",
    "-1",
    "x",
    "TO",
    "nondet()",
    "Com_2",
    "exists",
    "(and",
    "(let ((a x))",
    "Loc",
    "é\n",
];

const PRINTABLE: &[u8] = b"()[]{}<>=!&|+-*/%^:;,.#_'$ \\\n0123456789abcxyzFT";

fn mutated(random: &mut Random, text: &str) -> String {
    let words: Vec<&str> = text.split(|c: char| !c.is_ascii_alphanumeric()).collect();
    let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    let mut changed = text.to_owned();
    for _ in 0..1 + random.below(2) {
        if random.below(2) == 0 {
            // One word in the place of another.
            let (old, new) = (words[random.below(words.len())], words[random.below(words.len())]);
            let places: Vec<usize> = changed.match_indices(old).map(|(at, _)| at).collect();
            if !places.is_empty() {
                let at = places[random.below(places.len())];
                changed.replace_range(at..at + old.len(), new);
            }
            continue;
        }
        let mut characters: Vec<char> = changed.chars().collect();
        let length = characters.len().max(1);
        let from = random.below(length).min(characters.len());
        let to = (from + random.below(6)).min(characters.len());
        match random.below(20) {
            0 => characters.truncate(from),
            1..=4 => drop(characters.drain(from..to)),
            5..=8 => {
                let copied: Vec<char> = characters[from..to].to_vec();
                let at = random.below(length).min(characters.len());
                drop(characters.splice(at..at, copied));
            }
            9..=12 if to > from => {
                characters[from] = PRINTABLE[random.below(PRINTABLE.len())].into();
            }
            _ => {
                let piece = PIECES[random.below(PIECES.len())];
                let until = if random.below(2) == 0 { from } else { to };
                drop(characters.splice(from..until, piece.chars()));
            }
        }
        changed = characters.into_iter().collect();
    }
    changed
}

#[test]
fn almost_right_files_never_panic() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut files: Vec<PathBuf> = ["data", "malformed"]
        .iter()
        .flat_map(|inside| fs::read_dir(folder.join(inside)).unwrap())
        .map(|entry| entry.unwrap().path())
        .collect();
    let known = |ending: &str| matches!(ending, "smt2" | "koat" | "t2");
    files.retain(|file| file.extension().and_then(|ending| ending.to_str()).is_some_and(known));
    files.sort();
    let rounds = std::env::var("OURO_FUZZ_ROUNDS").ok().and_then(|rounds| rounds.parse().ok());
    let mut random = Random(0x5eed_0004);
    let (mut systems, mut refusals) = (0, 0);
    for file in &files {
        let text = fs::read_to_string(file).unwrap();
        for _ in 0..rounds.unwrap_or(1_000) {
            let changed = mutated(&mut random, &text);
            match ouro_formats::parse(file, &changed) {
                Ok(system) => {
                    systems += 1;
                    assert_eq!(check(&system), Ok(()), "{changed}");
                }
                Err(refused) => {
                    refusals += 1;
                    let lines = changed.split('\n').count();
                    assert!((1..=lines).contains(&(refused.line as usize)), "{refused}\n{changed}");
                    assert!(refused.column >= 1 && !refused.message.is_empty(), "{refused}");
                }
            }
        }
    }
    assert!(systems > 1_000 && refusals > 10_000, "{systems} systems, {refusals} refusals");
}
