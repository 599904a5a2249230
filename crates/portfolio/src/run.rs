//! One run through a schedule: engines, the checker, and a record of both.

use std::thread;
use std::time::Duration;

use ouro_evidence::{
    AttemptOutcome, AttemptRecord, Claim, Evidence, Explanation, IntegerSemantics, SourcePlace,
    UndefinedBehaviour, UnknownReason,
};
use ouro_solver::clock;

use crate::answer::{PortfolioAnswer, PortfolioEvent, PortfolioObserver};
use crate::budget::{CpuAccount, CpuBudget};
use crate::engine::{EngineFinding, EngineKind, EngineName, EngineOutcome, ProofSubject};
use crate::lanes::{Lane, Lanes, SliceOrder, SliceReport};
use crate::limits::LIMITS;
use crate::schedule::{EngineSchedule, ScheduledSlice};

/// A question and the engines that are asked.
#[derive(Clone, Copy, Debug)]
pub struct Portfolio<'p> {
    /// What is asked about.
    pub subject: ProofSubject<'p>,
    /// How integers behave; those of a transition system have no bounds.
    pub ints: IntegerSemantics,
    /// The engines that may answer; none named means all.
    pub engines: &'p [EngineName],
    /// Whether two threads may be used.
    pub threads: bool,
    /// Whether the checker names the undefined behaviour that is taken to end runs.
    pub names_undefined: bool,
}

impl<'p> Portfolio<'p> {
    /// Runs the engines by a schedule until the checker accepts a certificate.
    pub fn run_schedule(
        &self,
        schedule: &EngineSchedule,
        budget: CpuBudget,
        observer: &mut PortfolioObserver<'_>,
    ) -> PortfolioAnswer {
        match self.threads {
            false => {
                let mut lanes = Lanes::on_one_thread(self.subject, self.engines);
                self.run_on_lanes(&mut lanes, schedule, budget, observer)
            }
            true => thread::scope(|scope| {
                let mut lanes = Lanes::on_two_threads(scope, self.subject, self.engines);
                self.run_on_lanes(&mut lanes, schedule, budget, observer)
            }),
        }
    }

    fn run_on_lanes(
        &self,
        lanes: &mut Lanes<'p>,
        schedule: &EngineSchedule,
        budget: CpuBudget,
        observer: &mut PortfolioObserver<'_>,
    ) -> PortfolioAnswer {
        let mut run = ScheduleRun::new(self, CpuAccount::new(budget), observer);
        let accepted = run.run_rounds(lanes, schedule);
        lanes.stop_second();
        match accepted {
            Some(answer) => answer,
            None => run.into_unknown_answer(),
        }
    }

    /// Whether an engine may answer.
    fn may_ask(&self, kind: EngineKind) -> bool {
        let fits = match self.subject {
            ProofSubject::Program(_) | ProofSubject::Loop(_) => true,
            ProofSubject::System(_) => kind.takes_systems(),
        };
        let is_named = |name: &EngineName| self.engines.contains(name);
        fits && (self.engines.is_empty() || kind.names().iter().any(is_named))
    }
}

/// One loop on its own, asked about more than once: what the engines have is kept in between.
pub struct RankedLoop<'p> {
    portfolio: Portfolio<'p>,
    lanes: Lanes<'p>,
}

impl<'p> RankedLoop<'p> {
    /// Nothing was asked yet.
    pub fn new(portfolio: Portfolio<'p>) -> Self {
        let lanes = Lanes::on_one_thread(portfolio.subject, portfolio.engines);
        RankedLoop { portfolio, lanes }
    }

    /// Runs the engines by a schedule until the checker accepts a certificate.
    pub fn resume_schedule(
        &mut self,
        schedule: &EngineSchedule,
        budget: CpuBudget,
    ) -> PortfolioAnswer {
        let RankedLoop { portfolio, lanes } = self;
        portfolio.run_on_lanes(lanes, schedule, budget, &mut |_| {})
    }
}

/// An engine with a meaning of integers: what can give up.
type Contender = (EngineKind, IntegerSemantics);

