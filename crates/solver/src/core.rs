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
use ouro_term::{Assignment, Constant, Evaluator, Sort, SymbolId, Term, Terms};
use rustc_hash::FxHashMap;

use crate::integers;
use crate::lower::{Lowering, Theories};
use crate::raw::{Ast, Context, Failure, Kind, Outcome, Solver, Tuning};
use crate::watchdog::{Stopped, Watchdog};

/// A warm solver starts anew when it holds more formulas than this and than twice the query.
const FORMULAS: usize = 64;
/// After so many trees in the context everything starts anew: nothing is given back before.
const TREES: usize = 2_000_000;
/// Steps of the first stage, a few tenths of a second: what it does not find by then, Z3's bit-blasting
/// tactics often find in less.
const STEPS: u32 = 400_000;
/// Steps for the question as one about integers, which is mostly answered soon or not at all.
const INTEGER_STEPS: u32 = 1_000_000;

/// What was found about a conjunction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Found {
    /// It holds under these values.
    Sat(Assignment),
    /// Already these of its formulas never hold together.
    Unsat(Vec<Term>),
    /// Nobody knows, and why.
    Unknown(String),
}

/// One Z3 context and what is in it.
struct Warm {
    /// The store whose terms are known here.
    store: u64,
    context: Rc<Context>,
    lowering: Lowering,
    known: FxHashMap<Term, Known>,
    /// For booleans and bit-vectors.
    bits: Option<Literals>,
    /// For integers too: their theory would slow down those who do not need it.
    integers: Option<Literals>,
}

/// A formula that this context has seen.
#[derive(Clone)]
struct Known {
    ast: Ast,
    theories: Theories,
    symbols: Rc<[(SymbolId, Ast)]>,
}

/// A warm solver with a literal for each formula it holds.
struct Literals {
    solver: Solver,
    of: FxHashMap<Term, Ast>,
}

/// Decides conjunctions with Z3.
pub(crate) struct Core {
    warm: Option<Warm>,
    milliseconds: u32,
    /// How many contexts were made.
    pub(crate) contexts: u64,
    /// How many queries went to the second stage.
    pub(crate) second: u64,
}

impl Core {
    /// Makes a context when the first query comes.
    pub(crate) fn new(milliseconds: u32) -> Core {
        Core { warm: None, milliseconds, contexts: 0, second: 0 }
    }

    /// Whether these formulas can hold together, found out before `end`. A model has been evaluated
    /// before it is returned.
    pub(crate) fn check(
        &mut self,
        watchdog: &Watchdog,
        terms: &Terms,
        formulas: &[Term],
        end: Instant,
    ) -> Found {
        let (result, stopped) = watchdog.guard(end, || self.decide(watchdog, terms, formulas));
        match result {
            Ok(Found::Sat(model)) if !holds(terms, &model, formulas) => {
                Found::Unknown("the model does not hold".to_owned())
            }
            Ok(Found::Unknown(why)) => {
                // A context that was interrupted or ran out of memory may be in any state.
                self.forget(watchdog);
                let why = stopped.map_or_else(|| reason(&why), |s| s.word().to_owned());
                Found::Unknown(why)
            }
            Ok(found) => found,
            Err(Failure::Unsupported(what)) => Found::Unknown(what.to_owned()),
            Err(failure) => {
                self.forget(watchdog);
                let why =
                    stopped.map_or_else(|| reason(&failure.to_string()), |s| s.word().to_owned());
                Found::Unknown(why)
            }
        }
    }

    /// These formulas as an SMT-LIB script.
    pub(crate) fn script(
        &mut self,
        watchdog: &Watchdog,
        terms: &Terms,
        formulas: &[Term],
        status: &str,
    ) -> Result<String, Failure> {
        let warm = self.warm(watchdog, terms);
        let mut asts = Vec::new();
        for formula in formulas {
            asts.push(warm.lowering.term(terms, *formula)?.0);
        }
        warm.context.script(&asts, status)
    }

