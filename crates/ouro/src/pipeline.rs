//! The stages between a file and a verdict: compiling or parsing it, and asking the portfolio.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use ouro_c::{DoubtedCall, LostLoop};
use ouro_evidence::{
    Allocations, Claim, DataModel, Externs, InputExtent, IntegerSemantics, ProgramIdentity,
    SourceFile, SourcePlace, Verdict,
};
use ouro_model::transition::TransitionSystem;
use ouro_model::{MissingSymbol, Program};
use ouro_portfolio::schedule::{SYSTEM_SCHEDULE, program_schedule};
use ouro_portfolio::{
    CpuBudget, EngineName, Portfolio, PortfolioAnswer, PortfolioObserver, ProofSubject,
};

use crate::exit::BadInput;
use crate::options::ProgramOptions;
use crate::questions::AskedQuestion;

/// Which program, and what its text means.
#[derive(Clone, Debug)]
pub(crate) struct AskedProgram {
    pub(crate) files: Vec<PathBuf>,
    pub(crate) function: String,
    pub(crate) data_model: DataModel,
    pub(crate) ints: IntegerSemantics,
    pub(crate) externs: Externs,
    /// If the user did not say it, the program does.
    pub(crate) allocations: Option<Allocations>,
    pub(crate) input: InputExtent,
    pub(crate) clang: Vec<String>,
    /// What is asked about it.
    pub(crate) question: AskedQuestion,
    /// Whether functions without a body may change what they are handed.
    pub(crate) doubts: bool,
}

impl From<&ProgramOptions> for AskedProgram {
    fn from(arguments: &ProgramOptions) -> AskedProgram {
        AskedProgram {
            files: arguments.files.clone(),
            function: arguments.function.clone(),
            data_model: choose_data_model(arguments.data_model, &arguments.clang),
            ints: choose_integer_semantics(arguments.ints, &arguments.clang),
            externs: arguments.externs,
            allocations: arguments.allocations,
            input: InputExtent::default(),
            clang: arguments.clang.clone(),
            question: AskedQuestion::default(),
            doubts: false,
        }
    }
}

/// The sizes of C's types: what the user said, else what the options for clang say. Options that cannot be followed are
/// refused when something is compiled with them.
pub(crate) fn choose_data_model(said: Option<DataModel>, clang: &[String]) -> DataModel {
    let of_options = || ouro_c::target::requested_target(clang).ok()?.data_model;
    said.or_else(of_options).unwrap_or_default()
}

/// The meaning of integers: `-fwrapv` makes them wrap.
pub(crate) fn choose_integer_semantics(
    said: Option<IntegerSemantics>,
    clang: &[String],
) -> IntegerSemantics {
    let wraps = ouro_c::target::requested_target(clang).is_ok_and(|asked| asked.wraps);
    said.unwrap_or(if wraps { IntegerSemantics::Wrap } else { IntegerSemantics::C })
}

impl From<&ProgramIdentity> for AskedProgram {
    fn from(identity: &ProgramIdentity) -> AskedProgram {
        AskedProgram {
            files: identity.files.iter().map(|file| PathBuf::from(&file.path)).collect(),
            function: identity.function.clone(),
            data_model: identity.data_model,
            ints: identity.ints,
            externs: identity.externs,
            allocations: Some(identity.allocations),
            input: identity.input,
            clang: identity.clang_args.clone(),
            question: AskedQuestion::default(),
            doubts: false,
        }
    }
}

impl AskedProgram {
    /// Its identity for a certificate, once it has been compiled.
    pub(crate) fn identity(
        &self,
        files: Vec<SourceFile>,
        compiled: &CompiledSubject,
    ) -> ProgramIdentity {
        ProgramIdentity {
            files,
            function: self.function.clone(),
            data_model: self.data_model,
            ints: self.ints,
            externs: self.externs,
            allocations: compiled.allocations,
            input: self.input,
            clang_args: self.clang.clone(),
            specification: self.question.identity.clone(),
        }
    }
}

/// What may be used.
#[derive(Clone, Debug)]
pub(crate) struct EngineBudget {
    /// When engines and checker have to be done, by the clock of the thread that they run on.
    pub(crate) deadline: Instant,
    /// When everything has to be over, on the wall.
    pub(crate) wall: Instant,
    /// The limit that the user gave, for the reason.
    pub(crate) limit: Duration,
    pub(crate) memory_mib: u64,
}

impl EngineBudget {
    /// What is left of it for engines and checker.
    pub(crate) fn cpu(&self) -> CpuBudget {
        CpuBudget::until(self.deadline, self.limit, self.memory_mib)
    }
}

/// Why there is no program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum CompileFailure {
    /// The user has to mend something.
    BadInput(BadInput),
    /// There was not enough time for clang.
    TooSlow(BadInput),
    /// A mistake in Ouro.
    Mistake(String),
}

impl From<ouro_c::CompileError> for CompileFailure {
    fn from(error: ouro_c::CompileError) -> CompileFailure {
        match error {
            ouro_c::CompileError::Internal(what) => CompileFailure::Mistake(what),
            error @ ouro_c::CompileError::TooSlow(_) => {
                CompileFailure::TooSlow(BadInput(error.to_string()))
            }
            error => CompileFailure::BadInput(BadInput(error.to_string())),
        }
    }
}

