//! The question asked again with integers that wrap around, as they do in what compilers make of a program.
//!
//! By C's rules a run that overflows a signed integer ends there. That is no comfort to somebody whose program
//! then hangs. So where nobody said what integers are, a proof of termination is tried with integers that wrap
//! around, and where it fails or where there is none, so are the engines. A run that goes on forever then is
//! the answer. What ends under both readings is said to.
//!
//! It costs nothing where nothing can overflow, and a bounded part of the time otherwise.

mod overflow;

use std::time::Duration;

use ouro_evidence::{
    AttemptRecord, Claim, Explanation, IntegerSemantics, UnknownReason, Verdict,
    WraparoundBehaviour,
};
use ouro_model::Program;
use ouro_solver::clock;

use self::overflow::{find_overflow, program_is_signed_only, program_may_overflow};
pub use self::overflow::{is_about_integers, is_open};
use crate::answer::{PortfolioAnswer, PortfolioEvent, PortfolioObserver};
use crate::budget::CpuBudget;
use crate::engine::ProofSubject;
use crate::limits::LIMITS;
use crate::run::Portfolio;
use crate::schedule::{
    EngineSchedule, IntegerReading, PROGRAM_ALSO_WRAPPING_SCHEDULE, PROGRAM_SCHEDULE,
    WRAPPING_SETS_SCHEDULE,
};

/// Asks about a program by C's rules, and with integers that wrap around where that makes a difference. What integers
/// mean is a part of the answer.
pub fn prove_program_also_wrapping(
    program: &Program,
    threads: bool,
    budget: CpuBudget,
    observer: &mut PortfolioObserver<'_>,
) -> PortfolioAnswer {
    let (subject, ints, engines) = (ProofSubject::Program(program), IntegerSemantics::C, &[]);
    let portfolio = Portfolio { subject, ints, engines, threads, names_undefined: true };
    if !program_may_overflow(program) {
        return portfolio.run_schedule(PROGRAM_SCHEDULE, budget, observer);
    }
    let mut both = BothReadings { program, portfolio, spent: Duration::ZERO, budget, observer };
    both.prove_in_both_readings()
}

struct BothReadings<'a, 'o> {
    program: &'a Program,
    portfolio: Portfolio<'a>,
    /// What was used of the budget.
    spent: Duration,
    budget: CpuBudget,
    observer: &'a mut PortfolioObserver<'o>,
}

impl BothReadings<'_, '_> {
    fn prove_in_both_readings(&mut self) -> PortfolioAnswer {
        let by_rules = self.portfolio.run_schedule(&self.schedule(), self.budget, self.observer);
        self.spent += by_rules.spent;
        match (&by_rules.verdict, by_rules.ints) {
            (Verdict::Loops(_), IntegerSemantics::Wrap) => {
                return self.tell_of_overflow(by_rules, None);
            }
            (Verdict::Loops(evidence), IntegerSemantics::Unbounded) => {
                // A loop goes on for as long as integers have room.
                return match evidence.place() {
                    Some(place) => self.without_verdict(
                        UnknownReason::SignedOverflow { place: place.clone() },
                        by_rules,
                    ),
                    None => self.without_verdict(
                        UnknownReason::Time { limit: self.budget.limit },
                        by_rules,
                    ),
                };
            }
            (Verdict::Terminates(evidence), _) => {
                let undefined = &by_rules.explanation.undefined;
                if !undefined.iter().any(|one| is_about_integers(&one.what)) {
                    return by_rules;
                }
                let end = clock::budget_now() + self.second_share();
                let claim = Claim::Terminates;
                if ouro_check::check_program_evidence(
                    self.program,
                    IntegerSemantics::Wrap,
                    claim,
                    evidence,
                    end,
                )
                .is_ok()
                {
                    return ends_in_both(by_rules);
                }
            }
            // What is beyond the model is so with any integers.
            (Verdict::Unknown(UnknownReason::SignedOverflow { .. }), _) => {}
            _ => return by_rules,
        }
        (self.observer)(PortfolioEvent::Says("checking again with integers that wrap around"));
        self.ask_again(by_rules)
    }

