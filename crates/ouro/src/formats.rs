//! What is made from findings: SARIF, JUnit's XML, pages for a browser.

use std::mem;

use ouro_report::{FindingCollection, html_pages, junit_xml, sarif_log};

use crate::arguments::{CheckArguments, ReportFormat};
use crate::message::WorkerResult;
use crate::sources;

/// What has to be done, with what the user asked for added. Without a verdict there are no findings, and
/// nothing is added.
pub(crate) fn add_formats(asked: &CheckArguments, mut done: WorkerResult) -> WorkerResult {
    if done.findings.is_empty() {
        return done;
    }
    let all = FindingCollection {
        tool_version: env!("CARGO_PKG_VERSION").to_owned(),
        root: String::new(),
        findings: mem::take(&mut done.findings),
        notes: Vec::new(),
        skipped: Vec::new(),
    };
    match asked.format {
        ReportFormat::Text | ReportFormat::Json => {}
        ReportFormat::Sarif => done.stdout = sarif_log(&all),
        ReportFormat::Junit => done.stdout = junit_xml(&all, asked.every_loop),
    }
    if let Some(folder) = &asked.report {
        let texts = sources::source_texts(all.findings.iter().map(|finding| &finding.file));
        // The first page links to all others, so it comes last: no link in it is ever broken.
        let pages = html_pages(&all, &texts).into_iter().rev();
        done.files.extend(pages.map(|(name, text)| (folder.join(name), text)));
        let index = folder.join("index.html");
        done.stderr += &format!("note: open {} in a browser\n", index.display());
    }
    done
}
