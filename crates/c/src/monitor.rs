//! A specification in the context of the program: its code is put after the last line of a source file
//! and compiled with it, so that it sees the same types, macros, globals and static names.
//!
//! clang says first which functions the specification can speak of and what their parameters are:
//! for each of them a declaration `__typeof__(f) probe;` is added, and clang's syntax tree of it read.
//! With several source files, the first one in whose context the specification has a meaning is taken:
//! all functions are declared there, and clang accepts the code.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use ouro_model::Span;
use ouro_model::monitor::{HookMoment, Monitor, MonitorHook};
use serde_json::Value as Json;

use crate::clang::{self, ClangJob, SourceKind};
use crate::names;
use crate::{CompileError, CompileOptions};

/// What the file of the probes is called in clang's messages.
const PROBES: &str = "<specification>";
/// How the probes are called.
const PROBE: &str = "__ouro_probe_";

/// A source file with the specification's code after it.
pub(crate) struct PlacedMonitor {
    /// Which of the files it is.
    pub(crate) index: usize,
    /// The text that is compiled in its place.
    pub(crate) text: PathBuf,
    /// Where quoted includes of the file are looked for.
    pub(crate) options: Vec<String>,
}

/// A function as C declares it.
#[derive(Clone, PartialEq, Eq, Debug)]
struct CSignature {
    parameters: Vec<String>,
    returns_nothing: bool,
    prototype: bool,
}

/// Puts the specification's code after the first file in which it has a meaning.
pub(crate) fn place_monitor(
    monitor: &Monitor,
    files: &[PathBuf],
    kinds: &[SourceKind],
    folder: &Path,
    options: &CompileOptions,
) -> Result<PlacedMonitor, CompileError> {
    let mut refused: Option<CompileError> = None;
    let is_c = |kind: &SourceKind| matches!(kind, SourceKind::C | SourceKind::PreprocessedC);
    for (index, (file, kind)) in files.iter().zip(kinds).enumerate() {
        if !is_c(kind) {
            continue;
        }
        match place_in_file(monitor, file, *kind, (index, folder), options) {
            Ok(placed) => return Ok(placed),
            Err(error @ CompileError::Specification(_)) => refused = refused.or(Some(error)),
            Err(error) => return Err(error),
        }
    }
    let source = monitor.files.first().map_or("", String::as_str);
    Err(refused.unwrap_or_else(|| {
        CompileError::Specification(format!(
            "{source}:1:1: a specification needs C source; give the .c files"
        ))
    }))
}

fn place_in_file(
    monitor: &Monitor,
    file: &Path,
    kind: SourceKind,
    (index, folder): (usize, &Path),
    options: &CompileOptions,
) -> Result<PlacedMonitor, CompileError> {
    let unreadable =
        |error: std::io::Error| CompileError::Unreadable(file.to_owned(), error.to_string());
    let own = fs::read(file).map_err(unreadable)?;
    let text = clang::numbered_file(
        folder,
        index,
        if kind == SourceKind::C { "monitor.c" } else { "monitor.i" },
    );
    let parent = file.parent().filter(|parent| *parent != Path::new(""));
    let quoted = vec!["-iquote".to_owned(), parent.unwrap_or(Path::new(".")).display().to_string()];
    let placed = PlacedMonitor { index, text, options: quoted };
    let write = |code: &str| {
        let mut whole =
            format!("# 1 \"{}\"\n", escape_c_string(&file.display().to_string())).into_bytes();
        whole.extend_from_slice(&own);
        whole.push(b'\n');
        whole.extend_from_slice(code.as_bytes());
        fs::write(&placed.text, whole).map_err(unreadable)
    };
    let mut extra = options.clang_args.clone();
    extra.extend(placed.options.iter().cloned());
    let job = ClangJob {
        source: &placed.text,
        kind,
        output: Path::new("-"),
        data_model: options.data_model,
        extra,
        deadline: options.deadline,
        all_inlines: false,
    };
    let names: BTreeSet<&str> =
        monitor.hooks.iter().map(|hook| resolve_hooked_name(&hook.function, options)).collect();
    let mut probes = String::new();
    for (number, name) in names.iter().enumerate() {
        let _ =
            writeln!(probes, "# {} \"{PROBES}\"\n__typeof__({name}) {PROBE}{number};", number + 1);
    }
    write(&probes)?;
    let (tree, complaints) =
        clang::dump_syntax_tree(&job, PROBE).map_err(|e| retarget_timeout(e, file))?;
    if let Some(foreign) = complaints_elsewhere(&complaints, &[PROBES.to_owned()]) {
        return Err(CompileError::Rejected(foreign));
    }
    let found = parse_probe_signatures(&tree);
    let known: BTreeMap<&str, &CSignature> = (names.iter().enumerate())
        .filter_map(|(number, name)| Some((*name, found.get(&number)?)))
        .collect();
    let text = String::from_utf8_lossy(&own);
    let code = monitor_code(monitor, &known, &text, options)?;
    write(&code)?;
    match clang::check_accepted_by_clang(&job) {
        Ok(()) => Ok(placed),
        Err(CompileError::Rejected(text)) => {
            Err(match complaints_elsewhere(&text, &monitor.files) {
                Some(foreign) => CompileError::Rejected(foreign),
                None => CompileError::Specification(rewrite_probe_names(&text)),
            })
        }
        Err(error) => Err(retarget_timeout(error, file)),
    }
}

