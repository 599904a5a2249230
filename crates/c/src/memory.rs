//! Memory: stack objects, loads and stores, address arithmetic, atomic operations.

use ouro_model::{BinaryOp, CompareOp, FloatOp, Instruction, Operand, Type};

use crate::function::{FunctionTranslator, TranslationResult, limit_terminator};
use crate::layout;
use crate::llvm::{AtomicOp, LlvmType, LlvmValue, Opcode, TypeKind};
use crate::values::{int_constant, undefined_terminator, width_mask};

/// How an object is called that the compiler made for itself.
pub(crate) const A_TEMPORARY: &str = "a temporary";

impl<'c> FunctionTranslator<'_, 'c> {
    pub(crate) fn translate_alloca(
        &mut self,
        value: LlvmValue<'c>,
    ) -> TranslationResult<Vec<Operand>> {
        if self.slots.contains_key(&value) {
            // Its loads and stores name the variable; nothing uses the address.
            return Ok(Vec::new());
        }
        let ty = value.allocated_type();
        if !ty.is_sized() {
            return Err(limit_terminator("an object of unknown size"));
        }
        let size = self.program.layout.size(ty);
        let count = self.single_operand(value.operand(0))?;
        let size = if let Operand::Const { bits, .. } = count {
            let bits = bits.saturating_mul(u128::from(size));
            int_constant(self.program.pointer_bits, bits)
        } else {
            let count = self.resize_integer(count, self.program.pointer_bits);
            let size = self.address_constant(size);
            self.emit_binary(BinaryOp::Mul { signed: false }, count, size)
        };
        let align = value.alignment().max(1);
        let mut name = self.slot_name(value);
        if name.is_empty() {
            // clang names its own temporaries; only what `alloca` makes has no name at all.
            let by_hand = value.name().is_empty();
            name = if by_hand { "alloca()" } else { A_TEMPORARY }.to_owned();
        }
        Ok(vec![self.builder.emit_with_result(Type::Ptr, |dst| Instruction::Alloca {
            dst,
            size,
            align,
            name,
        })])
    }

    /// Says what an access to a volatile object relies on. Hardware or a signal handler might change
    /// it at any time; the model keeps it in memory, but as the program's own.
    pub(crate) fn note_volatile(&mut self, value: LlvmValue<'c>) {
        let volatile = match value.opcode() {
            Opcode::LLVMLoad
            | Opcode::LLVMStore
            | Opcode::LLVMAtomicRMW
            | Opcode::LLVMAtomicCmpXchg => value.is_volatile(),
            Opcode::LLVMCall => value.is_volatile_copy(),
            _ => false,
        };
        if volatile && !self.library {
            let text = "volatile objects change only when the program itself writes them";
            self.program.note_assumption(text.to_owned());
            self.program.volatile.insert(self.builder.span);
        }
    }

    pub(crate) fn translate_load(
        &mut self,
        value: LlvmValue<'c>,
    ) -> TranslationResult<Vec<Operand>> {
        let address = value.operand(0);
        if let Some(var) = self.slots.get(&address) {
            let (var, ty) = (*var, self.builder.vars[*var].ty);
            return Ok(vec![self.builder.emit_with_result(ty, |dst| Instruction::Assign {
                dst,
                value: Operand::Var(var),
            })]);
        }
        let address = self.single_operand(address)?;
        self.emit_load(address, value.ty())
    }

    /// Loads a value of any type, scalar by scalar.
    pub(crate) fn emit_load(
        &mut self,
        address: Operand,
        ty: LlvmType<'c>,
    ) -> TranslationResult<Vec<Operand>> {
        let leaves = self.memory_leaves(ty)?;
        Ok(leaves
            .into_iter()
            .map(|leaf| {
                let address = self.offset_address(address, i128::from(leaf.offset));
                self.builder.emit_with_result(leaf.ty, |dst| Instruction::Load { dst, address })
            })
            .collect())
    }

    pub(crate) fn translate_store(&mut self, value: LlvmValue<'c>) -> TranslationResult<()> {
        if let Some(name) = self.constant_stores.get(&value) {
            let what = format!("write to {name}, a constant local variable");
            return Err(undefined_terminator(&what));
        }
        let address = value.operand(1);
        let stored = self.scalar_operands(value.operand(0))?;
        if let Some(var) = self.slots.get(&address) {
            let dst = *var;
            if let [value] = stored[..] {
                self.builder.emit(Instruction::Assign { dst, value });
            }
            return Ok(());
        }
        let address = self.single_operand(address)?;
        self.emit_store(address, value.operand(0).ty(), &stored)
    }

    /// Stores a value of any type, scalar by scalar.
    pub(crate) fn emit_store(
        &mut self,
        address: Operand,
        ty: LlvmType<'c>,
        values: &[Operand],
    ) -> TranslationResult<()> {
        let leaves = self.memory_leaves(ty)?;
        for (leaf, value) in leaves.into_iter().zip(values) {
            let address = self.offset_address(address, i128::from(leaf.offset));
            self.builder.emit(Instruction::Store { address, value: *value });
        }
        Ok(())
    }

    fn memory_leaves(&self, ty: LlvmType<'c>) -> TranslationResult<Vec<layout::ScalarLeaf>> {
        if layout::has_addressable_leaves(self.program.layout, ty) {
            self.scalar_leaves(ty)
        } else {
            Err(limit_terminator("a vector of bits in memory"))
        }
    }

    /// An address moved by a number of bytes that is known.
    pub(crate) fn offset_address(&mut self, base: Operand, bytes: i128) -> Operand {
        if bytes == 0 {
            return base;
        }
        if let Operand::Global(global, offset) = base
            && let Ok(bytes) = i64::try_from(i128::from(offset) + bytes)
        {
            return Operand::Global(global, bytes);
        }
        let width = self.program.pointer_bits;
        let index = int_constant(width, bytes.cast_unsigned() & width_mask(width));
        self.builder.emit_with_result(Type::Ptr, |dst| Instruction::Offset {
            dst,
            base,
            index,
            scale: 1,
        })
    }

    /// `getelementptr`, as an instruction or a constant expression.
    pub(crate) fn translate_element_pointer(
        &mut self,
        value: LlvmValue<'c>,
    ) -> TranslationResult<Operand> {
        let mut address = self.single_operand(value.operand(0))?;
        let mut ty = value.element_type();
        let mut known: i128 = 0;
        for (position, index) in value.operands().into_iter().skip(1).enumerate() {
            if position > 0 {
                match ty.kind() {
                    TypeKind::LLVMStructTypeKind => {
                        let field = index
                            .int_value()
                            .and_then(|field| u32::try_from(field).ok())
                            .ok_or_else(|| limit_terminator("a vector of addresses"))?;
                        known += i128::from(self.program.layout.field_offset(ty, field));
                        let fields = ty.fields();
                        ty = *fields
                            .get(field as usize)
                            .ok_or_else(|| limit_terminator("a field"))?;
                        continue;
                    }
                    TypeKind::LLVMArrayTypeKind | TypeKind::LLVMVectorTypeKind => {
                        ty = ty.element();
                    }
                    _ => return Err(limit_terminator("an address inside a scalar")),
                }
            }
            if !ty.is_sized() {
                return Err(limit_terminator("an address inside an object of unknown size"));
            }
            let size = self.program.layout.size(ty);
            let index = self.single_operand(index)?;
            match index {
                Operand::Const { ty: Type::Int(bits), bits: index } => {
                    known += sign_extended(index, bits) * i128::from(size);
                }
                _ => {
                    let scale =
                        i64::try_from(size).map_err(|_| limit_terminator("a huge object"))?;
                    let base = address;
                    address = self.builder.emit_with_result(Type::Ptr, |dst| Instruction::Offset {
                        dst,
                        base,
                        index,
                        scale,
                    });
                }
            }
        }
        Ok(self.offset_address(address, known))
    }

    /// `atomicrmw`: one thread, so it is a load, an operation and a store.
    pub(crate) fn atomic_update(
        &mut self,
        value: LlvmValue<'c>,
    ) -> TranslationResult<Vec<Operand>> {
        use AtomicOp as A;
        let ty = value.operand(1).ty();
        let address = self.single_operand(value.operand(0))?;
        let operand = self.single_operand(value.operand(1))?;
        let old = self.emit_load(address, ty)?;
        let [before] = old[..] else { return Err(limit_terminator("an atomic vector")) };
        let new = match value.atomic_op() {
            A::LLVMAtomicRMWBinOpXchg => operand,
            A::LLVMAtomicRMWBinOpAdd => {
                self.emit_binary(BinaryOp::Add { signed: false }, before, operand)
            }
            A::LLVMAtomicRMWBinOpSub => {
                self.emit_binary(BinaryOp::Sub { signed: false }, before, operand)
            }
            A::LLVMAtomicRMWBinOpAnd => self.emit_binary(BinaryOp::And, before, operand),
            A::LLVMAtomicRMWBinOpOr => self.emit_binary(BinaryOp::Or, before, operand),
            A::LLVMAtomicRMWBinOpXor => self.emit_binary(BinaryOp::Xor, before, operand),
            A::LLVMAtomicRMWBinOpNand => {
                let both = self.emit_binary(BinaryOp::And, before, operand);
                let Type::Int(bits) = self.builder.type_of(both) else {
                    return Err(limit_terminator("an atomic operation"));
                };
                self.emit_binary(BinaryOp::Xor, both, int_constant(bits, u128::MAX))
            }
            A::LLVMAtomicRMWBinOpMax => self.emit_maximum(CompareOp::Slt, before, operand),
            A::LLVMAtomicRMWBinOpMin => self.emit_minimum(CompareOp::Slt, before, operand),
            A::LLVMAtomicRMWBinOpUMax => self.emit_maximum(CompareOp::Ult, before, operand),
            A::LLVMAtomicRMWBinOpUMin => self.emit_minimum(CompareOp::Ult, before, operand),
            A::LLVMAtomicRMWBinOpFAdd => self.emit_float(FloatOp::Add, before, operand),
            A::LLVMAtomicRMWBinOpFSub => self.emit_float(FloatOp::Sub, before, operand),
            _ => return Err(limit_terminator("an atomic operation")),
        };
        self.emit_store(address, ty, &[new])?;
        Ok(old)
    }

    /// The smaller one in the order `less`.
    pub(crate) fn emit_minimum(
        &mut self,
        less: CompareOp,
        left: Operand,
        right: Operand,
    ) -> Operand {
        let condition = self.emit_compare(less, left, right);
        self.emit_select(condition, left, right)
    }

    /// The greater one in the order `less`.
    pub(crate) fn emit_maximum(
        &mut self,
        less: CompareOp,
        left: Operand,
        right: Operand,
    ) -> Operand {
        let condition = self.emit_compare(less, left, right);
        self.emit_select(condition, right, left)
    }

    /// `cmpxchg`: the old value, and whether it was the expected one.
    pub(crate) fn atomic_exchange(
        &mut self,
        value: LlvmValue<'c>,
    ) -> TranslationResult<Vec<Operand>> {
        if value.is_weak() {
            self.program.note_assumption(
                "atomic_compare_exchange_weak fails only if the value is not the expected one, as \
                 on x86"
                    .to_owned(),
            );
        }
        let ty = value.operand(1).ty();
        let address = self.single_operand(value.operand(0))?;
        let expected = self.single_operand(value.operand(1))?;
        let new = self.single_operand(value.operand(2))?;
        let old = self.emit_load(address, ty)?;
        let [before] = old[..] else { return Err(limit_terminator("an atomic vector")) };
        let equal = self.emit_compare(CompareOp::Eq, before, expected);
        let stored = self.emit_select(equal, new, before);
        self.emit_store(address, ty, &[stored])?;
        Ok(vec![before, equal])
    }
}

/// The signed value of an integer of `bits` bits.
pub(crate) fn sign_extended(value: u128, bits: u32) -> i128 {
    let unused = 128 - bits.clamp(1, 128);
    (value << unused).cast_signed() >> unused
}
