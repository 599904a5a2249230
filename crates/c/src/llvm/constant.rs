//! Constants.

use super::functions::*;

use super::{BasicBlock, LlvmValue, Opcode, ValueKind};

// SAFETY of every call below: the value is live because its context is; accessors for one kind of
// value are named after it and called on that kind only.
impl<'c> LlvmValue<'c> {
    /// Whether it is the zero of its type.
    pub(crate) fn is_zero(self) -> bool {
        unsafe { LLVMIsNull(self.raw) != 0 }
    }

    pub(crate) fn is_undefined(self) -> bool {
        unsafe { LLVMIsUndef(self.raw) != 0 || LLVMIsPoison(self.raw) != 0 }
    }

    /// Bits of a constant integer of at most 128 bits.
    pub(crate) fn int_value(self) -> Option<u128> {
        if !matches!(self.kind(), ValueKind::LLVMConstantIntValueKind) {
            return None;
        }
        let bits = self.ty().int_bits();
        if bits <= 64 {
            return Some(u128::from(unsafe { LLVMConstIntGetZExtValue(self.raw) }));
        }
        // The C interface gives 64 bits only; the text has them all, as a signed decimal.
        let text = self.text();
        let digits = text.split_whitespace().nth(1)?;
        let value = if let Some(digits) = digits.strip_prefix('-') {
            digits.parse::<u128>().ok()?.wrapping_neg()
        } else {
            digits.parse::<u128>().ok()?
        };
        Some(if bits < 128 { value & ((1 << bits) - 1) } else { value })
    }

    /// Bits of a constant integer of any width, 64 at a time, the lowest first.
    pub(crate) fn int_limbs(self) -> Option<Vec<u64>> {
        if !matches!(self.kind(), ValueKind::LLVMConstantIntValueKind) {
            return None;
        }
        let bits = self.ty().int_bits();
        let mut limbs = vec![0u64; bits.div_ceil(64) as usize];
        let text = self.text();
        let digits = text.split_whitespace().nth(1)?;
        let magnitude = digits.strip_prefix('-');
        for digit in magnitude.unwrap_or(digits).chars() {
            let mut carry = u64::from(digit.to_digit(10)?);
            for limb in &mut limbs {
                let product = u128::from(*limb) * 10 + u128::from(carry);
                (*limb, carry) = (product as u64, (product >> 64) as u64);
            }
        }
        if magnitude.is_some() {
            let mut carry = true;
            for limb in &mut limbs {
                (*limb, carry) = (!*limb).overflowing_add(u64::from(carry));
            }
        }
        if let Some(last) = limbs.last_mut() {
            *last &= u64::MAX >> (64 * bits.div_ceil(64) - bits);
        }
        Some(limbs)
    }

    /// Bits of a constant float.
    pub(crate) fn float_bits(self, bits: u32) -> Option<u128> {
        unsafe {
            let int = LLVMIntTypeInContext(self.context(), bits);
            LlvmValue::new(LLVMConstBitCast(self.raw, int)).int_value()
        }
    }

    pub(crate) fn aggregate_element(self, index: u32) -> Option<LlvmValue<'c>> {
        LlvmValue::from_nullable(unsafe { LLVMGetAggregateElement(self.raw, index) })
    }

    /// The bytes of a constant array of `i8`.
    pub(crate) fn string_bytes(self) -> Option<Vec<u8>> {
        unsafe {
            if !matches!(self.kind(), ValueKind::LLVMConstantDataArrayValueKind)
                || LLVMIsConstantString(self.raw) == 0
            {
                return None;
            }
            let mut length = 0;
            let raw = LLVMGetAsString(self.raw, &raw mut length);
            Some(std::slice::from_raw_parts(raw.cast::<u8>(), length).to_vec())
        }
    }

    pub(crate) fn constant_opcode(self) -> Opcode {
        unsafe { LLVMGetConstOpcode(self.raw) }
    }

    /// Function and block of a `blockaddress`.
    pub(crate) fn block_address(self) -> (LlvmValue<'c>, BasicBlock<'c>) {
        unsafe {
            (
                LlvmValue::new(LLVMGetBlockAddressFunction(self.raw)),
                BasicBlock::new(LLVMGetBlockAddressBasicBlock(self.raw)),
            )
        }
    }
}
