//! Findings as JUnit's XML, which continuous integration of every kind shows as tests.
//!
//! A file is a suite and a finding a test. What never ends is a failure; what is unknown is skipped, or a
//! failure too where that was asked for; a reviewed exception is skipped with its reason. A file that could not be
//! looked at is an error.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::finding::{FindingAnswer, FindingCollection, ReportFinding, SkippedFile};
use crate::markup::escape_markup;

/// How a test came out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TestOutcome {
    Passed,
    Failed,
    Skipped,
}

/// The findings as one XML document. `unknown_fails`: whether what is unknown is a failure.
pub fn junit_xml(findings: &FindingCollection, unknown_fails: bool) -> String {
    let mut suites: BTreeMap<&str, (Vec<&ReportFinding>, Vec<&SkippedFile>)> = BTreeMap::new();
    for finding in &findings.findings {
        suites.entry(&finding.file).or_default().0.push(finding);
    }
    for skipped in &findings.skipped {
        suites.entry(&skipped.file).or_default().1.push(skipped);
    }
    let all: Vec<&ReportFinding> = findings.findings.iter().collect();
    let mut out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned();
    let sums = count_attributes(&all, findings.skipped.len(), unknown_fails);
    let _ = writeln!(out, "<testsuites name=\"Ouro\" {sums}>");
    for (file, (tests, skipped)) in &suites {
        let name = escape_markup(if file.is_empty() { "no file" } else { file });
        let sums = count_attributes(tests, skipped.len(), unknown_fails);
        let _ = writeln!(out, "  <testsuite name=\"{name}\" {sums}>");
        for finding in tests {
            out += &test_case(finding, unknown_fails);
        }
        for one in skipped {
            let _ = writeln!(
                out,
                "    <testcase classname=\"{name}\" name=\"the file as a whole\" time=\"0.000\">\n      \
                 <error type=\"skipped\" message=\"{}\"/>\n    </testcase>",
                escape_markup(&one.text())
            );
        }
        out += "  </testsuite>\n";
    }
    out + "</testsuites>\n"
}

fn test_outcome(finding: &ReportFinding, unknown_fails: bool) -> TestOutcome {
    match finding.verdict {
        FindingAnswer::Terminates | FindingAnswer::Holds => TestOutcome::Passed,
        _ if finding.suppressed.is_some() => TestOutcome::Skipped,
        FindingAnswer::Loops | FindingAnswer::Violated => TestOutcome::Failed,
        FindingAnswer::Unknown if unknown_fails => TestOutcome::Failed,
        FindingAnswer::Unknown => TestOutcome::Skipped,
    }
}

fn count_attributes(tests: &[&ReportFinding], errors: usize, unknown_fails: bool) -> String {
    let count =
        |wanted| tests.iter().filter(|one| test_outcome(one, unknown_fails) == wanted).count();
    let seconds: f64 = tests.iter().map(|one| one.seconds).sum();
    format!(
        "tests=\"{}\" failures=\"{}\" errors=\"{errors}\" skipped=\"{}\" time=\"{seconds:.3}\"",
        tests.len() + errors,
        count(TestOutcome::Failed),
        count(TestOutcome::Skipped)
    )
}

fn test_case(finding: &ReportFinding, unknown_fails: bool) -> String {
    let name = match (finding.kind.word(), finding.function.as_str(), finding.line) {
        (kind, "", 0) => kind.to_owned(),
        (kind, "", line) => format!("{kind} at line {line}"),
        (kind, function, 0) => format!("{kind} in {function}"),
        (kind, function, line) => format!("{kind} in {function} at line {line}"),
    };
    let head = format!(
        "    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3}\"",
        escape_markup(&finding.file),
        escape_markup(&name),
        finding.seconds
    );
    let message = match &finding.reason {
        Some(reason) => format!("{}: {reason}", finding.headline()),
        None => finding.headline(),
    };
    match test_outcome(finding, unknown_fails) {
        TestOutcome::Passed => format!("{head}/>\n"),
        TestOutcome::Skipped => {
            let message = match &finding.suppressed {
                Some(reason) => format!("{message}; suppressed: {reason}"),
                None => message,
            };
            format!(
                "{head}>\n      <skipped message=\"{}\"/>\n    </testcase>\n",
                escape_markup(&message)
            )
        }
        TestOutcome::Failed => format!(
            "{head}>\n      <failure type=\"{}\" message=\"{}\">{}</failure>\n    </testcase>\n",
            finding.verdict.word(),
            escape_markup(&message),
            escape_markup(&finding_details(finding))
        ),
    }
}

/// Where it is and how a run gets there, a line each.
fn finding_details(finding: &ReportFinding) -> String {
    let mut out = format!("{}\n", finding.place_text());
    if let Some(argument) = &finding.argument {
        let _ = writeln!(out, "why: {argument}");
    }
    for input in &finding.inputs {
        let again = if input.again { ", again and again" } else { "" };
        let place = &input.place;
        let _ = writeln!(
            out,
            "input: {} = {} ({}:{}{again})",
            input.name, input.value, place.file, place.line
        );
    }
    for place in &finding.cycle {
        let _ = writeln!(out, "in every iteration: {}:{}: {}", place.file, place.line, place.text);
    }
    for assumption in &finding.assumed {
        let _ = writeln!(out, "assumed: {assumption}");
    }
    out
}
