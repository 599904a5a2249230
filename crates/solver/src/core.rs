//! The innermost layer: formulas to Z3, and its answer back.
//!
//! Formulas over booleans and bit-vectors go to one long-lived solver that turns them into clauses
//! and keeps what it learns. Each distinct formula `f` gets a literal `p` of its own and `p => f` is
//! asserted once; a query is a set of literals to assume.
//!
//!
//! Everything else (integers, floats) goes to a new solver per query, for which Z3 picks tactics by
//! looking at the formulas; its incremental solver knows none of them.

use std::rc::Rc;
use std::time::Instant;

use num_bigint::BigInt;
use ouro_term::{Assignment, Constant, Evaluator, Sort, SymbolId, Term, Terms};
use rustc_hash::FxHashMap;

use crate::Answer;
use crate::lower::{Lowering, Theories};
use crate::raw::{Ast, Context, Failure, Kind, Outcome, Solver};
use crate::watchdog::{Stopped, Watchdog};

/// After so many formulas in the long-lived solver everything starts anew: each of them is decided
/// in every query, assumed or not, and their memory is never given back.
const MAX_FORMULAS: usize = 1000;
/// After so many trees in the context everything starts anew.
const MAX_TREES: usize = 1_000_000;

/// One Z3 context, warm.
struct Warm {
    store: u64,
    context: Rc<Context>,
    lowering: Lowering,
    bits: Solver,
    known: FxHashMap<Term, Known>,
}

/// A formula that this context has seen.
#[derive(Clone)]
struct Known {
    ast: Ast,
    theories: Theories,
    symbols: Rc<[(SymbolId, Ast)]>,
    /// The literal that stands for it in the long-lived solver.
    literal: Option<Ast>,
}

/// What came out of Z3 for one query.
enum Raw {
    Sat(Assignment),
    Unsat(Vec<Term>),
    Unknown(String),
}

/// Decides conjunctions with Z3.
pub(crate) struct Core {
    warm: Option<Warm>,
    milliseconds: Option<u32>,
    /// How often everything started anew.
    pub(crate) rebuilds: u64,
}

impl Core {
    /// Makes a context when the first query comes.
    pub(crate) fn new(milliseconds: Option<u32>) -> Core {
        Core { warm: None, milliseconds, rebuilds: 0 }
    }

    /// Whether these formulas can hold together. A model has been evaluated before it is returned.
    pub(crate) fn check(
        &mut self,
        watchdog: &Watchdog,
        terms: &Terms,
        formulas: &[Term],
        end: Instant,
    ) -> (Answer, Vec<Term>) {
        let answer = match self.ask(watchdog, terms, formulas, end) {
            Raw::Unsat(core) => return (Answer::Unsat, core),
            Raw::Sat(model) if holds(terms, &model, formulas) => Answer::Sat(model),
            Raw::Sat(_) => Answer::Unknown("the model does not hold".to_owned()),
            Raw::Unknown(why) => Answer::Unknown(why),
        };
        (answer, Vec::new())
    }

    /// These formulas as an SMT-LIB script.
    pub(crate) fn script(
        &mut self,
        watchdog: &Watchdog,
        terms: &Terms,
        formulas: &[Term],
    ) -> Result<String, Failure> {
        let warm = self.warm(watchdog, terms)?;
        let mut asts = Vec::new();
        for formula in formulas {
            asts.push(warm.lowering.term(terms, *formula)?.0);
        }
        warm.context.script(&asts)
    }

    fn ask(
        &mut self,
        watchdog: &Watchdog,
        terms: &Terms,
        formulas: &[Term],
        end: Instant,
    ) -> Raw {
        let milliseconds = self.milliseconds;
        let (result, stopped) = watchdog.guard(end, || {
            let warm = self.warm(watchdog, terms)?;
            warm.decide(terms, formulas, milliseconds)
        });
        let answer = match result {
            Ok(answer) => answer,
            Err(Failure::Unsupported(what)) => return Raw::Unknown(what.to_owned()),
            Err(failure) => Raw::Unknown(failure.to_string()),
        };
        let Raw::Unknown(why) = answer else { return answer };
        // A context that was interrupted or ran out of memory may be in any state.
        self.forget(watchdog);
        Raw::Unknown(match stopped {
            Some(stopped) => stopped.word().to_owned(),
            None => reason(&why),
        })
    }

