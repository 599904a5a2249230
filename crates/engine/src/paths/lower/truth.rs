//! When a formula holds: alternatives, each a conjunction of conditions on numbers.

use ouro_term::{Sort, Term, TermOp};

use super::exact::exact_operation;
use super::range::sort_range;
use super::{
    ApproximationMode, AtomAlternatives, EdgeLowering, ValueCase, add_new, conjoin_alternatives,
    exclude,
};
use crate::paths::ask::negate_atom;
use crate::paths::poly::{IntegerPolynomial, PolyAtom};

impl EdgeLowering<'_> {
    /// The ways in which a guard holds, part by part.
    pub(super) fn guard_alternatives(&mut self, guard: Term) -> Option<AtomAlternatives> {
        let parts = match self.terms.op(guard) {
            TermOp::And => self.terms.args(guard).to_vec(),
            _ => vec![guard],
        };
        self.exact.clear();
        for (narrow, wide) in parts.iter().filter_map(|part| exact_operation(self.terms, *part)) {
            self.exact.entry(narrow).or_insert(wide);
        }
        let mut all = vec![Vec::new()];
        for part in parts {
            let ways = match exact_operation(self.terms, part) {
                Some((narrow, _)) => self.exactness_alternatives(narrow),
                None => self.formula_alternatives(part, true),
            };
            match (ways.and_then(|ways| conjoin_alternatives(&all, &ways, self.most())), self.mode)
            {
                (Some(more), _) => all = more,
                (None, ApproximationMode::Under) => return None,
                (None, ApproximationMode::Over) => {}
            }
        }
        Some(all)
    }

    /// The ways in which a term that is said to be exact is within its sort.
    fn exactness_alternatives(&mut self, term: Term) -> Option<AtomAlternatives> {
        if self.reading.boundless {
            return Some(vec![Vec::new()]);
        }
        let sort = self.terms.sort(term);
        let mut ways = Vec::new();
        for case in self.term_values(term)? {
            let mut atoms = case.atoms;
            atoms.extend(sort_range(sort, &case.value)?);
            ways.push(atoms);
        }
        Some(ways)
    }

    /// The ways in which a formula has this truth.
    pub(super) fn formula_alternatives(
        &mut self,
        term: Term,
        positive: bool,
    ) -> Option<AtomAlternatives> {
        let args = self.terms.args(term).to_vec();
        let ways = match (self.terms.op(term).clone(), positive) {
            (TermOp::True, true) | (TermOp::False, false) => vec![Vec::new()],
            (TermOp::True, false) | (TermOp::False, true) => Vec::new(),
            (TermOp::Not, _) => self.formula_alternatives(args[0], !positive)?,
            (TermOp::And, true) | (TermOp::Or, false) => {
                let mut all = vec![Vec::new()];
                for arg in args {
                    let ways = self.formula_alternatives(arg, positive)?;
                    all = conjoin_alternatives(&all, &ways, self.most())?;
                }
                all
            }
            (TermOp::Or, true) | (TermOp::And, false) => {
                let mut any = Vec::new();
                for arg in args {
                    any.extend(self.formula_alternatives(arg, positive)?);
                }
                any
            }
            (TermOp::Ite, _) => {
                let mut any = Vec::new();
                for (condition, then) in [(true, args[1]), (false, args[2])] {
                    let condition = self.formula_alternatives(args[0], condition)?;
                    let then = self.formula_alternatives(then, positive)?;
                    any.extend(conjoin_alternatives(&condition, &then, self.most())?);
                }
                any
            }
            (TermOp::Eq, _) if self.terms.sort(args[0]) == Sort::Bool => {
                let mut any = Vec::new();
                for side in [true, false] {
                    let left = self.formula_alternatives(args[0], side)?;
                    let right = self.formula_alternatives(args[1], side == positive)?;
                    any.extend(conjoin_alternatives(&left, &right, self.most())?);
                }
                any
            }
            (TermOp::Eq, _) if args.iter().any(|arg| self.prefers_natural(*arg)) => self
                .natural_alternatives(args[0], args[1], &|difference| {
                    zero_atoms(difference, positive)
                })?,
            (TermOp::Eq, _) => self.comparison_alternatives(args[0], args[1], &|difference| {
                zero_atoms(difference, positive)
            })?,
            (TermOp::IntLe | TermOp::BvSle, _) => {
                self.comparison_alternatives(args[0], args[1], &|difference| {
                    nonnegative_atoms(difference, positive)
                })?
            }
            (TermOp::BvSlt, _) => {
                self.comparison_alternatives(args[1], args[0], &|difference| {
                    nonnegative_atoms(difference, !positive)
                })?
            }
            (TermOp::BvUle, _) => self.unsigned_alternatives(args[0], args[1], positive)?,
            (TermOp::BvUlt, _) => self.unsigned_alternatives(args[1], args[0], !positive)?,
            (TermOp::Symbol(_), _) => {
                let value = IntegerPolynomial::constant(i128::from(positive));
                let mut ways = Vec::new();
                for case in self.term_values(term)? {
                    let mut atoms = case.atoms;
                    atoms.push(PolyAtom::Eq(case.value.sub(&value)?));
                    ways.push(atoms);
                }
                ways
            }
            _ => return None,
        };
        (ways.len() <= self.most()).then_some(ways)
    }

    /// The ways for a condition on `b - a`.
    fn comparison_alternatives(
        &mut self,
        a: Term,
        b: Term,
        condition: &dyn Fn(&IntegerPolynomial) -> Option<Vec<PolyAtom>>,
    ) -> Option<AtomAlternatives> {
        let (left, right) = (self.term_values(a)?, self.term_values(b)?);
        difference_alternatives(&left, &right, condition)
    }

    /// The same for natural numbers.
    fn natural_alternatives(
        &mut self,
        a: Term,
        b: Term,
        condition: &dyn Fn(&IntegerPolynomial) -> Option<Vec<PolyAtom>>,
    ) -> Option<AtomAlternatives> {
        let (left, right) = (self.natural_values(a)?, self.natural_values(b)?);
        difference_alternatives(&left, &right, condition)
    }

    /// The ways in which `a <= b`, unsigned, or not: both of one sign, or `b` the negative one.
    fn unsigned_alternatives(
        &mut self,
        a: Term,
        b: Term,
        positive: bool,
    ) -> Option<AtomAlternatives> {
        if self.prefers_natural(a) || self.prefers_natural(b) {
            return self
                .natural_alternatives(a, b, &|difference| nonnegative_atoms(difference, positive));
        }
        let (left, right) = (self.term_values(a)?, self.term_values(b)?);
        let mut ways = Vec::new();
        for x in &left {
            for y in right.iter().filter(|y| !exclude(&x.atoms, &y.atoms)) {
                let not_negative = |poly: &IntegerPolynomial| Some(PolyAtom::Ge(poly.clone()));
                let negative =
                    |poly: &IntegerPolynomial| Some(PolyAtom::Ge(poly.neg()?.plus_constant(-1)?));
                let (p, q) = (&x.value, &y.value);
                let ordered = nonnegative_atoms(&q.sub(p)?, positive)?;
                let mut signs = Vec::new();
                for atom in ordered {
                    signs.push(vec![not_negative(p)?, not_negative(q)?, atom.clone()]);
                    signs.push(vec![negative(p)?, negative(q)?, atom]);
                }
                signs.push(match positive {
                    true => vec![not_negative(p)?, negative(q)?],
                    false => vec![negative(p)?, not_negative(q)?],
                });
                for sign in signs {
                    let mut atoms = x.atoms.clone();
                    add_new(&mut atoms, &y.atoms);
                    if !exclude(&atoms, &sign) {
                        atoms.extend(sign);
                        ways.push(atoms);
                    }
                }
            }
        }
        Some(ways)
    }
}

