//! Calls: from the address to the function, a frame for it, and the way back.

use std::rc::Rc;

use ouro_model::ids::Id;
use ouro_model::{FunctionId, Span};
use ouro_term::Terms;

use crate::access::{Trouble, limit, need, undefined};
use crate::code::{Call, Code, CompiledFunction, Reg};
use crate::integer::is_integer;
use crate::object::Storage;
use crate::stop::{At, End, Stop};
use crate::{Frame, Machine, Memory, Provenance, State, Value};

/// What an operand holds.
pub(crate) fn operand(registers: &[Value], code: &CompiledFunction, operand: Reg) -> Value {
    match usize::try_from(operand) {
        Ok(register) => registers[register],
        Err(_) => code.constants[(!operand).cast_unsigned() as usize],
    }
}

impl Machine {
    /// The function that an address belongs to.
    pub(crate) fn callee(
        &self,
        memory: &mut Memory,
        terms: &mut Terms,
        target: Value,
        register: i32,
        span: Span,
    ) -> Result<FunctionId, Trouble> {
        match (target.provenance(), target.bits()) {
            (Provenance::Object(reference), bits) => match memory.object(reference) {
                Some(object) => match (object.storage, bits) {
                    (Storage::Code(function), Some(bits)) if bits == object.base => Ok(function),
                    (Storage::Code(_), None) => {
                        let term = target.term().expect("not concrete");
                        let base = match is_integer(terms, target) {
                            true => terms.int(object.base),
                            false => terms.bv(self.pointer_bits, object.base.into()),
                        };
                        let allowed = terms.eq(term, base);
                        need(
                            target,
                            register,
                            Some((allowed, "a call of something that is no function")),
                        )
                    }
                    _ => undefined(format!("call of {}, which is no function", object.name)),
                },
                None => undefined("call of an object whose life ended"),
            },
            (Provenance::Uninitialised, _) => undefined("call through an uninitialised pointer"),
            (_, Some(bits)) if bits < 0x1000 => undefined("call through a null pointer"),
            (Provenance::None, Some(bits)) => match memory.find(bits) {
                // An address that was put together from numbers.
                Some(object) => {
                    memory.observe_layout(span);
                    self.callee(memory, terms, Value::address(bits, object), register, span)
                }
                None => limit(format!("a call of the fixed address {bits:#x}")),
            },
            _ => limit("a call of a function that the environment chose"),
        }
    }

    /// Whether a call through a pointer has the arguments and results that the function wants.
    pub(crate) fn fits(
        &self,
        caller: FunctionId,
        call: &Call,
        callee: FunctionId,
    ) -> Result<(), Trouble> {
        let (code, target) = (&self.functions[caller.index()], &self.functions[callee.index()]);
        let name = || &self.names[callee.index()];
        if call.args.len() < target.params.len() {
            return limit(format!("a call of {} with another number of arguments", name()));
        }
        let mut params = target.params.iter().zip(&call.args);
        if !params.all(|(param, (_, ty))| target.types[*param as usize] == *ty) {
            return limit(format!("a call of {} with other argument types", name()));
        }
        let results = call.dsts.len() == target.returns.len()
            && call
                .dsts
                .iter()
                .zip(&target.returns)
                .all(|(dst, ty)| code.types[*dst as usize] == *ty);
        if !call.dsts.is_empty() && !results {
            return limit(format!("a call of {} with another type of result", name()));
        }
        Ok(())
    }

    /// Begins a call that fits; the arguments have been written. `spare` are frames to use again.
    pub(crate) fn enter(
        &self,
        state: &mut State,
        call: &Call,
        callee: FunctionId,
        spare: &mut Vec<Rc<Frame>>,
    ) {
        let caller = state.frames.last().expect("a running state has a frame");
        let code = &self.functions[caller.function.index()];
        let target = &self.functions[callee.index()];
        let mut shared = spare.pop().unwrap_or_else(|| Rc::new(Frame::new(callee)));
        let frame = Rc::get_mut(&mut shared).expect("spare frames are nobody else's");
        frame.function = callee;
        frame.pc = 0;
        frame.registers.clear();
        frame.registers.extend_from_slice(&target.registers);
        frame.objects.clear();
        frame.stack = state.memory.stack;
        frame.extra.clear();
        for (param, (register, _)) in target.params.iter().zip(&call.args) {
            frame.registers[*param as usize] = operand(&caller.registers, code, *register);
        }
        for (register, ty) in &call.args[target.params.len()..] {
            frame.extra.push((operand(&caller.registers, code, *register), *ty));
        }
        state.frames.push(shared);
    }

    /// Ends the innermost call; the results have been written.
    pub(crate) fn leave(
        &self,
        state: &mut State,
        results: &[Reg],
        spare: &mut Vec<Rc<Frame>>,
    ) -> Option<Stop> {
        let mut frame = state.frames.pop().expect("a returning state has a frame");
        for object in &frame.objects {
            state.memory.release(*object);
        }
        state.memory.stack = frame.stack;
        state.low = state.low.min(state.frames.len());
        let Some(caller) = state.frames.last_mut() else {
            let at = At { function: frame.function, span: Span::NONE };
            state.frames.push(frame);
            return Some(Stop::End(End::Exit(Some(0)), at));
        };
        let caller = Rc::make_mut(caller);
        let call = &self.functions[caller.function.index()].code[caller.pc as usize - 1];
        let code = &self.functions[frame.function.index()];
        if let Code::Call(call) | Code::CallPointer { call, .. } = call {
            for (dst, result) in call.dsts.iter().zip(results) {
                caller.registers[*dst as usize] = operand(&frame.registers, code, *result);
            }
        }
        if Rc::get_mut(&mut frame).is_some() {
            spare.push(frame);
        }
        None
    }
}
