//! The way from a file to a checked verdict. Only this file knows the rooms by name.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use ouro_engine::Argument;
use ouro_engine::ranking::Effort;
use ouro_engine::recurrent::Method;
use ouro_engine::transition::Answer;
use ouro_evidence::{
    Allocations, Claim, DataModel, Evidence, Explanation, Externs, Ints, Place, ProgramIdentity,
    Question, Reason, SourceFile, Undefined, Verdict,
};
use ouro_model::transition::TransitionSystem;
use ouro_model::{Missing, Program};
use ouro_solver::clock;

use crate::arguments::{Engine, ProgramArguments};
use crate::exit::BadInput;
use crate::questions::Demand;
use crate::verbose;

/// Which program, and what its text means.
#[derive(Clone, Debug)]
pub(crate) struct Subject {
    pub(crate) files: Vec<PathBuf>,
    pub(crate) function: String,
    pub(crate) data_model: DataModel,
    pub(crate) ints: Ints,
    pub(crate) externs: Externs,
    /// If the user did not say it, the program does.
    pub(crate) allocations: Option<Allocations>,
    pub(crate) clang: Vec<String>,
    /// What is asked about it.
    pub(crate) question: Demand,
    /// Whether functions without a body may change what they are handed.
    pub(crate) doubts: bool,
}

impl From<&ProgramArguments> for Subject {
    fn from(arguments: &ProgramArguments) -> Subject {
        Subject {
            files: arguments.files.clone(),
            function: arguments.function.clone(),
            data_model: data_model(arguments.data_model, &arguments.clang),
            ints: integers(arguments.ints, &arguments.clang),
            externs: arguments.externs,
            allocations: arguments.allocations,
            clang: arguments.clang.clone(),
            question: Demand::default(),
            doubts: false,
        }
    }
}

/// The sizes of C's types: what the user said, else what the options for clang say. Options that cannot be followed are
/// refused when something is compiled with them.
pub(crate) fn data_model(said: Option<DataModel>, clang: &[String]) -> DataModel {
    let of_options = || match ouro_c::target::asked(clang).ok()?.data_model? {
        ouro_c::DataModel::Lp64 => Some(DataModel::Lp64),
        ouro_c::DataModel::Ilp32 => Some(DataModel::Ilp32),
    };
    said.or_else(of_options).unwrap_or_default()
}

/// The meaning of integers: `-fwrapv` makes them wrap.
pub(crate) fn integers(said: Option<Ints>, clang: &[String]) -> Ints {
    let wraps = ouro_c::target::asked(clang).is_ok_and(|asked| asked.wraps);
    said.unwrap_or(if wraps { Ints::Wrap } else { Ints::C })
}

impl From<&ProgramIdentity> for Subject {
    fn from(identity: &ProgramIdentity) -> Subject {
        Subject {
            files: identity.files.iter().map(|file| PathBuf::from(&file.path)).collect(),
            function: identity.function.clone(),
            data_model: identity.data_model,
            ints: identity.ints,
            externs: identity.externs,
            allocations: Some(identity.allocations),
            clang: identity.clang_args.clone(),
            question: Demand::default(),
            doubts: false,
        }
    }
}

impl Subject {
    /// Its identity for a certificate, once it has been compiled.
    pub(crate) fn identity(&self, files: Vec<SourceFile>, compiled: &Compiled) -> ProgramIdentity {
        ProgramIdentity {
            files,
            function: self.function.clone(),
            data_model: self.data_model,
            ints: self.ints,
            externs: self.externs,
            allocations: compiled.allocations,
            clang_args: self.clang.clone(),
            specification: self.question.identity.clone(),
        }
    }
}

/// What an engine may use.
#[derive(Clone, Debug)]
pub(crate) struct Budget {
    pub(crate) deadline: Instant,
    /// The limit that the user gave, for the reason.
    pub(crate) limit: Duration,
    pub(crate) memory_mib: u64,
}

/// What an engine found; nobody has checked it.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    pub(crate) verdict: Verdict,
    pub(crate) explanation: Explanation,
    pub(crate) engine: Option<&'static str>,
}

/// Why evidence was not accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Refusal {
    /// It does not hold.
    Rejected(String),
    /// It may hold, but takes the checker much more work than it says.
    TooMuchWork(String),
    /// The time was over before the checker was done.
    Undecided,
}

