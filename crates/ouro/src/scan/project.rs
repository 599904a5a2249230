//! The files of a project, and how each is compiled.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use ouro_c::target;
use ouro_report::finding::SkippedFile;
use serde::Deserialize;

use crate::exit::BadInput;

/// A file that is compiled on its own.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct CompilationUnit {
    /// Its full name.
    pub(crate) file: PathBuf,
    /// The options for clang.
    pub(crate) options: Vec<String>,
}

/// What is looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ScannedProject {
    /// The folder that names are relative to.
    pub(crate) root: PathBuf,
    /// By name. A file may be compiled several times, in different ways.
    pub(crate) units: Vec<CompilationUnit>,
    /// Files that are no matter of ours, a sentence each.
    pub(crate) notes: Vec<String>,
    /// Files that should be looked at and cannot be.
    pub(crate) skipped: Vec<SkippedFile>,
}

/// Reads a folder or a list of commands.
pub(crate) fn read_project(path: &Path, extra: &[String]) -> Result<ScannedProject, BadInput> {
    let refuse = |what: String| BadInput(format!("{}: {what}", path.display()));
    let full = fs::canonicalize(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => refuse("there is no such file or folder".to_owned()),
        _ => refuse(error.to_string()),
    })?;
    let here = std::env::current_dir().and_then(fs::canonicalize).ok();
    let mut project = if full.is_dir() {
        let commands = full.join("compile_commands.json");
        match fs::canonicalize(&commands) {
            Ok(commands) => from_commands(&commands, [Some(full), here])?,
            Err(_) => from_folder(&full)?,
        }
    } else {
        let beside = full.parent().map(Path::to_owned);
        from_commands(&full, [here, beside])?
    };
    if project.units.is_empty() {
        let why = project.skipped.iter().map(SkippedFile::text).chain(project.notes.clone()).next();
        let why = why.map(|why| format!(": {why}")).unwrap_or_default();
        return Err(refuse(format!("there are no C files to check{why}")));
    }
    for unit in &mut project.units {
        unit.options.extend(extra.iter().cloned());
    }
    project.units.sort();
    project.units.dedup();
    Ok(project)
}

/// Every `.c` file below a folder; headers are looked for in the folder itself and beside each file. Links are
/// followed, but not to a folder that this one is in, and nothing is looked at twice.
fn from_folder(root: &Path) -> Result<ScannedProject, BadInput> {
    let folders = [root.join("include"), root.to_owned()];
    let options: Vec<String> = folders.iter().map(|f| format!("-I{}", f.display())).collect();
    let mut units = BTreeSet::new();
    let mut seen = BTreeSet::from([root.to_owned()]);
    let mut pending = vec![root.to_owned()];
    while let Some(folder) = pending.pop() {
        let entries = fs::read_dir(&folder)
            .map_err(|error| BadInput(format!("{}: {error}", folder.display())))?;
        for entry in entries.filter_map(Result::ok) {
            let path = entry.path();
            let hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
            let is_c = path.extension().is_some_and(|ending| ending == "c");
            // A link that leads nowhere has no text to look at.
            let Ok(full) = fs::canonicalize(&path) else { continue };
            if full.is_dir() && !hidden && !root.starts_with(&full) && seen.insert(full.clone()) {
                pending.push(full);
            } else if full.is_file() && is_c {
                units.insert(CompilationUnit { file: full, options: options.clone() });
            }
        }
    }
    let units = units.into_iter().collect();
    Ok(ScannedProject { root: root.to_owned(), units, notes: Vec::new(), skipped: Vec::new() })
}

/// An entry of `compile_commands.json`.
#[derive(Deserialize)]
struct CompileCommand {
    directory: PathBuf,
    file: PathBuf,
    #[serde(default)]
    arguments: Option<Vec<String>>,
    #[serde(default)]
    command: Option<String>,
}

