//! Instructions on integers alone.
//!
//! A pointer is a 64-bit integer with a sign, whatever the width of the target's addresses: addresses of
//! objects are not negative. Floats are left out, and what is computed from them is any value.

mod counts;
mod instructions;

use std::collections::{BTreeMap, BTreeSet};

use ouro_model::ids::TypedId as _;
use ouro_model::{
    Block, BlockId, Callee, Function, GlobalId, IdVec, Instruction, LocalVar, Operand, Program,
    ProgramQuestion, Span, Statement, TargetLayout, Terminator, Type, VarId, VarKind,
};

use crate::IsolationOptions;
use crate::assumption::MemoryAssumption;
use crate::effects::ProgramEffects;
use crate::inputs::InputCalls;
use crate::links::LinkPointers;
use crate::places::PromotedCells;
use crate::region::LoopRegion;
use crate::strays::StrayPointers;
use counts::CountdownVariable;

/// What a pointer becomes.
const ADDRESS: Type = Type::Int(64);

/// What is assumed to come to an end.
#[derive(Clone, Copy)]
pub(crate) struct AssumedEnds<'a> {
    pub(crate) links: &'a LinkPointers,
    pub(crate) inputs: &'a InputCalls,
    /// What else may be assumed.
    pub(crate) how: IsolationOptions<'a>,
}

/// The program of a region.
pub(crate) struct RegionProgram {
    pub(crate) program: Program,
    /// Where the head of the loop went.
    pub(crate) head: BlockId,
    /// Where the loop has been left.
    pub(crate) out: BlockId,
    /// The variables of cells.
    pub(crate) cells: Vec<VarId>,
    /// What was assumed.
    pub(crate) assumed: BTreeSet<MemoryAssumption>,
    /// What is counted down.
    pub(crate) counts: Vec<CountdownVariable>,
    /// Pointers that are assumed to point into objects because they are compared, and that in words.
    pub(crate) compared: BTreeSet<(VarId, String)>,
}

/// Makes the program of a region.
pub(crate) fn rewrite_region(
    program: &Program,
    function: &Function,
    effects: &ProgramEffects,
    region: &LoopRegion,
    places: &PromotedCells<'_>,
    ends: AssumedEnds<'_>,
    head: BlockId,
) -> RegionProgram {
    let mut rewrite = RegionRewriter::new(program, function, effects, region, places, ends);
    rewrite.strays = StrayPointers::of_region(function, region, places);
    rewrite.make_counts(ends.links, ends.inputs);
    let blocks = rewrite.rewrite_blocks();
    let head = rewrite.jump_target(head);
    let made = Function {
        name: function.name.clone(),
        vars: rewrite.vars,
        params: Vec::new(),
        variadic: false,
        returns: Vec::new(),
        blocks,
        span: function.span,
        user: true,
        specification: false,
    };
    let mut functions = IdVec::new();
    let entry = functions.push(made);
    let program = Program {
        target: TargetLayout { pointer_bits: program.target.pointer_bits },
        files: program.files.clone(),
        globals: IdVec::new(),
        functions,
        entry,
        assumptions: Vec::new(),
        volatile: BTreeSet::new(),
        question: ProgramQuestion::Termination,
        events: Vec::new(),
        obligations: Vec::new(),
        fairness: Vec::new(),
    };
    let RegionRewriter { cells, assumed, counts, compared, .. } = rewrite;
    RegionProgram { program, head, out: LAST, cells, assumed, counts, compared }
}

struct RegionRewriter<'a> {
    program: &'a Program,
    function: &'a Function,
    effects: &'a ProgramEffects,
    region: &'a LoopRegion,
    places: &'a PromotedCells<'a>,
    /// Those of the function come first, with the same numbers.
    vars: IdVec<VarId, LocalVar>,
    /// The variable of each cell.
    cells: Vec<VarId>,
    ends: AssumedEnds<'a>,
    counts: Vec<CountdownVariable>,
    strays: StrayPointers,
    /// See [`RegionProgram::compared`].
    compared: BTreeSet<(VarId, String)>,
    /// The statement that is being rewritten.
    at: (BlockId, usize),
    /// The variables for addresses of static objects.
    globals: BTreeMap<GlobalId, VarId>,
    /// Where each block went.
    moved: BTreeMap<BlockId, BlockId>,
    /// Blocks from which control can come to something that the model does not cover.
    doubtful: BTreeSet<BlockId>,
    assumed: BTreeSet<MemoryAssumption>,
    /// The block that is being made.
    statements: Vec<Statement>,
    span: Span,
}

