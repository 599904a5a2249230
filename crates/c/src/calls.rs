//! Calls of functions of the program, and inline assembly.

use ouro_model::monitor::MonitorStepFrequency;
use ouro_model::{Callee, CastOp, Instruction, Operand, Type, VarId};

use crate::function::{FunctionTranslator, TranslationResult, limit_terminator};
use crate::hooks;
use crate::llvm::{LlvmValue, TypeKind, ValueKind};
use crate::lower::{LiteralArguments, ResolvedSymbol, plain_name};
use crate::results::ResultUse;
use crate::values::undefined_terminator;

impl<'c> FunctionTranslator<'_, 'c> {
    /// Translates a call; gives the scalars it returns.
    pub(crate) fn translate_call(
        &mut self,
        call: LlvmValue<'c>,
    ) -> TranslationResult<Vec<Operand>> {
        let mut callee = call.callee();
        while matches!(callee.kind(), ValueKind::LLVMGlobalAliasValueKind) {
            callee = callee.aliasee();
        }
        match callee.kind() {
            ValueKind::LLVMInlineAsmValueKind => self.translate_inline_assembly(call, callee),
            ValueKind::LLVMFunctionValueKind => {
                let name = callee.name();
                if let Some(intrinsic) = name.strip_prefix("llvm.") {
                    return self.translate_intrinsic(call, intrinsic);
                }
                match self.program.resolve(callee).map_err(limit_terminator)? {
                    symbol @ ResolvedSymbol::Function(_) => self.direct_call(call, symbol),
                    ResolvedSymbol::External(function) => {
                        self.call_external_function(call, function)
                    }
                    ResolvedSymbol::Global(_) => {
                        Err(limit_terminator(format!("a call of the variable {name}")))
                    }
                }
            }
            _ => self.indirect_call(call, callee),
        }
    }

    /// Arguments of a call, each as its scalars.
    fn call_arguments(&mut self, call: LlvmValue<'c>) -> TranslationResult<Vec<Vec<Operand>>> {
        call.arguments().into_iter().map(|argument| self.scalar_operands(argument)).collect()
    }

    fn direct_call(
        &mut self,
        call: LlvmValue<'c>,
        symbol: ResolvedSymbol<'c>,
    ) -> TranslationResult<Vec<Operand>> {
        let function = symbol.value();
        let ty = function.value_type();
        let name = plain_name(function);
        self.check_signature(function)?;
        if let Some(results) = self.translate_primitive(call, function)? {
            return Ok(results);
        }
        let parameters = ty.parameters();
        let arguments = self.call_arguments(call)?;
        if arguments.len() < parameters.len() {
            return Err(limit_terminator(format!("a call of {name} with too few arguments")));
        }
        let mut args = Vec::new();
        for (index, argument) in arguments.into_iter().enumerate() {
            match parameters.get(index) {
                Some(parameter) => {
                    let types = self.scalar_types(*parameter)?;
                    args.extend(self.adapt_scalars(argument, &types, &name)?);
                }
                None if ty.is_variadic() => {
                    self.check_variadic_argument(call, index)?;
                    args.extend(argument);
                }
                // More arguments than parameters, through a declaration without prototype: the
                // callee does not look at them.
                None => {}
            }
        }
        let results = self.scalar_types(ty.result())?;
        let dsts: Vec<VarId> = results.iter().map(|ty| self.builder.add_temporary(*ty)).collect();
        let literals = self.literal_arguments(call, function);
        let id = self.program.special_function_id(symbol, literals);
        self.builder.emit(Instruction::Call {
            dsts: dsts.clone(),
            callee: Callee::Function(id),
            args,
        });
        if never_returns(call, function) {
            return Err(undefined_terminator("a function that is declared not to return returns"));
        }
        let wanted = self.scalar_types(call.ty())?;
        let given: Vec<Operand> = dsts.into_iter().map(Operand::Var).collect();
        let given = self.weaken_to_promised_result(call, function, given);
        if wanted == results || (wanted.is_empty() || call.users().is_empty()) {
            // Nobody looks at a result that has another type than declared.
            return Ok(if wanted == results { given } else { Vec::new() });
        }
        self.adapt_scalars(given, &wanted, &name)
    }

    /// Literals that are passed to a library function for the name of a choice's source.
    fn literal_arguments(&self, call: LlvmValue<'c>, function: LlvmValue<'c>) -> LiteralArguments {
        if !self.program.is_library_value(function) {
            return LiteralArguments::new();
        }
        let parameters = function.parameters();
        let arguments = call.arguments();
        (0..)
            .zip(parameters.iter().zip(arguments))
            .filter(|(_, (parameter, _))| parameter.name() == "name")
            .filter_map(|(index, (_, argument))| Some((index, self.known_literal(argument)?)))
            .chain(ResultUse::of_call(call, function).as_literal_argument())
            .collect()
    }

    /// Makes scalars fit a declaration that differs from the definition, where every machine we
    /// model does the same: addresses and integers of one width, and the low part of a wider
    /// integer.
    fn adapt_scalars(
        &mut self,
        given: Vec<Operand>,
        wanted: &[Type],
        name: &str,
    ) -> TranslationResult<Vec<Operand>> {
        let types: Vec<Type> = given.iter().map(|o| self.builder.type_of(*o)).collect();
        if types == wanted {
            return Ok(given);
        }
        let mismatch = || {
            limit_terminator(format!("a call of {name} with arguments or results of another type"))
        };
        let ([value], [ty], [wanted]) = (&given[..], &types[..], wanted) else {
            return Err(mismatch());
        };
        let pointer = self.program.pointer_bits;
        let (value, ty, wanted) = (*value, *ty, *wanted);
        Ok(vec![match (ty, wanted) {
            (Type::Int(from), Type::Int(to)) if from > to => {
                self.convert_scalar(CastOp::Truncate, value, wanted)
            }
            (Type::Ptr, Type::Int(to)) if to <= pointer => {
                self.convert_scalar(CastOp::PtrToInt, value, wanted)
            }
            (Type::Int(from), Type::Ptr) if from == pointer => {
                self.convert_scalar(CastOp::IntToPtr, value, wanted)
            }
            // A constant such as 0 or 1 has the same value at every width.
            (Type::Int(from), Type::Int(_)) if is_nonnegative_constant(value, from) => {
                self.convert_scalar(CastOp::ZeroExtend, value, wanted)
            }
            (Type::Int(from), Type::Ptr) if is_nonnegative_constant(value, from) => {
                self.convert_scalar(CastOp::IntToPtr, value, wanted)
            }
            _ => return Err(mismatch()),
        }])
    }

    /// A structure that is passed by value in memory has no place among variadic arguments.
    fn check_variadic_argument(&self, call: LlvmValue<'c>, index: usize) -> TranslationResult<()> {
        let argument = call.arguments().get(index).map(|argument| argument.ty().kind());
        let index = u32::try_from(index).unwrap_or(u32::MAX);
        // C passes no `float` there: what is one, or several of them, is a part of a structure.
        let is_part = matches!(
            argument,
            Some(
                TypeKind::LLVMFloatTypeKind
                    | TypeKind::LLVMHalfTypeKind
                    | TypeKind::LLVMVectorTypeKind
            )
        );
        if is_part || call.argument_has_attribute(index, "byval") {
            return Err(limit_terminator("a structure passed to a variadic function"));
        }
        Ok(())
    }

    fn indirect_call(
        &mut self,
        call: LlvmValue<'c>,
        callee: LlvmValue<'c>,
    ) -> TranslationResult<Vec<Operand>> {
        if self.program.bare {
            return Err(limit_terminator("a call through a pointer in a specification"));
        }
        let pointer = self.single_operand(callee)?;
        let ty = call.callee_type();
        let parameters = ty.parameters().len();
        let mut args = Vec::new();
        for (index, argument) in self.call_arguments(call)?.into_iter().enumerate() {
            if index >= parameters {
                self.check_variadic_argument(call, index)?;
            }
            args.extend(argument);
        }
        let results = self.scalar_types(ty.result())?;
        let dsts: Vec<VarId> = results.iter().map(|ty| self.builder.add_temporary(*ty)).collect();
        self.builder.emit(Instruction::Call {
            dsts: dsts.clone(),
            callee: Callee::Pointer(pointer),
            args,
        });
        Ok(dsts.into_iter().map(Operand::Var).collect())
    }

    fn call_external_function(
        &mut self,
        call: LlvmValue<'c>,
        function: LlvmValue<'c>,
    ) -> TranslationResult<Vec<Operand>> {
        if let Some(results) = self.translate_primitive(call, function)? {
            return Ok(results);
        }
        let hooked = hooks::is_hooked(self.program.options, &plain_name(function));
        // Where every statement counts, a call is one, whatever it does.
        let steps = self.program.options.monitor.as_ref().and_then(|monitor| monitor.step.as_ref());
        let counts = steps.is_some_and(|step| step.steps == MonitorStepFrequency::All);
        if self.program.options.unit || (!self.program.bare && (hooked || counts)) {
            return self.direct_call(call, ResolvedSymbol::External(function));
        }
        let arguments = self.call_arguments(call)?;
        let never = never_returns(call, function);
        self.external_call(function, call.ty(), arguments, Some(call), never)
    }

    /// Inline assembly: nothing when its text is empty or only a hint to the processor.
    fn translate_inline_assembly(
        &mut self,
        call: LlvmValue<'c>,
        callee: LlvmValue<'c>,
    ) -> TranslationResult<Vec<Operand>> {
        let (text, constraints) = callee.inline_assembly_text();
        let harmless = matches!(
            text.trim(),
            "" | "nop" | "pause" | "rep; nop" | "rep;nop" | "mfence" | "lfence" | "sfence"
        );
        if !harmless {
            return Err(limit_terminator("inline assembly"));
        }
        let parts: Vec<&str> =
            constraints.split(',').filter(|part| !part.starts_with('~')).collect();
        // Results in registers must be tied to an argument, which they then equal; memory that
        // it may write stays as it is.
        let outputs: Vec<&str> = parts.iter().copied().filter(|p| p.starts_with('=')).collect();
        let inputs = &parts[outputs.len().min(parts.len())..];
        let direct: Vec<usize> =
            (0..outputs.len()).filter(|i| !outputs[*i].contains('*')).collect();
        let indirect = outputs.len() - direct.len();
        let arguments = self.call_arguments(call)?;
        let mut results = Vec::new();
        for output in direct {
            let tied = inputs.iter().position(|input| *input == output.to_string());
            // Addresses of indirect outputs come first among the arguments.
            let value = tied.and_then(|index| arguments.get(indirect + index));
            let Some(value) = value.filter(|_| text.trim().is_empty()) else {
                return Err(limit_terminator("inline assembly"));
            };
            results.extend(value.iter().copied());
        }
        let types: Vec<Type> = results.iter().map(|o| self.builder.type_of(*o)).collect();
        if types != self.scalar_types(call.ty())? {
            return Err(limit_terminator("inline assembly"));
        }
        Ok(results)
    }
}

/// Whether an integer is a constant that is not negative in its own width.
fn is_nonnegative_constant(value: Operand, width: u32) -> bool {
    matches!(value, Operand::Const { bits, .. } if bits >> (width - 1) == 0)
}

/// Whether a call is declared to be the last thing that its caller does.
fn never_returns(call: LlvmValue<'_>, function: LlvmValue<'_>) -> bool {
    call.call_has_attribute("noreturn") || function.function_has_attribute("noreturn")
}
