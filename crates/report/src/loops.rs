//! The loops of a program: where each is, whether it ends, and why that is known or not.
//!
//! That a loop *terminates* rests on the evidence of the whole program: if every run ends, so does
//! every loop. A loop *runs forever* if the evidence is a run that comes back to it forever. All
//! others are *open*, those of a program with another endless loop as well: evidence about one run
//! says nothing about the rest.

use std::collections::BTreeSet;

use num_bigint::BigInt;
use ouro_evidence::{Evidence, Explanation, Place, ProgramRanking, Verdict};
use ouro_model::flow::{Flow, Loop};
use ouro_model::{Program, Question};

use crate::closed;

/// A loop of the program and what became of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopReport {
    /// Its head.
    pub place: Place,
    /// Whether it ends.
    pub fate: Fate,
    /// What gets smaller from turn to turn, in lexicographic order, the most important first; one
    /// list for each way to come to the loop that needs its own, none if no ranking was needed.
    pub rankings: Vec<Vec<String>>,
    /// Why, in words, the rankings among them.
    pub reason: String,
}

/// Whether a loop ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// It does, in every run.
    Terminates,
    /// Some run comes back to it forever.
    Loops,
    /// Neither is known.
    Open,
}

impl Fate {
    /// The word of the JSON report.
    pub fn word(self) -> &'static str {
        match self {
            Fate::Terminates => "terminates",
            Fate::Loops => "loops",
            Fate::Open => "open",
        }
    }
}

/// Where the loops of the user's functions are, by place, each place once.
pub fn places(program: &Program) -> Vec<Place> {
    let mut all = BTreeSet::new();
    for (id, function) in program.functions.enumerate() {
        if function.user {
            let flow = Flow::of(function);
            all.extend(flow.loops().iter().map(|found| Place::of(program, id, found.span)));
        }
    }
    all.into_iter().collect()
}

/// What the verdict says about each of these loops; nothing, if liveness was asked for.
pub fn judged(
    places: &[Place],
    program: Option<&Program>,
    verdict: &Verdict,
    explanation: &Explanation,
) -> Vec<LoopReport> {
    if program.is_some_and(|program| program.question == Question::Liveness) {
        // Whether a loop ends is not what was asked.
        return Vec::new();
    }
    let endless = match verdict.evidence() {
        Some(Evidence::Recurs(run)) if !run.recursion => Some(around(places, program, &run.place)),
        Some(Evidence::Closed(set)) if !set.recursion => {
            set.heads.first().map(|head| around(places, program, &head.place))
        }
        _ => None,
    };
    let one = |place: &Place| {
        let mut rankings = Vec::new();
        let (fate, reason) = match verdict {
            Verdict::Terminates(Evidence::RankedProgram(ranking)) => {
                let reason;
                (rankings, reason) = ranked(ranking, program, place);
                (Fate::Terminates, reason)
            }
            Verdict::Holds(_) | Verdict::Violated(_) => {
                (Fate::Open, "whether it ends was not asked".to_owned())
            }
            Verdict::Terminates(_) => (Fate::Terminates, followed(explanation, place)),
            Verdict::Loops(_) if endless.as_ref() == Some(place) => {
                (Fate::Loops, "some run comes back to it forever".to_owned())
            }
            Verdict::Loops(evidence) => (Fate::Open, beside(evidence, explanation, place)),
            Verdict::Unknown(reason) if reason.place() == Some(place) => {
                (Fate::Open, reason.what())
            }
            Verdict::Unknown(reason) => {
                (Fate::Open, format!("no proof for the whole program: {reason}"))
            }
        };
        LoopReport { place: place.clone(), fate, rankings, reason }
    };
    places.iter().map(one).collect()
}

/// The loop that a place is the head of, or else the innermost one around it.
fn around(places: &[Place], program: Option<&Program>, at: &Place) -> Place {
    if places.contains(at) {
        return at.clone();
    }
    let mut inside: Vec<(usize, Place)> = Vec::new();
    for (id, function) in program.iter().flat_map(|program| program.functions.enumerate()) {
        if function.name != at.function {
            continue;
        }
        let place = |span| program.map(|program| Place::of(program, id, span));
        for found in Flow::of(function).loops() {
            let blocks = found.body.iter().map(|block| &function.blocks[*block]);
            let mut spans = blocks.flat_map(|block| block.statements.iter().map(|one| one.span));
            if spans.any(|span| place(span).as_ref() == Some(at)) {
                inside.extend(place(found.span).map(|head| (found.body.len(), head)));
            }
        }
    }
    inside.into_iter().min().map_or_else(|| at.clone(), |(_, head)| head)
}

