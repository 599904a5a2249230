//! One instruction, run by the CPU itself.
//!
//! Vector, x87 and a few integer instructions are run natively: the instruction is copied into a buffer
//! with its memory operand redirected to a bounce buffer, the guest's registers are loaded, it runs,
//! and the registers are taken back. So what the CPU computes is what the machine computes, down to
//! rounding modes and sticky bits.
//!
//! Only instructions that cannot leave the buffer are let in: no control flow, no stack, no system
//! registers, no string operations, no gather or scatter; all exceptions of floating point have to be
//! masked, and the CPU must have the instruction set.

use std::arch::global_asm;
use std::num::NonZeroUsize;

use iced_x86::{
    CpuidFeature, Encoder, EncodingKind, FlowControl, Instruction, InstructionInfoFactory,
    Mnemonic, OpAccess, OpKind, Register,
};
use nix::sys::mman::{MapFlags, ProtFlags, mmap_anonymous};

/// Registers as the assembly below expects them.
#[repr(C, align(64))]
pub(crate) struct NativeRegisters {
    pub(crate) gpr: [u64; 16],
    pub(crate) flags: u64,
    code: u64,
    pub(crate) mxcsr: u32,
    host_mxcsr: u32,
    unused: u64,
    pub(crate) k: [u64; 8],
    padding: [u64; 4],
    pub(crate) zmm: [u8; 2048],
    pub(crate) fx: [u8; 512],
}

impl Default for NativeRegisters {
    fn default() -> NativeRegisters {
        NativeRegisters {
            gpr: [0; 16],
            flags: 0,
            code: 0,
            mxcsr: 0x1f80,
            host_mxcsr: 0,
            unused: 0,
            k: [0; 8],
            padding: [0; 4],
            zmm: [0; 2048],
            fx: [0; 512],
        }
    }
}

// The stack while the instruction runs: its address (later RDI), the context, saved registers.
global_asm!(
    r"
.macro ouro_enter
    push rbx
    push rbp
    push r12
    push r13
    push r14
    push r15
    push rdi
    stmxcsr [rdi + 148]
.endm
.macro ouro_run
    ldmxcsr [rdi + 144]
    push qword ptr [rdi + 136]
    push qword ptr [rdi + 128]
    popfq
    mov rax, [rdi]
    mov rcx, [rdi + 8]
    mov rdx, [rdi + 16]
    mov rbx, [rdi + 24]
    mov rbp, [rdi + 40]
    mov rsi, [rdi + 48]
    mov r8, [rdi + 64]
    mov r9, [rdi + 72]
    mov r10, [rdi + 80]
    mov r11, [rdi + 88]
    mov r12, [rdi + 96]
    mov r13, [rdi + 104]
    mov r14, [rdi + 112]
    mov r15, [rdi + 120]
    mov rdi, [rdi + 56]
    call [rsp]
    mov [rsp], rdi
    mov rdi, [rsp + 8]
    mov [rdi], rax
    mov [rdi + 8], rcx
    mov [rdi + 16], rdx
    mov [rdi + 24], rbx
    mov [rdi + 40], rbp
    mov [rdi + 48], rsi
    mov [rdi + 64], r8
    mov [rdi + 72], r9
    mov [rdi + 80], r10
    mov [rdi + 88], r11
    mov [rdi + 96], r12
    mov [rdi + 104], r13
    mov [rdi + 112], r14
    mov [rdi + 120], r15
    pushfq
    pop qword ptr [rdi + 128]
    cld
    mov rax, [rsp]
    mov [rdi + 56], rax
    stmxcsr [rdi + 144]
    ldmxcsr [rdi + 148]
.endm
.macro ouro_leave
    add rsp, 8
    pop rdi
    pop r15
    pop r14
    pop r13
    pop r12
    pop rbp
    pop rbx
    ret
.endm

.p2align 4
ouro_pcode_native_general:
    ouro_enter
    ouro_run
    ouro_leave

.p2align 4
ouro_pcode_native_x87:
    ouro_enter
    fxrstor64 [rdi + 2304]
    ouro_run
    fxsave64 [rdi + 2304]
    fninit
    ldmxcsr [rdi + 148]
    ouro_leave

.p2align 4
ouro_pcode_native_sse:
    ouro_enter
.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    movdqa xmm\n, [rdi + 256 + 64*\n]
.endr
    ouro_run
.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    movdqa [rdi + 256 + 64*\n], xmm\n
.endr
    ouro_leave

.p2align 4
ouro_pcode_native_avx:
    ouro_enter
.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    vmovdqa ymm\n, [rdi + 256 + 64*\n]
.endr
    ouro_run
.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    vmovdqa [rdi + 256 + 64*\n], ymm\n
.endr
    vzeroupper
    ouro_leave

.p2align 4
ouro_pcode_native_avx512:
    ouro_enter
.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    vmovdqa64 zmm\n, [rdi + 256 + 64*\n]
.endr
.irp n,0,1,2,3,4,5,6,7
    kmovq k\n, [rdi + 160 + 8*\n]
.endr
    ouro_run
.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    vmovdqa64 [rdi + 256 + 64*\n], zmm\n
.endr
.irp n,0,1,2,3,4,5,6,7
    kmovq [rdi + 160 + 8*\n], k\n
.endr
    vzeroupper
    ouro_leave
"
);

