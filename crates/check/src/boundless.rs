//! Terms of a way, read as if signed integers had no bounds.
//!
//! A bit-vector is read as the signed number that it is, a term of sort `Int`. Where the way says of a sum,
//! difference or product that it does not overflow, the result is the mathematical one, also where the type
//! has no room for it; everything else that is done with bits gives a number of its type. A number that has
//! left its type and is then used as bits, as an unsigned number or in a wider type is *any* number there:
//! a bound would come back that C does not have. So is all that has no reading. Every run without overflow
//! is a run in this reading, and so is one that overflows and goes on with the mathematical result.

use ouro_term::{Sort, SymbolId, Term, TermOp, TermStore, sign_extend};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::limits::LIMITS;

/// Bit-vectors wider than this have no bounds here that matter.
const WIDEST: u32 = 64;
/// The width of an `int`.
const INT: u32 = 32;

/// Reads terms over symbols.
#[derive(Default)]
pub(crate) struct UnboundedReading {
    /// Numbers that stand for bit-vectors in every reading: the parts of states.
    pub(crate) shared: FxHashMap<Term, Term>,
    /// Symbols that stand for numbers without bounds.
    pub(crate) unbounded: FxHashSet<SymbolId>,
    /// Sums and products that do not overflow, and the wider ones that they are equal to then.
    exact: FxHashMap<Term, Term>,
    /// What is known of numbers that stand for something.
    known: Vec<Term>,
    /// Whether any number stands for what has no reading.
    pub(crate) is_vague: bool,
    /// Whether numbers that leave their type are kept as they are wherever they are used.
    exactly: bool,
    numbers: FxHashMap<(Term, bool), Term>,
    truths: FxHashMap<(Term, bool), Term>,
}

impl UnboundedReading {
    /// A reading of terms in which some sums and products do not overflow, as these conditions say.
    pub(crate) fn new(
        terms: &TermStore,
        shared: &FxHashMap<Term, Term>,
        no_overflow: &[Term],
    ) -> UnboundedReading {
        let mut exact = FxHashMap::default();
        for (narrow, wide) in no_overflow.iter().filter_map(|one| widened_operation(terms, *one)) {
            exact.entry(narrow).or_insert(wide);
        }
        UnboundedReading { shared: shared.clone(), exact, ..UnboundedReading::default() }
    }

    /// A reading of what is said about states: numbers are kept as they are.
    pub(crate) fn for_states(shared: &FxHashMap<Term, Term>) -> UnboundedReading {
        UnboundedReading { shared: shared.clone(), exactly: true, ..UnboundedReading::default() }
    }

    /// What is known of numbers that stand for something.
    pub(crate) fn known_facts(self) -> Vec<Term> {
        self.known
    }

    /// A term of any sort.
    pub(crate) fn read_term(&mut self, terms: &mut TermStore, term: Term) -> Term {
        match terms.sort(term) {
            Sort::Bool => self.read_formula(terms, term),
            Sort::Int | Sort::BitVec(_) => self.read_number(terms, term),
        }
    }

    /// A formula.
    fn read_formula(&mut self, terms: &mut TermStore, term: Term) -> Term {
        let key = (term, self.exactly);
        if let Some(found) = self.truths.get(&key) {
            return *found;
        }
        let args = terms.args(term).to_vec();
        let read = match terms.op(term).clone() {
            TermOp::True | TermOp::False | TermOp::Symbol(_) => term,
            op @ (TermOp::Not
            | TermOp::And
            | TermOp::Or
            | TermOp::Ite
            | TermOp::Eq
            | TermOp::IntLe
            | TermOp::BvSle
            | TermOp::BvSlt) => {
                let args: Vec<Term> = args.iter().map(|arg| self.read_term(terms, *arg)).collect();
                match op {
                    TermOp::Not => terms.not(args[0]),
                    TermOp::And => terms.and_all(&args),
                    TermOp::Or => terms.or_all(&args),
                    TermOp::Ite => terms.ite(args[0], args[1], args[2]),
                    TermOp::Eq => terms.eq(args[0], args[1]),
                    TermOp::BvSlt => terms.int_lt(args[0], args[1]),
                    _ => terms.int_le(args[0], args[1]),
                }
            }
            op @ (TermOp::BvUle | TermOp::BvUlt) => {
                let (a, b) = (self.read_natural(terms, args[0]), self.read_natural(terms, args[1]));
                if op == TermOp::BvUle { terms.int_le(a, b) } else { terms.int_lt(a, b) }
            }
            _ => {
                self.is_vague = true;
                terms.fresh_symbol("any", Sort::Bool)
            }
        };
        self.truths.insert(key, read);
        read
    }

