//! Formulas with negations at the atoms: what the automaton is built from.
//!
//! The constructors simplify as they build. Each rule is an equivalence, so nothing is gained or lost.

use std::collections::BTreeSet;

use super::Ltl;

/// A formula in negation normal form. `F a` is `true U a`, `G a` is `false R a`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Formula {
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
    And(Vec<Formula>),
    /// One of these; at least two, ascending.
    Or(Vec<Formula>),
    /// In the next state.
    Next(Box<Formula>),
    /// The first until the second, which does come.
    Until(Box<Formula>, Box<Formula>),
    /// The second, up to and including a state in which the first holds too, if there is one.
    Release(Box<Formula>, Box<Formula>),
}

/// How large a formula may become; `<->` doubles what it stands between.
const LARGEST: usize = 2000;

impl Formula {
    /// The formula, or its negation; none if it becomes too large.
    pub fn of(ltl: &Ltl, negated: bool) -> Option<Formula> {
        let mut room = LARGEST;
        build(ltl, !negated, &mut room)
    }

    /// `a && b && …`
    pub fn and(parts: impl IntoIterator<Item = Formula>) -> Formula {
        let mut all = BTreeSet::new();
        let mut always: Vec<Formula> = Vec::new();
        for part in parts {
            match part {
                Formula::True => {}
                Formula::False => return Formula::False,
                Formula::And(inner) => all.extend(inner),
                other => drop(all.insert(other)),
            }
        }
        // G a && G b = G (a && b)
        all.retain(|part| match part {
            Formula::Release(a, b) if **a == Formula::False => {
                always.push((**b).clone());
                false
            }
            _ => true,
        });
        match always.len() {
            0 => {}
            1 => drop(all.insert(Formula::globally(always.remove(0)))),
            _ => {
                return Formula::and(
                    all.into_iter().chain([Formula::globally(Formula::and(always))]),
                );
            }
        }
        if contradicts(&all) {
            return Formula::False;
        }
        match all.len() {
            0 => Formula::True,
            1 => all.pop_first().unwrap_or(Formula::True),
            _ => Formula::And(all.into_iter().collect()),
        }
    }

    /// `a || b || …`
    pub fn or(parts: impl IntoIterator<Item = Formula>) -> Formula {
        let mut all = BTreeSet::new();
        let mut ever: Vec<Formula> = Vec::new();
        for part in parts {
            match part {
                Formula::False => {}
                Formula::True => return Formula::True,
                Formula::Or(inner) => all.extend(inner),
                other => drop(all.insert(other)),
            }
        }
        // F a || F b = F (a || b)
        all.retain(|part| match part {
            Formula::Until(a, b) if **a == Formula::True => {
                ever.push((**b).clone());
                false
            }
            _ => true,
        });
        match ever.len() {
            0 => {}
            1 => drop(all.insert(Formula::finally(ever.remove(0)))),
            _ => return Formula::or(all.into_iter().chain([Formula::finally(Formula::or(ever))])),
        }
        if contradicts(&all) {
            return Formula::True;
        }
        match all.len() {
            0 => Formula::False,
            1 => all.pop_first().unwrap_or(Formula::False),
            _ => Formula::Or(all.into_iter().collect()),
        }
    }

    /// `X a`
    pub fn next(inner: Formula) -> Formula {
        match inner {
            Formula::True | Formula::False => inner,
            _ => Formula::Next(Box::new(inner)),
        }
    }

    /// `F a`
    pub fn finally(inner: Formula) -> Formula {
        Formula::until(Formula::True, inner)
    }

    /// `G a`
    pub fn globally(inner: Formula) -> Formula {
        Formula::release(Formula::False, inner)
    }

    /// `a U b`
    pub fn until(left: Formula, right: Formula) -> Formula {
        match (&left, &right) {
            (_, Formula::True | Formula::False) | (Formula::False, _) => return right,
            // a U (a U b) = a U b, F F b = F b, a U F b = F b
            (_, Formula::Until(inner, _)) if **inner == left => return right,
            (_, Formula::Until(inner, _)) if **inner == Formula::True => return right,
            // F G F b = G F b
            (Formula::True, Formula::Release(never, inner))
                if **never == Formula::False && is_finally(inner) =>
            {
                return right;
            }
            _ => {}
        }
        Formula::Until(Box::new(left), Box::new(right))
    }

