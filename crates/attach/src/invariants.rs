//! Candidates for invariants, and which of them an iteration keeps (Houdini).
//!
//! The candidates are what LOOPER tries (`x = n`, `x ≤ n`, `x ≥ n`, from the numbers that were seen), the
//! conditions of the path themselves, low bits that stay, and affine relations between two cells. Whatever
//! one iteration can break is dropped, until the rest is kept by all.

use std::time::{Duration, Instant};

use ouro_solver::{Answer, Limits, Session};
use ouro_term::{Assignment, Constant, Evaluator, Op, SymbolId, Term, Terms};
use rustc_hash::FxHashSet;

use crate::check::step;
use crate::iteration::Iteration;

/// The most cells for which relations are tried.
const RELATED: usize = 14;

/// Values of the cells at the head, seen one after the other.
pub(crate) type Seen = Vec<Vec<u64>>;

/// Cells that the conditions depend on, directly or through earlier iterations.
pub(crate) fn relevant(terms: &Terms, symbols: &[Term], iterations: &[Iteration]) -> Vec<usize> {
    let id = |symbol: Term| match terms.op(symbol) {
        Op::Symbol(id) => *id,
        _ => SymbolId(u32::MAX),
    };
    let mut found: FxHashSet<usize> = FxHashSet::default();
    let mut pending: Vec<Term> =
        iterations.iter().flat_map(|i| i.conditions.iter().map(|c| c.term)).collect();
    while let Some(term) = pending.pop() {
        for used in terms.symbols_of(term) {
            if let Some(at) = symbols.iter().position(|s| id(*s) == used)
                && found.insert(at)
            {
                pending.extend(iterations.iter().filter_map(|i| i.ends[at]));
            }
        }
    }
    let mut all: Vec<usize> = found.into_iter().collect();
    all.sort_unstable();
    all
}

/// Formulas that hold in every state seen.
pub(crate) fn candidates(
    terms: &mut Terms,
    symbols: &[Term],
    iterations: &[Iteration],
    seen: &Seen,
) -> Vec<Term> {
    let relevant = relevant(terms, symbols, iterations);
    let mut all: Vec<Term> = Vec::new();
    for iteration in iterations {
        all.extend(iteration.conditions.iter().map(|c| c.term));
    }
    for &at in &relevant {
        let (symbol, width) = (symbols[at], terms.width(symbols[at]));
        let first = u128::from(seen[0][at]);
        let number = terms.bv(width, first);
        all.push(terms.eq(symbol, number));
        all.push(terms.bv_ule(symbol, number));
        all.push(terms.bv_ule(number, symbol));
        all.push(terms.bv_sle(symbol, number));
        all.push(terms.bv_sle(number, symbol));
        let zero = terms.bv(width, 0);
        all.push(terms.bv_sle(zero, symbol));
        all.push(terms.ne(symbol, zero));
        for bits in [1, 2, 3, 4, 8, 16, 32] {
            if bits < width {
                let low = terms.truncate(bits, symbol);
                let same = terms.bv(bits, first);
                all.push(terms.eq(low, same));
                let high = terms.extract(width - 1, bits, symbol);
                let above = terms.bv(width - bits, first >> bits);
                all.push(terms.eq(high, above));
                if bits >= 8 {
                    for wide in [terms.zero_extend(width, low), terms.sign_extend(width, low)] {
                        all.push(terms.eq(symbol, wide));
                    }
                    all.push(terms.bv_ule(low, same));
                    all.push(terms.bv_ule(same, low));
                    all.push(terms.bv_sle(low, same));
                    all.push(terms.bv_sle(same, low));
                }
            }
        }
        // Values between the least and the greatest seen.
        let column = || seen.iter().map(|row| u128::from(row[at]));
        if let (Some(least), Some(most)) = (column().min(), column().max()) {
            let (least, most) = (terms.bv(width, least), terms.bv(width, most));
            all.push(terms.bv_ule(least, symbol));
            all.push(terms.bv_ule(symbol, most));
        }
        let mut distinct: Vec<u128> = column().collect();
        distinct.sort_unstable();
        distinct.dedup();
        if distinct.len() > 1 && distinct.len() <= 8 {
            let one_of: Vec<Term> = distinct
                .into_iter()
                .map(|value| {
                    let value = terms.bv(width, value);
                    terms.eq(symbol, value)
                })
                .collect();
            all.push(terms.or_all(&one_of));
        }
        if width == 64 && floats(terms, iterations) {
            all.push(terms.fp_le(number, symbol));
            all.push(terms.fp_le(symbol, number));
        }
    }
    if relevant.len() <= RELATED {
        for (i, &a) in relevant.iter().enumerate() {
            for &b in &relevant[i + 1..] {
                relations(terms, symbols, seen, a, b, &mut all);
            }
        }
    }
    all.sort_unstable();
    all.dedup();
    for row in seen {
        let assignment = assign(terms, symbols, row);
        let mut evaluator = Evaluator::new(terms, &assignment);
        all.retain(|candidate| evaluator.holds(*candidate) == Some(true));
    }
    all.retain(|candidate| terms.as_bool(*candidate).is_none());
    all
}

