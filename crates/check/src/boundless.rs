//! Terms of a way, read as if signed integers had no bounds.
//!
//! A bit-vector is read as the signed number that it is, a term of sort `Int`. Where the way says of a sum,
//! difference or product that it does not overflow, the result is the mathematical one, also where the type
//! has no room for it; everything else that is done with bits gives a number of its type. A number that has
//! left its type and is then used as bits, as an unsigned number or in a wider type is *any* number there:
//! a bound would come back that C does not have. So is all that has no reading. Every run without overflow
//! is a run in this reading, and so is one that overflows and goes on with the mathematical result.

use ouro_term::{Op, Sort, Term, Terms, sign_extend};
use rustc_hash::FxHashMap;

/// Bit-vectors wider than this have no bounds here that matter.
const WIDEST: u32 = 64;

/// Reads terms over symbols.
#[derive(Default)]
pub(crate) struct Reading {
    /// Numbers that stand for bit-vectors in every reading: the parts of states.
    pub(crate) shared: FxHashMap<Term, Term>,
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

impl Reading {
    /// A reading of terms in which some sums and products do not overflow, as these conditions say.
    pub(crate) fn new(
        terms: &Terms,
        shared: &FxHashMap<Term, Term>,
        no_overflow: &[Term],
    ) -> Reading {
        let mut exact = FxHashMap::default();
        for (narrow, wide) in no_overflow.iter().filter_map(|one| widened(terms, *one)) {
            exact.entry(narrow).or_insert(wide);
        }
        Reading { shared: shared.clone(), exact, ..Reading::default() }
    }

    /// A reading of what is said about states: numbers are kept as they are.
    pub(crate) fn of_states(shared: &FxHashMap<Term, Term>) -> Reading {
        Reading { shared: shared.clone(), exactly: true, ..Reading::default() }
    }

    /// What is known of numbers that stand for something.
    pub(crate) fn known(self) -> Vec<Term> {
        self.known
    }

    /// A term of any sort.
    pub(crate) fn read(&mut self, terms: &mut Terms, term: Term) -> Term {
        match terms.sort(term) {
            Sort::Bool => self.truth(terms, term),
            Sort::Int | Sort::BitVec(_) => self.number(terms, term),
        }
    }

    /// A formula.
    fn truth(&mut self, terms: &mut Terms, term: Term) -> Term {
        let key = (term, self.exactly);
        if let Some(found) = self.truths.get(&key) {
            return *found;
        }
        let args = terms.args(term).to_vec();
        let read = match terms.op(term).clone() {
            Op::True | Op::False | Op::Symbol(_) => term,
            op @ (Op::Not
            | Op::And
            | Op::Or
            | Op::Ite
            | Op::Eq
            | Op::IntLe
            | Op::BvSle
            | Op::BvSlt) => {
                let args: Vec<Term> = args.iter().map(|arg| self.read(terms, *arg)).collect();
                match op {
                    Op::Not => terms.not(args[0]),
                    Op::And => terms.and_all(&args),
                    Op::Or => terms.or_all(&args),
                    Op::Ite => terms.ite(args[0], args[1], args[2]),
                    Op::Eq => terms.eq(args[0], args[1]),
                    Op::BvSlt => terms.int_lt(args[0], args[1]),
                    _ => terms.int_le(args[0], args[1]),
                }
            }
            op @ (Op::BvUle | Op::BvUlt) => {
                let (a, b) = (self.natural(terms, args[0]), self.natural(terms, args[1]));
                if op == Op::BvUle { terms.int_le(a, b) } else { terms.int_lt(a, b) }
            }
            _ => {
                self.is_vague = true;
                terms.fresh("any", Sort::Bool)
            }
        };
        self.truths.insert(key, read);
        read
    }

    /// A number.
    fn number(&mut self, terms: &mut Terms, term: Term) -> Term {
        let key = (term, self.exactly);
        if let Some(found) = self.numbers.get(&key) {
            return *found;
        }
        // What a sum is may be said in terms of itself: not again on the way.
        let read = match self.exact.remove(&term) {
            Some(wide) => {
                let before = std::mem::replace(&mut self.exactly, true);
                let read = self.number(terms, wide);
                self.exactly = before;
                self.exact.insert(term, wide);
                read
            }
            None => self.new_number(terms, term),
        };
        self.numbers.insert(key, read);
        read
    }

