//! The files of a question.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use ouro_evidence::{SourceFile, certificate};
use ouro_report::Sources;

use crate::exit::BadInput;

/// A source file that was read.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// As the user named it.
    pub(crate) name: String,
    bytes: Vec<u8>,
}

impl Source {
    /// Its identity for a certificate.
    pub(crate) fn identity(&self) -> SourceFile {
        SourceFile { path: self.name.clone(), sha256: certificate::sha256(&self.bytes) }
    }
}

/// Reads source files, or says which one cannot be one.
pub(crate) fn read(paths: &[PathBuf]) -> Result<Vec<Source>, BadInput> {
    paths.iter().map(|path| read_one(path)).collect()
}

/// The texts of some files by name, for the report; what cannot be read is left out.
pub(crate) fn texts<'a>(names: impl IntoIterator<Item = &'a String>) -> Sources {
    let text = |name: &String| Some((name.clone(), fs::read_to_string(name).ok()?));
    names.into_iter().filter_map(text).collect()
}

fn read_one(path: &Path) -> Result<Source, BadInput> {
    let refuse = |what: &str| Err(BadInput(format!("{}: {what}", path.display())));
    let Some(name) = path.to_str() else { return refuse("its name is not UTF-8") };
    match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return refuse("there is no such file");
        }
        Err(error) => return refuse(&error.to_string()),
        Ok(found) if found.is_dir() => return refuse("it is a directory; name the C files in it"),
        Ok(found) if !found.is_file() => return refuse("it is not a regular file"),
        Ok(_) => {}
    }
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) => return refuse(&error.to_string()),
    };
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
    let is_text = !bytes.contains(&0) && !bytes.starts_with(b"\x7fELF");
    match extension {
        _ if bytes.iter().all(u8::is_ascii_whitespace) => refuse("it is empty"),
        "c" | "i" | "C" | "cc" | "cp" | "cpp" | "cxx" | "c++" | "ii" | "ll" if is_text => {
            Ok(Source { name: name.to_owned(), bytes })
        }
        "bc" => Ok(Source { name: name.to_owned(), bytes }),
        _ if !is_text => refuse("it is a binary; Ouro reads C source (.c) or LLVM bitcode (.bc)"),
        _ => refuse("it should be C (.c, .i), C++ (.cpp, .cc, .cxx) or LLVM (.bc, .ll)"),
    }
}
