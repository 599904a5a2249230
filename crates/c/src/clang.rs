//! Runs clang: from source to bitcode, without optimisation, within a deadline.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::{CompileError, DataModel};

/// What a file holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SourceKind {
    C,
    PreprocessedC,
    Cxx,
    PreprocessedCxx,
    /// Bitcode or its text form.
    Llvm,
}

/// Looks at a file before clang does, so that the message says what is really wrong.
pub(crate) fn inspect_source_file(path: &Path) -> Result<SourceKind, CompileError> {
    let metadata = std::fs::metadata(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => CompileError::Missing(path.to_owned()),
        _ => CompileError::Unreadable(path.to_owned(), error.to_string()),
    })?;
    if metadata.is_dir() {
        return Err(CompileError::Directory(path.to_owned()));
    }
    if !metadata.is_file() {
        return Err(CompileError::NotSource(path.to_owned(), "not a regular file".to_owned()));
    }
    let mut start = Vec::new();
    std::fs::File::open(path)
        .and_then(|file| file.take(1 << 16).read_to_end(&mut start))
        .map_err(|error| CompileError::Unreadable(path.to_owned(), error.to_string()))?;
    if start.iter().all(u8::is_ascii_whitespace) {
        return Err(CompileError::Empty(path.to_owned()));
    }
    if start.starts_with(b"BC\xC0\xDE") || start.starts_with(&[0xDE, 0xC0, 0x17, 0x0B]) {
        return Ok(SourceKind::Llvm);
    }
    if start.starts_with(b"\x7fELF") {
        return Err(CompileError::NotSource(
            path.to_owned(),
            "an executable or object file".to_owned(),
        ));
    }
    if start.contains(&0) {
        return Err(CompileError::NotSource(path.to_owned(), "a binary file".to_owned()));
    }
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
    Ok(match extension {
        "i" => SourceKind::PreprocessedC,
        "ii" => SourceKind::PreprocessedCxx,
        "cpp" | "cc" | "cxx" | "c++" | "C" | "CPP" | "hpp" | "hh" => SourceKind::Cxx,
        "ll" => SourceKind::Llvm,
        "bc" => {
            return Err(CompileError::NotSource(
                path.to_owned(),
                "a .bc file that does not hold bitcode".to_owned(),
            ));
        }
        _ => SourceKind::C,
    })
}

/// The language that options ask for (`-x c++`), whatever the file is called; the last one counts.
pub(crate) fn requested_language(
    options: &[String],
    found: SourceKind,
) -> Result<SourceKind, CompileError> {
    let mut kind = found;
    let mut words = options.iter().map(String::as_str);
    while let Some(word) = words.next() {
        let language = match word {
            "-x" | "--language" => words.next(),
            _ => word.strip_prefix("--language=").or_else(|| word.strip_prefix("-x")),
        };
        kind = match language {
            None => continue,
            Some("none") => found,
            Some(_) if found == SourceKind::Llvm => found,
            Some("c" | "c-header") => SourceKind::C,
            Some("c++" | "c++-header") => SourceKind::Cxx,
            Some("cpp-output") => SourceKind::PreprocessedC,
            Some("c++-cpp-output") => SourceKind::PreprocessedCxx,
            Some(other) => {
                let why = format!("-x {other}: Ouro knows only c and c++");
                return Err(CompileError::Target(why));
            }
        };
    }
    Ok(kind)
}

/// Macros that say that the program is optimised, where the options do: the program can ask, though nothing is.
fn optimisation_macros(options: &[String]) -> &'static [&'static str] {
    let level = options.iter().rev().find_map(|option| option.strip_prefix("-O"));
    match level {
        None | Some("0") => &[],
        Some("s" | "z") => &["-D__OPTIMIZE__=1", "-D__OPTIMIZE_SIZE__=1"],
        Some(_) => &["-D__OPTIMIZE__=1"],
    }
}

/// One run of clang.
pub(crate) struct ClangJob<'a> {
    pub(crate) source: &'a Path,
    pub(crate) kind: SourceKind,
    pub(crate) output: &'a Path,
    pub(crate) data_model: DataModel,
    pub(crate) extra: Vec<String>,
    pub(crate) deadline: Option<Instant>,
    /// Whether to emit bodies of `inline` functions that another file would have to define.
    pub(crate) all_inlines: bool,
}

/// Flags that fix what the code means, whatever the machine's defaults are.
const FLAGS: [&str; 16] = [
    "-g",
    "-fno-discard-value-names",
    "-emit-llvm",
    // Old C is accepted as older compilers did: implicit declarations and conversions.
    "-w",
    "-Wno-everything",
    "-ferror-limit=20",
    "-fbracket-depth=1000000",
    "-fno-caret-diagnostics",
    "-fno-color-diagnostics",
    "-fno-stack-protector",
    "-U_FORTIFY_SOURCE",
    "-fcommon",
    "-fno-strict-aliasing",
    "-fno-sanitize=all",
    "-fno-jump-tables",
    "-fno-asynchronous-unwind-tables",
];

/// Compiles a file to bitcode.
pub(crate) fn compile_to_bitcode(job: &ClangJob<'_>) -> Result<(), CompileError> {
    let (status, _, complaints) = invoke_clang(job, &["-c"])?;
    if status.success() { Ok(()) } else { Err(clang_rejection(&complaints, status)) }
}

