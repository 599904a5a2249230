//! Running ahead of the process: does its state recur, does it stop, where does it turn?

use std::time::Instant;

use ouro_pcode::op::file;
use ouro_pcode::{Machine, Program, Stop};
use rustc_hash::FxHashMap;

use crate::state::{PARTS, same_registers};

/// What running ahead showed.
pub(crate) enum Ahead {
    /// The state after `stem` instructions is there again `length` later.
    Recurs { stem: u64, length: u64 },
    /// It came to an instruction that cannot be executed.
    Stops(Stop),
    /// Nothing of this, within the limits.
    Runs,
}

/// Where control went, and how often.
#[derive(Default)]
struct Turns {
    /// Targets of taken branches, and how often.
    targets: FxHashMap<u64, u64>,
}

impl Turns {
    fn note(&mut self, from: u64, machine: &Machine, program: &Program) {
        if turns(from, machine, program) {
            *self.targets.entry(machine.rip).or_insert(0) += 1;
        }
    }
}

/// Whether control went elsewhere. A string instruction that repeats itself stays: it counts down.
fn turns(from: u64, machine: &Machine, program: &Program) -> bool {
    // An instruction has at most 15 bytes: everything else is a jump.
    machine.rip.wrapping_sub(from).wrapping_sub(1) >= 15
        && (machine.rip != from || program.lifter.get(from).is_none_or(|found| !found.repeats))
}

/// Runs a machine, comparing it with its state at each power of two (Brent's method).
pub(crate) fn run(
    machine: &mut Machine,
    program: &mut Program,
    most: u64,
    deadline: Instant,
) -> Ahead {
    let mut saved = machine.clone();
    let mut again = 1 << 10;
    let mut hint = 0;
    let begin = machine.steps;
    while machine.steps - begin < most {
        if let Err(stop) = machine.step(program) {
            return Ahead::Stops(stop);
        }
        if machine.rip == saved.rip
            && same_registers(machine, &saved)
            && machine.memory.same_as_copy(&saved.memory, &mut hint)
        {
            return Ahead::Recurs { stem: saved.steps, length: machine.steps - saved.steps };
        }
        let done = machine.steps - begin;
        if done >= again {
            saved = machine.clone();
            again *= 2;
        }
        if done.is_multiple_of(4096) && Instant::now() >= deadline {
            break;
        }
    }
    Ahead::Runs
}

/// A place to which control returns, and after how many visits the state is nearly the same again.
pub(crate) struct Head {
    /// The machine at the head.
    pub(crate) machine: Machine,
    /// So many visits make an iteration.
    pub(crate) visits: u64,
    /// Registers and words that differ then.
    pub(crate) differences: usize,
    /// Instructions of an iteration.
    pub(crate) length: u64,
}

/// The most visits that make an iteration.
const VISITS: u64 = 64;
/// The most instructions to look for a head.
const WINDOW: u64 = 400_000;
/// More differences are not counted.
const DIFFERENCES: usize = 256;

/// Heads, those first whose state changes least.
pub(crate) fn heads(start: &Machine, program: &mut Program, deadline: Instant) -> Vec<Head> {
    let mut machine = start.clone();
    let mut turns = Turns::default();
    for _ in 0..WINDOW {
        let from = machine.rip;
        if machine.step(program).is_err() {
            break;
        }
        turns.note(from, &machine, program);
    }
    let mut targets: Vec<(u64, u64)> = turns
        .targets
        .iter()
        .filter(|(_, count)| **count >= 3)
        .map(|(address, count)| (*count, *address))
        .collect();
    // Of targets that are visited equally often, one will do; two, to be on the safe side.
    targets.sort_unstable_by_key(|(count, address)| (std::cmp::Reverse(*count), *address));
    let mut chosen: Vec<u64> = Vec::new();
    let mut level = (0, 0);
    for (count, address) in targets {
        if count == level.0 || count + 1 == level.0 {
            level.1 += 1;
        } else {
            level = (count, 1);
        }
        if level.1 <= 2 && chosen.len() < 40 {
            chosen.push(address);
        }
    }
    let mut heads: Vec<Head> = Vec::new();
    for address in chosen {
        if Instant::now() >= deadline {
            break;
        }
        heads.extend(periods(start, program, address));
    }
    heads.sort_by_key(|head| (head.differences, head.length, head.machine.rip));
    heads
}