/// A compiled program.
#[derive(Clone, Debug)]
pub(crate) struct CompiledSubject {
    pub(crate) program: Program,
    /// Whether allocations may fail in it.
    pub(crate) allocations: Allocations,
    /// What a linker would miss, if that was asked for.
    pub(crate) missing: Vec<MissingSymbol>,
    /// What the program assumes about functions whose code is not here.
    pub(crate) elsewhere: Vec<String>,
    /// Whether it hands memory or functions to some of these: with doubts it is another program then.
    pub(crate) hands_over: bool,
    /// Calls of such functions that may change memory, with doubts.
    pub(crate) doubted: Vec<DoubtedCall>,
    /// Whether it may read files or streams.
    pub(crate) reads_input: bool,
}

/// Whether a claim must hold whatever functions without a body do with what they are handed. That a program ends may rest
/// on an assumption, which is named; that it does not, never.
pub(crate) fn doubts_externals(claim: Claim) -> bool {
    matches!(claim, Claim::Loops | Claim::Violated)
}

/// From C to the model.
pub(crate) fn compile_subject(
    subject: &AskedProgram,
    deadline: Instant,
) -> Result<Program, CompileFailure> {
    compile_for_linking(subject, deadline, false).map(|compiled| compiled.program)
}

/// From C to the model, and on request what a linker would miss.
pub(crate) fn compile_for_linking(
    subject: &AskedProgram,
    deadline: Instant,
    missing: bool,
) -> Result<CompiledSubject, CompileFailure> {
    let wraps = ouro_c::target::requested_target(&subject.clang).is_ok_and(|asked| asked.wraps);
    if wraps && subject.ints != IntegerSemantics::Wrap {
        return Err(CompileFailure::BadInput(BadInput(format!(
            "-fwrapv contradicts --ints {}; leave one of them out",
            subject.ints
        ))));
    }
    let options = ouro_c::CompileOptions {
        data_model: subject.data_model,
        function: Some(subject.function.clone()),
        unit: false,
        clang_args: subject.clang.clone(),
        externs: subject.externs,
        allocations: subject.allocations,
        doubts: subject.doubts,
        input: subject.input,
        missing,
        monitor: subject.question.monitor.clone(),
        deadline: Some(deadline),
    };
    match ouro_c::compile_program(&subject.files, &options) {
        Ok(compiled) => Ok(CompiledSubject {
            program: compiled.program,
            allocations: compiled.allocations,
            missing: compiled.missing,
            elsewhere: compiled.elsewhere,
            hands_over: compiled.hands_over,
            doubted: compiled.doubted,
            reads_input: compiled.reads_input,
        }),
        Err(error) => Err(error.into()),
    }
}

/// From one file of a project to the model of all its functions, and the loops that are missing there.
pub(crate) fn compile_unit(
    file: &PathBuf,
    clang_args: Vec<String>,
    data_model: DataModel,
    deadline: Instant,
) -> Result<(Program, Vec<LostLoop>), CompileFailure> {
    let options = ouro_c::CompileOptions {
        data_model,
        unit: true,
        clang_args,
        deadline: Some(deadline),
        ..ouro_c::CompileOptions::default()
    };
    match ouro_c::compile_program(std::slice::from_ref(file), &options) {
        Ok(compiled) => Ok((compiled.program, compiled.lost_loops)),
        Err(error) => Err(error.into()),
    }
}

/// From a text to the transition system that it is.
pub(crate) fn parse_system_text(path: &Path, text: &str) -> Result<TransitionSystem, BadInput> {
    ouro_formats::parse_transition_system(path, text).map_err(|error| BadInput(error.to_string()))
}

/// Asks the engines about a program. None named means all.
pub(crate) fn prove_program(
    program: &Program,
    ints: IntegerSemantics,
    engines: &[EngineName],
    threads: bool,
    budget: &EngineBudget,
    observer: &mut PortfolioObserver<'_>,
) -> PortfolioAnswer {
    let subject = ProofSubject::Program(program);
    let portfolio = Portfolio { subject, ints, engines, threads, names_undefined: true };
    portfolio.run_schedule(program_schedule(program, ints), budget.cpu(), observer)
}

/// Asks the engines about a transition system. None named means all.
pub(crate) fn prove_system(
    system: &TransitionSystem,
    engines: &[EngineName],
    budget: &EngineBudget,
    observer: &mut PortfolioObserver<'_>,
) -> PortfolioAnswer {
    let subject = ProofSubject::System(system);
    let ints = IntegerSemantics::Unbounded;
    let portfolio = Portfolio { subject, ints, engines, threads: true, names_undefined: true };
    portfolio.run_schedule(SYSTEM_SCHEDULE, budget.cpu(), observer)
}

/// Explores a program for violations that do not begin at these call sites.
pub(crate) fn explore_other_call_sites(
    program: &Program,
    ints: IntegerSemantics,
    known: &[SourcePlace],
    budget: &EngineBudget,
) -> Verdict {
    let settings = ouro_engine::EngineSettings {
        ints,
        deadline: budget.deadline,
        time: budget.limit,
        memory_mib: budget.memory_mib,
    };
    ouro_engine::explore_other_sites(program, &settings, known).verdict
}
