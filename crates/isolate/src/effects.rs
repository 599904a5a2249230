//! What a call can do to the caller's memory, and whether it comes back.

use std::collections::{BTreeSet, HashMap};

use ouro_model::ids::TypedId as _;
use ouro_model::{
    BuiltinFunction, Callee, Function, FunctionId, GlobalId, InitializerCell, Instruction, Operand,
    Program, Terminator, Type, VarId,
};

use crate::copies::CopyAnalysis;
use crate::writes::ProgramWrites;

/// What is known of each function of a program.
#[derive(Clone, Debug)]
pub struct ProgramEffects {
    of: Vec<CallEffect>,
    /// The static objects that each function writes by name, or lets others write.
    globals: Vec<BTreeSet<GlobalId>>,
    /// What each function is seen to write: bytes from the start of some object, and the type.
    members: Vec<BTreeSet<ObjectMember>>,
    /// What each function is seen to write and to call.
    pub(crate) writes: ProgramWrites,
    /// Whether output to a stream may store numbers, by `%n`.
    prints_store: bool,
}

/// What is taken for the code of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CodeScope {
    /// The user's functions: one whose code is not here may write anything.
    Project,
    /// All functions, as they are: one whose code is not here does what the front end says that it does, and what
    /// the model does not cover is left out by whoever asks.
    Program,
}

/// A part of an object: how many bytes behind its start, and of which type.
type ObjectMember = (i64, Type);

/// What a call of one function can do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct CallEffect {
    /// Whether it may write memory that its caller can see, if that is the user's code.
    pub(crate) writes: bool,
    /// Whether it may write memory that outlives the call, the C library's own among it.
    writes_any: bool,
    /// Whether it may come back.
    pub(crate) returns: bool,
    /// Whether it does something that the model does not cover, such as `setjmp`.
    pub(crate) limit: bool,
}

impl ProgramEffects {
    /// The effects of all functions. A function without body may write everything, and so may one with code
    /// that the model does not cover: what is behind that code is not in the program, so it is not seen that it
    /// writes, nor that it returns.
    pub fn of_program(program: &Program, scope: CodeScope) -> ProgramEffects {
        let exposed = exposed_globals(program);
        let own = |id: GlobalId| !program.globals[id].user && !exposed.contains(&id);
        let prints_store = scope == CodeScope::Program;
        let of_one = |function: &Function| {
            let is_limit = |t: &Terminator| matches!(t, Terminator::Limit(_));
            let hidden = function_terminators(function).any(is_limit);
            let is_unknown = |t: &Terminator| is_limit(t) && !t.is_result_limit();
            let unknown = function_terminators(function).any(is_unknown);
            let returns =
                function_terminators(function).any(|t| matches!(t, Terminator::Return(_)));
            // The front end's own code is that of functions without body.
            let unseen = hidden || (scope == CodeScope::Project && !function.span.is_known());
            CallEffect {
                writes: unseen || writes_itself(function, own, prints_store),
                writes_any: unseen || writes_itself(function, |_| false, prints_store),
                returns: returns || (hidden && (function.user || !unknown)),
                limit: unknown && !function.user,
            }
        };
        let mut of: Vec<CallEffect> = program.functions.iter().map(of_one).collect();
        let mut globals: Vec<BTreeSet<GlobalId>> =
            program.functions.iter().map(named_globals).collect();
        let mut members: Vec<BTreeSet<ObjectMember>> =
            program.functions.iter().map(written_members).collect();
        loop {
            let mut changed = false;
            for (id, function) in program.functions.enumerate() {
                for callee in called_functions(function) {
                    let CallEffect { writes, writes_any, .. } = of[callee.index()];
                    let here = &mut of[id.index()];
                    changed |= (writes && !here.writes) || (writes_any && !here.writes_any);
                    here.writes |= writes;
                    here.writes_any |= writes_any;
                    changed |= inherit_from_callee(&mut globals, id, callee);
                    changed |= inherit_from_callee(&mut members, id, callee);
                }
            }
            if !changed {
                return ProgramEffects {
                    of,
                    globals,
                    members,
                    writes: ProgramWrites::of_program(program),
                    prints_store,
                };
            }
        }
    }

    /// Whether a call is seen to write a static object.
    pub(crate) fn call_writes_global(&self, callee: Callee, global: GlobalId) -> bool {
        matches!(callee, Callee::Function(id) if self.globals[id.index()].contains(&global))
    }

    /// Whether a call is seen to write such a part of an object, of whichever object.
    pub(crate) fn call_writes_member(&self, callee: Callee, offset: i64, ty: Type) -> bool {
        matches!(callee, Callee::Function(id) if self.members[id.index()].contains(&(offset, ty)))
    }

    pub(crate) fn effect_of(&self, function: FunctionId) -> CallEffect {
        self.of[function.index()]
    }

    /// Whether a call may write memory that the caller can see; who is of the C library sees all of its objects.
    pub(crate) fn call_writes(&self, caller: &Function, callee: Callee) -> bool {
        match callee {
            Callee::Function(id) if caller.user => self.effect_of(id).writes,
            Callee::Function(id) => self.effect_of(id).writes_any,
            Callee::Pointer(_) => true,
            Callee::Builtin(builtin) => builtin_writes(builtin, self.prints_store),
        }
    }
}

