//! What is said about files that are no transition systems.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use expect_test::expect_file;
use ouro_formats::parse_transition_system;

#[test]
fn malformed_files_are_refused_with_place_and_reason() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/malformed");
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending != "txt"));
    files.sort();
    assert!(files.len() >= 20);
    let mut messages = String::new();
    for file in files {
        let name = PathBuf::from(file.file_name().unwrap());
        let text = fs::read_to_string(&file).unwrap();
        match parse_transition_system(&name, &text) {
            Ok(_) => panic!("{} is a system", name.display()),
            Err(refused) => writeln!(messages, "{refused}").unwrap(),
        }
    }
    expect_file!["malformed/messages.txt"].assert_eq(&messages);
}

/// A file around a relation.
fn smt(relation: &str) -> String {
    format!(
        "(declare-sort Loc 0) (declare-const l Loc)
        (define-fun cfg_init ((pc Loc) (src Loc) (rel Bool)) Bool (and (= pc src) rel))
        (define-fun cfg_trans2 ((pc Loc) (src Loc) (pc1 Loc) (dst Loc) (rel Bool)) Bool
          (and (= pc src) (= pc1 dst) rel))
        (define-fun init_main ((pc Loc) (x Int)) Bool (cfg_init pc l true))
        (define-fun next_main ((pc Loc) (x Int) (pc1 Loc) (y Int)) Bool
          (cfg_trans2 pc l pc1 l {relation}))"
    )
}

fn koat(guard: &str) -> String {
    format!("(STARTTERM (FUNCTIONSYMBOLS f)) (VAR x) (RULES f(x) -> f(x) :|: {guard})")
}

/// Runs on the stack that a thread has if nobody asks for more; the command line asks for much more.
fn on_small_stack(name: &'static str, text: String) -> Result<(), String> {
    let run = move || {
        parse_transition_system(Path::new(name), &text)
            .map(|_| ())
            .map_err(|refused| refused.message)
    };
    std::thread::Builder::new().stack_size(2 << 20).spawn(run).unwrap().join().unwrap()
}

#[test]
fn nesting_has_an_end() {
    let nested = |open: &str, inner: &str, close: &str, times: usize| {
        format!("{}{inner}{}", open.repeat(times), close.repeat(times))
    };
    for (open, inner, close) in [
        ("(and (or ", "(= x 1)", " (= y x)) (= x 0))"),
        ("(not (not ", "(= x 1)", "))"),
        ("(ite (= x 1) (ite (= y 1) false ", "true", ") true)"),
        ("(exists ((n Int)) (let ((m x)) ", "(= x n)", "))"),
    ] {
        let deep = |times| on_small_stack("f.smt2", smt(&nested(open, inner, close, times)));
        assert_eq!(deep(490), Ok(()));
        assert_eq!(deep(100_000), Err("nested deeper than 1000 parentheses".to_owned()));
    }
    for (open, inner, close) in [("(", "x > 0", ")"), ("!(", "x > 0", ")"), ("(-(", "x", "))")] {
        let deep = |times| {
            let inside = nested(open, inner, close, times);
            let guard = if inner == "x" { format!("{inside} > 0") } else { inside };
            on_small_stack("f.koat", koat(&guard))
        };
        assert_eq!(deep(90), Ok(()));
        assert_eq!(deep(100_000), Err("nested deeper than 200 parentheses".to_owned()));
    }
    assert_eq!(on_small_stack("f.koat", koat(&format!("{}x > 0", "-".repeat(100_000)))), Ok(()));
    assert_eq!(on_small_stack("f.koat", koat(&format!("{}x > 0", "!".repeat(100_000)))), Ok(()));
}

#[test]
fn growth_has_an_end() {
    let too_large = Err("this becomes too large when it is expanded".to_owned());
    let mut shared = "(= x 1)".to_owned();
    for _ in 0..40 {
        shared = format!("(let ((a {shared})) (and (or a (= x 2)) (or a (= x 3))))");
    }
    assert_eq!(on_small_stack("f.smt2", smt(&shared)), too_large);
    let mut equal = "(= x 1)".to_owned();
    for _ in 0..40 {
        equal = format!("(= {equal} (= y 1))");
    }
    assert_eq!(on_small_stack("f.smt2", smt(&equal)), too_large);
    assert_eq!(on_small_stack("f.koat", koat("(x + y + z + 1)^60 > 0")), too_large);
    assert_eq!(on_small_stack("f.koat", koat("((((9^60)^60)^60)^60)^60 > x")), too_large);
    let squares = "x := x * x;".repeat(10);
    let block = format!("START: 0; FROM: 0; x := x + 1; {squares} TO: 0;");
    assert_eq!(on_small_stack("f.t2", block), too_large);
    let number = format!("x < {}", "9".repeat(1_000_000));
    let digits = Err("this number has too many digits".to_owned());
    assert_eq!(on_small_stack("f.koat", koat(&number)), digits);
}