    fn warm(&mut self, watchdog: &Watchdog, terms: &Terms) -> Result<&mut Warm, Failure> {
        let worn = self.warm.as_ref().is_some_and(|warm| {
            warm.store != terms.id()
                || warm.known.len() >= MAX_FORMULAS
                || warm.context.size() >= MAX_TREES
        });
        if worn {
            self.forget(watchdog);
        }
        if self.warm.is_none() {
            let context = Context::new();
            let bits = Solver::new(&context, Kind::Logic("QF_BV"), self.milliseconds)?;
            watchdog.watch(Some(context.interruptible()));
            self.rebuilds += 1;
            self.warm = Some(Warm {
                store: terms.id(),
                lowering: Lowering::new(&context),
                context,
                bits,
                known: FxHashMap::default(),
            });
        }
        Ok(self.warm.as_mut().expect("made above"))
    }

    /// Drops the context; the next query makes a new one.
    pub(crate) fn forget(&mut self, watchdog: &Watchdog) {
        watchdog.watch(None);
        self.warm = None;
    }
}

impl Warm {
    fn decide(
        &mut self,
        terms: &Terms,
        formulas: &[Term],
        milliseconds: Option<u32>,
    ) -> Result<Raw, Failure> {
        let mut known = Vec::with_capacity(formulas.len());
        let mut theories = Theories::default();
        for formula in formulas {
            let formula = self.learn(terms, *formula)?;
            theories = theories.with(formula.theories);
            known.push(formula);
        }
        if theories.only_bits() {
            let mut literals = Vec::with_capacity(formulas.len());
            for (formula, known) in formulas.iter().zip(&known) {
                literals.push(self.literal(*formula, known)?);
            }
            match self.bits.check(&literals) {
                Outcome::Sat => model(terms, &self.bits, &known),
                Outcome::Unsat => {
                    let core = self.bits.core()?;
                    let needed = formulas.iter().zip(&literals);
                    Ok(Raw::Unsat(
                        needed.filter(|(_, p)| core.contains(p)).map(|(f, _)| *f).collect(),
                    ))
                }
                Outcome::Unknown(why) => Ok(Raw::Unknown(why)),
            }
        } else {
            let solver = Solver::new(&self.context, Kind::Default, milliseconds)?;
            for formula in &known {
                solver.assert(formula.ast)?;
            }
            match solver.check(&[]) {
                Outcome::Sat => model(terms, &solver, &known),
                Outcome::Unsat => Ok(Raw::Unsat(formulas.to_vec())),
                Outcome::Unknown(why) => Ok(Raw::Unknown(why)),
            }
        }
    }

    fn learn(&mut self, terms: &Terms, formula: Term) -> Result<Known, Failure> {
        if let Some(known) = self.known.get(&formula) {
            return Ok(known.clone());
        }
        let (ast, theories) = self.lowering.term(terms, formula)?;
        let mut symbols = Vec::new();
        for symbol in terms.symbols_of(formula) {
            symbols.push((symbol, self.lowering.symbol(terms, symbol)?));
        }
        let known = Known { ast, theories, symbols: symbols.into(), literal: None };
        self.known.insert(formula, known.clone());
        Ok(known)
    }

    fn literal(&mut self, formula: Term, known: &Known) -> Result<Ast, Failure> {
        if let Some(literal) = known.literal {
            return Ok(literal);
        }
        let sort = self.context.bool_sort()?;
        let literal = self.context.unnamed("p", sort)?;
        self.bits.assert(self.context.implies(literal, known.ast)?)?;
        if let Some(known) = self.known.get_mut(&formula) {
            known.literal = Some(literal);
        }
        Ok(literal)
    }
}

/// The values of all symbols of the formulas in the model that the solver has just found.
fn model(terms: &Terms, solver: &Solver, known: &[Known]) -> Result<Raw, Failure> {
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
    Ok(Raw::Sat(model))
}

fn constant(sort: Sort, text: &str) -> Option<Constant> {
    Some(match sort {
        Sort::Bool => Constant::Bool(text.parse().ok()?),
        Sort::Int => Constant::Int(text.parse::<BigInt>().ok()?),
        Sort::BitVec(width) => Constant::Bv { width, value: text.parse().ok()? },
    })
}

/// Whether every formula is true under the model, by the meaning of terms and not by Z3's.
pub(crate) fn holds(terms: &Terms, model: &Assignment, formulas: &[Term]) -> bool {
    let mut evaluator = Evaluator::new(terms, model);
    formulas.iter().all(|formula| evaluator.holds(*formula) == Some(true))
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
