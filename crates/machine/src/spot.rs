//! Spots: parts of a state by name, to look at one and to put something else there.

use std::rc::Rc;

use ouro_model::ids::TypedId;
use ouro_model::{FunctionId, Span, Type, VarId};
use ouro_term::{Sort, Term, TermStore};

use crate::integer::INT;
use crate::limits::LIMITS;
use crate::memory::LoadOutcome;
use crate::object::MemoryObject;
use crate::same::offset_in_object;
use crate::{Machine, MachineState, MachineValue, ObjectRef, OverflowSemantics, Provenance, plain};

/// A part of a state that holds one value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs, reason = "the comment of each variant speaks of its fields")]
pub enum StateCell {
    /// A variable of a call in progress; call 0 is the innermost.
    Variable { call: usize, variable: VarId },
    /// Bytes of an object.
    Memory { object: ObjectRef, offset: u64, bytes: u32 },
    /// How large an object is of which only a term says so.
    Size { object: ObjectRef },
    /// How many objects a chain has.
    Length { object: ObjectRef },
}

impl Machine {
    /// The name of a function.
    pub fn function_name(&self, function: FunctionId) -> &str {
        &self.names[function.index()]
    }

    /// What a symbol in a spot ranges over; `None` if there is no such spot. This is the one place
    /// that says which sort a variable of the program has.
    pub fn sort_of_cell(&self, state: &MachineState, spot: StateCell) -> Option<Sort> {
        match spot {
            StateCell::Variable { call, variable } => {
                let frame = state.frames.iter().rev().nth(call)?;
                let types = &self.functions[frame.function.index()].types;
                Some(self.sort_of_type(*types.get(variable.index())?))
            }
            StateCell::Memory { object, offset, bytes } => {
                let object = state.memory.object(object)?;
                let end = offset.checked_add(bytes.into())?;
                let fits = (1..=LIMITS.spot_bytes).contains(&bytes) && end <= object.size();
                let is_one = object.chain.is_none();
                (fits && !object.constant && is_one)
                    .then(|| self.sort_of_type(Type::Int(bytes * 8)))
            }
            StateCell::Size { object } => {
                let extent = state.memory.object(object)?.extent;
                extent.map(|_| Sort::BitVec(self.pointer_bits))
            }
            StateCell::Length { object } => state.memory.object(object)?.chain.map(|_| Sort::Int),
        }
    }

    pub(crate) fn sort_of_type(&self, ty: Type) -> Sort {
        match ty {
            Type::Int(INT..) if self.overflow == OverflowSemantics::Unbounded => Sort::Int,
            ty => Sort::BitVec(ty.size_in_bits(self.pointer_bits)),
        }
    }

    /// Bits of a spot that exists.
    fn bits_of_cell(&self, state: &MachineState, spot: StateCell) -> Option<u32> {
        Some(match spot {
            StateCell::Variable { call, variable } => {
                let frame = state.frames.iter().rev().nth(call)?;
                let types = &self.functions[frame.function.index()].types;
                types.get(variable.index())?.size_in_bits(self.pointer_bits)
            }
            StateCell::Memory { bytes, .. } => bytes * 8,
            StateCell::Size { .. } | StateCell::Length { .. } => self.pointer_bits,
        })
    }

    /// The value in a spot; `None` if there is no such spot, or nothing whole in it.
    fn value_in(
        &self,
        terms: &mut TermStore,
        state: &MachineState,
        spot: StateCell,
    ) -> Option<MachineValue> {
        Some(match spot {
            StateCell::Variable { call, variable } => {
                state.frames.iter().rev().nth(call)?.registers[variable.index()]
            }
            StateCell::Memory { object, offset, .. } => {
                self.sort_of_cell(state, spot)?;
                let mut memory = state.memory.clone();
                let ty = Type::Int(self.bits_of_cell(state, spot)?);
                match memory.load_value(terms, object, offset as usize, ty, Span::NONE) {
                    LoadOutcome::Value(value) if memory.layout == state.memory.layout => value,
                    _ => return None,
                }
            }
            StateCell::Size { object } => {
                MachineValue::symbolic(state.memory.object(object)?.extent?, Provenance::None)
            }
            StateCell::Length { object } => {
                MachineValue::symbolic(state.memory.object(object)?.chain?.length, Provenance::None)
            }
        })
    }

