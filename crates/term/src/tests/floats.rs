//! Floats: 32 and 64 bits against the processor, 80 and 128 against values that a C program printed
//! (GCC 12, x86-64: `long double`, `__float128`).

use super::tree::RandomConstants;
use crate::fold::fold_constants;
use crate::{Constant, TermOp, float};

macro_rules! against {
    ($width:literal $float:ty, $bits:ty, $random:expr) => {{
        let (a, b) = ($random.random_bits($width), $random.random_bits($width));
        let args =
            [Constant::Bv { width: $width, value: a }, Constant::Bv { width: $width, value: b }];
        let x = <$float>::from_bits(<$bits>::try_from(a).unwrap());
        let y = <$float>::from_bits(<$bits>::try_from(b).unwrap());
        let number = |op: TermOp, args: &[Constant], value: $float| {
            let Some(Constant::Bv { width: $width, value: found }) = fold_constants(&op, args)
            else {
                panic!("{op:?} {x} {y}")
            };
            let found = <$float>::from_bits(<$bits>::try_from(found).unwrap());
            let same = found.to_bits() == value.to_bits() || (found.is_nan() && value.is_nan());
            assert!(same, "{op:?} {x} {y}: {found}, not {value}");
        };
        number(TermOp::FpAdd, &args, x + y);
        number(TermOp::FpSub, &args, x - y);
        number(TermOp::FpMul, &args, x * y);
        number(TermOp::FpDiv, &args, x / y);
        number(TermOp::FpMod, &args, x % y);
        number(TermOp::FpSqrt, &args[..1], x.sqrt());
        let truth = |op: TermOp, args: &[Constant], value: bool| {
            assert_eq!(fold_constants(&op, args), Some(Constant::Bool(value)), "{op:?} {x} {y}");
        };
        truth(TermOp::FpEq, &args, x == y);
        truth(TermOp::FpLt, &args, x < y);
        truth(TermOp::FpLe, &args, x <= y);
        truth(TermOp::FpIsNan, &args[..1], x.is_nan());
        // Rust's casts saturate; where they are not at a bound they are the value.
        let whole = x.trunc();
        for (to, signed) in
            [(8i32, true), (8, false), (32, true), (32, false), (64, true), (1, true)]
        {
            let found = float::float_to_integer($width, a, to.cast_unsigned(), signed);
            let least = if signed { -(2 as $float).powi(to - 1) } else { 0.0 };
            let bound = (2 as $float).powi(if signed { to - 1 } else { to });
            let expected = (whole >= least && whole < bound)
                .then(|| (whole as i128).cast_unsigned() & crate::width_mask(to.cast_unsigned()));
            assert_eq!(found, expected, "{x} to {to} bits");
        }
        let integer = a.cast_signed() as i64;
        let found = float::signed_to_float(i128::from(integer), $width);
        assert_eq!(found, u128::from((integer as $float).to_bits()), "{integer}");
    }};
}

#[test]
fn single_and_double_agree_with_the_processor() {
    let mut random = RandomConstants::new(11);
    for _ in 0..30_000 {
        against!(32 f32, u32, random);
        against!(64 f64, u64, random);
        let (single, double) = (random.random_bits(32), random.random_bits(64));
        let x = f32::from_bits(u32::try_from(single).unwrap());
        let y = f64::from_bits(u64::try_from(double).unwrap());
        if !x.is_nan() {
            assert_eq!(float::convert_format(32, 64, single), u128::from(f64::from(x).to_bits()));
        }
        if !y.is_nan() {
            assert_eq!(float::convert_format(64, 32, double), u128::from((y as f32).to_bits()));
        }
    }
}

/// The one pattern that results which are not numbers have, in 80 bits.
const NAN: u128 = 0x7fff_c000_0000_0000_0000;

/// a, b, [a + b, a - b, a * b, a / b, fmodl(a, b)], (double) a, (float) a, a < b
type ExtendedPrecisionCase = (u128, u128, [u128; 5], u128, u128, bool);

