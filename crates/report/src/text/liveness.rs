//! A specification that holds or is violated.

use ouro_evidence::{Evidence, Violation};

use super::{exhausted, inputs};
use crate::excerpt::Excerpt;
use crate::liveness::{self, of_program, violated};
use crate::{Report, Style};

pub(super) fn holds(report: &Report<'_>, evidence: &Evidence, style: Style) -> String {
    let asked = report.asked();
    let mut out =
        format!("{}: no run of {asked} violates the specification\n", style.good("holds"));
    let pairs = report.program().map_or(0, |program| program.fairness.len());
    match evidence {
        Evidence::Exhausted(exhaustion) if pairs == 0 => {
            out += &format!("  {}\n", exhausted(exhaustion));
        }
        _ if pairs > 0 => out += "  runs may go on forever, but none that is fair\n",
        _ => {}
    }
    out
}

/// What a run that never ends violates.
pub(super) fn heading(report: &Report<'_>, style: Style) -> String {
    let fair = report.program().is_some_and(|program| !program.fairness.is_empty());
    let kind = if fair { "fair run" } else { "run" };
    format!("{}: some {kind} of {} never ends\n", style.bad("violated"), report.asked())
}

/// Where the promise was made, and why fairness does not exclude the run.
pub(super) fn notes(report: &Report<'_>) -> Vec<String> {
    let Some(violated) = violated(report) else { return Vec::new() };
    let mut notes = Vec::new();
    if let Some(place) = violated.promised {
        notes.push(format!("what is promised at {place} is never kept"));
    }
    notes
        .extend(violated.fairness.iter().map(|why| format!("fairness does not exclude it: {why}")));
    notes
}

/// The other call sites that break the promise.
pub(super) fn others(report: &Report<'_>, style: Style) -> String {
    let mut out = String::new();
    for run in liveness::others(report) {
        if out.is_empty() {
            out = format!("\n{}\n", style.strong("Violated from here as well:"));
        }
        let end = match (run.ends, run.place) {
            (true, Some(place)) => format!("broken at {place}"),
            (true, None) => "pending when the run ends".to_owned(),
            (false, Some(place)) => format!("never kept, the run goes round at {place}"),
            (false, None) => "never kept, the run goes on forever".to_owned(),
        };
        match run.promised {
            Some(place) => out += &format!("  - the promise of {place}: {end}\n"),
            None => out += &format!("  - {end}\n"),
        }
    }
    out
}

/// A run that breaks an obligation.
pub(super) fn broken(report: &Report<'_>, violation: &Violation, style: Style) -> String {
    let found = violated(report).and_then(|violated| violated.obligation);
    let (name, stated) = found.unwrap_or(("an obligation", None));
    let mut out =
        format!("{}: some run of {} breaks {name}\n", style.bad("violated"), report.asked());
    let mut notes = notes(report);
    if let Some(place) = stated {
        notes.push(format!("the specification asks for it at {place}"));
    }
    let (place, label) = match &report.explanation.last {
        Some(last) => (last, "the run ends after this"),
        None => (&violation.place, "it is broken here"),
    };
    out += &Excerpt { place, label, others: &[], notes: &notes }.render(report.sources, style);
    out += &inputs(report, &of_program(&violation.inputs), &[], style);
    out
}
