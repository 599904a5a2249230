//! Instructions: arithmetic, comparisons, parts of values, control flow.

use ouro_model::{
    BinaryOp, BlockId, CastOp, CompareOp, FloatOp, Instruction, Operand, Terminator, Type, UnaryOp,
};

use crate::function::{FunctionTranslator, TranslationResult, limit_terminator};
use crate::llvm::{IntPredicate, LlvmValue, Opcode, RealPredicate, TypeKind};
use crate::values::{int_constant, undefined_terminator};
use crate::{layout, wide};

impl<'c> FunctionTranslator<'_, 'c> {
    /// Translates one instruction.
    pub(crate) fn translate_instruction(&mut self, value: LlvmValue<'c>) -> TranslationResult<()> {
        let signed = |value: LlvmValue<'c>| value.has_nsw();
        self.note_volatile(value);
        let result = match value.opcode() {
            Opcode::LLVMPHI => return Ok(()),
            Opcode::LLVMAdd if !signed(value) && is_decrement(value) => {
                let operand = self.single_operand(value.operand(0))?;
                let one = int_constant(value.ty().int_bits(), 1);
                vec![self.emit_binary(BinaryOp::Sub { signed: false }, operand, one)]
            }
            Opcode::LLVMAdd => {
                self.translate_binary(value, BinaryOp::Add { signed: signed(value) })?
            }
            Opcode::LLVMSub => {
                self.translate_binary(value, BinaryOp::Sub { signed: signed(value) })?
            }
            Opcode::LLVMMul => {
                self.translate_binary(value, BinaryOp::Mul { signed: signed(value) })?
            }
            Opcode::LLVMShl => {
                self.translate_binary(value, BinaryOp::Shl { signed: signed(value) })?
            }
            Opcode::LLVMLShr => self.translate_binary(value, BinaryOp::LShr)?,
            Opcode::LLVMAShr => self.translate_binary(value, BinaryOp::AShr)?,
            Opcode::LLVMUDiv => self.translate_binary(value, BinaryOp::UDiv)?,
            Opcode::LLVMSDiv if is_minus_one(value.operand(1)) => {
                let operand = self.single_operand(value.operand(0))?;
                vec![self.emit_negation(operand)]
            }
            Opcode::LLVMSRem if is_minus_one(value.operand(1)) => {
                // Undefined for the least number, as its quotient is; otherwise nothing is left.
                let operand = self.single_operand(value.operand(0))?;
                self.emit_negation(operand);
                vec![int_constant(value.ty().int_bits(), 0)]
            }
            Opcode::LLVMSDiv => self.translate_binary(value, BinaryOp::SDiv)?,
            Opcode::LLVMURem => self.translate_binary(value, BinaryOp::URem)?,
            Opcode::LLVMSRem => self.translate_binary(value, BinaryOp::SRem)?,
            Opcode::LLVMAnd => self.translate_binary(value, BinaryOp::And)?,
            Opcode::LLVMOr => self.translate_binary(value, BinaryOp::Or)?,
            Opcode::LLVMXor => self.translate_binary(value, BinaryOp::Xor)?,
            Opcode::LLVMFAdd => self.translate_float_binary(value, FloatOp::Add)?,
            Opcode::LLVMFSub => self.translate_float_binary(value, FloatOp::Sub)?,
            Opcode::LLVMFMul => self.translate_float_binary(value, FloatOp::Mul)?,
            Opcode::LLVMFDiv => self.translate_float_binary(value, FloatOp::Div)?,
            Opcode::LLVMFRem => self.translate_float_binary(value, FloatOp::Mod)?,
            Opcode::LLVMFNeg => {
                let operands = self.scalar_operands(value.operand(0))?;
                operands.into_iter().map(|o| self.emit_unary(UnaryOp::FloatNeg, o)).collect()
            }
            Opcode::LLVMTrunc => self.translate_cast(value, CastOp::Truncate)?,
            Opcode::LLVMZExt => self.translate_cast(value, CastOp::ZeroExtend)?,
            Opcode::LLVMSExt => self.translate_cast(value, CastOp::SignExtend)?,
            Opcode::LLVMFPToUI => self.translate_cast(value, CastOp::FloatToUnsigned)?,
            Opcode::LLVMFPToSI => self.translate_cast(value, CastOp::FloatToSigned)?,
            Opcode::LLVMUIToFP => self.translate_cast(value, CastOp::UnsignedToFloat)?,
            Opcode::LLVMSIToFP => self.translate_cast(value, CastOp::SignedToFloat)?,
            Opcode::LLVMFPTrunc | Opcode::LLVMFPExt => {
                self.translate_cast(value, CastOp::FloatToFloat)?
            }
            Opcode::LLVMPtrToInt => self.translate_cast(value, CastOp::PtrToInt)?,
            Opcode::LLVMIntToPtr => self.translate_cast(value, CastOp::IntToPtr)?,
            Opcode::LLVMBitCast => self.bit_cast(value)?,
            Opcode::LLVMAddrSpaceCast | Opcode::LLVMFreeze => {
                self.scalar_operands(value.operand(0))?
            }
            Opcode::LLVMICmp => self.int_comparison(value)?,
            Opcode::LLVMFCmp => self.float_comparison(value)?,
            Opcode::LLVMSelect => self.translate_select(value)?,
            Opcode::LLVMExtractValue => {
                let whole = self.scalar_operands(value.operand(0))?;
                let (start, count) = self.locate_part(value.operand(0), &value.indices())?;
                whole[start..start + count].to_vec()
            }
            Opcode::LLVMInsertValue => {
                let mut whole = self.scalar_operands(value.operand(0))?;
                let part = self.scalar_operands(value.operand(1))?;
                let (start, count) = self.locate_part(value.operand(0), &value.indices())?;
                whole.splice(start..start + count, part);
                whole
            }
            Opcode::LLVMExtractElement => {
                let whole = self.scalar_operands(value.operand(0))?;
                let index = self.constant_lane(value.operand(1), whole.len())?;
                vec![whole[index]]
            }
            Opcode::LLVMInsertElement => {
                let mut whole = self.scalar_operands(value.operand(0))?;
                let index = self.constant_lane(value.operand(2), whole.len())?;
                whole[index] = self.single_operand(value.operand(1))?;
                whole
            }
            Opcode::LLVMShuffleVector => self.translate_shuffle(value)?,
            Opcode::LLVMAlloca => self.translate_alloca(value)?,
            Opcode::LLVMLoad => self.translate_load(value)?,
            Opcode::LLVMStore => return self.translate_store(value),
            Opcode::LLVMGetElementPtr => vec![self.translate_element_pointer(value)?],
            Opcode::LLVMAtomicRMW => self.atomic_update(value)?,
            Opcode::LLVMAtomicCmpXchg => self.atomic_exchange(value)?,
            Opcode::LLVMFence => return Ok(()),
            Opcode::LLVMCall => self.translate_call(value)?,
            Opcode::LLVMInvoke => {
                let result = self.translate_call(value)?;
                self.values.insert(value, result);
                return self.translate_terminator(value);
            }
            Opcode::LLVMRet
            | Opcode::LLVMBr
            | Opcode::LLVMSwitch
            | Opcode::LLVMIndirectBr
            | Opcode::LLVMUnreachable => return self.translate_terminator(value),
            Opcode::LLVMLandingPad
            | Opcode::LLVMResume
            | Opcode::LLVMCleanupRet
            | Opcode::LLVMCatchRet
            | Opcode::LLVMCatchPad
            | Opcode::LLVMCleanupPad
            | Opcode::LLVMCatchSwitch => return Err(limit_terminator("a C++ exception")),
            Opcode::LLVMCallBr => return Err(limit_terminator("inline assembly with jumps")),
            Opcode::LLVMVAArg => return Err(limit_terminator("the compiler's own va_arg")),
            _ => return Err(limit_terminator(format!("the instruction {}", value.text().trim()))),
        };
        self.values.insert(value, result);
        Ok(())
    }

    pub(crate) fn translate_binary(
        &mut self,
        value: LlvmValue<'c>,
        op: BinaryOp,
    ) -> TranslationResult<Vec<Operand>> {
        if wide::wide_integer_width(value.ty()).is_some() {
            return self.wide_binary(value, op);
        }
        let (left, right) = self.operand_pair(value)?;
        Ok(left.into_iter().zip(right).map(|(l, r)| self.emit_binary(op, l, r)).collect())
    }

    /// `-operand`, which the least number does not have.
    fn emit_negation(&mut self, operand: Operand) -> Operand {
        let ty = self.builder.type_of(operand);
        self.emit_binary(BinaryOp::Sub { signed: true }, Operand::Const { ty, bits: 0 }, operand)
    }

    fn translate_float_binary(
        &mut self,
        value: LlvmValue<'c>,
        op: FloatOp,
    ) -> TranslationResult<Vec<Operand>> {
        let (left, right) = self.operand_pair(value)?;
        Ok(left.into_iter().zip(right).map(|(l, r)| self.emit_float(op, l, r)).collect())
    }

    /// Both operands, as many scalars each.
    fn operand_pair(
        &mut self,
        value: LlvmValue<'c>,
    ) -> TranslationResult<(Vec<Operand>, Vec<Operand>)> {
        let left = self.scalar_operands(value.operand(0))?;
        let right = self.scalar_operands(value.operand(1))?;
        if left.len() == right.len() {
            Ok((left, right))
        } else {
            Err(limit_terminator("vectors of different lengths"))
        }
    }

    pub(crate) fn emit_float(&mut self, op: FloatOp, left: Operand, right: Operand) -> Operand {
        let ty = self.builder.type_of(left);
        self.builder.emit_with_result(ty, |dst| Instruction::Float { dst, op, left, right })
    }

    pub(crate) fn emit_unary(&mut self, op: UnaryOp, value: Operand) -> Operand {
        let ty = self.builder.type_of(value);
        self.builder.emit_with_result(ty, |dst| Instruction::Unary { dst, op, value })
    }

    pub(crate) fn emit_compare(&mut self, op: CompareOp, left: Operand, right: Operand) -> Operand {
        self.builder.emit_with_result(Type::Int(1), |dst| Instruction::Compare {
            dst,
            op,
            left,
            right,
        })
    }

    pub(crate) fn emit_not(&mut self, condition: Operand) -> Operand {
        self.emit_binary(BinaryOp::Xor, condition, int_constant(1, 1))
    }

    pub(crate) fn emit_select(
        &mut self,
        condition: Operand,
        left: Operand,
        right: Operand,
    ) -> Operand {
        let ty = self.builder.type_of(left);
        self.builder.emit_with_result(ty, |dst| Instruction::Select { dst, condition, left, right })
    }

    fn int_comparison(&mut self, value: LlvmValue<'c>) -> TranslationResult<Vec<Operand>> {
        if wide::wide_integer_width(value.operand(0).ty()).is_some() {
            return self.wide_comparison(value);
        }
        let predicate = value.int_predicate();
        let (left, right) = self.operand_pair(value)?;
        Ok(left
            .into_iter()
            .zip(right)
            .map(|(left, right)| self.compare_ints(predicate, left, right))
            .collect())
    }

    fn compare_ints(&mut self, predicate: IntPredicate, left: Operand, right: Operand) -> Operand {
        let (mut left, mut right) = (left, right);
        let signed = matches!(
            predicate,
            IntPredicate::LLVMIntSLT
                | IntPredicate::LLVMIntSLE
                | IntPredicate::LLVMIntSGT
                | IntPredicate::LLVMIntSGE
        );
        if signed && self.builder.type_of(left) == Type::Ptr {
            left = self.bits_of(left, Type::Ptr);
            right = self.bits_of(right, Type::Ptr);
        }
        match predicate {
            IntPredicate::LLVMIntEQ => self.emit_compare(CompareOp::Eq, left, right),
            IntPredicate::LLVMIntNE => self.emit_compare(CompareOp::Ne, left, right),
            IntPredicate::LLVMIntULT => self.emit_compare(CompareOp::Ult, left, right),
            IntPredicate::LLVMIntULE => self.emit_compare(CompareOp::Ule, left, right),
            IntPredicate::LLVMIntUGT => self.emit_compare(CompareOp::Ult, right, left),
            IntPredicate::LLVMIntUGE => self.emit_compare(CompareOp::Ule, right, left),
            IntPredicate::LLVMIntSLT => self.emit_compare(CompareOp::Slt, left, right),
            IntPredicate::LLVMIntSLE => self.emit_compare(CompareOp::Sle, left, right),
            IntPredicate::LLVMIntSGT => self.emit_compare(CompareOp::Slt, right, left),
            IntPredicate::LLVMIntSGE => self.emit_compare(CompareOp::Sle, right, left),
        }
    }

    fn float_comparison(&mut self, value: LlvmValue<'c>) -> TranslationResult<Vec<Operand>> {
        let predicate = value.real_predicate();
        let (left, right) = self.operand_pair(value)?;
        Ok(left
            .into_iter()
            .zip(right)
            .map(|(left, right)| self.compare_floats(predicate, left, right))
            .collect())
    }

    /// LLVM's sixteen predicates out of the model's four. An unordered predicate (`U`) is true on
    /// NaN: it is the negation of the ordered opposite.
    fn compare_floats(&mut self, predicate: RealPredicate, a: Operand, b: Operand) -> Operand {
        use CompareOp::{FloatEq, FloatLe, FloatLt, FloatUnordered};
        use RealPredicate as P;
        match predicate {
            P::LLVMRealPredicateFalse => int_constant(1, 0),
            P::LLVMRealPredicateTrue => int_constant(1, 1),
            P::LLVMRealOEQ => self.emit_compare(FloatEq, a, b),
            P::LLVMRealOGT => self.emit_compare(FloatLt, b, a),
            P::LLVMRealOGE => self.emit_compare(FloatLe, b, a),
            P::LLVMRealOLT => self.emit_compare(FloatLt, a, b),
            P::LLVMRealOLE => self.emit_compare(FloatLe, a, b),
            P::LLVMRealUNO => self.emit_compare(FloatUnordered, a, b),
            P::LLVMRealONE => {
                let less = self.emit_compare(FloatLt, a, b);
                let greater = self.emit_compare(FloatLt, b, a);
                self.emit_binary(BinaryOp::Or, less, greater)
            }
            P::LLVMRealUEQ => {
                let equal = self.emit_compare(FloatEq, a, b);
                let unordered = self.emit_compare(FloatUnordered, a, b);
                self.emit_binary(BinaryOp::Or, equal, unordered)
            }
            P::LLVMRealORD => {
                let opposite = self.emit_compare(FloatUnordered, a, b);
                self.emit_not(opposite)
            }
            P::LLVMRealUGT => {
                let opposite = self.emit_compare(FloatLe, a, b);
                self.emit_not(opposite)
            }
            P::LLVMRealUGE => {
                let opposite = self.emit_compare(FloatLt, a, b);
                self.emit_not(opposite)
            }
            P::LLVMRealULT => {
                let opposite = self.emit_compare(FloatLe, b, a);
                self.emit_not(opposite)
            }
            P::LLVMRealULE => {
                let opposite = self.emit_compare(FloatLt, b, a);
                self.emit_not(opposite)
            }
            P::LLVMRealUNE => {
                let opposite = self.emit_compare(FloatEq, a, b);
                self.emit_not(opposite)
            }
        }
    }

    fn translate_select(&mut self, value: LlvmValue<'c>) -> TranslationResult<Vec<Operand>> {
        let conditions = self.scalar_operands(value.operand(0))?;
        let left = self.scalar_operands(value.operand(1))?;
        let right = self.scalar_operands(value.operand(2))?;
        let condition = |index: usize| match conditions[..] {
            [only] => Some(only),
            _ => conditions.get(index).copied(),
        };
        let mut chosen = Vec::new();
        for (index, (left, right)) in left.into_iter().zip(right).enumerate() {
            let condition =
                condition(index).ok_or_else(|| limit_terminator("a choice between vectors"))?;
            chosen.push(self.emit_select(condition, left, right));
        }
        Ok(chosen)
    }

    fn locate_part(&self, whole: LlvmValue<'c>, path: &[u32]) -> TranslationResult<(usize, usize)> {
        layout::locate_part_leaves(self.program.layout, whole.ty(), path).map_err(limit_terminator)
    }

    fn constant_lane(&self, index: LlvmValue<'c>, lanes: usize) -> TranslationResult<usize> {
        index
            .int_value()
            .and_then(|index| usize::try_from(index).ok())
            .filter(|index| *index < lanes)
            .ok_or_else(|| limit_terminator("a vector element at a computed index"))
    }

    fn translate_shuffle(&mut self, value: LlvmValue<'c>) -> TranslationResult<Vec<Operand>> {
        let mut lanes = self.scalar_operands(value.operand(0))?;
        lanes.extend(self.scalar_operands(value.operand(1))?);
        let mut shuffled = Vec::new();
        for index in value.shuffle_mask() {
            shuffled.push(match usize::try_from(index).ok().and_then(|i| lanes.get(i)) {
                Some(lane) => *lane,
                None => {
                    let ty = self.builder.type_of(lanes[0]);
                    let why = "an undefined value of the compiler".to_owned();
                    self.builder.emit_with_result(ty, |dst| Instruction::Unknown { dst, why })
                }
            });
        }
        Ok(shuffled)
    }

    /// Ends the block.
    fn translate_terminator(&mut self, value: LlvmValue<'c>) -> TranslationResult<()> {
        self.write_phis(value.parent())?;
        let to: Vec<BlockId> =
            value.successors().iter().filter_map(|block| self.blocks.get(block).copied()).collect();
        let terminator = match value.opcode() {
            Opcode::LLVMRet => match value.operand_count() {
                0 => Terminator::Return(Vec::new()),
                _ => {
                    let results = self.scalar_operands(value.operand(0))?;
                    Terminator::Return(self.weaken_returned(results))
                }
            },
            Opcode::LLVMBr if to.len() == 1 => Terminator::Goto(to[0]),
            // The operands of a branch are: condition, otherwise, then.
            Opcode::LLVMBr => {
                match self.single_operand(value.operand(0))? {
                    // The library asks what is known when it is translated.
                    Operand::Const { bits, .. } if self.library => {
                        Terminator::Goto(to[usize::from(bits == 0)])
                    }
                    condition => Terminator::Branch { condition, then: to[0], otherwise: to[1] },
                }
            }
            Opcode::LLVMSwitch => {
                let scrutinee = self.single_operand(value.operand(0))?;
                let mut cases = Vec::new();
                for (index, block) in (0..).zip(&to).skip(1) {
                    let case: LlvmValue<'c> = value.operand(2 * index);
                    let bits =
                        case.int_value().ok_or_else(|| limit_terminator("a wide case label"))?;
                    cases.push((bits, *block));
                }
                Terminator::Switch { value: scrutinee, cases, default: to[0] }
            }
            Opcode::LLVMIndirectBr => {
                let address = self.single_operand(value.operand(0))?;
                let mut targets = to;
                targets.sort_unstable();
                targets.dedup();
                Terminator::GotoAddress { address, targets }
            }
            Opcode::LLVMInvoke => Terminator::Goto(to[0]),
            _ => undefined_terminator(unreachable_reason(value)),
        };
        self.builder.finish(terminator);
        Ok(())
    }
}

