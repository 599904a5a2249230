//! Programs that loop forever on ever new states: transition systems seen from their loop heads, and
//! recurrent sets of those.
//!
//! **How it works.** Symbolic execution, breadth first, comes to loop heads. Seen from each of them
//! the program is a transition system (`ouro-transform`), and `recurrent` looks for a run of it that
//! never ends. What it finds is said about the program again, replayed and offered as evidence.
//!
//! Runs on sampled inputs are followed as well, without their branches, and looked at where they do not end (`samples`).
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

mod samples;

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use ouro_evidence::{ClosedSet, Evidence, Explanation, IntegerSemantics, SourcePlace, Verdict};
use ouro_machine::concrete::{self, ConcreteEnvironment, ConcreteInputs};
use ouro_machine::{FoldScope, Machine, MachineState, SegmentLink};
use ouro_model::ids::TypedId;
use ouro_model::transition::TransitionSystem;
use ouro_model::{FunctionId, Program};
use ouro_solver::clock;
use ouro_solver::{Session, SessionLimits};
use ouro_term::TermStore;
use ouro_transform::walk::{AssumedSummaries, MarkVisit, SymbolicWalk, SymbolicWalker, WalkEvent};
use ouro_transform::{
    ListAbstraction, LoweredProgram, LoweringBounds, LoweringStart, call_site, lower_from_head,
    prune_recurrent_set, user_place,
};
use rustc_hash::FxHashMap;

use crate::explore::overflow_semantics;
use crate::limits::CLOSED_PROGRAM_LIMITS;
use crate::recurrent::{self, FoundRecurrentSet, RecurrentSetMethod};
use crate::{EngineSettings, UncheckedFinding, fixpoint, orbits, steady};

/// Walks that are looked from at their first and at their second visit of a loop head.
const ATTEMPTS: [u32; 2] = [1, 2];

/// How hard recurrent sets of the systems are looked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SetEffort {
    /// Nothing but sets that are easy to see: every loop head is looked from soon.
    Easy,
    /// All that there is, by these methods; none named means all.
    Thorough(Vec<RecurrentSetMethod>),
}

/// How a search for sets of states ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClosedSetOutcome {
    /// A set that a run never leaves, and the method that found it; nobody has checked it.
    Found(Box<UncheckedFinding>, &'static str),
    /// There is none, as far as this method goes: more time would not help.
    GaveUp,
    /// The time was over before everything was tried.
    OutOfTime,
}

/// Looks for a run that never ends and need not come back to a state, by these methods for recurrent
/// sets; none named means all. Says which found it.
pub fn find_closed_set(
    program: &Program,
    settings: &EngineSettings,
    methods: &[RecurrentSetMethod],
) -> Option<(UncheckedFinding, &'static str)> {
    let mut search = ClosedSetSearch::new(program, settings.ints, settings.memory_mib)?;
    match search.run(&SetEffort::Thorough(methods.to_vec()), settings) {
        ClosedSetOutcome::Found(finding, method) => Some((*finding, method)),
        ClosedSetOutcome::GaveUp | ClosedSetOutcome::OutOfTime => None,
    }
}

/// As [`closed_program`], with another way of finding recurrent sets.
pub fn search_loop_heads(
    program: &Program,
    settings: &EngineSettings,
    find: &mut SetFinder<'_>,
) -> Option<(UncheckedFinding, &'static str)> {
    let mut search = ClosedSetSearch::new(program, settings.ints, settings.memory_mib)?;
    search.session.set_deadline(settings.deadline);
    search.search(&SetEffort::Thorough(Vec::new()), settings, find, &mut false)
}

/// A way of finding recurrent sets of a system.
pub type SetFinder<'a> =
    dyn FnMut(&TransitionSystem, &EngineSettings) -> Option<FoundRecurrentSet> + 'a;

/// The part of the time that runs on sampled inputs are followed for.
const SAMPLES: u32 = 3;

/// The part of the time that runs on small and extreme numbers are followed for.
const ORBITS: u32 = 4;

fn find_set(
    system: &TransitionSystem,
    settings: &EngineSettings,
    effort: &SetEffort,
) -> Option<FoundRecurrentSet> {
    let steady = || steady::find_steady_set(system, settings);
    match effort {
        SetEffort::Easy => fixpoint::find_fixpoint_set(system, settings).or_else(steady),
        SetEffort::Thorough(methods) => {
            let orbits = || {
                let now = clock::budget_now();
                let share = settings.deadline.saturating_duration_since(now) / ORBITS;
                let first = EngineSettings { deadline: now + share, ..settings.clone() };
                orbits::find_orbit_set(system, &first)
            };
            let found = match *methods != [RecurrentSetMethod::Forward] {
                true => {
                    fixpoint::find_fixpoint_set(system, settings).or_else(orbits).or_else(steady)
                }
                false => None,
            };
            found.or_else(|| recurrent::find_recurrent_set(system, settings, methods))
        }
    }
}

