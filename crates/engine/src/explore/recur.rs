//! From a suspected recurrence or broken obligation to evidence: inputs, found by the solver and tried out on the
//! concrete machine before anybody hears of them.

use std::collections::BTreeSet;
use std::rc::Rc;

use ouro_evidence::{
    Evidence, Explanation, ObligationViolation, RunInput, SourcePlace, StateRecurrence,
};
use ouro_machine::concrete::{self, ConcreteEnvironment, ConcreteInputs};
use ouro_machine::path::SymbolIndex;
use ouro_machine::{ChoiceRange, Machine, MachineState, RunEnd, RunPosition};
use ouro_model::flow::FunctionFlow;
use ouro_model::{BlockId, FunctionId, Program};
use ouro_solver::{Session, SolverAnswer};
use ouro_term::{Assignment, Constant, SymbolId, Term, TermEvaluator, TermStore};
use ouro_transform::call_site;
use rustc_hash::{FxHashMap, FxHashSet};

use super::shown;
use super::symbolic::{ExploredChoice, ExploredChoices};

/// A moment of a run, and what may be the case then.
pub(crate) struct RunSuspicion<'a> {
    pub(crate) step: u64,
    pub(crate) goal: SuspectedGoal,
    /// Choices made before.
    pub(crate) choices: &'a ExploredChoices,
    /// Everything that must hold.
    pub(crate) conditions: Vec<Term>,
}

/// What is suspected.
#[derive(Clone, Copy)]
pub(crate) enum SuspectedGoal {
    /// The state is the same as at an earlier moment, before which so many choices were made.
    Recurs { first_step: u64, first_choices: usize },
    /// The run breaks an obligation.
    Breaks { obligation: u32 },
}

impl SuspectedGoal {
    pub(crate) fn name(self) -> &'static str {
        match self {
            SuspectedGoal::Recurs { .. } => "a state recurs",
            SuspectedGoal::Breaks { .. } => "an obligation is broken",
        }
    }
}

/// What became of a suspicion that was tried out.
pub(crate) enum ReplayConfirmation {
    Yes(Box<Evidence>, Box<Explanation>),
    /// The state recurs, but the run that repeats it is not fair.
    Unfair,
    No,
}

/// Values for all symbols, part by part: conditions that share no symbol are independent.
pub(crate) fn solve_components(
    session: &mut Session,
    index: &mut SymbolIndex,
    terms: &TermStore,
    conditions: &[Term],
) -> SolverAnswer {
    let mut parent: FxHashMap<SymbolId, SymbolId> = FxHashMap::default();
    fn find_root(parent: &mut FxHashMap<SymbolId, SymbolId>, of: SymbolId) -> SymbolId {
        let mut at = of;
        while let Some(&up) = parent.get(&at).filter(|up| **up != at) {
            at = up;
        }
        parent.insert(of, at);
        at
    }
    for condition in conditions {
        let symbols = index.symbols_of(terms, *condition);
        for pair in symbols.windows(2) {
            let (a, b) = (find_root(&mut parent, pair[0]), find_root(&mut parent, pair[1]));
            parent.insert(a, b);
            parent.entry(b).or_insert(b);
        }
    }
    let mut parts: FxHashMap<Option<SymbolId>, Vec<Term>> = FxHashMap::default();
    let mut order = Vec::new();
    for condition in conditions {
        let key = index.symbols_of(terms, *condition).first().map(|s| find_root(&mut parent, *s));
        let part = parts.entry(key).or_default();
        if part.is_empty() {
            order.push(key);
        }
        part.push(*condition);
    }
    let mut values = Assignment::new();
    for key in order {
        match session.check_sat(terms, &parts[&key]) {
            SolverAnswer::Sat(found) => {
                for symbol in found.assigned_symbols() {
                    values.set(symbol, found.get(symbol).expect("listed").clone());
                }
            }
            other => return other,
        }
    }
    SolverAnswer::Sat(values)
}

/// Tries a suspicion out. The run is followed for `further` steps: what
/// nothing looks at may still leave the machine's integers.
pub(crate) fn confirm_by_replay(
    program: &Program,
    machine: &Machine,
    terms: &mut TermStore,
    values: &Assignment,
    suspicion: &RunSuspicion<'_>,
    further: u64,
) -> ReplayConfirmation {
    replay_suspicion(program, machine, terms, values, suspicion, further)
        .unwrap_or(ReplayConfirmation::No)
}

