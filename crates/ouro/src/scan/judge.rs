//! Whether one loop ends, whatever happened before it.
//!
//! The loop is made a program of its own (`isolate`), a ranking is looked for, and the checker is asked. First
//! with nothing assumed, then with assumptions about memory that the finding names; first with the loops
//! inside, then with those taken to end, as their own findings say or do not say.

use std::time::{Duration, Instant};

use ouro_evidence::{IntegerSemantics, SourcePlace, UnknownReason, Verdict};
use ouro_isolate::{
    IsolatedLoop, IsolatedProgram, IsolationOptions, NamedCell, ProgramEffects, isolate_loop,
};
use ouro_model::flow::{FunctionFlow, Loop};
use ouro_model::{FunctionId, Program, Terminator};
use ouro_portfolio::schedule::{
    LOOP_EASY_SCHEDULE, LOOP_RANKING_SCHEDULE, LOOP_TRANSITION_SCHEDULE,
};
use ouro_portfolio::{CpuBudget, EngineSchedule, Portfolio, ProofSubject, RankedLoop};
use ouro_report::{SourceTexts, loops};
use ouro_solver::clock;

use super::certificate::{IsolatedPart, LoopTerminationProof, WrittenTrust};
use super::{integers, words};
use crate::limits::LIMITS;

/// What became of a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum ScannedLoopFate {
    /// It ends each time it is entered.
    Ends {
        /// Why, in words.
        argument: String,
        /// Why, for the checker.
        proof: Box<LoopTerminationProof>,
        /// Whether the loops inside were not taken to end but are known to, when entered from here.
        with_inner: bool,
    },
    /// Why nothing is known.
    Unknown(String),
    /// The time was over; what was being done.
    OutOfTime(String),
}

/// A loop of a function.
pub(super) struct ScannedLoop<'a> {
    pub(super) program: &'a Program,
    pub(super) effects: &'a ProgramEffects,
    pub(super) function: FunctionId,
    pub(super) flow: &'a FunctionFlow,
    pub(super) found: &'a Loop,
    /// The texts of the program's files.
    pub(super) sources: &'a SourceTexts,
}

/// A program that can do what the loop can.
struct LoopProgram {
    program: Program,
    assumed: Vec<String>,
    /// How it was made.
    trust: WrittenTrust,
    part: IsolatedPart,
    /// What was not assumed nevertheless.
    without: Vec<String>,
    /// Whether loops inside were cut.
    cut: bool,
    names: Vec<NamedCell>,
}

/// The programs of a loop for one way to make them: what is small, and what is full, which knows more but mostly takes
/// long.
fn loop_programs(
    subject: &ScannedLoop<'_>,
    trust: WrittenTrust,
    cuts: bool,
    without: &[String],
) -> Option<(Vec<LoopProgram>, LoopProgram)> {
    let how = IsolationOptions { cuts, wide: false, trust: trust.memory_trust(), without };
    let ScannedLoop { program, effects, function, flow, found, .. } = *subject;
    let IsolatedLoop { full, slim, sights, cut, names } =
        isolate_loop(program, effects, function, flow, found, how)?;
    let a_try = |IsolatedProgram { program, assumed }, part| {
        let names = names.clone();
        LoopProgram { program, assumed, trust, part, without: without.to_vec(), cut, names }
    };
    let sights = sights.into_iter().enumerate();
    let sights = sights.map(|(number, made)| a_try(made, IsolatedPart::Sight(number)));
    let small = sights.chain([a_try(slim, IsolatedPart::Slim)]).collect();
    Some((small, a_try(full, IsolatedPart::Full)))
}

/// What may be spent, and what it was not enough for.
struct JudgeBudget<'a> {
    subject: &'a ScannedLoop<'a>,
    memory_mib: u64,
    start: Instant,
    deadline: Instant,
    /// What was given up because its share of the time was over.
    given_up: Option<&'static str>,
}

