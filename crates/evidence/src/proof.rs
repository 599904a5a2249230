//! The evidence: a state that recurs, an obligation that is broken, or paths that all end.

use ouro_model::{ChoiceSource, ProgramQuestion};
use serde::{Deserialize, Serialize};

use crate::{
    Claim, ClosedSet, PartwiseTermination, ProgramRanking, RecurrentSet, SourcePlace, SystemRanking,
};

/// Why a verdict holds. It is complete: the checker needs it, the program and nothing else.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Evidence {
    /// The program loops forever, and fairly: a state comes back.
    Recurs(StateRecurrence),
    /// The program breaks an obligation of its specification.
    Violation(ObligationViolation),
    /// The transition system loops forever: a run can stay in a set of states.
    Recurrent(RecurrentSet),
    /// The program loops forever, and fairly: a run stays in a set of states.
    Closed(ClosedSet),
    /// The transition system terminates: something gets smaller and cannot do so forever.
    Ranked(SystemRanking),
    /// The program terminates, or has no fair run that does not: something gets smaller from loop
    /// head to loop head and cannot do so forever.
    #[serde(rename = "ranked_program")]
    RankedProgram(ProgramRanking),
    /// The program terminates: each of its loops does, whatever happened before it.
    Partwise(PartwiseTermination),
    /// The program terminates: every path of the symbolic execution ended.
    Exhausted(PathExhaustion),
}

impl Evidence {
    /// What it is evidence for, as the answer to a question.
    pub fn claim(&self, question: ProgramQuestion) -> Claim {
        let good = match self {
            Evidence::Recurs(_)
            | Evidence::Recurrent(_)
            | Evidence::Closed(_)
            | Evidence::Violation(_) => false,
            Evidence::Exhausted(_)
            | Evidence::Ranked(_)
            | Evidence::RankedProgram(_)
            | Evidence::Partwise(_) => true,
        };
        match (question, good) {
            (ProgramQuestion::Termination, true) => Claim::Terminates,
            (ProgramQuestion::Termination, false) => Claim::Loops,
            (ProgramQuestion::Liveness, true) => Claim::Holds,
            (ProgramQuestion::Liveness, false) => Claim::Violated,
        }
    }

    /// What the environment chose on the way, and what the specification guessed.
    pub fn inputs(&self) -> &[RunInput] {
        match self {
            Evidence::Recurs(recurrence) => &recurrence.inputs,
            Evidence::Closed(set) => &set.inputs,
            Evidence::Violation(violation) => &violation.inputs,
            Evidence::Recurrent(_)
            | Evidence::Exhausted(_)
            | Evidence::Ranked(_)
            | Evidence::RankedProgram(_)
            | Evidence::Partwise(_) => &[],
        }
    }

    /// Where the promise was made that is not kept: where the specification last said, *this one*.
    pub fn promise_place(&self) -> Option<&SourcePlace> {
        let said = |one: &&RunInput| one.source == ChoiceSource::Guess && one.bits == 1;
        let guess = self.inputs().iter().rev().find(said);
        guess.map(|guess| &guess.place).filter(|place| place.is_known())
    }

    /// The place that a run of a program comes to: where it goes round, or breaks an obligation.
    pub fn place(&self) -> Option<&SourcePlace> {
        match self {
            Evidence::Recurs(recurrence) => Some(&recurrence.place),
            Evidence::Closed(set) => set.heads.first().map(|head| &head.place),
            Evidence::Violation(violation) => Some(&violation.place),
            Evidence::Recurrent(_)
            | Evidence::Exhausted(_)
            | Evidence::Ranked(_)
            | Evidence::RankedProgram(_)
            | Evidence::Partwise(_) => None,
        }
    }
}

/// A run that reaches one state twice: with the same inputs it does so forever.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StateRecurrence {
    /// What the environment chose, one for each choice made, in order.
    pub inputs: Vec<RunInput>,
    /// The step of the machine at which the state is first seen.
    pub first_step: u64,
    /// The step at which it is back.
    pub second_step: u64,
    /// Index into `inputs`: those from here on were chosen inside the cycle and repeat forever.
    pub cycle_inputs: usize,
    /// The loop head, or the call that recurs.
    pub place: SourcePlace,
    /// Whether it is a recursion that never returns rather than a loop.
    pub recursion: bool,
}

impl StateRecurrence {
    /// The inputs before the cycle and those inside it.
    pub fn split_inputs(&self) -> (&[RunInput], &[RunInput]) {
        self.inputs.split_at(self.cycle_inputs.min(self.inputs.len()))
    }
}

/// A run that breaks an obligation of its specification.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ObligationViolation {
    /// What the environment chose and the specification guessed, in order.
    pub inputs: Vec<RunInput>,
    /// The number of the obligation in the program.
    pub obligation: u32,
    /// Steps of the machine before it is broken.
    pub steps: u64,
    /// Where the run is then, for people.
    pub place: SourcePlace,
}

/// A value that the environment of the program decides.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunInput {
    /// The value's bits, unsigned; none above the width.
    #[serde(with = "decimal")]
    pub bits: u128,
    /// Bits of the chosen value.
    pub width: u32,
    /// What it is, in the user's words.
    #[serde(with = "WrittenChoiceSource")]
    pub source: ChoiceSource,
    /// Where it was asked for.
    pub place: SourcePlace,
}

impl RunInput {
    /// The value as a signed integer of its width.
    pub fn signed_value(&self) -> i128 {
        if self.width == 0 || self.width >= 128 {
            return self.bits.cast_signed();
        }
        let unused = 128 - self.width;
        (self.bits << unused).cast_signed() >> unused
    }
}

/// What a symbolic execution that ended everywhere went through. The checker does it again: the
/// numbers say how much that is, and what it finds has to agree with them.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PathExhaustion {
    /// Symbolic states that were run.
    pub states: u64,
    /// Times that a state split in two.
    pub forks: u64,
    /// Steps of the machine, over all states.
    pub steps: u64,
    /// Where paths end in undefined behaviour. Nobody reads it: the checker finds that by itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub undefined: Vec<(SourcePlace, String)>,
}

/// How a [`ChoiceSource`] is written.
#[derive(Serialize, Deserialize)]
#[serde(remote = "ChoiceSource", rename_all = "lowercase")]
enum WrittenChoiceSource {
    Function(String),
    Allocation(String),
    Output(String),
    Other(String),
    Guess,
}

/// Numbers of more than 53 bits are text, because many readers of JSON would round them.
mod decimal {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(bits: &u128, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&bits.to_string())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u128, D::Error> {
        let text = String::deserialize(from)?;
        // `parse` takes a leading `+`; a certificate has one way to write a number.
        if text.starts_with('+') {
            return Err(D::Error::custom(format!("'{text}' is not a decimal number")));
        }
        text.parse().map_err(|_| D::Error::custom(format!("'{text}' is not a decimal number")))
    }
}
