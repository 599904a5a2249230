//! What of a recurrent set is needed, and what is not.

use ouro_evidence::{MoveStep, RecurrentLocation, RecurrentMove, RecurrentSet};
use ouro_model::transition::{TransitionSystem, parse_system};
use ouro_solver::SessionLimits;
use ouro_transform::prune_recurrent_set;

/// Two loops. The first can always turn; the second can where `y` is not negative, and lead back where
/// it is not.
const SYSTEM: &str = r#"system 1
variable "x" int
variable "y" int
location l0 "start"
location l1 "first"
location l2 "second"
initial l0 "true"
edge e0 l0 -> l1 {
}
edge e1 l1 -> l1 {
  set "x" "(+ x 1)"
}
edge e2 l1 -> l2 {
}
edge e3 l2 -> l2 {
  guard "(<= 0 y)"
}
edge e4 l2 -> l1 {
  guard "(< y 0)"
}
"#;

fn system() -> TransitionSystem {
    parse_system(SYSTEM).expect("a system")
}

/// A place with these edges as its moves.
fn place(location: u32, edges: &[u32]) -> RecurrentLocation {
    let one =
        |edge: &u32| RecurrentMove { steps: vec![MoveStep { edge: *edge, choices: Vec::new() }] };
    RecurrentLocation {
        location,
        set: "(or (<= 0 y) (< y 0))".to_owned(),
        moves: edges.iter().map(one).collect(),
    }
}

fn set(places: &[RecurrentLocation]) -> RecurrentSet {
    RecurrentSet { initial: Vec::new(), stem: Vec::new(), places: places.to_vec() }
}

fn check(places: &[RecurrentLocation], expected: &[RecurrentLocation]) {
    let found = prune_recurrent_set(&system(), &set(places), SessionLimits::default());
    assert_eq!(found, Some(set(expected)));
}

#[test]
fn a_move_that_always_works_is_enough() {
    check(&[place(1, &[1, 2]), place(2, &[3, 4])], &[place(1, &[1])]);
}

#[test]
fn places_that_moves_lead_to_stay() {
    let both = [place(1, &[2, 1]), place(2, &[3, 4])];
    check(&both, &[place(1, &[2]), place(2, &[3, 4])]);
}

#[test]
fn a_move_that_only_sometimes_works_is_not_enough() {
    let first = place(2, &[4, 3]);
    check(&[first.clone(), place(1, &[1])], &[first, place(1, &[1])]);
}

#[test]
fn a_set_of_another_system_is_none() {
    assert_eq!(
        prune_recurrent_set(&system(), &set(&[place(1, &[7])]), SessionLimits::default()),
        None
    );
    assert_eq!(
        prune_recurrent_set(&system(), &set(&[place(1, &[2])]), SessionLimits::default()),
        None
    );
}
