//! What could interfere with a loop: other threads, signals, timers, shared memory.

use ouro_process::{Activity, Blocked, Compared, Mapping, Snapshot, Source};

use crate::answer::Premise;
use crate::backing::outside;
use crate::calls;

/// The premises of a proof about one thread.
pub(crate) fn premises(snapshot: &Snapshot, thread: i32) -> Vec<Premise> {
    let mut all = interference(snapshot, thread);
    for (path, compared) in &snapshot.files {
        if *compared == Compared::NotCompared {
            all.push(Premise {
                what: format!("{} is the file that was mapped", path.display()),
                holds: None,
                found: "it has no build-id to compare".to_owned(),
            });
        }
    }
    if let Some(seconds) = snapshot.circumstances.cpu_limit {
        all.push(Premise {
            what: "no limit on CPU time ends it".to_owned(),
            holds: Some(false),
            found: format!("after {seconds} s of CPU time it gets SIGXCPU (`ulimit -t`)"),
        });
    }
    all
}

/// What could make the thread do something else than it would do alone.
pub(crate) fn interference(snapshot: &Snapshot, thread: i32) -> Vec<Premise> {
    let mut all = vec![threads(snapshot, thread), memory(snapshot)];
    all.extend(signals(snapshot));
    all.push(timers(snapshot));
    all
}

/// What a loop needs more of each time, and in practice does not get.
pub(crate) fn room(snapshot: &Snapshot, stack: u64, heap: u64) -> Vec<Premise> {
    let mut all = Vec::new();
    if stack > 0 {
        let limit = match snapshot.circumstances.stack_limit {
            Some(u64::MAX) => "no limit is set".to_owned(),
            Some(bytes) => format!("the limit is {} KiB", bytes >> 10),
            None => "the limit is not known".to_owned(),
        };
        let found =
            format!("in practice it overflows: each time it needs {stack} bytes more, and {limit}");
        all.push(Premise { what: "the stack has no end".to_owned(), holds: None, found });
    }
    if heap > 0 {
        let found = format!(
            "in practice it runs out: each time {heap} bytes more are allocated; memory that \
             malloc hands out is taken to be in use nowhere else"
        );
        all.push(Premise { what: "the heap has no end".to_owned(), holds: None, found });
    }
    all
}

/// Another thread may change what the loop reads, unless it can only be woken by the loop.
fn threads(snapshot: &Snapshot, thread: i32) -> Premise {
    let sleeps = |blocked: &Blocked| {
        (format!("sleeps in {}", calls::blocked(blocked)), calls::waits_for_us(blocked))
    };
    let what = "no other thread interferes".to_owned();
    let others: Vec<_> = snapshot.threads.iter().filter(|other| other.id != thread).collect();
    if let Some(other) = snapshot.circumstances.same_memory.first() {
        let found = format!("process {other} has the same memory (clone with CLONE_VM, or vfork)");
        return Premise { what, holds: Some(false), found };
    }
    if others.is_empty() {
        return Premise { what, holds: Some(true), found: "it is the only thread".to_owned() };
    }
    for other in &others {
        let (how, harmless) = match &other.activity {
            Activity::Running(registers) => match calls::interrupted(registers) {
                None => ("runs".to_owned(), false),
                Some(blocked) => sleeps(&blocked),
            },
            Activity::Blocked(blocked) => sleeps(blocked),
        };
        if !harmless || other.woke {
            let found = format!("thread {} ({}) {how}", other.id, other.name);
            return Premise { what, holds: Some(false), found };
        }
    }
    let found = format!("{} others wait for this process's own threads", others.len());
    Premise { what, holds: Some(true), found }
}

