//! Global objects: names, sizes and what they hold at the start.

use ouro_model::{GlobalId, GlobalObject, InitializerCell, Span, Type};

use crate::hooks;
use crate::layout;
use crate::llvm::{Linkage, LlvmLayout, LlvmValue, Opcode, TypeKind, ValueKind};
use crate::lower::{LlvmLowering, ResolvedSymbol};
use crate::memory::sign_extended;
use crate::provided;
use crate::values::{aggregate_elements, scalar_bits};

/// Zero bytes up to this many between two pieces are written out rather than start a new cell.
const SMALL_GAP: u64 = 16;

/// How the tables are called that every `type_info` points to. Only the runtime behind
/// `dynamic_cast` and `typeid`, which is a limit, reads them.
const CXX_TYPE_INFORMATION: &str = "_ZTVN10__cxxabiv1";

impl<'c> LlvmLowering<'c> {
    /// The id of a global variable; asks for its content the first time.
    pub(crate) fn global_id(&mut self, value: LlvmValue<'c>) -> Result<GlobalId, String> {
        if let Some(id) = self.global_ids.get(&value) {
            return Ok(*id);
        }
        let ty = value.value_type();
        let declared_only = value.is_declaration();
        let name = value.name();
        if declared_only {
            if matches!(value.linkage(), Linkage::LLVMExternalWeakLinkage) {
                return Err(format!("the weak symbol {name}"));
            }
            if name.starts_with(CXX_TYPE_INFORMATION) {
                return Ok(self.opaque_global_id(value));
            }
            if !ty.is_sized() {
                return Err(format!("the external object {name} of unknown size"));
            }
            // A program of single loops is never run, and nobody asks how large an object is.
            if self.layout.size(ty) == 0 && !self.options.unit {
                return Err(format!("the external array {name} of unknown size"));
            }
            if !provided::is_provided_object(&name) {
                self.note_assumption(format!(
                    "the object {name} has no definition: it starts with any value"
                ));
            }
        } else if !ty.is_sized() {
            return Err(format!("the object {name} of unknown size"));
        }
        let is_provided = declared_only && provided::is_provided_object(&value.name());
        let user =
            !self.is_library_value(value) && !hooks::is_owned_by_monitor(value) && !is_provided;
        let (name, span) = self.global_name(value, user);
        let align = value.alignment().max(self.layout.align(ty)).max(1);
        let id = self.globals.push(GlobalObject {
            name,
            size: self.layout.size(ty),
            align,
            // What the library keeps in an object of its own is put there before the program runs.
            constant: value.is_constant_global() && !is_provided,
            shared: value.is_constant_global() && value.may_be_merged(),
            zeroed: !declared_only,
            cells: Vec::new(),
            span,
            user,
        });
        self.global_ids.insert(value, id);
        if !declared_only {
            self.pending_globals.push((id, value));
        }
        Ok(id)
    }

    /// An object of the C++ runtime that programs point to but never look into.
    fn opaque_global_id(&mut self, value: LlvmValue<'c>) -> GlobalId {
        const ENTRIES: u64 = 11;
        let id = self.globals.push(GlobalObject {
            name: value.name(),
            size: ENTRIES * u64::from(self.pointer_bits / 8),
            align: u64::from(self.pointer_bits / 8),
            constant: true,
            shared: false,
            zeroed: false,
            cells: Vec::new(),
            span: Span::NONE,
            user: false,
        });
        self.global_ids.insert(value, id);
        id
    }

    /// Fills in what a defined global starts with.
    pub(crate) fn initialize_global(&mut self, id: GlobalId, value: LlvmValue<'c>) {
        let Some(initializer) = value.initializer() else { return };
        if let Err(why) = self.fill_constant(id, 0, initializer) {
            let name = &self.globals[id].name;
            let text = format!("the initial value of {name}: {why}");
            if !self.broken.contains(&text) {
                self.broken.push(text);
            }
        }
    }