/// Relations between two cells: equal parts, a constant distance, `p x - q y` constant.
fn relations(
    terms: &mut Terms,
    symbols: &[Term],
    seen: &Seen,
    a: usize,
    b: usize,
    all: &mut Vec<Term>,
) {
    let (mut x, mut y, mut a, mut b) = (symbols[a], symbols[b], a, b);
    if terms.width(x) < terms.width(y) {
        (x, y, a, b) = (y, x, b, a);
    }
    let (wide, narrow) = (terms.width(x), terms.width(y));
    if narrow < 8 {
        return;
    }
    if wide > narrow {
        let low = terms.truncate(narrow, x);
        all.push(terms.eq(low, y));
        let zero = terms.zero_extend(wide, y);
        all.push(terms.eq(x, zero));
        let sign = terms.sign_extend(wide, y);
        all.push(terms.eq(x, sign));
        distance(terms, low, y, seen, a, b, all);
        return;
    }
    distance(terms, x, y, seen, a, b, all);
    for (less, more) in [(x, y), (y, x)] {
        all.push(terms.bv_ule(less, more));
        all.push(terms.bv_ult(less, more));
        all.push(terms.bv_sle(less, more));
        all.push(terms.bv_slt(less, more));
    }
    if let [first, second, ..] = &seen[..] {
        let p = second[b].wrapping_sub(first[b]);
        let q = second[a].wrapping_sub(first[a]);
        if p != 0 && q != 0 && p != q {
            let (p, q) = (terms.bv(wide, u128::from(p)), terms.bv(wide, u128::from(q)));
            let (u, v) = (terms.bv_mul(p, x), terms.bv_mul(q, y));
            let difference = terms.bv_sub(u, v);
            constant_at(terms, difference, x, y, first[a], first[b], all);
        }
    }
}

fn distance(
    terms: &mut Terms,
    x: Term,
    y: Term,
    seen: &Seen,
    a: usize,
    b: usize,
    all: &mut Vec<Term>,
) {
    let width = terms.width(x);
    let gap = terms.bv_sub(x, y);
    let value = u128::from(seen[0][a].wrapping_sub(seen[0][b]));
    let value = terms.bv(width, value);
    all.push(terms.eq(gap, value));
}

fn constant_at(
    terms: &mut Terms,
    term: Term,
    x: Term,
    y: Term,
    first: u64,
    second: u64,
    all: &mut Vec<Term>,
) {
    let mut assignment = Assignment::new();
    for (symbol, value) in [(x, first), (y, second)] {
        if let Op::Symbol(id) = terms.op(symbol) {
            let width = terms.width(symbol);
            assignment.set(*id, Constant::Bv { width, value: u128::from(value) });
        }
    }
    let value = Evaluator::new(terms, &assignment).value(term).and_then(|v| v.as_bv());
    if let Some(value) = value {
        let width = terms.width(term);
        let constant = terms.bv(width, value);
        all.push(terms.eq(term, constant));
    }
}

