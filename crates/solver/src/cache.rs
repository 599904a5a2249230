//! Earlier answers, put to use again. Three kinds, from the cheapest on: the same conjuncts; fewer
//! conjuncts that were already contradictory; a recent model that happens to fit. Besides, conjuncts
//! that share no symbol are decided apart, so that a new constraint leaves the answers about all
//! other inputs as they are.
//!
//! Everything here is exact, and depends on earlier queries only, never on time: an unknown answer
//! is not remembered.

use std::collections::VecDeque;
use std::rc::Rc;

use ouro_term::{Assignment, SymbolId, Term, TermStore};
use rustc_hash::FxHashMap;

use crate::core::{ConjunctionAnswer, model_satisfies};
use crate::direct;
use crate::limits::LIMITS;

/// Answers about terms of one store.
#[derive(Default)]
pub(crate) struct AnswerCache {
    store: Option<u64>,
    answers: FxHashMap<Rc<[Term]>, ConjunctionAnswer>,
    models: VecDeque<Assignment>,
    contradictions: VecDeque<Rc<[Term]>>,
    symbols: FxHashMap<Term, Rc<[SymbolId]>>,
    /// Answers given without Z3.
    pub(crate) hits: u64,
    /// Answers given on sight.
    pub(crate) direct: u64,
}

impl AnswerCache {
    /// Decides sorted conjuncts, with `ask` for what is not known yet.
    pub(crate) fn decide_conjuncts(
        &mut self,
        terms: &TermStore,
        conjuncts: &[Term],
        mut ask: impl FnMut(&[Term]) -> ConjunctionAnswer,
    ) -> ConjunctionAnswer {
        if self.store != Some(terms.store_id()) || self.answers.len() >= LIMITS.remembered_answers {
            let (hits, direct) = (self.hits, self.direct);
            *self = AnswerCache {
                store: Some(terms.store_id()),
                hits,
                direct,
                ..AnswerCache::default()
            };
        }
        if let Some(found) = direct::decide_trivially(terms, conjuncts) {
            self.direct += 1;
            return found;
        }
        if let Some(found) = self.recall_answer(terms, conjuncts) {
            self.hits += 1;
            return found;
        }
        let parts = self.independent_components(terms, conjuncts);
        if parts.len() == 1 {
            return self.decide_component(terms, conjuncts, &mut ask);
        }
        let mut model = Assignment::new();
        let mut unknown = None;
        for part in parts {
            match self.decide_component(terms, &part, &mut ask) {
                ConjunctionAnswer::Sat(values) => {
                    for symbol in values.assigned_symbols() {
                        // A reused model may also list symbols of other parts.
                        if let Some(value) = values.get(symbol)
                            && self.has_symbol(terms, &part, symbol)
                        {
                            model.set(symbol, value.clone());
                        }
                    }
                }
                ConjunctionAnswer::Unsat(core) => return ConjunctionAnswer::Unsat(core),
                ConjunctionAnswer::Unknown(why) => unknown = unknown.or(Some(why)),
            }
        }
        match unknown {
            Some(why) => ConjunctionAnswer::Unknown(why),
            None => {
                self.remember_answer(conjuncts, &ConjunctionAnswer::Sat(model.clone()));
                ConjunctionAnswer::Sat(model)
            }
        }
    }

    /// Decides conjuncts that hang together.
    fn decide_component(
        &mut self,
        terms: &TermStore,
        part: &[Term],
        ask: &mut impl FnMut(&[Term]) -> ConjunctionAnswer,
    ) -> ConjunctionAnswer {
        if let Some(found) = direct::decide_one_symbol(terms, part) {
            self.direct += 1;
            return found;
        }
        if let Some(found) = self.recall_answer(terms, part) {
            self.hits += 1;
            return found;
        }
        let found = ask(part);
        self.remember_answer(part, &found);
        found
    }

    fn recall_answer(
        &mut self,
        terms: &TermStore,
        conjuncts: &[Term],
    ) -> Option<ConjunctionAnswer> {
        if let Some(found) = self.answers.get(conjuncts) {
            return Some(found.clone());
        }
        if let Some(core) = self.contradictions.iter().find(|core| is_subset(core, conjuncts)) {
            return Some(ConjunctionAnswer::Unsat(core.to_vec()));
        }
        let fits = self.models.iter().position(|model| model_satisfies(terms, model, conjuncts))?;
        // What fitted once is likely to fit again: to the front.
        let model = self.models.remove(fits)?;
        self.models.push_front(model.clone());
        Some(ConjunctionAnswer::Sat(model))
    }

    fn remember_answer(&mut self, conjuncts: &[Term], found: &ConjunctionAnswer) {
        match found {
            ConjunctionAnswer::Unknown(_) => return,
            ConjunctionAnswer::Sat(model) => {
                self.models.truncate(LIMITS.tried_models - 1);
                self.models.push_front(model.clone());
            }
            ConjunctionAnswer::Unsat(core) => {
                let mut core = core.clone();
                core.sort();
                self.contradictions.truncate(LIMITS.remembered_contradictions - 1);
                self.contradictions.push_front(core.into());
            }
        }
        self.answers.insert(conjuncts.into(), found.clone());
    }

    fn symbols_of(&mut self, terms: &TermStore, term: Term) -> Rc<[SymbolId]> {
        let symbols = self.symbols.entry(term).or_insert_with(|| terms.symbols_of(term).into());
        Rc::clone(symbols)
    }

    fn has_symbol(&mut self, terms: &TermStore, part: &[Term], symbol: SymbolId) -> bool {
        part.iter().any(|term| self.symbols_of(terms, *term).contains(&symbol))
    }

    /// The conjuncts in groups that share no symbol, each sorted as before.
    fn independent_components(&mut self, terms: &TermStore, conjuncts: &[Term]) -> Vec<Vec<Term>> {
        // Union-find over the positions of the conjuncts, through the first user of each symbol.
        let mut parent: Vec<usize> = (0..conjuncts.len()).collect();
        fn find_root(parent: &mut [usize], mut at: usize) -> usize {
            while parent[at] != at {
                parent[at] = parent[parent[at]];
                at = parent[at];
            }
            at
        }
        let mut user: FxHashMap<SymbolId, usize> = FxHashMap::default();
        for (position, conjunct) in conjuncts.iter().enumerate() {
            for symbol in self.symbols_of(terms, *conjunct).iter() {
                let other = *user.entry(*symbol).or_insert(position);
                let (a, b) = (find_root(&mut parent, other), find_root(&mut parent, position));
                // The smaller position stays the root, so that groups come in order.
                parent[a.max(b)] = a.min(b);
            }
        }
        let mut groups: Vec<Vec<Term>> = vec![Vec::new(); conjuncts.len()];
        for (position, conjunct) in conjuncts.iter().enumerate() {
            groups[find_root(&mut parent, position)].push(*conjunct);
        }
        groups.retain(|group| !group.is_empty());
        groups
    }
}

/// Whether every term of the first list is in the second; both are sorted.
fn is_subset(few: &[Term], many: &[Term]) -> bool {
    few.len() <= many.len() && few.iter().all(|term| many.binary_search(term).is_ok())
}
