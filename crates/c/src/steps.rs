//! Where the step of a monitor runs: the function that looks at the program again and again.
//!
//! Every infinite run goes through the head of a loop again and again, or through calls of functions that
//! may call themselves, so there it always runs. Where the step has to see every change, it also runs after
//! each statement that may write what it reads; where every statement counts, after each of them. Code of
//! the C library is one statement of the program, however long: it has its heads, nothing else.

use std::collections::BTreeSet;

use ouro_model::flow::{Flow, recursive_functions};
use ouro_model::ids::Id as _;
use ouro_model::monitor::Steps;
use ouro_model::{
    Callee, Cell, Function, FunctionId, GlobalId, Instruction, Operand, Program, Statement, VarKind,
};

/// Makes the program call the step. `own` are the functions of the monitor.
pub(crate) fn weave(
    program: &mut Program,
    step: FunctionId,
    steps: Steps,
    own: &BTreeSet<FunctionId>,
) {
    let watched = Watched::of(program, step, own);
    let recursive = recursive_functions(program);
    let entry = program.entry;
    let user: BTreeSet<FunctionId> =
        program.functions.enumerate().filter(|(_, f)| f.user).map(|(id, _)| id).collect();
    for (index, function) in program.functions.iter_mut().enumerate() {
        let id = FunctionId::at(index);
        if own.contains(&id) || id == entry {
            continue;
        }
        let flow = Flow::of(function);
        let heads: Vec<bool> = (0..function.blocks.len())
            .map(|at| flow.is_loop_head(ouro_model::BlockId::at(at)))
            .collect();
        let at_entry = recursive[id] || (steps == Steps::All && function.user);
        let counts: Vec<Vec<bool>> = (function.blocks.iter())
            .map(|block| {
                let counts = |statement: &Statement| match steps {
                    Steps::Turns => false,
                    // A hook may change the state of the specification.
                    _ if calls_own(&statement.instruction, own) => true,
                    _ if !function.user => false,
                    Steps::Changes => watched.may_change(&statement.instruction, &user),
                    Steps::All => writes(&statement.instruction, function),
                };
                block.statements.iter().map(counts).collect()
            })
            .collect();
        for (at, block) in function.blocks.iter_mut().enumerate() {
            let before = heads[at] || (at == 0 && at_entry);
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

fn calls_own(instruction: &Instruction, own: &BTreeSet<FunctionId>) -> bool {
    matches!(instruction, Instruction::Call { callee: Callee::Function(id), .. } if own.contains(id))
}

/// Whether a statement is one that the user sees as a step: it writes a variable or memory, or calls.
fn writes(instruction: &Instruction, function: &Function) -> bool {
    let of_user = |var: &ouro_model::VarId| function.vars[*var].kind == VarKind::User;
    match instruction {
        Instruction::Store { .. }
        | Instruction::Copy { .. }
        | Instruction::Fill { .. }
        | Instruction::Call { .. } => true,
        other => other.dsts().iter().any(of_user),
    }
}

/// What the step reads.
struct Watched {
    /// These objects; none means everything.
    globals: Option<BTreeSet<GlobalId>>,
    /// Whether they may change in ways that do not name them where the user's code is: through a pointer,
    /// or in the C library.
    elsewhere: bool,
}

impl Watched {
    fn of(program: &Program, step: FunctionId, own: &BTreeSet<FunctionId>) -> Watched {
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
        Watched { globals: plain.then_some(globals), elsewhere }
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
    let in_cells = program
        .globals
        .iter()
        .flat_map(|global| &global.cells)
        .any(|(_, cell)| matches!(cell, Cell::Global(global, _) if globals.contains(global)));
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
