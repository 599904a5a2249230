//! When two states are the same: equal in everything that the rest of the run can see.
//!
//! Compared are the live variables of the innermost calls, and all objects that can be reached from
//! them or from static objects, byte by byte. Objects may have different addresses and slots as
//! long as they correspond one to one; a state in which the program looked at addresses is like no
//! other.
//!
//! Only as many of the innermost calls are compared as asked: if the run never returned from the
//! call below them, it cannot have looked at what is below.

use std::ops::Range;
use std::rc::Rc;

use ouro_model::ids::TypedId;
use ouro_term::{Sort, Term, TermStore};
use rustc_hash::FxHashMap;

use crate::integer::is_integer;
use crate::memory::{byte_term, value_to_term};
use crate::object::{MemoryCell, MemoryObject};
use crate::{Machine, MachineState, MachineValue, ObjectRef, Provenance, StateCell, plain};

/// What must hold for two states to be the same.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StateSubsumption {
    /// Pairs of terms that must be equal, the first state's first; pairs of identical terms are
    /// left out.
    pub pairs: Vec<(Term, Term)>,
    /// The same with the pairs of identical terms, for whoever renames symbols.
    pub all: Vec<(Term, Term)>,
}

/// A part of two states that has a term in one of them, or two different numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StateDifference {
    /// Where it is in the first state.
    pub spot: StateCell,
    /// What the first state has there.
    pub first: Term,
    /// What the second has there.
    pub second: Term,
    /// What kind of number it is.
    pub kind: StateDifferenceKind,
}

/// What a difference is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StateDifferenceKind {
    /// What is in the spot.
    Number,
    /// How far the address in the spot is into its object.
    Offset,
    /// An address of nothing that is known.
    Opaque,
    /// All that is in the object of the spot: less is known of it in one of the states.
    Content,
}

/// Who decides about symbolic values.
enum SubsumptionJudge<'a> {
    /// Terms must be identical.
    Strict,
    /// Terms are collected.
    Collect(&'a mut TermStore, &'a mut StateSubsumption),
    /// Terms are collected, and numbers that differ.
    List(&'a mut TermStore, &'a mut Vec<StateDifference>),
}

struct StatePairing<'a, 'b> {
    a: &'a MachineState,
    b: &'a MachineState,
    forward: FxHashMap<ObjectRef, ObjectRef>,
    backward: FxHashMap<ObjectRef, ObjectRef>,
    pending: Vec<(ObjectRef, ObjectRef)>,
    /// For objects that are gone in both states, how far the address in the second is above that in the first.
    gone: FxHashMap<ObjectRef, u64>,
    /// Where the values that are being compared are in the first state.
    spot: StateCell,
    judge: SubsumptionJudge<'b>,
}

impl Machine {
    /// Whether the innermost `frames` calls and what they can reach are the same, symbolic values
    /// included.
    pub fn subsumes_exactly(&self, a: &MachineState, b: &MachineState, frames: usize) -> bool {
        self.pair_states(a, b, frames, SubsumptionJudge::Strict)
    }

    /// What must hold for the innermost `frames` calls and what they can reach to be the same;
    /// `None` if they differ whatever the symbols are.
    pub fn find_subsumption(
        &self,
        terms: &mut TermStore,
        a: &MachineState,
        b: &MachineState,
        frames: usize,
    ) -> Option<StateSubsumption> {
        let mut comparison = StateSubsumption::default();
        self.pair_states(a, b, frames, SubsumptionJudge::Collect(terms, &mut comparison))
            .then_some(comparison)
    }

    /// All parts of the innermost `frames` calls and what they can reach that have a term in one of
    /// the states or two different numbers; `None` if the states differ in more than numbers.
    pub fn list_differences(
        &self,
        terms: &mut TermStore,
        a: &MachineState,
        b: &MachineState,
        frames: usize,
    ) -> Option<Vec<StateDifference>> {
        let mut found = Vec::new();
        self.pair_states(a, b, frames, SubsumptionJudge::List(terms, &mut found)).then_some(found)
    }