/// What takes longer, and what is said if it ran out of time.
const HARD: [(&EngineSchedule, &str); 2] = [
    (LOOP_RANKING_SCHEDULE, "looking for a ranking function"),
    (LOOP_TRANSITION_SCHEDULE, "looking for a transition invariant"),
];

/// A program that can do what the loop can, to be asked about.
fn loop_question<'p>(subject: &ScannedLoop<'_>, made: &'p LoopProgram) -> RankedLoop<'p> {
    let code = &subject.program.functions[subject.function];
    let names_undefined = integers::may_rest_on_integers(code, &made.program);
    let subject = ProofSubject::Loop(&made.program);
    let (engines, ints) = (&[], IntegerSemantics::C);
    RankedLoop::new(Portfolio { subject, ints, engines, threads: false, names_undefined })
}

impl JudgeBudget<'_> {
    /// Runs the engines of a schedule for some time.
    fn try_argument(
        &mut self,
        made: &LoopProgram,
        question: &mut RankedLoop<'_>,
        (schedule, what): (&EngineSchedule, &'static str),
        time: Duration,
    ) -> Option<ScannedLoopFate> {
        let budget = CpuBudget { time, limit: time, memory_mib: self.memory_mib };
        let answer = question.resume_schedule(schedule, budget);
        if let Verdict::Unknown(UnknownReason::Time { .. }) = answer.verdict {
            self.given_up = Some(what);
        }
        answer.verdict.evidence()?;
        let ScannedLoop { program, function, .. } = *self.subject;
        let named = &answer.explanation.undefined;
        let integers =
            integers::reliance_on_integers(&program.functions[function], &made.program, named);
        Some(proved_fate(self.subject, made, &answer.verdict, integers.sentences()))
    }

    /// Tries what mostly works at once.
    fn try_easy_arguments(&mut self, made: &LoopProgram) -> Option<ScannedLoopFate> {
        let now = clock::budget_now();
        let time = self.deadline.saturating_duration_since(self.start);
        let left = (self.start + time / 3 * 2).saturating_duration_since(now);
        let easy = (LOOP_EASY_SCHEDULE, HARD[0].1);
        self.try_argument(
            made,
            &mut loop_question(self.subject, made),
            easy,
            (time / LIMITS.easy_share).min(left / 2),
        )
    }

    /// The same fate with only those assumptions that it needs, as far as that is seen at once.
    fn keep_needed_assumptions(
        &mut self,
        made: &LoopProgram,
        fate: ScannedLoopFate,
    ) -> ScannedLoopFate {
        let mut best = fate;
        let mut without: Vec<String> = made.without.clone();
        for one in made.assumed.iter().take(LIMITS.dropped_assumptions) {
            let ScannedLoopFate::Ends { proof, .. } = &best else { break };
            if !proof.assumed.contains(one) {
                continue;
            }
            let less: Vec<String> = without.iter().chain([one]).cloned().collect();
            let Some((small, full)) = loop_programs(self.subject, made.trust, made.cut, &less)
            else {
                continue;
            };
            let mut same = small.into_iter().chain([full]).filter(|other| other.part == made.part);
            if let Some(other) = same.next()
                && !other.assumed.contains(one)
                && let Some(found @ ScannedLoopFate::Ends { .. }) = self.try_easy_arguments(&other)
            {
                best = found;
                without = less;
            }
        }
        best
    }
}