/// A search for sets of states of one program that can be asked again: the loop heads that it has come to and the
/// transition systems seen from them are kept, and what gave up on one of these is not tried there again.
pub struct ClosedSetSearch<'p> {
    program: &'p Program,
    terms: TermStore,
    machine: Machine,
    session: Session,
    memory_mib: u64,
    queue: VecDeque<SymbolicWalk>,
    /// How often a loop head was looked from.
    tried: FxHashMap<(FunctionId, u32, usize, u32), u32>,
    walks: usize,
    heads: Vec<KeptHead>,
    /// The samples of inputs that were tried, and the heads that were looked from because of them.
    samples: u32,
    sampled_heads: usize,
}

/// A walk to a loop head, and the systems seen from there: lists as they are, of anything, of the same.
struct KeptHead {
    walk: SymbolicWalk,
    /// Whether a run on sampled inputs led there.
    is_sampled: bool,
    systems: [KeptSystem; 3],
}

const LISTS: [ListAbstraction; 3] =
    [ListAbstraction::AsTheyAre, ListAbstraction::OfAnything, ListAbstraction::OfTheSame];

#[derive(Default)]
struct KeptSystem {
    state: SystemState,
    /// The efforts that found nothing in it and were not short of time.
    settled: Vec<SetEffort>,
}

#[derive(Default)]
enum SystemState {
    /// Not tried, or not for long enough.
    #[default]
    Open,
    Done(Box<LoweredProgram>),
    /// A bound was met that more time does not move.
    Impossible,
}

impl<'p> ClosedSetSearch<'p> {
    /// A search that has found nothing yet; nothing if the program is too large for the machine.
    pub fn new(program: &'p Program, ints: IntegerSemantics, memory_mib: u64) -> Option<Self> {
        let mut terms = TermStore::new();
        let machine = Machine::new(program, &mut terms, overflow_semantics(ints), true).ok()?;
        let session = Session::new(session_limits(None, memory_mib));
        let (queue, tried, heads) = (VecDeque::new(), FxHashMap::default(), Vec::new());
        let mut search = ClosedSetSearch {
            program,
            terms,
            machine,
            session,
            memory_mib,
            queue,
            tried,
            walks: 0,
            heads,
            samples: 0,
            sampled_heads: 0,
        };
        search.begin();
        Some(search)
    }

    /// Goes back to the start of the program.
    fn begin(&mut self) {
        self.queue = VecDeque::from([SymbolicWalk::new(self.machine.start_state(), Vec::new())]);
        self.tried.clear();
        self.walks = 0;
        self.heads.retain(|head| head.is_sampled);
    }

    /// Looks for a set until the deadline.
    pub fn run(&mut self, effort: &SetEffort, settings: &EngineSettings) -> ClosedSetOutcome {
        self.session.set_deadline(settings.deadline);
        let mut is_cut = false;
        let mut find = |system: &TransitionSystem, settings: &EngineSettings| {
            find_set(system, settings, effort)
        };
        let now = clock::budget_now();
        let share = settings.deadline.saturating_duration_since(now) / SAMPLES;
        let first = EngineSettings { deadline: now + share, ..settings.clone() };
        let found = match effort {
            SetEffort::Thorough(_) if share >= CLOSED_PROGRAM_LIMITS.least_for_samples => {
                self.search_samples(&first, &mut is_cut)
            }
            // What is there soon is looked for without them; they are left for a longer slice.
            SetEffort::Thorough(_) => {
                is_cut |= self.has_samples_left();
                None
            }
            SetEffort::Easy => None,
        };
        self.session.set_deadline(settings.deadline);
        let found = found.or_else(|| self.search(effort, settings, &mut find, &mut is_cut));
        match found {
            Some((finding, method)) => ClosedSetOutcome::Found(Box::new(finding), method),
            None if is_cut || clock::budget_now() >= settings.deadline => {
                ClosedSetOutcome::OutOfTime
            }
            None => ClosedSetOutcome::GaveUp,
        }
    }

