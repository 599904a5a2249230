//! From a machine to a proof: what is tried, and in which order.
//!
//! What costs little comes first. Running ahead is cheap, some millions of instructions a second; a state that
//! came back is a proof, and one that nearly did is one if what differs decides nothing. Heads are looked at
//! with little effort, then running goes on, and only then anything gets much effort.

use std::time::{Duration, Instant};

use ouro_pcode::{InstructionCache, PcodeMachine, PcodeStop, REVEALS};
use ouro_process::{ProcessSnapshot, ProcessThread, ThreadRegisters};

use crate::ahead::{self, LoopHead, RunAheadOutcome};
use crate::analysis::AnalysisOptions;
use crate::analysis::AnalysisStep;
use crate::calls;
use crate::cell::CellAccess as _;
use crate::check::{CheckObservations, ProcessRejection, check_with_instructions};
use crate::closure::{
    BRIEF, ClosedIterations, ClosureEffort, ClosureFailure, EFFORTS, close_iterations,
};
use crate::explain::{AnswerExplainer, not_proven_answer};
use crate::handlers::{self, FollowedLoop};
use crate::ideal::{MemoryIdealisation, find_allocators};
use crate::limits::LIMITS;
use crate::premises::{interference_premises, resource_premises};
use crate::symbols::SnapshotSymbols;
use ouro_evidence::process::{
    HeadValue, IdealisedMemory, IterationRecipe, LoopPremise, PROCESS_CERTIFICATE_VERSION,
    ProcessAnswer, ProcessCertificate, ProcessProof,
};

const NO_TIME: &str = "out of time; allow more with --timeout";

/// What is tried when running ahead has not shown all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum NextAttempt {
    /// States that were nearly there again; nothing else.
    Near,
    /// Heads, with little effort.
    Little,
    /// All that is left.
    Much,
}

/// A proof, and what was seen when it was checked.
struct CheckedProof {
    proof: ProcessProof,
    seen: CheckObservations,
}

/// The search for a proof about one thread.
pub(crate) struct LoopProofSearch<'a> {
    pub(crate) snapshot: &'a ProcessSnapshot,
    pub(crate) symbols: &'a SnapshotSymbols<'a>,
    pub(crate) explain: AnswerExplainer<'a>,
    pub(crate) options: AnalysisOptions,
    pub(crate) thread: &'a ProcessThread,
    pub(crate) registers: &'a ThreadRegisters,
    pub(crate) program: InstructionCache,
    /// How many were run ahead.
    pub(crate) instructions: u64,
    /// What was found of handlers that leave the loop alone.
    pub(crate) harmless: Option<LoopPremise>,
    /// Why a loop that allocates is not proved, if it looks at what the allocator has.
    pub(crate) peeks: Option<String>,
    pub(crate) progress: &'a mut dyn FnMut(AnalysisStep),
}

