//! Why a run stops. Facts about the program are values here, never errors.

use ouro_model::{FunctionId, Span};
use ouro_term::{Constant, Term};

use crate::Provenance;
use crate::chain::SegmentUnfolding;

/// Where a run stopped, in the user's terms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RunPosition {
    /// The function.
    pub function: FunctionId,
    /// The place in the source.
    pub span: Span,
}

/// Why a run stopped.
#[derive(Clone, Debug)]
pub enum MachineStop {
    /// The program ended.
    End(RunEnd, RunPosition),
    /// Control depends on a symbolic value: continue with [`crate::PcodeMachine::take`] on one of the
    /// alternatives. They exclude each other and cover all cases.
    Fork(Vec<ForkAlternative>, RunPosition),
    /// An instruction needs the value of a term: continue with [`crate::PcodeMachine::concretise_need`].
    Concretise(NeededValue, RunPosition),
    /// The number of steps asked for is done.
    Steps,
    /// The environment asked to stop at a mark.
    Mark,
}

/// How a program ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RunEnd {
    /// It exits with a status, if that is known.
    Exit(Option<i32>),
    /// It has broken the obligation of this number.
    Violation(u32),
    /// It is aborted; why.
    Abort(String),
    /// It does something undefined; what.
    Undefined(String),
    /// No such run exists: an assumption is false.
    Blocked,
    /// It does something that the model does not cover; what. Nothing follows from such a run.
    Limit(String),
    /// An input is missing; which.
    NeedsInput(String),
}

impl RunEnd {
    /// What is said of a run that does something undefined in the code of a specification. The program goes
    /// on there, so the run has not ended; what the specification says of it nobody knows.
    pub(crate) fn undefined_in_specification(what: &str) -> String {
        format!("undefined behaviour in the specification ({what})")
    }

    /// The end, in the code of a specification.
    pub(crate) fn in_specification(self) -> RunEnd {
        match self {
            RunEnd::Undefined(what) => RunEnd::Limit(RunEnd::undefined_in_specification(&what)),
            other => other,
        }
    }
}

/// A way on from a fork.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ForkAlternative {
    /// Under this condition.
    pub condition: Term,
    /// To this position in the function's code.
    pub(crate) target: u32,
    /// Not to another position, but with a chain taken apart.
    pub(crate) unfolding: Option<SegmentUnfolding>,
}

/// A term whose value an instruction needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NeededValue {
    /// The term.
    pub term: Term,
    /// What it may access, if it is an address.
    pub provenance: Provenance,
    /// The condition under which a value is allowed (an access in bounds); other values end in
    /// undefined behaviour.
    pub allowed: Option<Term>,
    /// What is undefined about other values.
    pub otherwise: &'static str,
    pub(crate) register: u32,
}

impl NeededValue {
    /// The bits that [`crate::PcodeMachine::concretise_need`] takes for a value of the term; `None` if the
    /// value has no bits.
    pub fn concrete_bits(value: &Constant) -> Option<u64> {
        match value {
            Constant::Bv { value, .. } => u64::try_from(*value).ok(),
            Constant::Int(value) => u64::try_from(value).ok(),
            Constant::Bool(_) => None,
        }
    }
}
