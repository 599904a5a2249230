//! Which words a formula accepts, as a generalised Büchi automaton with marks on its transitions.
//!
//! A state is what the rest of the word has to satisfy: a set of formulas, all of them. A transition
//! is one way to satisfy them now: literals that the letter must have, and what is left for the rest.
//! `a U b` is satisfied by `b`, or by `a` and itself again; the second *puts it off*. A word is accepted
//! if a run on it puts no `U` off forever, so each `U` has a mark, on the transitions that do not put it
//! off, and a run must pass every mark infinitely often. (J.-M. Couvreur, On-the-fly verification of
//! linear temporal logic, FM 1999.)

use std::collections::{BTreeMap, BTreeSet};

use super::formula::Formula;
use super::reduce;

/// An automaton. Runs start in state 0; with no states it accepts nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Automaton {
    /// Its states.
    pub states: Vec<State>,
    /// How many marks there are; a run must pass each of them infinitely often.
    pub marks: u32,
}

/// A state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    /// What the rest of the word has to satisfy, and what satisfies it.
    pub rest: Formula,
    /// Where it can go.
    pub transitions: Vec<Transition>,
}

/// One step.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Transition {
    /// Atoms that must hold.
    pub holds: BTreeSet<u32>,
    /// Atoms that must not hold.
    pub fails: BTreeSet<u32>,
    /// Marks that it passes.
    pub marks: BTreeSet<u32>,
    /// Where it goes.
    pub to: usize,
}

/// How many states an automaton may have, before it is made smaller.
const MOST_STATES: usize = 400;
/// How many ways there may be to satisfy a state.
const MOST_WAYS: usize = 4000;

/// What has to be satisfied.
type Duties = BTreeSet<Formula>;

/// One way to satisfy some duties now.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
struct Way {
    holds: BTreeSet<u32>,
    fails: BTreeSet<u32>,
    next: Duties,
    put_off: BTreeSet<Formula>,
}

impl Automaton {
    /// The automaton of a formula; none if it becomes too large.
    pub fn of(formula: &Formula) -> Option<Automaton> {
        let mut numbers: BTreeMap<Duties, usize> = BTreeMap::new();
        let mut found: Vec<(Duties, Vec<Way>)> = Vec::new();
        let mut untils = BTreeSet::new();
        let mut pending = vec![duties(formula)];
        numbers.insert(pending[0].clone(), 0);
        let mut at = 0;
        while at < pending.len() {
            let state = pending[at].clone();
            let ways = ways(&state)?;
            for way in &ways {
                untils.extend(way.put_off.iter().cloned());
                if !numbers.contains_key(&way.next) {
                    numbers.insert(way.next.clone(), pending.len());
                    pending.push(way.next.clone());
                }
            }
            if pending.len() > MOST_STATES {
                return None;
            }
            found.push((state, ways));
            at += 1;
        }
        let untils: Vec<Formula> = untils.into_iter().collect();
        let states = found.into_iter().map(|(state, ways)| State {
            rest: Formula::and(state),
            transitions: (ways.into_iter())
                .map(|way| Transition {
                    to: numbers[&way.next],
                    holds: way.holds,
                    fails: way.fails,
                    marks: (0..)
                        .zip(&untils)
                        .filter(|(_, u)| !way.put_off.contains(u))
                        .map(|(n, _)| n)
                        .collect(),
                })
                .collect(),
        });
        let marks = u32::try_from(untils.len()).ok()?;
        Some(reduce::reduced(Automaton { states: states.collect(), marks }))
    }
}

/// A formula as a set of duties.
fn duties(formula: &Formula) -> Duties {
    match formula {
        Formula::True => Duties::new(),
        Formula::And(parts) => parts.iter().cloned().collect(),
        other => Duties::from([other.clone()]),
    }
}

/// All ways to satisfy some duties, without those that another makes superfluous.
fn ways(state: &Duties) -> Option<Vec<Way>> {
    let mut done: BTreeSet<Way> = BTreeSet::new();
    let mut open: Vec<(Vec<Formula>, Way)> =
        vec![(state.iter().cloned().collect(), Way::default())];
    while let Some((mut todo, mut way)) = open.pop() {
        if open.len() + done.len() > MOST_WAYS {
            return None;
        }
        let Some(duty) = todo.pop() else {
            done.insert(way);
            continue;
        };
        match duty {
            Formula::True => open.push((todo, way)),
            Formula::False => {}
            Formula::Literal { atom, positive } => {
                let (into, against) = match positive {
                    true => (&mut way.holds, &way.fails),
                    false => (&mut way.fails, &way.holds),
                };
                if !against.contains(&atom) {
                    into.insert(atom);
                    open.push((todo, way));
                }
            }
            Formula::And(parts) => {
                todo.extend(parts);
                open.push((todo, way));
            }
            Formula::Or(parts) => {
                for part in parts {
                    let mut todo = todo.clone();
                    todo.push(part);
                    open.push((todo, way.clone()));
                }
            }
            Formula::Next(inner) => {
                way.next.extend(duties(&inner));
                open.push((todo, way));
            }
            Formula::Until(ref left, ref right) => {
                let (mut now, mut later) = (todo.clone(), todo);
                now.push((**right).clone());
                open.push((now, way.clone()));
                later.push((**left).clone());
                way.next.insert(duty.clone());
                way.put_off.insert(duty);
                open.push((later, way));
            }
            Formula::Release(ref left, ref right) => {
                let (mut now, mut later) = (todo.clone(), todo);
                now.extend([(**left).clone(), (**right).clone()]);
                open.push((now, way.clone()));
                later.push((**right).clone());
                way.next.insert(duty);
                open.push((later, way));
            }
        }
    }
    let done: Vec<Way> = done.into_iter().collect();
    let needed = (done.iter().enumerate())
        .filter(|(i, way)| !done.iter().enumerate().any(|(j, other)| *i != j && other.covers(way)))
        .map(|(_, way)| way.clone());
    Some(needed.collect())
}

impl Way {
    /// Whether whatever goes the other way can go this way: it asks for less now and later, and puts
    /// off less. Of two equal ways there is only one, so no two cover each other.
    fn covers(&self, other: &Way) -> bool {
        self.holds.is_subset(&other.holds)
            && self.fails.is_subset(&other.fails)
            && self.next.is_subset(&other.next)
            && self.put_off.is_subset(&other.put_off)
    }
}
