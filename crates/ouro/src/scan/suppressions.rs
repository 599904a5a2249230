//! Suppressions: a comment `// ouro: terminates because …` above a loop.
//!
//! Somebody has looked at the loop and says why it terminates, so it is no failure that Ouro does not know. A
//! suppression that suppresses nothing is reported, so that none outlives its loop.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use ouro_report::finding::{FindingAnswer, FindingCollection, FindingKind, ReportFinding};

use crate::limits::LIMITS;

/// How a comment starts.
const MARK: &str = "ouro: terminates because ";

/// A comment.
#[derive(Clone, PartialEq, Eq, Debug)]
struct LoopSuppression {
    line: u32,
    reason: String,
}

/// Marks the findings that are suppressed, and notes suppressions without a use. `files` are those that were analysed.
pub(super) fn apply_suppressions(findings: &mut FindingCollection, root: &Path, files: &[String]) {
    let mut by_file: BTreeMap<&str, Vec<LoopSuppression>> = BTreeMap::new();
    for file in files {
        let bytes = fs::read(root.join(file)).unwrap_or_default();
        by_file.insert(file, parse_suppressions(&String::from_utf8_lossy(&bytes)));
    }
    for (file, suppressions) in by_file {
        for suppression in suppressions {
            let at = format!("{file}:{}", suppression.line);
            match finding_below(&mut findings.findings, file, suppression.line) {
                None => {
                    findings.notes.push(format!("{at}: this suppression has no loop below it; remove it"));
                }
                Some(finding) => match finding.verdict {
                    FindingAnswer::Unknown => finding.suppressed = Some(suppression.reason),
                    FindingAnswer::Loops | FindingAnswer::Violated => findings
                        .notes
                        .push(format!("{at}: this suppression is wrong: the loop can loop forever")),
                    // It says why what was assumed is true.
                    FindingAnswer::Terminates if !finding.assumed.is_empty() => {
                        finding.suppressed = Some(suppression.reason);
                    }
                    FindingAnswer::Terminates | FindingAnswer::Holds => findings.notes.push(
                        format!("{at}: this suppression is not needed: the loop is proved to terminate; remove it"),
                    ),
                },
            }
        }
    }
}

/// The nearest loop or recursion in the lines that a comment speaks of.
fn finding_below<'a>(
    findings: &'a mut [ReportFinding],
    file: &str,
    line: u32,
) -> Option<&'a mut ReportFinding> {
    findings
        .iter_mut()
        .filter(|one| matches!(one.kind, FindingKind::Loop | FindingKind::Recursion))
        .filter(|one| {
            one.file == file && (line..=line + LIMITS.lines_above_loop).contains(&one.line)
        })
        .min_by_key(|one| one.line)
}

/// The suppressions in a text.
fn parse_suppressions(text: &str) -> Vec<LoopSuppression> {
    let mut all = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let comment = line.find("//").map(|at| &line[at + 2..]);
        let block = line.find("/*").map(|at| line[at + 2..].trim_end().trim_end_matches("*/"));
        let reason = [comment, block].into_iter().flatten().find_map(|comment| {
            comment.trim_start().strip_prefix(MARK).map(|reason| reason.trim().to_owned())
        });
        if let Some(reason) = reason.filter(|reason| !reason.is_empty()) {
            all.push(LoopSuppression { line: number, reason });
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_of_both_kinds_count() {
        let text = "int a;\n  // ouro: terminates because n is odd\nfor (;;)\n\
                    /* ouro: terminates because the list ends */\nwhile (p)\n\
                    // ouro: terminates because\n// ouro terminates because x\n";
        let found = parse_suppressions(text);
        assert_eq!(found[0], LoopSuppression { line: 2, reason: "n is odd".to_owned() });
        assert_eq!(found[1], LoopSuppression { line: 4, reason: "the list ends".to_owned() });
        assert_eq!(found.len(), 2);
    }
}
