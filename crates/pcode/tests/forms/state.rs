//! Random states, and machines in them.

use std::rc::Rc;

use iced_x86::{Instruction, OpKind, Register};
use ouro_pcode::op::file;
use ouro_pcode::{MemoryBacking, PagedMemory, PcodeMachine};

pub(crate) const CODE: u64 = 0x1000_0000;
pub(crate) const CODE_LENGTH: u64 = 1 << 20;
pub(crate) const DATA: u64 = 0x2000_0000;
pub(crate) const DATA_LENGTH: u64 = 1 << 14;

/// Every register, and the data page.
#[derive(Clone)]
pub(crate) struct State {
    pub(crate) gpr: [u64; 16],
    pub(crate) flags: u64,
    /// The bases of FS and GS.
    pub(crate) segment: u64,
    pub(crate) zmm: Vec<u8>,
    pub(crate) k: [u64; 8],
    pub(crate) fx: Vec<u8>,
    pub(crate) data: Vec<u8>,
}

pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number of a kind that matters: small, with few bits, all ones, a float, anything.
    pub(crate) fn word(&mut self) -> u64 {
        let any = self.next();
        match self.next() % 10 {
            0 => 0,
            1 => any % 64,
            2 => (any % 64).wrapping_neg(),
            3 => 1 << (any % 64),
            4 => u64::MAX >> (any % 64),
            5 => i64::MIN.cast_unsigned().wrapping_add(any % 3).wrapping_sub(1),
            6 => {
                let small = u32::try_from(any % 100_000).expect("small");
                (f64::from(small) / 7.0 - 1000.0).to_bits()
            }
            7 => any & 0xffff_ffff,
            _ => any,
        }
    }

    pub(crate) fn state(&mut self, instruction: &Instruction) -> State {
        let mut state = State {
            gpr: [0; 16],
            flags: self.next() & 0xcc5,
            segment: DATA + 0x1000,
            zmm: (0..256).flat_map(|_| self.word().to_le_bytes()).collect(),
            k: [0; 8].map(|_: u64| self.word()),
            fx: vec![0; 512],
            data: (0..DATA_LENGTH / 8).flat_map(|_| self.word().to_le_bytes()).collect(),
        };
        if !is_x86_feature_detected!("avx512f") {
            // This CPU has neither the upper halves, nor the second sixteen, nor masks.
            for (number, register) in state.zmm.chunks_mut(64).enumerate() {
                register[if number < 16 { 32 } else { 0 }..].fill(0);
            }
            state.k = [0; 8];
        }
        for register in &mut state.gpr {
            *register = if self.next().is_multiple_of(8) { DATA + 0x1800 } else { self.word() };
        }
        // x87: eight ordinary numbers, rounding to nearest, nothing unmasked.
        state.fx[0..2].copy_from_slice(&0x37fu16.to_le_bytes());
        state.fx[4] = 0xff;
        state.fx[24..28].copy_from_slice(&0x1f80u32.to_le_bytes());
        for i in 0..8 {
            let mantissa = (self.next() | 1 << 63).to_le_bytes();
            let exponent = 0x3ff0 + (self.next() % 32) + ((self.next() % 2) << 15);
            state.fx[32 + 16 * i..40 + 16 * i].copy_from_slice(&mantissa);
            state.fx[40 + 16 * i..42 + 16 * i].copy_from_slice(&exponent.to_le_bytes()[..2]);
        }
        state.gpr[4] = DATA + 0x2000 + 8 * (self.next() % 64);
        self.aim(instruction, &mut state);
        state
    }

    /// Points memory operands into the data page.
    fn aim(&mut self, instruction: &Instruction, state: &mut State) {
        if instruction.is_string_instruction() {
            state.gpr[1] = self.next() % 4;
            state.gpr[6] = DATA + 0x800 + self.next() % 64;
            state.gpr[7] = DATA + 0x900 + self.next() % 64;
        }
        let narrow = |kind: OpKind| {
            matches!(kind, OpKind::MemorySegESI | OpKind::MemorySegEDI | OpKind::MemoryESEDI)
        };
        if (0..instruction.op_count()).any(|i| narrow(instruction.op_kind(i))) {
            // Only the lower halves count.
            for number in [1, 6, 7] {
                state.gpr[number] |= self.next() << 32;
            }
        }
        let memory = (0..instruction.op_count()).any(|i| instruction.op_kind(i) == OpKind::Memory);
        if !memory || instruction.is_vsib() {
            return;
        }
        let (base, index) = (instruction.memory_base(), instruction.memory_index());
        let mut rest = instruction.memory_displacement64();
        if matches!(instruction.memory_segment(), Register::FS | Register::GS) {
            rest = rest.wrapping_add(state.segment);
        }
        if index.is_gpr() && index != base {
            let number = index.full_register().number();
            state.gpr[number] = self.next() % 8;
            let scale = u64::from(instruction.memory_index_scale());
            rest = rest.wrapping_add(state.gpr[number].wrapping_mul(scale));
        }
        let target = DATA + 0x1000 + 64 * (self.next() % 8);
        if base.is_gpr() {
            let scale =
                if index == base { u64::from(instruction.memory_index_scale()) + 1 } else { 1 };
            let upper = if base.is_gpr32() { self.next() << 32 } else { 0 };
            let wanted = target.wrapping_sub(rest) / scale;
            state.gpr[base.full_register().number()] =
                if base.is_gpr32() { wanted & 0xffff_ffff | upper } else { wanted };
        } else if index.is_gpr() {
            let scale = u64::from(instruction.memory_index_scale());
            let old = state.gpr[index.full_register().number()].wrapping_mul(scale);
            let wanted = target.wrapping_sub(rest.wrapping_sub(old));
            state.gpr[index.full_register().number()] = wanted / scale;
        }
    }
}