    /// A number.
    fn read_number(&mut self, terms: &mut TermStore, term: Term) -> Term {
        let key = (term, self.exactly);
        if let Some(found) = self.numbers.get(&key) {
            return *found;
        }
        // What a sum is may be said in terms of itself: not again on the way.
        let read = match self.exact.remove(&term) {
            Some(wide) => {
                let before = std::mem::replace(&mut self.exactly, true);
                let read = self.read_number(terms, wide);
                self.exactly = before;
                self.exact.insert(term, wide);
                read
            }
            None => self.compute_number(terms, term),
        };
        self.numbers.insert(key, read);
        read
    }

    fn compute_number(&mut self, terms: &mut TermStore, term: Term) -> Term {
        let args = terms.args(term).to_vec();
        let op = terms.op(term).clone();
        let Sort::BitVec(width) = terms.sort(term) else {
            return self.read_integer(terms, term, &op, &args);
        };
        match op {
            TermOp::Symbol(id) => match self.shared.get(&term) {
                Some(number) => *number,
                // Only what is computed as an `int` or wider can overflow.
                None if width >= INT && self.unbounded.contains(&id) => {
                    terms.fresh_symbol("any", Sort::Int)
                }
                None => self.any_of_width(terms, width),
            },
            TermOp::Bv { value, .. } => terms.int(sign_extend(width, value)),
            TermOp::Ite => {
                let condition = self.read_formula(terms, args[0]);
                let (a, b) = (self.read_number(terms, args[1]), self.read_number(terms, args[2]));
                terms.ite(condition, a, b)
            }
            TermOp::BvAdd | TermOp::BvMul | TermOp::BvNeg => {
                let all: Vec<Term> = args.iter().map(|arg| self.read_number(terms, *arg)).collect();
                let result = match op {
                    TermOp::BvAdd => terms.apply_operator(TermOp::IntAdd, &all).ok(),
                    TermOp::BvMul => terms.apply_operator(TermOp::IntMul, &all).ok(),
                    _ => Some(terms.int_neg(all[0])),
                };
                match result {
                    Some(result) if cannot_overflow(terms, term) => result,
                    Some(result) => self.wrap_once(terms, width, result),
                    None => self.havoc_number(terms, width),
                }
            }
            TermOp::SignExtend(_) if self.exactly => self.read_number(terms, args[0]),
            TermOp::SignExtend(_) => self.number_in_range(terms, args[0]),
            TermOp::ZeroExtend(_) => self.read_natural(terms, args[0]),
            TermOp::BvNot => {
                let x = self.number_in_range(terms, args[0]);
                let (minus, one) = (terms.int_neg(x), terms.int(1));
                terms.int_sub(minus, one)
            }
            TermOp::BvSdiv | TermOp::BvSrem => match signed_constant(terms, args[1]) {
                Some(by) if by != 0 => {
                    let x = self.read_number(terms, args[0]);
                    divide_toward_zero(terms, x, by, op == TermOp::BvSdiv)
                }
                Some(_) => self.havoc_number(terms, width),
                None => {
                    let (x, y) =
                        (self.read_number(terms, args[0]), self.read_number(terms, args[1]));
                    self.divided(terms, x, y, op == TermOp::BvSdiv)
                }
            },
            TermOp::BvUdiv | TermOp::BvUrem => match terms.as_bv(args[1]).and_then(to_signed) {
                Some(by) if by != 0 => {
                    let (x, by) = (self.read_natural(terms, args[0]), terms.int(by));
                    let result = match op {
                        TermOp::BvUdiv => terms.int_div(x, by),
                        _ => terms.int_mod(x, by),
                    };
                    self.signed_from_natural(terms, width, result)
                }
                None if width <= WIDEST && terms.as_bv(args[1]).is_none() => {
                    let (x, y) =
                        (self.read_natural(terms, args[0]), self.read_natural(terms, args[1]));
                    let result = self.divided(terms, x, y, op == TermOp::BvUdiv);
                    self.signed_from_natural(terms, width, result)
                }
                _ => self.havoc_number(terms, width),
            },
            TermOp::BvShl | TermOp::BvAshr | TermOp::BvLshr => {
                let count = terms.as_bv(args[1]).and_then(|count| u32::try_from(count).ok());
                let Some(count) = count.filter(|count| *count < width.min(WIDEST)) else {
                    return self.havoc_number(terms, width);
                };
                let factor = terms.int(1_i128 << count);
                match op {
                    TermOp::BvShl => {
                        let x = self.number_in_range(terms, args[0]);
                        let result = terms.int_mul(x, factor);
                        self.in_range_or_any(terms, width, result)
                    }
                    // Rounds down: the divisor is positive.
                    TermOp::BvAshr => {
                        let x = self.read_number(terms, args[0]);
                        terms.int_div(x, factor)
                    }
                    _ => {
                        let x = self.read_natural(terms, args[0]);
                        let result = terms.int_div(x, factor);
                        self.signed_from_natural(terms, width, result)
                    }
                }
            }
            TermOp::BvAnd | TermOp::BvOr | TermOp::BvXor if args.len() == 2 => {
                self.read_bitwise(terms, width, &op, args[0], args[1])
            }
            TermOp::Extract { low: 0, .. } => {
                let x = self.number_in_range(terms, args[0]);
                self.in_range_or_any(terms, width, x)
            }
            TermOp::IntToBv(_) => {
                let x = self.read_number(terms, args[0]);
                self.wrap_once(terms, width, x)
            }
            _ => self.havoc_number(terms, width),
        }
    }