unsafe extern "C" {
    fn ouro_pcode_native_general(context: *mut NativeRegisters);
    fn ouro_pcode_native_x87(context: *mut NativeRegisters);
    fn ouro_pcode_native_sse(context: *mut NativeRegisters);
    fn ouro_pcode_native_avx(context: *mut NativeRegisters);
    fn ouro_pcode_native_avx512(context: *mut NativeRegisters);
}

/// Which registers have to be loaded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RegisterSet {
    General,
    X87,
    Vector,
}

/// The memory operand of a native instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NativeOperand {
    pub(crate) size: usize,
    pub(crate) reads: bool,
    pub(crate) writes: bool,
    /// The general register that points to the bounce buffer.
    base: usize,
    /// It faults unless its address is a multiple of its size.
    pub(crate) aligned: bool,
}

/// An instruction ready to be run by the CPU.
#[derive(Clone, Debug)]
pub(crate) struct NativeInstruction {
    code: u64,
    pub(crate) set: RegisterSet,
    pub(crate) operand: Option<NativeOperand>,
}

impl NativeInstruction {
    /// It faults unless the address of its memory operand is a multiple of this.
    pub(crate) fn alignment(&self) -> u8 {
        let size = self.operand.filter(|operand| operand.aligned).map_or(1, |operand| operand.size);
        u8::try_from(size).unwrap_or(64)
    }

    /// Runs it. The bounce buffer holds the operand at `offset`.
    pub(crate) fn run_on_cpu(
        &self,
        context: &mut NativeRegisters,
        bounce: &mut BounceBuffer,
        offset: usize,
    ) {
        context.code = self.code;
        let kept = self.operand.map(|operand| {
            let buffer = bounce.0.as_mut_ptr() as u64 + offset as u64;
            (operand.base, std::mem::replace(&mut context.gpr[operand.base], buffer))
        });
        // SAFETY: the code is one instruction that `Buffer::prepare` let in, followed by a return. It
        // touches no memory but the bounce buffer, no stack, and the assembly keeps every register
        // that the calling convention wants kept.
        unsafe {
            match self.set {
                RegisterSet::General => ouro_pcode_native_general(context),
                RegisterSet::X87 => ouro_pcode_native_x87(context),
                RegisterSet::Vector if is_x86_feature_detected!("avx512bw") => {
                    ouro_pcode_native_avx512(context);
                }
                RegisterSet::Vector if is_x86_feature_detected!("avx") => {
                    ouro_pcode_native_avx(context);
                }
                RegisterSet::Vector => ouro_pcode_native_sse(context),
            }
        }
        if let Some((base, value)) = kept {
            context.gpr[base] = value;
        }
    }
}

/// A buffer for memory operands, aligned like memory.
#[repr(C, align(64))]
pub(crate) struct BounceBuffer(pub(crate) [u8; 256]);

/// Executable memory, filled from the start.
#[derive(Default)]
pub(crate) struct CodeBuffer {
    next: u64,
    end: u64,
}

const CHUNK: usize = 1 << 16;

