//! Text for people.

use expect_test::expect;
use ouro_evidence::{Claim, UnknownReason};

use super::*;
use crate::report_text;

fn text_of(verdict: &Verdict, explanation: &Explanation) -> String {
    with_report(verdict, explanation, |report| report_text(report, TextStyle::Plain))
}

#[test]
fn text_loops() {
    expect![[r#"
        loops forever: some run of main never ends
         --> search.c:3 in search
          |
        3 |   while (lo < hi) {
          |   ^^^^^^^^^^^^^^^^^ this loop never ends
        4 |     unsigned mid = (lo + hi) / 2;
        5 |     if (mid < key)
        6 |       lo = mid;
          |
          = lo = 1, hi = 4294967295 come back unchanged after every iteration
          = provided that the inputs marked 'again' below are the same in every iteration

        With these inputs, in this order:
           1. __VERIFIER_nondet_uint() = 4294967295  (search.c:14)
           2. __VERIFIER_nondet_int() = -10  (search.c:15)
           3. malloc() succeeds  (search.c:16)
           4. uninitialised variable x = -1 (4294967295 if unsigned)  (search.c:17)
           5. sensor() = -2147483648 (2147483648 if unsigned)  (search.c:17)
           6. __VERIFIER_nondet_double() = 1.5  (search.c:18)
           7. getchar() = 97 ('a')  (search.c:19, again and again)
           8. __VERIFIER_nondet_int() = 7  (search.c:20, again and again)

        Assumed:
          - sensor() returns any int and touches nothing else

        (found by explore, certificate checked, 1.23 s)
    "#]]
    .assert_eq(&text_of(&looping_verdict(), &sample_explanation()));
}

#[test]
fn text_recursion_without_input_or_source() {
    let recurrence = StateRecurrence {
        inputs: vec![],
        first_step: 1,
        second_step: 5,
        cycle_inputs: 0,
        place: SourcePlace { file: "gone.c".to_owned(), line: 3, function: "fill".to_owned() },
        recursion: true,
    };
    let verdict =
        Verdict::from_evidence(ProgramQuestion::Termination, Evidence::Recurs(recurrence));
    expect![[r#"
        loops forever: some run of main never ends
         --> gone.c:3 in fill
          |
          = every call leaves the state unchanged, as far as the program can tell
          = in practice the stack overflows

        It needs no input: every run gets here.

        (found by explore, certificate checked, 1.23 s)
    "#]]
    .assert_eq(&text_of(&verdict, &Explanation::default()));
}

#[test]
fn text_terminates() {
    let (verdict, explanation) = terminating_verdict();
    expect![[r#"
        terminates: every run of main terminates, whatever the input
          all 12 paths were run to the end: 11 forks, 4321 steps

        Loops:
          search.c:3 in search  terminates: at most 32 iterations on every path
          search.c:120 in main  terminates: never reached

        Assumed:
          - no division by zero at search.c:4: it happens with __VERIFIER_nondet_int() (line 2) = 0. x86 raises SIGFPE and other processors return a number; at -O2 gcc and clang may assume that it never happens

        (found by explore, certificate checked, 1.23 s)
    "#]].assert_eq(&text_of(&verdict, &explanation));
}

#[test]
fn text_unknown() {
    let text = |reason| text_of(&Verdict::Unknown(reason), &Explanation::default());
    expect![[r#"
        unknown: the time limit of 1.5 s was reached
          help: allow more time, for example --timeout 10m

        (1.23 s)
    "#]]
    .assert_eq(&text(UnknownReason::Time { limit: Duration::from_millis(1500) }));
    expect![[r#"
        unknown: only a signed overflow ends it, which is undefined behaviour
         --> search.c:3 in search
          |
        3 |   while (lo < hi) {
          |   ^^^^^^^^^^^^^^^^^
          |
          = help: use --ints wrap to check what happens if signed integers wrap around, as with gcc -fwrapv

        (1.23 s)
    "#]].assert_eq(&text(UnknownReason::SignedOverflow { place: sample_place(3, "search") }));
    let what = "inline assembly".to_owned();
    expect![[r#"
        unknown: inline assembly is not covered by the model
          --> search.c:99 in search
           |
           = help: check a part of the program that does not use it: --function NAME

        (1.23 s)
    "#]]
    .assert_eq(&text(UnknownReason::Limit { what, place: sample_place(99, "search") }));
    let why = "step 110 is not reached".to_owned();
    expect![[r#"
        unknown: the checker rejected the evidence for 'loops forever', which is a bug in Ouro: step 110 is not reached
          help: please report it, and attach the program

        (1.23 s)
    "#]].assert_eq(&text(UnknownReason::Rejected { claim: Claim::Loops, why }));
}

#[test]
fn colours_are_only_colours() {
    let coloured = with_report(&looping_verdict(), &sample_explanation(), |report| {
        report_text(report, TextStyle::Colour)
    });
    assert!(coloured.contains("\x1b[1;31mloops forever\x1b[0m"));
    let mut plain = String::new();
    let mut rest = coloured.as_str();
    while let Some((before, after)) = rest.split_once("\x1b[") {
        plain += before;
        rest = after.split_once('m').expect("a colour").1;
    }
    assert_eq!(plain + rest, text_of(&looping_verdict(), &sample_explanation()));
}
