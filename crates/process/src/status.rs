//! What `/proc` says about a process without stopping it.

use std::fs;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::{ProcessCircumstances, SnapshotError};

/// The state of a thread, as `/proc/PID/stat` has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ThreadState {
    /// On a CPU, or waiting for one.
    Runs,
    /// Asleep in a system call.
    Sleeps,
    /// Stopped by a signal or a tracer.
    Stopped,
    /// It has ended.
    Dead,
}

/// A system call that a thread sleeps in.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BlockedCall {
    /// Its number.
    pub call: u64,
    /// Its arguments.
    pub arguments: [u64; 6],
    /// The stack pointer.
    pub rsp: u64,
    /// The next instruction.
    pub rip: u64,
}

fn read_proc_file(path: &str) -> Option<String> {
    fs::read(path).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// The state of a thread or process; `None` if it does not exist.
pub fn state_of(id: i32) -> Option<ThreadState> {
    parse_state(&read_proc_file(&format!("/proc/{id}/stat"))?)
}

pub(crate) fn parse_state(stat: &str) -> Option<ThreadState> {
    // The name is in parentheses and may contain anything.
    let after = stat.rsplit_once(')')?.1.trim_start();
    Some(match after.as_bytes().first()? {
        b'R' => ThreadState::Runs,
        b'T' | b't' => ThreadState::Stopped,
        b'Z' | b'X' | b'x' => ThreadState::Dead,
        _ => ThreadState::Sleeps,
    })
}

/// CPU time of a thread, in ticks (hundredths of a second).
pub(crate) fn cpu_ticks(pid: i32, thread: i32) -> Option<u64> {
    let stat = read_proc_file(&format!("/proc/{pid}/task/{thread}/stat"))?;
    let after = stat.rsplit_once(')')?.1;
    let mut fields = after.split_whitespace().skip(11);
    let user: u64 = fields.next()?.parse().ok()?;
    let system: u64 = fields.next()?.parse().ok()?;
    Some(user + system)
}

/// The share of the time that passes meanwhile, about as long as asked for, in which a process wanted a CPU,
/// whether it got one or waited for it (on a loaded machine a busy process gets little); `None` if it does not
/// exist. Several threads may want several.
pub fn busy_share(pid: i32, over: Duration) -> Option<f64> {
    let before = CpuDemand::of_process(pid)?;
    std::thread::sleep(over);
    before.share_since()
}

/// As [`busy_share`], for many at once; those that end meanwhile are left out.
pub fn busy_shares(all: &[i32], over: Duration) -> Vec<(i32, f64)> {
    let before: Vec<CpuDemand> = all.iter().filter_map(|pid| CpuDemand::of_process(*pid)).collect();
    std::thread::sleep(over);
    before.into_iter().filter_map(|before| Some((before.pid, before.share_since()?))).collect()
}

/// What a process had wanted, and when that was: on a loaded machine much more time passes than was slept.
struct CpuDemand {
    pid: i32,
    time: Duration,
    seen: Instant,
}

impl CpuDemand {
    fn of_process(pid: i32) -> Option<CpuDemand> {
        Some(CpuDemand { pid, time: cpu_time_wanted(pid)?, seen: Instant::now() })
    }

    fn share_since(&self) -> Option<f64> {
        let spent = cpu_time_wanted(self.pid)?.saturating_sub(self.time);
        Some(share_of_time(spent, self.seen.elapsed()))
    }
}

fn share_of_time(spent: Duration, passed: Duration) -> f64 {
    spent.as_secs_f64() / passed.as_secs_f64().max(1e-9)
}

/// How long the threads of a process ran or waited for a CPU.
fn cpu_time_wanted(pid: i32) -> Option<Duration> {
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).ok()?;
    let mut sum = Duration::ZERO;
    for task in tasks.flatten() {
        let id: i32 = task.file_name().to_str()?.parse().ok()?;
        let times = read_proc_file(&format!("/proc/{pid}/task/{id}/schedstat"));
        let nanoseconds: Option<u64> = times.and_then(|times| {
            let mut words = times.split_whitespace().map(str::parse::<u64>);
            Some(words.next()?.ok()? + words.next()?.ok()?)
        });
        sum += match nanoseconds {
            Some(nanoseconds) => Duration::from_nanos(nanoseconds),
            // A kernel that does not count: ticks that it ran.
            None => Duration::from_millis(10 * cpu_ticks(pid, id).unwrap_or(0)),
        };
    }
    Some(sum)
}

/// The system call that a thread sleeps in; `None` if it runs.
pub(crate) fn blocked_call(pid: i32, thread: i32) -> Option<BlockedCall> {
    let text = read_proc_file(&format!("/proc/{pid}/task/{thread}/syscall"))?;
    let mut words = text.split_whitespace();
    let call = words.next()?.parse::<u64>().ok()?;
    let mut next = || u64::from_str_radix(words.next()?.trim_start_matches("0x"), 16).ok();
    let mut arguments = [0; 6];
    for argument in &mut arguments {
        *argument = next()?;
    }
    Some(BlockedCall { call, arguments, rsp: next()?, rip: next()? })
}

/// How often a thread was taken off its CPU: two equal numbers mean that it did not run between.
pub(crate) fn context_switches(pid: i32, thread: i32) -> Option<u64> {
    let status = read_proc_file(&format!("/proc/{pid}/task/{thread}/status"))?;
    let number = |name: &str| -> Option<u64> { status_field(&status, name)?.parse().ok() };
    Some(number("voluntary_ctxt_switches")? + number("nonvoluntary_ctxt_switches")?)
}

