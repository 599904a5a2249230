//! Where and why a text was refused.

use std::fmt;

use ouro_model::{FileId, Span};

/// Why a specification was refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpecificationError {
    /// The file, as it was named.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// What is wrong, and what to write instead.
    pub message: String,
}

impl fmt::Display for SpecificationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}: {}", self.file, self.line, self.column, self.message)
    }
}

impl std::error::Error for SpecificationError {}

/// A result inside this room, where the file has no name yet.
pub(crate) type SpecificationResult<T> = Result<T, SpecificationRefusal>;

/// An [`Error`] without its file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SpecificationRefusal {
    place: SpecificationPlace,
    message: String,
}

impl SpecificationRefusal {
    pub(crate) fn in_file(self, file: &str) -> SpecificationError {
        let SpecificationRefusal { place, message } = self;
        SpecificationError {
            file: file.to_owned(),
            line: place.line,
            column: place.column,
            message,
        }
    }
}

/// A place in a text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct SpecificationPlace {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

impl SpecificationPlace {
    /// The first character.
    pub const START: SpecificationPlace = SpecificationPlace { line: 1, column: 1 };

    /// Steps over a character.
    pub(crate) fn advance(&mut self, over: char) {
        if over == '\n' {
            self.line = self.line.saturating_add(1);
            self.column = 1;
        } else {
            self.column = self.column.saturating_add(1);
        }
    }

    /// The place as the model has it; a monitor has one file.
    pub(crate) fn span(self) -> Span {
        Span { file: FileId(0), line: self.line, column: self.column }
    }

    pub(crate) fn refuse(self, message: impl Into<String>) -> SpecificationRefusal {
        SpecificationRefusal { place: self, message: message.into() }
    }
}

/// A piece of the text for a message, cut off if it is long, and on one line.
pub(crate) fn shorten_text(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut short: String = text.chars().take(LONGEST).flat_map(visible_characters).collect();
    if text.chars().nth(LONGEST).is_some() {
        short.push('…');
    }
    short
}

fn visible_characters(character: char) -> Vec<char> {
    if character.is_control() { character.escape_default().collect() } else { vec![character] }
}
