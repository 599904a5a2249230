//! Control flow of a function: neighbours, loop heads, live variables.

use crate::{BlockId, Function, GlobalId, Program, Span, VarId};

/// What is known about the control flow of one function.
#[derive(Clone, Debug, Default)]
pub struct Flow {}

/// A set of variables of one function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct VarSet {
    words: Vec<u64>,
}

impl VarSet {
    /// Whether a variable is in it.
    pub fn contains(&self, var: VarId) -> bool {
        let index = var.0 as usize;
        self.words.get(index / 64).is_some_and(|word| word >> (index % 64) & 1 == 1)
    }

    /// The variables in it, ascending.
    pub fn iter(&self) -> impl Iterator<Item = VarId> + '_ {
        (0..).map(VarId).take(self.words.len() * 64).filter(|v| self.contains(*v))
    }
}

/// A loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loop {
    /// Its head.
    pub head: BlockId,
    /// Its blocks, ascending, the head among them.
    pub body: Vec<BlockId>,
    /// Where it is in the source.
    pub span: Span,
}

impl Flow {
    /// The flow of a function.
    pub fn of(_function: &Function) -> Flow {
        Flow {}
    }
    /// Where a block may go, ascending, each once.
    pub fn successors(&self, _block: BlockId) -> &[BlockId] {
        &[]
    }
    /// From where a block may be reached, ascending, each once.
    pub fn predecessors(&self, _block: BlockId) -> &[BlockId] {
        &[]
    }
    /// Whether the block is the target of a back edge.
    pub fn is_loop_head(&self, _block: BlockId) -> bool {
        false
    }
    /// Whether several blocks lead here.
    pub fn is_join(&self, _block: BlockId) -> bool {
        false
    }
    /// The loops.
    pub fn loops(&self) -> &[Loop] {
        &[]
    }
    /// The variables live before the statement at an index (or the terminator, at their number).
    pub fn live_before(&self, _block: BlockId, _index: usize) -> &VarSet {
        unimplemented!("next commit")
    }
    /// The variables of a suspended caller that are live: after the call at an index, without
    /// what it fills.
    pub fn live_after_call(&self, _block: BlockId, _index: usize) -> &VarSet {
        unimplemented!("next commit")
    }
}

/// Globals that the program writes at most.
pub fn never_read_globals(_program: &Program) -> std::collections::BTreeSet<GlobalId> {
    std::collections::BTreeSet::new()
}
