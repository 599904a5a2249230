//! What is known of the float that an operation computes, and what is not.
//!
//! Two things nobody promises. Both are an `Unknown`, which no verdict may rest on.
//!
//! - *Sign and payload of a NaN.* IEEE 754 fixes them for copies, negation, `fabs` and `copysign` only.
//!   x86 makes a negative one of 0/0 and takes the payload of its first operand, but compilers fold and
//!   swap. An operation on plain numbers whose result is a NaN gives a fresh unknown with the bits of a
//!   quiet NaN set; that it is one is seen without a solver (`Context::is_nan`). A term of an operation
//!   has one pattern for all NaNs, so the unknown comes in when the program looks at its bits: when it
//!   loads them from memory as an integer, or casts them (`Context::look`). Each look may see another.
//! - *Excess precision.* With 32-bit addresses the code is x87's, as of gcc and clang without further
//!   options: `float` and `double` are computed with 64 bits of precision and a larger range, and are
//!   rounded when and if they are stored. Where the exact result is a number of the narrow format, that
//!   is the result either way; any other is unknown, and so is every one of terms, since nobody looks
//!   whether it is exact. `long double` is as precise as the registers.

use ouro_model::{CastOp, FloatOp};
use ouro_term::{Sort, Term, TermOp, float};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::arith::ArithmeticContext;
use crate::memory::{value_from_term, value_to_term};
use crate::stop::RunEnd;
use crate::{MachineValue, Provenance, RunEnvironment};

const NAN: &str = "the sign and payload of a NaN";
const EXCESS: &str = "how x87 registers round";

