//! Budgets stop queries, and a stopped query is unknown, never unsat.

use std::thread;
use std::time::{Duration, Instant};

use ouro_solver::{Session, SessionLimits, SolverAnswer};
use ouro_term::{Assignment, Sort, Term, TermStore};

/// Two factors of 64 bits for a product of two large primes, which no solver finds in a minute. They are
/// far from a power of two: next to one, Z3 at times does find them.
fn factoring(terms: &mut TermStore) -> Vec<Term> {
    let p = terms.intern_symbol("p", Sort::BitVec(64)).expect("a new name");
    let q = terms.intern_symbol("q", Sort::BitVec(64)).expect("a new name");
    let (wide_p, wide_q) = (terms.zero_extend(128, p), terms.zero_extend(128, q));
    let product = terms.bv_mul(wide_p, wide_q);
    let number = terms.bv(128, 13_407_807_929_942_597_137 * 11_923_518_846_234_791_347);
    let one = terms.bv(64, 1);
    vec![terms.eq(product, number), terms.bv_ult(one, p), terms.bv_ult(one, q)]
}

fn easy(terms: &mut TermStore) -> Vec<Term> {
    let a = terms.intern_symbol("a", Sort::BitVec(8)).expect("a new name");
    let b = terms.intern_symbol("b", Sort::BitVec(8)).expect("a new name");
    let sum = terms.bv_add(a, b);
    vec![terms.bv_ult(sum, a), terms.bv_ult(a, b)]
}

#[test]
fn a_hard_query_ends_in_time() {
    let mut terms = TermStore::new();
    let hard = factoring(&mut terms);
    let easy = easy(&mut terms);
    let limits = SessionLimits { query: Duration::from_millis(700), ..SessionLimits::default() };
    let mut session = Session::new(limits);
    assert_eq!(session.check_sat(&terms, &hard), SolverAnswer::Unknown("time".to_owned()));
    // The session is as good as before.
    assert!(matches!(session.check_sat(&terms, &easy), SolverAnswer::Sat(_)));
    assert_eq!(session.statistics().unknown, 1);
}

#[test]
fn the_deadline_counts_for_all() {
    let mut terms = TermStore::new();
    let hard = factoring(&mut terms);
    let easy = easy(&mut terms);
    let deadline = Some(Instant::now() + Duration::from_millis(400));
    let mut session = Session::new(SessionLimits { deadline, ..SessionLimits::default() });
    assert_eq!(session.check_sat(&terms, &hard), SolverAnswer::Unknown("time".to_owned()));
    assert_eq!(session.check_sat(&terms, &easy), SolverAnswer::Unknown("time".to_owned()));
}

#[test]
fn another_thread_interrupts() {
    let mut terms = TermStore::new();
    let hard = factoring(&mut terms);
    let easy = easy(&mut terms);
    let limits = SessionLimits { query: Duration::from_secs(120), ..SessionLimits::default() };
    let mut session = Session::new(limits);
    let handle = session.interrupt_handle();
    let other = thread::spawn(move || {
        thread::sleep(Duration::from_millis(300));
        handle.interrupt();
    });
    assert_eq!(session.check_sat(&terms, &hard), SolverAnswer::Unknown("interrupted".to_owned()));
    other.join().expect("the other thread ends");
    // It stays in force until it is cleared.
    assert_eq!(session.check_sat(&terms, &easy), SolverAnswer::Unknown("interrupted".to_owned()));
    session.interrupt_handle().clear();
    assert!(matches!(session.check_sat(&terms, &easy), SolverAnswer::Sat(_)));
}

#[test]
fn a_handle_goes_to_any_thread() {
    fn goes_anywhere<T: Send + Sync + Clone>(_: &T) {}
    goes_anywhere(&Session::new(SessionLimits::default()).interrupt_handle());
}

#[test]
fn a_handle_may_outlive_its_session() {
    let handle = Session::new(SessionLimits::default()).interrupt_handle();
    handle.interrupt();
    assert!(handle.is_set());
}

#[test]
fn many_sessions_at_once() {
    let workers: Vec<_> = (0..4)
        .map(|_| {
            thread::spawn(|| {
                let mut terms = TermStore::new();
                let formulas = easy(&mut terms);
                let mut session = Session::new(SessionLimits::default());
                matches!(session.check_sat(&terms, &formulas), SolverAnswer::Sat(_))
            })
        })
        .collect();
    for worker in workers {
        assert!(worker.join().expect("no panic"));
    }
}

#[test]
fn the_library_is_the_expected_one() {
    let session = Session::new(SessionLimits::default());
    assert!(session.version().contains("5.3."), "{}", session.version());
}

#[test]
fn the_trivial_needs_no_solver() {
    let mut terms = TermStore::new();
    let x = terms.intern_symbol("x", Sort::BitVec(8)).expect("a new name");
    let n = terms.intern_symbol("n", Sort::Int).expect("a new name");
    let (five, six) = (terms.bv(8, 5), terms.bv(8, 6));
    let (yes, no) = (terms.bool(true), terms.bool(false));
    let is_five = terms.eq(x, five);
    let is_not_five = terms.not(is_five);
    let below_six = terms.bv_ult(x, six);
    let above_four = terms.bv_ule(five, x);
    let ten = terms.int(10);
    let large = terms.int_le(ten, n);
    let mut session = Session::new(SessionLimits::default());
    assert_eq!(session.check_sat(&terms, &[]), SolverAnswer::Sat(Assignment::new()));
    assert_eq!(session.check_sat(&terms, &[yes]), SolverAnswer::Sat(Assignment::new()));
    assert_eq!(session.check_sat(&terms, &[is_five, no]), SolverAnswer::Unsat);
    assert_eq!(session.check_sat(&terms, &[is_five, is_not_five]), SolverAnswer::Unsat);
    assert_eq!(
        session.check_sat(&terms, &[below_six, above_four, is_not_five]),
        SolverAnswer::Unsat
    );
    assert!(matches!(session.check_sat(&terms, &[below_six, large]), SolverAnswer::Sat(_)));
    assert_eq!(session.statistics().asked, 0);
}

#[test]
fn a_core_names_the_culprits() {
    let mut terms = TermStore::new();
    let names = ["a", "b", "c", "d"];
    let symbols: Vec<Term> = names
        .iter()
        .map(|name| terms.intern_symbol(name, Sort::BitVec(16)).expect("a new name"))
        .collect();
    let ab = terms.bv_ult(symbols[0], symbols[1]);
    let bc = terms.bv_ult(symbols[1], symbols[2]);
    let ca = terms.bv_ult(symbols[2], symbols[0]);
    let da = terms.bv_ult(symbols[3], symbols[0]);
    let both = terms.and(bc, da);
    let mut session = Session::new(SessionLimits::default());
    assert_eq!(session.unsat_core(&terms, &[da, ab, both, ca]), Ok(vec![ab, both, ca]));
    assert!(matches!(session.unsat_core(&terms, &[da, ab]), Err(SolverAnswer::Sat(_))));
    // A contradiction that is known by now is recognised among other formulas.
    let asked = session.statistics().asked;
    assert_eq!(session.check_sat(&terms, &[ab, bc, ca]), SolverAnswer::Unsat);
    assert_eq!(session.statistics().asked, asked);
}
