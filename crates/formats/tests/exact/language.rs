//! Random expressions that know what they mean and how each format writes them, and the steps that
//! a system has.

use std::collections::BTreeSet;

use ouro_model::transition::{TransitionEdge, TransitionSystem};
use ouro_term::{Assignment, Constant, TermEvaluator, TermOp};

use crate::random::Random;

/// An integer over variables that are called by number.
pub(crate) enum Int {
    Var(usize),
    Number(i64),
    Sum(Box<Int>, Box<Int>),
    Difference(Box<Int>, Box<Int>),
    Product(Box<Int>, Box<Int>),
    Negative(Box<Int>),
    /// Only in SMT-LIB: quotient and remainder by a constant.
    Quotient(Box<Int>, i64),
    Remainder(Box<Int>, i64),
    Either(Box<Cond>, Box<Int>, Box<Int>),
}

/// A condition.
pub(crate) enum Cond {
    Compare(&'static str, Int, Int),
    All(Vec<Cond>),
    Any(Vec<Cond>),
    Not(Box<Cond>),
    /// Some value of a variable between -3 and 3.
    Some(usize, Box<Cond>),
}

/// What may occur.
#[derive(Clone, Copy)]
pub(crate) struct Language<'l> {
    pub(crate) variables: &'l [usize],
    pub(crate) products: bool,
    pub(crate) smt: bool,
}

fn between(random: &mut Random, low: i64, high: i64) -> i64 {
    low + i64::try_from(random.below(usize::try_from(high - low + 1).unwrap())).unwrap()
}

pub(crate) fn int(random: &mut Random, language: Language, depth: usize) -> Int {
    let part = |random: &mut Random| Box::new(int(random, language, depth - 1));
    match if depth == 0 { random.below(3) } else { random.below(13) } {
        0 => Int::Number(between(random, -3, 3)),
        1 | 2 => Int::Var(language.variables[random.below(language.variables.len())]),
        3..=5 => Int::Sum(part(random), part(random)),
        6 | 7 => Int::Difference(part(random), part(random)),
        8 => Int::Negative(part(random)),
        9 if language.products => Int::Product(part(random), part(random)),
        10 if language.smt => Int::Quotient(part(random), between(random, 1, 3) * 2 - 3),
        11 if language.smt => Int::Remainder(part(random), between(random, 1, 3) * 2 - 3),
        12 if language.smt => {
            let condition = Box::new(cond(random, language, 1));
            Int::Either(condition, part(random), part(random))
        }
        _ => Int::Product(Box::new(Int::Number(between(random, -3, 3))), part(random)),
    }
}

pub(crate) fn cond(random: &mut Random, language: Language, depth: usize) -> Cond {
    let parts = |random: &mut Random| -> Vec<Cond> {
        (0..1 + random.below(3)).map(|_| cond(random, language, depth - 1)).collect()
    };
    match if depth == 0 { 0 } else { random.below(8) } {
        0..=3 => {
            let by = ["<", "<=", ">", ">=", "=", "=", "=", "!="][random.below(8)];
            Cond::Compare(by, int(random, language, 2), int(random, language, 1))
        }
        4 | 5 => Cond::All(parts(random)),
        6 => Cond::Any(parts(random)),
        _ => Cond::Not(Box::new(cond(random, language, depth - 1))),
    }
}

impl Int {
    pub(crate) fn value(&self, state: &mut [i64]) -> i64 {
        match self {
            Int::Var(at) => state[*at],
            Int::Number(number) => *number,
            Int::Sum(a, b) => a.value(state) + b.value(state),
            Int::Difference(a, b) => a.value(state) - b.value(state),
            Int::Product(a, b) => a.value(state) * b.value(state),
            Int::Negative(a) => -a.value(state),
            Int::Quotient(a, by) => a.value(state).div_euclid(*by),
            Int::Remainder(a, by) => a.value(state).rem_euclid(*by),
            Int::Either(c, a, b) => {
                if c.holds(state) {
                    a.value(state)
                } else {
                    b.value(state)
                }
            }
        }
    }

    pub(crate) fn smt(&self, names: &[&str]) -> String {
        match self {
            Int::Var(at) => names[*at].to_owned(),
            Int::Number(number) if *number < 0 && number % 2 == 0 => format!("(- {})", -number),
            Int::Number(number) => number.to_string(),
            Int::Sum(a, b) => format!("(+ {} {})", a.smt(names), b.smt(names)),
            Int::Difference(a, b) => format!("(- {} {})", a.smt(names), b.smt(names)),
            Int::Product(a, b) => format!("(* {} {})", a.smt(names), b.smt(names)),
            Int::Negative(a) => format!("(- {})", a.smt(names)),
            Int::Quotient(a, by) => format!("(div {} {by})", a.smt(names)),
            Int::Remainder(a, by) => format!("(mod {} {by})", a.smt(names)),
            Int::Either(c, a, b) => {
                format!("(ite {} {} {})", c.smt(names), a.smt(names), b.smt(names))
            }
        }
    }

