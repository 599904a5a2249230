//! Does this certificate hold? The iterations are executed again on the snapshot, and closure is proved
//! again; nothing of how they were found is used.

use std::fmt;
use std::time::{Duration, Instant};

use ouro_pcode::{InstructionCache, InstructionTracer, PcodeMachine};
use ouro_process::ProcessSnapshot;
use ouro_solver::{Session, SessionLimits, SolverAnswer};
use ouro_term::{Assignment, Constant, Sort, Term, TermEvaluator, TermOp, TermStore};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::cell::CellAccess as _;
use crate::handlers::{self, FollowedLoop};
use crate::ideal::{MemoryIdealisation, STACK_POINTER, allocation_promise};
use crate::iteration::{
    HeadStates, IterationBound, IterationFailure, LoopIteration, find_allocator_peek,
    trace_iteration,
};
use crate::limits::LIMITS;
use crate::premises::{find_premises, resource_premises};
use crate::state;
use crate::symbols::SnapshotSymbols;
use ouro_evidence::process::{
    CellLocation, PROCESS_CERTIFICATE_VERSION, ProcessCell, ProcessCertificate, loops_until_text,
};

/// Why a certificate is not accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProcessRejection {
    /// It is not about this snapshot, or does not hold.
    Wrong(String),
    /// The limits did not suffice to decide.
    Undecided(String),
}

impl fmt::Display for ProcessRejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProcessRejection::Wrong(why) => f.write_str(why),
            ProcessRejection::Undecided(why) => write!(f, "not decided: {why}"),
        }
    }
}

fn reject_as_wrong(why: impl Into<String>) -> ProcessRejection {
    ProcessRejection::Wrong(why.into())
}

/// Accepts the certificate if it proves that the thread never leaves the loop, and no premise is known to
/// be false.
///
/// # Errors
/// If it does not, or the deadline comes first.
pub fn check_process_certificate(
    snapshot: &ProcessSnapshot,
    certificate: &ProcessCertificate,
    deadline: Instant,
) -> Result<AcceptedCertificate, ProcessRejection> {
    if certificate.pid != snapshot.pid {
        let (said, found) = (certificate.pid, snapshot.pid);
        return Err(reject_as_wrong(format!("it is about process {said}, not {found}")));
    }
    let all = find_premises(snapshot, certificate.thread);
    if let Some(broken) = all.iter().find(|premise| premise.holds == Some(false)) {
        return Err(reject_as_wrong(format!(
            "a premise does not hold: {}: {}",
            broken.what, broken.found
        )));
    }
    // Before anything is lifted.
    check_well_formed(certificate)?;
    let mut program = InstructionCache::new();
    let found = check_with_instructions(snapshot, certificate, deadline, &mut program)?;
    let all = resource_premises(snapshot, 0, found.heap);
    if let Some(broken) = all.iter().find(|premise| premise.holds == Some(false)) {
        return Err(reject_as_wrong(format!(
            "a premise does not hold: {}: {}",
            broken.what, broken.found
        )));
    }
    let symbols = SnapshotSymbols::new(snapshot);
    let followed = FollowedLoop { head: &found.head, used: &found.used, beneath: found.beneath };
    let handlers = handlers::judge_handlers(snapshot, &symbols, &mut program, &followed, deadline);
    Ok(AcceptedCertificate { signals: handlers.signals })
}

/// What was accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AcceptedCertificate {
    /// Signals that may end the loop all the same, by their names.
    pub signals: Vec<String>,
}

impl AcceptedCertificate {
    /// What is so, in a few words.
    pub fn word(&self) -> String {
        loops_until_text(&self.signals)
    }
}

/// What was seen when a certificate was checked.
pub(crate) struct CheckObservations {
    /// The machine at the head.
    pub(crate) head: PcodeMachine,
    /// Where iterations used memory, and how much.
    pub(crate) used: Vec<(u64, u8)>,
    /// Whether some of it lies below the stack.
    pub(crate) beneath: bool,
    /// Bytes of heap that an iteration allocates.
    pub(crate) heap: u64,
}

