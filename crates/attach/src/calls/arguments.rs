//! What the arguments of a system call mean, for the calls that programs wait in or repeat.

use std::fs;

use ouro_process::{ProcessSnapshot, SnapshotSource};

use super::names::system_call_name;

/// Reads memory of the process; false if a byte is absent.
pub(crate) type MemoryReader<'a> = &'a mut dyn FnMut(u64, &mut [u8]) -> bool;

/// A call as people write it: its name, and what of its arguments says something.
pub(crate) fn call_text(
    snapshot: Option<&ProcessSnapshot>,
    read: MemoryReader<'_>,
    number: u64,
    arguments: [u64; 6],
) -> String {
    let name = system_call_name(number);
    let [first, second, third, fourth, fifth, _] = arguments;
    let file = |descriptor: u64| descriptor_text(snapshot, descriptor);
    let meaning = match name.as_str() {
        "read" | "write" | "pread64" | "pwrite64" | "sendto" | "recvfrom" => {
            format!("{}, {third} bytes", file(first))
        }
        "readv" | "writev" | "preadv" | "pwritev" => format!("{}, {third} pieces", file(first)),
        "lseek" => format!("{}, to {}", file(first), second.cast_signed()),
        "ioctl" => format!("{}, request {second:#x}", file(first)),
        "fcntl" => format!("{}, command {second}", file(first)),
        "ftruncate" => format!("{}, to {second} bytes", file(first)),
        "sendfile" => format!("to {}, from {}, {fourth} bytes", file(first), file(second)),
        "close" | "fstat" | "dup" | "dup2" | "dup3" | "connect" | "accept" | "accept4" | "bind"
        | "listen" | "shutdown" | "sendmsg" | "recvmsg" | "sendmmsg" | "recvmmsg"
        | "getdents64" | "fsync" | "fdatasync" | "flock" | "epoll_ctl" | "getsockopt"
        | "setsockopt" => file(first),
        "epoll_wait" | "epoll_pwait" => {
            format!("{}, {}", file(first), milliseconds_text(fourth))
        }
        "poll" => format!("{second} files, {}", milliseconds_text(third)),
        "ppoll" => format!("{second} files, {}", absolute_time_text(read, third)),
        "select" => format!("files below {first}, {}", interval_text(read, fifth)),
        "pselect6" => format!("files below {first}, {}", absolute_time_text(read, fifth)),
        "open" | "stat" | "lstat" | "access" | "unlink" | "execve" | "readlink" | "chdir"
        | "mkdir" | "rmdir" => path_text(read, first),
        "openat" | "newfstatat" | "statx" | "unlinkat" | "faccessat" | "faccessat2"
        | "readlinkat" | "mkdirat" => path_text(read, second),
        "exit" | "exit_group" => (first & 0xff).to_string(),
        "nanosleep" => read_seconds(read, first, 1_000_000_000).unwrap_or_default(),
        "clock_nanosleep" if second & 1 == 0 => {
            read_seconds(read, third, 1_000_000_000).unwrap_or_default()
        }
        "clock_nanosleep" => format!("until a given time of {}", clock_name(first)),
        "clock_gettime" | "clock_getres" => clock_name(first),
        "futex" => futex_text(read, first, second, fourth),
        "wait4" | "waitpid" => match first.cast_signed() {
            -1 => "any child".to_owned(),
            pid => format!("process {pid}"),
        },
        "waitid" if first == 1 => format!("process {second}"),
        "kill" => format!("process {}, signal {second}", first.cast_signed()),
        "tgkill" => format!("thread {second}, signal {third}"),
        "mmap" => format!("{second} bytes"),
        "munmap" | "mprotect" | "madvise" => format!("{second} bytes at {first:#x}"),
        "mremap" => format!("from {second} to {third} bytes"),
        "brk" => format!("to {first:#x}"),
        "getrandom" => format!("{second} bytes"),
        _ => String::new(),
    };
    if meaning.is_empty() { name } else { format!("{name}({meaning})") }
}

/// What a descriptor is; only of a live process can that be seen.
fn descriptor_text(snapshot: Option<&ProcessSnapshot>, descriptor: u64) -> String {
    let live = snapshot.filter(|snapshot| snapshot.source == SnapshotSource::Live);
    let link = live
        .and_then(|snapshot| fs::read_link(format!("/proc/{}/fd/{descriptor}", snapshot.pid)).ok());
    match link {
        Some(link) => format!("file {descriptor} = {}", link.display()),
        None => format!("file {}", descriptor.cast_signed()),
    }
}

