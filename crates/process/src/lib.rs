//! A read-only view of a process: one [`ProcessSnapshot`] for a live process, a core file and a saved file.
//!
//! **Live.** Threads that run are seized with `PTRACE_SEIZE` and interrupted, their registers read,
//! memory copied, and everything is let go; no signal is sent and nothing is written. Threads that sleep
//! in a system call are left asleep, since waking them can make the call fail with `EINTR`; where they
//! sleep is read from `/proc`. Should Ouro be killed in between, the kernel detaches and the target runs
//! on. How long it stood still is in [`ProcessSnapshot::stopped`].
//!
//! **Core.** Registers, mappings and files come from the ELF notes, bytes from the segments; what was not
//! saved (program text, as a rule) comes from the files that were mapped, after their build-ids have been
//! compared. Bytes that nobody has are [`AbsentByte`], never zeros.
//!
//! **What it misses:** 32-bit processes; memory that several processes share is copied as it is at that
//! moment, and marked. Armed interval timers (`setitimer`, `alarm`) cannot be seen from outside; signal
//! handlers can. **When it misleads:** a thread that was asleep and wakes while memory is copied may
//! change it; [`ProcessThread::woke`] says so.
//!
//! | file | one idea |
//! | --- | --- |
//! | `snapshot` | what is known about the process |
//! | `memory` | bytes by address, absent ones apart |
//! | `registers` | general registers and the XSAVE area |
//! | `mapping` | `/proc/PID/maps` |
//! | `live` | seize, copy, let go |
//! | `copy` | memory of a process that stands still |
//! | `writers` | who else may write its memory |
//! | `status` | `/proc/PID/status`, timers, system calls |
//! | `core` | ELF core files |
//! | `file` | build-ids, and the bytes of mapped files |
//! | `saved` | a snapshot as a file |
//! | `error` | everything that can be wrong with the input |

mod copy;
mod core;
mod error;
mod file;
mod live;
mod mapping;
mod memory;
mod registers;
mod saved;
mod snapshot;
mod status;
mod writers;

pub use crate::core::from_core;
pub use error::SnapshotError;
pub use file::{FileComparison, build_id_of_file};
pub use live::{SnapshotOptions, read_registers as registers_of_stopped, take_snapshot};
pub use mapping::MemoryMapping;
pub use memory::{AbsentByte, SnapshotMemory};
pub use registers::{GeneralRegisters, ThreadRegisters, VectorRegisters};
pub use saved::{load_snapshot, save_snapshot};
pub use snapshot::{
    ProcessCircumstances, ProcessSnapshot, ProcessThread, SnapshotSource, ThreadActivity,
};
pub use status::{BlockedCall, ThreadState, busy_share, busy_shares, state_of};
