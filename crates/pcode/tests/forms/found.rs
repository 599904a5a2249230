//! The forms of instructions that occur in libraries.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use iced_x86::{Decoder, DecoderOptions, Encoder, Instruction, OpKind};
use object::{Object as _, ObjectSection as _};

use crate::state::{CODE, DATA};

/// What makes two instructions the same form.
type Form = (iced_x86::Code, Vec<OpKind>, [bool; 6]);

fn form(instruction: &Instruction) -> Form {
    let kinds = (0..instruction.op_count()).map(|i| instruction.op_kind(i)).collect();
    let same = instruction.op_count() >= 2
        && instruction.op_kind(0) == OpKind::Register
        && instruction.op_kind(1) == OpKind::Register
        && instruction.op_register(0) == instruction.op_register(1);
    let marks = [
        instruction.has_rep_prefix(),
        instruction.has_repne_prefix(),
        instruction.has_lock_prefix(),
        instruction.has_op_mask(),
        instruction.zeroing_masking(),
        same,
    ];
    (instruction.code(), kinds, marks)
}

/// Each form with one instruction of it, as it lies in its library; by number of the form.
pub(crate) fn forms(files: &[&str]) -> Vec<Instruction> {
    let mut found: HashMap<Form, Instruction> = HashMap::new();
    for file in files {
        assert!(Path::new(file).is_file(), "{file} is missing: ./scripts/setup.sh installs it");
        let bytes = fs::read(file).expect("a file");
        let parsed = object::File::parse(&*bytes).expect("an ELF file");
        let text = parsed.section_by_name(".text").expect("code");
        let code = text.uncompressed_data().expect("code");
        let mut decoder = Decoder::with_ip(64, &code, text.address(), DecoderOptions::NONE);
        let mut instruction = Instruction::default();
        while decoder.can_decode() {
            decoder.decode_out(&mut instruction);
            if !instruction.is_invalid() {
                found.entry(form(&instruction)).or_insert(instruction);
            }
        }
    }
    let mut all: Vec<Instruction> = found.into_values().collect();
    all.sort_by_key(|instruction| {
        (instruction.code() as usize, format!("{:?}", form(instruction)))
    });
    all
}

/// The bytes of an instruction at another address; what it finds relative to itself is the data page.
pub(crate) fn moved(instruction: &Instruction, address: u64) -> Option<Vec<u8>> {
    let mut moved = *instruction;
    if moved.is_ip_rel_memory_operand() {
        moved.set_memory_displacement64(DATA + 0x1000);
    }
    if (0..moved.op_count()).any(|i| moved.op_kind(i) == OpKind::NearBranch64) {
        moved.set_near_branch64(CODE + 0x40);
    }
    let mut encoder = Encoder::new(64);
    encoder.encode(&moved, address).ok()?;
    Some(encoder.take_buffer())
}
