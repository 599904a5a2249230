//! The way from a snapshot to an answer.

use std::time::{Duration, Instant};

use ouro_pcode::{Machine, Program};
use ouro_process::{Activity, Registers, Snapshot, Thread};

use crate::explain::{Explain, not_proven};
use crate::premises::{premises, room};
use crate::search::Search;
use crate::symbols::Symbols;
use crate::{calls, script, state, unwind, variables};
use ouro_evidence::process::{ProcessAnalysis, ProcessAnswer};

/// How much an analysis may cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// When it has to be over.
    pub deadline: Instant,
    /// The most instructions to run ahead.
    pub ahead: u64,
}

impl Default for Options {
    /// A minute, and thirty million instructions.
    fn default() -> Options {
        Options { deadline: Instant::now() + Duration::from_secs(60), ahead: 30_000_000 }
    }
}

/// What is being done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AnalysisStep {
    /// The machine runs ahead of the process.
    RunAhead,
    /// A head of the loop is looked for.
    FindLoop,
    /// It is proved that no iteration leaves the loop.
    CloseLoop,
    /// The checker executes the proof again.
    CheckProof,
}

/// Answers the question. `progress` is told what is being done.
pub fn analyse(
    snapshot: &Snapshot,
    options: Options,
    progress: &mut dyn FnMut(AnalysisStep),
) -> ProcessAnalysis {
    let start = Instant::now();
    let symbols = Symbols::new(snapshot);
    let chosen = busiest(snapshot);
    let thread = chosen.map_or(snapshot.pid, |(thread, _)| thread.id);
    let frames = chosen
        .map_or_else(Vec::new, |(_, registers)| unwind::frames(snapshot, &symbols, registers));
    let stack = unwind::stack(&symbols, &frames);
    let variables = variables::on_stack(&symbols, &frames);
    let script = chosen.map_or_else(Vec::new, |(thread, registers)| {
        script::places(snapshot, &symbols, thread, registers)
    });
    let mut premises = premises(snapshot, thread);
    let mut harmless = None;
    let (answer, instructions) = match chosen {
        None => (waits(snapshot), 0),
        Some((thread, registers)) => match begin(snapshot, thread, registers) {
            Err(answer) => (*answer, 0),
            Ok(machine) => {
                let mut search = Search {
                    snapshot,
                    symbols: &symbols,
                    explain: Explain { snapshot, symbols: &symbols, variables },
                    options,
                    thread,
                    registers,
                    program: Program::new(),
                    instructions: 0,
                    harmless: None,
                    peeks: None,
                    progress,
                };
                let answer = search.answer(&machine, &premises);
                harmless = search.harmless;
                (answer, search.instructions)
            }
        },
    };
    premises.extend(harmless);
    if let Some(proof) = answer.proof() {
        premises.extend(room(snapshot, proof.stack, proof.heap));
    }
    ProcessAnalysis {
        answer,
        pid: snapshot.pid,
        program: snapshot.executable.display().to_string(),
        thread,
        stack,
        script,
        premises,
        stopped: snapshot.stopped,
        instructions,
        elapsed: start.elapsed(),
    }
}

/// The running thread that used the CPU most; one that only waits comes last.
fn busiest(snapshot: &Snapshot) -> Option<(&Thread, &Registers)> {
    let ticks = |id: i32| {
        let at = snapshot.threads.iter().position(|thread| thread.id == id);
        at.and_then(|at| snapshot.ticks.get(at)).copied().unwrap_or(0)
    };
    snapshot.running().max_by_key(|(thread, registers)| {
        let runs = calls::interrupted(registers).is_none();
        (runs, ticks(thread.id), std::cmp::Reverse(thread.id))
    })
}

/// All threads sleep.
fn waits(snapshot: &Snapshot) -> ProcessAnswer {
    let call = snapshot.threads.iter().find_map(|thread| match &thread.activity {
        Activity::Blocked(blocked) => Some(calls::waiting(snapshot, blocked)),
        Activity::Running(_) => None,
    });
    ProcessAnswer::Waits { call: call.unwrap_or_else(|| "nothing that can be seen".to_owned()) }
}
/// The machine of a thread; an answer if there is no need of one, or none to be had.
fn begin(
    snapshot: &Snapshot,
    thread: &Thread,
    registers: &Registers,
) -> Result<Machine, Box<ProcessAnswer>> {
    // In a system call: a core of a sleeper, or one that was just interrupted.
    if let Some(blocked) = calls::interrupted(registers) {
        return Err(Box::new(ProcessAnswer::Waits { call: calls::waiting(snapshot, &blocked) }));
    }
    state::machine(snapshot, thread, registers).map_err(|why| Box::new(not_proven(why)))
}

/// Instructions a second from a snapshot, on numbers and on terms: for measurements.
pub fn speed(snapshot: &Snapshot) -> (f64, f64) {
    let Some((thread, registers)) = snapshot.running().next() else { return (0.0, 0.0) };
    let mut program = Program::new();
    let Ok(start) = state::machine(snapshot, thread, registers) else { return (0.0, 0.0) };
    // What is lifted once is not lifted again.
    let _ = start.clone().run(&mut program, 100_000, None);
    let rate = |done: u64, since: Instant| {
        f64::from(u32::try_from(done).unwrap_or(u32::MAX)) / since.elapsed().as_secs_f64()
    };
    let mut machine = start.clone();
    let since = Instant::now();
    let _ = machine.run(&mut program, 3_000_000, None);
    let numbers = rate(machine.steps, since);
    let (mut terms, mut tracer) = (ouro_term::Terms::new(), ouro_pcode::Tracer::new());
    let mut machine = start;
    let since = Instant::now();
    while machine.steps < 200_000 && tracer.step(&mut terms, &mut machine, &mut program).is_ok() {}
    (numbers, rate(machine.steps, since))
}
