//! Builds one function of the model, block by block.

use std::collections::HashMap;

use ouro_model::ids::TypedId as _;
use ouro_model::{
    Block, BlockId, IdVec, Instruction, LocalVar, Operand, Span, Statement, Terminator, Type,
    VarId, VarKind,
};

/// The variables and blocks of a function under construction.
pub(crate) struct FunctionBuilder {
    pub(crate) vars: IdVec<VarId, LocalVar>,
    blocks: Vec<Option<Block>>,
    current: Option<(BlockId, Vec<Statement>)>,
    /// Place of what is emitted next.
    pub(crate) span: Span,
}

impl FunctionBuilder {
    pub(crate) fn new() -> FunctionBuilder {
        FunctionBuilder { vars: IdVec::new(), blocks: Vec::new(), current: None, span: Span::NONE }
    }

    pub(crate) fn add_variable(&mut self, name: &str, ty: Type, kind: VarKind) -> VarId {
        self.vars.push(LocalVar { name: name.to_owned(), ty, kind })
    }

    /// A fresh nameless variable.
    pub(crate) fn add_temporary(&mut self, ty: Type) -> VarId {
        self.add_variable("", ty, VarKind::Temp)
    }

    /// Reserves a block, to be filled later.
    pub(crate) fn reserve_block(&mut self) -> BlockId {
        self.blocks.push(None);
        BlockId::from_index(self.blocks.len() - 1)
    }

    /// Begins to fill a reserved block.
    pub(crate) fn start_block(&mut self, block: BlockId) {
        debug_assert!(self.current.is_none(), "the block before must be finished");
        self.current = Some((block, Vec::new()));
    }

    /// Adds an instruction to the current block.
    pub(crate) fn emit(&mut self, instruction: Instruction) {
        if let Some((_, statements)) = &mut self.current {
            statements.push(Statement { instruction, span: self.span });
        }
    }

    /// Emits an instruction whose result is a fresh variable.
    pub(crate) fn emit_with_result(
        &mut self,
        ty: Type,
        make: impl FnOnce(VarId) -> Instruction,
    ) -> Operand {
        let dst = self.add_temporary(ty);
        self.emit(make(dst));
        Operand::Var(dst)
    }

    /// Ends the current block.
    pub(crate) fn finish(&mut self, terminator: Terminator) {
        if let Some((id, statements)) = self.current.take() {
            self.blocks[id.index()] = Some(Block { statements, terminator, span: self.span });
        }
    }

    pub(crate) fn type_of(&self, operand: Operand) -> Type {
        match operand {
            Operand::Var(var) => self.vars[var].ty,
            Operand::Const { ty, .. } => ty,
            Operand::Global(..) | Operand::Function(_) | Operand::Label(_) => Type::Ptr,
        }
    }

    /// The blocks that can be reached from the first one or from `labels`, renumbered, and where
    /// each went. A reserved block that nobody filled was only reachable from code that stops
    /// before; it becomes a limit, so that a mistake here can never prove anything.
    pub(crate) fn into_blocks(
        self,
        labels: &[BlockId],
    ) -> (IdVec<VarId, LocalVar>, IdVec<BlockId, Block>, HashMap<BlockId, BlockId>) {
        let mut blocks: Vec<Block> = self
            .blocks
            .into_iter()
            .map(|block| {
                block.unwrap_or_else(|| Block {
                    statements: Vec::new(),
                    terminator: Terminator::Limit("code that was not translated".to_owned()),
                    span: Span::NONE,
                })
            })
            .collect();
        let mut seen = vec![false; blocks.len()];
        let mut work: Vec<BlockId> = vec![BlockId(0)];
        work.extend(labels);
        while let Some(block) = work.pop() {
            if std::mem::replace(&mut seen[block.index()], true) {
                continue;
            }
            work.extend(terminator_successors(&blocks[block.index()].terminator));
        }
        let mut map = HashMap::new();
        for (index, seen) in seen.iter().enumerate() {
            if *seen {
                map.insert(BlockId::from_index(index), BlockId::from_index(map.len()));
            }
        }
        let mut kept = IdVec::new();
        for (index, mut block) in blocks.drain(..).enumerate() {
            if !map.contains_key(&BlockId::from_index(index)) {
                continue;
            }
            renumber_blocks(&mut block, &map);
            kept.push(block);
        }
        (self.vars, kept, map)
    }
}

