//! Pointers that follow links: `p = p->next`.
//!
//! Nothing says that such a loop ends, but mostly the links come to an end. Where that may be assumed, a number
//! that nobody knows is counted down with every link, and cannot be negative. The finding names the assumption.
//!
//! It has to be an assumption about memory and not about the loop. So a pointer counts only if, in each turn that
//! changes it, it becomes something that was read through it in that turn, by one link or more. Then each turn that
//! changes it leads further down the links, and infinitely many such turns would need links without an end.
//! And nothing in the loop may be seen to change those links: a list that grows at its end is never walked to it.

use std::collections::{BTreeMap, BTreeSet};

use ouro_model::{BlockId, Function, Instruction, Operand, Span, Type, VarId, VarKind};

use crate::places::signed;
use crate::region::Region;

/// The pointers of a region that follow links.
#[derive(Clone, Debug, Default)]
pub(crate) struct Links {
    /// For each of them, where it follows one.
    pub(crate) of: BTreeMap<VarId, Vec<Step>>,
}

/// A place where a pointer becomes what a link leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Step {
    pub(crate) block: BlockId,
    /// The number of the statement in its block.
    pub(crate) index: usize,
    pub(crate) span: Span,
}

impl Step {
    /// What is assumed about it, in words.
    pub(crate) fn text(&self) -> String {
        let line = self.span.line;
        format!(
            "the links that line {line} follows do not lead back to where the loop has been, and it does \
             not change them"
        )
    }
}

impl Links {
    pub(crate) fn of(function: &Function, region: &Region, head: BlockId) -> Links {
        // With another loop inside, one turn could change a pointer without end.
        if !region.is_plain {
            return Links::default();
        }
        let search = Search::of(function, region, head);
        let mut of = BTreeMap::new();
        for var in search.written.keys() {
            if function.vars[*var].ty == Type::Ptr
                && let Some(steps) = search.steps(*var)
            {
                of.insert(*var, steps);
            }
        }
        Links { of }
    }

    /// The pointers that follow a link at a statement.
    pub(crate) fn at(&self, block: BlockId, index: usize) -> impl Iterator<Item = VarId> {
        let here = move |step: &Step| step.block == block && step.index == index;
        self.of.iter().filter(move |(_, steps)| steps.iter().any(here)).map(|(var, _)| *var)
    }
}

/// What is known while links are looked for.
struct Search<'a> {
    function: &'a Function,
    region: &'a Region,
    head: BlockId,
    /// Where the turns write each variable.
    written: BTreeMap<VarId, Vec<(BlockId, usize)>>,
    /// The bytes from the start of an object at which the turns are seen to write addresses.
    changed: BTreeSet<i64>,
}

impl<'a> Search<'a> {
    fn of(function: &'a Function, region: &'a Region, head: BlockId) -> Search<'a> {
        let mut written: BTreeMap<VarId, Vec<(BlockId, usize)>> = BTreeMap::new();
        for block in region.turning() {
            for (index, statement) in function.blocks[block].statements.iter().enumerate() {
                for dst in statement.instruction.dsts() {
                    written.entry(*dst).or_default().push((block, index));
                }
            }
        }
        let mut search = Search { function, region, head, written, changed: BTreeSet::new() };
        for block in region.turning() {
            for statement in &function.blocks[block].statements {
                if let Instruction::Store { address, value } = &statement.instruction
                    && function.type_of(*value) == Some(Type::Ptr)
                {
                    search.changed.extend(search.offset(*address));
                }
            }
        }
        search
    }

    fn instruction(&self, (block, index): (BlockId, usize)) -> &'a Instruction {
        &self.function.blocks[block].statements[index].instruction
    }

    /// Where a variable follows links, if that is all that ever happens to it.
    fn steps(&self, var: VarId) -> Option<Vec<Step>> {
        let places = &self.written[&var];
        let mut steps = Vec::new();
        for place @ (block, index) in places.iter().copied() {
            // A loop inside that was cut may do it any number of times.
            if !self.region.body.contains(&block) || !self.leads_on(place, var)? {
                return None;
            }
            let span = self.function.blocks[block].statements[index].span;
            steps.push(Step { block, index, span });
        }
        Some(steps)
    }

    /// Whether what a statement writes was read through the pointer in the same turn, by at least one link;
    /// `None` if it comes from elsewhere.
    fn leads_on(&self, place: (BlockId, usize), pointer: VarId) -> Option<bool> {
        if !self.region.body.contains(&place.0) {
            return None;
        }
        let on = |operand: Operand| self.through(operand, place, pointer);
        match self.instruction(place) {
            Instruction::Assign { value, .. } => on(*value),
            Instruction::Select { left, right, .. } => Some(on(*left)? & on(*right)?),
            Instruction::Offset { base, index, .. } => {
                matches!(index, Operand::Const { .. }).then(|| on(*base))?
            }
            Instruction::Load { dst, address } => {
                let link = self.function.vars[*dst].ty == Type::Ptr;
                let seen = self.offset(*address).is_none_or(|at| self.changed.contains(&at));
                (link && !seen).then(|| on(*address))?.map(|_| true)
            }
            _ => None,
        }
    }

    /// The same for an operand of a statement.
    fn through(&self, operand: Operand, user: (BlockId, usize), pointer: VarId) -> Option<bool> {
        let Operand::Var(var) = operand else { return None };
        if var == pointer {
            return Some(false);
        }
        let [place] = self.written.get(&var)?[..] else { return None };
        // Otherwise it may still hold what an earlier turn left there. Since what comes first in this way cannot
        // come second as well, no variable is computed from itself.
        self.comes_first(place, user).then(|| self.leads_on(place, pointer))?
    }

    /// Whether no turn comes to one statement without having passed another.
    fn comes_first(&self, first: (BlockId, usize), then: (BlockId, usize)) -> bool {
        if first.0 == then.0 {
            return first.1 < then.1;
        }
        let mut seen = BTreeSet::from([first.0]);
        let mut pending = if self.head == first.0 { Vec::new() } else { vec![self.head] };
        seen.extend(pending.iter().copied());
        while let Some(block) = pending.pop() {
            self.function.blocks[block].terminator.each_successor(|to| {
                if self.region.turns(to) && to != self.head && seen.insert(to) {
                    pending.push(to);
                }
            });
        }
        !seen.contains(&then.0)
    }

    /// How many bytes an address is behind the pointer that it is made from; none if that is not known.
    fn offset(&self, address: Operand) -> Option<i64> {
        let mut at = address;
        let mut offset = 0_i64;
        for _ in 0..DEEPEST {
            let Operand::Var(var) = at else { return None };
            let place = match self.written.get(&var).map(Vec::as_slice) {
                Some([place]) if self.function.vars[var].kind == VarKind::Temp => *place,
                _ => return Some(offset),
            };
            match self.instruction(place) {
                Instruction::Offset { base, index: Operand::Const { ty, bits }, scale, .. } => {
                    let Type::Int(width) = ty else { return None };
                    let index = i64::try_from(signed(*bits, *width)).ok()?;
                    offset = offset.checked_add(index.checked_mul(*scale)?)?;
                    at = *base;
                }
                Instruction::Offset { .. } => return None,
                _ => return Some(offset),
            }
        }
        None
    }
}

/// The most steps from a pointer to an address.
const DEEPEST: usize = 8;
