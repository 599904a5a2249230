//! What calls return, of functions that may call themselves.
//!
//! **How it works.** A lowered program knows the ways on which such calls return: what a call was given,
//! what it returns, and which calls of the same kind it takes to have returned on the way. Bounds are
//! looked for: on each result, and on how far it is from each number that the function was given, both
//! in general and under each condition that the function asks about what it was given. The numbers come
//! from the program: its constants, their sums and differences. At first each bound is as tight as there
//! is, so that no call returns; where a way returns something else, the bounds it breaks give way, until
//! no way breaks one. What is left holds for every call, by induction over the calls inside it.
//!
//! **What it misses.** Bounds by other numbers, and results that depend on what is given in another way
//! than by a distance; and what a function with loops of its own was given.
//!
//! **What could mislead it.** Nothing that the checker would not notice: it follows the ways again.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use crate::limits::SUMMARY_LIMITS;
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use ouro_evidence::FunctionSummary;
use ouro_machine::{Machine, ReturnedCall, SummaryFormula};
use ouro_model::FunctionId;
use ouro_solver::clock;
use ouro_solver::{Session, SolverAnswer};
use ouro_term::{Constant, Sort, Term, TermEvaluator, TermOp, TermStore, sign_extend};
use ouro_transform::{LoweredProgram, ReturnPath};
use rustc_hash::FxHashMap;

/// Bits that a distance needs beyond those of the numbers.
const ROOM: u32 = 2;

/// A bound on a number.
struct ResultBound {
    /// When it counts: a formula over the function's symbols.
    condition: Term,
    /// The number: the result, or how far it is from what was given. Bit-vectors are wide enough.
    number: Term,
    /// Whether it bounds from below.
    lower: bool,
    /// The bound as it is; none if there is none.
    at: Option<i128>,
}

/// What is looked for, of one function.
struct SummarySearch {
    promise: SummaryFormula,
    bounds: Vec<ResultBound>,
    /// The numbers that may be bounds, in ascending order.
    numbers: Vec<i128>,
}

/// Bounds on what calls return, under conditions or not; nothing if there are none, or no time.
pub(crate) fn find_summaries(
    lowered: &LoweredProgram,
    machine: &Machine,
    session: &mut Session,
    conditions: bool,
    deadline: Instant,
) -> Vec<FunctionSummary> {
    let mut terms = lowered.system.terms.clone();
    let mut searches: BTreeMap<FunctionId, SummarySearch> = BTreeMap::new();
    let functions: BTreeSet<FunctionId> =
        lowered.returns.iter().map(|way| way.call.function).collect();
    for function in functions {
        let ways: Vec<&ReturnPath> =
            lowered.returns.iter().filter(|way| way.call.function == function).collect();
        let search = SummarySearch::of_function(machine, &mut terms, function, &ways, conditions);
        searches.insert(function, search);
    }
    if searches.values().all(|search| search.bounds.is_empty()) {
        return Vec::new();
    }
    for _ in 0..SUMMARY_LIMITS.weakenings {
        if clock::budget_now() >= deadline {
            return Vec::new();
        }
        let mut changed = false;
        for way in &lowered.returns {
            changed |= weaken_broken_bounds(&mut terms, session, &mut searches, way);
        }
        if !changed {
            return write_summaries(machine, &mut terms, &searches);
        }
    }
    Vec::new()
}

/// Lets those bounds give way that a way breaks; says whether there were any.
fn weaken_broken_bounds(
    terms: &mut TermStore,
    session: &mut Session,
    searches: &mut BTreeMap<FunctionId, SummarySearch>,
    way: &ReturnPath,
) -> bool {
    let mut path = way.path.clone();
    for call in &way.inner {
        let Some(search) = searches.get(&call.function) else { continue };
        path.extend(search.formula_for_call(terms, call));
    }
    let search = searches.get_mut(&way.call.function).expect("it has a way");
    let Some(claim) = search.formula_for_call(terms, &way.call) else {
        return search.drop_unknown_bounds(terms, way);
    };
    path.push(terms.not(claim));
    match session.check_sat(terms, &path) {
        SolverAnswer::Unsat => false,
        SolverAnswer::Sat(model) => {
            let mut changed = false;
            for bound in &mut search.bounds {
                let condition = search.promise.term_for_call(terms, bound.condition, &way.call);
                let number = search.promise.term_for_call(terms, bound.number, &way.call);
                let mut evaluator = TermEvaluator::new(terms, &model);
                if condition
                    .is_some_and(|condition| evaluator.evaluate_formula(condition) == Some(false))
                {
                    continue;
                }
                let value = number.and_then(|number| evaluator.evaluate_term(number));
                changed |= bound
                    .weaken_for_value(value.as_ref().and_then(signed_constant), &search.numbers);
            }
            // If no bound was seen to be broken, none can be kept.
            changed || search.drop_all_bounds()
        }
        SolverAnswer::Unknown(_) => search.drop_all_bounds(),
    }
}

