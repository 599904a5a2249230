//! Which stack slots are variables of the model, and which stay in memory.
//!
//! A slot is a variable when it holds one scalar and its address is used for nothing but plain
//! loads and stores of exactly that scalar. Everything else could be reached through a pointer,
//! be seen as other bytes, or is volatile: it stays an object in memory.

use std::collections::{HashMap, HashSet};

use crate::layout;
use crate::llvm::{BasicBlock, LlvmValue, Opcode, TypeKind, ValueKind};

/// Whether the slot that `alloca` makes is a variable.
pub(crate) fn is_variable_slot(alloca: LlvmValue<'_>) -> bool {
    let ty = alloca.allocated_type();
    if layout::scalar_type(ty).is_err() || alloca.operand(0).int_value() != Some(1) {
        return false;
    }
    alloca.users().into_iter().all(|user| match user.kind() {
        ValueKind::LLVMInstructionValueKind => match user.opcode() {
            Opcode::LLVMLoad => user.ty() == ty && !user.is_volatile(),
            Opcode::LLVMStore => {
                let value = user.operand(0);
                value != alloca && value.ty() == ty && !user.is_volatile()
            }
            Opcode::LLVMCall => is_slot_marker(user),
            _ => false,
        },
        _ => false,
    })
}

/// Whether a call says something about a slot without using it.
fn is_slot_marker(call: LlvmValue<'_>) -> bool {
    let name = call.callee().name();
    name.starts_with("llvm.lifetime.") || name.starts_with("llvm.dbg.")
}

/// Whether every path writes a variable slot before reading it.
pub(crate) fn is_written_first<'c>(alloca: LlvmValue<'c>, order: &[BasicBlock<'c>]) -> bool {
    let mut loads: HashMap<BasicBlock<'c>, Vec<LlvmValue<'c>>> = HashMap::new();
    let mut stores: HashMap<BasicBlock<'c>, Vec<LlvmValue<'c>>> = HashMap::new();
    for user in alloca.users() {
        match user.opcode() {
            Opcode::LLVMLoad => loads.entry(user.parent()).or_default().push(user),
            Opcode::LLVMStore => stores.entry(user.parent()).or_default().push(user),
            _ => {}
        }
    }
    // Blocks that can be entered with the slot unwritten, found forward from the entry.
    let mut unwritten: HashSet<BasicBlock<'c>> = HashSet::new();
    let mut work: Vec<BasicBlock<'c>> = order.first().copied().into_iter().collect();
    while let Some(block) = work.pop() {
        if !unwritten.insert(block) {
            continue;
        }
        let written_here = stores.get(&block);
        if let Some(loads) = loads.get(&block) {
            let first = block
                .instructions()
                .into_iter()
                .find(|i| loads.contains(i) || written_here.is_some_and(|s| s.contains(i)));
            if first.is_some_and(|first| loads.contains(&first)) {
                return false;
            }
        }
        if written_here.is_none()
            && let Some(terminator) = block.terminator()
        {
            work.extend(terminator.successors());
        }
    }
    true
}

/// Whether nothing reads a parameter: it is unused, or only saved in a slot that nobody loads.
pub(crate) fn is_unread_parameter(parameter: LlvmValue<'_>) -> bool {
    parameter.users().into_iter().all(|user| {
        if !user.is_instruction() {
            return false;
        }
        if matches!(user.opcode(), Opcode::LLVMCall) {
            return is_slot_marker(user);
        }
        if !matches!(user.opcode(), Opcode::LLVMStore) || user.operand(0) != parameter {
            return false;
        }
        let slot = user.operand(1);
        slot.is_instruction()
            && matches!(slot.opcode(), Opcode::LLVMAlloca)
            && !matches!(slot.allocated_type().kind(), TypeKind::LLVMStructTypeKind)
            && slot.users().into_iter().all(|user| {
                user.is_instruction()
                    && match user.opcode() {
                        Opcode::LLVMStore => user.operand(0) != slot,
                        Opcode::LLVMCall => is_slot_marker(user),
                        _ => false,
                    }
            })
    })
}
