//! Transition invariants of small systems and programs, each accepted by the checker and rejected when
//! it is made wrong; and systems that need not end, for which none may be found.

use std::path::Path;
use std::time::{Duration, Instant};

use ouro_engine::transition::{TransitionInvariantAnswer, find_transition_invariants};
use ouro_engine::{EngineSettings, TerminationArgument, find_program_ranking, ranking, recurrent};
use ouro_evidence::{
    Claim, Evidence, IntegerSemantics, RankingLevel, SystemRanking, TransitionInvariant,
};
use ouro_model::ids::EdgeId;
use ouro_model::text;
use ouro_model::transition::{EdgeCompassionPair, TransitionSystem};

fn settings(seconds: u64, ints: IntegerSemantics) -> EngineSettings {
    let time = Duration::from_secs(seconds);
    let deadline = Instant::now() + time;
    EngineSettings { ints, deadline, time, memory_mib: 2048 }
}

fn long() -> EngineSettings {
    settings(300, IntegerSemantics::Unbounded)
}

/// A system of rules in KoAT's form that starts at `f`.
fn system(rules: &str) -> TransitionSystem {
    let head = "(GOAL TERMINATION)\n(STARTTERM (FUNCTIONSYMBOLS f))\n(VAR x y z u v)";
    let text = format!("{head}\n(RULES\n{rules}\n)\n");
    ouro_formats::parse_transition_system(Path::new("test.koat"), &text).expect(rules)
}

fn accepted(system: &TransitionSystem, ranking: &SystemRanking) -> Result<(), String> {
    let evidence = Evidence::Ranked(ranking.clone());
    ouro_check::check_system_evidence(system, &evidence, long().deadline)
        .map_err(|rejection| rejection.why)
}

/// What is found, after the checker has accepted it.
fn found(rules: &str) -> SystemRanking {
    let system = system(rules);
    let TransitionInvariantAnswer::Ends(found) = find_transition_invariants(&system, &long())
    else {
        panic!("nothing for {rules}")
    };
    assert_eq!(accepted(&system, &found), Ok(()), "{rules}: {found:#?}");
    found
}

fn check_nothing(rules: &str) {
    let answer = find_transition_invariants(&system(rules), &long());
    assert!(!matches!(answer, TransitionInvariantAnswer::Ends(_)), "{rules}: {answer:#?}");
}

/// Which of the two is larger changes all the time.
const TWO: &str = "f(x, y) -> g(x, y)
    g(x, y) -> g(x - 1, x)     :|: x > 0 && y > 0
    g(x, y) -> g(y - 2, x + 1) :|: x > 0 && y > 0";

/// The same with three: no ranking is found.
const THREE: &str = "f(x, y, z) -> g(x, y, z)
    g(x, y, z) -> g(x - 1, x, x)         :|: x > 0 && y > 0 && z > 0
    g(x, y, z) -> g(y - 2, x + 1, z)     :|: x > 0 && y > 0 && z > 0
    g(x, y, z) -> g(z - 3, x + 1, x + 1) :|: x > 0 && y > 0 && z > 0";

/// A loop inside, and another outside that is ranked.
const INSIDE: &str = "f(x, y, z) -> g(x, y, z)
    g(x, y, z) -> h(x, y, z)     :|: x > 0 && y > 0
    h(x, y, z) -> h(x, y - 1, z) :|: y > 5
    h(x, y, z) -> g(x - 1, x, z)
    h(x, y, z) -> g(y - 2, x + 1, z)
    g(x, y, z) -> g(u, v, z - 1) :|: z > 0";

fn speaks_of_z(level: &RankingLevel) -> bool {
    matches!(level, RankingLevel::Function(text) if text.contains('z'))
}

#[test]
fn larger_of_two() {
    assert_eq!(found(TWO).snapshots.len(), 1);
    check_nothing(&TWO.replace("y - 2, x + 1", "y - 1, x + 1"));
}

#[test]
fn larger_of_three() {
    assert_eq!(found(THREE).snapshots.len(), 1);
    assert_eq!(ranking::find_ranking(&system(THREE), &long()), None);
    check_nothing(&THREE.replace("z - 3, x + 1", "z - 1, x + 1"));
}

#[test]
fn a_ranking_comes_first() {
    let found = found(INSIDE);
    assert!(!found.snapshots.is_empty());
    assert!(found.places.iter().all(|place| place.ranking.iter().any(speaks_of_z)));
    check_nothing(&INSIDE.replace("g(u, v, z - 1)", "g(u, v, z)"));
}

