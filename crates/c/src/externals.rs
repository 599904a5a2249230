//! Calls of functions without a body: what each is taken to do.

use ouro_model::{
    BinaryOp, BuiltinFunction, Callee, CastOp, ChoiceSource, CompareOp, Instruction, Operand,
    Terminator, Type, UnaryOp, VarId,
};

use crate::comparisons;
use crate::function::{FunctionTranslator, TranslationResult, limit_terminator};
use crate::hooks;
use crate::llvm::{LlvmType, LlvmValue};
use crate::lower::ResolvedSymbol;
use crate::replaced::text_of_limit;
use crate::results::ResultUse;
use crate::standard::{self, StandardOrigin};
use crate::values::{int_constant, undefined_terminator};
use crate::{Allocations, Externs, InputExtent};

/// Functions that end the program because an assertion failed.
const ASSERTIONS: [&str; 7] = [
    "__assert_fail",
    "__assert_perror_fail",
    "__assert",
    "__assert_func",
    "__assert_rtn",
    "__assert_c99",
    "_assert",
];

/// Functions with which control leaves the order that the model knows.
const NOT_SEQUENTIAL: [&str; 41] = [
    "pthread_create",
    "pthread_exit",
    "pthread_cancel",
    "pthread_join",
    "pthread_cond_wait",
    "pthread_cond_timedwait",
    "thrd_create",
    "thrd_exit",
    "thrd_join",
    "clone",
    "fork",
    "vfork",
    "_Fork",
    "signal",
    "bsd_signal",
    "sysv_signal",
    "sigset",
    "sigaction",
    "sigsuspend",
    "sigwait",
    "raise",
    "kill",
    "killpg",
    "alarm",
    "ualarm",
    "setitimer",
    "timer_create",
    "pause",
    "setjmp",
    "_setjmp",
    "__sigsetjmp",
    "sigsetjmp",
    "longjmp",
    "_longjmp",
    "siglongjmp",
    "setcontext",
    "swapcontext",
    "makecontext",
    "getcontext",
    "execve",
    "system",
];

/// Functions of the mathematical library that the model has no operator for. Their result depends
/// on their arguments alone, so it is nothing that the environment may pick.
const UNKNOWN_MATHEMATICS: [&str; 36] = [
    "pow",
    "exp",
    "exp2",
    "exp10",
    "expm1",
    "log",
    "log2",
    "log10",
    "log1p",
    "logb",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "atan2",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "acosh",
    "atanh",
    "cbrt",
    "hypot",
    "erf",
    "erfc",
    "tgamma",
    "fma",
    "remainder",
    "ldexp",
    "scalbn",
    "scalbln",
    "nextafter",
    "nexttoward",
    "fdim",
];

/// What is assumed of a program that uses SV-COMP's functions if the user does not say otherwise.
const ALLOCATIONS_OF_SVCOMP: &str = "memory allocation succeeds, because the program uses \
                                     SV-COMP's functions (change this with --allocations may-fail)";

/// What is assumed if the user says so.
pub const INPUT_ENDS: &str = "every file and stream has finitely many bytes, followed by end of \
                              file or the same error forever (change this with --input any)";