    fn new_number(&mut self, terms: &mut Terms, term: Term) -> Term {
        let args = terms.args(term).to_vec();
        let op = terms.op(term).clone();
        let Sort::BitVec(width) = terms.sort(term) else {
            return self.integer(terms, term, &op, &args);
        };
        match op {
            Op::Symbol(_) => match self.shared.get(&term) {
                Some(number) => *number,
                None => self.any(terms, width),
            },
            Op::Bv { value, .. } => terms.int(sign_extend(width, value)),
            Op::Ite => {
                let condition = self.truth(terms, args[0]);
                let (a, b) = (self.number(terms, args[1]), self.number(terms, args[2]));
                terms.ite(condition, a, b)
            }
            Op::BvAdd | Op::BvMul | Op::BvNeg => {
                let all: Vec<Term> = args.iter().map(|arg| self.number(terms, *arg)).collect();
                let result = match op {
                    Op::BvAdd => terms.apply(Op::IntAdd, &all).ok(),
                    Op::BvMul => terms.apply(Op::IntMul, &all).ok(),
                    _ => Some(terms.int_neg(all[0])),
                };
                match result {
                    Some(result) if fits(terms, term) => result,
                    Some(result) => self.around(terms, width, result),
                    None => self.vague(terms, width),
                }
            }
            Op::SignExtend(_) if self.exactly => self.number(terms, args[0]),
            Op::SignExtend(_) => self.of_type(terms, args[0]),
            Op::ZeroExtend(_) => self.natural(terms, args[0]),
            Op::BvNot => {
                let x = self.of_type(terms, args[0]);
                let (minus, one) = (terms.int_neg(x), terms.int(1));
                terms.int_sub(minus, one)
            }
            Op::BvSdiv | Op::BvSrem => match signed_constant(terms, args[1]) {
                Some(by) if by != 0 => {
                    let x = self.number(terms, args[0]);
                    toward_zero(terms, x, by, op == Op::BvSdiv)
                }
                Some(_) => self.vague(terms, width),
                None => {
                    let (x, y) = (self.number(terms, args[0]), self.number(terms, args[1]));
                    self.divided(terms, x, y, op == Op::BvSdiv)
                }
            },
            Op::BvUdiv | Op::BvUrem => match terms.as_bv(args[1]).and_then(as_signed) {
                Some(by) if by != 0 => {
                    let (x, by) = (self.natural(terms, args[0]), terms.int(by));
                    let result = match op {
                        Op::BvUdiv => terms.int_div(x, by),
                        _ => terms.int_mod(x, by),
                    };
                    self.signed(terms, width, result)
                }
                None if width <= WIDEST && terms.as_bv(args[1]).is_none() => {
                    let (x, y) = (self.natural(terms, args[0]), self.natural(terms, args[1]));
                    let result = self.divided(terms, x, y, op == Op::BvUdiv);
                    self.signed(terms, width, result)
                }
                _ => self.vague(terms, width),
            },
            Op::BvShl | Op::BvAshr | Op::BvLshr => {
                let count = terms.as_bv(args[1]).and_then(|count| u32::try_from(count).ok());
                let Some(count) = count.filter(|count| *count < width.min(WIDEST)) else {
                    return self.vague(terms, width);
                };
                let factor = terms.int(1_i128 << count);
                match op {
                    Op::BvShl => {
                        let x = self.of_type(terms, args[0]);
                        let result = terms.int_mul(x, factor);
                        self.within(terms, width, result)
                    }
                    // Rounds down: the divisor is positive.
                    Op::BvAshr => {
                        let x = self.number(terms, args[0]);
                        terms.int_div(x, factor)
                    }
                    _ => {
                        let x = self.natural(terms, args[0]);
                        let result = terms.int_div(x, factor);
                        self.signed(terms, width, result)
                    }
                }
            }
            Op::BvAnd | Op::BvOr | Op::BvXor if args.len() == 2 => {
                self.bits(terms, width, &op, args[0], args[1])
            }
            Op::Extract { low: 0, .. } => {
                let x = self.of_type(terms, args[0]);
                self.within(terms, width, x)
            }
            Op::IntToBv(_) => {
                let x = self.number(terms, args[0]);
                self.around(terms, width, x)
            }
            _ => self.vague(terms, width),
        }
    }

