//! The tables: which engine has which slice of time, in which order.
//!
//! What is quick comes first, and slices grow. A slice is at most so long, and at most such a part of what is left,
//! so a short limit shrinks all of them alike. An engine that gave up by itself has no further slices, and the last
//! one that is still open has all the time that is left. Slices of one *round* do not wait for each other: where
//! they are long enough for it to matter, they run side by side.

use std::time::Duration;

use ouro_evidence::IntegerSemantics;
use ouro_model::{BinaryOp, Instruction, Operand, Program, Statement};

use crate::engine::EngineKind;

/// Which integers a slice is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IntegerReading {
    /// Those of the question.
    AsAsked,
    /// Integers that wrap around.
    Wrapping,
    /// Integers without bounds.
    Unbounded,
}

impl IntegerReading {
    /// The meaning of integers that it stands for.
    pub fn ints(self, asked: IntegerSemantics) -> IntegerSemantics {
        match self {
            IntegerReading::AsAsked => asked,
            IntegerReading::Wrapping => IntegerSemantics::Wrap,
            IntegerReading::Unbounded => IntegerSemantics::Unbounded,
        }
    }
}

/// One line of a schedule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScheduledSlice {
    /// Who runs.
    pub engine: EngineKind,
    /// With which integers.
    pub reading: IntegerReading,
    /// For how long at most.
    pub at_most: Duration,
    /// For at most this part of what is left: one over this number.
    pub part: u32,
    /// Slices of one round do not wait for each other.
    pub round: u32,
}

impl ScheduledSlice {
    /// How long it is, where so much time is left.
    pub fn length(&self, left: Duration) -> Duration {
        self.at_most.min(left / self.part.max(1))
    }
}

/// A schedule: the lines in the order in which they run.
pub type EngineSchedule = [ScheduledSlice];

const fn slice(round: u32, engine: EngineKind, milliseconds: u64, part: u32) -> ScheduledSlice {
    let at_most = Duration::from_millis(milliseconds);
    ScheduledSlice { engine, reading: IntegerReading::AsAsked, at_most, part, round }
}

const fn share(round: u32, engine: EngineKind, part: u32) -> ScheduledSlice {
    ScheduledSlice { engine, reading: IntegerReading::AsAsked, at_most: Duration::MAX, part, round }
}

const fn reading(reading: IntegerReading, slice: ScheduledSlice) -> ScheduledSlice {
    ScheduledSlice { reading, ..slice }
}

use EngineKind::{
    EasyRecurrentSets, Explore, Parts, QuickRanking, Ranking, RecurrentSets, TransitionInvariants,
};

/// How a program is begun with. `explore` is there at once where it works, so it comes first; easy rankings are there
/// soon or not at all.
const PROGRAM_OPENING: &EngineSchedule = &[
    slice(0, Explore, 40, 20),
    slice(1, QuickRanking, 130, 40),
    slice(2, Explore, 250, 8),
    slice(3, QuickRanking, 400, 20),
    slice(3, Ranking, 150, 40),
];

/// The same for integers without bounds, of which no two are multiplied: recurrent sets of such are there soon or
/// not at all, too.
const LINEAR_OPENING: &EngineSchedule = &[
    slice(0, Explore, 30, 20),
    slice(1, RecurrentSets, 50, 20),
    slice(2, QuickRanking, 400, 20),
    slice(2, Ranking, 150, 40),
    slice(3, Explore, 250, 8),
];

/// The same where integers without bounds are multiplied. Products of those are questions that the solver does not
/// always stop asking itself when it is told to, so what asks fewer of them begins.
const PRODUCTS_OPENING: &EngineSchedule =
    &[slice(0, QuickRanking, 400, 20), slice(0, Ranking, 150, 40), slice(1, Explore, 250, 8)];

/// Short slices of what needs some time.
const SHORT_SLICES: &EngineSchedule = &[
    slice(0, Parts, 250, 16),
    slice(1, RecurrentSets, 100, 20),
    slice(2, Ranking, 400, 20),
    slice(3, RecurrentSets, 250, 20),
];

