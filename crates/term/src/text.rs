//! SMT-LIB text for terms, both ways.

/// Where and why a text was refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// Byte offset in the text.
    pub offset: usize,
    /// What was expected.
    pub message: String,
}