/// Whether the thread alone never leaves the loop; with instructions that were lifted before.
pub(crate) fn check_with_instructions(
    snapshot: &ProcessSnapshot,
    certificate: &ProcessCertificate,
    deadline: Instant,
    program: &mut InstructionCache,
) -> Result<CheckObservations, ProcessRejection> {
    if certificate.version != PROCESS_CERTIFICATE_VERSION {
        return Err(reject_as_wrong(format!(
            "it has version {}, but this Ouro reads version {PROCESS_CERTIFICATE_VERSION}",
            certificate.version
        )));
    }
    let thread = snapshot.running_threads().find(|(thread, _)| thread.id == certificate.thread);
    let Some((thread, registers)) = thread else {
        return Err(reject_as_wrong("the thread is not at that address in the snapshot"));
    };
    if registers.general.rip != certificate.rip {
        return Err(reject_as_wrong("it describes another state of the thread"));
    }
    check_well_formed(certificate)?;
    let over = || Instant::now() >= deadline;
    let mut machine =
        state::machine_of_thread(snapshot, thread, registers).map_err(reject_as_wrong)?;
    run_stem(&mut machine, program, certificate, &over)?;

    let mut terms = TermStore::new();
    let cells = &certificate.cells;
    let symbols: Vec<Term> = cells.iter().map(|cell| cell.symbol(&mut terms)).collect();
    let invariants = parse_invariants(&mut terms, certificate, &symbols)?;
    check_holds_at_head(&terms, &symbols, cells, &mut machine, &invariants)?;

    let ideal = match certificate.idealised {
        None => None,
        Some(idealised) => {
            let symbols = SnapshotSymbols::new(snapshot);
            let found = MemoryIdealisation::new(snapshot, &symbols, idealised, &machine);
            Some(
                found
                    .ok_or_else(|| reject_as_wrong("the thread's stack is not in the snapshot"))?,
            )
        }
    };
    let mut iterations = Vec::new();
    for recipe in &certificate.iterations {
        let mut start = machine.clone();
        for (cell, value) in cells.iter().zip(&recipe.start) {
            // Where the stack is at the head is what the rest of memory is compared with.
            if ideal.is_some() && *cell == STACK_POINTER && *value != machine.general_register(4) {
                return Err(reject_as_wrong("an iteration starts with a different stack pointer"));
            }
            if !cell.set_in(&mut start, *value) {
                return Err(reject_as_wrong(format!("{} cannot be set", cell.name())));
            }
        }
        let until = IterationBound::Steps(recipe.length);
        let states = HeadStates { reference: &machine, cells, ideal: ideal.as_ref() };
        let found =
            trace_iteration(&mut terms, program, &states, &start, until, &over).map_err(|no| {
                match no {
                    IterationFailure::Time => ProcessRejection::Undecided("out of time".to_owned()),
                    no => ProcessRejection::Wrong(format!("cannot execute an iteration: {no}")),
                }
            })?;
        if !found.is_clean() {
            return Err(reject_as_wrong(
                "an iteration changes more than the cells that the \
                 certificate lists",
            ));
        }
        iterations.push(found);
    }
    // Sticky bits that one iteration leaves in some way are not there for another to look at.
    if iterations.iter().any(|i| i.float_terms) && iterations.iter().any(|i| i.reads_status) {
        return Err(reject_as_wrong(
            "the loop reads the SSE status register, whose value is not \
             known",
        ));
    }
    if ideal.is_some() {
        check_stack_descends(&terms, cells, &symbols, &iterations)?;
    }
    if let Some((named, _)) = find_allocator_peek(&iterations) {
        return Err(reject_as_wrong(format!("it reads the allocator's internal data: {named}")));
    }
    check_closed(&mut terms, &symbols, &invariants, &iterations, deadline)?;
    let allocated =
        |i: &LoopIteration| i.allocations.iter().map(|allocation| allocation.size).sum();
    let heap = iterations.iter().map(allocated).max().unwrap_or(0);
    let beneath = iterations.iter().any(|iteration| iteration.beneath);
    let used = iterations.into_iter().flat_map(|iteration| iteration.accesses).collect();
    Ok(CheckObservations { head: machine, used, beneath, heap })
}

