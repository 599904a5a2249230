//! Seize, copy, let go.
//!
//! The target stands still from the first interrupt to the last detach. In between: registers, one look
//! at the mappings, one copy of memory.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::PathBuf;
use std::time::Instant;

use nix::errno::Errno;
use nix::libc;
use nix::sys::ptrace;
use nix::unistd::Pid;

use crate::copy::{copy_memory, mark_clean_pages, read_large_files};
use crate::file;
use crate::registers::XsaveLayout;
use crate::status::{self, ThreadState};
use crate::writers;
use crate::{
    GeneralRegisters, MemoryMapping, ProcessSnapshot, ProcessThread, SnapshotError, SnapshotMemory,
    SnapshotSource, ThreadActivity, ThreadRegisters,
};

/// What may be done to take a snapshot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SnapshotOptions {
    /// The most memory to copy, in MiB.
    pub limit_mib: u64,
}

impl Default for SnapshotOptions {
    fn default() -> SnapshotOptions {
        SnapshotOptions { limit_mib: 4096 }
    }
}

/// Takes a snapshot of a process, and lets it run on.
///
/// # Errors
/// If the process cannot be looked at. It is untouched then, or runs on.
pub fn take_snapshot(pid: i32, options: SnapshotOptions) -> Result<ProcessSnapshot, SnapshotError> {
    status::refuse_unobservable(pid)?;
    let executable =
        fs::read_link(format!("/proc/{pid}/exe")).map_err(|e| attach_refusal(pid, &e))?;
    file::refuse_foreign_architecture(
        &PathBuf::from(format!("/proc/{pid}/exe")),
        &format!("process {pid}"),
    )?;
    let arguments =
        fs::read(format!("/proc/{pid}/cmdline")).map_err(|e| attach_refusal(pid, &e))?;
    let memory_file =
        File::open(format!("/proc/{pid}/mem")).map_err(|e| attach_refusal(pid, &e))?;
    let mut held = HeldThreads { pid, seized: Vec::new(), stopped: Vec::new() };
    let before = Instant::now();
    let asleep = held.stop_all()?;
    let mut threads = Vec::new();
    for id in held.stopped.clone() {
        let registers = read_registers(id).map_err(|errno| held.lost_process_error(errno))?;
        if registers.general.cs != 0x33 {
            return Err(SnapshotError::Foreign {
                what: format!("process {pid}"),
                architecture: "32-bit code".to_owned(),
            });
        }
        let activity = ThreadActivity::Running(Box::new(registers));
        let name = status::thread_name(pid, id);
        threads.push(ProcessThread { id, name, activity, woke: false, rseq: read_rseq(id) });
    }
    let text = fs::read(format!("/proc/{pid}/maps")).map_err(|e| attach_refusal(pid, &e))?;
    let mut mappings: Vec<MemoryMapping> =
        String::from_utf8_lossy(&text).lines().filter_map(MemoryMapping::parse).collect();
    let mut circumstances = status::read_circumstances(pid);
    circumstances.pending |= held.intercepted_signals();
    let mut memory = SnapshotMemory::new();
    copy_memory(pid, &memory_file, &mappings, options.limit_mib, &mut memory)?;
    // Before it runs on and may write more of them.
    mark_clean_pages(pid, &mut mappings);
    for (id, blocked, switches) in asleep {
        let woke = status::context_switches(pid, id) != Some(switches);
        let activity = ThreadActivity::Blocked(blocked);
        threads.push(ProcessThread {
            id,
            name: status::thread_name(pid, id),
            activity,
            woke,
            rseq: None,
        });
    }
    let disturbed = !held.stopped.is_empty();
    drop(held);
    let stopped = if disturbed { before.elapsed() } else { std::time::Duration::ZERO };
    if status::state_of(pid).is_none_or(|state| state == ThreadState::Dead) {
        return Err(SnapshotError::Gone(pid));
    }
    read_large_files(&mappings, &mut memory);
    // A thread that makes no system call changes none of this, so it may be looked up later.
    circumstances.writers = writers::memory_writing_files(pid);
    circumstances.same_memory = writers::processes_with_same_memory(pid);
    circumstances.announced = writers::announced_signals(pid);
    (circumstances.children, circumstances.parting) = writers::child_processes(pid);
    circumstances.real_timers = status::real_timers();
    writers::mark_special_mappings(pid, &mut mappings);
    threads.sort_by_key(|thread| (thread.id != pid, thread.id));
    let ticks = threads.iter().map(|t| status::cpu_ticks(pid, t.id).unwrap_or(0)).collect();
    Ok(ProcessSnapshot {
        source: SnapshotSource::Live,
        pid,
        executable,
        arguments: arguments
            .split(|byte| *byte == 0)
            .filter(|word| !word.is_empty())
            .map(|word| String::from_utf8_lossy(word).into_owned())
            .collect(),
        threads,
        mappings,
        memory,
        circumstances,
        files: Vec::new(),
        stopped,
        ticks,
    })
}

