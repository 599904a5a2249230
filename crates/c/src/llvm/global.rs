//! Functions and global variables.

use super::functions::*;
use llvm_sys::LLVMUnnamedAddr;

use super::value::attribute_kind;
use super::{BasicBlock, Linkage, LlvmModule, LlvmType, LlvmValue, list};

// SAFETY of every call below: the value is live because its context is; accessors for one kind of
// value are named after it and called on that kind only.
impl<'c> LlvmValue<'c> {
    /// Whether a function or global belongs to a module.
    pub(crate) fn is_in_module(self, module: LlvmModule<'c>) -> bool {
        unsafe { LLVMGetGlobalParent(self.raw) == module.raw }
    }

    pub(crate) fn is_declaration(self) -> bool {
        unsafe { LLVMIsDeclaration(self.raw) != 0 }
    }

    pub(crate) fn linkage(self) -> Linkage {
        unsafe { LLVMGetLinkage(self.raw) }
    }

    /// The section that it was put into, if it was.
    pub(crate) fn section(self) -> Option<String> {
        let raw = unsafe { LLVMGetSection(self.raw) };
        if raw.is_null() {
            return None;
        }
        let text = unsafe { std::ffi::CStr::from_ptr(raw) }.to_string_lossy().into_owned();
        (!text.is_empty()).then_some(text)
    }

    /// Type of the function or of the global's content.
    pub(crate) fn value_type(self) -> LlvmType<'c> {
        LlvmType::new(unsafe { LLVMGlobalGetValueType(self.raw) })
    }

    pub(crate) fn parameters(self) -> Vec<LlvmValue<'c>> {
        unsafe {
            (0..LLVMCountParams(self.raw))
                .map(|i| LlvmValue::new(LLVMGetParam(self.raw, i)))
                .collect()
        }
    }

    pub(crate) fn blocks(self) -> Vec<BasicBlock<'c>> {
        list!(self.raw, LLVMGetFirstBasicBlock, LLVMGetNextBasicBlock, BasicBlock::new)
    }

    /// The type behind a `byval` parameter (from 0).
    pub(crate) fn by_value_type(self, index: u32) -> Option<LlvmType<'c>> {
        unsafe {
            let attribute =
                LLVMGetEnumAttributeAtIndex(self.raw, index + 1, attribute_kind("byval"));
            (!attribute.is_null()).then(|| LlvmType::new(LLVMGetTypeAttributeValue(attribute)))
        }
    }

    /// The type behind the parameter (from 0) through which a structure is returned.
    pub(crate) fn structure_result_type(self, index: u32) -> Option<LlvmType<'c>> {
        unsafe {
            let attribute =
                LLVMGetEnumAttributeAtIndex(self.raw, index + 1, attribute_kind("sret"));
            (!attribute.is_null()).then(|| LlvmType::new(LLVMGetTypeAttributeValue(attribute)))
        }
    }

    /// Whether a function has an attribute.
    pub(crate) fn function_has_attribute(self, attribute: &str) -> bool {
        unsafe {
            !LLVMGetEnumAttributeAtIndex(
                self.raw,
                llvm_sys::LLVMAttributeFunctionIndex,
                attribute_kind(attribute),
            )
            .is_null()
        }
    }

    /// Whether a function is compiled for a processor with a feature: `fma`.
    pub(crate) fn has_feature(self, feature: &str) -> bool {
        const NAME: &str = "target-features";
        let features = unsafe {
            let attribute = LLVMGetStringAttributeAtIndex(
                self.raw,
                llvm_sys::LLVMAttributeFunctionIndex,
                NAME.as_ptr().cast(),
                NAME.len() as u32,
            );
            if attribute.is_null() {
                return false;
            }
            let mut length = 0;
            let text = LLVMGetStringAttributeValue(attribute, &raw mut length);
            std::slice::from_raw_parts(text.cast::<u8>(), length as usize)
        };
        let features = String::from_utf8_lossy(features);
        features.split(',').any(|one| one.strip_prefix('+') == Some(feature))
    }

    /// Gives a function an attribute.
    pub(crate) fn add_function_attribute(self, attribute: &str) {
        unsafe {
            let attribute = LLVMCreateEnumAttribute(self.context(), attribute_kind(attribute), 0);
            LLVMAddAttributeAtIndex(self.raw, llvm_sys::LLVMAttributeFunctionIndex, attribute);
        }
    }

    pub(crate) fn initializer(self) -> Option<LlvmValue<'c>> {
        LlvmValue::from_nullable(unsafe { LLVMGetInitializer(self.raw) })
    }

    pub(crate) fn is_thread_local(self) -> bool {
        unsafe { LLVMIsThreadLocal(self.raw) != 0 }
    }

    pub(crate) fn is_constant_global(self) -> bool {
        unsafe { LLVMIsGlobalConstant(self.raw) != 0 }
    }

    /// Whether its address says nothing, so that another constant may have the same.
    pub(crate) fn may_be_merged(self) -> bool {
        let address = unsafe { LLVMGetUnnamedAddress(self.raw) };
        address != LLVMUnnamedAddr::LLVMNoUnnamedAddr
    }

    /// Target of an alias.
    pub(crate) fn aliasee(self) -> LlvmValue<'c> {
        LlvmValue::new(unsafe { LLVMAliasGetAliasee(self.raw) })
    }
}
