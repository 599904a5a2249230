//! All ways of asking Z3 must agree on what symbolic execution asks. The same code says which way is
//! fastest: `OURO_QUERIES=1000 cargo test --release -p ouro-solver strategies -- --nocapture`. What
//! it said last is written at the top of `core.rs`.

use std::rc::Rc;

use ouro_term::{Assignment, Constant, SymbolId, Term, TermEvaluator, TermStore, width_mask};
use rustc_hash::FxHashMap;

use crate::lower::Z3Lowering;
use crate::raw::{SolverKind, SolverOutcome, SolverTuning, Z3Ast, Z3Context, Z3Solver};
use crate::{Session, SessionLimits, SolverAnswer};

const QUERIES: usize = 1000;

/// The queries of a depth-first exploration: at each branch both sides are asked, then the one that a
/// fixed input takes; at the end of a path the walk goes back to some earlier branch. Expressions are
/// what small C programs make: counters, characters, lengths, now and then a product.
fn exploration_queries(
    terms: &mut TermStore,
    mut random: impl FnMut(usize) -> usize,
) -> Vec<Vec<Term>> {
    let mut input = Assignment::new();
    let mut inputs = Vec::new();
    for i in 0..12 {
        let width = if i < 6 { 8 } else { 32 };
        let symbol = terms.fresh_bv(&format!("in{i}"), width);
        let value = (random(60) as u128) & width_mask(width);
        input.set(terms.symbols_of(symbol)[0], Constant::Bv { width, value });
        let wide = match i {
            0..3 => terms.sign_extend(32, symbol),
            3..6 => terms.zero_extend(32, symbol),
            _ => symbol,
        };
        inputs.push(wide);
    }
    let mut queries = Vec::new();
    let mut path: Vec<Term> = Vec::new();
    let mut values = inputs.clone();
    while queries.len() < QUERIES {
        if path.len() >= 45 {
            path.truncate(5 + random(30));
            values.truncate(12 + random(8));
        }
        let (a, b) = (values[random(values.len())], values[random(values.len())]);
        let small = random(200) as u128;
        let k = terms.bv(32, small);
        let value = match random(16) {
            0..6 => a,
            6..10 => terms.bv_add(a, k),
            10 | 11 => terms.bv_sub(a, b),
            12 => terms.bv_add(a, b),
            13 => {
                let ten = terms.bv(32, 10);
                terms.bv_mul(a, ten)
            }
            14 => terms.bv_and(a, k),
            _ => {
                let low = terms.truncate(8, a);
                terms.sign_extend(32, low)
            }
        };
        if values.len() < 40 {
            values.push(value);
        }
        let bound = if random(4) != 0 { k } else { b };
        let condition = match random(4) {
            0 => terms.eq(value, bound),
            1 => terms.bv_ult(value, bound),
            _ => terms.bv_slt(value, bound),
        };
        let negation = terms.not(condition);
        let known = path.contains(&condition) || path.contains(&negation);
        if terms.as_bool(condition).is_some() || known {
            continue;
        }
        for side in [condition, negation] {
            let mut query = path.clone();
            query.push(side);
            if query.len() > 4 {
                queries.push(query);
            }
        }
        let taken = TermEvaluator::new(terms, &input).evaluate_formula(condition) == Some(true);
        path.push(if taken { condition } else { negation });
    }
    queries
}

/// The processor time of this thread: others may be using the machine.
fn processor_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux");
    let nanoseconds = text.split_whitespace().next().and_then(|n| n.parse::<f64>().ok());
    nanoseconds.expect("a number") / 1e9
}

fn counting_random() -> impl FnMut(usize) -> usize {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    move |bound| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % bound as u64).expect("small")
    }
}

/// The limits that a session sets: Z3's timer is part of the price.
const TUNING: SolverTuning = SolverTuning { milliseconds: 10_000, steps: 0 };

/// One way of asking, with the context it works in.
struct StrategyBench<'a> {
    terms: &'a TermStore,
    context: Rc<Z3Context>,
    lowering: Z3Lowering,
    symbols: Vec<Z3Ast>,
    kind: SolverKind<'a>,
    counts: [u32; 3],
}

