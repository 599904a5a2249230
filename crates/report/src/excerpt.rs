//! Lines of the user's source, with a mark under one.

use ouro_evidence::SourcePlace;

use crate::limits::LIMITS;
use crate::{SourceTexts, TextStyle};

/// What to show.
pub(crate) struct SourceExcerpt<'a> {
    /// The line that is marked.
    pub(crate) place: &'a SourcePlace,
    /// What is written beside the mark.
    pub(crate) label: &'a str,
    /// Further places; those in the same file are shown.
    pub(crate) others: &'a [SourcePlace],
    /// What is written below, one after the other.
    pub(crate) notes: &'a [String],
}

impl SourceExcerpt<'_> {
    /// The lines, in the manner of compilers.
    pub(crate) fn render(&self, sources: &SourceTexts, style: TextStyle) -> String {
        let lines = self.shown_lines();
        let width = lines.last().map_or(1, |line| line.to_string().len());
        let margin = " ".repeat(width);
        let bar = format!("{margin} {}", style.frame("|"));
        let mut out = format!("{margin}{} {}\n", style.frame("-->"), self.place);
        let text = sources.get(&self.place.file).map_or("", String::as_str);
        let shown = |line: u32| {
            let text = text.lines().nth(line as usize - 1).unwrap_or("");
            shorten_line(&text.trim_end().replace('\t', "    "))
        };
        if !shown(self.place.line).is_empty() {
            out += &format!("{bar}\n");
            let mut previous = None;
            for &line in &lines {
                if previous.is_some_and(|previous| previous + 1 < line) {
                    out += &format!("{}\n", style.frame("..."));
                }
                previous = Some(line);
                let source = shown(line);
                let number = style.frame(&format!("{line:>width$} |"));
                out += &format!("{number} {source}\n");
                if line == self.place.line {
                    let code = source.trim_start();
                    let before = " ".repeat(source.chars().count() - code.chars().count());
                    let mark = "^".repeat(code.chars().count());
                    let mark = style.bad(format!("{mark} {}", self.label).trim_end());
                    out += &format!("{bar} {before}{mark}\n");
                }
            }
        }
        if !self.notes.is_empty() {
            out += &format!("{bar}\n");
        }
        for note in self.notes {
            out += &format!("{margin} {} {note}\n", style.frame("="));
        }
        out
    }

    /// The lines to show, ascending; the marked one is always among them.
    fn shown_lines(&self) -> Vec<u32> {
        let same = self.others.iter().filter(|other| other.is_known());
        let mut lines: Vec<u32> =
            same.filter(|other| other.file == self.place.file).map(|other| other.line).collect();
        lines.push(self.place.line);
        lines.sort_unstable();
        lines.dedup();
        if lines.len() > LIMITS.excerpt_lines {
            let at = lines.binary_search(&self.place.line).unwrap_or(0);
            let start = at.min(lines.len() - LIMITS.excerpt_lines);
            lines = lines[start..start + LIMITS.excerpt_lines].to_vec();
        }
        lines
    }
}

fn shorten_line(line: &str) -> String {
    match line.char_indices().nth(LIMITS.excerpt_line_length) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}
