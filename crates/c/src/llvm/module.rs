//! Contexts, modules and layouts.

use std::ffi::{CString, c_void};
use std::marker::PhantomData;
use std::path::Path;

use super::functions::*;
use llvm_sys::prelude::*;
use llvm_sys::target::{LLVMByteOrdering, LLVMTargetDataRef};

use super::{LlvmType, LlvmValue, borrowed_text, list, owned_text};

/// Where everything of one compilation lives.
pub(crate) struct LlvmContext {
    raw: LLVMContextRef,
    /// What LLVM complained about; the handler below writes it. LLVM's own would exit the process.
    complaints: *mut String,
}

extern "C" fn complain(info: LLVMDiagnosticInfoRef, complaints: *mut c_void) {
    // SAFETY: `complaints` is the box made in `Context::new`, used by one thread, and `info` is
    // live during this call.
    unsafe {
        if matches!(LLVMGetDiagInfoSeverity(info), llvm_sys::LLVMDiagnosticSeverity::LLVMDSError) {
            let text = owned_text(LLVMGetDiagInfoDescription(info));
            let complaints = &mut *complaints.cast::<String>();
            if !complaints.is_empty() {
                complaints.push('\n');
            }
            complaints.push_str(&text);
        }
    }
}

impl LlvmContext {
    /// A context, or why LLVM cannot be loaded.
    pub(crate) fn new() -> Result<LlvmContext, String> {
        load_library()?;
        let complaints = Box::into_raw(Box::new(String::new()));
        // SAFETY: a fresh context; the box outlives it (see `drop`).
        unsafe {
            let raw = LLVMContextCreate();
            LLVMContextSetDiagnosticHandler(raw, Some(complain), complaints.cast());
            Ok(LlvmContext { raw, complaints })
        }
    }

    fn take_complaints(&self) -> String {
        // SAFETY: no handler runs while we are here.
        unsafe { std::mem::take(&mut *self.complaints) }
    }

    /// Reads bitcode or its text form.
    pub(crate) fn read_module(&self, path: &Path) -> Result<LlvmModule<'_>, String> {
        let name = CString::new(path.as_os_str().as_encoded_bytes())
            .map_err(|_| "the name contains a zero byte".to_owned())?;
        // SAFETY: the buffer is handed over to the parser; messages are taken over.
        unsafe {
            let mut buffer = std::ptr::null_mut();
            let mut message = std::ptr::null_mut();
            if LLVMCreateMemoryBufferWithContentsOfFile(
                name.as_ptr(),
                &raw mut buffer,
                &raw mut message,
            ) != 0
            {
                return Err(owned_text(message));
            }
            let mut module = std::ptr::null_mut();
            if LLVMParseIRInContext(self.raw, buffer, &raw mut module, &raw mut message) != 0 {
                let mut text = owned_text(message);
                text.push_str(&self.take_complaints());
                return Err(text);
            }
            // Variable names come from `llvm.dbg.declare` calls: ask for that form.
            LLVMSetIsNewDbgInfoFormat(module, 0);
            Ok(LlvmModule { raw: module, context: self })
        }
    }
}

impl Drop for LlvmContext {
    fn drop(&mut self) {
        // SAFETY: made in `new`; disposing a context also disposes its modules.
        unsafe {
            LLVMContextDispose(self.raw);
            drop(Box::from_raw(self.complaints));
        }
    }
}

/// One translation unit, or several linked ones.
#[derive(Clone, Copy)]
pub(crate) struct LlvmModule<'c> {
    pub(super) raw: LLVMModuleRef,
    context: &'c LlvmContext,
}

impl PartialEq for LlvmModule<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.raw == other.raw
    }
}

impl<'c> LlvmModule<'c> {
    /// Whether LLVM's own rules hold; what is wrong if not.
    pub(crate) fn verify(self) -> Result<(), String> {
        // SAFETY: live module; the message is taken over.
        unsafe {
            let mut message = std::ptr::null_mut();
            let broken = LLVMVerifyModule(
                self.raw,
                llvm_sys::analysis::LLVMVerifierFailureAction::LLVMReturnStatusAction,
                &raw mut message,
            );
            let text = owned_text(message);
            if broken == 0 { Ok(()) } else { Err(text) }
        }
    }

