//! Which conditions a path leaves possible. Each path carries values for its symbols that satisfy
//! its conditions: a condition that holds under them needs no solver.

use ouro_machine::path::{PathCondition, SymbolIndex};
use ouro_solver::{Session, SolverAnswer};
use ouro_term::{Assignment, SymbolId, Term, TermEvaluator, TermStore};

/// What is known about a path.
#[derive(Clone, Debug, Default)]
pub(crate) struct PathWitness {
    /// Values that satisfy the path's conditions, if `current`.
    pub(crate) values: Assignment,
    /// Whether all conditions were looked at since the last one was added.
    pub(crate) current: bool,
}

/// Whether a condition can hold on a path.
pub(crate) enum ConditionFeasibility {
    /// It can, and here is how.
    Yes(PathWitness),
    No,
    /// The solver does not know; why.
    Unknown(String),
}

/// The solver with what makes asking it cheap.
pub(crate) struct FeasibilityOracle {
    pub(crate) session: Session,
    pub(crate) symbols: SymbolIndex,
}

impl FeasibilityOracle {
    pub(crate) fn new(session: Session) -> Self {
        FeasibilityOracle { session, symbols: SymbolIndex::default() }
    }

    /// Makes the witness of a path current; false if the path is impossible.
    pub(crate) fn refresh_witness(
        &mut self,
        terms: &TermStore,
        path: &PathCondition,
        witness: &mut PathWitness,
    ) -> Result<bool, String> {
        if witness.current {
            return Ok(true);
        }
        // Only the parts of the path that fail under the old values need new ones.
        let failing: Vec<Term> = {
            let mut evaluator = TermEvaluator::new(terms, &witness.values);
            path.conditions()
                .iter()
                .copied()
                .filter(|c| evaluator.evaluate_formula(*c) != Some(true))
                .collect()
        };
        let mut touched: Vec<SymbolId> = Vec::new();
        for condition in failing {
            let symbols = self.symbols.symbols_of(terms, condition);
            if symbols.iter().any(|s| touched.contains(s)) {
                continue;
            }
            let part = path.relevant_conditions(terms, &mut self.symbols, symbols.iter().copied());
            match self.session.check_sat(terms, &part) {
                SolverAnswer::Sat(values) => {
                    for member in &part {
                        touched.extend(self.symbols.symbols_of(terms, *member).iter().copied());
                    }
                    self.overwrite_values(terms, &part, &values, witness);
                }
                SolverAnswer::Unsat => return Ok(false),
                SolverAnswer::Unknown(why) => return Err(why),
            }
        }
        witness.current = true;
        Ok(true)
    }

    /// Replaces the values of the symbols of `part`.
    fn overwrite_values(
        &mut self,
        terms: &TermStore,
        part: &[Term],
        values: &Assignment,
        witness: &mut PathWitness,
    ) {
        for condition in part {
            for symbol in self.symbols.symbols_of(terms, *condition).iter() {
                let value =
                    values.get(*symbol).cloned().unwrap_or_else(|| zero_of_symbol(terms, *symbol));
                witness.values.set(*symbol, value);
            }
        }
    }

    /// Whether a condition can hold on a path whose witness is current.
    pub(crate) fn condition_feasibility(
        &mut self,
        terms: &TermStore,
        path: &PathCondition,
        witness: &PathWitness,
        condition: Term,
    ) -> ConditionFeasibility {
        if let Some(truth) = terms.as_bool(condition) {
            return if truth {
                ConditionFeasibility::Yes(witness.clone())
            } else {
                ConditionFeasibility::No
            };
        }
        if TermEvaluator::new(terms, &witness.values).evaluate_formula(condition) == Some(true) {
            return ConditionFeasibility::Yes(witness.clone());
        }
        let symbols = self.symbols.symbols_of(terms, condition);
        let mut part = path.relevant_conditions(terms, &mut self.symbols, symbols.iter().copied());
        part.push(condition);
        match self.session.check_sat(terms, &part) {
            SolverAnswer::Sat(values) => {
                let mut witness = witness.clone();
                self.overwrite_values(terms, &part, &values, &mut witness);
                ConditionFeasibility::Yes(witness)
            }
            SolverAnswer::Unsat => ConditionFeasibility::No,
            SolverAnswer::Unknown(why) => ConditionFeasibility::Unknown(why),
        }
    }
}

fn zero_of_symbol(terms: &TermStore, symbol: SymbolId) -> ouro_term::Constant {
    match terms.symbol_declaration(symbol).sort {
        ouro_term::Sort::Bool => ouro_term::Constant::Bool(false),
        ouro_term::Sort::Int => ouro_term::Constant::Int(0.into()),
        ouro_term::Sort::BitVec(width) => ouro_term::Constant::Bv { width, value: 0 },
    }
}
