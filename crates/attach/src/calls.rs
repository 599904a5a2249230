//! System calls: which one a thread sleeps in or is about to make, and what that means for the rest.

mod arguments;
mod names;

use ouro_pcode::PcodeMachine;
use ouro_process::{BlockedCall, ProcessSnapshot, ThreadRegisters};

use arguments::call_text;

/// The call that a thread sleeps in.
pub(crate) fn describe_blocked_call(blocked: &BlockedCall) -> String {
    call_text(None, &mut |_, _| false, blocked.call, blocked.arguments)
}

/// The call that a thread of this process sleeps in, with what its arguments mean.
pub(crate) fn describe_waiting_call(snapshot: &ProcessSnapshot, blocked: &BlockedCall) -> String {
    let mut read = |at: u64, into: &mut [u8]| snapshot.memory.read(at, into).is_ok();
    call_text(Some(snapshot), &mut read, blocked.call, blocked.arguments)
}

/// The call that a machine is about to make.
pub(crate) fn describe_next_call(snapshot: &ProcessSnapshot, machine: &PcodeMachine) -> String {
    let arguments = [7, 6, 2, 10, 8, 9].map(|number| machine.general_register(number));
    let mut memory = machine.memory.clone();
    let mut read = |at: u64, into: &mut [u8]| memory.read(at, into).is_ok();
    call_text(Some(snapshot), &mut read, machine.general_register(0), arguments)
}

/// Whether a machine is about to ask for memory.
pub(crate) fn asks_for_memory(machine: &PcodeMachine) -> bool {
    matches!(machine.general_register(0), 9 | 11 | 12 | 25 | 28)
}

/// Whether the call that a machine is about to make ends it.
pub(crate) fn is_ending_call(machine: &PcodeMachine) -> bool {
    matches!(machine.general_register(0), 60 | 231)
}

/// The system call that a stopped thread is in, if it will go on with it: cores show sleepers so.
pub(crate) fn interrupted_call(registers: &ThreadRegisters) -> Option<BlockedCall> {
    let general = &registers.general;
    // ERESTARTSYS and its relatives: the call is made again.
    let result = general.gpr[0].cast_signed();
    if general.orig_rax.cast_signed() < 0 || !(-516..=-512).contains(&result) {
        return None;
    }
    Some(BlockedCall {
        call: general.orig_rax,
        arguments: [7, 6, 2, 10, 8, 9].map(|i| general.gpr[i]),
        rsp: general.rsp(),
        rip: general.rip,
    })
}

/// Whether a sleeper can only be woken by a thread of its own process: a private futex, without a
/// time-out.
pub(crate) fn waits_for_own_process(blocked: &BlockedCall) -> bool {
    let [_, operation, _, timeout, ..] = blocked.arguments;
    let waits = matches!(operation & 0x7f, 0 | 9);
    blocked.call == 202 && waits && operation & 0x80 != 0 && timeout == 0
}
