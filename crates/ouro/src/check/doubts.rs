//! Endless runs that rely on what functions without a body leave alone.

use ouro_evidence::{SourcePlace, UnknownReason, Verdict};
use ouro_model::{Instruction, Program};

/// Names the call that an endless run relied on, where the search for one that does not ran out of time: more of it would
/// rarely help, and the place does.
pub(super) fn name_doubted_call(program: &Program, verdict: &mut Verdict) {
    if !matches!(verdict, Verdict::Unknown(UnknownReason::Time { .. })) {
        return;
    }
    let doubted =
        program.functions.enumerate().filter(|(_, one)| one.user).find_map(|(id, function)| {
            let statements = function.blocks.iter().flat_map(|block| &block.statements);
            statements.into_iter().find_map(|statement| match &statement.instruction {
                Instruction::Unknown { why, .. } if why.contains("which has no body and may") => {
                    Some((why.clone(), SourcePlace::of_span(program, id, statement.span)))
                }
                _ => None,
            })
        });
    if let Some((what, place)) = doubted {
        *verdict = Verdict::Unknown(UnknownReason::Limit { what, place });
    }
}
