//! The surroundings of a symbolic run in a closed set: choices are made as the evidence says, as long as
//! it says anything; everything else is left open, and what must hold is collected.

use ouro_machine::{ChoiceRequest, Environment, State, Value};
use ouro_term::{Op, Sort, SymbolId, Term, Terms};
use rustc_hash::FxHashSet;

use crate::fair::Passed;

/// The surroundings of a run from one head to the next.
pub(crate) struct Strategy<'a> {
    /// The choices of the evidence.
    pub(crate) choices: &'a [Term],
    /// How many choices were made.
    pub(crate) taken: usize,
    /// What must follow from the path.
    pub(crate) conditions: Vec<Term>,
    /// What is known of choices that are left open.
    pub(crate) given: Vec<Term>,
    pub(crate) unknowns: &'a mut FxHashSet<SymbolId>,
    pub(crate) passed: &'a mut Passed,
    /// Why the run is not the claimed one, if it is not.
    pub(crate) wrong: Option<String>,
}

impl Environment for Strategy<'_> {
    fn choice(&mut self, terms: &mut Terms, request: ChoiceRequest<'_>) -> Option<Value> {
        let sort = request.sort();
        let term = match self.choices.get(self.taken) {
            Some(term) if terms.sort(*term) == sort => {
                self.conditions.extend(request.known(terms, *term));
                *term
            }
            Some(_) => {
                self.wrong = Some(format!("choice {} has another sort", self.taken));
                return None;
            }
            None => {
                let open = terms.fresh("open", sort);
                self.given.extend(request.known(terms, open));
                open
            }
        };
        self.taken += 1;
        Some(Value::from_term(terms, term))
    }

    fn unknown(&mut self, terms: &mut Terms, sort: Sort, _why: &str) -> Option<Value> {
        let term = terms.fresh("unknown", sort);
        if let Op::Symbol(id) = terms.op(term) {
            self.unknowns.insert(*id);
        }
        Some(Value::from_term(terms, term))
    }

    /// What is undefined, assumed or left out by the model must follow from the path.
    fn assume(&mut self, condition: Term) {
        self.conditions.push(condition);
    }

    fn restrict(&mut self, condition: Term, _why: &str) {
        self.conditions.push(condition);
    }

    fn event(&mut self, number: u32) {
        self.passed.events.insert(number);
    }

    fn mark(&mut self, _state: &mut State) -> bool {
        true
    }
}
