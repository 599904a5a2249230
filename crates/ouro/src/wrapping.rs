//! The question asked again with integers that wrap around, as they do in what compilers make of a program.
//!
//! By C's rules a run that overflows a signed integer ends there. That is no comfort to somebody whose program
//! then hangs. So where nobody said what integers are, a proof of termination is tried with integers that wrap
//! around, and where it fails or where there is none, so are the engines. A run that goes on forever then is
//! the answer. What ends under both readings is said to.
//!
//! It costs nothing where nothing can overflow, and a bounded part of the time otherwise.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use ouro_evidence::{
    AfterOverflow, Claim, Evidence, Explanation, Ints, Place, Reason, Verdict, Wrapping,
};
use ouro_machine::concrete::{self, Concrete, Inputs};
use ouro_machine::{End, Machine, Overflow, SIGNED_OVERFLOW};
use ouro_model::flow::{Flow, Loop};
use ouro_model::{BinaryOp, CastOp, Function, Instruction, Operand, Program, Type, VarId};
use ouro_term::Terms;

use crate::pipeline::{self, Budget, Finding};
use crate::verbose;

/// The least time for the second question.
const LEAST: Duration = Duration::from_secs(2);
/// How long sets of states are looked for at first.
const SETS: Duration = Duration::from_millis(800);
/// How far the run is followed to the overflow.
const MOST_STEPS: u64 = 5_000_000;
/// Steps between two looks at the clock.
const SLICE: u64 = 1_000_000;
/// Places of an overflow that are named, if nobody knows which one comes first.
const MOST_PLACES: usize = 3;

/// The answer to both questions.
pub(crate) struct Answered {
    pub(crate) finding: Finding,
    /// The meaning of integers that it is about.
    pub(crate) ints: Ints,
    /// Whether the checker has accepted the evidence and named what is undefined.
    pub(crate) checked: bool,
}

impl Answered {
    /// An answer by C's rules that nobody has checked.
    fn by_rules(finding: Finding) -> Answered {
        Answered { finding, ints: Ints::C, checked: false }
    }
}

/// Asks the engines about a program, first by C's rules.
pub(crate) fn explore(program: &Program, budget: &Budget) -> Answered {
    let start = Instant::now();
    if !program.functions.iter().any(|function| function.user && may_overflow(function)) {
        return Answered::by_rules(pipeline::explore(program, Ints::C, &[], budget));
    }
    let (mut early, mut asked) = (None, false);
    let mut found = pipeline::explore_beside(program, &[], budget, &mut || {
        early = forever(program, budget);
        if early.is_some() {
            return early.clone();
        }
        let found = until_overflow(program, budget);
        asked = found.is_some();
        found
    });
    if let Some(found) = early {
        return settle(program, found, None, budget);
    }
    let mut checked = false;
    match &found.verdict {
        Verdict::Terminates(evidence) => {
            let check = |ints, deadline| {
                pipeline::check_and_name(program, ints, Claim::Terminates, evidence, deadline)
            };
            verbose::checks(Claim::Terminates);
            let Ok(undefined) = check(Ints::C, budget.deadline) else {
                return Answered::by_rules(found);
            };
            checked = true;
            let needless = !undefined.iter().any(|one| is_about_integers(&one.what));
            let wraps_too = !needless && check(Ints::Wrap, share(start, budget)).is_ok();
            found.explanation.undefined = undefined;
            if wraps_too {
                found.explanation.wrapping = Some(Wrapping::Terminates);
            }
            if needless || wraps_too {
                return Answered { finding: found, ints: Ints::C, checked };
            }
        }
        Verdict::Unknown(Reason::Time { .. } | Reason::Memory { .. }) => {
            return Answered::by_rules(found);
        }
        Verdict::Unknown(_) if !asked => {}
        _ => return Answered::by_rules(found),
    }
    verbose::say("asking again with integers that wrap around");
    let budget = Budget { deadline: share(start, budget), ..budget.clone() };
    // What is beyond the model is so with any integers: nobody needs to look for long.
    let by_overflow = matches!(found.verdict, Verdict::Unknown(Reason::SignedOverflow { .. }));
    let again = match forever(program, &budget) {
        Some(found) => found,
        None if !checked && !by_overflow => return Answered::by_rules(found),
        None => pipeline::explore(program, Ints::Wrap, &[], &budget),
    };
    let holds =
        again.verdict.claim().zip(again.verdict.evidence()).is_some_and(|(claim, evidence)| {
            pipeline::check(program, Ints::Wrap, claim, evidence, budget.deadline).is_ok()
        });
    match &again.verdict {
        Verdict::Loops(_) if holds => settle(program, again, Some(found), &budget),
        Verdict::Terminates(_) if holds => {
            found.explanation.wrapping = Some(Wrapping::Terminates);
            Answered { finding: found, ints: Ints::C, checked }
        }
        _ => Answered { finding: found, ints: Ints::C, checked },
    }
}

