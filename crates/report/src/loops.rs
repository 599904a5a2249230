//! The loops of a program: where each is, whether it ends, and why that is known or not.
//!
//! That a loop *terminates* rests on the evidence of the whole program: if every run ends, so does
//! every loop. A loop *loops forever* if the evidence is a run that comes back to it forever. All
//! others are *unknown*, those of a program with another endless loop as well: evidence about one run
//! says nothing about the rest.

use std::collections::BTreeSet;

use num_bigint::BigInt;
use ouro_evidence::{
    Evidence, Explanation, PartwiseTermination, ProgramRanking, SourcePlace, Verdict,
};
use ouro_model::flow::{FunctionFlow, Loop};
use ouro_model::{Program, ProgramQuestion};

use crate::closed;

/// A loop of the program and what became of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopReport {
    /// Its head.
    pub place: SourcePlace,
    /// Whether it ends.
    pub fate: LoopFate,
    /// What gets smaller from iteration to iteration, in lexicographic order, the most important first; one
    /// list for each way to come to the loop that needs its own, none if no ranking was needed.
    pub rankings: Vec<Vec<String>>,
    /// Why, in words, the rankings among them.
    pub reason: String,
}

/// Whether a loop ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LoopFate {
    /// It does, in every run.
    Terminates,
    /// Some run comes back to it forever.
    Loops,
    /// Neither is known.
    Unknown,
}

impl LoopFate {
    /// The word of the JSON report.
    pub fn word(self) -> &'static str {
        match self {
            LoopFate::Terminates => "terminates",
            LoopFate::Loops => "loops",
            LoopFate::Unknown => "unknown",
        }
    }
}

/// Where the loops of the user's functions are, by place, each place once.
pub fn loop_places(program: &Program) -> Vec<SourcePlace> {
    let mut all = BTreeSet::new();
    for (id, function) in program.functions.enumerate() {
        if function.user {
            let flow = FunctionFlow::of_function(function);
            all.extend(
                flow.loops().iter().map(|found| SourcePlace::of_span(program, id, found.span)),
            );
        }
    }
    all.into_iter().collect()
}

/// What the verdict says about each of these loops; nothing, if liveness was asked for.
pub fn judge_loops(
    places: &[SourcePlace],
    program: Option<&Program>,
    verdict: &Verdict,
    explanation: &Explanation,
) -> Vec<LoopReport> {
    if program.is_some_and(|program| program.question == ProgramQuestion::Liveness) {
        // Whether a loop ends is not what was asked.
        return Vec::new();
    }
    let endless = match verdict.evidence() {
        Some(Evidence::Recurs(run)) if !run.recursion => {
            Some(enclosing_loop(places, program, &run.place))
        }
        Some(Evidence::Closed(set)) if !set.recursion => {
            set.heads.first().map(|head| enclosing_loop(places, program, &head.place))
        }
        _ => None,
    };
    let one = |place: &SourcePlace| {
        let mut rankings = Vec::new();
        let (fate, reason) = match verdict {
            Verdict::Terminates(Evidence::RankedProgram(ranking)) => {
                let reason;
                (rankings, reason) = ranking_in_words(ranking, program, place);
                (LoopFate::Terminates, reason)
            }
            Verdict::Terminates(Evidence::Partwise(proof)) => {
                let reason;
                (rankings, reason) = part_in_words(proof, program, place);
                (LoopFate::Terminates, reason)
            }
            Verdict::Holds(_) | Verdict::Violated(_) => {
                (LoopFate::Unknown, "termination was not the question".to_owned())
            }
            Verdict::Terminates(_) => {
                (LoopFate::Terminates, exploration_in_words(explanation, place))
            }
            Verdict::Loops(_) if endless.as_ref() == Some(place) => {
                (LoopFate::Loops, "some run stays in it forever".to_owned())
            }
            Verdict::Loops(evidence) => {
                (LoopFate::Unknown, reason_beside_endless_run(evidence, explanation, place))
            }
            Verdict::Unknown(reason) if reason.place() == Some(place) => {
                (LoopFate::Unknown, reason.describe_cause())
            }
            Verdict::Unknown(reason) => {
                (LoopFate::Unknown, format!("the whole program could not be proved: {reason}"))
            }
        };
        LoopReport { place: place.clone(), fate, rankings, reason }
    };
    places.iter().map(one).collect()
}

/// The loop that a place is the head of, or else the innermost one around it.
fn enclosing_loop(
    places: &[SourcePlace],
    program: Option<&Program>,
    at: &SourcePlace,
) -> SourcePlace {
    if places.contains(at) {
        return at.clone();
    }
    let mut inside: Vec<(usize, SourcePlace)> = Vec::new();
    for (id, function) in program.iter().flat_map(|program| program.functions.enumerate()) {
        if function.name != at.function {
            continue;
        }
        let place = |span| program.map(|program| SourcePlace::of_span(program, id, span));
        for found in FunctionFlow::of_function(function).loops() {
            let blocks = found.body.iter().map(|block| &function.blocks[*block]);
            let mut spans = blocks.flat_map(|block| block.statements.iter().map(|one| one.span));
            if spans.any(|span| place(span).as_ref() == Some(at)) {
                inside.extend(place(found.span).map(|head| (found.body.len(), head)));
            }
        }
    }
    inside.into_iter().min().map_or_else(|| at.clone(), |(_, head)| head)
}

