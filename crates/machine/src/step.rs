//! One step: what every instruction that does not change the flow of control means, on plain
//! numbers, addresses and symbolic values alike.

use ouro_model::{BlockId, BuiltinFunction, ChoiceSource, CompareOp, FunctionId, Span, Type};
use ouro_term::{Sort, Term, TermStore};

use crate::access::{
    InstructionObstacle, fail_at_limit, fail_undefined, request_value, require_number,
    resolve_access,
};
use crate::address::is_sentinel_address;
use crate::arith::{ArithmeticContext, truth_formula};
use crate::code::{CompiledFunction, CompiledInstruction, CompiledSwitch, OperandRegister};
use crate::integer::{INT, is_integer};
use crate::memory::{LoadOutcome, MachineMemory, TAKEN_APART, value_from_term, value_to_term};
use crate::object::{MemoryObject, StorageClass};
use crate::stop::RunEnd;
use crate::variadic::check_argument_type;
use crate::{
    CallFrame, ChoiceRange, ChoiceRequest, Machine, MachineValue, OverflowSemantics, Provenance,
    RunEnvironment,
};

/// An instruction about to be done, with all that it may touch.
pub(crate) struct InstructionStep<'a, E> {
    pub(crate) machine: &'a Machine,
    pub(crate) function: &'a CompiledFunction,
    pub(crate) frame: &'a mut CallFrame,
    pub(crate) memory: &'a mut MachineMemory,
    pub(crate) terms: &'a mut TermStore,
    pub(crate) environment: &'a mut E,
    pub(crate) span: Span,
}

