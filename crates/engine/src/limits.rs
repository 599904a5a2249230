//! How much is tried: one struct for each engine, one number for everything that has a bound of its own.
//!
//! A bound keeps an attempt short, and most answers are found far below it. An attempt that failed because of a
//! bound may be made again with larger ones, as long as there is time: [`Limits::scaled`].

use std::time::Duration;

/// Bounds of the methods for transition systems. What is beyond one is left open where that is safe, and
/// otherwise ends the attempt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Alternatives of one edge, or of one term in it: with more, the term is any number.
    pub ways: usize,
    /// Paths of a whole graph.
    pub paths: usize,
    /// Sums of variables that are bounded at each location.
    pub sums: usize,
    /// Conditions of a path that are multiplied with each other where there are products.
    pub factors: usize,
    /// Cases of one location.
    pub cases: usize,
    /// Paths of a graph whose locations are split into cases.
    pub split_paths: usize,
}

impl Limits {
    /// What is tried first.
    pub const USUAL: Limits =
        Limits { ways: 96, paths: 6000, sums: 160, factors: 14, cases: 8, split_paths: 1500 };

    /// So many times as much. What grows with the square of a number gets less.
    #[must_use]
    pub fn scaled(self, by: usize) -> Limits {
        let by = by.max(1);
        Limits {
            ways: self.ways * by,
            paths: self.paths * by,
            sums: self.sums * by,
            factors: self.factors * by.min(2),
            cases: self.cases * by.min(4),
            split_paths: self.split_paths * by,
        }
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits::USUAL
    }
}

/// How far bounds on what calls return are looked for.
pub(crate) struct SummaryLimits {
    /// Constants of a function that are looked at.
    pub(crate) constants: usize,
    /// Conditions of a function that are looked at.
    pub(crate) conditions: usize,
    /// Times that bounds give way.
    pub(crate) weakenings: usize,
}

/// The limits of [`SummaryLimits`].
pub(crate) const SUMMARY_LIMITS: SummaryLimits =
    SummaryLimits { constants: 10, conditions: 4, weakenings: 400 };

/// How far states of a program are looked for that are never left.
pub(crate) struct SteadySetLimits {
    /// How many stuck states are looked at.
    pub(crate) rounds: usize,
    /// Edges of a way into a set.
    pub(crate) way_edges: usize,
    /// Ways into a set that are tried.
    pub(crate) ways: usize,
    /// Terms that may be made on the way.
    pub(crate) terms: usize,
    /// How often the sets of a greatest fixpoint are made smaller.
    pub(crate) fixpoint_rounds: usize,
    /// Terms that may be made on that way.
    pub(crate) fixpoint_terms: usize,
}

/// The limits of [`SteadySetLimits`].
pub(crate) const STEADY_SET_LIMITS: SteadySetLimits = SteadySetLimits {
    rounds: 16,
    way_edges: 4,
    ways: 24,
    terms: 200_000,
    fixpoint_rounds: 4,
    fixpoint_terms: 200_000,
};

/// How far recurrent sets are looked for.
pub(crate) struct RecurrentSetLimits {
    /// The longest that one question may take.
    pub(crate) query: Duration,
    /// Conditions that are added to a closed set at most.
    pub(crate) conditions: usize,
    /// Questions that the search for one closed set may cost.
    pub(crate) queries: usize,
    /// Ways to choose that are considered for one path.
    pub(crate) choices: usize,
    /// Moves in a part; more are too many.
    pub(crate) moves: usize,
    /// The longest simulated run.
    pub(crate) simulated_steps: usize,
    /// How many times the solver may be asked what such a run chooses.
    pub(crate) simulated_questions: usize,
}

/// The limits of [`RecurrentSetLimits`].
pub(crate) const RECURRENT_SET_LIMITS: RecurrentSetLimits = RecurrentSetLimits {
    query: Duration::from_millis(1500),
    conditions: 10,
    queries: 400,
    choices: 4,
    moves: 80,
    simulated_steps: 20_000,
    simulated_questions: 200,
};

/// How far graphs of abstract states are built.
pub(crate) struct ForwardLimits {
    /// Larger steps between numbers are forgotten.
    pub(crate) large_step: i128,
    /// How often the conditions are looked at for what they say of intervals.
    pub(crate) refinements: usize,
    /// Ways to choose that are considered for one path.
    pub(crate) choices: usize,
    /// Moves in a part; more are too many.
    pub(crate) moves: usize,
    /// Regions of a part.
    pub(crate) regions: usize,
    /// Parts that one region is cut into at once.
    pub(crate) pieces: usize,
    /// Times that a region is cut by what comes later.
    pub(crate) cuts: usize,
    /// Stems from which regions are looked at: to each location, and in all.
    pub(crate) stems: (usize, usize),
    /// Regions that stems lead to are looked at for so many stems.
    pub(crate) seeded_stems: usize,
}

