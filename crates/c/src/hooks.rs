//! Where the code of a specification runs: when a function is entered or left, before the program and
//! when it ends.
//!
//! Hooks are woven into the function itself, not into its callers, so that they also run when it is called
//! through a pointer. A function without body gets one for that, which does what a call of it does. Calls
//! that the specification's own code makes go to a copy without hooks: it only looks.

use std::collections::BTreeSet;

use ouro_model::monitor::{HookMoment, Monitor, MonitorHook, OWN};
use ouro_model::{
    Callee, CompassionPair, FairnessEvent, FileId, Function, FunctionId, GlobalId, Instruction,
    MonitorObligation, Operand, Program, ProgramQuestion, Span, Statement, Terminator, Type,
};

use crate::llvm::LlvmValue;
use crate::lower::{LlvmLowering, ResolvedSymbol, plain_name};
use crate::monitor::{resolve_hooked_name, specification_error};
use crate::{CompileError, CompileOptions};

/// What a specification has become in the program.
#[derive(Clone, Debug, Default)]
pub(crate) struct WovenMonitor {
    pub(crate) start: Option<FunctionId>,
    pub(crate) step: Option<FunctionId>,
    pub(crate) end: Option<FunctionId>,
    /// The flag that `main` has started, where constructors come before it.
    pub(crate) in_main: Option<GlobalId>,
    /// Hooks that run somewhere, by their place among the monitor's.
    used: BTreeSet<usize>,
    /// What does not fit the program.
    refusal: Option<CompileError>,
}

/// Whether a function or object is the monitor's own.
pub(crate) fn is_owned_by_monitor(value: LlvmValue<'_>) -> bool {
    value.name().starts_with(OWN)
}

/// Whether hooks run at the function of this name.
pub(crate) fn is_hooked(options: &CompileOptions, name: &str) -> bool {
    let hooks = options.monitor.iter().flat_map(|monitor| &monitor.hooks);
    hooks.into_iter().any(|hook| resolve_hooked_name(&hook.function, options) == name)
}

impl<'c> LlvmLowering<'c> {
    /// Asks for the functions that run before the program, again and again, and at its end.
    pub(crate) fn weave_monitor(&mut self) {
        let options = self.options;
        let Some(monitor) = &options.monitor else { return };
        self.woven.start = monitor.start.as_deref().and_then(|name| self.monitor_function_id(name));
        let step = monitor.step.as_ref();
        self.woven.step = step.and_then(|step| self.monitor_function_id(&step.function));
        self.woven.end = monitor.end.as_deref().and_then(|name| self.monitor_function_id(name));
    }

    fn monitor_function_id(&mut self, name: &str) -> Option<FunctionId> {
        let function =
            self.user.find_function(name).filter(|function| !function.is_declaration())?;
        Some(self.function_id(ResolvedSymbol::Function(function)))
    }

    /// Weaves the hooks of a function into it.
    pub(crate) fn weave_hooks(&mut self, function: &mut Function, value: LlvmValue<'c>) {
        let options = self.options;
        let Some(monitor) = &options.monitor else { return };
        let name = plain_name(value);
        if is_owned_by_monitor(value) || !is_hooked(options, &name) {
            return;
        }
        let mut entry = Vec::new();
        let mut exits: Vec<(FunctionId, Vec<Operand>, bool)> = Vec::new();
        for (index, hook) in monitor.hooks.iter().enumerate() {
            if resolve_hooked_name(&hook.function, options) != name {
                continue;
            }
            let Some(code) = self.user.find_function(&hook.name) else { continue };
            self.woven.used.insert(index);
            match self.arguments_of_hook(monitor, hook, function, value, code) {
                Err(error) => self.woven.refusal = self.woven.refusal.take().or(Some(error)),
                Ok(arguments) => {
                    let id = self.function_id(ResolvedSymbol::Function(code));
                    match hook.moment {
                        HookMoment::Entry => entry.push((id, arguments)),
                        HookMoment::Exit => exits.push((id, arguments, hook.returned.is_some())),
                    }
                }
            }
        }
        weave_hook_calls(function, entry, &exits);
    }

    /// The parameters of the function that a hook looks at, if they are passed as they are written.
    fn arguments_of_hook(
        &mut self,
        monitor: &Monitor,
        hook: &MonitorHook,
        function: &Function,
        value: LlvmValue<'c>,
        code: LlvmValue<'c>,
    ) -> Result<Vec<Operand>, CompileError> {
        let mut wanted: Vec<Type> = Vec::new();
        let mut arguments = Vec::new();
        let hidden = value.structure_result_type(0).is_some();
        for (number, span) in &hook.parameters {
            let index = usize::try_from(*number).unwrap_or(0).wrapping_sub(1);
            // A structure may be passed in pieces, or a result through a hidden parameter.
            let param = function.params.get(index).filter(|_| !hidden);
            let Some(param) = param else {
                return Err(specification_error(
                    monitor,
                    *span,
                    &split_structure_message(&format!("${number}"), hook),
                ));
            };
            wanted.push(function.vars[*param].ty);
            arguments.push(Operand::Var(*param));
        }
        if hook.returned.is_some() {
            wanted.extend(&function.returns);
        }
        let mut given = Vec::new();
        for parameter in code.parameters() {
            let leaves =
                crate::layout::type_leaves(self.layout, parameter.ty()).unwrap_or_default();
            given.extend(leaves.into_iter().map(|leaf| leaf.ty));
        }
        if given != wanted {
            return Err(specification_error(
                monitor,
                hook.span,
                &split_structure_message("a value", hook),
            ));
        }
        Ok(arguments)
    }

