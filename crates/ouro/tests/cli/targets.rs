//! Options that ask for a machine: followed, or refused, and never overlooked.

use crate::Folder;

/// Runs forever where `long` has 32 bits, and ends where it has 64.
const NARROW: &str = "\
int main(void) {
  while (sizeof(long) == 4) {
  }
  return 0;
}
";

/// Ends unless integers wrap around.
const GROWS: &str = "\
int main(void) {
  int i = 2147483647;
  for (;;) {
    i = i + 1;
    if (i > 0)
      return 0;
    i = 2147483647;
  }
}
";

fn verdict(file: &str, text: &str, more: &[&str]) -> String {
    let folder = Folder::with(&[(file, text)]);
    let outcome = folder.ouro(&[&["check", file, "--format", "json"], more].concat());
    outcome.json()["verdict"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn sizes_are_those_of_the_options() {
    for (options, expected) in [
        (&["--", "-m32"][..], "loops"),
        (&["--", "--target=i686-linux-gnu"], "loops"),
        (&["--", "-target", "i386-pc-linux-gnu"], "loops"),
        (&["--data-model", "ilp32", "--", "-m32"], "loops"),
        (&["--", "-m64"], "terminates"),
        (&["--", "-march=x86-64-v3"], "terminates"),
    ] {
        assert_eq!(verdict("narrow.c", NARROW, options), expected, "{options:?}");
    }
}

#[test]
fn the_language_and_the_level_are_those_of_the_options() {
    let letter = "int main(void) { while (sizeof('a') == 1) { } return 0; }\n";
    let level = "int main(void) {\n#ifdef __OPTIMIZE__\n  for (;;) { }\n#endif\n  return 0;\n}\n";
    for (text, options, expected) in [
        (letter, &["--", "-x", "c++"][..], "loops"),
        (letter, &["--", "-xc++"], "loops"),
        (letter, &["--", "-x", "c++", "-x", "c"], "terminates"),
        (letter, &[], "terminates"),
        (level, &["--", "-O2"], "loops"),
        (level, &["--", "-Os"], "loops"),
        (level, &["--", "-O2", "-O0"], "terminates"),
        (level, &[], "terminates"),
    ] {
        assert_eq!(verdict("letter.c", text, options), expected, "{options:?}");
    }
    let folder = Folder::with(&[("letter.c", letter)]);
    let outcome = folder.ouro(&["check", "letter.c", "--", "-x", "objective-c"]);
    assert_eq!(outcome.code, Some(2), "{}", outcome.stdout);
    assert!(outcome.stderr.contains("objective-c"), "{}", outcome.stderr);
}

#[test]
fn certificates_keep_the_machine() {
    let folder = Folder::with(&[("narrow.c", NARROW)]);
    folder.ouro(&["check", "narrow.c", "--certificate", "c.json", "--", "-m32"]);
    assert_eq!(folder.ouro(&["verify", "c.json"]).code, Some(0));
    let forged = folder.read("c.json").replace("-m32", "-mx32");
    folder.write("c.json", forged);
    assert_eq!(folder.ouro(&["verify", "c.json"]).code, Some(2));
}

#[test]
fn integers_wrap_if_an_option_says_so() {
    assert_eq!(verdict("grows.c", GROWS, &["--", "-fwrapv"]), "loops");
    assert_eq!(verdict("grows.c", GROWS, &["--", "-fno-strict-overflow"]), "loops");
    let folder = Folder::with(&[("grows.c", GROWS)]);
    let outcome = folder.ouro(&["check", "grows.c", "--ints", "unbounded", "--", "-fwrapv"]);
    assert_eq!(outcome.code, Some(2), "{}", outcome.stderr);
}

#[test]
fn other_machines_are_refused() {
    let folder = Folder::with(&[("narrow.c", NARROW)]);
    for (options, named) in [
        (&["--", "-mx32"][..], "-mx32"),
        (&["--", "--target=aarch64-linux-gnu"], "aarch64-linux-gnu"),
        (&["--", "-target", "arm-none-eabi"], "arm-none-eabi"),
        (&["--", "-mcpu=cortex-m4"], "-mcpu=cortex-m4"),
        (&["--", "-ffast-math"], "-ffast-math"),
        (&["--", "-mlong-double-64"], "-mlong-double-64"),
        (&["--", "-fpack-struct=1"], "-fpack-struct=1"),
        (&["--data-model", "lp64", "--", "-m32"], "select ilp32"),
        (&["--data-model", "ilp32", "--", "--target=x86_64-linux-gnu"], "select lp64"),
    ] {
        let outcome = folder.ouro(&[&["check", "narrow.c"], options].concat());
        assert_eq!(outcome.code, Some(2), "{options:?}: {}", outcome.stdout);
        assert!(outcome.stderr.contains(named), "{options:?}: {}", outcome.stderr);
    }
}

#[test]
fn a_scan_goes_on_behind_calls_of_the_library() {
    let text = "#include <time.h>\n\
                int f(int n) { int s = 0; for (int i = 0; i < n; i++) { tzset(); s ^= i; } return s; }\n";
    let folder = Folder::with(&[("a.c", text)]);
    let outcome = folder.ouro(&["scan", ".", "--no-cache", "--timeout", "5s", "--format", "json"]);
    assert!(outcome.stdout.contains("\"terminates\""), "{}", outcome.stdout);
}

#[test]
fn a_scan_follows_each_command() {
    let text = "int f(int n) { int s = 0; for (int i = 0; i < n; i++) s ^= i; return s; }\n\
                _Static_assert(sizeof(long) == 4, \"narrow\");\n";
    let folder = Folder::with(&[("a.c", text)]);
    let commands = |command: &str| {
        let path = folder.path("");
        let directory = path.display();
        let text = format!(
            "[{{\"directory\": \"{directory}\", \"file\": \"a.c\", \"command\": \"{command} -c a.c\"}}]"
        );
        folder.write("compile_commands.json", text);
        folder.ouro(&["scan", ".", "--no-cache", "--timeout", "5s", "--format", "json"])
    };
    for command in ["gcc -m32", "i686-linux-gnu-gcc", "clang --target=i386-linux-gnu"] {
        let outcome = commands(command);
        assert_eq!(outcome.code, Some(0), "{command}: {}{}", outcome.stdout, outcome.stderr);
    }
    for command in ["arm-none-eabi-gcc", "gcc -mx32", "gcc -m32 -Ofast", "gcc"] {
        let outcome = commands(command);
        assert_ne!(outcome.code, Some(0), "{command}: {}{}", outcome.stdout, outcome.stderr);
    }
}

#[test]
fn a_scan_follows_the_language_of_each_command() {
    let text = "int f(int n) { if (sizeof('a') == 1) for (;;) { } return n; }\n\
                #ifdef TURNS\nint g(void) { for (;;) { } }\n#endif\n";
    let folder = Folder::with(&[("a.c", text)]);
    for (command, lines) in [
        ("gcc", 0),
        ("g++", 1),
        ("ccache clang++-19", 1),
        ("cc -x c++", 1),
        ("cc -Wp,-DTURNS", 1),
        ("cc -Xpreprocessor -DTURNS -xc++", 2),
    ] {
        let path = folder.path("");
        let directory = path.display();
        let entry = format!(
            "[{{\"directory\": \"{directory}\", \"file\": \"a.c\", \"command\": \"{command} -c a.c\"}}]"
        );
        folder.write("compile_commands.json", entry);
        let outcome =
            folder.ouro(&["scan", ".", "--no-cache", "--timeout", "5s", "--format", "json"]);
        let found = outcome.json()["findings"].as_array().map(Vec::len);
        assert_eq!(found, Some(lines), "{command}: {}", outcome.stderr);
    }
}
