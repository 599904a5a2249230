//! What the handlers of signals do to a loop.
//!
//! A loop that waits for a flag ends when a handler sets it: it does not loop forever, but until the signal
//! arrives. Which function handles a signal cannot be seen, so each that could be one (`taken`) is executed once on
//! terms, with everything left open that it finds in registers and in memory it could write. If it returns, does the
//! same whatever it finds, and writes nothing that the loop uses, it leaves the loop alone. Otherwise, or where the
//! functions cannot be found, the signal may end the loop. So it may, whatever the handler does, if the loop looks
//! below its stack, where the kernel puts what it saves, or if other threads wait: a signal can end their waiting.
//!
//! **What it misses:** handlers that make system calls or decide something are taken to end the loop, though
//! most of them may not. **It never misleads** about a handler that is found.

use std::time::Instant;

use ouro_pcode::{InstructionCache, InstructionTracer, PcodeMachine};
use ouro_process::ProcessSnapshot;
use ouro_term::{Sort, TermStore};
use rustc_hash::FxHashSet;

use crate::cell::{CellAccess as _, add_covering_cells};
use crate::limits::LIMITS;
use crate::signals::{reaching_signals, signal_names};
use crate::symbols::SnapshotSymbols;
use crate::taken;
use ouro_evidence::process::{CellLocation, LoopPremise, ProcessCell};

/// A loop that was followed.
pub(crate) struct FollowedLoop<'a> {
    /// The machine at the head.
    pub(crate) head: &'a PcodeMachine,
    /// Where it uses memory, and how much.
    pub(crate) used: &'a [(u64, u8)],
    /// Whether some of it lies below the stack, where the kernel puts what it saves when a signal arrives.
    pub(crate) beneath: bool,
}

/// What is known of the handlers.
#[derive(Default)]
pub(crate) struct HandlerEffects {
    /// Signals that may end the loop, by their names.
    pub(crate) signals: Vec<String>,
    /// Why, a line each.
    pub(crate) notes: Vec<String>,
    /// That others leave it alone.
    pub(crate) harmless: Option<LoopPremise>,
}

/// Where a handler returns to; no code is there.
const RETURN: u64 = 0x10;
/// The registers of arguments: the signal, what is known about it, and the state that was interrupted.
const SIGNAL: usize = 7;
const STACK_POINTER: usize = 4;

/// Which signals may end a loop.
pub(crate) fn judge_handlers(
    snapshot: &ProcessSnapshot,
    symbols: &SnapshotSymbols<'_>,
    program: &mut InstructionCache,
    followed: &FollowedLoop<'_>,
    deadline: Instant,
) -> HandlerEffects {
    let reaching = reaching_signals(&snapshot.circumstances);
    let mut all = HandlerEffects::default();
    if !snapshot.circumstances.known || reaching == 0 {
        return all;
    }
    // Whatever the handlers do.
    let disturbs = if followed.beneath {
        Some(
            "The loop uses memory below its stack pointer, which any signal with a handler \
             overwrites.",
        )
    } else if snapshot.threads.len() > 1 {
        Some("Other threads are waiting, and a signal with a handler may wake them.")
    } else {
        None
    };
    if let Some(note) = disturbs {
        all.signals = signal_names(reaching);
        all.notes.push(note.to_owned());
        return all;
    }
    let functions = match taken::find_handler_candidates(snapshot, symbols) {
        Ok(functions) => functions,
        Err(why) => {
            all.signals = signal_names(reaching);
            all.notes.push(format!("It is not known what the handlers do: {why}."));
            return all;
        }
    };
    let used = byte_set(followed.used.iter().copied());
    let mut harmless = 0;
    for bit in (0..64).filter(|bit| reaching >> bit & 1 == 1) {
        let mut ends = false;
        for function in &functions {
            let place = symbols.place_of_address(*function);
            let effect = if Instant::now() < deadline {
                find_handler_effect(program, followed.head, *function, bit + 1, &used, snapshot)
            } else {
                Err("out of time; allow more with --timeout".to_owned())
            };
            let note = match effect {
                Ok(None) => continue,
                Ok(Some(address)) => {
                    let name = symbols.object_at(address);
                    let name = name.unwrap_or_else(|| format!("memory at {address:#x}"));
                    format!("{place}, if it is the handler, writes {name}, which the loop uses.")
                }
                Err(why) => {
                    format!("It is not known what {place} does, if it is the handler: {why}.")
                }
            };
            ends = true;
            if !all.notes.contains(&note) {
                all.notes.push(note);
            }
        }
        match ends {
            true => all.signals.extend(signal_names(1 << bit)),
            false => harmless |= 1 << bit,
        }
    }
    if harmless != 0 {
        let places: Vec<String> = functions
            .iter()
            .map(|function| symbols.place_of_address(*function).to_string())
            .collect();
        all.harmless = Some(LoopPremise {
            what: format!(
                "the handlers of {} do not affect the loop",
                signal_names(harmless).join(", ")
            ),
            holds: Some(true),
            found: format!(
                "they return and write nothing that the loop uses: {}",
                places.join(
                    ", \
                     "
                )
            ),
        });
    }
    all
}

