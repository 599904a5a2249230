//! What engines find, on programs and systems of which the truth is known: right, and accepted by the checker.

mod calls_in_reach;
mod closed_program;
mod fairness;
mod numbers;
mod ranked_program;
mod ranking;
mod recurrent;
mod summaries;
mod transition;
