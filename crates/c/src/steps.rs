//! Where the step of a monitor runs: the function that looks at the program again and again.
//!
//! Every infinite run goes through the head of a loop again and again, or through calls of functions that
//! may call themselves, so there it always runs. Where the step has to see every change, it also runs after
//! each statement that may write what it reads. Where every statement counts, it runs after each of them, and
//! at the heads of those loops only that can go round without one: any other would be counted twice. Code of
//! the C library is one statement of the program, however long: it has its heads, nothing else.

use std::collections::BTreeSet;

use ouro_model::flow::{FunctionFlow, recursive_functions};
use ouro_model::ids::TypedId as _;
use ouro_model::monitor::MonitorStepFrequency;
use ouro_model::{
    BlockId, Callee, Function, FunctionId, GlobalId, InitializerCell, Instruction, Operand,
    Program, Statement, VarId, VarKind,
};

use crate::memory::A_TEMPORARY;

/// Makes the program call the step. `own` are the functions of the monitor.
pub(crate) fn weave_step_calls(
    program: &mut Program,
    step: FunctionId,
    steps: MonitorStepFrequency,
    own: &BTreeSet<FunctionId>,
) {
    let watched = WatchedObjects::of_step(program, step, own);
    let recursive = recursive_functions(program);
    let entry = program.entry;
    let user: BTreeSet<FunctionId> =
        program.functions.enumerate().filter(|(_, f)| f.user).map(|(id, _)| id).collect();
    for (index, function) in program.functions.iter_mut().enumerate() {
        let id = FunctionId::from_index(index);
        if own.contains(&id) || id == entry {
            continue;
        }
        let flow = FunctionFlow::of_function(function);
        let heads: Vec<bool> = (0..function.blocks.len())
            .map(|at| flow.is_loop_head(BlockId::from_index(at)))
            .collect();
        let at_entry = recursive[id];
        let temporaries = compiler_temporaries(function);
        let counts: Vec<Vec<bool>> = (function.blocks.iter())
            .map(|block| {
                let counts = |statement: &Statement| match steps {
                    MonitorStepFrequency::Turns => false,
                    // A hook may change the state of the specification.
                    _ if calls_monitor(&statement.instruction, own) => true,
                    _ if !function.user => false,
                    MonitorStepFrequency::Changes => {
                        watched.may_change(&statement.instruction, &user)
                    }
                    MonitorStepFrequency::All => is_user_step(statement, function, &temporaries),
                };
                block.statements.iter().map(counts).collect()
            })
            .collect();
        let counted_inside = steps == MonitorStepFrequency::All && function.user;
        let turns: Vec<bool> = (heads.iter().enumerate())
            .map(|(at, head)| *head && (!counted_inside || cycles_without_step(&flow, &counts, at)))
            .collect();
        for (at, block) in function.blocks.iter_mut().enumerate() {
            let before = turns[at] || (at == 0 && at_entry);
            let call = |span| Statement {
                instruction: Instruction::Call {
                    dsts: Vec::new(),
                    callee: Callee::Function(step),
                    args: Vec::new(),
                },
                span,
            };
            let first = block.statements.first().map_or(block.span, |statement| statement.span);
            let mut woven: Vec<Statement> = Vec::new();
            woven.extend(before.then(|| call(first)));
            for (statement, counts) in block.statements.drain(..).zip(&counts[at]) {
                let span = statement.span;
                woven.push(statement);
                woven.extend(counts.then(|| call(span)));
            }
            block.statements = woven;
        }
    }
}

/// Whether control can go from a block back to it without a statement that counts.
fn cycles_without_step(flow: &FunctionFlow, counts: &[Vec<bool>], head: usize) -> bool {
    let is_silent = |at: usize| !counts[at].contains(&true);
    if !is_silent(head) {
        return false;
    }
    let mut seen = BTreeSet::new();
    let mut open = vec![head];
    while let Some(at) = open.pop() {
        for next in flow.successors(BlockId::from_index(at)) {
            let next = next.index();
            if next == head {
                return true;
            }
            if is_silent(next) && seen.insert(next) {
                open.push(next);
            }
        }
    }
    false
}

fn calls_monitor(instruction: &Instruction, own: &BTreeSet<FunctionId>) -> bool {
    matches!(instruction, Instruction::Call { callee: Callee::Function(id), .. } if own.contains(id))
}

/// Objects of the compiler's own.
fn compiler_temporaries(function: &Function) -> BTreeSet<VarId> {
    let statements = function.blocks.iter().flat_map(|block| &block.statements);
    statements
        .filter_map(|statement| match &statement.instruction {
            Instruction::Alloca { dst, name, .. } if name == A_TEMPORARY => Some(*dst),
            _ => None,
        })
        .collect()
}

