//! `ouro verify`, in the worker: the files are read afresh and the checker asked again.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use ouro_attach::ProcessRejection;
use ouro_evidence::process::ProcessCertificate;
use ouro_evidence::{self as evidence, Certificate, Claim};
use ouro_report::schema::seconds;
use ouro_report::{ReportVerdict, VerifyReport};

use crate::exit::{self, BadInput};
use crate::failure::Failure;
use crate::limits::LIMITS;
use crate::message::{MessageSender, Stage};
use crate::options::VerifyOptions;
use crate::outcome::CommandOutcome;
use crate::pipeline::{self, AskedProgram, CompileFailure};
use crate::questions;
use crate::scan::certificate::{LoopCertificate, LoopJudgement};
use crate::sources::{self, SubjectKind};
use crate::worker::JobLimits;

mod opinion;

/// Answers whether the certificate holds.
pub(crate) fn answer_verify(
    asked: &VerifyOptions,
    limits: &JobLimits,
    sender: &MessageSender,
) -> Result<CommandOutcome<VerifyReport>, Failure> {
    // The folder may be another one afterwards.
    let certificate = std::path::absolute(&asked.certificate).unwrap_or_default();
    let second = asked
        .solver
        .map(|solver| opinion::start_second_opinion(solver, limits.deadline()))
        .transpose()?;
    let mut report = judge_certificate(asked, limits, sender)?;
    if let Some(second) = second {
        second.judge_result(&mut report, &certificate);
    }
    report.seconds = seconds(limits.start.elapsed());
    sender.enter(Stage::Report);
    Ok(verify_outcome(report))
}

/// The answer in words, and its exit code.
pub(crate) fn verify_outcome(report: VerifyReport) -> CommandOutcome<VerifyReport> {
    let mut text = String::new();
    let reason = report.reason.as_deref().unwrap_or_default();
    let (code, message) = match report.verdict {
        ReportVerdict::Accepted => {
            text += &format!("accepted: {}\n", report.claim.as_deref().unwrap_or_default());
            if let Some(checked) = &report.checked {
                text += &format!("    checked: {checked}\n");
            }
            for assumed in &report.assumptions {
                text += &format!("    assumed: {assumed}\n");
            }
            if let Some(opinion) = &report.second_opinion {
                text += &format!("    {opinion}\n");
            }
            (exit::TERMINATES, None)
        }
        ReportVerdict::Rejected => {
            let what = format!("{}: rejected: {reason}", report.certificate_file);
            (exit::BAD_INPUT, Some(BadInput(what).to_string()))
        }
        _ => {
            text += &format!("not decided: {reason}\n");
            (exit::UNKNOWN, None)
        }
    };
    let mut outcome = CommandOutcome::new(report, text, code);
    outcome.messages.extend(message);
    outcome
}

/// A report about the certificate that was asked about.
fn report_with_verdict(asked: &VerifyOptions, verdict: ReportVerdict) -> VerifyReport {
    VerifyReport::new(asked.certificate.display().to_string(), verdict)
}

/// The certificate does not hold.
fn report_rejected(asked: &VerifyOptions, why: String) -> VerifyReport {
    VerifyReport { reason: Some(why), ..report_with_verdict(asked, ReportVerdict::Rejected) }
}

