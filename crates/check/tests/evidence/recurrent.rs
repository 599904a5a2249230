//! Recurrent sets of a small system, made by hand: accepted as they are, and not otherwise.

use std::time::{Duration, Instant};

use ouro_check::check_system_evidence;
use ouro_evidence::{
    Evidence, MoveStep, PathExhaustion, RecurrentLocation, RecurrentMove, RecurrentSet, StemStep,
};
use ouro_model::ids::EdgeId;
use ouro_model::transition::{EdgeCompassionPair, TransitionEdge, TransitionSystem, parse_system};

/// Counts up while x >= 0, by steps that the environment chooses. The last edge does not say where
/// it leads.
const SYSTEM: &str = r#"system 1
variable "x" int
variable "y" int
location l0 "start"
location l1 "walk"
location l2 "turn"
initial l0 "(<= x 10)"
edge e0 l0 -> l1 {
  choice "z" int
  guard "(<= 1 z)"
  set "y" "z"
}
edge e1 l1 -> l2 {
  choice "z!2" int
  guard "(and (<= 0 x) (<= 1 z!2))"
  set "x" "(+ x y)"
  set "y" "z!2"
}
edge e2 l2 -> l1 {
}
edge e3 l1 -> l1 {
  unknown "u" int
  guard "(<= 0 u)"
  set "x" "(+ x u)"
}
edge e4 l0 -> l1 {
  unknown "v" int
  set "x" "v"
}
"#;

fn system() -> TransitionSystem {
    parse_system(SYSTEM).expect("a system")
}

fn step(edge: u32, choices: &[&str]) -> MoveStep {
    MoveStep { edge, choices: choices.iter().map(|text| (*text).to_owned()).collect() }
}

fn evidence() -> RecurrentSet {
    RecurrentSet {
        initial: vec!["5".to_owned(), "(- 7)".to_owned()],
        stem: vec![StemStep { edge: 0, choices: vec!["3".to_owned()] }],
        places: vec![RecurrentLocation {
            location: 1,
            set: "(and (<= 0 x) (<= 1 y))".to_owned(),
            moves: vec![RecurrentMove { steps: vec![step(1, &["y"]), step(2, &[])] }],
        }],
    }
}

fn judge(system: &TransitionSystem, evidence: RecurrentSet) -> Result<(), String> {
    let deadline = Instant::now() + Duration::from_secs(60);
    check_system_evidence(system, &Evidence::Recurrent(evidence), deadline)
        .map_err(|rejection| rejection.to_string())
}

#[test]
fn accepted() {
    assert_eq!(judge(&system(), evidence()), Ok(()));
}

/// The same with a set at each location.
#[test]
fn accepted_in_two_places() {
    let mut two = evidence();
    let last = two.places[0].moves[0].steps.split_off(1);
    two.places.push(RecurrentLocation {
        location: 2,
        set: "(and (<= 0 x) (<= 1 y))".to_owned(),
        moves: vec![RecurrentMove { steps: last }],
    });
    assert_eq!(judge(&system(), two.clone()), Ok(()));
    two.places[1].set = "(<= 0 x)".to_owned();
    assert_eq!(judge(&system(), two), Err("a run can leave the set at l2".to_owned()));
}

/// Whatever the unknown is, the set is not left, unless the guard fails.
#[test]
fn unknowns_must_be_survived() {
    let mut unknown = evidence();
    unknown.places[0].moves = vec![RecurrentMove { steps: vec![step(3, &[])] }];
    assert_eq!(judge(&system(), unknown.clone()), Err("a run can leave the set at l1".to_owned()));
    let always =
        SYSTEM.replace("  guard \"(<= 0 u)\"\n  set \"x\" \"(+ x u)\"", "  set \"y\" \"u\"");
    assert_ne!(always, SYSTEM);
    let always = parse_system(&always).expect("a system");
    unknown.places[0].set = "(<= 0 x)".to_owned();
    assert_eq!(judge(&always, unknown), Ok(()));
}

