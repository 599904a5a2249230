//! `--input`: how far what a program reads reaches.

use super::Folder;

/// A program and its verdicts with any input, and with inputs that end.
const PROGRAMS: [(&str, &str, &str); 8] = [
    // Only endless input keeps these going.
    (
        "#include <stdio.h>
         int main(void) { int c; unsigned n = 0; while ((c = getchar()) != EOF) n++; return n & 1; }",
        "loops",
        "terminates",
    ),
    (
        "#include <unistd.h>
         int main(void) { char b; while (read(0, &b, 1) > 0); return 0; }",
        "loops",
        "terminates",
    ),
    (
        "#include <stdio.h>
         int main(void) { int n, s = 0; while (scanf(\"%d\", &n) == 1) if (n == 7) s = 1; return s; }",
        "loops",
        "terminates",
    ),
    // The end of the input is not noticed, an error is not, or a word where a number should be.
    (
        "#include <stdio.h>
         int main(void) { int c; while ((c = getchar()) != '\\n'); return 0; }",
        "loops",
        "loops",
    ),
    (
        "#include <unistd.h>
         int main(void) { char b; while (read(0, &b, 1) != 0); return 0; }",
        "loops",
        "loops",
    ),
    (
        "#include <stdio.h>
         int main(void) { int n = 0; while (scanf(\"%d\", &n) != EOF) if (n == 7) break; return 0; }",
        "loops",
        "loops",
    ),
    // It is read again and again.
    (
        "#include <stdio.h>
         int main(void) {
           FILE *f = fopen(\"f\", \"r\");
           if (!f) return 1;
           for (;;) { if (getc(f) == 'x') return 0; rewind(f); }
         }",
        "loops",
        "loops",
    ),
    ("#include <stdio.h>\nint main(void) { return getchar() == 'x'; }", "terminates", "terminates"),
];

#[test]
fn ends_or_not() {
    for (program, any, ends) in PROGRAMS {
        let folder = Folder::with(&[("program.c", program)]);
        for (options, verdict) in [(&["--input", "any"], any), (&["--input", "ends"], ends)] {
            let arguments =
                ["check", "program.c", "--format", "json", "--certificate", "proof.json"];
            let outcome = folder.ouro(&[&arguments[..], options].concat());
            let report = outcome.json();
            assert_eq!(report["verdict"], verdict, "{program} {options:?}: {}", outcome.stdout);
            assert!(report["endless_input"].is_null(), "{}", outcome.stdout);
            let outcome = folder.ouro(&["verify", "proof.json"]);
            assert_eq!(outcome.code, Some(0), "{program}: {}{}", outcome.stdout, outcome.stderr);
        }
        if any == "loops" {
            let outcome = folder.ouro(&["check", "program.c", "--format", "json"]);
            let report = outcome.json();
            assert_eq!(report["verdict"], "loops", "{program}: {}", outcome.stdout);
            assert_eq!(report["endless_input"], ends != "loops", "{program}: {}", outcome.stdout);
        }
    }
}

#[test]
fn in_the_headline() {
    let (program, ..) = PROGRAMS[1];
    let folder = Folder::with(&[("program.c", program)]);
    let outcome = folder.ouro(&["check", "program.c"]);
    let text = &outcome.stdout;
    assert!(text.starts_with("loops forever if its input never ends: "), "{text}");
    let outcome = folder.ouro(&["check", "program.c", "--input", "ends"]);
    assert!(outcome.stdout.contains("has finitely many bytes"), "{}", outcome.stdout);
}
