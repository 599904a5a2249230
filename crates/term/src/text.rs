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

pub use print::Display;

use crate::Op;

/// Where and why a text was refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// Byte offset in the text.
    pub offset: usize,
    /// What was expected.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at byte {}: {}", self.offset, self.message)
    }
}

impl std::error::Error for ParseError {}

/// The operators that are written as a name alone.
const NAMES: [(&str, Op); 42] = [
    ("true", Op::True),
    ("false", Op::False),
    ("not", Op::Not),
    ("and", Op::And),
    ("or", Op::Or),
    ("=", Op::Eq),
    ("ite", Op::Ite),
    ("+", Op::IntAdd),
    ("*", Op::IntMul),
    ("<=", Op::IntLe),
    ("div", Op::IntDiv),
    ("mod", Op::IntMod),
    ("bvnot", Op::BvNot),
    ("bvneg", Op::BvNeg),
    ("bvadd", Op::BvAdd),
    ("bvmul", Op::BvMul),
    ("bvudiv", Op::BvUdiv),
    ("bvurem", Op::BvUrem),
    ("bvsdiv", Op::BvSdiv),
    ("bvsrem", Op::BvSrem),
    ("bvand", Op::BvAnd),
    ("bvor", Op::BvOr),
    ("bvxor", Op::BvXor),
    ("bvshl", Op::BvShl),
    ("bvlshr", Op::BvLshr),
    ("bvashr", Op::BvAshr),
    ("bvult", Op::BvUlt),
    ("bvule", Op::BvUle),
    ("bvslt", Op::BvSlt),
    ("bvsle", Op::BvSle),
    ("concat", Op::Concat),
    ("bv2nat", Op::BvToNat),
    ("fp.add", Op::FpAdd),
    ("fp.sub", Op::FpSub),
    ("fp.mul", Op::FpMul),
    ("fp.div", Op::FpDiv),
    ("fp.sqrt", Op::FpSqrt),
    ("fp.mod", Op::FpMod),
    ("fp.eq", Op::FpEq),
    ("fp.lt", Op::FpLt),
    ("fp.leq", Op::FpLe),
    ("fp.isNaN", Op::FpIsNan),
];

/// Words that a symbol can have only between bars.
const RESERVED: [&str; 12] = [
    "let", "true", "false", "_", "!", "as", "par", "forall", "exists", "match", "NUMERAL", "STRING",
];

/// Whether a character may stand in a symbol without bars.
fn is_plain(character: char) -> bool {
    character.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(character)
}

/// A symbol's name as it is written: between bars where necessary.
fn quoted(name: &str) -> std::borrow::Cow<'_, str> {
    let plain = !name.is_empty()
        && name.chars().all(is_plain)
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
