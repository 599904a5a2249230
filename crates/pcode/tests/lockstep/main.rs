//! The machine beside the CPU, instruction by instruction.
//!
//! A real process is single-stepped with ptrace, and the machine executes the same instructions from the
//! same state. General registers and flags are compared after each, vector registers and all memory that
//! the machine touched now and then. What reaches outside (a system call) is done by the process alone;
//! the machine takes over its state afterwards.
//!
//! `OURO_LOCKSTEP=200000` asks for so many instructions of each workload instead of a few thousand.

mod target;
mod terms;
mod workloads;

use std::rc::Rc;

use ouro_pcode::op::file;
use ouro_pcode::{InstructionCache, PagedMemory, PcodeMachine, PcodeStop};
use target::{Live, Target};

fn machine_of(target: &Target) -> PcodeMachine {
    let mut machine = PcodeMachine::new(PagedMemory::new(Rc::new(Live::new(target))));
    take_registers(&mut machine, target, true);
    machine
}

fn take_registers(machine: &mut PcodeMachine, target: &Target, vectors: bool) {
    let registers = target.registers();
    for (number, value) in registers.general.gpr.iter().enumerate() {
        machine.set_general_register(number, *value);
    }
    machine.rip = registers.general.rip;
    machine.set_flags(registers.general.rflags);
    let file = machine.registers_mut();
    file[file::FS_BASE..file::FS_BASE + 8]
        .copy_from_slice(&registers.general.fs_base.to_le_bytes());
    file[file::GS_BASE..file::GS_BASE + 8]
        .copy_from_slice(&registers.general.gs_base.to_le_bytes());
    if let (true, Some(vector)) = (vectors, registers.vector) {
        file[file::ZMM..file::ZMM + 2048].copy_from_slice(&vector.zmm);
        for (i, k) in vector.k.iter().enumerate() {
            file[file::K + 8 * i..file::K + 8 * i + 8].copy_from_slice(&k.to_le_bytes());
        }
        machine.mxcsr = u32::from_le_bytes(vector.fx[24..28].try_into().expect("four bytes"));
        machine.fx.copy_from_slice(&vector.fx);
        machine.fx[6..32].fill(0);
        machine.fx[160..].fill(0);
    }
}

/// What a comparison did.
#[derive(Default, Debug)]
pub(crate) struct Compared {
    pub(crate) instructions: u64,
    /// Instructions that the machine left to the process, and how often.
    pub(crate) left: std::collections::BTreeMap<String, u64>,
}

/// Steps a process and the machine; panics where they differ.
pub(crate) fn compare(target: &mut Target, most: u64) -> Compared {
    let mut program = InstructionCache::new();
    let mut machine = machine_of(target);
    let mut done = Compared::default();
    while done.instructions < most {
        let rip = machine.rip;
        match machine.step(&mut program) {
            Ok(()) => {}
            Err(stop) => {
                let text = match &stop {
                    PcodeStop::Call(named) | PcodeStop::Outside(named) => named.text.clone(),
                    PcodeStop::Unsupported(named, why) => format!("{} ({why})", named.text),
                    PcodeStop::Fault(named, why) => panic!("{named}: {why}"),
                    PcodeStop::Absent(named, address) => panic!("{named}: nothing at {address:#x}"),
                    PcodeStop::NoCode(address) => panic!("no code at {address:#x}"),
                };
                *done.left.entry(text).or_default() += 1;
                if !target.step() {
                    break;
                }
                // Memory may have changed anywhere.
                machine = machine_of(target);
                continue;
            }
        }
        if !target.step() {
            break;
        }
        done.instructions += 1;
        let instruction = program.lifter.get(rip).expect("it was executed").clone();
        let registers = target.registers();
        let here = || format!("after {} (instruction {})", instruction.named, done.instructions);
        assert_eq!(machine.rip, registers.general.rip, "rip {}", here());
        for number in 0..16 {
            assert_eq!(
                machine.general_register(number),
                registers.general.gpr[number],
                "{} {}",
                file::register_name(file::general_register_offset(number)),
                here()
            );
        }
        let theirs = registers.general.rflags;
        for (flag, bit) in file::FLAGS {
            let bit = u8::from(theirs >> bit & 1 == 1);
            if instruction.undefined.contains(&flag) || flag == file::AF {
                machine.registers_mut()[flag] = bit;
            } else {
                assert_eq!(
                    machine.registers()[flag],
                    bit,
                    "{} {}",
                    file::register_name(flag),
                    here()
                );
            }
        }
        if let Some(vector) = &registers.vector {
            let file = machine.registers();
            for i in 0..32 {
                let ours = &file[file::ZMM + 64 * i..file::ZMM + 64 * i + 64];
                assert_eq!(ours, &vector.zmm[64 * i..64 * i + 64], "zmm{i} {}", here());
            }
            for i in 0..8 {
                assert_eq!(
                    machine.read_file_number(file::K + 8 * i, 8),
                    vector.k[i],
                    "k{i} {}",
                    here()
                );
            }
            assert_eq!(machine.mxcsr.to_le_bytes(), vector.fx[24..28], "mxcsr {}", here());
            assert_eq!(machine.fx[32..160], vector.fx[32..160], "x87 {}", here());
            assert_eq!(machine.fx[..6], vector.fx[..6], "x87 control {}", here());
        }
        if done.instructions % 5_000 == 0 || done.instructions == most {
            let fresh = PagedMemory::new(Rc::new(Live::new(target)));
            let mut differences =
                machine.memory.differing_words(&fresh, usize::MAX).expect("no limit");
            // The kernel writes the number of the CPU, twice, into a thread's `rseq` area.
            let number_of_cpu = |word: u64| word >> 32 == word & 0xffff_ffff && word >> 32 < 4096;
            differences.retain(|(_, a, b)| !number_of_cpu(*a) || !number_of_cpu(*b));
            assert!(differences.is_empty(), "memory {differences:x?} {}", here());
        }
    }
    done
}
