//! Reads a program for classes of addresses.
//!
//! A helper that stores one of its parameters somewhere, or returns it, does so for each call with what that call passes.
//! What is stored comes from summaries, which grow until nothing is new.

use std::collections::{BTreeMap, BTreeSet};

use ouro_model::ids::TypedId as _;
use ouro_model::{
    BinaryOp, Callee, CastOp, Function, FunctionId, GlobalId, InitializerCell, Instruction,
    Operand, Program, Terminator, Type,
};

use super::AddressFlows;
use super::own::{self, OwnAddress};
use crate::copies::{AddressOrigin, AddressRoot, CopyAnalysis};
use crate::limits::LIMITS;

/// Where a function stores one of its parameters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum StoreTarget {
    Param(usize),
    Global(GlobalId),
    /// What a node of its own stands for.
    Node(usize),
}

/// A parameter with bytes on top, the least there can be if not `exact`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct PassedParam {
    number: usize,
    offset: i64,
    exact: bool,
}

impl PassedParam {
    /// What the parameter is made from where it is passed.
    fn on_top_of(self, passed: AddressRoot) -> AddressRoot {
        AddressRoot {
            origin: passed.origin,
            offset: passed.offset.saturating_add(self.offset),
            exact: passed.exact && self.exact,
        }
    }

    /// The same if that is a parameter itself.
    fn of(self, passed: PassedParam) -> PassedParam {
        PassedParam {
            number: passed.number,
            offset: passed.offset.saturating_add(self.offset),
            exact: passed.exact && self.exact,
        }
    }
}

/// What a function does with its parameters.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct ParamFlows {
    /// The parameter, where it is stored, and at how many bytes.
    stored: BTreeSet<(PassedParam, StoreTarget, i64)>,
    /// The parameters that it returns, as which result.
    returned: BTreeSet<(PassedParam, usize)>,
    /// Other addresses that it returns.
    found: BTreeSet<(usize, usize)>,
}

/// Functions of the C library that return the address they are handed, or one behind it, by that argument.
const GIVE_BACK: [(&str, usize); 20] = [
    ("memcpy", 0),
    ("memmove", 0),
    ("mempcpy", 0),
    ("memset", 0),
    ("memchr", 0),
    ("memrchr", 0),
    ("rawmemchr", 0),
    ("realloc", 0),
    ("reallocarray", 0),
    ("strcpy", 0),
    ("strncpy", 0),
    ("strcat", 0),
    ("strncat", 0),
    ("stpcpy", 0),
    ("strchr", 0),
    ("strrchr", 0),
    ("strstr", 0),
    ("strpbrk", 0),
    ("bsearch", 1),
    ("lfind", 1),
];

struct FlowBuilder<'a> {
    program: &'a Program,
    flows: &'a mut AddressFlows,
    copies: BTreeMap<FunctionId, CopyAnalysis<'a>>,
    params: BTreeMap<FunctionId, ParamFlows>,
    /// The functions that a pointer may lead to.
    targets: Vec<FunctionId>,
    changed: bool,
}

/// Puts the addresses of a program into classes.
pub(super) fn unify_program(program: &Program, flows: &mut AddressFlows) {
    let users: Vec<FunctionId> =
        program.functions.ids().filter(|id| is_read(program, *id)).collect();
    let copies =
        users.iter().map(|id| (*id, CopyAnalysis::of_function(&program.functions[*id]))).collect();
    let params = users.iter().map(|id| (*id, ParamFlows::default())).collect();
    let targets = crate::writes::address_taken_functions(program)
        .into_iter()
        .filter(|id| is_read(program, *id))
        .collect();
    let mut builder = FlowBuilder { program, flows, copies, params, targets, changed: false };
    for (id, global) in program.globals.enumerate() {
        for (at, cell) in &global.cells {
            if let InitializerCell::Global(to, more) = cell {
                let place =
                    builder.flows.content(id.index(), i64::try_from(*at).unwrap_or(i64::MAX));
                builder.join(place, to.index(), *more != 0);
                if *to == id {
                    let there = |(place, one): &(u64, InitializerCell)| {
                        matches!(one, InitializerCell::Global(..))
                            && i64::try_from(*place) == Ok(*more)
                    };
                    let ty = global.cells.iter().any(there).then_some(Type::Ptr);
                    let root = AddressRoot {
                        origin: AddressOrigin::Global(id),
                        offset: *more,
                        exact: true,
                    };
                    let at = i64::try_from(*at).unwrap_or(i64::MAX);
                    builder.flows.own.insert(OwnAddress::made_from(root, at, ty));
                }
            }
        }
    }
    for _ in 0..LIMITS.flow_rounds {
        builder.changed = false;
        for id in &users {
            builder.read_function(*id);
        }
        if !builder.changed {
            break;
        }
    }
}

