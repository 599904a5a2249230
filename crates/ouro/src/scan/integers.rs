//! What a proof about a loop takes for granted of signed integers.
//!
//! By C's rules a run that overflows a signed integer, or shifts by too much, ends there; with the code of most
//! compilers it goes on. A proof whose states cannot do that rests on nothing; any other names the lines, also if it
//! holds with integers that wrap around: gcc reads `a > b - 1` as `a >= b` even without optimisation.

use std::collections::BTreeSet;
use std::time::Instant;

use ouro_evidence::{Claim, Evidence, IntegerSemantics};
use ouro_model::{Function, Instruction, Program, Span, Statement};
use ouro_portfolio::wrapping::{is_about_integers, is_open};

/// What a proof rests on: lines, and whether what is undefined there is a shift.
pub(super) enum IntegerReliance {
    /// Just this.
    On(BTreeSet<(u32, bool)>),
    /// This at most: the time was over.
    Undecided(BTreeSet<(u32, bool)>),
}

impl IntegerReliance {
    /// In words.
    pub(super) fn sentences(&self) -> Vec<String> {
        let (IntegerReliance::On(lines) | IntegerReliance::Undecided(lines)) = self;
        let sentence = |(line, shift): &(u32, bool)| match shift {
            true => format!("the shift on line {line} is by less than the width of its type"),
            false => format!("no signed integer overflows on line {line}"),
        };
        lines.iter().map(sentence).collect()
    }
}

/// What a proof about a loop of a function, which was made a program of its own, rests on.
pub(super) fn rests_on(
    function: &Function,
    made: &Program,
    evidence: &Evidence,
    deadline: Instant,
) -> IntegerReliance {
    // Addresses are signed numbers there, but that they overflow is no matter of integers.
    let own: BTreeSet<Span> = undefined_statements(function).map(|one| one.span).collect();
    let possible: BTreeSet<(u32, bool)> = undefined_statements(&made.functions[made.entry])
        .filter(|one| own.contains(&one.span))
        .map(|one| (one.span.line, is_shift(&one.instruction)))
        .collect();
    if possible.is_empty() {
        return IntegerReliance::On(possible);
    }
    let named = ouro_check::check_and_name_undefined(
        made,
        IntegerSemantics::C,
        Claim::Terminates,
        evidence,
        deadline,
    );
    let Ok(named) = named else { return IntegerReliance::Undecided(possible) };
    let about = |one: &&ouro_evidence::UndefinedBehaviour| is_about_integers(&one.what);
    let lines: BTreeSet<(u32, bool)> = named
        .iter()
        .filter(about)
        .map(|one| (one.place.line, one.what.starts_with("shift")))
        .filter(|(line, _)| possible.iter().any(|(known, _)| known == line))
        .collect();
    IntegerReliance::On(lines)
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
