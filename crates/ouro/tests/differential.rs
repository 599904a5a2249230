//! Programs print and return in the machine what gcc's code prints and returns: those in
//! `programs/`, which go through the language and the library, and some that csmith makes.
//!
//! A program whose first line begins with `// only: lp64` is not compiled for i386.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;
use std::thread;

/// A program, one of the data models, and what else both compilers are told.
struct Case {
    file: PathBuf,
    data_model: &'static str,
    /// Whether signed integers wrap around in both.
    wraps: bool,
    options: Vec<String>,
}

impl Case {
    /// How the machine differs from gcc's code, if it does.
    fn difference(&self, folder: &Path) -> Option<String> {
        let name = self.file.file_stem().expect("a name").to_string_lossy();
        let binary = folder.join(format!("{name}-{}", self.data_model));
        // The floating-point registers of i386 keep more digits than a double has.
        let machine: &[&str] = match self.data_model {
            "lp64" => &["-m64"],
            _ => &["-m32", "-msse2", "-mfpmath=sse"],
        };
        let mut gcc = Command::new("gcc");
        gcc.args(["-O0", "-w", "-ffp-contract=off"]).args(machine).args(&self.options);
        gcc.args(self.wraps.then_some("-fwrapv"));
        let compiled = gcc.arg(&self.file).arg("-o").arg(&binary).arg("-lm").output();
        let compiled = compiled.expect("gcc is installed");
        let title = format!("{name}, {}", self.data_model);
        if !compiled.status.success() {
            return Some(format!("{title}: {}", String::from_utf8_lossy(&compiled.stderr)));
        }
        let native = Command::new(&binary).output().expect("a binary that runs");
        let mut ouro = Command::new(env!("CARGO_BIN_EXE_ouro"));
        ouro.args(["run", "--data-model", self.data_model]).arg(&self.file);
        if self.wraps {
            ouro.args(["--ints", "wrap"]);
        }
        let ours = ouro.args(["--", "-w"]).args(&self.options).output().expect("running ouro");
        let same = native.stdout == ours.stdout && native.status.code() == ours.status.code();
        (!same).then(|| format!("{title}\n{}", first_difference(&native, &ours)))
    }
}

fn first_difference(native: &Output, ours: &Output) -> String {
    let (expected, got) =
        (String::from_utf8_lossy(&native.stdout), String::from_utf8_lossy(&ours.stdout));
    let line = expected.lines().zip(got.lines()).position(|(a, b)| a != b);
    let at = line.unwrap_or(expected.lines().count().min(got.lines().count()));
    let show = |text: &str| text.lines().nth(at).unwrap_or("(nothing)").to_owned();
    format!(
        "  line {}\n    gcc:  {}\n    ouro: {}\n  exit {:?} and {:?}\n  {}",
        at + 1,
        show(&expected),
        show(&got),
        native.status.code(),
        ours.status.code(),
        String::from_utf8_lossy(&ours.stderr)
    )
}

/// Looks at all cases, as many at a time as there are processors.
fn check(cases: Vec<Case>) {
    assert!(!cases.is_empty(), "nothing to compare");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let cases = Mutex::new(cases);
    let failures = Mutex::new(Vec::new());
    let next = || cases.lock().expect("nobody panics with it").pop();
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(case) = next() {
                    if let Some(difference) = case.difference(folder.path()) {
                        failures.lock().expect("nobody panics with it").push(difference);
                    }
                }
            });
        }
    });
    let mut failures = failures.into_inner().expect("all are done");
    failures.sort();
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

#[test]
fn programs_do_what_gcc_makes_them_do() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let mut cases = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder of programs") {
        let file = entry.expect("an entry").path();
        let source = fs::read_to_string(&file).expect("a program");
        let only_lp64 = source.starts_with("// only: lp64");
        cases.push(Case {
            file: file.clone(),
            data_model: "lp64",
            wraps: false,
            options: Vec::new(),
        });
        if !only_lp64 {
            cases.push(Case { file, data_model: "ilp32", wraps: false, options: Vec::new() });
        }
    }
    check(cases);
}

/// Under `--ints wrap` the machine computes what gcc's `-fwrapv` does on x86, shifts by too much included.
#[test]
fn integers_wrap_as_gcc_makes_them() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs_wrap");
    let mut cases = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder of programs") {
        let file = entry.expect("an entry").path();
        for data_model in ["lp64", "ilp32"] {
            cases.push(Case { file: file.clone(), data_model, wraps: true, options: Vec::new() });
        }
    }
    check(cases);
}

/// Seeds whose programs end soon; `scripts/csmith.sh` runs as many as you like.
const SEEDS: [(&str, &[&str]); 6] = [
    ("1", &[]),
    ("30", &[]),
    ("121", &[]),
    ("3", &["--float", "--inline-function"]),
    ("6", &["--no-bitfields", "--strict-volatile-rule"]),
    ("5", &["--packed-struct", "--max-struct-fields", "12"]),
];

#[test]
fn random_programs_do_what_gcc_makes_them_do() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut cases = Vec::new();
    for (seed, options) in SEEDS {
        // csmith leaves a file where it runs.
        let made = Command::new("csmith")
            .args(["--seed", seed])
            .args(options)
            .current_dir(folder.path())
            .output()
            .expect("csmith is installed; scripts/setup.sh does that");
        assert!(made.status.success(), "csmith --seed {seed}");
        let file = folder.path().join(format!("csmith{seed}.c"));
        fs::write(&file, made.stdout).expect("a file");
        for data_model in ["lp64", "ilp32"] {
            let options = vec!["-I/usr/include/csmith".to_owned()];
            cases.push(Case { file: file.clone(), data_model, wraps: false, options });
        }
    }
    check(cases);
}
