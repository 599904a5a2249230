//! Operations on mathematical integers, against arithmetic in 128 bits and against plain numbers.

use ouro_model::Span;
use ouro_term::{Assignment, Constant, TermEvaluator};

use super::*;
use crate::memory::MachineMemory;
use crate::{ChoiceRequest, ObjectRef, OverflowSemantics, StorageClass};

/// Notes the conditions.
#[derive(Default)]
struct ConditionRecorder {
    required: Vec<Term>,
    covered: Vec<Term>,
}

impl RunEnvironment for ConditionRecorder {
    fn provide_choice(&mut self, _: &mut TermStore, _: ChoiceRequest<'_>) -> Option<MachineValue> {
        None
    }

    fn provide_unknown(&mut self, _: &mut TermStore, _: Sort, _: &str) -> Option<MachineValue> {
        None
    }

    fn assume(&mut self, condition: Term) {
        self.required.push(condition);
    }

    fn restrict_coverage(&mut self, condition: Term, _: &str) {
        self.covered.push(condition);
    }
}

/// Where operations are tried: two symbols and their values.
struct IntegerBench {
    terms: TermStore,
    memory: MachineMemory,
    recorder: ConditionRecorder,
    symbols: [Term; 2],
    values: Assignment,
}

/// What an operation does on some values.
#[derive(Clone, PartialEq, Eq, Debug)]
enum OperationOutcome {
    /// It gives a number.
    Number(i128),
    /// It is undefined.
    Undefined,
    /// It is not covered.
    Uncovered,
}

impl IntegerBench {
    fn new() -> IntegerBench {
        let mut terms = TermStore::new();
        let symbols =
            ["x", "y"].map(|name| terms.intern_symbol(name, Sort::Int).expect("a symbol"));
        let memory = MachineMemory::new(64);
        let recorder = ConditionRecorder::default();
        IntegerBench { terms, memory, recorder, symbols, values: Assignment::new() }
    }

    fn set_symbol(&mut self, index: usize, value: i128) -> MachineValue {
        let symbol = self.terms.symbols_of(self.symbols[index])[0];
        self.values.set(symbol, Constant::Int(value.into()));
        MachineValue::symbolic(self.symbols[index], Provenance::None)
    }

    fn arithmetic_context(&mut self) -> ArithmeticContext<'_, ConditionRecorder> {
        self.recorder = ConditionRecorder::default();
        ArithmeticContext {
            terms: &mut self.terms,
            memory: &mut self.memory,
            environment: &mut self.recorder,
            overflow: OverflowSemantics::Unbounded,
            span: Span::NONE,
            specification: false,
        }
    }

    /// The outcome, from the result and the conditions. Bits are read with or without a sign.
    fn operation_outcome(
        &mut self,
        width: u32,
        signed: bool,
        result: Result<MachineValue, RunEnd>,
    ) -> OperationOutcome {
        let mut evaluator = TermEvaluator::new(&self.terms, &self.values);
        if !self.recorder.covered.iter().all(|c| evaluator.evaluate_formula(*c) == Some(true)) {
            return OperationOutcome::Uncovered;
        }
        if !self.recorder.required.iter().all(|c| evaluator.evaluate_formula(*c) == Some(true)) {
            return OperationOutcome::Undefined;
        }
        let value = match result {
            Ok(value) => value,
            Err(RunEnd::Limit(_)) => return OperationOutcome::Uncovered,
            Err(RunEnd::Undefined(_)) => return OperationOutcome::Undefined,
            Err(other) => panic!("{other:?}"),
        };
        let constant = match value.term() {
            Some(term) => evaluator.evaluate_term(term).expect("a value"),
            None => Constant::Bv { width, value: value.bits.into() },
        };
        OperationOutcome::Number(match constant {
            Constant::Int(number) => i128::try_from(&number).expect("a small number"),
            Constant::Bv { value, .. } if signed => sign_extend(width, value),
            Constant::Bv { value, .. } => value.cast_signed(),
            Constant::Bool(truth) => truth.into(),
        })
    }
}

/// Numbers in which signs, borders and remainders occur.
fn border_numbers(most: i128) -> impl FnMut() -> i128 {
    let mut state = 7u64;
    move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let bits = i128::from(state >> 12);
        let value = match state % 7 {
            0..3 => bits % 9 - 4,
            3 => (1 << (bits % 62)) - (bits >> 20 & 1),
            4 => -(1 << (bits % 62)),
            _ => (bits << 11 ^ bits) - (1 << 61),
        };
        value.clamp(-most, most)
    }
}