fn terminator_successors(terminator: &Terminator) -> Vec<BlockId> {
    match terminator {
        Terminator::Goto(to) => vec![*to],
        Terminator::Branch { then, otherwise, .. } => vec![*then, *otherwise],
        Terminator::Switch { cases, default, .. } => {
            cases.iter().map(|case| case.1).chain([*default]).collect()
        }
        Terminator::GotoAddress { targets, .. } => targets.clone(),
        Terminator::Return(_)
        | Terminator::Exit(_)
        | Terminator::Abort(_)
        | Terminator::Undefined(_)
        | Terminator::Limit(_) => Vec::new(),
    }
}

fn renumber_blocks(block: &mut Block, map: &HashMap<BlockId, BlockId>) {
    for statement in &mut block.statements {
        visit_operands(&mut statement.instruction, &mut |operand| renumber_operand(operand, map));
    }
    match &mut block.terminator {
        Terminator::Goto(to) => *to = map[to],
        Terminator::Branch { condition, then, otherwise } => {
            renumber_operand(condition, map);
            *then = map[then];
            *otherwise = map[otherwise];
        }
        Terminator::Switch { value, cases, default } => {
            renumber_operand(value, map);
            for case in cases {
                case.1 = map[&case.1];
            }
            *default = map[default];
        }
        Terminator::GotoAddress { address, targets } => {
            renumber_operand(address, map);
            for target in targets {
                *target = map[target];
            }
        }
        Terminator::Return(values) => {
            for value in values {
                renumber_operand(value, map);
            }
        }
        Terminator::Exit(value) => renumber_operand(value, map),
        Terminator::Abort(_) | Terminator::Undefined(_) | Terminator::Limit(_) => {}
    }
}

fn renumber_operand(operand: &mut Operand, map: &HashMap<BlockId, BlockId>) {
    if let Operand::Label(label) = operand {
        *label = map[label];
    }
}

/// Shows every operand that an instruction reads.
pub(crate) fn visit_operands(instruction: &mut Instruction, visit: &mut dyn FnMut(&mut Operand)) {
    use Instruction as I;
    match instruction {
        I::Assign { value, .. } | I::Unary { value, .. } | I::Cast { value, .. } => visit(value),
        I::Binary { left, right, .. }
        | I::Float { left, right, .. }
        | I::Compare { left, right, .. } => {
            visit(left);
            visit(right);
        }
        I::Select { condition, left, right, .. } => {
            visit(condition);
            visit(left);
            visit(right);
        }
        I::Offset { base, index, .. } => {
            visit(base);
            visit(index);
        }
        I::Load { address, .. } => visit(address),
        I::Store { address, value } => {
            visit(address);
            visit(value);
        }
        I::Alloca { size, .. } => visit(size),
        I::StackSave { .. } | I::Choice { .. } | I::Unknown { .. } => {}
        I::StackRestore { mark } => visit(mark),
        I::Copy { to, from, size, .. } => {
            visit(to);
            visit(from);
            visit(size);
        }
        I::Fill { to, value, size } => {
            visit(to);
            visit(value);
            visit(size);
        }
        I::Assume { condition } => visit(condition),
        I::Call { callee, args, .. } => {
            if let ouro_model::Callee::Pointer(pointer) = callee {
                visit(pointer);
            }
            for arg in args {
                visit(arg);
            }
        }
        I::VaStart { list } => visit(list),
    }
}
