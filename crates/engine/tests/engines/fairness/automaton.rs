//! Small automata with a counter, the truth about them, and the programs that they are.
//!
//! The truth is found here, by enumerating all states and looking for a strongly connected part in
//! which each pair is met. Nothing of Ouro is used for that.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// The counter goes from 0 to this.
pub(crate) const MOST: u32 = 3;

/// Where a step leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum To {
    State(usize),
    Exit,
    Violation,
}

/// What a step does with the counter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Count {
    Keep,
    /// Only possible if it is not the most.
    Up,
    /// Only possible if it is not zero.
    Down,
    Set(u32),
}

/// A step.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// Only possible if the counter is this.
    pub(crate) only_at: Option<u32>,
    pub(crate) count: Count,
    pub(crate) events: Vec<u32>,
    pub(crate) to: To,
}

/// A pair: `None` for a p that always comes.
pub(crate) type Pair = (Option<Vec<u32>>, Vec<u32>);

/// An automaton that starts in state 0 with the counter 0, and the pairs that its fair runs meet.
#[derive(Clone, Debug)]
pub(crate) struct Automaton {
    pub(crate) states: Vec<Vec<Step>>,
    pub(crate) pairs: Vec<Pair>,
    pub(crate) events: u32,
}

type Edge<'a> = (usize, usize, &'a [u32]);

impl Step {
    /// The counter after the step, if it is possible.
    fn after(&self, counter: u32) -> Option<u32> {
        if self.only_at.is_some_and(|only| only != counter) {
            return None;
        }
        match self.count {
            Count::Keep => Some(counter),
            Count::Up => (counter < MOST).then(|| counter + 1),
            Count::Down => counter.checked_sub(1),
            Count::Set(to) => Some(to),
        }
    }
}

impl Automaton {
    /// Whether no run comes to a violation and no infinite run is fair.
    pub(crate) fn holds(&self) -> bool {
        let mut index: BTreeMap<(usize, u32), usize> = BTreeMap::from([((0, 0), 0)]);
        let mut pending = vec![(0, 0)];
        let mut edges: Vec<Edge<'_>> = Vec::new();
        while let Some((state, counter)) = pending.pop() {
            let from = index[&(state, counter)];
            for step in &self.states[state] {
                let Some(after) = step.after(counter) else { continue };
                let next = match step.to {
                    To::Violation => return false,
                    To::Exit => continue,
                    To::State(next) => (next, after),
                };
                let count = index.len();
                let to = *index.entry(next).or_insert_with(|| {
                    pending.push(next);
                    count
                });
                edges.push((from, to, &step.events));
            }
        }
        !self.has_fair_part(index.len(), edges)
    }

    /// Whether some infinite walk along the edges meets every pair (Streett, by taking parts apart).
    fn has_fair_part(&self, nodes: usize, edges: Vec<Edge<'_>>) -> bool {
        let part = components(nodes, &edges);
        let mut parts: BTreeMap<usize, Vec<Edge<'_>>> = BTreeMap::new();
        for edge in edges {
            if part[edge.0] == part[edge.1] {
                parts.entry(part[edge.0]).or_default().push(edge);
            }
        }
        parts.into_values().any(|inside| {
            let has = |wanted: &[u32], events: &[u32]| events.iter().any(|e| wanted.contains(e));
            let has_p = |pair: &Pair, events: &[u32]| match &pair.0 {
                None => true,
                Some(p) => has(p, events),
            };
            let unmet: Vec<&Pair> = (self.pairs.iter())
                .filter(|pair| inside.iter().any(|edge| has_p(pair, edge.2)))
                .filter(|pair| !inside.iter().any(|edge| has(&pair.1, edge.2)))
                .collect();
            if unmet.is_empty() {
                return true;
            }
            let without_p = |edge: &Edge<'_>| !unmet.iter().any(|pair| has_p(pair, edge.2));
            let rest: Vec<Edge<'_>> = inside.into_iter().filter(without_p).collect();
            !rest.is_empty() && self.has_fair_part(nodes, rest)
        })
    }

