//! Running ahead of the process: does its state recur, does it stop, where does it turn?

use std::time::Instant;

use ouro_pcode::op::file;
use ouro_pcode::{InstructionCache, PcodeMachine, PcodeStop};
use rustc_hash::FxHashMap;

use crate::limits::LIMITS;
use crate::state::{PARTS, same_registers};

/// What running ahead showed.
pub(crate) enum RunAheadOutcome {
    /// The state after `stem` instructions is there again `length` later.
    Recurs { stem: u64, length: u64 },
    /// It came to an instruction that cannot be executed.
    Stops(PcodeStop),
    /// Nothing of this, within the limits. The heads have states that were nearly there again.
    Runs(Vec<LoopHead>),
}

/// Where control went, and how often.
#[derive(Default)]
struct JumpCounts {
    /// Targets of taken branches, and how often.
    targets: FxHashMap<u64, u64>,
}

impl JumpCounts {
    fn note_jump(&mut self, from: u64, machine: &PcodeMachine, program: &InstructionCache) {
        if is_jump(from, machine, program) {
            *self.targets.entry(machine.rip).or_insert(0) += 1;
        }
    }
}

/// Whether control went elsewhere. A string instruction that repeats itself stays: it counts down.
fn is_jump(from: u64, machine: &PcodeMachine, program: &InstructionCache) -> bool {
    // An instruction has at most 15 bytes: everything else is a jump.
    machine.rip.wrapping_sub(from).wrapping_sub(1) >= 15
        && (machine.rip != from || program.lifter.get(from).is_none_or(|found| !found.repeats))
}

/// Runs a machine, comparing it with its state at each power of two (Brent's method). Far more often than
/// a state comes back, one does that differs only in a count of steps that nobody reads.
pub(crate) fn run_ahead(
    machine: &mut PcodeMachine,
    program: &mut InstructionCache,
    most: u64,
    deadline: Instant,
) -> RunAheadOutcome {
    let mut again = 1 << 10;
    let begin = machine.steps;
    let mut near: Vec<LoopHead> = Vec::new();
    let mut since = BrentCheckpoint::new(machine);
    while machine.steps - begin < most {
        if let Err(stop) = machine.step(program) {
            return RunAheadOutcome::Stops(stop);
        }
        if machine.rip == since.saved.rip && since.has_recurred(machine) {
            let stem = since.saved.steps;
            return RunAheadOutcome::Recurs { stem, length: machine.steps - stem };
        }
        let done = machine.steps - begin;
        if done >= again {
            near.extend(
                std::mem::replace(&mut since, BrentCheckpoint::new(machine)).nearest_head(),
            );
            again *= 2;
        }
        if done.is_multiple_of(4096) && Instant::now() >= deadline {
            break;
        }
    }
    near.extend(since.nearest_head());
    // The latest are the surest: what was before may have been the way into the loop.
    near.reverse();
    near.sort_by_key(|head| head.differences);
    near.truncate(LIMITS.near_heads);
    RunAheadOutcome::Runs(near)
}

/// A state that was there, and how near the machine came to it since.
struct BrentCheckpoint {
    saved: PcodeMachine,
    hint: usize,
    visits: u64,
    nearest: Option<NearRecurrence>,
}

/// A state that differs little. Fewer registers count before fewer words: a loop within the loop has its own
/// counters in registers, and where all of them are as they were it is mostly the whole loop that came round.
struct NearRecurrence {
    registers: usize,
    words: usize,
    visits: u64,
    length: u64,
}

impl BrentCheckpoint {
    fn new(machine: &PcodeMachine) -> BrentCheckpoint {
        BrentCheckpoint { saved: machine.clone(), hint: 0, visits: 0, nearest: None }
    }

