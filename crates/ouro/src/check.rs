//! `ouro check`, in the worker.

mod doubts;
mod finite_input;
mod several;
mod sites;
mod system;
mod witness;

use std::env;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ouro_evidence::{
    self as evidence, Certificate, ClosedSet, EndlessRunInput, Evidence, IntegerSemantics,
    SourcePlace, StateRecurrence, UnknownReason, Verdict, WraparoundBehaviour,
};
use ouro_model::Program;
use ouro_portfolio::{EngineName, PortfolioAnswer, PortfolioEvent, prove_program_also_wrapping};
use ouro_report::graph::RunDiagram;
use ouro_report::reproducer::{self, reproducer_source};
use ouro_report::{
    FindingCollection, LoopReport, ReportSubject, TOOL_VERSION, TextStyle, html_pages, loops,
};

use crate::exit::{self, BadInput};
use crate::failure::Failure;
use crate::message::{MessageSender, Stage};
use crate::options::CheckOptions;
use crate::outputs;
use crate::picture;
use crate::pipeline::{self, AskedProgram, CompileFailure, CompiledSubject, EngineBudget};
use crate::questions::{self, AskedQuestion};
use crate::report::{CheckOutcome, build_report, check_outcome};
use crate::sources::{self, InputFile, SubjectKind};
use crate::supervise::WorkerProgress;
use crate::verbose;
use crate::worker::JobLimits;

/// Names a folder for the solver's queries; the solver looks at it itself.
const LOG_VARIABLE: &str = "OURO_LOG";

/// Answers the question.
pub(crate) fn answer_check(
    asked: &CheckOptions,
    limits: &JobLimits,
    sender: &MessageSender,
) -> Result<CheckOutcome, Failure> {
    sender.enter(Stage::Read);
    let kind = sources::subject_kind(&asked.program.files)?;
    let outputs = [&asked.certificate, &asked.reproducer, &asked.witness, &asked.graph];
    let outputs: Vec<&PathBuf> = outputs.into_iter().flatten().collect();
    outputs::refuse_unwritable(&outputs, &asked.program.files)?;
    outputs::refuse_folder(asked.report.as_deref())?;
    if let Some(path) = &asked.graph {
        picture::refuse_unknown_form(path)?;
    }
    let sources = sources::read_input_files(kind, &asked.program.files)?;
    let budget = EngineBudget {
        deadline: limits.deadline(),
        wall: limits.deadline(),
        limit: asked.limits.timeout,
        memory_mib: asked.limits.memory,
    };
    if let Some(folder) = env::var_os(LOG_VARIABLE).filter(|path| !path.is_empty()) {
        std::fs::create_dir_all(&folder).map_err(|error| {
            let folder = Path::new(&folder).display();
            BadInput(format!("{LOG_VARIABLE}: cannot create the folder {folder}: {error}"))
        })?;
    }
    let questions = questions::questions_of_command(&asked.property, &asked.program)?;
    match (kind, sources.as_slice()) {
        (SubjectKind::System, [_]) if questions[0].monitor.is_some() => Err(Failure::BadInput(
            "a specification applies to C programs, and this is a transition system; leave out \
             the specification"
                .to_owned(),
        )),
        (SubjectKind::System, [source]) => {
            system::answer_system_question(asked, source, &budget, limits, sender)
        }
        _ => several::answer_questions(
            questions,
            asked,
            |question, deadline| {
                let budget = EngineBudget { deadline, ..budget.clone() };
                check_program_question(asked, question, false, &sources, &budget, limits, sender)
            },
            &budget,
        ),
    }
}

