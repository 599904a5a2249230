//! Questions about the paths of symbolic runs: what the checkers of programs ask the solver.

use std::time::{Duration, Instant};

use ouro_machine::NeededValue;
use ouro_solver::clock;
use ouro_solver::{Session, SessionLimits, SolverAnswer};
use ouro_term::{Assignment, SymbolId, Term, TermEvaluator, TermStore};
use rustc_hash::FxHashSet;

use crate::EvidenceRejection;
use crate::limits::LIMITS;
use crate::over::{CheckResult, reject_evidence};

/// Whom to ask, and until when.
pub(crate) struct PathQuestions {
    session: Session,
    /// The longest that one question may take.
    query: Duration,
    deadline: Instant,
    unbounded: bool,
    /// Whether a question about a branch was not answered in its time.
    branches_are_hard: bool,
    /// Symbols that stand for values which the model does not know.
    pub(crate) unknowns: FxHashSet<SymbolId>,
}

/// A value that a needed term may have.
pub(crate) struct PossibleValue {
    /// That it has it.
    pub(crate) equal: Term,
    pub(crate) bits: u64,
    /// Values of all symbols under which it does.
    pub(crate) values: Assignment,
}

impl PathQuestions {
    /// Questions that may take so long each. If `unbounded`, integers have no bounds, and nothing may
    /// depend on what the model does not know: that could be beyond the machine's integers.
    pub(crate) fn new(query: Duration, deadline: Instant, unbounded: bool) -> PathQuestions {
        let limits = SessionLimits { query, deadline: Some(deadline), memory_mib: 0 };
        let session = Session::new(limits);
        PathQuestions {
            session,
            query,
            deadline,
            unbounded,
            branches_are_hard: false,
            unknowns: FxHashSet::default(),
        }
    }

    pub(crate) fn ask_solver(
        &mut self,
        terms: &TermStore,
        query: &[Term],
    ) -> CheckResult<SolverAnswer> {
        if clock::budget_now() >= self.deadline {
            return Err(EvidenceRejection::time_ran_out());
        }
        if self.unbounded && !self.unknowns.is_empty() {
            let mut met = false;
            terms.visit_symbols(query, |id| met |= self.unknowns.contains(&id));
            if met {
                return reject_evidence(
                    "something depends on a value beyond the machine's integers",
                );
            }
        }
        match self.session.check_sat(terms, query) {
            SolverAnswer::Unknown(_) if clock::budget_now() >= self.deadline => {
                Err(EvidenceRejection::time_ran_out())
            }
            answer => Ok(answer),
        }
    }

    /// As [`PathQuestions::ask_solver`], about a branch that may be followed even if nothing takes it: that costs less
    /// than a hard question, and what it leads to is asked about again.
    pub(crate) fn ask_about_branch(
        &mut self,
        terms: &TermStore,
        query: &[Term],
    ) -> CheckResult<SolverAnswer> {
        let limit = match self.branches_are_hard {
            true => LIMITS.hard_branch_query,
            false => LIMITS.branch_query,
        };
        self.session.set_query_limit(limit);
        let answer = self.ask_solver(terms, query);
        self.session.set_query_limit(self.query);
        self.branches_are_hard |= matches!(answer, Ok(SolverAnswer::Unknown(_)));
        answer
    }

    /// As [`PathQuestions::ask_solver`], for what acceptance does not depend on: the solver stops at a moment.
    pub(crate) fn ask_solver_until(
        &mut self,
        terms: &TermStore,
        query: &[Term],
        until: Instant,
    ) -> CheckResult<SolverAnswer> {
        self.session.set_deadline(until.min(self.deadline));
        let answer = self.ask_solver(terms, query);
        self.session.set_deadline(self.deadline);
        answer
    }

    /// Whether all of these follow from a path; what the solver does not know does not follow.
    pub(crate) fn all_entailed(
        &mut self,
        terms: &mut TermStore,
        path: &[Term],
        conditions: &[Term],
    ) -> CheckResult<bool> {
        let all = terms.and_all(conditions);
        if terms.as_bool(all) == Some(true) {
            return Ok(true);
        }
        let mut query = path.to_vec();
        query.push(terms.not(all));
        Ok(self.ask_solver(terms, &query)? == SolverAnswer::Unsat)
    }

    /// Every value that a needed term may have under a path.
    pub(crate) fn possible_values(
        &mut self,
        terms: &mut TermStore,
        path: &[Term],
        need: &NeededValue,
    ) -> CheckResult<Vec<PossibleValue>> {
        let mut rest = path.to_vec();
        let mut all = Vec::new();
        loop {
            let values = match self.ask_solver(terms, &rest)? {
                SolverAnswer::Unsat => return Ok(all),
                SolverAnswer::Sat(values) => values,
                SolverAnswer::Unknown(why) => {
                    return reject_evidence(format!("the solver could not decide: {why}"));
                }
            };
            if all.len() >= LIMITS.needed_values {
                return reject_evidence(format!(
                    "a value that is needed has more than {} possibilities",
                    LIMITS.needed_values
                ));
            }
            let found = TermEvaluator::new(terms, &values).evaluate_term(need.term);
            let Some((value, bits)) =
                found.and_then(|v| NeededValue::concrete_bits(&v).map(|bits| (v, bits)))
            else {
                return reject_evidence("a value that is needed cannot be computed");
            };
            let constant = terms.constant(value);
            let equal = terms.eq(need.term, constant);
            rest.push(terms.not(equal));
            all.push(PossibleValue { equal, bits, values });
        }
    }
}
