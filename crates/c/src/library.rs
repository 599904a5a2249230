//! The C library: functions in C that are linked in when the program calls them.
//!
//! Its sources are part of the binary. They are compiled once for each data model, and kept as
//! bitcode in the user's cache folder, under a name that says which sources and flags it came from.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};

use crate::clang::{self, ClangJob, SourceKind};
use crate::llvm::{LlvmContext, LlvmModule};
use crate::{CompileError, CompileOptions, DataModel};

include!(concat!(env!("OUT_DIR"), "/library_sources.rs"));

/// The library of one compilation: not read before it is needed.
pub(crate) struct CLibrary<'c> {
    context: &'c LlvmContext,
    options: &'c CompileOptions,
    module: Option<LlvmModule<'c>>,
    /// Why it could not be read.
    pub(crate) failure: Option<CompileError>,
}

impl<'c> CLibrary<'c> {
    pub(crate) fn new(context: &'c LlvmContext, options: &'c CompileOptions) -> Self {
        CLibrary { context, options, module: None, failure: None }
    }

    /// The library, if it was read.
    pub(crate) fn loaded_module(&self) -> Option<LlvmModule<'c>> {
        self.module
    }

    /// The library, if its sources mention this name; reads it the first time.
    pub(crate) fn module_mentioning(
        &mut self,
        name: &str,
    ) -> Result<Option<LlvmModule<'c>>, String> {
        if name.starts_with("__VERIFIER_") || !sources_mention(name) {
            return Ok(None);
        }
        if self.module.is_none() {
            if self.failure.is_none() {
                match load_library(self.context, self.options) {
                    Ok(module) => self.module = Some(module),
                    Err(error) => self.failure = Some(error),
                }
            }
            if let Some(error) = &self.failure {
                return Err(format!("the C library: {error}"));
            }
        }
        Ok(self.module)
    }
}

/// Whether the library's sources contain a name as a whole word.
pub(crate) fn sources_mention(name: &str) -> bool {
    let part_of_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    SOURCES.iter().any(|(_, text)| {
        text.match_indices(name).any(|(start, found)| {
            !text[..start].ends_with(part_of_word)
                && !text[start + found.len()..].starts_with(part_of_word)
        })
    })
}

fn load_library<'c>(
    context: &'c LlvmContext,
    options: &CompileOptions,
) -> Result<LlvmModule<'c>, CompileError> {
    let cached = bitcode_cache_file(options);
    if let Some(path) = &cached
        && path.is_file()
        && let Ok(module) = context.read_module(path)
    {
        return Ok(module);
    }
    let folder = clang::create_temporary_folder()?;
    for (name, text) in SOURCES {
        let path = folder.path().join(name);
        std::fs::write(&path, text)
            .map_err(|error| CompileError::Unreadable(path, error.to_string()))?;
    }
    let extra = vec![format!("-I{}", folder.path().display())];
    let mut whole: Option<LlvmModule<'c>> = None;
    let sources = SOURCES.iter().filter(|(name, _)| name.ends_with(".c"));
    for (index, (name, _)) in sources.enumerate() {
        let output = clang::numbered_file(folder.path(), index, "bc");
        clang::compile_to_bitcode(&ClangJob {
            source: &folder.path().join(name),
            kind: SourceKind::C,
            output: &output,
            data_model: options.data_model,
            extra: extra.clone(),
            deadline: options.deadline,
            all_inlines: false,
        })?;
        let module = context
            .read_module(&output)
            .map_err(|why| CompileError::Bitcode(output.clone(), why))?;
        match whole {
            None => whole = Some(module),
            Some(whole) => whole.link(module).map_err(CompileError::Link)?,
        }
    }
    let Some(whole) = whole else {
        return Err(CompileError::Internal("the C library has no source".to_owned()));
    };
    if let Some(path) = cached {
        store_bitcode(whole, &path);
    }
    Ok(whole)
}

/// Keeps the bitcode for the next run. Others may do the same now: a rename shows whole files only.
fn store_bitcode(module: LlvmModule<'_>, path: &Path) {
    let Some(folder) = path.parent() else { return };
    if std::fs::create_dir_all(folder).is_err() {
        return;
    }
    let Ok(draft) = tempfile::Builder::new().prefix("draft-").tempfile_in(folder) else { return };
    if module.write_bitcode(draft.path()) {
        let _ = draft.persist(path);
    }
}

/// Where the bitcode is kept. Only the user's own folder will do: one that others can write to
/// could be made to hold another library.
fn bitcode_cache_file(options: &CompileOptions) -> Option<PathBuf> {
    let cache = std::env::var_os("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .filter(|path| path.is_absolute())
        .or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache")))?;
    let mut hasher = DefaultHasher::new();
    SOURCES.hash(&mut hasher);
    clang::flags().hash(&mut hasher);
    env!("CARGO_PKG_VERSION").hash(&mut hasher);
    let model = match options.data_model {
        DataModel::Lp64 => "lp64",
        DataModel::Ilp32 => "ilp32",
    };
    Some(cache.join("ouro").join(format!("library-{model}-{:016x}.bc", hasher.finish())))
}