#[test]
fn a_lasso_without_a_ranking_may_be_an_endless_run() {
    // Every third turn x is where it was; between them it grows and shrinks.
    let rules = "f(x, y) -> g(x, y)
        g(x, y) -> h(x + 2, y) :|: x > 0
        h(x, y) -> k(x - 1, y) :|: x > 2
        k(x, y) -> g(x - 1, y) :|: x > 1";
    let system = system(rules);
    let TransitionInvariantAnswer::Lasso(edges) = find_transition_invariants(&system, &long())
    else {
        panic!("it is there")
    };
    assert_eq!(edges.len(), 3);
    let endless =
        recurrent::find_recurrent_set_along(&system, &long(), &edges).expect("it never ends");
    let evidence = Evidence::Recurrent(endless.set);
    let checked = ouro_check::check_system_evidence(&system, &evidence, long().deadline);
    assert_eq!(checked, Ok(()), "{evidence:?}");
    // Along other edges there is no way round.
    assert_eq!(recurrent::find_recurrent_set_along(&system, &long(), &edges[..2]), None);
}

/// Asserts that the evidence is rejected after a change, and why.
fn check_tampered(rules: &str, why: &str, change: impl Fn(&mut TransitionInvariant)) {
    let mut ranking = found(rules);
    change(&mut ranking.snapshots[0]);
    let rejected = accepted(&system(rules), &ranking).expect_err("it is wrong");
    assert!(rejected.contains(why), "{rejected}");
}

#[test]
fn tampered_transition_invariants_are_rejected() {
    // A measure fewer, and none.
    check_tampered(TWO, "none of the measures", |snapshot| {
        snapshot.measures.remove(0);
    });
    check_tampered(TWO, "none of the measures", |snapshot| snapshot.measures.clear());
    // Almost a measure.
    check_tampered(TWO, "none of the measures", |snapshot| {
        snapshot.measures[0] = "(+ x (- 2))".to_owned();
    });
    // Relations: none, all, and one that holds after one step only.
    check_tampered(TWO, "not preserved", |snapshot| snapshot.relations.clear());
    check_tampered(TWO, "not preserved", |snapshot| {
        snapshot.relations[0].formula = "false".to_owned();
    });
    check_tampered(TWO, "none of the measures", |snapshot| {
        snapshot.relations[0].formula = "true".to_owned();
    });
    check_tampered(TWO, "not preserved", |snapshot| {
        snapshot.relations[0].formula =
            "(or (= old!x (+ x 1)) (and (= old!y (+ x 2)) (= y (+ old!x 1))))".to_owned();
    });
    // What is and what was, the other way round.
    check_tampered(TWO, "not preserved", |snapshot| {
        let formula = &snapshot.relations[0].formula;
        let other = formula.replace("old!", "was!").replace(" x", " old!x").replace("was!", "");
        snapshot.relations[0].formula = other;
    });
    // The relation of one place for another.
    check_tampered(INSIDE, "", |snapshot| {
        let formula = snapshot.relations[0].formula.clone();
        snapshot.relations[1].formula = formula;
        snapshot.relations[0].formula = "false".to_owned();
    });
}

/// `THREE` where a turn may also change nothing, as often as it likes.
fn stalling() -> TransitionSystem {
    let mut system = system(&format!("{THREE}\n g(x, y, z) -> g(x, y, z)"));
    system.fairness =
        vec![EdgeCompassionPair { p: vec![EdgeId(4)], q: [1, 2, 3].map(EdgeId).to_vec() }];
    system
}

#[test]
fn fair_runs_end_where_others_need_not() {
    let fair = stalling();
    let TransitionInvariantAnswer::Ends(proof) = find_transition_invariants(&fair, &long()) else {
        panic!("every fair run ends")
    };
    assert_eq!(accepted(&fair, &proof), Ok(()), "{proof:#?}");
    assert!(proof.snapshots[0].relations.iter().all(|r| r.formula.contains("passed!p0")));
    assert_eq!(ranking::find_ranking(&fair, &long()), None, "no ranking says so");
    // Without fairness, or with less of it, the same evidence proves nothing, and none is found.
    let weaker: [Vec<EdgeCompassionPair>; 3] = [
        Vec::new(),
        vec![EdgeCompassionPair { p: vec![EdgeId(4)], q: vec![EdgeId(4)] }],
        vec![EdgeCompassionPair { p: vec![EdgeId(4)], q: [1, 2, 3, 4].map(EdgeId).to_vec() }],
    ];
    for fairness in weaker {
        let system = TransitionSystem { fairness, ..stalling() };
        assert!(accepted(&system, &proof).is_err(), "{:?}", system.fairness);
        let answer = find_transition_invariants(&system, &long());
        assert!(!matches!(answer, TransitionInvariantAnswer::Ends(_)), "{answer:#?}");
    }
    // What was passed, as it was not.
    for (word, other) in [("passed!q0", "passed!p0"), ("(not passed!q0)", "passed!q0")] {
        let mut wrong = proof.clone();
        for relation in &mut wrong.snapshots[0].relations {
            relation.formula = relation.formula.replace(word, other);
        }
        assert!(accepted(&fair, &wrong).is_err(), "{word}");
    }
}

