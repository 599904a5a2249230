//! The same language with fewer states, transitions and marks.
//!
//! Every state costs the product with a program a copy of its loops, and every transition more than
//! one a guess, so it pays to look closely.

use std::collections::{BTreeMap, BTreeSet};

use super::automaton::{AutomatonTransition, BuchiAutomaton};

/// The reduced automaton.
pub(super) fn reduce_automaton(mut automaton: BuchiAutomaton) -> BuchiAutomaton {
    loop {
        let before = (automaton.states.clone(), automaton.marks);
        prune_states(&mut automaton);
        drop_useless_marks(&mut automaton);
        merge_equivalent_states(&mut automaton);
        drop_subsumed_transitions(&mut automaton);
        if before == (automaton.states.clone(), automaton.marks) {
            return automaton;
        }
    }
}

/// Numbers of the strongly connected parts, one for each state.
fn component_numbers(automaton: &BuchiAutomaton) -> Vec<usize> {
    // There are few states: whoever reaches each other is in one part.
    let count = automaton.states.len();
    let reach: Vec<BTreeSet<usize>> =
        (0..count).map(|from| reachable_states(automaton, from)).collect();
    (0..count)
        .map(|a| (0..a).find(|b| reach[a].contains(b) && reach[*b].contains(&a)).unwrap_or(a))
        .collect()
}

/// What can be reached in one step or more.
fn reachable_states(automaton: &BuchiAutomaton, from: usize) -> BTreeSet<usize> {
    let mut seen = BTreeSet::new();
    let mut open = vec![from];
    while let Some(state) = open.pop() {
        for transition in &automaton.states[state].transitions {
            if seen.insert(transition.to) {
                open.push(transition.to);
            }
        }
    }
    seen
}

/// Takes away states that no accepting run passes, and what leads to them.
fn prune_states(automaton: &mut BuchiAutomaton) {
    let parts = component_numbers(automaton);
    let accepting: BTreeSet<usize> = (parts.iter().copied())
        .filter(|part| {
            let inside = inner_transitions(automaton, &parts, *part);
            let passed: BTreeSet<u32> =
                inside.iter().flat_map(|transition| transition.marks.iter().copied()).collect();
            !inside.is_empty() && (0..automaton.marks).all(|mark| passed.contains(&mark))
        })
        .collect();
    let count = automaton.states.len();
    let live: Vec<bool> = (0..count)
        .map(|state| {
            accepting.contains(&parts[state])
                || reachable_states(automaton, state)
                    .iter()
                    .any(|to| accepting.contains(&parts[*to]))
        })
        .collect();
    let from_start = if count == 0 { BTreeSet::new() } else { reachable_states(automaton, 0) };
    let kept: Vec<usize> =
        (0..count).filter(|s| live[*s] && (*s == 0 || from_start.contains(s))).collect();
    if kept.first() != Some(&0) {
        automaton.states.clear();
        automaton.marks = 0;
        return;
    }
    let number: BTreeMap<usize, usize> =
        kept.iter().enumerate().map(|(new, old)| (*old, new)).collect();
    automaton.states = kept.iter().map(|old| automaton.states[*old].clone()).collect();
    for state in &mut automaton.states {
        state.transitions.retain(|transition| number.contains_key(&transition.to));
        for transition in &mut state.transitions {
            transition.to = number[&transition.to];
        }
    }
}

fn inner_transitions<'a>(
    automaton: &'a BuchiAutomaton,
    parts: &[usize],
    part: usize,
) -> Vec<&'a AutomatonTransition> {
    (automaton.states.iter().enumerate())
        .filter(|(state, _)| parts[*state] == part)
        .flat_map(|(_, state)| &state.transitions)
        .filter(|transition| parts[transition.to] == part)
        .collect()
}

