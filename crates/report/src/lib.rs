//! Verdict and evidence, for people and for tools.
//!
//! Everything here turns a [`VerdictReport`] into text and does nothing else: no file is read or written,
//! no terminal is asked, no verdict is made. The caller brings the sources and knows whether there
//! are colours.
//!
//! | file | one idea |
//! | --- | --- |
//! | `text` | the report on the terminal; `text/system` about transition systems |
//! | `termcomp` | the same with TermComp's word before it |
//! | `excerpt` | lines of the user's source, with a mark under one |
//! | `style` | colours |
//! | `schema` | what the reports of all commands share; `docs/report.md` describes it |
//! | `check_report` | the answer of `ouro check` for tools, one object |
//! | `json` | from a report to that object |
//! | `liveness` | a specification that is violated |
//! | `process` | what is known about a process |
//! | `loops` | the loops of a program and what became of each |
//! | `closed`, `calls` | evidence about loop heads and about recursive calls, in the user's words |
//! | `system` | evidence about transition systems, in the user's words |
//! | `infix` | terms as people write them |
//! | `finding` | what is known about each loop, as plain data for all other formats |
//! | `sarif`, `junit`, `html` | findings for code hosts, for continuous integration, for a browser |
//! | `witness` | the answer as a witness of SV-COMP |
//! | `markup` | text inside XML and HTML |
//! | `undefined` | undefined behaviour that a proof takes to end a run |
//! | `ctype` | C types of inputs, and values in them |
//! | `reproducer` | a C file that makes the program hang |
//! | `graph` | pictures of endless runs |
//! | `limits` | how far everything goes, in one place |

mod calls;
pub mod check_report;
mod closed;
mod ctype;
mod excerpt;
pub mod finding;
pub mod graph;
pub mod html;
pub mod infix;
mod json;
pub mod junit;
mod limits;
mod liveness;
pub mod loops;
mod markup;
mod process;
pub mod reproducer;
pub mod sarif;
pub mod schema;
mod style;
mod system;
mod termcomp;
mod text;
pub mod undefined;
pub mod witness;

use std::collections::BTreeMap;
use std::time::Duration;

pub use check_report::CheckReport;
pub use finding::{FindingCollection, ReportFinding, ScanReport, findings_of_report};
pub use html::html_pages;
pub use json::check_report;
pub use junit::junit_xml;
pub use loops::{LoopFate, LoopReport};
use ouro_evidence::{
    ClosedSet, Evidence, Explanation, IntegerSemantics, RunAfterOverflow, SourcePlace,
    StateRecurrence, Verdict, WraparoundBehaviour,
};
use ouro_model::Program;
use ouro_model::transition::TransitionSystem;
pub use process::process_text;
pub use reproducer::reproducer_source;
pub use sarif::sarif_log;
pub use schema::{
    AttachReport, ReportCommand, ReportVerdict, SCHEMA_VERSION, TOOL_VERSION, VerifyReport, json,
};
pub use style::TextStyle;
use system::{EndlessRun, RankingText, endless_run, ranking_texts_of_system};
pub use termcomp::termcomp_answer;
pub use text::report_text;

/// The texts of source files, by the names that places use. A missing one is shown by name only.
pub type SourceTexts = BTreeMap<String, String>;

/// Everything there is to say about one question.
#[derive(Clone, Copy, Debug)]
pub struct VerdictReport<'a> {
    /// The answer; if definite, the checker has accepted its evidence.
    pub verdict: &'a Verdict,
    /// Further violations of the specification, each from another call site; the checker has accepted
    /// their evidence, too.
    pub others: &'a [Verdict],
    /// How the engine explains it.
    pub explanation: &'a Explanation,
    /// The engine that found the answer.
    pub engine: Option<&'a str>,
    /// How long it took.
    pub elapsed: Duration,
    /// What was asked about.
    pub about: ReportSubject<'a>,
    /// The loops of the program, if that is what was asked about.
    pub loops: &'a [LoopReport],
    /// The texts of the source files.
    pub sources: &'a SourceTexts,
}

/// What was asked about.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "the comment of each variant speaks of its fields")]
pub enum ReportSubject<'a> {
    /// A program: the function where it starts and what an integer is. If it was compiled, it knows
    /// which inputs are floats.
    Program { function: &'a str, ints: IntegerSemantics, program: Option<&'a Program> },
    /// A transition system and the name of its file, if it was read so far.
    System(Option<(&'a TransitionSystem, &'a str)>),
}

