//! The innermost layer: formulas to Z3, and its answer back.
//!
//! Z3 is asked in two stages. The first is a warm solver: each distinct formula `f` gets a literal
//! `p` of its own, `p => f` is asserted once, and a query is a set of literals to assume; it has a
//! budget counted in Z3's steps, so that the same query always ends the same way. What it cannot do
//! within that budget goes to the second stage, a new solver for the one query, which may take the
//! time that is left and for which Z3 picks its strongest tactics. Before that, bit-vectors are read as integers
//! (`integers`), where sums of many bits are no harder than of few. Floats start there: the warm
//! solver is no good at them.
//!
//! Measured by `strategies.rs` on 1000 queries as symbolic execution asks them (5 to 45 constraints
//! on 32 bits, most of them shared with the query before), queries per second of processor time:
//!
//! | | SMT core | `QF_BV` (bits to SAT) |
//! | --- | --- | --- |
//! | literals, at most 64 or twice the formulas of the query | 630 | 420 |
//! | literals, never starting anew | 130 | 50 |
//! | scopes, common prefix kept | 730 | 370 |
//! | scopes, everything again | 170 | 90 |
//! | a new solver for each query | 160 | 60 |
//! | the whole session (literals in the SMT core, cache) | 1300 | |
//!
//! Scopes are a little faster than literals, but need a common order; literals also give cores, and
//! a core answers later queries. What matters is to start anew in time: every formula ever asserted
//! is decided again in each query.

use std::rc::Rc;
use std::time::Instant;

use num_bigint::BigInt;
use ouro_term::{Assignment, Constant, Sort, SymbolId, Term, TermEvaluator, TermStore};
use rustc_hash::FxHashMap;

use crate::integers;
use crate::limits::LIMITS;
use crate::lower::{TheoryUse, Z3Lowering};
use crate::raw::{SolverKind, SolverOutcome, SolverTuning, Z3Ast, Z3Context, Z3Failure, Z3Solver};
use crate::watchdog::{QueryWatchdog, StopCause};

/// What was found about a conjunction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum ConjunctionAnswer {
    /// It holds under these values.
    Sat(Assignment),
    /// Already these of its formulas never hold together.
    Unsat(Vec<Term>),
    /// Nobody knows, and why.
    Unknown(String),
}

/// One Z3 context and what is in it.
struct WarmContext {
    /// The store whose terms are known here.
    store: u64,
    context: Rc<Z3Context>,
    lowering: Z3Lowering,
    known: FxHashMap<Term, KnownFormula>,
    /// For booleans and bit-vectors.
    bits: Option<AssumptionSolver>,
    /// For integers too: their theory would slow down those who do not need it.
    integers: Option<AssumptionSolver>,
}

/// A formula that this context has seen.
#[derive(Clone)]
struct KnownFormula {
    ast: Z3Ast,
    theories: TheoryUse,
    symbols: Rc<[(SymbolId, Z3Ast)]>,
}

/// A warm solver with a literal for each formula it holds.
struct AssumptionSolver {
    solver: Z3Solver,
    of: FxHashMap<Term, Z3Ast>,
}

/// Decides conjunctions with Z3.
pub(crate) struct ConjunctionDecider {
    warm: Option<WarmContext>,
    milliseconds: u32,
    /// How many contexts were made.
    pub(crate) contexts: u64,
    /// How many queries went to the second stage.
    pub(crate) second: u64,
}

impl ConjunctionDecider {
    /// Makes a context when the first query comes.
    pub(crate) fn new(milliseconds: u32) -> ConjunctionDecider {
        ConjunctionDecider { warm: None, milliseconds, contexts: 0, second: 0 }
    }

    /// Whether these formulas can hold together, found out before `end`. A model has been evaluated
    /// before it is returned.
    pub(crate) fn decide_before(
        &mut self,
        watchdog: &QueryWatchdog,
        terms: &TermStore,
        formulas: &[Term],
        end: Instant,
    ) -> ConjunctionAnswer {
        let (result, stopped) =
            watchdog.guard_query(end, || self.decide_in_stages(watchdog, terms, formulas));
        match result {
            Ok(ConjunctionAnswer::Sat(model)) if !model_satisfies(terms, &model, formulas) => {
                ConjunctionAnswer::Unknown("the model does not hold".to_owned())
            }
            Ok(ConjunctionAnswer::Unknown(why)) => {
                // A context that was interrupted or ran out of memory may be in any state.
                self.drop_context(watchdog);
                let why =
                    stopped.map_or_else(|| normalize_reason(&why), |s| s.cause_word().to_owned());
                ConjunctionAnswer::Unknown(why)
            }
            Ok(found) => found,
            Err(Z3Failure::Unsupported(what)) => ConjunctionAnswer::Unknown(what.to_owned()),
            Err(failure) => {
                self.drop_context(watchdog);
                let why = stopped.map_or_else(
                    || normalize_reason(&failure.to_string()),
                    |s| s.cause_word().to_owned(),
                );
                ConjunctionAnswer::Unknown(why)
            }
        }
    }

