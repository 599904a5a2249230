//! The text form of programs, both ways: `parse(&print(p)) == Ok(p)`.
//!
//! ```text
//! program 1                         ; the version of the text form
//! target 64
//! file "prog.c"
//! assumption "malloc may fail"
//! entry f0
//!
//! global g0 "x" size 4 align 4 zeroed user @3:5 {
//!   0: bytes [2a000000]
//! }
//!
//! fn f0 "start" () -> () {
//!   v0 i32 "n" user
//!   v1 i1 temp
//! b0:
//!   v0 = choice function "__VERIFIER_nondet_int" @5:11
//!   goto b1
//! b1:
//!   v0 = add.s v0, i32 -1 @6:3
//!   store &g0, v0 @6:9
//!   v1 = slt i32 0, v0 @7:9
//!   branch v1, b1, b2 @7:2
//! b2:
//!   return () @8:1
//! }
//! ```
//!
//! - Items stand in the order of their ids. Layout means nothing; a semicolon starts a comment.
//! - After what it returns, a function may be marked `user`, `specification`, or both, in this order.
//! - Before the entry a program may have its question: `liveness`, then `event "name"`,
//!   `obligation "name"` and `fair "name" [0, 1] [2]` or `fair "name" always [2]`, each with a place.
//! - A place is `@line:column`, or `@file:line:column` if the file is not the first; none is none.
//! - A constant is its type and number: integers signed if they are wider than one bit, other
//!   patterns in hexadecimal. An address is `&g1`, `&g1+8`, `&f2` or `&b3`.
//! - Names are strings between double quotes, with the escapes `\"`, `\\`, `\n`, `\t` and
//!   `\u{1F}`.
//!
//! The parser checks the form only; `wellformed` has the rules.

pub(crate) mod cursor;
pub(crate) mod lex;
mod parse;
mod print;

use std::fmt;

pub use parse::parse_program;
pub use print::print_program;

use crate::{BinaryOp, CastOp, CompareOp, FloatOp, UnaryOp};

/// Where and why a text was refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModelParseError {
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// What was expected.
    pub message: String,
}

impl fmt::Display for ModelParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ModelParseError {}

const UNARY: [(&str, UnaryOp); 12] = [
    ("fneg", UnaryOp::FloatNeg),
    ("fabs", UnaryOp::FloatAbs),
    ("fsqrt", UnaryOp::FloatSqrt),
    ("ftrunc", UnaryOp::FloatTrunc),
    ("ffloor", UnaryOp::FloatFloor),
    ("fceil", UnaryOp::FloatCeil),
    ("fround", UnaryOp::FloatRound),
    ("frint", UnaryOp::FloatRint),
    ("byteswap", UnaryOp::ByteSwap),
    ("popcount", UnaryOp::PopCount),
    ("leadingzeros", UnaryOp::LeadingZeros),
    ("trailingzeros", UnaryOp::TrailingZeros),
];

/// `.s` marks what is undefined when it overflows as signed.
const BINARY: [(&str, BinaryOp); 17] = [
    ("add", BinaryOp::Add { signed: false }),
    ("add.s", BinaryOp::Add { signed: true }),
    ("sub", BinaryOp::Sub { signed: false }),
    ("sub.s", BinaryOp::Sub { signed: true }),
    ("mul", BinaryOp::Mul { signed: false }),
    ("mul.s", BinaryOp::Mul { signed: true }),
    ("shl", BinaryOp::Shl { signed: false }),
    ("shl.s", BinaryOp::Shl { signed: true }),
    ("lshr", BinaryOp::LShr),
    ("ashr", BinaryOp::AShr),
    ("udiv", BinaryOp::UDiv),
    ("sdiv", BinaryOp::SDiv),
    ("urem", BinaryOp::URem),
    ("srem", BinaryOp::SRem),
    ("and", BinaryOp::And),
    ("or", BinaryOp::Or),
    ("xor", BinaryOp::Xor),
];

const FLOAT: [(&str, FloatOp); 5] = [
    ("fadd", FloatOp::Add),
    ("fsub", FloatOp::Sub),
    ("fmul", FloatOp::Mul),
    ("fdiv", FloatOp::Div),
    ("fmod", FloatOp::Mod),
];

const COMPARE: [(&str, CompareOp); 10] = [
    ("eq", CompareOp::Eq),
    ("ne", CompareOp::Ne),
    ("ult", CompareOp::Ult),
    ("ule", CompareOp::Ule),
    ("slt", CompareOp::Slt),
    ("sle", CompareOp::Sle),
    ("feq", CompareOp::FloatEq),
    ("flt", CompareOp::FloatLt),
    ("fle", CompareOp::FloatLe),
    ("funordered", CompareOp::FloatUnordered),
];

const CAST: [(&str, CastOp); 11] = [
    ("truncate", CastOp::Truncate),
    ("zeroextend", CastOp::ZeroExtend),
    ("signextend", CastOp::SignExtend),
    ("ptrtoint", CastOp::PtrToInt),
    ("inttoptr", CastOp::IntToPtr),
    ("bits", CastOp::Bits),
    ("floattofloat", CastOp::FloatToFloat),
    ("floattosigned", CastOp::FloatToSigned),
    ("floattounsigned", CastOp::FloatToUnsigned),
    ("signedtofloat", CastOp::SignedToFloat),
    ("unsignedtofloat", CastOp::UnsignedToFloat),
];

/// The name of an operator. Every operator is in its table; a test walks them all.
fn operator_name<T: PartialEq + fmt::Debug>(table: &[(&'static str, T)], op: &T) -> &'static str {
    match table.iter().find(|(_, named)| named == op) {
        Some((name, _)) => name,
        None => unreachable!("{op:?} has no name"),
    }
}

/// The operator of a name.
fn find_operator<T: Copy>(table: &[(&str, T)], name: &str) -> Option<T> {
    table.iter().find(|(known, _)| *known == name).map(|(_, op)| *op)
}

#[cfg(test)]
mod tests;
