//! The machine: what a program of the model means is what happens here.
//!
//! A [`Machine`] is a program made ready to run; a [`MachineState`] is a run between two instructions. The
//! same code runs concrete and symbolic values: a value is a plain number, an address, or a term,
//! and only what touches a term leaves the quick path. So a concrete run is the special case in
//! which the [`RunEnvironment`] gives numbers, a symbolic execution is the one in which it gives
//! symbols, and what both compute cannot differ.
//!
//! Memory is byte-precise: objects with a size, addresses with the object they belong to, bytes
//! that were never written. What is undefined in C ends the run with a message. What depends on
//! where objects lie is noted, because nothing that was found that way holds for other layouts.
//!
//! | file | one idea |
//! | --- | --- |
//! | `value`, `object`, `memory`, `bulk` | what is stored |
//! | `machine`, `environment` | a program made ready to run, and what a run asks of its surroundings |
//! | `code`, `compile`, `start` | from the model to something quick, and the first state |
//! | `state`, `stop` | a run, and why it stops |
//! | `run`, `fork`, `call` | from instruction to instruction |
//! | `step`, `access`, `arith`, `convert`, `plain` | what an instruction does |
//! | `floats` | what is known of a float that an operation computes |
//! | `signs` | what is seen of a number that nobody knows |
//! | `address` | what addresses say, wherever objects lie |
//! | `integer` | what it does with mathematical integers |
//! | `builtin`, `format`, `digits`, `variadic` | primitive functions |
//! | `same`, `fingerprint` | when two states are the same |
//! | `spot` | parts of a state by name |
//! | `vague` | memory of which not everything is known |
//! | `reach` | what the rest of a run can reach |
//! | `chain` | lists of any length |
//! | `activation` | calls of functions that may call themselves |
//! | `promise` | what such calls return |
//! | `path` | conditions on symbols, and renaming of symbols |
//! | `concrete` | a run on given inputs |
//! | `limits` | how far everything goes, in one place |

mod access;
mod activation;
mod address;
mod arith;
mod builtin;
mod bulk;
mod call;
mod chain;
mod code;
mod compile;
pub mod concrete;
mod convert;
mod digits;
mod environment;
mod fingerprint;
mod floats;
mod fork;
mod format;
mod integer;
mod limits;
mod machine;
mod memory;
mod object;
pub mod path;
mod plain;
mod promise;
mod reach;
mod run;
mod same;
mod signs;
mod spot;
mod start;
mod state;
mod step;
mod stop;
mod vague;
mod value;
mod variadic;

pub use activation::ReturnedCall;
pub use arith::{SIGNED_OVERFLOW, is_float_op};
pub use chain::{FoldScope, SegmentLink};
pub use environment::{ChoiceRange, ChoiceRequest, RunEnvironment};
pub use fingerprint::TermShapes;
pub use machine::{Machine, OverflowSemantics};
pub use memory::MachineMemory;
pub use object::{MemoryCell, MemoryObject, StorageClass};
pub use promise::SummaryFormula;
pub use reach::AddressHolder;
pub use same::{StateDifference, StateDifferenceKind, StateSubsumption};
pub use spot::StateCell;
pub use start::ProgramTooLarge;
pub use state::{CallFrame, MachineState};
pub use stop::{ForkAlternative, MachineStop, NeededValue, RunEnd, RunPosition};
pub use value::{MachineValue, ObjectRef, Provenance};
