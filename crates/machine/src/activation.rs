//! Activations: calls by which functions call themselves, and what can be said when such a call is not
//! followed.
//!
//! A run that never ends either has calls in it that never return, one inside the other without end,
//! or it goes on in one call forever, and each call that it makes there returns. So a proof that all
//! runs end can look at one activation at a time: a call leads to the start of another activation, or
//! it returns, and then it may have returned anything and left anything in the memory that it can reach.
//!
//! If it is wanted, a call that comes from outside of a recursion without loops begins no activation, it is
//! followed like any other. Among calls in progress there are only finitely many of these between two that do,
//! so nothing is lost, and what the first call of such a recursion does is known exactly. With loops, each
//! would have to be looked at twice.
//!
//! What a call can reach is what can be found from its arguments and from static objects, by addresses that the
//! state has. That is enough although vague memory may hide others: who follows a call refuses every access
//! through an address that was hidden, so a call that was not refused has made none.
//!
//! It may also have freed what it can reach. Such an object is kept, since who uses it afterwards ends the run,
//! but nobody may conclude from its being there that no other object has its address (`Object::doubtful`).

use std::rc::Rc;

use ouro_model::ids::TypedId;
use ouro_model::{FunctionId, Type};
use ouro_term::{Sort, Term, TermStore};

use crate::call::operand_value;
use crate::code::{CompiledInstruction, OperandRegister};
use crate::{
    CallFrame, Machine, MachineState, MachineValue, ObjectRef, Provenance, RunEnvironment,
    StorageClass, plain,
};

impl Machine {
    /// Whether there are recursions of which the first calls can be followed.
    pub fn has_first_calls(&self) -> bool {
        !self.straight.is_empty()
    }

    /// Says whether the first calls of recursions without loops are followed; at first they are not.
    pub fn follow_first_calls(&mut self, follow: bool) {
        self.follows = follow;
    }

    /// Whether a state that is at a mark has just begun a call of a function that may call itself, be it an
    /// activation or not.
    pub fn begins_call(&self, state: &MachineState) -> bool {
        let (function, pc) = state.position();
        let begins = pc == 1
            && matches!(self.functions[function.index()].code[0], CompiledInstruction::Mark);
        begins && self.recursive[function].is_some()
    }

    /// Whether a function may call itself.
    pub fn may_call_itself(&self, function: FunctionId) -> bool {
        self.recursive[function].is_some()
    }

    /// Whether a state that is at a mark has just begun an activation.
    pub fn has_begun_activation(&self, state: &MachineState) -> bool {
        self.begins_call(state) && self.began_activation(state, 0)
    }

    /// How many of the innermost calls are one activation: up to the innermost one that began one, or all.
    pub fn activation_depth(&self, state: &MachineState) -> usize {
        let depth = state.frames.len();
        let begins = |above: &usize| self.began_activation(state, *above);
        (0..depth).find(begins).map_or(depth, |above| above + 1)
    }

    /// Whether a call began an activation; call 0 is the innermost.
    fn began_activation(&self, state: &MachineState, above: usize) -> bool {
        let mut calls = state.frames.iter().rev().skip(above);
        let Some(cycle) = calls.next().and_then(|frame| self.recursive[frame.function]) else {
            return false;
        };
        let is_inner = |caller: &Rc<CallFrame>| self.recursive[caller.function] == Some(cycle);
        let is_followed = self.follows && self.straight.contains(&cycle);
        !is_followed || calls.next().is_some_and(is_inner)
    }