    fn search(
        &mut self,
        effort: &SetEffort,
        settings: &EngineSettings,
        find: &mut SetFinder<'_>,
        is_cut: &mut bool,
    ) -> Option<(UncheckedFinding, &'static str)> {
        for known in 0..self.heads.len() {
            if self.heads[known].is_sampled {
                continue;
            }
            let found = self.look_from(known, effort, settings, find, is_cut);
            if found.is_some() || clock::budget_now() >= settings.deadline {
                return found;
            }
        }
        let promises = AssumedSummaries::new();
        while let Some(walk) = self.queue.pop_front() {
            self.walks += 1;
            if self.walks > CLOSED_PROGRAM_LIMITS.walks {
                return None;
            }
            let mut walker = SymbolicWalker {
                machine: &self.machine,
                session: &mut self.session,
                deadline: settings.deadline,
                floor: 0,
                steps: 0,
                all: false,
                vague: false,
                promises: &promises,
                unanswered: 0,
            };
            let event = walker.follow_walk(&mut self.terms, walk, CLOSED_PROGRAM_LIMITS.steps);
            if clock::budget_now() >= settings.deadline {
                // The walk may have been cut off, and is lost: the next time begins anew.
                self.begin();
                return None;
            }
            let mut walk = match event {
                WalkEvent::Mark(walk) => *walk,
                WalkEvent::Parted(ways) => {
                    self.queue.extend(ways);
                    continue;
                }
                WalkEvent::Ended
                | WalkEvent::Returned(..)
                | WalkEvent::Broken(_)
                | WalkEvent::Lost(_)
                | WalkEvent::Spent => continue,
            };
            let MarkVisit { before: turns, decided, .. } = walk.record_mark_visit();
            let (function, position) = walk.state.position();
            let mut is_new = false;
            if let Some(most) = ATTEMPTS.get(turns as usize) {
                let key = (function, position, walk.state.depth(), turns);
                let attempts = self.tried.entry(key).or_insert(0);
                if *attempts < *most && walker.is_feasible(&self.terms, &mut walk) {
                    *attempts += 1;
                    is_new = true;
                }
            }
            if is_new {
                self.heads.push(KeptHead {
                    walk: walk.clone(),
                    is_sampled: false,
                    systems: Default::default(),
                });
            }
            // Loops without decisions are followed before anything else.
            match decided {
                true if turns < CLOSED_PROGRAM_LIMITS.decided_iterations => {
                    self.queue.push_back(walk);
                }
                false if turns < CLOSED_PROGRAM_LIMITS.plain_iterations => {
                    self.queue.push_front(walk);
                }
                _ => {}
            }
            self.walks -= usize::from(!decided);
            if is_new {
                let found = self.look_from(self.heads.len() - 1, effort, settings, find, is_cut);
                if found.is_some() || clock::budget_now() >= settings.deadline {
                    return found;
                }
            }
        }
        None
    }

    /// Looks for a recurrent set of the systems seen from a loop head.
    fn look_from(
        &mut self,
        head: usize,
        effort: &SetEffort,
        settings: &EngineSettings,
        find: &mut SetFinder<'_>,
        is_cut: &mut bool,
    ) -> Option<(UncheckedFinding, &'static str)> {
        let ClosedSetSearch { program, terms, machine, session, heads, memory_mib, .. } = self;
        let KeptHead { walk, systems, .. } = &mut heads[head];
        let attempt = ClosedSetAttempt { program, machine, settings, memory_mib: *memory_mib };
        let mut grows = false;
        for (lists, kept) in LISTS.into_iter().zip(systems) {
            if lists != ListAbstraction::AsTheyAre && !grows {
                break;
            }
            *is_cut |= attempt.fill(kept, terms, session, walk, lists);
            if lists == ListAbstraction::AsTheyAre {
                grows = match &kept.state {
                    SystemState::Done(lowered) => lowered.grows,
                    _ => machine.may_have_lists(&walk.state, FoldScope::Heap),
                };
            }
            let SystemState::Done(lowered) = &kept.state else { continue };
            // Without lists it is what was looked at before.
            if (lists != ListAbstraction::AsTheyAre && lowered.back.segment_links().is_empty())
                || kept.settled.contains(effort)
            {
                continue;
            }
            let slice = attempt.half_of_time_left();
            let found = attempt.search_in_system(terms, lowered, find, slice);
            if found.is_some() {
                return found;
            }
            match clock::budget_now() < slice {
                true => kept.settled.push(effort.clone()),
                false => *is_cut = true,
            }
        }
        None
    }
}

fn session_limits(deadline: Option<Instant>, memory_mib: u64) -> SessionLimits {
    SessionLimits {
        query: Duration::from_secs(2),
        deadline,
        memory_mib: u32::try_from(memory_mib).unwrap_or(u32::MAX),
    }
}

struct ClosedSetAttempt<'a> {
    program: &'a Program,
    machine: &'a Machine,
    settings: &'a EngineSettings,
    memory_mib: u64,
}

