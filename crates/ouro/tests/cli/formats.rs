//! What is made from findings: SARIF against its official schema, JUnit's XML, TermComp's words.

use serde_json::Value;

use super::schema::{assert_valid, complaints};
use super::{COUNTS, Folder, OPEN, WAITS};

const SARIF: &str = include_str!("../schemas/sarif-2.1.0.json");

fn sarif(folder: &Folder, arguments: &[&str]) -> Value {
    let outcome = folder.ouro(&[&["check", "--format", "sarif"], arguments].concat());
    let value = outcome.json();
    assert_valid(SARIF, &value);
    value
}

#[test]
fn the_schema_refuses_what_is_no_sarif() {
    let wrong = serde_json::json!({ "version": "2.1.0", "runs": [{ "results": 7 }] });
    let found = complaints(SARIF, &wrong);
    assert!(found.iter().any(|one| one.starts_with("/runs/0: it has no tool")), "{found:?}");
    assert!(found.iter().any(|one| one.starts_with("/runs/0/results")), "{found:?}");
}

#[test]
fn a_loop_that_never_ends_is_a_result_with_a_code_flow() {
    let folder = Folder::with(&[("waits.c", WAITS)]);
    let log = sarif(&folder, &["waits.c", "--engine", "explore", "--certificate", "c.json"]);
    let results = log["runs"][0]["results"].as_array().expect("results");
    let [result] = results.as_slice() else { panic!("one result: {log:#}") };
    assert_eq!(result["ruleId"], "loops-forever");
    assert_eq!(result["level"], "error");
    assert_eq!(result["taxa"][0]["id"], "835");
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "waits.c");
    assert_eq!(
        (&place["region"]["startLine"], &place["region"]["startColumn"]),
        (&7.into(), &3.into())
    );
    let steps = result["codeFlows"][0]["threadFlows"][0]["locations"].as_array().expect("steps");
    let texts: Vec<&str> =
        steps.iter().filter_map(|step| step["location"]["message"]["text"].as_str()).collect();
    assert!(
        texts[0].starts_with("on the way to the loop: __VERIFIER_nondet_uint() = "),
        "{texts:?}"
    );
    assert!(texts.contains(&"in every iteration: while (n != 7) {"), "{texts:?}");
    assert_eq!(result["properties"]["certificate"]["status"], "accepted");
    assert_eq!(result["properties"]["certificate"]["file"], "c.json");
}

#[test]
fn fingerprints_survive_moved_lines() {
    let moved =
        format!("/* one */\n\n/* two */\n{}", WAITS.replace("  while (n != 7)", "\twhile (n!=7)"));
    let folder = Folder::with(&[("waits.c", WAITS), ("moved.c", &moved)]);
    let print = |name: &str| {
        let log = sarif(&folder, &[name]);
        log["runs"][0]["results"][0]["partialFingerprints"].clone()
    };
    assert_eq!(print("waits.c"), print("moved.c"));
    assert!(print("waits.c")["ouroLoop/v1"].as_str().is_some_and(|print| print.len() == 16));
}

#[test]
fn what_is_proved_is_no_result_and_what_is_open_is_a_note() {
    let folder = Folder::with(&[("counts.c", COUNTS), ("open.c", OPEN)]);
    let proved = sarif(&folder, &["counts.c"]);
    assert_eq!(proved["runs"][0]["results"], serde_json::json!([]));
    assert_eq!(proved["runs"][0]["properties"]["counts"]["terminates"], 1);
    let open = sarif(&folder, &["open.c", "--engine", "explore"]);
    let result = &open["runs"][0]["results"][0];
    assert_eq!(
        (&result["ruleId"], &result["level"]),
        (&"termination-unknown".into(), &"note".into())
    );
}

#[test]
fn junit_counts_and_escapes() {
    let folder = Folder::with(&[("a&b.c", WAITS), ("counts.c", COUNTS)]);
    let outcome = folder.ouro(&["check", "a&b.c", "--format", "junit"]);
    assert_eq!(outcome.code, Some(1));
    let xml = outcome.stdout;
    assert!(
        xml.contains(
            "<testsuite name=\"a&amp;b.c\" tests=\"1\" failures=\"1\" errors=\"0\" skipped=\"0\""
        ),
        "{xml}"
    );
    assert!(xml.contains("name=\"loop in main at line 7\""), "{xml}");
    assert!(xml.contains("<failure type=\"loops\" message=\"this loop never ends\">"), "{xml}");
    let passed = folder.ouro(&["check", "counts.c", "--format", "junit"]).stdout;
    assert!(passed.contains("failures=\"0\"") && !passed.contains("<failure"), "{passed}");
}

#[test]
fn termcomp_has_one_word_and_the_proof() {
    let folder = Folder::with(&[("waits.c", WAITS), ("counts.c", COUNTS), ("open.c", OPEN)]);
    for (arguments, word, said) in [
        (&["waits.c"][..], "NO", "loops forever"),
        (&["counts.c"], "YES", "terminates"),
        (&["open.c", "--engine", "explore"], "MAYBE", "unknown"),
    ] {
        let outcome = folder.ouro(&[&["check", "--termcomp"], arguments].concat());
        let lines: Vec<&str> = outcome.stdout.lines().collect();
        assert_eq!(lines[0], word, "{}", outcome.stderr);
        assert!(lines[2].starts_with(said), "{lines:?}");
    }
}
