//! Exit codes, and failures that are the user's to mend.

use std::fmt;

use ouro_evidence::Verdict;

/// The program terminates, or the certificate is accepted.
pub(crate) const TERMINATES: u8 = 0;
/// The program can run forever.
pub(crate) const LOOPS: u8 = 1;
/// The input or the command is wrong.
pub(crate) const BAD_INPUT: u8 = 2;
/// Neither could be shown.
pub(crate) const UNKNOWN: u8 = 3;
/// Ouro itself failed. None of the verdicts; the number is `EX_SOFTWARE` of `sysexits.h`.
pub(crate) const CRASH: u8 = 70;
/// The worker ran out of memory. Only the supervisor sees it.
pub(crate) const OUT_OF_MEMORY: u8 = 71;
/// `ouro run`: the program was aborted, as a shell reports `SIGABRT`.
pub(crate) const ABORTED: u8 = 134;
/// `ouro run`: the program did something undefined, as a shell reports the `SIGILL` of a program
/// compiled to trap on it.
pub(crate) const UNDEFINED: u8 = 132;

/// The exit code of a verdict.
pub(crate) fn of(verdict: &Verdict) -> u8 {
    match verdict {
        Verdict::Terminates(_) => TERMINATES,
        Verdict::Loops(_) => LOOPS,
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
