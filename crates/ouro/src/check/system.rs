//! `ouro check` of a transition system.

use std::path::Path;

use ouro_evidence::{Evidence, Externs, Ints, Subject};
use ouro_report::graph::of_system;
use ouro_report::{About, Report, Sources};

use super::{add_certificate, add_graph, engine_names, not_written, observer, printed, refusals};
use crate::arguments::Check;
use crate::exit::{self, BadInput};
use crate::message::{Done, Phase, Sender};
use crate::pipeline::{self, Budget};
use crate::sources::Source;
use crate::worker::{self, Limits};

/// Answers a question about a transition system.
pub(super) fn answer(
    asked: &Check,
    source: &Source,
    budget: &Budget,
    limits: &Limits,
    sender: &mut Sender,
) -> Result<Done, BadInput> {
    refuse_other_questions(asked)?;
    sender.phase(Phase::Read);
    let text = source.text()?;
    let system = pipeline::parse(Path::new(&source.name), text)?;
    sender.phase(Phase::Search);
    let engines = engine_names(asked);
    let finding = pipeline::prove_system(&system, &engines, budget, &mut observer(sender));
    let stderr = refusals(&finding);
    let report = Report {
        verdict: &finding.verdict,
        others: &[],
        explanation: &finding.explanation,
        engine: finding.engine,
        elapsed: limits.start.elapsed(),
        about: About::System(Some((&system, &source.name))),
        loops: &[],
        sources: &Sources::from([(source.name.clone(), text.to_owned())]),
    };
    let (stdout, findings) = printed(asked, &report, worker::style());
    let (code, unproved) = exit::of_system(asked.every_loop, &finding.verdict);
    let stderr = stderr + &unproved;
    let mut done = Done { code, stdout, stderr, files: Vec::new(), findings };
    note_ignored(asked, &mut done);
    if let Some(path) = &asked.certificate {
        add_certificate(&mut done, path, Subject::System(source.identity()), &finding.verdict);
    }
    if let Some(path) = &asked.reproducer {
        not_written(&mut done, path, "a transition system is no program that could hang");
    }
    if asked.graph.is_some() || asked.report.is_some() {
        let graph = match finding.verdict.evidence() {
            Some(Evidence::Recurrent(set)) => Some(of_system(&system, &source.name, set)),
            _ => None,
        };
        add_graph(&mut done, asked, graph.as_ref());
    }
    if let Some(path) = &asked.witness {
        not_written(&mut done, path, "SV-COMP has no witnesses about transition systems");
    }
    Ok(done)
}

/// Refuses options that would ask for something else than what is answered.
fn refuse_other_questions(asked: &Check) -> Result<(), BadInput> {
    let program = &asked.program;
    let what = if program.function != "main" {
        "--function names a function, and a transition system has none"
    } else if program.ints() == Ints::Wrap {
        "--ints wrap cannot be followed: the integers of a transition system have no bounds"
    } else {
        return Ok(());
    };
    let file = program.files.first().map(|file| file.display().to_string()).unwrap_or_default();
    Err(BadInput(format!("{file}: {what}; leave it out")))
}

/// Says which options were not looked at. They tell how C is to be read, so the answer is the same.
fn note_ignored(asked: &Check, done: &mut Done) {
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
