//! Rankings of a small system, made by hand: accepted as they are, and not otherwise. Where snapshots
//! take the place of rankings, `snapshots` has more.

use std::time::{Duration, Instant};

use ouro_check::check_system_evidence;
use ouro_evidence::{Evidence, RankedLocation, RankingLevel, SystemRanking};
use ouro_model::ids::EdgeId;
use ouro_model::transition::{EdgeCompassionPair, TransitionSystem, parse_system};

/// An outer loop down from `n`, and in each turn an inner one that goes to zero from either side.
const SYSTEM: &str = r#"system 1
variable "n" int
variable "x" int
location l0 "start"
location l1 "outer"
location l2 "inner"
initial l0 "(<= n 10)"
edge e0 l0 -> l1 {
}
edge e1 l1 -> l2 {
  choice "z" int
  guard "(<= 1 n)"
  set "n" "(+ n (- 1))"
  set "x" "z"
}
edge e2 l2 -> l2 {
  guard "(<= 1 x)"
  set "x" "(+ x (- 1))"
}
edge e3 l2 -> l2 {
  guard "(<= x (- 1))"
  set "x" "(+ x 1)"
}
edge e4 l2 -> l1 {
  guard "(= x 0)"
}
"#;

fn system() -> TransitionSystem {
    parse_system(SYSTEM).expect("a system")
}

fn place(location: u32, invariant: &str, ranking: &[&str]) -> RankedLocation {
    let ranking = ranking.iter().map(|text| RankingLevel::from(*text)).collect();
    RankedLocation { location, invariant: invariant.to_owned(), ranking }
}

/// The distance from zero is a function for each side.
fn evidence() -> SystemRanking {
    SystemRanking {
        places: vec![
            place(1, "(<= n 10)", &["n", "0", "0"]),
            place(2, "(<= n 9)", &["n", "1", "(ite (<= 0 x) x (* (- 1) x))"]),
        ],
        snapshots: Vec::new(),
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

/// The paths through the outer loop are looked at from the inner one.
#[test]
fn accepted_in_one_place() {
    let mut one = evidence();
    one.places.remove(0);
    one.places[0].invariant = "true".to_owned();
    assert_eq!(judge(one), Ok(()));
}

fn check_rejected(why: &str, change: impl Fn(&mut SystemRanking)) {
    let mut ranking = evidence();
    change(&mut ranking);
    let rejected = judge(ranking).expect_err("it is wrong");
    assert!(rejected.contains(why), "{rejected}");
}

#[test]
fn rejected() {
    // Places that are missing, doubled, or of another system.
    check_rejected("cycle", |ranking| ranking.places.clear());
    check_rejected("cycle", |ranking| {
        ranking.places.remove(1);
    });
    check_rejected("twice", |ranking| ranking.places[1].location = 1);
    check_rejected("no l7", |ranking| ranking.places[1].location = 7);
    // Invariants that do not hold at first, or not in the next turn.
    check_rejected("not preserved", |ranking| ranking.places[0].invariant = "(<= n 9)".to_owned());
    check_rejected("not preserved", |ranking| ranking.places[1].invariant = "(<= 0 x)".to_owned());
    check_rejected("not preserved", |ranking| ranking.places[1].invariant = "false".to_owned());
    // Elements that are too few, in another order, of another kind.
    check_rejected("length", |ranking| {
        ranking.places[0].ranking.pop();
    });
    check_rejected("smaller", |ranking| {
        for place in &mut ranking.places {
            place.ranking.reverse();
        }
    });
    check_rejected("not Int", |ranking| ranking.places[1].ranking[1] = "(_ bv1 8)".into());
    // A function for one side only, and one that is too small by one where it counts.
    check_rejected("smaller", |ranking| ranking.places[1].ranking[2] = "x".into());
    check_rejected("smaller", |ranking| {
        ranking.places[1].ranking[2] = "(ite (<= 0 x) (+ x (- 2)) (* (- 1) x))".into();
    });
    // The outer loop may not stand still.
    check_rejected("smaller", |ranking| ranking.places[0].ranking[0] = "(+ n 1)".into());
    // Nobody says what this is.
    check_rejected("", |ranking| ranking.places[0].ranking[0] = "m".into());
}

/// An inner loop that goes on as long as it likes, unless fairness makes it stop.
#[test]
fn levels_of_pairs() {
    let mut fair = system();
    let unchanged = fair.identity_update();
    let always = fair.terms.bool(true);
    fair.edges[EdgeId(2)].update = unchanged.clone();
    fair.edges[EdgeId(3)].update = unchanged;
    fair.edges[EdgeId(4)].guard = always;
    let pair = |p: &[u32], q: &[u32]| EdgeCompassionPair {
        p: p.iter().copied().map(EdgeId).collect(),
        q: q.iter().copied().map(EdgeId).collect(),
    };
    let levels = |levels: Vec<RankingLevel>| {
        let mut evidence = evidence();
        for place in &mut evidence.places {
            place.ranking[2..].clone_from_slice(&levels[..1]);
            place.ranking.extend_from_slice(&levels[1..]);
        }
        Evidence::Ranked(evidence)
    };
    let of = |pair, when: Option<&str>| RankingLevel::Pair { pair, when: when.map(str::to_owned) };
    let judge = |pairs: &[EdgeCompassionPair], evidence: &Evidence| {
        let fair = TransitionSystem { fairness: pairs.to_vec(), ..fair.clone() };
        check_system_evidence(&fair, evidence, Instant::now() + Duration::from_secs(60)).is_ok()
    };
    let one = levels(vec![of(0, None)]);
    assert!(judge(&[pair(&[2, 3], &[4])], &one));
    assert!(judge(&[pair(&[2, 3], &[])], &one));
    // The p of e3 is not there, the q of it is, or there is no such pair.
    assert!(!judge(&[pair(&[2], &[4])], &one));
    assert!(!judge(&[pair(&[2, 3], &[3])], &one));
    assert!(!judge(&[], &one));
    // Two pairs, one for each of the two loops; neither may have the q of the other's loop.
    let two = levels(vec![of(0, None), of(1, None)]);
    assert!(judge(&[pair(&[2], &[4]), pair(&[3], &[4])], &two));
    assert!(judge(&[pair(&[2], &[4]), pair(&[3], &[2])], &two));
    assert!(!judge(&[pair(&[2], &[3]), pair(&[3], &[4])], &two));
    assert!(!judge(&[pair(&[2], &[3]), pair(&[3], &[2])], &two));
    // Unless it is known in which states they are taken. Then nothing leads from one to the other.
    let (up, down) = ("(<= 1 x)", "(<= x (- 1))");
    let apart = levels(vec![of(0, Some(up)), of(1, Some(down))]);
    assert!(judge(&[pair(&[2], &[3]), pair(&[3], &[2])], &apart));
    assert!(!judge(&[pair(&[2], &[2]), pair(&[3], &[2])], &apart));
    let wrong = levels(vec![of(0, Some(down)), of(1, Some(up))]);
    assert!(!judge(&[pair(&[2], &[3]), pair(&[3], &[2])], &wrong));
    // A pair before the function that the outer loop needs grows when that is left.
    let mut early = evidence();
    for place in &mut early.places {
        place.ranking.insert(0, of(0, None));
    }
    assert!(!judge(&[pair(&[2, 3], &[4])], &Evidence::Ranked(early)));
}
