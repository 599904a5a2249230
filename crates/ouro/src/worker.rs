//! The second process: it does the work, under limits, and sends one message.

use std::env;
use std::fs::File;
use std::io;
use std::os::fd::AsFd as _;
use std::os::unix::process::parent_id;
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::prctl;
use nix::sys::resource::{Resource, setrlimit};
use nix::sys::signal::Signal;

use ouro_report::TextStyle;

use crate::arguments::{CommandLine, LimitArguments, OuroCommand};
use crate::message::{MessageSender, WorkerMessage, WorkerResult};
use crate::{attach, check, exit, scan, verify};

/// Marks the worker, and tells it its supervisor and how long the supervisor will wait: two numbers,
/// process id and milliseconds.
pub(crate) const VARIABLE: &str = "OURO_WORKER";

/// Tells the worker whether the report may have colours: it cannot see the terminal.
pub(crate) const STYLE: &str = "OURO_WORKER_STYLE";

/// The value of [`STYLE`] for a style.
pub(crate) fn style_word(style: TextStyle) -> &'static str {
    match style {
        TextStyle::Plain => "plain",
        TextStyle::Colour => "colour",
    }
}

/// The style that the supervisor asked for.
pub(crate) fn requested_style() -> TextStyle {
    match env::var(STYLE) {
        Ok(word) if word == style_word(TextStyle::Colour) => TextStyle::Colour,
        _ => TextStyle::Plain,
    }
}

/// Recursion over deeply nested programs and terms needs room; untouched pages cost nothing.
pub(crate) const STACK: usize = 1 << 30;

/// Address space beyond the memory that may be used: stacks, code, and what allocators reserve.
const SLACK_MIB: u64 = 3584;

/// What the worker may use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WorkerLimits {
    /// When it began.
    pub(crate) start: Instant,
    /// When the supervisor stops it.
    hard: Duration,
    supervisor: u32,
}

impl WorkerLimits {
    /// The limits that a supervisor set, if this process has one.
    pub(crate) fn from_environment() -> Option<WorkerLimits> {
        let start = Instant::now();
        let text = env::var(VARIABLE).ok()?;
        let (supervisor, milliseconds) = text.split_once(' ')?;
        let hard = Duration::from_millis(milliseconds.parse().ok()?);
        Some(WorkerLimits { start, hard, supervisor: supervisor.parse().ok()? })
    }

    /// The value of [`VARIABLE`] for a worker of this process.
    pub(crate) fn to_environment(remaining: Duration) -> String {
        format!("{} {}", std::process::id(), remaining.as_millis())
    }

    /// When the worker should have answered by itself: a little before it is stopped, so that the
    /// user gets its reason and not just the time.
    pub(crate) fn deadline(&self) -> Instant {
        let margin = (self.hard / 10).min(Duration::from_millis(500));
        self.start + (self.hard - margin)
    }
}

/// The most address space of a worker that may use so much memory, in MiB.
pub(crate) fn address_space_mib(memory_mib: u64) -> u64 {
    memory_mib.saturating_add(SLACK_MIB)
}

/// Does what the arguments ask, and sends the result.
pub(crate) fn run_as_worker(arguments: &CommandLine, limits: WorkerLimits) -> ExitCode {
    let mut sender =
        match confine_process(&arguments.limit_arguments(), limits.hard, limits.supervisor) {
            Ok(sender) => sender,
            Err(error) => {
                eprintln!("error: the worker cannot be set up: {error}");
                return ExitCode::from(exit::CRASH);
            }
        };
    let command = arguments.command.clone();
    if let OuroCommand::Check(_) | OuroCommand::Unit(_) | OuroCommand::Verify(_) = &command {
        // What is said must not depend on what else the machine does.
        ouro_solver::clock::count_processor_time();
    }
    if let OuroCommand::Check(_) | OuroCommand::Verify(_) = &command {
        ouro_solver::clock::end_at(limits.deadline());
    }
    if let Err(wrong) = ouro_check::solver_version() {
        let stderr = format!("error: {wrong}\n");
        let done = WorkerResult { code: exit::BAD_INPUT, stderr, ..WorkerResult::default() };
        let sent = sender.send(&WorkerMessage::Done(done));
        return ExitCode::from(if sent.is_ok() { 0 } else { exit::CRASH });
    }
    let worker = thread::Builder::new().name("worker".to_owned()).stack_size(STACK);
    let done = worker.spawn(move || {
        let done = match &command {
            OuroCommand::Check(asked) => check::check_in_worker(asked, &limits, &mut sender),
            OuroCommand::Attach(asked) => attach::attach_in_worker(asked, &limits, &mut sender),
            OuroCommand::Verify(asked) => verify::verify_in_worker(asked, &limits, &mut sender),
            OuroCommand::Unit(asked) => scan::scan_unit(asked, &limits, &mut sender),
            // They have no limits, and so no supervisor.
            OuroCommand::Run(_)
            | OuroCommand::Scan(_)
            | OuroCommand::Merge(_)
            | OuroCommand::Doctor
            | OuroCommand::Completions { .. }
            | OuroCommand::Man => WorkerResult { code: exit::CRASH, ..WorkerResult::default() },
        };
        sender.send(&WorkerMessage::Done(done))
    });
    // A panic has printed its message; a pipe without reader has nobody to tell.
    let code = match done.map(thread::JoinHandle::join) {
        Ok(Ok(Ok(()))) => 0,
        Ok(Ok(Err(_)) | Err(_)) => exit::CRASH,
        Err(error) => {
            eprintln!("error: the worker cannot be set up: {error}");
            exit::CRASH
        }
    };
    // Not a return: destructors of large structures would only take time.
    std::process::exit(i32::from(code))
}

/// Sets limits on this process and frees its standard output for the message.
fn confine_process(
    limits: &LimitArguments,
    hard: Duration,
    supervisor: u32,
) -> io::Result<MessageSender> {
    prctl::set_pdeathsig(Signal::SIGKILL)?;
    if parent_id() != supervisor {
        return Err(io::Error::other("its supervisor is gone"));
    }
    let bytes = address_space_mib(limits.memory) << 20;
    setrlimit(Resource::RLIMIT_AS, bytes, bytes)?;
    // Should everybody above clang be killed, it still ends some day.
    let seconds = hard.as_secs().saturating_mul(8).saturating_add(60);
    setrlimit(Resource::RLIMIT_CPU, seconds, seconds)?;
    // A crash is reported in words; gigabytes of memory image help nobody.
    setrlimit(Resource::RLIMIT_CORE, 0, 0)?;
    // The copy is closed on exec, so no compiler keeps the pipe open; and whatever a library prints
    // from now on is not taken for the message.
    let pipe = File::from(io::stdout().as_fd().try_clone_to_owned()?);
    nix::unistd::dup2_stdout(io::stderr())?;
    Ok(MessageSender::new(pipe))
}

impl CommandLine {
    fn limit_arguments(&self) -> LimitArguments {
        match &self.command {
            OuroCommand::Check(asked) => asked.limits,
            OuroCommand::Attach(asked) => asked.limits,
            OuroCommand::Verify(asked) => asked.limits,
            OuroCommand::Unit(asked) => asked.limits,
            OuroCommand::Run(_)
            | OuroCommand::Scan(_)
            | OuroCommand::Merge(_)
            | OuroCommand::Doctor
            | OuroCommand::Completions { .. }
            | OuroCommand::Man => LimitArguments { timeout: Duration::MAX, memory: 4096 },
        }
    }
}
