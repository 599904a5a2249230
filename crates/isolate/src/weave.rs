//! Several functions as one, in which a recursion is a loop.
//!
//! Functions that may call each other, the *members*, become one function with a *hub*: a call of a member may lead to
//! the hub, and from there to the start of who is called, with the arguments; or it is a call as any other, which has
//! returned. So a chain of calls in progress that gets longer and longer is a run of the new function that passes its hub
//! again and again: each call is followed up to the one in it that never returns, and those before have returned.
//! What a call in progress still has in its variables once it has made the call of the chain matters to nobody in it.
//!
//! So much is always there. Besides:
//!
//! - *callers*: who calls the members from elsewhere, up to a number of calls in one another, comes before the hub, so that
//!   it is known with which arguments they are called. Without, they are called with any.
//! - *inlined* functions: who is called and does not call back is followed, where it is small, so that it is known what
//!   it returns.

use std::collections::{BTreeMap, BTreeSet};

use ouro_model::ids::TypedId as _;
use ouro_model::{
    Block, BlockId, Callee, Function, FunctionId, IdVec, Instruction, LocalVar, Operand, Program,
    Span, Statement, Terminator, Type, VarId, VarKind,
};

use crate::limits::LIMITS;
use crate::writes::address_taken_functions;

/// Which functions are woven into one.
#[derive(Clone, Copy, Debug)]
pub struct WeavingOptions<'a> {
    /// The members: functions that may call each other, or one alone.
    pub members: &'a BTreeSet<FunctionId>,
    /// All functions that a run may come to.
    pub reached: &'a BTreeSet<FunctionId>,
    /// Those of them that may call themselves: they are not inlined.
    pub recursive: &'a BTreeSet<FunctionId>,
    /// Those of which it is not known with which arguments they call others: they are not looked at.
    pub vague: &'a BTreeSet<FunctionId>,
    /// How many calls in one another lead to the members.
    pub callers: u32,
    /// Whether small functions that are called are followed.
    pub inlines: bool,
}

/// The function that several functions have become, and where they went.
#[derive(Clone, Debug)]
pub struct WovenFunctions {
    /// The program, with one function more.
    pub program: Program,
    /// The function.
    pub function: FunctionId,
    /// The block that calls of members lead to.
    pub hub: BlockId,
    /// Where the blocks of the members start.
    pub blocks: BTreeMap<(FunctionId, BlockId), BlockId>,
}

/// Where the new function starts.
const START: BlockId = BlockId(0);
/// The block that calls of members lead to.
const HUB: BlockId = BlockId(1);

/// Makes one function of several; `None` if it would be too large.
pub fn weave_functions(program: &Program, how: WeavingOptions<'_>) -> Option<WovenFunctions> {
    let leader = *how.members.first()?;
    let mut weaver = FunctionWeaver::new(program, how);
    weaver.weave()?;
    let code = &program.functions[leader];
    let functions = || how.members.iter().map(|id| &program.functions[*id]);
    let woven = Function {
        name: code.name.clone(),
        vars: weaver.vars,
        // What they are at the start nobody has written.
        params: weaver.params.into_iter().collect(),
        variadic: functions().any(|one| one.variadic),
        returns: Vec::new(),
        blocks: weaver.blocks,
        span: code.span,
        // Code of the C library sees more objects than the user's. What matters is who looks at them again and again.
        user: functions().all(|one| one.user),
        specification: false,
    };
    let mut program = program.clone();
    let function = program.functions.push(woven);
    Some(WovenFunctions { program, function, hub: HUB, blocks: weaver.moved })
}

/// What a copy of a function is for.
#[derive(Clone, Debug)]
enum CopyRole {
    /// It is a member, or a caller of one.
    Own,
    /// It stands for a call, which fills these variables and goes on there.
    Inlined { dsts: Vec<VarId>, next: BlockId, depth: usize },
}

/// A copy of a function.
#[derive(Clone, Debug)]
struct FunctionCopy {
    id: FunctionId,
    role: CopyRole,
    /// Parameters that are another variable all the time.
    renamed: BTreeMap<VarId, VarId>,
    /// The number of its first variable.
    first_var: usize,
    /// Where its blocks start.
    first_block: usize,
}

impl FunctionCopy {
    fn var(&self, var: VarId) -> VarId {
        let own = || VarId::from_index(self.first_var + var.index());
        self.renamed.get(&var).copied().unwrap_or_else(own)
    }

