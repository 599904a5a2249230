//! Places in memory that a loop reads again and again: `s->n`, a global counter.
//!
//! An address is a *base*, which stays the same in every turn, and an offset. What a loop reads at a known
//! offset from such a base is a *cell*, and becomes a variable. All other reads give any value.
//!
//! A write at the same base is exact. What a write at another base does to a cell depends on whether the two
//! objects can be the same: if so, the cell is unknown afterwards, or, if that is asked for, it is assumed
//! that they are not, and the assumption is noted.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use ouro_model::{
    BlockId, Function, GlobalId, Instruction, Operand, Program, Span, Type, VarId, VarKind,
};

mod address;
mod calls;

use crate::assumption::{Assumption, Why};
use crate::copies::{Copies, Origin};
use crate::effects::Effects;
use crate::objects::Objects;
use crate::region::Region;
use crate::{How, Named, Trust};
use address::Element;

/// An address that is the same in every turn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Base {
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
pub(crate) struct Address {
    base: Base,
    /// Bytes from the base. If not `exact`, an index that is not known comes on top.
    offset: i64,
    exact: bool,
}

/// A place in memory that is a variable of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Cell {
    base: Base,
    offset: i64,
    pub(crate) ty: Type,
    /// Where it is read.
    span: Span,
}

/// What an instruction does to a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Change {
    /// It writes this value, of the cell's type.
    Set(Operand),
    /// Nobody knows.
    Lose,
}

/// The most cells of a loop.
const MOST_CELLS: usize = 48;
/// The most pointers between a variable and a cell.
const DEEPEST: usize = 6;

/// The cells of a region.
pub(crate) struct Places<'a> {
    program: &'a Program,
    function: &'a Function,
    effects: &'a Effects,
    objects: &'a Objects<'a>,
    copies: Copies<'a>,
    how: How<'a>,
    /// The blocks that run again and again.
    turning: BTreeSet<BlockId>,
    /// Variables that the region writes, and those among them that its turns write.
    written: BTreeSet<VarId>,
    written_in_turns: BTreeSet<VarId>,
    /// Where each temporary that is written once is written.
    defined: HashMap<VarId, (BlockId, &'a Instruction)>,
    pub(crate) cells: Vec<Cell>,
    elements: Vec<Element>,
    index: BTreeMap<(Base, i64, Type), usize>,
    /// Cells that something in the region may change: no base.
    changing: BTreeSet<usize>,
}

