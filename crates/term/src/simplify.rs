//! What construction rewrites: constants fold, identities vanish, sums and slices take one shape.
//! Every rule is an equality of the theory; none looks further than two operators down, so that
//! building a term stays cheap.

use smallvec::{SmallVec, smallvec};

use crate::fold::fold;
use crate::{Constant, Op, Sort, Term, Terms, mask};

/// How many arguments a junction may have to be merged into one around it.
const FLAT_JUNCTION: usize = 16;

/// How many operations a slice is pushed through.
const NARROWING: u32 = 8;

impl Terms {
    /// The simplest known equal of `op(args)`; the sorts have been checked.
    pub(crate) fn simplified(&mut self, op: Op, args: &[Term], sort: Sort) -> Term {
        if !args.is_empty() {
            let constants: Option<SmallVec<[Constant; 3]>> =
                args.iter().map(|a| self.as_constant(*a)).collect();
            if let Some(value) = constants.and_then(|all| fold(&op, &all)) {
                return self.constant(value);
            }
        }
        match (&op, args) {
            (Op::And | Op::Or, _) => return self.junction(op, args),
            (Op::IntAdd, _) => return self.int_sum(args),
            (Op::IntMul, _) => return self.int_product(args),
            (Op::IntLe, [a, b]) => return self.int_at_most(*a, *b),
            _ => {}
        }
        if let Some(simpler) = self.rule(&op, args) {
            return simpler;
        }
        let mut args: SmallVec<[Term; 3]> = args.into();
        if commutes(&op) && args.len() == 2 && self.after(args[0], args[1]) {
            args.swap(0, 1);
        }
        self.intern(op, args, sort)
    }

    /// Operands of commutative operators are ordered by age, constants last.
    fn after(&self, a: Term, b: Term) -> bool {
        let rank = |t| (self.as_constant(t).is_some(), t);
        rank(a) > rank(b)
    }

    /// Nested junctions become one, but only small ones: a condition that grows by one conjunct at
    /// a time would otherwise be copied whole each time.
    fn junction(&mut self, op: Op, args: &[Term]) -> Term {
        let conjunction = op == Op::And;
        let mut flat: SmallVec<[Term; 3]> = smallvec![];
        for &arg in args {
            if self.as_bool(arg) == Some(conjunction) {
                continue;
            }
            if self.as_bool(arg) == Some(!conjunction) {
                return arg;
            }
            if *self.op(arg) == op && self.args(arg).len() <= FLAT_JUNCTION {
                flat.extend(self.args(arg).iter().copied());
            } else {
                flat.push(arg);
            }
        }
        flat.sort();
        flat.dedup();
        if flat.iter().any(|a| self.has_negation(*a, &flat)) {
            return self.bool(!conjunction);
        }
        let nested: SmallVec<[Term; 3]> =
            flat.iter().copied().filter(|a| *self.op(*a) == op).collect();
        for large in nested {
            let inside = self.args(large);
            if flat.iter().any(|a| self.has_negation(*a, inside))
                || inside.iter().any(|a| self.has_negation(*a, &flat))
            {
                return self.bool(!conjunction);
            }
            flat.retain(|a| inside.binary_search(a).is_err());
        }
        match flat.len() {
            0 => self.bool(conjunction),
            1 => flat[0],
            _ => self.intern(op, flat, Sort::Bool),
        }
    }

    /// Whether a term is the negation of one in a sorted list.
    fn has_negation(&self, a: Term, among: &[Term]) -> bool {
        *self.op(a) == Op::Not && among.binary_search(&self.args(a)[0]).is_ok()
    }

