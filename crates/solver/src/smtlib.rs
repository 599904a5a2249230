//! A query as SMT-LIB text for another solver, written from the meaning of terms alone: nothing of Z3 and
//! nothing of `lower` is used, so that a mistake there is not repeated here.
//!
//! Every term that is no leaf gets a name of its own, so the text is as long as the terms are many, however
//! often they are shared. Where a term's value is not specified, SMT-LIB leaves it open as well: *unsat* then
//! holds for all values, and the *sat* of a session never rests on one.

use std::fmt::Write as _;

use ouro_term::{Sort, SymbolId, Term, TermOp, TermStore, float};
use rustc_hash::FxHashMap;

/// The text of a query, up to `(check-sat)`, or which operator has none.
pub(crate) fn query_script(terms: &TermStore, formulas: &[Term]) -> Result<String, &'static str> {
    let mut writer =
        SmtlibWriter { terms, names: FxHashMap::default(), text: String::new(), only_bits: true };
    for formula in formulas {
        let name = writer.write_term(*formula)?;
        let _ = writeln!(writer.text, "(assert {name})");
    }
    let logic = if writer.only_bits { "QF_BV" } else { "ALL" };
    Ok(format!("(set-logic {logic})\n{}", writer.text))
}

struct SmtlibWriter<'a> {
    terms: &'a TermStore,
    /// What stands for a term that has been written.
    names: FxHashMap<Term, String>,
    text: String,
    /// Whether nothing but booleans and bit-vectors was met.
    only_bits: bool,
}

impl SmtlibWriter<'_> {
    /// Writes whatever the term needs, and returns what stands for it.
    fn write_term(&mut self, term: Term) -> Result<String, &'static str> {
        // Paths are nested deeper than our stack is long.
        let mut pending = vec![term];
        while let Some(&next) = pending.last() {
            if self.names.contains_key(&next) {
                pending.pop();
                continue;
            }
            let before = pending.len();
            let args = self.terms.args(next).iter();
            pending.extend(args.filter(|arg| !self.names.contains_key(arg)));
            if pending.len() > before {
                continue;
            }
            pending.pop();
            let name = self.write_application(next)?;
            self.names.insert(next, name);
        }
        Ok(self.names[&term].clone())
    }

    fn write_application(&mut self, term: Term) -> Result<String, &'static str> {
        let sort = self.terms.sort(term);
        if sort == Sort::Int {
            self.only_bits = false;
        }
        match self.terms.op(term) {
            TermOp::Symbol(id) => return Ok(self.declare_symbol(*id)),
            TermOp::True => return Ok("true".to_owned()),
            TermOp::False => return Ok("false".to_owned()),
            TermOp::Int(value) => {
                let text = value.to_string();
                return Ok(match text.strip_prefix('-') {
                    Some(positive) => format!("(- {positive})"),
                    None => text,
                });
            }
            TermOp::Bv { width, value } => return Ok(bit_vector_literal(*width, *value)),
            _ => {}
        }
        let args: Vec<String> =
            self.terms.args(term).iter().map(|arg| self.names[arg].clone()).collect();
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let width = self.terms.args(term).first().and_then(|arg| self.terms.sort(*arg).width());
        let width = width.unwrap_or(0);
        let op = self.terms.op(term);
        let name = format!("t{}", term.index());
        if let Some(value) = float_operation_text(op, width, &args)? {
            self.only_bits = false;
            return Ok(self.define_float(&name, sort, &value));
        }
        let value = match (op, args.as_slice()) {
            (TermOp::And, []) => return Ok("true".to_owned()),
            (TermOp::Or, []) => return Ok("false".to_owned()),
            (TermOp::And | TermOp::Or | TermOp::IntAdd | TermOp::IntMul, [one]) => {
                return Ok((*one).to_owned());
            }
            (TermOp::ZeroExtend(to), [a]) => format!("((_ zero_extend {}) {a})", to - width),
            (TermOp::SignExtend(to), [a]) => format!("((_ sign_extend {}) {a})", to - width),
            (TermOp::Extract { high, low }, [a]) => format!("((_ extract {high} {low}) {a})"),
            (TermOp::IntToBv(to), [a]) => format!("((_ int2bv {to}) {a})"),
            _ => format!("({} {})", operator_name(op), args.join(" ")),
        };
        let is_natural = *op == TermOp::BvToNat;
        let _ = writeln!(self.text, "(define-fun {name} () {} {value})", sort_text(sort));
        if is_natural {
            // It follows, and some solvers need to be told.
            let most = power_of_two(width);
            let _ = writeln!(self.text, "(assert (and (<= 0 {name}) (< {name} {most})))");
        }
        Ok(name)
    }

    fn declare_symbol(&mut self, id: SymbolId) -> String {
        let symbol = self.terms.symbol_declaration(id);
        let name = format!("s{}", id.0);
        let _ = writeln!(self.text, "(declare-fun {name} () {})", sort_text(symbol.sort));
        name
    }

    /// A float's operation: a truth value or an integer as it is, a float as a pattern that stands for it.
    /// SMT-LIB has no way from a float to its pattern, so the pattern is a symbol that is said to be right;
    /// what is not a number has the one pattern of `ouro_term::float`.
    fn define_float(&mut self, name: &str, sort: Sort, value: &FloatOperationText) -> String {
        match value {
            FloatOperationText::Plain(value) => {
                let sort = sort_text(sort);
                let _ = writeln!(self.text, "(define-fun {name} () {sort} {value})");
            }
            FloatOperationText::Number { width, value } => {
                let (exponent, significand) =
                    float_format_widths(*width).expect("looked at before");
                let pattern = sort_text(Sort::BitVec(*width));
                let nan =
                    bit_vector_literal(*width, float::convert_format(32, *width, 0x7fc0_0000));
                let _ = writeln!(
                    self.text,
                    "(declare-fun {name} () {pattern})\n(define-fun f{name} () (_ FloatingPoint \
                     {exponent} {significand}) {value})\n(assert (= ((_ to_fp {exponent} \
                     {significand}) {name}) f{name}))\n(assert (=> (fp.isNaN f{name}) (= {name} {nan})))"
                );
            }
        }
        name.to_owned()
    }
}

