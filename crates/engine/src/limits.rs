//! How much is tried: one number for everything that has a bound of its own.
//!
//! A bound keeps an attempt short, and most answers are found far below it. An attempt that failed because of a
//! bound may be made again with larger ones, as long as there is time: [`Limits::scaled`].

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