/// A pair of which one turn has both is met, so nothing may be concluded from it; and of two pairs each is
/// looked at by itself.
#[test]
fn several_pairs_are_looked_at_one_by_one() {
    let pair = |p: &[u32], q: &[u32]| EdgeCompassionPair {
        p: p.iter().copied().map(EdgeId).collect(),
        q: q.iter().copied().map(EdgeId).collect(),
    };
    // Two ways to change nothing, each excluded by its own pair.
    let rules = format!("{THREE}\n g(x, y, z) -> g(x, y, z)\n g(x, y, z) -> g(x, y, z)");
    let with = |fairness: Vec<EdgeCompassionPair>| TransitionSystem { fairness, ..system(&rules) };
    let both = with(vec![pair(&[4], &[1, 2, 3]), pair(&[5], &[1, 2, 3])]);
    let TransitionInvariantAnswer::Ends(proof) = find_transition_invariants(&both, &long()) else {
        panic!("every fair run ends")
    };
    assert_eq!(accepted(&both, &proof), Ok(()), "{proof:#?}");
    // One after the other forever, they meet both pairs.
    let each_other = with(vec![pair(&[4], &[5]), pair(&[5], &[4])]);
    assert!(accepted(&each_other, &proof).is_err());
    assert!(!matches!(
        find_transition_invariants(&each_other, &long()),
        TransitionInvariantAnswer::Ends(_)
    ));
    // One of them is excused by nothing.
    let one = with(vec![pair(&[4], &[1, 2, 3]), pair(&[4], &[1])]);
    assert!(accepted(&one, &proof).is_err());
    assert!(!matches!(
        find_transition_invariants(&one, &long()),
        TransitionInvariantAnswer::Ends(_)
    ));
}

/// `while (x > 0 && y > 0)`, one of two, as in `TWO`.
const PROGRAM: &str = r#"program 1
target 64
file "two.c"
entry f0

fn f0 "main" () -> () user @1:1 {
  v0 i32 "x" user
  v1 i32 "y" user
  v2 i32 "before" user
  v3 i1 temp
  v4 i32 temp
b0:
  v0 = choice function "nondet" @2:3
  v1 = choice function "nondet" @2:3
  goto b1
b1:
  v3 = slt i32 0, v0 @3:3
  branch v3, b2, b6
b2:
  v3 = slt i32 0, v1 @3:3
  branch v3, b3, b6
b3:
  v2 = add.s v0, i32 0 @4:3
  v4 = choice function "nondet" @4:3
  v3 = slt v4, i32 0 @4:3
  branch v3, b4, b5
b4:
  v0 = add.s v2, i32 -1 @5:3
  v1 = add.s v2, i32 0 @5:3
  goto b1
b5:
  v0 = add.s v1, i32 -2 @6:3
  v1 = add.s v2, i32 1 @6:3
  goto b1
b6:
  exit i32 0
}
"#;

#[test]
fn programs() {
    let program = text::parse_program(PROGRAM).unwrap_or_else(|refused| panic!("{refused}"));
    for ints in [IntegerSemantics::C, IntegerSemantics::Unbounded] {
        let settings = settings(300, ints);
        let finding = find_program_ranking(&program, &settings, TerminationArgument::Transition)
            .expect("it ends");
        let Some(Evidence::RankedProgram(proof)) = finding.verdict.evidence() else {
            panic!("{finding:?}")
        };
        assert_eq!(proof.snapshots.len(), 1);
        let judge = |proof: &ouro_evidence::ProgramRanking| {
            let evidence = Evidence::RankedProgram(proof.clone());
            ouro_check::check_program_evidence(
                &program,
                ints,
                Claim::Terminates,
                &evidence,
                long().deadline,
            )
            .map_err(|rejection| rejection.why)
        };
        assert_eq!(judge(proof), Ok(()), "{proof:?}");
        let check_tampered = |why: &str, change: &dyn Fn(&mut TransitionInvariant)| {
            let mut wrong = proof.clone();
            change(&mut wrong.snapshots[0]);
            let rejected = judge(&wrong).expect_err("it is wrong");
            assert!(rejected.contains(why), "{rejected}");
        };
        check_tampered("none of the measures", &|snapshot| snapshot.measures.clear());
        check_tampered("none of the measures", &|snapshot| {
            snapshot.relations[0].formula = "true".to_owned();
        });
        check_tampered("not preserved", &|snapshot| {
            snapshot.relations[0].formula = "false".to_owned();
        });
        check_tampered("not preserved", &|snapshot| snapshot.relations.clear());
        let mut wrong = proof.clone();
        wrong.snapshots.clear();
        let rejected = judge(&wrong).expect_err("it is wrong");
        assert!(rejected.contains("smaller"), "{rejected}");
    }
}