/// Whether a run never ends once an integer has overflowed.
const OVERFLOW_SLICES: &EngineSchedule = &[
    reading(IntegerReading::Wrapping, slice(0, EasyRecurrentSets, 400, 16)),
    reading(IntegerReading::Wrapping, slice(1, RecurrentSets, 400, 16)),
    reading(IntegerReading::Unbounded, slice(2, EasyRecurrentSets, 400, 16)),
    reading(IntegerReading::Unbounded, slice(3, RecurrentSets, 400, 16)),
];

/// Everybody at length, with ever larger parts of what is left.
const LONG_SLICES: &EngineSchedule = &[
    slice(0, Parts, 2500, 8),
    slice(1, Explore, 1500, 8),
    slice(1, Ranking, 1500, 8),
    share(2, RecurrentSets, 8),
    share(2, Ranking, 6),
    share(3, Explore, 4),
    share(3, TransitionInvariants, 12),
    share(4, Parts, 6),
    share(5, RecurrentSets, 4),
    share(5, Ranking, 4),
    share(6, Explore, 2),
    share(6, TransitionInvariants, 4),
    share(7, RecurrentSets, 2),
    share(8, Explore, 1),
];

/// Phases of a schedule; each counts its rounds from 0.
type SchedulePhases = [&'static EngineSchedule];

const fn count_slices(phases: &SchedulePhases) -> usize {
    let mut count = 0;
    let mut next = 0;
    while next < phases.len() {
        count += phases[next].len();
        next += 1;
    }
    count
}

/// One phase after the other, with the rounds counted through.
const fn join_phases<const COUNT: usize>(phases: &SchedulePhases) -> [ScheduledSlice; COUNT] {
    let mut all = [share(0, Explore, 1); COUNT];
    let mut at = 0;
    let mut first_round = 0;
    let mut phase = 0;
    while phase < phases.len() {
        let mut next = 0;
        while next < phases[phase].len() {
            let slice = phases[phase][next];
            all[at] = ScheduledSlice { round: first_round + slice.round, ..slice };
            at += 1;
            next += 1;
        }
        first_round = all[at - 1].round + 1;
        phase += 1;
    }
    all
}

const PROGRAM_PHASES: &SchedulePhases = &[PROGRAM_OPENING, SHORT_SLICES, LONG_SLICES];
const LINEAR_PHASES: &SchedulePhases = &[LINEAR_OPENING, SHORT_SLICES, LONG_SLICES];
const PRODUCTS_PHASES: &SchedulePhases = &[PRODUCTS_OPENING, SHORT_SLICES, LONG_SLICES];
const ALSO_WRAPPING_PHASES: &SchedulePhases =
    &[PROGRAM_OPENING, SHORT_SLICES, OVERFLOW_SLICES, LONG_SLICES];

/// For programs.
pub const PROGRAM_SCHEDULE: &EngineSchedule =
    &join_phases::<{ count_slices(PROGRAM_PHASES) }>(PROGRAM_PHASES);

/// For programs with integers without bounds, of which no two are multiplied.
pub const PROGRAM_LINEAR_SCHEDULE: &EngineSchedule =
    &join_phases::<{ count_slices(LINEAR_PHASES) }>(LINEAR_PHASES);

/// For programs where integers without bounds are multiplied.
pub const PROGRAM_PRODUCTS_SCHEDULE: &EngineSchedule =
    &join_phases::<{ count_slices(PRODUCTS_PHASES) }>(PRODUCTS_PHASES);

/// For programs where a run that never ends only once an integer has overflowed is an answer, too: the question about
/// such runs is asked before the long slices.
pub const PROGRAM_ALSO_WRAPPING_SCHEDULE: &EngineSchedule =
    &join_phases::<{ count_slices(ALSO_WRAPPING_PHASES) }>(ALSO_WRAPPING_PHASES);

/// The schedule for a program with such integers.
pub fn program_schedule(program: &Program, ints: IntegerSemantics) -> &'static EngineSchedule {
    match ints {
        IntegerSemantics::C | IntegerSemantics::Wrap => PROGRAM_SCHEDULE,
        IntegerSemantics::Unbounded if has_products(program) => PROGRAM_PRODUCTS_SCHEDULE,
        IntegerSemantics::Unbounded => PROGRAM_LINEAR_SCHEDULE,
    }
}

