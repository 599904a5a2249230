//! Which scalars a type consists of, and where each lies in memory.

use ouro_model::Type;

use crate::llvm::{Layout, Ty, TypeKind};
use crate::wide;

/// A scalar inside a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Leaf {
    /// Bytes from the start of the value.
    pub(crate) offset: u64,
    pub(crate) ty: Type,
}

/// More scalars than this in one value are refused: values are copied leaf by leaf.
const MOST_LEAVES: usize = 1 << 14;

/// The model's type of a scalar.
pub(crate) fn scalar(ty: Ty<'_>) -> Result<Type, String> {
    Ok(match ty.kind() {
        TypeKind::LLVMIntegerTypeKind => match ty.int_bits() {
            bits @ 1..=128 => Type::Int(bits),
            bits => return Err(format!("an integer of {bits} bits")),
        },
        TypeKind::LLVMPointerTypeKind => Type::Ptr,
        TypeKind::LLVMFloatTypeKind => Type::Float(32),
        TypeKind::LLVMDoubleTypeKind => Type::Float(64),
        TypeKind::LLVMX86_FP80TypeKind => Type::Float(80),
        TypeKind::LLVMFP128TypeKind => Type::Float(128),
        TypeKind::LLVMHalfTypeKind | TypeKind::LLVMBFloatTypeKind => {
            return Err("a float of 16 bits".to_owned());
        }
        _ => return Err("a value of a type that the model does not have".to_owned()),
    })
}

/// The scalars of a first-class type, by ascending offset.
pub(crate) fn leaves<'c>(layout: Layout<'c>, ty: Ty<'c>) -> Result<Vec<Leaf>, String> {
    let mut found = Vec::new();
    collect(layout, ty, 0, &mut found)?;
    Ok(found)
}

fn collect<'c>(
    layout: Layout<'c>,
    ty: Ty<'c>,
    offset: u64,
    found: &mut Vec<Leaf>,
) -> Result<(), String> {
    match ty.kind() {
        TypeKind::LLVMVoidTypeKind => {}
        TypeKind::LLVMStructTypeKind => {
            if !ty.is_sized() {
                return Err("a value of an incomplete type".to_owned());
            }
            for (index, field) in (0..).zip(ty.fields()) {
                collect(layout, field, offset + layout.field_offset(ty, index), found)?;
            }
        }
        TypeKind::LLVMArrayTypeKind => {
            let element = ty.element();
            let size = layout.size(element);
            for index in 0..ty.array_length() {
                collect(layout, element, offset + index * size, found)?;
            }
        }
        TypeKind::LLVMVectorTypeKind => {
            let element = scalar(ty.element())?;
            // Elements of a vector are packed by bits; those that do not fill bytes have no
            // address of their own. Leaves of such a vector may be computed with, not stored.
            let bits = element.bits(layout.pointer_bits());
            for index in 0..u64::from(ty.vector_length()) {
                push(found, Leaf { offset: offset + index * u64::from(bits) / 8, ty: element })?;
            }
        }
        _ => match wide::width(ty) {
            Some(bits) if bits.is_multiple_of(8) => {
                for (index, limb) in (0..).zip(wide::limbs(bits)) {
                    push(found, Leaf { offset: offset + index * 8, ty: Type::Int(limb) })?;
                }
            }
            _ => push(found, Leaf { offset, ty: scalar(ty)? })?,
        },
    }
    Ok(())
}

fn push(found: &mut Vec<Leaf>, leaf: Leaf) -> Result<(), String> {
    if found.len() == MOST_LEAVES {
        return Err(format!("a value of more than {MOST_LEAVES} parts"));
    }
    found.push(leaf);
    Ok(())
}

/// Whether a value of this type can be moved through memory leaf by leaf.
pub(crate) fn has_addressable_leaves(layout: Layout<'_>, ty: Ty<'_>) -> bool {
    match ty.kind() {
        TypeKind::LLVMStructTypeKind => {
            ty.fields().into_iter().all(|field| has_addressable_leaves(layout, field))
        }
        TypeKind::LLVMArrayTypeKind => has_addressable_leaves(layout, ty.element()),
        TypeKind::LLVMVectorTypeKind => scalar(ty.element())
            .is_ok_and(|element| element.bits(layout.pointer_bits()).is_multiple_of(8)),
        _ => true,
    }
}

/// Position of the leaves of the part at `path`: the first one, and how many.
pub(crate) fn part<'c>(
    layout: Layout<'c>,
    ty: Ty<'c>,
    path: &[u32],
) -> Result<(usize, usize), String> {
    let Some((&index, rest)) = path.split_first() else {
        return Ok((0, leaves(layout, ty)?.len()));
    };
    let mut before = 0;
    let part_type = match ty.kind() {
        TypeKind::LLVMStructTypeKind => {
            let fields = ty.fields();
            let index = index as usize;
            for field in fields.iter().take(index) {
                before += leaves(layout, *field)?.len();
            }
            *fields.get(index).ok_or("a field that does not exist")?
        }
        TypeKind::LLVMArrayTypeKind => {
            before = index as usize * leaves(layout, ty.element())?.len();
            ty.element()
        }
        _ => return Err("a part of a value that has none".to_owned()),
    };
    let (start, count) = part(layout, part_type, rest)?;
    Ok((before + start, count))
}