const OPERATIONS: [BinaryOp; 15] = [
    BinaryOp::Add { signed: true },
    BinaryOp::Add { signed: false },
    BinaryOp::Sub { signed: true },
    BinaryOp::Sub { signed: false },
    BinaryOp::Mul { signed: true },
    BinaryOp::Mul { signed: false },
    BinaryOp::Shl { signed: true },
    BinaryOp::Shl { signed: false },
    BinaryOp::LShr,
    BinaryOp::AShr,
    BinaryOp::UDiv,
    BinaryOp::SDiv,
    BinaryOp::URem,
    BinaryOp::SRem,
    BinaryOp::And,
];

fn is_shift(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Shl { .. } | BinaryOp::LShr | BinaryOp::AShr)
}

/// What an operation has to do, in exact arithmetic.
fn expected_outcome(op: BinaryOp, width: u32, x: i128, y: i128) -> OperationOutcome {
    if is_shift(op) && !(0..i128::from(width)).contains(&y) {
        return OperationOutcome::Undefined;
    }
    let (natural_y, signed) = (is_shift(op) || y >= 0, is_signed(op));
    if !signed && op != BinaryOp::And && (x < 0 || !natural_y) {
        return OperationOutcome::Uncovered;
    }
    OperationOutcome::Number(match op {
        BinaryOp::Add { .. } => x + y,
        BinaryOp::Sub { signed: false } if x < y => return OperationOutcome::Uncovered,
        BinaryOp::Sub { .. } => x - y,
        BinaryOp::Mul { .. } => x * y,
        BinaryOp::Shl { .. } => x << y,
        BinaryOp::LShr | BinaryOp::AShr => x >> y,
        _ if op != BinaryOp::And && y == 0 => return OperationOutcome::Undefined,
        BinaryOp::UDiv | BinaryOp::SDiv => x / y,
        BinaryOp::URem | BinaryOp::SRem => x % y,
        _ => x & y,
    })
}

#[test]
fn arithmetic_is_exact() {
    let mut bench = IntegerBench::new();
    let mut next = border_numbers(1 << 61);
    for op in OPERATIONS {
        for width in [32, 64].into_iter().flat_map(|width| [width; 300]) {
            let (x, mut y) = (next(), next());
            if is_shift(op) {
                y = y.rem_euclid(i128::from(width) + 1);
            }
            if op == BinaryOp::And {
                y = (1 << (y & 31)) - 1;
            }
            let fits = |number: i128| sign_extend(width, number.cast_unsigned()) == number;
            let plain = |number: i128| {
                MachineValue::plain(number.cast_unsigned() as u64 & plain::width_mask(width))
            };
            let mut pairs = vec![];
            let (left, right) = (bench.set_symbol(0, x), bench.set_symbol(1, y));
            if fits(y) {
                pairs.push((left, plain(y)));
            }
            if !is_shift(op) && op != BinaryOp::And {
                pairs.push((left, right));
                if fits(x) {
                    pairs.push((plain(x), right));
                }
            }
            for (a, b) in pairs {
                let result = bench.arithmetic_context().apply_binary(op, width, a, b);
                let found = bench.operation_outcome(width, true, result);
                let mut wanted = expected_outcome(op, width, x, y);
                // A negative constant of an unsigned operation is a large natural number.
                if !is_signed(op)
                    && op != BinaryOp::And
                    && (is_negative(a, width) || is_negative(b, width))
                {
                    let large = |v: MachineValue, n: i128| {
                        if is_negative(v, width) { n + (1 << width) } else { n }
                    };
                    wanted = match op {
                        BinaryOp::Add { .. } | BinaryOp::Sub { .. } | BinaryOp::Mul { .. } => {
                            OperationOutcome::Uncovered
                        }
                        _ => expected_outcome(op, width, large(a, x), large(b, y)),
                    };
                }
                assert_eq!(found, wanted, "{op:?} {width} {x} {y} {a:?} {b:?}");
            }
        }
    }
}

/// Where plain numbers have a result, integers have the same.
#[test]
fn integers_are_as_plain_numbers() {
    let mut bench = IntegerBench::new();
    let mut next = border_numbers(1 << 61);
    for op in OPERATIONS.into_iter().filter(|op| *op != BinaryOp::And) {
        for width in [8, 16, 32, 64].into_iter().flat_map(|width| [width; 200]) {
            let mut bits = || next().cast_unsigned() as u64 & plain::width_mask(width);
            let (a, mut b) = (bits(), bits());
            if is_shift(op) {
                b %= u64::from(width);
            }
            let Some(wanted) = plain::plain_binary(OverflowSemantics::Unbounded, op, width, a, b)
            else {
                continue;
            };
            let signed = is_signed(op);
            let read = |bits: u64| match signed {
                true => i128::from(plain::signed_value(width, bits)),
                false => i128::from(bits),
            };
            let left = bench.set_symbol(0, read(a));
            let right =
                if is_shift(op) { MachineValue::plain(b) } else { bench.set_symbol(1, read(b)) };
            let result = bench.arithmetic_context().apply_binary(op, width, left, right);
            let found = bench.operation_outcome(width, signed, result);
            assert_eq!(
                found,
                OperationOutcome::Number(read(wanted)),
                "{op:?} {width} {a:#x} {b:#x}"
            );
        }
    }
}

