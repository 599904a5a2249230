//! Z3's floats against those of `ouro_term`, on random patterns and all kinds of special ones.

use ouro_solver::{Session, SessionLimits, SolverAnswer};
use ouro_term::{Sort, Term, TermOp, TermStore, width_mask};

/// Asserts that `op(args)` has, for Z3, the value that construction folds it to. The arguments reach
/// Z3 as symbols that equal the patterns, so that nothing is folded before.
fn same(session: &mut Session, op: &TermOp, patterns: &[(u32, u128)]) {
    let mut terms = TermStore::new();
    let mut formulas = Vec::new();
    let (mut symbols, mut constants) = (Vec::new(), Vec::new());
    for (i, (width, pattern)) in patterns.iter().enumerate() {
        let symbol =
            terms.intern_symbol(&format!("x{i}"), Sort::BitVec(*width)).expect("a new name");
        let constant = terms.bv(*width, *pattern);
        formulas.push(terms.eq(symbol, constant));
        symbols.push(symbol);
        constants.push(constant);
    }
    let folded = terms.apply_operator(op.clone(), &constants).expect("sorts fit");
    if terms.as_constant(folded).is_none() {
        return; // not specified
    }
    let applied: Term = terms.apply_operator(op.clone(), &symbols).expect("sorts fit");
    let differs = terms.ne(applied, folded);
    formulas.push(differs);
    let answer = session.check_sat(&terms, &formulas);
    assert_eq!(answer, SolverAnswer::Unsat, "{op:?} of {patterns:x?}");
    // And the other way round: the premises themselves do not contradict each other.
    formulas.pop();
    formulas.push(terms.eq(applied, folded));
    let answer = session.check_sat(&terms, &formulas);
    assert!(matches!(answer, SolverAnswer::Sat(_)), "{op:?} of {patterns:x?}: {answer:?}");
}

fn specials(width: u32) -> Vec<u128> {
    let sign = 1u128 << (width - 1);
    let (fraction, exponent) = match width {
        32 => (23, 8),
        64 => (52, 11),
        80 => (63, 15),
        _ => (112, 15),
    };
    // Bits below the exponent; the x87 has its integer bit there.
    let below = if width == 80 { 64 } else { fraction };
    let integer = if width == 80 { 1u128 << 63 } else { 0 };
    let infinity = (((1u128 << exponent) - 1) << below) | integer;
    let bias = (1u128 << (exponent - 1)) - 1;
    let one = (bias << below) | integer;
    let mut all = vec![
        0,
        1,
        (1 << fraction) - 1,
        (1 << below) | integer,
        one,
        one + 1,
        one | (1 << (fraction - 1)),
        ((bias + 1) << below) | integer,
        infinity - integer - 1,
        infinity,
        infinity + 1,
        infinity | (1 << (fraction - 1)),
        ((bias + 31) << below) | integer,
        ((bias + 62) << below) | integer | 3,
    ];
    if width == 80 {
        // Patterns that only the x87 has: no integer bit where there must be one, and the reverse.
        all.extend([(bias << below) | 5, 0x7fff << 64, integer, integer | 7]);
    }
    let negative: Vec<u128> = all.iter().map(|pattern| pattern | sign).collect();
    all.extend(negative);
    all
}

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn pattern(&mut self, width: u32) -> u128 {
        let specials = specials(width);
        match self.next() % 3 {
            0 => (u128::from(self.next()) << 64 | u128::from(self.next())) & width_mask(width),
            1 => {
                // Near a special one: exponents close to each other, where rounding happens.
                let at = usize::try_from(self.next() % specials.len() as u64).expect("small");
                (specials[at] ^ u128::from(self.next() & 0xff)) & width_mask(width)
            }
            _ => {
                let at = usize::try_from(self.next() % specials.len() as u64).expect("small");
                specials[at]
            }
        }
    }
}

fn formats() -> [u32; 4] {
    [32, 64, 80, 128]
}

#[test]
fn arithmetic_and_comparisons() {
    let mut session = Session::new(SessionLimits::default());
    let mut random = Random(0x1234_5678_9abc_def1);
    let ops = [
        TermOp::FpAdd,
        TermOp::FpSub,
        TermOp::FpMul,
        TermOp::FpDiv,
        TermOp::FpEq,
        TermOp::FpLt,
        TermOp::FpLe,
    ];
    for width in formats() {
        for op in &ops {
            for _ in 0..12 {
                let (a, b) = (random.pattern(width), random.pattern(width));
                same(&mut session, op, &[(width, a), (width, b)]);
            }
        }
    }
}

