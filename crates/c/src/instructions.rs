//! Instructions: arithmetic, comparisons, parts of values, control flow.

use ouro_model::{
    BinaryOp, BlockId, CastOp, CompareOp, FloatOp, Instruction, Operand, Terminator, Type, UnaryOp,
};

use crate::function::{Body, Step, limit};
use crate::llvm::{IntPredicate, Opcode, RealPredicate, TypeKind, Value};
use crate::values::{int, undefined};
use crate::{layout, wide};

impl<'c> Body<'_, 'c> {
    /// Translates one instruction.
    pub(crate) fn instruction(&mut self, value: Value<'c>) -> Step<()> {
        let signed = |value: Value<'c>| value.has_nsw();
        self.note_volatile(value);
        let result = match value.opcode() {
            Opcode::LLVMPHI => return Ok(()),
            Opcode::LLVMAdd if !signed(value) && is_decrement(value) => {
                let operand = self.operand(value.operand(0))?;
                let one = int(value.ty().int_bits(), 1);
                vec![self.compute(BinaryOp::Sub { signed: false }, operand, one)]
            }
            Opcode::LLVMAdd => self.binary(value, BinaryOp::Add { signed: signed(value) })?,
            Opcode::LLVMSub => self.binary(value, BinaryOp::Sub { signed: signed(value) })?,
            Opcode::LLVMMul => self.binary(value, BinaryOp::Mul { signed: signed(value) })?,
            Opcode::LLVMShl => self.binary(value, BinaryOp::Shl { signed: signed(value) })?,
            Opcode::LLVMLShr => self.binary(value, BinaryOp::LShr)?,
            Opcode::LLVMAShr => self.binary(value, BinaryOp::AShr)?,
            Opcode::LLVMUDiv => self.binary(value, BinaryOp::UDiv)?,
            Opcode::LLVMSDiv if is_minus_one(value.operand(1)) => {
                let operand = self.operand(value.operand(0))?;
                vec![self.opposite(operand)]
            }
            Opcode::LLVMSRem if is_minus_one(value.operand(1)) => {
                // Undefined for the least number, as its quotient is; otherwise nothing is left.
                let operand = self.operand(value.operand(0))?;
                self.opposite(operand);
                vec![int(value.ty().int_bits(), 0)]
            }
            Opcode::LLVMSDiv => self.binary(value, BinaryOp::SDiv)?,
            Opcode::LLVMURem => self.binary(value, BinaryOp::URem)?,
            Opcode::LLVMSRem => self.binary(value, BinaryOp::SRem)?,
            Opcode::LLVMAnd => self.binary(value, BinaryOp::And)?,
            Opcode::LLVMOr => self.binary(value, BinaryOp::Or)?,
            Opcode::LLVMXor => self.binary(value, BinaryOp::Xor)?,
            Opcode::LLVMFAdd => self.float(value, FloatOp::Add)?,
            Opcode::LLVMFSub => self.float(value, FloatOp::Sub)?,
            Opcode::LLVMFMul => self.float(value, FloatOp::Mul)?,
            Opcode::LLVMFDiv => self.float(value, FloatOp::Div)?,
            Opcode::LLVMFRem => self.float(value, FloatOp::Mod)?,
            Opcode::LLVMFNeg => {
                let operands = self.operands(value.operand(0))?;
                operands.into_iter().map(|o| self.unary(UnaryOp::FloatNeg, o)).collect()
            }
            Opcode::LLVMTrunc => self.cast(value, CastOp::Truncate)?,
            Opcode::LLVMZExt => self.cast(value, CastOp::ZeroExtend)?,
            Opcode::LLVMSExt => self.cast(value, CastOp::SignExtend)?,
            Opcode::LLVMFPToUI => self.cast(value, CastOp::FloatToUnsigned)?,
            Opcode::LLVMFPToSI => self.cast(value, CastOp::FloatToSigned)?,
            Opcode::LLVMUIToFP => self.cast(value, CastOp::UnsignedToFloat)?,
            Opcode::LLVMSIToFP => self.cast(value, CastOp::SignedToFloat)?,
            Opcode::LLVMFPTrunc | Opcode::LLVMFPExt => self.cast(value, CastOp::FloatToFloat)?,
            Opcode::LLVMPtrToInt => self.cast(value, CastOp::PtrToInt)?,
            Opcode::LLVMIntToPtr => self.cast(value, CastOp::IntToPtr)?,
            Opcode::LLVMBitCast => self.bit_cast(value)?,
            Opcode::LLVMAddrSpaceCast | Opcode::LLVMFreeze => self.operands(value.operand(0))?,
            Opcode::LLVMICmp => self.int_comparison(value)?,
            Opcode::LLVMFCmp => self.float_comparison(value)?,
            Opcode::LLVMSelect => self.select(value)?,
            Opcode::LLVMExtractValue => {
                let whole = self.operands(value.operand(0))?;
                let (start, count) = self.part(value.operand(0), &value.indices())?;
                whole[start..start + count].to_vec()
            }
            Opcode::LLVMInsertValue => {
                let mut whole = self.operands(value.operand(0))?;
                let part = self.operands(value.operand(1))?;
                let (start, count) = self.part(value.operand(0), &value.indices())?;
                whole.splice(start..start + count, part);
                whole
            }
            Opcode::LLVMExtractElement => {
                let whole = self.operands(value.operand(0))?;
                let index = self.lane(value.operand(1), whole.len())?;
                vec![whole[index]]
            }
            Opcode::LLVMInsertElement => {
                let mut whole = self.operands(value.operand(0))?;
                let index = self.lane(value.operand(2), whole.len())?;
                whole[index] = self.operand(value.operand(1))?;
                whole
            }
            Opcode::LLVMShuffleVector => self.shuffle(value)?,
            Opcode::LLVMAlloca => self.alloca(value)?,
            Opcode::LLVMLoad => self.load(value)?,
            Opcode::LLVMStore => return self.store(value),
            Opcode::LLVMGetElementPtr => vec![self.element_pointer(value)?],
            Opcode::LLVMAtomicRMW => self.atomic_update(value)?,
            Opcode::LLVMAtomicCmpXchg => self.atomic_exchange(value)?,
            Opcode::LLVMFence => return Ok(()),
            Opcode::LLVMCall => self.call(value)?,
            Opcode::LLVMInvoke => {
                let result = self.call(value)?;
                self.values.insert(value, result);
                return self.jump(value);
            }
            Opcode::LLVMRet
            | Opcode::LLVMBr
            | Opcode::LLVMSwitch
            | Opcode::LLVMIndirectBr
            | Opcode::LLVMUnreachable => return self.jump(value),
            Opcode::LLVMLandingPad
            | Opcode::LLVMResume
            | Opcode::LLVMCleanupRet
            | Opcode::LLVMCatchRet
            | Opcode::LLVMCatchPad
            | Opcode::LLVMCleanupPad
            | Opcode::LLVMCatchSwitch => return Err(limit("a C++ exception")),
            Opcode::LLVMCallBr => return Err(limit("inline assembly with jumps")),
            Opcode::LLVMVAArg => return Err(limit("the compiler's own va_arg")),
            _ => return Err(limit(format!("the instruction {}", value.text().trim()))),
        };
        self.values.insert(value, result);
        Ok(())
    }

    pub(crate) fn binary(&mut self, value: Value<'c>, op: BinaryOp) -> Step<Vec<Operand>> {
        if wide::width(value.ty()).is_some() {
            return self.wide_binary(value, op);
        }
        let (left, right) = self.pair(value)?;
        Ok(left.into_iter().zip(right).map(|(l, r)| self.compute(op, l, r)).collect())
    }

    /// `-operand`, which the least number does not have.
    fn opposite(&mut self, operand: Operand) -> Operand {
        let ty = self.builder.type_of(operand);
        self.compute(BinaryOp::Sub { signed: true }, Operand::Const { ty, bits: 0 }, operand)
    }

    fn float(&mut self, value: Value<'c>, op: FloatOp) -> Step<Vec<Operand>> {
        let (left, right) = self.pair(value)?;
        Ok(left.into_iter().zip(right).map(|(l, r)| self.compute_float(op, l, r)).collect())
    }

    /// Both operands, as many scalars each.
    fn pair(&mut self, value: Value<'c>) -> Step<(Vec<Operand>, Vec<Operand>)> {
        let left = self.operands(value.operand(0))?;
        let right = self.operands(value.operand(1))?;
        if left.len() == right.len() {
            Ok((left, right))
        } else {
            Err(limit("vectors of different lengths"))
        }
    }

    pub(crate) fn compute_float(&mut self, op: FloatOp, left: Operand, right: Operand) -> Operand {
        let ty = self.builder.type_of(left);
        self.builder.compute(ty, |dst| Instruction::Float { dst, op, left, right })
    }

    pub(crate) fn unary(&mut self, op: UnaryOp, value: Operand) -> Operand {
        let ty = self.builder.type_of(value);
        self.builder.compute(ty, |dst| Instruction::Unary { dst, op, value })
    }

    pub(crate) fn compare(&mut self, op: CompareOp, left: Operand, right: Operand) -> Operand {
        self.builder.compute(Type::Int(1), |dst| Instruction::Compare { dst, op, left, right })
    }

    pub(crate) fn not(&mut self, condition: Operand) -> Operand {
        self.compute(BinaryOp::Xor, condition, int(1, 1))
    }

    pub(crate) fn choose(&mut self, condition: Operand, left: Operand, right: Operand) -> Operand {
        let ty = self.builder.type_of(left);
        self.builder.compute(ty, |dst| Instruction::Select { dst, condition, left, right })
    }

    fn int_comparison(&mut self, value: Value<'c>) -> Step<Vec<Operand>> {
        if wide::width(value.operand(0).ty()).is_some() {
            return self.wide_comparison(value);
        }
        let predicate = value.int_predicate();
        let (left, right) = self.pair(value)?;
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
            IntPredicate::LLVMIntEQ => self.compare(CompareOp::Eq, left, right),
            IntPredicate::LLVMIntNE => self.compare(CompareOp::Ne, left, right),
            IntPredicate::LLVMIntULT => self.compare(CompareOp::Ult, left, right),
            IntPredicate::LLVMIntULE => self.compare(CompareOp::Ule, left, right),
            IntPredicate::LLVMIntUGT => self.compare(CompareOp::Ult, right, left),
            IntPredicate::LLVMIntUGE => self.compare(CompareOp::Ule, right, left),
            IntPredicate::LLVMIntSLT => self.compare(CompareOp::Slt, left, right),
            IntPredicate::LLVMIntSLE => self.compare(CompareOp::Sle, left, right),
            IntPredicate::LLVMIntSGT => self.compare(CompareOp::Slt, right, left),
            IntPredicate::LLVMIntSGE => self.compare(CompareOp::Sle, right, left),
        }
    }

    fn float_comparison(&mut self, value: Value<'c>) -> Step<Vec<Operand>> {
        let predicate = value.real_predicate();
        let (left, right) = self.pair(value)?;
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
            P::LLVMRealPredicateFalse => int(1, 0),
            P::LLVMRealPredicateTrue => int(1, 1),
            P::LLVMRealOEQ => self.compare(FloatEq, a, b),
            P::LLVMRealOGT => self.compare(FloatLt, b, a),
            P::LLVMRealOGE => self.compare(FloatLe, b, a),
            P::LLVMRealOLT => self.compare(FloatLt, a, b),
            P::LLVMRealOLE => self.compare(FloatLe, a, b),
            P::LLVMRealUNO => self.compare(FloatUnordered, a, b),
            P::LLVMRealONE => {
                let less = self.compare(FloatLt, a, b);
                let greater = self.compare(FloatLt, b, a);
                self.compute(BinaryOp::Or, less, greater)
            }
            P::LLVMRealUEQ => {
                let equal = self.compare(FloatEq, a, b);
                let unordered = self.compare(FloatUnordered, a, b);
                self.compute(BinaryOp::Or, equal, unordered)
            }
            P::LLVMRealORD => {
                let opposite = self.compare(FloatUnordered, a, b);
                self.not(opposite)
            }
            P::LLVMRealUGT => {
                let opposite = self.compare(FloatLe, a, b);
                self.not(opposite)
            }
            P::LLVMRealUGE => {
                let opposite = self.compare(FloatLt, a, b);
                self.not(opposite)
            }
            P::LLVMRealULT => {
                let opposite = self.compare(FloatLe, b, a);
                self.not(opposite)
            }
            P::LLVMRealULE => {
                let opposite = self.compare(FloatLt, b, a);
                self.not(opposite)
            }
            P::LLVMRealUNE => {
                let opposite = self.compare(FloatEq, a, b);
                self.not(opposite)
            }
        }
    }

    fn select(&mut self, value: Value<'c>) -> Step<Vec<Operand>> {
        let conditions = self.operands(value.operand(0))?;
        let left = self.operands(value.operand(1))?;
        let right = self.operands(value.operand(2))?;
        let condition = |index: usize| match conditions[..] {
            [only] => Some(only),
            _ => conditions.get(index).copied(),
        };
        let mut chosen = Vec::new();
        for (index, (left, right)) in left.into_iter().zip(right).enumerate() {
            let condition = condition(index).ok_or_else(|| limit("a choice between vectors"))?;
            chosen.push(self.choose(condition, left, right));
        }
        Ok(chosen)
    }

    fn part(&self, whole: Value<'c>, path: &[u32]) -> Step<(usize, usize)> {
        layout::part(self.program.layout, whole.ty(), path).map_err(limit)
    }

    fn lane(&self, index: Value<'c>, lanes: usize) -> Step<usize> {
        index
            .int_value()
            .and_then(|index| usize::try_from(index).ok())
            .filter(|index| *index < lanes)
            .ok_or_else(|| limit("a vector element at a computed index"))
    }

    fn shuffle(&mut self, value: Value<'c>) -> Step<Vec<Operand>> {
        let mut lanes = self.operands(value.operand(0))?;
        lanes.extend(self.operands(value.operand(1))?);
        let mut shuffled = Vec::new();
        for index in value.shuffle_mask() {
            shuffled.push(match usize::try_from(index).ok().and_then(|i| lanes.get(i)) {
                Some(lane) => *lane,
                None => {
                    let ty = self.builder.type_of(lanes[0]);
                    let why = "an undefined value of the compiler".to_owned();
                    self.builder.compute(ty, |dst| Instruction::Unknown { dst, why })
                }
            });
        }
        Ok(shuffled)
    }

    /// Ends the block.
    fn jump(&mut self, value: Value<'c>) -> Step<()> {
        self.write_phis(value.parent())?;
        let to: Vec<BlockId> =
            value.successors().iter().filter_map(|block| self.blocks.get(block).copied()).collect();
        let terminator = match value.opcode() {
            Opcode::LLVMRet => match value.operand_count() {
                0 => Terminator::Return(Vec::new()),
                _ => Terminator::Return(self.operands(value.operand(0))?),
            },
            Opcode::LLVMBr if to.len() == 1 => Terminator::Goto(to[0]),
            // The operands of a branch are: condition, otherwise, then.
            Opcode::LLVMBr => {
                match self.operand(value.operand(0))? {
                    // The library asks what is known when it is translated.
                    Operand::Const { bits, .. } if self.library => {
                        Terminator::Goto(to[usize::from(bits == 0)])
                    }
                    condition => Terminator::Branch { condition, then: to[0], otherwise: to[1] },
                }
            }
            Opcode::LLVMSwitch => {
                let scrutinee = self.operand(value.operand(0))?;
                let mut cases = Vec::new();
                for (index, block) in (0..).zip(&to).skip(1) {
                    let case: Value<'c> = value.operand(2 * index);
                    let bits = case.int_value().ok_or_else(|| limit("a wide case label"))?;
                    cases.push((bits, *block));
                }
                Terminator::Switch { value: scrutinee, cases, default: to[0] }
            }
            Opcode::LLVMIndirectBr => {
                let address = self.operand(value.operand(0))?;
                let mut targets = to;
                targets.sort_unstable();
                targets.dedup();
                Terminator::GotoAddress { address, targets }
            }
            Opcode::LLVMInvoke => Terminator::Goto(to[0]),
            _ => undefined(unreachable_reason(value)),
        };
        self.builder.finish(terminator);
        Ok(())
    }
}

/// Whether an addition is what clang makes of `x--`: it adds all ones. For bits that is the same as
/// subtracting one, for natural numbers it is not.
fn is_decrement(value: Value<'_>) -> bool {
    let bits = match wide::width(value.ty()) {
        None if matches!(value.ty().kind(), TypeKind::LLVMIntegerTypeKind) => value.ty().int_bits(),
        _ => return false,
    };
    let ones = u128::MAX >> (128 - bits);
    value.operand(1).int_value() == Some(ones) && value.name().starts_with("dec")
}

/// Whether a value is the number -1. Compilers divide by it without the instruction that would trap on the
/// least number.
fn is_minus_one(value: Value<'_>) -> bool {
    let ty = value.ty();
    if !matches!(ty.kind(), TypeKind::LLVMIntegerTypeKind) || wide::width(ty).is_some() {
        return false;
    }
    value.int_value() == Some(u128::MAX >> (128 - ty.int_bits()))
}

/// Why control must not get to an `unreachable`.
fn unreachable_reason(value: Value<'_>) -> &'static str {
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
