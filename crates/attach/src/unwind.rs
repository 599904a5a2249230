//! The call stack, through `.eh_frame`.

use gimli::{
    BaseAddresses, CfaRule, EhFrame, EndianArcSlice, LittleEndian, Register, RegisterRule,
    UnwindContext, UnwindSection as _,
};
use object::{Object as _, ObjectSection as _};
use ouro_process::{ProcessSnapshot, ThreadRegisters};

use crate::answer::CodePlace;
use crate::symbols::SnapshotSymbols;

type UnwindReader = EndianArcSlice<LittleEndian>;

/// How to find the caller, for each address of a file.
pub(crate) struct UnwindTable {
    section: EhFrame<UnwindReader>,
    bases: BaseAddresses,
}

impl UnwindTable {
    pub(crate) fn read(file: &object::File<'_>) -> Option<UnwindTable> {
        let section = file.section_by_name(".eh_frame")?;
        let data = section.uncompressed_data().ok()?;
        let mut bases = BaseAddresses::default().set_eh_frame(section.address());
        if let Some(text) = file.section_by_name(".text") {
            bases = bases.set_text(text.address());
        }
        if let Some(got) = file.section_by_name(".got") {
            bases = bases.set_got(got.address());
        }
        let reader = UnwindReader::new(data.into_owned().into(), LittleEndian);
        Some(UnwindTable { section: EhFrame::from(reader), bases })
    }
}

/// RBP and RSP in DWARF's numbering; the return address.
const RBP: Register = Register(6);
const RSP: Register = Register(7);
const RETURN: Register = Register(16);
/// Registers that calls preserve, in DWARF's numbering and in that of encodings.
const KEPT: [(u16, usize); 6] = [(3, 3), (6, 5), (12, 12), (13, 13), (14, 14), (15, 15)];

/// A frame on the stack.
pub(crate) struct StackFrame {
    /// The next instruction in it.
    pub(crate) rip: u64,
    /// Registers as they are in it, those that calls preserve.
    pub(crate) gpr: [u64; 16],
    /// Where the frame of its caller ends; `None` where nobody says.
    pub(crate) cfa: Option<u64>,
}

/// The frames of a thread, innermost first, as far as they can be followed.
pub(crate) fn unwind_frames(
    snapshot: &ProcessSnapshot,
    symbols: &SnapshotSymbols<'_>,
    registers: &ThreadRegisters,
) -> Vec<StackFrame> {
    let mut gpr = registers.general.gpr;
    let mut rip = registers.general.rip;
    let mut frames = Vec::new();
    for depth in 0..=64 {
        // A return address points behind the call.
        let probe = if depth == 0 { rip } else { rip.wrapping_sub(1) };
        let found = unwind_to_caller(snapshot, symbols, probe, &gpr);
        frames.push(StackFrame { rip, gpr, cfa: found.as_ref().map(|(_, above)| above[4]) });
        let Some((caller, above)) = found else { break };
        if caller == 0 || above[4] <= gpr[4] {
            break;
        }
        (rip, gpr) = (caller, above);
    }
    frames
}

/// Frames as people know them.
pub(crate) fn places_of_frames(
    symbols: &SnapshotSymbols<'_>,
    frames: &[StackFrame],
) -> Vec<CodePlace> {
    let place = |(depth, frame): (usize, &StackFrame)| match depth {
        0 => symbols.place_of_address(frame.rip),
        _ => {
            CodePlace { address: frame.rip, ..symbols.place_of_address(frame.rip.wrapping_sub(1)) }
        }
    };
    frames.iter().enumerate().map(place).collect()
}

fn unwind_to_caller(
    snapshot: &ProcessSnapshot,
    symbols: &SnapshotSymbols<'_>,
    address: u64,
    gpr: &[u64; 16],
) -> Option<(u64, [u64; 16])> {
    let (module, inside) = symbols.module_at(address)?;
    let frames = module.frames.as_ref()?;
    let mut context = UnwindContext::new();
    let row = frames
        .section
        .unwind_info_for_address(&frames.bases, &mut context, inside, |section, bases, offset| {
            section.cie_from_offset(bases, offset)
        })
        .ok()?;
    let CfaRule::RegisterAndOffset { register, offset } = *row.cfa() else { return None };
    let base = match register {
        RSP => gpr[4],
        RBP => gpr[5],
        other => {
            let kept = KEPT.iter().find(|(dwarf, _)| *dwarf == other.0)?;
            gpr[kept.1]
        }
    };
    let frame = base.wrapping_add_signed(offset);
    let saved = |register: Register| match row.register(register) {
        RegisterRule::Offset(offset) => {
            snapshot.memory.word(frame.wrapping_add_signed(offset)).ok()
        }
        _ => None,
    };
    let rip = saved(RETURN)?;
    let mut above = *gpr;
    for (dwarf, number) in KEPT {
        if let Some(value) = saved(Register(dwarf)) {
            above[number] = value;
        }
    }
    above[4] = frame;
    Some((rip, above))
}
