//! Files written whole or not at all.

use std::env;
use std::fs::{self, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use tempfile::TempDir;

use crate::exit::{self, BadInput};
use crate::outcome::OutputFile;

/// Refuses paths that cannot be written or that would overwrite an input, before any work is done.
pub(crate) fn refuse_unwritable(outputs: &[&PathBuf], inputs: &[PathBuf]) -> Result<(), BadInput> {
    for (index, output) in outputs.iter().enumerate() {
        let name = output.display();
        if output.is_dir() {
            return Err(BadInput(format!("{name} is a directory; name a file to write")));
        }
        if !folder_of(output).is_dir() {
            let folder = folder_of(output).display();
            return Err(BadInput(format!(
                "cannot write {name}: the folder {folder} does not \
                 exist"
            )));
        }
        let same = |other: &PathBuf| {
            output.as_path() == other
                || real_path(output).is_some_and(|path| Some(path) == real_path(other))
        };
        if inputs.iter().any(same) {
            return Err(BadInput(format!("{name} is also an input; choose another output file")));
        }
        if outputs[..index].iter().any(|other| same(other)) {
            return Err(BadInput(format!(
                "{name} is given as an output twice; choose two different \
                 files"
            )));
        }
    }
    Ok(())
}

/// Refuses a folder for pages that cannot be one.
pub(crate) fn refuse_folder(path: Option<&Path>) -> Result<(), BadInput> {
    match path {
        Some(path) if path.exists() && !path.is_dir() => {
            let name = path.display();
            Err(BadInput(format!(
                "{name} is a file; --report needs the name of a folder (it is \
                 created if it does not exist)"
            )))
        }
        _ => Ok(()),
    }
}

/// Prints, and answers with the exit code. Nobody may be reading, as in `ouro check … | head`: the exit code
/// still tells. But an answer that finds no room on the disk is none.
pub(crate) fn print_and_exit(text: &[u8], code: u8) -> ExitCode {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            eprintln!("error: cannot write to standard output: {error}");
            ExitCode::from(exit::BAD_INPUT)
        }
        _ => ExitCode::from(code),
    }
}

/// A folder for the files of clang, gone when it is dropped.
pub(crate) fn temporary_folder() -> Result<TempDir, BadInput> {
    tempfile::Builder::new().prefix("ouro-").tempdir().map_err(|error| {
        let place = env::temp_dir();
        let why = error.kind();
        BadInput(format!(
            "cannot create a temporary folder in {}: {why}; set TMPDIR to a writable folder",
            place.display()
        ))
    })
}

/// Writes files; if one fails, those before it may be there, whole.
pub(crate) fn write_all(files: &[OutputFile]) -> Result<(), BadInput> {
    for OutputFile { path, text } in files {
        fs::create_dir_all(folder_of(path))
            .and_then(|()| write_whole_file(path, text))
            .map_err(|error| BadInput(format!("cannot write {}: {error}", path.display())))?;
    }
    Ok(())
}

/// The path of a further file beside the first: `a.json`, `a-2.json`, `a-3.json`.
pub(crate) fn numbered_path(path: &Path, number: usize) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let name = match path.extension() {
        Some(extension) => format!("{stem}-{number}.{}", extension.to_string_lossy()),
        None => format!("{stem}-{number}"),
    };
    path.with_file_name(name)
}

fn write_whole_file(path: &Path, text: &str) -> io::Result<()> {
    // A pipe or a terminal cannot be renamed over.
    if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        return fs::write(path, text);
    }
    // What a link points to is written, not the link.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let mut file = tempfile::Builder::new()
        .prefix(".ouro-")
        .permissions(Permissions::from_mode(0o666))
        .tempfile_in(folder_of(&path))?;
    file.write_all(text.as_bytes())?;
    file.persist(&path)?;
    Ok(())
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

fn real_path(path: &Path) -> Option<PathBuf> {
    fs::canonicalize(path).ok()
}
