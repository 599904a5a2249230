//! A worker of `ouro scan`: one function as a whole, called at any time with anything.
//!
//! It knows what happens before a loop, and it follows calls. If every call of the function ends, so do its
//! loops. That it can run forever is said only if that is the fault of nobody else: of `main`, or of a function
//! that does so whatever it is called with, and that calls nothing whose code is not here. A run that needs
//! certain arguments may be one that no caller makes, and is named as the reason why nothing is known.

use ouro_evidence::{
    Allocations, ChoiceSource, Evidence, Externs, Input, InputExtent, Reason, Verdict,
};
use ouro_report::finding::{Answer, Certificate, Finding, Kind, Status};
use ouro_report::{About, Report, loops};
use ouro_solver::clock;

use super::options::UnitOptions;
use crate::failure::Failure;
use crate::message::{Sender, Stage, UnitEnd, WorkerMessage};
use crate::picture;
use crate::pipeline::{self, Budget, Compiled, NotCompiled, Subject};
use crate::questions::Demand;
use crate::report::build_report;
use crate::sources;
use crate::worker::JobLimits;

/// Looks at a function, and says what that means for each of its loops.
pub(super) fn entry(
    asked: &UnitOptions,
    name: &str,
    limits: &JobLimits,
    sender: &Sender,
) -> Result<UnitEnd, Failure> {
    let ints = pipeline::integers(None, &asked.clang);
    let subject = Subject {
        files: vec![asked.file.clone()],
        function: name.to_owned(),
        data_model: pipeline::data_model(asked.data_model, &asked.clang),
        ints,
        // What other files do is not up to the environment of the program.
        externs: Externs::Unknown,
        allocations: Some(Allocations::MayFail),
        input: InputExtent::Any,
        clang: asked.clang.clone(),
        question: Demand::default(),
        doubts: false,
    };
    sender.enter(Stage::Lower);
    let compiled = match pipeline::compile_for_linking(&subject, limits.deadline(), false) {
        Ok(compiled) => compiled,
        Err(NotCompiled::BadInput(bad) | NotCompiled::TooSlow(bad)) => return Err(bad.into()),
        Err(NotCompiled::Mistake(what)) => return Err(Failure::Internal(what)),
    };
    let Compiled { program, elsewhere, .. } = compiled;
    sender.enter(Stage::Prove);
    let start = clock::now();
    let budget = Budget {
        deadline: start + asked.limits.timeout,
        wall: limits.deadline(),
        limit: asked.limits.timeout,
        memory_mib: asked.limits.memory,
    };
    let found = pipeline::prove_program(&program, ints, &[], false, &budget, &mut |_| {});
    let Some(evidence) = found.verdict.evidence() else {
        let timed_out = matches!(found.verdict, Verdict::Unknown(Reason::Time { .. }));
        return Ok(if timed_out { UnitEnd::OutOfTime } else { UnitEnd::Complete });
    };
    if matches!(found.verdict, Verdict::Terminates(_)) && !elsewhere.is_empty() {
        // Code of another file may change what the loop looks at. The loop alone is looked at as well,
        // and there such a call can do anything.
        return Ok(UnitEnd::Complete);
    }
    let deadline = budget.deadline + asked.limits.timeout / 2;
    let places = loops::places(&program);
    let judged = loops::judged(&places, Some(&program), &found.verdict, &found.explanation);
    sender.enter(Stage::Report);
    let about = About::Program { function: name, ints, program: Some(&program) };
    let texts = sources::texts(&program.files);
    let report = build_report(&found, &[], about, &judged, &texts, found.spent);
    let doubt = doubt(name, elsewhere.first(), &found.verdict);
    let mut findings = said(&report, name, doubt.as_deref());
    if findings.iter().any(|one| one.verdict.is_bad())
        && let Some(graph) = picture::of_program(&program, ints, evidence, deadline)
    {
        picture::add_to(&mut findings, &graph);
    }
    for finding in findings {
        let finding = Box::new(finding);
        let _ = sender.send(&WorkerMessage::Judged { number: 0, finding });
    }
    Ok(UnitEnd::Complete)
}

/// Why a run that never ends may be none of the program's.
fn doubt(name: &str, elsewhere: Option<&String>, verdict: &Verdict) -> Option<String> {
    let inputs: &[Input] = match verdict {
        Verdict::Loops(Evidence::Recurs(run)) => &run.inputs,
        Verdict::Loops(Evidence::Closed(set)) => &set.inputs,
        Verdict::Loops(_) => return Some("nobody knows with which arguments".to_owned()),
        _ => return None,
    };
    if let Some(unknown) = elsewhere {
        return Some(format!("that rests on an assumption: {unknown}"));
    }
    let chosen = inputs.iter().find_map(|input| match &input.source {
        ChoiceSource::Other(what) => Some(format!("{what} = {}", input.signed())),
        _ => None,
    });
    match chosen {
        Some(_) if name == "main" => None,
        Some(what) => Some(format!("that needs a caller that makes it so: {what}")),
        None => None,
    }
}

/// The findings about loops of the function, and about the function itself if it is recursive.
fn said(report: &Report<'_>, name: &str, doubt: Option<&str>) -> Vec<Finding> {
    let mut all = ouro_report::findings(report, None);
    all.retain(|one| one.function == name && one.verdict != Answer::Unknown);
    if let Some(doubt) = doubt {
        for finding in &mut all {
            finding.verdict = Answer::Unknown;
            finding.certificate = Certificate::default();
            finding.reason = Some(format!("it can run forever, but {doubt}"));
            finding.argument = None;
        }
    }
    if let Verdict::Terminates(_) = report.verdict
        && let Some(first) = all.first().cloned()
    {
        // That its calls of itself end is said whether or not it has a loop.
        let certificate = Certificate { status: Status::Accepted, file: None };
        all.push(Finding { kind: Kind::Recursion, line: 0, certificate, ..first });
    }
    all
}