/// Why there is no program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum NotCompiled {
    /// The user has to mend something.
    BadInput(BadInput),
    /// There was not enough time for clang.
    TooSlow(BadInput),
    /// A mistake in Ouro.
    Mistake(String),
}

impl From<ouro_c::Error> for NotCompiled {
    fn from(error: ouro_c::Error) -> NotCompiled {
        match error {
            ouro_c::Error::Internal(what) => NotCompiled::Mistake(what),
            error @ ouro_c::Error::TooSlow(_) => NotCompiled::TooSlow(BadInput(error.to_string())),
            error => NotCompiled::BadInput(BadInput(error.to_string())),
        }
    }
}

/// A compiled program.
#[derive(Clone, Debug)]
pub(crate) struct Compiled {
    pub(crate) program: Program,
    /// Whether allocations may fail in it.
    pub(crate) allocations: Allocations,
    /// What a linker would miss, if that was asked for.
    pub(crate) missing: Vec<Missing>,
    /// What the program assumes about functions whose code is not here.
    pub(crate) elsewhere: Vec<String>,
    /// Whether it hands memory or functions to some of these: with doubts it is another program then.
    pub(crate) hands_over: bool,
}

/// Whether a claim must hold whatever functions without a body do with what they are handed. That a program ends may rest
/// on an assumption, which is named; that it does not, never.
pub(crate) fn doubts(claim: Claim) -> bool {
    matches!(claim, Claim::Loops | Claim::Violated)
}

/// From C to the model.
pub(crate) fn compile(subject: &Subject, deadline: Instant) -> Result<Program, NotCompiled> {
    compile_for_linking(subject, deadline, false).map(|compiled| compiled.program)
}

/// From C to the model, and on request what a linker would miss.
pub(crate) fn compile_for_linking(
    subject: &Subject,
    deadline: Instant,
    missing: bool,
) -> Result<Compiled, NotCompiled> {
    let wraps = ouro_c::target::asked(&subject.clang).is_ok_and(|asked| asked.wraps);
    if wraps && subject.ints != Ints::Wrap {
        return Err(NotCompiled::BadInput(BadInput(format!(
            "-fwrapv and --ints {} contradict each other; leave one of them out",
            subject.ints
        ))));
    }
    let options = ouro_c::Options {
        data_model: match subject.data_model {
            DataModel::Lp64 => ouro_c::DataModel::Lp64,
            DataModel::Ilp32 => ouro_c::DataModel::Ilp32,
        },
        function: Some(subject.function.clone()),
        unit: false,
        clang_args: subject.clang.clone(),
        externs: match subject.externs {
            Externs::Choice => ouro_c::Externs::Choice,
            Externs::Unknown => ouro_c::Externs::Unknown,
        },
        allocations: subject.allocations.map(|allocations| match allocations {
            Allocations::MayFail => ouro_c::Allocations::MayFail,
            Allocations::Succeed => ouro_c::Allocations::Succeed,
        }),
        doubts: subject.doubts,
        missing,
        monitor: subject.question.monitor.clone(),
        deadline: Some(deadline),
    };
    match ouro_c::compile(&subject.files, &options) {
        Ok(compiled) => Ok(Compiled {
            program: compiled.program,
            allocations: match compiled.allocations {
                ouro_c::Allocations::MayFail => Allocations::MayFail,
                ouro_c::Allocations::Succeed => Allocations::Succeed,
            },
            missing: compiled.missing,
            elsewhere: compiled.elsewhere,
            hands_over: compiled.hands_over,
        }),
        Err(error) => Err(error.into()),
    }
}

/// From one file of a project to the model of all its functions.
pub(crate) fn compile_unit(
    file: &PathBuf,
    clang_args: Vec<String>,
    data_model: DataModel,
    deadline: Instant,
) -> Result<Program, NotCompiled> {
    let options = ouro_c::Options {
        data_model: match data_model {
            DataModel::Lp64 => ouro_c::DataModel::Lp64,
            DataModel::Ilp32 => ouro_c::DataModel::Ilp32,
        },
        unit: true,
        clang_args,
        deadline: Some(deadline),
        ..ouro_c::Options::default()
    };
    match ouro_c::compile(std::slice::from_ref(file), &options) {
        Ok(compiled) => Ok(compiled.program),
        Err(error) => Err(error.into()),
    }
}

