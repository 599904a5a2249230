//! From a head to a closed set of iterations.
//!
//! **How it works.** The cells are what an iteration changes: first nothing, then whatever it left
//! different or computed from other cells, until nothing outside the cells is touched. If no branch, address
//! or fixed operand depends on a cell, the set is closed as it is (*projection*; without any cell the state
//! itself recurs). Otherwise invariants are sought that imply the conditions and are kept; where they leave
//! room for another path, that path is executed too and joins the iterations.
//!
//! **What it misses:** loops that use new memory each time, or walk through it (addresses are fixed), and
//! everything that the templates of `invariants` cannot say. **It never misleads:** what it returns is only
//! a proposal, to be checked by `check`.

use std::time::{Duration, Instant};

use ouro_pcode::{
    InstructionCache, InstructionTracer, PcodeMachine, PcodeStop, TraceCondition, TraceHalt,
};
use ouro_solver::{Session, SessionLimits, SolverAnswer};
use ouro_term::{Constant, Term, TermEvaluator, TermOp, TermStore};

use crate::cell::CellAccess as _;
use crate::check::iteration_substitution;
use crate::ideal::{MemoryIdealisation, STACK_POINTER, allocation_promise};
use crate::invariants::{CellHistory, assign_cells, retain_inductive};
use crate::iteration::{
    HeadStates, IterationBound, IterationFailure, LoopIteration, find_allocator_peek,
    trace_iteration,
};
use crate::limits::LIMITS;
use crate::templates::invariant_candidates;
use crate::turning::{self, TurningPoint};
use ouro_evidence::process::{IterationRecipe, ProcessCell};

/// How much is tried for a head.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ClosureEffort {
    /// The most paths.
    pub(crate) paths: usize,
    /// So many rounds of candidates.
    pub(crate) rounds: usize,
    /// Whether to find out what grows, if the loop is not closed.
    pub(crate) tells: bool,
}

/// Little for each head comes before much for any: a head in an inner loop needs a path for every way in
/// which that loop can end, the right one hardly ever needs more than two.
pub(crate) const EFFORTS: [ClosureEffort; 2] = [
    ClosureEffort { paths: 3, rounds: LIMITS.template_rounds - 1, tells: true },
    ClosureEffort { paths: 12, rounds: LIMITS.template_rounds, tells: false },
];

/// For a state that was nearly there again: either what differs decides nothing, or it is another matter.
pub(crate) const BRIEF: ClosureEffort = ClosureEffort { paths: 1, rounds: 0, tells: false };

/// A closed set of iterations, proposed.
pub(crate) struct ClosedIterations {
    pub(crate) cells: Vec<ProcessCell>,
    pub(crate) invariants: Vec<String>,
    pub(crate) recipes: Vec<IterationRecipe>,
    /// Instructions of the loop.
    pub(crate) code: Vec<u64>,
    /// Cells that decide something.
    pub(crate) deciding: Vec<(ProcessCell, u64)>,
    /// Bytes of stack and of heap that an iteration needs anew.
    pub(crate) stack: u64,
    pub(crate) heap: u64,
}

fn allocated_bytes(iteration: &LoopIteration) -> u64 {
    iteration.allocations.iter().map(|allocation| allocation.size).sum()
}

/// Why there is none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum ClosureFailure {
    /// The iteration could not be followed.
    Stop(PcodeStop),
    /// An undefined value decides, at this instruction.
    Opaque(String),
    /// The head was not reached again.
    NotBack,
    /// x87 or SSE's control differ each time.
    Control,
    /// So many cells change.
    TooMuch(usize),
    /// A condition need not hold again: these cells decide it.
    Open(TraceCondition, Vec<ProcessCell>),
    /// A value grows until a condition does not hold.
    Turns(Box<TurningPoint>),
    /// An address is used in two ways, at this instruction.
    Alias(String),
    /// This instruction looks at what an allocator keeps for itself, at this address.
    Peeks(String, u64),
    /// The time is over.
    Time,
    /// The solver did not answer.
    Solver(String),
}

impl From<IterationFailure> for ClosureFailure {
    fn from(no: IterationFailure) -> ClosureFailure {
        match no {
            IterationFailure::Halt(TraceHalt::Stop(stop)) => ClosureFailure::Stop(stop),
            IterationFailure::Halt(TraceHalt::Opaque(named)) => {
                ClosureFailure::Opaque(named.to_string())
            }
            IterationFailure::Halt(TraceHalt::Alias(named, _)) => {
                ClosureFailure::Alias(named.to_string())
            }
            IterationFailure::NotBack => ClosureFailure::NotBack,
            IterationFailure::Control => ClosureFailure::Control,
            IterationFailure::Time => ClosureFailure::Time,
        }
    }
}

