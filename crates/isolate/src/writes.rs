//! What code is seen to write and to call, followed into every function that is here.
//!
//! An assumption about memory or about an input must not be made where the code itself shows that it is false, be it
//! in the loop, in a function that the loop calls, or in one that it calls through a pointer. So for each function
//! it is noted which bytes it writes, from one of its parameters or from elsewhere; which functions of the C library
//! it comes to; and whether it comes to code that is not here, which an assumption then has to name.

use std::collections::{BTreeMap, BTreeSet};

use ouro_model::ids::TypedId as _;
use ouro_model::{
    BuiltinFunction, Callee, Function, FunctionId, GlobalId, InitializerCell, Instruction, Operand,
    Program, Terminator, Type, VarKind,
};

use crate::copies::{AddressOrigin, AddressRoot, CopyAnalysis};
use crate::flows::{AddressClass, AddressFlows};
use crate::limits::LIMITS;

/// What is written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum StoredKind {
    /// An address, or a number that may be one.
    Address,
    /// A null pointer, or bytes that are all zero.
    Nothing,
    /// A number.
    Number,
    /// Bytes of any kind.
    Bytes,
}

/// Bytes that an instruction may write.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct WrittenBytes {
    /// What the address is made from; `None` for something that a called function finds for itself.
    pub(crate) base: Option<AddressOrigin>,
    /// The class of what the address is made from.
    pub(crate) class: Option<AddressClass>,
    /// The first byte, from the base.
    pub(crate) start: i64,
    /// The byte after the last; `None` if nobody knows.
    pub(crate) end: Option<i64>,
    pub(crate) stored: StoredKind,
}

/// The same for a whole function, from outside.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct WriteSummary {
    from: WriteOrigin,
    start: i64,
    end: Option<i64>,
    stored: StoredKind,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum WriteOrigin {
    /// What a parameter leads to.
    Param(usize),
    Global(GlobalId),
    /// What it finds for itself, of this class.
    Elsewhere(Option<AddressClass>),
}

/// What each function of a program does, with all that it calls.
#[derive(Clone, Debug)]
pub(crate) struct ProgramWrites {
    of: Vec<BTreeSet<WriteSummary>>,
    library: Vec<BTreeSet<String>>,
    /// The addresses that each function returns, as made from its parameters.
    returned: Vec<BTreeSet<(usize, i64, bool)>>,
    unseen: Vec<bool>,
    /// The functions that a pointer may lead to.
    targets: BTreeSet<FunctionId>,
    /// Static objects whose address is a value somewhere: links may lead to them.
    pub(crate) linked: BTreeSet<AddressOrigin>,
    /// Which addresses may be the same.
    pub(crate) flows: AddressFlows,
}

impl ProgramWrites {
    pub(crate) fn of_program(program: &Program) -> ProgramWrites {
        let count = program.functions.len();
        let mut writes = ProgramWrites {
            of: vec![BTreeSet::new(); count],
            library: vec![BTreeSet::new(); count],
            returned: vec![BTreeSet::new(); count],
            unseen: vec![false; count],
            targets: address_taken_functions(program),
            linked: BTreeSet::new(),
            flows: AddressFlows::of_program(program),
        };
        for (id, function) in program.functions.enumerate() {
            writes.unseen[id.index()] = is_unseen_function(function);
        }
        let copies: Vec<CopyAnalysis<'_>> =
            program.functions.iter().map(CopyAnalysis::of_function).collect();
        let callers = callers_of_functions(program, &writes.targets);
        let mut pending: BTreeSet<FunctionId> = program.functions.ids().collect();
        while let Some(id) = pending.pop_first() {
            if writes.summarise(program, id, &program.functions[id], &copies[id.index()]) {
                pending.extend(callers.get(&id).into_iter().flatten());
            }
        }
        for (id, function) in program.functions.enumerate().filter(|(_, one)| one.user) {
            note_linked_objects(program, function, &copies[id.index()], &mut writes.linked);
        }
        writes.linked.retain(|origin| matches!(origin, AddressOrigin::Global(_)));
        for (_, cell) in program.globals.iter().flat_map(|global| &global.cells) {
            if let InitializerCell::Global(id, _) = cell {
                writes.linked.insert(AddressOrigin::Global(*id));
            }
        }
        writes
    }