    fn block(&self, block: BlockId) -> BlockId {
        BlockId::from_index(self.first_block + block.index())
    }

    fn operand(&self, operand: Operand) -> Operand {
        match operand {
            Operand::Var(var) => Operand::Var(self.var(var)),
            Operand::Label(block) => Operand::Label(self.block(block)),
            other => other,
        }
    }
}

struct FunctionWeaver<'a> {
    program: &'a Program,
    how: WeavingOptions<'a>,
    /// The functions that a pointer may lead to.
    taken: BTreeSet<FunctionId>,
    /// The copies of members and of their callers.
    own: BTreeMap<FunctionId, FunctionCopy>,
    vars: IdVec<VarId, LocalVar>,
    /// The parameters of members and of their callers.
    params: BTreeSet<VarId>,
    blocks: IdVec<BlockId, Block>,
    moved: BTreeMap<(FunctionId, BlockId), BlockId>,
    /// Which member the hub goes to, by its number; not there if there is only one.
    which: Option<VarId>,
    /// Copies whose code is not there yet.
    pending: Vec<FunctionCopy>,
    /// The block that is being made, and what it does so far.
    at: BlockId,
    statements: Vec<Statement>,
    span: Span,
}

impl<'a> FunctionWeaver<'a> {
    fn new(program: &'a Program, how: WeavingOptions<'a>) -> FunctionWeaver<'a> {
        FunctionWeaver {
            program,
            how,
            taken: address_taken_functions(program),
            own: BTreeMap::new(),
            vars: IdVec::new(),
            params: BTreeSet::new(),
            blocks: IdVec::new(),
            moved: BTreeMap::new(),
            which: None,
            pending: Vec::new(),
            at: START,
            statements: Vec::new(),
            span: Span::NONE,
        }
    }

    fn weave(&mut self) -> Option<()> {
        let code = &self.program.functions[*self.how.members.first()?];
        self.add_block(Span::NONE);
        self.add_block(code.span);
        let callers = self.callers();
        let mut shared: BTreeMap<usize, VarId> = BTreeMap::new();
        let classes = self.shared_parameters();
        for id in self.how.members.iter().chain(&callers) {
            let mut copy = self.add_copy(*id, CopyRole::Own, BTreeMap::new());
            for (number, class) in classes.iter().enumerate() {
                if let Some(param) = class.get(id) {
                    let var = *shared.entry(number).or_insert_with(|| copy.var(*param));
                    copy.renamed.insert(*param, var);
                }
            }
            let params = &self.program.functions[*id].params;
            self.params.extend(params.iter().map(|param| copy.var(*param)));
            self.pending.pop();
            self.pending.push(copy.clone());
            self.own.insert(*id, copy);
        }
        for id in self.how.members {
            let copy = &self.own[id];
            let blocks = self.program.functions[*id].blocks.ids();
            self.moved.extend(blocks.map(|block| ((*id, block), copy.block(block))));
        }
        if self.how.members.len() > 1 {
            self.which = Some(self.add_temporary(Type::Int(32)));
        }
        self.make_start(&callers);
        self.make_hub();
        while let Some(copy) = self.pending.pop() {
            if self.blocks.len() > LIMITS.woven_blocks {
                return None;
            }
            self.copy_function(&copy);
        }
        Some(())
    }

    /// The functions from which a few calls in one another lead to the members.
    fn callers(&self) -> BTreeSet<FunctionId> {
        let mut all = self.how.members.clone();
        for _ in 0..self.how.callers {
            let calls = |id: &&FunctionId| !all.contains(id) && self.calls_any(**id, &all);
            // How the C library calls back nobody promises.
            let is_known =
                |id: &&FunctionId| self.program.functions[**id].user || **id == self.program.entry;
            let known = self.how.reached.difference(self.how.vague).filter(is_known);
            let more: Vec<FunctionId> = known.filter(calls).copied().collect();
            if more.is_empty() {
                break;
            }
            all.extend(more);
        }
        all.difference(self.how.members).copied().collect()
    }

    fn calls_any(&self, caller: FunctionId, functions: &BTreeSet<FunctionId>) -> bool {
        let blocks = self.program.functions[caller].blocks.iter();
        let mut statements = blocks.flat_map(|block| &block.statements);
        statements.any(|one| match one.instruction {
            Instruction::Call { callee, .. } => {
                self.targets(callee).any(|target| functions.contains(&target))
            }
            _ => false,
        })
    }

    /// The functions that a call may lead to.
    fn targets(&self, callee: Callee) -> impl Iterator<Item = FunctionId> {
        let (one, any) = match callee {
            Callee::Function(id) => (Some(id), false),
            Callee::Pointer(_) => (None, true),
            Callee::Builtin(_) => (None, false),
        };
        one.into_iter().chain(self.taken.iter().copied().filter(move |_| any))
    }

    /// A run starts where the program does, or with a call from elsewhere, whose arguments are any.
    fn make_start(&mut self, callers: &BTreeSet<FunctionId>) {
        let own: BTreeSet<FunctionId> = self.own.keys().copied().collect();
        let elsewhere: Vec<FunctionId> = self.how.reached.difference(&own).copied().collect();
        let is_started = |id: &FunctionId| {
            *id == self.program.entry
                || elsewhere.iter().any(|from| self.calls_any(*from, &BTreeSet::from([*id])))
        };
        let started: Vec<FunctionId> = own.iter().copied().filter(is_started).collect();
        let mut targets: Vec<BlockId> = Vec::new();
        for id in started {
            let block = self.add_block(Span::NONE);
            self.at = block;
            let target = match callers.contains(&id) {
                true => self.own[&id].block(START),
                false => {
                    self.set_which(id);
                    HUB
                }
            };
            self.finish(Terminator::Goto(target));
            targets.push(block);
        }
        self.at = START;
        let terminator = self.jump_to_any(&targets);
        self.finish(terminator);
    }

    fn make_hub(&mut self) {
        let members: Vec<FunctionId> = self.how.members.iter().copied().collect();
        let starts: Vec<BlockId> = members.iter().map(|id| self.own[id].block(START)).collect();
        self.at = HUB;
        let terminator = match (self.which, &starts[..]) {
            (Some(which), [others @ .., last]) => {
                let cases = (0..).zip(others.iter().copied()).collect();
                Terminator::Switch { value: Operand::Var(which), cases, default: *last }
            }
            (_, starts) => Terminator::Goto(starts[0]),
        };
        self.finish(terminator);
    }

    fn set_which(&mut self, id: FunctionId) {
        let number = self.how.members.iter().position(|one| *one == id);
        if let (Some(dst), Some(number)) = (self.which, number) {
            let value = Operand::Const { ty: Type::Int(32), bits: number as u128 };
            self.emit(Instruction::Assign { dst, value });
        }
    }

    /// Parameters of one name that the members pass on to each other as they are: they stay the same all the time.
    fn shared_parameters(&self) -> Vec<BTreeMap<FunctionId, VarId>> {
        let mut named: BTreeMap<(&str, String), BTreeMap<FunctionId, VarId>> = BTreeMap::new();
        for id in self.how.members {
            let code = &self.program.functions[*id];
            for param in code.params.iter().filter(|param| !is_written(code, **param)) {
                let LocalVar { name, ty, .. } = &code.vars[*param];
                named.entry((name, format!("{ty:?}"))).or_default().insert(*id, *param);
            }
        }
        let is_shared = |class: &BTreeMap<FunctionId, VarId>| {
            class.len() > 1 && self.how.members.iter().all(|id| self.passes_on(*id, class))
        };
        named.into_values().filter(is_shared).collect()
    }

    /// Whether a member calls others with its own one of these parameters for theirs.
    fn passes_on(&self, caller: FunctionId, class: &BTreeMap<FunctionId, VarId>) -> bool {
        let own = class.get(&caller).map(|param| Operand::Var(*param));
        let blocks = self.program.functions[caller].blocks.iter();
        blocks.flat_map(|block| &block.statements).all(|one| {
            let Instruction::Call { callee, args, .. } = &one.instruction else { return true };
            self.targets(*callee).all(|target| {
                let Some(param) = class.get(&target) else { return true };
                let params = &self.program.functions[target].params;
                let position = params.iter().position(|one| one == param);
                own.is_some() && position.and_then(|at| args.get(at).copied()) == own
            })
        })
    }

    fn add_copy(
        &mut self,
        id: FunctionId,
        role: CopyRole,
        renamed: BTreeMap<VarId, VarId>,
    ) -> FunctionCopy {
        let code = &self.program.functions[id];
        let (first_var, first_block) = (self.vars.len(), self.blocks.len());
        for var in code.vars.iter() {
            self.vars.push(var.clone());
        }
        for block in code.blocks.iter() {
            self.add_block(block.span);
        }
        let copy = FunctionCopy { id, role, renamed, first_var, first_block };
        self.pending.push(copy.clone());
        copy
    }

    fn copy_function(&mut self, copy: &FunctionCopy) {
        for (id, block) in self.program.functions[copy.id].blocks.enumerate() {
            self.at = copy.block(id);
            for statement in &block.statements {
                self.span = statement.span;
                self.copy_statement(copy, &statement.instruction);
            }
            self.span = block.span;
            let terminator = self.copy_terminator(copy, &block.terminator);
            self.finish(terminator);
        }
    }

    fn copy_statement(&mut self, copy: &FunctionCopy, instruction: &Instruction) {
        let mut made = instruction.clone();
        made.each_operand_mut(|operand| *operand = copy.operand(*operand));
        made.destination_vars_mut().iter_mut().for_each(|var| *var = copy.var(*var));
        let Instruction::Call { dsts, callee, args } = &made else { return self.emit(made) };
        let entered: Vec<FunctionId> =
            self.targets(*callee).filter(|id| self.own.contains_key(id)).collect();
        if !entered.is_empty() {
            self.branch_into(&entered, args);
        } else if let Callee::Function(id) = *callee
            && self.is_inlined(copy, id)
        {
            return self.inline_call(copy, id, dsts, args);
        }
        self.emit(made);
    }

    /// Goes to one of these functions with the arguments of a call, or on.
    fn branch_into(&mut self, entered: &[FunctionId], args: &[Operand]) {
        let (from, span) = (self.at, self.span);
        let before = std::mem::take(&mut self.statements);
        let mut targets = Vec::new();
        for id in entered {
            let block = self.add_block(span);
            self.at = block;
            let callee = self.own[id].clone();
            self.pass_arguments(&callee, args);
            let is_member = self.how.members.contains(id);
            if is_member {
                self.set_which(*id);
            }
            let target = if is_member { HUB } else { callee.block(START) };
            self.finish(Terminator::Goto(target));
            targets.push(block);
        }
        let next = self.add_block(span);
        targets.push(next);
        (self.at, self.statements) = (from, before);
        let terminator = self.jump_to_any(&targets);
        self.finish(terminator);
        self.at = next;
    }

    /// A new call of a function: its parameters are the arguments, and its other variables are anything.
    fn pass_arguments(&mut self, callee: &FunctionCopy, args: &[Operand]) {
        let code = &self.program.functions[callee.id];
        let params: Vec<VarId> = code.params.iter().map(|param| callee.var(*param)).collect();
        let mut values: Vec<Option<Operand>> = Vec::new();
        for (number, param) in params.iter().enumerate() {
            let arg = args.get(number).copied();
            let fits = |arg: &Operand| self.type_of(*arg) == Some(self.vars[*param].ty);
            let mut value = arg.filter(fits);
            // A parameter that is another one's argument may be written before it is read.
            if let Some(Operand::Var(var)) = value
                && var != *param
                && params.contains(&var)
            {
                let ty = self.vars[var].ty;
                let kept = self.add_temporary(ty);
                self.emit(Instruction::Assign { dst: kept, value: Operand::Var(var) });
                value = Some(Operand::Var(kept));
            }
            values.push(value);
        }
        for (dst, value) in params.iter().copied().zip(values) {
            match value {
                // It stays what it is, and so do places that are found by it.
                Some(Operand::Var(var)) if var == dst => {}
                Some(value) => self.emit(Instruction::Assign { dst, value }),
                None => self.emit_unknown(dst),
            }
        }
        for (var, local) in code.vars.enumerate() {
            if local.kind == VarKind::User && !code.params.contains(&var) {
                self.emit_unknown(callee.var(var));
            }
        }
    }

    fn is_inlined(&self, caller: &FunctionCopy, id: FunctionId) -> bool {
        let code = &self.program.functions[id];
        let depth = match caller.role {
            CopyRole::Own => 0,
            CopyRole::Inlined { depth, .. } => depth,
        };
        self.how.inlines
            && code.user
            && !code.variadic
            && !self.how.recursive.contains(&id)
            && code.blocks.len() <= LIMITS.inlined_blocks
            && depth < LIMITS.inlined_calls
            && self.blocks.len() + code.blocks.len() < LIMITS.woven_blocks
    }

    fn inline_call(
        &mut self,
        caller: &FunctionCopy,
        id: FunctionId,
        dsts: &[VarId],
        args: &[Operand],
    ) {
        let depth = match caller.role {
            CopyRole::Own => 0,
            CopyRole::Inlined { depth, .. } => depth,
        };
        let next = self.add_block(self.span);
        let role = CopyRole::Inlined { dsts: dsts.to_vec(), next, depth: depth + 1 };
        // What a parameter that nobody writes is while the call lasts is what the argument is.
        let code = &self.program.functions[id];
        let mut renamed = BTreeMap::new();
        for (param, arg) in code.params.iter().zip(args) {
            if let Operand::Var(var) = *arg
                && self.vars[var].ty == code.vars[*param].ty
                && !dsts.contains(&var)
                && !is_written(code, *param)
            {
                renamed.insert(*param, var);
            }
        }
        let copy = self.add_copy(id, role, renamed);
        self.pass_arguments(&copy, args);
        self.finish(Terminator::Goto(copy.block(START)));
        self.at = next;
    }

    fn copy_terminator(&mut self, copy: &FunctionCopy, terminator: &Terminator) -> Terminator {
        match terminator {
            Terminator::Goto(to) => Terminator::Goto(copy.block(*to)),
            Terminator::Branch { condition, then, otherwise } => Terminator::Branch {
                condition: copy.operand(*condition),
                then: copy.block(*then),
                otherwise: copy.block(*otherwise),
            },
            Terminator::Switch { value, cases, default } => Terminator::Switch {
                value: copy.operand(*value),
                cases: cases.iter().map(|(case, to)| (*case, copy.block(*to))).collect(),
                default: copy.block(*default),
            },
            Terminator::GotoAddress { address, targets } => Terminator::GotoAddress {
                address: copy.operand(*address),
                targets: targets.iter().map(|to| copy.block(*to)).collect(),
            },
            Terminator::Return(values) => match &copy.role {
                CopyRole::Own => Terminator::Return(Vec::new()),
                CopyRole::Inlined { dsts, next, .. } => {
                    for (number, dst) in dsts.iter().enumerate() {
                        match values.get(number) {
                            Some(value) => {
                                let value = copy.operand(*value);
                                self.emit(Instruction::Assign { dst: *dst, value });
                            }
                            None => self.emit_unknown(*dst),
                        }
                    }
                    Terminator::Goto(*next)
                }
            },
            Terminator::Exit(status) => Terminator::Exit(copy.operand(*status)),
            // Behind a limit of the library it may call others in ways that are not here.
            Terminator::Limit(what) => Terminator::Limit(format!("{what}, in a call")),
            other @ (Terminator::Abort(_) | Terminator::Undefined(_)) => other.clone(),
        }
    }

    /// To any of these blocks.
    fn jump_to_any(&mut self, blocks: &[BlockId]) -> Terminator {
        match blocks {
            [] => Terminator::Return(Vec::new()),
            [only] => Terminator::Goto(*only),
            [others @ .., last] => {
                let way = self.add_temporary(Type::Int(32));
                self.emit_unknown(way);
                let cases = (0..).zip(others.iter().copied()).collect();
                Terminator::Switch { value: Operand::Var(way), cases, default: *last }
            }
        }
    }

    fn type_of(&self, operand: Operand) -> Option<Type> {
        match operand {
            Operand::Var(var) => self.vars.get(var).map(|var| var.ty),
            Operand::Const { ty, .. } => Some(ty),
            Operand::Global(..) | Operand::Function(_) | Operand::Label(_) => Some(Type::Ptr),
        }
    }

    fn add_temporary(&mut self, ty: Type) -> VarId {
        self.vars.push(LocalVar { name: String::new(), ty, kind: VarKind::Temp })
    }

    fn emit(&mut self, instruction: Instruction) {
        self.statements.push(Statement { instruction, span: self.span });
    }

    fn emit_unknown(&mut self, dst: VarId) {
        let why = "what is outside of the recursion".to_owned();
        self.emit(Instruction::Unknown { dst, why });
    }

    /// A block whose code comes later.
    fn add_block(&mut self, span: Span) -> BlockId {
        let terminator = Terminator::Return(Vec::new());
        self.blocks.push(Block { statements: Vec::new(), terminator, span })
    }

    /// Ends the block that is being made.
    fn finish(&mut self, terminator: Terminator) {
        let block = &mut self.blocks[self.at];
        block.statements = std::mem::take(&mut self.statements);
        block.terminator = terminator;
    }
}

/// Whether a function writes one of its variables.
fn is_written(function: &Function, var: VarId) -> bool {
    let mut statements = function.blocks.iter().flat_map(|block| &block.statements);
    statements.any(|one| one.instruction.destination_vars().contains(&var))
}
