//! Places in memory that a loop reads again and again: `s->n`, a global counter.
//!
//! An address is a *base*, which stays the same in every iteration, and an offset. What a loop reads at a known
//! offset from such a base is a *cell*, and becomes a variable. All other reads give any value.
//!
//! A write at the same base is exact. What a write at another base does to a cell depends on whether the two
//! objects can be the same: if so, the cell is unknown afterwards, or, if that is asked for, it is assumed
//! that they are not, and the assumption is noted.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use ouro_model::{
    BlockId, Function, FunctionId, GlobalId, Instruction, Operand, Program, Span, Type, VarId,
    VarKind,
};

mod address;
mod calls;
mod hits;
mod refuted;

use crate::assumption::MemoryAssumption;
use crate::copies::{AddressOrigin, CopyAnalysis};
use crate::effects::ProgramEffects;
use crate::limits::LIMITS;
use crate::objects::FunctionObjects;
use crate::region::LoopRegion;
use crate::{IsolationOptions, MemoryTrust, NamedCell};
use address::ArrayElement;
use hits::{MemoryWrite, WriteEffect};

/// An address that is the same in every iteration.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum InvariantBase {
    /// That of a static object.
    Global(GlobalId),
    /// The value of a variable that the loop does not write.
    Var(VarId),
    /// What is in a cell that the loop does not write.
    Inside(usize),
    /// That of a part of an array.
    Element(usize),
}

/// Where an access is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct AccessAddress {
    base: InvariantBase,
    /// Bytes from the base. If not `exact`, an index that is not known comes on top.
    offset: i64,
    exact: bool,
}

/// A place in memory that is a variable of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PromotedCell {
    base: InvariantBase,
    offset: i64,
    pub(crate) ty: Type,
    /// Where it is read.
    span: Span,
}

/// What an instruction does to a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CellChange {
    /// It writes this value, of the cell's type.
    Set(Operand),
    /// Nobody knows.
    Lose,
}

/// The cells of a region.
pub(crate) struct PromotedCells<'a> {
    program: &'a Program,
    id: FunctionId,
    function: &'a Function,
    /// Addresses that the function compares with each other.
    compared: BTreeSet<(AddressOrigin, AddressOrigin)>,
    effects: &'a ProgramEffects,
    objects: &'a FunctionObjects<'a>,
    copies: CopyAnalysis<'a>,
    how: IsolationOptions<'a>,
    /// The blocks that run again and again.
    turning: BTreeSet<BlockId>,
    /// Variables that the region writes, and those among them that its iterations write.
    written: BTreeSet<VarId>,
    written_in_turns: BTreeSet<VarId>,
    /// Where each temporary that is written once is written.
    defined: HashMap<VarId, (BlockId, &'a Instruction)>,
    pub(crate) cells: Vec<PromotedCell>,
    elements: Vec<ArrayElement>,
    index: BTreeMap<(InvariantBase, i64, Type), usize>,
    /// Cells that something in the region may change: no base.
    changing: BTreeSet<usize>,
}

