//! The second process: it does the work, under limits, and answers with one message. And which program that is.

use std::env;
use std::fs::File;
use std::io::{self, Read as _};
use std::os::fd::AsFd as _;
use std::os::unix::process::parent_id;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::prctl;
use nix::sys::resource::{Resource, setrlimit};
use nix::sys::signal::Signal;
use ouro_report::{TOOL_VERSION, TextStyle};

use crate::exit::BadInput;
use crate::failure::Failure;
use crate::limits::LIMITS;
use crate::message::{
    MessageSender, PROTOCOL, WorkerAnswer, WorkerJob, WorkerMessage, WorkerRequest,
};
use crate::options::LimitOptions;
use crate::{attach, check, exit, scan, verbose, verify};

/// Recursion over deeply nested programs and terms needs room; untouched pages cost nothing.
pub(crate) const STACK: usize = 1 << 30;

/// Which program does the work. A solver or clang may ignore every limit it was given, and only a process can really
/// be stopped; so the work is done by the program `ouro`, as a second process.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum WorkerProgram {
    /// The program `ouro` beside this one, one folder above it, or on `PATH`. In `ouro` itself: the same program again.
    #[default]
    Found,
    /// This one. It has to be the same version of `ouro`.
    At(PathBuf),
    /// No other program: [`check`](crate::check()) works in the process that calls it. Then the limits hold only as far
    /// as a solver keeps to them, memory is not limited, and a crash of a solver is one of the caller. Other commands
    /// refuse this.
    InProcess,
}

/// The program that this process is, if it is `ouro`.
static OURO: OnceLock<PathBuf> = OnceLock::new();

/// Says that this process is the program `ouro`.
pub(crate) fn is_ouro() -> io::Result<()> {
    let _ = OURO.set(env::current_exe()?);
    Ok(())
}

impl WorkerProgram {
    /// The file of the program.
    pub(crate) fn locate(&self) -> Result<PathBuf, BadInput> {
        match self {
            WorkerProgram::At(path) => return Ok(path.clone()),
            WorkerProgram::InProcess => {
                let what = "only `check` can run without a worker process";
                return Err(BadInput(what.to_owned()));
            }
            WorkerProgram::Found => {}
        }
        if let Some(path) = OURO.get() {
            return Ok(path.clone());
        }
        let own = env::current_exe().unwrap_or_default();
        let near = own.ancestors().skip(1).take(2).map(Path::to_owned);
        let path = env::var_os("PATH").unwrap_or_default();
        let mut candidates = near.chain(env::split_paths(&path)).map(|folder| folder.join("ouro"));
        candidates.find(|file| file.is_file() && *file != own).ok_or_else(|| {
            let what =
                "cannot find the program `ouro`, which does the work, beside this program or on \
                 PATH";
            BadInput(what.to_owned())
        })
    }
}

/// What the worker may use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JobLimits {
    /// When it began.
    pub(crate) start: Instant,
    /// When the supervisor stops it.
    hard: Duration,
    /// How text is written.
    pub(crate) style: TextStyle,
}

impl JobLimits {
    /// When the worker should have answered by itself: a little before it is stopped, so that the
    /// user gets its reason and not just the time.
    pub(crate) fn deadline(&self) -> Instant {
        let margin = (self.hard / 10).min(Duration::from_millis(500));
        self.start + (self.hard - margin)
    }
}

/// The most address space of a worker that may use so much memory, in MiB.
pub(crate) fn address_space_mib(memory_mib: u64) -> u64 {
    memory_mib.saturating_add(LIMITS.address_space_slack_mib)
}