    fn pair_states(
        &self,
        a: &MachineState,
        b: &MachineState,
        frames: usize,
        judge: SubsumptionJudge<'_>,
    ) -> bool {
        if frames > a.frames.len()
            || frames > b.frames.len()
            || a.memory.layout.is_some()
            || b.memory.layout.is_some()
            || (b.memory.strayed && !a.memory.strayed)
        {
            return false;
        }
        let mut pairing = StatePairing {
            a,
            b,
            forward: FxHashMap::default(),
            backward: FxHashMap::default(),
            pending: Vec::new(),
            gone: FxHashMap::default(),
            spot: StateCell::Variable { call: 0, variable: ouro_model::VarId(0) },
            judge,
        };
        let (below_a, below_b) = (a.frames.len() - frames, b.frames.len() - frames);
        for i in (0..frames).rev() {
            let (fa, fb) = (&a.frames[below_a + i], &b.frames[below_b + i]);
            if fa.function != fb.function
                || fa.pc != fb.pc
                || fa.extra.len() != fb.extra.len()
                || (self.restores[fa.function.index()] && fa.objects.len() != fb.objects.len())
            {
                return false;
            }
            let function = &self.functions[fa.function.index()];
            let types = &function.types;
            for var in self.live_variables(fa.function, fa.pc, i + 1 == frames) {
                let (va, vb) = (fa.registers[var.index()], fb.registers[var.index()]);
                pairing.spot = StateCell::Variable { call: frames - 1 - i, variable: var };
                if !pairing.pair_values(va, vb, types[var.index()].size_in_bits(self.pointer_bits))
                {
                    return false;
                }
            }
            for ((va, ty), (vb, _)) in fa.extra.iter().zip(&fb.extra) {
                // No spot names these: what differs here differs for good.
                if matches!(pairing.judge, SubsumptionJudge::List(..)) && va != vb {
                    return false;
                }
                if !pairing.pair_values(*va, *vb, ty.size_in_bits(self.pointer_bits)) {
                    return false;
                }
            }
        }
        for root in &self.roots {
            if !pairing.link_objects(*root, *root) {
                return false;
            }
        }
        while let Some((oa, ob)) = pairing.pending.pop() {
            if !pairing.pair_objects(oa, ob) {
                return false;
            }
        }
        true
    }

    /// The variables of a frame that can still matter.
    pub(crate) fn live_variables(
        &self,
        function: ouro_model::FunctionId,
        pc: u32,
        innermost: bool,
    ) -> impl Iterator<Item = ouro_model::VarId> + '_ {
        let compiled = &self.functions[function.index()];
        let set = if innermost {
            let (_, block, index) = compiled.places[pc as usize];
            compiled.flow.live_before(block, index as usize)
        } else {
            let (_, block, index) = compiled.places[pc as usize - 1];
            compiled.flow.live_after_call(block, index as usize)
        };
        set.iter()
    }
}

impl StatePairing<'_, '_> {
    fn pair_values(&mut self, a: MachineValue, b: MachineValue, width: u32) -> bool {
        if a.is_unwritten() || b.is_unwritten() {
            return a == b;
        }
        match (a.provenance(), b.provenance()) {
            (Provenance::Object(oa), Provenance::Object(ob)) => {
                match (self.a.memory.object(oa), self.b.memory.object(ob)) {
                    (Some(ca), Some(cb)) => {
                        let (base_a, base_b) = (ca.base, cb.base);
                        self.link_objects(oa, ob) && self.pair_offsets(a, base_a, b, base_b, width)
                    }
                    (None, None) => self.pair_freed_objects(oa, a, ob, b),
                    _ => false,
                }
            }
            (pa, pb) if pa == pb => match (a.bits(), b.bits()) {
                (Some(x), Some(y)) if x == y => true,
                (Some(_), Some(_)) => {
                    matches!(self.judge, SubsumptionJudge::List(..))
                        && pa == Provenance::None
                        && self.pair_terms(a, b, width)
                }
                _ => self.pair_terms(a, b, width),
            },
            _ => false,
        }
    }

