//! Promises: what is known of every call of a function that returns.

use ouro_model::FunctionId;
use ouro_term::{Sort, Term, TermStore};
use rustc_hash::FxHashMap;

use crate::{Machine, ReturnedCall};

/// A formula about what a function is given and what it returns.
#[derive(Clone, Debug)]
pub struct SummaryFormula {
    formula: Term,
    /// The symbols for both; `None` for what is no number.
    arguments: Vec<Option<Term>>,
    results: Vec<Option<Term>>,
}

impl SummaryFormula {
    /// Symbols for what a function is given and for what it returns, and nothing known of them.
    pub fn without_constraints(
        machine: &Machine,
        terms: &mut TermStore,
        function: FunctionId,
    ) -> SummaryFormula {
        let (arguments, results) = machine.number_sorts_of_call(function);
        let mut symbols = |stem: &str, sorts: Vec<Option<Sort>>| -> Vec<Option<Term>> {
            sorts.into_iter().map(|sort| sort.map(|sort| terms.fresh_symbol(stem, sort))).collect()
        };
        let (arguments, results) = (symbols("argument", arguments), symbols("result", results));
        SummaryFormula { formula: terms.bool(true), arguments, results }
    }

    /// The formula of a text, in which `argument.0` is what the function is given first, and `result.0`
    /// what it returns; or what is wrong with the text.
    pub fn parse(
        machine: &Machine,
        terms: &mut TermStore,
        function: FunctionId,
        text: &str,
    ) -> Result<SummaryFormula, String> {
        let promise = SummaryFormula::without_constraints(machine, terms, function);
        let by_name = |name: &str| {
            let (list, index) = match name.strip_prefix("argument.") {
                Some(index) => (&promise.arguments, index),
                None => (&promise.results, name.strip_prefix("result.")?),
            };
            *list.get(index.parse::<usize>().ok()?)?
        };
        let formula = terms.parse_with(text, by_name).map_err(|refused| refused.message)?;
        match terms.sort(formula) {
            Sort::Bool => Ok(SummaryFormula { formula, ..promise }),
            _ => Err("it is no formula".to_owned()),
        }
    }

    /// The formula as a text.
    pub fn to_text(&self, terms: &mut TermStore) -> String {
        let mut names: FxHashMap<Term, Term> = FxHashMap::default();
        for (stem, symbols) in [("argument", &self.arguments), ("result", &self.results)] {
            for (index, symbol) in symbols.iter().enumerate() {
                let Some(symbol) = symbol else { continue };
                let sort = terms.sort(*symbol);
                if let Some(name) = terms.intern_symbol(&format!("{stem}.{index}"), sort) {
                    names.insert(*symbol, name);
                }
            }
        }
        let named = terms.substitute(self.formula, &names);
        terms.display(named).to_string()
    }

    /// The formula.
    pub fn formula(&self) -> Term {
        self.formula
    }

    /// The same with another formula.
    pub fn with_formula(&self, formula: Term) -> SummaryFormula {
        SummaryFormula { formula, ..self.clone() }
    }

    /// The symbols for what the function is given; `None` for what is no number.
    pub fn arguments(&self) -> &[Option<Term>] {
        &self.arguments
    }

    /// The symbols for what it returns.
    pub fn results(&self) -> &[Option<Term>] {
        &self.results
    }

    /// The formula about one call; `None` if it speaks of what is not known of the call.
    pub fn formula_for_call(&self, terms: &mut TermStore, call: &ReturnedCall) -> Option<Term> {
        self.term_for_call(terms, self.formula, call)
    }

    /// A term over the symbols, about one call.
    pub fn term_for_call(
        &self,
        terms: &mut TermStore,
        term: Term,
        call: &ReturnedCall,
    ) -> Option<Term> {
        let mut values: FxHashMap<Term, Term> = FxHashMap::default();
        for (symbols, known) in [(&self.arguments, &call.arguments), (&self.results, &call.results)]
        {
            for (symbol, value) in symbols.iter().zip(known) {
                if let (Some(symbol), Some(value)) = (symbol, value)
                    && terms.sort(*symbol) == terms.sort(*value)
                {
                    values.insert(*symbol, *value);
                }
            }
        }
        let spoken_of = terms.symbols_of(term);
        let all_known = (spoken_of.into_iter())
            .map(|id| terms.symbol_term(id))
            .all(|symbol| values.contains_key(&symbol));
        all_known.then(|| terms.substitute(term, &values))
    }
}
