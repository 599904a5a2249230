//! Transition systems: verdicts, options, certificates.

use std::fmt::Write as _;

use ouro_evidence::{
    Certificate, CertificateSubject, Evidence, MoveStep, ProgramQuestion, RecurrentLocation,
    RecurrentMove, RecurrentSet, SourceFile, StemStep, certificate,
};

use super::{COUNTS, Folder, Outcome};

/// Counts up for as long as x is not negative.
const COUNTS_UP: &str = "\
(GOAL TERMINATION)
(STARTTERM (FUNCTIONSYMBOLS start))
(VAR x)
(RULES
  start(x) -> loop(x)
  loop(x) -> loop(x + 1) :|: x >= 0
)
";

/// The same in the other two forms.
const COUNTS_UP_T2: &str = "\
START: 0;
FROM: 0;
TO: 1;
FROM: 1;
  assume(x >= 0);
  x := x + 1;
TO: 1;
";

const COUNTS_UP_SMT: &str = "\
(declare-sort Loc 0)
(declare-const l0 Loc)
(declare-const l1 Loc)
(assert (distinct l0 l1))
(define-fun cfg_init ((pc Loc) (src Loc) (rel Bool)) Bool (and (= pc src) rel))
(define-fun cfg_trans2 ((pc Loc) (src Loc) (pc1 Loc) (dst Loc) (rel Bool)) Bool
  (and (= pc src) (= pc1 dst) rel))
(define-fun init_main ((pc^0 Loc) (x^0 Int)) Bool (cfg_init pc^0 l0 true))
(define-fun next_main ((pc^0 Loc) (x^0 Int) (pc^post Loc) (x^post Int)) Bool
  (or (cfg_trans2 pc^0 l0 pc^post l1 (= x^post x^0))
      (cfg_trans2 pc^0 l1 pc^post l1 (and (>= x^0 0) (= x^post (+ x^0 1))))))
";

/// Walks on for as long as x is not negative, by steps that the environment chooses.
const WALKS: &str = "\
(GOAL TERMINATION)
(STARTTERM (FUNCTIONSYMBOLS start))
(VAR x y z)
(RULES
  start(x, y) -> walk(x, z) :|: z >= 1
  start(x, y) -> turn(x, y)
  walk(x, y)  -> turn(x + y, z) :|: x >= 0 && z >= 1
  turn(x, y)  -> walk(x, y)
)
";

/// Evidence that the walk never ends, made by hand: tests of certificates need no engine.
fn evidence() -> RecurrentSet {
    let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    RecurrentSet {
        initial: texts(&["5", "(- 7)"]),
        stem: vec![StemStep { edge: 0, choices: texts(&["3"]) }],
        places: vec![RecurrentLocation {
            location: 1,
            set: "(and (<= 0 x) (<= 1 y))".to_owned(),
            moves: vec![RecurrentMove {
                steps: vec![
                    MoveStep { edge: 2, choices: texts(&["y"]) },
                    MoveStep { edge: 3, choices: vec![] },
                ],
            }],
        }],
    }
}

/// A folder with the walk and its certificate.
fn certified() -> Folder {
    let folder = Folder::with(&[("walk.koat", WALKS)]);
    let sha256 = certificate::sha256_hex(WALKS.as_bytes());
    let file = SourceFile { path: "walk.koat".to_owned(), sha256 };
    let certificate = Certificate::new(
        CertificateSubject::System(file),
        ProgramQuestion::Termination,
        Evidence::Recurrent(evidence()),
    );
    folder.write("proof.json", certificate.to_json());
    folder
}

fn check_refused(folder: &Folder, what: &str, why: &str) {
    let outcome = folder.ouro(&["verify", "proof.json"]);
    assert_eq!(outcome.code, Some(2), "{what}: {}{}", outcome.stdout, outcome.stderr);
    assert_eq!(outcome.stdout, "", "{what}");
    assert!(outcome.stderr.starts_with("error: "), "{what}: {}", outcome.stderr);
    assert!(outcome.stderr.contains(why), "{what}: {}", outcome.stderr);
    assert_eq!(outcome.stderr.trim_end().lines().count(), 1, "{what}: {}", outcome.stderr);
}

