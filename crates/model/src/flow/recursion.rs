//! Which functions may call themselves.

use crate::ids::{IdVec, TypedId};
use crate::{Callee, FunctionId, InitializerCell, Instruction, Operand, Program};

/// For each function, whether it may call itself, directly or through others. A call through a
/// pointer may reach every function whose address is taken.
pub fn recursive_functions(program: &Program) -> IdVec<FunctionId, bool> {
    call_cycle_leaders(program).iter().map(Option::is_some).collect()
}

/// For each function that may call itself, the first of those that it may call and that may call it: two
/// functions with the same one may call each other.
pub fn call_cycle_leaders(program: &Program) -> IdVec<FunctionId, Option<FunctionId>> {
    let calls = call_graph(program);
    let mut cycles: Vec<Option<FunctionId>> = vec![None; program.functions.len()];
    for id in program.functions.ids() {
        let from_here = reachable_callees(id.index(), &calls);
        if cycles[id.index()].is_some() || !from_here[id.index()] {
            continue;
        }
        for other in program.functions.ids().filter(|other| from_here[other.index()]) {
            if reachable_callees(other.index(), &calls)[id.index()] {
                cycles[other.index()] = Some(id);
            }
        }
    }
    cycles.into_iter().collect()
}

/// Who is called by whom, by index. One node more than there are functions stands for a call through
/// a pointer.
pub(super) fn call_graph(program: &Program) -> Vec<Vec<usize>> {
    let pointer = program.functions.len();
    let mut calls = vec![Vec::new(); pointer + 1];
    let mut taken = vec![false; pointer];
    for (_, cell) in program.globals.iter().flat_map(|global| &global.cells) {
        if let InitializerCell::Function(id) = cell {
            taken[id.index()] = true;
        }
    }
    let mut note = |operand: Operand| {
        if let Operand::Function(id) = operand {
            taken[id.index()] = true;
        }
    };
    for (id, function) in program.functions.enumerate() {
        for block in function.blocks.iter() {
            for statement in &block.statements {
                statement.instruction.each_operand(&mut note);
                if let Instruction::Call { callee, .. } = &statement.instruction {
                    match callee {
                        Callee::Function(other) => calls[id.index()].push(other.index()),
                        Callee::Pointer(_) => calls[id.index()].push(pointer),
                        Callee::Builtin(_) => {}
                    }
                }
            }
            block.terminator.each_operand(&mut note);
        }
    }
    calls[pointer] = (0..pointer).filter(|index| taken[*index]).collect();
    calls
}

/// Who may be called, directly or through others.
pub(super) fn reachable_callees(start: usize, calls: &[Vec<usize>]) -> Vec<bool> {
    let mut seen = vec![false; calls.len()];
    let mut open = vec![start];
    while let Some(next) = open.pop() {
        for &callee in &calls[next] {
            if !seen[callee] {
                seen[callee] = true;
                open.push(callee);
            }
        }
    }
    seen
}
