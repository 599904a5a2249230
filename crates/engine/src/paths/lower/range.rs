//! What the sorts of numbers say about them, and numbers that have left theirs.

use ouro_model::transition::TransitionSystem;
use ouro_term::{Sort, Term};

use super::{Case, INT, Lowering, Mode};
use crate::paths::poly::{Atom, Poly, Var};

impl Lowering<'_> {
    /// What the sorts of variables and choices say about their numbers.
    pub(super) fn ranges(&self, system: &TransitionSystem, open: &[Term]) -> Vec<Atom> {
        let symbols = system.variables.iter().map(|v| v.symbol).chain(open.iter().copied());
        let mut atoms = Vec::new();
        for (var, symbol) in symbols.enumerate() {
            let value = Poly::var(var as Var);
            let range = match self.terms.sort(symbol) {
                Sort::BitVec(width) if self.is_natural(var as Var) => naturals_of(width, &value),
                // What comes from outside is of its type, whatever is computed with it.
                Sort::BitVec(INT..) if self.reading.boundless && var < system.variables.len() => {
                    None
                }
                sort => range(sort, &value),
            };
            atoms.extend(range.unwrap_or_default());
        }
        atoms
    }

    /// Values brought into the range of their sort by at most so many turns. Where more may be
    /// needed, those are left out, or are any value of the sort.
    pub(super) fn around(
        &mut self,
        sort: Sort,
        cases: Vec<Case>,
        turns: i128,
    ) -> Option<Vec<Case>> {
        let Sort::BitVec(width) = sort else { return Some(cases) };
        let turn = 1_i128.checked_shl(width).filter(|turn| *turn > 0)?;
        let mut all = Vec::new();
        for case in cases {
            for k in -turns..=turns {
                let value = case.value.plus(turn.checked_mul(k)?)?;
                let mut atoms = case.atoms.clone();
                atoms.extend(range(sort, &value)?);
                all.push(Case { atoms, value });
            }
            let open = turns == 0 || self.reading.boundless;
            if open && self.mode == Mode::Over && width <= 64 {
                let half = turn / 2;
                let more = turn.checked_mul(turns)?;
                let (least, most) = ((-half).checked_sub(more)?, (half - 1).checked_add(more)?);
                all.extend(self.beyond(&case, least, most, |value| range(sort, value))?);
            }
        }
        Some(all)
    }

    /// The values of a number that C makes wider. If signed numbers count as if they had no bounds, one
    /// that has left its type is any number of it here: else a comparison in the wider type could end a
    /// loop that in C only an overflow ends.
    pub(super) fn in_range(&mut self, term: Term) -> Option<Vec<Case>> {
        let cases = self.value(term)?;
        match self.terms.sort(term) {
            sort @ Sort::BitVec(INT..) if self.reading.boundless && !self.exactly => {
                self.around(sort, cases, 0)
            }
            _ => Some(cases),
        }
    }

    /// A value below or above what was looked at: it is any number in range. Where signed numbers
    /// count as if they had no bounds, leaving these out would be a bound that ends loops.
    pub(super) fn beyond(
        &mut self,
        case: &Case,
        least: i128,
        most: i128,
        range: impl Fn(&Poly) -> Option<Vec<Atom>>,
    ) -> Option<Vec<Case>> {
        let below = Atom::Ge(case.value.neg()?.plus(least.checked_sub(1)?)?);
        let above = Atom::Ge(case.value.plus(most.checked_neg()?.checked_sub(1)?)?);
        let mut cases = Vec::new();
        for outside in [below, above] {
            let value = self.local();
            let mut atoms = case.atoms.clone();
            atoms.push(outside);
            atoms.extend(range(&value)?);
            cases.push(Case { atoms, value });
        }
        Some(cases)
    }
}

/// What is known of a natural number of so many bits.
pub(super) fn naturals_of(width: u32, value: &Poly) -> Option<Vec<Atom>> {
    let most = 1_i128.checked_shl(width).filter(|turn| *turn > 0)? - 1;
    Some(vec![Atom::Ge(value.clone()), Atom::Ge(value.neg()?.plus(most)?)])
}

/// What a sort says about a number.
pub(super) fn range(sort: Sort, value: &Poly) -> Option<Vec<Atom>> {
    let (least, most) = match sort {
        Sort::Int => return Some(Vec::new()),
        Sort::Bool => (0, 1),
        Sort::BitVec(width) if width <= 64 => (-(1_i128 << (width - 1)), (1 << (width - 1)) - 1),
        Sort::BitVec(_) => return Some(Vec::new()),
    };
    Some(vec![Atom::Ge(value.plus(-least)?), Atom::Ge(value.neg()?.plus(most)?)])
}
