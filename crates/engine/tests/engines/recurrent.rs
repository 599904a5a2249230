//! Recurrent sets of small systems, each accepted by the checker; and systems that end, in which
//! none may be found.

use std::path::Path;
use std::time::{Duration, Instant};

use ouro_engine::EngineSettings;
use ouro_engine::recurrent::{FoundRecurrentSet, RecurrentSetMethod, find_recurrent_set};
use ouro_evidence::{Evidence, IntegerSemantics};
use ouro_model::transition::TransitionSystem;

fn settings(seconds: u64) -> EngineSettings {
    let time = Duration::from_secs(seconds);
    EngineSettings {
        ints: IntegerSemantics::Unbounded,
        deadline: Instant::now() + time,
        time,
        memory_mib: 2048,
    }
}

/// A system of rules in KoAT's form that starts at `f`.
fn system(rules: &str) -> TransitionSystem {
    let text = format!(
        "(GOAL TERMINATION)\n(STARTTERM (FUNCTIONSYMBOLS f))\n(VAR x y z)\n(RULES\n{rules}\n)\n"
    );
    ouro_formats::parse_transition_system(Path::new("test.koat"), &text).expect(rules)
}

/// What is found, after the checker has accepted it.
fn found(rules: &str) -> FoundRecurrentSet {
    let system = system(rules);
    let found = find_recurrent_set(&system, &settings(60), &[])
        .unwrap_or_else(|| panic!("nothing found for {rules}"));
    let evidence = Evidence::Recurrent(found.set.clone());
    let checked = ouro_check::check_system_evidence(&system, &evidence, settings(60).deadline);
    assert_eq!(checked, Ok(()), "{rules}: {:#?}", found.set);
    found
}

#[test]
fn a_state_that_goes_to_itself() {
    found("f(x) -> f(x) :|: x > 5");
}

#[test]
fn a_counter_that_grows() {
    found("f(x) -> f(x + 1) :|: x >= 0");
}

#[test]
fn an_input_that_is_negative() {
    found("f(x, y) -> g(x, y)\n g(x, y) -> g(x - y, y) :|: x >= 0");
}

#[test]
fn a_flip_that_needs_unrolling() {
    found("f(x, y) -> g(x, 0)\n g(x, y) -> g(x + y, 1 - y) :|: x >= 0");
}

#[test]
fn growth_that_grows() {
    found("f(x, y) -> g(x, y)\n g(x, y) -> g(x + y, y + 1) :|: x > 0");
}

#[test]
fn doubling() {
    found("f(x, y) -> g(x, y)\n g(x, y) -> g(2 * x + y, y) :|: x > 0 && y < 0");
}

#[test]
fn a_choice_in_each_turn() {
    found("f(x) -> f(z) :|: x >= 0");
    found("f(x) -> f(z) :|: x >= 0 && z > x");
    found("f(x) -> f(z) :|: x >= 0 && 2 * z = 3 * x");
}

#[test]
fn a_choice_that_a_later_guard_refuses() {
    // The loop of "Proving Nontermination via Safety": refined at the start and at the choice.
    let rules = "f(x, y) -> g(x, y) :|: y >= 0\n f(x, y) -> g(0 - 1, y) :|: y < 0\n\
                 g(x, y) -> g(z, y) :|: x >= 0";
    found(rules);
}

#[test]
fn a_long_way_to_the_loop() {
    found(
        "f(x) -> g(0)\n g(x) -> g(x + 1) :|: x < 1000\n g(x) -> h(x) :|: x >= 1000\n h(x) -> h(x)",
    );
}

#[test]
fn a_cycle_of_many_turns() {
    let rules = "f(x, y) -> g(0, 0)\n g(x, y) -> g(x + 1, y) :|: y = 0 && x < 10\n\
                 g(x, y) -> g(x, 1) :|: y = 0 && x = 10\n g(x, y) -> g(x - 1, y) :|: y = 1 && x > 0\n\
                 g(x, y) -> g(x, 0) :|: y = 1 && x = 0";
    found(rules);
}

#[test]
fn an_inner_loop_that_takes_longer_each_time() {
    let rules = "f(x, y) -> g(x, y)\n g(x, y) -> h(x + 1, x + 1) :|: x >= 0\n\
                 h(x, y) -> h(x, y - 1) :|: y >= 1\n h(x, y) -> g(x, y) :|: y < 1";
    assert_eq!(found(rules).method, "closed");
}

#[test]
fn an_inner_loop_that_never_ends_after_ten_turns() {
    let rules = "f(x) -> g(x) :|: x = 10\n g(x) -> h(x - 1) :|: x > 0\n\
                 h(x) -> h(x) :|: x = 0\n h(x) -> g(x) :|: x > 0";
    found(rules);
}

