//! What is asked about the runs of a program: that all of them end, or that a specification holds.
//!
//! A specification is code that runs with the program, its *monitor*. The monitor passes *events*,
//! which change nothing and which fairness speaks of, and it ends a run that has broken an
//! *obligation*. A run violates the specification if it breaks an obligation, or if it never ends
//! and is *fair*: it meets every pair of [`Program::fairness`]. With no event, no pair and no
//! obligation that is a run that never ends, so termination is the smallest specification.
//!
//! [`Program::fairness`]: crate::Program::fairness

use std::collections::BTreeSet;

use crate::Span;

/// What is asked.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum ProgramQuestion {
    /// Does every run end?
    #[default]
    Termination,
    /// Does no run violate the specification?
    Liveness,
}

/// Something that fairness speaks of. Events are numbered by their place in
/// [`Program::events`](crate::Program::events).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FairnessEvent {
    /// What it is, in the words of the specification.
    pub name: String,
    /// Where the specification says so.
    pub span: Span,
}

/// Something that a run can break. Obligations are numbered as events are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MonitorObligation {
    /// What it is, in the words of the specification.
    pub name: String,
    /// Where the specification says so.
    pub span: Span,
}

/// A pair (p, q): a fair run that has p infinitely often has q infinitely often.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompassionPair {
    /// What it is, in the words of the specification.
    pub name: String,
    /// What obliges.
    pub p: EventTrigger,
    /// The events that are owed: any one of them.
    pub q: Vec<u32>,
    /// Where the specification says so.
    pub span: Span,
}

/// When something comes about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EventTrigger {
    /// In every step: each infinite run has it infinitely often.
    Always,
    /// When a run passes one of these.
    Of(Vec<u32>),
}

impl CompassionPair {
    /// Whether a piece of a run that passes these events has p.
    pub fn has_p(&self, passed: &BTreeSet<u32>) -> bool {
        match &self.p {
            EventTrigger::Always => true,
            EventTrigger::Of(numbers) => numbers.iter().any(|number| passed.contains(number)),
        }
    }

    /// Whether a piece of a run that passes these events has q.
    pub fn has_q(&self, passed: &BTreeSet<u32>) -> bool {
        self.q.iter().any(|number| passed.contains(number))
    }

    /// Whether a run that repeats a piece with these events forever meets the pair.
    pub fn is_met(&self, passed: &BTreeSet<u32>) -> bool {
        self.has_q(passed) || !self.has_p(passed)
    }
}
