//! Files that were mapped: what they are for, their build-ids, their bytes.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::SnapshotError;

/// Numbers of the ELF format.
pub(crate) mod elf {
    pub(crate) const CLASS64: u8 = 2;
    pub(crate) const ET_CORE: u16 = 4;
    pub(crate) const PT_LOAD: u32 = 1;
    pub(crate) const PT_NOTE: u32 = 4;
    pub(crate) const NT_GNU_BUILD_ID: u32 = 3;
    pub(crate) const EM_X86_64: u16 = 62;
}

/// Whether a file is the one that was mapped.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum FileComparison {
    /// The build-ids are equal.
    Same,
    /// There is none to compare.
    NotCompared,
}

/// Refuses a program of another architecture.
pub(crate) fn refuse_foreign_architecture(path: &Path, what: &str) -> Result<(), SnapshotError> {
    let mut header = [0; 20];
    let Ok(()) = File::open(path).and_then(|mut file| file.read_exact(&mut header)) else {
        // Deleted or hidden; the code segment tells as well.
        return Ok(());
    };
    if header[..4] != *b"\x7fELF" {
        return Ok(());
    }
    let machine = u16::from_le_bytes([header[18], header[19]]);
    match (header[4], machine) {
        (elf::CLASS64, elf::EM_X86_64) => Ok(()),
        (class, machine) => Err(SnapshotError::Foreign {
            what: what.to_owned(),
            architecture: architecture_name(class, machine),
        }),
    }
}

pub(crate) fn architecture_name(class: u8, machine: u16) -> String {
    let bits = if class == elf::CLASS64 { 64 } else { 32 };
    let name = match machine {
        3 => "x86",
        elf::EM_X86_64 => "x86-64 with 32-bit pointers (x32)",
        40 | 183 => "ARM",
        243 => "RISC-V",
        20 | 21 => "PowerPC",
        22 => "s390",
        _ => return format!("code for another machine (number {machine})"),
    };
    format!("{bits}-bit {name} code")
}

/// The build-id in the notes of an ELF image that begins with these bytes; the notes of linkers lie on
/// the first page.
pub(crate) fn build_id(image: &[u8]) -> Option<Vec<u8>> {
    let word = |at: usize| Some(u64::from_le_bytes(image.get(at..at + 8)?.try_into().ok()?));
    let half = |at: usize| Some(u32::from_le_bytes(image.get(at..at + 4)?.try_into().ok()?));
    let short = |at: usize| Some(u16::from_le_bytes(image.get(at..at + 2)?.try_into().ok()?));
    if image.get(..5)? != b"\x7fELF\x02" {
        return None;
    }
    let table = usize::try_from(word(32)?).ok()?;
    let size = usize::from(short(54)?);
    for i in 0..usize::from(short(56)?) {
        let at = table.checked_add(i.checked_mul(size)?)?;
        if half(at)? != elf::PT_NOTE {
            continue;
        }
        let start = usize::try_from(word(at + 8)?).ok()?;
        let length = usize::try_from(word(at + 32)?).ok()?;
        let Some(notes) = image.get(start..start.checked_add(length)?) else { continue };
        for (name, kind, body) in ElfNotes(notes) {
            if name == b"GNU" && kind == elf::NT_GNU_BUILD_ID {
                return Some(body.to_vec());
            }
        }
    }
    None
}

/// The build-id of a file.
pub fn build_id_of_file(path: &Path) -> Option<Vec<u8>> {
    let mut start = Vec::new();
    File::open(path).ok()?.take(1 << 16).read_to_end(&mut start).ok()?;
    build_id(&start)
}

pub(crate) fn hexadecimal_text(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// ELF notes: name without the final zero, type, body.
pub(crate) struct ElfNotes<'a>(pub(crate) &'a [u8]);

impl<'a> Iterator for ElfNotes<'a> {
    type Item = (&'a [u8], u32, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let number = |at: usize| -> Option<usize> {
            let bytes = self.0.get(at..at + 4)?.try_into().ok()?;
            usize::try_from(u32::from_le_bytes(bytes)).ok()
        };
        let (name_length, body_length) = (number(0)?, number(4)?);
        let kind = u32::try_from(number(8)?).ok()?;
        let body_at = 12 + name_length.next_multiple_of(4);
        let name = self.0.get(12..12 + name_length)?;
        let body = self.0.get(body_at..body_at.checked_add(body_length)?)?;
        let next = body_at + body_length.next_multiple_of(4);
        self.0 = self.0.get(next..).unwrap_or(&[]);
        Some((name.strip_suffix(b"\0").unwrap_or(name), kind, body))
    }
}
