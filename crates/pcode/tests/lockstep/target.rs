//! A process that is single-stepped.

use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use nix::sys::ptrace;
use nix::sys::signal::Signal;
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;
use ouro_pcode::MemoryBacking;
use ouro_process::{ThreadRegisters, registers_of_stopped};

/// A traced process.
pub(crate) struct Target {
    child: Child,
}

impl Target {
    /// Starts a program, lets it run for a while, and stops it.
    pub(crate) fn start(mut command: Command, after: Duration) -> Target {
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).spawn().expect("starts");
        std::thread::sleep(after);
        let target = Target { child };
        ptrace::seize(target.pid(), ptrace::Options::PTRACE_O_EXITKILL).expect("seized");
        ptrace::interrupt(target.pid()).expect("interrupted");
        waitpid(target.pid(), Some(WaitPidFlag::__WALL)).expect("stops");
        target
    }

    pub(crate) fn pid(&self) -> Pid {
        Pid::from_raw(i32::try_from(self.child.id()).expect("small"))
    }

    pub(crate) fn registers(&self) -> ThreadRegisters {
        registers_of_stopped(self.pid().as_raw()).expect("it is stopped")
    }

    /// One instruction; false if the process ended.
    pub(crate) fn step(&mut self) -> bool {
        let mut signal = None;
        loop {
            ptrace::step(self.pid(), signal).expect("it is stopped");
            match waitpid(self.pid(), Some(WaitPidFlag::__WALL)).expect("it stops") {
                WaitStatus::Stopped(_, Signal::SIGTRAP) => return true,
                WaitStatus::Stopped(_, other) => signal = Some(other),
                WaitStatus::Exited(..) | WaitStatus::Signaled(..) => return false,
                _ => {}
            }
        }
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Memory of a stopped process, read when it is asked for.
pub(crate) struct Live {
    memory: File,
    maps: Vec<(u64, u64, bool, bool)>,
}

impl Live {
    pub(crate) fn new(target: &Target) -> Live {
        let pid = target.pid();
        let maps = std::fs::read_to_string(format!("/proc/{pid}/maps")).expect("maps");
        let maps = maps
            .lines()
            .filter_map(|line| {
                let (range, rest) = line.split_once(' ')?;
                let (start, end) = range.split_once('-')?;
                let start = u64::from_str_radix(start, 16).ok()?;
                let end = u64::from_str_radix(end, 16).ok()?;
                Some((start, end, &rest[1..2] == "w", &rest[2..3] == "x"))
            })
            .collect();
        let memory = File::open(format!("/proc/{pid}/mem")).expect("mem");
        Live { memory, maps }
    }

    fn of(&self, address: u64) -> Option<&(u64, u64, bool, bool)> {
        self.maps.iter().find(|(start, end, ..)| (*start..*end).contains(&address))
    }
}

impl MemoryBacking for Live {
    fn fill_page(&self, address: u64, into: &mut [u8; 4096]) -> bool {
        self.memory.read_exact_at(into, address).is_ok()
    }

    fn is_writable(&self, address: u64) -> bool {
        self.of(address).is_some_and(|m| m.2)
    }

    fn is_executable(&self, address: u64) -> bool {
        self.of(address).is_some_and(|m| m.3)
    }
}
