//! Endless runs that rely on what functions without a body leave alone.

use ouro_evidence::{SourcePlace, UnknownReason, Verdict};

use crate::pipeline::CompiledSubject;

/// Names a call that an endless run may have relied on, where the search for one that does not ran out of time: more of it
/// would rarely help, and the place does.
pub(super) fn name_doubted_call(compiled: &CompiledSubject, verdict: &mut Verdict) {
    if !matches!(verdict, Verdict::Unknown(UnknownReason::Time { .. })) {
        return;
    }
    let Some(call) = compiled.doubted.first() else { return };
    let file = compiled.program.files.get(call.span.file.0 as usize).cloned().unwrap_or_default();
    let place = SourcePlace { file, line: call.span.line, function: call.caller.clone() };
    *verdict = Verdict::Unknown(UnknownReason::Limit { what: call.what.clone(), place });
}