/// Whether the user's code multiplies or divides what are no constants.
fn has_products(program: &Program) -> bool {
    let is_constant = |operand: &Operand| matches!(operand, Operand::Const { .. });
    let is_product = |statement: &Statement| match &statement.instruction {
        Instruction::Binary { op, left, right, .. } => match op {
            BinaryOp::Mul { .. } => !is_constant(left) && !is_constant(right),
            BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem => {
                !is_constant(right)
            }
            _ => false,
        },
        _ => false,
    };
    let users = program.functions.iter().filter(|function| function.user);
    users
        .flat_map(|function| function.blocks.iter())
        .any(|block| block.statements.iter().any(is_product))
}

/// For a look at runs that never end once an integer has overflowed, where all else is known.
pub const WRAPPING_SETS_SCHEDULE: &EngineSchedule = &[
    reading(IntegerReading::Wrapping, slice(0, EasyRecurrentSets, 400, 2)),
    reading(IntegerReading::Wrapping, slice(1, RecurrentSets, 800, 1)),
];

/// For transition systems.
pub const SYSTEM_SCHEDULE: &EngineSchedule = &[
    slice(0, Ranking, 60, 20),
    slice(1, RecurrentSets, 60, 20),
    slice(2, Ranking, 300, 20),
    slice(3, RecurrentSets, 300, 20),
    slice(4, Ranking, 1500, 10),
    slice(4, RecurrentSets, 1500, 10),
    slice(5, TransitionInvariants, 500, 20),
    share(6, Ranking, 3),
    share(6, RecurrentSets, 6),
    share(7, TransitionInvariants, 4),
    share(7, RecurrentSets, 5),
    share(8, Ranking, 2),
    share(9, TransitionInvariants, 2),
    share(10, RecurrentSets, 1),
];

/// For one loop on its own: what mostly works at once.
pub const LOOP_EASY_SCHEDULE: &EngineSchedule = &[share(0, QuickRanking, 1)];

/// For one loop on its own: what takes longer.
pub const LOOP_RANKING_SCHEDULE: &EngineSchedule = &[share(0, Ranking, 1)];

/// For one loop on its own: what takes longer still.
pub const LOOP_TRANSITION_SCHEDULE: &EngineSchedule = &[share(0, TransitionInvariants, 1)];

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [&EngineSchedule; 6] = [
        PROGRAM_SCHEDULE,
        PROGRAM_LINEAR_SCHEDULE,
        PROGRAM_PRODUCTS_SCHEDULE,
        PROGRAM_ALSO_WRAPPING_SCHEDULE,
        WRAPPING_SETS_SCHEDULE,
        SYSTEM_SCHEDULE,
    ];

    #[test]
    fn rounds_are_in_order_and_small() {
        for schedule in ALL {
            assert!(schedule.is_sorted_by_key(|slice| slice.round));
            for slice in schedule {
                let beside = schedule.iter().filter(|other| other.round == slice.round);
                assert!(beside.count() <= 2, "round {}", slice.round);
            }
        }
    }

    #[test]
    fn an_engine_has_ever_longer_slices() {
        let left = Duration::from_secs(60);
        for schedule in ALL {
            for (number, slice) in schedule.iter().enumerate() {
                let earlier = schedule[..number]
                    .iter()
                    .filter(|other| other.engine == slice.engine && other.reading == slice.reading);
                for other in earlier {
                    assert!(other.length(left) <= slice.length(left), "{slice:?}");
                }
            }
        }
    }

    #[test]
    fn what_is_for_systems_runs_no_programs() {
        assert!(SYSTEM_SCHEDULE.iter().all(|slice| slice.engine.takes_systems()));
    }
}
