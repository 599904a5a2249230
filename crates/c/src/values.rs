//! Operands: what was computed before, and constants of every kind.

use ouro_model::{BinaryOp, CastOp, Instruction, Operand, Terminator, Type};

use crate::function::{FunctionTranslator, TranslationResult, limit_terminator};
use crate::llvm::{LlvmValue, Opcode, TypeKind, ValueKind};
use crate::lower::ResolvedSymbol;
use crate::{layout, standard, wide};

/// The lowest `bits` bits.
pub(crate) fn width_mask(bits: u32) -> u128 {
    if bits >= 128 { u128::MAX } else { (1 << bits) - 1 }
}

/// A constant integer.
pub(crate) fn int_constant(bits: u32, value: u128) -> Operand {
    Operand::Const { ty: Type::Int(bits), bits: value & width_mask(bits) }
}

impl<'c> FunctionTranslator<'_, 'c> {
    /// The single scalar of a value.
    pub(crate) fn single_operand(&mut self, value: LlvmValue<'c>) -> TranslationResult<Operand> {
        match self.scalar_operands(value)?[..] {
            [operand] => Ok(operand),
            _ => Err(limit_terminator("a vector or structure where a single value is expected")),
        }
    }

    /// The scalars of a value.
    pub(crate) fn scalar_operands(
        &mut self,
        value: LlvmValue<'c>,
    ) -> TranslationResult<Vec<Operand>> {
        if let Some(operands) = self.values.get(&value) {
            return Ok(operands.clone());
        }
        match value.kind() {
            // Its definition was cut off by a limit, so nothing gets here.
            ValueKind::LLVMInstructionValueKind | ValueKind::LLVMArgumentValueKind => {
                Err(limit_terminator("code that was not translated"))
            }
            _ => self.constant_operands(value),
        }
    }

    fn constant_operands(&mut self, value: LlvmValue<'c>) -> TranslationResult<Vec<Operand>> {
        if value.is_undefined() {
            let leaves = self.scalar_leaves(value.ty())?;
            return Ok(leaves
                .into_iter()
                .map(|leaf| {
                    let why = "an undefined value of the compiler".to_owned();
                    self.builder.emit_with_result(leaf.ty, |dst| Instruction::Unknown { dst, why })
                })
                .collect());
        }
        match value.kind() {
            ValueKind::LLVMConstantIntValueKind
                if wide::wide_integer_width(value.ty()).is_some() =>
            {
                let types = self.scalar_types(value.ty())?;
                let limbs = value.int_limbs().ok_or_else(|| limit_terminator("a constant"))?;
                let parts = types.into_iter().zip(limbs);
                Ok(parts.map(|(ty, limb)| Operand::Const { ty, bits: limb.into() }).collect())
            }
            ValueKind::LLVMConstantIntValueKind
            | ValueKind::LLVMConstantFPValueKind
            | ValueKind::LLVMConstantPointerNullValueKind => {
                let ty = layout::scalar_type(value.ty()).map_err(limit_terminator)?;
                let bits = scalar_bits(value, ty).ok_or_else(|| limit_terminator("a constant"))?;
                Ok(vec![Operand::Const { ty, bits }])
            }
            ValueKind::LLVMConstantAggregateZeroValueKind => {
                let leaves = self.scalar_leaves(value.ty())?;
                Ok(leaves.iter().map(|leaf| Operand::Const { ty: leaf.ty, bits: 0 }).collect())
            }
            ValueKind::LLVMConstantArrayValueKind
            | ValueKind::LLVMConstantDataArrayValueKind
            | ValueKind::LLVMConstantStructValueKind
            | ValueKind::LLVMConstantVectorValueKind
            | ValueKind::LLVMConstantDataVectorValueKind => {
                self.scalar_leaves(value.ty())?;
                let mut operands = Vec::new();
                for element in aggregate_elements(value) {
                    operands.extend(self.scalar_operands(element)?);
                }
                Ok(operands)
            }
            ValueKind::LLVMFunctionValueKind
            | ValueKind::LLVMGlobalVariableValueKind
            | ValueKind::LLVMGlobalAliasValueKind => Ok(vec![self.address_operand(value)?]),
            ValueKind::LLVMBlockAddressValueKind => {
                let (function, block) = value.block_address();
                match self.blocks.get(&block) {
                    Some(block) if function == self.function => Ok(vec![Operand::Label(*block)]),
                    _ => Err(limit_terminator("the address of a label of another function")),
                }
            }
            ValueKind::LLVMConstantExprValueKind => self.constant_expression_operands(value),
            ValueKind::LLVMGlobalIFuncValueKind => {
                Err(limit_terminator(format!("the indirect function {} (ifunc)", value.name())))
            }
            _ => Err(limit_terminator(format!("the constant {}", value.text().trim()))),
        }
    }

    /// The address of a function or global.
    fn address_operand(&mut self, value: LlvmValue<'c>) -> TranslationResult<Operand> {
        if matches!(value.kind(), ValueKind::LLVMGlobalAliasValueKind) {
            let target = value.aliasee();
            return self.single_operand(target);
        }
        match self.program.resolve(value).map_err(limit_terminator)? {
            ResolvedSymbol::Global(global) => {
                Ok(Operand::Global(self.program.global_id(global).map_err(limit_terminator)?, 0))
            }
            symbol @ (ResolvedSymbol::Function(function) | ResolvedSymbol::External(function)) => {
                if matches!(symbol, ResolvedSymbol::External(_))
                    && matches!(function.linkage(), crate::llvm::Linkage::LLVMExternalWeakLinkage)
                {
                    // A weak function that nobody defines: its address is null.
                    let name = standard::readable_function_name(&function.name());
                    self.program.note_assumption(format!(
                        "the weak function {name} is defined nowhere else: its address is null"
                    ));
                    return Ok(Operand::Const { ty: Type::Ptr, bits: 0 });
                }
                self.check_signature(function)?;
                Ok(Operand::Function(self.program.function_id(symbol)))
            }
        }
    }

    /// Refuses functions whose parameters or results the model cannot hold.
    pub(crate) fn check_signature(&self, function: LlvmValue<'c>) -> TranslationResult<()> {
        let ty = function.value_type();
        self.scalar_leaves(ty.result())?;
        for parameter in ty.parameters() {
            self.scalar_leaves(parameter)?;
        }
        Ok(())
    }

    fn constant_expression_operands(
        &mut self,
        value: LlvmValue<'c>,
    ) -> TranslationResult<Vec<Operand>> {
        match value.constant_opcode() {
            Opcode::LLVMGetElementPtr => Ok(vec![self.translate_element_pointer(value)?]),
            Opcode::LLVMPtrToInt => self.translate_cast(value, CastOp::PtrToInt),
            Opcode::LLVMIntToPtr => self.translate_cast(value, CastOp::IntToPtr),
            Opcode::LLVMTrunc => self.translate_cast(value, CastOp::Truncate),
            Opcode::LLVMBitCast => self.bit_cast(value),
            Opcode::LLVMAddrSpaceCast => self.scalar_operands(value.operand(0)),
            Opcode::LLVMAdd => self.translate_binary(value, BinaryOp::Add { signed: false }),
            Opcode::LLVMSub => self.translate_binary(value, BinaryOp::Sub { signed: false }),
            Opcode::LLVMMul => self.translate_binary(value, BinaryOp::Mul { signed: false }),
            Opcode::LLVMXor => self.translate_binary(value, BinaryOp::Xor),
            _ => Err(limit_terminator(format!("the constant {}", value.text()))),
        }
    }

    /// `dst = (type of value) operand`, scalar by scalar.
    pub(crate) fn translate_cast(
        &mut self,
        value: LlvmValue<'c>,
        op: CastOp,
    ) -> TranslationResult<Vec<Operand>> {
        if wide::wide_integer_width(value.ty())
            .or(wide::wide_integer_width(value.operand(0).ty()))
            .is_some()
        {
            return self.wide_cast(value, op);
        }
        let to = self.scalar_types(value.ty())?;
        let from = self.scalar_operands(value.operand(0))?;
        if from.len() != to.len() {
            return Err(limit_terminator("a conversion between vectors of different lengths"));
        }
        Ok(from.into_iter().zip(to).map(|(value, ty)| self.convert_scalar(op, value, ty)).collect())
    }

    /// Converts a scalar; constants are converted at once where that is plain.
    pub(crate) fn convert_scalar(&mut self, op: CastOp, value: Operand, ty: Type) -> Operand {
        if let Operand::Const { ty: Type::Int(from), bits } = value {
            match (op, ty) {
                (CastOp::Truncate | CastOp::ZeroExtend, Type::Int(to)) => {
                    return int_constant(to, bits);
                }
                (CastOp::SignExtend, Type::Int(to)) => {
                    let negative = bits >> (from - 1) & 1 == 1;
                    let high = if negative { width_mask(to) & !width_mask(from) } else { 0 };
                    return int_constant(to, bits | high);
                }
                (CastOp::IntToPtr, Type::Ptr) => {
                    return Operand::Const {
                        ty: Type::Ptr,
                        bits: bits & width_mask(self.program.pointer_bits),
                    };
                }
                _ => {}
            }
        }
        self.builder.emit_with_result(ty, |dst| Instruction::Cast { dst, op, value })
    }

    /// An integer of another width, the value taken as unsigned.
    pub(crate) fn resize_integer(&mut self, value: Operand, bits: u32) -> Operand {
        match self.builder.type_of(value) {
            Type::Int(from) if from > bits => {
                self.convert_scalar(CastOp::Truncate, value, Type::Int(bits))
            }
            Type::Int(from) if from < bits => {
                self.convert_scalar(CastOp::ZeroExtend, value, Type::Int(bits))
            }
            _ => value,
        }
    }

    /// Same bits, other type: through one wide integer when the parts differ.
    pub(crate) fn bit_cast(&mut self, value: LlvmValue<'c>) -> TranslationResult<Vec<Operand>> {
        let to = self.scalar_types(value.ty())?;
        let from = self.scalar_operands(value.operand(0))?;
        let from_types: Vec<Type> = from.iter().map(|o| self.builder.type_of(*o)).collect();
        if from_types == to {
            return Ok(from);
        }
        let width = |types: &[Type]| -> u32 {
            types.iter().map(|ty| ty.size_in_bits(self.program.pointer_bits)).sum()
        };
        let total = width(&to);
        if total > 128 || total != width(&from_types) {
            return Err(limit_terminator("a vector reinterpreted as another type"));
        }
        let mut whole = int_constant(total, 0);
        let mut shift = 0;
        for (part, ty) in from.into_iter().zip(from_types) {
            let bits = ty.size_in_bits(self.program.pointer_bits);
            let part = self.bits_of(part, ty);
            let part = self.resize_integer(part, total);
            let part = self.emit_shift(BinaryOp::Shl { signed: false }, part, shift, total);
            whole = if shift == 0 { part } else { self.emit_binary(BinaryOp::Or, whole, part) };
            shift += bits;
        }
        let mut parts = Vec::new();
        let mut shift = 0;
        for ty in to {
            let bits = ty.size_in_bits(self.program.pointer_bits);
            let part = self.emit_shift(BinaryOp::LShr, whole, shift, total);
            let part = self.resize_integer(part, bits);
            parts.push(match ty {
                Type::Int(_) => part,
                Type::Float(_) => self.convert_scalar(CastOp::Bits, part, ty),
                Type::Ptr => self.convert_scalar(CastOp::IntToPtr, part, ty),
            });
            shift += bits;
        }
        Ok(parts)
    }

    /// The bits of a scalar as an integer.
    pub(crate) fn bits_of(&mut self, value: Operand, ty: Type) -> Operand {
        match ty {
            Type::Int(_) => value,
            Type::Float(bits) => self.convert_scalar(CastOp::Bits, value, Type::Int(bits)),
            Type::Ptr => self.convert_scalar(CastOp::PtrToInt, value, self.address_integer_type()),
        }
    }

    fn emit_shift(&mut self, op: BinaryOp, value: Operand, by: u32, width: u32) -> Operand {
        if by == 0 {
            value
        } else {
            self.emit_binary(op, value, int_constant(width, u128::from(by)))
        }
    }

    /// `left op right` in a fresh variable of the left operand's type.
    pub(crate) fn emit_binary(&mut self, op: BinaryOp, left: Operand, right: Operand) -> Operand {
        let ty = self.builder.type_of(left);
        self.builder.emit_with_result(ty, |dst| Instruction::Binary { dst, op, left, right })
    }

    /// The characters of a string literal up to its end; also when a parameter is known to be one.
    pub(crate) fn required_literal(&self, value: LlvmValue<'c>) -> TranslationResult<String> {
        self.known_literal(value).ok_or_else(|| limit_terminator("a message that is not a literal"))
    }

    pub(crate) fn known_literal(&self, value: LlvmValue<'c>) -> Option<String> {
        if matches!(value.kind(), ValueKind::LLVMGlobalVariableValueKind) {
            let bytes =
                value.initializer().filter(|_| value.is_constant_global())?.string_bytes()?;
            let text = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
            return Some(String::from_utf8_lossy(text).into_owned());
        }
        // A parameter, loaded from the slot where it is saved and never changed.
        if !value.is_instruction() || !matches!(value.opcode(), Opcode::LLVMLoad) {
            return None;
        }
        let slot = value.operand(0);
        self.slots.get(&slot)?;
        let users = slot.users();
        let mut stores = users.iter().filter(|user| matches!(user.opcode(), Opcode::LLVMStore));
        let (Some(store), None) = (stores.next(), stores.next()) else { return None };
        let parameters = self.function.parameters();
        let position = parameters.iter().position(|p| *p == store.operand(0))?;
        let known = self.literals.iter().find(|known| known.0 as usize == position)?;
        Some(known.1.clone())
    }
}

/// The parts of a constant aggregate.
pub(crate) fn aggregate_elements(value: LlvmValue<'_>) -> Vec<LlvmValue<'_>> {
    let ty = value.ty();
    let count = match ty.kind() {
        TypeKind::LLVMStructTypeKind => ty.fields().len() as u64,
        TypeKind::LLVMArrayTypeKind => ty.array_length(),
        _ => u64::from(ty.vector_length()),
    };
    (0..u32::try_from(count).unwrap_or(u32::MAX))
        .map_while(|index| value.aggregate_element(index))
        .collect()
}

/// Bits of a constant scalar.
pub(crate) fn scalar_bits(value: LlvmValue<'_>, ty: Type) -> Option<u128> {
    match ty {
        Type::Int(_) => value.int_value(),
        Type::Ptr => value.is_zero().then_some(0),
        Type::Float(bits) => value.float_bits(bits),
    }
}

/// A terminator for behaviour that C leaves undefined.
pub(crate) fn undefined_terminator(text: &str) -> Terminator {
    Terminator::Undefined(text.to_owned())
}
