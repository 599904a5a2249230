//! Terms to Z3: the one place where the meaning of an operator is translated.
//!
//! The walk keeps its own stack, since a path condition may be nested deeper than ours is long, and
//! remembers what it has built, since consecutive queries share nearly everything. Where a term's
//! value is not specified, the translation leaves it free: an `unsat` then holds for every value,
//! and a model is evaluated by the meaning of terms before anyone sees it.

use std::rc::Rc;

use ouro_term::{Op, Sort, SymbolId, Term, Terms};
use rustc_hash::FxHashMap;

use crate::raw::{Ast, Context, Failure, SortAst};

mod float;

/// What a formula speaks about besides booleans and bit-vectors; decides which solver gets it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Theories {
    /// Mathematical integers.
    pub(crate) integers: bool,
    /// Floating point arithmetic.
    pub(crate) floats: bool,
}

impl Theories {
    /// What either speaks about.
    pub(crate) fn with(self, other: Theories) -> Theories {
        Theories { integers: self.integers || other.integers, floats: self.floats || other.floats }
    }

    /// Whether bits suffice.
    pub(crate) fn only_bits(self) -> bool {
        self == Theories::default()
    }
}

/// Translates terms of one store into one context, each once.
pub(crate) struct Lowering {
    context: Rc<Context>,
    done: FxHashMap<Term, (Ast, Theories)>,
    bit_vectors: FxHashMap<u32, SortAst>,
}

impl Lowering {
    /// Nothing translated yet.
    pub(crate) fn new(context: &Rc<Context>) -> Lowering {
        Lowering {
            context: Rc::clone(context),
            done: FxHashMap::default(),
            bit_vectors: FxHashMap::default(),
        }
    }

    /// The translation of a term, and what it speaks about.
    pub(crate) fn term(&mut self, terms: &Terms, term: Term) -> Result<(Ast, Theories), Failure> {
        let mut pending = vec![term];
        while let Some(&next) = pending.last() {
            if self.done.contains_key(&next) {
                pending.pop();
                continue;
            }
            let before = pending.len();
            pending.extend(terms.args(next).iter().filter(|a| !self.done.contains_key(a)));
            if pending.len() > before {
                continue;
            }
            pending.pop();
            let mut theories = theories_of(terms, next);
            let mut args = Vec::with_capacity(terms.args(next).len());
            for arg in terms.args(next) {
                let (ast, inner) = self.done[arg];
                args.push(ast);
                theories = theories.with(inner);
            }
            let ast = self.apply(terms, next, &args)?;
            self.done.insert(next, (ast, theories));
        }
        Ok(self.done[&term])
    }

    /// The translation of a symbol, if a translated term has it.
    pub(crate) fn symbol(&mut self, terms: &Terms, symbol: SymbolId) -> Result<Ast, Failure> {
        let symbol = terms.symbol_of(symbol);
        let sort = self.sort(symbol.sort)?;
        self.context.named(&printable(&symbol.name), sort)
    }

    fn sort(&mut self, sort: Sort) -> Result<SortAst, Failure> {
        match sort {
            Sort::Bool => self.context.bool_sort(),
            Sort::Int => self.context.int_sort(),
            Sort::BitVec(width) => self.bit_vector(width),
        }
    }

    fn bit_vector(&mut self, width: u32) -> Result<SortAst, Failure> {
        if let Some(sort) = self.bit_vectors.get(&width) {
            return Ok(*sort);
        }
        let sort = self.context.bv_sort(width)?;
        self.bit_vectors.insert(width, sort);
        Ok(sort)
    }

    fn bits(&mut self, width: u32, value: u128) -> Result<Ast, Failure> {
        let sort = self.bit_vector(width)?;
        match u64::try_from(value) {
            Ok(small) => self.context.small_numeral(small, sort),
            Err(_) => self.context.numeral(&value.to_string(), sort),
        }
    }

