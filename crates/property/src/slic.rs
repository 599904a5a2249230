//! The liveness language of TERMINATOR, files `*.slic`; `docs/liveness-language.md` describes it.
//!
//! | file | one idea |
//! | --- | --- |
//! | `parse`, `cursor` | the text of a specification |
//! | `print` | and back |
//! | `rules` | what a specification must not say |
//! | `monitor` | each of its obligations as C code that runs with the program |

mod cursor;
pub mod monitor;
pub mod parse;
mod print;
mod rules;

use crate::error::Place;

/// A specification.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Spec {
    /// Variables of the specification.
    pub state: Vec<Field>,
    /// What happens at which point of the program, for all obligations.
    pub transfers: Vec<Transfer>,
    /// Promises and rules that have a name, each a question of its own.
    pub obligations: Vec<Obligation>,
    /// What is assumed of the environment.
    pub fairness: Vec<Constraint>,
}

/// A piece of C.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Text {
    /// Its text.
    pub text: String,
    /// Where it starts.
    pub place: Place,
}

/// `int irql = -1;`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// Its type.
    pub ctype: Text,
    /// Its name.
    pub name: Text,
    /// What it is at the start; zero if nothing is said.
    pub initial: Option<Text>,
}

/// `f.entry, g.entry { … }`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transfer {
    /// Whether a program without the functions is fine.
    pub optional: bool,
    /// When it happens; one at least.
    pub patterns: Vec<Pattern>,
    /// What happens.
    pub body: Vec<Stmt>,
}

/// When something happens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Pattern {
    /// `f.entry`
    Entry(Text),
    /// `f.exit`
    Exit(Text),
    /// `any`
    Any(Place),
}

/// `obligation "lock" { … }`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Obligation {
    /// Its name.
    pub name: Text,
    /// What happens for it alone.
    pub transfers: Vec<Transfer>,
}

/// A statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stmt {
    /// `x = expr;`
    Assign(Text, Text),
    /// `if (condition) … else …`
    If(Condition, Vec<Stmt>, Vec<Stmt>),
    /// `error();`
    Error(Place),
    /// `set();`
    Set(Place),
    /// `unset();`
    Unset(Place),
    /// `return;`
    Return(Place),
}

/// What an `if` asks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Condition {
    /// `nondet()`
    Nondet(Place),
    /// An expression of the program.
    Expression(Text),
}

/// `fairness "name" { pattern { expr } pattern { expr } }`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Constraint {
    /// Its name, if it has one.
    pub name: Option<Text>,
    /// What happens infinitely often …
    pub p: Guarded,
    /// … only if this does.
    pub q: Guarded,
    /// Where it stands.
    pub place: Place,
}

/// `f.exit { $return != 0 }`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Guarded {
    /// When it is looked at.
    pub pattern: Pattern,
    /// What has to be true then.
    pub condition: Text,
}

impl Pattern {
    /// Where it stands.
    pub fn place(&self) -> Place {
        match self {
            Pattern::Entry(name) | Pattern::Exit(name) => name.place,
            Pattern::Any(place) => *place,
        }
    }
}

impl Stmt {
    /// Whether a statement is among these, or inside one of them.
    pub(crate) fn any(statements: &[Stmt], wanted: &dyn Fn(&Stmt) -> bool) -> bool {
        statements.iter().any(|statement| {
            wanted(statement)
                || matches!(statement, Stmt::If(_, then, otherwise)
                    if Stmt::any(then, wanted) || Stmt::any(otherwise, wanted))
        })
    }
}
