//! Formulas with negations at the atoms: what the automaton is built from.
//!
//! The constructors simplify as they build. Each rule is an equivalence, so nothing is gained or lost.

use std::collections::BTreeSet;

use super::LtlFormula;
use crate::limits::LIMITS;

/// A formula in negation normal form. `F a` is `true U a`, `G a` is `false R a`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum NegationNormalForm {
    /// Nothing satisfies it.
    False,
    /// Everything satisfies it.
    True,
    /// An atom, or its negation.
    Literal {
        /// Its number.
        atom: u32,
        /// Whether it is not negated.
        positive: bool,
    },
    /// All of these; at least two, ascending.
    And(Vec<NegationNormalForm>),
    /// One of these; at least two, ascending.
    Or(Vec<NegationNormalForm>),
    /// In the next state.
    Next(Box<NegationNormalForm>),
    /// The first until the second, which does come.
    Until(Box<NegationNormalForm>, Box<NegationNormalForm>),
    /// The second, up to and including a state in which the first holds too, if there is one.
    Release(Box<NegationNormalForm>, Box<NegationNormalForm>),
}

impl NegationNormalForm {
    /// The formula, or its negation; none if it becomes too large.
    pub fn of_ltl(ltl: &LtlFormula, negated: bool) -> Option<NegationNormalForm> {
        let mut room = LIMITS.formula_size;
        build_normal_form(ltl, !negated, &mut room)
    }

    /// `a && b && …`
    pub fn and(parts: impl IntoIterator<Item = NegationNormalForm>) -> NegationNormalForm {
        let mut all = BTreeSet::new();
        let mut always: Vec<NegationNormalForm> = Vec::new();
        for part in parts {
            match part {
                NegationNormalForm::True => {}
                NegationNormalForm::False => return NegationNormalForm::False,
                NegationNormalForm::And(inner) => all.extend(inner),
                other => drop(all.insert(other)),
            }
        }
        // G a && G b = G (a && b)
        all.retain(|part| match part {
            NegationNormalForm::Release(a, b) if **a == NegationNormalForm::False => {
                always.push((**b).clone());
                false
            }
            _ => true,
        });
        match always.len() {
            0 => {}
            1 => drop(all.insert(NegationNormalForm::globally(always.remove(0)))),
            _ => {
                return NegationNormalForm::and(
                    all.into_iter()
                        .chain([NegationNormalForm::globally(NegationNormalForm::and(always))]),
                );
            }
        }
        if contradicts(&all) {
            return NegationNormalForm::False;
        }
        match all.len() {
            0 => NegationNormalForm::True,
            1 => all.pop_first().unwrap_or(NegationNormalForm::True),
            _ => NegationNormalForm::And(all.into_iter().collect()),
        }
    }

    /// `a || b || …`
    pub fn or(parts: impl IntoIterator<Item = NegationNormalForm>) -> NegationNormalForm {
        let mut all = BTreeSet::new();
        let mut ever: Vec<NegationNormalForm> = Vec::new();
        for part in parts {
            match part {
                NegationNormalForm::False => {}
                NegationNormalForm::True => return NegationNormalForm::True,
                NegationNormalForm::Or(inner) => all.extend(inner),
                other => drop(all.insert(other)),
            }
        }
        // F a || F b = F (a || b)
        all.retain(|part| match part {
            NegationNormalForm::Until(a, b) if **a == NegationNormalForm::True => {
                ever.push((**b).clone());
                false
            }
            _ => true,
        });
        match ever.len() {
            0 => {}
            1 => drop(all.insert(NegationNormalForm::finally(ever.remove(0)))),
            _ => {
                return NegationNormalForm::or(
                    all.into_iter()
                        .chain([NegationNormalForm::finally(NegationNormalForm::or(ever))]),
                );
            }
        }
        if contradicts(&all) {
            return NegationNormalForm::True;
        }
        match all.len() {
            0 => NegationNormalForm::False,
            1 => all.pop_first().unwrap_or(NegationNormalForm::False),
            _ => NegationNormalForm::Or(all.into_iter().collect()),
        }
    }

    /// `X a`
    pub fn next(inner: NegationNormalForm) -> NegationNormalForm {
        match inner {
            NegationNormalForm::True | NegationNormalForm::False => inner,
            _ => NegationNormalForm::Next(Box::new(inner)),
        }
    }

    /// `F a`
    pub fn finally(inner: NegationNormalForm) -> NegationNormalForm {
        NegationNormalForm::until(NegationNormalForm::True, inner)
    }

    /// `G a`
    pub fn globally(inner: NegationNormalForm) -> NegationNormalForm {
        NegationNormalForm::release(NegationNormalForm::False, inner)
    }

    /// `a U b`
    pub fn until(left: NegationNormalForm, right: NegationNormalForm) -> NegationNormalForm {
        match (&left, &right) {
            (_, NegationNormalForm::True | NegationNormalForm::False)
            | (NegationNormalForm::False, _) => return right,
            // a U (a U b) = a U b, F F b = F b, a U F b = F b
            (_, NegationNormalForm::Until(inner, _)) if **inner == left => return right,
            (_, NegationNormalForm::Until(inner, _)) if **inner == NegationNormalForm::True => {
                return right;
            }
            // F G F b = G F b
            (NegationNormalForm::True, NegationNormalForm::Release(never, inner))
                if **never == NegationNormalForm::False && is_finally(inner) =>
            {
                return right;
            }
            _ => {}
        }
        NegationNormalForm::Until(Box::new(left), Box::new(right))
    }

