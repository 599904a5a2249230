//! Bad input: one clear message, exit 2, nothing on standard output, nothing written.

use super::{COUNTS, Folder};

/// A folder with everything that can be wrong.
fn folder() -> Folder {
    let folder = Folder::with(&[
        ("good.c", COUNTS),
        ("empty.c", ""),
        ("blank.c", "\n\n"),
        ("wrong.c", "int main(void) { return undeclared; }\n"),
        ("notes.txt", "nothing to compile\n"),
        ("second.c", "int main(void) { return 1; }\n"),
    ]);
    folder.write("binary", b"\x7fELF\x02\x01\x01\0\0");
    folder.write("binary.c", b"\x7fELF\x02\x01\x01\0\0");
    folder
}

/// Each asks for a certificate and a reproducer, which must not appear.
fn check(arguments: &[&str], message: &str) {
    let folder = folder();
    let before = folder.contents();
    let outcome = folder.ouro(arguments);
    assert_eq!(outcome.code, Some(2), "{arguments:?}: {}", outcome.stderr);
    assert_eq!(outcome.stdout, "", "{arguments:?}");
    assert!(outcome.stderr.contains(message), "{arguments:?}: {}", outcome.stderr);
    assert_eq!(outcome.stderr.matches("error:").count(), 1, "{}", outcome.stderr);
    assert!(!outcome.stderr.contains("panicked"), "{}", outcome.stderr);
    assert_eq!(folder.contents(), before, "{arguments:?} wrote something");
}

fn check_file(file: &str, message: &str) {
    let outputs = ["--certificate", "out.json", "--reproducer", "out.c"];
    check(&[&["check", file], &outputs[..]].concat(), message);
    check(&[&["check", file, "--format", "json"], &outputs[..]].concat(), message);
    check(&["run", file], message);
}

#[test]
fn files() {
    check_file("missing.c", "missing.c: there is no such file");
    check_file(".", ".: this is a directory");
    check_file("empty.c", "empty.c: it is empty");
    check_file("blank.c", "blank.c: it is empty");
    check_file("binary", "binary: this is a binary");
    check_file("binary.c", "binary.c: this is a binary");
    check_file("notes.txt", "notes.txt: unknown file type; expected C");
}

#[test]
fn what_clang_rejects_is_said_once() {
    check_file("wrong.c", "wrong.c:1:25: error: use of undeclared identifier 'undeclared'");
    let outcome = folder().ouro(&["check", "wrong.c"]);
    assert_eq!(outcome.stderr.matches("undeclared identifier").count(), 1, "{}", outcome.stderr);
    check(&["check", "good.c", "second.c"], "main");
    check(&["check", "good.c", "--", "--no-such-option"], "no-such-option");
}

#[test]
fn functions() {
    check(&["check", "good.c", "--function", "mian"], "there is no function mian");
    check(&["check", "good.c", "--function", ""], "there is no function");
}

#[test]
fn options() {
    for nonsense in ["soon", "", "0", "0s", "-5", "-5s", "1e9", "nan", "inf", "10 s", "5d"] {
        check(&["check", "good.c", "--timeout", nonsense], "--timeout");
    }
    check(&["check", "good.c", "--ints", "int"], "'int' is not one of c, wrap, unbounded");
    check(&["check", "good.c", "--data-model", "ilp64"], "'ilp64' is not one of lp64, ilp32");
    check(&["check", "good.c", "--externs", "all"], "'all' is not one of choice, unknown");
    check(&["check", "good.c", "--allocations", "no"], "'no' is not one of may-fail, succeed");
    check(&["check", "good.c", "--engine", "magic"], "magic");
    check(&["check", "good.c", "--format", "xml"], "xml");
    check(&["check", "good.c", "--memory", "0"], "--memory");
    check(&["check"], "<FILE>");
    check(&["prove", "good.c"], "prove");
}

#[test]
fn outputs() {
    check(&["check", "good.c", "--certificate", "good.c"], "is also an input");
    check(&["check", "good.c", "--reproducer", "./good.c"], "is also an input");
    check(&["check", "good.c", "--certificate", "."], "is a directory");
    check(&["check", "good.c", "--certificate", "no/folder.json"], "the folder no does not exist");
    check(
        &["check", "good.c", "--certificate", "o", "--reproducer", "o"],
        "given as an output twice",
    );
}

#[test]
fn certificates() {
    check(&["verify", "missing.json"], "missing.json");
    check(&["verify", "."], "is a directory");
    check(&["verify", "empty.c"], "empty.c:1:0");
    check(&["verify", "good.c"], "good.c:1:1");
    check(&["verify", "binary"], "this is not a certificate");
}
