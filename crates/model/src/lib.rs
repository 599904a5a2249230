//! The model: what every engine, the machine and the checker mean by *the program*.
//!
//! A [`Program`] is functions, blocks and memory, close to the source: a register machine with
//! named variables, byte-addressed objects, calls, and two kinds of nondeterminism. Its meaning is
//! what `ouro-machine` does with it. A [`transition::TransitionSystem`] is locations and edges over
//! terms, what is left when memory and calls have been reduced.
//!
//! | file | one idea |
//! | --- | --- |
//! | `ids` | typed indices |
//! | `types` | the types of values |
//! | `program` | functions, blocks, globals, sources |
//! | `instruction` | what a block does |
//! | `access` | what instructions read, write, and can do besides |
//! | `limits` | limits of which it is known what a run does behind them |
//! | `builtin` | the library functions that are primitive |
//! | `span` | places in the source |
//! | `meaning` | how the text of a program is read |
//! | `missing` | what a linker would miss |
//! | `monitor` | what a specification adds to a program |
//! | `question` | what is asked about the runs: events, obligations, fairness |
//! | `flow` | predecessors, loop heads, live variables |
//! | `wellformed` | the rules, checked on everything a front end makes |
//! | `text` | the text form of programs, both ways |
//! | `transition` | transition systems, with their own rules and text |

mod access;
pub mod builtin;
pub mod flow;
pub mod ids;
pub mod instruction;
mod limits;
pub mod meaning;
pub mod missing;
pub mod monitor;
pub mod program;
pub mod question;
pub mod span;
pub mod text;
pub mod transition;
pub mod types;
pub mod wellformed;

pub use builtin::BuiltinFunction;
pub use ids::{BlockId, FunctionId, GlobalId, IdVec, VarId};
pub use instruction::{
    BinaryOp, Callee, CastOp, ChoiceSource, CompareOp, FloatOp, Instruction, Operand, Statement,
    Terminator, UnaryOp,
};
pub use limits::{LONG_ARGUMENT_LIMIT, MANY_ARGUMENTS_LIMIT, RESULT_LIMITS};
pub use meaning::{Allocations, DataModel, Externs, InputExtent, IntegerSemantics};
pub use missing::{MissingSymbol, MissingSymbolKind};
pub use monitor::Monitor;
pub use program::{
    Block, Function, GlobalObject, InitializerCell, LocalVar, Program, TargetLayout, VarKind,
};
pub use question::{
    CompassionPair, EventTrigger, FairnessEvent, MonitorObligation, ProgramQuestion,
};
pub use span::{FileId, Span};
pub use types::Type;

#[cfg(test)]
mod samples;