    /// The program, in the text form of the model. Its states are blocks, or values of a variable.
    pub(crate) fn program(&self, in_data: bool) -> String {
        let mut text = "program 1\ntarget 64\nfile \"a.c\"\nliveness\n".to_owned();
        for event in 0..self.events {
            let _ = writeln!(text, "event \"e{event}\"");
        }
        text += "obligation \"never\"\n";
        for (number, (p, q)) in self.pairs.iter().enumerate() {
            let p = p.as_ref().map_or("always".to_owned(), |p| format!("{p:?}"));
            let _ = writeln!(text, "fair \"pair {number}\" {p} {q:?}");
        }
        text += "entry f0\n\nfn f0 \"main\" () -> () user @1:1 {\n";
        text += "  v0 i32 \"state\" user\n  v1 i32 \"counter\" user\n  v2 i32 temp\n  v3 i1 temp\n";
        text += "b0:\n  v0 = i32 0\n  v1 = i32 0\n  goto b2\n";
        text += "b1:\n  exit i32 0\n";
        // The loop head, then the states, then the steps.
        let first_step = 3 + self.states.len();
        let cases = |blocks: &[usize]| {
            let each = blocks.iter().enumerate().map(|(case, block)| format!("{case}: b{block}"));
            each.collect::<Vec<_>>().join(", ")
        };
        let states: Vec<usize> = (0..self.states.len()).map(|state| 3 + state).collect();
        match in_data {
            true => text += &format!("b2:\n  switch v0 [{}] b1 @2:1\n", cases(&states)),
            false => text += "b2:\n  goto b3\n",
        }
        let mut steps = String::new();
        let mut next = first_step;
        for (state, out) in self.states.iter().enumerate() {
            let blocks: Vec<usize> = (next..next + out.len()).collect();
            let line = 10 + state;
            let _ = writeln!(text, "b{}:\n  v2 = choice function \"pick\" @{line}:1", 3 + state);
            let _ = writeln!(text, "  switch v2 [{}] b1 @{line}:2", cases(&blocks));
            for step in out {
                let _ = writeln!(steps, "b{next}:");
                write_step(&mut steps, step, in_data);
                next += 1;
            }
        }
        // Picking no step ends the run.
        text + &steps + "}\n"
    }
}

fn write_step(text: &mut String, step: &Step, in_data: bool) {
    if let Some(only) = step.only_at {
        let _ = writeln!(text, "  v3 = eq v1, i32 {only}\n  assume v3");
    }
    match step.count {
        Count::Keep => {}
        Count::Up => {
            let _ = writeln!(text, "  v3 = slt v1, i32 {MOST}\n  assume v3");
            *text += "  v1 = add.s v1, i32 1\n";
        }
        Count::Down => {
            *text += "  v3 = slt i32 0, v1\n  assume v3\n  v1 = sub.s v1, i32 1\n";
        }
        Count::Set(to) => {
            let _ = writeln!(text, "  v1 = i32 {to}");
        }
    }
    for event in &step.events {
        let _ = writeln!(text, "  call builtin event(i32 {event})");
    }
    match step.to {
        To::Exit => *text += "  goto b1\n",
        To::Violation => *text += "  call builtin violation(i32 0)\n  goto b1\n",
        To::State(to) if in_data => {
            let _ = writeln!(text, "  v0 = i32 {to}\n  goto b2");
        }
        To::State(to) => {
            let _ = writeln!(text, "  goto b{}", 3 + to);
        }
    }
}

/// For each node the least node that it reaches and that reaches it.
fn components(nodes: usize, edges: &[Edge<'_>]) -> Vec<usize> {
    let reached: Vec<BTreeSet<usize>> = (0..nodes)
        .map(|start| {
            let mut seen = BTreeSet::from([start]);
            let mut pending = vec![start];
            while let Some(at) = pending.pop() {
                for (_, to, _) in edges.iter().filter(|edge| edge.0 == at) {
                    if seen.insert(*to) {
                        pending.push(*to);
                    }
                }
            }
            seen
        })
        .collect();
    let least = |at: usize| *reached[at].iter().find(|b| reached[**b].contains(&at)).unwrap_or(&at);
    (0..nodes).map(least).collect()
}