impl<'a> VerdictReport<'a> {
    /// The program, if that is what was asked about.
    fn program(&self) -> Option<&'a Program> {
        match self.about {
            ReportSubject::Program { program, .. } => program,
            ReportSubject::System(_) => None,
        }
    }

    /// What the user asked about, in words.
    fn subject_name(&self) -> &'a str {
        match self.about {
            ReportSubject::Program { function, .. } => function,
            ReportSubject::System(_) => "the system",
        }
    }

    /// The recurrence, if that is the evidence.
    fn recurrence(&self) -> Option<&'a StateRecurrence> {
        match self.verdict.evidence() {
            Some(Evidence::Recurs(recurrence)) => Some(recurrence),
            _ => None,
        }
    }

    /// The set of states, if the evidence is that a program never leaves it.
    fn closed_set(&self) -> Option<&'a ClosedSet> {
        match self.verdict.evidence() {
            Some(Evidence::Closed(set)) => Some(set),
            _ => None,
        }
    }

    /// The endless run, if the evidence is a recurrent set of a transition system.
    fn endless_run(&self) -> Option<EndlessRun> {
        match (self.verdict.evidence(), self.about) {
            (Some(Evidence::Recurrent(set)), ReportSubject::System(Some((system, file)))) => {
                Some(endless_run(system, file, set))
            }
            _ => None,
        }
    }

    /// The rankings, if that is the evidence.
    fn ranking_texts(&self) -> Option<Vec<RankingText>> {
        match (self.verdict.evidence(), self.about) {
            (Some(Evidence::Ranked(ranking)), ReportSubject::System(Some((system, _)))) => {
                Some(ranking_texts_of_system(system, ranking))
            }
            (Some(Evidence::RankedProgram(ranking)), _) => Some(closed::rankings_at_heads(ranking)),
            (Some(Evidence::Partwise(proof)), _) => {
                let parts = proof.parts.iter();
                Some(parts.flat_map(|part| closed::rankings_at_heads(&part.ranking)).collect())
            }
            _ => None,
        }
    }

    /// The overflow after which the run goes on, if it does so only then.
    fn after_overflow(&self) -> Option<&'a RunAfterOverflow> {
        match &self.explanation.wrapping {
            Some(WraparoundBehaviour::Loops(overflow)) => Some(overflow),
            _ => None,
        }
    }

    /// The place that the answer is about.
    fn answer_place(&self) -> Option<SourcePlace> {
        let place = match self.verdict {
            Verdict::Unknown(reason) => reason.place().cloned(),
            _ => match (self.recurrence(), self.closed_set()) {
                (Some(recurrence), _) => Some(recurrence.place.clone()),
                (None, Some(set)) => set.heads.first().map(|head| head.place.clone()),
                (None, None) => match self.verdict.evidence() {
                    Some(Evidence::Violation(violation)) => {
                        let last = self.explanation.last.clone();
                        Some(last.unwrap_or_else(|| violation.place.clone()))
                    }
                    _ => self.endless_run().map(|run| run.place),
                },
            },
        };
        place.filter(SourcePlace::is_known)
    }

    /// All that had to be assumed, one sentence each without a full stop.
    fn assumptions(&self) -> Vec<String> {
        let mut all = self.assumed_of_the_world();
        all.extend(undefined::undefined_assumptions(&self.explanation.undefined, self.program()));
        all
    }

    /// What had to be assumed besides that runs do nothing undefined: of integers, by the front end, by the engine. It is
    /// merged here and nowhere else.
    fn assumed_of_the_world(&self) -> Vec<String> {
        let mut all: Vec<String> = match self.about {
            ReportSubject::System(_) | ReportSubject::Program { ints: IntegerSemantics::C, .. } => {
                Vec::new()
            }
            ReportSubject::Program { .. } if self.after_overflow().is_some() => vec![
                "signed integers wrap around, as with gcc -fwrapv; in C the overflow is undefined \
                 behaviour (use --ints c to check by the rules of C only)"
                    .to_owned(),
            ],
            ReportSubject::Program { ints: IntegerSemantics::Wrap, .. } => {
                vec!["all integers wrap around, signed ones too (--ints wrap)".to_owned()]
            }
            ReportSubject::Program { ints: IntegerSemantics::Unbounded, .. } => {
                vec!["integers have no bounds (--ints unbounded)".to_owned()]
            }
        };
        if let Some(Evidence::Partwise(_)) = self.verdict.evidence() {
            all.push(PARTS_ALONE.to_owned());
        }
        let of_program = self.program().map_or(&[][..], |program| &program.assumptions);
        for assumption in of_program.iter().chain(&self.explanation.assumptions) {
            if !all.contains(assumption) {
                all.push(assumption.clone());
            }
        }
        all
    }
}

/// What a proof by parts does not look at.
const PARTS_ALONE: &str = "no run does anything undefined: the proof looks at each loop on its own, and names only what \
    signed integers do there";

#[cfg(test)]
mod tests;
