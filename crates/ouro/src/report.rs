//! The last stage: from an answer to its report. Every report about a program or a transition system is built here.

use std::path::Path;
use std::time::Duration;

use ouro_evidence::Verdict;
use ouro_portfolio::PortfolioAnswer;
use ouro_report::{
    CheckReport, LoopReport, ReportSubject, SourceTexts, TextStyle, VerdictReport, check_report,
    report_text, termcomp_answer,
};

use crate::options::CheckOptions;
use crate::outcome::CommandOutcome;

/// What `ouro check` comes to.
pub(crate) type CheckOutcome = CommandOutcome<CheckReport>;

/// Everything there is to say about one question. What was assumed of the program is merged by the report itself.
pub(crate) fn build_report<'a>(
    answer: &'a PortfolioAnswer,
    others: &'a [Verdict],
    about: ReportSubject<'a>,
    loops: &'a [LoopReport],
    sources: &'a SourceTexts,
    elapsed: Duration,
) -> VerdictReport<'a> {
    VerdictReport {
        verdict: &answer.verdict,
        others,
        explanation: &answer.explanation,
        engine: answer.engine,
        elapsed,
        about,
        loops,
        sources,
    }
}

/// The outcome of `ouro check`, without the files that were asked for.
pub(crate) fn check_outcome(
    asked: &CheckOptions,
    report: &VerdictReport<'_>,
    style: TextStyle,
    exit_code: u8,
) -> CheckOutcome {
    let certificate = asked.certificate.as_ref().map(|path| path.display().to_string());
    let text = if asked.termcomp { termcomp_answer(report) } else { report_text(report, style) };
    CommandOutcome::new(check_report(report, certificate.as_deref()), text, exit_code)
}

impl CheckOutcome {
    /// Notes that a file is not written, and why.
    pub(crate) fn note_not_written(&mut self, path: &Path, why: &str) {
        self.note(format!("{} was not written: {why}", path.display()));
    }

    /// Notes something that the user may want to know.
    pub(crate) fn note(&mut self, what: String) {
        self.messages.push(format!("note: {what}"));
        self.report.notes.push(what);
    }
}
