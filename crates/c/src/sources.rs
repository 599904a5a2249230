//! The given files: compiled, read and linked.

use std::path::{Path, PathBuf};

use crate::clang::{self, ClangJob, SourceKind};
use crate::library;
use crate::llvm::{Linkage, LlvmContext, LlvmModule, LlvmValue};
use crate::monitor::{self, PlacedMonitor};
use crate::names;
use crate::noreturn;
use crate::{CompileError, CompileOptions, DataModel};

/// What the files amount to.
#[derive(Clone, Copy)]
pub(crate) struct LinkedModules<'c> {
    /// All files, linked.
    pub(crate) user: LlvmModule<'c>,
    /// Bodies of `inline` functions that `-O0` leaves out, if the program calls such.
    pub(crate) inlines: Option<LlvmModule<'c>>,
    /// Whether there is assembly outside of functions that may do anything.
    pub(crate) assembly: bool,
    /// Whether functions of SV-COMP return although the program declares that they do not.
    pub(crate) returning: bool,
}

/// Functions of the C library that clang may replace by something else even at `-O0`. A program
/// that defines one of them means its own.
const FOLDED: [&str; 75] = [
    "memcpy",
    "memmove",
    "memset",
    "mempcpy",
    "memcmp",
    "memchr",
    "bcmp",
    "bcopy",
    "bzero",
    "abs",
    "labs",
    "llabs",
    "ffs",
    "ffsl",
    "ffsll",
    "fabs",
    "fabsf",
    "fabsl",
    "floor",
    "floorf",
    "floorl",
    "ceil",
    "ceilf",
    "ceill",
    "trunc",
    "truncf",
    "truncl",
    "rint",
    "rintf",
    "rintl",
    "nearbyint",
    "nearbyintf",
    "nearbyintl",
    "round",
    "roundf",
    "roundl",
    "copysign",
    "copysignf",
    "copysignl",
    "fmin",
    "fminf",
    "fminl",
    "fmax",
    "fmaxf",
    "fmaxl",
    "sqrt",
    "sqrtf",
    "pow",
    "powf",
    "fmod",
    "isnan",
    "isinf",
    "finite",
    "signbit",
    "alloca",
    "strlen",
    "strcmp",
    "strncmp",
    "strchr",
    "strcpy",
    "strncpy",
    "strcat",
    "wcslen",
    "wmemcpy",
    "printf",
    "puts",
    "putchar",
    "fprintf",
    "exit",
    "_exit",
    "abort",
    "malloc",
    "calloc",
    "realloc",
    "free",
];

/// Compiles, reads and links all files.
pub(crate) fn read_sources<'c>(
    context: &'c LlvmContext,
    files: &[PathBuf],
    options: &CompileOptions,
) -> Result<LinkedModules<'c>, CompileError> {
    let kinds: Vec<SourceKind> =
        files.iter().map(|file| find_kind(file, options)).collect::<Result<_, _>>()?;
    let folder = clang::create_temporary_folder()?;
    let placed = match &options.monitor {
        Some(monitor) => {
            Some(monitor::place_monitor(monitor, files, &kinds, folder.path(), options)?)
        }
        None => None,
    };
    let mut user: Option<LlvmModule<'c>> = None;
    let mut returning = false;
    for (index, (file, kind)) in files.iter().zip(&kinds).enumerate() {
        let output = clang::numbered_file(folder.path(), index, "bc");
        let placed = placed.as_ref().filter(|placed| placed.index == index);
        let (module, returns) = read_source(context, file, *kind, placed, &output, options)?;
        returning |= returns;
        match user {
            None => user = Some(module),
            Some(user) => user.link(module).map_err(CompileError::Link)?,
        }
    }
    let user = user.ok_or(CompileError::NoFiles)?;
    let assembly = defines_symbols(&user.top_level_assembly());
    let mut inlines: Option<LlvmModule<'c>> = None;
    let missing = missing_functions(user);
    for (index, (file, kind)) in files.iter().zip(&kinds).enumerate() {
        if *kind == SourceKind::Llvm || !may_define_inline(file, &missing) {
            continue;
        }
        let output = clang::numbered_file(folder.path(), files.len() + index, "bc");
        clang::compile_to_bitcode(&ClangJob {
            all_inlines: true,
            ..clang_job(file, *kind, &output, options)
        })?;
        let module =
            context.read_module(&output).map_err(|why| CompileError::Bitcode(file.clone(), why))?;
        match inlines {
            None => inlines = Some(module),
            // Two files may define what only one file of a program can; the first is as good.
            Some(inlines) => drop(inlines.link(module)),
        }
    }
    Ok(LinkedModules { user, inlines, assembly, returning })
}