#[rustfmt::skip]
#[allow(clippy::unreadable_literal, reason = "as the C program printed them")]
const EXTENDED: [ExtendedPrecisionCase; 15] = [
    (0x00000000000000000000, 0xbfffc000000000000000, [0xbfffc000000000000000, 0x3fffc000000000000000, 0x80000000000000000000, 0x80000000000000000000, 0x00000000000000000000], 0x0000000000000000, 0x00000000, false),
    (0x80000000000000000000, 0xc03e8000000000000000, [0xc03e8000000000000000, 0x403e8000000000000000, 0x00000000000000000000, 0x00000000000000000000, 0x80000000000000000000], 0x8000000000000000, 0x80000000, false),
    (0x3fff8000000000000000, 0x3fff8000000000000000, [0x40008000000000000000, 0x00000000000000000000, 0x3fff8000000000000000, 0x3fff8000000000000000, 0x00000000000000000000], 0x3ff0000000000000, 0x3f800000, false),
    (0xbfffc000000000000000, 0x403effffffffffffffff, [0x403efffffffffffffffe, 0xc03f8000000000000000, 0xc03fbfffffffffffffff, 0xbfbfc000000000000001, 0xbfffc000000000000000], 0xbff8000000000000, 0xbfc00000, true),
    (0x3ffbcccccccccccccccd, 0x80000000000000000000, [0x3ffbcccccccccccccccd, 0x3ffbcccccccccccccccd, 0x80000000000000000000, 0xffff8000000000000000, NAN], 0x3fb999999999999a, 0x3dcccccd, false),
    (0x4000c90fdaa22168c235, 0x000000000000000c8ed8, [0x4000c90fdaa22168c235, 0x4000c90fdaa22168c235, 0x000000000000002773bb, 0x7fff8000000000000000, 0x00000000000000058fc0], 0x400921fb54442d18, 0x40490fdb, false),
    (0x73e6d1ba8323fe558c61, 0x00000000000000000000, [0x73e6d1ba8323fe558c61, 0x73e6d1ba8323fe558c61, 0x00000000000000000000, 0x7fff8000000000000000, NAN], 0x7ff0000000000000, 0x7f800000, false),
    (0x00000000000663278e62, 0x00000000000663278e62, [0x00000000000cc64f1cc4, 0x00000000000000000000, 0x00000000000000000000, 0x3fff8000000000000000, 0x00000000000000000000], 0x0000000000000000, 0x00000000, false),
    (0x000000000000000c8ed8, 0xc001e800000000000000, [0xc001e800000000000000, 0x4001e800000000000000, 0x800000000000005b0b9e, 0x8000000000000001bb6d, 0x000000000000000c8ed8], 0x0000000000000000, 0x00000000, false),
    (0x403effffffffffffffff, 0x73e6d1ba8323fe558c61, [0x73e6d1ba8323fe558c61, 0xf3e6d1ba8323fe558c61, 0x7426d1ba8323fe558c60, 0x0c579c3d73864f3805c0, 0x403effffffffffffffff], 0x43f0000000000000, 0x5f800000, true),
    (0xc03e8000000000000000, 0x403e8ac7230489e80000, [0x403aac7230489e800000, 0xc03f8563918244f40000, 0xc07d8ac7230489e80000, 0xbffeec1e4a7db69561a5, 0xc03e8000000000000000], 0xc3e0000000000000, 0xdf000000, true),
    (0x7fff8000000000000000, 0x4000c90fdaa22168c235, [0x7fff8000000000000000, 0x7fff8000000000000000, 0x7fff8000000000000000, 0x7fff8000000000000000, NAN], 0x7ff0000000000000, 0x7f800000, false),
    (0x3ffeaaaaaaaaaaaaaaab, 0x3ffeaaaaaaaaaaaaaaab, [0x3fffaaaaaaaaaaaaaaab, 0x00000000000000000000, 0x3ffde38e38e38e38e38f, 0x3fff8000000000000000, 0x00000000000000000000], 0x3fe5555555555555, 0x3f2aaaab, false),
    (0x403e8ac7230489e80000, 0x3ffbcccccccccccccccd, [0x403e8ac7230489e80000, 0x403e8ac7230489e80000, 0x403ade0b6b3a76400000, 0x4041ad78ebc5ac620000, 0x3ffb840b539085c9999a], 0x43e158e460913d00, 0x5f0ac723, false),
    (0xc001e800000000000000, 0x7fff8000000000000000, [0x7fff8000000000000000, 0xffff8000000000000000, 0xffff8000000000000000, 0x80000000000000000000, 0xc001e800000000000000], 0xc01d000000000000, 0xc0e80000, true),
];

#[test]
fn extended_precision_agrees_with_long_double() {
    for (a, b, [sum, difference, product, quotient, remainder], double, single, less) in EXTENDED {
        assert_eq!(float::add(80, a, b), sum, "{a:#x} + {b:#x}");
        assert_eq!(float::sub(80, a, b), difference, "{a:#x} - {b:#x}");
        assert_eq!(float::mul(80, a, b), product, "{a:#x} * {b:#x}");
        assert_eq!(float::div(80, a, b), quotient, "{a:#x} / {b:#x}");
        assert_eq!(float::float_modulo(80, a, b), remainder, "{a:#x} % {b:#x}");
        assert_eq!(float::convert_format(80, 64, a), double, "{a:#x} to double");
        assert_eq!(float::convert_format(80, 32, a), single, "{a:#x} to float");
        assert_eq!(float::float_less_than(80, a, b), less, "{a:#x} < {b:#x}");
    }
    assert_eq!(float::signed_to_float(-7, 80), 0xc001_e000_0000_0000_0000);
    assert_eq!(
        float::float_to_integer(80, 0xc001_e800_0000_0000_0000, 32, true),
        Some(0xffff_fff9)
    );
    assert_eq!(
        float::float_to_integer(80, 0x403e_ffff_ffff_ffff_ffff, 64, false),
        Some(u128::from(u64::MAX))
    );
    assert_eq!(float::float_to_integer(80, 0x403e_ffff_ffff_ffff_ffff, 64, true), None);
    assert_eq!(float::float_to_integer(80, 0x7fff_8000_0000_0000_0000, 64, true), None);
}