/// Looks at a loop until the deadline, with the fewest assumptions first.
pub(super) fn judge_loop(
    subject: &ScannedLoop<'_>,
    memory_mib: u64,
    deadline: Instant,
) -> ScannedLoopFate {
    let start = clock::budget_now();
    let mut spending = JudgeBudget { subject, memory_mib, start, deadline, given_up: None };
    let mut tried: Vec<LoopProgram> = Vec::new();
    let mut fulls: Vec<LoopProgram> = Vec::new();
    for trust in WrittenTrust::ALL {
        let mut here: Vec<LoopProgram> = Vec::new();
        for cuts in [false, true] {
            if clock::budget_now() >= deadline {
                continue;
            }
            let Some((small, full)) = loop_programs(subject, trust, cuts, &[]) else { continue };
            if let Some(limit) = find_uncovered_code(&full.program) {
                return ScannedLoopFate::Unknown(format!(
                    "it uses something that Ouro does not support: {limit}"
                ));
            }
            here.extend(small);
            if fulls.iter().all(|known| known.program != full.program) {
                fulls.push(full);
            }
        }
        // Sights are quicker.
        here.sort_by_key(|one| one.part == IsolatedPart::Slim);
        for made in here {
            if tried.iter().any(|known| known.program == made.program) {
                continue;
            }
            if let Some(fate) = spending.try_easy_arguments(&made) {
                return spending.keep_needed_assumptions(&made, fate);
            }
            tried.push(made);
        }
    }
    for made in &fulls {
        if let Some(fate) = spending.try_easy_arguments(made) {
            return spending.keep_needed_assumptions(made, fate);
        }
    }
    // What takes longer is tried where most is assumed: that is where it can help.
    let mut hard: Vec<(&LoopProgram, RankedLoop<'_>)> = tried
        .iter()
        .rev()
        .take(LIMITS.hard_programs)
        .map(|made| (made, loop_question(subject, made)))
        .collect();
    let mut waiting = u32::try_from(hard.len() * HARD.len()).unwrap_or(1);
    for argument in HARD {
        for (made, question) in &mut hard {
            let left = deadline.saturating_duration_since(clock::budget_now());
            let time = left / waiting.max(1);
            waiting -= 1;
            if let Some(fate) = spending.try_argument(made, question, argument, time) {
                return spending.keep_needed_assumptions(made, fate);
            }
        }
    }
    if is_endless(subject) {
        return ScannedLoopFate::Unknown(
            "no jump leaves it: once entered, it ends only if a call inside it does not return"
                .to_owned(),
        );
    }
    match spending.given_up {
        Some(what) => ScannedLoopFate::OutOfTime(what.to_owned()),
        None => ScannedLoopFate::Unknown("no termination argument found".to_owned()),
    }
}

fn proved_fate(
    subject: &ScannedLoop<'_>,
    made: &LoopProgram,
    verdict: &Verdict,
    integers: Vec<String>,
) -> ScannedLoopFate {
    let place = SourcePlace::of_span(&made.program, made.program.entry, subject.found.span);
    let judged = loops::judge_loops(
        std::slice::from_ref(&place),
        Some(&made.program),
        verdict,
        &ouro_evidence::Explanation::default(),
    );
    let argument = judged.first().map_or_else(String::new, |one| one.reason.clone());
    let expressions = words::cell_expressions(&made.names, subject.program, subject.sources);
    let argument = words::in_user_words(&argument, &expressions);
    let Some(evidence) = verdict.evidence().cloned() else {
        return ScannedLoopFate::Unknown("no termination argument found".to_owned());
    };
    let proof = LoopTerminationProof {
        cuts: made.cut,
        trust: made.trust,
        part: made.part,
        assumed: made.assumed.clone(),
        without: made.without.clone(),
        integers,
        evidence,
    };
    ScannedLoopFate::Ends { argument, proof: Box::new(proof), with_inner: !made.cut }
}

/// What the model does not cover.
fn find_uncovered_code(program: &Program) -> Option<&str> {
    let blocks = program.functions[program.entry].blocks.iter();
    blocks.into_iter().find_map(|block| match &block.terminator {
        Terminator::Limit(what) => Some(what.as_str()),
        _ => None,
    })
}

/// Whether no jump leads out of the loop.
fn is_endless(subject: &ScannedLoop<'_>) -> bool {
    let blocks = &subject.program.functions[subject.function].blocks;
    subject.found.body.iter().all(|block| {
        let terminator = &blocks[*block].terminator;
        let mut stays = !matches!(
            terminator,
            Terminator::Return(_) | Terminator::Exit(_) | Terminator::Abort(_)
        );
        terminator.each_successor(|to| stays &= subject.found.body.contains(&to));
        stays
    })
}
