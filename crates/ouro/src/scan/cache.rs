//! Results that are kept between runs.
//!
//! A result is found by what was asked: the file's name, the options, the limits, and which Ouro was asked: the digest
//! of its executable, since two builds of one version may answer differently. It counts
//! only if every file that clang read for it still has the same content. Files are written beside their place
//! and then renamed, so that whoever reads sees a whole result or none.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::SystemTime;

use ouro_evidence::certificate::sha256_hex;
use ouro_report::finding::{ReportFinding, SkippedFile};
use serde::{Deserialize, Serialize};

use crate::outcome::OutputFile;
use crate::outputs;

/// What is known of a file of the project.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct FileResult {
    pub(super) findings: Vec<ReportFinding>,
    pub(super) notes: Vec<String>,
    /// Why it was not checked, or not to its end. Such a result is not kept.
    #[serde(default)]
    pub(super) skipped: Vec<SkippedFile>,
    /// Certificates by the names of their files, if they were asked for.
    #[serde(default)]
    pub(super) certificates: BTreeMap<String, String>,
}

/// A result, and what it was made from.
#[derive(Serialize, Deserialize)]
struct CacheEntry {
    /// What was asked, in full: two questions may have one name.
    question: String,
    /// The files that were read, with their digests.
    files: Vec<(PathBuf, String)>,
    known: FileResult,
}

/// A folder with results.
pub(super) struct ResultCache {
    folder: PathBuf,
    /// The digest of the executable that does the work.
    build: String,
    /// Digests of files as they are now: headers are read for many files.
    digests: Mutex<HashMap<PathBuf, Option<String>>>,
}

impl ResultCache {
    /// The results in a folder, which is made if it is not there.
    pub(super) fn open(folder: &Path, program: &Path) -> Result<ResultCache, String> {
        fs::create_dir_all(folder).map_err(|error| {
            format!(
                "cannot use the cache {}: {error}; choose another folder with --cache, or use \
                 --no-cache",
                folder.display()
            )
        })?;
        let own = fs::read(program).map_err(|error| {
            format!(
                "cannot read Ouro's own executable ({}): {error}; the cache needs that, so \
                 use --no-cache",
                program.display()
            )
        })?;
        let build = sha256_hex(&own);
        Ok(ResultCache { folder: folder.to_owned(), build, digests: Mutex::default() })
    }

    /// The digest of the executable that does the work.
    pub(super) fn build_digest(&self) -> &str {
        &self.build
    }

    /// Where results are if nobody says so.
    pub(super) fn usual_folder() -> Option<PathBuf> {
        let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        let home = || set("HOME").map(|home| PathBuf::from(home).join(".cache"));
        let folder = set("XDG_CACHE_HOME").map(PathBuf::from).or_else(home)?;
        Some(folder.join("ouro").join("scan"))
    }

    /// The answer to a question, if there is one and nothing has changed since.
    pub(super) fn find(&self, question: &str) -> Option<FileResult> {
        let text = fs::read_to_string(self.entry_path(question)).ok()?;
        let entry: CacheEntry = serde_json::from_str(&text).ok()?;
        let same = entry.question == question
            && entry
                .files
                .iter()
                .all(|(file, digest)| self.file_digest(file).as_ref() == Some(digest));
        same.then_some(entry.known)
    }

    /// Keeps an answer that was found since a moment. If a file has changed after that, the answer may be
    /// about neither text, and is not kept. A cache that cannot be written only costs time.
    pub(super) fn keep(
        &self,
        question: &str,
        read: &[PathBuf],
        known: &FileResult,
        since: SystemTime,
    ) {
        let mut files = Vec::new();
        for file in read {
            let changed = fs::metadata(file).and_then(|found| found.modified());
            let Some(digest) = self.file_digest(file) else { return };
            if changed.is_ok_and(|changed| changed >= since) {
                return;
            }
            files.push((file.clone(), digest));
        }
        if files.is_empty() || !known.skipped.is_empty() {
            return;
        }
        let entry = CacheEntry { question: question.to_owned(), files, known: known.clone() };
        if let Ok(text) = serde_json::to_string(&entry) {
            let _ = outputs::write_all(&[OutputFile { path: self.entry_path(question), text }]);
        }
    }

    fn entry_path(&self, question: &str) -> PathBuf {
        self.folder.join(format!("{}.json", sha256_hex(question.as_bytes())))
    }

    fn file_digest(&self, file: &Path) -> Option<String> {
        let mut digests = self.digests.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let read = || fs::read(file).ok().map(|bytes| sha256_hex(&bytes));
        digests.entry(file.to_owned()).or_insert_with(read).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_counts_as_long_as_its_files_are_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.c");
        fs::write(&file, "int x;").unwrap();
        let later = SystemTime::now() + std::time::Duration::from_secs(60);
        let known = FileResult { notes: vec!["a note".to_owned()], ..FileResult::default() };
        let results = folder.path().join("results");
        let open = || ResultCache::open(&results, &std::env::current_exe().unwrap()).unwrap();
        open().keep("what?", std::slice::from_ref(&file), &known, later);
        assert_eq!(open().find("what?").unwrap().notes, ["a note"]);
        assert!(open().find("what else?").is_none());
        fs::write(&file, "int y;").unwrap();
        assert!(open().find("what?").is_none());
        fs::write(&file, "int x;").unwrap();
        assert!(open().find("what?").is_some());
        // Changed while it was looked at.
        open().keep("now?", std::slice::from_ref(&file), &known, SystemTime::UNIX_EPOCH);
        assert!(open().find("now?").is_none());
    }
}
