//! Integers of more than 128 bits, which clang uses to read and write bit-fields that no smaller
//! access can tell apart: limbs of 64 bits, the lowest first, the last one with what is left.
//!
//! Their arithmetic is that of bit-fields: shifts by constants, masks, conversions and equality. The
//! rest, which only `_BitInt` needs, is a limit.

use ouro_model::{BinaryOp, CastOp, CompareOp, Operand, Type};

use crate::function::{FunctionTranslator, TranslationResult, limit_terminator};
use crate::llvm::{IntPredicate, LlvmType, LlvmValue, TypeKind};
use crate::values::int_constant;

/// Bits of a limb.
const LIMB: u32 = 64;

/// The width of an integer that consists of limbs.
pub(crate) fn wide_integer_width(ty: LlvmType<'_>) -> Option<u32> {
    let is_int = matches!(ty.kind(), TypeKind::LLVMIntegerTypeKind);
    is_int.then(|| ty.int_bits()).filter(|bits| *bits > 128)
}

/// The widths of the limbs of an integer.
pub(crate) fn limb_widths(bits: u32) -> impl Iterator<Item = u32> {
    (0..bits).step_by(LIMB as usize).map(move |start| LIMB.min(bits - start))
}

/// An integer as limbs that are all of full width, and what is above them.
struct ExtendedLimbs {
    limbs: Vec<Operand>,
    above: Operand,
}

impl<'c> FunctionTranslator<'_, 'c> {
    /// `left op right`.
    pub(crate) fn wide_binary(
        &mut self,
        value: LlvmValue<'c>,
        op: BinaryOp,
    ) -> TranslationResult<Vec<Operand>> {
        let bits = value.ty().int_bits();
        let left = self.scalar_operands(value.operand(0))?;
        let signed = match op {
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => {
                let right = self.scalar_operands(value.operand(1))?;
                return Ok(left
                    .into_iter()
                    .zip(right)
                    .map(|(l, r)| self.emit_binary(op, l, r))
                    .collect());
            }
            BinaryOp::Shl { .. } | BinaryOp::LShr => false,
            BinaryOp::AShr => true,
            _ => return Err(limit_terminator(format!("arithmetic on integers of {bits} bits"))),
        };
        let count = value.operand(1).int_limbs().and_then(|limbs| match limbs[..] {
            [count, ref high @ ..] if high.iter().all(|limb| *limb == 0) => {
                u32::try_from(count).ok().filter(|count| *count < bits)
            }
            _ => None,
        });
        let Some(count) = count else {
            return Err(limit_terminator(format!("a shift of an integer of {bits} bits")));
        };
        let down =
            if matches!(op, BinaryOp::Shl { .. }) { -i64::from(count) } else { count.into() };
        let source = self.extend_limbs(left, bits, signed);
        Ok(self.shift_limbs(&source, down, bits))
    }

    /// `(type of value) operand`, where one of the two is wide.
    pub(crate) fn wide_cast(
        &mut self,
        value: LlvmValue<'c>,
        op: CastOp,
    ) -> TranslationResult<Vec<Operand>> {
        let (from, to) = (value.operand(0).ty(), value.ty());
        let is_int = |ty: LlvmType<'c>| matches!(ty.kind(), TypeKind::LLVMIntegerTypeKind);
        if !is_int(from) || !is_int(to) {
            return Err(limit_terminator("a wide integer converted to or from something else"));
        }
        let (from, to) = (from.int_bits(), to.int_bits());
        let operands = self.scalar_operands(value.operand(0))?;
        let limbs = match operands[..] {
            [only] => self.split_into_limbs(only, from),
            _ => operands,
        };
        let source = self.extend_limbs(limbs, from, op == CastOp::SignExtend);
        let result = self.shift_limbs(&source, 0, to);
        Ok(if to > 128 { result } else { vec![self.join_limbs(&result, to)] })
    }

    /// `left == right` and its opposite.
    pub(crate) fn wide_comparison(
        &mut self,
        value: LlvmValue<'c>,
    ) -> TranslationResult<Vec<Operand>> {
        let left = self.scalar_operands(value.operand(0))?;
        let right = self.scalar_operands(value.operand(1))?;
        let mut equal = int_constant(1, 1);
        for (left, right) in left.into_iter().zip(right) {
            let same = self.emit_compare(CompareOp::Eq, left, right);
            equal = self.emit_binary(BinaryOp::And, equal, same);
        }
        match value.int_predicate() {
            IntPredicate::LLVMIntEQ => Ok(vec![equal]),
            IntPredicate::LLVMIntNE => Ok(vec![self.emit_not(equal)]),
            _ => Err(limit_terminator("an order of integers of more than 128 bits")),
        }
    }

    /// The limbs of an integer of at most 128 bits.
    fn split_into_limbs(&mut self, value: Operand, bits: u32) -> Vec<Operand> {
        if bits <= LIMB {
            return vec![value];
        }
        let low = self.resize_integer(value, LIMB);
        let high = self.emit_binary(BinaryOp::LShr, value, int_constant(bits, LIMB.into()));
        vec![low, self.resize_integer(high, bits - LIMB)]
    }

    /// The integer of at most 128 bits that limbs make.
    fn join_limbs(&mut self, limbs: &[Operand], bits: u32) -> Operand {
        let low = self.resize_integer(limbs[0], bits);
        let Some(high) = limbs.get(1) else { return low };
        let high = self.resize_integer(*high, bits);
        let high = self.emit_binary(
            BinaryOp::Shl { signed: false },
            high,
            int_constant(bits, LIMB.into()),
        );
        self.emit_binary(BinaryOp::Or, low, high)
    }

    /// Limbs that go on for ever.
    fn extend_limbs(&mut self, mut limbs: Vec<Operand>, bits: u32, signed: bool) -> ExtendedLimbs {
        let mut above = int_constant(LIMB, 0);
        if let Some(last) = limbs.last_mut() {
            let op = if signed { CastOp::SignExtend } else { CastOp::ZeroExtend };
            if !bits.is_multiple_of(LIMB) {
                *last = self.convert_scalar(op, *last, Type::Int(LIMB));
            }
            if signed {
                above =
                    self.emit_binary(BinaryOp::AShr, *last, int_constant(LIMB, (LIMB - 1).into()));
            }
        }
        ExtendedLimbs { limbs, above }
    }

    /// The lowest `bits` bits of an integer that is shifted down, or up if `down` is negative.
    fn shift_limbs(&mut self, source: &ExtendedLimbs, down: i64, bits: u32) -> Vec<Operand> {
        let limb = i64::from(LIMB);
        let at = |index: i64| match usize::try_from(index) {
            Ok(index) => source.limbs.get(index).copied().unwrap_or(source.above),
            Err(_) => int_constant(LIMB, 0),
        };
        let (skipped, rest) = (down.div_euclid(limb), down.rem_euclid(limb).unsigned_abs());
        (skipped..)
            .zip(limb_widths(bits))
            .map(|(index, width)| {
                let mut part = at(index);
                if rest > 0 {
                    let low =
                        self.emit_binary(BinaryOp::LShr, part, int_constant(LIMB, rest.into()));
                    let up = int_constant(LIMB, u128::from(LIMB) - u128::from(rest));
                    let high = self.emit_binary(BinaryOp::Shl { signed: false }, at(index + 1), up);
                    part = self.emit_binary(BinaryOp::Or, low, high);
                }
                self.resize_integer(part, width)
            })
            .collect()
    }
}
