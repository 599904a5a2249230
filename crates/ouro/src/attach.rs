//! `ouro attach`: which process is chosen before, the rest in the worker.

use std::env;
use std::fs;
use std::io::{self, BufWriter, IsTerminal as _, Write as _};
use std::os::unix::process::parent_id;
use std::path::Path;
use std::time::{Duration, Instant};

use ouro_attach::{
    AnalysisOptions, ProcessAnalysis, ProcessAnswer, ProcessCertificate, ProcessRejection,
    analyse_snapshot, check_process_certificate,
};
use ouro_process::{ProcessSnapshot, SnapshotError, busy_share, busy_shares};

use crate::arguments::{AttachArguments, OutputFormat};
use crate::exit::{self, BadInput};
use crate::message::{MessageSender, WorkPhase, WorkerResult};
use crate::outputs;
use crate::worker::WorkerLimits;

/// Tells the worker which process was chosen.
pub(crate) const CHOSEN: &str = "OURO_ATTACH_PID";

/// A process that wants a CPU for less of the time is not busy.
const BUSY: f64 = 0.8;

/// Which process, if it is a process: by its number, or chosen from a list; busy for long enough.
pub(crate) fn choose_process(asked: &AttachArguments) -> Result<Option<i32>, BadInput> {
    let pid = if asked.all { Some(pick_busy_process()?) } else { asked.pid };
    if let (Some(pid), Some(time)) = (pid, asked.watch) {
        wait_until_busy(pid, time)?;
    }
    Ok(pid)
}

/// Waits until a process has been busy for so long.
fn wait_until_busy(pid: i32, time: Duration) -> Result<(), BadInput> {
    let step = (time / 10).clamp(Duration::from_millis(100), Duration::from_secs(1));
    let mut busy = Duration::ZERO;
    while busy < time {
        let Some(share) = busy_share(pid, step) else {
            return Err(BadInput(SnapshotError::NoSuchProcess(pid).to_string()));
        };
        busy = if share >= BUSY { busy + step } else { Duration::ZERO };
    }
    Ok(())
}

/// Lists busy processes and asks for one.
fn pick_busy_process() -> Result<i32, BadInput> {
    let own = i32::try_from(std::process::id()).unwrap_or(0);
    let numbers = fs::read_dir("/proc").into_iter().flatten().flatten();
    let others: Vec<i32> = numbers
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|pid| *pid != own)
        .collect();
    let mut busy = busy_shares(&others, Duration::from_millis(500));
    busy.retain(|(_, share)| *share >= BUSY / 2.0);
    busy.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    if busy.is_empty() {
        return Err(BadInput("no process is busy now".to_owned()));
    }
    for (pid, share) in &busy {
        let command = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let command: String = String::from_utf8_lossy(&command).replace('\0', " ");
        let command: String = command.chars().take(80).collect();
        eprintln!("{pid:>8}  {:>4.0} %  {command}", share * 100.0);
    }
    if !io::stdin().is_terminal() {
        return Err(BadInput("name one of these processes".to_owned()));
    }
    eprint!("which process? ");
    let _ = io::stderr().flush();
    let mut line = String::new();
    let read = io::stdin().read_line(&mut line);
    match (read, line.trim().parse()) {
        (Ok(_), Ok(pid)) => Ok(pid),
        _ => Err(BadInput(format!("{} is not the number of a process", line.trim()))),
    }
}

/// Answers the question, in the worker.
pub(crate) fn attach_in_worker(
    asked: &AttachArguments,
    limits: &WorkerLimits,
    sender: &mut MessageSender,
) -> WorkerResult {
    match answer_attach(asked, limits, sender) {
        Ok(done) => done,
        Err(bad) => WorkerResult {
            code: exit::BAD_INPUT,
            stderr: format!("{bad}\n"),
            ..WorkerResult::default()
        },
    }
}

