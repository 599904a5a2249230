//! Primitive functions.

use ouro_model::{Builtin, Span, Type};
use ouro_term::{Sort, Terms};

use crate::access::{Trouble, limit, number, resolve, undefined};
use crate::format::{self, LONGEST, Text};
use crate::memory::{Loaded, Memory};
use crate::object::Storage;
use crate::stop::End;
use crate::variadic::Arguments;
use crate::{Environment, Machine, Provenance, Value};

impl Machine {
    /// Calls a primitive; each argument comes with the register that holds it.
    pub(crate) fn builtin<E: Environment>(
        &self,
        builtin: Builtin,
        memory: &mut Memory,
        terms: &mut Terms,
        environment: &mut E,
        args: &[(Value, i32)],
        span: Span,
    ) -> Result<Option<Value>, Trouble> {
        match builtin {
            Builtin::Allocate => {
                let size = number(terms, environment, args[0].0, args[0].1)?;
                let Some(object) =
                    memory.create(size, 16, "allocated memory".into(), Storage::Heap)
                else {
                    return limit(format!("an allocation of {size} bytes"));
                };
                let base = memory.object(object).expect("just made").base;
                Ok(Some(Value::address(base, object)))
            }
            Builtin::Free => self.free(memory, args[0].0).map(|()| None),
            Builtin::ObjectSize => {
                let (object, at) = resolve(memory, terms, args[0].0, args[0].1, 0, false, span)?;
                let size = memory.object(object).expect("live").size();
                Ok(Some(Value::plain(size - at as u64)))
            }
            // Of memory that is vague, nobody sees what is written.
            Builtin::Write
                if environment.blurs() && args[1..].iter().any(|arg| arg.0.is_symbolic()) =>
            {
                Ok(None)
            }
            Builtin::Write => {
                let stream = number(terms, environment, args[0].0, args[0].1)? as u32;
                let size = number(terms, environment, args[2].0, args[2].1)?;
                let (object, at) = resolve(memory, terms, args[1].0, args[1].1, size, false, span)?;
                let bytes: Vec<u8> = (0..size as usize)
                    .map(|i| match memory.load(terms, object, at + i, Type::Int(8), span) {
                        Loaded::Value(value) => value.bits().map_or(b'?', |b| b as u8),
                        _ => b'?',
                    })
                    .collect();
                if let 1 | 2 = stream {
                    environment.output(stream, &bytes);
                }
                Ok(None)
            }
            Builtin::Print => {
                let stream = number(terms, environment, args[0].0, args[0].1)? as u32;
                let text = self.formatted(memory, terms, args[1], args[2], false, span)?;
                if let 1 | 2 = stream {
                    environment.output(stream, &text.bytes);
                }
                self.length(terms, environment, &text)
            }
            Builtin::Event => {
                let number = number(terms, environment, args[0].0, args[0].1)? as u32;
                environment.event(number);
                Ok(None)
            }
            Builtin::Violation => {
                let number = number(terms, environment, args[0].0, args[0].1)? as u32;
                Err(Trouble::End(End::Violation(number)))
            }
            Builtin::Format => {
                let room = number(terms, environment, args[1].0, args[1].1)?;
                let text = self.formatted(memory, terms, args[2], args[3], true, span)?;
                if !text.exact && room > 0 {
                    return limit("a string formatted from values that are not known");
                }
                if room > 0 {
                    let kept = text.bytes.len().min(room as usize - 1);
                    let len = kept as u64 + 1;
                    let (object, at) =
                        resolve(memory, terms, args[0].0, args[0].1, len, true, span)?;
                    for (i, byte) in text.bytes[..kept].iter().chain(&[0]).enumerate() {
                        let value = Value::plain(u64::from(*byte));
                        memory.store(terms, object, at + i, 8, value, span)?;
                    }
                }
                self.length(terms, environment, &text)
            }
        }
    }

    fn formatted(
        &self,
        memory: &mut Memory,
        terms: &mut Terms,
        pattern: (Value, i32),
        list: (Value, i32),
        stores: bool,
        span: Span,
    ) -> Result<Text, Trouble> {
        let mut arguments = Arguments::of(memory, terms, self.pointer_bits, list.0, list.1, span)?;
        format::format(memory, terms, self.pointer_bits, pattern.0, &mut arguments, stores, span)
    }

    /// The length of a text, or -1 where an `int` cannot hold it. If it is not known, it is within its
    /// bounds.
    fn length<E: Environment>(
        &self,
        terms: &mut Terms,
        environment: &mut E,
        text: &Text,
    ) -> Result<Option<Value>, Trouble> {
        if text.least > LONGEST {
            return Ok(Some(Value::plain(u64::from(u32::MAX))));
        }
        if text.least == text.most {
            return Ok(Some(Value::plain(text.least)));
        }
        let why = "the length of formatted output";
        let Some(value) = environment.unknown(terms, Sort::BitVec(32), why) else {
            return limit(why);
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
            return Ok(Some(Value::symbolic(length, Provenance::None)));
        }
        Ok(Some(value))
    }

    fn free(&self, memory: &mut Memory, address: Value) -> Result<(), Trouble> {
        let reference = match (address.provenance(), address.bits()) {
            (Provenance::None | Provenance::Environment, Some(0)) => return Ok(()),
            (Provenance::Object(reference), _) => reference,
            (Provenance::Uninitialised, _) => return undefined("free of an uninitialised pointer"),
            (Provenance::None, Some(bits)) => {
                return undefined(format!("free of the address {bits:#x}"));
            }
            _ => return limit("free of a pointer that the environment chose"),
        };
        let Some(object) = memory.object(reference) else {
            return undefined("free of memory that was already freed");
        };
        if object.chain.is_some() {
            return Err(Trouble::Unfold(reference));
        }
        if object.storage != Storage::Heap {
            return undefined(format!("free of {}, which is not on the heap", object.name));
        }
        match address.bits() {
            Some(bits) if bits == object.base => {
                memory.release(reference);
                Ok(())
            }
            Some(bits) => undefined(format!(
                "free of an address {} bytes into its object",
                bits - object.base
            )),
            None => limit("free of a symbolic address"),
        }
    }
}
