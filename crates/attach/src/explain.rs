//! Findings as people know them: names for cells, lines for addresses, reasons for what is not proved.

use ouro_pcode::{ConditionReason, InstructionCache, PcodeMachine, PcodeStop};
use ouro_process::ProcessSnapshot;
use rustc_hash::FxHashMap;

use crate::backing::{is_data_file, is_mapping_outside};
use crate::calls;
use crate::cell::CellAccess as _;
use crate::closure::{ClosedIterations, ClosureFailure};
use crate::limits::LIMITS;
use crate::signals::FAULTS;
use crate::symbols::SnapshotSymbols;
use crate::turning::TurningPoint;
use ouro_evidence::process::CellLocation;
use ouro_evidence::process::{CodePlace, LoopExit, ProcessAnswer};

/// What names things.
pub(crate) struct AnswerExplainer<'a> {
    pub(crate) snapshot: &'a ProcessSnapshot,
    pub(crate) symbols: &'a SnapshotSymbols<'a>,
    /// Variables on the stack, by address.
    pub(crate) variables: FxHashMap<u64, String>,
}

pub(crate) fn not_proven_answer(reason: impl Into<String>) -> ProcessAnswer {
    ProcessAnswer::Unknown { reason: reason.into() }
}

impl AnswerExplainer<'_> {
    /// The invariants, with cells as people know them.
    pub(crate) fn readable_invariants(&self, closed: &ClosedIterations) -> Vec<String> {
        let named = |text: &String| {
            closed.cells.iter().fold(text.clone(), |text, cell| {
                text.replace(&cell.name(), &format!("|{}|", self.cell_name(cell.spot)))
            })
        };
        closed.invariants.iter().map(named).collect()
    }

    pub(crate) fn cell_name(&self, spot: CellLocation) -> String {
        match spot {
            CellLocation::Register(at) => ouro_pcode::op::file::register_name(at),
            CellLocation::Memory(address) if self.variables.contains_key(&address) => {
                self.variables[&address].clone()
            }
            CellLocation::Memory(address) => match self.symbols.object_at(address) {
                Some(name) => name,
                None => self.describe_unnamed(address),
            },
        }
    }

    fn describe_unnamed(&self, address: u64) -> String {
        match self.snapshot.mapping_at(address) {
            Some(mapping) if !mapping.name.is_empty() => {
                let name = mapping.name.rsplit('/').next().unwrap_or(&mapping.name);
                format!("memory at {address:#x} ({name})")
            }
            _ => format!("memory at {address:#x}"),
        }
    }

    /// Functions and lines of the loop, each once.
    pub(crate) fn loop_lines(&self, code: &[u64]) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for address in code {
            let place = self.symbols.place_of_address(*address);
            let function = place.function.as_ref().map_or("?", |(name, _)| name.as_str());
            let text = match &place.line {
                Some((file, line)) => format!("{function} {file}:{line}"),
                None => {
                    let module = place.module.as_deref().unwrap_or("?");
                    format!("{function} in {}", module.rsplit('/').next().unwrap_or(module))
                }
            };
            if !lines.contains(&text) {
                lines.push(text);
            }
        }
        lines
    }

    /// Branches of the loop with a side that is never taken.
    pub(crate) fn untaken_exits(
        &self,
        code: &[u64],
        program: &InstructionCache,
        operands: &FxHashMap<u64, (u64, u64)>,
    ) -> Vec<LoopExit> {
        let mut exits = Vec::new();
        let mut before: Option<String> = None;
        for address in code {
            let Some(instruction) = program.lifter.get(*address) else { continue };
            let next = address + instruction.length;
            let target = instruction.ops.iter().find_map(|op| {
                (op.code == ouro_pcode::op::PcodeOpcode::BranchIf).then_some(op.a.value)
            });
            if let Some(target) = target {
                let (out, way) = if code.binary_search(&target).is_err() {
                    (true, "is never taken")
                } else {
                    (code.binary_search(&next).is_err(), "is always taken")
                };
                if out {
                    let compared = before.clone().unwrap_or_default();
                    let text = format!("{compared}; {} {way}", instruction.named.text);
                    exits.push(LoopExit { place: self.symbols.place_of_address(*address), text });
                }
            }
            let text = instruction.named.text.clone();
            before = Some(match operands.get(address) {
                Some((at, value)) => {
                    let name = self.cell_name(CellLocation::Memory(*at));
                    format!("{text}, where {name} = {}", value.cast_signed())
                }
                None => text,
            });
        }
        exits
    }

    /// What instructions of the loop found in memory, by their address: where, and which number.
    pub(crate) fn memory_operands(
        &self,
        head: &PcodeMachine,
        program: &mut InstructionCache,
        closed: &ClosedIterations,
    ) -> FxHashMap<u64, (u64, u64)> {
        let length = closed.recipes.first().map_or(0, |recipe| recipe.length);
        let mut machine = head.clone();
        let mut found = FxHashMap::default();
        for _ in 0..length.min(LIMITS.explained_instructions) {
            let rip = machine.rip;
            // What a comparison looks at is what there is before it.
            let operand = program.lifter.get(rip).and_then(|found| machine.memory_operand(found));
            if let Some((at, size)) = operand
                && let Ok(value) = machine.memory.read_number(at, size)
            {
                found.entry(rip).or_insert((at, sign_extended(value, size)));
            }
            if machine.step(program).is_err() {
                break;
            }
        }
        found
    }

    /// What it means that running ahead came to a stop.
    pub(crate) fn explain_stop(&self, stop: &PcodeStop, machine: &PcodeMachine) -> ProcessAnswer {
        let place = self.symbols.place_of_address(machine.rip);
        let instructions = machine.steps;
        match stop {
            PcodeStop::Call(_) => {
                let call = calls::describe_next_call(self.snapshot, machine);
                // Any other call may well be a part of the loop.
                if calls::is_ending_call(machine) {
                    let what = format!("it ends: {call}");
                    ProcessAnswer::WillLeave { instructions, place, what }
                } else {
                    ProcessAnswer::TalksToTheOutside { call, instructions, place }
                }
            }
            PcodeStop::Outside(named) => not_proven_answer(format!(
                "after {instructions} instructions it asks the outside world, at {place}: {named}"
            )),
            PcodeStop::Fault(named, why) if self.handles_faults() => not_proven_answer(format!(
                "after {instructions} instructions it faults, at {place}: {named}: {why}; what \
                 happens next depends on its signal handler, if there is one"
            )),
            PcodeStop::Fault(named, why) => ProcessAnswer::WillLeave {
                instructions,
                place,
                what: format!("it faults: {named}: {why}"),
            },
            PcodeStop::Absent(named, address) => {
                self.explain_absent_memory(named, *address, instructions, &place)
            }
            PcodeStop::Unsupported(named, why) => not_proven_answer(format!(
                "Ouro cannot execute an instruction, at {place}: {named} ({why})"
            )),
            PcodeStop::NoCode(address) => not_proven_answer(format!(
                "after {instructions} instructions control goes to {address:#x}, where there is \
                 no known code"
            )),
        }
    }

    /// Whether a handler may go on after a fault; a core does not tell.
    fn handles_faults(&self) -> bool {
        let found = &self.snapshot.circumstances;
        !found.known || found.caught & FAULTS != 0
    }

    fn explain_absent_memory(
        &self,
        named: &ouro_pcode::NamedInstruction,
        address: u64,
        instructions: u64,
        place: &CodePlace,
    ) -> ProcessAnswer {
        match self.snapshot.mapping_at(address) {
            Some(mapping) if mapping.name.starts_with("[vvar") => {
                not_proven_answer(format!("it reads the clock, at {place}: {named}"))
            }
            Some(mapping) if mapping.special => not_proven_answer(format!(
                "it uses memory at {address:#x} that another process fills in (userfaultfd), that \
                 a protection key guards or that the kernel may drop, at {place}: {named}"
            )),
            Some(mapping) if is_mapping_outside(mapping) => not_proven_answer(format!(
                "it uses memory that other processes may write ({}), at {place}: {named}",
                mapping.name
            )),
            Some(mapping) if is_data_file(self.snapshot, mapping) && mapping.is_clean(address) => {
                not_proven_answer(format!(
                    "it reads {}, a private mapping that changes when the file is written, at \
                     {place}: {named}",
                    mapping.name
                ))
            }
            Some(_) => not_proven_answer(format!(
                "it uses memory at {address:#x} that is not in the snapshot or is written by the \
                 kernel, at {place}: {named}"
            )),
            None => not_proven_answer(format!(
                "after {instructions} instructions it uses unmapped memory at {address:#x}, which \
                 raises a fault or makes the stack grow, at {place}: {named}"
            )),
        }
    }

    /// Which value grows, and what it changes when it gets there.
    fn explain_turning_point(&self, turning: &TurningPoint, head: &CodePlace) -> String {
        let TurningPoint { condition, cell, now, step, rounds, then } = turning;
        let change = if *step < 0 { "takes away" } else { "adds" };
        format!(
            "the loop at {head} counts: {} is {now}, each iteration {change} {}, and after \
             {rounds} more, at {then}, {} at {} takes the other branch; what happens next is not \
             known",
            self.cell_name(cell.spot),
            step.unsigned_abs(),
            decision_text(condition.why),
            self.symbols.place_of_address(condition.address),
        )
    }

    /// Why a loop is not closed, for people.
    pub(crate) fn explain_closure_failure(&self, why: &ClosureFailure, head: u64) -> String {
        let head = self.symbols.place_of_address(head);
        match why {
            ClosureFailure::Stop(PcodeStop::Call(_)) => {
                format!("the loop at {head} makes system calls")
            }
            ClosureFailure::Stop(PcodeStop::Absent(named, address)) => {
                format!(
                    "the loop at {head} uses memory at {address:#x} whose contents are not known: \
                     {named}"
                )
            }
            ClosureFailure::Stop(
                PcodeStop::Unsupported(named, why) | PcodeStop::Fault(named, why),
            ) => {
                let place = self.symbols.place_of_address(named.address);
                format!(
                    "Ouro cannot execute the loop at {head}, because of {place}: {named} \
                     ({why})"
                )
            }
            ClosureFailure::Stop(PcodeStop::Outside(named)) => {
                format!("the loop at {head} reaches an instruction that stops it: {named}")
            }
            ClosureFailure::Stop(PcodeStop::NoCode(address)) => {
                format!("the loop at {head} jumps to {address:#x}, where there is no known code")
            }
            ClosureFailure::Opaque(named) => {
                format!("the loop at {head} depends on an undefined flag: {named}")
            }
            ClosureFailure::Alias(named) => {
                format!(
                    "the loop at {head} uses newly allocated memory with two different sizes: \
                     {named}"
                )
            }
            ClosureFailure::Peeks(named, address) => format!(
                "the loop at {head} allocates and reads the allocator's internal data ({}): \
                 {named}",
                self.cell_name(CellLocation::Memory(*address))
            ),
            ClosureFailure::NotBack => {
                format!("the loop at {head} does not return to its head on the same path")
            }
            ClosureFailure::Control => {
                format!("every iteration of the loop at {head} changes the x87 or SSE state")
            }
            ClosureFailure::TooMuch(cells) => format!(
                "every iteration of the loop at {head} changes more memory ({cells} places so \
                 far): it allocates, fills or walks through memory"
            ),
            ClosureFailure::Turns(turning) => self.explain_turning_point(turning, &head),
            ClosureFailure::Open(condition, cells) => {
                let place = self.symbols.place_of_address(condition.address);
                let what = decision_text(condition.why);
                let which: Vec<String> =
                    cells.iter().map(|cell| self.cell_name(cell.spot)).collect();
                let which = which.join(", ");
                format!(
                    "{what} at {place} depends on {which}, which changes in every iteration, so \
                     the branch may go the other way"
                )
            }
            ClosureFailure::Time => "out of time; allow more with --timeout".to_owned(),
            ClosureFailure::Solver(why) => {
                format!("the solver could not decide the loop at {head}: {why}")
            }
        }
    }
}

/// What a condition decides.
fn decision_text(why: ConditionReason) -> &'static str {
    match why {
        ConditionReason::Branch => "a branch",
        ConditionReason::Address => "an address",
        ConditionReason::Target => "a jump",
        ConditionReason::Operand => "an operation that Ouro cannot express symbolically",
        ConditionReason::Defined => "a division or a float",
    }
}

/// A number of so many bytes, as a signed one of eight.
fn sign_extended(value: u64, size: usize) -> u64 {
    let unused = 64 - 8 * u32::try_from(size.min(8)).unwrap_or(8);
    ((value << unused).cast_signed() >> unused).cast_unsigned()
}
