//! Reading the terms of evidence: constants, and terms over a system's variables.

use ouro_model::transition::TransitionSystem;
use ouro_term::{Constant, Sort, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Rejection;

pub(crate) type Checked<T> = Result<T, Rejection>;

pub(crate) fn reject<T>(why: impl Into<String>) -> Checked<T> {
    Err(Rejection::new(why))
}

/// A constant of a sort.
pub(crate) fn constant(terms: &mut Terms, text: &str, sort: Sort) -> Checked<Constant> {
    let term = parse(terms, text, sort, |_| None)?;
    terms.as_constant(term).ok_or_else(|| Rejection::new(format!("{text} is not a constant")))
}

/// A term over the system's variables and nothing else.
pub(crate) fn over_variables(
    system: &TransitionSystem,
    terms: &mut Terms,
    text: &str,
    sort: Sort,
) -> Checked<Term> {
    let by_name: FxHashMap<&str, Term> =
        system.variables.iter().map(|v| (v.name.as_str(), v.symbol)).collect();
    let term = parse(terms, text, sort, |name| by_name.get(name).copied())?;
    let variables: FxHashSet<Term> = system.variables.iter().map(|v| v.symbol).collect();
    for id in terms.symbols_of(term) {
        let symbol = terms.symbol_term(id);
        if !variables.contains(&symbol) {
            return reject(format!("{} is not a variable", terms.symbol_of(id).name));
        }
    }
    Ok(term)
}

fn parse(
    terms: &mut Terms,
    text: &str,
    sort: Sort,
    lookup: impl FnMut(&str) -> Option<Term>,
) -> Checked<Term> {
    let term = terms
        .parse_with(text, lookup)
        .map_err(|error| Rejection::new(format!("'{text}' is not a term: {}", error.message)))?;
    if terms.sort(term) != sort {
        return reject(format!("'{text}' has sort {}, not {sort}", terms.sort(term)));
    }
    Ok(term)
}