    /// A term that is an integer already.
    fn integer(&mut self, terms: &mut Terms, term: Term, op: &Op, args: &[Term]) -> Term {
        if let (Op::BvToNat, [bits]) = (op, args) {
            return self.natural(terms, *bits);
        }
        let args: Vec<Term> = args.iter().map(|arg| self.read(terms, *arg)).collect();
        match args.as_slice() {
            [] => term,
            args => match terms.apply(op.clone(), args) {
                Ok(read) => read,
                Err(_) => {
                    self.is_vague = true;
                    terms.fresh("any", Sort::Int)
                }
            },
        }
    }

    /// Some of the bits of two numbers: low bits are a remainder, of others only the size is known.
    fn bits(&mut self, terms: &mut Terms, width: u32, op: &Op, a: Term, b: Term) -> Term {
        let low = |terms: &Terms, term| {
            let mask = terms.as_bv(term).filter(|mask| mask & mask.wrapping_add(1) == 0)?;
            as_signed(mask).filter(|mask| width <= WIDEST && *mask < (1_i128 << (width - 1)) - 1)
        };
        for (value, mask) in [(a, b), (b, a)] {
            if let (Op::BvAnd, Some(mask)) = (op, low(terms, mask)) {
                // In two's complement for negative numbers, too.
                let (value, modulus) = (self.number(terms, value), terms.int(mask + 1));
                return terms.int_mod(value, modulus);
            }
        }
        let (x, y) = (self.natural(terms, a), self.natural(terms, b));
        self.is_vague = true;
        let some = terms.fresh("any", Sort::Int);
        let zero = terms.int(0);
        self.known.push(terms.int_le(zero, some));
        let sum = terms.apply(Op::IntAdd, &[x, y]);
        match (op, sum) {
            (Op::BvAnd, _) => {
                self.known.push(terms.int_le(some, x));
                self.known.push(terms.int_le(some, y));
            }
            (_, Ok(sum)) => self.known.push(terms.int_le(some, sum)),
            _ => {}
        }
        if *op == Op::BvOr {
            self.known.push(terms.int_le(x, some));
            self.known.push(terms.int_le(y, some));
        }
        self.signed(terms, width, some)
    }

