//! What there is to say about a specification that is violated.

use ouro_evidence::{ChoiceSource, Evidence, RunInput, SourcePlace, Verdict};
use ouro_model::Program;
use ouro_model::monitor::OWN;

use crate::VerdictReport;

/// A run that violates a specification.
pub(crate) struct ViolatingRun<'a> {
    /// The obligation that it breaks, and where the specification says so; none if it never ends.
    pub(crate) obligation: Option<(&'a str, Option<SourcePlace>)>,
    /// Where the promise was made that is never kept, if the specification guessed one.
    pub(crate) promised: Option<&'a SourcePlace>,
    /// Why fairness does not exclude the run: for each pair a sentence without a full stop.
    pub(crate) fairness: &'a [String],
}

/// The run, if that is the verdict.
pub(crate) fn violating_run<'a>(report: &VerdictReport<'a>) -> Option<ViolatingRun<'a>> {
    let Verdict::Violated(evidence) = report.verdict else { return None };
    let obligation = match evidence {
        Evidence::Violation(violation) => {
            let found = report.program().and_then(|program| {
                let found = program.obligations.get(violation.obligation as usize)?;
                Some((found.name.as_str(), specification_place(program, found.span)))
            });
            Some(found.unwrap_or(("an obligation", None)))
        }
        _ => None,
    };
    Some(ViolatingRun {
        obligation,
        promised: evidence.promise_place(),
        fairness: &report.explanation.fairness,
    })
}

/// Another run that violates the specification, from another call site.
#[derive(Clone, Copy)]
pub(crate) struct OtherViolatingRun<'a> {
    /// Where the promise was made.
    pub(crate) promised: Option<&'a SourcePlace>,
    /// Where it goes round, or breaks an obligation.
    pub(crate) place: Option<&'a SourcePlace>,
    /// Whether it ends.
    pub(crate) ends: bool,
}

/// The other runs, each from its own call site.
pub(crate) fn other_violating_runs<'a>(
    report: &VerdictReport<'a>,
) -> impl Iterator<Item = OtherViolatingRun<'a>> {
    report.others.iter().filter_map(Verdict::evidence).map(|evidence| OtherViolatingRun {
        promised: evidence.promise_place(),
        // At the end of a run only the monitor is left, which is no place of the user's.
        place: evidence.place().filter(|at| at.is_known() && !at.function.starts_with(OWN)),
        ends: matches!(evidence, Evidence::Violation(_)),
    })
}

/// A place of the specification.
fn specification_place(program: &Program, span: ouro_model::Span) -> Option<SourcePlace> {
    let file = program.files.get(span.file.0 as usize).filter(|_| span.is_known())?;
    Some(SourcePlace { file: file.clone(), line: span.line, function: String::new() })
}

/// The inputs of the program: without what the specification guessed.
pub(crate) fn program_inputs(inputs: &[RunInput]) -> Vec<RunInput> {
    inputs.iter().filter(|input| input.source != ChoiceSource::Guess).cloned().collect()
}