/// The text of an operation on floats.
enum FloatOperationText {
    /// It is a truth value, or an integer.
    Plain(String),
    /// It is a float of so many bits.
    Number { width: u32, value: String },
}

fn float_operation_text(
    op: &TermOp,
    width: u32,
    args: &[&str],
) -> Result<Option<FloatOperationText>, &'static str> {
    let number = |arg: &str| {
        let (exponent, significand) = float_format_widths(width)?;
        Ok::<String, &'static str>(format!("((_ to_fp {exponent} {significand}) {arg})"))
    };
    let rounded = |to: u32, name: &str| -> Result<FloatOperationText, &'static str> {
        float_format_widths(to)?;
        let numbers: Result<Vec<String>, _> = args.iter().map(|arg| number(arg)).collect();
        let value = format!("({name} RNE {})", numbers?.join(" "));
        Ok(FloatOperationText::Number { width: to, value })
    };
    let plain = |name: &str| -> Result<FloatOperationText, &'static str> {
        let numbers: Result<Vec<String>, _> = args.iter().map(|arg| number(arg)).collect();
        Ok(FloatOperationText::Plain(format!("({name} {})", numbers?.join(" "))))
    };
    let converted = |to: u32, how: &str, arg: String| -> Result<FloatOperationText, &'static str> {
        let (exponent, significand) = float_format_widths(to)?;
        let value = format!("((_ {how} {exponent} {significand}) RNE {arg})");
        Ok(FloatOperationText::Number { width: to, value })
    };
    Ok(Some(match (op, args) {
        (TermOp::FpAdd, _) => rounded(width, "fp.add")?,
        (TermOp::FpSub, _) => rounded(width, "fp.sub")?,
        (TermOp::FpMul, _) => rounded(width, "fp.mul")?,
        (TermOp::FpDiv, _) => rounded(width, "fp.div")?,
        (TermOp::FpSqrt, _) => rounded(width, "fp.sqrt")?,
        (TermOp::FpMod, _) => return Err("fmod"),
        (TermOp::FpEq, _) => plain("fp.eq")?,
        (TermOp::FpLt, _) => plain("fp.lt")?,
        (TermOp::FpLe, _) => plain("fp.leq")?,
        (TermOp::FpIsNan, _) => plain("fp.isNaN")?,
        (TermOp::FpToSbv(to), _) => plain(&format!("(_ fp.to_sbv {to}) RTZ"))?,
        (TermOp::FpToUbv(to), _) => plain(&format!("(_ fp.to_ubv {to}) RTZ"))?,
        (TermOp::FpToFp(to), [a]) => converted(*to, "to_fp", number(a)?)?,
        (TermOp::SbvToFp(to), [a]) => converted(*to, "to_fp", (*a).to_owned())?,
        (TermOp::UbvToFp(to), [a]) => converted(*to, "to_fp_unsigned", (*a).to_owned())?,
        _ => return Ok(None),
    }))
}

/// Bits of exponent and significand; the 80 bits of the x87 are no format of SMT-LIB.
fn float_format_widths(width: u32) -> Result<(u32, u32), &'static str> {
    match width {
        32 => Ok((8, 24)),
        64 => Ok((11, 53)),
        128 => Ok((15, 113)),
        _ => Err("long double"),
    }
}

fn bit_vector_literal(width: u32, value: u128) -> String {
    format!("(_ bv{value} {width})")
}

/// Two to this power.
fn power_of_two(exponent: u32) -> String {
    (num_bigint::BigInt::from(1) << exponent).to_string()
}

fn sort_text(sort: Sort) -> String {
    match sort {
        Sort::Bool => "Bool".to_owned(),
        Sort::Int => "Int".to_owned(),
        Sort::BitVec(width) => format!("(_ BitVec {width})"),
    }
}

fn operator_name(op: &TermOp) -> &'static str {
    match op {
        TermOp::Not => "not",
        TermOp::And => "and",
        TermOp::Or => "or",
        TermOp::Eq => "=",
        TermOp::Ite => "ite",
        TermOp::IntAdd => "+",
        TermOp::IntMul => "*",
        TermOp::IntLe => "<=",
        TermOp::IntDiv => "div",
        TermOp::IntMod => "mod",
        TermOp::BvNot => "bvnot",
        TermOp::BvNeg => "bvneg",
        TermOp::BvAdd => "bvadd",
        TermOp::BvMul => "bvmul",
        TermOp::BvUdiv => "bvudiv",
        TermOp::BvUrem => "bvurem",
        TermOp::BvSdiv => "bvsdiv",
        TermOp::BvSrem => "bvsrem",
        TermOp::BvAnd => "bvand",
        TermOp::BvOr => "bvor",
        TermOp::BvXor => "bvxor",
        TermOp::BvShl => "bvshl",
        TermOp::BvLshr => "bvlshr",
        TermOp::BvAshr => "bvashr",
        TermOp::BvUlt => "bvult",
        TermOp::BvUle => "bvule",
        TermOp::BvSlt => "bvslt",
        TermOp::BvSle => "bvsle",
        TermOp::Concat => "concat",
        TermOp::BvToNat => "bv2nat",
        _ => unreachable!("leaves, floats and operators with numbers were written before"),
    }
}
