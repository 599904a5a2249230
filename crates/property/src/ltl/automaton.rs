//! Which words a formula accepts, as a generalised Büchi automaton with marks on its transitions.
//!
//! A state is what the rest of the word has to satisfy: a set of formulas, all of them. A transition
//! is one way to satisfy them now: literals that the letter must have, and what is left for the rest.
//! `a U b` is satisfied by `b`, or by `a` and itself again; the second *puts it off*. A word is accepted
//! if a run on it puts no `U` off forever, so each `U` has a mark, on the transitions that do not put it
//! off, and a run must pass every mark infinitely often. (J.-M. Couvreur, On-the-fly verification of
//! linear temporal logic, FM 1999.)

use std::collections::{BTreeMap, BTreeSet};

use super::formula::NegationNormalForm;
use super::reduce;
use crate::limits::LIMITS;

/// An automaton. Runs start in state 0; with no states it accepts nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BuchiAutomaton {
    /// Its states.
    pub states: Vec<AutomatonState>,
    /// How many marks there are; a run must pass each of them infinitely often.
    pub marks: u32,
}

/// A state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AutomatonState {
    /// What the rest of the word has to satisfy, and what satisfies it.
    pub rest: NegationNormalForm,
    /// Where it can go.
    pub transitions: Vec<AutomatonTransition>,
}

/// One step.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct AutomatonTransition {
    /// Atoms that must hold.
    pub holds: BTreeSet<u32>,
    /// Atoms that must not hold.
    pub fails: BTreeSet<u32>,
    /// Marks that it passes.
    pub marks: BTreeSet<u32>,
    /// Where it goes.
    pub to: usize,
}

/// What has to be satisfied.
type PendingFormulas = BTreeSet<NegationNormalForm>;

/// One way to satisfy some duties now.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
struct TableauCase {
    holds: BTreeSet<u32>,
    fails: BTreeSet<u32>,
    next: PendingFormulas,
    put_off: BTreeSet<NegationNormalForm>,
}

impl BuchiAutomaton {
    /// The automaton of a formula; none if it becomes too large.
    pub fn of_formula(formula: &NegationNormalForm) -> Option<BuchiAutomaton> {
        let mut numbers: BTreeMap<PendingFormulas, usize> = BTreeMap::new();
        let mut found: Vec<(PendingFormulas, Vec<TableauCase>)> = Vec::new();
        let mut untils = BTreeSet::new();
        let mut pending = vec![split_conjunction(formula)];
        numbers.insert(pending[0].clone(), 0);
        let mut at = 0;
        while at < pending.len() {
            let state = pending[at].clone();
            let ways = tableau_cases(&state)?;
            for way in &ways {
                untils.extend(way.put_off.iter().cloned());
                if !numbers.contains_key(&way.next) {
                    numbers.insert(way.next.clone(), pending.len());
                    pending.push(way.next.clone());
                }
            }
            if pending.len() > LIMITS.automaton_states {
                return None;
            }
            found.push((state, ways));
            at += 1;
        }
        let untils: Vec<NegationNormalForm> = untils.into_iter().collect();
        let states = found.into_iter().map(|(state, ways)| AutomatonState {
            rest: NegationNormalForm::and(state),
            transitions: (ways.into_iter())
                .map(|way| AutomatonTransition {
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
        Some(reduce::reduce_automaton(BuchiAutomaton { states: states.collect(), marks }))
    }
}

/// A formula as a set of duties.
fn split_conjunction(formula: &NegationNormalForm) -> PendingFormulas {
    match formula {
        NegationNormalForm::True => PendingFormulas::new(),
        NegationNormalForm::And(parts) => parts.iter().cloned().collect(),
        other => PendingFormulas::from([other.clone()]),
    }
}

/// All ways to satisfy some duties, without those that another makes superfluous.
fn tableau_cases(state: &PendingFormulas) -> Option<Vec<TableauCase>> {
    let mut done: BTreeSet<TableauCase> = BTreeSet::new();
    let mut open: Vec<(Vec<NegationNormalForm>, TableauCase)> =
        vec![(state.iter().cloned().collect(), TableauCase::default())];
    while let Some((mut todo, mut way)) = open.pop() {
        if open.len() + done.len() > LIMITS.automaton_ways {
            return None;
        }
        let Some(duty) = todo.pop() else {
            done.insert(way);
            continue;
        };
        match duty {
            NegationNormalForm::True => open.push((todo, way)),
            NegationNormalForm::False => {}
            NegationNormalForm::Literal { atom, positive } => {
                let (into, against) = match positive {
                    true => (&mut way.holds, &way.fails),
                    false => (&mut way.fails, &way.holds),
                };
                if !against.contains(&atom) {
                    into.insert(atom);
                    open.push((todo, way));
                }
            }
            NegationNormalForm::And(parts) => {
                todo.extend(parts);
                open.push((todo, way));
            }
            NegationNormalForm::Or(parts) => {
                for part in parts {
                    let mut todo = todo.clone();
                    todo.push(part);
                    open.push((todo, way.clone()));
                }
            }
            NegationNormalForm::Next(inner) => {
                way.next.extend(split_conjunction(&inner));
                open.push((todo, way));
            }
            NegationNormalForm::Until(ref left, ref right) => {
                let (mut now, mut later) = (todo.clone(), todo);
                now.push((**right).clone());
                open.push((now, way.clone()));
                later.push((**left).clone());
                way.next.insert(duty.clone());
                way.put_off.insert(duty);
                open.push((later, way));
            }
            NegationNormalForm::Release(ref left, ref right) => {
                let (mut now, mut later) = (todo.clone(), todo);
                now.extend([(**left).clone(), (**right).clone()]);
                open.push((now, way.clone()));
                later.push((**right).clone());
                way.next.insert(duty);
                open.push((later, way));
            }
        }
    }
    let done: Vec<TableauCase> = done.into_iter().collect();
    let needed = (done.iter().enumerate())
        .filter(|(i, way)| {
            !done.iter().enumerate().any(|(j, other)| *i != j && other.subsumes(way))
        })
        .map(|(_, way)| way.clone());
    Some(needed.collect())
}

impl TableauCase {
    /// Whether whatever goes the other way can go this way: it asks for less now and later, and puts
    /// off less. Of two equal ways there is only one, so no two cover each other.
    fn subsumes(&self, other: &TableauCase) -> bool {
        self.holds.is_subset(&other.holds)
            && self.fails.is_subset(&other.fails)
            && self.next.is_subset(&other.next)
            && self.put_off.is_subset(&other.put_off)
    }
}
