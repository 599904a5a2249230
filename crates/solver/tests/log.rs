//! Logged queries are files that Z3 itself reads and answers in the same way.

use std::ffi::{CStr, CString};
use std::fs;

use ouro_solver::{Session, SessionLimits, SolverAnswer};
use ouro_term::{Sort, TermStore};
use z3_sys::{Z3_del_context, Z3_eval_smtlib2_string, Z3_mk_config, Z3_mk_context};

/// What Z3 prints for a script.
fn replay(script: &str) -> String {
    let script = CString::new(script).expect("no zeros");
    // SAFETY: the context lives until the text was copied; the script outlives the call.
    unsafe {
        let context = Z3_mk_context(Z3_mk_config().expect("a configuration")).expect("a context");
        let text = CStr::from_ptr(Z3_eval_smtlib2_string(context, script.as_ptr()));
        let text = text.to_string_lossy().trim().to_owned();
        Z3_del_context(context);
        text
    }
}

#[test]
fn each_query_can_be_replayed() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("queries");
    let mut session = Session::new(SessionLimits::default()).with_log(&path).expect("a log");
    let mut terms = TermStore::new();
    let x = terms.intern_symbol("x", Sort::BitVec(32)).expect("a new name");
    let y = terms.intern_symbol("main::y|odd name", Sort::BitVec(32)).expect("a new name");
    let n = terms.intern_symbol("n", Sort::Int).expect("a new name");
    let sum = terms.bv_add(x, y);
    let product = terms.bv_mul(x, x);
    let three = terms.bv(32, 3);
    let wraps = terms.bv_ult(sum, x);
    let square = terms.eq(product, three);
    let doubled = terms.fp_add(x, x);
    let grows = terms.fp_lt(x, doubled);
    let natural = terms.bv_to_nat(y);
    let below = terms.int_le(n, natural);
    let zero = terms.bv(32, 0);
    let is_zero = terms.eq(x, zero);
    let is_not_zero = terms.not(is_zero);
    let never = terms.bool(false);
    let queries = [
        vec![wraps],
        vec![square],
        vec![grows],
        vec![below, wraps],
        vec![is_zero, grows],
        vec![is_zero, is_not_zero],
        vec![never],
        vec![],
    ];
    let mut answers = Vec::new();
    for query in &queries {
        answers.push(match session.check_sat(&terms, query) {
            SolverAnswer::Sat(_) => "sat",
            SolverAnswer::Unsat => "unsat",
            SolverAnswer::Unknown(why) => panic!("{why}"),
        });
    }
    let mut files: Vec<_> = fs::read_dir(&path)
        .expect("the log")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    assert_eq!(files.len(), queries.len());
    for (file, answer) in files.iter().zip(answers) {
        let text = fs::read_to_string(file).expect("a text");
        assert!(text.starts_with(&format!("; answer: {answer}\n; milliseconds: ")), "{text}");
        assert!(text.contains("(set-logic ALL)"), "{text}");
        assert_eq!(replay(&text), answer, "{text}");
    }
}
