//! Z3 behind one [`Session`]: does a conjunction of formulas hold under some values, and which? No
//! Z3 value leaves this room, and no other room names Z3.
//!
//! ```
//! use ouro_solver::{Session, SessionLimits, SolverAnswer};
//! use ouro_term::{Sort, TermStore};
//!
//! let mut terms = TermStore::new();
//! let x = terms.intern_symbol("x", Sort::BitVec(8)).unwrap();
//! let square = terms.bv_mul(x, x);
//! let k = terms.bv(8, 17);
//! let goal = terms.eq(square, k);
//! let mut session = Session::new(SessionLimits::default());
//! assert!(matches!(session.check_sat(&terms, &[goal]), SolverAnswer::Sat(_)));
//! let three = terms.bv(8, 3);
//! let never = terms.eq(square, three);
//! assert_eq!(session.check_sat(&terms, &[never]), SolverAnswer::Unsat);
//! ```
//!
//! **What an answer is worth.** [`SolverAnswer::Unsat`] is said only when Z3 says it without any error;
//! time-outs, exceptions and error codes are [`SolverAnswer::Unknown`]. A model is evaluated by the meaning
//! of terms (`ouro_term::TermEvaluator`) before it is returned; one that does not hold is *unknown* too.
//! Where a term's value is not specified (an integer division by zero, a float that does not fit its
//! integer), any value is allowed for: *unsat* holds for all of them, *sat* never rests on one.
//!
//! **Layers,** outermost first, each in a file that can be taken out to find a fault:
//!
//! | file | one idea |
//! | --- | --- |
//! | `session` | limits, statistics, the order of the layers |
//! | `second` | each answer compared with another solver's, on request |
//! | `smtlib` | a query as text for that solver, independent of `lower` |
//! | `log` | each query as a file to replay |
//! | `cache` | earlier answers; conjuncts that share no symbol are decided apart |
//! | `direct` | answers that need no solver |
//! | `core` | the two stages of asking Z3, and models back |
//! | `integers` | bit-vectors read as integers |
//! | `linear` | linear inequalities over the rationals |
//! | `lower` | terms to Z3, the only translation there is |
//! | `clock` | the time that budgets are counted in |
//! | `watchdog` | the thread that stops a query |
//! | `memory` | the one limit of the process |
//! | `raw` | Z3's C interface, the only unsafe code |
//! | `limits` | how far all of that goes |
//!
//! **Stopping.** A query ends when its time or the deadline is over, when the process holds too much
//! memory, or when an [`InterruptHandle`] says so. All of this asks Z3 to stop, and Z3 can be deaf; see
//! `watchdog` for what stands above it.
//!
//! **Same queries, same answers:** Z3's seeds are fixed, the cache depends on the order of queries
//! only, and the switch between the two stages counts Z3's steps, not time. A session does not
//! notice another one. Sessions live on the thread that made them.

mod cache;
pub mod clock;
mod core;
mod direct;
mod integers;
mod limits;
pub mod linear;
mod log;
mod lower;
mod memory;
mod raw;
pub mod second;
mod session;
mod smtlib;
mod watchdog;

pub use raw::loaded_version;
pub use session::{Session, SessionLimits, SessionStatistics, SolverAnswer};
pub use watchdog::InterruptHandle;

#[cfg(test)]
mod strategies;
