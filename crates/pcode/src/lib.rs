//! Machine code to P-code, run on numbers and on terms.
//!
//! **How it works.** Ghidra's SLEIGH says what each x86-64 instruction does, as a handful of P-code
//! operations; each instruction is lifted once and kept by address. [`PcodeMachine`] runs them on numbers,
//! millions a second. Vector, x87 and some integer instructions, where SLEIGH is silent or wrong, are run
//! by the CPU itself, one at a time, on a copy of their operands (`native`). [`InstructionTracer`] runs the same
//! operations on terms beside the numbers: what it calls the path's condition is all that has to hold for
//! another state to take the same path and compute the same terms.
//!
//! **What it misses:** instructions that reach outside (system calls, the time, random numbers) or that
//! nobody models; each stops the machine with its address, bytes and text ([`PcodeStop`]). Code that changes
//! itself stops it too. **When it misleads:** the auxiliary carry and flags that the manual leaves
//! undefined are whatever they happen to be in [`PcodeMachine`]; [`InstructionTracer`] refuses to read them.
//!
//! | file | one idea |
//! | --- | --- |
//! | `op` | operations, and where registers lie |
//! | `lift` | instructions, each lifted once |
//! | `table` | which instructions are run, and whether SLEIGH is believed |
//! | `sleigh` | SLEIGH's operations in our form |
//! | `native` | one instruction, run by the CPU |
//! | `memory` | pages, copied when written |
//! | `machine` | on numbers |
//! | `compute` | each operation on numbers |
//! | `cpu` | an instruction of a machine, run by the CPU |
//! | `shadow` | which bytes are terms |
//! | `tracer` | on terms beside numbers |
//! | `meaning` | each operation as a term |
//! | `fresh` | memory that is new each time: frames, allocations |

mod compute;
mod cpu;
mod fresh;
mod lift;
mod machine;
mod meaning;
mod memory;
mod native;
pub mod op;
mod shadow;
mod sleigh;
mod table;
#[cfg(test)]
mod tests;
mod tracer;

pub use fresh::{AllocatorFunction, FreshRegion, REVEALS, TracedAllocation};
pub use lift::{InstructionLifter, LiftedInstruction, NamedInstruction};
pub use machine::{InstructionCache, PcodeMachine, PcodeStop};
pub use memory::{MemoryBacking, MemoryFault, PAGE, PagedMemory};
pub use shadow::ByteShade;
pub use tracer::{ConditionReason, InstructionTracer, TraceCondition, TraceHalt};
