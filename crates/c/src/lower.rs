//! From modules of LLVM to one program: symbols, the worklist of functions, names and places.
//!
//! Only what a run can reach is translated: a function enters the program when something that is
//! already in it names it. A symbol means the user's definition if there is one, then the
//! library's, and otherwise an external function or object.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use ouro_model::ids::Id as _;
use ouro_model::{
    BlockId, Cell, FileId, Function, FunctionId, Global, GlobalId, IdVec, Program, Span, Target,
};

use crate::hooks::{self, Asked, Woven};
use crate::library::Library;
use crate::llvm::{BasicBlock, Context, Layout, Linkage, Module, Place, Value, ValueKind};
use crate::sources::Modules;
use crate::standard;
use crate::{Allocations, Error, Options};
use crate::{function, start, steps, watching};

/// What a symbol stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Symbol<'c> {
    /// A function with a body.
    Function(Value<'c>),
    /// A function without one.
    External(Value<'c>),
    /// A global variable, defined or not.
    Global(Value<'c>),
}

impl<'c> Symbol<'c> {
    /// LLVM's own.
    pub(crate) fn value(self) -> Value<'c> {
        let (Symbol::Function(value) | Symbol::External(value) | Symbol::Global(value)) = self;
        value
    }
}

/// String literals that a call passes for parameters (by position). A library function that names
/// the source of a choice by a parameter is translated once for each name.
pub(crate) type Literals = Vec<(u32, String)>;

/// Library functions that call these call the user's, as they do in a real C library.
const REPLACEABLE: [&str; 4] = ["malloc", "calloc", "realloc", "free"];

/// A function that has to be translated.
struct Pending<'c> {
    id: FunctionId,
    symbol: Symbol<'c>,
    literals: Literals,
    bare: bool,
}

