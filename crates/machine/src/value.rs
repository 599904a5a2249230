//! Values: what a variable or a memory cell holds while a program runs.
//!
//! A value is two machine words. The first has the bits, or the term of a symbolic value; the
//! second is zero for plain numbers, so that the common case is one test. Otherwise it says which
//! object an address belongs to and whether the bits are symbolic.

use ouro_term::{Term, TermStore};

/// An object of memory: a slot and the generation of its use, so that an address of an object that
/// is gone never reaches the next one in that slot.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ObjectRef {
    /// Index of the slot.
    pub slot: u32,
    /// Which use of the slot, 31 bits.
    pub generation: u32,
}

/// Where an address comes from: what it may be used to access.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Provenance {
    /// Nowhere: a number.
    None,
    /// An object of memory.
    Object(ObjectRef),
    /// A variable that was never written.
    Uninitialised,
    /// The environment: what an external function returned.
    Environment,
}

/// What a variable or memory cell holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MachineValue {
    pub(crate) bits: u64,
    pub(crate) tag: u64,
}

const SYMBOLIC: u64 = 1 << 63;
const UNWRITTEN: u64 = 1;
const UNINITIALISED: u64 = 2;
const ENVIRONMENT: u64 = 3;
/// Tags of objects start here: the slot is in the low half, shifted by this.
const FIRST_OBJECT: u64 = 4;

impl MachineValue {
    /// A variable that has not been written in this call.
    pub(crate) const UNWRITTEN: MachineValue = MachineValue { bits: 0, tag: UNWRITTEN };

    /// A plain number of at most 64 bits.
    pub fn plain(bits: u64) -> MachineValue {
        MachineValue { bits, tag: 0 }
    }

    /// An address in an object.
    pub fn address(bits: u64, object: ObjectRef) -> MachineValue {
        MachineValue { bits, tag: object_tag(object) }
    }

    /// Plain bits with a provenance.
    pub fn with_provenance(bits: u64, provenance: Provenance) -> MachineValue {
        MachineValue { bits, tag: provenance_tag(provenance) }
    }

    /// A symbolic value.
    pub fn symbolic(term: Term, provenance: Provenance) -> MachineValue {
        MachineValue { bits: term.index() as u64, tag: SYMBOLIC | provenance_tag(provenance) }
    }

    /// A term as a value without provenance: plain if it is a constant of at most 64 bits.
    pub fn from_term(terms: &TermStore, term: Term) -> MachineValue {
        crate::memory::value_from_term(terms, term, Provenance::None)
    }

    /// Whether this is a plain number: no term, no provenance.
    #[inline]
    pub fn is_plain(self) -> bool {
        self.tag == 0
    }

    /// Whether the bits are a term.
    pub fn is_symbolic(self) -> bool {
        self.tag & SYMBOLIC != 0
    }

    /// Whether this stands for a variable never written.
    pub(crate) fn is_unwritten(self) -> bool {
        self.tag == UNWRITTEN
    }

    /// The term of a symbolic value.
    pub fn term(self) -> Option<Term> {
        self.is_symbolic().then(|| Term::from_index(self.bits as u32))
    }

    /// The bits of a value that is not symbolic.
    pub fn bits(self) -> Option<u64> {
        (!self.is_symbolic()).then_some(self.bits)
    }

    /// What the address may access.
    pub fn provenance(self) -> Provenance {
        match self.tag & !SYMBOLIC {
            0 | UNWRITTEN => Provenance::None,
            UNINITIALISED => Provenance::Uninitialised,
            ENVIRONMENT => Provenance::Environment,
            tag => {
                let tag = tag - FIRST_OBJECT;
                Provenance::Object(ObjectRef { slot: tag as u32, generation: (tag >> 32) as u32 })
            }
        }
    }

    /// Whether this is an address in an object, and not symbolic.
    #[inline]
    pub(crate) fn is_address(self) -> bool {
        (FIRST_OBJECT..SYMBOLIC).contains(&self.tag)
    }

    /// The object of an address that is not symbolic; for all else, one that no memory has: its
    /// generation is one of the last, which no slot reaches.
    #[inline]
    pub(crate) fn likely_object(self) -> ObjectRef {
        let tag = self.tag.wrapping_sub(FIRST_OBJECT);
        ObjectRef { slot: tag as u32, generation: (tag >> 32) as u32 }
    }

    /// The object of an address.
    pub fn object(self) -> Option<ObjectRef> {
        match self.provenance() {
            Provenance::Object(object) => Some(object),
            _ => None,
        }
    }
}

fn object_tag(object: ObjectRef) -> u64 {
    ((u64::from(object.generation) << 32) | u64::from(object.slot)) + FIRST_OBJECT
}

fn provenance_tag(provenance: Provenance) -> u64 {
    match provenance {
        Provenance::None => 0,
        Provenance::Object(object) => object_tag(object),
        Provenance::Uninitialised => UNINITIALISED,
        Provenance::Environment => ENVIRONMENT,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn provenance_survives_the_encoding() {
        for object in [(0, 0), (1, 0), (u32::MAX - 4, 0), (u32::MAX, 7), (5, (1 << 31) - 2)] {
            let object = ObjectRef { slot: object.0, generation: object.1 };
            for provenance in [
                Provenance::None,
                Provenance::Object(object),
                Provenance::Uninitialised,
                Provenance::Environment,
            ] {
                let concrete = MachineValue::with_provenance(7, provenance);
                assert_eq!(concrete.provenance(), provenance);
                assert_eq!(concrete.bits(), Some(7));
                let symbolic = MachineValue::symbolic(Term::from_index(7), provenance);
                assert_eq!(symbolic.provenance(), provenance);
                assert_eq!(symbolic.term(), Some(Term::from_index(7)));
                let likely = concrete.likely_object();
                match provenance {
                    Provenance::Object(object) => assert_eq!(likely, object),
                    _ => assert!(likely.generation > (1 << 31) - 8),
                }
                assert!(symbolic.likely_object().generation > (1 << 31) - 8);
                assert_eq!(concrete.is_address(), concrete.object().is_some());
                assert!(!symbolic.is_address());
            }
        }
    }
}