struct ScheduleRun<'a, 'o> {
    portfolio: &'a Portfolio<'a>,
    account: CpuAccount,
    observer: &'a mut PortfolioObserver<'o>,
    attempts: Vec<AttemptRecord>,
    /// Those that need not be asked again.
    done: Vec<Contender>,
    /// Why there is no answer, as far as an engine knows it better than the clock.
    obstacle: Option<UnknownReason>,
    /// What the last engine that gave up said.
    last: Option<UnknownReason>,
}

impl<'a, 'o> ScheduleRun<'a, 'o> {
    fn new(
        portfolio: &'a Portfolio<'_>,
        account: CpuAccount,
        observer: &'a mut PortfolioObserver<'o>,
    ) -> Self {
        ScheduleRun {
            portfolio,
            account,
            observer,
            attempts: Vec::new(),
            done: Vec::new(),
            obstacle: None,
            last: None,
        }
    }

    fn contender_of_slice(&self, slice: &ScheduledSlice) -> Contender {
        (slice.engine, slice.reading.ints(self.portfolio.ints))
    }

    fn is_open(&self, slice: &ScheduledSlice) -> bool {
        self.portfolio.may_ask(slice.engine) && !self.done.contains(&self.contender_of_slice(slice))
    }

    /// Goes through the schedule, round by round.
    fn run_rounds(
        &mut self,
        lanes: &mut Lanes<'_>,
        schedule: &EngineSchedule,
    ) -> Option<PortfolioAnswer> {
        let mut rest = schedule;
        while let Some(first) = rest.first() {
            let size = rest.iter().take_while(|slice| slice.round == first.round).count();
            let (round, later) = rest.split_at(size);
            rest = later;
            let open: Vec<&ScheduledSlice> =
                round.iter().filter(|slice| self.is_open(slice)).collect();
            let left = self.account.left();
            if left.is_zero() || clock::is_over() {
                return None;
            }
            // The last ones have all that is left.
            let is_last = !later.iter().any(|slice| self.is_open(slice));
            let orders: Vec<SliceOrder> = open
                .iter()
                .map(|slice| {
                    let mut time = slice.length(left);
                    if is_last {
                        // The checker needs some, too.
                        time = left / 4 * 3 / u32::try_from(open.len()).unwrap_or(1);
                    }
                    let (kind, ints) = self.contender_of_slice(slice);
                    SliceOrder {
                        kind,
                        ints,
                        time,
                        is_last,
                        is_preferred: false,
                        budget: self.account.budget(),
                    }
                })
                .collect();
            if let Some(answer) = self.run_round(lanes, &orders) {
                return Some(answer);
            }
        }
        None
    }

    /// Runs the slices of a round, side by side if that pays.
    fn run_round(
        &mut self,
        lanes: &mut Lanes<'_>,
        orders: &[SliceOrder],
    ) -> Option<PortfolioAnswer> {
        if let [one, other] = orders
            && lanes.are_apart(one.kind, other.kind)
            && one.time >= LIMITS.worth_a_thread
            && other.time >= LIMITS.worth_a_thread
        {
            return self.run_side_by_side(lanes, one, other);
        }
        for order in orders {
            self.announce_slice(order);
            let report = lanes.run_slice(order);
            if let Some(answer) = self.settle_slice(order, report) {
                return Some(answer);
            }
        }
        None
    }

    /// Runs two slices at once. The certificate of the first in order is looked at first, whoever was quicker.
    fn run_side_by_side(
        &mut self,
        lanes: &mut Lanes<'_>,
        one: &SliceOrder,
        other: &SliceOrder,
    ) -> Option<PortfolioAnswer> {
        self.announce_slice(one);
        self.announce_slice(other);
        let one_is_here = Lane::of(one.kind) == Lane::First;
        let (here, there) = if one_is_here { (one, other) } else { (other, one) };
        lanes.begin_slice(&SliceOrder { is_preferred: !one_is_here, ..*there });
        let report_here = lanes.run_slice(here);
        if one_is_here {
            if let Some(mut answer) = self.settle_slice(one, report_here) {
                let outcome = AttemptOutcome::Cancelled;
                answer.explanation.attempts.push(self.attempt_record(
                    there,
                    Duration::ZERO,
                    outcome,
                ));
                return Some(answer);
            }
            let report = lanes.finish_slice()?;
            return self.settle_slice(other, report);
        }
        let is_cut = matches!(report_here.outcome, EngineOutcome::OutOfTime);
        let was_stopped = is_cut && lanes.is_stopped();
        let report = lanes.finish_slice()?;
        lanes.clear_stop();
        if let Some(mut answer) = self.settle_slice(one, report) {
            if was_stopped {
                let outcome = AttemptOutcome::Cancelled;
                answer.explanation.attempts.push(self.attempt_record(
                    here,
                    Duration::ZERO,
                    outcome,
                ));
            }
            return Some(answer);
        }
        // What it was stopped for is no answer: it has the rest of its time.
        let report_here = if was_stopped { lanes.run_slice(here) } else { report_here };
        self.settle_slice(other, report_here)
    }

