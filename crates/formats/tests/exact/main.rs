//! Steps are exactly those of the file: random files, and every small state.

use std::collections::BTreeSet;
use std::path::Path;

mod language;
#[path = "../random/mod.rs"]
mod random;

use language::{Cond, Int, Language, after, cond, int};
use ouro_model::ids::EdgeId;
use ouro_model::transition::{TransitionSystem, check_wellformed_system};
use random::Random;

fn parsed(name: &str, text: &str) -> TransitionSystem {
    let system = ouro_formats::parse_transition_system(Path::new(name), text);
    let system = system.unwrap_or_else(|refused| panic!("{refused}\n{text}"));
    assert_eq!(check_wellformed_system(&system), Ok(()), "{text}");
    system
}

/// All pairs of numbers from `-most` to `most`.
fn pairs(most: i64) -> impl Iterator<Item = [i64; 2]> {
    (-most..=most).flat_map(move |a| (-most..=most).map(move |b| [a, b]))
}

fn inside(states: BTreeSet<Vec<i64>>, most: i64) -> BTreeSet<Vec<i64>> {
    states.into_iter().filter(|state| state.iter().all(|value| value.abs() <= most)).collect()
}

/// Variables 0 and 1 before the step, 2 and 3 after it, 4 and 5 existentials.
const NAMES: [&str; 6] = ["x", "y", "x1", "y1", "n", "m"];

/// A relation that often gives a variable its value.
fn relation(random: &mut Random, variables: &[usize]) -> Cond {
    let language = Language { variables, products: true, smt: true };
    let linear = Language { products: false, smt: false, ..language };
    let mut parts = vec![cond(random, language, 2)];
    for target in &variables[2..] {
        if random.below(3) > 0 {
            let factor = [1, 1, -1, 2][random.below(4)];
            let scaled = Int::Product(Box::new(Int::Number(factor)), Box::new(Int::Var(*target)));
            parts.push(Cond::Compare("=", scaled, int(random, linear, 2)));
        }
    }
    if random.below(2) == 0 {
        parts.reverse();
    }
    Cond::All(parts)
}

#[test]
fn smt_steps_are_exact() {
    let mut random = Random(0x5eed_0001);
    let (mut possible, mut simple) = (0, 0);
    for _ in 0..500 {
        let relation = match random.below(4) {
            0 | 1 => relation(&mut random, &[0, 1, 2, 3]),
            2 => Cond::Some(4, Box::new(relation(&mut random, &[0, 1, 2, 3, 4]))),
            _ => {
                let left = relation(&mut random, &[0, 1, 2, 3]);
                let right = Cond::Some(5, Box::new(relation(&mut random, &[0, 1, 2, 3, 5])));
                Cond::Any(vec![left, right])
            }
        };
        let text = format!(
            "(declare-sort Loc 0) (declare-const l Loc)
            (define-fun init_main ((pc Loc) (x Int) (y Int)) Bool (cfg_init pc l true))
            (define-fun next_main ((pc Loc) (x Int) (y Int) (pc1 Loc) (x1 Int) (y1 Int)) Bool
              (cfg_trans2 pc l pc1 l {}))",
            relation.smt(&NAMES)
        );
        let system = parsed("random.smt2", &text);
        let edge = &system.edges[EdgeId(0)];
        simple += usize::from(edge.choices.is_empty());
        for before in pairs(2) {
            let found = inside(after(&system, edge, &before, (-3, 3)), 3);
            let mut expected = BTreeSet::new();
            for next in pairs(3) {
                if relation.holds(&mut [before[0], before[1], next[0], next[1], 0, 0]) {
                    expected.insert(next.to_vec());
                }
            }
            assert_eq!(found, expected, "from {before:?} in\n{text}");
            possible += expected.len();
        }
    }
    assert!(possible > 10_000 && simple > 50, "{possible} steps, {simple} without choices");
}

