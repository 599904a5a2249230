//! Help, completions, the manual, `doctor`, `-v` and colours.

use super::{COUNTS, Folder};

/// What a usual terminal shows.
const LINES: usize = 50;

#[test]
fn help_fits_a_screen_and_has_examples() {
    let folder = Folder::with(&[]);
    for arguments in
        [&["--help"][..], &["-h"], &["check", "-h"], &["verify", "--help"], &["attach", "-h"]]
    {
        let help = folder.ouro(arguments).stdout;
        assert!(help.lines().count() <= LINES, "{arguments:?}: {} lines", help.lines().count());
    }
    for arguments in [&["--help"][..], &["check", "--help"]] {
        let help = folder.ouro(arguments).stdout;
        assert!(help.contains("Examples:") && help.contains("ouro check prog.c"), "{help}");
    }
}

#[test]
fn long_help_fits_in_a_hundred_columns() {
    let folder = Folder::with(&[]);
    for command in ["check", "attach", "run", "scan", "merge", "verify", "doctor"] {
        let help = folder.ouro(&[command, "--help"]).stdout;
        assert!(help.contains("Usage:"), "{command}: {help}");
        for line in help.lines() {
            assert!(line.chars().count() <= 100, "{command}: {line}");
        }
    }
}

#[test]
fn every_shell_gets_completions() {
    let folder = Folder::with(&[]);
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let outcome = folder.ouro(&["completions", shell]);
        assert_eq!(outcome.code, Some(0));
        let text = outcome.stdout;
        assert!(text.contains("ouro") && text.contains("certificate"), "{shell}: {text}");
    }
    assert_eq!(folder.ouro(&["completions", "cmd"]).code, Some(2));
}

#[test]
fn the_manual_has_every_command() {
    let folder = Folder::with(&[]);
    let page = folder.ouro(&["man"]).stdout;
    assert!(page.contains(".TH ouro 1"), "{page}");
    for command in ["CHECK", "ATTACH", "RUN", "VERIFY", "DOCTOR"] {
        assert!(page.contains(&format!(".SH \"OURO {command}\"")), "{command}: {page}");
    }
    assert!(page.contains("\\-\\-certificate"), "{page}");
}

#[test]
fn doctor_is_content_here() {
    let folder = Folder::with(&[]);
    let outcome = folder.ouro(&["doctor"]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stdout);
    assert!(outcome.stdout.ends_with("Ouro works.\n"), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("clang version 19"), "{}", outcome.stdout);
}

#[test]
fn doctor_says_what_to_install() {
    let folder = Folder::with(&[]);
    // A folder without programs: no clang is found.
    let output = folder.command(&["doctor"]).env("PATH", folder.path(".")).output().expect("ouro");
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(
        text.contains("broken  clang-19") && text.contains("apt-get install clang-19"),
        "{text}"
    );
}

#[test]
fn verbose_says_what_is_tried() {
    let folder = Folder::with(&[("counts.c", COUNTS)]);
    let told = folder.ouro(&["check", "counts.c", "-v"]);
    for part in [
        "compiled: ",
        "explore: symbolic execution of the program, for at most ",
        "checking its evidence",
    ] {
        assert!(told.stderr.contains(part), "{part}: {}", told.stderr);
    }
    assert_eq!(folder.ouro(&["check", "counts.c"]).stderr, "");
}

#[test]
fn a_pipe_gets_no_colours() {
    let folder = Folder::with(&[("counts.c", COUNTS)]);
    let outcome = folder.ouro(&["check", "counts.c"]);
    assert!(!outcome.stdout.contains('\u{1b}'), "{}", outcome.stdout);
}