/// From a text to the transition system that it is.
pub(crate) fn parse(path: &Path, text: &str) -> Result<TransitionSystem, BadInput> {
    ouro_formats::parse(path, text).map_err(|error| BadInput(error.to_string()))
}

/// Asks the engines about a program. None named means all.
///
/// They take turns. Rankings that are easy are there at once or not at all, so they begin; `explore` is
/// quick where it works, so it is next. What they have not settled is looked at as a transition system,
/// for sets of states and for rankings, and by `explore` again: first shortly, then longer.
pub(crate) fn explore(
    program: &Program,
    ints: Ints,
    engines: &[Engine],
    budget: &Budget,
) -> Finding {
    explore_in_turns(program, ints, engines, budget, &mut || None)
}

/// Asks the engines by C's rules. Where their first turns have not settled it, `beside` is asked before they have
/// their long ones.
pub(crate) fn explore_beside(
    program: &Program,
    engines: &[Engine],
    budget: &Budget,
    beside: &mut dyn FnMut() -> Option<Finding>,
) -> Finding {
    explore_in_turns(program, Ints::C, engines, budget, beside)
}

/// A set of states that a run never leaves, if the checker accepts it.
pub(crate) fn sets(
    program: &Program,
    ints: Ints,
    budget: &Budget,
    deadline: Instant,
) -> Option<Finding> {
    let settings = ouro_engine::Settings { deadline, ..settings(ints, budget) };
    let soon = clock::now();
    let soon = soon + deadline.saturating_duration_since(soon) / 2;
    let easy = ouro_engine::Settings { deadline: soon, ..settings.clone() };
    let (found, method) = ouro_engine::easy_sets(program, &easy)
        .or_else(|| ouro_engine::closed_program(program, &settings, &[]))?;
    let ouro_engine::Finding { verdict, explanation } = found;
    let patient = ouro_engine::Settings { deadline: budget.deadline, ..settings };
    accepted(program, &patient, &verdict)?;
    Some(Finding { verdict, explanation, engine: Some(method) })
}

fn explore_in_turns(
    program: &Program,
    ints: Ints,
    engines: &[Engine],
    budget: &Budget,
    beside: &mut dyn FnMut() -> Option<Finding>,
) -> Finding {
    let settings = settings(ints, budget);
    let now = clock::now();
    let left = budget.deadline.saturating_duration_since(now);
    let methods = methods(engines);
    let explores = engines.is_empty() || engines.contains(&Engine::Explore);
    let closes = engines.is_empty() || !methods.is_empty();
    let ranks = engines.is_empty() || engines.contains(&Engine::Ranking);
    let relates = engines.is_empty() || engines.contains(&Engine::Transition);
    let others = closes || ranks || relates;
    let asked = Asked { ranks, relates, methods: closes.then_some(&methods) };
    let turns = explores && others;
    let slice = |time: Duration| if turns { clock::now() + time } else { budget.deadline };
    let run = |deadline: Instant| {
        verbose::tries("explore: paths of the program", deadline);
        let settings = ouro_engine::Settings { deadline, ..settings.clone() };
        let found = ouro_engine::explore(program, &settings);
        let engine = found.verdict.evidence().map(|_| Engine::Explore.name());
        Finding { verdict: found.verdict, explanation: found.explanation, engine }
    };
    if ranks && turns {
        let share = now + EASY.min(left / 20);
        if let Some(found) = rankings(program, &settings, Argument::Ranking(Effort::Quick), share) {
            return found;
        }
    }
    let first = explores.then(|| run(slice(FIRST_TURN.min(left / 4))));
    if let Some(found) = &first
        && (found.verdict.evidence().is_some() || !others)
    {
        return found.clone();
    }
    // Nothing that was met keeps it from an answer, only the time.
    let in_time = |found: &Finding| !matches!(found.verdict, Verdict::Unknown(Reason::Time { .. }));
    let mut first = first;
    if turns && first.as_ref().is_some_and(|first| !in_time(first)) {
        let short = slice(SHORT.min(left / 20));
        let asked = Asked { relates: false, ..asked };
        if let Some(found) = as_system(program, &settings, asked, short) {
            return found;
        }
        if let Some(found) = beside() {
            return found;
        }
        let second = run(slice(SECOND_TURN.min(left / 8)));
        if second.verdict.evidence().is_some() {
            return second;
        }
        first = Some(second);
    }
    let timely = first.as_ref().is_none_or(|first| !in_time(first));
    let now = clock::now();
    let left = budget.deadline.saturating_duration_since(now);
    let deadline = if turns && timely { now + left / 12 * THEIR_TURN } else { budget.deadline };
    if let Some(found) = as_system(program, &settings, asked, deadline) {
        return found;
    }
    match first {
        Some(first) if !timely => first,
        Some(_) => run(budget.deadline),
        None if clock::now() >= budget.deadline => Finding {
            verdict: Verdict::Unknown(Reason::Time { limit: budget.limit }),
            explanation: Explanation::default(),
            engine: None,
        },
        None => nothing(format!(
            "{} found {}",
            names(engines),
            match (closes, ranks) {
                (true, _) => "no recurrent set",
                (false, true) => "no ranking",
                (false, false) => "no transition invariant",
            }
        )),
    }
}