/// Where the run has left the loop. The block before it is the first, where everything gets any value.
const LAST: BlockId = BlockId(1);

impl<'a> RegionRewriter<'a> {
    fn new(
        program: &'a Program,
        function: &'a Function,
        effects: &'a ProgramEffects,
        region: &'a LoopRegion,
        places: &'a PromotedCells<'a>,
        ends: AssumedEnds<'a>,
    ) -> RegionRewriter<'a> {
        let as_integer = |var: &LocalVar| LocalVar {
            ty: integer_type(var.ty).unwrap_or(Type::Int(1)),
            ..var.clone()
        };
        let mut vars: IdVec<VarId, LocalVar> = function.vars.iter().map(as_integer).collect();
        let cells = places
            .cells
            .iter()
            .enumerate()
            .map(|(number, cell)| {
                let ty = integer_type(cell.ty).unwrap_or(Type::Int(1));
                vars.push(LocalVar { name: places.cell_name(number), ty, kind: VarKind::User })
            })
            .collect();
        let mut moved = BTreeMap::new();
        // Code before a loop has smaller numbers, so that the order of places stays the user's.
        for block in region.blocks().chain(region.cut_loops().map(|(head, _)| *head)) {
            let next = BlockId::from_index(moved.len() + 2);
            moved.entry(block).or_insert(next);
        }
        RegionRewriter {
            program,
            function,
            effects,
            region,
            places,
            vars,
            cells,
            ends,
            counts: Vec::new(),
            strays: StrayPointers::default(),
            compared: BTreeSet::new(),
            at: (BlockId(0), 0),
            globals: BTreeMap::new(),
            moved,
            doubtful: blocks_reaching_limits(function),
            assumed: BTreeSet::new(),
            statements: Vec::new(),
            span: Span::NONE,
        }
    }

    fn rewrite_blocks(&mut self) -> IdVec<BlockId, Block> {
        let mut rest = Vec::new();
        for block in self.moved.clone().into_keys() {
            let inside = self.region.cut_loops().find(|(head, _)| **head == block);
            let made = match inside {
                Some((_, inside)) => self.make_cut_block(block, inside),
                None => self.rewrite_block(block),
            };
            rest.push((self.moved[&block], made));
        }
        rest.sort_by_key(|(id, _)| *id);
        let beyond = self.limit_block();
        let mut used = false;
        rest.iter()
            .for_each(|(_, block)| block.terminator.each_successor(|to| used |= to == beyond));
        if used {
            let what = "something in the function that may lead back into the loop".to_owned();
            let terminator = Terminator::Limit(what);
            rest.push((beyond, Block { statements: Vec::new(), terminator, span: Span::NONE }));
        }
        let first = self.make_start_block();
        let status = Operand::Const { ty: Type::Int(32), bits: 0 };
        let last = Block {
            statements: Vec::new(),
            terminator: Terminator::Exit(status),
            span: Span::NONE,
        };
        [first, last].into_iter().chain(rest.into_iter().map(|(_, block)| block)).collect()
    }

    /// Everything that is read gets any value.
    fn make_start_block(&mut self) -> Block {
        let counts = self.counts.iter().map(|count| count.var);
        let mut read: BTreeSet<VarId> = self.cells.iter().copied().chain(counts).collect();
        for block in self.region.blocks() {
            let block = &self.function.blocks[block];
            let mut note = |operand: Operand| {
                if let Operand::Var(var) = operand {
                    read.insert(var);
                }
            };
            block.statements.iter().for_each(|one| one.instruction.each_operand(&mut note));
            block.terminator.each_operand(&mut note);
        }
        let addresses: Vec<VarId> = self.globals.values().copied().collect();
        self.span = Span::NONE;
        for var in read {
            self.havoc_variable(var);
        }
        for var in addresses {
            self.havoc_variable(var);
            self.assume_object_address(Operand::Var(var));
        }
        self.finish(Terminator::Goto(self.jump_target(self.region.start)))
    }

    /// A loop that is cut: what it writes is unknown, and control is at any of its exits.
    fn make_cut_block(&mut self, head: BlockId, inside: &BTreeSet<BlockId>) -> Block {
        let mut exits: BTreeSet<BlockId> = BTreeSet::new();
        for id in inside {
            self.function.blocks[*id].terminator.each_successor(|to| {
                if !inside.contains(&to) && !self.region.leaves(head, to) {
                    exits.insert(to);
                }
            });
        }
        self.span = Span::NONE;
        if let Some(what) = self.find_limit(inside) {
            return self.finish(Terminator::Limit(what));
        }
        self.havoc_written(inside);
        let exits: Vec<BlockId> = exits.into_iter().collect();
        let terminator = self.jump_to_any(&exits);
        self.finish(terminator)
    }

    /// What these blocks write is unknown.
    fn havoc_written(&mut self, blocks: &BTreeSet<BlockId>) {
        let mut written: BTreeSet<VarId> = BTreeSet::new();
        for id in blocks {
            for statement in &self.function.blocks[*id].statements {
                written.extend(statement.instruction.destination_vars());
                let (changes, assumed) =
                    self.places.instruction_changes(*id, &statement.instruction, statement.span);
                written.extend(changes.iter().map(|(cell, _)| self.cells[*cell]));
                self.assumed.extend(assumed);
            }
        }
        for var in written {
            self.havoc_variable(var);
        }
    }

    /// What blocks do that the model does not cover.
    fn find_limit(&self, blocks: &BTreeSet<BlockId>) -> Option<String> {
        blocks.iter().map(|block| &self.function.blocks[*block]).find_map(|block| {
            let called = block.statements.iter().find_map(|one| match one.instruction {
                Instruction::Call { callee: Callee::Function(id), .. }
                    if self.effects.effect_of(id).limit =>
                {
                    Some(format!("a call of {}", self.program.functions[id].name))
                }
                _ => None,
            });
            match &block.terminator {
                Terminator::Limit(what) if !block.terminator.is_result_limit() => {
                    Some(what.clone())
                }
                _ => called,
            }
        })
    }

    /// To any of these blocks.
    fn jump_to_any(&mut self, blocks: &[BlockId]) -> Terminator {
        let targets: BTreeSet<BlockId> =
            blocks.iter().map(|block| self.jump_target(*block)).collect();
        let targets: Vec<BlockId> = targets.into_iter().collect();
        match targets.split_last() {
            None => Terminator::Goto(LAST),
            Some((only, [])) => Terminator::Goto(*only),
            Some((default, others)) => {
                let which = self.add_temporary(Type::Int(32));
                self.havoc_variable(which);
                let cases = (0..).zip(others).map(|(number, block)| (number, *block)).collect();
                Terminator::Switch { value: Operand::Var(which), cases, default: *default }
            }
        }
    }

    /// Where a jump goes. What the model does not cover has no way on, so it seems to be outside of the loop;
    /// in truth control may come back from there.
    fn jump_target(&self, block: BlockId) -> BlockId {
        let block = self.region.cut_loop_around(block).unwrap_or(block);
        match self.moved.get(&block) {
            Some(moved) => *moved,
            None if self.doubtful.contains(&block) => self.limit_block(),
            None => LAST,
        }
    }

    /// The block for what the model does not cover.
    fn limit_block(&self) -> BlockId {
        BlockId::from_index(self.moved.len() + 2)
    }

    fn rewrite_block(&mut self, id: BlockId) -> Block {
        let block = &self.function.blocks[id];
        // On the way, only the way matters: elsewhere the loop is not, or is entered anew.
        let way = self.region.way.iter().position(|one| *one == id);
        if let Some(around) = self.region.around.get(&id) {
            self.span = Span::NONE;
            self.havoc_written(around);
        }
        for (index, statement) in block.statements.iter().enumerate() {
            self.span = statement.span;
            self.at = (id, index);
            if let Some(terminator) = self.rewrite_instruction(id, &statement.instruction) {
                return self.finish(terminator);
            }
            let AssumedEnds { links, inputs, .. } = self.ends;
            self.count_statement(links, inputs, (id, index), &statement.instruction);
        }
        self.span = block.span;
        let mut terminator = self.rewrite_terminator(&block.terminator);
        if self.region.is_wide {
            let mut left = BTreeSet::new();
            block.terminator.each_successor(|to| {
                if self.region.leaves(id, to) {
                    left.insert(self.jump_target(to));
                }
            });
            redirect(&mut terminator, |to| if left.contains(&to) { LAST } else { to });
        } else if let Some(position) = way {
            let next = match self.region.way.get(position + 1) {
                Some(next) => self.jump_target(*next),
                None => self.head_block(),
            };
            redirect(&mut terminator, |to| if to == next { to } else { LAST });
        }
        self.finish(terminator)
    }

    /// Where the head of the loop went.
    fn head_block(&self) -> BlockId {
        let last = self.region.way.last().map(|block| &self.function.blocks[*block].terminator);
        let mut head = LAST;
        if let Some(terminator) = last {
            terminator.each_successor(|to| {
                if self.region.body.contains(&to) {
                    head = self.jump_target(to);
                }
            });
        }
        head
    }

    fn rewrite_terminator(&mut self, terminator: &Terminator) -> Terminator {
        match terminator {
            Terminator::Goto(to) => Terminator::Goto(self.jump_target(*to)),
            Terminator::Branch { condition, then, otherwise } => Terminator::Branch {
                condition: self.rewrite_operand(*condition),
                then: self.jump_target(*then),
                otherwise: self.jump_target(*otherwise),
            },
            Terminator::Switch { value, cases, default } => Terminator::Switch {
                value: self.rewrite_operand(*value),
                cases: cases.iter().map(|(case, to)| (*case, self.jump_target(*to))).collect(),
                default: self.jump_target(*default),
            },
            Terminator::GotoAddress { targets, .. } => self.jump_to_any(targets),
            // The call of the library is over.
            Terminator::Limit(_) if terminator.is_result_limit() => Terminator::Goto(LAST),
            Terminator::Limit(what) => Terminator::Limit(what.clone()),
            Terminator::Return(_)
            | Terminator::Exit(_)
            | Terminator::Abort(_)
            | Terminator::Undefined(_) => Terminator::Goto(LAST),
        }
    }

    fn add_temporary(&mut self, ty: Type) -> VarId {
        self.vars.push(LocalVar { name: String::new(), ty, kind: VarKind::Temp })
    }

    /// A variable gets any value.
    fn havoc_variable(&mut self, dst: VarId) {
        // Floats are left out.
        let float = self.function.vars.get(dst).is_some_and(|v| matches!(v.ty, Type::Float(_)));
        if !float {
            let why = "what is outside of the loop".to_owned();
            self.emit(Instruction::Unknown { dst, why });
        }
    }

    fn emit(&mut self, instruction: Instruction) {
        self.statements.push(Statement { instruction, span: self.span });
    }

    fn finish(&mut self, terminator: Terminator) -> Block {
        let statements = std::mem::take(&mut self.statements);
        Block { statements, terminator, span: self.span }
    }
}

