//! The first process: it starts the worker, holds it to its limits, and does what it asks.
//!
//! A worker is its own process group, so that stopping it stops clang as well. It is stopped when
//! the time is over, when it uses too much memory, and when this process is asked to end; the
//! kernel stops it should this process be killed.

mod progress;
mod several;

use std::env;
use std::io::{self, BufRead as _, BufReader, IsTerminal as _, Write as _};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
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
use ouro_report::TextStyle;
use progress::ProgressLine;
pub(crate) use several::{WorkerEnding, WorkerJob, listen_to_worker};

use crate::arguments::{
    AttachArguments, CheckArguments, LimitArguments, OutputFormat, VerifyArguments,
};
use crate::check::{slow_clang_message, undecided_check};
use crate::exit::BadInput;
use crate::message::{WorkPhase, WorkerMessage, WorkerResult};
use crate::sources::{self, SubjectKind};
use crate::{attach, exit, formats, outputs, worker};

/// How long after the deadline the worker is stopped: it may be about to answer.
const GRACE: Duration = Duration::from_millis(250);

/// How often the worker's memory is looked at.
const TICK: Duration = Duration::from_millis(50);

/// What is known of a worker that has not answered.
#[derive(Default)]
struct WorkerProgress {
    /// What it is busy with.
    phase: Option<WorkPhase>,
    /// Where the loops of its program are.
    loops: Vec<SourcePlace>,
}

impl WorkerProgress {
    fn phase(&self) -> WorkPhase {
        self.phase.unwrap_or(WorkPhase::Compile)
    }
}

/// How a worker ended.
enum WorkerOutcome {
    /// It did its work.
    Done(WorkerResult),
    /// It was stopped, or stopped itself, because of a limit.
    Limit(UnknownReason, WorkerProgress),
    /// It failed.
    Crash(String),
    /// This process was asked to end.
    Signal(c_int),
    /// There is no place for temporary files.
    NoFolder(BadInput),
}

/// `ouro check`
pub(crate) fn supervise_check(asked: &CheckArguments) -> ExitCode {
    let start = Instant::now();
    let kind = sources::subject_kind(&asked.program.files);
    match run_worker(&asked.limits, start) {
        Ok(WorkerOutcome::Done(done)) => finish_with_result(&formats::add_formats(asked, done)),
        Ok(WorkerOutcome::Limit(reason, known)) => {
            let note = match reason {
                UnknownReason::Time { limit }
                    if kind == Ok(SubjectKind::Program) && known.phase() == WorkPhase::Compile =>
                {
                    slow_clang_message(limit)
                }
                _ => String::new(),
            };
            let done =
                undecided_check(asked, reason, &known.loops, start.elapsed(), terminal_style());
            let stderr = note + &done.stderr;
            finish_with_result(&formats::add_formats(asked, WorkerResult { stderr, ..done }))
        }
        Ok(WorkerOutcome::Crash(how)) => print_crash(&how),
        Ok(WorkerOutcome::Signal(signal)) => end_by_signal(signal),
        Ok(WorkerOutcome::NoFolder(what)) => print_refusal(&what),
        Err(error) => print_crash(&error.to_string()),
    }
}

/// `ouro attach`
pub(crate) fn supervise_attach(asked: &AttachArguments) -> ExitCode {
    let pid = match attach::choose_process(asked) {
        Ok(pid) => pid,
        Err(bad) => {
            eprintln!("{bad}");
            return ExitCode::from(exit::BAD_INPUT);
        }
    };
    if let Some(pid) = pid {
        // SAFETY: no other thread runs yet.
        unsafe { env::set_var(attach::CHOSEN, pid.to_string()) };
    }
    match run_worker(&asked.limits, Instant::now()) {
        Ok(WorkerOutcome::Done(done)) => finish_with_result(&done),
        Ok(WorkerOutcome::Limit(reason, _)) => {
            let stdout = match asked.format {
                OutputFormat::Text => format!("not proven: {reason}\n"),
                OutputFormat::Json => {
                    let reason = reason.to_string();
                    format!("{:#}\n", serde_json::json!({ "verdict": "unknown", "reason": reason }))
                }
            };
            finish_with_result(&WorkerResult {
                code: exit::UNKNOWN,
                stdout,
                ..WorkerResult::default()
            })
        }
        Ok(WorkerOutcome::Crash(how)) => print_crash(&how),
        Ok(WorkerOutcome::Signal(signal)) => end_by_signal(signal),
        Ok(WorkerOutcome::NoFolder(what)) => print_refusal(&what),
        Err(error) => print_crash(&error.to_string()),
    }
}

/// `ouro verify`
pub(crate) fn supervise_verify(asked: &VerifyArguments) -> ExitCode {
    match run_worker(&asked.limits, Instant::now()) {
        Ok(WorkerOutcome::Done(done)) => finish_with_result(&done),
        Ok(WorkerOutcome::Limit(reason, _)) => {
            let stdout = format!("not decided: {reason}\n");
            finish_with_result(&WorkerResult {
                code: exit::UNKNOWN,
                stdout,
                ..WorkerResult::default()
            })
        }
        Ok(WorkerOutcome::Crash(how)) => print_crash(&how),
        Ok(WorkerOutcome::Signal(signal)) => end_by_signal(signal),
        Ok(WorkerOutcome::NoFolder(what)) => print_refusal(&what),
        Err(error) => print_crash(&error.to_string()),
    }
}

/// Whether reports may have colours: asked here because the worker's output is a pipe.
pub(crate) fn terminal_style() -> TextStyle {
    let refused = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let dumb = env::var_os("TERM").is_none_or(|term| term == "dumb");
    if io::stdout().is_terminal() && !refused && !dumb {
        TextStyle::Colour
    } else {
        TextStyle::Plain
    }
}

