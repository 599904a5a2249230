//! The portfolio: engines take turns by a schedule, and the first certificate that the checker accepts is the answer.
//!
//! An engine is good at some questions and looks at others until its time is over. Nobody knows beforehand which one
//! answers, so each has slices of time, small ones first. Which engine has which slice when is a table (`schedule`),
//! and there is no other scheduler.
//!
//! **Deterministic.** Slices are processor time of the thread that works (`budget`, `ouro_solver::clock`): what else
//! the machine does changes how long it takes, not what comes out. Time on the wall is kept by whoever supervises
//! the process. Slices of one round may run on two threads (`lanes`); the order of the table decides which of two
//! certificates is offered to the checker first, never who was quicker.
//!
//! **Nothing is done twice.** Engines keep what they have from slice to slice: transition systems of the program,
//! loop heads that were found, what gave up by itself. A certificate is checked once, here, and goes on together
//! with the undefined behaviour that the checker has named.
//!
//! **Nothing is silent.** Each slice leaves an [`AttemptRecord`](ouro_evidence::AttemptRecord); a certificate that
//! the checker refuses is one of their outcomes.
//!
//! | file | one idea |
//! | --- | --- |
//! | `budget` | processor time and memory, as one value |
//! | `engine` | what an engine is, and which there are |
//! | `engines` | the engines behind that trait |
//! | `schedule` | the tables: who has which slice when |
//! | `lanes` | the threads that engines live on |
//! | `run` | one run through a schedule, and the checker |
//! | `answer` | what comes out |
//! | `wrapping` | the question asked again with integers that wrap around |
//! | `limits` | how far all of that goes |

pub mod answer;
pub mod budget;
pub mod engine;
mod engines;
mod lanes;
mod limits;
mod run;
pub mod schedule;
pub mod wrapping;

pub use answer::{PortfolioAnswer, PortfolioEvent, PortfolioObserver};
pub use budget::CpuBudget;
pub use engine::{EngineKind, EngineName, EngineOutcome, ProofEngine, ProofSubject};
pub use run::{Portfolio, RankedLoop};
pub use schedule::{EngineSchedule, ScheduledSlice};
pub use wrapping::prove_program_also_wrapping;
