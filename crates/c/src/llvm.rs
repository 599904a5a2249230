//! LLVM's own data, seen through thin, safe handles.
//!
//! This is the only file that names `llvm_sys`. A handle is a pointer that LLVM owns and that lives
//! as long as its [`Context`], which the lifetime says. We use LLVM's C interface itself because
//! wrappers over it lose what decides verdicts: integers above 64 bits, the bits of `long double`,
//! targets of `&&label`, `nsw`.

use std::ffi::{CStr, CString, c_char, c_void};
use std::marker::PhantomData;
use std::path::Path;

use llvm_sys::core::*;
use llvm_sys::debuginfo::*;
use llvm_sys::prelude::*;
use llvm_sys::target::*;
pub(crate) use llvm_sys::{
    LLVMAtomicRMWBinOp as AtomicOp, LLVMIntPredicate as IntPredicate, LLVMLinkage as Linkage,
    LLVMOpcode as Opcode, LLVMRealPredicate as RealPredicate, LLVMTypeKind as TypeKind,
    LLVMValueKind as ValueKind,
};

/// Where everything of one compilation lives.
pub(crate) struct Context {
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

/// Takes over a message that LLVM allocated.
///
/// # Safety
/// `raw` is null or such a message.
unsafe fn owned_text(raw: *mut c_char) -> String {
    if raw.is_null() {
        return String::new();
    }
    unsafe {
        let text = CStr::from_ptr(raw).to_string_lossy().into_owned();
        LLVMDisposeMessage(raw);
        text
    }
}

/// Copies a text that LLVM keeps.
///
/// # Safety
/// `raw` is null or points to `length` readable bytes.
unsafe fn borrowed_text(raw: *const c_char, length: usize) -> String {
    if raw.is_null() || length == 0 {
        return String::new();
    }
    unsafe {
        String::from_utf8_lossy(std::slice::from_raw_parts(raw.cast::<u8>(), length)).into_owned()
    }
}

impl Context {
    pub(crate) fn new() -> Context {
        let complaints = Box::into_raw(Box::new(String::new()));
        // SAFETY: a fresh context; the box outlives it (see `drop`).
        unsafe {
            let raw = LLVMContextCreate();
            LLVMContextSetDiagnosticHandler(raw, Some(complain), complaints.cast());
            Context { raw, complaints }
        }
    }

    fn take_complaints(&self) -> String {
        // SAFETY: no handler runs while we are here.
        unsafe { std::mem::take(&mut *self.complaints) }
    }

    /// Reads bitcode or its text form.
    pub(crate) fn read(&self, path: &Path) -> Result<Module<'_>, String> {
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
            if llvm_sys::ir_reader::LLVMParseIRInContext(
                self.raw,
                buffer,
                &raw mut module,
                &raw mut message,
            ) != 0
            {
                let mut text = owned_text(message);
                text.push_str(&self.take_complaints());
                return Err(text);
            }
            // Variable names come from `llvm.dbg.declare` calls: ask for that form.
            LLVMSetIsNewDbgInfoFormat(module, 0);
            Ok(Module { raw: module, context: self })
        }
    }
}

impl Drop for Context {
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
pub(crate) struct Module<'c> {
    raw: LLVMModuleRef,
    context: &'c Context,
}

impl PartialEq for Module<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.raw == other.raw
    }
}

/// Collects one of LLVM's intrusive lists.
macro_rules! list {
    ($owner:expr, $first:ident, $next:ident, $wrap:expr) => {{
        let mut items = Vec::new();
        // SAFETY: the owner is live, and so are the items of its list.
        let mut item = unsafe { $first($owner) };
        while !item.is_null() {
            items.push($wrap(item));
            item = unsafe { $next(item) };
        }
        items
    }};
}

impl<'c> Module<'c> {
    /// Whether LLVM's own rules hold; what is wrong if not.
    pub(crate) fn verify(self) -> Result<(), String> {
        // SAFETY: live module; the message is taken over.
        unsafe {
            let mut message = std::ptr::null_mut();
            let broken = llvm_sys::analysis::LLVMVerifyModule(
                self.raw,
                llvm_sys::analysis::LLVMVerifierFailureAction::LLVMReturnStatusAction,
                &raw mut message,
            );
            let text = owned_text(message);
            if broken == 0 { Ok(()) } else { Err(text) }
        }
    }

