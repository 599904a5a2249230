//! Paths: the conditions on symbols under which a symbolic state is reached, and when one symbolic
//! state covers another.

use std::rc::Rc;

use ouro_term::{SymbolId, Term, TermOp, TermStore};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::StateSubsumption;

/// The symbols of terms, each term looked at once.
#[derive(Default)]
pub struct SymbolIndex {
    known: FxHashMap<Term, Rc<[SymbolId]>>,
}

impl SymbolIndex {
    /// The symbols of a term.
    pub fn symbols_of(&mut self, terms: &TermStore, term: Term) -> Rc<[SymbolId]> {
        if let Some(found) = self.known.get(&term) {
            return found.clone();
        }
        let found: Rc<[SymbolId]> = terms.symbols_of(term).into();
        self.known.insert(term, found.clone());
        found
    }
}

/// Conditions that all hold.
#[derive(Clone, Debug, Default)]
pub struct PathCondition {
    conditions: Vec<Term>,
}

impl PathCondition {
    /// All conditions, in the order in which they were met.
    pub fn conditions(&self) -> &[Term] {
        &self.conditions
    }

    /// Adds a condition; the parts of a conjunction are added one by one.
    pub fn add_condition(&mut self, terms: &TermStore, condition: Term) {
        if *terms.op(condition) == TermOp::And {
            for part in terms.args(condition).to_vec() {
                self.add_condition(terms, part);
            }
        } else if terms.as_bool(condition) != Some(true) && !self.conditions.contains(&condition) {
            self.conditions.push(condition);
        }
    }

    /// Drops the conditions that have nothing to do with these symbols.
    pub fn keep_relevant(
        &mut self,
        terms: &TermStore,
        index: &mut SymbolIndex,
        symbols: impl IntoIterator<Item = SymbolId>,
    ) {
        self.conditions = self.relevant_conditions(terms, index, symbols);
    }

    /// The conditions that have to do with these symbols, directly or through others. The rest is
    /// about other symbols only: if it can be met at all, it can be met whatever these are.
    pub fn relevant_conditions(
        &self,
        terms: &TermStore,
        index: &mut SymbolIndex,
        symbols: impl IntoIterator<Item = SymbolId>,
    ) -> Vec<Term> {
        let mut reached: FxHashSet<SymbolId> = symbols.into_iter().collect();
        let mut open: Vec<(Term, Rc<[SymbolId]>)> =
            self.conditions.iter().map(|c| (*c, index.symbols_of(terms, *c))).collect();
        let mut taken: FxHashSet<Term> = FxHashSet::default();
        loop {
            let before = taken.len();
            open.retain(|(condition, symbols)| {
                let touches = symbols.iter().any(|s| reached.contains(s)) || symbols.is_empty();
                if touches {
                    reached.extend(symbols.iter().copied());
                    taken.insert(*condition);
                }
                !touches
            });
            if taken.len() == before {
                break;
            }
        }
        self.conditions.iter().copied().filter(|c| taken.contains(c)).collect()
    }
}

/// Whether every run of `inner` is, up to the names of symbols, a run of `outer`: the terms
/// correspond by a one-to-one renaming, under which each condition on the outer state is one on
/// the inner state.
///
/// `comparison` compares the outer state with the inner one, in this order.
pub fn path_subsumes(
    terms: &mut TermStore,
    index: &mut SymbolIndex,
    comparison: &StateSubsumption,
    outer: &PathCondition,
    inner: &PathCondition,
) -> bool {
    let Some(renaming) = symbol_renaming(terms, comparison) else { return false };
    let symbols: Vec<SymbolId> = renaming.keys().copied().collect();
    let outer_conditions = outer.relevant_conditions(terms, index, symbols);
    if outer_conditions.is_empty() {
        return true;
    }
    let inner_conditions: FxHashSet<Term> = inner.conditions.iter().copied().collect();
    if outer_conditions.iter().all(|c| inner_conditions.contains(c))
        && renaming.iter().all(|(from, to)| from == to)
    {
        return true;
    }
    // Symbols outside the state keep their names: the renaming must not collide with them.
    let images: FxHashSet<SymbolId> = renaming.values().copied().collect();
    for condition in &outer_conditions {
        for symbol in index.symbols_of(terms, *condition).iter() {
            if !renaming.contains_key(symbol) && images.contains(symbol) {
                return false;
            }
        }
    }
    let map: FxHashMap<Term, Term> = renaming
        .iter()
        .map(|(from, to)| (terms.symbol_term(*from), terms.symbol_term(*to)))
        .collect();
    outer_conditions.iter().all(|condition| {
        let image = terms.substitute(*condition, &map);
        terms.as_bool(image) == Some(true) || inner_conditions.contains(&image)
    })
}

/// The one-to-one renaming of symbols that turns each first term into the second.
fn symbol_renaming(
    terms: &TermStore,
    comparison: &StateSubsumption,
) -> Option<FxHashMap<SymbolId, SymbolId>> {
    let mut forward: FxHashMap<SymbolId, SymbolId> = FxHashMap::default();
    let mut backward: FxHashMap<SymbolId, SymbolId> = FxHashMap::default();
    let mut seen: FxHashSet<(Term, Term)> = FxHashSet::default();
    let mut pending: Vec<(Term, Term)> = comparison.all.clone();
    while let Some((a, b)) = pending.pop() {
        if !seen.insert((a, b)) {
            continue;
        }
        match (terms.op(a), terms.op(b)) {
            (TermOp::Symbol(x), TermOp::Symbol(y)) => {
                if terms.sort(a) != terms.sort(b)
                    || *forward.entry(*x).or_insert(*y) != *y
                    || *backward.entry(*y).or_insert(*x) != *x
                {
                    return None;
                }
            }
            (p, q) if p == q && terms.args(a).len() == terms.args(b).len() => {
                pending.extend(terms.args(a).iter().copied().zip(terms.args(b).iter().copied()));
            }
            _ => return None,
        }
    }
    Some(forward)
}
