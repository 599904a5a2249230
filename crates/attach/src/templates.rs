//! Candidates for invariants, in rounds: few and likely ones first.
//!
//! They are what LOOPER tries (`x = n`, `x ≤ n`, `x ≥ n`, from the numbers that were seen), the conditions of
//! the path themselves, then low bits that stay, and affine relations between two cells. Whether a candidate
//! about a float is kept is a hard question, and whether one about the bits of a float is kept is the
//! hardest; so of floats only bounds are tried at first, which suffice for a counter.

use ouro_term::{Assignment, Constant, SymbolId, Term, TermEvaluator, TermOp, TermStore};
use rustc_hash::FxHashSet;

use crate::invariants::{CellHistory, assign_cells, relevant_cells};
use crate::iteration::LoopIteration;
use crate::limits::LIMITS;

/// The candidates of a round, those of the earlier ones among them: formulas that hold in every state seen.
pub(crate) fn invariant_candidates(
    terms: &mut TermStore,
    symbols: &[Term],
    iterations: &[LoopIteration],
    seen: &CellHistory,
    round: usize,
) -> Vec<Term> {
    let relevant = relevant_cells(terms, symbols, iterations);
    let floats = symbols_under_floats(terms, iterations);
    let is_float = |terms: &TermStore, at: usize| matches!(terms.op(symbols[at]), TermOp::Symbol(id) if floats.contains(id));
    let mut all: Vec<Term> = Vec::new();
    for condition in iterations.iter().flat_map(|i| &i.conditions) {
        let about_floats = terms.symbols_of(condition.term).iter().any(|id| floats.contains(id));
        if round == 2 || !about_floats {
            all.push(condition.term);
        }
    }
    for &at in &relevant {
        let column: Vec<u64> = seen.iter().map(|row| row[at]).collect();
        let float = is_float(terms, at);
        if float && terms.width(symbols[at]) == 64 {
            let number = terms.bv(64, u128::from(column[0]));
            all.push(terms.fp_le(number, symbols[at]));
            all.push(terms.fp_le(symbols[at], number));
        }
        if round == 2 || !float {
            add_bounds(terms, symbols[at], &column, &mut all);
        }
        if round == 2 || round == 1 && !float {
            add_bit_patterns(terms, symbols[at], column[0], &mut all);
        }
    }
    if round > 0 && relevant.len() <= LIMITS.related_cells {
        for (i, &a) in relevant.iter().enumerate() {
            for &b in &relevant[i + 1..] {
                if round == 2 || !is_float(terms, a) && !is_float(terms, b) {
                    add_relations(terms, symbols, seen, a, b, &mut all);
                }
            }
        }
    }
    all.sort_unstable();
    all.dedup();
    for row in seen {
        let assignment = assign_cells(terms, symbols, row);
        let mut evaluator = TermEvaluator::new(terms, &assignment);
        all.retain(|candidate| evaluator.evaluate_formula(*candidate) == Some(true));
    }
    all.retain(|candidate| terms.as_bool(*candidate).is_none());
    all
}

/// `x = n`, `x ≤ n`, `x ≥ n` for the first value, and between the least and the greatest, and one of a few.
fn add_bounds(terms: &mut TermStore, symbol: Term, column: &[u64], all: &mut Vec<Term>) {
    let width = terms.width(symbol);
    let number = terms.bv(width, u128::from(column[0]));
    all.push(terms.eq(symbol, number));
    all.push(terms.bv_ule(symbol, number));
    all.push(terms.bv_ule(number, symbol));
    all.push(terms.bv_sle(symbol, number));
    all.push(terms.bv_sle(number, symbol));
    let zero = terms.bv(width, 0);
    all.push(terms.bv_sle(zero, symbol));
    all.push(terms.ne(symbol, zero));
    let mut distinct: Vec<u128> = column.iter().copied().map(u128::from).collect();
    distinct.sort_unstable();
    distinct.dedup();
    if let (Some(least), Some(most)) = (distinct.first(), distinct.last()) {
        let (least, most) = (terms.bv(width, *least), terms.bv(width, *most));
        all.push(terms.bv_ule(least, symbol));
        all.push(terms.bv_ule(symbol, most));
    }
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
}

/// Low and high bits that stay, and bounds of the low ones.
fn add_bit_patterns(terms: &mut TermStore, symbol: Term, first: u64, all: &mut Vec<Term>) {
    let (width, first) = (terms.width(symbol), u128::from(first));
    for bits in [1, 2, 3, 4, 8, 16, 32] {
        if bits >= width {
            break;
        }
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

/// Relations between two cells: equal parts, a constant distance, `p x - q y` constant.
fn add_relations(
    terms: &mut TermStore,
    symbols: &[Term],
    seen: &CellHistory,
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
        add_distance(terms, low, y, seen, a, b, all);
        return;
    }
    add_distance(terms, x, y, seen, a, b, all);
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
            add_constant_combination(terms, difference, x, y, first[a], first[b], all);
        }
    }
}

fn add_distance(
    terms: &mut TermStore,
    x: Term,
    y: Term,
    seen: &CellHistory,
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

fn add_constant_combination(
    terms: &mut TermStore,
    term: Term,
    x: Term,
    y: Term,
    first: u64,
    second: u64,
    all: &mut Vec<Term>,
) {
    let mut assignment = Assignment::new();
    for (symbol, value) in [(x, first), (y, second)] {
        if let TermOp::Symbol(id) = terms.op(symbol) {
            let width = terms.width(symbol);
            assignment.set(*id, Constant::Bv { width, value: u128::from(value) });
        }
    }
    let value = TermEvaluator::new(terms, &assignment).evaluate_term(term).and_then(|v| v.as_bv());
    if let Some(value) = value {
        let width = terms.width(term);
        let constant = terms.bv(width, value);
        all.push(terms.eq(term, constant));
    }
}

/// Symbols that floats are computed from or compared by.
fn symbols_under_floats(terms: &TermStore, iterations: &[LoopIteration]) -> FxHashSet<SymbolId> {
    let mut pending: Vec<Term> = iterations
        .iter()
        .flat_map(|i| i.conditions.iter().map(|c| c.term).chain(i.ends.iter().flatten().copied()))
        .collect();
    let mut known: FxHashSet<Term> = FxHashSet::default();
    let mut found = FxHashSet::default();
    while let Some(term) = pending.pop() {
        if !known.insert(term) {
            continue;
        }
        if matches!(
            terms.op(term),
            TermOp::FpAdd
                | TermOp::FpSub
                | TermOp::FpMul
                | TermOp::FpDiv
                | TermOp::FpSqrt
                | TermOp::FpEq
                | TermOp::FpLt
                | TermOp::FpLe
                | TermOp::FpIsNan
        ) {
            found.extend(terms.symbols_of(term));
        }
        pending.extend(terms.args(term));
    }
    found
}
