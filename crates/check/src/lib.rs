//! The checker: does this evidence hold?
//!
//! This is the trusted core, to be read in one sitting. It uses the machine, which says what a
//! program means, and the solver, and nothing of the engines: no search order, no suspicion, no
//! shortcut of theirs. It takes the program and the evidence, and accepts or says why not.
//!
//! | evidence | what is done |
//! | --- | --- |
//! | a state recurs | the inputs are replayed on the concrete machine up to both moments, the two states are compared, and the run goes on for a million steps (`recurs`) |
//! | every path ended | the program is executed symbolically again, depth first (`exhausted`) |

mod exhausted;
mod recurs;

use std::fmt;
use std::time::Instant;

use ouro_evidence::{Evidence, Ints};
use ouro_machine::{Machine, Overflow};
use ouro_model::Program;
use ouro_term::Terms;

/// Why evidence was not accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rejection {
    /// What does not hold.
    pub why: String,
    /// Whether it was only the time that ran out.
    pub out_of_time: bool,
}

impl Rejection {
    fn new(why: impl Into<String>) -> Self {
        Rejection { why: why.into(), out_of_time: false }
    }

    fn time() -> Self {
        Rejection { why: "the time ran out while checking".to_owned(), out_of_time: true }
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

impl std::error::Error for Rejection {}

/// Accepts evidence about a program, or says why not.
pub fn check(
    program: &Program,
    ints: Ints,
    evidence: &Evidence,
    deadline: Instant,
) -> Result<(), Rejection> {
    if let Err(violations) = ouro_model::wellformed::check(program) {
        let first = violations.first().map(ToString::to_string).unwrap_or_default();
        return Err(Rejection::new(format!("the program is not well-formed: {first}")));
    }
    let overflow = match ints {
        Ints::C => Overflow::Undefined,
        Ints::Wrap => Overflow::Wraps,
        Ints::Unbounded => Overflow::Unbounded,
    };
    let mut terms = Terms::new();
    let machine = Machine::new(program, &mut terms, overflow, false).map_err(|large| {
        Rejection::new(format!("the object {} has {} bytes", large.name, large.size))
    })?;
    match evidence {
        Evidence::Recurs(recurrence) => {
            recurs::check(program, &machine, &mut terms, recurrence, deadline)
        }
        Evidence::Exhausted(exhaustion) => {
            exhausted::check(&machine, &mut terms, exhaustion, deadline)
        }
    }
}
