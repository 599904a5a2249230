//! Every simplification is an equality: a built term has the value of the tree it was built from.

use rustc_hash::FxHashMap;

use super::tree::{
    RandomConstants, SYMBOLS, TermTree, TermTreeGenerator, fold_totally, symbol_name,
};
use crate::{Assignment, Constant, Sort, Term, TermEvaluator, TermOp, TermStore};

/// The value of a term with unspecified results chosen as in [`fold_totally`].
fn evaluate_totally(
    terms: &TermStore,
    term: Term,
    assignment: &Assignment,
    known: &mut FxHashMap<Term, Constant>,
) -> Constant {
    if let Some(value) = known.get(&term) {
        return value.clone();
    }
    let result = match terms.op(term) {
        TermOp::Symbol(id) => assignment.get(*id).expect("every symbol is assigned").clone(),
        op => {
            let args: Vec<Constant> = terms
                .args(term)
                .iter()
                .map(|arg| evaluate_totally(terms, *arg, assignment, known))
                .collect();
            fold_totally(op, &args)
        }
    };
    known.insert(term, result.clone());
    result
}

fn check_simplification(seed: u64, depth: u32) {
    let mut generator = TermTreeGenerator::new(seed);
    let sort = generator.random_sort();
    let tree = generator.random_tree(sort, depth);
    let mut terms = TermStore::new();
    let term = tree.build_term(&mut terms);
    assert_eq!(terms.sort(term), sort, "seed {seed}: {tree:?}");
    for round in 0..6 {
        let seed_of = |index: usize, sort: Sort| {
            symbol_name(index, sort)
                .bytes()
                .fold(seed * 7 + round, |h, b| h * 31 % 1_000_003 + u64::from(b))
        };
        let of = |index: usize, sort: Sort| {
            RandomConstants::new(seed_of(index, sort)).random_constant(sort)
        };
        let mut assignment = Assignment::new();
        assign_tree_symbols(&tree, &mut terms, &of, &mut assignment);
        let expected = tree.evaluate_tree(&of);
        let found = evaluate_totally(&terms, term, &assignment, &mut FxHashMap::default());
        assert_eq!(
            found,
            expected,
            "seed {seed}, round {round}\n  tree {tree:?}\n  term {}\n  with {assignment:?}",
            terms.display(term)
        );
        if let Some(evaluated) = TermEvaluator::new(&terms, &assignment).evaluate_term(term) {
            assert_eq!(evaluated, expected, "the evaluator differs, seed {seed}: {tree:?}");
        }
    }
}

fn assign_tree_symbols(
    tree: &TermTree,
    terms: &mut TermStore,
    of: &dyn Fn(usize, Sort) -> Constant,
    assignment: &mut Assignment,
) {
    match tree {
        TermTree::Leaf(index, sort) => {
            assert!(*index < SYMBOLS);
            terms.intern_symbol(&symbol_name(*index, *sort), *sort).unwrap();
            let id = terms.find_symbol(&symbol_name(*index, *sort)).unwrap();
            assignment.set(id, of(*index, *sort));
        }
        TermTree::Value(_) => {}
        TermTree::Apply(_, args) => {
            args.iter().for_each(|arg| assign_tree_symbols(arg, terms, of, assignment));
        }
    }
}

#[test]
fn shallow_terms_keep_their_value() {
    (0..60_000).for_each(|seed| check_simplification(seed, 2));
}

#[test]
fn middling_terms_keep_their_value() {
    (100_000..140_000).for_each(|seed| check_simplification(seed, 4));
}

#[test]
fn tall_terms_keep_their_value() {
    (200_000..205_000).for_each(|seed| check_simplification(seed, 7));
}

/// What construction made is already as simple as it gets: building it again changes nothing.
#[test]
fn simplification_is_idempotent() {
    for seed in 0..20_000 {
        let mut generator = TermTreeGenerator::new(seed);
        let sort = generator.random_sort();
        let tree = generator.random_tree(sort, 5);
        let mut terms = TermStore::new();
        tree.build_term(&mut terms);
        for index in 0..u32::try_from(terms.len()).unwrap() {
            let term = Term::from_index(index);
            let node = terms.node(term).clone();
            let again = terms.apply_operator(node.op, &node.args).unwrap();
            assert_eq!(
                again,
                term,
                "seed {seed}: {} becomes {}",
                terms.display(term),
                terms.display(again)
            );
        }
    }
}
