//! From a function of LLVM to one of the model: parameters, variables, blocks, phis.

use std::collections::{HashMap, HashSet};

use ouro_model::{
    BlockId, Function, FunctionId, Instruction, Operand, Span, Terminator, Type, VarId, VarKind,
};

use crate::builder::Builder;
use crate::llvm::{BasicBlock, Opcode, Ty, Value};
use crate::lower::{Literals, Lowering, plain_name};
use crate::{escape, layout, tidy};

/// A result, or the way in which the code cannot go on at this point.
pub(crate) type Step<T> = Result<T, Terminator>;

/// What the model does not cover, as a terminator.
pub(crate) fn limit(text: impl Into<String>) -> Terminator {
    Terminator::Limit(text.into())
}

/// The translation of one function.
pub(crate) struct Body<'a, 'c> {
    pub(crate) program: &'a mut Lowering<'c>,
    pub(crate) builder: Builder,
    pub(crate) function: Value<'c>,
    /// Scalars of every value computed so far.
    pub(crate) values: HashMap<Value<'c>, Vec<Operand>>,
    /// Stack slots that are variables.
    pub(crate) slots: HashMap<Value<'c>, VarId>,
    pub(crate) blocks: HashMap<BasicBlock<'c>, BlockId>,
    /// What each phi reads at the start of its block: its predecessors write it. A second set of
    /// variables makes the copies of all phis parallel, and harmless on edges not taken.
    incoming: HashMap<Value<'c>, Vec<VarId>>,
    /// Names of stack slots and by-value parameters in the source.
    names: HashMap<Value<'c>, String>,
    /// Stores that only fill a parameter's variable, which the call does itself.
    parameter_stores: HashSet<Value<'c>>,
    pub(crate) library: bool,
    /// What parameters are known to be.
    pub(crate) literals: Literals,
}

/// Translates a function with a body.
pub(crate) fn lower<'c>(
    program: &mut Lowering<'c>,
    id: FunctionId,
    function: Value<'c>,
    literals: Literals,
) -> Function {
    let library = program.is_library(function);
    let span = program.span(function.place(), library);
    let mut body = Body {
        program,
        builder: Builder::new(),
        function,
        values: HashMap::new(),
        slots: HashMap::new(),
        blocks: HashMap::new(),
        incoming: HashMap::new(),
        names: HashMap::new(),
        parameter_stores: HashSet::new(),
        library,
        literals,
    };
    let order = reachable_blocks(function);
    body.read_names(&order);
    body.find_slots(&order);
    for block in &order {
        let reserved = body.builder.reserve();
        body.blocks.insert(*block, reserved);
    }
    // Other labels whose address is taken exist, but nothing jumps to them.
    let mut labels = Vec::new();
    for block in function.blocks() {
        if block.has_address_taken() {
            let reserved = match body.blocks.get(&block) {
                Some(reserved) => *reserved,
                None => {
                    let reserved = body.builder.reserve();
                    body.blocks.insert(block, reserved);
                    reserved
                }
            };
            labels.push(reserved);
        }
    }
    body.prepare_phis(&order);
    let params = body.translate(&order);
    let returns = body.types_of(function.value_type().result()).unwrap_or_default();
    let blocks_of_llvm = body.blocks;
    let (vars, blocks, map) = body.builder.into_blocks(&labels);
    let placed = blocks_of_llvm
        .into_iter()
        .filter_map(|(block, id)| map.get(&id).map(|id| (block, *id)))
        .collect();
    program.block_ids.insert(id, placed);
    let mut lowered = Function {
        name: plain_name(function),
        vars,
        params,
        variadic: function.value_type().is_variadic(),
        returns,
        blocks,
        span,
        user: !library,
        specification: false,
    };
    tidy::tidy(&mut lowered);
    lowered
}

/// Makes a body for an external function whose address is taken: it does what a call of it does.
pub(crate) fn stub<'c>(program: &mut Lowering<'c>, function: Value<'c>) -> Function {
    let mut body = Body {
        program,
        builder: Builder::new(),
        function,
        values: HashMap::new(),
        slots: HashMap::new(),
        blocks: HashMap::new(),
        incoming: HashMap::new(),
        names: HashMap::new(),
        parameter_stores: HashSet::new(),
        library: false,
        literals: Literals::new(),
    };
    let entry = body.builder.reserve();
    body.builder.start(entry);
    let ty = function.value_type();
    let mut params = Vec::new();
    let result = body.stub_body(ty, &mut params);
    match result {
        Ok(values) => body.builder.finish(Terminator::Return(values)),
        Err(terminator) => body.builder.finish(terminator),
    }
    let returns = body.types_of(ty.result()).unwrap_or_default();
    let (vars, blocks, _) = body.builder.into_blocks(&[]);
    Function {
        name: plain_name(function),
        vars,
        params,
        variadic: ty.is_variadic(),
        returns,
        blocks,
        span: Span::NONE,
        user: false,
        specification: false,
    }
}