/// Explores a program for violations that do not begin at these call sites.
pub(crate) fn explore_others(
    program: &Program,
    ints: Ints,
    known: &[Place],
    budget: &Budget,
) -> Finding {
    let ouro_engine::Finding { verdict, explanation } =
        ouro_engine::explore_others(program, &settings(ints, budget), known);
    let engine = verdict.evidence().map(|_| Engine::Explore.name());
    Finding { verdict, explanation, engine }
}

/// Who is asked about a program as a transition system.
#[derive(Clone, Copy)]
struct Asked<'a> {
    ranks: bool,
    relates: bool,
    /// For sets of states, if for those.
    methods: Option<&'a Vec<Method>>,
}

/// What is looked for in a transition system.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    /// A set of states that a run never leaves.
    Sets,
    /// Rankings.
    Ranking,
    /// Transition invariants, after rankings: what is ranked easily is ranked.
    Transition,
}

/// Asks those that look at a program as a transition system. Sets of states are looked for before and
/// after rankings, unless the first time was enough to give up.
fn as_system(
    program: &Program,
    settings: &ouro_engine::Settings,
    asked: Asked<'_>,
    deadline: Instant,
) -> Option<Finding> {
    let Asked { ranks, relates, mut methods } = asked;
    for (what, share) in
        [(Turn::Sets, 8), (Turn::Ranking, 2), (Turn::Transition, 4), (Turn::Sets, 1)]
    {
        let now = clock::now();
        let left = deadline.saturating_duration_since(now);
        let alone = match what {
            Turn::Sets => !ranks && !relates,
            Turn::Ranking => methods.is_none(),
            Turn::Transition => asked.methods.is_none() && !ranks,
        };
        let turn = now + left / if alone { 1 } else { share };
        let argument = match what {
            Turn::Ranking => Argument::Ranking(Effort::Thorough),
            Turn::Transition => Argument::Transition,
            Turn::Sets => {
                let Some(asked) = methods else { continue };
                let settings = ouro_engine::Settings { deadline: turn, ..settings.clone() };
                verbose::tries("lasso, closed, forward: states that a run never leaves", turn);
                let found = ouro_engine::closed_program(program, &settings, asked);
                // Where only fair runs count, a set of the system may have a place that the program
                // does not come to; then others should have their turn.
                let fairly = !program.fairness.is_empty();
                if let Some((ouro_engine::Finding { verdict, explanation }, method)) = found
                    && (!fairly || accepted(program, &settings, &verdict).is_some())
                {
                    return Some(Finding { verdict, explanation, engine: Some(method) });
                }
                methods = methods.filter(|_| clock::now() >= turn);
                continue;
            }
        };
        if (what == Turn::Ranking && ranks) || (what == Turn::Transition && relates) {
            let found = rankings(program, settings, argument, turn);
            if found.is_some() {
                return found;
            }
        }
    }
    None
}

