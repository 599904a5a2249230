//! Memory: objects in slots, found by reference or, as a last resort, by address.

use std::rc::Rc;

use ouro_model::{Span, Type};
use ouro_term::{Term, TermStore};

use crate::integer::is_integer;
use crate::limits::LIMITS;
use crate::object::{MemoryCell, MemoryObject, StorageClass};
use crate::plain::width_mask;
use crate::stop::RunEnd;
use crate::{MachineValue, ObjectRef, Provenance};

/// A place where an object can live.
#[derive(Clone, Debug)]
struct ObjectSlot {
    generation: u32,
    object: Option<Rc<MemoryObject>>,
    /// What was here last, for the message about a dangling address.
    last: Option<Rc<str>>,
}

/// All objects of a state.
#[derive(Clone, Debug)]
pub struct MachineMemory {
    slots: Vec<ObjectSlot>,
    free: Vec<u32>,
    /// Where the next static or heap object goes.
    top: u64,
    /// Where the stack has grown down to.
    pub(crate) stack: u64,
    pointer_bits: u32,
    /// Where the program first did something whose result depends on where objects lie.
    pub(crate) layout: Option<Span>,
    /// Whether there may be an address that was computed as a number and is not in its object.
    pub(crate) strayed: bool,
    /// Bytes of all live objects.
    bytes: u64,
}

/// What a load found.
pub(crate) enum LoadOutcome {
    /// A value.
    Value(MachineValue),
    /// All bytes of the range were never written.
    Unwritten,
    /// Some were; this is the first.
    PartlyUnwritten(usize),
    /// An unbounded integer is there, of which the load would take a part, or the bits.
    TakenApart,
}

/// Why an access to a part of an unbounded integer is not covered.
pub(crate) const TAKEN_APART: &str = "the bytes of an unbounded integer";

impl MachineMemory {
    pub(crate) fn new(pointer_bits: u32) -> Self {
        MachineMemory {
            slots: Vec::new(),
            free: Vec::new(),
            top: 0x1_0000,
            stack: if pointer_bits == 32 { 0xff00_0000 } else { 0x7fff_ffff_f000 },
            pointer_bits,
            layout: None,
            strayed: false,
            bytes: 0,
        }
    }

    pub(crate) fn pointer_bits(&self) -> u32 {
        self.pointer_bits
    }

    /// Where the program first did something whose result depends on where objects lie.
    pub fn layout_observed(&self) -> Option<Span> {
        self.layout
    }

    /// The object, if it is still there.
    #[inline]
    pub fn object(&self, reference: ObjectRef) -> Option<&MemoryObject> {
        self.shared_object(reference).map(|rc| &**rc)
    }

    /// The object behind its shared pointer, for comparing identity cheaply.
    #[inline]
    pub(crate) fn shared_object(&self, reference: ObjectRef) -> Option<&Rc<MemoryObject>> {
        let slot = self.slots.get(reference.slot as usize)?;
        if slot.generation == reference.generation { slot.object.as_ref() } else { None }
    }

    #[inline]
    pub(crate) fn object_mut(&mut self, reference: ObjectRef) -> Option<&mut MemoryObject> {
        let slot = self.slots.get_mut(reference.slot as usize)?;
        if slot.generation != reference.generation {
            return None;
        }
        slot.object.as_mut().map(|object| {
            let object = Rc::make_mut(object);
            object.hash.set(None);
            object
        })
    }

    /// What an object that is gone was called.
    pub(crate) fn last_name(&self, reference: ObjectRef) -> Option<&str> {
        let slot = self.slots.get(reference.slot as usize)?;
        (slot.generation == reference.generation + 1).then_some(slot.last.as_deref()).flatten()
    }

    /// All live objects.
    pub fn objects(&self) -> impl Iterator<Item = (ObjectRef, &MemoryObject)> {
        self.slots.iter().enumerate().filter_map(|(slot, s)| {
            let reference = ObjectRef { slot: slot as u32, generation: s.generation };
            s.object.as_deref().map(|o| (reference, o))
        })
    }

    /// A new object; `None` when there is no room for it.
    pub(crate) fn create_object(
        &mut self,
        size: u64,
        align: u64,
        name: Rc<str>,
        storage: StorageClass,
    ) -> Option<ObjectRef> {
        if size > LIMITS.object_bytes || self.bytes + size > LIMITS.memory_bytes {
            return None;
        }
        let align = align.max(1);
        let base = if storage == StorageClass::Stack {
            let base = self.stack.checked_sub(size.max(1) + 16)? & !(align - 1);
            if base <= self.top {
                return None;
            }
            self.stack = base;
            base
        } else {
            let base = (self.top + 16 + align - 1) & !(align - 1);
            let end = base.checked_add(size.max(1))?;
            if end >= self.stack {
                return None;
            }
            self.top = end;
            base
        };
        self.bytes += size;
        self.place_object(MemoryObject::new(
            base,
            size,
            align,
            name,
            storage,
            self.pointer_bits as usize / 8,
        ))
    }

