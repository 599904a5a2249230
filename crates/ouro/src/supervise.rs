//! The first process: it starts the worker, holds it to its limits, and hears what it says.
//!
//! A worker is its own process group, so that stopping it stops clang as well. It is stopped when
//! the time is over, when it uses too much memory, and when this process is asked to end; the
//! kernel stops it should this process be killed.

mod several;

use std::io::{self, BufRead as _, BufReader, Write as _};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::Path;
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use nix::libc::c_int;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, killpg, sigaction};
use nix::unistd::Pid;
use ouro_evidence::{SourcePlace, UnknownReason};
use ouro_report::TOOL_VERSION;
pub(crate) use several::{UnitHeard, UnitJob, listen_to_worker};

use crate::failure::Failure;
use crate::limits::LIMITS;
use crate::message::{PROTOCOL, Stage, WorkerAnswer, WorkerJob, WorkerMessage, WorkerRequest};
use crate::options::LimitOptions;
use crate::worker::WorkerProgram;
use crate::{exit, outputs, worker};

/// The command that makes `ouro` a worker.
const WORKER_COMMAND: &str = "worker";

/// What is known of a worker that has not answered.
#[derive(Default)]
pub(crate) struct WorkerProgress {
    /// What it is busy with.
    stage: Option<Stage>,
    /// Where the loops of its program are.
    pub(crate) loops: Vec<SourcePlace>,
}

impl WorkerProgress {
    pub(crate) fn stage(&self) -> Stage {
        self.stage.unwrap_or(Stage::Read)
    }
}

/// How a worker ended.
#[expect(clippy::large_enum_variant, reason = "there is one of it in a run")]
pub(crate) enum WorkerEnd {
    /// It answered.
    Answered(Result<WorkerAnswer, Failure>),
    /// It was stopped, or stopped itself, because of a limit.
    Limit(UnknownReason, WorkerProgress),
    /// It failed, or this process was asked to end.
    Failed(Failure),
}

/// What happens while a question is worked on.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ProgressEvent<'a> {
    /// The worker is at this stage; said again and again while it is.
    Stage(Stage),
    /// What is being tried, and how many seconds after the start.
    Attempt {
        /// Since the start.
        seconds: f64,
        /// In words.
        text: &'a str,
    },
}

/// Who is told what happens, and how texts look.
pub struct Listener<'a> {
    /// Whether texts may have colours.
    pub colour: bool,
    /// Whether every attempt is told.
    pub verbose: bool,
    /// Who is told.
    pub hear: &'a mut dyn FnMut(ProgressEvent<'_>),
}

/// Has a worker answer a question within its limits.
pub(crate) fn run_worker(
    program: &WorkerProgram,
    job: WorkerJob,
    start: Instant,
    listener: &mut Listener<'_>,
) -> WorkerEnd {
    if *program == WorkerProgram::InProcess && matches!(job, WorkerJob::Check(_)) {
        return WorkerEnd::Answered(worker::work_in_process(job));
    }
    match supervise_worker(program, job, start, listener) {
        Ok(end) => end,
        Err(failure) => WorkerEnd::Failed(failure),
    }
}

fn supervise_worker(
    program: &WorkerProgram,
    job: WorkerJob,
    start: Instant,
    listener: &mut Listener<'_>,
) -> Result<WorkerEnd, Failure> {
    let program = program.locate()?;
    let limits = worker::limits_of(&job);
    // clang's files lie here; a worker that is stopped cannot remove them.
    let folder = outputs::temporary_folder()?;
    let request = worker_request(job, limits.timeout, listener.colour, listener.verbose);
    let mut watched = WatchedWorker::start(&program, &request, folder.path(), Stdio::inherit())
        .map_err(|error| Failure::Internal(error.to_string()))?;
    let end = watch_worker(&mut watched, &limits, start, listener);
    watched.stop();
    Ok(end)
}

fn worker_request(job: WorkerJob, time: Duration, colour: bool, verbose: bool) -> WorkerRequest {
    WorkerRequest {
        protocol: PROTOCOL,
        tool_version: TOOL_VERSION.to_owned(),
        supervisor: std::process::id(),
        milliseconds: u64::try_from(time.as_millis()).unwrap_or(u64::MAX),
        colour,
        verbose,
        job,
    }
}