    fn rule(&mut self, op: &Op, args: &[Term]) -> Option<Term> {
        match (op, args) {
            (Op::Not, [a]) if *self.op(*a) == Op::Not => Some(self.args(*a)[0]),
            (Op::Eq, [a, b]) => self.equality(*a, *b),
            (Op::Ite, [c, a, b]) => self.choice(*c, *a, *b),
            (Op::BvNeg | Op::BvNot, [a]) if self.op(*a) == op => Some(self.args(*a)[0]),
            (Op::BvNeg, [a]) if *self.op(*a) == Op::BvAdd => {
                let (x, k) = (self.args(*a)[0], self.args(*a)[1]);
                let value = self.as_bv(k)?;
                let width = self.width(x);
                let negated = self.bv_neg(x);
                let constant = self.bv(width, value.wrapping_neg());
                Some(self.bv_add(negated, constant))
            }
            (Op::BvAdd, [a, b]) => self.sum(*a, *b),
            (
                Op::BvMul
                | Op::BvAnd
                | Op::BvOr
                | Op::BvXor
                | Op::BvShl
                | Op::BvLshr
                | Op::BvAshr
                | Op::BvUdiv
                | Op::BvSdiv
                | Op::BvUrem,
                [a, b],
            ) => self.bitwise(op, *a, *b),
            (Op::BvUlt | Op::BvSlt, [a, b]) if a == b => Some(self.bool(false)),
            (Op::BvUle | Op::BvSle, [a, b]) if a == b => Some(self.bool(true)),
            (Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle, [a, b]) => self.comparison(op, *a, *b),
            (Op::Extract { high, low }, [a]) => self.slice(*high, *low, *a),
            (Op::ZeroExtend(to) | Op::SignExtend(to), [a]) if self.width(*a) == *to => Some(*a),
            (Op::ZeroExtend(to), [a]) if matches!(self.op(*a), Op::ZeroExtend(_)) => {
                let inner = self.args(*a)[0];
                Some(self.zero_extend(*to, inner))
            }
            // A value widened with zeros has a zero sign bit.
            (Op::SignExtend(to), [a]) if matches!(self.op(*a), Op::ZeroExtend(_)) => {
                let inner = self.args(*a)[0];
                Some(self.zero_extend(*to, inner))
            }
            (Op::SignExtend(to), [a]) if matches!(self.op(*a), Op::SignExtend(_)) => {
                let inner = self.args(*a)[0];
                Some(self.sign_extend(*to, inner))
            }
            (Op::ZeroExtend(_) | Op::SignExtend(_), [a]) if self.is_constant_choice(*a) => {
                let (c, x, y) = self.choice_parts(*a);
                let x = self.apply(op.clone(), &[x]).ok()?;
                let y = self.apply(op.clone(), &[y]).ok()?;
                Some(self.ite(c, x, y))
            }
            (Op::Concat, [a, b]) => self.joined(*a, *b),
            (Op::IntDiv, [a, b]) => self.int_quotient(*a, *b),
            (Op::IntMod, [a, b]) => self.int_remainder(*a, *b),
            _ => None,
        }
    }

    pub(crate) fn is_constant_choice(&self, a: Term) -> bool {
        *self.op(a) == Op::Ite && self.args(a)[1..].iter().all(|x| self.as_constant(*x).is_some())
    }

    pub(crate) fn choice_parts(&self, a: Term) -> (Term, Term, Term) {
        let args = self.args(a);
        (args[0], args[1], args[2])
    }