impl<'c> FunctionTranslator<'_, 'c> {
    /// A primitive of the library (`__ouro_…`), if this is one.
    pub(crate) fn translate_primitive(
        &mut self,
        call: LlvmValue<'c>,
        function: LlvmValue<'c>,
    ) -> TranslationResult<Option<Vec<Operand>>> {
        let name = function.name();
        let Some(name) = name.strip_prefix("__ouro_") else { return Ok(None) };
        if !function.is_declaration() {
            return Ok(None);
        }
        let arguments = call.arguments();
        let argument = |index: usize| {
            arguments
                .get(index)
                .copied()
                .ok_or_else(|| limit_terminator(format!("a call of __ouro_{name}")))
        };
        if let "event" | "violation" | "guess" = name
            && self.program.options.monitor.is_none()
        {
            return Err(limit_terminator(format!("__ouro_{name} without a specification")));
        }
        if let Some(builtin) = BuiltinFunction::from_name(name) {
            let mut args = Vec::new();
            for argument in &arguments {
                args.push(self.single_operand(*argument)?);
            }
            if !self.is_specified_number(builtin, &args) {
                return Err(limit_terminator(format!(
                    "a call of __ouro_{name} with a number that the specification does not have"
                )));
            }
            let types = self.scalar_types(call.ty())?;
            let dsts: Vec<VarId> =
                types.into_iter().map(|ty| self.builder.add_temporary(ty)).collect();
            self.builder.emit(Instruction::Call {
                dsts: dsts.clone(),
                callee: Callee::Builtin(builtin),
                args,
            });
            return Ok(Some(dsts.into_iter().map(Operand::Var).collect()));
        }
        if name.starts_with("choice_") {
            // What is no name is said in the user's words.
            let source = match self.required_literal(argument(0)?)? {
                words if words.contains(' ') => ChoiceSource::Other(words),
                name => ChoiceSource::Function(name),
            };
            return Ok(Some(self.emit_choices(call.ty(), &source)?));
        }
        if name.starts_with("unknown_") {
            let why = self.required_literal(argument(0)?)?;
            let types = self.scalar_types(call.ty())?;
            return Ok(Some(self.emit_unknowns(&types, &why)));
        }
        match name {
            "output_fails" => {
                let source = ChoiceSource::Output(self.required_literal(argument(0)?)?);
                Ok(Some(self.emit_choices(call.ty(), &source)?))
            }
            "result_unused" | "result_stored" | "result_kept" => {
                let used = ResultUse::of_literals(&self.literals);
                let holds = match name {
                    "result_unused" => used == ResultUse::Unused,
                    "result_stored" => used == ResultUse::Stored,
                    _ => used == ResultUse::Kept,
                };
                Ok(Some(vec![int_constant(1, u128::from(holds))]))
            }
            "assumption" => {
                let what = self.required_literal(argument(0)?)?;
                self.program.note_assumption(what);
                Ok(Some(Vec::new()))
            }
            "only_compares" => {
                let given = self.single_operand(argument(0)?)?;
                let mut result = int_constant(1, 0);
                for function in comparisons::find_comparison_functions(self.program.user) {
                    let known = self.single_operand(function)?;
                    let same = self.emit_compare(CompareOp::Eq, given, known);
                    result = self.emit_binary(BinaryOp::Or, result, same);
                }
                Ok(Some(vec![result]))
            }
            "no_memory" => match self.program.allocations {
                Allocations::MayFail => {
                    let source = ChoiceSource::Allocation(self.required_literal(argument(0)?)?);
                    Ok(Some(self.emit_choices(call.ty(), &source)?))
                }
                Allocations::Succeed => {
                    self.program.note_assumption(match self.program.options.allocations {
                        Some(_) => "memory allocation never fails".to_owned(),
                        None => ALLOCATIONS_OF_SVCOMP.to_owned(),
                    });
                    Ok(Some(vec![self.single_operand(argument(1)?)?]))
                }
            },
            "input_ends" => {
                self.program.reads_input = true;
                let ends = self.program.options.input == InputExtent::Ends;
                if ends {
                    self.program.note_assumption(INPUT_ENDS.to_owned());
                }
                let ends = u128::from(ends);
                Ok(Some(vec![int_constant(32, ends)]))
            }
            "assume" => {
                let condition = self.single_operand(argument(0)?)?;
                self.assume_nonzero(condition);
                Ok(Some(Vec::new()))
            }
            "guess" => {
                let guess = self.builder.emit_with_result(Type::Int(1), |dst| {
                    Instruction::Choice { dst, source: ChoiceSource::Guess }
                });
                let types = self.scalar_types(call.ty())?;
                let [ty @ Type::Int(2..)] = types[..] else {
                    return Err(limit_terminator("a guess that is no integer"));
                };
                let op = CastOp::ZeroExtend;
                let wide = self.builder.emit_with_result(ty, |dst| Instruction::Cast {
                    dst,
                    op,
                    value: guess,
                });
                Ok(Some(vec![wide]))
            }
            "exit" => Err(Terminator::Exit(self.single_operand(argument(0)?)?)),
            "abort" => Err(Terminator::Abort(self.required_literal(argument(0)?)?)),
            "limit" => Err(Terminator::Limit(self.required_literal(argument(0)?)?)),
            "undefined" => Err(Terminator::Undefined(self.required_literal(argument(0)?)?)),
            "destructors" => {
                let id = self.program.destructors_function_id();
                self.builder.emit(Instruction::Call {
                    dsts: Vec::new(),
                    callee: Callee::Function(id),
                    args: Vec::new(),
                });
                Ok(Some(Vec::new()))
            }
            _ => Err(limit_terminator(format!("the primitive __ouro_{name}"))),
        }
    }

    /// Whether the number of an event or obligation is one of the specification's. Only monitors should
    /// pass events, but a program can say anything.
    fn is_specified_number(&self, builtin: BuiltinFunction, args: &[Operand]) -> bool {
        let monitor = self.program.options.monitor.as_ref();
        let count = match builtin {
            BuiltinFunction::Event => monitor.map(|monitor| monitor.events.len()),
            BuiltinFunction::Violation => monitor.map(|monitor| monitor.obligations.len()),
            _ => return true,
        };
        matches!(args, [Operand::Const { bits, .. }] if *bits < count.unwrap_or(0) as u128)
    }

    /// A call of a function without body.
    pub(crate) fn external_call(
        &mut self,
        function: LlvmValue<'c>,
        result: LlvmType<'c>,
        arguments: Vec<Vec<Operand>>,
        call: Option<LlvmValue<'c>>,
        returns_never: bool,
    ) -> TranslationResult<Vec<Operand>> {
        let name = function.name();
        let arguments: Vec<Operand> = arguments.into_iter().flatten().collect();
        let types = self.scalar_types(result)?;
        if name.starts_with("__ouro_") {
            // Called through a pointer: what a primitive does cannot be seen there.
            return Err(limit_terminator(format!("a call of {name} through a pointer")));
        }
        match name.as_str() {
            "abort" => return Err(Terminator::Abort("abort()".to_owned())),
            "reach_error" | "__VERIFIER_error" => {
                return Err(Terminator::Abort(format!("{name}()")));
            }
            "exit" | "_exit" | "_Exit" | "quick_exit" => {
                if let [status] = arguments[..]
                    && self.builder.type_of(status) == Type::Int(32)
                {
                    return Err(Terminator::Exit(status));
                }
            }
            "__VERIFIER_assume" => {
                if let [condition] = arguments[..] {
                    self.assume_nonzero(condition);
                    return Ok(Vec::new());
                }
            }
            "__VERIFIER_atomic_begin" | "__VERIFIER_atomic_end" => return Ok(Vec::new()),
            "__VERIFIER_nondet_memory" => {
                return Err(limit_terminator("__VERIFIER_nondet_memory"));
            }
            _ => {}
        }
        if ASSERTIONS.contains(&name.as_str()) {
            if let Some(own) = self.program.own_allocation() {
                return Err(limit_terminator(text_of_limit("a failed assertion", own)));
            }
            return Err(Terminator::Abort("assertion failed".to_owned()));
        }
        if NOT_SEQUENTIAL.contains(&name.as_str()) {
            return Err(limit_terminator(format!("the function {name}")));
        }
        if is_complex_arithmetic(&name) {
            return Ok(self.emit_unknowns(&types, "complex arithmetic is not modelled"));
        }
        if let Some(results) = self.translate_math_call(&name, &types, &arguments) {
            return Ok(results);
        }
        if let Some(results) = self.translate_cxx_runtime_call(&name, &types, &arguments)? {
            return Ok(results);
        }
        if returns_never {
            return Err(limit_terminator(format!(
                "the function {}, which has no body and does not return",
                standard::readable_function_name(&name)
            )));
        }
        if name.starts_with("__VERIFIER_nondet_") {
            self.havoc_structure_result(function, &arguments)?;
            return self.emit_choices(result, &ChoiceSource::Function(name));
        }
        if let Some(results) = self.standard_call(function, &types, &arguments)? {
            return Ok(results);
        }
        self.note_passed_memory(function, call)?;
        self.havoc_structure_result(function, &arguments)?;
        let readable = standard::readable_function_name(&name);
        match self.program.options.externs {
            Externs::Choice => {
                self.program.note_external_assumption(format!(
                    "the function {readable} has no body: it is assumed to return any value and \
                     to change nothing"
                ));
                self.emit_choices(result, &ChoiceSource::Function(name))
            }
            Externs::Unknown => {
                self.program.note_external_assumption(format!(
                    "the function {readable} has no body: it is assumed to change nothing"
                ));
                Ok(self.emit_unknowns(&types, &format!("the function {readable} has no body")))
            }
        }
    }

    /// A call of a function of a standard library that ours does not have. What only computes gives a number that
    /// nobody knows; of anything else nothing is known.
    fn standard_call(
        &mut self,
        function: LlvmValue<'c>,
        types: &[Type],
        arguments: &[Operand],
    ) -> TranslationResult<Option<Vec<Operand>>> {
        let name = function.name();
        let Some(origin) = standard::declared_origin(&name, function.value_type()) else {
            return Ok(None);
        };
        let pointer = |ty: Type| ty == Type::Ptr;
        let plain = !types.iter().copied().any(pointer)
            && !arguments.iter().any(|argument| pointer(self.builder.type_of(*argument)));
        if origin == StandardOrigin::Mathematics && plain {
            self.note_mathematics();
            return Ok(Some(self.emit_unknowns(types, &format!("{name}() is not modelled"))));
        }
        if self.program.options.unit {
            // A program of single loops has the call itself, which may do anything that a function can.
            return Ok(None);
        }
        if hooks::is_hooked(self.program.options, &name) {
            // The specification says what matters of it; what else it does is assumed, and named.
            return Ok(None);
        }
        Err(limit_terminator(format!(
            "the library function {}",
            standard::readable_function_name(&name)
        )))
    }

    /// Fills the memory through which a function without body returns a structure: every call
    /// returns another one, so what the memory held before must not stay.
    fn havoc_structure_result(
        &mut self,
        function: LlvmValue<'c>,
        arguments: &[Operand],
    ) -> TranslationResult<()> {
        for (index, argument) in (0..).zip(arguments) {
            let Some(ty) = function.structure_result_type(index) else { continue };
            let name = function.name();
            let values = match self.program.options.externs {
                Externs::Choice => self.emit_choices(ty, &ChoiceSource::Function(name))?,
                Externs::Unknown => {
                    let types = self.scalar_types(ty)?;
                    self.emit_unknowns(&types, &format!("the function {name} has no body"))
                }
            };
            self.emit_store(*argument, ty, &values)?;
        }
        Ok(())
    }

    /// A fresh choice for every scalar of a type.
    fn emit_choices(
        &mut self,
        ty: LlvmType<'c>,
        source: &ChoiceSource,
    ) -> TranslationResult<Vec<Operand>> {
        let types = self.scalar_types(ty)?;
        Ok(types
            .into_iter()
            .map(|ty| {
                let source = source.clone();
                self.builder.emit_with_result(ty, |dst| Instruction::Choice { dst, source })
            })
            .collect())
    }

    /// A fresh unknown for every scalar.
    pub(crate) fn emit_unknowns(&mut self, types: &[Type], why: &str) -> Vec<Operand> {
        types
            .iter()
            .map(|ty| {
                let why = why.to_owned();
                self.builder.emit_with_result(*ty, |dst| Instruction::Unknown { dst, why })
            })
            .collect()
    }

    pub(crate) fn assume_nonzero(&mut self, value: Operand) {
        let condition = match self.builder.type_of(value) {
            Type::Int(1) => value,
            ty => {
                let zero = Operand::Const { ty, bits: 0 };
                self.emit_compare(CompareOp::Ne, value, zero)
            }
        };
        self.builder.emit(Instruction::Assume { condition });
    }

    fn translate_math_call(
        &mut self,
        name: &str,
        types: &[Type],
        arguments: &[Operand],
    ) -> Option<Vec<Operand>> {
        let [Type::Float(bits)] = types else { return None };
        let first = self.builder.type_of(*arguments.first()?);
        if first != Type::Float(*bits) {
            return None;
        }
        let known = |base: &str| match bits {
            32 => name.strip_suffix('f') == Some(base),
            64 => name == base,
            _ => name.strip_suffix('l') == Some(base),
        };
        if known("sqrt") {
            return Some(vec![self.emit_unary(UnaryOp::FloatSqrt, arguments[0])]);
        }
        UNKNOWN_MATHEMATICS.into_iter().find(|base| known(base))?;
        self.note_mathematics();
        Some(self.emit_unknowns(types, &format!("{name}() is not modelled")))
    }

    /// Tells the library, if the program looks at `errno`, that a mathematical function without a model may have set it.
    fn note_mathematics(&mut self) {
        self.note_errno_change("ouro_mathematics");
    }

    /// Tells the library, if the program looks at `errno`, that it may have been set: `notes` is the function to tell.
    pub(crate) fn note_errno_change(&mut self, notes: &str) {
        let is_unit = self.program.options.unit;
        if is_unit || !self.program.is_named_by_user("__errno_location") {
            return;
        }
        if let Ok(Some(notes)) = self.program.library_function(notes) {
            let callee =
                Callee::Function(self.program.function_id(ResolvedSymbol::Function(notes)));
            self.builder.emit(Instruction::Call { dsts: Vec::new(), callee, args: Vec::new() });
        }
    }

    /// An operator of the program that those of the C++ library call.
    fn own_operator(&self) -> Option<&'static str> {
        let operators =
            [("_Znwm", "operator new"), ("_Znwj", "operator new"), ("_ZdlPv", "operator delete")];
        let is_own = |name: &str| {
            self.program.user.find_function(name).is_some_and(|found| !found.is_declaration())
        };
        operators.into_iter().find(|(name, _)| is_own(name)).map(|(_, words)| words)
    }

    /// Memory and guards of C++ programs.
    fn translate_cxx_runtime_call(
        &mut self,
        name: &str,
        types: &[Type],
        arguments: &[Operand],
    ) -> TranslationResult<Option<Vec<Operand>>> {
        if ["_Znw", "_Zna", "_Zdl", "_Zda"].iter().any(|start| name.starts_with(start))
            && let Some(own) = self.program.own_allocation().or_else(|| self.own_operator())
        {
            return Err(limit_terminator(text_of_limit(
                &standard::readable_function_name(name),
                own,
            )));
        }
        match (name, arguments) {
            ("_Znwm" | "_Znwj" | "_Znam" | "_Znaj", [size]) => {
                self.program.note_assumption("operator new never runs out of memory".to_owned());
                let size = self.resize_integer(*size, self.program.pointer_bits);
                Ok(Some(vec![self.builder.emit_with_result(Type::Ptr, |dst| Instruction::Call {
                    dsts: vec![dst],
                    callee: Callee::Builtin(BuiltinFunction::Allocate),
                    args: vec![size],
                })]))
            }
            (
                "_ZdlPv" | "_ZdaPv" | "_ZdlPvm" | "_ZdaPvm" | "_ZdlPvj" | "_ZdaPvj",
                [pointer, ..],
            ) => {
                self.builder.emit(Instruction::Call {
                    dsts: Vec::new(),
                    callee: Callee::Builtin(BuiltinFunction::Free),
                    args: vec![*pointer],
                });
                Ok(Some(Vec::new()))
            }
            ("__cxa_guard_acquire", [guard]) => {
                let first = self.enter_guarded_initialisation(*guard);
                let ty = types.first().copied().unwrap_or(Type::Int(32));
                Ok(Some(vec![self.convert_scalar(CastOp::ZeroExtend, first, ty)]))
            }
            ("__cxa_guard_release", [guard]) => {
                self.builder
                    .emit(Instruction::Store { address: *guard, value: int_constant(8, 1) });
                let address = self.second_guard_byte(*guard);
                self.builder.emit(Instruction::Store { address, value: int_constant(8, 0) });
                Ok(Some(Vec::new()))
            }
            _ if name.starts_with("__cxa_") => {
                Err(limit_terminator(format!("the C++ function {name}")))
            }
            _ => Ok(None),
        }
    }
}

