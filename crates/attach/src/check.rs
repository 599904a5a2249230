//! Does this certificate hold? The iterations are executed again on the snapshot, and closure is proved
//! again; nothing of how they were found is used.

use std::fmt;
use std::time::{Duration, Instant};

use ouro_pcode::{Machine, Program, Tracer};
use ouro_process::Snapshot;
use ouro_solver::{Answer, Limits, Session};
use ouro_term::{Assignment, Constant, Evaluator, Op, Sort, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::cell::CellAccess as _;
use crate::handlers::{self, Followed};
use crate::ideal::{Ideal, STACK_POINTER, promise};
use crate::iteration::{Iteration, NoIteration, States, Until, peeks, trace};
use crate::premises::{premises, room};
use crate::state;
use crate::symbols::Symbols;
use ouro_evidence::process::{
    CellLocation, PROCESS_CERTIFICATE_VERSION, ProcessCell, ProcessCertificate, loops_until,
};

/// The longest stem and iteration that are followed.
const LONGEST: u64 = 2_000_000_000;
/// The most bytes of stack that an iteration may use.
const DEEPEST: i64 = 1 << 20;

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

fn wrong(why: impl Into<String>) -> ProcessRejection {
    ProcessRejection::Wrong(why.into())
}

/// Accepts the certificate if it proves that the thread never leaves the loop, and no premise is known to
/// be false.
///
/// # Errors
/// If it does not, or the deadline comes first.
pub fn check(
    snapshot: &Snapshot,
    certificate: &ProcessCertificate,
    deadline: Instant,
) -> Result<Accepted, ProcessRejection> {
    let all = premises(snapshot, certificate.thread);
    if let Some(broken) = all.iter().find(|premise| premise.holds == Some(false)) {
        return Err(wrong(format!("a premise does not hold: {}: {}", broken.what, broken.found)));
    }
    // Before anything is lifted.
    well_formed(certificate)?;
    let mut program = Program::new();
    let found = check_with(snapshot, certificate, deadline, &mut program)?;
    let all = room(snapshot, 0, found.heap);
    if let Some(broken) = all.iter().find(|premise| premise.holds == Some(false)) {
        return Err(wrong(format!("a premise does not hold: {}: {}", broken.what, broken.found)));
    }
    let symbols = Symbols::new(snapshot);
    let followed = Followed { head: &found.head, used: &found.used, beneath: found.beneath };
    let handlers = handlers::judge(snapshot, &symbols, &mut program, &followed, deadline);
    Ok(Accepted { signals: handlers.signals })
}

/// What was accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Accepted {
    /// Signals that may end the loop all the same, by their names.
    pub signals: Vec<String>,
}

impl Accepted {
    /// What is so, in a few words.
    pub fn word(&self) -> String {
        loops_until(&self.signals)
    }
}

/// What was seen when a certificate was checked.
pub(crate) struct Seen {
    /// The machine at the head.
    pub(crate) head: Machine,
    /// Where iterations used memory, and how much.
    pub(crate) used: Vec<(u64, u8)>,
    /// Whether some of it lies below the stack.
    pub(crate) beneath: bool,
    /// Bytes of heap that an iteration allocates.
    pub(crate) heap: u64,
}

