//! What a linker would miss: symbols that the user's code or data names and nobody defines.
//!
//! The whole of the user's module counts, not only what a run can reach: a linker does not know
//! what is reached. Names that the C library or the compiler's runtime provides do not count; for
//! one that is wrongly taken as missing, the reproducer brings a function that does nothing, which
//! is also what the program's assumptions say about it.

use std::collections::BTreeMap;

use ouro_model::{MissingSymbol, MissingSymbolKind};

use crate::externals;
use crate::llvm::{BasicBlock, Linkage, LlvmValue, ValueKind};
use crate::lower::LlvmLowering;
use crate::provided;

/// Objects of the C library that ours does not have as such, besides those that programs may look into.
const STREAMS: [&str; 3] = ["stdin", "stdout", "stderr"];

/// How names begin that belong to LLVM, a specification, the compiler's runtime or the loader.
const RUNTIME: [&str; 13] = [
    "llvm.",
    "__ouro_",
    "__cxa_",
    "__gxx_",
    "_Unwind_",
    "__libc_",
    "_dl_",
    "__stack_chk_",
    // The C++ library: `operator new` and `delete`, namespace `std`, type information.
    "_Zn",
    "_Zd",
    "_ZS",
    "_ZNS",
    "_ZNKS",
];

/// Type information of C++, the exception of [`RUNTIME`] that needs a closer look.
const CXX_TABLES: &str = "_ZTVN10__cxxabiv1";

/// The symbols that a linker would miss, by name.
pub(crate) fn find_missing_symbols(
    program: &mut LlvmLowering<'_>,
) -> Result<Vec<MissingSymbol>, String> {
    let mut found = BTreeMap::new();
    for function in program.user.functions() {
        let mut names = called_by_assembly(function);
        // Of what the module knows, each function speaks for itself.
        names.retain(|name| program.user.find_function(name).is_none());
        names.extend(is_undefined_reference(function).then(|| function.name()));
        for name in names {
            if is_in_math_library(program, &name)? {
                found.insert(name, MissingSymbolKind::Mathematics);
            } else if !is_defined_elsewhere(program, &name, externals::is_libc_function)? {
                found.insert(name, MissingSymbolKind::Function);
            }
        }
    }
    for object in program.user.globals() {
        let known = |name: &str| {
            STREAMS.contains(&name)
                || provided::is_provided_object(name)
                || name.starts_with(CXX_TABLES)
        };
        if !is_undefined_reference(object) || is_defined_elsewhere(program, &object.name(), known)?
        {
            continue;
        }
        let ty = object.value_type();
        let sized = ty.is_sized();
        let kind = MissingSymbolKind::Object {
            size: if sized { Some(program.layout.size(ty)) } else { None }.filter(|size| *size > 0),
            align: object.alignment().max(if sized { program.layout.align(ty) } else { 1 }).max(1),
            thread_local: object.is_thread_local(),
        };
        found.insert(object.name(), kind);
    }
    Ok(found.into_iter().map(|(name, kind)| MissingSymbol { name, kind }).collect())
}

/// Whether something names this symbol and the module has no definition. A weak reference may
/// stay without one.
fn is_undefined_reference(value: LlvmValue<'_>) -> bool {
    value.is_declaration()
        && !matches!(value.linkage(), Linkage::LLVMExternalWeakLinkage)
        && !value.users().is_empty()
}

/// Whether a definition comes from elsewhere. An `inline` function is not missing either: one that
/// does nothing instead would change the program.
fn is_defined_elsewhere(
    program: &mut LlvmLowering<'_>,
    name: &str,
    known: impl Fn(&str) -> bool,
) -> Result<bool, String> {
    Ok(RUNTIME.iter().any(|start| name.starts_with(start))
        || known(name)
        || program.find_definition(name)?.is_some())
}

/// Whether a function comes from the mathematical library.
fn is_in_math_library(program: &mut LlvmLowering<'_>, name: &str) -> Result<bool, String> {
    let ours = program.library_function(name)?.and_then(LlvmValue::debug_place);
    Ok(externals::is_math_function(name)
        || ours.is_some_and(|place| place.file.ends_with("math.c")))
}

/// Functions that the inline assembly of a function calls by name: LLVM does not see them.
fn called_by_assembly(function: LlvmValue<'_>) -> Vec<String> {
    let mut names = Vec::new();
    for call in function.blocks().into_iter().flat_map(BasicBlock::instructions) {
        if !call.is_call() || !matches!(call.callee().kind(), ValueKind::LLVMInlineAsmValueKind) {
            continue;
        }
        let (text, _) = call.callee().inline_assembly_text();
        for line in text.split(['\n', ';']) {
            let mut words = line.split_whitespace();
            if let (Some("call" | "callq" | "calll" | "jmp"), Some(name), None) =
                (words.next(), words.next(), words.next())
                && is_identifier(name)
            {
                names.push(name.to_owned());
            }
        }
    }
    names
}

fn is_identifier(name: &str) -> bool {
    !name.starts_with(|c: char| c.is_ascii_digit())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}