/// Which capability or setting is missing.
fn missing_permission(pid: i32) -> String {
    let scope = fs::read_to_string("/proc/sys/kernel/yama/ptrace_scope").unwrap_or_default();
    let ours = fs::metadata("/proc/self").map(|m| m.uid()).ok();
    let theirs = fs::metadata(format!("/proc/{pid}")).map(|m| m.uid()).ok();
    if ours != theirs {
        return "it belongs to another user; run Ouro as that user or with CAP_SYS_PTRACE (for \
                example, with sudo)"
            .to_owned();
    }
    match scope.trim() {
        "1" => "kernel.yama.ptrace_scope is 1, so only a parent may inspect a process; run Ouro \
                with CAP_SYS_PTRACE (sudo) or set it to 0"
            .to_owned(),
        "2" => "kernel.yama.ptrace_scope is 2, so CAP_SYS_PTRACE is needed (sudo)".to_owned(),
        "3" => "kernel.yama.ptrace_scope is 3, so no process can be inspected until the next \
                boot"
            .to_owned(),
        _ => "the kernel refuses (CAP_SYS_PTRACE is missing, or the container forbids ptrace)"
            .to_owned(),
    }
}

fn attach_refusal(pid: i32, error: &io::Error) -> SnapshotError {
    match error.raw_os_error() {
        Some(libc::EPERM | libc::EACCES) => {
            SnapshotError::NoPermission { pid, missing: missing_permission(pid) }
        }
        Some(libc::ENOENT | libc::ESRCH) => SnapshotError::Gone(pid),
        _ => SnapshotError::io(format!("process {pid}"), error),
    }
}

/// The threads that we hold. Dropping it lets them go.
struct HeldThreads {
    pid: i32,
    seized: Vec<i32>,
    stopped: Vec<i32>,
}

impl HeldThreads {
    fn lost_process_error(&self, errno: Errno) -> SnapshotError {
        match errno {
            Errno::ESRCH | Errno::ECHILD => SnapshotError::Gone(self.pid),
            Errno::EPERM | Errno::EACCES => {
                SnapshotError::NoPermission { pid: self.pid, missing: missing_permission(self.pid) }
            }
            other => SnapshotError::io(format!("process {}", self.pid), other),
        }
    }

    /// Signals that threads stopped for: they are no longer pending, and are delivered when we let go.
    fn intercepted_signals(&self) -> u64 {
        let numbers = self.stopped.iter().map(|id| pending_signal(Pid::from_raw(*id)));
        numbers.filter(|number| (1..=64).contains(number)).fold(0, |all, n| all | 1 << (n - 1))
    }

    /// Stops every thread that runs, new ones included; the others with where they sleep.
    fn stop_all(&mut self) -> Result<Vec<(i32, status::BlockedCall, u64)>, SnapshotError> {
        let mut asleep: Vec<(i32, status::BlockedCall, u64)> = Vec::new();
        loop {
            let mut new = 0;
            for id in self.thread_ids()? {
                if self.stopped.contains(&id) || asleep.iter().any(|(other, ..)| *other == id) {
                    continue;
                }
                new += 1;
                if let (Some(switches), Some(blocked)) =
                    (status::context_switches(self.pid, id), status::blocked_call(self.pid, id))
                {
                    asleep.push((id, blocked, switches));
                    continue;
                }
                match self.stop_thread(id) {
                    Ok(()) => {}
                    // A thread may end; the process may not.
                    Err(Errno::ESRCH | Errno::ECHILD) if id != self.pid => {}
                    Err(errno) => return Err(self.lost_process_error(errno)),
                }
            }
            // Those that woke meanwhile are stopped after all.
            let mut i = 0;
            while i < asleep.len() {
                let (id, blocked, switches) = &asleep[i];
                let same = status::context_switches(self.pid, *id) == Some(*switches)
                    && status::blocked_call(self.pid, *id).as_ref() == Some(blocked);
                if same {
                    i += 1;
                } else {
                    asleep.remove(i);
                    new += 1;
                }
            }
            if new == 0 {
                return Ok(asleep);
            }
        }
    }

    fn thread_ids(&self) -> Result<Vec<i32>, SnapshotError> {
        let folder = fs::read_dir(format!("/proc/{}/task", self.pid))
            .map_err(|e| attach_refusal(self.pid, &e))?;
        let mut all: Vec<i32> =
            folder.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
        all.sort_unstable();
        if all.is_empty() { Err(SnapshotError::Gone(self.pid)) } else { Ok(all) }
    }