/// The limits of [`ForwardLimits`].
pub(crate) const FORWARD_LIMITS: ForwardLimits = ForwardLimits {
    large_step: 1 << 20,
    refinements: 4,
    choices: 6,
    moves: 120,
    regions: 500,
    pieces: 40,
    cuts: 4,
    stems: (12, 400),
    seeded_stems: 6,
};

/// How far lassos are looked for.
pub(crate) struct LassoLimits {
    /// How many ways to choose are tried for one loop.
    pub(crate) choices: usize,
    /// More loops along given edges than this are not tried at one location.
    pub(crate) cycles: usize,
    /// More steps than this make no readable stem.
    pub(crate) stem_steps: usize,
    /// How many conditions are added at most, one after the other.
    pub(crate) conditions: usize,
    /// How many questions a search for them may cost.
    pub(crate) queries: usize,
    /// Loops of more edges than this are not taken many times at once.
    pub(crate) repeated_edges: usize,
}

/// The limits of [`LassoLimits`].
pub(crate) const LASSO_LIMITS: LassoLimits = LassoLimits {
    choices: 24,
    cycles: 40,
    stem_steps: 100_000,
    conditions: 6,
    queries: 120,
    repeated_edges: 6,
};

/// How far transition invariants are looked for.
pub(crate) struct TransitionInvariantLimits {
    /// How many lassos are looked at for one location.
    pub(crate) lassos: usize,
    /// More relations than this are not looked at.
    pub(crate) relations: usize,
    /// More predicates than this at a location slow everything down.
    pub(crate) predicates: usize,
    /// The snapshot is taken in at most two to this many cases.
    pub(crate) snapshot_cases: usize,
    /// With more variables than this, they are not compared with each other.
    pub(crate) compared_variables: usize,
    /// The longest that one linear program may take.
    pub(crate) linear_program: Duration,
}

/// The limits of [`TransitionInvariantLimits`].
pub(crate) const TRANSITION_INVARIANT_LIMITS: TransitionInvariantLimits =
    TransitionInvariantLimits {
        lassos: 40,
        relations: 600,
        predicates: 80,
        snapshot_cases: 4,
        compared_variables: 4,
        linear_program: Duration::from_secs(5),
    };

/// How far a program is walked through for a closed set of its states.
pub(crate) struct ClosedProgramLimits {
    /// Walks that are followed.
    pub(crate) walks: usize,
    /// Steps of one walk from decision to decision.
    pub(crate) steps: u64,
    /// Times that a walk comes to a loop head after decisions in the loop.
    pub(crate) decided_iterations: u32,
    /// Times that a walk comes to a loop head without decisions.
    pub(crate) plain_iterations: u32,
    /// Steps of the replay that are looked at one by one.
    pub(crate) looks: u64,
    /// The least time in which samples of inputs are tried.
    pub(crate) least_for_samples: Duration,
    /// Samples of inputs that runs are followed on.
    pub(crate) samples: u32,
    /// Heads that are looked from because such a run did not end.
    pub(crate) sampled_heads: usize,
    /// Steps after which a run on sampled inputs counts as one that does not end.
    pub(crate) sampled_steps: u64,
    /// Inputs that such a run may have read.
    pub(crate) sampled_inputs: usize,
    /// Objects more than at the start with which such a run is not looked at any more.
    pub(crate) sampled_objects: usize,
}

/// The limits of [`ClosedProgramLimits`].
pub(crate) const CLOSED_PROGRAM_LIMITS: ClosedProgramLimits = ClosedProgramLimits {
    walks: 20_000,
    steps: 5_000_000,
    decided_iterations: 6,
    plain_iterations: 50_000,
    looks: 1_000_000,
    least_for_samples: Duration::from_millis(250),
    samples: 64,
    sampled_heads: 12,
    sampled_steps: 60_000,
    sampled_inputs: 300,
    sampled_objects: 100,
};

/// How far rankings of programs are looked for.
pub(crate) struct ProgramRankingLimits {
    /// The longest that one question on the way from head to head may take.
    pub(crate) query: Duration,
    /// A system with questions that were not answered is made again when there is so many times as much time.
    pub(crate) more_time: u32,
}

/// The limits of [`ProgramRankingLimits`].
pub(crate) const PROGRAM_RANKING_LIMITS: ProgramRankingLimits =
    ProgramRankingLimits { query: Duration::from_secs(2), more_time: 3 };
