//! What callers do with the results of library functions. A function of the library can ask for it
//! (`__ouro_result_…`) and do less where nobody looks; it is translated once for each answer.

use crate::llvm::{BasicBlock, LlvmValue, Opcode};
use crate::lower::LiteralArguments;

/// What the code around a call does with its result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ResultUse {
    /// Nothing.
    Unused,
    /// It is an address that is only stored to.
    Stored,
    /// It is an address that is only stored to and loaded from.
    Accessed,
    /// Anything.
    Kept,
}

/// The place among the known parameters that says how the result is used.
const RESULT: u32 = u32::MAX;

impl ResultUse {
    /// The use of a call's result, as far as the called library function asks for it.
    pub(crate) fn of_call(call: LlvmValue<'_>, function: LlvmValue<'_>) -> ResultUse {
        if !asks_for_result_use(function) {
            return ResultUse::Kept;
        }
        let mut used = ResultUse::Unused;
        for user in call.users() {
            let stored = matches!(user.opcode(), Opcode::LLVMStore) && user.operand(0) != call;
            if !stored && !matches!(user.opcode(), Opcode::LLVMLoad) {
                return ResultUse::Kept;
            }
            used = match (stored, used) {
                (true, ResultUse::Unused | ResultUse::Stored) => ResultUse::Stored,
                _ => ResultUse::Accessed,
            };
        }
        used
    }

    /// The use that a translation is made for.
    pub(crate) fn of_literals(literals: &LiteralArguments) -> ResultUse {
        let known = literals.iter().find(|known| known.0 == RESULT);
        match known.map(|known| known.1.as_str()) {
            Some("unused") => ResultUse::Unused,
            Some("stored") => ResultUse::Stored,
            Some("accessed") => ResultUse::Accessed,
            _ => ResultUse::Kept,
        }
    }

    /// How it stands among the known parameters; the usual case does not.
    pub(crate) fn as_literal_argument(self) -> Option<(u32, String)> {
        let text = match self {
            ResultUse::Unused => "unused",
            ResultUse::Stored => "stored",
            ResultUse::Accessed => "accessed",
            ResultUse::Kept => return None,
        };
        Some((RESULT, text.to_owned()))
    }
}

/// Whether a function asks how its result is used.
fn asks_for_result_use(function: LlvmValue<'_>) -> bool {
    let mut calls =
        function.blocks().into_iter().flat_map(BasicBlock::instructions).filter(|i| i.is_call());
    calls.any(|call| call.callee().name().starts_with("__ouro_result_"))
}
