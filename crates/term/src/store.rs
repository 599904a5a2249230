//! The store: every distinct term once.

use std::sync::atomic::{AtomicU64, Ordering};

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::{IllSorted, Sort, TermOp};

/// A term: a handle into the [`TermStore`] that made it. Equal handles are equal terms.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Term(u32);

impl Term {
    /// The position in the store; smaller means built earlier, arguments before applications.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The term at a position that [`Term::index`] gave.
    pub fn from_index(index: u32) -> Term {
        Term(index)
    }
}

/// A free constant of a [`TermStore`] store.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SymbolId(pub u32);

/// What a symbol is called and what it ranges over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SymbolDeclaration {
    /// The name, unique in its store.
    pub name: String,
    /// The sort.
    pub sort: Sort,
}

/// An operator with its arguments.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TermNode {
    /// What is applied.
    pub op: TermOp,
    /// To what.
    pub args: SmallVec<[Term; 3]>,
}

/// Tells one [`TermStore`] store from every other of the process. Whoever remembers something under a
/// term's handle (a solver, a cache) remembers this too: the same handle means another term in
/// another store. A copied store is another store, because from then on each grows its own way.
#[derive(PartialEq, Eq, Hash, Debug)]
struct TermStoreId(u64);

impl Default for TermStoreId {
    fn default() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        TermStoreId(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

impl Clone for TermStoreId {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// All terms of one analysis, each once. Terms are never removed.
#[derive(Default, Clone, Debug)]
pub struct TermStore {
    id: TermStoreId,
    nodes: Vec<TermNode>,
    sorts: Vec<Sort>,
    index: FxHashMap<TermNode, Term>,
    symbols: Vec<SymbolDeclaration>,
    by_name: FxHashMap<String, SymbolId>,
}

impl TermStore {
    /// An empty store.
    pub fn new() -> Self {
        Self::default()
    }

    /// Which store this is.
    pub fn store_id(&self) -> u64 {
        self.id.0
    }

    /// How many distinct terms exist.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether no term has been built.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The operator and arguments of a term.
    pub fn node(&self, term: Term) -> &TermNode {
        &self.nodes[term.index()]
    }

    /// The operator of a term.
    pub fn op(&self, term: Term) -> &TermOp {
        &self.node(term).op
    }

    /// The arguments of a term.
    pub fn args(&self, term: Term) -> &[Term] {
        &self.node(term).args
    }

    /// The sort of a term.
    pub fn sort(&self, term: Term) -> Sort {
        self.sorts[term.index()]
    }

    /// The width of a bit-vector term; asking it of another term is a bug.
    pub fn width(&self, term: Term) -> u32 {
        self.sort(term).width().expect("a bit-vector")
    }

    /// The symbol with this name, made if it does not exist yet. `None` if it exists with another
    /// sort, or if the sort is a bit-vector that cannot be.
    pub fn intern_symbol(&mut self, name: &str, sort: Sort) -> Option<Term> {
        if sort.width().is_some_and(|width| !(1..=Sort::MAX_WIDTH).contains(&width)) {
            return None;
        }
        let id = match self.by_name.get(name) {
            Some(id) if self.symbols[id.0 as usize].sort == sort => *id,
            Some(_) => return None,
            None => {
                let id = SymbolId(u32::try_from(self.symbols.len()).expect("few symbols"));
                self.symbols.push(SymbolDeclaration { name: name.to_owned(), sort });
                self.by_name.insert(name.to_owned(), id);
                id
            }
        };
        Some(self.intern_application(TermOp::Symbol(id), SmallVec::new(), sort))
    }

    /// A new symbol whose name starts with `stem` and no other symbol has.
    pub fn fresh_symbol(&mut self, stem: &str, sort: Sort) -> Term {
        let mut number = self.symbols.len();
        loop {
            let name = format!("{stem}!{number}");
            if !self.by_name.contains_key(&name) {
                return self.intern_symbol(&name, sort).expect("a new name has no other sort");
            }
            number += 1;
        }
    }

    /// The symbol with this name, if any.
    pub fn find_symbol(&self, name: &str) -> Option<SymbolId> {
        self.by_name.get(name).copied()
    }

    /// Name and sort of a symbol.
    pub fn symbol_declaration(&self, id: SymbolId) -> &SymbolDeclaration {
        &self.symbols[id.0 as usize]
    }

    /// The term of a symbol.
    pub fn symbol_term(&mut self, id: SymbolId) -> Term {
        let sort = self.symbols[id.0 as usize].sort;
        self.intern_application(TermOp::Symbol(id), SmallVec::new(), sort)
    }

    /// How many symbols exist.
    pub fn symbol_count(&self) -> usize {
        self.symbols.len()
    }

    /// `op` applied to `args`, simplified; refused if the sorts do not fit.
    pub fn apply_operator(&mut self, op: TermOp, args: &[Term]) -> Result<Term, IllSorted> {
        if let TermOp::Symbol(id) = op {
            return Ok(self.symbol_term(id));
        }
        let sorts: SmallVec<[Sort; 4]> = args.iter().map(|a| self.sort(*a)).collect();
        match op.result_sort(&sorts) {
            Some(sort) => Ok(self.simplify_application(op, args, sort)),
            None => Err(IllSorted { op, sorts: sorts.to_vec() }),
        }
    }

    /// The term with exactly this operator and these arguments. Only the simplifier calls it.
    pub(crate) fn intern_application(
        &mut self,
        op: TermOp,
        args: SmallVec<[Term; 3]>,
        sort: Sort,
    ) -> Term {
        let node = TermNode { op, args };
        if let Some(term) = self.index.get(&node) {
            return *term;
        }
        let term = Term(u32::try_from(self.nodes.len()).expect("fewer than 2^32 terms"));
        self.nodes.push(node.clone());
        self.sorts.push(sort);
        self.index.insert(node, term);
        term
    }
}