/// The blocks that control can reach, each after one of its predecessors (reverse post-order), so
/// that a value is met before its uses.
fn reachable_blocks<'c>(function: Value<'c>) -> Vec<BasicBlock<'c>> {
    let all = function.blocks();
    let Some(entry) = all.first() else { return Vec::new() };
    let mut seen = HashSet::from([*entry]);
    let mut order = Vec::new();
    let mut stack = vec![(*entry, successors(*entry))];
    while let Some((block, rest)) = stack.last_mut() {
        match rest.pop() {
            Some(next) if seen.insert(next) => stack.push((next, successors(next))),
            Some(_) => {}
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

/// Where a block can go; exceptions are not followed.
fn successors(block: BasicBlock<'_>) -> Vec<BasicBlock<'_>> {
    let Some(terminator) = block.terminator() else { return Vec::new() };
    let mut found = terminator.successors();
    if matches!(terminator.opcode(), Opcode::LLVMInvoke) {
        found.truncate(1);
    }
    found
}

impl<'c> Body<'_, 'c> {
    fn stub_body(&mut self, ty: Ty<'c>, params: &mut Vec<VarId>) -> Step<Vec<Operand>> {
        let mut arguments = Vec::new();
        for parameter in ty.parameters() {
            let mut leaves = Vec::new();
            for leaf in self.leaves(parameter)? {
                let var = self.builder.temp(leaf.ty);
                params.push(var);
                leaves.push(Operand::Var(var));
            }
            arguments.push(leaves);
        }
        let function = self.function;
        let returns_never = function.function_has("noreturn");
        if returns_never && self.program.options.unit {
            // Where it goes is not asked: only that it is not back to the caller.
            return Err(Terminator::Abort(format!("{}()", function.name())));
        }
        self.external_call(function, ty.result(), arguments, None, returns_never)
    }

    /// Names of variables, from debug information.
    fn read_names(&mut self, order: &[BasicBlock<'c>]) {
        for block in order {
            for instruction in block.instructions() {
                if matches!(instruction.opcode(), Opcode::LLVMCall)
                    && instruction.callee().name().starts_with("llvm.dbg.declare")
                    && let Some((address, name)) = instruction.declared_variable()
                {
                    self.names.entry(address).or_insert(name);
                }
            }
        }
    }

    /// The name of a stack slot in the source; empty if clang made it.
    pub(crate) fn slot_name(&self, slot: Value<'c>) -> String {
        if let Some(name) = self.names.get(&slot) {
            return name.clone();
        }
        // Without debug information the value's own name is the best there is.
        if self.function.source_name().is_some() {
            return String::new();
        }
        let name = slot.name();
        match name.as_str() {
            "retval" | "cleanup.dest.slot" | "saved_stack" | "tmp" | "ref.tmp" => String::new(),
            _ => name.strip_suffix(".addr").unwrap_or(&name).to_owned(),
        }
    }

    fn find_slots(&mut self, order: &[BasicBlock<'c>]) {
        let Some(entry) = order.first() else { return };
        for instruction in entry.instructions() {
            if !matches!(instruction.opcode(), Opcode::LLVMAlloca)
                || !escape::is_variable(instruction)
            {
                continue;
            }
            let Ok(ty) = layout::scalar(instruction.allocated_type()) else { continue };
            let name = self.slot_name(instruction);
            let kind = if name.is_empty() && escape::is_written_first(instruction, order) {
                VarKind::Temp
            } else {
                VarKind::User
            };
            let var = self.builder.variable(&name, ty, kind);
            self.slots.insert(instruction, var);
        }
    }

    fn prepare_phis(&mut self, order: &[BasicBlock<'c>]) {
        for block in order {
            for phi in block.instructions() {
                if !matches!(phi.opcode(), Opcode::LLVMPHI) {
                    break;
                }
                // A type that the model lacks is reported where the phi stands.
                let Ok(leaves) = self.leaves(phi.ty()) else { continue };
                let values = leaves.iter().map(|leaf| Operand::Var(self.builder.temp(leaf.ty)));
                let values = values.collect();
                self.values.insert(phi, values);
                let incoming = leaves.iter().map(|leaf| self.builder.temp(leaf.ty)).collect();
                self.incoming.insert(phi, incoming);
            }
        }
    }

    fn translate(&mut self, order: &[BasicBlock<'c>]) -> Vec<VarId> {
        let mut params = Vec::new();
        for (index, block) in order.iter().enumerate() {
            let id = self.blocks[block];
            self.builder.span = Span::NONE;
            self.builder.start(id);
            let result = if index == 0 {
                self.parameters(*block, &mut params).and_then(|()| self.block(*block))
            } else {
                self.block(*block)
            };
            if let Err(terminator) = result {
                self.builder.finish(terminator);
            }
        }
        params
    }

    fn parameters(&mut self, entry: BasicBlock<'c>, params: &mut Vec<VarId>) -> Step<()> {
        let mut result = Ok(());
        for (index, parameter) in (0..).zip(self.function.parameters()) {
            let leaves = match self.leaves(parameter.ty()) {
                Ok(leaves) => leaves,
                Err(terminator) => {
                    result = Err(terminator);
                    continue;
                }
            };
            if let [_] = leaves[..]
                && self.function.by_value(index).is_none()
                && let Some((store, var)) = self.home(parameter, entry)
            {
                self.parameter_stores.insert(store);
                self.builder.vars[var].kind = VarKind::User;
                params.push(var);
                continue;
            }
            let mut values = Vec::new();
            for leaf in leaves {
                let var = self.builder.temp(leaf.ty);
                params.push(var);
                values.push(Operand::Var(var));
            }
            if let Some(ty) = self.function.by_value(index) {
                // The caller passes the address of its own object; C passes a copy.
                let size = self.address_constant(self.program.layout.size(ty));
                let align = self.program.layout.align(ty);
                let name = match self.names.get(&parameter) {
                    Some(name) => name.clone(),
                    None => parameter.name(),
                };
                let dst = self.builder.temp(Type::Ptr);
                self.builder.emit(Instruction::Alloca { dst, size, align, name });
                let to = Operand::Var(dst);
                self.builder.emit(Instruction::Copy { to, from: values[0], size, overlap: false });
                values = vec![to];
            }
            self.values.insert(parameter, values);
        }
        result
    }

    /// The variable that a parameter is saved in at the start of the function, if that is all
    /// that happens to it: then the call fills the variable directly.
    fn home(&self, parameter: Value<'c>, entry: BasicBlock<'c>) -> Option<(Value<'c>, VarId)> {
        let users = parameter.users();
        let [store] = users[..] else { return None };
        if !matches!(store.opcode(), Opcode::LLVMStore) || store.parent() != entry {
            return None;
        }
        let slot = store.operand(1);
        let var = *self.slots.get(&slot)?;
        let slot_users = slot.users();
        let first = entry.instructions().into_iter().find(|i| slot_users.contains(i))?;
        (first == store).then_some((store, var))
    }

    fn block(&mut self, block: BasicBlock<'c>) -> Step<()> {
        let instructions = block.instructions();
        self.read_phis(&instructions)?;
        for instruction in instructions {
            self.builder.span = self.program.span(instruction.place(), self.library);
            if self.parameter_stores.contains(&instruction) {
                continue;
            }
            self.instruction(instruction)?;
        }
        Ok(())
    }

    fn read_phis(&mut self, instructions: &[Value<'c>]) -> Step<()> {
        for phi in instructions.iter().take_while(|i| matches!(i.opcode(), Opcode::LLVMPHI)) {
            let (Some(values), Some(incoming)) = (self.values.get(phi), self.incoming.get(phi))
            else {
                self.leaves(phi.ty())?;
                return Err(limit("a value that the model does not have"));
            };
            for (value, incoming) in values.clone().into_iter().zip(incoming.clone()) {
                if let Operand::Var(dst) = value {
                    self.builder.emit(Instruction::Assign { dst, value: Operand::Var(incoming) });
                }
            }
        }
        Ok(())
    }

    /// Writes what the phis of the successors will read. Called before the terminator is made.
    pub(crate) fn write_phis(&mut self, block: BasicBlock<'c>) -> Step<()> {
        let mut done = HashSet::new();
        for successor in successors(block) {
            if !done.insert(successor) {
                continue;
            }
            for phi in successor.instructions() {
                if !matches!(phi.opcode(), Opcode::LLVMPHI) {
                    break;
                }
                let Some(incoming) = self.incoming.get(&phi).cloned() else { continue };
                let value = phi.incoming().into_iter().find(|(_, from)| *from == block);
                let Some((value, _)) = value else { continue };
                let values = self.operands(value)?;
                for (dst, value) in incoming.into_iter().zip(values) {
                    self.builder.emit(Instruction::Assign { dst, value });
                }
            }
        }
        Ok(())
    }

    /// The scalars of a type, or a limit.
    pub(crate) fn leaves(&self, ty: Ty<'c>) -> Step<Vec<layout::Leaf>> {
        layout::leaves(self.program.layout, ty).map_err(limit)
    }

    pub(crate) fn types_of(&self, ty: Ty<'c>) -> Step<Vec<Type>> {
        Ok(self.leaves(ty)?.into_iter().map(|leaf| leaf.ty).collect())
    }

    /// The integer type that is as wide as an address.
    pub(crate) fn address_int(&self) -> Type {
        Type::Int(self.program.pointer_bits)
    }

    pub(crate) fn address_constant(&self, value: u64) -> Operand {
        Operand::Const { ty: self.address_int(), bits: u128::from(value) }
    }
}