    fn stop_thread(&mut self, id: i32) -> Result<(), Errno> {
        let thread = Pid::from_raw(id);
        if !self.seized.contains(&id) {
            ptrace::seize(thread, ptrace::Options::empty())?;
            self.seized.push(id);
        }
        ptrace::interrupt(thread)?;
        if wait_until_stopped(id)? {
            // Maybe for a signal that was on its way: it is delivered when we let go.
            self.stopped.push(id);
            Ok(())
        } else {
            self.seized.retain(|other| *other != id);
            Err(Errno::ESRCH)
        }
    }
}

impl Drop for HeldThreads {
    fn drop(&mut self) {
        for id in &self.seized {
            let thread = Pid::from_raw(*id);
            if self.stopped.contains(id) {
                // By number: real-time signals have no name.
                let signal = pending_signal(thread);
                // SAFETY: a request without pointers, about a thread that we hold.
                unsafe {
                    libc::ptrace(libc::PTRACE_DETACH, *id, 0usize, signal as usize);
                }
            }
        }
    }
}

/// Waits until a thread stops (`true`) or is over. Whatever it stops for: nix knows no real-time signals, and
/// would call one an error, so that nobody let the thread go.
fn wait_until_stopped(id: i32) -> Result<bool, Errno> {
    loop {
        let mut status = 0;
        // SAFETY: the kernel writes one number, which outlives the call.
        let waited = unsafe { libc::waitpid(id, &raw mut status, libc::__WALL) };
        match Errno::result(waited) {
            Ok(_) => return Ok(libc::WIFSTOPPED(status)),
            Err(Errno::EINTR) => {}
            Err(errno) => return Err(errno),
        }
    }
}

/// The signal that a thread stopped for, to be given back to it; 0 if there is none.
fn pending_signal(thread: Pid) -> u32 {
    match ptrace::getsiginfo(thread) {
        // Our own interrupt has an event in the upper byte. So does being stopped already, by SIGSTOP or
        // a shell: that stays as it is without us.
        Ok(info) if info.si_code >> 8 == 0 || info.si_code < 0 => info.si_signo.cast_unsigned(),
        _ => 0,
    }
}

/// Where the kernel writes the number of the CPU for a stopped thread, and how many bytes (`rseq`).
fn read_rseq(id: i32) -> Option<(u64, u32)> {
    const PTRACE_GET_RSEQ_CONFIGURATION: libc::c_uint = 0x420f;
    let mut found = [0u64; 3];
    let size = size_of_val(&found);
    // SAFETY: the kernel writes at most `size` bytes into the buffer, which outlives the call.
    let written =
        unsafe { libc::ptrace(PTRACE_GET_RSEQ_CONFIGURATION, id, size, found.as_mut_ptr()) };
    let length = u32::try_from(found[1] & 0xffff_ffff).ok()?;
    (written > 0 && found[0] != 0).then_some((found[0], length))
}

const NT_PRSTATUS: usize = 1;
const NT_PRFPREG: usize = 2;
const NT_X86_XSTATE: usize = 0x202;

/// Registers of a stopped thread, into a buffer; returns how many bytes there are.
fn read_register_set(id: i32, kind: usize, into: &mut [u8]) -> Result<usize, Errno> {
    let mut vector = libc::iovec { iov_base: into.as_mut_ptr().cast(), iov_len: into.len() };
    // SAFETY: the kernel writes at most `iov_len` bytes into the buffer, which outlives the call.
    let result = unsafe {
        libc::ptrace(libc::PTRACE_GETREGSET, id, kind as *mut libc::c_void, &raw mut vector)
    };
    Errno::result(result)?;
    Ok(vector.iov_len)
}

/// The registers of a thread that the caller traces and that is stopped.
///
/// # Errors
/// If it is neither.
pub fn read_registers(id: i32) -> Result<ThreadRegisters, Errno> {
    let mut bytes = [0; 27 * 8];
    read_register_set(id, NT_PRSTATUS, &mut bytes)?;
    let mut words = [0; 27];
    for (word, bytes) in words.iter_mut().zip(bytes.as_chunks::<8>().0) {
        *word = u64::from_le_bytes(*bytes);
    }
    let mut area = vec![0; 1 << 14];
    let vector = match read_register_set(id, NT_X86_XSTATE, &mut area) {
        Ok(length) => XsaveLayout::of_this_machine().read_vector_registers(&area[..length]),
        Err(Errno::ESRCH) => return Err(Errno::ESRCH),
        Err(_) => {
            let length = read_register_set(id, NT_PRFPREG, &mut area)?;
            XsaveLayout::of_length(0).read_vector_registers(&area[..length])
        }
    };
    Ok(ThreadRegisters { general: GeneralRegisters::from_words(&words), vector })
}