    fn pair_offsets(
        &mut self,
        a: MachineValue,
        base_a: u64,
        b: MachineValue,
        base_b: u64,
        width: u32,
    ) -> bool {
        match (a.bits(), b.bits()) {
            (Some(x), Some(y)) if x.wrapping_sub(base_a) == y.wrapping_sub(base_b) => true,
            (Some(_), Some(_)) if !matches!(self.judge, SubsumptionJudge::List(..)) => false,
            _ => match &mut self.judge {
                SubsumptionJudge::Strict => a == b && base_a == base_b,
                SubsumptionJudge::Collect(terms, found) => {
                    let Some((x, y)) = comparable_terms(terms, a, b, width) else { return false };
                    let pair =
                        (offset_in_object(terms, x, base_a), offset_in_object(terms, y, base_b));
                    found.add_pair(terms, pair)
                }
                SubsumptionJudge::List(terms, found) => {
                    let Some((x, y)) = comparable_terms(terms, a, b, width) else { return false };
                    let (first, second) =
                        (offset_in_object(terms, x, base_a), offset_in_object(terms, y, base_b));
                    // Integers stand for addresses only as far as nobody takes them apart.
                    let kind = match terms.sort(first) {
                        Sort::BitVec(_) => StateDifferenceKind::Offset,
                        _ => StateDifferenceKind::Opaque,
                    };
                    found.push(StateDifference { spot: self.spot, first, second, kind });
                    true
                }
            },
        }
    }

    fn pair_terms(&mut self, a: MachineValue, b: MachineValue, width: u32) -> bool {
        match &mut self.judge {
            SubsumptionJudge::Strict => a == b,
            SubsumptionJudge::Collect(terms, found) => {
                let Some(pair) = comparable_terms(terms, a, b, width) else { return false };
                found.add_pair(terms, pair)
            }
            SubsumptionJudge::List(terms, found) => {
                let Some((first, second)) = comparable_terms(terms, a, b, width) else {
                    return false;
                };
                let kind = match a.provenance() {
                    Provenance::None => StateDifferenceKind::Number,
                    _ => StateDifferenceKind::Opaque,
                };
                found.push(StateDifference { spot: self.spot, first, second, kind });
                true
            }
        }
    }

    /// Notes that two objects correspond; what is in them is compared later.
    fn link_objects(&mut self, a: ObjectRef, b: ObjectRef) -> bool {
        let is_new = !self.forward.contains_key(&a);
        let corresponds = self.objects_correspond(a, b);
        if is_new && corresponds {
            self.pending.push((a, b));
        }
        corresponds
    }

    /// Whether two objects can correspond, one to one.
    fn objects_correspond(&mut self, a: ObjectRef, b: ObjectRef) -> bool {
        match (self.forward.get(&a), self.backward.get(&b)) {
            (None, None) => {
                self.forward.insert(a, b);
                self.backward.insert(b, a);
                true
            }
            (Some(image), Some(preimage)) => *image == b && *preimage == a,
            _ => false,
        }
    }

    /// Addresses of objects that are gone can be compared with addresses of the same object, which tells
    /// how far they are apart, and with null. All else is noted.
    fn pair_freed_objects(
        &mut self,
        oa: ObjectRef,
        a: MachineValue,
        ob: ObjectRef,
        b: MachineValue,
    ) -> bool {
        let (Some(x), Some(y)) = (a.bits(), b.bits()) else { return false };
        let between = y.wrapping_sub(x);
        self.objects_correspond(oa, ob) && *self.gone.entry(oa).or_insert(between) == between
    }

