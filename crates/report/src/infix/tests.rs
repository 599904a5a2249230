//! Terms in, text out.

use std::path::Path;

use num_bigint::BigInt;
use ouro_term::{Assignment, Constant, Sort, Term, TermEvaluator, TermStore};

use super::{SymbolName, infix_text};

/// Integers x, y, z and the boolean p; 32 bits s, t (signed) and u, v (unsigned), 8 bits c.
fn sample_terms() -> TermStore {
    let mut terms = TermStore::new();
    for name in ["x", "y", "z"] {
        terms.intern_symbol(name, Sort::Int).expect("a new symbol");
    }
    terms.intern_symbol("p", Sort::Bool).expect("a new symbol");
    for name in ["s", "t", "u", "v"] {
        terms.intern_symbol(name, Sort::BitVec(32)).expect("a new symbol");
    }
    terms.intern_symbol("c", Sort::BitVec(8)).expect("a new symbol");
    terms
}

fn sample_name(symbol: &str) -> SymbolName {
    SymbolName { text: symbol.to_owned(), unsigned: matches!(symbol, "u" | "v") }
}

fn check_infix(text: &str, expected: &str) {
    let mut terms = sample_terms();
    let term = terms.parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(infix_text(&terms, term, &sample_name), expected, "{text}");
}

#[test]
fn comparisons_of_integers_have_one_shape() {
    check_infix("(<= 1 x)", "x >= 1");
    check_infix("(<= x 1)", "x <= 1");
    check_infix("(not (<= x 1))", "x >= 2");
    check_infix("(< x y)", "x < y");
    check_infix("(> x y)", "x > y");
    check_infix("(<= (+ y 1) x)", "x > y");
    check_infix("(= y (+ z 2))", "y = z + 2");
    check_infix("(not (= y (+ z (- 2))))", "y != z - 2");
    check_infix("(<= 0 (+ (* (- 1) x) 5))", "x <= 5");
    check_infix("(<= 0 (+ x (* (- 1) y) (* 3 z) (- 4)))", "x + 3*z >= y + 4");
    check_infix("(<= (* 2 x) 7)", "x <= 3");
    check_infix("(<= 7 (* 2 x))", "x >= 4");
    check_infix("(= (* 2 x) (* 4 y))", "x = 2*y");
    check_infix("(= (* 2 x) 7)", "false");
    check_infix("(<= x (+ x 1))", "true");
    check_infix("(<= (+ x y) (+ x 3))", "y <= 3");
    check_infix("(<= (- 99999999999999999999999) x)", "x >= -99999999999999999999999");
}

#[test]
fn junctions_are_flat_and_negations_deep() {
    check_infix("(and (<= 1 x) (and (= y (+ z 2)) p))", "x >= 1 and y = z + 2 and p");
    check_infix("(not (or (<= x 0) (not p)))", "x >= 1 and p");
    check_infix("(not (and (<= 1 x) p))", "x <= 0 or not p");
    check_infix("(or (<= 1 x) (and p (<= y 2)))", "x >= 1 or (y <= 2 and p)");
    check_infix("(and p (or (<= 1 x) (<= y 2)))", "p and (x >= 1 or y <= 2)");
    check_infix("(=> p (<= 1 x))", "x >= 1 or not p");
    check_infix("(= p (<= 1 x))", "p iff x >= 1");
    check_infix("(ite p (<= 1 x) (<= 1 y))", "if p then x >= 1 else y >= 1");
    check_infix("true", "true");
}

#[test]
fn halves_are_joined() {
    check_infix("(and (<= x 3) (<= 3 x))", "x = 3");
    check_infix("(and (<= x y) p (<= y x))", "x = y and p");
    check_infix("(or (<= x 2) (<= 4 x))", "x != 3");
    check_infix("(or (< x y) (< y x))", "x != y");
    check_infix("(and (<= 0 x) (<= x 5))", "x >= 0 and x <= 5");
}

#[test]
fn sums_and_products() {
    check_infix("(+ x (* (- 1) y) 3)", "x - y + 3");
    check_infix("(+ (* (- 1) x) 3)", "3 - x");
    check_infix("(* (- 1) x)", "-x");
    check_infix("(+ (* (- 2) x) (- 3))", "-2*x - 3");
    check_infix("(- 7)", "-7");
    check_infix("(+ x y x)", "2*x + y");
    check_infix("(* x y 2)", "2*x*y");
    check_infix("(* x x)", "x*x");
    check_infix("(* 3 (+ x 1))", "3*x + 3");
    check_infix("(* y (+ x 1))", "y*(x + 1)");
    check_infix("(mod (+ x 1) 2)", "(x + 1) mod 2");
    check_infix("(+ (div x 2) 1)", "x div 2 + 1");
    check_infix("(* 2 (div x 2))", "2*(x div 2)");
    check_infix("(+ 1 (ite p x y))", "(if p then x else y) + 1");
    check_infix("(<= 3 (* x y))", "x*y >= 3");
}

