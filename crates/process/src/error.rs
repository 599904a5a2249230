//! Everything that can be wrong with the input, each with what to do about it.

use std::fmt;
use std::path::PathBuf;

/// Why there is no snapshot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SnapshotError {
    /// No process has this number.
    NoSuchProcess(i32),
    /// It is the process that asks.
    Itself(i32),
    /// It has ended, and its parent has not noticed.
    Zombie(i32),
    /// It is a part of the kernel.
    KernelThread(i32),
    /// The kernel does not let us look; the text says what is missing.
    NoPermission {
        /// The process.
        pid: i32,
        /// Which capability or setting is missing.
        missing: String,
    },
    /// Another debugger holds it.
    Traced {
        /// The process.
        pid: i32,
        /// The process that traces it.
        by: i32,
    },
    /// It is not x86-64 code.
    Foreign {
        /// What it is about.
        what: String,
        /// The architecture found.
        architecture: String,
    },
    /// It ended while we looked.
    Gone(i32),
    /// It has more memory than we may copy.
    TooLarge {
        /// How much there is, in MiB.
        mib: u64,
        /// How much is allowed, in MiB.
        limit: u64,
    },
    /// A file is not what it should be.
    NotA {
        /// The file.
        path: PathBuf,
        /// What it should be.
        what: &'static str,
        /// What is wrong.
        why: String,
    },
    /// The file ends too early.
    Truncated {
        /// The file.
        path: PathBuf,
        /// How long it should be at least.
        expected: u64,
        /// How long it is.
        found: u64,
    },
    /// A core needs a file that is not there.
    MissingBinary {
        /// The core.
        core: PathBuf,
        /// The file it needs.
        needs: PathBuf,
    },
    /// A core needs a file, and what is there is another version of it.
    OtherBinary {
        /// The file.
        path: PathBuf,
        /// Build-id in the core.
        wanted: String,
        /// Build-id of the file.
        found: String,
    },
    /// Something went wrong with a file or a system call.
    Io {
        /// What was tried.
        what: String,
        /// What the system said.
        error: String,
    },
}

impl SnapshotError {
    pub(crate) fn io(what: impl Into<String>, error: impl fmt::Display) -> SnapshotError {
        SnapshotError::Io { what: what.into(), error: error.to_string() }
    }
}

impl fmt::Display for SnapshotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SnapshotError::NoSuchProcess(pid) => write!(f, "there is no process with PID {pid}"),
            SnapshotError::Itself(pid) => {
                write!(f, "process {pid} is Ouro itself; give the PID of the process that hangs")
            }
            SnapshotError::Zombie(pid) => write!(
                f,
                "process {pid} has already exited (it is a zombie that its parent has not waited \
                 for)"
            ),
            SnapshotError::KernelThread(pid) => {
                write!(f, "process {pid} is a kernel thread")
            }
            SnapshotError::NoPermission { pid, missing } => {
                write!(f, "no permission to inspect process {pid}: {missing}")
            }
            SnapshotError::Traced { pid, by } => write!(
                f,
                "process {pid} is being traced by process {by} (a debugger or tracer); detach \
                 that first"
            ),
            SnapshotError::Foreign { what, architecture } => {
                write!(f, "{what} is {architecture}; Ouro supports only 64-bit x86")
            }
            SnapshotError::Gone(pid) => write!(
                f,
                "process {pid} exited while Ouro was inspecting \
                 it"
            ),
            SnapshotError::TooLarge { mib, limit } => {
                write!(
                    f,
                    "the process has {mib} MiB of memory, more than the limit of {limit} MiB; \
                     raise it with --memory"
                )
            }
            SnapshotError::NotA { path, what, why } => {
                write!(f, "{}: not {what}: {why}", path.display())
            }
            SnapshotError::Truncated { path, expected, found } => write!(
                f,
                "{}: the file is truncated: it has {found} bytes instead of {expected}; check \
                 `ulimit -c` and the free space where it was written",
                path.display()
            ),
            SnapshotError::MissingBinary { core, needs } => write!(
                f,
                "{}: it needs {}, which does not exist here; name a copy with --exe",
                core.display(),
                needs.display()
            ),
            SnapshotError::OtherBinary { path, wanted, found } => write!(
                f,
                "{} is another version: its build-id is {found}, but the core needs {wanted}",
                path.display()
            ),
            SnapshotError::Io { what, error } => write!(f, "{what}: {error}"),
        }
    }
}

impl std::error::Error for SnapshotError {}
