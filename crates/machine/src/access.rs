//! From an address to the bytes it means, or to why it means none.

use ouro_term::TermStore;

use crate::integer::{is_integer, natural_condition};
use crate::memory::MachineMemory;
use crate::object::StorageClass;
use crate::stop::{NeededValue, RunEnd};
use crate::{MachineValue, ObjectRef, Provenance, RunEnvironment};
use ouro_model::Span;

/// What is undefined about an access at an unknown place of an object that is not in it.
const OUTSIDE: &str = "an access outside of its object";

/// Why an instruction cannot go on by itself.
pub(crate) enum InstructionObstacle {
    End(RunEnd),
    Need(NeededValue),
    /// The first object of a chain is needed.
    Unfold(ObjectRef),
}

impl From<RunEnd> for InstructionObstacle {
    fn from(end: RunEnd) -> Self {
        InstructionObstacle::End(end)
    }
}

pub(crate) fn fail_undefined<T>(what: impl Into<String>) -> Result<T, InstructionObstacle> {
    Err(InstructionObstacle::End(RunEnd::Undefined(what.into())))
}

pub(crate) fn fail_at_limit<T>(what: impl Into<String>) -> Result<T, InstructionObstacle> {
    Err(InstructionObstacle::End(RunEnd::Limit(what.into())))
}

/// The object and offset of an access of `len` bytes; `register` holds the address.
#[inline]
pub(crate) fn resolve_access(
    memory: &mut MachineMemory,
    terms: &mut TermStore,
    address: MachineValue,
    register: i32,
    len: u64,
    write: bool,
    span: Span,
) -> Result<(ObjectRef, usize), InstructionObstacle> {
    if let (Provenance::Object(reference), Some(bits)) = (address.provenance(), address.bits())
        && let Some(object) = memory.object(reference)
    {
        let offset = bits.wrapping_sub(object.base);
        let size = object.size();
        let known = object.extent.is_none() && object.chain.is_none();
        if known && offset <= size && len <= size - offset && !(write && object.constant) {
            match object.storage {
                StorageClass::Code(_) | StorageClass::Label(..) if len > 0 => {}
                _ => return Ok((reference, offset as usize)),
            }
        }
    }
    resolve_access_slowly(memory, terms, address, register, len, write, span)
}

fn resolve_access_slowly(
    memory: &mut MachineMemory,
    terms: &mut TermStore,
    address: MachineValue,
    register: i32,
    len: u64,
    write: bool,
    span: Span,
) -> Result<(ObjectRef, usize), InstructionObstacle> {
    let verb = if write { "write" } else { "read" };
    let reference = match (address.provenance(), address.bits()) {
        (Provenance::Object(reference), _) => reference,
        (Provenance::Uninitialised, _) => {
            return fail_undefined(format!("{verb} through an uninitialised pointer"));
        }
        (Provenance::Environment, Some(bits)) | (Provenance::None, Some(bits)) if bits < 0x1000 => {
            return fail_undefined(format!("{verb} through a null pointer"));
        }
        (Provenance::None, Some(bits)) => match memory.find_object_at(bits) {
            Some(reference) => {
                memory.observe_layout(span);
                reference
            }
            None => return fail_at_limit(format!("a {verb} at the fixed address {bits:#x}")),
        },
        _ => {
            return fail_at_limit(format!("a {verb} through a pointer that the environment chose"));
        }
    };
    let Some(object) = memory.object(reference) else {
        let name = memory.last_name(reference).unwrap_or("an object");
        return fail_undefined(format!("{verb} of {name} after its life ended"));
    };
    match object.storage {
        StorageClass::Code(_) | StorageClass::Label(..) => {
            return fail_undefined(format!("{verb} of the code of {}", object.name));
        }
        _ if write && object.constant => {
            return fail_undefined(format!("write to {}, which is constant", object.name));
        }
        _ => {}
    }
    if object.extent.is_some() {
        return fail_at_limit(format!("a {verb} of {}, whose size is not known", object.name));
    }
    if object.chain.is_some() {
        return Err(InstructionObstacle::Unfold(reference));
    }
    let (base, size) = (object.base, object.size());
    match address.bits() {
        Some(bits) => {
            let offset = bits.wrapping_sub(base);
            if offset <= size && len <= size - offset {
                return Ok((reference, offset as usize));
            }
            fail_undefined(format!(
                "{verb} of {len} byte{} at offset {} of {}, which has {size}",
                if len == 1 { "" } else { "s" },
                offset.cast_signed(),
                object.name
            ))
        }
        None => {
            if len > size {
                return fail_undefined(format!(
                    "{verb} of {len} bytes in {}, which has {size}",
                    object.name
                ));
            }
            let term = address.term().expect("not concrete");
            let allowed = if is_integer(terms, address) {
                let (first, last) = (terms.int(base), terms.int(base + (size - len)));
                let (above, below) = (terms.int_le(first, term), terms.int_le(term, last));
                terms.and(above, below)
            } else {
                let width = terms.width(term);
                let base = terms.bv(width, base.into());
                let last = terms.bv(width, (size - len).into());
                let offset = terms.bv_sub(term, base);
                terms.bv_ule(offset, last)
            };
            request_value(address, register, Some((allowed, OUTSIDE)))
        }
    }
}

/// Asks for the value of a symbolic operand; if only some are allowed, with what the others do.
pub(crate) fn request_value<T>(
    value: MachineValue,
    register: i32,
    allowed: Option<(ouro_term::Term, &'static str)>,
) -> Result<T, InstructionObstacle> {
    let term = value.term().expect("a symbolic value");
    let (allowed, otherwise) = allowed.map_or((None, ""), |(allowed, what)| (Some(allowed), what));
    match u32::try_from(register) {
        Ok(register) => {
            let provenance = value.provenance();
            Err(InstructionObstacle::Need(NeededValue {
                term,
                provenance,
                allowed,
                otherwise,
                register,
            }))
        }
        Err(_) => fail_at_limit("a wide constant where a number was expected"),
    }
}

/// The bits of an operand that must be a number: a size, or which stream.
pub(crate) fn require_number<E: RunEnvironment>(
    terms: &mut TermStore,
    environment: &mut E,
    value: MachineValue,
    register: i32,
) -> Result<u64, InstructionObstacle> {
    if value.object().is_some() {
        return fail_at_limit("an address where a number was expected");
    }
    if let Some(bits) = value.bits() {
        return Ok(bits);
    }
    if is_integer(terms, value) {
        // No larger object exists, so a larger size has no other meaning.
        let term = value.term().expect("an integer is a term");
        let most = terms.int(i32::MAX);
        let (natural, small) = (natural_condition(terms, term), terms.int_le(term, most));
        let fits = terms.and(natural, small);
        environment.restrict_coverage(fits, "a size beyond the machine's memory");
    }
    request_value(value, register, None)
}
