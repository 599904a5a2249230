//! What `ouro check` answers, for tools: one object. The names are a promise to scripts (`docs/report.md`); fields
//! that do not apply are `null` or empty, so that each is always there.

use std::collections::BTreeMap;

use ouro_evidence::{IntegerSemantics, SourcePlace};
use serde::{Deserialize, Serialize};

use crate::finding::ReportFinding;
use crate::schema::{ReportCommand, ReportVerdict};

/// The answer of `ouro check`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CheckReport {
    /// The version of the schema, [`SCHEMA_VERSION`](crate::SCHEMA_VERSION).
    pub schema_version: u32,
    /// Always [`ReportCommand::Check`].
    pub command: ReportCommand,
    /// The version of Ouro.
    pub tool_version: String,
    /// The answer; if definite, the checker has accepted its evidence.
    pub verdict: ReportVerdict,
    /// Why it is unknown.
    pub reason: Option<String>,
    /// The method that found the answer.
    pub engine: Option<String>,
    /// How long it took.
    pub seconds: f64,
    /// The place that the answer is about.
    pub location: Option<SourcePlace>,
    /// `checked`, or `null` if unknown.
    pub certificate: Option<String>,
    /// What had to be assumed.
    pub assumptions: Vec<AssumptionRecord>,
    /// The overflow without which the run that never ends would have ended by C's rules.
    pub after_overflow: Option<OverflowRecord>,
    /// Whether every run ends also with integers that wrap around; `None` if that was not asked or is not known.
    pub wraps_too: Option<bool>,
    /// Whether the run that never ends needs input without an end.
    pub endless_input: Option<bool>,
    /// The inputs with which the program loops or breaks an obligation.
    pub inputs: Vec<InputRecord>,
    /// The steps of a transition system on the way to its loop.
    pub stem: Option<Vec<StepRecord>>,
    /// What a run that never ends stays in.
    pub recurrent_set: Option<RecurrentSetRecord>,
    /// What gets smaller, place by place.
    pub ranking: Option<Vec<RankingRecord>>,
    /// How the specification is violated.
    pub violation: Option<ViolationRecord>,
    /// The loops of the program.
    pub loops: Vec<LoopRecord>,
    /// Who tried what for how long, in order.
    pub attempts: Vec<EngineAttempt>,
    /// The verdict of each obligation, if there are several: the other fields are those of the worst.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub obligations: Vec<ObligationRecord>,
    /// The same, loop by loop, as `ouro scan` says it.
    pub findings: Vec<ReportFinding>,
    /// What else is to be said, a sentence each.
    pub notes: Vec<String>,
}

/// One slice of time of one engine.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct EngineAttempt {
    /// The engine.
    pub engine: String,
    /// How integers behaved.
    pub ints: IntegerSemantics,
    /// The processor time, in seconds, that engines had used before.
    pub started: f64,
    /// The processor time, in seconds, that it took.
    pub spent: f64,
    /// `accepted`, `refused`, `unchecked`, `gave up`, `out of time` or `cancelled`.
    pub outcome: String,
    /// What it claimed; `null` if nothing.
    pub claim: Option<String>,
    /// Why nothing came of it.
    pub reason: Option<String>,
}

/// One of several obligations.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ObligationRecord {
    /// Its name.
    pub name: String,
    /// What is known about it.
    pub verdict: ReportVerdict,
}

/// Something that had to be assumed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum AssumptionRecord {
    /// A sentence.
    Text(String),
    /// That runs do nothing undefined at a place.
    Undefined(Box<UndefinedRecord>),
}

/// Undefined behaviour that is taken to end a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct UndefinedRecord {
    /// Always `undefined`.
    pub kind: String,
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// What is undefined.
    pub what: String,
    /// Whether a run from the start of the program was found that does it; else it may happen.
    pub happens: bool,
    /// The loop head from which the run is followed; `null` for the start of the program.
    pub head: Option<SourcePlace>,
    /// The user's variables at that head.
    pub variables: BTreeMap<String, String>,
    /// What the environment chooses from there on.
    pub inputs: Vec<InputRecord>,
    /// What compilers really do there.
    pub compilers: String,
    /// All of that in words.
    pub text: String,
}