    /// A new object of which only a term says how large it is, and nobody what is in it; `None` when
    /// there is no room for it. Where it lies does not matter, as long as all of it could lie there.
    pub(crate) fn create_unsized_object(
        &mut self,
        extent: Term,
        align: u64,
        name: Rc<str>,
        storage: StorageClass,
    ) -> Option<ObjectRef> {
        let base = (self.top + LIMITS.vague_room).next_multiple_of(align.max(16));
        if base >= 1 << 30 || base >= self.stack {
            return None;
        }
        self.top = base + LIMITS.vague_room;
        let word = self.pointer_bits as usize / 8;
        let mut object = MemoryObject::new(base, 0, align.max(1), name, storage, word);
        (object.vague, object.extent) = (true, Some(extent));
        self.place_object(object)
    }

    /// The most bytes that an object can have.
    pub(crate) fn largest_object_size(&self) -> u64 {
        if self.pointer_bits == 32 { (1 << 31) - 1 } else { 1 << 47 }
    }

    /// Whether there is room for one more object of this size.
    pub(crate) fn has_room(&self, size: u64) -> bool {
        // An alignment costs less than this.
        let room = size.max(1) + LIMITS.vague_room;
        size <= LIMITS.object_bytes
            && self.bytes + size <= LIMITS.memory_bytes
            && self.top + room < self.stack
    }

    fn place_object(&mut self, object: MemoryObject) -> Option<ObjectRef> {
        let object = Rc::new(object);
        Some(match self.free.pop() {
            Some(slot) => {
                let entry = &mut self.slots[slot as usize];
                entry.object = Some(object);
                ObjectRef { slot, generation: entry.generation }
            }
            None => {
                let slot = u32::try_from(self.slots.len()).ok()?;
                self.slots.push(ObjectSlot { generation: 0, object: Some(object), last: None });
                ObjectRef { slot, generation: 0 }
            }
        })
    }

    /// Ends an object.
    pub(crate) fn release_object(&mut self, reference: ObjectRef) {
        if self.shared_object(reference).is_none() {
            return;
        }
        let slot = &mut self.slots[reference.slot as usize];
        if let Some(object) = slot.object.take() {
            self.bytes -= object.size();
            slot.last = Some(object.name.clone());
        }
        slot.generation += 1;
        // A slot whose generations are used up is not used again.
        if slot.generation < (1 << 31) - 8 {
            self.free.push(reference.slot);
        }
    }

    /// The object that an address without provenance falls into.
    pub(crate) fn find_object_at(&self, address: u64) -> Option<ObjectRef> {
        self.objects()
            .find(|(_, o)| address >= o.base && address < o.base + o.size().max(1))
            .map(|(reference, _)| reference)
    }

    /// Notes that the program's behaviour from here on depends on where objects lie.
    pub(crate) fn observe_layout(&mut self, span: Span) {
        self.layout.get_or_insert(span);
    }

    /// Reads `len` bytes, if all is well and they are plain or an address in an aligned word.
    #[inline]
    pub(crate) fn load_quickly(&self, address: MachineValue, len: usize) -> Option<MachineValue> {
        let object = self.object(address.likely_object())?;
        let at = address.bits.wrapping_sub(object.base) as usize;
        if !object.is_plain() {
            // Code has no bytes that were written, so it is not read here. Arguments have types.
            let inside = len != 0 && at.checked_add(len)? <= object.data.len();
            let inside = inside && object.arguments.is_none();
            return if inside { object.try_load(at, len) } else { None };
        }
        let bytes = object.data.get(at..)?;
        Some(MachineValue::plain(match len {
            1 => u64::from(*bytes.first()?),
            2 => u64::from(u16::from_le_bytes(*bytes.first_chunk()?)),
            4 => u64::from(u32::from_le_bytes(*bytes.first_chunk()?)),
            8 => u64::from_le_bytes(*bytes.first_chunk()?),
            _ => return None,
        }))
    }

    /// Writes `len` bytes, if all is well and nothing but plain bytes and addresses in aligned
    /// words are in the way; says whether it did.
    #[inline]
    pub(crate) fn store_quickly(
        &mut self,
        address: MachineValue,
        len: usize,
        value: MachineValue,
    ) -> bool {
        let reference = address.likely_object();
        let Some(slot) = self.slots.get_mut(reference.slot as usize) else { return false };
        let Some(shared) = &mut slot.object else { return false };
        let at = address.bits.wrapping_sub(shared.base) as usize;
        let size = shared.data.len();
        let possible = slot.generation == reference.generation
            && len != 0
            && at < size
            && len <= size - at
            && !shared.constant;
        if !possible {
            return false;
        }
        let object = Rc::make_mut(shared);
        object.hash.set(None);
        if value.is_plain() && object.is_plain() {
            object.write_bytes(at, len, value.bits);
            return true;
        }
        object.try_store(at, len, value)
    }

