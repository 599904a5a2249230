//! What is made from findings: SARIF, JUnit's XML, pages for a browser.

use std::mem;

use ouro_report::{Findings, html, junit, sarif};

use crate::arguments::{Check, ReportFormat};
use crate::message::Done;
use crate::sources;

/// What has to be done, with what the user asked for added. Without a verdict there are no findings, and
/// nothing is added.
pub(crate) fn added(asked: &Check, mut done: Done) -> Done {
    if done.findings.is_empty() {
        return done;
    }
    let all = Findings {
        tool_version: env!("CARGO_PKG_VERSION").to_owned(),
        root: String::new(),
        findings: mem::take(&mut done.findings),
        notes: Vec::new(),
        skipped: Vec::new(),
    };
    match asked.format {
        ReportFormat::Text | ReportFormat::Json => {}
        ReportFormat::Sarif => done.stdout = sarif(&all),
        ReportFormat::Junit => done.stdout = junit(&all, asked.every_loop),
    }
    if let Some(folder) = &asked.report {
        let texts = sources::texts(all.findings.iter().map(|finding| &finding.file));
        // The first page links to all others, so it comes last: no link in it is ever broken.
        let pages = html(&all, &texts).into_iter().rev();
        done.files.extend(pages.map(|(name, text)| (folder.join(name), text)));
        let index = folder.join("index.html");
        done.stderr += &format!("note: open {} in a browser\n", index.display());
    }
    done
}