fn is_read(program: &Program, id: FunctionId) -> bool {
    let function = &program.functions[id];
    function.user && function.span.is_known()
}

impl<'a> FlowBuilder<'a> {
    fn join(&mut self, one: usize, other: usize, interior: bool) {
        self.changed |= self.flows.unify(one, other);
        if interior {
            let root = self.flows.find(one);
            self.changed |= !self.flows.interior[root];
            self.flows.interior[root] = true;
        }
    }

    /// What an address may be made from.
    fn roots(&self, id: FunctionId, operand: Operand) -> Vec<AddressRoot> {
        self.copies[&id].roots(operand)
    }

    /// The same, also by functions that it is handed to and that give it back.
    fn roots_given_back(&self, id: FunctionId, operand: Operand) -> Vec<AddressRoot> {
        let mut all = self.roots(id, operand);
        for root in all.clone() {
            let AddressOrigin::Var(var) = root.origin else { continue };
            for (callee, args) in self.copies[&id].calls_returning(var) {
                let Some(known) = self.params.get(&callee) else { continue };
                for (param, _) in &known.returned {
                    let Some(arg) = args.get(param.number) else { continue };
                    let passed = self.roots(id, *arg).into_iter();
                    all.extend(passed.map(|one| {
                        let one = param.on_top_of(one);
                        let offset = one.offset.saturating_add(root.offset);
                        AddressRoot { offset, exact: one.exact && root.exact, ..one }
                    }));
                }
            }
        }
        all
    }

    /// Notes addresses that are kept in the object they lead into.
    fn note_own_addresses(
        &mut self,
        id: FunctionId,
        kept: AddressRoot,
        values: impl IntoIterator<Item = AddressRoot>,
    ) {
        let copies = &self.copies[&id];
        let function = &self.program.functions[id];
        for root in values {
            let (one, other) = (own::operand_of(kept.origin), own::operand_of(root.origin));
            if own::are_made_alike(copies, one, other) {
                let ty = own::type_of_place(self.program, function, copies, root);
                self.flows.own.insert(OwnAddress::made_from(root, kept.offset, ty));
            }
        }
    }

    /// A node holds what an operand is.
    fn flow(&mut self, id: FunctionId, node: usize, operand: Operand) {
        for AddressRoot { origin, offset, exact } in self.roots(id, operand) {
            let from = self.flows.node(id, origin);
            self.join(node, from, !exact || offset != 0);
        }
    }

    fn read_function(&mut self, id: FunctionId) {
        let function = &self.program.functions[id];
        for block in function.blocks.iter() {
            for statement in &block.statements {
                self.read_instruction(id, function, &statement.instruction);
            }
            if let Terminator::Return(values) = &block.terminator {
                for (number, value) in values.iter().enumerate() {
                    self.note_returned(id, function, number, *value);
                }
            }
        }
    }

    /// An address is as wide as one, be it a pointer or a number.
    fn is_wide(&self, ty: Option<Type>) -> bool {
        match ty {
            Some(Type::Ptr) => true,
            Some(Type::Int(width)) => width == self.program.target.pointer_bits,
            _ => false,
        }
    }

