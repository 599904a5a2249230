//! Every simplification is an equality: a built term has the value of the tree it was built from.

use rustc_hash::FxHashMap;

use super::tree::{Generator, Random, SYMBOLS, Tree, name, total};
use crate::{Assignment, Constant, Evaluator, Op, Sort, Term, Terms};

/// The value of a term with unspecified results chosen as in [`total`].
fn value(
    terms: &Terms,
    term: Term,
    assignment: &Assignment,
    known: &mut FxHashMap<Term, Constant>,
) -> Constant {
    if let Some(value) = known.get(&term) {
        return value.clone();
    }
    let result = match terms.op(term) {
        Op::Symbol(id) => assignment.get(*id).expect("every symbol is assigned").clone(),
        op => {
            let args: Vec<Constant> =
                terms.args(term).iter().map(|arg| value(terms, *arg, assignment, known)).collect();
            total(op, &args)
        }
    };
    known.insert(term, result.clone());
    result
}

fn check(seed: u64, depth: u32) {
    let mut generator = Generator::new(seed);
    let sort = generator.sort();
    let tree = generator.tree(sort, depth);
    let mut terms = Terms::new();
    let term = tree.build(&mut terms);
    assert_eq!(terms.sort(term), sort, "seed {seed}: {tree:?}");
    for round in 0..6 {
        let seed_of = |index: usize, sort: Sort| {
            name(index, sort)
                .bytes()
                .fold(seed * 7 + round, |h, b| h * 31 % 1_000_003 + u64::from(b))
        };
        let of = |index: usize, sort: Sort| Random::new(seed_of(index, sort)).constant(sort);
        let mut assignment = Assignment::new();
        assign(&tree, &mut terms, &of, &mut assignment);
        let expected = tree.value(&of);
        let found = value(&terms, term, &assignment, &mut FxHashMap::default());
        assert_eq!(
            found,
            expected,
            "seed {seed}, round {round}\n  tree {tree:?}\n  term {}\n  with {assignment:?}",
            terms.display(term)
        );
        if let Some(evaluated) = Evaluator::new(&terms, &assignment).value(term) {
            assert_eq!(evaluated, expected, "the evaluator differs, seed {seed}: {tree:?}");
        }
    }
}

fn assign(
    tree: &Tree,
    terms: &mut Terms,
    of: &dyn Fn(usize, Sort) -> Constant,
    assignment: &mut Assignment,
) {
    match tree {
        Tree::Leaf(index, sort) => {
            assert!(*index < SYMBOLS);
            terms.symbol(&name(*index, *sort), *sort).unwrap();
            let id = terms.find_symbol(&name(*index, *sort)).unwrap();
            assignment.set(id, of(*index, *sort));
        }
        Tree::Value(_) => {}
        Tree::Apply(_, args) => args.iter().for_each(|arg| assign(arg, terms, of, assignment)),
    }
}

#[test]
fn shallow_terms_keep_their_value() {
    (0..60_000).for_each(|seed| check(seed, 2));
}

#[test]
fn middling_terms_keep_their_value() {
    (100_000..140_000).for_each(|seed| check(seed, 4));
}

#[test]
fn tall_terms_keep_their_value() {
    (200_000..205_000).for_each(|seed| check(seed, 7));
}

/// What construction made is already as simple as it gets: building it again changes nothing.
#[test]
fn simplification_is_idempotent() {
    for seed in 0..20_000 {
        let mut generator = Generator::new(seed);
        let sort = generator.sort();
        let tree = generator.tree(sort, 5);
        let mut terms = Terms::new();
        tree.build(&mut terms);
        for index in 0..u32::try_from(terms.len()).unwrap() {
            let term = Term::from_index(index);
            let node = terms.node(term).clone();
            let again = terms.apply(node.op, &node.args).unwrap();
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
