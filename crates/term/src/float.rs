//! IEEE arithmetic on bit patterns: 32 and 64 bits on the processor, 80 (x87 extended) and 128 in
//! software. Rounding is to nearest, ties to even. A result that is not a number is always the
//! same pattern, so that evaluation is a function.

use std::cmp::Ordering;

use num_bigint::BigUint;
use num_traits::ToPrimitive;
use rustc_apfloat::ieee::{Double, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Status};

use crate::width_mask;

/// Runs `$body` with `$f` standing for the software float type of a width.
macro_rules! with_format {
    ($width:expr, $f:ident => $body:expr) => {
        match $width {
            32 => {
                type $f = Single;
                $body
            }
            64 => {
                type $f = Double;
                $body
            }
            80 => {
                type $f = X87DoubleExtended;
                $body
            }
            128 => {
                type $f = Quad;
                $body
            }
            other => panic!("no float has {other} bits"),
        }
    };
}

macro_rules! arithmetic {
    ($($name:ident $method:ident $operator:tt $doc:literal;)*) => {$(
        #[doc = $doc]
        pub fn $name(width: u32, a: u128, b: u128) -> u128 {
            match width {
                32 => f32_pattern(f32::from_bits(a as u32) $operator f32::from_bits(b as u32)),
                64 => f64_pattern(f64::from_bits(a as u64) $operator f64::from_bits(b as u64)),
                _ => with_format!(width, F => canonical_pattern::<F>((F::from_bits(a) $operator F::from_bits(b)).value)),
            }
        }
    )*};
}

arithmetic! {
    add add + "Sum.";
    sub sub - "Difference.";
    mul mul * "Product.";
    div div / "Quotient.";
}

fn f32_pattern(value: f32) -> u128 {
    if value.is_nan() {
        canonical_pattern::<Single>(Single::NAN)
    } else {
        u128::from(value.to_bits())
    }
}

fn f64_pattern(value: f64) -> u128 {
    if value.is_nan() {
        canonical_pattern::<Double>(Double::NAN)
    } else {
        u128::from(value.to_bits())
    }
}

fn canonical_pattern<F: Float>(value: F) -> u128 {
    if value.is_nan() { F::NAN.to_bits() } else { value.to_bits() }
}

macro_rules! exactness {
    ($($name:ident $operator:tt $doc:literal;)*) => {$(
        #[doc = $doc]
        pub fn $name(width: u32, a: u128, b: u128) -> bool {
            with_format!(width, F => is_exact((F::from_bits(a) $operator F::from_bits(b)).status))
        }
    )*};
}

exactness! {
    is_exact_sum + "Whether a sum is exact: nothing was rounded.";
    is_exact_difference - "Whether a difference is exact.";
    is_exact_product * "Whether a product is exact.";
    is_exact_quotient / "Whether a quotient is exact.";
}

fn is_exact(status: Status) -> bool {
    !status.intersects(Status::INEXACT | Status::OVERFLOW | Status::UNDERFLOW)
}

/// The quiet NaN without a sign and with the least payload.
pub fn quiet_nan(width: u32) -> u128 {
    with_format!(width, F => F::NAN.to_bits()) & !(1 << (width - 1))
}

/// C's `fmod`.
pub fn float_modulo(width: u32, a: u128, b: u128) -> u128 {
    match width {
        32 => f32_pattern(f32::from_bits(a as u32) % f32::from_bits(b as u32)),
        64 => f64_pattern(f64::from_bits(a as u64) % f64::from_bits(b as u64)),
        _ => {
            with_format!(width, F => canonical_pattern::<F>(F::from_bits(a).c_fmod(F::from_bits(b)).value))
        }
    }
}

/// Square root.
pub fn float_sqrt(width: u32, a: u128) -> u128 {
    match width {
        32 => f32_pattern(f32::from_bits(a as u32).sqrt()),
        64 => f64_pattern(f64::from_bits(a as u64).sqrt()),
        _ => with_format!(width, F => software_sqrt::<F>(F::from_bits(a))),
    }
}

