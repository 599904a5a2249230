//! The run: instruction after instruction, until something must be decided from outside.
//!
//! The loop does at once what is quick: control, and arithmetic and memory accesses on plain
//! numbers. For all else it asks [`Step::perform`], which knows what every instruction means.

use std::rc::Rc;

use ouro_model::FunctionId;
use ouro_model::ids::Id;
use ouro_term::Terms;

use crate::access::Trouble;
use crate::code::{Call, Code, Reg};
use crate::fork::{fork_branch, fork_switch};
use crate::step::Step;
use crate::stop::{Alternative, At, End, Stop};
use crate::{Environment, Frame, Machine, Need, ObjectRef, Overflow, State, Value, plain};

/// How an instruction leaves the loop.
enum Flow<'a> {
    /// It is done: a call begins.
    Enter(&'a Call, FunctionId),
    /// It is done: the call ends.
    Return(&'a [Reg]),
    /// It is done: a mark, and somebody wants to know.
    Mark,
    /// It is not done: control depends on a symbolic value.
    Fork(Vec<Alternative>),
    /// It is not done: it needs the value of a term.
    Need(Need),
    /// It is not done: it needs the first object of a chain.
    Unfold(ObjectRef),
    /// It is not done, and will not be.
    End(End),
    /// It is not begun: the number of steps is reached.
    Steps,
}

impl From<Trouble> for Flow<'_> {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::End(end) => Flow::End(end),
            Trouble::Need(need) => Flow::Need(need),
            Trouble::Unfold(object) => Flow::Unfold(object),
        }
    }
}

impl Machine {
    /// Runs until something stops it, at the latest when `until` steps have been done in all.
    pub fn run<E: Environment>(
        &self,
        state: &mut State,
        terms: &mut Terms,
        environment: &mut E,
        until: u64,
    ) -> Stop {
        let mut spare = Vec::new();
        loop {
            if state.steps >= until {
                return Stop::Steps;
            }
            if let Some(stop) = self.run_frame(state, terms, environment, until, &mut spare) {
                return stop;
            }
        }
    }

