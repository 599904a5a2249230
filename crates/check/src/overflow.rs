//! A loop that only a signed overflow ends is not said to end.
//!
//! By C's rules a run that overflows a signed integer has ended, so each way from head to head is followed
//! under the condition that it does not. A ranking can then be made of that condition alone: `while (i >= 0)
//! i++;` goes on for `INT_MAX - i` turns at most. No such end is relied on, neither where all values are plain
//! numbers nor here. **The rule:** where a signed operation on a way within a strongly connected part may
//! overflow, the same rankings and snapshots must hold for the part *if signed integers had no bounds*
//! (`boundless`): an operation then gives its mathematical result, and nothing excludes a way because it
//! overflows. Of the invariants, those parts are taken for granted that are kept then, too, and that signed
//! numbers are within their types only where that is kept.
//!
//! In mathematical integers `for (i = 1; i <= n; i++)` ends, also with the largest `n`: that is accepted, and
//! the overflow is named (`undefined`). `i >= 0` goes on forever. A counter that nothing reads may overflow:
//! no ranking speaks of it.
//!
//! A branch that is impossible only because nothing overflowed before is possible then. It is not followed,
//! so there must be none: `lost` are the runs that were given up as impossible after an operation that could
//! overflow.

use ouro_evidence::Snapshot;
use ouro_model::Span;
use ouro_solver::Answer;
use ouro_term::{Assignment, Evaluator, Op, Sort, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Rejection;
use crate::boundless::{Reading, range};
use crate::decrease::{Decrease, Spot, Way};
use crate::levels::Rank;
use crate::over::Checked;
use crate::parts::parts;

/// Questions about what is kept without bounds, for one part.
const MOST_QUESTIONS: usize = 2000;

/// A run that was given up as impossible.
pub(crate) struct LostRun {
    /// The head that it left from.
    pub(crate) from: usize,
    pub(crate) conditions: Vec<Term>,
    /// As in [`Way`].
    pub(crate) no_overflow: Vec<(Term, Span)>,
}

/// What the rule is asked of, and whom to ask.
pub(crate) struct Boundless<'a, Ask> {
    pub(crate) terms: &'a mut Terms,
    pub(crate) spots: &'a [Spot],
    pub(crate) ways: &'a [Way],
    pub(crate) lost: &'a [LostRun],
    pub(crate) snapshots: &'a [Snapshot],
    pub(crate) ask: Ask,
}

