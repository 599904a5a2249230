//! Spots: parts of a state by name, to look at one and to put something else there.

use std::rc::Rc;

use ouro_model::ids::Id;
use ouro_model::{FunctionId, Span, Type, VarId};
use ouro_term::{Sort, Term, Terms};

use crate::integer::INT;
use crate::memory::Loaded;
use crate::{Machine, ObjectRef, Overflow, Provenance, State, Value, plain};

/// A part of a state that holds one value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs, reason = "the comment of each variant speaks of its fields")]
pub enum Spot {
    /// A variable of a call in progress; call 0 is the innermost.
    Variable { call: usize, variable: VarId },
    /// Bytes of an object.
    Memory { object: ObjectRef, offset: u64, bytes: u32 },
}

/// No value has more bytes.
const MOST_BYTES: u32 = 16;

impl Machine {
    /// The name of a function.
    pub fn name(&self, function: FunctionId) -> &str {
        &self.names[function.index()]
    }

    /// What a symbol in a spot ranges over; `None` if there is no such spot. This is the one place
    /// that says which sort a variable of the program has.
    pub fn sort_of(&self, state: &State, spot: Spot) -> Option<Sort> {
        match spot {
            Spot::Variable { call, variable } => {
                let frame = state.frames.iter().rev().nth(call)?;
                let types = &self.functions[frame.function.index()].types;
                Some(self.sort_of_type(*types.get(variable.index())?))
            }
            Spot::Memory { object, offset, bytes } => {
                let object = state.memory.object(object)?;
                let end = offset.checked_add(bytes.into())?;
                let fits = (1..=MOST_BYTES).contains(&bytes) && end <= object.size();
                (fits && !object.constant).then(|| self.sort_of_type(Type::Int(bytes * 8)))
            }
        }
    }

    fn sort_of_type(&self, ty: Type) -> Sort {
        match ty {
            Type::Int(INT..) if self.overflow == Overflow::Unbounded => Sort::Int,
            ty => Sort::BitVec(ty.bits(self.pointer_bits)),
        }
    }

    /// Bits of a spot that exists.
    fn bits_of(&self, state: &State, spot: Spot) -> Option<u32> {
        Some(match spot {
            Spot::Variable { call, variable } => {
                let frame = state.frames.iter().rev().nth(call)?;
                let types = &self.functions[frame.function.index()].types;
                types.get(variable.index())?.bits(self.pointer_bits)
            }
            Spot::Memory { bytes, .. } => bytes * 8,
        })
    }

    /// The number in a spot; `None` if there is no such spot, or no number in it.
    pub fn look(&self, terms: &mut Terms, state: &State, spot: Spot) -> Option<Term> {
        let sort = self.sort_of(state, spot)?;
        let width = self.bits_of(state, spot)?;
        let value = match spot {
            Spot::Variable { call, variable } => {
                state.frames.iter().rev().nth(call)?.registers[variable.index()]
            }
            Spot::Memory { object, offset, .. } => {
                let mut memory = state.memory.clone();
                let ty = Type::Int(width);
                match memory.load(terms, object, offset as usize, ty, Span::NONE) {
                    Loaded::Value(value) if memory.layout == state.memory.layout => value,
                    _ => return None,
                }
            }
        };
        let number = !value.is_unwritten() && value.provenance() == Provenance::None;
        if !number {
            return None;
        }
        let term = match (value.bits(), sort) {
            (Some(bits), Sort::Int) => terms.int(plain::signed(width, bits)),
            _ => crate::memory::to_term(terms, value, width),
        };
        (terms.sort(term) == sort).then_some(term)
    }

    /// Puts a number of the right sort into a spot; false if there is no such spot.
    pub fn put(&self, terms: &mut Terms, state: &mut State, spot: Spot, number: Term) -> bool {
        if self.sort_of(state, spot) != Some(terms.sort(number)) {
            return false;
        }
        let value = Value::from_term(terms, number);
        match spot {
            Spot::Variable { call, variable } => {
                let index = state.frames.len() - 1 - call;
                Rc::make_mut(&mut state.frames[index]).registers[variable.index()] = value;
            }
            Spot::Memory { object, offset, bytes } => {
                let (at, bits) = (offset as usize, bytes * 8);
                return state.memory.store(terms, object, at, bits, value, Span::NONE).is_ok();
            }
        }
        true
    }
}
