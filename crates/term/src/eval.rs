//! Evaluation of terms under an assignment of their symbols.

use rustc_hash::FxHashMap;

use crate::fold::fold_constants;
use crate::{Constant, Sort, SymbolId, Term, TermOp, TermStore};

/// Values for symbols. A symbol that is not listed counts as zero or false: a solver's model leaves
/// out what does not matter.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Assignment {
    values: FxHashMap<SymbolId, Constant>,
}

impl Assignment {
    /// No symbol listed.
    pub fn new() -> Self {
        Self::default()
    }

    /// Lists a symbol.
    pub fn set(&mut self, symbol: SymbolId, value: Constant) {
        self.values.insert(symbol, value);
    }

    /// The value of a symbol, if it is listed.
    pub fn get(&self, symbol: SymbolId) -> Option<&Constant> {
        self.values.get(&symbol)
    }

    /// The listed symbols, in order.
    pub fn assigned_symbols(&self) -> Vec<SymbolId> {
        let mut all: Vec<_> = self.values.keys().copied().collect();
        all.sort();
        all
    }

    /// How many symbols are listed.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether no symbol is listed.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}

/// Evaluates many terms under one assignment, each shared part once.
pub struct TermEvaluator<'a> {
    terms: &'a TermStore,
    assignment: &'a Assignment,
    known: FxHashMap<Term, Option<Constant>>,
}

impl<'a> TermEvaluator<'a> {
    /// An evaluator for terms of this store.
    pub fn new(terms: &'a TermStore, assignment: &'a Assignment) -> Self {
        Self { terms, assignment, known: FxHashMap::default() }
    }

    /// The value of a term; `None` where it is not specified (a float out of an integer's range,
    /// division of integers by zero).
    pub fn evaluate_term(&mut self, term: Term) -> Option<Constant> {
        let mut pending = vec![term];
        while let Some(&next) = pending.last() {
            if self.known.contains_key(&next) {
                pending.pop();
                continue;
            }
            let missing = pending.len();
            for arg in self.terms.args(next) {
                if !self.known.contains_key(arg) {
                    pending.push(*arg);
                }
            }
            if pending.len() == missing {
                pending.pop();
                let value = self.evaluate_application(next);
                self.known.insert(next, value);
            }
        }
        self.known[&term].clone()
    }

    /// Whether a boolean term is true.
    pub fn evaluate_formula(&mut self, term: Term) -> Option<bool> {
        self.evaluate_term(term)?.as_bool()
    }

    fn evaluate_application(&self, term: Term) -> Option<Constant> {
        let node = self.terms.node(term);
        match &node.op {
            TermOp::Symbol(id) => Some(match self.assignment.get(*id) {
                Some(value) => value.clone(),
                None => match self.terms.sort(term) {
                    Sort::Bool => Constant::Bool(false),
                    Sort::Int => Constant::Int(0.into()),
                    Sort::BitVec(width) => Constant::Bv { width, value: 0 },
                },
            }),
            TermOp::Ite => {
                let taken = match self.known[&node.args[0]].as_ref()?.as_bool()? {
                    true => node.args[1],
                    false => node.args[2],
                };
                self.known[&taken].clone()
            }
            op => {
                let args: Option<Vec<Constant>> =
                    node.args.iter().map(|a| self.known[a].clone()).collect();
                fold_constants(op, &args?)
            }
        }
    }
}
