//! Text: what is printed is read back as the same term, and nothing makes the parser fall over.

use super::tree::{RandomConstants, TermTreeGenerator};
use crate::{Sort, TermStore};

#[test]
fn random_terms_come_back_as_themselves() {
    for seed in 0..20_000 {
        let mut generator = TermTreeGenerator::new(seed);
        let sort = generator.random_sort();
        let tree = generator.random_tree(sort, 1 + u32::try_from(seed % 7).unwrap());
        let mut terms = TermStore::new();
        let term = tree.build_term(&mut terms);
        let text = terms.display(term).to_string();
        assert_eq!(terms.parse(&text), Ok(term), "seed {seed}: {text}");
        // Another store, in which the ages are others, says the same.
        let mut fresh = TermStore::new();
        for id in terms.symbols_of(term).into_iter().rev() {
            let symbol = terms.symbol_declaration(id).clone();
            fresh.intern_symbol(&symbol.name, symbol.sort).unwrap();
        }
        let copy = fresh.parse(&text).unwrap();
        assert_eq!(fresh.display(copy).to_string(), text, "seed {seed}");
    }
}

#[test]
fn any_name_can_be_a_symbol() {
    let mut terms = TermStore::new();
    for name in [
        "x", "", "a b", "|", "\\", "\\|\\", "let", "true", "_", "9lives", "ä\n\"", "?0", "and", ";",
    ] {
        let symbol = terms.intern_symbol(name, Sort::BitVec(8)).unwrap();
        let text = terms.display(symbol).to_string();
        assert_eq!(terms.parse(&text), Ok(symbol), "{text}");
    }
}

#[test]
fn shared_parts_are_printed_once() {
    let mut terms = TermStore::new();
    let mut term = terms.intern_symbol("?0", Sort::BitVec(8)).unwrap();
    let y = terms.intern_symbol("y", Sort::BitVec(8)).unwrap();
    for _ in 0..3 {
        let double = terms.bv_mul(term, term);
        term = terms.bv_xor(double, y);
    }
    assert_eq!(
        terms.display(term).to_string(),
        "(let ((??0 (bvxor y (bvmul ?0 ?0)))) \
         (let ((??1 (bvxor y (bvmul ??0 ??0)))) \
         (bvxor y (bvmul ??1 ??1))))"
    );
}

#[test]
fn what_people_write_is_understood() {
    let mut terms = TermStore::new();
    let x = terms.intern_symbol("x", Sort::BitVec(8)).unwrap();
    let i = terms.intern_symbol("i", Sort::Int).unwrap();
    let pairs = [
        ("(bvsub x #x01)", "(bvadd x (_ bv255 8))"),
        ("(bvugt x #x01) ; larger", "(bvult #x01 x)"),
        ("(let ((x (bvnot x)) (y x)) (bvand x y))", "(bvand x (bvnot x))"),
        ("(let ((x x)) (let ((x (bvneg x))) (bvneg x)))", "x"),
        ("(=> (< i 3) (>= i (- 3)))", "(or (<= 3 i) (<= (- 3) i))"),
        ("(distinct i (- i 1))", "(not (= i (+ i (* (- 1) i 0 1 1) (- 1) i (* (- 1) i))))"),
        ("(and)", "true"),
    ];
    for (left, right) in &pairs[..5] {
        assert_eq!(terms.parse(left), terms.parse(right), "{left}");
    }
    assert_eq!(terms.parse(pairs[6].0), terms.parse(pairs[6].1));
    assert!(terms.parse(pairs[5].0).is_ok());
    let named = terms.parse_with("(= a b)", |name| (name == "a").then_some(x));
    assert_eq!(named.unwrap_err().message, "there is no symbol b");
    let named = terms.parse_with("(= a a2)", |_| Some(i)).unwrap();
    assert_eq!(terms.as_bool(named), Some(true));
}

#[test]
fn refusals_say_where() {
    let mut terms = TermStore::new();
    terms.intern_symbol("x", Sort::BitVec(8)).unwrap();
    for (text, offset) in [
        ("", 0),
        ("(bvadd x", 8),
        ("(bvadd x y)", 9),
        ("(bvadd x true)", 1),
        ("(bvadd x)", 1),
        ("x x", 2),
        (")", 0),
        ("(frob x)", 1),
        ("#xgg", 0),
        ("#x", 0),
        ("(_ bv256 8)", 3),
        ("((_ extract 8 0) x)", 1),
        ("((_ zero_extend 4294967295) x)", 1),
        ("(let ((y x) y)", 12),
        ("|x", 0),
        ("()", 1),
        ("\u{1}", 0),
        ("#x000000000000000000000000000000000", 0),
    ] {
        let refused = terms.parse(text).unwrap_err();
        assert_eq!(refused.offset, offset, "{text}: {refused}");
    }
}

#[test]
fn mutilated_text_never_panics() {
    for seed in 0..30_000 {
        let mut generator = TermTreeGenerator::new(seed % 500);
        let sort = generator.random_sort();
        let tree = generator.random_tree(sort, 4);
        let mut terms = TermStore::new();
        let term = tree.build_term(&mut terms);
        let mut random = RandomConstants::new(seed + 1);
        let mut text: Vec<char> = terms.display(term).to_string().chars().collect();
        for _ in 0..=random.number_below(4) {
            let at = random.number_below(text.len() + 1);
            let noise: Vec<char> = random
                .pick(&[
                    "(",
                    ")",
                    "|",
                    "\\",
                    "#",
                    "x",
                    "99999999999",
                    "_ ",
                    "let ",
                    "é",
                    "",
                    "-",
                    "bv",
                    ";",
                    "\0",
                    "(_ ",
                ])
                .chars()
                .collect();
            let until = (at + random.number_below(3)).min(text.len());
            text.splice(at..until, noise);
        }
        let text: String = text.into_iter().collect();
        let _ = terms.parse(&text);
    }
}
