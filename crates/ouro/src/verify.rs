//! `ouro verify`, in the worker: the files are read afresh and the checker asked again.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use ouro_evidence::{self as evidence, Certificate, Claim};

use crate::arguments::Verify;
use crate::exit::{self, BadInput};
use crate::message::{Done, Phase, Sender};
use crate::pipeline::{self, NotCompiled, Refusal, Subject};
use crate::questions;
use crate::scan::certificate::{Judged, LoopCertificate};
use crate::sources::{self, Kind};
use crate::worker::Limits;
use crate::{attach, check};

mod opinion;

/// Certificates are small; whatever is larger is something else.
const LARGEST: u64 = 1 << 30;

/// Answers whether the certificate holds.
pub(crate) fn verify(asked: &Verify, limits: &Limits, sender: &mut Sender) -> Done {
    let refused = |bad: &BadInput| Done {
        code: exit::BAD_INPUT,
        stderr: format!("{bad}\n"),
        ..Done::default()
    };
    // The folder may be another one afterwards.
    let certificate = std::path::absolute(&asked.certificate);
    let second = match asked.solver.map(|solver| opinion::ask(solver, limits.deadline())) {
        Some(Err(bad)) => return refused(&bad),
        Some(Ok(second)) => Some(second),
        None => None,
    };
    let done = answer(asked, limits, sender).unwrap_or_else(|bad| refused(&bad));
    match second {
        Some(second) => second.judge(done, &certificate.unwrap_or_default(), &asked.certificate),
        None => done,
    }
}

fn answer(asked: &Verify, limits: &Limits, sender: &mut Sender) -> Result<Done, BadInput> {
    let path = &asked.certificate;
    let refuse = |what: String| BadInput(format!("{}: {what}", path.display()));
    let text = read(path)?;
    if let Some(certificate) = of_process(path, &text)? {
        return about_process(asked, &certificate, limits, sender);
    }
    if let Some(certificate) = LoopCertificate::parse(path, &text)? {
        return about_loop(asked, &certificate, limits, sender);
    }
    if asked.snapshot.is_some() || asked.core.is_some() {
        return Err(refuse(
            "it is not about a process: leave out --snapshot and --core".to_owned(),
        ));
    }
    let certificate = parse(path, &text)?;
    let named = certificate.subject.files();
    let files: Vec<PathBuf> = named.iter().map(|file| PathBuf::from(&file.path)).collect();
    let specification = match &certificate.subject {
        evidence::Subject::Program(identity) => identity.specification.as_ref(),
        evidence::Subject::System(_) => None,
    };
    let mut needed = files.clone();
    needed.extend(questions::files(specification));
    enter_folder_of_sources(path, &needed)
        .map_err(|error| refuse(format!("its folder cannot be entered: {error}")))?;
    let kind = match &certificate.subject {
        evidence::Subject::Program(_) => Kind::Program,
        evidence::Subject::System(_) => Kind::System,
    };
    let sources = sources::read(kind, &files)?;
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
        (evidence::Subject::System(file), [source]) => {
            sender.phase(Phase::Read);
            let system = pipeline::parse(Path::new(&file.path), source.text()?)?;
            sender.phase(Phase::Check);
            pipeline::check_system(&system, &certificate.evidence, limits.deadline())
                .map(|()| Vec::new())
        }
        (evidence::Subject::System(_), _) => return Err(refuse("it has no file".to_owned())),
        (evidence::Subject::Program(identity), _) => {
            let mut subject = Subject::from(identity);
            subject.doubts = pipeline::doubts(certificate.verdict);
            if let Some(specification) = specification {
                subject.question = questions::again(specification)?;
            }
            sender.phase(Phase::Compile);
            let program = match pipeline::compile(&subject, limits.deadline()) {
                Ok(program) => program,
                Err(NotCompiled::BadInput(bad)) => return Err(bad),
                Err(NotCompiled::TooSlow(_)) => return Ok(undecided(asked)),
                Err(NotCompiled::Mistake(what)) => return Ok(check::mistake(&what)),
            };
            sender.phase(Phase::Check);
            assumed.clone_from(&program.assumptions);
            let Certificate { verdict, evidence, .. } = &certificate;
            let ints = subject.ints;
            pipeline::check_and_name(&program, ints, *verdict, evidence, limits.deadline())
                .map(|undefined| ouro_report::undefined::assumed(&undefined, Some(&program)))
        }
    };
    let word = certificate.verdict.word();
    let said = |code, stdout| Ok(Done { code, stdout, ..Done::default() });
    match judged {
        Ok(undefined) => {
            let mut text = format!("accepted: {word}\n    checked: {}\n", meaning(&certificate));
            for assumed in assumed.iter().chain(&undefined) {
                text += &format!("    assumed: {assumed}\n");
            }
            said(exit::TERMINATES, text)
        }
        Err(Refusal::Rejected(why) | Refusal::TooMuchWork(why)) => {
            Err(refuse(format!("not accepted: {why}")))
        }
        Err(Refusal::Undecided) => Ok(undecided(asked)),
    }
}

