//! What code is seen to write and to call, followed into every function that is here.
//!
//! An assumption about memory or about an input must not be made where the code itself shows that it is false, be it
//! in the loop, in a function that the loop calls, or in one that it calls through a pointer. So for each function
//! it is noted which bytes it writes, from one of its parameters or from elsewhere; which functions of the C library
//! it comes to; and whether it comes to code that is not here, which an assumption then has to name.

use std::collections::{BTreeMap, BTreeSet};

use ouro_model::ids::Id as _;
use ouro_model::{
    Builtin, Callee, Cell, Function, FunctionId, GlobalId, Instruction, Operand, Program,
    Terminator, Type, VarId, VarKind,
};

use crate::copies::{Copies, Origin, Root};

/// What is written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Stored {
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
pub(crate) struct Written {
    /// What the address is made from; `None` for something that a called function finds for itself.
    pub(crate) base: Option<Origin>,
    /// The first byte, from the base.
    pub(crate) start: i64,
    /// The byte after the last; `None` if nobody knows.
    pub(crate) end: Option<i64>,
    pub(crate) stored: Stored,
}

/// The same for a whole function, from outside.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Summary {
    from: Start,
    start: i64,
    end: Option<i64>,
    stored: Stored,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Start {
    /// What a parameter leads to.
    Param(usize),
    Global(GlobalId),
    Elsewhere,
}

/// What each function of a program does, with all that it calls.
#[derive(Clone, Debug)]
pub(crate) struct Writes {
    of: Vec<BTreeSet<Summary>>,
    library: Vec<BTreeSet<String>>,
    /// The addresses that each function returns, as made from its parameters.
    returned: Vec<BTreeSet<(usize, i64, bool)>>,
    unseen: Vec<bool>,
    /// The functions that a pointer may lead to.
    targets: BTreeSet<FunctionId>,
    /// Static objects whose address is a value somewhere: links may lead to them.
    pub(crate) linked: BTreeSet<Origin>,
}

/// The most that is noted of one function; beyond that it may write anything.
const MOST: usize = 200;
/// The most calls in one another that give an address back.
const DEEPEST: usize = 3;

