//! Signals and timers: what waits, what may come, and what has a handler.

use ouro_process::{ProcessCircumstances, ProcessSnapshot, SnapshotSource};

use ouro_evidence::process::LoopPremise;

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

/// Signals by their names.
pub(crate) fn signal_names(set: u64) -> Vec<String> {
    (0..64)
        .filter(|bit| set >> bit & 1 == 1)
        .map(|bit| {
            NAMES.get(bit).map_or_else(|| format!("signal {}", bit + 1), |n| (*n).to_owned())
        })
        .collect()
}

/// The premises of a proof about signals and timers.
pub(crate) fn signal_premises(snapshot: &ProcessSnapshot) -> Vec<LoopPremise> {
    let mut all = arrival_premises(snapshot);
    all.extend(announced_premises(snapshot));
    all.push(timer_premise(snapshot));
    all
}

fn arrival_premises(snapshot: &ProcessSnapshot) -> Vec<LoopPremise> {
    let found = &snapshot.circumstances;
    let what = "no signal arrives".to_owned();
    if !found.known {
        let text = match snapshot.source {
            SnapshotSource::Core(_) => {
                "a core file does not say which signals are pending or expected, nor which have a \
                 handler that may end the loop"
            }
            SnapshotSource::Live => "they could not be read",
        };
        return vec![LoopPremise { what, holds: None, found: text.to_owned() }];
    }
    // Without a handler, these do nothing.
    let harmless = IGNORED & !found.caught;
    let waiting = LoopPremise {
        what: "no signal is pending".to_owned(),
        holds: Some(found.pending & !harmless == 0),
        found: if found.pending == 0 {
            "none".to_owned()
        } else {
            signal_names(found.pending).join(", ")
        },
    };
    let handlers = if found.caught == 0 {
        "none has a handler".to_owned()
    } else {
        format!("handlers exist for {}", signal_names(found.caught).join(", "))
    };
    let text = format!(
        "{handlers}; whether it gets a signal when its parent exits cannot be determined \
         (PR_SET_PDEATHSIG)"
    );
    vec![waiting, LoopPremise { what, holds: None, found: text }]
}

/// What the kernel will send a signal about, if it comes to pass.
fn announced_premises(snapshot: &ProcessSnapshot) -> Vec<LoopPremise> {
    let found = &snapshot.circumstances;
    let mut all = Vec::new();
    if let (Some(child), true) = (found.children.first(), reaching_signals(found) & CHILD != 0) {
        let text = format!("process {child} is its child, and SIGCHLD has a handler");
        all.push(("none of its children exits", text));
    }
    // One that has no handler ends the process, or stops it.
    let arrives = |signal: u32| {
        let set = 1u64.checked_shl(signal.wrapping_sub(1)).unwrap_or(0);
        set & !found.blocked & !(IGNORED & !found.caught) != 0
    };
    if let Some((child, signal)) = found.parting.iter().find(|(_, signal)| arrives(*signal)) {
        let set = 1u64.checked_shl(signal.wrapping_sub(1)).unwrap_or(0);
        let text = format!(
            "process {child} is its child and sends {} when it exits",
            signal_names(set)[0]
        );
        all.push(("none of its children exits", text));
    }
    if let Some(file) = found.announced.first() {
        all.push(("no file sends it a signal", file.clone()));
    }
    let broken = |(what, found): (&str, String)| LoopPremise {
        what: what.to_owned(),
        holds: Some(false),
        found,
    };
    all.into_iter().map(broken).collect()
}

/// Signals whose handlers run if one is sent: those that some thread lets through. Left out are those that only an
/// instruction raises, unless somebody pretends it did, and the two that the C library keeps for itself.
pub(crate) fn reaching_signals(found: &ProcessCircumstances) -> u64 {
    found.caught & !found.blocked & !FAULTS & !INTERNAL
}

/// SIGILL, SIGTRAP, SIGBUS, SIGFPE and SIGSEGV, which instructions raise.
pub(crate) const FAULTS: u64 = 1 << 3 | 1 << 4 | 1 << 6 | 1 << 7 | 1 << 10;

/// Signals 32 and 33, by which threads are cancelled and change their user.
const INTERNAL: u64 = 1 << 31 | 1 << 32;

const CHILD: u64 = 1 << 16;

/// SIGCHLD, SIGCONT, SIGURG and SIGWINCH.
const IGNORED: u64 = 1 << 16 | 1 << 17 | 1 << 22 | 1 << 27;

/// SIGALRM, SIGVTALRM and SIGPROF, which interval timers send.
const TIMER_SIGNALS: u64 = 1 << 13 | 1 << 25 | 1 << 26;

/// What is said of a premise that nothing is known about.
pub(crate) fn untold(snapshot: &ProcessSnapshot) -> &'static str {
    match snapshot.source {
        SnapshotSource::Core(_) => "a core file does not say",
        SnapshotSource::Live => "this could not be read",
    }
}

fn timer_premise(snapshot: &ProcessSnapshot) -> LoopPremise {
    let what = "no timer interrupts it".to_owned();
    let found = &snapshot.circumstances;
    if !found.known {
        return LoopPremise { what, holds: None, found: untold(snapshot).to_owned() };
    }
    if found.timers > 0 {
        let text = match found.timers {
            1 => "a POSIX timer exists".to_owned(),
            many => format!("{many} POSIX timers exist"),
        };
        return LoopPremise { what, holds: Some(false), found: text };
    }
    let caught = found.caught & TIMER_SIGNALS;
    if caught != 0 {
        let text = format!(
            "{} has a handler, and interval timers cannot be inspected",
            signal_names(caught).join(", ")
        );
        return LoopPremise { what, holds: Some(false), found: text };
    }
    let mut text =
        "no POSIX timer and no handler for one; setitimer and alarm cannot be inspected".to_owned();
    // The kernel lists them, if it is asked by root, and does not say whose they are.
    match found.real_timers {
        Some(0) => text += ", but no real-time timer is running on this machine",
        Some(1) => text += ", and one real-time timer is running on this machine",
        Some(many) => text += &format!(", and {many} real-time timers are running on this machine"),
        None => {}
    }
    LoopPremise { what, holds: None, found: text }
}