/// The set that is worked on.
struct ClosureSearch<'a> {
    terms: TermStore,
    program: &'a mut InstructionCache,
    head: &'a PcodeMachine,
    until: IterationBound,
    ideal: Option<&'a MemoryIdealisation>,
    effort: ClosureEffort,
    deadline: Instant,
    cells: Vec<ProcessCell>,
    starts: Vec<Vec<u64>>,
    iterations: Vec<LoopIteration>,
}

/// Seeks a closed set of iterations from a machine at the head, each of so many visits.
pub(crate) fn close_iterations(
    program: &mut InstructionCache,
    head: &PcodeMachine,
    visits: u64,
    most: u64,
    ideal: Option<&MemoryIdealisation>,
    effort: ClosureEffort,
    deadline: Instant,
) -> Result<ClosedIterations, ClosureFailure> {
    let mut work = ClosureSearch {
        terms: TermStore::new(),
        program,
        head,
        until: IterationBound::Visits(visits, most),
        ideal,
        effort,
        deadline,
        cells: Vec::new(),
        starts: vec![Vec::new()],
        iterations: Vec::new(),
    };
    work.widen_cells()?;
    for _ in 0..effort.paths {
        if let Some((named, address)) = find_allocator_peek(&work.iterations) {
            return Err(ClosureFailure::Peeks(named.to_string(), *address));
        }
        let symbols: Vec<Term> =
            work.cells.iter().map(|cell| cell.symbol(&mut work.terms)).collect();
        if work.iterations.iter().any(|i| i.conditions.is_empty()) {
            return Ok(work.finish(&symbols, &[]));
        }
        let seen = work.observe_cells();
        let mut missing = Err(ClosureFailure::Time);
        let mut tried = Vec::new();
        for round in 0..effort.rounds {
            let all =
                invariant_candidates(&mut work.terms, &symbols, &work.iterations, &seen, round);
            if round > 0 && all == tried {
                continue;
            }
            tried.clone_from(&all);
            let invariants =
                retain_inductive(&mut work.terms, &symbols, &work.iterations, all, deadline)
                    .ok_or(ClosureFailure::Time)?;
            missing = work.find_uncovered_state(&symbols, &invariants);
            if let Ok(None) = missing {
                return Ok(work.finish(&symbols, &invariants));
            }
        }
        if let Some(values) = missing? {
            work.add_path_from(&symbols, values)?;
        }
    }
    let symbols: Vec<Term> = work.cells.iter().map(|cell| cell.symbol(&mut work.terms)).collect();
    let first = work.iterations.first().and_then(|i| i.conditions.first()).cloned();
    Err(work.explain_leaving(&symbols, first))
}

