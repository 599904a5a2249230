//! What the program hands to its own functions without a body: memory that they may change, functions that they may
//! call.
//!
//! That they do neither is assumed, by name, for a proof that the program ends. A run that never ends must not rest on
//! it: where that is asked for (`Options::doubts`), the memory holds nobody knows what after the call, and a call that
//! may do more than that is a limit.

use ouro_model::{Instruction, Operand, Type};

use crate::function::{Body, Step, limit};
use crate::layout::{self, Leaf};
use crate::llvm::{Opcode, Value, ValueKind};
use crate::lower::{Symbol, plain_name};
use crate::standard;

/// Objects of more scalars than this are not written one by one.
const MOST_SCALARS: usize = 256;

/// What an argument leads to.
enum Handed<'c> {
    /// Nothing that could change.
    Nothing,
    /// An object whose type is known: its name, its address, and what is in it.
    Object(String, Value<'c>, Vec<Leaf>),
    /// A function.
    Function(String),
    /// Memory of which nobody knows how large it is and where it leads.
    Memory,
}

impl<'c> Body<'_, 'c> {
    /// Looks at what a call hands to a function without a body; `arguments` are LLVM's, if they are known.
    pub(crate) fn hand_over(
        &mut self,
        function: Value<'c>,
        arguments: Option<&[Value<'c>]>,
    ) -> Step<()> {
        if self.program.trusts_strangers || self.program.options.unit {
            return Ok(());
        }
        let name = standard::readable(&function.name());
        let all = match arguments {
            Some(arguments) => arguments.iter().map(|argument| self.handed(*argument)).collect(),
            None => {
                let pointers = function.value_type().parameters().into_iter();
                let kinds = pointers.map(|ty| layout::scalar(ty) == Ok(Type::Ptr));
                kinds
                    .map(|is| if is { Handed::Memory } else { Handed::Nothing })
                    .collect::<Vec<_>>()
            }
        };
        for (index, handed) in (0..).zip(all) {
            // A structure that is passed or returned through memory is no one else's.
            if function.by_value(index).or_else(|| function.structure_result(index)).is_some() {
                continue;
            }
            let what = match &handed {
                Handed::Nothing => continue,
                Handed::Object(object, ..) => format!("change {object}, whose address it gets"),
                Handed::Function(called) => format!("call {called}, whose address it gets"),
                Handed::Memory => "change memory whose address it gets".to_owned(),
            };
            if !self.program.options.doubts {
                self.program.hands_over = true;
                self.program.assume_elsewhere(format!(
                    "the function {name} has no body: it is assumed not to {what}"
                ));
                continue;
            }
            let may = format!("the function {name}, which has no body and may {what}");
            match handed {
                Handed::Object(_, base, leaves) => self.forget(base, &leaves, &may)?,
                _ => return Err(limit(may)),
            }
        }
        Ok(())
    }

    /// Leaves nobody knows what in an object.
    fn forget(&mut self, base: Value<'c>, leaves: &[Leaf], why: &str) -> Step<()> {
        let base = self.operand(base)?;
        for leaf in leaves {
            let why = why.to_owned();
            let value = self.builder.compute(leaf.ty, |dst| Instruction::Unknown { dst, why });
            let index = Operand::Const {
                ty: Type::Int(self.program.pointer_bits),
                bits: u128::from(leaf.offset),
            };
            let address = self.builder.compute(Type::Ptr, |dst| Instruction::Offset {
                dst,
                base,
                index,
                scale: 1,
            });
            self.builder.emit(Instruction::Store { address, value });
        }
        Ok(())
    }

    fn handed(&mut self, argument: Value<'c>) -> Handed<'c> {
        if layout::scalar(argument.ty()) != Ok(Type::Ptr) {
            // A structure by value may hold addresses, too.
            let leaves = layout::leaves(self.program.layout, argument.ty()).unwrap_or_default();
            let pointer = leaves.iter().any(|leaf| leaf.ty == Type::Ptr);
            return if pointer { Handed::Memory } else { Handed::Nothing };
        }
        let base = base(argument);
        match base.kind() {
            ValueKind::LLVMConstantPointerNullValueKind
            | ValueKind::LLVMUndefValueValueKind
            | ValueKind::LLVMPoisonValueKind => Handed::Nothing,
            ValueKind::LLVMFunctionValueKind
            | ValueKind::LLVMGlobalVariableValueKind
            | ValueKind::LLVMGlobalAliasValueKind => match self.program.resolve(base) {
                Ok(Symbol::Global(global)) if global.is_constant_global() => Handed::Nothing,
                Ok(Symbol::Global(global)) => self.object(
                    plain_name(global),
                    base,
                    global.value_type().is_sized().then(|| global.value_type()),
                ),
                Ok(Symbol::Function(function) | Symbol::External(function)) => {
                    Handed::Function(plain_name(function))
                }
                Err(_) => Handed::Memory,
            },
            ValueKind::LLVMInstructionValueKind
                if matches!(base.opcode(), Opcode::LLVMAlloca)
                    && base.operand(0).int_value() == Some(1) =>
            {
                let name = Some(self.slot_name(base)).filter(|name| !name.is_empty());
                let name = name.unwrap_or_else(|| "a temporary object".to_owned());
                self.object(name, base, Some(base.allocated_type()))
            }
            _ => Handed::Memory,
        }
    }

    fn object(&self, name: String, base: Value<'c>, ty: Option<crate::llvm::Ty<'c>>) -> Handed<'c> {
        let leaves = ty.and_then(|ty| layout::leaves(self.program.layout, ty).ok());
        match leaves {
            // What is behind a pointer can change as well, and be called.
            Some(leaves)
                if leaves.len() <= MOST_SCALARS
                    && leaves.iter().all(|leaf| leaf.ty != Type::Ptr) =>
            {
                Handed::Object(name, base, leaves)
            }
            _ => Handed::Memory,
        }
    }
}

/// The object that an address is computed from, as far as that is plain to see.
fn base(address: Value<'_>) -> Value<'_> {
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
