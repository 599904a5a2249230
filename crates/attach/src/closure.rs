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

use ouro_pcode::{Condition, Halt, Machine, Program, Stop, Tracer};
use ouro_solver::{Answer, Limits, Session};
use ouro_term::{Constant, Evaluator, Op, Term, Terms};

use crate::cell::CellAccess as _;
use crate::check::step;
use crate::ideal::{Ideal, STACK_POINTER, promise};
use crate::invariants::{Seen, assign, kept};
use crate::iteration::{Iteration, NoIteration, States, Until, peeks, trace};
use crate::templates::{ROUNDS, candidates};
use crate::turning::{self, Turning};
use ouro_evidence::process::{IterationRecipe, ProcessCell};

/// The most cells.
const CELLS: usize = 1500;

/// How much is tried for a head.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Effort {
    /// The most paths.
    pub(crate) paths: usize,
    /// So many rounds of candidates.
    pub(crate) rounds: usize,
    /// Whether to find out what grows, if the loop is not closed.
    pub(crate) tells: bool,
}

/// Little for each head comes before much for any: a head in an inner loop needs a path for every way in
/// which that loop can end, the right one hardly ever needs more than two.
pub(crate) const EFFORTS: [Effort; 2] = [
    Effort { paths: 3, rounds: ROUNDS - 1, tells: true },
    Effort { paths: 12, rounds: ROUNDS, tells: false },
];

/// For a state that was nearly there again: either what differs decides nothing, or it is another matter.
pub(crate) const BRIEF: Effort = Effort { paths: 1, rounds: 0, tells: false };

/// A closed set of iterations, proposed.
pub(crate) struct Closed {
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

fn allocated(iteration: &Iteration) -> u64 {
    iteration.allocations.iter().map(|allocation| allocation.size).sum()
}

/// Why there is none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum NotClosed {
    /// The iteration could not be followed.
    Stop(Stop),
    /// An undefined value decides, at this instruction.
    Opaque(String),
    /// The head was not reached again.
    NotBack,
    /// x87 or SSE's control differ each time.
    Control,
    /// So many cells change.
    TooMuch(usize),
    /// A condition need not hold again: these cells decide it.
    Open(Condition, Vec<ProcessCell>),
    /// A value grows until a condition does not hold.
    Turns(Box<Turning>),
    /// An address is used in two ways, at this instruction.
    Alias(String),
    /// This instruction looks at what an allocator keeps for itself, at this address.
    Peeks(String, u64),
    /// The time is over.
    Time,
    /// The solver did not answer.
    Solver(String),
}

impl From<NoIteration> for NotClosed {
    fn from(no: NoIteration) -> NotClosed {
        match no {
            NoIteration::Halt(Halt::Stop(stop)) => NotClosed::Stop(stop),
            NoIteration::Halt(Halt::Opaque(named)) => NotClosed::Opaque(named.to_string()),
            NoIteration::Halt(Halt::Alias(named, _)) => NotClosed::Alias(named.to_string()),
            NoIteration::NotBack => NotClosed::NotBack,
            NoIteration::Control => NotClosed::Control,
            NoIteration::Time => NotClosed::Time,
        }
    }
}

/// The set that is worked on.
struct Work<'a> {
    terms: Terms,
    program: &'a mut Program,
    head: &'a Machine,
    until: Until,
    ideal: Option<&'a Ideal>,
    effort: Effort,
    deadline: Instant,
    cells: Vec<ProcessCell>,
    starts: Vec<Vec<u64>>,
    iterations: Vec<Iteration>,
}

/// Seeks a closed set of iterations from a machine at the head, each of so many visits.
pub(crate) fn close(
    program: &mut Program,
    head: &Machine,
    visits: u64,
    most: u64,
    ideal: Option<&Ideal>,
    effort: Effort,
    deadline: Instant,
) -> Result<Closed, NotClosed> {
    let mut work = Work {
        terms: Terms::new(),
        program,
        head,
        until: Until::Visits(visits, most),
        ideal,
        effort,
        deadline,
        cells: Vec::new(),
        starts: vec![Vec::new()],
        iterations: Vec::new(),
    };
    work.widen()?;
    for _ in 0..effort.paths {
        if let Some((named, address)) = peeks(&work.iterations) {
            return Err(NotClosed::Peeks(named.to_string(), *address));
        }
        let symbols: Vec<Term> =
            work.cells.iter().map(|cell| cell.symbol(&mut work.terms)).collect();
        if work.iterations.iter().any(|i| i.conditions.is_empty()) {
            return Ok(work.finish(&symbols, &[]));
        }
        let seen = work.seen();
        let mut missing = Err(NotClosed::Time);
        let mut tried = Vec::new();
        for round in 0..effort.rounds {
            let all = candidates(&mut work.terms, &symbols, &work.iterations, &seen, round);
            if round > 0 && all == tried {
                continue;
            }
            tried.clone_from(&all);
            let invariants = kept(&mut work.terms, &symbols, &work.iterations, all, deadline)
                .ok_or(NotClosed::Time)?;
            missing = work.uncovered(&symbols, &invariants);
            if let Ok(None) = missing {
                return Ok(work.finish(&symbols, &invariants));
            }
        }
        if let Some(values) = missing? {
            work.another(&symbols, values)?;
        }
    }
    let symbols: Vec<Term> = work.cells.iter().map(|cell| cell.symbol(&mut work.terms)).collect();
    let first = work.iterations.first().and_then(|i| i.conditions.first()).cloned();
    Err(work.left(&symbols, first))
}

