//! Cells: the registers and stretches of memory that change from one iteration to the next.

use ouro_pcode::op::file;
use ouro_pcode::{InstructionTracer, PcodeMachine};
use ouro_term::{Sort, Term, TermStore};
use serde::{Deserialize, Serialize};

/// Where a cell is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum CellLocation {
    /// In the register file, at this offset.
    Register(usize),
    /// In memory, at this address.
    Memory(u64),
}

/// A stretch of at most 8 bytes whose value is left open.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct ProcessCell {
    /// Where it begins.
    pub spot: CellLocation,
    /// How many bytes it has.
    pub size: u8,
}

impl ProcessCell {
    /// The cell's symbol; the same cell has the same symbol.
    pub(crate) fn symbol(self, terms: &mut TermStore) -> Term {
        let sort = Sort::BitVec(8 * u32::from(self.size));
        terms.intern_symbol(&self.name(), sort).expect("a name has one size, and it is in the name")
    }

    /// What it is called in formulas.
    pub fn name(self) -> String {
        match self.spot {
            CellLocation::Register(at) => {
                // The offset makes it unique: parts of a register share their name.
                format!("{}_{at:x}_{}", file::register_name(at).replace(['+', ' '], "_"), self.size)
            }
            CellLocation::Memory(at) => format!("m{at:x}_{}", self.size),
        }
    }

    /// Whether a byte of registers lies in it.
    pub(crate) fn has_register(self, byte: usize) -> bool {
        matches!(self.spot, CellLocation::Register(at) if (at..at + usize::from(self.size)).contains(&byte))
    }

    /// Whether a byte of memory lies in it.
    pub(crate) fn has_memory(self, byte: u64) -> bool {
        matches!(self.spot, CellLocation::Memory(at) if byte.wrapping_sub(at) < u64::from(self.size))
    }

    /// Its number in a machine; `None` if it is absent.
    pub(crate) fn number_in(self, machine: &mut PcodeMachine) -> Option<u64> {
        let size = usize::from(self.size);
        match self.spot {
            CellLocation::Register(at) => Some(machine.read_file_number(at, size)),
            CellLocation::Memory(at) => machine.memory.read_number(at, size).ok(),
        }
    }

    /// Sets its number; false if it cannot be.
    pub(crate) fn set_in(self, machine: &mut PcodeMachine, value: u64) -> bool {
        let bytes = &value.to_le_bytes()[..usize::from(self.size)];
        match self.spot {
            CellLocation::Register(at) => {
                machine.registers_mut()[at..at + bytes.len()].copy_from_slice(bytes);
                true
            }
            CellLocation::Memory(at) => machine.memory.write(at, bytes).is_ok(),
        }
    }

    /// Its value in a trace; `None` if it is opaque.
    pub(crate) fn value_in_trace(
        self,
        terms: &mut TermStore,
        tracer: &InstructionTracer,
        machine: &mut PcodeMachine,
    ) -> Option<Term> {
        let size = usize::from(self.size);
        match self.spot {
            CellLocation::Register(at) => tracer.register_term(terms, machine, at, size),
            CellLocation::Memory(at) => tracer.memory_term(terms, machine, at, size),
        }
    }

    /// Names the cell in a trace.
    pub(crate) fn name_in_trace(
        self,
        terms: &mut TermStore,
        tracer: &mut InstructionTracer,
    ) -> Term {
        let symbol = self.symbol(terms);
        match self.spot {
            CellLocation::Register(at) => tracer.name_register(at, self.size, symbol),
            CellLocation::Memory(at) => tracer.name_memory(at, self.size, symbol),
        }
        symbol
    }
}

/// Adds cells for bytes that are in none, as wide as they were used.
pub(crate) fn add_covering_cells(
    cells: &mut Vec<ProcessCell>,
    registers: &[usize],
    memory: &[u64],
    accesses: &[(u64, u8)],
) {
    for byte in registers {
        if cells.iter().any(|cell| cell.has_register(*byte)) {
            continue;
        }
        let flag = (file::CF..file::CF + 0xc).contains(byte);
        // The mask registers do not lie on multiples of 8.
        let start = if flag {
            *byte
        } else if (file::K..file::K + 0x40).contains(byte) {
            file::K + (byte - file::K) / 8 * 8
        } else {
            byte / 8 * 8
        };
        cells.push(ProcessCell {
            spot: CellLocation::Register(start),
            size: if flag { 1 } else { 8 },
        });
    }
    for byte in memory {
        if cells.iter().any(|cell| cell.has_memory(*byte)) {
            continue;
        }
        let widest = accesses
            .iter()
            .filter(|(at, size)| byte.wrapping_sub(*at) < u64::from(*size) && *size <= 8)
            .max_by_key(|(at, size)| (*size, *at));
        let (mut start, mut end) = match widest {
            Some((at, size)) => (*at, at + u64::from(*size)),
            None => (byte / 8 * 8, byte / 8 * 8 + 8),
        };
        // Cells do not overlap.
        for other in cells.iter() {
            if let CellLocation::Memory(at) = other.spot {
                let other_end = at + u64::from(other.size);
                if other_end <= *byte && other_end > start {
                    start = other_end;
                }
                if at > *byte && at < end {
                    end = at;
                }
            }
        }
        let size = u8::try_from(end - start).expect("at most 8");
        cells.push(ProcessCell { spot: CellLocation::Memory(start), size });
    }
    cells.sort_unstable();
}
