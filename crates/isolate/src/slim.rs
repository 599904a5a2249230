//! What decides whether a loop is left, without the rest.
//!
//! Wanted are the variables that conditions of jumps out of the loop depend on. Statements that write others
//! are left out. A branch whose ways meet again without having done anything is then no branch; one that is
//! still there decides what is done, so its condition is wanted as well. A cycle always has something that
//! decides whether it goes on, so no cycle is lost.
//!
//! What is left does everything that the loop does to the wanted variables, and perhaps more, since what a
//! statement that is left out assumes or leaves undefined ends no run any more.

use std::collections::{BTreeMap, BTreeSet};

use ouro_model::ids::Id as _;
use ouro_model::{
    Block, BlockId, Function, IdVec, Instruction, Operand, Program, Statement, Terminator, VarId,
};

/// The same program with what is wanted only. `head` stays a block of its own; `out` is where the loop
/// has been left.
pub(crate) fn slim(program: &Program, head: BlockId, out: BlockId) -> Program {
    let function = &program.functions[program.entry];
    let statements = function.blocks.iter().flat_map(|block| &block.statements);
    let assumed = statements.filter_map(|statement| match statement.instruction {
        Instruction::Assume { condition: Operand::Var(var) } => Some(var),
        _ => None,
    });
    let assumed = assumed.collect();
    let mut slim = Slim { function, head, assumed, wanted: BTreeSet::new() };
    for block in function.blocks.iter() {
        let mut leaves = false;
        block.terminator.each_successor(|to| leaves |= to == out);
        if leaves {
            slim.want(&block.terminator);
        }
    }
    let routes = loop {
        slim.close();
        let routes = slim.routes();
        let before = slim.wanted.len();
        for (block, route) in &routes {
            if only(route).is_none() {
                slim.want(&function.blocks[*block].terminator);
            }
        }
        if slim.wanted.len() == before {
            break routes;
        }
    };
    let made = slim.function(&routes);
    Program { functions: [made].into_iter().collect(), ..program.clone() }
}

/// Where control is when a block has gone to another and past blocks that do nothing.
type Route = BTreeMap<BlockId, BlockId>;

/// The only block that a route leads to, if there is one.
fn only(route: &Route) -> Option<BlockId> {
    let first = route.values().next()?;
    route.values().all(|to| to == first).then_some(*first)
}

struct Slim<'a> {
    function: &'a Function,
    head: BlockId,
    /// What is assumed to be true somewhere.
    assumed: BTreeSet<VarId>,
    wanted: BTreeSet<VarId>,
}

impl Slim<'_> {
    fn want(&mut self, terminator: &Terminator) {
        terminator.each_operand(|operand| {
            if let Operand::Var(var) = operand {
                self.wanted.insert(var);
            }
        });
    }

    /// Wants what the wanted is computed from, and what is assumed about wanted variables alone.
    fn close(&mut self) {
        loop {
            let before = self.wanted.len();
            for statement in self.function.blocks.iter().flat_map(|block| &block.statements) {
                let instruction = &statement.instruction;
                let mut read = BTreeSet::new();
                instruction.each_operand(|operand| {
                    if let Operand::Var(var) = operand {
                        read.insert(var);
                    }
                });
                if instruction.dsts().iter().any(|dst| self.wanted.contains(dst)) {
                    self.wanted.extend(read);
                } else if let Instruction::Compare { dst, .. } = instruction
                    && self.assumed.contains(dst)
                    && read.is_subset(&self.wanted)
                {
                    self.wanted.insert(*dst);
                }
            }
            if self.wanted.len() == before {
                return;
            }
        }
    }

    fn keeps(&self, statement: &Statement) -> bool {
        match &statement.instruction {
            Instruction::Assume { condition: Operand::Var(var) } => self.wanted.contains(var),
            // Anything that is known to be false ends the run.
            Instruction::Assume { .. } => true,
            other => other.dsts().iter().any(|dst| self.wanted.contains(dst)),
        }
    }

    /// The route of each block.
    fn routes(&self) -> BTreeMap<BlockId, Route> {
        let mut routes: BTreeMap<BlockId, Route> = BTreeMap::new();
        let mut empty = BTreeSet::new();
        for (id, block) in self.function.blocks.enumerate() {
            let route: &mut Route = routes.entry(id).or_default();
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
                route.values_mut().for_each(|to| *to = past(&routes, &empty, *to));
                changed |= route != routes[&id];
                routes.insert(id, route);
            }
            if !changed {
                return routes;
            }
        }
    }

    fn function(&self, routes: &BTreeMap<BlockId, Route>) -> Function {
        let mut numbers: BTreeMap<BlockId, BlockId> = BTreeMap::new();
        let mut order = Vec::new();
        let mut pending = vec![BlockId::at(0)];
        while let Some(id) = pending.pop() {
            if numbers.contains_key(&id) {
                continue;
            }
            numbers.insert(id, BlockId::at(order.len()));
            order.push(id);
            pending.extend(routes[&id].values().rev());
        }
        let blocks: IdVec<BlockId, Block> = order
            .iter()
            .map(|id| {
                let block = &self.function.blocks[*id];
                let statements = block.statements.iter().filter(|one| self.keeps(one));
                let route = &routes[id];
                Block {
                    statements: statements.cloned().collect(),
                    terminator: match only(route) {
                        Some(to) => Terminator::Goto(numbers[&to]),
                        None => redirected(&block.terminator, |to| numbers[&route[&to]]),
                    },
                    span: block.span,
                }
            })
            .collect();
        Function { blocks, ..self.function.clone() }
    }
}

fn redirected(terminator: &Terminator, at: impl Fn(BlockId) -> BlockId) -> Terminator {
    match terminator {
        Terminator::Branch { condition, then, otherwise } => {
            Terminator::Branch { condition: *condition, then: at(*then), otherwise: at(*otherwise) }
        }
        Terminator::Switch { value, cases, default } => Terminator::Switch {
            value: *value,
            cases: cases.iter().map(|(case, next)| (*case, at(*next))).collect(),
            default: at(*default),
        },
        other => other.clone(),
    }
}

/// The block where control is when a block that does nothing is skipped, and all such blocks after it. A
/// circle of them is not skipped.
fn past(routes: &BTreeMap<BlockId, Route>, empty: &BTreeSet<BlockId>, from: BlockId) -> BlockId {
    let mut at = from;
    let mut seen = BTreeSet::new();
    while empty.contains(&at)
        && let Some(next) = only(&routes[&at])
    {
        if !seen.insert(at) {
            return from;
        }
        at = next;
    }
    at
}