    fn pair_objects(&mut self, a: ObjectRef, b: ObjectRef) -> bool {
        let (Some(ca), Some(cb)) = (self.a.memory.shared_object(a), self.b.memory.shared_object(b))
        else {
            return false;
        };
        let (ca, cb) = (ca.clone(), cb.clone());
        if ca.storage != cb.storage || ca.data.len() != cb.data.len() || ca.align != cb.align {
            return false;
        }
        if ca.arguments != cb.arguments {
            return false;
        }
        if cb.doubtful && !ca.doubtful {
            // What is surely here has an address of its own.
            return false;
        }
        if !matches!(ca.storage, crate::StorageClass::Heap | crate::StorageClass::Stack) && a != b {
            return false;
        }
        match (ca.extent, cb.extent) {
            (None, None) => {}
            (Some(x), Some(y)) => {
                self.spot = StateCell::Size { object: a };
                let number = |extent| MachineValue::symbolic(extent, Provenance::None);
                // Nobody knows what is in them.
                return self.pair_terms(number(x), number(y), 0);
            }
            _ => return false,
        }
        match (ca.chain, cb.chain) {
            (None, None) => {}
            (Some(x), Some(y)) if (x.link, x.entry) == (y.link, y.entry) => {
                self.spot = StateCell::Length { object: a };
                let number = |length| MachineValue::symbolic(length, Provenance::None);
                if !self.pair_terms(number(x.length), number(y.length), 0) {
                    return false;
                }
            }
            _ => return false,
        }
        if ca.is_blank() || (Rc::ptr_eq(&ca, &cb) && !ca.has_cells()) {
            return true;
        }
        if cb.vague && !ca.vague {
            // What one read gives, the other need not.
            let SubsumptionJudge::List(terms, found) = &mut self.judge else { return false };
            let nothing = terms.bool(true);
            let spot = StateCell::Memory { object: a, offset: 0, bytes: 1 };
            found.push(StateDifference {
                spot,
                first: nothing,
                second: nothing,
                kind: StateDifferenceKind::Content,
            });
            return true;
        }
        if !ca.has_cells() && !cb.has_cells() && ca.unwritten == cb.unwritten && ca.data == cb.data
        {
            return true;
        }
        let before = match &self.judge {
            SubsumptionJudge::List(_, found) => found.len(),
            SubsumptionJudge::Strict | SubsumptionJudge::Collect(..) => 0,
        };
        self.pair_contents(a, &ca, &cb) || self.leave_open(a, &ca, &cb, before)
    }

    /// Lists an object of plain numbers as open where the states differ in which of its bytes were written: an
    /// array that is being filled has as many such states as it has elements, and none of them is a shape of its
    /// own. Whoever lists differences may leave an object open, or take them for different shapes; whoever asks
    /// whether two states are the same is told that they are not. Bytes that were not written are read as anything
    /// at best, so a state in which anything was written stands for both.
    fn leave_open(
        &mut self,
        reference: ObjectRef,
        a: &MemoryObject,
        b: &MemoryObject,
        before: usize,
    ) -> bool {
        let numbers = |object: &MemoryObject| {
            object.cells().all(|(_, cell)| cell.value.provenance() == Provenance::None)
        };
        let SubsumptionJudge::List(terms, found) = &mut self.judge else { return false };
        if a.unwritten == b.unwritten
            || a.constant
            || a.chain.is_some()
            || !numbers(a)
            || !numbers(b)
        {
            return false;
        }
        found.truncate(before);
        let nothing = terms.bool(true);
        let spot = StateCell::Memory { object: reference, offset: 0, bytes: 1 };
        found.push(StateDifference {
            spot,
            first: nothing,
            second: nothing,
            kind: StateDifferenceKind::Content,
        });
        true
    }