/// Square root by the square root of integers, which is exact up to a remainder.
fn software_sqrt<F: Float>(a: F) -> u128 {
    if a.is_zero() || (a.is_infinite() && !a.is_negative()) {
        return a.to_bits();
    }
    if a.is_nan() || a.is_negative() {
        return canonical_pattern::<F>(F::NAN);
    }
    // a = mantissa * 2^exponent, the mantissa an integer and the exponent even.
    let digits = i32::try_from(F::PRECISION).expect("a small number");
    let exponent = (a.ilogb() - digits + 1) & !1;
    let mantissa = a.scalbn(-exponent).to_u128(128).value;
    // Shifted so that the root has two bits more than a float; the last one stands for the rest.
    let shift = F::PRECISION + 4;
    let square = BigUint::from(mantissa) << (2 * shift);
    let root = square.sqrt();
    let inexact = &root * &root != square;
    let excess = root.bits() - (u64::try_from(F::PRECISION).expect("a small number") + 2);
    let kept = &root >> excess;
    let lost = inexact || &kept << excess != root;
    let kept = kept.to_u128().expect("fewer than 128 bits") | u128::from(lost);
    let scale = exponent / 2 - i32::try_from(shift).expect("a small number")
        + i32::try_from(excess).expect("a small number");
    F::from_u128(kept).value.scalbn(scale).to_bits()
}

/// Whether a pattern is not a number.
pub fn is_nan(width: u32, a: u128) -> bool {
    with_format!(width, F => F::from_bits(a).is_nan())
}

/// Equality: false on NaN, true on zeros of either sign.
pub fn float_equal(width: u32, a: u128, b: u128) -> bool {
    compare_floats(width, a, b) == Some(Ordering::Equal)
}

/// Less than: false on NaN.
pub fn float_less_than(width: u32, a: u128, b: u128) -> bool {
    compare_floats(width, a, b) == Some(Ordering::Less)
}

fn compare_floats(width: u32, a: u128, b: u128) -> Option<Ordering> {
    match width {
        32 => f32::from_bits(a as u32).partial_cmp(&f32::from_bits(b as u32)),
        64 => f64::from_bits(a as u64).partial_cmp(&f64::from_bits(b as u64)),
        _ => with_format!(width, F => F::from_bits(a).partial_cmp(&F::from_bits(b))),
    }
}

/// From one format to another.
pub fn convert_format(from: u32, to: u32, a: u128) -> u128 {
    fn convert_between_formats<A: Float + FloatConvert<B>, B: Float>(a: u128) -> u128 {
        canonical_pattern::<B>(A::from_bits(a).convert(&mut false).value)
    }
    with_format!(from, A => with_format!(to, B => convert_between_formats::<A, B>(a)))
}

/// Toward zero, to an integer of `to` bits; `None` where it does not fit.
pub fn float_to_integer(width: u32, a: u128, to: u32, signed: bool) -> Option<u128> {
    // Asked for the full width: the software floats refuse to convert to a signed bit.
    with_format!(width, F => {
        let value = F::from_bits(a);
        if signed {
            let result = value.to_i128(128);
            let least = -1i128 << (to - 1);
            let fits = is_valid_conversion(result.status) && (least..=!least).contains(&result.value);
            fits.then_some(result.value.cast_unsigned() & width_mask(to))
        } else {
            let result = value.to_u128(128);
            (is_valid_conversion(result.status) && result.value <= width_mask(to)).then_some(result.value)
        }
    })
}

fn is_valid_conversion(status: Status) -> bool {
    !status.contains(Status::INVALID_OP)
}

/// A signed integer as a float.
pub fn signed_to_float(value: i128, to: u32) -> u128 {
    with_format!(to, F => F::from_i128(value).value.to_bits())
}

/// An unsigned integer as a float.
pub fn unsigned_to_float(value: u128, to: u32) -> u128 {
    with_format!(to, F => F::from_u128(value).value.to_bits())
}
