//! The run: instruction after instruction, until something must be decided from outside.
//!
//! The loop does at once what is quick: control, and arithmetic and memory accesses on plain
//! numbers. For all else it asks [`InstructionStep::perform_instruction`], which knows what every instruction means.

use std::rc::Rc;

use ouro_model::FunctionId;
use ouro_model::ids::TypedId;
use ouro_term::TermStore;

use crate::access::InstructionObstacle;
use crate::code::{CompiledCall, CompiledInstruction, OperandRegister};
use crate::fork::{fork_branch, fork_switch};
use crate::step::InstructionStep;
use crate::stop::{ForkAlternative, MachineStop, RunEnd, RunPosition};
use crate::{
    CallFrame, Machine, MachineState, MachineValue, NeededValue, ObjectRef, OverflowSemantics,
    RunEnvironment, plain,
};

/// How an instruction leaves the loop.
enum DispatchExit<'a> {
    /// It is done: a call begins.
    Enter(&'a CompiledCall, FunctionId),
    /// It is done: the call ends.
    Return(&'a [OperandRegister]),
    /// It is done: a mark, and somebody wants to know.
    Mark,
    /// It is not done: control depends on a symbolic value.
    Fork(Vec<ForkAlternative>),
    /// It is not done: it needs the value of a term.
    Need(NeededValue),
    /// It is not done: it needs the first object of a chain.
    Unfold(ObjectRef),
    /// It is not done, and will not be.
    End(RunEnd),
    /// It is not begun: the number of steps is reached.
    Steps,
}

impl From<InstructionObstacle> for DispatchExit<'_> {
    fn from(trouble: InstructionObstacle) -> Self {
        match trouble {
            InstructionObstacle::End(end) => DispatchExit::End(end),
            InstructionObstacle::Need(need) => DispatchExit::Need(need),
            InstructionObstacle::Unfold(object) => DispatchExit::Unfold(object),
        }
    }
}

impl Machine {
    /// Runs until something stops it, at the latest when `until` steps have been done in all.
    pub fn run_until<E: RunEnvironment>(
        &self,
        state: &mut MachineState,
        terms: &mut TermStore,
        environment: &mut E,
        until: u64,
    ) -> MachineStop {
        let mut spare = Vec::new();
        loop {
            if state.steps >= until {
                return MachineStop::Steps;
            }
            if let Some(stop) = self.run_frame(state, terms, environment, until, &mut spare) {
                return stop;
            }
        }
    }

