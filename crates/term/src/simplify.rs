//! What construction rewrites: constants fold, identities vanish, sums and slices take one shape.
//! Every rule is an equality of the theory; none looks further than two operators down, so that
//! building a term stays cheap.

use smallvec::{SmallVec, smallvec};

use crate::fold::fold_constants;
use crate::{Constant, Sort, Term, TermOp, TermStore, sign_extend, width_mask};

/// How many arguments a junction may have to be merged into one around it.
const FLAT_JUNCTION: usize = 16;

/// How many operations a slice is pushed through.
const NARROWING: u32 = 8;

impl TermStore {
    /// The simplest known equal of `op(args)`; the sorts have been checked.
    pub(crate) fn simplify_application(&mut self, op: TermOp, args: &[Term], sort: Sort) -> Term {
        if !args.is_empty() {
            let constants: Option<SmallVec<[Constant; 3]>> =
                args.iter().map(|a| self.as_constant(*a)).collect();
            if let Some(value) = constants.and_then(|all| fold_constants(&op, &all)) {
                return self.constant(value);
            }
        }
        match (&op, args) {
            (TermOp::And | TermOp::Or, _) => return self.simplify_junction(op, args),
            (TermOp::IntAdd, _) => return self.int_sum(args),
            (TermOp::IntMul, _) => return self.int_product(args),
            (TermOp::IntLe, [a, b]) => return self.int_at_most(*a, *b),
            _ => {}
        }
        if let Some(simpler) = self.apply_rewrite_rule(&op, args) {
            return simpler;
        }
        let mut args: SmallVec<[Term; 3]> = args.into();
        if is_commutative(&op) && args.len() == 2 && self.is_ordered_after(args[0], args[1]) {
            args.swap(0, 1);
        }
        self.intern_application(op, args, sort)
    }

    /// Operands of commutative operators are ordered by age, constants last.
    fn is_ordered_after(&self, a: Term, b: Term) -> bool {
        let rank = |t| (self.as_constant(t).is_some(), t);
        rank(a) > rank(b)
    }