impl LoopProofSearch<'_> {
    /// What becomes of the machine, with the premises that were found.
    pub(crate) fn find_answer(
        &mut self,
        begin: &PcodeMachine,
        premises: &[LoopPremise],
    ) -> ProcessAnswer {
        let mut front = begin.clone();
        let mut heads = Vec::new();
        let mut reason = String::new();
        let stages = [
            (LIMITS.ahead_at_first, NextAttempt::Near),
            (LIMITS.ahead_later, NextAttempt::Little),
            (self.options.ahead, NextAttempt::Much),
        ];
        for (most, then) in stages {
            (self.progress)(AnalysisStep::RunAhead);
            let left = self.options.deadline.saturating_duration_since(Instant::now());
            let until = Instant::now() + left / 3;
            let ahead = ahead::run_ahead(&mut front, &mut self.program, most, until);
            self.instructions = front.steps;
            let mut near = Vec::new();
            let tried = match ahead {
                RunAheadOutcome::Recurs { stem, length } => {
                    self.prove_recurrence(begin, stem, length)
                }
                RunAheadOutcome::Stops(stop) => match self.try_without_end(&stop, begin, &front) {
                    Some(found) => Ok(found),
                    None => {
                        let stopped =
                            self.unless_disturbed(self.explain.explain_stop(&stop, &front));
                        return self.peeks.take().map_or(stopped, not_proven_answer);
                    }
                },
                RunAheadOutcome::Runs(found) => {
                    near = found;
                    self.close_from(&near, BRIEF).map_err(|_| String::new())
                }
            };
            let tried = tried.or_else(|why| {
                let closed = match then {
                    NextAttempt::Near => Err(String::new()),
                    NextAttempt::Little => {
                        let mut base = begin.clone();
                        let _ = base.run_until(&mut self.program, LIMITS.settled_after, None);
                        self.try_with_little_effort(&base, near, &mut heads)
                    }
                    NextAttempt::Much => self.close_from(&heads, EFFORTS[1]).or_else(|_| {
                        self.try_with_little_effort(&front, near, &mut heads)
                            .or_else(|_| self.close_from(&heads, EFFORTS[1]))
                    }),
                };
                closed.map_err(|other| if why.is_empty() { other } else { why })
            });
            match tried {
                Ok(proof) => return self.answer_under_premises(proof, premises),
                Err(why) if reason.is_empty() => reason = why,
                Err(_) => {}
            }
            // Something else would not be proved of it either.
            if self.peeks.is_some() {
                break;
            }
        }
        not_proven_answer(self.peeks.take().unwrap_or(reason))
    }

    /// Looks for heads from a state of the process, and tries each with little effort. Where the state nearly
    /// came back is a likely one, unless the way is long.
    fn try_with_little_effort(
        &mut self,
        base: &PcodeMachine,
        mut near: Vec<LoopHead>,
        heads: &mut Vec<LoopHead>,
    ) -> Result<CheckedProof, String> {
        heads.clear();
        near.retain(|head| head.length <= LIMITS.short_iteration);
        // A stack that grows never shrinks back into a state that was there before.
        let growing = self.find_growing_heads(base);
        let (deep, wide): (Vec<_>, Vec<_>) = growing.into_iter().partition(|head| head.1);
        self.close_ideally(&deep).or_else(|_| {
            *heads = near;
            heads.extend(self.find_heads(base)?);
            self.close_from(heads, EFFORTS[0])
                .or_else(|why| self.close_ideally(&wide).map_err(|_| why))
        })
    }

    /// Out of room on the heap or the stack: a loop that needs more of it each time?
    fn try_without_end(
        &mut self,
        stop: &PcodeStop,
        begin: &PcodeMachine,
        front: &PcodeMachine,
    ) -> Option<CheckedProof> {
        if !self.runs_out_of_memory(stop, front) {
            return None;
        }
        let mut base = begin.clone();
        let enough = LIMITS.settled_after.min((front.steps - begin.steps) / 8);
        let _ = base.run_until(&mut self.program, enough, None);
        let growing = self.find_growing_heads(&base);
        self.close_ideally(&growing).ok()
    }

    /// What the machine saw of the end is what happens, unless somebody interferes.
    fn unless_disturbed(&self, answer: ProcessAnswer) -> ProcessAnswer {
        let ProcessAnswer::WillLeave { instructions, place, what } = &answer else { return answer };
        let all = interference_premises(self.snapshot, self.thread.id);
        match all.iter().find(|premise| premise.holds == Some(false)) {
            None => answer,
            Some(broken) => not_proven_answer(format!(
                "on its own, this thread would leave the loop after {instructions} instructions, \
                 at {place} ({what}), but a premise does not hold: {}: {}",
                broken.what, broken.found
            )),
        }
    }

    /// The proof that a state which came back will come back again.
    fn prove_recurrence(
        &mut self,
        begin: &PcodeMachine,
        stem: u64,
        length: u64,
    ) -> Result<CheckedProof, String> {
        let mut head = begin.clone();
        if head.run_until(&mut self.program, stem, None).is_err() {
            return Err("Ouro could not execute the way to the loop again".to_owned());
        }
        let closed = ClosedIterations {
            cells: Vec::new(),
            invariants: Vec::new(),
            recipes: vec![IterationRecipe { start: Vec::new(), length }],
            code: instruction_path(&head, &mut self.program, length),
            deciding: Vec::new(),
            stack: 0,
            heap: 0,
        };
        self.check_proof(&closed, &head, None)
    }

    /// The proof, unless a premise is known not to hold or a signal may end the loop.
    fn answer_under_premises(
        &mut self,
        found: CheckedProof,
        premises: &[LoopPremise],
    ) -> ProcessAnswer {
        let CheckedProof { proof, seen } = found;
        let room = resource_premises(self.snapshot, proof.stack, proof.heap);
        if let Some(broken) =
            premises.iter().chain(&room).find(|premise| premise.holds == Some(false))
        {
            return not_proven_answer(format!(
                "on its own, this thread would loop forever (at {}), but a premise does not hold: \
                 {}: {}",
                proof.head, broken.what, broken.found
            ));
        }
        let followed = FollowedLoop { head: &seen.head, used: &seen.used, beneath: seen.beneath };
        let deadline = self.options.deadline;
        let handlers = handlers::judge_handlers(
            self.snapshot,
            self.symbols,
            &mut self.program,
            &followed,
            deadline,
        );
        self.harmless = handlers.harmless;
        match handlers.signals.is_empty() {
            true => ProcessAnswer::LoopsForever(Box::new(proof)),
            false => ProcessAnswer::LoopsUntil {
                signals: handlers.signals,
                handlers: handlers.notes,
                proof: Box::new(proof),
            },
        }
    }

    /// Places to which control returns from a state of the process.
    fn find_heads(&mut self, base: &PcodeMachine) -> Result<Vec<LoopHead>, String> {
        (self.progress)(AnalysisStep::FindLoop);
        let mut heads = ahead::find_heads(base, &mut self.program, self.options.deadline);
        heads.truncate(16);
        match heads.is_empty() {
            true if Instant::now() >= self.options.deadline => Err(NO_TIME.to_owned()),
            true => Err("no loop was found: no instruction is executed again and again".to_owned()),
            false => Ok(heads),
        }
    }

    /// Seeks a closed set from one of these heads.
    fn close_from(
        &mut self,
        heads: &[LoopHead],
        effort: ClosureEffort,
    ) -> Result<CheckedProof, String> {
        let deadline = self.options.deadline;
        // The first reason is kept; but what grows says more than that something may go another way.
        let (mut reason, mut grows) = (String::new(), false);
        for (at, head) in heads.iter().enumerate() {
            let effort =
                ClosureEffort { tells: effort.tells && at < LIMITS.reasons_told, ..effort };
            let left = deadline.saturating_duration_since(Instant::now());
            if left < Duration::from_millis(200) {
                break;
            }
            (self.progress)(AnalysisStep::CloseLoop);
            let until = Instant::now() + left / 3;
            let most = head.length.saturating_mul(4) + 100_000;
            let found = close_iterations(
                &mut self.program,
                &head.machine,
                head.visits,
                most,
                None,
                effort,
                until,
            );
            let closed = match found {
                Ok(closed) => closed,
                Err(why) => {
                    let counts = matches!(why, ClosureFailure::Turns(_));
                    if reason.is_empty() || counts && !grows {
                        reason = self.explain.explain_closure_failure(&why, head.machine.rip);
                    }
                    grows |= counts;
                    continue;
                }
            };
            match self.check_proof(&closed, &head.machine, None) {
                Ok(proof) => return Ok(proof),
                Err(why) if reason.is_empty() => reason = why,
                Err(_) => {}
            }
        }
        if reason.is_empty() {
            reason = NO_TIME.to_owned();
        }
        Err(reason)
    }

    /// Whether the machine stopped because it wants more heap or stack than there is.
    fn runs_out_of_memory(&self, stop: &PcodeStop, machine: &PcodeMachine) -> bool {
        match stop {
            PcodeStop::Call(_) => calls::asks_for_memory(machine),
            PcodeStop::Absent(_, address) => {
                self.snapshot.mapping_at(*address).is_none()
                    && machine.general_register(4).abs_diff(*address) < 1 << 20
            }
            _ => false,
        }
    }

    /// Heads between which the stack grows, or something is allocated.
    fn find_growing_heads(&mut self, base: &PcodeMachine) -> Vec<(LoopHead, bool)> {
        let allocators = find_allocators(self.symbols);
        let allocates = |address: u64| allocators.contains_key(&address);
        ahead::find_growing_heads(base, &mut self.program, &allocates, self.options.deadline)
    }

    /// Seeks a closed set with a stack and a heap that have no end.
    fn close_ideally(&mut self, heads: &[(LoopHead, bool)]) -> Result<CheckedProof, String> {
        let mut reason = "nothing grows".to_owned();
        let deadline = self.options.deadline;
        for (head, _) in heads.iter().take(4) {
            let left = deadline.saturating_duration_since(Instant::now());
            if left < Duration::from_millis(200) {
                break;
            }
            (self.progress)(AnalysisStep::CloseLoop);
            let until = Instant::now() + left / 4;
            let most = head.length.saturating_mul(4) + 100_000;
            let idealised = IdealisedMemory { reach: 0 };
            let found =
                MemoryIdealisation::new(self.snapshot, self.symbols, idealised, &head.machine);
            let Some(ideal) = found else { continue };
            match close_iterations(
                &mut self.program,
                &head.machine,
                head.visits,
                most,
                Some(&ideal),
                EFFORTS[1],
                until,
            ) {
                Ok(closed) if closed.stack > 0 || closed.heap > 0 => {
                    let head = &head.machine;
                    let some = Some(idealised);
                    match self.check_proof(&closed, head, some) {
                        Ok(proof) => return Ok(proof),
                        Err(why) => reason = why,
                    }
                }
                Ok(_) => {}
                Err(why) => {
                    reason = self.explain.explain_closure_failure(&why, head.machine.rip);
                    let asks = matches!(&why, ClosureFailure::Stop(PcodeStop::Unsupported(_, why)) if why == REVEALS);
                    if asks || matches!(why, ClosureFailure::Peeks(..)) {
                        self.peeks.get_or_insert_with(|| reason.clone());
                    }
                }
            }
        }
        Err(reason)
    }

    /// A proof, once the checker has accepted its certificate.
    fn check_proof(
        &mut self,
        closed: &ClosedIterations,
        head: &PcodeMachine,
        idealised: Option<IdealisedMemory>,
    ) -> Result<CheckedProof, String> {
        let certificate = ProcessCertificate {
            version: PROCESS_CERTIFICATE_VERSION,
            pid: self.snapshot.pid,
            thread: self.thread.id,
            rip: self.registers.general.rip,
            stem: head.steps,
            head: head.rip,
            idealised,
            cells: closed.cells.clone(),
            invariants: closed.invariants.clone(),
            iterations: closed.recipes.clone(),
        };
        (self.progress)(AnalysisStep::CheckProof);
        let checked = check_with_instructions(
            self.snapshot,
            &certificate,
            self.options.deadline,
            &mut self.program,
        );
        let seen = match checked {
            Ok(seen) => seen,
            Err(ProcessRejection::Wrong(why)) => {
                return Err(format!("the checker rejected the proof: {why}"));
            }
            Err(ProcessRejection::Undecided(why)) => {
                return Err(format!("the proof could not be checked: {why}"));
            }
        };
        let method = if closed.cells.is_empty() {
            "recurrence"
        } else if closed.deciding.is_empty() {
            "projection"
        } else {
            "closed set"
        };
        let changing = if closed.deciding.is_empty() {
            let mut start = head.clone();
            closed
                .cells
                .iter()
                .filter(|cell| cell.size >= 4)
                .filter_map(|cell| Some((*cell, cell.number_in(&mut start)?)))
                .take(6)
                .collect()
        } else {
            closed.deciding.clone()
        };
        let operands = self.explain.memory_operands(head, &mut self.program, closed);
        let proof = ProcessProof {
            method: method.to_owned(),
            head: self.symbols.place_of_address(certificate.head),
            length: closed.recipes.iter().map(|r| r.length).max().unwrap_or(0),
            lines: self.explain.loop_lines(&closed.code),
            exits: self.explain.untaken_exits(&closed.code, &self.program, &operands),
            changing: changing
                .into_iter()
                .map(|(cell, value)| HeadValue { name: self.explain.cell_name(cell.spot), value })
                .collect(),
            invariants: self.explain.readable_invariants(closed),
            stack: closed.stack,
            heap: closed.heap,
            certificate,
        };
        Ok(CheckedProof { proof, seen })
    }
}

/// Addresses of the next instructions, each once, in order.
fn instruction_path(head: &PcodeMachine, program: &mut InstructionCache, length: u64) -> Vec<u64> {
    let mut machine = head.clone();
    let mut code = std::collections::BTreeSet::new();
    for _ in 0..length {
        code.insert(machine.rip);
        if machine.step(program).is_err() {
            break;
        }
    }
    code.into_iter().collect()
}
