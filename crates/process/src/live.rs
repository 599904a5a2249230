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

use crate::copy::{copy, mark_clean, read_large};
use crate::file;
use crate::registers::Layout;
use crate::status::{self, State};
use crate::writers;
use crate::{Activity, Error, General, Mapping, Memory, Registers, Snapshot, Source, Thread};

/// What may be done to take a snapshot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The most memory to copy, in MiB.
    pub limit_mib: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options { limit_mib: 4096 }
    }
}

/// Takes a snapshot of a process, and lets it run on.
///
/// # Errors
/// If the process cannot be looked at. It is untouched then, or runs on.
pub fn attach(pid: i32, options: Options) -> Result<Snapshot, Error> {
    status::refuse(pid)?;
    let executable = fs::read_link(format!("/proc/{pid}/exe")).map_err(|e| refused(pid, &e))?;
    file::refuse_foreign(&PathBuf::from(format!("/proc/{pid}/exe")), &format!("process {pid}"))?;
    let arguments = fs::read(format!("/proc/{pid}/cmdline")).map_err(|e| refused(pid, &e))?;
    let memory_file = File::open(format!("/proc/{pid}/mem")).map_err(|e| refused(pid, &e))?;
    let mut held = Held { pid, seized: Vec::new(), stopped: Vec::new() };
    let before = Instant::now();
    let asleep = held.stop_all()?;
    let mut threads = Vec::new();
    for id in held.stopped.clone() {
        let registers = registers(id).map_err(|errno| held.lost(errno))?;
        if registers.general.cs != 0x33 {
            return Err(Error::Foreign {
                what: format!("process {pid}"),
                architecture: "32-bit code".to_owned(),
            });
        }
        let activity = Activity::Running(Box::new(registers));
        let name = status::name(pid, id);
        threads.push(Thread { id, name, activity, woke: false, rseq: rseq(id) });
    }
    let text = fs::read(format!("/proc/{pid}/maps")).map_err(|e| refused(pid, &e))?;
    let mut mappings: Vec<Mapping> =
        String::from_utf8_lossy(&text).lines().filter_map(Mapping::parse).collect();
    let mut circumstances = status::circumstances(pid);
    circumstances.pending |= held.signals();
    let mut memory = Memory::new();
    copy(pid, &memory_file, &mappings, options.limit_mib, &mut memory)?;
    // Before it runs on and may write more of them.
    mark_clean(pid, &mut mappings);
    for (id, blocked, switches) in asleep {
        let woke = status::switches(pid, id) != Some(switches);
        let activity = Activity::Blocked(blocked);
        threads.push(Thread { id, name: status::name(pid, id), activity, woke, rseq: None });
    }
    let disturbed = !held.stopped.is_empty();
    drop(held);
    let stopped = if disturbed { before.elapsed() } else { std::time::Duration::ZERO };
    if status::state_of(pid).is_none_or(|state| state == State::Dead) {
        return Err(Error::Gone(pid));
    }
    read_large(&mappings, &mut memory);
    // A thread that makes no system call changes none of this, so it may be looked up later.
    circumstances.writers = writers::files(pid);
    circumstances.same_memory = writers::same_memory(pid);
    circumstances.announced = writers::announced(pid);
    (circumstances.children, circumstances.parting) = writers::children(pid);
    circumstances.real_timers = status::real_timers();
    writers::mark_special(pid, &mut mappings);
    threads.sort_by_key(|thread| (thread.id != pid, thread.id));
    let ticks = threads.iter().map(|t| status::ticks(pid, t.id).unwrap_or(0)).collect();
    Ok(Snapshot {
        source: Source::Live,
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
fn missing(pid: i32) -> String {
    let scope = fs::read_to_string("/proc/sys/kernel/yama/ptrace_scope").unwrap_or_default();
    let ours = fs::metadata("/proc/self").map(|m| m.uid()).ok();
    let theirs = fs::metadata(format!("/proc/{pid}")).map(|m| m.uid()).ok();
    if ours != theirs {
        return "it belongs to another user; run Ouro as that user or with CAP_SYS_PTRACE \
                (for example with sudo)"
            .to_owned();
    }
    match scope.trim() {
        "1" => "kernel.yama.ptrace_scope is 1: only parents may look; run Ouro with \
                CAP_SYS_PTRACE (sudo) or set it to 0"
            .to_owned(),
        "2" => "kernel.yama.ptrace_scope is 2: CAP_SYS_PTRACE is needed (sudo)".to_owned(),
        "3" => "kernel.yama.ptrace_scope is 3: nobody may, until the next boot".to_owned(),
        _ => "the kernel refuses (CAP_SYS_PTRACE is missing, or a container forbids ptrace)"
            .to_owned(),
    }
}

fn refused(pid: i32, error: &io::Error) -> Error {
    match error.raw_os_error() {
        Some(libc::EPERM | libc::EACCES) => Error::NoPermission { pid, missing: missing(pid) },
        Some(libc::ENOENT | libc::ESRCH) => Error::Gone(pid),
        _ => Error::io(format!("process {pid}"), error),
    }
}

/// The threads that we hold. Dropping it lets them go.
struct Held {
    pid: i32,
    seized: Vec<i32>,
    stopped: Vec<i32>,
}

impl Held {
    fn lost(&self, errno: Errno) -> Error {
        match errno {
            Errno::ESRCH | Errno::ECHILD => Error::Gone(self.pid),
            Errno::EPERM | Errno::EACCES => {
                Error::NoPermission { pid: self.pid, missing: missing(self.pid) }
            }
            other => Error::io(format!("process {}", self.pid), other),
        }
    }

    /// Signals that threads stopped for: they are no longer pending, and are delivered when we let go.
    fn signals(&self) -> u64 {
        let numbers = self.stopped.iter().map(|id| pending_signal(Pid::from_raw(*id)));
        numbers.filter(|number| (1..=64).contains(number)).fold(0, |all, n| all | 1 << (n - 1))
    }

    /// Stops every thread that runs, new ones included; the others with where they sleep.
    fn stop_all(&mut self) -> Result<Vec<(i32, status::Blocked, u64)>, Error> {
        let mut asleep: Vec<(i32, status::Blocked, u64)> = Vec::new();
        loop {
            let mut new = 0;
            for id in self.threads()? {
                if self.stopped.contains(&id) || asleep.iter().any(|(other, ..)| *other == id) {
                    continue;
                }
                new += 1;
                if let (Some(switches), Some(blocked)) =
                    (status::switches(self.pid, id), status::blocked(self.pid, id))
                {
                    asleep.push((id, blocked, switches));
                    continue;
                }
                match self.stop(id) {
                    Ok(()) => {}
                    // A thread may end; the process may not.
                    Err(Errno::ESRCH | Errno::ECHILD) if id != self.pid => {}
                    Err(errno) => return Err(self.lost(errno)),
                }
            }
            // Those that woke meanwhile are stopped after all.
            let mut i = 0;
            while i < asleep.len() {
                let (id, blocked, switches) = &asleep[i];
                let same = status::switches(self.pid, *id) == Some(*switches)
                    && status::blocked(self.pid, *id).as_ref() == Some(blocked);
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

    fn threads(&self) -> Result<Vec<i32>, Error> {
        let folder =
            fs::read_dir(format!("/proc/{}/task", self.pid)).map_err(|e| refused(self.pid, &e))?;
        let mut all: Vec<i32> =
            folder.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
        all.sort_unstable();
        if all.is_empty() { Err(Error::Gone(self.pid)) } else { Ok(all) }
    }

    fn stop(&mut self, id: i32) -> Result<(), Errno> {
        let thread = Pid::from_raw(id);
        if !self.seized.contains(&id) {
            ptrace::seize(thread, ptrace::Options::empty())?;
            self.seized.push(id);
        }
        ptrace::interrupt(thread)?;
        if is_stopped(id)? {
            // Maybe for a signal that was on its way: it is delivered when we let go.
            self.stopped.push(id);
            Ok(())
        } else {
            self.seized.retain(|other| *other != id);
            Err(Errno::ESRCH)
        }
    }
}

impl Drop for Held {
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
fn is_stopped(id: i32) -> Result<bool, Errno> {
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
fn rseq(id: i32) -> Option<(u64, u32)> {
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
fn register_set(id: i32, kind: usize, into: &mut [u8]) -> Result<usize, Errno> {
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
pub fn registers(id: i32) -> Result<Registers, Errno> {
    let mut bytes = [0; 27 * 8];
    register_set(id, NT_PRSTATUS, &mut bytes)?;
    let mut words = [0; 27];
    for (word, bytes) in words.iter_mut().zip(bytes.as_chunks::<8>().0) {
        *word = u64::from_le_bytes(*bytes);
    }
    let mut area = vec![0; 1 << 14];
    let vector = match register_set(id, NT_X86_XSTATE, &mut area) {
        Ok(length) => Layout::of_this_machine().read(&area[..length]),
        Err(Errno::ESRCH) => return Err(Errno::ESRCH),
        Err(_) => {
            let length = register_set(id, NT_PRFPREG, &mut area)?;
            Layout::of_length(0).read(&area[..length])
        }
    };
    Ok(Registers { general: General::from_words(&words), vector })
}
