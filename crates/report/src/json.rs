//! From a [`Report`] to what `ouro check` answers for tools.

use ouro_evidence::{
    AttemptRecord, ChoiceSource, Claim, Evidence, Input, InputOfRun, Verdict, Wrapping,
};

use crate::check_report::{
    AssumptionRecord, CheckReport, EngineAttempt, HeadRecord, InputRecord, LoopRecord,
    OtherViolation, OverflowRecord, RankingRecord, RecurrentSetRecord, StatesRecord, StepRecord,
    UndefinedRecord, ViolationRecord,
};
use crate::closed::{StatesAt, states};
use crate::ctype::Types;
use crate::finding::findings;
use crate::liveness::{Other, others, violated};
use crate::schema::{CHECKED, ReportCommand, ReportVerdict, SCHEMA_VERSION, TOOL_VERSION, seconds};
use crate::system::{Ranked, States, Step, Value};
use crate::{LoopReport, Report, undefined};

/// What `ouro check` answers. `certificate` is the file that the certificate is written to.
pub fn check_report(report: &Report<'_>, certificate: Option<&str>) -> CheckReport {
    let recurrence = report.recurrence();
    let run = report.endless_run();
    let ranked = report.ranked();
    let types = Types::of(report.program());
    CheckReport {
        schema_version: SCHEMA_VERSION,
        command: ReportCommand::Check,
        tool_version: TOOL_VERSION.to_owned(),
        verdict: ReportVerdict::of(report.verdict),
        after_overflow: report.after_overflow().map(|overflow| OverflowRecord {
            what: overflow.what.clone(),
            locations: overflow.places.clone(),
            steps: overflow.steps,
        }),
        wraps_too: report.explanation.wrapping.as_ref().and_then(|wrapping| match wrapping {
            Wrapping::Terminates => Some(true),
            Wrapping::Loops(_) => None,
        }),
        endless_input: report.explanation.input.map(|input| input == InputOfRun::Endless),
        engine: report.engine.map(str::to_owned),
        seconds: seconds(report.elapsed),
        location: report.place(),
        inputs: match (recurrence, &run) {
            (Some(recurrence), _) => {
                let cycle = recurrence.cycle_inputs;
                let inputs = recurrence.inputs.iter().enumerate();
                let inputs = inputs.filter(|(_, one)| is_of_program(one));
                inputs.map(|(i, one)| input(one, i >= cycle, &types)).collect()
            }
            (None, Some(run)) => run.initial.iter().map(initial).collect(),
            (None, None) => {
                let inputs: &[Input] = match report.verdict.evidence() {
                    Some(Evidence::Closed(set)) => &set.inputs,
                    Some(Evidence::Violation(violation)) => &violation.inputs,
                    _ => &[],
                };
                let inputs = inputs.iter().filter(|one| is_of_program(one));
                inputs.map(|one| input(one, false, &types)).collect()
            }
        },
        stem: run.as_ref().map(|run| run.stem.iter().map(step).collect()),
        recurrent_set: match (recurrence, &run) {
            (Some(recurrence), _) => Some(RecurrentSetRecord::State {
                variables: (report.explanation.variables.iter())
                    .map(|(name, value)| (name.clone(), value.clone()))
                    .collect(),
                recursion: recurrence.recursion,
            }),
            (None, Some(run)) => {
                Some(RecurrentSetRecord::States(run.states.iter().map(at_location).collect()))
            }
            (None, None) => report
                .closed_set()
                .map(|set| RecurrentSetRecord::Heads(states(set).into_iter().map(head).collect())),
        },
        ranking: ranked.as_ref().map(|all| all.iter().map(rank).collect()),
        violation: violated(report).map(|violated| ViolationRecord {
            obligation: violated.obligation.as_ref().map(|(name, _)| (*name).to_owned()),
            asked: violated.obligation.and_then(|(_, place)| place),
            promised: violated.promised.cloned(),
            fairness: violated.fairness.to_vec(),
            others: others(report).map(other).collect(),
        }),
        certificate: report.verdict.evidence().map(|_| CHECKED.to_owned()),
        reason: match report.verdict {
            Verdict::Unknown(reason) => Some(reason.to_string()),
            _ => None,
        },
        loops: report.loops.iter().map(one_loop).collect(),
        assumptions: assumptions(report, &types),
        attempts: report.explanation.attempts.iter().map(attempt).collect(),
        obligations: Vec::new(),
        findings: findings(report, certificate),
        notes: Vec::new(),
    }
}

