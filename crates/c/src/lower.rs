//! From modules of LLVM to one program: symbols, the worklist of functions, names and places.
//!
//! Only what a run can reach is translated: a function enters the program when something that is
//! already in it names it; of a single file of a project (`CompileOptions::unit`), every function is
//! in it from the start. A symbol means the user's definition if there is one, then the
//! library's, and otherwise an external function or object.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use ouro_model::ids::TypedId as _;
use ouro_model::{
    BlockId, FileId, Function, FunctionId, GlobalId, GlobalObject, IdVec, InitializerCell, Program,
    Span, TargetLayout, Type,
};

use crate::exposure::Exposure;
use crate::hooks::{self, MonitoredQuestion, WovenMonitor};
use crate::library::CLibrary;
use crate::llvm::{
    BasicBlock, DebugPlace, Linkage, LlvmContext, LlvmLayout, LlvmModule, LlvmValue, ValueKind,
};
use crate::lost::LostLoop;
use crate::sources::LinkedModules;
use crate::standard;
use crate::{Allocations, CompileError, CompileOptions, DoubtedCall};
use crate::{function, magnitudes, start, steps, watching};

/// What a symbol stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum ResolvedSymbol<'c> {
    /// A function with a body.
    Function(LlvmValue<'c>),
    /// A function without one.
    External(LlvmValue<'c>),
    /// A global variable, defined or not.
    Global(LlvmValue<'c>),
}

impl<'c> ResolvedSymbol<'c> {
    /// LLVM's own.
    pub(crate) fn value(self) -> LlvmValue<'c> {
        let (ResolvedSymbol::Function(value)
        | ResolvedSymbol::External(value)
        | ResolvedSymbol::Global(value)) = self;
        value
    }
}

/// String literals that a call passes for parameters (by position). A library function that names
/// the source of a choice by a parameter is translated once for each name.
pub(crate) type LiteralArguments = Vec<(u32, String)>;

/// Library functions that call these call the user's, as they do in a real C library.
pub(crate) const REPLACEABLE: [&str; 4] = ["malloc", "calloc", "realloc", "free"];

/// A function that has to be translated.
struct PendingFunction<'c> {
    id: FunctionId,
    symbol: ResolvedSymbol<'c>,
    literals: LiteralArguments,
    bare: bool,
}

