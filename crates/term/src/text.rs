//! SMT-LIB text for terms, both ways.
//!
//! What is printed is SMT-LIB 2.6, with these differences:
//!
//! - Floating point operators work on bit-vectors and print under their own names: `(fp.add x y)`,
//!   `(fp.sub x y)`, `(fp.mul x y)`, `(fp.div x y)`, `(fp.mod x y)` (C's `fmod`), `(fp.sqrt x)`,
//!   `(fp.eq x y)`, `(fp.lt x y)`, `(fp.leq x y)`, `(fp.isNaN x)`, and the conversions
//!   `((_ fp.to_fp w) x)`, `((_ fp.to_sbv w) x)`, `((_ fp.to_ubv w) x)`, `((_ sbv.to_fp w) x)`,
//!   `((_ ubv.to_fp w) x)` to `w` bits. Rounding is to nearest (toward zero to integers).
//! - Inside `|…|` a backslash stands before a bar or a backslash that belongs to the name.
//!
//! A part that occurs more than once is printed once, under a `let`, so that the text is as long
//! as the store's share of the term. If a symbol of the term starts with `?`, the names `?0`, `?1`, …
//! start with more question marks than it does. Nothing in the text depends on the age of the parts:
//! a term prints the same from every store.
//!
//! The parser also takes what people write: `=>`, `distinct`, `-`, `<`, `>=`, `>`, `bvsub`,
//! `bvugt`, `bvuge`, `bvsgt`, `bvsge`, `(_ bv5 8)`, and comments.

mod order;
mod parse;
mod print;

use std::fmt;

pub use print::TermDisplay;

use crate::TermOp;

/// Where and why a text was refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TermParseError {
    /// Byte offset in the text.
    pub offset: usize,
    /// What was expected.
    pub message: String,
}

impl fmt::Display for TermParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at byte {}: {}", self.offset, self.message)
    }
}

impl std::error::Error for TermParseError {}

/// The operators that are written as a name alone.
const NAMES: [(&str, TermOp); 42] = [
    ("true", TermOp::True),
    ("false", TermOp::False),
    ("not", TermOp::Not),
    ("and", TermOp::And),
    ("or", TermOp::Or),
    ("=", TermOp::Eq),
    ("ite", TermOp::Ite),
    ("+", TermOp::IntAdd),
    ("*", TermOp::IntMul),
    ("<=", TermOp::IntLe),
    ("div", TermOp::IntDiv),
    ("mod", TermOp::IntMod),
    ("bvnot", TermOp::BvNot),
    ("bvneg", TermOp::BvNeg),
    ("bvadd", TermOp::BvAdd),
    ("bvmul", TermOp::BvMul),
    ("bvudiv", TermOp::BvUdiv),
    ("bvurem", TermOp::BvUrem),
    ("bvsdiv", TermOp::BvSdiv),
    ("bvsrem", TermOp::BvSrem),
    ("bvand", TermOp::BvAnd),
    ("bvor", TermOp::BvOr),
    ("bvxor", TermOp::BvXor),
    ("bvshl", TermOp::BvShl),
    ("bvlshr", TermOp::BvLshr),
    ("bvashr", TermOp::BvAshr),
    ("bvult", TermOp::BvUlt),
    ("bvule", TermOp::BvUle),
    ("bvslt", TermOp::BvSlt),
    ("bvsle", TermOp::BvSle),
    ("concat", TermOp::Concat),
    ("bv2nat", TermOp::BvToNat),
    ("fp.add", TermOp::FpAdd),
    ("fp.sub", TermOp::FpSub),
    ("fp.mul", TermOp::FpMul),
    ("fp.div", TermOp::FpDiv),
    ("fp.sqrt", TermOp::FpSqrt),
    ("fp.mod", TermOp::FpMod),
    ("fp.eq", TermOp::FpEq),
    ("fp.lt", TermOp::FpLt),
    ("fp.leq", TermOp::FpLe),
    ("fp.isNaN", TermOp::FpIsNan),
];

/// Words that a symbol can have only between bars.
const RESERVED: [&str; 12] = [
    "let", "true", "false", "_", "!", "as", "par", "forall", "exists", "match", "NUMERAL", "STRING",
];

/// Whether a character may stand in a symbol without bars.
fn is_plain_symbol_char(character: char) -> bool {
    character.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(character)
}

/// A symbol's name as it is written: between bars where necessary.
fn quote_symbol(name: &str) -> std::borrow::Cow<'_, str> {
    let plain = !name.is_empty()
        && name.chars().all(is_plain_symbol_char)
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && !RESERVED.contains(&name);
    if plain {
        return name.into();
    }
    let mut text = String::with_capacity(name.len() + 2);
    text.push('|');
    for character in name.chars() {
        if matches!(character, '|' | '\\') {
            text.push('\\');
        }
        text.push(character);
    }
    text.push('|');
    text.into()
}