    /// Drops the context; the next query makes a new one.
    pub(crate) fn forget(&mut self, watchdog: &Watchdog) {
        watchdog.watch(None);
        self.warm = None;
    }

    fn warm(&mut self, watchdog: &Watchdog, terms: &Terms) -> &mut Warm {
        let worn = |warm: &Warm| warm.store != terms.id() || warm.context.size() >= TREES;
        if self.warm.as_ref().is_some_and(worn) {
            self.forget(watchdog);
        }
        self.warm.get_or_insert_with(|| {
            let context = Context::new();
            watchdog.watch(Some(context.interruptible()));
            self.contexts += 1;
            Warm {
                store: terms.id(),
                lowering: Lowering::new(&context),
                context,
                known: FxHashMap::default(),
                bits: None,
                integers: None,
            }
        })
    }

    fn decide(
        &mut self,
        watchdog: &Watchdog,
        terms: &Terms,
        formulas: &[Term],
    ) -> Result<Found, Failure> {
        let milliseconds = self.milliseconds;
        let warm = self.warm(watchdog, terms);
        let mut known = Vec::with_capacity(formulas.len());
        let mut theories = Theories::default();
        for formula in formulas {
            let formula = warm.learn(terms, *formula)?;
            theories = theories.with(formula.theories);
            known.push(formula);
        }
        if !theories.floats {
            let tuning = Tuning { milliseconds, steps: STEPS };
            let found = warm.first(terms, formulas, &known, theories, tuning)?;
            if !matches!(found, Found::Unknown(_)) || watchdog.is_stopped() {
                return Ok(found);
            }
        }
        if theories.only_bits() && warm.contradict_as_integers(terms, formulas, milliseconds)? {
            return Ok(Found::Unsat(formulas.to_vec()));
        }
        if watchdog.is_stopped() {
            return Ok(Found::Unknown(String::new()));
        }
        let tuning = Tuning { milliseconds, steps: 0 };
        let found = warm.second(terms, formulas, &known, theories, tuning);
        self.second += 1;
        found
    }
}

impl Warm {
    fn learn(&mut self, terms: &Terms, formula: Term) -> Result<Known, Failure> {
        if let Some(known) = self.known.get(&formula) {
            return Ok(known.clone());
        }
        let (ast, theories) = self.lowering.term(terms, formula)?;
        let mut symbols = Vec::new();
        for symbol in terms.symbols_of(formula) {
            symbols.push((symbol, self.lowering.symbol(terms, symbol)?));
        }
        let known = Known { ast, theories, symbols: symbols.into() };
        self.known.insert(formula, known.clone());
        Ok(known)
    }

    fn first(
        &mut self,
        terms: &Terms,
        formulas: &[Term],
        known: &[Known],
        theories: Theories,
        tuning: Tuning,
    ) -> Result<Found, Failure> {
        let place = if theories.integers { &mut self.integers } else { &mut self.bits };
        let room = FORMULAS.max(2 * formulas.len());
        if place.as_ref().is_some_and(|warm| warm.of.len() >= room) {
            *place = None;
        }
        if place.is_none() {
            let solver = Solver::new(&self.context, Kind::Simple, tuning)?;
            *place = Some(Literals { solver, of: FxHashMap::default() });
        }
        let warm = place.as_mut().expect("made above");
        let mut literals = Vec::with_capacity(formulas.len());
        for (formula, known) in formulas.iter().zip(known) {
            let literal = match warm.of.get(formula) {
                Some(literal) => *literal,
                None => {
                    let literal = self.context.unnamed("p", self.context.bool_sort()?)?;
                    warm.solver.assert(self.context.implies(literal, known.ast)?)?;
                    warm.of.insert(*formula, literal);
                    literal
                }
            };
            literals.push(literal);
        }
        Ok(match warm.solver.check(&literals) {
            Outcome::Sat => Found::Sat(model(terms, &warm.solver, known)?),
            Outcome::Unsat => {
                let core = warm.solver.core()?;
                let pairs = formulas.iter().zip(&literals);
                let needed = pairs.filter(|(_, p)| core.contains(p));
                Found::Unsat(needed.map(|(formula, _)| *formula).collect())
            }
            Outcome::Unknown(why) => {
                // Stopped in the middle of its work; what it keeps is not worth finding out.
                *place = None;
                Found::Unknown(why)
            }
        })
    }

