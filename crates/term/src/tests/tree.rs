//! Random terms as plain trees, which nothing has simplified.

use num_bigint::BigInt;

use crate::fold::fold_constants;
use crate::{Constant, Sort, Term, TermOp, TermStore, width_mask};

/// A deterministic source of random numbers (xorshift64*).
pub(super) struct RandomConstants(u64);

impl RandomConstants {
    pub(super) fn new(seed: u64) -> RandomConstants {
        RandomConstants(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    pub(super) fn number_below(&mut self, bound: usize) -> usize {
        usize::try_from((self.next() >> 16) % u64::try_from(bound).unwrap()).unwrap()
    }

    pub(super) fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.number_below(from.len())].clone()
    }

    fn wide_number(&mut self) -> u128 {
        u128::from(self.next()) << 64 | u128::from(self.next())
    }

    /// A bit-vector value; often one at which something happens.
    pub(super) fn random_bits(&mut self, width: u32) -> u128 {
        let top = 1u128 << (width - 1);
        let wide = self.wide_number();
        let near = u32::try_from(self.number_below(128)).unwrap();
        let value = match self.number_below(10) {
            0 => 0,
            1 => 1,
            2 => u128::MAX,
            3 => top,
            4 => top.wrapping_sub(1),
            5 => u128::from(width) + u128::try_from(self.number_below(3)).unwrap() - 1,
            6 => width_mask(near),
            7 => u128::try_from(self.number_below(5)).unwrap(),
            8 if is_float_width(width) => self.random_float_pattern(width),
            _ => wide,
        };
        value & width_mask(width)
    }

    fn random_float_pattern(&mut self, width: u32) -> u128 {
        let source = self.pick(&[
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.5,
            1.5,
            2.5,
            -3.75,
            1e10,
            1e300,
            5e-324,
            f64::MAX,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
            255.0,
            128.0,
            -129.0,
            4294967296.0,
        ]);
        crate::float::convert_format(64, width, u128::from(source.to_bits()))
    }

    pub(super) fn random_constant(&mut self, sort: Sort) -> Constant {
        match sort {
            Sort::Bool => Constant::Bool(self.number_below(2) == 0),
            Sort::Int => {
                let small = i64::try_from(self.number_below(9)).unwrap() - 4;
                let large = BigInt::from(self.wide_number().cast_signed());
                Constant::Int(if self.number_below(4) == 0 { large } else { small.into() })
            }
            Sort::BitVec(width) => Constant::Bv { width, value: self.random_bits(width) },
        }
    }
}

pub(super) fn is_float_width(width: u32) -> bool {
    matches!(width, 32 | 64 | 80 | 128)
}

/// A term that has not been simplified.
#[derive(Clone, Debug)]
pub(super) enum TermTree {
    Leaf(usize, Sort),
    Value(Constant),
    Apply(TermOp, Vec<TermTree>),
}

/// How many symbols of each sort there are: few, so that equal parts meet.
pub(super) const SYMBOLS: usize = 3;

pub(super) const WIDTHS: [u32; 14] = [1, 2, 3, 4, 5, 6, 7, 8, 16, 32, 64, 80, 127, 128];

pub(super) struct TermTreeGenerator {
    pub(super) random: RandomConstants,
    /// The widths of one case: few, so that parts fit each other.
    widths: Vec<u32>,
    /// What was made before and may be used again.
    pool: Vec<(Sort, TermTree)>,
}

impl TermTreeGenerator {
    pub(super) fn new(seed: u64) -> TermTreeGenerator {
        let mut random = RandomConstants::new(seed);
        let widths = (0..3).map(|_| random.pick(&WIDTHS)).collect();
        TermTreeGenerator { random, widths, pool: Vec::new() }
    }

    pub(super) fn random_sort(&mut self) -> Sort {
        match self.random.number_below(8) {
            0 | 1 => Sort::Bool,
            2 => Sort::Int,
            _ => Sort::BitVec(self.random.pick(&self.widths)),
        }
    }

    pub(super) fn random_tree(&mut self, sort: Sort, depth: u32) -> TermTree {
        if self.random.number_below(5) == 0 {
            let fitting: Vec<&TermTree> =
                self.pool.iter().filter(|(s, _)| *s == sort).map(|(_, t)| t).collect();
            if !fitting.is_empty() {
                return fitting[self.random.number_below(fitting.len())].clone();
            }
        }
        if depth == 0 || self.random.number_below(9) == 0 {
            return match self.random.number_below(3) {
                0 => TermTree::Value(self.random.random_constant(sort)),
                _ => TermTree::Leaf(self.random.number_below(SYMBOLS), sort),
            };
        }
        let (op, sorts) = self.random_application(sort);
        let args = sorts.iter().map(|s| self.random_tree(*s, depth - 1)).collect();
        let tree = TermTree::Apply(op, args);
        self.pool.push((sort, tree.clone()));
        tree
    }

    /// An operator with this result, and the sorts of its arguments.
    fn random_application(&mut self, sort: Sort) -> (TermOp, Vec<Sort>) {
        if self.random.number_below(8) == 0 {
            return (TermOp::Ite, vec![Sort::Bool, sort, sort]);
        }
        match sort {
            Sort::Bool => self.boolean_application(),
            Sort::Int => self.integer_application(),
            Sort::BitVec(width) => self.bit_vector_application(width),
        }
    }