/// Answers a question about a program; with doubts, functions without a body may change what they are handed.
fn check_program_question(
    asked: &CheckOptions,
    question: AskedQuestion,
    doubts: bool,
    sources: &[InputFile],
    budget: &EngineBudget,
    limits: &JobLimits,
    sender: &MessageSender,
) -> Result<CheckOutcome, Failure> {
    let input = asked.input.unwrap_or_default();
    let mut subject =
        AskedProgram { question, doubts, input, ..AskedProgram::from(&asked.program) };
    sender.enter(Stage::Lower);
    let linking = asked.reproducer.is_some();
    let compiled = pipeline::compile_for_linking(&subject, budget.wall, linking);
    let mut compiled = match compiled {
        Ok(compiled) => compiled,
        Err(CompileFailure::BadInput(bad)) => return Err(bad.into()),
        Err(CompileFailure::TooSlow(_)) => {
            let reason = UnknownReason::Time { limit: budget.limit };
            let elapsed = limits.start.elapsed();
            let mut outcome = undecided_check(asked, reason, &[], elapsed, limits.style);
            outcome.note(slow_clang_message(budget.limit));
            return Ok(outcome);
        }
        Err(CompileFailure::Mistake(what)) => return Err(Failure::Internal(what)),
    };
    let program = &compiled.program;
    let places = loops::loop_places(program);
    let (functions, loops) = (program.functions.len(), places.len());
    verbose::say_verbosely(&format!(
        "compiled: {functions} functions, {loops} loops in the user's"
    ));
    sender.send_loops(&places);
    sender.enter(Stage::Prove);
    let mut messages = Vec::new();
    let first_ints = subject.ints;
    let mut finding = ask_and_check(asked, &mut subject, program, budget, sender, &mut messages);
    if doubts {
        doubts::name_doubted_call(&compiled, &mut finding.verdict);
    }
    if compiled.hands_over && finding.verdict.claim().is_some_and(pipeline::doubts_externals) {
        verbose::say_verbosely(
            "an endless run was found, but it relies on an assumption about functions without a \
             body",
        );
        let question = subject.question;
        return check_program_question(asked, question, true, sources, budget, limits, sender);
    }
    if finite_input::is_worth_asking(asked, &subject, &compiled, &finding) {
        let ask = |subject: &mut AskedProgram, program: &Program, budget: &EngineBudget| {
            ask_and_check(asked, subject, program, budget, sender, &mut Vec::new())
        };
        // What integers mean is found anew, lest a run that overflows seems to be one by the rules of C.
        let again = AskedProgram { ints: first_ints, ..subject.clone() };
        match finite_input::ask_with_finite_input(again, budget, limits.start, linking, ask) {
            Some(found) => (subject, compiled, finding) = found,
            None => finding.explanation.input = Some(EndlessRunInput::Endless),
        }
    }
    let program = &compiled.program;
    let others = match (&finding.verdict, &subject.question.identity) {
        (Verdict::Violated(_), Some(evidence::Specification::Slic { .. })) => {
            sites::find_other_sites(
                program,
                subject.ints,
                &finding.verdict,
                budget,
                limits.start.elapsed(),
            )
        }
        // A formula is broken by a run, not by a call.
        _ => Vec::new(),
    };
    let loops = loops::judge_loops(&places, Some(program), &finding.verdict, &finding.explanation);
    let (code, unproved) = exit::program_exit_code(asked.every_loop, &finding.verdict, &loops);
    sender.enter(Stage::Report);
    let mut outcome = show_report(
        asked,
        (program, subject.ints),
        &finding,
        &others,
        &loops,
        limits,
        sources,
        code,
    );
    messages.extend(unproved);
    outcome.messages.splice(0..0, messages);
    if let Some(path) = &asked.certificate {
        let files = sources.iter().map(InputFile::identity).collect();
        let about = evidence::CertificateSubject::Program(subject.identity(files, &compiled));
        add_certificate(&mut outcome, path, about.clone(), &finding.verdict);
        for (number, other) in (2..).zip(&others) {
            add_certificate(
                &mut outcome,
                &outputs::numbered_path(path, number),
                about.clone(),
                other,
            );
        }
    }
    if let Some(path) = &asked.reproducer {
        add_reproducer(&mut outcome, path, &subject, sources, &compiled, &finding.verdict);
    }
    if asked.graph.is_some() || asked.report.is_some() {
        let graph = finding.verdict.evidence().and_then(|evidence| {
            picture::picture_of_program(program, subject.ints, evidence, budget.deadline)
        });
        add_graph(&mut outcome, asked, graph.as_ref());
    }
    Ok(outcome)
}

/// Asks the engines and the checker about a program. What integers mean may come out of it.
fn ask_and_check(
    asked: &CheckOptions,
    subject: &mut AskedProgram,
    program: &Program,
    budget: &EngineBudget,
    sender: &MessageSender,
    messages: &mut Vec<String>,
) -> PortfolioAnswer {
    let answer = {
        let mut observer = portfolio_observer(sender);
        match asks_with_wraparound(asked, subject) {
            true => prove_program_also_wrapping(program, true, budget.cpu(), &mut observer),
            false => {
                let engines = engine_names(asked);
                let ints = subject.ints;
                pipeline::prove_program(program, ints, &engines, true, budget, &mut observer)
            }
        }
    };
    subject.ints = answer.ints;
    messages.extend(refusal_message(&answer));
    answer
}

/// The engines that the user named.
fn engine_names(asked: &CheckOptions) -> Vec<EngineName> {
    asked.engine.iter().map(|engine| engine.name()).collect()
}

/// Tells the supervisor and, if asked, the user what the engines do.
fn portfolio_observer(sender: &MessageSender) -> impl FnMut(PortfolioEvent<'_>) {
    let mut is_checking = false;
    move |event| {
        verbose::tell(&event);
        match event {
            PortfolioEvent::CheckBegins(_) => {
                is_checking = true;
                sender.enter(Stage::Check);
            }
            PortfolioEvent::SliceBegins(..) if is_checking => {
                is_checking = false;
                sender.enter(Stage::Prove);
            }
            _ => {}
        }
    }
}

