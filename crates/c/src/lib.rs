//! C through clang and LLVM to a [`Program`] of the model.
//!
//! clang 19 compiles every file with `-O0`, and no optimiser runs: every C variable is then a stack
//! slot with its own name. A slot that holds one scalar and whose address nobody uses becomes a
//! variable of the model (`escape`); everything else stays in memory, byte by byte.
//!
//! # What is exact
//!
//! Integers up to 128 bits with C's undefined overflow, floats of 32, 64, 80 and 128 bits, pointers,
//! structures and unions, bit-fields, arrays of variable length, `goto` and computed `goto`,
//! `switch`, function pointers, variadic functions, `volatile` (kept in memory), atomic operations
//! (of one thread), static initialisers, constructors and destructors, several files.
//!
//! # What is assumed
//!
//! A function without body that is not in the C library returns any value and changes nothing.
//! Mathematical functions without operator in the model (`pow`, `sin`) give an `Unknown`. A pointer
//! to such a function behaves in the same way. Memory allocation succeeds in a program that uses
//! SV-COMP's functions, or if the user says so; C++'s `operator new` always does. The program's
//! `assumptions` name each of these that it needs, but for mathematics.
//!
//! # Limits
//!
//! Inline assembly with any effect, threads, signals, `setjmp`, C++ exceptions, arithmetic on
//! integers above 128 bits (bit-fields are fine), `_Float16`, addresses of labels of other functions,
//! external arrays of unknown size, structures passed to variadic functions. Each becomes a
//! `Terminator::Limit` at the point that does it, so that only runs which get there are lost.
//!
//! Bitcode that an optimiser has touched is read as it is, but its speculated operations count as
//! executed: prefer source, or `-O0` bitcode.
//!
//! # Map
//!
//! | file | one idea |
//! | --- | --- |
//! | `clang` | runs clang within a deadline |
//! | `target` | the machine that options ask for |
//! | `llvm` | LLVM's data behind safe handles |
//! | `sources` | the given files, compiled and linked |
//! | `library` | the C library, linked in on demand |
//! | `monitor` | a specification in the context of the program |
//! | `hooks`, `steps`, `watching` | where the code of a specification runs, and from when on |
//! | `lower` | symbols, the worklist, files and places |
//! | `globals` | objects and their initial bytes |
//! | `start` | constructors, arguments, exit |
//! | `arguments` | a command line that is looked at by numbers |
//! | `anytime` | what a function finds that is called at any time |
//! | `function` | one function: variables, blocks, phis |
//! | `lost` | loops behind code that the model does not cover |
//! | `instructions`, `memory`, `values` | what a block does |
//! | `calls`, `externals` | calls, with and without a body |
//! | `strangers`, `exposure` | what functions without a body are handed, and what they can reach |
//! | `standard` | which functions without a body are a standard library's |
//! | `intrinsics`, `floats` | LLVM's intrinsic functions |
//! | `comparisons` | functions that only compare |
//! | `magnitudes` | results of which only the sign is promised |
//! | `missing` | what a linker would miss |
//! | `provided` | objects that the C library has and programs declare |
//! | `replaced` | programs that bring their own `malloc` |
//! | `rounding` | whether floats may be rounded in another way |
//! | `sections` | objects in sections that run without being called |
//! | `noreturn` | functions of SV-COMP that a program wrongly declares never to return |
//! | `results` | what callers do with the results of library functions |
//! | `error` | why a program could not be read |
//! | `names` | names that were probably meant |
//! | `layout`, `wide`, `escape` | scalars of a type; slots that are variables |
//! | `builder`, `tidy` | making blocks, and making them readable |

mod anytime;
mod arguments;
mod builder;
mod calls;
mod clang;
mod comparisons;
mod error;
mod escape;
mod exposure;
mod externals;
mod floats;
mod function;
mod globals;
mod hooks;
mod instructions;
mod intrinsics;
mod layout;
mod library;
#[allow(unsafe_code)]
mod llvm;
mod lost;
mod lower;
mod magnitudes;
mod memory;
mod missing;
mod monitor;
mod names;
mod noreturn;
mod provided;
mod replaced;
mod results;
mod rounding;
mod sections;
mod sources;
mod standard;
mod start;
mod steps;
mod strangers;
pub mod target;
mod tidy;
mod values;
mod watching;
mod wide;

use std::path::PathBuf;
use std::time::Instant;

use ouro_model::{MissingSymbol, Program, Span};

pub use error::CompileError;
pub use externals::INPUT_ENDS;
pub use lost::LostLoop;
pub use ouro_model::{Allocations, DataModel, Externs, InputExtent, Monitor};