    fn read_instruction(&mut self, id: FunctionId, function: &Function, instruction: &Instruction) {
        let node = |flows: &AddressFlows, var| flows.node(id, AddressOrigin::Var(var));
        match instruction {
            Instruction::Assign { dst, value } if self.is_wide(Some(function.vars[*dst].ty)) => {
                let dst = node(self.flows, *dst);
                self.flow(id, dst, *value);
            }
            Instruction::Cast { dst, op: CastOp::IntToPtr | CastOp::PtrToInt, value } => {
                let dst = node(self.flows, *dst);
                self.flow(id, dst, *value);
            }
            Instruction::Select { dst, left, right, .. }
                if self.is_wide(Some(function.vars[*dst].ty)) =>
            {
                let dst = node(self.flows, *dst);
                self.flow(id, dst, *left);
                self.flow(id, dst, *right);
            }
            // Marks in the low bits of an address, and steps in bytes.
            Instruction::Binary {
                dst,
                op: BinaryOp::Add { .. } | BinaryOp::Sub { .. } | BinaryOp::And | BinaryOp::Or,
                left: value,
                right: Operand::Const { .. },
            } if self.is_wide(Some(function.vars[*dst].ty)) => {
                let dst = node(self.flows, *dst);
                self.flow(id, dst, *value);
            }
            Instruction::Offset { dst, base, .. } => {
                let dst = node(self.flows, *dst);
                for AddressRoot { origin, .. } in self.roots(id, *base) {
                    let from = self.flows.node(id, origin);
                    self.join(dst, from, false);
                }
            }
            Instruction::Load { dst, address } if self.is_wide(Some(function.vars[*dst].ty)) => {
                let dst = node(self.flows, *dst);
                for AddressRoot { origin, offset, .. } in self.roots(id, *address) {
                    let from = self.flows.node(id, origin);
                    let place = self.flows.content(from, offset);
                    self.join(dst, place, false);
                }
            }
            Instruction::Store { address, value } if self.is_wide(function.type_of(*value)) => {
                self.store(id, function, *address, *value);
            }
            Instruction::Copy { to, from, size, .. } => {
                self.copy(id, *to, *from, constant_size(*size));
            }
            Instruction::Call { dsts, callee, args } => match callee {
                Callee::Function(called) => self.call(id, function, *called, dsts, args),
                Callee::Pointer(_) => {
                    for called in self.targets.clone() {
                        if self.program.functions[called].params.len() == args.len() {
                            self.call(id, function, called, dsts, args);
                        }
                    }
                }
                Callee::Builtin(_) => {}
            },
            _ => {}
        }
    }

    fn store(&mut self, id: FunctionId, function: &Function, address: Operand, value: Operand) {
        let places = self.roots(id, address);
        for AddressRoot { origin, offset, .. } in &places {
            let to = self.flows.node(id, *origin);
            let place = self.flows.content(to, *offset);
            self.flow(id, place, value);
        }
        for kept in &places {
            let values = self.roots_given_back(id, value);
            self.note_own_addresses(id, *kept, values);
        }
        for param in self.params_in(id, function, value) {
            for AddressRoot { origin, offset, .. } in &places {
                let target = self.target(id, function, *origin);
                self.note_stored(id, param, target, *offset);
            }
        }
    }

    /// The parameters that a value may be made from.
    fn params_in(&self, id: FunctionId, function: &Function, value: Operand) -> Vec<PassedParam> {
        let roots = self.roots(id, value).into_iter();
        roots.filter_map(|root| passed_param(function, root)).collect()
    }

    fn target(&self, id: FunctionId, function: &Function, origin: AddressOrigin) -> StoreTarget {
        match (param_number(function, origin), origin) {
            (Some(number), _) => StoreTarget::Param(number),
            (None, AddressOrigin::Global(global)) => StoreTarget::Global(global),
            (None, AddressOrigin::Var(_)) => StoreTarget::Node(self.flows.node(id, origin)),
        }
    }

    fn note_stored(&mut self, id: FunctionId, param: PassedParam, target: StoreTarget, at: i64) {
        if let Some(known) = self.params.get_mut(&id) {
            self.changed |= known.stored.insert((param, target, at));
        }
    }

    fn note_returned(
        &mut self,
        id: FunctionId,
        function: &Function,
        number: usize,
        value: Operand,
    ) {
        for root @ AddressRoot { origin, .. } in self.roots(id, value) {
            let node = self.flows.node(id, origin);
            let param = passed_param(function, root);
            // What the C library has made is new with every call.
            let fresh = param.is_none() && self.is_fresh(id, origin);
            let Some(known) = self.params.get_mut(&id) else { return };
            self.changed |= match param {
                Some(param) => known.returned.insert((param, number)),
                None => !fresh && known.found.insert((node, number)),
            };
        }
    }

    /// Whether an address is the result of a call that makes a new object each time.
    fn is_fresh(&self, id: FunctionId, origin: AddressOrigin) -> bool {
        let AddressOrigin::Var(var) = origin else { return false };
        let copies = &self.copies[&id];
        let mut calls = copies.calls_returning(var).peekable();
        calls.peek().is_some()
            && calls.all(|(called, _)| match self.params.get(&called) {
                Some(known) => known.returned.is_empty() && known.found.is_empty(),
                None => true,
            })
    }

