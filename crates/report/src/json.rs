//! The report for tools: one object. The names are a promise to scripts; fields that do not apply
//! are `null` or empty, so that each is always there.

use std::collections::BTreeMap;
use std::time::Duration;

use ouro_evidence::{
    AttemptRecord, ChoiceSource, Claim, EndlessRunInput, Evidence, RunInput, SourcePlace, Verdict,
    WraparoundBehaviour,
};
use serde::Serialize;

use crate::closed::{StatesAtHead, states_at_heads};
use crate::ctype::InputTypes;
use crate::liveness::{OtherViolatingRun, other_violating_runs, violating_run};
use crate::system::{EdgeStep, NamedValue, RankingText, StatesAtLocation};
use crate::{LoopReport, VerdictReport, undefined};

#[derive(Serialize)]
struct ReportObject<'a> {
    verdict: &'static str,
    after_overflow: Option<OverflowObject<'a>>,
    wraps_too: Option<bool>,
    endless_input: Option<bool>,
    engine: Option<&'a str>,
    seconds: f64,
    location: Option<SourcePlace>,
    inputs: Vec<InputObject<'a>>,
    stem: Option<Vec<StepObject<'a>>>,
    recurrent_set: Option<RecurrentSetObject<'a>>,
    ranking: Option<Vec<RankedObject<'a>>>,
    violation: Option<ViolationObject<'a>>,
    certificate: Option<&'static str>,
    reason: Option<String>,
    loops: Vec<LoopObject<'a>>,
    assumptions: Vec<AssumptionObject<'a>>,
    attempts: Vec<AttemptObject<'a>>,
}

/// One slice of time of one engine.
#[derive(Serialize)]
struct AttemptObject<'a> {
    engine: &'static str,
    /// How integers behaved.
    ints: &'static str,
    /// The processor time, in seconds, that engines had used before.
    started: f64,
    /// The processor time, in seconds, that it took.
    spent: f64,
    /// `accepted`, `refused`, `unchecked`, `gave up`, `out of time` or `cancelled`.
    outcome: &'static str,
    /// What it claimed; `null` if nothing.
    claim: Option<&'static str>,
    reason: Option<&'a str>,
}

/// Something that had to be assumed.
#[derive(Serialize)]
#[serde(untagged)]
enum AssumptionObject<'a> {
    /// A sentence.
    Text(String),
    /// That runs do nothing undefined at a place.
    Undefined(UndefinedObject<'a>),
}

/// Undefined behaviour that is taken to end a run.
#[derive(Serialize)]
struct UndefinedObject<'a> {
    kind: &'static str,
    file: &'a str,
    line: u32,
    what: &'a str,
    /// Whether a run from the start of the program was found that does it; else it may happen.
    happens: bool,
    /// The loop head from which the run is followed; `null` for the start of the program.
    head: Option<&'a SourcePlace>,
    /// The user's variables at that head.
    variables: BTreeMap<&'a str, &'a str>,
    /// What the environment chooses from there on.
    inputs: Vec<InputObject<'a>>,
    /// What compilers really do there.
    compilers: &'static str,
    /// All of that in words.
    text: String,
}

/// The overflow after which the run that never ends goes on.
#[derive(Serialize)]
struct OverflowObject<'a> {
    /// What is undefined by C's rules.
    what: &'a str,
    /// Where; several, if nobody knows which comes first.
    locations: &'a [SourcePlace],
    /// After how many steps of the machine; `null` if the run was not followed so far.
    steps: Option<u64>,
}

/// How a specification is violated.
#[derive(Serialize)]
struct ViolationObject<'a> {
    /// `null` if the run never ends.
    obligation: Option<&'a str>,
    /// Where the specification asks for it.
    asked: Option<SourcePlace>,
    /// Where the promise was made that is never kept.
    promised: Option<&'a SourcePlace>,
    /// Why fairness does not exclude the run.
    fairness: &'a [String],
    /// The other call sites from which the specification is violated, each once.
    others: Vec<OtherObject<'a>>,
}

