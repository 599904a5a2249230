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

use super::{
    ASKED_TO_END, GRACE, MemoryUsage, TICK, WatchedWorker, WorkerOutcome, note_signals,
    read_messages,
};
use crate::arguments::LimitArguments;
use crate::message::{WorkPhase, WorkerMessage, WorkerResult};
use crate::worker;

/// A worker's command, and how much it may use before it says something. Where others want the processor as well, it
/// may be silent much longer than that by the clock on the wall.
pub(crate) struct WorkerJob {
    pub(crate) arguments: Vec<OsString>,
    pub(crate) limits: LimitArguments,
    /// Before the first thing it says.
    pub(crate) first: Duration,
    /// Between two things.
    pub(crate) next: Duration,
}

/// How many others may want the processor before a worker is given up that makes no headway.
const OTHERS: u32 = 20;

/// How it ended.
pub(crate) enum WorkerEnding {
    /// It is done.
    Done(WorkerResult),
    /// It was stopped because its time was over; what it was doing.
    Late(String),
    /// It was stopped at another limit; which.
    Failed(String),
    /// It failed; how.
    Crashed(String),
    /// This process was asked to end.
    Signal(i32),
}

/// Runs a worker and hears what it says. It may be called from several threads.
pub(crate) fn listen_to_worker(
    job: &WorkerJob,
    mut hear: impl FnMut(WorkerMessage),
) -> io::Result<WorkerEnding> {
    note_signals()?;
    let folder = tempfile::Builder::new().prefix("ouro-").tempdir()?;
    // It is its silence that ends it; a day is just a number that is large enough.
    let day = Duration::from_secs(86_400);
    let mut child = Command::new(env::current_exe()?)
        .args(&job.arguments)
        .env(worker::VARIABLE, worker::WorkerLimits::to_environment(day))
        .env("TMPDIR", folder.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()?;
    let messages = read_messages(&mut child)?;
    let mut watched = WatchedWorker { child, peak: MemoryUsage::default() };
    // clang's time is seen only when it is done, so it is the wall that counts for it.
    let mut deadline = Instant::now() + job.first * OTHERS;
    let mut budget = job.first;
    let mut phase = WorkPhase::Compile;
    let heard = loop {
        let signal = ASKED_TO_END.load(Ordering::Relaxed);
        if signal != 0 {
            break WorkerEnding::Signal(signal);
        }
        let now = Instant::now();
        if now >= deadline {
            break WorkerEnding::Late(format!("the time was over while {}", phase.text()));
        }
        match messages.recv_timeout(TICK.min(deadline - now)) {
            Ok(WorkerMessage::Done(done)) => break WorkerEnding::Done(done),
            Ok(message) => {
                if let WorkerMessage::Phase(next) = &message {
                    phase = *next;
                }
                if matches!(message, WorkerMessage::Plan(..) | WorkerMessage::Judged(..)) {
                    deadline = Instant::now() + (job.next + GRACE) * OTHERS;
                    budget = watched.processor_time() + job.next + GRACE;
                }
                hear(message);
            }
            Err(RecvTimeoutError::Timeout) => {
                if watched.measure_usage().resident_mib > job.limits.memory {
                    break WorkerEnding::Failed(format!(
                        "it needs more than {} MiB",
                        job.limits.memory
                    ));
                }
                if watched.processor_time() > budget {
                    break WorkerEnding::Late(format!("the time was over while {}", phase.text()));
                }
            }
            Err(RecvTimeoutError::Disconnected) => match watched.child.try_wait() {
                Ok(None) => thread::sleep(Duration::from_millis(1)),
                Ok(Some(status)) => {
                    break match watched.outcome_of_end(
                        status,
                        &job.limits,
                        super::WorkerProgress::default(),
                    ) {
                        WorkerOutcome::Limit(reason, _) => WorkerEnding::Failed(reason.to_string()),
                        WorkerOutcome::Crash(how) => {
                            WorkerEnding::Crashed(format!("Ouro failed: {how}"))
                        }
                        WorkerOutcome::Done(done) => WorkerEnding::Done(done),
                        WorkerOutcome::Signal(signal) => WorkerEnding::Signal(signal),
                        // Only the one who starts a worker makes it a folder.
                        WorkerOutcome::NoFolder(bad) => WorkerEnding::Failed(bad.to_string()),
                    };
                }
                Err(error) => break WorkerEnding::Crashed(error.to_string()),
            },
        }
    };
    watched.stop();
    Ok(heard)
}
