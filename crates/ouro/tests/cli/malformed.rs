//! Files that are no transition systems: one message with file, line, column and what was
//! expected; exit 2, nothing on standard output, nothing written, no panic.

use std::path::Path;

use super::Folder;

/// Checks a file, with outputs that must not appear; gives the message without its file.
fn refused(name: &str, content: &[u8]) -> String {
    let folder = Folder::with(&[]);
    folder.write(name, content);
    let before = folder.contents();
    let arguments = ["check", name, "--certificate", "out.json", "--reproducer", "out.c"];
    let mut said = None;
    for format in ["text", "json"] {
        let outcome = folder.ouro(&[&arguments[..], &["--format", format]].concat());
        assert_eq!(outcome.code, Some(2), "{name}: {}{}", outcome.stdout, outcome.stderr);
        assert_eq!(outcome.stdout, "", "{name}");
        assert!(!outcome.stderr.contains("panicked"), "{name}: {}", outcome.stderr);
        let message = outcome.stderr.strip_suffix('\n').expect("a line").to_owned();
        assert!(!message.contains('\n'), "{name}: {message}");
        assert!(said.is_none_or(|other| other == message), "{name}: {message}");
        said = Some(message);
    }
    assert_eq!(folder.contents(), before, "{name}: something was written");
    let message = said.expect("a message");
    let rest = message.strip_prefix(&format!("error: {name}:")).unwrap_or_else(|| {
        panic!("{name}: {message}");
    });
    let mut parts = rest.splitn(3, ':');
    for what in ["line", "column"] {
        let number = parts.next().and_then(|part| part.parse::<u32>().ok());
        assert!(number.is_some_and(|number| number >= 1), "{name}: no {what} in {message}");
    }
    assert!(parts.next().is_some_and(|what| what.trim().len() > 5), "{name}: {message}");
    rest.to_owned()
}

fn check(name: &str, content: &str, expected: &str) {
    assert_eq!(refused(name, content.as_bytes()), expected, "{name}");
}

/// The files of `crates/formats/tests/malformed`; what is said about each is in `messages.txt`.
#[test]
fn files_of_the_reader() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../formats/tests/malformed");
    let messages = std::fs::read_to_string(folder.join("messages.txt")).expect("messages");
    let mut count = 0;
    for message in messages.lines() {
        let (name, rest) = message.split_once(':').expect("a file");
        if name.ends_with(".c") {
            continue;
        }
        let content = std::fs::read(folder.join(name)).expect("a file");
        assert_eq!(refused(name, &content), rest, "{name}");
        count += 1;
    }
    assert!(count >= 20, "{count} files");
}

/// The beginning of a good file, and some rules.
fn koat(rules: &str) -> String {
    format!("(GOAL TERMINATION)\n(STARTTERM (FUNCTIONSYMBOLS f))\n(VAR x)\n(RULES\n{rules}\n)\n")
}

fn smt(variables: &str, relation: &str) -> String {
    format!(
        "(declare-sort Loc 0)\n(declare-const l Loc)\n\
         (define-fun cfg_init ((pc Loc) (src Loc) (rel Bool)) Bool (and (= pc src) rel))\n\
         (define-fun cfg_trans2 ((pc Loc) (src Loc) (pc1 Loc) (dst Loc) (rel Bool)) Bool\n\
         (and (= pc src) (= pc1 dst) rel))\n\
         (define-fun init_main ((pc Loc) (x Int)) Bool (cfg_init pc l true))\n\
         (define-fun next_main ((pc Loc) (x Int) (pc1 Loc) {variables}) Bool\n\
         (cfg_trans2 pc l pc1 {relation}))\n"
    )
}

#[test]
fn good_files_around_the_bad_ones_are_good() {
    let folder = Folder::with(&[
        ("good.koat", &koat("f(x) -> f(x + 1)")),
        ("good.smt2", &smt("(y Int)", "l (= y x)")),
        ("good.t2", "START: 0;\nFROM: 0;\nTO: 0;\n"),
    ]);
    for name in ["good.koat", "good.smt2", "good.t2"] {
        let outcome = folder.ouro(&["check", name, "--engine", "explore"]);
        assert_eq!(outcome.code, Some(3), "{name}: {}", outcome.stderr);
    }
}

#[test]
fn empty() {
    check("empty.koat", "", "1:1: expected (, found the end of the file");
    check("empty.t2", "", "1:1: expected START, found the end of the file");
    check("empty.smt2", "", "1:1: expected the definition of init_main");
    check("blank.koat", "\n\n  \n", "4:1: expected (, found the end of the file");
    check("comment.smt2", "; nothing\n", "2:1: expected the definition of init_main");
}

