//! From a function of LLVM to one of the model: parameters, variables, blocks, phis.

use std::collections::{HashMap, HashSet};

use ouro_model::{
    BlockId, Function, FunctionId, Instruction, Operand, Span, Terminator, Type, VarId, VarKind,
};

use crate::builder::FunctionBuilder;
use crate::llvm::{BasicBlock, DebugPlace, LlvmType, LlvmValue, Opcode};
use crate::lower::{LiteralArguments, LlvmLowering, plain_name};
use crate::{escape, layout, lost, tidy};

/// A result, or the way in which the code cannot go on at this point.
pub(crate) type TranslationResult<T> = Result<T, Terminator>;

/// What the model does not cover, as a terminator.
pub(crate) fn limit_terminator(text: impl Into<String>) -> Terminator {
    Terminator::Limit(text.into())
}

/// The translation of one function.
pub(crate) struct FunctionTranslator<'a, 'c> {
    pub(crate) program: &'a mut LlvmLowering<'c>,
    pub(crate) builder: FunctionBuilder,
    pub(crate) function: LlvmValue<'c>,
    /// Scalars of every value computed so far.
    pub(crate) values: HashMap<LlvmValue<'c>, Vec<Operand>>,
    /// Stack slots that are variables.
    pub(crate) slots: HashMap<LlvmValue<'c>, VarId>,
    pub(crate) blocks: HashMap<BasicBlock<'c>, BlockId>,
    /// What each phi reads at the start of its block: its predecessors write it. A second set of
    /// variables makes the copies of all phis parallel, and harmless on edges not taken.
    incoming: HashMap<LlvmValue<'c>, Vec<VarId>>,
    /// Names of stack slots and by-value parameters in the source.
    names: HashMap<LlvmValue<'c>, String>,
    /// Stores that only fill a parameter's variable, which the call does itself.
    parameter_stores: HashSet<LlvmValue<'c>>,
    /// Stores that change a constant variable, and its name.
    pub(crate) constant_stores: HashMap<LlvmValue<'c>, String>,
    pub(crate) library: bool,
    /// What parameters are known to be.
    pub(crate) literals: LiteralArguments,
}

/// Translates a function with a body.
pub(crate) fn translate_function<'c>(
    program: &mut LlvmLowering<'c>,
    id: FunctionId,
    function: LlvmValue<'c>,
    literals: LiteralArguments,
) -> Function {
    let library = program.is_library_value(function);
    let span = program.source_span(function.debug_place(), library);
    let mut body = FunctionTranslator {
        program,
        builder: FunctionBuilder::new(),
        function,
        values: HashMap::new(),
        slots: HashMap::new(),
        blocks: HashMap::new(),
        incoming: HashMap::new(),
        names: HashMap::new(),
        parameter_stores: HashSet::new(),
        constant_stores: HashMap::new(),
        library,
        literals,
    };
    let order = reachable_blocks(function);
    body.read_names(&order);
    body.find_slots(&order);
    for block in &order {
        let reserved = body.builder.reserve_block();
        body.blocks.insert(*block, reserved);
    }
    // Other labels whose address is taken exist, but nothing jumps to them.
    let mut labels = Vec::new();
    for block in function.blocks() {
        if block.has_address_taken() {
            let reserved = match body.blocks.get(&block) {
                Some(reserved) => *reserved,
                None => {
                    let reserved = body.builder.reserve_block();
                    body.blocks.insert(block, reserved);
                    reserved
                }
            };
            labels.push(reserved);
        }
    }
    body.prepare_phis(&order);
    let params = body.translate_blocks(&order);
    let returns = body.scalar_types(function.value_type().result()).unwrap_or_default();
    let blocks_of_llvm = body.blocks;
    let (vars, blocks, map) = body.builder.into_blocks(&labels);
    let placed: HashMap<BasicBlock<'c>, BlockId> = blocks_of_llvm
        .into_iter()
        .filter_map(|(block, id)| map.get(&id).map(|id| (block, *id)))
        .collect();
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
    if !library && program.options.unit {
        let order: Vec<_> =
            order.into_iter().map(|block| (block, block_successors(block))).collect();
        let lost = lost::find_lost_loops(program, &order, &lowered, &placed);
        program.lost_loops.extend(lost);
    }
    program.block_ids.insert(id, placed);
    tidy::tidy_function(&mut lowered);
    lowered
}

/// Makes a body of which nothing is covered.
pub(crate) fn make_limit_function<'c>(
    program: &mut LlvmLowering<'c>,
    function: LlvmValue<'c>,
    why: String,
) -> Function {
    make_stub(program, function, Some(why))
}

/// Makes a body for an external function whose address is taken: it does what a call of it does.
pub(crate) fn make_external_stub<'c>(
    program: &mut LlvmLowering<'c>,
    function: LlvmValue<'c>,
) -> Function {
    make_stub(program, function, None)
}

