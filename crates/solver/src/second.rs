//! A second opinion: every answer of every session of this process is also asked of another solver, a
//! process of its own that reads SMT-LIB.
//!
//! It never changes an answer. Whoever asked for it looks at the end whether the two disagreed anywhere, and
//! at how many answers the other solver left open: it has a time limit for each query, and an operator may
//! have no text. Queries wait in a short queue, so that the two solvers work side by side.

use std::fmt;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, channel, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use ouro_term::{Term, TermStore};

use crate::limits::LIMITS;
use crate::session::SolverAnswer;
use crate::smtlib;

/// What the other solver is told to say after each answer.
const DONE: &str = "ouro-done";

/// Where the sessions of this process send their queries.
static QUEUE_OF_PROCESS: Mutex<Option<SyncSender<ForwardedQuery>>> = Mutex::new(None);

struct ForwardedQuery {
    ours: SatStatus,
    /// The text, or which operator has none.
    script: Result<String, &'static str>,
}

/// What a solver says of a query.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SatStatus {
    /// The formulas can hold together.
    Sat,
    /// They never do.
    Unsat,
}

impl fmt::Display for SatStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SatStatus::Sat => "sat",
            SatStatus::Unsat => "unsat",
        })
    }
}

/// A query on which the two do not agree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SolverDisagreement {
    /// The how-manieth it was, from one on.
    pub number: u64,
    /// What Z3 says.
    pub ours: SatStatus,
    /// What the other one says.
    pub theirs: SatStatus,
    /// The query itself, in SMT-LIB.
    pub script: String,
}

/// What became of all queries.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct OpinionTally {
    /// Answers of Z3 that the other solver was asked about.
    pub answers: u64,
    /// Those of which it says the same.
    pub confirmed: u64,
    /// The first on which they do not agree.
    pub disagreement: Option<SolverDisagreement>,
    /// The first complaint of the other solver, or what no text could be made of.
    pub complaint: Option<String>,
}

impl OpinionTally {
    /// How many answers the other solver says nothing of.
    pub fn unanswered_count(&self) -> u64 {
        self.answers - self.confirmed - u64::from(self.disagreement.is_some())
    }
}

/// The other solver at work. One at a time.
pub struct SecondOpinion {
    asker: JoinHandle<OpinionTally>,
}

impl SecondOpinion {
    /// Starts the program with these arguments; until [`SecondOpinion::finish`], every session of the
    /// process is listened to. What it has not answered by the deadline stays open.
    ///
    /// # Errors
    /// If the program cannot be started.
    pub fn start(
        program: &'static str,
        arguments: &'static [&'static str],
        deadline: Instant,
    ) -> io::Result<SecondOpinion> {
        let solver = SolverProcess::start(program, arguments)?;
        let (sender, queue) = sync_channel(LIMITS.second_queue);
        *QUEUE_OF_PROCESS.lock().unwrap_or_else(PoisonError::into_inner) = Some(sender);
        let asker = thread::Builder::new()
            .name("second opinion".to_owned())
            .spawn(move || ask_all_queries(&queue, solver, deadline))?;
        Ok(SecondOpinion { asker })
    }

    /// Waits for the last answer.
    pub fn finish(self) -> OpinionTally {
        *QUEUE_OF_PROCESS.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.asker.join().unwrap_or_else(|_| OpinionTally {
            answers: 1,
            complaint: Some("it could not be listened to".to_owned()),
            ..OpinionTally::default()
        })
    }
}

/// Hands a query and its answer to the other solver, if there is one.
pub(crate) fn submit_query(terms: &TermStore, formulas: &[Term], answer: &SolverAnswer) {
    let sender = QUEUE_OF_PROCESS.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let Some(sender) = sender else { return };
    let ours = match answer {
        SolverAnswer::Sat(_) => SatStatus::Sat,
        SolverAnswer::Unsat => SatStatus::Unsat,
        SolverAnswer::Unknown(_) => return,
    };
    let script = smtlib::query_script(terms, formulas);
    // Nobody listens any more: then it stays open, which `finish` has noticed.
    let _ = sender.send(ForwardedQuery { ours, script });
}

fn ask_all_queries(
    queue: &Receiver<ForwardedQuery>,
    solver: SolverProcess,
    deadline: Instant,
) -> OpinionTally {
    let mut opinion = OpinionTally::default();
    let mut solver = Some(solver);
    let complain = |opinion: &mut OpinionTally, what: String| {
        opinion.complaint.get_or_insert(what);
    };
    for ForwardedQuery { ours, script } in queue {
        opinion.answers += 1;
        let script = match script {
            Ok(script) => script,
            Err(what) => {
                complain(&mut opinion, format!("SMT-LIB has no text for {what}"));
                continue;
            }
        };
        if Instant::now() >= deadline {
            complain(&mut opinion, "the time limit was reached".to_owned());
            continue;
        }
        let Some(other) = &mut solver else { continue };
        match other.ask_script(&script) {
            Ok(Some(theirs)) if theirs == ours => opinion.confirmed += 1,
            Ok(Some(theirs)) if opinion.disagreement.is_none() => {
                let number = opinion.answers;
                opinion.disagreement = Some(SolverDisagreement { number, ours, theirs, script });
            }
            Ok(_) => {}
            Err(what) => {
                complain(&mut opinion, what);
                // It may be in any state now.
                solver = solver.take().and_then(|old| old.restart_program().ok());
            }
        }
    }
    opinion
}

/// A process that answers one query after the other.
struct SolverProcess {
    program: &'static str,
    arguments: &'static [&'static str],
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl SolverProcess {
    fn start(
        program: &'static str,
        arguments: &'static [&'static str],
    ) -> io::Result<SolverProcess> {
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let input = child.stdin.take().expect("it is a pipe");
        let output = BufReader::new(child.stdout.take().expect("it is a pipe"));
        let (sender, lines) = channel();
        thread::Builder::new().name("lines of the other solver".to_owned()).spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        })?;
        Ok(SolverProcess { program, arguments, child, input, lines })
    }

    /// The same program from its beginning.
    fn restart_program(self) -> io::Result<SolverProcess> {
        let (program, arguments) = (self.program, self.arguments);
        drop(self);
        SolverProcess::start(program, arguments)
    }

    /// What it says, if it knows; `Err` with its complaint, after which it has to start anew.
    fn ask_script(&mut self, script: &str) -> Result<Option<SatStatus>, String> {
        let text = format!("{script}(check-sat)\n(echo \"{DONE}\")\n(reset)\n");
        if self.input.write_all(text.as_bytes()).and_then(|()| self.input.flush()).is_err() {
            return Err(format!("{} has ended", self.program));
        }
        let end = Instant::now() + LIMITS.second_query + LIMITS.second_patience;
        let mut said = None;
        let mut complaint = None;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let line = self.lines.recv_timeout(left).map_err(|error| match error {
                RecvTimeoutError::Timeout => format!("{} does not answer", self.program),
                RecvTimeoutError::Disconnected => format!("{} has ended", self.program),
            })?;
            match line.trim() {
                "sat" => said = Some(SatStatus::Sat),
                "unsat" => said = Some(SatStatus::Unsat),
                line if line.trim_matches('"') == DONE => break,
                line if line.starts_with("(error") => {
                    complaint.get_or_insert(line.to_owned());
                }
                _ => {}
            }
        }
        match complaint {
            Some(complaint) => Err(format!("{}: {complaint}", self.program)),
            None => Ok(said),
        }
    }
}

impl Drop for SolverProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