    /// These formulas as an SMT-LIB script.
    pub(crate) fn smtlib_script(
        &mut self,
        watchdog: &QueryWatchdog,
        terms: &TermStore,
        formulas: &[Term],
        status: &str,
    ) -> Result<String, Z3Failure> {
        let warm = self.warm_context(watchdog, terms);
        let mut asts = Vec::new();
        for formula in formulas {
            asts.push(warm.lowering.lower_term(terms, *formula)?.0);
        }
        warm.context.smtlib_script(&asts, status)
    }

    /// Drops the context; the next query makes a new one.
    pub(crate) fn drop_context(&mut self, watchdog: &QueryWatchdog) {
        watchdog.watch_context(None);
        self.warm = None;
    }

    fn warm_context(&mut self, watchdog: &QueryWatchdog, terms: &TermStore) -> &mut WarmContext {
        let worn = |warm: &WarmContext| {
            warm.store != terms.store_id() || warm.context.ast_count() >= LIMITS.context_trees
        };
        if self.warm.as_ref().is_some_and(worn) {
            self.drop_context(watchdog);
        }
        self.warm.get_or_insert_with(|| {
            let context = Z3Context::new();
            watchdog.watch_context(Some(context.interruptible()));
            self.contexts += 1;
            WarmContext {
                store: terms.store_id(),
                lowering: Z3Lowering::new(&context),
                context,
                known: FxHashMap::default(),
                bits: None,
                integers: None,
            }
        })
    }

    fn decide_in_stages(
        &mut self,
        watchdog: &QueryWatchdog,
        terms: &TermStore,
        formulas: &[Term],
    ) -> Result<ConjunctionAnswer, Z3Failure> {
        let milliseconds = self.milliseconds;
        let warm = self.warm_context(watchdog, terms);
        let mut known = Vec::with_capacity(formulas.len());
        let mut theories = TheoryUse::default();
        for formula in formulas {
            let formula = warm.learn_formula(terms, *formula)?;
            theories = theories.union_with(formula.theories);
            known.push(formula);
        }
        if !theories.floats {
            let tuning = SolverTuning { milliseconds, steps: LIMITS.first_stage_steps };
            let found = warm.ask_warm_solver(terms, formulas, &known, theories, tuning)?;
            if !matches!(found, ConjunctionAnswer::Unknown(_)) || watchdog.is_stopped() {
                return Ok(found);
            }
        }
        if theories.has_only_bits() && warm.contradict_as_integers(terms, formulas, milliseconds)? {
            return Ok(ConjunctionAnswer::Unsat(formulas.to_vec()));
        }
        if watchdog.is_stopped() {
            return Ok(ConjunctionAnswer::Unknown(String::new()));
        }
        let tuning = SolverTuning { milliseconds, steps: 0 };
        let found = warm.ask_fresh_solver(terms, formulas, &known, theories, tuning);
        self.second += 1;
        found
    }
}

impl WarmContext {
    fn learn_formula(
        &mut self,
        terms: &TermStore,
        formula: Term,
    ) -> Result<KnownFormula, Z3Failure> {
        if let Some(known) = self.known.get(&formula) {
            return Ok(known.clone());
        }
        let (ast, theories) = self.lowering.lower_term(terms, formula)?;
        let mut symbols = Vec::new();
        for symbol in terms.symbols_of(formula) {
            symbols.push((symbol, self.lowering.lowered_symbol(terms, symbol)?));
        }
        let known = KnownFormula { ast, theories, symbols: symbols.into() };
        self.known.insert(formula, known.clone());
        Ok(known)
    }

    fn ask_warm_solver(
        &mut self,
        terms: &TermStore,
        formulas: &[Term],
        known: &[KnownFormula],
        theories: TheoryUse,
        tuning: SolverTuning,
    ) -> Result<ConjunctionAnswer, Z3Failure> {
        let place = if theories.integers { &mut self.integers } else { &mut self.bits };
        let room = LIMITS.warm_formulas.max(2 * formulas.len());
        if place.as_ref().is_some_and(|warm| warm.of.len() >= room) {
            *place = None;
        }
        if place.is_none() {
            let solver = Z3Solver::new(&self.context, SolverKind::Simple, tuning)?;
            *place = Some(AssumptionSolver { solver, of: FxHashMap::default() });
        }
        let warm = place.as_mut().expect("made above");
        let mut literals = Vec::with_capacity(formulas.len());
        for (formula, known) in formulas.iter().zip(known) {
            let literal = match warm.of.get(formula) {
                Some(literal) => *literal,
                None => {
                    let literal = self.context.fresh_constant("p", self.context.bool_sort()?)?;
                    warm.solver.assert_formula(self.context.implies(literal, known.ast)?)?;
                    warm.of.insert(*formula, literal);
                    literal
                }
            };
            literals.push(literal);
        }
        Ok(match warm.solver.check_assumptions(&literals) {
            SolverOutcome::Sat => {
                ConjunctionAnswer::Sat(extract_model(terms, &warm.solver, known)?)
            }
            SolverOutcome::Unsat => {
                let core = warm.solver.unsat_core()?;
                let pairs = formulas.iter().zip(&literals);
                let needed = pairs.filter(|(_, p)| core.contains(p));
                ConjunctionAnswer::Unsat(needed.map(|(formula, _)| *formula).collect())
            }
            SolverOutcome::Unknown(why) => {
                // Stopped in the middle of its work; what it keeps is not worth finding out.
                *place = None;
                ConjunctionAnswer::Unknown(why)
            }
        })
    }

