//! `ouro check` of a transition system.

use std::path::Path;

use ouro_evidence::{CertificateSubject, Evidence, Externs, IntegerSemantics};
use ouro_report::graph::system_diagram;
use ouro_report::{ReportSubject, SourceTexts, VerdictReport};

use super::{
    add_certificate, add_graph, engine_names, note_not_written, observer, print_answer, refusals,
};
use crate::arguments::CheckArguments;
use crate::exit::{self, BadInput};
use crate::message::{MessageSender, WorkPhase, WorkerResult};
use crate::pipeline::{self, EngineBudget};
use crate::sources::InputFile;
use crate::worker::{self, WorkerLimits};

/// Answers a question about a transition system.
pub(super) fn answer_system_question(
    asked: &CheckArguments,
    source: &InputFile,
    budget: &EngineBudget,
    limits: &WorkerLimits,
    sender: &mut MessageSender,
) -> Result<WorkerResult, BadInput> {
    refuse_other_questions(asked)?;
    sender.send_phase(WorkPhase::Read);
    let text = source.text()?;
    let system = pipeline::parse_system_text(Path::new(&source.name), text)?;
    sender.send_phase(WorkPhase::Search);
    let engines = engine_names(asked);
    let finding = pipeline::prove_system(&system, &engines, budget, &mut observer(sender));
    let stderr = refusals(&finding);
    let report = VerdictReport {
        verdict: &finding.verdict,
        others: &[],
        explanation: &finding.explanation,
        engine: finding.engine,
        elapsed: limits.start.elapsed(),
        about: ReportSubject::System(Some((&system, &source.name))),
        loops: &[],
        sources: &SourceTexts::from([(source.name.clone(), text.to_owned())]),
    };
    let (stdout, findings) = print_answer(asked, &report, worker::requested_style());
    let (code, unproved) = exit::system_exit_code(asked.every_loop, &finding.verdict);
    let stderr = stderr + &unproved;
    let mut done = WorkerResult { code, stdout, stderr, files: Vec::new(), findings };
    note_ignored(asked, &mut done);
    if let Some(path) = &asked.certificate {
        add_certificate(
            &mut done,
            path,
            CertificateSubject::System(source.identity()),
            &finding.verdict,
        );
    }
    if let Some(path) = &asked.reproducer {
        note_not_written(&mut done, path, "a transition system is no program that could hang");
    }
    if asked.graph.is_some() || asked.report.is_some() {
        let graph = match finding.verdict.evidence() {
            Some(Evidence::Recurrent(set)) => Some(system_diagram(&system, &source.name, set)),
            _ => None,
        };
        add_graph(&mut done, asked, graph.as_ref());
    }
    if let Some(path) = &asked.witness {
        note_not_written(&mut done, path, "SV-COMP has no witnesses about transition systems");
    }
    Ok(done)
}

/// Refuses options that would ask for something else than what is answered.
fn refuse_other_questions(asked: &CheckArguments) -> Result<(), BadInput> {
    let program = &asked.program;
    let what = if program.function != "main" {
        "--function names a function, and a transition system has none"
    } else if program.integer_semantics() == IntegerSemantics::Wrap {
        "--ints wrap cannot be followed: the integers of a transition system have no bounds"
    } else {
        return Ok(());
    };
    let file = program.files.first().map(|file| file.display().to_string()).unwrap_or_default();
    Err(BadInput(format!("{file}: {what}; leave it out")))
}

/// Says which options were not looked at. They tell how C is to be read, so the answer is the same.
fn note_ignored(asked: &CheckArguments, done: &mut WorkerResult) {
    let program = &asked.program;
    let ignored: Vec<&str> = [
        ("--data-model", program.data_model.is_some()),
        ("--externs", program.externs != Externs::default()),
        ("--allocations", program.allocations.is_some()),
        ("--input", asked.input.is_some()),
        ("options for clang", !program.clang.is_empty()),
    ]
    .into_iter()
    .filter_map(|(name, given)| given.then_some(name))
    .collect();
    if !ignored.is_empty() {
        let ignored = ignored.join(", ");
        done.stderr += &format!("note: ignored for a transition system: {ignored}\n");
    }
}
