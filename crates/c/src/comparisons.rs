//! Which functions only compare: what `qsort` calls how often and in which order nobody promises, and
//! for these it makes no difference.
//!
//! Such a function has no loop, writes nothing but its own variables, reads nothing volatile, and calls
//! only its like. That is less than could be said, and it is said from the code alone.

use std::collections::HashSet;

use crate::llvm::{BasicBlock, LlvmModule, LlvmValue, Opcode, TypeKind, ValueKind};

/// Functions of the C library that only look at memory, and come to an end.
const LOOKS_ONLY: [&str; 24] = [
    "strcmp",
    "strncmp",
    "strcasecmp",
    "strncasecmp",
    "strcoll",
    "memcmp",
    "bcmp",
    "strlen",
    "strnlen",
    "strchr",
    "strrchr",
    "strstr",
    "memchr",
    "abs",
    "labs",
    "llabs",
    "fabs",
    "fabsf",
    "toupper",
    "tolower",
    "isalpha",
    "isdigit",
    "isupper",
    "islower",
];

/// Intrinsics of LLVM that compute, or say something about a variable.
const COMPUTES: [&str; 13] = [
    "dbg.",
    "lifetime.",
    "abs.",
    "smax.",
    "smin.",
    "umax.",
    "umin.",
    "fabs.",
    "fmuladd.",
    "expect.",
    "bswap.",
    "ctpop.",
    "is.fpclass.",
];

/// The functions of a module that only compare, of those that could be given to `qsort` or `bsearch`.
pub(crate) fn find_comparison_functions(module: LlvmModule<'_>) -> Vec<LlvmValue<'_>> {
    module
        .functions()
        .into_iter()
        .filter(|function| {
            let parameters = function.value_type().parameters();
            let pointers = parameters.iter().all(|ty| ty.kind() == TypeKind::LLVMPointerTypeKind);
            matches!(parameters.len(), 2 | 3)
                && pointers
                && is_address_taken(*function)
                && only_compares(*function, &mut Vec::new())
        })
        .collect()
}

/// Whether a function is used otherwise than by calling it.
fn is_address_taken(function: LlvmValue<'_>) -> bool {
    function.users().into_iter().any(|user| {
        let calls = user.is_instruction() && user.is_call() && user.callee() == function;
        !calls || user.arguments().contains(&function)
    })
}

fn only_compares<'c>(function: LlvmValue<'c>, callers: &mut Vec<LlvmValue<'c>>) -> bool {
    if function.is_declaration() {
        return LOOKS_ONLY.contains(&function.name().as_str());
    }
    if callers.contains(&function) || has_loop(function) {
        return false;
    }
    callers.push(function);
    let mut instructions = function.blocks().into_iter().flat_map(BasicBlock::instructions);
    let fine = instructions.all(|instruction| is_harmless_instruction(instruction, callers));
    callers.pop();
    fine
}

fn is_harmless_instruction<'c>(
    instruction: LlvmValue<'c>,
    callers: &mut Vec<LlvmValue<'c>>,
) -> bool {
    match instruction.opcode() {
        Opcode::LLVMLoad => !instruction.is_volatile(),
        Opcode::LLVMStore => {
            !instruction.is_volatile() && is_own_variable_address(instruction.operand(1))
        }
        Opcode::LLVMCall => {
            let callee = instruction.callee();
            if callee.kind() != ValueKind::LLVMFunctionValueKind {
                return false;
            }
            let name = callee.name();
            match name.strip_prefix("llvm.") {
                Some(name) if name.starts_with("memcpy.") || name.starts_with("memset.") => {
                    !instruction.is_volatile_copy()
                        && is_own_variable_address(instruction.operand(0))
                }
                Some(name) => COMPUTES.iter().any(|base| name.starts_with(base)),
                None => only_compares(callee, callers),
            }
        }
        Opcode::LLVMInvoke
        | Opcode::LLVMCallBr
        | Opcode::LLVMIndirectBr
        | Opcode::LLVMUnreachable
        | Opcode::LLVMAtomicRMW
        | Opcode::LLVMAtomicCmpXchg
        | Opcode::LLVMFence
        | Opcode::LLVMVAArg
        | Opcode::LLVMResume
        | Opcode::LLVMLandingPad => false,
        _ => true,
    }
}

/// Whether an address is that of a variable of the function itself.
fn is_own_variable_address(address: LlvmValue<'_>) -> bool {
    let mut address = address;
    loop {
        if address.kind() != ValueKind::LLVMInstructionValueKind {
            return false;
        }
        match address.opcode() {
            Opcode::LLVMAlloca => return true,
            Opcode::LLVMGetElementPtr | Opcode::LLVMBitCast => address = address.operand(0),
            _ => return false,
        }
    }
}

fn has_loop(function: LlvmValue<'_>) -> bool {
    let mut done: HashSet<BasicBlock<'_>> = HashSet::new();
    let mut open: HashSet<BasicBlock<'_>> = HashSet::new();
    let mut work: Vec<(BasicBlock<'_>, bool)> =
        function.blocks().first().map(|block| (*block, false)).into_iter().collect();
    while let Some((block, leaving)) = work.pop() {
        if leaving {
            open.remove(&block);
            done.insert(block);
            continue;
        }
        if done.contains(&block) || !open.insert(block) {
            continue;
        }
        work.push((block, true));
        for next in block.terminator().map(LlvmValue::successors).unwrap_or_default() {
            if open.contains(&next) {
                return true;
            }
            work.push((next, false));
        }
    }
    false
}
