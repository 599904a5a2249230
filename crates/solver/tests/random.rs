//! Random formulas over few bits, decided here by trying every assignment, by the session with Z3.

use std::time::{Duration, Instant};

use ouro_solver::second::SecondOpinion;
use ouro_solver::{Session, SessionLimits, SolverAnswer};
use ouro_term::{Assignment, Constant, Sort, SymbolId, Term, TermEvaluator, TermOp, TermStore};

/// xorshift: the same numbers on every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound as u64).expect("a small number")
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }
}

/// Grows a pool of terms by applying random operators to random members.
fn grow(random: &mut Random, terms: &mut TermStore, pool: &mut Vec<Term>, steps: usize) {
    for _ in 0..steps {
        let op = match random.below(36) {
            0 => TermOp::Not,
            1 => TermOp::And,
            2 => TermOp::Or,
            3 | 4 => TermOp::Eq,
            5 | 6 => TermOp::Ite,
            7 => TermOp::BvNot,
            8 => TermOp::BvNeg,
            9 | 10 => TermOp::BvAdd,
            11 | 12 => TermOp::BvMul,
            13 => TermOp::BvUdiv,
            14 => TermOp::BvUrem,
            15 => TermOp::BvSdiv,
            16 => TermOp::BvSrem,
            17 => TermOp::BvAnd,
            18 => TermOp::BvOr,
            19 => TermOp::BvXor,
            20 => TermOp::BvShl,
            21 => TermOp::BvLshr,
            22 => TermOp::BvAshr,
            23 => TermOp::BvUlt,
            24 => TermOp::BvUle,
            25 => TermOp::BvSlt,
            26 => TermOp::BvSle,
            27 => TermOp::Concat,
            28 | 29 => {
                let low = random.below(4) as u32;
                TermOp::Extract { high: low + random.below(3) as u32, low }
            }
            30 | 31 => TermOp::ZeroExtend(1 + random.below(6) as u32),
            32 => TermOp::SignExtend(1 + random.below(6) as u32),
            33 => {
                let width = 1 + random.below(4) as u32;
                let value = u128::from(random.next()) & ouro_term::width_mask(width);
                TermOp::Bv { width, value }
            }
            34 => TermOp::BvToNat,
            _ => TermOp::IntToBv(1 + random.below(4) as u32),
        };
        let arity = match op {
            TermOp::Bv { .. } => 0,
            TermOp::Not | TermOp::BvNot | TermOp::BvNeg | TermOp::Extract { .. } => 1,
            TermOp::ZeroExtend(_)
            | TermOp::SignExtend(_)
            | TermOp::BvToNat
            | TermOp::IntToBv(_) => 1,
            TermOp::And | TermOp::Or => 2 + random.below(2),
            TermOp::Ite => 3,
            _ => 2,
        };
        let args: Vec<Term> = (0..arity).map(|_| random.pick(pool)).collect();
        if let Ok(term) = terms.apply_operator(op, &args) {
            pool.push(term);
        }
    }
}

/// Integers without division by zero: sums, products and comparisons of small numbers.
fn grow_integers(random: &mut Random, terms: &mut TermStore, pool: &mut Vec<Term>, steps: usize) {
    for _ in 0..steps {
        let integers: Vec<Term> =
            pool.iter().copied().filter(|t| terms.sort(*t) == Sort::Int).collect();
        if integers.is_empty() {
            return;
        }
        let (a, b) = (random.pick(&integers), random.pick(&integers));
        let divisor = terms.int(if random.below(2) == 0 { 3 } else { -2 });
        let made = match random.below(6) {
            0 => terms.int_add(a, b),
            1 => terms.int_mul(a, divisor),
            2 => terms.int_div(a, divisor),
            3 => terms.int_mod(a, divisor),
            4 => terms.int_le(a, b),
            _ => terms.eq(a, b),
        };
        pool.push(made);
    }
}