#[test]
fn certificates_are_accepted() {
    let folder = certified();
    let outcome = folder.ouro(&["verify", "proof.json"]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    let meaning = "    checked: the transition system of ";
    assert!(
        outcome.stdout.starts_with(&format!("accepted: loops forever\n{meaning}")),
        "{}",
        outcome.stdout
    );
    let elsewhere = Folder::with(&[]);
    let path = folder.path("proof.json");
    let outcome = elsewhere.ouro(&["verify", path.to_str().expect("UTF-8")]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
}

#[test]
fn tampered_certificates_are_not() {
    let folder = certified();
    let original: serde_json::Value =
        serde_json::from_str(&folder.read("proof.json")).expect("JSON");
    type Tamper = fn(&mut serde_json::Value);
    let all: [(&str, &str, Tamper); 12] = [
        ("another start", "the stem does not end in the set", |e| e["initial"][0] = "(- 1)".into()),
        ("another edge", "the edge starts at l1", |e| e["stem"][0]["edge"] = 2.into()),
        ("an edge to elsewhere", "the stem ends at l2, not at l1", |e| {
            e["stem"][0] = serde_json::json!({"edge": 1, "choices": []});
        }),
        ("a shorter stem", "the stem ends at l0, not at l1", |e| e["stem"] = [(); 0].into()),
        ("another choice on the way to the loop", "the guard does not hold", |e| {
            e["stem"][0]["choices"][0] = "0".into();
        }),
        ("a weaker set", "a run can leave the set", |e| e["places"][0]["set"] = "(<= 0 x)".into()),
        ("a set of something else", "not a term", |e| {
            e["places"][0]["set"] = "(<= 0 other)".into();
        }),
        ("another choice in the loop", "a run can leave the set", |e| {
            e["places"][0]["moves"][0]["steps"][0]["choices"][0] = "0".into();
        }),
        ("another edge in the loop", "its next step at", |e| {
            e["places"][0]["moves"][0]["steps"][0]["edge"] = 0.into();
        }),
        ("another location", "its next step at", |e| e["places"][0]["location"] = 0.into()),
        ("no moves", "no move", |e| e["places"][0]["moves"] = [(); 0].into()),
        ("no places", "no place", |e| e["places"] = [(); 0].into()),
    ];
    for (what, why, tamper) in all {
        let mut tampered = original.clone();
        tamper(&mut tampered["evidence"]["recurrent"]);
        assert_ne!(tampered, original, "{what} changes nothing");
        folder.write("proof.json", tampered.to_string());
        check_refused(&folder, what, why);
    }
    let mut tampered = original.clone();
    tampered["system"]["sha256"] = "0".repeat(64).into();
    folder.write("proof.json", tampered.to_string());
    check_refused(&folder, "another hash", "the file has changed since");
}

#[test]
fn certificates_of_other_files() {
    let folder = certified();
    folder.write("walk.koat", WALKS.replace(">= 1", ">= 0"));
    check_refused(&folder, "a changed file", "the file has changed since");
    std::fs::remove_file(folder.path("walk.koat")).expect("removing it");
    check_refused(&folder, "a missing file", "there is no such file");

    let original = certified().read("proof.json");
    let write = |name: &str, text: &str| {
        let hash = certificate::sha256_hex(text.as_bytes());
        let was = certificate::sha256_hex(WALKS.as_bytes());
        folder.write(name, text);
        folder.write("proof.json", original.replace("walk.koat", name).replace(&was, &hash));
    };
    write("walk.c", COUNTS);
    check_refused(&folder, "a program", "expected a transition system");
    write("walk.t2", "START: 0;\nFROM: 0;\nTO: ;\n");
    check_refused(&folder, "no system", "walk.t2:3:5: expected a location, found ;");
    write("other.koat", &WALKS.replace("x >= 0", "x >= 0 && x <= 9"));
    check_refused(&folder, "another system", "rejected: a run can leave the set at l1");
}

/// Asks about a system without searching: the answer is there when the file is read.
fn read_only(folder: &Folder, file: &str) -> Outcome {
    folder.ouro(&["check", file, "--engine", "explore", "--format", "json"])
}

#[test]
fn explore_knows_programs_only_and_ranking_both() {
    let folder = Folder::with(&[("up.koat", COUNTS_UP), ("counts.c", COUNTS)]);
    let outcome = read_only(&folder, "up.koat");
    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(3), ""));
    let object = outcome.json();
    assert_eq!(object["verdict"], "unknown");
    assert_eq!(object["reason"], "explore works on programs, and this is a transition system");
    let asked = ["check", "counts.c", "--engine", "ranking", "--format", "json"];
    let outcome = folder.ouro(&asked);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    assert_eq!(outcome.json()["engine"], "ranking");
}

