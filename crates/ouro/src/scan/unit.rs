//! A worker of `ouro scan`: the loops of one file, one after the other.
//!
//! It says first which loops there are, and then what became of each, as soon as that is known. Whoever
//! started it can so start another one where this one failed.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use ouro_c::LostLoop;
use ouro_evidence::SourceFile;
use ouro_evidence::certificate::sha256_hex;
use ouro_isolate::{CodeScope, ProgramEffects, address_taken_functions, has_one_entry};
use ouro_model::flow::{FunctionFlow, Loop};
use ouro_model::{Callee, Function, FunctionId, Instruction, Operand, Program, Span, Terminator};
use ouro_report::finding::{
    EvidenceStatus, FindingAnswer, FindingCertificate, FindingKind, ReportFinding, loop_fingerprint,
};
use ouro_report::schema::seconds;
use ouro_solver::clock;

use super::certificate::{LoopTerminationProof, new_loop_certificate};
use super::entry::scan_function;
use super::judge::{ScannedLoop, ScannedLoopFate, judge_loop};
use super::options::UnitOptions;
use crate::failure::Failure;
use crate::message::{MessageSender, Stage, UnitEnd, UnitPlan, WorkerMessage};
use crate::pipeline::{self, CompileFailure};
use crate::sources;
use crate::worker::JobLimits;

/// Looks at a file, or says why that is not possible.
pub(crate) fn scan_unit(
    asked: &UnitOptions,
    limits: &JobLimits,
    sender: &MessageSender,
) -> Result<UnitEnd, Failure> {
    if let Some(name) = &asked.entry {
        return scan_function(asked, name, limits, sender);
    }
    sender.enter(Stage::Lower);
    let list = std::env::temp_dir().join("headers.d");
    let mut clang = asked.clang.clone();
    clang.extend(["-MD".to_owned(), "-MF".to_owned(), list.display().to_string()]);
    let data_model = pipeline::choose_data_model(asked.data_model, &asked.clang);
    let compiled = pipeline::compile_unit(&asked.file, clang, data_model, limits.deadline());
    let (program, lost) = match compiled {
        Ok(compiled) => compiled,
        Err(CompileFailure::BadInput(bad) | CompileFailure::TooSlow(bad)) => return Err(bad.into()),
        Err(CompileFailure::Mistake(what)) => return Err(Failure::Internal(what)),
    };
    let files = headers_of_rule(&fs::read_to_string(&list).unwrap_or_default());
    let effects = ProgramEffects::of_program(&program, CodeScope::Project);
    let flows: Vec<FunctionFlow> =
        program.functions.iter().map(FunctionFlow::of_function).collect();
    let sources = sources::source_texts(&program.files);
    let mut all = plan_targets(asked, &program, &flows);
    all.extend(plan_lost_loops(asked, &program, &lost));
    let findings = all.iter().map(|planned| planned.finding.clone()).collect();
    let notes = list_uncovered_code(asked, &program);
    let _ = sender.send(&WorkerMessage::Plan(UnitPlan { read: files, findings, notes }));
    sender.enter(Stage::Prove);
    for number in asked.from..all.len() {
        let Some((index, found)) = all[number].about.clone() else { continue };
        let start = Instant::now();
        let flow = &flows[ouro_model::ids::TypedId::index(index)];
        let subject = ScannedLoop {
            program: &program,
            effects: &effects,
            function: index,
            flow,
            found: &found,
            sources: &sources,
        };
        let mut fate =
            judge_loop(&subject, asked.limits.memory, clock::budget_now() + asked.limits.timeout);
        if let ScannedLoopFate::Ends { argument, .. } = &mut fate {
            // Places are named as in the rest of the finding.
            *argument = argument.replace(&format!("{}/", asked.root.display()), "");
        }
        all[number].finding.seconds = seconds(start.elapsed());
        // The loops inside come first, and are entered from nowhere else if this one has one entry.
        let inner: Vec<usize> =
            (0..number).filter(|other| all[*other].is_inside(index, &found)).collect();
        let mut more: Vec<String> = Vec::new();
        let file = match &fate {
            ScannedLoopFate::Ends { proof, .. } if asked.certificates => {
                send_certificate(asked, flow, &found, &all[number].finding, proof, sender)
            }
            _ => None,
        };
        match &fate {
            ScannedLoopFate::Ends { with_inner: true, .. } if has_one_entry(flow, &found) => {
                for number in inner {
                    if all[number].finding.verdict == FindingAnswer::Unknown {
                        settle_finding(&mut all[number].finding, &fate, &[], file.clone());
                        let _ = sender.send(&all[number].judged(number));
                    }
                }
            }
            // What their own findings say is not assumed again.
            ScannedLoopFate::Ends { with_inner: false, .. } => {
                let ends = |one: &usize| all[*one].finding.verdict == FindingAnswer::Terminates;
                match inner.iter().all(ends) {
                    true => more.extend(
                        inner.iter().flat_map(|one| all[*one].finding.assumed.iter().cloned()),
                    ),
                    false => more.push("the loops inside it terminate".to_owned()),
                }
            }
            _ => {}
        }
        settle_finding(&mut all[number].finding, &fate, &more, file);
        let _ = sender.send(&all[number].judged(number));
    }
    Ok(UnitEnd::Complete)
}

