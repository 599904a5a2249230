//! Which conditions a path leaves possible. Each path carries values for its symbols that satisfy
//! its conditions: a condition that holds under them needs no solver.

use ouro_machine::path::{Path, SymbolIndex};
use ouro_solver::{Answer, Session};
use ouro_term::{Assignment, Evaluator, SymbolId, Term, Terms};

/// What is known about a path.
#[derive(Clone, Debug, Default)]
pub(crate) struct Witness {
    /// Values that satisfy the path's conditions, if `current`.
    pub(crate) values: Assignment,
    /// Whether all conditions were looked at since the last one was added.
    pub(crate) current: bool,
}

/// Whether a condition can hold on a path.
pub(crate) enum Possible {
    /// It can, and here is how.
    Yes(Witness),
    No,
    /// The solver does not know; why.
    Unknown(String),
}

/// The solver with what makes asking it cheap.
pub(crate) struct Oracle {
    pub(crate) session: Session,
    pub(crate) symbols: SymbolIndex,
}

impl Oracle {
    pub(crate) fn new(session: Session) -> Self {
        Oracle { session, symbols: SymbolIndex::default() }
    }

    /// Makes the witness of a path current; false if the path is impossible.
    pub(crate) fn refresh(
        &mut self,
        terms: &Terms,
        path: &Path,
        witness: &mut Witness,
    ) -> Result<bool, String> {
        if witness.current {
            return Ok(true);
        }
        // Only the parts of the path that fail under the old values need new ones.
        let failing: Vec<Term> = {
            let mut evaluator = Evaluator::new(terms, &witness.values);
            path.conditions()
                .iter()
                .copied()
                .filter(|c| evaluator.holds(*c) != Some(true))
                .collect()
        };
        let mut touched: Vec<SymbolId> = Vec::new();
        for condition in failing {
            let symbols = self.symbols.of(terms, condition);
            if symbols.iter().any(|s| touched.contains(s)) {
                continue;
            }
            let part = path.relevant(terms, &mut self.symbols, symbols.iter().copied());
            match self.session.check(terms, &part) {
                Answer::Sat(values) => {
                    for member in &part {
                        touched.extend(self.symbols.of(terms, *member).iter().copied());
                    }
                    self.overwrite(terms, &part, &values, witness);
                }
                Answer::Unsat => return Ok(false),
                Answer::Unknown(why) => return Err(why),
            }
        }
        witness.current = true;
        Ok(true)
    }

    /// Replaces the values of the symbols of `part`.
    fn overwrite(
        &mut self,
        terms: &Terms,
        part: &[Term],
        values: &Assignment,
        witness: &mut Witness,
    ) {
        for condition in part {
            for symbol in self.symbols.of(terms, *condition).iter() {
                let value = values.get(*symbol).cloned().unwrap_or_else(|| zero(terms, *symbol));
                witness.values.set(*symbol, value);
            }
        }
    }

    /// Whether a condition can hold on a path whose witness is current.
    pub(crate) fn possible(
        &mut self,
        terms: &Terms,
        path: &Path,
        witness: &Witness,
        condition: Term,
    ) -> Possible {
        if let Some(truth) = terms.as_bool(condition) {
            return if truth { Possible::Yes(witness.clone()) } else { Possible::No };
        }
        if Evaluator::new(terms, &witness.values).holds(condition) == Some(true) {
            return Possible::Yes(witness.clone());
        }
        let symbols = self.symbols.of(terms, condition);
        let mut part = path.relevant(terms, &mut self.symbols, symbols.iter().copied());
        part.push(condition);
        match self.session.check(terms, &part) {
            Answer::Sat(values) => {
                let mut witness = witness.clone();
                self.overwrite(terms, &part, &values, &mut witness);
                Possible::Yes(witness)
            }
            Answer::Unsat => Possible::No,
            Answer::Unknown(why) => Possible::Unknown(why),
        }
    }
}

fn zero(terms: &Terms, symbol: SymbolId) -> ouro_term::Constant {
    match terms.symbol_of(symbol).sort {
        ouro_term::Sort::Bool => ouro_term::Constant::Bool(false),
        ouro_term::Sort::Int => ouro_term::Constant::Int(0.into()),
        ouro_term::Sort::BitVec(width) => ouro_term::Constant::Bv { width, value: 0 },
    }
}