/// There was not enough time.
fn undecided(asked: &Verify) -> Done {
    let limit = asked.limits.timeout.as_secs_f64();
    let stdout = format!("not decided: the time limit of {limit} s was reached\n");
    Done { code: exit::UNKNOWN, stdout, ..Done::default() }
}

/// What the claim is about, and how its text was read: all that the verdict depends on.
fn meaning(certificate: &Certificate) -> String {
    let files: Vec<&str> =
        certificate.subject.files().iter().map(|file| file.path.as_str()).collect();
    let files = files.join(" ");
    let identity = match &certificate.subject {
        evidence::Subject::System(_) => {
            return format!("the transition system of {files}, its integers without bounds");
        }
        evidence::Subject::Program(identity) => identity,
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
fn about_loop(
    asked: &Verify,
    certificate: &LoopCertificate,
    limits: &Limits,
    sender: &mut Sender,
) -> Result<Done, BadInput> {
    let path = &asked.certificate;
    let files = [PathBuf::from(&certificate.file.path)];
    enter_folder_of_sources(path, &files).map_err(|error| {
        BadInput(format!("{}: its folder cannot be entered: {error}", path.display()))
    })?;
    sender.phase(Phase::Check);
    let said = |code, stdout| Ok(Done { code, stdout, ..Done::default() });
    match certificate.check(path, limits.deadline())? {
        Judged::Accepted => {
            let LoopCertificate { file, line, function, data_model, clang_args, .. } = certificate;
            let mut text =
                format!("accepted: the loop at {}:{line} in {function} terminates\n", file.path);
            text += &format!(
                "    checked: on its own, from any state, if its calls return; --ints c --data-model \
                 {data_model}{}\n",
                clang_options(clang_args)
            );
            for assumed in certificate.assumed() {
                text += &format!("    assumed: {assumed}\n");
            }
            said(exit::TERMINATES, text)
        }
        Judged::Undecided => Ok(undecided(asked)),
        Judged::Failed(what) => Ok(check::mistake(&what)),
    }
}

/// The certificate of a process, if it is one.
fn of_process(path: &Path, text: &str) -> Result<Option<ouro_attach::Certificate>, BadInput> {
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
fn about_process(
    asked: &Verify,
    certificate: &ouro_attach::Certificate,
    limits: &Limits,
    sender: &mut Sender,
) -> Result<Done, BadInput> {
    let path = &asked.certificate;
    sender.phase(Phase::Read);
    let snapshot = match (&asked.snapshot, &asked.core) {
        (Some(snapshot), _) => ouro_process::load(snapshot),
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
    sender.phase(Phase::Check);
    attach::check_again(&snapshot, certificate, path, limits.deadline())
}

fn read(path: &Path) -> Result<String, BadInput> {
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

fn parse(path: &Path, text: &str) -> Result<Certificate, BadInput> {
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