fn judge_certificate(
    asked: &VerifyOptions,
    limits: &JobLimits,
    sender: &MessageSender,
) -> Result<VerifyReport, Failure> {
    sender.enter(Stage::Read);
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
        let what = "this certificate is not about a process; leave out --snapshot and --core";
        return Err(refuse(what.to_owned()).into());
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
        .map_err(|error| refuse(format!("cannot enter its folder: {error}")))?;
    let kind = match &certificate.subject {
        evidence::CertificateSubject::Program(_) => SubjectKind::Program,
        evidence::CertificateSubject::System(_) => SubjectKind::System,
    };
    let sources = sources::read_input_files(kind, &files)?;
    for (source, named) in sources.iter().zip(named) {
        if source.identity().sha256 != named.sha256 {
            let what = format!(
                "it is about another version of {}: the file has changed since it was \
                 written",
                named.path
            );
            return Err(refuse(what).into());
        }
    }
    let mut assumed = Vec::new();
    let judged = match (&certificate.subject, sources.as_slice()) {
        (evidence::CertificateSubject::System(file), [source]) => {
            sender.enter(Stage::Lower);
            let system = pipeline::parse_system_text(Path::new(&file.path), source.text()?)?;
            sender.enter(Stage::Check);
            ouro_check::check_system_evidence(&system, &certificate.evidence, limits.deadline())
                .map(|()| Vec::new())
        }
        (evidence::CertificateSubject::System(_), _) => {
            return Err(refuse("it has no file".to_owned()).into());
        }
        (evidence::CertificateSubject::Program(identity), _) => {
            let mut subject = AskedProgram::from(identity);
            subject.doubts = pipeline::doubts_externals(certificate.verdict);
            if let Some(specification) = specification {
                subject.question = questions::question_of_certificate(specification)?;
            }
            sender.enter(Stage::Lower);
            let program = match pipeline::compile_subject(&subject, limits.deadline()) {
                Ok(program) => program,
                Err(CompileFailure::BadInput(bad)) => return Err(bad.into()),
                Err(CompileFailure::TooSlow(_)) => return Ok(undecided_verify(asked)),
                Err(CompileFailure::Mistake(what)) => return Err(Failure::Internal(what)),
            };
            sender.enter(Stage::Check);
            assumed.clone_from(&program.assumptions);
            let Certificate { verdict, evidence, .. } = &certificate;
            let ints = subject.ints;
            ouro_check::check_and_name_undefined(
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
    match judged {
        Ok(undefined) => Ok(VerifyReport {
            claim: Some(certificate.verdict.phrase().to_owned()),
            checked: Some(describe_meaning(&certificate)),
            assumptions: assumed.into_iter().chain(undefined).collect(),
            ..report_with_verdict(asked, ReportVerdict::Accepted)
        }),
        Err(rejection) if rejection.out_of_time => Ok(undecided_verify(asked)),
        Err(rejection) => Ok(report_rejected(asked, rejection.to_string())),
    }
}

/// There was not enough time.
fn undecided_verify(asked: &VerifyOptions) -> VerifyReport {
    let limit = asked.limits.timeout.as_secs_f64();
    undecided_because(asked, format!("the time limit of {limit} s was reached"))
}

/// Nothing is known about the certificate, and why.
pub(crate) fn undecided_because(asked: &VerifyOptions, why: String) -> VerifyReport {
    VerifyReport { reason: Some(why), ..report_with_verdict(asked, ReportVerdict::Unknown) }
}

/// What the claim is about, and how its text was read: all that the verdict depends on.
fn describe_meaning(certificate: &Certificate) -> String {
    let files: Vec<&str> =
        certificate.subject.source_files().iter().map(|file| file.path.as_str()).collect();
    let files = files.join(" ");
    let identity = match &certificate.subject {
        evidence::CertificateSubject::System(_) => {
            return format!("the transition system of {files}, with unbounded integers");
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
    asked: &VerifyOptions,
    certificate: &LoopCertificate,
    limits: &JobLimits,
    sender: &MessageSender,
) -> Result<VerifyReport, Failure> {
    let path = &asked.certificate;
    let files = [PathBuf::from(&certificate.file.path)];
    enter_folder_of_sources(path, &files).map_err(|error| {
        BadInput(format!("{}: cannot enter its folder: {error}", path.display()))
    })?;
    sender.enter(Stage::Check);
    match certificate.check_again(path, limits.deadline())? {
        LoopJudgement::Accepted => {
            let LoopCertificate { file, line, function, data_model, clang_args, .. } = certificate;
            Ok(VerifyReport {
                claim: Some(format!("the loop at {}:{line} in {function} terminates", file.path)),
                checked: Some(format!(
                    "on its own, from any state, if its calls return; --ints c --data-model \
                     {data_model}{}",
                    clang_options(clang_args)
                )),
                assumptions: certificate.own_assumptions(),
                ..report_with_verdict(asked, ReportVerdict::Accepted)
            })
        }
        LoopJudgement::Rejected(why) => Ok(report_rejected(asked, why)),
        LoopJudgement::Undecided => Ok(undecided_verify(asked)),
        LoopJudgement::Failed(what) => Err(Failure::Internal(what)),
    }
}

/// The certificate of a process, if it is one.
fn parse_process_certificate(
    path: &Path,
    text: &str,
) -> Result<Option<ProcessCertificate>, BadInput> {
    let found: Option<serde_json::Value> = serde_json::from_str(text).ok();
    if found.is_none_or(|found| found.get("pid").is_none()) {
        return Ok(None);
    }
    let certificate = serde_json::from_str(text).map_err(|error| {
        let what = format!("invalid certificate of a process: {error}");
        BadInput(format!("{}: {what}", path.display()))
    })?;
    Ok(Some(certificate))
}

/// Asks the checker of processes, on the snapshot or core that is named beside the certificate.
fn verify_process(
    asked: &VerifyOptions,
    certificate: &ProcessCertificate,
    limits: &JobLimits,
    sender: &MessageSender,
) -> Result<VerifyReport, Failure> {
    let path = &asked.certificate;
    let snapshot = match (&asked.snapshot, &asked.core) {
        (Some(snapshot), _) => ouro_process::load_snapshot(snapshot),
        (None, Some(core)) => ouro_process::from_core(core, asked.exe.as_deref()),
        (None, None) => {
            return Err(BadInput(format!(
                "{0}: this certificate is about a moment in the life of process {1}; name the \
                 snapshot or core file of that moment: `ouro verify {0} --snapshot FILE` (written \
                 by `ouro attach --save`) or `--core FILE`",
                path.display(),
                certificate.pid
            ))
            .into());
        }
    };
    let snapshot = snapshot.map_err(|error| BadInput(error.to_string()))?;
    sender.enter(Stage::Check);
    match ouro_attach::check_process_certificate(&snapshot, certificate, limits.deadline()) {
        Ok(accepted) => {
            let idealised = certificate.idealised.is_some();
            let end = if idealised { ", if stack and heap are unlimited" } else { "" };
            let claim = Some(format!("{}{end}", accepted.word()));
            Ok(VerifyReport { claim, ..report_with_verdict(asked, ReportVerdict::Accepted) })
        }
        Err(ProcessRejection::Wrong(why)) => Ok(report_rejected(asked, why)),
        Err(ProcessRejection::Undecided(why)) => Ok(undecided_because(asked, why)),
    }
}

fn read_certificate(path: &Path) -> Result<String, BadInput> {
    let refuse = |what: String| BadInput(format!("{}: {what}", path.display()));
    let found = fs::metadata(path).map_err(|error| refuse(error.to_string()))?;
    if found.is_dir() {
        return Err(refuse("it is a directory".to_owned()));
    }
    if !found.is_file() || found.len() > LIMITS.certificate_bytes {
        return Err(refuse("it is not a certificate".to_owned()));
    }
    let bytes = fs::read(path).map_err(|error| refuse(error.to_string()))?;
    String::from_utf8(bytes)
        .map_err(|_| refuse("this is not a certificate: it is not UTF-8 text".to_owned()))
}

fn parse_certificate(path: &Path, text: &str) -> Result<Certificate, BadInput> {
    Certificate::from_json(text).map_err(|malformed| match malformed.at {
        Some(_) => BadInput(format!("{}:{malformed}; this is not a certificate", path.display())),
        None => BadInput(format!("{}: invalid certificate: {malformed}", path.display())),
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
