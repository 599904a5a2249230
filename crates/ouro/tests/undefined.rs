//! Undefined behaviour ends a run with a message that names the line and the object.
//!
//! Each program in `undefined/` does one undefined thing. A comment on its line says with which
//! message: `// undefined: TEXT`, or `// asks for: TEXT` where any value would do. A first line
//! `// input: N` gives an input.

use std::fs;
use std::path::Path;
use std::process::Command;

#[test]
fn undefined_behaviour_is_named_where_it_happens() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/undefined");
    let mut files: Vec<_> = fs::read_dir(&folder)
        .expect("the folder of programs")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"))
        .collect();
    files.sort();
    let failures: Vec<String> = files.iter().filter_map(|file| check(&folder, file)).collect();
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

/// What is wrong with the message about a program, if anything.
fn check(folder: &Path, file: &str) -> Option<String> {
    let source = fs::read_to_string(folder.join(file)).expect("a program");
    let marked = |mark: &str| {
        source.lines().zip(1..).find_map(|(line, number)| {
            line.split_once(mark).map(|(_, message)| (number, message.trim().to_owned()))
        })
    };
    let (code, start, end) = match (marked("// undefined:"), marked("// asks for:")) {
        (Some((line, what)), _) => {
            (132, format!("{file}:{line} in "), format!(": undefined behaviour: {what}"))
        }
        (_, Some((line, what))) => {
            (2, format!("error: {file}:{line} in "), format!(" needs another input ({what})"))
        }
        _ => panic!("{file} has no expectation"),
    };
    let mut command = Command::new(env!("CARGO_BIN_EXE_ouro"));
    command.args(["run", file]).current_dir(folder);
    if let Some(input) = source.lines().next().and_then(|line| line.strip_prefix("// input: ")) {
        command.args(["--input", input]);
    }
    let output = command.output().expect("running ouro");
    let said = String::from_utf8_lossy(&output.stderr);
    let fine =
        output.status.code() == Some(code) && said.starts_with(&start) && said.contains(&end);
    (!fine).then(|| format!("expected {start}…{end}\n     got {said}"))
}
