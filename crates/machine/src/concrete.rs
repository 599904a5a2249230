//! A run on given inputs.

use std::collections::BTreeSet;

use ouro_term::{Sort, Term, Terms};

use crate::{At, ChoiceRequest, End, Environment, Machine, State, Stop, Value};

/// Inputs in order.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    values: Vec<u128>,
    next: usize,
    /// When all were taken, those from here on come again.
    repeat_from: Option<usize>,
}

impl Inputs {
    /// These values, once.
    pub fn new(values: Vec<u128>) -> Self {
        Inputs { values, next: 0, repeat_from: None }
    }

    /// From now on, when all were taken, those from `index` on come again.
    pub fn repeat_from(&mut self, index: usize) {
        self.repeat_from = Some(index);
    }

    /// How many have been taken.
    pub fn taken(&self) -> usize {
        self.next
    }

    /// The next one.
    pub fn take(&mut self) -> Option<u128> {
        if let Some(from) = self.repeat_from
            && self.next == self.values.len()
        {
            self.next = from;
        }
        let value = self.values.get(self.next).copied();
        self.next += usize::from(value.is_some());
        value
    }
}

/// The surroundings of a concrete run.
pub struct Concrete<'a> {
    /// The inputs.
    pub inputs: Inputs,
    /// Where output goes: stream and bytes.
    pub output: &'a mut dyn FnMut(u32, &[u8]),
    /// Whether an assumption about unknown values failed to be decided; such a run proves nothing.
    pub undecided: bool,
    /// The events passed; who wants only those of a part of the run clears it.
    pub passed: BTreeSet<u32>,
    /// Whether floats that depend on the compiler are as x86-64 computes them.
    pub settles_floats: bool,
}

impl<'a> Concrete<'a> {
    /// Surroundings with these inputs.
    pub fn new(inputs: Inputs, output: &'a mut dyn FnMut(u32, &[u8])) -> Self {
        Concrete {
            inputs,
            output,
            undecided: false,
            passed: BTreeSet::new(),
            settles_floats: false,
        }
    }
}

impl Environment for Concrete<'_> {
    fn choice(&mut self, terms: &mut Terms, request: ChoiceRequest<'_>) -> Option<Value> {
        let bits = self.inputs.take()?;
        let term = terms.bv(request.width, bits);
        Some(crate::memory::from_term(terms, term, crate::Provenance::None))
    }

    fn unknown(&mut self, terms: &mut Terms, sort: Sort, _why: &str) -> Option<Value> {
        let term = terms.fresh("unknown", sort);
        Some(Value::symbolic(term, crate::Provenance::None))
    }

    fn settles_floats(&self) -> bool {
        self.settles_floats
    }

    fn assume(&mut self, _condition: Term) {
        self.undecided = true;
    }

    fn restrict(&mut self, _condition: Term, _why: &str) {
        self.undecided = true;
    }

    fn output(&mut self, stream: u32, bytes: &[u8]) {
        (self.output)(stream, bytes);
    }

    fn event(&mut self, number: u32) {
        self.passed.insert(number);
    }
}

/// Runs to the end. A branch that depends on a value the model does not know is a limit.
pub fn run(
    machine: &Machine,
    terms: &mut Terms,
    environment: &mut Concrete<'_>,
    state: &mut State,
    until: u64,
) -> Option<(End, At)> {
    match machine.run(state, terms, environment, until) {
        Stop::End(end, at) => Some((end, at)),
        Stop::Fork(_, at) | Stop::Concretise(_, at) => {
            Some((End::Limit("a decision that depends on an unknown value".to_owned()), at))
        }
        Stop::Steps | Stop::Mark => None,
    }
}
