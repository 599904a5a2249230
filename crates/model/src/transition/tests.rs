//! Rules and text of transition systems.

use ouro_term::{Sort, TermStore};

use super::{
    EdgeCompassionPair, TransitionSystem, check_wellformed_system, parse_system, parse_system_into,
    print_system,
};
use crate::ids::{EdgeId, LocationId};
use crate::samples::RandomModelParts;

const SAMPLE: &str = r#"system 1
variable "x" int
variable "a|b \\ \"c\"" bv32
variable "ok" bool
location l0 "start" @0:3:5
location l1 "loop"
initial l0 "(<= 0 x)"
edge e0 l0 -> l1 @0:3:5 @1:4:1 {
  choice "c" int
  unknown "u" bv32
  guard "(<= x c)"
  set "x" "(+ c x)"
  set "a|b \\ \"c\"" "(bvadd u |a\\|b \\\\ \"c\"|)"
}
edge e1 l1 -> l1 {
  set "ok" "(not ok)"
}
edge e2 l1 -> l0 {
}
fair [e0] [e1, e2]
fair [] []
"#;

fn sample_system() -> TransitionSystem {
    let system = parse_system(SAMPLE).unwrap_or_else(|refused| panic!("{refused}"));
    assert_eq!(check_wellformed_system(&system), Ok(()));
    system
}

#[test]
fn systems_come_back() {
    let system = sample_system();
    assert_eq!(print_system(&system), SAMPLE);
    let again = parse_system_into(SAMPLE, system.terms.clone()).unwrap();
    assert_eq!(again.variables, system.variables);
    assert_eq!(again.locations, system.locations);
    assert_eq!(again.edges, system.edges);
    assert_eq!(again.condition, system.condition);
    assert_eq!((again.initial, again.fairness), (system.initial, system.fairness));
}

#[test]
fn built_systems_come_back_too() {
    let mut system = TransitionSystem::new(TermStore::new());
    let x = system.add_variable("x", Sort::BitVec(8)).unwrap();
    assert_eq!(system.add_variable("x", Sort::BitVec(8)), None);
    assert_eq!(system.add_variable("x", Sort::Int), None);
    assert_eq!(system.identity_update(), [x]);
    assert_eq!(check_wellformed_system(&system), Ok(()));
    assert_eq!(print_system(&parse_system(&print_system(&system)).unwrap()), print_system(&system));
}

/// Changes a sample and gives what the checker says first.
fn first_broken_rule(change: impl FnOnce(&mut TransitionSystem)) -> String {
    let mut system = sample_system();
    change(&mut system);
    check_wellformed_system(&system).unwrap_err().remove(0)
}

#[test]
fn each_rule_is_checked() {
    let e0 = EdgeId(0);
    for (found, expected) in [
        (
            first_broken_rule(|s| s.variables[0].name = "z".to_owned()),
            "the variable z has another symbol",
        ),
        (first_broken_rule(|s| s.variables[0].sort = Sort::Bool), "another symbol"),
        (first_broken_rule(|s| s.variables[1] = s.variables[0].clone()), "x comes twice"),
        (first_broken_rule(|s| s.initial = LocationId(2)), "l2 does not exist"),
        (first_broken_rule(|s| s.condition = s.variables[0].symbol), "not a formula over"),
        (first_broken_rule(|s| s.condition = s.edges[e0].guard), "not a formula over"),
        (first_broken_rule(|s| s.edges[e0].from = LocationId(9)), "e0: there is no l9"),
        (first_broken_rule(|s| s.edges[e0].to = LocationId(9)), "e0: there is no l9"),
        (
            first_broken_rule(|s| s.edges[e0].guard = s.variables[0].symbol),
            "e0: the guard is not boolean",
        ),
        (first_broken_rule(|s| s.edges[e0].update.clear()), "e0: 0 terms for 3 variables"),
        (first_broken_rule(|s| s.edges[e0].update.swap(0, 1)), "gets a term of sort"),
        (first_broken_rule(|s| s.edges[e0].choices.clear()), "has an unlisted symbol"),
        (first_broken_rule(|s| s.edges[e0].choices[0] = s.edges[e0].guard), "is not a symbol"),
        (first_broken_rule(|s| s.edges[e0].choices.push(s.variables[0].symbol)), "x comes twice"),
        (
            first_broken_rule(|s| s.edges[e0].unknowns = vec![s.edges[e0].unknowns[0]; 2]),
            "u comes twice",
        ),
        (
            first_broken_rule(|s| {
                s.fairness.push(EdgeCompassionPair { p: vec![EdgeId(3)], q: vec![] });
            }),
            "e3, which does not exist",
        ),
    ] {
        assert!(found.contains(expected), "{found}, not {expected}");
    }
}

#[test]
fn mutilated_text_never_panics() {
    let noise =
        ["", "(", ")", "\"", "\\", "bv0", "bv999", "l9", "[", "}", "->", "int", "x", "|", "é"];
    let mut random = RandomModelParts::new(5);
    for _ in 0..4_000 {
        let mut text: Vec<char> = SAMPLE.chars().collect();
        for _ in 0..=random.number_below(3) {
            let at = random.number_below(text.len() + 1);
            let until = (at + random.number_below(4)).min(text.len());
            let piece: Vec<char> = random.pick(&noise).chars().collect();
            text.splice(at..until, piece);
        }
        let text: String = text.into_iter().collect();
        if let Ok(system) = parse_system(&text) {
            let _ = check_wellformed_system(&system);
            let _ = print_system(&system);
        }
    }
}