    fn equality(&mut self, a: Term, b: Term) -> Option<Term> {
        if a == b {
            return Some(self.bool(true));
        }
        let (a, b) = if self.as_constant(a).is_some() { (b, a) } else { (a, b) };
        if self.sort(a) == Sort::Int {
            return match self.int_equation(a, b) {
                Err(truth) => Some(self.bool(truth)),
                Ok((x, y)) if (x, y) == (a, b) || (y, x) == (a, b) => self.equal_choice(a, b),
                Ok((x, y)) => Some(self.eq(x, y)),
            };
        }
        if let Some(value) = self.as_bool(b) {
            return Some(if value { a } else { self.not(a) });
        }
        self.as_constant(b)?;
        match self.op(a).clone() {
            Op::Ite => self.equal_choice(a, b),
            Op::ZeroExtend(_) | Op::SignExtend(_) => {
                let inner = self.args(a)[0];
                let width = self.width(inner);
                let value = self.as_bv(b)?;
                let low = self.bv(width, value);
                let op = self.op(a).clone();
                let back = self.apply(op, &[low]).ok()?;
                Some(if back == b { self.eq(inner, low) } else { self.bool(false) })
            }
            Op::BvAdd => {
                let (x, k) = (self.args(a)[0], self.args(a)[1]);
                let (k, value) = (self.as_bv(k)?, self.as_bv(b)?);
                let width = self.width(x);
                let rest = self.bv(width, value.wrapping_sub(k));
                Some(self.eq(x, rest))
            }
            Op::BvXor => {
                let (x, k) = (self.args(a)[0], self.args(a)[1]);
                let (k, value) = (self.as_bv(k)?, self.as_bv(b)?);
                let width = self.width(x);
                let rest = self.bv(width, value ^ k);
                Some(self.eq(x, rest))
            }
            Op::BvNeg => {
                let x = self.args(a)[0];
                let rest = self.bv_neg(b);
                Some(self.eq(x, rest))
            }
            _ => None,
        }
    }

    /// Whether a choice between constants is a constant.
    fn equal_choice(&mut self, a: Term, b: Term) -> Option<Term> {
        if self.as_constant(b).is_none() || !self.is_constant_choice(a) {
            return None;
        }
        let (c, x, y) = self.choice_parts(a);
        Some(match (x == b, y == b) {
            (true, true) => self.bool(true),
            (true, false) => c,
            (false, true) => self.not(c),
            (false, false) => self.bool(false),
        })
    }

    fn choice(&mut self, c: Term, a: Term, b: Term) -> Option<Term> {
        if a == b {
            return Some(a);
        }
        match self.as_bool(c) {
            Some(true) => return Some(a),
            Some(false) => return Some(b),
            None => {}
        }
        if *self.op(c) == Op::Not {
            let inner = self.args(c)[0];
            return Some(self.ite(inner, b, a));
        }
        match (self.as_bool(a), self.as_bool(b)) {
            (Some(true), Some(false)) => Some(c),
            (Some(false), Some(true)) => Some(self.not(c)),
            (Some(true), None) => Some(self.or(c, b)),
            (None, Some(false)) => Some(self.and(c, a)),
            (Some(false), None) => {
                let not_c = self.not(c);
                Some(self.and(not_c, b))
            }
            (None, Some(true)) => {
                let not_c = self.not(c);
                Some(self.or(not_c, a))
            }
            _ => None,
        }
    }

    /// Sums keep their constant last and in one piece: `(x + 2) + 3` is `x + 5`.
    fn sum(&mut self, a: Term, b: Term) -> Option<Term> {
        let (a, b) = if self.as_constant(a).is_some() { (b, a) } else { (a, b) };
        let width = self.width(a);
        if let Some(k) = self.as_bv(b) {
            if k == 0 {
                return Some(a);
            }
            if *self.op(a) == Op::BvAdd
                && let Some(inner) = self.as_bv(self.args(a)[1])
            {
                let x = self.args(a)[0];
                let total = self.bv(width, k.wrapping_add(inner));
                return Some(self.bv_add(x, total));
            }
            return None;
        }
        for (x, y) in [(a, b), (b, a)] {
            if *self.op(x) == Op::BvNeg && self.args(x)[0] == y {
                return Some(self.bv(width, 0));
            }
            if *self.op(x) == Op::BvAdd && self.as_bv(self.args(x)[1]).is_some() {
                let (inner, k) = (self.args(x)[0], self.args(x)[1]);
                let rest = self.bv_add(inner, y);
                return Some(self.bv_add(rest, k));
            }
        }
        // (p + q) + -p is q: what pointer differences come to.
        for (x, y) in [(a, b), (b, a)] {
            if *self.op(x) == Op::BvAdd {
                let (p, q) = (self.args(x)[0], self.args(x)[1]);
                let negated = self.bv_neg(y);
                if negated == p {
                    return Some(q);
                }
                if negated == q {
                    return Some(p);
                }
            }
        }
        None
    }

