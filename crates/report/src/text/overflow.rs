//! A run that goes on forever only once an integer has overflowed.

use ouro_evidence::{RunAfterOverflow, SourcePlace};

use crate::VerdictReport;

/// What has happened to the run, as the end of a sentence.
pub(crate) fn overflow_phrase(overflow: &RunAfterOverflow) -> &'static str {
    match overflow.what.starts_with("shift") {
        true => "a value was shifted by its width or more",
        false => "a signed integer has overflowed",
    }
}

/// Where the overflow is, in words.
pub(super) fn overflow_note(report: &VerdictReport<'_>) -> Option<String> {
    let overflow = report.after_overflow()?;
    let places: Vec<String> = overflow.places.iter().map(SourcePlace::to_string).collect();
    let places = places.join(" or ");
    Some(match overflow.steps {
        Some(steps) => {
            format!(
                "by the rules of C the run ends at {places}, after {steps} steps: {}",
                overflow.what
            )
        }
        None => format!("by the rules of C only a {} can end it, at {places}", overflow.what),
    })
}