    /// Ends the innermost call, which has just begun, as if it had returned: with any result, and with
    /// anything in the memory that it can reach and may write. `None` if nobody knows what it returned.
    pub fn havoc_call<E: RunEnvironment>(
        &self,
        state: &mut MachineState,
        terms: &mut TermStore,
        environment: &mut E,
    ) -> Option<ReturnedCall> {
        if state.frames.len() < 2 {
            return None;
        }
        let arguments = self.call_arguments(terms, state);
        let reached = self.objects_within_reach(state);
        let frame = state.frames.pop().expect("there are two");
        for object in &frame.objects {
            state.memory.release_object(*object);
        }
        state.memory.stack = frame.stack;
        let written: Vec<ObjectRef> = match self.writes.get(&frame.function) {
            Some(Some(objects)) => objects.clone(),
            _ => reached.clone(),
        };
        if self.frees.contains(&frame.function) {
            for object in &reached {
                if let Some(object) = state.memory.object_mut(*object) {
                    object.doubtful |= object.storage == StorageClass::Heap;
                }
            }
        }
        for object in written {
            if let Some(object) = state.memory.object_mut(object)
                && !object.constant
                && object.extent.is_none()
            {
                object.havoc_contents();
            }
        }
        let caller = Rc::make_mut(state.frames.last_mut().expect("there is one"));
        let code = &self.functions[caller.function.index()];
        let call = &code.code[caller.pc as usize - 1];
        let (CompiledInstruction::Call(call) | CompiledInstruction::CallPointer { call, .. }) =
            call
        else {
            return None;
        };
        let mut results = Vec::new();
        for dst in &call.dsts {
            let ty = code.types[*dst as usize];
            let value =
                environment.provide_unknown(terms, self.sort_of_type(ty), "what a call returns")?;
            let value = match (ty, value.term()) {
                (Type::Ptr, Some(term)) => MachineValue::symbolic(term, Provenance::Environment),
                (Type::Ptr, None) => {
                    MachineValue::with_provenance(value.bits, Provenance::Environment)
                }
                _ => value,
            };
            caller.registers[*dst as usize] = value;
            results.push(self.value_as_number(terms, ty, value));
        }
        Some(ReturnedCall { function: frame.function, arguments, results })
    }

    /// The numbers that the innermost call, which has just begun, was given.
    pub fn call_arguments(&self, terms: &mut TermStore, state: &MachineState) -> Vec<Option<Term>> {
        let frame = state.frames.last().expect("a call is in progress");
        let code = &self.functions[frame.function.index()];
        (code.params.iter())
            .map(|register| {
                let register = *register as usize;
                self.value_as_number(terms, code.types[register], frame.registers[register])
            })
            .collect()
    }

    /// What the numbers range over that a function is given, and that it returns; `None` for what is
    /// no number.
    pub fn number_sorts_of_call(
        &self,
        function: FunctionId,
    ) -> (Vec<Option<Sort>>, Vec<Option<Sort>>) {
        let code = &self.functions[function.index()];
        let sort = |ty: Type| matches!(ty, Type::Int(_)).then(|| self.sort_of_type(ty));
        let params = code.params.iter().map(|register| sort(code.types[*register as usize]));
        (params.collect(), code.returns.iter().copied().map(sort).collect())
    }

    /// The functions that may call themselves.
    pub fn recursive_functions(&self) -> impl Iterator<Item = FunctionId> {
        self.recursive.enumerate().filter(|(_, cycle)| cycle.is_some()).map(|(id, _)| id)
    }

    /// The number that a value is, as a term; `None` if it is none.
    pub fn value_as_number(
        &self,
        terms: &mut TermStore,
        ty: Type,
        value: MachineValue,
    ) -> Option<Term> {
        let Type::Int(width) = ty else { return None };
        if value.is_unwritten() || value.provenance() != Provenance::None {
            return None;
        }
        let sort = self.sort_of_type(ty);
        let term = match (value.bits(), sort) {
            (Some(bits), Sort::Int) => terms.int(plain::signed_value(width, bits)),
            _ => crate::memory::value_to_term(terms, value, width),
        };
        (terms.sort(term) == sort).then_some(term)
    }

    /// The numbers that a call returns, by its registers.
    pub(crate) fn call_results(
        &self,
        terms: &mut TermStore,
        frame: &CallFrame,
        results: &[OperandRegister],
    ) -> Vec<Option<Term>> {
        let code = &self.functions[frame.function.index()];
        (code.returns.iter().zip(results))
            .map(|(ty, result)| {
                self.value_as_number(terms, *ty, operand_value(&frame.registers, code, *result))
            })
            .collect()
    }
}

/// A call that has returned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReturnedCall {
    /// The function.
    pub function: FunctionId,
    /// What it was given; `None` for what is no number.
    pub arguments: Vec<Option<Term>>,
    /// What it returned, as far as the caller takes it; `None` for what is no number.
    pub results: Vec<Option<Term>>,
}
