//! A query that needs too much memory is unknown. Alone in its file, since Z3 has one limit for the
//! whole process.

use std::time::Duration;

use ouro_solver::{Answer, Limits, Session};
use ouro_term::{Sort, Terms};

#[test]
fn a_large_query_is_stopped() {
    let mut terms = Terms::new();
    let mut product = terms.symbol("x0", Sort::BitVec(128)).expect("a new name");
    for i in 1..60 {
        let x = terms.symbol(&format!("x{i}"), Sort::BitVec(128)).expect("a new name");
        let quotient = terms.bv_udiv(product, x);
        product = terms.bv_mul(quotient, x);
    }
    let k = terms.bv(128, 12_345_678_901_234_567_891);
    let hard = terms.eq(product, k);
    let limits = Limits { query: Duration::from_secs(60), memory_mib: 100, deadline: None };
    let mut session = Session::new(limits);
    assert_eq!(session.check(&terms, &[hard]), Answer::Unknown("memory".to_owned()));
    let a = terms.symbol("a", Sort::BitVec(8)).expect("a new name");
    let b = terms.symbol("b", Sort::BitVec(8)).expect("a new name");
    let sum = terms.bv_add(a, b);
    let wraps = terms.bv_ult(sum, a);
    assert!(matches!(session.check(&terms, &[wraps]), Answer::Sat(_)));
}
