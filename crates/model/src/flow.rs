//! Control flow of a function: neighbours, loop heads, live variables.
//!
//! Everything is computed once by [`FunctionFlow::of`] and then only looked up, because the machine asks
//! at every branch. The function must be well-formed.

mod effects;
mod live;
mod loops;
mod recursion;
mod sign;

use std::collections::BTreeSet;

pub use effects::{CallWrites, find_call_writes, find_freeing_calls};
pub use live::VarSet;
pub use loops::Loop;
pub use recursion::{call_cycle_leaders, recursive_functions};
pub use sign::is_unsigned;

use crate::ids::TypedId;
use crate::{BlockId, Function, GlobalId, InitializerCell, Instruction, Operand, Program};

/// What is known about the control flow of one function.
#[derive(Clone, Debug)]
pub struct FunctionFlow {
    successors: Vec<Vec<BlockId>>,
    predecessors: Vec<Vec<BlockId>>,
    heads: Vec<bool>,
    loops: Vec<Loop>,
    live: live::LiveVariables,
}

impl FunctionFlow {
    /// The flow of a function.
    pub fn of_function(function: &Function) -> FunctionFlow {
        let mut successors = Vec::with_capacity(function.blocks.len());
        let mut predecessors = vec![Vec::new(); function.blocks.len()];
        for (id, block) in function.blocks.enumerate() {
            let mut next = Vec::new();
            block.terminator.each_successor(|to| next.push(to));
            next.sort();
            next.dedup();
            for to in &next {
                predecessors[to.index()].push(id);
            }
            successors.push(next);
        }
        let (heads, loops) = loops::find_loops(function, &successors, &predecessors);
        let live = live::LiveVariables::of_function(function, &successors, &predecessors);
        FunctionFlow { successors, predecessors, heads, loops, live }
    }

    /// Where a block may go, ascending, each once.
    pub fn successors(&self, block: BlockId) -> &[BlockId] {
        &self.successors[block.index()]
    }

    /// From where a block may be reached, ascending, each once.
    pub fn predecessors(&self, block: BlockId) -> &[BlockId] {
        &self.predecessors[block.index()]
    }

    /// Whether the block is the target of a back edge of the depth-first search from the entry.
    /// Every cycle contains at least one such block.
    pub fn is_loop_head(&self, block: BlockId) -> bool {
        self.heads[block.index()]
    }

    /// Whether at least two blocks lead here.
    pub fn is_join(&self, block: BlockId) -> bool {
        self.predecessors(block).len() >= 2
    }

    /// The loops, one for each head, by ascending head.
    pub fn loops(&self) -> &[Loop] {
        &self.loops
    }

    /// The variables that are live before the statement at an index; the number of statements
    /// stands for the terminator.
    ///
    /// A variable is live if its value can still matter: to a branch, to memory, to a call, or to
    /// whether something is undefined. A variable that only feeds itself is not live.
    pub fn live_before(&self, block: BlockId, index: usize) -> &VarSet {
        self.live.live_before(block, index)
    }

    /// The variables of a suspended caller that are live: those after the call at an index,
    /// without the ones that the call will fill.
    pub fn live_after_call(&self, block: BlockId, index: usize) -> &VarSet {
        self.live.live_after_call(block, index)
    }
}

/// The globals whose content nothing can see: their address is used only as the direct target of
/// stores, fills and copies, everywhere in the program.
pub fn never_read_globals(program: &Program) -> BTreeSet<GlobalId> {
    let mut unread: BTreeSet<GlobalId> = program.globals.ids().collect();
    let mut seen = |operand: Operand| {
        if let Operand::Global(global, _) = operand {
            unread.remove(&global);
        }
    };
    for global in program.globals.iter() {
        for (_, cell) in &global.cells {
            if let InitializerCell::Global(other, offset) = cell {
                seen(Operand::Global(*other, *offset));
            }
        }
    }
    for block in program.functions.iter().flat_map(|function| function.blocks.iter()) {
        for statement in &block.statements {
            match &statement.instruction {
                Instruction::Store { value, .. } => seen(*value),
                Instruction::Fill { value, size, .. } => {
                    [*value, *size].into_iter().for_each(&mut seen);
                }
                Instruction::Copy { from, size, .. } => {
                    [*from, *size].into_iter().for_each(&mut seen);
                }
                other => other.each_operand(&mut seen),
            }
        }
        block.terminator.each_operand(&mut seen);
    }
    unread
}

#[cfg(test)]
mod tests;
