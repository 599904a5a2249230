//! Steps of pointers that nobody holds within their objects.
//!
//! A pointer that moves stays within its object, says C; but the machine lets it move on as long as nothing is read
//! or written there, and so do compilers. So only where each iteration accesses what the pointer leads to does a step that
//! leaves the object end the run. Any other step is just one of an address, and leads anywhere at the end of addresses:
//! that a pointer runs out of them is no reason why a loop ends.

use std::collections::{BTreeMap, BTreeSet};

use ouro_model::{BlockId, Function, Instruction, Operand, VarId};

use crate::region::LoopRegion;

/// The pointers that may leave their objects.
#[derive(Clone, Debug, Default)]
pub(crate) struct StrayPointers {
    /// The steps in the iterations of a loop after which they need not be accessed, by block and number.
    pub(crate) steps: BTreeSet<(BlockId, usize)>,
    /// The variables that such a step or a copy of it writes.
    pub(crate) pointers: BTreeSet<VarId>,
}

impl StrayPointers {
    pub(crate) fn of_region(
        function: &Function,
        region: &LoopRegion,
        head: BlockId,
    ) -> StrayPointers {
        let accessed = accessed_each_iteration(function, region, head);
        let mut strays = StrayPointers::default();
        for block in region.iterated_blocks() {
            for (index, statement) in function.blocks[block].statements.iter().enumerate() {
                let Instruction::Offset { dst, .. } = statement.instruction else { continue };
                let copies = copied_variables(function, region, dst);
                if !copies.iter().any(|var| accessed.contains(var)) {
                    strays.steps.insert((block, index));
                    strays.pointers.extend(copies);
                }
            }
        }
        strays
    }
}

/// The variables that hold what is accessed in each iteration, or that it is a known number of bytes behind.
fn accessed_each_iteration(
    function: &Function,
    region: &LoopRegion,
    head: BlockId,
) -> BTreeSet<VarId> {
    let mut all = BTreeSet::new();
    for block in
        region.body.iter().filter(|block| is_passed_each_iteration(function, region, head, **block))
    {
        for statement in &function.blocks[*block].statements {
            match &statement.instruction {
                Instruction::Load { address: Operand::Var(var), .. }
                | Instruction::Store { address: Operand::Var(var), .. } => {
                    all.insert(*var);
                }
                // Of no bytes at all, nothing is accessed.
                Instruction::Copy { to, from, size: Operand::Const { bits: 1.., .. }, .. } => {
                    all.extend([to, from].into_iter().filter_map(|one| operand_variable(*one)));
                }
                Instruction::Fill { to, size: Operand::Const { bits: 1.., .. }, .. } => {
                    all.extend(operand_variable(*to));
                }
                _ => {}
            }
        }
    }
    let mut times: BTreeMap<VarId, usize> = BTreeMap::new();
    for block in region.iterated_blocks() {
        for statement in &function.blocks[block].statements {
            statement
                .instruction
                .destination_vars()
                .iter()
                .for_each(|dst| *times.entry(*dst).or_default() += 1);
        }
    }
    loop {
        let before = all.len();
        for block in region.iterated_blocks() {
            for statement in &function.blocks[block].statements {
                if let Instruction::Offset { dst, base, index: Operand::Const { .. }, .. }
                | Instruction::Assign { dst, value: base @ Operand::Var(_) } =
                    &statement.instruction
                    && all.contains(dst)
                    // What is one thing or another says nothing about either.
                    && times.get(dst) == Some(&1)
                {
                    all.extend(operand_variable(*base));
                }
            }
        }
        if all.len() == before {
            return all;
        }
    }
}

fn operand_variable(operand: Operand) -> Option<VarId> {
    match operand {
        Operand::Var(var) => Some(var),
        _ => None,
    }
}

/// The variables that an address goes to.
fn copied_variables(function: &Function, region: &LoopRegion, var: VarId) -> BTreeSet<VarId> {
    let mut all = BTreeSet::from([var]);
    loop {
        let before = all.len();
        for block in region.iterated_blocks() {
            for statement in &function.blocks[block].statements {
                if let Instruction::Assign { dst, value: Operand::Var(value) } =
                    statement.instruction
                    && all.contains(&value)
                {
                    all.insert(dst);
                }
            }
        }
        if all.len() == before {
            return all;
        }
    }
}

/// Whether no iteration comes back to the head without passing a block.
fn is_passed_each_iteration(
    function: &Function,
    region: &LoopRegion,
    head: BlockId,
    block: BlockId,
) -> bool {
    let mut seen = BTreeSet::from([block]);
    let mut pending = if head == block { Vec::new() } else { vec![head] };
    let mut back = false;
    while let Some(at) = pending.pop() {
        function.blocks[at].terminator.each_successor(|to| {
            back |= to == head;
            if region.is_iterated(to) && seen.insert(to) {
                pending.push(to);
            }
        });
    }
    !back
}
