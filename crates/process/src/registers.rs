//! Registers: the general ones, and x87, SSE, AVX and AVX-512 out of the XSAVE area.

use serde::{Deserialize, Serialize};

/// The general registers of a thread.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct GeneralRegisters {
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

impl GeneralRegisters {
    /// From the words of the kernel's `user_regs_struct`.
    pub(crate) fn from_words(w: &[u64; 27]) -> GeneralRegisters {
        GeneralRegisters {
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
pub struct VectorRegisters {
    /// The 512 bytes of FXSAVE: x87, MXCSR, the low halves of the first vector registers.
    pub fx: Vec<u8>,
    /// ZMM0 to ZMM31, 64 bytes each; parts that the CPU does not have are zero.
    pub zmm: Vec<u8>,
    /// The mask registers.
    pub k: [u64; 8],
    /// Nobody knows what only AVX-512 has: upper halves of `zmm`, the second sixteen, the masks.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub lacks_avx512: bool,
}

impl Default for VectorRegisters {
    /// As a new process has them.
    fn default() -> VectorRegisters {
        let mut fx = vec![0; 512];
        fx[0..2].copy_from_slice(&0x37fu16.to_le_bytes());
        fx[24..28].copy_from_slice(&0x1f80u32.to_le_bytes());
        VectorRegisters { fx, zmm: vec![0; 64 * 32], k: [0; 8], lacks_avx512: false }
    }
}

/// All registers of a thread.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct ThreadRegisters {
    /// The general registers.
    pub general: GeneralRegisters,
    /// The others; `None` where they could not be read.
    pub vector: Option<VectorRegisters>,
}

/// Where the header of an XSAVE area ends, behind the 512 bytes of FXSAVE.
const HEADER_END: usize = 576;
/// How long the parts are.
const AVX_LENGTH: usize = 256;
const OPMASK_LENGTH: usize = 64;
const ZMM_HIGH_LENGTH: usize = 512;
const ZMM_UPPER_LENGTH: usize = 1024;

/// Where the parts of an XSAVE area lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct XsaveLayout {
    avx: Option<usize>,
    opmask: Option<usize>,
    zmm_high: Option<usize>,
    zmm_upper: Option<usize>,
}

impl XsaveLayout {
    /// The layout of this machine.
    pub(crate) fn of_this_machine() -> XsaveLayout {
        use std::arch::x86_64::{__cpuid, __cpuid_count};
        let at = |feature: u32| {
            if __cpuid(0).eax < 0xd {
                return None;
            }
            let leaf = __cpuid_count(0xd, feature);
            (leaf.eax != 0).then_some(leaf.ebx as usize)
        };
        XsaveLayout { avx: at(2), opmask: at(5), zmm_high: at(6), zmm_upper: at(7) }
    }

    /// The layout that an area of this length has: Intel's, AMD's, or without AVX-512.
    pub(crate) fn of_length(length: usize) -> XsaveLayout {
        let mut layout = XsaveLayout { avx: None, opmask: None, zmm_high: None, zmm_upper: None };
        if length >= 832 {
            layout.avx = Some(HEADER_END);
        }
        if length >= 2688 {
            (layout.opmask, layout.zmm_high, layout.zmm_upper) =
                (Some(1088), Some(1152), Some(1664));
        } else if length >= 2432 {
            (layout.opmask, layout.zmm_high, layout.zmm_upper) = (Some(832), Some(896), Some(1408));
        }
        layout
    }

    /// The layout that a core's `NT_X86_XSAVE_LAYOUT` note gives: type, size, offset and flags of each part,
    /// 32 bits each. `None` if a part is not as long as its type says, or does not lie behind the header in an
    /// area of this length: then nobody knows how the note is to be read.
    pub(crate) fn of_note(note: &[u8], area: usize) -> Option<XsaveLayout> {
        let (entries, rest) = note.as_chunks::<16>();
        if entries.is_empty() || !rest.is_empty() {
            return None;
        }
        let mut layout = XsaveLayout { avx: None, opmask: None, zmm_high: None, zmm_upper: None };
        let mut taken: Vec<(usize, usize)> = Vec::new();
        for entry in entries {
            let number = |i: usize| {
                let bytes = [entry[i], entry[i + 1], entry[i + 2], entry[i + 3]];
                usize::try_from(u32::from_le_bytes(bytes)).unwrap_or(usize::MAX)
            };
            let (kind, size, offset) = (number(0), number(4), number(8));
            // x87 and SSE lie where FXSAVE has them.
            if kind < 2 {
                continue;
            }
            let end = offset.checked_add(size).filter(|end| *end <= area)?;
            let overlaps = taken.iter().any(|(from, to)| offset < *to && *from < end);
            if kind > 63 || size == 0 || offset < HEADER_END || overlaps {
                return None;
            }
            taken.push((offset, end));
            let (part, length) = match kind {
                2 => (&mut layout.avx, AVX_LENGTH),
                5 => (&mut layout.opmask, OPMASK_LENGTH),
                6 => (&mut layout.zmm_high, ZMM_HIGH_LENGTH),
                7 => (&mut layout.zmm_upper, ZMM_UPPER_LENGTH),
                _ => continue,
            };
            if size != length || part.replace(offset).is_some() {
                return None;
            }
        }
        // AVX comes right after the header on every CPU.
        layout.avx.is_none_or(|offset| offset == HEADER_END).then_some(layout)
    }

