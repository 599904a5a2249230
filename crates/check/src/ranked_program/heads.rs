//! Heads: whether a run has come to a state of one, what one is read from, and what gets smaller from one to the next.

use ouro_evidence::{RankedHead, SourcePlace};
use ouro_machine::{FoldScope, MachineState, NeededValue};
use ouro_term::{Sort, Term, TermStore};
use rustc_hash::FxHashSet;

use super::{ProgramRankingChecker, ProgramRankingRun, RankedHeadPattern, UnknownOrigin};
use crate::decrease::{DecreaseArgument, RankingPath, RankingPoint};
use crate::levels::{LevelTextKind, ParsedLevel};
use crate::limits::LIMITS;
use crate::over::{CheckResult, reject_evidence};
use crate::overflow::UnboundedArgument;
use crate::pattern::{HeadPattern, PatternDraft};
use crate::questions::PossibleValue;

impl ProgramRankingChecker<'_> {
    /// Whether a run that is at a mark has come to a state of a head; the way there is noted. The
    /// first state at the position of a head that has no pattern yet becomes its pattern.
    pub(super) fn arrive_at_head(
        &mut self,
        from: Option<usize>,
        run: &mut ProgramRankingRun,
    ) -> CheckResult<bool> {
        let (function, position) = run.state.position();
        let calls = self.compared_frames(&run.state);
        let is_here = |head: &RankedHead| {
            position == head.position
                && self.machine.function_name(function) == head.function
                && head.calls.is_none_or(|meant| meant as usize == calls)
        };
        if self.claim.heads.iter().any(is_here) {
            self.machine.fold_lists(
                &mut run.state,
                self.terms,
                &self.links,
                FoldScope::HeapAndStack,
            );
        }
        let mut near = false;
        for index in 0..self.heads.len() {
            if !is_here(&self.claim.heads[index]) {
                continue;
            }
            near = true;
            let ranked = match self.heads[index].clone() {
                Some(ranked) => ranked,
                None => match self.read_ranked_head(index, &run.state) {
                    Ok(ranked) => ranked,
                    Err(rejection) if rejection.out_of_time => return Err(rejection),
                    Err(_) => continue,
                },
            };
            if calls != ranked.pattern.frames {
                continue;
            }
            let fit = ranked.pattern.match_state(self.machine, self.terms, &run.state);
            let Some((conditions, values)) = fit else { continue };
            let all = self.terms.and_all(&conditions);
            if self.is_entailed(run, all)? {
                self.heads[index].get_or_insert(ranked);
                let meets = run.passed.pair_progress(self.program);
                // The last one is the invariant.
                let equations = &conditions[..conditions.len().saturating_sub(1)];
                let is_open = |one: &&Term| self.terms.as_bool(**one) != Some(true);
                let matched = equations.iter().filter(is_open).copied().collect();
                let conditions = run.path.clone();
                let no_overflow = run.no_overflow.clone();
                self.ways.push(RankingPath {
                    from,
                    to: index,
                    conditions,
                    values,
                    meets,
                    no_overflow,
                    matched,
                });
                return Ok(true);
            }
        }
        if near {
            run.misses += 1;
            if run.misses > LIMITS.missed_heads {
                let place = SourcePlace::of_span(
                    self.program,
                    function,
                    self.machine.next_instruction_span(&run.state),
                );
                return reject_evidence(format!(
                    "a run reaches {place} more than {} times in new states",
                    LIMITS.missed_heads
                ));
            }
        }
        Ok(false)
    }

    /// Reads a head; its pattern is a state with symbols put in.
    pub(super) fn read_ranked_head(
        &mut self,
        index: usize,
        from: &MachineState,
    ) -> CheckResult<RankedHeadPattern> {
        let head = &self.claim.heads[index];
        if !self.links.is_empty() && self.machine.heap_shape(from) != head.shape {
            return reject_evidence("lists are linked differently");
        }
        let mut draft = PatternDraft::new(self.machine, self.terms, &head.open, &head.holes, from)?;
        let set = draft.parse_over_holes(self.terms, &head.invariant)?;
        if self.terms.sort(set) != Sort::Bool {
            return reject_evidence(format!("'{}' is not a formula", head.invariant));
        }
        let mut ranking = Vec::new();
        for level in &head.ranking {
            let pairs = self.program.fairness.len();
            ranking.push(ParsedLevel::parse_level(level, pairs, |text, expected| {
                let term = draft.parse_over_holes(self.terms, text)?;
                match expected == LevelTextKind::Condition && self.terms.sort(term) != Sort::Bool {
                    true => reject_evidence(format!("'{text}' is not a formula")),
                    false => Ok(term),
                }
            })?);
        }
        let frames = self.compared_frames(&draft.state);
        draft.finish(self.program, self.machine, self.terms, frames, &head.place)?;
        let PatternDraft { state, symbols, .. } = draft;
        let pattern = HeadPattern { state, frames, symbols, set, choices: Vec::new() };
        Ok(RankedHeadPattern { pattern, ranking })
    }

    /// The run under each possible value of a needed term.
    pub(super) fn split_by_value(
        &mut self,
        run: &ProgramRankingRun,
        need: NeededValue,
    ) -> CheckResult<Vec<ProgramRankingRun>> {
        let mut ways = Vec::new();
        for PossibleValue { equal, bits, values } in
            self.questions.possible_values(self.terms, &run.path, &need)?
        {
            let mut way = run.clone();
            way.path.push(equal);
            way.values = values;
            self.machine.concretise_need(&mut way.state, need, bits);
            ways.push(way);
        }
        Ok(ways)
    }

    /// Whether no run can go from head to head forever.
    pub(super) fn check_decrease(&mut self) -> CheckResult<()> {
        let ways = std::mem::take(&mut self.ways);
        let spots: Vec<RankingPoint> = (self.claim.heads.iter().zip(&self.heads))
            .map(|(head, ranked)| {
                let name = head.place.to_string();
                match ranked {
                    Some(RankedHeadPattern { pattern, ranking }) => RankingPoint {
                        name,
                        symbols: (head.holes.iter().zip(&pattern.symbols))
                            .map(|(hole, symbol)| (hole.symbol.clone(), *symbol))
                            .collect(),
                        invariant: pattern.set,
                        ranking: ranking.clone(),
                    },
                    // No way leads there.
                    None => RankingPoint {
                        name,
                        symbols: Vec::new(),
                        invariant: self.terms.bool(false),
                        ranking: Vec::new(),
                    },
                }
            })
            .collect();
        let questions = &mut self.questions;
        let snapshots = &self.claim.snapshots;
        let ask = |terms: &TermStore, query: &[Term]| questions.ask_solver(terms, query);
        let terms = &mut *self.terms;
        DecreaseArgument { terms, spots: &spots, ask, numbers: None }
            .check_termination(ways.clone(), snapshots)?;
        if !self.bounded {
            return Ok(());
        }
        let lost = std::mem::take(&mut self.lost);
        let omits_code = self.unknowns == UnknownOrigin::OtherCode;
        let computed = match omits_code || self.claim.vague {
            true => questions.unknowns.clone(),
            false => FxHashSet::default(),
        };
        let ask = |terms: &TermStore, query: &[Term]| questions.ask_solver(terms, query);
        let terms = &mut *self.terms;
        let mut rule = UnboundedArgument {
            terms,
            spots: &spots,
            ways: &ways,
            lost: &lost,
            snapshots,
            ask,
            computed,
            omits_code,
            returned: &self.returned,
            promised: &self.promised,
        };
        match rule.find_overflow_only_loop()? {
            None => Ok(()),
            Some(span) => Err(self.overflow_only_rejection(span)),
        }
    }
}
