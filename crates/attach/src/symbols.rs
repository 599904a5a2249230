//! Addresses as people know them: modules, functions, source lines.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::rc::Rc;

use object::{Object as _, ObjectSegment as _, ObjectSymbol as _};
use ouro_process::{MemoryMapping, ProcessSnapshot};

use crate::answer::CodePlace;
use crate::unwind::UnwindTable;
use crate::variables::DebugInformation;

/// What is known about a mapped file.
pub(crate) struct MappedModule {
    /// File offset, address in the file, length: of each segment.
    segments: Vec<(u64, u64, u64)>,
    loader: Option<addr2line::Loader>,
    pub(crate) frames: Option<UnwindTable>,
    /// Functions of the file: address, size, name.
    functions: Vec<(u64, u64, String)>,
    /// Objects by name: address in the file.
    objects: HashMap<String, u64>,
    /// Objects by address: how long they are, and their name.
    named: BTreeMap<u64, (u64, String)>,
    /// Segments that may be written: address in the file, and length in memory.
    written: Vec<(u64, u64)>,
    /// Debug information, if there is any.
    pub(crate) debug: Option<DebugInformation>,
    /// It is the loader of other modules.
    loads: bool,
}

impl MappedModule {
    fn read(path: &str) -> Option<MappedModule> {
        let bytes = fs::read(path).ok()?;
        let parsed = object::File::parse(&*bytes).ok()?;
        let segments = parsed
            .segments()
            .map(|segment| (segment.file_range().0, segment.address(), segment.file_range().1))
            .collect();
        let may_write =
            |flags| matches!(flags, object::SegmentFlags::Elf { p_flags } if p_flags & 2 != 0);
        let written = parsed
            .segments()
            .filter(|segment| may_write(segment.flags()))
            .map(|segment| (segment.address(), segment.size()))
            .collect();
        let mut functions = Vec::new();
        let mut objects = HashMap::new();
        let mut named = BTreeMap::new();
        for symbol in parsed.symbols().chain(parsed.dynamic_symbols()) {
            let Ok(name) = symbol.name() else { continue };
            match symbol.kind() {
                object::SymbolKind::Text if symbol.address() != 0 => {
                    functions.push((symbol.address(), symbol.size(), name.to_owned()));
                }
                object::SymbolKind::Data if symbol.address() != 0 => {
                    objects.insert(name.to_owned(), symbol.address());
                    named.insert(symbol.address(), (symbol.size(), name.to_owned()));
                }
                _ => {}
            }
        }
        functions.sort();
        Some(MappedModule {
            segments,
            loader: addr2line::Loader::new(path).ok(),
            frames: UnwindTable::read(&parsed),
            functions,
            objects,
            named,
            written,
            debug: DebugInformation::read(&parsed),
            loads: is_loader(path),
        })
    }

    /// The address that the file gives to a byte at an offset.
    fn file_address(&self, offset: u64) -> Option<u64> {
        let (start, address, _) = self
            .segments
            .iter()
            .find(|(start, _, length)| offset.wrapping_sub(*start) < *length)?;
        Some(address + (offset - start))
    }

    fn function_at(&self, address: u64) -> Option<(String, u64)> {
        let at = self.functions.partition_point(|(start, ..)| *start <= address);
        let (start, size, name) = self.functions[..at]
            .iter()
            .rev()
            .take(4)
            .find(|(start, size, _)| address - start < (*size).max(1))?;
        let _ = size;
        Some((name.clone(), address - start))
    }
}

/// Parts of the names of objects by which the C library's allocator can be seen or changed.
const ALLOCATOR: [&str; 7] = ["malloc", "mall", "arena", "morecore", "curbrk", "_hook", "mp_"];

fn is_loader(path: &str) -> bool {
    path.rsplit('/').next().is_some_and(|name| name.starts_with("ld-"))
}

/// Whether a file is glibc: others have an allocator that works in another way.
fn is_library(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.starts_with("libc.so.6") || name.starts_with("libc-2.")
}

/// Symbols of a snapshot, read when asked for.
pub(crate) struct SnapshotSymbols<'a> {
    snapshot: &'a ProcessSnapshot,
    modules: RefCell<HashMap<String, Option<Rc<MappedModule>>>>,
}