/// The ways for a condition on the difference of two numbers.
fn difference_alternatives(
    left: &[ValueCase],
    right: &[ValueCase],
    condition: &dyn Fn(&IntegerPolynomial) -> Option<Vec<PolyAtom>>,
) -> Option<AtomAlternatives> {
    let mut ways = Vec::new();
    for x in left {
        for y in right.iter().filter(|y| !exclude(&x.atoms, &y.atoms)) {
            for atom in condition(&y.value.sub(&x.value)?)? {
                let mut atoms = x.atoms.clone();
                add_new(&mut atoms, &y.atoms);
                if !exclude(&atoms, std::slice::from_ref(&atom)) {
                    atoms.push(atom);
                    ways.push(atoms);
                }
            }
        }
    }
    Some(ways)
}

/// Alternatives for a number to be zero, or not.
fn zero_atoms(number: &IntegerPolynomial, positive: bool) -> Option<Vec<PolyAtom>> {
    let atom = PolyAtom::Eq(number.clone());
    if positive { Some(vec![atom]) } else { negate_atom(&atom) }
}

/// Alternatives for a number not to be negative, or to be.
fn nonnegative_atoms(number: &IntegerPolynomial, positive: bool) -> Option<Vec<PolyAtom>> {
    let atom = PolyAtom::Ge(number.clone());
    if positive { Some(vec![atom]) } else { negate_atom(&atom) }
}
