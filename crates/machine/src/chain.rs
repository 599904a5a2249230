//! Chains: lists of any length, as one object.
//!
//! A chain stands for one or more objects of the heap, or of the stack, of the same size. Each holds, at the offset `link`,
//! the address of the next, `entry` bytes into it; the last holds what the chain's own bytes have
//! there. Nothing else refers to any but the first, and nobody knows what else is in them. How many
//! they are is a mathematical integer, so that no list is too long.
//!
//! [`Machine::fold`] makes chains, which forgets something: the state stands for more states then.
//! An access to a chain needs its first object, so it stops the run at a fork ([`Stop::Fork`]): the
//! chain has one object, or more, and is taken apart accordingly. That forgets nothing. So chains are
//! for proofs about all runs, and for nothing else; who never folds never meets one.
//!
//! [`Stop::Fork`]: crate::Stop::Fork

use std::fmt::{self, Write as _};

use ouro_model::ids::Id;
use ouro_term::{Term, Terms};
use rustc_hash::FxHashMap;

use crate::memory::Memory;
use crate::object::{Object, Storage};
use crate::stop::Alternative;
use crate::{Machine, ObjectRef, State, Value};

/// How objects of one size are linked.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Link {
    /// Bytes of each object.
    pub size: u64,
    /// Where in each the address of the next is.
    pub link: u64,
    /// How far into the next that address is.
    pub entry: u64,
}

/// What makes an object a chain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Chain {
    pub(crate) link: u64,
    pub(crate) entry: u64,
    /// How many objects it stands for: an integer, at least 1.
    pub(crate) length: Term,
}

/// How an alternative takes a chain apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Unfolding {
    object: ObjectRef,
    /// How many objects there are after the first, if there are any.
    rest: Option<Term>,
}

impl Object {
    /// What is in the link of an object, or of the last object of a chain; `None` if that is not
    /// the address of an object or null.
    fn linked(&self, at: u64) -> Option<Value> {
        let at = usize::try_from(at).ok()?;
        let word = self.word();
        if at.checked_add(word)? > self.data.len() || self.any_unwritten(at, word) {
            return None;
        }
        let value = match self.cells_touching(at, word)[..] {
            [] => Value::plain(self.read_bytes(at, word)),
            [(offset, cell)] if offset == at && cell.bytes as usize == word => cell.value,
            _ => return None,
        };
        let null = value.is_plain() && value.bits == 0;
        (null || value.is_address()).then_some(value)
    }
}

impl Machine {
    /// The ways to take a chain apart, for an instruction that needs its first object; `None` if
    /// there is no room for another object.
    pub(crate) fn unfoldings(
        &self,
        memory: &Memory,
        terms: &mut Terms,
        object: ObjectRef,
        target: u32,
    ) -> Option<Vec<Alternative>> {
        let size = memory.object(object)?.size();
        let chain = memory.object(object)?.chain?;
        if !memory.has_room(size) {
            return None;
        }
        let (one, two) = (terms.int(1), terms.int(2));
        let last = terms.int_le(chain.length, one);
        let more = terms.int_le(two, chain.length);
        let rest = terms.int_sub(chain.length, one);
        let alternative = |condition, rest| Alternative {
            condition,
            target,
            unfolding: Some(Unfolding { object, rest }),
        };
        Some(vec![alternative(last, None), alternative(more, Some(rest))])
    }

    /// Takes a chain apart: its first object becomes one of its own.
    pub(crate) fn unfold(&self, state: &mut State, unfolding: Unfolding) {
        let Unfolding { object: reference, rest } = unfolding;
        let memory = &mut state.memory;
        let object = memory.object_mut(reference).expect("it was there a moment ago");
        let Some(chain) = object.chain.take() else { return };
        let Some(rest) = rest else { return };
        let tail = object.linked(chain.link).expect("a chain ends somewhere");
        let (size, align, name) = (object.size(), object.align, object.name.clone());
        let storage = object.storage;
        let next = memory.create(size, align, name, Storage::Heap).expect("room was asked for");
        let base = memory.object(next).expect("just made").base;
        let following = memory.object_mut(next).expect("just made");
        // One of the stack is not released when its call ends: it lives too long, so no run is lost.
        following.storage = storage;
        following.make_chain(Chain { length: rest, ..chain }, tail);
        let address = Value::address(base + chain.entry, next);
        let object = memory.object_mut(reference).expect("it was there a moment ago");
        object.set_link(chain.link, address);
    }

