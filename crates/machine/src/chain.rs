//! Chains: lists of any length, as one object.
//!
//! A chain stands for one or more objects of the heap, or one or more of the stack, of the same size. Each holds, at
//! the offset `link`, the address of the next, `entry` bytes into it; the last holds what the chain's own bytes have
//! there. Nothing else refers to any but the first. Nobody knows what else is in them, or it is the same in
//! all of them, no address, and kept ([`SegmentLink::alike`]). How many they are is a mathematical integer, so that
//! no list is too long.
//!
//! [`Machine::fold_lists`] makes chains, which may forget something: the state stands for more states then.
//! An access to a chain needs its first object, so it stops the run at a fork ([`MachineStop::Fork`]): the
//! chain has one object, or more, and is taken apart accordingly. That forgets nothing. So chains are
//! for what is said about all runs from a state: that they all end, or that all of them stay in a set of
//! states. Who never folds never meets one.
//!
//! [`MachineStop::Fork`]: crate::Stop::Fork

use ouro_term::{Term, TermStore};
use rustc_hash::FxHashMap;

use crate::memory::MachineMemory;
use crate::object::{MemoryObject, StorageClass};
use crate::stop::ForkAlternative;
use crate::{Machine, MachineState, MachineValue, ObjectRef};

/// How objects of one size are linked.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SegmentLink {
    /// Bytes of each object.
    pub size: u64,
    /// Where in each the address of the next is.
    pub link: u64,
    /// How far into the next that address is.
    pub entry: u64,
    /// Whether objects are in one chain only if the same is in them, which is kept. Otherwise it is
    /// forgotten.
    pub alike: bool,
}

/// Which objects are made chains of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FoldScope {
    /// Those of the heap. Each lives until it is freed, also in a chain.
    Heap,
    /// Those of the heap and those of the stack. One of the stack that was taken off a chain outlives its
    /// call, so a run may go on that has ended: safe only for a proof that all runs end. That it is there says
    /// nothing about addresses of others.
    HeapAndStack,
}

impl FoldScope {
    fn admits_object(self, object: &MemoryObject) -> bool {
        let is_data = match object.storage {
            StorageClass::Heap => true,
            StorageClass::Stack => self == FoldScope::HeapAndStack,
            StorageClass::Static(_) | StorageClass::Code(_) | StorageClass::Label(..) => false,
        };
        is_data && object.extent.is_none() && !object.constant
    }
}

/// What makes an object a chain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ListSegment {
    pub(crate) link: u64,
    pub(crate) entry: u64,
    /// How many objects it stands for: an integer, at least 1.
    pub(crate) length: Term,
}

/// How an alternative takes a chain apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SegmentUnfolding {
    object: ObjectRef,
    /// How many objects there are after the first, if there are any.
    rest: Option<Term>,
}

impl MemoryObject {
    /// What is in the link of an object, or of the last object of a chain; `None` if that is not
    /// the address of an object or null.
    fn link_target(&self, at: u64) -> Option<MachineValue> {
        let at = usize::try_from(at).ok()?;
        let word = self.address_bytes();
        if at.checked_add(word)? > self.data.len() || self.any_unwritten(at, word) {
            return None;
        }
        let value = match self.cells_touching(at, word)[..] {
            [] => MachineValue::plain(self.read_bytes(at, word)),
            [(offset, cell)] if offset == at && cell.bytes as usize == word => cell.value,
            _ => return None,
        };
        let null = value.is_plain() && value.bits == 0;
        (null || value.is_address()).then_some(value)
    }

    /// Whether no address of an object is in it, apart from one in the link. What is held once for many
    /// objects would not be seen to be referred to by all of them.
    fn has_no_address_except_link(&self, link: u64) -> bool {
        self.cells().all(|(at, cell)| at == link || cell.value.object().is_none())
    }

    /// Whether the same is in both, apart from the link.
    fn equals_except_link(&self, other: &MemoryObject, link: u64) -> bool {
        let Ok(link) = usize::try_from(link) else { return false };
        let apart = |object: &MemoryObject| {
            object.cells().filter(|(at, _)| *at != link as u64).collect::<Vec<_>>()
        };
        let end = link + self.address_bytes();
        self.data.len() == other.data.len()
            && (self.vague, self.external) == (other.vague, other.external)
            && self.data[..link] == other.data[..link]
            && self.data[end..] == other.data[end..]
            && (0..self.data.len()).all(|i| self.is_unwritten(i) == other.is_unwritten(i))
            && apart(self) == apart(other)
    }
}

impl Machine {
    /// The ways to take a chain apart, for an instruction that needs its first object; `None` if
    /// there is no room for another object.
    pub(crate) fn segment_unfoldings(
        &self,
        memory: &MachineMemory,
        terms: &mut TermStore,
        object: ObjectRef,
        target: u32,
    ) -> Option<Vec<ForkAlternative>> {
        let size = memory.object(object)?.size();
        let chain = memory.object(object)?.chain?;
        if !memory.has_room(size) {
            return None;
        }
        let (one, two) = (terms.int(1), terms.int(2));
        let last = terms.int_le(chain.length, one);
        let more = terms.int_le(two, chain.length);
        let rest = terms.int_sub(chain.length, one);
        let alternative = |condition, rest| ForkAlternative {
            condition,
            target,
            unfolding: Some(SegmentUnfolding { object, rest }),
        };
        Some(vec![alternative(last, None), alternative(more, Some(rest))])
    }

