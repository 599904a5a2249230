//! The certificate of a single loop: which loop it is, how it was made a program of its own, and the evidence.
//!
//! `ouro verify` makes that program again and asks the checker. So nothing is believed that the certificate says
//! about the program, and what was assumed comes from the same place as in the scan; a certificate that names other
//! assumptions is refused. `docs/certificate.md` describes the file for others.

use std::path::{Path, PathBuf};
use std::time::Instant;

use ouro_evidence::{DataModel, Evidence, SourceFile, SourcePlace, UndefinedBehaviour};
use ouro_isolate::{
    CodeScope, IsolatedLoop, IsolatedProgram, IsolationOptions, MemoryTrust, ProgramEffects,
    isolate_loop,
};
use ouro_model::flow::FunctionFlow;
use ouro_model::{FunctionId, Program};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::integers::{self, MissingSentences};
use crate::exit::BadInput;
use crate::pipeline::{self, CompileFailure};
use crate::sources::{self, SubjectKind};

/// The version of the format.
const VERSION: u32 = 1;

/// A certificate of a single loop.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LoopCertificate {
    /// The version of the format.
    pub(crate) ouro_loop_certificate: u32,
    /// The version of Ouro that wrote it, for people.
    pub(crate) ouro: String,
    pub(crate) file: SourceFile,
    pub(crate) data_model: DataModel,
    /// Further options that clang got.
    pub(crate) clang_args: Vec<String>,
    pub(crate) function: String,
    /// Where the head is, for people; it has to be right.
    pub(crate) line: u32,
    /// Which of the function's loops it is.
    pub(crate) number: usize,
    pub(crate) proof: LoopTerminationProof,
}

/// How a loop was made a program, and why that ends.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LoopTerminationProof {
    /// Whether the loops inside were cut.
    pub(crate) cuts: bool,
    /// What was assumed at most.
    pub(crate) trust: WrittenTrust,
    /// What of the loop was looked at.
    pub(crate) part: IsolatedPart,
    /// What was assumed, one sentence each.
    pub(crate) assumed: Vec<String>,
    /// What could be assumed by that and was not, because it is not needed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) without: Vec<String>,
    /// What is assumed of signed integers, one sentence each; more may be named than is needed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) integers: Vec<String>,
    pub(crate) evidence: Evidence,
}

impl LoopTerminationProof {
    /// All that it rests on, one sentence each.
    pub(crate) fn rests_on(&self) -> impl Iterator<Item = &String> {
        self.assumed.iter().chain(&self.integers)
    }
}

/// What of a loop is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum IsolatedPart {
    Full,
    Slim,
    /// One reason to end.
    Sight(usize),
}

/// [`MemoryTrust`], as it is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum WrittenTrust {
    Nothing,
    Writes,
    Calls,
    Handed,
    Ends,
}

impl WrittenTrust {
    /// From the least to the most.
    pub(crate) const ALL: [WrittenTrust; 5] = [
        WrittenTrust::Nothing,
        WrittenTrust::Writes,
        WrittenTrust::Calls,
        WrittenTrust::Handed,
        WrittenTrust::Ends,
    ];

    pub(crate) fn memory_trust(self) -> MemoryTrust {
        match self {
            WrittenTrust::Nothing => MemoryTrust::Nothing,
            WrittenTrust::Writes => MemoryTrust::Writes,
            WrittenTrust::Calls => MemoryTrust::Calls,
            WrittenTrust::Handed => MemoryTrust::Handed,
            WrittenTrust::Ends => MemoryTrust::Ends,
        }
    }
}

impl IsolatedPart {
    /// The part of a loop on its own, if there is one.
    fn select_program(self, made: IsolatedLoop) -> Option<IsolatedProgram> {
        match self {
            IsolatedPart::Full => Some(made.full),
            IsolatedPart::Slim => Some(made.slim),
            IsolatedPart::Sight(number) => made.sights.into_iter().nth(number),
        }
    }
}

impl LoopCertificate {
    /// As it is written. The evidence names the file as the scan did, and the certificate as the user does.
    pub(crate) fn text(mut self, scanned: &str) -> Option<String> {
        rename_file(&mut self.proof.evidence, scanned, &self.file.path)?;
        Some(serde_json::to_string_pretty(&self).ok()? + "\n")
    }

    /// The certificate in a text; `None` if it is one of another kind.
    pub(crate) fn parse(path: &Path, text: &str) -> Result<Option<LoopCertificate>, BadInput> {
        let found: Option<Value> = serde_json::from_str(text).ok();
        let Some(version) = found.as_ref().and_then(|found| found.get("ouro_loop_certificate"))
        else {
            return Ok(None);
        };
        let refuse = |what: String| BadInput(format!("{}: {what}", path.display()));
        if version.as_u64() != Some(u64::from(VERSION)) {
            return Err(refuse(format!(
                "it is a certificate of version {version}; this Ouro reads version {VERSION}"
            )));
        }
        let parsed = serde_json::from_str(text);
        parsed.map(Some).map_err(|error| refuse(format!("invalid certificate of a loop: {error}")))
    }

