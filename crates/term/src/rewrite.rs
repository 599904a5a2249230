//! Substitution, and the symbols of a term.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{SymbolId, Term, TermOp, TermStore};

impl TermStore {
    /// `term` with every part that `map` lists replaced, outermost first.
    pub fn substitute(&mut self, term: Term, map: &FxHashMap<Term, Term>) -> Term {
        let mut done: FxHashMap<Term, Term> = FxHashMap::default();
        self.substitute_with(term, map, &mut done)
    }

    /// As [`TermStore::substitute`], keeping what was done so that several terms share the work.
    pub fn substitute_with(
        &mut self,
        term: Term,
        map: &FxHashMap<Term, Term>,
        done: &mut FxHashMap<Term, Term>,
    ) -> Term {
        let mut pending = vec![term];
        while let Some(&next) = pending.last() {
            if done.contains_key(&next) {
                pending.pop();
                continue;
            }
            if let Some(&image) = map.get(&next) {
                done.insert(next, image);
                pending.pop();
                continue;
            }
            let before = pending.len();
            let args: Vec<Term> = self.args(next).to_vec();
            pending.extend(args.iter().filter(|a| !done.contains_key(a)));
            if pending.len() > before {
                continue;
            }
            pending.pop();
            let images: Vec<Term> = args.iter().map(|a| done[a]).collect();
            let image = if images == args {
                next
            } else {
                let op = self.op(next).clone();
                self.apply_operator(op, &images).expect("substitution keeps sorts")
            };
            done.insert(next, image);
        }
        done[&term]
    }

    /// The symbols of a term, each once, in the order in which they are met from left to right.
    pub fn symbols_of(&self, term: Term) -> Vec<SymbolId> {
        let mut found = Vec::new();
        self.visit_symbols(&[term], |id| found.push(id));
        found
    }

    /// Calls `visit` for each symbol of these terms, each once, left to right.
    pub fn visit_symbols(&self, roots: &[Term], mut visit: impl FnMut(SymbolId)) {
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        let mut pending: Vec<Term> = roots.iter().rev().copied().collect();
        while let Some(next) = pending.pop() {
            if !seen.insert(next) {
                continue;
            }
            if let TermOp::Symbol(id) = self.op(next) {
                visit(*id);
            }
            pending.extend(self.args(next).iter().rev());
        }
    }
}
