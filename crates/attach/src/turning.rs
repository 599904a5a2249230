//! When a path is left: which value grows, by how much each time, and where it turns.
//!
//! A loop that counts towards a bound is no endless loop, and one whose counter changes its kind some day
//! (a longer number, a float) may be one that nobody can prove. In both cases people want to know what is
//! counted, and when it gets there.

use ouro_pcode::{InstructionTracer, TraceCondition};
use ouro_solver::{Session, SolverAnswer};
use ouro_term::{Term, TermOp, TermStore};

use crate::iteration::LoopIteration;
use crate::limits::LIMITS;
use ouro_evidence::process::ProcessCell;

/// A cell that grows, and where that sends control another way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct TurningPoint {
    /// What will not hold.
    pub(crate) condition: TraceCondition,
    /// What grows.
    pub(crate) cell: ProcessCell,
    /// Its number now.
    pub(crate) now: u64,
    /// What each iteration adds; it may be negative.
    pub(crate) step: i64,
    /// After so many iterations the condition does not hold.
    pub(crate) rounds: u64,
    /// The cell's number then.
    pub(crate) then: u64,
}

/// The first turn of a path, among those that one evenly growing cell decides.
pub(crate) fn first_turning_point(
    terms: &mut TermStore,
    session: &mut Session,
    cells: &[ProcessCell],
    symbols: &[Term],
    now: &[u64],
    iteration: &LoopIteration,
) -> Option<TurningPoint> {
    let mut found: Option<TurningPoint> = None;
    let mut looked_at = 0;
    for condition in &iteration.conditions {
        let Some(at) = decided_by(terms, symbols, condition) else { continue };
        let step = iteration.ends[at]
            .and_then(|end| InstructionTracer::offset_in_region(terms, end, symbols[at]));
        let Some(step) =
            step.map(|step| signed_cell_number(step, cells[at])).filter(|step| *step != 0)
        else {
            continue;
        };
        looked_at += 1;
        if looked_at > LIMITS.turning_conditions {
            break;
        }
        let limit = found.as_ref().map_or(u64::MAX, |turning| turning.rounds - 1);
        let counted = CountingCell { symbol: symbols[at], now: now[at], step };
        if let Some(rounds) = counted.rounds_until_false(terms, session, condition.term, limit) {
            let then = now[at].wrapping_add(step.cast_unsigned().wrapping_mul(rounds));
            found = Some(TurningPoint {
                condition: condition.clone(),
                cell: cells[at],
                now: now[at],
                step,
                rounds,
                then: masked_cell_number(then, cells[at]),
            });
        }
    }
    found.filter(|turning| turning.rounds > 1)
}

/// The only cell that a condition depends on.
fn decided_by(terms: &TermStore, symbols: &[Term], condition: &TraceCondition) -> Option<usize> {
    let used: Vec<_> = terms.symbols_of(condition.term).into_iter().collect();
    let [one] = used[..] else { return None };
    symbols.iter().position(|symbol| *terms.op(*symbol) == TermOp::Symbol(one))
}

/// A number of a cell's size, with its sign.
fn signed_cell_number(number: u64, cell: ProcessCell) -> i64 {
    let unused = 64 - 8 * u32::from(cell.size);
    (number << unused).cast_signed() >> unused
}

fn masked_cell_number(number: u64, cell: ProcessCell) -> u64 {
    number & u64::MAX >> (64 - 8 * u32::from(cell.size))
}

/// A cell that is `now + rounds * step`.
struct CountingCell {
    symbol: Term,
    now: u64,
    step: i64,
}

impl CountingCell {
    /// The least number of rounds, up to a limit, after which a condition does not hold.
    fn rounds_until_false(
        &self,
        terms: &mut TermStore,
        session: &mut Session,
        condition: Term,
        limit: u64,
    ) -> Option<u64> {
        let width = terms.width(self.symbol);
        let rounds = terms.intern_symbol(&format!("rounds{width}"), terms.sort(self.symbol))?;
        let step = terms.bv(width, u128::from(self.step.cast_unsigned()));
        let start = terms.bv(width, u128::from(self.now));
        let grown = terms.bv_mul(rounds, step);
        let value = terms.bv_add(start, grown);
        let map = [(self.symbol, value)].into_iter().collect();
        let then = terms.substitute(condition, &map);
        let broken = terms.not(then);
        let TermOp::Symbol(id) = terms.op(rounds).clone() else { return None };
        let all = if width >= 64 { u64::MAX } else { (1 << width) - 1 };
        // At most `high` rounds suffice, fewer than `low` do not.
        let (mut low, mut high) = (0, limit.min(all));
        let mut found = None;
        while low <= high {
            // First anywhere, then in the lower half of what is left.
            let most = if found.is_none() { high } else { low + (high - low) / 2 };
            let bound = terms.bv(width, u128::from(most));
            let within = terms.bv_ule(rounds, bound);
            match session.check_sat(terms, &[broken, within]) {
                SolverAnswer::Sat(model) => {
                    let value = model.get(id).and_then(ouro_term::Constant::as_bv).unwrap_or(0);
                    let value = u64::try_from(value).unwrap_or(0);
                    found = Some(value);
                    let Some(next) = value.checked_sub(1) else { break };
                    high = next;
                }
                SolverAnswer::Unsat if found.is_none() => return None,
                SolverAnswer::Unsat => low = most.checked_add(1)?,
                SolverAnswer::Unknown(_) => return None,
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use ouro_solver::SessionLimits;

    use super::*;

    fn rounds(width: u32, now: u64, step: i64, bound: u64) -> Option<u64> {
        let mut terms = TermStore::new();
        let symbol = terms.fresh_bv("x", width);
        let bound = terms.bv(width, u128::from(bound));
        let condition = terms.bv_ult(symbol, bound);
        let limits = SessionLimits { query: Duration::from_secs(60), ..SessionLimits::default() };
        let counted = CountingCell { symbol, now, step };
        counted.rounds_until_false(&mut terms, &mut Session::new(limits), condition, u64::MAX)
    }

    #[test]
    fn the_first_round_that_turns() {
        assert_eq!(rounds(32, 7, 1, 1 << 30), Some((1 << 30) - 7));
        assert_eq!(rounds(64, 7, 3, 100), Some(31));
        // Downwards, below zero.
        assert_eq!(rounds(64, 100, -7, 1 << 63), Some(15));
        assert_eq!(rounds(16, 0, 2, 0xffff), None, "it is never odd");
    }
}
