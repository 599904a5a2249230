//! Files that are almost right: each gives a system that keeps the model's rules, or a refusal
//! with a place inside the file. Nothing panics.
//!
//! The same for as long as one likes, also with seeds from elsewhere:
//!
//! ```text
//! OURO_FUZZ_SECONDS=600 OURO_FUZZ_SEEDS=FOLDER \
//!     cargo test --release -p ouro-formats --test mutations -- --ignored --nocapture
//! ```
//!
//! The text at hand is in `target/tmp/fuzz.*`, should a parser end the whole process.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

mod random;

use ouro_model::transition::{check_wellformed_system, parse_system, print_system};
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

/// How long a repeated piece may become.
const LARGEST: usize = 100_000;

/// Changes that keep less of the text than [`mutated`]: bits, bytes, tokens, whole pieces of other
/// files. What is no text any more becomes one with marks in it.
fn ravaged(random: &mut Random, text: &str, other: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..1 + random.below(4) {
        let length = bytes.len().max(1);
        let (from, to) = token(&bytes, random.below(length));
        match random.below(9) {
            0 if !bytes.is_empty() => bytes[random.below(length)] ^= 1 << random.below(8),
            1 if !bytes.is_empty() => bytes[random.below(length)] = any_byte(random),
            2 => drop(bytes.drain(from..to)),
            3 => {
                let copied = bytes[from..to].to_vec();
                drop(bytes.splice(to..to, copied));
            }
            // Often enough to meet a limit.
            4 => {
                let times = (1 << random.below(13)).min(1 + LARGEST / (to - from).max(1));
                let copied = bytes[from..to].repeat(1 + random.below(times));
                drop(bytes.splice(to..to, copied));
            }
            5 => {
                let (begin, end) = token(&bytes, random.below(length));
                let copied = bytes[begin..end].to_vec();
                drop(bytes.splice(from..to, copied));
            }
            6 => {
                let inside = other.as_bytes();
                let start = random.below(inside.len().max(1));
                let end = (start + random.below(400)).min(inside.len());
                drop(bytes.splice(from..to, inside[start.min(end)..end].iter().copied()));
            }
            7 => {
                let number = ["0", "1", "-1", "2147483648", "18446744073709551616", "00", "1000"];
                drop(bytes.splice(from..to, number[random.below(7)].bytes()));
            }
            _ => {
                let end = (from + random.below(2_000)).min(bytes.len());
                drop(bytes.drain(from..end));
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn any_byte(random: &mut Random) -> u8 {
    u8::try_from(random.below(256)).unwrap_or_default()
}

/// The token around a place: a word, or one character.
fn token(bytes: &[u8], at: usize) -> (usize, usize) {
    let at = at.min(bytes.len());
    let word = |byte: &u8| byte.is_ascii_alphanumeric() || b"_^'!".contains(byte);
    let from = at - bytes[..at].iter().rev().take_while(|byte| word(byte)).count();
    let to = at + bytes[at..].iter().take_while(|byte| word(byte)).count();
    (from, to.max(from + 1).min(bytes.len()))
}

/// The systems in a folder, and in those in it.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let ending = path.extension().and_then(|ending| ending.to_str());
        if path.is_dir() {
            collect(&path, files);
        } else if matches!(ending, Some("smt2" | "koat" | "t2")) {
            files.push(path);
        }
    }
}

fn own_seeds() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut files = Vec::new();
    for inside in ["data", "malformed"] {
        collect(&folder.join(inside), &mut files);
    }
    files.sort();
    files
}

/// Reads a text; whether it is a system.
fn read(file: &Path, text: &str) -> bool {
    match ouro_formats::parse_transition_system(file, text) {
        Ok(system) => {
            assert_eq!(check_wellformed_system(&system), Ok(()), "{text}");
            true
        }
        Err(refused) => {
            let lines = text.split('\n').count();
            assert!((1..=lines).contains(&(refused.line as usize)), "{refused}\n{text}");
            assert!(refused.column >= 1 && !refused.message.is_empty(), "{refused}");
            let message = &refused.message;
            assert!(message.chars().count() < 200, "{refused}");
            assert!(!message.contains(char::is_control), "{refused:?}");
            false
        }
    }
}

#[test]
fn almost_right_files_never_panic() {
    let mut random = Random(0x5eed_0004);
    let mut counts = [0, 0];
    for file in own_seeds() {
        let text = fs::read_to_string(&file).unwrap();
        for _ in 0..1_000 {
            counts[usize::from(read(&file, &mutated(&mut random, &text)))] += 1;
        }
        for _ in 0..200 {
            counts[usize::from(read(&file, &ravaged(&mut random, &text, &text)))] += 1;
        }
    }
    let [refusals, systems] = counts;
    assert!(systems > 1_000 && refusals > 10_000, "{systems} systems, {refusals} refusals");
}

#[test]
#[ignore = "runs for as long as OURO_FUZZ_SECONDS says"]
fn fuzz() {
    let variable = |name: &str| std::env::var(name).ok();
    let seconds = variable("OURO_FUZZ_SECONDS").map_or(10, |seconds| seconds.parse().unwrap());
    let mut files = own_seeds();
    let own = files.len();
    if let Some(folder) = variable("OURO_FUZZ_SEEDS") {
        collect(Path::new(&folder), &mut files);
        files[own..].sort();
    }
    // Large files are like small ones, and take longer.
    files.retain(|file| fs::metadata(file).is_ok_and(|found| found.len() < 50_000));
    let texts: Vec<String> = files.iter().map(|file| fs::read_to_string(file).unwrap()).collect();
    let start = Instant::now();
    let seed = variable("OURO_FUZZ_SEED").map_or(0x5eed_0005, |seed| seed.parse().unwrap());
    let mut random = Random(seed);
    let mut counts = [0, 0];
    let mut slowest = Duration::ZERO;
    while start.elapsed() < Duration::from_secs(seconds) {
        // Its own are few and small, and have everything that the formats can say.
        let among = if random.below(2) == 0 { own } else { files.len() };
        let at = random.below(among);
        let other = random.below(files.len());
        let mut text = match random.below(2) {
            0 => mutated(&mut random, &texts[at]),
            _ => ravaged(&mut random, &texts[at], &texts[other]),
        };
        if random.below(4) == 0 {
            text = ravaged(&mut random, &text, &texts[at]);
        }
        let ending = files[at].extension().and_then(|ending| ending.to_str()).unwrap();
        let last = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("fuzz.{ending}"));
        fs::write(&last, &text).unwrap();
        let before = Instant::now();
        let is_system = read(&last, &text);
        let took = before.elapsed();
        assert!(took < Duration::from_secs(20), "it took {took:?}: {}", last.display());
        slowest = slowest.max(took);
        counts[usize::from(is_system)] += 1;
        if is_system && text.len() < 10_000 {
            let printed =
                print_system(&ouro_formats::parse_transition_system(&last, &text).unwrap());
            assert_eq!(print_system(&parse_system(&printed).unwrap()), printed, "{text}");
        }
    }
    let [refusals, systems] = counts;
    println!("{} seeds: {systems} systems, {refusals} refusals", files.len());
    println!("the slowest took {slowest:?}");
}
