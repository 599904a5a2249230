//! `ouro scan`: every loop of a project; and `ouro merge`.
//!
//! ```text
//!  ouro scan DIR                supervises, keeps results, prints
//!   ├── ouro unit a.c           the loops of one file, one after the other
//!   └── ouro unit a.c --entry f  a function with loops of which nothing is known yet
//! ```
//!
//! | file | one idea |
//! | --- | --- |
//! | `arguments` | what the user may ask |
//! | `project` | which files, compiled how |
//! | `crew` | the workers |
//! | `unit` | a worker: the loops of one file |
//! | `judge` | whether one loop ends |
//! | `integers` | what a proof takes for granted of signed integers |
//! | `certificate` | the certificate of a single loop |
//! | `words` | arguments in the user's own words |
//! | `entry` | a worker: one function as a whole |
//! | `cache` | results between runs |
//! | `exceptions` | comments that say why a loop ends |
//! | `joined` | findings of several files, and what is new |
//! | `summary` | what people see |

pub(crate) mod arguments;
mod cache;
pub(crate) mod certificate;
mod crew;
mod entry;
mod exceptions;
mod integers;
mod joined;
mod judge;
mod project;
mod summary;
mod unit;
mod words;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use arguments::{DeniedAnswer, MergeArguments, OutcomeArguments, ScanArguments, ScanFormat};
use cache::ResultCache;
use ouro_report::finding::{FindingAnswer, FindingCollection};
use ouro_report::{SourceTexts, html_pages, junit_xml, sarif_log};
pub(crate) use unit::scan_unit;

use crate::exit::{self, BadInput};
use crate::{outputs, supervise};

/// `ouro scan`
pub(crate) fn run_scan(asked: &ScanArguments) -> ExitCode {
    match collect_findings(asked) {
        Ok(Ok((findings, root))) => finish_findings(findings, &root, &asked.outcome),
        Ok(Err(signal)) => supervise::end_by_signal(signal),
        Err(bad) => print_refusal(&bad),
    }
}

/// `ouro merge`
pub(crate) fn run_merge(asked: &MergeArguments) -> ExitCode {
    let all: Result<Vec<FindingCollection>, BadInput> =
        asked.files.iter().map(|file| joined::read_findings(file)).collect();
    match all {
        // Names are relative to the project, which is taken to be here.
        Ok(all) => finish_findings(joined::join_findings(all), Path::new(""), &asked.outcome),
        Err(bad) => print_refusal(&bad),
    }
}

fn print_refusal(bad: &BadInput) -> ExitCode {
    eprintln!("{bad}");
    ExitCode::from(exit::BAD_INPUT)
}

/// The findings of a project and the folder that it is in, or the signal that ended the work.
fn collect_findings(
    asked: &ScanArguments,
) -> Result<Result<(FindingCollection, PathBuf), i32>, BadInput> {
    outputs::refuse_unwritable(&asked.outcome.output.iter().collect::<Vec<_>>(), &[])?;
    outputs::refuse_folder(asked.outcome.report.as_deref())?;
    outputs::refuse_folder(asked.certificates.as_deref())?;
    // What no file could be looked at with is said once, and is no matter of the files.
    ouro_solver::loaded_version().map_err(BadInput)?;
    drop(outputs::temporary_folder()?);
    let mut project = project::read_project(&asked.project, &asked.clang)?;
    if let Some(shard) = asked.shard {
        let mut index = 0..;
        project.units.retain(|_| shard.has(index.next().unwrap_or(0)));
    }
    let folder = match (&asked.cache, asked.no_cache) {
        (_, true) => None,
        (Some(folder), false) => Some(folder.clone()),
        (None, false) => ResultCache::usual_folder(),
    };
    let cache = match folder {
        Some(folder) => Some(ResultCache::open(&folder).map_err(BadInput)?),
        None => None,
    };
    let all = match crew::scan_files(asked, &project, cache.as_ref()) {
        Ok(all) => all,
        Err(signal) => return Ok(Err(signal)),
    };
    let mut all = all;
    if let Some(folder) = &asked.certificates {
        write_certificates(folder, &mut all)?;
    }
    let of = |known: cache::FileResult| FindingCollection {
        tool_version: env!("CARGO_PKG_VERSION").to_owned(),
        root: String::new(),
        findings: known.findings,
        notes: known.notes,
        skipped: known.skipped,
    };
    let mut findings = joined::join_findings(all.into_iter().map(of));
    findings.tool_version = env!("CARGO_PKG_VERSION").to_owned();
    findings.notes.splice(0..0, project.notes.iter().cloned());
    findings.skipped.splice(0..0, project.skipped.iter().cloned());
    let mut files: BTreeSet<String> =
        findings.findings.iter().map(|finding| finding.file.clone()).collect();
    let units = project.units.iter().filter_map(|unit| {
        let name = unit.file.strip_prefix(&project.root).unwrap_or(&unit.file);
        name.to_str().map(str::to_owned)
    });
    files.extend(units);
    let files: Vec<String> = files.into_iter().collect();
    exceptions::apply_suppressions(&mut findings, &project.root, &files);
    Ok(Ok((findings, project.root)))
}