    fn bitwise(&mut self, op: &Op, a: Term, b: Term) -> Option<Term> {
        let width = self.width(a);
        let commutative = commutes(op);
        let (a, b) = if commutative && self.as_constant(a).is_some() { (b, a) } else { (a, b) };
        if a == b {
            return match op {
                Op::BvAnd | Op::BvOr => Some(a),
                Op::BvXor => Some(self.bv(width, 0)),
                _ => None,
            };
        }
        let k = self.as_bv(b)?;
        match (op, k) {
            (Op::BvMul | Op::BvAnd, 0) => Some(b),
            (Op::BvMul | Op::BvUdiv, 1) => Some(a),
            (Op::BvSdiv, 1) if width > 1 => Some(a),
            (Op::BvUrem, 1) => Some(self.bv(width, 0)),
            (Op::BvOr | Op::BvXor | Op::BvShl | Op::BvLshr | Op::BvAshr, 0) => Some(a),
            (Op::BvAnd, k) if k == mask(width) => Some(a),
            (Op::BvOr, k) if k == mask(width) => Some(b),
            // A mask of low bits is a slice: memory and bit-fields make many.
            (Op::BvAnd, k) if (k & k.wrapping_add(1)) == 0 => {
                let bits = 128 - k.leading_zeros();
                let low = self.truncate(bits, a);
                Some(self.zero_extend(width, low))
            }
            _ => None,
        }
    }

    fn comparison(&mut self, op: &Op, a: Term, b: Term) -> Option<Term> {
        let width = self.width(a);
        let (least, most) = match op {
            Op::BvUlt | Op::BvUle => (0, mask(width)),
            _ => (1u128 << (width - 1), mask(width) >> 1),
        };
        let (left, right) = (self.as_bv(a), self.as_bv(b));
        match op {
            Op::BvUlt | Op::BvSlt if right == Some(least) || left == Some(most) => {
                return Some(self.bool(false));
            }
            Op::BvUle | Op::BvSle if left == Some(least) || right == Some(most) => {
                return Some(self.bool(true));
            }
            _ => {}
        }
        // Comparing a choice between constants with a constant is a question about the choice.
        for (x, y, flipped) in [(a, b, false), (b, a, true)] {
            if self.as_constant(y).is_some() && self.is_constant_choice(x) {
                let (c, p, q) = self.choice_parts(x);
                let compare = |terms: &mut Terms, p| {
                    let args = if flipped { [y, p] } else { [p, y] };
                    terms.apply(op.clone(), &args).ok()
                };
                let p = compare(self, p)?;
                let q = compare(self, q)?;
                return Some(self.ite(c, p, q));
            }
        }
        None
    }