/// Rankings of a program that the checker accepts. It is asked here, too: where the transition
/// system says less than the machine, others should have their turn.
fn rankings(
    program: &Program,
    settings: &ouro_engine::Settings,
    argument: Argument,
    deadline: Instant,
) -> Option<Finding> {
    let turn = ouro_engine::Settings { deadline, ..settings.clone() };
    let what = match argument {
        Argument::Ranking(Effort::Quick) => "ranking: easy rankings",
        Argument::Ranking(Effort::Thorough) => "ranking: rankings",
        Argument::Transition => "transition: what holds between any two turns",
    };
    verbose::tries(what, deadline);
    let ouro_engine::Finding { verdict, explanation } =
        ouro_engine::ranked_program(program, &turn, argument)?;
    if let Some(Evidence::RankedProgram(ranking)) = verdict.evidence()
        && argument == Argument::Ranking(Effort::Quick)
        && ranking.heads.is_empty()
    {
        // No loop is left open: `explore` comes to all ends, and can say where they are.
        return None;
    }
    accepted(program, settings, &verdict)?;
    let engine = match argument {
        Argument::Ranking(_) => Engine::Ranking,
        Argument::Transition => Engine::Transition,
    };
    Some(Finding { verdict, explanation, engine: Some(engine.name()) })
}

/// A ranking of a loop on its own that the checker accepts.
pub(crate) fn rank_loop(
    program: &Program,
    memory_mib: u64,
    argument: Argument,
    deadline: Instant,
) -> Option<Verdict> {
    let now = clock::now();
    let time = deadline.saturating_duration_since(now);
    let budget = Budget { deadline, limit: time, memory_mib };
    let settings = settings(Ints::C, &budget);
    let turn = ouro_engine::Settings { deadline: now + time / 4 * 3, ..settings.clone() };
    let found = ouro_engine::ranked_program(program, &turn, argument)?;
    let (claim, evidence) = (found.verdict.claim()?, found.verdict.evidence()?);
    ouro_check::check(program, Ints::C, claim, evidence, deadline).ok()?;
    Some(found.verdict)
}

/// Asks the checker, in half of the time that is left; `None` if it does not accept.
fn accepted(program: &Program, settings: &ouro_engine::Settings, verdict: &Verdict) -> Option<()> {
    let now = clock::now();
    let deadline = now + settings.deadline.saturating_duration_since(now) / 2;
    ouro_check::check(program, settings.ints, verdict.claim()?, verdict.evidence()?, deadline).ok()
}

/// What easy rankings may take.
const EASY: Duration = Duration::from_millis(500);
/// The first turn of `explore`.
const FIRST_TURN: Duration = Duration::from_millis(250);
/// The first turn of the others.
const SHORT: Duration = Duration::from_millis(600);
/// The second turn of `explore`, before the others have their long one.
const SECOND_TURN: Duration = Duration::from_millis(1500);
/// How long the others have, in twelfths of what is left then.
const THEIR_TURN: u32 = 5;

/// The methods for recurrent sets among some engines.
fn methods(engines: &[Engine]) -> Vec<Method> {
    (engines.iter())
        .filter_map(|engine| match engine {
            Engine::Explore | Engine::Ranking | Engine::Transition => None,
            Engine::Lasso => Some(Method::Lasso),
            Engine::Closed => Some(Method::Closed),
            Engine::Forward => Some(Method::Forward),
        })
        .collect()
}