/// Whether something undefined is so by C's rules for integers, and not with integers that wrap around.
pub(crate) fn is_about_integers(what: &str) -> bool {
    what.starts_with(SIGNED_OVERFLOW) || what.starts_with("shift by")
}

/// When the second question has to be answered: it may take some times as long as the first, but no more than
/// a quarter of what there is.
fn share(start: Instant, budget: &Budget) -> Instant {
    let now = Instant::now();
    let time = (now - start).saturating_mul(4).max(LEAST).min(budget.limit / 4);
    budget.deadline.min(now + time)
}

/// A run that never ends with integers that wrap around, if it is easy to find; the checker has accepted it.
fn forever(program: &Program, budget: &Budget) -> Option<Finding> {
    let now = Instant::now();
    let left = budget.deadline.saturating_duration_since(now);
    let deadline = now + SETS.min(left / 8);
    verbose::tries("states that a run never leaves, with integers that wrap around", deadline);
    pipeline::sets(program, Ints::Wrap, budget, deadline)
}

/// Whether a loop goes on for as long as integers have room. Asked of programs in which mathematical integers are
/// as good as C's until a signed one overflows.
fn until_overflow(program: &Program, budget: &Budget) -> Option<Finding> {
    if !program.functions.iter().filter(|function| function.user).all(is_signed_only) {
        return None;
    }
    let now = Instant::now();
    let left = budget.deadline.saturating_duration_since(now);
    let deadline = now + SETS.min(left / 8);
    verbose::tries("states that a run never leaves, with integers without bounds", deadline);
    let found = pipeline::sets(program, Ints::Unbounded, budget, deadline)?;
    let place = found.verdict.evidence().and_then(Evidence::place)?.clone();
    Some(Finding {
        verdict: Verdict::Unknown(Reason::SignedOverflow { place }),
        explanation: Explanation {
            assumptions: program.assumptions.clone(),
            ..Explanation::default()
        },
        engine: None,
    })
}

/// What a run that never ends with integers that wrap around means for the program: it never ends by C's rules
/// either, or not once an integer has overflowed. `by_rules` is what is known by C's rules.
fn settle(
    program: &Program,
    mut found: Finding,
    by_rules: Option<Finding>,
    budget: &Budget,
) -> Answered {
    let Some(evidence) = found.verdict.evidence() else {
        return Answered::by_rules(by_rules.unwrap_or(found));
    };
    let proved = by_rules.is_some_and(|by_rules| by_rules.verdict.evidence().is_some());
    let now = Instant::now();
    let soon = now + budget.deadline.saturating_duration_since(now) / 4;
    if !proved && pipeline::check(program, Ints::C, Claim::Loops, evidence, soon).is_ok() {
        return Answered::by_rules(found);
    }
    let overflow = reached(program, evidence, budget.deadline).unwrap_or_else(|| AfterOverflow {
        what: SIGNED_OVERFLOW.to_owned(),
        places: candidates(program, evidence),
        steps: None,
    });
    found.explanation.wrapping = Some(Wrapping::Loops(overflow));
    Answered { finding: found, ints: Ints::Wrap, checked: false }
}

/// The overflow that a run comes to, by C's rules, if that is soon.
fn reached(program: &Program, evidence: &Evidence, deadline: Instant) -> Option<AfterOverflow> {
    let mut inputs = Inputs::new(evidence.inputs().iter().map(|input| input.bits).collect());
    if let Evidence::Recurs(recurrence) = evidence
        && recurrence.cycle_inputs < recurrence.inputs.len()
    {
        inputs.repeat_from(recurrence.cycle_inputs);
    }
    let mut terms = Terms::new();
    let machine = Machine::new(program, &mut terms, Overflow::Undefined, false).ok()?;
    let mut silent = |_: u32, _: &[u8]| {};
    let mut surroundings = Concrete::new(inputs, &mut silent);
    let mut state = machine.start();
    while state.steps < MOST_STEPS && Instant::now() < deadline {
        let until = state.steps + SLICE;
        match concrete::run(&machine, &mut terms, &mut surroundings, &mut state, until) {
            None => {}
            Some((End::Undefined(what), at)) if is_about_integers(&what) => {
                let places = vec![Place::of(program, at.function, at.span)];
                return Some(AfterOverflow { what, places, steps: Some(state.steps) });
            }
            Some(_) => return None,
        }
    }
    None
}

