//! A transition system that loops forever.

use std::time::Duration;

use expect_test::{Expect, expect};
use ouro_evidence::{
    Evidence, Explanation, MoveStep, ProgramQuestion, RankedLocation, RankingLevel,
    RecurrentLocation, RecurrentMove, RecurrentSet, SourcePlace, StemStep, SystemRanking,
    TransitionInvariant, UnknownReason, Verdict,
};
use ouro_model::transition::{TransitionSystem, parse_system};

use crate::{ReportSubject, SourceTexts, TextStyle, VerdictReport};

/// What a file of rules would give.
const SYSTEM: &str = r#"system 1
variable "x" int
variable "y" int
location l0 "start" @0:2:29
location l1 "walk" @0:5:14
location l2 "turn" @0:6:20
initial l0 "true"
edge e0 l0 -> l1 @0:5:3 {
  choice "z" int
  guard "(<= 1 z)"
  set "y" "z"
}
edge e1 l1 -> l2 @0:6:3 {
  choice "z!2" int
  guard "(and (<= 0 x) (<= 1 z!2))"
  set "x" "(+ x y)"
  set "y" "z!2"
}
edge e2 l2 -> l1 @0:7:3 {
  choice "x!2" int
  guard "(<= x x!2)"
  set "x" "x!2"
}
"#;

const SOURCE: &str = "\
                      (GOAL TERMINATION)
(STARTTERM (FUNCTIONSYMBOLS start))
(VAR x y z)
(RULES
  start(x, y) -> walk(x, z) :|: z >= 1
  walk(x, y)  -> turn(x + y, z) :|: x >= 0 && z >= 1
  turn(a, y)  -> walk(x, y) :|: x >= a
)
";

fn sample_evidence() -> RecurrentSet {
    let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    let step = |edge, choice: &str| MoveStep { edge, choices: texts(&[choice]) };
    RecurrentSet {
        initial: texts(&["0", "(- 7)"]),
        stem: vec![StemStep { edge: 0, choices: texts(&["3"]) }],
        places: vec![RecurrentLocation {
            location: 1,
            set: "(and (<= 0 x) (not (<= y 0)))".to_owned(),
            moves: vec![RecurrentMove { steps: vec![step(1, "(+ y 1)"), step(2, "(+ x y)")] }],
        }],
    }
}

