//! From a [`Report`] to what `ouro check` answers for tools.

use ouro_evidence::{
    AttemptRecord, ChoiceSource, Claim, EndlessRunInput, Evidence, RunInput, Verdict,
    WraparoundBehaviour,
};

use crate::check_report::{
    AssumptionRecord, CheckReport, EngineAttempt, HeadRecord, InputRecord, LoopRecord,
    OtherViolation, OverflowRecord, RankingRecord, RecurrentSetRecord, StatesRecord, StepRecord,
    UndefinedRecord, ViolationRecord,
};
use crate::closed::{StatesAtHead, states_at_heads};
use crate::ctype::InputTypes;
use crate::finding::findings_of_report;
use crate::liveness::{OtherViolatingRun, other_violating_runs, violating_run};
use crate::schema::{CHECKED, ReportCommand, ReportVerdict, SCHEMA_VERSION, TOOL_VERSION, seconds};
use crate::system::{EdgeStep, NamedValue, RankingText, StatesAtLocation};
use crate::{LoopReport, VerdictReport, undefined};

/// What `ouro check` answers. `certificate` is the file that the certificate is written to.
pub fn check_report(report: &VerdictReport<'_>, certificate: Option<&str>) -> CheckReport {
    let recurrence = report.recurrence();
    let run = report.endless_run();
    let ranked = report.ranking_texts();
    let types = InputTypes::of_program(report.program());
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
            WraparoundBehaviour::Terminates => Some(true),
            WraparoundBehaviour::Loops(_) => None,
        }),
        endless_input: report.explanation.input.map(|input| input == EndlessRunInput::Endless),
        engine: report.engine.map(str::to_owned),
        seconds: seconds(report.elapsed),
        location: report.answer_place(),
        inputs: match (recurrence, &run) {
            (Some(recurrence), _) => {
                let cycle = recurrence.cycle_inputs;
                let inputs = recurrence.inputs.iter().enumerate();
                let inputs = inputs.filter(|(_, one)| is_of_program(one));
                inputs.map(|(i, one)| input_record(one, i >= cycle, &types)).collect()
            }
            (None, Some(run)) => run.initial.iter().map(initial_record).collect(),
            (None, None) => {
                let inputs: &[RunInput] = match report.verdict.evidence() {
                    Some(Evidence::Closed(set)) => &set.inputs,
                    Some(Evidence::Violation(violation)) => &violation.inputs,
                    _ => &[],
                };
                let inputs = inputs.iter().filter(|one| is_of_program(one));
                inputs.map(|one| input_record(one, false, &types)).collect()
            }
        },
        stem: run.as_ref().map(|run| run.stem.iter().map(step_record).collect()),
        recurrent_set: match (recurrence, &run) {
            (Some(recurrence), _) => Some(RecurrentSetRecord::State {
                variables: (report.explanation.variables.iter())
                    .map(|(name, value)| (name.clone(), value.clone()))
                    .collect(),
                recursion: recurrence.recursion,
            }),
            (None, Some(run)) => {
                Some(RecurrentSetRecord::States(run.states.iter().map(states_record).collect()))
            }
            (None, None) => report.closed_set().map(|set| {
                RecurrentSetRecord::Heads(
                    states_at_heads(set).into_iter().map(head_record).collect(),
                )
            }),
        },
        ranking: ranked.as_ref().map(|all| all.iter().map(ranking_record).collect()),
        violation: violating_run(report).map(|violated| ViolationRecord {
            obligation: violated.obligation.as_ref().map(|(name, _)| (*name).to_owned()),
            asked: violated.obligation.and_then(|(_, place)| place),
            promised: violated.promised.cloned(),
            fairness: violated.fairness.to_vec(),
            others: other_violating_runs(report).map(other_violation).collect(),
        }),
        certificate: report.verdict.evidence().map(|_| CHECKED.to_owned()),
        reason: match report.verdict {
            Verdict::Unknown(reason) => Some(reason.to_string()),
            _ => None,
        },
        loops: report.loops.iter().map(loop_record).collect(),
        assumptions: assumption_records(report, &types),
        attempts: report.explanation.attempts.iter().map(attempt_object).collect(),
        obligations: Vec::new(),
        findings: findings_of_report(report, certificate),
        notes: Vec::new(),
    }
}

fn attempt_object(one: &AttemptRecord) -> EngineAttempt {
    EngineAttempt {
        engine: one.engine.to_owned(),
        ints: one.ints,
        started: seconds(one.started),
        spent: seconds(one.spent),
        outcome: one.outcome.word().to_owned(),
        claim: one.outcome.claim().map(|claim| Claim::json_word(claim).to_owned()),
        reason: one.outcome.reason().map(str::to_owned),
    }
}

fn assumption_records(report: &VerdictReport<'_>, types: &InputTypes) -> Vec<AssumptionRecord> {
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
                .map(|one| input_record(one, false, types))
                .collect(),
            compilers: undefined::compiler_behaviour(&one.what).to_owned(),
            text: undefined::assumption_sentence(one, types),
        })));
    }
    all
}

/// Whether it is an input of the program, and no guess of the specification.
fn is_of_program(input: &RunInput) -> bool {
    input.source != ChoiceSource::Guess
}

fn other_violation(run: OtherViolatingRun<'_>) -> OtherViolation {
    let OtherViolatingRun { promised, place, ends } = run;
    let (promised, location) = (promised.cloned(), place.cloned());
    OtherViolation { promised, location, ends, certificate: CHECKED.to_owned() }
}

fn initial_record(value: &NamedValue) -> InputRecord {
    InputRecord {
        function: None,
        source: value.name.clone(),
        value: value.value.clone(),
        width: None,
        repeats: false,
        location: None,
    }
}

fn step_record(step: &EdgeStep) -> StepRecord {
    let choices = step.choices.iter().map(|value| (value.name.clone(), value.value.clone()));
    StepRecord {
        from: step.from.clone(),
        to: step.to.clone(),
        line: step.line,
        choices: choices.collect(),
    }
}

fn head_record(at: StatesAtHead) -> HeadRecord {
    let StatesAtHead { place, variables, set, choices } = at;
    HeadRecord { location: place, variables, set, choices }
}

fn ranking_record(place: &RankingText) -> RankingRecord {
    RankingRecord {
        location: place.location.clone(),
        line: place.line,
        invariant: place.invariant.clone(),
        ranking: place.ranking.clone(),
        measures: place.measures.clone(),
    }
}

fn loop_record(one: &LoopReport) -> LoopRecord {
    LoopRecord {
        location: one.place.clone(),
        status: one.fate.word().to_owned(),
        rankings: one.rankings.clone(),
        reason: one.reason.clone(),
    }
}

fn states_record(states: &StatesAtLocation) -> StatesRecord {
    let moves = states.moves.iter();
    StatesRecord {
        location: states.location.clone(),
        line: states.line,
        set: states.set.clone(),
        moves: moves.map(|way| way.iter().map(step_record).collect()).collect(),
    }
}

fn input_record(input: &RunInput, repeats: bool, types: &InputTypes) -> InputRecord {
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
        value: types.number_text(input),
        width: Some(input.width),
        repeats,
        location: Some(&input.place).filter(|place| place.is_known()).cloned(),
    }
}
