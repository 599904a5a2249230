//! LLVM's functions, found when the first of them is needed.
//!
//! `libLLVM` takes twenty milliseconds to load, and the supervisor, transition systems and processes do not
//! need it. So it is not linked but opened by [`load_library`], and each function here calls the one of its name there.

use std::ffi::{c_char, c_int, c_uint, c_ulonglong, c_void};
use std::sync::OnceLock;

use libloading::os::unix::{Library, RTLD_LAZY, RTLD_LOCAL};
use llvm_sys::analysis::LLVMVerifierFailureAction;
use llvm_sys::prelude::*;
use llvm_sys::target::{LLVMByteOrdering, LLVMTargetDataRef};
use llvm_sys::*;

/// The names by which systems know the library of the version that `llvm-sys` declares.
const LIBRARY_NAMES: [&str; 3] = ["libLLVM.so.19.1", "libLLVM-19.so.1", "libLLVM-19.so"];

/// Declares a table of LLVM's functions, and for each function one that calls it.
macro_rules! functions {
    ($(fn $name:ident($($argument:ident: $kind:ty),* $(,)?) $(-> $result:ty)?;)*) => {
        #[allow(non_snake_case, reason = "LLVM's names")]
        struct FunctionTable {
            $($name: unsafe extern "C" fn($($kind),*) $(-> $result)?,)*
        }

        impl FunctionTable {
            fn find_all(library: &Library) -> Result<FunctionTable, String> {
                // SAFETY: the types are those that `llvm-sys` declares for this version.
                unsafe {
                    Ok(FunctionTable {
                        $($name: *library
                            .get(concat!(stringify!($name), "\0").as_bytes())
                            .map_err(|error| error.to_string())?,)*
                    })
                }
            }
        }

        $(
            #[allow(non_snake_case, reason = "LLVM's name")]
            #[inline]
            pub(super) unsafe fn $name($($argument: $kind),*) $(-> $result)? {
                // SAFETY: the caller keeps LLVM's rules for it.
                unsafe { (function_table().$name)($($argument),*) }
            }
        )*
    };
}

static TABLE: OnceLock<Result<FunctionTable, String>> = OnceLock::new();

fn function_table() -> &'static FunctionTable {
    match TABLE.get() {
        Some(Ok(table)) => table,
        _ => unreachable!(
            "there is no context, and so nothing to ask about, before the library is loaded"
        ),
    }
}

/// Opens the library, once; or why that is not possible.
pub(super) fn load_library() -> Result<(), String> {
    TABLE.get_or_init(open_library).as_ref().map(|_| ()).map_err(Clone::clone)
}

fn open_library() -> Result<FunctionTable, String> {
    let mut why = String::new();
    for name in LIBRARY_NAMES {
        // SAFETY: what LLVM does when it is loaded is what it does when it is linked.
        match unsafe { Library::open(Some(name), RTLD_LAZY | RTLD_LOCAL) } {
            Ok(library) => {
                let table = FunctionTable::find_all(&library)?;
                // For as long as the process lives: handles may be anywhere.
                std::mem::forget(library);
                return Ok(table);
            }
            Err(error) if why.is_empty() => why = error.to_string(),
            Err(_) => {}
        }
    }
    Err(why)
}

