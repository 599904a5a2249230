//! Rankings by trial: numbers that stand in the program's own conditions are tried as levels, bit by bit.
//!
//! **How it works.** `ranking` reads bit-vectors as integers, which loses what shifts, masks and floats do. Here nothing
//! is read: of each strongly connected part of a transition system, some terms are tried as levels (`levels`:
//! the differences of what guards compare, variables, their bits from the lowest one up, floats by their order), and
//! the solver says of each edge whether it makes them smaller, or at least not larger. The first that some edge makes
//! smaller and none makes larger is a level; the edges that make it smaller are taken away, and the rest is looked at
//! again, until no cycle is left. If that fails, it is tried once more with facts that hold at each location: those of
//! the conditions that stand in guards, and of what variables start with, which all edges keep (`facts`).
//!
//! A level must not owe its end to a signed overflow, nor to a pointer that runs out of addresses. So conditions which
//! only say that a result fits count for nothing here, and neither does all that such an operation touches, where its
//! result may not fit.
//!
//! **What it misses.** Levels that are sums of several of these, and facts that nobody wrote down.
//!
//! **What could mislead it.** Nothing that the checker would not notice.
//!
//! | file | one idea |
//! | --- | --- |
//! | `edges` | edges as the solver is asked about them, and what overflows touch |
//! | `levels` | what is tried as a level |
//! | `facts` | what is tried as an invariant |

mod edges;
mod facts;
mod levels;

use std::time::{Duration, Instant};

use ouro_evidence::{RankedLocation, RankingLevel, SystemRanking};
use ouro_model::ids::TypedId as _;
use ouro_model::transition::TransitionSystem;
use ouro_solver::clock;
use ouro_solver::{Session, SessionLimits, SolverAnswer};
use ouro_term::{Assignment, Sort, SymbolId, Term, TermEvaluator, TermOp, TermStore};
use rustc_hash::FxHashSet;

use self::edges::{TrialEdge, trial_edges};
use crate::EngineSettings;
use crate::paths::graph::strongly_connected_components;

/// The longest that one question may take.
const QUERY: Duration = Duration::from_secs(4);
/// No question may take more than this part of the time that is left.
const SHARE: u32 = 4;
/// Values that are remembered for each edge, to refute what is tried without a question.
const REMEMBERED: usize = 6;
/// Systems with more edges are not looked at.
const EDGES: usize = 120;

/// Looks for a reason why every run of the system ends; says whether more time may help.
pub(crate) fn find_ranking_by_trial(
    system: &TransitionSystem,
    settings: &EngineSettings,
    is_cut: &mut bool,
) -> Option<SystemRanking> {
    if system.edges.len() > EDGES || !system.fairness.is_empty() {
        return None;
    }
    let mut search = TrialSearch::new(system, settings);
    let found = search.search();
    *is_cut |= search.is_cut || search.is_out_of_time();
    found
}

impl TrialSearch<'_> {
    fn search(&mut self) -> Option<SystemRanking> {
        self.edges = trial_edges(self.system, &mut self.terms);
        self.facts = vec![Vec::new(); self.system.locations.len()];
        self.leave_out_what_overflows();
        if let Some(levels) = self.find_levels() {
            return self.write(&levels);
        }
        if self.is_out_of_time() || !self.find_facts() {
            return None;
        }
        let levels = self.find_levels()?;
        self.write(&levels)
    }
}
/// Whether a system does something with bits, or with floats, that says little about integers.
pub(crate) fn speaks_of_bits(system: &TransitionSystem) -> bool {
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut open: Vec<Term> = Vec::new();
    for edge in system.edges.iter() {
        open.push(edge.guard);
        open.extend(&edge.update);
    }
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        let is_plain = !matches!(
            system.terms.op(term),
            TermOp::BvAnd
                | TermOp::BvOr
                | TermOp::BvXor
                | TermOp::BvShl
                | TermOp::FpLt
                | TermOp::FpLe
                | TermOp::FpEq
        );
        if !is_plain {
            return true;
        }
        open.extend(system.terms.args(term));
    }
    false
}

