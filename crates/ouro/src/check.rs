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
    self as evidence, Certificate, ClosedSet, Evidence, Explanation, InputOfRun, Ints, Place,
    Reason, Recurrence, Verdict, Wrapping,
};
use ouro_model::Program;
use ouro_portfolio::{EngineName, PortfolioAnswer, PortfolioEvent, prove_program_also_wrapping};
use ouro_report::graph::Graph;
use ouro_report::reproducer::{self, reproducer};
use ouro_report::{About, Finding as Found, LoopReport, Report, Style, findings, loops};

use crate::arguments::{Check, ReportFormat};
use crate::exit::{self, BadInput};
use crate::message::{Done, Phase, Sender};
use crate::outputs;
use crate::picture;
use crate::pipeline::{self, Budget, Compiled, NotCompiled, Subject};
use crate::questions::{self, Demand};
use crate::sources::{self, Kind, Source};
use crate::verbose;
use crate::worker::{self, Limits};

/// Names a folder for the solver's queries; the solver looks at it itself.
const LOG_VARIABLE: &str = "OURO_LOG";

/// Answers the question.
pub(crate) fn check(asked: &Check, limits: &Limits, sender: &mut Sender) -> Done {
    match answer(asked, limits, sender) {
        Ok(done) => done,
        Err(bad) => Done { code: exit::BAD_INPUT, stderr: format!("{bad}\n"), ..Done::default() },
    }
}