    /// Adds another module of the same context, as a linker does. The other is consumed.
    pub(crate) fn link(self, other: Module<'c>) -> Result<(), String> {
        // SAFETY: both live, of one context; `other` is not used any more (its handles neither).
        let failed = unsafe { llvm_sys::linker::LLVMLinkModules2(self.raw, other.raw) } != 0;
        let complaints = self.context.take_complaints();
        if failed { Err(complaints) } else { Ok(()) }
    }

    /// Writes bitcode.
    pub(crate) fn write(self, path: &Path) -> bool {
        let Ok(name) = CString::new(path.as_os_str().as_encoded_bytes()) else { return false };
        // SAFETY: live module and name.
        unsafe { llvm_sys::bit_writer::LLVMWriteBitcodeToFile(self.raw, name.as_ptr()) == 0 }
    }

    pub(crate) fn layout(self) -> Layout<'c> {
        // SAFETY: the module owns the layout.
        Layout { raw: unsafe { LLVMGetModuleDataLayout(self.raw) }, life: PhantomData }
    }

    pub(crate) fn is_little_endian(self) -> bool {
        // SAFETY: as above.
        matches!(
            unsafe { LLVMByteOrder(LLVMGetModuleDataLayout(self.raw)) },
            LLVMByteOrdering::LLVMLittleEndian
        )
    }

    pub(crate) fn functions(self) -> Vec<Value<'c>> {
        list!(self.raw, LLVMGetFirstFunction, LLVMGetNextFunction, Value::new)
    }

    /// The function of this name, declared or defined.
    pub(crate) fn function(self, name: &str) -> Option<Value<'c>> {
        let name = CString::new(name).ok()?;
        // SAFETY: live module and name.
        Value::some(unsafe { LLVMGetNamedFunction(self.raw, name.as_ptr()) })
    }

    /// The global variable of this name, declared or defined.
    pub(crate) fn global(self, name: &str) -> Option<Value<'c>> {
        let name = CString::new(name).ok()?;
        // SAFETY: live module and name.
        Value::some(unsafe { LLVMGetNamedGlobal(self.raw, name.as_ptr()) })
    }

    /// The alias of this name.
    pub(crate) fn alias(self, name: &str) -> Option<Value<'c>> {
        // SAFETY: live module; the name is given by length.
        Value::some(unsafe { LLVMGetNamedGlobalAlias(self.raw, name.as_ptr().cast(), name.len()) })
    }

    /// The top-level assembly of the module.
    pub(crate) fn assembly(self) -> String {
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
pub(crate) struct Layout<'c> {
    raw: LLVMTargetDataRef,
    life: PhantomData<&'c Context>,
}

impl<'c> Layout<'c> {
    pub(crate) fn pointer_bits(self) -> u32 {
        // SAFETY: live layout.
        unsafe { LLVMPointerSize(self.raw) * 8 }
    }

    /// Distance between neighbours in an array.
    pub(crate) fn size(self, ty: Ty<'c>) -> u64 {
        // SAFETY: live layout; callers ask only for sized types (`Ty::is_sized`).
        unsafe { LLVMABISizeOfType(self.raw, ty.raw) }
    }

    pub(crate) fn align(self, ty: Ty<'c>) -> u64 {
        // SAFETY: as above.
        u64::from(unsafe { LLVMABIAlignmentOfType(self.raw, ty.raw) })
    }

    pub(crate) fn field_offset(self, ty: Ty<'c>, field: u32) -> u64 {
        // SAFETY: as above, a structure with that field.
        unsafe { LLVMOffsetOfElement(self.raw, ty.raw, field) }
    }
}

/// A type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Ty<'c> {
    raw: LLVMTypeRef,
    life: PhantomData<&'c Context>,
}

impl<'c> Ty<'c> {
    fn new(raw: LLVMTypeRef) -> Self {
        Ty { raw, life: PhantomData }
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
    pub(crate) fn fields(self) -> Vec<Ty<'c>> {
        unsafe {
            (0..LLVMCountStructElementTypes(self.raw))
                .map(|i| Ty::new(LLVMStructGetTypeAtIndex(self.raw, i)))
                .collect()
        }
    }

