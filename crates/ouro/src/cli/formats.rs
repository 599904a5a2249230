//! How the answer of `ouro check` is printed, and the pages that are made from its findings.

use ouro_report::{CheckReport, FindingCollection, TOOL_VERSION, json, junit_xml, sarif_log};

use super::arguments::ReportFormat;
use crate::outcome::CommandOutcome;

/// The answer as it is asked for.
pub(super) fn check_text(
    outcome: &CommandOutcome<CheckReport>,
    format: ReportFormat,
    every_loop: bool,
) -> String {
    match format {
        ReportFormat::Text => outcome.text.clone(),
        ReportFormat::Json => json(&outcome.report),
        ReportFormat::Sarif => sarif_log(&findings_of(&outcome.report)),
        ReportFormat::Junit => junit_xml(&findings_of(&outcome.report), every_loop),
    }
}

/// The findings of one question.
fn findings_of(report: &CheckReport) -> FindingCollection {
    FindingCollection {
        tool_version: TOOL_VERSION.to_owned(),
        root: String::new(),
        findings: report.findings.clone(),
        notes: Vec::new(),
        skipped: Vec::new(),
    }
}