#[test]
fn specials_are_read_alike() {
    let mut session = Session::new(SessionLimits::default());
    // The others are read as 32 bits are.
    for width in [32, 80] {
        for a in specials(width) {
            same(&mut session, &TermOp::FpIsNan, &[(width, a)]);
            let one = ouro_term::float::unsigned_to_float(1, width);
            same(&mut session, &TermOp::FpAdd, &[(width, a), (width, a)]);
            same(&mut session, &TermOp::FpLt, &[(width, a), (width, one)]);
        }
    }
}

#[test]
fn square_roots() {
    let mut session = Session::new(SessionLimits::default());
    let mut random = Random(0xfeed_5678_9abc_def1);
    for _ in 0..12 {
        let a = random.pattern(32);
        same(&mut session, &TermOp::FpSqrt, &[(32, a)]);
    }
    for a in [0, 0x4010_0000_0000_0000, 0x4000_0000_0000_0000, 0xbff0_0000_0000_0000] {
        same(&mut session, &TermOp::FpSqrt, &[(64, a)]);
    }
}

#[test]
fn conversions() {
    let mut session = Session::new(SessionLimits::default());
    let mut random = Random(0xdead_5678_9abc_def1);
    for from in formats() {
        for _ in 0..8 {
            let a = random.pattern(from);
            for to in formats() {
                same(&mut session, &TermOp::FpToFp(to), &[(from, a)]);
            }
            for to in [8, 32, 64] {
                same(&mut session, &TermOp::FpToSbv(to), &[(from, a)]);
                same(&mut session, &TermOp::FpToUbv(to), &[(from, a)]);
            }
            let width = [1, 8, 33, 64][usize::try_from(random.next() % 4).expect("small")];
            let integer = u128::from(random.next()) & width_mask(width);
            same(&mut session, &TermOp::SbvToFp(from), &[(width, integer)]);
            same(&mut session, &TermOp::UbvToFp(from), &[(width, integer)]);
        }
    }
}

#[test]
fn the_edges_of_integers() {
    let mut session = Session::new(SessionLimits::default());
    for (value, to) in [(-129.0f64, 8), (-128.999, 8), (-128.0, 8), (127.5, 8), (128.0, 8)] {
        same(&mut session, &TermOp::FpToSbv(to), &[(64, u128::from(value.to_bits()))]);
    }
    for value in [-1.0f64, -0.999, -0.0, 255.99, 256.0] {
        same(&mut session, &TermOp::FpToUbv(8), &[(64, u128::from(value.to_bits()))]);
    }
    for value in [-9.223_372_036_854_776e18f64, 9.223_372_036_854_775e18, 1.8e19, 1.85e19] {
        let pattern = u128::from(value.to_bits());
        same(&mut session, &TermOp::FpToSbv(64), &[(64, pattern)]);
        same(&mut session, &TermOp::FpToUbv(64), &[(64, pattern)]);
    }
}

/// What does not fit has no value: neither this one nor another may be concluded.
#[test]
fn out_of_range_is_free() {
    let mut session = Session::new(SessionLimits::default());
    let mut terms = TermStore::new();
    let x = terms.intern_symbol("x", Sort::BitVec(64)).expect("a new name");
    let huge = terms.bv(64, u128::from(1e30f64.to_bits()));
    let converted = terms.fp_to_sbv(32, x);
    let is_huge = terms.eq(x, huge);
    for value in [0, 1, 0x8000_0000, 0xffff_ffff] {
        let value = terms.bv(32, value);
        let is = terms.eq(converted, value);
        let answer = session.check_sat(&terms, &[is_huge, is]);
        assert_eq!(answer, SolverAnswer::Unknown("the model does not hold".to_owned()));
    }
}

#[test]
fn fmod_is_not_for_z3() {
    let mut session = Session::new(SessionLimits::default());
    let mut terms = TermStore::new();
    let x = terms.intern_symbol("x", Sort::BitVec(32)).expect("a new name");
    let y = terms.intern_symbol("y", Sort::BitVec(32)).expect("a new name");
    let remainder = terms.fp_mod(x, y);
    let less = terms.fp_lt(remainder, y);
    assert_eq!(session.check_sat(&terms, &[less]), SolverAnswer::Unknown("fmod".to_owned()));
}
