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

use crate::Trust;
use crate::effects::Effects;
use crate::objects::Objects;
use crate::region::Region;

/// An address that is the same in every turn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Base {
    /// That of a static object.
    Global(GlobalId),
    /// The value of a variable that the loop does not write.
    Var(VarId),
    /// What is in a cell that the loop does not write.
    Inside(usize),
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
    trust: Trust,
    /// The blocks that run again and again.
    turning: BTreeSet<BlockId>,
    /// Variables that the region writes, and those among them that its turns write.
    written: BTreeSet<VarId>,
    written_in_turns: BTreeSet<VarId>,
    /// Where each temporary that is written once is written.
    defined: HashMap<VarId, (BlockId, &'a Instruction)>,
    pub(crate) cells: Vec<Cell>,
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
        trust: Trust,
    ) -> Places<'a> {
        let mut places = Places {
            program,
            function,
            effects,
            objects,
            trust,
            turning: region.turning().collect(),
            written: BTreeSet::new(),
            written_in_turns: BTreeSet::new(),
            defined: HashMap::new(),
            cells: Vec::new(),
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
        loop {
            let before = (places.cells.len(), places.changing.len());
            places.collect(&blocks);
            places.note_changes(&blocks);
            if before == (places.cells.len(), places.changing.len()) {
                return places;
            }
        }
    }

    /// Makes a cell of each place that the turns read, as far as it is known which place that is.
    fn collect(&mut self, blocks: &BTreeSet<BlockId>) {
        for block in blocks.iter().filter(|block| self.turning.contains(block)) {
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
        match self.cells[cell].base {
            Base::Inside(outer) => !self.changing.contains(&outer) && self.is_usable(outer),
            Base::Global(_) | Base::Var(_) => true,
        }
    }

    /// A cell and those that its address is found in.
    pub(crate) fn chain(&self, cell: usize) -> Vec<usize> {
        let mut chain = vec![cell];
        while let Some(Base::Inside(outer)) = chain.last().map(|last| self.cells[*last].base) {
            chain.push(outer);
        }
        chain
    }

    /// A name for a cell, from that of its base.
    pub(crate) fn name(&self, cell: usize) -> String {
        let Cell { base, offset, .. } = self.cells[cell];
        let base = match base {
            Base::Global(id) => self.program.globals[id].name.clone(),
            Base::Var(var) => self.function.vars[var].name.clone(),
            Base::Inside(outer) => self.name(outer),
        };
        match base.as_str() {
            "" => String::new(),
            base => format!("{base}_at_{offset}"),
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

    /// An address as base and offset. On the way to the loop, only what the whole region leaves alone is a
    /// base; in the turns, what they leave alone.
    fn address(&self, operand: Operand, turning: bool, depth: usize) -> Option<Address> {
        if depth > DEEPEST {
            return None;
        }
        let var = match operand {
            Operand::Global(id, offset) => {
                return Some(Address { base: Base::Global(id), offset, exact: true });
            }
            Operand::Var(var) => var,
            Operand::Const { .. } | Operand::Function(_) | Operand::Label(_) => return None,
        };
        let itself = Address { base: Base::Var(var), offset: 0, exact: true };
        if !self.written.contains(&var) {
            return Some(itself);
        }
        let steady = (turning && !self.written_in_turns.contains(&var)).then_some(itself);
        let Some((block, instruction)) = self.defined.get(&var) else { return steady };
        let turning = self.is_turning(*block);
        let found = match instruction {
            Instruction::Assign { value, .. } => self.address(*value, turning, depth + 1),
            Instruction::Offset { base, index, scale, .. } => {
                self.address(*base, turning, depth + 1).and_then(|at| moved(at, *index, *scale))
            }
            Instruction::Load { address, .. } => {
                let inner = self.address(*address, turning, depth + 1);
                inner.filter(|at| at.exact).and_then(|at| {
                    let cell = *self.index.get(&(at.base, at.offset, Type::Ptr))?;
                    let steady = !self.changing.contains(&cell) && self.is_usable(cell);
                    let base = Base::Inside(cell);
                    steady.then_some(Address { base, offset: 0, exact: true })
                })
            }
            _ => None,
        };
        found.or(steady)
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
                Write { to: at(*address), len, value: ty.map(|ty| (ty, *value)) }
            }
            Instruction::Copy { to, size, .. } | Instruction::Fill { to, size, .. } => {
                Write { to: at(*to), len: constant(*size), value: None }
            }
            Instruction::VaStart { list } => Write { to: at(*list), len: None, value: None },
            Instruction::Call { callee, args, .. } if self.effects.call_writes(*callee) => {
                let handed: Vec<Base> =
                    args.iter().filter_map(|arg| Some(at(*arg)?.base)).collect();
                for (number, cell) in self.cells.iter().enumerate() {
                    if !self.is_usable(number) || !self.objects.is_seen_by_calls(cell.base) {
                        continue;
                    }
                    let known = match cell.base {
                        Base::Global(id) => self.effects.call_names(*callee, id),
                        Base::Var(_) | Base::Inside(_) => false,
                    };
                    let reached = self.chain(number).iter().any(|one| {
                        let base = self.cells[*one].base;
                        handed.contains(&base)
                    });
                    if self.trust >= Trust::Calls && !known && !reached {
                        let why = Why::Call;
                        assumed.push(Assumption {
                            cell: number,
                            why,
                            write: span,
                            read: cell.span,
                        });
                    } else {
                        changes.push((number, Change::Lose));
                    }
                }
                return (changes, assumed);
            }
            _ => return (changes, assumed),
        };
        for (number, cell) in self.cells.iter().enumerate() {
            if !self.is_usable(number) || self.objects.is_constant(cell.base) {
                continue;
            }
            match self.hit(&write, cell) {
                Hit::No => {}
                Hit::Set(value) => changes.push((number, Change::Set(value))),
                Hit::Maybe(why) if self.trust >= Trust::Writes => {
                    assumed.push(Assumption { cell: number, why, write: span, read: cell.span });
                }
                Hit::Maybe(_) | Hit::Yes => changes.push((number, Change::Lose)),
            }
        }
        (changes, assumed)
    }

    /// What a write does to one cell.
    fn hit(&self, write: &Write, cell: &Cell) -> Hit {
        let Some(to) = write.to else {
            return match self.objects.is_private(cell.base) {
                true => Hit::No,
                false => Hit::Maybe(Why::OtherObject),
            };
        };
        if to.base != cell.base {
            return match self.objects.are_apart(to.base, cell.base) {
                true => Hit::No,
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
    /// Where; `None` if that is not known.
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

/// Why a write is assumed to leave a cell alone.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Why {
    /// It is to another object.
    OtherObject,
    /// An index is not negative.
    NegativeIndex,
    /// It is a call that is not handed the address.
    Call,
}

/// That a write leaves alone what is read elsewhere.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Assumption {
    /// What is left alone.
    pub(crate) cell: usize,
    why: Why,
    write: Span,
    read: Span,
}

impl Assumption {
    /// In words.
    pub(crate) fn text(&self) -> String {
        let (write, read) = (self.write.line, self.read.line);
        match self.why {
            Why::OtherObject => {
                format!("the write in line {write} does not change what line {read} reads")
            }
            Why::Call => format!("the call in line {write} does not change what line {read} reads"),
            Why::NegativeIndex => format!(
                "the index of the write in line {write} is not negative, so that it does not change \
                 what line {read} reads"
            ),
        }
    }
}

fn constant(operand: Operand) -> Option<i64> {
    match operand {
        Operand::Const { bits, .. } => i64::try_from(bits).ok(),
        _ => None,
    }
}

/// An address after a step of `index * scale` bytes.
fn moved(at: Address, index: Operand, scale: i64) -> Option<Address> {
    match index {
        Operand::Const { ty: Type::Int(width), bits } => {
            let index = i64::try_from(signed(bits, width)).ok()?;
            let offset = at.offset.checked_add(index.checked_mul(scale)?)?;
            Some(Address { offset, ..at })
        }
        _ => Some(Address { exact: false, ..at }),
    }
}

/// The number that bits of a width are, with a sign.
pub(crate) fn signed(bits: u128, width: u32) -> i128 {
    let shift = 128 - width.clamp(1, 128);
    (bits << shift).cast_signed() >> shift
}
