//! Linear temporal logic over C expressions.
//!
//! | file | one idea |
//! | --- | --- |
//! | `parse` | the text of a formula |
//! | `formula` | formulas with negations at the atoms |
//! | `automaton` | which words a formula accepts, as a generalised Büchi automaton |
//! | `reduce` | the same language with fewer states, transitions and marks |
//! | `monitor` | the automaton as C code that runs with the program |

pub mod automaton;
pub mod formula;
pub mod monitor;
pub mod parse;
mod reduce;

use crate::error::Place;

/// A formula as it was written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ltl {
    /// `true` or `false`
    Constant(bool),
    /// `"x > 0"`, by its number in [`Property::atoms`]
    Atom(u32),
    /// `! a`
    Not(Box<Ltl>),
    /// `a && b`
    And(Box<Ltl>, Box<Ltl>),
    /// `a || b`
    Or(Box<Ltl>, Box<Ltl>),
    /// `a -> b`
    Implies(Box<Ltl>, Box<Ltl>),
    /// `a <-> b`
    Equivalent(Box<Ltl>, Box<Ltl>),
    /// `X a`
    Next(Box<Ltl>),
    /// `F a`
    Finally(Box<Ltl>),
    /// `G a`
    Globally(Box<Ltl>),
    /// `a U b`
    Until(Box<Ltl>, Box<Ltl>),
    /// `a R b`
    Release(Box<Ltl>, Box<Ltl>),
    /// `a W b`
    WeakUntil(Box<Ltl>, Box<Ltl>),
}

/// A formula and what its atoms are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    /// The formula.
    pub formula: Ltl,
    /// C expressions, each once, with the place of their first character.
    pub atoms: Vec<Atom>,
}

/// A C expression that is true or false in a state of the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Atom {
    /// Its text.
    pub text: String,
    /// Where it stands first.
    pub place: Place,
}

impl Ltl {
    /// Whether the next state is spoken of. A formula that does not is true or false of a word
    /// however often its letters are repeated.
    pub fn counts_steps(&self) -> bool {
        match self {
            Ltl::Constant(_) | Ltl::Atom(_) => false,
            Ltl::Next(_) => true,
            Ltl::Not(a) | Ltl::Finally(a) | Ltl::Globally(a) => a.counts_steps(),
            Ltl::And(a, b)
            | Ltl::Or(a, b)
            | Ltl::Implies(a, b)
            | Ltl::Equivalent(a, b)
            | Ltl::Until(a, b)
            | Ltl::Release(a, b)
            | Ltl::WeakUntil(a, b) => a.counts_steps() || b.counts_steps(),
        }
    }
}