    /// A term that is an integer already.
    fn read_integer(
        &mut self,
        terms: &mut TermStore,
        term: Term,
        op: &TermOp,
        args: &[Term],
    ) -> Term {
        if let (TermOp::BvToNat, [bits]) = (op, args) {
            return self.read_natural(terms, *bits);
        }
        let args: Vec<Term> = args.iter().map(|arg| self.read_term(terms, *arg)).collect();
        match args.as_slice() {
            [] => term,
            args => match terms.apply_operator(op.clone(), args) {
                Ok(read) => read,
                Err(_) => {
                    self.is_vague = true;
                    terms.fresh_symbol("any", Sort::Int)
                }
            },
        }
    }

    /// Some of the bits of two numbers: low bits are a remainder, of others only the size is known.
    fn read_bitwise(
        &mut self,
        terms: &mut TermStore,
        width: u32,
        op: &TermOp,
        a: Term,
        b: Term,
    ) -> Term {
        let low = |terms: &TermStore, term| {
            let mask = terms.as_bv(term).filter(|mask| mask & mask.wrapping_add(1) == 0)?;
            to_signed(mask).filter(|mask| width <= WIDEST && *mask < (1_i128 << (width - 1)) - 1)
        };
        for (value, mask) in [(a, b), (b, a)] {
            if let (TermOp::BvAnd, Some(mask)) = (op, low(terms, mask)) {
                // In two's complement for negative numbers, too.
                let (value, modulus) = (self.read_number(terms, value), terms.int(mask + 1));
                return terms.int_mod(value, modulus);
            }
        }
        let (x, y) = (self.read_natural(terms, a), self.read_natural(terms, b));
        self.is_vague = true;
        let some = terms.fresh_symbol("any", Sort::Int);
        let zero = terms.int(0);
        self.known.push(terms.int_le(zero, some));
        let sum = terms.apply_operator(TermOp::IntAdd, &[x, y]);
        match (op, sum) {
            (TermOp::BvAnd, _) => {
                self.known.push(terms.int_le(some, x));
                self.known.push(terms.int_le(some, y));
            }
            (_, Ok(sum)) => self.known.push(terms.int_le(some, sum)),
            _ => {}
        }
        if *op == TermOp::BvOr {
            self.known.push(terms.int_le(x, some));
            self.known.push(terms.int_le(y, some));
        }
        self.signed_from_natural(terms, width, some)
    }

    /// Quotient or remainder by a number that is not fixed, rounded toward zero: some number of which only that is
    /// known which is true of the result for all integers and loops end by. With `|r|` for its size, a remainder has
    /// `|r| <= |x|` and `|r| < |y|`, and it is 0 or has the sign of `x`. A quotient has `|q| <= |x|`, and
    /// `2 |q| <= |x|` if `|y|` is at least 2, and of natural numbers it is one. By zero it may be anything: such a run has ended, or is not restricted.
    /// The number is not one of a type: that would be a bound.
    fn divided(&mut self, terms: &mut TermStore, x: Term, y: Term, quotient: bool) -> Term {
        self.is_vague = true;
        let result = terms.fresh_symbol("any", Sort::Int);
        let (zero, two) = (terms.int(0), terms.int(2));
        let [x_size, y_size, size] = [x, y, result].map(|number| {
            let (opposite, natural) = (terms.int_neg(number), terms.int_le(zero, number));
            terms.ite(natural, number, opposite)
        });
        let divided = {
            let by_zero = terms.eq(y, zero);
            terms.not(by_zero)
        };
        let mut facts = vec![terms.int_le(size, x_size)];
        if quotient {
            let double = terms.int_mul(two, size);
            let (large, half) = (terms.int_le(two, y_size), terms.int_le(double, x_size));
            facts.push(terms.implies(large, half));
            let (up, by_up) = (terms.int_le(zero, x), terms.int_le(zero, y));
            let (naturals, natural) = (terms.and(up, by_up), terms.int_le(zero, result));
            facts.push(terms.implies(naturals, natural));
        } else {
            facts.push(terms.int_lt(size, y_size));
            let (up, natural) = (terms.int_le(zero, x), terms.int_le(zero, result));
            facts.push(terms.implies(up, natural));
            let (down, opposite) = (terms.int_le(x, zero), terms.int_le(result, zero));
            facts.push(terms.implies(down, opposite));
        }
        let facts = terms.and_all(&facts);
        self.known.push(terms.implies(divided, facts));
        result
    }

