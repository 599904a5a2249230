//! The table of corrections: which instructions are run at all, which SLEIGH gets right, and which are run by
//! the CPU.
//!
//! What is in no list here is run, so a list of what must not be run has to be complete; the CPU's own
//! instructions are compared with the CPU in `tests/forms`.

use iced_x86::{Instruction as Decoded, Mnemonic, OpKind, Register};

use crate::lift::ExecutionMode;

/// Instructions that are not run: they ask the outside, raise an exception, or do what nobody models.
pub(crate) fn mode_if_not_run(decoded: &Decoded) -> Option<ExecutionMode> {
    use Mnemonic as M;
    let mnemonic = decoded.mnemonic();
    // Cut off, or newer than the disassembler: whether the CPU knows it, nobody here does.
    if decoded.is_invalid() {
        return Some(ExecutionMode::Unknown);
    }
    Some(match mnemonic {
        M::Syscall => ExecutionMode::Call,
        M::Rdtsc
        | M::Rdtscp
        | M::Rdrand
        | M::Rdseed
        | M::Rdpid
        | M::Rdpmc
        | M::Xgetbv
        | M::Cpuid => ExecutionMode::Outside,
        // Tables of the kernel: among them the number of the CPU, as a segment's limit.
        M::Lsl | M::Lar | M::Verr | M::Verw | M::Sldt | M::Str | M::Smsw | M::Sgdt | M::Sidt => {
            ExecutionMode::Outside
        }
        M::Ud2 | M::Ud1 | M::Ud0 | M::Hlt => ExecutionMode::Trap,
        // Perhaps a probe of the kernel's (uprobes), which goes on as if it were not there.
        M::Int3 => ExecutionMode::Unknown,
        // Calls of the system by the numbers of 32-bit programs, exceptions, transactions.
        M::Sysenter | M::Int | M::Int1 | M::Into | M::Xbegin => ExecutionMode::Unknown,
        // They load segments; the machine has the bases of FS and GS alone.
        M::Iret | M::Iretd | M::Iretq | M::Retf | M::Lfs | M::Lgs | M::Lss => {
            ExecutionMode::Unknown
        }
        _ if is_far_transfer(decoded) || uses_segment(decoded) => ExecutionMode::Unknown,
        // SLEIGH forgets the upper halves of its registers.
        M::Cmpxchg8b => ExecutionMode::Unknown,
        _ if is_odd_string(decoded) || is_narrow_loop(decoded) => ExecutionMode::Unknown,
        // They look at the auxiliary carry, which is not modelled, or at more flags than there are here.
        M::Pushf | M::Pushfq | M::Popf | M::Popfq | M::Lahf | M::Sahf => ExecutionMode::Unknown,
        _ if decoded.is_privileged() || is_approximation(mnemonic) => ExecutionMode::Unknown,
        _ => return None,
    })
}

/// Jumps and calls to another segment.
fn is_far_transfer(decoded: &Decoded) -> bool {
    decoded.is_jmp_far()
        || decoded.is_jmp_far_indirect()
        || decoded.is_call_far()
        || decoded.is_call_far_indirect()
}

/// String instructions with addresses of 32 bits, or relative to FS or GS: SLEIGH takes no notice of it.
fn is_odd_string(decoded: &Decoded) -> bool {
    let narrow = (0..decoded.op_count()).any(|i| {
        matches!(
            decoded.op_kind(i),
            OpKind::MemorySegESI | OpKind::MemorySegEDI | OpKind::MemoryESEDI
        )
    });
    let elsewhere = matches!(decoded.segment_prefix(), Register::FS | Register::GS);
    decoded.is_string_instruction() && (narrow || elsewhere)
}

/// `loop` that counts in ECX: SLEIGH forgets its upper half too.
fn is_narrow_loop(decoded: &Decoded) -> bool {
    use iced_x86::Code as C;
    matches!(decoded.code(), C::Loop_rel8_64_ECX | C::Loope_rel8_64_ECX | C::Loopne_rel8_64_ECX)
}

/// Whether a segment register is an operand.
fn uses_segment(decoded: &Decoded) -> bool {
    (0..decoded.op_count()).any(|i| {
        decoded.op_kind(i) == OpKind::Register && decoded.op_register(i).is_segment_register()
    })
}

/// Approximations: each maker's CPUs give other numbers, and a core may come from any of them.
fn is_approximation(mnemonic: Mnemonic) -> bool {
    matches!(
        mnemonic,
        Mnemonic::Rcpps
            | Mnemonic::Rcpss
            | Mnemonic::Rsqrtps
            | Mnemonic::Rsqrtss
            | Mnemonic::Vrcpps
            | Mnemonic::Vrcpss
            | Mnemonic::Vrsqrtps
            | Mnemonic::Vrsqrtss
    )
}