#[test]
fn koat_steps_are_exact() {
    let mut random = Random(0x5eed_0002);
    let names = ["p", "q", "free"];
    let language = Language { variables: &[0, 1, 2], products: true, smt: false };
    let mut possible = 0;
    for _ in 0..500 {
        let results = [int(&mut random, language, 2), int(&mut random, language, 1)];
        let mut guard = vec![cond(&mut random, language, 2)];
        if random.below(2) == 0 {
            guard.push(Cond::Compare("=", Int::Var(2), int(&mut random, language, 1)));
        }
        guard.push(Cond::Compare("<=", Int::Var(2), Int::Number(3)));
        guard.push(Cond::Compare(">=", Int::Var(2), Int::Number(-3)));
        let guard = Cond::All(guard);
        let text = format!(
            "(STARTTERM (FUNCTIONSYMBOLS f)) (VAR p q)
            (RULES f(p, q) -> f({}, {}) :|: {})",
            results[0].infix(&names),
            results[1].infix(&names),
            guard.infix(&names)
        );
        let system = parsed("random.koat", &text);
        let edge = &system.edges[EdgeId(0)];
        for before in pairs(3) {
            let mut expected = BTreeSet::new();
            for free in -3..=3 {
                let mut state = [before[0], before[1], free];
                if guard.holds(&mut state) {
                    expected.insert(results.iter().map(|term| term.value(&mut state)).collect());
                }
            }
            let found = after(&system, edge, &before, (-3, 3));
            assert_eq!(found, expected, "from {before:?} in\n{text}");
            possible += expected.len();
        }
    }
    assert!(possible > 10_000, "{possible} steps");
}

enum Command {
    Assume(Cond),
    Assign(usize, Int),
    /// Any value between -2 and 2.
    Forget(usize),
}

fn run(commands: &[Command], mut state: [i64; 2], found: &mut BTreeSet<Vec<i64>>) {
    match commands.split_first() {
        None => {
            found.insert(state.to_vec());
        }
        Some((Command::Assume(condition), rest)) => {
            if condition.holds(&mut state) {
                run(rest, state, found);
            }
        }
        Some((Command::Assign(at, value), rest)) => {
            state[*at] = value.value(&mut state);
            run(rest, state, found);
        }
        Some((Command::Forget(at), rest)) => {
            for value in -2..=2 {
                state[*at] = value;
                run(rest, state, found);
            }
        }
    }
}

#[test]
fn t2_steps_are_exact() {
    let mut random = Random(0x5eed_0003);
    let names = ["a", "b"];
    let language = Language { variables: &[0, 1], products: false, smt: false };
    let mut possible = 0;
    for _ in 0..500 {
        let mut commands = Vec::new();
        let mut text = "START: 0; FROM: 0; a := a; b := b;\n".to_owned();
        for _ in 0..1 + random.below(6) {
            let at = random.below(2);
            let forgotten = commands.iter().filter(|c| matches!(c, Command::Forget(_))).count();
            match random.below(4) {
                0 => {
                    let condition = cond(&mut random, language, 2);
                    text += &format!("assume({});\n", condition.infix(&names));
                    commands.push(Command::Assume(condition));
                }
                1 if forgotten < 3 => {
                    let name = names[at];
                    text += &format!("{name} := nondet(); assume({name} >= -2 && {name} <= 2);\n");
                    commands.push(Command::Forget(at));
                }
                _ => {
                    let value = int(&mut random, language, 2);
                    text += &format!("{} := {};\n", names[at], value.infix(&names));
                    commands.push(Command::Assign(at, value));
                }
            }
        }
        text += "TO: 0;";
        let system = parsed("random.t2", &text);
        let edge = &system.edges[EdgeId(0)];
        for before in pairs(3) {
            let mut expected = BTreeSet::new();
            run(&commands, before, &mut expected);
            let found = after(&system, edge, &before, (-2, 2));
            assert_eq!(found, expected, "from {before:?} in\n{text}");
            possible += expected.len();
        }
    }
    assert!(possible > 10_000, "{possible} steps");
}