#[test]
fn comparisons_are_exact() {
    let mut bench = IntegerBench::new();
    let mut next = border_numbers(1 << 61);
    let operations = [
        CompareOp::Eq,
        CompareOp::Ne,
        CompareOp::Slt,
        CompareOp::Sle,
        CompareOp::Ult,
        CompareOp::Ule,
    ];
    for op in operations {
        for width in [32, 64].into_iter().flat_map(|width| [width; 300]) {
            let x = next();
            let y = if next() % 3 == 0 { x } else { next() };
            let (a, b) = (bench.set_symbol(0, x), bench.set_symbol(1, y));
            let unsigned = matches!(op, CompareOp::Ult | CompareOp::Ule);
            let compare = |x: i128, y: i128| match op {
                CompareOp::Eq => x == y,
                CompareOp::Ne => x != y,
                CompareOp::Slt | CompareOp::Ult => x < y,
                _ => x <= y,
            };
            let result = bench.arithmetic_context().apply_compare(op, width, a, b);
            let wanted = match unsigned && (x < 0 || y < 0) {
                true => OperationOutcome::Uncovered,
                false => OperationOutcome::Number(compare(x, y).into()),
            };
            assert_eq!(bench.operation_outcome(1, false, result), wanted, "{op:?} {width} {x} {y}");
            // The second one as plain bits.
            let bits = y.cast_unsigned() as u64 & plain::width_mask(width);
            let with_sign = i128::from(plain::signed_value(width, bits));
            let without = i128::from(bits);
            let result =
                bench.arithmetic_context().apply_compare(op, width, a, MachineValue::plain(bits));
            let wanted = match op {
                CompareOp::Eq | CompareOp::Ne if with_sign != without && x == without => {
                    OperationOutcome::Uncovered
                }
                CompareOp::Ult | CompareOp::Ule if x < 0 => OperationOutcome::Uncovered,
                CompareOp::Ult | CompareOp::Ule => {
                    OperationOutcome::Number(compare(x, without).into())
                }
                _ => OperationOutcome::Number(compare(x, with_sign).into()),
            };
            assert_eq!(
                bench.operation_outcome(1, false, result),
                wanted,
                "{op:?} {width} {x} {bits:#x}"
            );
        }
    }
}

#[test]
fn conversions_keep_the_number_or_are_not_covered() {
    let mut bench = IntegerBench::new();
    let mut next = border_numbers(1 << 40);
    for _ in 0..500 {
        let x = next();
        let a = bench.set_symbol(0, x);
        let mut cast = |op, from, to| {
            let result = bench.arithmetic_context().apply_cast(op, from, to, a);
            bench.operation_outcome(to, false, result)
        };
        let when = |covered: bool, number: i128| match covered {
            true => OperationOutcome::Number(number),
            false => OperationOutcome::Uncovered,
        };
        assert_eq!(cast(CastOp::SignExtend, 32, 64), OperationOutcome::Number(x));
        assert_eq!(cast(CastOp::ZeroExtend, 32, 64), when(x >= 0, x));
        assert_eq!(cast(CastOp::Truncate, 64, 32), OperationOutcome::Number(x));
        assert_eq!(cast(CastOp::Truncate, 32, 8), when((-128..256).contains(&x), x));
        assert_eq!(cast(CastOp::Truncate, 32, 1), OperationOutcome::Number(x.rem_euclid(2)));
        assert_eq!(cast(CastOp::SignExtend, 8, 32), when(x < 128, x));
        assert_eq!(cast(CastOp::ZeroExtend, 8, 32), when(x >= 0, x));
        assert_eq!(cast(CastOp::SignedToFloat, 32, 64), OperationOutcome::Uncovered);
    }
}

