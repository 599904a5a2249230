//! Systems of linear inequalities over the rationals, some of them under a condition: what the
//! synthesis of rankings and invariants asks.

use std::time::Instant;

use num_bigint::BigInt;
use num_traits::One;

use crate::clock;
use crate::raw::{Ast, Context, Failure, Kind, Outcome, Solver, Tuning};
use crate::watchdog::Watchdog;

/// An unknown number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Unknown(pub usize);

/// An unknown truth value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Switch(pub usize);

/// A sum of unknowns and a constant that is zero, or at least not negative.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// Only if this switch is on.
    pub when: Option<Switch>,
    /// Coefficients of unknowns.
    pub sum: Vec<(Unknown, i128)>,
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
    rows: Vec<Row>,
    clauses: Vec<Vec<Switch>>,
}

/// What solves a system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
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
    pub fn unknown(&mut self) -> Unknown {
        self.unknowns += 1;
        Unknown(self.unknowns - 1)
    }

    /// A new unknown that is not negative.
    pub fn positive(&mut self) -> Unknown {
        let unknown = self.unknown();
        self.rows.push(Row { when: None, sum: vec![(unknown, 1)], constant: 0, is_zero: false });
        unknown
    }

    /// A new switch.
    pub fn switch(&mut self) -> Switch {
        self.switches += 1;
        Switch(self.switches - 1)
    }

    /// Adds a row.
    pub fn require(&mut self, row: Row) {
        self.rows.push(row);
    }

    /// One of these switches has to be on.
    pub fn one_of(&mut self, switches: Vec<Switch>) {
        self.clauses.push(switches);
    }

    /// A solution, if one is found by then.
    pub fn solve(&self, deadline: Instant, memory_mib: u32) -> Option<Solution> {
        let remaining = deadline.checked_duration_since(clock::now())?;
        let milliseconds =
            u32::try_from(clock::patience(remaining).as_millis()).unwrap_or(u32::MAX).max(1);
        let watchdog = Watchdog::new(memory_mib);
        let context = Context::new();
        watchdog.watch(Some(context.interruptible()));
        let (solution, stopped) = watchdog.guard(deadline, || self.ask(&context, milliseconds));
        watchdog.watch(None);
        match (solution, stopped) {
            (Ok(solution), None) => solution,
            _ => None,
        }
    }

    fn ask(
        &self,
        context: &std::rc::Rc<Context>,
        milliseconds: u32,
    ) -> Result<Option<Solution>, Failure> {
        let (real, bool) = (context.real_sort()?, context.bool_sort()?);
        let unknowns: Vec<Ast> =
            (0..self.unknowns).map(|_| context.unnamed("x", real)).collect::<Result<_, _>>()?;
        let switches: Vec<Ast> =
            (0..self.switches).map(|_| context.unnamed("s", bool)).collect::<Result<_, _>>()?;
        let tuning = Tuning { milliseconds, steps: 0 };
        let kind = if self.switches == 0 { Kind::Default } else { Kind::Simple };
        let solver = Solver::new(context, kind, tuning)?;
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
            solver.assert(formula)?;
        }
        for clause in &self.clauses {
            let clause: Vec<Ast> = clause.iter().map(|switch| switches[switch.0]).collect();
            solver.assert(context.or(&clause)?)?;
        }
        if !matches!(solver.check(&[]), Outcome::Sat) {
            return Ok(None);
        }
        let values = solver.values(&unknowns)?;
        let on = solver.values(&switches)?;
        let values: Option<Vec<(BigInt, BigInt)>> =
            values.iter().map(|text| ratio(text.as_deref()?)).collect();
        Ok(values.map(|values| Solution {
            values,
            on: on.iter().map(|text| text.as_deref() == Some("true")).collect(),
        }))
    }
}

/// A number as Z3 writes it: `-3/4`.
fn ratio(text: &str) -> Option<(BigInt, BigInt)> {
    match text.split_once('/') {
        Some((above, below)) => Some((above.parse().ok()?, below.parse().ok()?)),
        None => Some((text.parse().ok()?, BigInt::one())),
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    fn row(sum: Vec<(Unknown, i128)>, constant: i128) -> Row {
        Row { when: None, sum, constant, is_zero: false }
    }

    #[test]
    fn a_corner_and_a_contradiction() {
        let deadline = Instant::now() + Duration::from_secs(20);
        let mut system = LinearSystem::new();
        let (x, y) = (system.unknown(), system.positive());
        system.require(Row { is_zero: true, ..row(vec![(x, 3), (y, -1)], -1) });
        system.require(row(vec![(y, -1)], 0));
        let solution = system.solve(deadline, 0).expect("x = 1/3, y = 0");
        assert_eq!(solution.values[0], (1.into(), 3.into()));
        system.require(row(vec![(x, 1)], -1));
        assert_eq!(system.solve(deadline, 0), None);
    }

    #[test]
    fn a_switch_brings_its_rows() {
        let deadline = Instant::now() + Duration::from_secs(20);
        let mut system = LinearSystem::new();
        let x = system.unknown();
        let (low, high) = (system.switch(), system.switch());
        system.require(Row { when: Some(low), ..row(vec![(x, -1)], 0) });
        system.require(Row { when: Some(high), ..row(vec![(x, 1)], -10) });
        system.require(row(vec![(x, 1)], -5));
        system.one_of(vec![low, high]);
        let solution = system.solve(deadline, 0).expect("the high one");
        assert_eq!(solution.on, [false, true]);
        assert!(solution.values[0].0 >= 10.into());
    }
}