/// The levels of each location.
type LocationLevels = Vec<Vec<Term>>;

struct TrialSearch<'a> {
    system: &'a TransitionSystem,
    terms: TermStore,
    session: Session,
    deadline: Instant,
    /// The symbols of the state.
    variables: FxHashSet<SymbolId>,
    edges: Vec<TrialEdge>,
    /// What holds at each location.
    facts: Vec<Vec<Term>>,
    /// For each edge, values with which it can be taken.
    seen: Vec<Vec<Assignment>>,
    /// Whether a question was not answered.
    is_cut: bool,
}

/// What an edge does with a level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum LevelEffect {
    Smaller,
    NotLarger,
    /// Larger, or nobody knows.
    Larger,
}

impl<'a> TrialSearch<'a> {
    fn new(system: &'a TransitionSystem, settings: &EngineSettings) -> Self {
        let session = Session::new(SessionLimits {
            query: QUERY,
            deadline: Some(settings.deadline),
            memory_mib: u32::try_from(settings.memory_mib).unwrap_or(u32::MAX),
        });
        TrialSearch {
            system,
            terms: system.terms.clone(),
            session,
            deadline: settings.deadline,
            variables: (system.variables.iter())
                .flat_map(|variable| system.terms.symbols_of(variable.symbol))
                .collect(),
            edges: Vec::new(),
            facts: Vec::new(),
            seen: Vec::new(),
            is_cut: false,
        }
    }

    fn is_out_of_time(&self) -> bool {
        clock::budget_now() >= self.deadline
    }

    fn ask(&mut self, query: &[Term]) -> SolverAnswer {
        let left = self.deadline.saturating_duration_since(clock::budget_now());
        self.session.set_query_limit((left / SHARE).min(QUERY));
        let answer = self.session.check_sat(&self.terms, query);
        self.is_cut |= matches!(answer, SolverAnswer::Unknown(_));
        answer
    }

    /// What holds where an edge is taken.
    fn conditions_of(&self, edge: usize) -> Vec<Term> {
        let edge = &self.edges[edge];
        edge.conditions.iter().chain(&self.facts[edge.from]).copied().collect()
    }

    /// Levels for all locations, if no cycle remains.
    fn find_levels(&mut self) -> Option<LocationLevels> {
        let locations = self.system.locations.len();
        self.seen = vec![Vec::new(); self.edges.len()];
        let mut left: Vec<usize> = Vec::new();
        for at in 0..self.edges.len() {
            match self.ask(&self.conditions_of(at)) {
                SolverAnswer::Unsat => continue,
                SolverAnswer::Sat(values) => self.seen[at].push(values),
                SolverAnswer::Unknown(_) => {}
            }
            left.push(at);
        }
        let mut levels: LocationLevels = vec![Vec::new(); locations];
        loop {
            let part = self.components(&left);
            let edges = &self.edges;
            let is_inside = |at: &usize| part[edges[*at].from] == part[edges[*at].to];
            if !left.iter().all(is_inside) {
                for (at, levels) in levels.iter_mut().enumerate() {
                    levels.push(self.terms.int(part[at] as i128));
                }
            }
            left.retain(is_inside);
            let mut parts: Vec<usize> = left.iter().map(|at| part[self.edges[*at].from]).collect();
            parts.sort_unstable();
            parts.dedup();
            if parts.is_empty() {
                return Some(levels);
            }
            let mut found: Vec<Option<Term>> = vec![None; locations];
            for number in parts {
                let inside: Vec<usize> = (left.iter().copied())
                    .filter(|at| part[self.edges[*at].from] == number)
                    .collect();
                let (level, removed) = self.find_level(&inside)?;
                for at in inside {
                    found[self.edges[at].from] = Some(level);
                }
                left.retain(|at| !removed.contains(at));
            }
            self.push_level(&mut levels, &found);
        }
    }

