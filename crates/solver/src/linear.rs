//! Systems of linear inequalities over the rationals, some of them under a condition: what the
//! synthesis of rankings and invariants asks.

use std::time::Instant;

use num_bigint::BigInt;
use num_traits::One;

use crate::clock;
use crate::raw::{SolverKind, SolverOutcome, SolverTuning, Z3Ast, Z3Context, Z3Failure, Z3Solver};
use crate::watchdog::QueryWatchdog;

/// An unknown number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LinearUnknown(pub usize);

/// An unknown truth value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LinearSwitch(pub usize);

/// A sum of unknowns and a constant that is zero, or at least not negative.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LinearRow {
    /// Only if this switch is on.
    pub when: Option<LinearSwitch>,
    /// Coefficients of unknowns.
    pub sum: Vec<(LinearUnknown, i128)>,
    /// What is added.
    pub constant: i128,
    /// Whether it is zero, rather than not negative.
    pub is_zero: bool,
}

/// Rows over unknowns and switches.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LinearSystem {
    unknowns: usize,
    switches: usize,
    rows: Vec<LinearRow>,
    clauses: Vec<Vec<LinearSwitch>>,
}

/// What solves a system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LinearSolution {
    /// For each unknown, numerator and (positive) denominator.
    pub values: Vec<(BigInt, BigInt)>,
    /// Which switches are on.
    pub on: Vec<bool>,
}

impl LinearSystem {
    /// Without rows.
    pub fn new() -> LinearSystem {
        LinearSystem::default()
    }

    /// A new unknown of any value.
    pub fn new_unknown(&mut self) -> LinearUnknown {
        self.unknowns += 1;
        LinearUnknown(self.unknowns - 1)
    }

    /// A new unknown that is not negative.
    pub fn new_nonnegative(&mut self) -> LinearUnknown {
        let unknown = self.new_unknown();
        self.rows.push(LinearRow {
            when: None,
            sum: vec![(unknown, 1)],
            constant: 0,
            is_zero: false,
        });
        unknown
    }

    /// A new switch.
    pub fn new_switch(&mut self) -> LinearSwitch {
        self.switches += 1;
        LinearSwitch(self.switches - 1)
    }

    /// Adds a row.
    pub fn require_row(&mut self, row: LinearRow) {
        self.rows.push(row);
    }

    /// One of these switches has to be on.
    pub fn require_one_of(&mut self, switches: Vec<LinearSwitch>) {
        self.clauses.push(switches);
    }

    /// A solution, if one is found by then.
    pub fn solve(&self, deadline: Instant, memory_mib: u32) -> Option<LinearSolution> {
        let remaining = deadline.checked_duration_since(clock::budget_now())?;
        let milliseconds = u32::try_from(clock::wall_clock_allowance(remaining).as_millis())
            .unwrap_or(u32::MAX)
            .max(1);
        let watchdog = QueryWatchdog::new(memory_mib);
        let context = Z3Context::new();
        watchdog.watch_context(Some(context.interruptible()));
        let (solution, stopped) =
            watchdog.guard_query(deadline, || self.ask_z3(&context, milliseconds));
        watchdog.watch_context(None);
        match (solution, stopped) {
            (Ok(solution), None) => solution,
            _ => None,
        }
    }

    fn ask_z3(
        &self,
        context: &std::rc::Rc<Z3Context>,
        milliseconds: u32,
    ) -> Result<Option<LinearSolution>, Z3Failure> {
        let (real, bool) = (context.real_sort()?, context.bool_sort()?);
        let unknowns: Vec<Z3Ast> = (0..self.unknowns)
            .map(|_| context.fresh_constant("x", real))
            .collect::<Result<_, _>>()?;
        let switches: Vec<Z3Ast> = (0..self.switches)
            .map(|_| context.fresh_constant("s", bool))
            .collect::<Result<_, _>>()?;
        let tuning = SolverTuning { milliseconds, steps: 0 };
        let kind = if self.switches == 0 { SolverKind::Default } else { SolverKind::Simple };
        let solver = Z3Solver::new(context, kind, tuning)?;
        let zero = context.numeral("0", real)?;
        for row in &self.rows {
            let mut parts = Vec::with_capacity(row.sum.len() + 1);
            for (unknown, coefficient) in &row.sum {
                let coefficient = context.numeral(&coefficient.to_string(), real)?;
                parts.push(context.int_mul(&[coefficient, unknowns[unknown.0]])?);
            }
            parts.push(context.numeral(&row.constant.to_string(), real)?);
            let sum = context.int_add(&parts)?;
            let mut formula = match row.is_zero {
                true => context.eq(sum, zero)?,
                false => context.int_le(zero, sum)?,
            };
            if let Some(switch) = row.when {
                formula = context.implies(switches[switch.0], formula)?;
            }
            solver.assert_formula(formula)?;
        }
        for clause in &self.clauses {
            let clause: Vec<Z3Ast> = clause.iter().map(|switch| switches[switch.0]).collect();
            solver.assert_formula(context.or(&clause)?)?;
        }
        if !matches!(solver.check_assumptions(&[]), SolverOutcome::Sat) {
            return Ok(None);
        }
        let values = solver.model_values(&unknowns)?;
        let on = solver.model_values(&switches)?;
        let values: Option<Vec<(BigInt, BigInt)>> =
            values.iter().map(|text| parse_ratio(text.as_deref()?)).collect();
        Ok(values.map(|values| LinearSolution {
            values,
            on: on.iter().map(|text| text.as_deref() == Some("true")).collect(),
        }))
    }
}

/// A number as Z3 writes it: `-3/4`.
fn parse_ratio(text: &str) -> Option<(BigInt, BigInt)> {
    match text.split_once('/') {
        Some((above, below)) => Some((above.parse().ok()?, below.parse().ok()?)),
        None => Some((text.parse().ok()?, BigInt::one())),
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    fn row(sum: Vec<(LinearUnknown, i128)>, constant: i128) -> LinearRow {
        LinearRow { when: None, sum, constant, is_zero: false }
    }

    #[test]
    fn a_corner_and_a_contradiction() {
        let deadline = Instant::now() + Duration::from_secs(20);
        let mut system = LinearSystem::new();
        let (x, y) = (system.new_unknown(), system.new_nonnegative());
        system.require_row(LinearRow { is_zero: true, ..row(vec![(x, 3), (y, -1)], -1) });
        system.require_row(row(vec![(y, -1)], 0));
        let solution = system.solve(deadline, 0).expect("x = 1/3, y = 0");
        assert_eq!(solution.values[0], (1.into(), 3.into()));
        system.require_row(row(vec![(x, 1)], -1));
        assert_eq!(system.solve(deadline, 0), None);
    }

    #[test]
    fn a_switch_brings_its_rows() {
        let deadline = Instant::now() + Duration::from_secs(20);
        let mut system = LinearSystem::new();
        let x = system.new_unknown();
        let (low, high) = (system.new_switch(), system.new_switch());
        system.require_row(LinearRow { when: Some(low), ..row(vec![(x, -1)], 0) });
        system.require_row(LinearRow { when: Some(high), ..row(vec![(x, 1)], -10) });
        system.require_row(row(vec![(x, 1)], -5));
        system.require_one_of(vec![low, high]);
        let solution = system.solve(deadline, 0).expect("the high one");
        assert_eq!(solution.on, [false, true]);
        assert!(solution.values[0].0 >= 10.into());
    }
}
