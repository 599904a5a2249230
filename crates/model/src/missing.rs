//! What a linker would miss: names that the source uses and nobody defines.

/// A symbol that a linker would miss.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MissingSymbol {
    /// Its name, as the linker knows it.
    pub name: String,
    /// What it is.
    pub kind: MissingSymbolKind,
}

/// What a missing symbol is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MissingSymbolKind {
    /// Code.
    Function,
    /// Code of the mathematical library, which compilers do not link by themselves.
    Mathematics,
    /// Data.
    Object {
        /// Bytes; none if the program does not know it (`extern int table[];`).
        size: Option<u64>,
        /// Alignment in bytes, a power of two.
        align: u64,
        /// Whether each thread has its own.
        thread_local: bool,
    },
}