    /// Where the object of an address begins that is in a spot, and which one it is.
    fn address_in(
        &self,
        terms: &mut TermStore,
        state: &MachineState,
        spot: StateCell,
    ) -> Option<(u64, ObjectRef)> {
        let object = self.value_in(terms, state, spot)?.object()?;
        Some((state.memory.object(object)?.base, object))
    }

    /// Whether an address is in a spot: then its number is how far it is into its object.
    pub fn is_address(&self, terms: &mut TermStore, state: &MachineState, spot: StateCell) -> bool {
        self.address_in(terms, state, spot).is_some()
    }

    /// The number in a spot; `None` if there is no such spot, or no number in it.
    pub fn number_in(
        &self,
        terms: &mut TermStore,
        state: &MachineState,
        spot: StateCell,
    ) -> Option<Term> {
        let sort = self.sort_of_cell(state, spot)?;
        let width = self.bits_of_cell(state, spot)?;
        let value = self.value_in(terms, state, spot)?;
        if value.is_unwritten() {
            return None;
        }
        if let Provenance::Object(object) = value.provenance() {
            let base = state.memory.object(object)?.base;
            let address = crate::memory::value_to_term(terms, value, width);
            return (terms.sort(address) == sort).then(|| offset_in_object(terms, address, base));
        }
        if value.provenance() != Provenance::None {
            return None;
        }
        let term = match (value.bits(), sort) {
            (Some(bits), Sort::Int) => terms.int(plain::signed_value(width, bits)),
            _ => crate::memory::value_to_term(terms, value, width),
        };
        (terms.sort(term) == sort).then_some(term)
    }

    /// The objects of which not all is known, apart from those without a known size.
    pub fn havocked_objects<'a>(
        &self,
        state: &'a MachineState,
    ) -> impl Iterator<Item = ObjectRef> + use<'a> {
        let objects = state.memory.objects();
        let open = |o: &MemoryObject| o.vague && o.extent.is_none() && o.chain.is_none();
        objects.filter(move |(_, o)| open(o)).map(|(object, _)| object)
    }

    /// Forgets what is in an object; false if there is no such object.
    pub fn havoc_object(&self, state: &mut MachineState, object: ObjectRef) -> bool {
        match state.memory.object_mut(object) {
            Some(object) if object.extent.is_none() && !object.constant => {
                object.havoc_contents();
                true
            }
            _ => false,
        }
    }

    /// Puts a number of the right sort into a spot; false if there is no such spot.
    pub fn put_number(
        &self,
        terms: &mut TermStore,
        state: &mut MachineState,
        spot: StateCell,
        number: Term,
    ) -> bool {
        if self.sort_of_cell(state, spot) != Some(terms.sort(number)) {
            return false;
        }
        let value = match self.address_in(terms, state, spot) {
            Some((base, object)) => {
                let Sort::BitVec(width) = terms.sort(number) else { return false };
                let base = terms.bv(width, base.into());
                let address = terms.bv_add(base, number);
                crate::memory::value_from_term(terms, address, Provenance::Object(object))
            }
            None => MachineValue::from_term(terms, number),
        };
        match spot {
            StateCell::Variable { call, variable } => {
                let index = state.frames.len() - 1 - call;
                Rc::make_mut(&mut state.frames[index]).registers[variable.index()] = value;
            }
            StateCell::Memory { object, offset, bytes } => {
                let (at, bits) = (offset as usize, bytes * 8);
                return state
                    .memory
                    .store_value(terms, object, at, bits, value, Span::NONE)
                    .is_ok();
            }
            StateCell::Size { object } => match state.memory.object_mut(object) {
                Some(object) => object.extent = Some(number),
                None => return false,
            },
            StateCell::Length { object } => {
                let object = state.memory.object_mut(object);
                match object.and_then(|object| object.chain.as_mut()) {
                    Some(chain) => chain.length = number,
                    None => return false,
                }
            }
        }
        true
    }
}
