//! What the program hands to its own functions without a body: memory that they may change, functions that they may
//! call.
//!
//! That they do neither is assumed, by name, for a proof that the program ends. A run that never ends must not rest on
//! it: where that is asked for (`Options::doubts`), the memory holds nobody knows what after the call, and a call that
//! may do more than that is a limit. Who was handed an address may keep it, so what one of them is handed any later call
//! of one may change as well.

use std::rc::Rc;

use ouro_model::{Instruction, Operand, Type};

use crate::function::{FunctionTranslator, TranslationResult, limit_terminator};
use crate::layout::{self, ScalarLeaf};
use crate::llvm::{BasicBlock, LlvmType, LlvmValue, Opcode, ValueKind};
use crate::lower::{LlvmLowering, ResolvedSymbol, plain_name};
use crate::standard;

/// Objects of more scalars than this are not written one by one.
const MOST_SCALARS: usize = 256;

/// What an argument leads to.
enum ArgumentTarget<'c> {
    /// Nothing that could change.
    Nothing,
    /// An object whose type is known: its name, its address, and what is in it.
    Object(String, LlvmValue<'c>, Vec<ScalarLeaf>),
    /// A function.
    Function(String),
    /// Memory of which nobody knows how large it is and where it leads.
    Memory,
}

impl<'c> FunctionTranslator<'_, 'c> {
    /// Looks at what a call hands to a function without a body; `arguments` are LLVM's, if they are known.
    pub(crate) fn note_passed_memory(
        &mut self,
        function: LlvmValue<'c>,
        arguments: Option<&[LlvmValue<'c>]>,
    ) -> TranslationResult<()> {
        if self.program.trusts_strangers || self.program.options.unit {
            return Ok(());
        }
        let name = standard::readable_function_name(&function.name());
        let all = match arguments {
            Some(arguments) => {
                arguments.iter().map(|argument| self.argument_target(*argument)).collect()
            }
            None => {
                let pointers = function.value_type().parameters().into_iter();
                let kinds = pointers.map(|ty| layout::scalar_type(ty) == Ok(Type::Ptr));
                kinds
                    .map(|is| if is { ArgumentTarget::Memory } else { ArgumentTarget::Nothing })
                    .collect::<Vec<_>>()
            }
        };
        for (index, mut handed) in (0..).zip(all) {
            // A structure that is returned through memory is no one else's, nor is one that is passed, but for what the
            // addresses in it lead to.
            if function.structure_result_type(index).is_some() {
                continue;
            }
            if let Some(ty) = function.by_value_type(index) {
                handed = self.structure_target(ty);
            }
            let what = match &handed {
                ArgumentTarget::Nothing => continue,
                ArgumentTarget::Object(object, ..) => {
                    format!("change {object}, whose address it is passed")
                }
                ArgumentTarget::Function(called) => format!(
                    "call {called}, whose address it is \
                     passed"
                ),
                ArgumentTarget::Memory => "change memory whose address it is passed".to_owned(),
            };
            if !self.program.options.doubts {
                self.program.hands_over = true;
                self.program.note_external_assumption(format!(
                    "the function {name} has no body: it is assumed not to {what}"
                ));
                continue;
            }
            let may = format!("the function {name}, which has no body and may {what}");
            match handed {
                ArgumentTarget::Object(_, base, leaves) => {
                    self.havoc_leaves(base, &leaves, &may)?;
                }
                _ => return Err(limit_terminator(may)),
            }
        }
        if self.program.options.doubts && !self.library {
            self.havoc_kept_objects(&name)?;
        }
        Ok(())
    }

    /// Leaves nobody knows what in the objects whose address some call of such a function may have kept.
    fn havoc_kept_objects(&mut self, name: &str) -> TranslationResult<()> {
        let may = format!(
            "the function {name}, which has no body and may change memory that was handed over before"
        );
        for (function, call) in self.program.find_stranger_calls().iter() {
            let own = *function == self.function;
            let called = call.callee();
            for (index, argument) in (0..).zip(call.arguments()) {
                let copied = called.kind() == ValueKind::LLVMFunctionValueKind
                    && called
                        .by_value_type(index)
                        .or_else(|| called.structure_result_type(index))
                        .is_some();
                let base = base_object(argument);
                let is_static = base.kind() == ValueKind::LLVMGlobalVariableValueKind;
                if copied || !(own || is_static) {
                    continue;
                }
                if let ArgumentTarget::Object(_, base, leaves) = self.argument_target(argument)
                    && (is_static || self.values.contains_key(&base))
                {
                    self.havoc_leaves(base, &leaves, &may)?;
                }
            }
        }
        Ok(())
    }

    /// What a structure leads to that is passed by value.
    fn structure_target(&self, ty: LlvmType<'c>) -> ArgumentTarget<'c> {
        let leaves = layout::type_leaves(self.program.layout, ty).unwrap_or_default();
        let pointer = leaves.iter().any(|leaf| leaf.ty == Type::Ptr);
        if pointer { ArgumentTarget::Memory } else { ArgumentTarget::Nothing }
    }

    /// Whether a number may be an address: it is as wide as one, and the function makes numbers of addresses.
    fn may_be_address(&self, argument: LlvmValue<'c>) -> bool {
        let Ok(Type::Int(width)) = layout::scalar_type(argument.ty()) else { return false };
        let is_conversion = |value: LlvmValue<'c>| match value.kind() {
            ValueKind::LLVMInstructionValueKind => value.opcode() == Opcode::LLVMPtrToInt,
            ValueKind::LLVMConstantExprValueKind => value.constant_opcode() == Opcode::LLVMPtrToInt,
            _ => false,
        };
        let instructions = || self.function.blocks().into_iter().flat_map(BasicBlock::instructions);
        width >= self.program.pointer_bits
            && argument.int_value().is_none()
            && instructions()
                .any(|one| is_conversion(one) || one.operands().into_iter().any(is_conversion))
    }

    /// Leaves nobody knows what in an object.
    fn havoc_leaves(
        &mut self,
        base: LlvmValue<'c>,
        leaves: &[ScalarLeaf],
        why: &str,
    ) -> TranslationResult<()> {
        let base = self.single_operand(base)?;
        for leaf in leaves {
            let why = why.to_owned();
            let value =
                self.builder.emit_with_result(leaf.ty, |dst| Instruction::Unknown { dst, why });
            let index = Operand::Const {
                ty: Type::Int(self.program.pointer_bits),
                bits: u128::from(leaf.offset),
            };
            let address = self.builder.emit_with_result(Type::Ptr, |dst| Instruction::Offset {
                dst,
                base,
                index,
                scale: 1,
            });
            self.builder.emit(Instruction::Store { address, value });
        }
        Ok(())
    }

    fn argument_target(&mut self, argument: LlvmValue<'c>) -> ArgumentTarget<'c> {
        if layout::scalar_type(argument.ty()) != Ok(Type::Ptr) {
            if self.may_be_address(argument) {
                return ArgumentTarget::Memory;
            }
            // A structure by value may hold addresses, too.
            return self.structure_target(argument.ty());
        }
        let base = base_object(argument);
        match base.kind() {
            ValueKind::LLVMConstantPointerNullValueKind
            | ValueKind::LLVMUndefValueValueKind
            | ValueKind::LLVMPoisonValueKind => ArgumentTarget::Nothing,
            ValueKind::LLVMFunctionValueKind
            | ValueKind::LLVMGlobalVariableValueKind
            | ValueKind::LLVMGlobalAliasValueKind => match self.program.resolve(base) {
                Ok(ResolvedSymbol::Global(global)) if global.is_constant_global() => {
                    ArgumentTarget::Nothing
                }
                Ok(ResolvedSymbol::Global(global)) => self.object_target(
                    plain_name(global),
                    base,
                    global.value_type().is_sized().then(|| global.value_type()),
                ),
                Ok(ResolvedSymbol::Function(function) | ResolvedSymbol::External(function)) => {
                    ArgumentTarget::Function(plain_name(function))
                }
                Err(_) => ArgumentTarget::Memory,
            },
            ValueKind::LLVMInstructionValueKind
                if matches!(base.opcode(), Opcode::LLVMAlloca)
                    && base.operand(0).int_value() == Some(1) =>
            {
                let name = Some(self.slot_name(base)).filter(|name| !name.is_empty());
                let name = name.unwrap_or_else(|| "a temporary object".to_owned());
                // Code of other functions cannot be shown the object again.
                let own = self.function;
                if self.program.options.doubts
                    && self.program.find_stranger_calls().iter().any(|(other, _)| *other != own)
                {
                    return ArgumentTarget::Memory;
                }
                self.object_target(name, base, Some(base.allocated_type()))
            }
            _ => ArgumentTarget::Memory,
        }
    }

    fn object_target(
        &self,
        name: String,
        base: LlvmValue<'c>,
        ty: Option<LlvmType<'c>>,
    ) -> ArgumentTarget<'c> {
        let leaves = ty.and_then(|ty| layout::type_leaves(self.program.layout, ty).ok());
        match leaves {
            // What is behind a pointer can change as well, and be called.
            Some(leaves)
                if leaves.len() <= MOST_SCALARS
                    && leaves.iter().all(|leaf| leaf.ty != Type::Ptr) =>
            {
                ArgumentTarget::Object(name, base, leaves)
            }
            _ => ArgumentTarget::Memory,
        }
    }
}

