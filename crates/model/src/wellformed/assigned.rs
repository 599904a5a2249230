//! Temporaries are written before they are read, on every path from the entry.
//!
//! Forward, from everything written to what is certainly written: the meet over the paths is
//! intersection, and code that nothing reaches keeps everything.

use crate::ids::TypedId;
use crate::{BlockId, Function, Operand, VarId, VarKind};

/// A temporary that some path reads before it writes it.
pub(super) struct UnwrittenRead {
    pub(super) block: BlockId,
    pub(super) statement: usize,
    pub(super) var: VarId,
}

type WrittenBits = Vec<u64>;

fn set_written(bits: &mut WrittenBits, var: VarId) {
    bits[var.index() / 64] |= 1 << (var.index() % 64);
}

fn is_written(bits: &WrittenBits, var: VarId) -> bool {
    bits[var.index() / 64] >> (var.index() % 64) & 1 == 1
}

/// All such reads; every id of the function is in range.
pub(super) fn find_unwritten_reads(function: &Function) -> Vec<UnwrittenRead> {
    let written = solve_written(function);
    let mut reads = Vec::new();
    for (id, block) in function.blocks.enumerate() {
        let mut bits = written[id.index()].clone();
        let mut note = |bits: &WrittenBits, statement: usize, operand: Operand| {
            if let Operand::Var(var) = operand
                && function.vars[var].kind == VarKind::Temp
                && !is_written(bits, var)
            {
                reads.push(UnwrittenRead { block: id, statement, var });
            }
        };
        for (index, statement) in block.statements.iter().enumerate() {
            statement.instruction.each_operand(|operand| note(&bits, index, operand));
            statement
                .instruction
                .destination_vars()
                .iter()
                .for_each(|dst| set_written(&mut bits, *dst));
        }
        block.terminator.each_operand(|operand| note(&bits, block.statements.len(), operand));
    }
    reads
}

/// The variables certainly written at the start of each block.
fn solve_written(function: &Function) -> Vec<WrittenBits> {
    let words = function.vars.len().div_ceil(64);
    let mut written = vec![vec![u64::MAX; words]; function.blocks.len()];
    let mut entry = vec![0; words];
    function.params.iter().for_each(|param| set_written(&mut entry, *param));
    written[0] = entry;
    let mut reached = vec![false; function.blocks.len()];
    let mut waiting = vec![false; function.blocks.len()];
    let mut pending = vec![BlockId::from_index(0)];
    while let Some(id) = pending.pop() {
        waiting[id.index()] = false;
        reached[id.index()] = true;
        let block = &function.blocks[id];
        let mut bits = written[id.index()].clone();
        for statement in &block.statements {
            statement
                .instruction
                .destination_vars()
                .iter()
                .for_each(|dst| set_written(&mut bits, *dst));
        }
        block.terminator.each_successor(|to| {
            let mut changed = false;
            for (word, other) in written[to.index()].iter_mut().zip(&bits) {
                changed |= *word & !other != 0;
                *word &= other;
            }
            let again = changed || !reached[to.index()];
            if again && !std::mem::replace(&mut waiting[to.index()], true) {
                pending.push(to);
            }
        });
    }
    written
}
