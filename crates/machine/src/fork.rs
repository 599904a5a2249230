//! Where the run stops because something depends on a symbolic value, and how it goes on.

use std::rc::Rc;

use ouro_term::{Term, TermStore};

use crate::arith::truth_formula;
use crate::code::CompiledSwitch;
use crate::{ForkAlternative, Machine, MachineState, MachineValue, NeededValue};

impl Machine {
    /// Takes one of the alternatives of a fork.
    pub fn take_alternative(&self, state: &mut MachineState, alternative: ForkAlternative) {
        if let Some(unfolding) = alternative.unfolding {
            // The instruction is done again.
            self.unfold_segment(state, unfolding);
            return;
        }
        let frame = state.frames.last_mut().expect("a forking state has a frame");
        Rc::make_mut(frame).pc = alternative.target;
        state.steps += 1;
    }

    /// Gives the value of a term that an instruction needed; the instruction is done again.
    pub fn concretise_need(&self, state: &mut MachineState, need: NeededValue, bits: u64) {
        let frame = state.frames.last_mut().expect("a state in need has a frame");
        let value = MachineValue::with_provenance(bits, need.provenance);
        Rc::make_mut(frame).registers[need.register as usize] = value;
    }
}

/// The ways on from a branch on a symbolic value.
pub(crate) fn fork_branch(
    terms: &mut TermStore,
    value: MachineValue,
    then: u32,
    otherwise: u32,
) -> Vec<ForkAlternative> {
    let condition = truth_formula(terms, value);
    let opposite = terms.not(condition);
    vec![
        ForkAlternative { condition, target: then, unfolding: None },
        ForkAlternative { condition: opposite, target: otherwise, unfolding: None },
    ]
}

/// The ways on from a switch, one for each target; the conditions are those of the cases.
pub(crate) fn fork_switch(
    terms: &mut TermStore,
    switch: &CompiledSwitch,
    conditions: &[Term],
) -> Vec<ForkAlternative> {
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
            alternatives.push(ForkAlternative { condition, target, unfolding: None });
        }
    }
    alternatives
}
