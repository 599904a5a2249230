//! What calls of functions that may call themselves return: formulas about arguments and results.
//!
//! Why they may be believed. A call that has returned made finitely many calls, and each of them
//! returned before it. So a formula holds for every call that returns if it holds for one whose inner
//! calls it holds for. Each call of such a function is met where it begins, at a head or between two heads,
//! and followed from there to where it returns; the inner calls on that way are taken to have returned
//! what the formula allows. Where the way passes another head of the same call, what the call was given
//! is forgotten: then only a formula about the results alone can be shown.

use std::collections::BTreeMap;

use ouro_evidence::FunctionSummary;
use ouro_machine::{Machine, SummaryFormula};
use ouro_model::{FunctionId, Program};
use ouro_term::TermStore;

use crate::over::{CheckResult, reject_evidence};

/// The formulas of some functions.
pub(crate) type ClaimedSummaries = BTreeMap<FunctionId, SummaryFormula>;

/// Reads formulas.
pub(crate) fn read_summaries(
    program: &Program,
    machine: &Machine,
    terms: &mut TermStore,
    summaries: &[FunctionSummary],
) -> CheckResult<ClaimedSummaries> {
    let mut promises = ClaimedSummaries::new();
    for FunctionSummary { function: name, formula } in summaries {
        let named: Vec<FunctionId> =
            program.functions.ids().filter(|id| machine.function_name(*id) == name).collect();
        let [function] = named[..] else {
            return reject_evidence(format!("there is no unique function {name}"));
        };
        if !machine.recursive_functions().any(|recursive| recursive == function) {
            return reject_evidence(format!(
                "{name} does not call itself, so its calls are followed"
            ));
        }
        let promise = match SummaryFormula::parse(machine, terms, function, formula) {
            Ok(promise) => promise,
            Err(why) => {
                return reject_evidence(format!("'{formula}' is not a summary of {name}: {why}"));
            }
        };
        if promises.insert(function, promise).is_some() {
            return reject_evidence(format!("{name} has two summaries"));
        }
    }
    Ok(promises)
}
