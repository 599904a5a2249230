//! A loop that only a signed overflow ends is not said to end.
//!
//! By C's rules a run that overflows a signed integer has ended, so each way from head to head is followed
//! under the condition that it does not. A ranking can then be made of that condition alone: `while (i >= 0)
//! i++;` goes on for `INT_MAX - i` iterations at most. No such end is relied on, neither where all values are plain
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
//!
//! A ranking of bits or floats has no reading without bounds. It may still have nothing to do with what overflows:
//! `untouched`.
//!
//! In vague memory, what a loop computes may be read back as an unknown number, and so may what a recursive call
//! returns. Where an operation of the part can overflow, an unknown number as wide as an `int` therefore has no bounds
//! either. Of a loop that was made a program of its own, other code is left out, which may have computed a sum, too:
//! there the rule is asked whether or not an overflow is seen.

mod untouched;

use ouro_evidence::TransitionInvariant;
use ouro_model::Span;
use ouro_solver::SolverAnswer;
use ouro_term::{Assignment, Sort, SymbolId, Term, TermEvaluator, TermOp, TermStore};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::EvidenceRejection;
use crate::boundless::{UnboundedReading, type_range_condition};
use crate::decrease::{DecreaseArgument, RankingPath, RankingPoint};
use crate::levels::ParsedLevel;
use crate::limits::LIMITS;
use crate::over::CheckResult;
use crate::parts::strongly_connected_components;

/// A run that was given up as impossible.
pub(crate) struct LostRun {
    /// The head that it left from.
    pub(crate) from: usize,
    pub(crate) conditions: Vec<Term>,
    /// As in [`RankingPath`]; empty if nothing before could overflow.
    pub(crate) no_overflow: Vec<(Term, Span)>,
}

/// A run to where an activation returns.
pub(crate) struct ReturnedRun {
    pub(crate) conditions: Vec<Term>,
    /// As in [`RankingPath`].
    pub(crate) no_overflow: Vec<(Term, Span)>,
}

/// What the rule is asked of, and whom to ask.
pub(crate) struct UnboundedArgument<'a, Ask> {
    pub(crate) terms: &'a mut TermStore,
    pub(crate) spots: &'a [RankingPoint],
    pub(crate) ways: &'a [RankingPath],
    pub(crate) lost: &'a [LostRun],
    pub(crate) snapshots: &'a [TransitionInvariant],
    pub(crate) ask: Ask,
    /// The unknown numbers that may be the results of signed operations which are not seen where they are used.
    pub(crate) computed: FxHashSet<SymbolId>,
    /// The runs in which an activation computes what the one that called it does not know.
    pub(crate) returned: &'a [ReturnedRun],
    /// Conditions that were promised of calls, and shown with bounds only.
    pub(crate) promised: &'a FxHashSet<Term>,
    /// Whether code that was left out may have computed them, so that no overflow is seen at all.
    pub(crate) omits_code: bool,
}

/// The conditions of a run, and those among them that exclude overflows.
type KnownOverflows<'a> = (&'a Vec<Term>, &'a Vec<(Term, Span)>);