fn attempt(one: &AttemptRecord) -> EngineAttempt {
    EngineAttempt {
        engine: one.engine.to_owned(),
        ints: one.ints,
        started: seconds(one.started),
        spent: seconds(one.spent),
        outcome: one.outcome.word().to_owned(),
        claim: one.outcome.claim().map(|claim| Claim::word(claim).to_owned()),
        reason: one.outcome.reason().map(str::to_owned),
    }
}

fn assumptions(report: &Report<'_>, types: &Types) -> Vec<AssumptionRecord> {
    let mut all: Vec<AssumptionRecord> =
        report.assumed_of_the_world().into_iter().map(AssumptionRecord::Text).collect();
    for one in &report.explanation.undefined {
        let run = one.run.as_ref();
        all.push(AssumptionRecord::Undefined(Box::new(UndefinedRecord {
            kind: "undefined".to_owned(),
            file: one.place.file.clone(),
            line: one.place.line,
            what: one.what.clone(),
            happens: run.is_some_and(|run| run.head.is_none()),
            head: run.and_then(|run| run.head.clone()),
            variables: (run.iter().flat_map(|run| &run.variables))
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect(),
            inputs: (run.iter().flat_map(|run| &run.inputs))
                .map(|one| input(one, false, types))
                .collect(),
            compilers: undefined::really(&one.what).to_owned(),
            text: undefined::sentence(one, types),
        })));
    }
    all
}

/// Whether it is an input of the program, and no guess of the specification.
fn is_of_program(input: &Input) -> bool {
    input.source != ChoiceSource::Guess
}

fn other(run: Other<'_>) -> OtherViolation {
    let Other { promised, place, ends } = run;
    let (promised, location) = (promised.cloned(), place.cloned());
    OtherViolation { promised, location, ends, certificate: CHECKED.to_owned() }
}

fn initial(value: &Value) -> InputRecord {
    InputRecord {
        function: None,
        source: value.name.clone(),
        value: value.value.clone(),
        width: None,
        repeats: false,
        location: None,
    }
}

fn step(step: &Step) -> StepRecord {
    let choices = step.choices.iter().map(|value| (value.name.clone(), value.value.clone()));
    StepRecord {
        from: step.from.clone(),
        to: step.to.clone(),
        line: step.line,
        choices: choices.collect(),
    }
}

fn head(at: StatesAt) -> HeadRecord {
    let StatesAt { place, variables, set, choices } = at;
    HeadRecord { location: place, variables, set, choices }
}

fn rank(place: &Ranked) -> RankingRecord {
    RankingRecord {
        location: place.location.clone(),
        line: place.line,
        invariant: place.invariant.clone(),
        ranking: place.ranking.clone(),
        measures: place.measures.clone(),
    }
}

fn one_loop(one: &LoopReport) -> LoopRecord {
    LoopRecord {
        location: one.place.clone(),
        status: one.fate.word().to_owned(),
        rankings: one.rankings.clone(),
        reason: one.reason.clone(),
    }
}

fn at_location(states: &States) -> StatesRecord {
    let moves = states.moves.iter();
    StatesRecord {
        location: states.location.clone(),
        line: states.line,
        set: states.set.clone(),
        moves: moves.map(|way| way.iter().map(step).collect()).collect(),
    }
}

fn input(input: &Input, repeats: bool, types: &Types) -> InputRecord {
    let (function, source) = match &input.source {
        ChoiceSource::Function(name) | ChoiceSource::Allocation(name) => {
            (Some(name.as_str()), name.as_str())
        }
        ChoiceSource::Output(what) => {
            (Some(what.as_str()).filter(|what| !what.contains(' ')), what.as_str())
        }
        ChoiceSource::Other(what) => (None, what.as_str()),
        ChoiceSource::Guess => (None, "a guess of the specification"),
    };
    InputRecord {
        function: function.map(str::to_owned),
        source: source.to_owned(),
        value: types.number(input),
        width: Some(input.width),
        repeats,
        location: Some(&input.place).filter(|place| place.is_known()).cloned(),
    }
}
