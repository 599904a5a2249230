//! Whether one loop ends, whatever happened before it.
//!
//! The loop is made a program of its own (`isolate`), a ranking is looked for, and the checker is asked. First
//! with nothing assumed, then with assumptions about memory that the finding names; first with the loops
//! inside, then with those taken to end, as their own findings say or do not say.

use std::time::Instant;

use ouro_engine::Argument;
use ouro_engine::ranking::Effort;
use ouro_evidence::{Place, Verdict};
use ouro_isolate::{Alone, Effects, How, Made, Named, alone};
use ouro_model::flow::{Flow, Loop};
use ouro_model::{FunctionId, Program, Terminator};
use ouro_report::{Sources, loops};

use super::certificate::{Part, Proof, Trusted};
use super::words;
use crate::pipeline;

/// What became of a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Fate {
    /// It ends each time it is entered.
    Ends {
        /// Why, in words.
        argument: String,
        /// Why, for the checker.
        proof: Box<Proof>,
        /// Whether the loops inside were not taken to end but are known to, when entered from here.
        with_inner: bool,
    },
    /// Why nothing is known.
    Unknown(String),
}

/// How many programs get more than an easy try.
const MOST_HARD: usize = 4;
/// What easy rankings may take of the time, of each program. Mostly they are there at once, or it is soon known
/// that there is none.
const EASY: u32 = 5;

/// A loop of a function.
pub(super) struct Subject<'a> {
    pub(super) program: &'a Program,
    pub(super) effects: &'a Effects,
    pub(super) function: FunctionId,
    pub(super) flow: &'a Flow,
    pub(super) found: &'a Loop,
    /// The texts of the program's files.
    pub(super) sources: &'a Sources,
}

/// A program that can do what the loop can.
struct Try {
    program: Program,
    assumed: Vec<String>,
    /// How it was made.
    trust: Trusted,
    part: Part,
    /// Whether loops inside were cut.
    cut: bool,
    names: Vec<Named>,
}

/// The programs of a loop for one way to make them: what is small, and what is full, which knows more but mostly takes
/// long.
fn tries(subject: &Subject<'_>, trust: Trusted, cuts: bool) -> Option<(Vec<Try>, Try)> {
    let how = How { cuts, trust: trust.trust() };
    let Subject { program, effects, function, flow, found, .. } = *subject;
    let Alone { full, slim, sights, cut, names } =
        alone(program, effects, function, flow, found, how)?;
    let a_try = |Made { program, assumed }, part| {
        let names = names.clone();
        Try { program, assumed, trust, part, cut, names }
    };
    let sights = sights.into_iter().enumerate();
    let sights = sights.map(|(number, made)| a_try(made, Part::Sight(number)));
    let small = sights.chain([a_try(slim, Part::Slim)]).collect();
    Some((small, a_try(full, Part::Full)))
}

/// Looks at a loop until the deadline, with the fewest assumptions first.
pub(super) fn judge(subject: &Subject<'_>, memory_mib: u64, deadline: Instant) -> Fate {
    let start = Instant::now();
    let time = deadline.saturating_duration_since(start);
    let easily = |made: &Try| {
        let now = Instant::now();
        let left = (start + time / 3 * 2).saturating_duration_since(now);
        let turn = now + (time / EASY).min(left / 2);
        let argument = Argument::Ranking(Effort::Quick);
        let verdict = pipeline::rank_loop(&made.program, memory_mib, argument, turn)?;
        Some(ends(subject, made, &verdict))
    };
    let mut tried: Vec<Try> = Vec::new();
    let mut fulls: Vec<Try> = Vec::new();
    for trust in Trusted::ALL {
        let mut here: Vec<Try> = Vec::new();
        for cuts in [false, true] {
            if Instant::now() >= deadline {
                continue;
            }
            let Some((small, full)) = tries(subject, trust, cuts) else { continue };
            if let Some(limit) = limit(&full.program) {
                return Fate::Unknown(format!(
                    "it does something that Ouro does not cover: {limit}"
                ));
            }
            here.extend(small);
            if fulls.iter().all(|known| known.program != full.program) {
                fulls.push(full);
            }
        }
        // Sights are quicker.
        here.sort_by_key(|one| one.part == Part::Slim);
        for made in here {
            if tried.iter().any(|known| known.program == made.program) {
                continue;
            }
            if let Some(fate) = easily(&made) {
                return fate;
            }
            tried.push(made);
        }
    }
    if let Some(fate) = fulls.iter().find_map(easily) {
        return fate;
    }
    // What takes longer is tried where most is assumed: that is where it can help.
    let arguments = [Argument::Ranking(Effort::Thorough), Argument::Transition];
    let hard: Vec<&Try> = tried.iter().rev().take(MOST_HARD).collect();
    let mut waiting = u32::try_from(hard.len() * arguments.len()).unwrap_or(1);
    for argument in arguments {
        for made in &hard {
            let now = Instant::now();
            let turn = now + deadline.saturating_duration_since(now) / waiting.max(1);
            waiting -= 1;
            if let Some(verdict) = pipeline::rank_loop(&made.program, memory_mib, argument, turn) {
                return ends(subject, made, &verdict);
            }
        }
    }
    Fate::Unknown(match is_endless(subject) {
        true => {
            "no jump leads out of it: once entered it ends only if a call in it does not return"
                .to_owned()
        }
        false => "no reason was found why it ends, whatever happened before it".to_owned(),
    })
}

fn ends(subject: &Subject<'_>, made: &Try, verdict: &Verdict) -> Fate {
    let place = Place::of(&made.program, made.program.entry, subject.found.span);
    let judged = loops::judged(
        std::slice::from_ref(&place),
        Some(&made.program),
        verdict,
        &ouro_evidence::Explanation::default(),
    );
    let argument = judged.first().map_or_else(String::new, |one| one.reason.clone());
    let expressions = words::expressions(&made.names, subject.program, subject.sources);
    let argument = words::spoken(&argument, &expressions);
    let Some(evidence) = verdict.evidence().cloned() else {
        return Fate::Unknown("no reason was found why it ends".to_owned());
    };
    let proof = Proof {
        cuts: made.cut,
        trust: made.trust,
        part: made.part,
        assumed: made.assumed.clone(),
        evidence,
    };
    Fate::Ends { argument, proof: Box::new(proof), with_inner: !made.cut }
}

/// What the model does not cover.
fn limit(program: &Program) -> Option<&str> {
    let blocks = program.functions[program.entry].blocks.iter();
    blocks.into_iter().find_map(|block| match &block.terminator {
        Terminator::Limit(what) => Some(what.as_str()),
        _ => None,
    })
}

/// Whether no jump leads out of the loop.
fn is_endless(subject: &Subject<'_>) -> bool {
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
