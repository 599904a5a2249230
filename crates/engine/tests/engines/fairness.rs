//! Fairness: on small programs of which the truth is known, what engines find is right, and the
//! checker accepts it, and not for programs of which it is not true.

mod automaton;
mod by_hand;
mod random;
mod tampered;

use std::time::{Duration, Instant};

use automaton::Automaton;
use ouro_check::EvidenceRejection;
use ouro_engine::ranking::RankingEffort;
use ouro_engine::{
    EngineSettings, TerminationArgument, UncheckedFinding, explore_program, find_closed_set,
    find_program_ranking,
};
use ouro_evidence::{Claim, Evidence, IntegerSemantics};
use ouro_model::{Program, text};

fn settings() -> EngineSettings {
    within(Duration::from_secs(10))
}

fn within(time: Duration) -> EngineSettings {
    EngineSettings {
        ints: IntegerSemantics::C,
        deadline: Instant::now() + time,
        time,
        memory_mib: 4096,
    }
}

fn parsed(source: &str) -> Program {
    text::parse_program(source).unwrap_or_else(|refused| panic!("{refused} in\n{source}"))
}

fn judged(program: &Program, claim: Claim, evidence: &Evidence) -> Result<(), EvidenceRejection> {
    let deadline = Instant::now() + Duration::from_secs(60);
    ouro_check::check_program_evidence(program, IntegerSemantics::C, claim, evidence, deadline)
}

fn truth(automaton: &Automaton) -> Claim {
    if automaton.holds() { Claim::Holds } else { Claim::Violated }
}

/// What each engine finds. Evidence that the checker does not accept is a mistake.
fn found(program: &Program) -> Vec<(&'static str, Claim, Evidence)> {
    let findings: [(&'static str, Option<UncheckedFinding>); 4] = [
        (
            "ranked_program",
            find_program_ranking(
                program,
                &settings(),
                TerminationArgument::Ranking(RankingEffort::Thorough),
            ),
        ),
        // These two would look for long where there is nothing, so they are asked for what they find soon.
        (
            "transition",
            find_program_ranking(
                program,
                &within(Duration::from_secs(1)),
                TerminationArgument::Transition,
            ),
        ),
        (
            "closed_program",
            find_closed_set(program, &within(Duration::from_secs(1)), &[]).map(|found| found.0),
        ),
        ("explore", Some(explore_program(program, &settings()))),
    ];
    let mut definite = Vec::new();
    for (engine, finding) in findings {
        let Some(verdict) = finding.map(|finding| finding.verdict) else { continue };
        let (Some(claim), Some(evidence)) = (verdict.claim(), verdict.evidence()) else { continue };
        if let Err(rejection) = judged(program, claim, evidence) {
            // A recurrent set of the system may have a place that no run of the program comes to.
            let idle = engine == "closed_program" && rejection.why.contains("never comes to head");
            assert!(idle || rejection.out_of_time, "{engine}: {rejection}\n{evidence:?}");
            continue;
        }
        definite.push((engine, claim, evidence.clone()));
    }
    definite
}

/// Asks all engines about an automaton, as two programs. Says how many of the two were decided.
fn check(name: &str, automaton: &Automaton) -> usize {
    let truth = truth(automaton);
    let mut decided = 0;
    for in_data in [false, true] {
        let source = automaton.program(in_data);
        let found = found(&parsed(&source));
        for (engine, claim, evidence) in &found {
            assert_eq!(*claim, truth, "{name}, {engine}: {evidence:?}\n{automaton:?}\n{source}");
            refused_elsewhere(name, automaton, in_data, evidence);
        }
        decided += usize::from(!found.is_empty());
    }
    decided
}

/// Evidence about a program is refused for programs that differ from it a little, if it would be
/// evidence for something wrong there.
fn refused_elsewhere(name: &str, automaton: &Automaton, in_data: bool, evidence: &Evidence) {
    let mut others = Vec::new();
    for at in 0..automaton.pairs.len() {
        let mut other = automaton.clone();
        other.pairs.remove(at);
        others.push(other);
        let mut other = automaton.clone();
        other.pairs[at] = (None, vec![]);
        others.push(other);
        let mut other = automaton.clone();
        other.pairs[at].0 = Some(std::mem::take(&mut other.pairs[at].1));
        others.push(other);
    }
    for (state, steps) in automaton.states.iter().enumerate() {
        for (at, step) in steps.iter().enumerate() {
            for event in 0..automaton.events {
                let mut other = automaton.clone();
                let events = &mut other.states[state][at].events;
                match step.events.contains(&event) {
                    true => events.retain(|one| *one != event),
                    false => events.push(event),
                }
                others.push(other);
            }
        }
    }
    for other in others {
        for claim in [Claim::Holds, Claim::Violated] {
            if truth(&other) != claim {
                let judged = judged(&parsed(&other.program(in_data)), claim, evidence);
                assert!(judged.is_err(), "{name}: {evidence:?} is accepted for\n{other:?}");
            }
        }
    }
}

#[test]
fn automata_by_hand() {
    let all = by_hand::all();
    let mut decided = 0;
    for (name, automaton, holds) in &all {
        assert_eq!(automaton.holds(), *holds, "{name}");
        decided += check(name, automaton);
    }
    assert!(decided * 10 >= all.len() * 2 * 9, "only {decided} of {}", all.len() * 2);
}

/// What a head does not know by itself, invariants do.
#[test]
fn obligations_that_only_an_invariant_excludes() {
    let program = parsed(&by_hand::behind_a_bound(3).program(true));
    let ranked = found(&program).into_iter().any(|(engine, ..)| engine == "ranked_program");
    assert!(ranked);
}

#[test]
fn random_automata() {
    let seeds = 24;
    let decided: usize =
        (0..seeds).map(|seed| check(&format!("seed {seed}"), &random::automaton(seed))).sum();
    assert!(decided as u64 * 10 >= seeds * 2 * 9, "only {decided} of {}", seeds * 2);
}
