//! Variadic arguments: laid out in memory as the target's calling convention lays out arguments
//! that did not fit into registers, and the `va_list` that says so.
//!
//! A real call passes floats in other registers than integers, so who reads one as the other finds neither: that is
//! undefined, and so is reading more bytes than were passed.

use ouro_model::{Span, Type};
use ouro_term::TermStore;

use crate::access::{InstructionObstacle, fail_at_limit, fail_undefined, resolve_access};
use crate::memory::{LoadOutcome, MachineMemory};
use crate::object::StorageClass;
use crate::{CallFrame, Machine, MachineValue, ObjectRef};

/// The offset of each argument and the size of all.
fn variadic_layout(pointer_bits: u32, types: impl Iterator<Item = Type>) -> (Vec<u64>, u64) {
    let mut offsets = Vec::new();
    let mut end = 0u64;
    for ty in types {
        let (size, align) = argument_slot(pointer_bits, ty);
        end = end.next_multiple_of(align);
        offsets.push(end);
        end += size;
    }
    (offsets, end)
}

/// Size and alignment of an argument in memory.
fn argument_slot(pointer_bits: u32, ty: Type) -> (u64, u64) {
    let bytes = u64::from(ty.size_in_bytes(pointer_bits));
    if pointer_bits == 32 {
        (bytes.next_multiple_of(4), 4)
    } else if bytes > 8 {
        (16, 16)
    } else {
        (8, 8)
    }
}

/// Whether an argument is read as what it was passed as, if the object holds arguments.
#[inline]
pub(crate) fn check_argument_type(
    memory: &MachineMemory,
    object: ObjectRef,
    at: usize,
    ty: Type,
) -> Result<(), InstructionObstacle> {
    let arguments = memory.object(object).and_then(|object| object.arguments.as_ref());
    let Some(arguments) = arguments else { return Ok(()) };
    let pointer_bits = memory.pointer_bits();
    let found = arguments.iter().find(|argument| argument.0 == at as u64);
    let Some((_, passed)) = found else { return Ok(()) };
    let fits = match (*passed, ty) {
        (Type::Float(passed), Type::Float(read)) => passed == read,
        (Type::Float(_), _) | (_, Type::Float(_)) => false,
        // Every processor passes the low bytes of a number in the same place as the number.
        (passed, read) => read.size_in_bytes(pointer_bits) <= passed.size_in_bytes(pointer_bits),
    };
    if fits {
        Ok(())
    } else {
        fail_undefined("read of an argument as another type than was passed")
    }
}

impl Machine {
    pub(crate) fn va_start(
        &self,
        memory: &mut MachineMemory,
        terms: &mut TermStore,
        frame: &mut CallFrame,
        list: MachineValue,
        register: i32,
        span: Span,
    ) -> Result<(), InstructionObstacle> {
        let (offsets, size) = variadic_layout(self.pointer_bits, frame.extra.iter().map(|a| a.1));
        let made =
            memory.create_object(size.max(1), 16, "variadic arguments".into(), StorageClass::Stack);
        let Some(object) = made else { return fail_at_limit("variadic arguments without room") };
        frame.objects.push(object);
        let types = frame.extra.iter().map(|argument| argument.1);
        if let Some(object) = memory.object_mut(object) {
            object.arguments = Some(offsets.iter().copied().zip(types).collect());
        }
        for ((value, ty), at) in frame.extra.iter().zip(offsets) {
            let bits = ty.size_in_bits(self.pointer_bits);
            memory.store_value(terms, object, at as usize, bits, *value, span)?;
        }
        let area = MachineValue::address(memory.object(object).expect("just made").base, object);
        let len = if self.pointer_bits == 32 { 4 } else { 24 };
        let (target, at) = resolve_access(memory, terms, list, register, len, true, span)?;
        if self.pointer_bits == 32 {
            memory.store_value(terms, target, at, 32, area, span)?;
        } else {
            // All registers count as used up, so that every argument is found in memory.
            memory.store_value(terms, target, at, 32, MachineValue::plain(48), span)?;
            memory.store_value(terms, target, at + 4, 32, MachineValue::plain(176), span)?;
            memory.store_value(terms, target, at + 8, 64, area, span)?;
            memory.store_value(terms, target, at + 16, 64, area, span)?;
        }
        Ok(())
    }
}

/// Reads arguments from a `va_list`, one after the other, without changing it.
pub(crate) struct VariadicArguments {
    /// The address of the next argument; `None` if it is not known.
    next: Option<MachineValue>,
    pointer_bits: u32,
}

impl VariadicArguments {
    /// `list` is what C passes for a `va_list`: the address of the structure on x86-64, the address
    /// of the next argument on i386.
    pub(crate) fn of_va_list(
        memory: &mut MachineMemory,
        terms: &mut TermStore,
        pointer_bits: u32,
        list: MachineValue,
        register: i32,
        span: Span,
    ) -> Result<VariadicArguments, InstructionObstacle> {
        if pointer_bits == 32 {
            return Ok(VariadicArguments { next: Some(list), pointer_bits });
        }
        let (object, at) = resolve_access(memory, terms, list, register, 24, false, span)?;
        let next = match memory.load_value(terms, object, at + 8, Type::Ptr, span) {
            LoadOutcome::Value(value) => Some(value),
            _ => None,
        };
        Ok(VariadicArguments { next, pointer_bits })
    }

    /// The next argument; `None` if it was never written or is not there.
    pub(crate) fn next_argument(
        &mut self,
        memory: &mut MachineMemory,
        terms: &mut TermStore,
        ty: Type,
        span: Span,
    ) -> Result<Option<MachineValue>, InstructionObstacle> {
        let Some(address) = self.next else { return Ok(None) };
        let (Some(bits), Some(object)) = (address.bits(), address.object()) else {
            return Ok(None);
        };
        let (size, align) = argument_slot(self.pointer_bits, ty);
        let base = memory.object(object).map_or(0, |o| o.base);
        let at = (bits - base).next_multiple_of(align);
        let here = MachineValue::address(base + at, object);
        let len = u64::from(ty.size_in_bytes(self.pointer_bits));
        let (object, offset) = resolve_access(memory, terms, here, -1, len, false, span)?;
        check_argument_type(memory, object, offset, ty)?;
        self.next = Some(MachineValue::address(base + at + size, object));
        Ok(match memory.load_value(terms, object, offset, ty, span) {
            LoadOutcome::Value(value) => Some(value),
            _ => None,
        })
    }
}