    /// Quotient or remainder by a number that is not fixed, rounded toward zero: some number of which only that is
    /// known which is true of the result for all integers and loops end by. With `|r|` for its size, a remainder has
    /// `|r| <= |x|` and `|r| < |y|`, and it is 0 or has the sign of `x`. A quotient has `|q| <= |x|`, and
    /// `2 |q| <= |x|` if `|y|` is at least 2, and of natural numbers it is one. By zero it may be anything: such a run has ended, or is not restricted.
    /// The number is not one of a type: that would be a bound.
    fn divided(&mut self, terms: &mut Terms, x: Term, y: Term, quotient: bool) -> Term {
        self.is_vague = true;
        let result = terms.fresh("any", Sort::Int);
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
    fn any(&mut self, terms: &mut Terms, width: u32) -> Term {
        let any = terms.fresh("any", Sort::Int);
        let range = range(terms, width, any);
        self.known.push(range);
        any
    }

    /// Any number of a type, for what has no reading.
    fn vague(&mut self, terms: &mut Terms, width: u32) -> Term {
        self.is_vague = true;
        self.any(terms, width)
    }

    /// A number that is of its type, or any of it.
    fn within(&mut self, terms: &mut Terms, width: u32, number: Term) -> Term {
        let inside = range(terms, width, number);
        if terms.as_bool(inside) == Some(true) {
            return number;
        }
        let other = self.vague(terms, width);
        terms.ite(inside, number, other)
    }

    /// The same of a bit-vector.
    fn of_type(&mut self, terms: &mut Terms, term: Term) -> Term {
        let number = self.number(terms, term);
        match self.exactly {
            true => number,
            false => {
                let width = terms.width(term);
                self.within(terms, width, number)
            }
        }
    }

    /// A number that may have gone round its type once.
    fn around(&mut self, terms: &mut Terms, width: u32, number: Term) -> Term {
        if width > WIDEST {
            return self.within(terms, width, number);
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
        self.within(terms, width, back)
    }

    /// A bit-vector as a natural number.
    fn natural(&mut self, terms: &mut Terms, term: Term) -> Term {
        let width = terms.width(term);
        let number = self.number(terms, term);
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
        let any = terms.fresh("any", Sort::Int);
        let (below, above) = (terms.int_lt(any, turn), terms.int_le(zero, any));
        self.known.extend([below, above]);
        terms.ite(inside, natural, any)
    }

    /// The signed number with the bits of a natural one.
    fn signed(&mut self, terms: &mut Terms, width: u32, natural: Term) -> Term {
        self.around(terms, width, natural)
    }
}

/// That a number is one of a type.
pub(crate) fn range(terms: &mut Terms, width: u32, number: Term) -> Term {
    if width > WIDEST {
        return terms.bool(true);
    }
    let (least, most) =
        (terms.int(-(1_i128 << (width - 1))), terms.int((1_i128 << (width - 1)) - 1));
    let (above, below) = (terms.int_le(least, number), terms.int_le(number, most));
    terms.and(above, below)
}

/// Quotient toward zero, or the remainder that belongs to it.
fn toward_zero(terms: &mut Terms, x: Term, by: i128, quotient: bool) -> Term {
    let by = terms.int(by);
    let divide = |terms: &mut Terms, x| match quotient {
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

fn signed_constant(terms: &Terms, term: Term) -> Option<i128> {
    terms.as_bv(term).map(|bits| sign_extend(terms.width(term), bits))
}

fn as_signed(bits: u128) -> Option<i128> {
    i128::try_from(bits).ok()
}

/// The sum or product of which a condition says that it is as large as another, which has room for the exact
/// result: the machine asks for that where signed operations may not overflow.
fn widened(terms: &Terms, condition: Term) -> Option<(Term, Term)> {
    let (Op::Eq, &[a, b]) = (terms.op(condition), terms.args(condition)) else { return None };
    [(a, b), (b, a)].into_iter().find_map(|(extended, wide)| {
        let (Op::SignExtend(_), &[narrow]) = (terms.op(extended), terms.args(extended)) else {
            return None;
        };
        (is_sum(terms, narrow) && is_sum(terms, wide) && fits(terms, wide))
            .then_some((narrow, wide))
    })
}

/// How deep sums of sums are looked into.
const DEEPEST: u32 = 6;

/// Whether an operation on signed numbers cannot leave its width, whatever the operands are.
fn fits(terms: &Terms, term: Term) -> bool {
    extent(terms, term, DEEPEST).is_some_and(|extent| is_within(extent, terms.width(term)))
}

/// Whether all these numbers have room in so many bits.
fn is_within((least, most): (i128, i128), width: u32) -> bool {
    match width {
        128.. => true,
        width => least >= -(1 << (width - 1)) && most < 1 << (width - 1),
    }
}

/// Between which numbers the exact result of an operation is, by what its operands are.
fn extent(terms: &Terms, term: Term, depth: u32) -> Option<(i128, i128)> {
    let mut all = Vec::new();
    for arg in terms.args(term) {
        all.push(bounds(terms, *arg, depth)?);
    }
    match terms.op(term) {
        Op::BvAdd => all.into_iter().try_fold((0, 0), |a: (i128, i128), b| {
            Some((a.0.checked_add(b.0)?, a.1.checked_add(b.1)?))
        }),
        Op::BvMul => all.into_iter().try_fold((1, 1), products),
        Op::BvNeg => products(all[0], (-1, -1)),
        _ => None,
    }
}

/// Between which numbers a bit-vector is, by how it is made.
fn bounds(terms: &Terms, term: Term, depth: u32) -> Option<(i128, i128)> {
    let half = |width: u32| (width < 128).then(|| 1_i128 << (width - 1));
    let width = terms.width(term);
    let of_type = || half(width).map(|half| (-half, half - 1));
    match (terms.op(term), terms.args(term)) {
        (Op::Bv { value, .. }, _) => Some((sign_extend(width, *value), sign_extend(width, *value))),
        (Op::SignExtend(_), &[inner]) => half(terms.width(inner)).map(|half| (-half, half - 1)),
        (Op::ZeroExtend(_), &[inner]) if terms.width(inner) < width => {
            Some((0, half(terms.width(inner) + 1)? - 1))
        }
        (Op::BvAdd | Op::BvMul | Op::BvNeg, _) if depth > 0 => extent(terms, term, depth - 1)
            .filter(|extent| is_within(*extent, width))
            .or_else(of_type),
        _ => of_type(),
    }
}

fn is_sum(terms: &Terms, term: Term) -> bool {
    matches!(terms.op(term), Op::BvAdd | Op::BvMul | Op::BvNeg)
}

fn products(a: (i128, i128), b: (i128, i128)) -> Option<(i128, i128)> {
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