/// Heads that are visited again and again with a lower stack pointer each time (true), or between
/// allocations.
pub(crate) fn growing(
    start: &Machine,
    program: &mut Program,
    allocates: &dyn Fn(u64) -> bool,
    deadline: Instant,
) -> Vec<(Head, bool)> {
    let mut machine = start.clone();
    // Per target of a jump: how often, the highest stack pointer, whether it is called.
    let mut targets: FxHashMap<u64, (u64, u64, bool)> = FxHashMap::default();
    for step in 0..2 * WINDOW {
        let from = machine.rip;
        if machine.step(program).is_err() || (step % 4096 == 0 && Instant::now() >= deadline) {
            break;
        }
        if turns(from, &machine, program) {
            let called = program.lifter.get(from).is_some_and(|instruction| instruction.calls);
            let found = targets.entry(machine.rip).or_insert((0, 0, called));
            *found = (found.0 + 1, found.1.max(machine.general(4)), found.2 && called);
        }
    }
    // Outer loops first, and rare places: an allocator has loops of its own. Where a function begins,
    // nothing is known of its frame, and so nothing has to be.
    let mut chosen: Vec<_> = targets
        .into_iter()
        .filter(|(_, (count, ..))| *count >= 3)
        .map(|(address, (count, pointer, called))| {
            (std::cmp::Reverse(pointer), count, address, called)
        })
        .collect();
    chosen.sort_unstable();
    let mut heads = Vec::new();
    for (_, _, address, called) in chosen.into_iter().take(12) {
        let mut first = start.clone();
        if first.run(program, WINDOW, Some(address)).is_err() || first.rip != address {
            continue;
        }
        let mut next = first.clone();
        let mut allocated = false;
        while next.steps - first.steps < 2 * WINDOW && next.step(program).is_ok() {
            allocated |= allocates(next.rip);
            if next.rip == address {
                break;
            }
        }
        let deeper = next.general(4) < first.general(4);
        if next.rip == address && (allocated || deeper) {
            let length = next.steps - first.steps;
            let head = Head { machine: first, visits: 1, differences: 0, length };
            heads.push((head, deeper, called));
        }
    }
    heads.sort_by_key(|(_, deeper, called)| *deeper && !called);
    heads.into_iter().map(|(head, deeper, _)| (head, deeper)).collect()
}

/// The numbers of visits after which a head looks most like before.
fn periods(start: &Machine, program: &mut Program, address: u64) -> Vec<Head> {
    let mut machine = start.clone();
    let reached = machine.run(program, WINDOW, Some(address));
    if reached.is_err() || machine.rip != address {
        return Vec::new();
    }
    let first = machine.clone();
    let mut found: Vec<(usize, u64, u64)> = Vec::new();
    let mut left = 2 * WINDOW;
    for visit in 1..=VISITS {
        let before = machine.steps;
        if machine.run(program, left, Some(address)).is_err() || machine.rip != address {
            break;
        }
        left -= (machine.steps - before).min(left);
        let Some(words) = machine.memory.differences(&first.memory, DIFFERENCES) else { continue };
        let registers = differing_registers(&machine, &first);
        found.push((words.len() + registers, visit, machine.steps - first.steps));
    }
    found.sort_unstable();
    found
        .into_iter()
        .take(2)
        .map(|(differences, visits, length)| Head {
            machine: first.clone(),
            visits,
            differences,
            length,
        })
        .collect()
}

fn differing_registers(a: &Machine, b: &Machine) -> usize {
    let (x, y) = (a.registers(), b.registers());
    PARTS
        .iter()
        .filter(|(start, _)| *start != file::CF)
        .flat_map(|(start, length)| (*start..start + length).step_by(8))
        .filter(|at| x[*at..*at + 8] != y[*at..*at + 8])
        .count()
}