/// Whether the thread alone never leaves the loop; with instructions that were lifted before.
pub(crate) fn check_with(
    snapshot: &Snapshot,
    certificate: &ProcessCertificate,
    deadline: Instant,
    program: &mut Program,
) -> Result<Seen, ProcessRejection> {
    if certificate.version != PROCESS_CERTIFICATE_VERSION {
        return Err(wrong(format!(
            "its version is {}, not {PROCESS_CERTIFICATE_VERSION}",
            certificate.version
        )));
    }
    let thread = snapshot.running().find(|(thread, _)| thread.id == certificate.thread);
    let Some((thread, registers)) = thread else {
        return Err(wrong("the thread does not run there"));
    };
    if registers.general.rip != certificate.rip {
        return Err(wrong("it is about another state of the thread"));
    }
    well_formed(certificate)?;
    let over = || Instant::now() >= deadline;
    let mut machine = state::machine(snapshot, thread, registers).map_err(wrong)?;
    stem(&mut machine, program, certificate, &over)?;

    let mut terms = Terms::new();
    let cells = &certificate.cells;
    let symbols: Vec<Term> = cells.iter().map(|cell| cell.symbol(&mut terms)).collect();
    let invariants = parse(&mut terms, certificate, &symbols)?;
    holds_at(&terms, &symbols, cells, &mut machine, &invariants)?;

    let ideal = match certificate.idealised {
        None => None,
        Some(idealised) => {
            let symbols = Symbols::new(snapshot);
            let found = Ideal::new(snapshot, &symbols, idealised, &machine);
            Some(found.ok_or_else(|| wrong("its stack is not known"))?)
        }
    };
    let mut iterations = Vec::new();
    for recipe in &certificate.iterations {
        let mut start = machine.clone();
        for (cell, value) in cells.iter().zip(&recipe.start) {
            // Where the stack is at the head is what the rest of memory is compared with.
            if ideal.is_some() && *cell == STACK_POINTER && *value != machine.general(4) {
                return Err(wrong("an iteration begins with another stack"));
            }
            if !cell.set(&mut start, *value) {
                return Err(wrong(format!("{} cannot be set", cell.name())));
            }
        }
        let until = Until::Steps(recipe.length);
        let states = States { reference: &machine, cells, ideal: ideal.as_ref() };
        let found =
            trace(&mut terms, program, &states, &start, until, &over).map_err(|no| match no {
                NoIteration::Time => ProcessRejection::Undecided("the time is over".to_owned()),
                no => ProcessRejection::Wrong(format!("an iteration cannot be followed: {no}")),
            })?;
        if !found.is_clean() {
            return Err(wrong("an iteration changes more than the cells"));
        }
        iterations.push(found);
    }
    // Sticky bits that one iteration leaves in some way are not there for another to look at.
    if iterations.iter().any(|i| i.float_terms) && iterations.iter().any(|i| i.reads_status) {
        return Err(wrong("the status of SSE is looked at, and not known"));
    }
    if ideal.is_some() {
        descends(&terms, cells, &symbols, &iterations)?;
    }
    if let Some((named, _)) = peeks(&iterations) {
        return Err(wrong(format!("it looks at what the allocator keeps for itself: {named}")));
    }
    closed(&mut terms, &symbols, &invariants, &iterations, deadline)?;
    let allocated = |i: &Iteration| i.allocations.iter().map(|allocation| allocation.size).sum();
    let heap = iterations.iter().map(allocated).max().unwrap_or(0);
    let beneath = iterations.iter().any(|iteration| iteration.beneath);
    let used = iterations.into_iter().flat_map(|iteration| iteration.accesses).collect();
    Ok(Seen { head: machine, used, beneath, heap })
}

/// A stack pointer that moves goes down, by a number that does not depend on anything: then what lies
/// above the first head's frame is never a part of what moves.
fn descends(
    terms: &Terms,
    cells: &[ProcessCell],
    symbols: &[Term],
    iterations: &[Iteration],
) -> Result<(), ProcessRejection> {
    let Some(at) = cells.iter().position(|cell| *cell == STACK_POINTER) else {
        return match cells.iter().any(|cell| (0x20..0x28).any(|byte| cell.has_register(byte))) {
            true => Err(wrong("the stack pointer is in pieces")),
            false => Ok(()),
        };
    };
    let down = |iteration: &Iteration| {
        let moved = Tracer::offset(terms, iteration.ends[at]?, symbols[at])?.cast_signed();
        (-DEEPEST..=0).contains(&moved).then_some(())
    };
    match iterations.iter().all(|iteration| down(iteration).is_some()) {
        true => Ok(()),
        false => Err(wrong("the stack does not grow evenly")),
    }
}

fn well_formed(certificate: &ProcessCertificate) -> Result<(), ProcessRejection> {
    let cells = &certificate.cells;
    for (i, cell) in cells.iter().enumerate() {
        if !(1..=8).contains(&cell.size) {
            return Err(wrong("a cell has an impossible size"));
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
            return Err(wrong("cells overlap"));
        }
        if let CellLocation::Register(at) = cell.spot
            && !(at..at.saturating_add(usize::from(cell.size))).all(state::is_register)
        {
            return Err(wrong("a cell is no register"));
        }
    }
    let lengths = certificate.iterations.iter().map(|recipe| recipe.length);
    if certificate.iterations.is_empty()
        || lengths.clone().any(|length| length == 0 || length > LONGEST)
        || certificate.stem > LONGEST
        || certificate.iterations.iter().any(|recipe| recipe.start.len() != cells.len())
    {
        return Err(wrong("its iterations are malformed"));
    }
    Ok(())
}

