//! What `-v` tells: which method is tried, for how long at most, and what came of it. It goes to standard error
//! as it happens, so that it is there even if the worker is stopped.

use std::sync::OnceLock;
use std::time::Instant;

use ouro_evidence::Ints;
use ouro_portfolio::PortfolioEvent;

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

/// Says what the engines do.
pub(crate) fn tell(event: &PortfolioEvent<'_>) {
    if !is_asked() {
        return;
    }
    match event {
        PortfolioEvent::SliceBegins(engine, ints, time) => {
            let (what, seconds) = (engine.description(), time.as_secs_f64());
            let with = match ints {
                Ints::C => "",
                Ints::Wrap => ", with integers that wrap around",
                Ints::Unbounded => ", with integers without bounds",
            };
            say(&format!("{what}{with}, for at most {seconds:.2} s of processor time"));
        }
        PortfolioEvent::CheckBegins(claim) => {
            say(&format!("an engine says '{}'; the checker looks at its evidence", claim.word()));
        }
        PortfolioEvent::SliceEnds(attempt) => say(&format!("  {attempt}")),
        PortfolioEvent::Says(what) => say(what),
    }
}