impl ResultBound {
    /// Gives way to a value; says whether it had to.
    fn weaken_for_value(&mut self, value: Option<i128>, numbers: &[i128]) -> bool {
        let Some(at) = self.at else { return false };
        let Some(value) = value else {
            self.at = None;
            return true;
        };
        if (self.lower && at <= value) || (!self.lower && value <= at) {
            return false;
        }
        self.at = match self.lower {
            true => numbers.iter().rev().find(|number| **number <= value).copied(),
            false => numbers.iter().find(|number| value <= **number).copied(),
        };
        true
    }

    fn formula(&self, terms: &mut TermStore) -> Option<Term> {
        let at = self.at?;
        let bound = match terms.sort(self.number) {
            Sort::Int => terms.int(at),
            // The numbers fit: they are of the narrower width, or sums of few of them.
            Sort::BitVec(width) => {
                terms.bv(width, at.cast_unsigned() & ouro_term::width_mask(width))
            }
            Sort::Bool => return None,
        };
        let (low, high) = if self.lower { (bound, self.number) } else { (self.number, bound) };
        let kept = match terms.sort(self.number) {
            Sort::Int => terms.int_le(low, high),
            _ => terms.bv_sle(low, high),
        };
        let not = terms.not(self.condition);
        Some(terms.or(not, kept))
    }
}

impl SummarySearch {
    fn of_function(
        machine: &Machine,
        terms: &mut TermStore,
        function: FunctionId,
        ways: &[&ReturnPath],
        under_conditions: bool,
    ) -> SummarySearch {
        let promise = SummaryFormula::without_constraints(machine, terms, function);
        let mut bounds = Vec::new();
        let numbers = candidate_bounds(terms, ways);
        let mut conditions = vec![terms.bool(true)];
        if under_conditions {
            conditions.extend(argument_conditions(terms, &promise, ways));
        }
        for result in promise.results().iter().flatten() {
            let mut measured = vec![widen_number(terms, *result)];
            for argument in promise.arguments().iter().flatten() {
                if terms.sort(*argument) == terms.sort(*result) {
                    let (result, argument) =
                        (widen_number(terms, *result), widen_number(terms, *argument));
                    measured.push(widened_difference(terms, result, argument));
                }
            }
            for condition in &conditions {
                for number in &measured {
                    for lower in [true, false] {
                        let at = if lower { numbers.last() } else { numbers.first() };
                        let (condition, number, at) = (*condition, *number, at.copied());
                        bounds.push(ResultBound { condition, number, lower, at });
                    }
                }
            }
        }
        SummarySearch { promise, bounds, numbers }
    }

    /// All bounds as a formula over the function's symbols.
    fn formula(&self, terms: &mut TermStore) -> Term {
        let all: Vec<Term> = self.bounds.iter().filter_map(|bound| bound.formula(terms)).collect();
        terms.and_all(&all)
    }

    /// The same about one call; `None` if it speaks of what is not known of the call.
    fn formula_for_call(&self, terms: &mut TermStore, call: &ReturnedCall) -> Option<Term> {
        let formula = self.formula(terms);
        self.promise.term_for_call(terms, formula, call)
    }

    /// Drops the bounds that speak of what is not known of a call; says whether there are any.
    fn drop_unknown_bounds(&mut self, terms: &mut TermStore, way: &ReturnPath) -> bool {
        let mut dropped = false;
        for bound in &mut self.bounds {
            let Some(formula) = bound.formula(terms) else { continue };
            if self.promise.term_for_call(terms, formula, &way.call).is_none() {
                bound.at = None;
                dropped = true;
            }
        }
        dropped || self.drop_all_bounds()
    }

    fn drop_all_bounds(&mut self) -> bool {
        let any = self.bounds.iter().any(|bound| bound.at.is_some());
        self.bounds.iter_mut().for_each(|bound| bound.at = None);
        any
    }

    /// Without the bounds that say no more than the same bound under no condition.
    fn needed_formula(&self, terms: &mut TermStore) -> Term {
        let general = |bound: &ResultBound| terms.as_bool(bound.condition) == Some(true);
        let (always, sometimes): (Vec<&ResultBound>, Vec<&ResultBound>) =
            self.bounds.iter().partition(|bound| general(bound));
        let said = |bound: &&&ResultBound| {
            !always.iter().any(|other| {
                (other.number, other.lower, other.at) == (bound.number, bound.lower, bound.at)
            })
        };
        let kept: Vec<&ResultBound> =
            always.iter().chain(sometimes.iter().filter(said)).copied().collect();
        let all: Vec<Term> = kept.into_iter().filter_map(|bound| bound.formula(terms)).collect();
        terms.and_all(&all)
    }
}