/// Whether an addition is what clang makes of `x--`: it adds all ones. For bits that is the same as
/// subtracting one, for natural numbers it is not.
fn is_decrement(value: LlvmValue<'_>) -> bool {
    let bits = match wide::wide_integer_width(value.ty()) {
        None if matches!(value.ty().kind(), TypeKind::LLVMIntegerTypeKind) => value.ty().int_bits(),
        _ => return false,
    };
    let ones = u128::MAX >> (128 - bits);
    value.operand(1).int_value() == Some(ones) && value.name().starts_with("dec")
}

/// Whether a value is the number -1. Compilers divide by it without the instruction that would trap on the
/// least number.
fn is_minus_one(value: LlvmValue<'_>) -> bool {
    let ty = value.ty();
    if !matches!(ty.kind(), TypeKind::LLVMIntegerTypeKind) || wide::wide_integer_width(ty).is_some()
    {
        return false;
    }
    value.int_value() == Some(u128::MAX >> (128 - ty.int_bits()))
}

/// Why control must not get to an `unreachable`.
fn unreachable_reason(value: LlvmValue<'_>) -> &'static str {
    let before = value.parent().instructions();
    let call = before.iter().rev().nth(1).is_some_and(|previous| {
        matches!(previous.opcode(), Opcode::LLVMCall)
            && !previous.callee().name().starts_with("llvm.")
    });
    if call {
        "a function that is declared not to return returns"
    } else {
        "code that is declared unreachable is reached"
    }
}
