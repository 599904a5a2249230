//! Steps of pointers that nobody holds within their objects.
//!
//! A pointer that moves stays within its object, says C; but the machine lets it move on as long as nothing is read
//! or written there, and so do compilers. So only where what a step leads to is accessed does a step that leaves the
//! object end the run: on each way on from a step, before it has been taken a few times more. Any other step is just one
//! of an address, and leads anywhere at the end of addresses: that a pointer runs out of them is no reason why a loop
//! ends.

use std::collections::BTreeSet;

use ouro_model::{BlockId, Function, Instruction, Operand, VarId};

use crate::limits::LIMITS;
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
    pub(crate) fn of_region(function: &Function, region: &LoopRegion) -> StrayPointers {
        let mut strays = StrayPointers::default();
        for block in region.iterated_blocks() {
            for (index, statement) in function.blocks[block].statements.iter().enumerate() {
                let Instruction::Offset { dst, .. } = statement.instruction else { continue };
                if !is_accessed_soon(function, region, (block, index), dst) {
                    strays.steps.insert((block, index));
                    strays.pointers.extend(copied_variables(function, region, dst));
                }
            }
        }
        strays
    }
}

/// A place behind a step: a statement, the variables that hold where the step led or an address that is a known number
/// of bytes from there, and how often the step has been taken since.
type PlaceBehindStep = (BlockId, usize, BTreeSet<VarId>, usize);

/// Whether what a step leads to is accessed on each way on in the iterations, before the step has been taken a few times
/// more. Then a run that takes it again and again accesses all that it ever led to, but for the last few.
fn is_accessed_soon(
    function: &Function,
    region: &LoopRegion,
    step: (BlockId, usize),
    dst: VarId,
) -> bool {
    let mut seen: BTreeSet<PlaceBehindStep> = BTreeSet::new();
    let mut pending = vec![(step.0, step.1 + 1, BTreeSet::from([dst]), 0)];
    'places: while let Some((block, from, mut holders, mut times)) = pending.pop() {
        for (index, statement) in function.blocks[block].statements.iter().enumerate().skip(from) {
            let instruction = &statement.instruction;
            if accesses_any(instruction, &holders) {
                continue 'places;
            }
            times += usize::from((block, index) == step);
            if times > LIMITS.repeated_steps || holders.is_empty() {
                return false;
            }
            let is_held = match instruction {
                Instruction::Offset { base, index: Operand::Const { .. }, .. } => base,
                Instruction::Assign { value, .. } => value,
                _ => &Operand::Label(block),
            };
            let is_held = operand_variable(*is_held).is_some_and(|var| holders.contains(&var));
            for written in instruction.destination_vars() {
                // Where the step leads when it is taken again is another matter.
                match is_held && (block, index) != step {
                    true => holders.insert(*written),
                    false => holders.remove(written),
                };
            }
        }
        let mut next = Vec::new();
        function.blocks[block].terminator.each_successor(|to| next.push(to));
        for to in next.into_iter().filter(|to| region.is_iterated(*to)) {
            let place = (to, 0, holders.clone(), times);
            if seen.len() >= LIMITS.places_behind_step {
                return false;
            }
            if seen.insert(place.clone()) {
                pending.push(place);
            }
        }
    }
    true
}

/// Whether an instruction reads or writes what one of these variables leads to.
fn accesses_any(instruction: &Instruction, holders: &BTreeSet<VarId>) -> bool {
    let is_held =
        |operand: &Operand| operand_variable(*operand).is_some_and(|var| holders.contains(&var));
    match instruction {
        Instruction::Load { address, .. } | Instruction::Store { address, .. } => is_held(address),
        // Of no bytes at all, nothing is accessed.
        Instruction::Copy { to, from, size: Operand::Const { bits: 1.., .. }, .. } => {
            is_held(to) || is_held(from)
        }
        Instruction::Fill { to, size: Operand::Const { bits: 1.., .. }, .. } => is_held(to),
        _ => false,
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