fn floats(terms: &Terms, iterations: &[Iteration]) -> bool {
    let mut pending: Vec<Term> = iterations
        .iter()
        .flat_map(|i| i.conditions.iter().map(|c| c.term).chain(i.ends.iter().flatten().copied()))
        .collect();
    let mut known: FxHashSet<Term> = FxHashSet::default();
    while let Some(term) = pending.pop() {
        if !known.insert(term) {
            continue;
        }
        if matches!(
            terms.op(term),
            Op::FpAdd | Op::FpSub | Op::FpMul | Op::FpLt | Op::FpLe | Op::FpIsNan
        ) {
            return true;
        }
        pending.extend(terms.args(term));
    }
    false
}

/// The cells' symbols with these values.
pub(crate) fn assign(terms: &Terms, symbols: &[Term], values: &[u64]) -> Assignment {
    let mut assignment = Assignment::new();
    for (symbol, value) in symbols.iter().zip(values) {
        if let Op::Symbol(id) = terms.op(*symbol) {
            let width = terms.width(*symbol);
            assignment.set(*id, Constant::Bv { width, value: u128::from(*value) });
        }
    }
    assignment
}

/// Drops candidates until every iteration keeps the rest.
pub(crate) fn kept(
    terms: &mut Terms,
    symbols: &[Term],
    iterations: &[Iteration],
    mut candidates: Vec<Term>,
    deadline: Instant,
) -> Option<Vec<Term>> {
    let limits =
        Limits { query: Duration::from_secs(3), deadline: Some(deadline), ..Limits::default() };
    let mut session = Session::new(limits);
    let maps: Vec<_> = iterations.iter().map(|i| step(terms, symbols, i)).collect();
    let guards: Vec<Vec<Term>> =
        iterations.iter().map(|i| i.conditions.iter().map(|c| c.term).collect()).collect();
    loop {
        let before = candidates.len();
        for (map, guard) in maps.iter().zip(&guards) {
            loop {
                if Instant::now() >= deadline {
                    return None;
                }
                let after: Vec<Term> =
                    candidates.iter().map(|c| terms.substitute(*c, map)).collect();
                // What is the same formula, or no formula at all, needs no solver.
                let open: Vec<usize> = (0..candidates.len())
                    .filter(|i| {
                        after[*i] != candidates[*i] && terms.as_bool(after[*i]) != Some(true)
                    })
                    .collect();
                let broken: Vec<Term> = open.iter().map(|i| terms.not(after[*i])).collect();
                let some_broken = terms.or_all(&broken);
                let mut formulas = candidates.clone();
                formulas.extend(guard);
                formulas.push(some_broken);
                match session.check(terms, &formulas) {
                    Answer::Unsat => break,
                    Answer::Sat(model) => {
                        let mut evaluator = Evaluator::new(terms, &model);
                        let count = candidates.len();
                        let mut i = 0;
                        candidates.retain(|_| {
                            i += 1;
                            evaluator.holds(after[i - 1]) == Some(true)
                        });
                        if candidates.len() == count {
                            return None;
                        }
                    }
                    Answer::Unknown(_) => {
                        // One by one: what cannot be decided goes.
                        let Some(&drop) = open.iter().find(|i| {
                            let mut formulas = candidates.clone();
                            formulas.extend(guard);
                            formulas.push(terms.not(after[**i]));
                            !session.check(terms, &formulas).is_unsat()
                        }) else {
                            break;
                        };
                        candidates.remove(drop);
                    }
                }
            }
        }
        if candidates.len() == before {
            return Some(candidates);
        }
    }
}
