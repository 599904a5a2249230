//! Every program in `programs/` prints and returns in the machine what it does when clang compiles
//! it to machine code, for both data models.

use std::path::{Path, PathBuf};
use std::process::Command;

use ouro_c::{CompileOptions, DataModel};
use ouro_machine::concrete::{ConcreteEnvironment, ConcreteInputs};
use ouro_machine::{Machine, OverflowSemantics, RunEnd};
use ouro_term::TermStore;

/// Steps after which a program counts as hanging.
const STEPS: u64 = 10_000_000;

fn in_the_machine(path: &Path, data_model: DataModel) -> (String, Option<i32>) {
    let options = CompileOptions { data_model, ..CompileOptions::default() };
    let compiled = match ouro_c::compile_program(&[path.to_owned()], &options) {
        Ok(compiled) => compiled,
        Err(error) => panic!("{error}"),
    };
    let mut terms = TermStore::new();
    let Ok(machine) =
        Machine::new(&compiled.program, &mut terms, OverflowSemantics::Undefined, false)
    else {
        panic!("{}: too large", path.display());
    };
    let mut printed = Vec::new();
    let mut output = |stream: u32, bytes: &[u8]| {
        if stream == 1 {
            printed.extend_from_slice(bytes);
        }
    };
    // The only inputs are whether `malloc` and `printf` fail: they never do.
    let inputs = ConcreteInputs::new(vec![0; 1 << 20]);
    let mut environment = ConcreteEnvironment::new(inputs, &mut output);
    environment.settles_floats = true;
    let mut state = machine.start_state();
    let end = ouro_machine::concrete::run_concretely(
        &machine,
        &mut terms,
        &mut environment,
        &mut state,
        STEPS,
    );
    let status = match end {
        Some((RunEnd::Exit(status), _)) => status,
        other => panic!("{}: {other:?}", path.display()),
    };
    (String::from_utf8_lossy(&printed).into_owned(), status)
}

fn natively(path: &Path, data_model: DataModel) -> (String, Option<i32>) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let binary = folder.path().join("binary");
    let bits = if data_model == DataModel::Lp64 { "-m64" } else { "-m32" };
    let status = Command::new("clang-19")
        .args(["-w", "-O0", "-ffp-contract=off", bits])
        .arg(path)
        .arg("-o")
        .arg(&binary)
        .arg("-lm")
        .status()
        .expect("clang");
    assert!(status.success(), "clang compiles {}", path.display());
    let output = Command::new(&binary).output().expect("the compiled program");
    (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code())
}

#[track_caller]
fn check(name: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(name);
    for data_model in [DataModel::Lp64, DataModel::Ilp32] {
        assert_eq!(
            in_the_machine(&path, data_model),
            natively(&path, data_model),
            "{name}, {data_model:?}"
        );
    }
}

#[test]
fn structures() {
    check("structures.c");
}

#[test]
fn initial_values() {
    check("initial_values.c");
}

#[test]
fn control() {
    check("control.c");
}

#[test]
fn numbers() {
    check("numbers.c");
}

#[test]
fn memory() {
    check("memory.c");
}

#[test]
fn wide() {
    check("wide.c");
}