impl<'a> StrategyBench<'a> {
    fn new(terms: &'a TermStore, symbols: &[Term], kind: SolverKind<'a>) -> StrategyBench<'a> {
        let context = Z3Context::new();
        let lowering = Z3Lowering::new(&context);
        let mut bench =
            StrategyBench { terms, context, lowering, symbols: Vec::new(), kind, counts: [0; 3] };
        bench.symbols = symbols.iter().map(|symbol| bench.lower_formula(*symbol)).collect();
        bench
    }

    fn lower_formula(&mut self, formula: Term) -> Z3Ast {
        self.lowering.lower_term(self.terms, formula).expect("lowered").0
    }

    fn new_solver(&self) -> Z3Solver {
        Z3Solver::new(&self.context, self.kind, TUNING).expect("a solver")
    }

    fn check_and_count(&mut self, solver: &Z3Solver, assumptions: &[Z3Ast]) {
        match solver.check_assumptions(assumptions) {
            SolverOutcome::Sat => {
                self.counts[0] += 1;
                solver.model_values(&self.symbols).expect("a model");
            }
            SolverOutcome::Unsat => self.counts[1] += 1,
            SolverOutcome::Unknown(_) => self.counts[2] += 1,
        }
    }

    /// A literal for each formula; a new solver when it holds more than `floor` formulas and more
    /// than twice the query.
    fn ask_with_literals(&mut self, queries: &[Vec<Term>], floor: usize) {
        let mut solver = self.new_solver();
        let mut literals: FxHashMap<Term, Z3Ast> = FxHashMap::default();
        let sort = self.context.bool_sort().expect("a sort");
        for query in queries {
            if literals.len() >= floor.max(2 * query.len()) {
                literals.clear();
                solver = self.new_solver();
            }
            let mut assumed = Vec::new();
            for formula in query {
                let ast = self.lower_formula(*formula);
                assumed.push(*literals.entry(*formula).or_insert_with(|| {
                    let literal = self.context.fresh_constant("p", sort).expect("a literal");
                    let implication = self.context.implies(literal, ast).expect("an implication");
                    solver.assert_formula(implication).expect("asserted");
                    literal
                }));
            }
            self.check_and_count(&solver, &assumed);
        }
    }

    /// A scope for each formula; those that begin both the query and the one before are kept.
    fn ask_with_prefix_scopes(&mut self, queries: &[Vec<Term>]) {
        let solver = self.new_solver();
        let mut stack: Vec<Term> = Vec::new();
        for query in queries {
            let shared = stack.iter().zip(query).take_while(|(a, b)| a == b).count();
            for _ in stack.drain(shared..) {
                solver.pop();
            }
            for formula in &query[shared..] {
                let ast = self.lower_formula(*formula);
                solver.push();
                stack.push(*formula);
                solver.assert_formula(ast).expect("asserted");
            }
            self.check_and_count(&solver, &[]);
        }
    }

    /// One scope for each query.
    fn ask_with_scopes(&mut self, queries: &[Vec<Term>]) {
        let solver = self.new_solver();
        for query in queries {
            solver.push();
            for formula in query {
                solver.assert_formula(self.lower_formula(*formula)).expect("asserted");
            }
            self.check_and_count(&solver, &[]);
            solver.pop();
        }
    }

    /// A new solver for each query.
    fn ask_with_fresh_solvers(&mut self, queries: &[Vec<Term>]) {
        for query in queries {
            let solver = self.new_solver();
            for formula in query {
                solver.assert_formula(self.lower_formula(*formula)).expect("asserted");
            }
            self.check_and_count(&solver, &[]);
        }
    }
}

fn report_timing(name: &str, queries: usize, run: impl FnOnce() -> [u32; 3]) -> [u32; 3] {
    let start = processor_seconds();
    let [sat, unsat, unknown] = run();
    let rate = queries as f64 / (processor_seconds() - start);
    println!("{name:40} {rate:8.0} queries/s  {sat} sat, {unsat} unsat, {unknown} unknown");
    [sat, unsat, unknown]
}

#[test]
fn strategies_agree() {
    type AskingStrategy = fn(&mut StrategyBench<'_>, &[Vec<Term>]);
    let ways: [(&str, AskingStrategy); 5] = [
        ("literals", |bench, queries| bench.ask_with_literals(queries, 64)),
        ("literals, never anew", |bench, queries| bench.ask_with_literals(queries, usize::MAX)),
        ("scopes, prefix kept", |bench, queries| bench.ask_with_prefix_scopes(queries)),
        ("scopes", |bench, queries| bench.ask_with_scopes(queries)),
        ("new solver", |bench, queries| bench.ask_with_fresh_solvers(queries)),
    ];
    let mut terms = TermStore::new();
    let mut queries = exploration_queries(&mut terms, counting_random());
    // Few are enough to see a disagreement; a measurement asks for more.
    let asked = std::env::var("OURO_QUERIES").ok().and_then(|n| n.parse().ok()).unwrap_or(40);
    queries.truncate(asked);
    let symbols: Vec<Term> = (0..12).map(|i| terms.symbol_term(SymbolId(i))).collect();
    let session = report_timing("the whole session", queries.len(), || {
        let mut session = Session::new(SessionLimits::default());
        let mut counts = [0; 3];
        for query in &queries {
            let place = match session.check_sat(&terms, query) {
                SolverAnswer::Sat(_) => 0,
                SolverAnswer::Unsat => 1,
                SolverAnswer::Unknown(_) => 2,
            };
            counts[place] += 1;
        }
        println!("{:?}", session.statistics());
        counts
    });
    for kind in [SolverKind::Simple, SolverKind::Logic("QF_BV")] {
        for (name, way) in ways {
            let counts = report_timing(&format!("{name}, {kind:?}"), queries.len(), || {
                let mut bench = StrategyBench::new(&terms, &symbols, kind);
                way(&mut bench, &queries);
                bench.counts
            });
            assert_eq!(counts, session, "{name}, {kind:?}");
        }
    }
}