    /// The machine is at the same instruction again: whether all is as it was.
    fn has_recurred(&mut self, machine: &PcodeMachine) -> bool {
        self.visits += 1;
        let registers = differing_registers(machine, &self.saved);
        let words = match &self.nearest {
            Some(near) if registers > near.registers => return false,
            // No memory can be nearer, unless all is as it was.
            Some(near) if registers == near.registers && near.words == 0 && registers > 0 => {
                return false;
            }
            Some(near) if registers == near.registers => near.words.saturating_sub(1),
            _ if registers > LIMITS.nearly_equal_words => return false,
            _ => LIMITS.nearly_equal_words,
        };
        let found = machine.memory.count_words_since(&self.saved.memory, words, &mut self.hint);
        let Some(words) = found else { return false };
        if words == 0 && same_registers(machine, &self.saved) {
            return true;
        }
        let length = machine.steps - self.saved.steps;
        self.nearest = Some(NearRecurrence { registers, words, visits: self.visits, length });
        false
    }

    fn nearest_head(self) -> Option<LoopHead> {
        let NearRecurrence { registers, words, visits, length } = self.nearest?;
        Some(LoopHead { machine: self.saved, visits, differences: registers + words, length })
    }
}

/// A place to which control returns, and after how many visits the state is nearly the same again.
pub(crate) struct LoopHead {
    /// The machine at the head.
    pub(crate) machine: PcodeMachine,
    /// So many visits make an iteration.
    pub(crate) visits: u64,
    /// Registers and words that differ then.
    pub(crate) differences: usize,
    /// Instructions of an iteration.
    pub(crate) length: u64,
}