/// The same; `None` if the suspicion does not hold.
fn replay_suspicion(
    program: &Program,
    machine: &Machine,
    terms: &mut TermStore,
    values: &Assignment,
    suspicion: &RunSuspicion<'_>,
    further: u64,
) -> Option<ReplayConfirmation> {
    let choices = suspicion.choices.in_order();
    let found: Vec<Option<Constant>> = {
        let mut evaluator = TermEvaluator::new(terms, values);
        choices.iter().map(|choice| evaluator.evaluate_term(choice.symbol)).collect()
    };
    let mut bits = Vec::with_capacity(found.len());
    for (choice, value) in choices.iter().zip(found) {
        bits.push(match value {
            Some(value) => input_bits(terms, choice, value)?,
            None => 0,
        });
    }
    let mut silent = |_: u32, _: &[u8]| {};
    let mut replay = CandidateReplay {
        program,
        machine,
        terms,
        surroundings: ConcreteEnvironment::new(ConcreteInputs::new(bits.clone()), &mut silent),
        asked: Vec::new(),
    };
    let mut state = machine.start_state();
    let (first_step, first_choices) = match suspicion.goal {
        SuspectedGoal::Recurs { first_step, first_choices } => (first_step, first_choices),
        SuspectedGoal::Breaks { obligation } => {
            let mut last: Option<RunPosition> = None;
            let users =
                |at: &RunPosition| program.functions[at.function].user && at.span.is_known();
            replay.run_to_step(&mut state, suspicion.step, |state| {
                last = machine.call_stack_positions(state).find(users).or(last);
            })?;
            let broken = replay.find_violation(&mut state, obligation)?;
            let inputs = inputs_of_choices(&choices, bits, replay.asked);
            let evidence = Evidence::Violation(ObligationViolation { inputs, ..broken });
            // What is broken when the program has ended is broken in no call of the user's.
            let ended = !machine.call_stack_positions(&state).any(|at| users(&at));
            let last = last
                .filter(|_| ended)
                .map(|at| SourcePlace::of_span(program, at.function, at.span));
            let explanation = Explanation { last, ..Explanation::default() };
            return Some(ReplayConfirmation::Yes(Box::new(evidence), Box::new(explanation)));
        }
    };
    if first_step >= suspicion.step {
        return None;
    }
    replay.run_to_step(&mut state, first_step, |_| {})?;
    if replay.surroundings.inputs.taken_count() != first_choices {
        return None;
    }
    replay.surroundings.passed.clear();
    let first = state.clone();
    state.low = state.depth();
    let mut cycle = CycleTrace::default();
    replay.run_to_step(&mut state, suspicion.step, |state| {
        cycle.record_state(program, machine, state);
    })?;
    if replay.surroundings.undecided {
        return None;
    }
    let frames = first.depth() - state.low.min(first.depth()) + 1;
    if state.depth() < first.depth() || !machine.subsumes_exactly(&first, &state, frames) {
        return None;
    }
    if !program.fairness.iter().all(|pair| pair.is_met(&replay.surroundings.passed)) {
        return Some(ReplayConfirmation::Unfair);
    }
    let passed = std::mem::take(&mut replay.surroundings.passed);
    let recursion = state.depth() > first.depth();
    if further > 0 {
        replay.surroundings.inputs.repeat_from(first_choices);
        let end = state.steps.saturating_add(further);
        let ended = concrete::run_concretely(
            machine,
            replay.terms,
            &mut replay.surroundings,
            &mut state,
            end,
        );
        if ended.is_some() {
            return None;
        }
    }
    let place = cycle.cycle_head_place(program, machine, &first, recursion);
    let evidence = Evidence::Recurs(StateRecurrence {
        inputs: inputs_of_choices(&choices, bits, replay.asked),
        first_step,
        second_step: suspicion.step,
        cycle_inputs: first_choices,
        place,
        recursion,
    });
    let explanation = Explanation {
        variables: shown::shown_variables(program, machine, &first),
        cycle: cycle.places,
        fairness: explain_fairness(program, &passed),
        ..Explanation::default()
    };
    Some(ReplayConfirmation::Yes(Box::new(evidence), Box::new(explanation)))
}