/// The overflow after which the run that never ends goes on.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct OverflowRecord {
    /// What is undefined by C's rules.
    pub what: String,
    /// Where; several, if nobody knows which comes first.
    pub locations: Vec<SourcePlace>,
    /// After how many steps of the machine; `null` if the run was not followed so far.
    pub steps: Option<u64>,
}

/// How a specification is violated.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ViolationRecord {
    /// `null` if the run never ends.
    pub obligation: Option<String>,
    /// Where the specification asks for it.
    pub asked: Option<SourcePlace>,
    /// Where the promise was made that is never kept.
    pub promised: Option<SourcePlace>,
    /// Why fairness does not exclude the run.
    pub fairness: Vec<String>,
    /// The other call sites from which the specification is violated, each once.
    pub others: Vec<OtherViolation>,
}

/// Another run that violates the specification.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct OtherViolation {
    /// Where the promise was made that is never kept.
    pub promised: Option<SourcePlace>,
    /// Where the run goes round, or breaks the obligation.
    pub location: Option<SourcePlace>,
    /// Whether the run ends.
    pub ends: bool,
    /// `checked`: the checker accepted its evidence.
    pub certificate: String,
}

/// A value that the environment decides.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct InputRecord {
    /// `null` unless it is a function's result.
    pub function: Option<String>,
    /// The function's name, or what it is in words.
    pub source: String,
    /// Decimal, as text: it may have 128 bits, or more.
    pub value: String,
    /// `null` for integers without bounds.
    pub width: Option<u32>,
    /// Whether it is the same in every iteration of the cycle.
    pub repeats: bool,
    /// Where it is asked for.
    pub location: Option<SourcePlace>,
}

/// What a run that never ends stays in.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum RecurrentSetRecord {
    /// A state that comes back, as far as the user's variables show it.
    State {
        /// The user's variables.
        variables: BTreeMap<String, String>,
        /// Whether it is in ever deeper calls.
        recursion: bool,
    },
    /// The states of a transition system that a run stays in, location by location.
    States(Vec<StatesRecord>),
    /// The states of a program that a run stays in, loop head by loop head.
    Heads(Vec<HeadRecord>),
}

/// The states at a loop head of a program.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct HeadRecord {
    /// The loop head.
    pub location: SourcePlace,
    /// What may differ from time to time.
    pub variables: Vec<String>,
    /// The states there, as a formula.
    pub set: String,
    /// What the next inputs are, over the variables.
    pub choices: Vec<String>,
}

/// The states at a location of a transition system.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct StatesRecord {
    /// The location.
    pub location: String,
    /// Its line.
    pub line: u32,
    /// The states there, as a formula.
    pub set: String,
    /// The ways on from there, each in steps.
    pub moves: Vec<Vec<StepRecord>>,
}

/// A step of a transition system.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct StepRecord {
    /// Where it begins.
    pub from: String,
    /// Where it leads.
    pub to: String,
    /// The line of the transition.
    pub line: u32,
    /// What the environment chooses.
    pub choices: BTreeMap<String, String>,
}

/// What gets smaller at a place.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RankingRecord {
    /// The location, or the loop.
    pub location: String,
    /// Its line.
    pub line: u32,
    /// What always holds there.
    pub invariant: String,
    /// Lexicographic: the most important first.
    pub ranking: Vec<String>,
    /// Of these, one is smaller whenever the run is here again.
    pub measures: Vec<String>,
}

/// A loop of the program, and what is known of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LoopRecord {
    /// Where it begins.
    pub location: SourcePlace,
    /// `terminates`, `loops` or `open`.
    pub status: String,
    /// Each is lexicographic: the most important first.
    pub rankings: Vec<Vec<String>>,
    /// Why, in words.
    pub reason: String,
}
