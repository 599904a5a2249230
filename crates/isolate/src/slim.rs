//! What decides whether a loop is left, without the rest.
//!
//! Wanted are the variables that conditions of jumps out of the loop depend on. Statements that write others
//! are left out. A branch whose ways meet again without having done anything is then no branch; one that is
//! still there decides what is done, so its condition is wanted as well. A cycle always has something that
//! decides whether it goes on, so no cycle is lost.
//!
//! What is left does everything that the loop does to the wanted variables, and perhaps more, since what a
//! statement that is left out assumes or leaves undefined ends no run any more.
//!
//! Mostly one thing is enough to see that a loop ends: the counter of one condition, or a pointer that moves
//! through its object. So there are *sights* as well. Each wants what one jump out of the loop depends on, or
//! one assumption, and no more: where a branch depends on anything else, both ways are possible.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use ouro_model::ids::TypedId as _;
use ouro_model::{
    Block, BlockId, Function, IdVec, Instruction, LocalVar, Operand, Program, Statement,
    Terminator, VarId, VarKind,
};

use crate::limits::LIMITS;

/// The same program with what is wanted only. `head` stays a block of its own; `out` is where the loop
/// has been left.
pub(crate) fn slice_loop(program: &Program, head: BlockId, out: BlockId) -> Program {
    let function = &program.functions[program.entry];
    let facts = SlicingFacts::of_function(function);
    let mut slim = LoopSlicer::with_facts(&facts, head);
    for block in function.blocks.iter() {
        if leaves_loop(block, out) {
            slim.want_terminator(&block.terminator);
        }
    }
    let routes = loop {
        slim.close_wanted();
        let routes = slim.routes();
        let before = slim.wanted.len();
        for (block, route) in &routes {
            if only_target(route).is_none() {
                slim.want_terminator(&function.blocks[*block].terminator);
            }
        }
        if slim.wanted.len() == before {
            break routes;
        }
    };
    slim.sliced_program(program, &routes)
}

/// The loop seen from each jump out of it, and from each assumption, that every iteration passes; each program once.
pub(crate) fn slice_by_exit(program: &Program, head: BlockId, out: BlockId) -> Vec<Program> {
    let function = &program.functions[program.entry];
    let facts = SlicingFacts::of_function(function);
    let mut found: Vec<Program> = Vec::new();
    let jumps = function.blocks.enumerate().filter(|(_, block)| leaves_loop(block, out));
    let jumps = jumps
        .map(|(id, block)| (id, operand_variables(|note| block.terminator.each_operand(note))));
    let stops = function.blocks.enumerate().map(|(id, block)| (id, assumed_variables(block)));
    for (block, seeds) in jumps.chain(stops) {
        if seeds.is_empty()
            || found.len() >= LIMITS.sights
            || cycles_without_block(function, head, block)
        {
            continue;
        }
        let mut slim = LoopSlicer::with_facts(&facts, head);
        slim.wanted = seeds;
        slim.close_wanted();
        slim.want_related_conditions();
        let routes = slim.routes();
        let made = slim.sliced_program(program, &routes);
        if !found.contains(&made) {
            found.push(made);
        }
    }
    found
}

fn leaves_loop(block: &Block, out: BlockId) -> bool {
    let mut leaves = false;
    block.terminator.each_successor(|to| leaves |= to == out);
    leaves
}

/// What a block assumes to be true.
fn assumed_variables(block: &Block) -> BTreeSet<VarId> {
    let assumed = block.statements.iter().filter_map(|statement| match statement.instruction {
        Instruction::Assume { condition: Operand::Var(var) } => Some(var),
        _ => None,
    });
    assumed.collect()
}

/// The variables among operands.
fn operand_variables(each: impl FnOnce(&mut dyn FnMut(Operand))) -> BTreeSet<VarId> {
    let mut all = BTreeSet::new();
    each(&mut |operand| {
        if let Operand::Var(var) = operand {
            all.insert(var);
        }
    });
    all
}

/// Whether a run can come from the head back to it without passing a block.
fn cycles_without_block(function: &Function, head: BlockId, block: BlockId) -> bool {
    let mut seen = BTreeSet::from([block]);
    let mut pending = if head == block { Vec::new() } else { vec![head] };
    let mut back = false;
    while let Some(at) = pending.pop() {
        function.blocks[at].terminator.each_successor(|to| {
            back |= to == head;
            if seen.insert(to) {
                pending.push(to);
            }
        });
    }
    back
}

