//! Arithmetic on values: plain numbers directly, everything else through terms.
//!
//! An address that is used as a number keeps its object through sums and differences with plain
//! numbers. What cannot be said without knowing where objects lie is computed from the address that
//! this run happens to use, and noted ([`MachineMemory::layout_observed`]).

use ouro_model::{BinaryOp, CompareOp, Span};
use ouro_term::{Term, TermOp, TermStore, sign_extend};

use crate::integer::is_integer;
use crate::memory::{MachineMemory, value_from_term, value_to_term};
use crate::stop::RunEnd;
use crate::{MachineValue, OverflowSemantics, Provenance, RunEnvironment, plain};

/// What an instruction may need besides its operands.
pub(crate) struct ArithmeticContext<'a, E> {
    pub(crate) terms: &'a mut TermStore,
    pub(crate) memory: &'a mut MachineMemory,
    pub(crate) environment: &'a mut E,
    pub(crate) overflow: OverflowSemantics,
    pub(crate) span: Span,
    /// Whether the instruction is of a specification.
    pub(crate) specification: bool,
}

/// What is undefined when a signed operation leaves its range.
pub const SIGNED_OVERFLOW: &str = "signed integer overflow";
/// The overflow of a division, at which processors do something else: it begins as all overflows do.
const QUOTIENT_OVERFLOW: &str = "signed integer overflow of a quotient";
/// What becomes of the least number divided by -1 where integers wrap around: the processor traps.
pub(crate) const QUOTIENT_TRAP: &str = "the processor traps on a quotient that is too large";
pub(crate) const RANGE: &str = "a value beyond the machine's integers, under --ints unbounded";

/// The bits of a count that x86 looks at when it shifts a value of so many bits. C shifts `int` and
/// wider types only; a `_BitInt` of another width is not a register.
fn shift_mask(width: u32) -> Result<u32, RunEnd> {
    match width {
        32 | 64 | 128 => Ok(width - 1),
        _ => Err(RunEnd::Limit(format!("a shift of {width} bits by their number or more"))),
    }
}