/// Takes marks away that say nothing: those between parts, where no run is infinitely often, those in
/// parts that lack one, marks on every step that can be taken forever, and marks that come wherever
/// another comes.
fn drop_useless_marks(automaton: &mut BuchiAutomaton) {
    let parts = component_numbers(automaton);
    let all: BTreeSet<u32> = (0..automaton.marks).collect();
    let lacking: Vec<bool> = (0..automaton.states.len())
        .map(|part| {
            let inside = inner_transitions(automaton, &parts, part);
            let passed: BTreeSet<u32> =
                inside.iter().flat_map(|transition| transition.marks.iter().copied()).collect();
            passed != all
        })
        .collect();
    for (from, state) in automaton.states.iter_mut().enumerate() {
        for transition in &mut state.transitions {
            if parts[from] != parts[transition.to] || lacking[parts[from]] {
                transition.marks.clear();
            }
        }
    }
    let everywhere = |automaton: &BuchiAutomaton, small: u32, large: u32| {
        let mut transitions = automaton.states.iter().flat_map(|state| &state.transitions);
        transitions.all(|t| !t.marks.contains(&small) || t.marks.contains(&large))
    };
    let mut needed = all.clone();
    for mark in all {
        // Whatever goes on forever passes it: it excludes nothing.
        let mut inner =
            (0..automaton.states.len()).flat_map(|part| inner_transitions(automaton, &parts, part));
        if inner.all(|transition| transition.marks.contains(&mark)) {
            needed.remove(&mark);
            continue;
        }
        let others: Vec<u32> = needed.iter().copied().filter(|other| *other != mark).collect();
        if others.iter().any(|other| everywhere(automaton, *other, mark)) {
            needed.remove(&mark);
        }
    }
    let number: BTreeMap<u32, u32> = needed.iter().copied().zip(0..).collect();
    for transition in automaton.states.iter_mut().flat_map(|state| &mut state.transitions) {
        transition.marks = transition.marks.iter().filter_map(|m| number.get(m).copied()).collect();
    }
    automaton.marks = u32::try_from(needed.len()).unwrap_or(automaton.marks);
}

/// Makes one of states that go the same ways, to states that are the same in turn: first all are taken
/// for the same, then those are told apart that differ.
fn merge_equivalent_states(automaton: &mut BuchiAutomaton) {
    let mut class: Vec<usize> = vec![0; automaton.states.len()];
    loop {
        let mut known: BTreeMap<(usize, BTreeSet<AutomatonTransition>), usize> = BTreeMap::new();
        let finer: Vec<usize> = (automaton.states.iter().enumerate())
            .map(|(number, state)| {
                let ways = state
                    .transitions
                    .iter()
                    .map(|t| AutomatonTransition { to: class[t.to], ..t.clone() });
                // A class is called by its first state, so that its name is a state's.
                *known.entry((class[number], ways.collect())).or_insert(number)
            })
            .collect();
        if finer == class {
            break;
        }
        class = finer;
    }
    for state in &mut automaton.states {
        let to_first = |t: AutomatonTransition| AutomatonTransition { to: class[t.to], ..t };
        let unique: BTreeSet<AutomatonTransition> =
            state.transitions.drain(..).map(to_first).collect();
        state.transitions.extend(unique);
    }
    // Those that are not the first of their class are not reached any more.
    prune_states(automaton);
}

/// Takes transitions away beside which another goes to the same state, asks for less and has more marks.
fn drop_subsumed_transitions(automaton: &mut BuchiAutomaton) {
    for state in &mut automaton.states {
        let all = state.transitions.clone();
        let covers = |a: &AutomatonTransition, b: &AutomatonTransition| {
            a != b
                && a.to == b.to
                && a.holds.is_subset(&b.holds)
                && a.fails.is_subset(&b.fails)
                && a.marks.is_superset(&b.marks)
        };
        state.transitions.retain(|one| !all.iter().any(|other| covers(other, one)));
        join_transitions(&mut state.transitions);
    }
}

/// Joins two transitions that differ only in one atom, which holds for one and fails for the other.
fn join_transitions(transitions: &mut Vec<AutomatonTransition>) {
    'again: loop {
        for i in 0..transitions.len() {
            for j in i + 1..transitions.len() {
                let (a, b) = (&transitions[i], &transitions[j]);
                if a.to != b.to || a.marks != b.marks {
                    continue;
                }
                let (holds, fails) = (&a.holds | &a.fails, &b.holds | &b.fails);
                let differ: BTreeSet<u32> = &a.holds ^ &b.holds;
                if let ([atom], true) =
                    (&differ.iter().copied().collect::<Vec<_>>()[..], holds == fails)
                    && (a.fails.contains(atom) != b.fails.contains(atom))
                {
                    let mut joined = a.clone();
                    joined.holds.remove(atom);
                    joined.fails.remove(atom);
                    transitions.remove(j);
                    transitions[i] = joined;
                    continue 'again;
                }
            }
        }
        return;
    }
}
