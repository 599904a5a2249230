//! What has to be known of a program before its loops can be looked at one by one: which functions run, that none
//! calls itself, that nothing is left to code that is not here, and which loops there are.

use std::collections::{BTreeMap, BTreeSet};

use ouro_evidence::SourcePlace;
use ouro_isolate::{address_taken_functions, has_one_entry};
use ouro_model::flow::{FunctionFlow, Loop};
use ouro_model::{
    BlockId, Callee, CastOp, Function, FunctionId, Instruction, Program, ProgramQuestion,
    Statement, Terminator, Type,
};

use crate::over::{CheckResult, reject_evidence};

/// A function that runs may reach, with its control flow.
pub(super) struct ReachedFunction {
    pub(super) id: FunctionId,
    pub(super) flow: FunctionFlow,
    /// Its loops that control can come to.
    pub(super) loops: Vec<Loop>,
}

/// The functions that runs may reach, if a proof by parts can speak of the program at all.
pub(super) fn reached_functions(program: &Program) -> CheckResult<Vec<ReachedFunction>> {
    let plain = program.question == ProgramQuestion::Termination
        && program.events.is_empty()
        && program.obligations.is_empty()
        && program.fairness.is_empty();
    if !plain {
        return reject_evidence("a proof by parts says nothing about a specification");
    }
    let order = call_order(program)?;
    if order.iter().any(|id| calls_pointer(&program.functions[*id])) {
        refuse_foreign_pointers(program, &order)?;
    }
    let mut all = Vec::new();
    for id in order {
        let function = &program.functions[id];
        let flow = FunctionFlow::of_function(function);
        let reached = reached_blocks(&flow);
        for block in &reached {
            if let Terminator::Limit(what) = &function.blocks[*block].terminator {
                let place = SourcePlace::of_span(program, id, function.blocks[*block].span);
                return reject_evidence(format!("a run may not be covered: {what} ({place})"));
            }
        }
        let loops: Vec<Loop> =
            flow.loops().iter().filter(|one| reached.contains(&one.head)).cloned().collect();
        if !is_reducible(&flow, &reached, &loops) {
            return reject_evidence(format!(
                "a loop of {} is entered elsewhere than at its head",
                function.name
            ));
        }
        all.push(ReachedFunction { id, flow, loops });
    }
    Ok(all)
}

/// The functions that the entry may call, directly or through others, each after those that it calls; refuses one
/// that may call itself. A call through a pointer may lead to every function whose address somebody has.
fn call_order(program: &Program) -> CheckResult<Vec<FunctionId>> {
    let taken: Vec<FunctionId> = address_taken_functions(program).into_iter().collect();
    let callees = |id: FunctionId| -> Vec<FunctionId> {
        let mut all = BTreeSet::new();
        for callee in statements(&program.functions[id]).filter_map(called) {
            match callee {
                Callee::Function(other) => all.extend([other]),
                Callee::Pointer(_) => all.extend(&taken),
                Callee::Builtin(_) => {}
            }
        }
        all.into_iter().collect()
    };
    let mut order = Vec::new();
    let mut done: BTreeSet<FunctionId> = BTreeSet::new();
    let mut active: BTreeSet<FunctionId> = BTreeSet::from([program.entry]);
    let mut open = vec![(program.entry, callees(program.entry), 0)];
    while let Some((id, next, tried)) = open.last_mut() {
        match next.get(*tried).copied() {
            Some(callee) if active.contains(&callee) => {
                let name = &program.functions[callee].name;
                return reject_evidence(format!("{name} may call itself"));
            }
            Some(callee) => {
                *tried += 1;
                if !done.contains(&callee) {
                    active.insert(callee);
                    open.push((callee, callees(callee), 0));
                }
            }
            None => {
                active.remove(id);
                done.insert(*id);
                order.push(*id);
                open.pop();
            }
        }
    }
    Ok(order)
}

fn statements(function: &Function) -> impl Iterator<Item = &Statement> {
    function.blocks.iter().flat_map(|block| &block.statements)
}

fn called(statement: &Statement) -> Option<Callee> {
    match statement.instruction {
        Instruction::Call { callee, .. } => Some(callee),
        _ => None,
    }
}

fn calls_pointer(function: &Function) -> bool {
    statements(function).filter_map(called).any(|callee| matches!(callee, Callee::Pointer(_)))
}

/// Refuses a program that may call code which is not here: where pointers can come from outside, or are made of
/// numbers, nobody knows what a call through one leads to.
fn refuse_foreign_pointers(program: &Program, reached: &[FunctionId]) -> CheckResult<()> {
    if let Some(global) = program.globals.iter().find(|global| !global.zeroed) {
        return reject_evidence(format!(
            "a call through a pointer may lead anywhere: {} starts with any value",
            global.name
        ));
    }
    for id in reached {
        let function = &program.functions[*id];
        let is_foreign = |one: &&Statement| match &one.instruction {
            Instruction::Choice { dst, .. } | Instruction::Unknown { dst, .. } => {
                function.vars[*dst].ty == Type::Ptr
            }
            Instruction::Cast { op: CastOp::IntToPtr, .. } => true,
            _ => false,
        };
        if let Some(one) = statements(function).find(is_foreign) {
            let place = SourcePlace::of_span(program, *id, one.span);
            return reject_evidence(format!(
                "a call through a pointer may lead anywhere: a pointer comes from outside ({place})"
            ));
        }
    }
    Ok(())
}

fn reached_blocks(flow: &FunctionFlow) -> BTreeSet<BlockId> {
    let mut reached = BTreeSet::from([BlockId(0)]);
    let mut open = vec![BlockId(0)];
    while let Some(block) = open.pop() {
        open.extend(flow.successors(block).iter().filter(|next| reached.insert(**next)));
    }
    reached
}

/// Whether control enters each loop at its head alone, and every cycle goes back to the head of a loop that it is in:
/// without the steps back to heads, there is none.
fn is_reducible(flow: &FunctionFlow, reached: &BTreeSet<BlockId>, loops: &[Loop]) -> bool {
    let entry = BlockId(0);
    let is_entered_once =
        |one: &Loop| has_one_entry(flow, one) && (one.head == entry || !one.body.contains(&entry));
    let mut back: BTreeSet<(BlockId, BlockId)> = BTreeSet::new();
    for one in loops {
        // Bodies are in ascending order.
        let before = flow.predecessors(one.head).iter();
        let inside = before.filter(|from| one.body.binary_search(from).is_ok());
        back.extend(inside.map(|from| (*from, one.head)));
    }
    // A block is taken away once all that lead to it are gone; what cannot be taken away is on a cycle, or behind one.
    let is_onward =
        |from: &BlockId, to: BlockId| reached.contains(from) && !back.contains(&(*from, to));
    let mut waits: BTreeMap<BlockId, usize> = BTreeMap::new();
    for block in reached {
        let before = flow.predecessors(*block).iter();
        waits.insert(*block, before.filter(|from| is_onward(from, *block)).count());
    }
    let mut free: Vec<BlockId> =
        waits.iter().filter(|(_, count)| **count == 0).map(|(block, _)| *block).collect();
    let mut taken = 0;
    while let Some(block) = free.pop() {
        taken += 1;
        for next in flow.successors(block) {
            if back.contains(&(block, *next)) {
                continue;
            }
            if let Some(count) = waits.get_mut(next) {
                *count -= 1;
                if *count == 0 {
                    free.push(*next);
                }
            }
        }
    }
    taken == reached.len() && loops.iter().all(is_entered_once)
}
