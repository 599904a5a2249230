//! Equal sums of integers are the same term.

use crate::TermStore;

/// Both texts build the same term, which prints as the second.
fn assert_same_term(terms: &mut TermStore, text: &str, simple: &str) {
    let a = terms.parse(text).expect("a term");
    let b = terms.parse(simple).expect("a term");
    assert_eq!(a, b, "{text} is {}", terms.display(a));
    assert_eq!(terms.display(a).to_string(), simple);
}

#[test]
fn sums_and_comparisons_have_one_shape() {
    let mut terms = TermStore::new();
    for name in ["x", "y"] {
        terms.intern_symbol(name, crate::Sort::Int).expect("a symbol");
    }
    terms.intern_symbol("c", crate::Sort::Bool).expect("a symbol");
    for (text, simple) in [
        ("(+ (+ x 1) (- 1))", "x"),
        ("(+ y x)", "(+ x y)"),
        ("(- (+ x y) x)", "y"),
        ("(* 2 (+ x 3))", "(+ (* 2 x) 6)"),
        ("(* y 3 x)", "(* 3 x y)"),
        ("(* 0 x)", "0"),
        ("(<= (+ (* 2 x) 1) 4)", "(<= x 1)"),
        ("(<= (* (- 3) x) 4)", "(<= (- 1) x)"),
        ("(<= (+ x y) (+ y x))", "true"),
        ("(<= (+ x 3) (+ y 5))", "(<= x (+ y 2))"),
        ("(= (* 2 x) 3)", "false"),
        ("(= (+ x 2) (+ y 2))", "(= x y)"),
        ("(= (- 4 (* 2 x)) 0)", "(= x 2)"),
        ("(<= (ite c 1 0) 0)", "(not c)"),
        ("(= (+ (ite c 1 0) 4) 5)", "c"),
        ("(mod (+ (* 6 x) 7) 2)", "1"),
        ("(div (+ (* 6 x) 7) 2)", "(+ (* 3 x) 3)"),
    ] {
        assert_same_term(&mut terms, text, simple);
    }
}

/// A sum that grows by one part at a time is not copied whole each time.
#[test]
fn long_sums_are_built_quickly() {
    let mut terms = TermStore::new();
    let mut sum = terms.int(0);
    for i in 0..20_000 {
        let next = terms.intern_symbol(&format!("x{i}"), crate::Sort::Int).expect("a symbol");
        sum = terms.int_add(sum, next);
    }
    assert_eq!(terms.sort(sum), crate::Sort::Int);
}