    fn components(&self, left: &[usize]) -> Vec<usize> {
        let locations = self.system.locations.len();
        let mut out = vec![Vec::new(); locations];
        for at in left {
            out[self.edges[*at].from].push(*at);
        }
        strongly_connected_components(locations, &out, &|at| self.edges[at].to)
    }

    /// Adds a level to each location; where there is none it is zero.
    fn push_level(&mut self, levels: &mut LocationLevels, found: &[Option<Term>]) {
        let width = found.iter().flatten().map(|level| self.terms.width(*level)).max().unwrap_or(1);
        for (levels, found) in levels.iter_mut().zip(found) {
            levels.push(match found {
                Some(level) => self.terms.sign_extend(width, *level),
                None => self.terms.bv(width, 0),
            });
        }
    }

    /// A level of a part, and the edges that make it smaller.
    fn find_level(&mut self, inside: &[usize]) -> Option<(Term, Vec<usize>)> {
        for level in self.candidate_levels(inside) {
            let mut smaller = Vec::new();
            let mut is_level = true;
            // What was seen tells most of them apart at once.
            if inside.iter().any(|at| self.is_seen_to_grow(*at, level)) {
                continue;
            }
            for at in inside {
                match self.effect_on(*at, level) {
                    LevelEffect::Smaller => smaller.push(*at),
                    LevelEffect::NotLarger => {}
                    LevelEffect::Larger => {
                        is_level = false;
                        break;
                    }
                }
            }
            if is_level && !smaller.is_empty() {
                return Some((level, smaller));
            }
            if self.is_out_of_time() {
                return None;
            }
        }
        None
    }

    fn is_seen_to_grow(&mut self, at: usize, level: Term) -> bool {
        let then = self.terms.substitute(level, &self.edges[at].values);
        let kept = self.terms.bv_sle(then, level);
        let mut seen = self.seen[at].iter();
        seen.any(|values| {
            TermEvaluator::new(&self.terms, values).evaluate_formula(kept) == Some(false)
        })
    }

    fn effect_on(&mut self, at: usize, level: Term) -> LevelEffect {
        let then = self.terms.substitute(level, &self.edges[at].values);
        if then == level {
            return LevelEffect::NotLarger;
        }
        let zero = self.terms.bv(self.terms.width(level), 0);
        let (less, bounded) = (self.terms.bv_slt(then, level), self.terms.bv_sle(zero, level));
        let smaller = self.terms.and(less, bounded);
        let kept = self.terms.bv_sle(then, level);
        for (goal, effect) in [(smaller, LevelEffect::Smaller), (kept, LevelEffect::NotLarger)] {
            let mut query = self.conditions_of(at);
            query.push(self.terms.not(goal));
            match self.ask(&query) {
                SolverAnswer::Unsat => return effect,
                SolverAnswer::Sat(values) => {
                    if self.seen[at].len() < REMEMBERED {
                        self.seen[at].push(values);
                    }
                }
                SolverAnswer::Unknown(_) => {}
            }
        }
        LevelEffect::Larger
    }

    /// The evidence.
    fn write(&mut self, levels: &LocationLevels) -> Option<SystemRanking> {
        let mut places = Vec::new();
        for location in self.system.locations.ids() {
            if location == self.system.initial
                && !self.edges.iter().any(|edge| edge.to == location.index())
            {
                continue;
            }
            let facts = self.terms.and_all(&self.facts[location.index()]);
            let text = |term: Term| self.terms.display(term).to_string();
            places.push(RankedLocation {
                location: u32::try_from(location.index()).ok()?,
                invariant: text(facts),
                ranking: (levels[location.index()].iter())
                    .map(|level| RankingLevel::Function(text(*level)))
                    .collect(),
            });
        }
        Some(SystemRanking { places, snapshots: Vec::new() })
    }

    /// Whether a term is about the state alone.
    fn is_about_state(&self, term: Term) -> bool {
        let mut is = matches!(self.terms.sort(term), Sort::Bool | Sort::BitVec(_));
        self.terms.visit_symbols(&[term], |id| is &= self.variables.contains(&id));
        is
    }
}