fn byte_set(stretches: impl Iterator<Item = (u64, u8)>) -> FxHashSet<u64> {
    stretches.flat_map(|(at, size)| (0..u64::from(size)).map(move |i| at.wrapping_add(i))).collect()
}

/// Where a function writes what a loop uses, if it handles this signal; why that is not known otherwise.
fn find_handler_effect(
    program: &mut InstructionCache,
    head: &PcodeMachine,
    function: u64,
    signal: u64,
    used: &FxHashSet<u64>,
    snapshot: &ProcessSnapshot,
) -> Result<Option<u64>, String> {
    let mut cells: Vec<ProcessCell> = Vec::new();
    for _ in 0..LIMITS.handler_rounds {
        let mut terms = TermStore::new();
        let mut machine = head.clone();
        let pointer =
            (head.general_register(STACK_POINTER).saturating_sub(LIMITS.handler_frame) & !15) - 8;
        let frame = pointer.saturating_sub(LIMITS.handler_stack)..pointer + 8;
        machine
            .memory
            .write(pointer, &RETURN.to_le_bytes())
            .map_err(|_| "there is not enough stack for it".to_owned())?;
        let mut tracer = InstructionTracer::new();
        tracer.accesses = Some(Vec::new());
        for number in (0..16).filter(|number| ![STACK_POINTER, SIGNAL].contains(number)) {
            let symbol = terms.intern_symbol(&format!("r{number}"), Sort::BitVec(64));
            let symbol = symbol.ok_or_else(|| "a name is taken".to_owned())?;
            tracer.name_register(ouro_pcode::op::file::general_register_offset(number), 8, symbol);
        }
        tracer.forget_memory(frame.start, pointer);
        machine.set_general_register(STACK_POINTER, pointer);
        machine.set_general_register(SIGNAL, signal);
        machine.set_flags(2);
        machine.rip = function;
        for cell in &cells {
            cell.name_in_trace(&mut terms, &mut tracer);
        }
        let first = machine.steps;
        while machine.rip != RETURN {
            tracer.step(&mut terms, &mut machine, program).map_err(|halt| halt.to_string())?;
            if machine.steps - first > LIMITS.handler_instructions {
                return Err("it takes too long".to_owned());
            }
        }
        let mut accesses = tracer.accesses.take().unwrap_or_default();
        // Above its own frame, the kernel has saved the registers of the loop.
        let saved = frame.end..head.general_register(STACK_POINTER);
        if accesses.iter().any(|(at, size)| *at < saved.end && at + u64::from(*size) > saved.start)
        {
            return Err("it uses the register state that the kernel saved".to_owned());
        }
        accesses.retain(|(at, _)| {
            !frame.contains(at) && snapshot.mapping_at(*at).is_none_or(|mapping| mapping.write)
        });
        let touched: Vec<u64> = byte_set(accesses.iter().copied()).into_iter().collect();
        let mut wider = cells.clone();
        add_covering_cells(&mut wider, &[], &touched, &accesses);
        if wider != cells {
            cells = wider;
            continue;
        }
        if !tracer.conditions.is_empty() {
            return Err("it depends on the contents of memory or registers".to_owned());
        }
        for cell in &cells {
            let CellLocation::Memory(at) = cell.spot else { continue };
            let symbol = cell.symbol(&mut terms);
            let unchanged = cell.value_in_trace(&mut terms, &tracer, &mut machine) == Some(symbol);
            let mut uses = at..at + u64::from(cell.size);
            if !unchanged && uses.any(|byte| used.contains(&byte)) {
                return Ok(Some(at));
            }
        }
        return Ok(None);
    }
    Err("it uses too much memory".to_owned())
}
