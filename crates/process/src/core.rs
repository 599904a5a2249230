//! ELF core files: registers and files from the notes, bytes from the segments, what was left out from
//! the files that were mapped.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::file::{self, ElfNotes, FileComparison, elf};
use crate::registers::XsaveLayout;
use crate::{
    GeneralRegisters, MemoryMapping, ProcessCircumstances, ProcessSnapshot, ProcessThread,
    SnapshotError, SnapshotMemory, SnapshotSource, ThreadActivity, ThreadRegisters,
};

const NT_PRSTATUS: u32 = 1;
const NT_FPREGSET: u32 = 2;
const NT_PRPSINFO: u32 = 3;
const NT_AUXV: u32 = 6;
const AT_RANDOM: u64 = 25;
const AT_SYSINFO_EHDR: u64 = 33;
const NT_X86_XSTATE: u32 = 0x202;
const NT_X86_XSAVE_LAYOUT: u32 = 0x205;
const NT_FILE: u32 = 0x4649_4c45;
const NT_GDB_TDESC: u32 = 0xff00_0000;
const PAGE: u64 = 4096;

struct CoreSegment {
    start: u64,
    offset: u64,
    saved: u64,
    length: u64,
    flags: u32,
}

struct MappedFile {
    start: u64,
    end: u64,
    offset: u64,
    path: String,
}

/// Reads a core file. `executable` replaces the program's own path, for a core from elsewhere.
///
/// # Errors
/// If it is not a whole core of an x86-64 process, or the program it needs is missing or another one.
pub fn from_core(path: &Path, executable: Option<&Path>) -> Result<ProcessSnapshot, SnapshotError> {
    let bytes =
        fs::read(path).map_err(|error| SnapshotError::io(path.display().to_string(), error))?;
    let not =
        |why: &str| SnapshotError::NotA { path: path.into(), what: "a core file", why: why.into() };
    let (segments, notes) = read_headers(path, &bytes)?;
    let mut read = CoreNotes::default();
    for note in &notes {
        read.read_notes(note);
    }
    if read.threads.is_empty() {
        return Err(not("it contains no thread"));
    }
    let layout = read.layout.take();
    let mut memory = SnapshotMemory::new();
    for segment in &segments {
        let (from, to) =
            (offset_as_index(segment.offset), offset_as_index(segment.offset + segment.saved));
        memory.add(segment.start, bytes[from..to].to_vec());
    }
    drop(bytes);
    let mut mappings: Vec<MemoryMapping> =
        segments.iter().map(|s| mapping_of_segment(s, &read.files)).collect();
    mappings.sort_by_key(|mapping| mapping.start);
    // Files that no segment covers are address space too: unchanged, so not written; text, as a rule.
    for file in &read.files {
        if !mappings.iter().any(|m| m.start < file.end && file.start < m.end) {
            mappings.push(mapping_of_file(file));
        }
    }
    mappings.sort_by_key(|mapping| mapping.start);
    let program = program_path(&read, &mappings);
    let mut files = Vec::new();
    fill_from_files(path, &read.files, &program, executable, &mut memory, &mut files)?;
    for mapping in &mut mappings {
        if is_program_image(&read.files, &mapping.name, &memory, &segments) {
            mapping.shared = Some(false);
        }
    }
    name_kernel_clock(&mut mappings, read.auxiliary_word(AT_SYSINFO_EHDR));
    // The kernel puts random bytes onto the first thread's stack.
    let on_stack = read.auxiliary_word(AT_RANDOM).unwrap_or(0);
    if let Some(stack) = mappings.iter_mut().find(|m| m.contains(on_stack) && m.name.is_empty()) {
        "[stack]".clone_into(&mut stack.name);
    }
    let pid = read.threads[0].0;
    let threads = read
        .threads
        .into_iter()
        .map(|(id, general, vector)| {
            let vector = vector.and_then(|area| {
                // Without a note that can be read, the length of the area tells.
                let noted = layout.as_ref().and_then(|note| XsaveLayout::of_note(note, area.len()));
                let layout = noted.unwrap_or_else(|| XsaveLayout::of_length(area.len()));
                let mut vector = layout.read_vector_registers(&area)?;
                // gdb before version 14 takes every CPU for one of Intel's: where it is not, it writes zeros.
                vector.lacks_avx512 = read.is_from_gdb && noted.is_none() && layout.has_avx512();
                Some(vector)
            });
            let registers = Box::new(ThreadRegisters { general, vector });
            let activity = ThreadActivity::Running(registers);
            ProcessThread { id, name: read.name.clone(), activity, woke: false, rseq: None }
        })
        .collect::<Vec<_>>();
    Ok(ProcessSnapshot {
        source: SnapshotSource::Core(path.into()),
        pid,
        executable: executable.map_or_else(|| PathBuf::from(&program), Path::to_owned),
        arguments: read.arguments.split_whitespace().map(str::to_owned).collect(),
        ticks: vec![0; threads.len()],
        threads,
        mappings,
        memory,
        circumstances: ProcessCircumstances::default(),
        files,
        stopped: Duration::ZERO,
    })
}

