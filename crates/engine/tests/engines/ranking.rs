//! Rankings of small systems, each accepted by the checker and rejected when it is made wrong; and
//! systems that need not end, for which none may be found.

use std::path::Path;
use std::time::{Duration, Instant};

use ouro_engine::EngineSettings;
use ouro_engine::ranking::find_ranking;
use ouro_evidence::{Evidence, IntegerSemantics, SystemRanking};
use ouro_model::transition::TransitionSystem;

fn settings(seconds: u64) -> EngineSettings {
    let time = Duration::from_secs(seconds);
    let deadline = Instant::now() + time;
    EngineSettings { ints: IntegerSemantics::Unbounded, deadline, time, memory_mib: 2048 }
}

/// A system of rules in KoAT's form that starts at `f`.
fn system(rules: &str) -> TransitionSystem {
    let text = format!(
        "(GOAL TERMINATION)\n(STARTTERM (FUNCTIONSYMBOLS f))\n(VAR x y z u v)\n(RULES\n{rules}\n)\n"
    );
    ouro_formats::parse_transition_system(Path::new("test.koat"), &text).expect(rules)
}

fn accepted(system: &TransitionSystem, ranking: &SystemRanking) -> Result<(), String> {
    let evidence = Evidence::Ranked(ranking.clone());
    ouro_check::check_system_evidence(system, &evidence, settings(60).deadline)
        .map_err(|rejection| rejection.why)
}

/// What is found, after the checker has accepted it.
fn found(rules: &str) -> SystemRanking {
    let system = system(rules);
    let found =
        find_ranking(&system, &settings(60)).unwrap_or_else(|| panic!("nothing for {rules}"));
    assert_eq!(accepted(&system, &found), Ok(()), "{rules}: {found:#?}");
    found
}

fn check_nothing(rules: &str) {
    assert_eq!(find_ranking(&system(rules), &settings(60)), None, "{rules}");
}

const BOTH_SIDES: &str = "f(x) -> g(x)
    g(x) -> g(x - 1) :|: x > 0
    g(x) -> g(x + 1) :|: x < 0";

/// `x` starts again from 0 once it is beyond `y`.
const AROUND: &str = "f(x, y) -> g(x, y) :|: y > 0
    g(x, y) -> g(0, y)     :|: x > y
    g(x, y) -> g(x + 1, y) :|: x < y";

const LEAST: &str = "f(x, y) -> g(x, y)
    g(x, y) -> g(x - 1, u) :|: x > 0 && y > 0 && x < y
    g(x, y) -> g(u, y - 1) :|: x > 0 && y > 0 && y < x";

const MOST: &str = "f(x, y) -> g(x, y)
    g(x, y) -> g(x - 1, x)     :|: x > 0 && y > 0
    g(x, y) -> g(y - 2, x + 1) :|: x > 0 && y > 0";

#[test]
fn a_side_for_each_case() {
    found(BOTH_SIDES);
    found(AROUND);
    // Both steps go past zero, and back.
    check_nothing(&BOTH_SIDES.replace("x + 1", "x + 2").replace("x - 1", "x - 2"));
    // It starts again beyond the end.
    check_nothing(&AROUND.replace("g(0, y)", "g(y + 1, y)"));
}

#[test]
fn a_direction_that_stays() {
    let rules = "f(x, y, z) -> g(x, y, 1)\n f(x, y, z) -> g(x, y, 0 - 1)
        g(x, y, z) -> g(x + z, y - z, z) :|: x < 100 && y < 100";
    found(rules);
    check_nothing(&rules.replace("0 - 1)", "0)"));
}

#[test]
fn phases_in_which_other_things_count() {
    let rules = "f(x, y) -> g(x, y)
        g(x, y) -> g(x - 1, u) :|: x > 0 && y > 0
        g(x, y) -> g(x, y - 1) :|: x > 0 && y > 0
        g(x, y) -> g(x + 1, y) :|: x < 0 && y > 0
        g(x, y) -> g(u, y - 1) :|: x < 0 && y > 0";
    found(rules);
    check_nothing(&rules.replace("g(x - 1, u)", "g(v, u)"));
}

#[test]
fn the_smaller_or_the_larger_of_two() {
    found(LEAST);
    found(MOST);
    check_nothing(&LEAST.replace("x < y", "x > y").replace("y < x", "y > x"));
    check_nothing(&MOST.replace("x + 1", "x + 2"));
}

#[test]
fn a_square_is_larger_than_its_root() {
    let rules = "f(x, y) -> g(x, y)\n g(x, y) -> g(x * x, y) :|: x > 1 && x < y";
    found(rules);
    check_nothing(&rules.replace("x > 1", "x > 0"));
}

#[test]
fn conditions_on_products_may_be_left_out() {
    let rules = "f(x, y) -> g(x, y)\n g(x, y) -> g(x - 1, y + 1) :|: x > 0 && x * x * y > y * y";
    found(rules);
    check_nothing(&rules.replace("x > 0 &&", ""));
}

#[test]
fn functions_in_four_layers() {
    let rules = "f(x, y, z) -> g(x, y, z)
        g(x, y, z) -> g(x + y - 1, 3*y - 4*z, 4*y + 3*z) :|: x > 0";
    found(rules);
    check_nothing(&rules.replace("x + y - 1", "x + y*y"));
}

/// Asserts that a ranking is rejected after a change, and why.
fn check_tampered(rules: &str, why: &str, change: impl Fn(&mut SystemRanking)) {
    let mut ranking = found(rules);
    change(&mut ranking);
    let rejected = accepted(&system(rules), &ranking).expect_err("it is wrong");
    assert!(rejected.contains(why), "{rejected}");
}

#[test]
fn tampered_rankings_are_rejected() {
    // One case for all, one side only, no place and no element.
    check_tampered(BOTH_SIDES, "smaller", |ranking| {
        ranking.places[0].ranking = vec!["x".into()];
    });
    check_tampered(BOTH_SIDES, "not preserved", |ranking| {
        ranking.places[0].invariant = "(<= 0 x)".to_owned();
    });
    check_tampered(BOTH_SIDES, "cycle", |ranking| ranking.places.clear());
    check_tampered(BOTH_SIDES, "smaller", |ranking| ranking.places[0].ranking.clear());
    // Nothing is known any more: a start from 0 can be beyond the end.
    check_tampered(AROUND, "smaller", |ranking| {
        ranking.places[0].invariant = "true".to_owned();
    });
    // The larger instead of the smaller, and the other way round.
    check_tampered(LEAST, "smaller", |ranking| {
        ranking.places[0].ranking = vec!["(ite (<= x y) y x)".into()];
    });
    check_tampered(MOST, "smaller", |ranking| {
        ranking.places[0].ranking = vec!["(ite (<= x y) x y)".into()];
    });
    // Almost the larger of x and y - 3/2: the constant is wrong.
    check_tampered(MOST, "smaller", |ranking| {
        ranking.places[0].ranking = vec!["(ite (<= x (+ y (- 2))) (+ y (- 2)) x)".into()];
    });
}

#[test]
fn a_ranking_by_hand_is_accepted() {
    let mut ranking = found(MOST);
    ranking.places[0].ranking =
        vec!["(ite (<= (* 2 x) (+ (* 2 y) (- 3))) (+ (* 2 y) (- 3)) (* 2 x))".into()];
    assert_eq!(accepted(&system(MOST), &ranking), Ok(()));
}