    /// Adds another module of the same context, as a linker does. The other is consumed.
    pub(crate) fn link(self, other: LlvmModule<'c>) -> Result<(), String> {
        // SAFETY: both live, of one context; `other` is not used any more (its handles neither).
        let failed = unsafe { LLVMLinkModules2(self.raw, other.raw) } != 0;
        let complaints = self.context.take_complaints();
        if failed { Err(complaints) } else { Ok(()) }
    }

    /// Writes bitcode.
    pub(crate) fn write_bitcode(self, path: &Path) -> bool {
        let Ok(name) = CString::new(path.as_os_str().as_encoded_bytes()) else { return false };
        // SAFETY: live module and name.
        unsafe { LLVMWriteBitcodeToFile(self.raw, name.as_ptr()) == 0 }
    }

    pub(crate) fn data_layout(self) -> LlvmLayout<'c> {
        // SAFETY: the module owns the layout.
        LlvmLayout { raw: unsafe { LLVMGetModuleDataLayout(self.raw) }, life: PhantomData }
    }

    pub(crate) fn is_little_endian(self) -> bool {
        // SAFETY: as above.
        matches!(
            unsafe { LLVMByteOrder(LLVMGetModuleDataLayout(self.raw)) },
            LLVMByteOrdering::LLVMLittleEndian
        )
    }

    pub(crate) fn functions(self) -> Vec<LlvmValue<'c>> {
        list!(self.raw, LLVMGetFirstFunction, LLVMGetNextFunction, LlvmValue::new)
    }

    /// All global variables.
    pub(crate) fn globals(self) -> Vec<LlvmValue<'c>> {
        list!(self.raw, LLVMGetFirstGlobal, LLVMGetNextGlobal, LlvmValue::new)
    }

    /// The function of this name, declared or defined.
    pub(crate) fn find_function(self, name: &str) -> Option<LlvmValue<'c>> {
        let name = CString::new(name).ok()?;
        // SAFETY: live module and name.
        LlvmValue::from_nullable(unsafe { LLVMGetNamedFunction(self.raw, name.as_ptr()) })
    }

    /// The global variable of this name, declared or defined.
    pub(crate) fn find_global(self, name: &str) -> Option<LlvmValue<'c>> {
        let name = CString::new(name).ok()?;
        // SAFETY: live module and name.
        LlvmValue::from_nullable(unsafe { LLVMGetNamedGlobal(self.raw, name.as_ptr()) })
    }

    /// The alias of this name.
    pub(crate) fn find_alias(self, name: &str) -> Option<LlvmValue<'c>> {
        // SAFETY: live module; the name is given by length.
        LlvmValue::from_nullable(unsafe {
            LLVMGetNamedGlobalAlias(self.raw, name.as_ptr().cast(), name.len())
        })
    }

    /// The top-level assembly of the module.
    pub(crate) fn top_level_assembly(self) -> String {
        let mut length = 0;
        // SAFETY: live module.
        unsafe {
            let raw = LLVMGetModuleInlineAsm(self.raw, &raw mut length);
            borrowed_text(raw, length)
        }
    }
}

/// Sizes and alignments, computed by LLVM itself.
#[derive(Clone, Copy)]
pub(crate) struct LlvmLayout<'c> {
    pub(super) raw: LLVMTargetDataRef,
    pub(super) life: PhantomData<&'c LlvmContext>,
}

impl<'c> LlvmLayout<'c> {
    pub(crate) fn pointer_bits(self) -> u32 {
        // SAFETY: live layout.
        unsafe { LLVMPointerSize(self.raw) * 8 }
    }

    /// Distance between neighbours in an array.
    pub(crate) fn size(self, ty: LlvmType<'c>) -> u64 {
        // SAFETY: live layout; callers ask only for sized types (`Ty::is_sized`).
        unsafe { LLVMABISizeOfType(self.raw, ty.raw) }
    }

    pub(crate) fn align(self, ty: LlvmType<'c>) -> u64 {
        // SAFETY: as above.
        u64::from(unsafe { LLVMABIAlignmentOfType(self.raw, ty.raw) })
    }

    pub(crate) fn field_offset(self, ty: LlvmType<'c>, field: u32) -> u64 {
        // SAFETY: as above, a structure with that field.
        unsafe { LLVMOffsetOfElement(self.raw, ty.raw, field) }
    }
}
