//! Functions that could be the handler of a signal.
//!
//! The kernel knows which function handles a signal, and tells nobody but the process itself. But a program that
//! names a function to the kernel has its address from somewhere: an instruction that computes it, or a word of its
//! data. All addresses of code that are found so are candidates; more than are handlers, and every one that is.
//! It gives up where functions are looked up by name (`dlsym`), where there is code without a file, where handlers may
//! have a stack of their own, where system calls are made past the C library, and where there are too many. **When it misleads:** hand-written assembly may compute an address as no compiler does.

use std::collections::BTreeSet;
use std::fs;

use object::{Object as _, ObjectSection as _, ObjectSymbol as _, RelocationFlags, SectionFlags};
use ouro_process::{MemoryMapping, ProcessSnapshot, SnapshotSource};

use crate::backing::is_image_file;
use crate::limits::LIMITS;
use crate::symbols::SnapshotSymbols;

/// Libraries that name no function of theirs to the kernel, apart from those for the signals that they keep for
/// themselves.
const KNOWN: [&str; 8] = [
    "ld-linux-x86-64.so.2",
    "libc.so.6",
    "libm.so.6",
    "libpthread.so.0",
    "libdl.so.2",
    "librt.so.1",
    "libgcc_s.so.1",
    "libstdc++.so.6",
];

/// The entry of a program hands `main` to the C library, in fewer bytes than these.
const ENTRY: u64 = 64;
const OWN_CALLS: &str = "the program makes system calls without going through the C library";
const SHF_ALLOC: u64 = 2;
const SHF_EXECINSTR: u64 = 4;
const JUMP_SLOT: u32 = 7;

/// Sections that hold addresses for the linker and the loader, or none.
const LINKING: [&str; 15] = [
    ".init_array",
    ".fini_array",
    ".preinit_array",
    ".got.plt",
    ".dynamic",
    ".dynsym",
    ".dynstr",
    ".hash",
    ".gnu",
    ".rela",
    ".eh_frame",
    ".gcc_except_table",
    ".interp",
    ".note",
    ".bss",
];

/// The candidates; why there are none to be had otherwise.
pub(crate) fn find_handler_candidates(
    snapshot: &ProcessSnapshot,
    symbols: &SnapshotSymbols<'_>,
) -> Result<Vec<u64>, String> {
    let mut found = BTreeSet::new();
    let mut code = 0;
    for mapping in snapshot.mappings.iter().filter(|m| m.execute && !m.name.starts_with("[v")) {
        let Some(path) = mapping.file().filter(|_| is_image_file(snapshot, mapping)) else {
            return Err("there is code that does not come from an executable file".to_owned());
        };
        if path.rsplit('/').next().is_some_and(|name| KNOWN.contains(&name)) {
            continue;
        }
        code += mapping.length();
        if code > LIMITS.searched_code {
            return Err("the program is too large to search for handlers".to_owned());
        }
        let unreadable = || format!("cannot read {path}");
        let own = snapshot.executable.to_str() == Some(path);
        let proc = format!("/proc/{}/exe", snapshot.pid);
        let path = match snapshot.source {
            SnapshotSource::Live if own => proc.as_str(),
            _ => path,
        };
        let bytes = fs::read(path).map_err(|_| unreadable())?;
        if !is_mapped(snapshot, mapping, &bytes) {
            return Err(format!("{path} has been replaced by another file"));
        }
        let file = object::File::parse(&*bytes).map_err(|_| unreadable())?;
        let first = snapshot.mappings.iter().find(|m| m.name == mapping.name && m.offset == 0);
        let base = first.ok_or_else(unreadable)?.start.wrapping_sub(linked_at(&file));
        let mut here = BTreeSet::new();
        collect_named_code(snapshot, mapping, base.wrapping_add(file.entry()), &mut here)?;
        collect_stored_code(snapshot, symbols, &file, base, &mut here)?;
        // Behind the last section, the last page holds nothing.
        here.retain(|address| {
            !mapping.contains(*address) || is_in_code_section(&file, *address, base)
        });
        found.extend(here);
    }
    match found.len() {
        0 => Err("no function that could be a handler was found".to_owned()),
        many if many > LIMITS.possible_handlers => {
            Err(format!("{many} functions could be a handler"))
        }
        _ => Ok(found.into_iter().collect()),
    }
}

/// Whether these are the bytes of the file that was mapped: a snapshot may have come from elsewhere.
fn is_mapped(snapshot: &ProcessSnapshot, mapping: &MemoryMapping, bytes: &[u8]) -> bool {
    let from = usize::try_from(mapping.offset).unwrap_or(usize::MAX).min(bytes.len());
    let length = usize::try_from(mapping.length()).unwrap_or(usize::MAX);
    let there = &bytes[from..from.saturating_add(length).min(bytes.len())];
    let mut here = vec![0; there.len()];
    !there.is_empty() && snapshot.memory.read(mapping.start, &mut here).is_ok() && here == there
}

