//! What relations are made of: conditions on the state as it is and as it was (transition predicates).

use std::collections::VecDeque;

use super::memory::{was, was_so};
use super::part::Part;
use crate::paths::ask::opposite;
use crate::paths::path::Path;
use crate::paths::poly::{Atom, Poly, Var};

/// More predicates than this at a location slow everything down.
const PREDICATES: usize = 80;
/// The snapshot is taken in at most two to this many cases.
const CASES: usize = 4;
/// With more variables than this, they are not compared with each other.
const COMPARED: usize = 4;

/// What is looked at.
pub(crate) struct Predicates {
    /// For each location, conditions on what is and what was.
    pub(crate) at: Vec<Vec<Atom>>,
    /// Conditions on the state in which the snapshot is taken. Each is known to hold or known not to.
    pub(crate) cases: Vec<Atom>,
    /// What gets smaller: functions of the state at the place.
    pub(crate) measures: Vec<Poly>,
    /// Pairs of fairness of which it is known whether p and q have been passed since the snapshot.
    pub(crate) pairs: Vec<usize>,
}

impl Predicates {
    pub(crate) fn none(locations: usize) -> Predicates {
        Predicates {
            at: vec![Vec::new(); locations],
            cases: Vec::new(),
            measures: Vec::new(),
            pairs: Vec::new(),
        }
    }

    /// Whether each variable has become smaller, larger or neither; if they are few, also compared with
    /// what the others were.
    pub(crate) fn of_variables(locations: usize, part: &Part<'_>, matters: &[bool]) -> Predicates {
        let mut all = Predicates::none(locations);
        let vars: Vec<Var> = (0..part.variables as Var).filter(|v| matters[*v as usize]).collect();
        for now in &vars {
            for then in &vars {
                if now != then && vars.len() > COMPARED {
                    continue;
                }
                let (now, then) = (Poly::var(*now), Poly::var(*then + part.variables as Var));
                let (down, up) = (then.sub(&now), now.sub(&then));
                let less = down.as_ref().and_then(|down| down.plus(-1));
                for poly in [down, less, up].into_iter().flatten() {
                    for location in &part.locations {
                        all.add(*location, Atom::Ge(poly.clone()));
                    }
                }
            }
        }
        all
    }

    fn add(&mut self, location: usize, atom: Atom) -> bool {
        let here = &mut self.at[location];
        if atom.truth().is_some() || here.len() >= PREDICATES || here.contains(&atom) {
            return false;
        }
        here.push(atom);
        true
    }

    /// Adds a measure of a lasso and what there is to say about it; whether that is new. If `in_cases`,
    /// whether it was negative is always known.
    pub(crate) fn measure(
        &mut self,
        part: &Part<'_>,
        measure: &Poly,
        lasso: &[usize],
        in_cases: bool,
    ) -> bool {
        let mut new = !self.measures.contains(measure);
        if new {
            self.measures.push(measure.clone());
        }
        let bounded = Atom::Ge(measure.clone());
        new |= in_cases && self.case(&bounded);
        for atom in opposite(&bounded).into_iter().flatten().chain([bounded]) {
            for location in &part.locations {
                if let Some(atom) = was_so(&atom, part.variables) {
                    new |= self.add(*location, atom);
                }
            }
        }
        let down = was(measure, part.variables).and_then(|then| then.sub(measure));
        let less = down.as_ref().and_then(|down| down.plus(-1));
        for poly in [down, less].into_iter().flatten() {
            let atom = Atom::Ge(poly);
            new |= self.back(part, atom.clone());
            new |= self.along(part, atom, lasso);
        }
        new
    }

    /// Adds, on the way to where a condition at the place should hold, what makes it hold there.
    fn along(&mut self, part: &Part<'_>, mut atom: Atom, steps: &[usize]) -> bool {
        let mut new = false;
        for step in steps.iter().skip(1).rev().map(|step| &part.remembering[*step]) {
            match step.before(&atom).filter(|atom| is_state(step, atom)) {
                Some(before) => atom = before,
                None => break,
            }
            new |= self.add(step.from, atom.clone());
        }
        new
    }

    fn case(&mut self, atom: &Atom) -> bool {
        if self.cases.contains(atom) || self.cases.len() >= CASES {
            return false;
        }
        self.cases.push(atom.clone());
        true
    }

    /// Adds a condition at the place, and at the locations before it what makes it hold there.
    fn back(&mut self, part: &Part<'_>, atom: Atom) -> bool {
        let mut new = self.add(part.at, atom.clone());
        let mut pending = VecDeque::from([(part.at, atom)]);
        while let Some((to, atom)) = pending.pop_front() {
            for step in part.nearer(to) {
                let step = &part.remembering[step];
                if let Some(before) = step.before(&atom).filter(|atom| is_state(step, atom))
                    && self.add(step.from, before.clone())
                {
                    new = true;
                    pending.push_back((step.from, before));
                }
            }
        }
        new
    }

    /// Has a pair looked at of which a lasso has p and not q: no fair run takes it again and again. Whether there is
    /// one. A pair that no lasso asks for makes no difference, and costs nothing.
    pub(crate) fn watch(&mut self, part: &Part<'_>, lasso: &[usize]) -> bool {
        let pairs = lasso.first().map_or(0, |step| part.meets[*step].len());
        let any = |has: &dyn Fn(&[(bool, bool)]) -> bool| {
            lasso.iter().any(|step| has(&part.meets[*step]))
        };
        let unfair = |pair: &usize| any(&|meets| meets[*pair].0) && !any(&|meets| meets[*pair].1);
        let new = (0..pairs).find(|pair| !self.pairs.contains(pair) && unfair(pair));
        self.pairs.extend(new);
        new.is_some()
    }

    /// Adds, along steps that no run can take in a row, what their conditions are before each of them, and
    /// the opposite; whether something is new.
    pub(crate) fn refute(&mut self, part: &Part<'_>, steps: &[usize]) -> bool {
        let mut new = false;
        for at in 1..steps.len() {
            let mut rest = part.remembering[steps[at]].clone();
            for step in &steps[at + 1..] {
                match rest.then(&part.remembering[*step]) {
                    Ok(longer) => rest = longer,
                    // What holds so far says why there is no more.
                    Err(_) => break,
                }
            }
            for atom in rest.atoms.iter().filter(|atom| is_state(&rest, atom)) {
                for atom in opposite(atom).into_iter().flatten().chain([atom.clone()]) {
                    new |= self.add(rest.from, atom);
                }
            }
        }
        new
    }
}

/// Whether a condition has no local variables of a path.
fn is_state(path: &Path, atom: &Atom) -> bool {
    atom.poly().vars().iter().all(|var| *var < path.variables())
}
