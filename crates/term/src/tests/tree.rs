//! Random terms as plain trees, which nothing has simplified.

use num_bigint::BigInt;

use crate::fold::fold;
use crate::{Constant, Op, Sort, Term, Terms, mask};

/// A deterministic source of random numbers (xorshift64*).
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    pub(super) fn below(&mut self, bound: usize) -> usize {
        usize::try_from((self.next() >> 16) % u64::try_from(bound).unwrap()).unwrap()
    }

    pub(super) fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }

    fn wide(&mut self) -> u128 {
        u128::from(self.next()) << 64 | u128::from(self.next())
    }

    /// A bit-vector value; often one at which something happens.
    pub(super) fn bits(&mut self, width: u32) -> u128 {
        let top = 1u128 << (width - 1);
        let wide = self.wide();
        let near = u32::try_from(self.below(128)).unwrap();
        let value = match self.below(10) {
            0 => 0,
            1 => 1,
            2 => u128::MAX,
            3 => top,
            4 => top.wrapping_sub(1),
            5 => u128::from(width) + u128::try_from(self.below(3)).unwrap() - 1,
            6 => mask(near),
            7 => u128::try_from(self.below(5)).unwrap(),
            8 if is_float(width) => self.float(width),
            _ => wide,
        };
        value & mask(width)
    }

    fn float(&mut self, width: u32) -> u128 {
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
        crate::float::convert(64, width, u128::from(source.to_bits()))
    }

    pub(super) fn constant(&mut self, sort: Sort) -> Constant {
        match sort {
            Sort::Bool => Constant::Bool(self.below(2) == 0),
            Sort::Int => {
                let small = i64::try_from(self.below(9)).unwrap() - 4;
                let large = BigInt::from(self.wide().cast_signed());
                Constant::Int(if self.below(4) == 0 { large } else { small.into() })
            }
            Sort::BitVec(width) => Constant::Bv { width, value: self.bits(width) },
        }
    }
}

pub(super) fn is_float(width: u32) -> bool {
    matches!(width, 32 | 64 | 80 | 128)
}

/// A term that has not been simplified.
#[derive(Clone, Debug)]
pub(super) enum Tree {
    Leaf(usize, Sort),
    Value(Constant),
    Apply(Op, Vec<Tree>),
}

/// How many symbols of each sort there are: few, so that equal parts meet.
pub(super) const SYMBOLS: usize = 3;

pub(super) const WIDTHS: [u32; 14] = [1, 2, 3, 4, 5, 6, 7, 8, 16, 32, 64, 80, 127, 128];

pub(super) struct Generator {
    pub(super) random: Random,
    /// The widths of one case: few, so that parts fit each other.
    widths: Vec<u32>,
    /// What was made before and may be used again.
    pool: Vec<(Sort, Tree)>,
}

impl Generator {
    pub(super) fn new(seed: u64) -> Generator {
        let mut random = Random::new(seed);
        let widths = (0..3).map(|_| random.pick(&WIDTHS)).collect();
        Generator { random, widths, pool: Vec::new() }
    }

    pub(super) fn sort(&mut self) -> Sort {
        match self.random.below(8) {
            0 | 1 => Sort::Bool,
            2 => Sort::Int,
            _ => Sort::BitVec(self.random.pick(&self.widths)),
        }
    }

    pub(super) fn tree(&mut self, sort: Sort, depth: u32) -> Tree {
        if self.random.below(5) == 0 {
            let fitting: Vec<&Tree> =
                self.pool.iter().filter(|(s, _)| *s == sort).map(|(_, t)| t).collect();
            if !fitting.is_empty() {
                return fitting[self.random.below(fitting.len())].clone();
            }
        }
        if depth == 0 || self.random.below(9) == 0 {
            return match self.random.below(3) {
                0 => Tree::Value(self.random.constant(sort)),
                _ => Tree::Leaf(self.random.below(SYMBOLS), sort),
            };
        }
        let (op, sorts) = self.application(sort);
        let args = sorts.iter().map(|s| self.tree(*s, depth - 1)).collect();
        let tree = Tree::Apply(op, args);
        self.pool.push((sort, tree.clone()));
        tree
    }

    /// An operator with this result, and the sorts of its arguments.
    fn application(&mut self, sort: Sort) -> (Op, Vec<Sort>) {
        if self.random.below(8) == 0 {
            return (Op::Ite, vec![Sort::Bool, sort, sort]);
        }
        match sort {
            Sort::Bool => self.boolean(),
            Sort::Int => self.integer(),
            Sort::BitVec(width) => self.vector(width),
        }
    }