/// The address that a file gives to its first byte.
fn linked_at(file: &object::File<'_>) -> u64 {
    use object::ObjectSegment as _;
    let first = file.segments().find(|segment| segment.file_range().0 == 0);
    first.map_or(0, |segment| segment.address())
}

fn is_code(snapshot: &ProcessSnapshot, address: u64) -> bool {
    snapshot.mapping_at(address).is_some_and(|mapping| mapping.execute && !mapping.name.is_empty())
}

/// Addresses of code that instructions compute or have in them. Every byte may be the first of an instruction:
/// rather one that is none than one too few.
fn collect_named_code(
    snapshot: &ProcessSnapshot,
    mapping: &MemoryMapping,
    entry: u64,
    found: &mut BTreeSet<u64>,
) -> Result<(), String> {
    let mut bytes = vec![0; usize::try_from(mapping.length()).unwrap_or(0)];
    snapshot.memory.read(mapping.start, &mut bytes).map_err(|absent| absent.to_string())?;
    // For what begins near the end.
    bytes.extend([0; 8]);
    let low = mapping.start >> 32 == 0;
    for (address, window) in (mapping.start..).zip(bytes.windows(8)) {
        if address.wrapping_sub(entry) < ENTRY {
            continue;
        }
        let number = |from: usize| {
            u32::from_le_bytes([window[from], window[from + 1], window[from + 2], window[from + 3]])
        };
        if window[..2] == [0x0f, 0x05] {
            return Err(OWN_CALLS.to_owned());
        }
        // lea r64, [rip + n]
        if window[0] & 0xf8 == 0x48 && window[1] == 0x8d && window[2] & 0xc7 == 5 {
            let offset = i64::from(number(3).cast_signed());
            let target = address.wrapping_add(7).wrapping_add_signed(offset);
            found.extend(Some(target).filter(|target| is_code(snapshot, *target)));
        }
        let wide = u64::from_le_bytes(*window.first_chunk().expect("eight bytes"));
        let narrow = u64::from(number(0));
        found.extend(Some(wide).filter(|target| is_code(snapshot, *target)));
        found.extend(Some(narrow).filter(|target| low && is_code(snapshot, *target)));
    }
    Ok(())
}

/// Whether an address lies in a section of instructions.
fn is_in_code_section(file: &object::File<'_>, address: u64, base: u64) -> bool {
    file.sections().any(|section| {
        let start = base.wrapping_add(section.address());
        let executed = matches!(section.flags(), SectionFlags::Elf { sh_flags } if sh_flags & SHF_EXECINSTR != 0);
        executed && address.wrapping_sub(start) < section.size()
    })
}

/// Addresses of code in the data of a file, as they are in memory.
fn collect_stored_code(
    snapshot: &ProcessSnapshot,
    symbols: &SnapshotSymbols<'_>,
    file: &object::File<'_>,
    base: u64,
    found: &mut BTreeSet<u64>,
) -> Result<(), String> {
    let uses = |wanted: &[&str]| {
        file.dynamic_symbols().any(|symbol| symbol.name().is_ok_and(|name| wanted.contains(&name)))
    };
    if uses(&["dlsym", "dlvsym", "__libc_dlsym"]) {
        return Err("the program looks up functions by name (dlsym)".to_owned());
    }
    // What the kernel saves, and what a handler has on its stack, is then in memory that may be anybody's.
    if uses(&["sigaltstack", "sigstack"]) {
        return Err(
            "they may use an alternate stack, which cannot be inspected (sigaltstack)".to_owned()
        );
    }
    if uses(&["syscall"]) {
        return Err(OWN_CALLS.to_owned());
    }
    if file.sections().next().is_none() {
        return Err("the program has no section table".to_owned());
    }
    // Calls of other files' functions go through these words.
    let calls: BTreeSet<u64> = file
        .dynamic_relocations()
        .into_iter()
        .flatten()
        .filter(|(_, relocation)| relocation.flags() == RelocationFlags::Elf { r_type: JUMP_SLOT })
        .map(|(address, _)| base.wrapping_add(address))
        .collect();
    for section in file.sections() {
        let SectionFlags::Elf { sh_flags } = section.flags() else { continue };
        let name = section.name().unwrap_or_default();
        if sh_flags & (SHF_ALLOC | SHF_EXECINSTR) != SHF_ALLOC
            || LINKING.iter().any(|linking| name.starts_with(linking))
        {
            continue;
        }
        let start = base.wrapping_add(section.address());
        for at in (start.next_multiple_of(8)..start.saturating_add(section.size())).step_by(8) {
            let Ok(word) = snapshot.memory.word(at) else { continue };
            if is_code(snapshot, word) && !calls.contains(&at) && !begins_or_ends(symbols, word) {
                found.insert(word);
            }
        }
    }
    Ok(())
}

/// What every program has: the functions of the C library that call `main` and that end it.
fn begins_or_ends(symbols: &SnapshotSymbols<'_>, address: u64) -> bool {
    let place = symbols.place_of_address(address);
    place.function.is_some_and(|(name, offset)| {
        offset == 0 && (name.starts_with("__libc_start_main") || name == "__cxa_finalize")
    })
}