impl FunctionTranslator<'_, '_> {
    /// Whether a static variable of a function is still to be initialised. The first byte of its guard says that it was,
    /// the second that somebody is at it: to come back then is undefined.
    fn enter_guarded_initialisation(&mut self, guard: Operand) -> Operand {
        let read = |body: &mut Self, address: Operand| {
            let read = |dst| Instruction::Load { dst, address };
            let byte = body.builder.emit_with_result(Type::Int(8), read);
            body.emit_compare(CompareOp::Eq, byte, int_constant(8, 0))
        };
        let first = read(self, guard);
        let [to_do, again, begin, go] = [(); 4].map(|()| self.builder.reserve_block());
        self.builder.finish(Terminator::Branch { condition: first, then: to_do, otherwise: go });
        self.builder.start_block(to_do);
        let address = self.second_guard_byte(guard);
        let idle = read(self, address);
        self.builder.finish(Terminator::Branch { condition: idle, then: begin, otherwise: again });
        self.builder.start_block(again);
        self.builder
            .finish(undefined_terminator("recursion into the initialisation of a static variable"));
        self.builder.start_block(begin);
        self.builder.emit(Instruction::Store { address, value: int_constant(8, 1) });
        self.builder.finish(Terminator::Goto(go));
        self.builder.start_block(go);
        first
    }

