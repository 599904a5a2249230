//! Activations: calls of functions that may call themselves, and what can be said when such a call is
//! not followed.
//!
//! A run that never ends either has calls in it that never return, one inside the other without end,
//! or it goes on in one call forever, and each call that it makes there returns. So a proof that all
//! runs end can look at one activation at a time: a call leads to the start of another activation, or
//! it returns, and then it may have returned anything and left anything in memory.

use ouro_model::Type;
use ouro_model::ids::Id;
use ouro_term::{Sort, Terms};

use crate::code::Code;
use crate::integer::INT;
use crate::{Environment, Machine, ObjectRef, Overflow, Provenance, State, Value};
use std::rc::Rc;

impl Machine {
    /// Whether a state that is at a mark has just begun a call of a function that may call itself.
    pub fn is_activated(&self, state: &State) -> bool {
        let (function, pc) = state.position();
        let begins = pc == 1 && matches!(self.functions[function.index()].code[0], Code::Mark);
        begins && self.recursive[function]
    }

    /// How many of the innermost calls are one activation: up to the innermost one of a function that
    /// may call itself, or all.
    pub fn activation(&self, state: &State) -> usize {
        let mut calls = state.frames.iter().rev();
        let recursive = calls.position(|frame| self.recursive[frame.function]);
        recursive.map_or(state.frames.len(), |above| above + 1)
    }

    /// Ends the innermost call, which has just begun, as if it had returned: with any result, and with
    /// anything in memory. False if nobody knows what it returned.
    pub fn return_anything<E: Environment>(
        &self,
        state: &mut State,
        terms: &mut Terms,
        environment: &mut E,
    ) -> bool {
        if state.frames.len() < 2 {
            return false;
        }
        let frame = state.frames.pop().expect("there are two");
        for object in &frame.objects {
            state.memory.release(*object);
        }
        state.memory.stack = frame.stack;
        let written: Vec<ObjectRef> = (state.memory.objects())
            .filter(|(_, object)| !object.constant && object.extent.is_none())
            .map(|(object, _)| object)
            .collect();
        for object in written {
            if let Some(object) = state.memory.object_mut(object) {
                object.blur();
            }
        }
        let caller = Rc::make_mut(state.frames.last_mut().expect("there is one"));
        let code = &self.functions[caller.function.index()];
        let call = &code.code[caller.pc as usize - 1];
        let (Code::Call(call) | Code::CallPointer { call, .. }) = call else { return false };
        for dst in &call.dsts {
            let ty = code.types[*dst as usize];
            let sort = match ty {
                Type::Int(INT..) if self.overflow == Overflow::Unbounded => Sort::Int,
                ty => Sort::BitVec(ty.bits(self.pointer_bits)),
            };
            let Some(value) = environment.unknown(terms, sort, "what a call returns") else {
                return false;
            };
            caller.registers[*dst as usize] = match (ty, value.term()) {
                (Type::Ptr, Some(term)) => Value::symbolic(term, Provenance::Environment),
                (Type::Ptr, None) => Value::with_provenance(value.bits, Provenance::Environment),
                _ => value,
            };
        }
        true
    }
}