/// An offset into bytes that are there.
fn offset_as_index(offset: u64) -> usize {
    usize::try_from(offset).expect("offsets were compared with the length of the file")
}

/// Segments and the bytes of note segments.
fn read_headers(
    path: &Path,
    bytes: &[u8],
) -> Result<(Vec<CoreSegment>, Vec<Vec<u8>>), SnapshotError> {
    let not =
        |why: &str| SnapshotError::NotA { path: path.into(), what: "a core file", why: why.into() };
    if bytes.get(..4) != Some(b"\x7fELF") {
        return Err(not("it is not an ELF file"));
    }
    let found = bytes.len() as u64;
    let short = |expected: u64| SnapshotError::Truncated { path: path.into(), expected, found };
    if found < 64 {
        return Err(short(64));
    }
    let number = |at: usize, size: usize| -> u64 {
        bytes[at..at + size].iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte))
    };
    let machine = u16::from_le_bytes([bytes[18], bytes[19]]);
    if (bytes[4], machine) != (elf::CLASS64, elf::EM_X86_64) {
        return Err(SnapshotError::Foreign {
            what: path.display().to_string(),
            architecture: file::architecture_name(bytes[4], machine),
        });
    }
    if number(16, 2) != u64::from(elf::ET_CORE) {
        return Err(not("it is an executable or a library"));
    }
    let (table, size) = (number(32, 8), number(54, 2).max(56));
    let mut count = number(56, 2);
    if count == 0xffff {
        // More than fit: the number is in the first section header.
        let at = number(40, 8);
        if at.saturating_add(64) > found {
            return Err(short(at.saturating_add(64)));
        }
        count = number(offset_as_index(at) + 44, 4);
    }
    let end = table.saturating_add(count.saturating_mul(size));
    if end > found {
        return Err(short(end));
    }
    let (mut segments, mut notes) = (Vec::new(), Vec::new());
    for i in 0..count {
        let at = offset_as_index(table + i * size);
        let (kind, flags) = (number(at, 4), number(at + 4, 4));
        let segment = CoreSegment {
            start: number(at + 16, 8),
            offset: number(at + 8, 8),
            saved: number(at + 32, 8),
            length: number(at + 40, 8),
            flags: u32::try_from(flags).unwrap_or(0),
        };
        let end = segment.offset.saturating_add(segment.saved);
        if end > found && segment.saved > 0 {
            return Err(short(end));
        }
        if kind == u64::from(elf::PT_LOAD) && segment.length > 0 {
            if segment.start.checked_add(segment.length).is_none() {
                return Err(not("a segment lies outside the address space"));
            }
            segments.push(segment);
        } else if kind == u64::from(elf::PT_NOTE) {
            notes.push(bytes[offset_as_index(segment.offset)..offset_as_index(end)].to_vec());
        }
    }
    Ok((segments, notes))
}

#[derive(Default)]
struct CoreNotes {
    threads: Vec<(i32, GeneralRegisters, Option<Vec<u8>>)>,
    layout: Option<Vec<u8>>,
    /// gdb wrote it, not the kernel.
    is_from_gdb: bool,
    files: Vec<MappedFile>,
    auxiliary: Vec<u8>,
    name: String,
    arguments: String,
}

impl CoreNotes {
    fn read_notes(&mut self, bytes: &[u8]) {
        for (_, kind, body) in ElfNotes(bytes) {
            match kind {
                NT_PRSTATUS if body.len() >= 112 + 27 * 8 => {
                    let mut words = [0; 27];
                    for (word, bytes) in words.iter_mut().zip(body[112..].as_chunks::<8>().0) {
                        *word = u64::from_le_bytes(*bytes);
                    }
                    let id = i32::from_le_bytes([body[32], body[33], body[34], body[35]]);
                    self.threads.push((id, GeneralRegisters::from_words(&words), None));
                }
                NT_FPREGSET => self.read_vector_note(body, false),
                NT_X86_XSTATE => self.read_vector_note(body, true),
                NT_X86_XSAVE_LAYOUT => self.layout = Some(body.to_vec()),
                NT_GDB_TDESC => self.is_from_gdb = true,
                NT_PRPSINFO if body.len() >= 136 => {
                    let text = |bytes: &[u8]| {
                        let end = bytes.iter().position(|b| *b == 0).unwrap_or(bytes.len());
                        String::from_utf8_lossy(&bytes[..end]).into_owned()
                    };
                    self.name = text(&body[40..56]);
                    self.arguments = text(&body[56..136]);
                }
                NT_AUXV => self.auxiliary = body.to_vec(),
                NT_FILE => self.files = mapped_files(body).unwrap_or_default(),
                _ => {}
            }
        }
    }