impl CodeBuffer {
    /// Makes an instruction ready, if it is one of those that can be run here.
    pub(crate) fn prepare_instruction(
        &mut self,
        instruction: &Instruction,
        factory: &mut InstructionInfoFactory,
    ) -> Option<NativeInstruction> {
        if !is_allowed(instruction) {
            return None;
        }
        let info = factory.info(instruction);
        let mut set = RegisterSet::General;
        let mut general = [false; 16];
        for used in info.used_registers() {
            let register = used.register();
            if register.is_gpr() {
                let number = register.full_register().number();
                general[number] = true;
            } else if register.is_vector_register() || register.is_k() {
                set = RegisterSet::Vector;
            } else if register.is_st() || register.is_mm() {
                set = RegisterSet::X87;
            } else if !register.is_segment_register() && register != Register::RIP {
                return None;
            }
        }
        let features = instruction.cpuid_features();
        if features.iter().any(|f| {
            matches!(
                f,
                CpuidFeature::FPU | CpuidFeature::FPU287 | CpuidFeature::FPU387 | CpuidFeature::MMX
            )
        }) {
            // MMX with SSE registers (cvtpi2ps) would need both.
            if set == RegisterSet::Vector {
                return None;
            }
            set = RegisterSet::X87;
        } else if set == RegisterSet::X87
            && features.iter().any(|f| !matches!(f, CpuidFeature::CMOV | CpuidFeature::SSE3))
        {
            return None;
        }
        // RSP is the host's while the instruction runs; as the base of an address it is replaced.
        let uses_stack_pointer = (0..instruction.op_count()).any(|i| {
            instruction.op_kind(i) == OpKind::Register
                && instruction.op_register(i).full_register() == Register::RSP
        });
        if instruction.is_vsib() || uses_stack_pointer {
            return None;
        }
        let mut rewritten = *instruction;
        let mut operand = None;
        let memory = (0..instruction.op_count()).any(|i| instruction.op_kind(i) == OpKind::Memory);
        if memory && instruction.mnemonic() == Mnemonic::Lea {
            return None;
        }
        if memory {
            let [used] = info.used_memory() else { return None };
            let size = instruction.memory_size().size();
            if size == 0 || size > 64 {
                return None;
            }
            let (reads, writes) = match used.access() {
                OpAccess::Read | OpAccess::CondRead => (true, false),
                // What a masked store leaves alone must be there.
                OpAccess::Write | OpAccess::CondWrite => (true, true),
                OpAccess::ReadWrite | OpAccess::ReadCondWrite => (true, true),
                _ => return None,
            };
            // Registers of the address are read to compute it, before; RBX to RDI need no prefix.
            let base = [3usize, 6, 7, 5, 0, 1, 2, 8, 9, 10, 11, 12, 13, 14, 15]
                .into_iter()
                .find(|number| !general[*number])?;
            rewritten.set_memory_base(general_register_64(base));
            rewritten.set_memory_index(Register::None);
            rewritten.set_memory_displacement64(0);
            rewritten.set_memory_displ_size(if base == 5 || base == 13 { 1 } else { 0 });
            rewritten.set_segment_prefix(Register::None);
            operand = Some(NativeOperand {
                size,
                reads,
                writes,
                base,
                aligned: requires_alignment(instruction),
            });
        } else if !info.used_memory().is_empty() {
            return None;
        }
        let mut encoder = Encoder::new(64);
        encoder.encode(&rewritten, 0).ok()?;
        let mut bytes = encoder.take_buffer();
        bytes.push(0xc3);
        Some(NativeInstruction { code: self.place_code(&bytes)?, set, operand })
    }

    fn place_code(&mut self, bytes: &[u8]) -> Option<u64> {
        if self.end - self.next < 32 {
            let length = NonZeroUsize::new(CHUNK)?;
            let all = ProtFlags::PROT_READ | ProtFlags::PROT_WRITE | ProtFlags::PROT_EXEC;
            // SAFETY: new memory, which nobody else has.
            let chunk = unsafe { mmap_anonymous(None, length, all, MapFlags::MAP_PRIVATE) }.ok()?;
            self.next = chunk.as_ptr() as u64;
            self.end = self.next + CHUNK as u64;
        }
        let at = self.next;
        // SAFETY: at least 32 bytes are left in a chunk that only this buffer writes, and an
        // instruction with its return is shorter.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), at as *mut u8, bytes.len()) };
        self.next += 32;
        Some(at)
    }
}

fn general_register_64(number: usize) -> Register {
    [
        Register::RAX,
        Register::RCX,
        Register::RDX,
        Register::RBX,
        Register::RSP,
        Register::RBP,
        Register::RSI,
        Register::RDI,
        Register::R8,
        Register::R9,
        Register::R10,
        Register::R11,
        Register::R12,
        Register::R13,
        Register::R14,
        Register::R15,
    ][number]
}

/// Whether the memory operand of an instruction has to be aligned: those of SSE that are 16 bytes long
/// and do not say otherwise, and moves that say so.
fn requires_alignment(instruction: &Instruction) -> bool {
    use Mnemonic as M;
    match instruction.mnemonic() {
        M::Vmovaps | M::Vmovapd | M::Vmovdqa | M::Vmovdqa32 | M::Vmovdqa64 => true,
        M::Vmovntps | M::Vmovntpd | M::Vmovntdq | M::Vmovntdqa => true,
        M::Movups | M::Movupd | M::Movdqu | M::Lddqu => false,
        M::Pcmpistri | M::Pcmpistrm | M::Pcmpestri | M::Pcmpestrm => false,
        _ => {
            instruction.encoding() == EncodingKind::Legacy && instruction.memory_size().size() == 16
        }
    }
}