/// Sends the certificate of a loop, and gives its name.
fn send_certificate(
    asked: &UnitOptions,
    flow: &FunctionFlow,
    found: &Loop,
    finding: &ReportFinding,
    proof: &LoopTerminationProof,
    sender: &MessageSender,
) -> Option<String> {
    let number = flow.loops().iter().position(|one| one.head == found.head)?;
    // As the user would name it from here.
    let here = std::env::current_dir().ok()?;
    let path = asked.file.strip_prefix(&here).unwrap_or(&asked.file).to_str()?.to_owned();
    let sha256 = sha256_hex(&fs::read(&asked.file).ok()?);
    let certificate = new_loop_certificate(
        SourceFile { path, sha256 },
        pipeline::choose_data_model(asked.data_model, &asked.clang),
        asked.clang.clone(),
        (&finding.function, finding.line, number),
        proof.clone(),
    );
    let name = asked.file.strip_prefix(&asked.root).unwrap_or(&asked.file).to_str()?;
    let stem = name.replace(|letter: char| !letter.is_ascii_alphanumeric(), "-");
    let name = format!("{stem}-{}-{number}.json", finding.function);
    let text = certificate.text(asked.file.to_str()?)?;
    sender.send(&WorkerMessage::Certificate { name: name.clone(), text }).ok()?;
    Some(name)
}

/// Writes into a finding what became of a loop, what is assumed beside that, and the file of the certificate.
fn settle_finding(
    finding: &mut ReportFinding,
    fate: &ScannedLoopFate,
    more: &[String],
    file: Option<String>,
) {
    match fate {
        ScannedLoopFate::Ends { argument, proof, .. } => {
            finding.verdict = FindingAnswer::Terminates;
            finding.argument = Some(argument.clone());
            finding.assumed = more.iter().chain(proof.rests_on()).cloned().collect();
            let mut seen = BTreeSet::new();
            finding.assumed.retain(|one| seen.insert(one.clone()));
            finding.reason = None;
            finding.timed_out = false;
            finding.certificate = FindingCertificate { status: EvidenceStatus::Accepted, file };
        }
        ScannedLoopFate::Unknown(reason) => finding.reason = Some(reason.clone()),
        ScannedLoopFate::OutOfTime(what) => {
            finding.timed_out = true;
            finding.reason = Some(format!("out of time while {what}; allow more with --timeout"));
        }
    }
}

/// Something to be looked at.
struct PlannedTarget {
    finding: ReportFinding,
    /// The loop; none for a recursion, of which nothing is said here, and for a loop that is not in the program.
    about: Option<(FunctionId, Loop)>,
}

impl PlannedTarget {
    /// Whether it is a loop inside another one.
    fn is_inside(&self, function: FunctionId, around: &Loop) -> bool {
        self.about.as_ref().is_some_and(|(other, inner)| {
            *other == function && inner.head != around.head && around.body.contains(&inner.head)
        })
    }

    /// What is said about it.
    fn judged(&self, number: usize) -> WorkerMessage {
        WorkerMessage::Judged { number, finding: Box::new(self.finding.clone()) }
    }
}