impl ClosedSetAttempt<'_> {
    /// Makes the system seen from where a walk is, unless it is there or known not to be had; says whether only the
    /// time was too short.
    fn fill(
        &self,
        kept: &mut KeptSystem,
        terms: &TermStore,
        session: &mut Session,
        walk: &SymbolicWalk,
        lists: ListAbstraction,
    ) -> bool {
        if !matches!(kept.state, SystemState::Open) {
            return false;
        }
        let start = LoweringStart { walk, frames: self.compared_frames(&walk.state), lists };
        let slice = self.half_of_time_left();
        let lowered = lower_from_head(
            self.program,
            self.machine,
            terms,
            session,
            &start,
            LoweringBounds::until(slice),
        );
        let is_cut = lowered.is_none() && clock::budget_now() >= slice;
        kept.state = match lowered {
            Some(lowered) => SystemState::Done(Box::new(lowered)),
            None if is_cut => SystemState::Open,
            None => SystemState::Impossible,
        };
        is_cut
    }

    /// Looks for a recurrent set of a system, and says it of the program.
    fn search_in_system(
        &self,
        terms: &mut TermStore,
        lowered: &LoweredProgram,
        find: &mut SetFinder<'_>,
        slice: Instant,
    ) -> Option<(UncheckedFinding, &'static str)> {
        if lowered.system.edges.len() < 2 {
            return None;
        }
        let settings = EngineSettings { deadline: slice, ..self.settings.clone() };
        let found = find(&lowered.system, &settings)?;
        let needed = prune_recurrent_set(
            &lowered.system,
            &found.set,
            // Not the slice's end, which the search has often come to: what is not pruned is refused.
            session_limits(Some(self.settings.deadline), self.memory_mib),
        )?;
        let mut set = lowered.back.translate_closed_set(&lowered.system, &needed)?;
        self.replay_to_first_head(terms, &mut set, lowered.back.segment_links())?;
        let mut cycle: Vec<SourcePlace> = Vec::new();
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
        let verdict = Verdict::from_evidence(self.program.question, Evidence::Closed(set));
        Some((UncheckedFinding { verdict, explanation }, found.method))
    }

    /// Half of the time that is left.
    fn half_of_time_left(&self) -> Instant {
        let now = clock::budget_now();
        now + self.settings.deadline.saturating_duration_since(now) / 2
    }

    /// How many calls matter: of a function that may call itself only the innermost, so that calls
    /// which never return are not told apart; of others all.
    fn compared_frames(&self, state: &MachineState) -> usize {
        let (function, position) = state.position();
        let entry = self.machine.block_at(function, position).index() == 0;
        let nested = state.functions().filter(|other| *other == function).count() > 1;
        if entry || nested { 1 } else { state.depth() }
    }

    /// Replays the inputs up to the first head, and notes where each is asked for; `None` if the
    /// run does not get there.
    fn replay_to_first_head(
        &self,
        terms: &mut TermStore,
        set: &mut ClosedSet,
        links: &[SegmentLink],
    ) -> Option<()> {
        let bits = set.inputs.iter().map(|input| input.bits).collect();
        let mut silent = |_: u32, _: &[u8]| {};
        let mut surroundings = ConcreteEnvironment::new(ConcreteInputs::new(bits), &mut silent);
        let mut state = self.machine.start_state();
        let mut looks = 0;
        while state.steps < set.step {
            looks += 1;
            let slow = looks < CLOSED_PROGRAM_LIMITS.looks
                && surroundings.inputs.taken_count() < set.inputs.len();
            let next = if slow { state.steps + 1 } else { set.step };
            let place = call_site(self.program, self.machine, &state)
                .unwrap_or_else(|| user_place(self.program, self.machine, &state));
            let before = surroundings.inputs.taken_count();
            let ended =
                concrete::run_concretely(self.machine, terms, &mut surroundings, &mut state, next);
            if ended.is_some() {
                return None;
            }
            for input in &mut set.inputs[before..surroundings.inputs.taken_count()] {
                input.place = place.clone();
            }
        }
        let head = set.heads.first()?;
        let (function, position) = state.position();
        let arrived =
            position == head.position && self.machine.function_name(function) == head.function;
        if !arrived || surroundings.inputs.taken_count() != set.inputs.len() {
            return None;
        }
        // The way there was looked for with lists of any length; this is the one that it comes with.
        self.machine.fold_lists(&mut state, terms, links, FoldScope::Heap);
        (links.is_empty() || self.machine.heap_shape(&state) == head.shape).then_some(())
    }
}