/// Whether clang accepts a file.
pub(crate) fn check_accepted_by_clang(job: &ClangJob<'_>) -> Result<(), CompileError> {
    let (status, _, complaints) = invoke_clang(job, &["-fsyntax-only"])?;
    if status.success() { Ok(()) } else { Err(clang_rejection(&complaints, status)) }
}

/// clang's syntax tree of the declarations whose names contain a text, as a row of JSON objects, and its
/// complaints. A file with mistakes has a tree as well.
pub(crate) fn dump_syntax_tree(
    job: &ClangJob<'_>,
    names: &str,
) -> Result<(String, String), CompileError> {
    let filter = format!("-ast-dump-filter={names}");
    // A name that clang corrects would have the tree of another.
    let options = ["-fsyntax-only", "-fno-spell-checking", "-ferror-limit=0"];
    let dump = ["-Xclang", "-ast-dump=json", "-Xclang", &filter];
    let options = [&options[..], &dump[..]].concat();
    let (_, tree, complaints) = invoke_clang(job, &options)?;
    Ok((tree, complaints))
}

/// One run of clang: how it ended, what it printed, what it complained about.
fn invoke_clang(
    job: &ClangJob<'_>,
    action: &[&str],
) -> Result<(ExitStatus, String, String), CompileError> {
    let program = if matches!(job.kind, SourceKind::Cxx | SourceKind::PreprocessedCxx) {
        "clang++-19"
    } else {
        "clang-19"
    };
    let mut command = Command::new(program);
    if matches!(job.kind, SourceKind::C | SourceKind::PreprocessedC) {
        command.arg("-std=gnu17");
    }
    // The user's options come before ours: they must not turn the optimiser on.
    command.args(&job.extra);
    command.args(FLAGS).args(action);
    // Where a product and a sum may be fused, and the processor can, that has to be seen (`floats`).
    let rounds = job.extra.iter().any(|option| option == "-ffp-contract=off");
    command.arg(if rounds { "-ffp-contract=off" } else { "-ffp-contract=on" });
    if job.all_inlines {
        // At -O0 clang leaves such bodies out. System headers must not notice the difference.
        command.args(["-O1", "-Xclang", "-disable-llvm-passes"]);
        command.args(["-U__OPTIMIZE__", "-D__NO_INLINE__=1"]);
    } else {
        command.arg("-O0");
    }
    command.args(optimisation_macros(&job.extra));
    command.arg(match job.data_model {
        DataModel::Lp64 => "-m64",
        DataModel::Ilp32 => "-m32",
    });
    let language = match job.kind {
        SourceKind::C => "c",
        SourceKind::PreprocessedC => "cpp-output",
        SourceKind::Cxx => "c++",
        SourceKind::PreprocessedCxx => "c++-cpp-output",
        SourceKind::Llvm => "ir",
    };
    // A name that looks like an option must not be taken for one.
    let is_plain = !job.source.as_os_str().as_encoded_bytes().starts_with(b"-");
    let source = if is_plain { job.source.to_owned() } else { Path::new(".").join(job.source) };
    command.args(["-x", language]).arg(source).arg("-o").arg(job.output);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => CompileError::NoClang,
        _ => CompileError::ClangFailed(error.to_string()),
    })?;
    // clang may fill its pipes while we wait, so someone must read them.
    let printed = child.stdout.take().map(read_pipe_in_thread);
    let complained = child.stderr.take().map(read_pipe_in_thread);
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) => {}
            Err(error) => return Err(CompileError::ClangFailed(error.to_string())),
        }
        if job.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            let _ = child.kill();
            let _ = child.wait();
            return Err(CompileError::TooSlow(job.source.to_owned()));
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let text = |reader: Option<JoinHandle<String>>| {
        reader.and_then(|reader| reader.join().ok()).unwrap_or_default()
    };
    Ok((status, text(printed), text(complained)))
}

/// Reads a pipe to its end, meanwhile.
fn read_pipe_in_thread(mut pipe: impl Read + Send + 'static) -> JoinHandle<String> {
    std::thread::spawn(move || {
        let mut text = Vec::new();
        let _ = pipe.read_to_end(&mut text);
        String::from_utf8_lossy(&text).into_owned()
    })
}

fn clang_rejection(text: &str, status: ExitStatus) -> CompileError {
    if text.trim().is_empty() {
        return CompileError::ClangFailed(format!("it ended with {status}"));
    }
    // That is a crash for clang, with a page about itself.
    if text.contains("No space left on device") {
        let why = "there is no room for its temporary files; set TMPDIR to a folder that has some";
        return CompileError::ClangFailed(why.to_owned());
    }
    CompileError::Rejected(text.to_owned())
}

/// A folder for intermediate files that goes away with the value.
pub(crate) fn create_temporary_folder() -> Result<tempfile::TempDir, CompileError> {
    tempfile::Builder::new()
        .prefix("ouro-")
        .tempdir()
        .map_err(|error| CompileError::Unreadable(std::env::temp_dir(), error.to_string()))
}

/// A file in a folder, numbered.
pub(crate) fn numbered_file(folder: &Path, index: usize, extension: &str) -> PathBuf {
    folder.join(format!("{index}.{extension}"))
}

/// The flags of every run, to tell results of different flags apart.
pub(crate) fn flags() -> &'static [&'static str] {
    &FLAGS
}
