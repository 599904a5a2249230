//! Findings of several files or several runs, joined; and what is new among them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use ouro_report::finding::{FindingAnswer, FindingCollection, ReportFinding};

use crate::exit::BadInput;

/// Joins findings. A loop in a header is met in every file that includes it, and a file may be compiled in several
/// ways; of several answers the worst counts, and what any of them assumes is assumed, so that the order does not
/// matter.
pub(super) fn join_findings(all: impl IntoIterator<Item = FindingCollection>) -> FindingCollection {
    let mut joined = FindingCollection::default();
    let mut findings: BTreeMap<(String, u32, u32, String, String), ReportFinding> = BTreeMap::new();
    let mut notes = BTreeSet::new();
    let mut skipped = BTreeSet::new();
    for one in all {
        joined.tool_version = one.tool_version;
        joined.root = one.root;
        notes.extend(one.notes);
        skipped.extend(one.skipped);
        for finding in one.findings {
            let key = (
                finding.file.clone(),
                finding.line,
                finding.column,
                finding.function.clone(),
                finding.kind.word().to_owned(),
            );
            match findings.get_mut(&key) {
                Some(known) if answer_badness(&finding) == answer_badness(known) => {
                    let all: BTreeSet<String> =
                        known.assumed.drain(..).chain(finding.assumed).collect();
                    known.assumed = all.into_iter().collect();
                }
                Some(known) if answer_badness(&finding) < answer_badness(known) => {}
                _ => drop(findings.insert(key, finding)),
            }
        }
    }
    joined.findings = findings.into_values().collect();
    joined.notes = notes.into_iter().collect();
    joined.skipped = skipped.into_iter().collect();
    joined
}

/// How bad an answer is.
fn answer_badness(finding: &ReportFinding) -> u8 {
    match (finding.verdict, &finding.suppressed) {
        (FindingAnswer::Loops | FindingAnswer::Violated, _) => 3,
        (FindingAnswer::Unknown, None) => 2,
        (FindingAnswer::Unknown, Some(_)) => 1,
        (FindingAnswer::Terminates | FindingAnswer::Holds, _) => 0,
    }
}

/// Reads the result of an earlier run.
pub(super) fn read_findings(path: &Path) -> Result<FindingCollection, BadInput> {
    let refuse = |what: String| BadInput(format!("{}: {what}", path.display()));
    let text = fs::read_to_string(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => refuse("there is no such file".to_owned()),
        _ => refuse(error.to_string()),
    })?;
    serde_json::from_str(&text)
        .map_err(|error| refuse(format!("not a result of 'ouro scan --format json': {error}")))
}

/// Leaves out what an earlier run knew as well: the same loop, with an answer that was as bad. Good news and
/// what has become worse stay. Gives the number of findings that were left out.
pub(super) fn leave_out_known(
    findings: &mut FindingCollection,
    baseline: &FindingCollection,
) -> usize {
    let mut known: BTreeMap<(&str, &str), u8> = BTreeMap::new();
    for one in &baseline.findings {
        let worst = known.entry((&one.file, &one.fingerprint)).or_default();
        *worst = answer_badness(one).max(*worst);
    }
    let before = findings.findings.len();
    findings.findings.retain(|one| {
        let then = known.get(&(one.file.as_str(), one.fingerprint.as_str()));
        answer_badness(one) == 0 || then.is_none_or(|then| answer_badness(one) > *then)
    });
    before - findings.findings.len()
}
