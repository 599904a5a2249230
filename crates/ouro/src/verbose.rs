//! What `-v` tells: which method is tried, for how long at most, and what came of it. It is sent as it happens, so that
//! it is there even if the worker is stopped.

use std::sync::OnceLock;
use std::time::Instant;

use ouro_evidence::IntegerSemantics;
use ouro_portfolio::PortfolioEvent;

use crate::message::{MessageSender, WorkerMessage};

/// Since when it was asked for, and who is told, if it was.
static LISTENER: OnceLock<(Instant, MessageSender)> = OnceLock::new();

/// Tells from now on.
pub(crate) fn begin(sender: MessageSender) {
    let _ = LISTENER.set((Instant::now(), sender));
}

/// Says something.
pub(crate) fn say_verbosely(what: &str) {
    if let Some((since, sender)) = LISTENER.get() {
        let seconds = since.elapsed().as_secs_f64();
        let _ = sender.send(&WorkerMessage::Attempt { seconds, text: what.to_owned() });
    }
}

/// Says what the engines do.
pub(crate) fn tell(event: &PortfolioEvent<'_>) {
    if LISTENER.get().is_none() {
        return;
    }
    match event {
        PortfolioEvent::SliceBegins(engine, ints, time) => {
            let (what, seconds) = (engine.description(), time.as_secs_f64());
            let with = match ints {
                IntegerSemantics::C => "",
                IntegerSemantics::Wrap => ", with wrapping integers",
                IntegerSemantics::Unbounded => ", with unbounded integers",
            };
            say_verbosely(&format!("{what}{with}, for at most {seconds:.2} s of CPU time"));
        }
        PortfolioEvent::CheckBegins(claim) => {
            say_verbosely(&format!("an engine claims '{}'; checking its evidence", claim.phrase()));
        }
        PortfolioEvent::SliceEnds(attempt) => say_verbosely(&format!("  {attempt}")),
        PortfolioEvent::Says(what) => say_verbosely(what),
    }
}
