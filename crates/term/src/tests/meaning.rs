//! The meaning of the integer operators, against the processor's.

use super::tree::RandomConstants;
use crate::fold::fold_constants;
use crate::{Constant, TermOp};

macro_rules! against {
    ($width:literal $unsigned:ty, $signed:ty, $random:expr) => {{
        let (a, b) = ($random.random_bits($width), $random.random_bits($width));
        let args =
            [Constant::Bv { width: $width, value: a }, Constant::Bv { width: $width, value: b }];
        let (ua, ub) = (<$unsigned>::try_from(a).unwrap(), <$unsigned>::try_from(b).unwrap());
        let (sa, sb) = (ua.cast_signed(), ub.cast_signed());
        let count = u32::try_from(b).ok().filter(|count| *count < $width);
        let vector = |op: TermOp, value: $unsigned| {
            let expected = Constant::Bv { width: $width, value: u128::from(value) };
            assert_eq!(fold_constants(&op, &args), Some(expected), "{op:?} {a:#x} {b:#x}");
        };
        let truth = |op: TermOp, value: bool| {
            assert_eq!(
                fold_constants(&op, &args),
                Some(Constant::Bool(value)),
                "{op:?} {a:#x} {b:#x}"
            );
        };
        vector(TermOp::BvAdd, ua.wrapping_add(ub));
        vector(TermOp::BvMul, ua.wrapping_mul(ub));
        vector(TermOp::BvAnd, ua & ub);
        vector(TermOp::BvOr, ua | ub);
        vector(TermOp::BvXor, ua ^ ub);
        vector(TermOp::BvShl, count.map_or(0, |count| ua << count));
        vector(TermOp::BvLshr, count.map_or(0, |count| ua >> count));
        vector(
            TermOp::BvAshr,
            count.map_or(sa >> ($width - 1), |count| sa >> count).cast_unsigned(),
        );
        vector(TermOp::BvUdiv, if ub == 0 { <$unsigned>::MAX } else { ua / ub });
        vector(TermOp::BvUrem, if ub == 0 { ua } else { ua % ub });
        let by_zero = if sa < 0 { 1 } else { -1 };
        vector(TermOp::BvSdiv, if sb == 0 { by_zero } else { sa.wrapping_div(sb) }.cast_unsigned());
        vector(TermOp::BvSrem, if sb == 0 { sa } else { sa.wrapping_rem(sb) }.cast_unsigned());
        truth(TermOp::BvUlt, ua < ub);
        truth(TermOp::BvUle, ua <= ub);
        truth(TermOp::BvSlt, sa < sb);
        truth(TermOp::BvSle, sa <= sb);
        let one = |op: TermOp, expected: Constant| {
            assert_eq!(fold_constants(&op, &args[..1]), Some(expected))
        };
        let bv = |width: u32, value: u128| Constant::Bv { width, value };
        one(TermOp::BvNot, bv($width, u128::from(!ua)));
        one(TermOp::BvNeg, bv($width, u128::from(ua.wrapping_neg())));
        one(TermOp::ZeroExtend(128), bv(128, a));
        one(TermOp::SignExtend(128), bv(128, i128::from(sa).cast_unsigned()));
        one(TermOp::Extract { high: 6, low: 2 }, bv(5, (a >> 2) & 31));
        one(TermOp::BvToNat, Constant::Int(a.into()));
        assert_eq!(
            fold_constants(&TermOp::IntToBv($width), &[Constant::Int(sa.into())]),
            Some(bv($width, a))
        );
    }};
}

#[test]
fn operators_do_what_the_processor_does() {
    let mut random = RandomConstants::new(7);
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
    assert_eq!(
        fold_constants(&TermOp::Concat, &[high, low]),
        Some(Constant::Bv { width: 12, value: 0xA5B })
    );
}

/// SMT-LIB: `a = b * div + mod` with `0 <= mod < |b|`.
#[test]
fn integer_division_is_euclidean() {
    for a in -20i64..=20 {
        for b in (-7i64..=7).filter(|b| *b != 0) {
            let args = [Constant::Int(a.into()), Constant::Int(b.into())];
            assert_eq!(
                fold_constants(&TermOp::IntDiv, &args),
                Some(Constant::Int(a.div_euclid(b).into()))
            );
            assert_eq!(
                fold_constants(&TermOp::IntMod, &args),
                Some(Constant::Int(a.rem_euclid(b).into()))
            );
        }
        let zero = [Constant::Int(a.into()), Constant::Int(0.into())];
        assert_eq!(fold_constants(&TermOp::IntDiv, &zero), None);
        assert_eq!(fold_constants(&TermOp::IntMod, &zero), None);
    }
}
