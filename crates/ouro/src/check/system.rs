//! `ouro check` of a transition system.

use std::path::Path;

use ouro_evidence::{CertificateSubject, Evidence, Externs, IntegerSemantics};
use ouro_report::graph::system_diagram;
use ouro_report::{ReportSubject, SourceTexts};

use super::{add_certificate, add_graph, engine_names, portfolio_observer, refusal_message};
use crate::exit::{self, BadInput};
use crate::failure::Failure;
use crate::message::{MessageSender, Stage};
use crate::options::CheckOptions;
use crate::pipeline::{self, EngineBudget};
use crate::report::{CheckOutcome, build_report, check_outcome};
use crate::sources::InputFile;
use crate::worker::JobLimits;

/// Answers a question about a transition system.
pub(super) fn answer_system_question(
    asked: &CheckOptions,
    source: &InputFile,
    budget: &EngineBudget,
    limits: &JobLimits,
    sender: &MessageSender,
) -> Result<CheckOutcome, Failure> {
    refuse_other_questions(asked)?;
    sender.enter(Stage::Lower);
    let text = source.text()?;
    let system = pipeline::parse_system_text(Path::new(&source.name), text)?;
    sender.enter(Stage::Prove);
    let engines = engine_names(asked);
    let finding =
        pipeline::prove_system(&system, &engines, budget, &mut portfolio_observer(sender));
    let mut messages: Vec<String> = refusal_message(&finding).into_iter().collect();
    sender.enter(Stage::Report);
    let about = ReportSubject::System(Some((&system, &source.name)));
    let texts = SourceTexts::from([(source.name.clone(), text.to_owned())]);
    let report = build_report(&finding, &[], about, &[], &texts, limits.start.elapsed());
    let (code, unproved) = exit::system_exit_code(asked.every_loop, &finding.verdict);
    let mut outcome = check_outcome(asked, &report, limits.style, code);
    messages.extend(unproved);
    outcome.messages.splice(0..0, messages);
    note_ignored(asked, &mut outcome);
    if let Some(path) = &asked.certificate {
        add_certificate(
            &mut outcome,
            path,
            CertificateSubject::System(source.identity()),
            &finding.verdict,
        );
    }
    if let Some(path) = &asked.reproducer {
        outcome.note_not_written(
            path,
            "there is no program to reproduce a hang with: this is a \
             transition system",
        );
    }
    if asked.graph.is_some() || asked.report.is_some() {
        let graph = match finding.verdict.evidence() {
            Some(Evidence::Recurrent(set)) => Some(system_diagram(&system, &source.name, set)),
            _ => None,
        };
        add_graph(&mut outcome, asked, graph.as_ref());
    }
    if let Some(path) = &asked.witness {
        outcome.note_not_written(path, "SV-COMP has no witness format for transition systems");
    }
    Ok(outcome)
}

/// Refuses options that would ask for something else than what is answered.
fn refuse_other_questions(asked: &CheckOptions) -> Result<(), BadInput> {
    let program = &asked.program;
    let what = if program.function != "main" {
        "--function does not apply: a transition system has no functions"
    } else if program.ints() == IntegerSemantics::Wrap {
        "--ints wrap does not apply: the integers of a transition system are unbounded"
    } else {
        return Ok(());
    };
    let file = program.files.first().map(|file| file.display().to_string()).unwrap_or_default();
    Err(BadInput(format!("{file}: {what}; leave it out")))
}

/// Says which options were not looked at. They tell how C is to be read, so the answer is the same.
fn note_ignored(asked: &CheckOptions, outcome: &mut CheckOutcome) {
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
        outcome.note(format!("ignored for a transition system: {ignored}"));
    }
}
