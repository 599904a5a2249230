//! Cells: the registers and stretches of memory that change from one iteration to the next.

use ouro_pcode::op::file;
use ouro_pcode::{Machine, Tracer};
use ouro_term::{Sort, Term, Terms};
use serde::{Deserialize, Serialize};

/// Where a cell is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Spot {
    /// In the register file, at this offset.
    Register(usize),
    /// In memory, at this address.
    Memory(u64),
}

/// A stretch of at most 8 bytes whose value is left open.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Cell {
    /// Where it begins.
    pub spot: Spot,
    /// How many bytes it has.
    pub size: u8,
}

impl Cell {
    /// The cell's symbol; the same cell has the same symbol.
    pub(crate) fn symbol(self, terms: &mut Terms) -> Term {
        let sort = Sort::BitVec(8 * u32::from(self.size));
        terms.symbol(&self.name(), sort).expect("a name has one size, and it is in the name")
    }

    /// What it is called in formulas.
    pub fn name(self) -> String {
        match self.spot {
            Spot::Register(at) => {
                // The offset makes it unique: parts of a register share their name.
                format!("{}_{at:x}_{}", file::name(at).replace(['+', ' '], "_"), self.size)
            }
            Spot::Memory(at) => format!("m{at:x}_{}", self.size),
        }
    }

    /// Whether a byte of registers lies in it.
    pub(crate) fn has_register(self, byte: usize) -> bool {
        matches!(self.spot, Spot::Register(at) if (at..at + usize::from(self.size)).contains(&byte))
    }

    /// Whether a byte of memory lies in it.
    pub(crate) fn has_memory(self, byte: u64) -> bool {
        matches!(self.spot, Spot::Memory(at) if byte.wrapping_sub(at) < u64::from(self.size))
    }

    /// Its number in a machine; `None` if it is absent.
    pub(crate) fn number(self, machine: &mut Machine) -> Option<u64> {
        let size = usize::from(self.size);
        match self.spot {
            Spot::Register(at) => Some(machine.number(at, size)),
            Spot::Memory(at) => machine.memory.number(at, size).ok(),
        }
    }

    /// Sets its number; false if it cannot be.
    pub(crate) fn set(self, machine: &mut Machine, value: u64) -> bool {
        let bytes = &value.to_le_bytes()[..usize::from(self.size)];
        match self.spot {
            Spot::Register(at) => {
                machine.registers_mut()[at..at + bytes.len()].copy_from_slice(bytes);
                true
            }
            Spot::Memory(at) => machine.memory.write(at, bytes).is_ok(),
        }
    }

    /// Its value in a trace; `None` if it is opaque.
    pub(crate) fn value(
        self,
        terms: &mut Terms,
        tracer: &Tracer,
        machine: &mut Machine,
    ) -> Option<Term> {
        let size = usize::from(self.size);
        match self.spot {
            Spot::Register(at) => tracer.register(terms, machine, at, size),
            Spot::Memory(at) => tracer.memory(terms, machine, at, size),
        }
    }

    /// Names the cell in a trace.
    pub(crate) fn open(self, terms: &mut Terms, tracer: &mut Tracer) -> Term {
        let symbol = self.symbol(terms);
        match self.spot {
            Spot::Register(at) => tracer.name_register(at, self.size, symbol),
            Spot::Memory(at) => tracer.name_memory(at, self.size, symbol),
        }
        symbol
    }
}

/// Adds cells for bytes that are in none, as wide as they were used.
pub(crate) fn cover(
    cells: &mut Vec<Cell>,
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
        cells.push(Cell { spot: Spot::Register(start), size: if flag { 1 } else { 8 } });
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
            if let Spot::Memory(at) = other.spot {
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
        cells.push(Cell { spot: Spot::Memory(start), size });
    }
    cells.sort_unstable();
}