impl<'c> LlvmLowering<'c> {
    /// The calls of the program's own functions without a body, each with the function that it is in.
    fn find_stranger_calls(&mut self) -> Rc<Vec<(LlvmValue<'c>, LlvmValue<'c>)>> {
        if let Some(found) = &self.stranger_calls {
            return Rc::clone(found);
        }
        let mut found = Vec::new();
        for function in self.user.functions() {
            for call in function.blocks().into_iter().flat_map(BasicBlock::instructions) {
                if call.opcode() != Opcode::LLVMCall && call.opcode() != Opcode::LLVMInvoke {
                    continue;
                }
                let callee = call.callee();
                if callee.kind() == ValueKind::LLVMFunctionValueKind
                    && let Ok(ResolvedSymbol::External(called)) = self.resolve(callee)
                    && is_stranger(called)
                {
                    found.push((function, call));
                }
            }
        }
        let found = Rc::new(found);
        self.stranger_calls = Some(Rc::clone(&found));
        found
    }
}

/// Whether a function without a body is one of the program's own.
fn is_stranger(function: LlvmValue<'_>) -> bool {
    let name = function.name();
    !name.starts_with("llvm.")
        && !name.starts_with("__VERIFIER_")
        && standard::declared_origin(&name, function.value_type()).is_none()
}

/// The object that an address is computed from, as far as that is plain to see.
fn base_object(address: LlvmValue<'_>) -> LlvmValue<'_> {
    let mut base = address;
    loop {
        let opcode = match base.kind() {
            ValueKind::LLVMInstructionValueKind => base.opcode(),
            ValueKind::LLVMConstantExprValueKind => base.constant_opcode(),
            _ => return base,
        };
        match opcode {
            Opcode::LLVMGetElementPtr | Opcode::LLVMBitCast | Opcode::LLVMAddrSpaceCast => {
                base = base.operand(0);
            }
            _ => return base,
        }
    }
}
