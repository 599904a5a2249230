//! What a call can do to the caller's memory, and whether it comes back.

use std::collections::{BTreeSet, HashMap};

use ouro_model::ids::Id as _;
use ouro_model::{
    Builtin, Callee, Function, FunctionId, GlobalId, Instruction, Operand, Program, Terminator,
    VarId,
};

/// What is known of each function of a program.
#[derive(Clone, Debug)]
pub struct Effects {
    of: Vec<Effect>,
    /// The static objects that each function writes by name, or lets others write.
    globals: Vec<BTreeSet<GlobalId>>,
}

/// What a call of one function can do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Effect {
    /// Whether it may write memory that its caller can see.
    pub(crate) writes: bool,
    /// Whether it may come back.
    pub(crate) returns: bool,
    /// Whether it does something that the model does not cover, such as `setjmp`.
    pub(crate) limit: bool,
}

impl Effects {
    /// The effects of all functions. A function without body may write everything.
    pub fn of(program: &Program) -> Effects {
        let mut of: Vec<Effect> = program
            .functions
            .iter()
            .map(|function| Effect {
                // The front end's own code is that of functions without body.
                writes: !function.span.is_known() || writes_itself(program, function),
                returns: terminators(function).any(|t| matches!(t, Terminator::Return(_))),
                limit: !function.user
                    && terminators(function).any(|t| matches!(t, Terminator::Limit(_))),
            })
            .collect();
        let mut globals: Vec<BTreeSet<GlobalId>> =
            program.functions.iter().map(named_globals).collect();
        loop {
            let mut changed = false;
            for (id, function) in program.functions.enumerate() {
                for callee in called(function) {
                    let writes = of[callee.index()].writes;
                    let theirs = globals[callee.index()].clone();
                    let (effect, own) = (&mut of[id.index()], &mut globals[id.index()]);
                    changed |= (writes && !effect.writes) || !theirs.is_subset(own);
                    effect.writes |= writes;
                    own.extend(theirs);
                }
            }
            if !changed {
                return Effects { of, globals };
            }
        }
    }

    /// Whether a call is seen to write a static object.
    pub(crate) fn call_names(&self, callee: Callee, global: GlobalId) -> bool {
        matches!(callee, Callee::Function(id) if self.globals[id.index()].contains(&global))
    }

    pub(crate) fn at(&self, function: FunctionId) -> Effect {
        self.of[function.index()]
    }

    /// Whether a call may write memory that the caller can see.
    pub(crate) fn call_writes(&self, callee: Callee) -> bool {
        match callee {
            Callee::Function(id) => self.at(id).writes,
            Callee::Pointer(_) => true,
            Callee::Builtin(builtin) => builtin_writes(builtin),
        }
    }
}

/// `%n` writes as well, so printing does.
fn builtin_writes(builtin: Builtin) -> bool {
    matches!(builtin, Builtin::Print | Builtin::Format)
}

fn terminators(function: &Function) -> impl Iterator<Item = &Terminator> {
    function.blocks.iter().map(|block| &block.terminator)
}

fn instructions(function: &Function) -> impl Iterator<Item = &Instruction> {
    function.blocks.iter().flat_map(|block| block.statements.iter().map(|s| &s.instruction))
}

fn called(function: &Function) -> impl Iterator<Item = FunctionId> {
    instructions(function).filter_map(|instruction| match instruction {
        Instruction::Call { callee: Callee::Function(id), .. } => Some(*id),
        _ => None,
    })
}

/// The static objects that a function names for anything but reading.
fn named_globals(function: &Function) -> BTreeSet<GlobalId> {
    let mut all = BTreeSet::new();
    for instruction in instructions(function) {
        let mut note = |operand: Operand| {
            if let Operand::Global(id, _) = operand {
                all.insert(id);
            }
        };
        match instruction {
            Instruction::Load { .. } | Instruction::Compare { .. } => {}
            Instruction::Copy { to, .. } => note(*to),
            other => other.each_operand(note),
        }
    }
    all
}

/// Whether the function's own code may write memory that its caller can see.
fn writes_itself(program: &Program, function: &Function) -> bool {
    let defined = definitions(function);
    instructions(function).any(|instruction| match instruction {
        Instruction::Store { address: to, .. }
        | Instruction::Copy { to, .. }
        | Instruction::Fill { to, .. }
        | Instruction::VaStart { list: to } => !is_own(program, &defined, *to),
        Instruction::Call { callee: Callee::Pointer(_), .. } => true,
        Instruction::Call { callee: Callee::Builtin(builtin), .. } => builtin_writes(*builtin),
        _ => false,
    })
}

/// Whether an address is in an object of this very call, or in one of the C library's own.
fn is_own(
    program: &Program,
    defined: &HashMap<VarId, Option<&Instruction>>,
    address: Operand,
) -> bool {
    match address {
        Operand::Global(id, _) => !program.globals[id].user,
        Operand::Var(var) => match defined.get(&var) {
            Some(Some(Instruction::Alloca { .. })) => true,
            Some(Some(Instruction::Offset { base, .. })) => is_own(program, defined, *base),
            _ => false,
        },
        _ => false,
    }
}

/// The one instruction that writes each variable, or `None` where there are several. A parameter has
/// been written by the call.
pub(crate) fn definitions(function: &Function) -> HashMap<VarId, Option<&Instruction>> {
    let mut defined: HashMap<VarId, Option<&Instruction>> = HashMap::new();
    for param in &function.params {
        defined.insert(*param, None);
    }
    for instruction in instructions(function) {
        for dst in instruction.dsts() {
            defined.entry(*dst).and_modify(|one| *one = None).or_insert(Some(instruction));
        }
    }
    defined
}
