//! Whether a program may change how floats are rounded. The model rounds to nearest; where a run changes that it comes to
//! a limit, but a function that is called at any time may be called after that.

use crate::llvm::{BasicBlock, LlvmModule, ValueKind};

/// Functions that change the rounding.
const FUNCTIONS: [&str; 6] =
    ["fesetround", "fesetenv", "feupdateenv", "fesetmode", "__setfpucw", "_controlfp"];
/// The same of LLVM's.
const INTRINSICS: [&str; 4] =
    ["llvm.set.rounding", "llvm.set.fpenv", "llvm.set.fpmode", "llvm.x86.sse.ldmxcsr"];
/// The same of the processor's.
const ASSEMBLY: [&str; 5] = ["ldmxcsr", "fldcw", "fldenv", "rstor", "finit"];

/// What changes the rounding somewhere in a module.
pub(crate) fn rounding_change(module: LlvmModule<'_>) -> Option<String> {
    for function in module.functions() {
        let name = function.name();
        let changes = FUNCTIONS.contains(&name.as_str())
            || INTRINSICS.iter().any(|intrinsic| name.starts_with(intrinsic));
        if changes && function.is_declaration() && !function.users().is_empty() {
            return Some(name);
        }
        for call in function.blocks().into_iter().flat_map(BasicBlock::instructions) {
            if !call.is_call() || !matches!(call.callee().kind(), ValueKind::LLVMInlineAsmValueKind)
            {
                continue;
            }
            let (text, _) = call.callee().inline_assembly_text();
            if let Some(known) = ASSEMBLY.iter().find(|known| text.contains(**known)) {
                return Some((*known).to_owned());
            }
        }
    }
    None
}