pub(crate) fn thread_name(pid: i32, thread: i32) -> String {
    let text = read_proc_file(&format!("/proc/{pid}/task/{thread}/comm")).unwrap_or_default();
    text.trim_end().to_owned()
}

fn status_field<'a>(status: &'a str, name: &str) -> Option<&'a str> {
    status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':')).map(str::trim)
}

/// Refuses what cannot be looked at, before anything is touched.
pub(crate) fn refuse_unobservable(pid: i32) -> Result<(), SnapshotError> {
    let Some(status) = read_proc_file(&format!("/proc/{pid}/status")) else {
        return Err(SnapshotError::NoSuchProcess(pid));
    };
    let number = |name: &str| status_field(&status, name).and_then(|text| text.parse::<i32>().ok());
    let own = i32::try_from(std::process::id()).unwrap_or(0);
    if pid == own || number("Tgid") == Some(own) {
        return Err(SnapshotError::Itself(pid));
    }
    if number("Tgid") != Some(pid) {
        // A thread's number: /proc shows it although it is not listed.
        return Err(SnapshotError::NoSuchProcess(pid));
    }
    if status_field(&status, "State").is_some_and(|state| state.starts_with(['Z', 'X'])) {
        return Err(SnapshotError::Zombie(pid));
    }
    match number("TracerPid") {
        None | Some(0) => {}
        Some(by) => return Err(SnapshotError::Traced { pid, by }),
    }
    if status_field(&status, "VmSize").is_none() {
        // Threads of the kernel have a common parent; anything else without memory is about to end.
        let kernel = pid == 2 || number("PPid") == Some(2);
        return Err(if kernel {
            SnapshotError::KernelThread(pid)
        } else {
            SnapshotError::Gone(pid)
        });
    }
    Ok(())
}

/// Signals that wait to be delivered to some thread and that it does not block.
fn pending_signals(pid: i32) -> u64 {
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let statuses =
        tasks.filter_map(|task| read_proc_file(&task.path().join("status").display().to_string()));
    statuses.fold(0, |all, status| all | deliverable_signals(&status))
}

/// How many timers of real time run on this machine; `None` if only root may know.
pub(crate) fn real_timers() -> Option<usize> {
    let list = read_proc_file("/proc/timer_list")?;
    Some(list.lines().filter(|line| line.contains("it_real_fn")).count())
}

/// Signals that every thread blocks.
fn signals_blocked_by_all(pid: i32) -> u64 {
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let sets = tasks.map(|task| {
        let status = read_proc_file(&task.path().join("status").display().to_string())?;
        u64::from_str_radix(status_field(&status, "SigBlk")?, 16).ok()
    });
    sets.map(|set| set.unwrap_or(0)).reduce(|all, set| all & set).unwrap_or(0)
}

/// Of the signals that wait for a thread or for its process, those that the thread does not block.
fn deliverable_signals(status: &str) -> u64 {
    let set = |name: &str| status_field(status, name).and_then(|s| u64::from_str_radix(s, 16).ok());
    (set("SigPnd").unwrap_or(0) | set("ShdPnd").unwrap_or(0)) & !set("SigBlk").unwrap_or(0)
}

/// What is to be seen while the process stands still.
pub(crate) fn read_circumstances(pid: i32) -> ProcessCircumstances {
    let Some(status) = read_proc_file(&format!("/proc/{pid}/status")) else {
        return ProcessCircumstances::default();
    };
    let set =
        |name: &str| status_field(&status, name).and_then(|s| u64::from_str_radix(s, 16).ok());
    let timers = read_proc_file(&format!("/proc/{pid}/timers")).unwrap_or_default();
    let limits = read_proc_file(&format!("/proc/{pid}/limits")).unwrap_or_default();
    let limit = |name: &str| {
        let mut words = limits.lines().find_map(|line| line.strip_prefix(name))?.split_whitespace();
        words.next().map(str::to_owned)
    };
    let number = |name: &str| -> Option<u64> { limit(name)?.parse().ok() };
    let cpu_limit = number("Max cpu time");
    let stack_limit = limit("Max stack size").map(|bytes| bytes.parse().unwrap_or(u64::MAX));
    let Some(caught) = set("SigCgt") else { return ProcessCircumstances::default() };
    ProcessCircumstances {
        known: true,
        caught,
        pending: pending_signals(pid),
        writers: Vec::new(),
        same_memory: Vec::new(),
        timers: timers.lines().filter(|line| line.starts_with("ID:")).count(),
        stopped: status_field(&status, "State").is_some_and(|state| state.starts_with('T')),
        cpu_limit,
        stack_limit,
        real_timers: None,
        blocked: signals_blocked_by_all(pid),
        children: Vec::new(),
        parting: Vec::new(),
        announced: Vec::new(),
        real_time_limit: number("Max realtime timeout"),
        memory_limit: number("Max address space").into_iter().chain(number("Max data size")).min(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_stat_may_contain_anything() {
        assert_eq!(parse_state("12 (a ) R b) S 1 2"), Some(ThreadState::Sleeps));
        assert_eq!(parse_state("12 (x) R 1 2"), Some(ThreadState::Runs));
        assert_eq!(parse_state("12 (x) Z 1 2"), Some(ThreadState::Dead));
        assert_eq!(parse_state("nonsense"), None);
    }

    #[test]
    fn a_signal_waits_unless_it_is_blocked() {
        let status =
            "SigPnd:\t0000000000000200\nShdPnd:\t0000000000004000\nSigBlk:\t0000000000000200";
        assert_eq!(deliverable_signals(status), 0x4000);
        assert_eq!(deliverable_signals(&status.replace("SigBlk", "SigIgn")), 0x4200);
    }
}