/// The rankings of the heads at a place, without what is the same in every turn.
fn rankings_at(ranking: &ProgramRanking, place: &Place) -> Vec<Vec<String>> {
    let mut all: Vec<Vec<String>> = Vec::new();
    let words = closed::ranked(ranking);
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
/// evidence: an outer one is ranked where its turns pass the inner one.
fn ranked(
    ranking: &ProgramRanking,
    program: Option<&Program>,
    place: &Place,
) -> (Vec<Vec<String>>, String) {
    let is_head = |place: &Place| ranking.heads.iter().any(|head| head.place == *place);
    if let Some((measures, there)) = related(ranking, place) {
        let reason = match there == *place {
            true => format!("{measures} gets smaller between any two turns"),
            false => format!("{measures} gets smaller between any two times at {there}"),
        };
        return (Vec::new(), reason);
    }
    if is_head(place) {
        let rankings = rankings_at(ranking, place);
        let reason = match rankings.as_slice() {
            [] => "passed at most once".to_owned(),
            some => format!("{} gets smaller with every turn", listed(some)),
        };
        return (rankings, reason);
    }
    for inner in program.iter().flat_map(|program| inside(program, place)) {
        if let Some((measures, there)) = related(ranking, &inner) {
            let reason = format!("{measures} gets smaller between any two times at {there}");
            return (Vec::new(), reason);
        }
        let rankings = rankings_at(ranking, &inner);
        if !rankings.is_empty() {
            let what = listed(&rankings);
            let reason = format!("{what} gets smaller from one time at {inner} to the next");
            return (rankings, reason);
        }
    }
    (Vec::new(), "every run ends, and it needs no ranking of its own".to_owned())
}

/// What is said about a loop by snapshots, and where, if they say something about it. Where they say nothing, the
/// ranking gets smaller with every turn as ever: each turn that left it as it is would be theirs.
fn related(ranking: &ProgramRanking, place: &Place) -> Option<(String, Place)> {
    let heads = closed::ranked(ranking);
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

fn listed(rankings: &[Vec<String>]) -> String {
    let tuple = |ranking: &Vec<String>| match ranking.as_slice() {
        [only] => only.clone(),
        some => format!("({})", some.join(", ")),
    };
    rankings.iter().map(tuple).collect::<Vec<String>>().join(" or ")
}

/// The loops inside the one at a place.
fn inside(program: &Program, place: &Place) -> BTreeSet<Place> {
    let mut all = BTreeSet::new();
    for (id, function) in program.functions.enumerate() {
        let flow = Flow::of(function);
        let at = |found: &Loop| Place::of(program, id, found.span);
        for outer in flow.loops().iter().filter(|found| at(found) == *place) {
            let inner = flow.loops().iter().filter(|found| outer.body.contains(&found.head));
            all.extend(inner.map(at).filter(|inner| inner != place));
        }
    }
    all
}

/// What the engine that followed every path says about a loop.
fn followed(explanation: &Explanation, place: &Place) -> String {
    let mut words = explanation.loops.iter().filter(|one| one.place == *place);
    let first = words.next().map(|one| one.status.as_str());
    match (first, words.next()) {
        (Some(only), None) => only.to_owned(),
        _ => "left on every path".to_owned(),
    }
}

/// About a loop of a program that runs forever elsewhere.
fn beside(evidence: &Evidence, explanation: &Explanation, place: &Place) -> String {
    let passed = match evidence {
        Evidence::Closed(set) => set.heads.iter().any(|head| head.place == *place),
        _ => explanation.cycle.contains(place),
    };
    let what = if passed {
        "the run that never ends passes it again and again"
    } else {
        "the run that never ends is elsewhere"
    };
    what.to_owned()
}
