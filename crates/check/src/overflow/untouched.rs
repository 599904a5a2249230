//! An argument that no overflow reaches.
//!
//! Bits and floats have no reading without bounds, so a ranking that speaks of them has none either, and one counter
//! beside it that may overflow would be enough to refuse it. But where the ranking, and all that is needed for it,
//! has nothing to do with what overflows, bounds make no difference: **the rule** is met as well if the argument holds
//! with everything left out that an overflow may have *touched*.
//!
//! Touched are all symbols in a condition that only says that an operation does not overflow, unless this follows from
//! untouched conditions before it; what other code may have computed; and each part of a state that becomes something
//! with a touched symbol in it, on any way within the part. Left out are the conditions with touched symbols, and the
//! parts of invariants with them; of the invariants, those are kept that then are. No level may have a touched symbol.
//!
//! Why it is enough. Take a run without bounds within the part, from a state in which nothing has overflowed. Then in
//! every state of it, the untouched parts are what they are with bounds: they are computed of untouched parts
//! and inputs alone, and each signed operation on those has its result within its type, as follows from conditions
//! that hold in this run, too. So the conditions that are left hold, the invariants that are left are kept, and
//! the ranking gets smaller on each way. A condition that was left out may hold or not; all ways are looked at: a run
//! that was given up as impossible must be so without it.

use ouro_solver::SolverAnswer;
use ouro_term::{SymbolId, Term, TermOp, TermStore};
use rustc_hash::FxHashSet;

use super::UnboundedArgument;
use crate::decrease::{DecreaseArgument, RankingPath, RankingPoint};
use crate::levels::ParsedLevel;
use crate::over::CheckResult;

impl<Ask: FnMut(&TermStore, &[Term]) -> CheckResult<SolverAnswer>> UnboundedArgument<'_, Ask> {
    /// Whether the argument about a part holds without anything that an overflow may have touched.
    pub(super) fn holds_untouched(&mut self, inside: impl Fn(usize) -> bool) -> CheckResult<bool> {
        if !self.snapshots.is_empty() {
            return Ok(false);
        }
        let is_inside = |way: &&RankingPath| way.from.is_some_and(&inside) && inside(way.to);
        let ways: Vec<&RankingPath> = self.ways.iter().filter(is_inside).collect();
        let mut touched: FxHashSet<SymbolId> = self.computed.clone();
        let mut kept: Vec<Vec<Term>> = (self.spots.iter().enumerate())
            .map(|(at, spot)| match inside(at) {
                true => conjuncts(self.terms, spot.invariant),
                false => Vec::new(),
            })
            .collect();
        let free = loop {
            spread_touch(self.terms, &ways, &mut touched);
            for (_, spot) in self.spots.iter().enumerate().filter(|(at, _)| inside(*at)) {
                if spot
                    .ranking
                    .iter()
                    .any(|level| is_touched(self.terms, level_term(*level), &touched))
                {
                    return Ok(false);
                }
            }
            for kept in &mut kept {
                kept.retain(|part| !is_touched(self.terms, *part, &touched));
            }
            let is_other = |one: &Term| is_touched(self.terms, *one, &touched);
            if ways.iter().any(|way| way.matched.iter().any(is_other)) {
                return Ok(false);
            }
            let free: Vec<RankingPath> = ways
                .iter()
                .map(|way| untouched_path(self.terms, way, &touched, self.promised))
                .collect();
            if !self.retain_inductive(&free, &mut kept)? {
                return Ok(false);
            }
            match self.find_touch(&inside, &kept, &touched)? {
                None => break free,
                // It overflows whatever anything is.
                Some(more) if more.is_empty() => return Ok(false),
                Some(more) => touched.extend(more),
            }
        };
        for way in &free {
            if !self.matches_hold(way, &kept)? {
                return Ok(false);
            }
        }
        for run in self.lost.iter().filter(|run| inside(run.from)) {
            let is_left = |one: &&Term| {
                !self.promised.contains(one) && !is_touched(self.terms, **one, &touched)
            };
            let mut query: Vec<Term> =
                run.conditions.iter().skip(1).filter(is_left).copied().collect();
            query.extend(&kept[run.from]);
            if (self.ask)(self.terms, &query)? != SolverAnswer::Unsat {
                return Ok(false);
            }
        }
        let mut spots = Vec::new();
        for (at, spot) in self.spots.iter().enumerate() {
            spots.push(RankingPoint {
                name: spot.name.clone(),
                symbols: spot.symbols.clone(),
                invariant: self.terms.and_all(&kept[at]),
                ranking: if inside(at) { spot.ranking.clone() } else { Vec::new() },
            });
        }
        let mut ways = free;
        for way in &mut ways {
            let invariant = way.from.map(|from| spots[from].invariant);
            way.conditions.extend(invariant);
        }
        let UnboundedArgument { terms, ask, .. } = self;
        let ask = |terms: &TermStore, query: &[Term]| ask(terms, query);
        DecreaseArgument { terms, spots: &spots, ask, numbers: None }
            .check_termination(ways, &[])
            .map(|()| true)
    }

    /// The symbols that an operation on untouched ones touches which may overflow, if there is one; also on runs that
    /// were given up, of which that operation may be the reason.
    fn find_touch(
        &mut self,
        inside: impl Fn(usize) -> bool,
        kept: &[Vec<Term>],
        touched: &FxHashSet<SymbolId>,
    ) -> CheckResult<Option<Vec<SymbolId>>> {
        let ways = self.ways.iter().filter(|way| inside(way.to));
        let ways = ways.filter_map(|way| Some((way.from?, &way.conditions, &way.no_overflow)));
        let lost = self.lost.iter().map(|run| (run.from, &run.conditions, &run.no_overflow));
        for (from, conditions, no_overflow) in ways.chain(lost).filter(|(from, ..)| inside(*from)) {
            let mut before = kept[from].clone();
            for condition in conditions.iter().skip(1) {
                if is_touched(self.terms, *condition, touched) || self.promised.contains(condition)
                {
                    continue;
                }
                if no_overflow.iter().any(|(one, _)| one == condition) {
                    let mut query = before.clone();
                    query.push(self.terms.not(*condition));
                    if (self.ask)(self.terms, &query)? != SolverAnswer::Unsat {
                        return Ok(Some(self.terms.symbols_of(*condition).into_iter().collect()));
                    }
                }
                before.push(*condition);
            }
        }
        Ok(None)
    }
}

