//! What the sorts of numbers say about them, and numbers that have left theirs.

use ouro_model::transition::TransitionSystem;
use ouro_term::{Sort, Term};

use super::{ApproximationMode, EdgeLowering, INT, ValueCase};
use crate::paths::poly::{IntegerPolynomial, PolyAtom, PolyVar};

impl EdgeLowering<'_> {
    /// What the sorts of variables and of what is open say about their numbers. The first `inputs` of what is open come
    /// from outside.
    pub(super) fn sort_range_atoms(
        &self,
        system: &TransitionSystem,
        open: &[Term],
        inputs: usize,
    ) -> Vec<PolyAtom> {
        let inputs = if self.reading.bounded_inputs { inputs } else { 0 };
        let from_outside = system.variables.len()..system.variables.len() + inputs;
        let symbols = system.variables.iter().map(|v| v.symbol).chain(open.iter().copied());
        let mut atoms = Vec::new();
        for (var, symbol) in symbols.enumerate() {
            let value = IntegerPolynomial::var(var as PolyVar);
            let range = match self.terms.sort(symbol) {
                Sort::BitVec(width) if self.is_natural(var as PolyVar) => {
                    natural_range_atoms(width, &value)
                }
                // What comes from outside is of its type, whatever is computed with it. What we decided not to know
                // may have been computed, and then only an overflow keeps it in its type.
                Sort::BitVec(INT..) if self.reading.boundless && !from_outside.contains(&var) => {
                    None
                }
                sort => sort_range(sort, &value),
            };
            atoms.extend(range.unwrap_or_default());
        }
        atoms
    }

    /// Values brought into the range of their sort by at most so many turns. Where more may be
    /// needed, those are left out, or are any value of the sort.
    pub(super) fn wrap_into_range(
        &mut self,
        sort: Sort,
        cases: Vec<ValueCase>,
        turns: i128,
    ) -> Option<Vec<ValueCase>> {
        let Sort::BitVec(width) = sort else { return Some(cases) };
        let turn = 1_i128.checked_shl(width).filter(|turn| *turn > 0)?;
        let mut all = Vec::new();
        for case in cases {
            for k in -turns..=turns {
                let value = case.value.plus_constant(turn.checked_mul(k)?)?;
                let mut atoms = case.atoms.clone();
                atoms.extend(sort_range(sort, &value)?);
                all.push(ValueCase { atoms, value });
            }
            let open = turns == 0 || self.reading.boundless;
            if open && self.mode == ApproximationMode::Over && width <= 64 {
                let half = turn / 2;
                let more = turn.checked_mul(turns)?;
                let (least, most) = ((-half).checked_sub(more)?, (half - 1).checked_add(more)?);
                all.extend(
                    self.values_beyond_range(&case, least, most, |value| sort_range(sort, value))?,
                );
            }
        }
        Some(all)
    }

    /// The values of a number that C makes wider. If signed numbers count as if they had no bounds, one
    /// that has left its type is any number of it here: else a comparison in the wider type could end a
    /// loop that in C only an overflow ends.
    pub(super) fn values_in_range(&mut self, term: Term) -> Option<Vec<ValueCase>> {
        let cases = self.term_values(term)?;
        match self.terms.sort(term) {
            sort @ Sort::BitVec(INT..) if self.reading.boundless && !self.exactly => {
                self.wrap_into_range(sort, cases, 0)
            }
            _ => Some(cases),
        }
    }

    /// A value below or above what was looked at: it is any number in range. Where signed numbers
    /// count as if they had no bounds, leaving these out would be a bound that ends loops.
    pub(super) fn values_beyond_range(
        &mut self,
        case: &ValueCase,
        least: i128,
        most: i128,
        range: impl Fn(&IntegerPolynomial) -> Option<Vec<PolyAtom>>,
    ) -> Option<Vec<ValueCase>> {
        let below = PolyAtom::Ge(case.value.neg()?.plus_constant(least.checked_sub(1)?)?);
        let above = PolyAtom::Ge(case.value.plus_constant(most.checked_neg()?.checked_sub(1)?)?);
        let mut cases = Vec::new();
        for outside in [below, above] {
            let value = self.new_local();
            let mut atoms = case.atoms.clone();
            atoms.push(outside);
            atoms.extend(range(&value)?);
            cases.push(ValueCase { atoms, value });
        }
        Some(cases)
    }
}

/// What is known of a natural number of so many bits.
pub(super) fn natural_range_atoms(width: u32, value: &IntegerPolynomial) -> Option<Vec<PolyAtom>> {
    let most = 1_i128.checked_shl(width).filter(|turn| *turn > 0)? - 1;
    Some(vec![PolyAtom::Ge(value.clone()), PolyAtom::Ge(value.neg()?.plus_constant(most)?)])
}

/// What a sort says about a number.
pub(super) fn sort_range(sort: Sort, value: &IntegerPolynomial) -> Option<Vec<PolyAtom>> {
    let (least, most) = match sort {
        Sort::Int => return Some(Vec::new()),
        Sort::Bool => (0, 1),
        Sort::BitVec(width) if width <= 64 => (-(1_i128 << (width - 1)), (1 << (width - 1)) - 1),
        Sort::BitVec(_) => return Some(Vec::new()),
    };
    Some(vec![
        PolyAtom::Ge(value.plus_constant(-least)?),
        PolyAtom::Ge(value.neg()?.plus_constant(most)?),
    ])
}
