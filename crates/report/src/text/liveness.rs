//! A specification that holds or is violated.

use ouro_evidence::{Evidence, Violation};

use super::{exhausted, inputs};
use crate::excerpt::Excerpt;
use crate::liveness::{of_program, violated};
use crate::{Report, Style};

pub(super) fn holds(report: &Report<'_>, evidence: &Evidence, style: Style) -> String {
    let asked = report.asked();
    let mut out =
        format!("{}: no run of {asked} violates the specification\n", style.good("holds"));
    let pairs = report.program().map_or(0, |program| program.fairness.len());
    match evidence {
        Evidence::Exhausted(exhaustion) => out += &format!("  {}\n", exhausted(exhaustion)),
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
    out += &Excerpt {
        place: &violation.place,
        label: "it is broken here",
        others: &[],
        notes: &notes,
    }
    .render(report.sources, style);
    out += &inputs(report, &of_program(&violation.inputs), &[], style);
    out
}