fn find_kind(file: &Path, options: &CompileOptions) -> Result<SourceKind, CompileError> {
    let found = clang::inspect_source_file(file)?;
    clang::requested_language(&options.clang_args, found)
}

fn clang_job<'a>(
    file: &'a Path,
    kind: SourceKind,
    output: &'a Path,
    options: &CompileOptions,
) -> ClangJob<'a> {
    let mut extra = options.clang_args.clone();
    // A call that the specification speaks of must stay a call.
    let hooks = options.monitor.iter().flat_map(|monitor| &monitor.hooks);
    extra.extend(hooks.map(|hook| format!("-fno-builtin-{}", hook.function)));
    ClangJob {
        source: file,
        kind,
        output,
        data_model: options.data_model,
        extra,
        deadline: options.deadline,
        all_inlines: false,
    }
}

/// Compiles and reads one file. Also whether SV-COMP's functions return in it against their declaration.
fn read_source<'c>(
    context: &'c LlvmContext,
    file: &Path,
    kind: SourceKind,
    placed: Option<&PlacedMonitor>,
    output: &Path,
    options: &CompileOptions,
) -> Result<(LlvmModule<'c>, bool), CompileError> {
    let bitcode = |why| CompileError::Bitcode(file.to_owned(), why);
    if kind == SourceKind::Llvm {
        let module = context.read_module(file).map_err(bitcode)?;
        module.verify().map_err(bitcode)?;
        check_module_target(module, file, options)?;
        return Ok((module, false));
    }
    let mut job = clang_job(file, kind, output, options);
    if let Some(placed) = placed {
        job.source = &placed.text;
        job.extra.extend(placed.options.iter().cloned());
    }
    let run = |job: &ClangJob<'_>| {
        clang::compile_to_bitcode(job).map_err(|error| match error {
            CompileError::TooSlow(_) => CompileError::TooSlow(file.to_owned()),
            other => other,
        })
    };
    run(&job)?;
    let module = context.read_module(output).map_err(bitcode)?;
    let own: Vec<String> = module
        .functions()
        .into_iter()
        .filter(|f| !f.is_declaration() && !matches!(f.linkage(), Linkage::LLVMInternalLinkage))
        .map(LlvmValue::name)
        .filter(|name| FOLDED.contains(&name.as_str()))
        .collect();
    let noreturn = noreturn::DeclaredNoreturn::of_module(module);
    if own.is_empty() && !noreturn.wrongly {
        return Ok((module, false));
    }
    job.extra.extend(own.iter().map(|name| format!("-fno-builtin-{name}")));
    if noreturn.wrongly {
        // Preprocessed text is C as well, and only in C do these names have a meaning.
        job.kind = if kind == SourceKind::PreprocessedC { SourceKind::C } else { kind };
        job.extra.extend(noreturn::WITHOUT.map(str::to_owned));
    }
    run(&job)?;
    let module = context.read_module(output).map_err(bitcode)?;
    if noreturn.wrongly {
        noreturn.restore_noreturn(module);
    }
    Ok((module, noreturn.wrongly))
}