    /// Element of an array or vector.
    pub(crate) fn element(self) -> Ty<'c> {
        Ty::new(unsafe { LLVMGetElementType(self.raw) })
    }

    pub(crate) fn array_length(self) -> u64 {
        unsafe { LLVMGetArrayLength2(self.raw) }
    }

    pub(crate) fn vector_length(self) -> u32 {
        unsafe { LLVMGetVectorSize(self.raw) }
    }

    /// Result of a function type.
    pub(crate) fn result(self) -> Ty<'c> {
        Ty::new(unsafe { LLVMGetReturnType(self.raw) })
    }

    pub(crate) fn is_variadic(self) -> bool {
        unsafe { LLVMIsFunctionVarArg(self.raw) != 0 }
    }

    pub(crate) fn parameters(self) -> Vec<Ty<'c>> {
        unsafe {
            let count = LLVMCountParamTypes(self.raw);
            let mut raw = vec![std::ptr::null_mut(); count as usize];
            LLVMGetParamTypes(self.raw, raw.as_mut_ptr());
            raw.into_iter().map(Ty::new).collect()
        }
    }
}

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct BasicBlock<'c> {
    raw: LLVMBasicBlockRef,
    life: PhantomData<&'c Context>,
}

impl<'c> BasicBlock<'c> {
    fn new(raw: LLVMBasicBlockRef) -> Self {
        BasicBlock { raw, life: PhantomData }
    }

    pub(crate) fn instructions(self) -> Vec<Value<'c>> {
        list!(self.raw, LLVMGetFirstInstruction, LLVMGetNextInstruction, Value::new)
    }

    /// Whether `&&label` names it.
    pub(crate) fn has_address_taken(self) -> bool {
        // SAFETY: live block.
        let label = Value::new(unsafe { LLVMBasicBlockAsValue(self.raw) });
        label
            .users()
            .into_iter()
            .any(|user| matches!(user.kind(), ValueKind::LLVMBlockAddressValueKind))
    }

    /// The last instruction.
    pub(crate) fn terminator(self) -> Option<Value<'c>> {
        // SAFETY: live block.
        Value::some(unsafe { LLVMGetBasicBlockTerminator(self.raw) })
    }
}

/// A place as debug information gives it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Place {
    pub(crate) directory: String,
    pub(crate) file: String,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

/// Anything with a value: a constant, a global, a function, an argument, an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Value<'c> {
    raw: LLVMValueRef,
    life: PhantomData<&'c Context>,
}

// SAFETY of every call below: the value is live because its context is; accessors for one kind of
// value are named after it and called on that kind only.
impl<'c> Value<'c> {
    fn new(raw: LLVMValueRef) -> Self {
        Value { raw, life: PhantomData }
    }

    fn some(raw: LLVMValueRef) -> Option<Self> {
        (!raw.is_null()).then(|| Value::new(raw))
    }

    pub(crate) fn kind(self) -> ValueKind {
        unsafe { LLVMGetValueKind(self.raw) }
    }