    fn boolean_application(&mut self) -> (TermOp, Vec<Sort>) {
        let width = self.random.pick(&self.widths);
        match self.random.number_below(10) {
            0 | 1 => (TermOp::Not, vec![Sort::Bool]),
            2 | 3 => {
                let op = self.random.pick(&[TermOp::And, TermOp::Or]);
                // Now and then more than are merged into a junction around them.
                let many = if self.random.number_below(6) == 0 { 14 } else { 0 };
                (op, vec![Sort::Bool; self.random.number_below(5) + many])
            }
            4 | 5 => {
                let sort = self.random_sort();
                (TermOp::Eq, vec![sort, sort])
            }
            6 => (TermOp::IntLe, vec![Sort::Int; 2]),
            7 if is_float_width(width) => match self.random.number_below(4) {
                0 => (TermOp::FpIsNan, vec![Sort::BitVec(width)]),
                _ => {
                    let op = self.random.pick(&[TermOp::FpEq, TermOp::FpLt, TermOp::FpLe]);
                    (op, vec![Sort::BitVec(width); 2])
                }
            },
            _ => {
                let op =
                    self.random.pick(&[TermOp::BvUlt, TermOp::BvUle, TermOp::BvSlt, TermOp::BvSle]);
                (op, vec![Sort::BitVec(width); 2])
            }
        }
    }

    fn integer_application(&mut self) -> (TermOp, Vec<Sort>) {
        match self.random.number_below(4) {
            0 => (TermOp::BvToNat, vec![Sort::BitVec(self.random.pick(&self.widths))]),
            1 => (self.random.pick(&[TermOp::IntDiv, TermOp::IntMod]), vec![Sort::Int; 2]),
            _ => {
                let op = self.random.pick(&[TermOp::IntAdd, TermOp::IntMul]);
                (op, vec![Sort::Int; 1 + self.random.number_below(4)])
            }
        }
    }

    fn bit_vector_application(&mut self, width: u32) -> (TermOp, Vec<Sort>) {
        let same = Sort::BitVec(width);
        let other = self.random.pick(&self.widths);
        match self.random.number_below(16) {
            0 | 1 => (self.random.pick(&[TermOp::BvNot, TermOp::BvNeg]), vec![same]),
            2 if width > 1 => {
                let low = 1 + u32::try_from(self.random.number_below(width as usize - 1)).unwrap();
                (TermOp::Concat, vec![Sort::BitVec(width - low), Sort::BitVec(low)])
            }
            3 | 4 => {
                let from = width.max(other);
                let slack = (from - width) as usize + 1;
                let low = u32::try_from(self.random.number_below(slack)).unwrap();
                let low = if self.random.number_below(2) == 0 { 0 } else { low };
                (TermOp::Extract { high: low + width - 1, low }, vec![Sort::BitVec(from)])
            }
            5 | 6 => {
                let from = Sort::BitVec(width.min(other));
                (
                    self.random.pick(&[TermOp::ZeroExtend(width), TermOp::SignExtend(width)]),
                    vec![from],
                )
            }
            7 => (TermOp::IntToBv(width), vec![Sort::Int]),
            8 if is_float_width(width) => match self.random.number_below(4) {
                0 => (TermOp::FpSqrt, vec![same]),
                1 => (
                    self.random.pick(&[TermOp::SbvToFp(width), TermOp::UbvToFp(width)]),
                    vec![Sort::BitVec(other)],
                ),
                2 if is_float_width(other) => (TermOp::FpToFp(width), vec![Sort::BitVec(other)]),
                _ => {
                    let op = self.random.pick(&[
                        TermOp::FpAdd,
                        TermOp::FpSub,
                        TermOp::FpMul,
                        TermOp::FpDiv,
                        TermOp::FpMod,
                    ]);
                    (op, vec![same; 2])
                }
            },
            9 if is_float_width(other) => {
                let op = self.random.pick(&[TermOp::FpToSbv(width), TermOp::FpToUbv(width)]);
                (op, vec![Sort::BitVec(other)])
            }
            _ => {
                let op = self.random.pick(&[
                    TermOp::BvAdd,
                    TermOp::BvAdd,
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
                ]);
                (op, vec![same; 2])
            }
        }
    }
}

/// The name of a symbol of these trees.
pub(super) fn symbol_name(index: usize, sort: Sort) -> String {
    match sort {
        Sort::Bool => format!("p{index}"),
        Sort::Int => format!("i{index}"),
        Sort::BitVec(width) => format!("x{index} {width}"),
    }
}

impl TermTree {
    /// The term that construction makes of it.
    pub(super) fn build_term(&self, terms: &mut TermStore) -> Term {
        match self {
            TermTree::Leaf(index, sort) => {
                terms.intern_symbol(&symbol_name(*index, *sort), *sort).unwrap()
            }
            TermTree::Value(value) => terms.constant(value.clone()),
            TermTree::Apply(op, args) => {
                let args: Vec<Term> = args.iter().map(|arg| arg.build_term(terms)).collect();
                terms.apply_operator(op.clone(), &args).unwrap()
            }
        }
    }

    /// Its value, if the symbols have these.
    pub(super) fn evaluate_tree(&self, of: &dyn Fn(usize, Sort) -> Constant) -> Constant {
        match self {
            TermTree::Leaf(index, sort) => of(*index, *sort),
            TermTree::Value(value) => value.clone(),
            TermTree::Apply(op, args) => {
                let args: Vec<Constant> = args.iter().map(|arg| arg.evaluate_tree(of)).collect();
                fold_totally(op, &args)
            }
        }
    }
}

/// `fold`, made total: what is not specified is some fixed value that depends on the arguments, as
/// a solver takes it. A simplification must be right whatever it is.
pub(super) fn fold_totally(op: &TermOp, args: &[Constant]) -> Constant {
    fold_constants(op, args).unwrap_or_else(|| {
        let mut seed = 1u64;
        for byte in format!("{op:?} {args:?}").bytes() {
            seed = (seed ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        }
        let sorts: Vec<Sort> = args.iter().map(Constant::sort).collect();
        RandomConstants::new(seed).random_constant(op.result_sort(&sorts).unwrap())
    })
}
