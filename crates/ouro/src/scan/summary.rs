//! What people see of a scan.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use ouro_report::finding::{FindingAnswer, FindingCollection, FindingKind, ReportFinding};

/// How many loops there are of each kind.
#[derive(Clone, Copy, Default)]
struct AnswerCount {
    all: usize,
    proved: usize,
    assumed: usize,
    forever: usize,
    suppressed: usize,
}

impl AnswerCount {
    fn add(&mut self, finding: &ReportFinding) {
        self.all += 1;
        match finding.verdict {
            FindingAnswer::Terminates | FindingAnswer::Holds => {
                self.proved += 1;
                self.assumed += usize::from(!finding.assumed.is_empty());
            }
            FindingAnswer::Loops | FindingAnswer::Violated => self.forever += 1,
            FindingAnswer::Unknown => self.suppressed += usize::from(finding.suppressed.is_some()),
        }
    }

    fn unknown_count(&self) -> usize {
        self.all - self.proved - self.forever - self.suppressed
    }
}

/// The findings, a table of files, the notes, and one line that says it all.
pub(super) fn summary_text(
    findings: &FindingCollection,
    everything: bool,
    left_out: usize,
) -> String {
    let mut text = String::new();
    for finding in &findings.findings {
        if everything || !finding.verdict.is_good() {
            write_finding(&mut text, finding);
        }
    }
    let mut files: BTreeMap<&str, AnswerCount> = BTreeMap::new();
    let mut total = AnswerCount::default();
    for finding in findings.findings.iter().filter(|one| one.kind == FindingKind::Loop) {
        files.entry(&finding.file).or_default().add(finding);
        total.add(finding);
    }
    write_table(&mut text, &files, total);
    for note in &findings.notes {
        let _ = writeln!(text, "note: {note}");
    }
    if left_out > 0 {
        let _ = writeln!(text, "note: {left_out} findings are in the baseline and are not shown");
    }
    for one in &findings.skipped {
        let _ = writeln!(text, "error: {}", one.text());
    }
    text.push_str(&summary_line(total, findings.skipped.len()));
    text
}

/// One line that says it all. There is no share of nothing.
fn summary_line(total: AnswerCount, skipped: usize) -> String {
    let mut text = format!("{} loops", total.all);
    if total.all > 0 {
        let share = 100.0 * total.proved as f64 / total.all as f64;
        let _ = write!(
            text,
            ": {} terminate ({share:.0} %), {} of them under assumptions; {} {}; {} suppressed; \
             {} unknown",
            total.proved,
            total.assumed,
            total.forever,
            if total.forever == 1 { "loops forever" } else { "loop forever" },
            total.suppressed,
            total.unknown_count()
        );
    }
    match skipped {
        0 => {}
        1 => text.push_str("; 1 file was skipped"),
        more => {
            let _ = write!(text, "; {more} files were skipped");
        }
    }
    text + "\n"
}

fn write_finding(text: &mut String, finding: &ReportFinding) {
    let what = match finding.kind {
        FindingKind::Recursion => "recursion ",
        _ => "",
    };
    let why = finding.argument.as_ref().or(finding.reason.as_ref());
    let _ = write!(text, "{}: {what}{}", finding.place_text(), finding.verdict.phrase());
    if let Some(why) = why {
        let _ = write!(text, ": {why}");
    }
    text.push('\n');
    for assumed in &finding.assumed {
        let _ = writeln!(text, "    assumed: {assumed}");
    }
    for input in &finding.inputs {
        let _ = writeln!(text, "    input: {} = {}", input.name, input.value);
    }
    if let Some(reason) = &finding.suppressed {
        let _ = writeln!(text, "    suppressed: {reason}");
    }
}

fn write_table(text: &mut String, files: &BTreeMap<&str, AnswerCount>, total: AnswerCount) {
    let width = files.keys().map(|file| file.chars().count()).max().unwrap_or(0).max(5);
    let _ = writeln!(
        text,
        "{:width$}  {:>6} {:>7} {:>9} {:>8} {:>10} {:>8}",
        "file", "loops", "proved", "assuming", "forever", "suppressed", "unknown"
    );
    let mut row = |name: &str, count: &AnswerCount| {
        let _ = writeln!(
            text,
            "{name:width$}  {:>6} {:>7} {:>9} {:>8} {:>10} {:>8}",
            count.all,
            count.proved,
            count.assumed,
            count.forever,
            count.suppressed,
            count.unknown_count()
        );
    };
    for (file, count) in files {
        row(file, count);
    }
    row("total", &total);
}
