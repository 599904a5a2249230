//! What gets smaller from place to place cannot do so forever: the end of every proof that all runs
//! end. The places are those of a system or the heads of a program; who found the ways between them
//! makes no difference here.
//!
//! A run that never ends goes from place to place forever, from some moment on within one strongly
//! connected part. On each way there, for each state, some level of the ranking gets smaller, and none
//! before it grows; or, where there are snapshots, no level grows at all. If some level were the reason
//! infinitely often, the run would not be fair, as is said in `levels`: steps on which nothing grows
//! change nothing of that. So from some moment on the ranking of a fair run gets smaller no more, and
//! without snapshots that is the end of the proof.
//!
//! The steps that are left are those of the snapshots. Each shows of one place that no run made of
//! such steps, within one strongly connected part of what earlier snapshots have left, comes there
//! infinitely often. Its relations hold after each step from the place, and are kept by each step within
//! the part; so they hold between a time at the place and every later moment, and where the run is at
//! the place again, some measure is smaller than it was then and was not negative. Colour each pair of
//! times at the place with such a measure: infinitely many times would have infinitely many among them
//! with one colour for all pairs (Ramsey), and that measure would get smaller forever. When each place
//! has its snapshot or is on no cycle of what is left, no run that never ends remains.
//!
//! Relations may also say of each pair of fairness whether its p, and whether its q, has been passed since
//! the snapshot. Where p has been and q has not, no measure needs to be smaller. Of the times at which a fair
//! run is at the place, choose those after the last p of each pair that has its p finitely often, and of them so few that
//! the q of every other pair lies between any two. Between two of those that are left no pair has its
//! p without its q, so some measure is smaller, and the argument is as before. That p is noted only
//! where it is passed for certain, and q where it may be, excuses fewer returns than it could. At the end, a
//! cycle of steps may be left if no run along it is fair (`fair`).

use ouro_evidence::{OLD, PASSED_P, PASSED_Q, TransitionInvariant};
use ouro_model::Span;
use ouro_solver::SolverAnswer;
use ouro_term::{Sort, Term, TermOp, TermStore};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::EvidenceRejection;
use crate::boundless::UnboundedReading;
use crate::fair::{FairnessPath, PairProgress, has_fair_component};
use crate::levels::{ParsedLevel, ranking_decreases, ranking_never_increases};
use crate::over::{CheckResult, reject_evidence};
use crate::parts::strongly_connected_components;

/// Where something is said.
pub(crate) struct RankingPoint {
    /// What it is called in messages.
    pub(crate) name: String,
    /// What the evidence calls the parts of its state, and the symbols that stand for them.
    pub(crate) symbols: Vec<(String, Term)>,
    pub(crate) invariant: Term,
    pub(crate) ranking: Vec<ParsedLevel>,
}

/// A way from a place, or from the start, to the next place.
#[derive(Clone)]
pub(crate) struct RankingPath {
    /// `None` for the start.
    pub(crate) from: Option<usize>,
    pub(crate) to: usize,
    /// What holds where it is taken, the invariant included.
    pub(crate) conditions: Vec<Term>,
    /// What the symbols of the place where it ends are there.
    pub(crate) values: FxHashMap<Term, Term>,
    /// What it does for each pair of fairness.
    pub(crate) meets: Vec<PairProgress>,
    /// Those of the conditions that only say that a signed operation does not overflow, and where.
    pub(crate) no_overflow: Vec<(Term, Span)>,
    /// That what is no symbol of the place where it ends is there as the place has it.
    pub(crate) matched: Vec<Term>,
}

/// The argument, and whom to ask.
pub(crate) struct DecreaseArgument<'a, Ask> {
    pub(crate) terms: &'a mut TermStore,
    pub(crate) spots: &'a [RankingPoint],
    pub(crate) ask: Ask,
    /// If signed integers have no bounds: the numbers that stand for parts of states (`boundless`).
    pub(crate) numbers: Option<&'a FxHashMap<Term, Term>>,
}

/// A way from a place to another that does not make the ranking smaller.
struct NonDecreasingPath {
    from: usize,
    to: usize,
    conditions: Vec<Term>,
    values: FxHashMap<Term, Term>,
    meets: Vec<PairProgress>,
}

/// Whether the p and the q of a pair have been passed since a snapshot.
struct PairSinceSnapshot {
    p: Term,
    q: Term,
}

