//! A run on given inputs.

use std::collections::BTreeSet;

use ouro_term::{Sort, Term, TermStore};

use crate::{
    ChoiceRequest, Machine, MachineState, MachineStop, MachineValue, RunEnd, RunEnvironment,
    RunPosition,
};

/// Inputs in order.
#[derive(Clone, Debug, Default)]
pub struct ConcreteInputs {
    values: Vec<u128>,
    next: usize,
    /// When all were taken, those from here on come again.
    repeat_from: Option<usize>,
}

impl ConcreteInputs {
    /// These values, once.
    pub fn new(values: Vec<u128>) -> Self {
        ConcreteInputs { values, next: 0, repeat_from: None }
    }

    /// From now on, when all were taken, those from `index` on come again.
    pub fn repeat_from(&mut self, index: usize) {
        self.repeat_from = Some(index);
    }

    /// How many have been taken.
    pub fn taken_count(&self) -> usize {
        self.next
    }

    /// The next one.
    pub fn take_next(&mut self) -> Option<u128> {
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
pub struct ConcreteEnvironment<'a> {
    /// The inputs.
    pub inputs: ConcreteInputs,
    /// Where output goes: stream and bytes.
    pub output: &'a mut dyn FnMut(u32, &[u8]),
    /// Whether an assumption about unknown values failed to be decided; such a run proves nothing.
    pub undecided: bool,
    /// The events passed; who wants only those of a part of the run clears it.
    pub passed: BTreeSet<u32>,
    /// Whether floats that depend on the compiler are as x86-64 computes them.
    pub settles_floats: bool,
}

impl<'a> ConcreteEnvironment<'a> {
    /// Surroundings with these inputs.
    pub fn new(inputs: ConcreteInputs, output: &'a mut dyn FnMut(u32, &[u8])) -> Self {
        ConcreteEnvironment {
            inputs,
            output,
            undecided: false,
            passed: BTreeSet::new(),
            settles_floats: false,
        }
    }
}

impl RunEnvironment for ConcreteEnvironment<'_> {
    fn provide_choice(
        &mut self,
        terms: &mut TermStore,
        request: ChoiceRequest<'_>,
    ) -> Option<MachineValue> {
        let bits = self.inputs.take_next()?;
        let term = terms.bv(request.width, bits);
        Some(crate::memory::value_from_term(terms, term, crate::Provenance::None))
    }

    fn provide_unknown(
        &mut self,
        terms: &mut TermStore,
        sort: Sort,
        _why: &str,
    ) -> Option<MachineValue> {
        let term = terms.fresh_symbol("unknown", sort);
        Some(MachineValue::symbolic(term, crate::Provenance::None))
    }

    fn settles_floats(&self) -> bool {
        self.settles_floats
    }

    fn assume(&mut self, _condition: Term) {
        self.undecided = true;
    }

    fn restrict_coverage(&mut self, _condition: Term, _why: &str) {
        self.undecided = true;
    }

    fn write_output(&mut self, stream: u32, bytes: &[u8]) {
        (self.output)(stream, bytes);
    }

    fn pass_event(&mut self, number: u32) {
        self.passed.insert(number);
    }
}

/// Runs to the end. A branch that depends on a value the model does not know is a limit.
pub fn run_concretely(
    machine: &Machine,
    terms: &mut TermStore,
    environment: &mut ConcreteEnvironment<'_>,
    state: &mut MachineState,
    until: u64,
) -> Option<(RunEnd, RunPosition)> {
    match machine.run_until(state, terms, environment, until) {
        MachineStop::End(end, at) => Some((end, at)),
        MachineStop::Fork(_, at) | MachineStop::Concretise(_, at) => {
            Some((RunEnd::Limit("a decision that depends on an unknown value".to_owned()), at))
        }
        MachineStop::Steps | MachineStop::Mark => None,
    }
}