    /// Whether formulas about bit-vectors contradict each other also if these are read as integers.
    fn contradict_as_integers(
        &self,
        terms: &Terms,
        formulas: &[Term],
        milliseconds: u32,
    ) -> Result<bool, Failure> {
        let Some((terms, formulas)) = integers::read(terms, formulas) else { return Ok(false) };
        let mut lowering = Lowering::new(&self.context);
        let tuning = Tuning { milliseconds, steps: INTEGER_STEPS };
        let solver = Solver::new(&self.context, Kind::Simple, tuning)?;
        for formula in formulas {
            solver.assert(lowering.term(&terms, formula)?.0)?;
        }
        Ok(matches!(solver.check(&[]), Outcome::Unsat))
    }

    fn second(
        &mut self,
        terms: &Terms,
        formulas: &[Term],
        known: &[Known],
        theories: Theories,
        tuning: Tuning,
    ) -> Result<Found, Failure> {
        let kind = if theories.only_bits() { Kind::Logic("QF_BV") } else { Kind::Default };
        let solver = Solver::new(&self.context, kind, tuning)?;
        for formula in known {
            solver.assert(formula.ast)?;
        }
        Ok(match solver.check(&[]) {
            Outcome::Sat => Found::Sat(model(terms, &solver, known)?),
            Outcome::Unsat => Found::Unsat(formulas.to_vec()),
            Outcome::Unknown(why) => Found::Unknown(why),
        })
    }
}

/// The values of all symbols of the formulas in the model that the solver has just found.
fn model(terms: &Terms, solver: &Solver, known: &[Known]) -> Result<Assignment, Failure> {
    let mut symbols: Vec<(SymbolId, Ast)> =
        known.iter().flat_map(|formula| formula.symbols.iter().copied()).collect();
    symbols.sort_by_key(|(id, _)| *id);
    symbols.dedup_by_key(|(id, _)| *id);
    let asts: Vec<Ast> = symbols.iter().map(|(_, ast)| *ast).collect();
    let mut model = Assignment::new();
    for ((symbol, _), text) in symbols.iter().zip(solver.values(&asts)?) {
        let value = text.and_then(|text| constant(terms.symbol_of(*symbol).sort, &text));
        // One that Z3 gives no number counts as zero; evaluation decides whether that is right.
        if let Some(value) = value {
            model.set(*symbol, value);
        }
    }
    Ok(model)
}

fn constant(sort: Sort, text: &str) -> Option<Constant> {
    Some(match sort {
        Sort::Bool => Constant::Bool(text.parse().ok()?),
        Sort::Int => Constant::Int(text.parse::<BigInt>().ok()?),
        Sort::BitVec(width) => Constant::Bv { width, value: text.parse().ok()? },
    })
}

/// Whether every formula is true under the model, by the meaning of terms and not by Z3's. The
/// youngest formula comes first: it is the one that earlier models do not know.
pub(crate) fn holds(terms: &Terms, model: &Assignment, formulas: &[Term]) -> bool {
    let mut evaluator = Evaluator::new(terms, model);
    formulas.iter().rev().all(|formula| evaluator.holds(*formula) == Some(true))
}

/// One word for Z3's many ways of saying that a limit was reached.
fn reason(why: &str) -> String {
    let lower = why.to_lowercase();
    if lower.contains("memory") {
        Stopped::Memory.word().to_owned()
    } else if lower.contains("timeout") || lower.contains("canceled") {
        Stopped::Time.word().to_owned()
    } else {
        why.to_owned()
    }
}
