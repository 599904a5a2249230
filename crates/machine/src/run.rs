//! The run: instruction after instruction, until something must be decided from outside.

use std::rc::Rc;

use ouro_model::ids::Id;
use ouro_model::{ChoiceSource, FunctionId, Span, Type};
use ouro_term::{Term, Terms};

use crate::access::{Trouble, limit, need, number, resolve, undefined};
use crate::arith::{Context, truth};
use crate::code::{Call, Code, Switch};
use crate::memory::Loaded;
use crate::object::{Object, Storage};
use crate::stop::{Alternative, At, End, Stop};
use crate::{ChoiceRequest, Environment, Frame, Machine, Provenance, State, Value};

/// How an instruction leaves the straight way.
enum Flow {
    Jump(u32),
    Enter(Frame),
    Return(Vec<Value>),
    Fork(Vec<Alternative>),
    End(End),
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
        loop {
            if state.steps >= until {
                return Stop::Steps;
            }
            if let Some(stop) = self.run_frame(state, terms, environment, until) {
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
    ) -> Option<Stop> {
        let State { frames, memory, steps, .. } = state;
        let frame = Rc::make_mut(frames.last_mut().expect("a running state has a frame"));
        let function = &self.functions[frame.function.index()];
        let code = &function.code[..];
        let mut pc = frame.pc as usize;
        let id = frame.function;
        let mut count = *steps;

        macro_rules! at {
            () => {
                At { function: id, span: function.places[pc].0 }
            };
        }
        macro_rules! leave {
            ($stop:expr) => {{
                let stop = $stop;
                frame.pc = pc as u32;
                *steps = count;
                return Some(stop);
            }};
        }
        macro_rules! end {
            ($end:expr) => {{
                let end = $end;
                leave!(Stop::End(end, at!()))
            }};
        }
        macro_rules! get {
            ($register:expr) => {{
                let register = $register;
                let value = if register >= 0 {
                    frame.registers[register as usize]
                } else {
                    function.constants[!register as usize]
                };
                if value.is_unwritten() {
                    let source = &function.names[register as usize];
                    let ty = function.types[register as usize];
                    match self.choose(terms, environment, source, ty, function.places[pc].0, true) {
                        Some(value) => {
                            frame.registers[register as usize] = value;
                            value
                        }
                        None => end!(End::NeedsInput(describe(source))),
                    }
                } else {
                    value
                }
            }};
        }
        macro_rules! set {
            ($dst:expr, $value:expr) => {{
                let value = $value;
                frame.registers[$dst as usize] = value;
            }};
        }
        macro_rules! attempt {
            ($result:expr) => {
                match $result {
                    Ok(value) => value,
                    Err(end) => end!(end),
                }
            };
        }
        macro_rules! manage {
            ($result:expr) => {
                match $result {
                    Ok(value) => value,
                    Err(Trouble::End(end)) => end!(end),
                    Err(Trouble::Need(need)) => leave!(Stop::Concretise(need, at!())),
                }
            };
        }
        macro_rules! context {
            () => {
                Context {
                    terms: &mut *terms,
                    memory: &mut *memory,
                    environment: &mut *environment,
                    overflow: self.overflow,
                    span: function.places[pc].0,
                }
            };
        }

        let flow = loop {
            if count >= until {
                leave!(Stop::Steps);
            }
            match &code[pc] {
                Code::Move { dst, value } => {
                    let value = get!(*value);
                    set!(*dst, value);
                }
                Code::Binary { dst, op, left, right, width } => {
                    let (a, b) = (get!(*left), get!(*right));
                    let value = attempt!(context!().binary(*op, *width, a, b));
                    set!(*dst, value);
                }
                Code::Compare { dst, op, left, right, width } => {
                    let (a, b) = (get!(*left), get!(*right));
                    let value = context!().compare(*op, *width, a, b);
                    set!(*dst, value);
                }
                Code::Branch { condition, then, otherwise } => {
                    let value = get!(*condition);
                    match value.bits() {
                        Some(bits) => {
                            pc = if bits & 1 == 1 { *then } else { *otherwise } as usize;
                            count += 1;
                            continue;
                        }
                        None => {
                            let condition = truth(terms, value);
                            let opposite = terms.not(condition);
                            break Flow::Fork(vec![
                                Alternative { condition, target: *then },
                                Alternative { condition: opposite, target: *otherwise },
                            ]);
                        }
                    }
                }
                Code::Jump(target) => {
                    pc = *target as usize;
                    count += 1;
                    continue;
                }
                Code::Load { dst, address, ty } => {
                    let value = get!(*address);
                    let span = function.places[pc].0;
                    let len = u64::from(ty.bytes(self.pointer_bits));
                    let (object, at) =
                        manage!(resolve(memory, terms, value, *address, len, false, span));
                    let loaded = loop {
                        match memory.load(terms, object, at, *ty, span) {
                            Loaded::Value(value) => break value,
                            Loaded::Unwritten => {
                                let (source, unwritten) =
                                    never_written(memory.object(object).expect("live"));
                                let Some(value) =
                                    self.choose(terms, environment, &source, *ty, span, unwritten)
                                else {
                                    end!(End::NeedsInput(describe(&source)))
                                };
                                let bits = ty.bits(self.pointer_bits);
                                memory.store(terms, object, at, bits, value, span);
                            }
                            Loaded::PartlyUnwritten(byte) => {
                                let (source, unwritten) =
                                    never_written(memory.object(object).expect("live"));
                                let ty = Type::Int(8);
                                let Some(value) =
                                    self.choose(terms, environment, &source, ty, span, unwritten)
                                else {
                                    end!(End::NeedsInput(describe(&source)))
                                };
                                memory.store(terms, object, byte, 8, value, span);
                            }
                        }
                    };
                    set!(*dst, loaded);
                }
                Code::Store { address, value, bits } => {
                    let target = get!(*address);
                    let value = get!(*value);
                    let span = function.places[pc].0;
                    let len = u64::from(bits.div_ceil(8));
                    let (object, at) =
                        manage!(resolve(memory, terms, target, *address, len, true, span));
                    memory.store(terms, object, at, *bits, value, span);
                }
                Code::Offset { dst, base, index, scale, index_width } => {
                    let (a, b) = (get!(*base), get!(*index));
                    let value = self.offset(terms, a, b, *scale, *index_width);
                    set!(*dst, value);
                }
                Code::Cast { dst, op, value, from, to } => {
                    let value = get!(*value);
                    let result = attempt!(context!().cast(*op, *from, *to, value));
                    set!(*dst, result);
                }
                Code::Select { dst, condition, left, right, width } => {
                    let chosen = get!(*condition);
                    let (a, b) = (get!(*left), get!(*right));
                    match context!().select(chosen, *width, a, b) {
                        Some(value) => set!(*dst, value),
                        None => manage!(need(chosen, *condition, None)),
                    }
                }
                Code::Unary { dst, op, value, width } => {
                    let value = get!(*value);
                    let result = attempt!(context!().unary(*op, *width, value));
                    set!(*dst, result);
                }
                Code::Float { dst, op, left, right, width } => {
                    let (a, b) = (get!(*left), get!(*right));
                    let value = context!().float(*op, *width, a, b);
                    set!(*dst, value);
                }
                Code::Call(call) => {
                    for (register, _) in &call.args {
                        get!(*register);
                    }
                    let frame = manage!(self.enter(memory, frame, function, call, call.function));
                    break Flow::Enter(frame);
                }
                Code::CallPointer { pointer, call } => {
                    for (register, _) in &call.args {
                        get!(*register);
                    }
                    let target = get!(*pointer);
                    let callee = manage!(self.callee(memory, terms, target, *pointer));
                    let frame = manage!(self.enter(memory, frame, function, call, callee));
                    break Flow::Enter(frame);
                }
                Code::Return(values) => {
                    let mut results = Vec::with_capacity(values.len());
                    for value in values {
                        results.push(get!(*value));
                    }
                    break Flow::Return(results);
                }
                Code::Switch(switch) => {
                    let value = get!(switch.value);
                    break match value.bits() {
                        Some(bits) => {
                            let found =
                                switch.cases.binary_search_by_key(&u128::from(bits), |c| c.0);
                            Flow::Jump(found.map_or(switch.default, |i| switch.cases[i].1))
                        }
                        None => Flow::Fork(fork_switch(terms, switch, value)),
                    };
                }
                Code::Alloca { dst, size, align, name } => {
                    let size_value = get!(*size);
                    let bytes = manage!(number(size_value, *size));
                    let made = memory.create(bytes, *align, name.clone(), Storage::Stack);
                    let Some(object) = made else {
                        end!(End::Limit(format!("an object of {bytes} bytes on the stack")))
                    };
                    frame.objects.push(object);
                    let base = memory.object(object).expect("just made").base;
                    set!(*dst, Value::address(base, object));
                }
                Code::StackSave { dst } => {
                    let mark = Value::plain(frame.objects.len() as u64);
                    set!(*dst, mark);
                }
                Code::StackRestore { mark } => {
                    let mark = manage!(number(get!(*mark), *mark)) as usize;
                    while frame.objects.len() > mark {
                        let object = frame.objects.pop().expect("not empty");
                        memory.release(object);
                    }
                    memory.stack = frame
                        .objects
                        .last()
                        .and_then(|o| memory.object(*o))
                        .map_or(frame.stack, |o| o.base);
                }
                Code::Copy { to, from, size, overlap } => {
                    let (target, source) = (get!(*to), get!(*from));
                    let bytes = manage!(number(get!(*size), *size));
                    let span = function.places[pc].0;
                    if bytes > 0 {
                        let a = manage!(resolve(memory, terms, target, *to, bytes, true, span));
                        let b = manage!(resolve(memory, terms, source, *from, bytes, false, span));
                        if !overlap
                            && a.0 == b.0
                            && a.1 != b.1
                            && a.1.abs_diff(b.1) < bytes as usize
                        {
                            end!(End::Undefined("memcpy between overlapping regions".to_owned()))
                        }
                        memory.copy(terms, a, b, bytes as usize, span);
                    }
                }
                Code::Fill { to, value, size } => {
                    let (target, byte) = (get!(*to), get!(*value));
                    let bytes = manage!(number(get!(*size), *size));
                    let span = function.places[pc].0;
                    if bytes > 0 {
                        let a = manage!(resolve(memory, terms, target, *to, bytes, true, span));
                        memory.fill(terms, a, byte, bytes as usize, span);
                    }
                }
                Code::Choice { dst, ty, source } => {
                    let span = function.places[pc].0;
                    match self.choose(terms, environment, source, *ty, span, false) {
                        Some(value) => set!(*dst, value),
                        None => end!(End::NeedsInput(describe(source))),
                    }
                }
                Code::Unknown { dst, width, why } => {
                    match environment.unknown(terms, *width, why) {
                        Some(value) => set!(*dst, value),
                        None => end!(End::Limit(why.to_string())),
                    }
                }
                Code::Assume { condition } => {
                    let value = get!(*condition);
                    let condition = truth(terms, value);
                    match terms.as_bool(condition) {
                        Some(true) => {}
                        Some(false) => end!(End::Blocked),
                        None => environment.assume(condition),
                    }
                }
                Code::CallBuiltin { builtin, dsts, args } => {
                    let mut values = Vec::with_capacity(args.len());
                    for (register, _) in args {
                        values.push((get!(*register), *register));
                    }
                    let span = function.places[pc].0;
                    let result = self.builtin(*builtin, memory, terms, environment, &values, span);
                    let result = manage!(result);
                    if let (Some(dst), Some(value)) = (dsts.first(), result) {
                        set!(*dst, value);
                    }
                }
                Code::VaStart { list } => {
                    let target = get!(*list);
                    let span = function.places[pc].0;
                    manage!(self.va_start(memory, terms, frame, target, *list, span));
                }
                Code::GotoAddress { address } => {
                    let value = get!(*address);
                    let label = value.object().and_then(|o| memory.object(o)).map(|o| o.storage);
                    break match (label, value.bits()) {
                        (Some(Storage::Label(owner, block)), Some(_)) if owner == id => {
                            Flow::Jump(function.blocks[block.index()])
                        }
                        (_, None) => manage!(need(value, *address, None)),
                        _ => Flow::End(End::Undefined("goto to something that is no label".into())),
                    };
                }
                Code::Exit(status) => {
                    let value = get!(*status);
                    break Flow::End(End::Exit(value.bits().map(|bits| bits as i32)));
                }
                Code::Abort(why) => break Flow::End(End::Abort(why.to_string())),
                Code::Undefined(what) => break Flow::End(End::Undefined(what.to_string())),
                Code::Limit(what) => break Flow::End(End::Limit(what.to_string())),
                Code::Mark => {
                    if self.marks {
                        pc += 1;
                        frame.pc = pc as u32;
                        *steps = count + 1;
                        return environment.mark(state).then_some(Stop::Mark);
                    }
                }
            }
            pc += 1;
            count += 1;
        };

        match flow {
            Flow::Jump(target) => {
                frame.pc = target;
                *steps = count + 1;
                None
            }
            Flow::Enter(callee) => {
                frame.pc = pc as u32 + 1;
                *steps = count + 1;
                frames.push(Rc::new(callee));
                None
            }
            Flow::Return(results) => {
                *steps = count + 1;
                self.leave(state, &results)
            }
            Flow::Fork(alternatives) => leave!(Stop::Fork(alternatives, at!())),
            Flow::End(end) => end!(end),
        }
    }

    /// Takes one of the alternatives of a fork.
    pub fn take(&self, state: &mut State, alternative: Alternative) {
        let frame = state.frames.last_mut().expect("a forking state has a frame");
        Rc::make_mut(frame).pc = alternative.target;
        state.steps += 1;
    }

    /// Gives the value of a term that an instruction needed; the instruction is done again.
    pub fn concretise(&self, state: &mut State, need: crate::Need, bits: u64) {
        let frame = state.frames.last_mut().expect("a state in need has a frame");
        let value = Value::with_provenance(bits, need.provenance);
        Rc::make_mut(frame).registers[need.register as usize] = value;
    }

    /// A choice of the environment, with the provenance that says so for addresses.
    fn choose<E: Environment>(
        &self,
        terms: &mut Terms,
        environment: &mut E,
        source: &ChoiceSource,
        ty: Type,
        span: Span,
        unwritten: bool,
    ) -> Option<Value> {
        let width = ty.bits(self.pointer_bits);
        let value = environment.choice(terms, ChoiceRequest { source, ty, width, span })?;
        if ty != Type::Ptr {
            return Some(value);
        }
        let provenance = match unwritten {
            true => Provenance::Uninitialised,
            false => Provenance::Environment,
        };
        Some(match value.term() {
            Some(term) => Value::symbolic(term, provenance),
            None => Value::with_provenance(value.bits, provenance),
        })
    }

    #[inline]
    fn offset(
        &self,
        terms: &mut Terms,
        base: Value,
        index: Value,
        scale: i64,
        index_width: u32,
    ) -> Value {
        if let (Some(address), Some(bits)) = (base.bits(), index.bits()) {
            let unused = 64 - index_width;
            let index = ((bits << unused) as i64) >> unused;
            let sum = address.wrapping_add_signed(index.wrapping_mul(scale));
            let bits = if self.pointer_bits == 32 { sum & 0xffff_ffff } else { sum };
            return Value { bits, tag: base.tag };
        }
        let width = self.pointer_bits;
        let address = crate::memory::to_term(terms, base, width);
        let index = crate::memory::to_term(terms, index, index_width);
        let index = if index_width < width {
            terms.sign_extend(width, index)
        } else {
            terms.truncate(width, index)
        };
        let scale = terms.bv(width, scale as u128);
        let bytes = terms.bv_mul(index, scale);
        let sum = terms.bv_add(address, bytes);
        crate::memory::from_term(terms, sum, base.provenance())
    }

    /// The function that an address belongs to.
    fn callee(
        &self,
        memory: &mut crate::Memory,
        terms: &mut Terms,
        target: Value,
        register: i32,
    ) -> Result<FunctionId, Trouble> {
        match (target.provenance(), target.bits()) {
            (Provenance::Object(reference), bits) => match memory.object(reference) {
                Some(object) => match (object.storage, bits) {
                    (Storage::Code(function), Some(bits)) if bits == object.base => Ok(function),
                    (Storage::Code(_), None) => {
                        let term = target.term().expect("not concrete");
                        let base = terms.bv(self.pointer_bits, object.base.into());
                        let allowed = terms.eq(term, base);
                        need(target, register, Some(allowed))
                    }
                    _ => undefined(format!("call of {}, which is no function", object.name)),
                },
                None => undefined("call of an object whose life ended"),
            },
            (Provenance::Uninitialised, _) => undefined("call through an uninitialised pointer"),
            (_, Some(bits)) if bits < 0x1000 => undefined("call through a null pointer"),
            (Provenance::None, Some(bits)) => {
                limit(format!("a call of the fixed address {bits:#x}"))
            }
            _ => limit("a call of a function that the environment chose"),
        }
    }

    /// A frame for a call; the arguments have been written.
    fn enter(
        &self,
        memory: &crate::Memory,
        caller: &Frame,
        code: &crate::code::CompiledFunction,
        call: &Call,
        callee: FunctionId,
    ) -> Result<Frame, Trouble> {
        let target = &self.functions[callee.index()];
        let name = || &self.names[callee.index()];
        if call.args.len() < target.params.len() {
            return limit(format!("a call of {} with another number of arguments", name()));
        }
        let mut registers = target.registers.clone();
        let value = |register: i32| {
            if register >= 0 {
                caller.registers[register as usize]
            } else {
                code.constants[!register as usize]
            }
        };
        for (param, (register, ty)) in target.params.iter().zip(&call.args) {
            if target.types[*param as usize] != *ty {
                return limit(format!("a call of {} with other argument types", name()));
            }
            registers[*param as usize] = value(*register);
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
        let extra = call.args[target.params.len()..]
            .iter()
            .map(|(register, ty)| (value(*register), *ty))
            .collect();
        Ok(Frame {
            function: callee,
            pc: 0,
            registers,
            objects: Vec::new(),
            stack: memory.stack,
            extra,
        })
    }

    /// Ends the innermost call.
    fn leave(&self, state: &mut State, results: &[Value]) -> Option<Stop> {
        let frame = state.frames.pop().expect("a returning state has a frame");
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
        let code = &self.functions[caller.function.index()].code[caller.pc as usize - 1];
        if let Code::Call(call) | Code::CallPointer { call, .. } = code {
            for (dst, value) in call.dsts.iter().zip(results) {
                caller.registers[*dst as usize] = *value;
            }
        }
        None
    }
}

/// Whose choice bytes are that the program never wrote, and whether they are uninitialised.
fn never_written(object: &Object) -> (ChoiceSource, bool) {
    let what = if object.external { "external" } else { "uninitialised" };
    (ChoiceSource::Other(format!("{what} memory of {}", object.name)), !object.external)
}

fn describe(source: &ChoiceSource) -> String {
    match source {
        ChoiceSource::Function(name) => format!("{name}()"),
        ChoiceSource::Other(what) => what.clone(),
    }
}

/// The ways on from a switch, one for each target.
fn fork_switch(terms: &mut Terms, switch: &Switch, value: Value) -> Vec<Alternative> {
    let term = value.term().expect("a symbolic value");
    let mut targets: Vec<u32> = switch.cases.iter().map(|c| c.1).collect();
    targets.push(switch.default);
    targets.sort_unstable();
    targets.dedup();
    let mut alternatives = Vec::new();
    let case = |terms: &mut Terms, k: u128| -> Term {
        let k = terms.bv(switch.width, k);
        terms.eq(term, k)
    };
    for target in targets {
        let mut ways: Vec<Term> = Vec::new();
        for (k, to) in &switch.cases {
            if *to == target {
                ways.push(case(terms, *k));
            }
        }
        if target == switch.default {
            let mut none: Vec<Term> = Vec::new();
            for (k, to) in &switch.cases {
                if *to != target {
                    let equal = case(terms, *k);
                    none.push(terms.not(equal));
                }
            }
            // Cases that lead where the default leads need not be told apart from it.
            ways = vec![terms.and_all(&none)];
        }
        let condition = terms.or_all(&ways);
        if terms.as_bool(condition) != Some(false) {
            alternatives.push(Alternative { condition, target });
        }
    }
    alternatives
}
