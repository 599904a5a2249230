//! Answers that cannot be written, and places that are not there: one clear error each, never a verdict and
//! never a bug in Ouro.

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use super::{COUNTS, Folder, WAITS};

/// Runs the command; it has to refuse with one line that says so.
fn check_refused(mut command: Command, says: &str) {
    let output = command.output().expect("running ouro");
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{command:?}: {complaint}");
    assert_eq!(complaint.trim_end().lines().count(), 1, "{command:?}: {complaint}");
    assert!(complaint.starts_with("error: ") && complaint.contains(says), "{complaint}");
    assert!(!complaint.contains("bug in Ouro"), "{complaint}");
}

#[test]
fn a_full_disk() {
    let folder = Folder::with(&[("counts.c", COUNTS), ("waits.c", WAITS)]);
    let outcome = folder.ouro(&["check", "counts.c", "--certificate", "proof.json"]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    let all: [&[&str]; 7] = [
        &["check", "counts.c"],
        &["check", "waits.c", "--format", "json"],
        &["check", "waits.c", "--format", "sarif"],
        &["verify", "proof.json"],
        &["man"],
        &["completions", "bash"],
        &["scan", "."],
    ];
    for arguments in all {
        let mut command = folder.command(arguments);
        command.stdout(File::options().write(true).open("/dev/full").expect("a full disk"));
        check_refused(command, "cannot write to standard output");
    }
    for option in ["--certificate", "--reproducer", "--witness"] {
        let command = folder.command(&["check", "waits.c", option, "/dev/full"]);
        check_refused(command, "cannot write /dev/full");
    }
    let prints = "#include <stdio.h>\nint main(void) { puts(\"hello\"); return 0; }\n";
    folder.write("prints.c", prints);
    let mut command = folder.command(&["run", "prints.c"]);
    command.stdout(File::options().write(true).open("/dev/full").expect("a full disk"));
    check_refused(command, "cannot write to standard output");
}

#[test]
fn no_temporary_folder() {
    let folder = Folder::with(&[("counts.c", COUNTS)]);
    for arguments in [["check", "counts.c"], ["verify", "proof.json"]] {
        folder.write("proof.json", "{}");
        let mut command = folder.command(&arguments);
        command.env("TMPDIR", folder.path("nowhere"));
        check_refused(command, "set TMPDIR to a writable folder");
    }
}

#[test]
fn another_libz3() {
    // LLVM brings it along.
    let other = Path::new("/usr/lib/x86_64-linux-gnu/libz3.so.4");
    if !other.exists() {
        eprintln!("skipped: there is no other libz3 here");
        return;
    }
    let folder = Folder::with(&[("counts.c", COUNTS)]);
    let needed = Command::new("readelf").arg("-d").arg(env!("CARGO_BIN_EXE_ouro")).output();
    let needed = String::from_utf8(needed.expect("binutils").stdout).expect("UTF-8");
    let name = needed.split(['[', ']']).find(|word| word.starts_with("libz3.so"));
    fs::create_dir(folder.path("lib")).expect("a folder");
    symlink(other, folder.path("lib").join(name.expect("libz3 is needed"))).expect("a link");
    let with_other = |arguments: &[&str]| {
        let mut command = folder.command(arguments);
        command.env("LD_LIBRARY_PATH", folder.path("lib"));
        command
    };
    check_refused(with_other(&["check", "counts.c"]), "the loaded libz3 has version");
    let examined = with_other(&["doctor"]).output().expect("running ouro");
    let said = String::from_utf8_lossy(&examined.stdout).into_owned();
    assert_eq!(examined.status.code(), Some(2), "{said}");
    assert!(said.contains("broken  the loaded libz3 has version"), "{said}");
}

#[test]
fn queries_are_logged_on_request() {
    // One that has a question for the solver.
    let asks = "extern int __VERIFIER_nondet_int(void);\n\
                int main(void) { int n = __VERIFIER_nondet_int(); while (n > 0) n--; return 0; }\n";
    let folder = Folder::with(&[("asks.c", asks)]);
    let mut command = folder.command(&["check", "asks.c"]);
    let output = command.env("OURO_LOG", folder.path("queries")).output().expect("running ouro");
    assert_eq!(output.status.code(), Some(0));
    let logged = fs::read_dir(folder.path("queries")).expect("a folder").count();
    assert!(logged > 0);
    let mut command = folder.command(&["check", "asks.c"]);
    command.env("OURO_LOG", "asks.c/queries");
    check_refused(command, "OURO_LOG: cannot create the folder asks.c/queries");
}
