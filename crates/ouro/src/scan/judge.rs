//! Whether one loop ends, whatever happened before it.
//!
//! The loop is made a program of its own (`isolate`), a ranking is looked for, and the checker is asked. First
//! with nothing assumed, then with assumptions about memory that the finding names; first with the loops
//! inside, then with those taken to end, as their own findings say or do not say.

use std::time::{Duration, Instant};

use ouro_engine::Argument;
use ouro_engine::ranking::Effort;
use ouro_evidence::{Place, Verdict};
use ouro_isolate::{Alone, Effects, How, Made, Trust, alone};
use ouro_model::flow::{Flow, Loop};
use ouro_model::{FunctionId, Program, Terminator};
use ouro_report::loops;

use crate::pipeline;

/// What became of a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Fate {
    /// It ends each time it is entered.
    Ends {
        /// Why, in words.
        argument: String,
        assumed: Vec<String>,
        /// Whether the loops inside were not taken to end but are known to, when entered from here.
        with_inner: bool,
    },
    /// Why nothing is known.
    Unknown(String),
}

/// How many programs get more than an easy try.
const MOST_HARD: usize = 4;
/// What easy rankings may take, of each program. Mostly they are there at once, or it is soon known that there is
/// none.
const EASY: Duration = Duration::from_secs(2);

/// A loop of a function.
pub(super) struct Subject<'a> {
    pub(super) program: &'a Program,
    pub(super) effects: &'a Effects,
    pub(super) function: FunctionId,
    pub(super) flow: &'a Flow,
    pub(super) found: &'a Loop,
}

/// A program that can do what the loop can.
struct Try {
    program: Program,
    assumed: Vec<String>,
    /// Whether the loops inside were cut.
    cut: bool,
}

/// What is tried, with the fewest assumptions first. What is slim is quicker; what is not knows more.
fn tries(subject: &Subject<'_>) -> Vec<Try> {
    let mut tries: Vec<Try> = Vec::new();
    for trust in [Trust::Nothing, Trust::Writes, Trust::Calls] {
        for cuts in [false, true] {
            let how = How { cuts, trust };
            let Subject { program, effects, function, flow, found } = *subject;
            let Some(made) = alone(program, effects, function, flow, found, how) else { continue };
            let Alone { full, slim, cut } = made;
            for Made { program, assumed } in [slim, full] {
                if tries.iter().all(|known| known.program != program) {
                    tries.push(Try { program, assumed, cut });
                }
            }
        }
    }
    tries
}

/// Looks at a loop until the deadline.
pub(super) fn judge(subject: &Subject<'_>, memory_mib: u64, deadline: Instant) -> Fate {
    let tries = tries(subject);
    if let Some(limit) = tries.iter().find_map(|made| limit(&made.program)) {
        return Fate::Unknown(format!("it does something that Ouro does not cover: {limit}"));
    }
    for made in &tries {
        let now = Instant::now();
        let turn = now + EASY.min(deadline.saturating_duration_since(now) / 3);
        let argument = Argument::Ranking(Effort::Quick);
        if let Some(verdict) = pipeline::rank_loop(&made.program, memory_mib, argument, turn) {
            return ends(subject, made, &verdict);
        }
    }
    // What takes longer is tried where most is assumed: that is where it can help.
    let arguments = [Argument::Ranking(Effort::Thorough), Argument::Transition];
    let hard: Vec<&Try> = tries.iter().rev().take(MOST_HARD).collect();
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
    let mut assumed = made.assumed.clone();
    if made.cut {
        assumed.insert(0, "the loops inside it end".to_owned());
    }
    Fate::Ends { argument, assumed, with_inner: !made.cut }
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
