//! SARIF, JUnit's XML and pages from hand-made findings: what a single answer does not show.

use serde_json::Value;

use crate::finding::{Answer, Certificate, Finding, Findings, Kind, Status};
use crate::{Sources, html, junit, sarif};

fn finding(file: &str, line: u32, verdict: Answer) -> Finding {
    Finding {
        verdict,
        reason: (verdict == Answer::Unknown).then(|| "a < b".to_owned()),
        argument: verdict.is_good().then(|| "n - i gets smaller".to_owned()),
        certificate: Certificate { status: Status::Accepted, file: None },
        seconds: 0.5,
        fingerprint: format!("{file}{line}"),
        ..Finding::open(file.to_owned(), line, 3, "f", Kind::Loop)
    }
}

/// A project with files of the same name, a reviewed exception, and a note.
fn project() -> Findings {
    let mut reviewed = finding("b/x.c", 9, Answer::Unknown);
    reviewed.excepted = Some("the device answers".to_owned());
    Findings {
        tool_version: "1.2.3".to_owned(),
        root: "/src/my project".to_owned(),
        findings: vec![
            finding("a/x.c", 2, Answer::Loops),
            finding("a/x.c", 7, Answer::Terminates),
            finding("b/x.c", 5, Answer::Unknown),
            reviewed,
        ],
        notes: vec!["c.c was left out".to_owned()],
    }
}

fn log() -> Value {
    serde_json::from_str(&sarif(&project())).expect("JSON")
}

#[test]
fn sarif_names_the_root_and_is_relative_to_it() {
    let run = &log()["runs"][0];
    assert_eq!(run["originalUriBaseIds"]["ROOT"]["uri"], "file:///src/my%20project/");
    let file = &run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"];
    assert_eq!((&file["uri"], &file["uriBaseId"]), (&"a/x.c".into(), &"ROOT".into()));
    assert_eq!(run["tool"]["driver"]["version"], "1.2.3");
    assert_eq!(
        run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"],
        "c.c was left out"
    );
}

#[test]
fn sarif_has_what_to_look_at_and_suppresses_what_was_reviewed() {
    let run = &log()["runs"][0];
    let results = run["results"].as_array().expect("results");
    let rules: Vec<&str> = results.iter().filter_map(|one| one["ruleId"].as_str()).collect();
    assert_eq!(rules, ["never-ends", "not-proved-to-end", "not-proved-to-end"]);
    assert!(results[1].get("suppressions").is_none());
    assert_eq!(results[2]["suppressions"][0]["justification"], "the device answers");
    assert_eq!(run["properties"]["counts"]["terminates"], 1);
    // The index of a rule and its name agree.
    for result in results {
        let index = result["ruleIndex"].as_u64().and_then(|index| usize::try_from(index).ok());
        let rule = &run["tool"]["driver"]["rules"][index.expect("an index")];
        assert_eq!(rule["id"], result["ruleId"]);
    }
}

#[test]
fn junit_fails_for_what_is_unknown_only_if_asked() {
    let lenient = junit(&project(), false);
    assert!(lenient.contains(
        "<testsuites name=\"Ouro\" tests=\"4\" failures=\"1\" errors=\"0\" skipped=\"2\""
    ));
    let strict = junit(&project(), true);
    assert!(strict.contains("tests=\"4\" failures=\"2\" errors=\"0\" skipped=\"1\""), "{strict}");
    assert!(strict.contains("message=\"this loop is not proved to end: a &lt; b\""), "{strict}");
    assert!(strict.contains("reviewed: the device answers"), "{strict}");
}

#[test]
fn pages_of_files_with_one_name_are_two() {
    let sources = Sources::from([("a/x.c".to_owned(), "one\ntwo <&>\n".to_owned())]);
    let pages = html(&project(), &sources);
    let names: Vec<&str> = pages.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["index.html", "001-x.c.html", "002-x.c.html"]);
    let [index, first, second] = pages.as_slice() else { panic!("three pages") };
    assert!(index.1.contains("<a href=\"001-x.c.html#finding-1\">a/x.c:2</a>"));
    assert!(index.1.contains("c.c was left out"));
    assert!(first.1.contains("two &lt;&amp;&gt;"));
    assert!(second.1.contains("The text of this file was not at hand."));
    assert!(second.1.contains("Reviewed: the device answers"));
}

#[test]
fn findings_are_read_as_they_were_written() {
    let text = serde_json::to_string(&project()).expect("JSON");
    assert_eq!(serde_json::from_str::<Findings>(&text).expect("findings"), project());
}
