//! A run in a closed set, followed on the concrete machine. The proof does not need it: if a run
//! from the first head ends, then something that the proof rests on is wrong.

use std::time::Instant;

use num_traits::ToPrimitive;
use ouro_machine::{
    ChoiceRequest, FoldScope, Machine, MachineState, MachineStop, MachineValue, RunEnd,
    RunEnvironment, SegmentLink,
};
use ouro_model::Program;
use ouro_solver::clock;
use ouro_term::{
    Assignment, Constant, Sort, Term, TermEvaluator, TermOp, TermStore, sign_extend, width_mask,
};

use crate::EvidenceRejection;
use crate::limits::LIMITS;
use crate::pattern::HeadPattern;
use crate::replay::describe_end;

/// Follows the run from the first head.
pub(crate) fn run_onward(
    program: &Program,
    machine: &Machine,
    terms: &mut TermStore,
    heads: &[HeadPattern],
    links: &[SegmentLink],
    mut state: MachineState,
    deadline: Instant,
) -> Result<(), EvidenceRejection> {
    let mut onward = OnwardEnvironment {
        heads,
        links,
        // Without choices nobody needs to know at which head the run is.
        listens: heads.iter().any(|head| !head.choices.is_empty()),
        choices: Vec::new(),
        undecided: false,
    };
    let end = state.steps.saturating_add(LIMITS.further_steps);
    let most = if links.is_empty() { LIMITS.further_arrivals } else { LIMITS.folded_arrivals };
    let mut arrivals = 0;
    onward.arrive_at_head(machine, terms, &state);
    while state.steps < end && arrivals < most {
        if clock::budget_now() >= deadline {
            return Err(EvidenceRejection::time_ran_out());
        }
        let until = end.min(state.steps + LIMITS.steps_between_looks);
        match machine.run_until(&mut state, terms, &mut onward, until) {
            MachineStop::Steps => {}
            MachineStop::Mark => {
                arrivals += 1;
                onward.arrive_at_head(machine, terms, &state);
            }
            // What depends on a value that nobody knows cannot be followed, only proved.
            _ if onward.undecided => return Ok(()),
            MachineStop::Fork(..) | MachineStop::Concretise(..) => return Ok(()),
            // A number that C's types do not have, where integers are unbounded.
            MachineStop::End(RunEnd::Limit(_), _) => return Ok(()),
            MachineStop::End(end, at) => {
                return Err(EvidenceRejection::new(format!(
                    "the run ends after {} steps: {}",
                    state.steps,
                    describe_end(program, &end, at)
                )));
            }
        }
    }
    Ok(())
}

struct OnwardEnvironment<'a> {
    heads: &'a [HeadPattern],
    links: &'a [SegmentLink],
    listens: bool,
    /// The choices up to the next head, the last first.
    choices: Vec<Term>,
    undecided: bool,
}

impl OnwardEnvironment<'_> {
    /// Computes the choices at a head; a state that is at none keeps those that are left.
    fn arrive_at_head(&mut self, machine: &Machine, terms: &mut TermStore, state: &MachineState) {
        // The run itself goes on with the lists that it has.
        let mut folded = state.clone();
        machine.fold_lists(&mut folded, terms, self.links, FoldScope::Heap);
        for head in self.heads {
            if head.state.position() != state.position() {
                continue;
            }
            let Some((conditions, values)) = head.match_state(machine, terms, &folded) else {
                continue;
            };
            let mut known = Assignment::new();
            for (symbol, value) in values {
                if let (TermOp::Symbol(id), Some(value)) =
                    (terms.op(symbol).clone(), terms.as_constant(value))
                {
                    known.set(id, value);
                }
            }
            let mut evaluator = TermEvaluator::new(terms, &known);
            if conditions.iter().any(|c| evaluator.evaluate_formula(*c) != Some(true)) {
                continue;
            }
            let chosen: Vec<_> =
                head.choices.iter().rev().filter_map(|c| evaluator.evaluate_term(*c)).collect();
            self.choices = chosen.into_iter().map(|value| terms.constant(value)).collect();
            return;
        }
    }
}

impl RunEnvironment for OnwardEnvironment<'_> {
    /// A choice that was left open is zero.
    fn provide_choice(
        &mut self,
        terms: &mut TermStore,
        request: ChoiceRequest<'_>,
    ) -> Option<MachineValue> {
        let zero = terms.bv(request.width, 0);
        let chosen = self.choices.pop().unwrap_or(zero);
        match terms.as_constant(chosen) {
            Some(Constant::Int(number)) => {
                // One that does not fit C's type can be reasoned about, but not given.
                let bits = number.to_i128().map(|n| n.cast_unsigned() & width_mask(request.width));
                let fits =
                    bits.is_some_and(|bits| number == sign_extend(request.width, bits).into());
                self.undecided |= !fits;
                let term = terms.bv(request.width, bits.filter(|_| fits)?);
                Some(MachineValue::from_term(terms, term))
            }
            _ if terms.sort(chosen) == Sort::BitVec(request.width) => {
                Some(MachineValue::from_term(terms, chosen))
            }
            _ => Some(MachineValue::from_term(terms, zero)),
        }
    }

    fn provide_unknown(
        &mut self,
        terms: &mut TermStore,
        sort: Sort,
        _why: &str,
    ) -> Option<MachineValue> {
        let term = terms.fresh_symbol("unknown", sort);
        Some(MachineValue::from_term(terms, term))
    }

    fn assume(&mut self, _condition: Term) {
        self.undecided = true;
    }

    fn restrict_coverage(&mut self, _condition: Term, _why: &str) {
        self.undecided = true;
    }

    fn reach_mark(&mut self, state: &mut MachineState) -> bool {
        self.listens && self.heads.iter().any(|h| h.state.position() == state.position())
    }
}
