//! Each loop of a program ends on its own: make each loop a program of its own again, which starts in any state, and
//! ask of it what is asked of any program with a ranking.
//!
//! Why it is enough. No function calls itself (`structure`), so only finitely many calls are ever in progress. Of the
//! numbers of calls that a run which never ends comes to infinitely often, take the least: from some moment on, that
//! call never returns, and its function passes infinitely many blocks itself; all calls that it makes return. Those of
//! its blocks that it passes infinitely often are in one loop, whose head is among them, since flow is reducible: take
//! the first of them in an order in which only steps back to heads lead to earlier blocks. It is entered from the
//! others by a step back, so it is a head; and who goes back from there without passing it stays in its loop, which
//! nothing enters elsewhere. So from some moment on the run stays in that loop and passes its head infinitely often,
//! and each time it enters a loop inside it leaves it again.
//!
//! The loop's program starts where the loop is entered, in any state, and can do whatever the loop can, with whatever
//! its calls return (`ouro-isolate`, which assumes nothing about memory here). A loop inside that was cut is taken to
//! have ended, as it does in such a run. If all runs of that program end, there is no such run. A loop that is inside of
//! another is entered through the other's head, so a part about the other covers it as well, unless it was cut there.
//!
//! A run that does something undefined has ended, as everywhere. A loop that only a signed overflow ends is not said
//! to end, and what other code may have computed has no bounds there (`overflow`).

mod structure;

use std::collections::BTreeSet;
use std::time::Instant;

use ouro_evidence::{
    IntegerSemantics, LoopPart, LoopView, PartwiseTermination, SourcePlace, UndefinedBehaviour,
};
use ouro_isolate::{
    CodeScope, IsolatedLoop, IsolatedProgram, IsolationOptions, MemoryTrust, ProgramEffects,
    isolate_loop,
};
use ouro_machine::SIGNED_OVERFLOW;
use ouro_model::flow::Loop;
use ouro_model::{BinaryOp, FunctionId, Instruction, Program};
use ouro_term::TermStore;

use crate::over::{CheckResult, reject_evidence};
use crate::ranked_program::{UnknownOrigin, check_program_ranking};
use crate::undefined::UndefinedNaming;
use crate::{make_machine, overflow_semantics};
use structure::{ReachedFunction, reached_functions};

/// Checks proofs by parts of a program, or single parts of one.
pub struct PartwiseChecker<'p> {
    program: &'p Program,
    effects: ProgramEffects,
    reached: Vec<ReachedFunction>,
}

/// A loop that a run may come to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProgramLoop {
    /// The function that it is in.
    pub function: FunctionId,
    /// The loop.
    pub found: Loop,
    /// Where it is.
    pub place: SourcePlace,
}

impl ProgramLoop {
    /// Whether another loop is inside of this one.
    pub fn surrounds(&self, other: &ProgramLoop) -> bool {
        self.function == other.function && self.found.body.contains(&other.found.head)
    }
}

impl<'p> PartwiseChecker<'p> {
    /// Looks at a program; why not, if no proof by parts can speak of it. It must be well-formed.
    pub fn new(program: &'p Program) -> CheckResult<Self> {
        let reached = reached_functions(program)?;
        let effects = ProgramEffects::of_program(program, CodeScope::Program);
        Ok(PartwiseChecker { program, effects, reached })
    }

    /// The loops of all functions that runs may reach; a function comes after those that it calls.
    pub fn loops(&self) -> Vec<ProgramLoop> {
        let mut all = Vec::new();
        for ReachedFunction { id, loops, .. } in &self.reached {
            all.extend(loops.iter().map(|found| ProgramLoop {
                function: *id,
                found: found.clone(),
                place: SourcePlace::of_span(self.program, *id, found.span),
            }));
        }
        all
    }

    /// A loop as programs of its own, in all views that rest on nothing, the smallest first; none if there is no
    /// such loop, or the loops inside cannot be cut.
    pub fn views(&self, function: u32, head: u32, cuts: bool) -> Vec<(LoopView, Program)> {
        let Some(made) = self.isolate(function, head, cuts) else { return Vec::new() };
        let sights = (0..).map(LoopView::Sight).zip(made.sights);
        let all = sights.chain([(LoopView::Slim, made.slim), (LoopView::Full, made.full)]);
        all.filter(|(_, made)| self.foreign_assumption(made).is_none())
            .map(|(view, made)| (view, made.program))
            .collect()
    }

    fn isolate(&self, function: u32, head: u32, cuts: bool) -> Option<IsolatedLoop> {
        let reached = self.reached.iter().find(|one| one.id.0 == function)?;
        let found = reached.loops.iter().find(|one| one.head.0 == head)?;
        let how = IsolationOptions { cuts, trust: MemoryTrust::Nothing, without: &[] };
        isolate_loop(self.program, &self.effects, reached.id, &reached.flow, found, how)
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
        let loops = self.loops();
        for one in &loops {
            let covers = |part: &LoopPart| self.covers(&loops, part, one);
            if !proof.parts.iter().any(covers) {
                return reject_evidence(format!("no part is about the loop at {}", one.place));
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

    /// Whether a part that holds says that a loop, one of all those there are, ends.
    pub fn covers(&self, loops: &[ProgramLoop], part: &LoopPart, one: &ProgramLoop) -> bool {
        let is_own =
            |of: &&ProgramLoop| of.function.0 == part.function && of.found.head.0 == part.head;
        let Some(of) = loops.iter().find(is_own) else { return false };
        of == one || (!part.cuts && of.surrounds(one))
    }

    /// Accepts a part, or says why not; see [`PartwiseChecker::check_proof`].
    pub fn check_part(
        &self,
        ints: IntegerSemantics,
        part: &LoopPart,
        names_undefined: bool,
        deadline: Instant,
    ) -> CheckResult<Vec<UndefinedBehaviour>> {
        let Some(made) = self.isolate(part.function, part.head, part.cuts) else {
            return reject_evidence(format!("there is no such loop at {}", part.place));
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
        let function = &self.program.functions[FunctionId(part.function)];
        if !function.user {
            return Vec::new();
        }
        let own: BTreeSet<u32> = (function.blocks.iter().flat_map(|block| &block.statements))
            .filter(|one| one.span.is_known() && is_signed_operation(&one.instruction))
            .map(|one| one.span.line)
            .collect();
        let is_own = |one: &UndefinedBehaviour| {
            !one.what.starts_with(SIGNED_OVERFLOW) || own.contains(&one.place.line)
        };
        found.into_iter().filter(is_own).collect()
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