/// Executes the stem.
fn stem(
    machine: &mut Machine,
    program: &mut Program,
    certificate: &ProcessCertificate,
    over: &dyn Fn() -> bool,
) -> Result<(), ProcessRejection> {
    let mut done = 0;
    while done < certificate.stem {
        let some = (certificate.stem - done).min(1 << 16);
        machine
            .run(program, some, None)
            .map_err(|stop| wrong(format!("the stem cannot be followed: {stop}")))?;
        done += some;
        if over() {
            return Err(ProcessRejection::Undecided("the time is over".to_owned()));
        }
    }
    if machine.rip != certificate.head {
        return Err(wrong("the stem does not lead to the head"));
    }
    Ok(())
}

fn parse(
    terms: &mut Terms,
    certificate: &ProcessCertificate,
    symbols: &[Term],
) -> Result<Vec<Term>, ProcessRejection> {
    let mut invariants = Vec::new();
    for text in &certificate.invariants {
        let term = terms.parse(text).map_err(|e| wrong(format!("an invariant: {e}")))?;
        if terms.sort(term) != Sort::Bool {
            return Err(wrong("an invariant is no formula"));
        }
        let about_cells = terms
            .symbols_of(term)
            .into_iter()
            .all(|id| symbols.iter().any(|symbol| *terms.op(*symbol) == Op::Symbol(id)));
        if !about_cells {
            return Err(wrong("an invariant is about something that is no cell"));
        }
        invariants.push(term);
    }
    Ok(invariants)
}

/// The invariants hold at the head, the first time.
fn holds_at(
    terms: &Terms,
    symbols: &[Term],
    cells: &[ProcessCell],
    machine: &mut Machine,
    invariants: &[Term],
) -> Result<(), ProcessRejection> {
    let mut assignment = Assignment::new();
    for (cell, symbol) in cells.iter().zip(symbols) {
        let Some(number) = cell.number(machine) else {
            return Err(wrong(format!("{} is absent", cell.name())));
        };
        let Op::Symbol(id) = terms.op(*symbol) else { continue };
        let width = 8 * u32::from(cell.size);
        assignment.set(*id, Constant::Bv { width, value: u128::from(number) });
    }
    let mut evaluator = Evaluator::new(terms, &assignment);
    match invariants.iter().find(|i| evaluator.holds(**i) != Some(true)) {
        None => Ok(()),
        Some(broken) => {
            Err(wrong(format!("an invariant does not hold at first: {}", terms.display(*broken))))
        }
    }
}

/// From the invariants, one of the iterations is taken, and each ends in the invariants.
pub(crate) fn closed(
    terms: &mut Terms,
    symbols: &[Term],
    invariants: &[Term],
    iterations: &[Iteration],
    deadline: Instant,
) -> Result<(), ProcessRejection> {
    let limits =
        Limits { query: Duration::from_secs(20), deadline: Some(deadline), ..Limits::default() };
    let mut session = Session::new(limits);
    let mut never =
        |terms: &Terms, formulas: &[Term], what: &str| match session.check(terms, formulas) {
            Answer::Unsat => Ok(()),
            Answer::Sat(_) => Err(wrong(what)),
            Answer::Unknown(why) => Err(ProcessRejection::Undecided(format!("{what}: {why}"))),
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
    let promises: Vec<Term> = fresh.into_iter().map(|base| promise(terms, base)).collect();
    let mut none_taken = invariants.to_vec();
    none_taken.extend(&promises);
    for guard in &guards {
        none_taken.push(terms.not(*guard));
    }
    never(terms, &none_taken, "the iterations do not cover the invariants")?;
    for (iteration, guard) in iterations.iter().zip(&guards) {
        let map = step(terms, symbols, iteration);
        for invariant in invariants {
            let after = terms.substitute(*invariant, &map);
            let broken = terms.not(after);
            let mut formulas = invariants.to_vec();
            formulas.extend(&promises);
            formulas.extend([*guard, broken]);
            never(terms, &formulas, "an iteration does not keep an invariant")?;
        }
    }
    Ok(())
}

/// What each cell's symbol becomes in an iteration; anything where nobody knows.
pub(crate) fn step(
    terms: &mut Terms,
    symbols: &[Term],
    iteration: &Iteration,
) -> FxHashMap<Term, Term> {
    let mut map = FxHashMap::default();
    for (symbol, end) in symbols.iter().zip(&iteration.ends) {
        let width = terms.width(*symbol);
        let end = end.unwrap_or_else(|| terms.fresh_bv("any", width));
        map.insert(*symbol, end);
    }
    map
}
