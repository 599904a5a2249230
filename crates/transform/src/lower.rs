//! Locations, holes and edges: walks from each location to the next, until nothing differs.
//!
//! It goes in rounds. A round starts with the loop head, or with the start of the program, and follows all walks from each location it
//! meets. Where a walk arrives at a location and a number differs that is no hole, the number
//! becomes a hole; where it comes to a loop head for the second time, and it was decided in between
//! to stay in the loop, the head becomes a location. Then all starts anew. Loops that take no
//! decision are walked through. Where a head has ever more states that differ in more than numbers, and
//! it is wanted, lists become chains: the system may then have runs that the program has not.
//!
//! The *phase* of a specification is no number but a place in its automaton: states in different phases
//! are different locations. What can be in one phase and not in another is then seen in the graph, where
//! fairness and rankings begin.

use std::collections::{BTreeMap, BTreeSet};

use ouro_machine::{
    FoldScope, Machine, MachineState, ObjectRef, ReturnedCall, SegmentLink, StateCell,
    StateDifferenceKind, StorageClass,
};
use ouro_model::{FunctionId, Program, ProgramQuestion, Span};
use ouro_solver::Session;
use ouro_solver::clock;
use ouro_term::{Term, TermStore};
use rustc_hash::FxHashMap;

use crate::LoweredProgram;

use crate::limits::{LIMITS, LoweringBounds};
use crate::names::{HoleKey, HoleNames};
use crate::pattern::{StatePattern, insert_hole_key};
use crate::walk::{
    AssumedSummaries, MarkVisit, SymbolicWalk, SymbolicWalker, WalkChoice, WalkEvent,
};

/// Where to start.
pub struct LoweringStart<'a> {
    /// A walk from the start of the program to a loop head.
    pub walk: &'a SymbolicWalk,
    /// How many of the innermost calls matter: the run may not return from them.
    pub frames: usize,
    /// What lists of the heap become.
    pub lists: ListAbstraction,
}

/// What lists of the heap become where they differ without end. That the system can then do more than the
/// program does no harm to a set of states that is never left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ListAbstraction {
    /// They stay what they are.
    AsTheyAre,
    /// Chains; what is in them is forgotten.
    OfAnything,
    /// Chains of objects with the same in them.
    OfTheSame,
}

/// The function of the C library that goes through the format of `scanf`.
const FORMAT_READER: &str = "ouro_scan";

/// An edge in the making.
pub(crate) struct EdgeDraft {
    /// From which location; none for the way from the start.
    pub(crate) from: Option<usize>,
    /// To which location; none for a run that breaks an obligation.
    pub(crate) to: Option<usize>,
    pub(crate) path: Vec<Term>,
    /// What the holes of the target are on arrival.
    pub(crate) values: FxHashMap<Term, Term>,
    pub(crate) choices: Vec<WalkChoice>,
    pub(crate) unknowns: Vec<Term>,
    pub(crate) spans: Vec<Span>,
    /// The events passed, and whether there may be others.
    pub(crate) passed: BTreeSet<u32>,
    pub(crate) others: bool,
    /// Steps of the machine.
    pub(crate) steps: u64,
}

/// A way on which a call of a function that may call itself returns.
pub struct ReturnPath {
    /// The call. It has no arguments where they are not known.
    pub call: ReturnedCall,
    /// What must hold for the way to exist.
    pub path: Vec<Term>,
    /// The calls on the way that are taken to have returned.
    pub inner: Vec<ReturnedCall>,
}

pub(crate) struct ProgramLowering<'a> {
    pub(crate) program: &'a Program,
    pub(crate) machine: &'a Machine,
    pub(crate) terms: TermStore,
    pub(crate) walker: SymbolicWalker<'a>,
    bounds: LoweringBounds,
    /// The outermost calls, to which the run may not return.
    pub(crate) base: usize,
    pub(crate) names: HoleNames,
    pub(crate) locations: Vec<StatePattern>,
    pub(crate) passages: Vec<EdgeDraft>,
    /// The calls that return, of functions that may call themselves.
    pub(crate) returns: Vec<ReturnPath>,
    pub(crate) complete: bool,
    /// What has to be a hole, by position.
    wanted: BTreeMap<(FunctionId, u32), BTreeSet<HoleKey>>,
    /// Positions that are locations.
    heads: BTreeSet<(FunctionId, u32)>,
    /// Of which objects lists may become chains.
    among: Option<FoldScope>,
    /// Whether these must be alike.
    alike: bool,
    /// The objects that hold the phase of a specification.
    phases: Vec<ObjectRef>,
    /// How lists are linked that are chains at locations; found when they differ without end.
    pub(crate) links: Vec<SegmentLink>,
    /// Whether lists differ without end, and may not become chains.
    pub(crate) grows: bool,
    /// Whether the round has to be done again.
    again: bool,
    /// Whether a bound was met.
    met: bool,
}

