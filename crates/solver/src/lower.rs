//! Terms to Z3: the one place where the meaning of an operator is translated.
//!
//! The walk keeps its own stack, since a path condition may be nested deeper than ours is long, and
//! remembers what it has built, since consecutive queries share nearly everything. Where a term's
//! value is not specified, the translation leaves it free: an `unsat` then holds for every value,
//! and a model is evaluated by the meaning of terms before anyone sees it.

use std::rc::Rc;

use ouro_term::{Sort, SymbolId, Term, TermOp, TermStore};
use rustc_hash::FxHashMap;

use crate::raw::{Z3Ast, Z3Context, Z3Failure, Z3SortAst};

mod exact;
mod float;

/// What a formula speaks about besides booleans and bit-vectors; decides which solver gets it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct TheoryUse {
    /// Mathematical integers.
    pub(crate) integers: bool,
    /// Floating point arithmetic.
    pub(crate) floats: bool,
}

impl TheoryUse {
    /// What either speaks about.
    pub(crate) fn union_with(self, other: TheoryUse) -> TheoryUse {
        TheoryUse { integers: self.integers || other.integers, floats: self.floats || other.floats }
    }

    /// Whether bits suffice.
    pub(crate) fn has_only_bits(self) -> bool {
        self == TheoryUse::default()
    }
}

/// Translates terms of one store into one context, each once.
pub(crate) struct Z3Lowering {
    context: Rc<Z3Context>,
    done: FxHashMap<Term, (Z3Ast, TheoryUse)>,
    bit_vectors: FxHashMap<u32, Z3SortAst>,
}

impl Z3Lowering {
    /// Nothing translated yet.
    pub(crate) fn new(context: &Rc<Z3Context>) -> Z3Lowering {
        Z3Lowering {
            context: Rc::clone(context),
            done: FxHashMap::default(),
            bit_vectors: FxHashMap::default(),
        }
    }

