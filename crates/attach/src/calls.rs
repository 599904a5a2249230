//! System calls by name, and what their arguments mean.

use std::fs;

use ouro_pcode::Machine;
use ouro_process::{Blocked, Registers, Snapshot, Source};

/// Names by number, as far as programs that wait or spin use them.
fn name(number: u64) -> String {
    let known = match number {
        0 => "read",
        1 => "write",
        2 => "open",
        3 => "close",
        4 => "stat",
        5 => "fstat",
        7 => "poll",
        8 => "lseek",
        9 => "mmap",
        10 => "mprotect",
        11 => "munmap",
        12 => "brk",
        13 => "rt_sigaction",
        14 => "rt_sigprocmask",
        15 => "rt_sigreturn",
        16 => "ioctl",
        17 => "pread64",
        18 => "pwrite64",
        19 => "readv",
        20 => "writev",
        22 => "pipe",
        23 => "select",
        24 => "sched_yield",
        25 => "mremap",
        28 => "madvise",
        32 => "dup",
        33 => "dup2",
        34 => "pause",
        35 => "nanosleep",
        39 => "getpid",
        42 => "connect",
        43 => "accept",
        44 => "sendto",
        45 => "recvfrom",
        46 => "sendmsg",
        47 => "recvmsg",
        56 => "clone",
        57 => "fork",
        58 => "vfork",
        59 => "execve",
        60 => "exit",
        61 => "wait4",
        62 => "kill",
        72 => "fcntl",
        77 => "ftruncate",
        79 => "getcwd",
        87 => "unlink",
        96 => "gettimeofday",
        98 => "getrusage",
        100 => "times",
        102 => "getuid",
        128 => "rt_sigtimedwait",
        186 => "gettid",
        201 => "time",
        202 => "futex",
        204 => "sched_getaffinity",
        208 => "io_getevents",
        217 => "getdents64",
        228 => "clock_gettime",
        230 => "clock_nanosleep",
        231 => "exit_group",
        232 => "epoll_wait",
        233 => "epoll_ctl",
        234 => "tgkill",
        247 => "waitid",
        257 => "openat",
        262 => "newfstatat",
        270 => "pselect6",
        271 => "ppoll",
        281 => "epoll_pwait",
        288 => "accept4",
        318 => "getrandom",
        332 => "statx",
        435 => "clone3",
        441 => "epoll_pwait2",
        _ => return format!("system call {number}"),
    };
    known.to_owned()
}

/// Whether the first argument is a file descriptor.
fn takes_file(number: u64) -> bool {
    matches!(
        number,
        0 | 1 | 3 | 5 | 8 | 16 | 17 | 18 | 19 | 20 | 32 | 33 | 42
            ..=47 | 72 | 77 | 217 | 232 | 233 | 281 | 288 | 441
    )
}

/// What a descriptor of a live process is.
fn file(snapshot: &Snapshot, descriptor: u64) -> Option<String> {
    if snapshot.source != Source::Live {
        return None;
    }
    let link = fs::read_link(format!("/proc/{}/fd/{descriptor}", snapshot.pid)).ok()?;
    Some(link.display().to_string())
}

fn text(snapshot: Option<&Snapshot>, number: u64, arguments: [u64; 6]) -> String {
    let name = name(number);
    if takes_file(number) {
        let what = snapshot.and_then(|s| file(s, arguments[0]));
        let what = what.map_or_else(String::new, |what| format!(" = {what}"));
        let count = match number {
            0 | 1 | 17 | 18 => format!(", {} bytes", arguments[2]),
            _ => String::new(),
        };
        return format!("{name}(file {}{what}{count})", arguments[0]);
    }
    match number {
        60 | 231 => format!("{name}({})", arguments[0] & 0xff),
        202 => {
            let operation =
                if arguments[1] & 0x7f == 0 || arguments[1] & 0x7f == 9 { "wait" } else { "wake" };
            format!("futex({operation} at {:#x})", arguments[0])
        }
        _ => name,
    }
}

/// The call that a thread sleeps in.
pub(crate) fn blocked(blocked: &Blocked) -> String {
    text(None, blocked.call, blocked.arguments)
}

/// The call that a thread of this process sleeps in, with what its descriptor is.
pub(crate) fn waiting(snapshot: &Snapshot, blocked: &Blocked) -> String {
    text(Some(snapshot), blocked.call, blocked.arguments)
}

/// The call that a machine is about to make.
pub(crate) fn next(snapshot: &Snapshot, machine: &Machine) -> String {
    let arguments = [7, 6, 2, 10, 8, 9].map(|number| machine.general(number));
    text(Some(snapshot), machine.general(0), arguments)
}

/// Whether a machine is about to ask for memory.
pub(crate) fn asks_for_memory(machine: &Machine) -> bool {
    matches!(machine.general(0), 9 | 11 | 12 | 25 | 28)
}

/// Whether the call that a machine is about to make ends it.
pub(crate) fn ends(machine: &Machine) -> bool {
    matches!(machine.general(0), 60 | 231)
}

/// The system call that a stopped thread is in, if it will go on with it: cores show sleepers so.
pub(crate) fn interrupted(registers: &Registers) -> Option<Blocked> {
    let general = &registers.general;
    // ERESTARTSYS and its relatives: the call is made again.
    let result = general.gpr[0].cast_signed();
    if general.orig_rax.cast_signed() < 0 || !(-516..=-512).contains(&result) {
        return None;
    }
    Some(Blocked {
        call: general.orig_rax,
        arguments: [7, 6, 2, 10, 8, 9].map(|i| general.gpr[i]),
        rsp: general.rsp(),
        rip: general.rip,
    })
}

/// Whether a sleeper can only be woken by a thread of its own process: a private futex, without a
/// time-out.
pub(crate) fn waits_for_us(blocked: &Blocked) -> bool {
    let [_, operation, _, timeout, ..] = blocked.arguments;
    let waits = matches!(operation & 0x7f, 0 | 9);
    blocked.call == 202 && waits && operation & 0x80 != 0 && timeout == 0
}
