//! Which functions without a body are the standard library's: what they do is laid down elsewhere, so "any value, and
//! changes nothing" is no honest picture of them.
//!
//! The names are those that glibc and the compilers' runtime export, and that C++ reserves. In a program that is not
//! made for them, a Linux driver say, such a name may mean something else; so one whose declaration does not fit the
//! standard's is the user's own function.

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::llvm::{LlvmType, TypeKind, demangle_name};

/// Written by `scripts/standard-names.sh`, which says what is in a line.
const FUNCTIONS: &str = include_str!("../standard/functions.txt");

/// How names begin that only the C++ library and its runtime have (Itanium's C++ ABI), and those of the compilers'
/// runtime.
const RESERVED: [&str; 30] = [
    "_ZSt",
    "_ZNSt",
    "_ZNKSt",
    "_ZNVSt",
    "_ZNOSt",
    "_ZNSs",
    "_ZNSb",
    "_ZNKSb",
    "_ZNKSa",
    "_ZNKSd",
    "_ZNKSs",
    "_ZNSa",
    "_ZNSi",
    "_ZNSo",
    "_ZNSd",
    "_ZNKSi",
    "_ZNKSo",
    "_ZN9__gnu_cxx",
    "_ZNK9__gnu_cxx",
    "_ZN10__cxxabiv1",
    "_Znw",
    "_Zna",
    "_Zdl",
    "_Zda",
    "__gxx_",
    "__builtin_",
    "__sync_",
    "__atomic_",
    "__kmpc_",
    "omp_",
];

/// Functions of the C++ runtime with plain names.
const RUNTIME: [&str; 4] = [
    "__dynamic_cast",
    "__once_proxy",
    "atomic_flag_clear_explicit",
    "atomic_flag_test_and_set_explicit",
];

/// Functions of the mathematical library that also set `signgam`: they do more than compute.
fn sets_sign(name: &str) -> bool {
    name.starts_with("lgamma") || name.starts_with("gamma")
}

/// Where a standard function comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StandardOrigin {
    /// The C library, or the C++ library: it may do anything.
    Library,
    /// The mathematical library or the compiler's arithmetic: without pointers, a function of its arguments.
    Mathematics,
}

struct StandardFunction {
    origin: StandardOrigin,
    /// Kinds of the result and of the parameters, if a header declares them.
    kinds: Option<&'static str>,
}

fn standard_functions() -> &'static HashMap<&'static str, StandardFunction> {
    static KNOWN: OnceLock<HashMap<&'static str, StandardFunction>> = OnceLock::new();
    KNOWN.get_or_init(|| {
        let entry = |line: &'static str| {
            let mut words = line.split(' ');
            let name = words.next()?;
            let origin = match words.next()? {
                "c" => StandardOrigin::Library,
                _ if sets_sign(name) => StandardOrigin::Library,
                _ => StandardOrigin::Mathematics,
            };
            Some((name, StandardFunction { origin, kinds: words.next() }))
        };
        FUNCTIONS.lines().filter_map(entry).collect()
    })
}

/// Whether some standard library has a function of this name.
pub(crate) fn is_standard_name(name: &str) -> bool {
    origin_of_name(name).is_some()
}

/// Where a function of this name comes from, if it is a standard one.
pub(crate) fn origin_of_name(name: &str) -> Option<StandardOrigin> {
    let reserved = || {
        let any = RESERVED.iter().any(|start| name.starts_with(start)) || RUNTIME.contains(&name);
        // Templates of the user that are made with types of the library begin in other ways.
        any.then_some(StandardOrigin::Library)
    };
    standard_functions().get(name).map(|known| known.origin).or_else(reserved)
}

/// Where a function that is declared so comes from, if it is a standard one.
pub(crate) fn declared_origin(name: &str, declared: LlvmType<'_>) -> Option<StandardOrigin> {
    let origin = origin_of_name(name)?;
    let kinds = standard_functions().get(name).and_then(|known| known.kinds);
    kinds.is_none_or(|kinds| fits_declaration(kinds, declared)).then_some(origin)
}

