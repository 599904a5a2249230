//! A number for a state, so that states that are the same (up to the names of symbols) are found
//! quickly. Equal numbers prove nothing: [`Machine::compare`] decides.

use std::hash::Hasher;

use ouro_model::ids::Id;
use ouro_term::{Op, Term, Terms};
use rustc_hash::{FxHashMap, FxHasher};

use crate::{Machine, ObjectRef, Provenance, State, Storage, Value};

/// Hashes of terms that do not depend on the names of symbols, each computed once.
#[derive(Default)]
pub struct Shapes {
    known: FxHashMap<Term, u64>,
}

impl Shapes {
    /// The hash of a term.
    pub fn of(&mut self, terms: &Terms, term: Term) -> u64 {
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
                Op::Symbol(_) => hasher.write_u32(terms.sort(next).width().unwrap_or(0)),
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

struct Walk<'a> {
    state: &'a State,
    terms: &'a Terms,
    shapes: &'a mut Shapes,
    numbers: FxHashMap<ObjectRef, u32>,
    pending: Vec<ObjectRef>,
    hasher: FxHasher,
    symbolic: Vec<Term>,
}

impl Machine {
    /// The fingerprint of a whole state, and the terms in what the rest of the run can see of it.
    pub fn fingerprint(
        &self,
        terms: &Terms,
        shapes: &mut Shapes,
        state: &State,
    ) -> (u64, Vec<Term>) {
        let mut walk = Walk {
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
            for var in self.live(frame.function, frame.pc, i + 1 == depth) {
                walk.value(frame.registers[var.index()]);
            }
            for (value, _) in &frame.extra {
                walk.value(*value);
            }
        }
        for root in &self.roots {
            walk.number(*root);
        }
        let mut next = 0;
        while next < walk.pending.len() {
            let object = walk.pending[next];
            walk.object(object);
            next += 1;
        }
        (walk.hasher.finish(), walk.symbolic)
    }
}

impl Walk<'_> {
    fn number(&mut self, object: ObjectRef) -> u32 {
        let fresh = self.numbers.len() as u32;
        *self.numbers.entry(object).or_insert_with(|| {
            self.pending.push(object);
            fresh
        })
    }

    fn value(&mut self, value: Value) {
        self.symbolic.extend(value.term());
        match value.provenance() {
            Provenance::Object(object) => match self.state.memory.object(object) {
                Some(found) => {
                    let base = found.base;
                    let number = self.number(object);
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
                        let shape = self.shapes.of(self.terms, term);
                        self.hasher.write_u64(shape);
                    }
                    None => self.hasher.write_u64(value.bits),
                }
            }
        }
    }

    fn object(&mut self, reference: ObjectRef) {
        let Some(object) = self.state.memory.shared(reference).cloned() else { return };
        if let Storage::Static(id) = object.storage {
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
            self.value(cell.value);
        }
    }
}
