//! From a snapshot to a machine, and what two machines differ in.

use std::rc::Rc;

use ouro_pcode::op::file;
use ouro_pcode::{PagedMemory, PcodeMachine};
use ouro_process::{ProcessSnapshot, ProcessThread, ThreadRegisters};

use crate::backing::FrozenMemory;
use crate::symbols::SnapshotSymbols;

/// Where in the kernel's structure the sequence under way is named.
const SEQUENCE: u64 = 8;
/// Flags that turn instructions into faults: single-stepping, and alignment checks.
const TRAP: u64 = 1 << 8;
const ALIGNMENT_CHECK: u64 = 1 << 18;

/// The machine of a thread.
///
/// # Errors
/// If the machine would not do what the thread does; the text says why.
pub(crate) fn machine_of_thread(
    snapshot: &ProcessSnapshot,
    thread: &ProcessThread,
    registers: &ThreadRegisters,
) -> Result<PcodeMachine, String> {
    let general = &registers.general;
    let Some(vector) = &registers.vector else {
        return Err("the vector registers of the thread are not known".to_owned());
    };
    if general.rflags & TRAP != 0 {
        return Err("the thread is single-stepped: each instruction raises SIGTRAP".to_owned());
    }
    if general.rflags & ALIGNMENT_CHECK != 0 {
        return Err("the thread has alignment checks enabled: unaligned accesses fault".to_owned());
    }
    let mut machine = PcodeMachine::new(PagedMemory::new(Rc::new(FrozenMemory::new(snapshot))));
    // The kernel writes the number of the CPU there whenever it likes.
    let rseq = match thread.rseq {
        Some((start, length)) => Some((start, u64::from(length).max(32))),
        None => {
            SnapshotSymbols::new(snapshot).rseq_address(general.fs_base).map(|start| (start, 32))
        }
    };
    if let Some((start, length)) = rseq {
        if snapshot.memory.word(start.wrapping_add(SEQUENCE)).is_ok_and(|word| word != 0) {
            return Err("the thread is in a restartable sequence (rseq), which the kernel may \
                        abort at any time"
                .to_owned());
        }
        machine.memory.forbid(start, length);
    }
    for (number, value) in general.gpr.iter().enumerate() {
        machine.set_general_register(number, *value);
    }
    machine.rip = general.rip;
    machine.set_flags(general.rflags);
    machine.lacks_avx512 = vector.lacks_avx512.then_some(
        "a core that an older gdb wrote need not hold the registers of AVX-512; \
         a core of the kernel does, or the process itself",
    );
    let file = machine.registers_mut();
    file[file::FS_BASE..file::FS_BASE + 8].copy_from_slice(&general.fs_base.to_le_bytes());
    file[file::GS_BASE..file::GS_BASE + 8].copy_from_slice(&general.gs_base.to_le_bytes());
    let length = vector.zmm.len().min(2048);
    file[file::ZMM..file::ZMM + length].copy_from_slice(&vector.zmm[..length]);
    for (i, k) in vector.k.iter().enumerate() {
        file[file::K + 8 * i..file::K + 8 * i + 8].copy_from_slice(&k.to_le_bytes());
    }
    if vector.fx.len() == 512 {
        machine.mxcsr =
            u32::from_le_bytes([vector.fx[24], vector.fx[25], vector.fx[26], vector.fx[27]]);
        machine.fx.copy_from_slice(&vector.fx);
        // What no instruction of a loop looks at: where the last x87 instruction was.
        machine.fx[6..32].fill(0);
        machine.fx[160..].fill(0);
    }
    Ok(machine)
}

/// The parts of the register file that the process has; the others are SLEIGH's own.
pub(crate) const PARTS: [(usize, usize); 6] = [
    (0, 0x40),
    (0x80, 0x40),
    (file::FS_BASE, 0x10),
    (file::CF, 0xc),
    (file::K, 0x40),
    (file::ZMM, 0x800),
];

/// Whether an offset of the file is a register of the process. The auxiliary carry counts as none: the
/// tracer refuses to look at it.
pub(crate) fn is_register(at: usize) -> bool {
    at != file::AF && PARTS.iter().any(|(start, length)| (*start..start + length).contains(&at))
}

/// Whether the registers of two machines are equal, memory aside.
pub(crate) fn same_registers(a: &PcodeMachine, b: &PcodeMachine) -> bool {
    let (x, y) = (a.registers(), b.registers());
    a.rip == b.rip
        && PARTS.iter().all(|(start, length)| {
            let range = *start..start + length;
            x[range.clone()] == y[range.clone()]
                || range.into_iter().all(|at| at == file::AF || x[at] == y[at])
        })
        && same_control(a, b)
}

/// Whether x87 and the control of SSE are equal.
pub(crate) fn same_control(a: &PcodeMachine, b: &PcodeMachine) -> bool {
    a.mxcsr == b.mxcsr && a.fx == b.fx
}
