//! Z3 behind one [`Session`]. No Z3 value leaves this room.
mod core;
mod lower;
mod raw;
mod session;
mod watchdog;

pub use session::{Answer, Limits, Session, Statistics};
pub use watchdog::Interrupt;