/// Waits for the worker until it answers, ends or meets a limit.
fn watch_worker(
    watched: &mut WatchedWorker,
    limits: &LimitOptions,
    start: Instant,
    listener: &mut Listener<'_>,
) -> WorkerEnd {
    let deadline = start + limits.timeout + LIMITS.worker_grace;
    let mut progress = WorkerProgress::default();
    loop {
        let signal = ASKED_TO_END.load(Ordering::Relaxed);
        if signal != 0 {
            return WorkerEnd::Failed(Failure::Interrupted(signal));
        }
        let now = Instant::now();
        if now >= deadline {
            return WorkerEnd::Limit(UnknownReason::Time { limit: limits.timeout }, progress);
        }
        match watched.messages.recv_timeout(LIMITS.worker_tick.min(deadline - now)) {
            Ok(Ok(WorkerMessage::Stage(next))) => {
                progress.stage = Some(next);
                (listener.hear)(ProgressEvent::Stage(next));
            }
            Ok(Ok(WorkerMessage::Attempt { seconds, text })) => {
                (listener.hear)(ProgressEvent::Attempt { seconds, text: &text });
            }
            Ok(Ok(WorkerMessage::Loops(places))) => progress.loops = places,
            Ok(Ok(WorkerMessage::Done(answer))) => return WorkerEnd::Answered(*answer),
            Ok(Ok(WorkerMessage::Hello { .. })) => {}
            Ok(Ok(
                message @ (WorkerMessage::Plan(_)
                | WorkerMessage::Judged { .. }
                | WorkerMessage::Certificate { .. }),
            )) => {
                let what = format!("unexpected message from the worker: {message:?}");
                return WorkerEnd::Failed(Failure::Internal(what));
            }
            Ok(Err(wrong)) => return WorkerEnd::Failed(Failure::Internal(wrong)),
            Err(RecvTimeoutError::Timeout) => {
                (listener.hear)(ProgressEvent::Stage(progress.stage()));
                if watched.measure_usage().resident_mib > limits.memory {
                    return WorkerEnd::Limit(
                        UnknownReason::Memory { mib: limits.memory },
                        progress,
                    );
                }
            }
            // It closed its pipe without an answer: it is ending.
            Err(RecvTimeoutError::Disconnected) => match watched.child.try_wait() {
                Ok(None) => thread::sleep(Duration::from_millis(1)),
                Ok(Some(status)) => return watched.outcome_of_end(status, limits, progress),
                Err(error) => return WorkerEnd::Failed(Failure::Internal(error.to_string())),
            },
        }
    }
}

/// The worker, and the most it was seen to use.
struct WatchedWorker {
    child: Child,
    messages: Receiver<Result<WorkerMessage, String>>,
    peak: MemoryUsage,
}

/// Memory, in MiB.
#[derive(Clone, Copy, Default)]
struct MemoryUsage {
    resident_mib: u64,
    address_space_mib: u64,
}

impl WatchedWorker {
    /// Starts a worker and hands it its request.
    fn start(
        program: &Path,
        request: &WorkerRequest,
        folder: &Path,
        stderr: Stdio,
    ) -> io::Result<WatchedWorker> {
        let mut child = Command::new(program)
            .arg(WORKER_COMMAND)
            .env("TMPDIR", folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(stderr)
            .process_group(0)
            .spawn()?;
        let text = serde_json::to_string(request)?;
        if let Some(mut stdin) = child.stdin.take() {
            // One that does not read it ends, and its exit status tells why.
            let _ = stdin.write_all(text.as_bytes());
        }
        let messages = read_messages(&mut child)?;
        Ok(WatchedWorker { child, messages, peak: MemoryUsage::default() })
    }

    /// Looks at what the worker uses now.
    fn measure_usage(&mut self) -> MemoryUsage {
        let statm = std::fs::read_to_string(format!("/proc/{}/statm", self.child.id()));
        // Pages of 4 KiB: Ouro runs on x86-64.
        let mut mib = statm.iter().flat_map(|text| text.split_whitespace()).map(|word| {
            let pages: u64 = word.parse().unwrap_or(0);
            pages / 256
        });
        let address_space_mib = mib.next().unwrap_or(0);
        let resident_mib = mib.next().unwrap_or(0);
        self.peak = MemoryUsage {
            resident_mib: self.peak.resident_mib.max(resident_mib),
            address_space_mib: self.peak.address_space_mib.max(address_space_mib),
        };
        MemoryUsage { resident_mib, address_space_mib }
    }

    /// What processors have spent on the worker and on what it has waited for.
    fn processor_time(&self) -> Duration {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id()));
        let stat = stat.unwrap_or_default();
        // The name of the program, in brackets, may have anything in it.
        let rest = stat.rsplit(')').next().unwrap_or_default();
        let ticks =
            rest.split_whitespace().skip(11).take(4).filter_map(|word| word.parse::<u64>().ok());
        // Hundredths of a second, on every Linux that Ouro runs on.
        Duration::from_millis(ticks.sum::<u64>() * 10)
    }

    /// What it means that the worker ended without an answer.
    fn outcome_of_end(
        &self,
        status: ExitStatus,
        limits: &LimitOptions,
        known: WorkerProgress,
    ) -> WorkerEnd {
        let children = getrusage(UsageWho::RUSAGE_CHILDREN).map_or(0, |usage| usage.max_rss());
        let resident = self.peak.resident_mib.max(u64::try_from(children).unwrap_or(0) / 1024);
        let space = worker::address_space_mib(limits.memory);
        // A library that cannot allocate aborts or worse; nobody but the kernel sends SIGKILL.
        let out_of_memory = status.code() == Some(i32::from(exit::OUT_OF_MEMORY))
            || status.signal() == Some(Signal::SIGKILL as i32)
            || status.signal().is_some()
                && (resident >= limits.memory / 10 * 9
                    || self.peak.address_space_mib >= space / 20 * 19);
        if out_of_memory {
            return WorkerEnd::Limit(UnknownReason::Memory { mib: limits.memory }, known);
        }
        let stage = known.stage();
        let signal = status.signal().and_then(|number| Signal::try_from(number).ok());
        WorkerEnd::Failed(Failure::Internal(match signal {
            Some(signal) => format!("the worker was killed by {signal} while {}", stage.text()),
            None => format!("the worker ended with {status} while {}", stage.text()),
        }))
    }

    /// Ends the worker and all that it started.
    fn stop(&mut self) {
        if let Ok(id) = i32::try_from(self.child.id()) {
            // A group that is gone already is as good.
            let _ = killpg(Pid::from_raw(id), Signal::SIGKILL);
        }
        let _ = self.child.wait();
    }
}

