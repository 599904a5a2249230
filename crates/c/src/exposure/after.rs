//! What code may run after a call, and what it reads: only that matters of what the call changed.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::llvm::{BasicBlock, LlvmValue};

/// Who reads what, and who calls whom.
#[derive(Debug, Default)]
pub(super) struct CodeReads<'c> {
    /// Objects that a block reads.
    reads: HashMap<BasicBlock<'c>, BTreeSet<usize>>,
    callees: HashMap<BasicBlock<'c>, HashSet<LlvmValue<'c>>>,
    /// Blocks that call a function, and the functions that these are of.
    callers: HashMap<LlvmValue<'c>, HashSet<(LlvmValue<'c>, BasicBlock<'c>)>>,
    /// Functions that the library may call at any time.
    callbacks: HashSet<LlvmValue<'c>>,
}

impl<'c> CodeReads<'c> {
    pub(super) fn note_reads(&mut self, block: BasicBlock<'c>, objects: &BTreeSet<usize>) {
        self.reads.entry(block).or_default().extend(objects);
    }

    pub(super) fn note_call(
        &mut self,
        caller: LlvmValue<'c>,
        block: BasicBlock<'c>,
        called: LlvmValue<'c>,
    ) {
        self.callees.entry(block).or_default().insert(called);
        self.callers.entry(called).or_default().insert((caller, block));
    }

    pub(super) fn note_callback(&mut self, function: LlvmValue<'c>) {
        self.callbacks.insert(function);
    }

    /// Objects that some code reads.
    pub(super) fn all_reads(&self) -> BTreeSet<usize> {
        self.reads.values().flatten().copied().collect()
    }

    /// Whether one function may call another one.
    pub(super) fn may_call(&self, from: LlvmValue<'c>, to: LlvmValue<'c>) -> bool {
        let mut seen = HashSet::new();
        let mut open = vec![to];
        while let Some(function) = open.pop() {
            for (caller, _) in self.callers.get(&function).into_iter().flatten() {
                if *caller == from {
                    return true;
                }
                if seen.insert(*caller) {
                    open.push(*caller);
                }
            }
        }
        false
    }

    /// Objects that are read after a call in this block of this function: in what follows there, in what follows calls of
    /// the function, in what is called on the way, and in what may run at any time.
    pub(super) fn reads_after(
        &self,
        function: LlvmValue<'c>,
        block: BasicBlock<'c>,
    ) -> BTreeSet<usize> {
        let mut blocks = vec![block];
        let mut left = HashSet::from([function]);
        let mut leaving = vec![function];
        while let Some(function) = leaving.pop() {
            for (caller, block) in self.callers.get(&function).into_iter().flatten() {
                blocks.push(*block);
                if left.insert(*caller) {
                    leaving.push(*caller);
                }
            }
        }
        let mut entered = self.callbacks.clone();
        blocks.extend(entered.iter().flat_map(|callback| callback.blocks()));
        let mut seen = HashSet::new();
        let mut found = BTreeSet::new();
        while let Some(block) = blocks.pop() {
            if !seen.insert(block) {
                continue;
            }
            found.extend(self.reads.get(&block).into_iter().flatten());
            blocks.extend(block.terminator().into_iter().flat_map(LlvmValue::successors));
            for called in self.callees.get(&block).into_iter().flatten() {
                if entered.insert(*called) {
                    blocks.extend(called.blocks());
                }
            }
        }
        found
    }
}