    fn slice(&mut self, high: u32, low: u32, a: Term) -> Option<Term> {
        let width = self.width(a);
        if low == 0 && high == width - 1 {
            return Some(a);
        }
        match self.op(a).clone() {
            Op::Extract { low: inner, .. } => {
                let x = self.args(a)[0];
                Some(self.extract(high + inner, low + inner, x))
            }
            Op::ZeroExtend(_) | Op::SignExtend(_) => {
                let x = self.args(a)[0];
                let inner = self.width(x);
                if high < inner {
                    Some(self.extract(high, low, x))
                } else if low >= inner && matches!(self.op(a), Op::ZeroExtend(_)) {
                    Some(self.bv(high - low + 1, 0))
                } else if low == 0 {
                    let op = self.op(a).clone();
                    let shorter = match op {
                        Op::ZeroExtend(_) => Op::ZeroExtend(high + 1),
                        _ => Op::SignExtend(high + 1),
                    };
                    self.apply(shorter, &[x]).ok()
                } else {
                    None
                }
            }
            Op::Concat => {
                let (x, y) = (self.args(a)[0], self.args(a)[1]);
                let split = self.width(y);
                if high < split {
                    Some(self.extract(high, low, y))
                } else if low >= split {
                    Some(self.extract(high - split, low - split, x))
                } else {
                    None
                }
            }
            Op::Ite if self.is_constant_choice(a) => {
                let (c, x, y) = self.choice_parts(a);
                let x = self.extract(high, low, x);
                let y = self.extract(high, low, y);
                Some(self.ite(c, x, y))
            }
            op if is_modular(&op) && low == 0 => {
                let (x, y) = (self.args(a)[0], self.args(a)[1]);
                let mut fuel = NARROWING;
                let x = self.narrow(high + 1, x, &mut fuel)?;
                let y = self.narrow(high + 1, y, &mut fuel)?;
                self.apply(op, &[x, y]).ok()
            }
            _ => None,
        }
    }

    /// The low bits of a term, if they can be had without slicing a symbol or an operation. C's
    /// promotions make such terms: `(char) (a + b)` widens, adds and cuts off.
    ///
    /// It stops after a few operations: a long sum would else be rebuilt, and a shared one
    /// repeatedly, for each slice of it.
    fn narrow(&mut self, bits: u32, a: Term, fuel: &mut u32) -> Option<Term> {
        match self.op(a).clone() {
            Op::Bv { value, .. } => Some(self.bv(bits, value)),
            Op::ZeroExtend(_) | Op::SignExtend(_) | Op::Extract { .. } => {
                Some(self.truncate(bits, a))
            }
            Op::Concat if bits <= self.width(self.args(a)[1]) => Some(self.truncate(bits, a)),
            Op::Ite if self.is_constant_choice(a) => Some(self.truncate(bits, a)),
            op if is_modular(&op) => {
                *fuel = fuel.checked_sub(1)?;
                let (x, y) = (self.args(a)[0], self.args(a)[1]);
                let x = self.narrow(bits, x, fuel)?;
                let y = self.narrow(bits, y, fuel)?;
                self.apply(op, &[x, y]).ok()
            }
            _ => None,
        }
    }

    /// Adjacent slices of one term are one slice; a zero on top is an extension.
    fn joined(&mut self, a: Term, b: Term) -> Option<Term> {
        if let (Op::Extract { high, low }, Op::Extract { high: below, low: bottom }) =
            (self.op(a).clone(), self.op(b).clone())
            && self.args(a)[0] == self.args(b)[0]
            && low == below + 1
        {
            let x = self.args(a)[0];
            return Some(self.extract(high, bottom, x));
        }
        if self.as_bv(a) == Some(0) {
            let width = self.width(a) + self.width(b);
            return Some(self.zero_extend(width, b));
        }
        // x . (y . z) with x, y adjacent: lean to the left so that the rule above applies.
        if *self.op(b) == Op::Concat {
            let (y, z) = (self.args(b)[0], self.args(b)[1]);
            let left = self.concat(a, y);
            if *self.op(left) != Op::Concat {
                return Some(self.concat(left, z));
            }
        }
        if *self.op(a) == Op::Concat {
            let (x, y) = (self.args(a)[0], self.args(a)[1]);
            let right = self.joined(y, b)?;
            return Some(self.concat(x, right));
        }
        None
    }
}

/// Whether the low bits of the result depend on the low bits of the arguments only.
fn is_modular(op: &Op) -> bool {
    matches!(op, Op::BvAdd | Op::BvMul | Op::BvAnd | Op::BvOr | Op::BvXor)
}

pub(crate) fn commutes(op: &Op) -> bool {
    matches!(op, Op::Eq | Op::BvAdd | Op::BvMul | Op::BvAnd | Op::BvOr | Op::BvXor | Op::FpEq)
}
