//! Evidence that the checker accepts, and the same with something changed, which it does not.

mod closed;
mod lists;
mod overflow;
mod ranked;
mod recurrent;
mod snapshots;