fn answer_attach(
    asked: &AttachArguments,
    limits: &WorkerLimits,
    sender: &mut MessageSender,
) -> Result<WorkerResult, BadInput> {
    let outputs: Vec<_> = asked.certificate.iter().chain(&asked.save).collect();
    let inputs: Vec<_> = asked.core.iter().chain(&asked.snapshot).cloned().collect();
    outputs::refuse_unwritable(&outputs, &inputs)?;
    sender.send_phase(WorkPhase::Ahead);
    let snapshot = obtain_snapshot(asked)?;
    if let Some(path) = &asked.save {
        save_snapshot_file(&snapshot, path)?;
    }
    if let Some(path) = &asked.check {
        sender.send_phase(WorkPhase::Check);
        return check_on_snapshot(
            &snapshot,
            &read_process_certificate(path)?,
            path,
            limits.deadline(),
        );
    }
    let options = AnalysisOptions { deadline: limits.deadline(), ..AnalysisOptions::default() };
    let analysis = analyse_snapshot(&snapshot, options, &mut |what| {
        sender.send_phase(match what {
            "running ahead" => WorkPhase::Ahead,
            "checking the proof" => WorkPhase::Check,
            _ => WorkPhase::Close,
        });
    });
    let mut done = WorkerResult {
        code: analysis_exit_code(&analysis),
        stdout: match asked.format {
            OutputFormat::Text => ouro_attach::process_text(&analysis),
            OutputFormat::Json => ouro_attach::process_json(&analysis),
        },
        ..WorkerResult::default()
    };
    if let (Some(path), Some(proof)) = (&asked.certificate, analysis.answer.proof()) {
        let text = serde_json::to_string_pretty(&proof.certificate)
            .map_err(|error| BadInput(error.to_string()))?;
        done.files.push((path.clone(), text + "\n"));
    }
    Ok(done)
}

fn analysis_exit_code(analysis: &ProcessAnalysis) -> u8 {
    match analysis.answer {
        ProcessAnswer::LoopsForever(_) => exit::LOOPS,
        ProcessAnswer::LoopsUntil { .. } => exit::LOOPS_UNTIL_SIGNAL,
        ProcessAnswer::WillLeave { .. } => exit::TERMINATES,
        ProcessAnswer::NotProven { .. }
        | ProcessAnswer::Waits { .. }
        | ProcessAnswer::TalksToTheOutside { .. } => exit::UNKNOWN,
    }
}

fn obtain_snapshot(asked: &AttachArguments) -> Result<ProcessSnapshot, BadInput> {
    let taken = if let Some(path) = &asked.core {
        ouro_process::from_core(path, asked.exe.as_deref())
    } else if let Some(path) = &asked.snapshot {
        ouro_process::load_snapshot(path)
    } else {
        let chosen = env::var(CHOSEN).ok().and_then(|pid| pid.parse().ok());
        let pid = asked.pid.or(chosen).ok_or_else(|| BadInput("no process is named".to_owned()))?;
        if u32::try_from(pid) == Ok(parent_id()) {
            return Err(BadInput(SnapshotError::Itself(pid).to_string()));
        }
        let limit_mib = asked.limits.memory;
        ouro_process::take_snapshot(pid, ouro_process::SnapshotOptions { limit_mib })
    };
    taken.map_err(|error| BadInput(error.to_string()))
}

fn save_snapshot_file(snapshot: &ProcessSnapshot, path: &Path) -> Result<(), BadInput> {
    let refuse =
        |error: io::Error| BadInput(format!("{} cannot be written: {error}", path.display()));
    let folder = path.parent().filter(|f| *f != Path::new("")).unwrap_or(Path::new("."));
    let file = tempfile::Builder::new().prefix(".ouro-").tempfile_in(folder).map_err(refuse)?;
    let mut writer = BufWriter::new(file);
    ouro_process::save_snapshot(snapshot, &mut writer).map_err(refuse)?;
    let file = writer.into_inner().map_err(|error| refuse(error.into_error()))?;
    file.persist(path).map_err(|error| refuse(error.error))?;
    Ok(())
}

/// Reads a certificate of a process.
fn read_process_certificate(path: &Path) -> Result<ProcessCertificate, BadInput> {
    let refuse = |what: String| BadInput(format!("{}: {what}", path.display()));
    let text = fs::read_to_string(path).map_err(|error| refuse(error.to_string()))?;
    serde_json::from_str(&text)
        .map_err(|error| refuse(format!("it is not a certificate of a process: {error}")))
}

/// Whether a certificate holds of a snapshot.
pub(crate) fn check_on_snapshot(
    snapshot: &ProcessSnapshot,
    certificate: &ProcessCertificate,
    path: &Path,
    deadline: Instant,
) -> Result<WorkerResult, BadInput> {
    match check_process_certificate(snapshot, certificate, deadline) {
        Ok(accepted) => Ok(WorkerResult {
            code: exit::TERMINATES,
            stdout: match certificate.idealised {
                None => format!("accepted: {}\n", accepted.word()),
                Some(_) => {
                    format!("accepted: {}, if stack and heap have no end\n", accepted.word())
                }
            },
            ..WorkerResult::default()
        }),
        Err(ProcessRejection::Wrong(why)) => {
            Err(BadInput(format!("{}: not accepted: {why}", path.display())))
        }
        Err(ProcessRejection::Undecided(why)) => Ok(WorkerResult {
            code: exit::UNKNOWN,
            stdout: format!("not decided: {why}\n"),
            ..WorkerResult::default()
        }),
    }
}
