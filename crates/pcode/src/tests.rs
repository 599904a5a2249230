//! Single instructions that must not be run as if they were nothing, and addresses that must be aligned.

use std::rc::Rc;

use ouro_term::TermStore;

use crate::op::file;
use crate::{
    FreshRegion, InstructionCache, InstructionTracer, MemoryBacking, PAGE, PagedMemory,
    PcodeMachine, PcodeStop,
};

const CODE: u64 = 0x40_0000;
const DATA: u64 = 0x50_0000;

struct TwoPages(Vec<u8>);

impl MemoryBacking for TwoPages {
    fn fill_page(&self, address: u64, into: &mut [u8; 4096]) -> bool {
        into.fill(0);
        if address == CODE {
            into[..self.0.len()].copy_from_slice(&self.0);
        }
        [CODE, DATA].contains(&address)
    }

    fn is_writable(&self, address: u64) -> bool {
        address / PAGE == DATA / PAGE
    }

    fn is_executable(&self, address: u64) -> bool {
        address / PAGE == CODE / PAGE
    }
}

/// A machine about to execute these bytes, all general registers pointing into the data page.
fn machine_at_code(bytes: &[u8]) -> PcodeMachine {
    let mut machine = PcodeMachine::new(PagedMemory::new(Rc::new(TwoPages(bytes.to_vec()))));
    machine.rip = CODE;
    for number in 0..16 {
        machine.set_general_register(number, DATA + 0x800);
    }
    machine
}

/// What comes of each of these instructions, alone.
fn step_each(all: &[&[u8]]) -> Vec<Result<(), PcodeStop>> {
    let mut code = vec![0x90; all.len() * 32];
    for (slot, bytes) in code.chunks_mut(32).zip(all) {
        slot[..bytes.len()].copy_from_slice(bytes);
    }
    let mut program = InstructionCache::new();
    let at = |i: usize| CODE + 32 * i as u64;
    let mut alone = |i: usize| {
        let mut machine = machine_at_code(&code);
        machine.rip = at(i);
        machine.step(&mut program)
    };
    (0..all.len()).map(&mut alone).collect()
}

#[test]
fn system_calls_by_other_doors_are_not_named() {
    // Their numbers are those of 32-bit programs: `int 0x80`, `sysenter`.
    let [interrupt, enter, call] = &step_each(&[&[0xcd, 0x80], &[0x0f, 0x34], &[0x0f, 0x05]])[..]
    else {
        panic!("three instructions");
    };
    assert!(matches!(interrupt, Err(PcodeStop::Unsupported(..))), "{interrupt:?}");
    assert!(matches!(enter, Err(PcodeStop::Unsupported(..))), "{enter:?}");
    assert!(matches!(call, Err(PcodeStop::Call(_))), "{call:?}");
}

#[test]
fn what_is_not_known_of_avx512_is_not_read() {
    // `vpxor xmm0, xmm0, xmm0`, `vpxord zmm17, zmm17, zmm17`, `kmovq rax, k1`, `vzeroupper`.
    let all: [(&[u8], bool); 4] = [
        (&[0xc5, 0xf9, 0xef, 0xc0], false),
        (&[0x62, 0xa1, 0x75, 0x40, 0xef, 0xc9], true),
        (&[0xc4, 0xe1, 0xfb, 0x93, 0xc1], true),
        (&[0xc5, 0xf8, 0x77], false),
    ];
    for (bytes, is_refused) in all {
        let mut machine = machine_at_code(bytes);
        machine.lacks_avx512 = Some("nobody saved them");
        let stepped = machine.step(&mut InstructionCache::new());
        let refused =
            matches!(&stepped, Err(PcodeStop::Unsupported(_, why)) if why == "nobody saved them");
        assert_eq!(refused, is_refused, "{bytes:x?}: {stepped:?}");
    }
}

#[test]
fn what_the_kernel_decides_is_outside() {
    let all: [&[u8]; 11] = [
        &[0x0f, 0x31],             // rdtsc
        &[0x0f, 0x01, 0xf9],       // rdtscp
        &[0x0f, 0xc7, 0xf0],       // rdrand eax
        &[0x0f, 0xc7, 0xf8],       // rdseed eax
        &[0xf3, 0x0f, 0xc7, 0xf8], // rdpid rax
        &[0x0f, 0xa2],             // cpuid
        &[0x0f, 0x01, 0xd0],       // xgetbv
        &[0x0f, 0x03, 0xc1],       // lsl eax, ecx: the number of the CPU
        &[0x0f, 0x02, 0xc1],       // lar eax, ecx
        &[0x0f, 0x00, 0xe0],       // verr ax
        &[0x0f, 0x01, 0x00],       // sgdt [rax]
    ];
    for (bytes, stop) in all.iter().zip(step_each(&all)) {
        assert!(matches!(stop, Err(PcodeStop::Outside(_))), "{bytes:x?}: {stop:?}");
    }
}