/// Where the run can overflow in its loop: what decides whether it goes on, or else anything.
fn candidates(program: &Program, evidence: &Evidence) -> Vec<Place> {
    let Some(at) = evidence.place() else { return Vec::new() };
    for (id, function) in program.functions.enumerate() {
        if function.name != at.function {
            continue;
        }
        for found in Flow::of(function).loops() {
            if Place::of(program, id, found.span) != *at {
                continue;
            }
            let deciding = deciding(function, found);
            let mut all: [Vec<Place>; 2] = Default::default();
            for block in &found.body {
                for statement in &function.blocks[*block].statements {
                    let instruction = &statement.instruction;
                    if !is_signed(instruction) {
                        continue;
                    }
                    let decides = instruction.dsts().iter().any(|dst| deciding.contains(dst));
                    let places = &mut all[usize::from(!decides)];
                    let place = Place::of(program, id, statement.span);
                    if !places.contains(&place) {
                        places.push(place);
                    }
                }
            }
            let [first, second] = all;
            let mut places = if first.is_empty() { second } else { first };
            places.truncate(MOST_PLACES);
            if !places.is_empty() {
                return places;
            }
        }
    }
    vec![at.clone()]
}

/// The variables that what a loop does next depends on.
fn deciding(function: &Function, found: &Loop) -> BTreeSet<VarId> {
    let mut all: BTreeSet<VarId> = BTreeSet::new();
    let blocks = || found.body.iter().map(|block| &function.blocks[*block]);
    let note = |all: &mut BTreeSet<VarId>, operand: Operand| match operand {
        Operand::Var(var) => all.insert(var),
        _ => false,
    };
    for block in blocks() {
        block.terminator.each_operand(|operand| {
            note(&mut all, operand);
        });
    }
    loop {
        let mut more = false;
        for statement in blocks().flat_map(|block| &block.statements) {
            if statement.instruction.dsts().iter().any(|dst| all.contains(dst)) {
                statement.instruction.each_operand(|operand| more |= note(&mut all, operand));
            }
        }
        if !more {
            return all;
        }
    }
}

/// Whether an instruction can overflow.
fn is_signed(instruction: &Instruction) -> bool {
    matches!(
        instruction,
        Instruction::Binary {
            op: BinaryOp::Add { signed: true }
                | BinaryOp::Sub { signed: true }
                | BinaryOp::Mul { signed: true }
                | BinaryOp::Shl { signed: true },
            ..
        }
    )
}

/// Whether a function has an operation on integers that C leaves undefined for some numbers and gcc does not.
fn may_overflow(function: &Function) -> bool {
    let mut statements = function.blocks.iter().flat_map(|block| &block.statements);
    statements.any(|statement| is_open(&statement.instruction))
}

/// Whether C leaves an operation on integers undefined for some numbers, and gcc does not.
pub(crate) fn is_open(instruction: &Instruction) -> bool {
    match instruction {
        Instruction::Binary {
            op: BinaryOp::Shl { .. } | BinaryOp::LShr | BinaryOp::AShr,
            right,
            ..
        } => matches!(right, Operand::Var(_)),
        instruction => is_signed(instruction),
    }
}

/// Whether mathematical integers do in a function what C's do until a signed one overflows: none wraps around by
/// right.
fn is_signed_only(function: &Function) -> bool {
    const INT: u32 = 32;
    let wide = |ty: Type| matches!(ty, Type::Int(INT..));
    let statements = || function.blocks.iter().flat_map(|block| &block.statements);
    !statements().any(|statement| match &statement.instruction {
        Instruction::Binary {
            dst,
            op:
                BinaryOp::Add { signed: false }
                | BinaryOp::Sub { signed: false }
                | BinaryOp::Mul { signed: false }
                | BinaryOp::Shl { .. },
            ..
        }
        | Instruction::Cast { dst, op: CastOp::Truncate, .. } => wide(function.vars[*dst].ty),
        _ => false,
    })
}