    /// Takes a chain apart: its first object becomes one of its own.
    pub(crate) fn unfold_segment(&self, state: &mut MachineState, unfolding: SegmentUnfolding) {
        let SegmentUnfolding { object: reference, rest } = unfolding;
        let memory = &mut state.memory;
        let object = memory.object_mut(reference).expect("it was there a moment ago");
        let Some(chain) = object.chain.take() else { return };
        let Some(rest) = rest else { return };
        // What is in the others is what is in the first, and the last link is theirs.
        let mut others = object.clone();
        let (size, align, name) = (others.size(), others.align, others.name.clone());
        let next = memory
            .create_object(size, align, name, StorageClass::Heap)
            .expect("room was asked for");
        let following = memory.object_mut(next).expect("just made");
        let base = following.base;
        // One of the stack is not released when its call ends (`Among::HeapAndStack`).
        others.doubtful |= others.storage == StorageClass::Stack;
        (others.base, others.chain) = (base, Some(ListSegment { length: rest, ..chain }));
        *following = others;
        let address = MachineValue::address(base.wrapping_add(chain.entry), next);
        let object = memory.object_mut(reference).expect("it was there a moment ago");
        object.set_link(chain.link, address);
    }

    /// Makes a chain of each list of objects that are linked like this: as long as possible, and
    /// also of single ones. States that were different may be the same then.
    pub fn fold_lists(
        &self,
        state: &mut MachineState,
        terms: &mut TermStore,
        links: &[SegmentLink],
        among: FoldScope,
    ) {
        if links.is_empty() {
            return;
        }
        let seen = self.reference_counts(state);
        // What is in the link of each object that can be in a chain.
        let mut linked: FxHashMap<ObjectRef, (SegmentLink, MachineValue)> = FxHashMap::default();
        for (reference, _) in &seen {
            let Some(object) = state.memory.object(*reference) else { continue };
            let link = links.iter().find(|link| link.size == object.size());
            let Some(link) = link.filter(|_| among.admits_object(object)) else { continue };
            if let Some(chain) = object.chain
                && (chain.link, chain.entry) != (link.link, link.entry)
            {
                continue;
            }
            if let Some(value) = object.link_target(link.link)
                && (!link.alike || object.has_no_address_except_link(link.link))
            {
                linked.insert(*reference, (*link, value));
            }
        }
        let counts: FxHashMap<ObjectRef, usize> = seen.iter().copied().collect();
        let next = |from: ObjectRef| -> Option<ObjectRef> {
            let (link, value) = linked.get(&from)?;
            let to = value.object()?;
            let (there, _) = linked.get(&to)?;
            let (here, target) = (state.memory.object(from)?, state.memory.object(to)?);
            let exact =
                value.bits().is_some_and(|bits| bits == target.base.wrapping_add(link.entry));
            // Only what is on the heap can be freed, so a chain is not of both.
            // What an alignment says of an address is said of all that are in it.
            let same_kind =
                there == link && here.storage == target.storage && here.align == target.align;
            let alike = same_kind && (!link.alike || here.equals_except_link(target, link.link));
            (to != from && alike && exact && counts.get(&to) == Some(&1)).then_some(to)
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
            let mut doubtful = false;
            for reference in &run {
                let object = state.memory.object(*reference).expect("reachable");
                let objects = object.chain.map_or(one, |chain| chain.length);
                length = terms.int_add(length, objects);
                doubtful |= object.doubtful;
            }
            for reference in &run[1..] {
                state.memory.release_object(*reference);
            }
            let object = state.memory.object_mut(run[0]).expect("reachable");
            object.doubtful = doubtful;
            if !link.alike {
                object.havoc_contents();
            }
            object.set_link(link.link, tail);
            object.chain = Some(ListSegment { link: link.link, entry: link.entry, length });
        }
    }

    /// A way in which objects that can be reached are linked, of a size for which none is known. What is in
    /// them is forgotten.
    pub fn find_segment_link(
        &self,
        state: &MachineState,
        known: &[SegmentLink],
        among: FoldScope,
    ) -> Option<SegmentLink> {
        for (reference, _) in self.reference_counts(state) {
            let Some(object) = state.memory.object(reference) else { continue };
            let size = object.size();
            if !among.admits_object(object) || known.iter().any(|link| link.size == size) {
                continue;
            }
            for (at, cell) in object.cells() {
                let Some(to) = cell.value.object().filter(|to| *to != reference) else { continue };
                let Some(there) = state.memory.object(to) else { continue };
                let Some(bits) = cell.value.bits() else { continue };
                let entry = bits.wrapping_sub(there.base);
                if there.size() == size && among.admits_object(there) && entry < size {
                    return Some(SegmentLink { size, link: at, entry, alike: false });
                }
            }
        }
        None
    }

    /// Whether the rest of the run can reach an object that could be in a list.
    pub fn may_have_lists(&self, state: &MachineState, among: FoldScope) -> bool {
        let reached = self.reference_counts(state);
        let mut objects = reached.iter().filter_map(|(object, _)| state.memory.object(*object));
        objects.any(|object| among.admits_object(object))
    }
}
