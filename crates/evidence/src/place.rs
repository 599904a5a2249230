//! Where in the user's source.

use std::fmt;

use ouro_model::{FunctionId, Program, Span};
use serde::{Deserialize, Serialize};

/// A place in the user's source, in the user's words.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourcePlace {
    /// The file, as the user named it; empty when not known.
    pub file: String,
    /// Line, from 1; 0 when not known.
    pub line: u32,
    /// The function; empty when not known.
    pub function: String,
}

impl SourcePlace {
    /// The place of a span inside a function.
    pub fn of_span(program: &Program, function: FunctionId, span: Span) -> SourcePlace {
        let file = if span.is_known() {
            program.files.get(span.file.0 as usize).cloned().unwrap_or_default()
        } else {
            String::new()
        };
        // The function that starts the program is nobody's: what it meets is of the one that is asked about.
        let is_start = function == program.entry && !program.functions[function].user;
        let name = match is_start && span.is_known() {
            true => String::new(),
            false => program.functions[function].name.clone(),
        };
        SourcePlace { file, line: span.line, function: name }
    }

    /// Whether there is a line to show.
    pub fn is_known(&self) -> bool {
        self.line != 0 && !self.file.is_empty()
    }
}

impl fmt::Display for SourcePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.is_known(), self.function.is_empty()) {
            (true, true) => write!(f, "{}:{}", self.file, self.line),
            (true, false) => write!(f, "{}:{} in {}", self.file, self.line, self.function),
            (false, false) => write!(f, "in {}", self.function),
            (false, true) => f.write_str("an unknown place"),
        }
    }
}
