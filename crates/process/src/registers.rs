//! Registers: the general ones, and x87, SSE, AVX and AVX-512 out of the XSAVE area.

use serde::{Deserialize, Serialize};

/// The general registers of a thread.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct General {
    /// RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8 to R15: the order of instruction encodings.
    pub gpr: [u64; 16],
    /// The next instruction.
    pub rip: u64,
    /// The flags.
    pub rflags: u64,
    /// The base of the FS segment, where thread-local variables are.
    pub fs_base: u64,
    /// The base of the GS segment.
    pub gs_base: u64,
    /// The code segment: 0x33 is 64-bit code.
    pub cs: u64,
    /// The system call that was interrupted, or all ones.
    pub orig_rax: u64,
}

impl General {
    /// From the words of the kernel's `user_regs_struct`.
    pub(crate) fn from_words(w: &[u64; 27]) -> General {
        General {
            gpr: [
                w[10], w[11], w[12], w[5], w[19], w[4], w[13], w[14], w[9], w[8], w[7], w[6], w[3],
                w[2], w[1], w[0],
            ],
            orig_rax: w[15],
            rip: w[16],
            cs: w[17],
            rflags: w[18],
            fs_base: w[21],
            gs_base: w[22],
        }
    }

    /// The stack pointer.
    pub fn rsp(&self) -> u64 {
        self.gpr[4]
    }
}

/// x87, SSE, AVX and AVX-512 registers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Vector {
    /// The 512 bytes of FXSAVE: x87, MXCSR, the low halves of the first vector registers.
    pub fx: Vec<u8>,
    /// ZMM0 to ZMM31, 64 bytes each; parts that the CPU does not have are zero.
    pub zmm: Vec<u8>,
    /// The mask registers.
    pub k: [u64; 8],
}

impl Default for Vector {
    /// As a new process has them.
    fn default() -> Vector {
        let mut fx = vec![0; 512];
        fx[0..2].copy_from_slice(&0x37fu16.to_le_bytes());
        fx[24..28].copy_from_slice(&0x1f80u32.to_le_bytes());
        Vector { fx, zmm: vec![0; 64 * 32], k: [0; 8] }
    }
}

/// All registers of a thread.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Registers {
    /// The general registers.
    pub general: General,
    /// The others; `None` where they could not be read.
    pub vector: Option<Vector>,
}

/// Where the parts of an XSAVE area lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Layout {
    avx: Option<usize>,
    opmask: Option<usize>,
    zmm_high: Option<usize>,
    zmm_upper: Option<usize>,
}

impl Layout {
    /// The layout of this machine.
    pub(crate) fn of_this_machine() -> Layout {
        use std::arch::x86_64::{__cpuid, __cpuid_count};
        let at = |feature: u32| {
            if __cpuid(0).eax < 0xd {
                return None;
            }
            let leaf = __cpuid_count(0xd, feature);
            (leaf.eax != 0).then_some(leaf.ebx as usize)
        };
        Layout { avx: at(2), opmask: at(5), zmm_high: at(6), zmm_upper: at(7) }
    }

    /// The layout that an area of this length has: Intel's, AMD's, or without AVX-512.
    pub(crate) fn of_length(length: usize) -> Layout {
        let mut layout = Layout { avx: None, opmask: None, zmm_high: None, zmm_upper: None };
        if length >= 832 {
            layout.avx = Some(576);
        }
        if length >= 2688 {
            (layout.opmask, layout.zmm_high, layout.zmm_upper) =
                (Some(1088), Some(1152), Some(1664));
        } else if length >= 2432 {
            (layout.opmask, layout.zmm_high, layout.zmm_upper) = (Some(832), Some(896), Some(1408));
        }
        layout
    }

    /// The layout that a core's `NT_X86_XSAVE_LAYOUT` note gives: five 32-bit numbers an entry.
    pub(crate) fn of_note(note: &[u8]) -> Layout {
        let mut layout = Layout { avx: None, opmask: None, zmm_high: None, zmm_upper: None };
        for entry in note.as_chunks::<20>().0 {
            let number =
                |i: usize| u32::from_le_bytes([entry[i], entry[i + 1], entry[i + 2], entry[i + 3]]);
            let offset = Some(number(12) as usize);
            match number(0) {
                2 => layout.avx = offset,
                5 => layout.opmask = offset,
                6 => layout.zmm_high = offset,
                7 => layout.zmm_upper = offset,
                _ => {}
            }
        }
        layout
    }

    /// The registers in an area; `None` if it is shorter than its header says.
    pub(crate) fn read(&self, area: &[u8]) -> Option<Vector> {
        let mut vector = Vector::default();
        vector.fx.copy_from_slice(area.get(..512)?);
        let Some(header) = area.get(512..520) else {
            // FXSAVE only: no AVX on that machine.
            for i in 0..16 {
                vector.zmm[64 * i..64 * i + 16].copy_from_slice(&area[160 + 16 * i..176 + 16 * i]);
            }
            return Some(vector);
        };
        let present = u64::from_le_bytes(header.try_into().ok()?);
        // A part whose bit is clear is in its initial state: zero.
        let part = |bit: u32, offset: Option<usize>, length: usize| -> Option<Option<&[u8]>> {
            if present >> bit & 1 == 0 {
                return Some(None);
            }
            Some(Some(area.get(offset?..offset? + length)?))
        };
        if present & 1 == 0 {
            let fresh = Vector::default();
            vector.fx[..24].copy_from_slice(&fresh.fx[..24]);
            vector.fx[32..160].fill(0);
        }
        if present >> 1 & 1 == 1 {
            for i in 0..16 {
                vector.zmm[64 * i..64 * i + 16].copy_from_slice(&area[160 + 16 * i..176 + 16 * i]);
            }
        }
        if let Some(high) = part(2, self.avx, 256)? {
            for i in 0..16 {
                vector.zmm[64 * i + 16..64 * i + 32].copy_from_slice(&high[16 * i..16 * i + 16]);
            }
        }
        if let Some(masks) = part(5, self.opmask, 64)? {
            for (k, bytes) in vector.k.iter_mut().zip(masks.as_chunks::<8>().0) {
                *k = u64::from_le_bytes(*bytes);
            }
        }
        if let Some(high) = part(6, self.zmm_high, 512)? {
            for i in 0..16 {
                vector.zmm[64 * i + 32..64 * i + 64].copy_from_slice(&high[32 * i..32 * i + 32]);
            }
        }
        if let Some(upper) = part(7, self.zmm_upper, 1024)? {
            vector.zmm[1024..].copy_from_slice(upper);
        }
        Some(vector)
    }
}
