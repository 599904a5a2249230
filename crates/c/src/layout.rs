//! Which scalars a type consists of, and where each lies in memory.

use ouro_model::Type;

use crate::llvm::{LlvmLayout, LlvmType, TypeKind};
use crate::wide;

/// A scalar inside a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ScalarLeaf {
    /// Bytes from the start of the value.
    pub(crate) offset: u64,
    pub(crate) ty: Type,
}

/// More scalars than this in one value are refused: values are copied leaf by leaf.
const MOST_LEAVES: usize = 1 << 14;

/// The model's type of a scalar.
pub(crate) fn scalar_type(ty: LlvmType<'_>) -> Result<Type, String> {
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
pub(crate) fn type_leaves<'c>(
    layout: LlvmLayout<'c>,
    ty: LlvmType<'c>,
) -> Result<Vec<ScalarLeaf>, String> {
    let mut found = Vec::new();
    collect_leaves(layout, ty, 0, &mut found)?;
    Ok(found)
}

fn collect_leaves<'c>(
    layout: LlvmLayout<'c>,
    ty: LlvmType<'c>,
    offset: u64,
    found: &mut Vec<ScalarLeaf>,
) -> Result<(), String> {
    match ty.kind() {
        TypeKind::LLVMVoidTypeKind => {}
        TypeKind::LLVMStructTypeKind => {
            if !ty.is_sized() {
                return Err("a value of an incomplete type".to_owned());
            }
            for (index, field) in (0..).zip(ty.fields()) {
                collect_leaves(layout, field, offset + layout.field_offset(ty, index), found)?;
            }
        }
        TypeKind::LLVMArrayTypeKind => {
            let element = ty.element();
            let size = layout.size(element);
            for index in 0..ty.array_length() {
                collect_leaves(layout, element, offset + index * size, found)?;
            }
        }
        TypeKind::LLVMVectorTypeKind => {
            let element = scalar_type(ty.element())?;
            // Elements of a vector are packed by bits; those that do not fill bytes have no
            // address of their own. Leaves of such a vector may be computed with, not stored.
            let bits = element.size_in_bits(layout.pointer_bits());
            for index in 0..u64::from(ty.vector_length()) {
                push_leaf(
                    found,
                    ScalarLeaf { offset: offset + index * u64::from(bits) / 8, ty: element },
                )?;
            }
        }
        _ => match wide::wide_integer_width(ty) {
            Some(bits) if bits.is_multiple_of(8) => {
                for (index, limb) in (0..).zip(wide::limb_widths(bits)) {
                    push_leaf(
                        found,
                        ScalarLeaf { offset: offset + index * 8, ty: Type::Int(limb) },
                    )?;
                }
            }
            _ => push_leaf(found, ScalarLeaf { offset, ty: scalar_type(ty)? })?,
        },
    }
    Ok(())
}

fn push_leaf(found: &mut Vec<ScalarLeaf>, leaf: ScalarLeaf) -> Result<(), String> {
    if found.len() == MOST_LEAVES {
        return Err(format!("a value of more than {MOST_LEAVES} parts"));
    }
    found.push(leaf);
    Ok(())
}

/// Whether a value of this type can be moved through memory leaf by leaf.
pub(crate) fn has_addressable_leaves(layout: LlvmLayout<'_>, ty: LlvmType<'_>) -> bool {
    match ty.kind() {
        TypeKind::LLVMStructTypeKind => {
            ty.fields().into_iter().all(|field| has_addressable_leaves(layout, field))
        }
        TypeKind::LLVMArrayTypeKind => has_addressable_leaves(layout, ty.element()),
        TypeKind::LLVMVectorTypeKind => scalar_type(ty.element())
            .is_ok_and(|element| element.size_in_bits(layout.pointer_bits()).is_multiple_of(8)),
        _ => true,
    }
}

/// Position of the leaves of the part at `path`: the first one, and how many.
pub(crate) fn locate_part_leaves<'c>(
    layout: LlvmLayout<'c>,
    ty: LlvmType<'c>,
    path: &[u32],
) -> Result<(usize, usize), String> {
    let Some((&index, rest)) = path.split_first() else {
        return Ok((0, type_leaves(layout, ty)?.len()));
    };
    let mut before = 0;
    let part_type = match ty.kind() {
        TypeKind::LLVMStructTypeKind => {
            let fields = ty.fields();
            let index = index as usize;
            for field in fields.iter().take(index) {
                before += type_leaves(layout, *field)?.len();
            }
            *fields.get(index).ok_or("a field that does not exist")?
        }
        TypeKind::LLVMArrayTypeKind => {
            before = index as usize * type_leaves(layout, ty.element())?.len();
            ty.element()
        }
        _ => return Err("a part of a value that has none".to_owned()),
    };
    let (start, count) = locate_part_leaves(layout, part_type, rest)?;
    Ok((before + start, count))
}