/// The translation of one program.
pub(crate) struct Lowering<'c> {
    pub(crate) options: &'c Options,
    /// Whether allocations may fail.
    pub(crate) allocations: Allocations,
    /// Whether code asks how far inputs reach.
    pub(crate) reads_input: bool,
    pub(crate) layout: Layout<'c>,
    pub(crate) pointer_bits: u32,
    pub(crate) user: Module<'c>,
    /// Bodies of `inline` functions that clang leaves out at `-O0`, if any are needed.
    pub(crate) inlines: Option<Module<'c>>,
    library: Library<'c>,
    functions: Vec<Option<Function>>,
    function_ids: HashMap<(Value<'c>, Literals, bool), FunctionId>,
    pending: Vec<Pending<'c>>,
    /// What the specification has become, if there is one.
    pub(crate) woven: Woven,
    /// Whether the code of the specification is being translated, or what it calls. That is *bare*: no
    /// hook and no step runs in it.
    pub(crate) bare: bool,
    bare_functions: BTreeSet<FunctionId>,
    pub(crate) pending_globals: Vec<(GlobalId, Value<'c>)>,
    destructors: Option<FunctionId>,
    /// Where the blocks of each function went, for labels in initialisers.
    pub(crate) block_ids: HashMap<FunctionId, HashMap<BasicBlock<'c>, BlockId>>,
    pub(crate) label_cells: Vec<(GlobalId, usize, FunctionId, BasicBlock<'c>)>,
    pub(crate) globals: IdVec<GlobalId, Global>,
    pub(crate) global_ids: HashMap<Value<'c>, GlobalId>,
    /// Values of the library, to tell its functions from the user's.
    sources: Vec<(PathBuf, String)>,
    files: Vec<String>,
    file_ids: HashMap<(String, String), FileId>,
    assumptions: Vec<String>,
    /// Where volatile objects are read or written.
    pub(crate) volatile: BTreeSet<Span>,
    /// Those among them that are about code which is not here.
    pub(crate) elsewhere: Vec<String>,
    /// Whether functions without a body leave alone what they are handed, by the rules of SV-COMP.
    pub(crate) trusts_strangers: bool,
    /// Whether something was handed to one of them.
    pub(crate) hands_over: bool,
    /// Why the program as a whole cannot be run: an initial value that we cannot express.
    pub(crate) broken: Vec<String>,
}

impl<'c> Lowering<'c> {
    pub(crate) fn new(
        context: &'c Context,
        options: &'c Options,
        allocations: Allocations,
        modules: Modules<'c>,
        sources: &[PathBuf],
    ) -> Lowering<'c> {
        let Modules { user, inlines, .. } = modules;
        let layout = user.layout();
        let sources: Vec<(PathBuf, String)> = sources
            .iter()
            .map(|path| {
                let full = path.canonicalize().unwrap_or_else(|_| path.clone());
                (full, path.display().to_string())
            })
            .collect();
        Lowering {
            options,
            allocations,
            reads_input: false,
            layout,
            pointer_bits: layout.pointer_bits(),
            user,
            inlines,
            library: Library::new(context, options),
            functions: Vec::new(),
            function_ids: HashMap::new(),
            pending: Vec::new(),
            woven: Woven::default(),
            bare: false,
            bare_functions: BTreeSet::new(),
            pending_globals: Vec::new(),
            destructors: None,
            block_ids: HashMap::new(),
            label_cells: Vec::new(),
            globals: IdVec::new(),
            global_ids: HashMap::new(),
            files: sources.first().map(|source| source.1.clone()).into_iter().collect(),
            sources,
            file_ids: HashMap::new(),
            assumptions: Vec::new(),
            volatile: BTreeSet::new(),
            elsewhere: Vec::new(),
            trusts_strangers: false,
            hands_over: false,
            broken: Vec::new(),
        }
    }

    /// What a function, global or alias of any module stands for.
    pub(crate) fn resolve(&mut self, value: Value<'c>) -> Result<Symbol<'c>, String> {
        let mut value = value;
        for _ in 0..16 {
            match value.kind() {
                ValueKind::LLVMFunctionValueKind => {
                    if value.is_declaration() {
                        let name = value.name();
                        match self.definition(&name)? {
                            Some(found)
                                if self.is_library(found)
                                    && standard::is_another(&name, value.value_type()) =>
                            {
                                return Ok(Symbol::External(value));
                            }
                            Some(found) => value = found,
                            None => return Ok(Symbol::External(value)),
                        }
                    } else {
                        let name = value.name();
                        if REPLACEABLE.contains(&name.as_str())
                            && let Some(own) = self.user.function(&name)
                            && !own.is_declaration()
                        {
                            return Ok(Symbol::Function(own));
                        }
                        return Ok(Symbol::Function(value));
                    }
                }
                ValueKind::LLVMGlobalVariableValueKind => {
                    if value.is_declaration() {
                        match self.definition(&value.name())? {
                            Some(found) if found != value => value = found,
                            _ => return Ok(Symbol::Global(value)),
                        }
                    } else {
                        return Ok(Symbol::Global(value));
                    }
                }
                ValueKind::LLVMGlobalAliasValueKind => value = value.aliasee(),
                _ => return Err(format!("the symbol {}", value.name())),
            }
        }
        Err(format!("the symbol {}", value.name()))
    }

    /// The definition of a name, if any module has one.
    pub(crate) fn definition(&mut self, name: &str) -> Result<Option<Value<'c>>, String> {
        let in_module = |module: Module<'c>| {
            module
                .function(name)
                .or_else(|| module.global(name))
                .filter(|found| !found.is_declaration() && is_visible(*found))
                .or_else(|| module.alias(name))
        };
        if let Some(found) = in_module(self.user) {
            return Ok(Some(found));
        }
        if let Some(found) = self.inlines.and_then(in_module) {
            return Ok(Some(found));
        }
        Ok(self.library.module(name)?.and_then(in_module))
    }

    /// The function of this name in the library, if it has one.
    pub(crate) fn library_function(&mut self, name: &str) -> Result<Option<Value<'c>>, String> {
        let found = self.library.module(name)?.and_then(|module| module.function(name));
        Ok(found.filter(|found| !found.is_declaration()))
    }

    /// Whether a function of the library is part of the program.
    pub(crate) fn uses_library_function(&self, names: &[&str]) -> bool {
        names.iter().any(|name| {
            self.library
                .loaded()
                .and_then(|module| module.function(name))
                .is_some_and(|function| self.function_ids.keys().any(|key| key.0 == function))
        })
    }

    /// The id of a function; asks for its translation the first time.
    pub(crate) fn function_id(&mut self, symbol: Symbol<'c>) -> FunctionId {
        // An address is the same wherever it is taken.
        let bare = hooks::is_own(symbol.value());
        self.id_of(symbol, Literals::new(), bare)
    }

    /// The id of a function that is called here, with these literals.
    pub(crate) fn special_function_id(
        &mut self,
        symbol: Symbol<'c>,
        literals: Literals,
    ) -> FunctionId {
        let bare = self.bare || hooks::is_own(symbol.value());
        self.id_of(symbol, literals, bare)
    }

    fn id_of(&mut self, symbol: Symbol<'c>, literals: Literals, bare: bool) -> FunctionId {
        let key = (symbol.value(), literals, bare);
        if let Some(id) = self.function_ids.get(&key) {
            return *id;
        }
        let id = self.new_function();
        self.pending.push(Pending { id, symbol, literals: key.1.clone(), bare });
        if bare {
            self.bare_functions.insert(id);
        }
        self.function_ids.insert(key, id);
        id
    }

    /// Reserves a function that the front end itself makes.
    pub(crate) fn new_function(&mut self) -> FunctionId {
        self.functions.push(None);
        FunctionId::at(self.functions.len() - 1)
    }

    pub(crate) fn set_function(&mut self, id: FunctionId, function: Function) {
        self.functions[id.index()] = Some(function);
    }

    /// The function that runs what must run when the program exits.
    pub(crate) fn destructors(&mut self) -> FunctionId {
        if let Some(id) = self.destructors {
            return id;
        }
        let id = self.new_function();
        self.destructors = Some(id);
        let function = start::destructors(self);
        self.set_function(id, function);
        id
    }

    /// Translates everything asked for until nothing is left.
    pub(crate) fn drain(&mut self) {
        loop {
            if let Some((id, value)) = self.pending_globals.pop() {
                self.initialize(id, value);
            } else if let Some(Pending { id, symbol, literals, bare }) = self.pending.pop() {
                self.bare = bare;
                let mut function = match symbol {
                    Symbol::Function(value) => function::lower(self, id, value, literals),
                    Symbol::External(value) | Symbol::Global(value) => function::stub(self, value),
                };
                self.bare = false;
                if bare {
                    function.user = false;
                    function.specification = true;
                } else {
                    self.weave_hooks(&mut function, symbol.value());
                }
                self.set_function(id, function);
            } else {
                return;
            }
        }
    }

    /// Whether a value is of the library rather than of the user.
    pub(crate) fn is_library(&self, value: Value<'c>) -> bool {
        self.library.loaded().is_some_and(|library| value.is_in(library))
    }

    /// Notes something that the report must mention, once.
    pub(crate) fn assume(&mut self, text: String) {
        if !self.assumptions.contains(&text) {
            self.assumptions.push(text);
        }
    }

    /// The same, where it is about a function whose code is not here.
    pub(crate) fn assume_elsewhere(&mut self, text: String) {
        if !self.elsewhere.contains(&text) {
            self.elsewhere.push(text.clone());
        }
        self.assume(text);
    }

    /// A place in the source, in the user's words for the file.
    pub(crate) fn span(&mut self, place: Option<Place>, library: bool) -> Span {
        let Some(place) = place else { return Span::NONE };
        let file = self.file(place.directory, place.file, library);
        Span { file, line: place.line, column: place.column }
    }

    fn file(&mut self, directory: String, file: String, library: bool) -> FileId {
        let key = (directory, file);
        if let Some(id) = self.file_ids.get(&key) {
            return *id;
        }
        let path = Path::new(&key.0).join(&key.1);
        let name = if library {
            let name = path.file_name().unwrap_or(path.as_os_str());
            format!("<library>/{}", Path::new(name).display())
        } else {
            let full = path.canonicalize().unwrap_or(path);
            let given = self.sources.iter().find(|source| source.0 == full);
            given.map_or_else(|| key.1.clone(), |source| source.1.clone())
        };
        let id = self.file_named(&name);
        self.file_ids.insert(key, id);
        id
    }

    /// The file of this name.
    pub(crate) fn file_named(&mut self, name: &str) -> FileId {
        let index = self.files.iter().position(|known| known == name).unwrap_or_else(|| {
            self.files.push(name.to_owned());
            self.files.len() - 1
        });
        FileId(u32::try_from(index).unwrap_or(0))
    }

    /// A function other than `main` may be called at any time: then a variable outside of functions holds
    /// whatever its type can. Constants are what they are. What the C library has of its own is in `anytime`.
    fn free_globals(&mut self) {
        let Some(function) = self.options.function.as_deref().filter(|name| *name != "main") else {
            return;
        };
        let mut any = false;
        for global in self.globals.iter_mut().filter(|global| !global.constant && global.user) {
            any = true;
            global.zeroed = false;
            global.cells.clear();
        }
        if any {
            self.assume(format!(
                "{function} is called at any time: what is outside of functions and not constant holds \
                 any value"
            ));
        }
    }

    /// The finished program.
    pub(crate) fn finish(mut self, entry: FunctionId) -> Result<Program, Error> {
        if let Some(failure) = self.library.failure.take() {
            return Err(failure);
        }
        for (global, cell, function, block) in std::mem::take(&mut self.label_cells) {
            let target = self.block_ids.get(&function).and_then(|blocks| blocks.get(&block));
            let Some(target) = target else {
                return Err(Error::Internal("a label was not translated".to_owned()));
            };
            self.globals[global].cells[cell].1 = Cell::Label(function, *target);
        }
        self.free_globals();
        let Asked { question, events, obligations, fairness } = self.finish_monitor()?;
        let functions: Option<IdVec<FunctionId, Function>> = self.functions.into_iter().collect();
        let functions =
            functions.ok_or_else(|| Error::Internal("a function was not translated".to_owned()))?;
        let mut program = Program {
            target: Target { pointer_bits: self.pointer_bits },
            files: self.files,
            globals: self.globals,
            functions,
            entry,
            assumptions: self.assumptions,
            volatile: self.volatile,
            question,
            events,
            obligations,
            fairness,
        };
        let step = self.options.monitor.as_ref().and_then(|monitor| monitor.step.as_ref());
        let own = &mut self.bare_functions;
        if let (Some(mut id), Some(step)) = (self.woven.step, step) {
            if let Some(flag) = self.woven.in_main {
                id = watching::step_in_main(&mut program, own, flag, id);
            }
            steps::weave(&mut program, id, step.steps, own);
        }
        if let Some(mut end) = self.woven.end {
            if let Some(flag) = self.woven.in_main {
                end = watching::end_in_main(&mut program, own, flag, end);
            }
            hooks::weave_end(&mut program, end);
        }
        Ok(program)
    }
}

/// Whether other modules can mean this definition by its name.
fn is_visible(value: Value<'_>) -> bool {
    !matches!(value.linkage(), Linkage::LLVMInternalLinkage | Linkage::LLVMPrivateLinkage)
}

/// The name that the user gave: without what clang and the linker append.
pub(crate) fn plain_name(value: Value<'_>) -> String {
    if let Some(name) = value.source_name() {
        return name;
    }
    let name = value.name();
    match name.split_once('.') {
        Some((plain, _)) if !plain.is_empty() => plain.to_owned(),
        _ => name,
    }
}
