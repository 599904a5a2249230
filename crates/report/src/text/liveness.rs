//! A specification that holds or is violated.

use ouro_evidence::{Evidence, ObligationViolation};

use super::{exhaustion_text, inputs_text};
use crate::excerpt::SourceExcerpt;
use crate::liveness::{self, program_inputs, violating_run};
use crate::{TextStyle, VerdictReport};

pub(super) fn holds_text(
    report: &VerdictReport<'_>,
    evidence: &Evidence,
    style: TextStyle,
) -> String {
    let asked = report.subject_name();
    let mut out =
        format!("{}: no run of {asked} violates the specification\n", style.good("holds"));
    let pairs = report.program().map_or(0, |program| program.fairness.len());
    match evidence {
        Evidence::Exhausted(exhaustion) if pairs == 0 => {
            out += &format!("  {}\n", exhaustion_text(exhaustion));
        }
        _ if pairs > 0 => out += "  some runs may be infinite, but none of them is fair\n",
        _ => {}
    }
    out
}

/// What a run that never ends violates.
pub(super) fn violation_heading(report: &VerdictReport<'_>, style: TextStyle) -> String {
    let fair = report.program().is_some_and(|program| !program.fairness.is_empty());
    let kind = if fair { "fair run" } else { "run" };
    format!("{}: some {kind} of {} never ends\n", style.bad("violated"), report.subject_name())
}

/// Where the promise was made, and why fairness does not exclude the run.
pub(super) fn promise_notes(report: &VerdictReport<'_>) -> Vec<String> {
    let Some(violated) = violating_run(report) else { return Vec::new() };
    let mut notes = Vec::new();
    if let Some(place) = violated.promised {
        notes.push(format!("the promise made at {place} is never kept"));
    }
    notes
        .extend(violated.fairness.iter().map(|why| format!("fairness does not exclude it: {why}")));
    notes
}

/// The other call sites that break the promise.
pub(super) fn other_violations_text(report: &VerdictReport<'_>, style: TextStyle) -> String {
    let mut out = String::new();
    for run in liveness::other_violating_runs(report) {
        if out.is_empty() {
            out = format!("\n{}\n", style.strong("Also violated from:"));
        }
        let end = match (run.ends, run.place) {
            (true, Some(place)) => format!("broken at {place}"),
            (true, None) => "pending when the run ends".to_owned(),
            (false, Some(place)) => format!("never kept: the run cycles at {place}"),
            (false, None) => "never kept: the run never ends".to_owned(),
        };
        match run.promised {
            Some(place) => out += &format!("  - the promise made at {place}: {end}\n"),
            None => out += &format!("  - {end}\n"),
        }
    }
    out
}

/// A run that breaks an obligation.
pub(super) fn broken_obligation_text(
    report: &VerdictReport<'_>,
    violation: &ObligationViolation,
    style: TextStyle,
) -> String {
    let found = violating_run(report).and_then(|violated| violated.obligation);
    let (name, stated) = found.unwrap_or(("an obligation", None));
    let mut out =
        format!("{}: some run of {} breaks {name}\n", style.bad("violated"), report.subject_name());
    let mut notes = promise_notes(report);
    if let Some(place) = stated {
        notes.push(format!("required by the specification at {place}"));
    }
    let (place, label) = match &report.explanation.last {
        Some(last) => (last, "the run ends after this"),
        None => (&violation.place, "it is broken here"),
    };
    out +=
        &SourceExcerpt { place, label, others: &[], notes: &notes }.render(report.sources, style);
    out += &inputs_text(report, &program_inputs(&violation.inputs), &[], style);
    out
}