/// Touches what becomes something touched, on any way.
fn spread_touch(terms: &TermStore, ways: &[&RankingPath], touched: &mut FxHashSet<SymbolId>) {
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for (symbol, value) in ways.iter().flat_map(|way| &way.values) {
            if is_touched(terms, *value, touched) {
                for id in terms.symbols_of(*symbol) {
                    changed |= touched.insert(id);
                }
            }
        }
    }
}

/// A way with what is left of it; what held at its start is left out.
fn untouched_path(
    terms: &TermStore,
    way: &RankingPath,
    touched: &FxHashSet<SymbolId>,
    promised: &FxHashSet<Term>,
) -> RankingPath {
    let is_left = |one: &&Term| !is_touched(terms, **one, touched) && !promised.contains(one);
    RankingPath {
        from: way.from,
        to: way.to,
        conditions: way.conditions.iter().skip(1).filter(is_left).copied().collect(),
        values: (way.values.iter())
            .filter(|(symbol, _)| !is_touched(terms, **symbol, touched))
            .map(|(symbol, value)| (*symbol, *value))
            .collect(),
        meets: way.meets.clone(),
        no_overflow: Vec::new(),
        matched: way.matched.clone(),
    }
}

fn is_touched(terms: &TermStore, term: Term, touched: &FxHashSet<SymbolId>) -> bool {
    let mut found = false;
    terms.visit_symbols(&[term], |id| found |= touched.contains(&id));
    found
}

fn level_term(level: ParsedLevel) -> Term {
    match level {
        ParsedLevel::Function(term) | ParsedLevel::Pair(_, term) => term,
    }
}

/// The parts of a conjunction.
fn conjuncts(terms: &TermStore, formula: Term) -> Vec<Term> {
    let mut all = Vec::new();
    let mut open = vec![formula];
    while let Some(formula) = open.pop() {
        match terms.op(formula) {
            TermOp::And => open.extend(terms.args(formula)),
            _ => all.push(formula),
        }
    }
    all
}
