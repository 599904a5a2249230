//! Types.

use std::marker::PhantomData;

use super::functions::*;
use llvm_sys::prelude::*;

use super::{LlvmContext, TypeKind};

/// A type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct LlvmType<'c> {
    pub(super) raw: LLVMTypeRef,
    pub(super) life: PhantomData<&'c LlvmContext>,
}

impl<'c> LlvmType<'c> {
    pub(super) fn new(raw: LLVMTypeRef) -> Self {
        LlvmType { raw, life: PhantomData }
    }

    pub(crate) fn kind(self) -> TypeKind {
        // SAFETY: live type, here and below; each accessor is for the kinds its name says.
        unsafe { LLVMGetTypeKind(self.raw) }
    }

    pub(crate) fn is_sized(self) -> bool {
        unsafe { LLVMTypeIsSized(self.raw) != 0 }
    }

    pub(crate) fn int_bits(self) -> u32 {
        unsafe { LLVMGetIntTypeWidth(self.raw) }
    }

    /// Fields of a structure.
    pub(crate) fn fields(self) -> Vec<LlvmType<'c>> {
        unsafe {
            (0..LLVMCountStructElementTypes(self.raw))
                .map(|i| LlvmType::new(LLVMStructGetTypeAtIndex(self.raw, i)))
                .collect()
        }
    }

    /// Element of an array or vector.
    pub(crate) fn element(self) -> LlvmType<'c> {
        LlvmType::new(unsafe { LLVMGetElementType(self.raw) })
    }

    pub(crate) fn array_length(self) -> u64 {
        unsafe { LLVMGetArrayLength2(self.raw) }
    }

    pub(crate) fn vector_length(self) -> u32 {
        unsafe { LLVMGetVectorSize(self.raw) }
    }

    /// Result of a function type.
    pub(crate) fn result(self) -> LlvmType<'c> {
        LlvmType::new(unsafe { LLVMGetReturnType(self.raw) })
    }

    pub(crate) fn is_variadic(self) -> bool {
        unsafe { LLVMIsFunctionVarArg(self.raw) != 0 }
    }

    pub(crate) fn parameters(self) -> Vec<LlvmType<'c>> {
        unsafe {
            let count = LLVMCountParamTypes(self.raw);
            let mut raw = vec![std::ptr::null_mut(); count as usize];
            LLVMGetParamTypes(self.raw, raw.as_mut_ptr());
            raw.into_iter().map(LlvmType::new).collect()
        }
    }
}