fn show_report(verdict: &Verdict, show: impl Fn(&VerdictReport<'_>) -> String) -> String {
    let system: TransitionSystem = parse_system(SYSTEM).expect("a system");
    show(&VerdictReport {
        verdict,
        others: &[],
        explanation: &Explanation::default(),
        engine: verdict.evidence().map(|_| "lasso"),
        elapsed: Duration::from_millis(1234),
        about: ReportSubject::System(Some((&system, "walk.koat"))),
        loops: &[],
        sources: &SourceTexts::from([("walk.koat".to_owned(), SOURCE.to_owned())]),
    })
}

fn check_text(verdict: &Verdict, expected: &Expect) {
    expected
        .assert_eq(&show_report(verdict, |report| crate::report_text(report, TextStyle::Plain)));
}

#[test]
fn one_location() {
    check_text(
        &Verdict::from_evidence(
            ProgramQuestion::Termination,
            Evidence::Recurrent(sample_evidence()),
        ),
        &expect![[r#"
            loops forever: some run of the system never ends
             --> walk.koat:6 in walk
              |
            6 |   walk(x, y)  -> turn(x + y, z) :|: x >= 0 && z >= 1
              |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ this loop never ends
            7 |   turn(a, y)  -> walk(x, y) :|: x >= a
              |
              = from walk with x >= 0 and y >= 1 it can always return to such a state

            It starts with:
              x = 0
              y = -7

            It reaches the loop in these steps:
               1. start -> walk with z = 3  (line 5)

            From then on it stays in these states:
              walk: x >= 0 and y >= 1
                then walk -> turn with z = y + 1  (line 6)
                then turn -> walk with x!2 = x + y, with values as in walk  (line 7)

            (found by lasso, certificate checked, 1.23 s)
        "#]],
    );
}

#[test]
fn two_locations() {
    let mut evidence = sample_evidence();
    let first = &mut evidence.places[0].moves[0];
    let second = RecurrentMove { steps: first.steps.split_off(1) };
    evidence.places.push(RecurrentLocation {
        location: 2,
        set: "(and (<= 0 x) (<= 1 y))".to_owned(),
        moves: vec![second.clone(), second],
    });
    evidence.initial.clear();
    evidence.stem.clear();
    check_text(
        &Verdict::from_evidence(ProgramQuestion::Termination, Evidence::Recurrent(evidence)),
        &expect![[r#"
            loops forever: some run of the system never ends
             --> walk.koat:6 in walk
              |
            6 |   walk(x, y)  -> turn(x + y, z) :|: x >= 0 && z >= 1
              |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ this loop never ends
            7 |   turn(a, y)  -> walk(x, y) :|: x >= a
              |
              = it can always continue among 2 locations, within the states below

            From then on it stays in these states:
              walk: x >= 0 and y >= 1
                then walk -> turn with z = y + 1  (line 6)
              turn: x >= 0 and y >= 1
                then turn -> walk with x!2 = x + y  (line 7)
                or turn -> walk with x!2 = x + y  (line 7)

            (found by lasso, certificate checked, 1.23 s)
        "#]],
    );
}

#[test]
fn ranked() {
    let place = |location, invariant: &str, ranking: &[&str]| RankedLocation {
        location,
        invariant: invariant.to_owned(),
        ranking: ranking.iter().map(|text| RankingLevel::from(*text)).collect(),
    };
    let one = place(1, "(<= 0 x)", &["0", "(+ x (* 2 y))", "(+ y x y)"]);
    let two = place(2, "true", &["1", "(+ x (* 2 y))"]);
    let check = |places: &[RankedLocation], expected: &Expect| {
        let ranking = SystemRanking { places: places.to_vec(), snapshots: Vec::new() };
        check_text(
            &Verdict::from_evidence(ProgramQuestion::Termination, Evidence::Ranked(ranking)),
            expected,
        );
    };
    check(
        &[],
        &expect![[r#"
            terminates: every run of the system terminates, whatever the input
              no location is visited twice

            (found by lasso, certificate checked, 1.23 s)
        "#]],
    );
    check(
        std::slice::from_ref(&one),
        &expect![[r#"
            terminates: every run of the system terminates, whatever the input

            From each of these locations to the next, this value decreases and was not negative before:
              walk: x + 2*y
                where x >= 0 always holds

            (found by lasso, certificate checked, 1.23 s)
        "#]],
    );
    check(
        &[one, two, place(0, "false", &[])],
        &expect![[r#"
            terminates: every run of the system terminates, whatever the input

            From each of these locations to the next, this value decreases and was not negative before:
              walk: (0, x + 2*y, x + 2*y) in lexicographic order
                where x >= 0 always holds
              turn: (1, x + 2*y) in lexicographic order
              start: never reached

            (found by lasso, certificate checked, 1.23 s)
        "#]],
    );
    let snapshot = |place| TransitionInvariant {
        place,
        measures: vec!["x".to_owned(), "(+ x y)".to_owned()],
        relations: Vec::new(),
    };
    let places = vec![place(0, "true", &[]), place(1, "true", &[]), place(2, "true", &["y"])];
    let ranking = SystemRanking { places, snapshots: vec![snapshot(1), snapshot(2)] };
    check_text(
        &Verdict::from_evidence(ProgramQuestion::Termination, Evidence::Ranked(ranking)),
        &expect![[r#"
            terminates: every run of the system terminates, whatever the input

            At each of these locations, one of these values decreases and was not negative before:
              start: nothing on its own
              walk: x or x + y between any two visits
              turn: y from each location to the next, or x or x + y between any two visits

            (found by lasso, certificate checked, 1.23 s)
        "#]],
    );
}

#[test]
fn unknown() {
    let place = SourcePlace { file: String::new(), line: 0, function: String::new() };
    let what = "found no recurrent set".to_owned();
    check_text(
        &Verdict::Unknown(UnknownReason::Incomplete { what, place }),
        &expect![[r#"
        unknown: found no recurrent set

        (1.23 s)
    "#]],
    );
}

#[test]
fn for_tools() {
    let text = show_report(
        &Verdict::from_evidence(
            ProgramQuestion::Termination,
            Evidence::Recurrent(sample_evidence()),
        ),
        super::json,
    );
    let object: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let pretty = serde_json::to_string_pretty(&object).expect("JSON");
    expect![[r#"
        {
          "after_overflow": null,
          "assumptions": [],
          "attempts": [],
          "certificate": "checked",
          "command": "check",
          "endless_input": null,
          "engine": "lasso",
          "findings": [],
          "inputs": [
            {
              "function": null,
              "location": null,
              "repeats": false,
              "source": "x",
              "value": "0",
              "width": null
            },
            {
              "function": null,
              "location": null,
              "repeats": false,
              "source": "y",
              "value": "-7",
              "width": null
            }
          ],
          "location": {
            "file": "walk.koat",
            "function": "walk",
            "line": 6
          },
          "loops": [],
          "notes": [],
          "ranking": null,
          "reason": null,
          "recurrent_set": [
            {
              "line": 6,
              "location": "walk",
              "moves": [
                [
                  {
                    "choices": {
                      "z": "y + 1"
                    },
                    "from": "walk",
                    "line": 6,
                    "to": "turn"
                  },
                  {
                    "choices": {
                      "x!2": "x + y"
                    },
                    "from": "turn",
                    "line": 7,
                    "to": "walk"
                  }
                ]
              ],
              "set": "x >= 0 and y >= 1"
            }
          ],
          "schema_version": 2,
          "seconds": 1.234,
          "stem": [
            {
              "choices": {
                "z": "3"
              },
              "from": "start",
              "line": 5,
              "to": "walk"
            }
          ],
          "tool_version": "0",
          "verdict": "loops",
          "violation": null,
          "wraps_too": null
        }"#]]
    .assert_eq(&pretty);
}

/// Nothing that was accepted looks like this, and still nothing panics.
#[test]
fn evidence_of_another_system() {
    let mut other = sample_evidence();
    other.places[0].location = 9;
    other.places[0].set = "(<= 0 other)".to_owned();
    other.places[0].moves[0].steps[0].edge = 9;
    other.stem[0].edge = 9;
    let verdict = Verdict::from_evidence(ProgramQuestion::Termination, Evidence::Recurrent(other));
    assert!(
        show_report(&verdict, |report| crate::report_text(report, TextStyle::Plain))
            .contains("(<= 0 other)")
    );
}
