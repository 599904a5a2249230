//! A query that needs too much memory is unknown. Alone in its file, since Z3 has one limit for the
//! whole process.

use std::time::Duration;

use ouro_solver::{Session, SessionLimits, SolverAnswer};
use ouro_term::{Sort, TermStore};

#[test]
fn a_large_query_is_stopped() {
    let mut terms = TermStore::new();
    let mut product = terms.intern_symbol("x0", Sort::BitVec(128)).expect("a new name");
    for i in 1..60 {
        let x = terms.intern_symbol(&format!("x{i}"), Sort::BitVec(128)).expect("a new name");
        let quotient = terms.bv_udiv(product, x);
        product = terms.bv_mul(quotient, x);
    }
    let k = terms.bv(128, 12_345_678_901_234_567_891);
    let hard = terms.eq(product, k);
    let limits = SessionLimits { query: Duration::from_secs(60), memory_mib: 100, deadline: None };
    let mut session = Session::new(limits);
    assert_eq!(session.check_sat(&terms, &[hard]), SolverAnswer::Unknown("memory".to_owned()));
    let a = terms.intern_symbol("a", Sort::BitVec(8)).expect("a new name");
    let b = terms.intern_symbol("b", Sort::BitVec(8)).expect("a new name");
    let sum = terms.bv_add(a, b);
    let wraps = terms.bv_ult(sum, a);
    assert!(matches!(session.check_sat(&terms, &[wraps]), SolverAnswer::Sat(_)));
}