    /// Runs the innermost call until it calls, returns, reaches a mark or stops.
    fn run_frame<E: RunEnvironment>(
        &self,
        state: &mut MachineState,
        terms: &mut TermStore,
        environment: &mut E,
        until: u64,
        spare: &mut Vec<Rc<CallFrame>>,
    ) -> Option<MachineStop> {
        let MachineState { frames, memory, steps, .. } = state;
        let frame = Rc::make_mut(frames.last_mut().expect("a running state has a frame"));
        let id = frame.function;
        let function = &self.functions[id.index()];
        let code = &function.code[..];
        let mut pc = frame.pc as usize;
        // Steps that may still be done. Counted down, so that one test sees the end.
        let mut left = until - *steps;

        // What an operand holds, even if that is nothing yet.
        macro_rules! peek {
            ($register:expr) => {{
                let register = *$register;
                if register >= 0 {
                    frame.registers[register.cast_unsigned() as usize]
                } else {
                    function.constants[(!register).cast_unsigned() as usize]
                }
            }};
        }
        // Fills a register if there is a value; says whether there is.
        macro_rules! fill {
            ($dst:expr, $value:expr) => {
                match $value {
                    Some(value) => {
                        frame.registers[*$dst as usize] = value;
                        true
                    }
                    None => false,
                }
            };
        }
        macro_rules! step {
            () => {
                InstructionStep {
                    machine: self,
                    function,
                    frame: &mut *frame,
                    memory: &mut *memory,
                    terms: &mut *terms,
                    environment: &mut *environment,
                    span: function.places[pc].0,
                }
            };
        }

        let flow = 'run: loop {
            macro_rules! attempt {
                ($result:expr) => {
                    match $result {
                        Ok(value) => value,
                        Err(trouble) => break 'run DispatchExit::from(trouble),
                    }
                };
            }
            if left == 0 {
                break DispatchExit::Steps;
            }
            left -= 1;
            let instruction = &code[pc];
            let done = match instruction {
                CompiledInstruction::Move { dst, value } => {
                    let value = peek!(value);
                    fill!(dst, (!value.is_unwritten()).then_some(value))
                }
                CompiledInstruction::Binary { dst, op, left, right, width } => {
                    let (a, b) = (peek!(left), peek!(right));
                    fill!(
                        dst,
                        combine_plain(a, b, |a, b| plain::plain_binary(
                            self.overflow,
                            *op,
                            *width,
                            a,
                            b
                        ))
                    )
                }
                CompiledInstruction::Compare { dst, op, left, right, width } => {
                    let (a, b) = (peek!(left), peek!(right));
                    let truth = plain::plain_compare_values(*op, *width, a, b, memory.strayed);
                    fill!(dst, truth.map(|truth| MachineValue::plain(u64::from(truth))))
                }
                CompiledInstruction::CompareBranch {
                    dst,
                    op,
                    left: a,
                    right: b,
                    width,
                    then,
                    otherwise,
                } => {
                    let (a, b) = (peek!(a), peek!(b));
                    let truth = plain::plain_compare_values(*op, *width, a, b, memory.strayed);
                    if let Some(truth) = truth
                        && left > 0
                    {
                        // The branch is the instruction after this one: two steps at once.
                        left -= 1;
                        frame.registers[*dst as usize] = MachineValue::plain(u64::from(truth));
                        pc = if truth { *then } else { *otherwise } as usize;
                        continue;
                    }
                    fill!(dst, truth.map(|truth| MachineValue::plain(u64::from(truth))))
                }
                CompiledInstruction::Load { dst, address, bytes, .. } => {
                    fill!(dst, memory.load_quickly(peek!(address), *bytes as usize))
                }
                CompiledInstruction::Store { address, value, bytes, .. } => {
                    let value = peek!(value);
                    !value.is_unwritten()
                        && memory.store_quickly(peek!(address), *bytes as usize, value)
                }
                CompiledInstruction::Offset { dst, base, index, scale, index_width } => {
                    let (base, index) = (peek!(base), peek!(index));
                    let quick = index.is_plain() && base.is_address();
                    fill!(
                        dst,
                        quick.then(|| self.moved_address(base, index.bits, *scale, *index_width))
                    )
                }
                CompiledInstruction::Cast { dst, op, value, from, to }
                    if self.overflow != OverflowSemantics::Unbounded
                        && !self.cast_may_exceed(*op) =>
                {
                    let value = peek!(value);
                    fill!(
                        dst,
                        combine_plain(value, value, |bits, _| plain::plain_cast(
                            *op, *from, *to, bits
                        ))
                    )
                }
                CompiledInstruction::Float { dst, op, left, right, width }
                    if self.pointer_bits != 32 =>
                {
                    let (a, b) = (peek!(left), peek!(right));
                    fill!(dst, combine_plain(a, b, |a, b| plain::plain_float(*op, *width, a, b)))
                }
                CompiledInstruction::Jump(target) => {
                    pc = *target as usize;
                    continue;
                }
                CompiledInstruction::JumpPastMark(target) => {
                    // The mark is an instruction too: two steps at once.
                    pc = *target as usize + usize::from(left > 0);
                    left = left.saturating_sub(1);
                    continue;
                }
                CompiledInstruction::Branch { condition, then, otherwise } => {
                    let value = attempt!(step!().read_operand(*condition));
                    match value.bits() {
                        Some(bits) => {
                            pc = if bits & 1 == 1 { *then } else { *otherwise } as usize;
                            continue;
                        }
                        None => {
                            break DispatchExit::Fork(fork_branch(terms, value, *then, *otherwise));
                        }
                    }
                }
                CompiledInstruction::Switch(switch) => {
                    let value = attempt!(step!().read_operand(switch.value));
                    match value.bits() {
                        Some(bits) => {
                            if !value.is_plain() {
                                step!().note_address_switch(switch, value);
                            }
                            let cases = &switch.cases;
                            let found = cases.binary_search_by_key(&u128::from(bits), |c| c.0);
                            pc = found.map_or(switch.default, |i| cases[i].1) as usize;
                            continue;
                        }
                        None => {
                            let conditions = attempt!(step!().switch_conditions(switch, value));
                            break DispatchExit::Fork(fork_switch(terms, switch, &conditions));
                        }
                    }
                }
                CompiledInstruction::GotoAddress { address } => {
                    let block = attempt!(step!().resolve_label(id, *address));
                    pc = function.blocks[block.index()] as usize;
                    continue;
                }
                CompiledInstruction::Call(call) => {
                    attempt!(step!().ensure_operands_written(call.args.iter().map(|arg| arg.0)));
                    break DispatchExit::Enter(call, call.function);
                }
                CompiledInstruction::CallPointer { pointer, call } => {
                    attempt!(step!().ensure_operands_written(call.args.iter().map(|arg| arg.0)));
                    let target = attempt!(step!().read_operand(*pointer));
                    let span = function.places[pc].0;
                    let callee =
                        attempt!(self.resolve_callee(memory, terms, target, *pointer, span));
                    attempt!(self.check_call_signature(id, call, callee));
                    break DispatchExit::Enter(call, callee);
                }
                CompiledInstruction::Return(values) => {
                    attempt!(step!().ensure_operands_written(values.iter().copied()));
                    break DispatchExit::Return(values);
                }
                CompiledInstruction::Mark if self.marks => break DispatchExit::Mark,
                _ => false,
            };
            if !done {
                attempt!(step!().perform_instruction(instruction));
            }
            pc += 1;
        };

