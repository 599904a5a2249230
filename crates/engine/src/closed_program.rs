//! Programs that run forever on ever new states: transition systems seen from their loop heads, and
//! recurrent sets of those.
//!
//! **How it works.** Symbolic execution, breadth first, comes to loop heads. Seen from each of them
//! the program is a transition system (`ouro-transform`), and `recurrent` looks for a run of it that
//! never ends. What it finds is said about the program again, replayed and offered as evidence.
//!
//! Where lists grow, it looks again with *chains*, lists of any length: of anything, or of objects with the
//! same in them. So a loop is found that no state comes back in.
//!
//! **What it misses.** Heads behind long or many-branched ways, loops in which addresses move or
//! many cells change, and lists that grow in both directions or of which different things matter.
//!
//! **What could mislead it.** Nothing that the checker would not notice: memory and calls are as the
//! machine has them, and objects are named as the replay names them. Where a program allocates on
//! different ways to a head, the names can differ, and the evidence is not accepted.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use ouro_evidence::{ClosedSet, Evidence, Explanation, Place, Verdict};
use ouro_machine::concrete::{self, Concrete, Inputs};
use ouro_machine::{Among, Link, Machine, State};
use ouro_model::ids::Id;
use ouro_model::transition::TransitionSystem;
use ouro_model::{FunctionId, Program};
use ouro_solver::clock;
use ouro_solver::{Limits, Session};
use ouro_term::Terms;
use ouro_transform::walk::{Event, Promises, Visit, Walk, Walker};
use ouro_transform::{Bounds, Lists, Lowered, Start, call_site, lower, needed, users_place};
use rustc_hash::FxHashMap;

use crate::explore::overflow;
use crate::recurrent::{self, Found, Method};
use crate::{Finding, Settings, fixpoint, steady};

/// Walks that are followed.
const MOST_WALKS: usize = 20_000;
/// Steps of one walk from decision to decision.
const MOST_STEPS: u64 = 5_000_000;
/// Times that a walk comes to a loop head after decisions in the loop.
const MOST_TURNS: u32 = 6;
/// Times that a walk comes to a loop head without decisions.
const MOST_PLAIN_TURNS: u32 = 50_000;
/// Walks that are looked from at their first and at their second visit of a loop head.
const ATTEMPTS: [u32; 2] = [1, 2];
/// Steps of the replay that are looked at one by one.
const MOST_LOOKS: u64 = 1_000_000;

/// Looks for a run that never ends and need not come back to a state, by these methods for recurrent
/// sets; none named means all. Says which found it.
pub fn closed_program(
    program: &Program,
    settings: &Settings,
    methods: &[Method],
) -> Option<(Finding, &'static str)> {
    search(program, settings, &mut |system, settings| {
        let easy = methods != [Method::Forward];
        let easy = easy
            .then(|| fixpoint::find(system, settings).or_else(|| steady::find(system, settings)));
        easy.flatten().or_else(|| recurrent::find(system, settings, methods))
    })
}

/// The same with nothing but the sets that are easy to see: every loop head is looked from soon.
pub fn easy_sets(program: &Program, settings: &Settings) -> Option<(Finding, &'static str)> {
    search(program, settings, &mut |system, settings| {
        fixpoint::find(system, settings).or_else(|| steady::find(system, settings))
    })
}

/// As [`closed_program`], with another way of finding recurrent sets.
pub fn search(
    program: &Program,
    settings: &Settings,
    find: &mut dyn FnMut(&TransitionSystem, &Settings) -> Option<Found>,
) -> Option<(Finding, &'static str)> {
    let mut terms = Terms::new();
    let machine = Machine::new(program, &mut terms, overflow(settings.ints), true).ok()?;
    let mut session = Session::new(limits(settings));
    let mut queue = VecDeque::from([Walk::new(machine.start(), Vec::new())]);
    let mut tried: FxHashMap<(FunctionId, u32, usize, u32), u32> = FxHashMap::default();
    let mut walks = 0;
    let promises = Promises::new();
    while let Some(walk) = queue.pop_front() {
        walks += 1;
        if walks > MOST_WALKS || clock::now() >= settings.deadline {
            return None;
        }
        let deadline = settings.deadline;
        let session = &mut session;
        let mut walker = Walker {
            machine: &machine,
            session,
            deadline,
            floor: 0,
            steps: 0,
            all: false,
            vague: false,
            promises: &promises,
        };
        let mut walk = match walker.follow(&mut terms, walk, MOST_STEPS) {
            Event::Mark(walk) => *walk,
            Event::Parted(ways) => {
                queue.extend(ways);
                continue;
            }
            Event::Ended
            | Event::Returned(..)
            | Event::Broken(_)
            | Event::Lost(_)
            | Event::Spent => continue,
        };
        let Visit { before: turns, decided, .. } = walk.visit();
        let (function, position) = walk.state.position();
        if let Some(most) = ATTEMPTS.get(turns as usize) {
            let key = (function, position, walk.state.depth(), turns);
            let attempts = tried.entry(key).or_insert(0);
            if *attempts < *most && walker.exists(&terms, &mut walk) {
                *attempts += 1;
                let mut attempt = Attempt { program, machine: &machine, settings, find };
                if let Some(found) = attempt.at(&mut terms, walker.session, &walk) {
                    return Some(found);
                }
            }
        }
        // Loops without decisions are followed before anything else.
        match decided {
            true if turns < MOST_TURNS => queue.push_back(walk),
            false if turns < MOST_PLAIN_TURNS => queue.push_front(walk),
            _ => {}
        }
        walks -= usize::from(!decided);
    }
    None
}

