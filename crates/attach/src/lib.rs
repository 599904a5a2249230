//! Will this process ever leave its loop?
//!
//! From a snapshot, the machine runs ahead of the process. If its whole state comes back, it loops
//! forever. If it comes to a system call, the outside world decides. Otherwise the loop is taken apart:
//! a head to which control returns, iterations executed on terms, and a set of states that no iteration
//! leaves (LOOPER, sections 3 and 4, for machine code). What is found is written down as a
//! [`ProcessCertificate`] and believed only when [`check()`] has executed it again.
//!
//! **What it misses:** loops that use new memory each time, proofs beyond simple invariants, threads that
//! work together. **When it misleads:** a proof is about one thread, under [`LoopPremise`]s that are looked up
//! and named; a premise that does not hold makes the answer *unknown*.
//!
//! The answer is plain data (`ouro_evidence::process`); `ouro-report` has the words for it.
//!
//! | file | one idea |
//! | --- | --- |
//! | `analysis` | the way from a snapshot to an answer |
//! | `search` | from a machine to a proof: what is tried, and in which order |
//! | `explain` | findings as people know them |
//! | `backing`, `state` | a snapshot as a machine |
//! | `ahead` | running ahead; heads |
//! | `cell` | what changes |
//! | `iteration` | from the head to the head |
//! | `ideal` | a stack and a heap without an end |
//! | `heap` | what the allocator keeps for itself |
//! | `closure` | from a head to a closed set of iterations |
//! | `templates` | candidates for invariants |
//! | `invariants` | those that are kept |
//! | `turning` | when a path is left |
//! | `check` | whether a certificate holds |
//! | `premises` | what could interfere |
//! | `signals` | signals and timers that could |
//! | `handlers` | what the handlers of signals do to a loop |
//! | `taken` | functions that could be handlers |
//! | `calls` | system calls by name |
//! | `symbols`, `unwind` | addresses as people know them |
//! | `variables` | memory as the source calls it |
//! | `script` | lines of scripts that an interpreter runs |
//! | `limits` | how far everything goes, in one place |

mod ahead;
mod analysis;
mod backing;
mod calls;
mod cell;
mod check;
mod closure;
mod explain;
mod handlers;
mod heap;
mod ideal;
mod invariants;
mod iteration;
mod limits;
mod premises;
mod script;
mod search;
mod signals;
mod state;
mod symbols;
mod taken;
mod templates;
mod turning;
mod unwind;
mod variables;

pub use analysis::{AnalysisOptions, AnalysisStep, analyse_snapshot, measure_speed};
pub use check::{AcceptedCertificate, ProcessRejection, check_process_certificate};
pub use ouro_evidence::process::{LoopPremise, ProcessAnalysis, ProcessAnswer, ProcessCertificate};