#[test]
fn bits_count_as_they_are_declared() {
    check_infix("(bvslt s t)", "s < t");
    check_infix("(bvult u v)", "u < v");
    check_infix("(bvult s #x0000000a)", "unsigned(s) < 10");
    check_infix("(bvslt u #xfffffff6)", "signed(u) < -10");
    check_infix("(bvult u #xfffffff6)", "u < 4294967286");
    check_infix("(not (bvslt s #x00000005))", "s >= 5");
    check_infix("(bvslt #x00000005 s)", "s > 5");
    check_infix("(not (bvule #x00000005 u))", "u < 5");
    check_infix("(= s #xffffffff)", "s = -1");
    check_infix("(= u #xffffffff)", "u = 4294967295");
    check_infix("(not (= u (bvadd v #xffffffff)))", "u != v - 1");
    check_infix("(bvult (bvadd s #x00000001) u)", "unsigned(s + 1) < u");
}

#[test]
fn operations_of_c() {
    check_infix("(bvadd s (bvneg t))", "s - t");
    check_infix("(bvmul s #x00000003)", "3*s");
    check_infix("(= (bvurem u #x00000002) #x00000001)", "u%2 = 1");
    check_infix("(bvsdiv (bvadd s t) #x00000002)", "(s + t)/2");
    check_infix("(= (bvand s t) #x00000001)", "(s & t) = 1");
    check_infix("(bvlshr u #x00000001)", "u >> 1");
    check_infix("(bvslt ((_ sign_extend 24) c) s)", "c < s");
    check_infix("(bvslt ((_ zero_extend 24) c) s)", "unsigned(c) < s");
    check_infix("((_ extract 7 0) s)", "s[7:0]");
    check_infix("(bvnot s)", "~s");
    check_infix("(fp.lt s #x3f800000)", "s < 1.0");
    check_infix("(not (fp.lt s t))", "not (s < t)");
}

#[test]
fn what_nobody_reads_is_smt() {
    let mut terms = sample_terms();
    let p = terms.parse("p").expect("a symbol");
    let q = terms.parse("(<= 1 x)").expect("a formula");
    let mut deep = p;
    for _ in 0..100_000 {
        deep = terms.eq(deep, q);
        deep = terms.and(deep, p);
    }
    assert!(infix_text(&terms, deep, &sample_name).starts_with("(let ((?0 "));
    let mut wide = terms.parse("x").expect("a symbol");
    for _ in 0..40 {
        wide = terms.int_mod(wide, wide);
    }
    assert!(infix_text(&terms, wide, &sample_name).starts_with("(let ((?0 "));
}

/// Numbers that look random and are the same each time.
struct RandomTerms(u64);

impl RandomTerms {
    fn number_below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) % bound
    }

    fn random_integer(&mut self, terms: &mut TermStore, depth: u32) -> Term {
        match self.number_below(if depth == 0 { 2 } else { 5 }) {
            0 => terms.int(i64::try_from(self.number_below(9)).expect("small") - 4),
            1 => {
                let name = ["x", "y", "z"][usize::try_from(self.number_below(3)).expect("small")];
                terms.intern_symbol(name, Sort::Int).expect("an integer")
            }
            2 => {
                let (a, b) =
                    (self.random_integer(terms, depth - 1), self.random_integer(terms, depth - 1));
                terms.int_mul(a, b)
            }
            _ => {
                let (a, b) =
                    (self.random_integer(terms, depth - 1), self.random_integer(terms, depth - 1));
                terms.int_add(a, b)
            }
        }
    }

    fn random_formula(&mut self, terms: &mut TermStore, depth: u32) -> Term {
        let kind = self.number_below(if depth == 0 { 2 } else { 6 });
        if kind < 2 {
            let (a, b) = (self.random_integer(terms, 3), self.random_integer(terms, 2));
            return if kind == 0 { terms.eq(a, b) } else { terms.int_le(a, b) };
        }
        let a = self.random_formula(terms, depth - 1);
        let b = self.random_formula(terms, depth - 1);
        match kind {
            2 => terms.not(a),
            3 => terms.or(a, b),
            _ => terms.and(a, b),
        }
    }
}

/// What is printed is read back as a guard, and must mean the same.
#[test]
fn the_text_means_what_the_term_means() {
    let mut random = RandomTerms(0x5eed);
    for _ in 0..2_000 {
        let mut terms = sample_terms();
        let formula = random.random_formula(&mut terms, 4);
        let text = infix_text(&terms, formula, &sample_name);
        let guard = text.replace(" and ", " && ").replace(" or ", " || ");
        let rules = format!(
            "(STARTTERM (FUNCTIONSYMBOLS f)) (VAR x y z) \
             (RULES f(x, y, z) -> f(x, y, z) :|: {guard})"
        );
        let system = ouro_formats::parse_transition_system(Path::new("f.koat"), &rules)
            .unwrap_or_else(|error| panic!("{error}: {text}"));
        let edge = system.edges.iter().next().expect("an edge");
        for _ in 0..20 {
            let values: Vec<BigInt> =
                (0..3).map(|_| BigInt::from(random.number_below(11)) - 5).collect();
            let holds = |terms: &TermStore, term: Term| {
                let mut state = Assignment::new();
                for (name, value) in ["x", "y", "z"].iter().zip(&values) {
                    let symbol = terms.find_symbol(name).expect("a variable");
                    state.set(symbol, Constant::Int(value.clone()));
                }
                TermEvaluator::new(terms, &state).evaluate_formula(term).expect("a value")
            };
            let (meant, said) = (holds(&terms, formula), holds(&system.terms, edge.guard));
            assert_eq!(meant, said, "{}\n{text}\n{values:?}", terms.display(formula));
        }
    }
}
