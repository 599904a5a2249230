//! What people see of a scan.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use ouro_report::finding::{Answer, Finding, Findings, Kind};

/// How many loops there are of each kind.
#[derive(Clone, Copy, Default)]
struct Count {
    all: usize,
    proved: usize,
    assumed: usize,
    forever: usize,
    excepted: usize,
}

impl Count {
    fn add(&mut self, finding: &Finding) {
        self.all += 1;
        match finding.verdict {
            Answer::Terminates | Answer::Holds => {
                self.proved += 1;
                self.assumed += usize::from(!finding.assumed.is_empty());
            }
            Answer::Loops | Answer::Violated => self.forever += 1,
            Answer::Unknown => self.excepted += usize::from(finding.excepted.is_some()),
        }
    }

    fn unknown(&self) -> usize {
        self.all - self.proved - self.forever - self.excepted
    }
}

/// The findings, a table of files, the notes, and one line that says it all.
pub(super) fn text(findings: &Findings, everything: bool, left_out: usize) -> String {
    let mut text = String::new();
    for finding in &findings.findings {
        if everything || !finding.verdict.is_good() {
            one(&mut text, finding);
        }
    }
    let mut files: BTreeMap<&str, Count> = BTreeMap::new();
    let mut total = Count::default();
    for finding in findings.findings.iter().filter(|one| one.kind == Kind::Loop) {
        files.entry(&finding.file).or_default().add(finding);
        total.add(finding);
    }
    table(&mut text, &files, total);
    for note in &findings.notes {
        let _ = writeln!(text, "note: {note}");
    }
    if left_out > 0 {
        let _ = writeln!(text, "note: {left_out} findings are in the baseline and were left out");
    }
    for one in &findings.skipped {
        let _ = writeln!(text, "error: {}", one.text());
    }
    text.push_str(&sum(total, findings.skipped.len()));
    text
}

/// One line that says it all. There is no share of nothing.
fn sum(total: Count, skipped: usize) -> String {
    let mut text = format!("{} loops", total.all);
    if total.all > 0 {
        let share = 100.0 * total.proved as f64 / total.all as f64;
        let _ = write!(
            text,
            ": {} proved to end ({share:.0} %), {} of them under assumptions; {} can run forever; \
             {} excepted; {} unknown",
            total.proved,
            total.assumed,
            total.forever,
            total.excepted,
            total.unknown()
        );
    }
    match skipped {
        0 => {}
        1 => text.push_str("; 1 file was left out"),
        more => {
            let _ = write!(text, "; {more} files were left out");
        }
    }
    text + "\n"
}

fn one(text: &mut String, finding: &Finding) {
    let what = match finding.kind {
        Kind::Recursion => "recursion ",
        _ => "",
    };
    let why = finding.argument.as_ref().or(finding.reason.as_ref());
    let _ = write!(text, "{}: {what}{}", finding.spot(), finding.verdict.word());
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
    if let Some(reason) = &finding.excepted {
        let _ = writeln!(text, "    excepted: {reason}");
    }
}

fn table(text: &mut String, files: &BTreeMap<&str, Count>, total: Count) {
    let width = files.keys().map(|file| file.chars().count()).max().unwrap_or(0).max(5);
    let _ = writeln!(
        text,
        "{:width$}  {:>6} {:>7} {:>9} {:>8} {:>9} {:>8}",
        "file", "loops", "proved", "assuming", "forever", "excepted", "unknown"
    );
    let mut row = |name: &str, count: &Count| {
        let _ = writeln!(
            text,
            "{name:width$}  {:>6} {:>7} {:>9} {:>8} {:>9} {:>8}",
            count.all,
            count.proved,
            count.assumed,
            count.forever,
            count.excepted,
            count.unknown()
        );
    };
    for (file, count) in files {
        row(file, count);
    }
    row("total", &total);
}
