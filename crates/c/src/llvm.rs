//! LLVM's own data, seen through thin, safe handles.
//!
//! Only the files here name `llvm_sys`. A handle is a pointer that LLVM owns and that lives as long
//! as its [`LlvmContext`], which the lifetime says. We use LLVM's C interface itself because wrappers
//! over it lose what decides verdicts: integers above 64 bits, the bits of `long double`, targets of
//! `&&label`, `nsw`.
//!
//! | file | one idea |
//! | --- | --- |
//! | `functions` | the functions of the library, loaded when they are needed |
//! | `module` | contexts, modules, layouts |
//! | `ty` | types |
//! | `value` | values and blocks: what all have |
//! | `instruction` | instructions and calls |
//! | `global` | functions and global variables |
//! | `constant` | constants |
//! | `debug` | names and places in the source |
//! | `mangled` | names of C++ functions |

mod constant;
mod debug;
mod functions;
mod global;
mod instruction;
mod mangled;
mod module;
mod ty;
mod value;

use std::ffi::{CStr, c_char};

pub(crate) use debug::DebugPlace;
pub(crate) use llvm_sys::{
    LLVMAtomicRMWBinOp as AtomicOp, LLVMIntPredicate as IntPredicate, LLVMLinkage as Linkage,
    LLVMOpcode as Opcode, LLVMRealPredicate as RealPredicate, LLVMTypeKind as TypeKind,
    LLVMValueKind as ValueKind,
};
pub(crate) use mangled::demangle_name;
pub(crate) use module::{LlvmContext, LlvmLayout, LlvmModule};
pub(crate) use ty::LlvmType;
pub(crate) use value::{BasicBlock, LlvmValue};

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
pub(crate) use list;

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
        functions::LLVMDisposeMessage(raw);
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
