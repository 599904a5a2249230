//! Steps of pointers that nobody holds within their objects.
//!
//! A pointer that moves stays within its object, says C; but the machine lets it move on as long as nothing is read
//! or written there, and so do compilers; and a pointer may be a number that is no address of an object at all. So only
//! where what a step leads to is accessed does a step that leaves the object end the run: on each way on from a step,
//! before it has been taken a few times more, and before a run could go round forever. On the way to the loop that has to
//! be before the loop. Any other step is just one of an address, and leads anywhere at the end of addresses: that a pointer
//! runs out of them is no reason why a loop ends.

use std::collections::{BTreeMap, BTreeSet};

use ouro_model::{BlockId, Function, Instruction, Operand, VarId};

use crate::limits::LIMITS;
use crate::places::{CellChange, PromotedCells};
use crate::region::LoopRegion;

/// The pointers that may leave their objects.
#[derive(Clone, Debug, Default)]
pub(crate) struct StrayPointers {
    /// The steps after which they need not be accessed, by block and number.
    pub(crate) steps: BTreeSet<(BlockId, usize)>,
    /// The variables that such a step in the iterations or a copy of it writes.
    pub(crate) pointers: BTreeSet<VarId>,
}

/// What holds an address.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum AddressHolder {
    Var(VarId),
    /// A place in memory that is a variable of the loop's program.
    Cell(usize),
}

impl StrayPointers {
    pub(crate) fn of_region(
        function: &Function,
        region: &LoopRegion,
        places: &PromotedCells<'_>,
    ) -> StrayPointers {
        let mut strays = StrayPointers::default();
        let iterations = Iterations::of_region(function, region, places);
        for block in region.iterated_blocks().chain(region.way.iter().copied()) {
            for (index, statement) in function.blocks[block].statements.iter().enumerate() {
                let Instruction::Offset { dst, .. } = statement.instruction else { continue };
                if !iterations.is_accessed_soon((block, index), dst) {
                    strays.steps.insert((block, index));
                    if region.is_iterated(block) {
                        strays.pointers.extend(iterations.copied_variables(dst));
                    }
                }
            }
        }
        strays
    }
}

/// The iterations of a loop, and what they do to places in memory that are variables of its program.
struct Iterations<'a> {
    function: &'a Function,
    region: &'a LoopRegion,
    places: &'a PromotedCells<'a>,
    /// By block and number of the statement, if there is something.
    changes: BTreeMap<(BlockId, usize), Vec<(usize, CellChange)>>,
}

impl<'a> Iterations<'a> {
    fn of_region(
        function: &'a Function,
        region: &'a LoopRegion,
        places: &'a PromotedCells<'a>,
    ) -> Iterations<'a> {
        let mut changes = BTreeMap::new();
        for block in region.iterated_blocks() {
            for (index, statement) in function.blocks[block].statements.iter().enumerate() {
                let (made, _) =
                    places.instruction_changes(block, &statement.instruction, statement.span);
                if !made.is_empty() {
                    changes.insert((block, index), made);
                }
            }
        }
        Iterations { function, region, places, changes }
    }

    fn changes_at(&self, block: BlockId, index: usize) -> &[(usize, CellChange)] {
        self.changes.get(&(block, index)).map_or(&[], Vec::as_slice)
    }

    /// The cell that an instruction reads.
    fn cell_read(&self, block: BlockId, instruction: &Instruction) -> Option<AddressHolder> {
        let Instruction::Load { dst, address } = instruction else { return None };
        let ty = self.function.vars[*dst].ty;
        self.places.cell_read_by(block, *address, ty).map(AddressHolder::Cell)
    }

    /// Whether what a step leads to is accessed on each way on in the iterations, before the step has been taken a few times
    /// more. Then a run that takes it again and again accesses all that it ever led to, but for the last few.
    fn is_accessed_soon(&self, step: (BlockId, usize), dst: VarId) -> bool {
        let (function, region) = (self.function, self.region);
        let is_on_way = !region.is_iterated(step.0);
        let mut seen: BTreeMap<PlaceBehindStep, usize> = BTreeMap::new();
        let mut passages = PassageGraph::default();
        let start = passages.add_place(step.0);
        let mut pending =
            vec![(start, (step.0, step.1 + 1, BTreeSet::from([AddressHolder::Var(dst)]), 0))];
        'places: while let Some((place, (block, from, mut holders, mut times))) = pending.pop() {
            for (index, statement) in
                function.blocks[block].statements.iter().enumerate().skip(from)
            {
                let instruction = &statement.instruction;
                if accesses_any(instruction, &holders) {
                    continue 'places;
                }
                times += usize::from((block, index) == step);
                if times > LIMITS.repeated_steps || holders.is_empty() {
                    return false;
                }
                let held = match instruction {
                    Instruction::Offset { base, index: Operand::Const { .. }, .. } => {
                        operand_holder(*base)
                    }
                    Instruction::Assign { value, .. } => operand_holder(*value),
                    other => self.cell_read(block, other),
                };
                let is_held = held.is_some_and(|holder| holders.contains(&holder));
                for (cell, change) in self.changes_at(block, index) {
                    let value = match change {
                        CellChange::Set(value) => operand_holder(*value),
                        CellChange::Lose => None,
                    };
                    let holder = AddressHolder::Cell(*cell);
                    match value.is_some_and(|value| holders.contains(&value)) {
                        true => holders.insert(holder),
                        false => holders.remove(&holder),
                    };
                }
                for written in instruction.destination_vars() {
                    let holder = AddressHolder::Var(*written);
                    // Where the step leads when it is taken again is another matter.
                    match is_held && (block, index) != step {
                        true => holders.insert(holder),
                        false => holders.remove(&holder),
                    };
                }
            }
            let mut next = Vec::new();
            function.blocks[block].terminator.each_successor(|to| next.push(to));
            for to in next {
                if is_on_way && region.is_iterated(to) {
                    return false;
                }
                if !(is_on_way && region.is_on_way(block, to) || region.is_iterated(to)) {
                    continue;
                }
                let behind = (to, 0, holders.clone(), times);
                if let Some(known) = seen.get(&behind) {
                    passages.add_passage(place, *known);
                    continue;
                }
                if seen.len() >= LIMITS.places_behind_step {
                    return false;
                }
                let next = passages.add_place(to);
                passages.add_passage(place, next);
                seen.insert(behind.clone(), next);
                pending.push((next, behind));
            }
        }
        !passages.goes_round(region)
    }

    /// The variables that an address goes to, also through memory.
    fn copied_variables(&self, var: VarId) -> BTreeSet<VarId> {
        let mut all = BTreeSet::from([AddressHolder::Var(var)]);
        loop {
            let before = all.len();
            for block in self.region.iterated_blocks() {
                for (index, statement) in self.function.blocks[block].statements.iter().enumerate()
                {
                    let has =
                        |value: Operand| operand_holder(value).is_some_and(|v| all.contains(&v));
                    let copied = match &statement.instruction {
                        Instruction::Assign { value, .. } => has(*value),
                        Instruction::Select { left, right, .. } => has(*left) || has(*right),
                        other => self.cell_read(block, other).is_some_and(|one| all.contains(&one)),
                    };
                    let is_stored = |change: &CellChange| matches!(change, CellChange::Set(value) if has(*value));
                    let stored: Vec<usize> = (self.changes_at(block, index).iter())
                        .filter(|(_, change)| is_stored(change))
                        .map(|(cell, _)| *cell)
                        .collect();
                    if copied {
                        let written = statement.instruction.destination_vars();
                        all.extend(written.iter().map(|var| AddressHolder::Var(*var)));
                    }
                    all.extend(stored.into_iter().map(AddressHolder::Cell));
                }
            }
            if all.len() == before {
                let vars = all.into_iter().filter_map(|holder| match holder {
                    AddressHolder::Var(var) => Some(var),
                    AddressHolder::Cell(_) => None,
                });
                return vars.collect();
            }
        }
    }
}