/// Heads, those first whose state changes least.
pub(crate) fn find_heads(
    start: &PcodeMachine,
    program: &mut InstructionCache,
    deadline: Instant,
) -> Vec<LoopHead> {
    let mut machine = start.clone();
    let mut turns = JumpCounts::default();
    for _ in 0..LIMITS.head_window {
        let from = machine.rip;
        if machine.step(program).is_err() {
            break;
        }
        turns.note_jump(from, &machine, program);
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
    let mut heads: Vec<LoopHead> = Vec::new();
    for address in chosen {
        if Instant::now() >= deadline {
            break;
        }
        heads.extend(head_periods(start, program, address));
    }
    heads.sort_by_key(|head| (head.differences, head.length, head.machine.rip));
    heads
}

/// Heads that are visited again and again with a lower stack pointer each time (true), or between
/// allocations.
pub(crate) fn find_growing_heads(
    start: &PcodeMachine,
    program: &mut InstructionCache,
    allocates: &dyn Fn(u64) -> bool,
    deadline: Instant,
) -> Vec<(LoopHead, bool)> {
    let mut machine = start.clone();
    // Per target of a jump: how often, the highest stack pointer, whether it is called.
    let mut targets: FxHashMap<u64, (u64, u64, bool)> = FxHashMap::default();
    for step in 0..2 * LIMITS.head_window {
        let from = machine.rip;
        if machine.step(program).is_err() || (step % 4096 == 0 && Instant::now() >= deadline) {
            break;
        }
        if is_jump(from, &machine, program) {
            let called = program.lifter.get(from).is_some_and(|instruction| instruction.calls);
            let found = targets.entry(machine.rip).or_insert((0, 0, called));
            *found = (found.0 + 1, found.1.max(machine.general_register(4)), found.2 && called);
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
        if first.run_until(program, LIMITS.head_window, Some(address)).is_err()
            || first.rip != address
        {
            continue;
        }
        let mut next = first.clone();
        let mut allocated = false;
        while next.steps - first.steps < 2 * LIMITS.head_window && next.step(program).is_ok() {
            allocated |= allocates(next.rip);
            if next.rip == address {
                break;
            }
        }
        let deeper = next.general_register(4) < first.general_register(4);
        if next.rip == address && (allocated || deeper) {
            let length = next.steps - first.steps;
            let head = LoopHead { machine: first, visits: 1, differences: 0, length };
            heads.push((head, deeper, called));
        }
    }
    heads.sort_by_key(|(_, deeper, called)| *deeper && !called);
    heads.into_iter().map(|(head, deeper, _)| (head, deeper)).collect()
}

/// The numbers of visits after which a head looks most like before.
fn head_periods(
    start: &PcodeMachine,
    program: &mut InstructionCache,
    address: u64,
) -> Vec<LoopHead> {
    let mut machine = start.clone();
    let reached = machine.run_until(program, LIMITS.head_window, Some(address));
    if reached.is_err() || machine.rip != address {
        return Vec::new();
    }
    let first = machine.clone();
    let mut found: Vec<(usize, u64, u64)> = Vec::new();
    let mut left = 2 * LIMITS.head_window;
    for visit in 1..=LIMITS.head_visits {
        let before = machine.steps;
        if machine.run_until(program, left, Some(address)).is_err() || machine.rip != address {
            break;
        }
        left -= (machine.steps - before).min(left);
        let Some(words) = machine.memory.differing_words(&first.memory, LIMITS.head_differences)
        else {
            continue;
        };
        let registers = differing_registers(&machine, &first);
        found.push((words.len() + registers, visit, machine.steps - first.steps));
    }
    found.sort_unstable();
    found
        .into_iter()
        .take(2)
        .map(|(differences, visits, length)| LoopHead {
            machine: first.clone(),
            visits,
            differences,
            length,
        })
        .collect()
}

fn differing_registers(a: &PcodeMachine, b: &PcodeMachine) -> usize {
    let (x, y) = (a.registers(), b.registers());
    PARTS
        .iter()
        .filter(|(start, length)| {
            let range = *start..start + length;
            *start != file::CF && x[range.clone()] != y[range]
        })
        .flat_map(|(start, length)| (*start..start + length).step_by(8))
        .filter(|at| x[*at..*at + 8] != y[*at..*at + 8])
        .count()
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;
    use std::time::Duration;

    use ouro_pcode::{MemoryBacking, PAGE, PagedMemory};

    use super::*;

    const CODE: u64 = 0x40_0000;
    const DATA: u64 = 0x50_0000;

    struct Two(Vec<u8>);

    impl MemoryBacking for Two {
        fn fill_page(&self, address: u64, into: &mut [u8; 4096]) -> bool {
            into.fill(0);
            if address == CODE {
                into[..self.0.len()].copy_from_slice(&self.0);
            }
            [CODE, DATA].contains(&address)
        }

        fn is_writable(&self, address: u64) -> bool {
            address / PAGE == DATA / PAGE
        }

        fn is_executable(&self, address: u64) -> bool {
            address / PAGE == CODE / PAGE
        }
    }

    /// Runs `again: FIRST; mov ecx, 3; inner: dec ecx; jnz inner; jmp again`, nine instructions a round.
    fn round_and_round(first: [u8; 3]) -> RunAheadOutcome {
        let mut code = first.to_vec();
        code.extend([0xb9, 3, 0, 0, 0, 0xff, 0xc9, 0x75, 0xfc, 0xeb, 0xf2]);
        let mut machine = PcodeMachine::new(PagedMemory::new(Rc::new(Two(code))));
        machine.rip = CODE;
        machine.set_general_register(7, DATA);
        let deadline = Instant::now() + Duration::from_secs(600);
        run_ahead(&mut machine, &mut InstructionCache::new(), 20_000, deadline)
    }

    #[test]
    fn a_state_that_comes_back() {
        let nop = [0x0f, 0x1f, 0];
        assert!(matches!(round_and_round(nop), RunAheadOutcome::Recurs { length: 9, .. }));
    }

    #[test]
    fn a_state_that_nearly_comes_back() {
        // `add dword ptr [rdi], 1`: nobody reads the count. The inner loop is as near, but for a register.
        let RunAheadOutcome::Runs(near) = round_and_round([0x83, 7, 1]) else {
            panic!("it counts")
        };
        assert_eq!(near.len(), LIMITS.near_heads);
        for head in near {
            assert_eq!((head.differences, head.length), (1, 9), "at {:#x}", head.machine.rip);
        }
    }
}