/// A stack pointer that moves goes down, by a number that does not depend on anything: then what lies
/// above the first head's frame is never a part of what moves.
fn check_stack_descends(
    terms: &TermStore,
    cells: &[ProcessCell],
    symbols: &[Term],
    iterations: &[LoopIteration],
) -> Result<(), ProcessRejection> {
    let Some(at) = cells.iter().position(|cell| *cell == STACK_POINTER) else {
        return match cells.iter().any(|cell| (0x20..0x28).any(|byte| cell.has_register(byte))) {
            true => Err(reject_as_wrong("the stack pointer is not a single value")),
            false => Ok(()),
        };
    };
    let down = |iteration: &LoopIteration| {
        let moved = InstructionTracer::offset_in_region(terms, iteration.ends[at]?, symbols[at])?
            .cast_signed();
        (-LIMITS.checked_descent..=0).contains(&moved).then_some(())
    };
    match iterations.iter().all(|iteration| down(iteration).is_some()) {
        true => Ok(()),
        false => Err(reject_as_wrong("the stack does not grow by a fixed amount")),
    }
}

fn check_well_formed(certificate: &ProcessCertificate) -> Result<(), ProcessRejection> {
    let cells = &certificate.cells;
    for (i, cell) in cells.iter().enumerate() {
        if !(1..=8).contains(&cell.size) {
            return Err(reject_as_wrong("a cell has an invalid size"));
        }
        let size = u64::from(cell.size);
        let overlaps = |other: &ProcessCell| match (cell.spot, other.spot) {
            (CellLocation::Memory(a), CellLocation::Memory(b)) => {
                a.checked_add(size).is_none()
                    || a < b.saturating_add(u64::from(other.size)) && b < a + size
            }
            (CellLocation::Register(a), CellLocation::Register(b)) => {
                a < b + usize::from(other.size) && b < a + usize::from(cell.size)
            }
            _ => false,
        };
        if cells[..i].iter().any(overlaps) {
            return Err(reject_as_wrong("cells overlap"));
        }
        if let CellLocation::Register(at) = cell.spot
            && !(at..at.saturating_add(usize::from(cell.size))).all(state::is_register)
        {
            return Err(reject_as_wrong("a cell names a register that does not exist"));
        }
    }
    let lengths = certificate.iterations.iter().map(|recipe| recipe.length);
    if certificate.iterations.is_empty()
        || lengths.clone().any(|length| length == 0 || length > LIMITS.checked_instructions)
        || certificate.stem > LIMITS.checked_instructions
        || certificate.iterations.iter().any(|recipe| recipe.start.len() != cells.len())
    {
        return Err(reject_as_wrong("its iterations are malformed"));
    }
    Ok(())
}

/// Executes the stem.
fn run_stem(
    machine: &mut PcodeMachine,
    program: &mut InstructionCache,
    certificate: &ProcessCertificate,
    over: &dyn Fn() -> bool,
) -> Result<(), ProcessRejection> {
    let mut done = 0;
    while done < certificate.stem {
        let some = (certificate.stem - done).min(1 << 16);
        machine
            .run_until(program, some, None)
            .map_err(|stop| reject_as_wrong(format!("cannot execute the stem: {stop}")))?;
        done += some;
        if over() {
            return Err(ProcessRejection::Undecided("out of time".to_owned()));
        }
    }
    if machine.rip != certificate.head {
        return Err(reject_as_wrong("the stem does not end at the loop head"));
    }
    Ok(())
}

fn parse_invariants(
    terms: &mut TermStore,
    certificate: &ProcessCertificate,
    symbols: &[Term],
) -> Result<Vec<Term>, ProcessRejection> {
    let mut invariants = Vec::new();
    for text in &certificate.invariants {
        let term = terms.parse(text).map_err(|e| reject_as_wrong(format!("an invariant: {e}")))?;
        if terms.sort(term) != Sort::Bool {
            return Err(reject_as_wrong("an invariant is not a formula"));
        }
        let about_cells = terms
            .symbols_of(term)
            .into_iter()
            .all(|id| symbols.iter().any(|symbol| *terms.op(*symbol) == TermOp::Symbol(id)));
        if !about_cells {
            return Err(reject_as_wrong("an invariant mentions something that is not a cell"));
        }
        invariants.push(term);
    }
    Ok(invariants)
}

