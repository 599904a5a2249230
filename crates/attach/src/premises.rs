//! What could interfere with a loop: other threads, memory that others write, files, limits; what signals
//! could do is in `signals`.

use ouro_process::{BlockedCall, FileComparison, MemoryMapping, ProcessSnapshot, ThreadActivity};

use crate::backing::{is_data_file, is_mapping_outside};
use crate::limits::LIMITS;
use crate::signals::untold;
use crate::{calls, signals};
use ouro_evidence::process::LoopPremise;

/// The premises of a proof about one thread.
pub(crate) fn find_premises(snapshot: &ProcessSnapshot, thread: i32) -> Vec<LoopPremise> {
    let mut all = interference_premises(snapshot, thread);
    for (path, compared) in &snapshot.files {
        if *compared == FileComparison::NotCompared {
            all.push(LoopPremise {
                what: format!("{} is the file that was mapped", path.display()),
                holds: None,
                found: "it has no build-id to compare".to_owned(),
            });
        }
    }
    all.extend(file_premise(snapshot));
    all.extend(shortened(snapshot));
    let circumstances = &snapshot.circumstances;
    if !circumstances.known {
        let what = "no limit on CPU time stops it".to_owned();
        all.push(LoopPremise { what, holds: None, found: untold(snapshot).to_owned() });
    }
    let limits = [
        circumstances
            .cpu_limit
            .map(|seconds| format!("after {seconds} s of CPU time it gets SIGXCPU (`ulimit -t`)")),
        circumstances.real_time_limit.map(|microseconds| {
            format!(
                "after {microseconds} µs under a real-time policy it gets SIGXCPU (RLIMIT_RTTIME)"
            )
        }),
    ];
    for found in limits.into_iter().flatten() {
        let what = "no limit on CPU time stops it".to_owned();
        all.push(LoopPremise { what, holds: Some(false), found });
    }
    all
}

/// Pages of a program or library that were not written show what is in the file, its instructions above all.
fn file_premise(snapshot: &ProcessSnapshot) -> Option<LoopPremise> {
    let what = "the files of the program and its libraries are not overwritten";
    assumed(
        what,
        snapshot.mappings.iter().filter(|m| !is_mapping_outside(m) && !is_data_file(snapshot, m)),
    )
}

/// Pages of a file that end behind its last byte are gone, those that the process has written as well.
fn shortened(snapshot: &ProcessSnapshot) -> Option<LoopPremise> {
    let what = "the files that it has private pages of are not truncated";
    let written = |m: &&MemoryMapping| {
        let clean: u64 = m.clean.iter().map(|(start, end)| end - start).sum();
        is_data_file(snapshot, m) && clean < m.length()
    };
    assumed(what, snapshot.mappings.iter().filter(written))
}

/// What is assumed of the files of some mappings, with their names.
fn assumed<'a>(
    what: &str,
    mappings: impl Iterator<Item = &'a MemoryMapping>,
) -> Option<LoopPremise> {
    let mut names: Vec<&str> = Vec::new();
    for mapping in mappings {
        let name = mapping.file().map(|path| path.rsplit('/').next().unwrap_or(path));
        names.extend(name.filter(|name| !names.contains(name)));
    }
    let more = names.len().saturating_sub(LIMITS.named_files);
    names.truncate(LIMITS.named_files);
    let mut found = names.join(", ");
    if more > 0 {
        found += &format!(" and {more} more");
    }
    (!names.is_empty()).then_some(LoopPremise { what: what.to_owned(), holds: None, found })
}

/// What could make the thread do something else than it would do alone.
pub(crate) fn interference_premises(snapshot: &ProcessSnapshot, thread: i32) -> Vec<LoopPremise> {
    let mut all = vec![thread_premise(snapshot, thread), shared_memory_premise(snapshot)];
    all.extend(signals::signal_premises(snapshot));
    all
}