/// Every assignment of these symbols.
fn assignments(terms: &TermStore, symbols: &[SymbolId]) -> Vec<Assignment> {
    let mut all = vec![Assignment::new()];
    for symbol in symbols {
        let values: Vec<Constant> = match terms.symbol_declaration(*symbol).sort {
            Sort::Bool => vec![Constant::Bool(false), Constant::Bool(true)],
            Sort::BitVec(width) => {
                (0..1 << width).map(|value| Constant::Bv { width, value }).collect()
            }
            Sort::Int => panic!("integers cannot be tried out"),
        };
        let mut next = Vec::new();
        for assignment in &all {
            for value in &values {
                let mut with = assignment.clone();
                with.set(*symbol, value.clone());
                next.push(with);
            }
        }
        all = next;
    }
    all
}

fn compare(seed: u64, rounds: usize, integers: bool) {
    let mut random = Random(0x9e37_79b9_7f4a_7c15 ^ seed);
    let mut session = Session::new(SessionLimits::default());
    let (mut sat, mut unsat) = (0, 0);
    for round in 0..rounds {
        let mut terms = TermStore::new();
        let mut pool = Vec::new();
        for i in 0..2 + random.below(2) {
            let width = 1 + random.below(4) as u32;
            pool.push(
                terms.intern_symbol(&format!("x{i}"), Sort::BitVec(width)).expect("a new name"),
            );
        }
        pool.push(terms.intern_symbol("flag", Sort::Bool).expect("a new name"));
        let symbols: Vec<SymbolId> = (0..terms.symbol_count() as u32).map(SymbolId).collect();
        let steps = 20 + random.below(60);
        grow(&mut random, &mut terms, &mut pool, steps);
        if integers {
            grow_integers(&mut random, &mut terms, &mut pool, 20);
            grow(&mut random, &mut terms, &mut pool, 20);
        }
        let booleans: Vec<Term> =
            pool.iter().copied().filter(|t| terms.sort(*t) == Sort::Bool).collect();
        let all = assignments(&terms, &symbols);
        // Several queries on one store, so that the session meets formulas again.
        for _ in 0..6 {
            let formulas: Vec<Term> = (0..1 + random.below(5))
                .map(|_| {
                    let formula = random.pick(&booleans);
                    if random.below(3) == 0 { terms.not(formula) } else { formula }
                })
                .collect();
            let truth = all.iter().any(|assignment| {
                let mut evaluator = TermEvaluator::new(&terms, assignment);
                formulas.iter().all(|f| evaluator.evaluate_formula(*f) == Some(true))
            });
            match session.check_sat(&terms, &formulas) {
                SolverAnswer::Sat(model) => {
                    sat += 1;
                    assert!(truth, "seed {seed}, round {round}: sat, but nothing satisfies it");
                    let mut evaluator = TermEvaluator::new(&terms, &model);
                    assert!(formulas.iter().all(|f| evaluator.evaluate_formula(*f) == Some(true)));
                }
                SolverAnswer::Unsat => {
                    unsat += 1;
                    assert!(!truth, "seed {seed}, round {round}: unsat, but it can hold");
                }
                SolverAnswer::Unknown(why) => panic!("seed {seed}, round {round}: {why}"),
            }
        }
    }
    assert!(sat > rounds && unsat > rounds, "one-sided: {sat} sat, {unsat} unsat");
}

#[test]
fn bit_vectors_agree_with_trying_everything() {
    compare(1, 150, false);
}

#[test]
fn integers_agree_with_trying_everything() {
    compare(2, 60, true);
}

