//! What monitors do, run concretely beside a program: specifications and formulas against what a run
//! does on given inputs, and the messages about specifications that do not fit.

mod examples;
mod ready;
mod watch;

use ouro_model::Monitor;
use watch::{compiled, violates};

fn of_specification(text: &str) -> Vec<Monitor> {
    ouro_property::monitors_of_specification(text, "promise.slic")
        .unwrap_or_else(|error| panic!("{error}"))
}

fn of_formula(text: &str) -> Monitor {
    let property =
        ouro_property::parse_formula(text, "--ltl").unwrap_or_else(|error| panic!("{error}"));
    ouro_property::monitor_of_formula(&property, "--ltl", "the formula").expect("a small formula")
}

/// Asks whether runs on some inputs violate the only obligation of a specification.
fn check(program: &str, specification: &str, runs: &[(&[u64], bool)]) {
    let monitors = of_specification(specification);
    let [monitor] = &monitors[..] else { panic!("{} obligations", monitors.len()) };
    check_monitor(program, monitor, runs);
}

fn check_monitor(program: &str, monitor: &Monitor, runs: &[(&[u64], bool)]) {
    let compiled = compiled(&[("p.c", program)], monitor).unwrap_or_else(|error| panic!("{error}"));
    for (inputs, expected) in runs {
        assert_eq!(violates(&compiled, inputs), *expected, "{program}\non {inputs:?}");
    }
}

/// Asks whether runs on some inputs violate a formula.
fn check_formula(program: &str, formula: &str, runs: &[(&[u64], bool)]) {
    check_monitor(program, &of_formula(formula), runs);
}

/// The message about a specification that does not fit a program.
fn refused(program: &str, specification: &str) -> String {
    let monitors = of_specification(specification);
    compiled(&[("p.c", program)], &monitors[0]).expect_err("it should not fit")
}

const BLOCKED: &str = "block.entry { set(); } unblock.entry { unset(); }";

const BLOCKING: &str = "extern int input(void);
    void block(void) {} void unblock(void) {}
    int main(void) { block(); while (input()) {} if (input()) unblock(); return 0; }";

#[test]
fn a_promise_is_kept_or_broken() {
    check(BLOCKING, BLOCKED, &[(&[0, 1], false), (&[0, 0], true), (&[1], true)]);
    // Only the last promise counts, and only those that are made.
    let again = "extern int input(void); void block(void) {} void unblock(void) {}
        int main(void) { while (1) { if (input()) block(); if (input()) unblock(); } }";
    check(
        again,
        BLOCKED,
        &[(&[0], false), (&[1, 0, 0], true), (&[1, 1, 1], false), (&[1, 0, 0, 1, 0], false)],
    );
}

#[test]
fn calls_through_pointers_and_exit_count() {
    let pointer = "extern int input(void); static void block(void) {} static void unblock(void) {}
        static void (*table[])(void) = { block, unblock };
        int main(void) { table[input()](); table[input()](); return 0; }";
    check(
        pointer,
        BLOCKED,
        &[(&[0, 1], false), (&[0, 0], true), (&[1, 1], false), (&[1, 0], true)],
    );
    let exits = "#include <stdlib.h>\nextern int input(void);
        static void block(void) {} static void unblock(void) {}
        static void leave(void) { if (input()) unblock(); }
        int main(void) { if (input()) atexit(leave); block(); if (input()) exit(3); unblock(); }";
    check(
        exits,
        BLOCKED,
        &[(&[0, 0], false), (&[0, 1], true), (&[1, 1, 1], false), (&[1, 1, 0], true)],
    );
}

#[test]
fn the_end_of_main_has_the_status() {
    let text = "main.exit { if ($return > 1) error(); }\nfairness { any { 1 } any { 0 } }";
    let program = "#include <stdlib.h>\nextern int input(void);
        int main(void) { if (input()) exit(input()); return input(); }";
    check(program, text, &[(&[0, 1], false), (&[0, 2], true), (&[1, 1], false), (&[1, 5], true)]);
}

#[test]
fn functions_without_a_body_and_fairness() {
    // The environment may refuse for a while, not forever.
    let text = "state {}\nfairness { create.exit { 1 } create.exit { $return != COLLISION } }";
    let program = "#define COLLISION 7\nextern int create(int name);
        int main(void) { int n = 0; while (create(n) == COLLISION) n++; while (n > 2) {} return 0; }";
    check(program, text, &[(&[7], false), (&[7, 7, 0], false), (&[7, 7, 7, 0], true)]);
    check(program, "state {}", &[(&[7], true), (&[7, 7, 0], false), (&[7, 7, 7, 0], true)]);
}

