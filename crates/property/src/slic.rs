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

use crate::error::SpecificationPlace;

/// A specification.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SlicSpecification {
    /// Variables of the specification.
    pub state: Vec<StateField>,
    /// What happens at which point of the program, for all obligations.
    pub transfers: Vec<TransferFunction>,
    /// Promises and rules that have a name, each a question of its own.
    pub obligations: Vec<SlicObligation>,
    /// What is assumed of the environment.
    pub fairness: Vec<FairnessConstraint>,
}

/// A piece of C.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CodeFragment {
    /// Its text.
    pub text: String,
    /// Where it starts.
    pub place: SpecificationPlace,
}

/// `int irql = -1;`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StateField {
    /// Its type.
    pub ctype: CodeFragment,
    /// Its name.
    pub name: CodeFragment,
    /// What it is at the start; zero if nothing is said.
    pub initial: Option<CodeFragment>,
}

/// `f.entry, g.entry { … }`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TransferFunction {
    /// Whether a program without the functions is fine.
    pub optional: bool,
    /// When it happens; one at least.
    pub patterns: Vec<ProgramPointPattern>,
    /// What happens.
    pub body: Vec<SlicStatement>,
}

/// When something happens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProgramPointPattern {
    /// `f.entry`
    Entry(CodeFragment),
    /// `f.exit`
    Exit(CodeFragment),
    /// `any`
    Any(SpecificationPlace),
}

/// `obligation "lock" { … }`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SlicObligation {
    /// Its name.
    pub name: CodeFragment,
    /// What happens for it alone.
    pub transfers: Vec<TransferFunction>,
}

/// A statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SlicStatement {
    /// `x = expr;`
    Assign(CodeFragment, CodeFragment),
    /// `if (condition) … else …`
    If(BranchCondition, Vec<SlicStatement>, Vec<SlicStatement>),
    /// `error();`
    Error(SpecificationPlace),
    /// `set();`
    Set(SpecificationPlace),
    /// `unset();`
    Unset(SpecificationPlace),
    /// `return;`
    Return(SpecificationPlace),
}

/// What an `if` asks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BranchCondition {
    /// `nondet()`
    Nondet(SpecificationPlace),
    /// An expression of the program.
    Expression(CodeFragment),
}

/// `fairness "name" { pattern { expr } pattern { expr } }`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FairnessConstraint {
    /// Its name, if it has one.
    pub name: Option<CodeFragment>,
    /// What happens infinitely often …
    pub p: GuardedPattern,
    /// … only if this does.
    pub q: GuardedPattern,
    /// Where it stands.
    pub place: SpecificationPlace,
}

/// `f.exit { $return != 0 }`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GuardedPattern {
    /// When it is looked at.
    pub pattern: ProgramPointPattern,
    /// What has to be true then.
    pub condition: CodeFragment,
}

impl ProgramPointPattern {
    /// Where it stands.
    pub fn place(&self) -> SpecificationPlace {
        match self {
            ProgramPointPattern::Entry(name) | ProgramPointPattern::Exit(name) => name.place,
            ProgramPointPattern::Any(place) => *place,
        }
    }
}

impl SlicStatement {
    /// Whether a statement is among these, or inside one of them.
    pub(crate) fn contains_statement(
        statements: &[SlicStatement],
        wanted: &dyn Fn(&SlicStatement) -> bool,
    ) -> bool {
        statements.iter().any(|statement| {
            wanted(statement)
                || matches!(statement, SlicStatement::If(_, then, otherwise)
                    if SlicStatement::contains_statement(then, wanted) || SlicStatement::contains_statement(otherwise, wanted))
        })
    }
}