    /// What a specification adds to the finished program.
    pub(crate) fn finish_monitor(&mut self) -> Result<MonitoredQuestion, CompileError> {
        let options = self.options;
        let Some(monitor) = &options.monitor else { return Ok(MonitoredQuestion::default()) };
        if let Some(refusal) = self.woven.refusal.take() {
            return Err(refusal);
        }
        for (index, hook) in monitor.hooks.iter().enumerate() {
            if self.woven.used.contains(&index) {
                continue;
            }
            let file = monitor.files.first().map_or("", String::as_str);
            for sentence in &hook.vacuous {
                let (line, name) = (hook.span.line, resolve_hooked_name(&hook.function, options));
                self.note_assumption(format!(
                    "{file}:{line}: the program never calls {name}, so \
                     {sentence}"
                ));
            }
        }
        let files: Vec<FileId> =
            monitor.files.iter().map(|file| self.file_id_of_name(file)).collect();
        let span = |span: Span| match files.get(usize::try_from(span.file.0).unwrap_or(0)) {
            Some(file) => Span { file: *file, ..span },
            None => Span::NONE,
        };
        let event = |e: &FairnessEvent| FairnessEvent { name: e.name.clone(), span: span(e.span) };
        let obligation =
            |o: &MonitorObligation| MonitorObligation { name: o.name.clone(), span: span(o.span) };
        let pair = |f: &CompassionPair| CompassionPair { span: span(f.span), ..f.clone() };
        Ok(MonitoredQuestion {
            question: ProgramQuestion::Liveness,
            events: monitor.events.iter().map(event).collect(),
            obligations: monitor.obligations.iter().map(obligation).collect(),
            fairness: monitor.fairness.iter().map(pair).collect(),
        })
    }
}

fn split_structure_message(what: &str, hook: &MonitorHook) -> String {
    format!(
        "{what} of {} is a structure that is passed in parts; a specification can only use \
         numbers and pointers",
        hook.function
    )
}

/// What is asked about a program.
#[derive(Clone, Debug, Default)]
pub(crate) struct MonitoredQuestion {
    pub(crate) question: ProgramQuestion,
    pub(crate) events: Vec<FairnessEvent>,
    pub(crate) obligations: Vec<MonitorObligation>,
    pub(crate) fairness: Vec<CompassionPair>,
}

/// Calls hooks at the start of a function and before every return. At a return the parameters are what
/// was passed: the function may have changed its own.
fn weave_hook_calls(
    function: &mut Function,
    entry: Vec<(FunctionId, Vec<Operand>)>,
    exits: &[(FunctionId, Vec<Operand>, bool)],
) {
    let span = function.span;
    let call = |id: FunctionId, args: Vec<Operand>, span: Span| Statement {
        instruction: Instruction::Call { dsts: Vec::new(), callee: Callee::Function(id), args },
        span,
    };
    let mut first: Vec<Statement> = Vec::new();
    let mut at_exit = Vec::new();
    for (id, arguments, returned) in exits {
        let mut kept = Vec::new();
        for argument in arguments {
            let ty = function.type_of(*argument).unwrap_or(Type::Ptr);
            let kind = ouro_model::VarKind::Temp;
            let dst = function.vars.push(ouro_model::LocalVar { name: String::new(), ty, kind });
            first.push(Statement {
                instruction: Instruction::Assign { dst, value: *argument },
                span,
            });
            kept.push(Operand::Var(dst));
        }
        at_exit.push((*id, kept, *returned));
    }
    first.extend(entry.into_iter().map(|(id, arguments)| call(id, arguments, span)));
    for block in function.blocks.iter_mut() {
        let Terminator::Return(values) = &block.terminator else { continue };
        for (id, arguments, returned) in &at_exit {
            let mut arguments = arguments.clone();
            if *returned {
                arguments.extend(values.iter().copied());
            }
            block.statements.push(call(*id, arguments, block.span));
        }
    }
    // Nothing jumps to the first block of a function.
    if let Some(block) = function.blocks.iter_mut().next() {
        block.statements.splice(0..0, first);
    }
}

/// Calls the end of the monitor wherever the program ends.
pub(crate) fn weave_end_calls(program: &mut Program, end: FunctionId) {
    for block in program.functions.iter_mut().flat_map(|function| function.blocks.iter_mut()) {
        if let Terminator::Exit(status) = block.terminator {
            let callee = Callee::Function(end);
            let instruction = Instruction::Call { dsts: Vec::new(), callee, args: vec![status] };
            block.statements.push(Statement { instruction, span: block.span });
        }
    }
}
