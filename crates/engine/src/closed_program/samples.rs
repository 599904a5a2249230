//! Runs on sampled inputs, looked at where they do not end soon.
//!
//! A run on fixed inputs has one way on, however many branches there are before a loop. One that is still going
//! round after many steps is either slow or endless: seen from where it is then, the program is a small transition system, in
//! which a counter that nothing looks at hides nothing. What is read inside the loop is as open there as ever.
//!
//! **What it misses.** Loops that only inputs lead to which nobody would guess.

use ouro_model::transition::TransitionSystem;
use ouro_solver::clock;
use ouro_transform::InputSample;
use ouro_transform::walk::{AssumedSummaries, SymbolicWalk, SymbolicWalker, WalkEvent};

use super::{ClosedSetSearch, KeptHead, SetEffort, find_set};
use crate::limits::CLOSED_PROGRAM_LIMITS;
use crate::{EngineSettings, UncheckedFinding};

impl ClosedSetSearch<'_> {
    /// Whether there are samples of inputs that no run was followed on.
    pub(super) fn has_samples_left(&self) -> bool {
        self.samples < CLOSED_PROGRAM_LIMITS.samples
            && self.sampled_heads < CLOSED_PROGRAM_LIMITS.sampled_heads
    }

    /// Follows runs on further samples until the deadline, and looks from where those are that do not end.
    pub(super) fn search_samples(
        &mut self,
        settings: &EngineSettings,
        is_cut: &mut bool,
    ) -> Option<(UncheckedFinding, &'static str)> {
        let effort = SetEffort::Thorough(Vec::new());
        let mut find = |system: &TransitionSystem, settings: &EngineSettings| {
            find_set(system, settings, &effort)
        };
        for known in 0..self.heads.len() {
            if self.heads[known].is_sampled {
                let found = self.look_from(known, &effort, settings, &mut find, is_cut);
                if found.is_some() || clock::budget_now() >= settings.deadline {
                    return found;
                }
            }
        }
        while self.has_samples_left() {
            let sample = InputSample { number: self.samples };
            let late = self.follow_sample(sample, settings);
            if clock::budget_now() >= settings.deadline {
                // The run may have been cut off: the next time begins with it.
                *is_cut = true;
                return None;
            }
            self.samples += 1;
            let Some(walk) = late else { continue };
            self.sampled_heads += 1;
            self.heads.push(KeptHead { walk, is_sampled: true, systems: Default::default() });
            let head = self.heads.len() - 1;
            let found = self.look_from(head, &effort, settings, &mut find, is_cut);
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// Where the run on a sample is after many steps, if it has not ended by then.
    fn follow_sample(
        &mut self,
        sample: InputSample,
        settings: &EngineSettings,
    ) -> Option<SymbolicWalk> {
        let promises = AssumedSummaries::new();
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
        let mut walk = SymbolicWalk::new(self.machine.start_state(), Vec::new());
        let at_start = walk.state.memory.objects().count();
        walk.sample = Some(sample);
        loop {
            let event = walker.follow_walk(&mut self.terms, walk, CLOSED_PROGRAM_LIMITS.steps);
            walk = match event {
                WalkEvent::Mark(walk) => *walk,
                // What the model does not know may part it: one way will do.
                WalkEvent::Parted(ways) => ways.into_iter().next()?,
                WalkEvent::Ended
                | WalkEvent::Returned(..)
                | WalkEvent::Broken(_)
                | WalkEvent::Lost(_)
                | WalkEvent::Spent => return None,
            };
            // One that reads at every turn would have them all on the way to its head.
            if walk.choices.len() > CLOSED_PROGRAM_LIMITS.sampled_inputs {
                return None;
            }
            if walk.state.steps >= CLOSED_PROGRAM_LIMITS.sampled_steps {
                // A heap that grows as long as the run does is too much to look at from there.
                let objects = walk.state.memory.objects().count();
                if objects > at_start + CLOSED_PROGRAM_LIMITS.sampled_objects {
                    return None;
                }
                walk.sample = None;
                return walker.is_feasible(&self.terms, &mut walk).then_some(walk);
            }
        }
    }
}