#[test]
fn no_text_at_all() {
    let elf = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0>\0\x01\0\0\0";
    for name in ["program.koat", "program.smt2", "program.t2"] {
        refused(name, elf);
    }
    assert_eq!(refused("latin.koat", b"(GOAL\n \xe4)"), "2:2: expected text in UTF-8");
    assert_eq!(refused("zeros.t2", &[0; 4096]), "1:1: '\\0' is not allowed here");
    let mut state = 0x5eed_u32;
    let noise: Vec<u8> = (0..100_000)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        })
        .collect();
    for name in ["noise.koat", "noise.smt2", "noise.t2"] {
        assert!(refused(name, &noise).ends_with("expected text in UTF-8"));
    }
}

#[test]
fn truncated() {
    let good = koat("f(x) -> f(x + 1) :|: x >= 0");
    for length in [1, 10, 30, 45, 55, 65, 70, 75, 80, 88, 93, good.len() - 3] {
        refused("cut.koat", &good.as_bytes()[..length]);
    }
    let good = smt("(y Int)", "l (= y x)");
    for length in [1, 50, 200, 350, good.len() - 2] {
        refused("cut.smt2", &good.as_bytes()[..length]);
    }
    let good = "START: 0;\nFROM: 0;\n  x := x + 1;\nTO: 0;\n";
    for length in [3, 7, 14, 20, 28, good.len() - 2] {
        refused("cut.t2", &good.as_bytes()[..length]);
    }
}

#[test]
fn unbalanced() {
    check(
        "open.koat",
        &koat("f(x) -> f((x + 1)"),
        "7:1: expected a rule or ), found the end of the file",
    );
    check("close.koat", &koat("f(x) -> f(x + 1))"), "6:1: expected the end of the file, found )");
    check("close.t2", "START: 0;\nFROM: 0;\nx := x);\nTO: 0;\n", "3:7: expected ;, found )");
    check("open.smt2", &smt("(y Int)", "l (= y x"), "7:1: this parenthesis is not closed");
}

#[test]
fn arities() {
    check("three.koat", &koat("f(x) -> f(x, x)"), "5:9: expected 1 arguments of f, found 2");
    check(
        "two.smt2",
        &smt("(y Int) (z Int)", "l (= y x)"),
        "7:1: expected as many parameters before the step as after it",
    );
    refused("three.smt2", smt("(y Int)", "(= y x)").as_bytes());
    refused("minus.smt2", smt("(y Int)", "l (= y (-))").as_bytes());
    refused("equal.smt2", smt("(y Int)", "l (= y)").as_bytes());
}

#[test]
fn locations_and_sorts() {
    check("where.smt2", &smt("(y Int)", "k (= y x)"), "8:22: expected a location, found k");
    check(
        "real.smt2",
        &smt("(y Real)", "l true"),
        "7:51: expected a variable of sort Int or Loc, found Real",
    );
    check("nowhere.t2", "START: ;\n", "1:8: expected a location, found ;");
    refused("array.smt2", smt("(y (Array Int Int))", "l true").as_bytes());
    refused("half.koat", koat("f(x) -> f(1.5)").as_bytes());
}

#[test]
fn nested_without_end() {
    let deep =
        |open: &str, close: &str| format!("{}x{}", open.repeat(300_000), close.repeat(300_000));
    let message = refused("deep.koat", koat(&format!("f(x) -> f({})", deep("(", ")"))).as_bytes());
    assert!(message.contains("nested deeper than 200 parentheses"), "{message}");
    let message =
        refused("open.koat", koat(&format!("f(x) -> f({}", "(".repeat(300_000))).as_bytes());
    assert!(message.contains("nested deeper than 200 parentheses"), "{message}");
    let message =
        refused("deep.smt2", smt("(y Int)", &format!("l {}", deep("(not ", ")"))).as_bytes());
    assert!(message.contains("nested deeper than 1000 parentheses"), "{message}");
    let block = format!("START: 0;\nFROM: 0;\nassume({} > 0);\nTO: 0;\n", deep("(", ")"));
    let message = refused("deep.t2", block.as_bytes());
    assert!(message.contains("nested deeper than 200 parentheses"), "{message}");
}

#[test]
fn huge() {
    let number = "9".repeat(2_000_000);
    let digits = "this number has too many digits";
    for (name, text) in [
        ("number.koat", koat(&format!("f(x) -> f({number})"))),
        ("number.smt2", smt("(y Int)", &format!("l (= y {number})"))),
        ("number.t2", format!("START: 0;\nFROM: 0;\nx := {number};\nTO: 0;\n")),
    ] {
        let message = refused(name, text.as_bytes());
        assert!(message.ends_with(digits), "{message}");
    }
    let name = "x".repeat(2_000_000);
    let message = refused("name.t2", format!("START: 0;\n{name}\n").as_bytes());
    assert!(message.len() < 200, "{} characters", message.len());
    let message = refused("power.koat", koat("f(x) -> f((x + 1)^99999)").as_bytes());
    assert!(message.contains("too large"), "{message}");
}