    fn apply(&mut self, terms: &Terms, term: Term, args: &[Ast]) -> Result<Ast, Failure> {
        let op = terms.op(term);
        match op {
            Op::Symbol(id) => return self.symbol(terms, *id),
            Op::Int(value) => {
                let sort = self.context.int_sort()?;
                return self.context.numeral(&value.to_string(), sort);
            }
            Op::Bv { width, value } => return self.bits(*width, *value),
            _ => {}
        }
        let width = terms.args(term).first().and_then(|a| terms.sort(*a).width()).unwrap_or(0);
        if is_float(op) {
            return self.float(op, width, args);
        }
        let c = &self.context;
        match (op, args) {
            (Op::True, []) => c.truth(),
            (Op::False, []) => c.falsehood(),
            (Op::Not, [a]) => c.not(*a),
            (Op::And, all) => c.and(all),
            (Op::Or, all) => c.or(all),
            (Op::Eq, [a, b]) => c.eq(*a, *b),
            (Op::Ite, [condition, a, b]) => c.ite(*condition, *a, *b),
            (Op::IntAdd, all) => c.int_add(all),
            (Op::IntMul, all) => c.int_mul(all),
            (Op::IntLe, [a, b]) => c.int_le(*a, *b),
            (Op::IntDiv, [a, b]) => c.int_div(*a, *b),
            (Op::IntMod, [a, b]) => c.int_mod(*a, *b),
            (Op::BvNot, [a]) => c.bvnot(*a),
            (Op::BvNeg, [a]) => c.bvneg(*a),
            (Op::BvAdd, [a, b]) => c.bvadd(*a, *b),
            (Op::BvMul, [a, b]) => c.bvmul(*a, *b),
            (Op::BvUdiv, [a, b]) => c.bvudiv(*a, *b),
            (Op::BvUrem, [a, b]) => c.bvurem(*a, *b),
            (Op::BvSdiv, [a, b]) => c.bvsdiv(*a, *b),
            (Op::BvSrem, [a, b]) => c.bvsrem(*a, *b),
            (Op::BvAnd, [a, b]) => c.bvand(*a, *b),
            (Op::BvOr, [a, b]) => c.bvor(*a, *b),
            (Op::BvXor, [a, b]) => c.bvxor(*a, *b),
            (Op::BvShl, [a, b]) => c.bvshl(*a, *b),
            (Op::BvLshr, [a, b]) => c.bvlshr(*a, *b),
            (Op::BvAshr, [a, b]) => c.bvashr(*a, *b),
            (Op::BvUlt, [a, b]) => c.bvult(*a, *b),
            (Op::BvUle, [a, b]) => c.bvule(*a, *b),
            (Op::BvSlt, [a, b]) => c.bvslt(*a, *b),
            (Op::BvSle, [a, b]) => c.bvsle(*a, *b),
            (Op::Concat, [a, b]) => c.concat(*a, *b),
            (Op::Extract { high, low }, [a]) => c.extract(*high, *low, *a),
            (Op::ZeroExtend(to), [a]) => c.zero_extend(to - width, *a),
            (Op::SignExtend(to), [a]) => c.sign_extend(to - width, *a),
            (Op::BvToNat, [a]) => c.bv_to_nat(*a),
            (Op::IntToBv(to), [a]) => c.int_to_bv(*to, *a),
            _ => unreachable!("sorts were checked when the term was built"),
        }
    }
}

/// A name that SMT-LIB can quote: other bytes as `~` and two digits, so that different names stay
/// different.
fn printable(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for byte in name.bytes() {
        match byte {
            b'|' | b'\\' | b'~' | 0..b' ' | 0x7f.. => text.push_str(&format!("~{byte:02x}")),
            _ => text.push(char::from(byte)),
        }
    }
    text
}

/// What an application speaks about, apart from its arguments.
fn theories_of(terms: &Terms, term: Term) -> Theories {
    let op = terms.op(term);
    Theories {
        integers: terms.sort(term) == Sort::Int
            || matches!(op, Op::IntToBv(_))
            || (matches!(op, Op::IntLe | Op::Eq)
                && terms.args(term).first().is_some_and(|a| terms.sort(*a) == Sort::Int)),
        floats: is_float(op),
    }
}

fn is_float(op: &Op) -> bool {
    matches!(
        op,
        Op::FpAdd
            | Op::FpSub
            | Op::FpMul
            | Op::FpDiv
            | Op::FpSqrt
            | Op::FpMod
            | Op::FpEq
            | Op::FpLt
            | Op::FpLe
            | Op::FpIsNan
            | Op::FpToFp(_)
            | Op::FpToSbv(_)
            | Op::FpToUbv(_)
            | Op::SbvToFp(_)
            | Op::UbvToFp(_)
    )
}
