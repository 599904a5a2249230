//! What a proof about a loop takes for granted of signed integers.
//!
//! By C's rules a run that overflows a signed integer, or shifts by too much, ends there; with the code of most
//! compilers it goes on. A proof whose states cannot do that rests on nothing; any other names the lines, also if it
//! holds with integers that wrap around: gcc reads `a > b - 1` as `a >= b` even without optimisation.

use std::collections::BTreeSet;

use ouro_evidence::UndefinedBehaviour;
use ouro_model::{Function, Instruction, Program, Span, Statement};
use ouro_portfolio::wrapping::{is_about_integers, is_open};

/// Where what is undefined could matter: a line, and whether it is a shift.
type UndefinedLine = (u32, bool);

/// What a proof rests on.
pub(super) struct IntegerReliance {
    /// The lines.
    lines: BTreeSet<UndefinedLine>,
    /// Those of which it was not found out whether a run does what is undefined there.
    undecided: BTreeSet<UndefinedLine>,
}

impl IntegerReliance {
    /// In words.
    pub(super) fn sentences(&self) -> Vec<String> {
        self.lines.iter().map(line_sentence).collect()
    }

    /// What somebody has not named, and whether all of that is undecided.
    pub(super) fn lacks_sentences(&self, named: &[String]) -> Option<MissingSentences> {
        let missing: Vec<&UndefinedLine> =
            self.lines.iter().filter(|line| !named.contains(&line_sentence(line))).collect();
        if missing.is_empty() {
            return None;
        }
        match missing.iter().all(|line| self.undecided.contains(line)) {
            true => Some(MissingSentences::Undecided),
            false => Some(MissingSentences::Needed),
        }
    }
}

/// How sure it is that something is missing.
pub(super) enum MissingSentences {
    /// A run does what is undefined.
    Needed,
    /// The checker could not tell.
    Undecided,
}

fn line_sentence((line, shift): &UndefinedLine) -> String {
    match shift {
        true => format!("the shift on line {line} is by less than the width of its type"),
        false => format!("no signed integer overflows on line {line}"),
    }
}

/// The lines of a loop's function that could be undefined in the loop as a program of its own.
///
/// Addresses are signed numbers there, but that they overflow is no matter of integers.
fn possible_lines(function: &Function, made: &Program) -> BTreeSet<UndefinedLine> {
    let own: BTreeSet<Span> = undefined_statements(function).map(|one| one.span).collect();
    undefined_statements(&made.functions[made.entry])
        .filter(|one| own.contains(&one.span))
        .map(|one| (one.span.line, is_shift(&one.instruction)))
        .collect()
}

/// Whether a proof about a loop of a function could rest on signed integers at all, so that the checker has to name
/// what is undefined.
pub(super) fn may_rest_on_integers(function: &Function, made: &Program) -> bool {
    !possible_lines(function, made).is_empty()
}

/// What a proof about a loop of a function, which was made a program of its own, rests on: of what the checker named,
/// that which is about integers of the function.
pub(super) fn reliance_on_integers(
    function: &Function,
    made: &Program,
    named: &[UndefinedBehaviour],
) -> IntegerReliance {
    let possible = possible_lines(function, made);
    let line_of = |one: &UndefinedBehaviour| (one.place.line, one.what.starts_with("shift"));
    let is_own = |one: &&UndefinedBehaviour| {
        is_about_integers(&one.what) && possible.iter().any(|(known, _)| *known == one.place.line)
    };
    let lines = named.iter().filter(is_own).map(line_of).collect();
    let decided: BTreeSet<UndefinedLine> =
        named.iter().filter(is_own).filter(|one| one.run.is_some()).map(line_of).collect();
    let undecided = BTreeSet::difference(&lines, &decided).copied().collect();
    IntegerReliance { lines, undecided }
}

/// The statements that C leaves undefined for some integers.
fn undefined_statements(function: &Function) -> impl Iterator<Item = &Statement> {
    let statements = function.blocks.iter().flat_map(|block| &block.statements);
    statements.filter(|one| is_open(&one.instruction))
}

fn is_shift(instruction: &Instruction) -> bool {
    use ouro_model::BinaryOp as Op;
    matches!(
        instruction,
        Instruction::Binary { op: Op::Shl { signed: false } | Op::LShr | Op::AShr, .. }
    )
}