/// Shifts and rotations: a count of 0 leaves the flags as they are.
pub(crate) fn is_shift(mnemonic: Mnemonic) -> bool {
    matches!(
        mnemonic,
        Mnemonic::Rcl
            | Mnemonic::Rcr
            | Mnemonic::Rol
            | Mnemonic::Ror
            | Mnemonic::Shl
            | Mnemonic::Shr
            | Mnemonic::Sal
            | Mnemonic::Sar
            | Mnemonic::Shld
            | Mnemonic::Shrd
    )
}

/// Instructions without effect on registers and memory, whatever their operand is.
pub(crate) fn has_no_effect(decoded: &Decoded) -> bool {
    matches!(
        decoded.mnemonic(),
        Mnemonic::Nop
            | Mnemonic::Endbr64
            | Mnemonic::Endbr32
            | Mnemonic::Pause
            | Mnemonic::Mfence
            | Mnemonic::Lfence
            | Mnemonic::Sfence
            | Mnemonic::Prefetch
            | Mnemonic::Prefetchnta
            | Mnemonic::Prefetcht0
            | Mnemonic::Prefetcht1
            | Mnemonic::Prefetcht2
            | Mnemonic::Prefetchw
            | Mnemonic::Cldemote
            | Mnemonic::Reservednop
    )
}

/// The overflow flag that SLEIGH computes for a shift by one is wrong.
pub(crate) fn has_wrong_overflow(mnemonic: Mnemonic) -> bool {
    matches!(
        mnemonic,
        Mnemonic::Shr | Mnemonic::Sar | Mnemonic::Shl | Mnemonic::Rol | Mnemonic::Ror
    )
}

/// Integer instructions that SLEIGH gets right. All others are run by the CPU.
pub(crate) fn is_sleigh_believed(decoded: &Decoded) -> bool {
    let wide = (0..decoded.op_count()).any(|i| {
        let register = decoded.op_register(i);
        decoded.op_kind(i) == OpKind::Register && !register.is_gpr()
    });
    let corrected = matches!(
        decoded.mnemonic(),
        Mnemonic::Bsf
            | Mnemonic::Bsr
            | Mnemonic::Lzcnt
            | Mnemonic::Tzcnt
            | Mnemonic::Popcnt
            | Mnemonic::Rcl
            | Mnemonic::Rcr
            | Mnemonic::Shld
            | Mnemonic::Shrd
            | Mnemonic::Bextr
            | Mnemonic::Pdep
            | Mnemonic::Pext
            | Mnemonic::Bzhi
            | Mnemonic::Blsi
            | Mnemonic::Blsr
            | Mnemonic::Blsmsk
            | Mnemonic::Adcx
            | Mnemonic::Adox
            | Mnemonic::Crc32
            | Mnemonic::Ldmxcsr
            | Mnemonic::Stmxcsr
            | Mnemonic::Vldmxcsr
            | Mnemonic::Vstmxcsr
    );
    let other_unit = decoded.cpuid_features().iter().any(|feature| {
        use iced_x86::CpuidFeature as F;
        !matches!(
            feature,
            F::INTEL8086
                | F::INTEL186
                | F::INTEL286
                | F::INTEL386
                | F::INTEL486
                | F::X64
                | F::CMOV
                | F::BMI1
                | F::BMI2
                | F::MOVBE
                | F::CX8
                | F::CMPXCHG16B
        )
    });
    !wide && !corrected && !other_unit
}

/// Vector instructions whose operations are plain enough to be believed on terms as well: moves, and
/// bitwise operations, and scalar arithmetic.
pub(crate) fn is_believed_on_terms(mnemonic: Mnemonic) -> bool {
    matches!(
        mnemonic,
        Mnemonic::Movaps
            | Mnemonic::Movups
            | Mnemonic::Movapd
            | Mnemonic::Movupd
            | Mnemonic::Movdqa
            | Mnemonic::Movdqu
            | Mnemonic::Movd
            | Mnemonic::Movq
            | Mnemonic::Movss
            | Mnemonic::Movsd
            | Mnemonic::Movhps
            | Mnemonic::Movhpd
            | Mnemonic::Movlps
            | Mnemonic::Movlpd
            | Mnemonic::Movhlps
            | Mnemonic::Movlhps
            | Mnemonic::Pxor
            | Mnemonic::Xorps
            | Mnemonic::Xorpd
            | Mnemonic::Pand
            | Mnemonic::Por
            | Mnemonic::Punpcklqdq
            | Mnemonic::Addsd
            | Mnemonic::Subsd
            | Mnemonic::Mulsd
            | Mnemonic::Divsd
            | Mnemonic::Ucomisd
            | Mnemonic::Comisd
            | Mnemonic::Cvtsi2sd
            | Mnemonic::Paddd
            | Mnemonic::Paddq
    )
}