/// Where control is when a block has gone to another and past blocks that do nothing.
type BlockRoute = BTreeMap<BlockId, BlockId>;

/// The only block that a route leads to, if there is one.
fn only_target(route: &BlockRoute) -> Option<BlockId> {
    let first = route.values().next()?;
    route.values().all(|to| to == first).then_some(*first)
}

/// What is the same whatever is wanted.
struct SlicingFacts<'a> {
    function: &'a Function,
    /// What each variable is computed from.
    sources: HashMap<VarId, BTreeSet<VarId>>,
    /// Comparisons that are assumed to be true somewhere, and what they compare.
    assumed: Vec<(VarId, BTreeSet<VarId>)>,
}

impl<'a> SlicingFacts<'a> {
    fn of_function(function: &'a Function) -> SlicingFacts<'a> {
        let conditions: BTreeSet<VarId> =
            function.blocks.iter().flat_map(assumed_variables).collect();
        let mut facts = SlicingFacts { function, sources: HashMap::new(), assumed: Vec::new() };
        for statement in function.blocks.iter().flat_map(|block| &block.statements) {
            let instruction = &statement.instruction;
            let read = operand_variables(|note| instruction.each_operand(note));
            if let Instruction::Compare { dst, .. } = instruction
                && conditions.contains(dst)
            {
                facts.assumed.push((*dst, read.clone()));
            }
            for dst in instruction.destination_vars() {
                facts.sources.entry(*dst).or_default().extend(&read);
            }
        }
        facts
    }

    /// What a variable is computed from and is not wanted; `None` if that is more than temporaries.
    fn unwanted_temporaries(
        &self,
        of: BTreeSet<VarId>,
        wanted: &BTreeSet<VarId>,
    ) -> Option<BTreeSet<VarId>> {
        let mut found = BTreeSet::new();
        let mut pending: Vec<VarId> = of.into_iter().collect();
        while let Some(var) = pending.pop() {
            if wanted.contains(&var) || found.contains(&var) {
                continue;
            }
            if self.function.vars[var].kind != VarKind::Temp {
                return None;
            }
            found.insert(var);
            pending.extend(self.sources.get(&var).into_iter().flatten());
        }
        Some(found)
    }
}

struct LoopSlicer<'a> {
    facts: &'a SlicingFacts<'a>,
    function: &'a Function,
    head: BlockId,
    wanted: BTreeSet<VarId>,
}

