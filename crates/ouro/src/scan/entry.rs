//! A worker of `ouro scan`: one function as a whole, called at any time with anything.
//!
//! It knows what happens before a loop, and it follows calls. If every call of the function ends, so do its
//! loops. That it can loop forever is said only if that is the fault of nobody else: of `main`, or of a function
//! that does so whatever it is called with, and that calls nothing whose code is not here. A run that needs
//! certain arguments may be one that no caller makes, and is named as the reason why nothing is known.

use ouro_evidence::{
    Allocations, ChoiceSource, Evidence, Externs, InputExtent, RunInput, UnknownReason, Verdict,
};
use ouro_report::finding::{
    EvidenceStatus, FindingAnswer, FindingCertificate, FindingKind, ReportFinding,
};
use ouro_report::{ReportSubject, VerdictReport, loops};
use ouro_solver::clock;

use super::options::UnitOptions;
use crate::failure::Failure;
use crate::message::{MessageSender, Stage, UnitEnd, WorkerMessage};
use crate::picture;
use crate::pipeline::{self, AskedProgram, CompileFailure, CompiledSubject, EngineBudget};
use crate::questions::AskedQuestion;
use crate::report::build_report;
use crate::sources;
use crate::worker::JobLimits;

/// Looks at a function, and says what that means for each of its loops.
pub(super) fn scan_function(
    asked: &UnitOptions,
    name: &str,
    limits: &JobLimits,
    sender: &MessageSender,
) -> Result<UnitEnd, Failure> {
    let ints = pipeline::choose_integer_semantics(None, &asked.clang);
    let subject = AskedProgram {
        files: vec![asked.file.clone()],
        function: name.to_owned(),
        data_model: pipeline::choose_data_model(asked.data_model, &asked.clang),
        ints,
        // What other files do is not up to the environment of the program.
        externs: Externs::Unknown,
        allocations: Some(Allocations::MayFail),
        input: InputExtent::Any,
        clang: asked.clang.clone(),
        question: AskedQuestion::default(),
        doubts: false,
    };
    sender.enter(Stage::Lower);
    let compiled = match pipeline::compile_for_linking(&subject, limits.deadline(), false) {
        Ok(compiled) => compiled,
        Err(CompileFailure::BadInput(bad) | CompileFailure::TooSlow(bad)) => return Err(bad.into()),
        Err(CompileFailure::Mistake(what)) => return Err(Failure::Internal(what)),
    };
    let CompiledSubject { program, elsewhere, .. } = compiled;
    sender.enter(Stage::Prove);
    let start = clock::budget_now();
    let budget = EngineBudget {
        deadline: start + asked.limits.timeout,
        wall: limits.deadline(),
        limit: asked.limits.timeout,
        memory_mib: asked.limits.memory,
    };
    let found = pipeline::prove_program(&program, ints, &[], false, &budget, &mut |_| {});
    let Some(evidence) = found.verdict.evidence() else {
        let timed_out = matches!(found.verdict, Verdict::Unknown(UnknownReason::Time { .. }));
        return Ok(if timed_out { UnitEnd::OutOfTime } else { UnitEnd::Complete });
    };
    if matches!(found.verdict, Verdict::Terminates(_)) && !elsewhere.is_empty() {
        // Code of another file may change what the loop looks at. The loop alone is looked at as well,
        // and there such a call can do anything.
        return Ok(UnitEnd::Complete);
    }
    let deadline = budget.deadline + asked.limits.timeout / 2;
    let places = loops::loop_places(&program);
    let judged = loops::judge_loops(&places, Some(&program), &found.verdict, &found.explanation);
    sender.enter(Stage::Report);
    let about = ReportSubject::Program { function: name, ints, program: Some(&program) };
    let texts = sources::source_texts(&program.files);
    let report = build_report(&found, &[], about, &judged, &texts, found.spent);
    let doubt = doubt_about_run(name, elsewhere.first(), &found.verdict);
    let mut findings = findings_of_function(&report, name, doubt.as_deref());
    if findings.iter().any(|one| one.verdict.is_bad())
        && let Some(graph) = picture::picture_of_program(&program, ints, evidence, deadline)
    {
        picture::add_to_findings(&mut findings, &graph);
    }
    for finding in findings {
        let finding = Box::new(finding);
        let _ = sender.send(&WorkerMessage::Judged { number: 0, finding });
    }
    Ok(UnitEnd::Complete)
}

/// Why a run that never ends may be none of the program's.
fn doubt_about_run(name: &str, elsewhere: Option<&String>, verdict: &Verdict) -> Option<String> {
    let inputs: &[RunInput] = match verdict {
        Verdict::Loops(Evidence::Recurs(run)) => &run.inputs,
        Verdict::Loops(Evidence::Closed(set)) => &set.inputs,
        Verdict::Loops(_) => {
            return Some(
                "it is not known which arguments it is called \
                 with"
                    .to_owned(),
            );
        }
        _ => return None,
    };
    if let Some(unknown) = elsewhere {
        return Some(format!("that relies on an assumption: {unknown}"));
    }
    let chosen = inputs.iter().find_map(|input| match &input.source {
        ChoiceSource::Other(what) => Some(format!("{what} = {}", input.signed_value())),
        _ => None,
    });
    match chosen {
        Some(_) if name == "main" => None,
        Some(what) => Some(format!("only if a caller arranges it: {what}")),
        None => None,
    }
}

/// The findings about loops of the function, and about the function itself if it is recursive.
fn findings_of_function(
    report: &VerdictReport<'_>,
    name: &str,
    doubt: Option<&str>,
) -> Vec<ReportFinding> {
    let mut all = ouro_report::findings_of_report(report, None);
    all.retain(|one| one.function == name && one.verdict != FindingAnswer::Unknown);
    if let Some(doubt) = doubt {
        for finding in &mut all {
            finding.verdict = FindingAnswer::Unknown;
            finding.certificate = FindingCertificate::default();
            finding.reason = Some(format!("it may loop forever, but {doubt}"));
            finding.argument = None;
        }
    }
    if let Verdict::Terminates(_) = report.verdict
        && let Some(first) = all.first().cloned()
    {
        // That its calls of itself end is said whether or not it has a loop.
        let certificate = FindingCertificate { status: EvidenceStatus::Accepted, file: None };
        all.push(ReportFinding { kind: FindingKind::Recursion, line: 0, certificate, ..first });
    }
    all
}