/// The invariants hold at the head, the first time.
fn check_holds_at_head(
    terms: &TermStore,
    symbols: &[Term],
    cells: &[ProcessCell],
    machine: &mut PcodeMachine,
    invariants: &[Term],
) -> Result<(), ProcessRejection> {
    let mut assignment = Assignment::new();
    for (cell, symbol) in cells.iter().zip(symbols) {
        let Some(number) = cell.number_in(machine) else {
            return Err(reject_as_wrong(format!("{} is absent", cell.name())));
        };
        let TermOp::Symbol(id) = terms.op(*symbol) else { continue };
        let width = 8 * u32::from(cell.size);
        assignment.set(*id, Constant::Bv { width, value: u128::from(number) });
    }
    let mut evaluator = TermEvaluator::new(terms, &assignment);
    match invariants.iter().find(|i| evaluator.evaluate_formula(**i) != Some(true)) {
        None => Ok(()),
        Some(broken) => Err(reject_as_wrong(format!(
            "an invariant does not hold when the loop is first reached: {}",
            terms.display(*broken)
        ))),
    }
}

/// From the invariants, one of the iterations is taken, and each ends in the invariants.
pub(crate) fn check_closed(
    terms: &mut TermStore,
    symbols: &[Term],
    invariants: &[Term],
    iterations: &[LoopIteration],
    deadline: Instant,
) -> Result<(), ProcessRejection> {
    let limits = SessionLimits {
        query: Duration::from_secs(20),
        deadline: Some(deadline),
        ..SessionLimits::default()
    };
    let mut session = Session::new(limits);
    let mut never = |terms: &TermStore, formulas: &[Term], what: &str| match session
        .check_sat(terms, formulas)
    {
        SolverAnswer::Unsat => Ok(()),
        SolverAnswer::Sat(_) => Err(reject_as_wrong(what)),
        SolverAnswer::Unknown(why) => Err(ProcessRejection::Undecided(format!("{what}: {why}"))),
    };
    let guards: Vec<Term> = iterations
        .iter()
        .map(|iteration| {
            let all: Vec<Term> = iteration.conditions.iter().map(|c| c.term).collect();
            terms.and_all(&all)
        })
        .collect();
    let fresh: FxHashSet<Term> =
        iterations.iter().flat_map(|i| i.allocations.iter().map(|a| a.base)).collect();
    let promises: Vec<Term> =
        fresh.into_iter().map(|base| allocation_promise(terms, base)).collect();
    let mut none_taken = invariants.to_vec();
    none_taken.extend(&promises);
    for guard in &guards {
        none_taken.push(terms.not(*guard));
    }
    never(
        terms,
        &none_taken,
        "the iterations do not cover all states that satisfy the \
         invariants",
    )?;
    for (iteration, guard) in iterations.iter().zip(&guards) {
        let map = iteration_substitution(terms, symbols, iteration);
        for invariant in invariants {
            let after = terms.substitute(*invariant, &map);
            let broken = terms.not(after);
            let mut formulas = invariants.to_vec();
            formulas.extend(&promises);
            formulas.extend([*guard, broken]);
            never(terms, &formulas, "an iteration does not preserve an invariant")?;
        }
    }
    Ok(())
}

/// What each cell's symbol becomes in an iteration; anything where nobody knows.
pub(crate) fn iteration_substitution(
    terms: &mut TermStore,
    symbols: &[Term],
    iteration: &LoopIteration,
) -> FxHashMap<Term, Term> {
    let mut map = FxHashMap::default();
    for (symbol, end) in symbols.iter().zip(&iteration.ends) {
        let width = terms.width(*symbol);
        let end = end.unwrap_or_else(|| terms.fresh_bv("any", width));
        map.insert(*symbol, end);
    }
    map
}
