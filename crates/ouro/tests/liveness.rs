//! The examples of `examples/liveness`: the verdict, and a certificate that a second process accepts.

use std::path::Path;
use std::process::Command;

/// Program, specification (or none for termination), verdict.
const EXAMPLES: [(&str, Option<&str>, &str); 9] = [
    ("device_name.c", None, "loops"),
    ("device_name.c", Some("device_name.slic"), "holds"),
    ("block.c", Some("block.slic"), "holds"),
    ("block.c", Some("block_unfair.slic"), "violated"),
    ("block_broken.c", Some("block.slic"), "violated"),
    ("level.c", Some("level.slic"), "holds"),
    ("level.c", Some("level_safe.slic"), "holds"),
    ("level_broken.c", Some("level.slic"), "violated"),
    ("level_unsafe.c", Some("level_safe.slic"), "violated"),
];

/// Formulas about the examples.
const FORMULAS: [(&str, &str, &str); 6] = [
    ("blink.c", r#"G(F "on" && F "!on")"#, "holds"),
    ("blink.c", r#"FG "on""#, "violated"),
    ("level.c", r#"FG "level == 2""#, "violated"),
    ("block_broken.c", r#"G("blocked" -> F "!blocked")"#, "violated"),
    ("level.c", r#"G("level >= 0 && level <= 2")"#, "holds"),
    ("level.c", r#"F "level == 2""#, "holds"),
];

fn ouro(arguments: &[&str]) -> (Option<i32>, String, String) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/liveness");
    let output = Command::new(env!("CARGO_BIN_EXE_ouro"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("running ouro");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn check(program: &str, question: &[&str], verdict: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let certificate = folder.path().join("certificate.json");
    let certificate = certificate.to_str().expect("UTF-8");
    let plain = ["check", program, "--format", "json", "--certificate", certificate];
    let (_, stdout, stderr) = ouro(&[&plain[..], question].concat());
    let report: serde_json::Value =
        serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stdout}{stderr}"));
    assert_eq!(report["verdict"], verdict, "{program} {question:?}: {stdout}{stderr}");
    // The files of a certificate are found from where it was asked for.
    let (code, stdout, stderr) = ouro(&["verify", certificate]);
    assert_eq!(code, Some(0), "{program} {question:?}: {stdout}{stderr}");
    assert_eq!(stdout, format!("accepted: {verdict}\n"));
}

#[test]
fn specifications() {
    for (program, specification, verdict) in EXAMPLES {
        match specification {
            Some(specification) => check(program, &["--spec", specification], verdict),
            None => check(program, &[], verdict),
        }
    }
}

#[test]
fn formulas() {
    for (program, formula, verdict) in FORMULAS {
        check(program, &["--ltl", formula], verdict);
    }
}
