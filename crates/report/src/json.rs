//! The report for tools: one object. The names are a promise to scripts; fields that do not apply
//! are `null` or empty, so that each is always there.

use std::collections::BTreeMap;

use ouro_evidence::{ChoiceSource, Input, Place, Verdict};
use serde::Serialize;

use crate::Report;
use crate::ctype::Types;

#[derive(Serialize)]
struct Object<'a> {
    verdict: &'static str,
    engine: Option<&'a str>,
    seconds: f64,
    location: Option<&'a Place>,
    inputs: Vec<InputObject<'a>>,
    recurrent_set: Option<RecurrentSet<'a>>,
    ranking: Option<()>,
    certificate: Option<&'static str>,
    reason: Option<String>,
    loops: Vec<LoopObject<'a>>,
    assumptions: Vec<String>,
}

#[derive(Serialize)]
struct InputObject<'a> {
    /// `null` unless it is a function's result.
    function: Option<&'a str>,
    /// The function's name, or what it is in words.
    source: &'a str,
    /// Decimal, as text: it may have 128 bits.
    value: String,
    width: u32,
    /// Whether it is the same in every turn of the cycle.
    repeats: bool,
    location: Option<&'a Place>,
}

/// A state that comes back, as far as the user's variables show it.
#[derive(Serialize)]
struct RecurrentSet<'a> {
    variables: BTreeMap<&'a str, &'a str>,
    recursion: bool,
}

#[derive(Serialize)]
struct LoopObject<'a> {
    location: &'a Place,
    status: &'a str,
}

/// The report as one JSON object on one line, with a line break at its end.
pub fn json(report: &Report<'_>) -> String {
    let recurrence = report.recurrence();
    let types = Types::of(report.program());
    let object = Object {
        verdict: report.verdict.word(),
        engine: report.engine,
        // Microseconds are more than anyone measures, and read better than 17 digits.
        seconds: (report.elapsed.as_secs_f64() * 1e6).round() / 1e6,
        location: report.place(),
        inputs: recurrence.map_or(Vec::new(), |recurrence| {
            let cycle = recurrence.cycle_inputs;
            recurrence
                .inputs
                .iter()
                .enumerate()
                .map(|(i, one)| input(one, i >= cycle, &types))
                .collect()
        }),
        recurrent_set: recurrence.map(|recurrence| RecurrentSet {
            variables: (report.explanation.variables.iter())
                .map(|(name, value)| (name.as_str(), value.as_str()))
                .collect(),
            recursion: recurrence.recursion,
        }),
        ranking: None,
        certificate: report.verdict.evidence().map(|_| "checked"),
        reason: match report.verdict {
            Verdict::Unknown(reason) => Some(reason.to_string()),
            _ => None,
        },
        loops: (report.explanation.loops.iter())
            .map(|one| LoopObject { location: &one.place, status: &one.status })
            .collect(),
        assumptions: report.assumptions(),
    };
    let mut text = serde_json::to_string(&object).expect("no map has keys but strings");
    text.push('\n');
    text
}

fn input<'a>(input: &'a Input, repeats: bool, types: &Types) -> InputObject<'a> {
    let (function, source) = match &input.source {
        ChoiceSource::Function(name) => (Some(name.as_str()), name),
        ChoiceSource::Other(what) => (None, what),
    };
    InputObject {
        function,
        source,
        value: types.number(input),
        width: input.width,
        repeats,
        location: Some(&input.place).filter(|place| place.is_known()),
    }
}
