//! A number for a state, so that states that are the same (up to the names of symbols) are found
//! quickly. Equal numbers prove nothing: [`Machine::compare`] decides.

use std::hash::Hasher;

use ouro_model::ids::TypedId;
use ouro_term::{Term, TermOp, TermStore};
use rustc_hash::{FxHashMap, FxHasher};

use crate::{Machine, MachineState, MachineValue, ObjectRef, Provenance, StorageClass};

/// Hashes of terms that do not depend on the names of symbols, each computed once.
#[derive(Default)]
pub struct TermShapes {
    known: FxHashMap<Term, u64>,
}

impl TermShapes {
    /// The hash of a term.
    pub fn shape_hash(&mut self, terms: &TermStore, term: Term) -> u64 {
        let mut pending = vec![term];
        while let Some(&next) = pending.last() {
            if self.known.contains_key(&next) {
                pending.pop();
                continue;
            }
            let before = pending.len();
            pending.extend(terms.args(next).iter().filter(|a| !self.known.contains_key(a)));
            if pending.len() > before {
                continue;
            }
            pending.pop();
            let mut hasher = FxHasher::default();
            match terms.op(next) {
                TermOp::Symbol(_) => hasher.write_u32(terms.sort(next).width().unwrap_or(0)),
                op => std::hash::Hash::hash(op, &mut hasher),
            }
            // Arguments may stand in another order when symbols are renamed: add, do not chain.
            let args = terms.args(next).iter().fold(0u64, |sum, a| sum.wrapping_add(self.known[a]));
            hasher.write_u64(args);
            self.known.insert(next, hasher.finish());
        }
        self.known[&term]
    }
}

struct FingerprintWalk<'a> {
    state: &'a MachineState,
    terms: &'a TermStore,
    shapes: &'a mut TermShapes,
    numbers: FxHashMap<ObjectRef, u32>,
    pending: Vec<ObjectRef>,
    hasher: FxHasher,
    symbolic: Vec<Term>,
}

impl Machine {
    /// The fingerprint of a whole state, and the terms in what the rest of the run can see of it.
    pub fn fingerprint_state(
        &self,
        terms: &TermStore,
        shapes: &mut TermShapes,
        state: &MachineState,
    ) -> (u64, Vec<Term>) {
        let mut walk = FingerprintWalk {
            state,
            terms,
            shapes,
            numbers: FxHashMap::default(),
            pending: Vec::new(),
            hasher: FxHasher::default(),
            symbolic: Vec::new(),
        };
        let depth = state.frames.len();
        walk.hasher.write_usize(depth);
        for (i, frame) in state.frames.iter().enumerate().rev() {
            walk.hasher.write_u32(frame.function.0);
            walk.hasher.write_u32(frame.pc);
            for var in self.live_variables(frame.function, frame.pc, i + 1 == depth) {
                walk.hash_value(frame.registers[var.index()]);
            }
            for (value, _) in &frame.extra {
                walk.hash_value(*value);
            }
        }
        for root in &self.roots {
            walk.object_number(*root);
        }
        let mut next = 0;
        while next < walk.pending.len() {
            let object = walk.pending[next];
            walk.hash_object(object);
            next += 1;
        }
        (walk.hasher.finish(), walk.symbolic)
    }
}

impl FingerprintWalk<'_> {
    fn object_number(&mut self, object: ObjectRef) -> u32 {
        let fresh = self.numbers.len() as u32;
        *self.numbers.entry(object).or_insert_with(|| {
            self.pending.push(object);
            fresh
        })
    }

    fn hash_value(&mut self, value: MachineValue) {
        self.symbolic.extend(value.term());
        match value.provenance() {
            Provenance::Object(object) => match self.state.memory.object(object) {
                Some(found) => {
                    let base = found.base;
                    let number = self.object_number(object);
                    self.hasher.write_u32(number);
                    // A symbolic offset contains the base: leave it to the comparison.
                    self.hasher.write_u64(value.bits().map_or(1, |bits| bits.wrapping_sub(base)));
                }
                None => self.hasher.write_u64(2),
            },
            other => {
                self.hasher.write_u8(match other {
                    Provenance::None => 0,
                    Provenance::Uninitialised => 1,
                    _ => 2,
                });
                match value.term() {
                    Some(term) => {
                        let shape = self.shapes.shape_hash(self.terms, term);
                        self.hasher.write_u64(shape);
                    }
                    None => self.hasher.write_u64(value.bits),
                }
            }
        }
    }

    fn hash_object(&mut self, reference: ObjectRef) {
        let Some(object) = self.state.memory.shared_object(reference).cloned() else { return };
        if let StorageClass::Static(id) = object.storage {
            self.hasher.write_u32(id.0);
        }
        let bytes = object.hash.get().unwrap_or_else(|| {
            let mut hasher = FxHasher::default();
            let mut at = 0;
            for (offset, cell) in object.cells() {
                hasher.write(&object.data[at..offset as usize]);
                at = offset as usize + cell.bytes as usize;
            }
            hasher.write(&object.data[at..]);
            hasher.write_usize(object.data.len());
            let hash = hasher.finish();
            object.hash.set(Some(hash));
            hash
        });
        self.hasher.write_u64(bytes);
        for (offset, cell) in object.cells() {
            self.hasher.write_u64(offset);
            self.hash_value(cell.value);
        }
    }
}