struct Pages {
    code: Rc<Vec<u8>>,
    data: Vec<u8>,
}

impl MemoryBacking for Pages {
    fn fill_page(&self, address: u64, into: &mut [u8; 4096]) -> bool {
        let (bytes, start) = if address >= DATA { (&self.data, DATA) } else { (&*self.code, CODE) };
        let Some(from) = address.checked_sub(start).and_then(|at| usize::try_from(at).ok()) else {
            return false;
        };
        match bytes.get(from..from + 4096) {
            Some(page) => {
                into.copy_from_slice(page);
                true
            }
            None => false,
        }
    }

    fn is_writable(&self, address: u64) -> bool {
        address >= DATA
    }

    fn is_executable(&self, address: u64) -> bool {
        (CODE..CODE + CODE_LENGTH).contains(&address)
    }
}

/// A machine in a state, about to execute the instruction at an address.
pub(crate) fn machine(code: &Rc<Vec<u8>>, address: u64, state: &State) -> PcodeMachine {
    let pages = Pages { code: Rc::clone(code), data: state.data.clone() };
    let mut machine = PcodeMachine::new(PagedMemory::new(Rc::new(pages)));
    for (number, value) in state.gpr.iter().enumerate() {
        machine.set_general_register(number, *value);
    }
    machine.rip = address;
    machine.set_flags(state.flags);
    machine.mxcsr = 0x1f80;
    machine.fx.copy_from_slice(&state.fx);
    machine.fx[6..32].fill(0);
    machine.fx[160..].fill(0);
    let all = machine.registers_mut();
    all[file::ZMM..file::ZMM + 2048].copy_from_slice(&state.zmm);
    for (i, k) in state.k.iter().enumerate() {
        all[file::K + 8 * i..file::K + 8 * i + 8].copy_from_slice(&k.to_le_bytes());
    }
    for base in [file::FS_BASE, file::GS_BASE] {
        all[base..base + 8].copy_from_slice(&state.segment.to_le_bytes());
    }
    machine
}