/// Does what the request on standard input asks, and sends the result.
pub(crate) fn run_as_worker() -> ExitCode {
    let start = Instant::now();
    let refuse = |error: &dyn std::fmt::Display| {
        eprintln!("error: cannot set up the worker: {error}");
        ExitCode::from(exit::CRASH)
    };
    let mut text = String::new();
    if let Err(error) = io::stdin().read_to_string(&mut text) {
        return refuse(&error);
    }
    let request: WorkerRequest = match serde_json::from_str(&text) {
        Ok(request) => request,
        Err(error) => return refuse(&format!("cannot read the request: {error}")),
    };
    if request.protocol != PROTOCOL || request.tool_version != TOOL_VERSION {
        let WorkerRequest { protocol, tool_version, .. } = request;
        return refuse(&format!(
            "this is Ouro {TOOL_VERSION} with protocol {PROTOCOL}, but the request is from Ouro \
             {tool_version} with protocol {protocol}; reinstall Ouro"
        ));
    }
    let hard = Duration::from_millis(request.milliseconds);
    let sender = match confine_process(&limits_of(&request.job), hard, request.supervisor) {
        Ok(sender) => sender,
        Err(error) => return refuse(&error),
    };
    let hello = WorkerMessage::Hello { protocol: PROTOCOL, tool_version: TOOL_VERSION.to_owned() };
    if let Err(error) = sender.send(&hello) {
        return refuse(&error);
    }
    if request.verbose {
        verbose::begin(sender.clone());
    }
    let style = if request.colour { TextStyle::Colour } else { TextStyle::Plain };
    let limits = JobLimits { start, hard, style };
    if let WorkerJob::Check(_) | WorkerJob::Unit(_) | WorkerJob::Verify(_) = &request.job {
        // What is said must not depend on what else the machine does.
        ouro_solver::clock::count_processor_time();
    }
    if let WorkerJob::Check(_) | WorkerJob::Verify(_) = &request.job {
        ouro_solver::clock::end_at(limits.deadline());
    }
    let answer = answer_on_large_stack(request.job, limits, sender.clone());
    let code = match answer {
        Ok(answer) => match sender.send(&WorkerMessage::Done(Box::new(answer))) {
            Ok(()) => 0,
            // A pipe without reader has nobody to tell.
            Err(_) => exit::CRASH,
        },
        // A panic has printed its message.
        Err(()) => exit::CRASH,
    };
    // Not a return: destructors of large structures would only take time.
    std::process::exit(i32::from(code))
}

/// Does the work in this process. The time limit holds as far as everybody keeps to it.
pub(crate) fn work_in_process(job: WorkerJob) -> Result<WorkerAnswer, Failure> {
    let limits =
        JobLimits { start: Instant::now(), hard: limits_of(&job).timeout, style: TextStyle::Plain };
    answer_on_large_stack(job, limits, MessageSender::to_nobody())
        .unwrap_or_else(|()| Err(Failure::Internal("it panicked".to_owned())))
}

/// Does the work on a thread with much room; an error if it panics.
fn answer_on_large_stack(
    job: WorkerJob,
    limits: JobLimits,
    sender: MessageSender,
) -> Result<Result<WorkerAnswer, Failure>, ()> {
    let worker = thread::Builder::new().name("worker".to_owned()).stack_size(STACK);
    match worker.spawn(move || answer_job(&job, &limits, &sender)) {
        Ok(running) => running.join().map_err(|_| ()),
        Err(error) => Ok(Err(Failure::Internal(format!("cannot start a thread: {error}")))),
    }
}

/// Does a job.
fn answer_job(
    job: &WorkerJob,
    limits: &JobLimits,
    sender: &MessageSender,
) -> Result<WorkerAnswer, Failure> {
    ouro_check::solver_version().map_err(|wrong| Failure::BadInput(wrong.to_string()))?;
    match job {
        WorkerJob::Check(asked) => {
            check::answer_check(asked, limits, sender).map(WorkerAnswer::Check)
        }
        WorkerJob::Attach(asked) => {
            attach::answer_attach(asked, limits, sender).map(WorkerAnswer::Attach)
        }
        WorkerJob::Verify(asked) => {
            verify::answer_verify(asked, limits, sender).map(WorkerAnswer::Verify)
        }
        WorkerJob::Unit(asked) => scan::scan_unit(asked, limits, sender).map(WorkerAnswer::Unit),
    }
}

/// Sets limits on this process and frees its standard output for messages.
fn confine_process(
    limits: &LimitOptions,
    hard: Duration,
    supervisor: u32,
) -> io::Result<MessageSender> {
    prctl::set_pdeathsig(Signal::SIGKILL)?;
    if parent_id() != supervisor {
        return Err(io::Error::other("the supervisor is gone"));
    }
    let bytes = address_space_mib(limits.memory) << 20;
    setrlimit(Resource::RLIMIT_AS, bytes, bytes)?;
    // Should everybody above clang be killed, it still ends some day.
    let seconds = hard.as_secs().saturating_mul(8).saturating_add(60);
    setrlimit(Resource::RLIMIT_CPU, seconds, seconds)?;
    // A crash is reported in words; gigabytes of memory image help nobody.
    setrlimit(Resource::RLIMIT_CORE, 0, 0)?;
    // The copy is closed on exec, so no compiler keeps the pipe open; and whatever a library prints
    // from now on is not taken for a message.
    let pipe = File::from(io::stdout().as_fd().try_clone_to_owned()?);
    nix::unistd::dup2_stdout(io::stderr())?;
    Ok(MessageSender::new(pipe))
}

/// What a job may use.
pub(crate) fn limits_of(job: &WorkerJob) -> LimitOptions {
    match job {
        WorkerJob::Check(asked) => asked.limits,
        WorkerJob::Attach(asked) => asked.limits,
        WorkerJob::Verify(asked) => asked.limits,
        WorkerJob::Unit(asked) => asked.limits,
    }
}
