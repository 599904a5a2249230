//! What `-v` tells: which method is tried, for how long at most, and what came of it. It goes to standard error
//! as it happens, so that it is there even if the worker is stopped.

use std::sync::OnceLock;
use std::time::Instant;

use ouro_evidence::Claim;

/// When it was asked for, if it was.
static SINCE: OnceLock<Instant> = OnceLock::new();

/// Tells from now on.
pub(crate) fn ask() {
    let _ = SINCE.set(Instant::now());
}

/// Whether somebody wants to know.
pub(crate) fn is_asked() -> bool {
    SINCE.get().is_some()
}

/// Says something.
pub(crate) fn say(what: &str) {
    if let Some(since) = SINCE.get() {
        eprintln!("{:8.2} s  {what}", since.elapsed().as_secs_f64());
    }
}

/// Says that the checker looks at evidence.
pub(crate) fn checks(claim: Claim) {
    say(&format!("an engine says '{}'; the checker looks at its evidence", claim.word()));
}

/// Says that something is tried until a deadline.
pub(crate) fn tries(what: &str, deadline: Instant) {
    if is_asked() {
        let time = deadline.saturating_duration_since(Instant::now()).as_secs_f64();
        say(&format!("{what}, for at most {time:.1} s"));
    }
}