    /// Asks the checker again. The paths of files are relative to the current folder.
    pub(crate) fn check_again(
        &self,
        path: &Path,
        deadline: Instant,
    ) -> Result<LoopJudgement, BadInput> {
        let refuse = |what: String| BadInput(format!("{}: {what}", path.display()));
        let file = PathBuf::from(&self.file.path);
        let sources = sources::read_input_files(SubjectKind::Program, std::slice::from_ref(&file))?;
        if sources.iter().any(|source| source.identity().sha256 != self.file.sha256) {
            return Err(refuse(format!(
                "it is about another version of {}: the file has changed since it was written",
                self.file.path
            )));
        }
        let compiled =
            pipeline::compile_unit(&file, self.clang_args.clone(), self.data_model, deadline);
        let program = match compiled {
            Ok((program, _)) => program,
            Err(CompileFailure::BadInput(bad)) => return Err(bad),
            Err(CompileFailure::TooSlow(_)) => return Ok(LoopJudgement::Undecided),
            Err(CompileFailure::Mistake(what)) => return Ok(LoopJudgement::Failed(what)),
        };
        if let Some(line) = self.head_line(&program).filter(|line| *line != self.line) {
            return Ok(LoopJudgement::Rejected(format!(
                "it says that the loop is on line {}, but the loop is on line {line}",
                self.line
            )));
        }
        let made = self.isolated_program(&program).ok_or_else(|| {
            refuse(format!("{} has no such loop in {}", self.file.path, self.function))
        })?;
        if made.assumed != self.proof.assumed {
            let why = "the proof needs other assumptions than the certificate lists";
            return Ok(LoopJudgement::Rejected(why.to_owned()));
        }
        let evidence = &self.proof.evidence;
        let judged = ouro_check::check_isolated_loop(&made.program, evidence, true, deadline);
        match judged {
            Ok(undefined) => Ok(self.judge_integers(&program, &made, &undefined)),
            Err(rejection) if rejection.out_of_time => Ok(LoopJudgement::Undecided),
            Err(rejection) => Ok(LoopJudgement::Rejected(rejection.to_string())),
        }
    }

    /// Whether all is named that the proof takes for granted of signed integers.
    fn judge_integers(
        &self,
        program: &Program,
        made: &IsolatedProgram,
        undefined: &[UndefinedBehaviour],
    ) -> LoopJudgement {
        let Some(function) = self.find_function(program) else { return LoopJudgement::Undecided };
        let code = &program.functions[function];
        let rests = integers::reliance_on_integers(code, &made.program, undefined);
        match rests.lacks_sentences(&self.proof.integers) {
            None => LoopJudgement::Accepted,
            Some(MissingSentences::Undecided) => LoopJudgement::Undecided,
            Some(MissingSentences::Needed) => LoopJudgement::Rejected(
                "the proof needs other assumptions than the certificate lists".to_owned(),
            ),
        }
    }

    fn find_function(&self, program: &Program) -> Option<FunctionId> {
        let mut all = program.functions.enumerate();
        all.find(|(_, function)| function.user && function.name == self.function).map(|(id, _)| id)
    }

    /// The line of the loop's head in the program, if there is such a loop.
    fn head_line(&self, program: &Program) -> Option<u32> {
        let flow = FunctionFlow::of_function(&program.functions[self.find_function(program)?]);
        flow.loops().get(self.number).map(|found| found.span.line)
    }

    /// The loop as a program of its own.
    fn isolated_program(&self, program: &Program) -> Option<IsolatedProgram> {
        let function = self.find_function(program)?;
        let flow = FunctionFlow::of_function(&program.functions[function]);
        let found = flow.loops().get(self.number)?;
        let LoopTerminationProof { cuts, trust, without, .. } = &self.proof;
        let how =
            IsolationOptions { cuts: *cuts, wide: false, trust: trust.memory_trust(), without };
        let made = isolate_loop(
            program,
            &ProgramEffects::of_program(program, CodeScope::Project),
            function,
            &flow,
            found,
            how,
        )?;
        self.proof.part.select_program(made)
    }

    /// What the loop's own proof rests on.
    pub(crate) fn own_assumptions(&self) -> Vec<String> {
        let inside = self.proof.cuts.then(|| "the loops inside it terminate".to_owned());
        inside.into_iter().chain(self.proof.rests_on().cloned()).collect()
    }
}

/// Gives a file another name in evidence that a loop ends; `None` for other evidence.
fn rename_file(evidence: &mut Evidence, from: &str, to: &str) -> Option<()> {
    let places: Vec<&mut SourcePlace> = match evidence {
        Evidence::RankedProgram(ranking) => {
            ranking.heads.iter_mut().map(|head| &mut head.place).collect()
        }
        Evidence::Exhausted(exhaustion) => {
            exhaustion.undefined.iter_mut().map(|(place, _)| place).collect()
        }
        _ => return None,
    };
    for place in places.into_iter().filter(|place| place.file == from) {
        to.clone_into(&mut place.file);
    }
    Some(())
}

/// What the checker said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum LoopJudgement {
    Accepted,
    /// It does not hold; why.
    Rejected(String),
    Undecided,
    /// Ouro itself failed.
    Failed(String),
}

/// A new certificate of a loop.
pub(super) fn new_loop_certificate(
    file: SourceFile,
    data_model: DataModel,
    clang_args: Vec<String>,
    (function, line, number): (&str, u32, usize),
    proof: LoopTerminationProof,
) -> LoopCertificate {
    LoopCertificate {
        ouro_loop_certificate: VERSION,
        ouro: env!("CARGO_PKG_VERSION").to_owned(),
        file,
        data_model,
        clang_args,
        function: function.to_owned(),
        line,
        number,
        proof,
    }
}
