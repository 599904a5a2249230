//! A line on the terminal while the worker works.

use std::io::{self, IsTerminal as _};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::message::Stage;

/// Work that is quicker than this needs no line.
const PATIENCE: Duration = Duration::from_millis(500);

/// The line, once there is one. It vanishes when it is dropped.
pub(super) struct Progress {
    start: Instant,
    /// Whether every attempt is told: a line that comes and goes between them only disturbs.
    verbose: bool,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// No line yet.
    pub(super) fn new(verbose: bool) -> Progress {
        Progress { start: Instant::now(), verbose, bar: None }
    }

    /// Shows what is being done, if somebody watches and it takes too long.
    pub(super) fn show(&mut self, stage: Stage) {
        if self.bar.is_none() {
            let seen = io::stderr().is_terminal() && !self.verbose;
            if self.start.elapsed() < PATIENCE || !seen {
                return;
            }
            let bar = ProgressBar::new_spinner().with_elapsed(self.start.elapsed());
            if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} ({elapsed})") {
                bar.set_style(style);
            }
            self.bar = Some(bar);
        }
        if let Some(bar) = &self.bar {
            bar.set_message(stage.text());
            bar.tick();
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
