//! What is known about the process at one moment.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::file::FileComparison;
use crate::status::BlockedCall;
use crate::{MemoryMapping, SnapshotMemory, ThreadRegisters};

/// Where a snapshot came from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum SnapshotSource {
    /// A process that ran.
    Live,
    /// A core file.
    Core(PathBuf),
}

/// What a thread was doing.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ThreadActivity {
    /// It ran (or was about to); its registers are known.
    Running(Box<ThreadRegisters>),
    /// It slept in a system call and was left asleep.
    Blocked(BlockedCall),
}

/// A thread of the process.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ProcessThread {
    /// Its number.
    pub id: i32,
    /// Its name.
    pub name: String,
    /// What it was doing.
    pub activity: ThreadActivity,
    /// It was asleep, and no longer was when memory had been copied.
    pub woke: bool,
    /// Where the kernel writes the number of the CPU, and how many bytes, if that is known.
    pub rseq: Option<(u64, u32)>,
}

/// What could make the process leave its way: the premises of a proof about one thread.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct ProcessCircumstances {
    /// Whether the rest was looked at; a core file does not tell.
    pub known: bool,
    /// Signals that have a handler, as a set of bits (signal 1 is bit 0).
    pub caught: u64,
    /// Signals that wait to be delivered and are not blocked.
    pub pending: u64,
    /// Open files by which others may write memory that is not shared: asynchronous I/O, devices.
    #[serde(default)]
    pub writers: Vec<String>,
    /// Other processes with the same memory.
    #[serde(default)]
    pub same_memory: Vec<i32>,
    /// POSIX timers that exist.
    pub timers: usize,
    /// It was stopped (by `SIGSTOP`, or a shell) before we came.
    pub stopped: bool,
    /// CPU time it may use before the kernel ends it, in seconds.
    pub cpu_limit: Option<u64>,
    /// How far the stack of the first thread may grow, in bytes.
    pub stack_limit: Option<u64>,
    /// How many timers of real time (`setitimer`, `alarm`) processes of this machine have, if that may be known.
    #[serde(default)]
    pub real_timers: Option<usize>,
    /// Signals that every thread blocks: they do not reach it.
    #[serde(default)]
    pub blocked: u64,
    /// Its children that live.
    #[serde(default)]
    pub children: Vec<i32>,
    /// Those of them whose end sends it another signal than `SIGCHLD`, and which (`clone`).
    #[serde(default)]
    pub parting: Vec<(i32, u32)>,
    /// What the kernel sends it a signal about: open files that are asynchronous (`O_ASYNC`), leases.
    #[serde(default)]
    pub announced: Vec<String>,
    /// Time that it may compute under a real-time policy before the kernel ends it, in microseconds.
    #[serde(default)]
    pub real_time_limit: Option<u64>,
    /// How large its address space or its data may become, in bytes.
    #[serde(default)]
    pub memory_limit: Option<u64>,
}

/// A process at one moment.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ProcessSnapshot {
    /// Where it came from.
    pub source: SnapshotSource,
    /// Its number.
    pub pid: i32,
    /// The program file.
    pub executable: PathBuf,
    /// Its command line.
    pub arguments: Vec<String>,
    /// Its threads; the first has the number of the process.
    pub threads: Vec<ProcessThread>,
    /// Its address space, by address.
    pub mappings: Vec<MemoryMapping>,
    /// Its memory.
    #[serde(skip)]
    pub memory: SnapshotMemory,
    /// Premises.
    pub circumstances: ProcessCircumstances,
    /// Files whose bytes stand in for bytes that a core left out.
    pub files: Vec<(PathBuf, FileComparison)>,
    /// How long it stood still.
    pub stopped: Duration,
    /// How many ticks of CPU time each thread had used, in the order of the threads.
    pub ticks: Vec<u64>,
}

impl ProcessSnapshot {
    /// The mapping of an address.
    pub fn mapping_at(&self, address: u64) -> Option<&MemoryMapping> {
        let at = self.mappings.partition_point(|m| m.start <= address);
        self.mappings.get(at.checked_sub(1)?).filter(|m| m.contains(address))
    }

    /// The threads that ran.
    pub fn running_threads(&self) -> impl Iterator<Item = (&ProcessThread, &ThreadRegisters)> {
        self.threads.iter().filter_map(|thread| match &thread.activity {
            ThreadActivity::Running(registers) => Some((thread, &**registers)),
            ThreadActivity::Blocked(_) => None,
        })
    }

    /// Mappings that other processes may write: shared and writable, or not known not to be.
    pub fn shared_mappings(&self) -> impl Iterator<Item = &MemoryMapping> {
        self.mappings.iter().filter(|m| m.write && m.inode.is_some() && m.shared != Some(false))
    }
}
