//! Runs of a program that stay in a set of states.

use expect_test::expect;
use ouro_evidence::{ClosedSet, Head, Hole, HoleCell};

use super::*;
use crate::text;

fn hole(symbol: &str, name: &str, unsigned: bool) -> Hole {
    Hole {
        symbol: symbol.to_owned(),
        sort: "(_ BitVec 32)".to_owned(),
        name: name.to_owned(),
        unsigned,
        cell: HoleCell::Variable { call: 0, variable: 0 },
    }
}

fn head(line: u32, holes: Vec<Hole>, set: &str, choices: &[&str]) -> Head {
    Head {
        place: place(line, "search"),
        function: "search".to_owned(),
        position: 7,
        holes,
        shape: String::new(),
        set: set.to_owned(),
        choices: choices.iter().map(|choice| (*choice).to_owned()).collect(),
    }
}

fn closed(heads: Vec<Head>) -> Verdict {
    let inputs = vec![input(5, 32, function("__VERIFIER_nondet_uint"), 14)];
    Verdict::of(
        Question::Termination,
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
    let holes = vec![hole("lo", "lo", true), hole("x", "x", false)];
    let set = "(and (bvult lo #x0000000a) (bvsle #x00000000 x))";
    let verdict = closed(vec![head(3, holes, set, &["(bvadd x #x00000001)"])]);
    let shown = with_report(&verdict, &explanation(), |report| text(report, Style::Plain));
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

        From then on, in every turn, with values as they are at the head:
          - after search.c:3 in search the next inputs are x + 1

        Assumed:
          - sensor() returns any int and touches nothing else

        (found by explore, certificate checked, 1.23 s)
    "#]]
    .assert_eq(&shown);
    let line = with_report(&verdict, &explanation(), json);
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
    let outer = head(3, vec![hole("n", "n", false)], "true", &[]);
    let holes = vec![hole("n!1", "n", false), hole("n@f!1", "n", false)];
    let inner = head(5, holes, "(bvsle |n@f!1| n!1)", &[]);
    let verdict = closed(vec![outer, inner]);
    let shown = with_report(&verdict, &explanation(), |report| text(report, Style::Plain));
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