/// What is said where the checker refused evidence and nothing else was found.
fn refusal_message(answer: &PortfolioAnswer) -> Option<String> {
    let Verdict::Unknown(UnknownReason::Rejected { claim, why }) = &answer.verdict else {
        return None;
    };
    Some(format!(
        "BUG: an engine claimed '{}', but the checker rejected its evidence: {why}\n\
         BUG: the verdict is therefore 'unknown'; please report this and attach the program",
        claim.phrase()
    ))
}

/// Whether the question is also asked with integers that wrap around: about termination, if nobody said what integers
/// are, as competitions do, and no option ends the program at an overflow.
fn asks_with_wraparound(asked: &CheckOptions, subject: &AskedProgram) -> bool {
    let traps = ouro_c::target::requested_target(&subject.clang).is_ok_and(|asked| asked.traps);
    !traps
        && asked.program.ints.is_none()
        && subject.ints == IntegerSemantics::C
        && asked.property.prop.is_none()
        && !asked.termcomp
        && asked.engine.is_empty()
        && subject.question.identity.is_none()
}

/// What is said where clang took all the time.
pub(crate) fn slow_clang_message(limit: Duration) -> String {
    format!("clang did not finish within {} s", limit.as_secs_f64())
}

/// The answer where a limit was reached, with the loops as far as they are known.
pub(crate) fn undecided_check(
    asked: &CheckOptions,
    reason: UnknownReason,
    places: &[SourcePlace],
    elapsed: Duration,
    style: TextStyle,
) -> CheckOutcome {
    let kind = sources::subject_kind(&asked.program.files);
    let finding = PortfolioAnswer::unknown(reason, asked.program.ints());
    let loops = loops::judge_loops(places, None, &finding.verdict, &finding.explanation);
    let function = &asked.program.function;
    let (about, (code, unproved)) = match kind {
        Ok(SubjectKind::System) => (
            ReportSubject::System(None),
            exit::system_exit_code(asked.every_loop, &finding.verdict),
        ),
        _ => (
            ReportSubject::Program { function, ints: asked.program.ints(), program: None },
            exit::program_exit_code(asked.every_loop, &finding.verdict, &loops),
        ),
    };
    let sources = sources::source_texts(places.iter().map(|place| &place.file));
    let report = build_report(&finding, &[], about, &loops, &sources, elapsed);
    let mut outcome = check_outcome(asked, &report, style, code);
    outcome.messages.extend(unproved);
    outcome
}

/// The answer about a question whose worker was stopped at a limit.
pub(crate) fn outcome_when_stopped(
    asked: &CheckOptions,
    reason: UnknownReason,
    progress: &WorkerProgress,
    elapsed: Duration,
    colour: bool,
) -> CheckOutcome {
    let is_program = sources::subject_kind(&asked.program.files) == Ok(SubjectKind::Program);
    let slow = match reason {
        UnknownReason::Time { limit } if is_program && progress.stage() == Stage::Lower => {
            Some(limit)
        }
        _ => None,
    };
    let style = if colour { TextStyle::Colour } else { TextStyle::Plain };
    let mut outcome = undecided_check(asked, reason, &progress.loops, elapsed, style);
    if let Some(limit) = slow {
        outcome.note(slow_clang_message(limit));
    }
    outcome
}

/// Adds the pages for a browser, if they are asked for.
pub(crate) fn add_pages(asked: &CheckOptions, outcome: &mut CheckOutcome) {
    let Some(folder) = &asked.report else { return };
    let findings = FindingCollection {
        tool_version: TOOL_VERSION.to_owned(),
        findings: outcome.report.findings.clone(),
        ..FindingCollection::default()
    };
    let texts = sources::source_texts(findings.findings.iter().map(|finding| &finding.file));
    // The first page links to all others, so it comes last: no link in it is ever broken.
    for (name, text) in html_pages(&findings, &texts).into_iter().rev() {
        outcome.add_file(folder.join(name), text);
    }
    outcome
        .messages
        .push(format!("note: open {} in a browser", folder.join("index.html").display()));
}

