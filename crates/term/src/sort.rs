//! The sorts of terms.

use std::fmt;

/// What kind of value a term stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sort {
    /// `true` or `false`.
    Bool,
    /// A mathematical integer, without bound.
    Int,
    /// A bit-vector of the given width, 1 to 128.
    BitVec(u32),
}

impl Sort {
    /// The widest bit-vector a term can have.
    pub const MAX_WIDTH: u32 = 128;

    /// The width of a bit-vector sort.
    pub fn width(self) -> Option<u32> {
        match self {
            Sort::BitVec(width) => Some(width),
            Sort::Bool | Sort::Int => None,
        }
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => f.write_str("Bool"),
            Sort::Int => f.write_str("Int"),
            Sort::BitVec(width) => write!(f, "(_ BitVec {width})"),
        }
    }
}
