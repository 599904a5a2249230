//! Each loop of a program and each recursion ends on its own: make each a program of its own again, which starts in any
//! state, and ask of it what is asked of any program with a ranking.
//!
//! Why it is enough. Of the numbers of calls in progress that a run which never ends comes to infinitely often, take the
//! least.
//!
//! *There is one.* From some moment on, that call never returns, and its function passes infinitely many blocks itself;
//! all calls that it makes return. Those of its blocks that it passes infinitely often are in one loop, whose head is
//! among them, since flow is reducible: take the first of them in an order in which only steps back to heads lead to
//! earlier blocks. It is entered from the others by a step back, so it is a head; and who goes back from there without
//! passing it stays in its loop, which nothing enters elsewhere. So from some moment on the run stays in that loop and
//! passes its head infinitely often, and each time it enters a loop inside it leaves it again.
//!
//! The loop's program starts where the loop is entered, in any state, and can do whatever the loop can, with whatever
//! its calls return (`ouro-isolate`, which assumes nothing about memory here). A loop inside that was cut is taken to
//! have ended, as it does in such a run. If all runs of that program end, there is no such run. A loop that is inside of
//! another is entered through the other's head, so a part about the other covers it as well, unless it was cut there.
//!
//! *There is none.* Then each number is that of calls in progress for the last time at some moment, and the calls that
//! never return are a chain without end, each made by the one before. There are finitely many functions, so from some
//! call on all functions of the chain may call each other: they are the members of one recursion. Each call of the chain
//! makes the next one after finitely many steps of its own, and whatever it has called before, in a loop or not, has
//! returned. The recursion's program (`ouro_isolate::weave_functions`, made a program by the same means as a loop) has
//! that run: it goes from the start of a member to each call of a member that it makes, which has either returned, or is
//! the next of the chain. It starts with any call of a member from outside. A loop inside is an ordinary loop inside,
//! of which the next call is one of the exits. So no ranking of calls is needed besides those of loops, and nothing is
//! circular: that the calls in a loop return is not concluded from the parts about recursions, it is what the case says.
//! A loop of a member that a call passes before it makes the next one is in that program too, with calls that have
//! returned and after any calls of members in progress; so a part about the recursion covers it, unless it was cut.
//!
//! *Scope.* A loop or recursion may be looked at together with more of the program: with all ways through its function,
//! with those who call the function, with those whom it calls. All of these are the program's own code; where it is
//! looked at from some callers on, all calls of the functions that are looked at which come from elsewhere start it, too,
//! with any arguments. So does the entry, where the model does not have all command lines: what matters of it then is that
//! it calls `main`.
//!
//! A run that does something undefined has ended, as everywhere. A loop that only a signed overflow ends is not said
//! to end, and what other code may have computed has no bounds there (`overflow`).

mod structure;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use ouro_evidence::{
    IntegerSemantics, LoopPart, LoopView, PartScope, PartwiseTermination, SourcePlace,
    UndefinedBehaviour,
};
use ouro_isolate::{
    CodeScope, IsolatedLoop, IsolatedProgram, IsolationOptions, MemoryTrust, ProgramEffects,
    WeavingOptions, WovenFunctions, isolate_loop, weave_functions,
};
use ouro_machine::SIGNED_OVERFLOW;
use ouro_model::flow::{FunctionFlow, Loop};
use ouro_model::{BinaryOp, BlockId, FunctionId, Instruction, Program};
use ouro_term::TermStore;

use crate::over::{CheckResult, reject_evidence};
use crate::ranked_program::{UnknownOrigin, check_program_ranking};
use crate::undefined::UndefinedNaming;
use crate::{make_machine, overflow_semantics};
use structure::{ProgramStructure, ReachedFunction, find_structure};

/// Checks proofs by parts of a program, or single parts of one.
pub struct PartwiseChecker<'p> {
    program: &'p Program,
    effects: ProgramEffects,
    structure: ProgramStructure,
    reached: BTreeSet<FunctionId>,
    recursive: BTreeSet<FunctionId>,
    /// What was woven so far.
    woven: Mutex<BTreeMap<WovenKey, Option<Arc<WovenCode>>>>,
}

