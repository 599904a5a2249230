//! The files of a question.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use ouro_evidence::{SourceFile, certificate};
use ouro_report::SourceTexts;

use crate::exit::BadInput;

/// What the files of a question hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SubjectKind {
    /// A program, in one or more files.
    Program,
    /// A transition system, in the only file there is.
    System,
}

/// What files with these names hold.
pub(crate) fn subject_kind(paths: &[PathBuf]) -> Result<SubjectKind, BadInput> {
    match paths.iter().find(|path| is_system(path)) {
        None => Ok(SubjectKind::Program),
        Some(_) if paths.len() == 1 => Ok(SubjectKind::System),
        Some(system) => Err(BadInput(format!(
            "{}: a transition system cannot be linked with other files; check it on its own",
            system.display()
        ))),
    }
}

fn is_system(path: &Path) -> bool {
    matches!(file_ending(path), "smt2" | "koat" | "t2")
}

fn file_ending(path: &Path) -> &str {
    path.extension().and_then(|extension| extension.to_str()).unwrap_or("")
}

/// A source file that was read.
#[derive(Clone, Debug)]
pub(crate) struct InputFile {
    /// As the user named it.
    pub(crate) name: String,
    bytes: Vec<u8>,
}

impl InputFile {
    /// Its identity for a certificate.
    pub(crate) fn identity(&self) -> SourceFile {
        SourceFile { path: self.name.clone(), sha256: certificate::sha256_hex(&self.bytes) }
    }

    /// Its text, or where it stops being one.
    pub(crate) fn text(&self) -> Result<&str, BadInput> {
        str::from_utf8(&self.bytes).map_err(|error| {
            let before = String::from_utf8_lossy(&self.bytes[..error.valid_up_to()]);
            let line = before.matches('\n').count() + 1;
            let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
            BadInput(format!("{}:{line}:{column}: expected text in UTF-8", self.name))
        })
    }
}

/// Reads the files of a question that are of this kind, or says which one cannot be.
pub(crate) fn read_input_files(
    kind: SubjectKind,
    paths: &[PathBuf],
) -> Result<Vec<InputFile>, BadInput> {
    paths.iter().map(|path| read_input_file(kind, path)).collect()
}

/// The texts of some files by name, for the report; what cannot be read is left out.
pub(crate) fn source_texts<'a>(names: impl IntoIterator<Item = &'a String>) -> SourceTexts {
    let text = |name: &String| Some((name.clone(), fs::read_to_string(name).ok()?));
    names.into_iter().filter_map(text).collect()
}

fn read_input_file(kind: SubjectKind, path: &Path) -> Result<InputFile, BadInput> {
    let refuse = |what: &str| Err(BadInput(format!("{}: {what}", path.display())));
    let Some(name) = path.to_str() else { return refuse("the file name is not UTF-8") };
    match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return refuse("there is no such file");
        }
        Err(error) => return refuse(&error.to_string()),
        Ok(found) if found.is_dir() => return refuse("this is a directory; name the files in it"),
        Ok(found) if !found.is_file() => return refuse("this is not a regular file"),
        Ok(_) => {}
    }
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) => return refuse(&error.to_string()),
    };
    match (kind, is_system(path)) {
        // Whoever reads it says where it is wrong.
        (SubjectKind::System, true) => return Ok(InputFile { name: name.to_owned(), bytes }),
        (SubjectKind::System, false) => {
            return refuse("expected a transition system (.smt2, .koat, .t2)");
        }
        (SubjectKind::Program, true) => {
            return refuse("this is a transition system, not a program");
        }
        (SubjectKind::Program, false) => {}
    }
    let is_text = !bytes.contains(&0) && !bytes.starts_with(b"\x7fELF");
    match file_ending(path) {
        _ if bytes.iter().all(u8::is_ascii_whitespace) => refuse("it is empty"),
        "c" | "i" | "C" | "cc" | "cp" | "cpp" | "cxx" | "c++" | "ii" | "ll" if is_text => {
            Ok(InputFile { name: name.to_owned(), bytes })
        }
        "bc" => Ok(InputFile { name: name.to_owned(), bytes }),
        _ if !is_text => refuse("this is a binary; Ouro reads C source (.c) or LLVM bitcode (.bc)"),
        _ => refuse(
            "unknown file type; expected C (.c, .i), C++ (.cpp, .cc, .cxx), LLVM (.bc, .ll) or a \
             transition system (.smt2, .koat, .t2)",
        ),
    }
}