    /// Runs the innermost call until it calls, returns, reaches a mark or stops.
    fn run_frame<E: Environment>(
        &self,
        state: &mut State,
        terms: &mut Terms,
        environment: &mut E,
        until: u64,
        spare: &mut Vec<Rc<Frame>>,
    ) -> Option<Stop> {
        let State { frames, memory, steps, .. } = state;
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
                Step {
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
                        Err(trouble) => break 'run Flow::from(trouble),
                    }
                };
            }
            if left == 0 {
                break Flow::Steps;
            }
            left -= 1;
            let instruction = &code[pc];
            let done = match instruction {
                Code::Move { dst, value } => {
                    let value = peek!(value);
                    fill!(dst, (!value.is_unwritten()).then_some(value))
                }
                Code::Binary { dst, op, left, right, width } => {
                    let (a, b) = (peek!(left), peek!(right));
                    fill!(dst, plain2(a, b, |a, b| plain::binary(self.overflow, *op, *width, a, b)))
                }
                Code::Compare { dst, op, left, right, width } => {
                    let (a, b) = (peek!(left), peek!(right));
                    let truth = plain::compare_values(*op, *width, a, b, memory.strayed);
                    fill!(dst, truth.map(|truth| Value::plain(u64::from(truth))))
                }
                Code::CompareBranch { dst, op, left: a, right: b, width, then, otherwise } => {
                    let (a, b) = (peek!(a), peek!(b));
                    let truth = plain::compare_values(*op, *width, a, b, memory.strayed);
                    if let Some(truth) = truth
                        && left > 0
                    {
                        // The branch is the instruction after this one: two steps at once.
                        left -= 1;
                        frame.registers[*dst as usize] = Value::plain(u64::from(truth));
                        pc = if truth { *then } else { *otherwise } as usize;
                        continue;
                    }
                    fill!(dst, truth.map(|truth| Value::plain(u64::from(truth))))
                }
                Code::Load { dst, address, bytes, .. } => {
                    fill!(dst, memory.load_quickly(peek!(address), *bytes as usize))
                }
                Code::Store { address, value, bytes, .. } => {
                    let value = peek!(value);
                    !value.is_unwritten()
                        && memory.store_quickly(peek!(address), *bytes as usize, value)
                }
                Code::Offset { dst, base, index, scale, index_width } => {
                    let (base, index) = (peek!(base), peek!(index));
                    let quick = index.is_plain() && base.is_address();
                    fill!(dst, quick.then(|| self.moved(base, index.bits, *scale, *index_width)))
                }
                Code::Cast { dst, op, value, from, to }
                    if self.overflow != Overflow::Unbounded && !self.may_exceed(*op) =>
                {
                    let value = peek!(value);
                    fill!(dst, plain2(value, value, |bits, _| plain::cast(*op, *from, *to, bits)))
                }
                Code::Float { dst, op, left, right, width } if self.pointer_bits != 32 => {
                    let (a, b) = (peek!(left), peek!(right));
                    fill!(dst, plain2(a, b, |a, b| plain::float(*op, *width, a, b)))
                }
                Code::Jump(target) => {
                    pc = *target as usize;
                    continue;
                }
                Code::JumpPastMark(target) => {
                    // The mark is an instruction too: two steps at once.
                    pc = *target as usize + usize::from(left > 0);
                    left = left.saturating_sub(1);
                    continue;
                }
                Code::Branch { condition, then, otherwise } => {
                    let value = attempt!(step!().get(*condition));
                    match value.bits() {
                        Some(bits) => {
                            pc = if bits & 1 == 1 { *then } else { *otherwise } as usize;
                            continue;
                        }
                        None => break Flow::Fork(fork_branch(terms, value, *then, *otherwise)),
                    }
                }
                Code::Switch(switch) => {
                    let value = attempt!(step!().get(switch.value));
                    match value.bits() {
                        Some(bits) => {
                            if !value.is_plain() {
                                step!().switches(switch, value);
                            }
                            let cases = &switch.cases;
                            let found = cases.binary_search_by_key(&u128::from(bits), |c| c.0);
                            pc = found.map_or(switch.default, |i| cases[i].1) as usize;
                            continue;
                        }
                        None => {
                            let conditions = attempt!(step!().cases(switch, value));
                            break Flow::Fork(fork_switch(terms, switch, &conditions));
                        }
                    }
                }
                Code::GotoAddress { address } => {
                    let block = attempt!(step!().label(id, *address));
                    pc = function.blocks[block.index()] as usize;
                    continue;
                }
                Code::Call(call) => {
                    attempt!(step!().write_operands(call.args.iter().map(|arg| arg.0)));
                    break Flow::Enter(call, call.function);
                }
                Code::CallPointer { pointer, call } => {
                    attempt!(step!().write_operands(call.args.iter().map(|arg| arg.0)));
                    let target = attempt!(step!().get(*pointer));
                    let span = function.places[pc].0;
                    let callee = attempt!(self.callee(memory, terms, target, *pointer, span));
                    attempt!(self.fits(id, call, callee));
                    break Flow::Enter(call, callee);
                }
                Code::Return(values) => {
                    attempt!(step!().write_operands(values.iter().copied()));
                    break Flow::Return(values);
                }
                Code::Mark if self.marks => break Flow::Mark,
                _ => false,
            };
            if !done {
                attempt!(step!().perform(instruction));
            }
            pc += 1;
        };

        let at = At { function: id, span: function.places[pc].0 };
        frame.pc = pc as u32;
        *steps = until - left;
        let stop = match flow {
            Flow::Enter(call, callee) => {
                frame.pc += 1;
                self.enter(state, call, callee, spare);
                return None;
            }
            Flow::Return(results) => {
                let awaited = environment.awaits(state.frames.len() - 1);
                if awaited {
                    let frame = state.frames.last().expect("it is about to return");
                    environment.returns(self.results(terms, frame, results));
                }
                return self.leave(state, results, spare).or(awaited.then_some(Stop::Mark));
            }
            Flow::Mark => {
                frame.pc += 1;
                return environment.mark(state).then_some(Stop::Mark);
            }
            Flow::Steps => return Some(Stop::Steps),
            Flow::Fork(alternatives) => Stop::Fork(alternatives, at),
            Flow::Need(mut need) => {
                if function.specification
                    && let Some(allowed) = need.allowed.take()
                {
                    let why = End::undefined_in_specification("an access outside of its object");
                    environment.restrict_at(allowed, &why, at.span);
                }
                Stop::Concretise(need, at)
            }
            Flow::Unfold(object) => match self.unfoldings(memory, terms, object, pc as u32) {
                Some(alternatives) => Stop::Fork(alternatives, at),
                None => Stop::End(End::Limit("too many objects of a list".to_owned()), at),
            },
            Flow::End(end) if function.specification => Stop::End(end.in_specification(), at),
            Flow::End(end) => Stop::End(end, at),
        };
        *steps -= 1;
        Some(stop)
    }

    /// `base + index * scale`, where neither is symbolic.
    #[inline]
    pub(crate) fn moved(&self, base: Value, index: u64, scale: i64, index_width: u32) -> Value {
        let bytes = plain::signed(index_width, index).wrapping_mul(scale);
        let sum = base.bits.wrapping_add_signed(bytes);
        Value { bits: sum & plain::mask(self.pointer_bits), tag: base.tag }
    }
}

/// The result of an operation if both operands are plain and it has one.
#[inline]
fn plain2(a: Value, b: Value, operation: impl Fn(u64, u64) -> Option<u64>) -> Option<Value> {
    if (a.tag | b.tag) == 0 { operation(a.bits, b.bits).map(Value::plain) } else { None }
}