/// What a loop needs more of each time, and in practice does not get.
pub(crate) fn resource_premises(
    snapshot: &ProcessSnapshot,
    stack: u64,
    heap: u64,
) -> Vec<LoopPremise> {
    let mut all = Vec::new();
    if stack > 0 {
        let limit = match snapshot.circumstances.stack_limit {
            Some(u64::MAX) => "no limit is set".to_owned(),
            Some(bytes) => format!("the limit is {} KiB", bytes >> 10),
            None => "the limit is not known".to_owned(),
        };
        let found = format!(
            "in practice it overflows: every iteration needs {stack} more bytes, and \
             {limit}"
        );
        all.push(LoopPremise { what: "the stack is unlimited".to_owned(), holds: None, found });
    }
    if heap > 0 {
        let found = format!(
            "in practice it runs out: every iteration allocates {heap} more bytes; memory \
             returned by malloc is assumed not to be in use elsewhere"
        );
        let what = "the heap is unlimited".to_owned();
        all.push(match snapshot.circumstances.memory_limit {
            None => LoopPremise { what, holds: None, found },
            Some(bytes) => {
                let limit =
                    format!("its memory is limited to {} KiB (`ulimit -v`, `-d`)", bytes >> 10);
                LoopPremise { what, holds: Some(false), found: format!("{limit}: {found}") }
            }
        });
    }
    all
}

/// Another thread may change what the loop reads, unless it can only be woken by the loop.
fn thread_premise(snapshot: &ProcessSnapshot, thread: i32) -> LoopPremise {
    let sleeps = |blocked: &BlockedCall| {
        (
            format!("sleeps in {}", calls::describe_blocked_call(blocked)),
            calls::waits_for_own_process(blocked),
        )
    };
    let what = "no other thread interferes".to_owned();
    let others: Vec<_> = snapshot.threads.iter().filter(|other| other.id != thread).collect();
    if let Some(other) = snapshot.circumstances.same_memory.first() {
        let found = format!("process {other} shares its memory (clone with CLONE_VM, or vfork)");
        return LoopPremise { what, holds: Some(false), found };
    }
    if others.is_empty() && !snapshot.circumstances.known {
        let found = format!(
            "it is the only thread; whether another process shares its memory: {}",
            untold(snapshot)
        );
        return LoopPremise { what, holds: None, found };
    }
    if others.is_empty() {
        return LoopPremise { what, holds: Some(true), found: "it is the only thread".to_owned() };
    }
    for other in &others {
        let (how, harmless) = match &other.activity {
            ThreadActivity::Running(registers) => match calls::interrupted_call(registers) {
                None => ("runs".to_owned(), false),
                Some(blocked) => sleeps(&blocked),
            },
            ThreadActivity::Blocked(blocked) => sleeps(blocked),
        };
        if !harmless || other.woke {
            let found = format!("thread {} ({}) {how}", other.id, other.name);
            return LoopPremise { what, holds: Some(false), found };
        }
    }
    let found = format!("{} others wait for threads of this process", others.len());
    LoopPremise { what, holds: Some(true), found }
}

/// The machine does not look at shared memory at all, so a proof never rests on it.
fn shared_memory_premise(snapshot: &ProcessSnapshot) -> LoopPremise {
    let what = "the loop reads no memory that others can write".to_owned();
    let clean = |m: &MemoryMapping| is_data_file(snapshot, m) && !m.clean.is_empty();
    let shared = snapshot.mappings.iter().filter(|m| is_mapping_outside(m) || clean(m)).count();
    // A read that is under way may end at any time, and fill a buffer that is not shared at all.
    let under_way = |m: &&MemoryMapping| m.name.contains("[aio]") || m.name.contains("[io_uring]");
    if let Some(mapping) = snapshot.mappings.iter().find(under_way) {
        let found = format!("the kernel may be reading into its memory ({})", mapping.name);
        return LoopPremise { what, holds: Some(false), found };
    }
    if let Some(file) = snapshot.circumstances.writers.first() {
        let found = format!("it has {file} open, through which others may write its memory");
        return LoopPremise { what, holds: Some(false), found };
    }
    let holds = snapshot.circumstances.known.then_some(true);
    let mut found = match shared {
        0 => "there is no such mapping".to_owned(),
        1 => "there is one such mapping, and the loop does not use it".to_owned(),
        _ => format!("there are {shared} such mappings, and the loop uses none of them"),
    };
    if holds.is_none() {
        found += &format!(
            "; whether anything else may write or remove memory (asynchronous reads, devices, \
             userfaultfd, MADV_FREE): {}",
            untold(snapshot)
        );
    }
    LoopPremise { what, holds, found }
}