    fn call(
        &mut self,
        id: FunctionId,
        function: &Function,
        called: FunctionId,
        dsts: &[ouro_model::VarId],
        args: &[Operand],
    ) {
        let dst_node = |flows: &AddressFlows, number: usize| {
            dsts.get(number).map(|var| flows.node(id, AddressOrigin::Var(*var)))
        };
        let Some(known) = self.params.get(&called).cloned() else {
            let name = self.program.functions[called].name.as_str();
            if let (Some((_, number)), Some(dst)) =
                (GIVE_BACK.iter().find(|(one, _)| *one == name), dst_node(self.flows, 0))
                && let Some(arg) = args.get(*number)
            {
                self.flow(id, dst, *arg);
            }
            if let ("memcpy" | "memmove" | "mempcpy", [to, from, size]) = (name, args) {
                self.copy(id, *to, *from, constant_size(*size));
            }
            return;
        };
        for (param, number) in &known.returned {
            if let (Some(dst), Some(arg)) = (dst_node(self.flows, *number), args.get(param.number))
            {
                self.flow(id, dst, *arg);
            }
        }
        for (node, number) in &known.found {
            if let Some(dst) = dst_node(self.flows, *number) {
                self.join(dst, *node, false);
            }
        }
        for (param, target, at) in &known.stored {
            let Some(arg) = args.get(param.number) else { continue };
            let targets: Vec<(StoreTarget, usize, i64)> = match target {
                StoreTarget::Param(other) => {
                    let roots = args.get(*other).map(|arg| self.roots(id, *arg));
                    let each = roots.into_iter().flatten().map(|root| {
                        let place = self.flows.node(id, root.origin);
                        let target = self.target(id, function, root.origin);
                        (target, place, at.saturating_add(root.offset))
                    });
                    each.collect()
                }
                StoreTarget::Global(global) => vec![(*target, global.index(), *at)],
                StoreTarget::Node(node) => vec![(*target, *node, *at)],
            };
            for (target, to, at) in targets {
                let place = self.flows.content(to, at);
                self.flow(id, place, *arg);
                for own in self.params_in(id, function, *arg) {
                    self.note_stored(id, param.of(own), target, at);
                }
            }
            // Both may lead into one object.
            if let StoreTarget::Param(other) = target
                && let Some(other) = args.get(*other)
            {
                for kept in self.roots_given_back(id, *other) {
                    let kept = AddressRoot { offset: at.saturating_add(kept.offset), ..kept };
                    let values = self.roots_given_back(id, *arg).into_iter();
                    self.note_own_addresses(id, kept, values.map(|one| param.on_top_of(one)));
                }
            }
        }
        self.note_found_inside(id, called, args);
    }

    /// What a helper finds in an object that it is handed, the caller has there as well.
    fn note_found_inside(&mut self, id: FunctionId, called: FunctionId, args: &[Operand]) {
        for (param, arg) in self.program.functions[called].params.iter().zip(args) {
            let class = self.flows.class_of(called, AddressOrigin::Var(*param));
            let places: Vec<i64> = self.flows.contents[class.0].keys().copied().collect();
            for root in self.roots(id, *arg) {
                let object = self.flows.class_of(id, root.origin);
                for at in places.iter().map(|at| at.saturating_add(root.offset)) {
                    let known = &self.flows.contents[object.0];
                    if !known.contains_key(&at) && known.len() < LIMITS.places_found_inside {
                        self.flows.content(object.0, at);
                        self.changed = true;
                    }
                }
            }
        }
    }

    /// Bytes are copied, and the addresses in them.
    fn copy(&mut self, id: FunctionId, to: Operand, from: Operand, size: Option<i64>) {
        let (to, from) = (self.roots(id, to), self.roots(id, from));
        let size = size.unwrap_or(LIMITS.copied_bytes);
        for target in &to {
            for source in &from {
                let one = self.flows.node(id, target.origin);
                let other = self.flows.node(id, source.origin);
                let places = |flows: &AddressFlows, node: usize, start: i64| -> Vec<i64> {
                    let known = &flows.contents[flows.find(node)];
                    let end = start.saturating_add(size);
                    known
                        .range(start..end.max(start))
                        .map(|(at, _)| at.saturating_sub(start))
                        .collect()
                };
                let mut all = places(self.flows, one, target.offset);
                all.extend(places(self.flows, other, source.offset));
                for at in all {
                    let one = self.flows.content(one, target.offset.saturating_add(at));
                    let other = self.flows.content(other, source.offset.saturating_add(at));
                    self.join(one, other, false);
                }
            }
        }
    }
}

fn constant_size(operand: Operand) -> Option<i64> {
    match operand {
        Operand::Const { bits, .. } => i64::try_from(bits).ok(),
        _ => None,
    }
}

fn passed_param(function: &Function, root: AddressRoot) -> Option<PassedParam> {
    let number = param_number(function, root.origin)?;
    Some(PassedParam { number, offset: root.offset, exact: root.exact })
}

fn param_number(function: &Function, origin: AddressOrigin) -> Option<usize> {
    let AddressOrigin::Var(var) = origin else { return None };
    function.params.iter().position(|param| *param == var)
}
