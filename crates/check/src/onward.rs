//! A run in a closed set, followed on the concrete machine. The proof does not need it: if a run
//! from the first head ends, then something that the proof rests on is wrong.

use std::time::Instant;

use num_traits::ToPrimitive;
use ouro_machine::{Among, ChoiceRequest, End, Environment, Link, Machine, State, Stop, Value};
use ouro_model::Program;
use ouro_solver::clock;
use ouro_term::{Assignment, Constant, Evaluator, Op, Sort, Term, Terms, mask, sign_extend};

use crate::Rejection;
use crate::pattern::Pattern;
use crate::replay::describe;

/// How far the run is followed.
const FURTHER: u64 = 1_000_000;
/// Steps between two looks at the clock.
const SLICE: u64 = 100_000;
/// Heads at which the choices are computed.
const MOST_ARRIVALS: usize = 10_000;
/// The same where lists grow, and have to be folded each time.
const MOST_FOLDED_ARRIVALS: usize = 300;

/// Follows the run from the first head.
pub(crate) fn run_on(
    program: &Program,
    machine: &Machine,
    terms: &mut Terms,
    heads: &[Pattern],
    links: &[Link],
    mut state: State,
    deadline: Instant,
) -> Result<(), Rejection> {
    let mut onward = Onward {
        heads,
        links,
        // Without choices nobody needs to know at which head the run is.
        listens: heads.iter().any(|head| !head.choices.is_empty()),
        choices: Vec::new(),
        undecided: false,
    };
    let end = state.steps.saturating_add(FURTHER);
    let most = if links.is_empty() { MOST_ARRIVALS } else { MOST_FOLDED_ARRIVALS };
    let mut arrivals = 0;
    onward.arrive(machine, terms, &state);
    while state.steps < end && arrivals < most {
        if clock::now() >= deadline {
            return Err(Rejection::time());
        }
        let until = end.min(state.steps + SLICE);
        match machine.run(&mut state, terms, &mut onward, until) {
            Stop::Steps => {}
            Stop::Mark => {
                arrivals += 1;
                onward.arrive(machine, terms, &state);
            }
            // What depends on a value that nobody knows cannot be followed, only proved.
            _ if onward.undecided => return Ok(()),
            Stop::Fork(..) | Stop::Concretise(..) => return Ok(()),
            // A number that C's types do not have, where integers are unbounded.
            Stop::End(End::Limit(_), _) => return Ok(()),
            Stop::End(end, at) => {
                return Err(Rejection::new(format!(
                    "the run ends after {} steps: {}",
                    state.steps,
                    describe(program, &end, at)
                )));
            }
        }
    }
    Ok(())
}

struct Onward<'a> {
    heads: &'a [Pattern],
    links: &'a [Link],
    listens: bool,
    /// The choices up to the next head, the last first.
    choices: Vec<Term>,
    undecided: bool,
}

impl Onward<'_> {
    /// Computes the choices at a head; a state that is at none keeps those that are left.
    fn arrive(&mut self, machine: &Machine, terms: &mut Terms, state: &State) {
        // The run itself goes on with the lists that it has.
        let mut folded = state.clone();
        machine.fold(&mut folded, terms, self.links, Among::Heap);
        for head in self.heads {
            if head.state.position() != state.position() {
                continue;
            }
            let Some((conditions, values)) = head.fit(machine, terms, &folded) else { continue };
            let mut known = Assignment::new();
            for (symbol, value) in values {
                if let (Op::Symbol(id), Some(value)) =
                    (terms.op(symbol).clone(), terms.as_constant(value))
                {
                    known.set(id, value);
                }
            }
            let mut evaluator = Evaluator::new(terms, &known);
            if conditions.iter().any(|c| evaluator.holds(*c) != Some(true)) {
                continue;
            }
            let chosen: Vec<_> =
                head.choices.iter().rev().filter_map(|c| evaluator.value(*c)).collect();
            self.choices = chosen.into_iter().map(|value| terms.constant(value)).collect();
            return;
        }
    }
}

impl Environment for Onward<'_> {
    /// A choice that was left open is zero.
    fn choice(&mut self, terms: &mut Terms, request: ChoiceRequest<'_>) -> Option<Value> {
        let zero = terms.bv(request.width, 0);
        let chosen = self.choices.pop().unwrap_or(zero);
        match terms.as_constant(chosen) {
            Some(Constant::Int(number)) => {
                // One that does not fit C's type can be reasoned about, but not given.
                let bits = number.to_i128().map(|n| n.cast_unsigned() & mask(request.width));
                let fits =
                    bits.is_some_and(|bits| number == sign_extend(request.width, bits).into());
                self.undecided |= !fits;
                let term = terms.bv(request.width, bits.filter(|_| fits)?);
                Some(Value::from_term(terms, term))
            }
            _ if terms.sort(chosen) == Sort::BitVec(request.width) => {
                Some(Value::from_term(terms, chosen))
            }
            _ => Some(Value::from_term(terms, zero)),
        }
    }

    fn unknown(&mut self, terms: &mut Terms, sort: Sort, _why: &str) -> Option<Value> {
        let term = terms.fresh("unknown", sort);
        Some(Value::from_term(terms, term))
    }

    fn assume(&mut self, _condition: Term) {
        self.undecided = true;
    }

    fn restrict(&mut self, _condition: Term, _why: &str) {
        self.undecided = true;
    }

    fn mark(&mut self, state: &mut State) -> bool {
        self.listens && self.heads.iter().any(|h| h.state.position() == state.position())
    }
}