    fn fill_constant(
        &mut self,
        id: GlobalId,
        offset: u64,
        value: LlvmValue<'c>,
    ) -> Result<(), String> {
        if value.is_zero() || value.is_undefined() {
            // The object is zeroed; padding that the compiler leaves open is zero in practice.
            return Ok(());
        }
        if let Some(bytes) = value.string_bytes() {
            self.put_bytes(id, offset, &bytes);
            return Ok(());
        }
        let ty = value.ty();
        match value.kind() {
            ValueKind::LLVMConstantArrayValueKind
            | ValueKind::LLVMConstantDataArrayValueKind
            | ValueKind::LLVMConstantVectorValueKind
            | ValueKind::LLVMConstantDataVectorValueKind => {
                if !layout::has_addressable_leaves(self.layout, ty) {
                    return Err("a vector of bits".to_owned());
                }
                let size = self.layout.size(ty.element());
                for (index, element) in (0..).zip(aggregate_elements(value)) {
                    self.fill_constant(id, offset + index * size, element)?;
                }
                Ok(())
            }
            ValueKind::LLVMConstantStructValueKind => {
                for (index, element) in (0..).zip(aggregate_elements(value)) {
                    self.fill_constant(id, offset + self.layout.field_offset(ty, index), element)?;
                }
                Ok(())
            }
            ValueKind::LLVMConstantIntValueKind | ValueKind::LLVMConstantFPValueKind => {
                let ty = layout::scalar_type(ty)?;
                let bits = scalar_bits(value, ty).ok_or("a constant")?;
                let count = ty.size_in_bytes(self.pointer_bits) as usize;
                self.put_bytes(id, offset, &bits.to_le_bytes()[..count]);
                Ok(())
            }
            _ => self.fill_address(id, offset, value),
        }
    }

    fn fill_address(
        &mut self,
        id: GlobalId,
        offset: u64,
        value: LlvmValue<'c>,
    ) -> Result<(), String> {
        let ty = layout::scalar_type(value.ty())?;
        if ty.size_in_bits(self.pointer_bits) != self.pointer_bits || matches!(ty, Type::Float(_)) {
            return Err("an address in a number of another size".to_owned());
        }
        if matches!(value.kind(), ValueKind::LLVMBlockAddressValueKind) {
            let (function, block) = value.block_address();
            let function = self.function_id(ResolvedSymbol::Function(function));
            let cell = self.globals[id].cells.len();
            self.globals[id].cells.push((offset, InitializerCell::Function(function)));
            self.label_cells.push((id, cell, function, block));
            return Ok(());
        }
        let (base, bytes) = resolve_constant_address(self.layout, value)?;
        let cell = match base {
            None => {
                let count = (self.pointer_bits / 8) as usize;
                self.put_bytes(id, offset, &bytes.to_le_bytes()[..count]);
                return Ok(());
            }
            Some(base) => match self.resolve(base)? {
                ResolvedSymbol::Global(global) => {
                    let bytes = i64::try_from(bytes).map_err(|_| "a huge offset")?;
                    InitializerCell::Global(self.global_id(global)?, bytes)
                }
                symbol if bytes == 0 => InitializerCell::Function(self.function_id(symbol)),
                _ => return Err("an address inside a function".to_owned()),
            },
        };
        self.globals[id].cells.push((offset, cell));
        Ok(())
    }

    fn put_bytes(&mut self, id: GlobalId, offset: u64, bytes: &[u8]) {
        let cells = &mut self.globals[id].cells;
        if let Some((start, InitializerCell::Bytes(before))) = cells.last_mut() {
            let end = *start + before.len() as u64;
            if offset >= end && offset - end <= SMALL_GAP {
                let gap = usize::try_from(offset - end).unwrap_or(0);
                before.resize(before.len() + gap, 0);
                before.extend_from_slice(bytes);
                return;
            }
        }
        cells.push((offset, InitializerCell::Bytes(bytes.to_vec())));
    }

    /// The user's name for a global, and where it is declared.
    fn global_name(&mut self, value: LlvmValue<'c>, user: bool) -> (String, Span) {
        if let Some((name, place)) = value.global_source()
            && !name.is_empty()
        {
            return (name, self.source_span(Some(place), !user));
        }
        let name = value.name();
        if matches!(value.linkage(), Linkage::LLVMPrivateLinkage)
            && name.starts_with(".str")
            && let Some(bytes) = value.initializer().and_then(LlvmValue::string_bytes)
        {
            return (quote_string_literal(&bytes), Span::NONE);
        }
        let plain = if let Some(rest) = name.strip_prefix("__const.") {
            let variable = rest.split('.').nth(1).unwrap_or(rest);
            format!("initial value of {variable}")
        } else if name.starts_with(".compoundliteral") {
            "compound literal".to_owned()
        } else if name.starts_with(".str") {
            "string literal".to_owned()
        } else {
            // A static local is called `function.variable`, with a number if there are several.
            let mut parts = name.split('.');
            let first = parts.next().unwrap_or(&name);
            match parts.next() {
                Some(second) if !first.is_empty() && !second.starts_with(char::is_numeric) => {
                    second.to_owned()
                }
                _ if !first.is_empty() => first.to_owned(),
                _ => name.clone(),
            }
        };
        (plain, Span::NONE)
    }
}

