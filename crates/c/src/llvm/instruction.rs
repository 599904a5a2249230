//! Instructions and calls.

use super::functions::*;

use super::value::attribute_kind;
use super::{
    AtomicOp, BasicBlock, IntPredicate, LlvmType, LlvmValue, Opcode, RealPredicate, ValueKind,
    borrowed_text,
};

// SAFETY of every call below: the value is live because its context is; accessors for one kind of
// value are named after it and called on that kind only.
impl<'c> LlvmValue<'c> {
    pub(crate) fn is_instruction(self) -> bool {
        matches!(self.kind(), ValueKind::LLVMInstructionValueKind)
    }

    pub(crate) fn opcode(self) -> Opcode {
        unsafe { LLVMGetInstructionOpcode(self.raw) }
    }

    pub(crate) fn parent(self) -> BasicBlock<'c> {
        BasicBlock::new(unsafe { LLVMGetInstructionParent(self.raw) })
    }

    /// What comes after it in its block.
    pub(crate) fn next_instruction(self) -> Option<Self> {
        LlvmValue::from_nullable(unsafe { LLVMGetNextInstruction(self.raw) })
    }

    pub(crate) fn has_nsw(self) -> bool {
        unsafe { LLVMGetNSW(self.raw) != 0 }
    }

    pub(crate) fn int_predicate(self) -> IntPredicate {
        unsafe { LLVMGetICmpPredicate(self.raw) }
    }

    pub(crate) fn real_predicate(self) -> RealPredicate {
        unsafe { LLVMGetFCmpPredicate(self.raw) }
    }

    pub(crate) fn is_volatile(self) -> bool {
        unsafe { LLVMGetVolatile(self.raw) != 0 }
    }

    /// Whether an atomic exchange may fail for no reason.
    pub(crate) fn is_weak(self) -> bool {
        unsafe { LLVMGetWeak(self.raw) != 0 }
    }

    /// Whether a call copies or fills volatile memory.
    pub(crate) fn is_volatile_copy(self) -> bool {
        let name = self.callee().name();
        ["llvm.memcpy.", "llvm.memmove.", "llvm.memset."].iter().any(|of| name.starts_with(of))
            && self.operand(3).int_value() == Some(1)
    }

    pub(crate) fn atomic_op(self) -> AtomicOp {
        unsafe { LLVMGetAtomicRMWBinOp(self.raw) }
    }

    /// Type of the objects an alloca makes.
    pub(crate) fn allocated_type(self) -> LlvmType<'c> {
        LlvmType::new(unsafe { LLVMGetAllocatedType(self.raw) })
    }

    /// Alignment of an alloca, a load, a store or a global; 0 when none is said.
    pub(crate) fn alignment(self) -> u64 {
        u64::from(unsafe { LLVMGetAlignment(self.raw) })
    }

    /// The type that a getelementptr steps through.
    pub(crate) fn element_type(self) -> LlvmType<'c> {
        LlvmType::new(unsafe { LLVMGetGEPSourceElementType(self.raw) })
    }

    /// Path of an extractvalue or insertvalue.
    pub(crate) fn indices(self) -> Vec<u32> {
        unsafe {
            let count = LLVMGetNumIndices(self.raw) as usize;
            let raw = LLVMGetIndices(self.raw);
            (0..count).map(|i| *raw.add(i)).collect()
        }
    }

    /// Mask of a shufflevector; a negative entry is undefined.
    pub(crate) fn shuffle_mask(self) -> Vec<i32> {
        unsafe {
            (0..LLVMGetNumMaskElements(self.raw)).map(|i| LLVMGetMaskValue(self.raw, i)).collect()
        }
    }

    /// Blocks that a terminator may go to, in its order.
    pub(crate) fn successors(self) -> Vec<BasicBlock<'c>> {
        unsafe {
            (0..LLVMGetNumSuccessors(self.raw))
                .map(|i| BasicBlock::new(LLVMGetSuccessor(self.raw, i)))
                .collect()
        }
    }

    /// What a phi takes from which predecessor.
    pub(crate) fn incoming(self) -> Vec<(LlvmValue<'c>, BasicBlock<'c>)> {
        unsafe {
            (0..LLVMCountIncoming(self.raw))
                .map(|i| {
                    let value = LlvmValue::new(LLVMGetIncomingValue(self.raw, i));
                    (value, BasicBlock::new(LLVMGetIncomingBlock(self.raw, i)))
                })
                .collect()
        }
    }

    /// Whether it calls something.
    pub(crate) fn is_call(self) -> bool {
        matches!(self.opcode(), Opcode::LLVMCall | Opcode::LLVMInvoke | Opcode::LLVMCallBr)
    }

    pub(crate) fn callee(self) -> LlvmValue<'c> {
        LlvmValue::new(unsafe { LLVMGetCalledValue(self.raw) })
    }

    pub(crate) fn callee_type(self) -> LlvmType<'c> {
        LlvmType::new(unsafe { LLVMGetCalledFunctionType(self.raw) })
    }

    pub(crate) fn arguments(self) -> Vec<LlvmValue<'c>> {
        let count = unsafe { LLVMGetNumArgOperands(self.raw) };
        (0..count).map(|i| self.operand(i)).collect()
    }

    /// Whether argument `index` (from 0) of a call has an attribute.
    pub(crate) fn argument_has_attribute(self, index: u32, attribute: &str) -> bool {
        unsafe {
            !LLVMGetCallSiteEnumAttribute(self.raw, index + 1, attribute_kind(attribute)).is_null()
        }
    }

    /// Whether a call has an attribute as a whole.
    pub(crate) fn call_has_attribute(self, attribute: &str) -> bool {
        unsafe {
            !LLVMGetCallSiteEnumAttribute(
                self.raw,
                llvm_sys::LLVMAttributeFunctionIndex,
                attribute_kind(attribute),
            )
            .is_null()
        }
    }

    /// Text and constraints of inline assembly.
    pub(crate) fn inline_assembly_text(self) -> (String, String) {
        let mut length = 0;
        unsafe {
            let raw = LLVMGetInlineAsmAsmString(self.raw, &raw mut length);
            let text = borrowed_text(raw, length);
            let raw = LLVMGetInlineAsmConstraintString(self.raw, &raw mut length);
            (text, borrowed_text(raw, length))
        }
    }
}
