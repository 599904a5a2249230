//! Prints the model of C files: `dump [--ilp32] [--function NAME] FILE… [-- CLANG OPTIONS]`.

use std::path::PathBuf;
use std::process::ExitCode;

use ouro_c::{CompileOptions, DataModel};

fn main() -> ExitCode {
    let mut options = CompileOptions::default();
    let mut files: Vec<PathBuf> = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--ilp32" => options.data_model = DataModel::Ilp32,
            "--function" => options.function = arguments.next(),
            "--" => options.clang_args = arguments.by_ref().collect(),
            _ => files.push(argument.into()),
        }
    }
    match ouro_c::compile_program(&files, &options) {
        Ok(compiled) => {
            print!("{}", ouro_model::text::print_program(&compiled.program));
            for assumption in &compiled.program.assumptions {
                eprintln!("assumption: {assumption}");
            }
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}
