//! The surroundings of a symbolic run in a closed set: choices are made as the evidence says, as long as
//! it says anything; everything else is left open, and what must hold is collected.

use ouro_machine::{ChoiceRequest, MachineState, MachineValue, RunEnvironment};
use ouro_term::{Sort, SymbolId, Term, TermOp, TermStore};
use rustc_hash::FxHashSet;

use crate::fair::PassedEvents;

/// The surroundings of a run from one head to the next.
pub(crate) struct StrategyEnvironment<'a> {
    /// The choices of the evidence.
    pub(crate) choices: &'a [Term],
    /// How many choices were made.
    pub(crate) taken: usize,
    /// What must follow from the path.
    pub(crate) conditions: Vec<Term>,
    /// What is known of choices that are left open.
    pub(crate) given: Vec<Term>,
    pub(crate) unknowns: &'a mut FxHashSet<SymbolId>,
    pub(crate) passed: &'a mut PassedEvents,
    /// Why the run is not the claimed one, if it is not.
    pub(crate) wrong: Option<String>,
}

impl RunEnvironment for StrategyEnvironment<'_> {
    fn provide_choice(
        &mut self,
        terms: &mut TermStore,
        request: ChoiceRequest<'_>,
    ) -> Option<MachineValue> {
        let sort = request.sort();
        let term = match self.choices.get(self.taken) {
            Some(term) if terms.sort(*term) == sort => {
                self.conditions.extend(request.known_constraints(terms, *term));
                *term
            }
            Some(_) => {
                self.wrong = Some(format!("choice {} has a different sort", self.taken));
                return None;
            }
            None => {
                let open = terms.fresh_symbol("open", sort);
                self.given.extend(request.known_constraints(terms, open));
                open
            }
        };
        self.taken += 1;
        Some(MachineValue::from_term(terms, term))
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
        Some(MachineValue::from_term(terms, term))
    }

    /// What is undefined, assumed or left out by the model must follow from the path.
    fn assume(&mut self, condition: Term) {
        self.conditions.push(condition);
    }

    fn restrict_coverage(&mut self, condition: Term, _why: &str) {
        self.conditions.push(condition);
    }

    fn pass_event(&mut self, number: u32) {
        self.passed.events.insert(number);
    }

    fn reach_mark(&mut self, _state: &mut MachineState) -> bool {
        true
    }
}