    /// `a R b`
    pub fn release(left: Formula, right: Formula) -> Formula {
        match (&left, &right) {
            (_, Formula::True | Formula::False) | (Formula::True, _) => return right,
            (_, Formula::Release(inner, _)) if **inner == left => return right,
            (_, Formula::Release(inner, _)) if **inner == Formula::False => return right,
            // G F G b = F G b
            (Formula::False, Formula::Until(ever, inner))
                if **ever == Formula::True && is_globally(inner) =>
            {
                return right;
            }
            _ => {}
        }
        Formula::Release(Box::new(left), Box::new(right))
    }

    /// What the formula says of a word whose letters are all the same: nothing temporal is left.
    pub fn on_constant_word(&self) -> Formula {
        match self {
            Formula::True | Formula::False | Formula::Literal { .. } => self.clone(),
            Formula::And(parts) => Formula::and(parts.iter().map(Formula::on_constant_word)),
            Formula::Or(parts) => Formula::or(parts.iter().map(Formula::on_constant_word)),
            Formula::Next(inner) => inner.on_constant_word(),
            // If the second holds, it holds now; if it does not, it never does.
            Formula::Until(_, right) | Formula::Release(_, right) => right.on_constant_word(),
        }
    }
}

fn is_finally(formula: &Formula) -> bool {
    matches!(formula, Formula::Until(left, _) if **left == Formula::True)
}

fn is_globally(formula: &Formula) -> bool {
    matches!(formula, Formula::Release(left, _) if **left == Formula::False)
}

/// Whether an atom and its negation are among these.
fn contradicts(all: &BTreeSet<Formula>) -> bool {
    all.iter().any(|part| match part {
        Formula::Literal { atom, positive: true } => {
            all.contains(&Formula::Literal { atom: *atom, positive: false })
        }
        _ => false,
    })
}

fn build(ltl: &Ltl, positive: bool, room: &mut usize) -> Option<Formula> {
    *room = room.checked_sub(1)?;
    let mut of = |inner: &Ltl, positive: bool| build(inner, positive, room);
    Some(match (ltl, positive) {
        (Ltl::Constant(value), _) => {
            if *value == positive {
                Formula::True
            } else {
                Formula::False
            }
        }
        (Ltl::Atom(atom), _) => Formula::Literal { atom: *atom, positive },
        (Ltl::Not(a), _) => of(a, !positive)?,
        (Ltl::And(a, b), true) | (Ltl::Or(a, b), false) => {
            Formula::and([of(a, positive)?, of(b, positive)?])
        }
        (Ltl::Or(a, b), true) | (Ltl::And(a, b), false) => {
            Formula::or([of(a, positive)?, of(b, positive)?])
        }
        (Ltl::Implies(a, b), true) => Formula::or([of(a, false)?, of(b, true)?]),
        (Ltl::Implies(a, b), false) => Formula::and([of(a, true)?, of(b, false)?]),
        (Ltl::Equivalent(a, b), _) => Formula::or([
            Formula::and([of(a, true)?, of(b, positive)?]),
            Formula::and([of(a, false)?, of(b, !positive)?]),
        ]),
        (Ltl::Next(a), _) => Formula::next(of(a, positive)?),
        (Ltl::Finally(a), true) | (Ltl::Globally(a), false) => Formula::finally(of(a, positive)?),
        (Ltl::Globally(a), true) | (Ltl::Finally(a), false) => Formula::globally(of(a, positive)?),
        (Ltl::Until(a, b), true) | (Ltl::Release(a, b), false) => {
            Formula::until(of(a, positive)?, of(b, positive)?)
        }
        (Ltl::Release(a, b), true) | (Ltl::Until(a, b), false) => {
            Formula::release(of(a, positive)?, of(b, positive)?)
        }
        // a W b = b R (a || b), and its negation is !b U (!a && !b)
        (Ltl::WeakUntil(a, b), true) => {
            let (a, b) = (of(a, true)?, of(b, true)?);
            Formula::release(b.clone(), Formula::or([a, b]))
        }
        (Ltl::WeakUntil(a, b), false) => {
            let (a, b) = (of(a, false)?, of(b, false)?);
            Formula::until(b.clone(), Formula::and([a, b]))
        }
    })
}