functions! {
    fn LLVMABIAlignmentOfType(td: LLVMTargetDataRef, ty: LLVMTypeRef) -> c_uint;
    fn LLVMABISizeOfType(td: LLVMTargetDataRef, ty: LLVMTypeRef) -> c_ulonglong;
    fn LLVMAddAttributeAtIndex(f: LLVMValueRef, idx: LLVMAttributeIndex, a: LLVMAttributeRef);
    fn LLVMAliasGetAliasee(alias: LLVMValueRef) -> LLVMValueRef;
    fn LLVMBasicBlockAsValue(bb: LLVMBasicBlockRef) -> LLVMValueRef;
    fn LLVMByteOrder(td: LLVMTargetDataRef) -> LLVMByteOrdering;
    fn LLVMConstBitCast(constant_val: LLVMValueRef, to_type: LLVMTypeRef) -> LLVMValueRef;
    fn LLVMConstIntGetZExtValue(constant_val: LLVMValueRef) -> c_ulonglong;
    fn LLVMContextCreate() -> LLVMContextRef;
    fn LLVMContextDispose(c: LLVMContextRef);
    fn LLVMContextSetDiagnosticHandler(c: LLVMContextRef, handler: LLVMDiagnosticHandler, diagnostic_context: *mut c_void);
    fn LLVMCountIncoming(phi_node: LLVMValueRef) -> c_uint;
    fn LLVMCountParamTypes(function_ty: LLVMTypeRef) -> c_uint;
    fn LLVMCountParams(function: LLVMValueRef) -> c_uint;
    fn LLVMCountStructElementTypes(struct_ty: LLVMTypeRef) -> c_uint;
    fn LLVMCreateEnumAttribute(c: LLVMContextRef, kind_id: c_uint, val: u64) -> LLVMAttributeRef;
    fn LLVMCreateMemoryBufferWithContentsOfFile(path: *const c_char, out_mem_buf: *mut LLVMMemoryBufferRef, out_message: *mut *mut c_char) -> LLVMBool;
    fn LLVMDIFileGetDirectory(file: LLVMMetadataRef, len: *mut c_uint) -> *const c_char;
    fn LLVMDIFileGetFilename(file: LLVMMetadataRef, len: *mut c_uint) -> *const c_char;
    fn LLVMDIGlobalVariableExpressionGetVariable(gve: LLVMMetadataRef) -> LLVMMetadataRef;
    fn LLVMDIVariableGetFile(var: LLVMMetadataRef) -> LLVMMetadataRef;
    fn LLVMDIVariableGetLine(var: LLVMMetadataRef) -> c_uint;
    fn LLVMDisposeMessage(message: *mut c_char);
    fn LLVMDisposeValueMetadataEntries(entries: *mut LLVMValueMetadataEntry);
    fn LLVMGetAggregateElement(c: LLVMValueRef, idx: c_uint) -> LLVMValueRef;
    fn LLVMGetAlignment(v: LLVMValueRef) -> c_uint;
    fn LLVMGetAllocatedType(alloca: LLVMValueRef) -> LLVMTypeRef;
    fn LLVMGetArrayLength2(array_ty: LLVMTypeRef) -> u64;
    fn LLVMGetAsString(c: LLVMValueRef, length: *mut usize) -> *const c_char;
    fn LLVMGetAtomicRMWBinOp(atomic_rmw_inst: LLVMValueRef) -> LLVMAtomicRMWBinOp;
    fn LLVMGetBasicBlockTerminator(bb: LLVMBasicBlockRef) -> LLVMValueRef;
    fn LLVMGetBlockAddressBasicBlock(block_addr: LLVMValueRef) -> LLVMBasicBlockRef;
    fn LLVMGetBlockAddressFunction(block_addr: LLVMValueRef) -> LLVMValueRef;
    fn LLVMGetCallSiteEnumAttribute(c: LLVMValueRef, idx: LLVMAttributeIndex, kind_id: c_uint) -> LLVMAttributeRef;
    fn LLVMGetCalledFunctionType(c: LLVMValueRef) -> LLVMTypeRef;
    fn LLVMGetCalledValue(instr: LLVMValueRef) -> LLVMValueRef;
    fn LLVMGetConstOpcode(constant_val: LLVMValueRef) -> LLVMOpcode;
    fn LLVMGetDebugLocColumn(val: LLVMValueRef) -> c_uint;
    fn LLVMGetDebugLocDirectory(val: LLVMValueRef, length: *mut c_uint) -> *const c_char;
    fn LLVMGetDebugLocFilename(val: LLVMValueRef, length: *mut c_uint) -> *const c_char;
    fn LLVMGetDebugLocLine(val: LLVMValueRef) -> c_uint;
    fn LLVMGetDiagInfoDescription(di: LLVMDiagnosticInfoRef) -> *mut c_char;
    fn LLVMGetDiagInfoSeverity(di: LLVMDiagnosticInfoRef) -> LLVMDiagnosticSeverity;
    fn LLVMGetElementType(ty: LLVMTypeRef) -> LLVMTypeRef;
    fn LLVMGetEnumAttributeAtIndex(f: LLVMValueRef, idx: LLVMAttributeIndex, kind_id: c_uint) -> LLVMAttributeRef;
    fn LLVMGetEnumAttributeKindForName(name: *const c_char, s_len: usize) -> c_uint;
    fn LLVMGetFCmpPredicate(inst: LLVMValueRef) -> LLVMRealPredicate;
    fn LLVMGetFirstBasicBlock(function: LLVMValueRef) -> LLVMBasicBlockRef;
    fn LLVMGetFirstFunction(m: LLVMModuleRef) -> LLVMValueRef;
    fn LLVMGetFirstGlobal(m: LLVMModuleRef) -> LLVMValueRef;
    fn LLVMGetFirstInstruction(bb: LLVMBasicBlockRef) -> LLVMValueRef;
    fn LLVMGetFirstUse(val: LLVMValueRef) -> LLVMUseRef;
    fn LLVMGetGEPSourceElementType(gep: LLVMValueRef) -> LLVMTypeRef;
    fn LLVMGetGlobalParent(global: LLVMValueRef) -> LLVMModuleRef;
    fn LLVMGetICmpPredicate(inst: LLVMValueRef) -> LLVMIntPredicate;
    fn LLVMGetIncomingBlock(phi_node: LLVMValueRef, index: c_uint) -> LLVMBasicBlockRef;
    fn LLVMGetIncomingValue(phi_node: LLVMValueRef, index: c_uint) -> LLVMValueRef;
    fn LLVMGetIndices(inst: LLVMValueRef) -> *const c_uint;
    fn LLVMGetInitializer(global_var: LLVMValueRef) -> LLVMValueRef;
    fn LLVMGetInlineAsmAsmString(inline_asm_val: LLVMValueRef, len: *mut usize) -> *const c_char;
    fn LLVMGetInlineAsmConstraintString(inline_asm_val: LLVMValueRef, len: *mut usize) -> *const c_char;
    fn LLVMGetInstructionOpcode(inst: LLVMValueRef) -> LLVMOpcode;
    fn LLVMGetInstructionParent(inst: LLVMValueRef) -> LLVMBasicBlockRef;
    fn LLVMGetIntTypeWidth(integer_ty: LLVMTypeRef) -> c_uint;
    fn LLVMGetLinkage(global: LLVMValueRef) -> LLVMLinkage;
    fn LLVMGetMDKindIDInContext(c: LLVMContextRef, name: *const c_char, s_len: c_uint) -> c_uint;
    fn LLVMGetMDNodeNumOperands(v: LLVMValueRef) -> c_uint;
    fn LLVMGetMDNodeOperands(v: LLVMValueRef, dest: *mut LLVMValueRef);
    fn LLVMGetMDString(v: LLVMValueRef, len: *mut c_uint) -> *const c_char;
    fn LLVMGetMaskValue(shuffle_vector_inst: LLVMValueRef, elt: c_uint) -> c_int;
    fn LLVMGetModuleDataLayout(m: LLVMModuleRef) -> LLVMTargetDataRef;
    fn LLVMGetModuleInlineAsm(m: LLVMModuleRef, len: *mut usize) -> *const c_char;
    fn LLVMGetNSW(arith_inst: LLVMValueRef) -> LLVMBool;
    fn LLVMGetNamedFunction(m: LLVMModuleRef, name: *const c_char) -> LLVMValueRef;
    fn LLVMGetNamedGlobal(m: LLVMModuleRef, name: *const c_char) -> LLVMValueRef;
    fn LLVMGetNamedGlobalAlias(m: LLVMModuleRef, name: *const c_char, name_len: usize) -> LLVMValueRef;
    fn LLVMGetNextBasicBlock(bb: LLVMBasicBlockRef) -> LLVMBasicBlockRef;
    fn LLVMGetNextFunction(function: LLVMValueRef) -> LLVMValueRef;
    fn LLVMGetNextGlobal(global_var: LLVMValueRef) -> LLVMValueRef;
    fn LLVMGetNextInstruction(inst: LLVMValueRef) -> LLVMValueRef;
    fn LLVMGetNextUse(u: LLVMUseRef) -> LLVMUseRef;
    fn LLVMGetNumArgOperands(instr: LLVMValueRef) -> c_uint;
    fn LLVMGetNumIndices(inst: LLVMValueRef) -> c_uint;
    fn LLVMGetNumMaskElements(shuffle_vector_inst: LLVMValueRef) -> c_uint;
    fn LLVMGetNumOperands(val: LLVMValueRef) -> c_int;
    fn LLVMGetNumSuccessors(term: LLVMValueRef) -> c_uint;
    fn LLVMGetOperand(val: LLVMValueRef, index: c_uint) -> LLVMValueRef;
    fn LLVMGetParam(function: LLVMValueRef, index: c_uint) -> LLVMValueRef;
    fn LLVMGetParamTypes(function_ty: LLVMTypeRef, dest: *mut LLVMTypeRef);
    fn LLVMGetReturnType(function_ty: LLVMTypeRef) -> LLVMTypeRef;
    fn LLVMGetSection(global: LLVMValueRef) -> *const c_char;
    fn LLVMGetStringAttributeAtIndex(f: LLVMValueRef, idx: LLVMAttributeIndex, k: *const c_char, k_len: c_uint) -> LLVMAttributeRef;
    fn LLVMGetStringAttributeValue(a: LLVMAttributeRef, length: *mut c_uint) -> *const c_char;
    fn LLVMGetSubprogram(func: LLVMValueRef) -> LLVMMetadataRef;
    fn LLVMGetSuccessor(term: LLVMValueRef, i: c_uint) -> LLVMBasicBlockRef;
    fn LLVMGetTypeAttributeValue(a: LLVMAttributeRef) -> LLVMTypeRef;
    fn LLVMGetTypeContext(ty: LLVMTypeRef) -> LLVMContextRef;
    fn LLVMGetTypeKind(ty: LLVMTypeRef) -> LLVMTypeKind;
    fn LLVMGetUnnamedAddress(global: LLVMValueRef) -> LLVMUnnamedAddr;
    fn LLVMGetUser(u: LLVMUseRef) -> LLVMValueRef;
    fn LLVMGetValueKind(val: LLVMValueRef) -> LLVMValueKind;
    fn LLVMGetValueName2(val: LLVMValueRef, length: *mut usize) -> *const c_char;
    fn LLVMGetVectorSize(vector_ty: LLVMTypeRef) -> c_uint;
    fn LLVMGetVolatile(memory_access_inst: LLVMValueRef) -> LLVMBool;
    fn LLVMGetDINodeTag(md: LLVMMetadataRef) -> u16;
    fn LLVMValueAsMetadata(val: LLVMValueRef) -> LLVMMetadataRef;
    fn LLVMGetWeak(cmp_xchg_inst: LLVMValueRef) -> LLVMBool;
    fn LLVMGlobalCopyAllMetadata(value: LLVMValueRef, num_entries: *mut usize) -> *mut LLVMValueMetadataEntry;
    fn LLVMGlobalGetValueType(global: LLVMValueRef) -> LLVMTypeRef;
    fn LLVMIntTypeInContext(c: LLVMContextRef, num_bits: c_uint) -> LLVMTypeRef;
    fn LLVMIsConstantString(c: LLVMValueRef) -> LLVMBool;
    fn LLVMIsDeclaration(global: LLVMValueRef) -> LLVMBool;
    fn LLVMIsFunctionVarArg(function_ty: LLVMTypeRef) -> LLVMBool;
    fn LLVMIsGlobalConstant(global_var: LLVMValueRef) -> LLVMBool;
    fn LLVMIsNull(val: LLVMValueRef) -> LLVMBool;
    fn LLVMIsPoison(val: LLVMValueRef) -> LLVMBool;
    fn LLVMIsThreadLocal(global_var: LLVMValueRef) -> LLVMBool;
    fn LLVMIsUndef(val: LLVMValueRef) -> LLVMBool;
    fn LLVMLinkModules2(dest: LLVMModuleRef, src: LLVMModuleRef) -> LLVMBool;
    fn LLVMMetadataAsValue(c: LLVMContextRef, md: LLVMMetadataRef) -> LLVMValueRef;
    fn LLVMOffsetOfElement(td: LLVMTargetDataRef, struct_ty: LLVMTypeRef, element: c_uint) -> c_ulonglong;
    fn LLVMParseIRInContext(context_ref: LLVMContextRef, mem_buf: LLVMMemoryBufferRef, out_m: *mut LLVMModuleRef, out_message: *mut *mut c_char) -> LLVMBool;
    fn LLVMPointerSize(td: LLVMTargetDataRef) -> c_uint;
    fn LLVMPrintValueToString(val: LLVMValueRef) -> *mut c_char;
    fn LLVMSetIsNewDbgInfoFormat(m: LLVMModuleRef, use_new_format: LLVMBool);
    fn LLVMStructGetTypeAtIndex(struct_ty: LLVMTypeRef, i: c_uint) -> LLVMTypeRef;
    fn LLVMTypeIsSized(ty: LLVMTypeRef) -> LLVMBool;
    fn LLVMTypeOf(val: LLVMValueRef) -> LLVMTypeRef;
    fn LLVMValueMetadataEntriesGetKind(entries: *mut LLVMValueMetadataEntry, index: c_uint) -> c_uint;
    fn LLVMValueMetadataEntriesGetMetadata(entries: *mut LLVMValueMetadataEntry, index: c_uint) -> LLVMMetadataRef;
    fn LLVMVerifyModule(m: LLVMModuleRef, action: LLVMVerifierFailureAction, out_message: *mut *mut c_char) -> LLVMBool;
    fn LLVMWriteBitcodeToFile(m: LLVMModuleRef, path: *const c_char) -> c_int;
}