        let at = RunPosition { function: id, span: function.places[pc].0 };
        frame.pc = pc as u32;
        *steps = until - left;
        let stop = match flow {
            DispatchExit::Enter(call, callee) => {
                frame.pc += 1;
                self.enter_call(state, call, callee, spare);
                return None;
            }
            DispatchExit::Return(results) => {
                let awaited = environment.awaits_return(state.frames.len() - 1);
                if awaited {
                    let frame = state.frames.last().expect("it is about to return");
                    environment.receive_results(self.call_results(terms, frame, results));
                }
                return self
                    .leave_call(state, results, spare)
                    .or(awaited.then_some(MachineStop::Mark));
            }
            DispatchExit::Mark => {
                frame.pc += 1;
                return environment.reach_mark(state).then_some(MachineStop::Mark);
            }
            DispatchExit::Steps => return Some(MachineStop::Steps),
            DispatchExit::Fork(alternatives) => MachineStop::Fork(alternatives, at),
            DispatchExit::Need(mut need) => {
                if function.specification
                    && let Some(allowed) = need.allowed.take()
                {
                    let why = RunEnd::undefined_in_specification("an access outside of its object");
                    environment.restrict_coverage_at(allowed, &why, at.span);
                }
                MachineStop::Concretise(need, at)
            }
            DispatchExit::Unfold(object) => {
                match self.segment_unfoldings(memory, terms, object, pc as u32) {
                    Some(alternatives) => MachineStop::Fork(alternatives, at),
                    None => {
                        MachineStop::End(RunEnd::Limit("too many objects of a list".to_owned()), at)
                    }
                }
            }
            DispatchExit::End(end) if function.specification => {
                MachineStop::End(end.in_specification(), at)
            }
            DispatchExit::End(end) => MachineStop::End(end, at),
        };
        *steps -= 1;
        Some(stop)
    }

    /// `base + index * scale`, where neither is symbolic.
    #[inline]
    pub(crate) fn moved_address(
        &self,
        base: MachineValue,
        index: u64,
        scale: i64,
        index_width: u32,
    ) -> MachineValue {
        let bytes = plain::signed_value(index_width, index).wrapping_mul(scale);
        let sum = base.bits.wrapping_add_signed(bytes);
        MachineValue { bits: sum & plain::width_mask(self.pointer_bits), tag: base.tag }
    }
}

/// The result of an operation if both operands are plain and it has one.
#[inline]
fn combine_plain(
    a: MachineValue,
    b: MachineValue,
    operation: impl Fn(u64, u64) -> Option<u64>,
) -> Option<MachineValue> {
    if (a.tag | b.tag) == 0 { operation(a.bits, b.bits).map(MachineValue::plain) } else { None }
}