impl Writes {
    pub(crate) fn of(program: &Program) -> Writes {
        let count = program.functions.len();
        let mut writes = Writes {
            of: vec![BTreeSet::new(); count],
            library: vec![BTreeSet::new(); count],
            returned: vec![BTreeSet::new(); count],
            unseen: vec![false; count],
            targets: targets(program),
            linked: BTreeSet::new(),
        };
        for (id, function) in program.functions.enumerate() {
            writes.unseen[id.index()] = is_unseen(function);
        }
        let copies: Vec<Copies<'_>> = program.functions.iter().map(Copies::of).collect();
        let callers = callers(program, &writes.targets);
        let mut pending: BTreeSet<FunctionId> = program.functions.ids().collect();
        while let Some(id) = pending.pop_first() {
            if writes.summarise(program, id, &program.functions[id], &copies[id.index()]) {
                pending.extend(callers.get(&id).into_iter().flatten());
            }
        }
        for (id, function) in program.functions.enumerate().filter(|(_, one)| one.user) {
            note_linked(program, function, &copies[id.index()], &mut writes.linked);
        }
        writes.linked.retain(|origin| matches!(origin, Origin::Global(_)));
        for (_, cell) in program.globals.iter().flat_map(|global| &global.cells) {
            if let Cell::Global(id, _) = cell {
                writes.linked.insert(Origin::Global(*id));
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
        copies: &Copies<'_>,
    ) -> bool {
        let mut all = self.of[id.index()].clone();
        let mut library = self.library[id.index()].clone();
        let mut unseen = self.unseen[id.index()];
        let returned = self.returns(function, copies);
        for statement in function.blocks.iter().flat_map(|block| &block.statements) {
            let instruction = &statement.instruction;
            for Written { base, start, end, stored } in
                self.written(program, function, copies, instruction)
            {
                let from = match base {
                    Some(Origin::Global(id)) => Start::Global(id),
                    Some(Origin::Var(var)) => {
                        match function.params.iter().position(|param| *param == var) {
                            Some(number) => Start::Param(number),
                            // An object of this very call is gone afterwards.
                            None if copies.is_frame(var) => continue,
                            None => Start::Elsewhere,
                        }
                    }
                    None => Start::Elsewhere,
                };
                all.insert(Summary { from, start, end, stored });
            }
            library.extend(self.library_calls(program, instruction));
            unseen |= self.is_unseen(instruction);
        }
        if all.len() > MOST {
            let anything =
                |from| Summary { from, start: i64::MIN, end: None, stored: Stored::Bytes };
            let starts: BTreeSet<Start> = all.iter().map(|one| one.from).collect();
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
    fn returns(&self, function: &Function, copies: &Copies<'_>) -> BTreeSet<(usize, i64, bool)> {
        let mut all = BTreeSet::new();
        for block in function.blocks.iter() {
            let Terminator::Return(values) = &block.terminator else { continue };
            for Root { origin, offset, exact } in
                values.iter().flat_map(|value| self.roots(copies, *value, 0))
            {
                let Origin::Var(var) = origin else { continue };
                let param = function.params.iter().position(|param| *param == var);
                all.extend(
                    param.filter(|_| all.len() < MOST).map(|number| (number, offset, exact)),
                );
            }
        }
        all
    }

    /// What an address may be made from, also by functions that it is handed to and that give it back.
    fn roots(&self, copies: &Copies<'_>, operand: Operand, depth: usize) -> Vec<Root> {
        let mut all = copies.roots(operand);
        for Root { origin, offset, exact } in all.clone() {
            let Origin::Var(var) = origin else { continue };
            if depth > DEEPEST {
                continue;
            }
            for (callee, args) in copies.calls(var) {
                for (number, more, known) in &self.returned[callee.index()] {
                    let Some(arg) = args.get(*number) else { continue };
                    all.extend(self.roots(copies, *arg, depth + 1).into_iter().map(|root| Root {
                        origin: root.origin,
                        offset: root.offset.saturating_add(*more).saturating_add(offset),
                        exact: root.exact && *known && exact,
                    }));
                }
            }
        }
        all.sort();
        all.dedup();
        all
    }

    /// What an instruction of a function may write, by itself or in what it calls.
    pub(crate) fn written(
        &self,
        program: &Program,
        function: &Function,
        copies: &Copies<'_>,
        instruction: &Instruction,
    ) -> Vec<Written> {
        let at = |address: Operand, len: Option<i64>, stored: Stored| -> Vec<Written> {
            let roots = self.roots(copies, address, 0).into_iter();
            let one = |Root { origin, offset, exact }: Root| Written {
                base: Some(origin),
                start: offset,
                end: len.filter(|_| exact).and_then(|len| offset.checked_add(len)),
                stored,
            };
            roots.map(one).collect()
        };
        match instruction {
            Instruction::Store { address, value } => {
                let ty = function.type_of(*value);
                let len = ty.map(|ty| i64::from(ty.bytes(program.target.pointer_bits)));
                let stored = match (ty, value) {
                    (_, Operand::Const { bits: 0, .. }) => Stored::Nothing,
                    (Some(Type::Ptr), _) => Stored::Address,
                    (Some(Type::Int(_)), _) => Stored::Number,
                    _ => Stored::Bytes,
                };
                at(*address, len, stored)
            }
            Instruction::Copy { to, size, .. } => at(*to, constant(*size), Stored::Bytes),
            Instruction::Fill { to, size, value } => {
                let zero = matches!(value, Operand::Const { bits: 0, .. });
                let stored = if zero { Stored::Nothing } else { Stored::Bytes };
                at(*to, constant(*size), stored)
            }
            Instruction::VaStart { list } => at(*list, None, Stored::Bytes),
            Instruction::Call { callee, args, .. } => match callee {
                Callee::Function(id) => self.of_call(copies, *id, args),
                Callee::Pointer(_) => {
                    let each = |id: &FunctionId| self.of_call(copies, *id, args);
                    self.targets.iter().flat_map(each).collect()
                }
                // Text of any length, into the first; numbers by `%n`.
                Callee::Builtin(builtin @ (Builtin::Print | Builtin::Format)) => {
                    let buffer = args.first().filter(|_| *builtin == Builtin::Format);
                    let text = buffer.into_iter().flat_map(|to| at(*to, None, Stored::Bytes));
                    let numbers = args.iter().flat_map(|arg| at(*arg, Some(8), Stored::Number));
                    text.chain(numbers).collect()
                }
                Callee::Builtin(_) => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    fn of_call(&self, copies: &Copies<'_>, callee: FunctionId, args: &[Operand]) -> Vec<Written> {
        let mut all = Vec::new();
        let mut handed: BTreeMap<usize, Vec<Root>> = BTreeMap::new();
        for Summary { from, start, end, stored } in &self.of[callee.index()] {
            let (start, end, stored) = (*start, *end, *stored);
            match from {
                Start::Elsewhere => all.push(Written { base: None, start, end, stored }),
                Start::Global(id) => {
                    all.push(Written { base: Some(Origin::Global(*id)), start, end, stored });
                }
                Start::Param(number) => {
                    let Some(arg) = args.get(*number) else { continue };
                    let roots =
                        handed.entry(*number).or_insert_with(|| self.roots(copies, *arg, 0));
                    all.extend(roots.iter().map(|Root { origin, offset, exact }| Written {
                        base: Some(*origin),
                        start: start.saturating_add(*offset),
                        end: end.filter(|_| *exact).and_then(|end| end.checked_add(*offset)),
                        stored,
                    }));
                }
            }
        }
        all
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
    pub(crate) fn is_unseen(&self, instruction: &Instruction) -> bool {
        match instruction {
            Instruction::Call { callee: Callee::Function(id), .. } => self.unseen[id.index()],
            Instruction::Call { callee: Callee::Pointer(_), .. } => true,
            _ => false,
        }
    }
}

/// Whether a function has no code here, or some that the model does not cover.
fn is_unseen(function: &Function) -> bool {
    let limit = |block: &ouro_model::Block| matches!(block.terminator, Terminator::Limit(_));
    !function.span.is_known() || (function.user && function.blocks.iter().any(limit))
}

/// Who calls each function, perhaps through a pointer.
fn callers(
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
pub(crate) fn note_linked(
    program: &Program,
    function: &Function,
    copies: &Copies<'_>,
    all: &mut BTreeSet<Origin>,
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
fn targets(program: &Program) -> BTreeSet<FunctionId> {
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
        if let Cell::Function(id) = cell {
            all.insert(*id);
        }
    }
    all
}

fn constant(operand: Operand) -> Option<i64> {
    match operand {
        Operand::Const { bits, .. } => i64::try_from(bits).ok(),
        _ => None,
    }
}

/// The variables and objects that have to do with a pointer: copies of it in either direction, steps by a known
/// number of bytes, and what is read through it.
pub(crate) fn related(function: &Function, pointer: VarId) -> BTreeSet<Origin> {
    let origin = |operand: Operand| match operand {
        Operand::Var(var) => Some(Origin::Var(var)),
        Operand::Global(id, _) => Some(Origin::Global(id)),
        _ => None,
    };
    let mut all = BTreeSet::from([Origin::Var(pointer)]);
    loop {
        let before = all.len();
        for statement in function.blocks.iter().flat_map(|block| &block.statements) {
            let mut join = |dst: VarId, value: Operand, back: bool| {
                let Some(value) = origin(value) else { return };
                if all.contains(&value) {
                    all.insert(Origin::Var(dst));
                } else if back && all.contains(&Origin::Var(dst)) {
                    all.insert(value);
                }
            };
            match &statement.instruction {
                Instruction::Assign { dst, value } => join(*dst, *value, true),
                Instruction::Select { dst, left, right, .. } => {
                    join(*dst, *left, true);
                    join(*dst, *right, true);
                }
                Instruction::Offset { dst, base, .. } => join(*dst, *base, true),
                Instruction::Load { dst, address } if function.vars[*dst].ty == Type::Ptr => {
                    join(*dst, *address, false);
                }
                _ => {}
            }
        }
        if all.len() == before {
            return all;
        }
    }
}