    pub(crate) fn infix(&self, names: &[&str]) -> String {
        match self {
            Int::Var(at) => names[*at].to_owned(),
            Int::Number(number) => number.to_string(),
            Int::Sum(a, b) => format!("{} + {}", a.infix(names), b.infix(names)),
            Int::Difference(a, b) => format!("{} - ({})", a.infix(names), b.infix(names)),
            Int::Product(a, b) => format!("({}) * ({})", a.infix(names), b.infix(names)),
            Int::Negative(a) => format!("-({})", a.infix(names)),
            _ => unreachable!("only in SMT-LIB"),
        }
    }
}

impl Cond {
    pub(crate) fn holds(&self, state: &mut [i64]) -> bool {
        match self {
            Cond::Compare(by, a, b) => {
                let (a, b) = (a.value(state), b.value(state));
                match *by {
                    "<" => a < b,
                    "<=" => a <= b,
                    ">" => a > b,
                    ">=" => a >= b,
                    "=" => a == b,
                    _ => a != b,
                }
            }
            Cond::All(parts) => parts.iter().all(|part| part.holds(state)),
            Cond::Any(parts) => parts.iter().any(|part| part.holds(state)),
            Cond::Not(part) => !part.holds(state),
            Cond::Some(at, part) => (-3..=3).any(|value| {
                state[*at] = value;
                part.holds(state)
            }),
        }
    }

    pub(crate) fn smt(&self, names: &[&str]) -> String {
        let list = |parts: &[Cond]| parts.iter().map(|part| part.smt(names)).collect::<Vec<_>>();
        match self {
            Cond::Compare("!=", a, b) => format!("(distinct {} {})", a.smt(names), b.smt(names)),
            Cond::Compare(by, a, b) => format!("({by} {} {})", a.smt(names), b.smt(names)),
            Cond::All(parts) => format!("(and {})", list(parts).join(" ")),
            Cond::Any(parts) => format!("(or {})", list(parts).join(" ")),
            Cond::Not(part) => format!("(not {})", part.smt(names)),
            Cond::Some(at, part) => {
                let (name, part) = (names[*at], part.smt(names));
                format!("(exists (({name} Int)) (and (<= -3 {name}) (<= {name} 3) {part}))")
            }
        }
    }

    pub(crate) fn infix(&self, names: &[&str]) -> String {
        let list = |parts: &[Cond]| {
            parts.iter().map(|part| format!("({})", part.infix(names))).collect::<Vec<_>>()
        };
        match self {
            Cond::Compare(by, a, b) => format!("{} {by} {}", a.infix(names), b.infix(names)),
            Cond::All(parts) => list(parts).join(" && "),
            Cond::Any(parts) => list(parts).join(" || "),
            Cond::Not(part) => format!("!({})", part.infix(names)),
            Cond::Some(..) => unreachable!("only in SMT-LIB"),
        }
    }
}

/// The states after an edge from this one, with each choice between these bounds.
pub(crate) fn after(
    system: &TransitionSystem,
    edge: &TransitionEdge,
    before: &[i64],
    (low, high): (i64, i64),
) -> BTreeSet<Vec<i64>> {
    let terms = &system.terms;
    let symbol = |term| match terms.op(term) {
        TermOp::Symbol(id) => *id,
        _ => panic!("not a symbol"),
    };
    let mut found = BTreeSet::new();
    let mut picked = vec![low; edge.choices.len()];
    loop {
        let mut assignment = Assignment::new();
        for (variable, value) in system.variables.iter().zip(before) {
            assignment.set(symbol(variable.symbol), Constant::Int((*value).into()));
        }
        for (choice, value) in edge.choices.iter().zip(&picked) {
            assignment.set(symbol(*choice), Constant::Int((*value).into()));
        }
        let mut evaluator = TermEvaluator::new(terms, &assignment);
        if evaluator.evaluate_formula(edge.guard).unwrap() {
            let mut value = |term| match evaluator.evaluate_term(term) {
                Some(Constant::Int(value)) => i64::try_from(value).unwrap(),
                other => panic!("{other:?} is not an integer"),
            };
            found.insert(edge.update.iter().map(|term| value(*term)).collect());
        }
        let Some(at) = picked.iter().position(|value| *value < high) else { return found };
        picked[..at].fill(low);
        picked[at] += 1;
    }
}