fn write_summaries(
    machine: &Machine,
    terms: &mut TermStore,
    searches: &BTreeMap<FunctionId, SummarySearch>,
) -> Vec<FunctionSummary> {
    let mut all = Vec::new();
    for (function, search) in searches {
        let formula = search.needed_formula(terms);
        if terms.as_bool(formula) == Some(true) {
            continue;
        }
        let formula = search.promise.with_formula(formula).to_text(terms);
        all.push(FunctionSummary {
            function: machine.function_name(*function).to_owned(),
            formula,
        });
    }
    all
}

/// A number with room for a distance.
fn widen_number(terms: &mut TermStore, number: Term) -> Term {
    match terms.sort(number) {
        Sort::BitVec(width) if width + ROOM <= 128 => terms.sign_extend(width + ROOM, number),
        _ => number,
    }
}

fn widened_difference(terms: &mut TermStore, a: Term, b: Term) -> Term {
    match terms.sort(a) {
        Sort::Int => {
            let minus_one = terms.int(-1);
            let minus = terms.int_mul(minus_one, b);
            terms.int_add(a, minus)
        }
        _ => {
            let minus = terms.bv_neg(b);
            terms.bv_add(a, minus)
        }
    }
}

/// The numbers that may be bounds.
fn candidate_bounds(terms: &TermStore, ways: &[&ReturnPath]) -> Vec<i128> {
    let mut constants: BTreeSet<i128> = BTreeSet::new();
    for way in ways {
        let results = way.call.results.iter().flatten();
        let inner = way.inner.iter().flat_map(|call| call.arguments.iter().flatten());
        for term in way.path.iter().chain(results).chain(inner) {
            collect_constants(terms, *term, &mut constants);
        }
    }
    // Those near 0 are the program's own; large ones are often masks and sizes.
    let mut constants: Vec<i128> = constants.into_iter().collect();
    constants.sort_by_key(|constant| constant.unsigned_abs());
    constants.truncate(SUMMARY_LIMITS.constants);
    let mut numbers = BTreeSet::from([0]);
    for a in &constants {
        for b in constants.iter().chain([&0]) {
            for sum in [a + b, a - b, b - a, -a - b] {
                numbers.extend([sum - 1, sum, sum + 1]);
            }
        }
    }
    numbers.into_iter().collect()
}

fn collect_constants(terms: &TermStore, term: Term, found: &mut BTreeSet<i128>) {
    let mut seen = BTreeSet::new();
    let mut open = vec![term];
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        let constant = terms.as_constant(term);
        found.extend(
            constant.as_ref().and_then(signed_constant).filter(|c| c.unsigned_abs() < 1 << 31),
        );
        open.extend(terms.args(term));
    }
}

fn signed_constant(constant: &Constant) -> Option<i128> {
    match constant {
        Constant::Bv { width, value } => Some(sign_extend(*width, *value)),
        Constant::Int(value) => BigInt::to_i128(value),
        Constant::Bool(_) => None,
    }
}

/// What the function asks about what it was given, each with its opposite, over its symbols.
fn argument_conditions(
    terms: &mut TermStore,
    promise: &SummaryFormula,
    ways: &[&ReturnPath],
) -> Vec<Term> {
    let mut found: Vec<Term> = Vec::new();
    for way in ways {
        let mut names: FxHashMap<Term, Term> = FxHashMap::default();
        for (symbol, given) in promise.arguments().iter().zip(&way.call.arguments) {
            if let (Some(symbol), Some(given)) = (symbol, given)
                && matches!(terms.op(*given), TermOp::Symbol(_))
            {
                names.insert(*given, *symbol);
            }
        }
        for condition in &way.path {
            let symbols = terms.symbols_of(*condition);
            let about = !symbols.is_empty()
                && symbols.into_iter().all(|id| names.contains_key(&terms.symbol_term(id)));
            if !about || !is_comparison(terms, *condition) {
                continue;
            }
            let condition = terms.substitute(*condition, &names);
            let opposite = terms.not(condition);
            if !found.contains(&condition) && found.len() < 2 * SUMMARY_LIMITS.conditions {
                found.extend([condition, opposite]);
            }
        }
    }
    found
}

/// Whether a condition compares two numbers. That nothing overflows is an equation of two sums, and
/// the program does not ask for it.
fn is_comparison(terms: &TermStore, condition: Term) -> bool {
    let args = terms.args(condition);
    match terms.op(condition) {
        TermOp::Not => is_comparison(terms, args[0]),
        TermOp::IntLe | TermOp::BvSle | TermOp::BvSlt | TermOp::BvUle | TermOp::BvUlt => true,
        TermOp::Eq => args.iter().any(|side| terms.as_constant(*side).is_some()),
        _ => false,
    }
}