/// Writes the certificates of all files, and has the findings say where they are. A file that is compiled in several
/// ways has several certificates of one name; from the second on they get a number.
fn write_certificates(folder: &Path, all: &mut [cache::FileResult]) -> Result<(), BadInput> {
    let mut used = BTreeSet::new();
    for known in all {
        let mut files: Vec<(PathBuf, String)> = Vec::new();
        for (name, text) in &known.certificates {
            let stem = name.trim_end_matches(".json");
            let numbered = (2..).map(|number| format!("{stem}-{number}.json"));
            let free = [name.clone()].into_iter().chain(numbered).find(|one| !used.contains(one));
            let path = folder.join(free.as_ref().unwrap_or(name));
            used.extend(free);
            for finding in &mut known.findings {
                if finding.certificate.file.as_ref() == Some(name) {
                    finding.certificate.file = Some(path.display().to_string());
                }
            }
            files.push((path, text.clone()));
        }
        outputs::write_all(&files)?;
    }
    Ok(())
}

/// Prints or writes findings, and says by the exit code whether something is denied. Names of files are relative
/// to the root.
fn finish_findings(
    mut findings: FindingCollection,
    root: &Path,
    outcome: &OutcomeArguments,
) -> ExitCode {
    let mut left_out = 0;
    if let Some(path) = &outcome.baseline {
        match joined::read_findings(path) {
            Ok(baseline) => left_out = joined::leave_out_known(&mut findings, &baseline),
            Err(bad) => return print_refusal(&bad),
        }
    }
    let text = match outcome.format {
        ScanFormat::Text => summary::summary_text(&findings, outcome.all, left_out),
        ScanFormat::Json => match serde_json::to_string_pretty(&findings) {
            Ok(text) => text + "\n",
            Err(error) => return print_refusal(&BadInput(error.to_string())),
        },
        ScanFormat::Sarif => sarif_log(&findings),
        ScanFormat::Junit => junit_xml(&findings, outcome.deny.contains(&DeniedAnswer::Unknown)),
    };
    if let Some(folder) = &outcome.report {
        let names = findings.findings.iter().map(|finding| finding.file.clone());
        let texts: SourceTexts = names
            .filter_map(|name| Some((name.clone(), fs::read_to_string(root.join(&name)).ok()?)))
            .collect();
        // The first page links to all others, so it comes last: no link in it is ever broken.
        let pages = html_pages(&findings, &texts).into_iter().rev();
        let pages: Vec<(PathBuf, String)> =
            pages.map(|(name, text)| (folder.join(name), text)).collect();
        if let Err(bad) = outputs::write_all(&pages) {
            return print_refusal(&bad);
        }
        eprintln!("note: open {} in a browser", folder.join("index.html").display());
    }
    let mut printed = String::new();
    match &outcome.output {
        Some(path) => {
            if let Err(bad) = outputs::write_all(&[(path.clone(), text)]) {
                return print_refusal(&bad);
            }
            findings.skipped.iter().for_each(|one| eprintln!("error: {}", one.text()));
            let last = summary::summary_text(&findings, false, left_out);
            eprintln!("{}", last.lines().last().unwrap_or_default());
        }
        None => printed = text,
    }
    let code = if is_denied(&findings, &outcome.deny) {
        exit::LOOPS
    } else if !findings.skipped.is_empty() && !outcome.allow_skipped {
        exit::SKIPPED
    } else {
        0
    };
    outputs::print_and_exit(printed.as_bytes(), code)
}

/// Whether something was found that must not be there.
fn is_denied(findings: &FindingCollection, deny: &[DeniedAnswer]) -> bool {
    findings.findings.iter().any(|finding| match finding.verdict {
        FindingAnswer::Loops | FindingAnswer::Violated => {
            deny.is_empty() || deny.contains(&DeniedAnswer::Loops)
        }
        FindingAnswer::Unknown => {
            finding.excepted.is_none() && deny.contains(&DeniedAnswer::Unknown)
        }
        FindingAnswer::Terminates | FindingAnswer::Holds => false,
    })
}
