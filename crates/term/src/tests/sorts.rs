//! Ill-sorted applications are refused.

use crate::{Sort, Term, TermOp, TermStore};

/// Every operator, with arguments that fit it (8-bit, 32-bit, boolean, integer).
fn operator_signatures() -> Vec<(TermOp, &'static str)> {
    let mut all = vec![
        (TermOp::True, ""),
        (TermOp::False, ""),
        (TermOp::Int(5.into()), ""),
        (TermOp::Bv { width: 8, value: 255 }, ""),
        (TermOp::Not, "p"),
        (TermOp::And, "pp"),
        (TermOp::Or, "pp"),
        (TermOp::Eq, "bb"),
        (TermOp::Ite, "pbb"),
        (TermOp::IntAdd, "ii"),
        (TermOp::IntMul, "ii"),
        (TermOp::IntLe, "ii"),
        (TermOp::IntDiv, "ii"),
        (TermOp::IntMod, "ii"),
        (TermOp::BvNot, "b"),
        (TermOp::BvNeg, "b"),
        (TermOp::Concat, "bw"),
        (TermOp::Extract { high: 7, low: 3 }, "b"),
        (TermOp::ZeroExtend(32), "b"),
        (TermOp::SignExtend(32), "b"),
        (TermOp::BvToNat, "b"),
        (TermOp::IntToBv(8), "i"),
        (TermOp::FpSqrt, "w"),
        (TermOp::FpIsNan, "w"),
        (TermOp::FpToFp(64), "w"),
        (TermOp::FpToSbv(8), "w"),
        (TermOp::FpToUbv(8), "w"),
        (TermOp::SbvToFp(64), "b"),
        (TermOp::UbvToFp(64), "b"),
    ];
    let pairs = [
        TermOp::BvAdd,
        TermOp::BvMul,
        TermOp::BvUdiv,
        TermOp::BvUrem,
        TermOp::BvSdiv,
        TermOp::BvSrem,
        TermOp::BvAnd,
        TermOp::BvOr,
        TermOp::BvXor,
        TermOp::BvShl,
        TermOp::BvLshr,
        TermOp::BvAshr,
        TermOp::BvUlt,
        TermOp::BvUle,
        TermOp::BvSlt,
        TermOp::BvSle,
    ];
    all.extend(pairs.map(|op| (op, "bb")));
    let floats = [
        TermOp::FpAdd,
        TermOp::FpSub,
        TermOp::FpMul,
        TermOp::FpDiv,
        TermOp::FpMod,
        TermOp::FpEq,
        TermOp::FpLt,
        TermOp::FpLe,
    ];
    all.extend(floats.map(|op| (op, "ww")));
    all
}

fn sample_arguments(terms: &mut TermStore, letters: &str) -> Vec<Term> {
    let sort = |letter| match letter {
        'p' => Sort::Bool,
        'i' => Sort::Int,
        'b' => Sort::BitVec(8),
        _ => Sort::BitVec(32),
    };
    letters.chars().map(|c| terms.intern_symbol(&c.to_string(), sort(c)).unwrap()).collect()
}

#[test]
fn each_operator_takes_what_fits_and_refuses_the_rest() {
    for (op, letters) in operator_signatures() {
        let mut terms = TermStore::new();
        let good = sample_arguments(&mut terms, letters);
        assert!(terms.apply_operator(op.clone(), &good).is_ok(), "{op:?} {letters}");
        for at in 0..letters.len() {
            for wrong in ["p", "i", "b", "w"] {
                let mut letters = letters.to_owned();
                letters.replace_range(at..=at, wrong);
                let takes_any_width = match op {
                    TermOp::Concat
                    | TermOp::BvToNat
                    | TermOp::BvNot
                    | TermOp::BvNeg
                    | TermOp::Extract { .. }
                    | TermOp::ZeroExtend(_)
                    | TermOp::SignExtend(_)
                    | TermOp::SbvToFp(_)
                    | TermOp::UbvToFp(_) => {
                        matches!(wrong, "b" | "w")
                    }
                    _ => false,
                };
                let fits = operator_signatures().contains(&(op.clone(), letters.as_str()))
                    || takes_any_width;
                let args = sample_arguments(&mut terms, &letters);
                let applied = terms.apply_operator(op.clone(), &args);
                assert_eq!(applied.is_ok(), fits, "{op:?} {letters}");
            }
        }
        let variadic = matches!(op, TermOp::And | TermOp::Or | TermOp::IntAdd | TermOp::IntMul);
        let mut more = good.clone();
        more.extend(sample_arguments(&mut terms, &letters[..letters.len().min(1)]));
        if more.is_empty() {
            more = sample_arguments(&mut terms, "p");
        }
        assert_eq!(
            terms.apply_operator(op.clone(), &more).is_ok(),
            variadic,
            "{op:?} with one more"
        );
        if !good.is_empty() && !variadic {
            assert!(terms.apply_operator(op.clone(), &good[1..]).is_err(), "{op:?} with one fewer");
        }
    }
}

#[test]
fn indices_out_of_range_are_refused() {
    let mut terms = TermStore::new();
    let args = sample_arguments(&mut terms, "bwi");
    let (byte, word, int) = (args[0], args[1], args[2]);
    let wide = terms.intern_symbol("wide", Sort::BitVec(128)).unwrap();
    for (op, args) in [
        (TermOp::Bv { width: 0, value: 0 }, vec![]),
        (TermOp::Bv { width: 129, value: 0 }, vec![]),
        (TermOp::Bv { width: 8, value: 256 }, vec![]),
        (TermOp::Extract { high: 8, low: 0 }, vec![byte]),
        (TermOp::Extract { high: 0, low: 1 }, vec![byte]),
        (TermOp::ZeroExtend(7), vec![byte]),
        (TermOp::ZeroExtend(129), vec![byte]),
        (TermOp::SignExtend(0), vec![byte]),
        (TermOp::Concat, vec![wide, byte]),
        (TermOp::IntToBv(0), vec![int]),
        (TermOp::IntToBv(129), vec![int]),
        (TermOp::FpToFp(16), vec![word]),
        (TermOp::FpToSbv(0), vec![word]),
        (TermOp::FpToUbv(129), vec![word]),
        (TermOp::SbvToFp(8), vec![word]),
        (TermOp::IntAdd, vec![]),
    ] {
        assert!(terms.apply_operator(op.clone(), &args).is_err(), "{op:?}");
    }
    assert_eq!(terms.intern_symbol("none", Sort::BitVec(0)), None);
    assert_eq!(terms.intern_symbol("none", Sort::BitVec(129)), None);
    assert_eq!(terms.intern_symbol("i", Sort::Bool), None);
}
