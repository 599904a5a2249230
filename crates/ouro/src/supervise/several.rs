//! Workers that say several things, of which several run at once: those of a scan.

use std::env;
use std::ffi::OsString;
use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Stdio};
use std::sync::atomic::Ordering;
use std::sync::mpsc::RecvTimeoutError;
use std::thread;
use std::time::{Duration, Instant};

use super::{ASKED_TO_END, GRACE, Outcome, TICK, Usage, Watched, note_signals, read_messages};
use crate::arguments::LimitArguments;
use crate::message::{Done, Message};
use crate::worker;

/// A worker's command, and how long it may be silent.
pub(crate) struct Job {
    pub(crate) arguments: Vec<OsString>,
    pub(crate) limits: LimitArguments,
    /// Before the first thing it says.
    pub(crate) first: Duration,
    /// Between two things.
    pub(crate) next: Duration,
}

/// How it ended.
pub(crate) enum Heard {
    /// It is done.
    Done(Done),
    /// It was stopped at a limit, or failed; why.
    Failed(String),
    /// This process was asked to end.
    Signal(i32),
}

/// Runs a worker and hears what it says. It may be called from several threads.
pub(crate) fn listen(job: &Job, mut hear: impl FnMut(Message)) -> io::Result<Heard> {
    note_signals()?;
    let folder = tempfile::Builder::new().prefix("ouro-").tempdir()?;
    // It is its silence that ends it; a day is just a number that is large enough.
    let day = Duration::from_secs(86_400);
    let mut child = Command::new(env::current_exe()?)
        .args(&job.arguments)
        .env(worker::VARIABLE, worker::Limits::to_environment(day))
        .env("TMPDIR", folder.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()?;
    let messages = read_messages(&mut child)?;
    let mut watched = Watched { child, peak: Usage::default() };
    let mut deadline = Instant::now() + job.first;
    let heard = loop {
        let signal = ASKED_TO_END.load(Ordering::Relaxed);
        if signal != 0 {
            break Heard::Signal(signal);
        }
        let now = Instant::now();
        if now >= deadline {
            break Heard::Failed("the time was over".to_owned());
        }
        match messages.recv_timeout(TICK.min(deadline - now)) {
            Ok(Message::Done(done)) => break Heard::Done(done),
            Ok(message) => {
                if matches!(message, Message::Plan(..) | Message::Judged(..)) {
                    deadline = Instant::now() + job.next + GRACE;
                }
                hear(message);
            }
            Err(RecvTimeoutError::Timeout) => {
                if watched.look().resident_mib > job.limits.memory {
                    break Heard::Failed(format!("it needs more than {} MiB", job.limits.memory));
                }
            }
            Err(RecvTimeoutError::Disconnected) => match watched.child.try_wait() {
                Ok(None) => thread::sleep(Duration::from_millis(1)),
                Ok(Some(status)) => {
                    break match watched.ended(status, &job.limits, super::Known::default()) {
                        Outcome::Limit(reason, _) => Heard::Failed(reason.to_string()),
                        Outcome::Crash(how) => Heard::Failed(format!("Ouro failed: {how}")),
                        Outcome::Done(done) => Heard::Done(done),
                        Outcome::Signal(signal) => Heard::Signal(signal),
                    };
                }
                Err(error) => break Heard::Failed(error.to_string()),
            },
        }
    };
    watched.stop();
    Ok(heard)
}