    /// Makes a chain of each list of objects that are linked like this: as long as possible, and
    /// also of single ones. States that were different may be the same then.
    pub fn fold(&self, state: &mut State, terms: &mut Terms, links: &[Link]) {
        if links.is_empty() {
            return;
        }
        let seen = self.references(state);
        // What is in the link of each object that can be in a chain.
        let mut linked: FxHashMap<ObjectRef, (Link, Value)> = FxHashMap::default();
        for (reference, _) in &seen {
            let Some(object) = state.memory.object(*reference) else { continue };
            let link = links.iter().find(|link| link.size == object.size());
            let Some(link) = link.filter(|_| can_be_linked(object)) else { continue };
            if let Some(chain) = object.chain
                && (chain.link, chain.entry) != (link.link, link.entry)
            {
                continue;
            }
            if let Some(value) = object.linked(link.link) {
                linked.insert(*reference, (*link, value));
            }
        }
        let counts: FxHashMap<ObjectRef, usize> = seen.iter().copied().collect();
        let next = |from: ObjectRef| -> Option<ObjectRef> {
            let (link, value) = linked.get(&from)?;
            let to = value.object()?;
            let (there, _) = linked.get(&to)?;
            let (here, target) = (state.memory.object(from)?, state.memory.object(to)?);
            let exact = value.bits().is_some_and(|bits| bits == target.base + link.entry);
            // Only what is on the heap can be freed, so a chain is not of both.
            // What an alignment says of an address is said of all that are in it.
            let same_kind =
                there == link && here.storage == target.storage && here.align == target.align;
            (to != from && same_kind && exact && counts.get(&to) == Some(&1)).then_some(to)
        };
        let followers: FxHashMap<ObjectRef, ObjectRef> =
            linked.keys().filter_map(|from| Some((next(*from)?, *from))).collect();
        let mut runs: Vec<Vec<ObjectRef>> = Vec::new();
        for (first, _) in &seen {
            if !linked.contains_key(first) || followers.contains_key(first) {
                continue;
            }
            let mut run = vec![*first];
            while let Some(to) = next(*run.last().expect("it has one")) {
                run.push(to);
            }
            runs.push(run);
        }
        for run in runs {
            let (link, _) = linked[&run[0]];
            let (_, tail) = linked[run.last().expect("it has one")];
            let one = terms.int(1);
            let mut length = terms.int(0);
            for reference in &run {
                let chain = state.memory.object(*reference).expect("reachable").chain;
                let objects = chain.map_or(one, |chain| chain.length);
                length = terms.int_add(length, objects);
            }
            for reference in &run[1..] {
                state.memory.release(*reference);
            }
            let object = state.memory.object_mut(run[0]).expect("reachable");
            object.make_chain(Chain { link: link.link, entry: link.entry, length }, tail);
        }
    }

    /// A way in which objects that can be reached are linked, of a size for which none is known.
    pub fn link(&self, state: &State, known: &[Link]) -> Option<Link> {
        for (reference, _) in self.references(state) {
            let Some(object) = state.memory.object(reference) else { continue };
            let size = object.size();
            if !can_be_linked(object) || known.iter().any(|link| link.size == size) {
                continue;
            }
            for (at, cell) in object.cells() {
                let Some(to) = cell.value.object().filter(|to| *to != reference) else { continue };
                let Some(there) = state.memory.object(to) else { continue };
                let Some(bits) = cell.value.bits() else { continue };
                let entry = bits.wrapping_sub(there.base);
                if there.size() == size && can_be_linked(there) && entry < size {
                    return Some(Link { size, link: at, entry });
                }
            }
        }
        None
    }

