//! From terms to text.

use std::fmt;

use num_bigint::Sign;
use rustc_hash::FxHashMap;

use super::order::{PrintOrder, WrittenOperands};
use super::{NAMES, quote_symbol};
use crate::{Term, TermOp, TermStore};

/// A term that prints as SMT-LIB text.
pub struct TermDisplay<'a> {
    terms: &'a TermStore,
    term: Term,
}

impl TermStore {
    /// The text of a term.
    pub fn display(&self, term: Term) -> TermDisplay<'_> {
        TermDisplay { terms: self, term }
    }
}

impl fmt::Display for TermDisplay<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.terms.args(self.term).is_empty() {
            return write_leaf(f, self.terms, self.term);
        }
        let PrintSurvey { order, shared, prefix } = survey_sharing(self.terms, self.term);
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
struct PrintSurvey<'a> {
    order: PrintOrder<'a>,
    /// The parts that are named, each after its own parts.
    shared: Vec<Term>,
    /// What their names start with.
    prefix: String,
}

fn survey_sharing(terms: &TermStore, root: Term) -> PrintSurvey<'_> {
    let mut uses: FxHashMap<Term, usize> = FxHashMap::default();
    let mut marks = 0;
    let mut pending = vec![root];
    while let Some(term) = pending.pop() {
        let count = uses.entry(term).or_default();
        *count += 1;
        if *count == 1 {
            pending.extend(terms.args(term));
            if let TermOp::Symbol(id) = terms.op(term) {
                let name = &terms.symbol_declaration(*id).name;
                marks = marks.max(name.chars().take_while(|c| *c == '?').count());
            }
        }
    }
    let order = PrintOrder::of_parts(terms, uses.keys().copied());
    let mut shared: Vec<Term> = uses
        .into_iter()
        .filter(|(term, count)| *count > 1 && !terms.args(*term).is_empty())
        .map(|(term, _)| term)
        .collect();
    shared.sort_by(|a, b| order.compare_parts(*a, *b));
    PrintSurvey { order, shared, prefix: "?".repeat(marks + 1) }
}

/// What is written of a term before its operands.
pub(super) fn operator_text(terms: &TermStore, term: Term) -> String {
    struct OperatorText<'a>(&'a TermStore, Term);
    impl fmt::Display for OperatorText<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match self.0.args(self.1).is_empty() {
                true => write_leaf(f, self.0, self.1),
                false => write_operator(f, self.0, self.1),
            }
        }
    }
    OperatorText(terms, term).to_string()
}

/// Writes a term; the parts that have names by them. The term itself is written out.
fn write_tree(
    f: &mut fmt::Formatter<'_>,
    terms: &TermStore,
    order: &PrintOrder<'_>,
    root: Term,
    names: &FxHashMap<Term, usize>,
    prefix: &str,
) -> fmt::Result {
    // Each open application with the number of operands already written.
    let mut open: Vec<(WrittenOperands, usize)> = Vec::new();
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
                open.push((order.ordered_operands(term), 0));
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

fn write_leaf(f: &mut fmt::Formatter<'_>, terms: &TermStore, term: Term) -> fmt::Result {
    match terms.op(term) {
        TermOp::Symbol(id) => f.write_str(&quote_symbol(&terms.symbol_declaration(*id).name)),
        TermOp::Int(value) if value.sign() == Sign::Minus => write!(f, "(- {})", value.magnitude()),
        TermOp::Int(value) => write!(f, "{value}"),
        TermOp::Bv { width, value } if width % 4 == 0 => {
            write!(f, "#x{value:0digits$x}", digits = *width as usize / 4)
        }
        TermOp::Bv { width, value } => write!(f, "#b{value:0digits$b}", digits = *width as usize),
        _ => write_operator(f, terms, term),
    }
}

fn write_operator(f: &mut fmt::Formatter<'_>, terms: &TermStore, term: Term) -> fmt::Result {
    let added = |to: u32| to - terms.width(terms.args(term)[0]);
    match terms.op(term) {
        TermOp::Extract { high, low } => write!(f, "(_ extract {high} {low})"),
        TermOp::ZeroExtend(to) => write!(f, "(_ zero_extend {})", added(*to)),
        TermOp::SignExtend(to) => write!(f, "(_ sign_extend {})", added(*to)),
        TermOp::IntToBv(width) => write!(f, "(_ int2bv {width})"),
        TermOp::FpToFp(width) => write!(f, "(_ fp.to_fp {width})"),
        TermOp::FpToSbv(width) => write!(f, "(_ fp.to_sbv {width})"),
        TermOp::FpToUbv(width) => write!(f, "(_ fp.to_ubv {width})"),
        TermOp::SbvToFp(width) => write!(f, "(_ sbv.to_fp {width})"),
        TermOp::UbvToFp(width) => write!(f, "(_ ubv.to_fp {width})"),
        op => match NAMES.iter().find(|(_, named)| named == op) {
            Some((name, _)) => f.write_str(name),
            None => unreachable!("{op:?} is a leaf"),
        },
    }
}