    /// Reads a value. The range is within the object.
    #[inline]
    pub(crate) fn load_value(
        &mut self,
        terms: &mut TermStore,
        reference: ObjectRef,
        at: usize,
        ty: Type,
        span: Span,
    ) -> LoadOutcome {
        let bits = ty.size_in_bits(self.pointer_bits);
        let len = bits.div_ceil(8) as usize;
        let object = self.object(reference).expect("the caller looked");
        if len <= 8
            && let Some(value) = object.try_load(at, len)
            && (value.is_plain() || bits as usize == len * 8)
        {
            return LoadOutcome::Value(MachineValue {
                bits: value.bits & width_mask(bits),
                tag: value.tag,
            });
        }
        self.load_value_slowly(terms, reference, at, ty, span)
    }

    fn load_value_slowly(
        &mut self,
        terms: &mut TermStore,
        reference: ObjectRef,
        at: usize,
        ty: Type,
        span: Span,
    ) -> LoadOutcome {
        let bits = ty.size_in_bits(self.pointer_bits);
        let len = bits.div_ceil(8) as usize;
        let object = self.object(reference).expect("the caller looked");
        assert!(object.chain.is_none(), "a chain is taken apart before it is read");
        let word = object.address_bytes();
        if object.any_unwritten(at, len) {
            let missing = (at..at + len).filter(|i| object.is_unwritten(*i)).count();
            if missing == len {
                return LoadOutcome::Unwritten;
            }
            let first = (at..at + len).find(|i| object.is_unwritten(*i)).expect("some");
            return LoadOutcome::PartlyUnwritten(first);
        }
        let cells = object.cells_touching(at, len);
        let integers = cells.iter().any(|(_, cell)| is_integer(terms, cell.value));
        if integers && (bits as usize != len * 8 || matches!(ty, Type::Float(_))) {
            return LoadOutcome::TakenApart;
        }
        let is_whole =
            |cell: MemoryCell| cell.value.object().is_none() || cell.bytes as usize >= word;
        if let [(offset, cell)] = cells[..]
            && offset == at
            && cell.bytes as usize == len
            && is_whole(cell)
        {
            return LoadOutcome::Value(narrow_value(terms, cell.value, len as u32 * 8, bits));
        }
        if cells.is_empty() && len <= 8 {
            return LoadOutcome::Value(MachineValue::plain(
                object.read_bytes(at, len) & width_mask(bits),
            ));
        }
        if integers {
            return LoadOutcome::TakenApart;
        }
        if cells.iter().any(|(_, c)| matches!(c.value.provenance(), Provenance::Object(_))) {
            self.observe_layout(span);
        }
        let object = self.object(reference).expect("the caller looked");
        let mut whole: Option<Term> = None;
        for i in (at..at + len).rev() {
            let byte = byte_term(terms, object, &cells, i);
            whole = Some(match whole {
                None => byte,
                Some(high) => terms.concat(high, byte),
            });
        }
        let whole = whole.expect("no type is empty");
        let whole = terms.truncate(bits, whole);
        LoadOutcome::Value(value_from_term(terms, whole, Provenance::None))
    }

    /// Writes a value of `bits` bits. The range is within the object.
    #[inline]
    pub(crate) fn store_value(
        &mut self,
        terms: &mut TermStore,
        reference: ObjectRef,
        at: usize,
        bits: u32,
        value: MachineValue,
        span: Span,
    ) -> Result<(), RunEnd> {
        let len = bits.div_ceil(8) as usize;
        let object = self.object_mut(reference).expect("the caller looked");
        if len <= 8 && object.try_store(at, len, value) {
            return Ok(());
        }
        self.store_value_slowly(terms, reference, at, bits, value, span)
    }