/// The translation of one program.
pub(crate) struct LlvmLowering<'c> {
    pub(crate) options: &'c CompileOptions,
    /// Whether allocations may fail.
    pub(crate) allocations: Allocations,
    /// Whether code asks how far inputs reach.
    pub(crate) reads_input: bool,
    pub(crate) layout: LlvmLayout<'c>,
    pub(crate) pointer_bits: u32,
    pub(crate) user: LlvmModule<'c>,
    /// Bodies of `inline` functions that clang leaves out at `-O0`, if any are needed.
    pub(crate) inlines: Option<LlvmModule<'c>>,
    library: CLibrary<'c>,
    functions: Vec<Option<Function>>,
    function_ids: HashMap<(LlvmValue<'c>, LiteralArguments, bool), FunctionId>,
    pending: Vec<PendingFunction<'c>>,
    /// What the specification has become, if there is one.
    pub(crate) woven: WovenMonitor,
    /// Whether the code of the specification is being translated, or what it calls. That is *bare*: no
    /// hook and no step runs in it.
    pub(crate) bare: bool,
    bare_functions: BTreeSet<FunctionId>,
    pub(crate) pending_globals: Vec<(GlobalId, LlvmValue<'c>)>,
    destructors: Option<FunctionId>,
    /// Where the blocks of each function went, for labels in initialisers.
    pub(crate) block_ids: HashMap<FunctionId, HashMap<BasicBlock<'c>, BlockId>>,
    pub(crate) label_cells: Vec<(GlobalId, usize, FunctionId, BasicBlock<'c>)>,
    pub(crate) globals: IdVec<GlobalId, GlobalObject>,
    pub(crate) global_ids: HashMap<LlvmValue<'c>, GlobalId>,
    /// Values of the library, to tell its functions from the user's.
    sources: Vec<(PathBuf, String)>,
    files: Vec<String>,
    file_ids: HashMap<(String, String), FileId>,
    assumptions: Vec<String>,
    /// Where volatile objects are read or written.
    pub(crate) volatile: BTreeSet<Span>,
    /// Loops of the user's that are not in the program; looked for in a unit.
    pub(crate) lost_loops: Vec<LostLoop>,
    /// Those among them that are about code which is not here.
    pub(crate) elsewhere: Vec<String>,
    /// Whether functions without a body leave alone what they are handed, by the rules of SV-COMP.
    pub(crate) trusts_strangers: bool,
    /// What they can reach, once somebody has asked.
    pub(crate) exposure: Option<Rc<Exposure<'c>>>,
    /// Whether something was handed to one of them.
    pub(crate) hands_over: bool,
    /// Calls of them that may change memory.
    pub(crate) doubted: Vec<DoubtedCall>,
    /// Why the program as a whole cannot be run: an initial value that we cannot express.
    pub(crate) broken: Vec<String>,
}

impl<'c> LlvmLowering<'c> {
    pub(crate) fn new(
        context: &'c LlvmContext,
        options: &'c CompileOptions,
        allocations: Allocations,
        modules: LinkedModules<'c>,
        sources: &[PathBuf],
    ) -> LlvmLowering<'c> {
        let LinkedModules { user, inlines, .. } = modules;
        let layout = user.data_layout();
        let sources: Vec<(PathBuf, String)> = sources
            .iter()
            .map(|path| {
                let full = path.canonicalize().unwrap_or_else(|_| path.clone());
                (full, path.display().to_string())
            })
            .collect();
        LlvmLowering {
            options,
            allocations,
            reads_input: false,
            layout,
            pointer_bits: layout.pointer_bits(),
            user,
            inlines,
            library: CLibrary::new(context, options),
            functions: Vec::new(),
            function_ids: HashMap::new(),
            pending: Vec::new(),
            woven: WovenMonitor::default(),
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
            lost_loops: Vec::new(),
            elsewhere: Vec::new(),
            trusts_strangers: false,
            exposure: None,
            hands_over: false,
            doubted: Vec::new(),
            broken: Vec::new(),
        }
    }

    /// What a function, global or alias of any module stands for.
    pub(crate) fn resolve(&mut self, value: LlvmValue<'c>) -> Result<ResolvedSymbol<'c>, String> {
        let mut value = value;
        for _ in 0..16 {
            match value.kind() {
                ValueKind::LLVMFunctionValueKind => {
                    if value.is_declaration() {
                        let name = value.name();
                        match self.find_definition(&name)? {
                            Some(found)
                                if self.is_library_value(found)
                                    && standard::is_unrelated_declaration(
                                        &name,
                                        value.value_type(),
                                    ) =>
                            {
                                return Ok(ResolvedSymbol::External(value));
                            }
                            Some(found) => value = found,
                            None => return Ok(ResolvedSymbol::External(value)),
                        }
                    } else {
                        let name = value.name();
                        if REPLACEABLE.contains(&name.as_str())
                            && let Some(own) = self.user.find_function(&name)
                            && !own.is_declaration()
                        {
                            return Ok(ResolvedSymbol::Function(own));
                        }
                        return Ok(ResolvedSymbol::Function(value));
                    }
                }
                ValueKind::LLVMGlobalVariableValueKind => {
                    if value.is_declaration() {
                        match self.find_definition(&value.name())? {
                            Some(found) if found != value => value = found,
                            _ => return Ok(ResolvedSymbol::Global(value)),
                        }
                    } else {
                        return Ok(ResolvedSymbol::Global(value));
                    }
                }
                ValueKind::LLVMGlobalAliasValueKind => value = value.aliasee(),
                _ => return Err(format!("the symbol {}", value.name())),
            }
        }
        Err(format!("the symbol {}", value.name()))
    }

    /// The definition of a name, if any module has one.
    pub(crate) fn find_definition(&mut self, name: &str) -> Result<Option<LlvmValue<'c>>, String> {
        let in_module = |module: LlvmModule<'c>| {
            module
                .find_function(name)
                .or_else(|| module.find_global(name))
                .filter(|found| !found.is_declaration() && is_visible(*found))
                .or_else(|| module.find_alias(name))
        };
        if let Some(found) = in_module(self.user) {
            return Ok(Some(found));
        }
        if let Some(found) = self.inlines.and_then(in_module) {
            return Ok(Some(found));
        }
        Ok(self.library.module_mentioning(name)?.and_then(in_module))
    }

    /// The function of this name in the library, if it has one.
    pub(crate) fn library_function(&mut self, name: &str) -> Result<Option<LlvmValue<'c>>, String> {
        let found =
            self.library.module_mentioning(name)?.and_then(|module| module.find_function(name));
        Ok(found.filter(|found| !found.is_declaration()))
    }

    /// Whether a function of the library is part of the program.
    pub(crate) fn uses_library_function(&self, names: &[&str]) -> bool {
        names.iter().any(|name| {
            self.library
                .loaded_module()
                .and_then(|module| module.find_function(name))
                .is_some_and(|function| self.function_ids.keys().any(|key| key.0 == function))
        })
    }

    /// The id of a function; asks for its translation the first time.
    pub(crate) fn function_id(&mut self, symbol: ResolvedSymbol<'c>) -> FunctionId {
        // An address is the same wherever it is taken.
        let bare = hooks::is_owned_by_monitor(symbol.value());
        let literals = magnitudes::literals_of_address(self, symbol.value());
        self.intern_function_id(symbol, literals, bare)
    }

    /// The id of a function that is called here, with these literals.
    pub(crate) fn special_function_id(
        &mut self,
        symbol: ResolvedSymbol<'c>,
        literals: LiteralArguments,
    ) -> FunctionId {
        let bare = self.bare || hooks::is_owned_by_monitor(symbol.value());
        self.intern_function_id(symbol, literals, bare)
    }

    fn intern_function_id(
        &mut self,
        symbol: ResolvedSymbol<'c>,
        literals: LiteralArguments,
        bare: bool,
    ) -> FunctionId {
        let key = (symbol.value(), literals, bare);
        if let Some(id) = self.function_ids.get(&key) {
            return *id;
        }
        let id = self.reserve_function();
        self.pending.push(PendingFunction { id, symbol, literals: key.1.clone(), bare });
        if bare {
            self.bare_functions.insert(id);
        }
        self.function_ids.insert(key, id);
        id
    }

    /// Reserves a function that the front end itself makes.
    pub(crate) fn reserve_function(&mut self) -> FunctionId {
        self.functions.push(None);
        FunctionId::from_index(self.functions.len() - 1)
    }

    pub(crate) fn set_function(&mut self, id: FunctionId, function: Function) {
        self.functions[id.index()] = Some(function);
    }

    /// The function that runs what must run when the program exits.
    pub(crate) fn destructors_function_id(&mut self) -> FunctionId {
        if let Some(id) = self.destructors {
            return id;
        }
        let id = self.reserve_function();
        self.destructors = Some(id);
        let function = start::make_destructors_function(self);
        self.set_function(id, function);
        id
    }

    /// Translates everything asked for until nothing is left.
    pub(crate) fn translate_pending(&mut self) {
        loop {
            if let Some((id, value)) = self.pending_globals.pop() {
                self.initialize_global(id, value);
            } else if let Some(PendingFunction { id, symbol, literals, bare }) = self.pending.pop()
            {
                self.bare = bare;
                let mut function = match symbol {
                    ResolvedSymbol::Function(value) => match self.calls_replaced_function(value) {
                        Some(why) => function::make_limit_function(self, value, why),
                        None => function::translate_function(self, id, value, literals),
                    },
                    ResolvedSymbol::External(value) | ResolvedSymbol::Global(value) => {
                        function::make_external_stub(self, value)
                    }
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

    /// Whether code of the program so far has floats.
    pub(crate) fn has_floats(&self) -> bool {
        let vars = self.functions.iter().flatten().flat_map(|function| function.vars.iter());
        vars.into_iter().any(|var| matches!(var.ty, Type::Float(_)))
    }

    /// Whether a value is of the library rather than of the user.
    pub(crate) fn is_library_value(&self, value: LlvmValue<'c>) -> bool {
        self.library.loaded_module().is_some_and(|library| value.is_in_module(library))
    }

    /// Notes something that the report must mention, once.
    pub(crate) fn note_assumption(&mut self, text: String) {
        if !self.assumptions.contains(&text) {
            self.assumptions.push(text);
        }
    }

    /// The same, where it is about a function whose code is not here.
    pub(crate) fn note_external_assumption(&mut self, text: String) {
        if !self.elsewhere.contains(&text) {
            self.elsewhere.push(text.clone());
        }
        self.note_assumption(text);
    }

    /// A place in the source, in the user's words for the file.
    pub(crate) fn source_span(&mut self, place: Option<DebugPlace>, library: bool) -> Span {
        let Some(place) = place else { return Span::NONE };
        let file = self.file_id(place.directory, place.file, library);
        Span { file, line: place.line, column: place.column }
    }

    fn file_id(&mut self, directory: String, file: String, library: bool) -> FileId {
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
        let id = self.file_id_of_name(&name);
        self.file_ids.insert(key, id);
        id
    }

    /// The file of this name.
    pub(crate) fn file_id_of_name(&mut self, name: &str) -> FileId {
        let index = self.files.iter().position(|known| known == name).unwrap_or_else(|| {
            self.files.push(name.to_owned());
            self.files.len() - 1
        });
        FileId(u32::try_from(index).unwrap_or(0))
    }

    /// A function other than `main` may be called at any time: then a variable outside of functions holds
    /// whatever its type can. Constants are what they are. What the C library has of its own is in `anytime`.
    fn havoc_globals(&mut self) {
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
            self.note_assumption(format!(
                "{function} may be called at any time: global variables that are not constant \
                 hold any value"
            ));
        }
    }

    /// The finished program.
    pub(crate) fn finish_program(mut self, entry: FunctionId) -> Result<Program, CompileError> {
        if let Some(failure) = self.library.failure.take() {
            return Err(failure);
        }
        for (global, cell, function, block) in std::mem::take(&mut self.label_cells) {
            let target = self.block_ids.get(&function).and_then(|blocks| blocks.get(&block));
            let Some(target) = target else {
                return Err(CompileError::Internal("a label was not translated".to_owned()));
            };
            self.globals[global].cells[cell].1 = InitializerCell::Label(function, *target);
        }
        self.havoc_globals();
        let MonitoredQuestion { question, events, obligations, fairness } =
            self.finish_monitor()?;
        let functions: Option<IdVec<FunctionId, Function>> = self.functions.into_iter().collect();
        let functions = functions
            .ok_or_else(|| CompileError::Internal("a function was not translated".to_owned()))?;
        let mut program = Program {
            target: TargetLayout { pointer_bits: self.pointer_bits },
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
            steps::weave_step_calls(&mut program, id, step.steps, own);
        }
        if let Some(mut end) = self.woven.end {
            if let Some(flag) = self.woven.in_main {
                end = watching::end_in_main(&mut program, own, flag, end);
            }
            hooks::weave_end_calls(&mut program, end);
        }
        Ok(program)
    }
}

/// Whether other modules can mean this definition by its name.
pub(crate) fn is_visible(value: LlvmValue<'_>) -> bool {
    !matches!(value.linkage(), Linkage::LLVMInternalLinkage | Linkage::LLVMPrivateLinkage)
}

/// The name that the user gave: without what clang and the linker append.
pub(crate) fn plain_name(value: LlvmValue<'_>) -> String {
    if let Some(name) = value.source_name() {
        return name;
    }
    let name = value.name();
    match name.split_once('.') {
        Some((plain, _)) if !plain.is_empty() => plain.to_owned(),
        _ => name,
    }
}