/// What gets smaller in a loop by the part that is about it, and that in words. A loop inside may have none of its own.
fn part_in_words(
    proof: &PartwiseTermination,
    program: Option<&Program>,
    place: &SourcePlace,
) -> (Vec<Vec<String>>, String) {
    let said: Vec<(Vec<Vec<String>>, String)> = (proof.parts.iter())
        .filter(|part| part.ranking.heads.iter().any(|head| head.place == *place))
        .map(|part| ranking_in_words(&part.ranking, None, place))
        .collect();
    if let Some(own) = said.into_iter().next() {
        return own;
    }
    let own = proof.parts.iter().find(|part| part.place == *place);
    match own {
        Some(part) => ranking_in_words(&part.ranking, program, place),
        None => (Vec::new(), "its part of the proof is that of a loop around it".to_owned()),
    }
}

/// The rankings of the heads at a place, without what is the same in every iteration.
fn rankings_at(ranking: &ProgramRanking, place: &SourcePlace) -> Vec<Vec<String>> {
    let mut all: Vec<Vec<String>> = Vec::new();
    let words = closed::rankings_at_heads(ranking);
    for (_, head) in ranking.heads.iter().zip(words).filter(|(head, _)| head.place == *place) {
        let mut elements: Vec<String> = Vec::new();
        for element in head.ranking {
            if element.parse::<BigInt>().is_err() && !elements.contains(&element) {
                elements.push(element);
            }
        }
        if !elements.is_empty() && !all.contains(&elements) {
            all.push(elements);
        }
    }
    all
}

/// What gets smaller in a loop, and that in words. Not every loop has a head of its own in the
/// evidence: an outer one is ranked where its iterations pass the inner one.
fn ranking_in_words(
    ranking: &ProgramRanking,
    program: Option<&Program>,
    place: &SourcePlace,
) -> (Vec<Vec<String>>, String) {
    let is_head = |place: &SourcePlace| ranking.heads.iter().any(|head| head.place == *place);
    if let Some((measures, there)) = transition_invariant_in_words(ranking, place) {
        let reason = match there == *place {
            true => format!("{measures} gets smaller between any two iterations"),
            false => format!("{measures} gets smaller between any two visits to {there}"),
        };
        return (Vec::new(), reason);
    }
    if is_head(place) {
        let rankings = rankings_at(ranking, place);
        let reason = match rankings.as_slice() {
            [] => "it runs at most once".to_owned(),
            some => format!("{} gets smaller with every iteration", list_rankings(some)),
        };
        return (rankings, reason);
    }
    for inner in program.iter().flat_map(|program| inner_loops(program, place)) {
        if let Some((measures, there)) = transition_invariant_in_words(ranking, &inner) {
            let reason = format!("{measures} gets smaller between any two visits to {there}");
            return (Vec::new(), reason);
        }
        let rankings = rankings_at(ranking, &inner);
        if !rankings.is_empty() {
            let what = list_rankings(&rankings);
            let reason = format!("{what} gets smaller from each visit to {inner} to the next");
            return (rankings, reason);
        }
    }
    (
        Vec::new(),
        "every run terminates, and this loop needs no ranking function of its \
         own"
        .to_owned(),
    )
}

/// What is said about a loop by snapshots, and where, if they say something about it. Where they say nothing, the
/// ranking gets smaller with every iteration as ever: each iteration that left it as it is would be theirs.
fn transition_invariant_in_words(
    ranking: &ProgramRanking,
    place: &SourcePlace,
) -> Option<(String, SourcePlace)> {
    let heads = closed::rankings_at_heads(ranking);
    let at = |number: u32| ranking.heads.get(number as usize).map(|head| &head.place);
    // One of its own says most.
    let mut about = ranking
        .snapshots
        .iter()
        .filter(|one| one.relations.iter().any(|relation| at(relation.place) == Some(place)));
    let own = ranking.snapshots.iter().find(|one| at(one.place) == Some(place));
    let snapshot = own.or_else(|| about.next())?;
    let measures = heads.get(snapshot.place as usize)?.measures.join(" or ");
    Some((measures, at(snapshot.place)?.clone()))
}

fn list_rankings(rankings: &[Vec<String>]) -> String {
    let tuple = |ranking: &Vec<String>| match ranking.as_slice() {
        [only] => only.clone(),
        some => format!("({})", some.join(", ")),
    };
    rankings.iter().map(tuple).collect::<Vec<String>>().join(" or ")
}

/// The loops inside the one at a place.
fn inner_loops(program: &Program, place: &SourcePlace) -> BTreeSet<SourcePlace> {
    let mut all = BTreeSet::new();
    for (id, function) in program.functions.enumerate() {
        let flow = FunctionFlow::of_function(function);
        let at = |found: &Loop| SourcePlace::of_span(program, id, found.span);
        for outer in flow.loops().iter().filter(|found| at(found) == *place) {
            let inner = flow.loops().iter().filter(|found| outer.body.contains(&found.head));
            all.extend(inner.map(at).filter(|inner| inner != place));
        }
    }
    all
}

/// What the engine that followed every path says about a loop.
fn exploration_in_words(explanation: &Explanation, place: &SourcePlace) -> String {
    let mut words = explanation.loops.iter().filter(|one| one.place == *place);
    let first = words.next().map(|one| one.status.as_str());
    match (first, words.next()) {
        (Some(only), None) => only.to_owned(),
        _ => "every path leaves it".to_owned(),
    }
}

/// About a loop of a program that loops forever elsewhere.
fn reason_beside_endless_run(
    evidence: &Evidence,
    explanation: &Explanation,
    place: &SourcePlace,
) -> String {
    let passed = match evidence {
        Evidence::Closed(set) => set.heads.iter().any(|head| head.place == *place),
        _ => explanation.cycle.contains(place),
    };
    let what = if passed {
        "the endless run passes through it again and again"
    } else {
        "the endless run is elsewhere"
    };
    what.to_owned()
}