/// Formatting stores its text; printing to a stream only prints, where `%n` is a limit.
fn builtin_writes(builtin: BuiltinFunction, prints_store: bool) -> bool {
    match builtin {
        BuiltinFunction::Format => true,
        BuiltinFunction::Print => prints_store,
        _ => false,
    }
}

fn function_terminators(function: &Function) -> impl Iterator<Item = &Terminator> {
    function.blocks.iter().map(|block| &block.terminator)
}

fn function_instructions(function: &Function) -> impl Iterator<Item = &Instruction> {
    function.blocks.iter().flat_map(|block| block.statements.iter().map(|s| &s.instruction))
}

fn called_functions(function: &Function) -> impl Iterator<Item = FunctionId> {
    function_instructions(function).filter_map(|instruction| match instruction {
        Instruction::Call { callee: Callee::Function(id), .. } => Some(*id),
        _ => None,
    })
}

/// What a function calls does what it does; whether that is new.
fn inherit_from_callee<T: Clone + Ord>(
    all: &mut [BTreeSet<T>],
    caller: FunctionId,
    callee: FunctionId,
) -> bool {
    let theirs = all[callee.index()].clone();
    let own = &mut all[caller.index()];
    let before = own.len();
    own.extend(theirs);
    own.len() > before
}

/// The parts of objects that a function writes itself.
fn written_members(function: &Function) -> BTreeSet<ObjectMember> {
    let copies = CopyAnalysis::of_function(function);
    let mut all = BTreeSet::new();
    for instruction in function_instructions(function) {
        if let Instruction::Store { address, value } = instruction
            && let Some(ty) = function.type_of(*value)
        {
            all.extend(copies.origins(*address).into_iter().map(|(_, offset)| (offset, ty)));
        }
    }
    all
}

/// The static objects that a function names for anything but reading.
fn named_globals(function: &Function) -> BTreeSet<GlobalId> {
    let mut all = BTreeSet::new();
    for instruction in function_instructions(function) {
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
fn writes_itself(function: &Function, own: impl Fn(GlobalId) -> bool, prints_store: bool) -> bool {
    let defined = unique_definitions(function);
    function_instructions(function).any(|instruction| match instruction {
        Instruction::Store { address: to, .. }
        | Instruction::Copy { to, .. }
        | Instruction::Fill { to, .. }
        | Instruction::VaStart { list: to } => !is_own_object(&own, &defined, *to),
        Instruction::Call { callee: Callee::Pointer(_), .. } => true,
        Instruction::Call { callee: Callee::Builtin(builtin), .. } => {
            builtin_writes(*builtin, prints_store)
        }
        _ => false,
    })
}

/// The static objects of which more than the functions that name them may know the address: `errno` is the
/// C library's own, but a caller can ask where it is, and the user's code can name `environ`.
fn exposed_globals(program: &Program) -> BTreeSet<GlobalId> {
    let mut all = BTreeSet::new();
    let mut note = |operand: Operand| {
        if let Operand::Global(id, _) = operand {
            all.insert(id);
        }
    };
    for function in program.functions.iter() {
        for instruction in function_instructions(function) {
            match instruction {
                other if function.user => other.each_operand(&mut note),
                Instruction::Load { .. } | Instruction::Compare { .. } => {}
                Instruction::Store { value, .. } | Instruction::Fill { value, .. } => note(*value),
                Instruction::Copy { size, .. } => note(*size),
                other => other.each_operand(&mut note),
            }
        }
        function_terminators(function).for_each(|terminator| terminator.each_operand(&mut note));
    }
    for (_, cell) in program.globals.iter().flat_map(|global| &global.cells) {
        if let InitializerCell::Global(id, _) = cell {
            all.insert(*id);
        }
    }
    all
}

/// Whether an address is in an object of this very call, or in a static one that nobody else knows.
fn is_own_object(
    own: &impl Fn(GlobalId) -> bool,
    defined: &HashMap<VarId, Option<&Instruction>>,
    address: Operand,
) -> bool {
    let mut address = address;
    let mut seen = BTreeSet::new();
    loop {
        match address {
            Operand::Global(id, _) => return own(id),
            Operand::Var(var) => match defined.get(&var) {
                Some(Some(Instruction::Alloca { .. })) => return true,
                // One that nobody has set may be made from itself.
                Some(Some(Instruction::Offset { base, .. })) if seen.insert(var) => address = *base,
                _ => return false,
            },
            _ => return false,
        }
    }
}

/// The one instruction that writes each variable, or `None` where there are several. A parameter has
/// been written by the call.
pub(crate) fn unique_definitions(function: &Function) -> HashMap<VarId, Option<&Instruction>> {
    let mut defined: HashMap<VarId, Option<&Instruction>> = HashMap::new();
    for param in &function.params {
        defined.insert(*param, None);
    }
    for instruction in function_instructions(function) {
        for dst in instruction.destination_vars() {
            defined.entry(*dst).and_modify(|one| *one = None).or_insert(Some(instruction));
        }
    }
    defined
}