#[test]
fn bits_become_the_number_they_mean() {
    let mut terms = TermStore::new();
    let byte = terms.fresh_bv("byte", 8);
    let symbol = terms.symbols_of(byte)[0];
    let wide = terms.zero_extend(16, byte);
    let wide_signed = terms.sign_extend(16, byte);
    for value in 0..256u128 {
        let mut values = Assignment::new();
        values.set(symbol, Constant::Bv { width: 8, value });
        let signed = sign_extend(8, value);
        for (bits, is_signed, number) in [
            (byte, false, value.cast_signed()),
            (byte, true, signed),
            (wide, true, value.cast_signed()),
            (wide_signed, true, signed),
            (wide_signed, false, (signed & 0xffff)),
        ] {
            let term = integer_of_bits(&mut terms, bits, is_signed);
            let found = TermEvaluator::new(&terms, &values).evaluate_term(term);
            assert_eq!(found, Some(Constant::Int(number.into())));
        }
    }
}

#[test]
fn choosing_mixes_only_what_is_clear() {
    let mut bench = IntegerBench::new();
    let x = bench.set_symbol(0, 1 << 40);
    let condition = MachineValue::symbolic(bench.terms.fresh_bv("c", 1), Provenance::None);
    let minus_one = MachineValue::plain(0xffff_ffff);
    let mut select =
        |number, a, b| bench.arithmetic_context().select_value(condition, number, 32, a, b);
    assert!(select(true, x, MachineValue::plain(7)).is_some());
    assert!(select(true, MachineValue::plain(3), MachineValue::plain(7)).is_some());
    assert_eq!(select(true, x, minus_one), None);
    assert_eq!(select(true, MachineValue::plain(3), minus_one), None);
    // Floats and the like are bits.
    assert!(select(false, MachineValue::plain(3), minus_one).is_some());
    let chosen =
        select(true, x, MachineValue::plain(7)).and_then(MachineValue::term).expect("a term");
    assert_eq!(bench.terms.sort(chosen), Sort::Int);
}

#[test]
fn memory_keeps_integers_whole() {
    use crate::memory::LoadOutcome;
    use ouro_model::Type;
    let mut bench = IntegerBench::new();
    let x = bench.set_symbol(0, 1 << 40);
    let IntegerBench { terms, memory, .. } = &mut bench;
    let span = Span::NONE;
    let make = |memory: &mut MachineMemory| -> ObjectRef {
        let object =
            memory.create_object(24, 8, "object".into(), StorageClass::Heap).expect("room");
        memory
            .fill_bytes(&mut TermStore::new(), (object, 0), MachineValue::plain(1), 24, span)
            .expect("plain");
        object
    };
    let (a, b) = (make(memory), make(memory));
    memory.store_value(terms, a, 8, 32, x, span).expect("whole");
    let load = |memory: &mut MachineMemory, terms: &mut TermStore, object, at, ty| match memory
        .load_value(terms, object, at, ty, span)
    {
        LoadOutcome::Value(value) => Some(value),
        LoadOutcome::TakenApart => None,
        _ => panic!("all was written"),
    };
    assert_eq!(load(memory, terms, a, 8, Type::Int(32)), Some(x));
    assert_eq!(load(memory, terms, a, 4, Type::Int(32)), Some(MachineValue::plain(0x0101_0101)));
    for (at, ty) in [(8, 8), (8, 64), (10, 16), (6, 32), (8, 31)] {
        assert_eq!(load(memory, terms, a, at, Type::Int(ty)), None, "{ty} bits at {at}");
    }
    assert_eq!(load(memory, terms, a, 8, Type::Float(32)), None);
    // Copies keep it whole or are refused, and so are stores that leave a part of it.
    memory.copy_bytes(terms, (b, 0), (a, 4), 12, span).expect("whole");
    assert_eq!(load(memory, terms, b, 4, Type::Int(32)), Some(x));
    assert!(memory.copy_bytes(terms, (b, 0), (a, 0), 10, span).is_err());
    assert!(memory.copy_bytes(terms, (a, 10), (b, 16), 8, span).is_err());
    assert!(memory.store_value(terms, a, 9, 8, MachineValue::plain(0), span).is_err());
    assert_eq!(load(memory, terms, a, 8, Type::Int(32)), Some(x));
    memory.store_value(terms, a, 8, 64, MachineValue::plain(0), span).expect("all of it");
    assert_eq!(load(memory, terms, a, 8, Type::Int(8)), Some(MachineValue::plain(0)));
}

#[test]
fn squaring_does_not_fill_the_memory() {
    let mut bench = IntegerBench::new();
    let x = bench.set_symbol(0, 3);
    let signed = BinaryOp::Mul { signed: true };
    let mut value = bench
        .arithmetic_context()
        .apply_binary(signed, 32, x, MachineValue::plain(3))
        .expect("small");
    for _ in 0..64 {
        match bench.arithmetic_context().apply_binary(signed, 32, value, value) {
            Ok(square) => value = square,
            Err(end) => return assert_eq!(end, RunEnd::Limit(HUGE.to_owned())),
        }
    }
    panic!("a coefficient of 2^64 bits");
}