/// How control passes from place to place behind a step.
#[derive(Default)]
struct PassageGraph {
    /// The block of each place.
    blocks: Vec<BlockId>,
    passages: Vec<(usize, usize)>,
}

impl PassageGraph {
    fn add_place(&mut self, block: BlockId) -> usize {
        self.blocks.push(block);
        self.blocks.len() - 1
    }

    fn add_passage(&mut self, from: usize, to: usize) {
        self.passages.push((from, to));
    }

    /// Whether a run can pass such places forever. Loops that are cut are taken to end.
    fn goes_round(&self, region: &LoopRegion) -> bool {
        let cut_around: Vec<Option<BlockId>> =
            self.blocks.iter().map(|block| region.cut_loop_around(*block)).collect();
        let is_inside_cut = |from: usize, to: usize| {
            cut_around[from].is_some() && cut_around[from] == cut_around[to]
        };
        // What is neither before nor behind all rounds is in one, or between two.
        let ahead = without_first_places(self.blocks.len(), &self.passages);
        let back: Vec<(usize, usize)> = ahead.into_iter().map(|(from, to)| (to, from)).collect();
        let round = without_first_places(self.blocks.len(), &back);
        round.into_iter().any(|(to, from)| !is_inside_cut(from, to))
    }
}

/// The passages from places that are in a round or behind one.
fn without_first_places(places: usize, passages: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); places];
    let mut entered = vec![0_usize; places];
    for (from, to) in passages {
        next[*from].push(*to);
        entered[*to] += 1;
    }
    let mut first: Vec<usize> = (0..places).filter(|place| entered[*place] == 0).collect();
    while let Some(place) = first.pop() {
        for to in std::mem::take(&mut next[place]) {
            entered[to] -= 1;
            if entered[to] == 0 {
                first.push(to);
            }
        }
    }
    let left = next.into_iter().enumerate();
    left.flat_map(|(from, all)| all.into_iter().map(move |to| (from, to))).collect()
}

/// A place behind a step: a statement, what holds where the step led or an address that is a known number of bytes from
/// there, and how often the step has been taken since.
type PlaceBehindStep = (BlockId, usize, BTreeSet<AddressHolder>, usize);

/// Whether an instruction reads or writes what one of these addresses leads to.
fn accesses_any(instruction: &Instruction, holders: &BTreeSet<AddressHolder>) -> bool {
    let is_held =
        |operand: &Operand| operand_holder(*operand).is_some_and(|one| holders.contains(&one));
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

fn operand_holder(operand: Operand) -> Option<AddressHolder> {
    match operand {
        Operand::Var(var) => Some(AddressHolder::Var(var)),
        _ => None,
    }
}
