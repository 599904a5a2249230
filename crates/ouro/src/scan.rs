//! `ouro scan`: every loop of a project; and `ouro merge`.
//!
//! ```text
//!  ouro scan DIR                supervises, keeps results, prints
//!   ├── ouro worker              the loops of one file, one after the other
//!   └── ouro worker              a function with loops of which nothing is known yet
//! ```
//!
//! | file | one idea |
//! | --- | --- |
//! | `options` | what can be asked |
//! | `project` | which files, compiled how |
//! | `crew` | the workers |
//! | `unit` | a worker: the loops of one file |
//! | `judge` | whether one loop ends |
//! | `integers` | what a proof takes for granted of signed integers |
//! | `certificate` | the certificate of a single loop |
//! | `words` | arguments in the user's own words |
//! | `entry` | a worker: one function as a whole |
//! | `cache` | results between runs |
//! | `suppressions` | comments that say why a loop terminates |
//! | `joined` | findings of several files, and what is new |
//! | `summary` | what people see |

mod cache;
pub(crate) mod certificate;
mod crew;
mod entry;
mod integers;
mod joined;
mod judge;
pub(crate) mod options;
mod project;
mod summary;
mod suppressions;
mod unit;
mod words;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use cache::ResultCache;
use options::{Deny, MergeOptions, ScanFormat, ScanOptions, ScanOutputs};
use ouro_report::finding::{FindingAnswer, FindingCollection, ScanReport};
use ouro_report::{SourceTexts, TOOL_VERSION, html_pages, json, junit_xml, sarif_log};
pub(crate) use unit::scan_unit;

use crate::exit::{self, BadInput};
use crate::failure::Failure;
use crate::outcome::{CommandOutcome, OutputFile};
use crate::outputs;

/// Every loop of a project: `ouro scan`.
pub(crate) fn scan_project(asked: &ScanOptions) -> Result<CommandOutcome<ScanReport>, Failure> {
    let (findings, root) = collect_findings(asked)?;
    Ok(scan_outcome(findings, &root, &asked.outcome)?)
}

/// The results of several scans as one: `ouro merge`.
pub(crate) fn merge_scans(asked: &MergeOptions) -> Result<CommandOutcome<ScanReport>, Failure> {
    let all: Result<Vec<FindingCollection>, BadInput> =
        asked.files.iter().map(|file| joined::read_findings(file)).collect();
    // Names are relative to the project, which is taken to be here.
    Ok(scan_outcome(joined::join_findings(all?), Path::new(""), &asked.outcome)?)
}

/// The findings of a project and the folder that it is in.
fn collect_findings(asked: &ScanOptions) -> Result<(FindingCollection, PathBuf), Failure> {
    outputs::refuse_unwritable(&asked.outcome.output.iter().collect::<Vec<_>>(), &[])?;
    outputs::refuse_folder(asked.outcome.report.as_deref())?;
    outputs::refuse_folder(asked.certificates.as_deref())?;
    // What no file could be looked at with is said once, and is no matter of the files.
    ouro_solver::loaded_version().map_err(BadInput)?;
    drop(outputs::temporary_folder()?);
    let program = asked.worker.locate()?;
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
        Some(folder) => Some(ResultCache::open(&folder, &program).map_err(BadInput)?),
        None => None,
    };
    let mut all = crew::scan_files(asked, &program, &project, cache.as_ref())
        .map_err(Failure::Interrupted)?;
    if let Some(folder) = &asked.certificates {
        write_certificates(folder, &mut all)?;
    }
    let of = |known: cache::FileResult| FindingCollection {
        tool_version: TOOL_VERSION.to_owned(),
        root: String::new(),
        findings: known.findings,
        notes: known.notes,
        skipped: known.skipped,
    };
    let mut findings = joined::join_findings(all.into_iter().map(of));
    findings.tool_version = TOOL_VERSION.to_owned();
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
    suppressions::apply_suppressions(&mut findings, &project.root, &files);
    Ok((findings, project.root))
}

/// Writes the certificates of all files, and has the findings say where they are. A file that is compiled in several
/// ways has several certificates of one name; from the second on they get a number.
fn write_certificates(folder: &Path, all: &mut [cache::FileResult]) -> Result<(), BadInput> {
    let mut used = BTreeSet::new();
    for known in all {
        let mut files: Vec<OutputFile> = Vec::new();
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
            files.push(OutputFile { path, text: text.clone() });
        }
        outputs::write_all(&files)?;
    }
    Ok(())
}

/// What a scan comes to: the findings that are not in the baseline, pages if they are asked for, and by the exit code
/// whether something is denied. Names of files are relative to the root.
fn scan_outcome(
    mut findings: FindingCollection,
    root: &Path,
    outcome: &ScanOutputs,
) -> Result<CommandOutcome<ScanReport>, BadInput> {
    let left_out = match &outcome.baseline {
        Some(path) => joined::leave_out_known(&mut findings, &joined::read_findings(path)?),
        None => 0,
    };
    let text = summary::summary_text(&findings, outcome.all, left_out);
    let code = if is_denied(&findings, &outcome.deny) {
        exit::LOOPS
    } else if !findings.skipped.is_empty() && !outcome.allow_skipped {
        exit::SKIPPED
    } else {
        exit::TERMINATES
    };
    let mut result = CommandOutcome::new(ScanReport::new(findings), text, code);
    let findings = &result.report.findings;
    if let Some(folder) = &outcome.report {
        let names = findings.findings.iter().map(|finding| finding.file.clone());
        let texts: SourceTexts = names
            .filter_map(|name| Some((name.clone(), fs::read_to_string(root.join(&name)).ok()?)))
            .collect();
        // The first page links to all others, so it comes last: no link in it is ever broken.
        for (name, text) in html_pages(findings, &texts).into_iter().rev() {
            result.files.push(OutputFile { path: folder.join(name), text });
        }
        let index = folder.join("index.html");
        result.messages.push(format!("note: open {} in a browser", index.display()));
    }
    if let Some(path) = &outcome.output {
        let text = findings_text(&result, outcome);
        result.files.push(OutputFile { path: path.clone(), text });
        let report = &result.report.findings;
        let skipped = report.skipped.iter().map(|one| format!("error: {}", one.text()));
        let last = summary::summary_text(report, false, left_out);
        let last = last.lines().last().unwrap_or_default().to_owned();
        result.messages.extend(skipped.chain([last]).collect::<Vec<_>>());
    }
    Ok(result)
}

/// The findings as they are asked for.
pub(crate) fn findings_text(outcome: &CommandOutcome<ScanReport>, asked: &ScanOutputs) -> String {
    let findings = &outcome.report.findings;
    match asked.format {
        ScanFormat::Text => outcome.text.clone(),
        ScanFormat::Json => json(&outcome.report),
        ScanFormat::Sarif => sarif_log(findings),
        ScanFormat::Junit => junit_xml(findings, asked.deny.contains(&Deny::Unknown)),
    }
}

/// Whether something was found that must not be there.
fn is_denied(findings: &FindingCollection, deny: &[Deny]) -> bool {
    findings.findings.iter().any(|finding| match finding.verdict {
        FindingAnswer::Loops | FindingAnswer::Violated => {
            deny.is_empty() || deny.contains(&Deny::Loops)
        }
        FindingAnswer::Unknown => finding.suppressed.is_none() && deny.contains(&Deny::Unknown),
        FindingAnswer::Terminates | FindingAnswer::Holds => false,
    })
}