fn finish_with_result(done: &WorkerResult) -> ExitCode {
    if let Err(message) = outputs::write_all(&done.files) {
        eprintln!("{message}");
        return ExitCode::from(exit::BAD_INPUT);
    }
    let _ = io::stderr().write_all(done.stderr.as_bytes());
    outputs::print_and_exit(done.stdout.as_bytes(), done.code)
}

fn print_refusal(bad: &BadInput) -> ExitCode {
    eprintln!("{bad}");
    ExitCode::from(exit::BAD_INPUT)
}

fn print_crash(how: &str) -> ExitCode {
    eprintln!("error: Ouro failed: {how}; this is a mistake in Ouro, please report it");
    ExitCode::from(exit::CRASH)
}

/// Runs a worker with the arguments of this process.
fn run_worker(limits: &LimitArguments, start: Instant) -> io::Result<WorkerOutcome> {
    note_signals()?;
    // clang's files lie here; a worker that is stopped cannot remove them.
    let folder = match outputs::temporary_folder() {
        Ok(folder) => folder,
        Err(bad) => return Ok(WorkerOutcome::NoFolder(bad)),
    };
    let mut child = Command::new(env::current_exe()?)
        .args(env::args_os().skip(1))
        .env(worker::VARIABLE, worker::WorkerLimits::to_environment(limits.timeout))
        .env(worker::STYLE, worker::style_word(terminal_style()))
        .env("TMPDIR", folder.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .process_group(0)
        .spawn()?;
    let messages = read_messages(&mut child)?;
    let mut watched = WatchedWorker { child, peak: MemoryUsage::default() };
    let outcome = watch_worker(&mut watched, &messages, limits, start);
    watched.stop();
    Ok(outcome)
}

/// Waits for the worker until it answers, ends or meets a limit.
fn watch_worker(
    watched: &mut WatchedWorker,
    messages: &Receiver<WorkerMessage>,
    limits: &LimitArguments,
    start: Instant,
) -> WorkerOutcome {
    let deadline = start + limits.timeout + GRACE;
    let mut known = WorkerProgress::default();
    let mut progress = ProgressLine::new(start);
    loop {
        let signal = ASKED_TO_END.load(Ordering::Relaxed);
        if signal != 0 {
            return WorkerOutcome::Signal(signal);
        }
        let now = Instant::now();
        if now >= deadline {
            return WorkerOutcome::Limit(UnknownReason::Time { limit: limits.timeout }, known);
        }
        match messages.recv_timeout(TICK.min(deadline - now)) {
            Ok(WorkerMessage::Phase(next)) => {
                known.phase = Some(next);
                progress.show(next);
            }
            Ok(WorkerMessage::Loops(places)) => known.loops = places,
            // Only workers of a scan have more than one thing to say.
            Ok(
                WorkerMessage::Plan(..)
                | WorkerMessage::Judged(..)
                | WorkerMessage::Certificate(..),
            ) => {}
            Ok(WorkerMessage::Done(done)) => return WorkerOutcome::Done(done),
            Err(RecvTimeoutError::Timeout) => {
                progress.show(known.phase());
                if watched.measure_usage().resident_mib > limits.memory {
                    return WorkerOutcome::Limit(
                        UnknownReason::Memory { mib: limits.memory },
                        known,
                    );
                }
            }
            // It closed its pipe without an answer: it is ending.
            Err(RecvTimeoutError::Disconnected) => match watched.child.try_wait() {
                Ok(None) => thread::sleep(Duration::from_millis(1)),
                Ok(Some(status)) => return watched.outcome_of_end(status, limits, known),
                Err(error) => return WorkerOutcome::Crash(error.to_string()),
            },
        }
    }
}

/// The worker, and the most it was seen to use.
struct WatchedWorker {
    child: Child,
    peak: MemoryUsage,
}

/// Memory, in MiB.
#[derive(Clone, Copy, Default)]
struct MemoryUsage {
    resident_mib: u64,
    address_space_mib: u64,
}

impl WatchedWorker {
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
        limits: &LimitArguments,
        known: WorkerProgress,
    ) -> WorkerOutcome {
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
            return WorkerOutcome::Limit(UnknownReason::Memory { mib: limits.memory }, known);
        }
        let phase = known.phase();
        let signal = status.signal().and_then(|number| Signal::try_from(number).ok());
        WorkerOutcome::Crash(match signal {
            Some(signal) => format!("the worker was ended by {signal} while {}", phase.text()),
            None => format!("the worker ended with {status} while {}", phase.text()),
        })
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

/// Reads the worker's messages on a thread of its own, until the pipe is closed.
fn read_messages(child: &mut Child) -> io::Result<Receiver<WorkerMessage>> {
    let (sender, receiver) = mpsc::channel();
    let pipe = child.stdout.take().ok_or_else(|| io::Error::other("the worker has no pipe"))?;
    thread::Builder::new().spawn(move || {
        for line in BufReader::new(pipe).lines().map_while(Result::ok) {
            // A line cut short is a worker that died in it: its exit status tells.
            let Ok(message) = serde_json::from_str(&line) else { break };
            if sender.send(message).is_err() {
                break;
            }
        }
    })?;
    Ok(receiver)
}

/// The signal that asks this process to end, or 0.
static ASKED_TO_END: AtomicI32 = AtomicI32::new(0);

/// Ctrl-C goes to this process only, since the worker has a group of its own. It is noted and acted
/// on when the worker is looked at next.
fn note_signals() -> io::Result<()> {
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