impl<E: RunEnvironment> ArithmeticContext<'_, E> {
    /// `a op b`, floats of one format.
    pub(crate) fn apply_float(
        &mut self,
        op: FloatOp,
        width: u32,
        a: MachineValue,
        b: MachineValue,
    ) -> Result<MachineValue, RunEnd> {
        if a.object().is_some() || b.object().is_some() {
            self.memory.observe_layout(self.span);
        }
        if let (Some(x), Some(y)) =
            (self.plain_float_bits(width, a), self.plain_float_bits(width, b))
        {
            let bits = match op {
                FloatOp::Add => float::add(width, x, y),
                FloatOp::Sub => float::sub(width, x, y),
                FloatOp::Mul => float::mul(width, x, y),
                FloatOp::Div => float::div(width, x, y),
                FloatOp::Mod => float::float_modulo(width, x, y),
            };
            if float::is_nan(width, bits) {
                return self.computed_nan(width, &[x, y]);
            }
            // A remainder is always exact.
            let exact = match op {
                FloatOp::Add => float::is_exact_sum(width, x, y),
                FloatOp::Sub => float::is_exact_difference(width, x, y),
                FloatOp::Mul => float::is_exact_product(width, x, y),
                FloatOp::Div => float::is_exact_quotient(width, x, y),
                FloatOp::Mod => true,
            };
            return self.rounded_result(width, bits, exact);
        }
        // A quiet NaN and a number give that NaN, in whichever order a compiler has them.
        let is_number =
            |value: MachineValue| value.is_plain() && !float::is_nan(width, value.bits.into());
        if (self.is_nan(width, a) && is_number(b)) || (is_number(a) && self.is_nan(width, b)) {
            return Ok(if a.is_plain() { b } else { a });
        }
        if self.is_nan(width, a) || self.is_nan(width, b) {
            return self.computed_nan(width, &[]);
        }
        // A number less itself is nothing, or a NaN.
        let exact = op == FloatOp::Mod || (op == FloatOp::Sub && a == b);
        if self.has_excess_precision(width) && !exact {
            return self.unknown_float(width, EXCESS);
        }
        let x = value_to_term(self.terms, a, width);
        let y = value_to_term(self.terms, b, width);
        let term = match op {
            FloatOp::Add => self.terms.fp_add(x, y),
            FloatOp::Sub => self.terms.fp_sub(x, y),
            FloatOp::Mul => self.terms.fp_mul(x, y),
            FloatOp::Div => self.terms.fp_div(x, y),
            FloatOp::Mod => self.terms.fp_mod(x, y),
        };
        Ok(value_from_term(self.terms, term, Provenance::None))
    }

    /// The square root of a float.
    pub(crate) fn float_square_root(
        &mut self,
        width: u32,
        value: MachineValue,
    ) -> Result<MachineValue, RunEnd> {
        if let Some(x) = self.plain_float_bits(width, value) {
            let bits = float::float_sqrt(width, x);
            if float::is_nan(width, bits) {
                return self.computed_nan(width, &[x]);
            }
            let exact = float::is_exact_product(width, bits, bits)
                && float::float_equal(width, float::mul(width, bits, bits), x);
            return self.rounded_result(width, bits, exact);
        }
        if self.is_nan(width, value) {
            return self.computed_nan(width, &[]);
        }
        if self.has_excess_precision(width) {
            return self.unknown_float(width, EXCESS);
        }
        if width > 64 {
            return Err(RunEnd::Limit("the square root of a symbolic long double".to_owned()));
        }
        let x = value_to_term(self.terms, value, width);
        let term = self.terms.fp_sqrt(x);
        Ok(value_from_term(self.terms, term, Provenance::None))
    }

    /// A conversion that makes a float, if something about its result is unknown.
    pub(crate) fn unsettled_cast(
        &mut self,
        op: CastOp,
        from: u32,
        to: u32,
        value: MachineValue,
    ) -> Result<Option<MachineValue>, RunEnd> {
        match op {
            // Rounding to a narrower format is what the program asks for: that is done.
            CastOp::FloatToFloat => {
                if !self.is_nan(from, value) {
                    return Ok(None);
                }
                let number = self.plain_float_bits(from, value);
                let converted = number.map(|x| {
                    let sign = (x >> (from - 1) & 1) << (to - 1);
                    float::convert_format(from, to, x) & !(1 << (to - 1)) | sign
                });
                self.computed_nan(to, converted.as_slice()).map(Some)
            }
            CastOp::SignedToFloat | CastOp::UnsignedToFloat if self.has_excess_precision(to) => {
                let precision = if to == 32 { 24 } else { 53 };
                if from <= precision {
                    return Ok(None);
                }
                let Some(bits) = value.bits() else {
                    // A number that was widened is exact as well, but nobody looks.
                    return self.unknown_float(to, EXCESS).map(Some);
                };
                let number = match op {
                    CastOp::SignedToFloat => i128::from(crate::plain::signed_value(from, bits)),
                    _ => i128::from(bits),
                };
                let exact = number.unsigned_abs() == 0
                    || number.unsigned_abs().ilog2() - number.trailing_zeros() < precision;
                if exact || self.environment.settles_floats() {
                    return Ok(None);
                }
                self.unknown_float(to, EXCESS).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// What the program sees when it looks at the bits of a value: the bits of a NaN that an operation
    /// made are not known.
    pub(crate) fn observe_bits(&mut self, value: MachineValue) -> Result<MachineValue, RunEnd> {
        let Some(term) = value.term() else { return Ok(value) };
        let mut made = Vec::new();
        self.collect_computed_floats(term, &mut made, &mut FxHashSet::default());
        if made.is_empty() {
            return Ok(value);
        }
        let mut seen: FxHashMap<Term, Term> = FxHashMap::default();
        for term in made {
            let width = self.terms.width(term);
            let nan = self.computed_nan(width, &[])?;
            let nan = value_to_term(self.terms, nan, width);
            let is_nan = self.terms.fp_is_nan(term);
            let either = self.terms.ite(is_nan, nan, term);
            seen.insert(term, either);
        }
        let term = self.terms.substitute(term, &seen);
        Ok(value_from_term(self.terms, term, value.provenance()))
    }

    /// Floats that operations made, in a term that only moves bits around.
    fn collect_computed_floats(
        &self,
        term: Term,
        made: &mut Vec<Term>,
        done: &mut FxHashSet<Term>,
    ) {
        if !done.insert(term) {
            return;
        }
        let terms = &*self.terms;
        match terms.op(term) {
            op if crate::is_float_op(op) => made.push(term),
            TermOp::Ite => {
                let [condition, then, otherwise] = terms.args(term) else { return };
                // The program has looked at it before.
                let looked = matches!(terms.op(*condition), TermOp::FpIsNan)
                    && terms.args(*condition).first() == Some(otherwise);
                if !looked {
                    self.collect_computed_floats(*then, made, done);
                    self.collect_computed_floats(*otherwise, made, done);
                }
            }
            TermOp::Extract { .. }
            | TermOp::Concat
            | TermOp::BvAnd
            | TermOp::BvOr
            | TermOp::BvXor
            | TermOp::ZeroExtend(_)
            | TermOp::SignExtend(_) => {
                for argument in terms.args(term) {
                    self.collect_computed_floats(*argument, made, done);
                }
            }
            _ => {}
        }
    }

    /// Whether a value is known to be a NaN.
    pub(crate) fn is_nan(&self, width: u32, value: MachineValue) -> bool {
        match value.term() {
            None => float::is_nan(width, value.bits.into()),
            Some(term) => self.is_nan_term(width, term),
        }
    }

    fn is_nan_term(&self, width: u32, term: Term) -> bool {
        let terms = &*self.terms;
        if let Some(bits) = terms.as_bv(term) {
            return float::is_nan(width, bits);
        }
        let sign = 1u128 << (width - 1);
        let rest = sign - 1;
        let [a, b] = *terms.args(term) else { return false };
        let (constant, other) = match (terms.as_bv(a), terms.as_bv(b)) {
            (Some(constant), None) => (constant, b),
            (None, Some(constant)) => (constant, a),
            _ => return false,
        };
        match terms.op(term) {
            // All bits of a quiet NaN, and any others.
            TermOp::BvOr => {
                constant & float::quiet_nan(width) == float::quiet_nan(width)
                    || self.is_nan_term(width, other)
            }
            TermOp::BvXor => constant == sign && self.is_nan_term(width, other),
            TermOp::BvAnd => constant & rest == rest && self.is_nan_term(width, other),
            _ => false,
        }
    }

    /// The bits of a float that is a plain number, in whatever form.
    fn plain_float_bits(&self, width: u32, value: MachineValue) -> Option<u128> {
        match value.term() {
            Some(term) => self.terms.as_bv(term).filter(|_| self.terms.width(term) == width),
            None => value.bits().map(u128::from),
        }
    }

    /// Whether the processor computes with more than the format has.
    fn has_excess_precision(&self, width: u32) -> bool {
        self.memory.pointer_bits() == 32 && width <= 64
    }

    /// The result of an operation on plain numbers.
    fn rounded_result(
        &mut self,
        width: u32,
        bits: u128,
        exact: bool,
    ) -> Result<MachineValue, RunEnd> {
        if !exact && self.has_excess_precision(width) && !self.environment.settles_floats() {
            return self.unknown_float(width, EXCESS);
        }
        let term = self.terms.bv(width, bits);
        Ok(value_from_term(self.terms, term, Provenance::None))
    }

    /// A NaN that an operation made of these operands, as far as they are known.
    fn computed_nan(&mut self, width: u32, operands: &[u128]) -> Result<MachineValue, RunEnd> {
        let quiet = float::quiet_nan(width);
        if self.environment.settles_floats() {
            // As x86's vector instructions: the first operand that is one, else the negative one.
            let kept = operands.iter().copied().find(|bits| float::is_nan(width, *bits));
            let bits = kept.unwrap_or(1 << (width - 1)) | quiet;
            let term = self.terms.bv(width, bits);
            return Ok(value_from_term(self.terms, term, Provenance::None));
        }
        let any = self.unknown_float(width, NAN)?;
        let any = value_to_term(self.terms, any, width);
        let quiet = self.terms.bv(width, quiet);
        let term = self.terms.bv_or(any, quiet);
        Ok(value_from_term(self.terms, term, Provenance::None))
    }

    fn unknown_float(&mut self, width: u32, why: &str) -> Result<MachineValue, RunEnd> {
        self.environment
            .provide_unknown(self.terms, Sort::BitVec(width), why)
            .ok_or_else(|| RunEnd::Limit(why.to_owned()))
    }
}
