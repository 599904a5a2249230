//! Strong liveness: a variable is live where its value can still matter.
//!
//! An instruction makes its operands live only if its destination is live after it, or if it can
//! do anything else ([`Instruction::has_effect`]). So a counter that nothing but its own increment
//! reads is dead everywhere (if the increment cannot overflow into undefined behaviour), and two
//! states that differ only there are the same state. The solution is the least one, found backward
//! from nothing.

use crate::ids::TypedId;
use crate::{Block, BlockId, Function, Instruction, Operand, VarId};

/// A set of variables of one function.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct VarSet {
    vars: Box<[VarId]>,
}

impl VarSet {
    /// Whether a variable is in it.
    pub fn contains(&self, var: VarId) -> bool {
        self.vars.binary_search(&var).is_ok()
    }

    /// The variables in it, ascending.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = VarId> + DoubleEndedIterator + '_ {
        self.vars.iter().copied()
    }

    /// The variables in it, ascending.
    pub fn as_slice(&self) -> &[VarId] {
        &self.vars
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.vars.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.vars.is_empty()
    }
}

/// One bit a variable: quick to change while solving.
#[derive(Clone, PartialEq, Eq)]
struct VarBits {
    words: Vec<u64>,
}

impl VarBits {
    fn none(count: usize) -> VarBits {
        VarBits { words: vec![0; count.div_ceil(64)] }
    }

    fn get(&self, var: VarId) -> bool {
        self.words[var.index() / 64] >> (var.index() % 64) & 1 == 1
    }

    /// Whether the set changed.
    fn set(&mut self, var: VarId, value: bool) -> bool {
        let word = &mut self.words[var.index() / 64];
        let bit = 1 << (var.index() % 64);
        let before = *word;
        *word = if value { before | bit } else { before & !bit };
        *word != before
    }

    fn union_with(&mut self, other: &VarBits) {
        for (word, more) in self.words.iter_mut().zip(&other.words) {
            *word |= more;
        }
    }

    fn to_var_set(&self) -> VarSet {
        let mut vars = Vec::new();
        for (index, &word) in self.words.iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                vars.push(VarId::from_index(index * 64 + rest.trailing_zeros() as usize));
                rest &= rest - 1;
            }
        }
        VarSet { vars: vars.into() }
    }
}

/// The live variables at each place of a function.
#[derive(Clone, Debug)]
pub(super) struct LiveVariables {
    /// The distinct sets, as far as neighbours show; most statements change nothing.
    sets: Vec<VarSet>,
    /// For each block, the set before each statement and before the terminator.
    before: Vec<Vec<u32>>,
    /// For each block, the set while the call at that index runs; for other statements unused.
    during: Vec<Vec<u32>>,
}

impl LiveVariables {
    pub(super) fn of_function(
        function: &Function,
        successors: &[Vec<BlockId>],
        predecessors: &[Vec<BlockId>],
    ) -> LiveVariables {
        let starts = solve_liveness(function, successors, predecessors);
        let mut live = LiveVariables { sets: Vec::new(), before: Vec::new(), during: Vec::new() };
        for (id, block) in function.blocks.enumerate() {
            live.record_block(
                function,
                block,
                live_at_block_end(function, &starts, successors, id),
            );
        }
        live
    }

    pub(super) fn live_before(&self, block: BlockId, index: usize) -> &VarSet {
        &self.sets[self.before[block.index()][index] as usize]
    }

    pub(super) fn live_after_call(&self, block: BlockId, index: usize) -> &VarSet {
        &self.sets[self.during[block.index()][index] as usize]
    }

    /// Walks a block backward from what is live after it and stores every set on the way.
    fn record_block(&mut self, function: &Function, block: &Block, mut bits: VarBits) {
        let count = block.statements.len();
        let mut before = vec![0; count + 1];
        let mut during = vec![0; count];
        block.terminator.each_operand(|operand| {
            mark_operand_live(&mut bits, operand);
        });
        before[count] = self.store_live_set(&bits);
        for (index, statement) in block.statements.iter().enumerate().rev() {
            let instruction = &statement.instruction;
            during[index] = before[index + 1];
            if let Instruction::Call { dsts, .. } = instruction
                && !dsts.is_empty()
            {
                let mut suspended = bits.clone();
                dsts.iter().for_each(|dst| {
                    suspended.set(*dst, false);
                });
                during[index] = self.store_live_set(&suspended);
            }
            before[index] = match transfer_instruction(function, &mut bits, instruction) {
                true => self.store_live_set(&bits),
                false => before[index + 1],
            };
        }
        self.before.push(before);
        self.during.push(during);
    }

    fn store_live_set(&mut self, bits: &VarBits) -> u32 {
        self.sets.push(bits.to_var_set());
        u32::try_from(self.sets.len() - 1).expect("fewer than 2^32 statements")
    }
}

/// The variables live at the start of each block.
fn solve_liveness(
    function: &Function,
    successors: &[Vec<BlockId>],
    predecessors: &[Vec<BlockId>],
) -> Vec<VarBits> {
    let mut starts = vec![VarBits::none(function.vars.len()); function.blocks.len()];
    let mut waiting = vec![true; function.blocks.len()];
    // A stack, last block on top: code mostly goes from low numbers to high ones.
    let mut pending: Vec<BlockId> = function.blocks.ids().collect();
    while let Some(id) = pending.pop() {
        waiting[id.index()] = false;
        let mut bits = live_at_block_end(function, &starts, successors, id);
        let block = &function.blocks[id];
        block.terminator.each_operand(|operand| {
            mark_operand_live(&mut bits, operand);
        });
        for statement in block.statements.iter().rev() {
            transfer_instruction(function, &mut bits, &statement.instruction);
        }
        if bits != starts[id.index()] {
            starts[id.index()] = bits;
            for from in &predecessors[id.index()] {
                if !std::mem::replace(&mut waiting[from.index()], true) {
                    pending.push(*from);
                }
            }
        }
    }
    starts
}

/// The variables live after a block's terminator.
fn live_at_block_end(
    function: &Function,
    starts: &[VarBits],
    successors: &[Vec<BlockId>],
    block: BlockId,
) -> VarBits {
    let mut bits = VarBits::none(function.vars.len());
    for to in &successors[block.index()] {
        bits.union_with(&starts[to.index()]);
    }
    bits
}

/// From what is live after an instruction to what is live before it; whether that differs.
fn transfer_instruction(
    function: &Function,
    bits: &mut VarBits,
    instruction: &Instruction,
) -> bool {
    let dsts = instruction.destination_vars();
    let matters = instruction.has_effect(function) || dsts.iter().any(|dst| bits.get(*dst));
    let mut changed = false;
    for dst in dsts {
        changed |= bits.set(*dst, false);
    }
    if matters {
        instruction.each_operand(|operand| changed |= mark_operand_live(bits, operand));
    }
    changed
}

fn mark_operand_live(bits: &mut VarBits, operand: Operand) -> bool {
    match operand {
        Operand::Var(var) => bits.set(var, true),
        _ => false,
    }
}
