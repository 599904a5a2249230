//! The way from a snapshot to an answer.

use std::time::{Duration, Instant};

use ouro_pcode::{InstructionCache, PcodeMachine};
use ouro_process::{ProcessSnapshot, ProcessThread, ThreadActivity, ThreadRegisters};

use crate::explain::{AnswerExplainer, not_proven_answer};
use crate::premises::{find_premises, resource_premises};
use crate::search::LoopProofSearch;
use crate::symbols::SnapshotSymbols;
use crate::{calls, script, state, unwind, variables};
use ouro_evidence::process::{ProcessAnalysis, ProcessAnswer};

/// How much an analysis may cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AnalysisOptions {
    /// When it has to be over.
    pub deadline: Instant,
    /// The most instructions to run ahead.
    pub ahead: u64,
}

impl Default for AnalysisOptions {
    /// A minute, and thirty million instructions.
    fn default() -> AnalysisOptions {
        AnalysisOptions { deadline: Instant::now() + Duration::from_secs(60), ahead: 30_000_000 }
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
pub fn analyse_snapshot(
    snapshot: &ProcessSnapshot,
    options: AnalysisOptions,
    progress: &mut dyn FnMut(AnalysisStep),
) -> ProcessAnalysis {
    let start = Instant::now();
    let symbols = SnapshotSymbols::new(snapshot);
    let chosen = busiest_thread(snapshot);
    let thread = chosen.map_or(snapshot.pid, |(thread, _)| thread.id);
    let frames = chosen.map_or_else(Vec::new, |(_, registers)| {
        unwind::unwind_frames(snapshot, &symbols, registers)
    });
    let stack = unwind::places_of_frames(&symbols, &frames);
    let variables = variables::stack_variables(&symbols, &frames);
    let script = chosen.map_or_else(Vec::new, |(thread, registers)| {
        script::script_stack(snapshot, &symbols, thread, registers)
    });
    let mut premises = find_premises(snapshot, thread);
    let mut harmless = None;
    let (answer, instructions) = match chosen {
        None => (waiting_answer(snapshot), 0),
        Some((thread, registers)) => match start_machine(snapshot, thread, registers) {
            Err(answer) => (*answer, 0),
            Ok(machine) => {
                let mut search = LoopProofSearch {
                    snapshot,
                    symbols: &symbols,
                    explain: AnswerExplainer { snapshot, symbols: &symbols, variables },
                    options,
                    thread,
                    registers,
                    program: InstructionCache::new(),
                    instructions: 0,
                    harmless: None,
                    peeks: None,
                    progress,
                };
                let answer = search.find_answer(&machine, &premises);
                harmless = search.harmless;
                (answer, search.instructions)
            }
        },
    };
    premises.extend(harmless);
    if let Some(proof) = answer.proof() {
        premises.extend(resource_premises(snapshot, proof.stack, proof.heap));
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
fn busiest_thread(snapshot: &ProcessSnapshot) -> Option<(&ProcessThread, &ThreadRegisters)> {
    let ticks = |id: i32| {
        let at = snapshot.threads.iter().position(|thread| thread.id == id);
        at.and_then(|at| snapshot.ticks.get(at)).copied().unwrap_or(0)
    };
    snapshot.running_threads().max_by_key(|(thread, registers)| {
        let runs = calls::interrupted_call(registers).is_none();
        (runs, ticks(thread.id), std::cmp::Reverse(thread.id))
    })
}

/// All threads sleep.
fn waiting_answer(snapshot: &ProcessSnapshot) -> ProcessAnswer {
    let call = snapshot.threads.iter().find_map(|thread| match &thread.activity {
        ThreadActivity::Blocked(blocked) => Some(calls::describe_waiting_call(snapshot, blocked)),
        ThreadActivity::Running(_) => None,
    });
    ProcessAnswer::Waits { call: call.unwrap_or_else(|| "nothing visible".to_owned()) }
}
/// The machine of a thread; an answer if there is no need of one, or none to be had.
fn start_machine(
    snapshot: &ProcessSnapshot,
    thread: &ProcessThread,
    registers: &ThreadRegisters,
) -> Result<PcodeMachine, Box<ProcessAnswer>> {
    // In a system call: a core of a sleeper, or one that was just interrupted.
    if let Some(blocked) = calls::interrupted_call(registers) {
        return Err(Box::new(ProcessAnswer::Waits {
            call: calls::describe_waiting_call(snapshot, &blocked),
        }));
    }
    state::machine_of_thread(snapshot, thread, registers)
        .map_err(|why| Box::new(not_proven_answer(why)))
}

/// Instructions a second from a snapshot, on numbers and on terms: for measurements.
pub fn measure_speed(snapshot: &ProcessSnapshot) -> (f64, f64) {
    let Some((thread, registers)) = snapshot.running_threads().next() else { return (0.0, 0.0) };
    let mut program = InstructionCache::new();
    let Ok(start) = state::machine_of_thread(snapshot, thread, registers) else {
        return (0.0, 0.0);
    };
    // What is lifted once is not lifted again.
    let _ = start.clone().run_until(&mut program, 100_000, None);
    let rate = |done: u64, since: Instant| {
        f64::from(u32::try_from(done).unwrap_or(u32::MAX)) / since.elapsed().as_secs_f64()
    };
    let mut machine = start.clone();
    let since = Instant::now();
    let _ = machine.run_until(&mut program, 3_000_000, None);
    let numbers = rate(machine.steps, since);
    let (mut terms, mut tracer) =
        (ouro_term::TermStore::new(), ouro_pcode::InstructionTracer::new());
    let mut machine = start;
    let since = Instant::now();
    while machine.steps < 200_000 && tracer.step(&mut terms, &mut machine, &mut program).is_ok() {}
    (numbers, rate(machine.steps, since))
}