/// The blocks from which control can come to something that the model does not cover.
fn blocks_reaching_limits(function: &Function) -> BTreeSet<BlockId> {
    let limit = |block: &Block| {
        matches!(block.terminator, Terminator::Limit(_)) && !block.terminator.is_result_limit()
    };
    let mut all: BTreeSet<BlockId> =
        function.blocks.enumerate().filter(|(_, block)| limit(block)).map(|(id, _)| id).collect();
    loop {
        let before = all.len();
        for (id, block) in function.blocks.enumerate() {
            let mut leads = false;
            block.terminator.each_successor(|to| leads |= all.contains(&to));
            if leads {
                all.insert(id);
            }
        }
        if all.len() == before {
            return all;
        }
    }
}

/// The integer type that stands for a type; none for floats.
fn integer_type(ty: Type) -> Option<Type> {
    match ty {
        Type::Int(_) => Some(ty),
        Type::Ptr => Some(ADDRESS),
        Type::Float(_) => None,
    }
}

fn redirect(terminator: &mut Terminator, to: impl Fn(BlockId) -> BlockId) {
    match terminator {
        Terminator::Goto(next) => *next = to(*next),
        Terminator::Branch { then, otherwise, .. } => {
            *then = to(*then);
            *otherwise = to(*otherwise);
        }
        Terminator::Switch { cases, default, .. } => {
            cases.iter_mut().for_each(|(_, next)| *next = to(*next));
            *default = to(*default);
        }
        _ => {}
    }
}