/// Whether a declaration cannot be that of the standard function of this name, by its parameters alone: then it is
/// another function. Integers and pointers are not told apart, since old programs do not.
pub(crate) fn is_unrelated_declaration(name: &str, declared: LlvmType<'_>) -> bool {
    let Some(kinds) = standard_functions().get(name).and_then(|known| known.kinds) else {
        return false;
    };
    let parameters = declared.parameters();
    if kinds.contains('s') || (parameters.is_empty() && declared.is_variadic()) {
        return false;
    }
    let standard = kinds.trim_end_matches('.');
    if returns_in_memory(standard, declared) {
        return false;
    }
    let floating = |kind: char| kind == 'f';
    parameters.len() + 1 != standard.len()
        || standard
            .chars()
            .skip(1)
            .map(floating)
            .ne(parameters.into_iter().map(type_kind_letter).map(floating))
}

/// Whether a declaration can be that of a function with these kinds.
fn fits_declaration(kinds: &str, declared: LlvmType<'_>) -> bool {
    let parameters = declared.parameters();
    // Without a prototype nothing is said; how structures are passed depends on the machine.
    if kinds.contains('s') || (parameters.is_empty() && declared.is_variadic()) {
        return true;
    }
    if returns_in_memory(kinds.trim_end_matches('.'), declared) {
        return true;
    }
    let mut own: String = type_kind_letter(declared.result()).to_string();
    own.extend(parameters.into_iter().map(type_kind_letter));
    if declared.is_variadic() {
        own.push('.');
    }
    own.contains('s') || own == kinds
}

/// Whether a declaration may be of a function with these kinds whose result, a small structure, is a number for one
/// machine and in memory for another, where a parameter leads (`div` on i386).
fn returns_in_memory(kinds: &str, declared: LlvmType<'_>) -> bool {
    declared.result().kind() == TypeKind::LLVMVoidTypeKind
        && kinds.starts_with('i')
        && declared.parameters().len() == kinds.len()
}

fn type_kind_letter(ty: LlvmType<'_>) -> char {
    match ty.kind() {
        TypeKind::LLVMVoidTypeKind => 'v',
        TypeKind::LLVMIntegerTypeKind => 'i',
        TypeKind::LLVMPointerTypeKind => 'p',
        TypeKind::LLVMFloatTypeKind
        | TypeKind::LLVMDoubleTypeKind
        | TypeKind::LLVMX86_FP80TypeKind
        | TypeKind::LLVMFP128TypeKind => 'f',
        _ => 's',
    }
}

/// A name as its program has it: C++'s are written with their types.
pub(crate) fn readable_function_name(name: &str) -> String {
    let long = match name.starts_with("_Z") {
        true => demangle_name(name),
        false => None,
    };
    if name == "__dynamic_cast" {
        return "dynamic_cast".to_owned();
    }
    long.map_or_else(|| name.to_owned(), |long| long.replace("std::__cxx11::", "std::"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standard_names_are_known() {
        for name in ["nftw", "twalk", "scandir", "strlcpy", "pthread_once", "__atomic_load_16"] {
            assert_eq!(origin_of_name(name), Some(StandardOrigin::Library), "{name}");
        }
        for name in ["cabs", "sincos", "lroundl", "frexpl", "__powidf2"] {
            assert_eq!(origin_of_name(name), Some(StandardOrigin::Mathematics), "{name}");
        }
        for name in [
            "_ZNSt6threadC1Ev",
            "__dynamic_cast",
            "_ZSt4endlIcSt11char_traitsIcEERSt13basic_ostream",
        ] {
            assert!(is_standard_name(name), "{name}");
        }
        for name in
            ["printk", "kfree", "mutex_lock", "my_function", "_Z5touchPi", "_ZN4user4stepEv"]
        {
            assert!(!is_standard_name(name), "{name}");
        }
    }

    #[test]
    fn names_are_readable() {
        assert_eq!(readable_function_name("_Z5touchPi"), "touch(int*)");
        assert_eq!(readable_function_name("_ZNSt6thread4joinEv"), "std::thread::join()");
        assert_eq!(readable_function_name("nftw"), "nftw");
    }
}
