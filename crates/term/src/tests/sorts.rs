//! Ill-sorted applications are refused.

use crate::{Op, Sort, Term, Terms};

/// Every operator, with arguments that fit it (8-bit, 32-bit, boolean, integer).
fn signatures() -> Vec<(Op, &'static str)> {
    let mut all = vec![
        (Op::True, ""),
        (Op::False, ""),
        (Op::Int(5.into()), ""),
        (Op::Bv { width: 8, value: 255 }, ""),
        (Op::Not, "p"),
        (Op::And, "pp"),
        (Op::Or, "pp"),
        (Op::Eq, "bb"),
        (Op::Ite, "pbb"),
        (Op::IntAdd, "ii"),
        (Op::IntMul, "ii"),
        (Op::IntLe, "ii"),
        (Op::IntDiv, "ii"),
        (Op::IntMod, "ii"),
        (Op::BvNot, "b"),
        (Op::BvNeg, "b"),
        (Op::Concat, "bw"),
        (Op::Extract { high: 7, low: 3 }, "b"),
        (Op::ZeroExtend(32), "b"),
        (Op::SignExtend(32), "b"),
        (Op::BvToNat, "b"),
        (Op::IntToBv(8), "i"),
        (Op::FpSqrt, "w"),
        (Op::FpIsNan, "w"),
        (Op::FpToFp(64), "w"),
        (Op::FpToSbv(8), "w"),
        (Op::FpToUbv(8), "w"),
        (Op::SbvToFp(64), "b"),
        (Op::UbvToFp(64), "b"),
    ];
    let pairs = [
        Op::BvAdd,
        Op::BvMul,
        Op::BvUdiv,
        Op::BvUrem,
        Op::BvSdiv,
        Op::BvSrem,
        Op::BvAnd,
        Op::BvOr,
        Op::BvXor,
        Op::BvShl,
        Op::BvLshr,
        Op::BvAshr,
        Op::BvUlt,
        Op::BvUle,
        Op::BvSlt,
        Op::BvSle,
    ];
    all.extend(pairs.map(|op| (op, "bb")));
    let floats =
        [Op::FpAdd, Op::FpSub, Op::FpMul, Op::FpDiv, Op::FpMod, Op::FpEq, Op::FpLt, Op::FpLe];
    all.extend(floats.map(|op| (op, "ww")));
    all
}

fn arguments(terms: &mut Terms, letters: &str) -> Vec<Term> {
    let sort = |letter| match letter {
        'p' => Sort::Bool,
        'i' => Sort::Int,
        'b' => Sort::BitVec(8),
        _ => Sort::BitVec(32),
    };
    letters.chars().map(|c| terms.symbol(&c.to_string(), sort(c)).unwrap()).collect()
}

#[test]
fn each_operator_takes_what_fits_and_refuses_the_rest() {
    for (op, letters) in signatures() {
        let mut terms = Terms::new();
        let good = arguments(&mut terms, letters);
        assert!(terms.apply(op.clone(), &good).is_ok(), "{op:?} {letters}");
        for at in 0..letters.len() {
            for wrong in ["p", "i", "b", "w"] {
                let mut letters = letters.to_owned();
                letters.replace_range(at..=at, wrong);
                let takes_any_width = match op {
                    Op::Concat
                    | Op::BvToNat
                    | Op::BvNot
                    | Op::BvNeg
                    | Op::Extract { .. }
                    | Op::ZeroExtend(_)
                    | Op::SignExtend(_)
                    | Op::SbvToFp(_)
                    | Op::UbvToFp(_) => {
                        matches!(wrong, "b" | "w")
                    }
                    _ => false,
                };
                let fits =
                    signatures().contains(&(op.clone(), letters.as_str())) || takes_any_width;
                let args = arguments(&mut terms, &letters);
                let applied = terms.apply(op.clone(), &args);
                assert_eq!(applied.is_ok(), fits, "{op:?} {letters}");
            }
        }
        let variadic = matches!(op, Op::And | Op::Or | Op::IntAdd | Op::IntMul);
        let mut more = good.clone();
        more.extend(arguments(&mut terms, &letters[..letters.len().min(1)]));
        if more.is_empty() {
            more = arguments(&mut terms, "p");
        }
        assert_eq!(terms.apply(op.clone(), &more).is_ok(), variadic, "{op:?} with one more");
        if !good.is_empty() && !variadic {
            assert!(terms.apply(op.clone(), &good[1..]).is_err(), "{op:?} with one fewer");
        }
    }
}

#[test]
fn indices_out_of_range_are_refused() {
    let mut terms = Terms::new();
    let args = arguments(&mut terms, "bwi");
    let (byte, word, int) = (args[0], args[1], args[2]);
    let wide = terms.symbol("wide", Sort::BitVec(128)).unwrap();
    for (op, args) in [
        (Op::Bv { width: 0, value: 0 }, vec![]),
        (Op::Bv { width: 129, value: 0 }, vec![]),
        (Op::Bv { width: 8, value: 256 }, vec![]),
        (Op::Extract { high: 8, low: 0 }, vec![byte]),
        (Op::Extract { high: 0, low: 1 }, vec![byte]),
        (Op::ZeroExtend(7), vec![byte]),
        (Op::ZeroExtend(129), vec![byte]),
        (Op::SignExtend(0), vec![byte]),
        (Op::Concat, vec![wide, byte]),
        (Op::IntToBv(0), vec![int]),
        (Op::IntToBv(129), vec![int]),
        (Op::FpToFp(16), vec![word]),
        (Op::FpToSbv(0), vec![word]),
        (Op::FpToUbv(129), vec![word]),
        (Op::SbvToFp(8), vec![word]),
        (Op::IntAdd, vec![]),
    ] {
        assert!(terms.apply(op.clone(), &args).is_err(), "{op:?}");
    }
    assert_eq!(terms.symbol("none", Sort::BitVec(0)), None);
    assert_eq!(terms.symbol("none", Sort::BitVec(129)), None);
    assert_eq!(terms.symbol("i", Sort::Bool), None);
}
