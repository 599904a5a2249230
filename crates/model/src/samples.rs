//! Programs for the tests of this room: two written by hand, and as many as wanted at random.

mod random;

pub(crate) use random::{RandomModelParts, random_program};

use crate::Program;

/// Every instruction, operator, terminator and operand.
pub(crate) const EVERYTHING: &str = include_str!("samples/everything.ouro");

/// Loops, reducible and not, and calls.
pub(crate) const LOOPS: &str = include_str!("samples/loops.ouro");

pub(crate) fn parse_sample(text: &str) -> Program {
    let program = crate::text::parse_program(text).unwrap_or_else(|refused| panic!("{refused}"));
    if let Err(violations) = crate::wellformed::check_wellformed_program(&program) {
        panic!("{}", violations.iter().map(|v| format!("{v}\n")).collect::<String>());
    }
    program
}
