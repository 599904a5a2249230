//! What is known about a program and why: the verdict, the evidence inside it, and the certificate
//! file that carries the evidence to `ouro verify`.
//!
//! Nothing here decides anything. An engine makes [`Evidence`], `ouro-check` accepts or rejects it,
//! and only accepted evidence may be shown as a definite [`Verdict`]. Evidence speaks of the
//! program (its inputs, its steps, its places), never of an engine's insides.
//!
//! | file | one idea |
//! | --- | --- |
//! | `attempt` | who tried what for how long |
//! | `partwise` | the evidence: each loop ends on its own |
//! | `place` | where in the user's source |
//! | `process` | what is known about a process, and its certificate |
//! | `proof` | the evidence: a state that recurs, an obligation broken, or paths that all end |
//! | `ranked` | the evidence: rankings |
//! | `snapshot` | the evidence: what holds between a state and all later ones |
//! | `recurrent` | the evidence: a set of states that a run need never leave |
//! | `verdict` | the answer, and the reasons for having none |
//! | `explanation` | what the report shows besides; nobody trusts it |
//! | `undefined` | undefined behaviour that a proof takes to end a run |
//! | `specification` | what a program was asked to keep to |
//! | `certificate` | the file format, both ways |
//!
//! Deliberately absent: files (bytes come in, bytes go out), and any judgement of the evidence.

pub mod attempt;
pub mod certificate;
pub mod explanation;
pub mod partwise;
pub mod place;
pub mod process;
pub mod proof;
pub mod ranked;
pub mod recurrent;
pub mod snapshot;
pub mod specification;
pub mod undefined;
pub mod verdict;

pub use attempt::{AttemptOutcome, AttemptRecord, attempts_by_engine};
pub use certificate::{Certificate, CertificateSubject, ProgramIdentity, SourceFile};
pub use explanation::{
    EndlessRunInput, Explanation, LoopStatus, RunAfterOverflow, WraparoundBehaviour,
};
pub use ouro_model::{
    Allocations, ChoiceSource, DataModel, Externs, InputExtent, IntegerSemantics, ProgramQuestion,
};
pub use partwise::{LoopPart, LoopView, PartScope, PartwiseTermination};
pub use place::SourcePlace;
pub use proof::{Evidence, ObligationViolation, PathExhaustion, RunInput, StateRecurrence};
pub use ranked::{
    FunctionSummary, HavocObject, ListLink, ProgramRanking, RankedHead, RankedLocation,
    RankingLevel, SystemRanking,
};
pub use recurrent::{
    ClosedSet, ClosedSetHead, HoleCell, MoveStep, RecurrentLocation, RecurrentMove, RecurrentSet,
    StateHole, StemStep,
};
pub use snapshot::{OLD, PASSED_P, PASSED_Q, SnapshotRelation, TransitionInvariant};
pub use specification::Specification;
pub use undefined::{UndefinedBehaviour, UndefinedRun};
pub use verdict::{Claim, UnknownReason, Verdict};
