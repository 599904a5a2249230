//! The reading of each operation, for all operands of a few bits: what the operation gives is never excluded, and
//! where the reading is exact, everything else is. And whole formulas at random.

use std::ops::Range;

use ouro_term::{Assignment, Constant, Sort, Term, TermEvaluator, TermOp, TermStore};

use super::read;
use crate::{Session, SessionLimits, SolverAnswer};

const WIDTH: u32 = 3;

/// Whether the reading of some formulas excludes all values.
fn is_excluded(session: &mut Session, terms: &TermStore, formulas: &[Term]) -> bool {
    let (read, formulas) = read(terms, formulas).expect("few");
    session.check_sat(&read, &formulas) == SolverAnswer::Unsat
}

/// Checks an operation on all pairs of numbers of few bits.
fn check(is_exact: bool, build: impl Fn(&mut TermStore, Term, Term) -> Term) {
    check_with(0..1 << WIDTH, is_exact, build);
}

/// The same where the second number is one of these.
fn check_with(
    second: Range<u128>,
    is_exact: bool,
    build: impl Fn(&mut TermStore, Term, Term) -> Term,
) {
    let mut session = Session::new(SessionLimits::default());
    for a in 0..1_u128 << WIDTH {
        for b in second.clone() {
            let mut terms = TermStore::new();
            let x = terms.intern_symbol("x", Sort::BitVec(WIDTH)).expect("new");
            let y = terms.intern_symbol("y", Sort::BitVec(WIDTH)).expect("new");
            let term = build(&mut terms, x, y);
            let (one, two) = (terms.bv(WIDTH, a), terms.bv(WIDTH, b));
            let given = [terms.eq(x, one), terms.eq(y, two)];
            let mut values = Assignment::new();
            for (symbol, value) in [(x, a), (y, b)] {
                values.set(terms.symbols_of(symbol)[0], Constant::Bv { width: WIDTH, value });
            }
            let value = TermEvaluator::new(&terms, &values).evaluate_term(term).expect("a value");
            let value = terms.constant(value);
            let equal = terms.eq(term, value);
            assert!(!is_excluded(&mut session, &terms, &[given[0], given[1], equal]), "{a} {b}");
            let other = terms.not(equal);
            if is_exact {
                assert!(is_excluded(&mut session, &terms, &[given[0], given[1], other]), "{a} {b}");
            }
        }
    }
}

#[test]
fn sums_and_comparisons_are_exact() {
    check(true, TermStore::bv_add);
    check(true, TermStore::bv_sub);
    check(true, TermStore::bv_ult);
    check(true, TermStore::bv_ule);
    check(true, TermStore::bv_slt);
    check(true, TermStore::bv_sle);
    check(true, TermStore::eq);
    check(true, TermStore::concat);
    check(true, |terms, x, y| {
        let (x, y) = (terms.bv_not(x), terms.bv_neg(y));
        terms.bv_add(x, y)
    });
    check(true, |terms, x, y| {
        let (x, y) = (terms.sign_extend(5, x), terms.zero_extend(5, y));
        terms.bv_sub(x, y)
    });
    check(true, |terms, x, y| {
        let whole = terms.concat(x, y);
        terms.extract(4, 1, whole)
    });
}

#[test]
fn constants_make_products_quotients_and_shifts_exact() {
    for constant in 0..1_u128 << WIDTH {
        type Build = fn(&mut TermStore, Term, Term) -> Term;
        let all: [(bool, Build); 7] = [
            (true, TermStore::bv_mul),
            (constant != 0, TermStore::bv_udiv),
            (constant != 0, TermStore::bv_urem),
            (constant < u128::from(WIDTH), TermStore::bv_shl),
            (constant < u128::from(WIDTH), TermStore::bv_lshr),
            (constant < u128::from(WIDTH), TermStore::bv_ashr),
            (constant & (constant + 1) == 0, TermStore::bv_and),
        ];
        for (is_exact, build) in all {
            check_with(0..1, is_exact, |terms, x, _| {
                let constant = terms.bv(WIDTH, constant);
                build(terms, x, constant)
            });
        }
    }
}

#[test]
fn what_is_not_exact_excludes_nothing_that_can_be() {
    for op in [
        TermOp::BvMul,
        TermOp::BvUdiv,
        TermOp::BvUrem,
        TermOp::BvSdiv,
        TermOp::BvSrem,
        TermOp::BvAnd,
        TermOp::BvOr,
        TermOp::BvXor,
        TermOp::BvShl,
        TermOp::BvLshr,
        TermOp::BvAshr,
    ] {
        check(false, |terms, x, y| terms.apply_operator(op.clone(), &[x, y]).expect("well-sorted"));
    }
}

/// Formulas of some operations; where the reading excludes them, no values make them true.
#[test]
fn random_formulas_that_are_excluded_have_no_values() {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move |bound: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % bound) as usize
    };
    let ops = [
        TermOp::BvAdd,
        TermOp::BvMul,
        TermOp::BvUdiv,
        TermOp::BvUrem,
        TermOp::BvAnd,
        TermOp::BvXor,
        TermOp::BvLshr,
    ];
    let mut session = Session::new(SessionLimits::default());
    let mut excluded = 0;
    for _ in 0..150 {
        let mut terms = TermStore::new();
        let x = terms.intern_symbol("x", Sort::BitVec(WIDTH)).expect("new");
        let y = terms.intern_symbol("y", Sort::BitVec(WIDTH)).expect("new");
        let mut numbers = vec![x, y, terms.bv(WIDTH, 1), terms.bv(WIDTH, 6)];
        let mut formulas = Vec::new();
        for _ in 0..4 {
            let (a, b) = (numbers[random(numbers.len() as u64)], numbers[random(4)]);
            let op = ops[random(ops.len() as u64)].clone();
            let number = terms.apply_operator(op, &[a, b]).expect("well-sorted");
            numbers.push(number);
            let other = numbers[random(numbers.len() as u64)];
            formulas.push(match random(4) {
                0 => terms.bv_ult(number, other),
                1 => terms.bv_slt(other, number),
                2 => terms.eq(number, other),
                _ => terms.ne(number, other),
            });
        }
        if !is_excluded(&mut session, &terms, &formulas) {
            continue;
        }
        excluded += 1;
        for a in 0..1_u128 << WIDTH {
            for b in 0..1_u128 << WIDTH {
                let mut values = Assignment::new();
                for (symbol, value) in [(x, a), (y, b)] {
                    values.set(terms.symbols_of(symbol)[0], Constant::Bv { width: WIDTH, value });
                }
                let mut evaluator = TermEvaluator::new(&terms, &values);
                assert!(!formulas.iter().all(|one| evaluator.evaluate_formula(*one) == Some(true)));
            }
        }
    }
    assert!(excluded > 20, "{excluded}");
}

/// A sum of 64 bits, as binary search has it: the middle is below the end.
#[test]
fn wide_sums_are_decided() {
    let mut terms = TermStore::new();
    let low = terms.intern_symbol("low", Sort::BitVec(64)).expect("new");
    let high = terms.intern_symbol("high", Sort::BitVec(64)).expect("new");
    let two = terms.bv(64, 2);
    let length = terms.bv_sub(high, low);
    let half = terms.bv_udiv(length, two);
    let middle = terms.bv_add(low, half);
    let is_left = terms.bv_ult(low, high);
    let is_right = terms.bv_ule(high, middle);
    let mut session = Session::new(SessionLimits::default());
    assert!(is_excluded(&mut session, &terms, &[is_left, is_right]));
    assert_eq!(session.check_sat(&terms, &[is_left, is_right]), SolverAnswer::Unsat);
}