    /// A word of the auxiliary vector, by its kind.
    fn auxiliary_word(&self, kind: u64) -> Option<u64> {
        let pairs = self.auxiliary.as_chunks::<16>().0.iter();
        let value = pairs.map(|pair| pair.split_at(8)).find(|pair| pair.0 == kind.to_le_bytes())?.1;
        Some(u64::from_le_bytes(value.try_into().ok()?))
    }

    /// Vector registers belong to the thread of the status note before them.
    fn read_vector_note(&mut self, body: &[u8], whole: bool) {
        if let Some((_, _, vector)) = self.threads.last_mut()
            && (whole || vector.is_none())
        {
            *vector = Some(body.to_vec());
        }
    }
}

/// Count, page size, then three numbers a file, then the names.
fn mapped_files(body: &[u8]) -> Option<Vec<MappedFile>> {
    let word = |i: usize| -> Option<u64> {
        Some(u64::from_le_bytes(body.get(8 * i..8 * i + 8)?.try_into().ok()?))
    };
    let count = usize::try_from(word(0)?).ok()?;
    let page = word(1)?;
    let names_at = count.checked_mul(24)?.checked_add(16)?;
    let mut names = body.get(names_at..)?.split(|byte| *byte == 0);
    let mut files = Vec::new();
    for i in 0..count {
        files.push(MappedFile {
            start: word(2 + 3 * i)?,
            end: word(3 + 3 * i)?,
            offset: word(4 + 3 * i)?.checked_mul(page)?,
            path: String::from_utf8_lossy(names.next()?).into_owned(),
        });
    }
    Some(files)
}

/// Whether a mapped file is a program or a library, which loaders map privately: it is mapped piece by piece as its
/// header says, with its code to be executed. A data file may begin like one.
fn is_program_image(
    files: &[MappedFile],
    name: &str,
    memory: &SnapshotMemory,
    segments: &[CoreSegment],
) -> bool {
    let pieces = || files.iter().filter(|file| file.path == name);
    pieces().filter(|piece| piece.offset == 0).any(|first| {
        let Some(loaded) = loaded(first.start, memory) else { return false };
        let Some(base) = loaded.iter().find(|(_, _, offset, _)| *offset < PAGE) else {
            return false;
        };
        let bias = first.start.wrapping_sub(base.3 & !(PAGE - 1));
        loaded.iter().any(|(_, flags, ..)| flags & EXECUTE != 0)
            && loaded.iter().filter(|(length, ..)| *length > 0).all(
                |(_, flags, offset, address)| {
                    let at = bias.wrapping_add(address & !(PAGE - 1));
                    let mapped = pieces().any(|piece| {
                        (piece.start..piece.end).contains(&at)
                            && piece.offset + (at - piece.start) == offset & !(PAGE - 1)
                    });
                    let rights = segments.iter().find(|s| at.wrapping_sub(s.start) < s.length);
                    mapped
                        && rights.is_none_or(|segment| {
                            segment.flags & flags & EXECUTE == flags & EXECUTE
                        })
                },
            )
    })
}

const EXECUTE: u32 = 1;

/// What a loader maps of the file whose header is there: bytes of the file, rights, offset and address of each piece.
fn loaded(header: u64, memory: &SnapshotMemory) -> Option<Vec<(u64, u32, u64, u64)>> {
    let number = |at: u64, size: usize| {
        let mut bytes = [0; 8];
        memory.read(header.checked_add(at)?, &mut bytes[..size]).ok()?;
        Some(u64::from_le_bytes(bytes))
    };
    if number(0, 4)? != u64::from(u32::from_le_bytes(*b"\x7fELF")) {
        return None;
    }
    let (table, size, count) = (number(32, 8)?, number(54, 2)?, number(56, 2)?);
    let mut all = Vec::new();
    for entry in 0..count {
        let at = table.checked_add(entry * size)?;
        if number(at, 4)? == u64::from(elf::PT_LOAD) {
            let flags = u32::try_from(number(at.checked_add(4)?, 4)?).ok()?;
            let field = |from: u64| number(at.checked_add(from)?, 8);
            all.push((field(32)?, flags, field(8)?, field(16)?));
        }
    }
    Some(all)
}