fn limits(settings: &Settings) -> Limits {
    Limits {
        query: Duration::from_secs(2),
        deadline: Some(settings.deadline),
        memory_mib: u32::try_from(settings.memory_mib).unwrap_or(u32::MAX),
    }
}

struct Attempt<'a> {
    program: &'a Program,
    machine: &'a Machine,
    settings: &'a Settings,
    find: &'a mut dyn FnMut(&TransitionSystem, &Settings) -> Option<Found>,
}

impl Attempt<'_> {
    /// Looks for a recurrent set of the system seen from where a walk is.
    fn at(
        &mut self,
        terms: &mut Terms,
        session: &mut Session,
        walk: &Walk,
    ) -> Option<(Finding, &'static str)> {
        let exactly = self.system(terms, session, walk, Lists::AsTheyAre);
        let grows = match &exactly {
            Some(lowered) => lowered.grows,
            None => self.machine.may_have_lists(&walk.state, Among::Heap),
        };
        let found = exactly.and_then(|lowered| self.in_system(terms, &lowered));
        if found.is_some() || !grows {
            return found;
        }
        [Lists::OfAnything, Lists::OfTheSame].into_iter().find_map(|lists| {
            let lowered = self.system(terms, session, walk, lists)?;
            // Without lists it is what was looked at before.
            (!lowered.back.links().is_empty()).then(|| self.in_system(terms, &lowered))?
        })
    }

    /// The system seen from where a walk is.
    fn system(
        &self,
        terms: &Terms,
        session: &mut Session,
        walk: &Walk,
        lists: Lists,
    ) -> Option<Lowered> {
        let start = Start { walk, frames: self.frames(&walk.state), lists };
        let bounds = Bounds::until(self.slice());
        lower(self.program, self.machine, terms, session, &start, bounds)
    }

    /// Looks for a recurrent set of a system, and says it of the program.
    fn in_system(
        &mut self,
        terms: &mut Terms,
        lowered: &Lowered,
    ) -> Option<(Finding, &'static str)> {
        if lowered.system.edges.len() < 2 {
            return None;
        }
        let settings = Settings { deadline: self.slice(), ..self.settings.clone() };
        let found = (self.find)(&lowered.system, &settings)?;
        let needed = needed(&lowered.system, &found.set, limits(&settings))?;
        let mut set = lowered.back.closed_set(&lowered.system, &needed)?;
        self.replay(terms, &mut set, lowered.back.links())?;
        let mut cycle: Vec<Place> = Vec::new();
        for head in &set.heads {
            if !cycle.contains(&head.place) {
                cycle.push(head.place.clone());
            }
        }
        let explanation = Explanation {
            cycle,
            assumptions: self.program.assumptions.clone(),
            ..Explanation::default()
        };
        let verdict = Verdict::of(self.program.question, Evidence::Closed(set));
        Some((Finding { verdict, explanation }, found.method))
    }

    /// Half of the time that is left.
    fn slice(&self) -> Instant {
        let now = clock::now();
        now + self.settings.deadline.saturating_duration_since(now) / 2
    }

    /// How many calls matter: of a function that may call itself only the innermost, so that calls
    /// which never return are not told apart; of others all.
    fn frames(&self, state: &State) -> usize {
        let (function, position) = state.position();
        let entry = self.machine.block_at(function, position).index() == 0;
        let nested = state.functions().filter(|other| *other == function).count() > 1;
        if entry || nested { 1 } else { state.depth() }
    }

    /// Replays the inputs up to the first head, and notes where each is asked for; `None` if the
    /// run does not get there.
    fn replay(&self, terms: &mut Terms, set: &mut ClosedSet, links: &[Link]) -> Option<()> {
        let bits = set.inputs.iter().map(|input| input.bits).collect();
        let mut silent = |_: u32, _: &[u8]| {};
        let mut surroundings = Concrete::new(Inputs::new(bits), &mut silent);
        let mut state = self.machine.start();
        let mut looks = 0;
        while state.steps < set.step {
            looks += 1;
            let slow = looks < MOST_LOOKS && surroundings.inputs.taken() < set.inputs.len();
            let next = if slow { state.steps + 1 } else { set.step };
            let place = call_site(self.program, self.machine, &state)
                .unwrap_or_else(|| users_place(self.program, self.machine, &state));
            let before = surroundings.inputs.taken();
            let ended = concrete::run(self.machine, terms, &mut surroundings, &mut state, next);
            if ended.is_some() {
                return None;
            }
            for input in &mut set.inputs[before..surroundings.inputs.taken()] {
                input.place = place.clone();
            }
        }
        let head = set.heads.first()?;
        let (function, position) = state.position();
        let arrived = position == head.position && self.machine.name(function) == head.function;
        if !arrived || surroundings.inputs.taken() != set.inputs.len() {
            return None;
        }
        // The way there was looked for with lists of any length; this is the one that it comes with.
        self.machine.fold(&mut state, terms, links, Among::Heap);
        (links.is_empty() || self.machine.shape(&state) == head.shape).then_some(())
    }
}
