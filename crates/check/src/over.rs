//! Reading the terms of evidence: constants, and terms over a system's variables.

use ouro_model::transition::TransitionSystem;
use ouro_term::{Constant, Sort, Term, TermStore};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::EvidenceRejection;

pub(crate) type CheckResult<T> = Result<T, EvidenceRejection>;

pub(crate) fn reject_evidence<T>(why: impl Into<String>) -> CheckResult<T> {
    Err(EvidenceRejection::new(why))
}

/// A constant of a sort.
pub(crate) fn parse_constant(
    terms: &mut TermStore,
    text: &str,
    sort: Sort,
) -> CheckResult<Constant> {
    let term = parse_sorted_term(terms, text, sort, |_| None)?;
    terms
        .as_constant(term)
        .ok_or_else(|| EvidenceRejection::new(format!("{text} is not a constant")))
}

/// A term over the system's variables and nothing else.
pub(crate) fn parse_over_variables(
    system: &TransitionSystem,
    terms: &mut TermStore,
    text: &str,
    sort: Sort,
) -> CheckResult<Term> {
    let by_name: FxHashMap<&str, Term> =
        system.variables.iter().map(|v| (v.name.as_str(), v.symbol)).collect();
    let term = parse_sorted_term(terms, text, sort, |name| by_name.get(name).copied())?;
    let variables: FxHashSet<Term> = system.variables.iter().map(|v| v.symbol).collect();
    for id in terms.symbols_of(term) {
        let symbol = terms.symbol_term(id);
        if !variables.contains(&symbol) {
            return reject_evidence(format!(
                "{} is not a variable",
                terms.symbol_declaration(id).name
            ));
        }
    }
    Ok(term)
}

fn parse_sorted_term(
    terms: &mut TermStore,
    text: &str,
    sort: Sort,
    lookup: impl FnMut(&str) -> Option<Term>,
) -> CheckResult<Term> {
    let term = terms.parse_with(text, lookup).map_err(|error| {
        EvidenceRejection::new(format!("'{text}' is not a term: {}", error.message))
    })?;
    if terms.sort(term) != sort {
        return reject_evidence(format!("'{text}' has sort {}, not {sort}", terms.sort(term)));
    }
    Ok(term)
}
