//! SARIF, JUnit's XML and pages from hand-made findings: what a single answer does not show.

use serde_json::Value;

use crate::finding::{
    EvidenceStatus, FindingAnswer, FindingCertificate, FindingCollection, FindingKind,
    ReportFinding, SkippedFile,
};
use crate::{SourceTexts, html_pages, junit_xml, sarif_log};

fn sample_finding(file: &str, line: u32, verdict: FindingAnswer) -> ReportFinding {
    ReportFinding {
        verdict,
        reason: (verdict == FindingAnswer::Unknown).then(|| "a < b".to_owned()),
        argument: verdict.is_good().then(|| "n - i gets smaller".to_owned()),
        certificate: FindingCertificate { status: EvidenceStatus::Accepted, file: None },
        seconds: 0.5,
        fingerprint: format!("{file}{line}"),
        ..ReportFinding::new_undecided(file.to_owned(), line, 3, "f", FindingKind::Loop)
    }
}

/// A project with files of the same name, a reviewed exception, and a note.
fn sample_project() -> FindingCollection {
    let mut reviewed = sample_finding("b/x.c", 9, FindingAnswer::Unknown);
    reviewed.suppressed = Some("the device answers".to_owned());
    FindingCollection {
        tool_version: "1.2.3".to_owned(),
        root: "/src/my project".to_owned(),
        findings: vec![
            sample_finding("a/x.c", 2, FindingAnswer::Loops),
            sample_finding("a/x.c", 7, FindingAnswer::Terminates),
            sample_finding("b/x.c", 5, FindingAnswer::Unknown),
            reviewed,
        ],
        notes: vec!["c.c is no C file".to_owned()],
        skipped: Vec::new(),
    }
}

/// The same with a file that could not be looked at.
fn incomplete_project() -> FindingCollection {
    let skipped = SkippedFile { file: "d/y.c".to_owned(), reason: "no <x.h>".to_owned() };
    FindingCollection { skipped: vec![skipped], ..sample_project() }
}

#[test]
fn a_file_that_was_not_looked_at_is_an_error() {
    let whole: Value = sarif_value()["runs"][0]["invocations"][0].clone();
    assert_eq!(whole["executionSuccessful"], true);
    let log: Value = serde_json::from_str(&sarif_log(&incomplete_project())).expect("JSON");
    let invocation = &log["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    let said = &invocation["toolExecutionNotifications"][0];
    assert_eq!(
        (&said["level"], &said["message"]["text"]),
        (&"error".into(), &"d/y.c was skipped: no <x.h>".into())
    );
    let xml = junit_xml(&incomplete_project(), false);
    assert!(xml.contains("tests=\"5\" failures=\"1\" errors=\"1\""), "{xml}");
    assert!(
        xml.contains("<error type=\"skipped\" message=\"d/y.c was skipped: no &lt;x.h&gt;\"/>"),
        "{xml}"
    );
    let mut pages = html_pages(&incomplete_project(), &SourceTexts::new()).into_iter();
    assert!(pages.any(|(_, text)| text.contains("d/y.c was skipped")));
}

fn sarif_value() -> Value {
    serde_json::from_str(&sarif_log(&sample_project())).expect("JSON")
}

#[test]
fn sarif_names_the_root_and_is_relative_to_it() {
    let run = &sarif_value()["runs"][0];
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
    let run = &sarif_value()["runs"][0];
    let results = run["results"].as_array().expect("results");
    let rules: Vec<&str> = results.iter().filter_map(|one| one["ruleId"].as_str()).collect();
    assert_eq!(rules, ["loops-forever", "termination-unknown", "termination-unknown"]);
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
    let lenient = junit_xml(&sample_project(), false);
    assert!(lenient.contains(
        "<testsuites name=\"Ouro\" tests=\"4\" failures=\"1\" errors=\"0\" skipped=\"2\""
    ));
    let strict = junit_xml(&sample_project(), true);
    assert!(strict.contains("tests=\"4\" failures=\"2\" errors=\"0\" skipped=\"1\""), "{strict}");
    assert!(
        strict.contains("message=\"no termination argument found for this loop: a &lt; b\""),
        "{strict}"
    );
    assert!(strict.contains("suppressed: the device answers"), "{strict}");
}

#[test]
fn pages_of_files_with_one_name_are_two() {
    let sources = SourceTexts::from([("a/x.c".to_owned(), "one\ntwo <&>\n".to_owned())]);
    let pages = html_pages(&sample_project(), &sources);
    let names: Vec<&str> = pages.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["index.html", "001-x.c.html", "002-x.c.html"]);
    let [index, first, second] = pages.as_slice() else { panic!("three pages") };
    assert!(index.1.contains("<a href=\"001-x.c.html#finding-1\">a/x.c:2</a>"));
    assert!(index.1.contains("c.c is no C file"));
    assert!(first.1.contains("two &lt;&amp;&gt;"));
    assert!(second.1.contains("The source of this file is not available."));
    assert!(second.1.contains("Suppressed: the device answers"));
}

#[test]
fn findings_are_read_as_they_were_written() {
    let text = serde_json::to_string(&sample_project()).expect("JSON");
    assert_eq!(
        serde_json::from_str::<FindingCollection>(&text).expect("findings"),
        sample_project()
    );
}