    fn pair_contents(&mut self, reference: ObjectRef, a: &MemoryObject, b: &MemoryObject) -> bool {
        let size = a.data.len();
        let mut at = 0;
        let (mut cells_a, mut cells_b) = (a.cells().peekable(), b.cells().peekable());
        while at < size {
            let next_a = cells_a.peek().map_or(size, |c| c.0 as usize);
            let next_b = cells_b.peek().map_or(size, |c| c.0 as usize);
            let next = next_a.min(next_b);
            if next > at {
                if (a.data[at..next] != b.data[at..next]
                    && !self.pair_bytes(reference, a, b, at..next))
                    || (at..next).any(|i| a.is_unwritten(i) != b.is_unwritten(i))
                {
                    return false;
                }
                at = next;
                continue;
            }
            let ca = cells_a.peek().filter(|_| next_a == at).map(|c| c.1);
            let cb = cells_b.peek().filter(|_| next_b == at).map(|c| c.1);
            let len = match (ca, cb) {
                (Some(x), Some(y)) if x.bytes == y.bytes => x.bytes,
                (Some(x), None) if next_b >= at + x.bytes as usize => x.bytes,
                (None, Some(y)) if next_a >= at + y.bytes as usize => y.bytes,
                _ => {
                    let end = common_cell_end(a, b, at);
                    if !self.pair_pieces(reference, a, b, at..end) {
                        return false;
                    }
                    while cells_a.next_if(|c| (c.0 as usize) < end).is_some() {}
                    while cells_b.next_if(|c| (c.0 as usize) < end).is_some() {}
                    at = end;
                    continue;
                }
            } as usize;
            let (Some(va), Some(vb)) =
                (cell_or_plain(a, ca, at, len), cell_or_plain(b, cb, at, len))
            else {
                return false;
            };
            self.spot =
                StateCell::Memory { object: reference, offset: at as u64, bytes: len as u32 };
            if !self.pair_values(va, vb, len as u32 * 8) {
                return false;
            }
            cells_a.next_if(|_| ca.is_some());
            cells_b.next_if(|_| cb.is_some());
            at += len;
        }
        true
    }

    /// Lists plain bytes that differ, in words: that is how programs mostly use them.
    fn pair_bytes(
        &mut self,
        object: ObjectRef,
        a: &MemoryObject,
        b: &MemoryObject,
        range: Range<usize>,
    ) -> bool {
        let SubsumptionJudge::List(terms, found) = &mut self.judge else { return false };
        let size = a.data.len();
        let word = if matches!(size, 1 | 2 | 4 | 8) { size } else { 4 };
        let mut at = range.start;
        while at < range.end {
            if a.data[at] == b.data[at] {
                at += 1;
                continue;
            }
            let aligned = at / word * word;
            let whole = aligned >= range.start
                && aligned + word <= range.end
                && !a.any_unwritten(aligned, word);
            let (from, len) = if whole { (aligned, word) } else { (at, 1) };
            let bits = len as u32 * 8;
            let first = terms.bv(bits, a.read_bytes(from, len).into());
            let second = terms.bv(bits, b.read_bytes(from, len).into());
            let spot = StateCell::Memory { object, offset: from as u64, bytes: len as u32 };
            found.push(StateDifference { spot, first, second, kind: StateDifferenceKind::Number });
            at = from + len;
        }
        true
    }

    /// Compares a range in which the two objects are cut into cells in different ways: the first
    /// one's cells count, and its plain bytes one by one.
    fn pair_pieces(
        &mut self,
        object: ObjectRef,
        a: &MemoryObject,
        b: &MemoryObject,
        range: Range<usize>,
    ) -> bool {
        let (at, len) = (range.start, range.len());
        let (cells_a, cells_b) = (a.cells_touching(at, len), b.cells_touching(at, len));
        let are_numbers = |cells: &[(usize, MemoryCell)]| {
            cells.iter().all(|(_, cell)| cell.value.provenance() == Provenance::None)
        };
        if len > 16
            || a.any_unwritten(at, len)
            || b.any_unwritten(at, len)
            || !are_numbers(&cells_a)
            || !are_numbers(&cells_b)
        {
            return false;
        }
        let terms = match &mut self.judge {
            SubsumptionJudge::Strict => return false,
            SubsumptionJudge::Collect(terms, _) | SubsumptionJudge::List(terms, _) => terms,
        };
        let mut pairs: Vec<(usize, usize, Term, Term)> = Vec::new();
        let mut next = at;
        while next < range.end {
            let cell = cells_a.iter().find(|(offset, _)| *offset == next);
            let bytes = cell.map_or(1, |(_, cell)| cell.bytes as usize);
            let first = bytes_term(terms, a, &cells_a, next, bytes);
            let second = bytes_term(terms, b, &cells_b, next, bytes);
            pairs.push((next, bytes, first, second));
            next += bytes;
        }
        let stay = pairs.iter().all(|(_, _, x, y)| terms.as_bv(*x).is_none() || x == y);
        match &mut self.judge {
            SubsumptionJudge::Strict => false,
            SubsumptionJudge::Collect(terms, found) => {
                pairs.iter().all(|(_, _, first, second)| found.add_pair(terms, (*first, *second)))
            }
            SubsumptionJudge::List(_, found) if stay => {
                for (from, bytes, first, second) in pairs {
                    let bytes = bytes as u32;
                    let spot = StateCell::Memory { object, offset: from as u64, bytes };
                    found.push(StateDifference {
                        spot,
                        first,
                        second,
                        kind: StateDifferenceKind::Number,
                    });
                }
                true
            }
            SubsumptionJudge::List(terms, found) => {
                let first = bytes_term(terms, a, &cells_a, at, len);
                let second = bytes_term(terms, b, &cells_b, at, len);
                let spot = StateCell::Memory { object, offset: at as u64, bytes: len as u32 };
                found.push(StateDifference {
                    spot,
                    first,
                    second,
                    kind: StateDifferenceKind::Number,
                });
                true
            }
        }
    }
}