/// The first member, how many calls lead to it, and whether functions are inlined.
type WovenKey = (FunctionId, u32, bool);

/// Functions that were made one.
struct WovenCode {
    made: WovenFunctions,
    effects: ProgramEffects,
    flow: FunctionFlow,
}

/// A loop or a recursion that a run may come to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProgramCycle {
    /// The function that it is in; the first of those that may call each other.
    pub function: FunctionId,
    /// The loop; none for the recursion of the function.
    pub found: Option<Loop>,
    /// Where it is.
    pub place: SourcePlace,
    /// The loops on the way from one call of the recursion to the next, by function and head.
    passed: BTreeSet<(FunctionId, BlockId)>,
}

impl ProgramCycle {
    /// Whether this is a loop and in another one, or is passed by a recursion.
    pub fn is_inside(&self, other: &ProgramCycle) -> bool {
        let Some(found) = &self.found else { return false };
        match &other.found {
            Some(around) => self.function == other.function && around.body.contains(&found.head),
            None => other.passed.contains(&(self.function, found.head)),
        }
    }

    /// The block that is its head, by its number; none for a recursion.
    pub fn head(&self) -> Option<u32> {
        self.found.as_ref().map(|found| found.head.0)
    }

    /// In words.
    pub fn describe(&self) -> String {
        match self.found {
            Some(_) => format!("the loop at {}", self.place),
            None => format!("the recursion of {}", self.place.function),
        }
    }
}

impl<'p> PartwiseChecker<'p> {
    /// Looks at a program; why not, if no proof by parts can speak of it. It must be well-formed.
    pub fn new(program: &'p Program) -> CheckResult<Self> {
        let structure = find_structure(program)?;
        let effects = ProgramEffects::of_program(program, CodeScope::Program);
        let reached = structure.functions.iter().map(|one| one.id).collect();
        let recursive = structure.recursions.iter().flatten().copied().collect();
        let woven = Mutex::default();
        Ok(PartwiseChecker { program, effects, structure, reached, recursive, woven })
    }

    /// The loops of all functions that runs may reach, and the recursions; what is in a function comes after what is in
    /// those that it calls, and a recursion after the loops of its functions.
    pub fn cycles(&self) -> Vec<ProgramCycle> {
        let mut all = Vec::new();
        let mut left: Vec<&BTreeSet<FunctionId>> = self.structure.recursions.iter().collect();
        let mut seen = BTreeSet::new();
        for ReachedFunction { id, loops, .. } in &self.structure.functions {
            all.extend(loops.iter().map(|found| ProgramCycle {
                function: *id,
                found: Some(found.clone()),
                place: SourcePlace::of_span(self.program, *id, found.span),
                passed: BTreeSet::new(),
            }));
            seen.insert(*id);
            let is_seen = |members: &mut &BTreeSet<FunctionId>| members.is_subset(&seen);
            for members in left.extract_if(.., is_seen) {
                all.extend(self.recursion(members));
            }
        }
        all
    }

    fn recursion(&self, members: &BTreeSet<FunctionId>) -> Option<ProgramCycle> {
        let function = *members.first()?;
        let span = self.program.functions[function].span;
        let place = SourcePlace::of_span(self.program, function, span);
        let mut passed = BTreeSet::new();
        if let Some(woven) = self.weave(function, PartScope::default()) {
            let body = (woven.flow.loops().iter())
                .find(|found| found.head == woven.made.hub)
                .map(|found| found.body.clone())
                .unwrap_or_default();
            let blocks = woven.made.blocks.iter().filter(|(_, to)| body.contains(to));
            passed.extend(blocks.map(|(from, _)| *from));
        }
        Some(ProgramCycle { function, found: None, place, passed })
    }

    /// A loop or a recursion as programs of its own, in all views that rest on nothing, the smallest first; none if there
    /// is no such thing, or the loops inside cannot be cut.
    pub fn views(
        &self,
        function: u32,
        head: Option<u32>,
        cuts: bool,
        scope: PartScope,
    ) -> Vec<(LoopView, Program)> {
        let Some(made) = self.isolate(function, head, cuts, scope) else { return Vec::new() };
        let sights = (0..).map(LoopView::Sight).zip(made.sights);
        let all = sights.chain([(LoopView::Slim, made.slim), (LoopView::Full, made.full)]);
        all.filter(|(_, made)| self.foreign_assumption(made).is_none())
            .map(|(view, made)| (view, made.program))
            .collect()
    }

