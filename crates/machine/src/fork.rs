//! Where the run stops because something depends on a symbolic value, and how it goes on.

use std::rc::Rc;

use ouro_term::{Term, Terms};

use crate::arith::truth;
use crate::code::Switch;
use crate::{Alternative, Machine, Need, State, Value};

impl Machine {
    /// Takes one of the alternatives of a fork.
    pub fn take(&self, state: &mut State, alternative: Alternative) {
        if let Some(unfolding) = alternative.unfolding {
            // The instruction is done again.
            self.unfold(state, unfolding);
            return;
        }
        let frame = state.frames.last_mut().expect("a forking state has a frame");
        Rc::make_mut(frame).pc = alternative.target;
        state.steps += 1;
    }

    /// Gives the value of a term that an instruction needed; the instruction is done again.
    pub fn concretise(&self, state: &mut State, need: Need, bits: u64) {
        let frame = state.frames.last_mut().expect("a state in need has a frame");
        let value = Value::with_provenance(bits, need.provenance);
        Rc::make_mut(frame).registers[need.register as usize] = value;
    }
}

/// The ways on from a branch on a symbolic value.
pub(crate) fn fork_branch(
    terms: &mut Terms,
    value: Value,
    then: u32,
    otherwise: u32,
) -> Vec<Alternative> {
    let condition = truth(terms, value);
    let opposite = terms.not(condition);
    vec![
        Alternative { condition, target: then, unfolding: None },
        Alternative { condition: opposite, target: otherwise, unfolding: None },
    ]
}

/// The ways on from a switch, one for each target; the conditions are those of the cases.
pub(crate) fn fork_switch(
    terms: &mut Terms,
    switch: &Switch,
    conditions: &[Term],
) -> Vec<Alternative> {
    let mut targets: Vec<u32> = switch.cases.iter().map(|c| c.1).collect();
    targets.push(switch.default);
    targets.sort_unstable();
    targets.dedup();
    let mut alternatives = Vec::new();
    for target in targets {
        let mut ways: Vec<Term> = Vec::new();
        for ((_, to), equal) in switch.cases.iter().zip(conditions) {
            if *to == target {
                ways.push(*equal);
            }
        }
        if target == switch.default {
            let mut none: Vec<Term> = Vec::new();
            for ((_, to), equal) in switch.cases.iter().zip(conditions) {
                if *to != target {
                    none.push(terms.not(*equal));
                }
            }
            // Cases that lead where the default leads need not be told apart from it.
            ways = vec![terms.and_all(&none)];
        }
        let condition = terms.or_all(&ways);
        if terms.as_bool(condition) != Some(false) {
            alternatives.push(Alternative { condition, target, unfolding: None });
        }
    }
    alternatives
}