/// How far an address is into its object.
pub(crate) fn offset_in_object(terms: &mut TermStore, address: Term, base: u64) -> Term {
    match terms.sort(address) {
        Sort::BitVec(width) => {
            let base = terms.bv(width, base.into());
            terms.bv_sub(address, base)
        }
        _ => {
            let base = terms.int(base);
            terms.int_sub(address, base)
        }
    }
}

/// Bytes of an object as one term.
fn bytes_term(
    terms: &mut TermStore,
    object: &MemoryObject,
    cells: &[(usize, MemoryCell)],
    at: usize,
    len: usize,
) -> Term {
    let last = byte_term(terms, object, cells, at + len - 1);
    (at..at + len - 1).rev().fold(last, |high, i| {
        let low = byte_term(terms, object, cells, i);
        terms.concat(high, low)
    })
}

/// The first place after `at` that no cell of either object crosses.
fn common_cell_end(a: &MemoryObject, b: &MemoryObject, at: usize) -> usize {
    let mut end = at + 1;
    loop {
        let touching = a.cells_touching(at, end - at).into_iter();
        let touching = touching.chain(b.cells_touching(at, end - at));
        let reach = touching.map(|(offset, cell)| offset + cell.bytes as usize).max();
        match reach {
            Some(further) if further > end => end = further,
            _ => return end,
        }
    }
}

impl StateSubsumption {
    /// Notes a pair; false if the two can never be equal.
    fn add_pair(&mut self, terms: &TermStore, pair: (Term, Term)) -> bool {
        self.all.push(pair);
        if pair.0 != pair.1 {
            if terms.as_constant(pair.0).is_some() && terms.as_constant(pair.1).is_some() {
                return false;
            }
            self.pairs.push(pair);
        }
        true
    }
}

/// Two values as terms of one sort, if they can be. Plain bits beside an integer have a sign: states
/// that are the same only without it are not found to be.
fn comparable_terms(
    terms: &mut TermStore,
    a: MachineValue,
    b: MachineValue,
    width: u32,
) -> Option<(Term, Term)> {
    if !is_integer(terms, a) && !is_integer(terms, b) {
        return Some((value_to_term(terms, a, width), value_to_term(terms, b, width)));
    }
    let mut number = |value: MachineValue| match value.term() {
        Some(term) => (terms.sort(term) == Sort::Int).then_some(term),
        None if value.provenance() == Provenance::None => {
            Some(terms.int(plain::signed_value(width, value.bits)))
        }
        None => Some(terms.int(value.bits)),
    };
    Some((number(a)?, number(b)?))
}

/// The cell, or the plain bytes as a value; `None` if some were never written or are too many.
fn cell_or_plain(
    object: &MemoryObject,
    cell: Option<MemoryCell>,
    at: usize,
    len: usize,
) -> Option<MachineValue> {
    match cell {
        Some(cell) => Some(cell.value),
        None if len > 8 || object.any_unwritten(at, len) => None,
        None => Some(MachineValue::plain(object.read_bytes(at, len))),
    }
}
