//! The portfolio on small transition systems: who answers, what is recorded, and that a second thread changes nothing.

use std::path::Path;
use std::time::Duration;

use ouro_evidence::{AttemptOutcome, Claim, IntegerSemantics, UnknownReason, Verdict};
use ouro_model::transition::TransitionSystem;
use ouro_portfolio::schedule::{IntegerReading, SYSTEM_SCHEDULE, ScheduledSlice};
use ouro_portfolio::{
    CpuBudget, EngineKind, EngineName, Portfolio, PortfolioAnswer, PortfolioEvent, ProofSubject,
};

const LOOPS: &str = "(GOAL TERMINATION)\n(STARTTERM (FUNCTIONSYMBOLS f))\n(VAR x)\n(RULES\n  \
                     f(x) -> g(x)\n  g(x) -> g(x + 1) :|: x > 0\n)\n";
const ENDS: &str = "(GOAL TERMINATION)\n(STARTTERM (FUNCTIONSYMBOLS f))\n(VAR x)\n(RULES\n  \
                    f(x) -> g(x)\n  g(x) -> g(x - 1) :|: x > 0\n)\n";

fn system(text: &str) -> TransitionSystem {
    ouro_formats::parse_transition_system(Path::new("system.koat"), text).expect("a system")
}

fn budget() -> CpuBudget {
    let time = Duration::from_secs(20);
    CpuBudget { time, limit: time, memory_mib: 2048 }
}

fn ask(
    system: &TransitionSystem,
    schedule: &[ScheduledSlice],
    engines: &[EngineName],
    threads: bool,
) -> PortfolioAnswer {
    let (subject, ints) = (ProofSubject::System(system), IntegerSemantics::Unbounded);
    let portfolio = Portfolio { subject, ints, engines, threads, names_undefined: true };
    portfolio.run_schedule(schedule, budget(), &mut |_| {})
}

/// The schedule for systems with slices so long that no engine is interrupted, however busy the machine is.
fn unhurried() -> Vec<ScheduledSlice> {
    let lengthen = |slice: &ScheduledSlice| ScheduledSlice {
        at_most: Duration::from_secs(10),
        part: 2,
        ..*slice
    };
    SYSTEM_SCHEDULE.iter().map(lengthen).collect()
}

/// Two long slices of one round: what loops is looked for first.
fn side_by_side() -> [ScheduledSlice; 2] {
    let at_most = Duration::from_secs(5);
    let (reading, part, round) = (IntegerReading::AsAsked, 4, 0);
    [EngineKind::RecurrentSets, EngineKind::Ranking].map(|engine| ScheduledSlice {
        engine,
        reading,
        at_most,
        part,
        round,
    })
}

#[test]
fn the_schedule_comes_to_both_answers() {
    let loops = ask(&system(LOOPS), &unhurried(), &[], true);
    assert!(matches!(loops.verdict, Verdict::Loops(_)));
    let ends = ask(&system(ENDS), &unhurried(), &[], true);
    assert!(matches!(ends.verdict, Verdict::Terminates(_)));
    assert_eq!(ends.engine, Some("ranking"));
    let [first] = &ends.explanation.attempts[..] else { panic!("the first one answers") };
    assert_eq!(first.engine, "ranking");
    assert_eq!(first.outcome, AttemptOutcome::Accepted(Claim::Terminates));
}

#[test]
fn the_order_of_the_table_decides_on_one_thread_and_on_two() {
    for text in [LOOPS, ENDS] {
        let system = system(text);
        let one = ask(&system, &side_by_side(), &[], false);
        for _ in 0..3 {
            let two = ask(&system, &side_by_side(), &[], true);
            assert_eq!(one.verdict, two.verdict);
            assert_eq!(one.engine, two.engine);
        }
    }
}

#[test]
fn only_engines_that_were_named_are_asked() {
    let answer = ask(&system(LOOPS), &unhurried(), &[EngineName::Ranking], true);
    let Verdict::Unknown(UnknownReason::Incomplete { what, .. }) = &answer.verdict else {
        panic!("{:?}", answer.verdict)
    };
    assert_eq!(what, "found no ranking function");
    assert!(answer.explanation.attempts.iter().all(|attempt| attempt.engine == "ranking"));
    assert_eq!(answer.explanation.attempts.len(), 1, "it gave up, and is not asked again");
    let answer = ask(&system(LOOPS), &unhurried(), &[EngineName::Explore], true);
    assert!(answer.explanation.attempts.is_empty());
    assert!(matches!(answer.verdict, Verdict::Unknown(UnknownReason::Incomplete { .. })));
}

#[test]
fn observers_hear_of_slices_and_of_the_checker() {
    let system = system(ENDS);
    let (subject, ints) = (ProofSubject::System(&system), IntegerSemantics::Unbounded);
    let portfolio =
        Portfolio { subject, ints, engines: &[], threads: false, names_undefined: true };
    let mut heard = Vec::new();
    portfolio.run_schedule(&unhurried(), budget(), &mut |event| {
        heard.push(match event {
            PortfolioEvent::SliceBegins(kind, ..) => format!("{} begins", kind.word()),
            PortfolioEvent::CheckBegins(claim) => format!("{} is checked", claim.phrase()),
            PortfolioEvent::SliceEnds(attempt) => attempt.outcome.word().to_owned(),
            PortfolioEvent::Says(what) => what.to_owned(),
        });
    });
    assert_eq!(heard, ["ranking begins", "terminates is checked", "accepted"]);
}

#[test]
fn no_time_is_the_reason_if_there_is_none() {
    let system = system(LOOPS);
    let (subject, ints) = (ProofSubject::System(&system), IntegerSemantics::Unbounded);
    let portfolio = Portfolio { subject, ints, engines: &[], threads: true, names_undefined: true };
    let answer =
        portfolio.run_schedule(&unhurried(), budget().with_time(Duration::ZERO), &mut |_| {});
    assert!(matches!(answer.verdict, Verdict::Unknown(UnknownReason::Time { .. })));
}
