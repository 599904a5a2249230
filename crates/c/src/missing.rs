//! What a linker would miss: symbols that the user's code or data names and nobody defines.
//!
//! The whole of the user's module counts, not only what a run can reach: a linker does not know
//! what is reached. Names that the C library or the compiler's runtime provides do not count; for
//! one that is wrongly taken as missing, the reproducer brings a function that does nothing, which
//! is also what the program's assumptions say about it.

use std::collections::BTreeMap;

use ouro_model::{Missing, MissingKind};

use crate::externals;
use crate::llvm::{BasicBlock, Linkage, Value, ValueKind};
use crate::lower::Lowering;

/// Objects of the C library that ours does not have.
const LIBRARY_OBJECTS: [&str; 14] = [
    "environ",
    "__environ",
    "stdin",
    "stdout",
    "stderr",
    "optarg",
    "optind",
    "opterr",
    "optopt",
    "timezone",
    "daylight",
    "tzname",
    "signgam",
    "program_invocation_name",
];

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
pub(crate) fn of(program: &mut Lowering<'_>) -> Result<Vec<Missing>, String> {
    let mut found = BTreeMap::new();
    for function in program.user.functions() {
        let mut names = called_by_assembly(function);
        // Of what the module knows, each function speaks for itself.
        names.retain(|name| program.user.function(name).is_none());
        names.extend(is_named(function).then(|| function.name()));
        for name in names {
            if is_mathematics(program, &name)? {
                found.insert(name, MissingKind::Mathematics);
            } else if !is_provided(program, &name, externals::is_known)? {
                found.insert(name, MissingKind::Function);
            }
        }
    }
    for object in program.user.globals() {
        let known = |name: &str| LIBRARY_OBJECTS.contains(&name) || name.starts_with(CXX_TABLES);
        if !is_named(object) || is_provided(program, &object.name(), known)? {
            continue;
        }
        let ty = object.value_type();
        let sized = ty.is_sized();
        let kind = MissingKind::Object {
            size: if sized { Some(program.layout.size(ty)) } else { None }.filter(|size| *size > 0),
            align: object.alignment().max(if sized { program.layout.align(ty) } else { 1 }).max(1),
            thread_local: object.is_thread_local(),
        };
        found.insert(object.name(), kind);
    }
    Ok(found.into_iter().map(|(name, kind)| Missing { name, kind }).collect())
}

/// Whether something names this symbol and the module has no definition. A weak reference may
/// stay without one.
fn is_named(value: Value<'_>) -> bool {
    value.is_declaration()
        && !matches!(value.linkage(), Linkage::LLVMExternalWeakLinkage)
        && !value.users().is_empty()
}

/// Whether a definition comes from elsewhere. An `inline` function is not missing either: one that
/// does nothing instead would change the program.
fn is_provided(
    program: &mut Lowering<'_>,
    name: &str,
    known: impl Fn(&str) -> bool,
) -> Result<bool, String> {
    Ok(RUNTIME.iter().any(|start| name.starts_with(start))
        || known(name)
        || program.definition(name)?.is_some())
}

/// Whether a function comes from the mathematical library.
fn is_mathematics(program: &mut Lowering<'_>, name: &str) -> Result<bool, String> {
    let ours = program.library_function(name)?.and_then(Value::place);
    Ok(externals::is_mathematics(name) || ours.is_some_and(|place| place.file.ends_with("math.c")))
}

/// Functions that the inline assembly of a function calls by name: LLVM does not see them.
fn called_by_assembly(function: Value<'_>) -> Vec<String> {
    let mut names = Vec::new();
    for call in function.blocks().into_iter().flat_map(BasicBlock::instructions) {
        if !call.is_call() || !matches!(call.callee().kind(), ValueKind::LLVMInlineAsmValueKind) {
            continue;
        }
        let (text, _) = call.callee().assembly();
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