    fn isolate(
        &self,
        function: u32,
        head: Option<u32>,
        cuts: bool,
        scope: PartScope,
    ) -> Option<IsolatedLoop> {
        let how = |wide| IsolationOptions { cuts, wide, trust: MemoryTrust::Nothing, without: &[] };
        let reached = self.structure.functions.iter().find(|one| one.id.0 == function)?;
        let found = match head {
            Some(head) => Some(reached.loops.iter().find(|one| one.head.0 == head)?),
            None => None,
        };
        if let (Some(found), PartScope { callers: 0, inlines: false, wide }) = (found, scope) {
            let (program, effects) = (self.program, &self.effects);
            return isolate_loop(program, effects, reached.id, &reached.flow, found, how(wide));
        }
        let is_recursion = |members: &&BTreeSet<FunctionId>| members.first() == Some(&reached.id);
        if found.is_none() && !self.structure.recursions.iter().any(|one| is_recursion(&one)) {
            return None;
        }
        let WovenCode { made, effects, flow } = &*self.weave(reached.id, scope)?;
        let head = match found {
            Some(found) => *made.blocks.get(&(reached.id, found.head))?,
            None => made.hub,
        };
        let found = flow.loops().iter().find(|one| one.head == head)?;
        let wide = scope.wide || scope.callers > 0;
        isolate_loop(&made.program, effects, made.function, flow, found, how(wide))
    }

    /// The function that a function and those that it is recursive with have become.
    fn weave(&self, function: FunctionId, scope: PartScope) -> Option<Arc<WovenCode>> {
        let recursion = self.structure.recursions.iter().find(|one| one.contains(&function));
        let alone = BTreeSet::from([function]);
        let members = recursion.unwrap_or(&alone);
        let key = (*members.first()?, scope.callers, scope.inlines);
        let mut known = self.woven.lock().unwrap_or_else(PoisonError::into_inner);
        let make = || {
            let how = WeavingOptions {
                members,
                reached: &self.reached,
                recursive: &self.recursive,
                vague: &self.structure.vague,
                callers: scope.callers,
                inlines: scope.inlines,
            };
            let made = weave_functions(self.program, how)?;
            let effects = ProgramEffects::of_program(&made.program, CodeScope::Program);
            let flow = FunctionFlow::of_function(&made.program.functions[made.function]);
            Some(Arc::new(WovenCode { made, effects, flow }))
        };
        known.entry(key).or_insert_with(make).clone()
    }