impl<'a> LoopSlicer<'a> {
    fn with_facts(facts: &'a SlicingFacts<'a>, head: BlockId) -> LoopSlicer<'a> {
        LoopSlicer { facts, function: facts.function, head, wanted: BTreeSet::new() }
    }

    fn want_terminator(&mut self, terminator: &Terminator) {
        self.wanted.extend(operand_variables(|note| terminator.each_operand(note)));
    }

    /// Wants conditions of branches that are computed from wanted variables and temporaries alone.
    fn want_related_conditions(&mut self) {
        loop {
            let before = self.wanted.len();
            for block in self.function.blocks.iter() {
                let condition = operand_variables(|note| block.terminator.each_operand(note));
                if let Some(more) = self.facts.unwanted_temporaries(condition, &self.wanted) {
                    self.wanted.extend(more);
                }
            }
            self.close_wanted();
            if self.wanted.len() == before {
                return;
            }
        }
    }

    /// Wants what the wanted is computed from, and what is assumed about wanted variables alone.
    fn close_wanted(&mut self) {
        let mut pending: Vec<VarId> = self.wanted.iter().copied().collect();
        loop {
            while let Some(var) = pending.pop() {
                let sources = self.facts.sources.get(&var).into_iter().flatten();
                pending.extend(sources.filter(|source| self.wanted.insert(**source)));
            }
            for (condition, read) in &self.facts.assumed {
                if read.is_subset(&self.wanted) && self.wanted.insert(*condition) {
                    pending.push(*condition);
                }
            }
            if pending.is_empty() {
                return;
            }
        }
    }

    fn keeps(&self, statement: &Statement) -> bool {
        match &statement.instruction {
            Instruction::Assume { condition: Operand::Var(var) } => self.wanted.contains(var),
            // Anything that is known to be false ends the run.
            Instruction::Assume { .. } => true,
            other => other.destination_vars().iter().any(|dst| self.wanted.contains(dst)),
        }
    }

    /// The route of each block.
    fn routes(&self) -> BTreeMap<BlockId, BlockRoute> {
        let mut routes: BTreeMap<BlockId, BlockRoute> = BTreeMap::new();
        let mut empty = BTreeSet::new();
        for (id, block) in self.function.blocks.enumerate() {
            let route: &mut BlockRoute = routes.entry(id).or_default();
            block.terminator.each_successor(|next| {
                route.insert(next, next);
            });
            if id != self.head && !block.statements.iter().any(|one| self.keeps(one)) {
                empty.insert(id);
            }
        }
        loop {
            let mut changed = false;
            for id in self.function.blocks.ids() {
                let mut route = routes[&id].clone();
                route.values_mut().for_each(|to| *to = skip_empty_blocks(&routes, &empty, *to));
                changed |= route != routes[&id];
                routes.insert(id, route);
            }
            if !changed {
                return routes;
            }
        }
    }

    fn sliced_program(&self, program: &Program, routes: &BTreeMap<BlockId, BlockRoute>) -> Program {
        Program {
            functions: [self.sliced_function(routes)].into_iter().collect(),
            ..program.clone()
        }
    }

    /// A variable that decides a branch in the place of one that is not wanted.
    fn stand_in_condition(
        &self,
        terminator: &Terminator,
        vars: &mut IdVec<VarId, LocalVar>,
    ) -> Option<VarId> {
        let all = operand_variables(|note| terminator.each_operand(note));
        let var = all.into_iter().find(|var| !self.wanted.contains(var))?;
        let ty = vars[var].ty;
        Some(vars.push(LocalVar { name: String::new(), ty, kind: VarKind::Temp }))
    }

    fn sliced_function(&self, routes: &BTreeMap<BlockId, BlockRoute>) -> Function {
        let mut vars = self.function.vars.clone();
        let mut numbers: BTreeMap<BlockId, BlockId> = BTreeMap::new();
        let mut order = Vec::new();
        let mut pending = vec![BlockId::from_index(0)];
        while let Some(id) = pending.pop() {
            if numbers.contains_key(&id) {
                continue;
            }
            numbers.insert(id, BlockId::from_index(order.len()));
            order.push(id);
            pending.extend(routes[&id].values().rev());
        }
        let blocks: IdVec<BlockId, Block> = order
            .iter()
            .map(|id| {
                let block = &self.function.blocks[*id];
                let kept = block.statements.iter().filter(|one| self.keeps(one));
                let mut statements: Vec<Statement> = kept.cloned().collect();
                let route = &routes[id];
                let terminator = match only_target(route) {
                    Some(to) => Terminator::Goto(numbers[&to]),
                    None => {
                        let instead = self.stand_in_condition(&block.terminator, &mut vars);
                        if let Some(dst) = instead {
                            let why = "what is left out of the loop".to_owned();
                            let instruction = Instruction::Unknown { dst, why };
                            statements.push(Statement { instruction, span: block.span });
                        }
                        redirect_terminator(&block.terminator, instead, |to| numbers[&route[&to]])
                    }
                };
                Block { statements, terminator, span: block.span }
            })
            .collect();
        Function { vars, blocks, ..self.function.clone() }
    }
}

/// The same jump to other blocks, decided by another variable if there is one.
fn redirect_terminator(
    terminator: &Terminator,
    instead: Option<VarId>,
    at: impl Fn(BlockId) -> BlockId,
) -> Terminator {
    let by = |operand: Operand| instead.map_or(operand, Operand::Var);
    match terminator {
        Terminator::Branch { condition, then, otherwise } => Terminator::Branch {
            condition: by(*condition),
            then: at(*then),
            otherwise: at(*otherwise),
        },
        Terminator::Switch { value, cases, default } => Terminator::Switch {
            value: by(*value),
            cases: cases.iter().map(|(case, next)| (*case, at(*next))).collect(),
            default: at(*default),
        },
        other => other.clone(),
    }
}

/// The block where control is when a block that does nothing is skipped, and all such blocks after it. A
/// circle of them is not skipped.
fn skip_empty_blocks(
    routes: &BTreeMap<BlockId, BlockRoute>,
    empty: &BTreeSet<BlockId>,
    from: BlockId,
) -> BlockId {
    let mut at = from;
    let mut seen = BTreeSet::new();
    while empty.contains(&at)
        && let Some(next) = only_target(&routes[&at])
    {
        if !seen.insert(at) {
            return from;
        }
        at = next;
    }
    at
}