/// The outcome with the witness.
#[expect(clippy::too_many_arguments, reason = "everything that the report is made from")]
fn show_report(
    asked: &CheckOptions,
    (program, ints): (&Program, IntegerSemantics),
    finding: &PortfolioAnswer,
    others: &[Verdict],
    loops: &[LoopReport],
    limits: &JobLimits,
    sources: &[InputFile],
    code: u8,
) -> CheckOutcome {
    let about =
        ReportSubject::Program { function: &asked.program.function, ints, program: Some(program) };
    let texts = sources::source_texts(&program.files);
    let report = build_report(finding, others, about, loops, &texts, limits.start.elapsed());
    let mut outcome = check_outcome(asked, &report, limits.style, code);
    let after_overflow =
        matches!(finding.explanation.wrapping, Some(WraparoundBehaviour::Loops(_)));
    if let Some(path) = &asked.witness
        && after_overflow
    {
        outcome.note_not_written(path, "by the rules of C the run ends in an overflow");
    } else if let Some(path) = &asked.witness {
        match witness::witness_text(asked, path, &report, sources) {
            Ok(text) => outcome.add_file(path, text),
            Err(why) => outcome.note_not_written(path, why),
        }
    }
    outcome
}

/// Adds the certificate, or says that there is none.
fn add_certificate(
    outcome: &mut CheckOutcome,
    path: &Path,
    about: evidence::CertificateSubject,
    verdict: &Verdict,
) {
    match (verdict.claim(), verdict.evidence()) {
        (Some(claim), Some(evidence)) => {
            let certificate = Certificate::new(about, claim.question(), evidence.clone());
            outcome.add_file(path, certificate.to_json());
        }
        _ => outcome.note_not_written(path, "the verdict is 'unknown'"),
    }
}

/// Adds the reproducer, or says that there is none.
fn add_reproducer(
    outcome: &mut CheckOutcome,
    path: &Path,
    subject: &AskedProgram,
    sources: &[InputFile],
    compiled: &CompiledSubject,
    verdict: &Verdict,
) {
    let recurrence = match verdict.evidence() {
        Some(Evidence::Recurs(recurrence)) => recurrence.clone(),
        Some(Evidence::Closed(set)) => match as_recurrence(set) {
            Some(recurrence) => recurrence,
            None => {
                let why = "the inputs in the loop depend on the program's state (the certificate \
                           says how)";
                return outcome.note_not_written(path, why);
            }
        },
        Some(Evidence::Violation(_)) => return outcome.note_not_written(path, "the run ends"),
        _ => return outcome.note_not_written(path, "the verdict is not 'loops forever'"),
    };
    if let Some(why) = needs_a_caller(subject, &compiled.program) {
        return outcome.note_not_written(path, why);
    }
    let names: Vec<String> = sources.iter().map(|source| source.name.clone()).collect();
    let wraps = (subject.ints == IntegerSemantics::Wrap).then(|| "-fwrapv".to_owned());
    let options: Vec<String> = wraps.into_iter().chain(subject.clang.iter().cloned()).collect();
    let text = reproducer_source(
        &recurrence,
        &reproducer::ReproducedProgram {
            program: &compiled.program,
            files: &names,
            function: &subject.function,
            options: &options,
            name: &path.display().to_string(),
            missing: &compiled.missing,
        },
    );
    outcome.add_file(path, text);
}

/// Why a call of the asked function alone does not make the run: somebody has to prepare memory.
fn needs_a_caller(subject: &AskedProgram, program: &Program) -> Option<&'static str> {
    if subject.function == "main" {
        return None;
    }
    let mut asked = program.functions.iter().filter(|one| one.user && one.name == subject.function);
    let takes_pointers = asked.any(|function| {
        function.params.iter().any(|param| function.vars[*param].ty == ouro_model::Type::Ptr)
    });
    if takes_pointers {
        return Some("the function takes pointers to objects that its caller has to create");
    }
    let free = program.globals.iter().any(|global| global.user && !global.constant);
    free.then_some("global variables have to hold certain values")
}

/// What a reproducer needs to know of a run that stays in a set of states, if it can be said: the
/// inputs after the way there do not matter.
fn as_recurrence(set: &ClosedSet) -> Option<StateRecurrence> {
    let first = set.heads.first()?;
    let any = set.heads.iter().all(|head| head.choices.is_empty());
    any.then(|| StateRecurrence {
        inputs: set.inputs.clone(),
        first_step: set.step,
        second_step: set.step + 1,
        cycle_inputs: set.inputs.len(),
        place: first.place.clone(),
        recursion: set.recursion,
    })
}

/// Adds the picture where it is asked for, or says that there is none.
fn add_graph(outcome: &mut CheckOutcome, asked: &CheckOptions, graph: Option<&RunDiagram>) {
    if let (Some(_), Some(graph)) = (&asked.report, graph) {
        picture::add_to_findings(&mut outcome.report.findings, graph);
    }
    match (&asked.graph, graph) {
        (Some(path), Some(graph)) => {
            outcome.add_file(path, picture::picture_text(graph, path));
        }
        (Some(path), None) => outcome.note_not_written(
            path,
            "only an endless run can be drawn, \
             and none was found",
        ),
        (None, _) => {}
    }
}