/// A time-out is about the user's file, not about ours.
fn retarget_timeout(error: CompileError, file: &Path) -> CompileError {
    match error {
        CompileError::TooSlow(_) => CompileError::TooSlow(file.to_owned()),
        other => other,
    }
}

/// The function that a specification means: `main` is where the run starts.
pub(crate) fn resolve_hooked_name<'a>(name: &'a str, options: &'a CompileOptions) -> &'a str {
    match name {
        "main" => options.function.as_deref().unwrap_or("main"),
        _ => name,
    }
}

/// The code of a monitor with the headers of its hooks.
fn monitor_code(
    monitor: &Monitor,
    known: &BTreeMap<&str, &CSignature>,
    text: &str,
    options: &CompileOptions,
) -> Result<String, CompileError> {
    let mut code = monitor.source.clone();
    for hook in &monitor.hooks {
        let name = resolve_hooked_name(&hook.function, options);
        match known.get(name) {
            Some(signature) => code.push_str(&hook_code(monitor, hook, name, signature)?),
            None if hook.optional => {}
            None => {
                let near = names::nearest_name(name, names_before_brackets(text));
                let advice = match near {
                    Some(near) => format!("did you mean {near}?"),
                    None => "if the function may be missing, write 'optional' before the \
                             pattern"
                        .to_owned(),
                };
                return Err(specification_error(
                    monitor,
                    hook.span,
                    &format!("the program does not declare a function {name}; {advice}"),
                ));
            }
        }
    }
    Ok(code)
}

fn hook_code(
    monitor: &Monitor,
    hook: &MonitorHook,
    name: &str,
    signature: &CSignature,
) -> Result<String, CompileError> {
    let count = signature.parameters.len();
    let mut parameters = Vec::new();
    for (number, span) in &hook.parameters {
        let index = usize::try_from(*number).unwrap_or(0).wrapping_sub(1);
        match signature.parameters.get(index) {
            Some(ty) => parameters.push(format!("__typeof__({ty}) ${number}")),
            None if !signature.prototype => {
                let what = format!("${number}: the declaration of {name} has no parameter list");
                return Err(specification_error(monitor, *span, &what));
            }
            None => {
                let s = if count == 1 { "" } else { "s" };
                let what = format!("${number}: {name} has {count} parameter{s}");
                return Err(specification_error(monitor, *span, &what));
            }
        }
    }
    if let Some(span) = hook.returned {
        if signature.returns_nothing || hook.moment == HookMoment::Entry {
            return Err(specification_error(
                monitor,
                span,
                &format!("$return: {name} returns nothing"),
            ));
        }
        let arguments: Vec<String> =
            signature.parameters.iter().map(|ty| format!("*(__typeof__({ty}) *)0")).collect();
        parameters.push(format!("__typeof__({name}({})) $return", arguments.join(", ")));
    }
    let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
    Ok(format!("void {}({parameters}) {}", hook.name, hook.body))
}

/// A message at a place of the specification.
pub(crate) fn specification_error(monitor: &Monitor, span: Span, what: &str) -> CompileError {
    let index = usize::try_from(span.file.0).unwrap_or(0);
    let file = monitor.files.get(index).map_or("", String::as_str);
    CompileError::Specification(format!("{file}:{}:{}: {what}", span.line, span.column))
}

/// Names that stand before a bracket in the source.
fn names_before_brackets(text: &str) -> Vec<String> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut found = BTreeSet::new();
    for (at, _) in text.match_indices('(') {
        let before = text[..at].trim_end();
        let start = before.rfind(|c: char| !is_word(c)).map_or(0, |at| at + 1);
        let name = &before[start..];
        let keyword = ["if", "while", "for", "switch", "return", "sizeof"].contains(&name);
        if !keyword && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            found.insert(name.to_owned());
        }
    }
    found.into_iter().collect()
}

/// The signatures of the probes, by number.
fn parse_probe_signatures(tree: &str) -> BTreeMap<usize, CSignature> {
    let mut found = BTreeMap::new();
    for declaration in serde_json::Deserializer::from_str(tree).into_iter::<Json>() {
        let Ok(declaration) = declaration else { break };
        let number = declaration["name"].as_str().and_then(|name| name.strip_prefix(PROBE));
        let Some(number) = number.and_then(|number| number.parse().ok()) else { continue };
        if declaration["kind"] != "FunctionDecl" || declaration["isInvalid"] == true {
            continue;
        }
        let inner = declaration["inner"].as_array().cloned().unwrap_or_default();
        let parameters = (inner.iter())
            .filter(|part| part["kind"] == "ParmVarDecl")
            .filter_map(|part| part["type"]["qualType"].as_str().map(str::to_owned))
            .collect();
        let ty = declaration["type"]["desugaredQualType"].as_str().unwrap_or("");
        found.insert(
            number,
            CSignature {
                parameters,
                returns_nothing: ty.starts_with("void ("),
                prototype: !ty.ends_with("()"),
            },
        );
    }
    found
}

/// clang's complaints, if one of them is not about these files.
fn complaints_elsewhere(text: &str, files: &[String]) -> Option<String> {
    let about = |line: &str| files.iter().any(|file| line.starts_with(&format!("{file}:")));
    let foreign = text.lines().any(|line| line.contains("error: ") && !about(line));
    foreign.then(|| text.to_owned())
}

/// clang's complaints in the user's words.
fn rewrite_probe_names(text: &str) -> String {
    text.replace("__ouro_var_", "")
}

/// A name as it stands in a string of C.
fn escape_c_string(name: &str) -> String {
    name.replace('\\', "\\\\").replace('"', "\\\"")
}
