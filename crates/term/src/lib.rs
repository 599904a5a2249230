//! Terms: the language in which every other room speaks about values.
//!
//! A [`Term`] is a small copyable handle into a [`TermStore`] store. Equal terms are the same handle
//! (hash-consing), so equality is a comparison of two numbers and shared structure costs nothing.
//! Three sorts exist: booleans, mathematical integers, and bit-vectors of 1 to 128 bits. Floating
//! point numbers are bit-vectors too; operations on them say so ([`TermOp::FpAdd`] and friends).
//!
//! Every term is built through [`TermStore::apply`], which refuses ill-sorted arguments, or through the
//! named constructors (`terms.bv_add(a, b)`), which treat a sort error as a bug of the caller.
//! Construction simplifies: constants fold, identities vanish. What simplification does is exact,
//! never an approximation.
//!
//! | file | one idea |
//! | --- | --- |
//! | `sort` | the sorts |
//! | `op` | the operators and their signatures |
//! | `store` | hash-consing |
//! | `build` | a constructor by name for each operator |
//! | `simplify`, `linear` | what construction rewrites |
//! | `fold` | operators applied to constants: the meaning of every operator |
//! | `float` | IEEE arithmetic on bit patterns |
//! | `eval` | evaluation under an assignment |
//! | `rewrite` | substitution and the symbols of a term |
//! | `text` | SMT-LIB text, both ways |

mod build;
mod eval;
pub mod float;
mod fold;
mod linear;
mod op;
mod rewrite;
mod simplify;
mod sort;
mod store;
mod text;

pub use eval::{Assignment, TermEvaluator};
pub use fold::{Constant, sign_extend, width_mask};
pub use op::{IllSorted, TermOp};
pub use sort::Sort;
pub use store::{SymbolDeclaration, SymbolId, Term, TermNode, TermStore};
pub use text::{TermDisplay, TermParseError};

#[cfg(test)]
mod tests;