fn answer(asked: &Check, limits: &Limits, sender: &mut Sender) -> Result<Done, BadInput> {
    let kind = sources::kind(&asked.program.files)?;
    let outputs = [&asked.certificate, &asked.reproducer, &asked.witness, &asked.graph];
    let outputs: Vec<&PathBuf> = outputs.into_iter().flatten().collect();
    outputs::refuse_hopeless(&outputs, &asked.program.files)?;
    outputs::refuse_folder(asked.report.as_deref())?;
    if let Some(path) = &asked.graph {
        picture::refuse_unknown_form(path)?;
    }
    let sources = sources::read(kind, &asked.program.files)?;
    let budget = Budget {
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
    let questions = questions::asked(&asked.property, &asked.program)?;
    match (kind, sources.as_slice()) {
        (Kind::System, [_]) if questions[0].monitor.is_some() => Err(BadInput(
            "a specification is about a program, and this is a transition system".to_owned(),
        )),
        (Kind::System, [source]) => system::answer(asked, source, &budget, limits, sender),
        _ => several::answer(
            questions,
            asked,
            |question, deadline| {
                let budget = Budget { deadline, ..budget.clone() };
                program(asked, question, false, &sources, &budget, limits, sender)
            },
            &budget,
        ),
    }
}

/// Answers a question about a program; with doubts, functions without a body may change what they are handed.
fn program(
    asked: &Check,
    question: Demand,
    doubts: bool,
    sources: &[Source],
    budget: &Budget,
    limits: &Limits,
    sender: &mut Sender,
) -> Result<Done, BadInput> {
    let input = asked.input.unwrap_or_default();
    let mut subject = Subject { question, doubts, input, ..Subject::from(&asked.program) };
    sender.phase(Phase::Compile);
    let linking = asked.reproducer.is_some();
    let compiled = pipeline::compile_for_linking(&subject, budget.wall, linking);
    let mut compiled = match compiled {
        Ok(compiled) => compiled,
        Err(NotCompiled::BadInput(bad)) => return Err(bad),
        Err(NotCompiled::TooSlow(_)) => {
            let reason = Reason::Time { limit: budget.limit };
            let done = undecided(asked, reason, &[], limits.start.elapsed(), worker::style());
            return Ok(Done { stderr: slow_clang(budget.limit) + &done.stderr, ..done });
        }
        Err(NotCompiled::Mistake(what)) => return Ok(mistake(&what)),
    };
    let program = &compiled.program;
    let places = loops::places(program);
    let (functions, loops) = (program.functions.len(), places.len());
    verbose::say(&format!("compiled: {functions} functions, {loops} loops in the user's"));
    sender.loops(&places);
    sender.phase(Phase::Explore);
    let mut stderr = String::new();
    let mut finding = answered(asked, &mut subject, program, budget, sender, &mut stderr);
    if compiled.hands_over && finding.verdict.claim().is_some_and(pipeline::doubts) {
        verbose::say(
            "a run that never ends must not rest on what is assumed of functions without a body",
        );
        let question = subject.question;
        return self::program(asked, question, true, sources, budget, limits, sender);
    }
    if finite_input::is_worth_asking(asked, &subject, &compiled, &finding) {
        let ask = |subject: &mut Subject, program: &Program, budget: &Budget| {
            answered(asked, subject, program, budget, sender, &mut String::new())
        };
        match finite_input::look(&subject, budget, limits.start, linking, ask) {
            Some(found) => (subject, compiled, finding) = found,
            None => finding.explanation.input = Some(InputOfRun::Endless),
        }
    }
    let program = &compiled.program;
    let others = match (&finding.verdict, &subject.question.identity) {
        (Verdict::Violated(_), Some(evidence::Specification::Slic { .. })) => {
            sites::others(program, subject.ints, &finding.verdict, budget, limits.start.elapsed())
        }
        // A formula is broken by a run, not by a call.
        _ => Vec::new(),
    };
    let loops = loops::judged(&places, Some(program), &finding.verdict, &finding.explanation);
    let (code, unproved) = exit::of_program(asked.every_loop, &finding.verdict, &loops);
    let mut done =
        shown(asked, (program, subject.ints), &finding, &others, &loops, limits, sources);
    done.code = code;
    done.stderr = stderr + &unproved + &done.stderr;
    if let Some(path) = &asked.certificate {
        let files = sources.iter().map(Source::identity).collect();
        let about = evidence::Subject::Program(subject.identity(files, &compiled));
        add_certificate(&mut done, path, about.clone(), &finding.verdict);
        for (number, other) in (2..).zip(&others) {
            add_certificate(&mut done, &outputs::numbered(path, number), about.clone(), other);
        }
    }
    if let Some(path) = &asked.reproducer {
        add_reproducer(&mut done, path, &subject, sources, &compiled, &finding.verdict);
    }
    if asked.graph.is_some() || asked.report.is_some() {
        let graph = finding.verdict.evidence().and_then(|evidence| {
            picture::of_program(program, subject.ints, evidence, budget.deadline)
        });
        add_graph(&mut done, asked, graph.as_ref());
    }
    Ok(done)
}

/// Asks the engines and the checker about a program. What integers mean may come out of it.
fn answered(
    asked: &Check,
    subject: &mut Subject,
    program: &Program,
    budget: &Budget,
    sender: &mut Sender,
    stderr: &mut String,
) -> PortfolioAnswer {
    let answer = {
        let mut observer = observer(sender);
        match asks_besides(asked, subject) {
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
fn engine_names(asked: &Check) -> Vec<EngineName> {
    asked.engine.iter().map(|engine| engine.name()).collect()
}

/// Tells the supervisor and, if asked, the user what the engines do.
fn observer(sender: &mut Sender) -> impl FnMut(PortfolioEvent<'_>) {
    let mut is_checking = false;
    move |event| {
        verbose::tell(&event);
        match event {
            PortfolioEvent::CheckBegins(_) => {
                is_checking = true;
                sender.phase(Phase::Check);
            }
            PortfolioEvent::SliceBegins(..) if is_checking => {
                is_checking = false;
                sender.phase(Phase::Search);
            }
            _ => {}
        }
    }
}

/// What is said where the checker refused evidence and nothing else was found.
fn refusals(answer: &PortfolioAnswer) -> String {
    let Verdict::Unknown(Reason::Rejected { claim, why }) = &answer.verdict else {
        return String::new();
    };
    format!(
        "BUG: an engine claimed '{}' and the checker did not accept its evidence: {why}\n\
         BUG: the verdict is therefore 'unknown'; please report this, with the program\n",
        claim.word()
    )
}

/// Whether the question is also asked with integers that wrap around: about termination, if nobody said what integers
/// are, as competitions do, and no option ends the program at an overflow.
fn asks_besides(asked: &Check, subject: &Subject) -> bool {
    let traps = ouro_c::target::asked(&subject.clang).is_ok_and(|asked| asked.traps);
    !traps
        && asked.program.ints.is_none()
        && subject.ints == Ints::C
        && asked.property.prop.is_none()
        && !asked.termcomp
        && asked.engine.is_empty()
        && subject.question.identity.is_none()
}

/// A program that the front end reads wrongly: no verdict about it means anything.
pub(crate) fn mistake(what: &str) -> Done {
    let stderr =
        format!("error: Ouro failed: {what}; this is a mistake in Ouro, please report it\n");
    Done { code: exit::CRASH, stderr, ..Done::default() }
}

/// What is said where clang took all the time.
pub(crate) fn slow_clang(limit: Duration) -> String {
    format!("note: clang did not finish within {} s\n", limit.as_secs_f64())
}

/// The answer where a limit was reached, with the loops as far as they are known.
pub(crate) fn undecided(
    asked: &Check,
    reason: Reason,
    places: &[Place],
    elapsed: Duration,
    style: Style,
) -> Done {
    let kind = sources::kind(&asked.program.files);
    let verdict = Verdict::Unknown(reason);
    let explanation = Explanation::default();
    let loops = loops::judged(places, None, &verdict, &explanation);
    let report = Report {
        verdict: &verdict,
        others: &[],
        explanation: &explanation,
        engine: None,
        elapsed,
        about: match kind {
            Ok(Kind::System) => About::System(None),
            _ => About::Program {
                function: &asked.program.function,
                ints: asked.program.ints(),
                program: None,
            },
        },
        loops: &loops,
        sources: &sources::texts(places.iter().map(|place| &place.file)),
    };
    let (stdout, findings) = printed(asked, &report, style);
    let (code, stderr) = match kind {
        Ok(Kind::System) => exit::of_system(asked.every_loop, &verdict),
        _ => exit::of_program(asked.every_loop, &verdict, &loops),
    };
    Done { code, stdout, stderr, findings, ..Done::default() }
}

/// The report as it is asked for, and the witness.
fn shown(
    asked: &Check,
    (program, ints): (&Program, Ints),
    finding: &PortfolioAnswer,
    others: &[Verdict],
    loops: &[LoopReport],
    limits: &Limits,
    sources: &[Source],
) -> Done {
    let mut explanation = finding.explanation.clone();
    for assumption in program.assumptions.iter().rev() {
        if !explanation.assumptions.contains(assumption) {
            explanation.assumptions.insert(0, assumption.clone());
        }
    }
    let report = Report {
        verdict: &finding.verdict,
        others,
        explanation: &explanation,
        engine: finding.engine,
        elapsed: limits.start.elapsed(),
        about: About::Program { function: &asked.program.function, ints, program: Some(program) },
        loops,
        sources: &sources::texts(&program.files),
    };
    let (stdout, findings) = printed(asked, &report, worker::style());
    let mut done = Done { stdout, findings, ..Done::default() };
    let after_overflow = matches!(explanation.wrapping, Some(Wrapping::Loops(_)));
    if let Some(path) = &asked.witness
        && after_overflow
    {
        not_written(&mut done, path, "by C's rules the run ends in an overflow");
    } else if let Some(path) = &asked.witness {
        match witness::text(asked, path, &report, sources) {
            Ok(text) => done.files.push((path.clone(), text)),
            Err(why) => not_written(&mut done, path, why),
        }
    }
    done
}

/// The answer as it was asked for, and its findings. What is made from findings the supervisor writes.
pub(crate) fn printed(asked: &Check, report: &Report<'_>, style: Style) -> (String, Vec<Found>) {
    let certificate = asked.certificate.as_ref().map(|path| path.display().to_string());
    let findings = findings(report, certificate.as_deref());
    let text = match asked.format {
        _ if asked.termcomp => ouro_report::termcomp(report),
        ReportFormat::Text => ouro_report::text(report, style),
        ReportFormat::Json => ouro_report::json(report),
        ReportFormat::Sarif | ReportFormat::Junit => String::new(),
    };
    (text, findings)
}

/// Adds the certificate, or says that there is none.
fn add_certificate(done: &mut Done, path: &Path, about: evidence::Subject, verdict: &Verdict) {
    match (verdict.claim(), verdict.evidence()) {
        (Some(claim), Some(evidence)) => {
            let certificate = Certificate::new(about, claim.question(), evidence.clone());
            done.files.push((path.to_owned(), certificate.to_json()));
        }
        _ => not_written(done, path, "the verdict is 'unknown'"),
    }
}

/// Adds the reproducer, or says that there is none.
fn add_reproducer(
    done: &mut Done,
    path: &Path,
    subject: &Subject,
    sources: &[Source],
    compiled: &Compiled,
    verdict: &Verdict,
) {
    let recurrence = match verdict.evidence() {
        Some(Evidence::Recurs(recurrence)) => recurrence.clone(),
        Some(Evidence::Closed(set)) => match as_recurrence(set) {
            Some(recurrence) => recurrence,
            None => {
                let why = "the inputs in the loop depend on its state, as the certificate says";
                return not_written(done, path, why);
            }
        },
        Some(Evidence::Violation(_)) => return not_written(done, path, "the run ends"),
        _ => return not_written(done, path, "the verdict is not 'loops'"),
    };
    if let Some(why) = needs_a_caller(subject, &compiled.program) {
        return not_written(done, path, why);
    }
    let names: Vec<String> = sources.iter().map(|source| source.name.clone()).collect();
    let wraps = (subject.ints == Ints::Wrap).then(|| "-fwrapv".to_owned());
    let options: Vec<String> = wraps.into_iter().chain(subject.clang.iter().cloned()).collect();
    let text = reproducer(
        &recurrence,
        &reproducer::Subject {
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
fn needs_a_caller(subject: &Subject, program: &Program) -> Option<&'static str> {
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
fn as_recurrence(set: &ClosedSet) -> Option<Recurrence> {
    let first = set.heads.first()?;
    let any = set.heads.iter().all(|head| head.choices.is_empty());
    any.then(|| Recurrence {
        inputs: set.inputs.clone(),
        first_step: set.step,
        second_step: set.step + 1,
        cycle_inputs: set.inputs.len(),
        place: first.place.clone(),
        recursion: set.recursion,
    })
}

/// Adds the picture where it is asked for, or says that there is none.
fn add_graph(done: &mut Done, asked: &Check, graph: Option<&Graph>) {
    if let (Some(_), Some(graph)) = (&asked.report, graph) {
        picture::add_to(&mut done.findings, graph);
    }
    match (&asked.graph, graph) {
        (Some(path), Some(graph)) => {
            done.files.push((path.clone(), picture::written(graph, path)));
        }
        (Some(path), None) => not_written(done, path, "only a run that never ends is drawn"),
        (None, _) => {}
    }
}

fn not_written(done: &mut Done, path: &Path, why: &str) {
    done.stderr += &format!("note: {} was not written, because {why}\n", path.display());
}
