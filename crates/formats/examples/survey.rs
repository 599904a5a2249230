//! Reads all files of a folder, and of those in it, and counts what became of them.
//!
//! ```text
//! cargo run --release -p ouro-formats --example survey -- FOLDER
//! ```

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use ouro_model::transition::check_wellformed_system;

fn main() {
    let Some(folder) = std::env::args_os().nth(1).map(PathBuf::from) else {
        eprintln!("survey FOLDER");
        std::process::exit(2);
    };
    let mut files = Vec::new();
    collect(&folder, &mut files);
    files.sort();
    let mut refused: BTreeMap<String, usize> = BTreeMap::new();
    let mut parsed = 0;
    let mut counts = [0; 4];
    let mut longest = (Duration::ZERO, PathBuf::new());
    let mut total = Duration::ZERO;
    for file in &files {
        let Ok(text) = std::fs::read_to_string(file) else {
            *refused.entry("not a text".to_owned()).or_default() += 1;
            continue;
        };
        let before = Instant::now();
        let result = ouro_formats::parse_transition_system(file, &text);
        let took = before.elapsed();
        total += took;
        if took > longest.0 {
            longest = (took, file.clone());
        }
        match result {
            Ok(system) => {
                parsed += 1;
                if let Err(violations) = check_wellformed_system(&system) {
                    println!("{}: {}", file.display(), violations[0]);
                }
                counts[0] += system.variables.len();
                counts[1] += system.locations.len();
                counts[2] += system.edges.len();
                counts[3] += system.edges.iter().map(|edge| edge.choices.len()).sum::<usize>();
            }
            Err(refusal) => {
                println!("{refusal}");
                *refused.entry(refusal.message).or_default() += 1;
            }
        }
    }
    let [variables, locations, edges, choices] = counts;
    println!("{} files, {parsed} parsed in {total:.1?}", files.len());
    println!("{variables} variables, {locations} locations, {edges} edges, {choices} choices");
    println!("longest: {:.2?} {}", longest.0, longest.1.display());
    for (message, count) in refused {
        println!("{count} refused: {message}");
    }
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        let ending = path.extension().and_then(|ending| ending.to_str());
        if path.is_dir() {
            collect(&path, files);
        } else if matches!(ending, Some("smt2" | "koat" | "t2")) {
            files.push(path);
        }
    }
}
