//! What the program hands to its own functions without a body: memory that they may change, functions that they may
//! call.
//!
//! That they do neither is assumed, by name, for a proof that the program ends. A run that never ends must not rest on
//! it: where that is asked for (`Options::doubts`), the memory holds nobody knows what after the call, and a call that
//! may do more than that is a limit. Who was handed an address may keep it, and sees what is not `static` anyway: what
//! any of them can reach (see `exposure`), each call of one may change.

use std::rc::Rc;

use ouro_model::{Instruction, Operand, Type};

use crate::exposure::{self, ExposedObject, Exposure};
use crate::function::{FunctionTranslator, TranslationResult, limit_terminator};
use crate::layout::{self, ScalarLeaf};
use crate::llvm::{LlvmType, LlvmValue, Opcode, ValueKind};
use crate::lower::{LlvmLowering, ResolvedSymbol, plain_name};
use crate::{DoubtedCall, standard};

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
    /// Looks at what a call hands to a function without a body; `call` is LLVM's, if it is known.
    pub(crate) fn note_passed_memory(
        &mut self,
        function: LlvmValue<'c>,
        call: Option<LlvmValue<'c>>,
    ) -> TranslationResult<()> {
        if self.program.trusts_strangers || self.program.options.unit {
            return Ok(());
        }
        let name = standard::readable_function_name(&function.name());
        let all = match call.map(LlvmValue::arguments) {
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
        if !self.library {
            self.havoc_exposed_objects(&name, call)?;
        }
        Ok(())
    }

    /// Leaves nobody knows what in the objects that functions without a body can reach.
    fn havoc_exposed_objects(
        &mut self,
        name: &str,
        call: Option<LlvmValue<'c>>,
    ) -> TranslationResult<()> {
        let exposure = self.program.exposure();
        let objects = exposure.objects_read_after(self.function, call);
        if !self.program.options.doubts {
            let reads_errno = self.program.is_named_by_user("__errno_location");
            self.program.hands_over |= exposure.gave_up || !objects.is_empty() || reads_errno;
            return Ok(());
        }
        let may =
            |what: &str| format!("the function {name}, which has no body and may change {what}");
        if exposure.gave_up {
            return Err(limit_terminator(may("memory that it can reach")));
        }
        self.note_errno_change("ouro_elsewhere");
        for object in objects {
            let (base, ty, what) = match object {
                ExposedObject::Global(global) => {
                    let ty = Some(global.value_type()).filter(|ty| ty.is_sized());
                    (global, ty, plain_name(global))
                }
                // Not one that no caller of this function has.
                ExposedObject::Slot(_, owner)
                    if owner != self.function && !exposure.may_call(owner, self.function) =>
                {
                    continue;
                }
                ExposedObject::Slot(slot, owner) => {
                    // Only here does it have a name, and only if there is one of it.
                    let here = owner == self.function
                        && !exposure.may_call(owner, owner)
                        && self.values.contains_key(&slot)
                        && slot.operand(0).int_value() == Some(1);
                    let name = Some(self.slot_name(slot)).filter(|name| !name.is_empty());
                    let what =
                        name.unwrap_or_else(|| format!("an object of {}", plain_name(owner)));
                    (slot, here.then(|| slot.allocated_type()), what)
                }
                ExposedObject::Heap => {
                    return Err(limit_terminator(may("memory on the heap that it can reach")));
                }
            };
            let leaves = ty.and_then(|ty| layout::type_leaves(self.program.layout, ty).ok());
            match leaves {
                Some(leaves) if leaves.len() <= MOST_SCALARS => {
                    self.havoc_leaves(base, &leaves, &may(&what))?;
                }
                _ => return Err(limit_terminator(may(&what))),
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

    /// Leaves nobody knows what in an object.
    fn havoc_leaves(
        &mut self,
        base: LlvmValue<'c>,
        leaves: &[ScalarLeaf],
        why: &str,
    ) -> TranslationResult<()> {
        let base = self.single_operand(base)?;
        if !leaves.is_empty() {
            self.program.doubted.push(DoubtedCall {
                caller: plain_name(self.function),
                span: self.builder.span,
                what: why.to_owned(),
            });
        }
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
            // A number, a float or a structure may be made of an address.
            return match self.program.exposure().holds_address(argument) {
                true => ArgumentTarget::Memory,
                false => self.structure_target(argument.ty()),
            };
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
    /// What functions without a body can reach, found out at most once.
    fn exposure(&mut self) -> Rc<Exposure<'c>> {
        if let Some(found) = &self.exposure {
            return Rc::clone(found);
        }
        let found = Rc::new(exposure::find_exposure(self));
        self.exposure = Some(Rc::clone(&found));
        found
    }
}

/// Whether a function without a body is one of the program's own.
pub(crate) fn is_stranger(function: LlvmValue<'_>) -> bool {
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
