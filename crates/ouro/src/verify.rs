//! `ouro verify`, in the worker: the files are read afresh and the checker asked again.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use ouro_evidence::{self as evidence, Certificate, Claim};

use crate::arguments::VerifyArguments;
use crate::exit::{self, BadInput};
use crate::message::{MessageSender, WorkPhase, WorkerResult};
use crate::pipeline::{self, AskedProgram, CheckerRefusal, CompileFailure};
use crate::questions;
use crate::scan::certificate::{LoopCertificate, LoopJudgement};
use crate::sources::{self, SubjectKind};
use crate::worker::WorkerLimits;
use crate::{attach, check};

mod opinion;

/// Certificates are small; whatever is larger is something else.
const LARGEST: u64 = 1 << 30;

/// Answers whether the certificate holds.
pub(crate) fn verify_in_worker(
    asked: &VerifyArguments,
    limits: &WorkerLimits,
    sender: &mut MessageSender,
) -> WorkerResult {
    let refused = |bad: &BadInput| WorkerResult {
        code: exit::BAD_INPUT,
        stderr: format!("{bad}\n"),
        ..WorkerResult::default()
    };
    // The folder may be another one afterwards.
    let certificate = std::path::absolute(&asked.certificate);
    let second =
        match asked.solver.map(|solver| opinion::start_second_opinion(solver, limits.deadline())) {
            Some(Err(bad)) => return refused(&bad),
            Some(Ok(second)) => Some(second),
            None => None,
        };
    let done = answer_verify(asked, limits, sender).unwrap_or_else(|bad| refused(&bad));
    match second {
        Some(second) => {
            second.judge_result(done, &certificate.unwrap_or_default(), &asked.certificate)
        }
        None => done,
    }
}

fn answer_verify(
    asked: &VerifyArguments,
    limits: &WorkerLimits,
    sender: &mut MessageSender,
) -> Result<WorkerResult, BadInput> {
    let path = &asked.certificate;
    let refuse = |what: String| BadInput(format!("{}: {what}", path.display()));
    let text = read_certificate(path)?;
    if let Some(certificate) = parse_process_certificate(path, &text)? {
        return verify_process(asked, &certificate, limits, sender);
    }
    if let Some(certificate) = LoopCertificate::parse(path, &text)? {
        return verify_loop(asked, &certificate, limits, sender);
    }
    if asked.snapshot.is_some() || asked.core.is_some() {
        return Err(refuse(
            "it is not about a process: leave out --snapshot and --core".to_owned(),
        ));
    }
    let certificate = parse_certificate(path, &text)?;
    let named = certificate.subject.source_files();
    let files: Vec<PathBuf> = named.iter().map(|file| PathBuf::from(&file.path)).collect();
    let specification = match &certificate.subject {
        evidence::CertificateSubject::Program(identity) => identity.specification.as_ref(),
        evidence::CertificateSubject::System(_) => None,
    };
    let mut needed = files.clone();
    needed.extend(questions::specification_files(specification));
    enter_folder_of_sources(path, &needed)
        .map_err(|error| refuse(format!("its folder cannot be entered: {error}")))?;
    let kind = match &certificate.subject {
        evidence::CertificateSubject::Program(_) => SubjectKind::Program,
        evidence::CertificateSubject::System(_) => SubjectKind::System,
    };
    let sources = sources::read_input_files(kind, &files)?;
    for (source, named) in sources.iter().zip(named) {
        if source.identity().sha256 != named.sha256 {
            return Err(refuse(format!(
                "it is not about {} as it is now: the file has changed since",
                named.path
            )));
        }
    }
    let mut assumed = Vec::new();
    let judged = match (&certificate.subject, sources.as_slice()) {
        (evidence::CertificateSubject::System(file), [source]) => {
            sender.send_phase(WorkPhase::Read);
            let system = pipeline::parse_system_text(Path::new(&file.path), source.text()?)?;
            sender.send_phase(WorkPhase::Check);
            pipeline::ask_checker_about_system(&system, &certificate.evidence, limits.deadline())
                .map(|()| Vec::new())
        }
        (evidence::CertificateSubject::System(_), _) => {
            return Err(refuse("it has no file".to_owned()));
        }
        (evidence::CertificateSubject::Program(identity), _) => {
            let mut subject = AskedProgram::from(identity);
            subject.doubts = pipeline::doubts_externals(certificate.verdict);
            if let Some(specification) = specification {
                subject.question = questions::question_of_certificate(specification)?;
            }
            sender.send_phase(WorkPhase::Compile);
            let program = match pipeline::compile_subject(&subject, limits.deadline()) {
                Ok(program) => program,
                Err(CompileFailure::BadInput(bad)) => return Err(bad),
                Err(CompileFailure::TooSlow(_)) => return Ok(undecided_verify(asked)),
                Err(CompileFailure::Mistake(what)) => return Ok(check::front_end_mistake(&what)),
            };
            sender.send_phase(WorkPhase::Check);
            assumed.clone_from(&program.assumptions);
            let Certificate { verdict, evidence, .. } = &certificate;
            let ints = subject.ints;
            pipeline::ask_checker_for_undefined(
                &program,
                ints,
                *verdict,
                evidence,
                limits.deadline(),
            )
            .map(|undefined| {
                ouro_report::undefined::undefined_assumptions(&undefined, Some(&program))
            })
        }
    };
    let word = certificate.verdict.json_word();
    let said = |code, stdout| Ok(WorkerResult { code, stdout, ..WorkerResult::default() });
    match judged {
        Ok(undefined) => {
            let mut text =
                format!("accepted: {word}\n    checked: {}\n", describe_meaning(&certificate));
            for assumed in assumed.iter().chain(&undefined) {
                text += &format!("    assumed: {assumed}\n");
            }
            said(exit::TERMINATES, text)
        }
        Err(CheckerRefusal::Rejected(why) | CheckerRefusal::TooMuchWork(why)) => {
            Err(refuse(format!("not accepted: {why}")))
        }
        Err(CheckerRefusal::Undecided) => Ok(undecided_verify(asked)),
    }
}