/// Whether a statement is one that the user sees as a step: an assignment or a call. What has no place in the
/// source is the compiler's (parameters are put into memory), and so is what is written into an object without a
/// name (a structure on its way out of a call).
fn is_user_step(statement: &Statement, function: &Function, temporaries: &BTreeSet<VarId>) -> bool {
    if !statement.span.is_known() {
        return false;
    }
    let of_user = |address: &Operand| match address {
        Operand::Var(var) => !temporaries.contains(var),
        _ => true,
    };
    match &statement.instruction {
        Instruction::Store { address, .. } => of_user(address),
        Instruction::Copy { to, .. } | Instruction::Fill { to, .. } => of_user(to),
        Instruction::Call { .. } => true,
        other => {
            other.destination_vars().iter().any(|var| function.vars[*var].kind == VarKind::User)
        }
    }
}

/// What the step reads.
struct WatchedObjects {
    /// These objects; none means everything.
    globals: Option<BTreeSet<GlobalId>>,
    /// Whether they may change in ways that do not name them where the user's code is: through a pointer,
    /// or in the C library.
    elsewhere: bool,
}

impl WatchedObjects {
    fn of_step(program: &Program, step: FunctionId, own: &BTreeSet<FunctionId>) -> WatchedObjects {
        let mut globals = BTreeSet::new();
        let mut seen = BTreeSet::from([step]);
        let mut open = vec![step];
        let mut plain = true;
        while let Some(id) = open.pop() {
            for statement in program.functions[id].blocks.iter().flat_map(|b| &b.statements) {
                match &statement.instruction {
                    Instruction::Load { address: Operand::Global(global, _), .. } => {
                        globals.insert(*global);
                    }
                    Instruction::Load { .. } | Instruction::Copy { .. } => plain = false,
                    Instruction::Call { callee: Callee::Function(id), .. } if seen.insert(*id) => {
                        open.push(*id);
                    }
                    Instruction::Call { callee: Callee::Pointer(_), .. } => plain = false,
                    _ => {}
                }
            }
        }
        let elsewhere = is_pointed_at(program, &globals) || library_stores(program, &globals, own);
        WatchedObjects { globals: plain.then_some(globals), elsewhere }
    }

    /// Whether a statement of the user's code may write what the step reads. Calls of the user's functions
    /// do not count, since their own statements do.
    fn may_change(&self, instruction: &Instruction, user: &BTreeSet<FunctionId>) -> bool {
        let target = match instruction {
            Instruction::Store { address, .. } => *address,
            Instruction::Copy { to, .. } | Instruction::Fill { to, .. } => *to,
            Instruction::VaStart { list } => *list,
            Instruction::Call { callee: Callee::Function(id), .. } => {
                return !user.contains(id) && (self.elsewhere || self.globals.is_none());
            }
            Instruction::Call { .. } => return self.elsewhere || self.globals.is_none(),
            _ => return false,
        };
        match (&self.globals, target) {
            (None, _) => true,
            (Some(globals), Operand::Global(global, _)) => globals.contains(&global),
            (Some(_), _) => self.elsewhere,
        }
    }
}

/// Whether code of the C library stores into one of these objects by its name.
fn library_stores(
    program: &Program,
    globals: &BTreeSet<GlobalId>,
    own: &BTreeSet<FunctionId>,
) -> bool {
    let library =
        program.functions.enumerate().filter(|(id, function)| !function.user && !own.contains(id));
    let blocks = library.flat_map(|(_, function)| function.blocks.iter());
    blocks.flat_map(|block| &block.statements).any(|statement| {
        matches!(
            statement.instruction,
            Instruction::Store { address: Operand::Global(global, _), .. }
                if globals.contains(&global)
        )
    })
}

/// Whether the address of one of these objects is used for anything but a load or store at a fixed place.
fn is_pointed_at(program: &Program, globals: &BTreeSet<GlobalId>) -> bool {
    let is_watched =
        |operand: Operand| matches!(operand, Operand::Global(g, _) if globals.contains(&g));
    let in_cells = program.globals.iter().flat_map(|global| &global.cells).any(
        |(_, cell)| matches!(cell, InitializerCell::Global(global, _) if globals.contains(global)),
    );
    let mut found = in_cells;
    for block in program.functions.iter().flat_map(|function| function.blocks.iter()) {
        for statement in &block.statements {
            match &statement.instruction {
                Instruction::Load { .. } => {}
                Instruction::Store { value, .. } => found |= is_watched(*value),
                other => other.each_operand(|operand| found |= is_watched(operand)),
            }
        }
        block.terminator.each_operand(|operand| found |= is_watched(operand));
    }
    found
}
