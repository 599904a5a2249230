//! Where and why a text was refused.

use std::fmt;
use std::path::{Path, PathBuf};

use ouro_model::{FileId, Span};

/// Why a file is not a transition system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FormatError {
    /// The file, as it was named.
    pub file: PathBuf,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// What was expected there, or what cannot be expressed.
    pub message: String,
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}: {}", self.file.display(), self.line, self.column, self.message)
    }
}

impl std::error::Error for FormatError {}

/// A result inside this room, where the file has no name yet.
pub(crate) type FormatResult<T> = Result<T, FormatRefusal>;

/// An [`Error`] without its file.
#[derive(Debug)]
pub(crate) struct FormatRefusal {
    place: FormatPlace,
    message: String,
}

impl FormatRefusal {
    pub(crate) fn in_file(self, file: &Path) -> FormatError {
        let FormatRefusal { place, message } = self;
        FormatError { file: file.to_owned(), line: place.line, column: place.column, message }
    }
}

/// A place in the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct FormatPlace {
    pub(crate) line: u32,
    pub(crate) column: u32,
}

impl FormatPlace {
    /// The first character.
    pub(crate) const START: FormatPlace = FormatPlace { line: 1, column: 1 };

    /// Steps over a character.
    pub(crate) fn advance(&mut self, over: char) {
        if over == '\n' {
            self.line = self.line.saturating_add(1);
            self.column = 1;
        } else {
            self.column = self.column.saturating_add(1);
        }
    }

    /// The place as the model has it.
    pub(crate) fn span(self) -> Span {
        Span { file: FileId(0), line: self.line, column: self.column }
    }

    pub(crate) fn refuse(self, message: impl Into<String>) -> FormatRefusal {
        FormatRefusal { place: self, message: message.into() }
    }

    pub(crate) fn expected(self, what: &str) -> FormatRefusal {
        self.refuse(format!("expected {what}"))
    }

    /// For expressions that grow beyond all measure when they are multiplied out.
    pub(crate) fn too_large(self) -> FormatRefusal {
        self.refuse("this becomes too large when it is expanded")
    }
}

/// A piece of the text for a message, cut off if it is long, and on one line.
pub(crate) fn shorten_text(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut short = String::new();
    let mut length = 0;
    for character in text.chars() {
        let piece: String = match character.is_control() {
            true => character.escape_default().collect(),
            false => character.into(),
        };
        // It is what is written that has to be short: an escape takes several characters.
        length += piece.chars().count();
        if length > LONGEST {
            short.push('…');
            break;
        }
        short.push_str(&piece);
    }
    short
}
