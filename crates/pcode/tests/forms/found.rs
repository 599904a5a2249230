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

/// Forms that libraries hardly use and that are easily wrong: addresses of 32 bits, segments before string
/// instructions, counts of shifts, comparisons that exchange, the stack pointer pushed and popped.
pub(crate) fn rare() -> Vec<Instruction> {
    const BYTES: [&[u8]; 76] = [
        // Addresses and counters of 32 bits, whatever the upper halves hold.
        &[0x67, 0x8b, 0x01],
        &[0x67, 0x48, 0x8b, 0x44, 0x91, 0x08],
        &[0x67, 0x89, 0x11],
        &[0x67, 0x8d, 0x04, 0x11],
        &[0x67, 0x48, 0x8d, 0x04, 0x11],
        &[0x67, 0x64, 0x8b, 0x01],
        &[0x67, 0xa4],
        &[0x67, 0xf3, 0xa4],
        &[0x67, 0xf3, 0x48, 0xab],
        &[0x67, 0xf2, 0xae],
        &[0x67, 0xe3, 0x02],
        &[0x67, 0xe2, 0x02],
        &[0x67, 0xe1, 0x02],
        &[0x67, 0xe0, 0x02],
        &[0x67, 0x66, 0x0f, 0x6f, 0x01],
        &[0x67, 0xf3, 0x0f, 0xb8, 0x01],
        // Segments.
        &[0x64, 0x8b, 0x01],
        &[0x65, 0x48, 0x89, 0x11],
        &[0x64, 0xa4],
        &[0x65, 0xac],
        &[0x64, 0xf3, 0xa6],
        &[0x65, 0xd7],
        // Loops and jumps on counters.
        &[0xe3, 0x02],
        &[0xe2, 0x02],
        &[0xe1, 0x02],
        &[0xe0, 0x02],
        // String instructions.
        &[0xa5],
        &[0x66, 0xa7],
        &[0xf3, 0xa7],
        &[0xf2, 0x48, 0xa7],
        &[0xf3, 0x48, 0xaf],
        &[0x48, 0xad],
        &[0xf3, 0xac],
        &[0xd7],
        // Exchanges that compare, and bits beyond their operand.
        &[0x0f, 0xb0, 0x11],
        &[0x66, 0x0f, 0xb1, 0x11],
        &[0x0f, 0xb1, 0x11],
        &[0xf0, 0x0f, 0xb1, 0x11],
        &[0x48, 0x0f, 0xb1, 0x11],
        &[0x0f, 0xb1, 0xd1],
        &[0x0f, 0xc7, 0x09],
        &[0x48, 0x0f, 0xc7, 0x09],
        &[0x0f, 0xc1, 0xc0],
        &[0x0f, 0xc1, 0x11],
        &[0x87, 0xc9],
        &[0x66, 0x0f, 0xba, 0x29, 0x1f],
        // Shifts by CL and by one, of each width.
        &[0xd2, 0xe0],
        &[0xd2, 0xe8],
        &[0xd2, 0xf8],
        &[0xd2, 0xc0],
        &[0xd2, 0xd0],
        &[0x66, 0xd3, 0xe0],
        &[0x66, 0xd3, 0xd8],
        &[0xd3, 0xe8],
        &[0x48, 0xd3, 0xf8],
        &[0x48, 0xd3, 0xd0],
        &[0x66, 0x0f, 0xa5, 0xd0],
        &[0x48, 0x0f, 0xad, 0xd0],
        &[0xd1, 0xe8],
        // Multiplications and divisions of bytes and words, and flags.
        &[0xf6, 0xe1],
        &[0xf6, 0xe9],
        &[0xf6, 0xf1],
        &[0xf6, 0xf9],
        &[0x66, 0xf7, 0xf1],
        &[0x66, 0xf7, 0xf9],
        &[0xf5],
        &[0xfd],
        &[0xfc],
        // The stack.
        &[0x54],
        &[0x5c],
        &[0x66, 0x50],
        &[0x66, 0x58],
        &[0xff, 0x34, 0x24],
        &[0x8f, 0x04, 0x24],
        &[0xc8, 0x20, 0x00, 0x00],
        &[0xc2, 0x10, 0x00],
    ];
    let decode = |bytes: &&[u8]| Decoder::with_ip(64, bytes, CODE, DecoderOptions::NONE).decode();
    let all: Vec<Instruction> = BYTES.iter().map(decode).collect();
    assert!(all.iter().all(|instruction| !instruction.is_invalid()));
    all
}

/// The bytes of an instruction at another address; what it finds relative to itself is the data page.
pub(crate) fn moved(instruction: &Instruction, address: u64) -> Option<Vec<u8>> {
    let mut moved = *instruction;
    if moved.is_ip_rel_memory_operand() {
        moved.set_memory_displacement64(DATA + 0x1000);
    }
    if (0..moved.op_count()).any(|i| moved.op_kind(i) == OpKind::NearBranch64) {
        // Jumps on a counter do not reach far.
        let near = moved.is_jcx_short() || moved.is_loop() || moved.is_loopcc();
        moved.set_near_branch64(if near { address + 16 } else { CODE + 0x40 });
    }
    let mut encoder = Encoder::new(64);
    encoder.encode(&moved, address).ok()?;
    Some(encoder.take_buffer())
}
