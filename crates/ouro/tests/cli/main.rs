//! The program as its users meet it: arguments in; text, files and exit codes out.

mod allocations;
mod attach;
mod bad_input;
mod benchexec;
mod certificates;
mod ci;
mod documents;
mod every_loop;
mod formats;
mod history;
mod input;
mod limits;
mod malformed;
mod outputs;
mod overflow;
mod pages;
mod parts;
mod rankings;
mod recursions;
mod reports;
mod run;
mod scan;
mod scan_loops;
mod schema;
mod second_opinion;
mod sites;
mod specifications;
mod systems;
mod targets;
mod terminal;
mod tour;
mod verdicts;
mod witnesses;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// A folder of its own, to run `ouro` in.
struct Folder(TempDir);

/// What a run of `ouro` left behind.
struct Outcome {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl Folder {
    /// A folder with these files.
    fn with(files: &[(&str, &str)]) -> Folder {
        let folder = Folder(tempfile::tempdir().expect("a folder"));
        for (name, text) in files {
            folder.write(name, text);
        }
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).expect("writing a file");
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("reading a file")
    }

    /// A command that runs `ouro` here, without the surroundings of whoever runs the tests.
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ouro"));
        command.args(arguments).current_dir(self.0.path()).env_remove("OURO_LOG");
        command
    }

    /// Runs `ouro` here.
    fn ouro(&self, arguments: &[&str]) -> Outcome {
        let output = self.command(arguments).output().expect("running ouro");
        Outcome {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).expect("UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("UTF-8"),
        }
    }

    /// All files here with their content, to see that nothing changed.
    fn contents(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        fn collect(folder: &Path, into: &mut BTreeMap<PathBuf, Vec<u8>>) {
            for entry in fs::read_dir(folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    collect(&path, into);
                } else {
                    into.insert(path.clone(), fs::read(&path).expect("a file"));
                }
            }
        }
        let mut all = BTreeMap::new();
        collect(self.0.path(), &mut all);
        all
    }
}

impl Outcome {
    /// The one JSON object on standard output.
    fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{error}: {:?}, {}", self.stdout, self.stderr))
    }
}

/// Runs forever for some inputs, one of which is asked for again and again.
const WAITS: &str = "\
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n < 1000)
    return 0;
  while (n != 7) {
    if (__VERIFIER_nondet_int() == 113)
      return 1;
  }
  return 0;
}
";

/// Ends, after ten iterations.
const COUNTS: &str = "\
int main(void) {
  int sum = 0;
  for (int i = 0; i < 10; i++)
    sum += i;
  return sum == 45 ? 0 : 1;
}
";

/// Ends, but after more paths than anyone can follow in seconds.
const FORKS: &str = "\
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  for (int n = 0; n < 1000000; n++) {
    if (__VERIFIER_nondet_int() > x)
      x++;
  }
  return x;
}
";

/// Nobody knows: it does something that the model does not cover.
const OPEN: &str = "\
int main(void) {
  int x;
  __asm__ volatile(\"movl $0, %0\" : \"=r\"(x));
  while (x)
    ;
  return 0;
}
";