    fn store_value_slowly(
        &mut self,
        terms: &mut TermStore,
        reference: ObjectRef,
        at: usize,
        bits: u32,
        value: MachineValue,
        span: Span,
    ) -> Result<(), RunEnd> {
        let len = bits.div_ceil(8) as usize;
        let object = self.object(reference).expect("the caller looked");
        assert!(object.chain.is_none(), "a chain is taken apart before it is written");
        let integer = is_integer(terms, value);
        if integer && bits as usize != len * 8 {
            return Err(RunEnd::Limit(TAKEN_APART.to_owned()));
        }
        self.cut_cells(terms, reference, at, len, span)?;
        let object = self.object_mut(reference).expect("the caller looked");
        object.mark_written(at, len);
        match value.term() {
            None => {
                object.write_bytes(at, len, value.bits);
                if !value.is_plain() {
                    object.insert_cell(at, MemoryCell { bytes: len as u32, value });
                }
            }
            Some(term) => {
                let padded = match integer {
                    true => term,
                    false => terms.zero_extend(len as u32 * 8, term),
                };
                if value.provenance() == Provenance::None
                    && let Some(constant) = terms.as_bv(padded)
                {
                    object.data[at..at + len].copy_from_slice(&constant.to_le_bytes()[..len]);
                    return Ok(());
                }
                // Bytes under a symbolic cell are zero, so that equal states have equal bytes.
                object.data[at..at + len].fill(0);
                let value = MachineValue::symbolic(padded, value.provenance());
                object.insert_cell(at, MemoryCell { bytes: len as u32, value });
            }
        }
        Ok(())
    }

    /// Removes the cells of a range; what sticks out of it stays as single bytes. Those of an address
    /// remember their object: who reads one depends on where objects lie. An unbounded integer has no bytes.
    pub(crate) fn cut_cells(
        &mut self,
        terms: &mut TermStore,
        reference: ObjectRef,
        at: usize,
        len: usize,
        span: Span,
    ) -> Result<(), RunEnd> {
        let object = self.object(reference).expect("the caller looked");
        let cells = object.cells_touching(at, len);
        let mut address_split = false;
        for (offset, cell) in cells {
            let end = offset + cell.bytes as usize;
            let inside = offset >= at && end <= at + len;
            if !inside && is_integer(terms, cell.value) {
                return Err(RunEnd::Limit(TAKEN_APART.to_owned()));
            }
            let object = self.object_mut(reference).expect("the caller looked");
            object.remove_cell(offset);
            if inside {
                continue;
            }
            if let (Some(whole), Some(_)) = (cell.value.object(), cell.value.bits()) {
                for i in (offset..end).filter(|i| *i < at || *i >= at + len) {
                    let value = MachineValue::address(u64::from(object.data[i]), whole);
                    object.insert_cell(i, MemoryCell { bytes: 1, value });
                }
                continue;
            }
            if cell.value.object().is_some() {
                address_split = true;
            }
            if let Some(term) = cell.value.term() {
                for i in (offset..end).filter(|i| *i < at || *i >= at + len) {
                    let low = (i - offset) as u32 * 8;
                    let byte = terms.extract(low + 7, low, term);
                    match terms.as_bv(byte) {
                        Some(bits) => object.data[i] = bits as u8,
                        None => {
                            let value = MachineValue::symbolic(byte, Provenance::None);
                            object.insert_cell(i, MemoryCell { bytes: 1, value });
                        }
                    }
                }
            }
        }
        if address_split {
            self.observe_layout(span);
        }
        Ok(())
    }
}

/// A byte of an object as a term.
pub(crate) fn byte_term(
    terms: &mut TermStore,
    object: &MemoryObject,
    cells: &[(usize, MemoryCell)],
    at: usize,
) -> Term {
    for (offset, cell) in cells {
        if (*offset..offset + cell.bytes as usize).contains(&at)
            && let Some(term) = cell.value.term()
        {
            let low = (at - offset) as u32 * 8;
            return terms.extract(low + 7, low, term);
        }
    }
    terms.bv(8, u128::from(object.data[at]))
}

/// The low `bits` of a value of `from` bits.
pub(crate) fn narrow_value(
    terms: &mut TermStore,
    value: MachineValue,
    from: u32,
    bits: u32,
) -> MachineValue {
    if from == bits {
        return value;
    }
    match value.term() {
        Some(term) => {
            let low = terms.truncate(bits, term);
            value_from_term(terms, low, value.provenance())
        }
        None => MachineValue { bits: value.bits & width_mask(bits), tag: value.tag },
    }
}

/// A term as a value: constants of at most 64 bits become plain.
pub(crate) fn value_from_term(
    terms: &TermStore,
    term: Term,
    provenance: Provenance,
) -> MachineValue {
    match terms.as_bv(term) {
        Some(bits) if terms.width(term) <= 64 => {
            MachineValue::with_provenance(bits as u64, provenance)
        }
        _ => MachineValue::symbolic(term, provenance),
    }
}

/// A value as a term of the given width.
pub(crate) fn value_to_term(terms: &mut TermStore, value: MachineValue, width: u32) -> Term {
    match value.term() {
        Some(term) => term,
        None => terms.bv(width, u128::from(value.bits)),
    }
}
