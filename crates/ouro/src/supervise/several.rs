//! Workers that say several things, of which several run at once: those of a scan.

use std::path::Path;
use std::process::Stdio;
use std::sync::atomic::Ordering;
use std::sync::mpsc::RecvTimeoutError;
use std::thread;
use std::time::{Duration, Instant};

use super::{ASKED_TO_END, WatchedWorker, WorkerEnd, WorkerProgress, worker_request};
use crate::failure::Failure;
use crate::limits::LIMITS;
use crate::message::{Stage, UnitEnd, WorkerAnswer, WorkerJob, WorkerMessage};
use crate::outputs;
use crate::scan::options::UnitOptions;

/// A worker's job, and how much it may use before it says something. Where others want the processor as well, it
/// may be silent much longer than that by the clock on the wall.
pub(crate) struct UnitJob<'a> {
    pub(crate) program: &'a Path,
    pub(crate) options: UnitOptions,
    /// Before the first thing it says.
    pub(crate) first: Duration,
    /// Between two things.
    pub(crate) next: Duration,
}

/// How it ended.
pub(crate) enum UnitHeard {
    /// It is done.
    Done(UnitEnd),
    /// It refused the file; why.
    Refused(String),
    /// It was stopped because it ran out of time; what it was doing.
    Late(String),
    /// It was stopped at another limit; which.
    Limited(String),
    /// It failed; how.
    Crashed(String),
    /// This process was asked to end.
    Signal(i32),
}

/// Runs a worker and hears what it says. It may be called from several threads.
pub(crate) fn listen_to_worker(job: &UnitJob<'_>, hear: impl FnMut(WorkerMessage)) -> UnitHeard {
    match try_to_listen(job, hear) {
        Ok(heard) => heard,
        Err(failure) => heard_of(failure),
    }
}

fn heard_of(failure: Failure) -> UnitHeard {
    match failure {
        Failure::BadInput(what) => UnitHeard::Refused(what),
        Failure::Internal(how) => UnitHeard::Crashed(format!("Ouro failed: {how}")),
        Failure::Interrupted(signal) => UnitHeard::Signal(signal),
    }
}

fn try_to_listen(
    job: &UnitJob<'_>,
    mut hear: impl FnMut(WorkerMessage),
) -> Result<UnitHeard, Failure> {
    let folder = outputs::temporary_folder()?;
    // It is its silence that ends it; a day is just a number that is large enough.
    let day = Duration::from_secs(86_400);
    let request = worker_request(WorkerJob::Unit(job.options.clone()), day, false, false);
    let limits = job.options.limits;
    let mut watched = WatchedWorker::start(job.program, &request, folder.path(), Stdio::null())
        .map_err(|error| Failure::Internal(error.to_string()))?;
    // clang's time is seen only when it is done, so it is the wall that counts for it.
    let mut deadline = Instant::now() + job.first * LIMITS.other_processes;
    let mut budget = job.first;
    let mut stage = Stage::Read;
    let heard = loop {
        let signal = ASKED_TO_END.load(Ordering::Relaxed);
        if signal != 0 {
            break UnitHeard::Signal(signal);
        }
        let now = Instant::now();
        if now >= deadline {
            break UnitHeard::Late(format!("out of time while {}", stage.text()));
        }
        match watched.messages.recv_timeout(LIMITS.worker_tick.min(deadline - now)) {
            Ok(Ok(WorkerMessage::Done(answer))) => break heard_at_the_end(*answer),
            Ok(Ok(message)) => {
                if let WorkerMessage::Stage(next) = &message {
                    stage = *next;
                }
                if matches!(message, WorkerMessage::Plan(_) | WorkerMessage::Judged { .. }) {
                    deadline =
                        Instant::now() + (job.next + LIMITS.worker_grace) * LIMITS.other_processes;
                    budget = watched.processor_time() + job.next + LIMITS.worker_grace;
                }
                hear(message);
            }
            Ok(Err(wrong)) => break UnitHeard::Crashed(format!("Ouro failed: {wrong}")),
            Err(RecvTimeoutError::Timeout) => {
                if watched.measure_usage().resident_mib > limits.memory {
                    break UnitHeard::Limited(format!(
                        "it needs more than {} MiB of memory \
                         (--memory)",
                        limits.memory
                    ));
                }
                if watched.processor_time() > budget {
                    break UnitHeard::Late(format!("out of time while {}", stage.text()));
                }
            }
            Err(RecvTimeoutError::Disconnected) => match watched.child.try_wait() {
                Ok(None) => thread::sleep(Duration::from_millis(1)),
                Ok(Some(status)) => {
                    break match watched.outcome_of_end(status, &limits, WorkerProgress::default()) {
                        WorkerEnd::Limit(reason, _) => UnitHeard::Limited(reason.to_string()),
                        WorkerEnd::Failed(failure) => heard_of(failure),
                        WorkerEnd::Answered(answer) => heard_at_the_end(answer),
                    };
                }
                Err(error) => break UnitHeard::Crashed(error.to_string()),
            },
        }
    };
    watched.stop();
    Ok(heard)
}

fn heard_at_the_end(answer: Result<WorkerAnswer, Failure>) -> UnitHeard {
    match answer {
        Ok(WorkerAnswer::Unit(end)) => UnitHeard::Done(end),
        Ok(_) => UnitHeard::Crashed(
            "internal error: the worker answered a different \
             question"
                .to_owned(),
        ),
        Err(failure) => heard_of(failure),
    }
}