#[test]
fn tampered() {
    type Tamper = fn(&mut RecurrentSet);
    let all: [(&str, &str, Tamper); 25] = [
        ("another start", "the first state is not an initial state", |e| {
            e.initial[0] = "11".to_owned();
        }),
        ("a start outside the set", "the stem does not end in the set", |e| {
            e.initial[0] = "(- 1)".to_owned();
        }),
        ("a start that is no number", "x is not a constant", |e| e.initial[0] = "x".to_owned()),
        ("a start that is no integer", "has sort Bool", |e| e.initial[0] = "true".to_owned()),
        ("a start that is missing", "1 initial values for 2 variables", |e| {
            e.initial.pop();
        }),
        ("another edge", "step 0 of the stem: the edge starts at l1", |e| e.stem[0].edge = 1),
        ("an edge to nobody knows where", "step 0 of the stem: the target of the edge", |e| {
            e.stem[0] = StemStep { edge: 4, choices: vec![] };
        }),
        ("an edge that is not there", "step 0 of the stem: there is no e9", |e| {
            e.stem[0].edge = 9;
        }),
        ("a shorter stem", "the stem ends at l0, not at l1", |e| e.stem.clear()),
        ("a longer stem", "the stem ends at l2, not at l1", |e| {
            e.stem.push(StemStep { edge: 1, choices: vec!["1".to_owned()] });
        }),
        (
            "another choice on the way to the loop",
            "step 0 of the stem: the guard does not hold",
            |e| {
                e.stem[0].choices[0] = "0".to_owned();
            },
        ),
        ("a choice missing on the way to the loop", "0 values for 1 choices", |e| {
            e.stem[0].choices.clear();
        }),
        ("a weaker set", "a run can leave the set at l1", |e| {
            e.places[0].set = "(<= 0 x)".to_owned();
        }),
        ("every state", "a run can leave the set at l1", |e| e.places[0].set = "true".to_owned()),
        ("no state", "the stem does not end in the set", |e| e.places[0].set = "false".to_owned()),
        ("a set of other variables", "is not a term", |e| {
            e.places[0].set = "(<= 0 w)".to_owned();
        }),
        ("a set of choices", "z is not a variable", |e| {
            e.places[0].set = "(<= 0 z)".to_owned();
        }),
        ("a set that is a number", "has sort Int, not Bool", |e| e.places[0].set = "x".to_owned()),
        ("another choice in the loop", "a run can leave the set at l1", |e| {
            e.places[0].moves[0].steps[0].choices[0] = "(+ y (- 1))".to_owned();
        }),
        ("a choice missing in the loop", "0 terms for 1 choices", |e| {
            e.places[0].moves[0].steps[0].choices.clear();
        }),
        ("another edge in the loop", "a move is at l1, its next step at l2", |e| {
            e.places[0].moves[0].steps[0] = step(2, &[]);
        }),
        ("a move cut short", "a move leads to l2, which has no set", |e| {
            e.places[0].moves[0].steps.pop();
        }),
        ("no moves", "a run can leave the set at l1", |e| e.places[0].moves.clear()),
        ("another location", "a move is at l2, its next step at l1", |e| {
            e.places[0].location = 2;
        }),
        ("a location twice", "l1 has two sets", |e| {
            let again = e.places[0].clone();
            e.places.push(again);
        }),
    ];
    let system = system();
    for (what, why, tamper) in all {
        let mut tampered = evidence();
        tamper(&mut tampered);
        assert_ne!(tampered, evidence(), "{what} changes nothing");
        match judge(&system, tampered) {
            Ok(()) => panic!("{what} is accepted"),
            Err(rejection) => assert!(rejection.contains(why), "{what}: {rejection}"),
        }
    }
}

#[test]
fn without_places() {
    let none = RecurrentSet { places: vec![], ..evidence() };
    assert_eq!(judge(&system(), none), Err("it names no location".to_owned()));
}

#[test]
fn fairness_is_not_ignored() {
    let pair = |p: &[u32], q: &[u32]| EdgeCompassionPair {
        p: p.iter().copied().map(EdgeId).collect(),
        q: q.iter().copied().map(EdgeId).collect(),
    };
    let mut fair = system();
    // The run takes e1 and e2 again and again, and e0 once.
    for (met, pairs) in [
        (true, vec![EdgeCompassionPair::default()]),
        (true, vec![pair(&[1], &[2])]),
        (true, vec![pair(&[0, 3], &[])]),
        (true, vec![pair(&[1], &[2]), pair(&[2], &[1])]),
        (false, vec![pair(&[1], &[])]),
        (false, vec![pair(&[2], &[0, 3, 4])]),
        (false, vec![pair(&[1], &[2]), pair(&[2], &[3])]),
    ] {
        fair.fairness = pairs;
        assert_eq!(judge(&fair, evidence()).is_ok(), met, "{:?}", fair.fairness);
    }
}

/// Each of two moves is fair by itself, for another pair.
#[test]
fn a_run_may_choose_the_unfair_move_forever() {
    let mut fair = system();
    let loops = |edge| EdgeCompassionPair { p: vec![EdgeId(1), EdgeId(5)], q: vec![EdgeId(edge)] };
    let first = fair.edges[EdgeId(1)].clone();
    fair.edges.push(TransitionEdge {
        to: first.from,
        choices: vec![],
        guard: fair.condition,
        ..first
    });
    let mut set = evidence();
    set.places[0].moves.push(RecurrentMove { steps: vec![step(5, &[])] });
    fair.edges[EdgeId(5)].update = fair.identity_update();
    assert_eq!(judge(&fair, set.clone()), Ok(()));
    fair.fairness = vec![loops(1)];
    assert!(judge(&fair, set.clone()).is_err());
    fair.fairness = vec![loops(5)];
    assert!(judge(&fair, set.clone()).is_err());
    set.places[0].moves.pop();
    assert!(judge(&fair, set.clone()).is_err());
    fair.fairness = vec![loops(1)];
    assert_eq!(judge(&fair, set), Ok(()));
}

#[test]
fn evidence_about_programs() {
    let deadline = Instant::now() + Duration::from_secs(60);
    let evidence = Evidence::Exhausted(PathExhaustion::default());
    let rejection = check_system_evidence(&system(), &evidence, deadline).expect_err("a rejection");
    assert_eq!(rejection.to_string(), "the evidence is about a program, not a transition system");
}

#[test]
fn no_time() {
    let deadline = Instant::now().checked_sub(Duration::from_secs(1)).expect("an earlier time");
    let evidence = Evidence::Recurrent(evidence());
    let rejection = check_system_evidence(&system(), &evidence, deadline).expect_err("a rejection");
    assert!(rejection.out_of_time, "{rejection}");
}
