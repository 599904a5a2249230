//! `ouro check`, in the worker.

mod finite_input;
mod several;
mod sites;
mod system;
mod witness;

use std::env;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ouro_evidence::{
    self as evidence, Certificate, ClosedSet, EndlessRunInput, Evidence, Explanation,
    IntegerSemantics, SourcePlace, StateRecurrence, UnknownReason, Verdict, WraparoundBehaviour,
};
use ouro_model::Program;
use ouro_portfolio::{EngineName, PortfolioAnswer, PortfolioEvent, prove_program_also_wrapping};
use ouro_report::graph::RunDiagram;
use ouro_report::reproducer::{self, reproducer_source};
use ouro_report::{
    LoopReport, ReportFinding as Found, ReportSubject, TextStyle, VerdictReport,
    findings_of_report, loops,
};

use crate::arguments::{CheckArguments, ReportFormat};
use crate::exit::{self, BadInput};
use crate::message::{MessageSender, WorkPhase, WorkerResult};
use crate::outputs;
use crate::picture;
use crate::pipeline::{self, AskedProgram, CompileFailure, CompiledSubject, EngineBudget};
use crate::questions::{self, AskedQuestion};
use crate::sources::{self, InputFile, SubjectKind};
use crate::verbose;
use crate::worker::{self, WorkerLimits};

/// Names a folder for the solver's queries; the solver looks at it itself.
const LOG_VARIABLE: &str = "OURO_LOG";

/// Answers the question.
pub(crate) fn check_in_worker(
    asked: &CheckArguments,
    limits: &WorkerLimits,
    sender: &mut MessageSender,
) -> WorkerResult {
    match answer_check(asked, limits, sender) {
        Ok(done) => done,
        Err(bad) => WorkerResult {
            code: exit::BAD_INPUT,
            stderr: format!("{bad}\n"),
            ..WorkerResult::default()
        },
    }
}