#[test]
fn options() {
    let folder = Folder::with(&[("up.koat", COUNTS_UP), ("counts.c", COUNTS)]);
    let ask = |options: &[&str]| {
        let before = folder.contents();
        let outcome =
            folder.ouro(&[&["check", "up.koat", "--engine", "explore"], options].concat());
        assert_eq!(folder.contents(), before, "{options:?} wrote something");
        outcome
    };
    for harmless in [&["--ints", "c"], &["--ints", "unbounded"], &["--function", "main"]] {
        let outcome = ask(harmless);
        assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(3), ""), "{harmless:?}");
        assert!(!outcome.stdout.contains("Assumed"), "{}", outcome.stdout);
    }
    let refused: [(&[&str], &str); 3] = [
        (&["--function", "loop"], "up.koat: --function does not apply"),
        (&["--ints", "wrap"], "up.koat: --ints wrap does not apply"),
        (&["--certificate", "up.koat"], "is also an input"),
    ];
    for (options, why) in refused {
        let outcome = ask(options);
        assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(2), ""), "{options:?}");
        assert!(outcome.stderr.contains(why), "{}", outcome.stderr);
        assert_eq!(outcome.stderr.trim_end().lines().count(), 1, "{}", outcome.stderr);
    }
    let outcome = ask(&["--data-model", "ilp32", "--externs", "unknown", "--", "-DN=3"]);
    assert_eq!(outcome.code, Some(3));
    assert_eq!(
        outcome.stderr,
        "note: ignored for a transition system: --data-model, --externs, options for clang\n"
    );
    let outcome = ask(&["--reproducer", "repro.c", "--certificate", "proof.json"]);
    assert_eq!(outcome.code, Some(3));
    assert!(outcome.stderr.contains("note: repro.c was not written"), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("note: proof.json was not written"), "{}", outcome.stderr);
}

#[test]
fn systems_are_alone() {
    let folder = Folder::with(&[("up.koat", COUNTS_UP), ("up.t2", ""), ("counts.c", COUNTS)]);
    for files in [&["up.koat", "up.t2"], &["counts.c", "up.koat"], &["up.t2", "counts.c"]] {
        let outcome = folder.ouro(&[&["check"], &files[..]].concat());
        assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(2), ""), "{files:?}");
        assert!(outcome.stderr.contains("check it on its own"), "{}", outcome.stderr);
    }
    let outcome = folder.ouro(&["run", "up.koat"]);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(2), ""));
    assert!(outcome.stderr.contains("this is a transition system, not a program"));
}

/// A system with this many locations in a row, in megabytes of text.
fn large(locations: usize) -> String {
    let mut text = "(GOAL TERMINATION)\n(STARTTERM (FUNCTIONSYMBOLS f0))\n(VAR a b c)\n".to_owned();
    text += "(RULES\n";
    for from in 0..locations {
        let to = from + 1;
        writeln!(
            text,
            "f{from}(a, b, c) -> f{to}(a + {from}, n, 2*c - b) :|: a >= {to} && n <= b && c != {to}"
        )
        .expect("a string takes everything");
    }
    text + ")\n"
}

#[test]
fn large_files_are_read_quickly() {
    let text = large(40_000);
    assert!(text.len() > 3 << 20);
    let folder = Folder::with(&[("large.koat", &text)]);
    // About one second on an idle machine.
    let outcome = read_only(&folder, "large.koat");
    assert_eq!(outcome.code, Some(3), "{}", outcome.stderr);
}