/// There was not enough time.
fn undecided_verify(asked: &VerifyArguments) -> WorkerResult {
    let limit = asked.limits.timeout.as_secs_f64();
    let stdout = format!("not decided: the time limit of {limit} s was reached\n");
    WorkerResult { code: exit::UNKNOWN, stdout, ..WorkerResult::default() }
}

/// What the claim is about, and how its text was read: all that the verdict depends on.
fn describe_meaning(certificate: &Certificate) -> String {
    let files: Vec<&str> =
        certificate.subject.source_files().iter().map(|file| file.path.as_str()).collect();
    let files = files.join(" ");
    let identity = match &certificate.subject {
        evidence::CertificateSubject::System(_) => {
            return format!("the transition system of {files}, its integers without bounds");
        }
        evidence::CertificateSubject::Program(identity) => identity,
    };
    let evidence::ProgramIdentity { function, data_model, ints, externs, allocations, .. } =
        identity;
    let runs = match certificate.verdict {
        Claim::Terminates | Claim::Holds => "every run of",
        Claim::Loops | Claim::Violated => "a run of",
    };
    let specification =
        if identity.specification.is_some() { " with its specification" } else { "" };
    format!(
        "{runs} {function} of {files}{specification}; --ints {ints} --data-model {data_model} \
         --externs {externs} --allocations {allocations}{}",
        clang_options(&identity.clang_args)
    )
}

fn clang_options(options: &[String]) -> String {
    if options.is_empty() { String::new() } else { format!(" -- {}", options.join(" ")) }
}