    fn announce_slice(&mut self, order: &SliceOrder) {
        (self.observer)(PortfolioEvent::SliceBegins(order.kind, order.ints, order.time));
    }

    fn attempt_record(
        &self,
        order: &SliceOrder,
        spent: Duration,
        outcome: AttemptOutcome,
    ) -> AttemptRecord {
        let started = self.account.spent();
        AttemptRecord { engine: order.kind.word(), ints: order.ints, started, spent, outcome }
    }

    /// Notes what came of a slice, and asks the checker if something did.
    fn settle_slice(&mut self, order: &SliceOrder, report: SliceReport) -> Option<PortfolioAnswer> {
        let SliceReport { outcome, spent } = report;
        let mut record = self.attempt_record(order, spent, AttemptOutcome::OutOfTime);
        self.account.spend(spent);
        let mut accepted = None;
        match outcome {
            EngineOutcome::OutOfTime => {}
            EngineOutcome::GaveUp(reason) => {
                record.outcome = AttemptOutcome::GaveUp(reason.to_string());
                if order.kind == EngineKind::Explore {
                    self.obstacle.get_or_insert_with(|| reason.clone());
                }
                self.last = Some(reason);
                self.done.push((order.kind, order.ints));
            }
            EngineOutcome::Found(finding) => match self.check_finding(order, &finding) {
                Ok(undefined) => {
                    let claim = finding.verdict.claim()?;
                    record.outcome = AttemptOutcome::Accepted(claim);
                    accepted = Some((finding, undefined));
                }
                Err(outcome) => {
                    record.outcome = outcome;
                    // It would come with the same again.
                    self.done.push((order.kind, order.ints));
                }
            },
        }
        (self.observer)(PortfolioEvent::SliceEnds(&record));
        self.attempts.push(record);
        let (finding, undefined) = accepted?;
        let EngineFinding { verdict, mut explanation, engine } = *finding;
        explanation.undefined = undefined;
        explanation.attempts = std::mem::take(&mut self.attempts);
        let (engine, ints, spent) = (Some(engine), order.ints, self.account.spent());
        Some(PortfolioAnswer { verdict, explanation, engine, ints, spent })
    }

    /// Asks the checker. If others can still have their turn, it has half of the time that is left.
    fn check_finding(
        &mut self,
        order: &SliceOrder,
        finding: &EngineFinding,
    ) -> Result<Vec<UndefinedBehaviour>, AttemptOutcome> {
        let (Some(claim), Some(evidence)) = (finding.verdict.claim(), finding.verdict.evidence())
        else {
            return Err(AttemptOutcome::GaveUp("it has no evidence".to_owned()));
        };
        (self.observer)(PortfolioEvent::CheckBegins(claim));
        let start = clock::budget_now();
        let left = self.account.left();
        let deadline = start + if order.is_last { left } else { left / 2 };
        let checked = match self.portfolio.subject {
            ProofSubject::Program(program) => match self.portfolio.names_undefined {
                true => ouro_check::check_and_name_undefined(
                    program, order.ints, claim, evidence, deadline,
                ),
                false => ouro_check::check_program_evidence(
                    program, order.ints, claim, evidence, deadline,
                )
                .map(|()| Vec::new()),
            },
            ProofSubject::Loop(program) => {
                let names_undefined = self.portfolio.names_undefined;
                ouro_check::check_isolated_loop(program, evidence, names_undefined, deadline)
            }
            ProofSubject::System(system) => {
                ouro_check::check_system_evidence(system, evidence, deadline).map(|()| Vec::new())
            }
        };
        self.account
            .spend(clock::budget_now().saturating_duration_since(start).min(self.account.left()));
        checked.map_err(|rejection| self.outcome_of_rejection(order, claim, evidence, &rejection))
    }