impl ClosureSearch<'_> {
    fn trace_from(&mut self, start: &[u64]) -> Result<LoopIteration, ClosureFailure> {
        let mut machine = self.head.clone();
        for (cell, value) in self.cells.iter().zip(start) {
            if !cell.set_in(&mut machine, *value) {
                return Err(ClosureFailure::NotBack);
            }
        }
        let deadline = self.deadline;
        let over = || Instant::now() >= deadline;
        let states = HeadStates { reference: self.head, cells: &self.cells, ideal: self.ideal };
        Ok(trace_iteration(&mut self.terms, self.program, &states, &machine, self.until, &over)?)
    }

    /// Traces every path again with more cells, until none strays.
    fn widen_cells(&mut self) -> Result<(), ClosureFailure> {
        let mut rounds = 0;
        'again: loop {
            rounds += 1;
            if self.cells.len() > LIMITS.cells || rounds > 40 {
                return Err(ClosureFailure::TooMuch(self.cells.len()));
            }
            self.iterations.clear();
            for i in 0..self.starts.len() {
                let start = self.starts[i].clone();
                let iteration = self.trace_from(&start)?;
                // More cells have more conditions: without invariants, one is too many.
                if let (0, Some(one)) = (self.effort.rounds, iteration.conditions.first()) {
                    return Err(ClosureFailure::Open(one.clone(), Vec::new()));
                }
                if !iteration.is_clean() {
                    self.add_cells_of(&iteration)?;
                    continue 'again;
                }
                self.iterations.push(iteration);
            }
            return Ok(());
        }
    }

    /// Adds the cells that an iteration needs; the starts get the numbers of the head there.
    fn add_cells_of(&mut self, iteration: &LoopIteration) -> Result<(), ClosureFailure> {
        let wider = iteration.widened_cells(&self.cells);
        let mut head = self.head.clone();
        for start in &mut self.starts {
            let old: Vec<(ProcessCell, u64)> =
                self.cells.iter().copied().zip(start.iter().copied()).collect();
            *start = Vec::new();
            for cell in &wider {
                let known = old.iter().find(|(other, _)| other == cell).map(|(_, value)| *value);
                let number = known.or_else(|| cell.number_in(&mut head));
                start.push(number.ok_or(ClosureFailure::NotBack)?);
            }
        }
        self.cells = wider;
        Ok(())
    }

    /// The cells' numbers at the head now, and at the next visits.
    fn observe_cells(&mut self) -> CellHistory {
        let mut machine = self.head.clone();
        let row = |machine: &mut PcodeMachine, cells: &[ProcessCell]| -> Option<Vec<u64>> {
            cells.iter().map(|cell| cell.number_in(machine)).collect()
        };
        let mut seen = Vec::new();
        let cells = self.cells.clone();
        seen.extend(row(&mut machine, &cells));
        let (visits, most) = match self.until {
            IterationBound::Visits(visits, most) => (visits, most),
            IterationBound::Steps(steps) => (1, steps),
        };
        for _ in 0..8 {
            for _ in 0..visits {
                if machine.run_until(self.program, most, Some(self.head.rip)).is_err()
                    || machine.rip != self.head.rip
                {
                    return seen;
                }
            }
            seen.extend(row(&mut machine, &cells));
        }
        seen
    }

    fn new_session(&self) -> Session {
        Session::new(SessionLimits {
            query: Duration::from_secs(5),
            deadline: Some(self.deadline),
            ..SessionLimits::default()
        })
    }

    /// What is known of memory that is allocated on the way.
    fn allocation_promises(&mut self) -> Vec<Term> {
        let allocated = self.iterations.iter().flat_map(|i| i.allocations.iter().map(|a| a.base));
        let mut bases: Vec<Term> = allocated.collect();
        bases.sort_unstable();
        bases.dedup();
        bases.into_iter().map(|base| allocation_promise(&mut self.terms, base)).collect()
    }

    fn iteration_guards(&mut self) -> Vec<Term> {
        let ClosureSearch { terms, iterations, .. } = self;
        iterations
            .iter()
            .map(|iteration| {
                let all: Vec<Term> = iteration.conditions.iter().map(|c| c.term).collect();
                terms.and_all(&all)
            })
            .collect()
    }

    /// Numbers of the cells that the invariants allow and no iteration takes.
    fn find_uncovered_state(
        &mut self,
        symbols: &[Term],
        invariants: &[Term],
    ) -> Result<Option<Vec<u64>>, ClosureFailure> {
        let mut formulas = invariants.to_vec();
        formulas.extend(self.allocation_promises());
        for guard in self.iteration_guards() {
            formulas.push(self.terms.not(guard));
        }
        match self.new_session().check_sat(&self.terms, &formulas) {
            SolverAnswer::Unsat => Ok(None),
            SolverAnswer::Unknown(why) => Err(ClosureFailure::Solver(why)),
            SolverAnswer::Sat(model) => {
                let mut values = Vec::new();
                for (at, (symbol, first)) in symbols.iter().zip(&self.starts[0]).enumerate() {
                    let TermOp::Symbol(id) = self.terms.op(*symbol) else { continue };
                    if self.ideal.is_some() && self.cells[at] == STACK_POINTER {
                        values.push(*first);
                        continue;
                    }
                    // What the formulas do not speak of stays as it is.
                    let listed = model.get(*id).cloned();
                    values.push(match listed {
                        Some(Constant::Bv { value, .. }) => u64::try_from(value).unwrap_or(0),
                        _ => *first,
                    });
                }
                Ok(Some(values))
            }
        }
    }

    /// Executes the path that these numbers take, and adds it.
    fn add_path_from(&mut self, symbols: &[Term], values: Vec<u64>) -> Result<(), ClosureFailure> {
        let known = self.starts.contains(&values);
        let found = if known { Err(ClosureFailure::NotBack) } else { self.trace_from(&values) };
        match found {
            Ok(iteration) => {
                let clean = iteration.is_clean();
                self.starts.push(values);
                if clean {
                    self.iterations.push(iteration);
                    return Ok(());
                }
                self.add_cells_of(&iteration)?;
                self.widen_cells()
            }
            Err(ClosureFailure::Time) => Err(ClosureFailure::Time),
            Err(_) => {
                let assignment = assign_cells(&self.terms, symbols, &values);
                let mut evaluator = TermEvaluator::new(&self.terms, &assignment);
                let broken = self.iterations[0]
                    .conditions
                    .iter()
                    .find(|c| evaluator.evaluate_formula(c.term) != Some(true))
                    .cloned();
                Err(self.explain_leaving(symbols, broken))
            }
        }
    }

    /// Why the path is left: something grows, or this condition need not hold again.
    fn explain_leaving(
        &mut self,
        symbols: &[Term],
        broken: Option<TraceCondition>,
    ) -> ClosureFailure {
        let (mut session, now) = (self.new_session(), self.starts[0].clone());
        let ClosureSearch { terms, cells, iterations, .. } = self;
        let Some(iteration) = iterations.first() else { return ClosureFailure::NotBack };
        if self.effort.tells
            && let Some(turning) =
                turning::first_turning_point(terms, &mut session, cells, symbols, &now, iteration)
        {
            return ClosureFailure::Turns(Box::new(turning));
        }
        let Some(condition) = broken else { return ClosureFailure::NotBack };
        let used = terms.symbols_of(condition.term);
        let deciding = cells.iter().zip(symbols).filter(
            |(_, symbol)| matches!(terms.op(**symbol), TermOp::Symbol(id) if used.contains(id)),
        );
        let deciding = deciding.map(|(cell, _)| *cell).take(3).collect();
        ClosureFailure::Open(condition, deciding)
    }

    /// By how much the stack pointer goes down in an iteration.
    fn stack_descent(&self, symbols: &[Term]) -> u64 {
        let Some(at) = self.cells.iter().position(|cell| *cell == STACK_POINTER) else { return 0 };
        let down = |iteration: &LoopIteration| {
            let moved =
                InstructionTracer::offset_in_region(&self.terms, iteration.ends[at]?, symbols[at])?;
            Some(moved.wrapping_neg())
        };
        self.iterations.iter().filter_map(down).max().unwrap_or(0)
    }

    /// Keeps the invariants that are needed.
    fn finish(&mut self, symbols: &[Term], invariants: &[Term]) -> ClosedIterations {
        let needed =
            self.needed_invariants(symbols, invariants).unwrap_or_else(|| invariants.to_vec());
        let mut code: Vec<u64> = self.iterations.iter().flat_map(|i| i.code.clone()).collect();
        code.sort_unstable();
        code.dedup();
        let deciding = crate::invariants::relevant_cells(&self.terms, symbols, &self.iterations)
            .into_iter()
            .map(|at| (self.cells[at], self.starts[0][at]))
            .collect();
        ClosedIterations {
            cells: self.cells.clone(),
            invariants: needed.iter().map(|i| self.terms.display(*i).to_string()).collect(),
            recipes: self
                .starts
                .iter()
                .zip(&self.iterations)
                .map(|(start, i)| IterationRecipe { start: start.clone(), length: i.length })
                .collect(),
            code,
            deciding,
            stack: self.stack_descent(symbols),
            heap: self.iterations.iter().map(allocated_bytes).max().unwrap_or(0),
        }
    }

    fn needed_invariants(&mut self, symbols: &[Term], invariants: &[Term]) -> Option<Vec<Term>> {
        let mut session = self.new_session();
        let guards = self.iteration_guards();
        let promises = self.allocation_promises();
        let mut formulas = invariants.to_vec();
        formulas.extend(&promises);
        for guard in &guards {
            formulas.push(self.terms.not(*guard));
        }
        let of = |core: Vec<Term>| core.into_iter().filter(|t| invariants.contains(t));
        let mut needed: Vec<Term> = of(session.unsat_core(&self.terms, &formulas).ok()?).collect();
        let maps: Vec<_> = (0..guards.len())
            .map(|i| iteration_substitution(&mut self.terms, symbols, &self.iterations[i]))
            .collect();
        let mut done = 0;
        while done < needed.len() {
            for (map, guard) in maps.iter().zip(&guards) {
                let after = self.terms.substitute(needed[done], map);
                let mut formulas = invariants.to_vec();
                formulas.extend(&promises);
                formulas.extend([*guard, self.terms.not(after)]);
                for term in of(session.unsat_core(&self.terms, &formulas).ok()?) {
                    if !needed.contains(&term) {
                        needed.push(term);
                    }
                }
            }
            done += 1;
        }
        Some(needed)
    }
}