impl<Ask: FnMut(&TermStore, &[Term]) -> CheckResult<SolverAnswer>> UnboundedArgument<'_, Ask> {
    /// Where a signed operation overflows and only that ends a loop, if there is one.
    pub(crate) fn find_overflow_only_loop(&mut self) -> CheckResult<Option<Span>> {
        let ends: Vec<(Option<usize>, usize)> =
            self.ways.iter().map(|way| (way.from, way.to)).collect();
        let part = strongly_connected_components(self.spots.len(), &ends);
        let ways = self.ways.iter();
        let inner = ways.filter_map(|way| way.from.filter(|from| part[*from] == part[way.to]));
        // A run that was given up may be what leads back to a head that no way leads back to.
        let heads: Vec<usize> = inner.chain(self.lost.iter().map(|run| run.from)).collect();
        let mut done: Vec<usize> = Vec::new();
        let mut elsewhere = None;
        for from in heads {
            if done.contains(&part[from]) {
                continue;
            }
            done.push(part[from]);
            let inside = |spot: usize| part[spot] == part[from];
            let place = match self.find_overflow(inside)? {
                Some(place) => place,
                None if !self.meets_computed(inside) => continue,
                None if self.omits_code => Span::NONE,
                // What is unknown here may have been computed in a call.
                None => {
                    if elsewhere.is_none() {
                        elsewhere = Some(self.find_overflow_anywhere()?);
                    }
                    match elsewhere.flatten() {
                        Some(place) => place,
                        None => continue,
                    }
                }
            };
            let holds = |result: CheckResult<bool>| match result {
                Ok(holds) => Ok(holds),
                Err(rejection) if rejection.out_of_time => Err(rejection),
                Err(_) => Ok(false),
            };
            if !holds(self.argument_holds(inside))? && !holds(self.holds_untouched(inside))? {
                return Ok(Some(place));
            }
        }
        Ok(None)
    }

    /// Whether a way in a part has to do with a number that was computed elsewhere.
    fn meets_computed(&self, inside: impl Fn(usize) -> bool) -> bool {
        let ways = self.ways.iter().filter(|way| way.from.is_some_and(&inside) && inside(way.to));
        let mut met = false;
        for way in ways {
            let values: Vec<Term> = way.values.values().copied().collect();
            let mut note = |id| met |= self.computed.contains(&id);
            self.terms.visit_symbols(&way.conditions, &mut note);
            self.terms.visit_symbols(&values, &mut note);
        }
        met
    }

    /// Where a signed operation in a part can overflow, if one can.
    fn find_overflow(&mut self, inside: impl Fn(usize) -> bool) -> CheckResult<Option<Span>> {
        let ways = self.ways.iter().filter(|way| way.from.is_some_and(&inside) && inside(way.to));
        let ways = ways.map(|way| (&way.conditions, &way.no_overflow));
        let lost = self.lost.iter().filter(|run| inside(run.from));
        let lost = lost.map(|run| (&run.conditions, &run.no_overflow));
        let runs: Vec<KnownOverflows<'_>> = ways.chain(lost).collect();
        self.find_overflow_in(&runs)
    }

    /// Where a signed operation between two heads, or before a return, can overflow, if one can.
    fn find_overflow_anywhere(&mut self) -> CheckResult<Option<Span>> {
        let ways = self.ways.iter().filter(|way| way.from.is_some());
        let ways = ways.map(|way| (&way.conditions, &way.no_overflow));
        let lost = self.lost.iter().map(|run| (&run.conditions, &run.no_overflow));
        let returned = self.returned.iter().map(|run| (&run.conditions, &run.no_overflow));
        let runs: Vec<KnownOverflows<'_>> = ways.chain(lost).chain(returned).collect();
        self.find_overflow_in(&runs)
    }

    fn find_overflow_in(&mut self, runs: &[KnownOverflows<'_>]) -> CheckResult<Option<Span>> {
        let mut asked: FxHashSet<Vec<Term>> = FxHashSet::default();
        for (conditions, no_overflow) in runs.iter().copied() {
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
                SolverAnswer::Unsat => continue,
                SolverAnswer::Sat(values) => values,
                SolverAnswer::Unknown(_) => Assignment::new(),
            };
            let mut evaluator = TermEvaluator::new(self.terms, &values);
            let place =
                no_overflow.iter().find(|(one, _)| evaluator.evaluate_formula(*one) == Some(false));
            return Ok(place.or(no_overflow.first()).map(|(_, span)| *span));
        }
        Ok(None)
    }

    /// Whether the argument about a part holds without bounds, too.
    fn argument_holds(&mut self, inside: impl Fn(usize) -> bool) -> CheckResult<bool> {
        let mut numbers: FxHashMap<Term, Term> = FxHashMap::default();
        for (_, spot) in self.spots.iter().enumerate().filter(|(at, _)| inside(*at)) {
            for (_, symbol) in &spot.symbols {
                if let Sort::BitVec(_) = self.terms.sort(*symbol) {
                    numbers.insert(*symbol, self.terms.fresh_symbol("number", Sort::Int));
                }
            }
        }
        let mut spots = Vec::new();
        let mut kept: Vec<Vec<Term>> = Vec::new();
        for (at, spot) in self.spots.iter().enumerate() {
            let Some(ranking) = self.unbounded_ranking(&numbers, inside(at).then_some(spot)) else {
                return Ok(false);
            };
            kept.push(if inside(at) {
                self.invariant_candidates(&numbers, spot)
            } else {
                Vec::new()
            });
            let (name, symbols) = (spot.name.clone(), spot.symbols.clone());
            spots.push(RankingPoint { name, symbols, invariant: self.terms.bool(true), ranking });
        }
        let mut ways = Vec::new();
        for way in self.ways {
            if let Some(from) = way.from.filter(|from| inside(*from) && inside(way.to)) {
                ways.push(self.unbounded_path(&numbers, from, way));
            }
        }
        if !self.retain_inductive(&ways, &mut kept)? {
            return Ok(false);
        }
        for way in &ways {
            if !self.matches_hold(way, &kept)? {
                return Ok(false);
            }
        }
        for run in self.lost.iter().filter(|run| inside(run.from)) {
            let mut query = self.unbounded_conditions(&numbers, &run.conditions, &run.no_overflow);
            query.extend(&kept[run.from]);
            if (self.ask)(self.terms, &query)? != SolverAnswer::Unsat {
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
        let UnboundedArgument { terms, ask, snapshots, .. } = self;
        let ask = |terms: &TermStore, query: &[Term]| ask(terms, query);
        let numbers = Some(&numbers);
        DecreaseArgument { terms, spots: &spots, ask, numbers }
            .check_termination(ways, snapshots)
            .map(|()| true)
    }

    /// Whether a way ends in a state of its spot: what is no symbol there is what it was.
    fn matches_hold(&mut self, way: &RankingPath, kept: &[Vec<Term>]) -> CheckResult<bool> {
        let all = self.terms.and_all(&way.matched);
        if self.terms.as_bool(all) == Some(true) {
            return Ok(true);
        }
        let mut query = way.from.map_or_else(Vec::new, |from| kept[from].clone());
        query.extend(&way.conditions);
        query.push(self.terms.not(all));
        Ok((self.ask)(self.terms, &query)? == SolverAnswer::Unsat)
    }

    /// The ranking of a spot without bounds; `None` if it has no such reading.
    fn unbounded_ranking(
        &mut self,
        numbers: &FxHashMap<Term, Term>,
        spot: Option<&RankingPoint>,
    ) -> Option<Vec<ParsedLevel>> {
        let mut all = Vec::new();
        for rank in spot.iter().flat_map(|spot| &spot.ranking) {
            let mut reading = UnboundedReading::for_states(numbers);
            all.push(rank.map_term(|term| reading.read_term(self.terms, term)));
            if reading.is_vague {
                return None;
            }
        }
        Some(all)
    }

    /// What may be kept at a spot without bounds: the parts of its invariant, and the ranges of types.
    fn invariant_candidates(
        &mut self,
        numbers: &FxHashMap<Term, Term>,
        spot: &RankingPoint,
    ) -> Vec<Term> {
        let mut all = Vec::new();
        let mut open = vec![spot.invariant];
        while let Some(formula) = open.pop() {
            if *self.terms.op(formula) == TermOp::And {
                open.extend(self.terms.args(formula));
                continue;
            }
            let mut reading = UnboundedReading::for_states(numbers);
            let read = reading.read_term(self.terms, formula);
            if !reading.is_vague && self.terms.as_bool(read).is_none() {
                all.push(read);
            }
        }
        for (_, symbol) in &spot.symbols {
            if let (Sort::BitVec(width), Some(number)) =
                (self.terms.sort(*symbol), numbers.get(symbol))
            {
                let range = type_range_condition(self.terms, width, *number);
                if self.terms.as_bool(range).is_none() {
                    all.push(range);
                }
            }
        }
        all
    }

    /// A way without bounds. What held at its start is left out.
    fn unbounded_path(
        &mut self,
        numbers: &FxHashMap<Term, Term>,
        from: usize,
        way: &RankingPath,
    ) -> RankingPath {
        let excluded: Vec<Term> = way.no_overflow.iter().map(|(condition, _)| *condition).collect();
        let mut reading = UnboundedReading::new(self.terms, numbers, &excluded);
        reading.unbounded.extend(&self.computed);
        let mut conditions = Vec::new();
        let is_left = |one: &&Term| !excluded.contains(one) && !self.promised.contains(one);
        for condition in way.conditions.iter().skip(1).filter(is_left) {
            conditions.push(reading.read_term(self.terms, *condition));
        }
        let matched: Vec<Term> =
            way.matched.iter().map(|one| reading.read_term(self.terms, *one)).collect();
        let mut values = FxHashMap::default();
        for (_, symbol) in &self.spots[way.to].symbols {
            if let Some(value) = way.values.get(symbol) {
                let key = numbers.get(symbol).copied().unwrap_or(*symbol);
                values.insert(key, reading.read_term(self.terms, *value));
            }
        }
        conditions.extend(reading.known_facts());
        let meets = way.meets.clone();
        RankingPath {
            from: Some(from),
            to: way.to,
            conditions,
            values,
            meets,
            no_overflow: Vec::new(),
            matched,
        }
    }

    /// The conditions of a run without bounds.
    fn unbounded_conditions(
        &mut self,
        numbers: &FxHashMap<Term, Term>,
        conditions: &[Term],
        no_overflow: &[(Term, Span)],
    ) -> Vec<Term> {
        let excluded: Vec<Term> = no_overflow.iter().map(|(condition, _)| *condition).collect();
        let mut reading = UnboundedReading::new(self.terms, numbers, &excluded);
        reading.unbounded.extend(&self.computed);
        let mut all = Vec::new();
        let is_left = |one: &&Term| !excluded.contains(one) && !self.promised.contains(one);
        for condition in conditions.iter().skip(1).filter(is_left) {
            all.push(reading.read_term(self.terms, *condition));
        }
        all.extend(reading.known_facts());
        all
    }

    /// Leaves of what may be kept what is, by all ways; false if that takes too many questions.
    fn retain_inductive(
        &mut self,
        ways: &[RankingPath],
        kept: &mut [Vec<Term>],
    ) -> CheckResult<bool> {
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
                    if questions > LIMITS.boundless_questions {
                        return Ok(false);
                    }
                    let mut query = kept[from].clone();
                    query.extend(&way.conditions);
                    let path = query.clone();
                    query.push(self.terms.not(all));
                    let holds: Vec<bool> = match (self.ask)(self.terms, &query)? {
                        SolverAnswer::Unsat => break,
                        SolverAnswer::Sat(values) => {
                            let mut evaluator = TermEvaluator::new(self.terms, &values);
                            goals
                                .iter()
                                .map(|goal| evaluator.evaluate_formula(*goal) == Some(true))
                                .collect()
                        }
                        SolverAnswer::Unknown(_) => {
                            let mut holds = Vec::new();
                            for goal in &goals {
                                let mut query = path.clone();
                                query.push(self.terms.not(*goal));
                                questions += 1;
                                holds.push((self.ask)(self.terms, &query)? == SolverAnswer::Unsat);
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
pub(crate) fn overflow_rejection(place: &str) -> EvidenceRejection {
    EvidenceRejection::overflow(place)
}
