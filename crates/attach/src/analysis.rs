//! The way from a snapshot to an answer.

use std::time::{Duration, Instant};

use ouro_pcode::{Machine, Program, Stop};
use ouro_process::{Activity, Registers, Snapshot, Thread};
use rustc_hash::FxHashMap;

use crate::ahead::{self, Ahead, Head};
use crate::answer::{Analysis, Answer, Fact, Premise, Proof};
use crate::certificate::{Certificate, Recipe, VERSION};
use crate::check::{Rejected, check_with};
use crate::closure::{BRIEF, Closed, EFFORTS, Effort, NotClosed, close};
use crate::explain::{Explain, not_proven};
use crate::ideal::{Ideal, Idealised, allocators};
use crate::premises::{interference, premises, room};
use crate::symbols::Symbols;
use crate::{calls, script, state, unwind, variables};

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

/// After so many instructions a loop is looked at: what came before may be the way into it.
const SETTLED: u64 = 20_000;
/// Of so many heads it is found out what grows there.
const TOLD: usize = 3;
/// So far it is run ahead first: most states that come back at all do so by then.
const SOON: u64 = 1_000_000;
/// So far it is run ahead before the loop is looked at, which takes longer than running.
const LATER: u64 = 4_000_000;

/// Answers the question. `progress` is told what is being done.
pub fn analyse(snapshot: &Snapshot, options: Options, progress: &mut dyn FnMut(&str)) -> Analysis {
    let start = Instant::now();
    let symbols = Symbols::new(snapshot);
    let mut work = Work {
        snapshot,
        symbols: &symbols,
        explain: Explain { snapshot, symbols: &symbols, variables: FxHashMap::default() },
        options,
        program: None,
        instructions: 0,
        progress,
    };
    let chosen = busiest(snapshot);
    let thread = chosen.map_or(snapshot.pid, |(thread, _)| thread.id);
    let frames = chosen
        .map_or_else(Vec::new, |(_, registers)| unwind::frames(snapshot, &symbols, registers));
    let stack = unwind::stack(&symbols, &frames);
    work.explain.variables = variables::on_stack(&symbols, &frames);
    let script = chosen.map_or_else(Vec::new, |(thread, registers)| {
        script::places(snapshot, &symbols, thread, registers)
    });
    let mut premises = premises(snapshot, thread);
    let answer = match chosen {
        None => waits(snapshot),
        Some((thread, registers)) => work.answer(thread, registers, &premises),
    };
    if let Answer::LoopsForever(proof) = &answer {
        premises.extend(room(snapshot, proof.stack, proof.heap));
    }
    Analysis {
        answer,
        pid: snapshot.pid,
        program: snapshot.executable.display().to_string(),
        thread,
        stack,
        script,
        premises,
        stopped: snapshot.stopped,
        instructions: work.instructions,
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
fn waits(snapshot: &Snapshot) -> Answer {
    let call = snapshot.threads.iter().find_map(|thread| match &thread.activity {
        Activity::Blocked(blocked) => Some(calls::waiting(snapshot, blocked)),
        Activity::Running(_) => None,
    });
    Answer::Waits { call: call.unwrap_or_else(|| "nothing that can be seen".to_owned()) }
}

struct Work<'a> {
    snapshot: &'a Snapshot,
    symbols: &'a Symbols<'a>,
    explain: Explain<'a>,
    options: Options,
    program: Option<Program>,
    instructions: u64,
    progress: &'a mut dyn FnMut(&str),
}

impl Work<'_> {
    fn answer(&mut self, thread: &Thread, registers: &Registers, premises: &[Premise]) -> Answer {
        // In a system call: a core of a sleeper, or one that was just interrupted.
        if let Some(blocked) = calls::interrupted(registers) {
            return Answer::Waits { call: calls::waiting(self.snapshot, &blocked) };
        }
        let machine = match state::machine(self.snapshot, thread, registers) {
            Ok(machine) => machine,
            Err(why) => return not_proven(why),
        };
        let mut program = self.program.take().unwrap_or_default();
        let answer = self.look(thread, registers, machine, &mut program, premises);
        self.program = Some(program);
        answer
    }

    fn look(
        &mut self,
        thread: &Thread,
        registers: &Registers,
        machine: Machine,
        program: &mut Program,
        premises: &[Premise],
    ) -> Answer {
        (self.progress)("running ahead");
        let begin = machine.clone();
        let mut front = machine;
        let mut reason = String::new();
        let mut proof = None;
        // First a little, then as far as is allowed: most loops show themselves soon.
        for most in [SOON, LATER, self.options.ahead] {
            let left = self.options.deadline.saturating_duration_since(Instant::now());
            let until = Instant::now() + left / 3;
            let ahead = ahead::run(&mut front, program, most, until);
            self.instructions = front.steps;
            let tried = match ahead {
                Ahead::Recurs { stem, length } => {
                    self.recurs(thread, registers, &begin, program, (stem, length))
                }
                Ahead::Stops(stop) => {
                    // Out of room on the heap or the stack: a loop that needs more of it each time?
                    let ideal = self.runs_out(&stop, &front).then(|| {
                        let mut base = begin.clone();
                        let enough = begin.steps + SETTLED.min((front.steps - begin.steps) / 8);
                        let _ = base.run(program, enough - begin.steps, None);
                        let growing = self.growing(&base, program);
                        self.close_ideally(thread, registers, &growing, program)
                    });
                    match ideal {
                        Some(Ok(found)) => Ok(found),
                        _ => {
                            return self
                                .unless_disturbed(thread, self.explain.stopped(&stop, &front));
                        }
                    }
                }
                Ahead::Runs(near) => {
                    let found = self.close_from(thread, registers, &near, BRIEF, program);
                    if most == SOON && found.is_err() {
                        continue;
                    }
                    found.map_err(|_| String::new())
                }
            };
            let tried = tried.or_else(|why| {
                let mut base = begin.clone();
                if most == LATER {
                    let _ = base.run(program, SETTLED, None);
                } else {
                    base = front.clone();
                }
                // A stack that grows never shrinks back into a state that was there before.
                let growing = self.growing(&base, program);
                let (deep, wide): (Vec<_>, Vec<_>) = growing.into_iter().partition(|h| h.1);
                let [little, much] = EFFORTS;
                let closed = self.close_ideally(thread, registers, &deep, program).or_else(|_| {
                    let heads = self.heads(&base, program)?;
                    self.close_from(thread, registers, &heads, little, program).or_else(|why| {
                        let ideal = self.close_ideally(thread, registers, &wide, program);
                        ideal
                            .or_else(|_| self.close_from(thread, registers, &heads, much, program))
                            .map_err(|_| why)
                    })
                });
                closed.map_err(|other| if why.is_empty() { other } else { why })
            });
            match tried {
                Ok(found) => {
                    proof = Some(found);
                    break;
                }
                Err(why) if reason.is_empty() => reason = why,
                Err(_) => {}
            }
        }
        match proof {
            Some(proof) => match premises.iter().find(|premise| premise.holds == Some(false)) {
                None => Answer::LoopsForever(Box::new(proof)),
                Some(broken) => not_proven(format!(
                    "alone, this thread would loop forever (at {}), but a premise does not hold: \
                     {}: {}",
                    proof.head, broken.what, broken.found
                )),
            },
            None => not_proven(reason),
        }
    }

    /// What the machine saw of the end is what happens, unless somebody interferes.
    fn unless_disturbed(&self, thread: &Thread, answer: Answer) -> Answer {
        let Answer::WillLeave { instructions, place, what } = &answer else { return answer };
        let all = interference(self.snapshot, thread.id);
        match all.iter().find(|premise| premise.holds == Some(false)) {
            None => answer,
            Some(broken) => not_proven(format!(
                "alone, this thread would leave the loop after {instructions} instructions, at \
                 {place} ({what}), but a premise does not hold: {}: {}",
                broken.what, broken.found
            )),
        }
    }

    /// The proof that a state which came back will come back again.
    fn recurs(
        &mut self,
        thread: &Thread,
        registers: &Registers,
        begin: &Machine,
        program: &mut Program,
        (stem, length): (u64, u64),
    ) -> Result<Proof, String> {
        let mut head = begin.clone();
        if head.run(program, stem, None).is_err() {
            return Err("the way to the loop could not be followed again".to_owned());
        }
        let closed = Closed {
            cells: Vec::new(),
            invariants: Vec::new(),
            recipes: vec![Recipe { start: Vec::new(), length }],
            code: path(&head, program, length),
            deciding: Vec::new(),
            stack: 0,
            heap: 0,
        };
        self.checked(thread, registers, &closed, program, &head, None)
    }

    /// Places to which control returns from a state of the process.
    fn heads(&mut self, base: &Machine, program: &mut Program) -> Result<Vec<Head>, String> {
        (self.progress)("looking for the loop");
        let mut heads = ahead::heads(base, program, self.options.deadline);
        heads.truncate(16);
        match heads.is_empty() {
            true => Err("no loop was found: control does not return to any place".to_owned()),
            false => Ok(heads),
        }
    }

    /// Seeks a closed set from one of these heads.
    fn close_from(
        &mut self,
        thread: &Thread,
        registers: &Registers,
        heads: &[Head],
        effort: Effort,
        program: &mut Program,
    ) -> Result<Proof, String> {
        let deadline = self.options.deadline;
        // The first reason is kept; but what grows says more than that something may go another way.
        let (mut reason, mut grows) = (String::new(), false);
        for (at, head) in heads.iter().enumerate() {
            let effort = Effort { tells: effort.tells && at < TOLD, ..effort };
            let left = deadline.saturating_duration_since(Instant::now());
            if left < Duration::from_millis(200) {
                break;
            }
            (self.progress)("proving that the loop is closed");
            let until = Instant::now() + left / 3;
            let most = head.length.saturating_mul(4) + 100_000;
            let found = close(program, &head.machine, head.visits, most, None, effort, until);
            let closed = match found {
                Ok(closed) => closed,
                Err(why) => {
                    let counts = matches!(why, NotClosed::Turns(_));
                    if reason.is_empty() || counts && !grows {
                        reason = self.explain.not_closed(&why, head.machine.rip);
                    }
                    grows |= counts;
                    continue;
                }
            };
            match self.checked(thread, registers, &closed, program, &head.machine, None) {
                Ok(proof) => return Ok(proof),
                Err(why) if reason.is_empty() => reason = why,
                Err(_) => {}
            }
        }
        if reason.is_empty() {
            reason = "the time was not enough".to_owned();
        }
        Err(reason)
    }

    /// Whether the machine stopped because it wants more heap or stack than there is.
    fn runs_out(&self, stop: &Stop, machine: &Machine) -> bool {
        match stop {
            Stop::Call(_) => calls::asks_for_memory(machine),
            Stop::Absent(_, address) => {
                self.snapshot.mapping(*address).is_none()
                    && machine.general(4).abs_diff(*address) < 1 << 20
            }
            _ => false,
        }
    }

    /// Heads between which the stack grows, or something is allocated.
    fn growing(&self, base: &Machine, program: &mut Program) -> Vec<(Head, bool)> {
        let allocators = allocators(self.symbols);
        let allocates = |address: u64| allocators.contains_key(&address);
        ahead::growing(base, program, &allocates, self.options.deadline)
    }

    /// Seeks a closed set with a stack and a heap that have no end.
    fn close_ideally(
        &mut self,
        thread: &Thread,
        registers: &Registers,
        heads: &[(Head, bool)],
        program: &mut Program,
    ) -> Result<Proof, String> {
        let mut reason = "nothing grows".to_owned();
        let deadline = self.options.deadline;
        for (head, _) in heads.iter().take(4) {
            let left = deadline.saturating_duration_since(Instant::now());
            if left < Duration::from_millis(200) {
                break;
            }
            (self.progress)("proving that the loop is closed");
            let until = Instant::now() + left / 4;
            let most = head.length.saturating_mul(4) + 100_000;
            let idealised = Idealised { reach: 0 };
            let found = Ideal::new(self.snapshot, self.symbols, idealised, &head.machine);
            let Some(ideal) = found else { continue };
            match close(program, &head.machine, head.visits, most, Some(&ideal), EFFORTS[1], until)
            {
                Ok(closed) if closed.stack > 0 || closed.heap > 0 => {
                    let head = &head.machine;
                    let some = Some(idealised);
                    match self.checked(thread, registers, &closed, program, head, some) {
                        Ok(proof) => return Ok(proof),
                        Err(why) => reason = why,
                    }
                }
                Ok(_) => {}
                Err(why) => reason = self.explain.not_closed(&why, head.machine.rip),
            }
        }
        Err(reason)
    }

    /// A proof, once the checker has accepted its certificate.
    fn checked(
        &mut self,
        thread: &Thread,
        registers: &Registers,
        closed: &Closed,
        program: &mut Program,
        head: &Machine,
        idealised: Option<Idealised>,
    ) -> Result<Proof, String> {
        let certificate = Certificate {
            version: VERSION,
            pid: self.snapshot.pid,
            thread: thread.id,
            rip: registers.general.rip,
            stem: head.steps,
            head: head.rip,
            idealised,
            cells: closed.cells.clone(),
            invariants: closed.invariants.clone(),
            iterations: closed.recipes.clone(),
        };
        (self.progress)("checking the proof");
        match check_with(self.snapshot, &certificate, self.options.deadline, program) {
            Ok(()) => {}
            Err(Rejected::Wrong(why)) => {
                return Err(format!("the checker refused the proof: {why}"));
            }
            Err(Rejected::Undecided(why)) => {
                return Err(format!("the proof is not checked: {why}"));
            }
        }
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
                .filter_map(|cell| Some((*cell, cell.number(&mut start)?)))
                .take(6)
                .collect()
        } else {
            closed.deciding.clone()
        };
        let operands = self.explain.operands(head, program, closed);
        Ok(Proof {
            method: method.to_owned(),
            head: self.symbols.place(certificate.head),
            length: closed.recipes.iter().map(|r| r.length).max().unwrap_or(0),
            lines: self.explain.lines(&closed.code),
            exits: self.explain.exits(&closed.code, program, &operands),
            changing: changing
                .into_iter()
                .map(|(cell, value)| Fact { name: self.explain.spot(cell.spot), value })
                .collect(),
            invariants: self.explain.readable(closed),
            stack: closed.stack,
            heap: closed.heap,
            certificate,
        })
    }
}

/// Addresses of the next instructions, each once, in order.
fn path(head: &Machine, program: &mut Program, length: u64) -> Vec<u64> {
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
