//! Transition invariants of small systems, made by hand: accepted as they are, and not otherwise.

use std::time::{Duration, Instant};

use ouro_check::check_system_evidence;
use ouro_evidence::{
    Evidence, RankedLocation, SnapshotRelation, SystemRanking, TransitionInvariant,
};
use ouro_model::transition::{TransitionSystem, parse_system};

/// Two numbers that take turns, and in between a third that goes down. Which of the first two gets
/// smaller is decided each time; the other stays.
const SYSTEM: &str = r#"system 1
variable "x" int
variable "y" int
variable "z" int
location l0 "start"
location l1 "outer"
location l2 "inner"
initial l0 "true"
edge e0 l0 -> l1 {
}
edge e1 l1 -> l2 {
  choice "c" int
  guard "(and (<= 1 x) (<= 1 y))"
  set "x" "(+ x (- 1))"
  set "z" "c"
}
edge e2 l1 -> l2 {
  choice "c" int
  guard "(and (<= 1 x) (<= 1 y))"
  set "y" "(+ y (- 1))"
  set "z" "c"
}
edge e3 l2 -> l2 {
  guard "(<= 1 z)"
  set "z" "(+ z (- 1))"
}
edge e4 l2 -> l1 {
}
"#;

fn system() -> TransitionSystem {
    parse_system(SYSTEM).expect("a system")
}

/// One of the two is smaller, neither is larger, and the one that is smaller was not negative.
const BETWEEN: &str = "(or (and (<= (+ x 1) old!x) (<= y old!y) (<= 1 old!x))
    (and (<= x old!x) (<= (+ y 1) old!y) (<= 1 old!y)))";

fn relation(place: u32, formula: &str) -> SnapshotRelation {
    SnapshotRelation { place, formula: formula.to_owned() }
}

fn snapshot(
    place: u32,
    measures: &[&str],
    relations: Vec<SnapshotRelation>,
) -> TransitionInvariant {
    let measures = measures.iter().map(|text| (*text).to_owned()).collect();
    TransitionInvariant { place, measures, relations }
}

/// First that the outer loop turns finitely often, then the inner one.
fn evidence() -> SystemRanking {
    let place = |location, ranking: &[&str]| RankedLocation {
        location,
        invariant: "true".to_owned(),
        ranking: ranking.iter().map(|text| (*text).into()).collect(),
    };
    SystemRanking {
        places: vec![place(1, &[]), place(2, &[])],
        snapshots: vec![
            snapshot(0, &["x", "y"], vec![relation(0, BETWEEN), relation(1, BETWEEN)]),
            snapshot(1, &["z"], vec![relation(1, "(and (< z old!z) (<= 1 old!z))")]),
        ],
    }
}

fn judge(ranking: SystemRanking) -> Result<(), String> {
    let deadline = Instant::now() + Duration::from_secs(60);
    check_system_evidence(&system(), &Evidence::Ranked(ranking), deadline)
        .map_err(|rejection| rejection.to_string())
}

#[test]
fn accepted() {
    assert_eq!(judge(evidence()), Ok(()));
}

/// What a ranking makes smaller is nobody else's business: the inner loop is ranked, and the snapshot
/// is about the steps that leave the ranking as it is.
#[test]
fn accepted_after_a_ranking() {
    let mut mixed = evidence();
    for place in &mut mixed.places {
        place.ranking = vec!["(+ x y)".into()];
    }
    mixed.snapshots.remove(0);
    // On the way back to the outer loop nothing gets smaller, and no cycle of such steps leads there.
    assert_eq!(judge(mixed), Ok(()));
}

fn check_rejected(why: &str, change: impl Fn(&mut SystemRanking)) {
    let mut ranking = evidence();
    change(&mut ranking);
    let rejected = judge(ranking).expect_err("it is wrong");
    assert!(rejected.contains(why), "{rejected}");
}

#[test]
fn rejected() {
    // No reason for one of the loops, or for both.
    check_rejected("smaller", |ranking| ranking.snapshots.clear());
    check_rejected("smaller from l2 to l2", |ranking| {
        ranking.snapshots.pop();
    });
    check_rejected("not preserved", |ranking| {
        ranking.snapshots.remove(0);
    });
    // The inner loop first: there the outer one has not been left yet.
    check_rejected("not preserved", |ranking| ranking.snapshots.reverse());
    // A measure too few, or one that need not get smaller.
    check_rejected("none of the measures", |ranking| {
        ranking.snapshots[0].measures.pop();
    });
    check_rejected("none of the measures", |ranking| {
        ranking.snapshots[1].measures[0] = "x".to_owned();
    });
    // A measure that is too small by two where it counts.
    check_rejected("none of the measures", |ranking| {
        ranking.snapshots[1].measures[0] = "(+ z (- 2))".to_owned();
    });
    // Relations that the first step does not establish.
    check_rejected(
        "from l1 to l2, the relation to the snapshot at l1 is not preserved",
        |ranking| {
            ranking.snapshots[0].relations[1].formula = "false".to_owned();
        },
    );
    check_rejected("not preserved", |ranking| {
        ranking.snapshots[0].relations[1].formula = "(< x old!x)".to_owned();
    });
    // One that holds after one step and not after two: each is smaller by exactly one.
    check_rejected(
        "from l2 to l2, the relation to the snapshot at l2 is not preserved",
        |ranking| {
            ranking.snapshots[1].relations[0].formula =
                "(and (= (+ z 1) old!z) (<= 1 old!z))".to_owned();
        },
    );
    // The one gets smaller or the other stays: that is not preserved by the turn after.
    check_rejected("not preserved", |ranking| {
        for relation in &mut ranking.snapshots[0].relations {
            relation.formula = "(or (< x old!x) (= y old!y))".to_owned();
        }
    });
    // A relation that says too little, one that is missing, and one of another place.
    check_rejected("none of the measures", |ranking| {
        for relation in &mut ranking.snapshots[0].relations {
            relation.formula = "(and (<= x old!x) (<= y old!y))".to_owned();
        }
    });
    check_rejected("not preserved", |ranking| {
        ranking.snapshots[0].relations.pop();
    });
    check_rejected("no place 7", |ranking| ranking.snapshots[0].relations[1].place = 7);
    check_rejected("no place 7", |ranking| ranking.snapshots[0].place = 7);
    // Names and sorts that are none.
    check_rejected("", |ranking| ranking.snapshots[0].measures[0] = "old!x".to_owned());
    check_rejected("not a formula", |ranking| {
        ranking.snapshots[0].relations[0].formula = "old!x".to_owned();
    });
    // A ranking that grows where the snapshots would have to do the rest.
    check_rejected("grows", |ranking| {
        for place in &mut ranking.places {
            place.ranking = vec!["(* (- 1) y)".into()];
        }
    });
}
