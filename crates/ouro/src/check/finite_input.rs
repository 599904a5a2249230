//! A run that never ends although all that it reads does.
//!
//! What a program reads may go on forever: a pipe, a terminal, a device. A run that never ends because of that is
//! seldom the one that somebody is looking for, so where nobody said how far inputs reach, such a run is not the
//! answer before one was looked for whose inputs end. Each of those is also a run of the program as it is.

use std::time::Instant;

use ouro_evidence::{EndlessRunInput, InputExtent, Verdict};
use ouro_model::Program;
use ouro_portfolio::PortfolioAnswer;
use ouro_solver::clock;

use crate::limits::LIMITS;
use crate::options::CheckOptions;
use crate::pipeline::{self, AskedProgram, CompiledSubject, EngineBudget};
use crate::verbose;

/// Whether the run that was found may need input without an end, and the user would like to know.
pub(super) fn is_worth_asking(
    asked: &CheckOptions,
    subject: &AskedProgram,
    compiled: &CompiledSubject,
    finding: &PortfolioAnswer,
) -> bool {
    asked.input.is_none()
        && asked.property.prop.is_none()
        && !asked.termcomp
        && compiled.reads_input
        && subject.question.identity.is_none()
        && matches!(finding.verdict, Verdict::Loops(_))
}

/// Asks again about the program with inputs that end. It may take some times as long as the first question, but no
/// more than half of what there is.
pub(super) fn ask_with_finite_input(
    subject: AskedProgram,
    budget: &EngineBudget,
    start: Instant,
    linking: bool,
    mut ask: impl FnMut(&mut AskedProgram, &Program, &EngineBudget) -> PortfolioAnswer,
) -> Option<(AskedProgram, CompiledSubject, PortfolioAnswer)> {
    verbose::say_verbosely("looking for an endless run with finite input");
    let now = clock::budget_now();
    let left = budget.deadline.saturating_duration_since(now);
    let time = now
        .saturating_duration_since(start)
        .saturating_mul(4)
        .max(LIMITS.least_finite_input_time)
        .min(left / 2);
    let budget = EngineBudget { deadline: now + time, ..budget.clone() };
    let mut subject = AskedProgram { input: InputExtent::Ends, ..subject };
    let mut compiled = pipeline::compile_for_linking(&subject, budget.wall, linking).ok()?;
    // It is a property of the run that is looked for, not an assumption.
    compiled.program.assumptions.retain(|assumption| assumption != ouro_c::INPUT_ENDS);
    let mut finding = ask(&mut subject, &compiled.program, &budget);
    finding.explanation.input = Some(EndlessRunInput::Finite);
    matches!(finding.verdict, Verdict::Loops(_)).then_some((subject, compiled, finding))
}