    /// Whether formulas about bit-vectors contradict each other also if these are read as integers.
    fn contradict_as_integers(
        &self,
        terms: &TermStore,
        formulas: &[Term],
        milliseconds: u32,
    ) -> Result<bool, Z3Failure> {
        let Some((terms, formulas)) = integers::read(terms, formulas) else { return Ok(false) };
        let mut lowering = Z3Lowering::new(&self.context);
        let milliseconds = milliseconds.min(LIMITS.integer_milliseconds);
        let tuning = SolverTuning { milliseconds, steps: LIMITS.integer_steps };
        let solver = Z3Solver::new(&self.context, SolverKind::Simple, tuning)?;
        for formula in formulas {
            solver.assert_formula(lowering.lower_term(&terms, formula)?.0)?;
        }
        Ok(matches!(solver.check_assumptions(&[]), SolverOutcome::Unsat))
    }

    fn ask_fresh_solver(
        &mut self,
        terms: &TermStore,
        formulas: &[Term],
        known: &[KnownFormula],
        theories: TheoryUse,
        tuning: SolverTuning,
    ) -> Result<ConjunctionAnswer, Z3Failure> {
        let kind =
            if theories.has_only_bits() { SolverKind::Logic("QF_BV") } else { SolverKind::Default };
        let solver = Z3Solver::new(&self.context, kind, tuning)?;
        for formula in known {
            solver.assert_formula(formula.ast)?;
        }
        Ok(match solver.check_assumptions(&[]) {
            SolverOutcome::Sat => ConjunctionAnswer::Sat(extract_model(terms, &solver, known)?),
            SolverOutcome::Unsat => ConjunctionAnswer::Unsat(formulas.to_vec()),
            SolverOutcome::Unknown(why) => ConjunctionAnswer::Unknown(why),
        })
    }
}

/// The values of all symbols of the formulas in the model that the solver has just found.
fn extract_model(
    terms: &TermStore,
    solver: &Z3Solver,
    known: &[KnownFormula],
) -> Result<Assignment, Z3Failure> {
    let mut symbols: Vec<(SymbolId, Z3Ast)> =
        known.iter().flat_map(|formula| formula.symbols.iter().copied()).collect();
    symbols.sort_by_key(|(id, _)| *id);
    symbols.dedup_by_key(|(id, _)| *id);
    let asts: Vec<Z3Ast> = symbols.iter().map(|(_, ast)| *ast).collect();
    let mut model = Assignment::new();
    for ((symbol, _), text) in symbols.iter().zip(solver.model_values(&asts)?) {
        let value =
            text.and_then(|text| parse_constant(terms.symbol_declaration(*symbol).sort, &text));
        // One that Z3 gives no number counts as zero; evaluation decides whether that is right.
        if let Some(value) = value {
            model.set(*symbol, value);
        }
    }
    Ok(model)
}

fn parse_constant(sort: Sort, text: &str) -> Option<Constant> {
    Some(match sort {
        Sort::Bool => Constant::Bool(text.parse().ok()?),
        Sort::Int => Constant::Int(text.parse::<BigInt>().ok()?),
        Sort::BitVec(width) => Constant::Bv { width, value: text.parse().ok()? },
    })
}

/// Whether every formula is true under the model, by the meaning of terms and not by Z3's. The
/// youngest formula comes first: it is the one that earlier models do not know.
pub(crate) fn model_satisfies(terms: &TermStore, model: &Assignment, formulas: &[Term]) -> bool {
    let mut evaluator = TermEvaluator::new(terms, model);
    formulas.iter().rev().all(|formula| evaluator.evaluate_formula(*formula) == Some(true))
}

/// One word for Z3's many ways of saying that a limit was reached.
fn normalize_reason(why: &str) -> String {
    let lower = why.to_lowercase();
    if lower.contains("memory") {
        StopCause::Memory.cause_word().to_owned()
    } else if lower.contains("timeout") || lower.contains("canceled") {
        StopCause::Time.cause_word().to_owned()
    } else {
        why.to_owned()
    }
}
