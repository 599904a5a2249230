//! Reports about specifications.

use expect_test::expect;
use ouro_evidence::{ObligationViolation, ProgramRanking};
use ouro_model::Program;

use super::*;
use crate::report_text;

/// What is asked of the program; its code does not matter here.
const PROGRAM: &str = r#"program 1
target 64
file "search.c"
file "lock.slic"
liveness
event "the device is ready" @1:4:1
obligation "unlock before exit" @1:9:3
fair "the device gets ready" always [0] @1:2:1
fair "nobody else locks" [0] [] @1:3:1
entry f0

fn f0 "main" () -> () user { b0: return () }
"#;

fn sample_program() -> Program {
    ouro_model::text::parse_program(PROGRAM).expect("a program")
}

fn show_report<T>(
    program: &Program,
    verdict: &Verdict,
    explanation: &Explanation,
    show: impl Fn(&VerdictReport<'_>) -> T,
) -> T {
    with_report(verdict, explanation, |report| {
        let about = ReportSubject::Program {
            function: "main",
            ints: IntegerSemantics::C,
            program: Some(program),
        };
        let loops = judge_loops(&[sample_place(3, "search")], Some(program), verdict, explanation);
        show(&VerdictReport { about, loops: &loops, ..*report })
    })
}

fn plain_text(report: &VerdictReport<'_>) -> String {
    report_text(report, TextStyle::Plain)
}

fn endless_verdict() -> (Verdict, Explanation) {
    let mut run = sample_recurrence();
    run.inputs = vec![
        sample_input(7, 32, function_source("__VERIFIER_nondet_int"), 14),
        sample_input(1, 1, ChoiceSource::Guess, 15),
        sample_input(0, 1, ChoiceSource::Guess, 16),
    ];
    run.cycle_inputs = 2;
    let fairness = vec!["'ready' is met: every iteration has 'the device is ready'".to_owned()];
    let explanation = Explanation { fairness, assumptions: Vec::new(), ..sample_explanation() };
    (Verdict::from_evidence(ProgramQuestion::Liveness, Evidence::Recurs(run)), explanation)
}

fn broken_verdict() -> Verdict {
    let violation = ObligationViolation {
        inputs: vec![
            sample_input(7, 32, function_source("__VERIFIER_nondet_int"), 14),
            sample_input(1, 1, ChoiceSource::Guess, 15),
        ],
        obligation: 0,
        steps: 40,
        place: sample_place(5, "search"),
    };
    Verdict::from_evidence(ProgramQuestion::Liveness, Evidence::Violation(violation))
}

#[test]
fn a_fair_run_that_never_ends() {
    let (verdict, explanation) = endless_verdict();
    expect![[r#"
        violated: some fair run of main never ends
         --> search.c:3 in search
          |
        3 |   while (lo < hi) {
          |   ^^^^^^^^^^^^^^^^^ this loop never ends
        4 |     unsigned mid = (lo + hi) / 2;
        5 |     if (mid < key)
        6 |       lo = mid;
          |
          = lo = 1, hi = 4294967295 come back unchanged after every iteration
          = the promise made at search.c:15 in main is never kept
          = fairness does not exclude it: 'ready' is met: every iteration has 'the device is ready'

        With these inputs, in this order:
           1. __VERIFIER_nondet_int() = 7  (search.c:14)

        (found by explore, certificate checked, 1.23 s)
    "#]]
    .assert_eq(&show_report(&sample_program(), &verdict, &explanation, plain_text));
}

#[test]
fn an_obligation_that_is_broken() {
    let explanation = Explanation::default();
    expect![[r#"
        violated: some run of main breaks unlock before exit
         --> search.c:5 in search
          |
        5 |     if (mid < key)
          |     ^^^^^^^^^^^^^^ it is broken here
          |
          = the promise made at search.c:15 in main is never kept
          = required by the specification at lock.slic:9

        With these inputs, in this order:
           1. __VERIFIER_nondet_int() = 7  (search.c:14)

        (found by explore, certificate checked, 1.23 s)
    "#]]
    .assert_eq(&show_report(&sample_program(), &broken_verdict(), &explanation, plain_text));
}

/// At the end of a run no code of the user's is left to point at: its last line is shown.
#[test]
fn a_promise_that_is_pending_at_the_end() {
    let explanation =
        Explanation { last: Some(sample_place(10, "search")), ..Explanation::default() };
    let shown = show_report(&sample_program(), &broken_verdict(), &explanation, plain_text);
    let expected = " --> search.c:10 in search\n";
    assert!(shown.contains(expected) && shown.contains("the run ends after this"), "{shown}");
}

#[test]
fn a_specification_that_holds() {
    let ranking = Evidence::RankedProgram(ProgramRanking::default());
    let verdict = Verdict::from_evidence(ProgramQuestion::Liveness, ranking);
    let explanation = Explanation::default();
    expect![[r#"
        holds: no run of main violates the specification
          some runs may be infinite, but none of them is fair

        (found by explore, certificate checked, 1.23 s)
    "#]]
    .assert_eq(&show_report(&sample_program(), &verdict, &explanation, plain_text));
}

#[test]
fn violations_for_tools() {
    let field = |text: String, name: &str| {
        let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        value[name].to_string()
    };
    let (verdict, explanation) = endless_verdict();
    let run = show_report(&sample_program(), &verdict, &explanation, json);
    assert_eq!(field(run.clone(), "verdict"), r#""violated""#);
    expect![[r#"{"asked":null,"fairness":["'ready' is met: every iteration has 'the device is ready'"],"obligation":null,"others":[],"promised":{"file":"search.c","function":"main","line":15}}"#]].assert_eq(&field(run.clone(), "violation"));
    // What the specification guesses is no input.
    expect![[r#"[{"function":"__VERIFIER_nondet_int","location":{"file":"search.c","function":"main","line":14},"repeats":false,"source":"__VERIFIER_nondet_int","value":"7","width":32}]"#]].assert_eq(&field(run.clone(), "inputs"));
    assert_eq!(field(run, "loops"), "[]");
    let broken = show_report(&sample_program(), &broken_verdict(), &Explanation::default(), json);
    expect![[r#"{"asked":{"file":"lock.slic","function":"","line":9},"fairness":[],"obligation":"unlock before exit","others":[],"promised":{"file":"search.c","function":"main","line":15}}"#]].assert_eq(&field(broken.clone(), "violation"));
    expect![[r#"{"file":"search.c","function":"search","line":5}"#]]
        .assert_eq(&field(broken, "location"));
}
