//! From terms to text.

use std::fmt;

use num_bigint::Sign;
use rustc_hash::FxHashMap;

use super::order::{Operands, Order};
use super::{NAMES, quoted};
use crate::{Op, Term, Terms};

/// A term that prints as SMT-LIB text.
pub struct Display<'a> {
    terms: &'a Terms,
    term: Term,
}

impl Terms {
    /// The text of a term.
    pub fn display(&self, term: Term) -> Display<'_> {
        Display { terms: self, term }
    }
}

impl fmt::Display for Display<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.terms.args(self.term).is_empty() {
            return write_leaf(f, self.terms, self.term);
        }
        let Survey { order, shared, prefix } = survey(self.terms, self.term);
        let mut names: FxHashMap<Term, usize> = FxHashMap::default();
        for (number, part) in shared.iter().enumerate() {
            write!(f, "(let (({prefix}{number} ")?;
            write_tree(f, self.terms, &order, *part, &names, &prefix)?;
            f.write_str(")) ")?;
            names.insert(*part, number);
        }
        write_tree(f, self.terms, &order, self.term, &names, &prefix)?;
        shared.iter().try_for_each(|_| f.write_str(")"))
    }
}

/// How a term is written.
struct Survey<'a> {
    order: Order<'a>,
    /// The parts that are named, each after its own parts.
    shared: Vec<Term>,
    /// What their names start with.
    prefix: String,
}

fn survey(terms: &Terms, root: Term) -> Survey<'_> {
    let mut uses: FxHashMap<Term, usize> = FxHashMap::default();
    let mut marks = 0;
    let mut pending = vec![root];
    while let Some(term) = pending.pop() {
        let count = uses.entry(term).or_default();
        *count += 1;
        if *count == 1 {
            pending.extend(terms.args(term));
            if let Op::Symbol(id) = terms.op(term) {
                let name = &terms.symbol_of(*id).name;
                marks = marks.max(name.chars().take_while(|c| *c == '?').count());
            }
        }
    }
    let order = Order::of(terms, uses.keys().copied());
    let mut shared: Vec<Term> = uses
        .into_iter()
        .filter(|(term, count)| *count > 1 && !terms.args(*term).is_empty())
        .map(|(term, _)| term)
        .collect();
    shared.sort_by(|a, b| order.compare(*a, *b));
    Survey { order, shared, prefix: "?".repeat(marks + 1) }
}

/// What is written of a term before its operands.
pub(super) fn head(terms: &Terms, term: Term) -> String {
    struct Head<'a>(&'a Terms, Term);
    impl fmt::Display for Head<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match self.0.args(self.1).is_empty() {
                true => write_leaf(f, self.0, self.1),
                false => write_operator(f, self.0, self.1),
            }
        }
    }
    Head(terms, term).to_string()
}

/// Writes a term; the parts that have names by them. The term itself is written out.
fn write_tree(
    f: &mut fmt::Formatter<'_>,
    terms: &Terms,
    order: &Order<'_>,
    root: Term,
    names: &FxHashMap<Term, usize>,
    prefix: &str,
) -> fmt::Result {
    // Each open application with the number of operands already written.
    let mut open: Vec<(Operands, usize)> = Vec::new();
    let mut next = Some(root);
    loop {
        if let Some(term) = next.take() {
            if let Some(number) = names.get(&term) {
                write!(f, "{prefix}{number}")?;
            } else if terms.args(term).is_empty() {
                write_leaf(f, terms, term)?;
            } else {
                f.write_str("(")?;
                write_operator(f, terms, term)?;
                open.push((order.operands(term), 0));
            }
        }
        let Some((operands, written)) = open.last_mut() else { return Ok(()) };
        match operands.get(*written) {
            Some(arg) => {
                *written += 1;
                next = Some(*arg);
                f.write_str(" ")?;
            }
            None => {
                f.write_str(")")?;
                open.pop();
            }
        }
    }
}

fn write_leaf(f: &mut fmt::Formatter<'_>, terms: &Terms, term: Term) -> fmt::Result {
    match terms.op(term) {
        Op::Symbol(id) => f.write_str(&quoted(&terms.symbol_of(*id).name)),
        Op::Int(value) if value.sign() == Sign::Minus => write!(f, "(- {})", value.magnitude()),
        Op::Int(value) => write!(f, "{value}"),
        Op::Bv { width, value } if width % 4 == 0 => {
            write!(f, "#x{value:0digits$x}", digits = *width as usize / 4)
        }
        Op::Bv { width, value } => write!(f, "#b{value:0digits$b}", digits = *width as usize),
        _ => write_operator(f, terms, term),
    }
}

fn write_operator(f: &mut fmt::Formatter<'_>, terms: &Terms, term: Term) -> fmt::Result {
    let added = |to: u32| to - terms.width(terms.args(term)[0]);
    match terms.op(term) {
        Op::Extract { high, low } => write!(f, "(_ extract {high} {low})"),
        Op::ZeroExtend(to) => write!(f, "(_ zero_extend {})", added(*to)),
        Op::SignExtend(to) => write!(f, "(_ sign_extend {})", added(*to)),
        Op::IntToBv(width) => write!(f, "(_ int2bv {width})"),
        Op::FpToFp(width) => write!(f, "(_ fp.to_fp {width})"),
        Op::FpToSbv(width) => write!(f, "(_ fp.to_sbv {width})"),
        Op::FpToUbv(width) => write!(f, "(_ fp.to_ubv {width})"),
        Op::SbvToFp(width) => write!(f, "(_ sbv.to_fp {width})"),
        Op::UbvToFp(width) => write!(f, "(_ ubv.to_fp {width})"),
        op => match NAMES.iter().find(|(_, named)| named == op) {
            Some((name, _)) => f.write_str(name),
            None => unreachable!("{op:?} is a leaf"),
        },
    }
}
