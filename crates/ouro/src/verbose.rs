//! What `-v` tells: which method is tried, for how long at most, and what came of it. It goes to standard error
//! as it happens, so that it is there even if the worker is stopped.

use std::sync::OnceLock;
use std::time::Instant;

use ouro_evidence::IntegerSemantics;
use ouro_portfolio::PortfolioEvent;

/// When it was asked for, if it was.
static SINCE: OnceLock<Instant> = OnceLock::new();

/// Tells from now on.
pub(crate) fn enable_verbose() {
    let _ = SINCE.set(Instant::now());
}

/// Whether somebody wants to know.
pub(crate) fn is_verbose() -> bool {
    SINCE.get().is_some()
}

/// Says something.
pub(crate) fn say_verbosely(what: &str) {
    if let Some(since) = SINCE.get() {
        eprintln!("{:8.2} s  {what}", since.elapsed().as_secs_f64());
    }
}

/// Says what the engines do.
pub(crate) fn tell(event: &PortfolioEvent<'_>) {
    if !is_verbose() {
        return;
    }
    match event {
        PortfolioEvent::SliceBegins(engine, ints, time) => {
            let (what, seconds) = (engine.description(), time.as_secs_f64());
            let with = match ints {
                IntegerSemantics::C => "",
                IntegerSemantics::Wrap => ", with integers that wrap around",
                IntegerSemantics::Unbounded => ", with integers without bounds",
            };
            say_verbosely(&format!("{what}{with}, for at most {seconds:.2} s of processor time"));
        }
        PortfolioEvent::CheckBegins(claim) => {
            say_verbosely(&format!(
                "an engine says '{}'; the checker looks at its evidence",
                claim.json_word()
            ));
        }
        PortfolioEvent::SliceEnds(attempt) => say_verbosely(&format!("  {attempt}")),
        PortfolioEvent::Says(what) => say_verbosely(what),
    }
}
