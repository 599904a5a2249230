//! A guard and an update from constraints.
//!
//! A step comes in as a condition over variables and choices, and a value over the same for each
//! variable. A relation between the state before and the state after is the case in which the value
//! of each variable is a choice of its own. An equation that gives a choice its value takes the
//! choice away: `some c: c = e and p(c)` is `p(e)` if `c` is not in `e`. Over the integers that is
//! exact only where `c` has the coefficient 1 or -1, so other equations stay in the guard.
//!
//! An equation with an unknown stays as well: which value the choice has would then depend on what
//! we do not know.

use std::collections::{BTreeMap, BTreeSet};

use ouro_model::Span;
use ouro_model::ids::LocationId;
use ouro_model::transition::TransitionEdge;
use ouro_term::{Term, TermOp, TermStore};

use crate::formula::PolynomialFormula;
use crate::polynomial::Polynomial;

/// A step between two locations.
pub(crate) struct StepRelation {
    /// When there is one.
    pub(crate) guard: PolynomialFormula,
    /// What each variable becomes.
    pub(crate) update: Vec<Polynomial>,
    /// What the environment decides; equations take the first ones away first.
    pub(crate) choices: Vec<Term>,
    /// What we do not know.
    pub(crate) unknowns: Vec<Term>,
}

impl StepRelation {
    /// The edge; `None` if expressions grow beyond the limits.
    pub(crate) fn into_edge(
        mut self,
        terms: &mut TermStore,
        (from, to): (LocationId, LocationId),
        span: Span,
    ) -> Option<TransitionEdge> {
        while self.eliminate_choices(terms)? {}
        let guard = self.guard.to_term(terms);
        let update: Vec<Term> = self.update.iter().map(|value| value.to_term(terms)).collect();
        let mut used = BTreeSet::new();
        let roots: Vec<Term> = update.iter().copied().chain([guard]).collect();
        terms.visit_symbols(&roots, |id| {
            used.insert(id);
        });
        let occurs = |symbol: &Term| match terms.op(*symbol) {
            TermOp::Symbol(id) => used.contains(id),
            _ => false,
        };
        let choices = self.choices.iter().copied().filter(occurs).collect();
        let unknowns = self.unknowns.iter().copied().filter(occurs).collect();
        Some(TransitionEdge { from, to, guard, update, choices, unknowns, spans: vec![span] })
    }

    /// Uses the equations of the guard once; whether a choice went away.
    fn eliminate_choices(&mut self, terms: &mut TermStore) -> Option<bool> {
        let rank: BTreeMap<Term, usize> =
            self.choices.iter().enumerate().map(|(at, choice)| (*choice, at)).collect();
        let mut values: BTreeMap<Term, Polynomial> = BTreeMap::new();
        let mut rest = Vec::new();
        for part in
            std::mem::replace(&mut self.guard, PolynomialFormula::Constant(true)).conjuncts()
        {
            let PolynomialFormula::Zero(equation) = part else {
                rest.push(part);
                continue;
            };
            let equation =
                match PolynomialFormula::equal_to_zero(equation.substitute(terms, &values)?) {
                    PolynomialFormula::Zero(equation) => equation,
                    other => {
                        rest.push(other);
                        continue;
                    }
                };
            let known = equation.atoms().all(|atom| self.is_over_variables(terms, atom));
            let candidates = if known { equation.solvable_atoms(terms) } else { Vec::new() };
            let best = candidates.into_iter().filter(|atom| rank.contains_key(atom));
            let Some(choice) = best.min_by_key(|atom| rank[atom]) else {
                rest.push(PolynomialFormula::Zero(equation));
                continue;
            };
            let one = BTreeMap::from([(choice, equation.solved_for(choice))]);
            for value in values.values_mut() {
                if value.atoms().any(|atom| mentions_symbol(terms, atom, choice)) {
                    *value = value.substitute(terms, &one)?;
                }
            }
            values.extend(one);
        }
        self.guard = PolynomialFormula::conjunction(rest);
        if values.is_empty() {
            return Some(false);
        }
        let guard = std::mem::replace(&mut self.guard, PolynomialFormula::Constant(true));
        self.guard = guard.substitute(terms, &values)?;
        for value in &mut self.update {
            *value = value.substitute(terms, &values)?;
        }
        self.choices.retain(|choice| !values.contains_key(choice));
        Some(true)
    }

    fn is_over_variables(&self, terms: &TermStore, atom: Term) -> bool {
        !self.unknowns.iter().any(|unknown| mentions_symbol(terms, atom, *unknown))
    }
}

/// Whether a symbol is an atom or inside it.
fn mentions_symbol(terms: &TermStore, atom: Term, symbol: Term) -> bool {
    match (terms.op(atom), terms.op(symbol)) {
        (TermOp::Symbol(here), TermOp::Symbol(there)) => here == there,
        (_, TermOp::Symbol(id)) => terms.symbols_of(atom).contains(id),
        _ => false,
    }
}