impl<Ask: FnMut(&TermStore, &[Term]) -> CheckResult<SolverAnswer>> DecreaseArgument<'_, Ask> {
    /// Whether no run can go on along these ways forever.
    pub(crate) fn check_termination(
        &mut self,
        ways: Vec<RankingPath>,
        snapshots: &[TransitionInvariant],
    ) -> CheckResult<()> {
        let ends: Vec<(Option<usize>, usize)> = ways.iter().map(|way| (way.from, way.to)).collect();
        let part = strongly_connected_components(self.spots.len(), &ends);
        let mut left: Vec<NonDecreasingPath> = Vec::new();
        for way in ways {
            let Some(from) = way.from.filter(|from| part[*from] == part[way.to]) else { continue };
            left.extend(self.non_decreasing_rest(from, way, !snapshots.is_empty())?);
        }
        for snapshot in snapshots {
            let at = snapshot.place as usize;
            if at >= self.spots.len() {
                return reject_evidence(format!("there is no place {at}"));
            }
            let part = path_components(self.spots.len(), &left);
            let inside: Vec<&NonDecreasingPath> = left
                .iter()
                .filter(|step| part[step.from] == part[at] && part[step.to] == part[at])
                .collect();
            self.check_finitely_often(at, snapshot, &inside)?;
            left.retain(|step| step.from != at && step.to != at);
        }
        let part = path_components(self.spots.len(), &left);
        match left.iter().find(|step| part[step.from] == part[step.to]) {
            Some(NonDecreasingPath { from, to, meets, .. }) => {
                let fair = |step: &NonDecreasingPath| FairnessPath {
                    from: step.from,
                    to: step.to,
                    meets: step.meets.clone(),
                };
                let ways = left.iter().map(fair).collect();
                if has_fair_component(self.spots.len(), meets.len(), ways) {
                    return self.reject_not_smaller(*from, *to);
                }
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// What is left of a way where the ranking gets smaller otherwise; nothing must be, unless there are
    /// snapshots.
    fn non_decreasing_rest(
        &mut self,
        from: usize,
        way: RankingPath,
        snapshots: bool,
    ) -> CheckResult<Option<NonDecreasingPath>> {
        let RankingPath { to, mut conditions, values, meets, .. } = way;
        let before = &self.spots[from].ranking;
        let after: Vec<ParsedLevel> = (self.spots[to].ranking.iter())
            .map(|rank| rank.map_term(|term| self.terms.substitute(term, &values)))
            .collect();
        let smaller = ranking_decreases(self.terms, before, &after, &meets)?;
        conditions.push(self.terms.not(smaller));
        match (self.ask)(self.terms, &conditions)? {
            SolverAnswer::Unsat => return Ok(None),
            SolverAnswer::Sat(_) if !snapshots => self.reject_not_smaller(from, to)?,
            SolverAnswer::Unknown(why) if !snapshots => {
                return reject_evidence(format!("the solver gave no answer: {why}"));
            }
            SolverAnswer::Sat(_) | SolverAnswer::Unknown(_) => {}
        }
        let same = ranking_never_increases(self.terms, before, &after, &meets)?;
        let why = format!(
            "the ranking function grows from {} to {}",
            self.spots[from].name, self.spots[to].name
        );
        self.require_entailed(&conditions, same, &why)?;
        Ok(Some(NonDecreasingPath { from, to, conditions, values, meets }))
    }

    /// Whether no run along these steps comes to a place infinitely often.
    fn check_finitely_often(
        &mut self,
        at: usize,
        snapshot: &TransitionInvariant,
        inside: &[&NonDecreasingPath],
    ) -> CheckResult<()> {
        let mut numbers = self.numbers.cloned();
        let mut own: Vec<Term> = Vec::new();
        let mut old: FxHashMap<Term, Term> = FxHashMap::default();
        let mut old_names: Vec<(String, Term)> = Vec::new();
        for (name, symbol) in &self.spots[at].symbols {
            let then = self.terms.fresh_symbol("old", self.terms.sort(*symbol));
            old_names.push((format!("{OLD}{name}"), then));
            let number = numbers.as_ref().and_then(|numbers| numbers.get(symbol).copied());
            match (number, &mut numbers) {
                (Some(number), Some(numbers)) => {
                    let old_number = self.terms.fresh_symbol("old", Sort::Int);
                    numbers.insert(then, old_number);
                    own.push(number);
                    old.insert(number, old_number);
                }
                _ => {
                    own.push(*symbol);
                    old.insert(*symbol, then);
                }
            }
        }
        let pairs = inside.first().map_or(0, |step| step.meets.len());
        let mut since: Vec<PairSinceSnapshot> = Vec::new();
        for pair in 0..pairs {
            let p = self.terms.fresh_symbol("passed", Sort::Bool);
            let q = self.terms.fresh_symbol("passed", Sort::Bool);
            old_names.push((format!("{PASSED_P}{pair}"), p));
            old_names.push((format!("{PASSED_Q}{pair}"), q));
            since.push(PairSinceSnapshot { p, q });
        }
        let mut relations: Vec<Option<Term>> = vec![None; self.spots.len()];
        for relation in &snapshot.relations {
            let place = relation.place as usize;
            let Some(spot) = self.spots.get(place) else {
                return reject_evidence(format!("there is no place {place}"));
            };
            if !inside.iter().any(|step| step.from == place || step.to == place) {
                continue;
            }
            let names = spot.symbols.iter().chain(&old_names);
            let formula =
                parse_over_symbols(self.terms, names, &relation.formula, numbers.as_ref())?;
            if self.terms.sort(formula) != Sort::Bool {
                return reject_evidence(format!("'{}' is not a formula", relation.formula));
            }
            relations[place] = Some(formula);
        }
        // Right after the snapshot, what was is what the step started from.
        let now: FxHashMap<Term, Term> = own.iter().map(|symbol| (old[symbol], *symbol)).collect();
        for step in inside {
            let (from, to) = (&self.spots[step.from].name, &self.spots[step.to].name);
            let here = &self.spots[at].name;
            let why = format!(
                "from {from} to {to}, the relation to the snapshot at {here} is not \
                 preserved"
            );
            let Some(goal) = relations[step.to] else { return reject_evidence(why) };
            if step.from == at {
                let mut values = step.values.clone();
                values.extend(now.iter().map(|(then, symbol)| (*then, *symbol)));
                for (since, meets) in since.iter().zip(&step.meets) {
                    values.insert(since.p, self.terms.bool(meets.p));
                    values.insert(since.q, self.terms.bool(meets.q));
                }
                let goal = self.terms.substitute(goal, &values);
                self.require_entailed(&step.conditions, goal, &why)?;
            }
            let Some(before) = relations[step.from] else { return reject_evidence(why) };
            let mut values = step.values.clone();
            let yes = self.terms.bool(true);
            for (since, meets) in since.iter().zip(&step.meets) {
                values.extend(meets.p.then_some((since.p, yes)));
                values.extend(meets.q.then_some((since.q, yes)));
            }
            let goal = self.terms.substitute(goal, &values);
            for case in split_disjunction(self.terms, before) {
                let mut conditions = step.conditions.clone();
                conditions.push(case);
                self.require_entailed(&conditions, goal, &why)?;
            }
        }
        // A place on no cycle of what is left needs no reason.
        let Some(back) = relations[at].filter(|_| !inside.is_empty()) else { return Ok(()) };
        let mut smaller = Vec::new();
        for text in &snapshot.measures {
            let names = self.spots[at].symbols.iter();
            let after = parse_over_symbols(self.terms, names, text, numbers.as_ref())?;
            let before = self.terms.substitute(after, &old);
            let (before, after) = (ParsedLevel::Function(before), ParsedLevel::Function(after));
            smaller.push(ranking_decreases(self.terms, &[before], &[after], &[])?);
        }
        for PairSinceSnapshot { p, q } in since {
            let without = self.terms.not(q);
            smaller.push(self.terms.and(p, without));
        }
        let invariant = self.spots[at].invariant;
        let held = self.terms.substitute(invariant, &old);
        let goal = self.terms.or_all(&smaller);
        let why =
            format!("back at {}, none of the measures is bound to be smaller", self.spots[at].name);
        for case in split_disjunction(self.terms, back) {
            self.require_entailed(&[invariant, held, case], goal, &why)?;
        }
        Ok(())
    }

    fn require_entailed(&mut self, conditions: &[Term], goal: Term, why: &str) -> CheckResult<()> {
        let mut query = conditions.to_vec();
        query.push(self.terms.not(goal));
        match (self.ask)(self.terms, &query)? {
            SolverAnswer::Unsat => Ok(()),
            SolverAnswer::Sat(_) => reject_evidence(why),
            SolverAnswer::Unknown(what) => {
                reject_evidence(format!("the solver gave no answer: {what}"))
            }
        }
    }

    fn reject_not_smaller<T>(&self, from: usize, to: usize) -> CheckResult<T> {
        let (from, to) = (&self.spots[from].name, &self.spots[to].name);
        reject_evidence(format!("the ranking function does not get smaller from {from} to {to}"))
    }
}

/// The cases of a formula that says that there are some: several small questions are answered sooner
/// than a large one.
fn split_disjunction(terms: &TermStore, formula: Term) -> Vec<Term> {
    match terms.op(formula) {
        TermOp::Or => terms.args(formula).to_vec(),
        _ => vec![formula],
    }
}

/// A term over these symbols and nothing else, or over the numbers that stand for them.
fn parse_over_symbols<'a>(
    terms: &mut TermStore,
    names: impl Iterator<Item = &'a (String, Term)>,
    text: &str,
    numbers: Option<&FxHashMap<Term, Term>>,
) -> CheckResult<Term> {
    let by_name: FxHashMap<&str, Term> = names.map(|(name, term)| (name.as_str(), *term)).collect();
    let term = terms.parse_with(text, |name| by_name.get(name).copied()).map_err(|error| {
        EvidenceRejection::new(format!("'{text}' is not a term: {}", error.message))
    })?;
    let known: FxHashSet<Term> = by_name.values().copied().collect();
    for id in terms.symbols_of(term) {
        let symbol = terms.symbol_term(id);
        if !known.contains(&symbol) {
            return reject_evidence(format!(
                "{} is not part of the state",
                terms.symbol_declaration(id).name
            ));
        }
    }
    let Some(numbers) = numbers else { return Ok(term) };
    let mut reading = UnboundedReading::for_states(numbers);
    let number = reading.read_term(terms, term);
    match reading.is_vague {
        true => reject_evidence(format!("'{text}' has no meaning over unbounded integers")),
        false => Ok(number),
    }
}

fn path_components(places: usize, steps: &[NonDecreasingPath]) -> Vec<usize> {
    let ends: Vec<(Option<usize>, usize)> =
        steps.iter().map(|step| (Some(step.from), step.to)).collect();
    strongly_connected_components(places, &ends)
}