impl<'a> Places<'a> {
    pub(crate) fn of(
        program: &'a Program,
        function: &'a Function,
        effects: &'a Effects,
        objects: &'a Objects<'a>,
        region: &Region,
        how: How<'a>,
    ) -> Places<'a> {
        let mut places = Places {
            program,
            function,
            effects,
            objects,
            copies: Copies::of(function),
            how,
            turning: region.turning().collect(),
            written: BTreeSet::new(),
            written_in_turns: BTreeSet::new(),
            defined: HashMap::new(),
            cells: Vec::new(),
            elements: Vec::new(),
            index: BTreeMap::new(),
            changing: BTreeSet::new(),
        };
        let blocks: BTreeSet<BlockId> = region.all().collect();
        let mut times: HashMap<VarId, u32> = HashMap::new();
        for (id, block) in function.blocks.enumerate() {
            for statement in &block.statements {
                for dst in statement.instruction.dsts() {
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
        let size = |places: &Places<'_>| {
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

    /// Makes a cell of each place that the turns read, as far as it is known which place that is.
    fn collect(&mut self, blocks: &BTreeSet<BlockId>) {
        for block in blocks {
            if !self.is_turning(*block) {
                continue;
            }
            self.collect_elements(*block);
            for statement in &self.function.blocks[*block].statements {
                let Instruction::Load { dst, address } = statement.instruction else { continue };
                let ty = self.function.vars[dst].ty;
                if let Some(Address { base, offset, exact: true }) = self.address(address, true, 0)
                    && !matches!(ty, Type::Float(_))
                    && self.cells.len() < MOST_CELLS
                    && !self.index.contains_key(&(base, offset, ty))
                {
                    self.index.insert((base, offset, ty), self.cells.len());
                    self.cells.push(Cell { base, offset, ty, span: statement.span });
                }
            }
        }
    }

    fn note_changes(&mut self, blocks: &BTreeSet<BlockId>) {
        for block in blocks {
            for statement in &self.function.blocks[*block].statements {
                let (changes, _) = self.changes(*block, &statement.instruction, statement.span);
                self.changing.extend(changes.into_iter().map(|(cell, _)| cell));
            }
        }
    }

    /// Whether the address of a cell is still known to stay the same.
    pub(crate) fn is_usable(&self, cell: usize) -> bool {
        match self.outer(self.cells[cell].base) {
            Some(outer) => !self.changing.contains(&outer) && self.is_usable(outer),
            None => true,
        }
    }

    /// A cell and those that its address is found in.
    pub(crate) fn chain(&self, cell: usize) -> Vec<usize> {
        let mut chain = vec![cell];
        while let Some(outer) = chain.last().and_then(|last| self.outer(self.cells[*last].base)) {
            chain.push(outer);
        }
        chain
    }

    /// The cell that a base is found in.
    fn outer(&self, base: Base) -> Option<usize> {
        match self.root(base) {
            Base::Inside(outer) => Some(outer),
            _ => None,
        }
    }

    /// The base of the object that a part of an array is in; any other base is one itself.
    fn root(&self, base: Base) -> Base {
        match base {
            Base::Element(number) => self.root(self.elements[number].base),
            other => other,
        }
    }

    /// The names of cells, each with where it is read and whether it holds an address.
    pub(crate) fn names(&self) -> Vec<Named> {
        let cells = self.cells.iter().enumerate();
        let named = cells.map(|(number, cell)| Named {
            name: self.name(number),
            span: cell.span,
            is_pointer: cell.ty == Type::Ptr,
        });
        named.collect()
    }

    /// A name for a cell, from that of its base.
    pub(crate) fn name(&self, cell: usize) -> String {
        let Cell { base, offset, .. } = self.cells[cell];
        match self.base_name(base).as_str() {
            "" => format!("memory_{cell}"),
            base => format!("{base}_at_{offset}"),
        }
    }

    fn base_name(&self, base: Base) -> String {
        match base {
            Base::Global(id) => self.program.globals[id].name.clone(),
            Base::Var(var) => self.function.vars[var].name.clone(),
            Base::Inside(outer) => self.name(outer),
            Base::Element(number) => {
                let Element { base, index, .. } = self.elements[number];
                let (base, index) = (self.base_name(base), &self.function.vars[index.var].name);
                if base.is_empty() { base } else { format!("{base}_{index}") }
            }
        }
    }

    /// The cell that a load reads.
    pub(crate) fn read(&self, block: BlockId, address: Operand, ty: Type) -> Option<usize> {
        let Address { base, offset, exact } = self.address(address, self.is_turning(block), 0)?;
        let cell = *self.index.get(&(base, offset, ty))?;
        (exact && self.is_usable(cell)).then_some(cell)
    }

    fn is_turning(&self, block: BlockId) -> bool {
        self.turning.contains(&block)
    }

    /// What an instruction does to cells, and what is assumed for that.
    pub(crate) fn changes(
        &self,
        block: BlockId,
        instruction: &Instruction,
        span: Span,
    ) -> (Vec<(usize, Change)>, Vec<Assumption>) {
        let mut changes = Vec::new();
        let mut assumed = Vec::new();
        let at = |operand: Operand| self.address(operand, self.is_turning(block), 0);
        let write = match instruction {
            Instruction::Store { address, value } => {
                let ty = self.function.type_of(*value);
                let len = ty.map(|ty| i64::from(ty.bytes(self.program.target.pointer_bits)));
                Write { by: *address, to: at(*address), len, value: ty.map(|ty| (ty, *value)) }
            }
            Instruction::Copy { to, size, .. } | Instruction::Fill { to, size, .. } => {
                Write { by: *to, to: at(*to), len: constant(*size), value: None }
            }
            Instruction::VaStart { list } => {
                Write { by: *list, to: at(*list), len: None, value: None }
            }
            Instruction::Call { callee, args, .. } if self.effects.call_writes(*callee) => {
                return self.call(block, *callee, args, span);
            }
            _ => return (changes, assumed),
        };
        for (number, cell) in self.cells.iter().enumerate() {
            if !self.is_usable(number) || self.objects.is_constant(self.root(cell.base)) {
                continue;
            }
            match self.hit(&write, cell) {
                Hit::Maybe(_) if self.is_copied(&write, cell) => {
                    changes.push((number, Change::Lose));
                }
                Hit::No => {}
                Hit::Set(value) => changes.push((number, Change::Set(value))),
                Hit::Maybe(why) => {
                    let one = Assumption { cell: number, why, write: span, read: cell.span };
                    match self.how.trust >= Trust::Writes && self.may_assume(&one) {
                        true => assumed.push(one),
                        false => changes.push((number, Change::Lose)),
                    }
                }
                Hit::Yes => changes.push((number, Change::Lose)),
            }
        }
        (changes, assumed)
    }

    /// Whether nobody asked not to assume this.
    fn may_assume(&self, one: &Assumption) -> bool {
        self.how.without.is_empty() || !self.how.without.contains(&one.text())
    }

    /// Whether the address of a write is made from that of a cell.
    fn is_copied(&self, write: &Write, cell: &Cell) -> bool {
        let bytes = i64::from(cell.ty.bytes(self.program.target.pointer_bits));
        self.copies.origins(write.by).into_iter().any(|(origin, offset)| {
            let end = write.len.map(|len| offset.saturating_add(len));
            base(origin) == cell.base
                && offset < cell.offset.saturating_add(bytes)
                && end.is_none_or(|end| cell.offset < end)
        })
    }

    /// Whether a write is to the array that a cell is in.
    fn same_array(&self, to: &Address, cell: &Cell) -> bool {
        let Base::Element(number) = cell.base else { return false };
        let Element { base, offset, scale, .. } = self.elements[number];
        match to.base {
            Base::Element(other) => {
                let other = self.elements[other];
                (other.base, other.offset) == (base, offset)
            }
            // The first part of what it writes is this far behind the start of the array, or further.
            _ => {
                let within = to.offset.saturating_sub(offset);
                to.base == base && (0..scale.saturating_abs()).contains(&within)
            }
        }
    }

    /// What a write does to one cell.
    fn hit(&self, write: &Write, cell: &Cell) -> Hit {
        let here = self.root(cell.base);
        let Some(mut to) = write.to else {
            return match self.objects.is_private(here) {
                true => Hit::No,
                false => Hit::Maybe(Why::OtherObject),
            };
        };
        if let Base::Element(number) = to.base
            && self.elements[number].base == cell.base
        {
            // Seen from the array it is at some index.
            let Element { base, offset, .. } = self.elements[number];
            to = Address { base, offset, exact: false };
        }
        if to.base != cell.base {
            let there = self.root(to.base);
            return match self.objects.are_apart(there, here) {
                true => Hit::No,
                // Another index of the same array may well be the same number.
                false if here == there && self.same_array(&to, cell) => Hit::Yes,
                false => Hit::Maybe(Why::OtherObject),
            };
        }
        let bytes = i64::from(cell.ty.bytes(self.program.target.pointer_bits));
        let (start, end) = (cell.offset, cell.offset.saturating_add(bytes));
        if !to.exact {
            // An array begins where its index is 0.
            return if end <= to.offset { Hit::Maybe(Why::NegativeIndex) } else { Hit::Yes };
        }
        let written_end = write.len.map(|len| to.offset.saturating_add(len));
        if end <= to.offset || written_end.is_some_and(|written| written <= start) {
            return Hit::No;
        }
        match write.value {
            Some((ty, value)) if ty == cell.ty && to.offset == cell.offset => Hit::Set(value),
            _ => Hit::Yes,
        }
    }
}

/// Bytes that are written.
struct Write {
    /// The address.
    by: Operand,
    /// Where that is; `None` if that is not known.
    to: Option<Address>,
    len: Option<i64>,
    value: Option<(Type, Operand)>,
}

/// What a write does to a cell.
enum Hit {
    No,
    Yes,
    Set(Operand),
    Maybe(Why),
}

fn constant(operand: Operand) -> Option<i64> {
    match operand {
        Operand::Const { bits, .. } => i64::try_from(bits).ok(),
        _ => None,
    }
}

fn base(origin: Origin) -> Base {
    match origin {
        Origin::Global(id) => Base::Global(id),
        Origin::Var(var) => Base::Var(var),
    }
}

/// The number that bits of a width are, with a sign.
pub(crate) fn signed(bits: u128, width: u32) -> i128 {
    let shift = 128 - width.clamp(1, 128);
    (bits << shift).cast_signed() >> shift
}