impl<'a> PromotedCells<'a> {
    pub(crate) fn of_region(
        program: &'a Program,
        id: FunctionId,
        effects: &'a ProgramEffects,
        objects: &'a FunctionObjects<'a>,
        region: &LoopRegion,
        how: IsolationOptions<'a>,
    ) -> PromotedCells<'a> {
        let function = &program.functions[id];
        let copies = CopyAnalysis::of_function(function);
        let mut places = PromotedCells {
            program,
            id,
            function,
            compared: refuted::compared_origins(function, &copies),
            effects,
            objects,
            copies,
            how,
            turning: region.iterated_blocks().collect(),
            written: BTreeSet::new(),
            written_in_turns: BTreeSet::new(),
            defined: HashMap::new(),
            cells: Vec::new(),
            elements: Vec::new(),
            index: BTreeMap::new(),
            changing: BTreeSet::new(),
        };
        let blocks: BTreeSet<BlockId> = region.all_blocks().collect();
        let mut times: HashMap<VarId, u32> = HashMap::new();
        for (id, block) in function.blocks.enumerate() {
            for statement in &block.statements {
                for dst in statement.instruction.destination_vars() {
                    *times.entry(*dst).or_default() += 1;
                    if blocks.contains(&id) {
                        places.written.insert(*dst);
                        places.defined.insert(*dst, (id, &statement.instruction));
                    }
                    if places.turning.contains(&id) {
                        places.written_in_turns.insert(*dst);
                    }
                }
            }
        }
        let once = |var: &VarId| function.vars[*var].kind == VarKind::Temp && times[var] == 1;
        places.defined.retain(|var, _| once(var));
        // A cell that changes is no base, so fewer addresses are known, so more cells may change.
        let size = |places: &PromotedCells<'_>| {
            (places.cells.len(), places.elements.len(), places.changing.len())
        };
        loop {
            let before = size(&places);
            places.collect(&blocks);
            places.note_changes(&blocks);
            if before == size(&places) {
                return places;
            }
        }
    }

    /// Makes a cell of each place that the iterations read, as far as it is known which place that is.
    fn collect(&mut self, blocks: &BTreeSet<BlockId>) {
        for block in blocks {
            if !self.is_iterated_block(*block) {
                continue;
            }
            self.collect_elements(*block);
            for statement in &self.function.blocks[*block].statements {
                let Instruction::Load { dst, address } = statement.instruction else { continue };
                let ty = self.function.vars[dst].ty;
                if let Some(AccessAddress { base, offset, exact: true }) =
                    self.resolve_address(address, true, 0)
                    && !matches!(ty, Type::Float(_))
                    && self.cells.len() < LIMITS.cells
                    && !self.index.contains_key(&(base, offset, ty))
                {
                    self.index.insert((base, offset, ty), self.cells.len());
                    self.cells.push(PromotedCell { base, offset, ty, span: statement.span });
                }
            }
        }
    }

    fn note_changes(&mut self, blocks: &BTreeSet<BlockId>) {
        for block in blocks {
            for statement in &self.function.blocks[*block].statements {
                let (changes, _) =
                    self.instruction_changes(*block, &statement.instruction, statement.span);
                self.changing.extend(changes.into_iter().map(|(cell, _)| cell));
            }
        }
    }

    /// Whether the address of a cell is still known to stay the same.
    pub(crate) fn is_usable(&self, cell: usize) -> bool {
        match self.containing_cell(self.cells[cell].base) {
            Some(outer) => !self.changing.contains(&outer) && self.is_usable(outer),
            None => true,
        }
    }

    /// A cell and those that its address is found in.
    pub(crate) fn address_cells(&self, cell: usize) -> Vec<usize> {
        let mut chain = vec![cell];
        while let Some(outer) =
            chain.last().and_then(|last| self.containing_cell(self.cells[*last].base))
        {
            chain.push(outer);
        }
        chain
    }

    /// The cell that a base is found in.
    fn containing_cell(&self, base: InvariantBase) -> Option<usize> {
        match self.root_base(base) {
            InvariantBase::Inside(outer) => Some(outer),
            _ => None,
        }
    }

    /// The base of the object that a part of an array is in; any other base is one itself.
    fn root_base(&self, base: InvariantBase) -> InvariantBase {
        match base {
            InvariantBase::Element(number) => self.root_base(self.elements[number].base),
            other => other,
        }
    }

    /// The names of cells, each with where it is read and whether it holds an address.
    pub(crate) fn cell_names(&self) -> Vec<NamedCell> {
        let cells = self.cells.iter().enumerate();
        let named = cells.map(|(number, cell)| NamedCell {
            name: self.cell_name(number),
            span: cell.span,
            is_pointer: cell.ty == Type::Ptr,
        });
        named.collect()
    }

    /// A name for a cell, from that of its base.
    pub(crate) fn cell_name(&self, cell: usize) -> String {
        let PromotedCell { base, offset, .. } = self.cells[cell];
        match self.base_name(base).as_str() {
            "" => format!("memory_{cell}"),
            base => format!("{base}_at_{offset}"),
        }
    }

    fn base_name(&self, base: InvariantBase) -> String {
        match base {
            InvariantBase::Global(id) => self.program.globals[id].name.clone(),
            InvariantBase::Var(var) => self.function.vars[var].name.clone(),
            InvariantBase::Inside(outer) => self.cell_name(outer),
            InvariantBase::Element(number) => {
                let ArrayElement { base, index, .. } = self.elements[number];
                let (base, index) = (self.base_name(base), &self.function.vars[index.var].name);
                if base.is_empty() { base } else { format!("{base}_{index}") }
            }
        }
    }

    /// The cell that a load reads.
    pub(crate) fn cell_read_by(&self, block: BlockId, address: Operand, ty: Type) -> Option<usize> {
        let AccessAddress { base, offset, exact } =
            self.resolve_address(address, self.is_iterated_block(block), 0)?;
        let cell = *self.index.get(&(base, offset, ty))?;
        (exact && self.is_usable(cell)).then_some(cell)
    }

    fn is_iterated_block(&self, block: BlockId) -> bool {
        self.turning.contains(&block)
    }

    /// What an instruction does to cells, and what is assumed for that.
    pub(crate) fn instruction_changes(
        &self,
        block: BlockId,
        instruction: &Instruction,
        span: Span,
    ) -> (Vec<(usize, CellChange)>, Vec<MemoryAssumption>) {
        let mut changes = Vec::new();
        let mut assumed = Vec::new();
        let at = |operand: Operand| self.resolve_address(operand, self.is_iterated_block(block), 0);
        let write = match instruction {
            Instruction::Store { address, value } => {
                let ty = self.function.type_of(*value);
                let len =
                    ty.map(|ty| i64::from(ty.size_in_bytes(self.program.target.pointer_bits)));
                MemoryWrite {
                    by: *address,
                    to: at(*address),
                    len,
                    value: ty.map(|ty| (ty, *value)),
                }
            }
            Instruction::Copy { to, size, .. } | Instruction::Fill { to, size, .. } => {
                MemoryWrite { by: *to, to: at(*to), len: constant_number(*size), value: None }
            }
            Instruction::VaStart { list } => {
                MemoryWrite { by: *list, to: at(*list), len: None, value: None }
            }
            Instruction::Call { callee, args, .. }
                if self.effects.call_writes(self.function, *callee) =>
            {
                return self.call_changes(block, instruction, (*callee, args), span);
            }
            _ => return (changes, assumed),
        };
        let writes = || self.seen_writes(instruction);
        let mut seen = None;
        for (number, cell) in self.cells.iter().enumerate() {
            if !self.is_usable(number) || self.objects.is_constant(self.root_base(cell.base)) {
                continue;
            }
            match self.write_effect(&write, cell) {
                WriteEffect::Maybe(_)
                    if self.is_copied_address(&write, cell)
                        || self.is_seen_to_write(seen.get_or_insert_with(writes), cell) =>
                {
                    changes.push((number, CellChange::Lose));
                }
                WriteEffect::No => {}
                WriteEffect::Set(value) => changes.push((number, CellChange::Set(value))),
                WriteEffect::Maybe(why) => {
                    let one = MemoryAssumption { cell: number, why, write: span, read: cell.span };
                    match self.how.trust >= MemoryTrust::Writes && self.may_assume(&one) {
                        true => assumed.push(one),
                        false => changes.push((number, CellChange::Lose)),
                    }
                }
                WriteEffect::Yes => changes.push((number, CellChange::Lose)),
            }
        }
        (changes, assumed)
    }

    /// Whether nobody asked not to assume this.
    fn may_assume(&self, one: &MemoryAssumption) -> bool {
        self.how.without.is_empty() || !self.how.without.contains(&one.text())
    }

    /// Whether the address of a write is made from that of a cell.
    fn is_copied_address(&self, write: &MemoryWrite, cell: &PromotedCell) -> bool {
        let bytes = i64::from(cell.ty.size_in_bytes(self.program.target.pointer_bits));
        self.copies.origins(write.by).into_iter().any(|(origin, offset)| {
            let end = write.len.map(|len| offset.saturating_add(len));
            base_of_origin(origin) == cell.base
                && offset < cell.offset.saturating_add(bytes)
                && end.is_none_or(|end| cell.offset < end)
        })
    }
}

fn constant_number(operand: Operand) -> Option<i64> {
    match operand {
        Operand::Const { bits, .. } => i64::try_from(bits).ok(),
        _ => None,
    }
}

fn base_of_origin(origin: AddressOrigin) -> InvariantBase {
    match origin {
        AddressOrigin::Global(id) => InvariantBase::Global(id),
        AddressOrigin::Var(var) => InvariantBase::Var(var),
    }
}

/// The number that bits of a width are, with a sign.
pub(crate) fn signed_value(bits: u128, width: u32) -> i128 {
    let shift = 128 - width.clamp(1, 128);
    (bits << shift).cast_signed() >> shift
}