/// Reads the worker's messages on a thread of its own, until the pipe is closed. What is no message, or one of another
/// protocol, is an error. Only a line that is cut short is none: its worker died in it, and its exit status tells.
fn read_messages(child: &mut Child) -> io::Result<Receiver<Result<WorkerMessage, String>>> {
    let (sender, receiver) = mpsc::channel();
    let pipe = child.stdout.take().ok_or_else(|| io::Error::other("the worker has no pipe"))?;
    thread::Builder::new().spawn(move || {
        let mut pipe = BufReader::new(pipe);
        let mut is_known = false;
        let mut line = String::new();
        while pipe.read_line(&mut line).is_ok_and(|length| length > 0) && line.ends_with('\n') {
            let message = read_message(&line, &mut is_known);
            let is_wrong = message.is_err();
            if sender.send(message).is_err() || is_wrong {
                break;
            }
            line.clear();
        }
    })?;
    Ok(receiver)
}

/// One message; the first says who speaks.
fn read_message(line: &str, is_known: &mut bool) -> Result<WorkerMessage, String> {
    let message: WorkerMessage = serde_json::from_str(line).map_err(|error| {
        let start: String = line.chars().take(80).collect();
        format!("the worker sent an unreadable message ({error}): {}", start.trim_end())
    })?;
    match &message {
        WorkerMessage::Hello { protocol: PROTOCOL, .. } => *is_known = true,
        WorkerMessage::Hello { protocol, tool_version } => {
            return Err(format!(
                "the worker is Ouro {tool_version} with protocol {protocol}, but protocol \
                 {PROTOCOL} is needed; reinstall Ouro"
            ));
        }
        _ if *is_known => {}
        other => return Err(format!("the worker did not introduce itself, but sent {other:?}")),
    }
    Ok(message)
}

/// The signal that asks this process to end, or 0.
static ASKED_TO_END: AtomicI32 = AtomicI32::new(0);

/// Ctrl-C goes to this process only, since the worker has a group of its own. It is noted and acted
/// on when the worker is looked at next.
pub(crate) fn note_signals() -> io::Result<()> {
    extern "C" fn note(signal: c_int) {
        ASKED_TO_END.store(signal, Ordering::Relaxed);
    }
    // A second Ctrl-C ends this process at once.
    let action = SigAction::new(SigHandler::Handler(note), SaFlags::SA_RESETHAND, SigSet::empty());
    for signal in [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP, Signal::SIGQUIT] {
        // SAFETY: the handler only stores a number.
        unsafe { sigaction(signal, &action) }?;
    }
    Ok(())
}

/// Ends this process as the signal would have; its handler is reset by now.
pub(crate) fn end_by_signal(signal: c_int) -> ExitCode {
    if let Ok(signal) = Signal::try_from(signal) {
        let _ = nix::sys::signal::raise(signal);
    }
    ExitCode::from(exit::CRASH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_message_is_an_error() {
        let hello = WorkerMessage::Hello { protocol: PROTOCOL, tool_version: String::new() };
        let hello = serde_json::to_string(&hello).unwrap();
        let stage = serde_json::to_string(&WorkerMessage::Stage(Stage::Prove)).unwrap();
        let mut is_known = false;
        assert!(read_message(&stage, &mut is_known).is_err(), "nobody said who speaks");
        assert!(read_message(&hello.replace('1', "9"), &mut is_known).is_err());
        assert!(read_message(&hello, &mut is_known).is_ok());
        assert_eq!(read_message(&stage, &mut is_known), Ok(WorkerMessage::Stage(Stage::Prove)));
        for line in ["", "{}", "{\"Stage\":\"Explore\"}", "a library prints this", "null"] {
            assert!(read_message(line, &mut is_known).is_err(), "{line}");
        }
    }
}