    /// `a R b`
    pub fn release(left: NegationNormalForm, right: NegationNormalForm) -> NegationNormalForm {
        match (&left, &right) {
            (_, NegationNormalForm::True | NegationNormalForm::False)
            | (NegationNormalForm::True, _) => return right,
            (_, NegationNormalForm::Release(inner, _)) if **inner == left => return right,
            (_, NegationNormalForm::Release(inner, _)) if **inner == NegationNormalForm::False => {
                return right;
            }
            // G F G b = F G b
            (NegationNormalForm::False, NegationNormalForm::Until(ever, inner))
                if **ever == NegationNormalForm::True && is_globally(inner) =>
            {
                return right;
            }
            _ => {}
        }
        NegationNormalForm::Release(Box::new(left), Box::new(right))
    }

    /// What the formula says of a word whose letters are all the same: nothing temporal is left.
    pub fn on_constant_word(&self) -> NegationNormalForm {
        match self {
            NegationNormalForm::True
            | NegationNormalForm::False
            | NegationNormalForm::Literal { .. } => self.clone(),
            NegationNormalForm::And(parts) => {
                NegationNormalForm::and(parts.iter().map(NegationNormalForm::on_constant_word))
            }
            NegationNormalForm::Or(parts) => {
                NegationNormalForm::or(parts.iter().map(NegationNormalForm::on_constant_word))
            }
            NegationNormalForm::Next(inner) => inner.on_constant_word(),
            // If the second holds, it holds now; if it does not, it never does.
            NegationNormalForm::Until(_, right) | NegationNormalForm::Release(_, right) => {
                right.on_constant_word()
            }
        }
    }
}

fn is_finally(formula: &NegationNormalForm) -> bool {
    matches!(formula, NegationNormalForm::Until(left, _) if **left == NegationNormalForm::True)
}

fn is_globally(formula: &NegationNormalForm) -> bool {
    matches!(formula, NegationNormalForm::Release(left, _) if **left == NegationNormalForm::False)
}

/// Whether an atom and its negation are among these.
fn contradicts(all: &BTreeSet<NegationNormalForm>) -> bool {
    all.iter().any(|part| match part {
        NegationNormalForm::Literal { atom, positive: true } => {
            all.contains(&NegationNormalForm::Literal { atom: *atom, positive: false })
        }
        _ => false,
    })
}

fn build_normal_form(
    ltl: &LtlFormula,
    positive: bool,
    room: &mut usize,
) -> Option<NegationNormalForm> {
    *room = room.checked_sub(1)?;
    let mut of = |inner: &LtlFormula, positive: bool| build_normal_form(inner, positive, room);
    Some(match (ltl, positive) {
        (LtlFormula::Constant(value), _) => {
            if *value == positive {
                NegationNormalForm::True
            } else {
                NegationNormalForm::False
            }
        }
        (LtlFormula::Atom(atom), _) => NegationNormalForm::Literal { atom: *atom, positive },
        (LtlFormula::Not(a), _) => of(a, !positive)?,
        (LtlFormula::And(a, b), true) | (LtlFormula::Or(a, b), false) => {
            NegationNormalForm::and([of(a, positive)?, of(b, positive)?])
        }
        (LtlFormula::Or(a, b), true) | (LtlFormula::And(a, b), false) => {
            NegationNormalForm::or([of(a, positive)?, of(b, positive)?])
        }
        (LtlFormula::Implies(a, b), true) => NegationNormalForm::or([of(a, false)?, of(b, true)?]),
        (LtlFormula::Implies(a, b), false) => {
            NegationNormalForm::and([of(a, true)?, of(b, false)?])
        }
        (LtlFormula::Equivalent(a, b), _) => NegationNormalForm::or([
            NegationNormalForm::and([of(a, true)?, of(b, positive)?]),
            NegationNormalForm::and([of(a, false)?, of(b, !positive)?]),
        ]),
        (LtlFormula::Next(a), _) => NegationNormalForm::next(of(a, positive)?),
        (LtlFormula::Finally(a), true) | (LtlFormula::Globally(a), false) => {
            NegationNormalForm::finally(of(a, positive)?)
        }
        (LtlFormula::Globally(a), true) | (LtlFormula::Finally(a), false) => {
            NegationNormalForm::globally(of(a, positive)?)
        }
        (LtlFormula::Until(a, b), true) | (LtlFormula::Release(a, b), false) => {
            NegationNormalForm::until(of(a, positive)?, of(b, positive)?)
        }
        (LtlFormula::Release(a, b), true) | (LtlFormula::Until(a, b), false) => {
            NegationNormalForm::release(of(a, positive)?, of(b, positive)?)
        }
        // a W b = b R (a || b), and its negation is !b U (!a && !b)
        (LtlFormula::WeakUntil(a, b), true) => {
            let (a, b) = (of(a, true)?, of(b, true)?);
            NegationNormalForm::release(b.clone(), NegationNormalForm::or([a, b]))
        }
        (LtlFormula::WeakUntil(a, b), false) => {
            let (a, b) = (of(a, false)?, of(b, false)?);
            NegationNormalForm::until(b.clone(), NegationNormalForm::and([a, b]))
        }
    })
}
