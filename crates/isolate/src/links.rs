//! Pointers that follow links: `p = p->next`.
//!
//! Nothing says that such a loop ends, but mostly the links come to an end. Where that may be assumed, a number
//! that nobody knows is counted down with every link, and cannot be negative. The finding names the assumption.
//!
//! It has to be an assumption about memory and not about the loop. So a pointer counts only if, in each iteration that
//! changes it, it becomes something that was read through it in that iteration, by one link or more. Then each iteration that
//! changes it leads further down the links, and infinitely many such iterations would need links without an end.
//! And nothing may be seen to change those links in the loop, or to make them in the function before it, itself or in
//! what it calls: a list that grows at its end is never walked to it, and one that was just closed has no end. Where an
//! address is written through a pointer that may itself lead to a link, as `*list->tail = node` does, any link may be
//! meant. To write a null pointer there is fine. Code that is not here is named in the assumption.

use std::collections::{BTreeMap, BTreeSet};

use ouro_model::flow::FunctionFlow;
use ouro_model::{
    BlockId, Function, FunctionId, GlobalId, InitializerCell, Instruction, Operand, Program, Span,
    Type, VarId, VarKind,
};

use crate::copies::{self, AddressOrigin, CopyAnalysis};
use crate::effects::ProgramEffects;
use crate::flows::AddressFlows;
use crate::limits::LIMITS;
use crate::places::signed_value;
use crate::region::LoopRegion;
use crate::writes::{self, StoredKind, WrittenBytes};

/// The pointers of a region that follow links.
#[derive(Clone, Debug, Default)]
pub(crate) struct LinkPointers {
    /// For each of them, where it follows one.
    pub(crate) of: BTreeMap<VarId, Vec<LinkStep>>,
    /// The line of a call in the loop whose code is not here.
    unseen: Option<u32>,
}

/// A place where a pointer becomes what a link leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LinkStep {
    pub(crate) block: BlockId,
    /// The number of the statement in its block.
    pub(crate) index: usize,
    pub(crate) span: Span,
}

impl LinkPointers {
    pub(crate) fn of_region(
        program: &Program,
        effects: &ProgramEffects,
        id: FunctionId,
        flow: &FunctionFlow,
        region: &LoopRegion,
        head: BlockId,
    ) -> LinkPointers {
        // With another loop inside, one iteration could change a pointer without end.
        if !region.is_plain {
            return LinkPointers::default();
        }
        let function = &program.functions[id];
        let search = LinkSearch::for_region(program, effects, id, flow, region, head);
        let mut of = BTreeMap::new();
        for var in search.written.keys() {
            if function.vars[*var].ty == Type::Ptr
                && let Some(steps) = search.steps(*var)
            {
                of.insert(*var, steps);
            }
        }
        let statements =
            region.iterated_blocks().flat_map(|block| &function.blocks[block].statements);
        let unseen = statements.filter(|one| effects.writes.reaches_unseen_code(&one.instruction));
        LinkPointers { of, unseen: unseen.map(|one| one.span.line).min() }
    }

    /// Leaves out pointers for which something would be assumed that must not be.
    pub(crate) fn drop_pointers(&mut self, without: &[String]) {
        let mut of = std::mem::take(&mut self.of);
        of.retain(|_, steps| !steps.iter().any(|step| without.contains(&self.text(step))));
        self.of = of;
    }

    /// What is assumed about a step, in words.
    pub(crate) fn text(&self, step: &LinkStep) -> String {
        let said = format!(
            "the links that line {} follows form no cycle, and the loop does not change them",
            step.span.line
        );
        match self.unseen {
            Some(line) => format!("{said}, nor does the call on line {line}"),
            None => said,
        }
    }

    /// The pointers that follow a link at a statement.
    pub(crate) fn pointers_at(&self, block: BlockId, index: usize) -> impl Iterator<Item = VarId> {
        let here = move |step: &LinkStep| step.block == block && step.index == index;
        self.of.iter().filter(move |(_, steps)| steps.iter().any(here)).map(|(var, _)| *var)
    }
}

/// What is known while links are looked for.
struct LinkSearch<'a> {
    function: &'a Function,
    region: &'a LoopRegion,
    head: BlockId,
    /// Where the iterations write each variable.
    written: BTreeMap<VarId, Vec<(BlockId, usize)>>,
    /// What the iterations are seen to write, and what is written before them.
    changes: Vec<WrittenBytes>,
    copies: CopyAnalysis<'a>,
    flows: &'a AddressFlows,
    /// Objects whose address goes somewhere, so that links may lead to them.
    linked: BTreeSet<AddressOrigin>,
    program: &'a Program,
}