/// Whether an instruction stays in its buffer, and this CPU has it.
fn is_allowed(instruction: &Instruction) -> bool {
    instruction.flow_control() == FlowControl::Next
        && !instruction.is_privileged()
        && !instruction.is_stack_instruction()
        && !instruction.is_string_instruction()
        && !instruction.is_save_restore_instruction()
        && !is_refused(instruction.mnemonic())
        && instruction.cpuid_features().iter().all(|feature| has_cpu_feature(*feature))
}

/// What reads or writes more than its operands, or may fault on values.
fn is_refused(mnemonic: Mnemonic) -> bool {
    matches!(
        mnemonic,
        Mnemonic::Div
            | Mnemonic::Idiv
            | Mnemonic::Maskmovq
            | Mnemonic::Maskmovdqu
            | Mnemonic::Vmaskmovdqu
            | Mnemonic::Fldenv
            | Mnemonic::Fnstenv
            | Mnemonic::Fstenv
            | Mnemonic::Fnsave
            | Mnemonic::Fsave
            | Mnemonic::Frstor
            | Mnemonic::Wait
            | Mnemonic::Xlatb
            | Mnemonic::Cpuid
            | Mnemonic::Rdtsc
            | Mnemonic::Rdtscp
            | Mnemonic::Rdrand
            | Mnemonic::Rdseed
            | Mnemonic::Rdpid
            | Mnemonic::Xgetbv
            | Mnemonic::Into
            | Mnemonic::Bound
    )
}

fn has_cpu_feature(feature: CpuidFeature) -> bool {
    use CpuidFeature as F;
    match feature {
        F::INTEL8086 | F::INTEL186 | F::INTEL286 | F::INTEL386 | F::INTEL486 | F::X64 => true,
        F::CMOV | F::FPU | F::FPU287 | F::FPU387 | F::MMX | F::SSE | F::SSE2 | F::CX8 => true,
        F::SSE3 => is_x86_feature_detected!("sse3"),
        F::SSSE3 => is_x86_feature_detected!("ssse3"),
        F::SSE4_1 => is_x86_feature_detected!("sse4.1"),
        F::SSE4_2 => is_x86_feature_detected!("sse4.2"),
        F::POPCNT => is_x86_feature_detected!("popcnt"),
        F::LZCNT => is_x86_feature_detected!("lzcnt"),
        F::BMI1 => is_x86_feature_detected!("bmi1"),
        F::BMI2 => is_x86_feature_detected!("bmi2"),
        F::ADX => is_x86_feature_detected!("adx"),
        F::MOVBE => is_x86_feature_detected!("movbe"),
        F::AES => is_x86_feature_detected!("aes"),
        F::PCLMULQDQ => is_x86_feature_detected!("pclmulqdq"),
        F::SHA => is_x86_feature_detected!("sha"),
        F::AVX => is_x86_feature_detected!("avx"),
        F::AVX2 => is_x86_feature_detected!("avx2"),
        F::FMA => is_x86_feature_detected!("fma"),
        F::F16C => is_x86_feature_detected!("f16c"),
        F::AVX512F => is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw"),
        F::AVX512BW => is_x86_feature_detected!("avx512bw"),
        F::AVX512DQ => is_x86_feature_detected!("avx512dq"),
        F::AVX512VL => is_x86_feature_detected!("avx512vl"),
        F::AVX512CD => is_x86_feature_detected!("avx512cd"),
        F::AVX512_IFMA => is_x86_feature_detected!("avx512ifma"),
        F::AVX512_VBMI => is_x86_feature_detected!("avx512vbmi"),
        F::AVX512_VBMI2 => is_x86_feature_detected!("avx512vbmi2"),
        F::AVX512_VNNI => is_x86_feature_detected!("avx512vnni"),
        F::AVX512_BITALG => is_x86_feature_detected!("avx512bitalg"),
        F::AVX512_VPOPCNTDQ => is_x86_feature_detected!("avx512vpopcntdq"),
        F::GFNI => is_x86_feature_detected!("gfni"),
        F::VAES => is_x86_feature_detected!("vaes"),
        F::VPCLMULQDQ => is_x86_feature_detected!("vpclmulqdq"),
        _ => false,
    }
}
