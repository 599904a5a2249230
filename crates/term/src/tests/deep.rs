//! Depth costs memory, not stack; sharing costs nothing.

use rustc_hash::FxHashMap;

use crate::{Assignment, Constant, Sort, Term, TermEvaluator, TermStore};

const DEPTH: usize = 100_000;

/// `((x * y ^ x) * y ^ x) …`, `DEPTH` operators deep.
fn build_deep_terms(terms: &mut TermStore) -> (Term, Term, Term) {
    let x = terms.intern_symbol("x", Sort::BitVec(32)).unwrap();
    let y = terms.intern_symbol("y", Sort::BitVec(32)).unwrap();
    let mut term = x;
    for _ in 0..DEPTH / 2 {
        let product = terms.bv_mul(term, y);
        term = terms.bv_xor(product, x);
    }
    (term, x, y)
}

#[test]
fn deep_terms_are_handled_without_recursion() {
    let mut terms = TermStore::new();
    let (term, x, y) = build_deep_terms(&mut terms);
    let text = terms.display(term).to_string();
    assert_eq!(terms.parse(&text), Ok(term));
    assert_eq!(terms.symbols_of(term).len(), 2);
    let one = terms.bv(32, 1);
    let map: FxHashMap<Term, Term> = [(x, y), (y, one)].into_iter().collect();
    let replaced = terms.substitute(term, &map);
    assert_eq!(terms.symbols_of(replaced).len(), 1);
    let mut assignment = Assignment::new();
    assignment.set(terms.find_symbol("y").unwrap(), Constant::Bv { width: 32, value: 1 });
    assignment.set(terms.find_symbol("x").unwrap(), Constant::Bv { width: 32, value: 5 });
    let value = TermEvaluator::new(&terms, &assignment).evaluate_term(term);
    assert_eq!(value, Some(Constant::Bv { width: 32, value: 5 }));
    let low = terms.extract(7, 0, term);
    let value = TermEvaluator::new(&terms, &assignment).evaluate_term(low);
    assert_eq!(value, Some(Constant::Bv { width: 8, value: 5 }));
}

#[test]
fn deep_text_is_parsed_without_recursion() {
    let mut terms = TermStore::new();
    let x = terms.intern_symbol("x", Sort::BitVec(8)).unwrap();
    let text = format!("{}x{}", "(bvnot ".repeat(DEPTH), ")".repeat(DEPTH));
    assert_eq!(terms.parse(&text), Ok(x));
    let text = format!("{}x{}", "(let ((x (bvnot x))) ".repeat(DEPTH), ")".repeat(DEPTH));
    assert_eq!(terms.parse(&text), Ok(x));
    assert!(terms.parse(&"(".repeat(DEPTH)).is_err());
    assert!(terms.parse(&"(let ((x ".repeat(DEPTH)).is_err());
}

/// Each level uses the one below twice: as a tree it would have 2^200 leaves.
#[test]
fn shared_terms_are_sliced_and_printed_in_linear_time() {
    let mut terms = TermStore::new();
    let small = terms.intern_symbol("x", Sort::BitVec(8)).unwrap();
    let mut term = terms.sign_extend(32, small);
    for _ in 0..200 {
        let square = terms.bv_mul(term, term);
        term = terms.bv_xor(square, term);
    }
    terms.extract(7, 0, term);
    assert!(terms.len() < 2_000);
    assert!(terms.display(term).to_string().len() < 20_000);
}

#[test]
fn a_growing_condition_stays_small() {
    let mut terms = TermStore::new();
    let x = terms.intern_symbol("x", Sort::Int).unwrap();
    let mut condition = terms.bool(true);
    let mut last = condition;
    for bound in 0..20_000 {
        let bound = terms.int(bound);
        last = terms.int_le(x, bound);
        condition = terms.and(condition, last);
    }
    assert_eq!(terms.and(condition, last), condition);
    let contrary = terms.not(last);
    let clash = terms.and(condition, contrary);
    assert_eq!(terms.as_bool(clash), Some(false));
    let text = terms.display(condition).to_string();
    assert_eq!(terms.parse(&text), Ok(condition));
}
