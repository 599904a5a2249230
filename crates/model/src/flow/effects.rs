//! What a call may write.

use std::collections::BTreeSet;

use super::recursion::{call_graph, reached};
use crate::ids::Id;
use crate::{Builtin, Callee, Function, FunctionId, GlobalId, Instruction, Operand, Program};

/// What a call may have written when it returns, apart from objects that are gone by then.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Writes {
    /// At most these objects.
    Globals(BTreeSet<GlobalId>),
    /// Anything.
    Anything,
}

/// What a call of each of these functions may write, with all that it calls.
pub fn writes(program: &Program, of: &[FunctionId]) -> Vec<Writes> {
    let own = |function: &Function| joined(instructions(function).map(of_instruction));
    with_callees(program, of, own, |all| joined(all.into_iter().cloned()))
}

/// Whether a call of each of these functions may free memory, with all that it calls.
pub fn frees(program: &Program, of: &[FunctionId]) -> Vec<bool> {
    let is_free = |instruction: &Instruction| {
        matches!(instruction, Instruction::Call { callee: Callee::Builtin(Builtin::Free), .. })
    };
    let own = |function: &Function| instructions(function).any(is_free);
    with_callees(program, of, own, |all| all.into_iter().any(|frees| *frees))
}

fn instructions(function: &Function) -> impl Iterator<Item = &Instruction> {
    let statements = function.blocks.iter().flat_map(|block| &block.statements);
    statements.map(|statement| &statement.instruction)
}

/// What is said of each of these functions and of all that it may call, put together.
fn with_callees<T>(
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
        let mut reached = reached(id.index(), &calls);
        reached[id.index()] = true;
        // The last node, for calls through pointers, is no function.
        together(
            own.iter().zip(reached).filter(|(_, reached)| *reached).map(|(own, _)| own).collect(),
        )
    };
    of.iter().map(all).collect()
}

fn joined(all: impl Iterator<Item = Writes>) -> Writes {
    let mut globals = BTreeSet::new();
    for writes in all {
        match writes {
            Writes::Globals(more) => globals.extend(more),
            Writes::Anything => return Writes::Anything,
        }
    }
    Writes::Globals(globals)
}

fn of_instruction(instruction: &Instruction) -> Writes {
    let to = match instruction {
        Instruction::Store { address, .. } => *address,
        Instruction::Copy { to, .. } | Instruction::Fill { to, .. } => *to,
        Instruction::VaStart { list } => *list,
        Instruction::Call { callee: Callee::Builtin(builtin), .. } => {
            return match builtin {
                Builtin::ObjectSize
                | Builtin::Print
                | Builtin::Write
                | Builtin::Event
                | Builtin::Violation => Writes::Globals(BTreeSet::new()),
                Builtin::Allocate | Builtin::Free | Builtin::Format => Writes::Anything,
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
            return Writes::Globals(BTreeSet::new());
        }
    };
    match to {
        Operand::Global(global, _) => Writes::Globals(BTreeSet::from([global])),
        _ => Writes::Anything,
    }
}
