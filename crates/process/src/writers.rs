//! Who else may write the memory of a process, or decide what is there: the kernel on behalf of a device or of
//! asynchronous I/O, a process that handles its page faults, a process with the same memory. And of whom the
//! kernel tells it by a signal: its children, files that are asynchronous.

use std::ffi::CString;
use std::fs;

use nix::libc;

use crate::MemoryMapping;

/// Device files by which nobody writes memory on his own, by the beginning of their names.
const HARMLESS: [&str; 20] = [
    "null",
    "zero",
    "full",
    "random",
    "urandom",
    "tty",
    "pts/",
    "ptmx",
    "console",
    "input/",
    "snd/",
    "rtc",
    "fuse",
    "net/tun",
    "shm/",
    "mqueue/",
    "hugepages/",
    "kmsg",
    "loop",
    "log",
];

/// Open files by which others may write memory that is not shared, by their names.
pub(crate) fn memory_writing_files(pid: i32) -> Vec<String> {
    let Ok(folder) = fs::read_dir(format!("/proc/{pid}/fd")) else {
        return vec!["files that cannot be listed".to_owned()];
    };
    let links = folder.flatten().filter_map(|entry| fs::read_link(entry.path()).ok());
    let names = links.map(|link| link.display().to_string());
    let mut found: Vec<String> = names.filter(|name| may_write_memory(name)).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// The number of the file system of message queues.
const QUEUES: libc::__fsword_t = 0x1980_0202;

/// Flags of an open file: `O_ASYNC`.
const ASYNCHRONOUS: u32 = 0o20000;

/// What the kernel sends the process a signal about: open files that are asynchronous, counters, message queues that
/// notify somebody, and leases.
pub(crate) fn announced_signals(pid: i32) -> Vec<String> {
    let folder = fs::read_dir(format!("/proc/{pid}/fdinfo")).into_iter().flatten().flatten();
    let mut found = Vec::new();
    for entry in folder {
        let text = fs::read_to_string(entry.path()).unwrap_or_default();
        let number = entry.file_name().to_string_lossy().into_owned();
        let path = format!("/proc/{pid}/fd/{number}");
        let link = fs::read_link(&path);
        let name = link.map_or_else(|_| "?".to_owned(), |link| link.display().to_string());
        let why = if is_asynchronous(&text) {
            "sends SIGIO (O_ASYNC)"
        } else if name.contains("[perf_event]") {
            "counts events and may send SIGTRAP"
        } else if is_notifying_queue(&path, &name) {
            "notifies about messages (mq_notify)"
        } else {
            continue;
        };
        found.push(format!("file {number} ({name}) {why}"));
    }
    found.sort_unstable();
    let locks = fs::read_to_string("/proc/locks").unwrap_or_default();
    if has_lease(&locks, pid) {
        found.push("it holds a lease on a file (F_SETLEASE)".to_owned());
    }
    found
}

fn is_asynchronous(fdinfo: &str) -> bool {
    let flags = fdinfo.lines().find_map(|line| line.strip_prefix("flags:"));
    flags.and_then(|text| u32::from_str_radix(text.trim(), 8).ok()).unwrap_or(0) & ASYNCHRONOUS != 0
}

/// Whether an open file is a message queue that notifies somebody. In their file system, what can be read of a queue
/// is who that is; elsewhere nothing is read, since that could disturb.
fn is_notifying_queue(path: &str, name: &str) -> bool {
    let (Ok(c_path), true) = (CString::new(path), name.starts_with('/')) else { return false };
    // SAFETY: a structure of numbers, for which zero is a value.
    let mut found: libc::statfs = unsafe { std::mem::zeroed() };
    // SAFETY: the kernel reads a string that ends, and writes a structure that outlives the call.
    let asked = unsafe { libc::statfs(c_path.as_ptr(), &raw mut found) };
    asked == 0
        && found.f_type == QUEUES
        && fs::read_to_string(path).is_ok_and(|text| {
            let pid = text.split_whitespace().find_map(|word| word.strip_prefix("NOTIFY_PID:"));
            pid.is_some_and(|pid| pid != "0")
        })
}

fn has_lease(locks: &str, pid: i32) -> bool {
    let own = pid.to_string();
    let mut lines = locks.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    lines.any(|words| {
        let kind = words.iter().position(|word| matches!(*word, "LEASE" | "DELEG"));
        kind.and_then(|at| words.get(at + 3)).is_some_and(|word| *word == own)
    })
}

/// The children of all threads of a process, those left out that have ended; and of those whose end sends another
/// signal than `SIGCHLD`, which.
pub(crate) fn child_processes(pid: i32) -> (Vec<i32>, Vec<(i32, u32)>) {
    let numbers = fs::read_dir("/proc").into_iter().flatten().flatten();
    let others = numbers.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let mut found: Vec<(i32, u32)> = others
        .filter_map(|other| {
            let stat = fs::read_to_string(format!("/proc/{other}/stat")).unwrap_or_default();
            is_child(&stat, pid).then(|| (other, exit_signal(&stat)))
        })
        .collect();
    found.sort_unstable();
    let all = found.iter().map(|(child, _)| *child).collect();
    found.retain(|(_, signal)| ![0, libc::SIGCHLD.unsigned_abs()].contains(signal));
    (all, found)
}

/// The signal that the end of a process sends to its parent: SIGCHLD, unless `clone` was told another.
fn exit_signal(stat: &str) -> u32 {
    let fields = stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace();
    fields.skip(35).find_map(|signal| signal.parse().ok()).unwrap_or(0)
}

fn is_child(stat: &str, of: i32) -> bool {
    let mut fields = stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace();
    let ended = fields.next().is_none_or(|state| matches!(state, "Z" | "X" | "x"));
    !ended && fields.next() == Some(of.to_string().as_str())
}

fn may_write_memory(name: &str) -> bool {
    match name.strip_prefix("/dev/") {
        Some(device) => !HARMLESS.iter().any(|harmless| device.starts_with(harmless)),
        None => name.contains("[io_uring]") || name.contains("[userfaultfd]"),
    }
}

/// Other processes with the same memory. Those that may not be compared are left out: they belong to others.
pub(crate) fn processes_with_same_memory(pid: i32) -> Vec<i32> {
    const KCMP_VM: libc::c_int = 1;
    let numbers = fs::read_dir("/proc").into_iter().flatten().flatten();
    let others = numbers.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let mut same: Vec<i32> = others
        .filter(|other| *other != pid)
        // SAFETY: a call that compares two numbers of processes, and takes no pointer.
        .filter(|other| unsafe { libc::syscall(libc::SYS_kcmp, pid, *other, KCMP_VM, 0, 0) } == 0)
        .collect();
    same.sort_unstable();
    same
}

/// Marks mappings whose pages are not the process's alone to use.
pub(crate) fn mark_special_mappings(pid: i32, mappings: &mut [MemoryMapping]) {
    let text = fs::read(format!("/proc/{pid}/smaps")).unwrap_or_default();
    for start in special_mapping_starts(&String::from_utf8_lossy(&text)) {
        if let Some(mapping) = mappings.iter_mut().find(|mapping| mapping.start == start) {
            mapping.special = true;
        }
    }
}

/// Where such mappings begin, from `/proc/PID/smaps`.
fn special_mapping_starts(smaps: &str) -> Vec<u64> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut is_anonymous = false;
    for line in smaps.lines() {
        let (first, rest) = line.split_once(' ').unwrap_or((line, ""));
        if let Some((from, _)) = first.split_once('-') {
            start = u64::from_str_radix(from, 16).unwrap_or(start);
            // Rights, offset, device, inode, name. The kernel's own pages (`[vdso]`) are of no file, too.
            let mut fields = rest.split_whitespace().skip(3);
            is_anonymous = fields.next() == Some("0")
                && !fields.next().is_some_and(|name| name.starts_with("[v"));
        }
        // Pages that the kernel may take back at any time, and that are zero then (MADV_FREE). It counts them as such
        // some time later; until then they are the only ones of no file that are clean.
        let is_some = rest.trim() != "0 kB";
        let is_clean = is_anonymous && ["Private_Clean:", "Shared_Clean:"].contains(&first);
        let lazy = is_some && (first == "LazyFree:" || is_clean);
        // Handled by userfaultfd (missing pages, writes, minor faults), or droppable.
        let flagged = first == "VmFlags:"
            && rest.split_whitespace().any(|flag| ["um", "uw", "ui", "dp"].contains(&flag));
        let guarded = first == "ProtectionKey:" && rest.trim() != "0";
        if flagged || guarded || lazy {
            found.push(start);
        }
    }
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_by_which_others_write() {
        for name in ["/dev/nvidia0", "/dev/dri/renderD128", "anon_inode:[io_uring]", "/dev/vfio/1"]
        {
            assert!(may_write_memory(name), "{name}");
        }
        for name in ["/dev/null", "/dev/pts/3", "/tmp/dev/x", "socket:[12]", "pipe:[3]", "/devices"]
        {
            assert!(!may_write_memory(name), "{name}");
        }
    }

    #[test]
    fn of_whom_the_kernel_tells() {
        assert!(is_asynchronous("pos:\t0\nflags:\t0122002\nmnt_id:\t15\n"));
        assert!(!is_asynchronous("pos:\t0\nflags:\t0102002\nmnt_id:\t15\n"));
        let locks = "1: POSIX  ADVISORY  WRITE 12 fe:01:7 0 EOF\n2: LEASE  ACTIVE    READ  34 fe:01:8 0 EOF\n";
        assert!(has_lease(locks, 34) && !has_lease(locks, 12));
        assert!(is_child("7 (a) b) S 34 1", 34) && !is_child("7 (a) Z 34 1", 34));
        assert!(!is_child("7 (34) S 3 34", 34) && !is_child("", 34));
        let stat = format!("7 (a) b) S 34{} 15 1 0", " 9".repeat(33));
        assert_eq!((exit_signal(&stat), exit_signal("7 (a) S 34")), (15, 0));
    }

    #[test]
    fn special_mappings() {
        let smaps = "7f00-8000 rw-p 00000000 00:00 0 \nRss: 4 kB\nProtectionKey:         0\n\
                     VmFlags: rd wr mr um \n8000-9000 rw-p 00000000 00:00 0 [um]\n\
                     ProtectionKey:         0\nVmFlags: rd wr\n\
                     9000-a000 rw-p 00000000 00:00 0\nProtectionKey:         3\nVmFlags: rd\n\
                     a000-b000 rw-p 00000000 00:00 0\nLazyFree:              0 kB\nVmFlags: rd wr\n\
                     b000-c000 rw-p 00000000 00:00 0\nLazyFree:            256 kB\nVmFlags: rd wr\n\
                     c000-d000 rw-p 00000000 00:00 0 [heap]\nPrivate_Clean:     4 kB\nLazyFree:   0 kB\n\
                     d000-e000 r-xp 00000000 00:00 0 [vdso]\nPrivate_Clean:     4 kB\n\
                     e000-f000 r--p 00000000 fe:01 7 /lib/x\nPrivate_Clean:     4 kB\n\
                     f000-f800 rw-p 00000000 00:00 0\nPrivate_Clean:     0 kB\nPrivate_Dirty: 4 kB\n";
        assert_eq!(special_mapping_starts(smaps), [0x7f00, 0x9000, 0xb000, 0xc000]);
    }
}
