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

use crate::error::SpecificationPlace;

/// A formula as it was written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LtlFormula {
    /// `true` or `false`
    Constant(bool),
    /// `"x > 0"`, by its number in [`LtlProperty::write_atom_functions`]
    Atom(u32),
    /// `! a`
    Not(Box<LtlFormula>),
    /// `a && b`
    And(Box<LtlFormula>, Box<LtlFormula>),
    /// `a || b`
    Or(Box<LtlFormula>, Box<LtlFormula>),
    /// `a -> b`
    Implies(Box<LtlFormula>, Box<LtlFormula>),
    /// `a <-> b`
    Equivalent(Box<LtlFormula>, Box<LtlFormula>),
    /// `X a`
    Next(Box<LtlFormula>),
    /// `F a`
    Finally(Box<LtlFormula>),
    /// `G a`
    Globally(Box<LtlFormula>),
    /// `a U b`
    Until(Box<LtlFormula>, Box<LtlFormula>),
    /// `a R b`
    Release(Box<LtlFormula>, Box<LtlFormula>),
    /// `a W b`
    WeakUntil(Box<LtlFormula>, Box<LtlFormula>),
}

/// A formula and what its atoms are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LtlProperty {
    /// The formula.
    pub formula: LtlFormula,
    /// C expressions, each once, with the place of their first character.
    pub atoms: Vec<LtlAtom>,
}

/// A C expression that is true or false in a state of the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LtlAtom {
    /// Its text.
    pub text: String,
    /// Where it stands first.
    pub place: SpecificationPlace,
}

impl LtlFormula {
    /// Whether the next state is spoken of. A formula that does not is true or false of a word
    /// however often its letters are repeated.
    pub fn counts_steps(&self) -> bool {
        match self {
            LtlFormula::Constant(_) | LtlFormula::Atom(_) => false,
            LtlFormula::Next(_) => true,
            LtlFormula::Not(a) | LtlFormula::Finally(a) | LtlFormula::Globally(a) => {
                a.counts_steps()
            }
            LtlFormula::And(a, b)
            | LtlFormula::Or(a, b)
            | LtlFormula::Implies(a, b)
            | LtlFormula::Equivalent(a, b)
            | LtlFormula::Until(a, b)
            | LtlFormula::Release(a, b)
            | LtlFormula::WeakUntil(a, b) => a.counts_steps() || b.counts_steps(),
        }
    }
}