    /// Notes what a function does; whether that is new.
    fn summarise(
        &mut self,
        program: &Program,
        id: FunctionId,
        function: &Function,
        copies: &CopyAnalysis<'_>,
    ) -> bool {
        let mut all = self.of[id.index()].clone();
        let mut library = self.library[id.index()].clone();
        let mut unseen = self.unseen[id.index()];
        let returned = self.returned_addresses(function, copies);
        for statement in function.blocks.iter().flat_map(|block| &block.statements) {
            let instruction = &statement.instruction;
            for WrittenBytes { base, class, start, end, stored } in
                self.instruction_writes(program, id, copies, instruction)
            {
                let from = match base {
                    Some(AddressOrigin::Global(id)) => WriteOrigin::Global(id),
                    Some(AddressOrigin::Var(var)) => {
                        match function.params.iter().position(|param| *param == var) {
                            Some(number) => WriteOrigin::Param(number),
                            // An object of this very call is gone afterwards.
                            None if copies.is_frame_address(var) => continue,
                            None => WriteOrigin::Elsewhere(class),
                        }
                    }
                    None => WriteOrigin::Elsewhere(class),
                };
                all.insert(WriteSummary { from, start, end, stored });
            }
            library.extend(self.library_calls(program, instruction));
            unseen |= self.reaches_unseen_code(instruction);
        }
        if all.len() > LIMITS.noted_writes {
            let anything =
                |from| WriteSummary { from, start: i64::MIN, end: None, stored: StoredKind::Bytes };
            let starts: BTreeSet<WriteOrigin> = all.iter().map(|one| one.from).collect();
            all = starts.into_iter().map(anything).collect();
        }
        let same = (&all, &library, &returned, unseen)
            == (
                &self.of[id.index()],
                &self.library[id.index()],
                &self.returned[id.index()],
                self.unseen[id.index()],
            );
        self.returned[id.index()] = returned;
        self.of[id.index()] = all;
        self.library[id.index()] = library;
        self.unseen[id.index()] = unseen;
        !same
    }

    /// The addresses that a function returns and that are made from its parameters.
    fn returned_addresses(
        &self,
        function: &Function,
        copies: &CopyAnalysis<'_>,
    ) -> BTreeSet<(usize, i64, bool)> {
        let mut all = BTreeSet::new();
        for block in function.blocks.iter() {
            let Terminator::Return(values) = &block.terminator else { continue };
            for AddressRoot { origin, offset, exact } in
                values.iter().flat_map(|value| self.roots(copies, *value, 0))
            {
                let AddressOrigin::Var(var) = origin else { continue };
                let param = function.params.iter().position(|param| *param == var);
                all.extend(
                    param
                        .filter(|_| all.len() < LIMITS.noted_writes)
                        .map(|number| (number, offset, exact)),
                );
            }
        }
        all
    }

    /// What an address may be made from, also by functions that it is handed to and that give it back.
    fn roots(&self, copies: &CopyAnalysis<'_>, operand: Operand, depth: usize) -> Vec<AddressRoot> {
        let mut all = copies.roots(operand);
        for AddressRoot { origin, offset, exact } in all.clone() {
            let AddressOrigin::Var(var) = origin else { continue };
            if depth > LIMITS.nested_address_calls {
                continue;
            }
            for (callee, args) in copies.calls_returning(var) {
                for (number, more, known) in &self.returned[callee.index()] {
                    let Some(arg) = args.get(*number) else { continue };
                    all.extend(self.roots(copies, *arg, depth + 1).into_iter().map(|root| {
                        AddressRoot {
                            origin: root.origin,
                            offset: root.offset.saturating_add(*more).saturating_add(offset),
                            exact: root.exact && *known && exact,
                        }
                    }));
                }
            }
        }
        all.sort();
        all.dedup();
        all
    }

