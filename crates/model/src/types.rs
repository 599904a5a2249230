//! The types of values.

use std::fmt;

/// What a variable holds or a memory access moves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Type {
    /// A two's complement integer of 1 to 128 bits; signedness is in the operations.
    Int(u32),
    /// An address; its width is the program's pointer width.
    Ptr,
    /// An IEEE float of 32, 64, 80 (x87 extended) or 128 bits.
    Float(u32),
}

impl Type {
    /// Bits of a value, given the pointer width.
    pub fn size_in_bits(self, pointer_bits: u32) -> u32 {
        match self {
            Type::Int(bits) | Type::Float(bits) => bits,
            Type::Ptr => pointer_bits,
        }
    }

    /// Bytes that a load or store of this type touches.
    pub fn size_in_bytes(self, pointer_bits: u32) -> u32 {
        self.size_in_bits(pointer_bits).div_ceil(8)
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Int(bits) => write!(f, "i{bits}"),
            Type::Ptr => f.write_str("ptr"),
            Type::Float(bits) => write!(f, "f{bits}"),
        }
    }
}