/// Comparisons of one symbol with constants are decided without Z3, and rightly so.
#[test]
fn comparisons_with_constants_agree_with_trying_everything() {
    let mut random = Random(0xabcd_ef01_2345_6789);
    let mut session = Session::new(SessionLimits::default());
    for _ in 0..400 {
        let mut terms = TermStore::new();
        let x = terms.intern_symbol("x", Sort::BitVec(3)).expect("a new name");
        let all = assignments(&terms, &[SymbolId(0)]);
        let mut formulas = Vec::new();
        for _ in 0..1 + random.below(6) {
            let value = random.below(8) as u128;
            let k = terms.bv(3, value);
            let (a, b) = if random.below(2) == 0 { (x, k) } else { (k, x) };
            let op = random.pick(&[
                TermOp::Eq,
                TermOp::BvUlt,
                TermOp::BvUle,
                TermOp::BvSlt,
                TermOp::BvSle,
            ]);
            let formula = terms.apply_operator(op, &[a, b]).expect("sorts fit");
            formulas.push(if random.below(2) == 0 { terms.not(formula) } else { formula });
        }
        let truth = all.iter().any(|assignment| {
            let mut evaluator = TermEvaluator::new(&terms, assignment);
            formulas.iter().all(|f| evaluator.evaluate_formula(*f) == Some(true))
        });
        assert_eq!(matches!(session.check_sat(&terms, &formulas), SolverAnswer::Sat(_)), truth);
    }
    assert_eq!(session.statistics().asked, 0);
}

/// Two sessions that are asked the same give the same models.
#[test]
fn answers_are_the_same_on_every_run() {
    let run = || {
        let mut terms = TermStore::new();
        let symbols: Vec<Term> = (0..6)
            .map(|i| terms.intern_symbol(&format!("x{i}"), Sort::BitVec(16)).expect("a new name"))
            .collect();
        let mut session = Session::new(SessionLimits::default());
        let (mut path, mut answers) = (Vec::new(), Vec::new());
        for i in 0..40 {
            let product = terms.bv_mul(symbols[i % 6], symbols[(i * 5 + 1) % 6]);
            let sum = terms.bv_add(product, symbols[(i + 2) % 6]);
            path.push(terms.bv_slt(sum, symbols[(i + 3) % 6]));
            answers.push(session.check_sat(&terms, &path));
        }
        answers
    };
    assert_eq!(run(), run());
}

/// Too hard for the first stage, easy for the second.
#[test]
fn the_second_stage_takes_over() {
    let mut terms = TermStore::new();
    let [x, y, z] =
        ["x", "y", "z"].map(|name| terms.intern_symbol(name, Sort::BitVec(7)).expect("a new name"));
    let sum = terms.bv_add(x, y);
    // x + y is (x ^ y) + 2 (x & y), which no rewriting sees through once it is multiplied.
    let (without_carry, carry) = (terms.bv_xor(x, y), terms.bv_and(x, y));
    let one = terms.bv(7, 1);
    let shifted = terms.bv_shl(carry, one);
    let again = terms.bv_add(without_carry, shifted);
    let (left, right) = (terms.bv_mul(sum, z), terms.bv_mul(again, z));
    let differ = terms.ne(left, right);
    let limits = SessionLimits { query: Duration::from_secs(120), ..SessionLimits::default() };
    let mut session = Session::new(limits);
    assert_eq!(session.check_sat(&terms, &[differ]), SolverAnswer::Unsat);
    assert_eq!(session.statistics().second_stage, 1);
}

/// The same random formulas as text for cvc5, which says the same of them.
#[test]
fn another_solver_agrees() {
    const ARGUMENTS: &[&str] = &["--lang=smt2", "--tlimit-per=2000"];
    let deadline = Instant::now() + Duration::from_secs(600);
    let Ok(opinion) = SecondOpinion::start("cvc5", ARGUMENTS, deadline) else {
        eprintln!("skipped: there is no cvc5 (scripts/setup.sh --tests installs it)");
        return;
    };
    compare(3, 20, false);
    let opinion = opinion.finish();
    assert_eq!(opinion.disagreement, None);
    assert_eq!(opinion.complaint, None);
    assert!(opinion.confirmed * 10 > opinion.answers * 9, "{opinion:?}");
}