/// The system seen from a loop head; `None` if a bound was met before nothing differed.
pub fn lower_from_head(
    program: &Program,
    machine: &Machine,
    terms: &TermStore,
    session: &mut Session,
    start: &LoweringStart<'_>,
    bounds: LoweringBounds,
) -> Option<LoweredProgram> {
    let promises = AssumedSummaries::new();
    lower_in_rounds(program, machine, terms, session, Some(start), bounds, false, &promises).ok()
}

/// The system of a whole program, seen from its start: each run of the program is a run of it.
/// With vague memory, the system may have more runs, and calls that are not followed return what was
/// promised; the promises are terms of the store. `None` if a bound was met before nothing
/// differed, or if a run cannot be followed.
pub fn lower_whole_program(
    program: &Program,
    machine: &Machine,
    terms: &TermStore,
    session: &mut Session,
    bounds: LoweringBounds,
    vague: bool,
    promises: &AssumedSummaries,
) -> Option<LoweredProgram> {
    lower_in_rounds(program, machine, terms, session, None, bounds, vague, promises).ok()
}

/// The same with bounds that grow by these factors, one after the other, as long as it is they that are met. What
/// else goes wrong goes wrong again.
#[allow(clippy::too_many_arguments, reason = "those of `lower_all`, and how often")]
pub fn lower_all_growing(
    program: &Program,
    machine: &Machine,
    terms: &TermStore,
    session: &mut Session,
    bounds: LoweringBounds,
    vague: bool,
    promises: &AssumedSummaries,
    factors: &[usize],
) -> Option<LoweredProgram> {
    for factor in factors {
        let bounds = bounds.scaled(*factor);
        match lower_in_rounds(program, machine, terms, session, None, bounds, vague, promises) {
            Ok(lowered) => return Some(lowered),
            Err(LoweringFailure::Bound) if clock::budget_now() < bounds.deadline => {}
            Err(_) => return None,
        }
    }
    None
}

/// Why there is no system.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum LoweringFailure {
    /// A bound was met.
    Bound,
    /// A run cannot be followed, or there is no time left.
    Other,
}

#[allow(clippy::too_many_arguments, reason = "both kinds of lowering come together here")]
fn lower_in_rounds(
    program: &Program,
    machine: &Machine,
    terms: &TermStore,
    session: &mut Session,
    start: Option<&LoweringStart<'_>>,
    bounds: LoweringBounds,
    vague: bool,
    promises: &AssumedSummaries,
) -> Result<LoweredProgram, LoweringFailure> {
    let base = match start {
        Some(start) => {
            start.walk.state.depth().checked_sub(start.frames).ok_or(LoweringFailure::Other)?
        }
        None => 0,
    };
    let among = match start {
        Some(start) => (start.lists != ListAbstraction::AsTheyAre).then_some(FoldScope::Heap),
        None => vague.then_some(FoldScope::HeapAndStack),
    };
    let alike = start.is_some_and(|start| start.lists == ListAbstraction::OfTheSame);
    let (deadline, all) = (bounds.deadline, start.is_none());
    let walker = SymbolicWalker {
        machine,
        session,
        deadline,
        floor: base,
        steps: 0,
        all,
        vague,
        promises,
        unanswered: 0,
    };
    let mut lowering = ProgramLowering {
        program,
        machine,
        terms: terms.clone(),
        walker,
        bounds,
        base,
        names: HoleNames::default(),
        locations: Vec::new(),
        passages: Vec::new(),
        returns: Vec::new(),
        complete: true,
        wanted: BTreeMap::new(),
        heads: start.iter().map(|start| start.walk.state.position()).collect(),
        among,
        alike,
        phases: phase_objects(program, machine),
        links: Vec::new(),
        grows: false,
        again: false,
        met: false,
    };
    if !lowering.phases.is_empty() {
        // There may be as many copies of everything as there are phases.
        let bounds = &mut lowering.bounds;
        bounds.locations *= LIMITS.specification_phases;
        bounds.edges *= LIMITS.specification_phases;
        bounds.walks *= LIMITS.specification_phases;
    }
    for _ in 0..bounds.rounds {
        let result = lowering.run_round(start);
        let why = if lowering.met { LoweringFailure::Bound } else { LoweringFailure::Other };
        result.ok_or(why)?;
        if !lowering.again {
            return lowering.build_system().ok_or(LoweringFailure::Other);
        }
    }
    Err(LoweringFailure::Bound)
}