/// Why a run that passes these events in every iteration, and no others, is fair.
fn explain_fairness(program: &Program, passed: &BTreeSet<u32>) -> Vec<String> {
    let named = |numbers: &[u32]| {
        let met = numbers.iter().filter(|number| passed.contains(number));
        let names = met.filter_map(|number| program.events.get(*number as usize));
        names.map(|event| event.name.as_str()).collect::<Vec<_>>().join(", ")
    };
    (program.fairness.iter())
        .map(|pair| match pair.has_q(passed) {
            true => format!("'{}' is met: every iteration has '{}'", pair.name, named(&pair.q)),
            false => format!("'{}' is met: no iteration has what it is about", pair.name),
        })
        .collect()
}

fn inputs_of_choices(
    choices: &[Rc<ExploredChoice>],
    bits: Vec<u128>,
    asked: Vec<SourcePlace>,
) -> Vec<RunInput> {
    let mut asked = asked.into_iter();
    let input = |(choice, bits): (&Rc<ExploredChoice>, u128)| RunInput {
        bits,
        width: choice.width,
        source: choice.source.clone(),
        place: asked.next().unwrap_or_else(unknown_place),
    };
    choices.iter().zip(bits).map(input).collect()
}

/// What else has to hold for the choices to be inputs: they fit their C types, and are at most so far
/// from zero. Those that nothing is said about are zero.
pub(crate) fn input_range_conditions(
    terms: &mut TermStore,
    index: &mut SymbolIndex,
    suspicion: &RunSuspicion<'_>,
    most: i128,
) -> Vec<Term> {
    let mut mentioned: FxHashSet<SymbolId> = FxHashSet::default();
    for condition in &suspicion.conditions {
        mentioned.extend(index.symbols_of(terms, *condition).iter().copied());
    }
    let mut conditions = Vec::new();
    for choice in suspicion.choices.in_order() {
        let is_mentioned = |symbol: &SymbolId| mentioned.contains(symbol);
        if let Some(range) = fitting_range(&choice, most)
            && index.symbols_of(terms, choice.symbol).iter().any(is_mentioned)
        {
            conditions.extend(range.range_conditions(terms, choice.symbol));
        }
    }
    conditions
}

/// The values of a choice that fit its C type and are at most so far from zero, if it is one of
/// integers.
fn fitting_range(choice: &ExploredChoice, farthest: i128) -> Option<ChoiceRange> {
    let (least, most) = choice.range?.fitting_bounds(choice.width);
    Some(ChoiceRange { least: Some(least.max(-farthest)), most: Some(most.min(farthest)) })
}

/// The bits of an input; `None` if it does not fit its C type.
fn input_bits(terms: &mut TermStore, choice: &ExploredChoice, value: Constant) -> Option<u128> {
    let Some(range) = fitting_range(choice, i128::MAX) else { return value.as_bv() };
    let term = terms.constant(value);
    if !range.range_conditions(terms, term).iter().all(|c| terms.as_bool(*c) == Some(true)) {
        return None;
    }
    let bits = terms.int_to_bv(choice.width, term);
    terms.as_bv(bits)
}

/// Steps that are looked at one by one; a longer run is followed at full speed.
const MOST_LOOKS: u64 = 1_000_000;
/// Places of a cycle that are shown.
const MOST_PLACES: usize = 40;

/// A run on the inputs that the solver gave.
struct CandidateReplay<'a> {
    program: &'a Program,
    machine: &'a Machine,
    terms: &'a mut TermStore,
    surroundings: ConcreteEnvironment<'a>,
    /// Where the user's program asked for each input.
    asked: Vec<SourcePlace>,
}