    fn boolean(&mut self) -> (Op, Vec<Sort>) {
        let width = self.random.pick(&self.widths);
        match self.random.below(10) {
            0 | 1 => (Op::Not, vec![Sort::Bool]),
            2 | 3 => {
                let op = self.random.pick(&[Op::And, Op::Or]);
                // Now and then more than are merged into a junction around them.
                let many = if self.random.below(6) == 0 { 14 } else { 0 };
                (op, vec![Sort::Bool; self.random.below(5) + many])
            }
            4 | 5 => {
                let sort = self.sort();
                (Op::Eq, vec![sort, sort])
            }
            6 => (Op::IntLe, vec![Sort::Int; 2]),
            7 if is_float(width) => match self.random.below(4) {
                0 => (Op::FpIsNan, vec![Sort::BitVec(width)]),
                _ => {
                    let op = self.random.pick(&[Op::FpEq, Op::FpLt, Op::FpLe]);
                    (op, vec![Sort::BitVec(width); 2])
                }
            },
            _ => {
                let op = self.random.pick(&[Op::BvUlt, Op::BvUle, Op::BvSlt, Op::BvSle]);
                (op, vec![Sort::BitVec(width); 2])
            }
        }
    }

    fn integer(&mut self) -> (Op, Vec<Sort>) {
        match self.random.below(4) {
            0 => (Op::BvToNat, vec![Sort::BitVec(self.random.pick(&self.widths))]),
            1 => (self.random.pick(&[Op::IntDiv, Op::IntMod]), vec![Sort::Int; 2]),
            _ => {
                let op = self.random.pick(&[Op::IntAdd, Op::IntMul]);
                (op, vec![Sort::Int; 1 + self.random.below(4)])
            }
        }
    }

    fn vector(&mut self, width: u32) -> (Op, Vec<Sort>) {
        let same = Sort::BitVec(width);
        let other = self.random.pick(&self.widths);
        match self.random.below(16) {
            0 | 1 => (self.random.pick(&[Op::BvNot, Op::BvNeg]), vec![same]),
            2 if width > 1 => {
                let low = 1 + u32::try_from(self.random.below(width as usize - 1)).unwrap();
                (Op::Concat, vec![Sort::BitVec(width - low), Sort::BitVec(low)])
            }
            3 | 4 => {
                let from = width.max(other);
                let slack = (from - width) as usize + 1;
                let low = u32::try_from(self.random.below(slack)).unwrap();
                let low = if self.random.below(2) == 0 { 0 } else { low };
                (Op::Extract { high: low + width - 1, low }, vec![Sort::BitVec(from)])
            }
            5 | 6 => {
                let from = Sort::BitVec(width.min(other));
                (self.random.pick(&[Op::ZeroExtend(width), Op::SignExtend(width)]), vec![from])
            }
            7 => (Op::IntToBv(width), vec![Sort::Int]),
            8 if is_float(width) => match self.random.below(4) {
                0 => (Op::FpSqrt, vec![same]),
                1 => (
                    self.random.pick(&[Op::SbvToFp(width), Op::UbvToFp(width)]),
                    vec![Sort::BitVec(other)],
                ),
                2 if is_float(other) => (Op::FpToFp(width), vec![Sort::BitVec(other)]),
                _ => {
                    let op =
                        self.random.pick(&[Op::FpAdd, Op::FpSub, Op::FpMul, Op::FpDiv, Op::FpMod]);
                    (op, vec![same; 2])
                }
            },
            9 if is_float(other) => {
                let op = self.random.pick(&[Op::FpToSbv(width), Op::FpToUbv(width)]);
                (op, vec![Sort::BitVec(other)])
            }
            _ => {
                let op = self.random.pick(&[
                    Op::BvAdd,
                    Op::BvAdd,
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
                ]);
                (op, vec![same; 2])
            }
        }
    }
}

/// The name of a symbol of these trees.
pub(super) fn name(index: usize, sort: Sort) -> String {
    match sort {
        Sort::Bool => format!("p{index}"),
        Sort::Int => format!("i{index}"),
        Sort::BitVec(width) => format!("x{index} {width}"),
    }
}

impl Tree {
    /// The term that construction makes of it.
    pub(super) fn build(&self, terms: &mut Terms) -> Term {
        match self {
            Tree::Leaf(index, sort) => terms.symbol(&name(*index, *sort), *sort).unwrap(),
            Tree::Value(value) => terms.constant(value.clone()),
            Tree::Apply(op, args) => {
                let args: Vec<Term> = args.iter().map(|arg| arg.build(terms)).collect();
                terms.apply(op.clone(), &args).unwrap()
            }
        }
    }

    /// Its value, if the symbols have these.
    pub(super) fn value(&self, of: &dyn Fn(usize, Sort) -> Constant) -> Constant {
        match self {
            Tree::Leaf(index, sort) => of(*index, *sort),
            Tree::Value(value) => value.clone(),
            Tree::Apply(op, args) => {
                let args: Vec<Constant> = args.iter().map(|arg| arg.value(of)).collect();
                total(op, &args)
            }
        }
    }
}

/// `fold`, made total: what is not specified is some fixed value that depends on the arguments, as
/// a solver takes it. A simplification must be right whatever it is.
pub(super) fn total(op: &Op, args: &[Constant]) -> Constant {
    fold(op, args).unwrap_or_else(|| {
        let mut seed = 1u64;
        for byte in format!("{op:?} {args:?}").bytes() {
            seed = (seed ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        }
        let sorts: Vec<Sort> = args.iter().map(Constant::sort).collect();
        Random::new(seed).constant(op.result(&sorts).unwrap())
    })
}
