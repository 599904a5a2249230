//! Primitive functions.

use ouro_model::{BuiltinFunction, Span, Type};
use ouro_term::{Sort, TermStore};

use crate::access::{
    InstructionObstacle, fail_at_limit, fail_undefined, require_number, resolve_access,
};
use crate::format::{self, FormattedText, LONGEST, MemoryStretch};
use crate::memory::{LoadOutcome, MachineMemory};
use crate::object::StorageClass;
use crate::stop::RunEnd;
use crate::variadic::VariadicArguments;
use crate::{Machine, MachineValue, Provenance, RunEnvironment};

impl Machine {
    /// Calls a primitive; each argument comes with the register that holds it.
    pub(crate) fn call_builtin<E: RunEnvironment>(
        &self,
        builtin: BuiltinFunction,
        memory: &mut MachineMemory,
        terms: &mut TermStore,
        environment: &mut E,
        args: &[(MachineValue, i32)],
        span: Span,
    ) -> Result<Option<MachineValue>, InstructionObstacle> {
        match builtin {
            BuiltinFunction::Allocate => {
                let size = require_number(terms, environment, args[0].0, args[0].1)?;
                let Some(object) =
                    memory.create_object(size, 16, "allocated memory".into(), StorageClass::Heap)
                else {
                    return fail_at_limit(format!("an allocation of {size} bytes"));
                };
                let base = memory.object(object).expect("just made").base;
                Ok(Some(MachineValue::address(base, object)))
            }
            BuiltinFunction::Free => self.free_object(memory, args[0].0).map(|()| None),
            BuiltinFunction::ObjectSize => {
                let (object, at) =
                    resolve_access(memory, terms, args[0].0, args[0].1, 0, false, span)?;
                let size = memory.object(object).expect("live").size();
                Ok(Some(MachineValue::plain(size - at as u64)))
            }
            BuiltinFunction::Apart => {
                self.require_apart(memory, terms, environment, args, span).map(|()| None)
            }
            // Of memory that is vague, nobody sees what is written.
            BuiltinFunction::Write
                if environment.havocs_unknown_accesses()
                    && args[1..].iter().any(|arg| arg.0.is_symbolic()) =>
            {
                Ok(None)
            }
            BuiltinFunction::Write => {
                let stream = require_number(terms, environment, args[0].0, args[0].1)? as u32;
                let size = require_number(terms, environment, args[2].0, args[2].1)?;
                let (object, at) =
                    resolve_access(memory, terms, args[1].0, args[1].1, size, false, span)?;
                let bytes: Vec<u8> = (0..size as usize)
                    .map(|i| match memory.load_value(terms, object, at + i, Type::Int(8), span) {
                        LoadOutcome::Value(value) => value.bits().map_or(b'?', |b| b as u8),
                        _ => b'?',
                    })
                    .collect();
                if let 1 | 2 = stream {
                    environment.write_output(stream, &bytes);
                }
                Ok(None)
            }
            BuiltinFunction::Print => {
                let stream = require_number(terms, environment, args[0].0, args[0].1)? as u32;
                let text = self.format_arguments(memory, terms, args[1], args[2], false, span)?;
                if let 1 | 2 = stream {
                    environment.write_output(stream, &text.bytes);
                }
                self.text_length(terms, environment, &text)
            }
            BuiltinFunction::Event => {
                let number = require_number(terms, environment, args[0].0, args[0].1)? as u32;
                environment.pass_event(number);
                Ok(None)
            }
            BuiltinFunction::Violation => {
                let number = require_number(terms, environment, args[0].0, args[0].1)? as u32;
                Err(InstructionObstacle::End(RunEnd::Violation(number)))
            }
            BuiltinFunction::Format => {
                let room = require_number(terms, environment, args[1].0, args[1].1)?;
                let text = self.format_arguments(memory, terms, args[2], args[3], true, span)?;
                if !text.exact && room > 0 {
                    return fail_at_limit("a string formatted from values that are not known");
                }
                if room > 0 {
                    let kept = text.bytes.len().min(room as usize - 1);
                    let len = kept as u64 + 1;
                    let (object, at) =
                        resolve_access(memory, terms, args[0].0, args[0].1, len, true, span)?;
                    let written = MemoryStretch { object, at: at as u64, size: len };
                    if text.read.iter().any(|read| written.overlaps(read)) {
                        return fail_undefined("formatting between overlapping regions");
                    }
                    for (i, byte) in text.bytes[..kept].iter().chain(&[0]).enumerate() {
                        let value = MachineValue::plain(u64::from(*byte));
                        memory.store_value(terms, object, at + i, 8, value, span)?;
                    }
                }
                self.text_length(terms, environment, &text)
            }
        }
    }

