//! Exit codes, and failures that are the user's to mend.

use std::fmt;

use ouro_evidence::Verdict;
use ouro_report::{LoopFate, LoopReport};

/// The program terminates, its specification holds, or the certificate is accepted.
pub(crate) const TERMINATES: u8 = 0;
/// The program can loop forever, or its specification is violated.
pub(crate) const LOOPS: u8 = 1;
/// The input or the command is wrong.
pub(crate) const BAD_INPUT: u8 = 2;
/// Neither could be shown.
pub(crate) const UNKNOWN: u8 = 3;
/// `ouro scan`: a file was not looked at, or not to its end.
pub(crate) const SKIPPED: u8 = 4;
/// `ouro attach`: the process loops until a signal arrives whose handler may let it out.
pub(crate) const LOOPS_UNTIL_SIGNAL: u8 = 5;
/// Ouro itself failed. None of the verdicts; the number is `EX_SOFTWARE` of `sysexits.h`.
pub(crate) const CRASH: u8 = 70;
/// The worker ran out of memory. Only the supervisor sees it.
pub(crate) const OUT_OF_MEMORY: u8 = 71;
/// `ouro run`: the program was aborted, as a shell reports `SIGABRT`.
pub(crate) const ABORTED: u8 = 134;
/// `ouro run`: the program did something undefined, as a shell reports the `SIGILL` of a program
/// compiled to trap on it.
pub(crate) const UNDEFINED: u8 = 132;

/// The exit code of a verdict about a program, and what to say besides. If every loop has to be proved, one that is
/// open is an error; a program without loops has none, and what is unknown about it stays unknown.
pub(crate) fn program_exit_code(
    every_loop: bool,
    verdict: &Verdict,
    loops: &[LoopReport],
) -> (u8, Option<String>) {
    let open = loops.iter().filter(|one| one.fate != LoopFate::Terminates).count();
    match verdict_exit_code(verdict) {
        UNKNOWN if every_loop && open > 0 => {
            let said = match loops.len() {
                1 => "the only loop is".to_owned(),
                all => format!("{open} of {all} loops are"),
            };
            (LOOPS, Some(format!("error: {said} not proved to terminate (--every-loop)")))
        }
        code => (code, None),
    }
}

/// The same for a transition system. Its loops have no names, and what has none is proved to end.
pub(crate) fn system_exit_code(every_loop: bool, verdict: &Verdict) -> (u8, Option<String>) {
    match verdict_exit_code(verdict) {
        UNKNOWN if every_loop => {
            (LOOPS, Some("error: not every loop is proved to terminate (--every-loop)".to_owned()))
        }
        code => (code, None),
    }
}

/// The exit code of a verdict.
fn verdict_exit_code(verdict: &Verdict) -> u8 {
    match verdict {
        Verdict::Terminates(_) | Verdict::Holds(_) => TERMINATES,
        Verdict::Loops(_) | Verdict::Violated(_) => LOOPS,
        Verdict::Unknown(_) => UNKNOWN,
    }
}

/// One clear message about an input that is wrong, or a command that cannot be followed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct BadInput(pub(crate) String);

impl fmt::Display for BadInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A compiler's message says itself that it is an error.
        let text = self.0.trim_end();
        if text.contains("error:") { f.write_str(text) } else { write!(f, "error: {text}") }
    }
}