impl<E: RunEnvironment> ArithmeticContext<'_, E> {
    /// Only runs with this condition go on; the others end in undefined behaviour.
    pub(crate) fn require_defined(
        &mut self,
        condition: Term,
        otherwise: &str,
    ) -> Result<(), RunEnd> {
        if self.specification {
            return self.require_covered(condition, &RunEnd::undefined_in_specification(otherwise));
        }
        match self.terms.as_bool(condition) {
            Some(true) => Ok(()),
            Some(false) => Err(RunEnd::Undefined(otherwise.to_owned())),
            None => {
                self.environment.exclude_undefined(condition, otherwise, self.span);
                Ok(())
            }
        }
    }

    /// An integer operation on plain numbers of at most 64 bits.
    fn binary_on_plain(&self, op: BinaryOp, width: u32, a: u64, b: u64) -> Result<u64, RunEnd> {
        if let Some(result) = plain::plain_binary(self.overflow, op, width, a, b) {
            return Ok(result);
        }
        let wrapped = match op {
            BinaryOp::Shl { .. } | BinaryOp::LShr | BinaryOp::AShr if b >= u64::from(width) => {
                if self.overflow != OverflowSemantics::Wraps {
                    return Err(RunEnd::Undefined(format!(
                        "shift by {b} of a value of {width} bits"
                    )));
                }
                let count = b & u64::from(shift_mask(width)?);
                return self.binary_on_plain(op, width, a, count);
            }
            BinaryOp::Add { .. } => a.wrapping_add(b),
            BinaryOp::Sub { .. } => a.wrapping_sub(b),
            BinaryOp::Mul { .. } => a.wrapping_mul(b),
            BinaryOp::Shl { .. } => a << b,
            _ if b == 0 => return Err(RunEnd::Undefined("division by zero".to_owned())),
            _ if self.overflow == OverflowSemantics::Unbounded => {
                return Err(RunEnd::Limit(RANGE.to_owned()));
            }
            _ if self.overflow == OverflowSemantics::Wraps => {
                return Err(RunEnd::Abort(QUOTIENT_TRAP.to_owned()));
            }
            _ => return Err(RunEnd::Undefined(QUOTIENT_OVERFLOW.to_owned())),
        };
        match self.overflow {
            OverflowSemantics::Undefined => Err(RunEnd::Undefined(SIGNED_OVERFLOW.to_owned())),
            OverflowSemantics::Wraps => Ok(wrapped & plain::width_mask(width)),
            OverflowSemantics::Unbounded => Err(RunEnd::Limit(RANGE.to_owned())),
        }
    }

    /// `a op b`, integers of one width.
    #[inline(never)]
    pub(crate) fn apply_binary(
        &mut self,
        op: BinaryOp,
        width: u32,
        a: MachineValue,
        b: MachineValue,
    ) -> Result<MachineValue, RunEnd> {
        if (a.tag | b.tag) == 0 {
            return Ok(MachineValue::plain(self.binary_on_plain(op, width, a.bits, b.bits)?));
        }
        let result = self.apply_binary_slowly(op, width, a, b)?;
        self.memory.note_stray(result);
        Ok(result)
    }

    /// The same where one is symbolic or an address.
    fn apply_binary_slowly(
        &mut self,
        op: BinaryOp,
        width: u32,
        a: MachineValue,
        b: MachineValue,
    ) -> Result<MachineValue, RunEnd> {
        let provenance = self.combined_provenance(op, a, b);
        if matches!(op, BinaryOp::Sub { .. }) && a.object().is_some() && a.object() == b.object() {
            self.require_near_object(width, a)?;
            self.require_near_object(width, b)?;
        }
        if is_integer(self.terms, a) || is_integer(self.terms, b) {
            return self.integer_binary(op, width, a, b, provenance);
        }
        if let (Some(x), Some(y)) = (a.bits(), b.bits()) {
            // Address arithmetic is not the user's integer arithmetic: it does not overflow.
            let address = provenance != Provenance::None
                || (self.overflow == OverflowSemantics::Unbounded
                    && matches!(op, BinaryOp::Sub { .. }));
            let op = match op {
                BinaryOp::Add { .. } if address => BinaryOp::Add { signed: false },
                BinaryOp::Sub { .. } if address => BinaryOp::Sub { signed: false },
                op => op,
            };
            let keep = self.overflow;
            if address {
                self.overflow = OverflowSemantics::Wraps;
            }
            let bits = self.binary_on_plain(op, width, x, y);
            self.overflow = keep;
            return Ok(MachineValue::with_provenance(bits?, provenance));
        }
        let x = value_to_term(self.terms, a, width);
        let y = value_to_term(self.terms, b, width);
        let term = self.symbolic_binary(op, width, x, y, provenance == Provenance::None)?;
        Ok(value_from_term(self.terms, term, provenance))
    }

    /// What the result of an operation with an address may access.
    fn combined_provenance(
        &mut self,
        op: BinaryOp,
        a: MachineValue,
        b: MachineValue,
    ) -> Provenance {
        let (pa, pb) = (a.provenance(), b.provenance());
        if pa == Provenance::None && pb == Provenance::None {
            return Provenance::None;
        }
        match op {
            BinaryOp::Add { .. } if pb == Provenance::None => pa,
            BinaryOp::Add { .. } if pa == Provenance::None => pb,
            BinaryOp::Sub { .. } if pb == Provenance::None => pa,
            BinaryOp::Sub { .. } if pa == pb => Provenance::None,
            BinaryOp::And if self.keeps_alignment(a, b) || self.keeps_alignment(b, a) => {
                let number = if pa == Provenance::None { a } else { b };
                let low = number.bits().is_some_and(|k| k & k.wrapping_add(1) == 0);
                if low {
                    Provenance::None
                } else if pa == Provenance::None {
                    pb
                } else {
                    pa
                }
            }
            _ => {
                if matches!(pa, Provenance::Object(_)) || matches!(pb, Provenance::Object(_)) {
                    self.memory.observe_layout(self.span);
                }
                Provenance::None
            }
        }
    }

    /// Whether `address & number` only looks at bits that the object's alignment fixes.
    fn keeps_alignment(&self, address: MachineValue, number: MachineValue) -> bool {
        let (Some(object), Some(k)) = (address.object(), number.bits()) else { return false };
        if number.provenance() != Provenance::None {
            return false;
        }
        let Some(object) = self.memory.object(object) else { return false };
        let low = k & k.wrapping_add(1) == 0 && k < object.align;
        // A mask of the form 1…10…0, up to the topmost bit of an address.
        let ones = 64 - k.leading_zeros();
        let cleared = !k & if ones >= 64 { u64::MAX } else { (1 << ones) - 1 };
        let high = k != 0
            && cleared & cleared.wrapping_add(1) == 0
            && cleared < object.align
            && ones >= self.memory.pointer_bits();
        low || high
    }

    fn symbolic_binary(
        &mut self,
        op: BinaryOp,
        width: u32,
        x: Term,
        y: Term,
        number: bool,
    ) -> Result<Term, RunEnd> {
        let zero = self.terms.bv(width, 0);
        match op {
            BinaryOp::Add { signed } | BinaryOp::Sub { signed } | BinaryOp::Mul { signed } => {
                if number {
                    self.check_overflow(op, signed, width, x, y)?;
                }
                Ok(match op {
                    BinaryOp::Add { .. } => self.terms.bv_add(x, y),
                    BinaryOp::Sub { .. } => self.terms.bv_sub(x, y),
                    _ => self.terms.bv_mul(x, y),
                })
            }
            BinaryOp::Shl { .. } | BinaryOp::LShr | BinaryOp::AShr => {
                let y = match self.overflow {
                    OverflowSemantics::Wraps => self.masked_shift_count(width, y)?,
                    OverflowSemantics::Undefined | OverflowSemantics::Unbounded => y,
                };
                if width < 128 || self.terms.as_bv(y).is_none() {
                    let limit = self.terms.bv(width, u128::from(width));
                    if width > 7 || (1u32 << width) > width {
                        let in_range = self.terms.bv_ult(y, limit);
                        self.require_defined(in_range, "shift by the width of the value or more")?;
                    }
                }
                let result = match op {
                    BinaryOp::Shl { .. } => self.terms.bv_shl(x, y),
                    BinaryOp::LShr => self.terms.bv_lshr(x, y),
                    _ => self.terms.bv_ashr(x, y),
                };
                if let BinaryOp::Shl { signed } = op
                    && (self.overflow == OverflowSemantics::Unbounded
                        || (signed && self.overflow == OverflowSemantics::Undefined))
                {
                    let back = if signed {
                        self.terms.bv_ashr(result, y)
                    } else {
                        self.terms.bv_lshr(result, y)
                    };
                    let exact = self.terms.eq(back, x);
                    self.require_exact(exact)?;
                }
                Ok(result)
            }
            BinaryOp::UDiv | BinaryOp::URem | BinaryOp::SDiv | BinaryOp::SRem => {
                let nonzero = self.terms.ne(y, zero);
                self.require_defined(nonzero, "division by zero")?;
                if matches!(op, BinaryOp::SDiv | BinaryOp::SRem) {
                    let least = self.terms.bv(width, 1u128 << (width - 1));
                    let minus_one = self.terms.bv(width, u128::MAX);
                    let is_least = self.terms.eq(x, least);
                    let by_minus_one = self.terms.eq(y, minus_one);
                    let both = self.terms.and(is_least, by_minus_one);
                    let fine = self.terms.not(both);
                    match self.overflow {
                        OverflowSemantics::Undefined => {
                            self.require_defined(fine, QUOTIENT_OVERFLOW)?;
                        }
                        _ => self.require_exact(fine)?,
                    }
                }
                Ok(match op {
                    BinaryOp::UDiv => self.terms.bv_udiv(x, y),
                    BinaryOp::URem => self.terms.bv_urem(x, y),
                    BinaryOp::SDiv => self.terms.bv_sdiv(x, y),
                    _ => self.terms.bv_srem(x, y),
                })
            }
            BinaryOp::And => Ok(self.terms.bv_and(x, y)),
            BinaryOp::Or => Ok(self.terms.bv_or(x, y)),
            BinaryOp::Xor => Ok(self.terms.bv_xor(x, y)),
        }
    }

    /// Under which condition the result is exact, where it must be.
    fn check_overflow(
        &mut self,
        op: BinaryOp,
        signed: bool,
        width: u32,
        x: Term,
        y: Term,
    ) -> Result<(), RunEnd> {
        let checked = match self.overflow {
            OverflowSemantics::Wraps => false,
            OverflowSemantics::Undefined => signed,
            OverflowSemantics::Unbounded => true,
        };
        // `-1 - y` flips the bits of `y`, which every type has room for.
        let flips = matches!(op, BinaryOp::Sub { .. })
            && signed
            && self.terms.as_bv(x) == Some(ouro_term::width_mask(width));
        if !checked || flips {
            return Ok(());
        }
        let wide = match op {
            BinaryOp::Mul { .. } => width * 2,
            _ => width + 1,
        };
        if wide > 128 {
            return self.check_wide_overflow(op, signed, width, x, y);
        }
        let extend = |terms: &mut TermStore, t| match signed {
            true => terms.sign_extend(wide, t),
            false => terms.zero_extend(wide, t),
        };
        let (a, b) = (extend(self.terms, x), extend(self.terms, y));
        let exact = match op {
            BinaryOp::Add { .. } => self.terms.bv_add(a, b),
            BinaryOp::Sub { .. } => self.terms.bv_sub(a, b),
            _ => self.terms.bv_mul(a, b),
        };
        let narrow = match op {
            BinaryOp::Add { .. } => self.terms.bv_add(x, y),
            BinaryOp::Sub { .. } => self.terms.bv_sub(x, y),
            _ => self.terms.bv_mul(x, y),
        };
        let back = extend(self.terms, narrow);
        let fine = self.terms.eq(exact, back);
        self.require_exact(fine)
    }

    /// As `check_overflow`, where twice the width is more than a term can have.
    fn check_wide_overflow(
        &mut self,
        op: BinaryOp,
        signed: bool,
        width: u32,
        x: Term,
        y: Term,
    ) -> Result<(), RunEnd> {
        let (Some(a), Some(b)) = (self.terms.as_bv(x), self.terms.as_bv(y)) else {
            return Err(RunEnd::Limit(format!("overflow of a symbolic operation on {width} bits")));
        };
        let fits = if signed {
            let (a, b) = (sign_extend(width, a), sign_extend(width, b));
            let exact = match op {
                BinaryOp::Add { .. } => a.checked_add(b),
                BinaryOp::Sub { .. } => a.checked_sub(b),
                _ => a.checked_mul(b),
            };
            exact.is_some_and(|e| sign_extend(width, e.cast_unsigned()) == e)
        } else {
            let exact = match op {
                BinaryOp::Add { .. } => a.checked_add(b),
                BinaryOp::Sub { .. } => a.checked_sub(b),
                _ => a.checked_mul(b),
            };
            exact.is_some_and(|e| e & !ouro_term::width_mask(width) == 0)
        };
        let fits = self.terms.bool(fits);
        self.require_exact(fits)
    }

    /// Only runs in which the result is exact go on. Under `Unbounded` the others are not covered, so
    /// the run as a whole is not.
    pub(crate) fn require_exact(&mut self, fine: Term) -> Result<(), RunEnd> {
        match self.overflow {
            OverflowSemantics::Unbounded => self.require_covered(fine, RANGE),
            // Only a quotient is asked for here.
            OverflowSemantics::Wraps => match self.terms.as_bool(fine) {
                Some(false) => Err(RunEnd::Abort(QUOTIENT_TRAP.to_owned())),
                _ => self.require_defined(fine, QUOTIENT_TRAP),
            },
            OverflowSemantics::Undefined => self.require_defined(fine, SIGNED_OVERFLOW),
        }
    }

    /// The count by which x86 shifts where integers wrap around: only its lowest bits matter.
    fn masked_shift_count(&mut self, width: u32, count: Term) -> Result<Term, RunEnd> {
        let fits = self.terms.as_bv(count).is_some_and(|bits| bits < u128::from(width));
        if fits {
            return Ok(count);
        }
        let mask = shift_mask(width)?;
        let mask = self.terms.bv(width, mask.into());
        Ok(self.terms.bv_and(count, mask))
    }

    /// `a op b` as 0 or 1.
    #[inline(never)]
    pub(crate) fn apply_compare(
        &mut self,
        op: CompareOp,
        width: u32,
        a: MachineValue,
        b: MachineValue,
    ) -> Result<MachineValue, RunEnd> {
        if a.provenance() != b.provenance() {
            if let Some(truth) = self.compare_addresses(op, width, a, b)? {
                return Ok(MachineValue::plain(u64::from(truth)));
            }
        } else if a.object().is_some() {
            self.compare_in_object(op, width, a, b)?;
        }
        if let (Some(x), Some(y)) = (a.bits(), b.bits())
            && let Some(truth) = plain::plain_compare(op, width, x, y)
        {
            return Ok(MachineValue::plain(u64::from(truth)));
        }
        if let Some(truth) = match op {
            CompareOp::FloatEq | CompareOp::FloatLt | CompareOp::FloatLe => Some(false),
            CompareOp::FloatUnordered => Some(true),
            _ => None,
        } && (self.is_nan(width, a) || self.is_nan(width, b))
        {
            return Ok(MachineValue::plain(u64::from(truth)));
        }
        if let Some(truth) = crate::signs::compare_with_zero(self.terms, op, a, b) {
            return Ok(MachineValue::plain(u64::from(truth)));
        }
        let truth = if is_integer(self.terms, a) || is_integer(self.terms, b) {
            self.integer_compare(op, width, a, b)?
        } else if let Some((op, a, b)) = self.offsets_in_one_object(op, width, a, b) {
            self.compare_bits(op, width, a, b)
        } else {
            self.compare_bits(op, width, a, b)
        };
        let term = self.terms.bool_to_bv(1, truth);
        Ok(value_from_term(self.terms, term, Provenance::None))
    }

    /// `a op b` of values that are not integers, as a formula.
    pub(crate) fn compare_bits(
        &mut self,
        op: CompareOp,
        width: u32,
        a: MachineValue,
        b: MachineValue,
    ) -> Term {
        let x = value_to_term(self.terms, a, width);
        let y = value_to_term(self.terms, b, width);
        match op {
            CompareOp::Eq => self.terms.eq(x, y),
            CompareOp::Ne => self.terms.ne(x, y),
            CompareOp::Ult => self.terms.bv_ult(x, y),
            CompareOp::Ule => self.terms.bv_ule(x, y),
            CompareOp::Slt => self.terms.bv_slt(x, y),
            CompareOp::Sle => self.terms.bv_sle(x, y),
            CompareOp::FloatEq => self.terms.fp_eq(x, y),
            CompareOp::FloatLt => self.terms.fp_lt(x, y),
            CompareOp::FloatLe => self.terms.fp_le(x, y),
            CompareOp::FloatUnordered => {
                let (x, y) = (self.terms.fp_is_nan(x), self.terms.fp_is_nan(y));
                self.terms.or(x, y)
            }
        }
    }

    /// For addresses in one object, the comparison of how far they are into it.
    fn offsets_in_one_object(
        &mut self,
        op: CompareOp,
        width: u32,
        a: MachineValue,
        b: MachineValue,
    ) -> Option<(CompareOp, MachineValue, MachineValue)> {
        if !self.environment.havocs_unknown_accesses() || a.provenance() != b.provenance() {
            return None;
        }
        let base = self.memory.object(a.object()?)?.base;
        let op = match op {
            CompareOp::Ult | CompareOp::Slt => CompareOp::Slt,
            CompareOp::Ule | CompareOp::Sle => CompareOp::Sle,
            CompareOp::Eq | CompareOp::Ne => op,
            _ => return None,
        };
        let mut relative = |value: MachineValue| {
            let address = value_to_term(self.terms, value, width);
            let base = self.terms.bv(width, base.into());
            let offset = self.terms.bv_sub(address, base);
            value_from_term(self.terms, offset, Provenance::None)
        };
        Some((op, relative(a), relative(b)))
    }
}

/// A one-bit value as a formula.
pub(crate) fn truth_formula(terms: &mut TermStore, value: MachineValue) -> Term {
    match value.term() {
        Some(term) => {
            let one = terms.bv(1, 1);
            terms.eq(term, one)
        }
        None => terms.bool(value.bits & 1 == 1),
    }
}

/// Whether an operator of terms is one of floats; such terms are hard for a solver.
pub fn is_float_op(op: &TermOp) -> bool {
    matches!(
        op,
        TermOp::FpAdd
            | TermOp::FpSub
            | TermOp::FpMul
            | TermOp::FpDiv
            | TermOp::FpSqrt
            | TermOp::FpMod
            | TermOp::FpToFp(_)
    )
}