    /// Stops where the bytes that a copy writes and those that it reads overlap. Whether they are within their
    /// objects is for the copy to say.
    fn require_apart<E: RunEnvironment>(
        &self,
        memory: &mut MachineMemory,
        terms: &mut TermStore,
        environment: &mut E,
        args: &[(MachineValue, i32)],
        span: Span,
    ) -> Result<(), InstructionObstacle> {
        let [to, room, from, size] = args else { unreachable!("programs are well-formed") };
        if let (Some(written), Some(read)) = (to.0.object(), from.0.object())
            && written != read
        {
            return Ok(());
        }
        let is_vague = |value: MachineValue| {
            let object = value.object().and_then(|object| memory.object(object));
            value.is_symbolic() || object.is_some_and(|found| found.extent.is_some())
        };
        // Of memory that is vague, nobody sees what is copied.
        if environment.havocs_unknown_accesses() && args.iter().any(|arg| is_vague(arg.0)) {
            return Ok(());
        }
        let room = require_number(terms, environment, room.0, room.1)?;
        let size = require_number(terms, environment, size.0, size.1)?;
        if room == 0 || size == 0 {
            return Ok(());
        }
        let (object, at) = resolve_access(memory, terms, to.0, to.1, room, true, span)?;
        let written = MemoryStretch { object, at: at as u64, size: room };
        let (object, at) = resolve_access(memory, terms, from.0, from.1, size, false, span)?;
        match written.overlaps(&MemoryStretch { object, at: at as u64, size }) {
            true => fail_undefined("copying between overlapping regions"),
            false => Ok(()),
        }
    }

    fn format_arguments(
        &self,
        memory: &mut MachineMemory,
        terms: &mut TermStore,
        pattern: (MachineValue, i32),
        list: (MachineValue, i32),
        stores: bool,
        span: Span,
    ) -> Result<FormattedText, InstructionObstacle> {
        let mut arguments =
            VariadicArguments::of_va_list(memory, terms, self.pointer_bits, list.0, list.1, span)?;
        format::format_printf(
            memory,
            terms,
            self.pointer_bits,
            pattern.0,
            &mut arguments,
            stores,
            span,
        )
    }

    /// The length of a text, or -1 where an `int` cannot hold it. If it is not known, it is within its
    /// bounds.
    fn text_length<E: RunEnvironment>(
        &self,
        terms: &mut TermStore,
        environment: &mut E,
        text: &FormattedText,
    ) -> Result<Option<MachineValue>, InstructionObstacle> {
        if text.least > LONGEST {
            return Ok(Some(MachineValue::plain(u64::from(u32::MAX))));
        }
        if text.least == text.most {
            return Ok(Some(MachineValue::plain(text.least)));
        }
        let why = "the length of formatted output";
        let Some(value) = environment.provide_unknown(terms, Sort::BitVec(32), why) else {
            return fail_at_limit(why);
        };
        if let Some(length) = value.term() {
            let least = terms.bv(32, u128::from(text.least));
            let most = terms.bv(32, u128::from(text.most.min(LONGEST)));
            let (above, below) = (terms.bv_ule(least, length), terms.bv_ule(length, most));
            let mut within = terms.and(above, below);
            if text.most > LONGEST {
                let failure = terms.bv(32, u128::from(u32::MAX));
                let fails = terms.eq(length, failure);
                within = terms.or(within, fails);
            }
            // A run that never ends must survive every value, so none is assumed away: those outside of the
            // bounds stand for the least.
            let length = terms.ite(within, length, least);
            return Ok(Some(MachineValue::symbolic(length, Provenance::None)));
        }
        Ok(Some(value))
    }

    fn free_object(
        &self,
        memory: &mut MachineMemory,
        address: MachineValue,
    ) -> Result<(), InstructionObstacle> {
        let reference = match (address.provenance(), address.bits()) {
            (Provenance::None | Provenance::Environment, Some(0)) => return Ok(()),
            (Provenance::Object(reference), _) => reference,
            (Provenance::Uninitialised, _) => {
                return fail_undefined("free of an uninitialised pointer");
            }
            (Provenance::None, Some(bits)) => {
                return fail_undefined(format!("free of the address {bits:#x}"));
            }
            _ => return fail_at_limit("free of a pointer that the environment chose"),
        };
        let Some(object) = memory.object(reference) else {
            return fail_undefined("free of memory that was already freed");
        };
        if object.chain.is_some() {
            return Err(InstructionObstacle::Unfold(reference));
        }
        if object.storage != StorageClass::Heap {
            return fail_undefined(format!("free of {}, which is not on the heap", object.name));
        }
        match address.bits() {
            Some(bits) if bits == object.base => {
                memory.release_object(reference);
                Ok(())
            }
            Some(bits) => fail_undefined(format!(
                "free of an address {} bytes into its object",
                bits - object.base
            )),
            None => fail_at_limit("free of a symbolic address"),
        }
    }
}
