//! Compiles many programs and counts what happens: lines of `lp64|ilp32 PATH` on standard input.

use std::collections::BTreeMap;
use std::io::BufRead as _;
use std::path::PathBuf;
use std::time::Instant;

use ouro_c::{CompileOptions, DataModel};
use ouro_model::Terminator;

fn main() {
    let mut limits: BTreeMap<String, (usize, String)> = BTreeMap::new();
    let (mut good, mut bad) = (0, 0);
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let Some((model, path)) = line.split_once(' ') else { continue };
        let data_model = if model == "ilp32" { DataModel::Ilp32 } else { DataModel::Lp64 };
        let options = CompileOptions { data_model, ..CompileOptions::default() };
        let start = Instant::now();
        let result =
            std::panic::catch_unwind(|| ouro_c::compile_program(&[PathBuf::from(path)], &options));
        let seconds = start.elapsed().as_secs_f64();
        if seconds > 1.0 {
            println!("SLOW {seconds:.2} {path}");
        }
        match result {
            Ok(Ok(compiled)) => {
                good += 1;
                let mut seen = Vec::new();
                for function in compiled.program.functions.iter() {
                    for block in function.blocks.iter() {
                        if let Terminator::Limit(text) = &block.terminator {
                            let who = if function.user { "user" } else { "library" };
                            seen.push(format!("limit ({who}): {text}"));
                        }
                    }
                }
                seen.extend(
                    compiled.program.assumptions.iter().map(|a| format!("assumption: {a}")),
                );
                seen.sort();
                seen.dedup();
                for text in seen {
                    limits.entry(text).or_insert((0, path.to_owned())).0 += 1;
                }
            }
            Ok(Err(error)) => {
                bad += 1;
                println!("ERROR {path}: {error}");
            }
            Err(_) => {
                bad += 1;
                println!("PANIC {path}");
            }
        }
    }
    let mut limits: Vec<_> = limits.into_iter().collect();
    limits.sort_by_key(|entry| std::cmp::Reverse(entry.1.0));
    for (text, (count, example)) in limits {
        println!("{count:5} {text}   [{example}]");
    }
    println!("{good} compiled, {bad} refused");
}