    pub(crate) fn ty(self) -> Ty<'c> {
        Ty::new(unsafe { LLVMTypeOf(self.raw) })
    }

    pub(crate) fn name(self) -> String {
        let mut length = 0;
        unsafe {
            let raw = LLVMGetValueName2(self.raw, &raw mut length);
            borrowed_text(raw, length)
        }
    }

    /// LLVM's own text of it.
    pub(crate) fn text(self) -> String {
        unsafe { owned_text(LLVMPrintValueToString(self.raw)) }
    }

    pub(crate) fn operand_count(self) -> u32 {
        u32::try_from(unsafe { LLVMGetNumOperands(self.raw) }).unwrap_or(0)
    }

    pub(crate) fn operand(self, index: u32) -> Value<'c> {
        Value::new(unsafe { LLVMGetOperand(self.raw, index) })
    }

    pub(crate) fn operands(self) -> Vec<Value<'c>> {
        (0..self.operand_count()).map(|i| self.operand(i)).collect()
    }

    /// Everything that has it as an operand.
    pub(crate) fn users(self) -> Vec<Value<'c>> {
        list!(self.raw, LLVMGetFirstUse, LLVMGetNextUse, |item| Value::new(unsafe {
            LLVMGetUser(item)
        }))
    }

    // Instructions.

    pub(crate) fn is_instruction(self) -> bool {
        matches!(self.kind(), ValueKind::LLVMInstructionValueKind)
    }

    pub(crate) fn opcode(self) -> Opcode {
        unsafe { LLVMGetInstructionOpcode(self.raw) }
    }

    pub(crate) fn parent(self) -> BasicBlock<'c> {
        BasicBlock::new(unsafe { LLVMGetInstructionParent(self.raw) })
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

    pub(crate) fn atomic_op(self) -> AtomicOp {
        unsafe { LLVMGetAtomicRMWBinOp(self.raw) }
    }

    /// Type of the objects an alloca makes.
    pub(crate) fn allocated_type(self) -> Ty<'c> {
        Ty::new(unsafe { LLVMGetAllocatedType(self.raw) })
    }

    /// Alignment of an alloca, a load, a store or a global; 0 when none is said.
    pub(crate) fn alignment(self) -> u64 {
        u64::from(unsafe { LLVMGetAlignment(self.raw) })
    }

    /// The type that a getelementptr steps through.
    pub(crate) fn element_type(self) -> Ty<'c> {
        Ty::new(unsafe { LLVMGetGEPSourceElementType(self.raw) })
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
    pub(crate) fn incoming(self) -> Vec<(Value<'c>, BasicBlock<'c>)> {
        unsafe {
            (0..LLVMCountIncoming(self.raw))
                .map(|i| {
                    let value = Value::new(LLVMGetIncomingValue(self.raw, i));
                    (value, BasicBlock::new(LLVMGetIncomingBlock(self.raw, i)))
                })
                .collect()
        }
    }

    // Calls.

    pub(crate) fn callee(self) -> Value<'c> {
        Value::new(unsafe { LLVMGetCalledValue(self.raw) })
    }

    pub(crate) fn callee_type(self) -> Ty<'c> {
        Ty::new(unsafe { LLVMGetCalledFunctionType(self.raw) })
    }

    pub(crate) fn arguments(self) -> Vec<Value<'c>> {
        let count = unsafe { LLVMGetNumArgOperands(self.raw) };
        (0..count).map(|i| self.operand(i)).collect()
    }

    /// Whether argument `index` (from 0) of a call has an attribute.
    pub(crate) fn argument_has(self, index: u32, attribute: &str) -> bool {
        unsafe {
            !LLVMGetCallSiteEnumAttribute(self.raw, index + 1, attribute_kind(attribute)).is_null()
        }
    }

    /// Whether a call has an attribute as a whole.
    pub(crate) fn call_has(self, attribute: &str) -> bool {
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
    pub(crate) fn assembly(self) -> (String, String) {
        let mut length = 0;
        unsafe {
            let raw = LLVMGetInlineAsmAsmString(self.raw, &raw mut length);
            let text = borrowed_text(raw, length);
            let raw = LLVMGetInlineAsmConstraintString(self.raw, &raw mut length);
            (text, borrowed_text(raw, length))
        }
    }

    // Functions.

    /// Whether a function or global belongs to a module.
    pub(crate) fn is_in(self, module: Module<'c>) -> bool {
        unsafe { LLVMGetGlobalParent(self.raw) == module.raw }
    }

    pub(crate) fn is_declaration(self) -> bool {
        unsafe { LLVMIsDeclaration(self.raw) != 0 }
    }

    pub(crate) fn linkage(self) -> Linkage {
        unsafe { LLVMGetLinkage(self.raw) }
    }

    /// Type of the function or of the global's content.
    pub(crate) fn value_type(self) -> Ty<'c> {
        Ty::new(unsafe { LLVMGlobalGetValueType(self.raw) })
    }

    pub(crate) fn parameters(self) -> Vec<Value<'c>> {
        unsafe {
            (0..LLVMCountParams(self.raw)).map(|i| Value::new(LLVMGetParam(self.raw, i))).collect()
        }
    }

    pub(crate) fn blocks(self) -> Vec<BasicBlock<'c>> {
        list!(self.raw, LLVMGetFirstBasicBlock, LLVMGetNextBasicBlock, BasicBlock::new)
    }

    /// The type behind a `byval` parameter (from 0).
    pub(crate) fn by_value(self, index: u32) -> Option<Ty<'c>> {
        unsafe {
            let attribute =
                LLVMGetEnumAttributeAtIndex(self.raw, index + 1, attribute_kind("byval"));
            (!attribute.is_null()).then(|| Ty::new(LLVMGetTypeAttributeValue(attribute)))
        }
    }

    /// The type behind the parameter (from 0) through which a structure is returned.
    pub(crate) fn structure_result(self, index: u32) -> Option<Ty<'c>> {
        unsafe {
            let attribute =
                LLVMGetEnumAttributeAtIndex(self.raw, index + 1, attribute_kind("sret"));
            (!attribute.is_null()).then(|| Ty::new(LLVMGetTypeAttributeValue(attribute)))
        }
    }

    /// Whether a function has an attribute.
    pub(crate) fn function_has(self, attribute: &str) -> bool {
        unsafe {
            !LLVMGetEnumAttributeAtIndex(
                self.raw,
                llvm_sys::LLVMAttributeFunctionIndex,
                attribute_kind(attribute),
            )
            .is_null()
        }
    }

    /// The name that the source gives a function.
    pub(crate) fn source_name(self) -> Option<String> {
        unsafe {
            let subprogram = LLVMGetSubprogram(self.raw);
            metadata_name(self.context(), subprogram, 2)
        }
    }

    fn context(self) -> LLVMContextRef {
        unsafe { LLVMGetTypeContext(LLVMTypeOf(self.raw)) }
    }

    // Globals.

    pub(crate) fn initializer(self) -> Option<Value<'c>> {
        Value::some(unsafe { LLVMGetInitializer(self.raw) })
    }

    pub(crate) fn is_constant_global(self) -> bool {
        unsafe { LLVMIsGlobalConstant(self.raw) != 0 }
    }

    /// Target of an alias.
    pub(crate) fn aliasee(self) -> Value<'c> {
        Value::new(unsafe { LLVMAliasGetAliasee(self.raw) })
    }

    /// Name and place of a global variable in the source.
    pub(crate) fn global_source(self) -> Option<(String, Place)> {
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
                        let (directory, file) = file_of(LLVMDIVariableGetFile(variable));
                        let line = LLVMDIVariableGetLine(variable);
                        found = Some((name, Place { directory, file, line, column: 0 }));
                    }
                }
            }
            LLVMDisposeValueMetadataEntries(entries);
            found
        }
    }

    // Debug information of instructions and functions.

    /// Where an instruction or a function is in the source.
    pub(crate) fn place(self) -> Option<Place> {
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
            Some(Place { directory, file, line, column })
        }
    }

    /// For a call of `llvm.dbg.declare`: the variable's address and its name in the source.
    pub(crate) fn declared_variable(self) -> Option<(Value<'c>, String)> {
        unsafe {
            let address = Value::new(LLVMGetOperand(self.raw, 0));
            let variable = Value::new(LLVMGetOperand(self.raw, 1));
            let address = metadata_operand(address.raw, 0)?;
            let name = metadata_operand(variable.raw, 1)?;
            let mut length = 0;
            let text = LLVMGetMDString(name, &raw mut length);
            if text.is_null() {
                return None;
            }
            Some((Value::new(address), borrowed_text(text, length as usize)))
        }
    }

    // Constants.

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

    /// Bits of a constant float.
    pub(crate) fn float_bits(self, bits: u32) -> Option<u128> {
        unsafe {
            let int = LLVMIntTypeInContext(self.context(), bits);
            Value::new(LLVMConstBitCast(self.raw, int)).int_value()
        }
    }

    pub(crate) fn aggregate_element(self, index: u32) -> Option<Value<'c>> {
        Value::some(unsafe { LLVMGetAggregateElement(self.raw, index) })
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
    pub(crate) fn block_address(self) -> (Value<'c>, BasicBlock<'c>) {
        unsafe {
            (
                Value::new(LLVMGetBlockAddressFunction(self.raw)),
                BasicBlock::new(LLVMGetBlockAddressBasicBlock(self.raw)),
            )
        }
    }
}

fn attribute_kind(name: &str) -> u32 {
    // SAFETY: the name is given by length.
    unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) }
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
unsafe fn file_of(file: LLVMMetadataRef) -> (String, String) {
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