impl<Ask: FnMut(&Terms, &[Term]) -> Checked<Answer>> Boundless<'_, Ask> {
    /// Where a signed operation overflows and only that ends a loop, if there is one.
    pub(crate) fn check(&mut self) -> Checked<Option<Span>> {
        let ends: Vec<(Option<usize>, usize)> =
            self.ways.iter().map(|way| (way.from, way.to)).collect();
        let part = parts(self.spots.len(), &ends);
        let mut done: Vec<usize> = Vec::new();
        for way in self.ways {
            let Some(from) = way.from.filter(|from| part[*from] == part[way.to]) else { continue };
            if done.contains(&part[from]) {
                continue;
            }
            done.push(part[from]);
            let inside = |spot: usize| part[spot] == part[from];
            let Some(place) = self.overflow(inside)? else { continue };
            match self.holds(inside) {
                Ok(true) => {}
                Ok(false) => return Ok(Some(place)),
                Err(rejection) if rejection.out_of_time => return Err(rejection),
                Err(_) => return Ok(Some(place)),
            }
        }
        Ok(None)
    }

    /// Where a signed operation in a part can overflow, if one can.
    fn overflow(&mut self, inside: impl Fn(usize) -> bool) -> Checked<Option<Span>> {
        let ways = self.ways.iter().filter(|way| way.from.is_some_and(&inside) && inside(way.to));
        let ways = ways.map(|way| (&way.conditions, &way.no_overflow));
        let lost = self.lost.iter().filter(|run| inside(run.from));
        let lost = lost.map(|run| (&run.conditions, &run.no_overflow));
        let mut asked: FxHashSet<Vec<Term>> = FxHashSet::default();
        for (conditions, no_overflow) in ways.chain(lost) {
            let excludes = |condition: &Term| no_overflow.iter().any(|(one, _)| one == condition);
            let Some(last) = conditions.iter().rposition(&excludes) else { continue };
            let first = conditions.iter().position(&excludes).unwrap_or(last);
            let mut broken = self.terms.bool(false);
            for condition in conditions[first..=last].iter().rev() {
                broken = match excludes(condition) {
                    true => {
                        let not = self.terms.not(*condition);
                        self.terms.or(not, broken)
                    }
                    false => self.terms.and(*condition, broken),
                };
            }
            let mut query = conditions[..first].to_vec();
            query.push(broken);
            if !asked.insert(query.clone()) {
                continue;
            }
            let values = match (self.ask)(self.terms, &query)? {
                Answer::Unsat => continue,
                Answer::Sat(values) => values,
                Answer::Unknown(_) => Assignment::new(),
            };
            let mut evaluator = Evaluator::new(self.terms, &values);
            let place = no_overflow.iter().find(|(one, _)| evaluator.holds(*one) == Some(false));
            return Ok(place.or(no_overflow.first()).map(|(_, span)| *span));
        }
        Ok(None)
    }

    /// Whether the argument about a part holds without bounds, too.
    fn holds(&mut self, inside: impl Fn(usize) -> bool) -> Checked<bool> {
        let mut numbers: FxHashMap<Term, Term> = FxHashMap::default();
        for (_, spot) in self.spots.iter().enumerate().filter(|(at, _)| inside(*at)) {
            for (_, symbol) in &spot.symbols {
                if let Sort::BitVec(_) = self.terms.sort(*symbol) {
                    numbers.insert(*symbol, self.terms.fresh("number", Sort::Int));
                }
            }
        }
        let mut spots = Vec::new();
        let mut kept: Vec<Vec<Term>> = Vec::new();
        for (at, spot) in self.spots.iter().enumerate() {
            let Some(ranking) = self.ranking(&numbers, inside(at).then_some(spot)) else {
                return Ok(false);
            };
            kept.push(if inside(at) { self.candidates(&numbers, spot) } else { Vec::new() });
            let (name, symbols) = (spot.name.clone(), spot.symbols.clone());
            spots.push(Spot { name, symbols, invariant: self.terms.bool(true), ranking });
        }
        let mut ways = Vec::new();
        for way in self.ways {
            if let Some(from) = way.from.filter(|from| inside(*from) && inside(way.to)) {
                ways.push(self.way(&numbers, from, way));
            }
        }
        if !self.keep(&ways, &mut kept)? {
            return Ok(false);
        }
        for run in self.lost.iter().filter(|run| inside(run.from)) {
            let mut query = self.conditions(&numbers, &run.conditions, &run.no_overflow);
            query.extend(&kept[run.from]);
            if (self.ask)(self.terms, &query)? != Answer::Unsat {
                return Ok(false);
            }
        }
        for (spot, kept) in spots.iter_mut().zip(&kept) {
            spot.invariant = self.terms.and_all(kept);
        }
        for way in &mut ways {
            let invariant = way.from.map(|from| spots[from].invariant);
            way.conditions.extend(invariant);
        }
        let Boundless { terms, ask, snapshots, .. } = self;
        let ask = |terms: &Terms, query: &[Term]| ask(terms, query);
        let numbers = Some(&numbers);
        Decrease { terms, spots: &spots, ask, numbers }.check(ways, snapshots).map(|()| true)
    }

    /// The ranking of a spot without bounds; `None` if it has no such reading.
    fn ranking(
        &mut self,
        numbers: &FxHashMap<Term, Term>,
        spot: Option<&Spot>,
    ) -> Option<Vec<Rank>> {
        let mut all = Vec::new();
        for rank in spot.iter().flat_map(|spot| &spot.ranking) {
            let mut reading = Reading::of_states(numbers);
            all.push(rank.map(|term| reading.read(self.terms, term)));
            if reading.is_vague {
                return None;
            }
        }
        Some(all)
    }

    /// What may be kept at a spot without bounds: the parts of its invariant, and the ranges of types.
    fn candidates(&mut self, numbers: &FxHashMap<Term, Term>, spot: &Spot) -> Vec<Term> {
        let mut all = Vec::new();
        let mut open = vec![spot.invariant];
        while let Some(formula) = open.pop() {
            if *self.terms.op(formula) == Op::And {
                open.extend(self.terms.args(formula));
                continue;
            }
            let mut reading = Reading::of_states(numbers);
            let read = reading.read(self.terms, formula);
            if !reading.is_vague && self.terms.as_bool(read).is_none() {
                all.push(read);
            }
        }
        for (_, symbol) in &spot.symbols {
            if let (Sort::BitVec(width), Some(number)) =
                (self.terms.sort(*symbol), numbers.get(symbol))
            {
                let range = range(self.terms, width, *number);
                if self.terms.as_bool(range).is_none() {
                    all.push(range);
                }
            }
        }
        all
    }

    /// A way without bounds. What held at its start is left out.
    fn way(&mut self, numbers: &FxHashMap<Term, Term>, from: usize, way: &Way) -> Way {
        let excluded: Vec<Term> = way.no_overflow.iter().map(|(condition, _)| *condition).collect();
        let mut reading = Reading::new(self.terms, numbers, &excluded);
        let mut conditions = Vec::new();
        for condition in way.conditions.iter().skip(1).filter(|one| !excluded.contains(one)) {
            conditions.push(reading.read(self.terms, *condition));
        }
        let mut values = FxHashMap::default();
        for (_, symbol) in &self.spots[way.to].symbols {
            if let Some(value) = way.values.get(symbol) {
                let key = numbers.get(symbol).copied().unwrap_or(*symbol);
                values.insert(key, reading.read(self.terms, *value));
            }
        }
        conditions.extend(reading.known());
        let meets = way.meets.clone();
        Way { from: Some(from), to: way.to, conditions, values, meets, no_overflow: Vec::new() }
    }

    /// The conditions of a run without bounds.
    fn conditions(
        &mut self,
        numbers: &FxHashMap<Term, Term>,
        conditions: &[Term],
        no_overflow: &[(Term, Span)],
    ) -> Vec<Term> {
        let excluded: Vec<Term> = no_overflow.iter().map(|(condition, _)| *condition).collect();
        let mut reading = Reading::new(self.terms, numbers, &excluded);
        let mut all = Vec::new();
        for condition in conditions.iter().skip(1).filter(|one| !excluded.contains(one)) {
            all.push(reading.read(self.terms, *condition));
        }
        all.extend(reading.known());
        all
    }

    /// Leaves of what may be kept what is, by all ways; false if that takes too many questions.
    fn keep(&mut self, ways: &[Way], kept: &mut [Vec<Term>]) -> Checked<bool> {
        let mut questions = 0;
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for way in ways {
                let Some(from) = way.from else { continue };
                loop {
                    let goals: Vec<Term> = (kept[way.to].iter())
                        .map(|goal| self.terms.substitute(*goal, &way.values))
                        .collect();
                    let all = self.terms.and_all(&goals);
                    if self.terms.as_bool(all) == Some(true) {
                        break;
                    }
                    questions += 1;
                    if questions > MOST_QUESTIONS {
                        return Ok(false);
                    }
                    let mut query = kept[from].clone();
                    query.extend(&way.conditions);
                    let path = query.clone();
                    query.push(self.terms.not(all));
                    let holds: Vec<bool> = match (self.ask)(self.terms, &query)? {
                        Answer::Unsat => break,
                        Answer::Sat(values) => {
                            let mut evaluator = Evaluator::new(self.terms, &values);
                            goals.iter().map(|goal| evaluator.holds(*goal) == Some(true)).collect()
                        }
                        Answer::Unknown(_) => {
                            let mut holds = Vec::new();
                            for goal in &goals {
                                let mut query = path.clone();
                                query.push(self.terms.not(*goal));
                                questions += 1;
                                holds.push((self.ask)(self.terms, &query)? == Answer::Unsat);
                            }
                            holds
                        }
                    };
                    if holds.iter().all(|holds| *holds) {
                        break;
                    }
                    let mut next = holds.iter();
                    kept[way.to].retain(|_| next.next() == Some(&true));
                    changed = true;
                }
            }
        }
        Ok(true)
    }
}

/// The reason for which evidence is not accepted.
pub(crate) fn rejection(place: &str) -> Rejection {
    Rejection::overflow(place)
}
