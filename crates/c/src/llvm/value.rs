//! Values and blocks: what all of them have.

use std::marker::PhantomData;

use super::functions::*;
use llvm_sys::prelude::*;

use super::{LlvmContext, LlvmType, ValueKind, borrowed_text, list, owned_text};

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct BasicBlock<'c> {
    pub(super) raw: LLVMBasicBlockRef,
    pub(super) life: PhantomData<&'c LlvmContext>,
}

impl<'c> BasicBlock<'c> {
    pub(super) fn new(raw: LLVMBasicBlockRef) -> Self {
        BasicBlock { raw, life: PhantomData }
    }

    pub(crate) fn instructions(self) -> Vec<LlvmValue<'c>> {
        list!(self.raw, LLVMGetFirstInstruction, LLVMGetNextInstruction, LlvmValue::new)
    }

    /// Whether `&&label` names it.
    pub(crate) fn has_address_taken(self) -> bool {
        // SAFETY: live block.
        let label = LlvmValue::new(unsafe { LLVMBasicBlockAsValue(self.raw) });
        label
            .users()
            .into_iter()
            .any(|user| matches!(user.kind(), ValueKind::LLVMBlockAddressValueKind))
    }

    /// The last instruction.
    pub(crate) fn terminator(self) -> Option<LlvmValue<'c>> {
        // SAFETY: live block.
        LlvmValue::from_nullable(unsafe { LLVMGetBasicBlockTerminator(self.raw) })
    }
}

/// Anything with a value: a constant, a global, a function, an argument, an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct LlvmValue<'c> {
    pub(super) raw: LLVMValueRef,
    pub(super) life: PhantomData<&'c LlvmContext>,
}

// SAFETY of every call below: the value is live because its context is; accessors for one kind of
// value are named after it and called on that kind only.
impl<'c> LlvmValue<'c> {
    pub(super) fn new(raw: LLVMValueRef) -> Self {
        LlvmValue { raw, life: PhantomData }
    }

    pub(super) fn from_nullable(raw: LLVMValueRef) -> Option<Self> {
        (!raw.is_null()).then(|| LlvmValue::new(raw))
    }

    pub(crate) fn kind(self) -> ValueKind {
        unsafe { LLVMGetValueKind(self.raw) }
    }

    pub(crate) fn ty(self) -> LlvmType<'c> {
        LlvmType::new(unsafe { LLVMTypeOf(self.raw) })
    }

    pub(crate) fn name(self) -> String {
        let mut length = 0;
        unsafe {
            let raw = LLVMGetValueName2(self.raw, &raw mut length);
            borrowed_text(raw, length)
        }
    }

    pub(super) fn context(self) -> LLVMContextRef {
        unsafe { LLVMGetTypeContext(LLVMTypeOf(self.raw)) }
    }

    /// LLVM's own text of it.
    pub(crate) fn text(self) -> String {
        unsafe { owned_text(LLVMPrintValueToString(self.raw)) }
    }

    pub(crate) fn operand_count(self) -> u32 {
        u32::try_from(unsafe { LLVMGetNumOperands(self.raw) }).unwrap_or(0)
    }

    pub(crate) fn operand(self, index: u32) -> LlvmValue<'c> {
        LlvmValue::new(unsafe { LLVMGetOperand(self.raw, index) })
    }

    pub(crate) fn operands(self) -> Vec<LlvmValue<'c>> {
        (0..self.operand_count()).map(|i| self.operand(i)).collect()
    }

    /// Everything that has it as an operand.
    pub(crate) fn users(self) -> Vec<LlvmValue<'c>> {
        list!(self.raw, LLVMGetFirstUse, LLVMGetNextUse, |item| LlvmValue::new(unsafe {
            LLVMGetUser(item)
        }))
    }
}

pub(super) fn attribute_kind(name: &str) -> u32 {
    // SAFETY: the name is given by length.
    unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) }
}