    /// The translation of a term, and what it speaks about.
    pub(crate) fn lower_term(
        &mut self,
        terms: &TermStore,
        term: Term,
    ) -> Result<(Z3Ast, TheoryUse), Z3Failure> {
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
                theories = theories.union_with(inner);
            }
            let ast = self.lower_application(terms, next, &args)?;
            self.done.insert(next, (ast, theories));
        }
        Ok(self.done[&term])
    }

    /// The translation of a symbol, if a translated term has it.
    pub(crate) fn lowered_symbol(
        &mut self,
        terms: &TermStore,
        symbol: SymbolId,
    ) -> Result<Z3Ast, Z3Failure> {
        let symbol = terms.symbol_declaration(symbol);
        let sort = self.lower_sort(symbol.sort)?;
        self.context.named_constant(&printable_name(&symbol.name), sort)
    }

    fn lower_sort(&mut self, sort: Sort) -> Result<Z3SortAst, Z3Failure> {
        match sort {
            Sort::Bool => self.context.bool_sort(),
            Sort::Int => self.context.int_sort(),
            Sort::BitVec(width) => self.bit_vector_sort(width),
        }
    }

    fn bit_vector_sort(&mut self, width: u32) -> Result<Z3SortAst, Z3Failure> {
        if let Some(sort) = self.bit_vectors.get(&width) {
            return Ok(*sort);
        }
        let sort = self.context.bv_sort(width)?;
        self.bit_vectors.insert(width, sort);
        Ok(sort)
    }

    fn bit_vector_numeral(&mut self, width: u32, value: u128) -> Result<Z3Ast, Z3Failure> {
        let sort = self.bit_vector_sort(width)?;
        match u64::try_from(value) {
            Ok(small) => self.context.small_numeral(small, sort),
            Err(_) => self.context.numeral(&value.to_string(), sort),
        }
    }

    fn lower_application(
        &mut self,
        terms: &TermStore,
        term: Term,
        args: &[Z3Ast],
    ) -> Result<Z3Ast, Z3Failure> {
        let op = terms.op(term);
        match op {
            TermOp::Symbol(id) => return self.lowered_symbol(terms, *id),
            TermOp::Int(value) => {
                let sort = self.context.int_sort()?;
                return self.context.numeral(&value.to_string(), sort);
            }
            TermOp::Bv { width, value } => return self.bit_vector_numeral(*width, *value),
            TermOp::Eq => {
                if let Some(exact) = exact::recognize_exact_result(terms, term) {
                    return self.lower_exact_result(terms, exact);
                }
            }
            _ => {}
        }
        let width = terms.args(term).first().and_then(|a| terms.sort(*a).width()).unwrap_or(0);
        if is_float_op(op) {
            return self.lower_float_op(op, width, args);
        }
        let c = &self.context;
        match (op, args) {
            (TermOp::True, []) => c.truth(),
            (TermOp::False, []) => c.falsehood(),
            (TermOp::Not, [a]) => c.not(*a),
            (TermOp::And, all) => c.and(all),
            (TermOp::Or, all) => c.or(all),
            (TermOp::Eq, [a, b]) => c.eq(*a, *b),
            (TermOp::Ite, [condition, a, b]) => c.ite(*condition, *a, *b),
            (TermOp::IntAdd, all) => c.int_add(all),
            (TermOp::IntMul, all) => c.int_mul(all),
            (TermOp::IntLe, [a, b]) => c.int_le(*a, *b),
            (TermOp::IntDiv, [a, b]) => c.int_div(*a, *b),
            (TermOp::IntMod, [a, b]) => c.int_mod(*a, *b),
            (TermOp::BvNot, [a]) => c.bvnot(*a),
            (TermOp::BvNeg, [a]) => c.bvneg(*a),
            (TermOp::BvAdd, [a, b]) => c.bvadd(*a, *b),
            (TermOp::BvMul, [a, b]) => c.bvmul(*a, *b),
            (TermOp::BvUdiv, [a, b]) => c.bvudiv(*a, *b),
            (TermOp::BvUrem, [a, b]) => c.bvurem(*a, *b),
            (TermOp::BvSdiv, [a, b]) => c.bvsdiv(*a, *b),
            (TermOp::BvSrem, [a, b]) => c.bvsrem(*a, *b),
            (TermOp::BvAnd, [a, b]) => c.bvand(*a, *b),
            (TermOp::BvOr, [a, b]) => c.bvor(*a, *b),
            (TermOp::BvXor, [a, b]) => c.bvxor(*a, *b),
            (TermOp::BvShl, [a, b]) => c.bvshl(*a, *b),
            (TermOp::BvLshr, [a, b]) => c.bvlshr(*a, *b),
            (TermOp::BvAshr, [a, b]) => c.bvashr(*a, *b),
            (TermOp::BvUlt, [a, b]) => c.bvult(*a, *b),
            (TermOp::BvUle, [a, b]) => c.bvule(*a, *b),
            (TermOp::BvSlt, [a, b]) => c.bvslt(*a, *b),
            (TermOp::BvSle, [a, b]) => c.bvsle(*a, *b),
            (TermOp::Concat, [a, b]) => c.concat(*a, *b),
            (TermOp::Extract { high, low }, [a]) => c.extract(*high, *low, *a),
            (TermOp::ZeroExtend(to), [a]) => c.zero_extend(to - width, *a),
            (TermOp::SignExtend(to), [a]) => c.sign_extend(to - width, *a),
            (TermOp::BvToNat, [a]) => c.bv_to_nat(*a),
            (TermOp::IntToBv(to), [a]) => c.int_to_bv(*to, *a),
            _ => unreachable!("sorts were checked when the term was built"),
        }
    }
}

/// A name that SMT-LIB can quote: other bytes as `~` and two digits, so that different names stay
/// different.
fn printable_name(name: &str) -> String {
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
fn theories_of(terms: &TermStore, term: Term) -> TheoryUse {
    let op = terms.op(term);
    TheoryUse {
        integers: terms.sort(term) == Sort::Int
            || matches!(op, TermOp::IntToBv(_))
            || (matches!(op, TermOp::IntLe | TermOp::Eq)
                && terms.args(term).first().is_some_and(|a| terms.sort(*a) == Sort::Int)),
        floats: is_float_op(op),
    }
}

fn is_float_op(op: &TermOp) -> bool {
    matches!(
        op,
        TermOp::FpAdd
            | TermOp::FpSub
            | TermOp::FpMul
            | TermOp::FpDiv
            | TermOp::FpSqrt
            | TermOp::FpMod
            | TermOp::FpEq
            | TermOp::FpLt
            | TermOp::FpLe
            | TermOp::FpIsNan
            | TermOp::FpToFp(_)
            | TermOp::FpToSbv(_)
            | TermOp::FpToUbv(_)
            | TermOp::SbvToFp(_)
            | TermOp::UbvToFp(_)
    )
}