/// The files of a list of commands. Names are relative to the first of some folders that all files are in, or to
/// the nearest one that they are all in: the list itself may lie anywhere.
fn from_commands(path: &Path, roots: [Option<PathBuf>; 2]) -> Result<ScannedProject, BadInput> {
    let refuse = |what: String| BadInput(format!("{}: {what}", path.display()));
    let text = fs::read_to_string(path).map_err(|error| refuse(error.to_string()))?;
    let entries: Vec<CompileCommand> = serde_json::from_str(&text).map_err(|error| {
        refuse(format!("not a compile_commands.json as CMake or bear writes it: {error}"))
    })?;
    let beside = path.parent().map_or_else(|| PathBuf::from("."), Path::to_owned);
    let mut notes = BTreeSet::new();
    let mut skipped = BTreeSet::new();
    let mut units = BTreeSet::new();
    for entry in entries {
        let folder = beside.join(&entry.directory);
        let file = plain_path(&folder.join(&entry.file));
        if file.extension().is_none_or(|ending| ending != "c") {
            notes.insert(format!("{} is not a C file and was skipped", file.display()));
            continue;
        }
        if !file.is_file() {
            let reason = "it is listed in the compilation database but does not exist".to_owned();
            skipped.insert(SkippedFile { file: file.display().to_string(), reason });
            continue;
        }
        let words = match (entry.arguments, entry.command) {
            (Some(words), _) => words,
            (None, Some(command)) => split_command(&command),
            (None, None) => {
                return Err(refuse(
                    "an entry has neither a command nor \
                     arguments"
                        .to_owned(),
                ));
            }
        };
        let words = expand_response_files(words, &folder);
        let options = meaningful_options(&words, &folder);
        units.insert(CompilationUnit { file, options });
    }
    let holds_all =
        |root: &PathBuf| units.iter().all(|unit: &CompilationUnit| unit.file.starts_with(root));
    let root = roots.into_iter().flatten().find(holds_all);
    let root = root.unwrap_or_else(|| common_folder(units.iter().map(|unit| unit.file.as_path())));
    Ok(ScannedProject {
        root,
        units: units.into_iter().collect(),
        notes: notes.into_iter().collect(),
        skipped: skipped.into_iter().collect(),
    })
}

/// The nearest folder that all files are in.
fn common_folder<'a>(mut files: impl Iterator<Item = &'a Path>) -> PathBuf {
    let first = files.next().and_then(Path::parent).unwrap_or(Path::new("/")).to_owned();
    files.fold(first, |common, file| {
        let shared = common.ancestors().find(|folder| file.starts_with(folder));
        shared.unwrap_or(Path::new("/")).to_owned()
    })
}

/// A path without `.` and `..`, as far as its words go.
fn plain_path(path: &Path) -> PathBuf {
    if let Ok(full) = fs::canonicalize(path) {
        return full;
    }
    let mut made = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(made.pop()),
            Component::CurDir => {}
            part => made.push(part),
        }
    }
    made
}

/// The words of a command with those of the files that it names as `@file`. One that cannot be read stays as it is,
/// and is refused later.
fn expand_response_files(words: Vec<String>, folder: &Path) -> Vec<String> {
    let mut all = Vec::new();
    for word in words {
        match word.strip_prefix('@').map(|file| fs::read_to_string(folder.join(file))) {
            Some(Ok(text)) => all.extend(split_command(&text)),
            _ => all.push(word),
        }
    }
    all
}

/// The options that change what the text means: definitions, folders of headers, the language, the machine. The
/// others say how to optimise, what to warn of, where to write.
fn meaningful_options(words: &[String], folder: &Path) -> Vec<String> {
    const WITH_PATH: [&str; 7] =
        ["-I", "-isystem", "-isysroot", "-iquote", "-include", "-idirafter", "-imacros"];
    const WITH_WORD: [&str; 2] = ["-D", "-U"];
    const KEPT: [&str; 10] = [
        "-std=",
        "--std=",
        "--sysroot=",
        "@",
        "-O",
        "-x",
        "--language=",
        "--define-macro=",
        "--undefine-macro=",
        "--include-directory=",
    ];
    const KEPT_WORDS: [&str; 14] = [
        "-ansi",
        "-pthread",
        "-nostdinc",
        "-fms-extensions",
        "-fplan9-extensions",
        "-fgnu89-inline",
        "-fblocks",
        "-fno-exceptions",
        "-fno-rtti",
        "-fno-math-errno",
        "-trigraphs",
        "-undef",
        "-mfma",
        "-mfma4",
    ];
    // The compiler comes first, or after a program that starts it (ccache).
    let compilers = || words.iter().take_while(|word| !word.starts_with('-'));
    let mut options: Vec<String> =
        compilers().filter_map(|word| target::target_option_of_compiler(word)).take(1).collect();
    // g++ takes a .c file for C++.
    if compilers().any(|word| target::is_cxx_compiler(word)) {
        options.extend(["-x".to_owned(), "c++".to_owned()]);
    }
    let words: Vec<String> =
        words.iter().skip(1).flat_map(|word| preprocessor_words(word)).collect();
    let mut rest = words.iter().filter(|word| *word != "-Xpreprocessor");
    while let Some(word) = rest.next() {
        let with = |names: &[&'static str]| {
            names.iter().copied().filter(|name| word.starts_with(name)).max_by_key(|n| n.len())
        };
        if let Some(name) = with(&WITH_PATH) {
            let value = if word.len() > name.len() {
                &word[name.len()..]
            } else {
                let Some(next) = rest.next() else { break };
                next
            };
            // `-include config.h` may also be found in a folder of headers.
            let path = folder.join(value);
            let full = if path.exists() { path.display().to_string() } else { value.to_owned() };
            options.extend([name.to_owned(), full]);
        } else if let Some(name) = with(&WITH_WORD) {
            let value = if word.len() > name.len() {
                &word[name.len()..]
            } else {
                let Some(next) = rest.next() else { break };
                next
            };
            options.push(format!("{name}{value}"));
        } else if matches!(word.as_str(), "-target" | "--target" | "-Xclang" | "-x") {
            let Some(next) = rest.next() else { break };
            options.extend([word.clone(), next.clone()]);
        } else if KEPT.iter().any(|start| word.starts_with(start))
            || KEPT_WORDS.contains(&word.as_str())
            || target::affects_target(word)
        {
            options.push(word.clone());
        }
    }
    options
}