/// Another run that violates the specification.
#[derive(Serialize)]
struct OtherObject<'a> {
    /// Where the promise was made that is never kept.
    promised: Option<&'a SourcePlace>,
    /// Where the run goes round, or breaks the obligation.
    location: Option<&'a SourcePlace>,
    /// Whether the run ends.
    ends: bool,
    certificate: &'static str,
}

#[derive(Serialize)]
struct InputObject<'a> {
    /// `null` unless it is a function's result.
    function: Option<&'a str>,
    /// The function's name, or what it is in words.
    source: &'a str,
    /// Decimal, as text: it may have 128 bits, or more.
    value: String,
    /// `null` for integers without bounds.
    width: Option<u32>,
    /// Whether it is the same in every turn of the cycle.
    repeats: bool,
    location: Option<&'a SourcePlace>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum RecurrentSetObject<'a> {
    /// A state that comes back, as far as the user's variables show it.
    State { variables: BTreeMap<&'a str, &'a str>, recursion: bool },
    /// The states of a transition system that a run stays in, location by location.
    States(Vec<StatesObject<'a>>),
    /// The states of a program that a run stays in, loop head by loop head.
    Heads(Vec<HeadObject>),
}

#[derive(Serialize)]
struct HeadObject {
    location: SourcePlace,
    /// What may differ from time to time.
    variables: Vec<String>,
    set: String,
    /// What the next inputs are, over the variables.
    choices: Vec<String>,
}

#[derive(Serialize)]
struct StatesObject<'a> {
    location: &'a str,
    line: u32,
    set: &'a str,
    moves: Vec<Vec<StepObject<'a>>>,
}

#[derive(Serialize)]
struct StepObject<'a> {
    from: &'a str,
    to: &'a str,
    line: u32,
    choices: BTreeMap<&'a str, &'a str>,
}

#[derive(Serialize)]
struct RankedObject<'a> {
    location: &'a str,
    line: u32,
    invariant: &'a str,
    /// Lexicographic: the most important first.
    ranking: &'a [String],
    /// Of these, one is smaller whenever the run is here again.
    measures: &'a [String],
}

#[derive(Serialize)]
struct LoopObject<'a> {
    location: &'a SourcePlace,
    status: &'static str,
    /// Each is lexicographic: the most important first.
    rankings: &'a [Vec<String>],
    reason: &'a str,
}

/// The report as one JSON object on one line, with a line break at its end.
pub fn report_json(report: &VerdictReport<'_>) -> String {
    let recurrence = report.recurrence();
    let run = report.endless_run();
    let ranked = report.ranking_texts();
    let types = InputTypes::of_program(report.program());
    let object = ReportObject {
        verdict: report.verdict.json_word(),
        after_overflow: report.after_overflow().map(|overflow| OverflowObject {
            what: &overflow.what,
            locations: &overflow.places,
            steps: overflow.steps,
        }),
        wraps_too: report.explanation.wrapping.as_ref().and_then(|wrapping| match wrapping {
            WraparoundBehaviour::Terminates => Some(true),
            WraparoundBehaviour::Loops(_) => None,
        }),
        endless_input: report.explanation.input.map(|input| input == EndlessRunInput::Endless),
        engine: report.engine,
        // Microseconds are more than anyone measures, and read better than 17 digits.
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
            (Some(recurrence), _) => Some(RecurrentSetObject::State {
                variables: (report.explanation.variables.iter())
                    .map(|(name, value)| (name.as_str(), value.as_str()))
                    .collect(),
                recursion: recurrence.recursion,
            }),
            (None, Some(run)) => {
                Some(RecurrentSetObject::States(run.states.iter().map(states_record).collect()))
            }
            (None, None) => report.closed_set().map(|set| {
                RecurrentSetObject::Heads(
                    states_at_heads(set).into_iter().map(head_record).collect(),
                )
            }),
        },
        ranking: ranked.as_ref().map(|all| all.iter().map(ranking_record).collect()),
        violation: violating_run(report).map(|violated| ViolationObject {
            obligation: violated.obligation.as_ref().map(|(name, _)| *name),
            asked: violated.obligation.and_then(|(_, place)| place),
            promised: violated.promised,
            fairness: violated.fairness,
            others: other_violating_runs(report).map(other_violation).collect(),
        }),
        certificate: report.verdict.evidence().map(|_| "checked"),
        reason: match report.verdict {
            Verdict::Unknown(reason) => Some(reason.to_string()),
            _ => None,
        },
        loops: report.loops.iter().map(loop_record).collect(),
        assumptions: assumption_records(report, &types),
        attempts: report.explanation.attempts.iter().map(attempt).collect(),
    };
    let mut text = serde_json::to_string(&object).expect("no map has keys but strings");
    text.push('\n');
    text
}

