//! Calls: from the address to the function, a frame for it, and the way back.

use std::rc::Rc;

use ouro_model::ids::TypedId;
use ouro_model::{FunctionId, Span};
use ouro_term::TermStore;

use crate::access::{InstructionObstacle, fail_at_limit, fail_undefined, request_value};
use crate::code::{CompiledCall, CompiledFunction, CompiledInstruction, OperandRegister};
use crate::integer::is_integer;
use crate::object::StorageClass;
use crate::stop::{MachineStop, RunEnd, RunPosition};
use crate::{CallFrame, Machine, MachineMemory, MachineState, MachineValue, Provenance};

/// What an operand holds.
pub(crate) fn operand_value(
    registers: &[MachineValue],
    code: &CompiledFunction,
    operand: OperandRegister,
) -> MachineValue {
    match usize::try_from(operand) {
        Ok(register) => registers[register],
        Err(_) => code.constants[(!operand).cast_unsigned() as usize],
    }
}

impl Machine {
    /// The function that an address belongs to.
    pub(crate) fn resolve_callee(
        &self,
        memory: &mut MachineMemory,
        terms: &mut TermStore,
        target: MachineValue,
        register: i32,
        span: Span,
    ) -> Result<FunctionId, InstructionObstacle> {
        match (target.provenance(), target.bits()) {
            (Provenance::Object(reference), bits) => match memory.object(reference) {
                Some(object) => match (object.storage, bits) {
                    (StorageClass::Code(function), Some(bits)) if bits == object.base => {
                        Ok(function)
                    }
                    (StorageClass::Code(_), None) => {
                        let term = target.term().expect("not concrete");
                        let base = match is_integer(terms, target) {
                            true => terms.int(object.base),
                            false => terms.bv(self.pointer_bits, object.base.into()),
                        };
                        let allowed = terms.eq(term, base);
                        request_value(
                            target,
                            register,
                            Some((allowed, "a call of something that is no function")),
                        )
                    }
                    _ => fail_undefined(format!("call of {}, which is no function", object.name)),
                },
                None => fail_undefined("call of an object whose life ended"),
            },
            (Provenance::Uninitialised, _) => {
                fail_undefined("call through an uninitialised pointer")
            }
            (_, Some(bits)) if bits < 0x1000 => fail_undefined("call through a null pointer"),
            (Provenance::None, Some(bits)) => match memory.find_object_at(bits) {
                // An address that was put together from numbers.
                Some(object) => {
                    memory.observe_layout(span);
                    self.resolve_callee(
                        memory,
                        terms,
                        MachineValue::address(bits, object),
                        register,
                        span,
                    )
                }
                None => fail_at_limit(format!("a call of the fixed address {bits:#x}")),
            },
            _ => fail_at_limit("a call of a function that the environment chose"),
        }
    }

    /// Whether a call through a pointer has the arguments and results that the function wants.
    pub(crate) fn check_call_signature(
        &self,
        caller: FunctionId,
        call: &CompiledCall,
        callee: FunctionId,
    ) -> Result<(), InstructionObstacle> {
        let (code, target) = (&self.functions[caller.index()], &self.functions[callee.index()]);
        let name = || &self.names[callee.index()];
        if call.args.len() < target.params.len() {
            return fail_at_limit(format!("a call of {} with another number of arguments", name()));
        }
        let mut params = target.params.iter().zip(&call.args);
        if !params.all(|(param, (_, ty))| target.types[*param as usize] == *ty) {
            return fail_at_limit(format!("a call of {} with other argument types", name()));
        }
        let results = call.dsts.len() == target.returns.len()
            && call
                .dsts
                .iter()
                .zip(&target.returns)
                .all(|(dst, ty)| code.types[*dst as usize] == *ty);
        if !call.dsts.is_empty() && !results {
            return fail_at_limit(format!("a call of {} with another type of result", name()));
        }
        Ok(())
    }

    /// Begins a call that fits; the arguments have been written. `spare` are frames to use again.
    pub(crate) fn enter_call(
        &self,
        state: &mut MachineState,
        call: &CompiledCall,
        callee: FunctionId,
        spare: &mut Vec<Rc<CallFrame>>,
    ) {
        let caller = state.frames.last().expect("a running state has a frame");
        let code = &self.functions[caller.function.index()];
        let target = &self.functions[callee.index()];
        let mut shared = spare.pop().unwrap_or_else(|| Rc::new(CallFrame::new(callee)));
        let frame = Rc::get_mut(&mut shared).expect("spare frames are nobody else's");
        frame.function = callee;
        frame.pc = 0;
        frame.registers.clear();
        frame.registers.extend_from_slice(&target.registers);
        frame.objects.clear();
        frame.stack = state.memory.stack;
        frame.begun = state.steps;
        frame.extra.clear();
        for (param, (register, _)) in target.params.iter().zip(&call.args) {
            frame.registers[*param as usize] = operand_value(&caller.registers, code, *register);
        }
        for (register, ty) in &call.args[target.params.len()..] {
            frame.extra.push((operand_value(&caller.registers, code, *register), *ty));
        }
        state.frames.push(shared);
    }

    /// Ends the innermost call; the results have been written.
    pub(crate) fn leave_call(
        &self,
        state: &mut MachineState,
        results: &[OperandRegister],
        spare: &mut Vec<Rc<CallFrame>>,
    ) -> Option<MachineStop> {
        let mut frame = state.frames.pop().expect("a returning state has a frame");
        for object in &frame.objects {
            state.memory.release_object(*object);
        }
        state.memory.stack = frame.stack;
        state.low = state.low.min(state.frames.len());
        let Some(caller) = state.frames.last_mut() else {
            let at = RunPosition { function: frame.function, span: Span::NONE };
            state.frames.push(frame);
            return Some(MachineStop::End(RunEnd::Exit(Some(0)), at));
        };
        let caller = Rc::make_mut(caller);
        let call = &self.functions[caller.function.index()].code[caller.pc as usize - 1];
        let code = &self.functions[frame.function.index()];
        if let CompiledInstruction::Call(call) | CompiledInstruction::CallPointer { call, .. } =
            call
        {
            for (dst, result) in call.dsts.iter().zip(results) {
                caller.registers[*dst as usize] = operand_value(&frame.registers, code, *result);
            }
        }
        if Rc::get_mut(&mut frame).is_some() {
            spare.push(frame);
        }
        None
    }
}
