//! What is said of quotients and remainders by a number that is not fixed is true of all of them, and excludes what
//! no remainder is.

use ouro_term::{Assignment, Constant, Sort, TermEvaluator, TermStore};

use super::UnboundedReading;

/// Whether all that is said of a quotient or remainder holds for these numbers.
fn holds(x: i64, y: i64, result: i64, quotient: bool) -> bool {
    let mut terms = TermStore::new();
    let (a, b) = (terms.fresh_symbol("x", Sort::Int), terms.fresh_symbol("y", Sort::Int));
    let mut reading = UnboundedReading::default();
    let number = reading.divided(&mut terms, a, b, quotient);
    assert!(reading.is_vague, "no ranking may rest on it");
    let known = reading.known_facts();
    assert!(!known.is_empty());
    let mut values = Assignment::new();
    for (symbol, value) in [(a, x), (b, y), (number, result)] {
        values.set(terms.symbols_of(symbol)[0], Constant::Int(value.into()));
    }
    let mut evaluator = TermEvaluator::new(&terms, &values);
    known.iter().all(|one| evaluator.evaluate_formula(*one) == Some(true))
}

#[test]
fn what_is_said_of_quotients_and_remainders_is_true() {
    for x in -9..=9_i64 {
        for y in -9..=9_i64 {
            if y == 0 {
                // Whatever is computed then.
                for result in -10..=10 {
                    assert!(holds(x, y, result, true) && holds(x, y, result, false));
                }
                continue;
            }
            assert!(holds(x, y, x / y, true), "{x} / {y}");
            assert!(holds(x, y, x % y, false), "{x} % {y}");
        }
    }
}

#[test]
fn what_cannot_be_is_excluded() {
    assert!(!holds(9, 4, 4, false), "not less than the divisor");
    assert!(!holds(9, -4, 4, false));
    assert!(!holds(2, 4, 3, false), "more than the number");
    assert!(!holds(9, 4, -1, false), "of another sign");
    assert!(!holds(-9, 4, 1, false));
    assert!(!holds(9, 2, 5, true), "more than the half");
    assert!(!holds(9, 1, 10, true), "more than the number");
    assert!(!holds(9, 2, -4, true), "of another sign");
    // A quotient by one is no smaller.
    assert!(holds(9, 1, 9, true) && holds(-9, -1, 9, true));
}
