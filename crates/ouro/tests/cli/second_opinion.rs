//! `ouro verify --solver cvc5`: a second solver hears every query, and may disagree.

use std::env;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Folder, Outcome};

/// Its proof needs the solver.
const DESCENDS: &str = "\
                        extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  while (n > 0)
    n--;
  return 0;
}
";

fn certified(source: &str) -> Folder {
    let folder = Folder::with(&[("program.c", source)]);
    let outcome = folder.ouro(&["check", "program.c", "--certificate", "proof.json"]);
    assert!(matches!(outcome.code, Some(0 | 1)), "{}{}", outcome.stdout, outcome.stderr);
    folder
}

/// Verifies with a solver of this text instead of cvc5.
fn with_solver(folder: &Folder, script: &str) -> Outcome {
    fs::create_dir_all(folder.path("bin")).expect("a folder");
    folder.write("bin/cvc5", format!("#!/bin/sh\n{script}\n"));
    fs::set_permissions(folder.path("bin/cvc5"), Permissions::from_mode(0o755)).expect("a mode");
    let path = env::var("PATH").unwrap_or_default();
    let mut command = folder.command(&["verify", "proof.json", "--solver", "cvc5"]);
    command.env("PATH", format!("{}:{path}", folder.path("bin").display()));
    let output = command.output().expect("running ouro");
    Outcome {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).expect("UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

/// A solver that gives one answer to everything.
fn always(answer: &str) -> String {
    format!(
        "while read -r line; do case \"$line\" in '(check-sat)') echo '{answer}';; '(echo'*) \
         echo ouro-done;; esac; done"
    )
}

#[test]
fn disagreement_is_an_error() {
    let folder = certified(DESCENDS);
    let outcome = with_solver(&folder, &always("sat"));
    assert_eq!(outcome.code, Some(2), "{}{}", outcome.stdout, outcome.stderr);
    assert_eq!(outcome.stdout, "");
    let says = "rejected: Z3 and cvc5 disagree about query ";
    assert!(outcome.stderr.contains(says), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("Z3 says unsat, cvc5 says sat"), "{}", outcome.stderr);
    // The query is there to be looked at.
    let name = outcome.stderr.trim_end().rsplit(' ').next().expect("a file").to_owned();
    let query = fs::read_to_string(&name).expect("the query");
    assert!(query.starts_with("; Z3: unsat, cvc5: sat\n(set-logic "), "{query}");
    assert!(query.ends_with("(check-sat)\n"), "{query}");
}

#[test]
fn what_is_left_open_is_counted() {
    let folder = certified(DESCENDS);
    let solvers = [always("unknown"), always("(error \"no\")"), "exit 1".to_owned()];
    for solver in solvers {
        let outcome = with_solver(&folder, &solver);
        assert_eq!(outcome.code, Some(0), "{solver}: {}", outcome.stderr);
        assert!(outcome.stdout.contains("    cvc5 confirmed 0 of "), "{}", outcome.stdout);
        assert!(outcome.stdout.contains(" could not decide "), "{}", outcome.stdout);
    }
}

#[test]
fn a_solver_that_is_not_there() {
    let folder = certified(DESCENDS);
    let mut command = folder.command(&["verify", "proof.json", "--solver", "cvc5"]);
    let output = command.env("PATH", folder.path("bin")).output().expect("running ouro");
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{complaint}");
    assert!(complaint.starts_with("error: cannot start cvc5: "), "{complaint}");
}

/// Programs and systems of the corpus whose evidence is of all kinds.
const SAMPLE: &[(&str, &[&str])] = &[
    ("terminates/gcd.c", &[]),
    ("terminates/counts_to_input.c", &[]),
    ("terminates/counts_down_by_input.wrap.c", &["--ints", "wrap"]),
    ("terminates/counts_to_bounded_input.unbounded.c", &["--ints", "unbounded"]),
    ("terminates/float_input_compared.c", &[]),
    ("terminates/count_down.t2", &[]),
    ("loops/two_phases.smt2", &[]),
    ("loops/count_up.koat", &[]),
    ("loops/goes_round_forever.unbounded.c", &["--ints", "unbounded"]),
];

#[test]
fn cvc5_confirms_certificates_of_the_corpus() {
    if Command::new("cvc5").arg("--version").output().is_err() {
        eprintln!("skipped: there is no cvc5 (scripts/setup.sh --tests installs it)");
        return;
    }
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let folder = Folder::with(&[]);
    let mut confirmed = 0;
    for (name, options) in SAMPLE {
        let path: PathBuf = corpus.join(name);
        let file = path.file_name().and_then(|file| file.to_str()).expect("a name");
        fs::copy(&path, folder.path(file)).expect("a copy");
        let question = ["check", file, "--certificate", "proof.json"];
        let outcome = folder.ouro(&[&question[..], options].concat());
        assert!(
            matches!(outcome.code, Some(0 | 1)),
            "{name}: {}{}",
            outcome.stdout,
            outcome.stderr
        );
        let outcome = folder.ouro(&["verify", "proof.json", "--solver", "cvc5"]);
        assert_eq!(outcome.code, Some(0), "{name}: {}{}", outcome.stdout, outcome.stderr);
        assert!(outcome.stdout.contains("    cvc5 "), "{name}: {}", outcome.stdout);
        confirmed += usize::from(outcome.stdout.contains("confirmed all "));
    }
    assert!(confirmed * 2 > SAMPLE.len(), "cvc5 confirmed all answers of {confirmed} only");
}
