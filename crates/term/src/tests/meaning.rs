//! The meaning of the integer operators, against the processor's.

use super::tree::Random;
use crate::fold::fold;
use crate::{Constant, Op};

macro_rules! against {
    ($width:literal $unsigned:ty, $signed:ty, $random:expr) => {{
        let (a, b) = ($random.bits($width), $random.bits($width));
        let args =
            [Constant::Bv { width: $width, value: a }, Constant::Bv { width: $width, value: b }];
        let (ua, ub) = (<$unsigned>::try_from(a).unwrap(), <$unsigned>::try_from(b).unwrap());
        let (sa, sb) = (ua.cast_signed(), ub.cast_signed());
        let count = u32::try_from(b).ok().filter(|count| *count < $width);
        let vector = |op: Op, value: $unsigned| {
            let expected = Constant::Bv { width: $width, value: u128::from(value) };
            assert_eq!(fold(&op, &args), Some(expected), "{op:?} {a:#x} {b:#x}");
        };
        let truth = |op: Op, value: bool| {
            assert_eq!(fold(&op, &args), Some(Constant::Bool(value)), "{op:?} {a:#x} {b:#x}");
        };
        vector(Op::BvAdd, ua.wrapping_add(ub));
        vector(Op::BvMul, ua.wrapping_mul(ub));
        vector(Op::BvAnd, ua & ub);
        vector(Op::BvOr, ua | ub);
        vector(Op::BvXor, ua ^ ub);
        vector(Op::BvShl, count.map_or(0, |count| ua << count));
        vector(Op::BvLshr, count.map_or(0, |count| ua >> count));
        vector(Op::BvAshr, count.map_or(sa >> ($width - 1), |count| sa >> count).cast_unsigned());
        vector(Op::BvUdiv, if ub == 0 { <$unsigned>::MAX } else { ua / ub });
        vector(Op::BvUrem, if ub == 0 { ua } else { ua % ub });
        let by_zero = if sa < 0 { 1 } else { -1 };
        vector(Op::BvSdiv, if sb == 0 { by_zero } else { sa.wrapping_div(sb) }.cast_unsigned());
        vector(Op::BvSrem, if sb == 0 { sa } else { sa.wrapping_rem(sb) }.cast_unsigned());
        truth(Op::BvUlt, ua < ub);
        truth(Op::BvUle, ua <= ub);
        truth(Op::BvSlt, sa < sb);
        truth(Op::BvSle, sa <= sb);
        let one = |op: Op, expected: Constant| assert_eq!(fold(&op, &args[..1]), Some(expected));
        let bv = |width: u32, value: u128| Constant::Bv { width, value };
        one(Op::BvNot, bv($width, u128::from(!ua)));
        one(Op::BvNeg, bv($width, u128::from(ua.wrapping_neg())));
        one(Op::ZeroExtend(128), bv(128, a));
        one(Op::SignExtend(128), bv(128, i128::from(sa).cast_unsigned()));
        one(Op::Extract { high: 6, low: 2 }, bv(5, (a >> 2) & 31));
        one(Op::BvToNat, Constant::Int(a.into()));
        assert_eq!(fold(&Op::IntToBv($width), &[Constant::Int(sa.into())]), Some(bv($width, a)));
    }};
}

#[test]
fn operators_do_what_the_processor_does() {
    let mut random = Random::new(7);
    for _ in 0..20_000 {
        against!(8 u8, i8, random);
        against!(16 u16, i16, random);
        against!(32 u32, i32, random);
        against!(64 u64, i64, random);
        against!(128 u128, i128, random);
    }
}

#[test]
fn concatenation_puts_the_first_on_top() {
    let high = Constant::Bv { width: 4, value: 0xA };
    let low = Constant::Bv { width: 8, value: 0x5B };
    assert_eq!(fold(&Op::Concat, &[high, low]), Some(Constant::Bv { width: 12, value: 0xA5B }));
}

/// SMT-LIB: `a = b * div + mod` with `0 <= mod < |b|`.
#[test]
fn integer_division_is_euclidean() {
    for a in -20i64..=20 {
        for b in (-7i64..=7).filter(|b| *b != 0) {
            let args = [Constant::Int(a.into()), Constant::Int(b.into())];
            assert_eq!(fold(&Op::IntDiv, &args), Some(Constant::Int(a.div_euclid(b).into())));
            assert_eq!(fold(&Op::IntMod, &args), Some(Constant::Int(a.rem_euclid(b).into())));
        }
        let zero = [Constant::Int(a.into()), Constant::Int(0.into())];
        assert_eq!(fold(&Op::IntDiv, &zero), None);
        assert_eq!(fold(&Op::IntMod, &zero), None);
    }
}