#[rustfmt::skip]
#[test]
fn extended_square_roots_agree_with_sqrtl() {
    for (a, root) in [
        (0x00000000000000000000, 0x00000000000000000000),
        (0x80000000000000000000, 0x80000000000000000000),
        (0x3fff8000000000000000, 0x3fff8000000000000000),
        (0x40008000000000000000, 0x3fffb504f333f9de6484),
        (0x3ffbcccccccccccccccd, 0x3ffda1e89b12424876da),
        (0x4000c000000000000000, 0x3fffddb3d742c265539e),
        (0x73e6d1ba8323fe558c61, 0x59f2e7b64e4de2fc4251),
        (0x00000000000663278e62, 0x1ff1e4bf1839e031b768),
        (0x000000000000000c8ed8, 0x1feaa05ee3dcb27ca157),
        (0x403effffffffffffffff, 0x401effffffffffffffff),
        (0x7fff8000000000000000, 0x7fff8000000000000000),
        (0x4001c800000000000000, 0x4000a000000000000000),
        (0x403e8ac7230489e80000, 0x401ebc7c871c2b1ae86c),
        (0x3fff8000000000000002, 0x3fff8000000000000001),
    ] {
        assert_eq!(float::float_sqrt(80, a), root, "{a:#x}: {:#x}", float::float_sqrt(80, a));
    }
    assert_eq!(float::float_sqrt(80, 0xbfff_8000_0000_0000_0000), NAN);
}

/// a, b, [a + b, a * b, a / (b or 1), sqrt(a)]; the roots by Python's `isqrt`, because `sqrtq` is off
/// in the last place.
#[rustfmt::skip]
#[test]
fn quadruple_precision_agrees_with_float128() {
    for (a, b, [sum, product, quotient, root]) in [
        (0x00000000000000000000000000000000, 0x3fff0000000000000000000000000000, [0x3fff0000000000000000000000000000, 0x00000000000000000000000000000000, 0x00000000000000000000000000000000, 0x00000000000000000000000000000000]),
        (0x3fff0000000000000000000000000000, 0x40008000000000000000000000000000, [0x40010000000000000000000000000000, 0x40008000000000000000000000000000, 0x3ffd5555555555555555555555555555, 0x3fff0000000000000000000000000000]),
        (0x40000000000000000000000000000000, 0x000000000000000000000000000711cc, [0x40000000000000000000000000000000, 0x000000000000000000000000000e2398, 0x7fff0000000000000000000000000000, 0x3fff6a09e667f3bcc908b2fb1366ea95]),
        (0x3ffb999999999999999999999999999a, 0x00000000000000000000000000000000, [0x3ffb999999999999999999999999999a, 0x00000000000000000000000000000000, 0x3ffb999999999999999999999999999a, 0x3ffd43d136248490edb36e896cf3d7b0]),
        (0x40008000000000000000000000000000, 0x3ffb999999999999999999999999999a, [0x40008ccccccccccccccccccccccccccd, 0x3ffd3333333333333333333333333334, 0x4003e000000000000000000000000000, 0x3fffbb67ae8584caa73b25742d7078b8]),
        (0x73e6a3750647fcab18c21ab905450cc3, 0x00000000000cc64f1cc4376f7da08f39, [0x73e6a3750647fcab18c21ab905450cc3, 0x33cc4ee6a6e7ac2c5f7ba9751ef60d5a, 0x7fff0000000000000000000000000000, 0x59f2cf6c9c9bc5f884a294e53edc9560]),
        (0x00000000000cc64f1cc4376f7da08f39, 0x40019000000000000000000000000000, [0x40019000000000000000000000000000, 0x00000000004fd76e73ca5a78d12b7f24, 0x0000000000020b3fdba483bfeb23edf5, 0x1ff1c97e3073c44413bae4c68f8d2b9b]),
        (0x000000000000000000000000000711cc, 0x40000000000000000000000000000000, [0x40000000000000000000000000000000, 0x000000000000000000000000000e2398, 0x000000000000000000000000000388e6, 0x1fd154556abab607848d13a5f4a44f61]),
        (0x403efffffffffffffffe000000000000, 0x73e6a3750647fcab18c21ab905450cc3, [0x73e6a3750647fcab18c21ab905450cc3, 0x7426a3750647fcab18c07743fefd1018, 0x0c57387ae70c9e700b7f10f8460503cc, 0x401effffffffffffffff000000000000]),
        (0x40019000000000000000000000000000, 0x403efffffffffffffffe000000000000, [0x403f0000000000000005400000000000, 0x40418ffffffffffffffe700000000000, 0x3fc19000000000000001900000000000, 0x40004000000000000000000000000000]),
    ] {
        let divisor = if b == 0 { 0x3fff << 112 } else { b };
        assert_eq!(float::add(128, a, b), sum);
        assert_eq!(float::mul(128, a, b), product);
        assert_eq!(float::div(128, a, divisor), quotient);
        assert_eq!(float::float_sqrt(128, a), root, "{a:#x}");
    }
}