fn answer_check(
    asked: &CheckArguments,
    limits: &WorkerLimits,
    sender: &mut MessageSender,
) -> Result<WorkerResult, BadInput> {
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
            BadInput(format!("{LOG_VARIABLE}: the folder {folder} cannot be made: {error}"))
        })?;
    }
    let questions = questions::questions_of_command(&asked.property, &asked.program)?;
    match (kind, sources.as_slice()) {
        (SubjectKind::System, [_]) if questions[0].monitor.is_some() => Err(BadInput(
            "a specification is about a program, and this is a transition system".to_owned(),
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
    asked: &CheckArguments,
    question: AskedQuestion,
    doubts: bool,
    sources: &[InputFile],
    budget: &EngineBudget,
    limits: &WorkerLimits,
    sender: &mut MessageSender,
) -> Result<WorkerResult, BadInput> {
    let input = asked.input.unwrap_or_default();
    let mut subject =
        AskedProgram { question, doubts, input, ..AskedProgram::from(&asked.program) };
    sender.send_phase(WorkPhase::Compile);
    let linking = asked.reproducer.is_some();
    let compiled = pipeline::compile_for_linking(&subject, budget.wall, linking);
    let mut compiled = match compiled {
        Ok(compiled) => compiled,
        Err(CompileFailure::BadInput(bad)) => return Err(bad),
        Err(CompileFailure::TooSlow(_)) => {
            let reason = UnknownReason::Time { limit: budget.limit };
            let done = undecided_check(
                asked,
                reason,
                &[],
                limits.start.elapsed(),
                worker::requested_style(),
            );
            return Ok(WorkerResult {
                stderr: slow_clang_message(budget.limit) + &done.stderr,
                ..done
            });
        }
        Err(CompileFailure::Mistake(what)) => return Ok(front_end_mistake(&what)),
    };
    let program = &compiled.program;
    let places = loops::loop_places(program);
    let (functions, loops) = (program.functions.len(), places.len());
    verbose::say_verbosely(&format!(
        "compiled: {functions} functions, {loops} loops in the user's"
    ));
    sender.send_loops(&places);
    sender.send_phase(WorkPhase::Explore);
    let mut stderr = String::new();
    let mut finding = ask_and_check(asked, &mut subject, program, budget, sender, &mut stderr);
    if compiled.hands_over && finding.verdict.claim().is_some_and(pipeline::doubts_externals) {
        verbose::say_verbosely(
            "a run that never ends must not rest on what is assumed of functions without a body",
        );
        let question = subject.question;
        return check_program_question(asked, question, true, sources, budget, limits, sender);
    }
    if finite_input::is_worth_asking(asked, &subject, &compiled, &finding) {
        let ask = |subject: &mut AskedProgram, program: &Program, budget: &EngineBudget| {
            ask_and_check(asked, subject, program, budget, sender, &mut String::new())
        };
        match finite_input::ask_with_finite_input(&subject, budget, limits.start, linking, ask) {
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
    let mut done =
        show_report(asked, (program, subject.ints), &finding, &others, &loops, limits, sources);
    done.code = code;
    done.stderr = stderr + &unproved + &done.stderr;
    if let Some(path) = &asked.certificate {
        let files = sources.iter().map(InputFile::identity).collect();
        let about = evidence::CertificateSubject::Program(subject.identity(files, &compiled));
        add_certificate(&mut done, path, about.clone(), &finding.verdict);
        for (number, other) in (2..).zip(&others) {
            add_certificate(&mut done, &outputs::numbered_path(path, number), about.clone(), other);
        }
    }
    if let Some(path) = &asked.reproducer {
        add_reproducer(&mut done, path, &subject, sources, &compiled, &finding.verdict);
    }
    if asked.graph.is_some() || asked.report.is_some() {
        let graph = finding.verdict.evidence().and_then(|evidence| {
            picture::picture_of_program(program, subject.ints, evidence, budget.deadline)
        });
        add_graph(&mut done, asked, graph.as_ref());
    }
    Ok(done)
}

/// Asks the engines and the checker about a program. What integers mean may come out of it.
fn ask_and_check(
    asked: &CheckArguments,
    subject: &mut AskedProgram,
    program: &Program,
    budget: &EngineBudget,
    sender: &mut MessageSender,
    stderr: &mut String,
) -> PortfolioAnswer {
    let answer = {
        let mut observer = observer(sender);
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
    *stderr += &refusals(&answer);
    answer
}

/// The engines that the user named.
fn engine_names(asked: &CheckArguments) -> Vec<EngineName> {
    asked.engine.iter().map(|engine| engine.name()).collect()
}

/// Tells the supervisor and, if asked, the user what the engines do.
fn observer(sender: &mut MessageSender) -> impl FnMut(PortfolioEvent<'_>) {
    let mut is_checking = false;
    move |event| {
        verbose::tell(&event);
        match event {
            PortfolioEvent::CheckBegins(_) => {
                is_checking = true;
                sender.send_phase(WorkPhase::Check);
            }
            PortfolioEvent::SliceBegins(..) if is_checking => {
                is_checking = false;
                sender.send_phase(WorkPhase::Search);
            }
            _ => {}
        }
    }
}

/// What is said where the checker refused evidence and nothing else was found.
fn refusals(answer: &PortfolioAnswer) -> String {
    let Verdict::Unknown(UnknownReason::Rejected { claim, why }) = &answer.verdict else {
        return String::new();
    };
    format!(
        "BUG: an engine claimed '{}' and the checker did not accept its evidence: {why}\n\
         BUG: the verdict is therefore 'unknown'; please report this, with the program\n",
        claim.json_word()
    )
}

/// Whether the question is also asked with integers that wrap around: about termination, if nobody said what integers
/// are, as competitions do, and no option ends the program at an overflow.
fn asks_with_wraparound(asked: &CheckArguments, subject: &AskedProgram) -> bool {
    let traps = ouro_c::target::requested_target(&subject.clang).is_ok_and(|asked| asked.traps);
    !traps
        && asked.program.ints.is_none()
        && subject.ints == IntegerSemantics::C
        && asked.property.prop.is_none()
        && !asked.termcomp
        && asked.engine.is_empty()
        && subject.question.identity.is_none()
}

/// A program that the front end reads wrongly: no verdict about it means anything.
pub(crate) fn front_end_mistake(what: &str) -> WorkerResult {
    let stderr =
        format!("error: Ouro failed: {what}; this is a mistake in Ouro, please report it\n");
    WorkerResult { code: exit::CRASH, stderr, ..WorkerResult::default() }
}

/// What is said where clang took all the time.
pub(crate) fn slow_clang_message(limit: Duration) -> String {
    format!("note: clang did not finish within {} s\n", limit.as_secs_f64())
}

/// The answer where a limit was reached, with the loops as far as they are known.
pub(crate) fn undecided_check(
    asked: &CheckArguments,
    reason: UnknownReason,
    places: &[SourcePlace],
    elapsed: Duration,
    style: TextStyle,
) -> WorkerResult {
    let kind = sources::subject_kind(&asked.program.files);
    let verdict = Verdict::Unknown(reason);
    let explanation = Explanation::default();
    let loops = loops::judge_loops(places, None, &verdict, &explanation);
    let report = VerdictReport {
        verdict: &verdict,
        others: &[],
        explanation: &explanation,
        engine: None,
        elapsed,
        about: match kind {
            Ok(SubjectKind::System) => ReportSubject::System(None),
            _ => ReportSubject::Program {
                function: &asked.program.function,
                ints: asked.program.integer_semantics(),
                program: None,
            },
        },
        loops: &loops,
        sources: &sources::source_texts(places.iter().map(|place| &place.file)),
    };
    let (stdout, findings) = print_answer(asked, &report, style);
    let (code, stderr) = match kind {
        Ok(SubjectKind::System) => exit::system_exit_code(asked.every_loop, &verdict),
        _ => exit::program_exit_code(asked.every_loop, &verdict, &loops),
    };
    WorkerResult { code, stdout, stderr, findings, ..WorkerResult::default() }
}

/// The report as it is asked for, and the witness.
fn show_report(
    asked: &CheckArguments,
    (program, ints): (&Program, IntegerSemantics),
    finding: &PortfolioAnswer,
    others: &[Verdict],
    loops: &[LoopReport],
    limits: &WorkerLimits,
    sources: &[InputFile],
) -> WorkerResult {
    let mut explanation = finding.explanation.clone();
    for assumption in program.assumptions.iter().rev() {
        if !explanation.assumptions.contains(assumption) {
            explanation.assumptions.insert(0, assumption.clone());
        }
    }
    let report = VerdictReport {
        verdict: &finding.verdict,
        others,
        explanation: &explanation,
        engine: finding.engine,
        elapsed: limits.start.elapsed(),
        about: ReportSubject::Program {
            function: &asked.program.function,
            ints,
            program: Some(program),
        },
        loops,
        sources: &sources::source_texts(&program.files),
    };
    let (stdout, findings) = print_answer(asked, &report, worker::requested_style());
    let mut done = WorkerResult { stdout, findings, ..WorkerResult::default() };
    let after_overflow = matches!(explanation.wrapping, Some(WraparoundBehaviour::Loops(_)));
    if let Some(path) = &asked.witness
        && after_overflow
    {
        note_not_written(&mut done, path, "by C's rules the run ends in an overflow");
    } else if let Some(path) = &asked.witness {
        match witness::witness_text(asked, path, &report, sources) {
            Ok(text) => done.files.push((path.clone(), text)),
            Err(why) => note_not_written(&mut done, path, why),
        }
    }
    done
}

/// The answer as it was asked for, and its findings. What is made from findings the supervisor writes.
pub(crate) fn print_answer(
    asked: &CheckArguments,
    report: &VerdictReport<'_>,
    style: TextStyle,
) -> (String, Vec<Found>) {
    let certificate = asked.certificate.as_ref().map(|path| path.display().to_string());
    let findings = findings_of_report(report, certificate.as_deref());
    let text = match asked.format {
        _ if asked.termcomp => ouro_report::termcomp_answer(report),
        ReportFormat::Text => ouro_report::report_text(report, style),
        ReportFormat::Json => ouro_report::report_json(report),
        ReportFormat::Sarif | ReportFormat::Junit => String::new(),
    };
    (text, findings)
}

/// Adds the certificate, or says that there is none.
fn add_certificate(
    done: &mut WorkerResult,
    path: &Path,
    about: evidence::CertificateSubject,
    verdict: &Verdict,
) {
    match (verdict.claim(), verdict.evidence()) {
        (Some(claim), Some(evidence)) => {
            let certificate = Certificate::new(about, claim.question(), evidence.clone());
            done.files.push((path.to_owned(), certificate.to_json()));
        }
        _ => note_not_written(done, path, "the verdict is 'unknown'"),
    }
}

/// Adds the reproducer, or says that there is none.
fn add_reproducer(
    done: &mut WorkerResult,
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
                let why = "the inputs in the loop depend on its state, as the certificate says";
                return note_not_written(done, path, why);
            }
        },
        Some(Evidence::Violation(_)) => return note_not_written(done, path, "the run ends"),
        _ => return note_not_written(done, path, "the verdict is not 'loops'"),
    };
    if let Some(why) = needs_a_caller(subject, &compiled.program) {
        return note_not_written(done, path, why);
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
    done.files.push((path.to_owned(), text));
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
        return Some("the function's pointers refer to objects that a caller has to make");
    }
    let free = program.globals.iter().any(|global| global.user && !global.constant);
    free.then_some("what is outside of functions has to hold certain values")
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
fn add_graph(done: &mut WorkerResult, asked: &CheckArguments, graph: Option<&RunDiagram>) {
    if let (Some(_), Some(graph)) = (&asked.report, graph) {
        picture::add_to_findings(&mut done.findings, graph);
    }
    match (&asked.graph, graph) {
        (Some(path), Some(graph)) => {
            done.files.push((path.clone(), picture::picture_text(graph, path)));
        }
        (Some(path), None) => note_not_written(done, path, "only a run that never ends is drawn"),
        (None, _) => {}
    }
}

fn note_not_written(done: &mut WorkerResult, path: &Path, why: &str) {
    done.stderr += &format!("note: {} was not written, because {why}\n", path.display());
}
