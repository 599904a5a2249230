//! The query log: every query as a file that any SMT solver can replay.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::core::ConjunctionAnswer;
use crate::raw::Z3Failure;

/// Where the queries of one session are written.
pub(crate) struct QueryLog {
    directory: PathBuf,
    /// Tells the sessions of all processes that log into one directory apart.
    prefix: String,
    count: u64,
}

/// Names a folder into which every session of a process writes its queries.
const VARIABLE: &str = "OURO_LOG";

impl QueryLog {
    /// The log that the environment asks for, if its folder can be made.
    pub(crate) fn from_environment() -> Option<QueryLog> {
        let directory = env::var_os(VARIABLE).filter(|path| !path.is_empty())?;
        QueryLog::new(Path::new(&directory)).ok()
    }

    /// Makes the directory.
    pub(crate) fn new(directory: &Path) -> io::Result<QueryLog> {
        static SESSIONS: AtomicU64 = AtomicU64::new(0);
        fs::create_dir_all(directory)?;
        let session = SESSIONS.fetch_add(1, Ordering::Relaxed);
        let prefix = format!("{}-{session}", std::process::id());
        Ok(QueryLog { directory: directory.to_owned(), prefix, count: 0 })
    }

    /// Writes one query: its script, or why there is none, with what was found.
    pub(crate) fn write_query(
        &mut self,
        script: &Result<String, Z3Failure>,
        found: &ConjunctionAnswer,
        took: Duration,
    ) -> io::Result<()> {
        self.count += 1;
        let path = self.directory.join(format!("{}-{:06}.smt2", self.prefix, self.count));
        let answer = match found {
            ConjunctionAnswer::Unknown(why) => format!("unknown ({})", why.replace('\n', " ")),
            known => smtlib_status(known).to_owned(),
        };
        let milliseconds = took.as_secs_f64() * 1000.0;
        let script = match script {
            Ok(script) => script.trim_start_matches("; \n").to_owned(),
            Err(failure) => format!("; no script: {failure}\n"),
        };
        fs::write(path, format!("; answer: {answer}\n; milliseconds: {milliseconds:.3}\n{script}"))
    }
}

/// The answer as SMT-LIB's `:status` has it.
pub(crate) fn smtlib_status(found: &ConjunctionAnswer) -> &'static str {
    match found {
        ConjunctionAnswer::Sat(_) => "sat",
        ConjunctionAnswer::Unsat(_) => "unsat",
        ConjunctionAnswer::Unknown(_) => "unknown",
    }
}