    /// Any number of a type.
    fn any_of_width(&mut self, terms: &mut TermStore, width: u32) -> Term {
        let any = terms.fresh_symbol("any", Sort::Int);
        let range = type_range_condition(terms, width, any);
        self.known.push(range);
        any
    }

    /// Any number of a type, for what has no reading.
    fn havoc_number(&mut self, terms: &mut TermStore, width: u32) -> Term {
        self.is_vague = true;
        self.any_of_width(terms, width)
    }

    /// A number that is of its type, or any of it.
    fn in_range_or_any(&mut self, terms: &mut TermStore, width: u32, number: Term) -> Term {
        let inside = type_range_condition(terms, width, number);
        if terms.as_bool(inside) == Some(true) {
            return number;
        }
        let other = self.havoc_number(terms, width);
        terms.ite(inside, number, other)
    }

    /// The same of a bit-vector.
    fn number_in_range(&mut self, terms: &mut TermStore, term: Term) -> Term {
        let number = self.read_number(terms, term);
        match self.exactly {
            true => number,
            false => {
                let width = terms.width(term);
                self.in_range_or_any(terms, width, number)
            }
        }
    }

    /// A number that may have gone round its type once.
    fn wrap_once(&mut self, terms: &mut TermStore, width: u32, number: Term) -> Term {
        if width > WIDEST {
            return self.in_range_or_any(terms, width, number);
        }
        let (least, most) =
            (terms.int(-(1_i128 << (width - 1))), terms.int((1_i128 << (width - 1)) - 1));
        let turn = terms.int(1_i128 << width);
        let less = terms.int_sub(number, turn);
        let minus = terms.int_neg(turn);
        let more = terms.int_sub(number, minus);
        let (above, below) = (terms.int_lt(most, number), terms.int_lt(number, least));
        let low = terms.ite(below, more, number);
        let back = terms.ite(above, less, low);
        self.in_range_or_any(terms, width, back)
    }

    /// A bit-vector as a natural number.
    fn read_natural(&mut self, terms: &mut TermStore, term: Term) -> Term {
        let width = terms.width(term);
        let number = self.read_number(terms, term);
        if width > WIDEST {
            return number;
        }
        let (zero, turn) = (terms.int(0), terms.int(1_i128 << width));
        let minus = terms.int_neg(turn);
        let positive = terms.int_le(zero, number);
        let up = terms.int_sub(number, minus);
        let natural = terms.ite(positive, number, up);
        if self.exactly {
            return natural;
        }
        let (below, above) = (terms.int_lt(natural, turn), terms.int_le(zero, natural));
        let inside = terms.and(below, above);
        if terms.as_bool(inside) == Some(true) {
            return natural;
        }
        self.is_vague = true;
        let any = terms.fresh_symbol("any", Sort::Int);
        let (below, above) = (terms.int_lt(any, turn), terms.int_le(zero, any));
        self.known.extend([below, above]);
        terms.ite(inside, natural, any)
    }

    /// The signed number with the bits of a natural one.
    fn signed_from_natural(&mut self, terms: &mut TermStore, width: u32, natural: Term) -> Term {
        self.wrap_once(terms, width, natural)
    }
}

/// That a number is one of a type.
pub(crate) fn type_range_condition(terms: &mut TermStore, width: u32, number: Term) -> Term {
    if width > WIDEST {
        return terms.bool(true);
    }
    let (least, most) =
        (terms.int(-(1_i128 << (width - 1))), terms.int((1_i128 << (width - 1)) - 1));
    let (above, below) = (terms.int_le(least, number), terms.int_le(number, most));
    terms.and(above, below)
}