impl<'a> SnapshotSymbols<'a> {
    pub(crate) fn new(snapshot: &'a ProcessSnapshot) -> SnapshotSymbols<'a> {
        SnapshotSymbols { snapshot, modules: RefCell::default() }
    }

    /// The module of an address, and the address in its file.
    pub(crate) fn module_at(&self, address: u64) -> Option<(Rc<MappedModule>, u64)> {
        let mapping = self.snapshot.mapping_at(address)?;
        let module = self.module_of_mapping(mapping)?;
        let inside = module.file_address(address - mapping.start + mapping.offset)?;
        Some((module, inside))
    }

    fn module_of_mapping(&self, mapping: &MemoryMapping) -> Option<Rc<MappedModule>> {
        let path = mapping.file()?;
        let mut modules = self.modules.borrow_mut();
        let known = modules.entry(path.to_owned()).or_insert_with(|| {
            // A live process keeps its program even when the file was replaced.
            let own = self.snapshot.executable.to_str() == Some(path);
            let proc = format!("/proc/{}/exe", self.snapshot.pid);
            let live = self.snapshot.source == ouro_process::SnapshotSource::Live;
            let first = if own && live { MappedModule::read(&proc) } else { None };
            let named = self.snapshot.executable.to_string_lossy().into_owned();
            first
                .or_else(|| MappedModule::read(path))
                .or_else(|| {
                    path.ends_with(named.rsplit('/').next()?).then(|| MappedModule::read(&named))?
                })
                .map(Rc::new)
        });
        known.clone()
    }

    /// An address as people know it.
    pub(crate) fn place_of_address(&self, address: u64) -> CodePlace {
        let module = self.snapshot.mapping_at(address).filter(|m| !m.name.is_empty());
        let mut place = CodePlace {
            address,
            module: module.map(|m| m.name.clone()),
            function: None,
            line: None,
        };
        if let Some((module, inside)) = self.module_at(address) {
            place.function = module.function_at(inside);
            if let Some(Ok(Some(location))) =
                module.loader.as_ref().map(|l| l.find_location(inside))
                && let (Some(file), Some(line)) = (location.file, location.line)
            {
                place.line = Some((file.to_owned(), line));
            }
        }
        place
    }

    /// The global object that an address lies in, by its name.
    pub(crate) fn object_at(&self, address: u64) -> Option<String> {
        let mapping = self.snapshot.mapping_at(address)?;
        // Objects that begin as zeros lie behind what the file has.
        let named = |mapping: &MemoryMapping, inside: u64, module: &MappedModule| {
            let (start, (size, name)) = module.named.range(..=inside).next_back()?;
            let offset = inside - start;
            (mapping.write && offset < *size).then(|| match offset {
                0 => name.clone(),
                _ => format!("{name}+{offset:#x}"),
            })
        };
        let module = self.module_of_mapping(mapping)?;
        let first = self.snapshot.mappings.iter().find(|m| m.name == mapping.name)?;
        let base = module.segments.iter().find(|(offset, ..)| *offset == 0)?.1;
        named(mapping, address - first.start + base, &module)
    }

    /// Where an object of the C library or its loader is, by its name.
    pub(crate) fn library_object(&self, name: &str) -> Option<u64> {
        self.find_in_library(|module| module.objects.get(name).copied())
    }

    /// Where an object of the program or of any library is, by its name.
    pub(crate) fn find_object_anywhere(&self, name: &str) -> Option<u64> {
        self.find_in_modules(|_| true, |module| module.objects.get(name).copied())
    }

    /// Where a function of the C library is, by its name.
    pub(crate) fn library_function(&self, name: &str) -> Option<u64> {
        self.find_in_library(|module| {
            let named = module.functions.iter().find(|(_, _, function)| function == name);
            // The loader has an allocator of its own, for itself.
            named.filter(|_| !module.loads).map(|(address, ..)| *address)
        })
    }

    fn find_in_library(&self, find: impl Fn(&MappedModule) -> Option<u64>) -> Option<u64> {
        self.find_in_modules(|name| is_loader(name) || is_library(name), find)
    }

    /// The variables of the C library that it may write, as stretches; those left out that it shows to
    /// programs by their names and that are not its allocator's.
    pub(crate) fn library_state(&self) -> Vec<(u64, u64)> {
        let own = |m: &&MemoryMapping| m.offset == 0 && m.file().is_some_and(is_library);
        let Some(first) = self.snapshot.mappings.iter().find(own) else { return Vec::new() };
        let Some(module) = self.module_of_mapping(first) else { return Vec::new() };
        let Some((_, base, _)) = module.segments.iter().find(|(offset, ..)| *offset == 0) else {
            return Vec::new();
        };
        let start = |inside: u64| first.start + (inside - base);
        let mut state = Vec::new();
        for (inside, length) in &module.written {
            let (from, end) = (start(*inside), start(*inside) + length);
            // Its beginning was made read-only when all had been linked.
            let open = |m: &&MemoryMapping| m.write && m.start < end && from < m.end;
            let Some(open) = self.snapshot.mappings.iter().find(open) else { continue };
            let mut at = from.max(open.start);
            for (object, (size, name)) in module.named.range(inside..) {
                let (from, to) = (start(*object), start(*object).saturating_add(*size));
                if from < at || to > end || ALLOCATOR.iter().any(|part| name.contains(part)) {
                    continue;
                }
                state.push((at, from));
                at = to;
            }
            state.push((at, end));
        }
        // A program that uses the variable by its name has a copy of it, which is the one that is used.
        state.extend(self.find_all_objects("__curbrk").into_iter().map(|at| (at, at + 8)));
        state.retain(|(from, to)| from < to);
        state
    }

    /// Where objects of this name are, in all modules.
    fn find_all_objects(&self, name: &str) -> Vec<u64> {
        let first = |m: &&MemoryMapping| m.offset == 0 && m.file().is_some();
        let found = self.snapshot.mappings.iter().filter(first).filter_map(|mapping| {
            let module = self.module_of_mapping(mapping)?;
            let base = module.segments.iter().find(|(offset, ..)| *offset == 0)?.1;
            Some(mapping.start + (*module.objects.get(name)? - base))
        });
        found.collect()
    }

    /// The first address that some module of this name has for something.
    fn find_in_modules(
        &self,
        named: impl Fn(&str) -> bool,
        find: impl Fn(&MappedModule) -> Option<u64>,
    ) -> Option<u64> {
        let first = |m: &&MemoryMapping| m.offset == 0 && m.file().is_some() && named(&m.name);
        for mapping in self.snapshot.mappings.iter().filter(first) {
            if let Some(module) = self.module_of_mapping(mapping)
                && let Some(inside) = find(&module)
            {
                let base = module.segments.iter().find(|(offset, ..)| *offset == 0)?.1;
                return Some(mapping.start + (inside - base));
            }
        }
        None
    }

    /// Where the kernel writes the number of the CPU of a thread (`rseq`), as glibc places it.
    pub(crate) fn rseq_address(&self, fs_base: u64) -> Option<u64> {
        let at = self.library_object("__rseq_offset")?;
        let offset = self.snapshot.memory.word(at).ok()?;
        Some(fs_base.wrapping_add(offset))
    }
}