impl Work<'_> {
    fn trace_from(&mut self, start: &[u64]) -> Result<Iteration, NotClosed> {
        let mut machine = self.head.clone();
        for (cell, value) in self.cells.iter().zip(start) {
            if !cell.set(&mut machine, *value) {
                return Err(NotClosed::NotBack);
            }
        }
        let deadline = self.deadline;
        let over = || Instant::now() >= deadline;
        let states = States { reference: self.head, cells: &self.cells, ideal: self.ideal };
        Ok(trace(&mut self.terms, self.program, &states, &machine, self.until, &over)?)
    }

    /// Traces every path again with more cells, until none strays.
    fn widen(&mut self) -> Result<(), NotClosed> {
        let mut rounds = 0;
        'again: loop {
            rounds += 1;
            if self.cells.len() > CELLS || rounds > 40 {
                return Err(NotClosed::TooMuch(self.cells.len()));
            }
            self.iterations.clear();
            for i in 0..self.starts.len() {
                let start = self.starts[i].clone();
                let iteration = self.trace_from(&start)?;
                // More cells have more conditions: without invariants, one is too many.
                if let (0, Some(one)) = (self.effort.rounds, iteration.conditions.first()) {
                    return Err(NotClosed::Open(one.clone(), Vec::new()));
                }
                if !iteration.is_clean() {
                    self.add(&iteration)?;
                    continue 'again;
                }
                self.iterations.push(iteration);
            }
            return Ok(());
        }
    }

    /// Adds the cells that an iteration needs; the starts get the numbers of the head there.
    fn add(&mut self, iteration: &Iteration) -> Result<(), NotClosed> {
        let wider = iteration.widen(&self.cells);
        let mut head = self.head.clone();
        for start in &mut self.starts {
            let old: Vec<(ProcessCell, u64)> =
                self.cells.iter().copied().zip(start.iter().copied()).collect();
            *start = Vec::new();
            for cell in &wider {
                let known = old.iter().find(|(other, _)| other == cell).map(|(_, value)| *value);
                let number = known.or_else(|| cell.number(&mut head));
                start.push(number.ok_or(NotClosed::NotBack)?);
            }
        }
        self.cells = wider;
        Ok(())
    }

    /// The cells' numbers at the head now, and at the next visits.
    fn seen(&mut self) -> Seen {
        let mut machine = self.head.clone();
        let row = |machine: &mut Machine, cells: &[ProcessCell]| -> Option<Vec<u64>> {
            cells.iter().map(|cell| cell.number(machine)).collect()
        };
        let mut seen = Vec::new();
        let cells = self.cells.clone();
        seen.extend(row(&mut machine, &cells));
        let (visits, most) = match self.until {
            Until::Visits(visits, most) => (visits, most),
            Until::Steps(steps) => (1, steps),
        };
        for _ in 0..8 {
            for _ in 0..visits {
                if machine.run(self.program, most, Some(self.head.rip)).is_err()
                    || machine.rip != self.head.rip
                {
                    return seen;
                }
            }
            seen.extend(row(&mut machine, &cells));
        }
        seen
    }

    fn session(&self) -> Session {
        Session::new(Limits {
            query: Duration::from_secs(5),
            deadline: Some(self.deadline),
            ..Limits::default()
        })
    }

    /// What is known of memory that is allocated on the way.
    fn promises(&mut self) -> Vec<Term> {
        let allocated = self.iterations.iter().flat_map(|i| i.allocations.iter().map(|a| a.base));
        let mut bases: Vec<Term> = allocated.collect();
        bases.sort_unstable();
        bases.dedup();
        bases.into_iter().map(|base| promise(&mut self.terms, base)).collect()
    }

    fn guards(&mut self) -> Vec<Term> {
        let Work { terms, iterations, .. } = self;
        iterations
            .iter()
            .map(|iteration| {
                let all: Vec<Term> = iteration.conditions.iter().map(|c| c.term).collect();
                terms.and_all(&all)
            })
            .collect()
    }

    /// Numbers of the cells that the invariants allow and no iteration takes.
    fn uncovered(
        &mut self,
        symbols: &[Term],
        invariants: &[Term],
    ) -> Result<Option<Vec<u64>>, NotClosed> {
        let mut formulas = invariants.to_vec();
        formulas.extend(self.promises());
        for guard in self.guards() {
            formulas.push(self.terms.not(guard));
        }
        match self.session().check(&self.terms, &formulas) {
            Answer::Unsat => Ok(None),
            Answer::Unknown(why) => Err(NotClosed::Solver(why)),
            Answer::Sat(model) => {
                let mut values = Vec::new();
                for (at, (symbol, first)) in symbols.iter().zip(&self.starts[0]).enumerate() {
                    let Op::Symbol(id) = self.terms.op(*symbol) else { continue };
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
    fn another(&mut self, symbols: &[Term], values: Vec<u64>) -> Result<(), NotClosed> {
        let known = self.starts.contains(&values);
        let found = if known { Err(NotClosed::NotBack) } else { self.trace_from(&values) };
        match found {
            Ok(iteration) => {
                let clean = iteration.is_clean();
                self.starts.push(values);
                if clean {
                    self.iterations.push(iteration);
                    return Ok(());
                }
                self.add(&iteration)?;
                self.widen()
            }
            Err(NotClosed::Time) => Err(NotClosed::Time),
            Err(_) => {
                let assignment = assign(&self.terms, symbols, &values);
                let mut evaluator = Evaluator::new(&self.terms, &assignment);
                let broken = self.iterations[0]
                    .conditions
                    .iter()
                    .find(|c| evaluator.holds(c.term) != Some(true))
                    .cloned();
                Err(self.left(symbols, broken))
            }
        }
    }

    /// Why the path is left: something grows, or this condition need not hold again.
    fn left(&mut self, symbols: &[Term], broken: Option<Condition>) -> NotClosed {
        let (mut session, now) = (self.session(), self.starts[0].clone());
        let Work { terms, cells, iterations, .. } = self;
        let Some(iteration) = iterations.first() else { return NotClosed::NotBack };
        if self.effort.tells
            && let Some(turning) =
                turning::first(terms, &mut session, cells, symbols, &now, iteration)
        {
            return NotClosed::Turns(Box::new(turning));
        }
        let Some(condition) = broken else { return NotClosed::NotBack };
        let used = terms.symbols_of(condition.term);
        let deciding = cells.iter().zip(symbols).filter(
            |(_, symbol)| matches!(terms.op(**symbol), Op::Symbol(id) if used.contains(id)),
        );
        let deciding = deciding.map(|(cell, _)| *cell).take(3).collect();
        NotClosed::Open(condition, deciding)
    }

    /// By how much the stack pointer goes down in an iteration.
    fn stack(&self, symbols: &[Term]) -> u64 {
        let Some(at) = self.cells.iter().position(|cell| *cell == STACK_POINTER) else { return 0 };
        let down = |iteration: &Iteration| {
            let moved = Tracer::offset(&self.terms, iteration.ends[at]?, symbols[at])?;
            Some(moved.wrapping_neg())
        };
        self.iterations.iter().filter_map(down).max().unwrap_or(0)
    }

    /// Keeps the invariants that are needed.
    fn finish(&mut self, symbols: &[Term], invariants: &[Term]) -> Closed {
        let needed = self.needed(symbols, invariants).unwrap_or_else(|| invariants.to_vec());
        let mut code: Vec<u64> = self.iterations.iter().flat_map(|i| i.code.clone()).collect();
        code.sort_unstable();
        code.dedup();
        let deciding = crate::invariants::relevant(&self.terms, symbols, &self.iterations)
            .into_iter()
            .map(|at| (self.cells[at], self.starts[0][at]))
            .collect();
        Closed {
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
            stack: self.stack(symbols),
            heap: self.iterations.iter().map(allocated).max().unwrap_or(0),
        }
    }

    fn needed(&mut self, symbols: &[Term], invariants: &[Term]) -> Option<Vec<Term>> {
        let mut session = self.session();
        let guards = self.guards();
        let promises = self.promises();
        let mut formulas = invariants.to_vec();
        formulas.extend(&promises);
        for guard in &guards {
            formulas.push(self.terms.not(*guard));
        }
        let of = |core: Vec<Term>| core.into_iter().filter(|t| invariants.contains(t));
        let mut needed: Vec<Term> = of(session.core(&self.terms, &formulas).ok()?).collect();
        let maps: Vec<_> = (0..guards.len())
            .map(|i| step(&mut self.terms, symbols, &self.iterations[i]))
            .collect();
        let mut done = 0;
        while done < needed.len() {
            for (map, guard) in maps.iter().zip(&guards) {
                let after = self.terms.substitute(needed[done], map);
                let mut formulas = invariants.to_vec();
                formulas.extend(&promises);
                formulas.extend([*guard, self.terms.not(after)]);
                for term in of(session.core(&self.terms, &formulas).ok()?) {
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