    /// Whether the rest of the run can reach an object that could be in a list.
    pub fn may_have_lists(&self, state: &State) -> bool {
        let reached = self.references(state);
        let can_be = |object: &ObjectRef| state.memory.object(*object).is_some_and(can_be_linked);
        reached.iter().any(|(object, _)| can_be(object))
    }

    /// The number of an object among those that the rest of the run can reach.
    pub fn number_of(&self, state: &State, object: ObjectRef) -> Option<usize> {
        self.references(state).iter().position(|(other, _)| *other == object)
    }

    /// The object of a number.
    pub fn numbered(&self, state: &State, number: usize) -> Option<ObjectRef> {
        self.references(state).get(number).map(|(object, _)| *object)
    }

    /// Which of the objects that the rest of the run can reach is where, as text: states in which lists
    /// are linked in another way have another one.
    pub fn shape(&self, state: &State) -> String {
        let mut shape = String::new();
        self.reach(state, &mut |from, object| {
            let is_chain = state.memory.object(object).is_some_and(|o| o.chain.is_some());
            let mark = if is_chain { "*" } else { "" };
            let number = from.number;
            // Text can always be written.
            let _ = write!(shape, "{}{number}{mark} ", from.source);
        });
        shape.trim_end().to_owned()
    }

    /// The objects that the rest of the run can reach, in an order that depends on the state alone,
    /// and how many references there are to each.
    fn references(&self, state: &State) -> Vec<(ObjectRef, usize)> {
        self.reach(state, &mut |_, _| {})
    }

    /// The same, with each reference reported.
    fn reach(
        &self,
        state: &State,
        report: &mut dyn FnMut(Reference, ObjectRef),
    ) -> Vec<(ObjectRef, usize)> {
        let mut found: Vec<(ObjectRef, usize)> = Vec::new();
        let mut index: FxHashMap<ObjectRef, usize> = FxHashMap::default();
        let mut note = |source: Source, value: Value, found: &mut Vec<(ObjectRef, usize)>| {
            if let Some(object) = value.object() {
                let number = *index.entry(object).or_insert_with(|| {
                    found.push((object, 0));
                    found.len() - 1
                });
                found[number].1 += 1;
                report(Reference { source, number }, object);
            }
        };
        for (above, frame) in state.frames.iter().rev().enumerate() {
            for var in self.live(frame.function, frame.pc, above == 0) {
                let source = Source::Variable(above, var.index());
                note(source, frame.registers[var.index()], &mut found);
            }
            for (at, (value, _)) in frame.extra.iter().enumerate() {
                note(Source::Argument(above, at), *value, &mut found);
            }
        }
        // Static objects are there whether or not anybody refers to them.
        for root in &self.roots {
            if let Some(object) = state.memory.object(*root) {
                note(Source::Program, Value::address(object.base, *root), &mut found);
            }
        }
        let mut next = 0;
        while let Some((reference, _)) = found.get(next).copied() {
            if let Some(object) = state.memory.object(reference) {
                for (at, cell) in object.cells() {
                    note(Source::Object(next, at), cell.value, &mut found);
                }
            }
            next += 1;
        }
        found
    }
}

/// A reference to the object of a number.
struct Reference {
    source: Source,
    number: usize,
}

/// Where a reference is.
enum Source {
    /// A variable of a call; 0 is the innermost.
    Variable(usize, usize),
    /// A further argument of a call.
    Argument(usize, usize),
    /// The program itself.
    Program,
    /// An offset of the object of a number.
    Object(usize, u64),
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Variable(call, variable) => write!(f, "v{call}.{variable}>"),
            Source::Argument(call, argument) => write!(f, "a{call}.{argument}>"),
            Source::Program => write!(f, ">"),
            Source::Object(number, at) => write!(f, "{number}+{at}>"),
        }
    }
}

fn can_be_linked(object: &Object) -> bool {
    let is_data = matches!(object.storage, Storage::Heap | Storage::Stack);
    is_data && object.extent.is_none() && !object.constant
}
