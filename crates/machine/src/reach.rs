//! What the rest of a run can reach: objects, in an order that depends on the state alone, and who refers
//! to them.

use std::fmt::{self, Write as _};

use ouro_model::VarId;
use ouro_model::ids::TypedId;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::object::{MemoryObject, StorageClass};
use crate::{Machine, MachineState, MachineValue, ObjectRef};

/// Who holds an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the comment of each variant speaks of its fields")]
pub enum AddressHolder {
    /// A variable of a call in progress; call 0 is the innermost.
    Variable { call: usize, variable: VarId },
    /// An object, at an offset.
    Object { object: ObjectRef, offset: u64 },
    /// The program itself: static objects are always there.
    Program,
}

impl Machine {
    /// The objects that the rest of the run can reach, each with who refers to it, for pictures. Further
    /// arguments of calls have no name, and are left out.
    pub fn reachable_objects(&self, state: &MachineState) -> Vec<(AddressHolder, ObjectRef)> {
        let mut found = Vec::new();
        let order = self.reference_counts(state);
        self.traverse_references(state, &mut |from, to| {
            let holder = match from.source {
                ReferenceSource::Variable(call, variable) => {
                    AddressHolder::Variable { call, variable: VarId(variable as u32) }
                }
                ReferenceSource::Object(number, offset) => {
                    AddressHolder::Object { object: order[number].0, offset }
                }
                ReferenceSource::Program => AddressHolder::Program,
                ReferenceSource::Argument(..) => return,
            };
            found.push((holder, to));
        });
        found
    }

    /// The objects that the innermost call can find by its variables, and by static objects.
    pub(crate) fn objects_within_reach(&self, state: &MachineState) -> Vec<ObjectRef> {
        let mut found: Vec<ObjectRef> = Vec::new();
        let mut seen: FxHashSet<ObjectRef> = FxHashSet::default();
        let mut note = |object: ObjectRef, found: &mut Vec<ObjectRef>| {
            if seen.insert(object) {
                found.push(object);
            }
        };
        if let Some(frame) = state.frames.last() {
            let further = frame.extra.iter().map(|(value, _)| *value);
            let values = frame.registers.iter().copied().chain(further);
            values.filter_map(MachineValue::object).for_each(|object| note(object, &mut found));
        }
        for (object, held) in state.memory.objects() {
            if matches!(held.storage, StorageClass::Static(_)) {
                note(object, &mut found);
            }
        }
        let mut next = 0;
        while let Some(object) = found.get(next).copied() {
            let held = state.memory.object(object).into_iter().flat_map(MemoryObject::cells);
            held.filter_map(|(_, cell)| cell.value.object()).for_each(|to| note(to, &mut found));
            next += 1;
        }
        found
    }

    /// The number of an object among those that the rest of the run can reach.
    pub fn number_of_object(&self, state: &MachineState, object: ObjectRef) -> Option<usize> {
        self.reference_counts(state).iter().position(|(other, _)| *other == object)
    }

    /// The object of a number.
    pub fn object_of_number(&self, state: &MachineState, number: usize) -> Option<ObjectRef> {
        self.reference_counts(state).get(number).map(|(object, _)| *object)
    }

    /// Which of the objects that the rest of the run can reach is where, as text: states in which lists
    /// are linked in another way have another one.
    pub fn heap_shape(&self, state: &MachineState) -> String {
        let mut shape = String::new();
        self.traverse_references(state, &mut |from, object| {
            let held = state.memory.object(object);
            let mark = if held.is_some_and(|o| o.chain.is_some()) { "*" } else { "" };
            let doubt = if held.is_some_and(|o| o.doubtful) { "?" } else { "" };
            let number = from.number;
            // Text can always be written.
            let _ = write!(shape, "{}{number}{mark}{doubt} ", from.source);
        });
        shape.trim_end().to_owned()
    }

    /// The objects that the rest of the run can reach, in an order that depends on the state alone,
    /// and how many references there are to each.
    pub(crate) fn reference_counts(&self, state: &MachineState) -> Vec<(ObjectRef, usize)> {
        self.traverse_references(state, &mut |_, _| {})
    }

    /// The same, with each reference reported.
    fn traverse_references(
        &self,
        state: &MachineState,
        report: &mut dyn FnMut(ObjectReference, ObjectRef),
    ) -> Vec<(ObjectRef, usize)> {
        let mut found: Vec<(ObjectRef, usize)> = Vec::new();
        let mut index: FxHashMap<ObjectRef, usize> = FxHashMap::default();
        let mut note =
            |source: ReferenceSource, value: MachineValue, found: &mut Vec<(ObjectRef, usize)>| {
                if let Some(object) = value.object() {
                    let number = *index.entry(object).or_insert_with(|| {
                        found.push((object, 0));
                        found.len() - 1
                    });
                    found[number].1 += 1;
                    report(ObjectReference { source, number }, object);
                }
            };
        for (above, frame) in state.frames.iter().rev().enumerate() {
            for var in self.live_variables(frame.function, frame.pc, above == 0) {
                let source = ReferenceSource::Variable(above, var.index());
                note(source, frame.registers[var.index()], &mut found);
            }
            for (at, (value, _)) in frame.extra.iter().enumerate() {
                note(ReferenceSource::Argument(above, at), *value, &mut found);
            }
        }
        // Static objects are there whether or not anybody refers to them.
        for root in &self.roots {
            if let Some(object) = state.memory.object(*root) {
                note(
                    ReferenceSource::Program,
                    MachineValue::address(object.base, *root),
                    &mut found,
                );
            }
        }
        let mut next = 0;
        while let Some((reference, _)) = found.get(next).copied() {
            if let Some(object) = state.memory.object(reference) {
                for (at, cell) in object.cells() {
                    note(ReferenceSource::Object(next, at), cell.value, &mut found);
                }
            }
            next += 1;
        }
        found
    }
}

/// A reference to the object of a number.
struct ObjectReference {
    source: ReferenceSource,
    number: usize,
}

/// Where a reference is.
enum ReferenceSource {
    /// A variable of a call; 0 is the innermost.
    Variable(usize, usize),
    /// A further argument of a call.
    Argument(usize, usize),
    /// The program itself.
    Program,
    /// An offset of the object of a number.
    Object(usize, u64),
}

impl fmt::Display for ReferenceSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReferenceSource::Variable(call, variable) => write!(f, "v{call}.{variable}>"),
            ReferenceSource::Argument(call, argument) => write!(f, "a{call}.{argument}>"),
            ReferenceSource::Program => write!(f, ">"),
            ReferenceSource::Object(number, at) => write!(f, "{number}+{at}>"),
        }
    }
}