#[test]
fn expressions_see_what_the_program_sees() {
    let program = "#define LEVEL(d) ((d)->level)\n#define TOP 3
        struct device { int level; unsigned char busy : 1; };
        static struct device first; static int hidden;
        extern int input(void);
        static void raise(struct device *d, int to) { hidden = d->level; d->level = to; to = 0; }
        static void lower(struct device *d, int to) { d->level = to; }
        int main(void) { raise(&first, input()); lower(&first, input()); return 0; }";
    let text = "state { int old = -1; struct device *which = 0; }
        raise.entry { if ($2 > TOP || $1->busy) error(); if (old == -1) { old = LEVEL($1); which = $1; set(); } }
        raise.exit { if ($2 != LEVEL($1) || hidden != old) error(); }
        lower.entry { if ($1 == which && $2 == old && old > -1) unset(); old = -1; }";
    check(program, text, &[(&[2, 0], false), (&[2, 1], true), (&[4, 0], true)]);
}

#[test]
fn any_sees_every_statement() {
    let program = "extern int input(void); static int x;
        int main(void) { x = input(); x = 0; while (1) { x = input(); x = 1; } }";
    let rule = "any { if (x == 5) error(); }\nfairness { any { 1 } any { 0 } }";
    check(program, rule, &[(&[5, 1], true), (&[4, 5], true), (&[4, 4], false)]);
    // Under fairness on a state: x is 5 again and again only if it is 6 again and again.
    let fair = "state {} fairness { any { x == 5 } any { x == 6 } }";
    check(program, fair, &[(&[5, 1], true), (&[1, 5], false), (&[1, 6], true)]);
}

#[test]
fn obligations_are_asked_one_by_one() {
    let text = "state { int held = 0; }
        lock.exit { held = held + 1; } unlock.entry { held = held - 1; }
        obligation released { lock.exit { set(); } unlock.entry { unset(); } }
        obligation once { lock.entry { if (held) error(); } }";
    let program = "extern int input(void); void lock(void) {} void unlock(void) {}
        int main(void) { lock(); if (input()) lock(); if (input()) unlock(); while (input()) {} return 0; }";
    let monitors = of_specification(text);
    let runs: [(&[u64], [bool; 2]); 4] = [
        (&[0, 1, 0], [false, false]),
        (&[0, 0, 0], [true, false]),
        (&[1, 1, 0], [false, true]),
        (&[0, 1, 1], [false, false]),
    ];
    for (number, monitor) in monitors.iter().enumerate() {
        let runs: Vec<(&[u64], bool)> = runs.iter().map(|run| (run.0, run.1[number])).collect();
        check_monitor(program, monitor, &runs);
    }
}

