//! System calls: which one a thread sleeps in or is about to make, and what that means for the rest.

mod arguments;
mod names;

use ouro_pcode::Machine;
use ouro_process::{Blocked, Registers, Snapshot};

use arguments::text;

/// The call that a thread sleeps in.
pub(crate) fn blocked(blocked: &Blocked) -> String {
    text(None, &mut |_, _| false, blocked.call, blocked.arguments)
}

/// The call that a thread of this process sleeps in, with what its arguments mean.
pub(crate) fn waiting(snapshot: &Snapshot, blocked: &Blocked) -> String {
    let mut read = |at: u64, into: &mut [u8]| snapshot.memory.read(at, into).is_ok();
    text(Some(snapshot), &mut read, blocked.call, blocked.arguments)
}

/// The call that a machine is about to make.
pub(crate) fn next(snapshot: &Snapshot, machine: &Machine) -> String {
    let arguments = [7, 6, 2, 10, 8, 9].map(|number| machine.general(number));
    let mut memory = machine.memory.clone();
    let mut read = |at: u64, into: &mut [u8]| memory.read(at, into).is_ok();
    text(Some(snapshot), &mut read, machine.general(0), arguments)
}

/// Whether a machine is about to ask for memory.
pub(crate) fn asks_for_memory(machine: &Machine) -> bool {
    matches!(machine.general(0), 9 | 11 | 12 | 25 | 28)
}

/// Whether the call that a machine is about to make ends it.
pub(crate) fn ends(machine: &Machine) -> bool {
    matches!(machine.general(0), 60 | 231)
}

/// The system call that a stopped thread is in, if it will go on with it: cores show sleepers so.
pub(crate) fn interrupted(registers: &Registers) -> Option<Blocked> {
    let general = &registers.general;
    // ERESTARTSYS and its relatives: the call is made again.
    let result = general.gpr[0].cast_signed();
    if general.orig_rax.cast_signed() < 0 || !(-516..=-512).contains(&result) {
        return None;
    }
    Some(Blocked {
        call: general.orig_rax,
        arguments: [7, 6, 2, 10, 8, 9].map(|i| general.gpr[i]),
        rsp: general.rsp(),
        rip: general.rip,
    })
}

/// Whether a sleeper can only be woken by a thread of its own process: a private futex, without a
/// time-out.
pub(crate) fn waits_for_us(blocked: &Blocked) -> bool {
    let [_, operation, _, timeout, ..] = blocked.arguments;
    let waits = matches!(operation & 0x7f, 0 | 9);
    blocked.call == 202 && waits && operation & 0x80 != 0 && timeout == 0
}