/// A string literal as a name: quoted, and shortened.
fn quote_string_literal(bytes: &[u8]) -> String {
    const LONGEST: usize = 24;
    let text = bytes.strip_suffix(&[0]).unwrap_or(bytes);
    let text = String::from_utf8_lossy(text);
    let shown: String = text.chars().take(LONGEST).collect();
    let more = if shown.len() < text.len() { "…" } else { "" };
    format!("\"{}{more}\"", shown.escape_debug())
}

/// The object that a constant address is in, and the bytes from its start. Without object it is a
/// plain number.
fn resolve_constant_address<'c>(
    layout: LlvmLayout<'c>,
    value: LlvmValue<'c>,
) -> Result<(Option<LlvmValue<'c>>, i128), String> {
    match value.kind() {
        ValueKind::LLVMFunctionValueKind | ValueKind::LLVMGlobalVariableValueKind => {
            Ok((Some(value), 0))
        }
        ValueKind::LLVMGlobalAliasValueKind => resolve_constant_address(layout, value.aliasee()),
        ValueKind::LLVMConstantPointerNullValueKind => Ok((None, 0)),
        ValueKind::LLVMConstantIntValueKind => {
            let bits = value.int_value().ok_or("a constant")?;
            Ok((None, sign_extended(bits, value.ty().int_bits())))
        }
        ValueKind::LLVMConstantExprValueKind => match value.constant_opcode() {
            Opcode::LLVMGetElementPtr => {
                let (base, bytes) = resolve_constant_address(layout, value.operand(0))?;
                Ok((base, bytes + constant_element_offset(layout, value)?))
            }
            Opcode::LLVMBitCast
            | Opcode::LLVMAddrSpaceCast
            | Opcode::LLVMIntToPtr
            | Opcode::LLVMPtrToInt => {
                let inner = value.operand(0);
                let width = |value: LlvmValue<'c>| {
                    layout::scalar_type(value.ty()).map(|ty| ty.size_in_bits(layout.pointer_bits()))
                };
                if width(inner)? != width(value)? {
                    return Err("an address in a number of another size".to_owned());
                }
                resolve_constant_address(layout, inner)
            }
            opcode @ (Opcode::LLVMAdd | Opcode::LLVMSub) => {
                let (left, a) = resolve_constant_address(layout, value.operand(0))?;
                let (right, b) = resolve_constant_address(layout, value.operand(1))?;
                match (opcode, left, right) {
                    (Opcode::LLVMAdd, base, None) | (Opcode::LLVMAdd, None, base) => {
                        Ok((base, a + b))
                    }
                    (_, base, None) => Ok((base, a - b)),
                    (_, Some(left), Some(right)) if left == right => Ok((None, a - b)),
                    _ => Err("a computation with addresses".to_owned()),
                }
            }
            _ => Err("a computation with addresses".to_owned()),
        },
        _ => Err(format!("the constant {}", value.text())),
    }
}

/// Bytes that a constant getelementptr adds.
fn constant_element_offset<'c>(
    layout: LlvmLayout<'c>,
    value: LlvmValue<'c>,
) -> Result<i128, String> {
    let mut ty = value.element_type();
    let mut bytes = 0;
    for (position, index) in value.operands().into_iter().skip(1).enumerate() {
        let bits = index.int_value().ok_or("a computed address")?;
        let number = sign_extended(bits, index.ty().int_bits());
        if position > 0 {
            match ty.kind() {
                TypeKind::LLVMStructTypeKind => {
                    let field = u32::try_from(number).map_err(|_| "a field")?;
                    bytes += i128::from(layout.field_offset(ty, field));
                    ty = *ty.fields().get(field as usize).ok_or("a field")?;
                    continue;
                }
                TypeKind::LLVMArrayTypeKind | TypeKind::LLVMVectorTypeKind => ty = ty.element(),
                _ => return Err("an address inside a scalar".to_owned()),
            }
        }
        if !ty.is_sized() {
            return Err("an address inside an object of unknown size".to_owned());
        }
        bytes += number * i128::from(layout.size(ty));
    }
    Ok(bytes)
}
