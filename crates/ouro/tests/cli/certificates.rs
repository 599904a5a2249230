//! Certificates: accepted as they were written, and not otherwise.

use super::{COUNTS, Folder, WAITS};

/// A folder with a program and its certificate.
fn certified(source: &str) -> Folder {
    let folder = Folder::with(&[("program.c", source)]);
    let outcome = folder.ouro(&["check", "program.c", "--certificate", "proof.json"]);
    assert!(matches!(outcome.code, Some(0 | 1)), "{}{}", outcome.stdout, outcome.stderr);
    folder
}

fn check_accepted(folder: &Folder, word: &str) {
    let outcome = folder.ouro(&["verify", "proof.json"]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    let mut lines = outcome.stdout.lines();
    assert_eq!(lines.next(), Some(format!("accepted: {word}").as_str()));
    // Which question it was is said again, as it was checked.
    let runs = if word == "loops forever" { "a run" } else { "every run" };
    let meaning = format!(
        "    checked: {runs} of main of program.c; --ints c --data-model lp64 --externs choice \
         --allocations "
    );
    assert!(lines.next().is_some_and(|line| line.starts_with(&meaning)), "{}", outcome.stdout);
}

fn check_refused(folder: &Folder, what: &str) {
    let outcome = folder.ouro(&["verify", "proof.json"]);
    assert_eq!(outcome.code, Some(2), "{what}: {}{}", outcome.stdout, outcome.stderr);
    assert_eq!(outcome.stdout, "", "{what}");
    assert!(outcome.stderr.starts_with("error: "), "{what}: {}", outcome.stderr);
    assert_eq!(outcome.stderr.trim_end().lines().count(), 1, "{what}: {}", outcome.stderr);
}

#[test]
fn accepted() {
    check_accepted(&certified(WAITS), "loops forever");
    check_accepted(&certified(COUNTS), "terminates");
}

/// What is undefined and taken to end a run is said with the verdict, and found again.
#[test]
fn accepted_with_what_is_undefined() {
    let source = "int __VERIFIER_nondet_int(void);\nint main(void)\n{\n    int n = __VERIFIER_nondet_int();\n    \
                  return 100 / n;\n}\n";
    let folder = certified(source);
    let said =
        "no division by zero at program.c:5: it happens with __VERIFIER_nondet_int() (line 4) = 0.";
    let outcome = folder.ouro(&["verify", "proof.json"]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    assert!(outcome.stdout.contains(&format!("    assumed: {said}")), "{}", outcome.stdout);
    let outcome = folder.ouro(&["check", "program.c", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&outcome.stdout).expect("JSON");
    let assumed = report["assumptions"].as_array().expect("a list");
    let undefined = assumed.iter().find(|one| one["kind"] == "undefined").expect("it is named");
    assert_eq!(undefined["line"], 5);
    assert_eq!(undefined["what"], "division by zero");
    assert_eq!(undefined["inputs"][0]["value"], "0");
}

#[test]
fn accepted_from_elsewhere() {
    let folder = certified(WAITS);
    let elsewhere = Folder::with(&[]);
    let certificate = folder.path("proof.json");
    let outcome = elsewhere.ouro(&["verify", certificate.to_str().expect("UTF-8")]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
}

#[test]
fn tampered() {
    let folder = certified(WAITS);
    let original: serde_json::Value =
        serde_json::from_str(&folder.read("proof.json")).expect("JSON");
    type Tamper = fn(&mut serde_json::Value);
    let all: [(&str, Tamper); 14] = [
        ("another stem input", |c| c["evidence"]["recurs"]["inputs"][0]["bits"] = "3".into()),
        ("an input that leaves", |c| {
            let inputs = c["evidence"]["recurs"]["inputs"].as_array_mut().expect("inputs");
            inputs.last_mut().expect("an input")["bits"] = "113".into();
        }),
        ("an input too wide", |c| {
            c["evidence"]["recurs"]["inputs"][0]["bits"] = "4294967296".into();
        }),
        ("one input fewer", |c| {
            c["evidence"]["recurs"]["inputs"].as_array_mut().expect("inputs").pop();
        }),
        ("a later start", |c| add(&mut c["evidence"]["recurs"]["first_step"], 1)),
        ("a shorter trace", |c| add(&mut c["evidence"]["recurs"]["second_step"], -1)),
        ("a longer trace", |c| add(&mut c["evidence"]["recurs"]["second_step"], 1)),
        ("another cycle", |c| c["evidence"]["recurs"]["cycle_inputs"] = 0.into()),
        ("another place", |c| c["evidence"]["recurs"]["place"]["line"] = 11.into()),
        ("a recursion", |c| c["evidence"]["recurs"]["recursion"] = true.into()),
        ("another verdict", |c| c["verdict"] = "terminates".into()),
        ("another claim", |c| {
            c["verdict"] = "terminates".into();
            c["evidence"] = serde_json::json!({"exhausted":
                {"states": 10, "forks": 9, "steps": 1000, "undefined": []}});
        }),
        ("another hash", |c| c["program"]["files"][0]["sha256"] = "0".repeat(64).into()),
        ("another function", |c| c["program"]["function"] = "start".into()),
    ];
    for (what, tamper) in all {
        let mut tampered = original.clone();
        tamper(&mut tampered);
        assert_ne!(tampered, original, "{what} changes nothing");
        folder.write("proof.json", tampered.to_string());
        check_refused(&folder, what);
    }
}

fn add(number: &mut serde_json::Value, difference: i64) {
    *number = (number.as_i64().expect("a number") + difference).into();
}

/// What is printed as checked is what was checked: with another meaning the same evidence does not hold.
#[test]
fn another_meaning() {
    let endless_by_wrapping = "int main(void) { for (int i = 0; ; i++) { } }\n";
    let by_size = "int main(void) { while (sizeof(long) == 8) { } }\n";
    let by_option = "#ifndef ENDS\n#define ENDS 0\n#endif\n\
                     int main(void) { while (!ENDS) { } }\n";
    let by_allocation = "#include <stdlib.h>\nint main(void) { while (!malloc(1)) { } }\n";
    let by_function = "extern int more(void);\nint main(void) { while (more()) { } }\n";
    type Tamper = fn(&mut serde_json::Value);
    let all: [(&str, &str, &[&str], Tamper); 5] = [
        ("allocations", by_allocation, &[], |c| c["program"]["allocations"] = "succeed".into()),
        ("externs", by_function, &[], |c| c["program"]["externs"] = "unknown".into()),
        ("ints", endless_by_wrapping, &["--ints", "wrap"], |c| c["program"]["ints"] = "c".into()),
        ("data model", by_size, &[], |c| c["program"]["data_model"] = "ilp32".into()),
        ("option", by_option, &[], |c| {
            c["program"]["clang_args"] = serde_json::json!(["-DENDS=1"]);
        }),
    ];
    for (what, source, options, tamper) in all {
        let folder = Folder::with(&[("program.c", source)]);
        let asked = ["check", "program.c", "--certificate", "proof.json"];
        let outcome = folder.ouro(&[&asked[..], options].concat());
        assert!(
            matches!(outcome.code, Some(0 | 1)),
            "{what}: {}{}",
            outcome.stdout,
            outcome.stderr
        );
        assert_eq!(folder.ouro(&["verify", "proof.json"]).code, Some(0), "{what}");
        let mut certificate: serde_json::Value =
            serde_json::from_str(&folder.read("proof.json")).expect("JSON");
        tamper(&mut certificate);
        folder.write("proof.json", certificate.to_string());
        check_refused(&folder, what);
    }
}

#[test]
fn changed_sources() {
    let folder = certified(WAITS);
    folder.write("program.c", WAITS.replace("1000", "1001"));
    check_refused(&folder, "a changed source");
    std::fs::remove_file(folder.path("program.c")).expect("removing it");
    check_refused(&folder, "a missing source");
}

#[test]
fn a_terminating_program_has_no_looping_twin() {
    // The evidence of one program, put under the name of another.
    let looping = certified(WAITS);
    let ending = certified(&WAITS.replace("n != 7", "n == 7"));
    let mut certificate: serde_json::Value =
        serde_json::from_str(&ending.read("proof.json")).expect("JSON");
    let other: serde_json::Value = serde_json::from_str(&looping.read("proof.json")).expect("JSON");
    certificate["verdict"] = other["verdict"].clone();
    certificate["evidence"] = other["evidence"].clone();
    ending.write("proof.json", certificate.to_string());
    check_refused(&ending, "evidence of another program");
}