fn read_word(read: MemoryReader<'_>, address: u64) -> Option<u64> {
    let mut bytes = [0; 8];
    (address != 0 && read(address, &mut bytes)).then(|| u64::from_le_bytes(bytes))
}

/// A time as two words: seconds, and so many parts of one.
fn read_seconds(read: MemoryReader<'_>, address: u64, parts: u32) -> Option<String> {
    let whole = read_word(read, address)?;
    let rest = u32::try_from(read_word(read, address.wrapping_add(8))?).ok()?;
    let whole = u32::try_from(whole).ok()?;
    Some(format!("{} s", f64::from(whole) + f64::from(rest) / f64::from(parts)))
}

fn absolute_time_text(read: MemoryReader<'_>, address: u64) -> String {
    timeout_text(address, read_seconds(read, address, 1_000_000_000))
}

fn interval_text(read: MemoryReader<'_>, address: u64) -> String {
    timeout_text(address, read_seconds(read, address, 1_000_000))
}

fn timeout_text(address: u64, seconds: Option<String>) -> String {
    match (address, seconds) {
        (0, _) => "without a timeout".to_owned(),
        (_, Some(seconds)) => format!("for at most {seconds}"),
        (_, None) => "with a timeout".to_owned(),
    }
}

fn milliseconds_text(number: u64) -> String {
    match i32::try_from(number & 0xffff_ffff) {
        Ok(number) => format!("for at most {number} ms"),
        Err(_) => "without a timeout".to_owned(),
    }
}

fn path_text(read: MemoryReader<'_>, address: u64) -> String {
    let mut bytes = Vec::new();
    for at in (address..).take(200) {
        let mut byte = [0];
        if !read(at, &mut byte) || byte[0] == 0 {
            break;
        }
        bytes.push(byte[0]);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn clock_name(number: u64) -> String {
    match number {
        0 => "the real-time clock".to_owned(),
        1 => "the monotonic clock".to_owned(),
        2 | 3 => "CPU time".to_owned(),
        other => format!("clock {other}"),
    }
}

fn futex_text(read: MemoryReader<'_>, address: u64, operation: u64, time: u64) -> String {
    match operation & 0x7f {
        0 | 9 => format!("wait at {address:#x}, {}", absolute_time_text(read, time)),
        6 | 13 => format!("lock at {address:#x}"),
        7 => format!("unlock at {address:#x}"),
        1 | 10 => format!("wake at {address:#x}"),
        _ => format!("at {address:#x}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_told() {
        // At 0x1000 two and a half seconds, at 0x2000 a path, nothing elsewhere.
        let mut read = |at: u64, into: &mut [u8]| {
            let mut page = 2u64.to_le_bytes().to_vec();
            page.extend(500_000_000u64.to_le_bytes());
            let (bytes, from) = match at {
                0x1000..0x1010 => (page, at - 0x1000),
                0x2000..0x2006 => (b"/tmp/x\0".to_vec(), at - 0x2000),
                _ => return false,
            };
            let from = usize::try_from(from).expect("small");
            let Some(found) = bytes.get(from..from + into.len()) else { return false };
            into.copy_from_slice(found);
            true
        };
        for (number, arguments, wanted) in [
            (0, [3, 0x5000, 80, 0, 0, 0], "read(file 3, 80 bytes)"),
            (7, [0, 4, u64::MAX, 0, 0, 0], "poll(4 files, without a timeout)"),
            (7, [0, 4, 250, 0, 0, 0], "poll(4 files, for at most 250 ms)"),
            (35, [0x1000, 0, 0, 0, 0, 0], "nanosleep(2.5 s)"),
            (35, [0x9000, 0, 0, 0, 0, 0], "nanosleep"),
            (230, [1, 0, 0x1000, 0, 0, 0], "clock_nanosleep(2.5 s)"),
            (202, [64, 128, 0, 0, 0, 0], "futex(wait at 0x40, without a timeout)"),
            (202, [64, 128, 0, 0x1000, 0, 0], "futex(wait at 0x40, for at most 2.5 s)"),
            (202, [64, 129, 0, 0x1000, 0, 0], "futex(wake at 0x40)"),
            (257, [u64::MAX - 99, 0x2000, 0, 0, 0, 0], "openat(/tmp/x)"),
            (61, [u64::MAX, 0, 0, 0, 0, 0], "wait4(any child)"),
            (231, [3, 0, 0, 0, 0, 0], "exit_group(3)"),
            (24, [0; 6], "sched_yield"),
        ] {
            assert_eq!(call_text(None, &mut read, number, arguments), wanted);
        }
    }
}
