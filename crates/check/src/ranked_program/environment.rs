//! The surroundings of a symbolic run between heads: whatever the program asks for is left open.

use ouro_machine::{ChoiceRequest, MachineState, MachineValue, Provenance, RunEnvironment};
use ouro_model::Span;
use ouro_term::{Sort, SymbolId, Term, TermOp, TermStore};
use rustc_hash::FxHashSet;

use crate::fair::PassedEvents;
use crate::undefined::{ConditionCause, MetCondition, RunChoices};

/// The surroundings of a symbolic run: everything is left open, what must hold is collected.
pub(super) struct OpenEnvironment<'a> {
    /// In order.
    pub(super) conditions: Vec<MetCondition>,
    pub(super) choices: &'a mut RunChoices,
    pub(super) unknowns: &'a mut FxHashSet<SymbolId>,
    pub(super) passed: &'a mut PassedEvents,
    pub(super) vague: bool,
    /// The run stops when it returns to one of these numbers of calls, if memory is vague.
    pub(super) awaited: [Option<usize>; 2],
    /// What it then returns.
    pub(super) results: Option<Vec<Option<Term>>>,
}

impl RunEnvironment for OpenEnvironment<'_> {
    fn provide_choice(
        &mut self,
        terms: &mut TermStore,
        request: ChoiceRequest<'_>,
    ) -> Option<MachineValue> {
        let open = terms.fresh_symbol("open", request.sort());
        let known = request.known_constraints(terms, open);
        self.choices.add_choice(open, request);
        self.conditions
            .extend(known.into_iter().map(|condition| (condition, ConditionCause::Assumed)));
        Some(MachineValue::symbolic(open, Provenance::None))
    }

    fn provide_unknown(
        &mut self,
        terms: &mut TermStore,
        sort: Sort,
        _why: &str,
    ) -> Option<MachineValue> {
        let term = terms.fresh_symbol("unknown", sort);
        if let TermOp::Symbol(id) = terms.op(term) {
            self.unknowns.insert(*id);
        }
        Some(MachineValue::symbolic(term, Provenance::None))
    }

    fn assume(&mut self, condition: Term) {
        self.conditions.push((condition, ConditionCause::Assumed));
    }

    fn exclude_undefined(&mut self, condition: Term, undefined: &str, span: Span) {
        self.conditions.push((condition, ConditionCause::Excluded(undefined.to_owned(), span)));
    }

    fn restrict_coverage(&mut self, condition: Term, why: &str) {
        self.conditions.push((condition, ConditionCause::Restricted(why.to_owned())));
    }

    fn havocs_unknown_accesses(&self) -> bool {
        self.vague
    }

    fn awaits_return(&self, below: usize) -> bool {
        self.vague && self.awaited.contains(&Some(below))
    }

    fn receive_results(&mut self, results: Vec<Option<Term>>) {
        self.results = Some(results);
    }

    fn pass_event(&mut self, number: u32) {
        self.passed.events.insert(number);
    }

    fn reach_mark(&mut self, _state: &mut MachineState) -> bool {
        true
    }
}
