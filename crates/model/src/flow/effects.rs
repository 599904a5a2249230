//! What a call may write.

use std::collections::BTreeSet;

use super::recursion::{call_graph, reachable_callees};
use crate::ids::TypedId;
use crate::{
    BuiltinFunction, Callee, Function, FunctionId, GlobalId, Instruction, Operand, Program,
};

/// What a call may have written when it returns, apart from objects that are gone by then.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CallWrites {
    /// At most these objects.
    Globals(BTreeSet<GlobalId>),
    /// Anything.
    Anything,
}

/// What a call of each of these functions may write, with all that it calls.
pub fn find_call_writes(program: &Program, of: &[FunctionId]) -> Vec<CallWrites> {
    let own =
        |function: &Function| join_writes(function_instructions(function).map(instruction_writes));
    merge_over_callees(program, of, own, |all| join_writes(all.into_iter().cloned()))
}

/// Whether a call of each of these functions may free memory, with all that it calls.
pub fn find_freeing_calls(program: &Program, of: &[FunctionId]) -> Vec<bool> {
    let is_free = |instruction: &Instruction| {
        matches!(
            instruction,
            Instruction::Call { callee: Callee::Builtin(BuiltinFunction::Free), .. }
        )
    };
    let own = |function: &Function| function_instructions(function).any(is_free);
    merge_over_callees(program, of, own, |all| all.into_iter().any(|frees| *frees))
}

fn function_instructions(function: &Function) -> impl Iterator<Item = &Instruction> {
    let statements = function.blocks.iter().flat_map(|block| &block.statements);
    statements.map(|statement| &statement.instruction)
}

/// What is said of each of these functions and of all that it may call, put together.
fn merge_over_callees<T>(
    program: &Program,
    of: &[FunctionId],
    own: impl Fn(&Function) -> T,
    together: impl Fn(Vec<&T>) -> T,
) -> Vec<T> {
    if of.is_empty() {
        return Vec::new();
    }
    let own: Vec<T> = program.functions.iter().map(own).collect();
    let calls = call_graph(program);
    let all = |id: &FunctionId| {
        let mut reached = reachable_callees(id.index(), &calls);
        reached[id.index()] = true;
        // The last node, for calls through pointers, is no function.
        together(
            own.iter().zip(reached).filter(|(_, reached)| *reached).map(|(own, _)| own).collect(),
        )
    };
    of.iter().map(all).collect()
}

fn join_writes(all: impl Iterator<Item = CallWrites>) -> CallWrites {
    let mut globals = BTreeSet::new();
    for writes in all {
        match writes {
            CallWrites::Globals(more) => globals.extend(more),
            CallWrites::Anything => return CallWrites::Anything,
        }
    }
    CallWrites::Globals(globals)
}

fn instruction_writes(instruction: &Instruction) -> CallWrites {
    let to = match instruction {
        Instruction::Store { address, .. } => *address,
        Instruction::Copy { to, .. } | Instruction::Fill { to, .. } => *to,
        Instruction::VaStart { list } => *list,
        Instruction::Call { callee: Callee::Builtin(builtin), .. } => {
            return match builtin {
                BuiltinFunction::ObjectSize
                | BuiltinFunction::Apart
                | BuiltinFunction::Print
                | BuiltinFunction::Write
                | BuiltinFunction::Event
                | BuiltinFunction::Violation => CallWrites::Globals(BTreeSet::new()),
                BuiltinFunction::Allocate | BuiltinFunction::Free | BuiltinFunction::Format => CallWrites::Anything,
            };
        }
        Instruction::Assign { .. }
        | Instruction::Unary { .. }
        | Instruction::Binary { .. }
        | Instruction::Float { .. }
        | Instruction::Compare { .. }
        | Instruction::Cast { .. }
        | Instruction::Select { .. }
        | Instruction::Offset { .. }
        | Instruction::Load { .. }
        | Instruction::Alloca { .. }
        | Instruction::StackSave { .. }
        | Instruction::StackRestore { .. }
        | Instruction::Choice { .. }
        | Instruction::Unknown { .. }
        | Instruction::Assume { .. }
        // What the callee writes is said of the callee.
        | Instruction::Call { callee: Callee::Function(_) | Callee::Pointer(_), .. } => {
            return CallWrites::Globals(BTreeSet::new());
        }
    };
    match to {
        Operand::Global(global, _) => CallWrites::Globals(BTreeSet::from([global])),
        _ => CallWrites::Anything,
    }
}
