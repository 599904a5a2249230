//! What has to be known of a program before its loops can be looked at one by one: which functions run, which of them may
//! call themselves, that nothing is left to code that is not here, and which loops there are.

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

/// The functions that runs may reach, and the sets of those that may call each other.
pub(super) struct ProgramStructure {
    pub(super) functions: Vec<ReachedFunction>,
    pub(super) recursions: Vec<BTreeSet<FunctionId>>,
    /// Functions of which it is not known with which arguments they call others: the entry, if the model does not have
    /// all command lines. It is code without loops that calls `main`, whatever the command line is.
    pub(super) vague: BTreeSet<FunctionId>,
}

/// What runs may reach, if a proof by parts can speak of the program at all.
pub(super) fn find_structure(program: &Program) -> CheckResult<ProgramStructure> {
    let plain = program.question == ProgramQuestion::Termination
        && program.events.is_empty()
        && program.obligations.is_empty()
        && program.fairness.is_empty();
    if !plain {
        return reject_evidence("a proof by parts says nothing about a specification");
    }
    let CallOrder { functions: order, recursions } = CallOrder::of_program(program);
    if order.iter().any(|id| calls_pointer(&program.functions[*id])) {
        refuse_foreign_pointers(program, &order)?;
    }
    let mut functions = Vec::new();
    let mut vague = BTreeSet::new();
    for id in order {
        let function = &program.functions[id];
        let flow = FunctionFlow::of_function(function);
        let reached = reached_blocks(&flow);
        for block in &reached {
            let terminator = &function.blocks[*block].terminator;
            let is_entry = id == program.entry && flow.loops().is_empty();
            if is_entry && terminator.is_command_line_limit() {
                vague.insert(id);
            } else if !function.user && terminator.is_result_limit() {
                // The call of the library is over, and its effects are those of any call (`ouro-isolate`).
            } else if let Terminator::Limit(what) = terminator {
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
        functions.push(ReachedFunction { id, flow, loops });
    }
    Ok(ProgramStructure { functions, recursions, vague })
}

/// What the entry may call, directly or through others.
struct CallOrder {
    /// The functions, each after those that it calls and that do not call it.
    functions: Vec<FunctionId>,
    /// Those that may call themselves, with all that may call each other.
    recursions: Vec<BTreeSet<FunctionId>>,
}

impl CallOrder {
    /// A call through a pointer may lead to every function whose address somebody has.
    fn of_program(program: &Program) -> CallOrder {
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
        // Strongly connected components, as Tarjan finds them: `lowest` is the earliest function that is still open and
        // that one comes to from here.
        let mut order = CallOrder { functions: Vec::new(), recursions: Vec::new() };
        let mut number: BTreeMap<FunctionId, usize> = BTreeMap::from([(program.entry, 0)]);
        let mut lowest: BTreeMap<FunctionId, usize> = BTreeMap::from([(program.entry, 0)]);
        let mut stack = vec![program.entry];
        let mut is_open: BTreeSet<FunctionId> = BTreeSet::from([program.entry]);
        let mut active = vec![(program.entry, callees(program.entry), 0)];
        while let Some((id, next, tried)) = active.last_mut() {
            let id = *id;
            if let Some(callee) = next.get(*tried).copied() {
                *tried += 1;
                if !number.contains_key(&callee) {
                    let count = number.len();
                    number.insert(callee, count);
                    lowest.insert(callee, count);
                    stack.push(callee);
                    is_open.insert(callee);
                    active.push((callee, callees(callee), 0));
                } else if is_open.contains(&callee) {
                    lowest.insert(id, lowest[&id].min(number[&callee]));
                }
                continue;
            }
            active.pop();
            if let Some((caller, ..)) = active.last() {
                lowest.insert(*caller, lowest[caller].min(lowest[&id]));
            }
            if lowest[&id] < number[&id] {
                continue;
            }
            let mut together = BTreeSet::new();
            while let Some(other) = stack.pop() {
                is_open.remove(&other);
                order.functions.push(other);
                together.insert(other);
                if other == id {
                    break;
                }
            }
            if together.len() > 1 || callees(id).contains(&id) {
                order.recursions.push(together);
            }
        }
        order
    }
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