/// The kernel's clock lies right before its code, the vdso. A core has no names for either.
fn name_kernel_clock(mappings: &mut [MemoryMapping], vdso: Option<u64>) {
    let Some(mut edge) = vdso else { return };
    for mapping in mappings.iter_mut().rev() {
        if mapping.start == edge {
            "[vdso]".clone_into(&mut mapping.name);
        } else if mapping.end == edge && !mapping.write && mapping.name.is_empty() {
            "[vvar]".clone_into(&mut mapping.name);
            edge = mapping.start;
        }
    }
}

fn mapping_of_file(file: &MappedFile) -> MemoryMapping {
    MemoryMapping {
        start: file.start,
        end: file.end,
        read: true,
        write: false,
        execute: true,
        shared: None,
        special: false,
        clean: Vec::new(),
        offset: file.offset,
        inode: Some((0, 0)),
        name: file.path.clone(),
    }
}

fn mapping_of_segment(segment: &CoreSegment, files: &[MappedFile]) -> MemoryMapping {
    let file = files.iter().find(|f| f.start <= segment.start && segment.start < f.end);
    MemoryMapping {
        start: segment.start,
        end: segment.start + segment.length,
        read: segment.flags & 4 != 0,
        write: segment.flags & 2 != 0,
        execute: segment.flags & 1 != 0,
        shared: None,
        special: false,
        clean: Vec::new(),
        offset: file.map_or(0, |f| f.offset + (segment.start - f.start)),
        inode: file.map(|_| (0, 0)),
        name: file.map_or_else(String::new, |f| f.path.clone()),
    }
}

/// The program: the mapped file whose name the kernel kept, or the first that holds the first thread.
fn program_path(read: &CoreNotes, mappings: &[MemoryMapping]) -> String {
    let named = read.files.iter().find(|file| {
        let base = Path::new(&file.path).file_name().map(|name| name.to_string_lossy());
        base.is_some_and(|base| !read.name.is_empty() && base.starts_with(&read.name))
    });
    let executing = || {
        let rip = read.threads[0].1.rip;
        mappings.iter().find(|m| m.contains(rip)).map(|m| m.name.clone())
    };
    named
        .map(|file| file.path.clone())
        .or_else(|| read.files.first().map(|file| file.path.clone()))
        .or_else(executing)
        .unwrap_or_default()
}

/// Adds what the core left out, out of the files that were mapped.
fn fill_from_files(
    core: &Path,
    files: &[MappedFile],
    program: &str,
    executable: Option<&Path>,
    memory: &mut SnapshotMemory,
    compared: &mut Vec<(PathBuf, FileComparison)>,
) -> Result<(), SnapshotError> {
    let mut names: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    for name in names {
        let is_program = name == program;
        let path = match executable {
            Some(path) if is_program => path.to_owned(),
            _ => PathBuf::from(name),
        };
        let pieces: Vec<&MappedFile> = files.iter().filter(|f| f.path == name).collect();
        let Ok(bytes) = fs::read(&path) else {
            if is_program {
                return Err(SnapshotError::MissingBinary { core: core.into(), needs: path });
            }
            continue;
        };
        // The first page of an image is in most cores, and its build-id on it.
        let first = pieces.iter().find(|piece| piece.offset == 0);
        let in_core = first.and_then(|piece| {
            let mut page = vec![0; PAGE as usize];
            memory.read(piece.start, &mut page).ok()?;
            file::build_id(&page)
        });
        let on_disk = file::build_id(&bytes);
        match (&in_core, &on_disk) {
            (Some(wanted), Some(found)) if wanted != found => {
                if is_program {
                    return Err(SnapshotError::OtherBinary {
                        path,
                        wanted: file::hexadecimal_text(wanted),
                        found: file::hexadecimal_text(found),
                    });
                }
                // Another library now: its bytes are not the process's. They stay absent.
                continue;
            }
            (Some(_), Some(_)) => compared.push((path, FileComparison::Same)),
            _ => compared.push((path, FileComparison::NotCompared)),
        }
        for piece in pieces {
            let from = usize::try_from(piece.offset).unwrap_or(usize::MAX).min(bytes.len());
            let length = usize::try_from(piece.end - piece.start).unwrap_or(usize::MAX);
            let to = from.saturating_add(length).min(bytes.len());
            let mut part = bytes[from..to].to_vec();
            // The rest of a file's last page is zero.
            part.resize(part.len().next_multiple_of(PAGE as usize).min(length), 0);
            memory.add(piece.start, part);
        }
    }
    Ok(())
}