/// How to compile.
#[derive(Clone, Debug, Default)]
pub struct CompileOptions {
    /// Sizes of the machine.
    pub data_model: DataModel,
    /// The function to start with; `main` if none is asked for.
    pub function: Option<String>,
    /// Translate every function that the files define, not only what one of them needs. Nothing runs
    /// from such a program's start. Calls of functions without body stay calls, so that everybody can
    /// see where code runs that nobody knows.
    pub unit: bool,
    /// More options for clang.
    pub clang_args: Vec<String>,
    /// What functions without body return.
    pub externs: Externs,
    /// Whether allocations of the C library may fail for lack of memory. If nobody says so, they
    /// succeed in a program that uses SV-COMP's functions (`__VERIFIER_…`), by the rules of that
    /// set, and may fail in any other.
    pub allocations: Option<Allocations>,
    /// Whether functions without a body may change the memory that they are handed, and call the functions: no run
    /// that never ends may rest on that they do not. SV-COMP's programs say that they do not.
    pub doubts: bool,
    /// How far the files and streams reach that the program reads.
    pub input: InputExtent,
    /// Whether to find out what a linker would miss.
    pub missing: bool,
    /// The specification, if there is one: then liveness is asked for, not termination. Only with
    /// one may code call `__ouro_event`, `__ouro_violation` and `__ouro_guess`.
    pub monitor: Option<Monitor>,
    /// When to give up on clang.
    pub deadline: Option<Instant>,
}

/// A compiled program.
#[derive(Clone, Debug)]
pub struct CompiledProgram {
    /// The program.
    pub program: Program,
    /// The files it came from, as they were given.
    pub sources: Vec<PathBuf>,
    /// Whether allocations may fail in it.
    pub allocations: Allocations,
    /// What a linker would miss, by name; empty unless asked for.
    pub missing: Vec<MissingSymbol>,
    /// The program's assumptions about functions whose code is not here.
    pub elsewhere: Vec<String>,
    /// Whether it hands memory or functions to some of these, so that with doubts it is another program.
    pub hands_over: bool,
    /// Calls of such functions after which nobody knows what the program's memory holds; none without doubts.
    pub doubted: Vec<DoubtedCall>,
    /// Loops that are behind code which the model does not cover; looked for in a unit.
    pub lost_loops: Vec<LostLoop>,
    /// Whether it may read files or streams, so that it matters how far they reach.
    pub reads_input: bool,
}

/// A call of a function without a body that may change memory.
#[derive(Clone, Debug)]
pub struct DoubtedCall {
    /// The function that calls it.
    pub caller: String,
    /// Where the call is.
    pub span: Span,
    /// What it may do.
    pub what: String,
}

/// Compiles files and links them to one program.
pub fn compile_program(
    files: &[PathBuf],
    options: &CompileOptions,
) -> Result<CompiledProgram, CompileError> {
    target::check_requested_target(&options.clang_args, options.data_model)?;
    let context = llvm::LlvmContext::new().map_err(CompileError::NoLlvm)?;
    let modules = sources::read_sources(&context, files, options)?;
    let asked = match options.unit {
        true => None,
        false => Some(sources::asked_function(modules.user, options)?),
    };
    let allocations = options.allocations.unwrap_or(match sources::uses_svcomp(modules.user) {
        true => Allocations::Succeed,
        false => Allocations::MayFail,
    });
    let trusts_strangers = sources::uses_svcomp(modules.user);
    let mut program = lower::LlvmLowering::new(&context, options, allocations, modules, files);
    program.trusts_strangers = trusts_strangers;
    if modules.assembly {
        program.broken.push("assembly outside of functions".to_owned());
    }
    program.note_running_sections();
    if modules.returning {
        program.note_assumption(noreturn::ASSUMPTION.to_owned());
    }
    let entry = match asked {
        Some(asked) => start::make_entry_function(&mut program, asked),
        None => start::make_unit_program(&mut program),
    };
    // When the C library cannot be read, `finish` says so.
    let missing =
        if options.missing { missing::find_missing_symbols(&mut program) } else { Ok(Vec::new()) };
    let elsewhere = std::mem::take(&mut program.elsewhere);
    let hands_over = program.hands_over;
    let doubted = std::mem::take(&mut program.doubted);
    let lost_loops = std::mem::take(&mut program.lost_loops);
    let reads_input = program.reads_input;
    let program = program.finish_program(entry)?;
    if let Err(violations) = ouro_model::wellformed::check_wellformed_program(&program) {
        let shown: Vec<String> = violations.iter().take(3).map(ToString::to_string).collect();
        return Err(CompileError::Internal(shown.join("; ")));
    }
    let missing = missing.unwrap_or_default();
    Ok(CompiledProgram {
        program,
        sources: files.to_vec(),
        allocations,
        missing,
        elsewhere,
        hands_over,
        doubted,
        lost_loops,
        reads_input,
    })
}
