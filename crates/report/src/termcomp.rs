//! The answer as TermComp wants it: `YES`, `NO` or `MAYBE` on a line of its own, then the proof.

use ouro_evidence::Verdict;

use crate::{TextStyle, VerdictReport, report_text};

/// The word, an empty line, and the report for people as the proof.
pub fn termcomp_answer(report: &VerdictReport<'_>) -> String {
    let word = match report.verdict {
        Verdict::Terminates(_) => "YES",
        Verdict::Loops(_) => "NO",
        // About other questions TermComp has no word.
        Verdict::Holds(_) | Verdict::Violated(_) | Verdict::Unknown(_) => "MAYBE",
    };
    format!("{word}\n\n{}", report_text(report, TextStyle::Plain))
}
