//! IEEE arithmetic on bit patterns: 32 and 64 bits on the processor, 80 (x87 extended) and 128 in
//! software. Rounding is to nearest, ties to even. A result that is not a number is always the
//! same pattern, so that evaluation is a function.

use std::cmp::Ordering;

use rustc_apfloat::ieee::{Double, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert};

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
                32 => single(f32::from_bits(a as u32) $operator f32::from_bits(b as u32)),
                64 => double(f64::from_bits(a as u64) $operator f64::from_bits(b as u64)),
                _ => with_format!(width, F => canonical::<F>((F::from_bits(a) $operator F::from_bits(b)).value)),
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

fn single(value: f32) -> u128 {
    if value.is_nan() { canonical::<Single>(Single::NAN) } else { u128::from(value.to_bits()) }
}

fn double(value: f64) -> u128 {
    if value.is_nan() { canonical::<Double>(Double::NAN) } else { u128::from(value.to_bits()) }
}

fn canonical<F: Float>(value: F) -> u128 {
    if value.is_nan() { F::NAN.to_bits() } else { value.to_bits() }
}

/// C's `fmod`.
pub fn modulo(width: u32, a: u128, b: u128) -> u128 {
    match width {
        32 => single(f32::from_bits(a as u32) % f32::from_bits(b as u32)),
        64 => double(f64::from_bits(a as u64) % f64::from_bits(b as u64)),
        _ => {
            with_format!(width, F => canonical::<F>(F::from_bits(a).c_fmod(F::from_bits(b)).value))
        }
    }
}

/// Square root; only formats of the processor have one.
pub fn sqrt(width: u32, a: u128) -> Option<u128> {
    match width {
        32 => Some(single(f32::from_bits(a as u32).sqrt())),
        64 => Some(double(f64::from_bits(a as u64).sqrt())),
        _ => None,
    }
}

/// Whether a pattern is not a number.
pub fn is_nan(width: u32, a: u128) -> bool {
    with_format!(width, F => F::from_bits(a).is_nan())
}

/// Equality: false on NaN, true on zeros of either sign.
pub fn eq(width: u32, a: u128, b: u128) -> bool {
    compare(width, a, b) == Some(Ordering::Equal)
}

/// Less than: false on NaN.
pub fn lt(width: u32, a: u128, b: u128) -> bool {
    compare(width, a, b) == Some(Ordering::Less)
}

fn compare(width: u32, a: u128, b: u128) -> Option<Ordering> {
    match width {
        32 => f32::from_bits(a as u32).partial_cmp(&f32::from_bits(b as u32)),
        64 => f64::from_bits(a as u64).partial_cmp(&f64::from_bits(b as u64)),
        _ => with_format!(width, F => F::from_bits(a).partial_cmp(&F::from_bits(b))),
    }
}

/// From one format to another.
pub fn convert(from: u32, to: u32, a: u128) -> u128 {
    fn step<A: Float + FloatConvert<B>, B: Float>(a: u128) -> u128 {
        canonical::<B>(A::from_bits(a).convert(&mut false).value)
    }
    with_format!(from, A => with_format!(to, B => step::<A, B>(a)))
}

/// Toward zero, to an integer of `to` bits; `None` where it does not fit.
pub fn to_integer(width: u32, a: u128, to: u32, signed: bool) -> Option<u128> {
    with_format!(width, F => {
        let value = F::from_bits(a);
        if value.is_nan() || value.is_infinite() {
            return None;
        }
        let mut exact = false;
        if signed {
            let result = value.to_i128_r(to as usize, rustc_apfloat::Round::TowardZero, &mut exact);
            (!result.status.contains(rustc_apfloat::Status::INVALID_OP)).then_some(result.value.cast_unsigned())
        } else {
            let result = value.to_u128_r(to as usize, rustc_apfloat::Round::TowardZero, &mut exact);
            (!result.status.contains(rustc_apfloat::Status::INVALID_OP)).then_some(result.value)
        }
    })
}

/// A signed integer as a float.
pub fn from_integer(value: i128, to: u32) -> u128 {
    with_format!(to, F => F::from_i128(value).value.to_bits())
}

/// An unsigned integer as a float.
pub fn from_unsigned(value: u128, to: u32) -> u128 {
    with_format!(to, F => F::from_u128(value).value.to_bits())
}
