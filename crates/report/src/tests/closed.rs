//! Runs of a program that stay in a set of states.

use expect_test::expect;
use ouro_evidence::{ClosedSet, ClosedSetHead, HoleCell, StateHole};

use super::*;
use crate::report_text;

fn sample_hole(symbol: &str, name: &str, unsigned: bool) -> StateHole {
    StateHole {
        symbol: symbol.to_owned(),
        sort: "(_ BitVec 32)".to_owned(),
        name: name.to_owned(),
        unsigned,
        cell: HoleCell::Variable { call: 0, variable: 0 },
    }
}

fn sample_head(line: u32, holes: Vec<StateHole>, set: &str, choices: &[&str]) -> ClosedSetHead {
    ClosedSetHead {
        place: sample_place(line, "search"),
        function: "search".to_owned(),
        position: 7,
        holes,
        shape: String::new(),
        set: set.to_owned(),
        choices: choices.iter().map(|choice| (*choice).to_owned()).collect(),
    }
}

fn closed_set_verdict(heads: Vec<ClosedSetHead>) -> Verdict {
    let inputs = vec![sample_input(5, 32, function_source("__VERIFIER_nondet_uint"), 14)];
    Verdict::from_evidence(
        ProgramQuestion::Termination,
        Evidence::Closed(ClosedSet {
            inputs,
            step: 10,
            frames: 2,
            recursion: false,
            links: Vec::new(),
            heads,
        }),
    )
}

#[test]
fn a_set_of_states_in_the_users_names() {
    let holes = vec![sample_hole("lo", "lo", true), sample_hole("x", "x", false)];
    let set = "(and (bvult lo #x0000000a) (bvsle #x00000000 x))";
    let verdict = closed_set_verdict(vec![sample_head(3, holes, set, &["(bvadd x #x00000001)"])]);
    let shown = with_report(&verdict, &sample_explanation(), |report| {
        report_text(report, TextStyle::Plain)
    });
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
          = the run never leaves these states: lo < 10 and x >= 0

        With these inputs, in this order:
           1. __VERIFIER_nondet_uint() = 5  (search.c:14)

        From then on, in every iteration, with the values at the loop head:
          - after search.c:3 in search the next inputs are x + 1

        Assumed:
          - sensor() returns any int and touches nothing else

        (found by explore, certificate checked, 1.23 s)
    "#]]
    .assert_eq(&shown);
    let line = with_report(&verdict, &sample_explanation(), json);
    let value: serde_json::Value = serde_json::from_str(&line).expect("JSON");
    expect![[r#"
        [
          {
            "choices": [
              "x + 1"
            ],
            "location": {
              "file": "search.c",
              "function": "search",
              "line": 3
            },
            "set": "lo < 10 and x >= 0",
            "variables": [
              "lo",
              "x"
            ]
          }
        ]"#]]
    .assert_eq(&serde_json::to_string_pretty(&value["recurrent_set"]).expect("JSON"));
}

#[test]
fn several_heads() {
    let outer = sample_head(3, vec![sample_hole("n", "n", false)], "true", &[]);
    let holes = vec![sample_hole("n!1", "n", false), sample_hole("n@f!1", "n", false)];
    let inner = sample_head(5, holes, "(bvsle |n@f!1| n!1)", &[]);
    let verdict = closed_set_verdict(vec![outer, inner]);
    let shown = with_report(&verdict, &sample_explanation(), |report| {
        report_text(report, TextStyle::Plain)
    });
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
          = the run never leaves these states:
          = search.c:3 in search: whatever n may be
          = search.c:5 in search: n@f <= n

        With these inputs, in this order:
           1. __VERIFIER_nondet_uint() = 5  (search.c:14)

        Assumed:
          - sensor() returns any int and touches nothing else

        (found by explore, certificate checked, 1.23 s)
    "#]]
    .assert_eq(&shown);
}