    /// Something that a loop's program rests on and the whole program does not. That volatile objects keep their
    /// values is assumed of every program that has some.
    fn foreign_assumption<'a>(&self, made: &'a IsolatedProgram) -> Option<&'a String> {
        made.assumed.iter().find(|one| !self.program.assumptions.contains(one))
    }

    /// Accepts a proof, or says why not; which undefined behaviour is taken to end runs in the loops is found out if
    /// anybody wants to know.
    pub(crate) fn check_proof(
        &self,
        ints: IntegerSemantics,
        proof: &PartwiseTermination,
        names_undefined: bool,
        deadline: Instant,
    ) -> CheckResult<Vec<UndefinedBehaviour>> {
        let cycles = self.cycles();
        for one in &cycles {
            let covers = |part: &LoopPart| self.covers(&cycles, part, one);
            if !proof.parts.iter().any(covers) {
                return reject_evidence(format!("no part is about {}", one.describe()));
            }
        }
        let mut undefined = Vec::new();
        for part in &proof.parts {
            undefined.extend(self.check_part(ints, part, names_undefined, deadline)?);
        }
        undefined
            .sort_by(|a: &UndefinedBehaviour, b| (&a.place, &a.what).cmp(&(&b.place, &b.what)));
        undefined.dedup_by(|a, b| (&a.place, &a.what) == (&b.place, &b.what));
        Ok(undefined)
    }

    /// Whether a part that holds says that a loop or a recursion, one of all those there are, ends.
    pub fn covers(&self, cycles: &[ProgramCycle], part: &LoopPart, one: &ProgramCycle) -> bool {
        let is_own = |of: &&ProgramCycle| of.function.0 == part.function && of.head() == part.head;
        let Some(of) = cycles.iter().find(is_own) else { return false };
        of == one || (!part.cuts && one.is_inside(of))
    }

    /// Accepts a part, or says why not; see [`PartwiseChecker::check_proof`].
    pub fn check_part(
        &self,
        ints: IntegerSemantics,
        part: &LoopPart,
        names_undefined: bool,
        deadline: Instant,
    ) -> CheckResult<Vec<UndefinedBehaviour>> {
        let Some(made) = self.isolate(part.function, part.head, part.cuts, part.scope) else {
            return reject_evidence(format!(
                "there is no such loop or recursion at {}",
                part.place
            ));
        };
        let made = match part.view {
            LoopView::Full => Some(made.full),
            LoopView::Slim => Some(made.slim),
            LoopView::Sight(number) => made.sights.into_iter().nth(number as usize),
        };
        let Some(made) = made else {
            return reject_evidence(format!("the loop at {} has no such view", part.place));
        };
        if let Some(one) = self.foreign_assumption(&made) {
            return reject_evidence(format!("it would be an assumption that {one}"));
        }
        if ouro_model::wellformed::check_wellformed_program(&made.program).is_err() {
            return reject_evidence(format!("the loop at {} makes no program", part.place));
        }
        let overflow = overflow_semantics(ints);
        let mut terms = TermStore::new();
        let mut machine = make_machine(&made.program, &mut terms, overflow, true)?;
        machine.follow_first_calls(part.ranking.first_calls);
        let naming = UndefinedNaming::new(&made.program, names_undefined, deadline);
        let found = check_program_ranking(
            &made.program,
            &machine,
            &mut terms,
            &part.ranking,
            naming,
            (overflow, UnknownOrigin::OtherCode),
            deadline,
        )?;
        Ok(self.user_undefined(part, found))
    }

    /// What is undefined in the loop's own code: addresses are signed numbers in its program, but that those overflow
    /// is no matter of integers.
    fn user_undefined(
        &self,
        part: &LoopPart,
        found: Vec<UndefinedBehaviour>,
    ) -> Vec<UndefinedBehaviour> {
        let function = FunctionId(part.function);
        let is_alone = part.head.is_some() && part.scope.callers == 0 && !part.scope.inlines;
        let looked_at: BTreeSet<FunctionId> = match is_alone {
            true => BTreeSet::from([function]),
            false => self.reached.clone(),
        };
        let mut own: BTreeMap<(String, u32), String> = BTreeMap::new();
        for id in looked_at.into_iter().filter(|id| self.program.functions[*id].user) {
            let code = &self.program.functions[id];
            for statement in code.blocks.iter().flat_map(|block| &block.statements) {
                if statement.span.is_known() && is_signed_operation(&statement.instruction) {
                    let place = SourcePlace::of_span(self.program, id, statement.span);
                    own.insert((place.file, place.line), place.function);
                }
            }
        }
        // What was woven into one function has its own name in the user's program.
        let named = |mut one: UndefinedBehaviour| {
            let function = own.get(&(one.place.file.clone(), one.place.line));
            if let Some(function) = function.filter(|_| !is_alone) {
                one.place.function.clone_from(function);
            }
            let is_own = !one.what.starts_with(SIGNED_OVERFLOW) || function.is_some();
            is_own.then_some(one)
        };
        match is_alone && !self.program.functions[function].user {
            true => Vec::new(),
            false => found.into_iter().filter_map(named).collect(),
        }
    }
}

/// Whether an operation can overflow.
fn is_signed_operation(instruction: &Instruction) -> bool {
    use BinaryOp as Op;
    matches!(
        instruction,
        Instruction::Binary {
            op: Op::Add { signed: true }
                | Op::Sub { signed: true }
                | Op::Mul { signed: true }
                | Op::Shl { signed: true }
                | Op::SDiv
                | Op::SRem,
            ..
        }
    )
}
