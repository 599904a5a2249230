//! Why there is no report.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::exit::{self, BadInput};

/// Why there is no report. That nothing could be proved is none of these: then the report says *unknown*, and why.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Failure {
    /// The input or the question is wrong, and the user can mend it.
    BadInput(String),
    /// Ouro itself failed.
    Internal(String),
    /// This process was asked to end, by this signal.
    Interrupted(i32),
}

impl Failure {
    /// What the program `ouro` exits with.
    pub fn exit_code(&self) -> u8 {
        match self {
            Failure::BadInput(_) => exit::BAD_INPUT,
            Failure::Internal(_) | Failure::Interrupted(_) => exit::CRASH,
        }
    }
}

impl From<BadInput> for Failure {
    fn from(bad: BadInput) -> Failure {
        Failure::BadInput(bad.0)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::BadInput(what) => BadInput(what.clone()).fmt(f),
            Failure::Internal(what) => {
                write!(f, "error: internal error: {what}; this is a bug in Ouro, please report it")
            }
            Failure::Interrupted(signal) => write!(
                f,
                "error: the worker was killed by signal \
                 {signal}"
            ),
        }
    }
}

impl std::error::Error for Failure {}
