//! What can be answered.

use std::fmt;
use std::time::Duration;

use serde::Serialize;

use crate::certificate::ProcessCertificate;
use crate::script::ScriptPlace;

/// An address as people know it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
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

/// Something that could interfere with a loop, and whether it does.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LoopPremise {
    /// What has to be so.
    pub what: String,
    /// Whether it is; `None` if it cannot be seen.
    pub holds: Option<bool>,
    /// What was found.
    pub found: String,
}

/// A way out of the loop that is never taken.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LoopExit {
    /// Where it is.
    pub place: CodePlace,
    /// The branch, and what it depends on.
    pub text: String,
}

/// A variable that decides, and its value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct HeadValue {
    /// A register or an address with its symbol.
    pub name: String,
    /// Its value at the head.
    pub value: u64,
}

/// Why it loops forever.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
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
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
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
    NotProven {
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
            ProcessAnswer::NotProven { .. } => "not proven".to_owned(),
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
pub(crate) fn loops_until_text(signals: &[String]) -> String {
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
#[derive(Clone, PartialEq, Debug, Serialize)]
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
    pub stopped: Duration,
    /// How many instructions were executed in its stead.
    pub instructions: u64,
    /// How long it took.
    pub elapsed: Duration,
}