#[test]
fn a_run_that_never_repeats() {
    let rules = "f(x, y) -> g(x, y) :|: x >= 0 && y >= 0\n\
                 g(x, y) -> g(x - 1, y) :|: x > y && y >= 0\n\
                 g(x, y) -> g(2 * x + 1, y + 1) :|: x = y && y >= 0";
    assert_eq!(found(rules).method, "closed");
}

#[test]
fn division_and_remainder() {
    // x goes round 0 .. 9, with the quotient as a choice.
    found("f(x) -> f(x + 1 - 10 * z) :|: x < 15 && x + 1 - 10 * z >= 0 && x + 1 - 10 * z < 10");
}

#[test]
fn systems_that_end_have_none() {
    for rules in [
        "f(x) -> f(x - 1) :|: x > 0",
        "f(x) -> g(x) :|: x > 0",
        "f(x, y) -> f(x + y, y - 1) :|: x > 0",
        "f(x, y) -> f(x - y, y) :|: x > 0 && y > 0",
        "f(x, y) -> g(x, y)\n g(x, y) -> g(x - 1, z) :|: x > 0\n g(x, y) -> g(x, y - 1) :|: y > 0",
        // The loop is endless, but nobody gets there.
        "f(x) -> g(0)\n g(x) -> g(x + 1) :|: x < 7\n g(x) -> h(x) :|: x > 7\n h(x) -> h(x)",
        // A choice that is refused whatever it is: VALIDATE must say no.
        "f(x, y) -> g(10, y)\n g(x, y) -> h(x, z)\n\
         h(x, y) -> g(9, y) :|: y > 3 && x = 9\n h(x, y) -> g(11, y) :|: y <= 3 && x = 11",
        "f(x) -> f(z) :|: x > 0 && z < x",
        "f(x) -> f(x) :|: 2 * x = 7",
    ] {
        assert_eq!(find_recurrent_set(&system(rules), &settings(3), &[]), None, "{rules}");
    }
}

/// What the graph of abstract states alone finds, accepted by the checker.
fn found_forward(rules: &str) {
    let system = system(rules);
    let found = find_recurrent_set(&system, &settings(60), &[RecurrentSetMethod::Forward])
        .unwrap_or_else(|| panic!("nothing found for {rules}"));
    assert_eq!(found.method, "forward");
    let evidence = Evidence::Recurrent(found.set.clone());
    let checked = ouro_check::check_system_evidence(&system, &evidence, settings(60).deadline);
    assert_eq!(checked, Ok(()), "{rules}: {:#?}", found.set);
}

/// Bakhirkin, Berdine and Piterman's first example: an interval with two resets.
#[test]
fn forward_with_two_resets() {
    found_forward(
        "f(x) -> g(x)
         g(x) -> g(x + 1) :|: x >= 1 && x < 60
         g(x) -> g(50) :|: x = 60
         g(x) -> g(x + 1) :|: x > 60 && x < 100
         g(x) -> g(0 - 1) :|: x = 100
         g(x) -> g(x + 1) :|: x > 100",
    );
}

#[test]
fn forward_with_conditions_between_variables() {
    found_forward("f(x, y) -> g(x, y)\n g(x, y) -> g(x + 1, y) :|: x >= y\n");
    found_forward(
        "f(x, y) -> g(x, y)\n g(x, y) -> g(y, x) :|: x > y\n g(x, y) -> g(y, x) :|: x < y",
    );
}

#[test]
fn forward_with_a_remainder() {
    found_forward("f(x) -> g(2*x + 1)\n g(x) -> g(x - 2) :|: x > 0\n g(x) -> g(x + 2) :|: x < 0");
}

#[test]
fn forward_through_nested_loops() {
    found_forward(
        "f(x, y) -> g(x, 0) :|: x > 0
         g(x, y) -> h(x, x) :|: x > 0
         h(x, y) -> h(x, y - 1) :|: y > 0
         h(x, y) -> g(x + 1, y) :|: y <= 0",
    );
}

/// What must not be negative does not get smaller, because something else is not negative, and so on.
#[test]
fn forward_where_growth_grows() {
    found_forward("f(x, y, z) -> g(x, y, z)\n g(x, y, z) -> g(x + y, y + z, z) :|: x > 0");
    found_forward("f(x, y, z) -> g(x, y, z)\n g(x, y, z) -> g(x + z, y + 1, 0 - 2*y) :|: x < 0");
    found_forward("f(x, y) -> g(x, y)\n g(x, y) -> g(x - 1, y - 1) :|: x * y > 0");
}

#[test]
fn forward_finds_nothing_where_all_runs_end() {
    for rules in [
        "f(x) -> g(x)\n g(x) -> g(x - 1) :|: x > 0",
        "f(x) -> g(5)\n g(x) -> g(x + 1) :|: x > 5",
        "f(x, y) -> g(x, y)\n g(x, y) -> g(x - 1, y) :|: x > y",
    ] {
        assert_eq!(
            find_recurrent_set(&system(rules), &settings(60), &[RecurrentSetMethod::Forward]),
            None,
            "{rules}"
        );
    }
}