    /// What an instruction of a function may write, by itself or in what it calls.
    pub(crate) fn instruction_writes(
        &self,
        program: &Program,
        id: FunctionId,
        copies: &CopyAnalysis<'_>,
        instruction: &Instruction,
    ) -> Vec<WrittenBytes> {
        let function = &program.functions[id];
        let at = |address: Operand, len: Option<i64>, stored: StoredKind| -> Vec<WrittenBytes> {
            let roots = self.roots(copies, address, 0).into_iter();
            let one = |AddressRoot { origin, offset, exact }: AddressRoot| WrittenBytes {
                base: Some(origin),
                class: Some(self.flows.class_of(id, origin)),
                start: offset,
                end: len.filter(|_| exact).and_then(|len| offset.checked_add(len)),
                stored,
            };
            roots.map(one).collect()
        };
        match instruction {
            Instruction::Store { address, value } => {
                let ty = function.type_of(*value);
                let len = ty.map(|ty| i64::from(ty.size_in_bytes(program.target.pointer_bits)));
                let stored = match (ty, value) {
                    (_, Operand::Const { bits: 0, .. }) => StoredKind::Nothing,
                    (Some(Type::Ptr), _) => StoredKind::Address,
                    (Some(Type::Int(_)), _) => StoredKind::Number,
                    _ => StoredKind::Bytes,
                };
                at(*address, len, stored)
            }
            Instruction::Copy { to, size, .. } => {
                at(*to, constant_number(*size), StoredKind::Bytes)
            }
            Instruction::Fill { to, size, value } => {
                let zero = matches!(value, Operand::Const { bits: 0, .. });
                let stored = if zero { StoredKind::Nothing } else { StoredKind::Bytes };
                at(*to, constant_number(*size), stored)
            }
            Instruction::VaStart { list } => at(*list, None, StoredKind::Bytes),
            Instruction::Call { callee, args, .. } => match callee {
                Callee::Function(called) => self.call_writes(id, copies, *called, args),
                Callee::Pointer(_) => {
                    let each = |called: &FunctionId| self.call_writes(id, copies, *called, args);
                    self.targets.iter().flat_map(each).collect()
                }
                // Text of any length, into the first; numbers by `%n`.
                Callee::Builtin(builtin @ (BuiltinFunction::Print | BuiltinFunction::Format)) => {
                    let buffer = args.first().filter(|_| *builtin == BuiltinFunction::Format);
                    let text = buffer.into_iter().flat_map(|to| at(*to, None, StoredKind::Bytes));
                    let numbers = args.iter().flat_map(|arg| at(*arg, Some(8), StoredKind::Number));
                    text.chain(numbers).collect()
                }
                Callee::Builtin(_) => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    fn call_writes(
        &self,
        caller: FunctionId,
        copies: &CopyAnalysis<'_>,
        callee: FunctionId,
        args: &[Operand],
    ) -> Vec<WrittenBytes> {
        let mut all = Vec::new();
        let mut handed: BTreeMap<usize, Vec<AddressRoot>> = BTreeMap::new();
        let mut passed: Option<Vec<Vec<(AddressClass, i64)>>> = None;
        for WriteSummary { from, start, end, stored } in &self.of[callee.index()] {
            let (start, end, stored) = (*start, *end, *stored);
            match from {
                WriteOrigin::Elsewhere(class) => {
                    let passed = passed.get_or_insert_with(|| {
                        args.iter()
                            .map(|arg| self.classes_of_operand(caller, copies, *arg))
                            .collect()
                    });
                    let classes = class.map_or(vec![None], |class| {
                        let all = self.flows.classes_for_caller(callee, class, passed);
                        all.into_iter().map(Some).collect()
                    });
                    let one = |class| WrittenBytes { base: None, class, start, end, stored };
                    all.extend(classes.into_iter().map(one));
                }
                WriteOrigin::Global(id) => {
                    all.push(WrittenBytes {
                        base: Some(AddressOrigin::Global(*id)),
                        class: Some(self.flows.class_of(caller, AddressOrigin::Global(*id))),
                        start,
                        end,
                        stored,
                    });
                }
                WriteOrigin::Param(number) => {
                    let Some(arg) = args.get(*number) else { continue };
                    let roots =
                        handed.entry(*number).or_insert_with(|| self.roots(copies, *arg, 0));
                    all.extend(roots.iter().map(|AddressRoot { origin, offset, exact }| {
                        WrittenBytes {
                            base: Some(*origin),
                            class: Some(self.flows.class_of(caller, *origin)),
                            start: start.saturating_add(*offset),
                            end: end.filter(|_| *exact).and_then(|end| end.checked_add(*offset)),
                            stored,
                        }
                    }));
                }
            }
        }
        all
    }

    /// The classes that an address may be made from, and how many bytes behind.
    fn classes_of_operand(
        &self,
        function: FunctionId,
        copies: &CopyAnalysis<'_>,
        operand: Operand,
    ) -> Vec<(AddressClass, i64)> {
        let roots = copies.roots(operand).into_iter();
        roots.map(|root| (self.flows.class_of(function, root.origin), root.offset)).collect()
    }

    /// The functions of the C library that an instruction comes to.
    pub(crate) fn library_calls(
        &self,
        program: &Program,
        instruction: &Instruction,
    ) -> BTreeSet<String> {
        let of = |id: FunctionId| -> BTreeSet<String> {
            let function = &program.functions[id];
            match function.user {
                true => self.library[id.index()].clone(),
                // What one of them does inside is its own matter.
                false => BTreeSet::from([function.name.clone()]),
            }
        };
        match instruction {
            Instruction::Call { callee: Callee::Function(id), .. } => of(*id),
            Instruction::Call { callee: Callee::Pointer(_), .. } => {
                self.targets.iter().flat_map(|id| of(*id)).collect()
            }
            _ => BTreeSet::new(),
        }
    }

    /// Whether an instruction comes to code that is not here.
    pub(crate) fn reaches_unseen_code(&self, instruction: &Instruction) -> bool {
        match instruction {
            Instruction::Call { callee: Callee::Function(id), .. } => self.unseen[id.index()],
            Instruction::Call { callee: Callee::Pointer(_), .. } => true,
            _ => false,
        }
    }
}

/// Whether a function has no code here, or some that the model does not cover.
fn is_unseen_function(function: &Function) -> bool {
    let limit = |block: &ouro_model::Block| matches!(block.terminator, Terminator::Limit(_));
    !function.span.is_known() || (function.user && function.blocks.iter().any(limit))
}

/// Who calls each function, perhaps through a pointer.
fn callers_of_functions(
    program: &Program,
    targets: &BTreeSet<FunctionId>,
) -> BTreeMap<FunctionId, BTreeSet<FunctionId>> {
    let mut all: BTreeMap<FunctionId, BTreeSet<FunctionId>> = BTreeMap::new();
    for (id, function) in program.functions.enumerate() {
        for statement in function.blocks.iter().flat_map(|block| &block.statements) {
            match statement.instruction {
                Instruction::Call { callee: Callee::Function(callee), .. } => {
                    all.entry(callee).or_default().insert(id);
                }
                Instruction::Call { callee: Callee::Pointer(_), .. } => {
                    for to in targets {
                        all.entry(*to).or_default().insert(id);
                    }
                }
                _ => {}
            }
        }
    }
    all
}

/// Notes objects whose address goes somewhere in a function: into a variable, into memory, or to code of the project.
/// A function of the C library does not make a node of a buffer.
pub(crate) fn note_linked_objects(
    program: &Program,
    function: &Function,
    copies: &CopyAnalysis<'_>,
    all: &mut BTreeSet<AddressOrigin>,
) {
    let mut note = |operand: Operand| {
        all.extend(copies.roots(operand).into_iter().map(|root| root.origin));
    };
    for block in function.blocks.iter() {
        for statement in &block.statements {
            match &statement.instruction {
                Instruction::Store { value, .. } => note(*value),
                Instruction::Assign { dst, value } if function.vars[*dst].kind == VarKind::User => {
                    note(*value);
                }
                Instruction::Select { left, right, .. } => {
                    note(*left);
                    note(*right);
                }
                Instruction::Call { callee: Callee::Function(id), args, .. } => {
                    let called = &program.functions[*id];
                    if called.user || !called.span.is_known() {
                        args.iter().for_each(|arg| note(*arg));
                    }
                }
                Instruction::Call { callee: Callee::Pointer(_), args, .. } => {
                    args.iter().for_each(|arg| note(*arg));
                }
                _ => {}
            }
        }
        if let Terminator::Return(values) = &block.terminator {
            values.iter().for_each(|value| note(*value));
        }
    }
}

/// The functions whose address somebody has.
pub fn address_taken_functions(program: &Program) -> BTreeSet<FunctionId> {
    let mut all = BTreeSet::new();
    let mut note = |operand: Operand| {
        if let Operand::Function(id) = operand {
            all.insert(id);
        }
    };
    for block in program.functions.iter().flat_map(|function| function.blocks.iter()) {
        block.statements.iter().for_each(|one| one.instruction.each_operand(&mut note));
        block.terminator.each_operand(&mut note);
    }
    for (_, cell) in program.globals.iter().flat_map(|global| &global.cells) {
        if let InitializerCell::Function(id) = cell {
            all.insert(*id);
        }
    }
    all
}

fn constant_number(operand: Operand) -> Option<i64> {
    match operand {
        Operand::Const { bits, .. } => i64::try_from(bits).ok(),
        _ => None,
    }
}