/// Refuses bitcode for a machine that we do not model.
fn check_module_target(
    module: LlvmModule<'_>,
    file: &Path,
    options: &CompileOptions,
) -> Result<(), CompileError> {
    let other = |what: &str| Err(CompileError::OtherMachine(file.to_owned(), what.to_owned()));
    if !module.is_little_endian() {
        return other("the bitcode is for a big-endian machine; compile it for x86-64 or i386");
    }
    match (module.data_layout().pointer_bits(), options.data_model) {
        (64, DataModel::Lp64) | (32, DataModel::Ilp32) => Ok(()),
        (64, DataModel::Ilp32) => {
            other("the bitcode is for 64-bit pointers; use --data-model lp64")
        }
        (32, DataModel::Lp64) => {
            other("the bitcode is for 32-bit pointers; use --data-model ilp32")
        }
        _ => other("the bitcode is for pointers of an unusual size; compile it for x86-64 or i386"),
    }
}

/// Whether top-level assembly does more than set attributes of symbols.
fn defines_symbols(assembly: &str) -> bool {
    assembly.lines().flat_map(|line| line.split(';')).any(|line| {
        let line = line.trim();
        !line.is_empty()
            && ![".symver", ".section", ".previous", ".ident", ".globl", ".weak", ".hidden"]
                .iter()
                .any(|directive| line.starts_with(directive))
    })
}

/// Functions that the program calls and nobody defines.
fn missing_functions(user: LlvmModule<'_>) -> Vec<String> {
    user.functions()
        .into_iter()
        .filter(|function| function.is_declaration() && !function.users().is_empty())
        .map(LlvmValue::name)
        .filter(|name| !name.starts_with("llvm.") && !name.starts_with("__VERIFIER_"))
        .collect()
}

/// Whether the program is one of SV-COMP's, by the functions that it names.
pub(crate) fn uses_svcomp(user: LlvmModule<'_>) -> bool {
    user.functions().into_iter().any(|function| function.name().starts_with("__VERIFIER_"))
}

/// Whether a source may define one of these functions as `inline`.
fn may_define_inline(file: &Path, missing: &[String]) -> bool {
    if missing.is_empty() {
        return false;
    }
    let Ok(bytes) = std::fs::read(file) else { return false };
    let text = String::from_utf8_lossy(&bytes);
    let part_of_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    // A header of the program may define anything, but hardly what the library has.
    if text.contains("#include \"") && missing.iter().any(|name| !library::sources_mention(name)) {
        return true;
    }
    text.match_indices("inline").any(|(start, _)| {
        let rest = &text[start..];
        let end = rest.find([';', '{']).unwrap_or(rest.len());
        let words: Vec<&str> = rest[..end].split(|c| !part_of_word(c)).collect();
        missing.iter().any(|name| words.contains(&name.as_str()))
    })
}

/// The function to start with.
pub(crate) fn asked_function<'c>(
    user: LlvmModule<'c>,
    options: &CompileOptions,
) -> Result<LlvmValue<'c>, CompileError> {
    let name = options.function.as_deref().unwrap_or("main");
    if let Some(function) = user.find_function(name).filter(|function| !function.is_declaration()) {
        return Ok(function);
    }
    let existing: Vec<(String, LlvmValue<'c>)> = user
        .functions()
        .into_iter()
        .filter(|function| !function.is_declaration())
        .map(|function| (crate::lower::plain_name(function), function))
        .collect();
    // A C++ function, or a static one that linking renamed.
    if let [(_, function)] = existing.iter().filter(|(own, _)| own == name).collect::<Vec<_>>()[..]
    {
        return Ok(*function);
    }
    let mut names: Vec<String> = existing.into_iter().map(|(name, _)| name).collect();
    names.sort();
    names.dedup();
    let nearest = names::nearest_name(name, names.iter().cloned());
    Err(CompileError::NoFunction(name.to_owned(), nearest, names))
}