/// Asks the engines about a transition system. None named means all.
///
/// Most answers come at once, and what is not there is looked for until the time is over. So each
/// gets a share of what is left in turn, and whoever gave up by itself is not asked again.
pub(crate) fn search(system: &TransitionSystem, engines: &[Engine], budget: &Budget) -> Finding {
    let asked = |engine| engines.is_empty() || engines.contains(&engine);
    let methods = methods(engines);
    let sets = engines.is_empty() || !methods.is_empty();
    let mut open: Vec<Turn> = Vec::new();
    open.extend(sets.then_some(Turn::Sets));
    open.extend(asked(Engine::Ranking).then_some(Turn::Ranking));
    open.extend(asked(Engine::Transition).then_some(Turn::Transition));
    let what = match open.as_slice() {
        [] => return nothing("explore runs programs, and this is a transition system".to_owned()),
        [Turn::Sets] => "no recurrent set was found",
        [Turn::Sets, ..] => "no ranking and no recurrent set was found",
        [Turn::Transition] => "no transition invariant was found",
        _ => "no ranking was found",
    };
    let mut settings = settings(Ints::Unbounded, budget);
    for (turn, share) in TURNS {
        if !open.contains(&turn) {
            continue;
        }
        let now = clock::now();
        let left = budget.deadline.saturating_duration_since(now);
        settings.deadline = now + left / if open.len() == 1 { 1 } else { share };
        let what = match turn {
            Turn::Sets => "lasso, closed, forward: states that a run never leaves",
            Turn::Ranking => "ranking: rankings",
            Turn::Transition => "transition: what holds between any two turns",
        };
        verbose::tries(what, settings.deadline);
        let found = match turn {
            Turn::Sets => {
                let found = ouro_engine::recurrent::find(system, &settings, &methods);
                found.map(|found| (Evidence::Recurrent(found.set), found.method))
            }
            Turn::Ranking => ouro_engine::ranking::rank(system, &settings)
                .map(|ranking| (Evidence::Ranked(ranking), Engine::Ranking.name())),
            Turn::Transition => match ouro_engine::transition::find(system, &settings) {
                Answer::Ends(ranking) => {
                    Some((Evidence::Ranked(ranking), Engine::Transition.name()))
                }
                Answer::Lasso(edges) if sets => {
                    let found = ouro_engine::recurrent::along(system, &settings, &edges);
                    found.map(|found| (Evidence::Recurrent(found.set), found.method))
                }
                Answer::Lasso(_) | Answer::Nothing => None,
            },
        };
        if let Some((evidence, engine)) = found {
            return Finding {
                verdict: Verdict::of(Question::Termination, evidence),
                explanation: Explanation::default(),
                engine: Some(engine),
            };
        }
        if clock::now() < settings.deadline {
            open.retain(|other| *other != turn);
        }
    }
    if !open.is_empty() {
        let verdict = Verdict::Unknown(Reason::Time { limit: budget.limit });
        return Finding { verdict, explanation: Explanation::default(), engine: None };
    }
    nothing(what.to_owned())
}

/// Who has which share of the time that is left about a transition system.
const TURNS: [(Turn, u32); 7] = [
    (Turn::Sets, 30),
    (Turn::Ranking, 6),
    (Turn::Transition, 12),
    (Turn::Sets, 2),
    (Turn::Ranking, 1),
    (Turn::Transition, 2),
    (Turn::Sets, 1),
];

/// No evidence, and why.
fn nothing(what: String) -> Finding {
    let place = Place { file: String::new(), line: 0, function: String::new() };
    Finding {
        verdict: Verdict::Unknown(Reason::Incomplete { what, place }),
        explanation: Explanation::default(),
        engine: None,
    }
}

fn names(engines: &[Engine]) -> String {
    let names: Vec<&str> = engines.iter().map(|engine| engine.name()).collect();
    names.join(", ")
}

fn settings(ints: Ints, budget: &Budget) -> ouro_engine::Settings {
    ouro_engine::Settings {
        ints,
        deadline: budget.deadline,
        time: budget.limit,
        memory_mib: budget.memory_mib,
    }
}

/// Asks the checker about a program.
pub(crate) fn check(
    program: &Program,
    ints: Ints,
    claim: Claim,
    evidence: &Evidence,
    deadline: Instant,
) -> Result<(), Refusal> {
    ouro_check::check(program, ints, claim, evidence, deadline)
        .map_err(|rejection| refusal(&rejection))
}

/// Asks the checker about a program, and which undefined behaviour is taken to end runs.
pub(crate) fn check_and_name(
    program: &Program,
    ints: Ints,
    claim: Claim,
    evidence: &Evidence,
    deadline: Instant,
) -> Result<Vec<Undefined>, Refusal> {
    ouro_check::check_and_name(program, ints, claim, evidence, deadline)
        .map_err(|rejection| refusal(&rejection))
}

/// Asks the checker about a transition system.
pub(crate) fn check_system(
    system: &TransitionSystem,
    evidence: &Evidence,
    deadline: Instant,
) -> Result<(), Refusal> {
    ouro_check::check_system(system, evidence, deadline).map_err(|rejection| refusal(&rejection))
}

fn refusal(rejection: &ouro_check::Rejection) -> Refusal {
    if rejection.out_of_time {
        Refusal::Undecided
    } else if rejection.out_of_steps {
        Refusal::TooMuchWork(rejection.to_string())
    } else {
        Refusal::Rejected(rejection.to_string())
    }
}
