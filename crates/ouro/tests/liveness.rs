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
    let claim = if verdict == "loops" { "loops forever" } else { verdict };
    assert!(stdout.starts_with(&format!("accepted: {claim}\n")), "{stdout}");
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

/// `check` for a program that is given as text.
fn check_text(program: &str, question: &[&str], verdict: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("program.c");
    std::fs::write(&file, program).expect("writing the program");
    let file = file.to_str().expect("UTF-8");
    let certificate = folder.path().join("certificate.json");
    let certificate = certificate.to_str().expect("UTF-8");
    let plain = ["check", file, "--format", "json", "--certificate", certificate];
    let (_, stdout, stderr) = ouro(&[&plain[..], question].concat());
    let report: serde_json::Value =
        serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stdout}{stderr}"));
    assert_eq!(report["verdict"], verdict, "{program} {question:?}: {stdout}{stderr}");
    if verdict != "unknown" {
        let (code, stdout, stderr) = ouro(&["verify", certificate]);
        assert_eq!(code, Some(0), "{program} {question:?}: {stdout}{stderr}");
    }
    stdout
}

/// A program and the values of `x` in its states, as docs/liveness-language.md counts them.
const STATES: [(&str, &[i32]); 6] = [
    ("int x; int main(void) { x = 1; x = 2; x = 3; return 0; }", &[0, 1, 2, 3]),
    (
        "int x; void out(void); int in(void);
         int main(void) { int a = 5; x = a; out(); in(); x = in() ? 2 : 2; return 0; }",
        &[0, 0, 5, 5, 5, 5, 2],
    ),
    // Parameters and what a function returns are no assignments, wherever the compiler puts them.
    (
        "int x; static int pick(int a) { int *p = &a; if (*p > 3) return 1; return 2; }
         int main(void) { x = pick(2); x = 5; return x; }",
        &[0, 0, 0, 2, 5],
    ),
    (
        "int x; struct pair { int a, b; } g;
         static struct pair make(void) { struct pair l = {1, 2}; return l; }
         int main(void) { g = make(); x = 1; return 0; }",
        &[0, 0, 0, 0, 1],
    ),
    // A turn of a loop is nothing in itself.
    ("int x; int main(void) { while (x < 3) x++; x = 9; return 0; }", &[0, 1, 2, 3, 9]),
    // What comes before `main` is no state.
    (
        "int x; __attribute__((constructor)) static void early(void) { x = 7; x = 1; }
         int main(void) { x = 2; return 0; }",
        &[1, 2],
    ),
];

#[test]
fn next_states() {
    for (program, values) in STATES {
        // One formula that says all, and one that is wrong about the last state.
        let all = |last: i32| {
            let parts = values[..values.len() - 1].iter().copied().chain([last]).enumerate();
            let parts = parts.map(|(n, value)| format!("{}\"x == {value}\"", "X ".repeat(n)));
            parts.collect::<Vec<_>>().join(" && ")
        };
        let last = *values.last().expect("a state");
        check_text(program, &["--ltl", &all(last)], "holds");
        check_text(program, &["--ltl", &all(last + 1)], "violated");
    }
}

#[test]
fn before_main() {
    let early = "int x, y; static void set(int to) { x = to; }
        __attribute__((constructor)) static void early(void) { set(7); set(0); }
        int main(void) { set(1); while (1) y = !y; }";
    check_text(early, &["--ltl", r#"G "x != 7""#], "holds");
    check_text(early, &["--ltl", r#"F "x == 7""#], "violated");
    check_text(early, &["--ltl", r#"G F "y""#], "holds");
    // No state is there to speak of.
    let never = "int x; __attribute__((constructor)) static void early(void) { while (!x); }
        int main(void) { x = 1; return 0; }";
    check_text(never, &["--ltl", r#"F "x == 1""#], "holds");
    check_text(never, &["--ltl", r#"G "x == 0""#], "holds");
    let ends = "void exit(int); int x;
        __attribute__((constructor)) static void early(void) { exit(0); }
        int main(void) { return 0; }";
    check_text(ends, &["--ltl", r#"F "x == 1""#], "holds");
}

/// Where what a specification says is undefined, nobody knows whether it holds.
#[test]
fn undefined_in_a_specification() {
    let array = "int a[3] = {1, 1, 1}, i = 5, z; int main(void) { z = 1; return 0; }";
    for formula in
        [r#"G "a[i] == 1""#, r#"G "*(int *)0 == 1""#, r#"F "1 % z""#, r#"G "1 << i * 8 == 256""#]
    {
        let stdout = check_text(array, &["--ltl", formula], "unknown");
        assert!(stdout.contains("undefined behaviour in the specification"), "{formula}: {stdout}");
        assert!(stdout.contains("--ltl"), "{formula}: {stdout}");
    }
    let input = "int __VERIFIER_nondet_int(void); int a[3] = {1, 1, 1}, i;
        static int next(int n) { return n + 1; }
        int main(void) { i = __VERIFIER_nondet_int(); return 0; }";
    for formula in [r#"G "a[i] == 1""#, r#"G "i + 1 > i""#, r#"G "next(i) > i""#] {
        let stdout = check_text(input, &["--ltl", formula], "unknown");
        assert!(stdout.contains("undefined behaviour in the specification"), "{formula}: {stdout}");
    }
    check_text(input, &["--ltl", r#"G "i < 0 || i > 2 || a[i] == 1""#], "holds");
    // A run that violates it before is one.
    check_text(input, &["--ltl", r#"G("i != 2" && "a[i] == 1")"#], "violated");
    // Undefined behaviour of the program itself still ends the run.
    let own = "int x; int main(void) { int *p = 0; x = 1; x = *p; x = 2; return 0; }";
    check_text(own, &["--ltl", r#"G "x != 2""#], "holds");
    let folder = tempfile::tempdir().expect("a folder");
    let spec = folder.path().join("s.slic");
    std::fs::write(&spec, "state { int n = 0; } f.entry { n = 10 / $1; if (n > 20) error(); }")
        .expect("writing the specification");
    let spec = spec.to_str().expect("UTF-8");
    let call = "int __VERIFIER_nondet_int(void); static void f(int a) { (void)a; }
        int main(void) { f(__VERIFIER_nondet_int()); return 0; }";
    let stdout = check_text(call, &["--spec", spec], "unknown");
    assert!(stdout.contains("undefined behaviour in the specification"), "{stdout}");
}
