//! Names and places in the source, from debug information.

use super::functions::*;
use llvm_sys::prelude::*;

use super::{LlvmValue, ValueKind, borrowed_text};

/// A place as debug information gives it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct DebugPlace {
    pub(crate) directory: String,
    pub(crate) file: String,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

// SAFETY of every call below: the value is live because its context is; accessors for one kind of
// value are named after it and called on that kind only.
impl<'c> LlvmValue<'c> {
    /// The name that the source gives a function.
    pub(crate) fn source_name(self) -> Option<String> {
        if !matches!(self.kind(), ValueKind::LLVMFunctionValueKind) {
            return None;
        }
        unsafe {
            let subprogram = LLVMGetSubprogram(self.raw);
            metadata_name(self.context(), subprogram, 2)
        }
    }

    /// Name and place of a global variable in the source.
    pub(crate) fn global_source(self) -> Option<(String, DebugPlace)> {
        unsafe {
            let mut count = 0;
            let entries = LLVMGlobalCopyAllMetadata(self.raw, &raw mut count);
            let dbg = LLVMGetMDKindIDInContext(self.context(), c"dbg".as_ptr(), 3);
            let mut found = None;
            for i in 0..u32::try_from(count).unwrap_or(0) {
                if found.is_none() && LLVMValueMetadataEntriesGetKind(entries, i) == dbg {
                    let expression = LLVMValueMetadataEntriesGetMetadata(entries, i);
                    let variable = LLVMDIGlobalVariableExpressionGetVariable(expression);
                    if let Some(name) = metadata_name(self.context(), variable, 1) {
                        let (directory, file) = file_parts(LLVMDIVariableGetFile(variable));
                        let line = LLVMDIVariableGetLine(variable);
                        found = Some((name, DebugPlace { directory, file, line, column: 0 }));
                    }
                }
            }
            LLVMDisposeValueMetadataEntries(entries);
            found
        }
    }

    /// Where an instruction or a function is in the source.
    pub(crate) fn debug_place(self) -> Option<DebugPlace> {
        unsafe {
            let line = LLVMGetDebugLocLine(self.raw);
            if line == 0 {
                return None;
            }
            let mut length = 0;
            let raw = LLVMGetDebugLocFilename(self.raw, &raw mut length);
            let file = borrowed_text(raw, length as usize);
            let raw = LLVMGetDebugLocDirectory(self.raw, &raw mut length);
            let directory = borrowed_text(raw, length as usize);
            let column = if self.is_instruction() { LLVMGetDebugLocColumn(self.raw) } else { 0 };
            Some(DebugPlace { directory, file, line, column })
        }
    }

    /// For a call of `llvm.dbg.declare`: the variable's address and its name in the source.
    pub(crate) fn declared_variable(self) -> Option<(LlvmValue<'c>, String)> {
        unsafe {
            let address = LlvmValue::new(LLVMGetOperand(self.raw, 0));
            let variable = LlvmValue::new(LLVMGetOperand(self.raw, 1));
            let address = metadata_operand(address.raw, 0)?;
            let name = metadata_operand(variable.raw, 1)?;
            let mut length = 0;
            let text = LLVMGetMDString(name, &raw mut length);
            if text.is_null() {
                return None;
            }
            Some((LlvmValue::new(address), borrowed_text(text, length as usize)))
        }
    }
}

/// The tag of constant types in debug information.
const CONSTANT_TYPE: u16 = 0x26;

impl LlvmValue<'_> {
    /// For a call of `llvm.dbg.declare`: whether the variable's type is constant.
    pub(crate) fn declares_constant(self) -> bool {
        // SAFETY: as above; the variable is a node, and its fourth operand its type.
        unsafe {
            let variable = LLVMGetOperand(self.raw, 1);
            metadata_operand(variable, 3)
                .is_some_and(|ty| LLVMGetDINodeTag(LLVMValueAsMetadata(ty)) == CONSTANT_TYPE)
        }
    }
}

/// Operand of a metadata node that is wrapped as a value, or the value wrapped as metadata.
///
/// # Safety
/// `node` is a live metadata value.
unsafe fn metadata_operand(node: LLVMValueRef, index: usize) -> Option<LLVMValueRef> {
    unsafe {
        let count = LLVMGetMDNodeNumOperands(node) as usize;
        let mut operands = vec![std::ptr::null_mut(); count];
        LLVMGetMDNodeOperands(node, operands.as_mut_ptr());
        operands.get(index).copied().filter(|operand| !operand.is_null())
    }
}

/// The text operand of a metadata node that holds its name.
///
/// # Safety
/// `node` is null or live metadata of `context`.
unsafe fn metadata_name(
    context: LLVMContextRef,
    node: LLVMMetadataRef,
    index: usize,
) -> Option<String> {
    if node.is_null() {
        return None;
    }
    unsafe {
        let name = metadata_operand(LLVMMetadataAsValue(context, node), index)?;
        let mut length = 0;
        let text = LLVMGetMDString(name, &raw mut length);
        (!text.is_null()).then(|| borrowed_text(text, length as usize))
    }
}

/// Directory and name of a file node.
///
/// # Safety
/// `file` is null or a live file node.
unsafe fn file_parts(file: LLVMMetadataRef) -> (String, String) {
    if file.is_null() {
        return (String::new(), String::new());
    }
    unsafe {
        let mut length = 0;
        let raw = LLVMDIFileGetDirectory(file, &raw mut length);
        let directory = borrowed_text(raw, length as usize);
        let raw = LLVMDIFileGetFilename(file, &raw mut length);
        (directory, borrowed_text(raw, length as usize))
    }
}
