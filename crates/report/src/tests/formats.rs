//! SARIF, JUnit's XML and pages from hand-made findings: what a single answer does not show.

use serde_json::Value;

use crate::finding::{Answer, Certificate, Finding, Findings, Kind, SkippedFile, Status};
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
        notes: vec!["c.c is no C file".to_owned()],
        skipped: Vec::new(),
    }
}

/// The same with a file that could not be looked at.
fn incomplete() -> Findings {
    let skipped = SkippedFile { file: "d/y.c".to_owned(), reason: "no <x.h>".to_owned() };
    Findings { skipped: vec![skipped], ..project() }
}

#[test]
fn a_file_that_was_not_looked_at_is_an_error() {
    let whole: Value = log()["runs"][0]["invocations"][0].clone();
    assert_eq!(whole["executionSuccessful"], true);
    let log: Value = serde_json::from_str(&sarif(&incomplete())).expect("JSON");
    let invocation = &log["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    let said = &invocation["toolExecutionNotifications"][0];
    assert_eq!(
        (&said["level"], &said["message"]["text"]),
        (&"error".into(), &"d/y.c was left out: no <x.h>".into())
    );
    let xml = junit(&incomplete(), false);
    assert!(xml.contains("tests=\"5\" failures=\"1\" errors=\"1\""), "{xml}");
    assert!(
        xml.contains("<error type=\"skipped\" message=\"d/y.c was left out: no &lt;x.h&gt;\"/>"),
        "{xml}"
    );
    let mut pages = html(&incomplete(), &Sources::new()).into_iter();
    assert!(pages.any(|(_, text)| text.contains("d/y.c was left out")));
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
        "c.c is no C file"
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
    assert!(index.1.contains("c.c is no C file"));
    assert!(first.1.contains("two &lt;&amp;&gt;"));
    assert!(second.1.contains("The text of this file was not at hand."));
    assert!(second.1.contains("Reviewed: the device answers"));
}

#[test]
fn findings_are_read_as_they_were_written() {
    let text = serde_json::to_string(&project()).expect("JSON");
    assert_eq!(serde_json::from_str::<Findings>(&text).expect("findings"), project());
}
