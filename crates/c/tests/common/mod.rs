//! What the tests share: C text in, the model or its text form out.

// Each test file uses a part of this one.
#![allow(dead_code)]

use std::path::PathBuf;

use ouro_c::{CompileError, CompileOptions, CompiledProgram};
use ouro_model::{Function, Instruction, Program, Terminator};

/// Compiles files with the given names and contents.
pub(crate) fn compile_files(
    files: &[(&str, &str)],
    options: &CompileOptions,
) -> Result<CompiledProgram, CompileError> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let paths: Vec<PathBuf> = files
        .iter()
        .map(|(name, text)| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).expect("a writable folder");
            path
        })
        .collect();
    ouro_c::compile_program(&paths, options)
}

/// The program of one C text.
pub(crate) fn program(text: &str) -> Program {
    program_with(text, &CompileOptions::default())
}

/// The program of one C text, with options.
pub(crate) fn program_with(text: &str, options: &CompileOptions) -> Program {
    match compile_files(&[("test.c", text)], options) {
        Ok(compiled) => compiled.program,
        Err(error) => panic!("{error}"),
    }
}

/// The function of this name.
pub(crate) fn function<'a>(program: &'a Program, name: &str) -> &'a Function {
    program.functions.iter().find(|f| f.name == name).unwrap_or_else(|| {
        panic!("no function {name} in {}", ouro_model::text::print_program(program))
    })
}

/// The text form of one function, without places.
pub(crate) fn text(program: &Program, name: &str) -> String {
    let whole = ouro_model::text::print_program(program);
    let start = format!("\"{name}\" (");
    let from = whole.find(&start).unwrap_or_else(|| panic!("no function {name} in {whole}"));
    let end = whole[from..].find("\n}").map_or(whole.len(), |end| from + end);
    whole[from..end]
        .lines()
        .map(|line| line.split(" @").next().unwrap_or(line))
        .collect::<Vec<_>>()
        .join("\n")
}

/// All instructions of a function.
pub(crate) fn instructions(function: &Function) -> Vec<&Instruction> {
    function.blocks.iter().flat_map(|b| &b.statements).map(|s| &s.instruction).collect()
}

/// All limits in a program.
pub(crate) fn limits(program: &Program) -> Vec<&str> {
    let blocks = program.functions.iter().flat_map(|function| function.blocks.iter());
    blocks
        .filter_map(|block| match &block.terminator {
            Terminator::Limit(text) => Some(text.as_str()),
            _ => None,
        })
        .collect()
}