impl CandidateReplay<'_> {
    /// Runs up to a number of steps, showing the state before each; `None` if the run ends.
    fn run_to_step(
        &mut self,
        state: &mut MachineState,
        until: u64,
        mut look: impl FnMut(&MachineState),
    ) -> Option<()> {
        let mut looks = 0;
        while state.steps < until {
            looks += 1;
            let slow = looks < MOST_LOOKS;
            let next = if slow { state.steps + 1 } else { until };
            let asking = if slow {
                look(state);
                call_site(self.program, self.machine, state)
                    .unwrap_or_else(|| user_place(self.program, self.machine, state))
            } else {
                unknown_place()
            };
            let ended = concrete::run_concretely(
                self.machine,
                self.terms,
                &mut self.surroundings,
                state,
                next,
            );
            if ended.is_some() {
                return None;
            }
            self.asked.resize(self.surroundings.inputs.taken_count(), asking);
        }
        Some(())
    }
}

impl CandidateReplay<'_> {
    /// The evidence, without inputs, if the next step breaks an obligation.
    fn find_violation(
        &mut self,
        state: &mut MachineState,
        obligation: u32,
    ) -> Option<ObligationViolation> {
        let steps = state.steps;
        let ended = concrete::run_concretely(
            self.machine,
            self.terms,
            &mut self.surroundings,
            state,
            steps + 1,
        );
        let broken = matches!(ended, Some((RunEnd::Violation(number), _)) if number == obligation);
        if !broken || self.surroundings.undecided {
            return None;
        }
        let innermost = self.machine.call_stack_positions(state).next()?;
        let site = call_site(self.program, self.machine, state);
        let users = site.unwrap_or_else(|| user_place(self.program, self.machine, state));
        let place = match users.is_known() {
            true => users,
            false => SourcePlace::of_span(self.program, innermost.function, innermost.span),
        };
        Some(ObligationViolation { inputs: Vec::new(), obligation, steps, place })
    }
}

/// Where the innermost call of the user's code is.
fn user_place(program: &Program, machine: &Machine, state: &MachineState) -> SourcePlace {
    machine
        .call_stack_positions(state)
        .find(|at| program.functions[at.function].user && at.span.is_known())
        .map_or_else(unknown_place, |at| SourcePlace::of_span(program, at.function, at.span))
}

fn unknown_place() -> SourcePlace {
    SourcePlace { file: String::new(), line: 0, function: String::new() }
}

/// What one iteration goes through.
#[derive(Default)]
struct CycleTrace {
    /// The user's places, each once, in the order met.
    places: Vec<SourcePlace>,
    /// The fewest calls in progress, and the blocks passed in that call.
    depth: usize,
    passed: Vec<(FunctionId, BlockId)>,
}

impl CycleTrace {
    fn record_state(&mut self, program: &Program, machine: &Machine, state: &MachineState) {
        let (function, position) = state.position();
        if self.depth == 0 || state.depth() < self.depth {
            self.depth = state.depth();
            self.passed.clear();
        }
        if state.depth() == self.depth {
            let passed = (function, machine.block_at(function, position));
            if self.passed.last() != Some(&passed) && !self.passed.contains(&passed) {
                self.passed.push(passed);
            }
        }
        if self.places.len() < MOST_PLACES {
            let at =
                machine.call_stack_positions(state).next().expect("a running state has a call");
            let place = SourcePlace::of_span(program, at.function, at.span);
            let shown = program.functions[function].user && place.is_known();
            if shown && self.places.last() != Some(&place) && !self.places.contains(&place) {
                self.places.push(place);
            }
        }
    }

    /// Where to point at: the head of the widest loop that the iteration passes in the outermost of its
    /// calls. For a recursion, where the call starts.
    fn cycle_head_place(
        &self,
        program: &Program,
        machine: &Machine,
        first: &MachineState,
        recursion: bool,
    ) -> SourcePlace {
        let widest = self
            .passed
            .iter()
            .filter(|(function, _)| program.functions[*function].user && !recursion)
            .flat_map(|(function, block)| {
                let flow = FunctionFlow::of_function(&program.functions[*function]);
                let found = flow.loops().iter().find(|l| l.head == *block).cloned();
                found.map(|l| (l.body.len(), SourcePlace::of_span(program, *function, l.span)))
            })
            .filter(|(_, place)| self.places.contains(place))
            .max_by_key(|(size, _)| *size);
        match widest {
            Some((_, place)) => place,
            None => {
                let here = user_place(program, machine, first);
                let known = self.places.contains(&here) || self.places.is_empty();
                if known { here } else { self.places[0].clone() }
            }
        }
    }
}