#[test]
fn what_is_not_modelled_is_not_skipped() {
    let all: [&[u8]; 27] = [
        &[0xfa],                         // cli
        &[0xfb],                         // sti
        &[0x0f, 0x06],                   // clts
        &[0x0f, 0x09],                   // wbinvd
        &[0xec],                         // in al, dx
        &[0x8e, 0xe0],                   // mov fs, eax
        &[0x8e, 0xd8],                   // mov ds, eax
        &[0x8c, 0xe0],                   // mov eax, fs
        &[0x0f, 0xb4, 0x00],             // lfs eax, [rax]
        &[0xf3, 0x48, 0x0f, 0xae, 0xd0], // wrfsbase rax
        &[0x48, 0xcf],                   // iretq
        &[0xcb],                         // retf
        &[0xff, 0x28],                   // jmp far [rax]
        &[0x9c],                         // pushf
        &[0x0f, 0xae, 0x38],             // clflush [rax], which faults where nothing is
        &[0x0f, 0x53, 0xc1],             // rcpps xmm0, xmm1
        &[0xc5, 0xf8, 0x52, 0xc1],       // vrsqrtps xmm0, xmm1
        &[0x0f, 0x01, 0xee],             // rdpkru
        &[0x0f, 0x01, 0xd5],             // xend
        &[0x67, 0xa4],                   // movsb with addresses of 32 bits
        &[0x67, 0xf3, 0x48, 0xab],       // rep stosq with addresses of 32 bits
        &[0x64, 0xa4],                   // movsb from fs
        &[0x65, 0xac],                   // lodsb from gs
        &[0x0f, 0xc7, 0x09],             // cmpxchg8b [rcx]
        &[0xcc],                         // int3: perhaps a probe
        &[0x67, 0xe2, 0x00],             // loop with a counter of 32 bits
        &[0x06],                         // nothing that is known
    ];
    for (bytes, stop) in all.iter().zip(step_each(&all)) {
        assert!(matches!(stop, Err(PcodeStop::Unsupported(..))), "{bytes:x?}: {stop:?}");
    }
}

#[test]
fn a_wide_exchange_must_be_aligned() {
    let bytes = [0xf0, 0x48, 0x0f, 0xc7, 0x08]; // lock cmpxchg16b [rax]
    let mut program = InstructionCache::new();
    machine_at_code(&bytes).step(&mut program).expect("aligned");
    for by in 1..16 {
        let mut odd = machine_at_code(&bytes);
        odd.set_general_register(0, DATA + 0x800 + by);
        assert!(matches!(odd.step(&mut program), Err(PcodeStop::Fault(..))), "by {by}");
    }
}

/// Where memory is somewhere else each time, an aligned access asks for the low bits of where it is.
#[test]
fn an_aligned_access_asks_for_alignment() {
    // By its operations, by the CPU on terms, and by the CPU alone: `lock cmpxchg16b [rsi]`,
    // `movaps xmm0, [rsi]`, `paddb xmm0, [rsi]`; and `movups xmm0, [rsi]`, which asks for nothing.
    let all: [(&[u8], u32); 4] = [
        (&[0xf0, 0x48, 0x0f, 0xc7, 0x0e], 4),
        (&[0x0f, 0x28, 0x06], 4),
        (&[0x66, 0x0f, 0xfc, 0x06], 4),
        (&[0x0f, 0x10, 0x06], 0),
    ];
    for (bytes, bits) in all {
        let mut machine = machine_at_code(bytes);
        let (mut terms, mut tracer) = (TermStore::new(), InstructionTracer::new());
        let base = terms.fresh_bv("base", 64);
        tracer.name_register(file::general_register_offset(6), 8, base);
        tracer.regions.push(FreshRegion { base, number: DATA + 0x800, from: 0, to: 64 });
        tracer.step(&mut terms, &mut machine, &mut InstructionCache::new()).expect("it runs");
        let asked: Vec<_> = tracer.conditions.iter().map(|condition| condition.term).collect();
        if bits == 0 {
            assert!(asked.is_empty(), "{bytes:x?}");
        } else {
            let low = terms.truncate(bits, base);
            let zero = terms.bv(bits, 0);
            assert_eq!(asked, [terms.eq(low, zero)], "{bytes:x?}");
        }
    }
}

#[test]
fn words_since_a_copy() {
    let mut machine = machine_at_code(&[]);
    let early = machine.memory.clone();
    machine.memory.write(DATA, &[1, 0, 0, 0, 0, 0, 0, 0, 2]).expect("written");
    let late = machine.memory.clone();
    let words = |memory: &PagedMemory, copy: &PagedMemory, most| {
        memory.count_words_since(copy, most, &mut 0)
    };
    // The page was touched after the first copy: it is compared with what the process had there.
    assert_eq!(words(&machine.memory, &early, 2), Some(2));
    assert_eq!(words(&machine.memory, &early, 1), None);
    assert_eq!(words(&machine.memory, &late, 0), Some(0));
    // Two numbers in one word; and what is written back is no difference.
    machine.memory.write(DATA, &[3]).expect("written");
    machine.memory.write(DATA + 4, &[3]).expect("written");
    assert_eq!(words(&machine.memory, &late, 9), Some(1));
    machine.memory.write(DATA, &[1, 0, 0, 0, 0]).expect("written");
    assert_eq!(words(&machine.memory, &late, 0), Some(0));
}
