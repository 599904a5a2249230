//! Automata by hand, with the truth as a person sees it.

use super::automaton::{Automaton, Count, Pair, Step, To};

fn step(events: &[u32], to: usize) -> Step {
    Step { only_at: None, count: Count::Keep, events: events.to_vec(), to: To::State(to) }
}

fn end(to: To) -> Step {
    Step { only_at: None, count: Count::Keep, events: vec![], to }
}

fn automaton(states: Vec<Vec<Step>>, pairs: Vec<Pair>) -> Automaton {
    Automaton { states, pairs, events: 6 }
}

fn pair(p: &[u32], q: &[u32]) -> Pair {
    (Some(p.to_vec()), q.to_vec())
}

fn always(q: &[u32]) -> Pair {
    (None, q.to_vec())
}

/// One state with these steps to itself.
fn one(steps: &[&[u32]], pairs: Vec<Pair>) -> Automaton {
    automaton(vec![steps.iter().map(|events| step(events, 0)).collect()], pairs)
}

/// The counter is zero and one in turns, and an obligation is broken where it is this.
pub(crate) fn behind_a_bound(broken: u32) -> Automaton {
    let turn = |from, to| Step { only_at: Some(from), count: Count::Set(to), ..step(&[0], 0) };
    let breaks = Step { only_at: Some(broken), ..end(To::Violation) };
    automaton(vec![vec![turn(0, 1), turn(1, 0), breaks]], vec![pair(&[0], &[1])])
}

/// A name, an automaton, and whether no run of it is a violation.
pub(crate) fn all() -> Vec<(&'static str, Automaton, bool)> {
    vec![
        ("no pair", one(&[&[]], vec![]), false),
        ("no pair, and it ends", automaton(vec![vec![end(To::Exit)]], vec![]), true),
        ("an obligation", automaton(vec![vec![end(To::Violation)]], vec![always(&[])]), false),
        (
            "an obligation that no run comes to",
            automaton(
                vec![vec![step(&[], 0), Step { only_at: Some(2), ..end(To::Violation) }]],
                vec![always(&[])],
            ),
            true,
        ),
        ("an obligation behind a bound", behind_a_bound(3), true),
        ("an obligation within a bound", behind_a_bound(1), false),
        ("nothing may go on", one(&[&[0]], vec![always(&[])]), true),
        ("p without q", one(&[&[0]], vec![pair(&[0], &[1])]), true),
        ("q without p", one(&[&[1]], vec![pair(&[0], &[1])]), false),
        ("neither p nor q", one(&[&[2]], vec![pair(&[0], &[1])]), false),
        ("p is q", one(&[&[0]], vec![pair(&[0], &[0])]), false),
        ("p or q by choice", one(&[&[0], &[1]], vec![pair(&[0], &[1])]), false),
        ("p or nothing by choice", one(&[&[0], &[]], vec![pair(&[0], &[1])]), false),
        ("one of two q", one(&[&[0, 2]], vec![pair(&[0], &[1, 2])]), false),
        // Several pairs, of which each alone could be met.
        ("contradictory", one(&[&[0], &[1]], vec![pair(&[0], &[1]), pair(&[1], &[2])]), true),
        (
            "contradictory unless both are left alone",
            one(&[&[0], &[1], &[3]], vec![pair(&[0], &[1]), pair(&[1], &[2])]),
            false,
        ),
        (
            "each owes the other",
            one(&[&[0], &[1]], vec![pair(&[0], &[1]), pair(&[1], &[0])]),
            false,
        ),
        (
            "a chain that ends nowhere",
            one(
                &[&[0], &[1], &[2], &[3]],
                vec![pair(&[0], &[1]), pair(&[1], &[2]), pair(&[2], &[3]), pair(&[3], &[4])],
            ),
            true,
        ),
        (
            "a chain that closes",
            one(
                &[&[0], &[1], &[2], &[3]],
                vec![pair(&[0], &[1]), pair(&[1], &[2]), pair(&[2], &[3]), pair(&[3], &[0])],
            ),
            false,
        ),
        (
            "two that always owe, met by two steps",
            one(&[&[0], &[1]], vec![always(&[0]), always(&[1])]),
            false,
        ),
        (
            "two that always owe, and one step cannot be repeated",
            automaton(
                vec![vec![step(&[0], 0), step(&[1], 1)], vec![step(&[0], 1)]],
                vec![always(&[0]), always(&[1])],
            ),
            true,
        ),
        (
            "met in one part and not in the other",
            automaton(
                vec![vec![step(&[0], 0), step(&[], 1)], vec![step(&[1], 1), step(&[0, 1], 1)]],
                vec![pair(&[0], &[2]), pair(&[1], &[0])],
            ),
            true,
        ),
        (
            "overlapping",
            one(&[&[0, 1], &[2]], vec![pair(&[0], &[2]), pair(&[1], &[2]), pair(&[2], &[0])]),
            false,
        ),
        (
            "overlapping, one q missing",
            one(&[&[0, 1], &[2]], vec![pair(&[0], &[2]), pair(&[1], &[3]), always(&[0])]),
            true,
        ),
        ("vacuous", one(&[&[0]], vec![pair(&[], &[]), pair(&[5], &[]), pair(&[], &[0])]), false),
        (
            "a counter that must come down",
            automaton(
                vec![vec![
                    Step { count: Count::Down, ..step(&[0], 0) },
                    Step { count: Count::Up, ..step(&[1], 0) },
                ]],
                vec![pair(&[1], &[2])],
            ),
            true,
        ),
        (
            "a counter that goes up and down",
            automaton(
                vec![vec![
                    Step { count: Count::Down, ..step(&[0], 0) },
                    Step { count: Count::Up, ..step(&[1], 0) },
                ]],
                vec![pair(&[1], &[0])],
            ),
            false,
        ),
        (
            "q only where the counter is full, and nothing fills it for ever",
            automaton(
                vec![
                    vec![
                        Step { count: Count::Up, ..step(&[0], 0) },
                        Step { only_at: Some(3), ..step(&[1], 1) },
                    ],
                    vec![step(&[0], 1)],
                ],
                vec![pair(&[0], &[1])],
            ),
            true,
        ),
    ]
}