impl<E: RunEnvironment> InstructionStep<'_, E> {
    /// What an operand holds; a variable that was never written is decided by the environment.
    #[inline]
    pub(crate) fn read_operand(
        &mut self,
        register: OperandRegister,
    ) -> Result<MachineValue, InstructionObstacle> {
        let Ok(index) = usize::try_from(register) else {
            return Ok(self.function.constants[(!register).cast_unsigned() as usize]);
        };
        let value = self.frame.registers[index];
        if value.is_unwritten() { self.choose_unwritten(index) } else { Ok(value) }
    }

    #[cold]
    fn choose_unwritten(&mut self, index: usize) -> Result<MachineValue, InstructionObstacle> {
        let function = self.function;
        let value = self.choose_value(&function.names[index], function.types[index], true)?;
        self.frame.registers[index] = value;
        Ok(value)
    }

    /// Makes sure that all operands have been written.
    #[inline]
    pub(crate) fn ensure_operands_written(
        &mut self,
        operands: impl Iterator<Item = OperandRegister>,
    ) -> Result<(), InstructionObstacle> {
        for operand in operands {
            self.read_operand(operand)?;
        }
        Ok(())
    }

    fn write_register(&mut self, dst: u32, value: MachineValue) {
        self.frame.registers[dst as usize] = value;
    }

    /// A number that must be known.
    fn known_number(&mut self, register: OperandRegister) -> Result<u64, InstructionObstacle> {
        let value = self.read_operand(register)?;
        require_number(self.terms, self.environment, value, register)
    }

    /// For each case of a switch on a symbolic value, the condition that it is taken.
    pub(crate) fn switch_conditions(
        &mut self,
        switch: &CompiledSwitch,
        value: MachineValue,
    ) -> Result<Vec<Term>, InstructionObstacle> {
        self.note_address_switch(switch, value);
        let mut conditions = Vec::with_capacity(switch.cases.len());
        for (label, _) in &switch.cases {
            let label = self.terms.bv(switch.width, *label);
            let label = value_from_term(self.terms, label, Provenance::None);
            let mut context = self.arithmetic_context();
            conditions.push(if is_integer(context.terms, value) {
                context.integer_equal(switch.width, value, label)?
            } else {
                context.compare_bits(CompareOp::Eq, switch.width, value, label)
            });
        }
        Ok(conditions)
    }

    /// Notes that a switch depends on where objects lie: on an address, with a case that one may have.
    pub(crate) fn note_address_switch(&mut self, switch: &CompiledSwitch, value: MachineValue) {
        let may_be = |case: u128| {
            !u64::try_from(case)
                .is_ok_and(|bits| is_sentinel_address(switch.width, MachineValue::plain(bits)))
        };
        if value.object().is_some()
            && (value.is_symbolic()
                || !self.memory.is_never_sentinel(value)
                || switch.cases.iter().any(|case| may_be(case.0)))
        {
            self.memory.observe_layout(self.span);
        }
    }

    /// A choice of the environment, with the provenance that says so for addresses.
    fn choose_value(
        &mut self,
        source: &ChoiceSource,
        ty: Type,
        unwritten: bool,
    ) -> Result<MachineValue, InstructionObstacle> {
        let width = ty.size_in_bits(self.machine.pointer_bits);
        let range = match ty {
            Type::Int(width) if self.machine.overflow == OverflowSemantics::Unbounded => {
                ChoiceRange::of_choice(source, width)
            }
            _ => None,
        };
        let request = ChoiceRequest { source, ty, width, span: self.span, range };
        let Some(value) = self.environment.provide_choice(self.terms, request) else {
            return Err(InstructionObstacle::End(RunEnd::NeedsInput(describe_choice_source(
                source,
            ))));
        };
        if ty != Type::Ptr {
            return Ok(value);
        }
        let provenance = match unwritten {
            true => Provenance::Uninitialised,
            false => Provenance::Environment,
        };
        Ok(match value.term() {
            Some(term) => MachineValue::symbolic(term, provenance),
            None => MachineValue::with_provenance(value.bits, provenance),
        })
    }

    pub(crate) fn arithmetic_context(&mut self) -> ArithmeticContext<'_, E> {
        ArithmeticContext {
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
    pub(crate) fn perform_instruction(
        &mut self,
        instruction: &CompiledInstruction,
    ) -> Result<(), InstructionObstacle> {
        match instruction {
            CompiledInstruction::Move { dst, value } => {
                let value = self.read_operand(*value)?;
                self.write_register(*dst, value);
            }
            CompiledInstruction::Binary { dst, op, left, right, width } => {
                let (a, b) = (self.read_operand(*left)?, self.read_operand(*right)?);
                let value = self.arithmetic_context().apply_binary(*op, *width, a, b)?;
                self.write_register(*dst, value);
            }
            CompiledInstruction::Compare { dst, op, left, right, width }
            | CompiledInstruction::CompareBranch { dst, op, left, right, width, .. } => {
                let (a, b) = (self.read_operand(*left)?, self.read_operand(*right)?);
                let value = self.arithmetic_context().apply_compare(*op, *width, a, b)?;
                self.write_register(*dst, value);
            }
            CompiledInstruction::Load { dst, address, ty, .. } => {
                let mut value = self.load_operand(*address, *ty)?;
                if value.is_symbolic() && matches!(ty, Type::Int(_)) {
                    value = self.arithmetic_context().observe_bits(value)?;
                }
                self.write_register(*dst, value);
            }
            CompiledInstruction::Store { address, value, bits, .. } => {
                let target = self.read_operand(*address)?;
                let value = self.read_operand(*value)?;
                if let Some(object) =
                    self.object_of_unknown_access(target, bits.div_ceil(8).into(), true)?
                {
                    self.havoc_object(object);
                    return Ok(());
                }
                let (object, at) =
                    self.resolve_address(target, *address, bits.div_ceil(8).into(), true)?;
                self.memory.store_value(self.terms, object, at, *bits, value, self.span)?;
            }
            CompiledInstruction::Offset { dst, base, index, scale, index_width } => {
                let (a, b) = (self.read_operand(*base)?, self.read_operand(*index)?);
                let value = self.offset_address(a, b, *scale, *index_width)?;
                self.write_register(*dst, value);
            }
            CompiledInstruction::Cast { dst, op, value, from, to } => {
                let value = self.read_operand(*value)?;
                let result = self.arithmetic_context().apply_cast(*op, *from, *to, value)?;
                self.write_register(*dst, result);
            }
            CompiledInstruction::Select { dst, condition, left, right, width, number } => {
                let chosen = self.read_operand(*condition)?;
                let (a, b) = (self.read_operand(*left)?, self.read_operand(*right)?);
                let value =
                    match self.arithmetic_context().select_value(chosen, *number, *width, a, b) {
                        Some(value) => value,
                        None => request_value(chosen, *condition, None)?,
                    };
                self.write_register(*dst, value);
            }
            CompiledInstruction::Unary { dst, op, value, width } => {
                let value = self.read_operand(*value)?;
                let result = self.arithmetic_context().apply_unary(*op, *width, value)?;
                self.write_register(*dst, result);
            }
            CompiledInstruction::Float { dst, op, left, right, width } => {
                let (a, b) = (self.read_operand(*left)?, self.read_operand(*right)?);
                let value = self.arithmetic_context().apply_float(*op, *width, a, b)?;
                self.write_register(*dst, value);
            }
            CompiledInstruction::Alloca(alloca) => {
                let (size, name) = (self.read_operand(alloca.size)?, alloca.name.clone());
                // An array whose size is computed has one that only a term says, even if it is a
                // number on this run: others have other numbers.
                let computed = usize::try_from(alloca.size).is_ok();
                let made = match self.symbolic_extent(size, computed)? {
                    Some(extent) => self.memory.create_unsized_object(
                        extent,
                        alloca.align,
                        name,
                        StorageClass::Stack,
                    ),
                    None => {
                        let bytes = self.known_number(alloca.size)?;
                        self.memory.create_object(bytes, alloca.align, name, StorageClass::Stack)
                    }
                };
                let Some(object) = made else {
                    return fail_at_limit(match size.bits() {
                        Some(bytes) => format!("an object of {bytes} bytes on the stack"),
                        None => "too many objects of unknown size".to_owned(),
                    });
                };
                self.frame.objects.push(object);
                let base = self.memory.object(object).expect("just made").base;
                self.write_register(alloca.dst, MachineValue::address(base, object));
            }
            CompiledInstruction::StackSave { dst } => {
                let mark = MachineValue::plain(self.frame.objects.len() as u64);
                self.write_register(*dst, mark);
            }
            CompiledInstruction::StackRestore { mark } => {
                let mark = self.known_number(*mark)? as usize;
                self.restore_stack(mark);
            }
            CompiledInstruction::Copy { to, from, size, overlap } => {
                self.copy_range(*to, *from, *size, *overlap)?;
            }
            CompiledInstruction::Fill { to, value, size } => {
                let (target, byte) = (self.read_operand(*to)?, self.read_operand(*value)?);
                self.require_segment_head(target)?;
                let bytes = self.read_operand(*size)?;
                if self.havocs_in_bulk(target, &[bytes]) {
                    return Ok(());
                }
                let bytes = self.known_number(*size)?;
                if bytes > 0 {
                    let to = self.resolve_address(target, *to, bytes, true)?;
                    self.memory.fill_bytes(self.terms, to, byte, bytes as usize, self.span)?;
                }
            }
            CompiledInstruction::Choice { dst, ty, source } => {
                let value = self.choose_value(source, *ty, false)?;
                self.write_register(*dst, value);
            }
            CompiledInstruction::Unknown { dst, ty, why } => {
                let width = ty.size_in_bits(self.machine.pointer_bits);
                let unbounded = self.machine.overflow == OverflowSemantics::Unbounded;
                let sort = match ty {
                    Type::Int(INT..) if unbounded => Sort::Int,
                    _ => Sort::BitVec(width),
                };
                match self.environment.provide_unknown(self.terms, sort, why) {
                    Some(value) => self.write_register(*dst, value),
                    None => return fail_at_limit(why.to_string()),
                }
            }
            CompiledInstruction::Assume { condition } => {
                let value = self.read_operand(*condition)?;
                let condition = truth_formula(self.terms, value);
                match self.terms.as_bool(condition) {
                    Some(true) => {}
                    Some(false) => return Err(InstructionObstacle::End(RunEnd::Blocked)),
                    None => self.environment.assume(condition),
                }
            }
            CompiledInstruction::CallBuiltin(call) => {
                let mut values = Vec::with_capacity(call.args.len());
                for register in &call.args {
                    values.push((self.read_operand(*register)?, *register));
                }
                if call.builtin == BuiltinFunction::Allocate
                    && let Some(extent) = self.symbolic_extent(values[0].0, false)?
                {
                    let name = "allocated memory".into();
                    let made =
                        self.memory.create_unsized_object(extent, 16, name, StorageClass::Heap);
                    let Some(object) = made else {
                        return fail_at_limit("too many objects of unknown size");
                    };
                    let base = self.memory.object(object).expect("just made").base;
                    if let Some(dst) = call.dst {
                        self.write_register(dst, MachineValue::address(base, object));
                    }
                    return Ok(());
                }
                let InstructionStep { machine, memory, terms, environment, span, .. } = self;
                let result = machine.call_builtin(
                    call.builtin,
                    memory,
                    terms,
                    *environment,
                    &values,
                    *span,
                )?;
                if let (Some(dst), Some(value)) = (call.dst, result) {
                    self.write_register(dst, value);
                }
            }
            CompiledInstruction::VaStart { list } => {
                let target = self.read_operand(*list)?;
                let InstructionStep { machine, frame, memory, terms, span, .. } = self;
                machine.va_start(memory, terms, frame, target, *list, *span)?;
            }
            CompiledInstruction::Mark => {}
            CompiledInstruction::Exit(status) => {
                let value = self.read_operand(*status)?;
                return Err(InstructionObstacle::End(RunEnd::Exit(
                    value.bits().map(|bits| bits as i32),
                )));
            }
            CompiledInstruction::Abort(why) => {
                return Err(InstructionObstacle::End(RunEnd::Abort(why.to_string())));
            }
            CompiledInstruction::Undefined(what) => return fail_undefined(what.to_string()),
            CompiledInstruction::Limit(what) => return fail_at_limit(what.to_string()),
            CompiledInstruction::Jump(_)
            | CompiledInstruction::JumpPastMark(_)
            | CompiledInstruction::Branch { .. }
            | CompiledInstruction::Switch(_)
            | CompiledInstruction::GotoAddress { .. }
            | CompiledInstruction::Call(_)
            | CompiledInstruction::CallPointer { .. }
            | CompiledInstruction::Return(_) => {
                unreachable!("the run changes the flow of control itself")
            }
        }
        Ok(())
    }

    fn resolve_address(
        &mut self,
        address: MachineValue,
        register: OperandRegister,
        len: u64,
        write: bool,
    ) -> Result<(crate::ObjectRef, usize), InstructionObstacle> {
        resolve_access(self.memory, self.terms, address, register, len, write, self.span)
    }

    fn load_operand(
        &mut self,
        register: OperandRegister,
        ty: Type,
    ) -> Result<MachineValue, InstructionObstacle> {
        let address = self.read_operand(register)?;
        let asked = ty;
        let bits = ty.size_in_bits(self.machine.pointer_bits);
        if self.object_of_unknown_access(address, bits.div_ceil(8).into(), false)?.is_some() {
            return self.any_value(ty, UNKNOWN_PLACE);
        }
        let (object, at) =
            self.resolve_address(address, register, bits.div_ceil(8).into(), false)?;
        check_argument_type(self.memory, object, at, ty)?;
        loop {
            let (at, bits, ty) = match self.memory.load_value(self.terms, object, at, ty, self.span)
            {
                LoadOutcome::Value(value) => return Ok(value),
                LoadOutcome::TakenApart => return fail_at_limit(TAKEN_APART),
                LoadOutcome::Unwritten => (at, bits, ty),
                LoadOutcome::PartlyUnwritten(byte) => (byte, 8, Type::Int(8)),
            };
            if self.memory.object(object).expect("live").vague {
                // Of all bytes, also those that are known: less is known then, which is safe.
                return self.any_value(asked, UNKNOWN_PLACE);
            }
            let (source, unwritten) = unwritten_source(self.memory.object(object).expect("live"));
            let value = self.choose_value(&source, ty, unwritten)?;
            self.memory.store_value(self.terms, object, at, bits, value, self.span)?;
        }
    }

    fn offset_address(
        &mut self,
        base: MachineValue,
        index: MachineValue,
        scale: i64,
        index_width: u32,
    ) -> Result<MachineValue, InstructionObstacle> {
        if index.object().is_some() {
            self.memory.observe_layout(self.span);
        }
        if let (Some(_), Some(bits)) = (base.bits(), index.bits()) {
            return Ok(self.machine.moved_address(base, bits, scale, index_width));
        }
        let width = self.machine.pointer_bits;
        if is_integer(self.terms, base) || is_integer(self.terms, index) {
            let mut context = self.arithmetic_context();
            let index = context.value_as_integer(index, index_width, true)?;
            return Ok(context.integer_offset(base, index, scale, width)?);
        }
        let terms = &mut *self.terms;
        let address = value_to_term(terms, base, width);
        let index = value_to_term(terms, index, index_width);
        let index = if index_width < width {
            terms.sign_extend(width, index)
        } else {
            terms.truncate(width, index)
        };
        self.require_exact_move(base, index, scale)?;
        let terms = &mut *self.terms;
        let scale = terms.bv(width, i128::from(scale).cast_unsigned());
        let bytes = terms.bv_mul(index, scale);
        let sum = terms.bv_add(address, bytes);
        Ok(value_from_term(terms, sum, base.provenance()))
    }

    fn copy_range(
        &mut self,
        to: OperandRegister,
        from: OperandRegister,
        size: OperandRegister,
        overlap: bool,
    ) -> Result<(), InstructionObstacle> {
        let (target, source) = (self.read_operand(to)?, self.read_operand(from)?);
        self.require_segment_head(target)?;
        self.require_segment_head(source)?;
        let bytes = self.read_operand(size)?;
        if self.havocs_in_bulk(target, &[source, bytes]) {
            return Ok(());
        }
        let bytes = self.known_number(size)?;
        if bytes == 0 {
            return Ok(());
        }
        let a = self.resolve_address(target, to, bytes, true)?;
        let b = self.resolve_address(source, from, bytes, false)?;
        if !overlap && a.0 == b.0 && a.1 != b.1 && a.1.abs_diff(b.1) < bytes as usize {
            return fail_undefined("memcpy between overlapping regions");
        }
        self.memory.copy_bytes(self.terms, a, b, bytes as usize, self.span)?;
        Ok(())
    }

    fn restore_stack(&mut self, mark: usize) {
        let CallFrame { objects, stack, .. } = &mut *self.frame;
        for object in objects.drain(mark.min(objects.len())..).rev() {
            self.memory.release_object(object);
        }
        // Objects of unknown size lie elsewhere.
        let mut known = objects.iter().rev().filter_map(|o| self.memory.object(*o));
        self.memory.stack = known.find(|o| o.extent.is_none()).map_or(*stack, |o| o.base);
    }

    /// The block of a function whose label an operand is the address of.
    pub(crate) fn resolve_label(
        &mut self,
        owner: FunctionId,
        address: OperandRegister,
    ) -> Result<BlockId, InstructionObstacle> {
        let value = self.read_operand(address)?;
        if is_integer(self.terms, value) {
            return fail_at_limit("a goto to an address that was computed");
        }
        if value.is_symbolic() {
            return request_value(value, address, None);
        }
        let object = value.object().and_then(|object| self.memory.object(object));
        match object.map(|object| object.storage) {
            Some(StorageClass::Label(function, block)) if function == owner => Ok(block),
            _ => fail_undefined("goto to something that is no label"),
        }
    }
}

/// Why a read gives a value that nobody knows.
const UNKNOWN_PLACE: &str = "what is at an unknown place of an object";

/// Whose choice bytes are that the program never wrote, and whether they are uninitialised.
fn unwritten_source(object: &MemoryObject) -> (ChoiceSource, bool) {
    let what = if object.external { "external" } else { "uninitialised" };
    (ChoiceSource::Other(format!("{what} memory of {}", object.name)), !object.external)
}

fn describe_choice_source(source: &ChoiceSource) -> String {
    match source {
        ChoiceSource::Function(name) | ChoiceSource::Allocation(name) => format!("{name}()"),
        ChoiceSource::Output(what) => format!("whether output fails: {what}"),
        ChoiceSource::Other(what) => what.clone(),
        ChoiceSource::Guess => "a guess of the specification".to_owned(),
    }
}
