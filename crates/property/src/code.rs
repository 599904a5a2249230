//! The C text of a monitor: lines of ours, and lines of the specification with their places.

use std::fmt::Write as _;

use ouro_model::{CompassionPair, EventTrigger};

use crate::error::SpecificationPlace;

/// What a monitor may call; the front end translates these itself.
const PRIMITIVES: [&str; 4] = [
    "extern void __ouro_event(unsigned);",
    "extern void __ouro_violation(unsigned);",
    "extern void __ouro_assume(int);",
    "extern unsigned char __ouro_guess(void);",
];

/// C text under construction.
#[derive(Debug)]
pub(crate) struct MonitorCode {
    text: String,
    file: String,
}

impl MonitorCode {
    /// Starts with what every monitor needs.
    pub(crate) fn new(file: &str) -> MonitorCode {
        let mut code = MonitorCode::fragment(file);
        // Our own lines are the specification's, not those that follow the program's last one.
        let marker = format!("# 1 \"{}\"", code.file);
        code.push_line(&marker);
        PRIMITIVES.iter().for_each(|line| code.push_line(line));
        code
    }

    /// Starts with nothing.
    pub(crate) fn fragment(file: &str) -> MonitorCode {
        MonitorCode { text: String::new(), file: escape_c_string(file) }
    }

    /// A line of ours.
    pub(crate) fn push_line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// A piece of the specification. clang then speaks of its file, line and column. (A line marker,
    /// not `#line`: preprocessed files know only the former.)
    pub(crate) fn push_quoted(&mut self, text: &str, place: SpecificationPlace) {
        let column = usize::try_from(place.column.saturating_sub(1)).unwrap_or(0).min(2000);
        let _ = writeln!(self.text, "# {} \"{}\"", place.line, self.file);
        let _ = writeln!(self.text, "{:column$}{text}", "");
    }

    /// The text.
    pub(crate) fn into_text(self) -> String {
        self.text
    }
}

/// A name as it stands in a string of C.
fn escape_c_string(name: &str) -> String {
    let mut escaped = String::new();
    for character in name.chars() {
        match character {
            '"' | '\\' => escaped.extend(['\\', character]),
            '\n' | '\r' => escaped.push('?'),
            _ => escaped.push(character),
        }
    }
    escaped
}

/// The pair that no infinite run meets: only what happens in finite time counts.
pub(crate) fn finite_runs_only_pair(name: &str, place: SpecificationPlace) -> CompassionPair {
    CompassionPair {
        name: format!("{name} is broken in finite time or not at all"),
        p: EventTrigger::Always,
        q: Vec::new(),
        span: place.span(),
    }
}