    /// Nested junctions become one, but only small ones: a condition that grows by one conjunct at
    /// a time would otherwise be copied whole each time.
    fn simplify_junction(&mut self, op: TermOp, args: &[Term]) -> Term {
        let conjunction = op == TermOp::And;
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
            _ => self.intern_application(op, flat, Sort::Bool),
        }
    }

    /// Whether a term is the negation of one in a sorted list.
    fn has_negation(&self, a: Term, among: &[Term]) -> bool {
        *self.op(a) == TermOp::Not && among.binary_search(&self.args(a)[0]).is_ok()
    }

    fn apply_rewrite_rule(&mut self, op: &TermOp, args: &[Term]) -> Option<Term> {
        match (op, args) {
            (TermOp::Not, [a]) if *self.op(*a) == TermOp::Not => Some(self.args(*a)[0]),
            (TermOp::Eq, [a, b]) => self.simplify_equality(*a, *b),
            (TermOp::Ite, [c, a, b]) => self.simplify_ite(*c, *a, *b),
            (TermOp::BvNeg | TermOp::BvNot, [a]) if self.op(*a) == op => Some(self.args(*a)[0]),
            (TermOp::BvNeg, [a]) if *self.op(*a) == TermOp::BvAdd => {
                let (x, k) = (self.args(*a)[0], self.args(*a)[1]);
                let value = self.as_bv(k)?;
                let width = self.width(x);
                let negated = self.bv_neg(x);
                let constant = self.bv(width, value.wrapping_neg());
                Some(self.bv_add(negated, constant))
            }
            (TermOp::BvAdd, [a, b]) => self.simplify_bv_sum(*a, *b),
            (
                TermOp::BvMul
                | TermOp::BvAnd
                | TermOp::BvOr
                | TermOp::BvXor
                | TermOp::BvShl
                | TermOp::BvLshr
                | TermOp::BvAshr
                | TermOp::BvUdiv
                | TermOp::BvSdiv
                | TermOp::BvUrem,
                [a, b],
            ) => self.simplify_bitwise(op, *a, *b),
            (TermOp::BvUlt | TermOp::BvSlt, [a, b]) if a == b => Some(self.bool(false)),
            (TermOp::BvUle | TermOp::BvSle, [a, b]) if a == b => Some(self.bool(true)),
            (TermOp::BvUlt | TermOp::BvUle | TermOp::BvSlt | TermOp::BvSle, [a, b]) => {
                self.simplify_comparison(op, *a, *b)
            }
            (TermOp::Extract { high, low }, [a]) => self.simplify_extract(*high, *low, *a),
            (TermOp::ZeroExtend(to) | TermOp::SignExtend(to), [a]) if self.width(*a) == *to => {
                Some(*a)
            }
            (TermOp::ZeroExtend(to), [a]) if matches!(self.op(*a), TermOp::ZeroExtend(_)) => {
                let inner = self.args(*a)[0];
                Some(self.zero_extend(*to, inner))
            }
            // A value widened with zeros has a zero sign bit.
            (TermOp::SignExtend(to), [a]) if matches!(self.op(*a), TermOp::ZeroExtend(_)) => {
                let inner = self.args(*a)[0];
                Some(self.zero_extend(*to, inner))
            }
            (TermOp::SignExtend(to), [a]) if matches!(self.op(*a), TermOp::SignExtend(_)) => {
                let inner = self.args(*a)[0];
                Some(self.sign_extend(*to, inner))
            }
            (TermOp::ZeroExtend(_) | TermOp::SignExtend(_), [a]) if self.is_constant_ite(*a) => {
                let (c, x, y) = self.ite_parts(*a);
                let x = self.apply_operator(op.clone(), &[x]).ok()?;
                let y = self.apply_operator(op.clone(), &[y]).ok()?;
                Some(self.ite(c, x, y))
            }
            (TermOp::Concat, [a, b]) => self.simplify_concat(*a, *b),
            (TermOp::IntDiv, [a, b]) => self.int_quotient(*a, *b),
            (TermOp::IntMod, [a, b]) => self.int_remainder(*a, *b),
            _ => None,
        }
    }

    pub(crate) fn is_constant_ite(&self, a: Term) -> bool {
        *self.op(a) == TermOp::Ite
            && self.args(a)[1..].iter().all(|x| self.as_constant(*x).is_some())
    }

    pub(crate) fn ite_parts(&self, a: Term) -> (Term, Term, Term) {
        let args = self.args(a);
        (args[0], args[1], args[2])
    }

    fn simplify_equality(&mut self, a: Term, b: Term) -> Option<Term> {
        if a == b {
            return Some(self.bool(true));
        }
        let (a, b) = if self.as_constant(a).is_some() { (b, a) } else { (a, b) };
        if self.sort(a) == Sort::Int {
            return match self.int_equation(a, b) {
                Err(truth) => Some(self.bool(truth)),
                Ok((x, y)) if (x, y) == (a, b) || (y, x) == (a, b) => {
                    self.simplify_ite_equality(a, b)
                }
                Ok((x, y)) => Some(self.eq(x, y)),
            };
        }
        if let Some(value) = self.as_bool(b) {
            return Some(if value { a } else { self.not(a) });
        }
        self.as_constant(b)?;
        match self.op(a).clone() {
            TermOp::Ite => self.simplify_ite_equality(a, b),
            TermOp::ZeroExtend(_) | TermOp::SignExtend(_) => {
                let inner = self.args(a)[0];
                let width = self.width(inner);
                let value = self.as_bv(b)?;
                let low = self.bv(width, value);
                let op = self.op(a).clone();
                let back = self.apply_operator(op, &[low]).ok()?;
                Some(if back == b { self.eq(inner, low) } else { self.bool(false) })
            }
            TermOp::BvAdd => {
                let (x, k) = (self.args(a)[0], self.args(a)[1]);
                let (k, value) = (self.as_bv(k)?, self.as_bv(b)?);
                let width = self.width(x);
                // Where the difference leaves the type, the equation stays as it is: whoever reads a sum without bounds
                // would find another number in it.
                let apart = sign_extend(width, value).checked_sub(sign_extend(width, k))?;
                let rest = self.bv(width, value.wrapping_sub(k));
                let is_exact =
                    self.as_bv(rest).is_some_and(|bits| sign_extend(width, bits) == apart);
                is_exact.then(|| self.eq(x, rest))
            }
            TermOp::BvXor => {
                let (x, k) = (self.args(a)[0], self.args(a)[1]);
                let (k, value) = (self.as_bv(k)?, self.as_bv(b)?);
                let width = self.width(x);
                let rest = self.bv(width, value ^ k);
                Some(self.eq(x, rest))
            }
            TermOp::BvNeg => {
                let x = self.args(a)[0];
                let rest = self.bv_neg(b);
                // The least number is its own negative, and has none without bounds.
                let is_least = rest == b && self.as_bv(b) != Some(0);
                (!is_least).then(|| self.eq(x, rest))
            }
            _ => None,
        }
    }

    /// Whether a choice between constants is a constant.
    fn simplify_ite_equality(&mut self, a: Term, b: Term) -> Option<Term> {
        if self.as_constant(b).is_none() || !self.is_constant_ite(a) {
            return None;
        }
        let (c, x, y) = self.ite_parts(a);
        Some(match (x == b, y == b) {
            (true, true) => self.bool(true),
            (true, false) => c,
            (false, true) => self.not(c),
            (false, false) => self.bool(false),
        })
    }

    fn simplify_ite(&mut self, c: Term, a: Term, b: Term) -> Option<Term> {
        if a == b {
            return Some(a);
        }
        match self.as_bool(c) {
            Some(true) => return Some(a),
            Some(false) => return Some(b),
            None => {}
        }
        if *self.op(c) == TermOp::Not {
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
    fn simplify_bv_sum(&mut self, a: Term, b: Term) -> Option<Term> {
        let (a, b) = if self.as_constant(a).is_some() { (b, a) } else { (a, b) };
        let width = self.width(a);
        if let Some(k) = self.as_bv(b) {
            if k == 0 {
                return Some(a);
            }
            if *self.op(a) == TermOp::BvAdd
                && let Some(inner) = self.as_bv(self.args(a)[1])
            {
                let x = self.args(a)[0];
                let total = self.bv(width, k.wrapping_add(inner));
                return Some(self.bv_add(x, total));
            }
            return None;
        }
        for (x, y) in [(a, b), (b, a)] {
            if *self.op(x) == TermOp::BvNeg && self.args(x)[0] == y {
                return Some(self.bv(width, 0));
            }
            if *self.op(x) == TermOp::BvAdd && self.as_bv(self.args(x)[1]).is_some() {
                let (inner, k) = (self.args(x)[0], self.args(x)[1]);
                let rest = self.bv_add(inner, y);
                return Some(self.bv_add(rest, k));
            }
        }
        // (p + q) + -p is q: what pointer differences come to.
        for (x, y) in [(a, b), (b, a)] {
            if *self.op(x) == TermOp::BvAdd {
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

    fn simplify_bitwise(&mut self, op: &TermOp, a: Term, b: Term) -> Option<Term> {
        let width = self.width(a);
        let commutative = is_commutative(op);
        let (a, b) = if commutative && self.as_constant(a).is_some() { (b, a) } else { (a, b) };
        if a == b {
            return match op {
                TermOp::BvAnd | TermOp::BvOr => Some(a),
                TermOp::BvXor => Some(self.bv(width, 0)),
                _ => None,
            };
        }
        let k = self.as_bv(b)?;
        match (op, k) {
            (TermOp::BvMul | TermOp::BvAnd, 0) => Some(b),
            (TermOp::BvMul | TermOp::BvUdiv, 1) => Some(a),
            (TermOp::BvSdiv, 1) if width > 1 => Some(a),
            (TermOp::BvUrem, 1) => Some(self.bv(width, 0)),
            (TermOp::BvOr | TermOp::BvXor | TermOp::BvShl | TermOp::BvLshr | TermOp::BvAshr, 0) => {
                Some(a)
            }
            (TermOp::BvAnd, k) if k == width_mask(width) => Some(a),
            (TermOp::BvOr, k) if k == width_mask(width) => Some(b),
            // A mask of low bits is a slice: memory and bit-fields make many.
            (TermOp::BvAnd, k) if (k & k.wrapping_add(1)) == 0 => {
                let bits = 128 - k.leading_zeros();
                let low = self.truncate(bits, a);
                Some(self.zero_extend(width, low))
            }
            _ => None,
        }
    }

    fn simplify_comparison(&mut self, op: &TermOp, a: Term, b: Term) -> Option<Term> {
        let width = self.width(a);
        let (least, most) = match op {
            TermOp::BvUlt | TermOp::BvUle => (0, width_mask(width)),
            _ => (1u128 << (width - 1), width_mask(width) >> 1),
        };
        let (left, right) = (self.as_bv(a), self.as_bv(b));
        match op {
            TermOp::BvUlt | TermOp::BvSlt if right == Some(least) || left == Some(most) => {
                return Some(self.bool(false));
            }
            TermOp::BvUle | TermOp::BvSle if left == Some(least) || right == Some(most) => {
                return Some(self.bool(true));
            }
            _ => {}
        }
        // Comparing a choice between constants with a constant is a question about the choice.
        for (x, y, flipped) in [(a, b, false), (b, a, true)] {
            if self.as_constant(y).is_some() && self.is_constant_ite(x) {
                let (c, p, q) = self.ite_parts(x);
                let compare = |terms: &mut TermStore, p| {
                    let args = if flipped { [y, p] } else { [p, y] };
                    terms.apply_operator(op.clone(), &args).ok()
                };
                let p = compare(self, p)?;
                let q = compare(self, q)?;
                return Some(self.ite(c, p, q));
            }
        }
        None
    }

    fn simplify_extract(&mut self, high: u32, low: u32, a: Term) -> Option<Term> {
        let width = self.width(a);
        if low == 0 && high == width - 1 {
            return Some(a);
        }
        match self.op(a).clone() {
            TermOp::Extract { low: inner, .. } => {
                let x = self.args(a)[0];
                Some(self.extract(high + inner, low + inner, x))
            }
            TermOp::ZeroExtend(_) | TermOp::SignExtend(_) => {
                let x = self.args(a)[0];
                let inner = self.width(x);
                if high < inner {
                    Some(self.extract(high, low, x))
                } else if low >= inner && matches!(self.op(a), TermOp::ZeroExtend(_)) {
                    Some(self.bv(high - low + 1, 0))
                } else if low == 0 {
                    let op = self.op(a).clone();
                    let shorter = match op {
                        TermOp::ZeroExtend(_) => TermOp::ZeroExtend(high + 1),
                        _ => TermOp::SignExtend(high + 1),
                    };
                    self.apply_operator(shorter, &[x]).ok()
                } else {
                    None
                }
            }
            TermOp::Concat => {
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
            TermOp::Ite if self.is_constant_ite(a) => {
                let (c, x, y) = self.ite_parts(a);
                let x = self.extract(high, low, x);
                let y = self.extract(high, low, y);
                Some(self.ite(c, x, y))
            }
            op if is_modular(&op) && low == 0 => {
                let (x, y) = (self.args(a)[0], self.args(a)[1]);
                let mut fuel = NARROWING;
                let x = self.narrow_to_low_bits(high + 1, x, &mut fuel)?;
                let y = self.narrow_to_low_bits(high + 1, y, &mut fuel)?;
                self.apply_operator(op, &[x, y]).ok()
            }
            _ => None,
        }
    }

    /// The low bits of a term, if they can be had without slicing a symbol or an operation. C's
    /// promotions make such terms: `(char) (a + b)` widens, adds and cuts off.
    ///
    /// It stops after a few operations: a long sum would else be rebuilt, and a shared one
    /// repeatedly, for each slice of it.
    fn narrow_to_low_bits(&mut self, bits: u32, a: Term, fuel: &mut u32) -> Option<Term> {
        match self.op(a).clone() {
            TermOp::Bv { value, .. } => Some(self.bv(bits, value)),
            TermOp::ZeroExtend(_) | TermOp::SignExtend(_) | TermOp::Extract { .. } => {
                Some(self.truncate(bits, a))
            }
            TermOp::Concat if bits <= self.width(self.args(a)[1]) => Some(self.truncate(bits, a)),
            TermOp::Ite if self.is_constant_ite(a) => Some(self.truncate(bits, a)),
            op if is_modular(&op) => {
                *fuel = fuel.checked_sub(1)?;
                let (x, y) = (self.args(a)[0], self.args(a)[1]);
                let x = self.narrow_to_low_bits(bits, x, fuel)?;
                let y = self.narrow_to_low_bits(bits, y, fuel)?;
                self.apply_operator(op, &[x, y]).ok()
            }
            _ => None,
        }
    }

    /// Adjacent slices of one term are one slice; a zero on top is an extension.
    fn simplify_concat(&mut self, a: Term, b: Term) -> Option<Term> {
        if let (TermOp::Extract { high, low }, TermOp::Extract { high: below, low: bottom }) =
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
        if *self.op(b) == TermOp::Concat {
            let (y, z) = (self.args(b)[0], self.args(b)[1]);
            let left = self.concat(a, y);
            if *self.op(left) != TermOp::Concat {
                return Some(self.concat(left, z));
            }
        }
        if *self.op(a) == TermOp::Concat {
            let (x, y) = (self.args(a)[0], self.args(a)[1]);
            let right = self.simplify_concat(y, b)?;
            return Some(self.concat(x, right));
        }
        None
    }
}

/// Whether the low bits of the result depend on the low bits of the arguments only.
fn is_modular(op: &TermOp) -> bool {
    matches!(op, TermOp::BvAdd | TermOp::BvMul | TermOp::BvAnd | TermOp::BvOr | TermOp::BvXor)
}

pub(crate) fn is_commutative(op: &TermOp) -> bool {
    matches!(
        op,
        TermOp::Eq
            | TermOp::BvAdd
            | TermOp::BvMul
            | TermOp::BvAnd
            | TermOp::BvOr
            | TermOp::BvXor
            | TermOp::FpEq
    )
}