impl<'a> LinkSearch<'a> {
    fn for_region(
        program: &'a Program,
        effects: &'a ProgramEffects,
        id: FunctionId,
        flow: &FunctionFlow,
        region: &'a LoopRegion,
        head: BlockId,
    ) -> LinkSearch<'a> {
        let function = &program.functions[id];
        let mut written: BTreeMap<VarId, Vec<(BlockId, usize)>> = BTreeMap::new();
        for block in region.iterated_blocks() {
            for (index, statement) in function.blocks[block].statements.iter().enumerate() {
                for dst in statement.instruction.destination_vars() {
                    written.entry(*dst).or_default().push((block, index));
                }
            }
        }
        let copies = CopyAnalysis::of_function(function);
        let mut changes = BTreeSet::new();
        for block in blocks_leading_to(flow, head) {
            for statement in &function.blocks[block].statements {
                let instruction = &statement.instruction;
                changes.extend(effects.writes.instruction_writes(
                    program,
                    id,
                    &copies,
                    instruction,
                ));
            }
        }
        let mut linked = effects.writes.linked.clone();
        writes::note_linked_objects(program, function, &copies, &mut linked);
        let is_frame =
            |base| matches!(base, AddressOrigin::Var(var) if copies.is_frame_address(var));
        let may_be_linked = |one: &WrittenBytes| match one.base {
            Some(base) => linked.contains(&base) || !is_frame(base),
            None => true,
        };
        let changes = changes.into_iter().filter(may_be_linked);
        let changes = changes.filter(|one| one.stored != StoredKind::Nothing).collect();
        let flows = &effects.writes.flows;
        LinkSearch { function, region, head, written, changes, copies, flows, linked, program }
    }

    /// Whether code is seen to write the links at some bytes from the start of an object, which a pointer follows.
    fn may_change_link(&self, link: i64, pointer: VarId) -> bool {
        let width = i64::from(Type::Ptr.size_in_bytes(self.program.target.pointer_bits));
        let links: Vec<i64> =
            self.beside(pointer).iter().map(|step| link.saturating_add(*step)).collect();
        let hits = |one: &&WrittenBytes| {
            let at = |link: &i64| {
                one.start < link.saturating_add(width) && one.end.is_none_or(|last| *link < last)
            };
            links.iter().any(at) || self.may_lead_to_link(one)
        };
        let mut related = None;
        let mut hits = self.changes.iter().filter(hits);
        let changed = hits.any(|one| match (one.base, one.stored) {
            (Some(base @ AddressOrigin::Global(_)), _) if !self.linked.contains(&base) => false,
            (_, StoredKind::Address | StoredKind::Bytes) => true,
            // Numbers are in all objects; those that the pointer has to do with count.
            (Some(base), _) => related
                .get_or_insert_with(|| copies::related_origins(self.function, pointer))
                .contains(&base),
            (None, _) => false,
        });
        changed || self.is_initially_circular(link)
    }

    /// Whether an address is written through a pointer that was found in memory and need not lead to the start of a node:
    /// one into the middle of objects, or one to a pointer and nothing else.
    fn may_lead_to_link(&self, one: &WrittenBytes) -> bool {
        let is_found = match one.base {
            Some(AddressOrigin::Var(var)) => self.copies.is_loaded(var),
            Some(AddressOrigin::Global(_)) => false,
            None => true,
        };
        let is_interior = one.class.is_some_and(|class| self.flows.is_interior(class));
        let is_alone = one.class.is_none_or(|class| !self.flows.has_contents_behind(class));
        let is_address = one.stored == StoredKind::Address;
        is_address && is_found && (is_interior || (one.start == 0 && is_alone))
    }

    /// How many bytes a pointer may be behind what the links themselves hold: `at = &(*at)->next`, or a structure that
    /// the links lead into the middle of. Code that follows them by itself counts from there.
    fn beside(&self, pointer: VarId) -> BTreeSet<i64> {
        let mut all = BTreeSet::from([0]);
        let mut pending: Vec<((BlockId, usize), i64)> =
            self.written[&pointer].iter().map(|place| (*place, 0)).collect();
        let mut seen = BTreeSet::new();
        while let Some((place, offset)) = pending.pop() {
            if !seen.insert(place) {
                continue;
            }
            let mut follow = |operand: Operand, more: i64| {
                let Operand::Var(var) = operand else { return };
                let places = self.written.get(&var).map_or(&[][..], Vec::as_slice);
                pending.extend(places.iter().map(|place| (*place, offset.saturating_add(more))));
            };
            match self.instruction_at(place) {
                Instruction::Assign { value, .. } => follow(*value, 0),
                Instruction::Select { left, right, .. } => {
                    follow(*left, 0);
                    follow(*right, 0);
                }
                Instruction::Offset { base, index: Operand::Const { ty, bits }, scale, .. } => {
                    let Type::Int(width) = ty else { continue };
                    let index = i64::try_from(signed_value(*bits, *width)).unwrap_or(i64::MAX);
                    follow(*base, index.saturating_mul(*scale));
                }
                Instruction::Load { .. } => {
                    all.insert(offset);
                }
                _ => {}
            }
        }
        all
    }

    /// Whether static objects are linked in a circle from the start, none of which the loop compares with.
    fn is_initially_circular(&self, link: i64) -> bool {
        let mut compared = BTreeSet::new();
        for block in self.region.iterated_blocks() {
            for statement in &self.function.blocks[block].statements {
                if let Instruction::Compare { .. } = statement.instruction {
                    statement.instruction.each_operand(|operand| {
                        if let Operand::Global(id, _) = operand {
                            compared.insert(id);
                        }
                    });
                }
            }
        }
        let next = |(id, at): (GlobalId, i64)| {
            let at = at.checked_add(link).and_then(|at| u64::try_from(at).ok())?;
            self.program.globals[id].cells.iter().find_map(|(offset, cell)| match cell {
                InitializerCell::Global(to, more) if *offset == at => Some((*to, *more)),
                _ => None,
            })
        };
        self.program.globals.ids().any(|id| {
            let mut at = (id, 0);
            let mut seen = BTreeSet::new();
            while seen.insert(at) {
                match next(at) {
                    Some(to) if !compared.contains(&to.0) => at = to,
                    _ => return false,
                }
            }
            true
        })
    }

    fn instruction_at(&self, (block, index): (BlockId, usize)) -> &'a Instruction {
        &self.function.blocks[block].statements[index].instruction
    }

    /// Where a variable follows links, if that is all that ever happens to it.
    fn steps(&self, var: VarId) -> Option<Vec<LinkStep>> {
        let places = &self.written[&var];
        let mut steps = Vec::new();
        for place @ (block, index) in places.iter().copied() {
            // A loop inside that was cut may do it any number of times.
            if !self.region.body.contains(&block) || !self.follows_link(place, var)? {
                return None;
            }
            let span = self.function.blocks[block].statements[index].span;
            steps.push(LinkStep { block, index, span });
        }
        Some(steps)
    }

    /// Whether what a statement writes was read through the pointer in the same iteration, by at least one link;
    /// `None` if it comes from elsewhere.
    fn follows_link(&self, place: (BlockId, usize), pointer: VarId) -> Option<bool> {
        if !self.region.body.contains(&place.0) {
            return None;
        }
        let on = |operand: Operand| self.operand_follows_link(operand, place, pointer);
        match self.instruction_at(place) {
            Instruction::Assign { value, .. } => on(*value),
            Instruction::Select { left, right, .. } => Some(on(*left)? & on(*right)?),
            Instruction::Offset { base, index, .. } => {
                matches!(index, Operand::Const { .. }).then(|| on(*base))?
            }
            Instruction::Load { dst, address } => {
                let link = self.function.vars[*dst].ty == Type::Ptr;
                let seen = self
                    .offset_of_pointer(*address)
                    .is_none_or(|at| self.may_change_link(at, pointer));
                (link && !seen).then(|| on(*address))?.map(|_| true)
            }
            _ => None,
        }
    }

    /// The same for an operand of a statement.
    fn operand_follows_link(
        &self,
        operand: Operand,
        user: (BlockId, usize),
        pointer: VarId,
    ) -> Option<bool> {
        let Operand::Var(var) = operand else { return None };
        if var == pointer {
            return Some(false);
        }
        let [place] = self.written.get(&var)?[..] else { return None };
        // Otherwise it may still hold what an earlier iteration left there. Since what comes first in this way cannot
        // come second as well, no variable is computed from itself.
        self.comes_first(place, user).then(|| self.follows_link(place, pointer))?
    }

    /// Whether no iteration comes to one statement without having passed another.
    fn comes_first(&self, first: (BlockId, usize), then: (BlockId, usize)) -> bool {
        if first.0 == then.0 {
            return first.1 < then.1;
        }
        let mut seen = BTreeSet::from([first.0]);
        let mut pending = if self.head == first.0 { Vec::new() } else { vec![self.head] };
        seen.extend(pending.iter().copied());
        while let Some(block) = pending.pop() {
            self.function.blocks[block].terminator.each_successor(|to| {
                if self.region.is_iterated(to) && to != self.head && seen.insert(to) {
                    pending.push(to);
                }
            });
        }
        !seen.contains(&then.0)
    }

    /// How many bytes an address is behind the pointer that it is made from; none if that is not known.
    fn offset_of_pointer(&self, address: Operand) -> Option<i64> {
        let mut at = address;
        let mut offset = 0_i64;
        for _ in 0..LIMITS.address_steps {
            let Operand::Var(var) = at else { return None };
            let place = match self.written.get(&var).map(Vec::as_slice) {
                Some([place]) if self.function.vars[var].kind == VarKind::Temp => *place,
                _ => return Some(offset),
            };
            match self.instruction_at(place) {
                Instruction::Offset { base, index: Operand::Const { ty, bits }, scale, .. } => {
                    let Type::Int(width) = ty else { return None };
                    let index = i64::try_from(signed_value(*bits, *width)).ok()?;
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

/// The blocks of a loop and those from which it is reached.
fn blocks_leading_to(flow: &FunctionFlow, head: BlockId) -> BTreeSet<BlockId> {
    let mut all = BTreeSet::from([head]);
    let mut pending = vec![head];
    while let Some(block) = pending.pop() {
        let before = flow.predecessors(block).iter().copied();
        pending.extend(before.filter(|from| all.insert(*from)));
    }
    all
}