fn seconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e6
}

fn attempt(one: &AttemptRecord) -> AttemptObject<'_> {
    AttemptObject {
        engine: one.engine,
        ints: one.ints.name(),
        started: seconds(one.started),
        spent: seconds(one.spent),
        outcome: one.outcome.word(),
        claim: one.outcome.claim().map(Claim::json_word),
        reason: one.outcome.reason(),
    }
}

fn assumption_records<'a>(
    report: &VerdictReport<'a>,
    types: &InputTypes,
) -> Vec<AssumptionObject<'a>> {
    let mut all: Vec<AssumptionObject<'a>> =
        report.assumed_of_the_world().into_iter().map(AssumptionObject::Text).collect();
    for one in &report.explanation.undefined {
        let run = one.run.as_ref();
        all.push(AssumptionObject::Undefined(UndefinedObject {
            kind: "undefined",
            file: &one.place.file,
            line: one.place.line,
            what: &one.what,
            happens: run.is_some_and(|run| run.head.is_none()),
            head: run.and_then(|run| run.head.as_ref()),
            variables: (run.iter().flat_map(|run| &run.variables))
                .map(|(name, value)| (name.as_str(), value.as_str()))
                .collect(),
            inputs: (run.iter().flat_map(|run| &run.inputs))
                .map(|one| input_record(one, false, types))
                .collect(),
            compilers: undefined::compiler_behaviour(&one.what),
            text: undefined::assumption_sentence(one, types),
        }));
    }
    all
}

/// Whether it is an input of the program, and no guess of the specification.
fn is_of_program(input: &RunInput) -> bool {
    input.source != ChoiceSource::Guess
}

fn other_violation(run: OtherViolatingRun<'_>) -> OtherObject<'_> {
    let OtherViolatingRun { promised, place, ends } = run;
    OtherObject { promised, location: place, ends, certificate: "checked" }
}

fn initial_record(value: &NamedValue) -> InputObject<'_> {
    InputObject {
        function: None,
        source: &value.name,
        value: value.value.clone(),
        width: None,
        repeats: false,
        location: None,
    }
}

fn step_record(step: &EdgeStep) -> StepObject<'_> {
    let choices = step.choices.iter().map(|value| (value.name.as_str(), value.value.as_str()));
    StepObject { from: &step.from, to: &step.to, line: step.line, choices: choices.collect() }
}

fn head_record(at: StatesAtHead) -> HeadObject {
    let StatesAtHead { place, variables, set, choices } = at;
    HeadObject { location: place, variables, set, choices }
}

fn ranking_record(place: &RankingText) -> RankedObject<'_> {
    RankedObject {
        location: &place.location,
        line: place.line,
        invariant: &place.invariant,
        ranking: &place.ranking,
        measures: &place.measures,
    }
}

fn loop_record(one: &LoopReport) -> LoopObject<'_> {
    LoopObject {
        location: &one.place,
        status: one.fate.word(),
        rankings: &one.rankings,
        reason: &one.reason,
    }
}

fn states_record(states: &StatesAtLocation) -> StatesObject<'_> {
    let moves = states.moves.iter();
    StatesObject {
        location: &states.location,
        line: states.line,
        set: &states.set,
        moves: moves.map(|way| way.iter().map(step_record).collect()).collect(),
    }
}

fn input_record<'a>(input: &'a RunInput, repeats: bool, types: &InputTypes) -> InputObject<'a> {
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
    InputObject {
        function,
        source,
        value: types.number_text(input),
        width: Some(input.width),
        repeats,
        location: Some(&input.place).filter(|place| place.is_known()),
    }
}