/// The objects that hold the phase of a specification.
fn phase_objects(program: &Program, machine: &Machine) -> Vec<ObjectRef> {
    if program.question == ProgramQuestion::Termination {
        return Vec::new();
    }
    let start = machine.start_state();
    let is_phase = |storage: StorageClass| match storage {
        StorageClass::Static(global) => program.globals[global].is_phase(),
        _ => false,
    };
    let objects = start.memory.objects().filter(|(_, object)| is_phase(object.storage));
    objects.map(|(object, _)| object).collect()
}

/// Objects of which many parts differ are left open as a whole.
fn havoc_crowded_objects(wanted: &mut BTreeSet<HoleKey>) {
    let mut parts: BTreeMap<ObjectRef, usize> = BTreeMap::new();
    for key in wanted.iter() {
        if let HoleKey::Memory { object, .. } = key {
            *parts.entry(*object).or_default() += 1;
        }
    }
    for (object, _) in parts.into_iter().filter(|(_, parts)| *parts > LIMITS.object_parts) {
        wanted
            .retain(|key| !matches!(key, HoleKey::Memory { object: same, .. } if *same == object));
        wanted.insert(HoleKey::Content { object });
    }
}

impl ProgramLowering<'_> {
    fn run_round(&mut self, start: Option<&LoweringStart<'_>>) -> Option<()> {
        self.locations.clear();
        self.passages.clear();
        self.returns.clear();
        self.complete = true;
        self.again = false;
        self.walker.unanswered = 0;
        let mut walks = 0;
        match start {
            Some(start) => self.arrive_at_head(None, start.walk.clone(), start.walk.state.steps)?,
            None => self.leave_location(None, &mut walks)?,
        }
        let mut next = 0;
        while next < self.locations.len() && !self.again {
            self.leave_location(Some(next), &mut walks)?;
            next += 1;
        }
        if start.is_none() {
            // All runs are wanted, or none.
            return (self.complete || self.again).then_some(());
        }
        // A bound that was met in the middle leaves out whole locations.
        (!self.locations.is_empty()).then_some(())
    }

    /// Follows all walks from a location, or from the start.
    fn leave_location(&mut self, from: Option<usize>, walks: &mut usize) -> Option<()> {
        let state = match from {
            Some(from) => self.locations[from].state.clone(),
            None => self.machine.start_state(),
        };
        let begin = state.steps;
        if self.walker.vague {
            self.walker.floor = match from {
                Some(from) => state.depth() - self.locations[from].frames,
                None => 0,
            };
        }
        let mut pending = vec![SymbolicWalk::new(state, Vec::new())];
        while let Some(walk) = pending.pop() {
            if clock::budget_now() >= self.bounds.deadline {
                return None;
            }
            *walks += 1;
            if *walks > self.bounds.walks || self.passages.len() >= self.bounds.edges {
                self.complete = false;
                self.met = true;
                return Some(());
            }
            if !self.complete && self.walker.all {
                return None;
            }
            let left = (begin + self.bounds.steps).saturating_sub(walk.state.steps);
            match self.walker.follow_walk(&mut self.terms, walk, left) {
                WalkEvent::Ended => {}
                WalkEvent::Returned(walk, results) => self.note_return(from, *walk, results),
                WalkEvent::Lost(_) | WalkEvent::Spent => self.complete = false,
                WalkEvent::Broken(walk) => {
                    let steps = walk.state.steps - begin;
                    self.add_edge_draft(from, None, *walk, FxHashMap::default(), steps);
                }
                WalkEvent::Parted(ways) => pending.extend(ways.into_iter().rev()),
                WalkEvent::Mark(mut walk) => {
                    let position = walk.state.position();
                    let is_activated = self.machine.has_begun_activation(&walk.state);
                    if self.walker.vague && !is_activated && self.machine.begins_call(&walk.state) {
                        // A recursion begins: its first call is followed like any other.
                        *walks -= 1;
                        pending.push(*walk);
                        continue;
                    }
                    if self.walker.vague && is_activated {
                        // The call never returns, or it does.
                        self.heads.insert(position);
                        match self.walker.walk_after_return(&mut self.terms, &walk) {
                            Some(returned) => pending.push(returned),
                            None => self.complete = false,
                        }
                    }
                    if self.heads.contains(&position) {
                        if self.walker.is_feasible(&self.terms, &mut walk) {
                            let steps = walk.state.steps - begin;
                            self.arrive_at_head(from, *walk, steps)?;
                        }
                        continue;
                    }
                    let recurs = self.machine.may_call_itself(position.0);
                    let MarkVisit { before, forked, decided } = match self.walker.all && !recurs {
                        true => walk.record_mark_visit_in_call(),
                        false => walk.record_mark_visit(),
                    };
                    let most = if decided {
                        LIMITS.decided_iterations
                    } else {
                        LIMITS.undecided_iterations
                    };
                    let forked = forked && !(self.walker.all && self.reads_format(position.0));
                    if before > 0 && (forked || before > most) {
                        self.heads.insert(position);
                        self.again = true;
                    } else {
                        *walks -= 1;
                        pending.push(*walk);
                    }
                }
            }
        }
        Some(())
    }

    /// Whether a function goes through a format. That mostly is a literal of a few directives: then walking through
    /// is little work, and in the middle of it there would be much to say about a state.
    fn reads_format(&self, function: FunctionId) -> bool {
        self.machine.function_name(function) == FORMAT_READER
    }

    /// Notes what a call returns that is looked at.
    fn note_return(&mut self, from: Option<usize>, walk: SymbolicWalk, results: Vec<Option<Term>>) {
        let Some(from) = from else { return };
        let begun = &self.locations[from].state;
        let floor = self.walker.floor;
        let begins = begun.depth() == floor + 1 && self.machine.has_begun_activation(begun);
        let arguments = match begins {
            true => self.machine.call_arguments(&mut self.terms, begun),
            // What it was given is not known any more.
            false => Vec::new(),
        };
        let call = ReturnedCall { function: begun.function_at(floor), arguments, results };
        self.returns.push(ReturnPath { call, path: walk.path, inner: walk.returned });
    }

    /// A walk has come to a loop head: to which location, and with which numbers?
    fn arrive_at_head(
        &mut self,
        from: Option<usize>,
        mut walk: SymbolicWalk,
        steps: u64,
    ) -> Option<()> {
        if let Some(among) = self.among {
            self.machine.fold_lists(&mut walk.state, &mut self.terms, &self.links, among);
        }
        let position = walk.state.position();
        let phase = self.phase_values(&walk.state);
        let mut nearly: Option<Vec<HoleKey>> = None;
        let mut shapes = 0;
        for to in 0..self.locations.len() {
            if self.locations[to].position != position || self.locations[to].phase != phase {
                continue;
            }
            if self.walker.vague
                && self.machine.activation_depth(&walk.state) != self.locations[to].frames
            {
                continue;
            }
            shapes += 1;
            let Some((values, missing)) = self.match_location(to, &walk) else { continue };
            if missing.is_empty() {
                self.add_edge_draft(from, Some(to), walk, values, steps);
                return Some(());
            }
            nearly.get_or_insert(missing);
        }
        if let Some(missing) = nearly {
            let wanted = self.wanted.entry(position).or_default();
            for key in missing {
                insert_hole_key(wanted, key)?;
            }
            if self.walker.vague {
                havoc_crowded_objects(wanted);
            }
            self.again = true;
            let fits = wanted.len() <= self.bounds.holes;
            self.met |= !fits;
            return fits.then_some(());
        }
        let has_lists = |among| self.machine.may_have_lists(&walk.state, among);
        let most = match self.among.is_some_and(has_lists) {
            true => self.bounds.list_shapes,
            false => self.bounds.shapes,
        };
        if shapes >= self.bounds.shapes {
            let among = self.among.unwrap_or(FoldScope::Heap);
            let link = self.machine.find_segment_link(&walk.state, &self.links, among);
            self.grows |= link.is_some() && self.among.is_none();
            if let Some(link) = link.filter(|_| self.among.is_some()) {
                self.links.push(SegmentLink { alike: self.alike, ..link });
                self.again = true;
                return Some(());
            }
        }
        if shapes >= most || self.locations.len() >= self.bounds.locations {
            self.complete = false;
            self.met = true;
            return Some(());
        }
        let empty = BTreeSet::new();
        let wanted = self.wanted.get(&position).unwrap_or(&empty);
        let ProgramLowering { program, machine, terms, names, base, .. } = self;
        let frames = match self.walker.vague {
            true => machine.activation_depth(&walk.state),
            false => walk.state.depth().checked_sub(*base)?,
        };
        let made =
            StatePattern::of_state(program, machine, terms, names, &walk.state, frames, wanted);
        let Some(pattern) = made else {
            self.complete = false;
            return Some(());
        };
        let pattern = StatePattern { phase, ..pattern };
        let mut values = FxHashMap::default();
        for hole in &pattern.holes {
            let value = self.machine.number_in(&mut self.terms, &walk.state, hole.spot)?;
            values.insert(hole.symbol, value);
        }
        let holes = pattern.holes.len();
        self.locations.push(pattern);
        self.add_edge_draft(from, Some(self.locations.len() - 1), walk, values, steps);
        self.met |= holes > self.bounds.holes;
        (holes <= self.bounds.holes).then_some(())
    }

    /// The phase of the specification in a state.
    fn phase_values(&mut self, state: &MachineState) -> Vec<Option<Term>> {
        let spot = |object: &ObjectRef| StateCell::Memory { object: *object, offset: 0, bytes: 1 };
        let ProgramLowering { machine, terms, phases, .. } = self;
        phases.iter().map(|object| machine.number_in(terms, state, spot(object))).collect()
    }

    /// What the holes of a location are in the state of a walk, and which numbers differ elsewhere;
    /// `None` if more than numbers differ.
    fn match_location(
        &mut self,
        to: usize,
        walk: &SymbolicWalk,
    ) -> Option<(FxHashMap<Term, Term>, Vec<HoleKey>)> {
        let pattern = &self.locations[to];
        let found = self.machine.list_differences(
            &mut self.terms,
            &pattern.state,
            &walk.state,
            pattern.frames,
        )?;
        let mut values = FxHashMap::default();
        let mut missing = Vec::new();
        for difference in found {
            let (first, second) = (difference.first, difference.second);
            if let Some(hole) = pattern.hole_with_symbol(first)
                && hole.spot == difference.spot
            {
                if self.terms.sort(first) != self.terms.sort(second) {
                    return None;
                }
                values.insert(first, second);
                continue;
            }
            if difference.kind == StateDifferenceKind::Content {
                if !self.walker.vague {
                    // Only evidence that all runs end can leave an object open.
                    return None;
                }
                let StateCell::Memory { object, .. } = difference.spot else { return None };
                missing.push(HoleKey::Content { object });
                continue;
            }
            if first == second {
                continue;
            }
            if self.walker.is_known_equal(&mut self.terms, walk, first, second) {
                continue;
            }
            if difference.kind == StateDifferenceKind::Opaque {
                return None;
            }
            missing.push(HoleKey::of_cell(self.machine, &pattern.state, difference.spot)?);
        }
        Some((values, missing))
    }

    fn add_edge_draft(
        &mut self,
        from: Option<usize>,
        to: Option<usize>,
        walk: SymbolicWalk,
        values: FxHashMap<Term, Term>,
        steps: u64,
    ) {
        let SymbolicWalk { path, choices, unknowns, spans, passed, others, .. } = walk;
        self.passages.push(EdgeDraft {
            from,
            to,
            path,
            values,
            choices,
            unknowns,
            spans,
            passed,
            others,
            steps,
        });
    }
}