/// What a word says to the preprocessor: `-Wp,-DA,-UB` has several.
fn preprocessor_words(word: &str) -> Vec<String> {
    match word.strip_prefix("-Wp,") {
        Some(words) => words.split(',').map(str::to_owned).collect(),
        None => vec![word.to_owned()],
    }
}

/// The words of a command, as a shell has them.
fn split_command(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut letters = command.chars();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some('\''), '\'') | (Some('"'), '"') => quote = None,
            (Some('"') | None, '\\') => {
                if let Some(next) = letters.next() {
                    word.get_or_insert_default().push(next);
                }
            }
            (None, '\'' | '"') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, letter) if letter.is_whitespace() => words.extend(word.take()),
            (_, letter) => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_as_a_shell_does() {
        assert_eq!(
            split_command(r#"cc -DNAME='"a b"' -I"my dir" x\ y.c"#),
            ["cc", r#"-DNAME="a b""#, "-Imy dir", "x y.c"]
        );
        assert_eq!(split_command("  cc   '' a"), ["cc", "", "a"]);
    }

    #[test]
    fn files_have_a_nearest_folder() {
        let common = |files: &[&str]| common_folder(files.iter().map(Path::new));
        assert_eq!(common(&["/p/src/a.c", "/p/src/b/c.c"]), Path::new("/p/src"));
        assert_eq!(common(&["/p/src/a.c", "/p/source/b.c"]), Path::new("/p"));
        assert_eq!(common(&["/p/a.c", "/q/b.c"]), Path::new("/"));
    }

    #[test]
    fn only_what_changes_the_meaning_is_kept() {
        let words =
            split_command("cc -c -O2 -Wall -g -DA=1 -D B -UC -Iinc -o x.o -MD -std=c99 x.c");
        let options = meaningful_options(&words, Path::new("/nowhere"));
        assert_eq!(options, ["-O2", "-DA=1", "-DB", "-UC", "-I", "inc", "-std=c99"]);
        let kept =
            |command: &str| meaningful_options(&split_command(command), Path::new("/nowhere"));
        assert_eq!(kept("cc -Wp,-DA,-UB -Xpreprocessor -DC x.c"), ["-DA", "-UB", "-DC"]);
        assert_eq!(kept("cc -x c++ --std=c++20 x.c"), ["-x", "c++", "--std=c++20"]);
        assert_eq!(kept("ccache /usr/bin/g++-12 -c x.c"), ["-x", "c++"]);
    }

    #[test]
    fn the_machine_is_kept() {
        let kept =
            |command: &str| meaningful_options(&split_command(command), Path::new("/nowhere"));
        assert_eq!(kept("gcc -m32 -O2 -c x.c"), ["-m32", "-O2"]);
        assert_eq!(kept("ccache i686-linux-gnu-gcc -c x.c"), ["--target=i686-linux-gnu"]);
        assert_eq!(kept("arm-none-eabi-gcc -mthumb x.c"), ["--target=arm-none-eabi", "-mthumb"]);
        assert_eq!(kept("clang -target i386-linux-gnu x.c"), ["-target", "i386-linux-gnu"]);
        assert_eq!(kept("cc -fwrapv -ffast-math -Ofast x.c"), ["-fwrapv", "-ffast-math", "-Ofast"]);
    }
}
