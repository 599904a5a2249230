//! When a formula holds: alternatives, each a conjunction of conditions on numbers.

use ouro_term::{Op, Sort, Term};

use super::exact::exact;
use super::range::range;
use super::{Case, Lowering, Mode, Ways, add_new, exclude, product};
use crate::paths::ask::opposite;
use crate::paths::poly::{Atom, Poly};

impl Lowering<'_> {
    /// The ways in which a guard holds, part by part.
    pub(super) fn condition(&mut self, guard: Term) -> Option<Ways> {
        let parts = match self.terms.op(guard) {
            Op::And => self.terms.args(guard).to_vec(),
            _ => vec![guard],
        };
        self.exact.clear();
        for (narrow, wide) in parts.iter().filter_map(|part| exact(self.terms, *part)) {
            self.exact.entry(narrow).or_insert(wide);
        }
        let mut all = vec![Vec::new()];
        for part in parts {
            let ways = match exact(self.terms, part) {
                Some((narrow, _)) => self.within(narrow),
                None => self.truth(part, true),
            };
            match (ways.and_then(|ways| product(&all, &ways, self.most())), self.mode) {
                (Some(more), _) => all = more,
                (None, Mode::Under) => return None,
                (None, Mode::Over) => {}
            }
        }
        Some(all)
    }

    /// The ways in which a term that is said to be exact is within its sort.
    fn within(&mut self, term: Term) -> Option<Ways> {
        if self.reading.boundless {
            return Some(vec![Vec::new()]);
        }
        let sort = self.terms.sort(term);
        let mut ways = Vec::new();
        for case in self.value(term)? {
            let mut atoms = case.atoms;
            atoms.extend(range(sort, &case.value)?);
            ways.push(atoms);
        }
        Some(ways)
    }

    /// The ways in which a formula has this truth.
    pub(super) fn truth(&mut self, term: Term, positive: bool) -> Option<Ways> {
        let args = self.terms.args(term).to_vec();
        let ways = match (self.terms.op(term).clone(), positive) {
            (Op::True, true) | (Op::False, false) => vec![Vec::new()],
            (Op::True, false) | (Op::False, true) => Vec::new(),
            (Op::Not, _) => self.truth(args[0], !positive)?,
            (Op::And, true) | (Op::Or, false) => {
                let mut all = vec![Vec::new()];
                for arg in args {
                    let ways = self.truth(arg, positive)?;
                    all = product(&all, &ways, self.most())?;
                }
                all
            }
            (Op::Or, true) | (Op::And, false) => {
                let mut any = Vec::new();
                for arg in args {
                    any.extend(self.truth(arg, positive)?);
                }
                any
            }
            (Op::Ite, _) => {
                let mut any = Vec::new();
                for (condition, then) in [(true, args[1]), (false, args[2])] {
                    let condition = self.truth(args[0], condition)?;
                    let then = self.truth(then, positive)?;
                    any.extend(product(&condition, &then, self.most())?);
                }
                any
            }
            (Op::Eq, _) if self.terms.sort(args[0]) == Sort::Bool => {
                let mut any = Vec::new();
                for side in [true, false] {
                    let left = self.truth(args[0], side)?;
                    let right = self.truth(args[1], side == positive)?;
                    any.extend(product(&left, &right, self.most())?);
                }
                any
            }
            (Op::Eq, _) if args.iter().any(|arg| self.prefers_natural(*arg)) => {
                self.naturals(args[0], args[1], &|difference| equal(difference, positive))?
            }
            (Op::Eq, _) => {
                self.compare(args[0], args[1], &|difference| equal(difference, positive))?
            }
            (Op::IntLe | Op::BvSle, _) => {
                self.compare(args[0], args[1], &|difference| at_least(difference, positive))?
            }
            (Op::BvSlt, _) => {
                self.compare(args[1], args[0], &|difference| at_least(difference, !positive))?
            }
            (Op::BvUle, _) => self.unsigned(args[0], args[1], positive)?,
            (Op::BvUlt, _) => self.unsigned(args[1], args[0], !positive)?,
            (Op::Symbol(_), _) => {
                let value = Poly::constant(i128::from(positive));
                let mut ways = Vec::new();
                for case in self.value(term)? {
                    let mut atoms = case.atoms;
                    atoms.push(Atom::Eq(case.value.sub(&value)?));
                    ways.push(atoms);
                }
                ways
            }
            _ => return None,
        };
        (ways.len() <= self.most()).then_some(ways)
    }

    /// The ways for a condition on `b - a`.
    fn compare(
        &mut self,
        a: Term,
        b: Term,
        condition: &dyn Fn(&Poly) -> Option<Vec<Atom>>,
    ) -> Option<Ways> {
        let (left, right) = (self.value(a)?, self.value(b)?);
        conditions(&left, &right, condition)
    }

    /// The same for natural numbers.
    fn naturals(
        &mut self,
        a: Term,
        b: Term,
        condition: &dyn Fn(&Poly) -> Option<Vec<Atom>>,
    ) -> Option<Ways> {
        let (left, right) = (self.natural(a)?, self.natural(b)?);
        conditions(&left, &right, condition)
    }

    /// The ways in which `a <= b`, unsigned, or not: both of one sign, or `b` the negative one.
    fn unsigned(&mut self, a: Term, b: Term, positive: bool) -> Option<Ways> {
        if self.prefers_natural(a) || self.prefers_natural(b) {
            return self.naturals(a, b, &|difference| at_least(difference, positive));
        }
        let (left, right) = (self.value(a)?, self.value(b)?);
        let mut ways = Vec::new();
        for x in &left {
            for y in right.iter().filter(|y| !exclude(&x.atoms, &y.atoms)) {
                let not_negative = |poly: &Poly| Some(Atom::Ge(poly.clone()));
                let negative = |poly: &Poly| Some(Atom::Ge(poly.neg()?.plus(-1)?));
                let (p, q) = (&x.value, &y.value);
                let ordered = at_least(&q.sub(p)?, positive)?;
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
fn conditions(
    left: &[Case],
    right: &[Case],
    condition: &dyn Fn(&Poly) -> Option<Vec<Atom>>,
) -> Option<Ways> {
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
fn equal(number: &Poly, positive: bool) -> Option<Vec<Atom>> {
    let atom = Atom::Eq(number.clone());
    if positive { Some(vec![atom]) } else { opposite(&atom) }
}

/// Alternatives for a number not to be negative, or to be.
fn at_least(number: &Poly, positive: bool) -> Option<Vec<Atom>> {
    let atom = Atom::Ge(number.clone());
    if positive { Some(vec![atom]) } else { opposite(&atom) }
}
