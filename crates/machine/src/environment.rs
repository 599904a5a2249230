//! What a run asks of its surroundings: inputs, and somewhere to put constraints and output.

use ouro_model::{ChoiceSource, Span, Type};
use ouro_term::{Term, Terms};

use crate::{State, Value};

/// A choice that a run asks for.
#[derive(Clone, Copy, Debug)]
pub struct ChoiceRequest<'a> {
    /// Where it comes from.
    pub source: &'a ChoiceSource,
    /// What it must be.
    pub ty: Type,
    /// Bits of the answer.
    pub width: u32,
    /// Where in the source.
    pub span: Span,
}

/// The surroundings of a run.
pub trait Environment {
    /// A value that the environment of the program decides; `None` if it has none to give.
    fn choice(&mut self, terms: &mut Terms, request: ChoiceRequest<'_>) -> Option<Value>;

    /// A value that the model does not know; the run must be right for every one.
    fn unknown(&mut self, terms: &mut Terms, width: u32, why: &str) -> Option<Value>;

    /// From here on, only runs with this condition exist: the others have ended (in undefined
    /// behaviour, or at an assumption).
    fn assume(&mut self, condition: Term);

    /// As [`Environment::assume`]: the runs without the condition do something undefined there.
    fn exclude(&mut self, condition: Term, _undefined: &str, _span: Span) {
        self.assume(condition);
    }

    /// As [`Environment::assume`], but the runs without the condition have not ended: the model
    /// does not cover them, for the given reason. A proof that all runs end is then impossible.
    fn restrict(&mut self, condition: Term, why: &str);

    /// The program writes to its standard output (1) or error (2).
    fn output(&mut self, _stream: u32, _bytes: &[u8]) {}

    /// The run takes an iteration of a loop or enters a function that may recurse. Returning true
    /// stops it there ([`crate::Stop::Mark`]). Of the state, only `low` may be changed.
    fn mark(&mut self, _state: &mut State) -> bool {
        false
    }
}