#[test]
fn the_time_limit_holds_while_reading() {
    let folder = Folder::with(&[("large.koat", &large(400_000))]);
    let before = folder.contents().len();
    let arguments = ["check", "large.koat", "--timeout", "100ms", "--certificate", "proof.json"];
    let outcome = folder.ouro(&arguments);
    assert_eq!(outcome.code, Some(3), "{}", outcome.stderr);
    assert!(outcome.stdout.starts_with("unknown: the time limit"), "{}", outcome.stdout);
    assert_eq!(folder.contents().len(), before);
}

#[test]
fn loops() {
    for (file, text, line) in
        [("up.koat", COUNTS_UP, 6), ("up.t2", COUNTS_UP_T2, 4), ("up.smt2", COUNTS_UP_SMT, 11)]
    {
        let folder = Folder::with(&[(file, text)]);
        let outcome = folder.ouro(&["check", file, "--certificate", "proof.json"]);
        assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(1), ""), "{file}");
        for part in [
            "loops forever: some run of the system never ends",
            &format!("--> {file}:{line} in "),
            "this loop never ends",
            "It starts with:",
            "From then on it stays in these states:",
            "certificate checked",
        ] {
            assert!(outcome.stdout.contains(part), "{part}: {}", outcome.stdout);
        }
        let outcome = folder.ouro(&["verify", "proof.json"]);
        assert_eq!(outcome.code, Some(0), "{file}: {}", outcome.stderr);

        let object = folder.ouro(&["check", file, "--format", "json"]).json();
        assert_eq!(object["verdict"], "loops");
        assert_eq!(object["certificate"], "checked");
        assert_eq!(object["location"]["file"], file);
        assert_eq!(object["location"]["line"], line);
        assert_eq!(object["inputs"][0]["source"], if line == 11 { "x^0" } else { "x" });
        let value = object["inputs"][0]["value"].as_str().expect("text");
        assert!(value.parse::<i64>().is_ok_and(|value| value >= 0), "{object}");
        assert_eq!(object["recurrent_set"][0]["line"], line);
        assert!(object["recurrent_set"][0]["set"].as_str().is_some_and(|set| !set.is_empty()));
        assert!(matches!(object["engine"].as_str(), Some("lasso" | "closed")), "{object}");
    }
}

#[test]
fn each_engine_alone() {
    let folder = Folder::with(&[("up.koat", COUNTS_UP)]);
    for engine in ["lasso", "closed"] {
        let outcome = folder.ouro(&["check", "up.koat", "--engine", engine, "--format", "json"]);
        assert_eq!(outcome.code, Some(1), "{}", outcome.stderr);
        assert_eq!(outcome.json()["engine"], engine);
    }
}

#[test]
fn terminates() {
    let text = COUNTS_UP.replace("x + 1", "x - 1");
    let folder = Folder::with(&[("down.koat", &text)]);
    let outcome = folder.ouro(&["check", "down.koat", "--certificate", "proof.json"]);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""), "{}", outcome.stdout);
    assert!(outcome.stdout.starts_with("terminates: every run of the system terminates"));
    let outcome = folder.ouro(&["verify", "proof.json"]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    let certificate = folder.read("proof.json");
    folder.write("proof.json", certificate.replace("\"x\"", "\"(* (- 1) x)\""));
    check_refused(&folder, "another ranking", "rejected");

    let object = folder.ouro(&["check", "down.koat", "--format", "json"]).json();
    assert_eq!(object["verdict"], "terminates");
    assert_eq!(object["engine"], "ranking");
    assert_eq!(object["ranking"][0]["location"], "loop");
    assert_eq!(object["ranking"][0]["line"], 6);
    assert!(object["recurrent_set"].is_null() && object["stem"].is_null());

    // Those that look for runs that never end find none.
    let arguments = ["check", "down.koat", "--engine", "closed", "--timeout", "5s"];
    let outcome = folder.ouro(&[&arguments[..], &["--certificate", "other.json"]].concat());
    assert_eq!(outcome.code, Some(3), "{}", outcome.stdout);
    assert_eq!(outcome.stderr, "note: other.json was not written: the verdict is 'unknown'\n");
    assert!(!folder.path("other.json").exists());
}