/// Asks the checker about a single loop, and says what its proof rests on.
fn verify_loop(
    asked: &VerifyArguments,
    certificate: &LoopCertificate,
    limits: &WorkerLimits,
    sender: &mut MessageSender,
) -> Result<WorkerResult, BadInput> {
    let path = &asked.certificate;
    let files = [PathBuf::from(&certificate.file.path)];
    enter_folder_of_sources(path, &files).map_err(|error| {
        BadInput(format!("{}: its folder cannot be entered: {error}", path.display()))
    })?;
    sender.send_phase(WorkPhase::Check);
    let said = |code, stdout| Ok(WorkerResult { code, stdout, ..WorkerResult::default() });
    match certificate.check_again(path, limits.deadline())? {
        LoopJudgement::Accepted => {
            let LoopCertificate { file, line, function, data_model, clang_args, .. } = certificate;
            let mut text =
                format!("accepted: the loop at {}:{line} in {function} terminates\n", file.path);
            text += &format!(
                "    checked: on its own, from any state, if its calls return; --ints c --data-model \
                 {data_model}{}\n",
                clang_options(clang_args)
            );
            for assumed in certificate.own_assumptions() {
                text += &format!("    assumed: {assumed}\n");
            }
            said(exit::TERMINATES, text)
        }
        LoopJudgement::Undecided => Ok(undecided_verify(asked)),
        LoopJudgement::Failed(what) => Ok(check::front_end_mistake(&what)),
    }
}

/// The certificate of a process, if it is one.
fn parse_process_certificate(
    path: &Path,
    text: &str,
) -> Result<Option<ouro_attach::ProcessCertificate>, BadInput> {
    let found: Option<serde_json::Value> = serde_json::from_str(text).ok();
    if found.is_none_or(|found| found.get("pid").is_none()) {
        return Ok(None);
    }
    let certificate = serde_json::from_str(text).map_err(|error| {
        let what = format!("it is not a valid certificate of a process: {error}");
        BadInput(format!("{}: {what}", path.display()))
    })?;
    Ok(Some(certificate))
}

/// Asks the checker of processes, on the snapshot or core that is named beside the certificate.
fn verify_process(
    asked: &VerifyArguments,
    certificate: &ouro_attach::ProcessCertificate,
    limits: &WorkerLimits,
    sender: &mut MessageSender,
) -> Result<WorkerResult, BadInput> {
    let path = &asked.certificate;
    sender.send_phase(WorkPhase::Read);
    let snapshot = match (&asked.snapshot, &asked.core) {
        (Some(snapshot), _) => ouro_process::load_snapshot(snapshot),
        (None, Some(core)) => ouro_process::from_core(core, asked.exe.as_deref()),
        (None, None) => {
            return Err(BadInput(format!(
                "{0}: it is about process {1}, at one moment: name what was seen then, with \
                 `ouro verify {0} --snapshot FILE` (the file that `ouro attach --save` wrote) or \
                 `--core FILE`",
                path.display(),
                certificate.pid
            )));
        }
    };
    let snapshot = snapshot.map_err(|error| BadInput(error.to_string()))?;
    sender.send_phase(WorkPhase::Check);
    attach::check_on_snapshot(&snapshot, certificate, path, limits.deadline())
}

fn read_certificate(path: &Path) -> Result<String, BadInput> {
    let refuse = |what: String| BadInput(format!("{}: {what}", path.display()));
    let found = fs::metadata(path).map_err(|error| refuse(error.to_string()))?;
    if found.is_dir() {
        return Err(refuse("it is a directory".to_owned()));
    }
    if !found.is_file() || found.len() > LARGEST {
        return Err(refuse("it is not a certificate".to_owned()));
    }
    let bytes = fs::read(path).map_err(|error| refuse(error.to_string()))?;
    String::from_utf8(bytes)
        .map_err(|_| refuse("it is not a certificate: it is not UTF-8 text".to_owned()))
}

fn parse_certificate(path: &Path, text: &str) -> Result<Certificate, BadInput> {
    Certificate::from_json(text).map_err(|malformed| match malformed.at {
        Some(_) => BadInput(format!("{}:{malformed}; it is not a certificate", path.display())),
        None => BadInput(format!("{}: it is not a valid certificate: {malformed}", path.display())),
    })
}

/// The sources are named as the user named them. If they are not there from here, they may be beside
/// the certificate; hashes tell whether they are the same.
fn enter_folder_of_sources(certificate: &Path, files: &[PathBuf]) -> std::io::Result<()> {
    match certificate.parent() {
        Some(folder) if folder != Path::new("") && !files.iter().all(|file| file.exists()) => {
            if files.iter().all(|file| folder.join(file).exists()) {
                env::set_current_dir(folder)?;
            }
            Ok(())
        }
        _ => Ok(()),
    }
}