/// Quotient toward zero, or the remainder that belongs to it.
fn divide_toward_zero(terms: &mut TermStore, x: Term, by: i128, quotient: bool) -> Term {
    let by = terms.int(by);
    let divide = |terms: &mut TermStore, x| match quotient {
        true => terms.int_div(x, by),
        false => terms.int_mod(x, by),
    };
    let upward = divide(terms, x);
    let opposite = terms.int_neg(x);
    let downward = divide(terms, opposite);
    let downward = terms.int_neg(downward);
    let zero = terms.int(0);
    let natural = terms.int_le(zero, x);
    terms.ite(natural, upward, downward)
}

fn signed_constant(terms: &TermStore, term: Term) -> Option<i128> {
    terms.as_bv(term).map(|bits| sign_extend(terms.width(term), bits))
}

fn to_signed(bits: u128) -> Option<i128> {
    i128::try_from(bits).ok()
}

/// The sum or product of which a condition says that it is as large as another, which has room for the exact
/// result: the machine asks for that where signed operations may not overflow.
fn widened_operation(terms: &TermStore, condition: Term) -> Option<(Term, Term)> {
    let (TermOp::Eq, &[a, b]) = (terms.op(condition), terms.args(condition)) else { return None };
    [(a, b), (b, a)].into_iter().find_map(|(extended, wide)| {
        let (TermOp::SignExtend(_), &[narrow]) = (terms.op(extended), terms.args(extended)) else {
            return None;
        };
        (is_sum(terms, narrow) && is_sum(terms, wide) && cannot_overflow(terms, wide))
            .then_some((narrow, wide))
    })
}

/// Whether an operation on signed numbers cannot leave its width, whatever the operands are.
fn cannot_overflow(terms: &TermStore, term: Term) -> bool {
    operation_bounds(terms, term, LIMITS.nested_sums)
        .is_some_and(|extent| is_within(extent, terms.width(term)))
}

/// Whether all these numbers have room in so many bits.
fn is_within((least, most): (i128, i128), width: u32) -> bool {
    match width {
        128.. => true,
        width => least >= -(1 << (width - 1)) && most < 1 << (width - 1),
    }
}

/// Between which numbers the exact result of an operation is, by what its operands are.
fn operation_bounds(terms: &TermStore, term: Term, depth: u32) -> Option<(i128, i128)> {
    let mut all = Vec::new();
    for arg in terms.args(term) {
        all.push(bit_vector_bounds(terms, *arg, depth)?);
    }
    match terms.op(term) {
        TermOp::BvAdd => all.into_iter().try_fold((0, 0), |a: (i128, i128), b| {
            Some((a.0.checked_add(b.0)?, a.1.checked_add(b.1)?))
        }),
        TermOp::BvMul => all.into_iter().try_fold((1, 1), product_bounds),
        TermOp::BvNeg => product_bounds(all[0], (-1, -1)),
        _ => None,
    }
}

/// Between which numbers a bit-vector is, by how it is made.
fn bit_vector_bounds(terms: &TermStore, term: Term, depth: u32) -> Option<(i128, i128)> {
    let half = |width: u32| (width < 128).then(|| 1_i128 << (width - 1));
    let width = terms.width(term);
    let of_type = || half(width).map(|half| (-half, half - 1));
    match (terms.op(term), terms.args(term)) {
        (TermOp::Bv { value, .. }, _) => {
            Some((sign_extend(width, *value), sign_extend(width, *value)))
        }
        (TermOp::SignExtend(_), &[inner]) => half(terms.width(inner)).map(|half| (-half, half - 1)),
        (TermOp::ZeroExtend(_), &[inner]) if terms.width(inner) < width => {
            Some((0, half(terms.width(inner) + 1)? - 1))
        }
        (TermOp::BvAdd | TermOp::BvMul | TermOp::BvNeg, _) if depth > 0 => {
            operation_bounds(terms, term, depth - 1)
                .filter(|extent| is_within(*extent, width))
                .or_else(of_type)
        }
        _ => of_type(),
    }
}

fn is_sum(terms: &TermStore, term: Term) -> bool {
    matches!(terms.op(term), TermOp::BvAdd | TermOp::BvMul | TermOp::BvNeg)
}

fn product_bounds(a: (i128, i128), b: (i128, i128)) -> Option<(i128, i128)> {
    let all = [
        a.0.checked_mul(b.0)?,
        a.0.checked_mul(b.1)?,
        a.1.checked_mul(b.0)?,
        a.1.checked_mul(b.1)?,
    ];
    Some((*all.iter().min()?, *all.iter().max()?))
}

#[cfg(test)]
mod tests;
