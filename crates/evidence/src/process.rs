//! What is known about a process, and why: the answer, and what was seen on the way. The proof inside it is a
//! [`ProcessCertificate`].

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

mod certificate;

pub use certificate::{
    CellLocation, IdealisedMemory, IterationRecipe, PROCESS_CERTIFICATE_VERSION, ProcessCell,
    ProcessCertificate,
};

/// An address as people know it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CodePlace {
    /// The address.
    pub address: u64,
    /// The file of the code.
    pub module: Option<String>,
    /// The function, and how far into it.
    pub function: Option<(String, u64)>,
    /// The source file and line.
    pub line: Option<(String, u32)>,
}

impl fmt::Display for CodePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.function {
            Some((name, 0)) => write!(f, "{name}")?,
            Some((name, offset)) => write!(f, "{name}+{offset:#x}")?,
            None => write!(f, "{:#x}", self.address)?,
        }
        if let Some((file, line)) = &self.line {
            write!(f, " ({file}:{line})")?;
        } else if let Some(module) = &self.module {
            write!(f, " in {}", module.rsplit('/').next().unwrap_or(module))?;
        }
        Ok(())
    }
}

/// A place in a script.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ScriptPlace {
    /// The language.
    pub language: String,
    /// The file, or what the interpreter calls it.
    pub file: String,
    /// The line.
    pub line: u32,
    /// The function.
    pub function: String,
}

impl fmt::Display for ScriptPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)?;
        if !self.function.is_empty() {
            write!(f, " in {}", self.function)?;
        }
        write!(f, " ({})", self.language)
    }
}

/// Something that could interfere with a loop, and whether it does.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LoopPremise {
    /// What has to be so.
    pub what: String,
    /// Whether it is; `None` if it cannot be seen.
    pub holds: Option<bool>,
    /// What was found.
    pub found: String,
}

/// A way out of the loop that is never taken.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LoopExit {
    /// Where it is.
    pub place: CodePlace,
    /// The branch, and what it depends on.
    pub text: String,
}

/// A variable that decides, and its value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct HeadValue {
    /// A register or an address with its symbol.
    pub name: String,
    /// Its value at the head.
    pub value: u64,
}

/// Why it loops forever.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ProcessProof {
    /// How the proof goes: `recurrence`, `projection` or `closed set`.
    pub method: String,
    /// Where the loop begins again.
    pub head: CodePlace,
    /// Instructions of an iteration.
    pub length: u64,
    /// Functions and lines of the loop.
    pub lines: Vec<String>,
    /// Ways out that are never taken.
    pub exits: Vec<LoopExit>,
    /// What changes each time without letting it out.
    pub changing: Vec<HeadValue>,
    /// Invariants, as formulas.
    pub invariants: Vec<String>,
    /// Bytes of stack that an iteration needs anew.
    pub stack: u64,
    /// Bytes of heap that an iteration needs anew.
    pub heap: u64,
    /// The proof itself.
    pub certificate: ProcessCertificate,
}

/// The answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProcessAnswer {
    /// It never comes out, and why.
    LoopsForever(Box<ProcessProof>),
    /// It comes out only if a signal arrives whose handler lets it out, and why.
    LoopsUntil {
        /// The signals, by their names.
        signals: Vec<String>,
        /// What is known of their handlers.
        handlers: Vec<String>,
        /// Why it does not come out by itself.
        proof: Box<ProcessProof>,
    },
    /// Nobody knows, and what blocked the proof.
    Unknown {
        /// The reason.
        reason: String,
    },
    /// Running ahead shows that it leaves the loop.
    WillLeave {
        /// After so many instructions.
        instructions: u64,
        /// Where it is then.
        place: CodePlace,
        /// What it does there.
        what: String,
    },
    /// It is blocked in a system call.
    Waits {
        /// The call.
        call: String,
    },
    /// It makes system calls: the outside decides.
    TalksToTheOutside {
        /// The next call.
        call: String,
        /// After so many instructions.
        instructions: u64,
        /// Where.
        place: CodePlace,
    },
}

impl ProcessAnswer {
    /// The answer in a few words.
    pub fn word(&self) -> String {
        match self {
            ProcessAnswer::LoopsForever(_) => "loops forever".to_owned(),
            ProcessAnswer::LoopsUntil { signals, .. } => loops_until_text(signals),
            ProcessAnswer::Unknown { .. } => "unknown".to_owned(),
            ProcessAnswer::WillLeave { .. } => "will leave the loop".to_owned(),
            ProcessAnswer::Waits { .. } => "waits".to_owned(),
            ProcessAnswer::TalksToTheOutside { .. } => "talks to the outside".to_owned(),
        }
    }

    /// The proof that it does not come out by itself, if there is one.
    pub fn proof(&self) -> Option<&ProcessProof> {
        match self {
            ProcessAnswer::LoopsForever(proof) | ProcessAnswer::LoopsUntil { proof, .. } => {
                Some(proof)
            }
            _ => None,
        }
    }
}

/// So many signals are named in one breath.
const SIGNALS: usize = 4;

/// The answer about a loop that these signals may end.
pub fn loops_until_text(signals: &[String]) -> String {
    match signals {
        [] => "loops forever".to_owned(),
        [one] => format!("loops until {one} arrives"),
        [some @ .., last] if some.len() < SIGNALS => {
            format!("loops until {} or {last} arrives", some.join(", "))
        }
        many => format!("loops until a signal arrives ({} have a handler)", many.len()),
    }
}

/// The answer and what was seen on the way.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ProcessAnalysis {
    /// The answer.
    pub answer: ProcessAnswer,
    /// The process.
    pub pid: i32,
    /// Its program.
    pub program: String,
    /// The thread that the answer is about.
    pub thread: i32,
    /// Where it was, innermost first.
    pub stack: Vec<CodePlace>,
    /// Where the script of an interpreter was, innermost first.
    pub script: Vec<ScriptPlace>,
    /// What could interfere.
    pub premises: Vec<LoopPremise>,
    /// How long the process stood still.
    #[serde(rename = "stopped_seconds", with = "seconds")]
    pub stopped: Duration,
    /// How many instructions were executed in its stead.
    pub instructions: u64,
    /// How long it took.
    #[serde(skip)]
    pub elapsed: Duration,
}

/// Durations as seconds, in JSON.
mod seconds {
    use std::time::Duration;

    use serde::{Deserialize as _, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(time: &Duration, to: S) -> Result<S::Ok, S::Error> {
        // So few digits are the same after they were written and read.
        to.serialize_f64((time.as_secs_f64() * 1e6).round() / 1e6)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
        let seconds = f64::deserialize(from)?;
        Duration::try_from_secs_f64(seconds).map_err(serde::de::Error::custom)
    }
}