    fn outcome_of_rejection(
        &mut self,
        order: &SliceOrder,
        claim: Claim,
        evidence: &Evidence,
        rejection: &ouro_check::EvidenceRejection,
    ) -> AttemptOutcome {
        let why = rejection.to_string();
        if rejection.out_of_time {
            return AttemptOutcome::Unchecked(claim, why);
        }
        if rejection.out_of_steps {
            // It follows all paths in an order of its own, in which fewer of them may meet.
            let what =
                format!("the checker could not follow a proof of '{}': {why}", claim.phrase());
            let place = SourcePlace { file: String::new(), line: 0, function: String::new() };
            self.obstacle = Some(UnknownReason::Incomplete { what, place });
            return AttemptOutcome::Unchecked(claim, why);
        }
        if rejection.only_overflow {
            // Rankings are looked for on numbers without bounds and may rest on an overflow nevertheless: the checker
            // is who finds out, and that is no mistake.
            return AttemptOutcome::GaveUp(why);
        }
        // A transition system may say less than the machine, and under fairness it may have places that the program
        // does not come to: that is known to happen, and others have their turn.
        let is_weak = match self.portfolio.subject {
            ProofSubject::Program(program) | ProofSubject::Loop(program) => {
                matches!(evidence, Evidence::RankedProgram(_)) || !program.fairness.is_empty()
            }
            ProofSubject::System(_) => false,
        };
        if !is_weak && order.ints == self.portfolio.ints {
            self.obstacle = Some(UnknownReason::Rejected { claim, why: why.clone() });
        }
        AttemptOutcome::Refused(claim, why)
    }

    /// Why there is no answer.
    fn into_unknown_answer(self) -> PortfolioAnswer {
        let ints = self.portfolio.ints;
        let budget = self.account.budget();
        let timely = self.account.left().is_zero() || clock::is_over();
        let only_time = || UnknownReason::Time { limit: budget.limit };
        let is_short_of_time = self.attempts.iter().any(|attempt| {
            matches!(attempt.outcome, AttemptOutcome::OutOfTime)
                && !self
                    .done
                    .iter()
                    .any(|(kind, ints)| (kind.word(), *ints) == (attempt.engine, attempt.ints))
        });
        let reason = match self.obstacle {
            Some(reason) => reason,
            None if timely || is_short_of_time => only_time(),
            None => reason_nothing_found(self.portfolio, self.last),
        };
        let explanation = Explanation { attempts: self.attempts, ..Explanation::default() };
        let spent = self.account.spent();
        PortfolioAnswer { explanation, spent, ..PortfolioAnswer::unknown(reason, ints) }
    }
}

/// That nobody found anything.
fn reason_nothing_found(portfolio: &Portfolio<'_>, last: Option<UnknownReason>) -> UnknownReason {
    let asks = |kind| portfolio.may_ask(kind);
    let sets = asks(EngineKind::RecurrentSets);
    let what = match (portfolio.subject, sets, asks(EngineKind::Ranking)) {
        (ProofSubject::System(_), _, _) if portfolio.engines == [EngineName::Explore] => {
            "explore works on programs, and this is a transition system".to_owned()
        }
        (_, true, false) if !asks(EngineKind::TransitionInvariants) => {
            "found no recurrent set".to_owned()
        }
        (_, true, _) => "found neither a ranking function nor a recurrent set".to_owned(),
        (_, false, true) => "found no ranking function".to_owned(),
        (_, false, false) => match last {
            Some(reason) => return reason,
            None => "found no transition invariant".to_owned(),
        },
    };
    let place = SourcePlace { file: String::new(), line: 0, function: String::new() };
    UnknownReason::Incomplete { what, place }
}