    /// The schedule, with integers without bounds only where they are as good as C's until one overflows.
    fn schedule(&self) -> Vec<crate::schedule::ScheduledSlice> {
        let signed_only = program_is_signed_only(self.program);
        let fits = |reading| signed_only || reading != IntegerReading::Unbounded;
        let all = PROGRAM_ALSO_WRAPPING_SCHEDULE.iter();
        all.filter(|slice| fits(slice.reading)).copied().collect()
    }

    /// What the second question may take: some times as long as the first, but no more than a quarter of what there is.
    fn second_share(&self) -> Duration {
        self.spent
            .saturating_mul(4)
            .max(LIMITS.least_second_question)
            .min(self.budget.limit / 4)
            .min(self.left())
    }

    /// Asks with integers that wrap around; `by_rules` is what is known by C's rules.
    fn ask_again(&mut self, by_rules: PortfolioAnswer) -> PortfolioAnswer {
        let again = self.run_wrapping(WRAPPING_SETS_SCHEDULE);
        let again = match again.verdict {
            Verdict::Loops(_) => again,
            _ => {
                let attempts = again.explanation.attempts;
                let mut again = self.run_wrapping(PROGRAM_SCHEDULE);
                again.explanation.attempts.splice(0..0, attempts);
                again
            }
        };
        match again.verdict {
            Verdict::Loops(_) => self.tell_of_overflow(again, Some(by_rules)),
            Verdict::Terminates(_) => {
                ends_in_both(with_attempts(by_rules, again.explanation.attempts))
            }
            _ => with_attempts(by_rules, again.explanation.attempts),
        }
    }

    fn run_wrapping(&mut self, schedule: &EngineSchedule) -> PortfolioAnswer {
        let portfolio = Portfolio { ints: IntegerSemantics::Wrap, ..self.portfolio };
        let budget = self.budget.with_time(self.second_share());
        let answer = portfolio.run_schedule(schedule, budget, self.observer);
        self.spent += answer.spent;
        answer
    }

    /// What a run that never ends with integers that wrap around means for the program: it never ends by C's rules
    /// either, or not once an integer has overflowed. `by_rules` is what is known by C's rules.
    fn tell_of_overflow(
        &mut self,
        mut found: PortfolioAnswer,
        by_rules: Option<PortfolioAnswer>,
    ) -> PortfolioAnswer {
        let Some(evidence) = found.verdict.evidence() else { return by_rules.unwrap_or(found) };
        let is_proved = by_rules.as_ref().is_some_and(|known| known.verdict.evidence().is_some());
        let left = self.left();
        let soon = clock::budget_now() + left / 4;
        let holds_by_rules = || {
            ouro_check::check_program_evidence(
                self.program,
                IntegerSemantics::C,
                Claim::Loops,
                evidence,
                soon,
            )
            .is_ok()
        };
        if !is_proved && holds_by_rules() {
            found.ints = IntegerSemantics::C;
        } else {
            let overflow = find_overflow(self.program, evidence, clock::budget_now() + left);
            found.explanation.wrapping = Some(WraparoundBehaviour::Loops(overflow));
        }
        match by_rules {
            Some(known) => {
                let mut attempts = known.explanation.attempts;
                attempts.append(&mut found.explanation.attempts);
                found.explanation.attempts = attempts;
                found
            }
            None => found,
        }
    }

    fn left(&self) -> Duration {
        self.budget.time.saturating_sub(self.spent)
    }

    fn without_verdict(&self, reason: UnknownReason, found: PortfolioAnswer) -> PortfolioAnswer {
        PortfolioAnswer {
            verdict: Verdict::Unknown(reason),
            explanation: Explanation {
                assumptions: self.program.assumptions.clone(),
                attempts: found.explanation.attempts,
                ..Explanation::default()
            },
            engine: None,
            ints: IntegerSemantics::C,
            spent: found.spent,
        }
    }
}

/// The same answer, which holds with integers that wrap around, too.
fn ends_in_both(mut by_rules: PortfolioAnswer) -> PortfolioAnswer {
    by_rules.explanation.wrapping = Some(WraparoundBehaviour::Terminates);
    by_rules
}

fn with_attempts(mut known: PortfolioAnswer, more: Vec<AttemptRecord>) -> PortfolioAnswer {
    known.explanation.attempts.extend(more);
    known
}
