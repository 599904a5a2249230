//! Loops that are behind code which the model does not cover, and so are not in the program.
//!
//! Whoever looks at each loop of a file has to know of them: a loop that is not there is not one that ends.

use std::collections::HashMap;

use ouro_model::flow::FunctionFlow;
use ouro_model::{BlockId, Function, Span, Terminator};

use crate::llvm::{BasicBlock, LlvmValue};
use crate::lower::LlvmLowering;

/// A loop of the source that the program does not have.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct LostLoop {
    /// The function that it is in.
    pub function: String,
    /// Where that function is.
    pub function_span: Span,
    /// Where it begins.
    pub span: Span,
    /// What in its function is not covered.
    pub because: String,
}

/// The loops of a function of LLVM that its translation does not have. `order` has each block after one of its
/// predecessors in a depth-first search, so where a block leads back to is the head of a loop; `placed` says where blocks
/// went.
pub(crate) fn find_lost_loops<'c>(
    program: &mut LlvmLowering<'c>,
    order: &[(BasicBlock<'c>, Vec<BasicBlock<'c>>)],
    translated: &Function,
    placed: &HashMap<BasicBlock<'c>, BlockId>,
) -> Vec<LostLoop> {
    let limit = translated.blocks.iter().find_map(|block| match &block.terminator {
        Terminator::Limit(what) => Some(what.clone()),
        _ => None,
    });
    let Some(because) = limit else { return Vec::new() };
    let number: HashMap<BasicBlock<'_>, usize> =
        order.iter().enumerate().map(|(number, (block, _))| (*block, number)).collect();
    let flow = FunctionFlow::of_function(translated);
    let mut lost = Vec::new();
    for (head, _) in order {
        let leads_back = |(block, next): &(BasicBlock<'_>, Vec<BasicBlock<'_>>)| {
            next.contains(head) && number[head] <= number[block]
        };
        let is_there = placed.get(head).is_some_and(|id| flow.is_loop_head(*id));
        if !is_there && order.iter().any(leads_back) {
            let place = head.instructions().into_iter().find_map(LlvmValue::debug_place);
            lost.push(LostLoop {
                function: translated.name.clone(),
                function_span: translated.span,
                span: match place {
                    Some(place) => program.source_span(Some(place), false),
                    None => translated.span,
                },
                because: because.clone(),
            });
        }
    }
    lost
}
