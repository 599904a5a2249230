//! Verdicts, in text and JSON, and the files that come with them.

use std::process::Command;

use super::{COUNTS, Folder, WAITS};

#[test]
fn terminates() {
    let folder = Folder::with(&[("counts.c", COUNTS)]);
    let text = folder.ouro(&["check", "counts.c"]);
    assert_eq!((text.code, text.stderr.as_str()), (Some(0), ""));
    assert!(text.stdout.starts_with("terminates: every run of main terminates"), "{}", text.stdout);
    assert!(text.stdout.contains("counts.c:3 in main"), "{}", text.stdout);
    assert!(!text.stdout.contains('\x1b'), "no colours in a pipe");

    let json = folder.ouro(&["check", "counts.c", "--format", "json"]);
    assert_eq!((json.code, json.stderr.as_str()), (Some(0), ""));
    let object = json.json();
    assert_eq!(object["verdict"], "terminates");
    assert_eq!(object["engine"], "explore");
    assert_eq!(object["certificate"], "checked");
    assert!(object["seconds"].as_f64().is_some_and(|seconds| seconds > 0.0));
    assert!(object["reason"].is_null() && object["location"].is_null());
}

#[test]
fn loops() {
    let folder = Folder::with(&[("waits.c", WAITS)]);
    let text = folder.ouro(&["check", "waits.c"]);
    assert_eq!((text.code, text.stderr.as_str()), (Some(1), ""));
    for part in [
        "loops forever",
        "--> waits.c:",
        "7 |   while (n != 7) {",
        "^^^ this loop never ends",
        "comes back unchanged after every iteration",
        "__VERIFIER_nondet_uint() = ",
        "(waits.c:8, again and again)",
    ] {
        assert!(text.stdout.contains(part), "{part}: {}", text.stdout);
    }

    let object = folder.ouro(&["check", "waits.c", "--format", "json"]).json();
    assert_eq!(object["verdict"], "loops");
    assert_eq!(object["location"]["file"], "waits.c");
    // The loop is on both lines; which one recurs first is the engine's affair.
    assert!(matches!(object["location"]["line"].as_u64(), Some(7 | 8)), "{object}");
    assert_eq!(object["location"]["function"], "main");
    assert_eq!(object["inputs"][0]["function"], "__VERIFIER_nondet_uint");
    assert_eq!(object["inputs"][0]["repeats"], false);
    assert!(!object["recurrent_set"].is_null());
}

#[test]
fn same_question_same_answer() {
    let folder = Folder::with(&[("waits.c", WAITS)]);
    let ask = || {
        let mut object = folder.ouro(&["check", "waits.c", "--format", "json"]).json();
        object["seconds"] = 0.into();
        for attempt in object["attempts"].as_array_mut().expect("attempts") {
            (attempt["started"], attempt["spent"]) = (0.into(), 0.into());
        }
        for finding in object["findings"].as_array_mut().expect("findings") {
            finding["seconds"] = 0.into();
        }
        object
    };
    assert_eq!(ask(), ask());
}

#[test]
fn a_loop_until_overflow_is_not_endless() {
    let source = "int main(void) {\n  int i = 1;\n  while (i > 0)\n    i += 16777216;\n}\n";
    let folder = Folder::with(&[("grows.c", source)]);
    let object = folder.ouro(&["check", "grows.c", "--format", "json"]).json();
    assert_ne!(object["verdict"], "loops", "{object}");
}

#[test]
fn other_functions_and_options() {
    let source = "#ifdef ENDLESS\nint f(int n) { while (n) ; return 0; }\n#else\n\
                  int f(int n) { return n; }\n#endif\n";
    let folder = Folder::with(&[("f.c", source)]);
    assert_eq!(folder.ouro(&["check", "f.c", "--function", "f"]).code, Some(0));
    let endless = folder.ouro(&["check", "f.c", "--function", "f", "--", "-DENDLESS"]);
    assert_eq!(endless.code, Some(1), "{}{}", endless.stdout, endless.stderr);
}

#[test]
fn files_are_written_for_verdicts_that_have_them() {
    let folder = Folder::with(&[("counts.c", COUNTS)]);
    let outputs = ["--certificate", "out.json", "--reproducer", "out.c"];
    let outcome = folder.ouro(&[&["check", "counts.c"], &outputs[..]].concat());
    assert_eq!(outcome.code, Some(0));
    assert!(folder.path("out.json").exists());
    assert!(!folder.path("out.c").exists());
    assert!(outcome.stderr.contains("out.c was not written"), "{}", outcome.stderr);
    assert_eq!(folder.contents().len(), 2, "no temporary file is left");
}

/// The reproducer, compiled with the program, is still running after a second.
fn check_hangs(source: &str, options: &[&str]) {
    let folder = Folder::with(&[("program.c", source)]);
    let arguments = ["check", "program.c", "--reproducer", "repro.c"];
    let outcome = folder.ouro(&[&arguments, options].concat());
    assert_eq!(outcome.code, Some(1), "{}{}", outcome.stdout, outcome.stderr);
    let compiled = Command::new("cc")
        .args(["-w", "program.c", "repro.c", "-o", "hang", "-lm"])
        .current_dir(folder.0.path())
        .status();
    assert!(compiled.expect("a C compiler").success(), "{}", folder.read("repro.c"));
    let mut hang = Command::new(folder.path("hang")).spawn().expect("running it");
    std::thread::sleep(std::time::Duration::from_secs(1));
    let ended = hang.try_wait().expect("waiting");
    hang.kill().expect("ending it");
    hang.wait().expect("waiting");
    assert_eq!(ended, None, "it ended: {}", folder.read("repro.c"));
}

#[test]
fn reproducers_hang() {
    check_hangs(WAITS, &[]);
    let reads = "\
        #include <stdio.h>\n\
        int main(void) {\n\
          while (getchar() != '.') ;\n\
        }\n";
    check_hangs(reads, &[]);
    let parity = "\
        extern unsigned char __VERIFIER_nondet_uchar(void);\n\
        extern void reach_error(void);\n\
        extern double never_asked(void);\n\
        int main(void) {\n\
          for (unsigned char i = __VERIFIER_nondet_uchar(); i != 10; i += 64) ;\n\
          if (never_asked() > 0)\n\
            reach_error();\n\
          return 0;\n\
        }\n";
    check_hangs(parity, &[]);
    let asked = "int f(signed char a, int unused, double d) {\n\
                   while (a == -3 && d > 2.5) ;\n\
                   return 0;\n\
                 }\n";
    check_hangs(asked, &["--function", "f"]);
}

/// What the program names and nobody defines is defined by the reproducer.
#[test]
fn reproducers_link() {
    let driver = "\
        extern struct { long owner; char name[40]; } module;\n\
        extern struct hidden opaque;\n\
        extern int mode, table[];\n\
        extern __thread int own;\n\
        extern double sin(double), unused(void);\n\
        extern struct { long a[4]; } large(int);\n\
        void no_seek(void), trace(int);\n\
        void (*operations[])(void) = { no_seek };\n\
        void *addresses[] = { &module, &opaque, table };\n\
        int probe(int x) { return table[x] + own + large(x).a[1] + (int)sin(x); }\n\
        int main(void) {\n\
          if (mode != 77 || module.owner)\n\
            return 0;\n\
          for (;;)\n\
            trace(1);\n\
        }\n";
    check_hangs(driver, &[]);
}
