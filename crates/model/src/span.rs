//! Places in the source.

/// A source file of a program: an index into [`crate::Program::files`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FileId(pub u32);

/// A place in the source. Line 0 means that there is none: the front end made the code.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1; 0 when not known.
    pub column: u32,
}

impl Span {
    /// No place at all.
    pub const NONE: Span = Span { file: FileId(0), line: 0, column: 0 };

    /// Whether the place is in the source.
    pub fn is_known(self) -> bool {
        self.line != 0
    }
}
