//! The start: addresses for all that has one, and the first state.

use ouro_model::ids::TypedId;
use ouro_model::{BlockId, FunctionId, InitializerCell, Operand, Program, Span};
use ouro_term::TermStore;
use rustc_hash::FxHashMap;

use crate::memory::MachineMemory;
use crate::object::StorageClass;
use crate::{MachineValue, ObjectRef};

/// Addresses of static objects, functions and labels.
pub(crate) struct StaticAddresses {
    pub(crate) globals: Vec<(u64, ObjectRef)>,
    pub(crate) functions: Vec<(u64, ObjectRef)>,
    pub(crate) labels: FxHashMap<(FunctionId, BlockId), (u64, ObjectRef)>,
}

/// A program whose static objects do not fit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProgramTooLarge {
    /// The object that had no room.
    pub name: String,
    /// Its size.
    pub size: u64,
}

/// Places all static objects, functions and labels, and fills the objects.
pub(crate) fn place_statics(
    program: &Program,
    terms: &mut TermStore,
) -> Result<(StaticAddresses, MachineMemory), ProgramTooLarge> {
    let mut memory = MachineMemory::new(program.target.pointer_bits);
    let make = |memory: &mut MachineMemory, size, align, name: &str, storage| {
        let object = memory
            .create_object(size, align, name.into(), storage)
            .ok_or_else(|| ProgramTooLarge { name: name.to_owned(), size })?;
        let base = memory.object(object).expect("just made").base;
        Ok((base, object))
    };
    let mut globals = Vec::new();
    for (id, global) in program.globals.enumerate() {
        let storage = StorageClass::Static(id);
        globals.push(make(&mut memory, global.size, global.align, &global.name, storage)?);
    }
    let mut functions = Vec::new();
    for (id, function) in program.functions.enumerate() {
        functions.push(make(&mut memory, 1, 1, &function.name, StorageClass::Code(id))?);
    }
    let mut labels = FxHashMap::default();
    for (function, block) in label_addresses(program) {
        let storage = StorageClass::Label(function, block);
        labels.insert((function, block), make(&mut memory, 1, 1, "label", storage)?);
    }
    let addresses = StaticAddresses { globals, functions, labels };
    fill_statics(program, terms, &addresses, &mut memory);
    Ok((addresses, memory))
}

fn fill_statics(
    program: &Program,
    terms: &mut TermStore,
    addresses: &StaticAddresses,
    memory: &mut MachineMemory,
) {
    let pointer_bits = program.target.pointer_bits;
    for (id, global) in program.globals.enumerate() {
        let reference = addresses.globals[id.index()].1;
        if global.zeroed {
            let object = memory.object_mut(reference).expect("just made");
            let size = object.data.len();
            object.mark_written(0, size);
        }
        for (offset, cell) in &global.cells {
            let at = *offset as usize;
            let address = |(base, object): (u64, ObjectRef), offset: i64| {
                let mut bits = base.wrapping_add_signed(offset);
                if pointer_bits < 64 {
                    bits &= (1 << pointer_bits) - 1;
                }
                MachineValue::address(bits, object)
            };
            let value = match cell {
                InitializerCell::Bytes(bytes) => {
                    let object = memory.object_mut(reference).expect("just made");
                    object.data[at..at + bytes.len()].copy_from_slice(bytes);
                    object.mark_written(at, bytes.len());
                    continue;
                }
                InitializerCell::Global(other, offset) => {
                    address(addresses.globals[other.index()], *offset)
                }
                InitializerCell::Function(function) => {
                    address(addresses.functions[function.index()], 0)
                }
                InitializerCell::Label(function, block) => {
                    address(addresses.labels[&(*function, *block)], 0)
                }
            };
            let stored = memory.store_value(terms, reference, at, pointer_bits, value, Span::NONE);
            stored.expect("no integer is symbolic yet");
        }
        let object = memory.object_mut(reference).expect("just made");
        object.constant = global.constant;
        object.shared = global.shared;
        object.external = !global.zeroed;
    }
    memory.layout = None;
}

/// The labels whose address is taken, each once, in order.
fn label_addresses(program: &Program) -> Vec<(FunctionId, BlockId)> {
    let mut all = Vec::new();
    for global in program.globals.iter() {
        for (_, cell) in &global.cells {
            if let InitializerCell::Label(function, block) = cell {
                all.push((*function, *block));
            }
        }
    }
    for (id, function) in program.functions.enumerate() {
        let mut note = |operand: Operand| {
            if let Operand::Label(block) = operand {
                all.push((id, block));
            }
        };
        for block in function.blocks.iter() {
            for statement in &block.statements {
                statement.instruction.each_operand(&mut note);
            }
            block.terminator.each_operand(&mut note);
        }
    }
    all.sort();
    all.dedup();
    all
}