/// The machine does not look at shared memory at all, so a proof never rests on it.
fn memory(snapshot: &Snapshot) -> Premise {
    let what = "the loop reads no memory that others write".to_owned();
    let shared = snapshot.mappings.iter().filter(|m| outside(m)).count();
    // A read that is under way may end at any time, and fill a buffer that is not shared at all.
    let under_way = |m: &&Mapping| m.name.contains("[aio]") || m.name.contains("[io_uring]");
    if let Some(mapping) = snapshot.mappings.iter().find(under_way) {
        let found = format!("the kernel may be reading into its memory ({})", mapping.name);
        return Premise { what, holds: Some(false), found };
    }
    if let Some(file) = snapshot.circumstances.writers.first() {
        let found = format!("it has {file} open, by which others may write its memory");
        return Premise { what, holds: Some(false), found };
    }
    Premise {
        what,
        holds: Some(true),
        found: format!("{shared} such mappings exist, and the loop uses none"),
    }
}

const NAMES: [&str; 31] = [
    "SIGHUP",
    "SIGINT",
    "SIGQUIT",
    "SIGILL",
    "SIGTRAP",
    "SIGABRT",
    "SIGBUS",
    "SIGFPE",
    "SIGKILL",
    "SIGUSR1",
    "SIGSEGV",
    "SIGUSR2",
    "SIGPIPE",
    "SIGALRM",
    "SIGTERM",
    "SIGSTKFLT",
    "SIGCHLD",
    "SIGCONT",
    "SIGSTOP",
    "SIGTSTP",
    "SIGTTIN",
    "SIGTTOU",
    "SIGURG",
    "SIGXCPU",
    "SIGXFSZ",
    "SIGVTALRM",
    "SIGPROF",
    "SIGWINCH",
    "SIGIO",
    "SIGPWR",
    "SIGSYS",
];

fn names(set: u64) -> String {
    let all: Vec<String> = (0..64)
        .filter(|bit| set >> bit & 1 == 1)
        .map(|bit| {
            NAMES.get(bit).map_or_else(|| format!("signal {}", bit + 1), |n| (*n).to_owned())
        })
        .collect();
    all.join(", ")
}

fn signals(snapshot: &Snapshot) -> Vec<Premise> {
    let found = &snapshot.circumstances;
    let what = "no signal arrives".to_owned();
    if !found.known {
        let text = match snapshot.source {
            Source::Core(_) => "a core file does not tell",
            Source::Live => "they could not be seen",
        };
        return vec![Premise { what, holds: None, found: text.to_owned() }];
    }
    // Without a handler, these do nothing.
    let harmless = IGNORED & !found.caught;
    let waiting = Premise {
        what: "no signal waits to be delivered".to_owned(),
        holds: Some(found.pending & !harmless == 0),
        found: if found.pending == 0 { "none".to_owned() } else { names(found.pending) },
    };
    let handlers = if found.caught == 0 {
        "none has a handler".to_owned()
    } else {
        format!("handlers exist for {}", names(found.caught))
    };
    vec![waiting, Premise { what, holds: None, found: handlers }]
}

/// SIGCHLD, SIGCONT, SIGURG and SIGWINCH.
const IGNORED: u64 = 1 << 16 | 1 << 17 | 1 << 22 | 1 << 27;

/// SIGALRM, SIGVTALRM and SIGPROF, which interval timers send.
const TIMER_SIGNALS: u64 = 1 << 13 | 1 << 25 | 1 << 26;

fn timers(snapshot: &Snapshot) -> Premise {
    let what = "no timer interrupts it".to_owned();
    let found = &snapshot.circumstances;
    if !found.known {
        return Premise { what, holds: None, found: "they could not be seen".to_owned() };
    }
    if found.timers > 0 {
        let text = format!("{} POSIX timers exist", found.timers);
        return Premise { what, holds: Some(false), found: text };
    }
    let caught = found.caught & TIMER_SIGNALS;
    if caught != 0 {
        let text = format!("{} has a handler, and interval timers cannot be seen", names(caught));
        return Premise { what, holds: Some(false), found: text };
    }
    let found = "no POSIX timer, no handler for one; setitimer and alarm cannot be seen";
    Premise { what, holds: None, found: found.to_owned() }
}
