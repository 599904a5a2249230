//! Where a run overflows that never ends with integers that wrap around, and which programs can overflow at all.

use std::collections::BTreeSet;
use std::time::Instant;

use ouro_evidence::{Evidence, RunAfterOverflow, SourcePlace};
use ouro_machine::concrete::{self, ConcreteEnvironment, ConcreteInputs};
use ouro_machine::{Machine, OverflowSemantics, RunEnd, SIGNED_OVERFLOW};
use ouro_model::flow::{FunctionFlow, Loop};
use ouro_model::{BinaryOp, CastOp, Function, Instruction, Operand, Program, Type, VarId};
use ouro_solver::clock;
use ouro_term::TermStore;

use crate::limits::LIMITS;

/// Whether something undefined is so by C's rules for integers, and not with integers that wrap around.
pub fn is_about_integers(what: &str) -> bool {
    what.starts_with(SIGNED_OVERFLOW) || what.starts_with("shift by")
}

/// Whether a program has an operation on integers that C leaves undefined for some numbers.
pub(super) fn program_may_overflow(program: &Program) -> bool {
    program.functions.iter().any(|function| function.user && may_overflow(function))
}

/// Whether mathematical integers do in a program what C's do until a signed one overflows.
pub(super) fn program_is_signed_only(program: &Program) -> bool {
    program.functions.iter().filter(|function| function.user).all(is_signed_only)
}

/// The overflow that a run comes to by C's rules, or where it can be.
pub(super) fn find_overflow(
    program: &Program,
    evidence: &Evidence,
    deadline: Instant,
) -> RunAfterOverflow {
    reached_overflow(program, evidence, deadline).unwrap_or_else(|| RunAfterOverflow {
        what: SIGNED_OVERFLOW.to_owned(),
        places: candidate_places(program, evidence),
        steps: None,
    })
}

/// The overflow that a run comes to, by C's rules, if that is soon.
fn reached_overflow(
    program: &Program,
    evidence: &Evidence,
    deadline: Instant,
) -> Option<RunAfterOverflow> {
    let mut inputs =
        ConcreteInputs::new(evidence.inputs().iter().map(|input| input.bits).collect());
    if let Evidence::Recurs(recurrence) = evidence
        && recurrence.cycle_inputs < recurrence.inputs.len()
    {
        inputs.repeat_from(recurrence.cycle_inputs);
    }
    let mut terms = TermStore::new();
    let machine = Machine::new(program, &mut terms, OverflowSemantics::Undefined, false).ok()?;
    let mut silent = |_: u32, _: &[u8]| {};
    let mut surroundings = ConcreteEnvironment::new(inputs, &mut silent);
    let mut state = machine.start_state();
    while state.steps < LIMITS.overflow_steps && clock::budget_now() < deadline {
        let until = state.steps + LIMITS.overflow_steps_between_looks;
        match concrete::run_concretely(&machine, &mut terms, &mut surroundings, &mut state, until) {
            None => {}
            Some((RunEnd::Undefined(what), at)) if is_about_integers(&what) => {
                let places = vec![SourcePlace::of_span(program, at.function, at.span)];
                return Some(RunAfterOverflow { what, places, steps: Some(state.steps) });
            }
            Some(_) => return None,
        }
    }
    None
}

/// Where the run can overflow in its loop: what decides whether it goes on, or else anything.
fn candidate_places(program: &Program, evidence: &Evidence) -> Vec<SourcePlace> {
    let Some(at) = evidence.place() else { return Vec::new() };
    for (id, function) in program.functions.enumerate() {
        if function.name != at.function {
            continue;
        }
        for found in FunctionFlow::of_function(function).loops() {
            if SourcePlace::of_span(program, id, found.span) != *at {
                continue;
            }
            let deciding = deciding_variables(function, found);
            let mut all: [Vec<SourcePlace>; 2] = Default::default();
            for block in &found.body {
                for statement in &function.blocks[*block].statements {
                    let instruction = &statement.instruction;
                    if !is_signed(instruction) {
                        continue;
                    }
                    let decides =
                        instruction.destination_vars().iter().any(|dst| deciding.contains(dst));
                    let places = &mut all[usize::from(!decides)];
                    let place = SourcePlace::of_span(program, id, statement.span);
                    if !places.contains(&place) {
                        places.push(place);
                    }
                }
            }
            let [first, second] = all;
            let mut places = if first.is_empty() { second } else { first };
            places.truncate(LIMITS.overflow_places);
            if !places.is_empty() {
                return places;
            }
        }
    }
    vec![at.clone()]
}

/// The variables that what a loop does next depends on.
fn deciding_variables(function: &Function, found: &Loop) -> BTreeSet<VarId> {
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
            if statement.instruction.destination_vars().iter().any(|dst| all.contains(dst)) {
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
pub fn is_open(instruction: &Instruction) -> bool {
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
