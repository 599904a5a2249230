//! Questions about the paths of symbolic runs: what the checkers of programs ask the solver.

use std::time::{Duration, Instant};

use ouro_machine::Need;
use ouro_solver::clock;
use ouro_solver::{Answer, Limits, Session};
use ouro_term::{Assignment, Evaluator, SymbolId, Term, Terms};
use rustc_hash::FxHashSet;

use crate::Rejection;
use crate::over::{Checked, reject};

/// Values of one symbolic address or size.
const MOST_VALUES: usize = 256;

/// Whom to ask, and until when.
pub(crate) struct Questions {
    session: Session,
    deadline: Instant,
    unbounded: bool,
    /// Symbols that stand for values which the model does not know.
    pub(crate) unknowns: FxHashSet<SymbolId>,
}

/// A value that a needed term may have.
pub(crate) struct Possible {
    /// That it has it.
    pub(crate) equal: Term,
    pub(crate) bits: u64,
    /// Values of all symbols under which it does.
    pub(crate) values: Assignment,
}

impl Questions {
    /// Questions that may take so long each. If `unbounded`, integers have no bounds, and nothing may
    /// depend on what the model does not know: that could be beyond the machine's integers.
    pub(crate) fn new(query: Duration, deadline: Instant, unbounded: bool) -> Questions {
        let limits = Limits { query, deadline: Some(deadline), memory_mib: 0 };
        let session = Session::new(limits);
        Questions { session, deadline, unbounded, unknowns: FxHashSet::default() }
    }

    pub(crate) fn ask(&mut self, terms: &Terms, query: &[Term]) -> Checked<Answer> {
        if clock::now() >= self.deadline {
            return Err(Rejection::time());
        }
        if self.unbounded && !self.unknowns.is_empty() {
            let mut met = false;
            terms.visit_symbols(query, |id| met |= self.unknowns.contains(&id));
            if met {
                return reject("something depends on a value beyond the machine's integers");
            }
        }
        match self.session.check(terms, query) {
            Answer::Unknown(_) if clock::now() >= self.deadline => Err(Rejection::time()),
            answer => Ok(answer),
        }
    }

    /// Whether all of these follow from a path; what the solver does not know does not follow.
    pub(crate) fn follow(
        &mut self,
        terms: &mut Terms,
        path: &[Term],
        conditions: &[Term],
    ) -> Checked<bool> {
        let all = terms.and_all(conditions);
        if terms.as_bool(all) == Some(true) {
            return Ok(true);
        }
        let mut query = path.to_vec();
        query.push(terms.not(all));
        Ok(self.ask(terms, &query)? == Answer::Unsat)
    }

    /// Every value that a needed term may have under a path.
    pub(crate) fn values(
        &mut self,
        terms: &mut Terms,
        path: &[Term],
        need: &Need,
    ) -> Checked<Vec<Possible>> {
        let mut rest = path.to_vec();
        let mut all = Vec::new();
        loop {
            let values = match self.ask(terms, &rest)? {
                Answer::Unsat => return Ok(all),
                Answer::Sat(values) => values,
                Answer::Unknown(why) => return reject(format!("the solver does not know: {why}")),
            };
            if all.len() >= MOST_VALUES {
                return reject(format!("a needed value has more than {MOST_VALUES} possibilities"));
            }
            let found = Evaluator::new(terms, &values).value(need.term);
            let Some((value, bits)) = found.and_then(|v| Need::bits(&v).map(|bits| (v, bits)))
            else {
                return reject("a needed value cannot be computed");
            };
            let constant = terms.constant(value);
            let equal = terms.eq(need.term, constant);
            rest.push(terms.not(equal));
            all.push(Possible { equal, bits, values });
        }
    }
}
