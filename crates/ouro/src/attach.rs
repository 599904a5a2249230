//! `ouro attach`, in the worker.

use std::io::{self, BufWriter};
use std::os::unix::process::parent_id;
use std::path::Path;

use ouro_attach::{
    AnalysisOptions, AnalysisStep, ProcessAnalysis, ProcessAnswer, analyse_snapshot,
};
use ouro_process::{ProcessSnapshot, SnapshotError};
use ouro_report::{AttachReport, process_text};

use crate::exit::{self, BadInput};
use crate::failure::Failure;
use crate::message::{MessageSender, Stage};
use crate::options::AttachOptions;
use crate::outcome::CommandOutcome;
use crate::outputs;
use crate::worker::JobLimits;

/// Answers the question.
pub(crate) fn answer_attach(
    asked: &AttachOptions,
    limits: &JobLimits,
    sender: &MessageSender,
) -> Result<CommandOutcome<AttachReport>, Failure> {
    let outputs: Vec<_> = asked.certificate.iter().chain(&asked.save).collect();
    let inputs: Vec<_> = asked.core.iter().chain(&asked.snapshot).cloned().collect();
    outputs::refuse_unwritable(&outputs, &inputs)?;
    sender.enter(Stage::Read);
    let snapshot = obtain_snapshot(asked)?;
    if let Some(path) = &asked.save {
        save_snapshot_file(&snapshot, path)?;
    }
    let options = AnalysisOptions { deadline: limits.deadline(), ..AnalysisOptions::default() };
    let analysis = analyse_snapshot(&snapshot, options, &mut |step| {
        sender.enter(match step {
            AnalysisStep::RunAhead | AnalysisStep::FindLoop | AnalysisStep::CloseLoop => {
                Stage::Prove
            }
            AnalysisStep::CheckProof => Stage::Check,
        });
    });
    sender.enter(Stage::Report);
    let (code, text) = (analysis_exit_code(&analysis), process_text(&analysis));
    let proof =
        analysis.answer.proof().map(|proof| serde_json::to_string_pretty(&proof.certificate));
    let mut outcome = CommandOutcome::new(AttachReport::new(analysis), text, code);
    if let (Some(path), Some(proof)) = (&asked.certificate, proof) {
        let text = proof.map_err(|error| Failure::Internal(error.to_string()))?;
        outcome.add_file(path, text + "\n");
    }
    Ok(outcome)
}

fn analysis_exit_code(analysis: &ProcessAnalysis) -> u8 {
    match analysis.answer {
        ProcessAnswer::LoopsForever(_) => exit::LOOPS,
        ProcessAnswer::LoopsUntil { .. } => exit::LOOPS_UNTIL_SIGNAL,
        ProcessAnswer::WillLeave { .. } => exit::TERMINATES,
        ProcessAnswer::Unknown { .. }
        | ProcessAnswer::Waits { .. }
        | ProcessAnswer::TalksToTheOutside { .. } => exit::UNKNOWN,
    }
}

fn obtain_snapshot(asked: &AttachOptions) -> Result<ProcessSnapshot, BadInput> {
    let taken = if let Some(path) = &asked.core {
        ouro_process::from_core(path, asked.exe.as_deref())
    } else if let Some(path) = &asked.snapshot {
        ouro_process::load_snapshot(path)
    } else {
        let pid = asked.pid.ok_or_else(|| {
            BadInput(
                "no process given: name a PID, a core file or \
                 a snapshot"
                    .to_owned(),
            )
        })?;
        if u32::try_from(pid) == Ok(parent_id()) {
            return Err(BadInput(SnapshotError::Itself(pid).to_string()));
        }
        let limit_mib = asked.limits.memory;
        ouro_process::take_snapshot(pid, ouro_process::SnapshotOptions { limit_mib })
    };
    taken.map_err(|error| BadInput(error.to_string()))
}

fn save_snapshot_file(snapshot: &ProcessSnapshot, path: &Path) -> Result<(), BadInput> {
    let refuse = |error: io::Error| BadInput(format!("cannot write {}: {error}", path.display()));
    let folder = path.parent().filter(|f| *f != Path::new("")).unwrap_or(Path::new("."));
    let file = tempfile::Builder::new().prefix(".ouro-").tempfile_in(folder).map_err(refuse)?;
    let mut writer = BufWriter::new(file);
    ouro_process::save_snapshot(snapshot, &mut writer).map_err(refuse)?;
    let file = writer.into_inner().map_err(|error| refuse(error.into_error()))?;
    file.persist(path).map_err(|error| refuse(error.error))?;
    Ok(())
}