/// The loops of a file, small ones first, so that what is inside is known before what is around it; then
/// the functions that call themselves.
fn plan_targets(
    asked: &UnitOptions,
    program: &Program,
    flows: &[FunctionFlow],
) -> Vec<PlannedTarget> {
    let mut all = Vec::new();
    let targets = address_taken_functions(program);
    for (id, function) in program.functions.enumerate() {
        if !function.user {
            continue;
        }
        let Some(file) = project_file(asked, program, function.span) else { continue };
        let text = fs::read_to_string(asked.root.join(&file)).unwrap_or_default();
        let line = |number: u32| text.lines().nth(number.saturating_sub(1) as usize).unwrap_or("");
        let flow = &flows[ouro_model::ids::TypedId::index(id)];
        let mut loops: Vec<&Loop> = flow.loops().iter().collect();
        loops.sort_by_key(|found| (found.span.line, found.span.column, found.head));
        let mut own = Vec::new();
        for (ordinal, found) in loops.into_iter().enumerate() {
            let file = project_file(asked, program, found.span).unwrap_or_else(|| file.clone());
            let head = line(found.span.line);
            own.push(PlannedTarget {
                finding: ReportFinding {
                    fingerprint: loop_fingerprint(&function.name, ordinal, head),
                    ..undecided_finding(file, found.span, &function.name, FindingKind::Loop)
                },
                about: Some((id, found.clone())),
            });
        }
        own.sort_by_key(|one| one.about.as_ref().map_or(0, |(_, found)| found.body.len()));
        all.extend(own);
        if calls_itself(program, id, &targets) {
            let head = line(function.span.line);
            let reason = "no termination argument found for the recursion";
            all.push(PlannedTarget {
                finding: ReportFinding {
                    fingerprint: loop_fingerprint(&function.name, usize::MAX, head),
                    reason: Some(reason.to_owned()),
                    ..undecided_finding(file, function.span, &function.name, FindingKind::Recursion)
                },
                about: None,
            });
        }
    }
    all
}

/// Loops that are not in the program: nothing is known about them, and they count.
fn plan_lost_loops(
    asked: &UnitOptions,
    program: &Program,
    lost: &[LostLoop],
) -> Vec<PlannedTarget> {
    let mut lost: Vec<&LostLoop> = lost.iter().collect();
    lost.sort();
    let mut all = Vec::new();
    for one in lost {
        let file = project_file(asked, program, one.span)
            .or_else(|| project_file(asked, program, one.function_span));
        let Some(file) = file else { continue };
        let text = fs::read_to_string(asked.root.join(&file)).unwrap_or_default();
        let head = text.lines().nth(one.span.line.saturating_sub(1) as usize).unwrap_or("");
        let finding = ReportFinding {
            fingerprint: loop_fingerprint(&one.function, usize::MAX - 1, head),
            reason: Some(format!("Ouro does not support {}", one.because)),
            ..undecided_finding(file, one.span, &one.function, FindingKind::Loop)
        };
        all.push(PlannedTarget { finding, about: None });
    }
    all
}

/// A finding about what was not looked at yet.
fn undecided_finding(file: String, span: Span, function: &str, kind: FindingKind) -> ReportFinding {
    ReportFinding {
        reason: Some("it was not checked".to_owned()),
        ..ReportFinding::new_undecided(file, span.line, span.column, function, kind)
    }
}

/// The file of a place: relative to the project if it is in its folder, else in full. `None` if it is none of the
/// project's: a header of the system. A name that leads nowhere, as generated code has it (`#line`), stays as it is.
fn project_file(asked: &UnitOptions, program: &Program, span: Span) -> Option<String> {
    let name = span.is_known().then(|| program.files.get(span.file.0 as usize))??;
    let folder = asked.file.parent().unwrap_or(Path::new("."));
    let full = [PathBuf::from(name), folder.join(name)];
    let full = full.iter().find_map(|path| fs::canonicalize(path).ok());
    let full = full.unwrap_or_else(|| PathBuf::from(name));
    let foreign = is_of_the_system(&full) && !is_of_the_system(&asked.root);
    if full != asked.file && (foreign || is_foreign(asked, &full)) {
        return None;
    }
    full.strip_prefix(&asked.root).unwrap_or(&full).to_str().map(str::to_owned)
}