#[test]
fn formulas_about_runs() {
    let lock = "extern int input(void); int lock; int main(void) {
        while (input()) { lock = 1; while (input()) {} lock = 0; }
        lock = input(); return 0; }";
    let kept = r#"G("lock == 1" -> F "lock == 0")"#;
    // A run that ends is judged as if its last state went on forever.
    check_formula(
        lock,
        kept,
        &[
            (&[0, 0], false),
            (&[0, 1], true),
            (&[1], true),
            (&[1, 0, 0, 0], false),
            (&[1, 0, 0, 1], true),
        ],
    );
    check_formula(lock, r#"G F "lock == 0""#, &[(&[0, 0], false), (&[0, 1], true), (&[1], true)]);
    check_formula(lock, r#"F "lock == 1""#, &[(&[0, 0], true), (&[0, 1], false), (&[1, 1], false)]);
    check_formula(
        lock,
        r#"G ! "lock == 1""#,
        &[(&[0, 0], false), (&[0, 1], true), (&[1, 1], true)],
    );
    check_formula(lock, r#"FG "lock == 0""#, &[(&[0, 0], false), (&[0, 1], true), (&[1], true)]);
    let waits = "extern int input(void); int a, b; int main(void) {
        while (1) { a = input(); b = input(); } }";
    check_formula(waits, r#""a == 0" U "b == 1""#, &[(&[0, 1], false), (&[1], true), (&[0], true)]);
    check_formula(waits, r#"G(F "a == 1" && F "b == 1")"#, &[(&[1], false), (&[0], true)]);
    // Calls are statements, too: nothing stands between these two.
    let pairs = "extern int input(void); int a, b; int main(void) {
        while (1) { int i = input(), j = input(); a = i; b = j; } }";
    check_formula(
        pairs,
        r#"G ("a == 1" -> X "b == 1")"#,
        &[(&[0], false), (&[0, 0, 1, 1, 0], false), (&[1, 0], true)],
    );
}

#[test]
fn changes_through_pointers_and_in_the_library_are_seen() {
    let program = "#include <string.h>\nextern int input(void); int flag, other;
        int main(void) { int *p = input() ? &flag : &other; *p = 1; *p = 0;
            if (input()) { memset(&flag, 1, sizeof flag); memset(&flag, 0, sizeof flag); } return 0; }";
    check_formula(
        program,
        r#"G "flag == 0""#,
        &[(&[0, 0], false), (&[1, 0], true), (&[0, 1], true)],
    );
}

#[test]
fn functions_that_call_themselves_forever_take_steps() {
    let program = "extern int input(void); int deep;
        static void down(void) { deep = input(); down(); }
        int main(void) { down(); return 0; }";
    check_formula(program, r#"F "deep == 1""#, &[(&[0], true), (&[0, 1], false)]);
}

#[test]
fn a_specification_in_its_own_file_of_several() {
    let first = "extern int work(void); int main(void) { return work(); }";
    let second = "extern int input(void); static int depth; static void enter(void) { depth++; }
        static void leave(void) { depth--; }
        int work(void) { enter(); if (input()) leave(); return 0; }";
    let monitors =
        of_specification("enter.exit { if (depth == 1) set(); } leave.exit { unset(); }");
    let program = compiled(&[("a.c", first), ("b.c", second)], &monitors[0]).expect("it fits");
    assert!(violates(&program, &[0]) && !violates(&program, &[1]));
}

#[test]
fn variables_of_the_library_change_in_its_calls() {
    let program = "#include <errno.h>\n#include <stdlib.h>\nextern int input(void);
        int main(void) { strtol(input() ? \"1\" : \"99999999999999999999\", 0, 10);
        errno = 0; while (1) {} }";
    check_formula(program, r#"F "errno == ERANGE""#, &[(&[0], false), (&[1], true)]);
}

#[test]
fn functions_of_sv_comp_return() {
    let program = "extern int __VERIFIER_nondet_int() __attribute__ ((__noreturn__)); int x;
        int main(void) { x = __VERIFIER_nondet_int(); while (1) {} }";
    check_formula(program, r#"FG "x == 1""#, &[(&[1], false), (&[2], true)]);
}

#[test]
fn specifications_that_do_not_fit() {
    let program =
        "typedef struct { int x; } thing; static int mutex_lock(thing *t, int n) { return n; }
        static void mutex_unlock(thing *t) {}
        int main(void) { thing t; mutex_unlock(&t); return mutex_lock(&t, 1); }";
    let cases = [
        (
            "mutex_lok.entry { set(); }",
            "promise.slic:1:1: the program does not declare a function mutex_lok; did you mean mutex_lock?",
        ),
        (
            "mutex_lock.entry {\n  if ($3) set(); }",
            "promise.slic:2:7: $3: mutex_lock has 2 parameters",
        ),
        (
            "mutex_unlock.exit { if ($return) set(); }",
            "promise.slic:1:25: $return: mutex_unlock returns nothing",
        ),
        (
            "mutex_lock.entry {\n  if ($1->y == 0) set(); }",
            "promise.slic:2:11: error: no member named 'y'",
        ),
        (
            "mutex_lock.entry {\n\n  if (nowhere == 0) set(); }",
            "promise.slic:3:7: error: use of undeclared",
        ),
        ("state { thang x = 1; }", "promise.slic:1:9: error: unknown type name 'thang'"),
    ];
    for (text, message) in cases {
        let said = refused(program, text);
        assert!(said.starts_with(message), "{text}\n  said     {said}\n  expected {message}");
    }
    let optional =
        of_specification("optional nowhere.entry { set(); } mutex_lock.entry { set(); }");
    compiled(&[("p.c", program)], &optional[0]).expect("a missing function is fine");
    // Mistakes of the program are its own.
    let said = refused("int main(void) { return nosuch; }", "main.entry { set(); }");
    assert!(said.contains("p.c:1:25: error: use of undeclared identifier"), "{said}");
}

#[test]
fn a_promise_that_is_never_made_is_mentioned() {
    let program =
        "void block(void) {} void unblock(void) {} int main(void) { unblock(); return 0; }";
    let monitors = of_specification(BLOCKED);
    let compiled = compiled(&[("p.c", program)], &monitors[0]).expect("it fits");
    let said = "promise.slic:1: the program never calls block, so the promise of promise is not made there";
    assert!(compiled.assumptions.iter().any(|one| one == said), "{:?}", compiled.assumptions);
}

/// Where one transition of the automaton is better than all others that are possible, the monitor takes it:
/// rules, and what must come again and again, need no guess.
#[test]
fn no_guess_where_one_transition_is_better() {
    let guesses = |formula: &str| of_formula(formula).source.contains("__ouro_guess()");
    for formula in [r#"G "x""#, r#""x" W "y""#, r#"FG "x""#, r#"F "x""#] {
        assert!(!guesses(formula), "{formula}");
    }
    // Which promise is never kept has to be guessed.
    assert!(guesses(r#"G("x" -> F "y")"#));
    let counts = "extern int input(void); int x = 1;
        int main(void) { while (input()) x = input(); return 0; }";
    let always = [(&[0][..], false), (&[1, 0, 0], true), (&[1, 0, 1, 1, 0], false)];
    check_formula(counts, r#"FG "x""#, &always);
    check_formula(counts, r#"G "x < 5""#, &[(&[1, 4, 0], false), (&[1, 5, 1, 1, 0], true)]);
    check_formula(counts, r#""x" W "x > 4""#, &[(&[1, 0, 0], true), (&[1, 5, 1, 0, 0], false)]);
}
