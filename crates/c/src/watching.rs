//! From when on a specification looks: constructors come before `main`, and what they do is no state of a run.
//!
//! A formula speaks of the start of `main` and of what comes after it. Where a program has constructors, a
//! flag says whether they are done, and the step and the end of the monitor look at it first: constructors
//! and `main` may call the same functions, also through pointers, so where code stands does not tell. A run
//! that never gets to `main` has no states, and no formula is true or false of it; it is none to look for, so
//! each state passes an event that a run to look for has infinitely often.

use std::collections::BTreeSet;

use ouro_model::monitor::{Monitor, OWN};
use ouro_model::{
    BuiltinFunction, Callee, CompareOp, CompassionPair, EventTrigger, FairnessEvent, Function,
    FunctionId, GlobalId, GlobalObject, Instruction, Operand, Program, Span, Terminator, Type,
    VarKind,
};

use crate::builder::FunctionBuilder;
use crate::lower::LlvmLowering;
use crate::values::int_constant;

impl LlvmLowering<'_> {
    /// The flag that the start of `main` sets, if there is a formula that must not see what comes before.
    pub(crate) fn flag_of_main(&mut self) -> Option<GlobalId> {
        let watches = |monitor: &Monitor| monitor.step.is_some() && monitor.hooks.is_empty();
        if !self.options.monitor.as_ref().is_some_and(watches) {
            return None;
        }
        let flag = self.globals.push(GlobalObject {
            name: format!("{OWN}in_main"),
            size: 1,
            align: 1,
            constant: false,
            shared: false,
            zeroed: true,
            cells: Vec::new(),
            span: Span::NONE,
            user: false,
        });
        self.woven.in_main = Some(flag);
        self.woven.in_main
    }
}

/// A step that does nothing before `main`.
pub(crate) fn step_in_main(
    program: &mut Program,
    own: &mut BTreeSet<FunctionId>,
    flag: GlobalId,
    step: FunctionId,
) -> FunctionId {
    let mut event = None;
    if program.fairness.is_empty() {
        let name = "a state of the program".to_owned();
        event = Some(program.events.len());
        program.events.push(FairnessEvent { name, span: Span::NONE });
        program.fairness.push(CompassionPair {
            name: "a run that gets to main".to_owned(),
            p: EventTrigger::Always,
            q: vec![u32::try_from(program.events.len() - 1).unwrap_or(u32::MAX)],
            span: Span::NONE,
        });
    }
    make_flag_guarded(program, own, flag, step, event)
}

/// The end of a run, if it got to `main`.
pub(crate) fn end_in_main(
    program: &mut Program,
    own: &mut BTreeSet<FunctionId>,
    flag: GlobalId,
    end: FunctionId,
) -> FunctionId {
    make_flag_guarded(program, own, flag, end, None)
}

/// A function that passes an event and calls another one with its own parameters, if the flag is set.
fn make_flag_guarded(
    program: &mut Program,
    own: &mut BTreeSet<FunctionId>,
    flag: GlobalId,
    inner: FunctionId,
    event: Option<usize>,
) -> FunctionId {
    let called = &program.functions[inner];
    let name = called.name.clone();
    let mut builder = FunctionBuilder::new();
    let types: Vec<Type> = called.params.iter().map(|param| called.vars[*param].ty).collect();
    let params: Vec<_> =
        types.iter().map(|ty| builder.add_variable("", *ty, VarKind::Temp)).collect();
    let (first, inside, done) =
        (builder.reserve_block(), builder.reserve_block(), builder.reserve_block());
    builder.start_block(first);
    let address = Operand::Global(flag, 0);
    let set = builder.emit_with_result(Type::Int(8), |dst| Instruction::Load { dst, address });
    let condition = builder.emit_with_result(Type::Int(1), |dst| Instruction::Compare {
        dst,
        op: CompareOp::Ne,
        left: set,
        right: int_constant(8, 0),
    });
    builder.finish(Terminator::Branch { condition, then: inside, otherwise: done });
    builder.start_block(inside);
    if let Some(event) = event {
        let callee = Callee::Builtin(BuiltinFunction::Event);
        let args = vec![int_constant(32, event as u128)];
        builder.emit(Instruction::Call { dsts: Vec::new(), callee, args });
    }
    builder.emit(Instruction::Call {
        dsts: Vec::new(),
        callee: Callee::Function(inner),
        args: params.iter().map(|param| Operand::Var(*param)).collect(),
    });
    builder.finish(Terminator::Goto(done));
    builder.start_block(done);
    builder.finish(Terminator::Return(Vec::new()));
    let (vars, blocks, _) = builder.into_blocks(&[]);
    let id = program.functions.push(Function {
        name,
        vars,
        params,
        variadic: false,
        returns: Vec::new(),
        blocks,
        span: Span::NONE,
        user: false,
        specification: true,
    });
    own.insert(id);
    id
}