/// Whether a file lies where the system keeps its headers.
fn is_of_the_system(file: &Path) -> bool {
    const FOLDERS: [&str; 4] = ["/usr/include", "/usr/lib", "/usr/local/include", "/usr/local/lib"];
    FOLDERS.iter().any(|folder| file.starts_with(folder))
}

/// Whether a file is outside of the project, in a folder that is said to be of the system (`-isystem`).
fn is_foreign(asked: &UnitOptions, file: &Path) -> bool {
    let mut folders = asked.clang.windows(2).filter(|words| words[0] == "-isystem");
    !file.starts_with(&asked.root)
        && folders.any(|words| fs::canonicalize(&words[1]).is_ok_and(|one| file.starts_with(one)))
}

/// What the front end does not cover: code behind it is not in the program, and loops there have no finding.
fn list_uncovered_code(asked: &UnitOptions, program: &Program) -> Vec<String> {
    let mut notes = Vec::new();
    for function in program.functions.iter().filter(|function| function.user) {
        for block in function.blocks.iter() {
            if let Terminator::Limit(what) = &block.terminator
                && let Some(file) = project_file(asked, program, function.span)
            {
                let (line, name) = (block.span.line.max(function.span.line), &function.name);
                notes.push(format!(
                    "{file}:{line} in {name}: Ouro does not support {what} and did not check the \
                     code after it"
                ));
            }
        }
    }
    notes
}

/// Whether a function can call itself, directly or through others of the file; a pointer may lead to any function whose
/// address somebody has and that takes such arguments.
fn calls_itself(program: &Program, function: FunctionId, targets: &BTreeSet<FunctionId>) -> bool {
    let takes = |caller: &Function, id: FunctionId, args: &[Operand]| {
        let called = &program.functions[id];
        let given = args.iter().map(|arg| caller.type_of(*arg));
        called.user && given.eq(called.params.iter().map(|param| Some(called.vars[*param].ty)))
    };
    let called = |function: &Function| -> Vec<FunctionId> {
        let statements = function.blocks.iter().flat_map(|block| &block.statements);
        let mut all = Vec::new();
        for statement in statements {
            match &statement.instruction {
                Instruction::Call { callee: Callee::Function(id), .. } => all.push(*id),
                Instruction::Call { callee: Callee::Pointer(_), args, .. } => {
                    all.extend(targets.iter().filter(|id| takes(function, **id, args)));
                }
                _ => {}
            }
        }
        all
    };
    let mut seen = BTreeSet::new();
    let mut pending = called(&program.functions[function]);
    while let Some(next) = pending.pop() {
        if next == function {
            return true;
        }
        if seen.insert(next) {
            pending.extend(called(&program.functions[next]));
        }
    }
    false
}

/// The files that clang read, from the rule for `make` that it wrote.
fn headers_of_rule(rule: &str) -> Vec<PathBuf> {
    let text = rule.replace("\\\n", " ");
    let Some((_, list)) = text.split_once(": ") else { return Vec::new() };
    let mut files = Vec::new();
    let mut name = String::new();
    let mut letters = list.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' if letters.peek() == Some(&' ') => name.extend(letters.next()),
            '$' if letters.peek() == Some(&'$') => name.extend(letters.next()),
            letter if letter.is_whitespace() => {
                if !name.is_empty() {
                    files.push(PathBuf::from(std::mem::take(&mut name)));
                }
            }
            letter => name.push(letter),
        }
    }
    if !name.is_empty() {
        files.push(PathBuf::from(name));
    }
    files
}

#[cfg(test)]
mod tests {
    use super::headers_of_rule;
    use std::path::PathBuf;

    #[test]
    fn a_rule_for_make_names_the_files() {
        let files = headers_of_rule("a.o: a.c b.h \\\n  my\\ dir/c.h \\\n  d$$.h\n");
        let names = ["a.c", "b.h", "my dir/c.h", "d$.h"];
        assert_eq!(files, names.map(PathBuf::from));
        assert!(headers_of_rule("").is_empty());
    }
}