    fn second_guard_byte(&mut self, guard: Operand) -> Operand {
        let index = self.address_constant(1);
        self.builder.emit_with_result(Type::Ptr, |dst| Instruction::Offset {
            dst,
            base: guard,
            index,
            scale: 1,
        })
    }
}

/// Whether the C library has a function of this name although ours does not.
pub(crate) fn is_libc_function(name: &str) -> bool {
    let ends = ["abort", "exit", "_exit", "_Exit", "quick_exit", "__assert_fail", "__assert"];
    ends.contains(&name) || NOT_SEQUENTIAL.contains(&name) || standard::is_standard_name(name)
}

/// Whether the mathematical library has a function of this name that ours does not have.
pub(crate) fn is_math_function(name: &str) -> bool {
    let base = name.strip_suffix(['f', 'l']);
    UNKNOWN_MATHEMATICS.iter().any(|known| *known == name || Some(*known) == base)
        || standard::origin_of_name(name) == Some(StandardOrigin::Mathematics)
}

/// Products and quotients of complex numbers, which clang leaves to its runtime library.
fn is_complex_arithmetic(name: &str) -> bool {
    matches!(
        name,
        "__mulsc3"
            | "__muldc3"
            | "__mulxc3"
            | "__multc3"
            | "__divsc3"
            | "__divdc3"
            | "__divxc3"
            | "__divtc3"
    )
}
