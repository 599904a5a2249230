//! What is assumed about memory, in words.

use ouro_model::Span;

/// Why a write is assumed to leave a cell alone.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum UntouchedReason {
    /// It is to another object.
    OtherObject,
    /// An index is not negative.
    NegativeIndex,
    /// It is a call that is not handed the address.
    Call,
    /// It is a call that is handed it, and is not seen to write there.
    Handed,
}

/// That a write leaves alone what is read elsewhere.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct MemoryAssumption {
    /// What is left alone.
    pub(crate) cell: usize,
    pub(crate) why: UntouchedReason,
    pub(crate) write: Span,
    pub(crate) read: Span,
}

impl MemoryAssumption {
    /// In words.
    pub(crate) fn text(&self) -> String {
        let (write, read) = (self.write.line, self.read.line);
        match self.why {
            UntouchedReason::OtherObject => {
                format!("the write on line {write} does not change what line {read} reads")
            }
            UntouchedReason::Call => {
                format!("the call on line {write} does not change what line {read} reads")
            }
            UntouchedReason::Handed => format!(
                "the call on line {write} does not change what line {read} reads, although it is \
                 passed the address"
            ),
            UntouchedReason::NegativeIndex => format!(
                "the index of the write on line {write} is not negative, so it does not change \
                 what line {read} reads"
            ),
        }
    }
}
