//! One step: what every instruction that does not change the flow of control means, on plain
//! numbers, addresses and symbolic values alike.

use ouro_model::{BlockId, Builtin, ChoiceSource, CompareOp, FunctionId, Span, Type};
use ouro_term::{Sort, Term, Terms};

use crate::access::{Trouble, limit, need, number, resolve, undefined};
use crate::address::is_mark;
use crate::arith::{Context, truth};
use crate::code::{Code, CompiledFunction, Reg, Switch};
use crate::integer::{INT, is_integer};
use crate::memory::{Loaded, Memory, TAKEN_APART, from_term, to_term};
use crate::object::{Object, Storage};
use crate::stop::End;
use crate::{ChoiceRequest, Environment, Frame, Machine, Overflow, Provenance, Range, Value};

/// An instruction about to be done, with all that it may touch.
pub(crate) struct Step<'a, E> {
    pub(crate) machine: &'a Machine,
    pub(crate) function: &'a CompiledFunction,
    pub(crate) frame: &'a mut Frame,
    pub(crate) memory: &'a mut Memory,
    pub(crate) terms: &'a mut Terms,
    pub(crate) environment: &'a mut E,
    pub(crate) span: Span,
}

impl<E: Environment> Step<'_, E> {
    /// What an operand holds; a variable that was never written is decided by the environment.
    #[inline]
    pub(crate) fn get(&mut self, register: Reg) -> Result<Value, Trouble> {
        let Ok(index) = usize::try_from(register) else {
            return Ok(self.function.constants[(!register).cast_unsigned() as usize]);
        };
        let value = self.frame.registers[index];
        if value.is_unwritten() { self.written(index) } else { Ok(value) }
    }

    #[cold]
    fn written(&mut self, index: usize) -> Result<Value, Trouble> {
        let function = self.function;
        let value = self.choose(&function.names[index], function.types[index], true)?;
        self.frame.registers[index] = value;
        Ok(value)
    }

    /// Makes sure that all operands have been written.
    #[inline]
    pub(crate) fn write_operands(
        &mut self,
        operands: impl Iterator<Item = Reg>,
    ) -> Result<(), Trouble> {
        for operand in operands {
            self.get(operand)?;
        }
        Ok(())
    }

    fn set(&mut self, dst: u32, value: Value) {
        self.frame.registers[dst as usize] = value;
    }

    /// A number that must be known.
    fn number(&mut self, register: Reg) -> Result<u64, Trouble> {
        let value = self.get(register)?;
        number(self.terms, self.environment, value, register)
    }

    /// For each case of a switch on a symbolic value, the condition that it is taken.
    pub(crate) fn cases(&mut self, switch: &Switch, value: Value) -> Result<Vec<Term>, Trouble> {
        self.switches(switch, value);
        let mut conditions = Vec::with_capacity(switch.cases.len());
        for (label, _) in &switch.cases {
            let label = self.terms.bv(switch.width, *label);
            let label = from_term(self.terms, label, Provenance::None);
            let mut context = self.context();
            conditions.push(if is_integer(context.terms, value) {
                context.integer_equal(switch.width, value, label)?
            } else {
                context.compare_bits(CompareOp::Eq, switch.width, value, label)
            });
        }
        Ok(conditions)
    }

    /// Notes that a switch depends on where objects lie: on an address, with a case that one may have.
    pub(crate) fn switches(&mut self, switch: &Switch, value: Value) {
        let may_be = |case: u128| {
            !u64::try_from(case).is_ok_and(|bits| is_mark(switch.width, Value::plain(bits)))
        };
        if value.object().is_some()
            && (value.is_symbolic()
                || !self.memory.is_no_mark(value)
                || switch.cases.iter().any(|case| may_be(case.0)))
        {
            self.memory.observe_layout(self.span);
        }
    }

    /// A choice of the environment, with the provenance that says so for addresses.
    fn choose(
        &mut self,
        source: &ChoiceSource,
        ty: Type,
        unwritten: bool,
    ) -> Result<Value, Trouble> {
        let width = ty.bits(self.machine.pointer_bits);
        let range = match ty {
            Type::Int(width) if self.machine.overflow == Overflow::Unbounded => {
                Range::of(source, width)
            }
            _ => None,
        };
        let request = ChoiceRequest { source, ty, width, span: self.span, range };
        let Some(value) = self.environment.choice(self.terms, request) else {
            return Err(Trouble::End(End::NeedsInput(describe(source))));
        };
        if ty != Type::Ptr {
            return Ok(value);
        }
        let provenance = match unwritten {
            true => Provenance::Uninitialised,
            false => Provenance::Environment,
        };
        Ok(match value.term() {
            Some(term) => Value::symbolic(term, provenance),
            None => Value::with_provenance(value.bits, provenance),
        })
    }

    pub(crate) fn context(&mut self) -> Context<'_, E> {
        Context {
            terms: self.terms,
            memory: self.memory,
            environment: self.environment,
            overflow: self.machine.overflow,
            span: self.span,
            specification: self.function.specification,
        }
    }

    /// Does an instruction that does not change the flow of control, or that ends it.
    #[inline(never)]
    pub(crate) fn perform(&mut self, instruction: &Code) -> Result<(), Trouble> {
        match instruction {
            Code::Move { dst, value } => {
                let value = self.get(*value)?;
                self.set(*dst, value);
            }
            Code::Binary { dst, op, left, right, width } => {
                let (a, b) = (self.get(*left)?, self.get(*right)?);
                let value = self.context().binary(*op, *width, a, b)?;
                self.set(*dst, value);
            }
            Code::Compare { dst, op, left, right, width }
            | Code::CompareBranch { dst, op, left, right, width, .. } => {
                let (a, b) = (self.get(*left)?, self.get(*right)?);
                let value = self.context().compare(*op, *width, a, b)?;
                self.set(*dst, value);
            }
            Code::Load { dst, address, ty, .. } => {
                let mut value = self.load(*address, *ty)?;
                if value.is_symbolic() && matches!(ty, Type::Int(_)) {
                    value = self.context().look(value)?;
                }
                self.set(*dst, value);
            }
            Code::Store { address, value, bits, .. } => {
                let target = self.get(*address)?;
                let value = self.get(*value)?;
                if let Some(object) = self.vague(target, bits.div_ceil(8).into(), true)? {
                    self.blur(object);
                    return Ok(());
                }
                let (object, at) = self.resolve(target, *address, bits.div_ceil(8).into(), true)?;
                self.memory.store(self.terms, object, at, *bits, value, self.span)?;
            }
            Code::Offset { dst, base, index, scale, index_width } => {
                let (a, b) = (self.get(*base)?, self.get(*index)?);
                let value = self.offset(a, b, *scale, *index_width)?;
                self.set(*dst, value);
            }
            Code::Cast { dst, op, value, from, to } => {
                let value = self.get(*value)?;
                let result = self.context().cast(*op, *from, *to, value)?;
                self.set(*dst, result);
            }
            Code::Select { dst, condition, left, right, width, number } => {
                let chosen = self.get(*condition)?;
                let (a, b) = (self.get(*left)?, self.get(*right)?);
                let value = match self.context().select(chosen, *number, *width, a, b) {
                    Some(value) => value,
                    None => need(chosen, *condition, None)?,
                };
                self.set(*dst, value);
            }
            Code::Unary { dst, op, value, width } => {
                let value = self.get(*value)?;
                let result = self.context().unary(*op, *width, value)?;
                self.set(*dst, result);
            }
            Code::Float { dst, op, left, right, width } => {
                let (a, b) = (self.get(*left)?, self.get(*right)?);
                let value = self.context().float(*op, *width, a, b)?;
                self.set(*dst, value);
            }
            Code::Alloca(alloca) => {
                let (size, name) = (self.get(alloca.size)?, alloca.name.clone());
                // An array whose size is computed has one that only a term says, even if it is a
                // number on this run: others have other numbers.
                let computed = usize::try_from(alloca.size).is_ok();
                let made = match self.extent(size, computed)? {
                    Some(extent) => {
                        self.memory.create_vague(extent, alloca.align, name, Storage::Stack)
                    }
                    None => {
                        let bytes = self.number(alloca.size)?;
                        self.memory.create(bytes, alloca.align, name, Storage::Stack)
                    }
                };
                let Some(object) = made else {
                    return limit(match size.bits() {
                        Some(bytes) => format!("an object of {bytes} bytes on the stack"),
                        None => "too many objects of unknown size".to_owned(),
                    });
                };
                self.frame.objects.push(object);
                let base = self.memory.object(object).expect("just made").base;
                self.set(alloca.dst, Value::address(base, object));
            }
            Code::StackSave { dst } => {
                let mark = Value::plain(self.frame.objects.len() as u64);
                self.set(*dst, mark);
            }
            Code::StackRestore { mark } => {
                let mark = self.number(*mark)? as usize;
                self.restore_stack(mark);
            }
            Code::Copy { to, from, size, overlap } => self.copy(*to, *from, *size, *overlap)?,
            Code::Fill { to, value, size } => {
                let (target, byte) = (self.get(*to)?, self.get(*value)?);
                self.needs_first(target)?;
                let bytes = self.get(*size)?;
                if self.blurs_in_bulk(target, &[bytes]) {
                    return Ok(());
                }
                let bytes = self.number(*size)?;
                if bytes > 0 {
                    let to = self.resolve(target, *to, bytes, true)?;
                    self.memory.fill(self.terms, to, byte, bytes as usize, self.span)?;
                }
            }
            Code::Choice { dst, ty, source } => {
                let value = self.choose(source, *ty, false)?;
                self.set(*dst, value);
            }
            Code::Unknown { dst, ty, why } => {
                let width = ty.bits(self.machine.pointer_bits);
                let unbounded = self.machine.overflow == Overflow::Unbounded;
                let sort = match ty {
                    Type::Int(INT..) if unbounded => Sort::Int,
                    _ => Sort::BitVec(width),
                };
                match self.environment.unknown(self.terms, sort, why) {
                    Some(value) => self.set(*dst, value),
                    None => return limit(why.to_string()),
                }
            }
            Code::Assume { condition } => {
                let value = self.get(*condition)?;
                let condition = truth(self.terms, value);
                match self.terms.as_bool(condition) {
                    Some(true) => {}
                    Some(false) => return Err(Trouble::End(End::Blocked)),
                    None => self.environment.assume(condition),
                }
            }
            Code::CallBuiltin(call) => {
                let mut values = Vec::with_capacity(call.args.len());
                for register in &call.args {
                    values.push((self.get(*register)?, *register));
                }
                if call.builtin == Builtin::Allocate
                    && let Some(extent) = self.extent(values[0].0, false)?
                {
                    let name = "allocated memory".into();
                    let made = self.memory.create_vague(extent, 16, name, Storage::Heap);
                    let Some(object) = made else {
                        return limit("too many objects of unknown size");
                    };
                    let base = self.memory.object(object).expect("just made").base;
                    if let Some(dst) = call.dst {
                        self.set(dst, Value::address(base, object));
                    }
                    return Ok(());
                }
                let Step { machine, memory, terms, environment, span, .. } = self;
                let result =
                    machine.builtin(call.builtin, memory, terms, *environment, &values, *span)?;
                if let (Some(dst), Some(value)) = (call.dst, result) {
                    self.set(dst, value);
                }
            }
            Code::VaStart { list } => {
                let target = self.get(*list)?;
                let Step { machine, frame, memory, terms, span, .. } = self;
                machine.va_start(memory, terms, frame, target, *list, *span)?;
            }
            Code::Mark => {}
            Code::Exit(status) => {
                let value = self.get(*status)?;
                return Err(Trouble::End(End::Exit(value.bits().map(|bits| bits as i32))));
            }
            Code::Abort(why) => return Err(Trouble::End(End::Abort(why.to_string()))),
            Code::Undefined(what) => return undefined(what.to_string()),
            Code::Limit(what) => return limit(what.to_string()),
            Code::Jump(_)
            | Code::JumpPastMark(_)
            | Code::Branch { .. }
            | Code::Switch(_)
            | Code::GotoAddress { .. }
            | Code::Call(_)
            | Code::CallPointer { .. }
            | Code::Return(_) => unreachable!("the run changes the flow of control itself"),
        }
        Ok(())
    }

    fn resolve(
        &mut self,
        address: Value,
        register: Reg,
        len: u64,
        write: bool,
    ) -> Result<(crate::ObjectRef, usize), Trouble> {
        resolve(self.memory, self.terms, address, register, len, write, self.span)
    }

    fn load(&mut self, register: Reg, ty: Type) -> Result<Value, Trouble> {
        let address = self.get(register)?;
        let asked = ty;
        let bits = ty.bits(self.machine.pointer_bits);
        if self.vague(address, bits.div_ceil(8).into(), false)?.is_some() {
            return self.any(ty, UNKNOWN_PLACE);
        }
        let (object, at) = self.resolve(address, register, bits.div_ceil(8).into(), false)?;
        loop {
            let (at, bits, ty) = match self.memory.load(self.terms, object, at, ty, self.span) {
                Loaded::Value(value) => return Ok(value),
                Loaded::TakenApart => return limit(TAKEN_APART),
                Loaded::Unwritten => (at, bits, ty),
                Loaded::PartlyUnwritten(byte) => (byte, 8, Type::Int(8)),
            };
            if self.memory.object(object).expect("live").vague {
                // Of all bytes, also those that are known: less is known then, which is safe.
                return self.any(asked, UNKNOWN_PLACE);
            }
            let (source, unwritten) = never_written(self.memory.object(object).expect("live"));
            let value = self.choose(&source, ty, unwritten)?;
            self.memory.store(self.terms, object, at, bits, value, self.span)?;
        }
    }

    fn offset(
        &mut self,
        base: Value,
        index: Value,
        scale: i64,
        index_width: u32,
    ) -> Result<Value, Trouble> {
        if index.object().is_some() {
            self.memory.observe_layout(self.span);
        }
        if let (Some(_), Some(bits)) = (base.bits(), index.bits()) {
            return Ok(self.machine.moved(base, bits, scale, index_width));
        }
        let width = self.machine.pointer_bits;
        if is_integer(self.terms, base) || is_integer(self.terms, index) {
            let mut context = self.context();
            let index = context.integer(index, index_width, true)?;
            return Ok(context.integer_offset(base, index, scale, width)?);
        }
        let terms = &mut *self.terms;
        let address = to_term(terms, base, width);
        let index = to_term(terms, index, index_width);
        let index = if index_width < width {
            terms.sign_extend(width, index)
        } else {
            terms.truncate(width, index)
        };
        self.moves_exactly(base, index, scale)?;
        let terms = &mut *self.terms;
        let scale = terms.bv(width, i128::from(scale).cast_unsigned());
        let bytes = terms.bv_mul(index, scale);
        let sum = terms.bv_add(address, bytes);
        Ok(from_term(terms, sum, base.provenance()))
    }

    fn copy(&mut self, to: Reg, from: Reg, size: Reg, overlap: bool) -> Result<(), Trouble> {
        let (target, source) = (self.get(to)?, self.get(from)?);
        self.needs_first(target)?;
        self.needs_first(source)?;
        let bytes = self.get(size)?;
        if self.blurs_in_bulk(target, &[source, bytes]) {
            return Ok(());
        }
        let bytes = self.number(size)?;
        if bytes == 0 {
            return Ok(());
        }
        let a = self.resolve(target, to, bytes, true)?;
        let b = self.resolve(source, from, bytes, false)?;
        if !overlap && a.0 == b.0 && a.1 != b.1 && a.1.abs_diff(b.1) < bytes as usize {
            return undefined("memcpy between overlapping regions");
        }
        self.memory.copy(self.terms, a, b, bytes as usize, self.span)?;
        Ok(())
    }

    fn restore_stack(&mut self, mark: usize) {
        let Frame { objects, stack, .. } = &mut *self.frame;
        for object in objects.drain(mark.min(objects.len())..).rev() {
            self.memory.release(object);
        }
        // Objects of unknown size lie elsewhere.
        let mut known = objects.iter().rev().filter_map(|o| self.memory.object(*o));
        self.memory.stack = known.find(|o| o.extent.is_none()).map_or(*stack, |o| o.base);
    }

    /// The block of a function whose label an operand is the address of.
    pub(crate) fn label(&mut self, owner: FunctionId, address: Reg) -> Result<BlockId, Trouble> {
        let value = self.get(address)?;
        if is_integer(self.terms, value) {
            return limit("a goto to an address that was computed");
        }
        if value.is_symbolic() {
            return need(value, address, None);
        }
        let object = value.object().and_then(|object| self.memory.object(object));
        match object.map(|object| object.storage) {
            Some(Storage::Label(function, block)) if function == owner => Ok(block),
            _ => undefined("goto to something that is no label"),
        }
    }
}

/// Why a read gives a value that nobody knows.
const UNKNOWN_PLACE: &str = "what is at an unknown place of an object";

/// Whose choice bytes are that the program never wrote, and whether they are uninitialised.
fn never_written(object: &Object) -> (ChoiceSource, bool) {
    let what = if object.external { "external" } else { "uninitialised" };
    (ChoiceSource::Other(format!("{what} memory of {}", object.name)), !object.external)
}

fn describe(source: &ChoiceSource) -> String {
    match source {
        ChoiceSource::Function(name) | ChoiceSource::Allocation(name) => format!("{name}()"),
        ChoiceSource::Output(what) => format!("whether output fails: {what}"),
        ChoiceSource::Other(what) => what.clone(),
        ChoiceSource::Guess => "a guess of the specification".to_owned(),
    }
}
