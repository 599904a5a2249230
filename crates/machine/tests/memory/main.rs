//! Memory: what the machine keeps of it, and what the rest of a run can tell.

mod addresses;
mod chains;
mod gone;
mod pieces;
mod unwritten;
