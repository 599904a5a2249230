//! Why a program could not be read, in one message: what, where, and what to do.

use std::fmt;
use std::path::PathBuf;

/// What went wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CompileError {
    /// No file was given.
    NoFiles,
    /// A file that does not exist.
    Missing(PathBuf),
    /// A folder where a file is expected.
    Directory(PathBuf),
    /// A file that cannot be read, and why.
    Unreadable(PathBuf, String),
    /// A file with nothing in it.
    Empty(PathBuf),
    /// A file that is not source code, and what it seems to be.
    NotSource(PathBuf, String),
    /// clang refused the program; its own words.
    Rejected(String),
    /// clang 19 is not installed.
    NoClang,
    /// The library of LLVM 19 cannot be loaded, and why.
    NoLlvm(String),
    /// clang could not be run, and why.
    ClangFailed(String),
    /// clang did not finish in time.
    TooSlow(PathBuf),
    /// Bitcode that LLVM 19 refuses, and why.
    Bitcode(PathBuf, String),
    /// The files do not fit together, in the linker's words.
    Link(String),
    /// Bitcode for another machine than asked for.
    OtherMachine(PathBuf, String),
    /// Options that ask for a machine that Ouro does not follow.
    Target(String),
    /// The asked function is not there: its name, the nearest one, and those that exist.
    NoFunction(String, Option<String>, Vec<String>),
    /// A specification that does not fit the program: places and what is wrong there.
    Specification(String),
    /// A mistake of ours.
    Internal(String),
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CompileError::NoFiles => f.write_str("no file was given: name a C source file"),
            CompileError::Missing(path) => {
                write!(f, "{}: no such file; check the name", path.display())
            }
            CompileError::Directory(path) => {
                write!(f, "{}: this is a folder; name the source files in it", path.display())
            }
            CompileError::Unreadable(path, why) => {
                write!(f, "{}: the file cannot be read: {why}", path.display())
            }
            CompileError::Empty(path) => {
                write!(f, "{}: the file is empty; it must contain a C program", path.display())
            }
            CompileError::NotSource(path, what) => write!(
                f,
                "{}: this is {what}, not C source; give the .c file it was made from",
                path.display()
            ),
            CompileError::Rejected(text) => {
                write!(f, "clang rejects the program:\n{}", text.trim_end())
            }
            CompileError::NoClang => {
                f.write_str("clang 19 is not installed: run scripts/setup.sh to install it")
            }
            CompileError::NoLlvm(why) => {
                write!(f, "LLVM 19 cannot be loaded: {why}; run scripts/setup.sh to install it")
            }
            CompileError::ClangFailed(why) => write!(f, "clang could not be run: {why}"),
            CompileError::TooSlow(path) => write!(
                f,
                "{}: clang did not finish in time; allow more with --timeout",
                path.display()
            ),
            CompileError::Bitcode(path, why) => write!(
                f,
                "{}: LLVM 19 cannot read this file: {}; compile it again with clang 19",
                path.display(),
                why.trim()
            ),
            CompileError::Link(why) => {
                write!(f, "the files cannot be linked: {}; define each symbol once", why.trim())
            }
            CompileError::OtherMachine(path, what) => write!(f, "{}: {what}", path.display()),
            CompileError::Target(what) => f.write_str(what),
            CompileError::NoFunction(name, nearest, existing) => {
                write!(f, "there is no function {name} with a body in the program")?;
                if let Some(nearest) = nearest {
                    write!(f, "; did you mean {nearest}?")
                } else if existing.is_empty() {
                    f.write_str("; it defines no function at all")
                } else {
                    const SHOWN: usize = 10;
                    let shown = existing[..existing.len().min(SHOWN)].join(", ");
                    let more = if existing.len() > SHOWN { ", …" } else { "" };
                    write!(f, "; it defines {shown}{more}: choose one with --function")
                }
            }
            CompileError::Specification(text) => f.write_str(text.trim_end()),
            CompileError::Internal(what) => {
                write!(f, "a bug in Ouro, not in the program: {what}; please report it")
            }
        }
    }
}

impl std::error::Error for CompileError {}