fn make_stub<'c>(
    program: &mut LlvmLowering<'c>,
    function: LlvmValue<'c>,
    limit: Option<String>,
) -> Function {
    let mut body = FunctionTranslator {
        program,
        builder: FunctionBuilder::new(),
        function,
        values: HashMap::new(),
        slots: HashMap::new(),
        blocks: HashMap::new(),
        incoming: HashMap::new(),
        names: HashMap::new(),
        parameter_stores: HashSet::new(),
        constant_stores: HashMap::new(),
        library: false,
        literals: LiteralArguments::new(),
    };
    let entry = body.builder.reserve_block();
    body.builder.start_block(entry);
    let ty = function.value_type();
    let mut params = Vec::new();
    let result = body.stub_body(ty, &mut params, limit);
    match result {
        Ok(values) => body.builder.finish(Terminator::Return(values)),
        Err(terminator) => body.builder.finish(terminator),
    }
    let returns = body.scalar_types(ty.result()).unwrap_or_default();
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
fn reachable_blocks<'c>(function: LlvmValue<'c>) -> Vec<BasicBlock<'c>> {
    let all = function.blocks();
    let Some(entry) = all.first() else { return Vec::new() };
    let mut seen = HashSet::from([*entry]);
    let mut order = Vec::new();
    let mut stack = vec![(*entry, block_successors(*entry))];
    while let Some((block, rest)) = stack.last_mut() {
        match rest.pop() {
            Some(next) if seen.insert(next) => stack.push((next, block_successors(next))),
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
fn block_successors(block: BasicBlock<'_>) -> Vec<BasicBlock<'_>> {
    let Some(terminator) = block.terminator() else { return Vec::new() };
    let mut found = terminator.successors();
    if matches!(terminator.opcode(), Opcode::LLVMInvoke) {
        found.truncate(1);
    }
    found
}

impl<'c> FunctionTranslator<'_, 'c> {
    fn stub_body(
        &mut self,
        ty: LlvmType<'c>,
        params: &mut Vec<VarId>,
        limit: Option<String>,
    ) -> TranslationResult<Vec<Operand>> {
        let mut arguments = Vec::new();
        for parameter in ty.parameters() {
            let mut leaves = Vec::new();
            for leaf in self.scalar_leaves(parameter)? {
                let var = self.builder.add_temporary(leaf.ty);
                params.push(var);
                leaves.push(Operand::Var(var));
            }
            arguments.push(leaves);
        }
        if let Some(limit) = limit {
            return Err(limit_terminator(limit));
        }
        let function = self.function;
        let returns_never = function.function_has_attribute("noreturn");
        if returns_never && self.program.options.unit {
            // Where it goes is not asked: only that it is not back to the caller.
            return Err(Terminator::Abort(format!("{}()", function.name())));
        }
        self.external_call(function, ty.result(), arguments, None, returns_never)
    }

    /// Names of variables, from debug information.
    fn read_names(&mut self, order: &[BasicBlock<'c>]) {
        let mut constants = Vec::new();
        for block in order {
            for instruction in block.instructions() {
                if matches!(instruction.opcode(), Opcode::LLVMCall)
                    && instruction.callee().name().starts_with("llvm.dbg.declare")
                    && let Some((address, name)) = instruction.declared_variable()
                {
                    if instruction.declares_constant() {
                        constants.push((address, name.clone(), instruction.debug_place()));
                    }
                    self.names.entry(address).or_insert(name);
                }
            }
        }
        for (address, name, place) in constants {
            self.find_constant_stores(order, address, &name, place.as_ref());
        }
    }

    /// Finds the stores to a constant scalar besides the one that initialises it, which is where the declaration is. clang
    /// replaces reads of such a variable by its value, so nobody would see what they store.
    fn find_constant_stores(
        &mut self,
        order: &[BasicBlock<'c>],
        address: LlvmValue<'c>,
        name: &str,
        declared: Option<&DebugPlace>,
    ) {
        let is_store = |one: &LlvmValue<'c>| {
            matches!(one.opcode(), Opcode::LLVMStore) && one.operand(1) == address
        };
        let stores = order.iter().flat_map(|block| block.instructions()).filter(is_store);
        let (first, others): (Vec<_>, Vec<_>) =
            stores.partition(|one| one.debug_place().as_ref() == declared);
        if declared.is_none() || first.is_empty() {
            return;
        }
        let placed = others.into_iter().filter(|one| one.debug_place().is_some());
        self.constant_stores.extend(placed.map(|one| (one, name.to_owned())));
    }

    /// The name of a stack slot in the source; empty if clang made it.
    pub(crate) fn slot_name(&self, slot: LlvmValue<'c>) -> String {
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
                || !escape::is_variable_slot(instruction)
            {
                continue;
            }
            let Ok(ty) = layout::scalar_type(instruction.allocated_type()) else { continue };
            let name = self.slot_name(instruction);
            let kind = if name.is_empty() && escape::is_written_first(instruction, order) {
                VarKind::Temp
            } else {
                VarKind::User
            };
            let var = self.builder.add_variable(&name, ty, kind);
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
                let Ok(leaves) = self.scalar_leaves(phi.ty()) else { continue };
                let values =
                    leaves.iter().map(|leaf| Operand::Var(self.builder.add_temporary(leaf.ty)));
                let values = values.collect();
                self.values.insert(phi, values);
                let incoming =
                    leaves.iter().map(|leaf| self.builder.add_temporary(leaf.ty)).collect();
                self.incoming.insert(phi, incoming);
            }
        }
    }

    fn translate_blocks(&mut self, order: &[BasicBlock<'c>]) -> Vec<VarId> {
        let mut params = Vec::new();
        for (index, block) in order.iter().enumerate() {
            let id = self.blocks[block];
            self.builder.span = Span::NONE;
            self.builder.start_block(id);
            let result = if index == 0 {
                self.translate_parameters(*block, &mut params)
                    .and_then(|()| self.translate_block(*block))
            } else {
                self.translate_block(*block)
            };
            if let Err(terminator) = result {
                self.builder.finish(terminator);
            }
        }
        params
    }

    fn translate_parameters(
        &mut self,
        entry: BasicBlock<'c>,
        params: &mut Vec<VarId>,
    ) -> TranslationResult<()> {
        let mut result = Ok(());
        for (index, parameter) in (0..).zip(self.function.parameters()) {
            let leaves = match self.scalar_leaves(parameter.ty()) {
                Ok(leaves) => leaves,
                Err(terminator) => {
                    result = Err(terminator);
                    continue;
                }
            };
            if let [_] = leaves[..]
                && self.function.by_value_type(index).is_none()
                && let Some((store, var)) = self.find_parameter_home(parameter, entry)
            {
                self.parameter_stores.insert(store);
                self.builder.vars[var].kind = VarKind::User;
                params.push(var);
                continue;
            }
            let mut values = Vec::new();
            for leaf in leaves {
                let var = self.builder.add_temporary(leaf.ty);
                params.push(var);
                values.push(Operand::Var(var));
            }
            if let Some(ty) = self.function.by_value_type(index) {
                // The caller passes the address of its own object; C passes a copy.
                let size = self.address_constant(self.program.layout.size(ty));
                let align = self.program.layout.align(ty);
                let name = match self.names.get(&parameter) {
                    Some(name) => name.clone(),
                    None => parameter.name(),
                };
                let dst = self.builder.add_temporary(Type::Ptr);
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
    fn find_parameter_home(
        &self,
        parameter: LlvmValue<'c>,
        entry: BasicBlock<'c>,
    ) -> Option<(LlvmValue<'c>, VarId)> {
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

    fn translate_block(&mut self, block: BasicBlock<'c>) -> TranslationResult<()> {
        let instructions = block.instructions();
        self.read_phis(&instructions)?;
        for instruction in instructions {
            self.builder.span = self.program.source_span(instruction.debug_place(), self.library);
            if self.parameter_stores.contains(&instruction) {
                continue;
            }
            self.translate_instruction(instruction)?;
        }
        Ok(())
    }

    fn read_phis(&mut self, instructions: &[LlvmValue<'c>]) -> TranslationResult<()> {
        for phi in instructions.iter().take_while(|i| matches!(i.opcode(), Opcode::LLVMPHI)) {
            let (Some(values), Some(incoming)) = (self.values.get(phi), self.incoming.get(phi))
            else {
                self.scalar_leaves(phi.ty())?;
                return Err(limit_terminator("a value that the model does not have"));
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
    pub(crate) fn write_phis(&mut self, block: BasicBlock<'c>) -> TranslationResult<()> {
        let mut done = HashSet::new();
        for successor in block_successors(block) {
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
                let values = self.scalar_operands(value)?;
                for (dst, value) in incoming.into_iter().zip(values) {
                    self.builder.emit(Instruction::Assign { dst, value });
                }
            }
        }
        Ok(())
    }

    /// The scalars of a type, or a limit.
    pub(crate) fn scalar_leaves(
        &self,
        ty: LlvmType<'c>,
    ) -> TranslationResult<Vec<layout::ScalarLeaf>> {
        layout::type_leaves(self.program.layout, ty).map_err(limit_terminator)
    }

    pub(crate) fn scalar_types(&self, ty: LlvmType<'c>) -> TranslationResult<Vec<Type>> {
        Ok(self.scalar_leaves(ty)?.into_iter().map(|leaf| leaf.ty).collect())
    }

    /// The integer type that is as wide as an address.
    pub(crate) fn address_integer_type(&self) -> Type {
        Type::Int(self.program.pointer_bits)
    }

    pub(crate) fn address_constant(&self, value: u64) -> Operand {
        Operand::Const { ty: self.address_integer_type(), bits: u128::from(value) }
    }
}
