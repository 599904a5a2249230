//! The witness of `ouro check`: what the report cannot know itself, the files and the time.

use std::env;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use ouro_evidence::DataModel;
use ouro_report::VerdictReport;
use ouro_report::witness::{WitnessTask, graphml_witness, yaml_witness};

use crate::arguments::CheckArguments;
use crate::pipeline;
use crate::sources::InputFile;

/// The text of the witness, or why there is none.
pub(super) fn witness_text(
    asked: &CheckArguments,
    path: &Path,
    report: &VerdictReport<'_>,
    sources: &[InputFile],
) -> Result<String, &'static str> {
    let identity = |source: &InputFile| (source.name.clone(), source.identity().sha256);
    let task = WitnessTask {
        files: sources.iter().map(identity).collect(),
        function: asked.program.function.clone(),
        narrow: pipeline::AskedProgram::from(&asked.program).data_model == DataModel::Ilp32,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        time: iso_time(witness_seconds()),
    };
    match path.extension() {
        Some(ending) if ending == "graphml" => graphml_witness(report, &task),
        _ => yaml_witness(report, &task),
    }
}

/// Seconds since 1970, or what `SOURCE_DATE_EPOCH` says: then the same question gives the same file.
fn witness_seconds() -> u64 {
    let fixed = env::var("SOURCE_DATE_EPOCH").ok().and_then(|text| text.parse().ok());
    let clock = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    fixed.unwrap_or_else(clock)
}

/// A time in seconds since 1970 as ISO 8601 has it, in UTC.
fn iso_time(seconds: u64) -> String {
    let (mut day, time) = (seconds / 86_400, seconds % 86_400);
    let leap =
        |year: u64| year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    let mut year = 1970;
    while day >= 365 + u64::from(leap(year)) {
        day -= 365 + u64::from(leap(year));
        year += 1;
    }
    let february = 28 + u64::from(leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if day < length {
            break;
        }
        day -= length;
        month += 1;
    }
    let (hour, minute, second) = (time / 3600, time / 60 % 60, time % 60);
    format!("{year:04}-{month:02}-{:02}T{hour:02}:{minute:02}:{second:02}Z", day + 1)
}

#[cfg(test)]
mod tests {
    use super::iso_time;

    #[test]
    fn times() {
        assert_eq!(iso_time(0), "1970-01-01T00:00:00Z");
        // 29 February of a year that is divisible by 400, and the last second of a year.
        assert_eq!(iso_time(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(iso_time(1_767_225_599), "2025-12-31T23:59:59Z");
        assert_eq!(iso_time(1_767_225_600), "2026-01-01T00:00:00Z");
    }
}