    /// Whether there are parts for what only AVX-512 has.
    pub(crate) fn has_avx512(&self) -> bool {
        self.opmask.is_some() || self.zmm_high.is_some() || self.zmm_upper.is_some()
    }

    /// The registers in an area; `None` if it is shorter than its header says.
    pub(crate) fn read_vector_registers(&self, area: &[u8]) -> Option<VectorRegisters> {
        let mut vector = VectorRegisters::default();
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
            let fresh = VectorRegisters::default();
            vector.fx[..24].copy_from_slice(&fresh.fx[..24]);
            vector.fx[32..160].fill(0);
        }
        if present >> 1 & 1 == 1 {
            for i in 0..16 {
                vector.zmm[64 * i..64 * i + 16].copy_from_slice(&area[160 + 16 * i..176 + 16 * i]);
            }
        }
        if let Some(high) = part(2, self.avx, AVX_LENGTH)? {
            for i in 0..16 {
                vector.zmm[64 * i + 16..64 * i + 32].copy_from_slice(&high[16 * i..16 * i + 16]);
            }
        }
        if let Some(masks) = part(5, self.opmask, OPMASK_LENGTH)? {
            for (k, bytes) in vector.k.iter_mut().zip(masks.as_chunks::<8>().0) {
                *k = u64::from_le_bytes(*bytes);
            }
        }
        if let Some(high) = part(6, self.zmm_high, ZMM_HIGH_LENGTH)? {
            for i in 0..16 {
                vector.zmm[64 * i + 32..64 * i + 64].copy_from_slice(&high[32 * i..32 * i + 32]);
            }
        }
        if let Some(upper) = part(7, self.zmm_upper, ZMM_UPPER_LENGTH)? {
            vector.zmm[1024..].copy_from_slice(upper);
        }
        Some(vector)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(entries: &[[u32; 4]]) -> Vec<u8> {
        entries.iter().flatten().flat_map(|number| number.to_le_bytes()).collect()
    }

    /// As Linux 6.12 writes it on a CPU with AVX-512 and protection keys.
    const KERNEL: [[u32; 4]; 6] = [
        [2, 256, 576, 0],
        [5, 64, 1088, 0],
        [6, 512, 1152, 0],
        [7, 1024, 1664, 0],
        [9, 8, 2688, 0],
        [17, 64, 2752, 2],
    ];

    #[test]
    fn the_layout_that_the_kernel_writes() {
        let layout = XsaveLayout::of_note(&note(&KERNEL), 2816).expect("a layout");
        assert_eq!(layout, XsaveLayout::of_length(2688));
        let mut area = vec![0; 2816];
        area[512] = 0b110;
        area[576..832].fill(7);
        let vector = layout.read_vector_registers(&area).expect("registers");
        assert_eq!(vector.zmm[16..32], [7; 16]);
        assert_eq!(vector.zmm[0..16], [0; 16]);
    }

    #[test]
    fn a_layout_that_cannot_be_is_none() {
        let with = |at: usize, entry: [u32; 4]| {
            let mut entries = KERNEL;
            entries[at] = entry;
            XsaveLayout::of_note(&note(&entries), 2816)
        };
        assert_eq!(with(0, [2, 0, 256, 576]), None, "numbers in another order");
        assert_eq!(with(0, [2, 256, 832, 0]), None, "AVX elsewhere");
        assert_eq!(with(1, [5, 64, 600, 0]), None, "two parts in one place");
        assert_eq!(with(3, [7, 1024, 2000, 0]), None, "behind the end");
        assert_eq!(with(3, [7, 512, 1664, 0]), None, "too short");
        assert_eq!(with(2, [7, 1024, 1664, 0]), None, "twice");
        assert_eq!(XsaveLayout::of_note(&note(&KERNEL)[..90], 2816), None, "cut off");
        assert_eq!(XsaveLayout::of_note(&[], 2816), None);
        let twenty: Vec<u8> = [2u32, 0, 256, 576, 0].iter().flat_map(|n| n.to_le_bytes()).collect();
        assert_eq!(XsaveLayout::of_note(&twenty, 2816), None, "five numbers");
    }
}
